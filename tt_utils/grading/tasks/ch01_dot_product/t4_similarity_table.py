"""01.4 A planted bug: lengths along the wrong axis."""

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

UNITS = """
def similarity_table(vectors):
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / lengths
    return unit @ unit.T
"""

OUTER = """
def similarity_table(vectors):
    lengths = np.sqrt((vectors ** 2).sum(axis=1))
    return vectors @ vectors.T / np.outer(lengths, lengths)
"""

DIAGONAL = """
def similarity_table(vectors):
    products = vectors @ vectors.T
    root = np.sqrt(np.diag(products))
    return products / root[:, None] / root[None, :]
"""

MISTAKES = """
as planted: axis=1, keepdims=True → axis=0
or: (vectors ** 2).sum(axis=1) → (vectors ** 2).sum(axis=0)
or: axis=1, keepdims=True → axis=0, keepdims=True
    The diagonal compares each word with itself, and it is not 1. Whose length did you
    divide by: a word's or a feature's?

keepdims missing: axis=1, keepdims=True → axis=1
    The lengths are right, but they are spread over the columns. What shape must they
    have so that row i is divided by length i?

diagonal painted over: axis=1, keepdims=True → axis=0
and: return unit @ unit.T → table = unit @ unit.T; np.fill_diagonal(table, 1); return table
    Now the diagonal is 1, and the other entries are as wrong as before. What made the
    diagonal wrong in the first place?

diagonal painted over, without lengths: unit = vectors / lengths → unit = vectors
and: return unit @ unit.T → table = unit @ unit.T; np.fill_diagonal(table, 1); return table
    The diagonal is 1, and no length is divided out in the other entries. What should
    make the diagonal 1 by itself?

normalisation removed: unit = vectors / lengths → unit = vectors
    Longer vectors give larger entries: no length is divided out any more.

divided by the diagonal: root[:, None] / root[None, :] → root / root
or: np.outer(lengths, lengths) → lengths / lengths
or: root[:, None] / root[None, :] → root[:, None] / root[:, None]
    The diagonal is 1, and entry [i, j] is not entry [j, i]. You divide twice by the length
    of one of the two words: what about the other one?

one side only: return unit @ unit.T → return unit @ vectors.T
or: return unit @ unit.T → return vectors @ unit.T
    Your table is not symmetric. The similarity of cat and dog should be that of dog and
    cat: which of the two is still unscaled?

squared lengths: unit = vectors / lengths → unit = vectors / lengths ** 2
    The diagonal shrinks for long vectors. You divide by the squared length of each
    row; which step turns it into a length?

root of the lengths: unit = vectors / lengths → unit = vectors / lengths ** 0.5
    The diagonal grows with the length. You take one root too many: what does
    `np.linalg.norm` give already?

rows centred: unit = vectors / lengths → unit = vectors - vectors.mean(axis=1, keepdims=True)\\n    unit = unit / np.linalg.norm(unit, axis=1, keepdims=True)
or: lengths = np.sqrt((vectors ** 2).sum(axis=1)) → vectors = vectors - vectors.mean(axis=1, keepdims=True); lengths = np.sqrt((vectors ** 2).sum(axis=1))
    You subtract the mean of each row first. That makes a correlation: does a cosine move
    the vectors before it compares them?

sum of absolute values: np.linalg.norm(vectors, axis=1, keepdims=True) → np.abs(vectors).sum(axis=1, keepdims=True)
    The axis is right now, the length is not: for (3, 4) you divide by 7.

sum of entries: np.linalg.norm(vectors, axis=1, keepdims=True) → vectors.sum(axis=1, keepdims=True)
    The axis is right now, the length is not: for (3, −3) you divide by 0.

largest entry as length: np.linalg.norm(vectors, axis=1, keepdims=True) → np.abs(vectors).max(axis=1, keepdims=True)
or: np.linalg.norm(vectors, axis=1, keepdims=True) → vectors.max(axis=1, keepdims=True)
    The axis is right now, the length is not: for (3, 4) you divide by 4.

one common length: np.linalg.norm(vectors, axis=1, keepdims=True) → np.linalg.norm(vectors)
    You divided all rows by one number, so a long word still wins. Each row has a length
    of its own.

divided by the largest entry: np.outer(lengths, lengths) → (vectors @ vectors.T).max()
    The largest entry is 1 now, but the diagonal is not. What does a word's similarity
    with itself depend on in your table?

transpose missing: unit @ unit.T → unit @ unit
    Every row meets every row, and `@` takes rows of the first and columns of the
    second. How do rows become columns?

table of the features: unit @ unit.T → unit.T @ unit
    Your table has a row for each feature, not for each word. Which of the two comes
    first in the product?

angles: return unit @ unit.T → return np.arccos((unit @ unit.T).clip(-1, 1))
    Your diagonal is 0: those are angles. The task stops one step earlier.

cosine distance: return unit @ unit.T → return 1 - unit @ unit.T
    Your diagonal is 0: you measure how different two words are. What should a word have
    with itself?

rounded: return unit @ unit.T → return (unit @ unit.T).round(2)
or: return unit @ unit.T → return (unit @ unit.T).round(3)
    Your table is right and then cut short. Whoever calculates on with it needs every
    digit: what can be left to the print?

sign dropped: return unit @ unit.T → return np.abs(unit @ unit.T)
    No entry of yours is negative. What should two opposite rows give?
"""


def word_vectors(n, d):
    """Rows of clearly different lengths, none of them zero."""

    def inputs(rng):
        vectors = rng.uniform(-1, 1, size=(n, d)) + np.eye(n, d)
        return ((vectors * np.arange(1, n + 1)[:, None]).round(1),)

    return inputs


TASK = FunctionTask(
    title="A word that is not like itself",
    kind="find the bug",
    answers=("similarity_table",),
    arguments=("vectors",),
    outputs=("table",),
    right=(UNITS, OUTER, DIAGONAL),
    mistakes=MISTAKES,
    checks=(
        Check("two words in two dimensions", word_vectors(2, 2)),
        Check("three words in five dimensions", word_vectors(3, 5)),
        Check("seven words in three dimensions", word_vectors(7, 3)),
    ),
    hints=(
        "Three words with two numbers each: how many lengths should there be, and how "
        "many does `lengths` hold?",
        "With the right lengths, print `lengths.shape`. How does NumPy line it up with "
        "`vectors`, row by row or column by column?",
    ),
    section="All pairs at once",
    why="axis says along what is summed: axis 1 walks along a row, so each word gets one "
    "length. keepdims lets it divide that row.",
)
