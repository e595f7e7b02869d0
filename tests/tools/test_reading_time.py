"""How long a chapter takes, by the words and lines that a reader meets."""

import reading_time
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

ANSWERS = "<details>\n<summary>Answers</summary>\n\n" + "word " * 70 + "</details>"
ANSWER = "<details>\n<summary>Answer</summary>\n\n" + "word " * 48 + "</details>"


def test_what_a_reader_meets_is_counted():
    notebook = new_notebook(
        cells=[
            new_markdown_cell("**Predict first.** " + "word " * 99 + ANSWERS),
            new_markdown_cell(ANSWER),
            new_code_cell("x = 1\n\n" * 10),
            new_code_cell("x = 1\n" * 50, metadata={"tags": ["hide-input"]}),
        ]
    )
    assert reading_time.length(notebook) == (150, 10, 5, 1, 1)


def test_what_is_over_a_limit_is_named():
    long = new_notebook(cells=[new_code_cell("x = 1\n" * 15) for _ in range(23)])
    assert [problem.split(",")[0] for problem in reading_time.problems(long)] == [
        "asks for 69 minutes of reading",
        "asks for 23 visible code cells",
    ]
    long.metadata["tt"] = {"listing": True}
    assert not list(reading_time.problems(long))


def test_a_formula_is_a_word_and_a_link_its_text():
    prose = "Let $a + b = c$ be [a sum](https://example.org/of/words) <b>so</b>."
    assert reading_time.count_words(prose) == 6
