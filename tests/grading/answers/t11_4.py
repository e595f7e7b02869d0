"""Answers to 11.4, an encoder layer whose second skip started too early."""

RIGHT = {
    "mended": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    attended = norm_1(x + attention(x, x, x, mask))
    return norm_2(attended + feed_forward(attended))
""",
    "x all the way": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    x = norm_1(x + attention(x, x, x, mask))
    x = norm_2(x + feed_forward(x))
    return x
""",
    "four lines": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    a = attention(x, x, x, mask)
    x1 = norm_1(x + a)
    f = feed_forward(x1)
    return norm_2(x1 + f)
""",
    "keywords": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    out = norm_1(x + attention(query=x, key=x, value=x, mask=mask))
    return norm_2(feed_forward(out) + out)
""",
    "nested function": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    def add(x, part, norm):
        return norm(x + part(x))

    x = add(x, lambda y: attention(y, y, y, mask), norm_1)
    return add(x, feed_forward, norm_2)
""",
    "walrus": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    return norm_2((y := norm_1(x + attention(x, x, x, mask))) + feed_forward(y))
""",
    "torch.add": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    y = norm_1(torch.add(attention(x, x, x, mask), x))
    return norm_2(torch.add(feed_forward(y), y))
""",
    "in place on its own": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    y = attention(x, x, x, mask)
    y += x
    y = norm_1(y)
    z = feed_forward(y)
    z += y
    return norm_2(z)
""",
    "a clone": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    skip = x.clone()
    x = norm_1(skip + attention(skip, skip, skip, mask))
    skip = x.clone()
    return norm_2(skip + feed_forward(x))
""",
    "loop over parts": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    steps = (
        (norm_1, lambda y: attention(y, y, y, mask)),
        (norm_2, feed_forward),
    )
    for norm, part in steps:
        x = norm(x + part(x))
    return x
""",
    "stars": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    y = norm_1(x + attention(*[x] * 3, mask))
    return norm_2(y + feed_forward(y))
""",
    "sum of a list": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    y = norm_1(sum([x, attention(x, x, x, mask)]))
    return norm_2(sum([y, feed_forward(y)]))
""",
    "reduce": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    from functools import reduce

    parts = [(lambda y: attention(y, y, y, mask), norm_1), (feed_forward, norm_2)]
    return reduce(lambda y, p: p[1](y + p[0](y)), parts, x)
""",
}

WRONG = {
    "x in place": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    x += attention(x, x, x, mask)
    x = norm_1(x)
    return norm_2(x + feed_forward(x))
""",
    "feed-forward twice": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    y = norm_1(x + attention(x, x, x, mask))
    return norm_2(y + feed_forward(feed_forward(y)))
""",
    "norm at the very end again": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    y = norm_1(x + attention(x, x, x, mask))
    return norm_1(norm_2(y + feed_forward(y)))
""",
    "only the first half": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    return norm_1(x + attention(x, x, x, mask))
""",
    "queries normalised": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    y = norm_1(x + attention(norm_1(x), x, x, mask))
    return norm_2(y + feed_forward(y))
""",
    "mask multiplied in": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    y = norm_1(x + attention(x * mask.float().mean(), x, x, mask))
    return norm_2(y + feed_forward(y))
""",
    "half of each": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    y = norm_1((x + attention(x, x, x, mask)) / 2 + 0.5)
    return norm_2((y + 2 * feed_forward(y)) / 2)
""",
    "products": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    y = norm_1(x * attention(x, x, x, mask))
    return norm_2(y * feed_forward(y))
""",
    "mask forgotten in the call": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    y = norm_1(x + attention(x, x, mask))
    return norm_2(y + feed_forward(y))
""",
    "returns both": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    y = norm_1(x + attention(x, x, x, mask))
    return y, norm_2(y + feed_forward(y))
""",
    "own norm": """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    norm = torch.nn.functional.layer_norm
    y = norm(x + attention(x, x, x, mask), x.shape[-1:])
    return norm(y + feed_forward(y), x.shape[-1:])
""",
}

SPELLINGS = {
    "as planted": [
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    y = norm_1(x + attention(x, x, x, mask))
    z = feed_forward(y)
    return norm_2(x + z)
""",
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    old = x
    x = norm_1(old + attention(x, x, x, mask))
    return norm_2(old + feed_forward(x))
""",
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    skip = x
    x = norm_1(skip + attention(x, x, x, mask))
    x = norm_2(feed_forward(x) + skip)
    return x
""",
    ],
    "feed-forward reads the input": [
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    y = norm_1(x + attention(x, x, x, mask))
    return norm_2(y + feed_forward(x))
""",
    ],
    "attention thrown away": [
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    attention(x, x, x, mask)
    return norm_2(x + feed_forward(x))
""",
    ],
    "both skips added at the end": [
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    y = norm_1(x + attention(x, x, x, mask))
    return norm_2(y + x + feed_forward(y))
""",
    ],
    "mask left behind": [
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    x = norm_1(x + attention(x, x, x))
    return norm_2(x + feed_forward(x))
""",
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    y = norm_1(x + attention(x, x, x, torch.ones_like(mask)))
    return norm_2(y + feed_forward(y))
""",
    ],
    "mask inverted": [
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    x = norm_1(x + attention(x, x, x, mask == False))
    return norm_2(x + feed_forward(x))
""",
    ],
    "first skip lost": [
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    x = norm_1(attention(x, x, x, mask))
    return norm_2(x + feed_forward(x))
""",
    ],
    "second skip lost": [
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    x = norm_1(x + attention(x, x, x, mask))
    return norm_2(feed_forward(x))
""",
    ],
    "both skips lost": [
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    x = norm_1(attention(x, x, x, mask))
    x = feed_forward(x)
    return norm_2(x)
""",
    ],
    "first norm left out": [
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    x = x + attention(x, x, x, mask)
    return norm_2(x + feed_forward(x))
""",
    ],
    "second norm left out": [
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    x = norm_1(x + attention(x, x, x, mask))
    return x + feed_forward(x)
""",
    ],
    "one norm for both": [
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    x = norm_1(x + attention(x, x, x, mask))
    return norm_1(x + feed_forward(x))
""",
    ],
    "norms swapped": [
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    x = norm_2(x + attention(x, x, x, mask))
    return norm_1(x + feed_forward(x))
""",
    ],
    "norm before the first sum": [
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    x = x + norm_1(attention(x, x, x, mask))
    return norm_2(x + feed_forward(x))
""",
    ],
    "norm before the second sum": [
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    x = norm_1(x + attention(x, x, x, mask))
    return x + norm_2(feed_forward(x))
""",
    ],
    "norm before both sums": [
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    x = x + norm_1(attention(x, x, x, mask))
    x = x + norm_2(feed_forward(x))
    return x
""",
    ],
    "norm first": [
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    y = norm_1(x)
    x = x + attention(y, y, y, mask)
    return x + feed_forward(norm_2(x))
""",
    ],
    "feed-forward before attention": [
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    x = norm_1(x + feed_forward(x))
    return norm_2(x + attention(x, x, x, mask))
""",
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    x = norm_2(x + feed_forward(x))
    return norm_1(x + attention(x, x, x, mask))
""",
    ],
    "side by side": [
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    return norm_2(x + attention(x, x, x, mask) + feed_forward(x))
""",
    ],
    "attention twice": [
        """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    x = x + attention(x, x, x, mask)
    x = norm_1(x + attention(x, x, x, mask))
    return norm_2(x + feed_forward(x))
""",
    ],
}
