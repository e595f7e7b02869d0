"""15.2 Two planted bugs: smoothed targets that don't add up to 1, and pads that count."""

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def smoothed_loss(logits, labels, pad, epsilon):
    vocab = logits.shape[-1]
    goal = torch.full_like(logits, epsilon / vocab)
    goal.scatter_(-1, labels.unsqueeze(-1), 1 - epsilon + epsilon / vocab)
    losses = -(goal * logits.log_softmax(dim=-1)).sum(dim=-1)
    return losses[labels != pad].mean()
"""

LIBRARY = """
def smoothed_loss(logits, labels, pad, epsilon):
    return F.cross_entropy(
        logits.flatten(0, -2), labels.flatten(), ignore_index=pad, label_smoothing=epsilon
    )
"""

TWO_PARTS = """
def smoothed_loss(logits, labels, pad, epsilon):
    surprises = -logits.log_softmax(-1)
    own = surprises.gather(-1, labels[..., None])[..., 0]
    others = surprises.mean(-1)
    mixed = (1 - epsilon) * own + epsilon * others
    real = labels.ne(pad)
    return (mixed * real).sum() / real.sum()
"""

LOOP = """
def smoothed_loss(logits, labels, pad, epsilon):
    total, count = 0.0, 0
    for scores, label in zip(logits.flatten(0, -2), labels.flatten()):
        if label == pad:
            continue
        goal = torch.ones_like(scores) * epsilon / len(scores)
        goal[label] += 1 - epsilon
        total += (goal * (scores.exp().sum().log() - scores)).sum()
        count += 1
    return total / count
"""

MISTAKES = """
as planted: 1 - epsilon + epsilon / vocab → 1 - epsilon
and: losses[labels != pad].mean() → losses.mean()
    Two lines are wrong. Add up the targets of one place, right word and all others: what
    should come out? And over which places is the mean taken?

targets below one: 1 - epsilon + epsilon / vocab → 1 - epsilon
or: goal[label] += 1 - epsilon → goal[label] = 1 - epsilon
    Your targets of one place add up to less than 1. Each of *all* words gets a share of
    ε: what does the right one get on top of its share?

padding counts: losses[labels != pad].mean() → losses.mean()
or: ignore_index=pad, →
or: real = labels.ne(pad) → real = torch.ones_like(labels)
    Your mean runs over padding too, so the model is trained to say it. Which places hold
    a word that must be said?

padding taken to be 0: labels != pad → labels != 0
or: ignore_index=pad → ignore_index=0
or: labels.ne(pad) → labels.ne(0)
or: label == pad → label == 0
    With another number for padding yours is wrong. Which argument says what it is?

mask the wrong way round: labels != pad → labels == pad
or: labels.ne(pad) → labels.eq(pad)
or: label == pad → label != pad
    You keep the places of padding and leave out the words. Where is your condition True?

padding in the count: losses[labels != pad].mean() → (losses * (labels != pad)).mean()
or: / real.sum() → / real.numel()
    Padding adds nothing to your sum, but it is there when you divide. How many words
    were really said?

shared among the others alone: goal = torch.full_like(logits, epsilon / vocab) → goal = torch.full_like(logits, epsilon / (vocab - 1))
and: 1 - epsilon + epsilon / vocab → 1 - epsilon
or: others = surprises.mean(-1) → others = (surprises.sum(-1) - own) / (surprises.shape[-1] - 1)
    You share ε among the wrong words alone. That is done too, but in another convention:
    among how many words does the task share it?

nothing taken from the right word: 1 - epsilon + epsilon / vocab → 1 + epsilon / vocab
or: (1 - epsilon) * own → own
or: goal[label] += 1 - epsilon → goal[label] += 1
    Your targets of one place add up to more than 1. What the other words get, who gives
    it?

right word kept at 1: 1 - epsilon + epsilon / vocab → 1.0
or: goal[label] += 1 - epsilon → goal[label] = 1
    You leave the whole 1 with the right word and give the others something as well. What
    do the targets of one place add up to?

not smoothed: goal = torch.full_like(logits, epsilon / vocab) → goal = torch.zeros_like(logits)
and: 1 - epsilon + epsilon / vocab → 1.0
or: , label_smoothing=epsilon →
or: mixed = (1 - epsilon) * own + epsilon * others → mixed = own
    That is the loss without smoothing. What do the wrong words get?

others get nothing: goal = torch.full_like(logits, epsilon / vocab) → goal = torch.zeros_like(logits)
and: 1 - epsilon + epsilon / vocab → 1 - epsilon
or: (1 - epsilon) * own + epsilon * others → (1 - epsilon) * own
    You take ε from the right word and give it to nobody. Where should it go?

all of epsilon for each: torch.full_like(logits, epsilon / vocab) → torch.full_like(logits, epsilon)
and: 1 - epsilon + epsilon / vocab → 1 - epsilon
or: torch.ones_like(scores) * epsilon / len(scores) → torch.ones_like(scores) * epsilon
and: goal[label] += 1 - epsilon → goal[label] = 1 - epsilon
    Each wrong word gets the whole ε in yours. Among how many is it shared?

summed over the words: others = surprises.mean(-1) → others = surprises.sum(-1)
or: epsilon / len(scores) → epsilon
    Each word gets the whole ε in yours, the right one too. Among how many is it shared?

epsilon the wrong way round: (1 - epsilon) * own + epsilon * others → epsilon * own + (1 - epsilon) * others
or: label_smoothing=epsilon → label_smoothing=1 - epsilon
    Your right word keeps only ε. Which of the two parts is the large one?

epsilon of its own: (1 - epsilon) * own + epsilon * others → 0.9 * own + 0.1 * others
or: label_smoothing=epsilon → label_smoothing=0.1
    Your loss doesn't change with `epsilon`. Which number stands in its place?

no logarithm: logits.log_softmax(dim=-1) → logits.softmax(dim=-1)
or: -logits.log_softmax(-1) → -logits.softmax(-1)
    You weigh probabilities, not surprises. What is taken of a probability first?

no softmax: logits.log_softmax(dim=-1) → logits
or: surprises = -logits.log_softmax(-1) → surprises = -logits
or: (scores.exp().sum().log() - scores) → -scores
    You weigh the raw logits. What turns them into surprises?

softmax along the words of the sentence: log_softmax(dim=-1) → log_softmax(dim=-2)
or: surprises = -logits.log_softmax(-1) → surprises = -logits.log_softmax(-2)
    Your probabilities add up to 1 along the sentence. Between whom does the model choose
    at one place?

sign: losses = -(goal → losses = (goal
or: surprises = -logits.log_softmax(-1) → surprises = logits.log_softmax(-1)
    Your loss is negative. With which sign does a log-probability become a surprise?

sum over the places: losses[labels != pad].mean() → losses[labels != pad].sum()
or: label_smoothing=epsilon → label_smoothing=epsilon, reduction="sum"
or: return (mixed * real).sum() / real.sum() → return (mixed * real).sum()
    You add up over all words. What makes two batches of different size comparable?

divided by the sentences: losses[labels != pad].mean() → losses[labels != pad].sum() / len(labels)
or: / real.sum() → / len(labels)
    You divide by the number of sentences. Of what is the loss a mean?

mean over the vocabulary: .sum(dim=-1)\\n → .mean(dim=-1)\\n
    Your loss gets smaller as the vocabulary grows. The targets already add up to 1 over
    it: what is left to do, sum or mean?

mean of the rows' means: return (mixed * real).sum() / real.sum() → return ((mixed * real).sum(-1) / real.sum(-1)).mean()
    You take the mean of each sentence first. Then the words of a short sentence count
    for more: should they?

largest target at the padding: labels.unsqueeze(-1), 1 - epsilon → torch.full_like(labels, pad).unsqueeze(-1), 1 - epsilon
    Your large target stands in the column of the padding. Which column is the right
    word's?

no share for the padding word: return losses[labels != pad].mean() → goal[..., pad] = 0; losses = -(goal * logits.log_softmax(-1)).sum(-1); return losses[labels != pad].mean()
    You give the column of the padding no share. That is done too, but in another
    convention: among how many words does the task share ε?

a loss for each place: return losses[labels != pad].mean() → return losses
or: label_smoothing=epsilon → label_smoothing=epsilon, reduction="none"
or: return (mixed * real).sum() / real.sum() → return mixed
    You return one loss for each place. How many numbers does a training step need?
"""


def batch(*lengths, vocab, pad=0, epsilon=0.1, rows=None):
    """Logits, and labels of so many words; the rest of each row is padding."""
    width = max(lengths) + (rows or 0)

    def inputs(rng):
        words = np.array([n for n in range(vocab) if n != pad])
        labels = np.full((len(lengths), width), pad)
        for row, n in zip(labels, lengths, strict=True):
            row[:n] = rng.choice(words, n)
        logits = rng.normal(scale=2, size=(len(lengths), width, vocab)).round(1)
        return logits, labels, pad, epsilon

    return inputs


TASK = FunctionTask(
    title="Targets that don't add up",
    kind="find the bug",
    answers=("smoothed_loss",),
    arguments=("logits", "labels", "pad", "epsilon"),
    outputs=("loss",),
    arrays="torch",
    rtol=1e-4,
    atol=1e-5,
    right=(PLAIN, LIBRARY, TWO_PARTS, LOOP),
    mistakes=MISTAKES,
    checks=(
        Check(
            "three words, not smoothed",
            batch(3, vocab=5, epsilon=0.0),
            earns=False,
        ),
        Check("three words, smoothed", batch(3, vocab=5)),
        Check("much smoothing", batch(4, vocab=7, epsilon=0.4)),
        Check("two rows, one of them padded", batch(2, 5, vocab=7)),
        Check("not smoothed, but padded", batch(3, 5, vocab=11, epsilon=0.0)),
        Check("padding has the number 1", batch(5, 2, 3, vocab=13, pad=1, epsilon=0.2)),
        Check(
            "a whole column of padding",
            batch(7, 5, vocab=11, pad=3, epsilon=0.3, rows=2),
        ),
    ),
    hints=(
        "Take a vocabulary of 5 words and ε = 0.1, and write down the five targets of one "
        "place. What do they add up to?",
        "Pad a batch by one more column: should the loss change? Look at the line in which "
        "the mean is taken.",
    ),
    section="Label smoothing",
    why="Each of the V words gets ε/V, and the right one 1 − ε on top, so the targets are a "
    "distribution. It is PyTorch's `label_smoothing`; padding is not a word to be said, "
    "smoothed or not.",
)
