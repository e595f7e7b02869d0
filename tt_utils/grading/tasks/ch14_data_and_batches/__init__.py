"""The tasks of chapter 14, one a file."""
