"""Answers to 07.5: which numbers of a word each head depends on."""


def written(body: str) -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def sees(heads, x):\n{lines}"


def by_number(
    change: str = "y[:, j] = np.random.normal(size=len(x))",
    moved: str = "(np.abs(heads(y) - old) > 1e-4).any(axis=(1, 2))",
    start: str = "y = x.copy()",
    end: str = "return table",
) -> str:
    """A loop over the numbers of a word."""
    return written(f"""old = heads(x)
table = np.zeros((old.shape[0], x.shape[1]), dtype=bool)
for j in range(x.shape[1]):
    {start}
    {change}
    table[:, j] = {moved}
{end}""")


RIGHT = {
    "one number at a time": by_number(),
    "a generator": written("""rng = np.random.default_rng()
old = heads(x)
columns = []
for j in range(x.shape[1]):
    y = x.copy()
    y[:, j] += rng.normal(size=x.shape[0])
    columns.append(np.abs(heads(y) - old).max(axis=2).max(axis=1) > 1e-4)
return np.array(columns).T"""),
    "word by word": written("""t, d = x.shape
before = heads(x)
result = np.zeros((len(before), d), dtype=bool)
for i in range(t):
    for j in range(d):
        y = np.copy(x)
        y[i, j] = y[i, j] + 1
        result[:, j] |= (abs(heads(y) - before) > 1e-4).any(axis=(1, 2))
return result"""),
    "head by head": written("""old = heads(x)
table = []
for h in range(len(old)):
    row = []
    for j in range(x.shape[1]):
        y = x.copy()
        y[:, j] = np.random.randn(len(x))
        row.append(not np.allclose(heads(y)[h], old[h], rtol=0, atol=1e-4))
    table.append(row)
return table"""),
    "several tries": written("""rng = np.random.default_rng(1)
old = heads(x)
moved = np.zeros((len(old), x.shape[1]))
for _ in range(3):
    for j in range(x.shape[1]):
        y = x.copy()
        y[:, j] = rng.uniform(-2, 2, size=len(x))
        moved[:, j] += np.abs(heads(y) - old).sum(axis=(1, 2))
return moved > 3e-4"""),
    "two other inputs compared": written("""rng = np.random.default_rng(2)
n = len(heads(x))
table = np.zeros((n, x.shape[1]), bool)
for j in range(x.shape[1]):
    one, other = x.copy(), x.copy()
    one[:, j], other[:, j] = rng.normal(size=(2, len(x)))
    for h in range(n):
        table[h, j] = np.max(np.abs(heads(one)[h] - heads(other)[h])) > 1e-4
return table"""),
    "where": written("""columns = np.arange(x.shape[1])
noise = np.random.default_rng(3).normal(size=x.shape)
old = heads(x)
news = [heads(np.where(columns == j, noise, x)) for j in columns]
return np.stack([(abs(n - old) > 1e-4).any((1, 2)) for n in news], axis=-1)"""),
    "slopes, all words": written("""old = heads(x)
table = np.zeros((len(old), x.shape[1]))
for i in range(len(x)):
    for j in range(x.shape[1]):
        step = np.zeros_like(x)
        step[i, j] = 0.5
        gap = np.abs(heads(x + step) - heads(x - step))
        table[:, j] = np.maximum(table[:, j], gap.reshape(len(old), -1).max(axis=1))
return table > 1e-4"""),
    "mean of squares": by_number(
        moved="((heads(y) - old) ** 2).max(axis=(1, 2)) > 1e-8"
    ),
    "different steps in each word": by_number("y[:, j] += np.arange(1, len(x) + 1)"),
}

WRONG = {
    "nothing returned": written("old = heads(x)"),
    "one row": by_number(end="return table.any(axis=0)"),
    "names of numbers": written("return [list(range(x.shape[1])) for _ in heads(x)]"),
    "the heads themselves": written("return heads(x)"),
    "all but the last number tried": written("""old = heads(x)
table = np.zeros((len(old), x.shape[1]), bool)
for j in range(x.shape[1] - 1):
    y = x.copy()
    y[:, j] = np.random.normal(size=len(x))
    table[:, j] = (np.abs(heads(y) - old) > 1e-4).any(axis=(1, 2))
return table"""),
    "x changed in place": by_number(start="y = x"),
    "heads counted by words": written("""old = heads(x)
return np.ones((len(x), x.shape[1]), bool)"""),
    "all True": written("return np.full((len(heads(x)), x.shape[1]), True)"),
    "text": written("return [['yes'] * x.shape[1] for _ in heads(x)]"),
    "NaN as a change": by_number(
        "y[:, j] = np.nan", "np.isnan(heads(y)).all(axis=(1, 2))"
    ),
    "first and last word alone": by_number(
        "y[0, j] += 1; y[-1, j] += 1", "(abs(heads(y) - old) > 0.3).any(axis=(1, 2))"
    ),
}

SPELLINGS = {
    "same change in every word": [
        by_number("y[:, j] += 1"),
        by_number("y[:, j] = y[:, j] - 3.0"),
        by_number("y += np.eye(x.shape[1])[j]"),
    ],
    "one value for all words": [
        by_number("y[:, j] = np.random.normal()"),
        by_number("y[:, j] = 5.0"),
    ],
    "no change where it is zero": [
        by_number("y[:, j] = 0"),
        by_number("y[:, j] *= 3"),
        by_number("y[:, j] = -y[:, j]"),
    ],
    "words exchanged": [
        by_number("y[:, j] = y[::-1, j].copy()"),
        by_number("y[:, j] = np.roll(y[:, j], -1)"),
    ],
    "first word alone": [
        by_number("y[0, j] = np.random.normal()"),
        by_number("y[0, j] += 1"),
    ],
    "last word alone": [by_number("y[-1, j] += 2")],
    "changes that pile up": [
        written("""old = heads(x)
y = x.copy()
columns = []
for j in range(x.shape[1]):
    y[:, j] = np.random.normal(size=len(x))
    columns.append((abs(heads(y) - old) > 1e-4).any(axis=(1, 2)))
return np.stack(columns, 1)"""),
    ],
    "compared to the last digit": [
        by_number(moved="(heads(y) != old).any(axis=(1, 2))"),
        by_number(moved="[not np.array_equal(a, b) for a, b in zip(heads(y), old)]"),
    ],
    "too much allowed": [
        by_number(
            "y[:, j] += np.array([1, -1, 1, -1, 1])[: len(x)]",
            "(np.abs(heads(y) - old) > 0.2).any(axis=(1, 2))",
        ),
    ],
    "differences that cancel": [
        by_number(moved="abs((heads(y) - old).sum(axis=(1, 2))) > 1e-4"),
        by_number(moved="abs(heads(y).mean((1, 2)) - old.mean((1, 2))) > 3e-5"),
    ],
    "all numbers of a blend must change": [
        by_number(moved="(np.abs(heads(y) - old) > 1e-4).all(axis=(1, 2))"),
    ],
    "first number of a blend alone": [
        by_number(moved="(np.abs(heads(y) - old) > 1e-4)[..., 0].any(axis=1)"),
    ],
    "first row alone": [
        by_number(moved="(np.abs(heads(y) - old) > 1e-4)[:, 0].any(axis=-1)"),
    ],
    "all heads in one": [by_number(moved="(np.abs(heads(y) - old) > 1e-4).any()")],
    "rows and columns exchanged": [by_number(end="return table.T")],
    "answer turned around": [
        by_number(end="return ~table"),
        by_number(
            moved="[np.allclose(a, b, atol=1e-4) for a, b in zip(heads(y), old)]"
        ),
    ],
    "differences instead of truth values": [
        by_number(end="return table * 1"),
        by_number(end="return table * 1.0"),
    ],
    "the whole word at once": [by_number("y = np.random.normal(size=x.shape)")],
    "believed, not tried": [
        written("""n, d = len(heads(x)), x.shape[1]
return [[j // -(-d // n) == h for j in range(d)] for h in range(n)]"""),
    ],
}
