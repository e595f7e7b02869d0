"""What runs inside the sandbox. It knows no task, and the parent believes it nothing."""
