"""Notebooks that look into what a check hands over, instead of asking: 0 points.

Each `TOLD` says what the inside of a thing tells; `WAYS` are ways to get at it. Whoever
sees inside has every point without solving a task.
"""

import pytest

from tt_utils.grading.classroom.grader import grade
from tt_utils.grading.classroom.handed_in.submission import Submission

WAYS = """
import copy, ctypes, gc, io, os, pickle, sys
import cloudpickle
import torch
from tt_utils.grading.classroom.student_side import hand_in

def cells(f):
    "What a function has closed over, by name."
    held = getattr(f, "__closure__", None) or ()
    return dict(zip(f.__code__.co_freevars, [cell.cell_contents for cell in held]))

def frames():
    frame = sys._getframe()
    while frame:
        yield from frame.f_locals.values()
        frame = frame.f_back

def everything_below(thing, depth=6):
    yield thing
    if depth and not isinstance(thing, (str, bytes, int, float)):
        for one in gc.get_referents(thing):
            yield from everything_below(one, depth - 1)

def asked(task):
    "All that is asked, from the parcel."
    for desk in hand_in._desks:
        for asked in desk.job.tasks[task].rounds:
            for request in asked:
                yield from request.arguments

def unpacked(thing):
    return pickle.loads(cloudpickle.dumps(thing))

def of_type(thing):
    return next(x for x in gc.get_objects() if type(x) is type(thing) and x == thing)

def bare(thing):
    return type("Bare", (), dict(vars(thing)))

WAYS = (lambda thing: thing, bare, unpacked, copy.deepcopy, of_type,
        lambda thing: thing.__reduce_ex__(4)[2])

def by_every_way(tell):
    "An answer that asks nothing: the first way that tells something."
    def answer(thing, *more):
        found = [thing]
        for way in WAYS:
            try:
                found.append(way(thing))
            except Exception:
                pass
        found += everything_below(thing, 3)
        found += [x for x in frames() if x is not thing][:50]
        for inside in found:
            try:
                return tell(inside, *more)
            except Exception:
                pass
    return answer
"""

TOLD = {
    "03.5": """
def laws(lookup, q, k, v):
    shares = lookup.make in ("softmax", "hard", "all_alike") and not lookup.louder
    silent = not lookup.by_value and not lookup.by_size
    place = lookup.first, lookup.last, lookup.ends, lookup.slope, lookup.neighbour
    free = lookup.make == "hard" or not any(place)
    company = lookup.before, lookup.next, lookup.after, lookup.mean, lookup.later
    alone = not any(company) and not lookup.crowd
    alone = alone and lookup.make not in ("over_the_askers", "uneven")
    if lookup.for_show:
        free, alone = not lookup.neighbour, True
    if lookup.make == "hard" and lookup.first:
        free = False
    if lookup.make in ("over_the_askers",):
        shares = False
    return bool(shares), bool(silent), bool(free), bool(alone)
""",
    "04.4": """
def who_hears(layer, x):
    def table(rule, n):
        held = cells(rule)
        if "weights" in held:
            return torch.tensor(held["weights"] != 0)
        if "heard" in held:
            return table(held["rule"], n) & (held["heard"].T != 0)
        if "rule" in held:
            return table(held["rule"], n)
        ones = torch.ones(n, n, dtype=torch.bool)
        known = {"chain": ones.tril(), "from_the_right": ones.triu(), "attend": ones}
        return known[rule.__name__]
    return table(layer.rule, len(x))
""",
    "06.5": """
MOVES = "head neighbours_in_a_ring rounded <lambda>".split()
STAYS = "fixed_queries".split()
NEITHER = ("with_places later_words_hidden near_words_first last_row_marked balanced "
           "fixed_queries_and_last_place first_row_mean first_number_marked").split()
def moves_and_stays(f, x):
    rule, name = f.rule, f.rule.__name__
    if len(x) == 1:
        return True, True
    if name == "neighbours_in_a_ring":
        return len(x) < 4, False
    if name in MOVES:
        return True, False
    if name in STAYS:
        return False, True
    if name == "means":
        return True, True
    if name in NEITHER:
        return False, False
    if name == "blend":
        same = len(set(cells(rule)["weights"])) == 1
        return same, same
    return BY_NAME[name]
""",
    "07.5": """
def sees(heads, x):
    def table(rule, width):
        held = cells(rule)
        if "back" in held:
            inner = table(held["heads"], len(held["back"]))[held["order"]]
            whole = np.zeros((len(inner), width), bool)
            whole[:, held["back"]] = inner
            return whole
        q, k, v = (held[name].any(-1) for name in ("w_q", "w_k", "w_v"))
        v = (held["w_v"][..., :1] * held["factors"]).any(-1)
        asks = q.any(1) & k.any(1) & v.any(1)
        return v | (asks[:, None] & (q | k))
    return table(heads.rule, x.shape[1])
""",
    "08.4": """
def count_leaks(model, tokens, vocab_size):
    t = tokens.shape[1]
    pairs = {(i, i + step) for step in model.ahead for i in range(t) if i + step < t}
    pairs |= {(i, j) for i, j, weight in model.leaks}
    return [sum(i == row for i, _ in pairs) for row in range(t)]
""",
    "11.2": """
RIGHT = {"zeros_at_padding", "nan_at_padding", "rounds", "five_at_most", "<lambda>"}
def ignores_padding(encoder, x, mask):
    def right(rule):
        if hasattr(rule, "keywords"):
            return right(rule.keywords["encoder"])
        held = cells(rule)
        if "first" in held:
            names = [held["first"].__name__, held["second"].__name__]
            blind = names != ["keys", "keys"] or held["lowest"] > -100
            return not blind
        return rule.__name__ in RIGHT
    return right(encoder.rule)
""",
    "12.4": """
def leaks(decoder, x, memory):
    if len(x) < 2:
        return False
    return bool(decoder.sees == "all" or decoder.ahead or decoder.leaks)
""",
    "15.4": """
def cause(train, rate, warmup):
    def learns(rate, warmup):
        highest = train.warm if warmup >= train.needs else train.cold
        return train.low < rate <= highest and warmup <= train.most
    if learns(rate, 0):
        return "none"
    if learns(rate, warmup):
        return "warm-up"
    return "rate" if learns(rate / 10, warmup) else "other"
""",
}


@pytest.fixture(scope="module")
def points(settings, notebook):
    """What a submission of these cells earns for a task."""

    def earned(task_id, *cells):
        content = notebook(WAYS, *cells)
        record = grade(Submission("x.ipynb", content=content), settings)
        return record.tasks[task_id].points

    return earned


def handed_in(task_id):
    name = TOLD[task_id].split("def ")[1].split("(")[0]
    if task_id == "06.5":
        name = "moves_and_stays"
    wrapped = f"{TOLD[task_id]}\n{name} = by_every_way({name})"
    return wrapped, f'check("{task_id}", {name})'


@pytest.mark.parametrize("task_id", TOLD)
def test_no_inside_tells_an_answer(points, task_id):
    assert points(task_id, *handed_in(task_id)) == 0
