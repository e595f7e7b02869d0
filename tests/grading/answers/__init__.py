"""Answers as learners, attackers and teachers write them, one text file per task.

    # What the task asks.

    [RIGHT]
    loop:
        def mean(x):
            total = 0
            for number in x:
                total += number
            return total / len(x)
    by NumPy: return np.mean(x)
    by hand:
            n = len(x)
            return sum(x) / n

    [SPELLINGS]
    not divided: total / len(x) → total
    or [by NumPy]: np.mean → np.sum
    or [by hand]: sum(x) / n → total
    and: n = len(x) → total = sum(x)
    only the last number: total = 0 … return total / len(x) → return x[-1]

A line opens an answer: a name, `or` (another spelling of the mistake above), or `and`
(a further edit of the answer above). The source stands below it, indented; one blank
line at its end doesn't count. What is indented once more, or stands beside the name, is
the body of the function that the file's first answer opens with; in a task of values,
what stands beside the name is the answer.

With `→` in it, it is an edit as in `tt_utils.grading.tasks.mistakes`, `old → new`
wherever `old` stands: in the first answer, or in an earlier one that is named in
brackets (`[not divided, 2]` is the second spelling of that mistake). `…` stands for all
that lies between. The new lines of a long edit stand below it, indented as in the
source.

A source is run after `NAMES` in a namespace of its own: an answer to a function task
defines the task's function, an answer to a value task is one tuple. `hostile.txt` and
`slips.txt` hold answers to any task; never run the hostile ones in a process that
matters.
"""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import ceil
from pathlib import Path
from zlib import crc32

from tt_utils.grading.tasks.mistakes import edited

NAMES = """
import math
from fractions import Fraction

import numpy as np
import torch
"""

FOLDER = Path(__file__).parent
TASKS = tuple(
    path.stem.replace("_", ".") for path in sorted(FOLDER.glob("[0-9]*_[0-9]*.txt"))
)
ENTRY = re.compile(r"^(\S.*)\n((?:(?: {4}.*)?\n)*)", re.MULTILINE)
SECTION = re.compile(r"\[(\w+)\]")
OPENING = re.compile(r"(\n*(def|class) .*:\n)?")
HEAD = re.compile(r"(?P<name>[^:]+?)(?: \[(?P<of>[^:]+)\])?:(?: (?P<beside>.+))?")


@dataclass(frozen=True)
class Answers:
    """The answers to a task.

    `RIGHT` are right by the task's own text, `WRONG` are wrong by it, on some legal
    input at least; `SPELLINGS` are other spellings of each listed mistake, `DOUBLE` two
    listed mistakes at once: (name, name, source).
    """

    RIGHT: dict[str, str]
    WRONG: dict[str, str]
    SPELLINGS: dict[str, list[str]]
    DOUBLE: list[tuple[str, str, str]]


@cache
def collected(task_id: str) -> Answers:
    """All answers to a task."""
    found = read_file(task_id.replace(".", "_"))
    right, wrong = (dict(found.get(kind, ())) for kind in ("RIGHT", "WRONG"))
    spellings = {}
    for name, source in found.get("SPELLINGS", ()):
        spellings.setdefault(name, []).append(source)
    double = [(*name.split(" + "), source) for name, source in found.get("DOUBLE", ())]
    return Answers(right, wrong, spellings, double)


@cache
def tried(task_id: str) -> Answers:
    """The answers that a run of the tests tries: all, or a tenth of each kind.

    The same ones in every run: two right and two wrong ones at least, and one spelling
    of each mistake. `TT_ALL_ANSWERS` in the environment asks for all.
    """
    whole = collected(task_id)
    if os.environ.get("TT_ALL_ANSWERS"):
        return whole
    right, wrong = tenth(whole.RIGHT.values(), 2), tenth(whole.WRONG.values(), 2)
    double = tenth(source for *_, source in whole.DOUBLE)
    return Answers(
        {name: source for name, source in whole.RIGHT.items() if source in right},
        {name: source for name, source in whole.WRONG.items() if source in wrong},
        {name: tenth(sources) for name, sources in whole.SPELLINGS.items()},
        [answer for answer in whole.DOUBLE if answer[-1] in double],
    )


def tenth(sources: Iterable[str], at_least: int = 1) -> list[str]:
    """A tenth by checksum: an answer more or less hardly moves the others in or out."""
    drawn = sorted(sources, key=lambda source: crc32(source.encode()))
    return drawn[: max(at_least, ceil(len(drawn) / 10))]


def read(text: str) -> dict[str, list[tuple[str, str]]]:
    """The (name, source) pairs of each section of a file, edits carried out."""
    for line in ENTRY.sub("", text).splitlines():
        if line.strip():
            raise ValueError(f"indent a source by four blanks: {line!r}")
    sections, known = {}, {}
    for head, below in ENTRY.findall(text):
        if head.startswith("#"):
            continue
        if section := SECTION.fullmatch(head):
            here = sections[section[1]] = []
            continue
        if not (found := HEAD.fullmatch(head)):
            raise ValueError(f"{head!r} opens no answer; write `name: source`")
        name, of, beside = found.groups()
        base = known.get(of or next(iter(known), ""), "")
        if name == "and":
            name, base = here.pop()
        elif name == "or":
            name, _ = here[-1]
        elif name in dict(here):
            raise ValueError(f"two answers are called {name!r}; name them apart")
        block = re.sub(r"\n\n\Z", "\n", re.sub("(?m)^ {4}", "", below))
        opening = OPENING.match(next(iter(known.values()), ""))[0]
        if beside and "→" in beside:
            source = edit(base, beside + block)
            if source is None:
                raise ValueError(f"{head!r} finds nothing to edit")
        elif beside and not opening:
            source = beside
        else:
            source = f"    {beside}\n" if beside else block
            source = opening * source.startswith("    ") + source
        here.append((name, source))
        times = [other for other, _ in here].count(name)
        known[name if times == 1 else f"{name}, {times}"] = source
    return sections


def edit(base: str, written: str) -> str | None:
    """The base after `old → new`, or None where it holds no such `old`."""
    old, arrow, new = written.partition("→")
    if "…" in old:
        ends = (re.escape(end.strip()) for end in old.split("…"))
        found = re.search(".*?".join(ends), base, re.DOTALL)
        old = found[0] if found else old
    return edited(base, (old + arrow + new,))


def read_file(stem: str) -> dict[str, list[tuple[str, str]]]:
    """`read` of a file beside this one."""
    return read((FOLDER / f"{stem}.txt").read_text("utf-8"))


def by_name(section: list[tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """(task, source) of answers that are called `01.2 endless loop`."""
    return {
        name: (task, source)
        for called, source in section
        for task, _, name in [called.partition(" ")]
    }


COPIED = by_name(read_file("hostile")["COPIED"])
HOSTILE = by_name(read_file("hostile")["HOSTILE"]) | COPIED
SETUP = read_file("slips")["SETUP"][0][1]
SLIPS = dict(read_file("slips")["SLIPS"])
