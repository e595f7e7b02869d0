"""The tasks of chapter 01, one a file."""
