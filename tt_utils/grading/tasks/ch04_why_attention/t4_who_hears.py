"""04.4 Who hears whom? A layer is known by what a nudge moves."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

# No random numbers in these: a mistake must look the same each time it is run.
NUDGE = """
def who_hears(layer, x):
    n = len(x)
    before = layer(x)
    heard = torch.zeros(n, n, dtype=torch.bool)
    for j in range(n):
        nudged = x.clone()
        nudged[j] += torch.arange(1.0, x.shape[1] + 1)
        moved = (layer(nudged) - before).abs().amax(dim=1)
        heard[:, j] = moved > 1e-4
    return heard
"""

COLUMNS = """
def who_hears(layer, x):
    def with_nudge(j):
        step = torch.zeros_like(x)
        step[j] = 0.5 + torch.linspace(0, 1, x.shape[1]) ** 2
        return layer(x + step)

    outs = torch.stack([with_nudge(j) for j in range(len(x))], dim=1)
    moves = (outs - layer(x)[:, None]).norm(dim=-1)
    return moves > 1e-4
"""

JACOBIAN = """
def who_hears(layer, x):
    slopes = torch.autograd.functional.jacobian(layer, x)
    strength = slopes.abs().amax(dim=(1, 3))
    return strength > 1e-4
"""

LOOPS = """
def who_hears(layer, x):
    table = []
    for i in range(len(x)):
        row = []
        for j in range(len(x)):
            other = x.clone()
            other[j] = x[j].flip(0) ** 2 + torch.arange(x.shape[1]) ** 2 + 1
            row.append(not torch.allclose(layer(other)[i], layer(x)[i], 0, 1e-4))
        table.append(row)
    return table
"""

MISTAKES = """
rows and columns exchanged: heard[:, j] = moved → heard[j] = moved
or: .norm(dim=-1)\\n    return moves > 1e-4 → .norm(dim=-1)\\n    return (moves > 1e-4).T
or: return strength > 1e-4 → return strength.T > 1e-4
    Your table is turned: a chain seems to hear the words on its right. In the text, which
    of i and j is the output, and which the word?

answer upside down: moved > 1e-4 → moved < 1e-4
or: moves > 1e-4 → moves <= 1e-4
or: strength > 1e-4 → strength < 1e-4
or: not torch.allclose → torch.allclose
    You write True where nothing moves. What does True say in the table?

strengths instead of truth values: dtype=torch.bool →
and: heard[:, j] = moved > 1e-4 → heard[:, j] = moved
or: return moves > 1e-4 → return moves
or: return strength > 1e-4 → return strength
    You give how far each output moves. The question is whether it moves: which comparison
    answers that?

nudges that stay: nudged = x.clone()\\n → nudged = x\\n
or: for j in range(n):\\n        nudged = x.clone() → nudged = x.clone()\\n    for j in range(n):
    A word that you have nudged stays nudged when the next one has its turn. From what do
    you start for each word?

all words nudged at once: nudged[j] += → nudged +=
or: step[j] = → step[:] =
    You nudge the whole sentence, so each column holds who hears anybody. How many words
    may differ between the two runs?

a nudge that a norm takes back: nudged[j] += torch.arange(1.0, x.shape[1] + 1) → nudged[j] += 1
or: 0.5 + torch.linspace(0, 1, x.shape[1]) ** 2 → 0.5
or: nudged[j] += torch.arange(1.0, x.shape[1] + 1) → nudged[j] += 1e-1
    You add the same to all numbers of a word. A layer may begin by taking away each word's
    mean: what does it see of your nudge then?

nothing happens to a word of zeros: nudged[j] += → nudged[j] *= 1 +
or: nudged[j] += torch.arange(1.0, x.shape[1] + 1) → nudged[j] = 0
or: other[j] = x[j].flip(0) ** 2 + torch.arange(x.shape[1]) ** 2 + 1 → other[j] = x[j] * (2 + torch.arange(x.shape[1]))
    One sentence has words that are all zeros, and yours stay so. What would be a change
    for every word?

doubled: nudged[j] += torch.arange(1.0, x.shape[1] + 1) → nudged[j] *= 2
or: step[j] = 0.5 + torch.linspace(0, 1, x.shape[1]) ** 2 → step[j] = 2 * x[j]
    You stretch the word. A word of zeros stays one, and a layer may bring all words to
    the same length first: what would be a change for every word?

only the signs change: nudged[j] += torch.arange(1.0, x.shape[1] + 1) → nudged[j] = -x[j]
or: step[j] = 0.5 + torch.linspace(0, 1, x.shape[1]) ** 2 → step[j] = -2 * x[j]
    You turn the signs around. A layer may look at sizes alone, and zeros have no sign:
    what would be a change for every word?

one number of the word nudged: nudged[j] += torch.arange(1.0, x.shape[1] + 1) → nudged[j, 0] += 5
or: step[j] = 0.5 + torch.linspace(0, 1, x.shape[1]) ** 2 → step[j, 0] = 1
or: slopes.abs().amax(dim=(1, 3)) → slopes[..., 0].abs().amax(dim=1)
    You change the first number of a word. A layer may listen to another one: which numbers
    should your nudge change?

one number left as it was: torch.arange(1.0, x.shape[1] + 1) → torch.arange(x.shape[1])
or: 0.5 + torch.linspace(0, 1, x.shape[1]) ** 2 → torch.linspace(0, 1, x.shape[1]) ** 2
    One number of each word stays as it was: print your nudge. A layer may listen to just
    that one: which numbers should change?

another word in its place: nudged[j] += torch.arange(1.0, x.shape[1] + 1) → nudged[j] = x[j - 1]
or: nudged[j] += torch.arange(1.0, x.shape[1] + 1) → nudged[j] = x.mean(dim=0)
or: nudged[j] += torch.arange(1.0, x.shape[1] + 1) → nudged = nudged.roll(j, 0)
    In one sentence all words are the same, so exchanging them changes nothing. What can
    you write that no word of the sentence is?

moves that cancel: .abs().amax(dim=1) → .sum(dim=1).abs()
or: .abs().amax(dim=1) → .mean(dim=1).abs()
or: .norm(dim=-1) → .sum(dim=-1).abs()
or: slopes.abs().amax(dim=(1, 3)) → slopes.sum(1).abs().amax(-1)
    One number of an output goes up and another one down, and you add them. What must you
    take of each before you put them together?

moves upwards alone: .abs().amax(dim=1) → .amax(dim=1)
or: slopes.abs().amax(dim=(1, 3)) → slopes.amax(dim=(1, 3))
    You miss outputs that only go down. Is a move of −1 none?

one number of the output: .abs().amax(dim=1) → [:, 0].abs()
or: .norm(dim=-1) → [..., 0].abs()
or: slopes.abs().amax(dim=(1, 3)) → slopes[:, 0].abs().amax(dim=-1)
or: .abs().amax(dim=1) → .abs().amin(dim=1)
    News may arrive in some numbers of an output and not in others, and you overlook it.
    Do you watch one of them alone, or ask that all of them move?

compared to the last digit: moved > 1e-4 → moved > 0
or: return moves > 1e-4 → return moves > 0
or: strength > 1e-4 → strength > 0
or: not torch.allclose(layer(other)[i], layer(x)[i], 0, 1e-4) → not torch.equal(layer(other)[i], layer(x)[i])
or: not torch.allclose(layer(other)[i], layer(x)[i], 0, 1e-4) → not torch.allclose(layer(other)[i], layer(x)[i])
    One layer only rounds a little differently each time, and you call that hearing. How
    large a difference does the task forgive?

weak voices missed: moved > 1e-4 → moved > 0.1
or: moved > 1e-4 → moved > 0.5
or: moves > 1e-4 → moves > 0.1
or: strength > 1e-4 → strength > 0.1
or: 0, 1e-4 → 0, 1.0
or: torch.arange(1.0, x.shape[1] + 1) → 1e-3 * torch.arange(1.0, x.shape[1] + 1)
    Somebody who speaks softly is not noted. How small is the smallest move that counts,
    and how large is the nudge that makes it?

nudge lost in rounding: torch.arange(1.0, x.shape[1] + 1) → 1e-6 * torch.arange(1.0, x.shape[1] + 1)
and: before).abs().amax(dim=1) → before).abs().amax(dim=1) / 1e-6
    Your nudge is so small that it drowns: these numbers have seven digits, and a weak move
    lies in the eighth. How large does the task let it be?

compared with the words: before = layer(x)\\n → before = x\\n
    You compare the outputs with the words themselves. What do two runs of the layer have
    to show, and in what do they differ?

anybody moved: heard[:, j] = moved > 1e-4 → heard[:, j] = moved.max() > 1e-4
    Your columns are all True or all False: you ask whether any output moves. Which one
    belongs to which row?

last output alone: return heard → return heard[-1]
or: return moves > 1e-4 → return moves[-1] > 1e-4
or: return strength > 1e-4 → return strength[-1] > 1e-4
or: return table → return table[-1]
    You give what the last output hears. How many outputs does a layer have?

own word left out: return heard → return heard.fill_diagonal_(False)
or: return moves > 1e-4 → return (moves > 1e-4).fill_diagonal_(False)
or: return strength > 1e-4 → return (strength > 1e-4).fill_diagonal_(False)
    You say that no output hears its own word. Did you measure that?

own word always heard: return heard → return heard.fill_diagonal_(True)
or: return moves > 1e-4 → return (moves > 1e-4).fill_diagonal_(True)
or: return strength > 1e-4 → return (strength > 1e-4).fill_diagonal_(True)
    You say that every output hears its own word. Some do not: did you measure that?

words on the right left out: return heard → return heard.tril()
or: return moves > 1e-4 → return (moves > 1e-4).tril()
or: return strength > 1e-4 → return (strength > 1e-4).tril()
    You leave out the words on the right, as if each layer were a chain that reads from the
    left. Which of the three roads hears both sides?

both sides alike: return heard → return heard | heard.T
or: return strength > 1e-4 → return (strength > 1e-4) | (strength.T > 1e-4)
    If i hears j, you say that j hears i. Is that so in a chain?

always a chain: return heard → return torch.ones(n, n).tril().bool()
    You take every layer for a chain that reads from the left. What did your nudges show?

always the neighbours: return heard → return torch.ones(n, n).tril(1).triu(-1).bool()
    You take every layer for a window of three. What did your nudges show?

not a number: torch.arange(1.0, x.shape[1] + 1) → torch.nan
and: moved > 1e-4 → (layer(nudged).isnan() != before.isnan()).any(dim=1)
    A word that is not heard is multiplied by 0, and 0 times infinity or NaN is NaN: it gets
    everywhere. Which values make a fair nudge?
"""


@dataclass(frozen=True)
class Layer:
    """Plays a layer; two of them are the same if they were drawn alike."""

    name: str
    rule: Callable
    offers = ()

    def __call__(self, x):
        return self.rule(x)

    def __eq__(self, other):
        return isinstance(other, Layer) and self.name == other.name

    def __hash__(self):
        return hash(self.name)

    def __repr__(self) -> str:
        return "a layer, to be called as layer(x)"


def linear(weights, read=lambda x: x):
    """Output i is the sum of what is read from words, by row i of the weights."""

    def rule(x):
        import torch

        return torch.from_numpy(weights).to(x.dtype) @ read(x)

    return rule


def chain(x):
    import torch

    states = [torch.zeros_like(x[0])]
    for word in x:
        states.append(torch.tanh(0.8 * states[-1].flip(0) + 0.5 * word))
    return torch.stack(states[1:])


def from_the_right(x):
    return chain(x.flip(0)).flip(0)


def attend(x):
    return (x @ x.mT / 8).softmax(-1) @ x


def normed(x):
    import torch

    return torch.nn.functional.layer_norm(x, x.shape[1:], eps=1e-12)


def one_size(x):
    """Of each word the size of one number, of every word another one.

    A hundredfold: a small nudge seldom leaves a single number as it was.
    """
    places = np.arange(len(x))
    return 100 * x[places, places % x.shape[1], None].abs()


def up_and_down(x):
    import torch

    one = 100 * x @ torch.linspace(1, 2, x.shape[1], dtype=x.dtype)
    return torch.stack([one, -one], dim=1)


def downwards(x):
    """Numbers that fall when the numbers of a word grow."""
    return -x


def in_the_middle(x):
    import torch

    _, down = up_and_down(x).unbind(1)
    return torch.stack([0 * down, down, 0 * down], dim=1)


def rounds(rule):
    """Every other output depends on how large the whole sentence is, but hardly.

    The last number of each output is nothing else: relative to it, that is much.
    """

    def rounding(x):
        import torch

        every_other = torch.arange(len(x))[:, None] % 2
        all_but_last = torch.arange(x.shape[1]) < x.shape[1] - 1
        return rule(x) * all_but_last + 4e-6 * torch.sin(x.sum()) * every_other

    return rounding


def window(n):
    return np.tri(n, k=1) - np.tri(n, k=-2)


def few(rng, n, *strengths):
    """A random few of the words, but no output that hears all, or nobody."""
    weights = np.zeros((n, n))
    for row in weights:
        count = rng.integers(1, n)
        row[rng.permutation(n)[:count]] = rng.choice(strengths or (1.0,), size=count)
    return weights


def case(make, n, d, prepare=lambda x: x):
    """A layer that `make(rng, n)` draws, and a sentence.

    Its numbers are no zeros, and no nudge of few digits turns one into its negative.
    """

    def inputs(rng):
        x = rng.normal(size=(n, d)).round(2)
        x = np.where(abs(x) < 0.1, 0.1, x) + 0.0037
        return Layer(f"{n} words of {d}", make(rng, n)), prepare(x)

    return inputs


def some_unheard(make):
    """The same kind of layer, in which nobody hears some of the words."""

    def layer_for(rng, n):
        import torch

        rule, heard = make(rng, n), torch.ones(n, 1)
        heard[rng.permutation(n)[: rng.integers(1, n - 1)]] = 0
        return lambda x: rule(x * heard)

    return layer_for


def always(rule):
    return lambda rng, n: rule


def one_pair(rng, n):
    """One output hears one word."""
    weights = np.zeros((n, n))
    weights[tuple(rng.integers(n, size=2))] = 1
    return linear(weights)


def check(title, make, n, d, prepare=lambda x: x, fresh=None):
    return Check(title, case(make, n, d, prepare), fresh=fresh)


def known(title, make, n, d, other=None):
    """A kind of layer whose table one knows, unless nobody hears some of the words.

    With other seeds that is so, and all kinds have the same sizes.
    """

    def fresh(rng):
        sizes = rng.choice((4, 5, 6)), rng.choice((5, 6, 7))
        return case(other or some_unheard(make), *sizes)(rng)

    return check(title, make, n, d, fresh=fresh)


def heard_or_not(rng):
    weights = 1.0 * rng.integers(2, size=(1, 1))
    return case(lambda rng, n: linear(weights), 1, rng.choice((5, 6, 7)))(rng)


def some_zeros(x):
    return x * (np.arange(len(x)) % 2)[:, None]


def all_alike(x):
    return np.repeat(x[:1], len(x), axis=0)


def drawn(read, *strengths):
    return lambda rng, n: linear(few(rng, n, *strengths), read)


TASK = FunctionTask(
    title="Who hears whom?",
    kind="explain",
    answers=("who_hears",),
    arguments=("layer", "x"),
    outputs=("heard",),
    arrays="torch",
    right=(NUDGE, COLUMNS, JACOBIAN, LOOPS),
    mistakes=MISTAKES,
    pairs=False,  # truth values alone
    checks=(
        known("a chain", always(chain), 4, 3),
        known("a window of three", lambda rng, n: linear(window(n)), 5, 2),
        known("attention", always(attend), 7, 3),
        known("a chain that reads from the right", always(from_the_right), 5, 4),
        known(
            "each word hears one that stands two places before it",
            lambda rng, n: linear(np.eye(n, k=-2)),
            6,
            3,
        ),
        known(
            "each word hears all but itself", lambda rng, n: linear(1 - np.eye(n)), 3, 5
        ),
        known(
            "nobody hears anything, or hardly anybody",
            lambda rng, n: linear(np.zeros((n, n))),
            4,
            5,
            one_pair,
        ),
        check("a random few are heard", drawn(lambda x: x), 7, 5),
        check("outputs that only go down", drawn(downwards), 5, 3),
        check("a layer that norms its words first", drawn(normed), 4, 7),
        check("some words are all zeros", drawn(lambda x: x), 6, 5, some_zeros),
        check("all words are alike", drawn(lambda x: x), 5, 7, all_alike),
        check(
            "a layer that reads the size of one number per word", drawn(one_size), 8, 5
        ),
        check("outputs that go up and down", drawn(up_and_down), 5, 8),
        check("outputs of which one number moves", drawn(in_the_middle), 4, 6),
        check("some voices are weak", drawn(lambda x: x, 1.0, 0.004), 11, 7),
        check("all voices are weak", drawn(lambda x: x, 0.004), 5, 11),
        check("a layer that rounds", lambda rng, n: rounds(linear(few(rng, n))), 6, 7),
        check(
            "a single word",
            lambda rng, n: linear(np.eye(n)),
            1,
            3,
            fresh=heard_or_not,
        ),
    ),
    hints=(
        "Run the layer twice, with one word changed between the runs. Which column of the "
        "table do you know then?",
        "Look at the kinds of layers in the checks that fail. For each of them: what does "
        "the layer do with your nudge, and what do you do with what comes out?",
    ),
    section="All pairs at once: attention",
    why="A road is known by what a nudge moves: a chain gives a triangle, a window a band, "
    "attention a full table. You can ask this of a layer without knowing what is in it.",
)
