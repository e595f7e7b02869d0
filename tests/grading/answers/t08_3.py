"""Answers to 08.3, averages of the past without the pads."""


def written(body: str, names: str = "x, real") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def past_average({names}):\n{lines}"


def shared(
    may: str, after: str = "np.maximum(sums, 1)", sums: str = "-1, keepdims=True"
):
    """The product with a table whose rows are divided by their sums."""
    return written(f"""t = real.shape[-1]
may = {may}
sums = may.sum({sums})
weights = may / {after}
return weights @ x, weights""")


def by_softmax(scores: str, after: str = "np.where(may, weights, 0)", axis: str = "-1"):
    """The chapter's softmax, on scores of 0 and −∞ or others."""
    return written(f"""t = real.shape[-1]
may = np.tri(t, dtype=bool) & real[..., None, :]
scores = {scores}
powers = np.exp(scores - np.maximum(scores.max({axis}, keepdims=True), -1e300))
with np.errstate(all="ignore"):
    weights = powers / powers.sum({axis}, keepdims=True)
weights = {after}
return weights @ x, weights""")


TRIANGLE = "np.tril(np.ones((t, t)))"
BOTH = TRIANGLE + " * real[..., None, :]"

RIGHT = {
    "a product": shared(BOTH),
    "np.where on the sums": shared(BOTH, "np.where(sums > 0, sums, 1)"),
    "truth values": shared("np.tri(t, dtype=bool) & real[..., None, :]"),
    "nan to num": written("""t = real.shape[-1]
may = np.tril(np.ones((t, t))) * real[..., None, :]
with np.errstate(invalid="ignore"):
    weights = np.nan_to_num(may / may.sum(-1, keepdims=True))
return weights @ x, weights"""),
    "softmax with two fills": by_softmax("np.where(may, 0.0, -np.inf)"),
    "−10⁹ and a second fill": by_softmax("np.where(may, 0.0, -1e9)"),
    "the smallest number and a second fill": by_softmax(
        "np.where(may, 0.0, np.finfo(float).min)"
    ),
    "the book's softmax": written("""from tt_utils import reference
t = real.shape[-1]
may = np.tril(np.ones((t, t), dtype=bool)) & np.expand_dims(real, axis=-2)
weights = np.nan_to_num(reference.softmax(np.where(may, 0.0, -np.inf)))
return weights @ x, weights"""),
    "einsum": shared('np.einsum("ij,...j->...ij", np.tri(t), real)').replace(
        "weights @ x,", 'np.einsum("...ij,...jd->...id", weights, x),'
    ),
    "places": shared(
        "(np.arange(t)[:, None] >= np.arange(t)) * np.expand_dims(real, -2)"
    ),
    "loops over rows": written("""weights = np.zeros(real.shape + real.shape[-1:])
for i in range(real.shape[-1]):
    seen = real[..., : i + 1]
    count = seen.sum(axis=-1, keepdims=True)
    weights[..., i, : i + 1] = seen / np.maximum(count, 1)
return np.matmul(weights, x), weights"""),
    "sentence by sentence": written("""batch = x if x.ndim == 3 else x[None]
masks = real if real.ndim == 2 else real[None]
outs, tables = [], []
for words, may in zip(batch, masks):
    t = len(words)
    table = np.zeros((t, t))
    for i in range(t):
        past = np.flatnonzero(may[: i + 1])
        if past.size:
            table[i, past] = 1 / past.size
    tables.append(table)
    outs.append(table @ words)
outs, tables = np.stack(outs), np.stack(tables)
return (outs, tables) if x.ndim == 3 else (outs[0], tables[0])"""),
    "running sums": written("""count = real.cumsum(axis=-1)
share = np.divide(1, count, out=np.zeros(count.shape), where=count > 0)
out = (x * real[..., None]).cumsum(axis=-2) * share[..., None]
weights = np.tril(real[..., None, :] * share[..., :, None])
return out, weights"""),
    "float32": shared(BOTH + ".astype(np.float32)"),
    "a step from row to row": written("""t = x.shape[-2]
out = np.zeros(x.shape)
weights = np.zeros((*real.shape, t))
mean, row = np.zeros_like(x[..., 0, :], dtype=float), np.zeros(real.shape)
count = np.zeros(real.shape[:-1])
for i in range(t):
    count = count + real[..., i]
    step = (real[..., i] / np.maximum(count, 1))[..., None]
    mean = mean + step * (x[..., i, :] - mean)
    row = row + step * (np.eye(t)[i] - row)
    out[..., i, :], weights[..., i, :] = mean, row
return out, weights"""),
    "lists": written("""if x.ndim == 3:
    outs, tables = zip(*[past_average(a, b) for a, b in zip(x, real)])
    return list(outs), list(tables)
table = []
for i in range(len(x)):
    row = [float(j <= i and real[j]) for j in range(len(x))]
    table.append([w / max(sum(row), 1) for w in row])
return np.array(table) @ x, table"""),
    "other names": written(
        """n = np.shape(values)[-2]
allowed = np.tril(np.ones([n, n], bool)) * keep[..., np.newaxis, :]
w = allowed / allowed.sum(-1)[..., None].clip(min=1)
return w @ values, w""",
        "values, keep",
    ),
}

WRONG = {
    "zeros": written(
        "return np.zeros_like(x), np.zeros((*real.shape, real.shape[-1]))"
    ),
    "out alone": shared(BOTH).replace(", weights\n", "\n"),
    "three results": shared(BOTH).replace("x, weights\n", "x, weights, may\n"),
    "nothing": written("weights = np.tri(real.shape[-1])"),
    "a little added": shared(BOTH, "(sums + 1e-4)"),
    "one added": shared(BOTH, "(sums + 1)"),
    "rounded": shared(BOTH).replace(
        "return weights @ x", "return (weights @ x).round(1)"
    ),
    "x changed in place": written("""x *= real[..., None]
t = real.shape[-1]
may = np.tri(t) * real[..., None, :]
weights = may / np.maximum(may.sum(-1, keepdims=True), 1)
return weights @ x, weights"""),
    "averages of averages": shared(BOTH).replace(
        "return weights @ x", "return weights @ (weights @ x)"
    ),
    "the largest": written("""out = np.maximum.accumulate(x * real[..., None], axis=-2)
return out, np.tri(real.shape[-1]) * real[..., None, :]"""),
    "last real word": shared(
        f"({BOTH}) * (np.cumsum(({BOTH})[..., ::-1], -1)[..., ::-1] == 1)"
    ),
    "whole numbers": shared(BOTH, "np.maximum(sums, 1) // 1 * 1").replace(
        "weights = may /", "weights = may //"
    ),
}

SPELLINGS = {
    "pads counted": [
        shared(TRIANGLE + " * np.ones((*real.shape[:-1], 1, 1))"),
        shared(TRIANGLE + " + 0 * real[..., None, :]"),
    ],
    "future open": [
        shared("np.ones((t, t)) * real[..., None, :]"),
        shared("np.repeat(real[..., None, :], t, axis=-2)"),
    ],
    "past hidden": [
        shared("np.triu(np.ones((t, t))) * real[..., None, :]"),
        shared("(np.arange(t)[:, None] <= np.arange(t)) & real[..., None, :]"),
    ],
    "own word left out": [
        shared("np.tril(np.ones((t, t)), -1) * real[..., None, :]"),
        shared("(np.arange(t)[:, None] > np.arange(t)) & real[..., None, :]"),
    ],
    "one word too many": [
        shared("np.tril(np.ones((t, t)), 1) * real[..., None, :]"),
        shared("np.tri(t, k=1) * real[..., None, :]"),
    ],
    "divided by the place": [
        shared(BOTH, "np.arange(1, t + 1).reshape(-1, 1)"),
        shared(TRIANGLE).replace(
            "return", "weights = weights * real[..., None, :]\n    return"
        ),
    ],
    "divided by the words of the sentence": [
        shared(BOTH, "np.maximum(real.sum(-1), 1)[..., None, None]"),
    ],
    "not divided": [
        shared(BOTH, "1"),
        written("""t = real.shape[-1]
weights = np.tril(np.ones((t, t))) * real[..., None, :]
return weights @ x, weights"""),
    ],
    "empty row not a number": [
        shared(BOTH, "sums"),
        by_softmax("np.where(may, 0.0, -np.inf)", "weights").replace(
            "np.maximum(scores.max(-1, keepdims=True), -1e300)", "0"
        ),
    ],
    "equal shares where nothing may be seen": [
        by_softmax("np.where(may, 0.0, -1e9)", "weights"),
        by_softmax("np.where(may, 0.0, np.finfo(float).min)", "weights"),
    ],
    "own word where nothing may be seen": [
        shared(f"({BOTH}) + np.eye(t) * (real.cumsum(-1) == 0)[..., None]"),
    ],
    "every row sees itself": [
        shared("np.maximum(np.tri(t) * real[..., None, :], np.eye(t))"),
        shared("np.tri(t, dtype=bool) & (real[..., None, :] | np.eye(t, dtype=bool))"),
    ],
    "mask along the rows": [
        shared(TRIANGLE + " * real[..., None]"),
        shared(TRIANGLE + " * np.expand_dims(real, -1)"),
    ],
    "rows of pads closed": [
        shared(BOTH + " * real[..., None]"),
        shared(BOTH).replace(
            "return", "weights = weights * real[..., None]\n    return"
        ),
    ],
    "mask lacks an axis": [shared(TRIANGLE + " * real")],
    "True for pads": [
        shared(TRIANGLE + " * ~real[..., None, :]"),
        shared(TRIANGLE + " * (1 - real[..., None, :])"),
        shared("np.where(real[..., None, :], 0, np.tri(t))"),
    ],
    "one mask is enough": [
        shared("np.tri(t, dtype=bool) | real[..., None, :]"),
        shared("np.clip(np.tri(t) + real[..., None, :], 0, 1)"),
    ],
    "score 0 for what is hidden": [
        by_softmax("np.zeros(may.shape)", "weights"),
    ],
    "the mask as scores": [
        by_softmax("may.astype(float)", "weights"),
        by_softmax("1.0 * may", "weights"),
    ],
    "columns divided": [
        shared(BOTH, "np.where(sums == 0, 1, sums)", "-2, keepdims=True")
    ],
    "sums lose their axis": [shared(BOTH, "np.where(sums == 0, 1, sums)", "-1")],
    "columns added up along a fixed axis": [
        shared(BOTH, "np.where(sums == 0, 1, sums)", "1, keepdims=True"),
    ],
    "results swapped": [
        shared(BOTH).replace("weights @ x, weights", "weights, weights @ x")
    ],
    "table turned around": [
        shared(BOTH).replace(
            "weights @ x, weights", "weights @ x, weights.swapaxes(-1, -2)"
        ),
    ],
    "blended with the mask": [shared(BOTH).replace("weights @ x,", "may @ x,")],
}

DOUBLE = [
    (
        "own word left out",
        "empty row not a number",
        shared("np.tril(np.ones((t, t)), -1) * real[..., None, :]", "sums"),
    ),
    (
        "future open",
        "empty row not a number",
        shared("np.ones((t, t)) * real[..., None, :]", "sums"),
    ),
    (
        "pads counted",
        "one word too many",
        shared("np.tri(t, k=1) + 0 * real[..., None, :]"),
    ),
]
