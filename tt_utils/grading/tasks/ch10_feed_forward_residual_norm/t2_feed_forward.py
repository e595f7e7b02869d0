"""10.2 The feed-forward part: widen, cut off below 0, narrow again."""

import numpy as np

from tt_utils.grading.tasks.inputs import fixed, normal
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def feed_forward(x, W_1, b_1, W_2, b_2):
    wide = torch.relu(x @ W_1 + b_1)
    return wide @ W_2 + b_2
"""

LINEAR = """
def feed_forward(x, W_1, b_1, W_2, b_2):
    hidden = F.linear(x, W_1.T, b_1)
    hidden = F.relu(hidden)
    return F.linear(hidden, W_2.T, b_2)
"""

EINSUM = """
def feed_forward(x, W_1, b_1, W_2, b_2):
    z = torch.einsum("...d,df->...f", x, W_1) + b_1
    z = z.clamp(min=0)
    return torch.einsum("...f,fd->...d", z, W_2) + b_2
"""

LOOPS = """
def feed_forward(x, W_1, b_1, W_2, b_2):
    out = torch.zeros_like(x)
    for at in np.ndindex(x.shape[:-1]):
        total = b_2.clone()
        for f in range(len(b_1)):
            unit = float(x[at] @ W_1[:, f] + b_1[f])
            unit = max(unit, 0.0)
            total += unit * W_2[f]
        out[at] = total
    return out
"""

MISTAKES = """
no activation: torch.relu(x @ W_1 + b_1) → x @ W_1 + b_1
or: hidden = F.relu(hidden) →
or: z = z.clamp(min=0) →
or: unit = max(unit, 0.0) →
    Nothing stands between your two matrices, so they are as good as one. What does
    max(0, …) do, and to which numbers?

one matrix out of two: wide = torch.relu(x @ W_1 + b_1) → wide = x @ W_1
    You multiply both matrices, and all that lies between them is gone. Which two steps
    does the formula make before it uses the second matrix?

cut off after the second matrix too: return wide @ W_2 + b_2 → return torch.relu(wide @ W_2 + b_2)
or: return F.linear(hidden, W_2.T, b_2) → return F.relu(F.linear(hidden, W_2.T, b_2))
or: return torch.einsum("...f,fd->...d", z, W_2) + b_2 → return (torch.einsum("...f,fd->...d", z, W_2) + b_2).clamp(min=0)
    Your output can never be negative, so it could only ever add to a vector. After
    which of the two matrices are negative numbers cut off?

cut off at the end only: torch.relu(x @ W_1 + b_1) → x @ W_1 + b_1
and: return wide @ W_2 + b_2 → return torch.relu(wide @ W_2 + b_2)
or: hidden = F.relu(hidden) →
and: return F.linear(hidden, W_2.T, b_2) → return F.relu(F.linear(hidden, W_2.T, b_2))
    You cut off below 0 at the end. Then the two matrices are as good as one: where must
    something stand that is not linear?

cut off at the start: torch.relu(x @ W_1 + b_1) → torch.relu(x) @ W_1 + b_1
or: F.linear(x, W_1.T, b_1) → F.linear(F.relu(x), W_1.T, b_1)
and: hidden = F.relu(hidden) →
    You cut off the input below 0. Which numbers does the formula write behind max(0, …)?

cut off twice: torch.relu(x @ W_1 + b_1) → torch.relu(torch.relu(x) @ W_1 + b_1)
or: F.linear(x, W_1.T, b_1) → F.linear(F.relu(x), W_1.T, b_1)
    What is negative in the input is lost in yours before any matrix sees it. How many
    times does max(0, …) stand in the formula?

matrices exchanged: x @ W_1 → x @ W_2.T
and: wide @ W_2 + b_2 → wide @ W_1.T + b_2
or: F.linear(x, W_1.T, b_1) → F.linear(x, W_2, b_1)
and: F.linear(hidden, W_2.T, b_2) → F.linear(hidden, W_1, b_2)
    All shapes fit, and each matrix does the other one's work. Which of the two meets x
    in the formula?

cut off before the bias: torch.relu(x @ W_1 + b_1) → torch.relu(x @ W_1) + b_1
or: ("...d,df->...f", x, W_1) + b_1 → ("...d,df->...f", x, W_1)
and: z.clamp(min=0) → z.clamp(min=0) + b_1
    A unit whose bias is negative can give negative numbers in yours. Does the bias
    belong inside or outside of max(0, …)?

first bias left out: x @ W_1 + b_1 → x @ W_1
or: F.linear(x, W_1.T, b_1) → F.linear(x, W_1.T)
or: x[at] @ W_1[:, f] + b_1[f] → x[at] @ W_1[:, f]
    Changing `b_1` changes nothing in yours. Where does the formula have it?

second bias left out: wide @ W_2 + b_2 → wide @ W_2
or: F.linear(hidden, W_2.T, b_2) → F.linear(hidden, W_2.T)
or: total = b_2.clone() → total = torch.zeros_like(b_2)
    Changing `b_2` changes nothing in yours. Where does the formula have it?

both biases left out: torch.relu(x @ W_1 + b_1) → torch.relu(x @ W_1)
and: wide @ W_2 + b_2 → wide @ W_2
or: F.linear(x, W_1.T, b_1) → F.linear(x, W_1.T)
and: F.linear(hidden, W_2.T, b_2) → F.linear(hidden, W_2.T)
    Changing `b_1` or `b_2` changes nothing in yours. Where does the formula have them?

second bias once for each unit: total += unit * W_2[f] → total += unit * W_2[f] + b_2
    The second bias comes in many times. For one position, how often is it added?

positive numbers cut off: torch.relu(x @ W_1 + b_1) → torch.clamp(x @ W_1 + b_1, max=0)
or: z.clamp(min=0) → z.clamp(max=0)
or: max(unit, 0.0) → min(unit, 0.0)
    You keep the negative numbers and cut off the positive ones. What is max(0, −3), and
    what is max(0, 3)?

sign lost: torch.relu(x @ W_1 + b_1) → (x @ W_1 + b_1).abs()
or: z.clamp(min=0) → z.abs()
or: max(unit, 0.0) → abs(unit)
    Negative numbers come through with their sign turned around. What is max(0, −3)?

step instead of a ramp: torch.relu(x @ W_1 + b_1) → (x @ W_1 + b_1 > 0).float()
or: max(unit, 0.0) → float(unit > 0)
    Your units say only yes or no. How large is max(0, z) where z is 3?

smooth activation: torch.relu( → F.gelu(
or: F.relu(hidden) → F.gelu(hidden)
or: torch.relu( → F.silu(
    That is another activation, smooth around 0, as later models use it. Which one
    stands in the formula of the task?

squashing activation: torch.relu( → torch.sigmoid(
or: torch.relu( → torch.tanh(
or: F.relu(hidden) → torch.tanh(hidden)
    Your units never get larger than 1. How large can max(0, z) become?

leaky activation: torch.relu( → F.leaky_relu(
or: F.relu(hidden) → F.leaky_relu(hidden, 0.1)
    Your units let a little of the negative numbers through. How much of −3 does
    max(0, −3) leave?

softmax between: torch.relu(x @ W_1 + b_1) → torch.softmax(x @ W_1 + b_1, dim=-1)
or: F.relu(hidden) → F.softmax(hidden, dim=-1)
    Your units share a weight of 1, as keys do in attention. Do the units of a
    feed-forward part compete with each other?

largest of all: torch.relu(x @ W_1 + b_1) → (x @ W_1 + b_1).clamp(min=0).amax(-1, keepdim=True).expand(*x.shape[:-1], len(b_1))
or: torch.relu(x @ W_1 + b_1) → torch.relu((x @ W_1 + b_1).max())
and: wide @ W_2 → wide * W_2.sum(0)
    Your max runs over all units and leaves one number. The formula compares each unit
    by itself: with what?

positions mixed: x @ W_1 + b_1 → x.mean(dim=-2, keepdim=True) @ W_1 + b_1
or: wide @ W_2 + b_2 → wide.mean(dim=-2, keepdim=True).expand_as(wide) @ W_2 + b_2
or: x @ W_1 + b_1 → x.mean(dim=-2, keepdim=True).expand_as(x) @ W_1 + b_1
    Every position comes out the same in yours. Attention is there to mix positions: on
    how many of them does the feed-forward part look at a time?

residual added: wide @ W_2 + b_2 → x + wide @ W_2 + b_2
or: F.linear(hidden, W_2.T, b_2) → x + F.linear(hidden, W_2.T, b_2)
or: out[at] = total → out[at] = x[at] + total
    You add x, which is the work of the residual connection around this part. What does
    the formula of the feed-forward part itself return?

weights turned as in nn.Linear: x @ W_1 → x @ W_1.T
or: x @ W_1 + b_1 → x @ W_1.T + b_1
and: wide @ W_2 → wide @ W_2.T
or: F.linear(x, W_1.T, b_1) → F.linear(x, W_1, b_1)
or: W_2.T → W_2
or: @ W_2 → @ W_2.T
    `nn.Linear` keeps its weight as (out, in); here W_1 is (d_model, d_ff). Which axis
    of it must meet the features of x?

second bias on the wide vector: torch.relu(x @ W_1 + b_1) → torch.relu(x @ W_1 + b_2)
and: wide @ W_2 + b_2 → wide @ W_2 + b_1
or: wide @ W_2 + b_2 → wide + b_2
    `b_2` has as many numbers as x has features, and meets a vector of the other width.
    What stands between the two biases in the formula, and which comes first?

products entry by entry: wide @ W_2 → wide * W_2
or: x @ W_1 + b_1 → x * W_1 + b_1
    One of your products goes entry by entry. Which operator makes a matrix product?

biases subtracted: x @ W_1 + b_1 → x @ W_1 - b_1
or: wide @ W_2 + b_2 → wide @ W_2 - b_2
or: x @ W_1 + b_1 → x @ W_1 - b_1
and: wide @ W_2 + b_2 → wide @ W_2 - b_2
    A larger bias makes numbers of yours smaller. Which sign does it have in the formula?

weights cut off: torch.relu(x @ W_1 + b_1) → x @ torch.relu(W_1) + b_1
    You cut off negative weights, before they meet x. What stands between the brackets of
    max(0, …)?
"""


def part(d_model, d_ff, *lead):
    shapes = (d_model, d_ff), (d_ff,), (d_ff, d_model), (d_model,)
    return normal((*lead, d_model), *shapes)


def whole(rng):
    """One position and three units in whole numbers; at least one unit is cut off."""
    x, W_1, W_2 = (rng.integers(-3, 4, shape) for shape in (2, (2, 3), (3, 2)))
    b_1, b_2 = rng.integers(1, 4, 3), rng.integers(1, 4, 2) / 2
    b_1[0] = -1 - max(0, x @ W_1[:, 0])
    return tuple(np.array(a, float) for a in (x, W_1, b_1, W_2, b_2))


def unbiased(rng):
    x, W_1, b_1, W_2, b_2 = part(5, 7, 2)(rng)
    return x, W_1, 0 * b_1, W_2, 0 * b_2


TASK = FunctionTask(
    title="The feed-forward part",
    kind="implement",
    answers=("feed_forward",),
    arguments=("x", "W_1", "b_1", "W_2", "b_2"),
    outputs=("out",),
    arrays="torch",
    rtol=1e-4,
    atol=1e-4,
    right=(PLAIN, LINEAR, EINSUM, LOOPS),
    mistakes=MISTAKES,
    checks=(
        Check(
            "one position, three units",
            fixed([1, 2], [[1, 0, -1], [1, -1, 0]], [0, 1, 3], [[1, 0]] * 3, [0, 0.5]),
            fresh=whole,
        ),
        Check("two positions, without biases", unbiased),
        Check("three positions, with biases", part(5, 7, 3)),
        Check("a batch of 2 with 3 positions", part(5, 11, 2, 3)),
        Check("three axes in front", part(3, 7, 2, 1, 5)),
    ),
    hints=(
        "Write down the shape of x, of each matrix and of each bias. Which shape has the "
        "result between the two matrices?",
        "Read max(0, xW₁ + b₁)W₂ + b₂ from the inside to the outside: five steps. Which "
        "of them is not linear?",
    ),
    section="Feed-forward: each position by itself",
    why="Matrices act on the last axis alone, so every position goes through the same two "
    "matrices by itself; max(0, …) between them is what one matrix could not do.",
)
