"""The tasks of chapter 17, one a file."""
