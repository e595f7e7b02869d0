"""The tasks of chapter 02, one a file."""
