"""The tasks of chapter 11, one a file."""
