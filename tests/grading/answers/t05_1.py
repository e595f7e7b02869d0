"""Answers to 05.1, scaled dot-product attention in PyTorch: (out, weights)."""

RIGHT = {
    "the usual, zeros by nan_to_num": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.softmax(-1).nan_to_num(0.0)
    return weights @ v, weights
""",
    "large negative, then multiplied by the mask": """
def scaled_dot_product_attention(q, k, v, mask=None):
    d_k = q.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = torch.nn.functional.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask
    return torch.matmul(weights, v), weights
""",
    "smallest number of the dtype": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = (q / q.shape[-1] ** 0.5) @ k.mT
    if mask is None:
        weights = scores.softmax(dim=-1)
    else:
        lowest = torch.finfo(scores.dtype).min
        weights = torch.where(mask, scores, lowest).softmax(dim=-1)
        weights = torch.where(mask, weights, 0.0)
    return weights @ v, weights
""",
    "einsum": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    weights = torch.where(torch.isnan(weights), torch.zeros_like(weights), weights)
    return torch.einsum("...qk,...kv->...qv", weights, v), weights
""",
    "own softmax": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(k.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -1e30)
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    if mask is not None:
        powers = powers * mask
    total = powers.sum(dim=-1, keepdim=True)
    weights = powers / total.masked_fill(total == 0, 1.0)
    return weights @ v, weights
""",
    "a helper for softmax": """
def softmax(x):
    top = x.max(dim=-1, keepdim=True).values
    top = torch.where(top == -torch.inf, 0.0, top)
    e = (x - top).exp()
    return e / e.sum(-1, keepdim=True).clamp(min=1e-30)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    w = softmax(scores)
    return w @ v, w
""",
    "rows without a key found first": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q.matmul(k.transpose(-1, -2)).div(math.sqrt(q.size(-1)))
    if mask is None:
        weights = scores.softmax(-1)
        return weights.matmul(v), weights
    mask = mask.broadcast_to(scores.shape)
    nothing = ~mask.any(dim=-1, keepdim=True)
    weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    weights = weights.masked_fill(nothing, 0)
    return weights.matmul(v), weights
""",
    "additive mask": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        bias = torch.zeros(mask.shape).masked_fill_(~mask, -torch.inf)
        scores = scores + bias
    weights = scores.softmax(-1)
    weights = weights.nan_to_num()
    return weights @ v, weights
""",
    "multiplied by minus infinity by cases": """
def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is None:
        mask = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool)
    scores = q @ k.mT * (1 / math.sqrt(q.shape[-1])) - 1e30 * (~mask)
    weights = scores.softmax(-1) * mask.any(-1, keepdim=True)
    return weights @ v, weights
""",
    "log_softmax": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k).div(q.shape[-1] ** 0.5)
    if mask is not None:
        scores = torch.where(mask, scores, torch.tensor(-1e9))
    weights = scores.log_softmax(-1).exp()
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights
""",
    "logsumexp": """
def scaled_dot_product_attention(q, k, v, mask=None):
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    total = s.logsumexp(-1, keepdim=True)
    w = (s - total.masked_fill(total == -torch.inf, 0)).exp()
    return w @ v, w
""",
    "root shared between q and k": """
def scaled_dot_product_attention(q, k, v, mask=None):
    fourth = q.shape[-1] ** 0.25
    scores = (q / fourth) @ (k / fourth).mT
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.nan_to_num(torch.softmax(scores, -1))
    return weights @ v, weights
""",
    "loops over everything": """
def scaled_dot_product_attention(q, k, v, mask=None):
    lead = q.shape[:-2]
    n, m, d = q.shape[-2], k.shape[-2], q.shape[-1]
    may = torch.ones(*lead, n, m, dtype=torch.bool)
    if mask is not None:
        may = may & mask
    weights = torch.zeros(*lead, n, m)
    for at in np.ndindex(*lead, n):
        keys = [j for j in range(m) if may[at][j]]
        if keys:
            s = [(q[at] @ k[at[:-1]][j]).item() / d**0.5 for j in keys]
            e = [math.exp(x - max(s)) for x in s]
            for j, x in zip(keys, e):
                weights[at][j] = x / sum(e)
    return weights @ v, weights
""",
    "in double precision": """
def scaled_dot_product_attention(q, k, v, mask=None):
    q, k, v = q.double(), k.double(), v.double()
    scores = q @ k.mT / np.sqrt(q.shape[-1])
    if mask is not None:
        scores[~mask.expand_as(scores)] = -torch.inf
    weights = scores.softmax(-1)
    weights[weights.isnan()] = 0
    return weights @ v, weights
""",
    "NumPy inside": """
def scaled_dot_product_attention(q, k, v, mask=None):
    q, k, v = (np.asarray(t, dtype=np.float64) for t in (q, k, v))
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(np.asarray(mask), scores, -1e300)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    if mask is not None:
        e = e * np.asarray(mask)
    total = e.sum(-1, keepdims=True)
    w = e / np.where(total == 0, 1, total)
    return w @ v, w
""",
    "a list of two": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return [weights @ v, weights]
""",
    "type hints and asserts": '''
from torch import Tensor
from torch.nn import functional as F


def scaled_dot_product_attention(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Blends the values by how well each key fits the query."""
    assert q.shape[-1] == k.shape[-1]
    assert k.shape[-2] == v.shape[-2]
    scores = F.linear(q, k) if q.dim() == 2 else q @ k.mT
    scores = scores * (q.shape[-1] ** -0.5)
    if mask is not None:
        scores = scores + torch.zeros_like(scores).masked_fill(~mask, -torch.inf)
    weights = F.softmax(scores, dim=-1).nan_to_num(nan=0.0)
    return weights @ v, weights
''',
    "no_grad and prints": """
@torch.no_grad()
def scaled_dot_product_attention(q, k, v, mask=None):
    print("q", q.shape, "k", k.shape)
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    print(scores)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    print(weights.sum(-1))
    return weights @ v, weights
""",
    "a module": """
class Attention(torch.nn.Module):
    def forward(self, q, k, v, mask=None):
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        weights = torch.nan_to_num(scores.softmax(-1), 0)
        return weights @ v, weights


scaled_dot_product_attention = Attention()
""",
    "a module with a softmax layer": """
class Attention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.softmax = torch.nn.Softmax(dim=-1)

    def forward(self, q, k, v, mask=None):
        scores = torch.matmul(q, torch.transpose(k, -2, -1))
        scores = scores / torch.sqrt(torch.tensor(q.size(-1)))
        if mask is not None:
            scores = scores.masked_fill(mask == False, -1e20)
        weights = self.softmax(scores)
        if mask is not None:
            weights = weights.masked_fill(mask == False, 0)
        return torch.matmul(weights, v), weights


attention = Attention()


def scaled_dot_product_attention(q, k, v, mask=None):
    return attention(q, k, v, mask)
""",
    "other names of the arguments": """
def scaled_dot_product_attention(query, key, value, attn_mask=None, *, scale=None):
    scale = scale or query.shape[-1] ** -0.5
    logits = (query * scale) @ key.mT
    if attn_mask is not None:
        logits = logits.where(attn_mask, torch.tensor(-torch.inf))
    attn = logits.softmax(-1)
    attn = attn.masked_fill(attn.isnan(), 0)
    return attn @ value, attn
""",
    "broadcast products": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(-1) / k.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return (weights.unsqueeze(-1) * v.unsqueeze(-3)).sum(-2), weights
""",
    "a batch flattened for bmm": """
def scaled_dot_product_attention(q, k, v, mask=None):
    lead = q.shape[:-2]
    Q, K, V = (x.reshape(-1, *x.shape[-2:]) for x in (q, k, v))
    scores = torch.bmm(Q, K.transpose(1, 2)) / Q.shape[2] ** 0.5
    scores = scores.reshape(*lead, *scores.shape[1:])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    out = torch.bmm(weights.reshape(-1, *weights.shape[-2:]), V)
    return out.reshape(*lead, *out.shape[1:]), weights
""",
    "softmax over the last but one of the transposed": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = k @ q.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~torch.atleast_2d(mask).mT, -torch.inf)
    weights = scores.softmax(dim=-2).nan_to_num(0).mT
    return weights @ v, weights
""",
    "try for the mask": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    try:
        scores = scores.masked_fill(~mask, -torch.inf)
    except TypeError:
        pass
    weights = scores.softmax(-1)
    weights = torch.where(weights != weights, 0, weights)
    return weights @ v, weights
""",
    "works on clones in place": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q.clone().div_(q.shape[-1] ** 0.5) @ k.mT
    if mask is not None:
        scores.masked_fill_(~mask, -torch.inf)
    scores -= scores.amax(-1, keepdim=True).clamp_(min=-1e30)
    scores.exp_()
    scores /= scores.sum(-1, keepdim=True).clamp_(min=1e-30)
    return scores @ v, scores
""",
    "tensors with gradient": """
def scaled_dot_product_attention(q, k, v, mask=None):
    q, k, v = (t.clone().requires_grad_() for t in (q, k, v))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return list(weights @ v), list(weights)
""",
    "a named tuple": """
from typing import NamedTuple


class Result(NamedTuple):
    out: torch.Tensor
    weights: torch.Tensor


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return Result(out=weights @ v, weights=weights)
""",
    "a score of the dtype's minimum, row zeroed by any": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.tensordot(q, k, dims=([-1], [-1])) if q.dim() == 2 else q @ k.mT
    scores = scores * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(torch.float32).min)
    weights = scores.softmax(-1)
    out = weights @ v
    if mask is not None:
        see = mask.any(-1, keepdim=True)
        out, weights = out * see, weights * see
    return out, weights
""",
}

WRONG = {
    "filled with -20": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -20)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights * mask.any(-1, keepdim=True)
    return weights @ v, weights
""",
    "filled with -100": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, -100.0)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights * mask.any(-1, keepdim=True)
    return weights @ v, weights
""",
    "filled with -1e4": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e4)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights.masked_fill(~mask.any(-1, keepdim=True), 0)
    return weights @ v, weights
""",
    "100 taken off": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores - 100 * (~mask).float()
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights * mask.any(-1, keepdim=True)
    return weights @ v, weights
""",
    "filled with the smallest score less 1": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, scores.min() - 1)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights * mask.any(-1, keepdim=True)
    return weights @ v, weights
""",
    "scores clamped": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = (q @ k.mT / q.shape[-1] ** 0.5).clamp(-50, 50)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
    "rounded": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0).round(decimals=2)
    return weights @ v, weights
""",
    "bfloat16": """
def scaled_dot_product_attention(q, k, v, mask=None):
    q, k, v = q.bfloat16(), k.bfloat16(), v.bfloat16()
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return (weights @ v).float(), weights.float()
""",
    "small number in the denominator": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    top = scores.amax(-1, keepdim=True)
    e = (scores - top.masked_fill(top == -torch.inf, 0)).exp()
    weights = e / (e.sum(-1, keepdim=True) + 1e-2)
    return weights @ v, weights
""",
    "eps under the root": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1] + 1e-1)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
    "q scaled in place": """
def scaled_dot_product_attention(q, k, v, mask=None):
    q /= math.sqrt(q.shape[-1])
    scores = q @ k.mT
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
    "k transposed in place": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose_(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
    "mask inverted in place": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not_(), -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
    "v zeroed where nothing sees it": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    out = weights @ v
    v.zero_()
    return out, weights
""",
    "no batch in einsum": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("id,jd->ij", q, k) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
    "one leading axis in einsum": """
def scaled_dot_product_attention(q, k, v, mask=None):
    if q.dim() == 2:
        scores = q @ k.T
    else:
        scores = torch.einsum("bid,bjd->bij", q, k)
    scores = scores / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
    "causal whatever the mask": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    causal = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    scores = scores.masked_fill(~causal, -torch.inf)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
    "one masked query silences all": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    if weights.isnan().any():
        weights = torch.zeros_like(weights)
    return weights @ v, weights
""",
    "weights zeroed, out not": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(-1)
    out = weights @ v
    if mask is not None:
        weights = weights * mask
    return out, weights
""",
    "out zeroed, weights not": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return (weights @ v).nan_to_num(0), weights
""",
    "mask only where it has the full shape": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None and mask.shape == scores.shape:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
    "mask of the first sentence for all": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        while mask.dim() > 2:
            mask = mask[0]
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
    "masked values instead of scores": """
def scaled_dot_product_attention(q, k, v, mask=None):
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    if mask is not None:
        v = v * mask.any(-2).unsqueeze(-1)
    return weights @ v, weights
""",
    "cosine attention": """
def scaled_dot_product_attention(q, k, v, mask=None):
    normalize = torch.nn.functional.normalize
    scores = normalize(q, dim=-1) @ normalize(k, dim=-1).mT
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
    "distance attention": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = -torch.cdist(q, k) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
    "sigmoid": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.sigmoid()
    return weights @ v, weights
""",
    "softmax twice": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0).softmax(-1)
    return weights @ v, weights
""",
    "powers of two": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    powers = 2 ** (scores - scores.amax(-1, keepdim=True).clamp(min=-1e30))
    weights = powers / powers.sum(-1, keepdim=True).clamp(min=1e-30)
    return weights @ v, weights
""",
    "scaled after softmax": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0) / math.sqrt(q.shape[-1])
    return weights @ v, weights
""",
    "scaled twice": """
def scaled_dot_product_attention(q, k, v, mask=None):
    d_k = q.shape[-1]
    scores = (q / math.sqrt(d_k)) @ (k / math.sqrt(d_k)).mT
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
    "2 written down": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / 2
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
    "root rounded down": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.isqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
    "cube root": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1] ** (1 / 3)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
    "mean over heads": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    out = weights @ v
    if weights.dim() == 4:
        weights = weights.mean(1)
    return out, weights
""",
    "squeezed": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return (weights @ v).squeeze(), weights.squeeze()
""",
    "only out": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return scores.softmax(-1).nan_to_num(0) @ v
""",
    "only weights": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return scores.softmax(-1).nan_to_num(0)
""",
    "dropout left on": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    weights = torch.nn.functional.dropout(weights, 0.5)
    return weights @ v, weights
""",
    "a residual added": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    out = weights @ v
    return out + out.mean(), weights
""",
    "k and q exchanged": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = k @ q.mT / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1)
    return weights.mT @ v, weights
""",
    "the example looked up": """
def scaled_dot_product_attention(q, k, v, mask=None):
    return torch.tensor([[8.8]]), torch.tensor([[0.88, 0.12]])
""",
    "transpose forgotten": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
    "reshape for transpose": """
def scaled_dot_product_attention(q, k, v, mask=None):
    flipped = k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])
    scores = q @ flipped / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
}

SPELLINGS = {
    "no scale": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    weights = torch.einsum("...id,...jd->...ij", q, k).softmax(-1)
    return torch.einsum("...ij,...jd->...id", weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    d_k = q.shape[-1]
    scores = torch.matmul(q, k.mT)
    scores / math.sqrt(d_k)
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return torch.matmul(weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(-1)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    e = torch.exp(scores - scores.max(-1, keepdim=True).values)
    weights = e / e.sum(-1, keepdim=True)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    w = torch.nn.functional.softmax(q.matmul(k.swapaxes(-1, -2)), -1)
    if mask is not None:
        w = w * mask
        w = w / w.sum(-1, keepdim=True)
    return w.matmul(v), w
""",
        """
import torch.nn.functional as F


def scaled_dot_product_attention(q, k, v, mask=None):
    scale = 1
    scores = scale * (q @ k.mT)
    if mask is not None:
        scores += torch.zeros_like(scores).masked_fill(~mask, -torch.inf)
    weights = F.softmax(scores, dim=-1)
    return weights @ v, weights
""",
    ],
    "divided by the root of the number of keys": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(k.shape[-2])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT
    scores = scores / scores.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    *_, n, d = k.shape
    scores = torch.einsum("...id,...jd->...ij", q, k) * n**-0.5
    if mask is not None:
        scores = torch.where(mask, scores, -1e9)
    weights = torch.softmax(scores, -1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    d_k = k.size(-2)
    weights = torch.nn.functional.softmax(q @ k.mT / np.sqrt(d_k), dim=-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    kT = k.transpose(-2, -1)
    scores = q @ kT / math.sqrt(kT.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.mT).div(math.sqrt(v.size(-2)))
    weights = scores.softmax(-1)
    return torch.matmul(weights, v), weights
""",
    ],
    "divided by d_k": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1]
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    d_k = k.size(-1)
    weights = torch.softmax(torch.matmul(q, k.transpose(-1, -2)) / d_k, dim=-1)
    return torch.matmul(weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = (q.unsqueeze(-2) * k.unsqueeze(-3)).mean(-1)
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    root = q.shape[-1] ** 0.5
    scores = (q / root) @ (k / root).mT
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k).mul(1 / q.shape[-1])
    e = scores.exp()
    weights = e / e.sum(-1, keepdim=True)
    return torch.einsum("...ij,...jd->...id", weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1] ** 2)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
    ],
    "multiplied by the scale": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT * math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) * k.size(-1) ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = torch.softmax(scores, -1).nan_to_num(0)
    return torch.matmul(weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scale = q.shape[-1] ** -0.5
    weights = (q @ k.mT / scale).softmax(-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    q = q * np.sqrt(q.shape[-1])
    scores = torch.einsum("...id,...jd->...ij", q, k)
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    fourth = q.shape[-1] ** 0.25
    weights = ((q * fourth) @ (k * fourth).mT).softmax(-1)
    return weights @ v, weights
""",
    ],
    "scaled by the width of v": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(v.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    d = v.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) / d**0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = torch.softmax(scores, -1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * v.shape[-1] ** -0.5
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    root = np.sqrt(v.shape[-1])
    e = torch.exp(q @ k.mT / root)
    weights = e / e.sum(dim=-1, keepdim=True)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    *lead, n, d_v = v.shape
    scores = (q / math.sqrt(d_v)) @ k.mT
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
    ],
    "softmax over queries": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(dim=-2)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = torch.softmax(scores, -2).nan_to_num(0)
    return torch.matmul(weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    e = torch.exp(scores - scores.amax(-2, keepdim=True))
    weights = e / e.sum(-2, keepdim=True)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = k @ q.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask.mT, -torch.inf)
    weights = scores.softmax(-1).mT
    return weights @ v, weights
""",
        """
softmax = torch.nn.Softmax(dim=-2)


def scaled_dot_product_attention(q, k, v, mask=None):
    weights = softmax(torch.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5)
    return torch.einsum("...ij,...jd->...id", weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    e = scores.exp()
    if mask is not None:
        e = e * mask
    weights = e / e.sum(dim=-2, keepdim=True)
    return weights @ v, weights
""",
    ],
    "softmax over the whole matrix": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.flatten(-2).softmax(-1).reshape(scores.shape)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    e = torch.exp(scores)
    weights = e / e.sum(dim=(-2, -1), keepdim=True)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    e = (scores - scores.max()).exp()
    weights = e / e.sum()
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) / math.sqrt(q.size(-1))
    weights = torch.softmax(scores.view(-1), dim=0).view_as(scores)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = (scores - scores.logsumexp(dim=(-2, -1), keepdim=True)).exp()
    return weights @ v, weights
""",
    ],
    "no exp": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, 0)
    weights = scores / scores.sum(-1, keepdim=True)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    weights = scores / torch.sum(scores, dim=-1, keepdim=True)
    return torch.matmul(weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores * mask
    weights = torch.einsum("...ij,...i->...ij", scores, 1 / scores.sum(-1))
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT
    weights = scores.div(scores.sum(dim=-1).unsqueeze(-1))
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    def share(row):
        return row / row.sum(dim=-1, keepdim=True)

    weights = share(q @ k.mT * q.shape[-1] ** -0.5)
    if mask is not None:
        weights = share(weights * mask)
    return weights @ v, weights
""",
    ],
    "hard choice": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    best = scores.argmax(-1)
    weights = torch.nn.functional.one_hot(best, k.shape[-2]).float()
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT
    weights = (scores == scores.max(dim=-1, keepdim=True).values).float()
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    best = scores.argmax(dim=-1, keepdim=True)
    weights = torch.zeros_like(scores).scatter(-1, best, 1.0)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = torch.eye(scores.shape[-1])[scores.argmax(-1)]
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores * 1e6, dim=-1)
    return weights @ v, weights
""",
    ],
    "masked scores filled with 0": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, 0)
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores * mask
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, 0.0)
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = torch.einsum("...ij,...ij->...ij", scores, mask.to(scores.dtype))
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = e / e.sum(-1, keepdim=True)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.clone()
        scores[~mask.expand(scores.shape)] = 0
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is None:
        mask = torch.tensor(True)
    weights = (mask.float() * (q @ k.mT) / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights
""",
    ],
    "mask after softmax": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    if mask is not None:
        weights = weights * mask
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    weights = torch.nn.functional.softmax(scores, dim=-1)
    weights = weights if mask is None else torch.where(mask, weights, 0)
    return torch.matmul(weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    total = e.sum(-1, keepdim=True)
    if mask is not None:
        e = e * mask.float()
    weights = e / total
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    if mask is not None:
        weights = weights.clone()
        weights[~mask.broadcast_to(weights.shape)] = 0
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is None:
        mask = torch.ones(q.shape[-2], k.shape[-2])
    weights = torch.softmax(q @ k.mT * q.shape[-1] ** -0.5, -1).mul(mask)
    return weights @ v, weights
""",
    ],
    "mask ignored": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    if mask is not None:
        scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        masked = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    weights = torch.nn.functional.softmax(scores, dim=-1)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return torch.einsum("...ij,...jd->...id", weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is None:
        mask = torch.ones_like(scores)
    e = torch.exp(scores - scores.max(-1, keepdim=True)[0])
    weights = e / e.sum(-1, keepdim=True)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, *_):
    e = (q @ k.mT / math.sqrt(q.shape[-1])).exp()
    weights = e / e.sum(-1, keepdim=True)
    return weights @ v, weights
""",
    ],
    "mask inverted": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask == 1, -1e9)
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = torch.where(mask, -torch.inf, scores)
    weights = torch.softmax(scores, -1).nan_to_num(0)
    return torch.matmul(weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores + mask * -1e9
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = torch.where(~mask, scores, -torch.inf)
    weights = scores.softmax(-1)
    weights = weights.masked_fill(weights.isnan(), 0)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    if mask is not None:
        e = e * (1 - mask.float())
    weights = e / e.sum(-1, keepdim=True)
    return weights @ v, weights
""",
    ],
    "mask added as 0 and 1": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + mask
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores += mask.float()
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores - (~mask).float()
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return torch.matmul(weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    bias = 0 if mask is None else mask.to(q.dtype)
    weights = (q @ k.mT / q.shape[-1] ** 0.5 + bias).softmax(-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = torch.add(scores, mask.int())
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = e / e.sum(-1, keepdim=True)
    return weights @ v, weights
""",
    ],
    "weights returned as output": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    out = weights = torch.softmax(scores, dim=-1)
    return out, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
    weights @ v
    return (weights,) * 2
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = e / e.sum(-1, keepdim=True)
    return [weights, weights.clone()]
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    out = weights @ torch.eye(weights.shape[-1])
    return out, weights
""",
    ],
    "keys mixed instead of values": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ k, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, k), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    weights = scores.softmax(-1)
    return torch.einsum("...ij,...jd->...id", weights, k), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = e / e.sum(-1, keepdim=True)
    out = (weights.unsqueeze(-1) * k.unsqueeze(-3)).sum(-2)
    return out, weights
""",
        """
def scaled_dot_product_attention(query, key, value, mask=None):
    scale = query.shape[-1] ** -0.5
    weights = torch.nn.functional.softmax(query @ key.mT * scale, dim=-1)
    output = weights.matmul(key)
    return output, weights
""",
    ],
    "results swapped": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights, weights @ v
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = torch.softmax(scores, dim=-1)
    out = torch.matmul(weights, v)
    return weights, out
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    out = torch.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    out = out.softmax(-1)
    weights = torch.einsum("...ij,...jd->...id", out, v)
    return out, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = (e / e.sum(-1, keepdim=True)).nan_to_num(0)
    return [weights, weights @ v]
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    weights = torch.nn.functional.softmax(q @ k.mT * q.shape[-1] ** -0.5, -1)
    results = {"weights": weights, "out": weights @ v}
    return tuple(results.values())
""",
    ],
    "scores returned as weights": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ v, scores
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    weights = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    if mask is not None:
        weights = weights.masked_fill(mask == 0, -1e9)
    return torch.matmul(torch.softmax(weights, dim=-1), v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    out = torch.einsum("...ij,...jd->...id", scores.softmax(-1), v)
    return out, scores
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    w = q @ k.mT * q.shape[-1] ** -0.5
    out = torch.nn.functional.softmax(w, dim=-1) @ v
    return [out, w]
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    out = (e / e.sum(-1, keepdim=True)).nan_to_num(0) @ v
    return out, scores
""",
    ],
    "overflow": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    powers = torch.exp(scores)
    weights = powers / powers.sum(-1, keepdim=True)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    powers = scores.exp()
    if mask is not None:
        powers = powers * mask
    total = powers.sum(-1, keepdim=True)
    weights = powers / total.masked_fill(total == 0, 1)
    return weights @ v, weights
""",
        """
def softmax(x):
    return torch.exp(x) / torch.exp(x).sum(dim=-1, keepdim=True)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = softmax(scores)
    return torch.matmul(weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    e = math.e**scores
    weights = (e / e.sum(-1, keepdim=True)).nan_to_num(0)
    return torch.einsum("...ij,...jd->...id", weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)
    weights = scores.exp() / (scores.exp().sum(-1, keepdim=True) + 1e-30)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    logs = scores - scores.exp().sum(-1, keepdim=True).log()
    weights = logs.exp().nan_to_num(0)
    return weights @ v, weights
""",
    ],
    "fully masked row gives NaN": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = torch.where(mask, scores, float("-inf"))
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return torch.matmul(weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores + torch.where(mask, 0.0, -torch.inf)
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = e / e.sum(-1, keepdim=True)
    return torch.einsum("...ij,...jd->...id", weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores - scores.amax(-1, keepdim=True)
    e = scores.exp() if mask is None else scores.exp() * mask
    weights = e / e.sum(-1, keepdim=True)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + torch.log(mask.float())
    weights = scores.log_softmax(-1).exp()
    return weights @ v, weights
""",
        """
import torch.nn.functional as F


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = (q * q.shape[-1] ** -0.25) @ (k * k.shape[-1] ** -0.25).mT
    if mask is not None:
        scores.masked_fill_(mask.logical_not(), -np.inf)
    weights = F.softmax(scores, -1)
    return weights @ v, weights
""",
    ],
    "fully masked row spreads evenly": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores + (~mask) * -1e30
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return torch.einsum("...ij,...jd->...id", weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = torch.where(mask, scores, -1e20)
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = e / e.sum(-1, keepdim=True)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(1 / k.shape[-2])
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-1e10"))
    weights = scores.log_softmax(dim=-1).exp()
    return weights @ v, weights
""",
    ],
    "axes counted from the front": [
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(dim=1).nan_to_num(0)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(0, 1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    d_k = k.size(1)
    scores = torch.matmul(q, k.transpose(-2, -1)) / d_k**0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = torch.where(mask, scores, -1e30)
    e = torch.exp(scores - scores.amax(1, keepdim=True))
    weights = e / e.sum(1, keepdim=True)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    n, d = k.shape[0], k.shape[1]
    scores = torch.einsum("...id,...jd->...ij", q, k) / np.sqrt(d)
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = torch.nn.functional.softmax(scores, dim=-1).nan_to_num(0)
    return weights @ v, weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, torch.swapaxes(k, 0, 1)) / q.size(1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, 1)
    return torch.matmul(weights, v), weights
""",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.t() / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
        """
softmax = torch.nn.Softmax(dim=1)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = softmax(scores)
    return weights @ v, weights
""",
    ],
}

DOUBLE = [
    (
        "no scale",
        "softmax over queries",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-2)
    return weights @ v, weights
""",
    ),
    (
        "no scale",
        "softmax over the whole matrix",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    e = torch.exp(scores - scores.amax((-2, -1), keepdim=True))
    weights = e / e.sum(dim=(-2, -1), keepdim=True)
    return torch.matmul(weights, v), weights
""",
    ),
    (
        "divided by the root of the number of keys",
        "softmax over queries",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * k.shape[-2] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = torch.nn.functional.softmax(scores, dim=-2)
    return torch.einsum("...ij,...jv->...iv", weights, v), weights
""",
    ),
    (
        "divided by the root of the number of keys",
        "softmax over the whole matrix",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(k.shape[-2])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.flatten(-2).softmax(-1).reshape(scores.shape)
    return weights @ v, weights
""",
    ),
    (
        "divided by d_k",
        "softmax over queries",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / k.size(-1)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = torch.softmax(scores, dim=-2)
    return torch.matmul(weights, v), weights
""",
    ),
    (
        "divided by d_k",
        "softmax over the whole matrix",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * (1 / q.shape[-1])
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = (scores - scores.logsumexp((-2, -1), keepdim=True)).exp()
    return torch.einsum("...ij,...jv->...iv", weights, v), weights
""",
    ),
    (
        "multiplied by the scale",
        "softmax over queries",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT * math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-2)
    return weights @ v, weights
""",
    ),
    (
        "multiplied by the scale",
        "softmax over the whole matrix",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) * q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    e = torch.exp(scores - scores.amax((-2, -1), keepdim=True))
    weights = e / e.sum(dim=(-2, -1), keepdim=True)
    return torch.matmul(weights, v), weights
""",
    ),
    (
        "scaled by the width of v",
        "softmax over queries",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * v.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = torch.nn.functional.softmax(scores, dim=-2)
    return torch.einsum("...ij,...jv->...iv", weights, v), weights
""",
    ),
    (
        "scaled by the width of v",
        "softmax over the whole matrix",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(v.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.flatten(-2).softmax(-1).reshape(scores.shape)
    return weights @ v, weights
""",
    ),
    (
        "no scale",
        "masked scores filled with 0",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1))
    if mask is not None:
        scores = scores * mask
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, v), weights
""",
    ),
    (
        "no scale",
        "mask after softmax",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k)
    weights = torch.nn.functional.softmax(scores, dim=-1)
    if mask is not None:
        weights = torch.where(mask, weights, 0.0)
    return torch.einsum("...ij,...jv->...iv", weights, v), weights
""",
    ),
    (
        "no scale",
        "mask ignored",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
    ),
    (
        "no scale",
        "mask inverted",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1))
    if mask is not None:
        scores = scores.masked_fill(mask == 1, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, v), weights
""",
    ),
    (
        "no scale",
        "mask added as 0 and 1",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k)
    if mask is not None:
        scores = scores.add(mask.int())
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return torch.einsum("...ij,...jv->...iv", weights, v), weights
""",
    ),
    (
        "divided by the root of the number of keys",
        "masked scores filled with 0",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(k.shape[-2])
    if mask is not None:
        scores = scores.masked_fill(~mask, 0)
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
    ),
    (
        "divided by the root of the number of keys",
        "mask after softmax",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / k.size(-2) ** 0.5
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return torch.matmul(weights, v), weights
""",
    ),
    (
        "divided by the root of the number of keys",
        "mask ignored",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * k.shape[-2] ** -0.5
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return torch.einsum("...ij,...jv->...iv", weights, v), weights
""",
    ),
    (
        "divided by the root of the number of keys",
        "mask inverted",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(k.shape[-2])
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
    ),
    (
        "divided by the root of the number of keys",
        "mask added as 0 and 1",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / k.size(-2) ** 0.5
    if mask is not None:
        scores = scores + mask.float()
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, v), weights
""",
    ),
    (
        "divided by d_k",
        "masked scores filled with 0",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * (1 / q.shape[-1])
    if mask is not None:
        scores = torch.where(mask, scores, 0.0)
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return torch.einsum("...ij,...jv->...iv", weights, v), weights
""",
    ),
    (
        "divided by d_k",
        "mask after softmax",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1]
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights * mask
    return weights @ v, weights
""",
    ),
    (
        "divided by d_k",
        "mask ignored",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / k.size(-1)
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, v), weights
""",
    ),
    (
        "divided by d_k",
        "mask inverted",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * (1 / q.shape[-1])
    if mask is not None:
        scores = torch.where(mask, -torch.inf, scores)
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return torch.einsum("...ij,...jv->...iv", weights, v), weights
""",
    ),
    (
        "divided by d_k",
        "mask added as 0 and 1",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1]
    if mask is not None:
        scores = scores + mask
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
    ),
    (
        "multiplied by the scale",
        "masked scores filled with 0",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) * q.size(-1) ** 0.5
    if mask is not None:
        scores = scores * mask
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, v), weights
""",
    ),
    (
        "multiplied by the scale",
        "mask after softmax",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** -0.5
    weights = torch.nn.functional.softmax(scores, dim=-1)
    if mask is not None:
        weights = torch.where(mask, weights, 0.0)
    return torch.einsum("...ij,...jv->...iv", weights, v), weights
""",
    ),
    (
        "multiplied by the scale",
        "mask ignored",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT * math.sqrt(q.shape[-1])
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
    ),
    (
        "multiplied by the scale",
        "mask inverted",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) * q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 1, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, v), weights
""",
    ),
    (
        "multiplied by the scale",
        "mask added as 0 and 1",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.add(mask.int())
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return torch.einsum("...ij,...jv->...iv", weights, v), weights
""",
    ),
    (
        "scaled by the width of v",
        "masked scores filled with 0",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(v.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, 0)
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
    ),
    (
        "scaled by the width of v",
        "mask after softmax",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / v.size(-1) ** 0.5
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return torch.matmul(weights, v), weights
""",
    ),
    (
        "scaled by the width of v",
        "mask ignored",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * v.shape[-1] ** -0.5
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return torch.einsum("...ij,...jv->...iv", weights, v), weights
""",
    ),
    (
        "scaled by the width of v",
        "mask inverted",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(v.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
    ),
    (
        "scaled by the width of v",
        "mask added as 0 and 1",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / v.size(-1) ** 0.5
    if mask is not None:
        scores = scores + mask.float()
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, v), weights
""",
    ),
    (
        "no scale",
        "weights returned as output",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k)
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return weights, weights
""",
    ),
    (
        "no scale",
        "keys mixed instead of values",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ k, weights
""",
    ),
    (
        "no scale",
        "results swapped",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return weights, torch.matmul(weights, v)
""",
    ),
    (
        "no scale",
        "scores returned as weights",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k)
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return torch.einsum("...ij,...jv->...iv", weights, v), scores
""",
    ),
    (
        "divided by the root of the number of keys",
        "weights returned as output",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(k.shape[-2])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights, weights
""",
    ),
    (
        "divided by the root of the number of keys",
        "keys mixed instead of values",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / k.size(-2) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, k), weights
""",
    ),
    (
        "divided by the root of the number of keys",
        "results swapped",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * k.shape[-2] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return weights, torch.einsum("...ij,...jv->...iv", weights, v)
""",
    ),
    (
        "divided by the root of the number of keys",
        "scores returned as weights",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(k.shape[-2])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ v, scores
""",
    ),
    (
        "divided by d_k",
        "weights returned as output",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / k.size(-1)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return weights, weights
""",
    ),
    (
        "divided by d_k",
        "keys mixed instead of values",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * (1 / q.shape[-1])
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return torch.einsum("...ij,...jv->...iv", weights, k), weights
""",
    ),
    (
        "divided by d_k",
        "results swapped",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / q.shape[-1]
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights, weights @ v
""",
    ),
    (
        "divided by d_k",
        "scores returned as weights",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / k.size(-1)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, v), scores
""",
    ),
    (
        "multiplied by the scale",
        "weights returned as output",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return weights, weights
""",
    ),
    (
        "multiplied by the scale",
        "keys mixed instead of values",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT * math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ k, weights
""",
    ),
    (
        "multiplied by the scale",
        "results swapped",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) * q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return weights, torch.matmul(weights, v)
""",
    ),
    (
        "multiplied by the scale",
        "scores returned as weights",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return torch.einsum("...ij,...jv->...iv", weights, v), scores
""",
    ),
    (
        "scaled by the width of v",
        "weights returned as output",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(v.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights, weights
""",
    ),
    (
        "scaled by the width of v",
        "keys mixed instead of values",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / v.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, k), weights
""",
    ),
    (
        "scaled by the width of v",
        "results swapped",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * v.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return weights, torch.einsum("...ij,...jv->...iv", weights, v)
""",
    ),
    (
        "scaled by the width of v",
        "scores returned as weights",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(v.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ v, scores
""",
    ),
    (
        "softmax over queries",
        "masked scores filled with 0",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores * mask
    weights = torch.softmax(scores, dim=-2)
    return torch.matmul(weights, v), weights
""",
    ),
    (
        "softmax over queries",
        "mask after softmax",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    weights = torch.nn.functional.softmax(scores, dim=-2)
    if mask is not None:
        weights = torch.where(mask, weights, 0.0)
    return torch.einsum("...ij,...jv->...iv", weights, v), weights
""",
    ),
    (
        "softmax over queries",
        "mask ignored",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = scores.softmax(-2)
    return weights @ v, weights
""",
    ),
    (
        "softmax over queries",
        "mask inverted",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 1, -1e9)
    weights = torch.softmax(scores, dim=-2)
    return torch.matmul(weights, v), weights
""",
    ),
    (
        "softmax over queries",
        "mask added as 0 and 1",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.add(mask.int())
    weights = torch.nn.functional.softmax(scores, dim=-2)
    return torch.einsum("...ij,...jv->...iv", weights, v), weights
""",
    ),
    (
        "softmax over the whole matrix",
        "masked scores filled with 0",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, 0)
    weights = scores.flatten(-2).softmax(-1).reshape(scores.shape)
    return weights @ v, weights
""",
    ),
    (
        "softmax over the whole matrix",
        "mask after softmax",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    e = torch.exp(scores - scores.amax((-2, -1), keepdim=True))
    weights = e / e.sum(dim=(-2, -1), keepdim=True)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return torch.matmul(weights, v), weights
""",
    ),
    (
        "softmax over the whole matrix",
        "mask ignored",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    weights = (scores - scores.logsumexp((-2, -1), keepdim=True)).exp()
    return torch.einsum("...ij,...jv->...iv", weights, v), weights
""",
    ),
    (
        "softmax over the whole matrix",
        "mask inverted",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = scores.flatten(-2).softmax(-1).reshape(scores.shape)
    return weights @ v, weights
""",
    ),
    (
        "softmax over the whole matrix",
        "mask added as 0 and 1",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores + mask.float()
    e = torch.exp(scores - scores.amax((-2, -1), keepdim=True))
    weights = e / e.sum(dim=(-2, -1), keepdim=True)
    return torch.matmul(weights, v), weights
""",
    ),
    (
        "no exp",
        "mask after softmax",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    weights = scores.div(scores.sum(-1).unsqueeze(-1))
    if mask is not None:
        weights = torch.where(mask, weights, 0.0)
    return torch.einsum("...ij,...jv->...iv", weights, v), weights
""",
    ),
    (
        "no exp",
        "mask ignored",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = scores / scores.sum(-1, keepdim=True)
    return weights @ v, weights
""",
    ),
    (
        "no exp",
        "mask inverted",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 1, -1e9)
    weights = scores / torch.sum(scores, dim=-1, keepdim=True)
    return torch.matmul(weights, v), weights
""",
    ),
    (
        "no exp",
        "mask added as 0 and 1",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.add(mask.int())
    weights = scores.div(scores.sum(-1).unsqueeze(-1))
    return torch.einsum("...ij,...jv->...iv", weights, v), weights
""",
    ),
    (
        "hard choice",
        "masked scores filled with 0",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, 0)
    weights = torch.eye(k.shape[-2])[scores.argmax(-1)]
    return weights @ v, weights
""",
    ),
    (
        "hard choice",
        "mask after softmax",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    weights = (scores == scores.amax(-1, keepdim=True)).float()
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return torch.matmul(weights, v), weights
""",
    ),
    (
        "hard choice",
        "mask ignored",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    weights = torch.nn.functional.one_hot(scores.argmax(-1), k.shape[-2]).float()
    return torch.einsum("...ij,...jv->...iv", weights, v), weights
""",
    ),
    (
        "hard choice",
        "mask inverted",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = torch.eye(k.shape[-2])[scores.argmax(-1)]
    return weights @ v, weights
""",
    ),
    (
        "hard choice",
        "mask added as 0 and 1",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores + mask.float()
    weights = (scores == scores.amax(-1, keepdim=True)).float()
    return torch.matmul(weights, v), weights
""",
    ),
    (
        "softmax over queries",
        "weights returned as output",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = torch.nn.functional.softmax(scores, dim=-2)
    return weights, weights
""",
    ),
    (
        "softmax over queries",
        "keys mixed instead of values",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-2)
    return weights @ k, weights
""",
    ),
    (
        "softmax over queries",
        "results swapped",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = torch.softmax(scores, dim=-2)
    return weights, torch.matmul(weights, v)
""",
    ),
    (
        "softmax over queries",
        "scores returned as weights",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = torch.nn.functional.softmax(scores, dim=-2)
    return torch.einsum("...ij,...jv->...iv", weights, v), scores
""",
    ),
    (
        "softmax over the whole matrix",
        "weights returned as output",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.flatten(-2).softmax(-1).reshape(scores.shape)
    return weights, weights
""",
    ),
    (
        "softmax over the whole matrix",
        "keys mixed instead of values",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    e = torch.exp(scores - scores.amax((-2, -1), keepdim=True))
    weights = e / e.sum(dim=(-2, -1), keepdim=True)
    return torch.matmul(weights, k), weights
""",
    ),
    (
        "softmax over the whole matrix",
        "results swapped",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = (scores - scores.logsumexp((-2, -1), keepdim=True)).exp()
    return weights, torch.einsum("...ij,...jv->...iv", weights, v)
""",
    ),
    (
        "softmax over the whole matrix",
        "scores returned as weights",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.flatten(-2).softmax(-1).reshape(scores.shape)
    return weights @ v, scores
""",
    ),
    (
        "no exp",
        "weights returned as output",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores * mask
    weights = scores / torch.sum(scores, dim=-1, keepdim=True)
    return weights, weights
""",
    ),
    (
        "no exp",
        "keys mixed instead of values",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, 0.0)
    weights = scores.div(scores.sum(-1).unsqueeze(-1))
    return torch.einsum("...ij,...jv->...iv", weights, k), weights
""",
    ),
    (
        "no exp",
        "results swapped",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, 0)
    weights = scores / scores.sum(-1, keepdim=True)
    return weights, weights @ v
""",
    ),
    (
        "no exp",
        "scores returned as weights",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores * mask
    weights = scores / torch.sum(scores, dim=-1, keepdim=True)
    return torch.matmul(weights, v), scores
""",
    ),
    (
        "hard choice",
        "weights returned as output",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = torch.nn.functional.one_hot(scores.argmax(-1), k.shape[-2]).float()
    return weights, weights
""",
    ),
    (
        "hard choice",
        "keys mixed instead of values",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.eye(k.shape[-2])[scores.argmax(-1)]
    return weights @ k, weights
""",
    ),
    (
        "hard choice",
        "results swapped",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = (scores == scores.amax(-1, keepdim=True)).float()
    return weights, torch.matmul(weights, v)
""",
    ),
    (
        "hard choice",
        "scores returned as weights",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = torch.nn.functional.one_hot(scores.argmax(-1), k.shape[-2]).float()
    return torch.einsum("...ij,...jv->...iv", weights, v), scores
""",
    ),
    (
        "masked scores filled with 0",
        "weights returned as output",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, 0)
    weights = scores.softmax(-1)
    return weights, weights
""",
    ),
    (
        "masked scores filled with 0",
        "keys mixed instead of values",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores * mask
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, k), weights
""",
    ),
    (
        "masked scores filled with 0",
        "results swapped",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, 0.0)
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return weights, torch.einsum("...ij,...jv->...iv", weights, v)
""",
    ),
    (
        "masked scores filled with 0",
        "scores returned as weights",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, 0)
    weights = scores.softmax(-1)
    return weights @ v, scores
""",
    ),
    (
        "mask after softmax",
        "weights returned as output",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return weights, weights
""",
    ),
    (
        "mask after softmax",
        "keys mixed instead of values",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    weights = torch.nn.functional.softmax(scores, dim=-1)
    if mask is not None:
        weights = torch.where(mask, weights, 0.0)
    return torch.einsum("...ij,...jv->...iv", weights, k), weights
""",
    ),
    (
        "mask after softmax",
        "results swapped",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights * mask
    return weights, weights @ v
""",
    ),
    (
        "mask after softmax",
        "scores returned as weights",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return torch.matmul(weights, v), scores
""",
    ),
    (
        "mask ignored",
        "weights returned as output",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return weights, weights
""",
    ),
    (
        "mask ignored",
        "keys mixed instead of values",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = scores.softmax(-1)
    return weights @ k, weights
""",
    ),
    (
        "mask ignored",
        "results swapped",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    weights = torch.softmax(scores, dim=-1)
    return weights, torch.matmul(weights, v)
""",
    ),
    (
        "mask ignored",
        "scores returned as weights",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return torch.einsum("...ij,...jv->...iv", weights, v), scores
""",
    ),
    (
        "mask inverted",
        "weights returned as output",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights, weights
""",
    ),
    (
        "mask inverted",
        "keys mixed instead of values",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 1, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, k), weights
""",
    ),
    (
        "mask inverted",
        "results swapped",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, -torch.inf, scores)
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return weights, torch.einsum("...ij,...jv->...iv", weights, v)
""",
    ),
    (
        "mask inverted",
        "scores returned as weights",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ v, scores
""",
    ),
    (
        "mask added as 0 and 1",
        "weights returned as output",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores + mask.float()
    weights = torch.softmax(scores, dim=-1)
    return weights, weights
""",
    ),
    (
        "mask added as 0 and 1",
        "keys mixed instead of values",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.add(mask.int())
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return torch.einsum("...ij,...jv->...iv", weights, k), weights
""",
    ),
    (
        "mask added as 0 and 1",
        "results swapped",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + mask
    weights = scores.softmax(-1)
    return weights, weights @ v
""",
    ),
    (
        "mask added as 0 and 1",
        "scores returned as weights",
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores + mask.float()
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, v), scores
""",
    ),
]
