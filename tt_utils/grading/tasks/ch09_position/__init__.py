"""The tasks of chapter 09, one a file."""
