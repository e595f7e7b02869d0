"""Answers to 06.2: self-attention with matrices stored as (out, in)."""


def written(body: str, names: str = "x, weight_q, weight_k, weight_v") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def self_attention({names}):\n{lines}"


PROJECTED = "q, k, v = x @ weight_q.T, x @ weight_k.T, x @ weight_v.T\n"

RIGHT = {
    "the usual": written(
        PROJECTED
        + """scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
weights = scores.softmax(dim=-1)
return weights @ v, weights"""
    ),
    "F.linear": written("""linear = torch.nn.functional.linear
q, k, v = linear(x, weight_q), linear(x, weight_k), linear(x, weight_v)
weights = torch.nn.functional.softmax(q @ k.mT / k.shape[-1] ** 0.5, dim=-1)
return torch.matmul(weights, v), weights"""),
    "PyTorch's own attention": written(
        PROJECTED
        + """one_hot = torch.eye(x.shape[-2]).expand(*x.shape[:-1], -1)
attend = torch.nn.functional.scaled_dot_product_attention
return attend(q, k, v), attend(q, k, one_hot)"""
    ),
    "einsum with the stored order": written(
        """q = torch.einsum("...td,kd->...tk", x, weight_q)
k = torch.einsum("...td,kd->...tk", x, weight_k)
v = torch.einsum("...td,vd->...tv", x, weight_v)
w = torch.softmax(torch.einsum("...ik,...jk->...ij", q, k) / len(weight_k) ** 0.5, -1)
return torch.einsum("...ij,...jv->...iv", w, v), w"""
    ),
    "one wide matrix": written("""wide = torch.cat([weight_q, weight_k, weight_v])
sizes = [len(weight_q), len(weight_k), len(weight_v)]
q, k, v = (x @ wide.T).split(sizes, dim=-1)
w = (q @ k.mT * sizes[0] ** -0.5).softmax(-1)
return w @ v, w"""),
    "a module as in the chapter": """
class Head(torch.nn.Module):
    def __init__(self, weights):
        super().__init__()
        shapes = [w.shape for w in weights]
        self.parts = torch.nn.ModuleList(
            torch.nn.Linear(n_in, n_out, bias=False) for n_out, n_in in shapes
        )
        with torch.no_grad():
            for part, weight in zip(self.parts, weights):
                part.weight.copy_(weight)

    def forward(self, x):
        q, k, v = [part(x) for part in self.parts]
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        weights = scores.softmax(-1)
        return weights @ v, weights


def self_attention(x, weight_q, weight_k, weight_v):
    return Head([weight_q, weight_k, weight_v])(x)
""",
    "NumPy": written("""a = x.numpy()
q, k, v = (a @ w.numpy().T for w in (weight_q, weight_k, weight_v))
s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
e = np.exp(s - s.max(axis=-1, keepdims=True))
w = e / e.sum(axis=-1, keepdims=True)
return w @ v, w"""),
    "double": written("""x = x.double()
q, k, v = [x @ w.double().T for w in (weight_q, weight_k, weight_v)]
w = (q @ k.mT / math.sqrt(k.shape[-1])).softmax(-1)
return [w @ v, w]"""),
    "matrices from the left": written("""q = (weight_q @ x.mT).mT
k = weight_k @ x.mT
v = (weight_v @ x.mT).mT
w = (q @ k / k.shape[-2] ** 0.5).softmax(-1)
return w @ v, w"""),
    "other names, by transpose": written(
        """d_k = a.shape[0]
q = torch.matmul(rows, a.transpose(0, 1)) / math.sqrt(d_k)
k = torch.matmul(rows, b.transpose(0, 1))
shares = torch.softmax(torch.matmul(q, k.transpose(-1, -2)), dim=-1)
out = torch.matmul(shares, torch.matmul(rows, c.transpose(0, 1)))
return out, shares""",
        "rows, a, b, c",
    ),
    "the matrix between": written("""M = weight_q.T @ weight_k / weight_q.shape[0] ** 0.5
w = torch.softmax(x @ M @ x.transpose(-2, -1), dim=-1)
return w @ x @ weight_v.T, w"""),
    "loops": written("""if x.dim() == 3:
    rows = [self_attention(s, weight_q, weight_k, weight_v) for s in x]
    return torch.stack([r[0] for r in rows]), torch.stack([r[1] for r in rows])
t = x.shape[0]
weights = torch.zeros(t, t)
out = torch.zeros(t, weight_v.shape[0])
for i in range(t):
    scores = torch.zeros(t)
    for j in range(t):
        scores[j] = (weight_q @ x[i]) @ (weight_k @ x[j])
    weights[i] = torch.softmax(scores / math.sqrt(weight_q.shape[0]), 0)
    for j in range(t):
        out[i] += weights[i, j] * (weight_v @ x[j])
return out, weights"""),
    "baddbmm-like, largest taken off": written(
        PROJECTED
        + """s = (q / q.shape[-1] ** 0.25) @ (k / k.shape[-1] ** 0.25).mT
s = s - s.max(dim=-1, keepdim=True)[0]
w = s.exp()
w = w / w.sum(-1, keepdim=True)
return w @ v, w"""
    ),
}

WRONG = {
    "nothing returned": written(PROJECTED.strip()),
    "output alone": written(
        PROJECTED + "return (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1) @ v"
    ),
    "sigmoid": written(
        PROJECTED + "w = (q @ k.mT / q.shape[-1] ** 0.5).sigmoid()\nreturn w @ v, w"
    ),
    "new layers with random matrices": written(
        """torch.manual_seed(0)
sizes = [(w.shape[1], w.shape[0]) for w in (weight_q, weight_k, weight_v)]
q, k, v = [torch.nn.Linear(*size, bias=False)(x) for size in sizes]
w = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
return w @ v, w"""
    ),
    "transposed only where it does not fit": written(
        """def project(w):
    return x @ w if w.shape[0] == x.shape[-1] else x @ w.T

q, k, v = project(weight_q), project(weight_k), project(weight_v)
w = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
return w @ v, w"""
    ),
    "x scaled in place": written(
        """x /= weight_q.shape[0] ** 0.25
q, k, v = x @ weight_q.T, x @ weight_k.T, x @ weight_v.T
w = (q @ k.mT).softmax(-1)
return w @ v * weight_q.shape[0] ** 0.25, w"""
    ),
    "the second sentence forgotten": written(
        PROJECTED
        + """if x.dim() == 3:
    q, k = q[:1], k[:1]
w = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
return w @ v, w"""
    ),
    "batch flattened": written(
        """flat = x.reshape(-1, x.shape[-1])
q, k, v = flat @ weight_q.T, flat @ weight_k.T, flat @ weight_v.T
w = (q @ k.T / q.shape[-1] ** 0.5).softmax(-1)
return (w @ v).view(*x.shape[:-1], -1), w"""
    ),
    "normalised queries": written(
        PROJECTED
        + """q, k = q / q.norm(dim=-1, keepdim=True), k / k.norm(dim=-1, keepdim=True)
w = (q @ k.mT).softmax(-1)
return w @ v, w"""
    ),
    "later words hidden": written(
        PROJECTED
        + """s = q @ k.mT / q.shape[-1] ** 0.5
s = s.masked_fill(torch.ones_like(s).triu(1).bool(), -torch.inf)
w = s.softmax(-1)
return w @ v, w"""
    ),
    "half precision": written(
        PROJECTED
        + "w = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1).half().float()\n"
        + "return (w @ v).half().float(), w.round(decimals=2)"
    ),
}

END = "\nw = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)\nreturn w @ v, w"

SPELLINGS = {
    "matrices taken as (in, out)": [
        written("q, k, v = x @ weight_q, x @ weight_k, x @ weight_v" + END),
        written(
            """q = torch.matmul(x, weight_q)
k = torch.matmul(x, weight_k)
v = torch.matmul(x, weight_v)
weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), -1)
return torch.matmul(weights, v), weights"""
        ),
    ],
    "no projection at all": [
        written("w = (x @ x.mT / x.shape[-1] ** 0.5).softmax(-1)\nreturn w @ x, w")
    ],
    "keys made like queries": [
        written("q, k, v = x @ weight_q.T, x @ weight_q.T, x @ weight_v.T" + END),
        written("q, v = x @ weight_q.T, x @ weight_v.T\nk = q" + END),
    ],
    "queries made like keys": [
        written("q, k, v = x @ weight_k.T, x @ weight_k.T, x @ weight_v.T" + END)
    ],
    "queries and keys mixed up": [
        written("k, q, v = x @ weight_q.T, x @ weight_k.T, x @ weight_v.T" + END)
    ],
    "values not projected": [
        written("q, k, v = x @ weight_q.T, x @ weight_k.T, x" + END)
    ],
    "keys blended": [
        written("q, k, v = x @ weight_q.T, x @ weight_k.T, x @ weight_k.T" + END)
    ],
    "queries blended": [
        written("q, k, v = x @ weight_q.T, x @ weight_k.T, x @ weight_q.T" + END)
    ],
    "weights read by columns": [
        written(
            PROJECTED
            + """w = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
return torch.einsum("...ji,...jd->...id", w, v), w"""
        )
    ],
    "no scale": [
        written(PROJECTED + "w = (q @ k.mT).softmax(-1)\nreturn w @ v, w"),
        written(
            PROJECTED
            + """weights = torch.softmax(torch.einsum("...id,...jd->...ij", q, k), dim=-1)
return torch.einsum("...ij,...jd->...id", weights, v), weights"""
        ),
    ],
    "scaled by the width of the model": [
        written(
            PROJECTED
            + "w = (q @ k.mT / weight_q.shape[-1] ** 0.5).softmax(-1)\nreturn w @ v, w"
        ),
        written(
            PROJECTED
            + "w = (q @ k.mT / math.sqrt(x.size(-1))).softmax(-1)\nreturn w @ v, w"
        ),
    ],
    "divided by d_k": [
        written(PROJECTED + "w = (q @ k.mT / q.shape[-1]).softmax(-1)\nreturn w @ v, w")
    ],
    "scaled by the number of words": [
        written(
            PROJECTED
            + "w = (q @ k.mT / x.shape[-2] ** 0.5).softmax(-1)\nreturn w @ v, w"
        )
    ],
    "scaled by the width of the values": [
        written(
            PROJECTED
            + "w = (q @ k.mT / v.shape[-1] ** 0.5).softmax(-1)\nreturn w @ v, w"
        )
    ],
    "softmax over those who ask": [
        written(
            PROJECTED
            + "w = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-2)\nreturn w @ v, w"
        ),
        written(
            PROJECTED
            + "w = (k @ q.mT / q.shape[-1] ** 0.5).softmax(-1).mT\nreturn w @ v, w"
        ),
    ],
    "softmax along a fixed axis": [
        written(
            PROJECTED
            + "w = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, 1)\nreturn w @ v, w"
        )
    ],
    "transposed from the front": [
        written(
            PROJECTED
            + """scores = q @ k.mT / math.sqrt(q.size(-1))
weights = torch.softmax(scores, dim=2)
return weights @ v, weights"""
        ),
        written(
            PROJECTED
            + "w = (q @ k.T / q.shape[-1] ** 0.5).softmax(-1)\nreturn w @ v, w"
        ),
    ],
    "overflow": [
        written(
            PROJECTED
            + """e = torch.exp(q @ k.mT / q.shape[-1] ** 0.5)
w = e / e.sum(-1, keepdim=True)
return w @ v, w"""
        )
    ],
    "no exp": [
        written(
            PROJECTED
            + """s = q @ k.mT / q.shape[-1] ** 0.5
w = s / s.sum(-1, keepdim=True)
return w @ v, w"""
        )
    ],
    "scores returned as weights": [
        written(
            PROJECTED + "s = q @ k.mT / q.shape[-1] ** 0.5\nreturn s.softmax(-1) @ v, s"
        )
    ],
    "results swapped": [
        written(
            PROJECTED
            + "w = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)\nreturn w, w @ v"
        )
    ],
    "softmax over the whole table": [
        written(
            PROJECTED
            + """s = q @ k.mT / q.shape[-1] ** 0.5
w = s.flatten(-2).softmax(-1).reshape(s.shape)
return w @ v, w"""
        )
    ],
}
