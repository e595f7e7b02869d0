"""The tasks of chapter 20, one a file."""
