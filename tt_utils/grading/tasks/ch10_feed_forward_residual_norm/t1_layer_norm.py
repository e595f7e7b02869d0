"""10.1 LayerNorm, with its two learned rows and an eps in its place."""

import numpy as np

from tt_utils.grading.tasks.inputs import fixed, normal
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta
"""

EINSUM = """
def layer_norm(x, gamma, beta, eps=1e-5):
    d = x.shape[-1]
    centred = x - x.sum(-1, keepdims=True) / d
    squares = np.einsum("...d,...d->...", centred, centred)[..., None]
    return centred * (squares / d + eps) ** -0.5 * gamma + beta
"""

LOOPS = """
def layer_norm(x, gamma, beta, eps=1e-5):
    out = np.empty(x.shape)
    for at in np.ndindex(x.shape[:-1]):
        row = x[at]
        middle = sum(row) / len(row)
        spread = sum((n - middle) ** 2 for n in row) / len(row)
        out[at] = (row - middle) / math.sqrt(spread + eps)
        out[at] = [n * g + b for n, g, b in zip(out[at], gamma, beta)]
    return out
"""

LIBRARY = """
def layer_norm(x, gamma, beta, eps=1e-5):
    import torch

    x, gamma, beta = (torch.tensor(a, dtype=torch.float64) for a in (x, gamma, beta))
    return torch.nn.functional.layer_norm(x, x.shape[-1:], gamma, beta, eps).numpy()
"""

MISTAKES = """
over the batch: axis=-1 → axis=0
or: x.sum(-1, keepdims=True) / d → x.mean(0, keepdims=True)
and: np.einsum("...d,...d->...", centred, centred)[..., None] → (centred**2).sum(0, keepdims=True)
and: squares / d → squares / len(x)
    The result of a row depends on its neighbours along axis 0. From which numbers
    alone does LayerNorm take a mean and a variance?

over the positions: axis=-1 → axis=-2 if x.ndim > 1 else -1
or: axis=-1 → axis=-2
    You average over the positions of a sentence, so a vector changes when the sentence
    gets longer. Which axis holds the features of one position?

several positions together: x.mean(axis=-1, keepdims=True) → x.mean()
and: x.var(axis=-1, keepdims=True) → x.var()
or: axis=-1 → axis=(-2, -1)
or: axis=-1 → axis=tuple(range(-min(x.ndim, 2), 0))
or: axis=-1 → axis=tuple(range(min(1, x.ndim - 1), x.ndim))
    One mean and one variance serve several positions. Each position is normalised
    alone: how many means are there for 2 sentences of 3 words?

second axis counted from the front: axis=-1 → axis=min(1, x.ndim - 1)
or: axis=-1 → axis=1
    Axis 1 holds the features of a table, but the positions of a batch. From which end
    is the axis of the features always the first?

divided by d less 1: x.var(axis=-1, keepdims=True) → x.var(axis=-1, keepdims=True, ddof=1)
or: squares / d → squares / (d - 1)
or: for n in row) / len(row) → for n in row) / (len(row) - 1)
    Your rows come out a little too small, most of all the short ones. Does LayerNorm
    divide the squares by d or by d − 1?

eps outside the root: np.sqrt(variance + eps) → (np.sqrt(variance) + eps)
or: * (squares / d + eps) ** -0.5 → / ((squares / d) ** 0.5 + eps)
or: math.sqrt(spread + eps) → (math.sqrt(spread) + eps)
    With a small eps all looks right. With eps = 0.1 it does not: is eps added before
    the root is taken or after?

eps left out: variance + eps → variance
or: squares / d + eps → squares / d
or: spread + eps → spread
    A row of equal numbers has a variance of 0, and 0/0 is not a number. Which argument
    is there to prevent it?

eps of your own: variance + eps → variance + 1e-5
or: variance + eps → variance + 1e-6
or: variance + eps → variance + 1e-8
or: variance + eps → variance + 1e-12
or: squares / d + eps → squares / d + 1e-5
    Your result is the same for every eps. Where does the argument enter?

eps as a floor: variance + eps → np.maximum(variance, eps)
or: spread + eps → max(spread, eps)
    You use eps only where the variance is smaller. LayerNorm uses it in every row: how?

eps added to the result: np.sqrt(variance + eps) + beta → np.sqrt(variance) + eps + beta
or: (x - mean) / np.sqrt(variance + eps) → (x - mean + eps) / np.sqrt(variance + eps)
    Your whole row is shifted by something that grows with eps. eps guards a division:
    in which part of the fraction does it belong?

variance instead of its root: np.sqrt(variance + eps) → (variance + eps)
or: ** -0.5 → ** -1.0
or: math.sqrt(spread + eps) → (spread + eps)
    Multiply x by 10, and your result gets smaller; it should not change. What must a
    variance become before you divide by it?

not divided: / np.sqrt(variance + eps) →
or: * (squares / d + eps) ** -0.5 →
or: / math.sqrt(spread + eps) →
    Your rows are centred, and as wide as before. What makes every row equally wide?

multiplied by the deviation: / np.sqrt(variance + eps) → * np.sqrt(variance + eps)
or: ** -0.5 → ** 0.5
or: / math.sqrt(spread + eps) → * math.sqrt(spread + eps)
    Wide rows get wider in yours. In which direction should the standard deviation work?

mean kept: (x - mean) → x
or: centred * (squares → x * (squares
or: (row - middle) / → row /
    Your rows have the right width and still their own mean. Which step comes before the
    division?

sum subtracted: mean = x.mean( → mean = x.sum(
or: x.sum(-1, keepdims=True) / d → x.sum(-1, keepdims=True)
or: sum(row) / len(row) → sum(row)
    What you subtract from a row grows with the number of its features, so the middle of
    your rows is not 0. What is missing after the sum?

mean square instead of variance: (x - mean) → x
and: x.var(axis=-1, keepdims=True) → (x**2).mean(axis=-1, keepdims=True)
or: x - x.sum(-1, keepdims=True) / d → x
    You divide by the root of the mean square, and nothing is centred: that is another
    norm, RMSNorm. What does LayerNorm subtract first?

variance around 0: x.var(axis=-1, keepdims=True) → (x**2).mean(axis=-1, keepdims=True)
or: (n - middle) ** 2 → n**2
    Your variance is the mean of x². Add 100 to a row, and it explodes: from where does
    a variance measure?

squares added, not averaged: x.var(axis=-1, keepdims=True) → ((x - mean) ** 2).sum(axis=-1, keepdims=True)
or: squares / d → squares
or: for n in row) / len(row) → for n in row)
    You divide by the length of the centred row, which grows with d. What makes a mean
    out of a sum of squares?

mean distance: np.sqrt(variance + eps) → (np.abs(x - mean).mean(axis=-1, keepdims=True) + eps)
or: x.var(axis=-1, keepdims=True) → np.abs(x - mean).mean(axis=-1, keepdims=True) ** 2
    You measure the width by the mean distance from the middle. What is done to the
    distances in a variance?

gamma left out: gamma * (x - mean) → (x - mean)
or: ** -0.5 * gamma → ** -0.5
or: n * g + b → n + b
    Changing `gamma` changes nothing in yours. What is it for?

beta left out: np.sqrt(variance + eps) + beta → np.sqrt(variance + eps)
or: * gamma + beta → * gamma
or: n * g + b → n * g
    Changing `beta` changes nothing in yours. What is it for?

gamma and beta swapped: gamma * (x - mean) / np.sqrt(variance + eps) + beta → beta * (x - mean) / np.sqrt(variance + eps) + gamma
or: * gamma + beta → * beta + gamma
or: n * g + b → n * b + g
    With gamma = 1 and beta = 0, yours gives 1 everywhere. Which of the two stretches
    and which one shifts?

beta stretched too: gamma * (x - mean) / np.sqrt(variance + eps) + beta → gamma * ((x - mean) / np.sqrt(variance + eps) + beta)
or: centred * (squares / d + eps) ** -0.5 * gamma + beta → (centred * (squares / d + eps) ** -0.5 + beta) * gamma
or: n * g + b → g * (n + b)
    Your shift comes out multiplied by gamma. Which comes first, stretching or shifting?

gamma and beta before the norm: mean = x.mean → x = gamma * x + beta; mean = x.mean
and: gamma * (x - mean) → (x - mean)
and: np.sqrt(variance + eps) + beta → np.sqrt(variance + eps)
or: d = x.shape[-1] → x = gamma * x + beta; d = x.shape[-1]
and: ** -0.5 * gamma + beta → ** -0.5
    You stretch and shift first, and the norm undoes it. What would be left for a model
    to learn?

keepdims missing: , keepdims=True →
    A mean along an axis loses that axis, and what is left lines up with the wrong one.
    Which shape must it have so that each row loses its own mean?

result of whole numbers: np.empty(x.shape) → np.empty_like(x)
or: return gamma * (x - mean) / np.sqrt(variance + eps) + beta → out = np.empty_like(x); out[...] = gamma * (x - mean) / np.sqrt(variance + eps) + beta; return out
    Your array took over the type of `x`, which holds whole numbers, and cut the
    decimals off. Where is it made?
"""


def row_of_equals(rng):
    x = normal((3, 5))(rng)[0]
    x[1] = 4.0
    return x, *normal(5, 5)(rng)


def one_row(rng):
    """Four whole numbers that are not all equal, a gamma of 1 and a beta of 0."""
    return rng.permutation(20)[:4] - 5.0, np.ones(4), np.zeros(4)


def with_rows(*shape):
    """x, and a gamma and a beta that are neither 1 nor 0."""
    d = shape[-1]
    return lambda rng: (3 + normal(shape)(rng)[0], *normal(d, d)(rng))


def wide_and_narrow(rng):
    x = np.outer([1.0, 0.1], [2.0, -1, 0, 3, 1]) + normal((2, 1))(rng)[0]
    return x, *normal(5, 5)(rng), 0.5


def whole(rng):
    x = rng.permutation(21).reshape(3, 7)
    return x, *normal(7, 7)(rng)


TASK = FunctionTask(
    title="LayerNorm",
    kind="implement",
    answers=("layer_norm",),
    arguments=("x", "gamma", "beta", "eps"),
    outputs=("normed",),
    right=(PLAIN, EINSUM, LOOPS, LIBRARY),
    mistakes=MISTAKES,
    checks=(
        Check(
            "one row of four",
            fixed([2, 0, 4, 10], [1.0] * 4, [0.0] * 4),
            fresh=one_row,
        ),
        Check("a gamma and a beta", with_rows(5)),
        Check("three rows of five", with_rows(3, 5)),
        Check("a batch of 2 with 3 positions of 7 features", with_rows(2, 3, 7)),
        Check("a large eps, a wide row and a narrow one", wide_and_narrow),
        Check("a row of equal numbers", row_of_equals),
        Check("whole numbers", whole),
    ),
    hints=(
        "Take one row by hand: mean, distances from it, their squares, the mean of "
        "these. Which of these numbers does each entry of the row need?",
        "Print the shape of your mean for x of shape (2, 3, 7). Does it broadcast to x, "
        "and does each position meet its own mean?",
    ),
    section="LayerNorm by hand",
    why="Mean and variance of a position come from its own features alone, so neither "
    "the other words nor the other sentences of a batch can change its vector.",
)
