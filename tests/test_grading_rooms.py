"""The grader's rooms: code flows one way; what runs learners' code knows no answer."""

import ast
from graphlib import TopologicalSorter

import nbfiles
import pytest

GRADING = nbfiles.ROOT / "tt_utils" / "grading"

# A room may use those above its line.
FLOORS = (
    {"observing"},
    {"tasks"},
    {"reporting"},
    {"judging"},
    {"the door"},
    {"classroom.handed_in", "classroom.records", "classroom.student_side"},
    {"classroom.sandbox"},
    {"classroom.reports"},
    {"classroom"},
)
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
RUNNERS = {"observing.observe", "observing.in_process", "observing.in_thread"}


def name_of(file):
    parts = file.relative_to(GRADING).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(file): file for file in GRADING.rglob("*.py")}
ROOMS = {name for name, file in MODULES.items() if file.name == "__init__.py"} - {""}


def room_of(module):
    """The innermost folder, but for a chapter's, which belongs to the tasks."""
    if module.startswith("tasks"):
        return "tasks"
    folder = module if module in ROOMS else module.rpartition(".")[0]
    return folder or "the door"


def imported(file):
    """All modules of the package that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [n if inside(n) in MODULES else node.module for n in names]
        yield from (name for name in names if name.startswith("tt_utils"))


def inside(name):
    return name.removeprefix("tt_utils.grading").removeprefix(".")


USES = {
    module: {inside(name) for name in imported(file) if "grading" in name} - {module}
    for module, file in MODULES.items()
}


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_room_uses_only_those_below(module):
    room = room_of(module)
    assert room in FLOOR, f"give {room} its floor"
    for used in USES[module]:
        other = room_of(used)
        assert other == room or FLOOR[other] < FLOOR[room], f"{module} uses {used}"


def test_no_module_uses_one_that_uses_it():
    TopologicalSorter(USES).prepare()


@pytest.mark.parametrize("module", [m for m in MODULES if room_of(m) == "judging"])
def test_who_judges_runs_nothing_of_a_learner(module):
    assert not USES[module] & RUNNERS


@pytest.mark.parametrize("module", [m for m in MODULES if "student_side" in m])
def test_the_students_side_knows_only_how_to_use_an_answer(module):
    rooms = {room_of(inside(name)) for name in imported(MODULES[module])}
    assert rooms <= {"observing", "classroom.student_side"}
