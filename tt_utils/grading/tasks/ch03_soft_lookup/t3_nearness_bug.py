"""03.3 Two planted bugs: the farthest entry wins, and the queries share the wholes."""

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def near_lookup(q, k, v, temperature):
    gaps = q[:, None] - k
    scores = -(gaps**2) / 2
    weights = (scores / temperature).softmax(dim=-1)
    return weights @ v, weights
"""

OWN_SOFTMAX = """
def near_lookup(q, k, v, temperature):
    gaps = q.unsqueeze(1) - k.unsqueeze(0)
    scores = -gaps.square() / 2
    leads = scores - scores.max(dim=1, keepdim=True).values
    voices = torch.exp(leads / temperature)
    weights = voices / voices.sum(dim=1, keepdim=True)
    return (weights * v).sum(dim=1), weights
"""

DOT_PRODUCT = """
def near_lookup(q, k, v, temperature):
    scores = torch.outer(q, k) - k**2 / 2
    weights = torch.softmax(scores / temperature, dim=1)
    return torch.mv(weights, v), weights
"""

LOOP = """
def near_lookup(q, k, v, temperature):
    rows = []
    for query in q:
        scores = -0.5 * (query - k) ** 2
        rows.append((scores / temperature).softmax(dim=0))
    weights = torch.stack(rows)
    return torch.einsum("ij,j->i", weights, v), weights
"""

MISTAKES = """
as planted: -(gaps**2) / 2 → gaps**2 / 2
and: softmax(dim=-1) → softmax(dim=0)
    Two things are wrong. Take one query and three keys: which of them gets the largest
    weight? Then take three queries: which sums are 1, those of the rows?

the farthest still wins: -(gaps**2) / 2 → gaps**2 / 2
or: -gaps.square() / 2 → gaps.square() / 2
or: torch.outer(q, k) - k**2 / 2 → k**2 / 2 - torch.outer(q, k)
or: -0.5 * (query → 0.5 * (query
    Your rows add up to 1 now. One thing is left: put a query right on a key and look at
    that key's weight. How large is its score, next to those of keys further away?

columns still add up to 1: softmax(dim=-1) → softmax(dim=0)
or: scores / temperature, dim=1) → scores / temperature, dim=0)
or: voices.sum(dim=1, keepdim=True) → voices.sum(dim=0, keepdim=True)
    The nearest key scores best now. One thing is left: add another query, and the old ones
    get other answers. Along which axis is a whole 1 shared out?

softmax over the whole table: (scores / temperature).softmax(dim=-1) → (scores / temperature).flatten().softmax(dim=0).view_as(scores)
or: voices.sum(dim=1, keepdim=True) → voices.sum()
    All your weights together add up to 1. How much does each query have to share out?

farthest, over the whole table: (scores / temperature).softmax(dim=-1) → (-scores / temperature).flatten().softmax(dim=0).view_as(scores)
    All your weights together add up to 1, and the farthest key still wins. How much does
    each query have, and which way should a gap push?

table turned around: q[:, None] - k → q - k[:, None]
and: dim=-1 → dim=0
or: return weights @ v, weights → return weights @ v, weights.T
    Your table of weights has a row per key. What should its rows belong to?

rows of keys: q[:, None] - k → q - k[:, None]
or: torch.outer(q, k) - k**2 / 2 → torch.outer(k, q) - k[:, None] ** 2 / 2
    Your table of scores has a row per key, as if the keys were the queries. Which of
    the two should have a row?

sign turned after the softmax: -(gaps**2) / 2 → gaps**2 / 2
and: (scores / temperature).softmax(dim=-1) → 1 - (scores / temperature).softmax(dim=-1)
    1 less a weight is not the weight of the opposite: your rows add up to more than 1. At
    which step does near turn into far?

weights turned over after the softmax: -(gaps**2) / 2 → gaps**2 / 2
and: (scores / temperature).softmax(dim=-1) → 1 / (scores / temperature).softmax(dim=-1)
    You turned the weights over after they were shared out, so they don't add up to 1. At
    which step does near turn into far?

gaps not squared: -(gaps**2) / 2 → -gaps / 2
or: gaps.square() → gaps
or: (query - k) ** 2 → (query - k)
    In yours a key on one side is always better than one on the other side, however far it
    is. What makes both directions count alike?

distance not squared: -(gaps**2) / 2 → -gaps.abs() / 2
or: -gaps.square() / 2 → -gaps.abs() / 2
or: (query - k) ** 2 → (query - k).abs()
    You take the distance itself. Which power of it does the task ask for?

distance whole and not squared: -(gaps**2) / 2 → -gaps.abs()
    You take minus the distance. Which power of it does the task ask for, and how much of
    that?

half forgotten: -(gaps**2) / 2 → -(gaps**2)
or: -gaps.square() / 2 → -gaps.square()
or: -0.5 * (query → -1.0 * (query
or: torch.outer(q, k) - k**2 / 2 → 2 * torch.outer(q, k) - k**2
    Your lookup is too sharp: it acts as if the temperature were half of what it is. How
    much of the squared distance is the score?

half in the square: -(gaps**2) / 2 → -((gaps / 2) ** 2)
or: -0.5 * (query - k) ** 2 → -((0.5 * (query - k)) ** 2)
    Your scores are a quarter of the squared distance. Which comes first, the square or the
    half?

nearness as a fraction: -(gaps**2) / 2 → 1 / (gaps**2 + 1)
or: -(gaps**2) / 2 → 1 / gaps**2
or: -(gaps**2) / 2 → 2 / gaps**2
or: -(gaps**2) / 2 → 1 / gaps.abs()
or: -(gaps**2) / 2 → 1 / (1 + gaps.abs())
or: -(gaps**2) / 2 → 1 / (gaps.abs() + 1e-3)
or: -(gaps**2) / 2 → 1 / (gaps**2 + 1e-6)
or: -(gaps**2) / 2 → 1 / (gaps**2 / 2 + 1e-6)
    Dividing by the gap prefers near keys too, but it is another score. Which one does the
    task give?

plain dot product: -(gaps**2) / 2 → q[:, None] * k
or: torch.outer(q, k) - k**2 / 2 → torch.outer(q, k)
    You compare by dot product, and then the largest key wins for every query above 0.
    Which comparison does the task ask for?

values compared: q[:, None] - k → q[:, None] - v
or: (query - k) → (query - v)
or: torch.outer(q, k) - k**2 / 2 → torch.outer(q, v) - v**2 / 2
    You measured the way from the query to the values. What is an entry found by?

keys blended: weights @ v → weights @ k
or: torch.mv(weights, v) → torch.mv(weights, k)
or: (weights * v) → (weights * k)
    You blended the keys. They are there to be found: what is passed on?

multiplied by the temperature: scores / temperature → scores * temperature
or: leads / temperature → leads * temperature
    When it gets hot, your lookup becomes sharper. Does a high temperature make leads larger
    or smaller?

temperature ignored: (scores / temperature) → scores
or: scores / temperature, → scores,
or: leads / temperature → leads
    Your weights are the same at every temperature. Where did it get lost?

temperature squared: scores / temperature → scores / temperature**2
or: gaps = q[:, None] - k → gaps = (q[:, None] - k) / temperature
and: scores / temperature → scores
or: leads / temperature → leads / temperature**2
    Your temperature works twice: a gap that is divided by it and then squared is divided
    by its square. What is to be divided?

temperature after softmax: (scores / temperature).softmax(dim=-1) → scores.softmax(dim=-1) / temperature
    Your rows don't add up to 1. Which numbers does the temperature divide: those before
    softmax, or those after?

no powers: (scores / temperature).softmax(dim=-1) → scores / scores.sum(dim=-1, keepdim=True)
    You divided scores by their sum. Scores below 0 over a sum below 0 come out positive,
    and then the farthest key has the largest share. Which step is missing before the
    division?

not shared out: voices / voices.sum(dim=1, keepdim=True) → voices
or: (scores / temperature).softmax(dim=-1) → (scores / temperature).exp()
    Your rows don't add up to 1. Which step turns voices into shares?

overflow or nothing left: (scores / temperature).softmax(dim=-1) → (scores / temperature).exp() / (scores / temperature).exp().sum(dim=-1, keepdim=True)
    Far from all keys something is not a number: every voice is so small that it is stored
    as 0. What does PyTorch offer for these two steps together?

hard choice: (scores / temperature).softmax(dim=-1) → (scores == scores.max(dim=-1, keepdim=True).values).float()
or: (scores / temperature).softmax(dim=-1) → F.one_hot(scores.argmax(dim=-1), len(k)).float()
    Your weights are only 0 and 1: a staircase, whatever the temperature. What makes the
    answer glide?

results swapped: return weights @ v, weights → return weights, weights @ v
    You returned the right two things. In which order are they asked for?

scores returned: return weights @ v, weights → return weights @ v, scores
    Your second result is the scores. Do its rows add up to 1?

answers in a column: return weights @ v, weights → return weights @ v[:, None], weights
or: torch.mv(weights, v) → (weights @ v[:, None])
    Your answers stand in a column. There is one number per query: how many axes does the
    result need?

one answer for all: (weights * v).sum(dim=1) → (weights * v).sum()
or: return weights @ v, weights → return (weights @ v).sum(), weights
    You added up the answers of all queries. How many answers does each query get?

values averaged without weights: return weights @ v, weights → return v.mean() + 0 * q, weights
or: return torch.mv(weights, v), weights → return v.mean().expand(len(q)), weights
    Your answers are the plain mean of the values, whatever the query is. What are the
    weights for?

the nearest entry named: return weights @ v, weights → return k[weights.argmax(dim=-1)], weights
or: return weights @ v, weights → return v[weights.argmax(dim=-1)], weights
    You pass on one entry alone, so the curve is a staircase. What do the other weights
    do?

gap to the power of three: -(gaps**2) / 2 → -(gaps.abs() ** 3) / 2
or: -(gaps**2) / 2 → -(gaps**3) / 2
or: -(gaps**2) / 2 → -(gaps**4) / 2
    You take another power of the gap. Which one does the task ask for?
"""


def shelf(t_q, t_k, temperature, away=0.0):
    """Queries, keys and values on a line; all queries but the first may be far away."""

    def inputs(rng):
        q, k, v = (rng.normal(scale=2, size=n).round(1) for n in (t_q, t_k, t_k))
        q[1:] += away
        return q, k, v, temperature

    return inputs


def on_a_key(rng):
    """The query is the first key, and the two others are some way off."""
    first = rng.normal(scale=2, size=1).round(1)
    steps = np.array([0.0, 1, 3]) * rng.choice([-1, 1], size=3)
    return first, first + steps, rng.normal(scale=4, size=3).round(), 1.0


def by_hand(rng):
    return np.array([0.0]), np.array([0.0, 1, 3]), np.array([6.0, 0, -3]), 1.0


TASK = FunctionTask(
    title="A lookup that runs away",
    kind="find the bug",
    answers=("near_lookup",),
    arguments=("q", "k", "v", "temperature"),
    outputs=("out", "weights"),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(PLAIN, OWN_SOFTMAX, DOT_PRODUCT, LOOP),
    mistakes=MISTAKES,
    checks=(
        Check("one query, right on a key", by_hand, fresh=on_a_key),
        Check("three queries, three keys", shelf(3, 3, 1.0)),
        Check("seven queries, three keys", shelf(7, 3, 1.0)),
        Check("warm: temperature 3", shelf(2, 5, 3.0)),
        Check("cold: temperature 0.2", shelf(5, 7, 0.2)),
        Check("two queries far from all keys", shelf(3, 5, 2.0, away=50.0)),
    ),
    hints=(
        "Put one query right on a key, with two other keys further away. Print scores and "
        "weights: which key wins?",
        "Then two queries and three keys. Print the sums of the rows of `weights` and of "
        "its columns: which ones should be 1?",
    ),
    section="Slide the query",
    why="Nearness is a score too, if nearer means larger: that is the minus. And each query "
    "shares out a 1 of its own, along its row.",
)
