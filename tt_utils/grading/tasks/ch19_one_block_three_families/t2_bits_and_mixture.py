"""19.2 Bits per character of a corpus, and the average of two models' probabilities."""

import numpy as np

from tt_utils.grading.observing import probes
from tt_utils.grading.tasks.spec import Check, FunctionTask

BY_NUMPY = """
def bits_per_character(log_p, texts):
    nats = -sum(each.sum() for each in log_p)
    characters = sum(len(text) + 1 for text in texts)
    return nats / math.log(2) / characters

def mixed(first, second, share):
    return np.logaddexp(math.log(share) + first, math.log(1 - share) + second)
"""

FROM_THE_LARGER = """
def bits_per_character(log_p, texts):
    bits = -np.concatenate(log_p) / np.log(2)
    characters = len("".join(texts)) + len(texts)
    return bits.sum() / characters

def mixed(first, second, share):
    high = np.maximum(first, second)
    shares = share * np.exp(first - high) + (1 - share) * np.exp(second - high)
    return high + np.log(shares)
"""

LOOPS = """
def bits_per_character(log_p, texts):
    bits, count = 0.0, 0
    for row, text in zip(log_p, texts):
        for one in row:
            bits -= one * math.log2(math.e)
        count += len(text) + 1
    return bits / count

def mixed(first, second, share):
    out = []
    for a, b in zip(first, second):
        if a > b:
            out.append(a + math.log(share + (1 - share) * math.exp(b - a)))
        else:
            out.append(b + math.log(share * math.exp(a - b) + (1 - share)))
    return out
"""

STACKED = """
def bits_per_character(log_p, texts):
    total = sum(-float(np.sum(each)) / math.log(2) for each in log_p)
    return total / (sum(map(len, texts)) + len(texts))

def mixed(first, second, share):
    weights = np.array([share, 1 - share])
    logs = np.stack([first, second])
    return np.logaddexp.reduce(logs + np.log(weights)[:, None], axis=0)
"""

MISTAKES = """
nats: / math.log(2) →
or: * math.log2(math.e) →
or: / np.log(2) →
    Your number is in nats. A probability of one half costs 0.69 nats: how many bits?

multiplied by ln 2: / math.log(2) → * math.log(2)
or: / np.log(2) → * np.log(2)
or: * math.log2(math.e) → * math.log(2)
    A probability of one half should cost 1 bit. Yours makes it cheaper than in nats:
    which unit is the larger one?

decimal digits: / math.log(2) → / math.log(10)
or: / np.log(2) → / np.log(10)
or: math.log2(math.e) → math.log10(math.e)
    You changed the logarithm to base 10. Which base counts bits?

sign lost: nats = -sum( → nats = sum(
or: bits = -np → bits = np
or: bits -= → bits +=
or: sum(-float → sum(float
    Your text costs less than nothing. Which sign has the logarithm of a probability?

mean of the texts: return nats / math.log(2) / characters → return np.mean([-each.sum() / math.log(2) / (len(text) + 1) for each, text in zip(log_p, texts)])
or: return bits.sum() / characters → return np.mean([-each.sum() / np.log(2) / (len(text) + 1) for each, text in zip(log_p, texts)])
    You give each text its bits per character and take their mean, so a text of two
    words weighs as much as one of twenty. What is added up over the corpus first?

bits per piece: return nats / math.log(2) / characters → return nats / math.log(2) / sum(len(each) for each in log_p)
or: return bits.sum() / characters → return bits.mean()
or: count += len(text) + 1 → count += len(row)
    You divided by the number of pieces. A tokenizer with longer pieces has fewer: what
    stays the same whatever the tokenizer?

end not counted: len(text) + 1 → len(text)
or: + len(texts) →
    The end of a text is a piece, and its bits are in your sum. Does it count among the
    characters?

one end for all: sum(len(text) + 1 for text in texts) → sum(len(text) for text in texts) + 1
or: + len(texts) → + 1
    You count one end in the whole corpus. How many texts end?

end left out of the bits: each.sum() → each[:-1].sum()
or: np.concatenate(log_p) → np.concatenate([each[:-1] for each in log_p])
or: for one in row: → for one in row[:-1]:
    The last piece of each text is missing from your sum. It is the end: must a model
    foresee it, too?

end left out of both: each.sum() → each[:-1].sum()
and: len(text) + 1 → len(text)
or: for one in row: → for one in row[:-1]:
and: len(text) + 1 → len(text)
    You leave the end out of the bits and out of the characters. A model must foresee
    where a text stops: what does the task say of it?

bytes: len(text) + 1 → len(text.encode()) + 1
or: "".join(texts) → "".join(texts).encode()
or: map(len, texts) → (len(text.encode()) for text in texts)
    Where a text has an é or a 你, you count more characters than it has. Are bytes asked
    for, or characters?

spaces left out: len(text) + 1 → len(text.replace(" ", "")) + 1
or: "".join(texts) → "".join(texts).replace(" ", "")
    You leave the spaces out of the characters. Do a text's pieces have to foresee them?

bits per word: len(text) + 1 → len(text.split()) + 1
or: len("".join(texts)) → len(" ".join(texts).split())
or: len(text) + 1 → len(text.split())
or: sum(map(len, texts)) + len(texts) → sum(len(text.split()) for text in texts)
    You divided by the number of words. Which unit is in the name of the measure?

the sum of all bits: / characters →
or: return bits / count → return bits
or: return total / (sum(map(len, texts)) + len(texts)) → return total
    That is what the whole corpus costs. By what is it divided, so that a longer corpus
    isn't a harder one?

divided by the texts: / characters → / len(texts)
or: return bits / count → return bits / len(texts)
    You divided by the number of texts. Which unit is in the name of the measure?

perplexity: return nats / math.log(2) / characters → return math.exp(nats / characters)
or: return bits.sum() / characters → return 2 ** (bits.sum() / characters)
or: return bits / count → return 2 ** (bits / count)
    You took a power at the end. That makes a perplexity: what are bits, before any
    power?

logarithms averaged: np.logaddexp(math.log(share) + first, math.log(1 - share) + second) → share * first + (1 - share) * second
or: high + np.log(shares) → share * first + (1 - share) * second
or: np.logaddexp.reduce(logs + np.log(weights)[:, None], axis=0) → weights @ logs
    You averaged logarithms. If one model gives a piece nearly 0, the other can't save it
    in yours: of which numbers should the mean be taken?

probabilities returned: return np.logaddexp(math.log(share) + first, math.log(1 - share) + second) → return np.exp(np.logaddexp(math.log(share) + first, math.log(1 - share) + second))
or: return high + np.log(shares) → return np.exp(high + np.log(shares))
or: return out → return [math.exp(one) for one in out]
    You return the averaged probabilities. In which form do they come in, and in which
    are they asked for?

logs taken for probabilities: np.logaddexp(math.log(share) + first, math.log(1 - share) + second) → np.log(share * first + (1 - share) * second)
    You took the logarithm of something negative. What do `first` and `second` hold, and
    what must become of it before a mean is taken?

shares exchanged: share) + first, math.log(1 - share) + second → share) + second, math.log(1 - share) + first
or: [share, 1 - share] → [1 - share, share]
or: share * np.exp(first - high) + (1 - share) * → (1 - share) * np.exp(first - high) + share *
    You gave the second model what belongs to the first. Whose is `share`?

the same share for both: math.log(1 - share) → math.log(share)
or: [share, 1 - share] → [share, share]
or: (1 - share) * np.exp(second - high) → share * np.exp(second - high)
    Both models have the same share in yours, and the two shares don't make a whole. What
    is left for the second?

half and half: math.log(share) + first, math.log(1 - share) + second → math.log(0.5) + first, math.log(0.5) + second
or: [share, 1 - share] → [0.5, 0.5]
or: share * np.exp(first - high) + (1 - share) * → 0.5 * np.exp(first - high) + 0.5 *
    Both models have the same say in yours. What does `share` decide?

added, not averaged: math.log(share) + first, math.log(1 - share) + second → first, second
or: logs + np.log(weights)[:, None], axis → logs, axis
or: share * np.exp(first - high) + (1 - share) * → np.exp(first - high) +
    You added the probabilities up, and two that are certain would make 2. What makes a
    mean of a sum?

shares inside the power: math.log(share) + first, math.log(1 - share) + second → share * first, (1 - share) * second
or: logs + np.log(weights)[:, None] → logs * weights[:, None]
    You multiplied the logarithms by the shares. A factor in front of a probability is
    what, in its logarithm?

shares added to the logarithms: math.log(share) + first, math.log(1 - share) + second → share + first, (1 - share) + second
or: logs + np.log(weights)[:, None] → logs + weights[:, None]
    You added the shares to logarithms. A factor in front of a probability is what, in
    its logarithm?

the larger alone: np.logaddexp(math.log(share) + first, math.log(1 - share) + second) → np.maximum(first, second)
or: return high + np.log(shares) → return high
    You take the larger probability at each piece. All of them together then sum to more
    than 1: what is asked for instead?

bits returned: return np.logaddexp(math.log(share) + first, math.log(1 - share) + second) → return -np.logaddexp(math.log(share) + first, math.log(1 - share) + second) / math.log(2)
or: return high + np.log(shares) → return -(high + np.log(shares)) / np.log(2)
or: return high + np.log(shares) → return (high + np.log(shares)) / np.log(2)
    You changed the unit. In which form do the numbers come in, and in which are they
    asked for?

powers that vanish: np.logaddexp(math.log(share) + first, math.log(1 - share) + second) → np.log(share * np.exp(first) + (1 - share) * np.exp(second))
or: high = np.maximum(first, second) → high = 0 * first
or: np.logaddexp.reduce(logs + np.log(weights)[:, None], axis=0) → np.log(weights @ np.exp(logs))
    Right, until both pieces are very unlikely: exp(−900) is 0 for a computer, and its
    logarithm −∞. What can be taken out of both powers first?

one number for all pieces: high = np.maximum(first, second) → high = max(first.max(), second.max())
or: np.logaddexp(math.log(share) + first, math.log(1 - share) + second) → first.max() + np.log(share * np.exp(first - first.max()) + (1 - share) * np.exp(second - first.max()))
    You take one number out of the powers of all pieces. Where one piece is likely and
    another hopeless for both models, what does the second one keep?

a little added: np.logaddexp(math.log(share) + first, math.log(1 - share) + second) → np.log(share * np.exp(first) + (1 - share) * np.exp(second) + 1e-12)
or: np.logaddexp(math.log(share) + first, math.log(1 - share) + second) → np.log(share * np.exp(first) + (1 - share) * np.exp(second) + 1e-10)
or: np.logaddexp(math.log(share) + first, math.log(1 - share) + second) → np.log(share * np.exp(first) + (1 - share) * np.exp(second) + 1e-9)
or: np.logaddexp(math.log(share) + first, math.log(1 - share) + second) → np.log(share * np.exp(first) + (1 - share) * np.exp(second) + 1e-8)
or: np.logaddexp(math.log(share) + first, math.log(1 - share) + second) → np.log(share * np.exp(first) + (1 - share) * np.exp(second) + 1e-15)
or: np.logaddexp(math.log(share) + first, math.log(1 - share) + second) → np.log(np.maximum(share * np.exp(first) + (1 - share) * np.exp(second), 1e-12))
or: np.logaddexp(math.log(share) + first, math.log(1 - share) + second) → np.log(np.maximum(share * np.exp(first) + (1 - share) * np.exp(second), 1e-300))
or: np.logaddexp(math.log(share) + first, math.log(1 - share) + second) → np.log(share * np.exp(first) + (1 - share) * np.exp(second) + 1e-300)
    You keep the logarithm finite by a small number of your own, and all very unlikely
    pieces then cost the same. What can be taken out of both powers instead?

powers that explode: high = np.maximum(first, second) → high = first
or: high = np.maximum(first, second) → high = second
or: np.logaddexp(math.log(share) + first, math.log(1 - share) + second) → first + np.log(share + (1 - share) * np.exp(second - first))
    You take one model's logarithm out of both powers. Where the other is likelier by
    far, the power left is too large for a computer: which of the two should come out?
"""

CAPTIONS = (
    "a dog",
    "two men in a café",
    "snow",
    "a girl throws a red ball over the wall",
    "你好 world",
    "an old man sits on a bench and reads the paper",
)


def corpus(*numbers, pieces=None):
    """Captions of these numbers, each cut into fewer pieces than it has characters."""

    def inputs(rng):
        texts = [CAPTIONS[n] for n in numbers]
        counts = pieces or [
            len(text.split()) + int(rng.integers(1, 4)) for text in texts
        ]
        log_p = [-rng.gamma(2.0, 1.3, n).round(2) - 0.01 for n in counts]
        return log_p, texts

    return inputs


def halves(rng):
    """The chapter's example: 1/2, 1/8 and 1/4 for "a dog" and its end."""
    return [np.log([1 / 2, 1 / 8, 1 / 4])], ["a dog"]


def other_halves(rng):
    powers = rng.permutation([1, 3, 2, 5])
    return [-powers * np.log(2)], [CAPTIONS[rng.integers(3)]]


def two_models(t, share, scale=2.0, low=()):
    def inputs(rng):
        first, second = ((-rng.gamma(1.5, scale, t)).round(2) - 0.01 for _ in range(2))
        for model in (first, second):
            model[list(low)] -= 900
        return first, second, share

    return inputs


def quarter(rng):
    """The chapter's example, 1/2 and 1/512, and two more."""
    return np.log([1 / 2, 1 / 4, 1 / 5]), np.log([1 / 512, 1 / 8, 4 / 5]), 0.5


def other_quarter(rng):
    first, second = rng.uniform(0.02, 0.9, (2, 3)).round(2)
    return np.log(first), np.log(second), 0.5


def far_apart(rng):
    """At each piece one of the two is hopeless, each once by a factor of e^1000."""
    near = -rng.gamma(1.5, 2.0, (2, 5)).round(2)
    near[0, [0, 3]] -= 1000
    near[1, [1, 4]] -= 1000
    return *near, 0.25


def mix(title, inputs, fresh=None):
    """A check of the second function."""
    return Check(
        title,
        inputs,
        probe=probes.second,
        arguments=("first", "second", "share"),
        outputs=("mixed",),
        fresh=fresh,
    )


TASK = FunctionTask(
    title="Bits, and the average of two models",
    kind="implement",
    answers=("bits_per_character", "mixed"),
    arguments=("log_p", "texts"),
    outputs=("bits",),
    right=(BY_NUMPY, FROM_THE_LARGER, LOOPS, STACKED),
    mistakes=MISTAKES,
    checks=(
        Check("the chapter's caption", halves, fresh=other_halves),
        Check("one text of five words", corpus(1)),
        Check("two texts of unequal length", corpus(2, 3)),
        Check("texts with letters of several bytes", corpus(4, 1)),
        Check("five texts", corpus(5, 0, 3, 4, 2)),
        mix("two models with the same say", quarter, other_quarter),
        mix("eleven pieces, the first model has 0.3", two_models(11, 0.3)),
        mix("seven pieces, the first model has 0.9", two_models(7, 0.9, scale=5.0)),
        mix("pieces that both find very unlikely", two_models(5, 0.4, low=range(5))),
        mix(
            "two of seven pieces are hopeless for both", two_models(7, 0.6, low=(1, 4))
        ),
        mix("one of the two is hopeless at each piece", far_apart),
    ),
    hints=(
        "A piece of probability p costs −log₂ p bits. Take the chapter's *a dog* by hand, "
        "and then a corpus of two texts: what is added up, and what counts characters?",
        "Write the average as probabilities first: p from the one, q from the other. Then "
        "say what must happen to logarithms before, and to the result after.",
    ),
    section="Learning to write captions",
    why="Characters don't depend on the tokenizer, so bits per character can be compared. "
    "And an average of probabilities forgives a blunder: with equal shares it costs at "
    "most one bit more than the better of the two.",
)
