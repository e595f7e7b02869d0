"""05.4 A softmax that survives large scores, and rows that are empty."""

import numpy as np

from tt_utils.grading.tasks.inputs import fixed, normal
from tt_utils.grading.tasks.spec import Check, FunctionTask

SHIFTED = """
def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    top = np.where(np.isneginf(top), 0.0, top)
    powers = np.exp(x - top)
    total = powers.sum(axis=axis, keepdims=True)
    return powers / np.where(total == 0, 1.0, total)
"""

PATCHED = """
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return np.nan_to_num(e / e.sum(axis=axis, keepdims=True))
"""

WHERE = """
def softmax(x, axis=-1):
    m = np.max(x, axis=axis, keepdims=True)
    e = np.where(np.isfinite(m), np.exp(x - m), 0)
    s = np.sum(e, axis=axis, keepdims=True)
    return np.divide(e, s, out=np.zeros(x.shape), where=s > 0)
"""

LOOPS = """
def softmax(x, axis=-1):
    def one(row):
        if np.isneginf(row).all():
            return np.zeros(len(row))
        powers = [math.exp(score - max(row)) for score in row]
        return np.array(powers) / sum(powers)

    return np.apply_along_axis(one, axis, x.astype(float))
"""

TORCH = """
def softmax(x, axis=-1):
    import torch

    return torch.softmax(torch.from_numpy(x).double(), dim=axis).nan_to_num(0)
"""

MISTAKES = """
no shift: powers = np.exp(x - top) → powers = np.exp(x)
or: e = np.exp(x - np.max(x, axis=axis, keepdims=True)) → e = np.exp(x)
and: np.nan_to_num(e / e.sum(axis=axis, keepdims=True)) → e / e.sum(axis=axis, keepdims=True)
or: e = np.where(np.isfinite(m), np.exp(x - m), 0) → e = np.exp(x)
    Large scores give NaN: exp(1000) is more than a float can hold. What can you
    subtract from a row without changing its softmax?

one shift for all rows: top = x.max(axis=axis, keepdims=True) → top = x.max()
or: np.max(x, axis=axis, keepdims=True) → np.max(x)
    You subtract one number from all rows. A row that lies far below it becomes 0/0.
    Whose largest score should each row lose?

shift along the last axis: top = x.max(axis=axis, keepdims=True) → top = x.max(axis=-1, keepdims=True)
or: np.max(x, axis=axis, keepdims=True) → np.max(x, axis=-1, keepdims=True)
    You sum along `axis` and take the largest score along another. Which scores share
    one division?

mean subtracted: top = x.max(axis=axis, keepdims=True) → top = x.mean(axis=axis, keepdims=True)
or: np.max(x, axis=axis, keepdims=True) → np.mean(x, axis=axis, keepdims=True)
or: top = x.max(axis=axis, keepdims=True) → fine = np.isfinite(x); top = np.where(fine, x, 0).sum(axis=axis, keepdims=True) / np.maximum(fine.sum(axis=axis, keepdims=True), 1)
    You subtract the mean. The largest score may still lie far above it: after which
    shift is no score above 0?

minimum subtracted: top = x.max(axis=axis, keepdims=True) → top = x.min(axis=axis, keepdims=True)
or: np.max(x, axis=axis, keepdims=True) → np.min(x, axis=axis, keepdims=True)
or: top = x.max(axis=axis, keepdims=True) → top = np.where(np.isinf(x), np.inf, x).min(axis=axis, keepdims=True); top = np.where(np.isinf(top), 0, top)
    You subtract the smallest score, so the others end up above 0. At which end of a
    row does exp overflow?

first score subtracted: top = x.max(axis=axis, keepdims=True) → top = np.take(x, [0], axis=axis)
or: np.max(x, axis=axis, keepdims=True) → np.take(x, [0], axis=axis)
    You subtract the first score of a row. The largest may stand far above it: after
    which shift is no score above 0?

divided instead of shifted: powers = np.exp(x - top) → powers = np.exp(x / np.where(top == 0, 1, np.abs(top)))
or: np.exp(x - np.max(x, axis=axis, keepdims=True)) → np.exp(x / np.max(np.abs(x), axis=axis, keepdims=True))
    You divide the scores by a large one, which makes them all alike. What keeps the
    distances between them?

scores clipped: powers = np.exp(x - top) → powers = np.where(np.isneginf(x), 0, np.exp(np.clip(x, -500, 500)))
or: powers = np.exp(x - top) → powers = np.where(np.isneginf(x), 0, np.exp(np.clip(x, -700, 700)))
or: powers = np.exp(x - top) → powers = np.exp(np.clip(x, -500, 500))
or: powers = np.exp(x - top) → powers = np.exp(np.clip(x, -700, 700))
or: powers = np.exp(x - top) → powers = np.exp(np.minimum(x, 700))
or: powers = np.exp(x - top) → powers = np.exp(np.minimum(x, 500))
    Scores beyond a limit all get the same weight. 1000 and 1001 are not equal: can you
    shift instead of cutting off?

NaN replaced: e = np.exp(x - np.max(x, axis=axis, keepdims=True)) → e = np.exp(x)
    The largest score gets no weight: a sum became infinite, or a NaN was replaced by
    a number. Which exp was too large to hold?

always the last axis: axis=axis → axis=-1
or: one, axis, → one, -1,
or: dim=axis → dim=-1
    The argument `axis` has no effect: your numbers sum to 1 along the last axis.

always the first axis: axis=axis → axis=0
or: one, axis, → one, 0,
or: dim=axis → dim=0
    Your numbers sum to 1 along axis 0, whatever `axis` says. Does each row sum to 1?

always axis 1: axis=axis → axis=1
or: one, axis, → one, 1,
or: dim=axis → dim=1
    You go along axis 1, whatever `axis` says, and a single row has no axis 1. Which
    argument should reach each of your lines?

keepdims missing: powers.sum(axis=axis, keepdims=True) → powers.sum(axis=axis)
and: x.max(axis=axis, keepdims=True) → x.max(axis=axis)
or: powers.sum(axis=axis, keepdims=True) → powers.sum(axis=axis)
or: x.max(axis=axis, keepdims=True) → x.max(axis=axis)
or: e.sum(axis=axis, keepdims=True) → e.sum(axis=axis)
and: np.max(x, axis=axis, keepdims=True) → np.max(x, axis=axis)
or: e.sum(axis=axis, keepdims=True) → e.sum(axis=axis)
or: np.max(x, axis=axis, keepdims=True) → np.max(x, axis=axis)
    A sum along an axis loses that axis, and what is left lines up with the wrong one.
    Which shape must it have so that row i is divided by sum i?

sum over everything: total = powers.sum(axis=axis, keepdims=True) → total = powers.sum()
or: total = powers.sum(axis=axis, keepdims=True) → total = powers.sum()
and: top = x.max(axis=axis, keepdims=True) → top = x.max()
or: e.sum(axis=axis, keepdims=True) → e.sum()
or: e.sum(axis=axis, keepdims=True) → e.sum()
and: np.max(x, axis=axis, keepdims=True) → np.max(x)
    All your numbers together sum to 1. Each row has a weight of 1 of its own: along
    what do you add up?

no exp: powers = np.exp(x - top) → powers = x
or: powers = np.exp(x - top) → powers = np.where(np.isfinite(x), x, 0)
or: e = np.exp(x - np.max(x, axis=axis, keepdims=True)) → e = x
and: np.nan_to_num(e / e.sum(axis=axis, keepdims=True)) → e / e.sum(axis=axis, keepdims=True)
or: e = np.exp(x - np.max(x, axis=axis, keepdims=True)) → e = x
    You divided the scores by their sum, and scores may be negative. What makes them
    positive first?

no division: return powers / np.where(total == 0, 1.0, total) → return powers
or: return np.nan_to_num(e / e.sum(axis=axis, keepdims=True)) → return np.exp(x)
or: return np.nan_to_num(e / e.sum(axis=axis, keepdims=True)) → return e
or: return np.nan_to_num(e / e.sum(axis=axis, keepdims=True)) → return np.nan_to_num(e)
    Your numbers do not sum to 1. Which step turns positive numbers into shares?

logarithm of softmax: return powers / np.where(total == 0, 1.0, total) → return np.log(powers / np.where(total == 0, 1.0, total))
or: return powers / np.where(total == 0, 1.0, total) → return x - top - np.log(total)
or: return np.nan_to_num(e / e.sum(axis=axis, keepdims=True)) → return np.log(e / e.sum(axis=axis, keepdims=True))
    Your numbers are negative: these are the logarithms of the weights.

powers of two: np.exp(x - top) → 2.0 ** (x - top)
or: np.exp(x - np.max(x, axis=axis, keepdims=True)) → np.exp2(x - np.max(x, axis=axis, keepdims=True))
    Your weights are too flat. Powers of which number does softmax use?

powers of ten: np.exp(x - top) → 10.0 ** (x - top)
or: np.exp(x - np.max(x, axis=axis, keepdims=True)) → 10.0 ** (x - np.max(x, axis=axis, keepdims=True))
    Your weights are too sharp. Powers of which number does softmax use?

hard maximum: powers = np.exp(x - top) → powers = ((x == top) & np.isfinite(x)).astype(float)
or: powers = np.exp(x - top) → powers = (x == x.max(axis=axis, keepdims=True)).astype(float)
or: return powers / np.where(total == 0, 1.0, total) → return (x == x.max(axis=axis, keepdims=True)).astype(float)
or: powers = np.exp(x - top) → powers = np.zeros(x.shape); np.put_along_axis(powers, np.expand_dims(x.argmax(axis), axis), 1, axis)
    The largest score takes all. The soft maximum leaves something for the others.

result of whole numbers: return powers / np.where(total == 0, 1.0, total) → out = np.empty_like(x); out[...] = powers / np.where(total == 0, 1.0, total); return out
    Whole scores give weights of 0 and 1: your array took over the type of `x`, which
    holds whole numbers, and cut the decimals off. Where is it made?

row of −inf gives NaN: np.where(np.isneginf(top), 0.0, top) → top
and: np.where(total == 0, 1.0, total) → total
or: np.where(total == 0, 1.0, total) → total
or: np.nan_to_num(e / e.sum(axis=axis, keepdims=True)) → e / e.sum(axis=axis, keepdims=True)
or: np.where(np.isneginf(top), 0.0, top) → top
    A row of nothing but −inf gives NaN. What can be subtracted from such a row, and
    what can its sum be divided by?

rows of −inf found along the last axis only: np.where(total == 0, 1.0, total) → np.where(np.isneginf(x).all(axis=-1, keepdims=True), 1.0, total)
or: return np.nan_to_num(e / e.sum(axis=axis, keepdims=True)) → w = e / e.sum(axis=axis, keepdims=True); w[np.isneginf(x).all(axis=-1)] = 0; return w
    You look for empty rows along the last axis, and the shares go along `axis`. Which
    of the two decides what an empty row is?

row of −inf spreads evenly: top = np.where(np.isneginf(top), 0.0, top) → x = np.where(np.isneginf(x), -1e9, x); top = x.max(axis=axis, keepdims=True)
or: e = np.exp(x - np.max(x, axis=axis, keepdims=True)) → x = np.maximum(x, -1e30); e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    A row of nothing but −inf gets equal weights. Nothing may be chosen there: what
    should its weights be?

every −inf gets a share: powers = np.exp(x - top) → powers = np.exp(np.nan_to_num(x, neginf=0.0) - top)
or: e = np.exp(x - np.max(x, axis=axis, keepdims=True)) → x = np.nan_to_num(x, neginf=0.0); e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    A score of −inf gets weight in yours. Which number did you put in its place, and
    what is exp of it?

a number for −inf: powers = np.exp(x - top) → powers = np.exp(np.where(np.isneginf(x), -1000.0, x) - top)
or: np.exp(x - m) → np.exp(np.nan_to_num(x, neginf=-1000.0) - m)
or: math.exp(score - max(row)) for score in row → math.exp(max(score, -999) - max(max(row), -999)) for score in row
    You put a number in the place of −∞. Where all scores of a row are as low as that, it
    gets weight: which number is below every score?

largest size subtracted: np.max(x, axis=axis, keepdims=True) → np.max(np.abs(x), axis=axis, keepdims=True)
    You subtract the largest size without its sign, so negative scores move further down.
    Which score of a row should stand at 0 after the shift?

largest score added: np.exp(x - top) → np.exp(x + top)
or: np.exp(x - m) → np.exp(x + m)
    You add the largest score to all of a row, and large scores get larger still. In
    which direction does the shift have to go?

one −∞ empties its row: return np.nan_to_num(e / e.sum(axis=axis, keepdims=True)) → return np.where(np.isneginf(x).any(axis=axis, keepdims=True), 0, np.nan_to_num(e / e.sum(axis=axis, keepdims=True)))
    A single −∞ makes other weights 0 as well. What becomes of a row that still holds
    other scores?
"""

INF = np.inf


def distinct(rng, count, top=50):
    """Different numbers with one decimal, none below 0."""
    return rng.permutation(top)[:count] / 10


def whole(rng):
    return (1000 + rng.permutation(9)[None, : rng.integers(3, 6)],)


def unlike(rng):
    """Rows of three, each near a size of its own."""
    sizes = rng.permutation([0, 800, 2000])
    return (np.stack([size + distinct(rng, 3) for size in sizes]),)


def above(rng):
    """In a row some scores lie far above the others, but never the first one alone."""
    x = np.stack([distinct(rng, 5), distinct(rng, 5)])
    x[0, rng.permutation(np.arange(1, 5))[:2]] += 1000
    x[1, 0] += 2500
    x[1, rng.integers(1, 5)] += 2500
    return (x,)


def with_inf(rng, axis=-1):
    """Rows of four along `axis`: one of them empty, one with a single −∞."""
    x = np.stack([distinct(rng, 4) for _ in range(3)])
    empty, other = rng.permutation(3)[:2]
    x[empty] = -INF
    x[other, rng.integers(4)] = -INF
    return (x,) if axis == -1 else (x.T.copy(), axis)


def one_inf(rng):
    x = distinct(rng, int(rng.integers(4, 7)))
    x[rng.integers(len(x))] = -INF
    return (x,)


def below(rng):
    x = -1000 - distinct(rng, 2 * int(rng.integers(3, 6))).reshape(2, -1)
    x[1, rng.integers(x.shape[1])] = -INF
    return x


TASK = FunctionTask(
    title="A softmax that survives large scores",
    kind="implement",
    answers=("softmax",),
    arguments=("x", "axis"),
    outputs=("weights",),
    right=(SHIFTED, PATCHED, WHERE, LOOPS, TORCH),
    mistakes=MISTAKES,
    checks=(
        Check(
            "three scores",
            lambda rng: (np.log([1.0, 3.0, 4.0]),),
            fresh=lambda rng: (np.log(1.0 + rng.permutation(9)[:3]),),
        ),
        Check("two rows of three scores", normal((2, 3))),
        Check("along axis 0", lambda rng: (*normal((2, 3))(rng), 0)),
        Check("along axis 1 of three", lambda rng: (*normal((2, 3, 5))(rng), 1)),
        Check(
            "large whole numbers",
            lambda rng: (np.array([[1000, 1001, 998]]),),
            fresh=whole,
        ),
        Check(
            "rows of very different size", fixed([[0, 1], [2000, 2002]]), fresh=unlike
        ),
        Check(
            "scores far above the others",
            fixed([[0, 1, 900], [2500, 1, 0]]),
            fresh=above,
        ),
        Check(
            "scores far below 0, and one of −inf",
            fixed([[-1000, -1001, -1002], [-1003, -INF, -1001]]),
            fresh=lambda rng: (below(rng),),
        ),
        Check("a score of −inf", fixed([1, -INF, 2]), fresh=one_inf),
        Check(
            "a row of nothing but −inf, which gets zeros",
            fixed([[0, 1], [-INF, -INF]]),
            fresh=with_inf,
        ),
        Check(
            "a column of nothing but −inf, along axis 0",
            fixed([[-INF, 1, 0.5], [-INF, 2, -INF]], 0),
            fresh=lambda rng: with_inf(rng, 0),
        ),
    ),
    hints=(
        "softmax(x) = softmax(x − c) for every number c: write it down and see c cancel. "
        "Which c keeps every exp at 1 or below?",
        "Take a row of nothing but −inf through your lines one by one. Where does the "
        "first NaN appear, and what would you like to stand there?",
    ),
    section="A softmax that cannot overflow",
    why="exp(x − max) is the same softmax, and its largest power is exp(0) = 1: nothing "
    "can overflow, and the sum is at least 1 unless the row is empty.",
)
