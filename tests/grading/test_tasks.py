"""Every task: right answers pass, every known mistake gets its own hint."""

import subprocess
import symtable
import sys
from itertools import chain, combinations

import nbfiles
import numpy as np
import pytest
import torch
from quick import ALL, BOOK, FUNCTIONS, VALUES, grade_here

from tt_utils.grading.grade import grade
from tt_utils.grading.judging.compare import agree
from tt_utils.grading.judging.judge import judge
from tt_utils.grading.judging.judge_values import wrong_values
from tt_utils.grading.judging.known_answers import (
    answers_in,
    expected,
    outcome,
    sources,
)
from tt_utils.grading.judging.task_audit import problems, problems_of_values
from tt_utils.grading.observing.attempt import handed
from tt_utils.grading.observing.observation import Draws, Observed
from tt_utils.grading.tasks import find
from tt_utils.grading.tasks.requests import requests
from tt_utils.grading.tasks.spec import FunctionTask, TrainingTask, ValueTask

SEEDS = range(5)


def by_id(items):
    return pytest.mark.parametrize("task", items, ids=lambda task: task.id)


def notebook(folder, task):
    """The notebook of the task's chapter in a folder."""
    found = list((nbfiles.ROOT / folder).glob(f"{task.id[:2]}_*.ipynb"))
    assert len(found) == 1, f"{folder}/ has no notebook {task.id[:2]}_*.ipynb"
    return found[0]


def defined_in(path, wanted) -> dict:
    """What a notebook's code cells define; only those run that what is wanted needs."""
    sources = [
        cell.source
        for cell in nbfiles.read(path).cells
        if cell.cell_type == "code" and "setup" not in nbfiles.tags(cell)
    ]
    needed, kept = set(wanted), []
    for source in reversed(sources):
        made, used = names_in(source)
        if made & needed:
            kept.append(source)
            needed |= used
    names = {}
    for source in reversed(kept):
        exec(compile(source, str(path), "exec"), names)
    return names


def names_in(source) -> tuple[set, set]:
    """The global names that a cell makes, and those that it uses."""
    top = symtable.symtable(source, "a cell", "exec")
    made = {
        name.get_name()
        for name in top.get_symbols()
        if name.is_assigned() or name.is_imported()
    }
    used, tables = set(), [top]
    while tables:
        table = tables.pop()
        used |= {
            name.get_name()
            for name in table.get_symbols()
            if name.is_referenced() and (table is top or name.is_global())
        }
        tables += table.get_children()
    return made, used


@pytest.fixture(scope="module")
def answers():
    """The answers to a task that the notebooks of a folder hold."""
    cache = {}

    def answers_in_notebook(folder, task):
        path = notebook(folder, task)
        if path not in cache:
            chapter = [other for other in BOOK if other.id[:2] == task.id[:2]]
            cache[path] = defined_in(path, chain(*map(answer_names, chapter)))
        return tuple(cache[path][name] for name in answer_names(task))

    return answers_in_notebook


def answer_names(task) -> tuple[str, ...]:
    return task.outputs if isinstance(task, ValueTask) else task.answers


@by_id(BOOK)
def test_the_master_scores_full(task, answers):
    result = grade(task, answers("solutions", task))
    assert result.points == task.points, result


@by_id(BOOK)
def test_the_exercise_scores_nothing_and_alarms_nobody(task, answers):
    result = grade(task, answers("exercises", task))
    assert result.points == 0, result
    if task.kind == "find the bug":
        (planted,) = (one for one in task.known if one.name == "as planted")
        assert result.hint == planted.hint
        assert not result
    else:
        assert result.verdict == "not attempted"
        assert not result.hint


@by_id(BOOK)
def test_the_section_to_read_again_is_there(task):
    chapter = notebook("notebooks", task)
    page = chapter.with_name(f"{task.page}.ipynb") if task.page else chapter
    cells = nbfiles.read(page).cells
    headings = [
        line.lstrip("# ")
        for cell in cells
        for line in cell.source.splitlines()
        if cell.cell_type == "markdown" and line.startswith("## ")
    ]
    assert task.section in headings, headings


@by_id(FUNCTIONS)
def test_the_task_itself_is_sound(task):
    assert list(problems(task)) == []


@by_id(VALUES)
def test_the_task_by_hand_is_sound(task):
    assert list(problems_of_values(task)) == []


@by_id(FUNCTIONS)
def test_right_answers_are_accepted(task):
    assert len(task.right) >= 3, "give at least three right answers of different make"
    for source in task.right:
        for seed in SEEDS:
            result = grade_here(task, answers_in(task, source), seed)
            assert result, f"{source}\n{result}"


@by_id(VALUES)
def test_other_spellings_are_accepted(task):
    for values in (task.right, *task.also_right):
        result = grade(task, values)
        assert result.points == task.points, result


@by_id(FUNCTIONS)
@pytest.mark.parametrize("seed", range(3))
def test_every_mistake_gets_its_own_hint_and_looks_like_no_other(task, seed):
    """Both at once, since each mistake has to run for either."""
    if task.truth and seed:
        return  # a measurement takes its time
    shown = {"right": [calls_of(task, task.truth or task.right[0], seed)]}
    for mistake in task.known:
        shown[mistake.name] = []
        for source in sources(task, mistake):
            calls = calls_of(task, source, seed)
            shown[mistake.name].append(calls)
            given = tuple(map(handed, answers_in(task, source)))
            result = judge(task, seed, Observed(given, calls))
            said = [one.name for one in task.known if one.hint == result.hint]
            assert said == [mistake.name], f"{source}\n{result}"
    if task.truth:
        return  # where answers measure, the nearest of several is taken
    for (one, some), (other, more) in combinations(shown.items(), 2):
        for a in some:
            for b in more:
                alike = all(same(task, x, y) for x, y in zip(a, b, strict=True))
                assert not alike, f"{one} = {other}"


def calls_of(task, source, seed):
    """What the checks see of a text; the judge compares with the same outcomes."""
    return tuple(outcome(task, source, seed, n) for n in range(len(task.checks)))


def same(task, x, y):
    """Alike to the last word: exceptions of one class differ by their text."""
    if x.raised and y.raised:
        return x.raised.text == y.raised.text
    return agree(x, y, task.rtol, task.atol)


@by_id(VALUES)
def test_every_wrong_value_gets_its_own_hint(task):
    for mistake in task.known:
        for values in wrong_values(mistake):
            given = tuple(
                plain_again(values[name]) if name in values else right
                for name, right in zip(task.outputs, task.right, strict=True)
            )
            result = grade(task, given)
            assert result.hint == mistake.hint, f"{mistake.name}: {result}"


def plain_again(value):
    return value.data if value.array is None else value.array


@by_id(ALL)
def test_each_hint_asks_and_gives_nothing_away(task):
    symptoms = task.symptoms if isinstance(task, TrainingTask) else ()
    for text in (*(one.hint for one in (*task.known, *symptoms)), *task.hints):
        assert 20 <= len(text) <= 320, text
        assert text[0].isupper() or not text[0].isalpha() or "(" in text.split()[0]
        assert text.endswith((".", "?")), text
    if isinstance(task, FunctionTask):
        for line in map(str.strip, task.right[0].splitlines()):
            if line and not line.startswith(("def ", "class ")):
                said = [one.name for one in task.known if line in one.hint]
                assert not said, f"the hints of {said} say {line!r}"


@pytest.mark.parametrize("seed", SEEDS)
def test_attention_reference_is_the_librarys(seed):
    task = find("05.1")
    for number, arguments in enumerate(task.inputs(seed)):
        tensors = [torch.from_numpy(a) for a in arguments]
        mask = tensors[3] if len(tensors) == 4 else None
        out = torch.nn.functional.scaled_dot_product_attention(
            *tensors[:3], attn_mask=mask
        )
        ours = expected(task, seed, number).values[0].array
        assert np.allclose(ours, out.numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("seed", SEEDS)
def test_softmax_reference_is_the_librarys(seed):
    task = find("05.4")
    for number, (x, *axis) in enumerate(task.inputs(seed)):
        x = torch.from_numpy(x).double()
        library = torch.softmax(x, *(axis or [-1])).nan_to_num(0)
        ours = expected(task, seed, number).values[0].array
        assert np.allclose(ours, library.numpy())


def test_the_truth_of_a_measurement_is_what_much_data_shows():
    task = find("05.2")
    (grow,) = answers_in(task, task.right[0])
    runs = [grow((4, 16, 64), np.random.default_rng(seed)) for seed in range(40)]
    slope, height = np.mean(runs, axis=0)
    assert abs(slope - 1) < 0.02
    assert abs(height - np.log(16)) < 0.05
    assert isinstance(task.inputs(0)[0][1], Draws)


def test_the_first_optimiser_is_on_no_answers_clock():
    """It imports for seconds, and each forked process would do so again."""
    uses, uses_none = find("06.3"), find("06.2")
    assert {one.trains for one in requests(uses, 0)} == {True}
    assert {one.trains for one in requests(uses_none, 0)} == {False}
    subprocess.run([sys.executable, "-c", FIRST_OPTIMISER], check=True)


FIRST_OPTIMISER = """
import sys
from tt_utils.grading.observing.observation import Request
from tt_utils.grading.observing.observe import import_ahead

import_ahead([Request(print, (), trains=True)])
loaded = set(sys.modules)
import torch

torch.optim.SGD([torch.zeros(1, requires_grad=True)])
assert len(set(sys.modules) - loaded) < 20, set(sys.modules) - loaded
"""
