"""The tasks of chapter 07, one a file."""
