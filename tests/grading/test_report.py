"""What a learner sees: safe, the same in text and HTML, light to load."""

import subprocess
import sys
from html.parser import HTMLParser

from tt_utils.grading import check, progress
from tt_utils.grading.reporting.result import Result


class Text(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.text, self.tags = "", set()
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)

    def handle_data(self, data):
        self.text += data + " "


def test_html_says_what_the_text_says():
    result = check("01.2", lambda A, B: A @ B.T)
    words = Text(result._repr_html_()).text.split()
    shown = repr(result).replace("Checks:", "").split("More hints")[0]
    for word in shown.replace("`", " ").replace(":", " ").split():
        assert any(word.strip(".,") in other for other in words), word


def test_nothing_of_the_learners_is_markup():
    def answer(A, B):
        print("<img src=x onerror=alert(1)>")
        raise ValueError("<script>alert(1)</script>")

    html = check("01.2", answer)._repr_html_()
    assert not Text(html).tags & {"script", "img"}
    assert "&lt;script&gt;" in html
    assert "&lt;img" in html


def test_more_hints_wait_to_be_unfolded():
    html = check("01.2", ...)._repr_html_()
    assert html.count("<details") == 2
    assert "First general hint" in Text(html).text


def test_a_result_is_true_where_the_answer_is_right():
    assert check("01.3", "the", "drank", "black")
    assert not check("01.3", "the", "the", "black")


def test_the_failing_input_can_be_had():
    def answer(A, B):
        return A @ B.T

    failed = check("01.2", answer)
    assert list(failed.inputs) == ["A", "B"]
    assert answer(**failed.inputs).shape == (1, 3)


def test_checks_that_passed_are_listed_and_earn_points():
    def answer(x, axis=-1):
        import numpy as np

        powers = np.exp(x - x.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)

    result = check("05.4", answer)
    assert [rung.passed for rung in result.rungs][:4] == [True, True, False, False]
    assert result.points == 7
    assert "✓ large whole numbers" in repr(result)


def test_the_verdict_is_a_word():
    for verdict in ("right", "not yet", "not attempted", "not checked"):
        assert verdict in Text(Result("01.1", verdict)._repr_html_()).text


def test_the_counter_example_is_whole_and_short():
    shown = repr(check("05.1", lambda q, k, v, mask=None: (q @ k.mT @ v, q @ k.mT)))
    for line in ("q = [[1., 2., 0., 1.]]", "Expected:", "Got:"):
        assert line in shown
    assert len(shown.splitlines()) < 30


def test_progress_as_a_table():
    assert Text(progress()._repr_html_()).tags == {"table", "tr", "td", "span"}


def test_importing_needs_no_torch():
    code = (
        "import sys, tt_utils.grading as g; g.check('01.1', 1, 2); g.progress();"
        "assert 'torch' not in sys.modules and 'matplotlib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_stars_stress_a_word_and_are_never_shown():
    result = Result(
        "05.1", "not yet", "m * n", hints=("Why is *the milk* 2*3, `a*b*c`?",)
    )
    html = result._repr_html_()
    assert "<em>the milk</em> 2*3, <code>a*b*c</code>?" in html
    assert "Hint: Why is the milk 2*3, `a*b*c`?" in repr(result)
    assert "m * n" in html
