"""A teacher's own tasks, in a folder of theirs."""

import nbfiles
import pytest
from typer.testing import CliRunner

from tt_utils.cli import app
from tt_utils.grading import check, progress, tasks
from tt_utils.grading.tasks import own_tasks

EXAMPLE = nbfiles.ROOT / "book" / "own_tasks"
VARIANT = (EXAMPLE / "ch71_my_course" / "t1_row_means.py").read_text(encoding="utf-8")


def means(x):
    return x.mean(axis=1)


def columns(x):
    return x.mean(axis=0)


@pytest.fixture
def added(monkeypatch):
    monkeypatch.setattr(own_tasks, "_added", [])
    return tasks.add_folder


@pytest.fixture
def folder(tmp_path):
    def make(name: str, text: str):
        file = tmp_path / "mine" / name
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
        return tmp_path / "mine"

    return make


def test_a_folder_adds_its_tasks(added):
    assert not check("71.1", means)
    added(EXAMPLE)
    assert check("71.1", means).points == 3
    assert "Which axis runs along a row?" in check("71.1", columns).hint
    assert tasks.chapters()["71"] == "My course"
    assert progress("71").total.points == 3
    assert [row.title for row in progress().rows][-1] == "71 My course"


def test_a_variable_names_folders_for_notebooks_and_commands(monkeypatch, tmp_path):
    monkeypatch.setenv("TT_TASKS", str(EXAMPLE))
    assert check("71.1", means)
    file = tmp_path / "mine.py"
    file.write_text("def row_means(x):\n    return x.sum(1)\n")
    shown = CliRunner().invoke(app, ["check", "71.1", str(file)])
    assert "Your numbers are sums." in shown.stdout
    assert (
        "divided by the number" in CliRunner().invoke(app, ["mistakes", "71.1"]).stdout
    )


def test_a_variable_that_names_no_folder_is_one_sentence(monkeypatch, tmp_path):
    monkeypatch.setenv("TT_TASKS", str(tmp_path / "lost"))
    result = check("05.1", means)
    assert result.verdict == "not checked"
    assert "TT_TASKS names a folder that isn't there" in result.message
    assert "give the whole path" in CliRunner().invoke(app, ["mistakes", "05.1"]).stderr


def test_a_private_variant_takes_the_place_of_the_book_s_task(added, folder):
    book = tasks.find("01.2")
    variant = VARIANT.replace('title="The mean', 'title="Here, the mean')
    added(folder("ch01_dot_product/t2_cosine_matrix.py", variant))
    assert check("01.2", means).heading == "01.2 Here, the mean of each row"
    assert tasks.find("01.1") is not None
    assert tasks.of_chapter("01").keys() == {"01.1", "01.2", "01.3", "01.4"}
    own_tasks._added.clear()
    assert tasks.find("01.2") is book


def test_a_folder_without_tasks(added, tmp_path):
    for empty in (tmp_path, tmp_path / "missing"):
        with pytest.raises(own_tasks.BadTasks, match="holds no tasks; a task is a"):
            added(empty)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("TASK = 1 +", "SyntaxError"),
        ("import nothing_like_it", "ModuleNotFoundError"),
        ("TASKS = 1", "has no attribute 'TASK'"),
        ("TASK = 1", "must be a FunctionTask"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(added, folder, text, reason):
    with pytest.raises(own_tasks.BadTasks, match=reason) as refused:
        added(folder("ch71_my_course/t1_x.py", text))
    assert "t1_x.py" in str(refused.value)
    assert own_tasks.folders() == []


def test_a_bad_file_of_the_variable_is_one_sentence(monkeypatch, folder):
    monkeypatch.setenv("TT_TASKS", str(folder("ch71_my_course/t1_x.py", "TASK = 1")))
    result = check("71.1", means)
    assert result.verdict == "not checked"
    assert "must be a FunctionTask" in result.message
    assert "must be a" in CliRunner().invoke(app, ["progress", "71"]).stderr
