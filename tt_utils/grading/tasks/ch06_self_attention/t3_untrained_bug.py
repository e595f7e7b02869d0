"""06.3 Two planted bugs: a matrix that is no parameter, and keys that are queries."""

from tt_utils.grading.observing.probes import hold_same
from tt_utils.grading.tasks.spec import Check, FunctionTask

START = """
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.w_q = nn.Linear(d_model, d_k, bias=False)
        self.w_k = nn.Linear(d_model, d_k, bias=False)
"""

PLAIN = (
    START
    + """
        self.w_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        q = self.w_q(x)
        k = self.w_k(x)
        v = self.w_v(x)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weights = torch.softmax(scores, dim=-1)
        out = weights @ v
        return out, weights
"""
)

PARAMETER = (
    START
    + """
        self.w_v = nn.Parameter(torch.randn(d_v, d_model))

    def forward(self, x):
        q, k, v = self.w_q(x), self.w_k(x), x @ self.w_v.T
        weights = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1)
        return weights @ v, weights
"""
)

IN_OUT = (
    START
    + """
        self.w_v = torch.nn.Parameter(torch.randn(d_model, d_v) / d_model**0.5)

    def forward(self, x):
        scores = torch.einsum("...id,...jd->...ij", self.w_q(x), self.w_k(x))
        weights = F.softmax(scores * self.w_k.out_features ** -0.5, -1)
        return (weights @ x) @ self.w_v, weights
"""
)

WEIGHT_USED = (
    START
    + """
        self.w_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        q = x @ self.w_q.weight.T
        k = x @ self.w_k.weight.T
        weights = (q @ k.mT / math.sqrt(k.shape[-1])).softmax(-1)
        out = F.linear(weights @ x, self.w_v.weight)
        return out, weights
"""
)

MISTAKES = """
as planted: self.w_v = nn.Linear(d_model, d_v, bias=False) → self.w_v = torch.randn(d_model, d_v)
and: self.w_v(x) → x @ self.w_v
and: self.w_k(x) → self.w_q(x)
    Print the names in `named_parameters()`: what is missing there? Then look at two
    words: *milk asks drank* and *drank asks milk* get the same score. Why?

the values never learn: self.w_v = nn.Linear(d_model, d_v, bias=False) → self.w_v = torch.randn(d_model, d_v)
and: self.w_v(x) → x @ self.w_v
or: nn.Parameter(torch.randn(d_v, d_model)) → torch.randn(d_v, d_model)
or: torch.nn.Parameter(torch.randn(d_model, d_v) / d_model**0.5) → torch.randn(d_model, d_v, requires_grad=True)
or: self.w_v = nn.Parameter(torch.randn(d_v, d_model)) → self.register_buffer("w_v", torch.randn(d_v, d_model))
    Queries and keys are right now. One thing is left: a matrix that an optimiser never
    gets to see. Which one is not among `parameters()`?

a layer in a list: self.w_v = nn.Linear(d_model, d_v, bias=False) → self.w_v = [nn.Linear(d_model, d_v, bias=False)]
and: self.w_v(x) → self.w_v[0](x)
    A module looks for parameters in its attributes, not inside a list of Python's. Count
    the parameters: is the new layer among them?

a layer used as a matrix: self.w_v(x) → x @ self.w_v
or: self.w_v(x) → x @ self.w_v
and: self.w_k(x) → self.w_q(x)
    The values have a layer of their own now, and it is used as if it were a matrix. How
    do the other two projections get from `x` to their result?

keys still made by the matrix of the queries: self.w_k(x) → self.w_q(x)
or: k = x @ self.w_k.weight.T → k = x @ self.w_q.weight.T
    All matrices are parameters now. One thing is left: one of them never changes, since
    no result depends on it. Which one?

queries made by the matrix of the keys: self.w_q(x) → self.w_k(x)
or: q = x @ self.w_q.weight.T → q = x @ self.w_k.weight.T
    The two questions still score the same, and the matrix of the queries never changes
    now. Which matrix says what a word asks for?

queries and keys mixed up: q = self.w_q(x)\\n        k = self.w_k(x) → q = self.w_k(x)\\n        k = self.w_q(x)
or: q, k, v = self.w_q(x), self.w_k(x) → q, k, v = self.w_k(x), self.w_q(x)
    Both matrices are used, each for the other one's job. Which one says what a word
    asks for?

one matrix under two names: self.w_k = nn.Linear(d_model, d_k, bias=False) → self.w_k = self.w_q
    Two names, and one matrix behind them: the two questions still score the same. How
    many matrices does a head have?

values have a bias: nn.Linear(d_model, d_v, bias=False) → nn.Linear(d_model, d_v)
    Your new projection brings more than a matrix. What else does `nn.Linear` learn,
    unless it is told not to?

biases everywhere: bias=False → bias=True
    Your projections learn more than matrices. Was that one of the two bugs?

values made by the matrix of the keys: v = self.w_v(x) → v = self.w_k(x)
and: nn.Linear(d_model, d_v, bias=False) → nn.Linear(d_model, d_k, bias=False)
    Your values are your keys. Being found and handing over are two jobs: how many
    matrices do they need?

values as narrow as the keys: nn.Linear(d_model, d_v, bias=False) → nn.Linear(d_model, d_k, bias=False)
or: torch.randn(d_v, d_model) → torch.randn(d_k, d_model)
or: torch.randn(d_model, d_v) → torch.randn(d_model, d_k)
    Your values have the width of the keys. Which of the three sizes is theirs?

sizes of the value matrix swapped: nn.Linear(d_model, d_v, bias=False) → nn.Linear(d_v, d_model, bias=False)
    `nn.Linear` is told the sizes in the order in which it leads: from, to. From which
    width to which should the values be projected?

values not projected: v = self.w_v(x) → v = x
or: out = F.linear(weights @ x, self.w_v.weight) → out = weights @ x
or: (weights @ x) @ self.w_v → weights @ x
    You blend the vectors as they came in. What is the third matrix there for?

values cut off from training: x @ self.w_v.T → x @ self.w_v.detach().T
or: x @ self.w_v.T → x @ self.w_v.data.T
or: v = self.w_v(x) → v = self.w_v(x).detach()
or: nn.Parameter(torch.randn(d_v, d_model)) → nn.Parameter(torch.randn(d_v, d_model), requires_grad=False)
    The matrix of the values is listed, and a step of training doesn't move it. Which
    word in your code keeps the gradient from reaching it?

keys cut off from training: k = self.w_k(x) → k = self.w_k(x).detach()
or: self.w_k.weight.T → self.w_k.weight.detach().T
or: self.w_k.weight.T → self.w_k.weight.data.T
    The matrix of the keys is listed, and a step of training doesn't move it. Which word
    in your code keeps the gradient from reaching it?

nothing is learned from the weights: torch.softmax(scores, dim=-1) → torch.softmax(scores, dim=-1).detach()
or: weights = F.softmax(scores → weights = F.softmax(scores.detach()
    Queries and keys can't learn: no gradient reaches them. What in your code stands
    between the scores and the blend?

a matrix made anew at each call: v = self.w_v(x) → self.w_v = nn.Linear(x.shape[-1], self.w_v.out_features, bias=False)\\n        v = self.w_v(x)
or: v = self.w_v(x) → v = nn.Linear(x.shape[-1], self.w_v.out_features, bias=False)(x)
    Called twice with the same words, your head gives different results: something is made
    anew, or drawn, at each call. With what could training go on?

one matrix too many: self.w_v = nn.Linear(d_model, d_v, bias=False) → self.w_v = nn.Linear(d_model, d_v, bias=False); self.w_o = nn.Linear(d_v, d_v, bias=False)
and: return out, weights → return self.w_o(out), weights
or: self.w_v = nn.Linear(d_model, d_v, bias=False) → self.w_v = nn.Linear(d_model, d_v, bias=False); self.w_o = nn.Linear(d_v, d_model, bias=False)
and: return out, weights → return self.w_o(out), weights
    Your head learns one matrix more than three, after the blend. Was the number of its
    results one of the two bugs?

blend forgotten: weights @ v\\n        return out, weights → weights @ v\\n        return v, weights
or: return weights @ v, weights → return v, weights
    You return the values, each word's own, and the weights touch nothing. What is each
    row of weights there for?

keys blended: weights @ v → weights @ k
    You blend the keys, and the values are not used any more. What does a word hand
    over?

scale lost: / math.sqrt(q.shape[-1]) →
or: / q.shape[-1] ** 0.5 →
or: * self.w_k.out_features ** -0.5 →
    The scale is gone, and it was no bug. What happens to softmax as d_k grows?

scaled by the width of the model: math.sqrt(q.shape[-1]) → math.sqrt(x.shape[-1])
or: self.w_k.out_features → self.w_k.in_features
    Your scale belongs to the width of x. How many products are added up in one score,
    after the projection?

softmax over those who ask: dim=-1 → dim=-2
    Your columns sum to 1 instead of your rows. Softmax was right: what made the table
    of scores its own mirror image?

softmax along a fixed axis: dim=-1 → dim=1
    Right for one sentence, wrong for a batch: axis 1 is another axis then. Was softmax
    one of the two bugs?

future hidden: torch.softmax(scores, dim=-1) → torch.softmax(scores.masked_fill(~torch.ones_like(scores).tril().bool(), -torch.inf), dim=-1)
and: self.w_k(x) → self.w_q(x)
    You hide later words. The weights are no mirror image any more, but the scores under
    them still are: which line makes two different questions score the same?

transposed from the front: k.transpose(-2, -1) → k.T
or: k.mT → k.transpose(0, 1)
    You turn axes around that you count from the front, and a batch may stand there or
    not. What are the last two called in every case?
"""

PARTS = ("w_q", "w_k", "w_v")


class NotAsAsked(LookupError):
    """The learner's module can't be given the check's matrices; says why."""


def given_matrices(answers, sizes, matrices):
    """The learner's module with these matrices (out, in), biases at 0.

    It takes a layer, a parameter of either orientation, or a plain tensor.
    """
    import torch

    module = answers[0](**sizes)
    with torch.no_grad():
        for name, matrix in matrices.items():
            part = getattr(module, name, None)
            if isinstance(part, torch.nn.Module):
                if getattr(part, "bias", None) is not None:
                    part.bias.zero_()
                part = getattr(part, "weight", None)
            if not isinstance(part, torch.Tensor):
                raise NotAsAsked(f"your module has no matrix `{name}`")
            if part.shape == matrix.shape:
                part.copy_(matrix)
            elif part.shape == matrix.T.shape and not isinstance(
                getattr(module, name), torch.nn.Module
            ):
                part.copy_(matrix.T)
            else:
                raise NotAsAsked(
                    f"the matrix of `{name}` has the shape {tuple(part.shape)}, "
                    f"expected {tuple(matrix.shape)}"
                )
    return module.eval()


def result_of(answers, sizes, matrices, x):
    module, again = given_matrices(answers, sizes, matrices), x.clone()
    result = module(x)
    hold_same(result, module(again))
    return result


def count(answers, sizes):
    """How many numbers an optimiser would get."""
    return sum(p.numel() for p in answers[0](**sizes).parameters())


def moved(answers, sizes, matrices, x, lr):
    """Which matrices a step of training changes, and what comes out afterwards."""
    import torch

    module = given_matrices(answers, sizes, matrices).train()
    before = {name: matrix_of(module, name) for name in matrices}
    optimizer = torch.optim.SGD(module.parameters(), lr=lr)
    out, _ = module(x)
    out.square().mean().backward()
    optimizer.step()
    changed = [n for n in matrices if not torch.equal(before[n], matrix_of(module, n))]
    return module.eval()(x)[0], changed


def started(answers, sizes, x, lr):
    """How many numbers of each of its own first matrices a step of training changes."""
    import torch

    module = answers[0](**sizes)
    before = {name: matrix_of(module, name) for name in PARTS}
    optimizer = torch.optim.SGD(module.parameters(), lr=lr)
    module(x)[0].square().mean().backward()
    optimizer.step()
    return [int((before[n] != matrix_of(module, n)).sum()) for n in PARTS]


def matrix_of(module, name):
    part = getattr(module, name)
    return getattr(part, "weight", part).detach().clone()


def sizes_of(d_model, d_k, d_v):
    return {"d_model": d_model, "d_k": d_k, "d_v": d_v}


def any_sizes(rng):
    """Three different widths, that of the model the largest."""
    d_k, d_v = rng.permutation([2, 3, 5, 7])[:2].tolist()
    return (sizes_of(int(rng.integers(8, 14)), d_k, d_v),)


def words_for(rng, sizes):
    return sizes, rng.normal(size=(2, 3, sizes["d_model"])).round(1), 0.5


def head(d_model, d_k, d_v, t, *lead, lr=None):
    def inputs(rng):
        matrices = {
            name: rng.normal(size=(n_out, d_model)) * 1.5 / d_model**0.5
            for name, n_out in zip(PARTS, (d_k, d_k, d_v), strict=True)
        }
        x = rng.normal(size=(*lead, t, d_model)).round(1)
        given = sizes_of(d_model, d_k, d_v), matrices, x
        return given if lr is None else (*given, lr)

    return inputs


SHOWN = {"arguments": ("sizes", "matrices", "x")}

TASK = FunctionTask(
    title="A head that learns too little",
    kind="find the bug",
    answers=("SelfAttention",),
    arguments=("sizes",),
    outputs=("out", "weights"),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(PLAIN, PARAMETER, IN_OUT, WEIGHT_USED),
    mistakes=MISTAKES,
    pairs=False,  # every run builds modules
    checks=(
        Check(
            "the number of parameters, as PyTorch counts them",
            lambda rng: (sizes_of(7, 3, 5),),
            count,
            outputs=("parameters",),
            fresh=any_sizes,
        ),
        Check("two words", head(5, 3, 2, 2), result_of, **SHOWN),
        Check("wide values", head(5, 2, 11, 7), result_of, **SHOWN),
        Check("a batch of 3 sentences", head(7, 3, 5, 5, 3), result_of, **SHOWN),
        Check("keys as wide as values", head(5, 3, 3, 5, 2), result_of, **SHOWN),
        Check(
            "the matrices that a step of training changes",
            head(5, 3, 2, 7, lr=0.5),
            moved,
            arguments=("sizes", "matrices", "x", "learning_rate"),
            outputs=("out_afterwards", "changed"),
        ),
        Check(
            "those that a step changes, from the matrices it is made with",
            lambda rng: words_for(rng, sizes_of(7, 2, 5)),
            started,
            arguments=("sizes", "x", "learning_rate"),
            outputs=("changed_numbers_of_w_q_w_k_w_v",),
            fresh=lambda rng: words_for(rng, *any_sizes(rng)),
        ),
    ),
    hints=(
        "Make a small head and print the names in `named_parameters()`. Which of the "
        "three matrices would an optimiser never touch?",
        "Two words, no softmax: print the table of scores. Its own mirror image is what "
        "chapter 06 begins with: what was missing there?",
    ),
    section="In PyTorch",
    why="Only what `parameters()` lists is changed by training, and only if a result "
    "depends on it. Both bugs run in silence: the shapes are right and the loss falls.",
)
