"""11.4 A planted bug: the second skip of an encoder layer starts from its input."""

import numpy as np

from tt_utils.grading.tasks.inputs import Rule, normal
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    attended = norm_1(x + attention(x, x, x, mask))
    return norm_2(attended + feed_forward(attended))
"""

SAME_NAME = """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    x = x + attention(x, x, x, mask)
    x = norm_1(x)
    x = x + feed_forward(x)
    return norm_2(x)
"""

LOOP = """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    def attend(y):
        return attention(y, y, y, mask)

    parts = [(attend, norm_1), (feed_forward, norm_2)]
    for part, norm in parts:
        x = norm(torch.stack([x, part(x)]).sum(0))
    return x
"""

BRANCHES = """
def encoder_layer(x, mask, attention, feed_forward, norm_1, norm_2):
    branch = attention(query=x, key=x, value=x, mask=mask)
    first = norm_1(torch.add(x, branch))
    branch = feed_forward(first)
    return norm_2(torch.add(first, branch))
"""

MISTAKES = """
as planted: norm_2(attended + feed_forward(attended)) → norm_2(x + feed_forward(attended))
or: torch.add(first, branch) → torch.add(x, branch)
    Take a feed-forward part that returns zeros: then your layer gives norm_2(x), as if
    there were no attention. Which vector should travel on the second skip?

second skip before the norm: attended = norm_1(x + attention(x, x, x, mask)) → total = x + attention(x, x, x, mask); attended = norm_1(total)
and: norm_2(attended + feed_forward(attended)) → norm_2(total + feed_forward(attended))
or: first = norm_1(torch.add(x, branch)) → total = torch.add(x, branch); first = norm_1(total)
and: norm_2(torch.add(first, branch)) → norm_2(torch.add(total, branch))
    Your second skip starts between the first sum and its norm. What does the
    feed-forward part read, and what travels past it?

feed-forward left out: norm_2(attended + feed_forward(attended)) → norm_2(attended)
or: torch.add(first, branch) → first
    The feed-forward part is not in your result. What is added in the second sum?

feed-forward reads the input: feed_forward(attended) → feed_forward(x)
or: branch = feed_forward(first) → branch = feed_forward(x)
    Your feed-forward part reads the layer's input, without what attention brought. What
    stands before it in the layer?

attention thrown away: norm_2(attended + feed_forward(attended)) → norm_2(x + feed_forward(x))
    Nothing of what attention brought is in your result. Which of your lines uses it?

both skips added at the end: attended + feed_forward(attended) → x + attended + feed_forward(attended)
or: torch.add(first, branch) → torch.add(x, torch.add(first, branch))
    The layer's input comes in a second time at the end. It is part of the first sum
    already: what else does the second one need?

mask left behind: attention(x, x, x, mask) → attention(x, x, x, None)
or: mask=mask → mask=None
or: attention(y, y, y, mask) → attention(y, y, y, None)
    Real words look at padding in yours. Where does the argument `mask` go?

mask inverted: attention(x, x, x, mask) → attention(x, x, x, ~mask)
or: attention(y, y, y, mask) → attention(y, y, y, ~mask)
    Your words look at exactly what is hidden. What does True in a mask mean in this
    book?

first skip lost: norm_1(x + attention(x, x, x, mask)) → norm_1(attention(x, x, x, mask))
or: torch.add(x, branch) → branch
    Nothing passes attention by. If it returned zeros, what would be left of x?

second skip lost: norm_2(attended + feed_forward(attended)) → norm_2(feed_forward(attended))
or: torch.add(first, branch) → branch
    Nothing passes the feed-forward part by. If it returned zeros, what would be left?

both skips lost: torch.stack([x, part(x)]).sum(0) → part(x)
    Nothing passes either part by. What is added to a part's result before the norm?

first norm left out: norm_1(x + attention(x, x, x, mask)) → x + attention(x, x, x, mask)
or: x = norm_1(x) → pass
    `norm_1` is used nowhere in yours. After which sum does it stand?

second norm left out: norm_2(attended + feed_forward(attended)) → attended + feed_forward(attended)
or: return norm_2(x) → return x
    `norm_2` is used nowhere in yours. After which sum does it stand?

one norm for both: norm_2( → norm_1(
or: (feed_forward, norm_2) → (feed_forward, norm_1)
    You use `norm_1` after both sums. Has each sum a γ and a β of its own?

norms swapped: parts = [(attend, norm_1), (feed_forward, norm_2)] → parts = [(attend, norm_2), (feed_forward, norm_1)]
or: norm_1(torch.add(x, branch)) → norm_2(torch.add(x, branch))
and: return norm_2(torch.add(first → return norm_1(torch.add(first
    You use both norms, each after the wrong sum. Which of the two sums comes first?

norm before the first sum: norm_1(x + attention(x, x, x, mask)) → x + norm_1(attention(x, x, x, mask))
or: first = norm_1(torch.add(x, branch)) → first = torch.add(x, norm_1(branch))
    Your first norm sees only what attention gives. In this layer the norm comes last:
    after what?

norm before the second sum: norm_2(attended + feed_forward(attended)) → attended + norm_2(feed_forward(attended))
or: return norm_2(torch.add(first, branch)) → return torch.add(first, norm_2(branch))
    Your second norm sees only what the feed-forward part gives. In this layer the norm
    comes last: after what?

norm before both sums: torch.stack([x, part(x)]).sum(0) → part(x)
and: x = norm(part(x)) → x = x + norm(part(x))
    Your norms see only what the parts give. In this layer the norm comes last: after
    what?

norm first: x = norm(torch.stack([x, part(x)]).sum(0)) → x = x + part(norm(x))
    That is a pre-norm layer, and a fine one. Where does the paper's layer, which is
    asked for here, have its norms?

feed-forward before attention: parts = [(attend, norm_1), (feed_forward, norm_2)] → parts = [(feed_forward, norm_1), (attend, norm_2)]
or: parts = [(attend, norm_1), (feed_forward, norm_2)] → parts = [(feed_forward, norm_2), (attend, norm_1)]
    Your words think before they look. Which of the two parts comes first in a layer?

side by side: attended + feed_forward(attended) → attended + feed_forward(x)
and: norm_1(x + attention(x, x, x, mask)) → x + attention(x, x, x, mask)
    Both parts read the layer's input, and there is one norm. Which part should read
    what the other one gives?

attention twice: attended = norm_1(x + attention(x, x, x, mask)) → attended = x + attention(x, x, x, mask); attended = norm_1(attended + attention(attended, attended, attended, mask))
    Attention works twice in yours. How many times does an encoder layer look around?

feed-forward twice: return norm_2(attended + → attended = attended + feed_forward(attended); return norm_2(attended +
or: x = x + feed_forward(x) → x = x + feed_forward(x); x = x + feed_forward(x)
or: feed_forward(attended) → feed_forward(feed_forward(attended))
    Your words think twice. How many feed-forward parts has an encoder layer?

second skip twice: norm_2(attended + → norm_2(attended + attended +
or: torch.add(first, branch) → torch.add(2 * first, branch)
    What travels past the feed-forward part comes in twice. How often does the second sum
    need it?

second skip from attention alone: attended = norm_1(x + attention(x, x, x, mask)) → branch = attention(x, x, x, mask); attended = norm_1(x + branch)
and: norm_2(attended + → norm_2(branch +
    What attention gave travels on your second skip by itself. Where does that skip begin?

input normalised before the first sum: norm_1(x + attention(x, x, x, mask)) → norm_1(x) + attention(x, x, x, mask)
or: norm_1(torch.add(x, branch)) → torch.add(norm_1(x), branch)
    Your first norm sees the layer's input, without what attention brought. In this layer
    the norm comes last: after what?

attention reads a norm: attention(x, x, x, mask) → attention(norm_1(x), x, x, mask)
or: attention(x, x, x, mask) → attention(norm_1(x), norm_1(x), norm_1(x), mask)
    Your attention reads something that a norm has changed. What does the first part of
    the paper's layer read?

products for sums: attended + feed_forward(attended) → attended * feed_forward(attended)
or: x + attention(x, x, x, mask) → x * attention(x, x, x, mask)
or: x = x + feed_forward(x) → x = x * feed_forward(x)
    A residual connection of yours multiplies. By what should a part that returns zeros
    change the vector that passes it?

first norm twice: feed_forward(attended) → feed_forward(norm_1(attended))
or: branch = feed_forward(first) → branch = feed_forward(norm_1(first))
or: attended = norm_1(x + attention(x, x, x, mask)) → attended = norm_1(norm_1(x + attention(x, x, x, mask)))
    What your feed-forward part reads has been through `norm_1` twice. How often does
    each norm stand in the paper's layer?
"""


def standard(y):
    centred = y - y.mean(-1, keepdim=True)
    return centred / (centred.square().mean(-1, keepdim=True) + 1e-5).sqrt()


def numbers(y):
    """1, 2, 3, … for the features of y."""
    return (0 * y[..., :] + 1).cumsum(-1)


def attend(query, key, value, mask=None):
    weights = (query @ key.mT / 2).exp()
    weights = weights if mask is None else weights * mask
    return 2 * weights @ value / weights.sum(-1, keepdim=True)


ATTENTION = Rule("attention(query, key, value, mask=None)", attend)
NOTHING = Rule("y ↦ 0", lambda y: 0 * y)
THINK = Rule("y ↦ y² − 2y, its features in reverse", lambda y: (y * y - 2 * y).flip(-1))
NORM_1 = Rule(
    "LayerNorm with γ = 1, 1.5, 2, …, β = 1",
    lambda y: (numbers(y) + 1) / 2 * standard(y) + 1,
)
NORM_2 = Rule(
    "LayerNorm with γ = 3, β = −1, −2, −3, …", lambda y: 3 * standard(y) - numbers(y)
)


def layer(*shape, mask, think=THINK):
    def inputs(rng):
        (x,) = normal(shape, scale=1)(rng)
        return x, np.array(mask), ATTENTION, think, NORM_1, NORM_2

    return inputs


TASK = FunctionTask(
    title="An encoder layer that forgets to look",
    kind="find the bug",
    answers=("encoder_layer",),
    arguments=("x", "mask", "attention", "feed_forward", "norm_1", "norm_2"),
    outputs=("out",),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(PLAIN, SAME_NAME, LOOP, BRANCHES),
    mistakes=MISTAKES,
    checks=(
        Check(
            "a feed-forward part that gives zeros",
            layer(3, 5, mask=[True] * 3, think=NOTHING),
        ),
        Check("three words, none hidden", layer(3, 5, mask=[True] * 3)),
        Check("four words, one hidden", layer(4, 5, mask=[True, True, True, False])),
        Check(
            "a batch of two sentences of different length",
            layer(2, 3, 7, mask=[[[True, True, False]], [[True, True, True]]]),
        ),
    ),
    hints=(
        "Draw the layer as the paper does: a line upwards, two side roads, two sums, a "
        "norm after each. Write the name of the variable beside every piece of the line.",
        "Let one part after the other return zeros, in your head. What should come out "
        "of the layer, and what does come out?",
    ),
    section="One layer, line by line",
    why="The second skip starts where the first sum ended. Started from the layer's "
    "input, it carries nothing of what attention brought, and all shapes still fit.",
)
