"""20.4 How far boxes overlap, and the cheapest way to share out objects."""

from itertools import permutations

import numpy as np

from tt_utils.grading.observing import probes
from tt_utils.grading.tasks.inputs import fixed
from tt_utils.grading.tasks.spec import Check, FunctionTask

CORNERS = """
from itertools import permutations

def iou(boxes, others):
    start = torch.maximum(boxes[:, None, :2], others[:, :2])
    end = torch.minimum(boxes[:, None, 2:], others[:, 2:])
    shared = (end - start).clamp(min=0).prod(dim=-1)
    area = (boxes[:, 2:] - boxes[:, :2]).prod(dim=-1)
    other = (others[:, 2:] - others[:, :2]).prod(dim=-1)
    union = area[:, None] + other - shared
    return shared / union

def match(cost):
    objects, queries = cost.shape
    ways = list(permutations(range(queries), objects))
    totals = [sum(cost[i, q] for i, q in enumerate(way)) for way in ways]
    return ways[totals.index(min(totals))]
"""

PAIR_BY_PAIR = """
def iou(boxes, others):
    table = torch.zeros(len(boxes), len(others))
    for i, (l, t, r, b) in enumerate(boxes.tolist()):
        for j, (l2, t2, r2, b2) in enumerate(others.tolist()):
            wide = max(0, min(r, r2) - max(l, l2))
            high = max(0, min(b, b2) - max(t, t2))
            shared = wide * high
            area, other = (r - l) * (b - t), (r2 - l2) * (b2 - t2)
            table[i, j] = shared / (area + other - shared)
    return table

def match(cost):
    def cheapest(rows, free):
        if not rows:
            return 0, []
        best = math.inf, []
        for q in free:
            rest, chosen = cheapest(rows[1:], [f for f in free if f != q])
            if rows[0][q] + rest < best[0]:
                best = rows[0][q] + rest, [q, *chosen]
        return best

    return cheapest(cost.tolist(), list(range(cost.shape[1])))[1]
"""

SIDE_BY_SIDE = """
def iou(boxes, others):
    left, top, right, bottom = boxes.T[:, :, None]
    left_2, top_2, right_2, bottom_2 = others.T
    wide = (torch.minimum(right, right_2) - torch.maximum(left, left_2)).relu()
    high = (torch.minimum(bottom, bottom_2) - torch.maximum(top, top_2)).relu()
    shared = wide * high
    area = (right - left) * (bottom - top)
    other = (right_2 - left_2) * (bottom_2 - top_2)
    return shared / (area + other - shared)

def match(cost):
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(cost)
    return columns
"""

MISTAKES = """
boxes apart: .clamp(min=0).prod → .prod
or: max(0, min(r, r2) - max(l, l2)) → min(r, r2) - max(l, l2)
and: max(0, min(b, b2) - max(t, t2)) → min(b, b2) - max(t, t2)
or: .relu() →
    Two boxes that lie apart share something in yours. What is the width of the shared
    part there, before anything is multiplied?

boxes apart, clamped too late: .clamp(min=0).prod(dim=-1) → .prod(dim=-1).clamp(min=0)
or: max(0, min(r, r2) - max(l, l2)) → min(r, r2) - max(l, l2)
and: max(0, min(b, b2) - max(t, t2)) → min(b, b2) - max(t, t2)
and: shared = wide * high → shared = max(0, wide * high)
or: .relu() →
and: shared = wide * high → shared = (wide * high).relu()
    Boxes that lie apart both across and down share something in yours. What is the
    product of two negative sides?

distance as overlap: .clamp(min=0).prod → .abs().prod
or: max(0, min(r, r2) - max(l, l2)) → abs(min(r, r2) - max(l, l2))
and: max(0, min(b, b2) - max(t, t2)) → abs(min(b, b2) - max(t, t2))
or: .relu() → .abs()
    You take the distance between two boxes for what they share. Which sign tells one
    from the other?

shared part counted twice: other - shared → other
or: (area + other - shared) → (area + other)
    Your union counts what is shared twice, so even equal boxes don't come to 1. How much
    do both cover together?

Dice: return shared / union → return 2 * shared / (area[:, None] + other)
or: shared / (area + other - shared) → 2 * shared / (area + other)
    That is twice the shared part over both areas, the Dice score. By what is the shared
    part divided here?

over the first box: union = area[:, None] + other - shared → union = area[:, None]
or: shared / (area + other - shared) → shared / area
    You divided by the first box alone, so that a huge second one always fits. How much
    do both cover together?

over the second box: union = area[:, None] + other - shared → union = other
or: shared / (area + other - shared) → shared / other
    You divided by the second box alone, so that a huge first one always fits. How much
    do both cover together?

over the smaller box: union = area[:, None] + other - shared → union = torch.minimum(area[:, None], other)
or: shared / (area + other - shared) → shared / min(area, other)
    You divided by the smaller box: one within another comes to 1. How much do both cover
    together?

over the larger box: union = area[:, None] + other - shared → union = torch.maximum(area[:, None], other)
or: shared / (area + other - shared) → shared / max(area, other)
    You divided by the larger box. How much do both cover together, when each has a part
    of its own?

over the box around both: union = area[:, None] + other - shared → union = (torch.maximum(boxes[:, None, 2:], others[:, 2:]) - torch.minimum(boxes[:, None, :2], others[:, :2])).prod(dim=-1)
or: table[i, j] = shared / (area + other - shared) → table[i, j] = shared / ((max(r, r2) - min(l, l2)) * (max(b, b2) - min(t, t2)))
    You divided by the box around both. What of it does neither of them cover?

shared part alone: return shared / union → return shared
or: shared / (area + other - shared) → shared
    You return the shared area, which grows with the boxes. Of what is it a share?

box around instead of shared: torch.maximum(boxes[:, None, :2], others[:, :2]) → torch.minimum(boxes[:, None, :2], others[:, :2])
and: torch.minimum(boxes[:, None, 2:], others[:, 2:]) → torch.maximum(boxes[:, None, 2:], others[:, 2:])
or: min(r, r2) - max(l, l2) → max(r, r2) - min(l, l2)
and: min(b, b2) - max(t, t2) → max(b, b2) - min(t, t2)
    Your shared part is the box around both. Where does the shared part begin: where the
    first of two boxes begins, or the second?

sides instead of corners: others[:, 2:]) → others[:, 2:] + others[:, :2])
and: boxes[:, None, 2:] → boxes[:, None, 2:] + boxes[:, None, :2]
and: area = (boxes[:, 2:] - boxes[:, :2]).prod(dim=-1) → area = boxes[:, 2:].prod(dim=-1)
and: other = (others[:, 2:] - others[:, :2]).prod(dim=-1) → other = others[:, 2:].prod(dim=-1)
or: enumerate(boxes.tolist()): → enumerate(torch.cat([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]], 1).tolist()):
and: enumerate(others.tolist()): → enumerate(torch.cat([others[:, :2], others[:, :2] + others[:, 2:]], 1).tolist()):
    You read the last two numbers as width and height. What does the task say that they
    are?

centre and sides: start = torch → boxes, others = (torch.cat([x[:, :2] - x[:, 2:] / 2, x[:, :2] + x[:, 2:] / 2], 1) for x in (boxes, others))\\n    start = torch
    You read a box as centre, width and height. What does the task say that its four
    numbers are?

pixels counted at both ends: (end - start).clamp → (end - start + 1).clamp
and: (boxes[:, 2:] - boxes[:, :2]) → (boxes[:, 2:] - boxes[:, :2] + 1)
and: (others[:, 2:] - others[:, :2]) → (others[:, 2:] - others[:, :2] + 1)
or: min(r, r2) - max(l, l2) → min(r, r2) - max(l, l2) + 1
and: min(b, b2) - max(t, t2) → min(b, b2) - max(t, t2) + 1
and: (r - l) * (b - t), (r2 - l2) * (b2 - t2) → (r - l + 1) * (b - t + 1), (r2 - l2 + 1) * (b2 - t2 + 1)
    You add 1 to each side, as if the end were a pixel of its own. How wide is a box from
    0.25 to 0.5?

widths alone: .prod(dim=-1) → [..., 0]
or: shared = wide * high → shared = wide
and: area, other = (r - l) * (b - t), (r2 - l2) * (b2 - t2) → area, other = r - l, r2 - l2
    Yours looks at the widths alone. Two digits one above the other: do they overlap?

heights alone: .prod(dim=-1) → [..., 1]
or: shared = wide * high → shared = high
and: area, other = (r - l) * (b - t), (r2 - l2) * (b2 - t2) → area, other = b - t, b2 - t2
    Yours looks at the heights alone. Two digits side by side: do they overlap?

sides added: .prod(dim=-1) → .sum(dim=-1)
or: shared = wide * high → shared = wide + high
and: area, other = (r - l) * (b - t), (r2 - l2) * (b2 - t2) → area, other = (r - l) + (b - t), (r2 - l2) + (b2 - t2)
    You added width and height. What makes an area of them?

axes mixed: start = torch.maximum(boxes[:, None, :2], others[:, :2]) → start = torch.maximum(boxes[:, None, :2], others[:, :2]).flip(-1)
or: min(r, r2) - max(l, l2) → min(r, r2) - max(t, t2)
and: min(b, b2) - max(t, t2) → min(b, b2) - max(l, l2)
    You take a top from a right edge. Which two of the four numbers give the width?

table on its side: return shared / union → return (shared / union).T
or: return table → return table.T
or: return shared / (area + other - shared) → return (shared / (area + other - shared)).T
    Your table is lying on its side. Which boxes have the rows?

pair by pair only: boxes[:, None, :2] → boxes[: len(others), :2]
and: boxes[:, None, 2:] → boxes[: len(others), 2:]
and: area[:, None] + other → area[: len(others)] + other
or: return table → return table.diagonal()
    Your first box meets the first other one alone. How many pairs are there, each with
    each?

distance: return shared / union → return 1 - shared / union
or: return table → return 1 - table
    Equal boxes come to 0 in yours, and strangers to 1. Which way round is it asked for?

percent: return shared / union → return 100 * shared / union
or: return table → return 100 * table
    Yours are percent. Between which two numbers does a share lie?

generalised: return shared / union → hull = (torch.maximum(boxes[:, None, 2:], others[:, 2:]) - torch.minimum(boxes[:, None, :2], others[:, :2])).prod(dim=-1)\\n    return shared / union - (hull - union) / hull
    Yours falls below 0 for boxes that lie apart: that is the generalised IoU, which a
    loss may use. What does the plain one give there?

truth values: return shared / union → return shared / union > 0.5
or: return table → return table > 0.5
    You say whether boxes overlap by half. What is asked for is how far they do.

each object for itself: return ways[totals.index(min(totals))] → return cost.argmin(dim=1)
or: return cheapest(cost.tolist(), list(range(cost.shape[1])))[1] → return [row.index(min(row)) for row in cost.tolist()]
    Two objects may get the same query in yours. Each query can answer for one: what does
    the first choice cost the others?

objects in turn: return ways[totals.index(min(totals))] → return min(ways, key=lambda way: [float(cost[i, q]) for i, q in enumerate(way)])
or: if rows[0][q] + rest < best[0]: → if not best[1] or rows[0][q] < rows[0][best[1][0]]:
or: rows, columns = linear_sum_assignment(cost) → columns = []\\n    for row in cost:\\n        columns.append(min(set(range(cost.shape[1])) - set(columns), key=lambda q: float(row[q])))
    Your objects choose in turn, and the later ones take what is left. Then their order
    matters: which total is smaller?

cheapest pair first: objects, queries = cost.shape → objects, queries = cost.shape\\n    left, pairs = cost.clone(), {}\\n    for _ in range(objects):\\n        i, q = divmod(int(left.argmin()), queries)\\n        pairs[i] = q\\n        left[i] = left[:, q] = torch.inf\\n    return [pairs[i] for i in range(objects)]
    You settle the cheapest pair first, then the next. A pair that looks best may leave
    only dear ones: what is to be the smallest?

dearest: min(totals) → max(totals)
or: rows[0][q] + rest < best[0] → rows[0][q] + rest > best[0]
and: best = math.inf, [] → best = -math.inf, []
or: linear_sum_assignment(cost) → linear_sum_assignment(cost, maximize=True)
    You found the dearest way. Is a cost better small or large?

first queries alone: permutations(range(queries), objects) → permutations(range(objects))
or: list(range(cost.shape[1])) → list(range(len(cost)))
or: linear_sum_assignment(cost) → linear_sum_assignment(cost[:, : len(cost)])
    Your last queries never get an object. How many queries may an object choose from?

order of the queries kept: from itertools import permutations → from itertools import combinations as permutations
or: [f for f in free if f != q] → [f for f in free if f > q]
and: rows[0][q] + rest < best[0]: → rows[0][q] + rest < best[0] and len(chosen) == len(rows) - 1:
    In yours an earlier query always gets an earlier object. Have queries and objects an
    order?

as they come: return ways[totals.index(min(totals))] → return list(range(objects))
or: return columns → return rows
    Your first object gets the first query, the second one the second. Has a set of
    objects an order?

sorted: return ways[totals.index(min(totals))] → return sorted(ways[totals.index(min(totals))])
or: return columns → return sorted(columns)
    The queries are the right ones, and you sorted them. Whose query comes first?

object of each query: return ways[totals.index(min(totals))] → best = ways[totals.index(min(totals))]\\n    return [best.index(q) if q in best else -1 for q in range(queries)]
or: return columns → return [list(columns).index(q) if q in columns else -1 for q in range(cost.shape[1])]
    You say for each query which object it takes. The task asks from the other side: for
    whom is there always an answer?

object of each query that is used: return ways[totals.index(min(totals))] → best = ways[totals.index(min(totals))]\\n    return [best.index(q) for q in sorted(best)]
    You list objects in the order of their queries. The task asks from the other side:
    what stands at position 0?

each query for itself: return ways[totals.index(min(totals))] → return cost.argmin(dim=0)
or: return columns → return cost.argmin(dim=0)
    Each of your queries takes the object that it likes best, and several take the same.
    How many queries does one object need?

dearest pair made cheap: totals = [sum( → totals = [max(
or: rows[0][q] + rest < → max(rows[0][q], rest) <
and: = rows[0][q] + rest, → = max(rows[0][q], rest),
and: return 0, [] → return -math.inf, []
    You look at the dearest pair of each way alone. What is to be the smallest?

signs lost: totals = [sum(cost[i, q] → totals = [sum(abs(cost[i, q])
or: rows[0][q] + rest → abs(rows[0][q]) + rest
or: linear_sum_assignment(cost) → linear_sum_assignment(abs(cost))
    You dropped the signs. A cost may be negative, such as minus a probability: is that
    good or bad?

costs squared: totals = [sum(cost[i, q] → totals = [sum(cost[i, q] ** 2
or: rows[0][q] + rest → rows[0][q] ** 2 + rest
or: linear_sum_assignment(cost) → linear_sum_assignment(cost**2)
    You squared the costs. Then a single dear pair decides: which total is to be the
    smallest?

costs multiplied: totals = [sum(cost[i, q] for → totals = [math.prod(cost[i, q] for
or: rows[0][q] + rest → rows[0][q] * rest
and: return 0, [] → return 1, []
    You multiplied the costs of a way. How do costs make a total?

total instead of the way: return ways[totals.index(min(totals))] → return min(totals)
or: list(range(cost.shape[1])))[1] → list(range(cost.shape[1])))[0]
or: return columns → return cost[rows, columns].sum()
    You return what the cheapest way costs. Which way is it?

costs instead of queries: return ways[totals.index(min(totals))] → return [cost[i, q] for i, q in enumerate(ways[totals.index(min(totals))])]
or: return columns → return cost[rows, columns]
    You return what each object costs. With which query?

number of the way: return ways[totals.index(min(totals))] → return totals.index(min(totals))
    You return which way is the cheapest, as a number in your own list. Which queries are
    in it?

pairs: return ways[totals.index(min(totals))] → return list(enumerate(ways[totals.index(min(totals))]))
or: return columns → return list(zip(rows, columns))
    You return pairs. What is asked for is one number for each object.

rows and columns: return columns → return rows, columns
or: return ways[totals.index(min(totals))] → return list(range(objects)), ways[totals.index(min(totals))]
    You return two rows of numbers. Objects are in order already: which of the two rows
    says something new?

a mark for each pair: return ways[totals.index(min(totals))] → return F.one_hot(torch.tensor(ways[totals.index(min(totals))]), queries)
or: return columns → return F.one_hot(torch.tensor(columns), cost.shape[1])
    You return a table of zeros and ones. How is each row said by one number?
"""


def box(rng, left=0.0, top=0.0):
    """A box within (0, 1) that begins at or behind this corner."""
    a, c = np.sort(rng.uniform(left, 1, 2))
    b, d = np.sort(rng.uniform(top, 1, 2))
    return [a, b, c, d] if min(c - a, d - b) > 0.1 else box(rng, left, top)


def overlapping(one, other):
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide, high


def pair(wanted):
    """One box and another for which `wanted` holds of shared width and height."""

    def inputs(rng):
        while True:
            one, other = np.round([box(rng), box(rng)], 2)
            if wanted(*overlapping(one, other), one, other):
                return one[None], other[None]

    return inputs


def crossed(wide, high, one, other):
    """Each has a part of its own."""
    shared = max(wide, 0) * max(high, 0)
    areas = [(b[2] - b[0]) * (b[3] - b[1]) for b in (one, other)]
    return shared > 0.02 and min(areas) > 1.5 * shared and areas[0] > 1.2 * areas[1]


def apart_across(wide, high, one, other):
    return wide < -0.1 and high > 0.1


def apart_down(wide, high, one, other):
    return high < -0.1 and wide > 0.1


def apart(wide, high, one, other):
    return wide < -0.1 and high < -0.1


def within(wide, high, one, other):
    inner = other[2] - other[0], other[3] - other[1]
    outer = one[2] - one[0], one[3] - one[1]
    return np.allclose((wide, high), inner) and np.prod(outer) > 2 * np.prod(inner)


def many(n, m):
    """So many boxes against so many others; two pairs overlap, two lie apart."""

    def inputs(rng):
        while True:
            boxes = np.round([box(rng) for _ in range(n)], 2)
            others = np.round([box(rng) for _ in range(m)], 2)
            sizes = np.array([[overlapping(a, b) for b in others] for a in boxes])
            both = (sizes > 0.1).all(-1).sum(), (sizes < -0.05).all(-1).sum()
            if min(both) >= 2:
                return boxes, others

    return inputs


def ways_of(cost):
    """All ways to share out, and what each object costs in each: two tables."""
    objects, queries = cost.shape
    ways = np.array(list(permutations(range(queries), objects)))
    return ways, cost[np.arange(objects), ways]


def costs(objects, queries, *wanted, low=0.0):
    """Costs for which one way is clearly the cheapest, and all that is `wanted` holds.

    `wanted` holds functions of the costs, the cheapest way, and those two tables.
    """

    def inputs(rng):
        while True:
            cost = rng.uniform(low, 1, (objects, queries)).round(2)
            ways, parts = ways_of(cost)
            best, second = parts.sum(1).argsort()[:2]
            way = tuple(ways[best].tolist())
            clear = parts[second].sum() - parts[best].sum() > 0.04
            if clear and all(is_so(cost, way, ways, parts) for is_so in wanted):
                return (cost,)

    return inputs


def easy(cost, way, ways, parts):
    """Each object's cheapest query is its own."""
    return tuple(cost.argmin(1)) == way and way != tuple(sorted(way))


def wanted_twice(cost, way, ways, parts):
    """Two objects like one query best, and the first does better to leave it."""
    first, second = cost.argmin(1)
    return first == second != way[0]


def greedy_fails(cost, way, ways, parts):
    """Both who choose in turn, and the cheapest pair first, pay more."""
    in_turn, left, pairs = [], cost.copy(), {}
    for row in cost:
        free = [q for q in range(len(row)) if q not in in_turn]
        in_turn.append(min(free, key=lambda q: row[q]))
    for _ in cost:
        i, q = divmod(int(left.argmin()), cost.shape[1])
        pairs[i] = q
        left[i] = left[:, q] = np.inf
    by_pair = tuple(pairs[i] for i in range(len(cost)))
    return len({way, tuple(in_turn), by_pair}) == 3


def unsorted(cost, way, ways, parts):
    """Its own inverse it is not, nor in order."""
    used = sorted(way)
    return way != tuple(used) and tuple(way.index(q) for q in used) != way


def last_query(cost, way, ways, parts):
    return max(way) >= len(cost)


def other_measures_fail(cost, way, ways, parts):
    """Squares, sizes and products choose three other ways; the dearest pair not ours.

    None of the three is the right way backwards.
    """
    measures = (parts**2).sum(1), abs(parts).sum(1), parts.prod(1)
    chosen = {tuple(ways[totals.argmin()].tolist()) for totals in measures}
    dearest = tuple(ways[parts.max(1).argmin()].tolist())
    return len({way, way[::-1], *chosen}) == 5 and dearest != way


def matching(title, inputs, fresh=None):
    return Check(
        title,
        inputs,
        probe=probes.second,
        arguments=("cost",),
        outputs=("queries",),
        fresh=fresh,
    )


EXAMPLE = [[0.0, 0.0, 4.0, 3.0]], [[2.0, 1.0, 6.0, 5.0]]
COSTS = [[0.1, 0.2, 0.9], [0.2, 0.8, 0.7]]

TASK = FunctionTask(
    title="Boxes, and who answers for whom",
    kind="implement",
    answers=("iou", "match"),
    arguments=("boxes", "others"),
    outputs=("table",),
    arrays="torch",
    pairs=False,
    right=(CORNERS, PAIR_BY_PAIR, SIDE_BY_SIDE),
    mistakes=MISTAKES,
    checks=(
        Check("two boxes, as in the example", fixed(*EXAMPLE), fresh=pair(crossed)),
        Check("a box within another", pair(within)),
        Check("side by side", pair(apart_across)),
        Check("one above the other", pair(apart_down)),
        Check("apart across and down", pair(apart)),
        Check("five boxes against three", many(5, 3)),
        Check("two boxes against seven", many(2, 7)),
        matching("each object wants another query", costs(3, 3, easy)),
        matching(
            "two objects want the same query, as in the example",
            fixed(COSTS),
            fresh=costs(2, 3, wanted_twice),
        ),
        matching("three objects, three queries", costs(3, 3, greedy_fails, unsorted)),
        matching("more queries than objects", costs(2, 5, last_query, unsorted)),
        matching(
            "some costs are negative",
            costs(4, 5, greedy_fails, unsorted, other_measures_fail, low=-1.0),
        ),
        matching("one object", costs(1, 5, last_query)),
        matching("five objects, five queries", costs(5, 5, greedy_fails, unsorted)),
    ),
    hints=(
        "Draw two boxes that overlap, and two that don't. Where does the shared part begin "
        "and end, and what would its width be for the second pair?",
        "Write down every way to give each object a query of its own, and its total. How "
        "many ways are there for two objects and three queries?",
    ),
    section="Going further",
    why="A query that found an object owes nothing to its number, so the loss takes the "
    "cheapest of all ways: no order among the objects is assumed, and no two queries are "
    "rewarded for the same one. Choosing in turn can cost more in all.",
)
