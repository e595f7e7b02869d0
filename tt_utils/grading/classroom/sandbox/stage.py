"""What of `tt_utils` goes into the sandbox: as little as a chapter's answers need.

No task goes along, and of the book's own code only what the right answers import
themselves: in chapter 05 nothing, in chapter 12 `MultiHeadAttention` but no
`DecoderLayer`. A package's `__init__` is replaced by one that hands on just these
names; to import anything else is allowed, and its use raises a sentence.
"""

import ast
import io
import sys
import threading
import zipfile
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

import tt_utils
from tt_utils.grading import tasks
from tt_utils.grading.tasks.spec import FunctionTask, Task, TrainingTask

ROOT = Path(tt_utils.__file__).parent
OWN = "tt_utils.grading"
STUDENT_SIDE = f"{OWN}.classroom.student_side"
ENTRIES = (
    f"{STUDENT_SIDE}.session",
    f"{OWN}.observing.probes",
    f"{OWN}.observing.stand_ins",
)  # what runs there first
STAND_IN = f'''"""Takes the place of the checks where a class is graded."""

from {STUDENT_SIDE}.hand_in import check, progress

__all__ = ["check", "progress"]
'''
FACADE = f"""from {STUDENT_SIDE}.placeholders import missing_in

__getattr__ = missing_in(__name__)
"""
WHEN = (1980, 1, 1, 0, 0, 0)  # in the zip; no modification time tells of this machine
DEFINITION = ast.FunctionDef | ast.ClassDef
parsing = threading.Lock()


@lru_cache(maxsize=100)
def stage(chapter: str) -> bytes:
    """A zip of the modules for the tasks of a chapter."""
    return zipped(files(tasks.of_chapter(chapter).values()))


def zipped(texts: dict[str, str]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in sorted(texts.items()):
            archive.writestr(zipfile.ZipInfo(name, WHEN), text, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def files(found: Iterable[Task]) -> dict[str, str]:
    """The text of each file that the sandbox gets, by its path."""
    facades: dict[str, dict[str, str]] = {}
    wanted: dict[str, set[str]] = {}
    waiting = [(module, "") for module in ENTRIES]
    waiting += [pair for task in found for pair in given(task)]
    while waiting:
        module, name = waiting.pop()
        for package in parents(module):
            facades.setdefault(package, {})
        path = path_of(module)
        if path is None:
            continue
        if path.name != "__init__.py":
            if name not in wanted.setdefault(module, set()):
                wanted[module].add(name)
                waiting += imports(text_of(path, wanted[module]))
        elif name and path_of(f"{module}.{name}"):
            waiting.append((f"{module}.{name}", ""))
        elif name and (origin := handed_on(path, name)):
            facades.setdefault(module, {})[name] = "from {} import {} as {}".format(
                *origin, name
            )
            waiting.append(origin)
    found_files = {
        f"{package.replace('.', '/')}/__init__.py": "\n".join([*names.values(), FACADE])
        for package, names in facades.items()
        if not STUDENT_SIDE.startswith(package)
    }
    for package in (*parents(STUDENT_SIDE), STUDENT_SIDE):
        found_files[f"{package.replace('.', '/')}/__init__.py"] = ""
    found_files["tt_utils/grading/__init__.py"] = STAND_IN
    for module, names in wanted.items():
        path = path_of(module)
        assert path is not None
        found_files[f"{module.replace('.', '/')}.py"] = text_of(path, names)
    return found_files


def text_of(path: Path, names: set[str]) -> str:
    """A module's text, with no function or class but those that the names need.

    "" among them asks for the whole; so does the grader's own code.
    """
    text = path.read_text(encoding="utf-8")
    if "" in names or path.is_relative_to(ROOT / "grading"):
        return text
    tree = parsed(text)
    defined = {node.name: node for node in tree.body if isinstance(node, DEFINITION)}
    needed: set[str] = set()
    rest = [node for node in tree.body if not isinstance(node, DEFINITION)]
    waiting = [*(defined[name] for name in names if name in defined), *rest]
    while waiting:
        node = waiting.pop()
        used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        needed |= {node.name} if isinstance(node, DEFINITION) else set()
        waiting += [defined[name] for name in used & {*defined} - needed]
        needed |= used & {*defined}
    lines = text.splitlines()
    for name, node in defined.items():
        if name not in needed:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            for number in range(first - 1, node.end_lineno or first):
                lines[number] = ""
    return "\n".join([*lines, "", FACADE])


def given(task: Task) -> Iterator[tuple[str, str]]:
    """What of the book's own code the right answers and the checks import."""
    if isinstance(task, FunctionTask):
        for text in (*task.right, task.truth):
            yield from imports(text)
    if isinstance(task, TrainingTask):
        for text in task.right:
            yield from imports(text)
    source = Path(module_of(task).__file__).read_text(encoding="utf-8")
    yield from imports(source, anywhere=False)


def module_of(task: Task):
    """The module that defines a task."""
    return next(
        module
        for module in list(sys.modules.values())
        if vars(module).get("TASK") is task
    )


def imports(source: str, anywhere: bool = True) -> Iterator[tuple[str, str]]:
    """Modules of `tt_utils` and names in them that a text imports.

    `anywhere`: also those that only checks may know, from `tt_utils.grading`.
    """
    for node in ast.walk(parsed(source)):
        pairs = []
        if isinstance(node, ast.Import):
            pairs = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            pairs = [(node.module, alias.name) for alias in node.names]
        for module, name in pairs:
            ours = module == "tt_utils" or module.startswith("tt_utils.")
            if ours and (anywhere or not module.startswith(OWN)):
                yield module, name


def parsed(source: str) -> ast.Module:
    """One thread at a time: up to Python 3.11.7 two that parse spoil each other."""
    with parsing:
        return ast.parse(source)


def parents(module: str) -> Iterator[str]:
    while "." in module:
        module = module.rpartition(".")[0]
        yield module


def path_of(module: str) -> Path | None:
    """Where a module lies, also one that must not be imported for that."""
    place = ROOT.joinpath(*module.split(".")[1:])
    for path in (place / "__init__.py", place.with_suffix(".py")):
        if path.is_file():
            return path
    return None


def handed_on(package: Path, name: str) -> tuple[str, str] | None:
    """Where a package's `__init__` has a name from: a module, and the name there."""
    for node in parsed(package.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return node.module, alias.name
    return None
