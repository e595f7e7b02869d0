"""The tasks of chapter 21, one a file."""
