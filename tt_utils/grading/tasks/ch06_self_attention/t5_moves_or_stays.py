"""06.5 Do the outputs move with the words? A claim that code can check."""

import numpy as np

from tt_utils.grading.tasks.inputs import Rule
from tt_utils.grading.tasks.spec import Check, FunctionTask

# No random numbers in these: a mistake must look the same each time it is run.
PAIRS = """
def moves_and_stays(f, x):
    before = f(x)
    moves = stays = True
    for i in range(len(x)):
        for j in range(i):
            order = list(range(len(x)))
            order[i], order[j] = j, i
            after = f(x[order])
            if (after - before[order]).abs().max() > 1e-4:
                moves = False
            if (after - before).abs().max() > 1e-4:
                stays = False
    return moves, stays
"""

NEIGHBOURS_SWAPPED = """
def moves_and_stays(f, x):
    before, orders = f(x), [list(range(len(x)))]
    for i in range(len(x) - 1):
        order = list(range(len(x)))
        order[i], order[i + 1] = order[i + 1], order[i]
        orders.append(order)
    moves = all(torch.allclose(f(x[p]), before[p], rtol=0, atol=1e-4) for p in orders)
    stays = all(torch.allclose(f(x[p]), before, rtol=0, atol=1e-4) for p in orders)
    return moves, stays
"""

MATRICES = """
def moves_and_stays(f, x):
    t, y = len(x), f(x)
    moved, stayed = [0.0], [0.0]
    for i in range(t):
        for j in range(i):
            P = torch.eye(t)
            P[[i, j]] = P[[j, i]]
            moved.append(float(torch.norm(f(P @ x) - P @ y)))
            stayed.append(float(torch.norm(f(P @ x) - y)))
    return max(moved) < 3e-4, max(stayed) < 3e-4
"""

GENERATED = """
def moves_and_stays(f, x):
    first, places = f(x), torch.arange(len(x))
    swapped = places.clone()
    swapped[:2] = places[:2].flip(0)
    verdict = [True, True]
    for order in (swapped, places.roll(1), places.roll(-1), places.flip(0)):
        after = f(x[order])
        back = torch.argsort(order)
        verdict[0] &= bool((after[back] - first).abs().amax() < 1e-4)
        verdict[1] &= bool((after - first).abs().amax() < 1e-4)
    return tuple(verdict)
"""

MISTAKES = """
moving and staying mixed up: return moves, stays → return stays, moves
or: max(moved) < 3e-4, max(stayed) < 3e-4 → max(stayed) < 3e-4, max(moved) < 3e-4
or: tuple(verdict) → tuple(verdict[::-1])
    You have the two words the wrong way round. Whose rows change places in *moves*, those
    of the words alone or those of the outputs as well?

output never moved: after - before[order] → after - before
or: f(x[p]), before[p] → f(x[p]), before
or: f(P @ x) - P @ y → f(P @ x) - y
or: after[back] - first → after - first
    Both of your verdicts are always the same. In $f(PX) = P f(X)$ something happens to
    the outputs too: what?

output always moved: after - before).abs() → after - before[order]).abs()
or: f(x[p]), before, → f(x[p]), before[p],
or: f(P @ x) - y)) → f(P @ x) - P @ y))
or: (after - first).abs → (after[back] - first).abs
    Both of your verdicts are always the same. To stay means that row 0 holds what it held
    before, whichever word stands there now: what do you compare for that?

features shuffled: for i in range(len(x)) → for i in range(x.shape[1])
and: order = list(range(len(x))) → order = list(range(x.shape[1]))
and: x[order] → x[:, order]
and: before[order] → before[:, order]
or: t, y = len(x) → t, y = x.shape[1]
and: f(P @ x) - P @ y → f(x @ P) - y @ P
and: f(P @ x) → f(x @ P)
    You put the features into another order, which are columns. Along which axis do the
    words stand?

moved back instead of along: after[back] - first → after[order] - first
    You move the outputs in the wrong direction. Swapping two is its own way back, other
    orders are not: which outputs does P move?

compared with the words: after - before[order] → after - x[order]
or: f(x[p]), before[p] → f(x[p]), x[p]
or: f(P @ x) - P @ y → f(P @ x) - P @ x
    You compare the outputs with the words that went in. A head changes its words: with
    which outputs should the new ones agree?

only turned around: in (swapped, places.roll(1), places.roll(-1), places.flip(0)) → in (places.flip(0),)
or: verdict[0] &= → verdict[0] =
and: verdict[1] &= → verdict[1] =
    Your verdict rests on one order, the words from last to first. A function may treat
    left and right alike and still see who stands in between: which orders decide?

only pushed on in a ring: in (swapped, places.roll(1), places.roll(-1), places.flip(0)) → in (places.roll(1),)
or: in (swapped, places.roll(1), places.roll(-1), places.flip(0)) → in (places.roll(1), places.roll(-1))
or: in (swapped, places.roll(1), places.roll(-1), places.flip(0)) → in [places.roll(n) for n in range(len(x))]
    Your orders leave the neighbours together, as a push in a ring does, or there are
    too few of them. Which orders part neighbours?

only the first two swapped: in (swapped, places.roll(1), places.roll(-1), places.flip(0)) → in (swapped,)
or: for i in range(len(x) - 1) → for i in range(min(1, len(x) - 1))
or: stays = False\\n    return → stays = False\\n            return moves, stays\\n    return
    Your verdict rests on too few orders, such as one that swaps the first two words.
    What if a function only sees the place of the last one, or does your loop end early?

only the ends swapped: for i in range(t):\\n        for j in range(i): → for i in range(t - 1, t):\\n        for j in range(min(1, i)):
    Your orders are too few, such as one that swaps the ends. What if a function only
    sees who stands in the middle?

only the last two swapped: for i in range(len(x) - 1) → for i in range(max(0, len(x) - 2), len(x) - 1)
or: if (after - before[order]).abs().max() > 1e-4:\\n                moves = False → moves = not (after - before[order]).abs().max() > 1e-4
and: if (after - before).abs().max() > 1e-4:\\n                stays = False → stays = not (after - before).abs().max() > 1e-4
    Your verdict rests on too few orders, such as one that swaps the last two words.
    What if a function only sees the place of the first one, and what becomes of a no
    that came earlier?

always yes: moves = all( → moves = any(
and: stays = all( → stays = any(
or: max(moved) < 3e-4, max(stayed) < 3e-4 → min(moved) < 3e-4, min(stayed) < 3e-4
or: verdict[0] &= → verdict[0] |=
and: verdict[1] &= → verdict[1] |=
or: orders.append(order) → pass
or: return moves, stays → return True, True
    You find every claim true. It is about every order: how many of them do you try, do
    they change anything, and how many exceptions does a claim bear?

always no: return moves, stays → return False, False
    You find every claim false, even where a single word is given. What do you compare,
    and what would it take for a yes?

always what a head gives: return moves, stays → return True, False
    You answer for self-attention, whatever `f` is. Some functions look at places, others
    give the same rows for every order: where does your verdict depend on `f`?

first row alone: (after - before[order]) → (after - before[order])[0]
and: (after - before).abs → (after - before)[0].abs
or: f(P @ x) - P @ y → (f(P @ x) - P @ y)[0]
and: f(P @ x) - y → (f(P @ x) - y)[0]
    You look at the first row of the outputs alone. Which other rows could give a function
    away?

one row that agrees is enough: (after - before[order]).abs().max() → (after - before[order]).abs().amax(1).min()
and: (after - before).abs().max() → (after - before).abs().amax(1).min()
    You say yes where one row agrees. How many rows must do so?

totals compared: f(x[p]), before[p], → f(x[p]).sum(0), before[p].sum(0),
and: f(x[p]), before, → f(x[p]).sum(0), before.sum(0),
or: f(P @ x) - P @ y → (f(P @ x) - P @ y).sum(0)
and: f(P @ x) - y → (f(P @ x) - y).sum(0)
    You compare totals over all words. A total is the same wherever the rows stand: what
    should be compared row by row?

differences that cancel: (after - before[order]).abs().max() → (after - before[order]).sum().abs()
and: (after - before).abs().max() → (after - before).sum().abs()
or: (after - before[order]).abs().max() → (after - before[order]).mean().abs()
and: (after - before).abs().max() → (after - before).mean().abs()
    You add the differences up before you look at their size, and some are positive, some
    negative. What must come first?

sizes averaged: (after - before[order]).abs().max() → (after - before[order]).abs().mean()
and: (after - before).abs().max() → (after - before).abs().mean()
or: max(moved) < 3e-4, max(stayed) < 3e-4 → max(moved) < 1e-4 * x.numel(), max(stayed) < 1e-4 * x.numel()
    You take a mean of the differences. One number that moves is drowned by those that
    don't: which of them decides?

sign lost: (after - before[order]).abs().max() → (after - before[order]).max()
and: (after - before).abs().max() → (after - before).max()
    A number may also become smaller, and your difference is then negative. What is
    missing before you look for the largest?

to the last digit: > 1e-4 → > 0
or: torch.allclose(f(x[p]), before[p], rtol=0, atol=1e-4) → torch.allclose(f(x[p]), before[p])
and: torch.allclose(f(x[p]), before, rtol=0, atol=1e-4) → torch.allclose(f(x[p]), before)
or: torch.allclose(f(x[p]), before[p], rtol=0, atol=1e-4) → torch.equal(f(x[p]), before[p])
and: torch.allclose(f(x[p]), before, rtol=0, atol=1e-4) → torch.equal(f(x[p]), before)
or: < 1e-4 → <= 0
    You take rounding for a difference. How large a difference does the task forgive?

too forgiving: > 1e-4 → > 0.3
or: atol=1e-4 → atol=0.3
or: < 3e-4 → < 0.3
or: > 1e-4 → > 0.1
or: atol=1e-4 → atol=0.1
or: > 1e-4 → > 0.03
or: atol=1e-4 → atol=0.03
or: > 1e-4 → > 1
or: atol=1e-4 → atol=1
    A small difference gets through. How large a one does the task forgive, and how large
    a one do you?

one excludes the other: return moves, stays → return moves, stays and not moves
or: return moves, stays → return moves, not moves
or: return moves, stays → return moves and not stays, stays
or: return moves, stays → return not stays, stays
    You take the two for opposites. If every row of the output is the same, what becomes
    of it when its rows change places?

what does not move cannot stay: return moves, stays → return moves, moves and stays
or: max(stayed) < 3e-4 → max(moved + stayed) < 3e-4
or: return tuple(verdict) → return verdict[0], verdict[0] and verdict[1]
    Where the first claim is false you call the second one false, too. Could a function
    give the same rows for every order, without any two of those rows being equal?

no for yes: return moves, stays → return not moves, not stays
or: < 3e-4, max(stayed) < 3e-4 → > 3e-4, max(stayed) > 3e-4
    Both of your verdicts are upside down. What does True say of a function?
"""


def head(x, bias=0):
    """A head whose three projections only move features about."""
    k, v = x.roll(1, 1), x.flip(1)
    return (x @ k.T / x.shape[1] ** 0.5 + bias).softmax(-1) @ v


def places(x):
    import torch

    return torch.arange(len(x), dtype=x.dtype)[:, None]


def distances(x):
    return (places(x) - places(x).T).abs()


def with_places(x):
    return head(x + places(x))


def later_words_hidden(x):
    import torch

    return head(
        x, torch.zeros(len(x), len(x)).masked_fill(places(x) < places(x).T, -1e9)
    )


def near_words_first(x):
    return head(x, -0.7 * distances(x))


def neighbours_in_a_ring(x):
    return x + 0.003 * (x.roll(1, 0) + x.roll(-1, 0))


def means(x):
    return x.mean(0).expand(len(x), -1)


def weighted(*weights, offset=0):
    """One blend in every row, with a weight for each place."""

    def blend(x):
        w = x.new_tensor(weights) / sum(weights)
        return (offset + w @ x).expand(len(x), -1)

    return blend


def fixed_queries(x):
    """As many fixed queries as words: a bag goes in, and the rows stay."""
    import torch

    queries = torch.cos(places(x) + torch.arange(x.shape[1]))
    return (queries @ x.T).softmax(-1) @ (x - x.roll(1, 1))


def fixed_queries_and_last_place(x):
    doubled = x.clone()
    doubled[-1] = 2 * x[-1]
    return fixed_queries(doubled)


def last_row_marked(x):
    out = head(x)
    out[-1] = 2 * out[-1] + 1
    return out


def first_row_mean(x):
    out = x.clone()
    out[0] = x.mean(0)
    return out


def first_number_marked(x):
    out = head(x)
    out[0, 0] += 0.0015
    return out


def balanced(x):
    """What a place adds to one feature it takes from the next."""
    signs = 1 - 2 * (places(x.T).T % 2)
    return head(x) + 0.5 * places(x) * signs


def rounded(x):
    """Off by up to 0.000006, by other amounts at other places."""
    return head(x) + 6e-6 * (7 * places(x) + x).sin()


def verdicts(answers, f, x):
    """The pair for one function, or two dicts for several, a verdict for each."""
    if not isinstance(f, tuple):
        return answers[0](f, x)
    pairs = zip(*map(answers[0], f, x), strict=True)
    return tuple(dict(enumerate(verdicts)) for verdicts in pairs)


def words_of(rng, t, d, rising=False):
    x = rng.normal(size=(t, d)).round(2)
    return np.sort(x, axis=0) if rising else x


def case(title, words, rule, t=4, d=5, rising=False):
    """A function and t words; with `rising`, no word is larger than the next.

    With every other seed the function is one of five, and the others are well known.
    """

    def one(rng):
        return Rule(words, rule), words_of(rng, t, d, rising)

    def among_others(rng):
        which = rng.integers(0, 3, 4)
        rules = [(head, means, with_places)[n] for n in which]
        given = [(rule, words_of(rng, t, d, rising))]
        given += [(known, words_of(rng, int(rng.integers(3, 6)), 3)) for known in rules]
        given = [given[n] for n in rng.permutation(len(given))]
        rules = tuple(Rule("one of five functions", rule) for rule, _ in given)
        return rules, tuple(x for _, x in given)

    return Check(title, one, verdicts, fresh=among_others)


TASK = FunctionTask(
    title="Moves or stays?",
    kind="explain",
    answers=("moves_and_stays",),
    arguments=("f", "x"),
    outputs=("moves", "stays"),
    arrays="torch",
    right=(PAIRS, NEIGHBOURS_SWAPPED, MATRICES, GENERATED),
    mistakes=MISTAKES,
    pairs=False,  # two truth values a check
    checks=(
        case("a head of self-attention", "a head", head),
        case(
            "a head that is told the place of each word",
            "adds its place to each word, then a head",
            with_places,
            t=3,
        ),
        case("the mean of all words, in every row", "means", means, t=3),
        case(
            "a head whose queries are not made from the words",
            "a head with fixed queries",
            fixed_queries,
            t=3,
        ),
        case("each word by itself", "tanh", lambda x: x.tanh(), t=5, d=3),
        case(
            "a head in which no word sees a later one",
            "a head, later words hidden",
            later_words_hidden,
            t=3,
        ),
        case(
            "a head in which near words count more",
            "a head that prefers near words",
            near_words_first,
        ),
        case(
            "neighbours in a ring",
            "adds a little of both neighbours in a ring",
            neighbours_in_a_ring,
        ),
        case(
            "a head with a mark in its last row",
            "a head that changes its last row",
            last_row_marked,
        ),
        case(
            "a mean in which the last word counts double",
            "blend 1 1 1 2",
            weighted(1, 1, 1, 2),
            rising=True,
        ),
        case(
            "a mean in which the first word counts double, plus 9",
            "blend 2 1 1 1, plus 9",
            weighted(2, 1, 1, 1, offset=9),
        ),
        case(
            "a mean in which the middle counts double",
            "blend 1 2 2 1",
            weighted(1, 2, 2, 1),
        ),
        case(
            "queries not made from the words, and the last word doubled",
            "doubles the last word",
            fixed_queries_and_last_place,
        ),
        case(
            "a mean in the first row, words in the others",
            "puts the mean into the first row",
            first_row_mean,
        ),
        case(
            "a head that marks one number a little",
            "a head, and 0.0015 for its first number",
            first_number_marked,
            t=5,
            d=7,
        ),
        case(
            "what a place adds here it takes there",
            "a head, and a sum of 0 from each place",
            balanced,
            t=3,
            d=4,
        ),
        case("a head that rounds", "a head with some rounding", rounded),
        case(
            "two words, and their places",
            "adds its place to each word, then a head",
            with_places,
            t=2,
        ),
        case("a single word", "a head", head, t=1),
    ),
    hints=(
        "$f(PX) = P f(X)$ for *moves*, $f(PX) = f(X)$ for *stays*. For which P must it "
        "hold, and which of them does your function try?",
        "Think of a function that treats only its last row in another way. Which of your "
        "orders would give it away? And which one, if only the first row is special?",
    ),
    section="Who found whom?",
    why="Many orders at random are evidence for all of them; swaps alone can agree where "
    "an order made of several does not. The outputs of self-attention move with the words; a mean both moves and stays.",
)
