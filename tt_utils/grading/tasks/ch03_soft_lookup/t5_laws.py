"""03.5 Which laws of a soft lookup does this lookup keep?"""

from dataclasses import dataclass

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

# Random numbers only with a seed: a mistake must look the same each time it is run.
PLAIN = """
def laws(lookup, q, k, v):
    def same(a, b):
        return np.allclose(a, b, atol=1e-4)

    out, weights = lookup(q, k, v)
    shares = weights.min() > -1e-4 and same(weights.sum(axis=1), 1)
    silent = same(lookup(q, k, v[::-1] ** 2 - 2 * v)[1], weights)
    rng = np.random.default_rng(0)
    orders = [rng.permutation(len(k)) for _ in range(5)]
    free = all(same(lookup(q, k[order], v[order])[0], out) for order in orders)
    single = [lookup(q[i : i + 1], k, v)[0][0] for i in range(len(q))]
    alone = same(single, out)
    return shares, silent, free, alone
"""

LOOPS = """
def laws(lookup, q, k, v):
    def near(a, b):
        return np.abs(np.asarray(a) - np.asarray(b)).max() < 1e-4

    out, weights = lookup(q, k, v)
    shares = all((row > -1e-4).all() and abs(sum(row) - 1) < 1e-4 for row in weights)
    silent = near(weights, lookup(q, k, np.zeros_like(v))[1])
    free = True
    for i in range(len(k)):
        for j in range(i):
            order = list(range(len(k)))
            order[i], order[j] = order[j], order[i]
            free = free and near(out, lookup(q, k[order], v[order])[0])
    alone = True
    for n in range(len(q)):
        alone = alone and near(out[n], lookup(q[n : n + 1], k, v)[0])
    return bool(shares), bool(silent), bool(free), bool(alone)
"""

GAPS = """
def laws(lookup, q, k, v):
    out, weights = lookup(q, k, v)
    number = np.arange(1, len(k) + 1)

    other_v = v * number[:, None] - 1
    moved_weights = weights - lookup(q, k, other_v)[1]
    gaps_order = []
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(len(k))
        gaps_order.append(lookup(q, k[order], v[order])[0] - out)
    gaps_alone = []
    for i in range(len(q)):
        (row,), _ = lookup(q[[i]], k, v)
        gaps_alone.append(row - out[i])
    sums = weights.sum(axis=1) - 1
    largest = [np.abs(gaps).max() for gaps in (sums, moved_weights, gaps_order, gaps_alone)]
    kept = [gap < 2e-4 for gap in largest]
    kept[0] = kept[0] and not (weights < -2e-4).any()
    return tuple(kept)
"""

MISTAKES = """
negative weights not seen: weights.min() > -1e-4 and same → same
or: (row > -1e-4).all() and abs → abs
or: and not (weights < -2e-4).any() →
    You call them shares as soon as they add up to 1. In one lookup a friend has less than
    nothing: what else must a share be?

sums not looked at: and same(weights.sum(axis=1), 1) →
or: and abs(sum(row) - 1) < 1e-4 →
or: (sums, moved_weights → (0 * sums, moved_weights
    In the failing lookup rows add up to more than 1, and you call them shares. What
    should a row add up to?

columns added up: weights.sum(axis=1) → weights.sum(axis=0)
or: for row in weights) → for row in weights.T)
    You add up columns. A friend may be in demand: whose weights make a whole 1?

all weights added up: same(weights.sum(axis=1), 1) → same(weights.sum(), len(q))
or: weights.sum(axis=1) - 1 → weights.sum() - len(q)
    In the failing lookup all weights together add up to the number of askers, and still
    no row of them to 1. Which numbers must add up?

first row only: same(weights.sum(axis=1), 1) → same(weights[0].sum(), 1)
or: for row in weights) → for row in weights[:1])
or: weights.sum(axis=1) - 1 → weights.sum(axis=1)[:1] - 1
    In the failing lookup the first row adds up to 1, and later rows don't. Which rows
    does the law speak of?

zero not allowed: weights.min() > -1e-4 → weights.min() > 0
or: row > -1e-4 → row > 0
or: not (weights < -2e-4).any() → (weights > 1e-12).all()
    You turn down a hard lookup, whose weights are 0 and 1. What does the first law say of
    a weight?

answers watched instead of weights: [1], weights) → [0], out)
or: near(weights, lookup(q, k, np.zeros_like(v))[1]) → near(out, lookup(q, k, np.zeros_like(v))[0])
or: weights - lookup(q, k, other_v)[1] → out - lookup(q, k, other_v)[0]
    When values change, answers may change too. In which of the two results must values
    have no say?

the same added to all values: v[::-1] ** 2 - 2 * v → v + 1
or: np.zeros_like(v) → v + 5
or: v * number[:, None] - 1 → v - 1
    You saw no change where values have a say. If they go on into the scores, the same
    number added to all of them leaves no trace: only differences count. What would be a
    better change?

all values turned around: v[::-1] ** 2 - 2 * v → -v
or: np.zeros_like(v) → -v
or: v * number[:, None] - 1 → -v
    In the failing lookup a value counts by its size, whatever its sign, and you saw no
    change. What else can change about a value, and how large a change do you forgive?

values left as they are: v[::-1] ** 2 - 2 * v → v.copy()
or: np.zeros_like(v) → v
or: v * number[:, None] - 1 → v
    Between your two calls the values hardly differ, if at all. What should be new in
    the second one?

keys changed too: lookup(q, k, v[::-1] ** 2 - 2 * v) → lookup(q, k[::-1], v[::-1])
or: lookup(q, k, np.zeros_like(v)) → lookup(q, 0 * k, 0 * v)
or: lookup(q, k, other_v) → lookup(q, k * number[:, None], other_v)
    You change the keys along with the values, and keys do decide. To see what a value does,
    what must stay?

pairs torn apart: lookup(q, k[order], v[order]) → lookup(q, k[order], v)
or: lookup(q, k[order], v[order]) → lookup(q, k, v[order])
    You move keys or values alone, and the others stay where they are. What belongs
    together in an entry?

weights compared after reordering: v[order])[0], out) → v[order])[1], weights)
or: near(out, lookup(q, k[order], v[order])[0]) → near(weights, lookup(q, k[order], v[order])[1])
or: lookup(q, k[order], v[order])[0] - out → lookup(q, k[order], v[order])[1] - weights
    When the friends stand in another order, the columns of weights change places too. In
    which of the two results does the order leave no trace?

front to back only: orders = [rng.permutation(len(k)) for _ in range(5)] → orders = [np.arange(len(k))[::-1]]
or: order = np.random.default_rng(seed).permutation(len(k)) → order = np.arange(len(k))[::-1]
    In the failing lookup both ends of the list are preferred, and both alike. Which
    orders are there besides front to back?

moved along only: orders = [rng.permutation(len(k)) for _ in range(5)] → orders = [np.roll(np.arange(len(k)), 1)]
or: order = np.random.default_rng(seed).permutation(len(k)) → order = np.roll(np.arange(len(k)), seed)
    In the failing lookup an entry passes on its neighbour's value, and in your orders
    everybody keeps that neighbour. Which orders part them?

only the first two exchanged: orders = [rng.permutation(len(k)) for _ in range(5)] → orders = [[1, 0, *range(2, len(k))]]
    In the failing lookup the last position is a special one, and your order left its
    friend there. Which other orders are there?

only the last two exchanged: orders = [rng.permutation(len(k)) for _ in range(5)] → orders = [[*range(len(k) - 2), len(k) - 1, len(k) - 2]]
    In the failing lookup the first position is a special one, and your order left its
    friend there. Which other orders are there?

features reordered: lookup(q, k[order], v[order]) → lookup(q, k[:, ::-1], v[:, ::-1])
    You reorder columns, the opinions of each friend. Along which axis do the friends stand?

nothing reordered: lookup(q, k[order], v[order]) → lookup(q, k, v)
    Whatever the order, you see no difference, even where a position is preferred. What
    comes in another order, and what do you compare?

first asker only: range(len(q))] → range(1)]
and: same(single, out) → same(single, out[:1])
or: for n in range(len(q)): → for n in range(1):
or: for i in range(len(q)):\\n        (row → for i in range(1):\\n        (row
    In the failing lookup the first asker gets what he would get alone, and those after
    him don't. Do you let every asker come alone?

last asker only: for n in range(len(q)): → for n in range(len(q) - 1, len(q)):
or: for i in range(len(q)):\\n        (row → for i in range(len(q) - 1, len(q)):\\n        (row
or: [lookup(q[i : i + 1], k, v)[0][0] for i in range(len(q))] → lookup(q[-1:], k, v)[0]
and: same(single, out) → same(single, out[-1:])
    In the failing lookup the last asker gets what he would get alone, and those before
    him don't. Do you let every asker come alone?

askers reordered only: [lookup(q[i : i + 1], k, v)[0][0] for i in range(len(q))] → lookup(q[::-1], k, v)[0][::-1]
or: alone = True\\n    for n in range(len(q)):\\n        alone = alone and near(out[n], lookup(q[n : n + 1], k, v)[0]) → alone = near(out[::-1], lookup(q[::-1], k, v)[0])
    In the failing lookup the askers share something, in whatever order they stand. What
    has to change, so that one of them comes alone?

number of askers kept: [lookup(q[i : i + 1], k, v)[0][0] for i in range(len(q))] → [lookup(np.where(np.arange(len(q))[:, None] == i, q, 1 - q), k, v)[0][i] for i in range(len(q))]
or: (row,), _ = lookup(q[[i]], k, v) → row = lookup(np.where(np.arange(len(q))[:, None] == i, q, 0), k, v)[0][i]
or: lookup(q[n : n + 1], k, v)[0]) → lookup(q * 0 + q[n], k, v)[0][n])
    In the failing lookup it matters at which position an asker stands, not who the
    others are. Who else should be there when an asker is alone?

one more asker only: [lookup(q[i : i + 1], k, v)[0][0] for i in range(len(q))] → lookup(np.concatenate([q, q[:1] + 1]), k, v)[0][:-1]
or: alone = True\\n    for n in range(len(q)):\\n        alone = alone and near(out[n], lookup(q[n : n + 1], k, v)[0]) → alone = near(out, lookup(np.concatenate([q, 2 * q[:1]]), k, v)[0][:-1])
    In the failing lookup it matters who stands in front, and you take nobody away from
    there. Who else should be there when an asker is alone?

weights of the single asker: [lookup(q[i : i + 1], k, v)[0][0] for → [lookup(q[i : i + 1], k, v)[1][0] @ v for
or: [lookup(q[i : i + 1], k, v)[0][0] for i in range(len(q))] → [lookup(q[i : i + 1], k, v)[1][0] for i in range(len(q))]
and: same(single, out) → same(single, weights)
or: near(out[n], lookup(q[n : n + 1], k, v)[0]) → near(weights[n], lookup(q[n : n + 1], k, v)[1])
    You judge by the weights of the single asker. The law speaks of the answers that the
    lookup itself gives: which result are those?

equal to the last digit: np.allclose(a, b, atol=1e-4) → np.array_equal(a, b + 0 * np.asarray(a))
or: .max() < 1e-4 → .max() == 0
and: abs(sum(row) - 1) < 1e-4 → sum(row) == 1
or: gap < 2e-4 → gap == 0
    You turn down a lookup that only rounds. How large a difference does the task forgive?

too forgiving: atol=1e-4 → atol=0.1
or: atol=1e-4 → atol=0.01
or: np.abs(np.asarray(a) - np.asarray(b)).max() → ((np.asarray(a) - np.asarray(b)) ** 2).max()
or: .max() < 1e-4 → .max() < 0.1
or: gap < 2e-4 → gap < 0.1
    Small violations get through. How large a difference does the task forgive, and how
    large a one do you?

falls or rises not seen: np.abs(np.asarray(a) - np.asarray(b)).max() → (np.asarray(a) - np.asarray(b)).max()
or: np.abs(np.asarray(a) - np.asarray(b)).max() → (np.asarray(b) - np.asarray(a)).max()
or: np.abs(gaps).max() for gaps in (sums, moved_weights, gaps_order, gaps_alone) → np.max(gaps) for gaps in (abs(sums), moved_weights, gaps_order, gaps_alone)
    You subtract and look for the largest, but a number below 0 is a difference too. What is
    the size of a change?

next asker always there: lookup(q[i : i + 1], k, v)[0][0] for → lookup(q[i : i + 2], k, v)[0][0] for
or: lookup(q[n : n + 1], k, v)[0]) → lookup(q[n : n + 2], k, v)[0][0])
    In the failing lookup an asker's answer depends on the one who comes next. Is that
    one gone when you let an asker come alone?

answers upside down: return shares, silent, free, alone → return not shares, not silent, not free, not alone
or: return bool(shares), bool(silent), bool(free), bool(alone) → return not shares, not silent, not free, not alone
or: return tuple(kept) → return tuple(not one for one in kept)
    You say True where a law is broken. What should True mean here?

all at once: return shares, silent, free, alone → return (shares and silent and free and alone,) * 4
or: return bool(shares), bool(silent), bool(free), bool(alone) → return [bool(shares and silent and free and alone)] * 4
or: return tuple(kept) → return (all(kept),) * 4
    One broken law, and you call all of them broken. How many verdicts are asked for?

compared with softmax: weights.min() > -1e-4 and same(weights.sum(axis=1), 1) → same(weights, np.exp(q @ k.T) / np.exp(q @ k.T).sum(axis=1, keepdims=True))
or: all((row > -1e-4).all() and abs(sum(row) - 1) < 1e-4 for row in weights) → near(weights, np.exp(q @ k.T) / np.exp(q @ k.T).sum(axis=1, keepdims=True))
    You turn down every lookup but the chapter's own. The first law doesn't say how the
    shares are made: what does it say?

yes without a test: return shares, silent, free, alone → return True, True, True, True
    You believe every lookup. What did you try?

all weights a single whole: same(weights.sum(axis=1), 1) → same(weights.sum(), 1)
or: weights.sum(axis=1) - 1 → weights.sum() - 1
    You want all weights of the table together to make 1. How much does each asker have to
    share out?

verdicts in another order: return shares, silent, free, alone → return shares, silent, alone, free
or: return bool(shares), bool(silent), bool(free), bool(alone) → return bool(silent), bool(shares), bool(free), bool(alone)
or: return bool(shares), bool(silent), bool(free), bool(alone) → return bool(shares), bool(free), bool(silent), bool(alone)
    Two of your verdicts have changed places. In which order does the task list the laws?
"""


@dataclass(frozen=True)
class Lookup:
    """A lookup that keeps or breaks the laws.

    Attributes:
        make: how weights come from scores, a table (t_q, t_k).
        first, last, ends, slope: bonus of the first entry, of the last one, per step
            away from the middle, and per position.
        before, next, after: how much a query takes in of those before it, of the next
            one, and of all after it.
        mean, later: how much it differs from the mean of all; the first one is spared.
        by_value, by_size: how much a value counts as a score, with or without its sign.
        neighbour: an entry passes on its neighbour's value.
        for_show: the answer is the plain mean, whatever the weights are.
        crowd: how much each further asker adds to all answers.
        louder: by how much all weights are too large.
        rounding: the size of a difference that any other input makes.
    """

    make: str = "softmax"
    first: float = 0.0
    last: float = 0.0
    ends: float = 0.0
    slope: float = 0.0
    before: float = 0.0
    next: float = 0.0
    after: float = 0.0
    mean: float = 0.0
    later: float = 0.0
    by_value: float = 0.0
    by_size: float = 0.0
    neighbour: bool = False
    for_show: bool = False
    crowd: float = 0.0
    louder: float = 0.0
    rounding: float = 0.0
    offers = ()

    def __call__(self, q, k, v):
        q, k, v = (np.asarray(x, dtype=float) for x in (q, k, v))
        rows = self.company(np.atleast_2d(q))
        scores = rows @ k.T + self.bonus(len(k))
        scores = scores + self.by_value * v.sum(axis=1)
        scores = scores + self.by_size * np.abs(v).sum(axis=1)
        weights = MAKE[self.make](scores) * (1 + self.louder)
        if self.rounding:
            noise = np.sin(rows.sum() + v.sum() + np.arange(len(k)) @ k.sum(axis=1))
            weights = weights * (1 + self.rounding * noise)
        handed = np.roll(v, 1, axis=0) if self.neighbour else v
        out = weights @ handed
        if self.for_show:
            out = out * 0 + v.mean(axis=0)
        out = out * (1 + self.crowd) ** (len(rows) - 1)
        return (out, weights) if q.ndim == 2 else (out[0], weights[0])

    def company(self, rows):
        """The queries after the askers have taken in something of each other."""
        earlier = np.tri(len(rows), k=-1)
        away = rows - rows.mean(axis=0)
        heard = self.before * earlier + self.after * earlier.T
        rows = rows + (heard + self.next * np.eye(len(rows), k=1)) @ rows
        spared = np.arange(len(rows))[:, None] > 0
        return rows + self.mean * away + self.later * away * spared

    def bonus(self, t_k):
        """What the entries get for their positions in the list."""
        places = np.arange(t_k)
        ends = np.abs(places - (t_k - 1) / 2)
        return (
            self.first * (places == 0)
            + self.last * (places == t_k - 1)
            + self.ends * ends
            + self.slope * places
        )

    def __repr__(self) -> str:
        return "a lookup, to be called as lookup(q, k, v)"


def powers(scores):
    return np.exp(scores - scores.max(axis=-1, keepdims=True))


def softmax(scores):
    return powers(scores) / powers(scores).sum(axis=-1, keepdims=True)


def over_the_askers(scores):
    return softmax(scores.T).T


def uneven(scores):
    """The first row is right, the second has too much and the third too little."""
    factors = np.ones((len(scores), 1))
    factors[1::2] = 1.25
    factors[2::2] = 0.75
    return softmax(scores) * factors


def less_than_nothing(scores):
    """The worst key owes the best one."""
    is_worst = scores == scores.min(axis=1, keepdims=True)
    return softmax(scores) - 0.3 * is_worst + 0.3 * hard(scores)


def hard(scores):
    return (scores == scores.max(axis=1, keepdims=True)).astype(float)


def all_alike(scores):
    return np.full_like(scores, 1 / scores.shape[1])


def a_little_less(scores):
    return 0.9985 * softmax(scores)


MAKE = {
    rule.__name__: rule
    for rule in (
        softmax,
        powers,
        over_the_askers,
        uneven,
        less_than_nothing,
        hard,
        all_alike,
        a_little_less,
    )
}


# What a lookup may do besides, so that its title doesn't tell the verdicts: each breaks
# one law, and any test of that law notices.
SHARES = {"louder": 0.5}
SAY = {"by_value": 0.5}
PLACE = {"slope": 0.7}
FIRST = {"first": 100.0}
NEIGHBOUR = {"neighbour": True}
CROWD = {"crowd": 0.3}


def case(t_q=3, t_k=7, d_k=2, d_v=5, evenly=False, **how):
    """A lookup and random tables for it.

    `evenly`: values are spread evenly above 0; a small violation is then as small for
    every seed.
    """

    def inputs(rng):
        shapes = (t_q, d_k), (t_k, d_k), (t_k, d_v)
        q, k, v = (rng.normal(size=shape).round(2) for shape in shapes)
        if evenly:
            spread = np.linspace(1, 3, t_k).round(2)
            v = np.stack([rng.permutation(spread) for _ in range(d_v)], axis=1)
        return Lookup(**how), q, k, v

    return inputs


def law(title, *besides, t_q=3, t_k=7, d_k=2, **how):
    """A check by one lookup; with other seeds it does one more thing besides.

    The sizes of their tables are then those of any other check.
    """
    evenly = "crowd" in how

    def fresh(rng):
        n, d_k, d_v = rng.choice((5, 7)), rng.choice((2, 3)), rng.choice((3, 5))
        return case(n, n, d_k, d_v, evenly, **how, **rng.choice(besides))(rng)

    return Check(title, case(t_q, t_k, d_k, evenly=evenly, **how), fresh=fresh)


TASK = FunctionTask(
    title="Which laws does it keep?",
    kind="explain",
    answers=("laws",),
    arguments=("lookup", "q", "k", "v"),
    outputs=("shares", "values_silent", "order_free", "alone"),
    right=(PLAIN, LOOPS, GAPS),
    mistakes=MISTAKES,
    pairs=False,  # four truth values a check
    checks=(
        law("a soft lookup like the chapter's", SHARES, SAY, PLACE, CROWD),
        law("voices that are not shared out", SAY, PLACE, CROWD, make="powers"),
        law(
            "softmax over the askers, who are as many as the entries",
            NEIGHBOUR,
            make="over_the_askers",
            t_q=5,
            t_k=5,
        ),
        law(
            "weights of less than nothing", SAY, PLACE, CROWD, make="less_than_nothing"
        ),
        law(
            "one asker has too much, another too little",
            SAY,
            PLACE,
            make="uneven",
            t_q=5,
        ),
        law("a hard lookup", FIRST, CROWD, make="hard"),
        law("the plain mean for all", CROWD, make="all_alike"),
        law("a lookup that rounds", SHARES, PLACE, CROWD, rounding=1e-7, d_k=3),
        law(
            "weights for show: the answer is the plain mean", SHARES, SAY, for_show=True
        ),
        law(
            "values have a say, and askers depend on those after",
            SHARES,
            PLACE,
            by_value=0.5,
            after=0.7,
            t_q=4,
        ),
        law(
            "the size of values has a say, and the last entry is preferred",
            SHARES,
            CROWD,
            by_size=0.5,
            last=1.0,
        ),
        law(
            "both ends are preferred, and askers depend on those before",
            SHARES,
            SAY,
            ends=0.4,
            before=0.7,
            t_q=4,
        ),
        law(
            "the neighbour's value, and askers depend on the next one",
            SHARES,
            SAY,
            neighbour=True,
            next=0.7,
            t_q=4,
        ),
        law(
            "the first entry is preferred, and askers depend on the mean of all",
            SHARES,
            SAY,
            first=1.0,
            mean=0.7,
            t_q=4,
        ),
        law(
            "all but the first asker depend on the mean",
            SHARES,
            SAY,
            PLACE,
            later=0.7,
            t_q=4,
        ),
        law("the more askers, the smaller the answers", SHARES, SAY, PLACE, crowd=-0.2),
        law("small violations", SAY, make="a_little_less", ends=0.0035, crowd=0.001),
    ),
    hints=(
        "Each law says what may change and what must stay. Change one thing, look up again, "
        "compare the right one of the two results.",
        "A law holds for every change of its kind, so ask of yours: which lookup would break "
        "the law and get away with it? Then try more orders, or more askers.",
    ),
    section="Three changes",
    why="A test is worth as much as what it turns down: yours notices a say of the values, a "
    "favoured position, an asker who depends on others, and it forgives rounding.",
)
