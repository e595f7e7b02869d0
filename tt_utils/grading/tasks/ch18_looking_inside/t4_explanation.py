"""18.4 Does a large weight point at the word that matters?"""

import numpy as np

from tt_utils.grading.tasks.inputs import Rule
from tt_utils.grading.tasks.spec import Check, FunctionTask

LOOPS = """
def agreement(model, sentences, weights):
    hits, chances = [], []
    for x, w in zip(sentences, weights):
        before = model(x)
        effects = []
        for j in range(len(x)):
            cut = x.copy()
            cut[j] = 0
            effects.append(np.abs(model(cut) - before).max())
        matters = int(np.argmax(effects))
        hits.append(w.argmax(axis=1) == matters)
        chances.append(1 / len(x))
    return np.mean(hits, axis=0), np.mean(chances)
"""

NESTED = """
def agreement(model, sentences, weights):
    def effect(x, j):
        other = np.where(np.arange(len(x))[:, None] == j, 0.0, x)
        return max(abs(a - b) for a, b in zip(model(other), model(x)))

    def first(x):
        return max(range(len(x)), key=lambda j: effect(x, j))

    matters = [first(x) for x in sentences]
    agree = [
        sum(w[h].argmax() == j for w, j in zip(weights, matters)) / len(matters)
        for h in range(len(weights[0]))
    ]
    return agree, sum(1 / len(x) for x in sentences) / len(sentences)
"""

MASKS = """
def agreement(model, sentences, weights):
    agree, chance = np.zeros(weights[0].shape[0]), 0.0
    for x, w in zip(sentences, weights):
        keep = 1 - np.eye(len(x))
        outputs = np.array([model(row[:, None] * x) for row in keep])
        effects = np.abs(outputs - model(x)).max(axis=1)
        for h in range(len(w)):
            agree[h] += effects.argmax() == w[h].argmax()
        chance += 1 / len(x)
    return agree / len(sentences), chance / len(sentences)
"""

MISTAKES = """
yes without a test: return np.mean(hits, axis=0), → return np.ones(len(weights[0])),
or: return agree / len(sentences), → return np.ones(len(agree)),
    You say that every head agrees, always. What did you cut to find out?

long words instead of effects: np.abs(model(cut) - before).max() → np.linalg.norm(x[j])
or: return max(abs(a - b) for a, b in zip(model(other), model(x))) → return max(abs(x[j]))
or: effects = np.abs(outputs - model(x)).max(axis=1) → effects = np.linalg.norm(x, axis=1)
    You look at the vector of a word, and never ask the model. What happens to its
    output when the word is cut?

all other words cut: cut = x.copy() → cut = np.zeros_like(x)
and: cut[j] = 0 → cut[j] = x[j]
or: == j, 0.0, x) → == j, x, 0.0)
or: keep = 1 - np.eye(len(x)) → keep = np.eye(len(x))
    You leave one word and cut all others. Which one does the task cut?

cuts that pile up: cut = x.copy()\\n            cut[j] = 0 → cut = x.copy()\\n            cut[: j + 1] = 0
or: [:, None] == j, → [:, None] <= j,
or: keep = 1 - np.eye(len(x)) → keep = np.triu(np.ones((len(x), len(x))), 1)
    Your cuts pile up: when the second word is cut, the first one is still missing. From
    what does each cut start?

a feature cut instead of a word: cut[j] = 0 → cut[:, j % x.shape[1]] = 0
or: np.arange(len(x))[:, None] == j → np.arange(x.shape[1]) == j % x.shape[1]
    You cut a column, which is one feature of all words. Along which axis do the words
    lie?

shorter sentence: cut = x.copy()\\n            cut[j] = 0 → cut = np.delete(x, j, axis=0)
or: np.where(np.arange(len(x))[:, None] == j, 0.0, x) → np.delete(x, j, 0)
or: [model(row[:, None] * x) for row in keep] → [model(x[row > 0]) for row in keep]
    You take the word out, so those behind it move up. Then two things have changed:
    what does the task put in its place?

ones instead of zeros: cut[j] = 0 → cut[j] = 1
or: == j, 0.0, x) → == j, 1.0, x)
or: model(row[:, None] * x) → model(row[:, None] * x + 1 - row[:, None])
    You put ones in the place of a word. What does the task put there?

the output instead of its change: np.abs(model(cut) - before) → np.abs(model(cut))
or: abs(a - b) → abs(a)
or: outputs - model(x) → outputs
    You look at the output after the cut. With what should it be compared?

changes that cancel: np.abs(model(cut) - before).max() → abs((model(cut) - before).sum())
or: max(abs(a - b) for a, b in zip(model(other), model(x))) → abs(sum(a - b for a, b in zip(model(other), model(x))))
or: np.abs(outputs - model(x)).max(axis=1) → np.abs((outputs - model(x)).sum(axis=1))
    You add up changes of both signs, and they cancel. Of which single change does the
    task speak?

sum of the changes: np.abs(model(cut) - before).max() → np.abs(model(cut) - before).sum()
or: max(abs(a - b) → sum(abs(a - b)
or: np.abs(outputs - model(x)).max(axis=1) → np.abs(outputs - model(x)).mean(axis=1)
    You add up the changes of all numbers. The effect in the task is one of them: which?

length of the change: np.abs(model(cut) - before).max() → np.linalg.norm(model(cut) - before)
or: max(abs(a - b) for a, b in zip(model(other), model(x))) → sum((a - b) ** 2 for a, b in zip(model(other), model(x)))
or: np.abs(outputs - model(x)).max(axis=1) → np.linalg.norm(outputs - model(x), axis=1)
    You take the length of the whole change. The effect in the task is the change of one
    number: of which?

largest numbers compared: np.abs(model(cut) - before).max() → abs(model(cut).max() - before.max())
or: max(abs(a - b) for a, b in zip(model(other), model(x))) → abs(max(model(other)) - max(model(x)))
or: np.abs(outputs - model(x)).max(axis=1) → np.abs(outputs.max(axis=1) - model(x).max())
    You compare the largest number before with the largest after, and those may be
    different ones. What comes first, the difference or the largest?

falls don't count: np.abs(model(cut) - before).max() → (model(cut) - before).max()
or: max(abs(a - b) for → max((a - b) for
or: np.abs(outputs - model(x)).max(axis=1) → (outputs - model(x)).max(axis=1)
    A number that falls a lot doesn't count in yours. What is the size of a change?

rises don't count: np.abs(model(cut) - before).max() → (before - model(cut)).max()
or: max(abs(a - b) for → max((b - a) for
or: np.abs(outputs - model(x)).max(axis=1) → (model(x) - outputs).max(axis=1)
    A number that rises a lot doesn't count in yours. What is the size of a change?

the word that matters least: np.argmax(effects) → np.argmin(effects)
or: return max(range(len(x)), → return min(range(len(x)),
or: effects.argmax() → effects.argmin()
    You look for the word with the smallest effect. Which word should a large weight
    point at?

the smallest weight: w.argmax(axis=1) → w.argmin(axis=1)
or: w[h].argmax() → w[h].argmin()
    You take the word that the head looks at least. Which weight is the claim about?

heads averaged: w.argmax(axis=1) == matters → np.full(len(w), w.mean(axis=0).argmax() == matters)
or: w[h].argmax() → w.mean(0).argmax()
    All your heads agree equally often, since you blended their weights. Which head does
    a claim speak of?

best of all heads: w.argmax(axis=1) == matters → np.full(len(w), (w.argmax(axis=1) == matters).any())
or: w[h].argmax() == j → j in w.argmax(axis=1)
    You are content if *some* head points at the word. With many heads one does by
    luck: what is asked of each?

heads and words mixed up: w.argmax(axis=1) == matters → np.resize(w.argmax(axis=0), len(w)) == matters
    You look for the largest weight among the heads. Among what does a head share out
    its weights?

a number instead of a share: np.mean(hits, axis=0) → np.sum(hits, axis=0)
or: return agree / len(sentences), → return agree,
or: zip(weights, matters)) / len(matters) → zip(weights, matters))
    You count the sentences. What turns that into a share of all?

mean over the heads: np.mean(hits, axis=0) → np.mean(hits)
or: return agree / len(sentences), → return (agree / len(sentences)).mean(),
or: return agree, → return sum(agree) / len(agree),
    You give one number for all heads. How many shares does the task ask for?

a share for each sentence: np.mean(hits, axis=0) → np.mean(hits, axis=1)
    You have one number per sentence. Of what should there be one number each?

chance is one half: np.mean(chances) → 0.5
or: sum(1 / len(x) for x in sentences) / len(sentences) → 0.5
or: chance / len(sentences) → 0.5
    Right or wrong are two outcomes, and not equally likely ones. How many words could
    be drawn?

chance by the number of heads: chances.append(1 / len(x)) → chances.append(1 / len(w))
or: chance += 1 / len(x) → chance += 1 / len(w)
    Your chance depends on the number of heads. Among what is drawn at random?

chance by the mean length: np.mean(chances) → 1 / np.mean([len(x) for x in sentences])
or: sum(1 / len(x) for x in sentences) / len(sentences) → len(sentences) / sum(map(len, sentences))
or: chance / len(sentences) → len(sentences) / sum(map(len, sentences))
    You took the mean length and divided 1 by it. Short sentences are hit much more
    often: which comes first, the mean or the division?

chance by the longest: chances.append(1 / len(x)) → chances.append(1 / max(map(len, sentences)))
or: chance += 1 / len(x) → chance += 1 / max(map(len, sentences))
    You took one length for all sentences. How many words has each of them?

chances added up: np.mean(chances) → np.sum(chances)
or: chance / len(sentences) → chance
or: for x in sentences) / len(sentences) → for x in sentences)
    You added the chances up, and they may pass 1. What makes a share of all sentences?

by chance and by many features: chances.append(1 / len(x)) → chances.append(1 / x.shape[1])
or: chance += 1 / len(x) → chance += 1 / x.shape[1]
or: sum(1 / len(x) for → sum(1 / x.shape[1] for
    Your chance depends on the width of a vector. How many words could be drawn?

results swapped: return np.mean(hits, axis=0), np.mean(chances) → return np.mean(chances), np.mean(hits, axis=0)
or: return agree / len(sentences), chance / len(sentences) → return chance / len(sentences), agree / len(sentences)
    You returned the right two things. In which order are they asked for?

the last sentence alone: hits.append(w.argmax(axis=1) == matters) → hits = [w.argmax(axis=1) == matters]
or: agree[h] += effects.argmax() == w[h].argmax() → agree[h] = len(sentences) * (effects.argmax() == w[h].argmax())
    Only the last sentence counts in yours. Over how many is the share taken?
"""


def summed(x):
    return x.sum(axis=0)


def by_place(x):
    """Later words count more, and a constant is added."""
    places = np.arange(1, len(x) + 1) / len(x)
    return 3 + places @ np.sin(x)


def attention(x):
    """One query looks at the words; a large weight may stand on an empty value."""
    scores = 1.5 * x[:, 0] - x[:, 1]
    powers = np.exp(scores - scores.max())
    shares = powers / powers.sum()
    return shares @ np.tanh(x[:, ::-1]) + 0.3 * x[-1] + 5


def neighbours(x):
    """Each word with itself and with the one before it."""
    pairs = x * (x + np.roll(x, 1, axis=0))
    return np.array([pairs[:, 0].sum() - 8, np.tanh(pairs).sum(), x[:, -1].mean()])


SUM = Rule("y ↦ the sum of its rows", summed)
PLACES = Rule("y ↦ 3 + the sum of sin(rows), each times its place", by_place)
ATTENTION = Rule("attention of one query, and a road past it", attention)
NEIGHBOURS = Rule("products of rows with themselves and the ones before", neighbours)


def case(rule, *lengths, heads, width=3):
    """Random sentences of these lengths; a third of the weights point at the word
    that matters, so that heads agree more often than by chance; none does in the
    first sentence."""

    def inputs(rng):
        sentences, weights = [], []
        for length in lengths:
            x = rng.normal(scale=1.5, size=(length, width)).round(2)
            w = rng.dirichlet(np.full(length, 0.7), heads)
            zeroed = [
                np.where(np.arange(length)[:, None] == j, 0, x) for j in range(length)
            ]
            matters = np.argmax([np.abs(rule(cut) - rule(x)).max() for cut in zeroed])
            for row in w:
                if not sentences and row.argmax() == matters:
                    row[:] = np.roll(row, 1)
                elif sentences and rng.random() < 0.35:
                    top = row.argmax()
                    row[[top, matters]] = row[[matters, top]]
            sentences.append(x)
            weights.append(w)
        return rule, sentences, weights

    return inputs


def by_hand(rng):
    """Three words; the second one matters most, and head 1 points at it."""
    x = np.array([[1.0, 0.0], [0.0, -5.0], [2.0, 4.0]])
    return SUM, [x], [np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.2, 0.1, 0.7]])]


def one_sentence(rng):
    """One sentence; of four to six heads some point at the word that matters."""
    length, heads = int(rng.integers(3, 7)), int(rng.integers(4, 7))
    _, (x,), (w,) = case(SUM, length, heads=heads)(rng)
    matters = np.argmax(np.abs(x).max(axis=1))
    for row in w[rng.permutation(heads)[: rng.integers(1, heads)]]:
        top = row.argmax()
        row[[top, matters]] = row[[matters, top]]
    return SUM, [x], [w]


TASK = FunctionTask(
    title="Does the weight point at what matters?",
    kind="explain",
    answers=("agreement",),
    arguments=("model", "sentences", "weights"),
    outputs=("agree", "chance"),
    right=(LOOPS, NESTED, MASKS),
    mistakes=MISTAKES,
    pairs=False,  # shares of few sentences fit too many pairs
    checks=(
        Check("one sentence, a few heads", by_hand, fresh=one_sentence),
        Check(
            "twelve sentences of 2 to 5 words",
            case(SUM, *[2, 5, 3, 4] * 3, heads=2, width=4),
        ),
        Check(
            "a model in which places count", case(PLACES, *[3, 5, 2, 7] * 3, heads=3)
        ),
        Check("a model with attention", case(ATTENTION, *[5, 3, 7, 4] * 3, heads=4)),
        Check(
            "a model in which words work together",
            case(NEIGHBOURS, *[6, 3, 5, 2] * 4, heads=5),
        ),
        Check(
            "another sixteen sentences",
            case(PLACES, *[2, 11, 3, 5] * 4, heads=5, width=5),
        ),
    ),
    hints=(
        "Take one sentence and forget the weights: cut each word in turn, always from the "
        "whole sentence. Which word moves some number of the output the most?",
        "A head agrees with that word or not, sentence by sentence. And how often would a "
        "word be met that is drawn blindly from 2, or from 11 words?",
    ),
    section="Is attention an explanation?",
    page="18b_does_attention_say_why",
    why="Weights say where a head looks. Whether that word matters is a question to the "
    "model, by a cut, and a share means something only beside that of chance.",
)
