"""The tasks of chapter 23, one a file, and the parts that their checks lend."""
