"""Every form that a task may take, each by a small task of its own."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from quick import defined_by, grade_here

from tt_utils.grading.grade import grade
from tt_utils.grading.judging.compare import difference, show
from tt_utils.grading.judging.known_answers import answers_in, sources
from tt_utils.grading.judging.task_audit import problems
from tt_utils.grading.observing import probes
from tt_utils.grading.observing.attempt import attempt
from tt_utils.grading.observing.observation_bytes import from_bytes, to_bytes
from tt_utils.grading.observing.plain_values import plain
from tt_utils.grading.tasks.inputs import Rule, fixed, normal
from tt_utils.grading.tasks.requests import requests
from tt_utils.grading.tasks.spec import Check, FunctionTask, ValueTask


def task(right, mistakes, checks, **more):
    settings = {
        "title": "A toy",
        "kind": "implement",
        "answers": ("answer",),
        "arguments": ("x",),
        "outputs": ("result",),
        "right": (right,),
        "hints": ("One?", "Two?"),
        "section": "",
        "why": "",
    }
    made = FunctionTask(mistakes=mistakes, checks=checks, **{**settings, **more})
    object.__setattr__(made, "id", "99.1")
    return made


EARNING = task(
    """
def answer(x):
    return abs(x)
""",
    """
as planted: abs(x) → x
    What is the size of a number below 0?
""",
    (Check("above 0", fixed(3), earns=False), Check("below 0", fixed(-2))),
    kind="find the bug",
)

MASK = task(
    """
def answer(ids, pad):
    return (ids != pad)[:, None, None, :]
""",
    """
inverted: ids != pad → ids == pad
    True means that a token may be looked at. Which tokens may?

numbers instead of truth values: (ids != pad) → 1.0 * (ids != pad)
    A mask holds True and False here. What did you multiply with?

no axes for heads and queries: [:, None, None, :] →
    Heads and queries need an axis each. Which shape broadcasts to (B, h, n, n)?
""",
    (
        Check("two sentences", fixed(np.array([[5, 7, 3], [4, 3, 3]]), 3)),
        Check("another pad", fixed(np.array([[5, 7, 0, 0, 2]]), 0)),
    ),
    arguments=("ids", "pad"),
    arrays="torch",
)

WORDS = task(
    """
def answer(text, vocabulary):
    return [word if word in vocabulary else "<unk>" for word in text.split()]
""",
    """
unknown words dropped: [word if word in vocabulary else "<unk>" for word in text.split()] → [word for word in text.split() if word in vocabulary]
    Your sentence got shorter. Which token stands for a word that was never seen?

case folded: text.split() → text.lower().split()
    You changed words before you looked them up. Is *Cat* the word *cat*?
""",
    (
        Check("a word that is not there", fixed("the zebra sat", {"the": 1, "sat": 2})),
        Check("a capital", fixed("The cat The end", {"the": 1, "cat": 2, "The": 3})),
    ),
    arguments=("text", "vocabulary"),
)

COUNT = task(
    """
def answer(vocabulary, d_model):
    return vocabulary * d_model
""",
    """
a bias counted: vocabulary * d_model → vocabulary * d_model + d_model
    `nn.Embedding` has one row a token. What did you add?
""",
    (Check("a real model", fixed(123_208, 512)),),
    arguments=("vocabulary", "d_model"),
)

HEADS = task(
    """
def split(x, heads):
    batch, length, width = x.shape
    return x.view(batch, length, heads, width // heads).transpose(1, 2)

def merge(x):
    batch, heads, length, width = x.shape
    return x.transpose(1, 2).reshape(batch, length, heads * width)
""",
    """
heads take slices of time: x.view(batch, length, heads, width // heads).transpose(1, 2) → x.view(batch, heads, length, width // heads)
    Your heads got slices of time. Which axis should be cut into heads?

merged without turning back: x.transpose(1, 2).reshape → x.reshape
    merge(split(x)) must be x. Which axes did split turn around?
""",
    (
        Check("split", lambda rng: (*normal((2, 3, 10))(rng), 5)),
        Check(
            "there and back",
            lambda rng: (*normal((2, 3, 10))(rng), 5),
            probes.round_trip,
        ),
        Check("merge", normal((2, 5, 3, 2)), probes.second),
    ),
    answers=("split", "merge"),
    arguments=("x", "heads"),
    arrays="torch",
)


def module_inputs(rng):
    weights = {"q.weight": rng.normal(size=(3, 5)), "v.weight": rng.normal(size=(3, 5))}
    return {"width": 5, "inner": 3}, weights, rng.normal(size=(2, 5))


MODULE = task(
    """
class Answer(nn.Module):
    def __init__(self, width, inner):
        super().__init__()
        self.q = nn.Linear(width, inner, bias=False)
        self.v = nn.Linear(width, inner, bias=False)

    def forward(self, x):
        return self.q(x) * self.v(x)
""",
    """
one matrix for both: self.q(x) * self.v(x) → self.q(x) * self.q(x)
    Changing the weights of v changes nothing. Where does v come in?

weights that no optimiser sees: self.q = nn.Linear(width, inner, bias=False) → self.q = [nn.Linear(width, inner, bias=False)][0].forward
    An optimiser finds the parameters of modules. What is `self.q` in yours?
""",
    (
        Check("with weights of ours", module_inputs, probes.forward),
        Check(
            "its parameters",
            lambda rng: ({"width": 5, "inner": 3},),
            probes.parameter_shapes,
        ),
    ),
    answers=("Answer",),
    arguments=("sizes", "weights", "x"),
    arrays="torch",
)


def stack_inputs(**n):
    def inputs(rng):
        prefixes = [f"layers.{number}." for number in range(n["n"])] if n else [""]
        weights = {}
        for prefix in prefixes:
            weights[prefix + "map.weight"] = rng.normal(size=(3, 3))
            weights[prefix + "map.bias"] = rng.normal(size=3)
        return {"width": 3, **n}, weights, rng.normal(size=(2, 3))

    return inputs


def batch(rng):
    weights = {"weight": rng.normal(size=(2, 3)), "bias": rng.normal(size=2)}
    sizes = {"in_features": 3, "out_features": 2}
    return sizes, weights, 0.1, rng.normal(size=(7, 3)), rng.normal(size=(7, 2))


STEP = task(
    """
def answer(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
""",
    """
no step: optimizer.step() → pass
    The weights are what they were. Which line changes them?

uphill: loss.backward() → (-loss).backward()
    Your loss grows. In which direction does the gradient point?
""",
    (Check("one step of descent", batch, probes.trained),),
    arguments=("sizes", "weights", "lr", "x", "y"),
    arrays="torch",
    rtol=1e-4,
)

MODULES = task(
    """
class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.map = nn.Linear(width, width)

    def forward(self, x):
        return x + self.map(x)

class Stack(nn.Module):
    def __init__(self, width, n):
        super().__init__()
        self.layers = nn.ModuleList(Layer(width) for _ in range(n))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
""",
    """
no residual: x + self.map(x) → self.map(x)
    What a layer finds is added to something. To what?

one layer twice: nn.ModuleList(Layer(width) for _ in range(n)) → nn.ModuleList([Layer(width)] * n)
    All your layers are one and the same. How many of them are made?
""",
    (
        Check("a layer", stack_inputs(), probes.forward),
        Check("another layer", stack_inputs(), probes.forward),
        Check("two layers", stack_inputs(n=2), probes.forward_of(2)),
    ),
    answers=("Layer", "Stack"),
    arguments=("sizes", "weights", "x"),
    arrays="torch",
)

LISTS = task(
    """
def answer(n, rows):
    return [list(range(i, n, rows)) for i in range(rows)]
""",
    """
cut in one piece: range(i, n, rows) → range(i * n // rows, (i + 1) * n // rows)
    Neighbours share a list in yours. Where does the next number go?

one flat list: [list(range(i, n, rows)) for i in range(rows)] → [j for i in range(rows) for j in range(i, n, rows)]
    You return one list. Where does one row end and the next begin?
""",
    (
        Check("five in two rows", fixed(5, 2)),
        Check("eleven in three rows", fixed(11, 3)),
    ),
    arguments=("n", "rows"),
    outputs=("rows",),
)

TASKS = [MASK, WORDS, COUNT, HEADS, MODULE, STEP, MODULES, LISTS]
names = ["truth values", "text", "whole numbers", "two functions", "module", "training"]
names += ["two modules", "lists of lists"]


@pytest.mark.parametrize("toy", TASKS, ids=names)
def test_right_answers_pass_and_mistakes_get_their_hint(toy):
    assert grade(toy, answers_in(toy, toy.right[0]))
    for mistake in toy.known:
        for source in sources(toy, mistake):
            result = grade_here(toy, answers_in(toy, source))
            assert not result
            assert result.hint == mistake.hint, result


@pytest.mark.parametrize("toy", TASKS, ids=names)
def test_what_is_observed_travels_as_bytes(toy):
    for request in requests(toy, 0):
        seen = attempt(answers_in(toy, toy.right[0]), request)
        again = from_bytes(to_bytes(seen))
        assert seen.values
        for one, other in zip(seen.values, again.values, strict=True):
            assert json.dumps(one.data) == json.dumps(other.data)
            if one.array is not None:
                assert one.array.dtype == other.array.dtype
                assert np.array_equal(one.array, other.array)


def said(toy, source):
    return grade(toy, defined_by(toy, source)).message


def test_truth_values_are_spoken_of():
    message = said(MASK, "def answer(ids, pad): return ids[:, None, None, :]")
    assert "holds whole numbers" in message
    assert "expected truth values" in message


def test_wrong_truth_values_are_not_called_numbers():
    message = said(MASK, "def answer(ids, pad): return (ids == pad)[:, None, None, :]")
    assert "truth values differ" in message


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"a": 1}, "has no entry 'b'"),
        ({"a": 1, "b": 2, "c": 3}, "has one that isn't expected, 'c'"),
        ({"a": 1, "x": 2}, "has no entry 'b' and has one that isn't expected, 'x'"),
        ({"a": 1, "b": 3}, "differs first at ['b']"),
        ({"b": 2, "a": 1}, "in another order"),
        ({1, 2}, "is not as expected"),
    ],
)
def test_dictionaries_say_which_entry_differs(given, words):
    right, got = plain({"a": 1, "b": 2}), plain(given)
    found = difference(("sizes",), (right,), (got,), 0.0, 0.0)
    assert words in found.sentence


def test_keys_of_a_dictionary_may_be_pairs():
    right, got = plain({(0, 1): 1}), plain({(0, 1): 2})
    found = difference(("links",), (right,), (got,), 0.0, 0.0)
    assert "differs first at [[0, 1]]" in found.sentence


def test_of_many_weights_the_shapes_are_shown():
    weights = {name: np.zeros((3, 5)) for name in "abcd"}
    assert show(weights).startswith("{'a': array of shape (3, 5)")
    assert show(weights).endswith("… (4 in all)}")
    assert show({"a": 1}) == "{'a': 1}"


def test_text_says_where_it_differs():
    message = said(WORDS, "def answer(text, v): return ['the', 'zebra', 'sat']")
    assert "differs first at [1]" in message
    message = said(WORDS, "def answer(text, v): return 'the zebra sat'")
    assert "not as expected" in message


def test_lists_of_one_length_are_lists_too():
    assert said(LISTS, "def answer(n, rows): return [[0, 2], [1, 3]]").endswith(
        "`rows` differs first at [0]."
    )
    assert "has 1 entry, expected 2" in said(LISTS, "def answer(n, rows): return [[0]]")
    assert "should be a list, got an int" in said(
        LISTS, "def answer(n, rows): return 5"
    )


def test_a_whole_number_is_exact():
    right = 123_208 * 512
    assert grade(COUNT, (lambda v, d: float(v * d),))
    assert not grade(COUNT, (lambda v, d: right + 512,))
    assert not grade(COUNT, (lambda v, d: right + 1,))


def test_a_dictionary_that_grows_is_noticed():
    source = """
def answer(text, vocabulary):
    found = [w if w in vocabulary else "<unk>" for w in text.split()]
    vocabulary["<unk>"] = len(vocabulary)
    return found
"""
    assert "changed its input `vocabulary`" in said(WORDS, source)


def test_a_module_with_other_names_is_told_so():
    source = """
class Answer(torch.nn.Module):
    def __init__(self, width, inner):
        super().__init__()
        self.query = torch.nn.Linear(width, inner, bias=False)
        self.v = torch.nn.Linear(width, inner, bias=False)
"""
    message = said(MODULE, source)
    assert "no parameter `q.weight`" in message
    assert "`query.weight`" in message


def test_a_module_whose_forward_is_to_be_written_is_not_attempted():
    source = """
class Answer(torch.nn.Module):
    def __init__(self, width, inner):
        super().__init__()

    def forward(self, x):
        ...
"""
    assert grade(MODULE, defined_by(MODULE, source)).verdict == "not attempted"
    tried = source.replace("...", "return x")
    assert grade(MODULE, defined_by(MODULE, tried)).verdict == "not yet"


def test_a_function_among_the_arguments_is_shown_in_words():
    toy = task(
        """
def answer(x, rule):
    return x + rule(x)
""",
        "lost: x + rule(x) → rule(x)\n    What passes the rule by, as on a skip?",
        (Check("doubled", fixed([1, 2], Rule("y ↦ 2y", lambda y: 2 * y))),),
        arguments=("x", "rule"),
    )
    message = str(grade(toy, defined_by(toy, "def answer(x, rule): return x")))
    assert "rule = y ↦ 2y" in message
    assert grade(toy, defined_by(toy, "def answer(x, rule): return x + rule(y=x)"))


def test_two_mistakes_at_once_are_looked_for_unless_switched_off():
    right = "\ndef answer(x):\n    return 2 * x + 3\n"
    mistakes = (
        "not doubled: 2 * x → x\n    By what is x multiplied in the task?\n\n"
        "nothing added: + 3 →\n    What is added at the end of the formula?"
    )
    checks = (Check("five numbers", normal(5)), Check("seven", normal(7)))
    both = "def answer(x): return x"
    for pairs, hints in ((True, 2), (False, 0)):
        toy = task(right, mistakes, checks, pairs=pairs)
        assert len(grade(toy, defined_by(toy, both)).hints) == hints


def test_both_functions_are_wanted():
    (split, merge) = answers_in(HEADS, HEADS.right[0])
    assert "takes 2 answers, got 1" in grade(HEADS, (split,)).message
    assert grade(HEADS, (split, merge))


def test_what_is_finished_is_checked_while_the_rest_is_a_stub():
    layer = MODULES.right[0].split("\n\nclass ")[0]
    stub = "class Stack(nn.Module):\n    def forward(self, x):\n        ..."
    result = grade(MODULES, defined_by(MODULES, f"{layer}\n\n{stub}"))
    assert (result.verdict, result.points) == ("not attempted", 2)
    assert "in `Stack`" in result.message
    wrong = layer.replace("x + self", "self")
    result = grade(MODULES, defined_by(MODULES, f"{wrong}\n\n{stub}"))
    assert result.hint == MODULES.known[0].hint
    empty = "class Layer(nn.Module):\n    def forward(self, x):\n        ..."
    result = grade(MODULES, defined_by(MODULES, f"{empty}\n\n{stub}"))
    assert (result.verdict, result.points) == ("not attempted", 0)
    assert "in `Layer` and `Stack`" in result.message


def test_whole_numbers_by_value_are_exact():
    toy = ValueTask(
        title="Parameters",
        kind="compute by hand",
        outputs=("count",),
        right=(63_082_496,),
        mistakes="no: count = 512\n    Which table did you leave out?",
        hints=("One?", "Two?"),
        section="",
        why="",
    )
    assert grade(toy, (63_082_496.0,))
    assert grade(toy, (torch.tensor([63_082_496]),))
    assert not grade(toy, (63_082_496 + 512,))
    assert not grade(toy, (np.complex128(63_082_496 + 1j),))


def test_inputs_that_cannot_be_made_are_named():
    nameless, bare = EARNING.checks
    checks = (
        replace(nameless, inputs=lambda rng: (numpy.eye(2),)),
        replace(bare, inputs=lambda rng: np.eye(2)),
    )
    assert list(problems(replace(EARNING, checks=checks))) == [
        "the inputs of check 1 can't be made (NameError: name 'numpy' is not defined)",
        "check 2 gives no tuple of inputs; one alone is (x,)",
    ]


def test_what_a_planted_bug_does_right_earns_nothing():
    left, mended = (grade(EARNING, (f,)) for f in (lambda x: x, abs))
    assert (left.points, mended.points, EARNING.points) == (0, 2, 2)
    assert str(left.rungs[0]) == "✓ above 0 (no point: right from the start)"
    assert str(left.rungs[1]) == "✗ below 0 (fails)"
    assert list(problems(EARNING)) == []


def test_which_checks_a_planted_bug_passes_is_told():
    above, below = EARNING.checks
    checks = replace(above, earns=True), replace(below, earns=False)
    assert list(problems(replace(EARNING, checks=checks))) == [
        "the planted bug passes check 1: write earns=False there",
        "check 2 has earns=False, and the planted bug fails it",
    ]
