"""Whatever is handed in: one clear message, and no points without a right answer."""

import functools
import os
import random
import signal
import sys
import threading
import time

import numpy as np
import pytest
import torch
from quick import FUNCTIONS

from tt_utils.grading import check, tasks
from tt_utils.grading.grade import grade
from tt_utils.grading.judging.exceptions import help_with
from tt_utils.grading.judging.known_answers import answers_in
from tt_utils.grading.observing import in_process
from tt_utils.grading.observing.global_state import preserved
from tt_utils.grading.observing.observation import Raised

every_task = pytest.mark.parametrize("task", FUNCTIONS, ids=lambda task: task.id)
DOT, ATTENTION = map(tasks.find, ("01.2", "05.1"))
(right,) = answers_in(DOT, DOT.right[0])
(attention,) = answers_in(ATTENTION, ATTENTION.right[0])


@pytest.fixture(params=["in a process", "in a thread"], autouse=True)
def place(request, monkeypatch):
    """Everything holds where a process can be forked, and where it can't."""
    if request.param == "in a thread":
        monkeypatch.setattr(in_process, "is_possible", lambda: False)
    return request.param


def leave(*_, **sizes):
    sys.exit(3)


def fail(*arguments, **sizes):
    total = len(arguments)
    raise ValueError(f"no idea about {total} arguments")


def forever(*_):
    while True:
        pass


def forever_and_swallow(*_):
    while True:
        try:
            time.sleep(0.001)
        except BaseException:
            continue


def forever_and_restart(*arguments):
    try:
        while True:
            pass
    finally:
        forever_and_swallow()


@pytest.mark.parametrize("task_id", ["99.9", "01.9", "1", "", "dot", None, 7])
def test_unknown_id(task_id):
    result = check(task_id, right)
    assert result.verdict == "not checked"
    assert "01" in result.message
    assert "05" in result.message


def test_unknown_id_names_the_nearest_chapter():
    last = max(tasks.chapters())
    assert f"Nearest chapter, {last}: {last}.1" in check("99.9", right).message
    assert "01.1, 01.2" in check("01.9", right).message


@pytest.mark.parametrize("task_id", ["1.2", 1.2, " 01.2 "])
def test_other_spellings_of_an_id(task_id):
    assert check(task_id, right).points == DOT.points


@every_task
@pytest.mark.parametrize(
    "stub", [None, ..., lambda *_: None, lambda *_: ...], ids=["None", "...", "f", "g"]
)
def test_not_attempted(task, stub):
    result = grade(task, (stub,) * len(task.answers))
    assert (result.verdict, result.points) == ("not attempted", 0)


def stub_with_docstring(A, B):
    """Returns the table."""


def test_a_docstring_is_no_attempt():
    assert grade(DOT, (stub_with_docstring,)).verdict == "not attempted"


@every_task
def test_raises(task):
    result = grade(task, (fail,) * len(task.answers))
    assert "ValueError: no idea about" in result.message
    (where,) = (text for label, text in result.evidence if label == "Your line")
    assert 'raise ValueError(f"no idea' in where


def test_the_line_shown_is_the_learners_not_the_librarys():
    def answer(A, B):
        return np.linalg.norm(A, axis=9)

    result = grade(DOT, (answer,))
    assert "np.linalg.norm(A, axis=9)" in repr(result)
    assert "AxisError" in result.message


@torch.no_grad()
def decorated(q, k, v, mask=None):
    return q @ k


class Callable:
    def __call__(self, q, k, v, mask=None):
        return q @ k


# fmt: off
def over_lines(q, k, v, mask=None):
    return (q
            @ k)
# fmt: on


@pytest.mark.parametrize(
    "answer",
    [decorated, Callable(), functools.partial(decorated, mask=None), over_lines],
    ids=["decorated", "an object", "partial", "over lines"],
)
def test_the_line_is_found_behind_what_wraps_it(answer):
    result = grade(ATTENTION, (answer,))
    (where,) = (text for label, text in result.evidence if label == "Your line")
    assert "q\n" in where if answer is over_lines else where.endswith("return q @ k")
    assert "transpose" in result.hint or "where must they stand" in result.hint


def test_the_call_is_shown_as_it_was_made():
    result = grade(tasks.find("05.4"), (lambda x, axis, eps: x,))
    assert "The call `softmax(x)` failed" in result.message


def test_of_several_answers_none_is_blamed_alone():
    message = grade(tasks.find("23.7"), (lambda: 1,) * 2).message
    assert "one sentence. It failed with TypeError" in message


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda A, B: A @ nowhere, "Python does not know `nowhere`"),
        (lambda A, B: A.sum(axis=2), "Print its shape"),
        (lambda A, B: A.mT2, "What does NumPy call it?"),
        (lambda A, B: A / 0 if (A > 0) else B, "needs one truth value"),
        (lambda A, B: A.transpose(1, 0, 2), "`swapaxes`"),
        (lambda A, B: [t for t, d, h in [A.shape]], "how many axes"),
        (lambda A, B: A.reshape(1, 1), "A reshape keeps all numbers"),
        (lambda A, B: A.__setitem__(0, np.zeros((9, 9))), "is one of them empty"),
    ],
)
def test_usual_exceptions_come_with_help(answer, words):
    assert words in grade(DOT, (answer,)).hint


@pytest.mark.parametrize(
    ("shapes", "words"),
    [
        ([(27, 5), (11, 5)], "counts 27 entries where the other counts 11"),
        ([(2, 3, 5), (2, 4, 5)], "counts 3 entries where the other counts 4"),
        ([(7,), (5,)], "counts 7 entries where the other counts 5"),
        ([(3, 5), (3,)], "kept (keepdim)"),
        ([(3, 5), (5, 3)], "kept (keepdim)"),
    ],
)
def test_one_length_that_differs_is_no_lost_axis(shapes, words):
    one, other = map(np.ones, shapes)
    with pytest.raises(ValueError, match="broadcast") as caught:
        one + other
    assert words in help_with(Raised("ValueError", str(caught.value), ""))


@pytest.mark.skipif(not in_process.is_possible(), reason="needs Linux")
@pytest.mark.parametrize("place", ["in a process"], indirect=True)
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda A, B: [0] * 10**12, "more memory than a check may take"),
        (lambda A, B: input("?"), "all that it gets"),
    ],
)
def test_a_process_has_limits_and_no_input(place, answer, words):
    assert words in grade(DOT, (answer,)).hint


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("F.softmax(q, dim=-1)", "Python does not know `F`"),
        ("q.double() @ k.mT", "numbers of different types"),
        ("torch.bmm(q, k.mT)", ""),
        ("q.view(2, 3, -1)", ""),
    ],
)
def test_an_exception_of_another_kind_gets_no_mistakes_hint(line, words):
    answer = eval(f"lambda q, k, v, mask=None: {line}", {"torch": torch})
    hint = grade(ATTENTION, (answer,)).hint
    assert words in hint
    assert hint not in [mistake.hint for mistake in ATTENTION.known]


def test_numbers_that_refute_a_hint_get_another_or_none():
    def uniform(q, k, v, mask=None):
        weights = torch.ones(*q.shape[:-1], k.shape[-2]) / k.shape[-2]
        return weights @ v, weights

    assert "columns" not in grade(ATTENTION, (uniform,)).hint


def test_a_seed_that_is_none():
    assert "whole number" in check("01.2", right, seed="a").message


def test_wrong_number_of_parameters():
    result = grade(DOT, (lambda A: A,))
    assert "cosine_matrix(A, B)" in result.message
    assert "TypeError" in result.message


def test_an_exception_that_cannot_be_printed():
    class Mute(Exception):
        def __str__(self):
            raise RuntimeError

    def answer(A, B):
        raise Mute

    assert "raised Mute" in grade(DOT, (answer,)).message


@every_task
def test_sys_exit(task):
    result = grade(task, (leave,) * len(task.answers))
    assert "SystemExit" in result.message
    assert result.points == 0


def test_returns_none_after_some_work():
    def answer(A, B):
        A @ B.T

    result = grade(DOT, (answer,))
    assert result.verdict == "not yet"
    assert "`return`" in result.message


def test_returns_a_leftover_ellipsis():
    result = grade(ATTENTION, (lambda q, k, v, mask=None: (q.sum(), ...),))
    assert "left to fill in" in result.message


def test_one_result_where_two_are_asked_for():
    result = grade(ATTENTION, (lambda q, k, v, mask=None: q @ k.mT @ v,))
    assert "one thing, a tensor" in result.message
    assert "(out, weights)" in result.message


def test_three_results_where_two_are_asked_for():
    result = grade(ATTENTION, (lambda q, k, v, mask=None: (q, k, v),))
    assert "3 results" in result.message


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda A, B: right(A, B).astype(int), "whole numbers"),
        (lambda A, B: right(A, B) > 0.5, "truth values"),
        (lambda A, B: right(A, B).astype(str), "dtype <U"),
        (lambda A, B: right(A, B).astype(complex), "dtype complex"),
        (lambda A, B: "0.7071", "got a str"),
        (lambda A, B: [[1.0], [1.0, 2.0]], "rows of different lengths"),
        (lambda A, B: {1: 2}, "got a dict"),
        (lambda A, B: right(A, B)[0], "wrong shape: expected (1, 3), got (3,)"),
        (lambda A, B: 0.7071, "wrong shape: expected (1, 3), got ()"),
    ],
)
def test_wrong_kind_of_result(answer, words):
    result = grade(DOT, (answer,))
    assert words in result.message
    assert result.points == 0


def test_a_list_is_accepted_with_a_note():
    result = grade(DOT, (lambda A, B: right(A, B).tolist(),))
    assert result.points == DOT.points
    assert "array" in result.note


def test_a_list_that_the_check_itself_makes_gets_no_note():
    task = tasks.find("06.3")
    result = grade(task, answers_in(task, task.right[0]))
    assert result.points == task.points
    assert result.note == ""


def test_a_model_left_in_another_mode():
    task = tasks.find("08.4")
    answer = task.right[0].replace("model.train(training)", "pass")
    result = grade(task, answers_in(task, answer))
    assert "the mode, training or evaluation" in result.hint


@pytest.mark.parametrize("loop", [forever, forever_and_swallow, forever_and_restart])
@pytest.mark.parametrize("task_id", ["01.2", "05.1"])
def test_runs_forever(loop, task_id):
    started = time.monotonic()
    result = grade(tasks.find(task_id), (loop,), seconds=0.3)
    assert time.monotonic() - started < 5
    assert "stopped" in result.message
    assert result.points == 0


def test_a_stopped_loop_takes_no_more_time():
    grade(DOT, (forever_and_swallow,), seconds=0.2)
    before = time.process_time()
    time.sleep(0.5)
    assert time.process_time() - before < 0.25


def test_forever_outside_the_main_thread():
    results = []
    thread = threading.Thread(
        target=lambda: results.append(grade(DOT, (forever,), seconds=0.2))
    )
    thread.start()
    thread.join(10)
    assert "stopped" in results[0].message


def test_one_long_call(place):
    result = grade(DOT, (lambda A, B: time.sleep(4),), seconds=0.2)
    words = "Does it wait" if place == "in a process" else "Restart the kernel"
    assert words in result.message


@pytest.mark.skipif(not in_process.is_possible(), reason="needs Linux")
def test_a_process_left_behind_is_not_waited_for(place):
    def answer(A, B):
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        return right(A, B)

    if place == "in a process":
        started = time.monotonic()
        assert grade(DOT, (answer,))
        assert time.monotonic() - started < 10


def test_the_stop_button():
    # A shell's background job inherits an ignored SIGINT; a kernel has this handler.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, lambda: __import__("_thread").interrupt_main())
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            grade(DOT, (forever,), seconds=20.0)
    finally:
        signal.signal(signal.SIGINT, before)


@every_task
def test_print_flood(task, capsys):
    def answer(*arguments, **sizes):
        for number in range(2000):
            print("line", number)
        print("warning", file=sys.stderr)
        return 0.5

    result = grade(task, (answer,) * len(task.answers))
    assert len(result.printed) < 1000
    assert result.printed.endswith("warning")
    assert "characters before" in result.printed
    assert capsys.readouterr() == ("", "")


def test_other_threads_may_print(place, capsys):
    def answer(A, B):
        helper = threading.Thread(target=lambda: print("from elsewhere"))
        helper.start()
        helper.join()
        return right(A, B)

    result = grade(DOT, (answer,))
    assert result
    shown = result.printed if place == "in a process" else capsys.readouterr().out
    assert "from elsewhere" in shown


def test_a_thread_that_prints_for_ever_outlives_many_checks(capsys):
    """In CPython before 3.13, a stream that vanishes inside `write` is a crash."""
    stop = threading.Event()

    def chatter():
        while not stop.is_set():
            print("tick")

    talker = threading.Thread(target=chatter, daemon=True)
    talker.start()
    try:
        for _ in range(30):
            assert grade(DOT, (right,))
    finally:
        stop.set()
        talker.join()
    assert "tick" in capsys.readouterr().out
    assert type(sys.stdout).__module__ != "tt_utils.grading.observing.streams"


def test_global_state_is_put_back():
    def answer(q, k, v, mask=None):
        np.random.seed(1)  # noqa: NPY002
        torch.manual_seed(1)
        torch.set_default_dtype(torch.float64)
        torch.set_num_threads(1)
        torch.set_grad_enabled(False)
        np.seterr(all="raise")
        return attention(q, k, v, mask)

    torch.set_num_threads(2)
    torch_state = torch.get_rng_state()
    legacy = np.random.get_state()[1].copy()  # noqa: NPY002
    errors = np.geterr()
    grade(ATTENTION, (answer,))
    assert torch.equal(torch.get_rng_state(), torch_state)
    assert np.array_equal(np.random.get_state()[1], legacy)  # noqa: NPY002
    assert torch.get_default_dtype() == torch.float32
    assert torch.get_num_threads() == 2
    assert torch.is_grad_enabled()
    assert np.geterr() == errors


def test_pythons_random_is_put_back():
    # Not through `grade`: the type checks that tests run with draw from it too.
    before = random.getstate()
    with preserved():
        random.seed(1)
    assert random.getstate() == before


def test_warnings_are_no_errors():
    def answer(A, B):
        return np.nan_to_num(A @ B.T / np.outer(*map(lengths, (A, B))))

    def lengths(X):
        return np.linalg.norm(X, axis=1)

    result = grade(DOT, (answer,))
    assert result.points == DOT.points
    assert "RuntimeWarning: invalid value" in result.printed


def test_changed_inputs_are_named():
    def answer(q, k, v, mask=None):
        results = attention(q, k, v, mask)
        k.zero_()
        return results

    result = grade(ATTENTION, (answer,))
    assert (bool(result), result.points) == (False, ATTENTION.points - 1)
    assert "changed its input `k`" in result.message
    assert "✗ leaves what it was given" in repr(result)


def test_a_resized_input_is_named():
    def answer(A, B):
        table = right(A, B)
        A.resize((1, 1), refcheck=False)
        return table

    assert "changed its input `A`" in grade(DOT, (answer,)).message


@pytest.mark.parametrize("answers", [(), (right, right)])
def test_wrong_number_of_functions(answers):
    result = check("01.2", *answers)
    assert result.verdict == "not checked"
    assert "takes one answer" in result.message


@pytest.mark.parametrize("answers", [(), (56,), (56, 0.86, 1)])
def test_wrong_number_of_values(answers):
    result = check("01.1", *answers)
    assert result.verdict == "not checked"
    assert "takes 2 answers (dot, cosine)" in result.message


@pytest.mark.parametrize("value", [torch.ones(2), np.ones(2), 3, "f", (1, 2)])
def test_a_value_where_a_function_is_wanted(value):
    result = check("05.1", value)
    assert result.verdict == "not checked"
    assert "without brackets" in result.message
    assert 'check("05.1", scaled_dot_product_attention)' in result.message


def test_a_class_is_wanted_and_not_what_it_makes():
    (head,) = answers_in(tasks.find("06.3"), tasks.find("06.3").right[0])
    assert check("06.3", lambda d_model, d_k, d_v: head(d_model, d_k, d_v))
    result = check("06.3", head(5, 3, 2))
    assert result.verdict == "not checked"
    assert "Expected `SelfAttention` itself, got a SelfAttention." in result.message


def test_results_of_chance_are_told():
    (attend,) = answers_in(tasks.find("06.2"), tasks.find("06.2").right[0])
    result = check("06.2", lambda x, *w: attend(x + torch.rand(x.shape), *w))
    assert "gave different results" in result.message
    assert result.mistakes == ("random matrices of its own",)


def test_a_function_where_a_value_is_wanted():
    result = check("01.1", right, 0.5)
    assert result.verdict == "not checked"
    assert "`dot` should be a value, got the function `cosine_matrix`" in result.message


def test_half_of_the_values():
    result = check("01.1", 56, ...)
    assert result.verdict == "not attempted"
    assert "cosine" in result.message


@pytest.mark.parametrize(
    "odd", ["56", [1, 2, 3], {"a": 1}, float("nan"), True, object()]
)
def test_odd_values(odd):
    result = check("01.1", odd, 0.5)
    assert result.verdict == "not yet"
    assert "`dot` is not right yet" in result.message


def test_a_number_where_a_word_is_wanted():
    assert "a word in quotes" in check("01.3", 14, "drank", "black").message


def test_texts_where_numbers_are_wanted():
    shown = check("09.5", ["one"], [1, 2, 3, 4], [1, 2], [1, 2], 4).message
    assert "got a list of words in quotes" in shown


def test_a_whole_number_in_few_digits_is_met_exactly():
    near = torch.tensor(56.4).bfloat16()
    assert float(near) == 56.5
    assert "`dot` is not right yet" in check("01.1", near, 0.5).message


def test_a_word_where_a_list_is_wanted():
    shown = check("02.2", 12, "the", "ing", "th-ing-s", 13, "o").message
    assert "Expected a list of words in quotes, got a str" in shown


def test_values_are_not_given_away():
    for answers in [(1, 2), ("a", 0), ([1], [2])]:
        shown = repr(check("01.1", *answers))
        assert "56" not in shown
        assert "0.86" not in shown
