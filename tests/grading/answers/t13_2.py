"""Answers to 13.2, one table for the embedding and the generator."""


def model(init: str, forward: str) -> str:
    def indented(text):
        return "".join(f"        {line}\n" for line in text.splitlines())

    return (
        "class TiedModel(torch.nn.Module):\n    def __init__(self, vocab, d_model):\n"
        f"        super().__init__()\n{indented(init)}\n"
        f"    def forward(self, tokens):\n{indented(forward)}"
    )


TWO = """self.embedding = torch.nn.Embedding(vocab, d_model)
self.generator = torch.nn.Linear(d_model, vocab, bias=False)
self.d_model = d_model
"""
TIE = "self.generator.weight = self.embedding.weight"
X = "x = self.embedding(tokens) * math.sqrt(self.d_model)\n"
OUT = "return self.generator(x)"

RIGHT = {
    "the usual": model(TWO + TIE, X + OUT),
    "the other way": model(
        TWO + "self.embedding.weight = self.generator.weight", X + OUT
    ),
    "in one line": model(
        TWO + TIE, "return self.generator(self.embedding(tokens) * self.d_model**0.5)"
    ),
    "F.linear": model(TWO + TIE, X + "return F.linear(x, self.embedding.weight)"),
    "no generator": model(
        "self.embedding = torch.nn.Embedding(vocab, d_model)",
        "table = self.embedding.weight\n"
        "return self.embedding(tokens) @ table.T * table.shape[1] ** 0.5",
    ),
    "einsum": model(
        "self.e = torch.nn.Embedding(vocab, d_model)",
        "x = self.e(tokens) * np.sqrt(self.e.embedding_dim)\n"
        "return torch.einsum('...d,vd->...v', x, self.e.weight)",
    ),
    "a parameter": model(
        "self.table = torch.nn.Parameter(torch.zeros(vocab, d_model))",
        "x = self.table[tokens] * self.table.size(1) ** 0.5\nreturn x @ self.table.mT",
    ),
    "F.embedding": model(
        "self.w = torch.nn.Parameter(torch.randn(vocab, d_model))",
        "x = F.embedding(tokens, self.w) * math.sqrt(self.w.shape[-1])\n"
        "return F.linear(x, self.w)",
    ),
    "one shared parameter made first": model(
        "table = torch.nn.Parameter(torch.randn(vocab, d_model) * d_model**-0.5)\n"
        + TWO
        + "self.embedding.weight = table\nself.generator.weight = table",
        X + OUT,
    ),
    "from_pretrained, then tied": model(
        """self.generator = torch.nn.Linear(d_model, vocab, bias=False)
self.embedding = torch.nn.Embedding(vocab, d_model, _weight=self.generator.weight)
self.embedding.weight = self.generator.weight
self.d_model = d_model""",
        X + OUT,
    ),
    "one-hot": model(
        TWO + TIE,
        "one = F.one_hot(tokens, self.embedding.num_embeddings).float()\n"
        "x = one @ self.embedding.weight * self.d_model**0.5\n" + OUT,
    ),
    "scale after the product": model(
        TWO + TIE, "return self.generator(self.embedding(tokens)) * self.d_model**0.5"
    ),
    "tied in a method": model(TWO + "self.tie()", X + OUT)
    + f"\n    def tie(self):\n        {TIE}\n",
}

WRONG = {
    "nothing returned": model(TWO + TIE, X.rstrip()),
    "the embedding as generator": model(
        TWO + "self.generator = self.embedding", X + OUT
    ),
    "a transposed weight": model(
        TWO + "self.generator.weight = torch.nn.Parameter(self.embedding.weight.T)",
        X + OUT,
    ),
    "a weight that is no parameter": model(
        TWO + "self.generator.weight = self.embedding.weight.detach()", X + OUT
    ),
    "a buffer": model(
        "self.register_buffer('table', torch.randn(vocab, d_model))",
        "return self.table[tokens] @ self.table.T",
    ),
    "scale in the table": model(
        TWO + TIE + "\nself.embedding.weight.data *= d_model**0.5",
        "return self.generator(self.embedding(tokens)) * 2",
    ),
    "mean over the words": model(TWO + TIE, X + "return self.generator(x.mean(1))"),
    "the best word": model(TWO + TIE, X + "return self.generator(x).argmax(-1)"),
    "ReLU between": model(TWO + TIE, X + "return self.generator(x.relu())"),
    "tanh of the logits": model(TWO + TIE, X + "return self.generator(x).tanh()"),
    "frozen": model(
        TWO + TIE + "\nself.embedding.weight.requires_grad = False", X + OUT
    ),
}

SPELLINGS = {
    "two tables": [
        model(TWO, X + OUT),
        model(TWO + "self.generator.weight == self.embedding.weight", X + OUT),
    ],
    "equal copy": [
        model(
            TWO
            + "self.generator.weight = torch.nn.Parameter(self.embedding.weight.clone())",
            X + OUT,
        ),
        model(
            TWO + "with torch.no_grad():\n"
            "    self.generator.weight.copy_(self.embedding.weight)",
            X + OUT,
        ),
        model(
            "import copy\n\n"
            + TWO
            + "self.generator.weight = copy.deepcopy(self.embedding.weight)",
            X + OUT,
        ),
        model(
            TWO + "self.generator.weight.data[:] = self.embedding.weight.data", X + OUT
        ),
    ],
    "two parameters on one memory": [
        model(TWO + "self.generator.weight.data = self.embedding.weight.data", X + OUT),
        model(
            TWO + "self.generator.weight = torch.nn.Parameter(self.embedding.weight)",
            X + OUT,
        ),
    ],
    "copied in every call": [
        model(
            TWO,
            "self.generator.weight.data = self.embedding.weight.data.clone()\n"
            + X
            + OUT,
        ),
        model(
            TWO,
            "with torch.no_grad():\n"
            "    self.generator.weight.copy_(self.embedding.weight)\n" + X + OUT,
        ),
    ],
    "output side cut off": [
        model(
            "self.embedding = torch.nn.Embedding(vocab, d_model)",
            "table = self.embedding.weight.detach()\n"
            "return self.embedding(tokens) @ table.T * table.shape[1] ** 0.5",
        ),
    ],
    "input side cut off": [
        model(
            TWO + TIE, "x = self.embedding(tokens).detach() * self.d_model**0.5\n" + OUT
        ),
    ],
    "no factor": [
        model(TWO + TIE, "return self.generator(self.embedding(tokens))"),
        model(TWO + TIE, "x = self.embedding(tokens)\nx * self.d_model**0.5\n" + OUT),
    ],
    "factor twice": [
        model(TWO + TIE, X + "return self.generator(x * self.d_model**0.5)"),
        model(
            TWO + TIE, "return self.generator(self.embedding(tokens)) * self.d_model"
        ),
        model(TWO + TIE, "x = self.embedding(tokens) * self.d_model\n" + OUT),
    ],
    "divided by the root": [
        model(
            TWO + TIE, "x = self.embedding(tokens) / math.sqrt(self.d_model)\n" + OUT
        ),
        model(TWO + TIE, "x = self.embedding(tokens) * self.d_model**-0.5\n" + OUT),
    ],
    "root of the vocabulary": [
        model(
            TWO + TIE,
            "x = self.embedding(tokens) * len(self.embedding.weight) ** 0.5\n" + OUT,
        ),
    ],
    "bias in the generator": [
        model(TWO.replace(", bias=False", "") + TIE, X + OUT),
    ],
    "probabilities": [
        model(TWO + TIE, X + "return torch.softmax(self.generator(x), -1)"),
    ],
    "log-probabilities": [
        model(TWO + TIE, X + "return F.log_softmax(self.generator(x), dim=-1)"),
    ],
    "no projection": [model(TWO + TIE, X + "return x")],
    "a row that never learns": [
        model(
            TWO.replace("(vocab, d_model)", "(vocab, d_model, padding_idx=0)", 1) + TIE,
            X + OUT,
        ),
    ],
}
