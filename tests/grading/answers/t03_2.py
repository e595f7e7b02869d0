"""Answers to 03.2, a soft lookup with a temperature: (out, weights)."""

HEAD = "\ndef soft_lookup(q, k, v, temperature=1.0):\n    "


def lookup(*lines: str) -> str:
    """A function of these lines."""
    return HEAD + "\n    ".join(lines) + "\n"


def blended(*lines: str) -> str:
    """The same, its last lines the usual ones."""
    return lookup(*lines, "return w @ v, w")


RIGHT = {
    "as in the chapter": """
def softmax(scores):
    voices = np.exp(scores)
    return voices / voices.sum(axis=-1, keepdims=True)


def soft_lookup(q, k, v, temperature=1.0):
    scores = q @ k.T
    weights = softmax(scores / temperature)
    return weights @ v, weights
""",
    "einsum": lookup(
        'e = np.exp(np.einsum("...i,ji->...j", q, k) / temperature)',
        'w = np.einsum("...j,...->...j", e, 1 / e.sum(-1))',
        'return np.einsum("...j,jv->...v", w, v), w',
    ),
    "two cases": lookup(
        "if q.ndim == 1:",
        "    e = np.exp(k @ q / temperature)",
        "    w = e / sum(e)",
        "    return w @ v, w",
        "pairs = [soft_lookup(row, k, v, temperature) for row in q]",
        "return np.stack([z for z, _ in pairs]), np.stack([w for _, w in pairs])",
    ),
    "largest score taken off": blended(
        "s = np.dot(q, k.T) / temperature",
        "e = np.exp(s - s.max(axis=-1, keepdims=True))",
        "w = e / e.sum(axis=-1, keepdims=True)",
    ),
    "the keys cooled": blended(
        "e = math.e ** (q @ (k / temperature).T)",
        "w = e / np.expand_dims(e.sum(axis=-1), -1)",
    ),
    "transposed twice": lookup(
        "e = np.exp(k @ q.T / temperature)",
        "w = (e / e.sum(axis=0)).T",
        "return w @ v, w",
    ),
    "by logarithms": blended(
        "s = q @ k.T / temperature",
        "w = np.exp(s - np.log(np.exp(s).sum(axis=-1, keepdims=True)))",
    ),
    "loops over everything": lookup(
        "table = np.atleast_2d(q)",
        "w = np.zeros((len(table), len(k)))",
        "for i, query in enumerate(table):",
        "    for j, key in enumerate(k):",
        "        w[i, j] = math.exp(sum(query * key) / temperature)",
        "    w[i] /= w[i].sum()",
        "if q.ndim == 1:",
        "    w = w[0]",
        "return w @ v, w",
    ),
    "lists in pure Python": lookup(
        "if np.ndim(q) == 2:",
        "    both = [soft_lookup(list(row), k, v, temperature) for row in q]",
        "    return [z for z, w in both], [w for z, w in both]",
        "e = [math.exp(sum(x * y for x, y in zip(q, key)) / temperature) for key in k]",
        "w = [x / sum(e) for x in e]",
        "z = [sum(x * value[c] for x, value in zip(w, v)) for c in range(len(v[0]))]",
        "return z, w",
    ),
    "PyTorch inside": lookup(
        "a, b, c = (torch.tensor(x) for x in (q, k, v))",
        "w = (a @ b.T / temperature).softmax(dim=-1)",
        "return w @ c, w",
    ),
    "a shorter query": blended(
        "e = np.exp((q / temperature) @ k.T)",
        "w = e * e.sum(axis=-1, keepdims=True) ** -1.0",
    ),
    "divided at the end": lookup(
        "e = np.exp(q @ k.T / temperature)",
        "total = e.sum(axis=-1, keepdims=True)",
        "return [(e @ v) / total, e / total]",
    ),
    "other names of the arguments": """
def soft_lookup(query, keys, values, T=1):
    powers = np.exp(query.dot(keys.T) / T)
    shares = (powers.T / powers.sum(-1)).T
    return shares.dot(values), shares
""",
    "powers of 2 with ln 2": blended(
        "e = 2 ** (q @ k.T / temperature / math.log(2))",
        "w = e / e.sum(axis=-1, keepdims=True)",
    ),
}

SOFT = "w = e / e.sum(axis=-1, keepdims=True)"

WRONG = {
    "powers of 10": blended("e = 10 ** (q @ k.T / temperature)", SOFT),
    "squared scores": blended("e = (q @ k.T / temperature) ** 2", SOFT),
    "only out": lookup("e = np.exp(q @ k.T / temperature)", SOFT, "return w @ v"),
    "only weights": lookup("e = np.exp(q @ k.T / temperature)", SOFT, "return w"),
    "a single query refused": blended(
        "assert q.ndim == 2", "e = np.exp(q @ k.T / temperature)", SOFT
    ),
    "sigmoid": blended("w = 1 / (1 + np.exp(-q @ k.T / temperature))"),
    "temperature of 2 and more": blended(
        "e = np.exp(q @ k.T / max(temperature, 1))", SOFT
    ),
    "whole temperature": blended(
        "e = np.exp(q @ k.T / round(temperature + 0.1))", SOFT
    ),
    "values first": lookup(
        "e = np.exp(q @ k.T / temperature)", SOFT, "return v.T @ w.T, w"
    ),
    "the mean of all askers": lookup(
        "e = np.exp(q @ k.T / temperature)", SOFT, "return (w @ v).mean(axis=0), w"
    ),
    "inputs changed": blended("q /= temperature", "e = np.exp(q @ k.T)", SOFT),
    "the example looked up": lookup(
        "return np.array([7.31]), np.array([0.731, 0.269])"
    ),
    "half precision": blended(
        "e = np.exp((q @ k.T / temperature).astype(np.float16))", SOFT
    ),
    "a table of zeros": lookup(
        "return np.zeros((len(q), v.shape[1])), np.zeros((len(q), len(k)))"
    ),
    "own axis for one query": blended("e = np.exp(q[None] @ k.T / temperature)", SOFT),
}

NO_T = "e = np.exp(q @ k.T)"
YES = "e = np.exp(q @ k.T / temperature)"

SPELLINGS = {
    "equal weights": [
        blended("w = np.ones((*q.shape[:-1], len(k))) / len(k)"),
        blended("w = np.full_like(q @ k.T, 1 / len(k))"),
    ],
    "only the keys brought to length 1": [
        blended(
            "unit = k / np.linalg.norm(k, axis=1, keepdims=True)",
            "e = np.exp(q @ unit.T / temperature)",
            SOFT,
        ),
    ],
    "temperature ignored": [
        blended(NO_T, SOFT),
        blended("e = np.exp(q @ k.T) / temperature", SOFT),
        blended("scores = q @ k.T", "scores / temperature", "e = np.exp(scores)", SOFT),
    ],
    "multiplied by the temperature": [
        blended("e = np.exp(temperature * q @ k.T)", SOFT),
        blended("e = np.exp(q @ k.T) ** temperature", SOFT),
    ],
    "temperature after softmax": [
        blended(NO_T, SOFT, "w = w / temperature"),
    ],
    "temperature counted twice": [
        blended("e = np.exp(q @ k.T / temperature / temperature)", SOFT),
    ],
    "scaled by the root of d_k": [
        blended("e = np.exp(q @ k.T / (temperature * np.sqrt(k.shape[1])))", SOFT),
    ],
    "scores averaged": [
        blended("e = np.exp(q @ k.T / k.shape[1] / temperature)", SOFT),
    ],
    "softmax over the askers": [
        blended(YES, "w = e / e.sum(axis=0)"),
        blended(YES, "w = e / sum(e)"),
    ],
    "axis counted from the front": [
        blended(YES, "w = e / e.sum(axis=1, keepdims=True)"),
    ],
    "sums beside the wrong numbers": [
        blended(YES, "w = e / e.sum(axis=-1)"),
        blended(YES, "w = e / np.sum(e, -1)"),
    ],
    "softmax over the whole table": [
        blended(YES, "w = e / e.sum()"),
        blended(YES, "w = e / np.sum(e, keepdims=True)"),
    ],
    "no powers": [
        blended("e = q @ k.T / temperature", SOFT),
        blended("e = q @ k.T", SOFT),
    ],
    "powers of 2": [blended("e = np.exp2(q @ k.T / temperature)", SOFT)],
    "size of the scores": [blended("e = np.exp(abs(q @ k.T) / temperature)", SOFT)],
    "scores below 0 silenced": [
        blended("e = np.exp(np.where(q @ k.T > 0, q @ k.T, 0) / temperature)", SOFT),
    ],
    "small number added to the sum": [
        blended(YES, "w = e / (e.sum(axis=-1, keepdims=True) + 1e-9)"),
        blended(YES, "w = e / (1e-6 + e.sum(axis=-1, keepdims=True))"),
    ],
    "scores limited": [
        blended("e = np.exp(np.clip(q @ k.T / temperature, -20, 20))", SOFT),
    ],
    "not shared out": [blended("w = np.exp(q @ k.T / temperature)")],
    "blend of voices": [lookup(YES, SOFT, "return e @ v, w")],
    "hard choice": [
        blended("w = np.eye(len(k))[(q @ k.T).argmax(axis=-1)]"),
    ],
    "softmax twice": [
        blended(YES, SOFT, "e = np.exp(w)", SOFT),
    ],
    "keys blended": [lookup(YES, SOFT, "return w @ k, w")],
    "values compared": [blended("e = np.exp(q @ v.T / temperature)", SOFT)],
    "keys ask themselves": [blended("e = np.exp(k @ k.T / temperature)", SOFT)],
    "transpose missing": [blended("e = np.exp(q @ k / temperature)", SOFT)],
    "cosine instead of dot product": [
        blended(
            "a = q / np.linalg.norm(q, axis=-1, keepdims=True)",
            "b = k / np.linalg.norm(k, axis=-1, keepdims=True)",
            "e = np.exp(a @ b.T / temperature)",
            SOFT,
        ),
    ],
    "nearness instead of dot product": [
        blended(
            "gaps = np.expand_dims(q, -2) - k",
            "e = np.exp(-(gaps**2).sum(axis=-1) / 2 / temperature)",
            SOFT,
        ),
    ],
    "sign turned": [blended("e = np.exp(-q @ k.T / temperature)", SOFT)],
    "scores returned": [lookup(YES, SOFT, "return w @ v, q @ k.T / temperature")],
    "voices returned": [lookup(YES, SOFT, "return w @ v, e")],
    "weights turned around": [lookup(YES, SOFT, "return w @ v, w.T")],
    "results swapped": [lookup(YES, SOFT, "return w, w @ v")],
    "always a table": [
        blended("e = np.exp(np.atleast_2d(q) @ k.T / temperature)", SOFT),
    ],
    "an axis lost": [
        lookup(YES, SOFT, "return np.squeeze(w @ v), np.squeeze(w)"),
    ],
    "rounded": [
        lookup(YES, SOFT, "return np.round(w @ v, 3), np.round(w, 3)"),
        lookup(YES, SOFT, "w = w.round(2)", "return w @ v, w"),
    ],
}

DOUBLE = [
    (
        "temperature ignored",
        "softmax over the askers",
        blended("e = np.exp(k @ q.T).T", "w = e / e.sum(axis=0, keepdims=True)"),
    ),
    (
        "powers of 2",
        "results swapped",
        lookup("e = 2 ** (q @ k.T / temperature)", SOFT, "return w, w @ v"),
    ),
    (
        "multiplied by the temperature",
        "keys blended",
        lookup("e = np.exp(q @ k.T * temperature)", SOFT, "return w @ k, w"),
    ),
]
