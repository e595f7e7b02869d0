"""Answers to 07.3, multi-head attention from four wide matrices: (out, weights)."""


def written(body: str, names: str = "x, w_q, w_k, w_v, w_o, n_heads") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def multi_head({names}):\n{lines}"


CUT = """d_head = x.shape[-1] // n_heads
def split(y):
    return y.reshape(*y.shape[:-1], n_heads, d_head).transpose(-2, -3)

q, k, v = split(x @ w_q), split(x @ w_k), split(x @ w_v)
"""
ATTEND = """w = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(d_head), dim=-1)
heads = w @ v
"""
JOIN = """y = heads.transpose(-2, -3).reshape(x.shape)
return y @ w_o, w"""


def usual(cut: str = CUT, attend: str = ATTEND, join: str = JOIN) -> str:
    return written(cut + attend + join)


def by_head(asks: str, scale: str = "d**0.5", end: str = "", dim: str = "-1") -> str:
    """A loop over the heads; `asks` makes q, k and v from the columns a to b."""
    end = end or "return torch.cat(outs, -1) @ w_o, torch.stack(ws, -3)"
    return written(f"""d = x.shape[-1] // n_heads
outs, ws = [], []
for i in range(n_heads):
    a, b = i * d, (i + 1) * d
    {asks}
    w = (q @ k.transpose(-1, -2) / {scale}).softmax(dim={dim})
    outs.append(w @ v)
    ws.append(w)
{end}""")


ASKS = "q, k, v = x @ w_q[:, a:b], x @ w_k[:, a:b], x @ w_v[:, a:b]"

RIGHT = {
    "the usual": usual(),
    "a loop over heads": by_head(ASKS),
    "cut after the products": by_head(
        "q, k, v = (x @ w_q)[..., a:b], (x @ w_k)[..., a:b], (x @ w_v)[..., a:b]"
    ),
    "proposals added up": by_head(
        ASKS,
        end="""rows = w_o.reshape(n_heads, d, -1)
return sum(o @ r for o, r in zip(outs, rows)), torch.stack(ws, dim=-3)""",
    ),
    "unflatten and flatten": written("""def cut(w):
    return (x @ w).unflatten(-1, (n_heads, -1)).transpose(-3, -2)

q, k, v = cut(w_q), cut(w_k), cut(w_v)
weights = torch.softmax(q @ k.mT * k.size(-1) ** -0.5, dim=-1)
out = (weights @ v).transpose(-3, -2).flatten(start_dim=-2)
return out @ w_o, weights"""),
    "the book's attention": """
from tt_utils.blocks import scaled_dot_product_attention


def multi_head(x, w_q, w_k, w_v, w_o, n_heads):
    def split(y):
        return y.unflatten(-1, (n_heads, -1)).transpose(-3, -2)

    out, weights = scaled_dot_product_attention(
        split(x @ w_q), split(x @ w_k), split(x @ w_v)
    )
    return out.transpose(-3, -2).flatten(-2) @ w_o, weights
""",
    "einsum": written("""d = len(w_q) // n_heads
q, k, v = (
    torch.einsum("...td,dhe->...hte", x, w.view(len(w), n_heads, d))
    for w in (w_q, w_k, w_v)
)
w = torch.einsum("...qe,...ke->...qk", q, k).div(d**0.5).softmax(-1)
return torch.einsum(
    "...hqk,...hke,hem->...qm", w, v, w_o.view(n_heads, d, len(w_o))
), w"""),
    "a batch made for all": written("""single = x.dim() == 2
batch = x[None] if single else x
b, t, m = batch.shape
q, k, v = (
    (batch @ w).view(b, t, n_heads, m // n_heads).transpose(1, 2)
    for w in (w_q, w_k, w_v)
)
weights = (q @ k.transpose(2, 3) / math.sqrt(m // n_heads)).softmax(dim=3)
out = (weights @ v).transpose(1, 2).contiguous().view(b, t, m) @ w_o
return (out[0], weights[0]) if single else (out, weights)"""),
    "F.linear and F.softmax": written("""q, k, v = (
    torch.nn.functional.linear(x, w.t()).unflatten(-1, (n_heads, -1)).movedim(-2, -3)
    for w in (w_q, w_k, w_v)
)
scores = torch.matmul(q, k.movedim(-1, -2)) / np.sqrt(q.shape[-1])
weights = torch.nn.functional.softmax(scores, dim=-1)
heads = torch.matmul(weights, v).movedim(-3, -2)
return torch.nn.functional.linear(heads.reshape(x.shape), w_o.t()), weights"""),
    "double": written("""x, w_q, w_k, w_v, w_o = (y.double() for y in (x, w_q, w_k, w_v, w_o))
d = x.shape[-1] // n_heads
q, k, v = (torch.stack((x @ w).split(d, dim=-1), dim=-3) for w in (w_q, w_k, w_v))
weights = (q / d**0.5 @ k.mT).softmax(-1)
return torch.cat(list((weights @ v).unbind(-3)), dim=-1) @ w_o, weights"""),
    "own softmax": usual(
        attend="""s = q @ k.mT / d_head**0.5
e = torch.exp(s - s.max(dim=-1, keepdim=True).values)
w = e / e.sum(dim=-1, keepdim=True)
heads = w @ v
"""
    ),
    "NumPy": written("""d = x.shape[-1] // n_heads
x, w_q, w_k, w_v, w_o = (y.numpy() for y in (x, w_q, w_k, w_v, w_o))
outs, ws = [], []
for i in range(n_heads):
    c = slice(i * d, i * d + d)
    s = (x @ w_q[:, c]) @ np.swapaxes(x @ w_k[:, c], -1, -2) / np.sqrt(d)
    e = np.exp(s - s.max(-1, keepdims=True))
    ws.append(e / e.sum(-1, keepdims=True))
    outs.append(ws[-1] @ (x @ w_v[:, c]))
return np.concatenate(outs, -1) @ w_o, np.stack(ws, -3)"""),
    "sentence by sentence": written("""if x.dim() == 3:
    pairs = [multi_head(s, w_q, w_k, w_v, w_o, n_heads) for s in x]
    return torch.stack([p[0] for p in pairs]), torch.stack([p[1] for p in pairs])
t, m = x.shape
q, k, v = ((x @ w).reshape(t, n_heads, -1).transpose(0, 1) for w in (w_q, w_k, w_v))
w = (q @ k.transpose(1, 2) / math.sqrt(m / n_heads)).softmax(-1)
return (w @ v).transpose(0, 1).reshape(t, m) @ w_o, w"""),
    "a class": """
class Heads:
    def __init__(self, n_heads):
        self.n_heads = n_heads

    def split(self, x):
        return x.unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)

    def join(self, x):
        return x.transpose(-3, -2).flatten(-2)


def multi_head(x, w_q, w_k, w_v, w_o, n_heads):
    cut = Heads(n_heads)
    q, k, v = map(cut.split, (x @ w_q, x @ w_k, x @ w_v))
    weights = (q @ k.mT / math.sqrt(q.size(-1))).softmax(-1)
    return cut.join(weights @ v) @ w_o, weights
""",
    "scaled on both sides": usual(
        attend="""root = d_head**0.25
w = ((q / root) @ (k / root).mT).softmax(-1)
heads = w @ v
"""
    ),
}

WRONG = {
    "nothing returned": written("q, k, v = x @ w_q, x @ w_k, x @ w_v"),
    "output alone": usual(join="return heads.transpose(-2, -3).reshape(x.shape) @ w_o"),
    "sigmoid": usual(
        attend="w = torch.sigmoid(q @ k.mT / d_head**0.5)\nheads = w @ v\n"
    ),
    "a view that does not fit": usual(
        join="return heads.transpose(-2, -3).view(x.shape) @ w_o, w"
    ),
    "two heads always": usual(cut="n_heads = 2\n" + CUT),
    "residual added": usual(
        join="return x + heads.transpose(-2, -3).reshape(x.shape) @ w_o, w"
    ),
    "first sentence for all": usual(
        cut=CUT + "q = q[:1].expand(q.shape) if x.dim() == 3 else q\n"
    ),
    "inputs scaled in place": written("x *= 1.0001\n" + CUT + ATTEND + JOIN),
    "the last matrix cut": by_head(
        ASKS,
        end="""parts = [o @ w_o[i * d : (i + 1) * d, i * d : (i + 1) * d]
         for i, o in enumerate(outs)]
return torch.cat(parts, -1), torch.stack(ws, -3)""",
    ),
    "heads in reverse before the last matrix": by_head(
        ASKS,
        end="return torch.cat(outs[::-1], -1) @ w_o, torch.stack(ws, -3)",
    ),
    "softmax over the heads": usual(attend=ATTEND.replace("dim=-1", "dim=-3")),
    "scaled by the number of heads": by_head(ASKS, "n_heads**0.5"),
    "scaled by the number of words": by_head(ASKS, "x.shape[-2] ** 0.5"),
    "scores returned as weights": usual(
        join=JOIN.replace("w_o, w", "w_o, q @ k.mT / d_head**0.5")
    ),
    "one wide head for the weights": by_head(
        "q, k, v = x @ w_q, x @ w_k, x @ w_v[:, a:b]", "len(w_q) ** 0.5"
    ),
    "own word hidden": usual(
        attend="""s = q @ k.mT / d_head**0.5
w = s.masked_fill(torch.eye(s.shape[-1]).bool(), -1e9).softmax(-1)
heads = w @ v
"""
    ),
    "future hidden": usual(
        attend="""s = q @ k.mT / d_head**0.5
may = torch.ones(s.shape[-2:]).tril().bool()
w = s.masked_fill(~may, -1e9).softmax(-1)
heads = w @ v
"""
    ),
}

SPELLINGS = {
    "scaled by the width of the model": [
        usual(attend=ATTEND.replace("math.sqrt(d_head)", "math.sqrt(x.shape[-1])")),
        by_head(ASKS, "len(w_q) ** 0.5"),
    ],
    "not scaled": [
        usual(attend=ATTEND.replace(" / math.sqrt(d_head)", "")),
        by_head(ASKS, "1"),
    ],
    "divided without the root": [
        usual(attend=ATTEND.replace("math.sqrt(d_head)", "d_head")),
        by_head(ASKS, "d"),
    ],
    "the sentence cut": [
        usual(
            cut="""d_head = x.shape[-1] // n_heads
shape = (*x.shape[:-2], n_heads, x.shape[-2], d_head)
q, k, v = (x @ w_q).view(shape), (x @ w_k).view(shape), (x @ w_v).view(shape)
"""
        ),
    ],
    "the sentence cut, and put together the same way": [
        usual(
            cut="""d_head = x.shape[-1] // n_heads
shape = (*x.shape[:-2], n_heads, x.shape[-2], d_head)
q, k, v = (x @ w_q).view(shape), (x @ w_k).view(shape), (x @ w_v).view(shape)
""",
            join="return heads.reshape(x.shape) @ w_o, w",
        ),
    ],
    "joined in reading order": [
        usual(join="return heads.reshape(*x.shape[:-1], -1) @ w_o, w"),
        by_head(
            ASKS,
            end="""heads = torch.stack(outs, -3)
return heads.reshape(x.shape) @ w_o, torch.stack(ws, -3)""",
        ),
    ],
    "every other number to a head": [
        usual(
            cut=CUT.replace(
                "y.reshape(*y.shape[:-1], n_heads, d_head).transpose(-2, -3)",
                "torch.stack([y[..., i::n_heads] for i in range(n_heads)], dim=-3)",
            )
        ),
        by_head(ASKS.replace("a:b", "i::n_heads")),
    ],
    "axes never swapped": [
        usual(
            cut=CUT.replace(".transpose(-2, -3)", ""),
            join="return heads.reshape(x.shape) @ w_o, w",
        ),
    ],
    "axes counted for a batch": [
        usual(cut=CUT.replace("transpose(-2, -3)", "transpose(1, 2)")),
        usual(
            cut=CUT.replace("transpose(-2, -3)", "transpose(1, 2)"),
            join=JOIN.replace("transpose(-2, -3)", "transpose(1, 2)"),
        ),
        by_head(ASKS, end="return torch.cat(outs, -1) @ w_o, torch.stack(ws, 1)"),
        usual(
            cut="""def split(x):
    return x.unflatten(-1, (n_heads, -1)).transpose(1, 2)

q, k, v = split(x @ w_q), split(x @ w_k), split(x @ w_v)
""",
            attend=ATTEND.replace("math.sqrt(d_head)", "math.sqrt(q.shape[-1])"),
            join="return heads.transpose(1, 2).flatten(2) @ w_o, w",
        ),
    ],
    "axes counted for one sentence": [
        by_head(ASKS, end="return torch.cat(outs, -1) @ w_o, torch.stack(ws)"),
        usual(attend=ATTEND.replace("transpose(-1, -2)", "transpose(1, 2)")),
    ],
    "last matrix left out": [
        usual(join="return heads.transpose(-2, -3).reshape(x.shape), w"),
        by_head(ASKS, end="return torch.cat(outs, -1), torch.stack(ws, -3)"),
    ],
    "last matrix turned": [
        usual(join=JOIN.replace("y @ w_o", "torch.nn.functional.linear(y, w_o)")),
        by_head(ASKS, end="return torch.cat(outs, -1) @ w_o.t(), torch.stack(ws, -3)"),
    ],
    "all matrices turned": [
        usual(
            cut=CUT.replace("w_q)", "w_q.T)")
            .replace("w_k)", "w_k.T)")
            .replace("w_v)", "w_v.T)")
        ),
    ],
    "cut before the matrices": [
        by_head("q, k, v = (x[..., a:b] @ w[a:b, a:b] for w in (w_q, w_k, w_v))"),
    ],
    "one table for all heads": [
        usual(join=JOIN.replace("w_o, w", "w_o, w.mean(dim=-3)")),
        by_head(ASKS, end="return torch.cat(outs, -1) @ w_o, sum(ws) / len(ws)"),
    ],
    "every head asks the first head's question": [
        by_head("q, k, v = x @ w_q[:, :d], x @ w_k[:, :d], x @ w_v[:, a:b]"),
    ],
    "softmax over the queries": [
        usual(attend=ATTEND.replace("dim=-1", "dim=-2")),
        by_head(ASKS, dim="-2"),
    ],
    "overflow": [
        usual(
            attend="""e = torch.exp(q @ k.mT / d_head**0.5)
w = e / e.sum(dim=-1, keepdim=True)
heads = w @ v
"""
        ),
    ],
    "one matrix used twice": [
        usual(cut=CUT.replace("x @ w_k", "x @ w_q")),
        usual(cut=CUT.replace("x @ w_v", "x @ w_k")),
        by_head("q, k = x @ w_q[:, a:b], x @ w_k[:, a:b]; v = k"),
    ],
    "values not made at all": [
        usual(cut=CUT.replace("split(x @ w_v)", "split(x)")),
        by_head("q, k, v = x @ w_q[:, a:b], x @ w_k[:, a:b], x[..., a:b]"),
    ],
    "results swapped": [
        usual(join=JOIN.replace("return y @ w_o, w", "return w, y @ w_o")),
    ],
}

DOUBLE = [
    (
        "not scaled",
        "last matrix left out",
        by_head(ASKS, "1", "return torch.cat(outs, -1), torch.stack(ws, -3)"),
    ),
    (
        "scaled by the width of the model",
        "joined in reading order",
        usual(
            attend=ATTEND.replace("math.sqrt(d_head)", "math.sqrt(x.shape[-1])"),
            join="return heads.reshape(x.shape) @ w_o, w",
        ),
    ),
    (
        "softmax over the queries",
        "one matrix used twice",
        usual(
            cut=CUT.replace("x @ w_v", "x @ w_k"),
            attend=ATTEND.replace("dim=-1", "dim=-2"),
        ),
    ),
]
