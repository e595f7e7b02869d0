"""The tasks of chapter 06, one a file."""
