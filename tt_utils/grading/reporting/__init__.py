"""What a learner sees of a result, and keeps of it."""
