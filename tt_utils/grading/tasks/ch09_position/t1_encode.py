"""09.1 The sinusoidal encoding of any places, with any base."""

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def encode(places, d, base=10_000):
    speeds = 1 / base ** (np.arange(0, d, 2) / d)
    angles = places[..., None] * speeds
    tips = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return tips.reshape(*places.shape, d)
"""

SLICES = """
def encode(places, d, base=10_000):
    hands = np.arange(d // 2)
    angles = np.multiply.outer(places, float(base) ** (-2 * hands / d))
    out = np.zeros((*places.shape, d))
    out[..., 0::2] = np.sin(angles)
    out[..., 1::2] = np.cos(angles)
    return out
"""

LOOPS = """
def encode(places, d, base=10_000):
    rows = []
    for place in places.ravel().tolist():
        row = []
        for i in range(d // 2):
            angle = place / base ** (2 * i / d)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return np.array(rows).reshape(*places.shape, d)
"""

COMPLEX = """
def encode(places, d, base=10_000):
    speeds = np.exp(-np.log(base) * np.arange(0, d, 2) / d)
    turns = np.exp(1j * places[..., np.newaxis] * speeds)
    return np.stack((turns.imag, turns.real), -1).reshape(places.shape + (d,))
"""

NUMBER_BY_NUMBER = """
def encode(places, d, base=10_000):
    number = np.arange(d)
    angles = np.einsum("...,j->...j", places, base ** (-(number - number % 2) / d))
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
    You wrote the cosine before the sine. At place 0 all hands stand upright: which of
    the two is 0 there?

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

hands turned anticlockwise: angles = places[..., None] * speeds → angles = -places[..., None] * speeds
or: np.exp(1j * → np.exp(-1j *
or: angle = place / → angle = -place /
    Your hands turn the other way round. With every place the angle grows: which sign
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
and: angles = places[..., None] * speeds → angles = places[..., None, None] * speeds
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
    All your hands are too slow: the first should move by 1 radian per place. With which
    number does the count of hands begin?

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
or: place / base → place * base
    Your hands get faster from one to the next. What does the formula do with the power
    of the base?

factor instead of a power: 1 / base ** (np.arange(0, d, 2) / d) → 1 / (base * np.arange(0, d, 2) / d)
or: place / base ** (2 * i / d) → place / (base * (2 * i / d))
    You multiply the base by 2i/d, so hand 0 gets an infinite speed, or none. Where does
    the 2i/d stand in the formula?

evenly spaced speeds: 1 / base ** (np.arange(0, d, 2) / d) → 1 - np.arange(0, d, 2) / d * (1 - 1 / base)
or: 1 / base ** (np.arange(0, d, 2) / d) → 1 - np.arange(0, d, 2) / d
or: 1 / base ** (np.arange(0, d, 2) / d) → np.linspace(1, 1 / base, d // 2)
    Your speeds fall by the same step. In the formula each is slower by the same factor:
    where does the 2i/d stand there?

places not read: places[..., None] → np.broadcast_to(np.arange(places.shape[-1]), places.shape)[..., None]
or: np.multiply.outer(places, → np.multiply.outer(np.broadcast_to(np.arange(places.shape[-1]), places.shape),
or: places.ravel().tolist() → list(range(places.shape[-1])) * (places.size // places.shape[-1])
    You count 0, 1, 2, … yourself. What stands in the argument `places`, and in which
    order?

a table as long as the list: places[..., None] → np.arange(len(places))[:, None]
and: .reshape(*places.shape, d) → .reshape(-1, d)[places]
or: places[..., None] → np.arange(places.size)[:, None]
and: .reshape(*places.shape, d) → .reshape(-1, d)[places]
    Your table has as many rows as the list has places, and a place is looked up in it.
    Which row does place 46 of three places need?

places from the first one on: places[..., None] → (places[..., :1] + np.arange(places.shape[-1]))[..., None]
or: np.multiply.outer(places, → np.multiply.outer(places[..., :1] + np.arange(places.shape[-1]),
    You read the first place and count on from there. Must the second place be the next
    one?

places sorted: places[..., None] → np.sort(places)[..., None]
or: np.multiply.outer(places, → np.multiply.outer(np.sort(places),
or: places.ravel().tolist() → np.sort(places).ravel().tolist()
    Your rows come in the order of growing places. To which place of the list belongs
    your first row?

places counted from 1: places[..., None] → (places + 1)[..., None]
or: angle = place / → angle = (place + 1) /
or: np.multiply.outer(places, → np.multiply.outer(places + 1,
    Your rows stand one place too far. In which direction do all hands point at place 0?

place divided by the number of words: places[..., None] → (places / places.shape[-1])[..., None]
or: angle = place / → angle = place / places.shape[-1] /
or: np.multiply.outer(places, → np.multiply.outer(places / places.shape[-1],
    The same place has another row in a longer list of yours. Of the things that we want
    from marks, which one is lost?

place divided by the last: places[..., None] → (places / places.max())[..., None]
or: angle = place / → angle = place / places.max() /
or: np.multiply.outer(places, → np.multiply.outer(places / places.max(),
    Your rows depend on the largest place in the list. A step should mean the same in
    every list: what is the angle made of?

base not read: 1 / base ** → 1 / 10_000 **
or: float(base) → 10_000.0
or: place / base ** → place / 10_000 **
    Your slow hands have the same speed whatever the base is. Which argument should
    decide it?

degrees: np.stack([np.sin(angles), np.cos(angles)], axis=-1) → np.stack([np.sin(np.radians(angles)), np.cos(np.radians(angles))], axis=-1)
or: np.sin(angles) → np.sin(np.deg2rad(angles))
and: np.cos(angles) → np.cos(np.deg2rad(angles))
or: angle = place / → angle = math.pi / 180 * place /
    Your first hand moves by 1° per place. In which unit does the chapter give the
    speed of 1, and in which does NumPy take an angle?

full turns: angles = places[..., None] * speeds → angles = 2 * np.pi * places[..., None] * speeds
or: angle = place / → angle = 2 * math.pi * place /
or: 1j * places → 2j * np.pi * places
    Your first hand goes round once per place, so it never seems to move. By which angle
    does it go on, in radians?

table turned around: return tips.reshape(*places.shape, d) → return tips.reshape(*places.shape, d).swapaxes(-1, -2)
or: -1).reshape(places.shape + (d,)) → -1).reshape(places.shape + (d,)).swapaxes(-1, -2)
    Your table is lying on its side: it has a row for each number. What should one row
    of it belong to?

rows of a batch mixed: places[..., None] → places.ravel()[:, None]
and: .reshape(*places.shape, d) → .reshape(-1, d)
or: np.array(rows).reshape(*places.shape, d) → np.array(rows)
    With a batch of places your axes run together. Which shape does the result have, if
    `places` has the shape (2, 3)?

first row of a batch alone: places[..., None] → np.atleast_2d(places)[0][:, None]
and: .reshape(*places.shape, d) → .reshape(-1, d)
    Of a batch you encode the first list alone. In front of which axis may others stand?

decimals cut off: np.zeros((*places.shape, d)) → np.zeros((*places.shape, d), dtype=places.dtype)
or: return np.array(rows).reshape(*places.shape, d) → return np.array(rows).astype(places.dtype).reshape(*places.shape, d)
    Your decimals are gone: most numbers are 0. Which type do the places have, and which
    one must the result have?
"""


def in_a_row(rng):
    """Three places in a row, the first of them anywhere but at the beginning."""
    return int(rng.integers(1, 40)) + np.arange(3), 2


def drawn(shape, d, *base, most=40):
    """Different places in any order, one of them 0 or more."""

    def inputs(rng):
        count = int(np.prod(shape))
        places = rng.permutation(most)[:count].reshape(shape)
        return places, d, *base

    return inputs


def one_of_them_0(rng):
    places, d = drawn((3,), 4, most=60)(rng)
    places[rng.integers(3)] = 0
    return places, d


TASK = FunctionTask(
    title="Clock hands for any places",
    kind="implement",
    answers=("encode",),
    arguments=("places", "d", "base"),
    outputs=("rows",),
    rtol=1e-3,
    atol=1e-3,
    right=(PLAIN, SLICES, LOOPS, COMPLEX, NUMBER_BY_NUMBER),
    mistakes=MISTAKES,
    checks=(
        Check(
            "one hand, three places in a row",
            lambda rng: (np.arange(3), 2),
            fresh=in_a_row,
        ),
        Check(
            "two hands, three places of your own",
            lambda rng: (np.array([46, 0, 7]), 4),
            fresh=one_of_them_0,
        ),
        Check("five places in any order, d = 6", drawn((5,), 6)),
        Check("d = 14, places up to 1,000", drawn((3,), 14, most=1000)),
        Check("another base, 100", drawn((7,), 10, 100)),
        Check("two lists of three places, base 500,000", drawn((2, 3), 10, 500_000)),
    ),
    hints=(
        "Take d = 4 and place 7 by hand: which are the two speeds, which the two angles, "
        "and in which order do the four numbers stand?",
        "The table of angles has a row for each place and a column for each hand. Which "
        "axis must `places` be given, so that it multiplies with the speeds?",
    ),
    section="Clock hands",
    why="Each pair of numbers is the tip of one hand. The angle is the place times a "
    "speed, so a row depends on its place alone and not on the list it stands in.",
)
