"""23.2 Stage 2: the table of vectors, and the waves that say where a word stands."""

from tt_utils.grading.observing import probes
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def positions(length, d_model):
    speeds = 10_000 ** (-torch.arange(0, d_model, 2).double() / d_model)
    angles = torch.arange(length)[:, None] * speeds
    waves = torch.stack([angles.sin(), angles.cos()], dim=-1)
    return waves.flatten(1).float()

class Embedding(nn.Module):
    def __init__(self, vocab_size, d_model, dropout, max_len=64):
        super().__init__()
        self.table = nn.Embedding(vocab_size, d_model)
        nn.init.normal_(self.table.weight, std=d_model**-0.5)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("positions", positions(max_len, d_model))

    def forward(self, tokens):
        rows = self.table(tokens) * math.sqrt(self.table.embedding_dim)
        return self.dropout(rows + self.positions[: tokens.shape[1]])
"""

EVEN_AND_ODD = """
def positions(length, d_model):
    out = torch.zeros(length, d_model)
    p = torch.arange(length).unsqueeze(1)
    i = torch.arange(0, d_model, 2)
    angles = p / 10000 ** (i / d_model)
    out[:, 0::2] = torch.sin(angles)
    out[:, 1::2] = torch.cos(angles)
    return out

class Embedding(nn.Module):
    def __init__(self, vocab_size, d_model, dropout, max_len=64):
        super().__init__()
        self.d_model = d_model
        self.p = dropout
        self.table = nn.Embedding(vocab_size, d_model)
        with torch.no_grad():
            self.table.weight.mul_(d_model**-0.5)

    def forward(self, tokens):
        t = tokens.shape[1]
        x = self.d_model**0.5 * self.table(tokens) + positions(t, self.d_model)
        return F.dropout(x, self.p, self.training)
"""

ENTRY_BY_ENTRY = """
def positions(length, d_model):
    def entry(p, column):
        angle = p / 10_000 ** (column // 2 * 2 / d_model)
        return math.cos(angle) if column % 2 else math.sin(angle)

    rows = [[entry(p, column) for column in range(d_model)] for p in range(length)]
    return torch.tensor(rows)

class Embedding(nn.Module):
    def __init__(self, vocab_size, d_model, dropout, max_len=64):
        super().__init__()
        self.table = nn.Embedding(vocab_size, d_model)
        self.table.weight.data = torch.randn(vocab_size, d_model) / math.sqrt(d_model)
        self.drop = nn.Dropout(dropout)
        self.waves = positions(max_len, d_model)

    def forward(self, tokens):
        batch, t = tokens.shape
        x = self.table.weight[tokens] * self.table.weight.shape[1] ** 0.5
        return self.drop(x + self.waves[:t])
"""

MISTAKES = """
sines first, cosines behind: torch.stack([angles.sin(), angles.cos()], dim=-1) → torch.cat([angles.sin(), angles.cos()], dim=1)
or: out[:, 0::2] = torch.sin(angles)\\n    out[:, 1::2] = torch.cos(angles) → out = torch.cat([angles.sin(), angles.cos()], dim=1)
    Your sines all stand before your cosines. Where do the formulas' indices 2i and
    2i + 1 put them?

sine and cosine exchanged: angles.sin(), angles.cos() → angles.cos(), angles.sin()
or: 0::2] = torch.sin(angles)\\n    out[:, 1::2] → 1::2] = torch.sin(angles)\\n    out[:, 0::2]
or: math.cos(angle) if column % 2 else math.sin(angle) → math.sin(angle) if column % 2 else math.cos(angle)
    Position 0 should begin with sin 0 = 0. Which columns hold the sines?

sines alone: angles.sin(), angles.cos() → angles.sin(), angles.sin()
or: torch.cos(angles) → torch.sin(angles)
or: math.cos(angle) if column % 2 else math.sin(angle) → math.sin(angle)
    Both columns of a pair say the same. What does the second one hold?

a speed for every column: column // 2 * 2 / d_model → column / d_model
or: out[:, 0::2] = torch.sin(angles)\\n    out[:, 1::2] = torch.cos(angles) → i = torch.arange(d_model)\\n    angles = p / 10000 ** (i / d_model)\\n    out[:, 0::2] = torch.sin(angles[:, 0::2])\\n    out[:, 1::2] = torch.cos(angles[:, 1::2])
    Each of your columns turns at a speed of its own. How many columns share one speed?

speeds fall twice too fast: -torch.arange(0, d_model, 2).double() / d_model → -2 * torch.arange(0, d_model, 2).double() / d_model
or: 10000 ** (i / d_model) → 10000 ** (2 * i / d_model)
or: column // 2 * 2 / d_model → column // 2 * 4 / d_model
    Your speeds fall off too fast. Does your i count columns already, or pairs of them?

positions from 1: torch.arange(length)[:, None] → torch.arange(1, length + 1)[:, None]
or: p = torch.arange(length).unsqueeze(1) → p = torch.arange(1, length + 1).unsqueeze(1)
or: for p in range(length)] → for p in range(1, length + 1)]
    Your first row is the second one. Which number has the first position?

angles upside down: 10_000 ** (-torch → 10_000 ** (torch
or: p / 10000 ** → p * 10000 **
or: p / 10_000 ** → p * 10_000 **
    Your waves get faster from column to column. On which side of the fraction does the
    power of 10,000 stand?

no factor: self.table(tokens) * math.sqrt(self.table.embedding_dim) → self.table(tokens)
or: self.d_model**0.5 * self.table → self.table
or: * self.table.weight.shape[1] ** 0.5 →
    Your words drown in their positions. Which factor does section 3.4 of the paper give
    the rows of the table?

whole width as the factor: math.sqrt(self.table.embedding_dim) → self.table.embedding_dim
or: self.d_model**0.5 * self → self.d_model * self
or: self.table.weight.shape[1] ** 0.5 → self.table.weight.shape[1]
    Your words drown their positions. Which function of d_model is the factor?

positions scaled too: self.table(tokens) * math.sqrt(self.table.embedding_dim)\\n        return self.dropout(rows + self.positions[: tokens.shape[1]]) → self.table(tokens)\\n        return self.dropout((rows + self.positions[: tokens.shape[1]]) * math.sqrt(self.table.embedding_dim))
or: self.d_model**0.5 * self.table(tokens) + positions(t, self.d_model) → self.d_model**0.5 * (self.table(tokens) + positions(t, self.d_model))
    The positions got the factor too. Which of the two summands does it belong to?

no positions: rows + self.positions[: tokens.shape[1]] → rows
or: + positions(t, self.d_model) →
or: x + self.waves[:t] → x
    Two sentences with the same words in another order look alike. What is added to the
    rows of the table?

position of the sentence in the batch: + self.positions[: tokens.shape[1]] → + self.positions[: len(tokens), None]
or: x + self.waves[:t] → x + self.waves[:batch, None]
or: + positions(t, self.d_model) → + positions(len(tokens), self.d_model)[:, None]
    All words of a sentence get the same position, that of their sentence. Along which
    axis are positions counted?

positions learnt: self.register_buffer("positions", positions(max_len, d_model)) → self.positions = nn.Parameter(positions(max_len, d_model))
or: self.waves = positions(max_len, d_model) → self.waves = nn.Parameter(positions(max_len, d_model))
    An optimiser would change your positions: they are parameters. How does a module
    keep a tensor that isn't learnt?

table as PyTorch makes it: nn.init.normal_(self.table.weight, std=d_model**-0.5) → pass
or: self.table.weight.data = torch.randn(vocab_size, d_model) / math.sqrt(d_model) → pass
or: self.table.weight.mul_(d_model**-0.5) → pass
    Your table begins with PyTorch's own numbers, of size 1. It also makes the logits
    later: which standard deviation does the task ask for?

no dropout: return self.dropout(rows + self.positions[: tokens.shape[1]]) → return rows + self.positions[: tokens.shape[1]]
or: return F.dropout(x, self.p, self.training) → return x
or: return self.drop(x + self.waves[:t]) → return x + self.waves[:t]
    While it trains nothing is dropped. Where does section 5.4 of the paper apply dropout,
    besides the sub-layers?

dropout before the positions: self.dropout(rows + self.positions[: tokens.shape[1]]) → self.dropout(rows) + self.positions[: tokens.shape[1]]
or: self.drop(x + self.waves[:t]) → self.drop(x) + self.waves[:t]
    You drop numbers of the table's rows, but none of the positions. The paper drops from
    which sum?

dropout without an end: F.dropout(x, self.p, self.training) → F.dropout(x, self.p)
    Yours drops in evaluation mode too. How does `F.dropout` learn whether the model
    trains?
"""


def waves(answers, length, d_model):
    return answers[0](length, d_model)


def embedded(answers, sizes, weights, tokens):
    import torch

    found = probes.forward(answers[1:], sizes, weights, tokens)
    if found.dtype != torch.float32:
        raise TypeError(
            f"x holds numbers of {found.dtype}; the layers behind it work in float32"
        )
    return found


def all_dropped(answers, sizes, weights, tokens):
    """What is left while it trains, with a dropout of nearly 1, and all afterwards: the
    sum. At 1 itself 1 / (1 - p), which some write by hand, has no value.
    """
    module = answers[1](**sizes)
    probes.load(module, weights)
    return module.train()(tokens) + module.eval()(tokens)


def learnt(answers, sizes):
    """How many numbers an optimiser sees, of the table and of all else."""
    module = answers[1](**sizes)
    counts = {
        name: one.numel()
        for name, one in module.named_parameters()
        if one.requires_grad
    }
    return counts.pop("table.weight", 0), sum(counts.values())


def size_at_first(answers, sizes):
    """The standard deviation of a new table's numbers, times √d_model, to one decimal
    since it is drawn; and that times d_model, so that no size has the answer of another.
    """
    weight = answers[1](**sizes).table.weight.detach()
    deviation = float(weight.pow(4).mean() / 3) ** 0.25  # of numbers normal about 0
    return round(deviation * sizes["d_model"] ** 0.5, 1) * sizes["d_model"]


def wave_sizes(*sizes):
    return lambda rng: sizes


def other_wave_sizes(rng):
    return int(rng.integers(3, 12)), 2 * int(rng.integers(2, 9))


def batch(vocab_size, d_model, rows, length, dropout=0.0):
    def inputs(rng):
        sizes = {"vocab_size": vocab_size, "d_model": d_model, "dropout": dropout}
        if length > 64:
            sizes["max_len"] = length
        weights = {"table.weight": rng.normal(size=(vocab_size, d_model)).round(1)}
        return sizes, weights, rng.integers(0, vocab_size, (rows, length))

    return inputs


def sizes_of(vocab_size, d_model):
    return lambda rng: ({"vocab_size": vocab_size, "d_model": d_model, "dropout": 0.1},)


def other_sizes(rng):
    return sizes_of(int(rng.integers(2500, 4000)), 2 * int(rng.integers(8, 20)))(rng)


WAVES = {"probe": waves, "arguments": ("length", "d_model"), "outputs": ("waves",)}

TASK = FunctionTask(
    title="Stage 2: embedding and positions",
    kind="implement",
    answers=("positions", "Embedding"),
    arguments=("sizes", "weights", "tokens"),
    outputs=("x",),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(PLAIN, EVEN_AND_ODD, ENTRY_BY_ENTRY),
    mistakes=MISTAKES,
    pairs=False,
    checks=(
        Check(
            "four positions of six numbers",
            wave_sizes(4, 6),
            fresh=other_wave_sizes,
            **WAVES,
        ),
        Check("other sizes", wave_sizes(7, 10), fresh=other_wave_sizes, **WAVES),
        Check("one sentence", batch(7, 4, 1, 3), embedded),
        Check("a batch in evaluation mode", batch(11, 6, 3, 70, dropout=1.0), embedded),
        Check(
            "all dropped while it trains, and nothing afterwards",
            batch(7, 4, 2, 3, dropout=1 - 1e-9),
            all_dropped,
        ),
        Check(
            "what is learnt",
            sizes_of(13, 6),
            learnt,
            ("sizes",),
            ("of the table", "of all else"),
            fresh=other_sizes,
        ),
        Check(
            "the size of a new table's numbers",
            sizes_of(3000, 16),
            size_at_first,
            ("sizes",),
            ("deviation · √d_model · d_model",),
            fresh=other_sizes,
        ),
    ),
    hints=(
        "Write the positions for `length=2, d_model=4` by hand: row 0 is 0, 1, 0, 1. What "
        "is row 1?",
        "The module holds one thing that is learnt, and one that is not. What happens to a "
        "batch of ids on its way through them, line by line, with shapes?",
    ),
    page="13c_the_whole_on_one_page",
    section="Model",
    why="A word's vector now says which word it is and where it stands. The small numbers of "
    "the table suit its second job: it will make the logits, too.",
)
