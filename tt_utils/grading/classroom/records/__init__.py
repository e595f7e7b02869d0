"""What became of each submission, and the journal that keeps it."""
