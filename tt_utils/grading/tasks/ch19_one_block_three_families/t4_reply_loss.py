"""19.4 Two planted bugs: a loss that counts the wrong labels of a chat, and too many."""

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

CHOSEN = """
def reply_loss(logits, tokens, replied):
    log_p = logits[:, :-1].log_softmax(dim=-1)
    labels = tokens[:, 1:]
    losses = -log_p.gather(-1, labels[..., None])[..., 0]
    counted = replied[:, 1:]
    return losses[counted].mean()
"""

LIBRARY = """
def reply_loss(logits, tokens, replied):
    labels = tokens[:, 1:].masked_fill(~replied[:, 1:], -100)
    scores = logits[:, :-1].transpose(1, 2)
    return F.cross_entropy(scores, labels, ignore_index=-100)
"""

WHERE = """
def reply_loss(logits, tokens, replied):
    log_p = logits - logits.logsumexp(-1, keepdim=True)
    losses = -torch.gather(log_p[:, :-1], 2, tokens[:, 1:].unsqueeze(2)).squeeze(2)
    counted = replied[:, 1:]
    return torch.where(counted, losses, 0.0).sum() / counted.sum()
"""

WORD_BY_WORD = """
def reply_loss(logits, tokens, replied):
    total, count = 0.0, 0
    for scores, row, own in zip(logits, tokens.tolist(), replied.tolist()):
        for i in range(1, len(row)):
            if own[i]:
                total -= float(scores[i - 1].log_softmax(0)[row[i]])
                count += 1
    return total / count
"""

MISTAKES = """
as planted: counted = replied[:, 1:] → counted = replied[:, :-1]
and: return losses[counted].mean() → return torch.where(counted, losses, 0.0).mean()
or: counted = replied[:, 1:] → counted = replied[:, :-1]
and: / counted.sum() → / counted.numel()
    Take one chat, *user: hi, model: hello*, and write below each label whether it counts
    here. Does the first word of the reply? Then ask by how many labels the sum is
    divided.

counted by the input: counted = replied[:, 1:] → counted = replied[:, :-1]
or: ~replied[:, 1:] → ~replied[:, :-1]
or: if own[i]: → if own[i - 1]:
    You divide by the right number of labels now. One thing is left: the first word of a
    reply doesn't count, and what stands behind its end does. Whose mark decides about a
    label: its own, or that of the token before it?

divided by all labels: return losses[counted].mean() → return torch.where(counted, losses, 0.0).mean()
or: / counted.sum() → / counted.numel()
or: total / count → total / tokens[:, 1:].numel()
    You count the right labels now. One thing is left: the more the user says, the
    smaller your loss. Of how many losses is it the mean?

divided by all tokens: / counted.sum() → / tokens.numel()
or: return losses[counted].mean() → return losses[counted].sum() / tokens.numel()
or: total / count → total / tokens.numel()
    The more the user says, the smaller your loss, and you even divide by tokens that are
    no label. Of how many losses is it the mean?

divided by the marks of the inputs: / counted.sum() → / replied[:, :-1].sum()
or: return losses[counted].mean() → return losses[counted].sum() / replied[:, :-1].sum()
    You add up the right losses, and divide by the number of inputs that are the model's.
    Is that always the number of labels that are?

divided by all marks: / counted.sum() → / replied.sum()
or: return losses[counted].mean() → return losses[counted].sum() / replied.sum()
    You divide by all marks, that of the first token too. Is the first token of a row
    ever a label?

mean of the chats: return losses[counted].mean() → return torch.stack([row[own].mean() for row, own in zip(losses, counted)]).mean()
or: .sum() / counted.sum() → .sum(1).div(counted.sum(1)).mean()
or: return losses[counted].mean() → return torch.stack([row[own].mean() for row, own in zip(losses, counted) if own.any()]).mean()
    You take a mean in each chat and then the mean of those. A chat with one short reply
    then weighs as much as a long one, and without a reply there is no mean at all. What
    is divided by what?

all labels count: losses[counted].mean() → losses.mean()
or: .masked_fill(~replied[:, 1:], -100) →
or: if own[i]: → if True:
    Every label counts in yours. Can a model know what the user says next, and will it
    ever have to say it?

the user's turns count: losses[counted].mean() → losses[~counted].mean()
or: counted = replied[:, 1:] → counted = ~replied[:, 1:]
or: ~replied[:, 1:] → replied[:, 1:]
or: if own[i]: → if not own[i]:
    Your model learns what the user says, and never what to reply. What does True in
    `replied` say?

end not counted: counted = replied[:, 1:] → counted = replied[:, 1:] & F.pad(replied[:, 2:], (0, 1))
or: if own[i]: → if own[i] and own[i + 1 : i + 2] == [True]:
    The last token of each reply doesn't count in yours. It is the end of the turn: how
    would the model learn to stop?

first word not counted: counted = replied[:, 1:] → counted = replied[:, 1:] & replied[:, :-1]
or: ~replied[:, 1:] → ~(replied[:, 1:] & replied[:, :-1])
or: if own[i]: → if own[i] and own[i - 1]:
    The first word of a reply doesn't count in yours. From which position is it said, and
    whose is the label there?

the input or the label: counted = replied[:, 1:] → counted = replied[:, 1:] | replied[:, :-1]
or: ~replied[:, 1:] → ~(replied[:, 1:] | replied[:, :-1])
or: if own[i]: → if own[i] or own[i - 1]:
    What follows the end of a reply counts in yours, though the user's turn begins there.
    Which of the two tokens of a pair must be the model's?

mark shifted twice: counted = replied[:, 1:] → counted = F.pad(replied[:, 2:], (0, 1))
or: ~replied[:, 1:] → ~F.pad(replied[:, 2:], (0, 1))
or: if own[i]: → if own[i + 1 : i + 2] == [True]:
    In yours the model must say the token that opens its turn, and needn't say its end.
    Labels are shifted by one: by how many do you shift the marks?

all from the first reply on: counted = replied[:, 1:] → counted = replied[:, 1:].cummax(1).values
or: if own[i]: → if any(own[1 : i + 1]):
    Once the model has begun to talk, everything counts in yours, the user's next turn
    and the padding too. Whose are those?

logits not shifted: log_p = logits[:, :-1] → log_p = logits[:, 1:]
or: scores = logits[:, :-1] → scores = logits[:, 1:]
or: log_p[:, :-1] → log_p[:, 1:]
or: scores[i - 1] → scores[i]
    You ask each position for the token that stands there. Which token does a position
    score?

labels not shifted: labels = tokens[:, 1:]\\n → labels = tokens[:, :-1]\\n
or: tokens[:, 1:].masked → tokens[:, :-1].masked
or: tokens[:, 1:].unsqueeze → tokens[:, :-1].unsqueeze
or: [row[i]] → [row[i - 1]]
    You ask each position for the token that it has just read. Which one does it have to
    say?

multiplied by the mark: return losses[counted].mean() → return (losses * counted).sum() / counted.sum()
or: torch.where(counted, losses, 0.0).sum() → (losses * counted).sum()
    Right, until the user says something that the model holds to be impossible: that
    loss is infinite, and infinity times 0 is no number. How can it be left out, rather
    than multiplied away?

sum of the losses: losses[counted].mean() → losses[counted].sum()
or: / counted.sum() →
or: total / count → total
or: ignore_index=-100) → ignore_index=-100, reduction="sum")
    Your loss grows with the length of the replies. What makes the loss of one token of
    a sum?

divided by the chats: losses[counted].mean() → losses[counted].sum() / len(tokens)
or: / counted.sum() → / len(tokens)
or: total / count → total / len(tokens)
    You divided by the number of chats. The loss belongs to one token: how many are
    counted?

sign lost: losses = -log_p → losses = log_p
or: losses = -torch → losses = torch
or: total -= → total +=
    Your loss is negative, and training would make the replies less likely. Which sign
    has the logarithm of a probability?

probabilities instead of logarithms: .log_softmax(dim=-1) → .softmax(dim=-1)
or: .log_softmax(0) → .softmax(0)
    You took the probability itself. What is done to it, so that an impossible word costs
    without limit?

softmax over the positions: .log_softmax(dim=-1) → .log_softmax(dim=1)
or: logits.logsumexp(-1 → logits.logsumexp(1
    Your probabilities sum to 1 along a chat. Between which things does the model choose
    at one position?

bits: return losses[counted].mean() → return losses[counted].mean() / math.log(2)
or: return total / count → return total / count / math.log(2)
    You changed the unit to bits. In which unit is a cross-entropy of PyTorch's?

perplexity: return losses[counted].mean() → return losses[counted].mean().exp()
or: return total / count → return math.exp(total / count)
or: ignore_index=-100) → ignore_index=-100).exp()
    You took a power at the end: that is a perplexity. What is asked for?

padding as a label: counted = replied[:, 1:] → counted = replied[:, 1:] | (tokens[:, 1:] == 0)
or: if own[i]: → if own[i] or row[i] == 0:
    The model must say the padding in yours. Whose is it?
"""


def chats(*rows, vocab=13, impossible=False, equal=False):
    """Chats of exchanges (said, replied): so many words each; padded behind.

    As in the book: <s>, and for each exchange <user>, words, <model>, words, </s>.
    """
    start, user, model, end = 1, 2, 3, 4

    def inputs(rng):
        tokens, replied = [], []
        for row in rows:
            ids, own = [start], [False]
            for said, reply in row:
                words = rng.integers(5, vocab, said + reply).tolist()
                ids += [user, *words[:said], model, *words[said:], end]
                own += [False] * (said + 2) + [True] * (reply + 1)
            tokens.append(ids)
            replied.append(own)
        t = max(map(len, tokens))
        ids = np.array([row + [0] * (t - len(row)) for row in tokens])
        own = np.array([row + [False] * (t - len(row)) for row in replied])
        logits = rng.normal(scale=1.5, size=(*ids.shape, vocab)).round(1)
        if equal:
            logits[:] = 0
        if impossible:
            chats, places = (~own[:, 1:]).nonzero()
            logits[chats, places, ids[:, 1:][chats, places]] = -np.inf
        return logits, ids, own

    return inputs


def all_own(rng):
    """A text of the model's alone, as in chapter 19: every token counts."""
    tokens = rng.integers(5, 11, (2, 7))
    logits = rng.normal(scale=1.5, size=(2, 7, 11)).round(1)
    return logits, tokens, np.ones((2, 7), bool)


def other_words(rng):
    """Equal chances for another number of words."""
    return chats([(3, 2)], vocab=int(rng.integers(7, 13)), equal=True)(rng)


def cut(rng):
    """A chat whose last reply is cut off by the end of the row."""
    logits, tokens, replied = chats([(2, 3), (3, 7)])(rng)
    return logits[:, :-3], tokens[:, :-3], replied[:, :-3]


TASK = FunctionTask(
    title="The model's turns, and only they",
    kind="find the bug",
    answers=("reply_loss",),
    arguments=("logits", "tokens", "replied"),
    outputs=("loss",),
    arrays="torch",
    rtol=1e-4,
    right=(CHOSEN, LIBRARY, WHERE, WORD_BY_WORD),
    mistakes=MISTAKES,
    checks=(
        Check("a text that is all the model's", all_own, earns=False),
        Check(
            "one exchange, all words equally likely",
            chats([(3, 2)], equal=True),
            fresh=other_words,
        ),
        Check("one exchange", chats([(5, 2)])),
        Check("replies of one word", chats([(2, 1), (3, 1), (5, 1)])),
        Check("a reply that the row cuts off", cut),
        Check("a long chat and a short one", chats([(2, 3), (5, 7)], [(3, 1)])),
        Check("a chat in which nobody replied yet", chats([(2, 3)], [])),
        Check(
            "the user says what the model holds to be impossible",
            chats([(3, 2), (2, 5)], impossible=True),
        ),
        Check(
            "five chats",
            chats(
                [(2, 3)], [(7, 1), (1, 2)], [(3, 5)], [(1, 1)] * 3, [(11, 2)], vocab=17
            ),
        ),
    ),
    hints=(
        "Write a short chat as one row. Below it write the labels, shifted by one, and "
        "below those a cross wherever the model must say the label. Compare with `counted`.",
        "Let all words be equally likely: what must the loss be, whatever the length of "
        "the user's turns? Which of the two lines breaks that?",
    ),
    section="Learning to write captions",
    why="A loss belongs to labels, so whatever chooses among them is shifted as they are. "
    "The model learns its first word and its end, and nothing of what the user will say. "
    "Divided by what was counted, the loss doesn't depend on how much the user talks.",
)
