"""The collected answers run, and are right or wrong by oracles of their own."""

import ast
import contextlib
import io
import re
import warnings

import numpy as np
import pytest
import torch
from answers import HOSTILE, NAMES, SETUP, SLIPS, TASKS, read, tried
from quick import collected

from tt_utils.grading.tasks import find
from tt_utils.grading.tasks.spec import ValueTask

FUNCTIONS = {
    "01.2": "cosine_matrix",
    "01.4": "similarity_table",
    "05.1": "scaled_dot_product_attention",
    "05.2": "variance_growth",
    "05.3": "batched_scores",
    "05.4": "softmax",
    "10.1": "layer_norm",
    "10.2": "feed_forward",
    "10.3": "residual",
    "11.1": "Encoder",
    "11.2": "ignores_padding",
    "11.4": "encoder_layer",
}


def softmax(x, axis=-1):
    x = np.moveaxis(np.asarray(x, dtype=float), axis, -1)
    out = np.zeros_like(x)
    for at in np.ndindex(x.shape[:-1]):
        if np.isfinite(x[at]).any():
            powers = np.exp(x[at] - x[at].max())
            out[at] = powers / powers.sum()
    return np.moveaxis(out, -1, axis)


def scores(q, k):
    q, k = np.asarray(q, dtype=float), np.asarray(k, dtype=float)
    return q @ np.swapaxes(k, -1, -2) / q.shape[-1] ** 0.5


def attention(q, k, v, mask=None):
    table = scores(q, k)
    if mask is not None:
        table = np.where(np.asarray(mask), table, -np.inf)
    weights = softmax(table)
    return weights @ np.asarray(v, dtype=float), weights


def cosines(A, B):
    norms = np.array([[(a @ a * (b @ b)) ** 0.5 for b in B] for a in A])
    return np.where(norms == 0, 0, A @ B.T / np.where(norms == 0, 1, norms))


def layer_norm(x, gamma, beta, eps=1e-5):
    last = torch.nn.LayerNorm(x.shape[-1], eps).double()
    table = {"weight": torch.tensor(gamma), "bias": torch.tensor(beta)}
    last.load_state_dict(table)
    return last(torch.tensor(x).double()).detach().numpy()


def feed_forward(x, W_1, b_1, W_2, b_2):
    wide = np.maximum(np.tensordot(x, W_1, axes=1) + np.asarray(b_1), 0)
    return np.tensordot(wide, W_2, axes=1) + np.asarray(b_2)


def residual(x, sublayer, norm, norm_first):
    out = x + sublayer(norm(x)) if norm_first else norm(x + sublayer(x))
    return np.asarray(out, dtype=float)


ORACLES = {
    "01.2": cosines,
    "01.4": lambda vectors: cosines(vectors, vectors),
    "05.1": attention,
    "05.3": scores,
    "05.4": softmax,
    "10.1": layer_norm,
    "10.2": feed_forward,
    "10.3": residual,
}


def inputs(task):
    rng = np.random.default_rng(0)

    def tensors(*shapes, spread=1.5):
        return tuple(torch.tensor(rng.normal(0, spread, s)).float() for s in shapes)

    if task == "01.2":
        A, B = rng.normal(size=(5, 3)), rng.normal(size=(4, 3))
        A[1] = B[2] = 0
        B[3] = 2.0, -2.0, 0.0
        short = rng.normal(0, 0.01, (3, 7)), rng.normal(0, 0.01, (2, 7))
        one = np.array([[2.0, 1.0]]), np.array([[1.0, 3.0]])
        whole = rng.integers(-9, 10, (3, 7)), rng.integers(-9, 10, (2, 7))
        apart = (np.delete(A, 1, 0), B), (A, np.delete(B, 2, 0))
        return [(A, B), *apart, short, one, whole]
    if task == "01.4":
        sizes = (2, 2), (3, 5), (7, 3), (4, 4)
        return [(rng.normal(0, n, (n, d)),) for n, d in sizes] + [
            (rng.normal(0, 0.01, (3, 2)),)
        ]
    if task == "05.3":
        sizes = ((1,), 1, 2, 4), ((7,), 2, 3, 5), ((2,), 3, 5, 16), ((2, 3), 5, 7, 11)
        sizes = (*sizes, ((), 3, 5, 7))
        return [tensors((*b, n, d), (*b, m, d)) for b, n, m, d in sizes]
    if task == "05.1":
        heads = tensors((2, 3, 5, 11), (2, 3, 7, 11), (2, 3, 7, 13))
        padding = torch.ones(2, 1, 1, 7, dtype=torch.bool)
        padding[0, ..., 5:] = padding[1, ..., 3:] = False
        q, k, v = tensors((2, 5), (3, 5), (3, 1))
        large = 100 + 100 * q.abs(), 10 + 10 * k.abs(), v
        hidden = torch.tensor([True, False, True])
        none = torch.tensor([[True, True, False], [False, False, False]])
        some = torch.tensor(rng.random((4, 5)) > 0.5)
        wide = tensors((4, 8), (5, 8), (5, 4), spread=60)
        return [
            tensors((1, 4), (2, 4), (2, 3)),
            (q, k, v),
            heads,
            (*heads, padding),
            large,
            (-large[0], *large[1:], hidden),
            (q, k, v, none),
            (*wide, some),
        ]
    if task == "10.1":
        sizes = (4,), (3, 5), (2, 3, 7)
        normal = rng.normal
        rows = [
            (normal(2, 3, s), normal(size=s[-1]), normal(size=s[-1])) for s in sizes
        ]
        narrow = (
            np.array([[1.0, 1, 1], [1.1, 1, 0.9], [30, 20, 1]]),
            *rng.normal(size=(2, 3)),
        )
        whole = (np.arange(12).reshape(3, 4) ** 2, *rng.normal(size=(2, 4)))
        return [*rows, narrow, (*narrow, 0.5), whole]
    if task == "10.2":
        sizes = ((), 2, 3), ((3,), 5, 7), ((2, 3), 5, 11), ((7, 1, 5), 3, 7)
        return [tensors((*lead, d), (d, f), (f,), (f, d), (d,)) for lead, d, f in sizes]
    if task == "10.3":
        sublayers = (lambda y: 0 * y), (lambda y: 3 * y.flip(-1)), torch.square
        norms = (lambda y: torch.nn.functional.layer_norm(y, y.shape[-1:])), torch.tanh
        return [
            (*tensors(shape), sublayer, norm, first)
            for shape in ((5,), (2, 3, 7))
            for sublayer in sublayers
            for norm in norms
            for first in (True, False)
        ]
    low = -np.inf
    return [
        (np.log([1.0, 3.0]),),
        (rng.normal(size=(2, 3)), 0),
        (rng.normal(size=(2, 3, 5)), 1),
        (np.array([[1000, 1001, 998]]),),
        (np.array([[0.0, 1.0, 2500.0], [0.0, 2.0, 3.0]]),),
        (np.array([-1000.0, -1001, low]),),
        (np.array([1.0, low, 2.0]),),
        (np.array([[0.0, 1.0], [low, low]]),),
        (np.array([[low, 1.0], [low, 2.0]]), 0),
    ]


def defined(task, source):
    names = {}
    exec(NAMES, names)
    exec(source, names)
    return names[FUNCTIONS[task]]


def plain(value):
    if isinstance(value, torch.Tensor):
        return value.detach().double().numpy()
    if isinstance(value, list) and isinstance(value[0], torch.Tensor):
        return np.stack([plain(row) for row in value])
    array = np.asarray(value)
    return array.astype(float) if array.dtype == object else array


def is_right(task, source):
    function = defined(task, source)
    close = {} if task in ("01.2", "01.4", "05.4") else {"rtol": 1e-3, "atol": 1e-4}
    for given in inputs(task):
        copies = tuple(a if isinstance(a, int) or callable(a) else a + 0 for a in given)
        if task == "05.1" and len(given) == 4:
            copies = (*copies[:3], given[3].clone())
        expected, got = ORACLES[task](*given), function(*copies)
        pairs = zip(expected, got, strict=True) if task == "05.1" else [(expected, got)]
        for right, answer in pairs:
            answer = plain(answer)
            if answer.shape != right.shape or answer.dtype.kind not in "fiu":
                return False
            if not np.allclose(answer, right, **close):
                return False
        if not all(
            callable(a) or (np.shape(a) == np.shape(b) and np.array_equal(a, b))
            for a, b in zip(given, copies, strict=True)
        ):
            return False
    return True


def quietly(task, source):
    with (
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        return is_right(task, source)


@pytest.mark.parametrize("task", ORACLES)
def test_right_answers_are_right(task):
    right = tried(task).RIGHT
    assert [name for name in right if not quietly(task, right[name])] == []


@pytest.mark.parametrize("task", ORACLES)
def test_wrong_answers_are_wrong(task):
    answers = tried(task)
    wrong = dict(answers.WRONG)
    for name, sources in answers.SPELLINGS.items():
        wrong |= {(name, number): source for number, source in enumerate(sources)}
    wrong |= {(a, b): source for a, b, source in answers.DOUBLE}
    accepted = []
    for name, source in wrong.items():
        with contextlib.suppress(Exception):
            if quietly(task, source):
                accepted.append(name)
    assert accepted == []


@pytest.mark.parametrize("task", TASKS)
def test_every_answer_stands_once(task):
    answers = collected(task)
    sources = [*answers.RIGHT.values(), *answers.WRONG.values()]
    sources += [
        source for spellings in answers.SPELLINGS.values() for source in spellings
    ]
    sources += [source for *_, source in answers.DOUBLE]
    assert len(set(sources)) == len(sources)
    for source in sources:
        is_code = not isinstance(find(task), ValueTask)
        tree = ast.parse(source, mode="exec" if is_code else "eval")
        assert is_code or isinstance(tree.body, ast.Tuple)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("other: x ** 2 → x", "'other: x ** 2 → x' finds nothing to edit"),
        ("other [none]: x → y", "finds nothing to edit"),
        ("other: ( … ] → y", "finds nothing to edit"),
        ("usual: y", "two answers are called 'usual'"),
        ("other", "'other' opens no answer"),
        ("  x", "indent a source by four blanks: '  x'"),
    ],
)
def test_a_file_of_answers_names_the_line_that_is_no_use(line, said):
    text = f"[RIGHT]\nusual:\n    def f(x):\n        return (x)\n{line}\n"
    with pytest.raises(ValueError, match=re.escape(said)):
        read(text)


def test_hostile_answers_and_slips_are_python():
    for task, source in HOSTILE.values():
        ast.parse(source)
        assert "answer" in source or FUNCTIONS[task] in source
    for source in SLIPS.values():
        ast.parse(SETUP + source)
        assert "check(" in source.strip().splitlines()[-1]
