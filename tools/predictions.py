"""The form of a prediction: a question with choices, what came out, the answer.

    > **Predict first.** How many?      choices, or one item with a blank: ____
    >
    > - two
    > - ____ more

    code cells, whose outputs answer it

    <details>
    <summary>Answer</summary>
    ...

The book turns the list into buttons and folds outputs and answer until the reader has
chosen (book/_ext/folded_answers.py); JupyterLab collapses the outputs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

PART = re.compile(
    r"(?P<question>^> \*\*Predict first\.\*\*.*(?:\n>.*)*)"
    r"|(?P<answer>^<details>\n<summary>Answer</summary>\n)"
    r"|(?P<heading>^#{1,6} )",
    re.MULTILINE,
)
CHOICE = re.compile(r"^> [-*] .+", re.MULTILINE)
BLANK = "____"


class Prediction(NamedTuple):
    cell: int
    choices: list[str]
    between: list[int]  # the code cells up to the answer
    answered: bool


def predictions(notebook) -> Iterator[Prediction]:
    asked = None
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type == "code" and asked:
            asked.between.append(index)
        parts = PART.finditer(cell.source) if cell.cell_type == "markdown" else ()
        for part in parts:
            if asked:
                yield asked._replace(answered=part.lastgroup == "answer")
                asked = None
            if part.lastgroup == "question":
                asked = Prediction(index, CHOICE.findall(part[0]), [], False)
    if asked:
        yield asked


def problems(notebook) -> Iterator[tuple[int, str]]:
    for cell, choices, between, answered in predictions(notebook):
        if not answered:
            yield (
                cell,
                "asks for a prediction, but no <details> with <summary>Answer</summary>"
                " follows in its section",
            )
        elif not any(notebook.cells[index].outputs for index in between):
            yield cell, "asks for a prediction that no output answers"
        if len(choices) < 2 and not any(BLANK in choice for choice in choices):
            yield (
                cell,
                "asks for a prediction without choices; list two to four, or one with"
                " a blank of four underscores for a number",
            )


def answering(notebook) -> set[int]:
    """The code cells whose outputs answer a prediction."""
    return {
        index
        for prediction in predictions(notebook)
        if prediction.answered
        for index in prediction.between
        if notebook.cells[index].outputs
    }
