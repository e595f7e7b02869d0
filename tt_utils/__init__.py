"""The package of The Transformer Textbook: every chapter's code, kept once.

Importing it loads nothing else; each module is imported where it is used.
"""

__version__ = "0.1.0"
