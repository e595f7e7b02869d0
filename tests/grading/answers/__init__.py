"""Answers as learners, attackers and teachers write them, one module per task.

All are source text, to be run after `NAMES` in a namespace of their own: an answer to a
function task defines the task's function, an answer to a value task is one tuple.

- `RIGHT`: right by the task's own text.
- `WRONG`: wrong by the task's own text, on some legal input at least.
- `SPELLINGS`: other spellings of each listed mistake, by the mistake's name.
- `DOUBLE`: two listed mistakes at once: (name, name, source).

`hostile` and `slips` hold answers to any task; never run the hostile ones in a process
that matters.
"""

import re
from pathlib import Path

NAMES = """
import math
from fractions import Fraction

import numpy as np
import torch
"""

NAMED = re.compile(r"t(\d\d)_(\d+)")
TASKS = tuple(
    f"{name[1]}.{name[2]}"
    for path in sorted(Path(__file__).parent.iterdir())
    if (name := NAMED.fullmatch(path.stem))
)
