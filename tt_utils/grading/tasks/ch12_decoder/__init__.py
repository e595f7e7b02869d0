"""The tasks of chapter 12, one a file."""
