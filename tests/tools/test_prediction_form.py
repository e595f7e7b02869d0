"""A prediction has choices, an output that answers it, and the answer."""

import predictions
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

QUESTION = "Before.\n\n> **Predict first.** How many?\n>\n> - two\n> - three"
ANSWER = "<details>\n<summary>Answer</summary>\n\n**Two.**\n\n</details>\n\nAfter."


def code(printed=""):
    outputs = [new_output("stream", text=printed)] if printed else []
    return new_code_cell("x", outputs=outputs)


def notebook(*cells):
    return new_notebook(
        cells=[new_markdown_cell(x) if isinstance(x, str) else x for x in cells]
    )


def test_the_outputs_up_to_the_answer_answer_it():
    found = notebook("# 1", code("0"), QUESTION, code(), code("2"), ANSWER, code("3"))
    assert list(predictions.problems(found)) == []
    assert predictions.answering(found) == {4}


def test_two_in_one_section_have_outputs_of_their_own():
    found = notebook(QUESTION, code("2"), f"{ANSWER}\n\n{QUESTION}", code("4"), ANSWER)
    assert [one.cell for one in predictions.predictions(found)] == [0, 2]
    assert list(predictions.problems(found)) == []
    assert predictions.answering(found) == {1, 3}


@pytest.mark.parametrize(
    ("cells", "cell", "fault"),
    [
        ((QUESTION, code("2")), 0, "but no <details>"),
        ((QUESTION, code("2"), f"## Next\n\n{ANSWER}"), 0, "but no <details>"),
        ((QUESTION, code("2"), QUESTION, code("3"), ANSWER), 0, "but no <details>"),
        ((QUESTION, code(), ANSWER), 0, "that no output answers"),
        (("Hi.", "> **Predict first.** Why?", code("2"), ANSWER), 1, "without choices"),
        (("> **Predict first.** Why?\n>\n> - so", code("2"), ANSWER), 0, "without"),
    ],
)
def test_a_prediction_out_of_form_is_named(cells, cell, fault):
    [(index, problem)] = predictions.problems(notebook(*cells))
    assert index == cell
    assert fault in problem


def test_one_blank_for_a_number_is_enough():
    question = "> **Predict first.** How long?\n>\n> - ____ seconds"
    assert list(predictions.problems(notebook(question, code("2"), ANSWER))) == []
