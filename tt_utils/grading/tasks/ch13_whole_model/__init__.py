"""The tasks of chapter 13, one a file."""
