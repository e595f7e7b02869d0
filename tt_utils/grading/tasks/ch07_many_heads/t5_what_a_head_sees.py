"""07.5 Which numbers of a word does a head depend on? A claim put to the test."""

import numpy as np

from tt_utils.grading.tasks.inputs import Rule
from tt_utils.grading.tasks.spec import Check, FunctionTask

# No random numbers in these: a mistake must look the same each time it is run.
ONE_BY_ONE = """
def sees(heads, x):
    before = heads(x)
    table = np.zeros((len(before), x.shape[1]), dtype=bool)
    for j in range(x.shape[1]):
        changed = x.copy()
        changed[:, j] = np.cos(3.0 * np.arange(len(x))) - x[:, j]
        after = heads(changed)
        table[:, j] = np.abs(after - before).max(axis=(1, 2)) > 1e-4
    return table
"""

WORD_BY_WORD = """
def sees(heads, x):
    t, d_model = x.shape
    start = heads(x)
    moved = np.zeros((len(start), d_model))
    for word in range(t):
        for number in range(d_model):
            other = np.array(x)
            other[word, number] += 1.5
            gaps = np.abs(heads(other) - start)
            moved[:, number] = np.maximum(moved[:, number], gaps.max(axis=(1, 2)))
    return moved > 1e-4
"""

LISTS = """
def sees(heads, x):
    rows = range(len(x))
    def replaced(j):
        new = x + 0.0
        new[:, j] = [(-1) ** i * (i + 1.0) + 0.3 for i in rows]
        return heads(new)

    old = heads(x)
    new = [replaced(j) for j in range(x.shape[1])]
    return [
        [bool(np.any(abs(one[h] - old[h]) > 1e-4)) for one in new]
        for h in range(len(old))
    ]
"""

MISTAKES = """
same change in every word: np.cos(3.0 * np.arange(len(x))) - x[:, j] → x[:, j] + 1.5
or: [(-1) ** i * (i + 1.0) + 0.3 for i in rows] → x[:, j] + 2
    You add the same to that number in every word. If it goes into the keys alone, all
    scores of a row rise together: what does softmax make of that?

one value for all words: np.cos(3.0 * np.arange(len(x))) - x[:, j] → 1.7
or: [(-1) ** i * (i + 1.0) + 0.3 for i in rows] → 2.3
    You give one number to all words. In one check they have one in common already, and
    it goes into the keys alone: what does softmax make of the new scores?

no change where it is zero: np.cos(3.0 * np.arange(len(x))) - x[:, j] → 0
or: [(-1) ** i * (i + 1.0) + 0.3 for i in rows] → 0.0
or: other[word, number] += 1.5 → other[word, number] = 0
or: np.cos(3.0 * np.arange(len(x))) - x[:, j] → 2 * x[:, j]
or: [(-1) ** i * (i + 1.0) + 0.3 for i in rows] → -x[:, j]
or: other[word, number] += 1.5 → other[word, number] *= 2
    In one check that number is 0 in all words, and after your change it is 0 as before.
    What would be a change in every case?

words exchanged: np.cos(3.0 * np.arange(len(x))) - x[:, j] → x[::-1, j]
or: [(-1) ** i * (i + 1.0) + 0.3 for i in rows] → np.roll(x[:, j], 1)
    You pass the numbers on from word to word. Where all words hold the same one, nothing
    changes. What would be a change in every case?

first word alone: changed[:, j] = np.cos(3.0 * np.arange(len(x))) - x[:, j] → changed[0, j] += 1.5
or: for word in range(t): → for word in range(1):
or: new[:, j] = [(-1) ** i * (i + 1.0) + 0.3 for i in rows] → new[0, j] = 2.3 - x[0, j]
    You change the first word alone. A head may attend to another one: in which words
    must the number be changed?

last word alone: changed[:, j] = np.cos(3.0 * np.arange(len(x))) - x[:, j] → changed[-1, j] += 1.5
or: for word in range(t): → for word in range(t - 1, t):
or: new[:, j] = [(-1) ** i * (i + 1.0) + 0.3 for i in rows] → new[-1, j] = 2.3 - x[-1, j]
    You change the last word alone. A head may attend to another one: in which words
    must the number be changed?

changes that pile up: before = heads(x) → before = heads(x); changed = x.copy()
and: \\n        changed = x.copy() →
or: start = heads(x) → start = heads(x); other = np.array(x)
and: \\n            other = np.array(x) →
    Your changes pile up: from one number to the next, the earlier ones stay changed.
    From what does each try start?

compared to the last digit: > 1e-4 → > 0
or: .max(axis=(1, 2)) > 1e-4 → .max(axis=(1, 2)) != 0
or: np.abs(after - before).max(axis=(1, 2)) > 1e-4 → [not np.allclose(a, b) for a, b in zip(after, before)]
or: bool(np.any(abs(one[h] - old[h]) > 1e-4)) → not np.allclose(one[h], old[h])
    You take a difference of 0.0000001 for a dependence. What does the task say of
    rounding?

too much allowed: > 1e-4 → > 0.1
or: > 1e-4 → > 0.5
    A weak dependence gets lost in yours. Where does the task draw the line between
    rounding and a dependence?

differences that cancel: np.abs(after - before).max(axis=(1, 2)) → np.abs((after - before).sum(axis=(1, 2)))
or: gaps = np.abs(heads(other) - start) → gaps = np.abs((heads(other) - start).sum(axis=(1, 2), keepdims=True))
or: np.any(abs(one[h] - old[h]) > 1e-4) → abs(one[h].sum() - old[h].sum()) > 1e-4
    You add up differences, and in one check what one number of a blend gains another one
    loses. What comes first, the size or the sum?

only what grows: np.abs(after - before).max(axis=(1, 2)) → (after - before).max(axis=(1, 2))
or: np.abs(heads(other) - start) → heads(other) - start
or: abs(one[h] - old[h]) → (one[h] - old[h])
    You see a number of a blend grow, but not one that shrinks. What is missing around
    the difference?

all numbers of a blend must change: np.abs(after - before).max(axis=(1, 2)) → np.abs(after - before).min(axis=(1, 2))
or: np.any(abs(one[h] - old[h]) > 1e-4) → np.all(abs(one[h] - old[h]) > 1e-4)
or: gaps.max(axis=(1, 2)) → gaps.min(axis=(1, 2))
    You want every number of a head's blends to change. How many must change for the head
    to depend on something?

first number of a blend alone: .max(axis=(1, 2)) > 1e-4 → [:, :, 0].max(axis=1) > 1e-4
or: np.any(abs(one[h] - old[h]) > 1e-4) → np.any(abs(one[h] - old[h])[:, 0] > 1e-4)
    You look at the first number of each blend. What else does a head pass on?

first row alone: .max(axis=(1, 2)) > 1e-4 → [:, 0].max(axis=1) > 1e-4
or: np.any(abs(one[h] - old[h]) > 1e-4) → np.any(abs(one[h] - old[h])[0] > 1e-4)
or: gaps.max(axis=(1, 2)) → gaps[:, 0].max(axis=1)
    You look at what the first word gets alone. A head may treat words differently: whose
    blends must be compared?

words instead of numbers: for j in range(x.shape[1]) → for j in range(min(x.shape))
and: changed[:, j] = np.cos(3.0 * np.arange(len(x))) - x[:, j] → changed[j] = np.cos(3.0 * np.arange(x.shape[1])) - x[j]
    You change whole words. Of which axis of `x` is one entry changed in all words?

all heads in one: np.abs(after - before).max(axis=(1, 2)) > 1e-4 → np.abs(after - before).max() > 1e-4
or: gaps.max(axis=(1, 2)) → gaps.max()
or: abs(one[h] - old[h]) → abs(one - old)
    You ask whether any head changes, and tell the same of all of them. Over which axes
    is the largest difference taken?

rows and columns exchanged: return table → return table.T
or: return moved > 1e-4 → return (moved > 1e-4).T
    Your table lies on its side. Which axis belongs to the heads, and which to the
    numbers of a word?

answer turned around: max(axis=(1, 2)) > 1e-4 → max(axis=(1, 2)) < 1e-4
or: return moved > 1e-4 → return moved < 1e-4
or: bool(np.any( → not bool(np.any(
    Your table is the wrong way round. What does True say, that something moves or that
    nothing does?

differences instead of truth values: return moved > 1e-4 → return moved
or: return table → return table.astype(float)
or: return table → return table.astype(int)
    Your table holds numbers. The question is only whether a head depends on something:
    which values say that?

the whole word at once: changed[:, j] = np.cos(3.0 * np.arange(len(x))) - x[:, j] → changed = np.cos(3.0 * np.arange(x.size)).reshape(x.shape) - x
or: other[word, number] += 1.5 → other[word] += 1.5
    You change all numbers of the words at once. How do you find out which one it was?

believed, not tried: return table → return np.repeat(np.eye(len(before), dtype=bool), -(-x.shape[1] // len(before)), axis=1)[:, : x.shape[1]]
    Your table gives each head its own part, whatever `heads` does. That is the claim:
    what did your test find?
"""


ALL = np.ones((2, 4))
PARTS = np.kron(np.eye(3), np.ones((1, 2)))  # three heads, six numbers


def attention(
    queries, keys, values, look=None, spread=(1, 0.6), silent=None, rounding=0.0
):
    """Rows of (heads, d_model): which numbers go into a head's queries, keys, values.

    `look` is the only word that gets weight, `spread` multiplies the two numbers of
    the values, for all heads or for each. The word `silent` gets zeros from head 0.
    """

    def make(rng, t):
        used = np.stack([queries, keys, values])[..., None]
        w_q, w_k, w_v = rng.uniform(0.5, 1.5, (*used.shape[:-1], 2)) * used
        factors = np.expand_dims(np.asarray(spread, float), -2)
        hidden = np.zeros(t)
        if look is not None:
            hidden[np.arange(t) != look % t] = -np.inf

        def heads(x):
            q, k, v = x @ w_q, x @ w_k, x @ (w_v[..., :1] * factors)
            scores = q @ k.swapaxes(-2, -1) / 8 + hidden
            powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
            blends = powers / powers.sum(axis=-1, keepdims=True) @ v
            if silent is not None:
                blends[0, silent] = 0
            return blends + rounding * np.sin(7 * x.sum())

        return heads, used.shape[2]

    return make


def case(title, words, maker, t=4, column=None):
    """Heads, and words of normal numbers; `column` holds number 2 of every word.

    With every other seed the heads and the numbers change places, and up to three
    numbers come in between that nobody uses.
    """

    def inputs(rng):
        heads, d_model = maker(rng, t)
        return Rule(words, heads), words_of(rng, t, d_model, column)

    def fresh(rng):
        heads, used = maker(rng, t)
        d_model = used + int(rng.integers(1, 4))
        x = words_of(rng, t, d_model, column)
        order, places = (
            rng.permutation(len(heads(x[:, :used]))),
            rng.permutation(d_model),
        )
        back = np.argsort(places)[:used]
        shuffled = Rule("some heads", lambda x: heads(x[:, back])[order])
        return shuffled, x[:, places]

    return Check(title, inputs, fresh=fresh)


def words_of(rng, t, d_model, column):
    x = rng.normal(size=(t, d_model)).round(2)
    x[0] = -np.abs(x[0]) - 0.503  # so that no change of two decimals adds up to 0
    if column is not None:
        x[:, 2] = column
    return x


def some(*rows):
    return np.array(rows, float)


# For each head: which number makes the queries, which the keys, which the values.
ASK, ANSWER, GIVE = (
    some([1, 0, 0, 0, 0], [0, 0, 1, 0, 0]),
    some([0, 1, 0, 0, 0], [0, 0, 0, 1, 0]),
    some([0, 0, 1, 0, 0], [1, 0, 0, 0, 0]),
)
KEYS = some([0, 1, 1, 0, 0], [0, 0, 1, 1, 0])  # the number in common is one of them
UNLIKE = some([1, 0, 0, 0, 0], [1, 0, 1, 0, 0])  # no two queries are alike
FIRST = some([1, 0, 0, 0, 0], [0, 0, 0, 0, 1])
FEW = some([0, 1, 0, 0, 0], [0, 0, 0, 0, 0], [1, 0, 0, 1, 0])
VALUES = some([1, 0, 1, 0, 0], [0, 1, 1, 0, 1])
NONE = np.zeros((2, 5))

TASK = FunctionTask(
    title="What a head sees",
    kind="explain",
    answers=("sees",),
    arguments=("heads", "x"),
    outputs=("table",),
    right=(ONE_BY_ONE, WORD_BY_WORD, LISTS),
    mistakes=MISTAKES,
    pairs=False,  # truth values, and many calls of the heads
    checks=(
        case(
            "wide matrices first, then the cut",
            "two heads, cut after the matrices",
            attention(ALL, ALL, ALL),
            3,
        ),
        case(
            "the cut first: each head gets its own two numbers",
            "three heads, cut before the matrices",
            attention(PARTS, PARTS, PARTS),
        ),
        case(
            "queries, keys and values made from one number each",
            "two heads, one number each for q, k and v",
            attention(ASK, ANSWER, GIVE),
        ),
        case(
            "a number that is 0 in all words",
            "two heads, few numbers",
            attention(VALUES, NONE, VALUES),
            4,
            0,
        ),
        case(
            "a number that all words have in common",
            "two heads, keys from two numbers",
            attention(UNLIKE, KEYS, FIRST),
            4,
            0.7,
        ),
        case(
            "heads that attend to the first word alone",
            "two heads, attending to word 0",
            attention(NONE, NONE, VALUES, look=0, spread=((-1, -2), (1, 0.6))),
        ),
        case(
            "heads that attend to the last word alone",
            "two heads, attending to the last word",
            attention(NONE, NONE, VALUES, look=-1),
        ),
        case(
            "a head that sees nothing, and a number that nobody sees",
            "three heads, few numbers",
            attention(FEW, FEW, FEW),
        ),
        case(
            "a weak dependence",
            "two heads with small values",
            attention(VALUES, VALUES, VALUES, spread=(0.015, 0.015)),
        ),
        case(
            "heads that round",
            "three heads, with some rounding",
            attention(PARTS, PARTS, PARTS, rounding=5e-6),
        ),
        case(
            "a head whose blends add up to 0",
            "two heads, values (n, −n) in the first",
            attention(VALUES, VALUES, VALUES, spread=((1, -1), (1, 0.6))),
        ),
        case(
            "a head whose blends begin with 0",
            "two heads, values (0, n) in the first",
            attention(VALUES, VALUES, VALUES, spread=((0, 1), (1, 0.6))),
        ),
        case(
            "a head that gives the first word nothing",
            "two heads, zeros for word 0 in the first",
            attention(ASK, ANSWER, GIVE, silent=0),
            5,
        ),
    ),
    hints=(
        "A head depends on a number if some change of that number, in the words and "
        "nowhere else, moves anything that the head passes on. What do you change, "
        "what stays, and what do you compare?",
        "For each failing check, say in words how its heads can be moved. Does your "
        "change do that? Softmax forgets what all scores of a row have in common.",
    ),
    section="Cut without a loop",
    why="With the matrices first, every head depends on all numbers of a word: only its "
    "result is narrow. Your test also tells the other cut, and finds what a single "
    "example of a change would miss.",
)
