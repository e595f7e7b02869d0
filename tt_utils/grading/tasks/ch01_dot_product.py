"""Graded tasks of chapter 01: dot product, cosine, and what each one measures."""

import numpy as np

from tt_utils.grading.spec import ANYTHING, Check, FunctionTask, ValueTask, Wrong

# --- 01.1 by hand ------------------------------------------------------------------

BY_HAND = ValueTask(
    id="01.1",
    title="One dot product, one cosine",
    kind="compute by hand",
    points=2,
    outputs=("dot", "cosine"),
    reference=(56, 56 / 65),
    rtol=0.0,
    atol=2e-3,
    wrong=(
        Wrong(
            "element-wise",
            "A dot product is one number: what do you do with the two products?",
            ((36, 20), ANYTHING),
        ),
        Wrong(
            "sums multiplied",
            "You added first and multiplied after. In which order does a dot product "
            "do that?",
            (119, ANYTHING),
        ),
        Wrong(
            "crossed",
            "You multiplied 3 by 5 and 4 by 12. Which number of v stands at the same "
            "place as the 3 of u?",
            (63, ANYTHING),
        ),
        Wrong(
            "cosine without norms",
            "Your cosine equals the dot product. Divide by both lengths: what is the "
            "length of (3, 4)?",
            (ANYTHING, 56),
        ),
        Wrong(
            "length of u only",
            "A cosine never exceeds 1. You divided by the length of u; which length "
            "is missing?",
            (ANYTHING, 56 / 5),
        ),
        Wrong(
            "length of v only",
            "A cosine never exceeds 1. You divided by the length of v; which length "
            "is missing?",
            (ANYTHING, 56 / 13),
        ),
        Wrong(
            "squared norms",
            "Your cosine is nearly 0, yet the vectors point in similar directions. "
            "You divided by squared lengths: which root is missing?",
            (ANYTHING, 56 / 65**2),
        ),
        Wrong(
            "sum of norms",
            "You divided by the sum of the lengths. A cosine must not change when u "
            "gets 10 times longer: does yours?",
            (ANYTHING, 56 / 18),
        ),
        Wrong(
            "sum of entries as length",
            "You used 7 and 17 as lengths. Draw the arrow (3, 4): how long is it?",
            (ANYTHING, 56 / 119),
        ),
        Wrong(
            "angle in radians",
            "That is the angle itself. Which function of the angle is asked for?",
            (ANYTHING, 0.5325),
        ),
        Wrong(
            "angle in degrees",
            "That is the angle in degrees. The task asks for a number between −1 "
            "and 1.",
            (ANYTHING, 30.51),
        ),
        Wrong(
            "distance",
            "Yours would be 0 for two equal vectors, so it measures distance. What "
            "does a cosine give when both point the same way?",
            (ANYTHING, 1 - 56 / 65),
        ),
    ),
    right=((56.0, 0.862), (np.array(56), np.float32(56 / 65)), ([56], 0.8615)),
)

# --- 01.2 cosine matrix ------------------------------------------------------------


def cosine_matrix(A, B):
    table = np.zeros((len(A), len(B)))
    for i, a in enumerate(A):
        for j, b in enumerate(B):
            if a.any() and b.any():
                table[i, j] = np.dot(a, b) / np.sqrt(np.dot(a, a) * np.dot(b, b))
    return table


def _over(table, lengths_a, lengths_b):
    """The table over outer lengths, with 0 where a length is 0."""
    outer = np.outer(lengths_a, lengths_b)
    return np.divide(table, outer, out=np.zeros_like(table), where=outer != 0)


def _norms(A, order=2):
    return np.linalg.norm(A, ord=order, axis=1)


def _by_columns(A):
    lengths = np.linalg.norm(A, axis=0)
    return A / np.where(lengths == 0, 1, lengths)


def _centred(A):
    return A - A.mean(axis=1, keepdims=True)


def _pairs(sizes, scale=1.0):
    """Random A and B whose rows differ in length; every axis has its own size."""
    n_a, n_b, d = sizes

    def inputs(rng):
        A = rng.normal(size=(n_a, d)) * rng.uniform(0.5, 5, size=(n_a, 1)) * scale
        B = rng.normal(size=(n_b, d)) * rng.uniform(0.5, 5, size=(n_b, 1))
        return A.round(1), B.round(1)

    return inputs


def _with_zero_rows(rng):
    A = rng.integers(1, 5, size=(2, 3)).astype(float)
    B = rng.integers(1, 5, size=(4, 3)) * np.array([[1.0], [0], [-1], [2]])
    A[0] = 0
    return A, B


COSINE_MATRIX = FunctionTask(
    id="01.2",
    title="All cosines at once",
    kind="implement",
    points=4,
    function="cosine_matrix",
    arguments=("A", "B"),
    outputs=("table",),
    reference=cosine_matrix,
    checks=(
        Check(
            "one row against one row",
            lambda rng: (np.array([[2.0, 1.0]]), np.array([[1.0, 3.0]])),
        ),
        Check("two rows against three, of different lengths", _pairs((2, 3, 2))),
        Check("more rows, in more dimensions", _pairs((5, 11, 7), scale=10)),
        Check("a row of zeros, whose cosines are 0 by agreement", _with_zero_rows),
    ),
    wrong=(
        Wrong(
            "no norms",
            "Make row 0 of A ten times longer: your result changes. May a cosine?",
            lambda A, B: A @ B.T,
        ),
        Wrong(
            "only A normalised",
            "Lengthen a row of B and your result grows with it. Which lengths did "
            "you divide by?",
            lambda A, B: _over(A @ B.T, _norms(A), np.ones(len(B))),
        ),
        Wrong(
            "only B normalised",
            "Lengthen a row of A and your result grows with it. Which lengths did "
            "you divide by?",
            lambda A, B: _over(A @ B.T, np.ones(len(A)), _norms(B)),
        ),
        Wrong(
            "squared norms",
            "Your cosines shrink when rows get longer. You divided by squared "
            "lengths: is a root missing?",
            lambda A, B: _over(A @ B.T, _norms(A) ** 2, _norms(B) ** 2),
        ),
        Wrong(
            "sum of absolute values as length",
            "Which length did you use? For (3, 4) it should be 5, yours is 7.",
            lambda A, B: _over(A @ B.T, _norms(A, 1), _norms(B, 1)),
        ),
        Wrong(
            "largest entry as length",
            "Which length did you use? For (3, 4) it should be 5, yours is 4.",
            lambda A, B: _over(A @ B.T, _norms(A, np.inf), _norms(B, np.inf)),
        ),
        Wrong(
            "norms along the wrong axis",
            "You divided each column by its length. A word is a row: along which "
            "axis does its length run?",
            lambda A, B: _by_columns(A) @ _by_columns(B).T,
        ),
        Wrong(
            "Frobenius norm",
            "You divided everything by one common number. How many lengths does a "
            "matrix of five rows have?",
            lambda A, B: A @ B.T / (np.linalg.norm(A) * np.linalg.norm(B)),
        ),
        Wrong(
            "transposed",
            "Entry [i, j] compares A[i] with B[j]. In yours, which of the two picks "
            "the row?",
            lambda A, B: cosine_matrix(A, B).T,
        ),
        Wrong(
            "zero row gives NaN",
            "There is a NaN. What is the length of a row of zeros, and what happens "
            "when you divide by it?",
            lambda A, B: A @ B.T / np.outer(_norms(A), _norms(B)),
        ),
        Wrong(
            "centred rows",
            "You subtracted the mean of each row. That makes a correlation: does a "
            "cosine move the vectors before it compares them?",
            lambda A, B: cosine_matrix(_centred(A), _centred(B)),
        ),
        Wrong(
            "sign dropped",
            "No entry of yours is negative. What should two opposite rows give?",
            lambda A, B: np.abs(cosine_matrix(A, B)),
        ),
        Wrong(
            "cosine distance",
            "Equal rows give 0 in yours: you measure distance. What should equal rows "
            "give?",
            lambda A, B: 1 - cosine_matrix(A, B),
        ),
        Wrong(
            "angles",
            "Those are angles. The task stops one step earlier.",
            lambda A, B: np.arccos(cosine_matrix(A, B).clip(-1, 1)),
        ),
    ),
    right=(
        lambda A, B: _over(np.einsum("id,jd->ij", A, B), _norms(A), _norms(B)),
        lambda A, B: (
            (A / np.maximum(_norms(A), 1e-12)[:, None])
            @ (B / np.maximum(_norms(B), 1e-12)[:, None]).T
        ),
        lambda A, B: np.nan_to_num(A @ B.T / np.outer(_norms(A), _norms(B))),
        lambda A, B: [
            [float(a @ b / ((a @ a) ** 0.5 * (b @ b) ** 0.5 or 1)) for b in B]
            for a in A
        ],
    ),
)

# --- 01.3 predict ------------------------------------------------------------------

PREDICT = ValueTask(
    id="01.3",
    title="Nearest by dot, nearest by cosine",
    kind="predict",
    points=2,
    outputs=("by_dot", "by_cosine", "unrelated"),
    reference=("the", "drank", "black"),
    wrong=(
        Wrong(
            "dot twice",
            "You gave the same word for both measures. One vector is much longer "
            "than the others: which measure cares?",
            ("the", "the", ANYTHING),
        ),
        Wrong(
            "cosine twice",
            "You gave the same word for both measures. Which one also rewards a long "
            "vector? Compute the two largest dot products.",
            ("drank", "drank", ANYTHING),
        ),
        Wrong(
            "swapped",
            "You have the two words, the wrong way round. Which measure divides the "
            "length out?",
            ("drank", "the", ANYTHING),
        ),
        Wrong(
            "opposite as nearest",
            "Its cosine is −1, not 1. Which way does that vector point, compared "
            "with milk?",
            (ANYTHING, "dry", ANYTHING),
        ),
        Wrong(
            "size of the dot product",
            "That dot product is negative. Nearest means largest, not farthest from 0.",
            ("dry", ANYTHING, ANYTHING),
        ),
        Wrong(
            "opposite as unrelated",
            "A cosine of −1 says opposite, which is a strong relation. Which value "
            "says that two words have nothing to do with each other?",
            (ANYTHING, ANYTHING, "dry"),
        ),
        Wrong(
            "long as unrelated",
            "That word is far away because its vector is long. Unrelated is about "
            "direction: which vector stands at a right angle to milk?",
            (ANYTHING, ANYTHING, "the"),
        ),
    ),
    right=(("The", " drank ", "BLACK"),),
)

# --- 01.4 find the bug -------------------------------------------------------------


def similarity_table(vectors):
    lengths = np.sqrt((vectors**2).sum(axis=1))
    return vectors @ vectors.T / lengths[:, None] / lengths[None, :]


def _word_vectors(n, d):
    """Rows of clearly different lengths, none of them zero."""

    def inputs(rng):
        vectors = rng.uniform(-1, 1, size=(n, d)) + np.eye(n, d)
        return ((vectors * np.arange(1, n + 1)[:, None]).round(1),)

    return inputs


def _without_keepdims(vectors):
    unit = vectors / _norms(vectors)
    return unit @ unit.T


def _diagonal_painted(vectors):
    unit = vectors / np.linalg.norm(vectors, axis=0)
    table = unit @ unit.T
    np.fill_diagonal(table, 1)
    return table


SIMILARITY_TABLE = FunctionTask(
    id="01.4",
    title="A word that is not like itself",
    kind="find the bug",
    points=2,
    function="similarity_table",
    arguments=("vectors",),
    outputs=("table",),
    reference=similarity_table,
    checks=(
        Check("two words in two dimensions", _word_vectors(2, 2)),
        Check("three words in five dimensions", _word_vectors(3, 5)),
        Check("seven words in three dimensions", _word_vectors(7, 3)),
    ),
    wrong=(
        Wrong(
            "as planted",
            "The diagonal compares each word with itself, and it is not 1. Whose "
            "length did you divide by: a word's or a feature's?",
            lambda V: _by_columns(V) @ _by_columns(V).T,
        ),
        Wrong(
            "keepdims missing",
            "The lengths are right, but they are spread over the columns. What shape "
            "must they have so that row i is divided by length i?",
            _without_keepdims,
        ),
        Wrong(
            "diagonal painted over",
            "Now the diagonal is 1, and the other entries are as wrong as before. "
            "What made the diagonal wrong in the first place?",
            _diagonal_painted,
        ),
        Wrong(
            "normalisation removed",
            "Longer vectors give larger entries: no length is divided out any more.",
            lambda V: V @ V.T,
        ),
        Wrong(
            "one side only",
            "Your table is not symmetric. The similarity of cat and dog should be "
            "that of dog and cat: which of the two is still unscaled?",
            lambda V: V / _norms(V)[:, None] @ V.T,
        ),
        Wrong(
            "squared lengths",
            "The diagonal shrinks for long vectors. You divide by the squared length "
            "of each row; which step turns it into a length?",
            lambda V: (V / _norms(V)[:, None] ** 2) @ (V / _norms(V)[:, None] ** 2).T,
        ),
        Wrong(
            "sum of absolute values",
            "The axis is right now, the length is not: for (3, 4) you divide by 7.",
            lambda V: V / _norms(V, 1)[:, None] @ (V / _norms(V, 1)[:, None]).T,
        ),
        Wrong(
            "one common length",
            "You divided all rows by one number, so a long word still wins. Each row "
            "has a length of its own.",
            lambda V: V @ V.T / np.linalg.norm(V) ** 2,
        ),
        Wrong(
            "divided by the largest entry",
            "The largest entry is 1 now, but the diagonal is not. What does a word's "
            "similarity with itself depend on in your table?",
            lambda V: V @ V.T / (V @ V.T).max(),
        ),
    ),
    right=(
        lambda V: cosine_matrix(V, V),
        lambda V: np.einsum(
            "id,jd->ij", V / _norms(V)[:, None], V / _norms(V)[:, None]
        ),
        lambda V: (V.T / _norms(V)).T @ (V.T / _norms(V)),
    ),
)

TASKS = (BY_HAND, COSINE_MATRIX, PREDICT, SIMILARITY_TABLE)
