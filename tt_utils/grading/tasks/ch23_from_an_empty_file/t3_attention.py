"""23.3 Stage 3: attention, and many heads of it."""

import numpy as np

from tt_utils.grading.observing import probes
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def attention(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights @ v

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)

    def forward(self, x, source, mask):
        q, k, v = self.w_q(x), self.w_k(source), self.w_v(source)
        heads = attention(self.split(q), self.split(k), self.split(v), mask)
        return self.w_o(heads.transpose(1, 2).flatten(2))

    def split(self, x):
        x = x.unflatten(-1, (self.n_heads, -1))
        return x.transpose(1, 2)
"""

VIEWS = """
def attention(q, k, v, mask):
    d_k = q.size(-1)
    scores = torch.matmul(q, k.mT) * d_k**-0.5
    scores = torch.where(mask, scores, float("-inf"))
    return torch.matmul(F.softmax(scores, dim=-1), v)

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d_k = n_heads, d_model // n_heads
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(d_model, d_model))

    def forward(self, x, source, mask):
        batch = x.size(0)

        def heads_of(w, rows):
            return w(rows).view(batch, -1, self.h, self.d_k).permute(0, 2, 1, 3)

        out = attention(
            heads_of(self.w_q, x),
            heads_of(self.w_k, source),
            heads_of(self.w_v, source),
            mask,
        )
        joined = out.permute(0, 2, 1, 3).reshape(batch, -1, self.h * self.d_k)
        return self.w_o(joined)
"""

HEAD_BY_HEAD = """
def attention(q, k, v, mask):
    scores = torch.einsum("...qd,...kd->...qk", q, k)
    scores = scores / q.shape[-1] ** 0.5
    powers = scores.exp() * mask
    return powers / powers.sum(dim=-1, keepdim=True) @ v

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.w_q, self.w_k = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.w_v, self.w_o = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

    def forward(self, x, source, mask):
        mask = mask[:, 0] if mask.ndim == 4 else mask
        q = self.w_q(x).chunk(self.n_heads, dim=-1)
        k = self.w_k(source).chunk(self.n_heads, dim=-1)
        v = self.w_v(source).chunk(self.n_heads, dim=-1)
        heads = [attention(*one, mask) for one in zip(q, k, v)]
        return self.w_o(torch.cat(heads, dim=-1))
"""

MISTAKES = """
no scale: / math.sqrt(q.shape[-1]) →
or: * d_k**-0.5 →
or: scores = scores / q.shape[-1] ** 0.5 → pass
    Your weights are too sharp. What is done to the scores before softmax, so that the
    width of a head doesn't matter?

divided by the width: math.sqrt(q.shape[-1]) → q.shape[-1]
or: d_k**-0.5 → d_k**-1
or: q.shape[-1] ** 0.5\\n → q.shape[-1]\\n
    Your weights are too even. Which function of d_k are the scores divided by?

divided by another axis: math.sqrt(q.shape[-1]) → math.sqrt(q.shape[-2])
or: d_k = q.size(-1) → d_k = q.size(-2)
    You divide by a number that changes with the length of the sentence. Which axis is
    d_k?

mask left out: scores.masked_fill(~mask, -math.inf) → scores
or: scores = torch.where(mask, scores, float("-inf")) → pass
or: scores.exp() * mask → scores.exp()
    Queries attend to what the mask forbids. Which line should use it?

mask inverted: scores.masked_fill(~mask → scores.masked_fill(mask
or: torch.where(mask, → torch.where(~mask,
or: scores.exp() * mask → scores.exp() * ~mask
    Queries attend just to what they must not. What does True mean in a mask here?

zero for minus infinity: -math.inf → 0.0
or: float("-inf") → 0.0
    A forbidden score of 0 still gets a weight, for exp(0) is 1. Which score gets none?

weights masked, not scores: scores.masked_fill(~mask, -math.inf).softmax(dim=-1) → scores.softmax(dim=-1).masked_fill(~mask, 0)
or: scores = torch.where(mask, scores, float("-inf"))\\n    return torch.matmul(F.softmax(scores, dim=-1), v) → return torch.matmul(F.softmax(scores, dim=-1) * mask, v)
    Your rows no longer sum to 1 where something is hidden. Does the mask come before
    softmax, or after it?

softmax over the queries: .softmax(dim=-1) → .softmax(dim=-2).nan_to_num()
or: F.softmax(scores, dim=-1) → F.softmax(scores, dim=-2).nan_to_num()
    Your weights sum to 1 over the queries. Over which axis does each query share out its
    attention?

no softmax: scores.masked_fill(~mask, -math.inf).softmax(dim=-1) → scores.masked_fill(~mask, 0)
or: scores = torch.where(mask, scores, float("-inf"))\\n    return torch.matmul(F.softmax(scores, dim=-1), v) → return torch.matmul(scores * mask, v)
    You weight the values by plain scores, and negative ones among them. What turns
    scores into shares?

weights returned: return weights @ v → return weights
or: return torch.matmul(F.softmax(scores, dim=-1), v) → return F.softmax(scores, dim=-1)
    You return the weights. What do they weight?

heads cut along the sentence: x.unflatten(-1, (self.n_heads, -1))\\n        return x.transpose(1, 2) → x.unflatten(1, (self.n_heads, -1)) if x.shape[1] % self.n_heads == 0 else x.reshape(len(x), self.n_heads, x.shape[1], -1)\\n        return x
or: .view(batch, -1, self.h, self.d_k).permute(0, 2, 1, 3) → .view(batch, self.h, -1, self.d_k)
    Your heads are cut so that each gets other positions. Each head should see every
    position: which axis is cut into heads?

heads joined the wrong way round: heads.transpose(1, 2).flatten(2) → heads.reshape(x.shape)
or: out.permute(0, 2, 1, 3).reshape( → out.reshape(
    Positions and heads are mixed up where the heads are joined. Which axes must change
    places first?

features dealt out to the heads: x.unflatten(-1, (self.n_heads, -1))\\n        return x.transpose(1, 2) → x.unflatten(-1, (-1, self.n_heads))\\n        return x.permute(0, 3, 1, 2)
    Your first head gets every second feature or so. The first d_k features belong to the
    first head: which of the two new axes is the outer one?

one head: (self.n_heads, -1) → (1, -1)
or: self.h, self.d_k = n_heads, d_model // n_heads → self.h, self.d_k = 1, d_model
or: .chunk(self.n_heads, dim=-1) → .chunk(1, dim=-1)
    Your result is that of one wide head, whatever `n_heads` says. Where is a vector cut?

no output matrix: return self.w_o(heads.transpose(1, 2).flatten(2)) → return heads.transpose(1, 2).flatten(2)
or: return self.w_o(joined) → return joined
or: return self.w_o(torch.cat(heads, dim=-1)) → return torch.cat(heads, dim=-1)
    The heads stand side by side in your result, unmixed. Which of the four matrices is
    not used?

keys and values from x: self.w_k(source), self.w_v(source) → self.w_k(x), self.w_v(x)
or: heads_of(self.w_k, source),\\n            heads_of(self.w_v, source) → heads_of(self.w_k, x),\\n            heads_of(self.w_v, x)
or: self.w_k(source) → self.w_k(x)
and: self.w_v(source) → self.w_v(x)
    Your module never reads `source`. Where do keys and values come from?

queries from the source: self.w_q(x), → self.w_q(source),
or: heads_of(self.w_q, x) → heads_of(self.w_q, source)
or: self.w_q(x).chunk → self.w_q(source).chunk
    As many rows come out as your source has. Which of the two sentences attends?

keys and values exchanged: self.w_k(source), self.w_v(source) → self.w_v(source), self.w_k(source)
or: heads_of(self.w_k, source),\\n            heads_of(self.w_v, source) → heads_of(self.w_v, source),\\n            heads_of(self.w_k, source)
    What is compared with the queries in yours should be what is read, and the other way
    round. Which matrix makes the keys?
"""


def attended(answers, *arrays):
    return answers[0](*arrays)


def by_module(answers, *arguments):
    return probes.forward_in_both_modes(answers[1:], *arguments)


def visible(rng, rows, t_k):
    """Truth values; every row sees something, and not all."""
    mask = rng.random((rows, t_k)) < 0.6
    mask[np.arange(rows), rng.integers(0, t_k, rows)] = True
    mask[0, 0] = not mask[0, 1:].any()
    return mask


def one_head(*lead, t_q, t_k, d_k, d_v, hidden=True):
    def inputs(rng):
        shapes = (t_q, d_k), (t_k, d_k), (t_k, d_v)
        q, k, v = (rng.normal(size=(*lead, *one)).round(1) for one in shapes)
        mask = visible(rng, t_q, t_k) if hidden else np.ones((t_q, t_k), bool)
        return q, k, v, mask

    return inputs


def many_heads(d_model, n_heads, batch, t_q, t_k, kind):
    """With a mask that hides padding, the future, or nothing."""

    def inputs(rng):
        weights = {}
        for name in ("w_q", "w_k", "w_v", "w_o"):
            weights[f"{name}.weight"] = rng.normal(size=(d_model, d_model)).round(1)
            weights[f"{name}.bias"] = rng.normal(size=d_model).round(1)
        x = rng.normal(size=(batch, t_q, d_model)).round(1)
        source = rng.normal(size=(batch, t_k, d_model)).round(1)
        mask = np.ones((t_q, t_k), bool)
        if kind == "causal":
            source, mask = x, np.tril(np.ones((t_q, t_q), bool))
        elif kind == "padding":
            lengths = [t_k, *rng.integers(1, t_k, batch - 1)]
            mask = np.arange(t_k) < np.array(lengths)[:, None, None, None]
        sizes = {"d_model": d_model, "n_heads": n_heads}
        return sizes, weights, x, source, mask

    return inputs


HEAD = {"probe": attended, "arguments": ("q", "k", "v", "mask")}
MODULE = {
    "probe": by_module,
    "arguments": ("sizes", "weights", "x", "source", "mask"),
}

TASK = FunctionTask(
    title="Stage 3: attention",
    kind="implement",
    answers=("attention", "MultiHeadAttention"),
    arguments=("q", "k", "v", "mask"),
    outputs=("out",),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(PLAIN, VIEWS, HEAD_BY_HEAD),
    mistakes=MISTAKES,
    pairs=False,
    checks=(
        Check(
            "one head, nothing hidden",
            one_head(t_q=2, t_k=3, d_k=4, d_v=5, hidden=False),
            **HEAD,
        ),
        Check("one head and a mask", one_head(t_q=3, t_k=5, d_k=4, d_v=2), **HEAD),
        Check(
            "a batch of two, three heads",
            one_head(2, 3, t_q=4, t_k=5, d_k=7, d_v=2),
            **HEAD,
        ),
        Check(
            "a module with two heads", many_heads(6, 2, 3, 4, 4, "nothing"), **MODULE
        ),
        Check(
            "a batch with a padded source",
            many_heads(6, 3, 2, 4, 5, "padding"),
            **MODULE,
        ),
        Check("a causal mask", many_heads(8, 2, 3, 5, 5, "causal"), **MODULE),
    ),
    hints=(
        "Write the shape beside every line: (batch, t, d_model) goes in, and attention works "
        "on (batch, heads, t, d_k). Which two steps lie between?",
        "Check `attention` first, with the module still a stub. Its three lines are equation "
        "1 and the mask: in which of them does the mask act?",
    ),
    page="13c_the_whole_on_one_page",
    section="Attention",
    why="One class, three uses: the encoder's self-attention, the decoder's, and "
    "cross-attention. They differ by what is given as source and mask alone.",
)
