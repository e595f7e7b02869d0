"""Does the checker tell right from wrong? Every task, over many random inputs.

Right answers, also as float64, on arrays that are not contiguous, with prints and
warnings: how many are rejected. Listed mistakes: how many get no hint of their own.
Generic mutants (an operator, a constant, an argument changed): how many survive.
A task whose answers train or simulate gets fewer seeds: each of the three parts ends
after `--patience` seconds of a core, and tells how far it came. With `--only`, the rows
of other tasks stay in the record as they are; each row names the code that it is of.
"""

import argparse
import ast
import copy
import functools
import io
import json
import math
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import torch
from record import RESULTS, commit, cpu_model, save, slug
from tqdm import tqdm

from tt_utils.grading import tasks
from tt_utils.grading.grade import grade
from tt_utils.grading.judging.judge import judge
from tt_utils.grading.judging.known_answers import answers_in, sources
from tt_utils.grading.observing.attempt import attempt, handed
from tt_utils.grading.observing.observation import Observed
from tt_utils.grading.tasks.requests import requests
from tt_utils.grading.tasks.spec import FunctionTask

SURVIVORS = Path("runs/survivors.txt")  # for a person to judge
COUNTS = (
    *("right", "rejected", "wrong", "accepted", "other_hint"),
    *("mutants", "mutants_tried", "survived"),
)
SWAPS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


def main() -> None:
    """Try every task, several at a time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--wrong-seeds", type=int, default=100)
    parser.add_argument("--patience", type=float, default=300, help="a part, in s")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", default="", help="ids that begin so, by commas")
    given = parser.parse_args()
    ids = [
        task_id
        for number in tasks.chapters()
        for task_id, task in tasks.of_chapter(number).items()
        if task_id.startswith(tuple(given.only.split(",")))
        and isinstance(task, FunctionTask)
    ]
    tried = functools.partial(
        tried_task, given.seeds, given.wrong_seeds, given.patience
    )
    rows = {row["task"]: row for row in rows_before()} if given.only else {}
    survivors, code = {}, commit()
    with ProcessPoolExecutor(given.workers) as pool:
        for row in tqdm(pool.map(tried, ids), total=len(ids)):
            survivors[row["task"]] = row.pop("survivors")
            rows[row["task"]] = row | {"commit": code}
            tqdm.write(str(row))
    write_survivors(survivors)
    total = {key: sum(row[key] for row in rows.values()) for key in COUNTS}
    print(total)
    result = {
        "seeds": given.seeds,
        "wrong_seeds": given.wrong_seeds,
        "patience": given.patience,
        "total": total,
    }
    save("exercises", result | {"rows": [rows[task] for task in sorted(rows)]})


def rows_before() -> list[dict[str, Any]]:
    """The rows of this machine's record, each with its code."""
    path = RESULTS / slug(cpu_model()) / "exercises.json"
    if not path.exists():
        return []
    found = json.loads(path.read_text())
    return [{"commit": found["commit"]} | row for row in found["result"]["rows"]]


def write_survivors(survivors: dict[str, list[str]]) -> None:
    SURVIVORS.parent.mkdir(exist_ok=True)
    lines = [f"{task}: {line}" for task, lines in survivors.items() for line in lines]
    SURVIVORS.write_text("\n".join(lines) + "\n", encoding="utf-8")


def tried_task(
    seeds: int, wrong_seeds: int, patience: float, task_id: str
) -> dict[str, Any]:
    """All counts of one task."""
    task = tasks.find(task_id)
    assert isinstance(task, FunctionTask)
    torch.set_num_threads(1)
    started = time.process_time()
    right_ways = [
        tuple(map(change, answers_in(task, source)))
        for source in task.right
        for change in CHANGES
    ]
    rejected = rights = right_seeds = 0
    for seed in until(patience, range(seeds)):
        verdicts = [bool(graded_here(task, answers, seed)) for answers in right_ways]
        rights += len(verdicts)
        rejected += verdicts.count(False)
        right_seeds += 1
    spellings = [
        (mistake.hint, answers_in(task, source))
        for mistake in task.known
        for source in sources(task, mistake)
    ]
    wrong = accepted = other_hint = mistake_seeds = 0
    for seed in until(patience, range(wrong_seeds)):
        for hint, answers in spellings:
            result = graded_here(task, answers, seed)
            wrong += 1
            accepted += bool(result)
            other_hint += not result and result.hint != hint
        mistake_seeds += 1
    mutants = list(dict.fromkeys(m for text in task.right for m in mutated(text)))
    verdicts = {text: survives(task, text) for text in until(patience, mutants)}
    survivors = [text for text, survived in verdicts.items() if survived]
    return {
        "task": task_id,
        "right_seeds": right_seeds,
        "right": rights,
        "rejected": rejected,
        "mistake_seeds": mistake_seeds,
        "wrong": wrong,
        "accepted": accepted,
        "other_hint": other_hint,
        "mutants": len(mutants),
        "mutants_tried": len(verdicts),
        "survived": len(survivors),
        "cpu_seconds": round(time.process_time() - started, 1),
        "survivors": [difference(task, text) for text in survivors],
    }


def until(patience: float, items: Iterable[Any]) -> Iterator[Any]:
    """The items, as long as the core has not worked so many seconds on them."""
    start = time.process_time()
    for item in items:
        if time.process_time() - start > patience:
            return
        yield item


def graded_here(task: FunctionTask, answers: tuple, seed: int) -> Any:
    """What the checker says of harmless answers, without a process of its own."""
    with np.errstate(all="ignore"), warnings.catch_warnings(), quiet():
        warnings.simplefilter("ignore")
        calls = tuple(attempt(answers, request) for request in requests(task, seed))
        return judge(task, seed, Observed(tuple(map(handed, answers)), calls))


def quiet() -> redirect_stdout:
    return redirect_stdout(io.StringIO())


# The ways in which a right answer may be unusual


def as_it_is(answer: Any) -> Any:
    return answer


def loud(answer: Any) -> Any:
    def speak(argument: Any) -> Any:
        print("working")
        warnings.warn("this is slow", stacklevel=2)
        return argument

    return around(answer, speak, as_it_is)


def in_float64(answer: Any) -> Any:
    return around(answer, as_it_is, functools.partial(each, change=doubled))


def not_contiguous(answer: Any) -> Any:
    gaps = functools.partial(each, change=with_gaps)
    return around(answer, gaps, gaps)


CHANGES = (as_it_is, loud, in_float64, not_contiguous)


def around(answer: Any, before: Callable, after: Callable) -> Any:
    """A function whose arguments and results are changed; classes stay as they are."""
    if isinstance(answer, type):
        return answer

    @functools.wraps(answer)
    def changed(*args: Any, **kwargs: Any) -> Any:
        named = {name: before(value) for name, value in kwargs.items()}
        return after(answer(*map(before, args), **named))

    return changed


def each(value: Any, change: Callable) -> Any:
    """Change the arrays; what holds numbers, words or functions is left alone."""
    if isinstance(value, tuple):
        return tuple(each(one, change) for one in value)
    return change(value) if isinstance(value, np.ndarray | torch.Tensor) else value


def doubled(x: Any) -> Any:
    if isinstance(x, torch.Tensor):
        return x.double() if x.is_floating_point() else x
    return x.astype(np.float64) if x.dtype.kind == "f" else x


def with_gaps(x: Any) -> Any:
    if x.ndim == 0 or (isinstance(x, torch.Tensor) and x.requires_grad):
        return x
    if isinstance(x, torch.Tensor):
        if x.dtype == torch.uint8:  # a state of random numbers, as PyTorch wants it
            return x
        return torch.stack((x, x), dim=-1)[..., 0]
    return np.stack((x, x), axis=-1)[..., 0]


# Mutants


def mutated(source: str) -> Iterator[str]:
    """The source with one small thing changed, in all ways that we know."""
    tree = ast.parse(source)
    for number, node in enumerate(ast.walk(tree)):
        for change in changes(node):
            copied = copy.deepcopy(tree)
            target = next(n for i, n in enumerate(ast.walk(copied)) if i == number)
            change(target)
            text = ast.unparse(copied)
            if text != ast.unparse(tree):
                yield text


def changes(node: ast.AST) -> Iterator[Callable[[Any], None]]:
    """What may be changed in one node."""
    if isinstance(node, ast.BinOp | ast.BoolOp) and type(node.op) in SWAPS:
        yield lambda n: setattr(n, "op", SWAPS[type(n.op)]())
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
        yield lambda n: n.ops.__setitem__(0, SWAPS[type(n.ops[0])]())
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
        yield lambda n: setattr(n, "op", ast.UAdd())
    if isinstance(node, ast.Constant) and not isinstance(node.value, str | bytes):
        for other in other_constants(node.value):
            yield lambda n, other=other: setattr(n, "value", other)
    if isinstance(node, ast.Call):
        for i in range(len(node.keywords)):
            yield lambda n, i=i: n.keywords.pop(i)


def other_constants(value: Any) -> tuple:
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return value + 1, value - 1
    if isinstance(value, float) and math.isfinite(value):
        return value * 2, value / 2
    return ()


def survives(task: FunctionTask, source: str) -> bool:
    """Is a mutant taken for a right answer, on three seeds?"""
    try:
        answers = answers_in(task, source)
    except Exception:
        return False
    with quiet():
        return all(bool(grade(task, answers, seed)) for seed in range(3))


def difference(task: FunctionTask, text: str) -> str:
    """The line of a survivor that no right answer has."""
    known = {line for right in task.right for line in normal(right)}
    return " | ".join(line.strip() for line in normal(text) if line not in known)


def normal(text: str) -> list[str]:
    return ast.unparse(ast.parse(text)).splitlines()


if __name__ == "__main__":
    main()
