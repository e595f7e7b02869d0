"""What was handed in: files, notebooks, and who they are from."""
