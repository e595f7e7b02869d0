"""Answers to 09.4, attention with ALiBi whose price was wrong in two lines."""


def mended(
    distance="(place[:, None] - place).abs()",
    price="slopes[:, None, None] * distance",
    scores="q @ k.mT / math.sqrt(q.shape[-1]) - price",
    hidden="scores.masked_fill(~mask, -torch.inf)",
    weights="scores.softmax(dim=-1)",
    end="weights @ v, weights",
):
    """The function as given, with one of its lines exchanged."""
    return f"""
def alibi_attention(q, k, v, slopes, mask=None):
    place = torch.arange(q.shape[-2])
    distance = {distance}
    price = {price}
    scores = {scores}
    if mask is not None:
        scores = {hidden}
    weights = {weights}
    return {end}
"""


SIGNED = "place[:, None] - place"
SCALED = "(q @ k.mT - price) / math.sqrt(q.shape[-1])"

RIGHT = {
    "mended": mended(),
    "torch.abs": mended(distance="torch.abs(place - place[:, None])"),
    "the root of a square": mended(distance="((place[:, None] - place) ** 2) ** 0.5"),
    "the larger less the smaller": mended(
        distance="torch.maximum(place[:, None], place) - torch.minimum(place[:, None], place)"
    ),
    "abs in the price": mended(
        distance=SIGNED, price="(slopes[:, None, None] * distance).abs()"
    ),
    "price in the bracket, grown before": mended(
        scores="(q @ k.mT - price * math.sqrt(q.shape[-1])) / math.sqrt(q.shape[-1])"
    ),
    "a negative bias": mended(
        price="-slopes.view(-1, 1, 1) * distance",
        scores="torch.matmul(q, k.transpose(-2, -1)) * q.shape[-1] ** -0.5 + price",
    ),
    "one more for all": mended(distance="(place[:, None] - place).abs() + 1"),
    "einsum": mended(
        price="torch.einsum('h,ij->hij', slopes, distance.float())",
        scores="torch.einsum('...id,...jd->...ij', q, k) / q.shape[-1] ** 0.5 - price",
    ),
    "cdist": mended(distance="torch.cdist(place[:, None] + 0.0, place[:, None] + 0.0)"),
    "the two triangles": mended(
        distance="(place[:, None] - place).tril() + (place - place[:, None]).triu()"
    ),
    "a mask of its own": mended(
        hidden="torch.where(mask, scores, torch.finfo(scores.dtype).min)"
    ),
    "the library": """
def alibi_attention(q, k, v, slopes, mask=None):
    place = torch.arange(q.shape[-2])
    bias = -slopes[:, None, None] * (place[:, None] - place).abs()
    if mask is not None:
        bias = bias.masked_fill(~mask, -torch.inf)
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
    weights = (q @ k.mT / math.sqrt(q.size(-1)) + bias).softmax(-1)
    return out, weights
""",
    "head by head": """
def alibi_attention(q, k, v, slopes, mask=None):
    place = torch.arange(q.shape[-2])
    distance = (place[:, None] - place).abs()
    tables = []
    for h, m in enumerate(slopes):
        scores = q[..., h, :, :] @ k[..., h, :, :].mT / math.sqrt(q.shape[-1]) - m * distance
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        tables.append(scores.softmax(-1))
    weights = torch.stack(tables, dim=-3)
    return weights @ v, weights
""",
    "flip of the causal table": """
def alibi_attention(q, k, v, slopes, mask=None):
    t = q.shape[-2]
    back = torch.tril(torch.arange(t)[:, None] - torch.arange(t))
    distance = back + back.T
    scores = q @ k.mT / math.sqrt(q.shape[-1]) - slopes[:, None, None] * distance
    if mask is not None:
        scores = scores + torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
""",
}
WRONG = {
    "as it was, with other names": mended(
        distance="place.view(-1, 1) - place", scores=SCALED
    ),
    "key's place alone": mended(distance="place"),
    "distance to the middle": mended(distance="(place - len(place) // 2).abs()"),
    "logarithm": mended(distance="(1 + (place[:, None] - place).abs()).log()"),
    "root": mended(distance="(place[:, None] - place).abs() ** 0.5"),
    "halved on the right": mended(
        distance="(place[:, None] - place).clamp(min=0) + (place - place[:, None]).clamp(min=0) / 2"
    ),
    "far keys hidden": mended(
        price="torch.where(distance > 2, torch.inf, slopes[:, None, None] * distance)"
    ),
    "price on the values": mended(
        scores="q @ k.mT / math.sqrt(q.shape[-1])",
        end="(weights * (1 - price)) @ v, weights",
    ),
    "price on the keys": mended(
        scores="q @ (k - slopes[:, None, None] * place[:, None]).mT / math.sqrt(q.shape[-1])"
    ),
    "price over the slope": mended(price="distance / slopes[:, None, None]"),
    "slopes squared": mended(price="slopes[:, None, None] ** 2 * distance"),
    "sigmoid": mended(weights="scores.sigmoid()"),
    "median": mended(price="slopes.median() * distance"),
    "weights turned around": mended(end="weights.mT @ v, weights"),
    "scores changed in place": """
def alibi_attention(q, k, v, slopes, mask=None):
    place = torch.arange(q.shape[-2])
    distance = (place[:, None] - place).abs()
    q /= math.sqrt(q.shape[-1])
    scores = q @ k.mT - slopes[:, None, None] * distance
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(dim=-1)
    return weights @ v, weights
""",
    "return forgotten": mended().replace("return ", "_ = "),
}

SPELLINGS = {
    "as planted": [mended(distance=SIGNED, scores=SCALED)],
    "keys on the right still paid for": [
        mended(distance=SIGNED),
        mended(distance="place[-1] - place"),
    ],
    "price still scaled": [
        mended(scores=SCALED),
        mended(price="slopes[:, None, None] * distance / q.shape[-1] ** 0.5"),
    ],
    "price scaled up": [
        mended(price="slopes[:, None, None] * distance * q.shape[-1] ** 0.5")
    ],
    "far keys rewarded on both sides": [
        mended(scores="q @ k.mT / math.sqrt(q.shape[-1]) + price")
    ],
    "price on the left instead": [mended(distance="place - place[:, None]")],
    "keys on the right free": [mended(distance="(place[:, None] - place).tril()")],
    "keys on the left free": [mended(distance="(place - place[:, None]).triu()")],
    "no price at all": [mended(price="0"), mended(distance="place[:, None]")],
    "squared distance": [mended(distance="(place[:, None] - place).square()")],
    "neighbours free": [
        mended(distance="((place[:, None] - place).abs() - 1).clamp_min(0)")
    ],
    "same price at every distance": [mended(distance="1 - torch.eye(len(place))")],
    "distance as a share of the length": [
        mended(distance="(place[:, None] - place).abs() / q.shape[-2]")
    ],
    "slopes along the queries": [mended(price="slopes.unsqueeze(-1) * distance")],
    "slopes along the keys": [mended(price="distance * slopes")],
    "first slope for all heads": [mended(price="slopes[0] * distance")],
    "mean slope for all heads": [mended(price="slopes.mean() * distance")],
    "slopes in the reverse order": [
        mended(price="slopes.flip(0).view(-1, 1, 1) * distance")
    ],
    "price after softmax": [
        mended(
            scores="q @ k.mT / math.sqrt(q.shape[-1])",
            weights="scores.softmax(-1) - price",
        )
    ],
    "no scale at all": [mended(scores="q @ k.mT - price")],
    "divided by d_k": [mended(scores="q @ k.mT / q.shape[-1] - price")],
    "scaled by the number of words": [
        mended(scores="q @ k.mT / math.sqrt(len(place)) - price")
    ],
    "always causal": [
        mended(
            scores="(q @ k.mT / math.sqrt(q.shape[-1]) - price).masked_fill(place > place[:, None], -torch.inf)"
        )
    ],
    "mask ignored": [mended(hidden="scores")],
    "mask inverted": [mended(hidden="scores.masked_fill(mask, -torch.inf)")],
    "masked scores filled with 0": [mended(hidden="scores * mask")],
    "softmax over the queries": [mended(weights="scores.softmax(-2)")],
    "scores returned as weights": [mended(end="weights @ v, scores")],
    "results swapped": [mended(end="weights, weights @ v")],
}

DOUBLE = [
    ("price still scaled", "mask ignored", mended(scores=SCALED, hidden="scores")),
    (
        "keys on the right still paid for",
        "first slope for all heads",
        mended(distance=SIGNED, price="slopes[0] * distance"),
    ),
    (
        "squared distance",
        "price still scaled",
        mended(distance="(place[:, None] - place) ** 2", scores=SCALED),
    ),
]
