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

NAMES = """
import math
from fractions import Fraction

import numpy as np
import torch
"""

TASKS = (
    *("01.1", "01.2", "01.3", "01.4"),
    *("05.1", "05.2", "05.3", "05.4", "05.5"),
    *("10.1", "10.2", "10.3", "10.4", "10.5"),
    *("11.1", "11.2", "11.3", "11.4", "11.5"),
)
