"""12.1 Cross-attention: queries from the target, keys and values from the source."""

import numpy as np

from tt_utils.grading.tasks.inputs import fixed, normal
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def cross_attention(x, memory, w_q, w_k, w_v, src_mask=None):
    q = x @ w_q
    k = memory @ w_k
    v = memory @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if src_mask is not None:
        scores = scores.masked_fill(~src_mask[..., None, :], -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
"""

EINSUM = """
def cross_attention(x, memory, w_q, w_k, w_v, src_mask=None):
    q = torch.einsum("...id,de->...ie", x, w_q)
    k = torch.einsum("...jd,de->...je", memory, w_k)
    v = torch.einsum("...jd,de->...je", memory, w_v)
    scores = torch.einsum("...ie,...je->...ij", q, k) * w_q.shape[1] ** -0.5
    if src_mask is not None:
        scores = torch.where(src_mask.unsqueeze(-2), scores, -1e9)
    weights = scores.softmax(-1)
    return torch.einsum("...ij,...je->...ie", weights, v), weights
"""

BLEND_FIRST = """
def cross_attention(x, memory, w_q, w_k, w_v, src_mask=None):
    scores = (x @ (w_q @ w_k.T)) @ memory.mT / w_k.shape[-1] ** 0.5
    powers = torch.exp(scores - scores.amax(-1, keepdim=True))
    if src_mask is not None:
        powers = powers * src_mask.unsqueeze(-2)
    weights = powers / powers.sum(-1, keepdim=True)
    return (weights @ memory) @ w_v, weights
"""

SENTENCE_BY_SENTENCE = """
def cross_attention(x, memory, w_q, w_k, w_v, src_mask=None):
    if x.dim() > 2:
        masks = [None] * len(x) if src_mask is None else src_mask
        rows = [
            cross_attention(a, b, w_q, w_k, w_v, c)
            for a, b, c in zip(x, memory, masks)
        ]
        return tuple(map(torch.stack, zip(*rows)))
    weights = torch.zeros(len(x), len(memory))
    real = torch.ones(len(memory), dtype=torch.bool) if src_mask is None else src_mask
    for i in range(len(x)):
        scores = (memory[real] @ w_k) @ (x[i] @ w_q) / w_q.shape[1] ** 0.5
        weights[i, real] = scores.softmax(0)
    return weights @ (memory @ w_v), weights
"""

MISTAKES = """
queries from the source, the rest from the target: x @ w_q → memory @ w_q
and: memory @ w_k → x @ w_k
and: memory @ w_v → x @ w_v
    Your queries come from the source. There is one query for each row that comes out:
    which of the two sentences is being written?

keys from the target: memory @ w_k → x @ w_k
or: memory, w_k) → x, w_k)
    You compare the target with itself. A query looks for something in the source: from
    which tensor come the keys?

values from the target: memory @ w_v → x @ w_v
or: memory, w_v) → x, w_v)
    You attend to the source and pass on the target. A key and its value belong to one
    position: of which sentence?

memory ignored: memory @ w_k → x @ w_k
and: memory @ w_v → x @ w_v
    Another source sentence changes nothing in your result: this is self-attention. What
    is `memory` there for?

queries from the memory: x @ w_q → memory @ w_q
    The target changes nothing in your result: the source attends to itself. Which of
    the two sentences gives the queries?

weights mixed up: x @ w_q → x @ w_k
and: memory @ w_k → memory @ w_q
    You gave the queries the matrix of the keys, and the keys that of the queries. Which
    of the three matrices turns a target vector into a query?

one matrix for keys and values: memory @ w_v → memory @ w_k
or: memory, w_v) → memory, w_k)
or: weights @ v, → weights @ k,
    You blended the keys. Being compared and being passed on are two jobs: which of the
    three matrices has the second one?

values not projected: weights @ v → weights @ memory
or: (weights @ memory) @ w_v → weights @ memory
    You blended the memory as it is. What becomes of its rows before they are passed on?

no scale: / math.sqrt(q.shape[-1]) →
or: * w_q.shape[1] ** -0.5 →
    Your weights are too sharp. What is done to the scores before softmax, so that the
    width of a query doesn't matter?

scale after softmax: / math.sqrt(q.shape[-1]) →
and: torch.softmax(scores, dim=-1) → torch.softmax(scores, dim=-1) / math.sqrt(q.shape[-1])
    Your rows add up to less than 1, since you divide the weights. What should be divided,
    so that softmax is less sharp?

matrices turned as in nn.Linear: x @ w_q → x @ w_q.T
or: x @ w_q → x @ w_q.T
and: memory @ w_k → memory @ w_k.T
or: x @ w_q → x @ w_q.T
and: memory @ w_k → memory @ w_k.T
and: memory @ w_v → memory @ w_v.T
    `nn.Linear` keeps its weight as (out, in); here w_q is (d_model, d_k). Which axis of
    it must meet the features?

scaled by the width of the model: math.sqrt(q.shape[-1]) → math.sqrt(x.shape[-1])
or: w_q.shape[1] ** → w_q.shape[0] **
or: w_q.shape[1] ** → x.shape[-1] **
    Your scale belongs to the width of x. How many products are added up in one score,
    after the projection?

divided by d_k: math.sqrt(q.shape[-1]) → q.shape[-1]
or: w_q.shape[1] ** -0.5 → w_q.shape[1] ** -1.0
    Your weights are too flat. The typical size of a score grows more slowly than d_k:
    how?

scaled by the number of source words: math.sqrt(q.shape[-1]) → math.sqrt(k.shape[-2])
or: math.sqrt(q.shape[-1]) → math.sqrt(memory.shape[-2])
    Your scale changes with the length of the source. Which axis holds the features?

softmax over the target: dim=-1 → dim=-2
or: scores.softmax(-1) → scores.softmax(-2)
    Your columns sum to 1. Each target word has a weight of 1 to spread over the source
    words: along which axis do these lie?

softmax along a fixed axis: dim=-1 → dim=1
or: scores.softmax(-1) → scores.softmax(1)
    Right for one sentence, wrong for a batch: axis 1 is another axis then. From which
    end should it be counted?

transposed from the front: k.transpose(-2, -1) → k.transpose(0, 1)
or: k.transpose(-2, -1) → k.T
or: k.transpose(-2, -1) → k.transpose(1, 2)
    You turn axes around that you count from the front, and a batch may stand there or
    not. What are the last two called in every case?

mask ignored: if src_mask is not None → if False
    Padding of the source gets weight. Where does the argument `src_mask` enter?

mask inverted: ~src_mask → src_mask
or: torch.where(src_mask.unsqueeze(-2), scores, -1e9) → torch.where(src_mask.unsqueeze(-2), -1e9, scores)
    You hide the real words and attend to the padding. In this book, what does True in a
    mask mean?

mask on the queries: src_mask[..., None, :] → src_mask[..., :, None]
or: src_mask.unsqueeze(-2) → src_mask.unsqueeze(-1)
    Your mask lies along the rows, which are target words. It says which source words
    are real: along which axis of the scores are they?

mask without an axis for the queries: src_mask[..., None, :] → src_mask
or: src_mask.unsqueeze(-2) → src_mask
    The mask has the shape (batch, t_src), the scores have (batch, t_tgt, t_src). Where
    does the mask lack an axis?

masked scores filled with 0: -torch.inf → 0.0
or: scores, -1e9) → scores, 0.0)
or: scores, -1e9) → scores, 1e-9)
or: scores.masked_fill(~src_mask[..., None, :], -torch.inf) → scores * src_mask[..., None, :]
    Padding still gets weight. What is exp(0), and which score has an exp of 0?

padding set to 0: scores = scores.masked_fill(~src_mask[..., None, :], -torch.inf) → v = v * src_mask[..., None]
or: scores = torch.where(src_mask.unsqueeze(-2), scores, -1e9) → v = v * src_mask.unsqueeze(-1)
or: scores = scores.masked_fill(~src_mask[..., None, :], -torch.inf) → pass
and: q = x @ w_q → memory = memory if src_mask is None else memory * src_mask[..., None]; q = x @ w_q
    Padded words pass on nothing in yours, and still get weight. What decides how much
    weight a word gets?

mask after softmax: scores = scores.masked_fill(~src_mask[..., None, :], -torch.inf) → pass
and: weights = torch.softmax(scores, dim=-1) → weights = torch.softmax(scores, dim=-1) if src_mask is None else torch.softmax(scores, dim=-1) * src_mask[..., None, :]
    With padding your rows no longer sum to 1. Should source words be hidden before or
    after the weights are shared out?

causal mask on the source: weights = torch.softmax(scores, dim=-1) → weights = torch.softmax(scores.masked_fill(~torch.ones_like(scores).tril().bool(), -torch.inf), dim=-1)
or: weights = scores.softmax(-1) → weights = torch.where(torch.ones_like(scores).tril() > 0, scores, -1e9).softmax(-1)
    Your first target word may attend to the first source word alone. The whole source
    is read before the first word is written: what is there to hide?

scores returned as weights: return weights @ v, weights → return weights @ v, scores
    Your second result is the scores. Do its rows sum to 1?

results swapped: return weights @ v, weights → return weights, weights @ v
    You returned the right two tensors. In which order are they asked for?

weights turned around: return weights @ v, weights → return weights @ v, weights.mT
    Your table of weights is lying on its side. Rows belong to the queries: of which
    sentence?

residual added: return weights @ v, weights → return x + weights @ v, weights
    You added x. The residual connection comes afterwards, in the layer: what is asked
    for here?
"""


def sizes(t_tgt, t_src, d_model, d_k, d_v, *batch):
    return (
        (*batch, t_tgt, d_model),
        (*batch, t_src, d_model),
        (d_model, d_k),
        (d_model, d_k),
        (d_model, d_v),
    )


def small(*shapes):
    """Weights of a size that leaves no softmax at 0 and 1."""

    def inputs(rng):
        x, memory, *weights = normal(*shapes, scale=1.0)(rng)
        d_model = x.shape[-1]
        return x, memory, *((w / d_model**0.5).round(2) for w in weights)

    return inputs


def padded(inputs, *lengths):
    """Source sentences of these lengths, then padding."""

    def with_mask(rng):
        given = inputs(rng)
        places = np.arange(given[1].shape[-2])
        mask = places < np.array(lengths)[:, None]
        return *given, mask if given[1].ndim > 2 else mask[0]

    return with_mask


BATCH = small(*sizes(3, 7, 12, 5, 4, 2))

TASK = FunctionTask(
    title="Queries from the target, keys from the source",
    kind="implement",
    answers=("cross_attention",),
    arguments=("x", "memory", "w_q", "w_k", "w_v", "src_mask"),
    outputs=("out", "weights"),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(PLAIN, EINSUM, BLEND_FIRST, SENTENCE_BY_SENTENCE),
    mistakes=MISTAKES,
    checks=(
        Check(
            "one target word, two source words",
            fixed(
                [[1, 2]],
                [[3, 0], [0, 1]],
                [[1, 0], [1, 1]],
                [[0, 1], [1, 0]],
                [[1, 0, 2], [0, 3, 1]],
            ),
            fresh=small(*sizes(1, 2, 2, 2, 3)),
        ),
        Check("three words each, all matrices square", small(*sizes(3, 3, 4, 4, 4))),
        Check("two target words, five source words", small(*sizes(2, 5, 6, 3, 4))),
        Check("seven target words, three source words", small(*sizes(7, 3, 5, 2, 4))),
        Check("a batch of 2", BATCH),
        Check(
            "one source sentence with padding",
            padded(small(*sizes(2, 5, 6, 3, 4)), 3),
        ),
        Check("a batch with padding: 4 and 6 of 7 words are real", padded(BATCH, 4, 6)),
        Check(
            "padding where both sentences are equally long",
            padded(small(*sizes(4, 4, 6, 3, 5, 2)), 2, 3),
        ),
    ),
    hints=(
        "Whose queries meet whose keys? Write down the shapes of q, k and v for 2 "
        "target words and 5 source words, and from which tensor each is made.",
        "From here on it is the attention of chapter 5. The scores have one row for each "
        "target word and one column for each source word: which ones may be padding?",
    ),
    section="Queries from one sentence, keys from the other",
    why="The queries decide how many rows come out, the keys where they attend, the "
    "values what they get: so the target can have another length than the source.",
)
