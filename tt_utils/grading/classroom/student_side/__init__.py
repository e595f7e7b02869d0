"""What runs inside the sandbox. It knows no task, and is not believed a word."""
