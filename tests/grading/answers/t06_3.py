"""Answers to 06.3, a head with a matrix that is no parameter and keys from w_q."""

INIT = """
class SelfAttention(torch.nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.w_q = torch.nn.Linear(d_model, d_k, bias=False)
        self.w_k = torch.nn.Linear(d_model, d_k, bias=False)
"""
LAYER = "self.w_v = torch.nn.Linear(d_model, d_v, bias=False)"
TENSOR = "self.w_v = torch.randn(d_model, d_v)"
END = """
scores = q @ k.transpose(-2, -1)
weights = torch.softmax(scores / math.sqrt(q.shape[-1]), dim=-1)
out = weights @ v
return out, weights"""


def head(w_v: str = LAYER, body: str = "", end: str = END, init: str = INIT) -> str:
    """The class as given, with another `w_v`, other projections, another end."""
    body = body or "q = self.w_q(x)\nk = self.w_k(x)\nv = self.w_v(x)"
    lines = "".join(f"        {line}\n" for line in w_v.splitlines())
    lines += "\n    def forward(self, x):\n"
    rest = (body + end).splitlines()
    return (
        init + lines + "".join(f"        {line}\n" if line else "\n" for line in rest)
    )


def made(q: str, k: str, v: str) -> str:
    return f"q = {q}\nk = {k}\nv = {v}"


Q, K, V = "self.w_q(x)", "self.w_k(x)", "self.w_v(x)"

RIGHT = {
    "mended": head(),
    "a parameter": head(
        "self.w_v = torch.nn.Parameter(torch.randn(d_model, d_v))",
        made(Q, K, "x @ self.w_v"),
    ),
    "a parameter, (out, in)": head(
        "self.w_v = torch.nn.Parameter(torch.zeros(d_v, d_model))\n"
        "torch.nn.init.xavier_uniform_(self.w_v)",
        made(Q, K, "torch.nn.functional.linear(x, self.w_v)"),
    ),
    "registered by name": head(
        'self.register_parameter("w_v", torch.nn.Parameter(torch.rand(d_model, d_v)))',
        made(Q, K, "torch.matmul(x, self.w_v)"),
    ),
    "added as a module": head(
        'self.add_module("w_v", torch.nn.Linear(d_model, d_v, bias=False))'
    ),
    "matrices by hand": head(
        LAYER,
        made("x @ self.w_q.weight.T", "x @ self.w_k.weight.T", "x @ self.w_v.weight.T"),
    ),
    "in one line": head(
        LAYER,
        "q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)",
        """
weights = (q @ k.mT / k.shape[-1] ** 0.5).softmax(-1)
return weights @ v, weights""",
    ),
    "PyTorch's attention for the output": head(
        LAYER,
        made(Q, K, V),
        """
out = torch.nn.functional.scaled_dot_product_attention(q, k, v)
weights = torch.softmax(q @ k.mT / math.sqrt(q.size(-1)), -1)
return out, weights""",
    ),
    "other order in __init__": head(
        LAYER,
        made(Q, K, V),
        init="""
class SelfAttention(torch.nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        make = lambda n: torch.nn.Linear(d_model, n, bias=False)
        self.w_k, self.w_q = make(d_k), make(d_k)
""",
    ),
    "sizes kept": head(
        LAYER + "\nself.d_k = d_k",
        made(Q, K, V),
        """
weights = torch.softmax(q @ k.transpose(-1, -2) * self.d_k**-0.5, dim=-1)
return [weights @ v, weights]""",
    ),
    "an own start": head(LAYER + "\ntorch.nn.init.normal_(self.w_v.weight, std=0.02)"),
}

WRONG = {
    "renamed": head(
        "self.w_values = torch.nn.Linear(d_model, d_v, bias=False)",
        made(Q, K, "self.w_values(x)"),
    ),
    "in a list": head(
        "self.w_v = [torch.nn.Linear(d_model, d_v, bias=False)]",
        made(Q, K, "self.w_v[0](x)"),
    ),
    "made anew at each call": head(
        TENSOR,
        made(
            Q,
            K,
            "torch.nn.Linear(x.shape[-1], self.w_v.shape[1], bias=False)(x)",
        ),
    ),
    "both named, one used": head(
        LAYER + "\n" + TENSOR.replace("self.w_v", "self.w_old"),
        made(Q, K, "x @ self.w_old"),
    ),
    "another parameter beside": head(
        LAYER + "\nself.scale = torch.nn.Parameter(torch.ones(1))"
    ),
    "keys by both": head(LAYER, made(Q, "self.w_k(x) + self.w_q(x)", V)),
    "output alone": head(
        LAYER,
        made(Q, K, V),
        "\nreturn torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), -1) @ v",
    ),
    "no gradient anywhere": head(
        LAYER,
        "with torch.no_grad():\n    q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)",
    ),
    "super forgotten": head(
        LAYER, init=INIT.replace("        super().__init__()\n", "")
    ),
    "a longer matrix": head("self.w_v = torch.nn.Linear(d_model, d_v + 1, bias=False)"),
    "NumPy": head(
        "self.w_v = np.random.default_rng(0).normal(size=(d_model, d_v))",
        made(Q, K, "x @ torch.from_numpy(self.w_v).float()"),
    ),
}

SPELLINGS = {
    "a layer used as a matrix": [
        head(LAYER, made(Q, K, "x @ self.w_v")),
        head(LAYER, made(Q, Q, "x @ self.w_v")),
    ],
    "as planted": [head(TENSOR, made(Q, Q, "x @ self.w_v"))],
    "the values never learn": [
        head(TENSOR, made(Q, K, "x @ self.w_v")),
        head(
            "self.w_v = torch.randn(d_model, d_v).requires_grad_()",
            made(Q, K, "x @ self.w_v"),
        ),
        head(
            'self.register_buffer("w_v", torch.randn(d_model, d_v))',
            made(Q, K, "torch.matmul(x, self.w_v)"),
        ),
    ],
    "keys still made by the matrix of the queries": [
        head(LAYER, made(Q, Q, V)),
        head(
            "self.w_v = torch.nn.Parameter(torch.randn(d_model, d_v))",
            "q = self.w_q(x)\nk = q\nv = x @ self.w_v",
        ),
    ],
    "queries made by the matrix of the keys": [head(LAYER, made(K, K, V))],
    "queries and keys mixed up": [head(LAYER, made(K, Q, V))],
    "one matrix under two names": [head(LAYER + "\nself.w_k = self.w_q")],
    "values have a bias": [head("self.w_v = torch.nn.Linear(d_model, d_v)")],
    "values as narrow as the keys": [
        head("self.w_v = torch.nn.Linear(d_model, d_k, bias=False)")
    ],
    "sizes of the value matrix swapped": [
        head("self.w_v = torch.nn.Linear(d_v, d_model, bias=False)")
    ],
    "values not projected": [head(LAYER, made(Q, K, "x"))],
    "values cut off from training": [
        head(LAYER, made(Q, K, "x @ self.w_v.weight.data.T")),
        head(LAYER, made(Q, K, "x @ self.w_v.weight.detach().T")),
    ],
    "scale lost": [
        head(
            LAYER,
            made(Q, K, V),
            "\nweights = (q @ k.mT).softmax(-1)\nreturn weights @ v, weights",
        )
    ],
    "softmax over those who ask": [
        head(
            LAYER,
            made(Q, K, V),
            "\nweights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-2)"
            "\nreturn weights @ v, weights",
        )
    ],
    "scaled by the width of the model": [
        head(
            LAYER,
            made(Q, K, V),
            "\nweights = (q @ k.mT / x.shape[-1] ** 0.5).softmax(-1)"
            "\nreturn weights @ v, weights",
        )
    ],
}
