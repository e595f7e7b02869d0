"""The tasks of chapter 22, one a file."""
