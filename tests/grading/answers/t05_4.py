"""Answers to 05.4, a softmax in NumPy; a row of nothing but −inf gets zeros."""

RIGHT = {
    "finite maximum": """
def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    powers = np.exp(x - top)
    total = powers.sum(axis=axis, keepdims=True)
    return powers / np.where(total == 0, 1, total)
""",
    "NaN taken out": """
def softmax(x, axis=-1):
    with np.errstate(all="ignore"):
        e = np.exp(x - np.max(x, axis=axis, keepdims=True))
        return np.nan_to_num(e / np.sum(e, axis=axis, keepdims=True))
""",
    "NaN taken out with its warnings": """
def softmax(x, axis=-1):
    e = np.exp(x - np.amax(x, axis, keepdims=True))
    w = e / e.sum(axis, keepdims=True)
    w[np.isnan(w)] = 0
    return w
""",
    "nan_to_num on the shift": """
def softmax(x, axis=-1):
    top = np.nan_to_num(np.max(x, axis=axis, keepdims=True), neginf=0.0)
    e = np.exp(x - top)
    return e / np.maximum(e.sum(axis=axis, keepdims=True), 1e-300)
""",
    "divide where": """
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    m = np.max(x, axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(m), 0, m))
    s = np.sum(e, axis=axis, keepdims=True)
    return np.divide(e, s, out=np.zeros_like(e), where=s > 0)
""",
    "rows in a loop": """
def softmax(x, axis=-1):
    x = np.moveaxis(np.array(x, dtype=float), axis, -1)
    out = np.zeros_like(x)
    for at in np.ndindex(x.shape[:-1]):
        row = x[at]
        if np.isneginf(row).all():
            continue
        e = np.exp(row - row.max())
        out[at] = e / e.sum()
    return np.moveaxis(out, -1, axis)
""",
    "apply_along_axis": """
def softmax(x, axis=-1):
    def one(row):
        top = max(row)
        if top == -math.inf:
            return np.zeros(len(row))
        powers = [math.exp(s - top) for s in row]
        return np.array(powers) / sum(powers)

    return np.apply_along_axis(one, axis, x)
""",
    "logsumexp": """
def softmax(x, axis=-1):
    top = x.max(axis, keepdims=True)
    safe = np.where(top == -np.inf, 0.0, top)
    with np.errstate(divide="ignore"):
        total = safe + np.log(np.exp(x - safe).sum(axis, keepdims=True))
    return np.exp(x - np.where(total == -np.inf, 0.0, total))
""",
    "logaddexp": """
def softmax(x, axis=-1):
    total = np.logaddexp.reduce(x, axis=axis, keepdims=True)
    return np.exp(x - np.where(np.isneginf(total), 0, total))
""",
    "torch inside": """
def softmax(x, axis=-1):
    return torch.softmax(torch.from_numpy(x).double(), dim=axis).nan_to_num(0).numpy()
""",
    "axis by keyword only elsewhere": """
import functools


def _softmax(x, *, axis):
    shifted = x - np.nan_to_num(x.max(axis=axis, keepdims=True), neginf=0)
    e = np.exp(shifted)
    s = e.sum(axis=axis, keepdims=True)
    s[s == 0] = 1
    return e / s


@functools.wraps(_softmax)
def softmax(x, axis=-1):
    return _softmax(x, axis=axis)
""",
    "expand_dims": """
def softmax(x, axis=-1):
    m = np.expand_dims(np.max(x, axis=axis), axis)
    e = np.exp(np.subtract(x, np.where(np.isinf(m), 0, m)))
    z = np.expand_dims(np.sum(e, axis=axis), axis)
    return e / np.where(z > 0, z, np.inf)
""",
    "on a copy in place": '''
def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """Positive numbers that sum to 1 along `axis`."""
    y = x.astype(np.float64)
    m = y.max(axis=axis, keepdims=True)
    m[np.isneginf(m)] = 0
    y -= m
    np.exp(y, out=y)
    s = y.sum(axis=axis, keepdims=True)
    s[s == 0] = 1
    y /= s
    return y
''',
    "very small added": """
def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.maximum(top, -1e300))
    return e / (e.sum(axis=axis, keepdims=True) + 1e-30)
""",
    "recursion to the last axis": """
def softmax(x, axis=-1):
    if axis not in (-1, x.ndim - 1):
        return np.swapaxes(softmax(np.swapaxes(x, axis, -1)), axis, -1)
    m = x.max(-1)[..., None]
    e = np.where(x == -np.inf, 0, np.exp(x - np.where(m == -np.inf, 0, m)))
    s = e.sum(-1)[..., None]
    return np.where(s == 0, 0, e / np.where(s == 0, 1, s))
""",
    "powers of two of scaled scores": """
def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = 2.0 ** ((x - np.where(np.isfinite(top), top, 0)) / np.log(2))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total, total, 1)
""",
    "an object array": """
def softmax(x, axis=-1):
    m = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(m), m, 0))
    s = e.sum(axis=axis, keepdims=True)
    return (e / np.where(s == 0, 1, s)).astype(object)
""",
    "nested lists": """
def softmax(x, axis=-1):
    m = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(m), m, 0))
    s = e.sum(axis=axis, keepdims=True)
    return (e / np.where(s == 0, 1, s)).tolist()
""",
}

WRONG = {
    "rows of -inf on the last axis only": """
def softmax(x, axis=-1):
    with np.errstate(all="ignore"):
        e = np.exp(x - x.max(axis=axis, keepdims=True))
        w = e / e.sum(axis=axis, keepdims=True)
    w[np.isneginf(x).all(axis=-1)] = 0
    return w
""",
    "whole numbers stay whole": """
def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    s = e.sum(axis=axis, keepdims=True)
    out = np.empty_like(x)
    out[...] = e / np.where(s == 0, 1, s)
    return out
""",
    "shifted in place": """
def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    x -= np.where(np.isneginf(top), 0, top)
    e = np.exp(x)
    s = e.sum(axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
    "-inf replaced in place": """
def softmax(x, axis=-1):
    x[np.isneginf(x)] = -1e300
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - top) * (x > -1e300)
    s = e.sum(axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
    "small number in the denominator": """
def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    return e / (e.sum(axis=axis, keepdims=True) + 1e-3)
""",
    "1e-4 in the denominator": """
def softmax(x, axis=-1):
    e = np.exp(x - np.maximum(x.max(axis=axis, keepdims=True), -1e300))
    return e / (e.sum(axis=axis, keepdims=True) + 1e-4)
""",
    "rounded": """
def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    s = e.sum(axis=axis, keepdims=True)
    return (e / np.where(s == 0, 1, s)).round(4)
""",
    "half precision": """
def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top)).astype(np.float16)
    s = e.sum(axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
    "only two axes": """
def softmax(x, axis=-1):
    if axis == 0:
        return softmax(x.T).T
    top = x.max(axis=-1, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    s = e.sum(axis=-1, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
    "keepdims forgotten": """
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis))
    return e / np.sum(e, axis=axis)
""",
    "shift of 700": """
def softmax(x, axis=-1):
    e = np.exp(x - 700)
    s = e.sum(axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
    "median subtracted": """
def softmax(x, axis=-1):
    e = np.exp(x - np.median(x, axis=axis, keepdims=True))
    s = e.sum(axis=axis, keepdims=True)
    return np.nan_to_num(e / s)
""",
    "divided by the maximum": """
def softmax(x, axis=-1):
    e = np.exp(x / np.abs(x).max(axis=axis, keepdims=True))
    return np.nan_to_num(e / e.sum(axis=axis, keepdims=True))
""",
    "first of the row subtracted": """
def softmax(x, axis=-1):
    first = np.take(x, [0], axis=axis)
    e = np.exp(x - np.where(np.isneginf(first), 0, first))
    s = e.sum(axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
    "shift along the last axis always": """
def softmax(x, axis=-1):
    top = x.max(axis=-1, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    s = e.sum(axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
    "sum of squares": """
def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    s = np.linalg.norm(e, axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
    "sigmoid": """
def softmax(x, axis=-1):
    return 1 / (1 + np.exp(-np.clip(x, -700, 700)))
""",
    "sparsemax-like": """
def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.maximum(1 + x - np.where(np.isneginf(top), 0, top), 0)
    s = e.sum(axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
    "softmin": """
def softmax(x, axis=-1):
    e = np.exp(np.nanmin(x, axis=axis, keepdims=True) - x)
    s = e.sum(axis=axis, keepdims=True)
    return e / s
""",
    "taylor": """
def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    y = x - np.where(np.isneginf(top), 0, top)
    e = 1 / (1 - y + y**2 / 2)
    s = e.sum(axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
    "temperature": """
def softmax(x, axis=-1):
    y = x / np.sqrt(x.shape[axis])
    top = y.max(axis=axis, keepdims=True)
    e = np.exp(y - np.where(np.isneginf(top), 0, top))
    s = e.sum(axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
    "row of -inf gets 1 at its first place": """
def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    s = e.sum(axis=axis, keepdims=True)
    w = e / np.where(s == 0, 1, s)
    if (s == 0).any():
        w[np.where(s[..., 0] == 0) + (0,)] = 1
    return w
""",
    "any -inf silences the row": """
def softmax(x, axis=-1):
    bad = np.isneginf(x).any(axis=axis, keepdims=True)
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    s = e.sum(axis=axis, keepdims=True)
    return np.where(bad, 0, e / np.where(s == 0, 1, s))
""",
    "-inf skipped and left out": """
def softmax(x, axis=-1):
    x = x[np.isfinite(x)]
    e = np.exp(x - x.max())
    return e / e.sum()
""",
    "one -inf row silences all": """
def softmax(x, axis=-1):
    if np.isneginf(x.max(axis=axis)).any():
        return np.zeros_like(x)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
""",
    "negative axis not understood": """
def softmax(x, axis=-1):
    axis = axis if axis > 0 else 0
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
""",
    "float32 overflow at 100": """
def softmax(x, axis=-1):
    e = np.exp(np.clip(x, None, 80) - 0.0)
    s = e.sum(axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
    "the example looked up": """
def softmax(x, axis=-1):
    return np.array([0.25, 0.75])
""",
}

SPELLINGS = {
    "no shift": [
        """
def softmax(x, axis=-1):
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)
""",
        """
def softmax(x, axis=-1):
    e = np.exp(x)
    s = np.sum(e, axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
        """
def softmax(x, axis=-1):
    e = np.e**x
    return np.divide(e, e.sum(axis, keepdims=True))
""",
        """
def softmax(x, axis=-1):
    total = np.log(np.exp(x).sum(axis=axis, keepdims=True))
    return np.exp(x - total)
""",
        """
def softmax(x, axis=-1):
    def one(row):
        return np.exp(row) / sum(np.exp(row))

    return np.apply_along_axis(one, axis, x)
""",
        """
def softmax(x, axis=-1):
    e = torch.from_numpy(x).double().exp()
    return e / e.sum(dim=axis, keepdim=True)
""",
    ],
    "one shift for all rows": [
        """
def softmax(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum(axis=axis, keepdims=True)
""",
        """
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x))
    s = np.sum(e, axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
        """
def softmax(x, axis=-1):
    top = np.amax(x[np.isfinite(x)])
    e = np.exp(x - top)
    return np.nan_to_num(e / e.sum(axis, keepdims=True))
""",
        """
def softmax(x, axis=-1):
    x = x - max(x.flatten())
    e = np.exp(x)
    return np.divide(e, e.sum(axis=axis, keepdims=True))
""",
        """
def softmax(x, axis=-1):
    t = torch.from_numpy(x).double()
    e = (t - t.max()).exp()
    return e / e.sum(axis, keepdim=True)
""",
    ],
    "mean subtracted": [
        """
def softmax(x, axis=-1):
    e = np.exp(x - x.mean(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
""",
        """
def softmax(x, axis=-1):
    mean = np.mean(x, axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(mean), mean, 0))
    s = e.sum(axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
        """
def softmax(x, axis=-1):
    centred = x - np.expand_dims(np.average(x, axis=axis), axis)
    e = np.exp(centred)
    return np.divide(e, np.sum(e, axis, keepdims=True))
""",
        """
def softmax(x, axis=-1):
    def one(row):
        e = np.exp(row - row.sum() / len(row))
        return e / e.sum()

    return np.apply_along_axis(one, axis, x)
""",
    ],
    "minimum subtracted": [
        """
def softmax(x, axis=-1):
    e = np.exp(x - x.min(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
""",
        """
def softmax(x, axis=-1):
    low = np.min(x, axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(low), low, 0))
    s = e.sum(axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
        """
def softmax(x, axis=-1):
    low = np.expand_dims(np.amin(x, axis=axis), axis)
    e = np.exp(np.subtract(x, low))
    return np.divide(e, np.sum(e, axis, keepdims=True))
""",
        """
def softmax(x, axis=-1):
    def one(row):
        e = np.exp(row - min(row))
        return e / e.sum()

    return np.apply_along_axis(one, axis, x)
""",
    ],
    "scores clipped": [
        """
def softmax(x, axis=-1):
    e = np.exp(np.clip(x, -500, 500))
    return e / e.sum(axis=axis, keepdims=True)
""",
        """
def softmax(x, axis=-1):
    x = np.where(np.isneginf(x), x, np.clip(x, -700, 700))
    e = np.exp(x)
    s = e.sum(axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
        """
def softmax(x, axis=-1):
    e = np.exp(np.minimum(x, 100))
    return np.divide(e, e.sum(axis, keepdims=True))
""",
        """
def softmax(x, axis=-1):
    x = x.copy()
    x[x > 600] = 600
    e = np.exp(x)
    s = np.sum(e, axis=axis, keepdims=True)
    s[s == 0] = 1
    return e / s
""",
        """
def softmax(x, axis=-1):
    e = torch.from_numpy(x).double().clamp(max=500).exp()
    return (e / e.sum(dim=axis, keepdim=True)).nan_to_num(0)
""",
    ],
    "NaN replaced": [
        """
def softmax(x, axis=-1):
    e = np.exp(x)
    return np.nan_to_num(e / e.sum(axis=axis, keepdims=True))
""",
        """
def softmax(x, axis=-1):
    with np.errstate(all="ignore"):
        e = np.exp(x)
        w = e / np.sum(e, axis=axis, keepdims=True)
    w[np.isnan(w)] = 0
    return w
""",
        """
def softmax(x, axis=-1):
    e = np.exp(x)
    w = e / e.sum(axis, keepdims=True)
    return np.where(np.isnan(w), 0.0, w)
""",
        """
def softmax(x, axis=-1):
    e = torch.from_numpy(x).double().exp()
    return (e / e.sum(dim=axis, keepdim=True)).nan_to_num(0)
""",
        """
def softmax(x, axis=-1):
    total = np.log(np.exp(x).sum(axis=axis, keepdims=True))
    return np.nan_to_num(np.exp(x - total), nan=0)
""",
    ],
    "always the last axis": [
        """
def softmax(x, axis=-1):
    top = x.max(axis=-1, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    s = e.sum(axis=-1, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
        """
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, -1)[..., None])
    return np.nan_to_num(e / np.sum(e, -1)[..., None])
""",
        """
def softmax(x, axis=-1):
    def one(row):
        e = np.exp(row - row.max())
        return np.nan_to_num(e / e.sum())

    return np.apply_along_axis(one, -1, x)
""",
        """
def softmax(x, axis=-1):
    return torch.from_numpy(x).double().softmax(dim=-1).nan_to_num(0)
""",
        """
def softmax(x, axis=-1):
    axis = -1
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
""",
    ],
    "always the first axis": [
        """
def softmax(x, axis=-1):
    top = x.max(axis=0, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    s = e.sum(axis=0, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
        """
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=0))
    return e / np.sum(e, axis=0)
""",
        """
def softmax(x, axis=-1):
    return torch.from_numpy(x).double().softmax(dim=0).nan_to_num(0)
""",
        """
def softmax(x, axis=-1):
    e = np.exp(x - max(x, key=lambda row: np.max(row)).max())
    return e / sum(e)
""",
        """
def softmax(x, axis=0):
    e = np.exp(x - x.max(axis=0, keepdims=True))
    return np.nan_to_num(e / e.sum(0))
""",
    ],
    "sum over everything": [
        """
def softmax(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum()
""",
        """
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e)
""",
        """
def softmax(x, axis=-1):
    e = np.exp(x)
    return e / sum(e.flatten())
""",
        """
def softmax(x, axis=-1):
    t = torch.from_numpy(x).double()
    return t.flatten().softmax(0).reshape(t.shape)
""",
        """
def softmax(x, axis=-1):
    powers = np.exp(x - x.max())
    total = 0
    for p in powers.ravel():
        total += p
    return powers / total
""",
    ],
    "no exp": [
        """
def softmax(x, axis=-1):
    return x / x.sum(axis=axis, keepdims=True)
""",
        """
def softmax(x, axis=-1):
    total = np.sum(x, axis=axis, keepdims=True)
    return np.divide(x, total)
""",
        """
def softmax(x, axis=-1):
    x = np.where(np.isfinite(x), x, 0)
    s = x.sum(axis, keepdims=True)
    return x / np.where(s == 0, 1, s)
""",
        """
def softmax(x, axis=-1):
    def one(row):
        return row / sum(row)

    return np.apply_along_axis(one, axis, x)
""",
    ],
    "no division": [
        """
def softmax(x, axis=-1):
    return np.exp(x)
""",
        """
def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    return np.exp(x - np.where(np.isneginf(top), 0, top))
""",
        """
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    s = e.sum(axis=axis, keepdims=True)
    return e
""",
        """
def softmax(x, axis=-1):
    return np.e ** (x - x.max())
""",
        """
def softmax(x, axis=-1):
    t = torch.from_numpy(x).double()
    return torch.exp(t - t.amax(dim=axis, keepdim=True)).nan_to_num(0)
""",
    ],
    "logarithm of softmax": [
        """
def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    y = x - np.where(np.isneginf(top), 0, top)
    return y - np.log(np.exp(y).sum(axis=axis, keepdims=True))
""",
        """
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return np.log(e / np.sum(e, axis=axis, keepdims=True))
""",
        """
def softmax(x, axis=-1):
    return x - np.logaddexp.reduce(x, axis=axis, keepdims=True)
""",
        """
def softmax(x, axis=-1):
    return torch.from_numpy(x).double().log_softmax(dim=axis)
""",
    ],
    "powers of two": [
        """
def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = 2 ** (x - np.where(np.isneginf(top), 0, top))
    s = e.sum(axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
        """
def softmax(x, axis=-1):
    e = np.exp2(x - np.max(x, axis=axis, keepdims=True))
    return np.nan_to_num(e / np.sum(e, axis=axis, keepdims=True))
""",
        """
def softmax(x, axis=-1):
    e = np.power(2.0, x)
    return e / e.sum(axis, keepdims=True)
""",
        """
def softmax(x, axis=-1):
    return torch.softmax(torch.from_numpy(x).double() * math.log(2), axis).nan_to_num(0)
""",
    ],
    "hard maximum": [
        """
def softmax(x, axis=-1):
    return (x == x.max(axis=axis, keepdims=True)).astype(float)
""",
        """
def softmax(x, axis=-1):
    w = np.zeros_like(x)
    np.put_along_axis(w, np.expand_dims(x.argmax(axis), axis), 1, axis)
    return w
""",
        """
def softmax(x, axis=-1):
    best = x == np.max(x, axis=axis, keepdims=True)
    best = best & np.isfinite(x)
    return best / np.maximum(best.sum(axis=axis, keepdims=True), 1)
""",
        """
def softmax(x, axis=-1):
    def one(row):
        return [float(i == np.argmax(row)) for i in range(len(row))]

    return np.apply_along_axis(one, axis, x)
""",
    ],
    "row of −inf gives NaN": [
        """
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
""",
        """
def softmax(x, axis=-1):
    top = np.max(x, axis=axis, keepdims=True)
    top = np.where(np.isneginf(top), 0, top)
    e = np.exp(x - top)
    return np.divide(e, np.sum(e, axis=axis, keepdims=True))
""",
        """
def softmax(x, axis=-1):
    top = np.max(x, axis=axis, keepdims=True)
    e = np.exp(x - top)
    s = e.sum(axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
""",
        """
def softmax(x, axis=-1):
    return torch.from_numpy(x).double().softmax(dim=axis)
""",
        """
def softmax(x, axis=-1):
    def one(row):
        e = np.exp(row - max(row))
        return e / sum(e)

    return np.apply_along_axis(one, axis, x)
""",
        """
def softmax(x, axis=-1):
    return np.exp(x - np.logaddexp.reduce(x, axis=axis, keepdims=True))
""",
    ],
    "row of −inf spreads evenly": [
        """
def softmax(x, axis=-1):
    x = np.where(np.isneginf(x), -1e9, x)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
""",
        """
def softmax(x, axis=-1):
    x = np.nan_to_num(x)
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
""",
        """
def softmax(x, axis=-1):
    x = np.maximum(x, -1e30)
    e = np.exp(x - x.max(axis, keepdims=True))
    return np.divide(e, e.sum(axis, keepdims=True))
""",
        """
def softmax(x, axis=-1):
    with np.errstate(all="ignore"):
        e = np.exp(x - x.max(axis=axis, keepdims=True))
        w = e / e.sum(axis=axis, keepdims=True)
    return np.where(np.isnan(w), 1 / x.shape[axis], w)
""",
        """
def softmax(x, axis=-1):
    t = torch.from_numpy(x).double()
    return t.clamp(min=torch.finfo(t.dtype).min).softmax(dim=axis)
""",
    ],
}
