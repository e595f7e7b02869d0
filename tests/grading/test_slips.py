"""One thing changed in a right answer is named, though no list holds it."""

import ast

import pytest
from quick import FUNCTIONS, defined_by, grade_here

from tt_utils.grading.judging import diagnosis
from tt_utils.grading.judging.slips import may_run_for_ever, slips_in, slips_of
from tt_utils.grading.tasks import find
from tt_utils.grading.tasks.spec import Check, FunctionTask

SHARES = FunctionTask(
    title="Shares",
    kind="implement",
    outputs=("shares",),
    mistakes="",
    hints=("", ""),
    section="",
    why="",
    answers=("shares",),
    arguments=("x",),
    checks=tuple(
        Check(f"{n} rows", lambda rng, n=n: (rng.normal(size=(n, 5)).round(1),))
        for n in (3, 7)
    ),
    right=(
        """
def shares(x):
    sizes = np.abs(x)
    sizes = np.where(sizes > 2, 2, sizes)
    return sizes / sizes.sum(axis=-1, keepdims=True)
""",
    ),
)


CUT = "b = abs(a).clip(max=2)"
BY_SUM = "b / b.sum(-1)[:, None]"


def graded(cut, returned):
    source = f"def shares(a):\n    {cut}\n    return {returned}"
    return grade_here(SHARES, defined_by(SHARES, source))


@pytest.mark.parametrize(
    ("cut", "returned", "name"),
    [
        (CUT, "b / b.sum(0)", "another axis"),
        ("b = a.clip(max=2)", BY_SUM, "`abs` left out"),
        (CUT, BY_SUM.replace("/", "*"), "`*` for `/`"),
        (CUT, BY_SUM.replace("sum", "mean"), "`mean` for `sum`"),
        (CUT, "b", "`/ …` left out"),
        ("b = a.clip(max=2)", "b / abs(a).sum(-1)[:, None] + 3", None),
    ],
)
def test_a_slip_in_another_style_gets_its_hint(cut, returned, name):
    result = graded(cut, returned)
    assert not result
    assert result.mistakes == ((name,) if name else ()), result
    assert len(result.hints) == bool(name)


def test_a_right_answer_has_none():
    assert graded(CUT, BY_SUM)


def test_a_listed_mistake_goes_first():
    task = find("05.1")
    scale = " / math.sqrt(q.shape[-1])"
    source = next(text for text in task.right if scale in text).replace(scale, "")
    result = grade_here(task, defined_by(task, source))
    assert result.mistakes[0] in {one.name for one in task.known}


@pytest.mark.parametrize("task", FUNCTIONS, ids=lambda task: task.id)
def test_every_slip_is_python_with_one_thing_changed(task):
    slips = slips_of(task)
    assert slips or all(map(may_run_for_ever, task.right))
    for slip in slips:
        ast.parse(slip.source)
        assert slip.hint.endswith("?")
    assert len({slip.source for slip in slips}) == len(slips)


def test_the_tree_is_as_before_after_each_slip():
    """Else each slip would hold all those before it."""
    source = "def f(x, y):\n    x = x + 1\n    return max(x, y) - y[1:2], x"
    for slip in slips_in(source):
        pairs = zip(source.splitlines(), slip.source.splitlines(), strict=False)
        assert sum(one != other for one, other in pairs) <= 2, slip.source


def test_loops_without_end_are_not_tried():
    assert may_run_for_ever("def f(x):\n    while x:\n        x -= 1")
    assert not may_run_for_ever("def f(x):\n    for _ in range(x):\n        pass")


def test_the_search_ends(monkeypatch):
    monkeypatch.setattr(diagnosis, "PATIENCE", 0.0)
    assert graded("b = a.clip(max=2)", BY_SUM).hints == ()
