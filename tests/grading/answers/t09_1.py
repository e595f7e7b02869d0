"""Answers to 09.1, the sinusoidal encoding of places that are given."""

RIGHT = {
    "the chapter's, with places": """
def encode(places, d, base=10_000):
    speeds = 1 / base ** (np.arange(0, d, 2) / d)
    angles = places[..., None] * speeds
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return pairs.reshape(*places.shape, d)
""",
    "slices": """
def encode(places, d, base=10_000):
    pe = np.zeros(places.shape + (d,))
    angle = places[..., np.newaxis] / np.power(base, np.arange(0, d, 2) / d)
    pe[..., ::2] = np.sin(angle)
    pe[..., 1::2] = np.cos(angle)
    return pe
""",
    "exp of a log": """
def encode(places, d, base=10_000):
    div = np.exp(np.arange(0, d, 2) * -(np.log(base) / d))
    angle = np.expand_dims(places, -1) * div
    return np.concatenate([np.sin(angle)[..., None], np.cos(angle)[..., None]], -1).reshape(
        places.shape + (d,)
    )
""",
    "four loops": """
def encode(places, d, base=10_000):
    out = np.zeros((*places.shape, d))
    for at in np.ndindex(*places.shape):
        for i in range(d // 2):
            angle = places[at] / base ** (2 * i / d)
            out[at][2 * i] = math.sin(angle)
            out[at][2 * i + 1] = math.cos(angle)
    return out
""",
    "one hand at a time": """
def encode(places, d, base=10_000):
    columns = []
    for i in range(0, d, 2):
        speed = 1 / base ** (i / d)
        columns.append(np.sin(places * speed))
        columns.append(np.cos(places * speed))
    return np.stack(columns, axis=-1)
""",
    "cosine as a shifted sine": """
def encode(places, d, base=10_000):
    j = np.arange(d)
    angles = places[..., None] / base ** (2 * (j // 2) / d)
    return np.sin(angles + (j % 2) * np.pi / 2)
""",
    "a table, then looked up": """
def encode(places, d, base=10_000):
    t = int(places.max()) + 1
    angles = np.arange(t)[:, None] / base ** (np.arange(0, d, 2) / d)
    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(t, d)
    return table[places]
""",
    "turned step by step": """
def encode(places, d, base=10_000):
    speeds = np.repeat(base ** (-np.arange(0.0, d, 2) / d), 2)
    start = np.tile([0.0, 1.0], d // 2)
    side = np.tile([1.0, 0.0], d // 2)
    angles = places[..., None] * speeds
    return np.cos(angles) * start + np.sin(angles) * side
""",
    "torch": """
def encode(places, d, base=10_000):
    p = torch.from_numpy(np.array(places)).double()
    speeds = base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)
    angles = p.unsqueeze(-1) * speeds
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(-2).numpy()
""",
    "float32": """
def encode(places, d, base=10_000):
    speeds = (1 / base ** (np.arange(0, d, 2) / d)).astype(np.float32)
    angles = places[..., None].astype(np.float32) * speeds
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(*places.shape, d)
""",
    "batch by recursion": """
def encode(places, d, base=10_000):
    if places.ndim > 1:
        return np.array([encode(row, d, base) for row in places])
    angles = np.outer(places, [base ** (-2 * i / d) for i in range(d // 2)])
    rows = np.empty((len(places), d))
    rows[:, 0::2], rows[:, 1::2] = np.sin(angles), np.cos(angles)
    return rows
""",
    "lists of lists": """
def encode(places, d, base=10_000):
    def row(p):
        if isinstance(p, list):
            return [row(x) for x in p]
        angles = [p / base ** (2 * i / d) for i in range(d // 2)]
        return [f(a) for a in angles for f in (math.sin, math.cos)]

    return row(places.tolist())
""",
    "geometric series": """
def encode(places, d, base=10_000):
    speeds = np.cumprod(np.r_[1.0, np.full(d // 2 - 1, base ** (-2 / d))])
    z = np.exp(1j * np.multiply.outer(places, speeds))
    return np.stack([z.imag, z.real], -1).reshape(*places.shape, -1)
""",
    "a helper, type hints, keywords": '''
def angles_of(places, *, d, base):
    return np.einsum("...,i->...i", places, 1.0 / base ** (np.r_[0:d:2] / d))


def encode(places: np.ndarray, d: int, base: float = 10_000) -> np.ndarray:
    """Codage sinusoïdal des positions."""
    a = angles_of(places, d=d, base=base)
    return np.dstack([np.sin(a).ravel(), np.cos(a).ravel()]).reshape(*places.shape, d)
''',
}

WRONG = {
    "the chapter's own function": """
def encode(t, d):
    speeds = 1 / 10_000 ** (np.arange(0, d, 2) / d)
    angles = np.arange(t)[:, None] * speeds
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(t, d)
""",
    "angles": """
def encode(places, d, base=10_000):
    return places[..., None] / base ** (np.arange(d) // 2 * 2 / d)
""",
    "pairs left as pairs": """
def encode(places, d, base=10_000):
    angles = places[..., None] / base ** (np.arange(0, d, 2) / d)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1)
""",
    "stacked along another axis": """
def encode(places, d, base=10_000):
    angles = places[..., None] / base ** (np.arange(0, d, 2) / d)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-2).reshape(*places.shape, d)
""",
    "sums of sine and cosine": """
def encode(places, d, base=10_000):
    angles = places[..., None] / base ** (np.arange(d) / d)
    return np.sin(angles) + np.cos(angles)
""",
    "places as columns": """
def encode(places, d, base=10_000):
    angles = places[..., None, :] / (base ** (np.arange(d) // 2 * 2 / d))[:, None]
    return np.where(np.arange(d)[:, None] % 2, np.cos(angles), np.sin(angles))
""",
    "binary digits": """
def encode(places, d, base=10_000):
    return (places[..., None] >> np.arange(d)) & 1
""",
    "only one list of places": """
def encode(places, d, base=10_000):
    angles = np.outer(places, 1 / base ** (np.arange(0, d, 2) / d))
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(len(places), d)
""",
    "normalised rows": """
def encode(places, d, base=10_000):
    angles = places[..., None] / base ** (np.arange(0, d, 2) / d)
    rows = np.stack([np.sin(angles), np.cos(angles)], -1).reshape(*places.shape, d)
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)
""",
    "base 1,000": """
def encode(places, d, base=1_000):
    angles = places[..., None] / base ** (np.arange(0, d, 2) / d)
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(*places.shape, d)
""",
    "places sorted": """
def encode(places, d, base=10_000):
    angles = np.sort(places)[..., None] / base ** (np.arange(0, d, 2) / d)
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(*places.shape, d)
""",
    "rounded": """
def encode(places, d, base=10_000):
    angles = places[..., None] / base ** (np.arange(0, d, 2) / d)
    rows = np.stack([np.sin(angles), np.cos(angles)], -1).reshape(*places.shape, d)
    return rows.round(1)
""",
    "tangents": """
def encode(places, d, base=10_000):
    angles = places[..., None] / base ** (np.arange(0, d, 2) / d)
    return np.repeat(np.tan(angles), 2, axis=-1)
""",
    "places overwritten": """
def encode(places, d, base=10_000):
    angles = places[..., None] / base ** (np.arange(0, d, 2) / d)
    rows = np.stack([np.sin(angles), np.cos(angles)], -1).reshape(*places.shape, d)
    places -= places.min() + 1
    return rows
""",
    "print": """
def encode(places, d, base=10_000):
    angles = places[..., None] / base ** (np.arange(0, d, 2) / d)
    print(np.sin(angles))
""",
}


def by_columns(sine="math.sin", cosine="math.cos", i="i", p="places", base="base"):
    """One hand at a time, with a part exchanged."""
    return f"""
def encode(places, d, base=10_000):
    columns = []
    for i in range(0, d, 2):
        for f in ({sine}, {cosine}):
            columns.append(np.vectorize(f)({p} * 1.0 / {base} ** (({i}) / d)))
    return np.stack(columns, axis=-1)
"""


SPELLINGS = {
    "a table as long as the list": [
        """
def encode(places, d, base=10_000):
    speeds = 1 / base ** (np.arange(0, d, 2) / d)
    angles = np.arange(len(places))[:, None] * speeds
    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return table.reshape(len(places), d)[places]
"""
    ],
    "sines first, then cosines": [
        """
def encode(places, d, base=10_000):
    angles = places[..., None] / base ** (np.arange(0, d, 2) / d)
    return np.concatenate((np.sin(angles), np.cos(angles)), -1)
""",
        """
def encode(places, d, base=10_000):
    columns = [places / base ** (i / d) for i in range(0, d, 2)]
    columns = [np.sin(c) for c in columns] + [np.cos(c) for c in columns]
    return np.stack(columns, -1)
""",
    ],
    "sine and cosine exchanged": [by_columns(sine="math.cos", cosine="math.sin")],
    "sines alone": [by_columns(cosine="math.sin")],
    "cosines alone": [by_columns(sine="math.cos")],
    "hands turned anticlockwise": [by_columns(p="-places")],
    "speeds of half the range": [by_columns(i="i / 2"), by_columns(i="i // 2")],
    "speeds of twice the range": [by_columns(i="2 * i")],
    "a speed for each number": [
        """
def encode(places, d, base=10_000):
    out = np.zeros((*places.shape, d))
    for i in range(d):
        angle = places / base ** (i / d)
        out[..., i] = np.sin(angle) if i % 2 == 0 else np.cos(angle)
    return out
"""
    ],
    "whole numbers in the exponent": [by_columns(i="i // d * d")],
    "hands counted from 1": [by_columns(i="i + 2")],
    "slowest hand first": [by_columns(i="d - 2 - i")],
    "hands that speed up": [by_columns(i="-i")],
    "last hand at 1/base": [by_columns(i="d * i / max(1, d - 2)")],
    "places not read": [
        """
def encode(places, d, base=10_000):
    t = places.shape[-1]
    angles = np.arange(t)[:, None] / base ** (np.arange(0, d, 2) / d)
    rows = np.stack([np.sin(angles), np.cos(angles)], -1).reshape(t, d)
    return np.broadcast_to(rows, (*places.shape, d))
"""
    ],
    "places from the first one on": [
        by_columns(p="(places[..., :1] + np.arange(places.shape[-1]))")
    ],
    "places counted from 1": [by_columns(p="(1 + places)")],
    "place divided by the number of words": [
        by_columns(p="(places / places.shape[-1])")
    ],
    "place divided by the last": [by_columns(p="(places / np.max(places))")],
    "base not read": [by_columns(base="10_000"), by_columns(base="1e4")],
    "degrees": [
        by_columns(p="np.deg2rad(places)"),
        by_columns(p="(places / 180 * np.pi)"),
    ],
    "full turns": [by_columns(p="(math.tau * places)")],
    "rows of a batch mixed": [
        """
def encode(places, d, base=10_000):
    angles = np.outer(places, 1 / base ** (np.arange(0, d, 2) / d))
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(-1, d)
"""
    ],
    "decimals cut off": [
        """
def encode(places, d, base=10_000):
    out = np.repeat(places[..., None], d, axis=-1)
    angles = places[..., None] / base ** (np.arange(0, d, 2) / d)
    out[..., 0::2] = np.sin(angles)
    out[..., 1::2] = np.cos(angles)
    return out
"""
    ],
}

DOUBLE = [
    (
        "sine and cosine exchanged",
        "places counted from 1",
        by_columns(sine="math.cos", cosine="math.sin", p="(places + 1)"),
    ),
    (
        "speeds of half the range",
        "base not read",
        by_columns(i="i / 2", base="10_000"),
    ),
    (
        "places counted from 1",
        "base not read",
        by_columns(p="(places + 1)", base="10_000"),
    ),
]
