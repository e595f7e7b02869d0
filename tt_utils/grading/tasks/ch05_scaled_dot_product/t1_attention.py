"""05.1 Scaled dot-product attention, with a mask and rows that may see nothing."""

import numpy as np

from tt_utils.grading.tasks.inputs import fixed, normal
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    weights = weights.nan_to_num(0.0)
    out = weights @ v
    return out, weights
"""

OWN_SOFTMAX = """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, float("-inf"))
    top = scores.max(dim=-1, keepdim=True).values.clamp(min=-1e30)
    powers = torch.exp(scores - top)
    total = powers.sum(dim=-1, keepdim=True)
    weights = powers / torch.where(total == 0, 1.0, total)
    out = torch.einsum("...qk,...kv->...qv", weights, v)
    return out, weights
"""

LARGE_NEGATIVE = """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = (q / q.shape[-1] ** 0.5) @ k.mT
    if mask is not None:
        scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights * mask
    out = weights.matmul(v)
    return out, weights
"""

LIBRARY = """
def scaled_dot_product_attention(q, k, v, mask=None):
    one_hot = torch.eye(k.shape[-2]).expand(*k.shape[:-2], -1, -1)
    results = [
        F.scaled_dot_product_attention(q, k, x, attn_mask=mask) for x in (v, one_hot)
    ]
    if mask is None:
        return tuple(results)
    return tuple(r.masked_fill(~mask.any(-1, keepdim=True), 0) for r in results)
"""

LOOPS = """
def scaled_dot_product_attention(q, k, v, mask=None):
    lead, n_q, n_k = q.shape[:-2], q.shape[-2], k.shape[-2]
    may = torch.ones(*lead, n_q, n_k, dtype=torch.bool)
    may = may if mask is None else may & mask
    out, weights = torch.zeros(*lead, n_q, v.shape[-1]), torch.zeros(*lead, n_q, n_k)
    for at in np.ndindex(*lead, n_q):
        keys = [j for j in range(n_k) if may[at][j]]
        scores = [float(q[at] @ k[at[:-1]][j]) / q.shape[-1] ** 0.5 for j in keys]
        powers = [math.exp(score - max(scores)) for score in scores]
        for j, power in zip(keys, powers):
            weights[at][j] = power / sum(powers)
            out[at] += weights[at][j] * v[at[:-1]][j]
    return [out, weights]
"""

MISTAKES = """
no scale: / math.sqrt(q.shape[-1]) →
or: * q.shape[-1] ** -0.5 →
    Your weights are too sharp, and get sharper as d_k grows. What is done to the scores
    before softmax, so that d_k doesn't matter?

divided by the root of the number of keys: q.shape[-1] → k.shape[-2]
    Your scale changes when keys are added. Which axis of k holds the features, and
    which one counts the keys?

divided by d_k: math.sqrt(q.shape[-1]) → q.shape[-1]
or: ** -0.5 → ** -1.0
    Your weights are too flat. The variance of a score grows like d_k; how does its
    typical size grow?

multiplied by the scale: / math.sqrt → * math.sqrt
or: ** -0.5 → ** 0.5
    Your scores got larger by the scale instead of smaller. In which direction should
    it work?

scaled by the number of queries: q.shape[-1] → q.shape[-2]
    Your scale changes with the number of queries. Which axis of q holds the features,
    and which one counts the queries?

scaled by the width of v: q.shape[-1] → v.shape[-1]
    Your scale depends on the values. Which two tensors make a score, and how many
    products are added up in it?

transpose missing: k.transpose(-2, -1) → k
or: k.mT → k
    A score belongs to a query and a key, so the features are what is summed over.
    Which axis of q and which of k hold them, and where must they stand for `@`?

axes counted from the front: k.transpose(-2, -1) → k.transpose(0, 1)
or: k.transpose(-2, -1) → k.T
or: k.transpose(-2, -1) → k.transpose(1, 0)
or: k.transpose(-2, -1) → k.t()
or: k.transpose(-2, -1) → k.transpose(1, 2)
or: math.sqrt(q.shape[-1]) → math.sqrt(q.shape[1])
or: math.sqrt(q.shape[-1]) → math.sqrt(q.shape[2])
or: dim=-1 → dim=1
or: softmax(-1) → softmax(1)
or: dim=-1 → dim=2
or: k.transpose(-2, -1) → k.transpose(0, 1)
and: dim=-1 → dim=1
or: k.transpose(-2, -1) → k.T
and: dim=-1 → dim=1
or: k.transpose(-2, -1) → k.transpose(0, 1)
and: q.shape[-1] → q.shape[1]
and: dim=-1 → dim=1
    You count axes from the front. With a batch in front, axis 1 is another one. From
    which end is the axis of the features always the first?

softmax over queries: dim=-1 → dim=-2
or: softmax(-1) → softmax(-2)
    Your columns sum to 1, not your rows. Each query spreads a weight of 1 over the
    keys: which axis is that?

softmax over the whole matrix: torch.softmax(scores, dim=-1) → torch.softmax(scores.flatten(-2), -1).view_as(scores)
or: torch.softmax(scores, dim=-1) → torch.softmax(scores.flatten(), 0).view_as(scores)
or: total = powers.sum(dim=-1, keepdim=True) → total = powers.sum(dim=(-2, -1), keepdim=True)
or: total = powers.sum(dim=-1, keepdim=True) → total = powers.sum()
    All your weights together sum to 1. How much does each single query have to spread?

no exp: torch.softmax(scores, dim=-1) → scores / scores.sum(-1, keepdim=True)
or: powers = torch.exp(scores - top) → powers = scores
or: powers = torch.exp(scores - top) → powers = torch.where(torch.isinf(scores), 0.0, scores)
    Your weights are scores over their sum, and scores may be negative. What makes every
    score positive before the division by the sum?

no division: torch.softmax(scores, dim=-1) → torch.exp(scores)
or: powers / torch.where(total == 0, 1.0, total) → powers
    Your rows don't sum to 1. Which step turns positive numbers into shares?

hard choice: torch.softmax(scores, dim=-1) → F.one_hot(scores.argmax(-1), scores.shape[-1]).float()
or: torch.softmax(scores, dim=-1) → (scores == scores.max(-1, keepdim=True).values).float()
    Your weights are only 0 and 1: the best key takes all. A soft lookup mixes. What
    turns scores into shares?

masked scores filled with 0: -torch.inf → 0.0
or: scores.masked_fill(~mask, -torch.inf) → scores * mask
    Hidden keys still get weight. What is exp(0), and which score has an exp of 0?

fill that is not low enough: -torch.inf → -1e4
or: -torch.inf → -1e3
or: -torch.inf → -100.0
or: -torch.inf → -20.0
or: torch.finfo(scores.dtype).min → -1e4
or: float("-inf") → -1e4
or: float("-inf") → -100.0
    Where scores are very low, softmax gives a hidden key what belongs to the others.
    Which score must it have before softmax?

mask after softmax: scores = scores.masked_fill(~mask, -torch.inf) → pass
and: weights = weights.nan_to_num(0.0) → weights = weights if mask is None else weights * mask
    With a mask, your rows no longer sum to 1. Should keys be hidden before or after
    the weights are shared out?

mask ignored: if mask is not None → if False
    Your result is the same with and without the mask. Where does the argument `mask`
    enter?

mask inverted: ~mask → mask
or: mask == 0 → mask
or: torch.where(mask, scores, float("-inf")) → torch.where(mask, float("-inf"), scores)
    You hide exactly the keys that should be seen. In this book, what does True in a
    mask mean?

mask added as 0 and 1: scores.masked_fill(~mask, -torch.inf) → scores + mask
    You added the mask to the scores, so a hidden key loses only 1. How low must a
    score be to get no weight at all?

weights returned as output: return out, weights → return weights, weights
    Your first result is the weights again. They say how much of each value to take:
    where do the values come in?

keys mixed instead of values: weights @ v → weights @ k
    You averaged the keys. They are there to be compared; which tensor holds what is
    handed over?

results swapped: return out, weights → return weights, out
    You returned the right two tensors. In which order are they asked for?

scores returned as weights: return out, weights → return out, scores
    Your second result is the scores, before softmax. Do its rows sum to 1?

overflow: torch.softmax(scores, dim=-1) → scores.exp() / scores.exp().sum(-1, keepdim=True)
or: torch.exp(scores - top) → torch.exp(scores)
or: torch.softmax(scores, dim=-1) → scores.exp() / scores.exp().sum(-1, keepdim=True)
and: weights = weights.nan_to_num(0.0) →
    Where scores are large, something is not a number: exp(1000) is more than a float
    can hold. What can be subtracted from a row without changing its softmax?

fully masked row gives NaN: weights = weights.nan_to_num(0.0) →
or: .clamp(min=-1e30) →
or: powers / torch.where(total == 0, 1.0, total) → powers / total
or: weights = weights.nan_to_num(0.0)\\n    out = weights @ v → out = weights @ v\\n    weights = weights.nan_to_num(0.0)
or: weights, v)\\n    return out, weights → weights, v)\\n    return out, torch.softmax(scores, dim=-1)
or: = weights @ v\\n    return out, weights → = weights @ v\\n    return out, torch.softmax(scores, dim=-1)
    A query that may see no key gives NaN. What should such a row of weights, and of the
    output, hold instead?

fully masked row spreads evenly: -torch.inf → -1e9
or: weights = weights * mask → pass
    A query that may see no key spreads its weight evenly over the hidden keys. A large
    negative number hides a key only next to one that is not hidden. What is left to do
    for such a row?

fully masked row empty in the output only: weights.matmul(v)\\n    return out, weights → weights.matmul(v)\\n    return out, scores.softmax(-1)
    The output of a query that may see no key is empty now, and its row of weights is not.
    Whose share is what that row still hands out?

scaled after softmax: / math.sqrt(q.shape[-1]) →
and: weights = weights.nan_to_num(0.0) → weights = weights.nan_to_num(0.0) / math.sqrt(q.shape[-1])
or: * q.shape[-1] ** -0.5 →
and: weights = powers / torch.where(total == 0, 1.0, total) → weights = powers / torch.where(total == 0, 1.0, total) * q.shape[-1] ** -0.5
    Your rows sum to less than 1, as the weights are divided once more. What should be
    small enough before softmax sees it?

softmax twice: torch.softmax(scores, dim=-1) → torch.softmax(torch.softmax(scores, dim=-1), dim=-1)
    Your weights are nearly even, as if softmax had been taken of weights. How often does
    a score go through it?

queries and keys brought to length 1: q @ k.transpose(-2, -1) → F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1)
or: q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]) → F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1)
    Your scores forget how long the vectors are. Is a score a dot product, or a cosine?

logarithm of softmax: torch.softmax(scores, dim=-1) → torch.log_softmax(scores, dim=-1)
or: scores.softmax(-1) → scores.log_softmax(-1)
    Your weights are negative: these are logarithms of weights. What does each row of
    weights sum to?

sigmoid in place of softmax: torch.softmax(scores, dim=-1) → torch.sigmoid(scores)
or: scores.softmax(-1) → scores.sigmoid()
    Each of your weights comes from its own score alone, so the keys don't share. What
    must a row of weights sum to?

future hidden: torch.softmax(scores, dim=-1) → torch.softmax(scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1) == 1, -torch.inf), dim=-1)
    You hide later keys, whatever the mask says. Who decides in this task which keys a
    query may see?
"""

N_Q, N_K, D_K, D_V = 5, 7, 11, 13


def shapes(n_q, n_k, d_k, d_v, *lead):
    return (*lead, n_q, d_k), (*lead, n_k, d_k), (*lead, n_k, d_v)


def large(rng, sign=1):
    """Every single score is far above what exp can hold, or far below."""
    q, k, v = normal(*shapes(2, 3, 5, 1))(rng)
    return sign * (1000 + 1000 * np.abs(q)), 10 + 10 * np.abs(k), v


def padding_mask():
    mask = np.ones((2, 1, 1, N_K), dtype=bool)
    mask[0, ..., 5:] = mask[1, ..., 3:] = False
    return mask


def masked(inputs, mask):
    return lambda rng: (*inputs(rng), np.array(mask))


BATCH = normal(*shapes(N_Q, N_K, D_K, D_V, 2, 3))

TASK = FunctionTask(
    title="Scaled dot-product attention",
    kind="implement",
    answers=("scaled_dot_product_attention",),
    arguments=("q", "k", "v", "mask"),
    outputs=("out", "weights"),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(PLAIN, OWN_SOFTMAX, LARGE_NEGATIVE, LIBRARY, LOOPS),
    mistakes=MISTAKES,
    checks=(
        Check(
            "one query, two keys",
            fixed([[1, 2, 0, 1]], [[1, 1, 0, 1], [0, 1, 1, 0]], [[6, 0, 3], [0, 2, 1]]),
            fresh=normal(*shapes(1, 2, 4, 3)),
        ),
        Check("two queries, three keys", normal(*shapes(2, 3, 5, 1))),
        Check(
            "a mask that hides keys",
            masked(normal(*shapes(1, 3, 2, 1)), [[True, False, True]]),
        ),
        Check("a batch of 2 with 3 heads", BATCH),
        Check(
            "a padding mask of shape (2, 1, 1, 7), shared by all heads and queries",
            masked(BATCH, padding_mask()),
        ),
        Check("very large scores", large),
        Check(
            "a mask over scores far below 0",
            masked(
                lambda rng: large(rng, -1), [[False, True, True], [True, True, False]]
            ),
        ),
        Check(
            "a query that may attend to no key",
            masked(normal(*shapes(2, 3, 1, 5)), [[True, True, False], [False] * 3]),
        ),
    ),
    hints=(
        "Write down the shape of q, of k and of the table of scores. Which axis must "
        "disappear in the product, and which one must sum to 1 in the end?",
        "Scores, scale, mask, softmax, blend: five steps, one line each. Then try a row "
        "whose mask is all False, and look at what softmax makes of it.",
    ),
    section="In PyTorch",
    why="Every step works on the last two axes alone, so batch and heads in front come "
    "for free: that is why the book counts axes from the end.",
)
