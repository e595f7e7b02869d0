"""09.1 The sinusoidal encoding of any positions, with any base."""

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def encode(positions, d, base=10_000):
    speeds = 1 / base ** (np.arange(0, d, 2) / d)
    angles = positions[..., None] * speeds
    tips = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return tips.reshape(*positions.shape, d)
"""

SLICES = """
def encode(positions, d, base=10_000):
    hands = np.arange(d // 2)
    angles = np.multiply.outer(positions, float(base) ** (-2 * hands / d))
    out = np.zeros((*positions.shape, d))
    out[..., 0::2] = np.sin(angles)
    out[..., 1::2] = np.cos(angles)
    return out
"""

LOOPS = """
def encode(positions, d, base=10_000):
    rows = []
    for position in positions.ravel().tolist():
        row = []
        for i in range(d // 2):
            angle = position / base ** (2 * i / d)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return np.array(rows).reshape(*positions.shape, d)
"""

COMPLEX = """
def encode(positions, d, base=10_000):
    speeds = np.exp(-np.log(base) * np.arange(0, d, 2) / d)
    turns = np.exp(1j * positions[..., np.newaxis] * speeds)
    return np.stack((turns.imag, turns.real), -1).reshape(positions.shape + (d,))
"""

NUMBER_BY_NUMBER = """
def encode(positions, d, base=10_000):
    number = np.arange(d)
    angles = np.einsum("...,j->...j", positions, base ** (-(number - number % 2) / d))
    return np.where(number % 2 == 0, np.sin(angles), np.cos(angles))
"""

MISTAKES = """
sines first, then cosines: np.stack([np.sin(angles), np.cos(angles)], axis=-1) → np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)
or: out[..., 0::2] → out[..., : d // 2]
and: out[..., 1::2] → out[..., d // 2 :]
    Your rows hold all sines first and then all cosines. Which two numbers of a row
    belong to hand 0?

sine and cosine exchanged: [np.sin(angles), np.cos(angles)] → [np.cos(angles), np.sin(angles)]
or: out[..., 0::2] = np.sin(angles) → out[..., 0::2] = np.cos(angles)
and: out[..., 1::2] = np.cos(angles) → out[..., 1::2] = np.sin(angles)
or: [math.sin(angle), math.cos(angle)] → [math.cos(angle), math.sin(angle)]
or: (turns.imag, turns.real) → (turns.real, turns.imag)
    You wrote the cosine before the sine. At position 0 all hands stand upright: which
    of the two is 0 there?

sines alone: [np.sin(angles), np.cos(angles)] → [np.sin(angles), np.sin(angles)]
or: = np.cos(angles) → = np.sin(angles)
or: math.cos(angle) → math.sin(angle)
or: (turns.imag, turns.real) → (turns.imag, turns.imag)
or: np.sin(angles), np.cos(angles)) → np.sin(angles), np.sin(angles))
    A tip takes two different numbers. Sines alone can't tell a hand at 30° from one at
    150°: what can?

cosines alone: [np.sin(angles), np.cos(angles)] → [np.cos(angles), np.cos(angles)]
or: = np.sin(angles) → = np.cos(angles)
or: math.sin(angle) → math.cos(angle)
    A tip takes two different numbers. Cosines alone can't tell a hand on the right from
    one on the left: what can?

hands turned anticlockwise: angles = positions[..., None] * speeds → angles = -positions[..., None] * speeds
or: np.exp(1j * → np.exp(-1j *
or: angle = position / → angle = -position /
    Your hands turn the other way round. With every position the angle grows: which sign
    has the sine of a small angle?

speeds of half the range: np.arange(0, d, 2) / d → np.arange(d // 2) / d
or: -2 * hands / d → -hands / d
or: 2 * i / d → i / d
    Your first hand is right and the others are too fast: the slowest should come near
    1/base in a long row. How does the exponent grow from one hand to the next?

speeds of twice the range: np.arange(0, d, 2) / d → 2 * np.arange(0, d, 2) / d
or: np.arange(0, d, 2) / d → np.arange(0, d, 2) / (d // 2)
or: -2 * hands / d → -4 * hands / d
or: 2 * i / d → 4 * i / d
    Your slow hands are too slow: they go far below 1/base. Count once more what grows
    by 2 from hand to hand: is the factor in there twice?

a speed for each number: number - number % 2 → number
or: 1 / base ** (np.arange(0, d, 2) / d) → (1 / base ** (np.arange(d) / d)).reshape(-1, 2)
and: angles = positions[..., None] * speeds → angles = positions[..., None, None] * speeds
and: np.stack([np.sin(angles), np.cos(angles)], axis=-1) → np.stack([np.sin(angles[..., 0]), np.cos(angles[..., 1])], axis=-1)
    In yours the sine and the cosine of a pair have different speeds. How many hands
    does a pair of numbers describe?

whole numbers in the exponent: np.arange(0, d, 2) / d) → np.arange(0, d, 2) // d)
or: -2 * hands / d → -(2 * hands // d)
or: 2 * i / d → 2 * i // d
    All your hands have the same speed. What does a whole-number division make of 2/8?

one speed for all: base ** (np.arange(0, d, 2) / d) → base ** (np.full(d // 2, 2) / d)
or: -2 * hands / d → -2 * np.ones(d // 2) / d
or: 2 * i / d → 2 / d
    Your hands all move alike, and slowly. What makes hand 0 differ from hand 1?

hands counted from 1: np.arange(0, d, 2) → np.arange(2, d + 1, 2)
or: hands = np.arange(d // 2) → hands = np.arange(1, d // 2 + 1)
or: range(d // 2) → range(1, d // 2 + 1)
    All your hands are too slow: the first should move by 1 radian per position. With
    which number does the count of hands begin?

last hand at 1/base: np.arange(0, d, 2) / d) → np.linspace(0, 1, d // 2))
or: -2 * hands / d → -hands / max(1, d // 2 - 1)
or: 2 * i / d → i / max(1, d // 2 - 1)
    Your slowest hand has just the speed 1/base. In the formula it only comes near it:
    by what is 2i divided?

slowest hand first: np.arange(0, d, 2) / d) → np.arange(0, d, 2)[::-1] / d)
or: hands = np.arange(d // 2) → hands = np.arange(d // 2)[::-1]
or: in range(d // 2) → in reversed(range(d // 2))
    Your hands stand in the reverse order. Which one is number 0, the fast or the slow?

hands that speed up: 1 / base ** (np.arange → base ** (np.arange
or: ** (-2 * hands / d) → ** (2 * hands / d)
or: position / base → position * base
    Your hands get faster from one to the next. What does the formula do with the power
    of the base?

factor instead of a power: 1 / base ** (np.arange(0, d, 2) / d) → 1 / (base * np.arange(0, d, 2) / d)
or: position / base ** (2 * i / d) → position / (base * (2 * i / d))
    You multiply the base by 2i/d, so hand 0 gets an infinite speed, or none. Where does
    the 2i/d stand in the formula?

evenly spaced speeds: 1 / base ** (np.arange(0, d, 2) / d) → 1 - np.arange(0, d, 2) / d * (1 - 1 / base)
or: 1 / base ** (np.arange(0, d, 2) / d) → 1 - np.arange(0, d, 2) / d
or: 1 / base ** (np.arange(0, d, 2) / d) → np.linspace(1, 1 / base, d // 2)
    Your speeds fall by the same step. In the formula each is slower by the same factor:
    where does the 2i/d stand there?

positions not read: positions[..., None] → np.broadcast_to(np.arange(positions.shape[-1]), positions.shape)[..., None]
or: np.multiply.outer(positions, → np.multiply.outer(np.broadcast_to(np.arange(positions.shape[-1]), positions.shape),
or: positions.ravel().tolist() → list(range(positions.shape[-1])) * (positions.size // positions.shape[-1])
    You count 0, 1, 2, … yourself. What stands in the argument `positions`, and in which
    order?

a table as long as the list: positions[..., None] → np.arange(len(positions))[:, None]
and: .reshape(*positions.shape, d) → .reshape(-1, d)[positions]
or: positions[..., None] → np.arange(positions.size)[:, None]
and: .reshape(*positions.shape, d) → .reshape(-1, d)[positions]
    Your table has as many rows as the list has positions, and a position is looked up
    in it. Which row does position 46 of three positions need?

positions from the first one on: positions[..., None] → (positions[..., :1] + np.arange(positions.shape[-1]))[..., None]
or: np.multiply.outer(positions, → np.multiply.outer(positions[..., :1] + np.arange(positions.shape[-1]),
    You read the first position and count on from there. Must the second position be the
    next one?

positions sorted: positions[..., None] → np.sort(positions)[..., None]
or: np.multiply.outer(positions, → np.multiply.outer(np.sort(positions),
or: positions.ravel().tolist() → np.sort(positions).ravel().tolist()
    Your rows come in the order of growing positions. To which position of the list
    belongs your first row?

positions counted from 1: positions[..., None] → (positions + 1)[..., None]
or: angle = position / → angle = (position + 1) /
or: np.multiply.outer(positions, → np.multiply.outer(positions + 1,
    Your rows stand one position too far. In which direction do all hands point at
    position 0?

position divided by the number of words: positions[..., None] → (positions / positions.shape[-1])[..., None]
or: angle = position / → angle = position / positions.shape[-1] /
or: np.multiply.outer(positions, → np.multiply.outer(positions / positions.shape[-1],
    The same position has another row in a longer list of yours. Of the things that we
    want from marks, which one is lost?

position divided by the last: positions[..., None] → (positions / positions.max())[..., None]
or: angle = position / → angle = position / positions.max() /
or: np.multiply.outer(positions, → np.multiply.outer(positions / positions.max(),
    Your rows depend on the largest position in the list. A step should mean the same in
    every list: what is the angle made of?

base not read: 1 / base ** → 1 / 10_000 **
or: float(base) → 10_000.0
or: position / base ** → position / 10_000 **
    Your slow hands have the same speed whatever the base is. Which argument should
    decide it?

degrees: np.stack([np.sin(angles), np.cos(angles)], axis=-1) → np.stack([np.sin(np.radians(angles)), np.cos(np.radians(angles))], axis=-1)
or: np.sin(angles) → np.sin(np.deg2rad(angles))
and: np.cos(angles) → np.cos(np.deg2rad(angles))
or: angle = position / → angle = math.pi / 180 * position /
    Your first hand moves by 1° per position. In which unit does the chapter give the
    speed of 1, and in which does NumPy take an angle?

full turns: angles = positions[..., None] * speeds → angles = 2 * np.pi * positions[..., None] * speeds
or: angle = position / → angle = 2 * math.pi * position /
or: 1j * positions → 2j * np.pi * positions
    Your first hand goes round once per position, so it never seems to move. By which
    angle does it go on, in radians?

table turned around: return tips.reshape(*positions.shape, d) → return tips.reshape(*positions.shape, d).swapaxes(-1, -2)
or: -1).reshape(positions.shape + (d,)) → -1).reshape(positions.shape + (d,)).swapaxes(-1, -2)
    Your table is lying on its side: it has a row for each number. What should one row
    of it belong to?

rows of a batch mixed: positions[..., None] → positions.ravel()[:, None]
and: .reshape(*positions.shape, d) → .reshape(-1, d)
or: np.array(rows).reshape(*positions.shape, d) → np.array(rows)
    With a batch of positions your axes run together. Which shape does the result have,
    if `positions` has the shape (2, 3)?

first row of a batch alone: positions[..., None] → np.atleast_2d(positions)[0][:, None]
and: .reshape(*positions.shape, d) → .reshape(-1, d)
    Of a batch you encode the first list alone. In front of which axis may others stand?

decimals cut off: np.zeros((*positions.shape, d)) → np.zeros((*positions.shape, d), dtype=positions.dtype)
or: return np.array(rows).reshape(*positions.shape, d) → return np.array(rows).astype(positions.dtype).reshape(*positions.shape, d)
    Your decimals are gone: most numbers are 0. Which type do the positions have, and
    which one must the result have?
"""


def in_a_row(rng):
    """Three positions in a row, the first of them anywhere but at the beginning."""
    return int(rng.integers(1, 40)) + np.arange(3), 2


def drawn(shape, d, *base, most=40):
    """Different positions in any order, one of them 0 or more."""

    def inputs(rng):
        count = int(np.prod(shape))
        positions = rng.permutation(most)[:count].reshape(shape)
        return positions, d, *base

    return inputs


def one_of_them_0(rng):
    positions, d = drawn((3,), 4, most=60)(rng)
    positions[rng.integers(3)] = 0
    return positions, d


TASK = FunctionTask(
    title="Clock hands for any positions",
    kind="implement",
    answers=("encode",),
    arguments=("positions", "d", "base"),
    outputs=("rows",),
    rtol=1e-3,
    atol=1e-3,
    right=(PLAIN, SLICES, LOOPS, COMPLEX, NUMBER_BY_NUMBER),
    mistakes=MISTAKES,
    checks=(
        Check(
            "one hand, three positions in a row",
            lambda rng: (np.arange(3), 2),
            fresh=in_a_row,
        ),
        Check(
            "two hands, three positions of your own",
            lambda rng: (np.array([46, 0, 7]), 4),
            fresh=one_of_them_0,
        ),
        Check("five positions in any order, d = 6", drawn((5,), 6)),
        Check("d = 14, positions up to 1,000", drawn((3,), 14, most=1000)),
        Check("another base, 100", drawn((7,), 10, 100)),
        Check("two lists of three positions, base 500,000", drawn((2, 3), 10, 500_000)),
    ),
    hints=(
        "Take d = 4 and position 7 by hand: which are the two speeds, the two angles, "
        "and in which order do the four numbers stand?",
        "The table of angles has a row for each position and a column for each hand. Which "
        "axis must `positions` be given, so that it multiplies with the speeds?",
    ),
    section="Clock hands",
    why="Each pair of numbers is the tip of one hand. The angle is the position times a "
    "speed, so a row depends on its position alone and not on the list it stands in.",
)
