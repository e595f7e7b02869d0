"""Code flows one way: no module of `tt_utils` imports from its own level or above."""

import ast
import subprocess
import sys
from pathlib import Path

import nbfiles
import pytest

PACKAGE = nbfiles.ROOT / "tt_utils"

# Each line may use the lines above it. A room (a folder) counts as one module.
LEVELS = (
    {
        "runtime",
        "reference",
        "plotting",
        "atomic_write",
        "modes",
        "recorded",
        "planted",
    },
    {"blocks"},
    {"data", "checkpoint"},
    {"models"},
    {"training", "decoding"},
    {"evaluation"},
    {"figures", "grading"},
    {"cli"},
    {"__main__"},
)
LEVEL = {name: level for level, names in enumerate(LEVELS) for name in names}
# These are used where no model is trained, so importing them must stay cheap.
NEVER_TRAIN = {"plotting", "figures", "grading"}


def module_of(file: Path) -> str:
    return file.relative_to(PACKAGE).with_suffix("").parts[0]


def imported_modules(file: Path) -> set[str]:
    """First names below `tt_utils` of everything that the file imports."""
    here = ("tt_utils", *file.relative_to(PACKAGE).parts[:-1])
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {tuple(alias.name.split(".")) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else ()
            base += tuple(node.module.split(".")) if node.module else ()
            found |= {(*base, alias.name) for alias in node.names}
    return {names[1] for names in found if names[0] == "tt_utils" and len(names) > 1}


IMPORTS: dict[str, set[str]] = {}
for _file in sorted(PACKAGE.rglob("*.py")):
    _name = module_of(_file)
    if _name != "__init__":
        IMPORTS.setdefault(_name, set()).update(imported_modules(_file) - {_name})


@pytest.mark.parametrize("name", IMPORTS)
def test_a_module_uses_only_lower_levels(name):
    assert name in LEVEL, f"give tt_utils.{name} its level in {Path(__file__).name}"
    upward = {used for used in IMPORTS[name] if LEVEL.get(used, 99) >= LEVEL[name]}
    assert not upward, f"tt_utils.{name} must not import {', '.join(sorted(upward))}"


@pytest.mark.parametrize("name", sorted(NEVER_TRAIN & IMPORTS.keys()))
def test_plots_and_grading_never_pull_in_training(name):
    reached, to_visit = set(), {name}
    while to_visit:
        reached |= to_visit
        to_visit = {used for module in to_visit for used in IMPORTS.get(module, ())}
        to_visit -= reached
    assert "training" not in reached


@pytest.mark.parametrize(
    "path",
    nbfiles.find(nbfiles.ROOT),
    ids=lambda path: f"{path.parent.name}/{path.stem}",
)
def test_notebooks_use_the_package_and_no_other_notebook(path):
    for cell in nbfiles.read(path).cells:
        if cell.cell_type != "code":
            continue
        for line in cell.source.splitlines():
            words = line.split()
            assert words[:1] not in (["%run"], ["%load"]), f"{path.name}: {line}"
            if words[:1] in (["import"], ["from"]):
                assert words[1].split(".")[0] not in nbfiles.EVERY, (
                    f"{path.name}: {line}"
                )


def test_importing_the_package_loads_nothing_heavy():
    code = "import sys, tt_utils; print({'torch', 'matplotlib'} & set(sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True
    )
    assert result.stdout.strip() == "set()", result.stderr


def test_every_shape_in_a_signature_is_checked(pytestconfig):
    """A room that is not in pyproject.toml's list would have its shapes unchecked."""
    listed = pytestconfig.getoption("--jaxtyping-packages")
    checked = listed.split(",")[:-1] if isinstance(listed, str) else listed
    for file in PACKAGE.rglob("*.py"):
        if "from jaxtyping import" in file.read_text(encoding="utf-8"):
            parts = file.relative_to(PACKAGE).with_suffix("").parts
            module = ".".join(("tt_utils", *parts))
            assert any(module.startswith(room) for room in checked), module
