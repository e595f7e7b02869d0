"""Answers to 05.2: `variance_growth(dims, rng)` returns (slope, height).

The line is fitted to log Var(q·k) against log d; its height is taken at log d = 0.
Entries are independent, with mean 0 and standard deviation 2, from `rng`, and each d
gets at least 2,000 pairs. In truth the slope is 1 and the height is log 16.

"One draw for all pairs" is one q (or one k) that meets all the others; its line differs
from draw to draw, and may by luck be near the true one.
"""

RIGHT = {
    "polyfit": """
def variance_growth(dims, rng):
    variances = []
    for d in dims:
        q = rng.normal(0, 2, size=(4000, d))
        k = rng.normal(0, 2, size=(4000, d))
        variances.append((q * k).sum(axis=1).var())
    slope, height = np.polyfit(np.log(dims), np.log(variances), 1)
    return slope, height
""",
    "both drawn at once": """
def variance_growth(dims, rng):
    logs = []
    for d_k in dims:
        q, k = rng.normal(scale=2, size=(2, 5000, d_k))
        logs.append(np.log(np.var(np.einsum("nd,nd->n", q, k))))
    return tuple(np.polyfit(np.log(dims), logs, deg=1))
""",
    "the array of polyfit": """
def variance_growth(dims, rng):
    v = [np.var((rng.normal(0, 2, (4000, d)) * rng.normal(0, 2, (4000, d))).sum(1))
         for d in dims]
    return np.polyfit(np.log(dims), np.log(v), 1)
""",
    "base two on both axes": """
def variance_growth(dims, rng):
    x = np.log2(dims)
    y = []
    for d in dims:
        q, k = 2 * rng.standard_normal((2, 4000, d))
        y.append(np.log2((q * k).sum(-1).var(ddof=1)))
    slope, height = np.polyfit(x, y, 1)
    return slope, height * np.log(2)
""",
    "uniform entries": """
def variance_growth(dims, rng):
    half = math.sqrt(12)  # a uniform variable's variance is width² / 12
    var = []
    for d in dims:
        q = rng.uniform(-half, half, (4000, d))
        k = rng.uniform(-half, half, (4000, d))
        var.append(np.var(np.sum(q * k, axis=1)))
    return list(np.polyfit(np.log(dims), np.log(var), 1))
""",
    "coin flips": """
def variance_growth(dims, rng):
    out = []
    for d in dims:
        q = rng.choice([-2, 2], size=(6000, d))
        k = rng.choice([-2.0, 2.0], size=(6000, d))
        out.append((q * k).sum(axis=1).var())
    slope, height = np.polyfit(np.log(dims), np.log(out), 1)
    return float(slope), float(height)
""",
    "a loop over pairs": """
def variance_growth(dims, rng):
    variances = []
    for d in dims:
        scores = []
        for _ in range(2500):
            q = rng.normal(loc=0, scale=2, size=d)
            k = rng.normal(loc=0, scale=2, size=d)
            scores.append(q @ k)
        variances.append(np.var(scores))
    slope, height = np.polyfit(np.log(dims), np.log(variances), 1)
    return slope, height
""",
    "least squares": """
def variance_growth(dims, rng):
    x = np.log(np.array(dims, dtype=float))
    y = np.zeros(len(dims))
    for i, d in enumerate(dims):
        q, k = rng.normal(0.0, 2.0, (2, 4096, d))
        y[i] = np.log(np.var((q * k).sum(1)))
    X = np.stack([x, np.ones_like(x)], axis=1)
    (slope, height), *_ = np.linalg.lstsq(X, y, rcond=None)
    return slope, height
""",
    "the line by hand": """
def variance_growth(dims, rng):
    points = []
    for d in dims:
        q, k = rng.normal(0, 2, (4000, d)), rng.normal(0, 2, (4000, d))
        points.append((math.log(d), math.log(np.var((q * k).sum(axis=1)))))
    mx = sum(x for x, _ in points) / len(points)
    my = sum(y for _, y in points) / len(points)
    slope = sum((x - mx) * (y - my) for x, y in points)
    slope /= sum((x - mx) ** 2 for x, _ in points)
    return slope, my - slope * mx
""",
    "numpy's newer polynomials": """
def variance_growth(dims, rng):
    var = []
    for d in dims:
        q, k = (rng.normal(scale=2, size=(4000, d)) for _ in range(2))
        var.append(np.einsum("nd,nd->n", q, k).var())
    line = np.polynomial.Polynomial.fit(np.log(dims), np.log(var), 1).convert()
    height, slope = line.coef
    return slope, height
""",
    "twice a standard normal": """
def sample_variance(d, rng, n=5000):
    q = 2 * rng.standard_normal((n, d))
    k = 2 * rng.standard_normal((n, d))
    return np.mean(np.sum(q * k, axis=1) ** 2)  # the mean is 0


def variance_growth(dims, rng):
    variances = [sample_variance(d, rng) for d in dims]
    return np.polyfit(np.log(dims), np.log(variances), 1).tolist()
""",
    "torch for the products": """
def variance_growth(dims, rng):
    logs = []
    for d in dims:
        q = torch.from_numpy(rng.normal(0, 2, (4000, d)))
        k = torch.from_numpy(rng.normal(0, 2, (4000, d)))
        logs.append((q * k).sum(-1).var().log())
    x, y = torch.tensor(dims).double().log(), torch.stack(logs)
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return slope, y.mean() - slope * x.mean()
""",
    "standard deviation, squared by the logarithm": """
def variance_growth(dims, rng):
    std = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        std.append((q * k).sum(axis=1).std())
    slope, height = np.polyfit(np.log(dims), 2 * np.log(std), 1)
    return slope, height
""",
    "covariance over variance": """
def variance_growth(dims, rng):
    x = np.log(dims)
    y = []
    for d in dims:
        q = rng.normal(0, 2, (d, 4000))
        k = rng.normal(0, 2, (d, 4000))
        y.append(np.log(np.var((q * k).sum(axis=0))))
    slope = np.cov(x, y)[0, 1] / np.var(x, ddof=1)
    return slope, np.mean(y) - slope * np.mean(x)
""",
    "rounded to three decimals": """
def variance_growth(dims, rng):
    variances = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 8000, d))
        variances.append((q * k).sum(1).var())
        print(d, variances[-1])
    slope, height = np.polyfit(np.log(dims), np.log(variances), 1)
    return round(slope, 3), round(height, 3)
""",
}

WRONG = {
    "one draw for all pairs 1": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q = rng.normal(0, 2, d)
        k = rng.normal(0, 2, (4000, d))
        v.append((k @ q).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
    "one draw for all pairs 2": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q = rng.normal(scale=2, size=(3000, d))
        k = rng.normal(scale=2, size=(1, d))
        v.append(np.var((q * k).sum(axis=1)))
    slope, height = np.polyfit(np.log(dims), np.log(v), 1)
    return slope, height
""",
    "one draw for all pairs 3": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q = rng.normal(0, 2, d)
        v.append(np.var([q @ rng.normal(0, 2, d) for _ in range(2000)]))
    return list(np.polyfit(np.log(dims), np.log(v), 1))
""",
    "one draw for all pairs 4": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        k = 2 * rng.standard_normal(d)
        q = 2 * rng.standard_normal((4000, d))
        v.append(np.einsum("nd,d->n", q, k).var())
    slope, height = np.polyfit(np.log(dims), np.log(v), 1)
    return slope, height
""",
    "true values written down": """
def variance_growth(dims, rng):
    return 1.0, math.log(16)
""",
    # Only how much was drawn from `rng` tells this one from a measurement.
    "true values with noise": """
def variance_growth(dims, rng):
    return 1 + 0.01 * rng.normal(), math.log(16) + 0.01 * rng.normal()
""",
    "true values with a counter": """
calls = 0


def variance_growth(dims, rng):
    global calls
    calls += 1
    return 1 + calls * 1e-9, math.log(16) + calls * 1e-9
""",
    "no key at all": """
def variance_growth(dims, rng):
    v = [rng.normal(0, 2, (4000, d)).sum(axis=1).var() for d in dims]
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
    "key of ones": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (4000, d)), np.ones(d)
        v.append((q @ k).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
    "standard deviation 4": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 4, (2, 4000, d))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
    "variance 2": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, math.sqrt(2), (2, 4000, d))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
    "only q has standard deviation 2": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (4000, d)), rng.normal(0, 1, (4000, d))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
    "uniform from -2 to 2": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.uniform(-2, 2, (2, 4000, d))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
    "one number per vector": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, 1))
        v.append((q * k * np.ones(d)).sum(1).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
    "dims not those given": """
def variance_growth(dims, rng):
    dims = (2, 3, 4)
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 40, d))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
    "the same width for every d": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, dims[0]))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
    "seven pairs": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 7, d))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
    "mean instead of sum": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append((q * k).mean(1).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
    "summed over pairs": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append((q * k).sum(0).var() + 1e-9)
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
    "logarithm on one side": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(dims, np.log(v), 1))
""",
    "logarithm on the other side": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(np.log(dims), v, 1))
""",
    "two different logarithms": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(np.log2(dims), np.log(v), 1))
""",
    "height in base two": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(np.log2(dims), np.log2(v), 1))
""",
    "height as variance": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append((q * k).sum(1).var())
    slope, height = np.polyfit(np.log(dims), np.log(v), 1)
    return slope, np.exp(height)
""",
    "height at the first d": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append((q * k).sum(1).var())
    slope, height = np.polyfit(np.log(dims), np.log(v), 1)
    return slope, height + slope * np.log(dims[0])
""",
    "results swapped": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append((q * k).sum(1).var())
    slope, height = np.polyfit(np.log(dims), np.log(v), 1)
    return height, slope
""",
    "slope only": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append((q * k).sum(1).var())
    return np.polyfit(np.log(dims), np.log(v), 1)[0]
""",
    "a parabola": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 2))
""",
    "a list per d": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append((q * k).sum(1).var())
    return np.log(dims), np.log(v)
""",
    "scores of softmax": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 400, d))
        s = q @ k.T
        w = np.exp(s - s.max(1, keepdims=True))
        v.append((w / w.sum(1, keepdims=True)).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
    "variance of the absolute scores": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append(np.abs((q * k).sum(1)).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
    "absolute products": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append(np.abs(q * k).sum(1).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
    "q and k drawn from copies of rng": """
import copy


def variance_growth(dims, rng):
    v = []
    for d in dims:
        other = copy.deepcopy(rng)
        q, k = rng.normal(0, 2, (4000, d)), other.normal(0, 2, (4000, d))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
    "range for the mean": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q = rng.normal(0, 2, (4000, d))
        k = np.arange(d) * np.ones((4000, 1))
        v.append((q * k).sum(1).var() + 1e-9)
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
    "second moment of entries with a mean": """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(2, 2, (2, 4000, d))
        v.append(((q * k).sum(1) ** 2).mean())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
}

SPELLINGS = {
    "standard deviation instead of variance": [
        """
def variance_growth(dims, rng):
    spread = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        spread.append((q * k).sum(1).std())
    return tuple(np.polyfit(np.log(dims), np.log(spread), 1))
""",
        """
def variance_growth(dims, rng):
    y = []
    for d in dims:
        q = rng.normal(scale=2, size=(3000, d))
        k = rng.normal(scale=2, size=(3000, d))
        y.append(np.log(np.sqrt(np.var(np.einsum("nd,nd->n", q, k)))))
    slope, height = np.polyfit(np.log(dims), y, 1)
    return slope, height
""",
        """
def variance_growth(dims, rng):
    std = [np.std([rng.normal(0, 2, d) @ rng.normal(0, 2, d) for _ in range(2000)])
           for d in dims]
    return list(np.polyfit(np.log(dims), np.log(std), 1))
""",
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = 2 * rng.standard_normal((2, 4000, d))
        s = torch.tensor((q * k).sum(1))
        v.append(torch.std(s).item())
    slope, height = np.polyfit(np.log2(dims), np.log2(v), 1)
    return slope, height * math.log(2)
""",
    ],
    "not summed, or scaled": [
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append(((q * k).sum(1) / math.sqrt(d)).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q = rng.normal(scale=2, size=(3000, d))
        k = rng.normal(scale=2, size=(3000, d))
        v.append(np.var(np.einsum("nd,nd->n", q, k) * d**-0.5))
    slope, height = np.polyfit(np.log(dims), np.log(v), 1)
    return slope, height
""",
        """
def variance_growth(dims, rng):
    v = [np.var([rng.normal(0, 2, d) @ rng.normal(0, 2, d) / np.sqrt(d)
                 for _ in range(2000)]) for d in dims]
    return list(np.polyfit(np.log(dims), np.log(v), 1))
""",
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = 2 * rng.standard_normal((2, 4000, d))
        v.append((q * k).sum(1).var() / d)
    slope, height = np.polyfit(np.log(dims), np.log(v), 1)
    return slope, height
""",
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append((q * k).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q = rng.normal(scale=2, size=(3000, d))
        k = rng.normal(scale=2, size=(3000, d))
        v.append(np.var(np.einsum("nd,nd->nd", q, k)))
    slope, height = np.polyfit(np.log(dims), np.log(v), 1)
    return slope, height
""",
        """
def variance_growth(dims, rng):
    v = [np.var([rng.normal(0, 2, d) * rng.normal(0, 2, d) for _ in range(2000)])
         for d in dims]
    return list(np.polyfit(np.log(dims), np.log(v), 1))
""",
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = 2 * rng.standard_normal((2, 4000, d))
        v.append((q * k).var(axis=0).mean())
    slope, height = np.polyfit(np.log(dims), np.log(v), 1)
    return slope, height
""",
    ],
    "same draw for q and k": [
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q = k = rng.normal(0, 2, (4000, d))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        x = rng.normal(scale=2, size=(3000, d))
        v.append(np.var((x**2).sum(axis=1)))
    slope, height = np.polyfit(np.log(dims), np.log(v), 1)
    return slope, height
""",
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        scores = []
        for _ in range(2000):
            q = rng.normal(0, 2, d)
            scores.append(q @ q)
        v.append(np.var(scores))
    return list(np.polyfit(np.log(dims), np.log(v), 1))
""",
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q = 2 * rng.standard_normal((4000, d))
        k = q.copy()
        v.append(np.einsum("nd,nd->n", q, k).var())
    slope, height = np.polyfit(np.log(dims), np.log(v), 1)
    return slope, height
""",
    ],
    "entries with standard deviation 1": [
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(size=(2, 4000, d))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q = rng.standard_normal((3000, d))
        k = rng.standard_normal((3000, d))
        v.append(np.var(np.einsum("nd,nd->n", q, k)))
    slope, height = np.polyfit(np.log(dims), np.log(v), 1)
    return slope, height
""",
        """
def variance_growth(dims, rng):
    v = [np.var([rng.normal(0, 1, d) @ rng.normal(0, 1, d) for _ in range(2000)])
         for d in dims]
    return list(np.polyfit(np.log(dims), np.log(v), 1))
""",
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = (rng.choice([-1.0, 1.0], (4000, d)) for _ in "qk")
        v.append((q * k).sum(axis=-1).var())
    slope, height = np.polyfit(np.log(dims), np.log(v), 1)
    return slope, height
""",
    ],
    "entries that are not centred": [
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(2, 2, (2, 4000, d))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q = 2 + 2 * rng.standard_normal((3000, d))
        k = 2 + 2 * rng.standard_normal((3000, d))
        v.append(np.var(np.einsum("nd,nd->n", q, k)))
    slope, height = np.polyfit(np.log(dims), np.log(v), 1)
    return slope, height
""",
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q = rng.uniform(0, 2 * math.sqrt(12), (4000, d))
        k = rng.uniform(0, 2 * math.sqrt(12), (4000, d))
        v.append((q * k).sum(axis=1).var())
    return list(np.polyfit(np.log(dims), np.log(v), 1))
""",
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q = rng.normal(loc=2, scale=2, size=(4000, d))
        k = rng.normal(loc=2, scale=2, size=(4000, d))
        v.append((q * k).sum(axis=1).var())
    slope, height = np.polyfit(np.log(dims), np.log(v), 1)
    return slope, height
""",
    ],
    "axes swapped": [
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(np.log(v), np.log(dims), 1))
""",
        """
def variance_growth(dims, rng):
    y = []
    for d in dims:
        q = rng.normal(scale=2, size=(3000, d))
        k = rng.normal(scale=2, size=(3000, d))
        y.append(np.log(np.var(np.einsum("nd,nd->n", q, k))))
    slope, height = np.polyfit(y, np.log(dims), 1)
    return slope, height
""",
        """
def variance_growth(dims, rng):
    x, y = np.log(dims), []
    for d in dims:
        q, k = 2 * rng.standard_normal((2, 4000, d))
        y.append(np.log((q * k).sum(1).var()))
    x, y = np.array(y), x
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return slope, y.mean() - slope * x.mean()
""",
        """
def variance_growth(dims, rng):
    v = [np.var([rng.normal(0, 2, d) @ rng.normal(0, 2, d) for _ in range(2000)])
         for d in dims]
    X = np.stack([np.log(v), np.ones(len(dims))], axis=1)
    slope, height = np.linalg.lstsq(X, np.log(dims), rcond=None)[0]
    return slope, height
""",
    ],
    "logarithms left out": [
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(dims, v, 1))
""",
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q = rng.normal(scale=2, size=(3000, d))
        k = rng.normal(scale=2, size=(3000, d))
        v.append(np.var(np.einsum("nd,nd->n", q, k)))
    X = np.stack([dims, np.ones(len(dims))], axis=1)
    slope, height = np.linalg.lstsq(X, np.array(v), rcond=None)[0]
    return slope, height
""",
        """
def variance_growth(dims, rng):
    x, y = np.array(dims), []
    for d in dims:
        q, k = 2 * rng.standard_normal((2, 4000, d))
        y.append((q * k).sum(1).var())
    slope = np.cov(x, y)[0, 1] / np.var(x, ddof=1)
    return slope, np.mean(y) - slope * np.mean(x)
""",
        """
def variance_growth(dims, rng):
    v = [np.var([rng.normal(0, 2, d) @ rng.normal(0, 2, d) for _ in range(2000)])
         for d in dims]
    slope, height = np.polyfit(np.array(dims, float), np.array(v), deg=1)
    return slope, height
""",
    ],
    "sum of entries instead of products": [
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append((q + k).sum(1).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q = rng.normal(scale=2, size=(3000, d))
        k = rng.normal(scale=2, size=(3000, d))
        v.append(np.var(q.sum(1) + k.sum(1)))
    slope, height = np.polyfit(np.log(dims), np.log(v), 1)
    return slope, height
""",
        """
def variance_growth(dims, rng):
    v = [np.var([sum(rng.normal(0, 2, d) + rng.normal(0, 2, d)) for _ in range(2000)])
         for d in dims]
    return list(np.polyfit(np.log(dims), np.log(v), 1))
""",
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        pairs = 2 * rng.standard_normal((4000, 2, d))
        v.append(pairs.sum(axis=(1, 2)).var())
    slope, height = np.polyfit(np.log(dims), np.log(v), 1)
    return slope, height
""",
    ],
    "own generator": [
        """
def variance_growth(dims, rng):
    rng = np.random.default_rng(0)
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q = np.random.normal(0, 2, (4000, d))
        k = np.random.normal(0, 2, (4000, d))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
        """
def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = 2 * torch.randn(2, 4000, d)
        v.append((q * k).sum(-1).var().item())
    slope, height = np.polyfit(np.log(dims), np.log(v), 1)
    return slope, height
""",
        """
import random


def variance_growth(dims, rng=None):
    v = []
    for d in dims:
        s = [sum(random.gauss(0, 2) * random.gauss(0, 2) for _ in range(d))
             for _ in range(2000)]
        v.append(np.var(s))
    return list(np.polyfit(np.log(dims), np.log(v), 1))
""",
        """
generator = np.random.default_rng(42)


def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = generator.normal(0, 2, (2, 4000, d))
        v.append((q * k).sum(1).var())
    return tuple(np.polyfit(np.log(dims), np.log(v), 1))
""",
    ],
}
