"""Bytes from the student's side: what is odd is refused, never believed."""

import json
from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import save

from tt_utils.grading.classroom.rounds import judged, whole
from tt_utils.grading.classroom.sandbox.replies import (
    Forged,
    HandedIn,
    answers_in,
    observation,
)
from tt_utils.grading.classroom.student_side.frames import (
    LARGEST,
    LENGTHS,
    Malformed,
    Reader,
    pack,
)
from tt_utils.grading.observing.observation import Observation, Raised
from tt_utils.grading.observing.observation_bytes import to_bytes
from tt_utils.grading.observing.plain_values import plain
from tt_utils.grading.tasks import find

SEEN = Observation(values=(plain(np.ones((2, 3))), plain("text")), changed=(1,))


def sent(**changes):
    """An observation's bytes, with odd fields in its JSON."""
    data = {
        "values": [], "one_thing": False, "raised": None, "stopped": "time",
        "printed": "", "changed": [], "drawn": 0,
    }  # fmt: skip
    text = json.dumps(data | changes).encode()
    return save({"observation": np.frombuffer(text, dtype=np.uint8)})


def value(**changes):
    bare = {
        "kind": "data", "form": "a str", "array": None, "data": "x", "eps": 0.0,
        "shown": "",
    }  # fmt: skip
    return {"values": [bare | changes], "stopped": ""}


def test_what_is_whole_comes_through():
    for seen in (SEEN, Observation(raised=Raised("ValueError", "x", "line 1"))):
        assert repr(observation(to_bytes(seen), 2)) == repr(seen)
    assert observation(sent(), 0) == Observation(stopped="time")
    assert observation(sent(**value()), 0).values[0].data == "x"


def test_a_reply_that_would_fill_the_memory_is_refused_unread():
    content = sent(**value(data=[[]] * 10**6))
    with pytest.raises(Forged, match="it sent what is no reply"):
        observation(content, 0)
    with pytest.raises(Forged, match="a field of the reply is odd"):
        observation((2**30).to_bytes(8, "little") + content, 0)


def test_what_is_too_much_is_cut():
    content = sent(**value(form="x" * 10**5, eps=1e9), printed="y" * 10**5)
    seen = observation(content, 0)
    assert len(seen.printed) < 2100
    assert len(seen.values[0].form) < 2100
    assert seen.values[0].eps == 2**-7  # no tolerance wider than bfloat16's


@pytest.mark.parametrize("kind", ["longdouble", "float64", "float32", "float16"])
def test_every_type_of_numbers_comes_through(kind):
    seen = Observation(values=(plain(np.ones(3, kind)),))
    assert repr(observation(to_bytes(seen), 0)) == repr(seen)


def deep(depth):
    data = "x"
    for _ in range(depth):
        data = [data]
    return data


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 100,
        b"\xff" * 100,
        save({"a": np.ones(3)}),
        save({"observation": np.frombuffer(b"[" * 10**5, dtype=np.uint8)}),
        save({"observation": np.frombuffer(b"NaN", dtype=np.uint8)}),
        sent(stopped=""),
        sent(stopped="right"),
        sent(stopped=None),
        sent(odd=1),
        sent(one_thing=1),
        sent(printed=3),
        sent(drawn=-1),
        sent(drawn=1.5),
        sent(drawn=2**128),
        sent(changed=[2]),
        sent(changed=[-1]),
        sent(changed=3),
        sent(raised={"name": 1, "text": "", "line": ""}, stopped=""),
        sent(raised={"name": "", "text": "", "line": ""}, stopped=""),
        sent(raised=7, stopped=""),
        sent(**value(kind="right")),
        sent(**value(kind="numbers")),
        sent(**value(eps=-1)),
        sent(**value(eps=float("nan"))),
        sent(**value(eps=True)),
        sent(**value(form=None)),
        sent(**value(data=deep(50))),
        sent(**value(kind="nothing")),
        sent(**(value() | {"stopped": "time"})),
        sent(values=[{}], stopped=""),
        sent(values=7, stopped=""),
        to_bytes(replace(SEEN, values=(replace(plain(1.0), array=np.ones(2, "f2")),))),
    ],
)
def test_what_is_odd_is_refused(content):
    with pytest.raises(Forged):
        observation(content, 2)


@pytest.mark.parametrize(
    "forms",
    [
        None,
        3,
        [3],
        [{}],
        [{"form": "f", "kind": "right"}],
        [{"form": 1, "kind": "value"}],
        [{"form": "f", "kind": "value", "more": 1}],
        [{"form": "f", "kind": "value"}] * 101,
    ],
)
def test_odd_answers(forms):
    with pytest.raises(Forged):
        answers_in(forms)


def test_messages_in_pieces():
    content = pack({"say": "a"}) + pack({"say": "b"}, b"body")
    for size in (1, 2, 7, 1000):
        reader, found = Reader(), []
        for start in range(0, len(content), size):
            found += reader.feed(content[start : start + size])
        assert found == [({"say": "a"}, b""), ({"say": "b"}, b"body")]


@pytest.mark.parametrize(
    "content",
    [
        b"\xff" * 20,
        LENGTHS.pack(2, LARGEST + 1),
        LENGTHS.pack(2, 0) + b"[]",
        LENGTHS.pack(3, 0) + b"{{{",
        LENGTHS.pack(60_000, 0) + b"[" * 60_000,
        LENGTHS.pack(0, 0),
    ],
)
def test_what_is_no_message(content):
    with pytest.raises(Malformed):
        list(Reader().feed(content))


def test_all_messages_together_are_limited():
    reader, message = Reader(), pack({}, bytes(2**20))
    for _ in range(LARGEST // 2**20 - 1):
        assert len(list(reader.feed(message))) == 1
    with pytest.raises(Malformed, match="more than"):
        list(reader.feed(message * 2))


TASK = find("01.2")
FORMS = answers_in([{"form": "f", "kind": "function"}])


@pytest.mark.parametrize("calls", [[], [Observation(stopped="time")]])
def test_calls_that_are_missing_are_no_passes(calls):
    for rounds in ({}, {0: calls}, {0: calls, 1: calls}, {1: calls}):
        result = judged(TASK, (3, 4), HandedIn(FORMS, rounds))
        assert not result
        assert result.points == 0


def test_missing_calls_count_as_ended():
    assert whole([], 2) == (Observation(stopped="ended"),)
    assert whole([SEEN], 1) == (SEEN,)
    assert whole([SEEN], 2)[1].stopped == "ended"


def test_odd_numbers_of_results_are_judged_without_an_error():
    seen = replace(SEEN, values=SEEN.values * 3)
    result = judged(TASK, (3, 4), HandedIn(FORMS, {0: [seen] * 5, 1: [seen] * 5}))
    assert not result
    assert result.points == 0
