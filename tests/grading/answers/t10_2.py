"""Answers to 10.2, the feed-forward part in PyTorch."""

RIGHT = {
    "one line": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return torch.relu(x @ W_1 + b_1) @ W_2 + b_2
""",
    "clamp": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    h = (x @ W_1 + b_1).clamp(min=0)
    return h @ W_2 + b_2
""",
    "maximum": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    h = torch.maximum(torch.tensor(0.0), x @ W_1 + b_1)
    return torch.matmul(h, W_2) + b_2
""",
    "where": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    z = x.matmul(W_1).add(b_1)
    z = torch.where(z > 0, z, torch.zeros_like(z))
    return z.matmul(W_2).add(b_2)
""",
    "times its own sign": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    z = x @ W_1 + b_1
    return (z * (z > 0)) @ W_2 + b_2
""",
    "indexed": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    z = x @ W_1 + b_1
    z[z < 0] = 0
    return z @ W_2 + b_2
""",
    "half of z and of its size": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    z = x @ W_1 + b_1
    return (z + z.abs()) / 2 @ W_2 + b_2
""",
    "F.linear": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    linear = torch.nn.functional.linear
    return linear(linear(x, W_1.T, b_1).relu(), W_2.T, b_2)
""",
    "modules": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    d_model, d_ff = W_1.shape
    net = torch.nn.Sequential(
        torch.nn.Linear(d_model, d_ff), torch.nn.ReLU(), torch.nn.Linear(d_ff, d_model)
    )
    with torch.no_grad():
        net[0].weight.copy_(W_1.T), net[0].bias.copy_(b_1)
        net[2].weight.copy_(W_2.T), net[2].bias.copy_(b_2)
    return net(x)
""",
    "unit by unit": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    out = b_2
    for f in range(W_1.shape[1]):
        unit = torch.relu((x * W_1[:, f]).sum(-1, keepdim=True) + b_1[f])
        out = out + unit * W_2[f]
    return out
""",
    "positions in a loop": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    rows = [torch.relu(r @ W_1 + b_1) @ W_2 + b_2 for r in x.reshape(-1, x.shape[-1])]
    return torch.stack(rows).reshape(x.shape)
""",
    "einsum": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    h = torch.relu(torch.einsum("...i,ij->...j", x, W_1) + b_1)
    return torch.einsum("...j,ji->...i", h, W_2) + b_2
""",
    "bias as one more feature": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    one = torch.ones_like(x[..., :1])
    h = torch.relu(torch.cat([x, one], -1) @ torch.cat([W_1, b_1[None]]))
    return torch.cat([h, one], -1) @ torch.cat([W_2, b_2[None]])
""",
    "NumPy": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    x, W_1, b_1, W_2, b_2 = (a.numpy() for a in (x, W_1, b_1, W_2, b_2))
    return np.maximum(0, x @ W_1 + b_1) @ W_2 + b_2
""",
}

WRONG = {
    "x in place": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    x -= 0.1
    return torch.relu((x + 0.1) @ W_1 + b_1) @ W_2 + b_2
""",
    "only the widened": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return torch.relu(x @ W_1 + b_1)
""",
    "max(1, …)": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return (x @ W_1 + b_1).clamp(min=1) @ W_2 + b_2
""",
    "relu6": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return torch.nn.functional.relu6(x @ W_1 + b_1) @ W_2 + b_2
""",
    "squared relu": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return torch.relu(x @ W_1 + b_1) ** 2 @ W_2 + b_2
""",
    "dropout left on": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    h = torch.nn.functional.dropout(torch.relu(x @ W_1 + b_1), 0.1)
    return h @ W_2 + b_2
""",
    "normalised": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    out = torch.relu(x @ W_1 + b_1) @ W_2 + b_2
    return torch.nn.functional.layer_norm(out, out.shape[-1:])
""",
    "first of the batch": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    x = x[0] if x.dim() > 2 else x
    return torch.relu(x @ W_1 + b_1) @ W_2 + b_2
""",
    "biases swapped": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return torch.relu(x @ W_1 + b_2) @ W_2 + b_1
""",
    "second matrix reused": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return torch.relu(x @ W_1 + b_1) @ W_1.T + b_2
""",
    "Python's max": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return max(0, x @ W_1 + b_1) @ W_2 + b_2
""",
    "print": """
def feed_forward(x, W_1, b_1, W_2, b_2):
    print(torch.relu(x @ W_1 + b_1) @ W_2 + b_2)
""",
}

SPELLINGS = {
    "no activation": [
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return (x @ W_1 + b_1) @ W_2 + b_2
""",
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    h = x @ W_1 + b_1
    torch.relu(h)
    return h @ W_2 + b_2
""",
    ],
    "one matrix out of two": [
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return x @ (W_1 @ W_2) + b_2
""",
    ],
    "cut off after the second matrix too": [
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    for W, b in ((W_1, b_1), (W_2, b_2)):
        x = torch.relu(x @ W + b)
    return x
""",
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    h = (x @ W_1 + b_1).clamp(min=0)
    return (h @ W_2 + b_2).clamp(min=0)
""",
    ],
    "cut off at the end only": [
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return torch.relu((x @ W_1 + b_1) @ W_2 + b_2)
""",
    ],
    "cut off at the start": [
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return (x.clamp(min=0) @ W_1 + b_1) @ W_2 + b_2
""",
    ],
    "cut off before the bias": [
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return (torch.relu(x @ W_1) + b_1) @ W_2 + b_2
""",
    ],
    "first bias left out": [
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return torch.relu(x @ W_1) @ W_2 + b_2
""",
    ],
    "second bias left out": [
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return torch.relu(x @ W_1 + b_1) @ W_2
""",
    ],
    "both biases left out": [
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return torch.relu(x @ W_1) @ W_2
""",
    ],
    "positive numbers cut off": [
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    h = torch.minimum(torch.zeros(1), x @ W_1 + b_1)
    return h @ W_2 + b_2
""",
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    h = x @ W_1 + b_1
    h[h > 0] = 0
    return h @ W_2 + b_2
""",
    ],
    "step instead of a ramp": [
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    z = x @ W_1 + b_1
    return torch.where(z > 0, 1.0, 0.0) @ W_2 + b_2
""",
    ],
    "smooth activation": [
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return torch.nn.GELU()(x @ W_1 + b_1) @ W_2 + b_2
""",
    ],
    "squashing activation": [
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    z = x @ W_1 + b_1
    return 1 / (1 + torch.exp(-z)) @ W_2 + b_2
""",
    ],
    "softmax between": [
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return (x @ W_1 + b_1).softmax(-1) @ W_2 + b_2
""",
    ],
    "largest of all": [
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    z = x @ W_1 + b_1
    h = torch.relu(z.max(-1, keepdim=True).values) * torch.ones_like(z)
    return h @ W_2 + b_2
""",
    ],
    "positions mixed": [
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    h = torch.relu(x @ W_1 + b_1)
    h = torch.ones_like(h) * h.mean(-2, keepdim=True)
    return h @ W_2 + b_2
""",
    ],
    "residual added": [
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return torch.relu(x @ W_1 + b_1) @ W_2 + b_2 + x
""",
    ],
    "weights turned as in nn.Linear": [
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return torch.relu(x @ W_1.T + b_1) @ W_2.T + b_2
""",
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    linear = torch.nn.functional.linear
    return linear(linear(x, W_1, b_1).relu(), W_2, b_2)
""",
    ],
    "sign lost": [
        """
def feed_forward(x, W_1, b_1, W_2, b_2):
    return torch.abs(x @ W_1 + b_1) @ W_2 + b_2
""",
    ],
}
