"""Figures that answer: in the book's pages without a kernel, in notebooks with one."""
