"""The tasks of chapter 19, one a file."""
