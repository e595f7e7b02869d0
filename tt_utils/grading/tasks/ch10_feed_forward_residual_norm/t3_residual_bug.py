"""10.3 A planted bug: the skip of a pre-norm residual carries the normalised x."""

from tt_utils.grading.tasks.inputs import Rule, normal
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def residual(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return norm(x + sublayer(x))
"""

STEPS = """
def residual(x, sublayer, norm, norm_first):
    branch = norm(x) if norm_first else x
    branch = sublayer(branch)
    total = x + branch
    return total if norm_first else norm(total)
"""

KEPT = """
def residual(x, sublayer, norm, norm_first):
    skip = x
    if norm_first:
        x = norm(x)
    x = torch.add(skip, sublayer(x))
    if not norm_first:
        x = norm(x)
    return x
"""

TWO = """
def residual(x, sublayer, norm, norm_first):
    def pre(x):
        return torch.stack([x, sublayer(norm(x))]).sum(0)

    def post(x):
        return norm(torch.stack([x, sublayer(x)]).sum(0))

    return pre(x) if norm_first else post(x)
"""

MISTAKES = """
as planted: return x + sublayer(norm(x)) → x = norm(x); return x + sublayer(x)
or: total = x + branch → total = (norm(x) if norm_first else x) + branch
    Take a sub-layer that returns zeros, norm first: then x itself should come back.
    What does yours return, and in which line does x lose its old value?

norm on the skip too, after as before: return x + sublayer(norm(x)) → x = norm(x); return x + sublayer(x)
and: return norm(x + sublayer(x)) → return norm(norm(x) + sublayer(x))
    Whatever `norm_first` says, you carry a normalised x past the sub-layer. What should
    travel on the skip?

skip lost with the norm first: return x + sublayer(norm(x)) → return sublayer(norm(x))
or: total = x + branch → total = branch if norm_first else x + branch
    With the norm first, nothing passes the sub-layer by. If it returned zeros, what
    would be left of x?

skip lost with the norm last: return norm(x + sublayer(x)) → return norm(sublayer(x))
or: total = x + branch → total = x + branch if norm_first else branch
    With the norm last, nothing passes the sub-layer by. What is added before the norm?

skip lost in both: total = x + branch → total = branch
or: torch.add(skip, sublayer(x)) → sublayer(x)
    Nothing passes the sub-layer by. Which word in *residual connection* is missing?

the two orders swapped: if norm_first: → if not norm_first:
and: return x + sublayer(norm(x)) → return x + sublayer(norm(x))
or: return pre(x) if norm_first → return post(x) if norm_first
and: else post(x) → else pre(x)
    You have both orders, and each stands where the other belongs. Which of them does
    `norm_first=True` ask for?

always the norm last: if norm_first: → if False:
and: return x + sublayer(norm(x)) → return x + sublayer(norm(x))
or: return pre(x) if norm_first else post(x) → return post(x)
    Your result is the same for both values of `norm_first`. What changes when the norm
    comes first?

always the norm first: if norm_first: → if True:
and: return x + sublayer(norm(x)) → return x + sublayer(norm(x))
or: return pre(x) if norm_first else post(x) → return pre(x)
    Your result is the same for both values of `norm_first`. What changes when the norm
    comes last?

normalised twice with the norm first: return x + sublayer(norm(x)) → return norm(x + sublayer(norm(x)))
or: return total if norm_first else norm(total) → return norm(total)
    With the norm first, your sum is normalised once more. How often does a layer of
    that kind touch the stream itself?

normalised twice with the norm last: return norm(x + sublayer(x)) → return norm(x + sublayer(norm(x)))
or: branch = norm(x) if norm_first else x → branch = norm(x)
    With the norm last, your sub-layer reads a normalised x. What does it read there, in
    the paper?

normalised twice in both: return x + sublayer(norm(x)) → return norm(x + sublayer(norm(x)))
and: return norm(x + sublayer(x)) → return norm(x + sublayer(norm(x)))
    You normalise before and after, whatever `norm_first` says. Which of the two belongs
    to which order?

norm of the branch after the sub-layer: return x + sublayer(norm(x)) → return x + norm(sublayer(x))
or: branch = norm(x) if norm_first else x\\n    branch = sublayer(branch) → branch = norm(sublayer(x)) if norm_first else sublayer(x)
    With the norm first, you normalise what the sub-layer gives. What should be
    normalised before it reads?

norm before the sum in the last: return norm(x + sublayer(x)) → return x + norm(sublayer(x))
or: return total if norm_first else norm(total) → return total if norm_first else x + norm(branch)
    With the norm last, your norm does not see x. Is it the branch or the sum that is
    normalised?

norm left out with the norm first: return x + sublayer(norm(x)) → return x + sublayer(x)
or: branch = norm(x) if norm_first else x → branch = x
    With the norm first, yours uses no norm at all. What should the sub-layer read?

norm left out with the norm last: return norm(x + sublayer(x)) → return x + sublayer(x)
or: return total if norm_first else norm(total) → return total
    With the norm last, yours uses no norm at all. What happens to the sum?

norm on the skip, not on the branch: return x + sublayer(norm(x)) → return norm(x) + sublayer(x)
    With the norm first, yours normalises the skip, and the sub-layer reads x as it was.
    On which road should the norm stand?

branch normalised before and after: return x + sublayer(norm(x)) → return x + norm(sublayer(norm(x)))
    With the norm first, your branch is normalised twice, before the sub-layer and after
    it. Which one belongs there?

norm left out in both: return x + sublayer(norm(x)) → return x + sublayer(x)
and: return norm(x + sublayer(x)) → return x + sublayer(x)
    `norm` is used nowhere in yours. Where does it stand in each of the two orders?

x added twice: return x + sublayer(norm(x)) → return x + x + sublayer(norm(x))
or: return norm(x + sublayer(x)) → return norm(x + x + sublayer(x))
or: total = x + branch → total = x + x + branch
or: ]).sum(0) → ]).sum(0) + x
    Your sum holds x twice. How many roads lead past the sub-layer?

sum divided by two: total = x + branch → total = (x + branch) / 2
or: ]).sum(0) → ]).mean(0)
    You take the mean of the two roads. Nothing is lost on the skip: is a residual
    connection a mean or a sum?

difference: total = x + branch → total = branch - x
or: total = x + branch → total = x - branch
    You subtract. What does a residual connection do with x and what the sub-layer gives?

side by side: total = x + branch → total = torch.cat([x, branch], -1)
or: total = x + branch → total = torch.cat([x, branch])
or: total = x + branch → total = torch.stack([x, branch])
    You put both roads side by side, and the result has another shape. How do they
    become one vector of the old width?
"""


def standard(y):
    centred = y - y.mean(-1, keepdim=True)
    return centred / (centred.square().mean(-1, keepdim=True) + 1e-5).sqrt()


NORM = Rule("LayerNorm with γ = 1, β = 0", standard)
SHIFTED = Rule("LayerNorm with γ = 2, β = 1", lambda y: 2 * standard(y) + 1)
ZEROS = Rule("y ↦ 0", lambda y: 0 * y)
TURNED = Rule("y ↦ 3y, its features in reverse order", lambda y: 3 * y.flip(-1))
SQUARED = Rule("y ↦ y² + y", lambda y: y * y + y)


def around(*shape, sublayer, norm=NORM, first):
    return lambda rng: (2 + normal(shape)(rng)[0], sublayer, norm, first)


TASK = FunctionTask(
    title="A residual connection that forgets",
    kind="find the bug",
    answers=("residual",),
    arguments=("x", "sublayer", "norm", "norm_first"),
    outputs=("out",),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(PLAIN, STEPS, KEPT, TWO),
    mistakes=MISTAKES,
    checks=(
        Check(
            "norm last, a sub-layer of zeros",
            around(5, sublayer=ZEROS, first=False),
            earns=False,
        ),
        Check(
            "norm first, a sub-layer of zeros", around(5, sublayer=ZEROS, first=True)
        ),
        Check(
            "norm last",
            around(3, 5, sublayer=TURNED, norm=SHIFTED, first=False),
            earns=False,
        ),
        Check("norm first", around(3, 5, sublayer=TURNED, norm=SHIFTED, first=True)),
        Check(
            "norm first, a batch of 2", around(2, 3, 7, sublayer=SQUARED, first=True)
        ),
        Check(
            "norm last, a batch of 2",
            around(2, 3, 7, sublayer=SQUARED, first=False),
            earns=False,
        ),
    ),
    hints=(
        "Draw both orders: one line for x, a side road through the sub-layer, and a "
        "plus. On which of the two roads does the norm stand, or does it come after?",
        "Follow x through the lines of the failing order. Which value has it when the "
        "sum is taken?",
    ),
    section="Norm after or before",
    why="With the norm first, x itself runs through all layers and each adds to it. "
    "Normalise it on the way, and the untouched road from end to start is gone.",
)
