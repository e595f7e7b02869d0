"""Every task: right answers pass, every known mistake gets its own hint."""

from itertools import combinations

import learners
import nbfiles
import numpy as np
import pytest
import torch
from hint_words import HINT_WORDS

from tt_utils.grading import tasks
from tt_utils.grading.checker import grade, reference_outputs, wrong_outputs
from tt_utils.grading.comparison import agree
from tt_utils.grading.spec import ANYTHING, FunctionTask, ValueTask

ALL = [
    task for number in tasks.chapters() for task in tasks.of_chapter(number).values()
]
FUNCTIONS = [task for task in ALL if isinstance(task, FunctionTask)]
VALUES = [task for task in ALL if isinstance(task, ValueTask)]
SEEDS = range(5)


def by_id(items):
    return pytest.mark.parametrize("task", items, ids=lambda task: task.id)


def name_of(item) -> str:
    """The same in each process: a function's `repr` holds its address."""
    return getattr(item, "__name__", str(item)[:40])


def in_numpy(function):
    """A NumPy answer that also takes tensors."""

    def answer(*arguments):
        return function(
            *(a.numpy() if isinstance(a, torch.Tensor) else a for a in arguments)
        )

    return answer


def notebook(folder, task):
    (path,) = (nbfiles.ROOT / folder).glob(f"{task.id[:2]}_*.ipynb")
    return path


def defined_in(path) -> dict:
    """Everything that a notebook's code cells define, as if they had been run."""
    names = {}
    for cell in nbfiles.read(path).cells:
        if cell.cell_type == "code" and "setup" not in nbfiles.tags(cell):
            exec(compile(cell.source, str(path), "exec"), names)
    return names


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """The answers to a task that the notebooks of a folder hold."""
    cache = {}

    def answers_in(folder, task):
        path = notebook(folder, task)
        if path not in cache:
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("TT_PROGRESS", str(tmp_path_factory.mktemp("p") / "p"))
                cache[path] = defined_in(path)
        is_function = isinstance(task, FunctionTask)
        names = [task.function] if is_function else task.outputs
        return tuple(cache[path][name] for name in names)

    return answers_in


@by_id(ALL)
def test_the_master_scores_full(task, answers):
    for seed in SEEDS:
        result = grade(task, answers("solutions", task), seed)
        assert result.points == task.points, result


@by_id(ALL)
def test_the_exercise_scores_nothing_and_alarms_nobody(task, answers):
    result = grade(task, answers("exercises", task))
    assert result.points == 0
    if task.kind == "find the bug":
        (planted,) = (w for w in task.wrong if w.name == "as planted")
        assert result.hint == planted.hint
    else:
        assert result.verdict == "not attempted"
        assert not result.hint


@by_id(ALL)
def test_the_master_states_title_and_points(task):
    text = notebook("solutions", task).read_text(encoding="utf-8")
    statement = text.split(f"## {task.id} · {task.title}")[1].split("## ")[0]
    assert f"minutes · {task.points} points" in statement
    assert task.kind in statement


@by_id(FUNCTIONS)
def test_alternatives_are_accepted(task):
    assert len(task.right) >= 3
    for answer in task.right:
        for seed in SEEDS:
            result = grade(task, (answer,), seed)
            assert result.points == task.points, result


@by_id(VALUES)
def test_other_spellings_are_accepted(task):
    for values in task.right:
        assert grade(task, values).points == task.points


@by_id(FUNCTIONS)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_mistake_gets_its_own_hint(task, seed):
    for wrong in task.wrong:
        result = grade(task, (in_numpy(wrong.answer),), seed)
        assert result.points == 0
        assert result.hint == wrong.hint, f"{wrong.name}: {result}"


@by_id(VALUES)
def test_every_wrong_value_gets_its_own_hint(task):
    for wrong in task.wrong:
        result = grade(task, completed(task, wrong.answer))
        assert result.points == 0
        assert result.hint == wrong.hint, f"{wrong.name}: {result}"


def completed(task, entries):
    pairs = zip(entries, task.reference, strict=True)
    return tuple(right if entry is ANYTHING else entry for entry, right in pairs)


@by_id(FUNCTIONS)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_two_mistakes_look_alike(task, seed):
    inputs = task.inputs(seed)
    outputs = {"right": [reference_outputs(task, given) for given in inputs]}
    for wrong in task.wrong:
        outputs[wrong.name] = [wrong_outputs(task, wrong.answer, x) for x in inputs]
    for (one, a), (other, b) in combinations(outputs.items(), 2):
        alike = all(same(task, x, y) for x, y in zip(a, b, strict=True))
        assert not alike, f"{one} = {other}"


def same(task, x, y):
    if x is None or y is None:
        return x is y
    return agree(x, y, task.rtol, task.atol)


@by_id(FUNCTIONS)
def test_a_law_catches_what_values_cannot(task):
    for law in task.laws:
        for answer in law.broken_by:
            result = grade(task, (answer,))
            assert result.points == 0
            assert result.hint == law.hint


@by_id(ALL)
def test_each_hint_speaks_of_its_own_mistake(task):
    hints = {wrong.name: wrong.hint for wrong in task.wrong}
    wanted = HINT_WORDS[task.id]
    assert wanted.keys() == hints.keys(), "add it to hint_words.py"
    for name, words in wanted.items():
        found = [other for other, hint in hints.items() if words in hint]
        assert found == [name], f"{words!r} is in the hints of {found}"


@pytest.mark.parametrize(("answer", "mistake"), learners.ATTENTION.items(), ids=name_of)
@pytest.mark.parametrize("seed", SEEDS)
def test_attention_as_learners_write_it(answer, mistake, seed):
    assert_hint("05.1", answer, mistake, seed)


@pytest.mark.parametrize(("answer", "mistake"), learners.SCALE_BUG.items(), ids=name_of)
def test_scale_bug_as_learners_mend_it(answer, mistake):
    assert_hint("05.3", answer, mistake, 0)


def assert_hint(task_id, answer, mistake, seed):
    task = tasks.find(task_id)
    (wrong,) = (wrong for wrong in task.wrong if wrong.name == mistake)
    result = grade(task, (answer,), seed)
    assert result.hint == wrong.hint, result


@pytest.mark.parametrize("seed", SEEDS)
def test_attention_reference_is_the_librarys(seed):
    task = tasks.find("05.1")
    for arguments in task.inputs(seed):
        tensors = [torch.from_numpy(a) for a in arguments]
        mask = tensors[3] if len(tensors) == 4 else None
        out = torch.nn.functional.scaled_dot_product_attention(
            *tensors[:3], attn_mask=mask
        )
        ours = reference_outputs(task, arguments)["out"]
        assert np.allclose(ours, out.numpy())


@pytest.mark.parametrize("seed", SEEDS)
def test_softmax_reference_is_the_librarys(seed):
    task = tasks.find("05.4")
    for x, *axis in task.inputs(seed):
        library = torch.softmax(torch.from_numpy(x), *(axis or [-1])).nan_to_num(0)
        ours = reference_outputs(task, (x, *axis))["weights"]
        assert np.allclose(ours, library.numpy())
