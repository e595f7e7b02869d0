"""23.6 Stage 6: the loss with label smoothing, and the learning rate."""

import numpy as np

from tt_utils.grading.observing import probes
from tt_utils.grading.tasks.inputs import fixed
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def loss_of(logits, labels, smoothing=0.1):
    real = labels != 0
    log_p = logits[real].log_softmax(dim=-1)
    of_label = log_p.gather(1, labels[real][:, None])[:, 0]
    return -((1 - smoothing) * of_label + smoothing * log_p.mean(dim=-1)).mean()

def learning_rate(step, d_model, warmup):
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)
"""

TARGETS = """
def loss_of(logits, labels, smoothing=0.1):
    vocab_size = logits.shape[-1]
    asked = torch.full_like(logits, smoothing / vocab_size)
    asked += (1 - smoothing) * F.one_hot(labels, vocab_size)
    losses = -(asked * F.log_softmax(logits, dim=-1)).sum(dim=-1)
    mask = (labels != 0).float()
    return (losses * mask).sum() / mask.sum()

def learning_rate(step, d_model, warmup):
    rising, falling = step / warmup**1.5, 1 / math.sqrt(step)
    return min(rising, falling) / math.sqrt(d_model)
"""

LIBRARY = """
def loss_of(logits, labels, smoothing=0.1):
    rows, flat = logits.reshape(-1, logits.shape[-1]), labels.reshape(-1)
    return F.cross_entropy(rows, flat, ignore_index=0, label_smoothing=smoothing)

def learning_rate(step, d_model, warmup):
    scale = d_model**-0.5
    if step < warmup:
        return scale * step * warmup**-1.5
    return scale * step**-0.5
"""

MISTAKES = """
padding counted: real = labels != 0 → real = labels >= 0
or: mask = (labels != 0).float() → mask = (labels >= 0).float()
or: , ignore_index=0 →
    The padding has a say in your loss. At which positions is there no word to predict?

padding in the divisor: (losses * mask).sum() / mask.sum() → (losses * mask).mean()
or: log_p.mean(dim=-1)).mean() → log_p.mean(dim=-1)).sum() / labels.numel()
or: return F.cross_entropy(rows, flat, ignore_index=0, label_smoothing=smoothing) → return F.cross_entropy(rows, flat, ignore_index=0, label_smoothing=smoothing, reduction="sum") / len(flat)
    You divide by all positions, padding among them. By how many should a mean over the
    real words divide?

a sum for the mean: log_p.mean(dim=-1)).mean() → log_p.mean(dim=-1)).sum()
or: (losses * mask).sum() / mask.sum() → (losses * mask).sum()
or: label_smoothing=smoothing) → label_smoothing=smoothing, reduction="sum")
    Your loss grows with the size of the batch. What is taken over all real words?

mean of the sentences' means: (losses * mask).sum() / mask.sum() → ((losses * mask).sum(1) / mask.sum(1)).mean()
    A word of a short sentence counts more than one of a long sentence in yours. Over what
    is the mean taken?

no smoothing: (1 - smoothing) * of_label + smoothing * log_p.mean(dim=-1) → of_label
or: label_smoothing=smoothing → label_smoothing=0.0
or: asked = torch.full_like(logits, smoothing / vocab_size)\\n    asked += (1 - smoothing) * F.one_hot(labels, vocab_size) → asked = F.one_hot(labels, vocab_size)
    `smoothing` changes nothing in yours. Which share of what is asked for goes to the
    other entries?

smoothing of its own: (1 - smoothing) * of_label + smoothing * log_p → 0.9 * of_label + 0.1 * log_p
or: label_smoothing=smoothing → label_smoothing=0.1
    Your smoothing is 0.1, whatever is asked for. Where does the number come from?

shared among the others alone: asked = torch.full_like(logits, smoothing / vocab_size)\\n    asked += (1 - smoothing) * F.one_hot(labels, vocab_size) → one = F.one_hot(labels, vocab_size)\\n    asked = (1 - smoothing) * one + smoothing / (vocab_size - 1) * (1 - one)
or: smoothing * log_p.mean(dim=-1)).mean() → smoothing * (log_p.sum(dim=-1) - of_label) / (log_p.shape[-1] - 1)).mean()
    You share the smoothing out among all entries but the right one. Among which entries
    does the stage share it?

no share for the padding: smoothing * log_p.mean(dim=-1)).mean() → smoothing * log_p[:, 1:].mean(dim=-1)).mean()
or: smoothing * log_p.mean(dim=-1)).mean() → smoothing * (log_p[:, 1:].sum(dim=-1) - of_label) / (log_p.shape[-1] - 2)).mean()
    The padding's entry has no share of the smoothing in yours. Among which entries does
    the stage share it?

another smoothing by default: labels, smoothing=0.1): → labels, smoothing=0.0):
    With no smoothing named, yours smooths by another number than 0.1. Where does a
    default stand?

shared out twice: smoothing * log_p.mean(dim=-1) → smoothing * log_p.sum(dim=-1)
or: torch.full_like(logits, smoothing / vocab_size) → torch.full_like(logits, smoothing)
    What is asked for sums to more than 1 in yours. How large is the share of each entry?

shares exchanged: (1 - smoothing) * of_label + smoothing * log_p → smoothing * of_label + (1 - smoothing) * log_p
or: label_smoothing=smoothing → label_smoothing=1 - smoothing
    The right word gets the small share in yours. Which of the two gets 1 − smoothing?

sign of the loss: return -((1 → return ((1
or: losses = -(asked → losses = (asked
or: return F.cross_entropy → return -F.cross_entropy
    Your loss is below 0, and training would make the right words improbable. Which sign
    has the logarithm of a probability?

softmax twice: logits[real].log_softmax(dim=-1) → logits[real].softmax(dim=-1).log_softmax(dim=-1)
or: F.log_softmax(logits, → F.log_softmax(logits.softmax(dim=-1),
or: rows, flat = logits.reshape(-1, logits.shape[-1]), → rows, flat = logits.softmax(-1).reshape(-1, logits.shape[-1]),
    Softmax is applied twice on the way to your loss. Does what you call want logits, or
    probabilities?

no logarithm: logits[real].log_softmax(dim=-1) → logits[real].softmax(dim=-1)
or: F.log_softmax(logits → F.softmax(logits
    Your loss has probabilities where their logarithms belong. What is the surprise at a
    word of probability p?

steps from 0: min(step**-0.5, step * warmup**-1.5) → min((step + 1)**-0.5, (step + 1) * warmup**-1.5)
or: min(step**-0.5, step * warmup**-1.5) → min(max(step - 1, 1)**-0.5, (step - 1) * warmup**-1.5)
    Your learning rate is one step ahead or behind. Which number has the first step?

larger of the two: min(step → max(step
or: min(rising, falling) → max(rising, falling)
or: if step < warmup → if step > warmup
    Your rate is at its largest where it should be at its smallest. Which of the two
    curves holds during the warm-up?

never falls: min(step**-0.5, step * warmup**-1.5) → min(warmup**-0.5, step * warmup**-1.5)
or: return scale * step**-0.5 → return scale * warmup**-0.5
    After the warm-up your rate stays where it is. How does equation 3 let it fall?

no warm-up: min(step**-0.5, step * warmup**-1.5) → step**-0.5
or: min(rising, falling) → falling
    Your rate begins at its largest. What does equation 3 do in the first `warmup` steps?

width left out: return d_model**-0.5 * min → return min
or: / math.sqrt(d_model) →
or: scale = d_model**-0.5 → scale = 1
    Your rate is the same for models of any width. Which factor does the width give?

width upside down: d_model**-0.5 → d_model**0.5
or: / math.sqrt(d_model) → * math.sqrt(d_model)
    Wider models get a higher rate in yours. On which side of the fraction does the root
    of the width stand?

linear warm-up to 1: step * warmup**-1.5 → step / warmup
or: step / warmup**1.5 → step / warmup
    Your rising line and your falling curve don't meet at the end of the warm-up. Which
    power of `warmup` lets them meet?
"""


def rate(answers, step, d_model, warmup):
    """Times 1,000, since rates are small."""
    return 1000 * answers[1](step, d_model, warmup)


def loss_and_slope(answers, logits, labels, smoothing):
    """The loss, and what training would change."""
    logits.requires_grad_()
    loss = answers[0](logits, labels, smoothing)
    (slope,) = _autograd(loss, logits)
    return loss, slope


def _autograd(loss, logits):
    import torch

    return torch.autograd.grad(loss, logits)


def case(vocab_size, *lengths, smoothing=None):
    def inputs(rng):
        t = max(lengths)
        logits = rng.normal(scale=1.5, size=(len(lengths), t, vocab_size)).round(1)
        labels = rng.integers(1, vocab_size, (len(lengths), t))
        labels *= np.arange(t) < np.array(lengths)[:, None]
        return logits, labels, *([] if smoothing is None else [smoothing])

    return inputs


def rates(rng):
    warmup = int(rng.integers(50, 900))
    return warmup, int(rng.integers(30, 800))


def before(rng):
    warmup, d_model = rates(rng)
    return int(rng.integers(2, warmup // 2)), d_model, warmup


def after(rng):
    warmup, d_model = rates(rng)
    return int(rng.integers(2 * warmup, 9 * warmup)), d_model, warmup


def at_the_top(rng):
    warmup, d_model = rates(rng)
    return warmup, d_model, warmup


def first(rng):
    warmup, d_model = rates(rng)
    return 1, d_model, warmup


LOSS = {
    "probe": probes.call,
    "arguments": ("logits", "labels", "smoothing"),
    "outputs": ("loss",),
}
RATE = {
    "probe": rate,
    "arguments": ("step", "d_model", "warmup"),
    "outputs": ("1000 · rate",),
}

TASK = FunctionTask(
    title="Stage 6: loss and learning rate",
    kind="implement",
    answers=("loss_of", "learning_rate"),
    arguments=("logits", "labels", "smoothing"),
    outputs=("loss", "slope"),
    arrays="torch",
    rtol=1e-3,
    atol=1e-5,
    right=(PLAIN, TARGETS, LIBRARY),
    mistakes=MISTAKES,
    pairs=False,
    checks=(
        Check("no padding, no smoothing", case(5, 3, 3, smoothing=0.0), **LOSS),
        Check("padding, no smoothing", case(7, 5, 2, 3, smoothing=0.0), **LOSS),
        Check("a smoothing of 0.1 by default", case(5, 4, 2), **LOSS),
        Check("a smoothing of 0.3", case(11, 2, 5, 4, smoothing=0.3), **LOSS),
        Check("the slope at the logits", case(7, 3, 5, smoothing=0.2), loss_and_slope),
        Check("the first step", fixed(1, 64, 200), fresh=first, **RATE),
        Check("within the warm-up", fixed(50, 512, 400), fresh=before, **RATE),
        Check("at its end", fixed(200, 64, 200), fresh=at_the_top, **RATE),
        Check("after it", fixed(2000, 128, 100), fresh=after, **RATE),
    ),
    hints=(
        "Take a vocabulary of 4 and a smoothing of 0.2. Which share of what is asked for "
        "has the right entry, and which has each of the others?",
        "Pick out the rows with a real label first: then padding can't come in any more, "
        "not even into the mean.",
    ),
    page="13c_the_whole_on_one_page",
    section="Training",
    why="The loss is a mean over real words, so it can be compared between batches. The rate "
    "rises while Adam's means are still poor, and falls with the root of the steps.",
)
