"""The tasks of chapter 16, one a file."""
