"""exercises/ follows from solutions/, and never shows a solution."""

import re

import make_exercises
import nbfiles
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tt_utils.grading import tasks

ANSWER = """\
def cosine_matrix(A, B):
    ### BEGIN SOLUTION
    lengths = measure_every_row(A)
    return A / lengths @ B.T
    ### END SOLUTION"""
BUGGY = """\
def similarity_table(vectors):
    ### BEGIN SOLUTION
    lengths = measure(vectors, axis=1)
    lengths = lengths[:, None]
    ### BEGIN STUB
    # lengths = measure(vectors, axis=0)
    # lengths = lengths[:, None]
    ### END SOLUTION
    return vectors / lengths"""
CHECK = 'check("01.2", cosine_matrix)'
TEXTS = {
    "title": "# Demo\n\n9 tasks, 99 points, about chapter 01.",
    "two": "## 01.2 · Old title\n\n●●○ · old kind · 13 minutes · 99 points\n\nDo it.",
    "four": "## 01.4 · Old title\n\n●○○ · old kind · 1 minute · 1 point\n\nDo it.",
}


class Project:
    def __init__(self, root, capsys):
        self.root, self.capsys = root, capsys
        self.master = root / "solutions" / "01_demo.ipynb"
        self.exercise = root / "exercises" / "01_demo.ipynb"

    def write(self, *sources):
        cells = [new_markdown_cell(text, id=name) for name, text in TEXTS.items()]
        cells += [
            new_code_cell(source, id=f"c{number}", execution_count=number)
            for number, source in enumerate(sources, start=1)
        ]
        facts = {"tt": {"minutes": 99}}
        nbfiles.write(self.master, new_notebook(cells=cells, metadata=facts))

    def run(self, *arguments):
        code = make_exercises.main([*arguments], self.root)
        return code, self.capsys.readouterr().out


@pytest.fixture
def project(tmp_path, capsys):
    for folder in ("solutions", "exercises"):
        (tmp_path / folder).mkdir()
    project = Project(tmp_path, capsys)
    project.write(ANSWER, CHECK, BUGGY)
    return project


def test_stubs_take_the_place_of_solutions(project):
    assert project.run()[0] == 0
    cells = nbformat.read(project.exercise, as_version=4).cells
    written = {cell.id: cell for cell in cells}
    stub = "def cosine_matrix(A, B):\n    ...  # your code here"
    assert written["c1"].source == stub
    assert "axis=0" in written["c3"].source
    assert "### " not in "".join(cell.source for cell in cells[len(TEXTS) :])
    assert all(cell.execution_count is None for cell in cells[len(TEXTS) :])


def test_title_kind_points_and_time_are_those_of_the_tasks(project):
    assert project.run()[0] == 0
    notebook = nbformat.read(project.exercise, as_version=4)
    texts = {cell.id: cell.source for cell in notebook.cells}
    found = tasks.of_chapter("01")
    total = sum(task.points for task in found.values())
    assert texts["title"] == (
        f"# Demo\n\n{len(found)} tasks, {total} points, about chapter 01."
    )
    two = found["01.2"]
    assert texts["two"] == (
        f"## 01.2 · {two.title}\n\n"
        f"●●○ · {two.kind} · 13 minutes · {two.points} points\n\nDo it."
    )
    assert notebook.metadata["tt"]["minutes"] == 14


def test_ids_stay_and_regeneration_changes_no_byte(project):
    project.run()
    before = project.exercise.read_bytes()
    assert project.run("--check")[0] == 0
    assert project.run()[0] == 0
    assert project.exercise.read_bytes() == before
    ids = [cell.id for cell in nbformat.read(project.exercise, as_version=4).cells]
    assert ids == [*TEXTS, "c1", "c2", "c3"]


def test_explanations_stay_with_the_master(project):
    notebook = nbformat.read(project.master, as_version=4)
    why = new_markdown_cell("### Why\n\nIt works.", id="why")
    why.metadata["tags"] = ["solution-only"]
    notebook.cells.append(why)
    nbfiles.write(project.master, notebook)
    assert project.run()[0] == 0
    assert "Why" not in project.exercise.read_text()


def test_a_leak_in_the_exercise_is_named_with_its_cell(project):
    project.run()
    text = project.exercise.read_text()
    leak = "lengths = measure_every_row(A)"
    project.exercise.write_text(text.replace("...  # your code here", leak))
    code, out = project.run("--check")
    assert code == 1
    where = f"exercises/01_demo.ipynb, cell {len(TEXTS)}"
    assert f"{where}: shows a line of the solution: {leak}" in out


@pytest.mark.parametrize(
    "cell",
    [
        "lengths  =  measure_every_row( A )  # spaced",
        "if True: lengths = measure_every_row(A)",
        "table = unit_a @ unit_b.T",
    ],
    ids=["in another cell", "within a line", "from the grader's reference"],
)
def test_a_leak_in_the_master_is_refused(project, cell):
    project.write(ANSWER, CHECK, cell)
    code, out = project.run()
    assert code == 1
    assert f"exercises/01_demo.ipynb, cell {len(TEXTS) + 2}: shows a line" in out
    assert not project.exercise.exists()


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (ANSWER.replace("### END SOLUTION", ""), "'### BEGIN SOLUTION' has no partner"),
        (ANSWER.replace("### BEGIN SOLUTION", ""), "'### END SOLUTION' has no partner"),
        (ANSWER.replace("BEGIN SOLUTION", "BEGIN SOLUTOIN"), "or is misspelt"),
        (ANSWER.replace("return", "### BEGIN SOLUTION\n    return"), "has no partner"),
        (
            BUGGY.replace("# lengths", "# lengths =", 1),
            f"invalid syntax (cell {len(TEXTS)}, line 2)",
        ),
        (re.sub("    ###.*\n?", "", ANSWER), "checks `cosine_matrix`, but no solution"),
    ],
    ids=["no end", "no begin", "typing mistake", "two begins", "stub", "forgotten"],
)
def test_broken_markers_are_refused(project, source, words):
    project.write(source, CHECK)
    code, out = project.run()
    assert code == 1
    assert out.startswith("solutions/01_demo.ipynb, ")
    assert words in out
    assert not project.exercise.exists()


def test_an_old_or_missing_or_stray_exercise_is_noticed(project):
    assert "is missing" in project.run("--check")[1]
    project.run()
    project.write(ANSWER, CHECK)
    assert "is not what its master gives" in project.run("--check")[1]
    project.run()
    stray = project.root / "exercises" / "09_stray.ipynb"
    stray.write_bytes(project.exercise.read_bytes())
    code, out = project.run("--check")
    assert code == 1
    assert "09_stray.ipynb has no master" in out


def test_the_projects_own_exercises_are_up_to_date(capsys):
    assert make_exercises.main(["--check"]) == 0, capsys.readouterr().out


def test_what_a_given_init_shows_is_no_answer():
    code = """\
class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.widen = nn.Linear(width, 4 * width)

    def forward(self, x):
        return self.widen(x)"""
    shown = make_exercises.set_up(new_notebook(cells=[new_code_cell(code)]))
    assert make_exercises.bare("self.widen = nn.Linear(width, 4 * width)") in shown
    assert make_exercises.bare("return self.widen(x)") not in shown
