"""21.4 Is accumulation right? A test, and ways to accumulate that it is tried on."""

from functools import partial

from tt_utils.grading.tasks.inputs import Rule
from tt_utils.grading.tasks.spec import Check, FunctionTask

CUTS = """
def same_in_parts(gradient, sentences):
    whole = gradient([sentences])
    for cut in range(1, len(sentences)):
        parts = gradient([sentences[:cut], sentences[cut:]])
        if (parts - whole).abs().max() > 1e-4:
            return False
    return True
"""

ALONE = """
def same_in_parts(gradient, sentences):
    whole = gradient([sentences])
    ones = gradient([[sentence] for sentence in sentences])
    return torch.allclose(ones, whole, rtol=0, atol=1e-4)
"""

SORTED = """
def same_in_parts(gradient, sentences):
    rows = sorted(sentences, key=len)
    cuts = [[rows[:n], rows[n:]] for n in range(1, len(rows))]
    whole = gradient([rows]).tolist()
    gaps = [
        max(abs(a - b) for a, b in zip(gradient(cut), whole)) for cut in cuts
    ]
    return max(gaps) < 1e-4
"""

MISTAKES = """
cut in the middle alone: range(1, len(sentences)) → (len(sentences) // 2,)
or: [[sentence] for sentence in sentences] → [sentences[: len(sentences) // 2], sentences[len(sentences) // 2 :]]
    You cut in the middle, and there both halves hold equally many tokens. Which bug can't
    be seen then?

the first sentence alone: range(1, len(sentences)) → (1,)
or: [[sentence] for sentence in sentences] → [sentences[:1], sentences[1:]]
    Your only cut stands behind the first sentence. Count tokens and sentences on both sides
    of it: is there a wrong weight that looks right there?

the last sentence alone: range(1, len(sentences)) → (len(sentences) - 1,)
or: [[sentence] for sentence in sentences] → [sentences[:-1], sentences[-1:]]
    Your only cut stands before the last sentence. Count tokens and sentences on both sides
    of it: is there a wrong weight that looks right there?

all called right: [sentences[:cut], sentences[cut:]] → [sentences]
or: [[sentence] for sentence in sentences] → [[sentence for sentence in sentences]]
or: cuts = [[rows[:n], rows[n:]] for → cuts = [[rows] for
or: return False\\n    return True → return True\\n    return True
    You call all of them right. What do you compare: in how many parts is the batch of your
    second call, and in how many that of the first?

parts compared with parts: whole = gradient([sentences])\\n    for → whole = gradient([sentences[1:], sentences[:1]])\\n    for
or: whole = gradient([sentences])\\n    ones → whole = gradient([[sentence] for sentence in sentences[::-1]])\\n    ones
or: gradient([rows]) → gradient(cuts[0])
or: whole = gradient([sentences])\\n    for → whole = gradient([[sentence] for sentence in sentences[::-1]])\\n    for
    You compare parts with other parts, and both may be wrong in the same way. What is it
    that parts should give?

all called wrong: sentences[cut:]] → sentences[cut + 1 :]]
or: for sentence in sentences] → for sentence in sentences[:-1]]
or: rows[n:]] → rows[n + 1 :]]
or: sentences[cut:]] → sentences[cut - 1 :]]
or: for sentence in sentences] → for sentence in [*sentences, sentences[0]]]
or: rows[n:]] → rows[n - 1 :]]
or: return False\\n    return True → return False\\n    return False
    You turn down what is right. In how many of your parts does each sentence stand: is
    there one that stands in none, or in two?

sentences for parts: gradient([sentences]) → gradient(sentences)
or: gradient([rows]) → gradient(rows)
    A part is a list of sentences, and you hand over a list of sentences where a list of
    parts is wanted. How is a single part written?

the lengths compared: (parts - whole).abs().max() → (parts.norm() - whole.norm()).abs()
or: torch.allclose(ones, whole, → torch.allclose(ones.norm(), whole.norm(),
    You compare how long the two gradients are. May they point elsewhere?

the directions compared: (parts - whole).abs().max() → (parts / parts.norm() - whole / whole.norm()).abs().max()
or: torch.allclose(ones, whole, → torch.allclose(ones / ones.norm(), whole / whole.norm(),
or: (parts - whole).abs().max() → 1 - torch.cosine_similarity(parts, whole, dim=0)
    You compare where the two gradients point. One that is twice as long makes another
    step: what else must agree?

differences that cancel: (parts - whole).abs().max() → (parts - whole).sum().abs()
or: torch.allclose(ones, whole, → torch.allclose(ones.sum(), whole.sum(),
or: max(abs(a - b) for a, b in zip(gradient(cut), whole)) → abs(float(gradient(cut).sum()) - sum(whole))
    You add the numbers up before you compare, and what one gains another loses. What must
    come first?

the sign kept: (parts - whole).abs().max() → (parts - whole).max()
or: max(abs(a - b) for → max((a - b) for
    A number that comes out too small counts for nothing in yours. What is the size of a
    difference?

the sign kept, other way round: (parts - whole).abs().max() → (whole - parts).max()
or: max(abs(a - b) for → max((b - a) for
    A number that comes out too large counts for nothing in yours. What is the size of a
    difference?

the first number alone: (parts - whole).abs().max() → (parts - whole)[0].abs()
or: torch.allclose(ones, whole, → torch.allclose(ones[0], whole[0],
or: max(abs(a - b) for a, b in zip(gradient(cut), whole)) → abs(float(gradient(cut)[0]) - whole[0])
    You compare the first number of the gradient. Which others may be wrong?

too forgiving: (parts - whole).abs().max() → (parts - whole).abs().mean()
and: > 1e-4 → > 0.01
or: max(abs(a - b) for a, b in zip(gradient(cut), whole)) → sum(abs(a - b) for a, b in zip(gradient(cut), whole)) / len(whole)
and: < 1e-4 → < 0.01
or: > 1e-4 → > 0.05
or: atol=1e-4 → atol=0.05
or: < 1e-4 → < 0.05
    A small difference gets through, as one number that is wrong among many. How large a
    one does the task forgive, and how large a one do you?

equal to the last digit: (parts - whole).abs().max() > 1e-4 → not torch.equal(parts, whole)
or: torch.allclose(ones, whole, rtol=0, atol=1e-4) → torch.equal(ones, whole)
or: max(gaps) < 1e-4 → max(gaps) == 0
    You turn down what only rounds. How large a difference does the task forgive?

one cut that agrees is enough: > 1e-4:\\n            return False\\n    return True → < 1e-4:\\n            return True\\n    return False
or: max(gaps) < 1e-4 → min(gaps) < 1e-4
    You are content if one of your cuts agrees. How many of them must?

the answer upside down: return False\\n    return True → return True\\n    return False
or: return torch.allclose → return not torch.allclose
or: return max(gaps) < 1e-4 → return max(gaps) > 1e-4
    You say True where parts give something else. Read the name of the function once more:
    what does True say?

a number: return torch.allclose(ones, whole, rtol=0, atol=1e-4) → return (ones - whole).abs().max()
or: return max(gaps) < 1e-4 → return max(gaps)
    You say how large the difference is. What does the task ask for: a number, or a truth
    value?
"""

WIDTH = 5


def slopes(sentence):
    """What each token adds to the gradient: (tokens, WIDTH), in float64."""
    import torch

    rates = torch.arange(1.0, WIDTH + 1, dtype=torch.float64)
    return torch.cos(rates * (0.7 * sentence.double()[:, None] + rates)) + 0.3


def sums(parts):
    """The sum over the tokens of each part, and how many these are."""
    import torch

    rows = [torch.cat([slopes(sentence) for sentence in part]) for part in parts]
    return torch.stack([row.sum(0) for row in rows]), torch.tensor([*map(len, rows)])


def weighed(weights):
    """A gradient: the sums of the parts, each with a weight.

    `weights` gets the parts and the numbers of their tokens.
    """

    def gradient(parts):
        import torch

        totals, tokens = sums(parts)
        factors = torch.as_tensor(weights(parts, tokens)).double()
        return (totals * factors.reshape(-1, 1)).sum(0).float()

    return gradient


def by_tokens(parts, tokens):
    return [1 / float(tokens.sum())] * len(parts)


def by_parts(parts, tokens):
    return 1 / tokens / len(parts)


def by_sentences(parts, tokens):
    counts = [len(part) for part in parts]
    return [n / sum(counts) / float(t) for n, t in zip(counts, tokens, strict=True)]


def by_first_part(parts, tokens):
    return [1 / float(tokens[0]) / len(parts)] * len(parts)


def so_far(parts, tokens):
    return 1 / tokens.cumsum(0)


def with_padding(parts, tokens):
    padded = [len(part) * max(map(len, part)) for part in parts]
    return [1 / sum(padded)] * len(parts)


def last_part(parts, tokens):
    return [0.0] * (len(parts) - 1) + [1 / float(tokens.sum())]


RIGHT = weighed(by_tokens)
MEANS = weighed(by_parts)


def turned(parts):
    """As long as it should be, and pointing elsewhere."""
    return RIGHT(parts).roll(1) if len(parts) > 1 else RIGHT(parts)


def longer(parts):
    return RIGHT(parts) * len(parts)


def last_number(parts, by=0.002):
    """Only one number is wrong, by a little."""
    found = RIGHT(parts)
    found[-1] += by * (len(parts) - 1)
    return found


def up_and_down(parts):
    """What some numbers gain others lose."""
    found = RIGHT(parts)
    more = found.new_tensor([0.1, -0.1, 0.2, -0.2, 0.0])
    return found + more * (len(parts) - 1)


def rounds(parts):
    return RIGHT(parts) + 3e-6 * len(parts)


WAYS = {
    "a mean over all tokens": RIGHT,
    "the parts' means, weighed by tokens": weighed(
        lambda parts, n: 1 / n * n / n.sum()
    ),
    "a sum over all tokens": weighed(lambda parts, tokens: [1.0] * len(parts)),
    "a mean that rounds": rounds,
    "a mean of the parts' means": MEANS,
    "the parts' means added up": weighed(lambda parts, tokens: 1 / tokens),
    "weighed by sentences": weighed(by_sentences),
    "all parts taken for the first": weighed(by_first_part),
    "divided by the tokens so far": weighed(so_far),
    "divided by tokens and padding": weighed(with_padding),
    "the last part alone": weighed(last_part),
    "turned": turned,
    "too long": longer,
    "one number a little too large": last_number,
    "one number a little too small": partial(last_number, by=-0.002),
    "one number much too large": partial(last_number, by=0.6),
    "some numbers too large, some too small": up_and_down,
}


COMMON = ("a mean over all tokens", "the parts' means added up")


def case(*names, lengths):
    """Several ways to accumulate, their order drawn, and sentences of these lengths.

    `more` draws from other ways, too.
    """

    def inputs(rng, more=()):
        asked = [*names, *(more[n] for n in rng.integers(0, len(more) or 1, len(more)))]
        ways = tuple(
            Rule(asked[n], WAYS[asked[n]]) for n in rng.permutation(len(asked))
        )
        return ways, [rng.integers(2, 30, n) for n in lengths]

    return inputs


def verdicts(answers, gradients, sentences):
    """The verdict on each way to accumulate."""
    found = [answers[0](gradient, list(sentences)) for gradient in gradients]
    return {f"gradient {number}": one for number, one in enumerate(found, 1)}


TASK = FunctionTask(
    title="Parts against the whole",
    kind="explain",
    answers=("same_in_parts",),
    arguments=("gradients", "sentences"),
    outputs=("same",),
    arrays="torch",
    right=(CUTS, ALONE, SORTED),
    mistakes=MISTAKES,
    pairs=False,  # truth values
    checks=tuple(
        Check(title, inputs, verdicts, fresh=partial(inputs, more=COMMON))
        for title, inputs in (
            (
                "means and sums, of all tokens or of parts",
                case(
                    "a mean over all tokens",
                    "the parts' means added up",
                    "a mean of the parts' means",
                    "a sum over all tokens",
                    lengths=(2, 3, 5),
                ),
            ),
            (
                "sentences whose halves hold equally many tokens",
                case(
                    "a mean of the parts' means",
                    "the parts' means, weighed by tokens",
                    "all parts taken for the first",
                    lengths=(2, 5, 5, 2),
                ),
            ),
            (
                "a first sentence of middling length",
                case("weighed by sentences", "a mean that rounds", lengths=(4, 6, 2)),
            ),
            (
                "a last sentence of middling length",
                case(
                    "weighed by sentences",
                    "a mean over all tokens",
                    "divided by the tokens so far",
                    lengths=(3, 6, 3, 4),
                ),
            ),
            (
                "gradients that are too long, or point elsewhere",
                case(
                    "turned",
                    "too long",
                    "one number much too large",
                    "a mean that rounds",
                    lengths=(3, 5),
                ),
            ),
            (
                "one number that is a little too large, or too small",
                case(
                    "one number a little too large",
                    "one number a little too small",
                    "some numbers too large, some too small",
                    "a sum over all tokens",
                    lengths=(3, 2, 7),
                ),
            ),
            (
                "padding that counts, and parts that are forgotten",
                case(
                    "divided by tokens and padding",
                    "the last part alone",
                    "a mean over all tokens",
                    lengths=(5, 2, 2),
                ),
            ),
        )
    ),
    hints=(
        "What does the gradient of the whole batch come from: which call gives it? And how is "
        "the same batch written in two parts?",
        "Take two parts of 2 and 12 tokens. By how much does a mean of their two means differ "
        "from the mean over all? And with two parts of 7 tokens?",
    ),
    section="Room 6: a larger batch that is not",
    why="Parts of equally many tokens hide the bug, and so may any single cut. Compared with "
    "the whole batch, number by number and at every cut, a wrong weight has nowhere to hide.",
)
