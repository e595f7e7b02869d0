"""06.2 Self-attention with the matrices as PyTorch stores them."""

import numpy as np

from tt_utils.grading.observing import probes
from tt_utils.grading.tasks.inputs import fixed, normal
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def self_attention(x, weight_q, weight_k, weight_v):
    q = x @ weight_q.T
    k = x @ weight_k.T
    v = x @ weight_v.T
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
"""

LINEAR = """
def self_attention(x, weight_q, weight_k, weight_v):
    q, k, v = (F.linear(x, weight) for weight in (weight_q, weight_k, weight_v))
    scores = torch.einsum("...id,...jd->...ij", q, k) * weight_q.shape[0] ** -0.5
    weights = scores.softmax(-1)
    return torch.einsum("...ij,...jd->...id", weights, v), weights
"""

MATRIX_BETWEEN = """
def self_attention(x, weight_q, weight_k, weight_v):
    between = weight_q.T @ weight_k
    scores = x @ between @ x.mT / len(weight_k) ** 0.5
    powers = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = powers / powers.sum(-1, keepdim=True)
    return weights @ x @ weight_v.T, weights
"""

WORD_BY_WORD = """
def self_attention(x, weight_q, weight_k, weight_v):
    if x.dim() > 2:
        pairs = [self_attention(one, weight_q, weight_k, weight_v) for one in x]
        return tuple(map(torch.stack, zip(*pairs)))
    keys = torch.stack([weight_k @ word for word in x])
    values = torch.stack([weight_v @ word for word in x])
    weights = []
    for word in x:
        query = weight_q @ word
        weights.append((keys @ query / math.sqrt(len(query))).softmax(0))
    weights = torch.stack(weights)
    return weights @ values, weights
"""

LAYERS = """
def self_attention(x, weight_q, weight_k, weight_v):
    results = []
    for weight in (weight_q, weight_k, weight_v):
        layer = nn.Linear(weight.shape[1], weight.shape[0], bias=False)
        with torch.no_grad():
            layer.weight.copy_(weight)
        results.append(layer(x))
    q, k, v = results
    weights = (q / q.shape[-1] ** 0.5 @ k.mT).softmax(-1)
    return weights @ v, weights
"""

MISTAKES = """
matrices taken as (in, out): x @ weight_q.T → x @ weight_q
and: x @ weight_k.T → x @ weight_k
and: x @ weight_v.T → x @ weight_v
    You read the matrices as if they led from rows to columns. In which order does
    `nn.Linear` store the two sizes?

query matrix taken as (in, out): x @ weight_q.T → x @ weight_q
    One of the three matrices, that of the queries, is used the other way round than the
    rest. In which order are the sizes stored?

key matrix taken as (in, out): x @ weight_k.T → x @ weight_k
    One of the three matrices, that of the keys, is used the other way round than the
    rest. In which order are the sizes stored?

value matrix taken as (in, out): x @ weight_v.T → x @ weight_v
    One of the three matrices, that of the values, is used the other way round than the
    rest. In which order are the sizes stored?

no projection at all: x @ weight_q.T → x
and: x @ weight_k.T → x
and: x @ weight_v.T → x
    None of the three matrices changes your result. How does each word make its question,
    its key and its value?

keys made like queries: x @ weight_k.T → x @ weight_q.T
    Your keys are your queries, so *milk asks drank* scores as *drank asks milk* does.
    Which matrix says how a word is found?

queries made like keys: x @ weight_q.T → x @ weight_k.T
    Your queries are your keys, so *milk asks drank* scores as *drank asks milk* does.
    Which matrix says what a word asks for?

queries and keys mixed up: q = x @ weight_q.T\\n    k = x @ weight_k.T → q = x @ weight_k.T\\n    k = x @ weight_q.T
or: q @ k.transpose(-2, -1) → k @ q.transpose(-2, -1)
or: "...id,...jd->...ij" → "...id,...jd->...ji"
or: weight_q.T @ weight_k → weight_k.T @ weight_q
    Your table of scores lies on its side. Rows are words that ask: which matrix makes
    what a word asks for?

queries not projected: x @ weight_q.T → x
    Your words ask with their plain vectors. Which of the three matrices has no effect?

keys not projected: x @ weight_k.T → x
    Your words are found by their plain vectors. Which of the three matrices has no
    effect?

values not projected: weights @ v, → weights @ x,
or: weights @ values, → weights @ x,
or: weights @ x @ weight_v.T → weights @ x
    You blended the vectors as they came in. Which of the three matrices has no effect?

keys blended: weights @ v, → weights @ k,
or: weights @ x @ weight_v.T → weights @ x @ weight_k.T
    You blended the keys. Being found and handing over are two jobs: which of the three
    matrices has the second one?

queries blended: weights @ v, → weights @ q,
or: weights @ x @ weight_v.T → weights @ x @ weight_q.T
    You blended the queries. Asking and handing over are two jobs: which of the three
    matrices has the second one?

weights read by columns: return weights @ v, → return weights.transpose(-2, -1) @ v,
    Your weights are right, and you blend with their columns. Which words does a row of
    weights belong to: the one that asks, or those that answer?

no scale: / math.sqrt(q.shape[-1]) →
or: * weight_q.shape[0] ** -0.5 →
    Your weights are too sharp. What is done to the scores before softmax, so that the
    width of a query doesn't matter?

scaled by the width of the model: math.sqrt(q.shape[-1]) → math.sqrt(x.shape[-1])
or: weight_q.shape[0] ** → weight_q.shape[1] **
    Your scale belongs to the width of x. How many products are added up in one score,
    after the projection?

divided by d_k: math.sqrt(q.shape[-1]) → q.shape[-1]
or: weight_q.shape[0] ** -0.5 → weight_q.shape[0] ** -1.0
    Your weights are too flat. The typical size of a score grows more slowly than d_k:
    how?

multiplied by the scale: / math.sqrt(q.shape[-1]) → * math.sqrt(q.shape[-1])
or: weight_q.shape[0] ** -0.5 → weight_q.shape[0] ** 0.5
    Your scores got larger by the scale instead of smaller. In which direction should it
    work?

scaled by the number of words: math.sqrt(q.shape[-1]) → math.sqrt(q.shape[-2])
    Your scale changes with the length of the sentence. Which axis holds the features?

scaled by the width of the values: math.sqrt(q.shape[-1]) → math.sqrt(v.shape[-1])
or: weight_q.shape[0] ** → weight_v.shape[0] **
    Your scale depends on the values. Which two tensors make a score?

softmax over those who ask: dim=-1 → dim=-2
or: scores.softmax(-1) → scores.softmax(-2)
    Your columns sum to 1. Each word that asks has a weight of 1 to spread: along which
    axis do the others lie?

softmax along a fixed axis: dim=-1 → dim=1
or: scores.softmax(-1) → scores.softmax(1)
    Right for one sentence, wrong for a batch: axis 1 is another axis then. From which
    end should it be counted?

softmax over the whole table: torch.softmax(scores, dim=-1) → torch.softmax(scores.flatten(-2), -1).view_as(scores)
or: powers.sum(-1, keepdim=True) → powers.sum((-2, -1), keepdim=True)
or: powers.sum(-1, keepdim=True) → powers.sum()
    All your weights together sum to 1. How much has each single word to spread?

transposed from the front: k.transpose(-2, -1) → k.transpose(0, 1)
or: k.transpose(-2, -1) → k.T
or: k.transpose(-2, -1) → k.t()
or: k.transpose(-2, -1) → k.transpose(1, 2)
or: dim=-1 → dim=2
or: scores.softmax(-1) → scores.softmax(2)
    You count axes from the front, and a batch may stand there or not. What are the last
    two called in every case?

no exp: torch.softmax(scores, dim=-1) → scores / scores.sum(-1, keepdim=True)
or: torch.exp(scores - scores.amax(-1, keepdim=True)) → scores
    Your weights are scores over their sum, and scores may be negative. What makes every
    score positive first?

overflow: torch.softmax(scores, dim=-1) → scores.exp() / scores.exp().sum(-1, keepdim=True)
or: torch.exp(scores - scores.amax(-1, keepdim=True)) → torch.exp(scores)
    Where scores are large, something is not a number: exp(1000) is more than a float can
    hold. Which softmax survives that?

hard choice: torch.softmax(scores, dim=-1) → F.one_hot(scores.argmax(-1), scores.shape[-1]).float()
    Your weights are only 0 and 1. A soft lookup mixes: what turns scores into shares?

scores returned as weights: dim=-1)\\n    return weights @ v, weights → dim=-1)\\n    return weights @ v, scores
or: "...ij,...jd->...id", weights, v), weights → "...ij,...jd->...id", weights, v), scores
    Your second result is the scores. Do its rows sum to 1?

results swapped: return weights @ v, weights → return weights, weights @ v
    You returned the right two tensors. In which order are they asked for?

residual added: return weights @ v, weights → return x[..., : v.shape[-1]] + (weights @ v)[..., : x.shape[-1]], weights
or: weights @ x @ weight_v.T, weights → x + weights @ x @ weight_v.T, weights
    You added what came in. What is asked for here: the blend alone, or more?

future hidden: torch.softmax(scores, dim=-1) → torch.softmax(scores.masked_fill(~torch.ones_like(scores).tril().bool(), -torch.inf), dim=-1)
or: scores.softmax(-1) → scores.masked_fill(torch.ones_like(scores).triu(1) == 1, -torch.inf).softmax(-1)
    Your words see nothing of what comes after them. Which words may a word ask in this
    task?

scaled after softmax: / math.sqrt(q.shape[-1]) →
and: weights = torch.softmax(scores, dim=-1) → weights = torch.softmax(scores, dim=-1) / math.sqrt(q.shape[-1])
    Your rows sum to less than 1, as the weights are divided once more. What should be
    small enough before softmax sees it?

softmax twice: torch.softmax(scores, dim=-1) → torch.softmax(torch.softmax(scores, dim=-1), dim=-1)
or: scores.softmax(-1) → scores.softmax(-1).softmax(-1)
    Your weights are nearly even, as if softmax had been taken of weights. How often does
    a score go through it?

scores cut off: scores.softmax(-1) → scores.clamp(-50, 50).softmax(-1)
or: torch.softmax(scores, dim=-1) → torch.softmax(scores.clamp(-20, 20), dim=-1)
or: scores.softmax(-1) → scores.clamp(-100, 100).softmax(-1)
or: scores.softmax(-1) → scores.clamp(max=50).softmax(-1)
or: scores.softmax(-1) → scores.clamp(max=80).softmax(-1)
    Scores beyond a limit come out equal in yours, and share one weight. What keeps the
    distances between large scores, and exp from overflowing?

random matrices of its own: layer.weight.copy_(weight) → pass
    Called twice with the same inputs, yours gives different results: something in it is
    random, or kept from call to call. From which arguments should all its numbers come?

blend forgotten: return weights @ v, weights → return v, weights
or: return weights @ values, weights → return values, weights
    Your first result is the values, each word's own, and the weights touch nothing. What
    is each row of weights there for?

keys and values mixed up: k = x @ weight_k.T\\n    v = x @ weight_v.T → k = x @ weight_v.T\\n    v = x @ weight_k.T
    You compare with the values and blend the keys. Which of the two is there to be found?
"""


def sizes(t, d_model, d_k, d_v, *lead):
    return (*lead, t, d_model), (d_k, d_model), (d_k, d_model), (d_v, d_model)


def small(*shapes):
    """Weights of a size that leaves no softmax at 0 and 1."""

    def inputs(rng):
        x, *weights = normal(*shapes, scale=1.0)(rng)
        d_model = x.shape[-1]
        return x, *((w * 1.5 / d_model**0.5).round(2) for w in weights)

    return inputs


def large(rng):
    """Two scores of a row are far above what exp can hold, and not near each other."""
    while True:
        x, weight_q, weight_k, weight_v = small(*sizes(3, 5, 2, 7))(rng)
        x = 60 * x + rng.normal(size=(3, 1))
        scores = (x @ weight_q.T) @ (x @ weight_k.T).T / 2**0.5
        first, second = np.sort(scores)[:, :-3:-1].T
        if (second > 200).any() and (first - second > 10).all():
            return x, weight_q, weight_k, weight_v


TASK = FunctionTask(
    title="Matrices as PyTorch stores them",
    kind="implement",
    answers=("self_attention",),
    arguments=("x", "weight_q", "weight_k", "weight_v"),
    outputs=("out", "weights"),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(PLAIN, LINEAR, MATRIX_BETWEEN, WORD_BY_WORD, LAYERS),
    mistakes=MISTAKES,
    checks=(
        Check(
            "milk and drank, as in the chapter",
            fixed(
                [[2, 1], [0, 2]], [[0, 1], [1, 0]], [[1, 0], [0, 2]], [[1, 3], [2, -1]]
            ),
            probe=probes.twice,
            fresh=small(*sizes(2, 2, 2, 2)),
        ),
        Check("three words, square matrices", small(*sizes(3, 5, 5, 5)), probes.twice),
        Check("narrow queries: from 7 to 2", small(*sizes(5, 7, 2, 3)), probes.twice),
        Check("values wider than the words", small(*sizes(3, 5, 2, 11)), probes.twice),
        Check("a batch of 3 sentences", small(*sizes(5, 11, 7, 2, 3)), probes.twice),
        Check(
            "a batch of as many sentences as words",
            small(*sizes(3, 7, 5, 2, 3)),
            probes.twice,
        ),
        Check("a single word", small(*sizes(1, 5, 3, 2)), probes.twice),
        Check(
            "queries and keys of one number", small(*sizes(5, 3, 1, 2)), probes.twice
        ),
        Check("very large scores", large, probes.twice),
    ),
    hints=(
        "Write the shape of x, of weight_q and of the queries that you want. Which axis "
        "of the matrix must meet the features of x?",
        "Three projections, then the four steps of chapter 05: scores, scale, softmax, "
        "blend. Which of the three tensors takes part in which step?",
    ),
    section="In PyTorch",
    why="Three matrices are all there is to learn, and none of them knows how long the "
    "sentence is. With `weight` stored as (out, in), a layer calculates x Wᵀ.",
)
