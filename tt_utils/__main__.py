"""`python -m tt_utils` and `torchrun -m tt_utils` do what `tt` does."""

from tt_utils.cli import app

app(prog_name="tt")
