"""07.3 Multi-head attention from four wide matrices, with a batch or without."""

from tt_utils.grading.tasks.inputs import fixed
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def multi_head(x, w_q, w_k, w_v, w_o, n_heads):
    def split(y):
        return y.unflatten(-1, (n_heads, -1)).transpose(-3, -2)

    q, k, v = split(x @ w_q), split(x @ w_k), split(x @ w_v)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.softmax(dim=-1)
    heads = weights @ v
    joined = heads.transpose(-3, -2).flatten(-2)
    out = joined @ w_o
    return out, weights
"""

LOOP = """
def multi_head(x, w_q, w_k, w_v, w_o, n_heads):
    d_head = w_q.shape[1] // n_heads
    heads, tables = [], []
    for i in range(n_heads):
        part = slice(i * d_head, (i + 1) * d_head)
        q, k, v = x @ w_q[:, part], x @ w_k[:, part], x @ w_v[:, part]
        table = torch.softmax(q @ k.mT / d_head**0.5, dim=-1)
        heads.append(table @ v)
        tables.append(table)
    joined = torch.cat(heads, dim=-1)
    weights = torch.stack(tables, dim=-3)
    return joined @ w_o, weights
"""

PROPOSALS = """
def multi_head(x, w_q, w_k, w_v, w_o, n_heads):
    out, tables = 0, []
    narrow = [(x @ w).chunk(n_heads, dim=-1) for w in (w_q, w_k, w_v)]
    for q, k, v, rows in zip(*narrow, w_o.chunk(n_heads, dim=0)):
        scores = (q[..., :, None, :] * k[..., None, :, :]).sum(-1) / q.size(-1) ** 0.5
        powers = (scores - scores.amax(-1, keepdim=True)).exp()
        tables.append(powers / powers.sum(-1, keepdim=True))
        out = out + tables[-1] @ v @ rows
    return out, torch.stack(tables, -3)
"""

BOOK = """
def multi_head(x, w_q, w_k, w_v, w_o, n_heads):
    from tt_utils.blocks import scaled_dot_product_attention

    def cut(w):
        return w.reshape(len(w), n_heads, -1)

    q, k, v = (torch.einsum("...td,dhe->...hte", x, cut(w)) for w in (w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v)
    out = torch.einsum("...hte,hed->...td", heads, w_o.reshape(n_heads, -1, len(w_o)))
    return out, weights
"""

MISTAKES = """
scaled by the width of the model: math.sqrt(q.shape[-1]) → math.sqrt(x.shape[-1])
or: d_head**0.5 → w_q.shape[1] ** 0.5
    With more than one head your weights are too flat: you scale by the model's width.
    How many products does a score of one head add up?

not scaled: / math.sqrt(q.shape[-1]) →
or: / d_head**0.5 →
or: / q.size(-1) ** 0.5 →
    Your weights are too sharp, since wide heads have large dot products. What is done to
    the scores before softmax?

divided without the root: math.sqrt(q.shape[-1]) → q.shape[-1]
or: d_head**0.5 → d_head
    You divided by the width of a head itself. Which function of it belongs there?

the sentence cut: y.unflatten(-1, (n_heads, -1)).transpose(-3, -2) → y.reshape(*y.shape[:-2], n_heads, y.shape[-2], -1)
    Your heads got pieces of the sentence, not of the words: a bare reshape keeps the
    reading order. What must each word do before words and heads change places?

the sentence cut, and put together the same way: y.unflatten(-1, (n_heads, -1)).transpose(-3, -2) → y.reshape(*y.shape[:-2], n_heads, y.shape[-2], -1)
and: heads.transpose(-3, -2).flatten(-2) → heads.reshape(x.shape)
    Cut and join take each other back in yours, and yet a head gets some words whole and
    others not at all. What should every head get of every word?

joined in reading order: heads.transpose(-3, -2).flatten(-2) → heads.reshape(x.shape)
    Your heads are right, but they are joined in reading order: one head's words fill the
    first rows. What must stand side by side in a row?

every other number to a head: y.unflatten(-1, (n_heads, -1)).transpose(-3, -2) → y.unflatten(-1, (-1, n_heads)).movedim(-1, -3)
or: part = slice(i * d_head, (i + 1) * d_head) → part = slice(i, None, n_heads)
or: return w.reshape(len(w), n_heads, -1) → return w.reshape(len(w), -1, n_heads).mT
    Your heads deal out the numbers one by one, like cards. In the book head 1 gets
    neighbouring columns: which two sizes stand in the other order?

axes never swapped: .unflatten(-1, (n_heads, -1)).transpose(-3, -2) → .unflatten(-1, (n_heads, -1))
and: heads.transpose(-3, -2).flatten(-2) → heads.flatten(-2)
    The words never moved behind the heads, so in each word its heads attend to each
    other. Which two axes does attention work on?

axes counted for a batch: (n_heads, -1)).transpose(-3, -2) → (n_heads, -1)).transpose(1, 2)
or: heads.transpose(-3, -2) → heads.transpose(1, 2)
or: (n_heads, -1)).transpose(-3, -2) → (n_heads, -1)).transpose(1, 2)
and: heads.transpose(-3, -2) → heads.transpose(1, 2)
or: (n_heads, -1)).transpose(-3, -2) → (n_heads, -1)).transpose(1, 2)
and: math.sqrt(q.shape[-1]) → math.sqrt(x.shape[-1] // n_heads)
or: (n_heads, -1)).transpose(-3, -2) → (n_heads, -1)).transpose(1, 2)
and: math.sqrt(q.shape[-1]) → math.sqrt(x.shape[-1] // n_heads)
and: heads.transpose(-3, -2) → heads.transpose(1, 2)
or: (n_heads, -1)).transpose(-3, -2) → (n_heads, -1)).transpose(1, 2)
and: heads.transpose(-3, -2).flatten(-2) → heads.transpose(1, 2).flatten(2)
or: (n_heads, -1)).transpose(-3, -2) → (n_heads, -1)).transpose(1, 2)
and: math.sqrt(q.shape[-1]) → math.sqrt(x.shape[-1] // n_heads)
and: heads.transpose(-3, -2).flatten(-2) → heads.transpose(1, 2).flatten(2)
or: heads.transpose(-3, -2).flatten(-2) → heads.transpose(-3, -2).flatten(2)
or: torch.stack(tables, dim=-3) → torch.stack(tables, dim=1)
    Axis 1 is words or heads only where a batch stands in front. How do you count so that
    a single sentence works as well?

axes counted for one sentence: (n_heads, -1)).transpose(-3, -2) → (n_heads, -1)).transpose(0, 1)
or: heads.transpose(-3, -2) → heads.transpose(0, 1)
or: (n_heads, -1)).transpose(-3, -2) → (n_heads, -1)).transpose(0, 1)
and: heads.transpose(-3, -2) → heads.transpose(0, 1)
or: torch.stack(tables, dim=-3) → torch.stack(tables, dim=0)
or: k.transpose(-2, -1) → k.transpose(1, 2)
or: k.mT → k.T
    Right for one sentence. With a batch in front, the axes that you count from the
    front are others. From which end do heads and words always have the same index?

heads added up: torch.cat(heads, dim=-1) → sum(heads).repeat(*(1 for _ in x.shape[1:]), n_heads)
or: heads.transpose(-3, -2).flatten(-2) → heads.sum(-3).repeat(*(1 for _ in x.shape[1:]), n_heads)
or: torch.cat(heads, dim=-1) → (sum(heads) / n_heads).repeat(*(1 for _ in x.shape[1:]), n_heads)
or: heads.transpose(-3, -2).flatten(-2) → heads.mean(-3).repeat(*(1 for _ in x.shape[1:]), n_heads)
    You added up or averaged the heads before the last matrix met them. What does join
    mean here?

last matrix left out: joined @ w_o → joined
or: @ v @ rows → @ v @ torch.eye(len(w_o)).chunk(n_heads)[len(tables) - 1]
    Each number of your output belongs to one head. Which argument have you not used, and
    what is it for?

last matrix turned: joined @ w_o → joined @ w_o.T
or: @ rows → @ w_o.T.chunk(n_heads)[len(tables) - 1]
    Your last matrix lies on its side. Is `w_o` kept as `nn.Linear` keeps its weight, or
    as in the formula?

all matrices turned: x @ w_q), split(x @ w_k), split(x @ w_v) → x @ w_q.T), split(x @ w_k.T), split(x @ w_v.T)
or: x @ w_q[:, part], x @ w_k[:, part], x @ w_v[:, part] → x @ w_q[part].T, x @ w_k[part].T, x @ w_v[part].T
    Your three matrices lie on their side. Do a head's numbers come from columns of them
    or from rows?

cut before the matrices: x @ w_q[:, part], x @ w_k[:, part], x @ w_v[:, part] → x[..., part] @ w_q[part, part], x[..., part] @ w_k[part, part], x[..., part] @ w_v[part, part]
    Each of your heads sees a part of the word vectors alone. What is cut, the words or
    what a matrix makes of them?

one table for all heads: return out, weights → return out, weights.mean(-3)
or: torch.stack(tables, dim=-3) → sum(tables) / n_heads
or: torch.stack(tables, -3) → sum(tables) / n_heads
    You averaged the tables of weights over the heads. How many tables are asked for?

every head with the first head's queries: x @ w_q[:, part], x @ w_k[:, part] → x @ w_q[:, :d_head], x @ w_k[:, :d_head]
or: weights = scores.softmax(dim=-1) → weights = scores[..., :1, :, :].softmax(dim=-1).expand(scores.shape)
    All your heads have the weights of head 1. Where does each one get its own queries
    and keys?

softmax over the queries: softmax(dim=-1) → softmax(dim=-2)
or: .mT / d_head**0.5, dim=-1) → .mT / d_head**0.5, dim=-2)
    The columns of your tables sum to 1, not the rows. Each query spreads a weight of 1
    over the keys: which axis is theirs?

overflow: scores.softmax(dim=-1) → scores.exp() / scores.exp().sum(-1, keepdim=True)
or: (scores - scores.amax(-1, keepdim=True)).exp() → scores.exp()
    Where scores are large, something is not a number. What can be subtracted from a row
    without changing its softmax?

one matrix used twice: split(x @ w_k) → split(x @ w_q)
or: x @ w_k[:, part] → x @ w_q[:, part]
or: split(x @ w_v) → split(x @ w_k)
or: x @ w_v[:, part] → x @ w_k[:, part]
    Two of your queries, keys and values are the same. Which of the three matrices have
    you not used?

values not made at all: split(x @ w_v) → split(x)
or: x @ w_v[:, part] → x[..., part]
    Your heads blend slices of the words themselves. What makes values of them?

results swapped: return out, weights → return weights, out
or: return joined @ w_o, weights → return weights, joined @ w_o
    You returned the right two tensors. In which order are they asked for?

softmax over the heads: scores.softmax(dim=-1) → scores.softmax(dim=-3)
or: scores.softmax(dim=-1) → scores.softmax(dim=0)
or: scores.softmax(dim=-1) → scores.softmax(dim=1)
    Your heads, or your words, share out what belongs to each alone. Whose weights must
    sum to 1, and on which axis of the scores, counted from the end, do they lie?

numbers and heads exchanged: (n_heads, -1)).transpose(-3, -2) → (-1, n_heads)).transpose(-3, -2)
    You cut each word into as many parts as a head should have numbers. Which of the two
    new axes counts the heads?

scores returned as weights: joined @ w_o\\n    return out, weights → joined @ w_o\\n    return out, scores
    Your second result is the scores. Do its rows sum to 1?

future hidden: scores.softmax(dim=-1) → scores.masked_fill(~torch.ones_like(scores).tril().bool(), -torch.inf).softmax(dim=-1)
or: torch.softmax(q @ k.mT / d_head**0.5, dim=-1) → torch.softmax((q @ k.mT / d_head**0.5).masked_fill(torch.ones(x.shape[-2], x.shape[-2]).triu(1) == 1, -torch.inf), dim=-1)
    Your words see nothing of what comes after them. To which words may a word attend in
    this task?

scaled by the number of heads: math.sqrt(q.shape[-1]) → math.sqrt(n_heads)
or: d_head**0.5 → n_heads**0.5
    Your scale grows with the number of heads. How many products does a score of one head
    add up?

queries and keys mixed up: scores = q @ k.transpose(-2, -1) → scores = k @ q.transpose(-2, -1)
or: q @ k.mT → k @ q.mT
    Your tables of scores lie on their side. Rows are queries: which of the two factors
    gives a product its rows?

residual added: out = joined @ w_o → out = x + joined @ w_o
or: return joined @ w_o, weights → return x + joined @ w_o, weights
    You added what came in. What is asked for here: the heads' blends alone, or more?

numbers joined for words: heads.transpose(-3, -2).flatten(-2) → heads.transpose(-2, -1).reshape(x.shape)
or: heads.transpose(-3, -2).flatten(-2) → heads.transpose(-3, -1).reshape(x.shape)
    Your heads are right, and before the join you exchange the wrong two axes. Which two
    changed places when you cut?
"""


def case(t, d_model, n_heads, *front, size=1.4):
    """Words and four matrices; `size` says how large the queries and keys get."""

    def inputs(rng):
        x = rng.normal(size=(*front, t, d_model)).round(1)
        q, k, v, o = rng.normal(size=(4, d_model, d_model)) / d_model**0.5
        return (x, *(w.round(2) for w in (size * q, size * k, 2 * v, 2 * o)), n_heads)

    return inputs


TASK = FunctionTask(
    title="Multi-head attention",
    kind="implement",
    answers=("multi_head",),
    arguments=("x", "w_q", "w_k", "w_v", "w_o", "n_heads"),
    outputs=("out", "weights"),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(PLAIN, LOOP, PROPOSALS, BOOK),
    mistakes=MISTAKES,
    checks=(
        Check(
            "one head, two words",
            fixed(
                [[1, 2], [0, 1]],
                [[1, 0], [1, 1]],
                [[0, 1], [1, 0]],
                [[3, 1], [0, 2]],
                [[1, 0], [2, 1]],
                1,
            ),
            fresh=case(2, 2, 1),
        ),
        Check("two heads, two words", case(2, 4, 2)),
        Check("three heads, five words", case(5, 12, 3)),
        Check("as many words as heads", case(3, 15, 3)),
        Check("heads that are one number wide", case(5, 3, 3)),
        Check("a batch of 2", case(5, 12, 3, 2)),
        Check("a batch of 3 with 3 heads and 3 words", case(3, 6, 3, 3)),
        Check("very large scores", case(5, 6, 2, size=60)),
        Check("a single word", case(1, 10, 2)),
    ),
    hints=(
        "Write the shape beside each line, for 5 words of 12 numbers and 3 heads. Where "
        "must the axis of the heads stand when attention is computed?",
        "Four steps: three products, a cut, attention on the last two axes, and the way "
        "back. Which two steps take the cut back, and what meets `w_o`?",
    ),
    section="In PyTorch",
    why="The heads are one more axis in front, so attention needs no loop: cut after the "
    "matrices, attend, join, and let the last matrix mix.",
)
