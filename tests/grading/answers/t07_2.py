"""Answers to 07.2: `split` and `join`, which undid each other's mistake."""


def both(split: str, join: str) -> str:
    """Two functions from their bodies."""
    parts = (("split(x, n_heads)", split), ("join(x)", join))
    return "\n\n".join(
        f"def {head}:\n" + "".join(f"    {line}\n" for line in body.splitlines())
        for head, body in parts
    )


SPLIT = """*front, t, d_model = x.shape
return x.reshape(*front, t, n_heads, d_model // n_heads).swapaxes(-3, -2)"""
JOIN = """*front, n_heads, t, d_head = x.shape
return x.swapaxes(-3, -2).reshape(*front, t, n_heads * d_head)"""
BARE_SPLIT = """*front, t, d_model = x.shape
return x.reshape(*front, n_heads, t, d_model // n_heads)"""
BARE_JOIN = """*front, n_heads, t, d_head = x.shape
return x.reshape(*front, t, n_heads * d_head)"""

RIGHT = {
    "the usual": both(SPLIT, JOIN),
    "shapes by hand": both(
        """t, d = x.shape[-2:]
y = x.reshape(x.shape[:-2] + (t, n_heads, d // n_heads))
return np.swapaxes(y, -2, -3)""",
        """h, t, d = x.shape[-3:]
return np.swapaxes(x, -3, -2).reshape(x.shape[:-3] + (t, h * d))""",
    ),
    "minus one for what is left": both(
        "return x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(-2, -3)",
        """y = x.swapaxes(-2, -3)
return y.reshape(*y.shape[:-2], -1)""",
    ),
    "moveaxis": both(
        "return np.moveaxis(x.reshape(*x.shape[:-1], n_heads, -1), -2, -3)",
        """words = np.moveaxis(x, -3, -2)
return words.reshape(*words.shape[:-2], words.shape[-2] * words.shape[-1])""",
    ),
    "split and stack": both(
        "return np.stack(np.split(x, n_heads, axis=-1), axis=-3)",
        "return np.concatenate([x[..., i, :, :] for i in range(x.shape[-3])], -1)",
    ),
    "array_split": both(
        """parts = np.array_split(x, n_heads, axis=-1)
return np.concatenate([part[..., None, :, :] for part in parts], axis=-3)""",
        """parts = np.split(x, x.shape[-3], axis=-3)
return np.concatenate([np.squeeze(part, -3) for part in parts], axis=-1)""",
    ),
    "slices": both(
        """d = x.shape[-1] // n_heads
out = np.zeros(x.shape[:-2] + (n_heads, x.shape[-2], d))
for i in range(n_heads):
    out[..., i, :, :] = x[..., i * d : i * d + d]
return out""",
        """h, t, d = x.shape[-3:]
out = np.zeros(x.shape[:-3] + (t, h * d))
for i in range(h):
    out[..., i * d : (i + 1) * d] = x[..., i, :, :]
return out""",
    ),
    "word by word": both(
        """d = x.shape[-1] // n_heads
out = np.empty(x.shape[:-2] + (n_heads, x.shape[-2], d))
for t in range(x.shape[-2]):
    for i in range(n_heads):
        out[..., i, t, :] = x[..., t, i * d : i * d + d]
return out""",
        """return np.stack(
    [
        np.concatenate([x[..., i, t, :] for i in range(x.shape[-3])], axis=-1)
        for t in range(x.shape[-2])
    ],
    axis=-2,
)""",
    ),
    "einsum": both(
        """y = x.reshape(*x.shape[:-1], n_heads, x.shape[-1] // n_heads)
return np.einsum("...thd->...htd", y)""",
        """y = np.einsum("...htd->...thd", x)
return y.reshape(*y.shape[:-2], -1)""",
    ),
    "in PyTorch": both(
        """y = torch.from_numpy(x).unflatten(-1, (n_heads, -1))
return y.transpose(-2, -3).numpy()""",
        "return torch.from_numpy(np.array(x)).transpose(-3, -2).flatten(-2).numpy()",
    ),
    "all that stands in front as one": both(
        """y = x.reshape(-1, x.shape[-2], n_heads, x.shape[-1] // n_heads)
y = y.transpose(0, 2, 1, 3)
return y.reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)""",
        """h, t, d = x.shape[-3:]
y = x.reshape(-1, h, t, d).transpose(0, 2, 1, 3).reshape(-1, t, h * d)
return y.reshape(*x.shape[:-3], t, h * d)""",
    ),
    "take": both(
        """d = x.shape[-1] // n_heads
order = np.arange(x.shape[-1]).reshape(n_heads, d)
return np.moveaxis(x[..., order], -2, -3)""",
        """return np.concatenate(list(np.rollaxis(x, x.ndim - 3)), axis=-1)""",
    ),
}

WRONG = {
    "split right, nothing joined": both(SPLIT, "return x"),
    "nothing split": both("return x", JOIN),
    "None": both(SPLIT, "x.swapaxes(-3, -2).reshape(*x.shape[:-3], -1)"),
    "a list of heads": both("return np.split(x, n_heads, axis=-1)", JOIN),
    "one head left out": both(SPLIT, "return np.concatenate(list(x)[:-1], axis=-1)"),
    "transposed altogether": both(
        """*front, t, d_model = x.shape
return x.reshape(*front, t, n_heads, d_model // n_heads).T""",
        JOIN,
    ),
    "places turned around in a head": both(
        """*front, t, d_model = x.shape
y = x.reshape(*front, t, n_heads, d_model // n_heads)
return y.swapaxes(-3, -2)[..., ::-1]""",
        JOIN,
    ),
    "sorted": both(SPLIT, "return np.sort(x, axis=-1).swapaxes(-3, -2)"),
    "batch only": both(
        """b, t, d = x.shape
return x.reshape(b, t, n_heads, d // n_heads).transpose(0, 2, 1, 3)""",
        """b, h, t, d = x.shape
return x.transpose(0, 2, 1, 3).reshape(b, t, h * d)""",
    ),
    "Fortran order": both(
        """*front, t, d_model = x.shape
return x.reshape(*front, n_heads, t, d_model // n_heads, order="F")""",
        BARE_JOIN,
    ),
}

SPELLINGS = {
    "as planted": [
        both(
            "return np.reshape(x, (*x.shape[:-2], n_heads, x.shape[-2], -1))",
            "return np.reshape(x, (*x.shape[:-3], x.shape[-2], -1))",
        ),
    ],
    "the sentence still cut": [
        both(BARE_SPLIT, JOIN),
        both(
            """t, d = x.shape[-2:]
return np.reshape(x, x.shape[:-2] + (n_heads, t, d // n_heads))""",
            "return np.concatenate([x[..., i, :, :] for i in range(x.shape[-3])], -1)",
        ),
    ],
    "joined in reading order": [
        both(SPLIT, BARE_JOIN),
        both(
            "return np.stack(np.split(x, n_heads, axis=-1), axis=-3)",
            "return np.reshape(x, (*x.shape[:-3], x.shape[-2], -1))",
        ),
    ],
    "every other number": [
        both(
            "return np.stack([x[..., i::n_heads] for i in range(n_heads)], axis=-3)",
            JOIN,
        ),
        both(
            """y = x.reshape(*x.shape[:-1], -1, n_heads)
return y.swapaxes(-1, -2).swapaxes(-2, -3)""",
            JOIN,
        ),
    ],
    "every other number, there and back": [
        both(
            "return np.stack([x[..., i::n_heads] for i in range(n_heads)], axis=-3)",
            """out = np.empty((*x.shape[:-3], x.shape[-2], x.shape[-3] * x.shape[-1]))
for i in range(x.shape[-3]):
    out[..., i :: x.shape[-3]] = x[..., i, :, :]
return out""",
        ),
    ],
    "axes never swapped in the cut": [
        both("return x.reshape(*x.shape[:-1], n_heads, -1)", JOIN),
        both("return np.stack(np.split(x, n_heads, axis=-1), axis=-2)", JOIN),
    ],
    "last two axes swapped": [
        both("return x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(-1, -2)", JOIN),
    ],
    "width axis moved to the front": [
        both("return x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(-1, -3)", JOIN),
    ],
    "axes counted from the front in the cut": [
        both("return x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(1, 0)", JOIN),
    ],
    "axes counted from the front in the join": [
        both(
            SPLIT,
            """*front, h, t, d = x.shape
return np.swapaxes(x, 0, 1).reshape(*front, t, h * d)""",
        ),
    ],
    "axes counted from the front in both": [
        both(
            "return x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(0, 1)",
            """*front, h, t, d = x.shape
return x.swapaxes(1, 0).reshape(*front, t, h * d)""",
        ),
    ],
    "axes counted for a batch": [
        both(
            "return x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(2, 1)",
            """*front, h, t, d = x.shape
return x.swapaxes(2, 1).reshape(*front, t, h * d)""",
        ),
    ],
    "axes counted for a batch in the join": [
        both(
            SPLIT,
            """*front, h, t, d = x.shape
return x.swapaxes(2, 1).reshape(*front, t, h * d)""",
        ),
    ],
    "heads before the batch": [
        both("return np.array(np.split(x, n_heads, axis=-1))", JOIN),
    ],
    "heads in reverse": [
        both("return np.stack(np.split(x, n_heads, axis=-1)[::-1], axis=-3)", JOIN),
    ],
    "heads joined in reverse": [
        both(
            SPLIT,
            """order = reversed(range(x.shape[-3]))
return np.concatenate([x[..., i, :, :] for i in order], axis=-1)""",
        ),
    ],
    "words inside a head joined wrongly": [
        both(
            SPLIT,
            """*front, h, t, d = x.shape
return np.swapaxes(x, -1, -2).reshape(*front, t, h * d)""",
        ),
    ],
    "heads added up": [
        both(SPLIT, "return sum(x[..., i, :, :] for i in range(x.shape[-3]))"),
    ],
    "heads averaged": [both(SPLIT, "return np.mean(x, axis=-3)")],
    "heads below one another": [
        both(
            SPLIT,
            "return x.reshape(*x.shape[:-3], -1, x.shape[-1])",
        ),
    ],
    "what stands in front is lost": [
        both(
            SPLIT,
            """h, t, d = x.shape[-3:]
return x.swapaxes(-3, -2).reshape(t, h * d)""",
        ),
    ],
    "batch folded into the heads": [
        both(
            """t, d = x.shape[-2:]
y = x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(-3, -2)
return y.reshape(-1, t, d // n_heads)""",
            JOIN,
        ),
    ],
    "always two heads": [
        both("return np.stack(np.split(x, 2, axis=-1), axis=-3)", JOIN),
    ],
}

DOUBLE = [
    (
        "axes counted from the front in the cut",
        "joined in reading order",
        both("return x.reshape(*x.shape[:-1], n_heads, -1).swapaxes(0, 1)", BARE_JOIN),
    ),
    (
        "heads in reverse",
        "heads joined in reverse",
        both(
            "return np.stack(np.split(x, n_heads, axis=-1)[::-1], axis=-3)",
            """order = reversed(range(x.shape[-3]))
return np.concatenate([x[..., i, :, :] for i in order], axis=-1)""",
        ),
    ),
]
