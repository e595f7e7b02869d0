"""18.2 A perplexity that looks too good."""

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

CHOSEN = """
def perplexity(logits, targets, pad=0):
    log_p = torch.log_softmax(logits, dim=-1)
    losses = -log_p.gather(-1, targets[..., None])[..., 0]
    real = targets != pad
    return torch.exp(losses[real].mean())
"""

WEIGHTED = """
def perplexity(logits, targets, pad=0):
    log_p = logits - logits.logsumexp(-1, keepdim=True)
    one_hot = nn.functional.one_hot(targets, logits.shape[-1])
    losses = -(log_p * one_hot).sum(-1)
    real = (targets != pad).float()
    total = (losses * real).sum()
    return math.exp(total / real.sum())
"""

LIBRARY = """
def perplexity(logits, targets, pad=0):
    rows, words = logits.flatten(0, 1), targets.flatten()
    return F.cross_entropy(rows, words, ignore_index=pad).exp()
"""

WORD_BY_WORD = """
def perplexity(logits, targets, pad=0):
    total, count = 0.0, 0
    for row, words in zip(logits.softmax(-1).tolist(), targets.tolist()):
        for shares, word in zip(row, words):
            if word != pad:
                total += -math.log(shares[word])
                count += 1
    return math.exp(total / count)
"""

MISTAKES = """
as planted: return torch.exp(losses[real].mean()) → losses = torch.where(real, losses, 0.0)\\n    return 2 ** losses.mean()
or: return math.exp(total / count) → return 2 ** (total / targets.numel())
    A model that gives each of 7 words the same chance should get 7, with or without
    padding. In which unit is the loss, and by how many words is it divided?

two to the power of the loss: torch.exp(losses[real].mean()) → 2 ** losses[real].mean()
or: return math.exp(total / → return 2 ** (total /
or: ignore_index=pad).exp() → ignore_index=pad).exp2()
    Your words are counted rightly, your power is too small. PyTorch's logarithm is the
    natural one: of which number should you take the power?

ten to the power of the loss: torch.exp(losses[real].mean()) → 10 ** losses[real].mean()
or: return math.exp(total / → return 10 ** (total /
    You took powers of 10. Which logarithm made the loss, and what undoes it?

padding as free words: losses[real].mean() → torch.where(real, losses, 0.0).mean()
or: total / real.sum() → total / real.numel()
or: total / count → total / targets.numel()
    Padding has no loss in yours, but it counts below the line, so more padding makes
    the model look better. How many words are there in truth?

padding as words to guess: losses[real].mean() → losses.mean()
or: (targets != pad).float() → (targets != -1).float()
or: if word != pad: → if True:
or: , ignore_index=pad) → )
    The model is asked to guess padding, and judged by it. Which positions should enter
    the mean?

certain words left out: losses[real].mean() → losses[real & (losses != 0)].mean()
or: total / real.sum() → total / (losses * real != 0).sum()
or: count += 1 → count += shares[word] < 1
    You count the losses that are not 0. A word that the model is sure of has the loss
    0, too: what tells a word from padding?

padding alone: losses[real] → losses[~real]
or: word != pad → word == pad
or: (targets != pad).float() → (targets == pad).float()
    You measure how well padding is guessed. Which positions does your condition leave?

padding fixed at 0: targets != pad → targets != 0
or: word != pad → word != 0
or: ignore_index=pad → ignore_index=0
    With another number for padding yours is wrong. Which argument says what it is?

mean of the powers: torch.exp(losses[real].mean()) → torch.exp(losses[real]).mean()
or: total += -math.log(shares[word]) → total += 1 / shares[word]
and: math.exp(total / count) → total / count
or: total = (losses * real).sum() → total = (losses.exp() * real).sum()
and: math.exp(total / real.sum()) → total / real.sum()
    One word that is hard to guess outweighs all others in yours. Which comes first, the
    mean or the power?

one over the mean probability: torch.exp(losses[real].mean()) → 1 / torch.exp(-losses[real]).mean()
or: total += -math.log(shares[word]) → total += shares[word]
and: math.exp(total / count) → count / total
    You took the mean of the probabilities. Words that are nearly impossible hardly show
    in it: of which numbers is the mean taken?

mean of the sentences' losses: losses[real].mean() → torch.stack([row[keep].mean() for row, keep in zip(losses, real)]).mean()
or: math.exp(total / real.sum()) → math.exp(((losses * real).sum(-1) / real.sum(-1)).mean())
    You take a mean in each sentence, and then the mean of those. A word of a short
    sentence counts more than one of a long one: by what is the whole sum divided?

mean of the sentences' perplexities: torch.exp(losses[real].mean()) → torch.stack([row[keep].mean().exp() for row, keep in zip(losses, real)]).mean()
or: return math.exp(total / real.sum()) → return ((losses * real).sum(-1) / real.sum(-1)).exp().mean()
    You take the perplexity of each sentence, and their mean. What is added up over the
    whole batch, before any power?

sum instead of the mean: losses[real].mean() → losses[real].sum()
or: total / real.sum() → total
or: total / count → total
or: ignore_index=pad) → ignore_index=pad, reduction="sum")
    Yours grows with the length of the text. What turns a sum of losses into the loss of
    one word?

divided by the sentences: losses[real].mean() → losses[real].sum() / len(targets)
or: total / real.sum() → total / len(real)
or: total / count → total / len(targets)
    You divided by the number of sentences. Perplexity belongs to one word: how many
    are there?

loss returned: torch.exp(losses[real].mean()) → losses[real].mean()
or: math.exp(total / real.sum()) → total / real.sum()
or: ignore_index=pad).exp() → ignore_index=pad)
or: math.exp(total / count) → total / count
    That is the loss, in nats. What makes it a number of equally likely words?

sign lost: losses = -log_p → losses = log_p
or: losses = -(log_p * one_hot).sum(-1) → losses = (log_p * one_hot).sum(-1)
or: -math.log → math.log
or: ignore_index=pad).exp() → ignore_index=pad).neg().exp()
    Yours is below 1. The best possible perplexity is 1, for a model that is always
    sure and right: which sign has a loss?

logits as logarithms: torch.log_softmax(logits, dim=-1) → logits
or: logits - logits.logsumexp(-1, keepdim=True) → logits
    You took the logits for logarithms of probabilities. What makes each row of
    probabilities sum to 1?

softmax over the positions: log_softmax(logits, dim=-1) → log_softmax(logits, dim=1)
or: logits.logsumexp(-1, keepdim=True) → logits.logsumexp(1, keepdim=True)
or: logits.softmax(-1) → logits.softmax(1)
    Your probabilities sum to 1 along the sentence. Between which things does the model
    choose at one position?

the model's own favourite: log_p.gather(-1, targets[..., None])[..., 0] → log_p.amax(-1)
or: shares[word] → max(shares)
or: one_hot(targets, logits → one_hot(logits.argmax(-1), logits
    You ask how sure the model is of its own choice, right or wrong. Of which word is
    the loss?

loss in bits: losses[real].mean() → (losses[real] / math.log(2)).mean()
or: -math.log( → -math.log2(
    You counted in bits, and took the power for nats. Which power belongs to bits, and
    which to nats?

percent: return torch.exp(losses[real].mean()) → return 100 * torch.exp(losses[real].mean())
or: return math.exp(total / count) → return 100 * math.exp(total / count)
    Yours is 100 times too large. Perplexity is a number of words, not a percentage: how
    many do equal chances for 7 words give?
"""


def guesses(*lengths, vocab, pad=0, scale=1.5, sure=False):
    """Random logits, and sentences of these lengths, padded to the longest.

    With `sure`, the last word of the last sentence has all the probability.
    """

    def inputs(rng):
        longest = max(lengths)
        words = [number for number in range(vocab) if number != pad]
        targets = np.full((len(lengths), longest), pad)
        for row, length in zip(targets, lengths, strict=True):
            row[:length] = rng.choice(words, length)
        logits = rng.normal(scale=scale, size=(len(lengths), longest, vocab)).round(1)
        # The favourite is wrong somewhere, and padding is guessed unlike a word.
        logits[0, 0, targets[0, 0]] -= 3
        logits[..., pad] += 1
        if sure:
            logits[-1, lengths[-1] - 1, targets[-1, lengths[-1] - 1]] = 200
        return (logits, targets, pad) if pad else (logits, targets)

    return inputs


def equal_chances(*lengths, vocab):
    def inputs(rng):
        _, targets = guesses(*lengths, vocab=vocab)(rng)
        return np.zeros((*targets.shape, vocab)), targets

    return inputs


def some_equal_chances(*lengths):
    """Equal chances for a few of the words, next to none for the others."""

    def inputs(rng):
        few = int(rng.integers(3, 7))
        vocab = few + int(rng.integers(2, 6))
        chosen = rng.permutation(np.arange(1, vocab))[:few]
        _, targets = guesses(*(rng.permutation(lengths)), vocab=vocab)(rng)
        targets[targets > 0] = rng.choice(chosen, (targets > 0).sum())
        logits = np.full((*targets.shape, vocab), -100.0)
        logits[..., chosen] = 0
        return logits, targets

    return inputs


def two_chances(rng):
    """Two words, one of which is not the model's favourite."""
    shares = rng.permuted([[[1, 2, 4, 7, 2], [5, 3, 2, 1, 5]]], axis=-1) / 16
    likely, unlikely = shares[0, 0, 1:].argmax() + 1, shares[0, 1, 1:].argmin() + 1
    return np.log(shares), np.array([[likely, unlikely]])


def a_half_and_an_eighth(rng):
    shares = np.array([[[1, 4, 2, 1], [2, 2, 3, 1]]]) / 8
    return np.log(shares), np.array([[1, 3]])


TASK = FunctionTask(
    title="A perplexity that looks too good",
    kind="find the bug",
    answers=("perplexity",),
    arguments=("logits", "targets", "pad"),
    outputs=("perplexity",),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(CHOSEN, WEIGHTED, LIBRARY, WORD_BY_WORD),
    mistakes=MISTAKES,
    checks=(
        Check(
            "equal chances for some words",
            equal_chances(5, vocab=7),
            fresh=some_equal_chances(5),
        ),
        Check("two words, one likelier", a_half_and_an_eighth, fresh=two_chances),
        Check(
            "equal chances, and padding",
            equal_chances(2, 5, vocab=7),
            fresh=some_equal_chances(2, 5),
        ),
        Check("one sentence", guesses(5, vocab=7)),
        Check("three sentences of four words", guesses(4, 4, 4, vocab=5)),
        Check(
            "sentences of 1, 3 and 6 words, the last of them certain",
            guesses(1, 3, 6, vocab=11, sure=True),
        ),
        Check("padding has the number 3", guesses(5, 2, vocab=7, pad=3)),
    ),
    hints=(
        "Let the model give each of 7 words the same chance, and calculate by hand: the "
        "loss of one word, their mean, and what should come out.",
        "Append padding to a sentence. What happens to the sum of the losses, and to the "
        "number by which it is divided?",
    ),
    section="Where we are",
    why="Perplexity is e to the mean loss of the real words: the number of equally "
    "likely words between which the model would be as unsure.",
)
