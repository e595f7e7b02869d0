"""The known mistakes of a task, written as edits of its right answers.

    no scale: / math.sqrt(q.shape[-1]) →
    or: * q.shape[-1] ** -0.5 →
        Your weights are too sharp, and get sharper as d_k grows. What is done to
        the scores before softmax, so that d_k doesn't matter?

A mistake opens with its name and an edit, `old → new`: wherever `old` stands in a
right answer, `new` takes its place (`\\n` is a new line). `or:` opens another way
to make the mistake, `and:` an edit that goes along with the one above it. In a task of
values an edit is `name = value`. The hint stands below, indented. A blank line ends it.
"""

import re
from dataclasses import dataclass

OPENING = re.compile(r"(?P<name>\S.*?):(?: (?P<edit>.*))?$")


@dataclass(frozen=True)
class Mistake:
    """A mistake that runs, and the hint that leads out of it.

    `ways` holds the edits that make it, those of one way together.
    """

    name: str
    hint: str
    ways: tuple[tuple[str, ...], ...]


def read_mistakes(text: str) -> tuple[Mistake, ...]:
    """The mistakes in a text of the form above; raises ValueError with the line."""
    blocks = re.split(r"\n\s*\n", text.strip("\n"))
    mistakes = tuple(read_block(block) for block in blocks if block.strip())
    names = [mistake.name for mistake in mistakes]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two mistakes are called {name!r}; name them apart")
    return mistakes


def read_block(block: str) -> Mistake:
    name, ways, hint = "", [], []
    for line in block.splitlines():
        if line[0].isspace():
            hint.append(line.strip())
            continue
        opening = OPENING.match(line)
        if hint or opening is None or opening["edit"] is None:
            raise ValueError(
                f"{line!r} opens no mistake: write `name: old → new`, below it the "
                "hint, indented, and a blank line after it"
            )
        word, edit = opening["name"], opening["edit"]
        if not name:
            name, ways = word, [[edit]]
        elif word == "or":
            ways.append([edit])
        elif word == "and":
            ways[-1].append(edit)
        else:
            raise ValueError(f"{line!r}: after the first edit comes `or:` or `and:`")
    if not hint:
        raise ValueError(f"the mistake {name!r} has no hint; write it below, indented")
    return Mistake(name, " ".join(hint), tuple(map(tuple, ways)))


def edited(source: str, way: tuple[str, ...]) -> str | None:
    """The source after the edits, or None where one of them finds nothing to change."""
    for edit in way:
        old, arrow, new = edit.partition("→")
        old, new = (part.strip().replace("\\n", "\n") for part in (old, new))
        if not arrow or not old:
            raise ValueError(f"{edit!r} is no edit; write `old → new`")
        if old not in source:
            return None
        source = source.replace(old, new)
    return source
