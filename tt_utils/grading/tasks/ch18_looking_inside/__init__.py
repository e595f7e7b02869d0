"""The tasks of chapter 18, one a file."""
