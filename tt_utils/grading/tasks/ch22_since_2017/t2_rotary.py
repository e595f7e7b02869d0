"""22.2 Rotary positions with any base, and a newest query that reads a cache."""

import numpy as np

from tt_utils.grading.observing import probes
from tt_utils.grading.tasks.inputs import normal
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def rotate(x, positions, base):
    d = x.shape[-1]
    speeds = 1 / base ** (torch.arange(0, d, 2) / d)
    angles = positions[:, None] * speeds
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)

def attend(q, k, v, base):
    t = k.shape[-2]
    q = rotate(q, torch.tensor([t - 1]), base)
    k = rotate(k, torch.arange(t), base)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.softmax(-1) @ v
"""

COMPLEX = """
def rotate(x, positions, base):
    d = x.shape[-1]
    speeds = float(base) ** (-2 * torch.arange(d // 2) / d)
    angles = torch.outer(positions.float(), speeds)
    pairs = torch.view_as_complex(x.unflatten(-1, (d // 2, 2)).contiguous())
    turned = pairs * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turned).flatten(-2)

def attend(q, k, v, base):
    positions = torch.arange(k.shape[2])
    q, k = rotate(q, positions[-1:], base), rotate(k, positions, base)
    return F.scaled_dot_product_attention(q, k, v)
"""

PARTNERS = """
def rotate(x, positions, base):
    d = x.shape[-1]
    i = torch.arange(d) // 2
    angles = positions.view(-1, 1) * torch.exp(-math.log(base) * 2 * i / d)
    partner = torch.stack((-x[..., 1::2], x[..., ::2]), -1).reshape(x.shape)
    return x * torch.cos(angles) + partner * torch.sin(angles)

def attend(q, k, v, base):
    distance = torch.arange(k.shape[-2]).flip(0)
    k = rotate(k, -distance, base)
    weights = torch.softmax((q * k).sum(-1) * k.shape[-1] ** -0.5, dim=-1)
    return torch.einsum("bht,bhtd->bhd", weights, v).unsqueeze(2)
"""

MATRICES = """
def rotate(x, positions, base):
    d = x.shape[-1]
    rows = []
    for row, position in enumerate(positions.tolist()):
        blocks = []
        for i in range(d // 2):
            angle = position / base ** (2 * i / d)
            c, s = math.cos(angle), math.sin(angle)
            blocks.append(torch.tensor([[c, -s], [s, c]]))
        rows.append(x[..., row, :] @ torch.block_diag(*blocks).T)
    return torch.stack(rows, dim=-2)

def attend(q, k, v, base):
    last = k.shape[-2] - 1
    q = rotate(q, torch.full((1,), last), base)
    keys = rotate(k, torch.arange(last + 1), base)
    scores = torch.matmul(q, keys.mT) / k.shape[-1] ** 0.5
    powers = torch.exp(scores - scores.amax(-1, keepdim=True))
    return powers @ v / powers.sum(-1, keepdim=True)
"""

MISTAKES = """
turned clockwise: [a * cos - b * sin, a * sin + b * cos] → [a * cos + b * sin, b * cos - a * sin]
or: torch.ones_like(angles), angles) → torch.ones_like(angles), -angles)
or: (-x[..., 1::2], x[..., ::2]) → (x[..., 1::2], -x[..., ::2])
or: [[c, -s], [s, c]] → [[c, s], [-s, c]]
    Your pairs turn clockwise. Scores don't notice, but a table of another library's
    would: after 90° anticlockwise, what has become of (1, 0)?

first half paired with the second: a, b = x[..., 0::2], x[..., 1::2] → a, b = x[..., : d // 2], x[..., d // 2 :]
and: dim=-1).flatten(-2) → dim=-2).flatten(-2)
or: i = torch.arange(d) // 2 → i = torch.arange(d) % (d // 2)
and: torch.stack((-x[..., 1::2], x[..., ::2]), -1).reshape(x.shape) → torch.cat((-x[..., d // 2 :], x[..., : d // 2]), -1)
    You paired the first half of the numbers with the second, as Hugging Face's code
    does. Which two numbers make a pair in this book?

halves on the way out: dim=-1).flatten(-2) → dim=-2).flatten(-2)
or: torch.view_as_real(turned).flatten(-2) → torch.view_as_real(turned).mT.flatten(-2)
    You took neighbours as pairs, and wrote all first numbers before all second ones.
    Where did the two numbers of a pair stand, and where do they go back to?

halves on the way in: a, b = x[..., 0::2], x[..., 1::2] → a, b = x[..., : d // 2], x[..., d // 2 :]
    You read the pairs from two halves, and wrote them back as neighbours. Which two
    numbers make a pair in this book, before and after?

positions counted from 1: positions[:, None] * speeds → (positions[:, None] + 1) * speeds
or: torch.outer(positions.float(), speeds) → torch.outer(positions + 1.0, speeds)
or: position / base → (position + 1) / base
or: positions.view(-1, 1) * → (positions.view(-1, 1) + 1) *
    Your rows are turned one position too far. By how much does the row at position 0
    turn?

positions not read: positions[:, None] * speeds → torch.arange(len(positions))[:, None] * speeds
or: torch.outer(positions.float(), speeds) → torch.outer(torch.arange(len(positions)).float(), speeds)
or: enumerate(positions.tolist()) → enumerate(range(len(positions)))
    You count the rows 0, 1, 2, … yourself. Where does it say at which position each row
    stands?

positions from the first one on: positions[:, None] * speeds → (positions[0] + torch.arange(len(positions)))[:, None] * speeds
or: torch.outer(positions.float(), speeds) → torch.outer(positions[0] + torch.arange(len(positions)).float(), speeds)
    You read the first position and count on from there. Must the second row stand at
    the next one?

base not read: speeds = 1 / base ** → speeds = 1 / 10_000 **
or: float(base) → 10_000.0
or: position / base ** → position / 10_000 **
or: math.log(base) → math.log(10_000)
    Your slow pairs turn at the same speed whatever the base is. Which argument decides
    it?

one speed for all pairs: (torch.arange(0, d, 2) / d) → (0 * torch.arange(0, d, 2) / d)
or: base ** (2 * i / d) → base ** 0
or: ** (-2 * torch.arange(d // 2) / d) → ** (0 * torch.arange(d // 2))
    All your pairs turn at the same speed. What makes the second pair slower than the
    first?

speeds of half the range: torch.arange(0, d, 2) / d → torch.arange(d // 2) / d
or: -2 * torch.arange(d // 2) / d → -torch.arange(d // 2) / d
or: base ** (2 * i / d) → base ** (i / d)
    Your first pair is right and the others are too fast: the slowest should come near
    1/base in a wide head. How does the exponent grow from one pair to the next?

speeds of twice the range: torch.arange(0, d, 2) / d → torch.arange(0, d, 2) / (d // 2)
or: -2 * torch.arange(d // 2) / d → -4 * torch.arange(d // 2) / d
or: base ** (2 * i / d) → base ** (4 * i / d)
    Your slow pairs are too slow: they go far below 1/base. Is the factor of 2 in there
    twice?

last pair at 1/base: torch.arange(0, d, 2) / d → torch.linspace(0, 1, d // 2)
or: base ** (2 * i / d) → base ** (2 * i / max(d - 2, 1))
    Your slowest pair has just the speed 1/base. In the formula it only comes near it:
    by what is 2i divided?

pairs counted from 1: torch.arange(0, d, 2) / d → torch.arange(2, d + 1, 2) / d
or: torch.arange(d // 2) / d → torch.arange(1, d // 2 + 1) / d
or: base ** (2 * i / d) → base ** (2 * (i + 1) / d)
    All your pairs are too slow: the first should turn by 1 radian per position. With
    which number does the count of pairs begin?

a speed for each number: i = torch.arange(d) // 2 → i = torch.arange(d) / 2
    In yours the two numbers of a pair turn by different angles, so that the pair
    changes its length. How many speeds does a pair have?

speeds from slow to fast: (torch.arange(0, d, 2) / d) → (torch.arange(0, d, 2).flip(0) / d)
or: torch.arange(d // 2) / d) → torch.arange(d // 2).flip(0) / d)
or: in range(d // 2) → in reversed(range(d // 2))
    Your first pair is the slow one. Which pair has the speed 1?

pairs that speed up: 1 / base ** → 1.0 * base **
or: ** (-2 * → ** (2 *
or: position / base ** → position * base **
or: torch.exp(-math.log → torch.exp(math.log
    Your pairs turn faster from one to the next. What does the formula do with the power
    of the base?

rows as they came: return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2) → return x
or: return x * torch.cos(angles) + partner * torch.sin(angles) → return x
or: return torch.view_as_real(turned).flatten(-2) → return x
    Your rows come back as they were. What becomes of the pair (1, 0) at position 1?

a wrong sign: a * cos - b * sin, → a * cos + b * sin,
or: a * sin + b * cos] → a * sin - b * cos]
or: (-x[..., 1::2], x[..., ::2]) → (x[..., 1::2], x[..., ::2])
or: [[c, -s], [s, c]] → [[c, s], [s, c]]
    Your pairs change their lengths as they move. At 90° anticlockwise, what has become
    of (0, 1)?

first number overwritten: [a * cos - b * sin, a * sin + b * cos] → [a * cos - b * sin, (a * cos - b * sin) * sin + b * cos]
    Your second number is made from the first *after* it was turned. Which one does the
    turn need?

one of the two numbers turned: [a * cos - b * sin, a * sin + b * cos] → [a * cos - b * sin, b * cos]
or: [a * cos - b * sin, a * sin + b * cos] → [a * cos - b * sin, b]
or: [[c, -s], [s, c]] → [[c, -s], [0.0, c]]
    Only one number of each pair takes something from the other. What moves into the
    second one as the first turns away?

no exchange within a pair: [a * cos - b * sin, a * sin + b * cos] → [a * cos, b * cos]
or: [a * cos - b * sin, a * sin + b * cos] → [a * cos, b * sin]
or: x * torch.cos(angles) + partner * torch.sin(angles) → x * torch.cos(angles)
    Your pairs shrink instead of turning. At 90°, where has the first number gone?

encoding added: [a * cos - b * sin, a * sin + b * cos] → [a + sin, b + cos]
    You added the clock hands of the positions. Rotary adds nothing: what does it do
    with a pair instead?

sine and cosine exchanged: cos, sin = angles.cos(), angles.sin() → sin, cos = angles.cos(), angles.sin()
or: c, s = math.cos(angle), math.sin(angle) → s, c = math.cos(angle), math.sin(angle)
    At position 0 your pairs stand at 90°. Which of sine and cosine is 1 at the angle 0?

full turns: angles = positions[:, None] * speeds → angles = 2 * math.pi * positions[:, None] * speeds
or: angle = position / → angle = 2 * math.pi * position /
    Your first pair goes round once per position, so it never seems to move. By how many
    radians does it turn from one position to the next?

degrees: angles = positions[:, None] * speeds → angles = (positions[:, None] * speeds).deg2rad()
or: angle = position / → angle = math.pi / 180 * position /
    Your first pair turns by 1° per position. In which unit is the speed of 1 given?

nothing turned: q = rotate(q, torch.tensor([t - 1]), base) → pass
and: k = rotate(k, torch.arange(t), base) → pass
or: q, k = rotate(q, positions[-1:], base), rotate(k, positions, base) → pass
or: k = rotate(k, -distance, base) → pass
    In `attend` nothing turns, so it doesn't matter how far back a key stands. Which two
    tensors turn before they meet?

only the query turned: k = rotate(k, torch.arange(t), base) → pass
or: rotate(k, positions, base) → k
    Your cached keys aren't turned. The task says that they were stored as they came:
    what has to happen to them before the scores?

only keys turned: q = rotate(q, torch.tensor([t - 1]), base) → pass
or: rotate(q, positions[-1:], base) → q
or: rotate(q, torch.full((1,), last), base) → q
    Your keys turn by their positions, and the query stays at position 0. Where does the
    newest word stand?

query one position too far: torch.tensor([t - 1]) → torch.tensor([t])
or: positions[-1:] → positions[-1:] + 1
or: torch.full((1,), last) → torch.full((1,), last + 1)
or: distance = torch.arange(k.shape[-2]).flip(0) → distance = torch.arange(k.shape[-2]).flip(0) + 1
    Your query stands one position behind the last key. Where does the task say that the
    newest word's own key is?

query one position too early: torch.tensor([t - 1]) → torch.tensor([t - 2])
or: k = rotate(k, torch.arange(t), base) → k = rotate(k, torch.arange(1, t + 1), base)
or: torch.full((1,), last) → torch.full((1,), last - 1)
    Your query stands one position before the last key, or your keys one too far. How
    far is it from the newest word to itself?

keys in reverse: k = rotate(k, torch.arange(t), base) → k = rotate(k, torch.arange(t).flip(0), base)
or: distance = torch.arange(k.shape[-2]).flip(0) → distance = torch.arange(k.shape[-2])
    In yours the oldest key is the nearest. At which end of the cache is the newest
    word?

turned in opposite directions: torch.tensor([t - 1]) → torch.tensor([1 - t])
or: positions[-1:] → -positions[-1:]
or: torch.full((1,), last) → torch.full((1,), -last)
or: rotate(k, -distance, base) → rotate(k, distance, base)
    In yours query and keys turn in opposite directions. Which of the two must be left
    between them: the sum of the positions, or the difference?

keys turned twice: k = rotate(k, torch.arange(t), base) → k = rotate(rotate(k, torch.arange(t), base), torch.arange(t), base)
or: rotate(k, positions, base) → rotate(k, 2 * positions, base)
    Your keys turn twice. How often does the query?

values turned too: scores.softmax(-1) @ v → scores.softmax(-1) @ rotate(v, torch.arange(t), base)
or: F.scaled_dot_product_attention(q, k, v) → F.scaled_dot_product_attention(q, k, rotate(v, positions, base))
or: weights, v).unsqueeze → weights, rotate(v, torch.arange(k.shape[-2]), base)).unsqueeze
    Your values turn as well. Turning tells a score how far apart two words stand: which
    two tensors make a score?

result turned too: return scores.softmax(-1) @ v → return rotate(scores.softmax(-1) @ v, torch.tensor([t - 1]), base)
    You turned what attention returns. Turning tells a score how far apart two words
    stand: which two tensors make a score?

own base in attend: q = rotate(q, torch.tensor([t - 1]), base) → q = rotate(q, torch.tensor([t - 1]), 10_000)
and: k = rotate(k, torch.arange(t), base) → k = rotate(k, torch.arange(t), 10_000)
or: rotate(q, positions[-1:], base), rotate(k, positions, base) → rotate(q, positions[-1:], 10_000), rotate(k, positions, 10_000)
    `attend` turns at the same speeds whatever the base is. Which of its arguments says
    how fast pairs turn?

no scale: / math.sqrt(q.shape[-1]) →
or: * k.shape[-1] ** -0.5 →
or: / k.shape[-1] ** 0.5 →
    Your weights are too sharp. By what are scores divided before softmax?

divided by the width: / math.sqrt(q.shape[-1]) → / q.shape[-1]
or: * k.shape[-1] ** -0.5 → / k.shape[-1]
or: / k.shape[-1] ** 0.5 → / k.shape[-1]
    Your weights are too flat. By which function of the head's width are scores divided?

scaled by the values' width: / math.sqrt(q.shape[-1]) → / math.sqrt(v.shape[-1])
or: * k.shape[-1] ** -0.5 → * v.shape[-1] ** -0.5
or: / k.shape[-1] ** 0.5 → / v.shape[-1] ** 0.5
    You divide the scores by the root of the values' width. Which two tensors meet in a
    score?

softmax over the queries: scores.softmax(-1) @ v → scores.softmax(-2) @ v
    Each of your weights is 1, so all values are added. Over which axis of the scores do
    the weights sum to 1?

no softmax: scores.softmax(-1) @ v → scores @ v
or: weights = torch.softmax((q * k).sum(-1) * k.shape[-1] ** -0.5, dim=-1) → weights = (q * k).sum(-1) * k.shape[-1] ** -0.5
    Your scores are used as weights. What makes them positive, with a sum of 1?
"""


def rows(positions, d, *lead):
    """Rows at given positions, turned with the usual base."""

    def inputs(rng):
        return *normal((*lead, len(positions), d))(rng), np.array(positions), 10_000

    return inputs


def drawn(t, d, base, *lead, most=50):
    """Rows at different positions in any order."""

    def inputs(rng):
        (x,) = normal((*lead, t, d))(rng)
        return x, rng.permutation(most)[:t], base

    return inputs


def cached(batch, heads, t, d, d_v, base):
    """One query, and the keys and values of all positions up to its own."""

    def inputs(rng):
        lead = batch, heads
        q, k, v = normal((*lead, 1, d), (*lead, t, d), (*lead, t, d_v))(rng)
        return q, k, v, base

    return inputs


CACHE = {
    "probe": probes.second,
    "arguments": ("q", "k", "v", "base"),
    "outputs": ("out",),
}

TASK = FunctionTask(
    title="Turned by position",
    kind="implement",
    answers=("rotate", "attend"),
    arguments=("x", "positions", "base"),
    outputs=("turned",),
    arrays="torch",
    rtol=1e-3,
    atol=3e-3,
    right=(PLAIN, COMPLEX, PARTNERS, MATRICES),
    mistakes=MISTAKES,
    checks=(
        Check("one pair of numbers, positions 0, 1, 2", rows([0, 1, 2], 2)),
        Check("two pairs, positions 0, 1, 2", rows([0, 1, 2], 4)),
        Check("three pairs, positions in any order", drawn(5, 6, 10_000)),
        Check("another base, 100", drawn(3, 10, 100)),
        Check(
            "a batch of 2 with 3 heads, base 500,000, positions up to 1,000",
            drawn(5, 8, 500_000, 2, 3, most=1000),
        ),
        Check(
            "`attend`, a cache of three keys", cached(1, 1, 3, 4, 2, 10_000), **CACHE
        ),
        Check(
            "`attend`, 2 sentences, 3 heads, 7 keys, base 50",
            cached(2, 3, 7, 10, 6, 50),
            **CACHE,
        ),
    ),
    hints=(
        "Take the row (1, 0, 1, 0) at position 1 and base 100: by how many radians does "
        "each of its two pairs turn, and which four numbers come out?",
        "In `attend`: draw the keys on a line from 0 on. Where on it does the query stand, "
        "and which tensors have to turn before they are multiplied?",
    ),
    section="Rotary positions",
    why="Query and key turn, the value doesn't: the position shows in the scores alone, "
    "and there only as a distance. A key may be turned before it is cached or after.",
)
