"""Answers to 09.3, the scores of queries and keys that are turned by their places."""


def turned(
    pair="a * c - b * s, a * s + b * c",
    angles="p[:, None] * w",
    w="10_000 ** (-torch.arange(0, d, 2) / d)",
    halves="x[..., 0::2], x[..., 1::2]",
    join="torch.stack(z, -1).flatten(-2)",
    end="turn(q, places_q) @ turn(k, places_k).mT",
):
    """The usual answer, with a part exchanged."""
    return f"""
def rotary_scores(q, k, places_q, places_k):
    def turn(x, p):
        d = x.shape[-1]
        w = {w}
        angle = {angles}
        c, s = torch.cos(angle), torch.sin(angle)
        a, b = {halves}
        z = ({pair})
        return {join}

    return {end}
"""


RIGHT = {
    "the chapter's rotate, with places": turned(),
    "the order of numbers doesn't matter": turned(join="torch.cat(z, -1)"),
    "transpose": turned(end="turn(q, places_q) @ turn(k, places_k).transpose(-1, -2)"),
    "einsum": turned(
        end="torch.einsum('...id,...jd->...ij', turn(q, places_q), turn(k, places_k))"
    ),
    "double precision": turned(
        end="turn(q.double(), places_q.double()) @ turn(k.double(), places_k.double()).mT"
    ),
    "pair by pair": """
def rotary_scores(q, k, places_q, places_k):
    d = q.shape[-1]
    scores = torch.zeros(*q.shape[:-1], k.shape[-2])
    for i in range(0, d, 2):
        speed = 1 / 10_000 ** (i / d)
        aq, ak = places_q * speed, places_k * speed
        qx = q[..., i] * aq.cos() - q[..., i + 1] * aq.sin()
        qy = q[..., i] * aq.sin() + q[..., i + 1] * aq.cos()
        kx = k[..., i] * ak.cos() - k[..., i + 1] * ak.sin()
        ky = k[..., i] * ak.sin() + k[..., i + 1] * ak.cos()
        scores += qx[..., :, None] * kx[..., None, :] + qy[..., :, None] * ky[..., None, :]
    return scores
""",
    "lengths and angles": """
def rotary_scores(q, k, places_q, places_k):
    d = q.shape[-1]
    speeds = 10_000 ** (-torch.arange(0, d, 2) / d)

    def polar(x, places):
        a, b = x[..., ::2], x[..., 1::2]
        return torch.hypot(a, b), torch.atan2(b, a) + places[:, None] * speeds

    (r, f), (s, g) = polar(q, places_q), polar(k, places_k)
    r, f, s, g = r[..., :, None, :], f[..., :, None, :], s[..., None, :, :], g[..., None, :, :]
    return (r * s * torch.cos(f - g)).sum(-1)
""",
    "only the keys turn, by the difference": """
def rotary_scores(q, k, places_q, places_k):
    d = q.shape[-1]
    speeds = 10_000 ** (-torch.arange(0, d, 2) / d)
    angle = (places_k[None, :] - places_q[:, None])[..., None] * speeds
    c, s = angle.cos(), angle.sin()
    a, b = k[..., None, :, 0::2], k[..., None, :, 1::2]
    moved = torch.stack([a * c - b * s, a * s + b * c], -1).flatten(-2)
    return (q[..., :, None, :] * moved).sum(-1)
""",
    "complex numbers": """
def rotary_scores(q, k, places_q, places_k):
    d = q.shape[-1]
    w = 10_000 ** (-torch.arange(0, d, 2) / d)
    zq = torch.complex(q[..., ::2], q[..., 1::2]) * torch.exp(1j * places_q[:, None] * w)
    zk = torch.complex(k[..., ::2], k[..., 1::2]) * torch.exp(1j * places_k[:, None] * w)
    return torch.einsum("...id,...jd->...ij", zq, zk.conj()).real
""",
    "the package's own": """
from tt_utils.blocks.positions import RotaryPositions


def rotary_scores(q, k, places_q, places_k):
    rotary = RotaryPositions(q.shape[-1], max_len=4000)

    def turn(x, places):
        heads = x.reshape(1, -1, *x.shape[-2:])
        rows = [
            rotary.rotate(heads[..., n : n + 1, :], start=int(place))
            for n, place in enumerate(places)
        ]
        return torch.cat(rows, dim=-2).view(x.shape)

    return turn(q, places_q) @ turn(k, places_k).mT
""",
    "the chapter's rotate, row by row": """
def rotate(x, start=0):
    t, d = x.shape[-2:]
    speeds = 1 / 10_000 ** (torch.arange(0, d, 2) / d)
    angles = (start + torch.arange(t))[:, None] * speeds
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    pairs = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)
    return pairs.flatten(-2)


def rotary_scores(q, k, places_q, places_k):
    q = torch.cat([rotate(q[..., [i], :], p) for i, p in enumerate(places_q)], -2)
    k = torch.cat([rotate(k[..., [j], :], p) for j, p in enumerate(places_k)], -2)
    return q @ k.mT
""",
    "one matrix for each row": """
def rotary_scores(q, k, places_q, places_k):
    d = q.shape[-1]

    def matrices(places):
        out = torch.zeros(len(places), d, d)
        for i in range(0, d, 2):
            angle = places / 10_000 ** (i / d)
            out[:, i, i] = out[:, i + 1, i + 1] = angle.cos()
            out[:, i, i + 1], out[:, i + 1, i] = -angle.sin(), angle.sin()
        return out

    q = torch.einsum("tij,...tj->...ti", matrices(places_q), q)
    k = torch.einsum("tij,...tj->...ti", matrices(places_k), k)
    return q.matmul(k.transpose(-2, -1))
""",
    "partners by roll": """
def rotary_scores(q, k, places_q, places_k):
    d = q.shape[-1]
    even = torch.arange(d) % 2 == 0
    w = 10_000 ** (-(torch.arange(d) // 2 * 2) / d)

    def turn(x, p):
        partner = torch.where(even, -x.roll(-1, -1), x.roll(1, -1))
        angle = p.unsqueeze(1) * w
        return x * angle.cos() + partner * angle.sin()

    return turn(q, places_q) @ turn(k, places_k).mT
""",
    "a clone, filled in": """
def rotary_scores(q, k, places_q, places_k):
    out = []
    for x, p in ((q, places_q), (k, places_k)):
        d = x.size(-1)
        angle = torch.outer(p, 10_000.0 ** (-torch.arange(0, d, 2) / d))
        y = x.clone()
        y[..., 0::2] = x[..., 0::2] * angle.cos() - x[..., 1::2] * angle.sin()
        y[..., 1::2] = x[..., 0::2] * angle.sin() + x[..., 1::2] * angle.cos()
        out.append(y)
    return out[0] @ out[1].mT
""",
    "score by score": """
def rotary_scores(q, k, places_q, places_k):
    d = q.shape[-1]
    lead = q.shape[:-2]
    scores = torch.zeros(*lead, len(places_q), len(places_k))
    for at in np.ndindex(*lead):
        for i, p in enumerate(places_q.tolist()):
            for j, r in enumerate(places_k.tolist()):
                for n in range(0, d, 2):
                    f = (r - p) / 10_000 ** (n / d)
                    x, y = q[at][i, n : n + 2].tolist(), k[at][j, n : n + 2].tolist()
                    c, s = math.cos(f), math.sin(f)
                    scores[at][i, j] += x[0] * (c * y[0] - s * y[1])
                    scores[at][i, j] += x[1] * (s * y[0] + c * y[1])
    return scores
""",
}

WRONG = {
    "sum and not a table": turned(
        end="(turn(q, places_q) * turn(k, places_k)).sum(-1)"
    ),
    "the turned pair returned": turned(end="(turn(q, places_q), turn(k, places_k))"),
    "halves in another order for keys": turned(
        end="turn(q, places_q) @ turn(k.flip(-1), places_k).mT"
    ),
    "three numbers a pair": turned(pair="a * c - b * s, a * s + b * c, a"),
    "tan": turned(pair="a * c - b * c, a * s + b * s"),
    "base 1,000": turned(w="1_000 ** (-torch.arange(0, d, 2) / d)"),
    "angle of one place for all": turned(angles="p[0] * w"),
    "cosine similarity": turned(
        end="(lambda a, b: (a / a.norm(dim=-1, keepdim=True)) @ (b / b.norm(dim=-1, keepdim=True)).mT)(turn(q, places_q), turn(k, places_k))"
    ),
    "causal": turned(end="(turn(q, places_q) @ turn(k, places_k).mT).tril()"),
    "ALiBi": turned(end="q @ k.mT - 0.5 * (places_q[:, None] - places_k).abs()"),
    "only the first pair": turned(
        pair="torch.cat([a[..., :1] * c[:, :1] - b[..., :1] * s[:, :1], a[..., 1:]], -1), torch.cat([a[..., :1] * s[:, :1] + b[..., :1] * c[:, :1], b[..., 1:]], -1)"
    ),
    "places sorted": turned(
        end="turn(q, places_q.sort().values) @ turn(k, places_k.sort().values).mT"
    ),
    "whole numbers": turned(end="(turn(q, places_q) @ turn(k, places_k).mT).round()"),
    "input changed": """
def rotary_scores(q, k, places_q, places_k):
    out = []
    for x, p in ((q, places_q), (k, places_k)):
        d = x.size(-1)
        angle = torch.outer(p, 10_000.0 ** (-torch.arange(0, d, 2) / d))
        a, b = x[..., 0::2].clone(), x[..., 1::2].clone()
        x[..., 0::2] = a * angle.cos() - b * angle.sin()
        x[..., 1::2] = a * angle.sin() + b * angle.cos()
    return q @ k.mT
""",
    "a speed for each head": turned(angles="p[:, None] * w * (1 + x.dim() - 2)"),
    "None": """
def rotary_scores(q, k, places_q, places_k):
    q @ k.mT
""",
}

SPELLINGS = {
    "nothing turned": [turned(end="q @ k.mT"), turned(pair="a, b")],
    "only queries turned": [turned(end="turn(q, places_q) @ k.mT")],
    "only keys turned": [turned(end="q @ turn(k, places_k).mT")],
    "places not read": [turned(angles="torch.arange(len(p))[:, None] * w")],
    "places from the first one on": [
        turned(angles="torch.arange(int(p[0]), int(p[0]) + len(p))[:, None] * w")
    ],
    "keys at the queries' places": [
        turned(end="turn(q, places_q) @ turn(k, places_q).mT")
    ],
    "places exchanged": [turned(end="turn(q, places_k) @ turn(k, places_q).mT")],
    "turned clockwise": [
        turned(angles="-p[:, None] * w"),
        turned(pair="a * c + b * s, -a * s + b * c"),
    ],
    "turned in opposite directions": [
        turned(end="turn(q, -places_q) @ turn(k, places_k).mT")
    ],
    "first half paired with the second": [
        turned(halves="x.split(d // 2, -1)", join="torch.cat(z, -1)")
    ],
    "one speed for all pairs": [turned(w="torch.ones(d // 2)")],
    "speeds of half the range": [turned(w="1 / 10_000 ** (torch.arange(d // 2) / d)")],
    "speeds of twice the range": [
        turned(w="1 / 10_000 ** (2 * torch.arange(0, d, 2) / d)")
    ],
    "pairs counted from 1": [turned(w="10_000 ** (-torch.arange(2, d + 2, 2) / d)")],
    "speeds from slow to fast": [
        turned(w="(10_000 ** (-torch.arange(0, d, 2) / d)).flip(0)")
    ],
    "pairs that speed up": [turned(w="10_000 ** (torch.arange(0, d, 2) / d)")],
    "a wrong sign": [
        turned(pair="a * c + b * s, a * s + b * c"),
        turned(pair="a * c - b * s, b * c - a * s"),
    ],
    "one of the two numbers turned": [turned(pair="a * c - b * s, b")],
    "no exchange within a pair": [turned(pair="a * c, b * c")],
    "encoding added": [turned(pair="a + s, b + c")],
    "full turns": [turned(angles="2 * math.pi * p[:, None] * w")],
    "degrees": [turned(angles="torch.deg2rad(p[:, None] * w)")],
    "divided by the root of d_k": [
        turned(end="turn(q, places_q) @ turn(k, places_k).mT / q.size(-1) ** 0.5")
    ],
    "softmax": [turned(end="F.softmax(turn(q, places_q) @ turn(k, places_k).mT, -1)")],
    "table turned around": [
        turned(end="(turn(q, places_q) @ turn(k, places_k).mT).mT")
    ],
}

DOUBLE = [
    (
        "turned clockwise",
        "speeds of half the range",
        turned(angles="-p[:, None] * w", w="1 / 10_000 ** (torch.arange(d // 2) / d)"),
    ),
    (
        "divided by the root of d_k",
        "places not read",
        turned(
            angles="torch.arange(len(p))[:, None] * w",
            end="turn(q, places_q) @ turn(k, places_k).mT / q.size(-1) ** 0.5",
        ),
    ),
]
