"""08.3 An average of the past that leaves pads out."""

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

PRODUCT = """
def past_average(x, real):
    t = x.shape[-2]
    may = np.tril(np.ones((t, t))) * real[..., None, :]
    sums = may.sum(axis=-1, keepdims=True)
    weights = may / np.where(sums == 0, 1, sums)
    return weights @ x, weights
"""

BY_SOFTMAX = """
def past_average(x, real):
    t = x.shape[-2]
    may = np.tri(t, dtype=bool) & np.expand_dims(real, -2)
    scores = np.where(may, 0.0, -np.inf)
    powers = np.exp(scores)
    total = powers.sum(axis=-1, keepdims=True)
    weights = np.divide(powers, total, out=np.zeros_like(powers), where=total > 0)
    return weights @ x, weights
"""

LOOPS = """
def past_average(x, real):
    if x.ndim == 3:
        pairs = [past_average(a, b) for a, b in zip(x, real)]
        return np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs])
    t, d = x.shape
    out, weights = np.zeros((t, d)), np.zeros((t, t))
    for i in range(t):
        seen = [j for j in range(i + 1) if real[j]]
        for j in seen:
            weights[i, j] = 1 / len(seen)
            out[i] += x[j] / len(seen)
    return out, weights
"""

RUNNING_SUMS = """
def past_average(x, real):
    t = x.shape[-2]
    counts = np.cumsum(real, axis=-1)[..., None]
    shares = np.where(counts == 0, 0.0, 1.0 / np.maximum(counts, 1))
    out = np.cumsum(x * real[..., None], axis=-2) * shares
    places = np.arange(t)
    weights = shares * real[..., None, :] * (places[:, None] >= places)
    return out, weights
"""

MISTAKES = """
pads counted: np.tril(np.ones((t, t))) * real[..., None, :] → np.tril(np.ones((t, t))) * np.ones_like(real)[..., None, :]
or: if real[j]] → ]
or: np.expand_dims(real, -2) → np.expand_dims(real | True, -2)
    Your averages hold the pads. Which columns of your triangle belong to no word?

future open: np.tril(np.ones((t, t))) → np.ones((t, t))
or: np.tri(t, dtype=bool) → np.ones((t, t), dtype=bool)
or: for j in range(i + 1) → for j in range(t)
    Each of your rows is the average of the whole sentence. Which words stand after the
    row's own?

past hidden: np.tril( → np.triu(
or: np.tri(t, dtype=bool) → np.tri(t, dtype=bool).T
or: for j in range(i + 1) → for j in range(i, t)
    Your rows average what comes later. On which side of the diagonal lies the past?

own word left out: np.tril(np.ones((t, t))) → np.tril(np.ones((t, t)), k=-1)
or: np.tri(t, dtype=bool) → np.tri(t, k=-1, dtype=bool)
or: for j in range(i + 1) → for j in range(i)
    Your row i ends before word i. May a word attend to itself?

one word too many: np.tril(np.ones((t, t))) → np.tril(np.ones((t, t)), k=1)
or: np.tri(t, dtype=bool) → np.tri(t, k=1, dtype=bool)
or: for j in range(i + 1) → for j in range(min(i + 2, t))
    Your row i holds word i + 1, the answer that has to be guessed. Where does the
    triangle end?

divided by the position: np.where(sums == 0, 1, sums) → np.arange(1, t + 1)[:, None]
or: len(seen) → (i + 1)
or: counts = np.cumsum(real, axis=-1)[..., None] → counts = np.arange(1, t + 1)[:, None]
    Where pads stand, your weights add up to less than 1. By how many words do you
    divide, and how many do you add up?

divided by the words of the sentence: np.where(sums == 0, 1, sums) → np.maximum(real.sum(axis=-1)[..., None, None], 1)
or: len(seen) → real.sum()
or: np.cumsum(real, axis=-1)[..., None] → real.sum(axis=-1)[..., None, None]
    You divide each row by the number of all words in the sentence. How many of them has
    row i added up?

not divided: may / np.where(sums == 0, 1, sums) → may
or: 1 / len(seen) → 1.0
and: x[j] / len(seen) → x[j]
or: 1.0 / np.maximum(counts, 1) → 1.0
    Your rows are sums. What makes an average of a sum?

empty row not a number: np.where(sums == 0, 1, sums) → sums
or: np.divide(powers, total, out=np.zeros_like(powers), where=total > 0) → powers / total
    A row that may see nothing is 0/0 in your table. What does this task ask for there?

equal shares where nothing may be seen: weights = may / np.where(sums == 0, 1, sums) → weights = np.where(sums == 0, 1 / t, may / np.where(sums == 0, 1, sums))
or: scores = np.where(may, 0.0, -np.inf) → scores = np.where(may, 0.0, -1e9)\\n    scores = scores - scores.max(axis=-1, keepdims=True)
    A row that may see nothing spreads its weight over words that it must not see. Which
    step after the division could prevent that?

own word where nothing may be seen: weights = may / np.where(sums == 0, 1, sums) → weights = np.where(sums == 0, np.eye(t), may / np.where(sums == 0, 1, sums))
or: may = np.tri(t, dtype=bool) & np.expand_dims(real, -2) → may = np.tri(t, dtype=bool) & np.expand_dims(real, -2)\\n    may = np.where(may.any(axis=-1, keepdims=True), may, np.eye(t, dtype=bool))
    Where a row may see nothing, you let it see its own pad. What does this task ask for
    there?

every row sees itself: np.tri(t, dtype=bool) & np.expand_dims(real, -2) → np.tri(t, dtype=bool) & np.expand_dims(real, -2) | np.eye(t, dtype=bool)
or: if real[j]] → if real[j] or j == i]
    Each of your pads counts itself. It is the query of its row: is it also among the
    keys that get weight?

mask along the rows: real[..., None, :] → real[..., :, None]
or: np.expand_dims(real, -2) → np.expand_dims(real, -1)
or: if real[j]] → if real[i]]
    You closed the rows of the pads and left their columns open. Which of the two must
    get no weight?

rows of pads closed: np.tril(np.ones((t, t))) * real[..., None, :] → np.tril(np.ones((t, t))) * real[..., None, :] * real[..., :, None]
or: np.expand_dims(real, -2) → np.expand_dims(real, -2) & np.expand_dims(real, -1)
or: if real[j]] → if real[j] and real[i]]
or: return weights @ x, weights → return weights @ x * real[..., None], weights
or: return out, weights → return out * real[..., None], weights
    Your columns are right, but a pad gets no average. No query attends to a pad: may a
    pad be a query?

mask lacks an axis: real[..., None, :] → real
or: np.expand_dims(real, -2) → real
    A table (batch, t) is lined up from the right, and its sentences are taken for rows
    of the triangle. Where does it lack an axis?

True for pads: real[..., None, :] → ~real[..., None, :]
or: np.expand_dims(real, -2) → ~np.expand_dims(real, -2)
or: if real[j]] → if not real[j]]
    You average the pads and leave the words out. What does True say in `real`?

one mask is enough: np.tri(t, dtype=bool) & → np.tri(t, dtype=bool) |
or: np.tril(np.ones((t, t))) * real[..., None, :] → np.maximum(np.tril(np.ones((t, t))), real[..., None, :])
or: seen = [j for j in range(i + 1) if real[j]] → seen = [j for j in range(t) if j <= i or real[j]]
    A word counts in your table if it is real or in the past. Which of the two must hold?

score 0 for what is hidden: np.where(may, 0.0, -np.inf) → np.where(may, 0.0, 0.0)
or: weights = may / np.where(sums == 0, 1, sums) → weights = np.exp(may * 0) / t
    All your weights are the same. What is e to the power of 0, and which score has a
    power of 0?

the mask as scores: np.where(may, 0.0, -np.inf) → np.where(may, 1.0, 0.0)
or: np.where(may, 0.0, -np.inf) → may
    What is hidden gets weight in your table. What is e to the power of 0?

columns divided: may.sum(axis=-1, keepdims=True) → may.sum(axis=-2, keepdims=True)
or: powers.sum(axis=-1, keepdims=True) → powers.sum(axis=-2, keepdims=True)
    Your columns add up to 1. Each query has a weight of 1 to spread: along which axis
    lie the keys?

sums lose their axis: may.sum(axis=-1, keepdims=True) → may.sum(axis=-1)
or: powers.sum(axis=-1, keepdims=True) → powers.sum(axis=-1)
    The sums of your rows lie along the columns when you divide. What keeps an axis
    where it was?

columns added up along a fixed axis: may.sum(axis=-1, keepdims=True) → may.sum(axis=1, keepdims=True)
or: powers.sum(axis=-1, keepdims=True) → powers.sum(axis=1, keepdims=True)
    Right for one sentence, wrong for a batch: axis 1 is another axis then. From which
    end should it be counted?

results swapped: return weights @ x, weights → return weights, weights @ x
or: return out, weights → return weights, out
    You returned the right two arrays. In which order are they asked for?

table turned around: return weights @ x, weights → return weights @ x, np.swapaxes(weights, -1, -2)
    Your averages are right, and your table is lying on its side. Whose word is a row?

blended with the mask: return weights @ x, weights → return may @ x, weights
    Your weights are right, but you added up whole words. With which table is `x`
    multiplied?

divided by the length of the sentence: np.where(sums == 0, 1, sums) → t
or: len(seen) → t
or: counts = np.cumsum(real, axis=-1)[..., None] → counts = np.array([t])
    You divide every row by the same number, the length of the sentence. How many words
    has row i added up?
"""


def case(*patterns, d=3, alone=False):
    """Sentences of words (1) and pads (0), with some numbers for each."""

    def inputs(rng):
        real = np.array([[mark == "1" for mark in pattern] for pattern in patterns])
        x = rng.normal(scale=3, size=(*real.shape, d)).round(1)
        return (x[0], real[0]) if alone else (x, real)

    return inputs


def example(rng):
    return np.array([[6.0], [2.0], [4.0], [8.0]]), np.ones(4, dtype=bool)


def other_numbers(rng):
    t = int(rng.integers(3, 8))
    return rng.permutation(20)[:t, None] / 2, np.ones(t, dtype=bool)


TASK = FunctionTask(
    title="An average of the past, without the pads",
    kind="implement",
    answers=("past_average",),
    arguments=("x", "real"),
    outputs=("out", "weights"),
    right=(PRODUCT, BY_SOFTMAX, LOOPS, RUNNING_SUMS),
    mistakes=MISTAKES,
    checks=(
        Check("the four numbers of the chapter", example, fresh=other_numbers),
        Check("five words, no pad", case("11111", alone=True)),
        Check("three words and two pads", case("11100", d=2, alone=True)),
        Check("a pad between words", case("1101101", d=2, alone=True)),
        Check("two pads on the left", case("00111", d=7, alone=True)),
        Check("a batch of 3, pads on the right", case("1111111", "1111000", "1100000")),
        Check("a batch of 2, pads on either side", case("01110", "10011", d=7)),
        Check(
            "as many sentences as words",
            case("11111", "11110", "01111", "11000", "11101", d=2),
        ),
        Check("a sentence of nothing but pads", case("11110", "00000", d=7)),
    ),
    hints=(
        "Begin with the triangle of 1s. Which of its columns become 0, and by what must "
        "each row be divided then?",
        "Write `real` for one sentence, (t,), and for a batch, (batch, t). Its entries "
        "say which keys get weight: with which axis of a table (batch, t, t) must they "
        "line up?",
    ),
    section="An average of the past",
    why="A row of weights adds up to 1 if it is divided by what it added up. Where that "
    "is nothing, zeros are better than 0/0, which would spread.",
)
