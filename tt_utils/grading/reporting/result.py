"""What a check found, as text for a terminal and as HTML for a notebook."""

import re
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any, Literal

Verdict = Literal["right", "not yet", "not attempted", "not checked"]

# A sign and a word carry the verdict; the colour only repeats it. Mid-tones and
# inherited text colours are readable on white and on black.
SIGN = {"right": "✓", "not yet": "✗", "not attempted": "○", "not checked": "!"}
_COLOUR = {
    "right": "#009E73",
    "not yet": "#D55E00",
    "not attempted": "#808080",
    "not checked": "#808080",
}
STRESSED = re.compile(r"(?<![\w*])\*([^*\s](?:[^*]*[^*\s])?)\*(?![\w*])")
_PRE = (
    "margin:.1em 0 .4em;padding:.3em .5em;overflow-x:auto;color:inherit;"
    "background:rgba(128,128,128,.14);font:.92em/1.35 monospace"
)


@dataclass(frozen=True)
class Rung:
    """One check of a task: what it tries, and whether it passed (None: not run).

    With `earns` False it is no point: what it tries was right from the start.
    """

    title: str
    passed: bool | None
    earns: bool = True

    @property
    def sign(self) -> str:
        return {True: "✓", False: "✗", None: "○"}[self.passed]

    @property
    def word(self) -> str:
        if self.passed:
            return "" if self.earns else "no point: right from the start"
        return "not run" if self.passed is None else "fails"

    def __str__(self) -> str:
        return f"{self.sign} {self.title}" + (f" ({self.word})" if self.word else "")


def passed(rungs: tuple[Rung, ...]) -> int:
    return sum(rung.passed is True for rung in rungs)


def earned(rungs: tuple[Rung, ...]) -> int:
    """A point for each check that passed, but for those that earn none."""
    return passed(tuple(rung for rung in rungs if rung.earns))


@dataclass(frozen=True)
class Result:
    """The outcome of one `check`; a notebook shows it by itself.

    It counts as true where the answer is right. `inputs` holds the arguments of the
    failing call by name, to try them again: `f(*check(...).inputs.values())`.
    `evidence` holds pairs (label, text), `more_hints` what a learner may unfold,
    `mistakes` the names of all that show (by hand, of every part), of which the hints
    may name one alone, `views` one entry for each time that a notebook showed it.
    """

    heading: str
    verdict: Verdict
    message: str = ""
    points: int = 0
    out_of: int = 0
    evidence: tuple[tuple[str, str], ...] = ()
    hints: tuple[str, ...] = ()
    more_hints: tuple[str, ...] = ()
    mistakes: tuple[str, ...] = ()
    rungs: tuple[Rung, ...] = ()
    note: str = ""
    printed: str = ""
    why: str = ""
    section: str = ""
    inputs: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    views: list[str] = field(default_factory=list, repr=False, compare=False)

    def __bool__(self) -> bool:
        return self.verdict == "right"

    def with_note(self, note: str) -> "Result":
        return replace(self, note=f"{self.note} {note}".strip())

    @property
    def hint(self) -> str:
        """The hint for the mistake that shows first, "" where it isn't known."""
        return self.hints[0] if self.hints else ""

    @property
    def headline(self) -> str:
        score = f" · {self.points} of {self.out_of} points" if self.out_of else ""
        return f"{self.heading} · {self.verdict}{score}"

    def __repr__(self) -> str:
        parts = [f"{SIGN[self.verdict]} {self.headline}"]
        if self.message:
            parts.append(self.message)
        parts += [f"{label}:\n{_indent(text)}" for label, text in self.evidence]
        parts += [f"{label}: {bare(text)}" for label, text in self._remarks()]
        if self.rungs:
            parts.append("Checks:\n" + _indent("\n".join(map(str, self.rungs))))
        if self.more_hints:
            parts.append(
                "More hints: `.more_hints` of this result, or tt check --hints"
            )
        if self.printed:
            parts.append(f"Your code printed:\n{_indent(self.printed)}")
        return "\n".join(parts)

    def _remarks(self) -> list[tuple[str, str]]:
        labels = ("Hint", "Then, once that is mended")
        remarks = list(zip(labels, self.hints, strict=False))
        remarks += [("Why", self.why)] if self.why else []
        remarks += [("Read again", self.section)] if self.section else []
        return remarks + ([("Note", self.note)] if self.note else [])

    def _repr_html_(self) -> str:
        self.views.append("html")
        parts = [
            f'<p style="margin:.2em 0"><strong>'
            f'<span aria-hidden="true" style="color:{_COLOUR[self.verdict]}">'
            f"{SIGN[self.verdict]}</span> {escape(self.headline)}</strong></p>"
        ]
        if self.message:
            parts.append(_paragraph(self.message))
        parts += [_block(label, text) for label, text in self.evidence]
        parts += [_paragraph(text, label) for label, text in self._remarks()]
        if self.rungs:
            parts.append(_rungs(self.rungs))
        parts += [
            f'<details style="margin:.3em 0"><summary>{_nth(number)} general hint'
            f"</summary>{_paragraph(text)}</details>"
            for number, text in enumerate(self.more_hints)
        ]
        if self.printed:
            parts.append(_block("Your code printed", self.printed))
        return (
            f'<div style="border-left:4px solid {_COLOUR[self.verdict]};'
            f'padding:.1em .8em;margin:.3em 0;max-width:46em">{"".join(parts)}</div>'
        )


def _nth(number: int) -> str:
    return ("First", "Second", "Third")[number]


def _indent(text: str) -> str:
    return "\n".join("    " + line for line in text.splitlines())


def coded(text: str) -> str:
    """Text as HTML: what stands between backticks is code, between stars stressed."""
    return "".join(
        f"<code>{escape(part)}</code>"
        if number % 2
        else STRESSED.sub(r"<em>\1</em>", escape(part))
        for number, part in enumerate(text.split("`"))
    )


def bare(text: str) -> str:
    """The same text for a terminal: without the stars."""
    parts = text.split("`")
    parts[::2] = [STRESSED.sub(r"\1", part) for part in parts[::2]]
    return "`".join(parts)


def _paragraph(text: str, label: str = "") -> str:
    start = f"<strong>{label}.</strong> " if label else ""
    return f'<p style="margin:.3em 0">{start}{coded(text)}</p>'


def _rungs(rungs: tuple[Rung, ...]) -> str:
    count = passed(rungs)
    lines = "".join(f'<li style="margin:0">{coded(str(rung))}</li>' for rung in rungs)
    return (
        f'<details style="margin:.3em 0"{"" if count == len(rungs) else " open"}>'
        f"<summary>{count} of {len(rungs)} checks pass</summary>"
        f'<ul style="margin:.2em 0;padding-left:.4em;list-style:none">{lines}</ul>'
        "</details>"
    )


def _block(label: str, text: str) -> str:
    return (
        f'<div style="font-size:.9em">{escape(label)}</div>'
        f'<pre style="{_PRE}">{escape(text)}</pre>'
    )
