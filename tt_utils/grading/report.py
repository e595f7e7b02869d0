"""What a check found, as text for a terminal and as HTML for a notebook."""

from dataclasses import dataclass, replace
from html import escape
from typing import Literal

Verdict = Literal["right", "not yet", "not attempted", "not checked"]

# A sign and a word carry the verdict; the colour only repeats it. Mid-tones and
# inherited text colours are readable on white and on black.
_SIGN = {"right": "✓", "not yet": "✗", "not attempted": "○", "not checked": "!"}
_COLOUR = {
    "right": "#009E73",
    "not yet": "#D55E00",
    "not attempted": "#808080",
    "not checked": "#808080",
}
_PRE = (
    "margin:.1em 0 .4em;padding:.3em .5em;overflow-x:auto;color:inherit;"
    "background:rgba(128,128,128,.14);font:.92em/1.35 monospace"
)


@dataclass(frozen=True)
class Result:
    """The outcome of one `check`; a notebook shows it by itself.

    `evidence` holds pairs (label, text), for example the inputs and the two outputs.
    """

    heading: str
    verdict: Verdict
    message: str = ""
    points: int = 0
    out_of: int = 0
    evidence: tuple[tuple[str, str], ...] = ()
    hint: str = ""
    note: str = ""
    printed: str = ""

    def with_note(self, note: str) -> "Result":
        return replace(self, note=f"{self.note} {note}".strip())

    @property
    def headline(self) -> str:
        score = f" · {self.points} of {self.out_of} points" if self.out_of else ""
        return f"{self.heading} · {self.verdict}{score}"

    def __repr__(self) -> str:
        parts = [f"{_SIGN[self.verdict]} {self.headline}"]
        if self.message:
            parts.append(self.message)
        parts += [f"{label}:\n{_indent(text)}" for label, text in self.evidence]
        if self.hint:
            parts.append(f"Hint: {self.hint}")
        if self.note:
            parts.append(f"Note: {self.note}")
        if self.printed:
            parts.append(f"Your code printed:\n{_indent(self.printed)}")
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        parts = [
            f'<p style="margin:.2em 0"><strong>'
            f'<span aria-hidden="true" style="color:{_COLOUR[self.verdict]}">'
            f"{_SIGN[self.verdict]}</span> {escape(self.headline)}</strong></p>"
        ]
        if self.message:
            parts.append(_paragraph(self.message))
        parts += [_block(label, text) for label, text in self.evidence]
        if self.hint:
            parts.append(_paragraph(self.hint, "Hint"))
        if self.note:
            parts.append(_paragraph(self.note, "Note"))
        if self.printed:
            parts.append(_block("Your code printed", self.printed))
        return (
            f'<div style="border-left:4px solid {_COLOUR[self.verdict]};'
            f'padding:.1em .8em;margin:.3em 0;max-width:46em">{"".join(parts)}</div>'
        )


def _indent(text: str) -> str:
    return "\n".join("    " + line for line in text.splitlines())


def _paragraph(text: str, label: str = "") -> str:
    words = "".join(
        f"<code>{escape(part)}</code>" if number % 2 else escape(part)
        for number, part in enumerate(text.split("`"))
    )
    start = f"<strong>{label}.</strong> " if label else ""
    return f'<p style="margin:.3em 0">{start}{words}</p>'


def _block(label: str, text: str) -> str:
    return (
        f'<div style="font-size:.9em">{escape(label)}</div>'
        f'<pre style="{_PRE}">{escape(text)}</pre>'
    )
