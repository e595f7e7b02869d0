"""13.2 One table for reading and writing: tied, not merely equal."""

from tt_utils.grading.tasks.spec import Check, FunctionTask

SHARED = """
class TiedModel(nn.Module):
    def __init__(self, vocab, d_model):
        super().__init__()
        self.embedding = nn.Embedding(vocab, d_model)
        self.generator = nn.Linear(d_model, vocab, bias=False)
        self.generator.weight = self.embedding.weight

    def forward(self, tokens):
        x = self.embedding(tokens) * math.sqrt(self.embedding.embedding_dim)
        return self.generator(x)
"""

ONE_TABLE = """
class TiedModel(nn.Module):
    def __init__(self, vocab, d_model):
        super().__init__()
        self.embedding = nn.Embedding(vocab, d_model)
        self.scale = d_model ** 0.5

    def forward(self, tokens):
        x = self.scale * self.embedding(tokens)
        return x @ self.embedding.weight.T
"""

PARAMETER = """
class TiedModel(nn.Module):
    def __init__(self, vocab, d_model):
        super().__init__()
        self.table = nn.Parameter(torch.randn(vocab, d_model) / d_model ** 0.5)

    def forward(self, tokens):
        x = self.table[tokens] * self.table.shape[1] ** 0.5
        return F.linear(x, self.table)
"""

MISTAKES = """
two tables: self.generator.weight = self.embedding.weight → pass
    Your two tables are trained apart: after one step they differ. Where is the one set
    equal to the other?

equal copy: self.generator.weight = self.embedding.weight → self.generator.weight = nn.Parameter(self.embedding.weight.detach().clone())
or: self.generator.weight = self.embedding.weight → self.generator.weight.data.copy_(self.embedding.weight.data)
or: self.generator.weight = self.embedding.weight → self.generator.load_state_dict({"weight": self.embedding.weight})
    Your two tables are trained apart: equal at first, different after one step. Is it
    the same parameter, or one with the same numbers?

two parameters on one memory: self.generator.weight = self.embedding.weight → self.generator.weight.data = self.embedding.weight.data
    The numbers lie in one place, and an optimiser still sees two parameters there. How
    many should it see?

tied too late: bias=False)\\n        self.generator.weight = self.embedding.weight → bias=False)
and: return self.generator(x) → self.generator.weight = self.embedding.weight\\n        return self.generator(x)
    Your tables become one when the model is called. An optimiser is made before that:
    how many tables does it see?

copied in every call: return self.generator(x) → self.generator.weight.data.copy_(self.embedding.weight.data)\\n        return self.generator(x)
and: self.generator.weight = self.embedding.weight → pass
    You copy the numbers in each call. The gradient that reaches the copy never comes
    back to the embedding: what does it learn from the output side?

output side cut off: self.embedding.weight.T → self.embedding.weight.detach().T
or: F.linear(x, self.table) → F.linear(x, self.table.detach())
or: self.embedding.weight.T → self.embedding.weight.data.T
    The same numbers, and yet no gradient comes back from the output side. What does
    `detach` or `data` cut?

input side cut off: self.scale * self.embedding(tokens) → self.scale * self.embedding(tokens).detach()
or: self.table[tokens] → self.table[tokens].detach()
    The same numbers, and yet no gradient comes back from the input side. What does
    `detach` cut?

no factor: * math.sqrt(self.embedding.embedding_dim) →
or: self.scale * self.embedding →  self.embedding
or: self.table[tokens] * self.table.shape[1] ** 0.5 → self.table[tokens]
    Your logits are too small by one factor. What does the paper do to the embeddings,
    so that one table can serve at both ends?

factor twice: return self.generator(x) → return self.generator(x) * math.sqrt(self.embedding.embedding_dim)
or: return x @ self.embedding.weight.T → return x @ (self.scale * self.embedding.weight.T)
or: math.sqrt(self.embedding.embedding_dim) → self.embedding.embedding_dim
or: self.scale = d_model ** 0.5 → self.scale = d_model
or: self.table.shape[1] ** 0.5 → self.table.shape[1]
    Your logits hold the whole of d_model as a factor. Which function of it does the
    paper take, and at how many places does it stand?

divided by the root: * math.sqrt(self → / math.sqrt(self
or: self.scale = d_model ** 0.5 → self.scale = d_model ** -0.5
    Your logits are too small. In which direction does the factor work on embeddings?

root of the vocabulary: math.sqrt(self.embedding.embedding_dim) → math.sqrt(self.embedding.num_embeddings)
or: self.scale = d_model ** 0.5 → self.scale = vocab ** 0.5
    Your factor grows with the vocabulary. Which size of the table does the paper take?

bias in the generator: bias=False → bias=True
    Each word has one number more of its own in your model. What is left out of this
    projection?

probabilities: return self.generator(x) → return self.generator(x).softmax(-1)
or: return x @ self.embedding.weight.T → return (x @ self.embedding.weight.T).softmax(-1)
    Your rows sum to 1. What is asked for, before softmax?

log-probabilities: return self.generator(x) → return self.generator(x).log_softmax(-1)
or: return x @ self.embedding.weight.T → return (x @ self.embedding.weight.T).log_softmax(-1)
    You returned logarithms of probabilities. What is asked for, before softmax?

no projection: return self.generator(x) → return x
    You returned vectors of the model's width. What turns each one into a score for
    every word?

a row that never learns: nn.Embedding(vocab, d_model) → nn.Embedding(vocab, d_model, padding_idx=0)
    Row 0 of your table gets no gradient from the input side. What does `padding_idx` do
    to it, and did anybody ask for that?
"""


def loaded(answers, sizes, table):
    """The model, every table of it filled with the same numbers, all else with 0.1."""
    import torch

    module = answers[0](**sizes)
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.shape == table.shape:
                parameter.copy_(table)
            else:
                parameter.fill_(0.1)
    return module


def logits(answers, sizes, table, tokens):
    return loaded(answers, sizes, table).eval()(tokens)


def after_steps(answers, sizes, table, tokens, labels, lr, steps):
    """The logits after some steps of plain gradient descent on the cross-entropy."""
    import torch

    module = loaded(answers, sizes, table)
    optimizer = torch.optim.SGD(module.parameters(), lr=lr)
    for _ in range(steps):
        optimizer.zero_grad()
        scores = module(tokens).flatten(0, -2)
        torch.nn.functional.cross_entropy(scores, labels.flatten()).backward()
        optimizer.step()
    return module(tokens)


def tables_at_first(answers, sizes):
    """The shape of each table of a new model, but once where tables are equal."""
    shape = tuple(sizes.values())
    parameters = answers[0](**sizes).parameters()
    tables = {str(p.tolist()) for p in parameters if tuple(p.shape) == shape}
    return [list(shape)] * len(tables)


def parameter_count(answers, sizes):
    """How many numbers an optimiser would see."""
    return sum(p.numel() for p in answers[0](**sizes).parameters())


def tokens_of(vocab, d_model, *shape, training=()):
    def inputs(rng):
        sizes = {"vocab": vocab, "d_model": d_model}
        table = rng.normal(scale=d_model**-0.5, size=(vocab, d_model)).round(2)
        tokens = rng.integers(vocab, size=shape)
        tokens.flat[0] = 0
        if not training:
            return sizes, table, tokens
        return sizes, table, tokens, rng.integers(vocab, size=shape), *training

    return inputs


def sizes(vocab, d_model):
    return lambda rng: ({"vocab": vocab, "d_model": d_model},)


def other_sizes(rng):
    return sizes(int(rng.integers(18, 40)), int(rng.integers(5, 17)))(rng)


TRAINING = ("sizes", "table", "tokens", "labels", "lr", "steps")

TASK = FunctionTask(
    title="One table, read and written",
    kind="implement",
    answers=("TiedModel",),
    arguments=("sizes", "table", "tokens"),
    outputs=("logits",),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(SHARED, ONE_TABLE, PARAMETER),
    mistakes=MISTAKES,
    checks=(
        Check("two words of a vocabulary of five", tokens_of(5, 3, 1, 2), logits),
        Check("a batch", tokens_of(11, 6, 2, 4), logits),
        Check(
            "after one step of training",
            tokens_of(7, 5, 2, 3, training=(0.5, 1)),
            after_steps,
            TRAINING,
        ),
        Check(
            "after four steps of training",
            tokens_of(11, 6, 3, 4, training=(0.3, 4)),
            after_steps,
            TRAINING,
        ),
        Check(
            "the different tables of a new model",
            sizes(5, 3),
            tables_at_first,
            ("sizes",),
            ("shapes",),
            fresh=other_sizes,
        ),
        Check(
            "how many numbers an optimiser sees",
            sizes(13, 6),
            parameter_count,
            ("sizes",),
            ("count",),
            fresh=other_sizes,
        ),
        Check(
            "the same in another size",
            sizes(17, 4),
            parameter_count,
            ("sizes",),
            ("count",),
            fresh=other_sizes,
        ),
    ),
    hints=(
        "A linear layer from d_model to vocab holds a weight of shape (vocab, d_model). "
        "Which other part of the model holds one of that shape?",
        "Two parameters with equal numbers get two different gradients, and after one "
        "step they are no longer equal. How do two modules hold one parameter?",
    ),
    section="From a vector to a word",
    why="One parameter in two places gets both gradients: from the words that were read, "
    "and from those that were scored. A copy is unequal from the first step on.",
)
