"""12.4 A test that finds out whether a decoder sees the future."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

ONE_BY_ONE = """
def leaks(decoder, x, memory):
    before = decoder(x, memory)
    for j in range(1, len(x)):
        changed = x.clone()
        changed[j] = torch.arange(1.0, x.shape[1] + 1).cos()
        after = decoder(changed, memory)
        if (after - before)[:j].abs().max() > 1e-4:
            return True
    return False
"""

PREFIXES = """
def leaks(decoder, x, memory):
    whole = decoder(x, memory)
    lengths = range(1, len(x))
    return any(
        not torch.allclose(decoder(x[:n], memory), whole[:n], rtol=0, atol=1e-4)
        for n in lengths
    )
"""

JACOBIAN = """
def leaks(decoder, x, memory):
    slopes = torch.autograd.functional.jacobian(lambda y: decoder(y, memory), x)
    moved = slopes.abs().amax(dim=(1, 3))
    return bool((moved.triu(1) > 1e-4).any())
"""

TABLE = """
def leaks(decoder, x, memory):
    t = len(x)
    sees = torch.zeros(t, t, dtype=torch.bool)
    for j in range(t):
        other = x.clone()
        other[j] = torch.arange(1, x.shape[1] + 1) - x[j].flip(0)
        difference = decoder(other, memory) - decoder(x, memory)
        sees[:, j] = difference.abs().amax(1) > 1e-4
    return bool(sees.triu(1).any())
"""

MISTAKES = """
all rows compared: (after - before)[:j] → (after - before)
or: sees.triu(1).any() → (sees & (torch.eye(t) + 1 > 0)).any()
    You take a right decoder for a leaky one. Row j and those after it may change with
    word j: do you compare them, too, or is a word still changed from the round before?

own row compared: [:j] → [: j + 1]
or: moved.triu(1) → moved.triu()
or: sees.triu(1) → sees.triu()
    You take a right decoder for a leaky one: row j is made from word j. Is that the
    future, for row j?

rows that come later: (after - before)[:j].abs().max() > 1e-4 → len(x) > j + 1 and (after - before)[j + 1 :].abs().max() > 1e-4
or: moved.triu(1) → moved.tril(-1)
or: sees.triu(1) → sees.tril(-1)
    You look at the rows after the changed word. They may know it, since it stands
    before them. Where does the future of a row lie?

only the last word changed: range(1, len(x)) → range(max(1, len(x) - 1), len(x))
    You change the last word alone. A row may see a word that is in its future and still
    not the last: which words must be tried?

second word never changed: for j in range(1, len(x)) → for j in range(2, len(x))
or: lengths = range(1, len(x)) → lengths = range(2, len(x))
or: sees.triu(1).any() → sees.triu(1)[:, 2:].any()
or: moved.triu(1) → moved.triu(1)[:, 2:]
    You never change the second word. The first row may see it and no other: from which
    word on does a row have a future?

only the first row watched: [:j].abs() → [:1].abs()
or: lengths = range(1, len(x)) → lengths = range(1, min(2, len(x)))
or: decoder(x[:n], memory), whole[:n] → decoder(x[:n], memory)[:1], whole[:1]
or: moved.triu(1) → moved[:1].triu(1)
    You watch the first row alone. Which other rows have a future?

only neighbours watched: (after - before)[:j] → (after - before)[j - 1]
or: sees.triu(1) → sees.triu(1).tril(1)
or: moved.triu(1) → moved.triu(1).tril(1)
    You watch the row just before the changed word. How far ahead may a leak reach?

only the second word changed: for j in range(1, len(x)) → for j in range(1, min(2, len(x)))
    You change one word, near the beginning. A row may see a word further on: which
    words must be tried?

a change that a norm takes back: changed[j] = torch.arange(1.0, x.shape[1] + 1).cos() → changed[j] += 1
or: changed[j] = torch.arange(1.0, x.shape[1] + 1).cos() → changed[j] = 2 * x[j] + 3
or: changed[j] = torch.arange(1.0, x.shape[1] + 1).cos() → changed[j] *= 2
or: (after - before)[:j].abs().max() → (after - before)[:j].sum(-1).abs().max()
    A decoder may begin with LayerNorm, which takes mean and spread out of a row. Does
    your change, or the number that you look at, survive that?

a change that is none: changed[j] = torch.arange(1.0, x.shape[1] + 1).cos() → changed[j] = 0
or: decoder(x[:n], memory), whole[:n] → decoder(torch.cat([x[:n], 0 * x[n:]]), memory)[:n], whole[:n]
or: torch.arange(1, x.shape[1] + 1) - x[j].flip(0) → x[j].flip(0)
    One decoder gets away: the words that it peeks at were zeros already, and after your
    change they are zeros again. What would be a change in every case?

sign kept: (after - before)[:j].abs().max() → (after - before)[:j].max()
or: (after - before)[:j].abs().max() → (before - after)[:j].max()
or: difference.abs().amax(1) → difference.amax(1)
    A leak may also make numbers smaller, and a negative difference is small for you
    however large it is. What must come before the comparison?

compared to the last digit: > 1e-4 → > 0
or: not torch.allclose(decoder(x[:n], memory), whole[:n], rtol=0, atol=1e-4) → not torch.equal(decoder(x[:n], memory), whole[:n])
    You call a difference of 0.0000001 a leak. Sums are rounded a little differently
    when other numbers stand around: how much of that should you allow?

too much allowed: > 1e-4 → > 0.3
or: .max() > 1e-4 → .max() > 0.1
or: .max() > 1e-4 → .max() > 0.05
or: atol=1e-4 → atol=0.3
    Your test lets small leaks pass. How far apart lie a rounding error and the smallest
    leak that the task speaks of?

memory changed too: decoder(changed, memory) → decoder(changed, torch.randn_like(memory))
or: decoder(x[:n], memory) → decoder(x[:n], memory[:n])
or: decoder(other, memory) → decoder(other, memory.flip(0) + 1)
    You changed the memory as well. Every row may see all of it: what should stay the
    same between the two runs?

always yes: \\n    return False → \\n    return True
or: return bool((moved.triu(1) > 1e-4).any()) → return True
or: return bool(sees.triu(1).any()) → return True
    You call every decoder leaky, a right one as well. On what does your answer depend?

answer turned around: return True → return False
and: range(1, len(x)):\\n → range(1, len(x)):\\n
and: \\n    return False → \\n    return True
or: return any( → return not any(
or: return bool((moved → return not bool((moved
or: return bool(sees → return not bool(sees
    Your answers are the wrong way round. What does True say: that it leaks, or that it
    is right?

nothing changed: changed[j] = torch.arange(1.0, x.shape[1] + 1).cos() → pass
or: changed[j] = torch.arange(1.0, x.shape[1] + 1).cos() → changed[j] = x[j]
    Your test never finds a leak. Between the two runs that you compare, what is
    different?

all rows must change: .abs().max() > → .abs().amax(1).min() >
or: sees.triu(1).any() → (sees | ~torch.ones(t, t).triu(1).bool()).all()
or: (moved.triu(1) > 1e-4).any() → ((moved > 1e-4) | ~torch.ones_like(moved).triu(1).bool()).all()
    You speak of a leak only where every row sees the future. How many rows does it
    take?

not a number: torch.arange(1.0, x.shape[1] + 1).cos() → torch.nan
and: (after - before)[:j].abs().max() > 1e-4 → (after - before)[:j].isnan().any()
    A hidden word has the weight 0, and 0 times NaN or infinity is NaN: so it spreads
    even in a right decoder. Which values make a fair change?
"""


@dataclass(frozen=True)
class Decoder:
    """Plays a decoder: rows average what they see, and add the memory's mean.

    Attributes:
        leaks: (row, word, weight), on top of what a row may see; -1 is the last one.
        ahead: every row sees the words so far ahead, too.
        sign: of what a leak adds: the words' sizes with this sign; 0 for the words.
        sees: "past" with the own word, "before" without it, "own" alone, "all", "none".
        norm: each word goes through a LayerNorm first.
        rounding: the size of a difference that any other input makes.
    """

    leaks: tuple[tuple[int, int, float], ...] = ()
    ahead: tuple[int, ...] = ()
    sign: int = 0
    sees: str = "past"
    norm: bool = False
    memory: bool = True
    rounding: float = 0.0
    offers = ()

    def __call__(self, x, memory):
        import torch

        kept = weights_of if len(x) < 50 else weights_of.__wrapped__
        seen, leaked = (
            torch.from_numpy(weights).to(x.dtype) for weights in kept(self, len(x))
        )
        if self.norm:
            x = torch.nn.functional.layer_norm(x, x.shape[1:], eps=1e-12)
        out = seen @ x + leaked @ (self.sign * x.abs() if self.sign else x)
        if self.rounding:
            # Slopes stay a fifth of it: a Jacobian adds those of many numbers.
            wave = torch.sin(x.detach().sum()) + 0.2 * torch.sin(x.sum())
            out = out + self.rounding * wave
        return out + memory.mean(0) if self.memory else out

    def __repr__(self) -> str:
        return "a decoder, to be called as decoder(x, memory)"


@lru_cache(maxsize=1000)
def weights_of(decoder, t):
    """How much each of t rows sees of each word, and how much leaks into it."""
    may = {
        "past": np.tri(t),
        "before": np.tri(t, k=-1),
        "own": np.eye(t),
        "all": np.ones((t, t)),
        "none": np.zeros((t, t)),
    }[decoder.sees]
    leaked = np.zeros((t, t))
    for steps in decoder.ahead:
        leaked += np.eye(t, k=steps)
    for row, word, weight in decoder.leaks:
        if max(row, word) < t and row % t < word % t:
            leaked[row, word] = weight
    return may / np.maximum(may.sum(1, keepdims=True), 1), leaked


def verdicts(answers, decoder, x, memory):
    """The verdict on a decoder, or on each of several."""
    if not isinstance(decoder, tuple):
        return answers[0](decoder, x, memory)
    asked = enumerate(zip(decoder, x, memory, strict=True), 1)
    return {f"decoder {number}": answers[0](*one) for number, one in asked}


SEVERAL = 6
SIZES = 5, 4, 3


def check(title, decoder, twin=None, sizes=SIZES, twin_sizes=None, later=1.0):
    """A decoder, and as many words, features and memory rows as `sizes` say.

    Of the decoder and its twin one leaks. With fresh numbers several are asked about,
    some of either kind in any order, so that the verdicts are not the same each time.
    `later` is the size of all words but the first.
    """
    twin = twin or replace(decoder, leaks=(), ahead=(), sees="past")

    def one(rng, decoder, sizes=sizes):
        t, d_model, t_src = sizes
        x, memory = (rng.normal(size=(n, d_model)).round(2) for n in (t, t_src))
        x[1:] *= later
        return decoder, x, 2 * memory

    def several(rng):
        of_the_title = rng.permutation(SEVERAL) < rng.integers(1, SEVERAL)
        pair = (twin, twin_sizes or sizes), (decoder, sizes)
        return tuple(
            zip(*(one(rng, *pair[here]) for here in 1 * of_the_title), strict=True)
        )

    return Check(title, lambda rng: one(rng, decoder), verdicts, fresh=several)


def leaky(**options):
    """A decoder in which every word sees the next one, too."""
    return Decoder(ahead=(1,), **options)


TASK = FunctionTask(
    title="A test that finds a leak",
    kind="explain",
    answers=("leaks",),
    arguments=("decoder", "x", "memory"),
    outputs=("verdict",),
    arrays="torch",
    right=(ONE_BY_ONE, PREFIXES, JACOBIAN, TABLE),
    mistakes=MISTAKES,
    pairs=False,  # one truth value a check
    checks=(
        check("a decoder with a causal mask", Decoder(), leaky()),
        check(
            "a decoder without any mask",
            Decoder(ahead=(1, 2, 3, 4, 5)),
            sizes=(4, 4, 3),
        ),
        check("every word sees the next one", leaky(sign=-1), later=0.01),
        check("the first word sees the last one", Decoder(leaks=((0, -1, 1.0),))),
        check(
            "the first word sees the second",
            Decoder(leaks=((0, 1, 1.0),), sign=1),
            later=0.01,
        ),
        check(
            "the last word but one sees the last one",
            Decoder(leaks=((-2, -1, 1.0),), sign=-1),
            sizes=(7, 4, 3),
            later=0.01,
        ),
        check(
            "the first two words see the third",
            Decoder(leaks=((0, 2, 1.0), (1, 2, 1.0))),
        ),
        check(
            "a word in the middle sees two words ahead",
            Decoder(leaks=((2, 4, 1.0),), sign=1),
            sizes=(7, 4, 4),
            later=0.01,
        ),
        check("a small leak", Decoder(leaks=((1, 3, 0.004), (0, 4, 0.004)))),
        check(
            "a leak behind a LayerNorm",
            Decoder(ahead=(1, 2), norm=True),
            sizes=(5, 6, 3),
        ),
        check("all words but the first are zeros", Decoder(sees="all"), later=0.0),
        check(
            "no leak, but other roundings",
            Decoder(rounding=4e-6),
            leaky(rounding=4e-6),
            sizes=(6, 7, 3),
        ),
        check(
            "no leak: every word sees itself alone",
            Decoder(sees="own", memory=False),
            leaky(sees="own", memory=False),
        ),
        check(
            "no leak: every word sees those before it",
            Decoder(sees="before"),
            leaky(sees="before"),
        ),
        check(
            "no leak: no row attends to the target",
            Decoder(sees="none"),
            leaky(sees="none"),
        ),
        check(
            "a single word has no future",
            Decoder(),
            leaky(),
            sizes=(1, 4, 3),
            twin_sizes=(2, 4, 3),
        ),
    ),
    hints=(
        "A claim that can be checked: whatever you write from position j on, the rows "
        "before j stay as they are. For which j must it hold?",
        "Change one thing, run again, compare. What may you change, which rows do you "
        "compare, and which difference is more than rounding?",
    ),
    section="Teacher forcing and step by step",
    why="A shape, a loss or one example can't show a leak; changing the future and seeing "
    "nothing move can. It tests that one thing: what is missing besides, it can't see.",
)
