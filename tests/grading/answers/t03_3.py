"""Answers to 03.3, a lookup by nearness in PyTorch: (out, weights)."""

HEAD = "\ndef near_lookup(q, k, v, temperature):\n    "


def lookup(*lines: str) -> str:
    """A function of these lines."""
    return HEAD + "\n    ".join(lines) + "\n"


def blended(*lines: str) -> str:
    """The same, its last line the usual one."""
    return lookup(*lines, "return w @ v, w")


GAPS = "gaps = q[:, None] - k"
SCORES = "s = -(gaps**2) / 2"
SOFT = "w = (s / temperature).softmax(dim=-1)"

RIGHT = {
    "mended": """
def near_lookup(q, k, v, temperature):
    gaps = q[:, None] - k
    scores = -(gaps**2) / 2
    weights = (scores / temperature).softmax(dim=-1)
    out = weights @ v
    return out, weights
""",
    "axis 1": blended(
        GAPS, "s = -0.5 * gaps.pow(2)", "w = torch.softmax(s / temperature, 1)"
    ),
    "a library's softmax": blended(
        GAPS, SCORES, "w = torch.nn.functional.softmax(s / temperature, dim=1)"
    ),
    "distances by cdist": blended(
        "d = torch.cdist(q[:, None], k[:, None])", "s = -(d**2) / 2", SOFT
    ),
    "softmax turned twice": blended(
        "s = -((k[:, None] - q) ** 2) / 2", "w = (s / temperature).softmax(dim=0).T"
    ),
    "softmin": blended(
        GAPS, "w = torch.nn.functional.softmin(gaps**2 / 2 / temperature, dim=-1)"
    ),
    "width of a bell": blended(
        "z = (q[:, None] - k) / temperature**0.5", "w = torch.softmax(-(z * z) / 2, -1)"
    ),
    "loops": lookup(
        "w = torch.zeros(len(q), len(k))",
        "for i in range(len(q)):",
        "    s = [-((q[i] - key) ** 2).item() / 2 / temperature for key in k]",
        "    e = [math.exp(x - max(s)) for x in s]",
        "    for j in range(len(k)):",
        "        w[i, j] = e[j] / sum(e)",
        "out = torch.tensor([sum(a * b for a, b in zip(row, v)) for row in w])",
        "return out, w",
    ),
    "in double precision": lookup(
        "q, k, v = q.double(), k.double(), v.double()",
        GAPS,
        SCORES,
        SOFT,
        "return w @ v, w",
    ),
    "dot product and length": blended("s = q[:, None] * k - k.square() / 2", SOFT),
    "log_softmax": blended(
        GAPS, SCORES, "w = (s / temperature).log_softmax(dim=-1).exp()"
    ),
    "NumPy inside": lookup(
        "s = -np.subtract.outer(np.asarray(q), np.asarray(k)) ** 2 / 2 / temperature",
        "e = np.exp(s - s.max(axis=1, keepdims=True))",
        "w = e / e.sum(axis=1, keepdims=True)",
        "return w @ np.asarray(v), w",
    ),
}

WRONG = {
    "only the nearest": blended(
        GAPS,
        "far = gaps.abs() > gaps.abs().kthvalue(1, dim=-1, keepdim=True).values",
        "s = torch.where(far, -1e9, 0.0)",
        SOFT,
    ),
    "a tenth too wide": blended(GAPS, "s = -(gaps**2) / 2.2", SOFT),
    "cubes": blended(GAPS, "s = -(gaps.abs() ** 3) / 2", SOFT),
    "gaps on one side": blended(GAPS, "s = -(gaps.clamp(min=0) ** 2) / 2", SOFT),
    "powers of 2": blended(
        GAPS,
        "e = 2 ** (-(gaps**2) / 2 / temperature)",
        "w = e / e.sum(1, keepdim=True)",
    ),
    "only out": lookup(GAPS, SCORES, SOFT, "return w @ v"),
    "equal weights": blended("w = torch.ones(len(q), len(k)) / len(k)"),
    "inputs changed": blended("k -= 0.0", "q += 1", "k += 1", GAPS, SCORES, SOFT),
    "limited scores": blended(GAPS, "s = (-(gaps**2) / 2).clamp(min=-20)", SOFT),
    "the example": lookup("return torch.zeros(1), torch.tensor([[0.88, 0.12]])"),
    "summed over the queries": blended(GAPS, "s = -(gaps**2).sum(0) / 2", SOFT),
    "rounded": lookup(
        GAPS, SCORES, SOFT, "return (w @ v).round(decimals=2), w.round(decimals=2)"
    ),
}

SPELLINGS = {
    "as planted": [
        blended(GAPS, "s = gaps**2 / 2", "w = (s / temperature).softmax(dim=0)"),
        blended(GAPS, "s = gaps.pow(2) * 0.5", "w = torch.softmax(s / temperature, 0)"),
    ],
    "the farthest still wins": [
        blended(GAPS, "s = gaps**2 / 2", SOFT),
        blended(GAPS, "s = (-gaps) ** 2 / 2", SOFT),
    ],
    "columns still add up to 1": [
        blended(GAPS, SCORES, "w = (s / temperature).softmax(dim=0)"),
        blended(GAPS, SCORES, "w = (s / temperature).softmax(dim=-2)"),
    ],
    "softmax over the whole table": [
        blended(GAPS, SCORES, "e = (s / temperature).exp()", "w = e / e.sum()"),
    ],
    "farthest, over the whole table": [
        blended(GAPS, "e = (gaps**2 / 2 / temperature).exp()", "w = e / e.sum()"),
    ],
    "sign turned after the softmax": [
        blended(GAPS, "s = gaps**2 / 2", "w = 1 - (s / temperature).softmax(dim=-1)"),
    ],
    "weights turned over after the softmax": [
        blended(GAPS, "s = gaps**2 / 2", "w = 1 / (s / temperature).softmax(dim=-1)"),
    ],
    "rows of keys": [blended("s = -((k[:, None] - q) ** 2) / 2", SOFT)],
    "table turned around": [
        lookup(GAPS, SCORES, SOFT, "return w @ v, w.T"),
    ],
    "gaps not squared": [blended(GAPS, "s = -0.5 * gaps", SOFT)],
    "distance not squared": [blended(GAPS, "s = -abs(gaps) / 2", SOFT)],
    "distance whole and not squared": [blended(GAPS, "s = -abs(gaps)", SOFT)],
    "half forgotten": [blended(GAPS, "s = -gaps.square()", SOFT)],
    "half in the square": [blended(GAPS, "s = -((gaps / 2) ** 2)", SOFT)],
    "nearness as a fraction": [blended(GAPS, "s = 1 / (1 + gaps**2)", SOFT)],
    "plain dot product": [blended("s = torch.outer(q, k)", SOFT)],
    "values compared": [blended("s = -((q[:, None] - v) ** 2) / 2", SOFT)],
    "keys blended": [lookup(GAPS, SCORES, SOFT, "return w @ k, w")],
    "multiplied by the temperature": [
        blended(GAPS, SCORES, "w = (s * temperature).softmax(dim=-1)"),
    ],
    "temperature ignored": [blended(GAPS, SCORES, "w = s.softmax(dim=-1)")],
    "temperature squared": [
        blended("gaps = (q[:, None] - k) / temperature", SCORES, "w = s.softmax(-1)"),
    ],
    "temperature after softmax": [
        blended(GAPS, SCORES, "w = s.softmax(dim=-1) / temperature"),
    ],
    "no powers": [
        blended(GAPS, SCORES, "w = s / s.sum(dim=1, keepdim=True)"),
    ],
    "not shared out": [blended(GAPS, SCORES, "w = torch.exp(s / temperature)")],
    "overflow or nothing left": [
        blended(
            GAPS,
            SCORES,
            "e = (s / temperature).exp()",
            "w = e / e.sum(1, keepdim=True)",
        ),
    ],
    "hard choice": [
        blended(GAPS, "w = torch.eye(len(k))[gaps.abs().argmin(dim=1)]"),
    ],
    "results swapped": [lookup(GAPS, SCORES, SOFT, "return w, w @ v")],
    "scores returned": [lookup(GAPS, SCORES, SOFT, "return w @ v, s")],
    "answers in a column": [
        lookup(GAPS, SCORES, SOFT, "return (w @ v).unsqueeze(1), w"),
    ],
    "one answer for all": [lookup(GAPS, SCORES, SOFT, "return sum(w @ v), w")],
}
