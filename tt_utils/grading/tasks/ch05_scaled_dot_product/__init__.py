"""The tasks of chapter 05, one a file."""
