"""The tasks of chapter 10, one a file."""
