"""09.3 Rotary scores: queries and keys that turn with their positions."""

import numpy as np

from tt_utils.grading.tasks.inputs import normal
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def rotary_scores(q, k, positions_q, positions_k):
    def turned(x, positions):
        d = x.shape[-1]
        speeds = 1 / 10_000 ** (torch.arange(0, d, 2) / d)
        angles = positions[:, None] * speeds
        cos, sin = angles.cos(), angles.sin()
        a, b = x[..., 0::2], x[..., 1::2]
        return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)

    return turned(q, positions_q) @ turned(k, positions_k).transpose(-2, -1)
"""

COMPLEX = """
def rotary_scores(q, k, positions_q, positions_k):
    d = q.shape[-1]
    speeds = 10_000.0 ** (-2 * torch.arange(d // 2) / d)

    def pairs_of(x, positions):
        pairs = torch.view_as_complex(x.unflatten(-1, (d // 2, 2)).contiguous())
        angles = torch.outer(positions.float(), speeds)
        return pairs * torch.polar(torch.ones_like(angles), angles)

    return (pairs_of(q, positions_q) @ pairs_of(k, positions_k).mH).real
"""

BETWEEN = """
def rotary_scores(q, k, positions_q, positions_k):
    d = q.shape[-1]
    steps = positions_k - positions_q[:, None]
    scores = 0.0
    for i in range(d // 2):
        between = steps * 10_000.0 ** (-2 * i / d)
        a, b = q[..., 2 * i, None], q[..., 2 * i + 1, None]
        c, e = k[..., None, :, 2 * i], k[..., None, :, 2 * i + 1]
        scores = scores + (a * c + b * e) * between.cos() + (b * c - a * e) * between.sin()
    return scores
"""

MATRICES = """
def rotary_scores(q, k, positions_q, positions_k):
    d = q.shape[-1]

    def matrix(position):
        blocks = []
        for i in range(d // 2):
            angle = float(position) / 10_000 ** (2 * i / d)
            c, s = math.cos(angle), math.sin(angle)
            blocks.append(torch.tensor([[c, -s], [s, c]]))
        return torch.block_diag(*blocks)

    rows_q = [q[..., n, :] @ matrix(position).T for n, position in enumerate(positions_q)]
    rows_k = [k[..., n, :] @ matrix(position).T for n, position in enumerate(positions_k)]
    return torch.einsum("...id,...jd->...ij", torch.stack(rows_q, -2), torch.stack(rows_k, -2))
"""

PARTNERS = """
def rotary_scores(q, k, positions_q, positions_k):
    def turned(x, positions):
        d = x.shape[-1]
        i = torch.arange(d) // 2
        angles = positions.view(-1, 1) * torch.exp(-math.log(10_000) * 2 * i / d)
        partner = torch.stack((-x[..., 1::2], x[..., ::2]), -1).reshape(x.shape)
        return x * torch.cos(angles) + partner * torch.sin(angles)

    q, k = turned(q, positions_q), turned(k, positions_k)
    return torch.matmul(q, k.mT)
"""

MISTAKES = """
nothing turned: return turned(q, positions_q) @ turned(k, positions_k).transpose(-2, -1) → return q @ k.mT
    Your scores don't change with the positions. Where do `positions_q` and
    `positions_k` enter?

only queries turned: turned(k, positions_k) → k
    Your keys are not turned, so the score knows where the query is and not how far the
    key is from it. What has to turn besides?

only keys turned: turned(q, positions_q) → q
    Your queries are not turned, so the score knows where the key is and not how far it
    is from the query. What has to turn besides?

positions not read: positions[:, None] * speeds → torch.arange(len(positions))[:, None] * speeds
    You count the rows 0, 1, 2, … yourself. Where does it say at which position each row
    stands?

positions from the first one on: positions[:, None] * speeds → (positions[0] + torch.arange(len(positions)))[:, None] * speeds
    You read the first position and count on from there. Must the second row stand at
    the next position?

keys at the queries' positions: turned(k, positions_k) → turned(k, positions_q)
or: in enumerate(positions_k) → in zip(range(len(positions_k)), positions_q)
    You turned the keys by the positions of the queries. Which of the four arguments
    says where the keys stand?

one position for all: turned(k, positions_k) → turned(k, positions_q[:1])
or: turned(k, positions_k) → turned(k, positions_k[:1])
or: turned(q, positions_q) → turned(q, positions_q[:1])
    All rows of one of your two tensors turn by the same angle. At how many positions do
    they stand?

positions exchanged: turned(q, positions_q) → turned(q, positions_k)
and: turned(k, positions_k) → turned(k, positions_q)
    You turned the queries by the positions of the keys and the other way round. Which
    argument belongs to which?

turned clockwise: [a * cos - b * sin, a * sin + b * cos] → [a * cos + b * sin, b * cos - a * sin]
    Your pairs turn clockwise, so left and right are exchanged. After 90° anticlockwise,
    what has become of the pair (1, 0)?

turned in opposite directions: turned(k, positions_k) → turned(k, -positions_k)
or: pairs_of(k, positions_k).mH → pairs_of(k, positions_k).mT
or: steps = positions_k - positions_q[:, None] → steps = positions_k + positions_q[:, None]
    You turned q and k in opposite directions, so the score knows the sum of the two
    positions. What does their difference need?

side not known: between.sin() → between.sin().abs()
or: steps = positions_k - positions_q[:, None] → steps = (positions_k - positions_q[:, None]).abs()
or: + (b * c - a * e) * between.sin() →
    In yours a key on the left and one on the right are turned alike. Which of cosine
    and sine tells the sides apart?

first half paired with the second: x[..., 0::2], x[..., 1::2] → x[..., : d // 2], x[..., d // 2 :]
    You paired the first half of the numbers with the second, as some libraries do.
    Which two numbers make a pair in this chapter?

one speed for all pairs: 10_000 ** (torch.arange(0, d, 2) / d) → 10_000 ** (0 * torch.arange(0, d, 2) / d)
    All your pairs turn at the same speed, 1 radian per position. What makes the second
    pair slower than the first?

speeds of half the range: torch.arange(0, d, 2) / d → torch.arange(d // 2) / d
    Your slow pairs are too fast. How does the exponent grow from one pair to the next?

speeds of twice the range: torch.arange(0, d, 2) / d → torch.arange(0, d, 2) / (d // 2)
    Your slow pairs are too slow: they go far below 1/10,000. Is the factor of 2 in
    there twice?

pairs counted from 1: torch.arange(0, d, 2) / d → torch.arange(2, d + 1, 2) / d
    All your pairs are too slow: the first should turn by 1 radian per position. With
    which number does the count begin?

a speed for each number: i = torch.arange(d) // 2 → i = torch.arange(d) / 2
    In yours the two numbers of a pair turn at different speeds, so the pair changes its
    length. How many speeds does a pair have?

speeds from slow to fast: (torch.arange(0, d, 2) / d) → (torch.arange(0, d, 2).flip(0) / d)
    Your first pair is the slow one. Which has the speed 1?

pairs that speed up: 1 / 10_000 ** → 10_000 **
or: / 10_000 ** (2 → * 10_000 ** (2
    Your pairs turn faster from one to the next. What does the formula do with the power
    of 10,000?

a wrong sign: a * cos - b * sin, → a * cos + b * sin,
or: a * sin + b * cos] → a * sin - b * cos]
    Your pairs change their lengths as they move. At 90°, what has become of (0, 1) if
    it turns anticlockwise?

first number overwritten: [a * cos - b * sin, a * sin + b * cos] → [a * cos - b * sin, (a * cos - b * sin) * sin + b * cos]
    Your second number is made from the first *after* it was turned. Which one does the
    turn need?

one of the two numbers turned: [a * cos - b * sin, a * sin + b * cos] → [a * cos - b * sin, b * cos]
or: [a * cos - b * sin, a * sin + b * cos] → [a * cos - b * sin, b]
    Only one number of each pair takes something from the other. What moves into the
    second one as the first turns away?

no exchange within a pair: [a * cos - b * sin, a * sin + b * cos] → [a * cos, b * cos]
or: [a * cos - b * sin, a * sin + b * cos] → [a * cos, b * sin]
    Your pairs shrink instead of turning. At 90°, where has the first number gone?

encoding added: [a * cos - b * sin, a * sin + b * cos] → [a + sin, b + cos]
    You added the clock hands of the positions. Rotary adds nothing: what does it do
    with a pair instead?

full turns: angles = positions[:, None] * speeds → angles = 2 * math.pi * positions[:, None] * speeds
    Your first pair goes round once per position, so it never seems to move. By how many
    radians does it turn from one position to the next?

degrees: angles = positions[:, None] * speeds → angles = (positions[:, None] * speeds).deg2rad()
    Your first pair turns by 1° per position. In which unit is the speed of 1 given?

divided by the root of d_k: turned(k, positions_k).transpose(-2, -1) → turned(k, positions_k).transpose(-2, -1) / math.sqrt(q.shape[-1])
    All your scores are too small by one factor. What does the task say of the scale?

softmax: return turned(q, positions_q) @ turned(k, positions_k).transpose(-2, -1) → return (turned(q, positions_q) @ turned(k, positions_k).transpose(-2, -1)).softmax(-1)
    Your rows add up to 1. Is it the scores that you return?

table turned around: return turned(q, positions_q) @ turned(k, positions_k).transpose(-2, -1) → return turned(k, positions_k) @ turned(q, positions_q).transpose(-2, -1)
    Your table is lying on its side: it has a row for each key. Who asks?

transposed from the front: transpose(-2, -1) → transpose(0, 1)
    You exchange axes that you count from the front, where a batch may stand. What are
    the last two called in every case?
"""


def case(t_q, t_k, d_k, *lead, most=50):
    """Queries and keys, and for each of them a position of its own, in any order."""

    def inputs(rng):
        q, k = normal((*lead, t_q, d_k), (*lead, t_k, d_k))(rng)
        return q, k, rng.permutation(most)[:t_q], rng.permutation(most)[:t_k]

    return inputs


def positions(*of_both, d_k=2):
    def inputs(rng):
        q, k = normal(*((len(p), d_k) for p in of_both))(rng)
        return q, k, *map(np.array, of_both)

    return inputs


TASK = FunctionTask(
    title="Scores of turned queries and keys",
    kind="implement",
    answers=("rotary_scores",),
    arguments=("q", "k", "positions_q", "positions_k"),
    outputs=("scores",),
    arrays="torch",
    rtol=1e-3,
    atol=3e-3,
    right=(PLAIN, COMPLEX, BETWEEN, MATRICES, PARTNERS),
    mistakes=MISTAKES,
    checks=(
        Check(
            "one pair of numbers, positions 0, 1, 2", positions([0, 1, 2], [0, 1, 2])
        ),
        Check("two pairs, positions 0, 1, 2", positions([0, 1, 2], [0, 1, 2], d_k=4)),
        Check(
            "one query at position 7, four keys", positions([7], [3, 4, 5, 6], d_k=6)
        ),
        Check(
            "one query at position 2,007, keys near and far",
            positions([2007], [2003, 3, 1004, 511], d_k=10),
        ),
        Check("positions in any order", case(3, 5, 8)),
        Check("queries and keys of one length", case(4, 4, 10)),
        Check("a batch of 2 with 3 heads", case(5, 7, 6, 2, 3)),
    ),
    hints=(
        "Take d_k = 2, a query (1, 0) at position 1 and a key (0, 1) at position 3. By "
        "how many radians is each turned, and in which direction does it point then?",
        "Each row turns by its own position, each pair of it at its own speed: which "
        "shape has the table of angles for t rows of d_k numbers?",
    ),
    section="Rotary positions: turn instead of add",
    why="Both vectors turn, so between them only the difference of their positions is "
    "left. That is why a text may begin at any position, and gets the same scores.",
)
