"""22.3 Grouped queries, and how a model without groups gets some."""

from tt_utils.grading.observing import probes
from tt_utils.grading.tasks.inputs import normal
from tt_utils.grading.tasks.spec import Check, FunctionTask

REPEATED = """
def grouped_attention(q, k, v):
    share = q.shape[1] // k.shape[1]
    k = k.repeat_interleave(share, dim=1)
    v = v.repeat_interleave(share, dim=1)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1)
    return weights @ v

def share_heads(w, n_heads, n_kv_heads):
    grouped = w.reshape(n_kv_heads, n_heads // n_kv_heads, -1, w.shape[1])
    return grouped.mean(1).reshape(-1, w.shape[1])
"""

GROUPS = """
def grouped_attention(q, k, v):
    batch, heads, t_q, d = q.shape
    groups = k.shape[1]
    q = q.reshape(batch, groups, heads // groups, t_q, d)
    scores = torch.einsum("bgsid,bgjd->bgsij", q, k) / d**0.5
    weights = torch.softmax(scores, dim=-1)
    out = torch.einsum("bgsij,bgjd->bgsid", weights, v)
    return out.reshape(batch, heads, t_q, v.shape[-1])

def share_heads(w, n_heads, n_kv_heads):
    d_head, d_model = len(w) // n_heads, w.shape[1]
    heads = w.reshape(n_kv_heads, n_heads // n_kv_heads, d_head, d_model)
    return torch.einsum("gsdm->gdm", heads).flatten(0, 1) / (n_heads // n_kv_heads)
"""

LOOP = """
def grouped_attention(q, k, v):
    heads, groups = q.shape[1], k.shape[1]
    found = []
    for head in range(heads):
        group = head // (heads // groups)
        scores = q[:, head] @ k[:, group].mT * q.shape[-1] ** -0.5
        found.append(F.softmax(scores, dim=-1) @ v[:, group])
    return torch.stack(found, dim=1)

def share_heads(w, n_heads, n_kv_heads):
    share = n_heads // n_kv_heads
    heads = w.chunk(n_heads)
    shared = []
    for g in range(n_kv_heads):
        shared.append(sum(heads[g * share : (g + 1) * share]) / share)
    return torch.cat(shared)
"""

FUSED = """
def grouped_attention(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, enable_gqa=True)

def share_heads(w, n_heads, n_kv_heads):
    groups = w.split(len(w) // n_kv_heads)
    share = n_heads // n_kv_heads
    return torch.cat([group.unflatten(0, (share, -1)).mean(0) for group in groups])
"""

STACKED = """
def grouped_attention(q, k, v):
    share = q.shape[1] // k.shape[1]
    k, v = (x[:, :, None].expand(-1, -1, share, -1, -1).flatten(1, 2) for x in (k, v))
    powers = torch.exp(q @ k.mT / math.sqrt(k.shape[-1]))
    return powers @ v / powers.sum(-1, keepdim=True)

def share_heads(w, n_heads, n_kv_heads):
    share = n_heads // n_kv_heads
    average = torch.eye(n_kv_heads).repeat_interleave(share, 1) / share
    return torch.einsum("gh,hdm->gdm", average, w.unflatten(0, (n_heads, -1))).flatten(0, 1)
"""

MISTAKES = """
heads in turn: k = k.repeat_interleave(share, dim=1)\\n    v = v.repeat_interleave(share, dim=1) → k = k.repeat(1, share, 1, 1)\\n    v = v.repeat(1, share, 1, 1)
or: q = q.reshape(batch, groups, heads // groups, t_q, d) → q = q.reshape(batch, heads // groups, groups, t_q, d).transpose(1, 2)
and: return out.reshape( → return out.transpose(1, 2).reshape(
or: head // (heads // groups) → head % groups
or: x[:, :, None].expand(-1, -1, share, -1, -1) → x[:, None].expand(-1, share, -1, -1, -1)
    Your query heads go through the heads of keys in turn, 0, 1, 0, 1. Which of them
    share one: neighbours, or heads that lie apart?

keys and values from different groups: v = v.repeat_interleave(share, dim=1) → v = v.repeat(1, share, 1, 1)
or: v[:, group] → v[:, head % groups]
    Your keys are shared by neighbours and your values in turn. Does a query head take
    keys and values from one head, or from two?

keys in turn, values by neighbours: k = k.repeat_interleave(share, dim=1) → k = k.repeat(1, share, 1, 1)
or: k[:, group] → k[:, head % groups]
    Your values are shared by neighbours and your keys in turn. Does a query head take
    keys and values from one head, or from two?

groups from the last: k = k.repeat_interleave(share, dim=1)\\n    v = v.repeat_interleave(share, dim=1) → k = k.flip(1).repeat_interleave(share, dim=1)\\n    v = v.flip(1).repeat_interleave(share, dim=1)
or: group = head // (heads // groups) → group = groups - 1 - head // (heads // groups)
    Your first query heads read the last head of keys. With which one does the count
    begin?

divided by the number of groups: head // (heads // groups) → min(head // groups, groups - 1)
    You divided the number of the head by the number of groups. How many query heads are
    there in a group?

the last group for the rest: head // (heads // groups) → min(head, groups - 1)
    Query head i reads head i of the keys in yours, and all the others read the last
    one. How many query heads should read each?

one group for all: k = k.repeat_interleave(share, dim=1)\\n    v = v.repeat_interleave(share, dim=1) → k = k[:, :1]\\n    v = v[:, :1]
or: group = head // (heads // groups) → group = 0
    All your query heads read the first head of keys and values. That is multi-query
    attention: which heads read the second?

keys averaged over groups: k = k.repeat_interleave(share, dim=1)\\n    v = v.repeat_interleave(share, dim=1) → k = k.mean(1, keepdim=True)\\n    v = v.mean(1, keepdim=True)
or: scores = q[:, head] @ k[:, group].mT → scores = q[:, head] @ k.mean(1).mT
and: @ v[:, group] → @ v.mean(1)
    You averaged the heads of keys and values, and all query heads read the mean. Which
    one of them does a query head read?

queries averaged: scores = torch.einsum("bgsid,bgjd->bgsij", q, k) / d**0.5 → scores = torch.einsum("bgsid,bgjd->bgsij", q.mean(2, keepdim=True).expand_as(q), k) / d**0.5
or: scores = q[:, head] @ → scores = q.unflatten(1, (groups, -1)).mean(2)[:, group] @
or: weights = torch.softmax(scores, dim=-1)\\n → weights = torch.softmax(scores.mean(2, keepdim=True), dim=-1).expand_as(scores)\\n
    The query heads of a group all give the same in yours, by one mean of their queries
    or their scores. They share keys and values: do they share the query, too?

weights averaged in a group: weights = torch.softmax(scores, dim=-1)\\n → weights = torch.softmax(scores, dim=-1).mean(2, keepdim=True).expand_as(scores)\\n
or: return weights @ v → return weights.unflatten(1, (-1, share)).mean(2).repeat_interleave(share, 1) @ v
    You averaged the weights in each group. Keys and values are shared: are the patterns
    shared, too?

every key of every group: k = k.repeat_interleave(share, dim=1)\\n    v = v.repeat_interleave(share, dim=1) → k = k.flatten(1, 2)[:, None]\\n    v = v.flatten(1, 2)[:, None]
    Your query heads choose among the keys of all groups at once. How many keys does a
    query head see: one per position, or one per position and group?

softmax over the heads of a group: dim=-1)\\n    out → dim=2)\\n    out
or: weights = scores.softmax(-1) → weights = scores.unflatten(1, (-1, share)).softmax(2).flatten(1, 2)
    Your weights sum to 1 over the query heads of a group. Over which axis do they sum
    to 1?

softmax over the queries: weights = scores.softmax(-1) → weights = scores.softmax(-2)
or: dim=-1)\\n    out → dim=-2)\\n    out
or: F.softmax(scores, dim=-1) → F.softmax(scores, dim=-2)
or: powers.sum(-1, keepdim=True) → powers.sum(-2, keepdim=True).mT
    Your weights sum to 1 over the queries. Over which axis do they sum to 1?

softmax over all heads: weights = scores.softmax(-1) → weights = scores.softmax(1)
    Your weights sum to 1 over the query heads. Over which axis do they sum to 1?

no softmax: weights = scores.softmax(-1) → weights = scores
or: weights = torch.softmax(scores, dim=-1) → weights = scores
or: F.softmax(scores, dim=-1) → scores
    Your scores are used as weights. What makes them positive, with a sum of 1?

no scale: / math.sqrt(q.shape[-1]) →
or: / d**0.5 →
or: * q.shape[-1] ** -0.5 →
or: enable_gqa=True → enable_gqa=True, scale=1.0
or: / math.sqrt(k.shape[-1]) →
    Your weights are too sharp. By what are scores divided before softmax?

divided by the width: / math.sqrt(q.shape[-1]) → / q.shape[-1]
or: / d**0.5 → / d
or: * q.shape[-1] ** -0.5 → / q.shape[-1]
    Your weights are too flat. By which function of the head's width are scores divided?

scaled by the whole width: / math.sqrt(q.shape[-1]) → / math.sqrt(q.shape[1] * q.shape[-1])
or: / d**0.5 → / (d * heads) ** 0.5
or: * q.shape[-1] ** -0.5 → * (heads * q.shape[-1]) ** -0.5
    You divide by the root of all heads' width together. How long are the two vectors of
    one score?

scaled by the values' width: / math.sqrt(q.shape[-1]) → / math.sqrt(v.shape[-1])
or: / d**0.5 → / v.shape[-1] ** 0.5
or: * q.shape[-1] ** -0.5 → * v.shape[-1] ** -0.5
    You divide the scores by the root of the values' width. Which two vectors meet in a
    score?

scaled by the size of a group: / math.sqrt(q.shape[-1]) → / math.sqrt(q.shape[-1] * share)
or: / d**0.5 → / (d * (heads // groups)) ** 0.5
    Your scores shrink as more query heads share a head of keys. Does a score know how
    many others there are?

groups in the reverse order on the way out: return out.reshape(batch, heads, t_q, v.shape[-1]) → return out.transpose(1, 2).reshape(batch, heads, t_q, v.shape[-1])
or: return weights @ v → return (weights @ v).unflatten(1, (-1, share)).transpose(1, 2).flatten(1, 2)
    Your heads are right and stand in another order: first the first one of each group,
    then the second one. In which order did they come in?

summed within a group: return out.reshape(batch, heads, t_q, v.shape[-1]) → return out.sum(2)
or: return weights @ v → return (weights @ v).unflatten(1, (-1, share)).sum(2)
    You added the query heads of each group. How many heads come out?

averaged within a group: return out.reshape(batch, heads, t_q, v.shape[-1]) → return out.mean(2)
or: return weights @ v → return (weights @ v).unflatten(1, (-1, share)).mean(2)
    You averaged the query heads of each group. How many heads come out?

positions taken for heads: q = q.reshape(batch, groups, heads // groups, t_q, d) → q = q.transpose(1, 2).reshape(batch, groups, heads // groups, t_q, d)
    You exchanged heads and positions before you split the heads into groups. Which axis
    of q holds the heads as it comes?

groups kept apart: return out.reshape(batch, heads, t_q, v.shape[-1]) → return out
    The numbers are right, and groups have an axis of their own. What shape is asked
    for?

heads side by side: return weights @ v → return (weights @ v).transpose(1, 2).flatten(2)
or: return torch.stack(found, dim=1) → return torch.cat(found, dim=-1)
    You joined the heads to one row per position. What shape is asked for?

heads and queries exchanged: return weights @ v → return (weights @ v).transpose(1, 2)
or: torch.stack(found, dim=1) → torch.stack(found, dim=2)
    In yours the queries stand before the heads. Which of the two axes comes first in q?

weights returned: return weights @ v → return weights
    You returned the weights. What do they average?

heads in front: torch.stack(found, dim=1) → torch.stack(found)
    Your heads stand in front of the batch. Which axis comes first in q?

the future hidden: weights = scores.softmax(-1) → weights = scores.masked_fill(~torch.ones(scores.shape[-2:]).tril().bool(), -torch.inf).softmax(-1)
or: enable_gqa=True → enable_gqa=True, is_causal=True
    You hid keys behind the query's position. Does the task speak of a mask?

heads that lie apart: w.reshape(n_kv_heads, n_heads // n_kv_heads, -1, w.shape[1])\\n    return grouped.mean(1) → w.reshape(n_heads // n_kv_heads, n_kv_heads, -1, w.shape[1])\\n    return grouped.mean(0)
or: heads[g * share : (g + 1) * share] → heads[g::n_kv_heads]
or: .repeat_interleave(share, 1) / → .repeat(1, share) /
or: w.reshape(n_kv_heads, n_heads // n_kv_heads, d_head, d_model) → w.reshape(n_heads // n_kv_heads, n_kv_heads, d_head, d_model).transpose(0, 1)
    `share_heads` averages heads that lie apart. Which query heads will read the head
    that comes out?

neighbouring rows averaged: w.reshape(n_kv_heads, n_heads // n_kv_heads, -1, w.shape[1]) → w.reshape(-1, n_heads // n_kv_heads, 1, w.shape[1])
or: .unflatten(0, (share, -1)).mean(0) → .unflatten(0, (-1, share)).mean(1)
    `share_heads` averages rows that follow each other. They belong to one head: which
    rows of two heads belong together?

first head of each group: return grouped.mean(1) → return grouped[:, 0]
or: sum(heads[g * share : (g + 1) * share]) / share → heads[g * share]
or: .unflatten(0, (share, -1)).mean(0) → .unflatten(0, (share, -1))[0]
    `share_heads` keeps one head of each group. What does the task make of all of them?

heads of a group added: return grouped.mean(1) → return grouped.sum(1)
or: sum(heads[g * share : (g + 1) * share]) / share → sum(heads[g * share : (g + 1) * share])
or: .repeat_interleave(share, 1) / share → .repeat_interleave(share, 1)
or: .flatten(0, 1) / (n_heads // n_kv_heads) → .flatten(0, 1)
    The heads that `share_heads` returns are too large, the more so the larger a group
    is. What makes a mean of a sum?

divided by the number of groups instead: sum(heads[g * share : (g + 1) * share]) / share → sum(heads[g * share : (g + 1) * share]) / n_kv_heads
or: .repeat_interleave(share, 1) / share → .repeat_interleave(share, 1) / n_kv_heads
or: .flatten(0, 1) / (n_heads // n_kv_heads) → .flatten(0, 1) / n_kv_heads
    In `share_heads` you divide by the number of groups. How many heads are averaged in
    each?

mean of all heads: return grouped.mean(1) → return grouped.mean((0, 1)).repeat(n_kv_heads, 1)
or: sum(heads[g * share : (g + 1) * share]) / share → sum(heads) / n_heads
    `share_heads` gives every group the mean of all heads. Which heads belong to each
    group?

first heads kept: return grouped.mean(1).reshape(-1, w.shape[1]) → return w[: len(w) // n_heads * n_kv_heads]
or: return torch.cat(shared) → return torch.cat(heads[:n_kv_heads])
    `share_heads` cuts the last heads off. What does the task make of all of them?

heads cut from the columns: def share_heads(w, n_heads, n_kv_heads):\\n    grouped → def share_heads(w, n_heads, n_kv_heads):\\n    w = w.mT\\n    grouped
or: heads = w.chunk(n_heads) → heads = w.mT.chunk(n_heads)
    `share_heads` cuts heads from the columns. Which axis of w belongs to the numbers
    that come out of the projection?

as wide as before: return grouped.mean(1) → return grouped.mean(1, keepdim=True).expand_as(grouped)
or: return torch.cat(shared) → return torch.cat([one for one in shared for _ in range(share)])
    `share_heads` returns each mean once for every query head. How many heads of keys
    are left, and how many rows have they?

groups side by side: return torch.cat(shared) → return torch.stack(shared)
or: return grouped.mean(1).reshape(-1, w.shape[1]) → return grouped.mean(1)
    The numbers of `share_heads` are right, and heads have an axis of their own. What
    shape has the weight of a linear layer?
"""


def heads(batch, n_heads, n_kv_heads, t_q, t_k, d, d_v):
    """Queries, keys and values, each axis of another size."""
    shared = batch, n_kv_heads, t_k
    return normal((batch, n_heads, t_q, d), (*shared, d), (*shared, d_v), scale=1.2)


def matrix(n_heads, n_kv_heads, d_head, d_model):
    """The weight of a linear layer, a row for each number that comes out."""

    def inputs(rng):
        return *normal((n_heads * d_head, d_model))(rng), n_heads, n_kv_heads

    return inputs


SHARED = {
    "probe": probes.second,
    "arguments": ("w", "n_heads", "n_kv_heads"),
    "outputs": ("w_shared",),
}

TASK = FunctionTask(
    title="Several queries, one key",
    kind="implement",
    answers=("grouped_attention", "share_heads"),
    arguments=("q", "k", "v"),
    outputs=("out",),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(REPEATED, GROUPS, LOOP, FUSED, STACKED),
    mistakes=MISTAKES,
    checks=(
        Check("each query head has its own keys: 3 and 3", heads(1, 3, 3, 2, 4, 5, 2)),
        Check("all share one: 3 query heads, 1 of keys", heads(1, 3, 1, 2, 4, 5, 2)),
        Check("4 query heads, 2 of keys", heads(1, 4, 2, 3, 5, 2, 7)),
        Check("6 query heads, 2 of keys", heads(1, 6, 2, 3, 5, 7, 4)),
        Check("6 query heads, 3 of keys", heads(1, 6, 3, 2, 7, 5, 4)),
        Check("a batch of 3, one query each", heads(3, 10, 2, 1, 5, 4, 7)),
        Check("a batch of 2, 12 query heads, 4 of keys", heads(2, 12, 4, 5, 3, 7, 11)),
        Check("`share_heads`, 4 heads to 2", matrix(4, 2, 3, 5), **SHARED),
        Check("`share_heads`, 12 heads to 4", matrix(12, 4, 2, 7), **SHARED),
    ),
    hints=(
        "Six query heads and three of keys: write down for each of the six which of the "
        "three it reads. Neighbours share.",
        "Write the shapes of q and k below each other. Which axis doesn't fit, and what "
        "happens to each head of k when that axis grows to fit?",
    ),
    section="Grouped queries",
    why="Query heads keep their own patterns and share what they look at. The cache holds "
    "the heads of keys and values alone, so it shrinks by the number that share one. Means "
    "of trained heads are where training with groups goes on from.",
)
