"""06.4 Who asks whom: two matrices without training."""

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

QUERIES = """
def build(asks):
    n = len(asks)
    W_q = asks * 50.0 * n**0.5
    W_k = np.eye(n)
    return W_q, W_k
"""

KEYS = """
def build(asks):
    n = asks.shape[0]
    large = 100 * math.sqrt(n)
    return large * np.identity(n), asks.T.astype(float)
"""

PUSHED_AWAY = """
def build(asks):
    n = len(asks)
    W_q = np.where(asks == 1, 0.0, -40.0)
    W_k = np.eye(n) * np.sqrt(n)
    return W_q, W_k
"""

ONE_COLUMN_PER_QUESTION = """
def build(asks):
    pairs = [(i, j) for i in range(len(asks)) for j in range(len(asks)) if asks[i, j]]
    W_q = np.zeros((len(asks), max(1, len(pairs))))
    W_k = np.zeros_like(W_q)
    size = 6 * len(pairs) ** 0.25
    for column, (i, j) in enumerate(pairs):
        W_q[i, column] = size
        W_k[j, column] = size
    return W_q, W_k
"""

SVD = """
def build(asks):
    U, S, V = np.linalg.svd(asks.astype(float))
    return U * S * 1000, V.T
"""

MISTAKES = """
the other way round: return W_q, W_k → return W_k, W_q
or: large * np.identity(n), asks.T.astype(float) → large * np.identity(n), asks.astype(float)
or: W_q[i, column] = size\\n        W_k[j, column] = size → W_q[j, column] = size\\n        W_k[i, column] = size
    You have it the other way round: who is asked asks. In $W_q W_k^\\top$ rows are those
    who ask. Which of your two matrices belongs to them?

both ways: W_q = asks * → W_q = np.maximum(asks, asks.T) *
or: asks.T.astype(float) → (asks + asks.T > 0).astype(float)
    Each question goes both ways in yours: who is asked asks back. Which of the two
    directions stands in `asks`?

one matrix for both: W_k = np.eye(n) → W_k = asks * 1.0
or: large * np.identity(n), asks.T.astype(float) → large * asks, asks.astype(float)
    You gave queries and keys the same matrix, so kinds find each other that ask for the
    same. What may the product of a matrix with its own transpose never be?

everybody asks for their own kind: W_q = asks * → W_q = np.eye(n) *
or: large * np.identity(n), asks.T.astype(float) → large * np.identity(n), np.identity(n)
    Every word looks at its own kind, whatever `asks` says. Where does `asks` enter?

looks away: asks * 50.0 → asks * -50.0
or: large = 100 → large = -100
or: asks == 1, 0.0, -40.0 → asks == 1, -40.0, 0.0
    Your words look at everybody but those they ask for. Which sign makes a score large?

size 1: asks * 50.0 * n**0.5 → asks * 1.0
or: large = 100 * math.sqrt(n) → large = 1
or: asks * 50.0 * n**0.5 → asks * 1.0 * n**0.5
or: asks * 50.0 * n**0.5 → asks * 2.0 * n**0.5
or: asks * 50.0 * n**0.5 → asks * 3.0 * n**0.5
or: asks * 50.0 * n**0.5 → asks * 4.0 * n**0.5
or: asks * 50.0 * n**0.5 → asks * 5.0 * n**0.5
    Your words ask for the right ones, and softly: too much weight stays with the others.
    How far must one score lie above the rest?

too small for many kinds: asks * 50.0 * n**0.5 → asks * 4.0
or: asks * 50.0 * n**0.5 → asks * 3.0
or: asks * 50.0 * n**0.5 → asks * 5.0
or: asks * 50.0 * n**0.5 → asks * 8.0
or: asks * 50.0 * n**0.5 → asks * 10.0
or: asks * 50.0 * n**0.5 → asks * 15.0
or: asks * 50.0 * n**0.5 → asks * 20.0
or: asks * 50.0 * n**0.5 → asks * 25.0
or: asks * 50.0 * n**0.5 → asks * 30.0
or: asks * 50.0 * n**0.5 → asks * 40.0
or: asks * 50.0 * n**0.5 → asks * 50.0
or: large = 100 * math.sqrt(n) → large = 10
    Few kinds are fine, many are not: your weights get softer with the width of a query.
    By what is a score divided, and how do you make up for it?

divided once more: asks * 50.0 * n**0.5 → asks * 30.0 / n**0.5
or: 100 * math.sqrt(n) → 30 / math.sqrt(n)
    You divide by the root of the width, and attention does so as well. In which direction
    do you have to work against it?

infinitely large: asks * 50.0 → asks * np.inf
or: large = 100 → large = np.inf
or: asks == 1, 0.0, -40.0 → asks == 1, 0.0, -np.inf
or: np.where(asks == 1, 0.0, -40.0) → np.log(asks)
    Infinity times 0 is not a number, and 0 is all over your matrices. Which large number
    is large enough?

only one of two: W_q = asks * → W_q = np.eye(n)[asks.argmax(1)] * asks.max(1, keepdims=True) *
    A kind may ask for two kinds, and yours looks at one of them. Which numbers of a row
    of `asks` do you use?

unequal questions: W_q = asks * → W_q = asks * np.arange(1, n + 1) *
    Where a kind asks for two, yours looks at one alone. How do the two scores have to lie
    to each other?

own kind too: W_q = asks * → W_q = np.maximum(asks, np.eye(n)) *
or: W_q = asks * → W_q = np.where(asks.any(1, keepdims=True), asks, np.eye(n)) *
    Your words look at their own kind without being told to. What should a kind do that
    asks for nothing?

divided by nothing: W_q = asks * → W_q = np.where(asks.any(1, keepdims=True), asks, np.nan) *
    A kind may ask for nothing, and then something in yours is not a number. By what do
    you divide?

keys lying on their side: W_q[i, column] = size → W_q[i, column] = size
and: return W_q, W_k → return W_q, W_k.T
    One row for each kind, one column for each number of a query: that is the shape of
    both matrices. Which of yours lies on its side?

product instead of the pair: return W_q, W_k → return W_q @ W_k.T
    You returned one thing where two are asked for. If it is their product: into which
    two matrices can it be taken apart?

questions in both matrices: W_k = np.eye(n) → W_k = asks.T
or: large * np.identity(n), asks.T.astype(float) → large * asks, asks.T.astype(float)
    The questions stand in both of your matrices, so their product asks twice: for what
    is asked for by what is asked for. How often may they come in?
"""


class NotAsAsked(TypeError):
    """The learner did not return two matrices that fit together; says why."""


def who_looks_where(answers, asks, kinds):
    """The weights of a sentence under the learner's two matrices."""
    returned = answers[0](asks)
    if returned is None or returned is ...:
        return returned
    if not isinstance(returned, tuple | list) or len(returned) != 2:
        several = isinstance(returned, tuple | list)
        got = f"{len(returned)} things" if several else "one thing"
        raise NotAsAsked(f"expected the pair (W_q, W_k), got {got}")
    if any(matrix is None or matrix is ... for matrix in returned):
        return returned[0] if returned[0] is None or returned[0] is ... else returned[1]
    W_q, W_k = (np.asarray(matrix, float) for matrix in returned)
    for name, matrix in (("W_q", W_q), ("W_k", W_k)):
        if matrix.ndim != 2 or len(matrix) != len(asks):
            raise NotAsAsked(
                f"{name} has the shape {matrix.shape}, expected ({len(asks)}, d_k)"
            )
        if not np.isfinite(matrix).all():
            raise ValueError(f"{name} holds infinity, or something that is no number")
    if W_q.shape != W_k.shape:
        raise NotAsAsked(f"W_q has the shape {W_q.shape}, W_k has {W_k.shape}")
    x = np.eye(len(asks))[kinds]
    scores = (x @ W_q) @ (x @ W_k).T / W_q.shape[1] ** 0.5
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def sentence(n, pairs, kinds):
    """A table of n kinds with these pairs (asks, is asked), and the words' kinds."""
    asks = np.zeros((n, n))
    for i, j in pairs:
        asks[i, j] = 1
    return lambda rng: (asks, np.array(kinds))


def asked_anew(title, n, pairs, kinds):
    """A check with this sentence; with every other seed other kinds ask the same.

    They are among more kinds, and some of the words come more than once.
    """

    def fresh(rng):
        size = int(rng.integers(6, 10))
        order = rng.permutation(size)
        asks = np.zeros((size, size))
        for i, j in pairs:
            asks[order[i], order[j]] = 1
        if pairs:
            asks[order[n:], order[0]] = 1  # none of these is in the sentence
        again = rng.integers(0, n, rng.integers(3, 7))
        return asks, order[rng.permutation([*range(n), *again])]

    return Check(title, sentence(n, pairs, kinds), who_looks_where, fresh=fresh)


def many(n, t):
    """A ring in a random order: each kind asks for one, and is asked by one."""

    def inputs(rng):
        order = rng.permutation(n)
        asks = np.zeros((n, n))
        asks[order, np.roll(order, -1)] = 1
        start = rng.integers(n)
        return asks, rng.permutation(np.roll(order, -start)[:t])

    return inputs


TASK = FunctionTask(
    title="Who asks whom, without training",
    kind="implement",
    answers=("build",),
    arguments=("asks", "kinds"),
    outputs=("weights",),
    rtol=0.0,
    atol=0.01,
    right=(QUERIES, KEYS, PUSHED_AWAY, ONE_COLUMN_PER_QUESTION, SVD),
    mistakes=MISTAKES,
    checks=(
        asked_anew(
            "things ask for actions, actions for things", 2, [(0, 1), (1, 0)], [0, 1]
        ),
        asked_anew(
            "the four questions of the chapter",
            4,
            [(0, 3), (1, 0), (2, 1), (3, 2)],
            [3, 2, 1, 0],
        ),
        asked_anew(
            "one asks, and is not asked back",
            3,
            [(0, 1), (1, 1), (2, 1)],
            [2, 0, 1],
        ),
        asked_anew(
            "two words of the kind that is asked for",
            3,
            [(0, 2), (2, 1), (1, 0)],
            [2, 0, 1, 2],
        ),
        asked_anew(
            "a kind that asks for two kinds",
            5,
            [(0, 1), (0, 3), (1, 2), (2, 4), (3, 4), (4, 0)],
            range(5),
        ),
        asked_anew(
            "a kind that asks for nothing",
            5,
            [(0, 1), (2, 0), (3, 4), (4, 4)],
            [4, 1, 0, 2, 3],
        ),
        asked_anew("nobody asks for anything", 3, [], [0, 1, 2, 1]),
        Check("61 kinds, 20 words", many(61, 20), who_looks_where),
    ),
    hints=(
        "Vectors are rows of the identity, so row i of W_q is the query of kind i, and "
        "row j of W_k the key of kind j. Which table do all their dot products make?",
        "Softmax makes 0.99 out of a score that lies far above the rest. By what is it "
        "divided before, and how does that grow with the number of kinds?",
    ),
    section="Who attends to whom",
    why="Scores are X W_q W_kᵀ Xᵀ, so any table of questions can stand between, symmetric "
    "or not: that is what two different matrices are for.",
)
