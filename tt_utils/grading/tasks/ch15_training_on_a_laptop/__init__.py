"""The tasks of chapter 15, one a file."""
