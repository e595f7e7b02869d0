"""05.3 A planted bug: the scale is read off the wrong axis."""

from tt_utils.grading.tasks.inputs import normal
from tt_utils.grading.tasks.spec import Check, FunctionTask

EINSUM = """
def batched_scores(q, k):
    products = torch.einsum("...id,...jd->...ij", q, k)
    return products / math.sqrt(k.shape[-1])
"""

MATMUL = """
def batched_scores(q, k):
    return q @ k.transpose(-2, -1) / k.size(-1) ** 0.5
"""

BOTH_SCALED = """
def batched_scores(q, k):
    root = q.shape[-1] ** 0.25
    return (q / root) @ (k / root).mT
"""

BY_PARTS = """
def batched_scores(q, k):
    *_, d_k = k.shape
    return (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(-1).mul(1 / math.sqrt(d_k))
"""

MISTAKES = """
as planted: k.shape[-1] → k.shape[1]
or: k.size(-1) → k.size(1)
    Add keys, and every score shrinks: that cannot be. Name the axes of k one by one.
    What does axis 1 count?

shape[0]: k.shape[-1] → k.shape[0]
    Now the result depends on the batch size. A sentence must not care about its
    neighbours in the batch.

axis of the queries: k.shape[-1] → q.shape[1]
    Ask one question more, and all scores shrink. Which number is the same for q and
    for k?

counted from the front: k.shape[-1] → k.shape[2]
or: k.shape[-1] → q.shape[2]
    Right for a batch, wrong with heads as well or with no batch at all. From which end
    should the axes be counted?

fourth axis from the front: k.shape[-1] → k.shape[3]
    Right for batch and heads, and nothing else has an axis 3. From which end should
    the axes be counted?

a case for each number of axes: k.shape[-1] → k.shape[1 if k.dim() == 2 else 2]
    You list the cases with nothing or one axis in front, and two may stand there. From
    which end of the shape is the axis of the features the same in every case?

a softmax besides: return products / math.sqrt(k.shape[-1]) → return torch.softmax(products / math.sqrt(k.shape[-1]), -1)
or: return q @ k.transpose(-2, -1) / k.size(-1) ** 0.5 → return (q @ k.transpose(-2, -1) / k.size(-1) ** 0.5).softmax(-1)
    Your rows sum to 1: those are weights. How far does the task go?

axes chosen by their number: k.shape[-1] → k.shape[2 if k.dim() == 3 else 3]
    You list the cases that you thought of. From which end of the shape is the axis of
    the features the same in every case?

number of keys in every case: k.shape[-1] → k.shape[-2]
    You now find the same axis with heads and without. It still counts the keys: where
    are the features?

number of queries: k.shape[-1] → q.shape[-2]
    Ask one question more, and all scores shrink, with heads and without. Which number
    is the same for q and for k?

8 written down: math.sqrt(k.shape[-1]) → 8
    That number fits d_k = 64 only. Where can the function read its d_k?

root of 8 written down: math.sqrt(k.shape[-1]) → math.sqrt(8)
    Works only for d_k = 8. Where can the function read its d_k?

2 written down: math.sqrt(k.shape[-1]) → 2
    Works for the first example only, where d_k is 4. What does the next caller bring?

scale removed: / math.sqrt(k.shape[-1]) →
    The bug is gone, and the scale with it. What happens to softmax as d_k grows?

root lost: math.sqrt(k.shape[-1]) → k.shape[-1]
or: q.shape[-1] ** 0.25 → q.shape[-1] ** 0.5
    The axis is right now, and your scores are divided by d_k as a whole. Is a root lost,
    or is the root divided out twice?

multiplied: / math.sqrt → * math.sqrt
    The axis is right now, and your scores grow with d_k. In which direction should the
    scale work?

transposed from the front: k.transpose(-2, -1) → k.transpose(1, 2)
or: q @ k.transpose(-2, -1) → q @ k.permute(0, 2, 1)
or: q @ k.transpose(-2, -1) → torch.bmm(q, k.transpose(1, 2))
    You turn axes 1 and 2 around, which are the last two with a batch alone. What are
    the last two called, however many stand in front?

all axes turned around: k.transpose(-2, -1) → k.T
    `.T` turns all axes around, that of the batch too. Which two should change places, and
    which stay in front?

number of entries: k.shape[-1] → k.numel()
    You count every number in k, keys and batch included. Of which axis alone do you
    need the length?

one product for all: "...id,...jd->...ij" → "bid,bjd->bij"
    Your einsum names the batch as one axis, so heads don't fit, nor no batch at all.
    What stands for any number of axes in front?
"""


def scores(n_q, n_k, d_k, *lead):
    return normal((*lead, n_q, d_k), (*lead, n_k, d_k))


TASK = FunctionTask(
    title="A scale that looks at the wrong axis",
    kind="find the bug",
    answers=("batched_scores",),
    arguments=("q", "k"),
    outputs=("scores",),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(EINSUM, MATMUL, BOTH_SCALED, BY_PARTS),
    mistakes=MISTAKES,
    checks=(
        Check("a batch of 1: three queries, two keys", scores(3, 2, 4, 1)),
        Check("a batch of 7", scores(2, 3, 5, 7)),
        Check("wide heads: d_k = 16", scores(3, 5, 16, 2)),
        Check("a batch of 2 with 3 heads", scores(5, 7, 11, 2, 3)),
        Check("no batch at all", scores(3, 5, 7), earns=False),
    ),
    hints=(
        "Print `k.shape` for a k without a batch and for one with. Which axis does the "
        "function read in each case?",
        "The features stand on the last axis, however many stand in front of it. How do "
        "you ask Python for the last entry of a shape?",
    ),
    section="In PyTorch",
    why="The last axis is the last in every case, so −1 holds for no batch, a batch, and "
    "a batch with heads.",
)
