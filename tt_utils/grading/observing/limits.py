"""How long an answer may take in a notebook."""

SECONDS = 5.0  # of CPU time, for all requests together
WAITING = 4  # the clock on the wall may run this many times as long as the CPU's
