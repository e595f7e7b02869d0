"""Answers to 12.2, a decoder layer that leaked and let the source ask."""

START = """
from tt_utils.blocks import MultiHeadAttention, causal_mask


class DecoderLayer(torch.nn.Module):
    def __init__(self, d_model, n_heads, d_ff):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.widen = torch.nn.Linear(d_model, d_ff)
        self.narrow = torch.nn.Linear(d_ff, d_model)
        self.norms = torch.nn.ModuleList(torch.nn.LayerNorm(d_model) for _ in range(3))

    def forward(self, x, memory, src_mask=None):
"""
FFN = "thought = self.narrow(torch.relu(self.widen(x)))\n"
END = FFN + "return self.norms[2](x + thought)"


def forward(body: str, end: str = END) -> str:
    """The class as given, with another body of `forward`."""
    lines = (body + "\n" + end).splitlines()
    return START + "".join(f"        {line}\n" if line else "\n" for line in lines)


def two(own: str, cross: str, end: str = END) -> str:
    """The layer as given, with other arguments for its two attentions."""
    return forward(
        f"""seen, _ = self.self_attention({own})
x = self.norms[0](x + seen)
found, _ = self.cross_attention({cross})
x = self.norms[1](x + found)""",
        end,
    )


OWN, CROSS = "x, x, x, causal=True", "x, memory, memory, src_mask"

RIGHT = {
    "mended": two(OWN, CROSS),
    "the package's mask": two("x, x, x, causal_mask(x.shape[1])", CROSS),
    "a mask by name": two(OWN, "x, memory, memory, mask=src_mask"),
    "a mask by tril": two(
        "x, x, x, torch.tril(torch.ones(x.size(1), x.size(1))) == 1", CROSS
    ),
    "a mask by comparing places": two(
        "x, x, x, torch.arange(x.shape[1])[:, None] >= torch.arange(x.shape[1])", CROSS
    ),
    "a mask of numbers": two(
        "x, x, x, torch.full((x.shape[1], x.shape[1]), -torch.inf).triu(1)", CROSS
    ),
    "a mask with all axes": two(
        "x, x, x, causal_mask(x.shape[1])[None, None].expand(len(x), 1, -1, -1)", CROSS
    ),
    "weights asked for": two(
        OWN + ", need_weights=True", CROSS + ", need_weights=True"
    ),
    "in three lines": forward(
        """x = self.norms[0](x + self.self_attention(x, x, x, causal=True)[0])
x = self.norms[1](x + self.cross_attention(x, memory, memory, src_mask)[0])
return self.norms[2](x + self.narrow(self.widen(x).relu()))""",
        "",
    ),
    "other names": forward(
        """a, _ = self.self_attention(query=x, key=x, value=x, causal=True)
h1 = self.norms[0](a + x)
c, _ = self.cross_attention(query=h1, key=memory, value=memory, mask=src_mask)
h2 = self.norms[1](c + h1)
f = self.narrow(torch.nn.functional.relu(self.widen(h2)))
return self.norms[2](f + h2)""",
        "",
    ),
    "a loop over the sub-layers": forward(
        """parts = (
    lambda y: self.self_attention(y, y, y, causal=True)[0],
    lambda y: self.cross_attention(y, memory, memory, src_mask)[0],
    lambda y: self.narrow(self.widen(y).clamp_min(0)),
)
for part, norm in zip(parts, self.norms):
    x = norm(x + part(x))
return x""",
        "",
    ),
    "word by word": forward(
        """rows = [
    self.self_attention(x[:, i : i + 1], x[:, : i + 1], x[:, : i + 1])[0]
    for i in range(x.shape[1])
]
x = self.norms[0](x + torch.cat(rows, dim=1))
x = self.norms[1](x + self.cross_attention(x, memory, memory, src_mask)[0])"""
    ),
    "padding by a mask always": forward(
        """if src_mask is None:
    src_mask = torch.ones(1, 1, 1, memory.shape[1], dtype=torch.bool)
x = self.norms[0](x + self.self_attention(x, x, x, causal=True)[0])
x = self.norms[1](x + self.cross_attention(x, memory, memory, mask=src_mask)[0])"""
    ),
    "a method of its own": two(OWN, CROSS, "return self.think(x)")
    + """
    def think(self, x):
        return self.norms[2](x + self.narrow(torch.relu(self.widen(x))))
""",
}

WRONG = {
    "as it was, with the weights asked for": two(
        "x, x, x, need_weights=True", "memory, x, x"
    ),
    "the pair of results added": forward(
        """x = self.norms[0](x + self.self_attention(x, x, x, causal=True))
x = self.norms[1](x + self.cross_attention(x, memory, memory, src_mask))"""
    ),
    "pre-norm": forward(
        """y = self.norms[0](x)
x = x + self.self_attention(y, y, y, causal=True)[0]
y = self.norms[1](x)
x = x + self.cross_attention(y, memory, memory, src_mask)[0]
x = x + self.narrow(torch.relu(self.widen(self.norms[2](x))))""",
        "return x",
    ),
    "memory cut to the target's length": two(
        OWN, "x, memory[:, : x.shape[1]], memory[:, : x.shape[1]]"
    ),
    "query cut to the source's length": two(
        "x, x, x, causal=True", "memory[:, : x.shape[1]], x, x"
    ),
    "no ReLU": two(OWN, CROSS, "return self.norms[2](x + self.narrow(self.widen(x)))"),
    "one norm for all": forward(
        """norm = self.norms[0]
x = norm(x + self.self_attention(x, x, x, causal=True)[0])
x = norm(x + self.cross_attention(x, memory, memory, src_mask)[0])
return norm(x + self.narrow(torch.relu(self.widen(x))))""",
        "",
    ),
    "no residual around self-attention": forward(
        """x = self.norms[0](self.self_attention(x, x, x, causal=True)[0])
x = self.norms[1](x + self.cross_attention(x, memory, memory, src_mask)[0])"""
    ),
    "memory asks itself": two(OWN, "memory, memory, memory, src_mask"),
    "last norm forgotten": two(OWN, CROSS, FFN + "return x + thought"),
    "memory changed in place": forward(
        """memory += 0.1
x = self.norms[0](x + self.self_attention(x, x, x, causal=True)[0])
x = self.norms[1](x + self.cross_attention(x, memory, memory, src_mask)[0])"""
    ),
}

SPELLINGS = {
    "as planted": [
        forward(
            """x = self.norms[0](x + self.self_attention(x, x, x)[0])
x = self.norms[1](x + self.cross_attention(memory, x, x)[0])"""
        ),
        two("x, x, x, causal=False", "memory, x, x"),
    ],
    "the future still leaks": [
        two("x, x, x", CROSS),
        two("x, x, x, None, causal=False", "x, memory, memory, mask=src_mask"),
        two("x, x, x, torch.ones(x.shape[1], x.shape[1]).bool()", CROSS),
    ],
    "the source still asks": [
        two(OWN, "memory, x, x"),
        two("x, x, x, causal_mask(x.shape[1])", "query=memory, key=x, value=x"),
    ],
    "keys from the target": [
        two(OWN, "x, x, memory, src_mask"),
        two("x, x, x, causal_mask(x.shape[1])", "x, x, memory, src_mask"),
    ],
    "values from the target": [
        two(OWN, "x, memory, x, src_mask"),
        two(
            "x, x, x, causal_mask(x.shape[1])", "x, key=memory, value=x, mask=src_mask"
        ),
    ],
    "source never read": [
        two(OWN, "x, x, x"),
        two(OWN, "x, x, x, causal=True"),
        two("x, x, x, causal_mask(x.shape[1])", "x, x, x, causal_mask(x.shape[1])"),
    ],
    "causal mask in both attentions": [
        two(OWN, "x, memory, memory, src_mask, causal=True"),
        two(OWN, "x, memory, memory, mask=src_mask, causal=True"),
    ],
    "causal mask in the wrong attention": [
        two("x, x, x", "x, memory, memory, src_mask, causal=True"),
        two("x, x, x, causal=False", "x, memory, memory, mask=src_mask, causal=True"),
    ],
    "mask upside down": [
        two("x, x, x, torch.ones(x.shape[1], x.shape[1]).triu().bool()", CROSS),
        two(
            "x, x, x, torch.arange(x.shape[1])[:, None] <= torch.arange(x.shape[1])",
            CROSS,
        ),
        two("x, x, x, causal_mask(x.shape[1]).mT", CROSS),
    ],
    "own word hidden": [
        two(
            "x, x, x, torch.arange(x.shape[1])[:, None] > torch.arange(x.shape[1])",
            CROSS,
        ),
        two("x, x, x, torch.ones(x.shape[1], x.shape[1]).bool().tril(-1)", CROSS),
    ],
    "one word too many": [
        two("x, x, x, torch.ones(x.shape[1], x.shape[1]).bool().tril(1)", CROSS),
    ],
    "padding of the source not hidden": [
        two(OWN, "x, memory, memory"),
        two("x, x, x, causal_mask(x.shape[1])", "x, memory, memory, None"),
    ],
    "mask of the source on the target": [
        two("x, x, x, src_mask, causal=True", "x, memory, memory"),
        two("x, x, x, mask=src_mask, causal=True", CROSS),
    ],
    "cross-attention first": [
        forward(
            """x = self.norms[0](x + self.cross_attention(x, memory, memory, src_mask)[0])
x = self.norms[1](x + self.self_attention(x, x, x, causal=True)[0])"""
        ),
    ],
    "question asked too early": [
        forward(
            """y = self.norms[0](x + self.self_attention(x, x, x, causal=True)[0])
x = self.norms[1](y + self.cross_attention(x, memory, memory, src_mask)[0])"""
        ),
    ],
    "no residual around the cross-attention": [
        forward(
            """x = self.norms[0](x + self.self_attention(x, x, x, causal=True)[0])
x = self.norms[1](self.cross_attention(x, memory, memory, src_mask)[0])"""
        ),
    ],
    "memory in the residual": [
        forward(
            """x = self.norms[0](x + self.self_attention(x, x, x, causal=True)[0])
x = self.norms[1](memory + self.cross_attention(x, memory, memory, src_mask)[0])"""
        ),
    ],
    "feed-forward part left out": [
        two(OWN, CROSS, "return self.norms[2](x)"),
    ],
    "one attention for both": [
        forward(
            """x = self.norms[0](x + self.self_attention(x, x, x, causal=True)[0])
x = self.norms[1](x + self.self_attention(x, memory, memory, src_mask)[0])"""
        ),
    ],
}
