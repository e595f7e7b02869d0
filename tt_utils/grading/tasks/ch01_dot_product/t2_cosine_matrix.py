"""01.2 The cosines of all rows of A with all rows of B."""

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

UNITS = """
def cosine_matrix(A, B):
    a = np.linalg.norm(A, axis=1, keepdims=True)
    b = np.linalg.norm(B, axis=1, keepdims=True)
    unit_a = A / np.where(a == 0, 1, a)
    unit_b = B / np.where(b == 0, 1, b)
    table = unit_a @ unit_b.T
    return table
"""

OUTER = """
def cosine_matrix(A, B):
    products = A @ B.T
    a = np.linalg.norm(A, axis=1)
    b = np.linalg.norm(B, axis=1)
    lengths = np.outer(a, b)
    table = np.divide(products, lengths, out=np.zeros(products.shape), where=lengths > 0)
    return table
"""

LOOPS = """
def cosine_matrix(A, B):
    table = np.zeros((len(A), len(B)))
    for i in range(len(A)):
        for j in range(len(B)):
            dot = np.dot(A[i], B[j])
            lengths = np.sqrt(np.dot(A[i], A[i])) * np.sqrt(np.dot(B[j], B[j]))
            if lengths > 0:
                table[i, j] = dot / lengths
    return table
"""

PATCHED = """
def cosine_matrix(A, B):
    a = np.sqrt((A ** 2).sum(axis=1))
    b = np.sqrt((B ** 2).sum(axis=1))
    table = A @ B.T / a[:, None] / b[None, :]
    table = np.nan_to_num(table)
    return table
"""

MISTAKES = """
no norms: np.outer(a, b) → np.ones((len(A), len(B)))
or: dot / lengths → dot
    Make row 0 of A ten times longer: your result changes. May a cosine?

only A normalised: np.outer(a, b) → np.outer(a, np.ones(len(B)))
or: B / np.where(b == 0, 1, b) → B
or: B / np.where(b == 0, 1, b) → B
and: np.where(a == 0, 1, a) → a
    Lengthen a row of B and your result grows with it. Which lengths did you divide by?

only B normalised: np.outer(a, b) → np.outer(np.ones(len(A)), b)
or: A / np.where(a == 0, 1, a) → A
or: A / np.where(a == 0, 1, a) → A
and: np.where(b == 0, 1, b) → b
    Lengthen a row of A and your result grows with it. Which lengths did you divide by?

squared norms: np.outer(a, b) → np.outer(a, b) ** 2
or: np.sqrt(np.dot(A[i], A[i])) * np.sqrt(np.dot(B[j], B[j])) → np.dot(A[i], A[i]) * np.dot(B[j], B[j])
or: np.sqrt((A ** 2).sum(axis=1)) → (A ** 2).sum(axis=1)
and: np.sqrt((B ** 2).sum(axis=1)) → (B ** 2).sum(axis=1)
    Your cosines shrink when rows get longer. You divided by squared lengths: is a root
    missing?

sum of absolute values as length: np.linalg.norm(A, axis=1) → np.abs(A).sum(axis=1)
and: np.linalg.norm(B, axis=1) → np.abs(B).sum(axis=1)
or: np.sqrt((A ** 2).sum(axis=1)) → np.abs(A).sum(axis=1)
and: np.sqrt((B ** 2).sum(axis=1)) → np.abs(B).sum(axis=1)
    Which length did you use? For (3, 4) it should be 5, yours is 7.

sum of entries as length: np.linalg.norm(A, axis=1) → A.sum(axis=1)
and: np.linalg.norm(B, axis=1) → B.sum(axis=1)
and: where=lengths > 0 → where=lengths != 0
    A length is no sum of entries: for (3, −3) you get 0. What is done with each entry
    before the sum, and with the sum after it?

largest entry as length: np.linalg.norm(A, axis=1) → np.abs(A).max(axis=1)
and: np.linalg.norm(B, axis=1) → np.abs(B).max(axis=1)
or: np.linalg.norm(A, axis=1) → A.max(axis=1)
and: np.linalg.norm(B, axis=1) → B.max(axis=1)
or: np.sqrt((A ** 2).sum(axis=1)) → np.abs(A).max(axis=1)
and: np.sqrt((B ** 2).sum(axis=1)) → np.abs(B).max(axis=1)
    Which length did you use? For (3, 4) it should be 5, yours is 4.

norms along the wrong axis: axis=1, keepdims=True → axis=0
or: axis=1, keepdims=True → axis=0
and: np.where(a == 0, 1, a) → a
and: np.where(b == 0, 1, b) → b
or: axis=1) → axis=0)
    You took the lengths along the columns. A word is a row: along which axis does its
    length run?

keepdims missing: axis=1, keepdims=True → axis=1
or: a[:, None] → a
    The lengths are right, but their shape lines them up with the columns. What shape
    must they have so that row i is divided by length i?

transpose missing: A @ B.T → A @ B
or: unit_a @ unit_b.T → unit_a @ unit_b
    Every row of A meets every row of B, and `@` takes rows of the first and columns of
    the second. How do the rows of B become columns?

Frobenius norm: np.outer(a, b) → np.full((len(A), len(B)), np.linalg.norm(A) * np.linalg.norm(B))
    You divided everything by one common number. How many lengths does a matrix of five
    rows have?

transposed: return table → return table.T
    Entry [i, j] compares A[i] with B[j]. In yours, which of the two picks the row?

zero row gives NaN: table = np.nan_to_num(table) →
or: np.where(a == 0, 1, a) → a
and: np.where(b == 0, 1, b) → b
or: np.where(a == 0, 1, a) → a
or: np.where(b == 0, 1, b) → b
    There is a NaN. What is the length of a row of zeros, and what happens when you
    divide by it?

zero row counts as equal: np.nan_to_num(table) → np.nan_to_num(table, nan=1.0)
    A row of zeros points nowhere, and the task says which cosine it gets.

zero rows known by their sum: if lengths > 0: → if A[i].sum() and B[j].sum():
or: np.where(a == 0, 1, a) → np.where(A.sum(axis=1, keepdims=True) == 0, np.inf, a)
and: np.where(b == 0, 1, b) → np.where(B.sum(axis=1, keepdims=True) == 0, np.inf, b)
or: where=lengths > 0 → where=np.outer(A.sum(axis=1), B.sum(axis=1)) != 0
    You find the rows of zeros by their sum. What is the sum of (3, −3), and which number
    is 0 for a row of zeros alone?

zero rows known by any entry: if lengths > 0: → if A[i].all() and B[j].all():
    You take a row for one of zeros as soon as one entry is 0. What does (3, 0) have that
    (0, 0) has not?

short rows count as zero: lengths > 0 → lengths > 0.1
or: lengths > 0 → lengths > 0.01
or: lengths > 0 → lengths > 1e-3
    A short row has a direction too, and yours gets 0. Which rows alone have none?

small number added to the lengths: np.outer(a, b) → (np.outer(a, b) + 1e-5)
or: np.outer(a, b) → (np.outer(a, b) + 1e-8)
or: np.where(a == 0, 1, a) → (a + 1e-8)
and: np.where(b == 0, 1, b) → (b + 1e-8)
or: np.outer(a, b) → (np.outer(a, b) + 1e-6)
or: np.outer(a, b) → (np.outer(a, b) + 1e-4)
or: np.outer(a, b) → (np.outer(a, b) + 1e-3)
or: np.where(a == 0, 1, a) → (a + 1e-5)
and: np.where(b == 0, 1, b) → (b + 1e-5)
or: np.where(a == 0, 1, a) → (a + 1e-6)
and: np.where(b == 0, 1, b) → (b + 1e-6)
or: np.where(a == 0, 1, a) → (a + 1e-3)
and: np.where(b == 0, 1, b) → (b + 1e-3)
    You add a small number to the lengths, and short rows feel it. Can you leave every
    length as it is, and treat zero apart?

lengths below 1 taken as 1: np.where(a == 0, 1, a) → np.maximum(a, 1)
and: np.where(b == 0, 1, b) → np.maximum(b, 1)
or: np.outer(a, b) → np.maximum(np.outer(a, b), 1)
and: where=lengths > 0 → where=lengths > -1
    Long rows come out right, and short ones don't. You keep the divisor away from 0: what
    happens on the way to a length of 0.5?

whole numbers only: table = np.zeros((len(A), len(B))) → table = np.zeros_like(A @ B.T)
or: out=np.zeros(products.shape) → out=np.zeros_like(products)
or: table = np.nan_to_num(table) → table = np.nan_to_num(table).astype(np.result_type(A, B))
    Where A and B hold whole numbers, you write decimals into an array of whole numbers,
    which has no room for them. Which array is that?

rounded: return table → return table.round(2)
or: return table → return table.round(3)
or: return table → return table.round(4)
    Your cosines are right and then cut short. Whoever calculates on with them needs
    every digit: what can be left to the print?

centred rows: (A, B): → (A, B):\\n    A, B = A - A.mean(axis=1, keepdims=True), B - B.mean(axis=1, keepdims=True)
    You subtracted the mean of each row. That makes a correlation: does a cosine move
    the vectors before it compares them?

sign dropped: return table → return np.abs(table)
    No entry of yours is negative. What should two opposite rows give?

cosine distance: return table → return 1 - table
    Equal rows give 0 in yours: you measure distance. What should equal rows give?

angles: return table → return np.arccos(table.clip(-1, 1))
or: return table → return np.degrees(np.arccos(table.clip(-1, 1)))
or: return table → return np.arccos(table)
    Those are angles. The task stops one step earlier.

distances: return table → return np.linalg.norm(A[:, None] - B[None], axis=2)
    Equal rows give 0 in yours: you measured how far the tips are apart. Which product
    of two rows speaks of their direction?

cosines squared: return table → return table**2
    All your entries are too close to 0, and none is negative: you squared the cosine. What
    is the last step of the task?

lengths added: np.outer(a, b) → (a[:, None] + b)
    You divided by the sum of the two lengths. What would the cosine of a row with itself be?

divided by the number of features: np.outer(a, b) → np.full((len(A), len(B)), A.shape[1])
or: dot / lengths → dot / len(A[i])
    You divided by how many numbers a row has. Make row 0 of A ten times longer: what
    should happen to its cosines?

rows of A alone: unit_a @ unit_b.T → unit_a @ unit_a.T
or: A @ B.T → A @ A.T
    You compare A with itself. Where does B come in?
"""


def pairs(n_a, n_b, d, scale=1.0):
    """Random A and B whose rows differ in length; every axis has its own size."""

    def inputs(rng):
        A = rng.normal(size=(n_a, d)) * rng.uniform(0.5, 5, size=(n_a, 1)) * scale
        B = rng.normal(size=(n_b, d)) * rng.uniform(0.5, 5, size=(n_b, 1))
        return A.round(1), B.round(1)

    return inputs


def whole_numbers(rng):
    """As in the task's example: no entry has decimals, nor has the type."""
    A, B = (rng.integers(1, 30, size=(n, 7)) for n in (5, 11))
    return A * rng.choice([-1, 1], size=A.shape), B * rng.choice([-1, 1], size=B.shape)


def with_zero_rows(rng):
    A = np.stack([np.zeros(3), rng.permutation([1.0, 2, 4])])
    B = rng.integers(1, 5, size=(5, 3)) * np.array([[1.0], [0], [-1], [2], [3]])
    B[3] = rng.permutation([4, 1, 0])  # one entry is 0, its length is not
    B[4] = rng.permutation([5, -2, -3])  # its sum is 0, its length is not
    return A, B


def with_short_rows(rng):
    A = rng.integers(1, 5, size=(2, 3)) * np.array([[1e-4], [1.0]])
    return A, rng.integers(1, 5, size=(3, 3)) * np.array([[1.0], [-1e-3], [1e-2]])


TASK = FunctionTask(
    title="All cosines at once",
    kind="implement",
    answers=("cosine_matrix",),
    arguments=("A", "B"),
    outputs=("table",),
    right=(UNITS, OUTER, LOOPS, PATCHED),
    mistakes=MISTAKES,
    checks=(
        Check(
            "one row against three",
            lambda rng: (
                np.array([[2.0, 1.0]]),
                np.array([[1.0, 3.0], [-4.0, 0.5], [6.0, -5.0]]),
            ),
            fresh=pairs(1, 3, 2),
        ),
        Check("two rows against three, of different lengths", pairs(2, 3, 2)),
        Check("more rows, in more dimensions, of whole numbers", whole_numbers),
        Check("a row of zeros, whose cosines are 0 by agreement", with_zero_rows),
        Check("rows that are very short", with_short_rows),
    ),
    hints=(
        "Start with two rows: their dot product over the product of their lengths. Then "
        "ask which one matrix product gives all dot products at once.",
        "Every row has one length, so A has as many lengths as rows. Print their shape: "
        "along which axis do they stretch when you divide?",
    ),
    section="All pairs at once",
    why="Rows of length 1 make the matrix product itself the table of cosines: one line "
    "instead of two loops, and much faster.",
)
