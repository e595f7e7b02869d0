"""09.4 Two planted bugs: a price that rewards keys on the right, and shrinks."""

import numpy as np

from tt_utils.grading.tasks.inputs import normal
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def alibi_attention(q, k, v, slopes, mask=None):
    position = torch.arange(q.shape[-2])
    distance = (position[:, None] - position).abs()
    price = slopes[:, None, None] * distance
    scores = q @ k.mT / math.sqrt(q.shape[-1]) - price
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(dim=-1)
    return weights @ v, weights
"""

LIBRARY = """
def alibi_attention(q, k, v, slopes, mask=None):
    t = q.shape[-2]
    steps = torch.arange(t).unsqueeze(1) - torch.arange(t)
    bias = slopes.view(-1, 1, 1) * -steps.abs()
    if mask is not None:
        bias = torch.where(mask, bias, -torch.inf)
    attend = nn.functional.scaled_dot_product_attention
    out = attend(q, k, v, attn_mask=bias)
    rows = torch.eye(t).expand(*q.shape[:-2], t, t)
    return out, attend(q, k, rows, attn_mask=bias)
"""

LOOPS = """
def alibi_attention(q, k, v, slopes, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    t = q.shape[-2]
    for h in range(len(slopes)):
        for i in range(t):
            for j in range(t):
                scores[..., h, i, j] -= slopes[h] * abs(i - j)
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -1e9)
    weights = torch.softmax(scores, -1)
    return torch.einsum("...ij,...jd->...id", weights, v), weights
"""

POWERS = """
def alibi_attention(q, k, v, slopes, mask=None):
    position = torch.arange(float(q.shape[-2]))
    distance = torch.cdist(position[:, None], position[:, None], p=1)
    scores = (q / math.sqrt(k.shape[-1])) @ k.transpose(-2, -1)
    log_shares = scores - torch.stack([m * distance for m in slopes])
    if mask is not None:
        log_shares = log_shares.masked_fill(mask == 0, -torch.inf)
    powers = torch.exp(log_shares - log_shares.amax(-1, keepdim=True))
    weights = powers / powers.sum(-1, keepdim=True)
    return weights.matmul(v), weights
"""

MISTAKES = """
as planted: (position[:, None] - position).abs() → (position[:, None] - position)
and: q @ k.mT / math.sqrt(q.shape[-1]) - price → (q @ k.mT - price) / math.sqrt(q.shape[-1])
    Two lines are wrong, and neither raises an error. Print `price` for three words and
    a slope of 1. What does a key on the right pay, and what becomes of that price
    before softmax?

keys on the right still paid for: (position[:, None] - position).abs() → (position[:, None] - position)
    The scale is right now. One thing is left: a key on the right gains by being far
    away. What is the distance from word 0 to word 2, and what is 0 − 2?

price still scaled: q @ k.mT / math.sqrt(q.shape[-1]) - price → (q @ k.mT - price) / math.sqrt(q.shape[-1])
    The distances are right now. One thing is left: your price gets smaller as d_k
    grows. Which part of the formula stands over the root?

price scaled up: q @ k.mT / math.sqrt(q.shape[-1]) - price → q @ k.mT / math.sqrt(q.shape[-1]) - price * math.sqrt(q.shape[-1])
    Your price grows with d_k. Does the width of a query matter for the distance?

far keys rewarded on both sides: math.sqrt(q.shape[-1]) - price → math.sqrt(q.shape[-1]) + price
    In yours a key gains by being far away, on either side. Is the price added to the
    score or taken off?

price on the left instead: (position[:, None] - position).abs() → (position - position[:, None])
    Now the keys on the right pay and those on the left gain. Should the sign of a
    difference matter for a distance?

keys on the right free: (position[:, None] - position).abs() → (position[:, None] - position).clamp(min=0)
    Keys on the right pay nothing in yours. How far away is word 2 for word 0?

keys on the left free: (position[:, None] - position).abs() → (position - position[:, None]).clamp(min=0)
    Keys on the left pay nothing in yours. How far away is word 0 for word 2?

no price at all: math.sqrt(q.shape[-1]) - price → math.sqrt(q.shape[-1])
    The slopes change nothing in your result. Where should the distance enter?

squared distance: (position[:, None] - position).abs() → (position[:, None] - position) ** 2
    A key at distance 2 pays four times as much as its neighbour in yours. How much is
    the price *for every position* of distance?

neighbours free: (position[:, None] - position).abs() → ((position[:, None] - position).abs() - 1).clamp(min=0)
    Your neighbours pay nothing. What is the distance from a word to the next?

same price at every distance: (position[:, None] - position).abs() → (position[:, None] != position)
    All other words pay the same in yours. For what is the price asked?

distance as a share of the length: (position[:, None] - position).abs() → (position[:, None] - position).abs() / len(position)
    Your price for one step is smaller in a longer text. What does a step cost, and does
    it matter how many words there are?

slopes along the queries: slopes[:, None, None] → slopes[:, None]
    Your slopes lie along the queries, which goes unnoticed where there are as many
    heads as words. Which axis of the scores has the heads?

slopes along the keys: slopes[:, None, None] → slopes
    Your slopes lie along the keys, which goes unnoticed where there are as many heads
    as words. Which axis of the scores has the heads?

first slope for all heads: slopes[:, None, None] → slopes[0]
    All your heads have the slope of the first. What should each head have of its own?

mean slope for all heads: slopes[:, None, None] → slopes.mean()
    All your heads have one slope, the mean. What should each head have of its own?

slopes of one's own: slopes[:, None, None] → (2.0 ** (-8 / len(slopes) * torch.arange(1, len(slopes) + 1)))[:, None, None]
    Your slopes are those of the paper, whatever is handed in. Where do the task's come
    from?

slopes in the reverse order: slopes[:, None, None] → slopes.flip(0)[:, None, None]
    Your first head has the last slope. In which order do they come?

price after softmax: math.sqrt(q.shape[-1]) - price → math.sqrt(q.shape[-1])
and: weights = scores.softmax(dim=-1) → weights = scores.softmax(dim=-1) - price
    You took the price off the weights, so they no longer add up to 1. What is it taken
    off?

price times the score: math.sqrt(q.shape[-1]) - price → math.sqrt(q.shape[-1]) * (1 - price)
    In yours the price depends on the score: a score of 0 costs nothing. Is it a price
    or a share?

no scale at all: q @ k.mT / math.sqrt(q.shape[-1]) - price → q @ k.mT - price
    Now nothing is divided by the root of d_k. One part of the score should be: which?

divided by d_k: math.sqrt(q.shape[-1]) - price → q.shape[-1] - price
    Your weights are too flat, beside the price. How does the typical size of q · k grow
    with d_k?

scaled by the number of words: math.sqrt(q.shape[-1]) → math.sqrt(q.shape[-2])
    Your scale changes with the length of the text. Which axis holds the features?

always causal: scores = q @ k.mT / math.sqrt(q.shape[-1]) - price → scores = (q @ k.mT / math.sqrt(q.shape[-1]) - price).masked_fill(distance.triu(1) > 0, -torch.inf)
    You hide all keys on the right, mask or not. What is asked for where there is no
    mask?

mask ignored: if mask is not None → if False
    Hidden keys still have weight. Where does the argument `mask` enter?

mask inverted: ~mask → mask
or: mask.logical_not() → mask
    You hide the keys that should be seen. In this book, what does True in a mask mean?

masked scores filled with 0: scores.masked_fill(~mask, -torch.inf) → scores.masked_fill(~mask, 0.0)
    Hidden keys still have weight. What is exp(0), and which score has an exp of 0?

softmax over the queries: scores.softmax(dim=-1) → scores.softmax(dim=-2)
    Your columns sum to 1, not your rows. Which axis holds the keys?

scores returned as weights: return weights @ v, weights → return weights @ v, scores
    Your second result is the scores. Do its rows sum to 1?

results swapped: return weights @ v, weights → return weights, weights @ v
    Both are right. In which order are they asked for?
"""


def case(t, d_k, slopes, *batch, mask=None, d_v=3, scale=1.5):
    """Queries, keys and values of as many heads as there are slopes."""

    def inputs(rng):
        lead = (*batch, len(slopes), t)
        q, k = normal((*lead, d_k), (*lead, d_k), scale=scale)(rng)
        (v,) = normal((*lead, d_v))(rng)
        given = q, k, v, np.array(slopes)
        return given if mask is None else (*given, np.array(mask))

    return inputs


def equal_keys(rng):
    """All scores are 2: only the price makes a difference."""
    q, k = np.zeros((1, 4, 4)), np.zeros((1, 4, 4))
    q[..., 0] = k[..., 0] = 2
    return q, k, normal((1, 4, 3))(rng)[0], np.array([0.5])


SPARSE = [[1, 0, 1, 1, 0], [1, 1, 0, 0, 1], [0, 1, 1, 0, 1], [1, 0, 0, 1, 1], [1] * 5]

TASK = FunctionTask(
    title="A price that pays",
    kind="find the bug",
    answers=("alibi_attention",),
    arguments=("q", "k", "v", "slopes", "mask"),
    outputs=("out", "weights"),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(PLAIN, LIBRARY, LOOPS, POWERS),
    mistakes=MISTAKES,
    checks=(
        Check("four words, equal scores of 2, slope 1/2", equal_keys),
        Check(
            "one head with a causal mask",
            case(5, 6, [0.4], mask=np.tri(5) > 0),
        ),
        Check("the same without a mask", case(5, 6, [0.4])),
        Check("two heads, seven words", case(7, 4, [0.7, 0.2])),
        Check("three heads, three words", case(3, 5, [0.9, 0.3, 0.1], d_v=2)),
        Check("a mask with holes", case(5, 4, [0.5, 0.15], mask=np.array(SPARSE) > 0)),
        Check(
            "a batch of 2, four heads, causal",
            case(6, 7, [0.8, 0.35, 0.15, 0.05], 2, mask=np.tri(6) > 0),
        ),
        Check("large scores, no mask", case(5, 3, [3.0, 1.1], scale=12.0)),
    ),
    hints=(
        "Without a causal mask a word sees both ways. Write down the table of prices for "
        "three words by hand. Which numbers in it may be negative?",
        "Compare the line of the scores with the formula of the chapter: what stands "
        "over the root of d_k, and what beside the fraction?",
    ),
    section="ALiBi: a penalty for distance",
    why="Behind a causal mask all keys are on the left, so nobody sees a sign that is "
    "wrong on the right. And a price is a price: it does not shrink as d_k grows.",
)
