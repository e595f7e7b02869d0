"""Answers to 05.3, scores whose scale looked at the wrong axis."""

RIGHT = {
    "mended": """
def batched_scores(q, k):
    products = torch.einsum("...id,...jd->...ij", q, k)
    return products / math.sqrt(k.shape[-1])
""",
    "mended by q": """
def batched_scores(q, k):
    products = torch.einsum("...id,...jd->...ij", q, k)
    return products / math.sqrt(q.size(-1))
""",
    "matmul": """
def batched_scores(q, k):
    d_k = q.shape[-1]
    return torch.matmul(q, k.transpose(-2, -1)) / d_k**0.5
""",
    "mT": "batched_scores = lambda q, k: q @ k.mT * k.shape[-1] ** -0.5\n",
    "unpacked": """
def batched_scores(q, k):
    *_, d_k = k.shape
    return q @ k.swapaxes(-1, -2) / np.sqrt(d_k)
""",
    "q scaled first": """
def batched_scores(q, k):
    return (q / math.sqrt(q.shape[-1])) @ k.mT
""",
    "root shared": """
def batched_scores(q, k):
    fourth = q.shape[-1] ** 0.25
    return torch.einsum("...id,...jd->...ij", q / fourth, k / fourth)
""",
    "broadcast products": """
def batched_scores(q, k):
    return (q[..., :, None, :] * k[..., None, :, :]).sum(-1) / q.shape[-1] ** 0.5
""",
    "tensor root": """
def batched_scores(q, k):
    scale = torch.tensor(k.size(-1)).sqrt()
    return (q @ k.transpose(-1, -2)).div(scale)
""",
    "NumPy": """
def batched_scores(q, k):
    q, k = q.numpy(), k.numpy()
    return np.einsum("...id,...jd->...ij", q, k) / np.sqrt(k.shape[-1])
""",
    "loops": """
def batched_scores(q, k):
    if q.dim() > 2:
        return torch.stack([batched_scores(a, b) for a, b in zip(q, k)])
    return torch.stack([torch.stack([a @ b for b in k]) for a in q]) / len(k[0]) ** 0.5
""",
    "axis by length of shape": """
def batched_scores(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    features = k.shape[k.dim() - 1]
    return torch.einsum("...id,...jd->...ij", q, k) / math.sqrt(features)
""",
    "list of rows with gradient": """
def batched_scores(q, k):
    q = q.clone().requires_grad_()
    return list(q @ k.mT / math.sqrt(k.shape[-1]))
""",
    "in place on its own result": """
def batched_scores(q, k):
    products = q @ k.mT
    products /= math.sqrt(k.shape[-1])
    return products
""",
    "double": """
def batched_scores(q, k):
    return q.double() @ k.double().mT / k.shape[-1] ** 0.5
""",
}

WRONG = {
    "flattened for bmm": """
def batched_scores(q, k):
    a, b = q.flatten(0, -3), k.flatten(0, -3)
    scores = torch.bmm(a, b.transpose(1, 2)) / math.sqrt(b.shape[2])
    return scores.unflatten(0, q.shape[:-2])
""",
    "right axis for three axes and for four": """
def batched_scores(q, k):
    d_k = k.shape[2] if k.dim() == 3 else k.shape[1]
    return q @ k.mT / math.sqrt(d_k)
""",
    "q in place": """
def batched_scores(q, k):
    q /= math.sqrt(q.shape[-1])
    return q @ k.mT
""",
    "k in place": """
def batched_scores(q, k):
    k.mul_(k.shape[-1] ** -0.5)
    return torch.einsum("...id,...jd->...ij", q, k)
""",
    "scaled twice": """
def batched_scores(q, k):
    s = math.sqrt(k.shape[-1])
    return (q / s) @ (k / s).mT / s
""",
    "multiplied": """
def batched_scores(q, k):
    return q @ k.mT * math.sqrt(k.shape[-1])
""",
    "root of the number of all entries": """
def batched_scores(q, k):
    return q @ k.mT / math.sqrt(k.numel())
""",
    "number of axes": """
def batched_scores(q, k):
    return q @ k.mT / math.sqrt(k.dim())
""",
    "length of k": """
def batched_scores(q, k):
    return q @ k.mT / math.sqrt(max(k.shape))
""",
    "d_k less 1": """
def batched_scores(q, k):
    return q @ k.mT / math.sqrt(k.shape[-1] - 1)
""",
    "rounded root": """
def batched_scores(q, k):
    return q @ k.mT / round(math.sqrt(k.shape[-1]))
""",
    "whole root": """
def batched_scores(q, k):
    return q @ k.mT // math.sqrt(k.shape[-1])
""",
    "rounded": """
def batched_scores(q, k):
    return (q @ k.mT / math.sqrt(k.shape[-1])).round(decimals=1)
""",
    "bfloat16": """
def batched_scores(q, k):
    return (q.bfloat16() @ k.bfloat16().mT).float() / math.sqrt(k.shape[-1])
""",
    "eps under the root": """
def batched_scores(q, k):
    return q @ k.mT / math.sqrt(k.shape[-1] + 0.1)
""",
    "heads averaged": """
def batched_scores(q, k):
    scores = q @ k.mT / math.sqrt(k.shape[-1])
    return scores.mean(1) if scores.dim() == 4 else scores
""",
    "one batch axis only": """
def batched_scores(q, k):
    products = torch.einsum("bid,bjd->bij", q, k)
    return products / math.sqrt(k.shape[-1])
""",
    "softmax added": """
def batched_scores(q, k):
    return (q @ k.mT / math.sqrt(k.shape[-1])).softmax(-1)
""",
    "transposed": """
def batched_scores(q, k):
    return torch.einsum("...id,...jd->...ji", q, k) / math.sqrt(k.shape[-1])
""",
    "first of the batch only": """
def batched_scores(q, k):
    return q[0] @ k[0].mT / math.sqrt(k.shape[-1])
""",
    "summed over the batch": """
def batched_scores(q, k):
    return torch.einsum("b...id,b...jd->...ij", q, k) / math.sqrt(k.shape[-1])
""",
    "the first of the batch everywhere": """
def batched_scores(q, k):
    return q @ k[:1].mT / math.sqrt(k.shape[-1])
""",
    "lengths divided out": """
def batched_scores(q, k):
    norm = torch.nn.functional.normalize
    return norm(q, dim=-1) @ norm(k, dim=-1).mT
""",
    "scaled by the spread": """
def batched_scores(q, k):
    scores = q @ k.mT
    return scores / scores.std()
""",
    "squeezed": """
def batched_scores(q, k):
    return (q @ k.mT / math.sqrt(k.shape[-1])).squeeze()
""",
}

SPELLINGS = {
    "as planted": [
        """
def batched_scores(q, k):
    products = torch.einsum("...id,...jd->...ij", q, k)
    return products / math.sqrt(k.shape[1])
""",
        "batched_scores = lambda q, k: q @ k.mT / k.size(1) ** 0.5\n",
        """
def batched_scores(q, k):
    d_k = k.shape[1]
    return torch.matmul(q, k.transpose(-2, -1)) * d_k**-0.5
""",
        """
def batched_scores(q, k):
    return (q / np.sqrt(k.shape[1])) @ k.swapaxes(-1, -2)
""",
        """
def batched_scores(q, k):
    batch, d_k, *rest = k.shape
    return (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(-1) / math.sqrt(d_k)
""",
    ],
    "shape[0]": [
        """
def batched_scores(q, k):
    products = torch.einsum("...id,...jd->...ij", q, k)
    return products / math.sqrt(k.shape[0])
""",
        """
def batched_scores(q, k):
    return q @ k.mT / math.sqrt(len(k))
""",
        """
def batched_scores(q, k):
    d_k = q.size(0)
    return torch.matmul(q, k.transpose(-2, -1)) / d_k**0.5
""",
        """
def batched_scores(q, k):
    d_k, *_ = k.shape
    return (q @ k.mT).div(np.sqrt(d_k))
""",
    ],
    "counted from the front": [
        """
def batched_scores(q, k):
    products = torch.einsum("...id,...jd->...ij", q, k)
    return products / math.sqrt(k.shape[2])
""",
        "batched_scores = lambda q, k: q @ k.mT / q.size(2) ** 0.5\n",
        """
def batched_scores(q, k):
    d_k = k.size(2)
    return torch.matmul(q, k.transpose(-2, -1)) * d_k**-0.5
""",
        """
def batched_scores(q, k):
    batch, keys, d_k = k.shape[:3]
    return q @ k.mT / math.sqrt(d_k)
""",
        """
def batched_scores(q, k):
    return (q / np.sqrt(q.shape[2])) @ k.swapaxes(-1, -2)
""",
    ],
    "transposed from the front": [
        """
def batched_scores(q, k):
    return q @ k.transpose(1, 2) / math.sqrt(k.shape[-1])
""",
        """
def batched_scores(q, k):
    products = torch.bmm(q, k.transpose(1, 2))
    return products / math.sqrt(q.shape[2])
""",
        """
def batched_scores(q, k):
    return torch.matmul(q, k.permute(0, 2, 1)) / k.size(-1) ** 0.5
""",
        """
def batched_scores(q, k):
    kT = torch.swapaxes(k, 1, 2)
    return (q / math.sqrt(q.shape[-1])).matmul(kT)
""",
    ],
    "number of keys in every case": [
        """
def batched_scores(q, k):
    products = torch.einsum("...id,...jd->...ij", q, k)
    return products / math.sqrt(k.shape[-2])
""",
        """
def batched_scores(q, k):
    products = q @ k.mT
    return products / math.sqrt(products.shape[-1])
""",
        """
def batched_scores(q, k):
    *_, n, d = k.shape
    return torch.matmul(q, k.transpose(-2, -1)) * n**-0.5
""",
        """
def batched_scores(q, k):
    kT = k.transpose(-1, -2)
    return q @ kT / kT.size(-1) ** 0.5
""",
    ],
    "number of queries": [
        """
def batched_scores(q, k):
    products = torch.einsum("...id,...jd->...ij", q, k)
    return products / math.sqrt(q.shape[-2])
""",
        """
def batched_scores(q, k):
    products = q @ k.mT
    return products / products.size(-2) ** 0.5
""",
        """
def batched_scores(q, k):
    *_, n, d = q.shape
    return torch.matmul(q, k.transpose(-2, -1)) / np.sqrt(n)
""",
        """
def batched_scores(q, k):
    return (q * q.size(-2) ** -0.5) @ k.mT
""",
    ],
    "8 written down": [
        """
def batched_scores(q, k):
    products = torch.einsum("...id,...jd->...ij", q, k)
    return products / 8
""",
        """
def batched_scores(q, k):
    return q @ k.mT / math.sqrt(64)
""",
        """
D_K = 64


def batched_scores(q, k):
    return torch.matmul(q, k.transpose(-2, -1)) * D_K**-0.5
""",
        """
def batched_scores(q, k, d_k=64):
    return q @ k.mT * 0.125
""",
    ],
    "root of 8 written down": [
        """
def batched_scores(q, k):
    products = torch.einsum("...id,...jd->...ij", q, k)
    return products / math.sqrt(8)
""",
        """
def batched_scores(q, k, d_k=8):
    return q @ k.mT / d_k**0.5
""",
        """
def batched_scores(q, k):
    return torch.matmul(q, k.transpose(-2, -1)) / 2.8284271
""",
        """
def batched_scores(q, k):
    return (q / 8**0.25) @ (k / 8**0.25).mT
""",
    ],
    "2 written down": [
        """
def batched_scores(q, k):
    products = torch.einsum("...id,...jd->...ij", q, k)
    return products / 2
""",
        """
def batched_scores(q, k):
    return q @ k.mT / math.sqrt(4)
""",
        """
def batched_scores(q, k, d_k=4):
    return torch.matmul(q, k.transpose(-2, -1)) * d_k**-0.5
""",
        "batched_scores = lambda q, k: q @ k.mT * 0.5\n",
    ],
    "scale removed": [
        """
def batched_scores(q, k):
    return torch.einsum("...id,...jd->...ij", q, k)
""",
        "batched_scores = lambda q, k: q @ k.mT\n",
        """
def batched_scores(q, k):
    products = torch.matmul(q, k.transpose(-2, -1))
    products / math.sqrt(k.shape[-1])
    return products
""",
        """
def batched_scores(q, k):
    return (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(dim=-1)
""",
    ],
    "root lost": [
        """
def batched_scores(q, k):
    products = torch.einsum("...id,...jd->...ij", q, k)
    return products / k.shape[-1]
""",
        """
def batched_scores(q, k):
    return (q.unsqueeze(-2) * k.unsqueeze(-3)).mean(dim=-1)
""",
        """
def batched_scores(q, k):
    d_k = q.size(-1)
    return torch.matmul(q, k.transpose(-2, -1)).div(d_k)
""",
        """
def batched_scores(q, k):
    root = math.sqrt(q.shape[-1])
    return (q / root) @ (k / root).mT
""",
    ],
}
