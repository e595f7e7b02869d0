"""Answers to 12.1, cross-attention: (out, weights), the target asking the source."""


def written(body: str, names: str = "x, memory, w_q, w_k, w_v, src_mask=None") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def cross_attention({names}):\n{lines}"


RIGHT = {
    "the usual": written("""q, k, v = x @ w_q, memory @ w_k, memory @ w_v
scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
if src_mask is not None:
    scores = scores.masked_fill(~src_mask.unsqueeze(-2), float("-inf"))
weights = scores.softmax(dim=-1)
out = weights @ v
return out, weights"""),
    "the library": written("""d_k = w_q.shape[1]
scores = torch.matmul(x.matmul(w_q), memory.matmul(w_k).mT) / d_k**0.5
if src_mask is not None:
    scores = scores + torch.zeros(src_mask.shape).masked_fill(
        ~src_mask, -torch.inf
    ).unsqueeze(-2)
weights = torch.nn.functional.softmax(scores, dim=-1)
values = torch.matmul(memory, w_v)
return torch.matmul(weights, values), weights"""),
    "a large negative number": written("""q = torch.matmul(x, w_q)
k = torch.matmul(memory, w_k)
v = torch.matmul(memory, w_v)
s = q @ k.mT * k.shape[-1] ** -0.5
if src_mask is not None:
    s = s.masked_fill(src_mask[..., None, :] == 0, -1e9)
w = torch.softmax(s, -1)
return w @ v, w"""),
    "F.linear": written("""q = torch.nn.functional.linear(x, w_q.T)
k = torch.nn.functional.linear(memory, w_k.T)
v = torch.nn.functional.linear(memory, w_v.T)
mask = None if src_mask is None else src_mask.unsqueeze(-2)
scores = (q / q.size(-1) ** 0.5) @ k.mT
if mask is not None:
    scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
weights = scores.softmax(-1)
return weights @ v, weights"""),
    "einsum at once": written("""scores = torch.einsum("...td,de,fe,...sf->...ts", x, w_q, w_k, memory)
scores = scores / math.sqrt(w_q.size(1))
if src_mask is not None:
    hidden = torch.logical_not(src_mask)[..., None, :]
    scores = scores.masked_fill(hidden, -1e30)
weights = scores.softmax(-1)
return torch.einsum("...ts,...sd,de->...te", weights, memory, w_v), weights"""),
    "a helper": """
def attention(q, k, v, mask):
    s = q @ k.transpose(-1, -2) / math.sqrt(k.size(-1))
    if mask is not None:
        s = s.masked_fill(mask.logical_not(), -torch.inf)
    w = s.softmax(-1)
    return w @ v, w


def cross_attention(x, memory, w_q, w_k, w_v, src_mask=None):
    mask = src_mask if src_mask is None else src_mask[..., None, :]
    return attention(x @ w_q, memory @ w_k, memory @ w_v, mask)
""",
    "the book's own function": """
from tt_utils.blocks import scaled_dot_product_attention


def cross_attention(x, memory, w_q, w_k, w_v, src_mask=None):
    parts = [x @ w_q, memory @ w_k, memory @ w_v]
    single = x.dim() == 2
    q, k, v = [p[None, None] if single else p[:, None] for p in parts]
    mask = None
    if src_mask is not None:
        mask = src_mask[None, None, None] if single else src_mask[:, None, None]
    out, weights = scaled_dot_product_attention(q, k, v, mask)
    return (out[0, 0], weights[0, 0]) if single else (out[:, 0], weights[:, 0])
""",
    "padding thrown out of the memory": written("""if x.ndim == 3:
    pairs = [
        cross_attention(
            x[i], memory[i], w_q, w_k, w_v, None if src_mask is None else src_mask[i]
        )
        for i in range(x.shape[0])
    ]
    return torch.stack([a for a, _ in pairs]), torch.stack([b for _, b in pairs])
keep = torch.arange(memory.shape[0])
if src_mask is not None:
    keep = keep[src_mask]
weights = torch.zeros(x.shape[0], memory.shape[0])
weights[:, keep] = ((x @ w_q) @ (memory[keep] @ w_k).T / w_k.shape[1] ** 0.5).softmax(1)
return weights @ memory @ w_v, weights"""),
    "own softmax": written("""q = x @ w_q
k = memory @ w_k
scores = q @ k.mT / np.sqrt(q.shape[-1])
if src_mask is not None:
    scores = scores.masked_fill(~src_mask[..., None, :], -torch.inf)
e = (scores - scores.max(dim=-1, keepdim=True).values).exp()
weights = e / e.sum(dim=-1, keepdim=True)
return weights @ (memory @ w_v), weights"""),
    "NumPy": written("""a, b, wq, wk, wv = (t.numpy() for t in (x, memory, w_q, w_k, w_v))
s = (a @ wq) @ np.swapaxes(b @ wk, -1, -2) / np.sqrt(wq.shape[1])
if src_mask is not None:
    s = np.where(src_mask.numpy()[..., None, :], s, -1e9)
e = np.exp(s - s.max(-1, keepdims=True))
w = e / e.sum(-1, keepdims=True)
return w @ (b @ wv), w"""),
    "double": written("""x, memory = x.double(), memory.double()
q = x @ w_q.double()
k, v = (memory @ w.double() for w in (w_k, w_v))
weights = q @ k.mT / math.sqrt(k.shape[-1])
if src_mask is not None:
    weights = weights.masked_fill(~src_mask.unsqueeze(-2), -1e9)
weights = weights.softmax(-1)
return [weights @ v, weights]"""),
    "a mask for everybody": written(
        """if mask is None:
    mask = torch.ones(enc.shape[:-1], dtype=torch.bool)
scores = dec @ wq @ (enc @ wk).mT / math.sqrt(wq.shape[-1])
scores = scores.masked_fill(~mask[..., None, :], -torch.inf)
weights = torch.softmax(scores, dim=-1)
return weights @ (enc @ wv), weights""",
        "dec, enc, wq, wk, wv, mask=None",
    ),
    "loops over words": written("""def one(row, rows, real):
    question = row @ w_q
    scores = torch.tensor([float(question @ (r @ w_k)) for r in rows])
    scores = scores / len(question) ** 0.5
    return scores.masked_fill(~real, -torch.inf).softmax(0)

batch = x.dim() == 3
xs, ms = (x, memory) if batch else (x[None], memory[None])
real = torch.ones(ms.shape[:2], dtype=torch.bool)
if src_mask is not None:
    real = real & src_mask
w = torch.stack(
    [torch.stack([one(r, m, k) for r in a]) for a, m, k in zip(xs, ms, real)]
)
out = w @ (ms @ w_v)
return (out, w) if batch else (out[0], w[0])"""),
    "the mask's axis by dimension": written("""q = x @ w_q
k = memory @ w_k
scores = q @ k.transpose(-2, -1) * (1 / math.sqrt(w_k.shape[-1]))
if src_mask is not None:
    if src_mask.dim() == 1:
        src_mask = src_mask[None, :]
    else:
        src_mask = src_mask[:, None, :]
    scores = scores - 1e9 * (~src_mask)
weights = scores.softmax(dim=-1)
return weights @ (memory @ w_v), weights"""),
}

WRONG = {
    "nothing returned": written("q = x @ w_q\nk = memory @ w_k"),
    "output alone": written("""s = x @ w_q @ (memory @ w_k).mT / w_q.shape[1] ** 0.5
return s.softmax(-1) @ (memory @ w_v)"""),
    "target and source in one memory": written("""both = torch.cat([memory, x], dim=-2)
q, k, v = x @ w_q, both @ w_k, both @ w_v
w = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
return w @ v, w"""),
    "sigmoid": written("""q, k, v = x @ w_q, memory @ w_k, memory @ w_v
w = torch.sigmoid(q @ k.mT / q.shape[-1] ** 0.5)
return w @ v, w"""),
    "matrices transposed": written("""q, k, v = x @ w_q.T, memory @ w_k.T, memory @ w_v.T
w = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
return w @ v, w"""),
    "padding of the first sentence for all": written("""q, k, v = x @ w_q, memory @ w_k, memory @ w_v
s = q @ k.mT / q.shape[-1] ** 0.5
if src_mask is not None:
    first = src_mask if src_mask.dim() == 1 else src_mask[0]
    s = s.masked_fill(~first, -1e9)
w = s.softmax(-1)
return w @ v, w"""),
    "memory masked in place": written("""if src_mask is not None:
    memory[~src_mask] = 0
q, k, v = x @ w_q, memory @ w_k, memory @ w_v
s = q @ k.mT / q.shape[-1] ** 0.5
if src_mask is not None:
    s = s.masked_fill(~src_mask[..., None, :], -1e9)
w = s.softmax(-1)
return w @ v, w"""),
    "padding rows of the memory set to 0": written("""if src_mask is not None:
    memory = memory * src_mask[..., None]
q, k, v = x @ w_q, memory @ w_k, memory @ w_v
w = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
return w @ v, w"""),
}

SPELLINGS = {
    "source asks, target answers": [
        written("""q, k, v = memory @ w_q, x @ w_k, x @ w_v
w = torch.softmax(q @ k.mT / math.sqrt(k.shape[-1]), -1)
return w @ v, w"""),
        written("""enc_q = torch.matmul(memory, w_q)
s = torch.einsum("...id,...jd->...ij", enc_q, x @ w_k) / enc_q.shape[-1] ** 0.5
weights = s.softmax(-1)
return torch.matmul(weights, torch.matmul(x, w_v)), weights"""),
    ],
    "keys from the target": [
        written("""q, k, v = x @ w_q, x @ w_k, memory @ w_v
s = q @ k.mT / q.shape[-1] ** 0.5
w = s.softmax(-1)
return torch.matmul(w, v), w"""),
        written("""scores = (x @ w_q) @ (x @ w_k).transpose(-2, -1) / math.sqrt(w_q.shape[1])
weights = torch.softmax(scores, dim=-1)
out = weights @ (memory @ w_v)
return out, weights"""),
    ],
    "values from the target": [
        written("""s = (x @ w_q) @ (memory @ w_k).mT / w_q.shape[1] ** 0.5
if src_mask is not None:
    s = s.masked_fill(~src_mask[..., None, :], -1e9)
w = s.softmax(-1)
return w @ (x @ w_v), w"""),
        written("""k = memory @ w_k
q, v = x @ w_q, x @ w_v
weights = (q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])).softmax(-1)
out = weights @ v
return out, weights"""),
    ],
    "memory ignored": [
        written("""q, k, v = x @ w_q, x @ w_k, x @ w_v
w = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
return w @ v, w"""),
        written("""q, k, v = [x @ w for w in (w_q, w_k, w_v)]
scores = torch.einsum("...id,...jd->...ij", q, k) / math.sqrt(q.size(-1))
weights = torch.softmax(scores, -1)
return weights @ v, weights"""),
    ],
    "queries from the memory": [
        written("""q, k, v = [memory @ w for w in (w_q, w_k, w_v)]
w = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
return w @ v, w"""),
    ],
    "no scale": [
        written("""s = (x @ w_q) @ (memory @ w_k).mT
if src_mask is not None:
    s = s.masked_fill(~src_mask[..., None, :], -1e9)
w = s.softmax(-1)
return w @ (memory @ w_v), w"""),
        written("""q, k, v = x @ w_q, memory @ w_k, memory @ w_v
scores = torch.einsum("...id,...jd->...ij", q, k)
if src_mask is not None:
    scores = scores.masked_fill(~src_mask.unsqueeze(-2), -torch.inf)
weights = torch.softmax(scores, -1)
return weights @ v, weights"""),
    ],
    "scaled by the width of the model": [
        written("""s = (x @ w_q) @ (memory @ w_k).mT / memory.shape[-1] ** 0.5
if src_mask is not None:
    s = s.masked_fill(~src_mask[..., None, :], -1e9)
w = s.softmax(-1)
return w @ (memory @ w_v), w"""),
        written("""d_model = x.size(-1)
q, k, v = x @ w_q, memory @ w_k, memory @ w_v
scores = q @ k.mT / math.sqrt(d_model)
if src_mask is not None:
    scores = torch.where(src_mask[..., None, :], scores, -torch.inf)
weights = scores.softmax(-1)
return weights @ v, weights"""),
    ],
    "divided by d_k": [
        written("""q, k, v = x @ w_q, memory @ w_k, memory @ w_v
scores = (q[..., :, None, :] * k[..., None, :, :]).mean(-1)
if src_mask is not None:
    scores = scores.masked_fill(~src_mask[..., None, :], -1e9)
w = scores.softmax(-1)
return w @ v, w"""),
    ],
    "softmax over the target": [
        written("""q, k, v = x @ w_q, memory @ w_k, memory @ w_v
s = q @ k.mT / q.shape[-1] ** 0.5
if src_mask is not None:
    s = s.masked_fill(~src_mask[..., None, :], -torch.inf)
w = s.softmax(-2)
return w @ v, w"""),
        written("""q, k, v = x @ w_q, memory @ w_k, memory @ w_v
s = k @ q.mT / q.shape[-1] ** 0.5
if src_mask is not None:
    s = s.masked_fill(~src_mask[..., :, None], -torch.inf)
w = s.softmax(-1).mT
return w @ v, w"""),
    ],
    "mask ignored": [
        written("""q, k, v = x @ w_q, memory @ w_k, memory @ w_v
w = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
return w @ v, w"""),
        written("""scores = x @ w_q @ (memory @ w_k).transpose(-2, -1) / math.sqrt(w_q.shape[-1])
if src_mask is not None:
    scores.masked_fill(~src_mask.unsqueeze(-2), -torch.inf)
weights = scores.softmax(-1)
return weights @ memory @ w_v, weights"""),
    ],
    "mask inverted": [
        written("""q, k, v = x @ w_q, memory @ w_k, memory @ w_v
s = q @ k.mT / q.shape[-1] ** 0.5
if src_mask is not None:
    s = s.masked_fill(src_mask.unsqueeze(-2), float("-inf"))
w = s.softmax(-1)
return w @ v, w"""),
        written("""q, k, v = x @ w_q, memory @ w_k, memory @ w_v
s = q @ k.mT / q.shape[-1] ** 0.5
if src_mask is not None:
    s = s - 1e9 * src_mask[..., None, :]
w = s.softmax(-1)
return w @ v, w"""),
    ],
    "mask on the queries": [
        written("""q, k, v = x @ w_q, memory @ w_k, memory @ w_v
s = q @ k.mT / q.shape[-1] ** 0.5
if src_mask is not None:
    s = s.masked_fill(~src_mask.unsqueeze(-1), -1e9)
w = s.softmax(-1)
return w @ v, w"""),
    ],
    "mask without an axis for the queries": [
        written("""q, k, v = x @ w_q, memory @ w_k, memory @ w_v
s = q @ k.mT / q.shape[-1] ** 0.5
if src_mask is not None:
    s = s.masked_fill(~src_mask, -1e9)
w = s.softmax(-1)
return w @ v, w"""),
    ],
    "masked scores filled with 0": [
        written("""q, k, v = x @ w_q, memory @ w_k, memory @ w_v
s = q @ k.mT / q.shape[-1] ** 0.5
if src_mask is not None:
    s = s * src_mask[..., None, :].float()
w = s.softmax(-1)
return w @ v, w"""),
    ],
    "mask after softmax": [
        written("""q, k, v = x @ w_q, memory @ w_k, memory @ w_v
w = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
if src_mask is not None:
    w = w.masked_fill(~src_mask[..., None, :], 0)
return w @ v, w"""),
    ],
    "causal mask on the source": [
        written("""q, k, v = x @ w_q, memory @ w_k, memory @ w_v
s = q @ k.mT / q.shape[-1] ** 0.5
may = torch.ones(s.shape[-2:], dtype=torch.bool).tril()
if src_mask is not None:
    may = may & src_mask[..., None, :]
w = s.masked_fill(~may, -torch.inf).softmax(-1)
return w @ v, w"""),
    ],
    "scores returned as weights": [
        written("""q, k, v = x @ w_q, memory @ w_k, memory @ w_v
s = q @ k.mT / q.shape[-1] ** 0.5
if src_mask is not None:
    s = s.masked_fill(~src_mask[..., None, :], -torch.inf)
return s.softmax(-1) @ v, s"""),
    ],
    "results swapped": [
        written("""q, k, v = x @ w_q, memory @ w_k, memory @ w_v
s = q @ k.mT / q.shape[-1] ** 0.5
if src_mask is not None:
    s = s.masked_fill(~src_mask[..., None, :], -torch.inf)
w = s.softmax(-1)
return w, w @ v"""),
    ],
    "values not projected": [
        written("""s = x @ w_q @ (memory @ w_k).mT / w_q.shape[-1] ** 0.5
if src_mask is not None:
    s = s.masked_fill(~src_mask[..., None, :], -torch.inf)
w = s.softmax(-1)
return w @ memory, w"""),
    ],
    "one matrix for keys and values": [
        written("""k = v = memory @ w_k
s = x @ w_q @ k.mT / w_q.shape[-1] ** 0.5
if src_mask is not None:
    s = s.masked_fill(~src_mask[..., None, :], -torch.inf)
w = s.softmax(-1)
return w @ v, w"""),
    ],
    "weights mixed up": [
        written("""q, k, v = x @ w_k, memory @ w_q, memory @ w_v
s = q @ k.mT / w_q.shape[-1] ** 0.5
if src_mask is not None:
    s = s.masked_fill(~src_mask[..., None, :], -torch.inf)
w = s.softmax(-1)
return w @ v, w"""),
    ],
}
