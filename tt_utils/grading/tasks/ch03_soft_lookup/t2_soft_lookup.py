"""03.2 A soft lookup with a temperature, for one query or a table of them."""

from tt_utils.grading.tasks.inputs import fixed, normal
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def soft_lookup(q, k, v, temperature=1.0):
    scores = q @ k.T / temperature
    voices = np.exp(scores)
    weights = voices / voices.sum(axis=-1, keepdims=True)
    return weights @ v, weights
"""

EINSUM = """
def soft_lookup(q, k, v, temperature=1.0):
    scores = np.einsum("...d,kd->...k", q, k)
    voices = np.exp(scores * (1 / temperature))
    total = voices.sum(-1)[..., None]
    weights = voices / total
    return np.einsum("...k,kv->...v", weights, v), weights
"""

ROW_BY_ROW = """
def soft_lookup(q, k, v, temperature=1.0):
    if q.ndim == 2:
        rows = [soft_lookup(row, k, v, temperature) for row in q]
        return np.array([z for z, w in rows]), np.array([w for z, w in rows])
    voices = []
    for key in k:
        score = sum(a * b for a, b in zip(q, key))
        voices.append(math.exp(score / temperature))
    weights = np.array([voice / sum(voices) for voice in voices])
    blend = sum(weight * value for weight, value in zip(weights, v))
    return blend, weights
"""

LEADS = """
def soft_lookup(q, k, v, temperature=1.0):
    asked = np.atleast_2d(q) / temperature
    scores = (k @ asked.T).T
    leads = scores - scores.max(axis=1, keepdims=True)
    weights = np.exp(leads)
    weights /= weights.sum(axis=1, keepdims=True)
    out = weights @ v
    return (out, weights) if q.ndim == 2 else (out[0], weights[0])
"""

MISTAKES = """
temperature ignored: q @ k.T / temperature → q @ k.T
or: scores * (1 / temperature) → scores
or: score / temperature → score
or: np.atleast_2d(q) / temperature → np.atleast_2d(q)
    Your weights are those of temperature 1. At which step must the temperature enter, so
    that the division by the sum doesn't take it out again?

multiplied by the temperature: / temperature → * temperature
or: scores * (1 / temperature) → scores * temperature
    When it gets hot, your lookup becomes sharper. Does a high temperature make leads
    larger or smaller?

temperature after softmax: q @ k.T / temperature → q @ k.T
and: weights = voices / voices.sum(axis=-1, keepdims=True) → weights = voices / voices.sum(axis=-1, keepdims=True) / temperature
or: scores * (1 / temperature) → scores
and: voices / total → voices / total / temperature
    Your rows no longer add up to 1 when the temperature isn't 1. Which numbers does it
    divide: those before softmax, or those after?

temperature counted twice: q @ k.T / temperature → (q / temperature) @ (k / temperature).T
or: scores * (1 / temperature) → scores / temperature**2
    Your temperature works twice. By what is a score divided when query and key are both
    divided?

scaled by the root of d_k: q @ k.T / temperature → q @ k.T / temperature / math.sqrt(k.shape[-1])
or: q @ k.T / temperature → q @ k.T / temperature / q.shape[-1] ** 0.5
or: scores * (1 / temperature) → scores / temperature / k.shape[1] ** 0.5
    Even at temperature 1 your weights are too flat: they depend on how many numbers a
    query has. That is a step of attention that this lookup doesn't have yet.

scores averaged: score / temperature → score / temperature / len(q)
or: q @ k.T / temperature → q @ k.T / temperature / q.shape[-1]
    You divide by the number of products. In a dot product, are they averaged or added?

softmax over the queries: axis=-1 → axis=0
or: voices.sum(-1)[..., None] → voices.sum(0)
    Your columns add up to 1. Who has a whole 1 to share out, each query or each key?

axis counted from the front: axis=-1 → axis=1
or: voices.sum(-1)[..., None] → voices.sum(1)[..., None]
    A single query has one axis, and its number is 0. From which end is the axis of the
    keys always the first?

sums beside the wrong numbers: (axis=-1, keepdims=True) → (axis=-1)
or: [..., None] →
    The sums are right, but NumPy lays them along the keys. What keeps each sum beside its
    own row?

softmax over the whole table: voices.sum(axis=-1, keepdims=True) → voices.sum()
or: voices.sum(-1)[..., None] → voices.sum()
or: weights.sum(axis=1, keepdims=True) → weights.sum()
    All your weights together add up to 1. How much does each single query have to share
    out?

no powers: voices = np.exp(scores) → voices = scores
or: np.exp(scores * (1 / temperature)) → scores * (1 / temperature)
or: math.exp(score / temperature) → score / temperature
    Your weights are scores over their sum, and some are negative. What makes each voice
    positive first?

equal weights: voices = np.exp(scores) → voices = np.ones_like(scores)
or: weights = np.exp(leads) → weights = np.ones_like(leads)
    All your weights are equal, so the answer is the plain mean. Where do the scores come
    in?

powers of 2: np.exp(scores) → 2**scores
or: np.exp(scores * (1 / temperature)) → 2 ** (scores * (1 / temperature))
or: math.exp(score / temperature) → 2 ** (score / temperature)
or: np.exp(leads) → 2**leads
    Your weights are a little too flat: each point doubles a voice. By what does softmax
    multiply it?

size of the scores: np.exp(scores) → np.exp(np.abs(scores))
or: math.exp(score / temperature) → math.exp(abs(score) / temperature)
    In yours a key that fits badly is as loud as one that fits well. What should a score
    below 0 do to a voice?

scores below 0 silenced: np.exp(scores) → np.exp(np.maximum(scores, 0))
or: math.exp(score / temperature) → math.exp(max(score, 0) / temperature)
    All scores below 0 count the same in yours. Where does it say that 0 is a floor?

scores limited: np.exp(scores) → np.exp(scores.clip(-20, 20))
or: np.exp(scores) → np.exp(scores.clip(-10, 10))
or: np.exp(scores) → np.exp(scores.clip(-50, 50))
or: np.exp(scores) → np.exp(np.minimum(scores, 20))
or: np.exp(scores) → np.exp(np.maximum(scores, -20))
    Where all scores are far from 0, you make them equal. Only leads count: what happens to
    a lead when both scores are cut off?

small number added to the sum: voices / voices.sum(axis=-1, keepdims=True) → voices / (voices.sum(axis=-1, keepdims=True) + 1e-9)
or: voices / voices.sum(axis=-1, keepdims=True) → voices / (voices.sum(axis=-1, keepdims=True) + 1e-8)
or: voices / voices.sum(axis=-1, keepdims=True) → voices / (voices.sum(axis=-1, keepdims=True) + 1e-12)
or: voices / voices.sum(axis=-1, keepdims=True) → voices / (voices.sum(axis=-1, keepdims=True) + 1e-6)
or: voice / sum(voices) → voice / (sum(voices) + 1e-8)
    Where all scores are very low, your weights don't add up to 1: the number that you add
    to the sum is louder than all voices. Can a sum of positive voices be 0?

not shared out: voices / voices.sum(axis=-1, keepdims=True) → voices
or: voices / total → voices
or: voice / sum(voices) → voice
    Your rows don't add up to 1. Which step turns voices into shares?

blend of voices: return weights @ v, weights → return voices @ v, weights
or: np.einsum("...k,kv->...v", weights, v) → np.einsum("...k,kv->...v", voices, v)
or: for weight, value in zip(weights, v) → for weight, value in zip(voices, v)
    Your weights are right, your answers are far too large: they were not made with them.
    What did you multiply the values by?

hard choice: weights = voices / voices.sum(axis=-1, keepdims=True) → weights = (voices == voices.max(axis=-1, keepdims=True)).astype(float)
or: weights = np.exp(leads) → weights = (leads == 0).astype(float)
    Your weights are only 0 and 1: the best key takes all. A soft lookup mixes. What turns
    scores into shares?

softmax twice: voices = np.exp(scores) → voices = np.exp(np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True))
or: weights = voices / total → weights = np.exp(voices / total) / np.exp(voices / total).sum(-1)[..., None]
    Your weights are nearly equal everywhere. Were shares made from shares?

values turned: weights @ v, weights → weights @ v.T, weights
    You turned the values. The weights of one query, one for each entry, meet a column
    of the second table: what are the entries in `v`, rows or columns?

keys blended: weights @ v, weights → weights @ k, weights
or: np.einsum("...k,kv->...v", weights, v) → weights @ k
or: zip(weights, v) → zip(weights, k)
    You blended the keys. They are there to be found: what is passed on?

values compared: q @ k.T → q @ v.T
or: "...d,kd->...k", q, k) → "...d,kd->...k", q, v)
or: (k @ asked.T).T → (v @ asked.T).T
    You compared the query with the values. What is an entry found by?

keys as queries: q @ k.T → k @ k.T
or: for key in k:\\n        score = sum(a * b for a, b in zip(q, key)) → for key in k:\\n        score = sum(a * b for a, b in zip(k[0], key))
    The query changes nothing in your result. What is each key compared with?

transpose missing: q @ k.T → q @ k
or: (k @ asked.T).T → asked @ k
    `@` takes rows of the first and columns of the second. What are the keys in `k`, rows or
    columns?

cosine instead of dot product: scores = q @ k.T / temperature → scores = (q / (q * q).sum(axis=-1, keepdims=True) ** 0.5) @ (k / (k * k).sum(axis=-1, keepdims=True) ** 0.5).T / temperature
    A longer query changes nothing in yours: you divided by the lengths. Which product
    makes weights sharper when the query is longer?

only the keys brought to length 1: q @ k.T → q @ (k / (k * k).sum(axis=1, keepdims=True) ** 0.5).T
    You divided the keys by their lengths. Is a strong opinion to count more than a weak
    one?

nearness instead of dot product: scores = q @ k.T / temperature → scores = -((q[..., None, :] - k) ** 2).sum(axis=-1) / 2 / temperature
or: scores = q @ k.T / temperature → scores = -((q[..., None, :] - k) ** 2).sum(axis=-1) / temperature
or: scores = q @ k.T / temperature → scores = -((q[..., None, :] - k) ** 2).sum(axis=-1) ** 0.5 / temperature
    You compare by distance, as in the figure with the sliding query. Which comparison does
    this task ask for?

sign turned: np.exp(scores) → np.exp(-scores)
or: math.exp(score / → math.exp(-score /
or: np.exp(leads) → np.exp(scores.min(axis=1, keepdims=True) - scores)
    The worse a key fits, the more weight it gets in yours. Which way should a better score
    push?

scores returned: return weights @ v, weights → return weights @ v, scores
    Your second result is the scores. Do its rows add up to 1?

voices returned: return weights @ v, weights → return weights @ v, voices
    Your second result is the voices, before they are shared out. Do its rows add up to 1?

weights turned around: return weights @ v, weights → return weights @ v, weights.T
    Your table of weights lies on its side. There is a row for each query: what stands
    in the columns?

results swapped: return weights @ v, weights → return weights, weights @ v
or: return blend, weights → return weights, blend
or: return (out, weights) if q.ndim == 2 else (out[0], weights[0]) → return (weights, out) if q.ndim == 2 else (weights[0], out[0])
    You returned the right two things. In which order are they asked for?

always a table: if q.ndim == 2 else (out[0], weights[0]) → if True else (out[0], weights[0])
    For a single query you return tables with one row. How many axes does the answer to one
    vector have?

an axis lost: return weights @ v, weights → return (weights @ v).squeeze(), weights.squeeze()
or: (out, weights) if q.ndim == 2 → (out, weights) if len(asked) > 1
    A table of queries with one row is still a table. What takes its axis away?

rounded: return weights @ v, weights → return (weights @ v).round(3), weights.round(3)
or: return weights @ v, weights → return weights.round(2) @ v, weights.round(2)
or: return weights @ v, weights → return (weights @ v).round(4), weights.round(4)
or: return weights @ v, weights → return weights.round(3) @ v, weights.round(3)
or: return weights @ v, weights → return (weights @ v).round(2), weights.round(2)
    Your numbers are right and then cut short. Whoever calculates on with them needs every
    digit: what can be left to the print?

values averaged without weights: return weights @ v, weights → return 0 * weights[..., :1] + v.mean(axis=0), weights
or: return np.einsum("...k,kv->...v", weights, v), weights → return v.mean(axis=0), weights
or: blend = sum(weight * value for weight, value in zip(weights, v)) → blend = v.mean(axis=0)
    Your answers are the plain mean of the values: whatever the query is, all count the
    same. What are the weights for?

values added without weights: return weights @ v, weights → return 0 * weights[..., :1] + v.sum(axis=0), weights
or: return np.einsum("...k,kv->...v", weights, v), weights → return v.sum(axis=0), weights
or: weight * value for weight, value → value for weight, value
    Your answers are the sum of all values, whatever the query is. What are the weights
    for?

blend divided by the number of entries: return weights @ v, weights → return weights @ v / len(k), weights
or: return np.einsum("...k,kv->...v", weights, v), weights → return (weights[..., None] * v).mean(axis=-2), weights
or: return blend, weights → return blend / len(v), weights
    Your answers are too small: you took a mean after you weighted. What do the weights of
    a row add up to already?

log of the weights: return weights @ v, weights → return weights @ v, np.log(weights)
    Your second result is below 0 everywhere: logarithms. What should the rows add up to?
"""


def sizes(t_q, t_k, d_k, d_v):
    """A table of queries, or a single one for t_q = 0."""
    return ((t_q, d_k) if t_q else (d_k,)), (t_k, d_k), (t_k, d_v)


def tempered(inputs, temperature):
    return lambda rng: (*inputs(rng), temperature)


def far_from_0(rng):
    """Row 0 has scores of about 60, row 1 of about −60; the leads are small, not 0."""
    q, k, v = normal(*sizes(2, 5, 3, 2), scale=1.0)(rng)
    q[:, 0], k[:, 0] = (60, -60), 1
    q[:, 1] = 1.1, -0.9
    return q, k, v


TASK = FunctionTask(
    title="A soft lookup with a temperature",
    kind="implement",
    answers=("soft_lookup",),
    arguments=("q", "k", "v", "temperature"),
    outputs=("out", "weights"),
    right=(PLAIN, EINSUM, ROW_BY_ROW, LEADS),
    mistakes=MISTAKES,
    rtol=1e-4,
    atol=1e-5,
    checks=(
        Check(
            "one query, two entries",
            fixed([1, 0, -1], [[1, 4, 0], [0, -2, 0.5]], [[6, 0], [-2, 3]]),
            fresh=normal(*sizes(0, 2, 3, 2), scale=1.0),
        ),
        Check(
            "three queries, three entries, all of three numbers",
            normal(*sizes(3, 3, 3, 3), scale=1.0),
        ),
        Check("five queries, seven entries", normal(*sizes(5, 7, 3, 2), scale=1.0)),
        Check(
            "one query, temperature 0.5",
            tempered(normal(*sizes(0, 5, 2, 3), scale=0.7), 0.5),
        ),
        Check("two queries, temperature 4", tempered(normal(*sizes(2, 5, 3, 7)), 4.0)),
        Check("scores far from 0", far_from_0),
        Check("a table with one query, and one entry", normal(*sizes(1, 1, 2, 3))),
    ),
    hints=(
        "Four lines: compare, make positive, share out, blend. Write down the shape after "
        "each, once for five queries and once for a single one.",
        "Temperature divides the scores. The sum runs over the keys: which axis is theirs, "
        "counted from the end, and what keeps each sum beside its row?",
    ),
    section="The table of weights",
    why="Everything happens along the last axis, so the same lines serve one query or "
    "a whole table, and no query depends on another.",
)
