"""71.1 The mean of each row: a task of one's own, as small as one can be."""

from tt_utils.grading.tasks.inputs import fixed, normal
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def row_means(x):
    return x.mean(axis=1)
"""

BY_SUM = """
def row_means(x):
    return x.sum(axis=1) / x.shape[1]
"""

LOOP = """
def row_means(x):
    return np.array([sum(row) / len(row) for row in x])
"""

MISTAKES = """
means of the columns: axis=1 → axis=0
    You averaged over the rows. Which axis runs along a row?

not divided: / x.shape[1] →
or: x.mean(axis=1) → x.sum(axis=1)
    Your numbers are sums. How many numbers does each one add up?

divided by the number of rows: / x.shape[1] → / x.shape[0]
or: / len(row) → / len(x)
    You divided by the number of rows. How many numbers stand in one row?
"""

TASK = FunctionTask(
    title="The mean of each row",
    kind="implement",
    answers=("row_means",),
    arguments=("x",),
    outputs=("means",),
    right=(PLAIN, BY_SUM, LOOP),
    mistakes=MISTAKES,
    checks=(
        Check("two rows of three", fixed([[1, 2, 6], [0, 4, 8]])),
        Check("five rows of seven", normal((5, 7))),
    ),
    hints=(
        "Take one row, by hand: which numbers are added, and by what are they divided?",
        "NumPy's `axis` says along what is summed. Along which axis does a row run?",
    ),
    section="",
    why="The mean along axis 1 leaves one number for each row.",
)
