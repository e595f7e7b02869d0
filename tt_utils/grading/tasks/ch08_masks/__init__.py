"""The tasks of chapter 08, one a file."""
