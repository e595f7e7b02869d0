"""21.2 Does a neighbour change the sentence? A test, and models to try it on."""

from functools import partial

import numpy as np

from tt_utils.grading.tasks.inputs import Rule
from tt_utils.grading.tasks.spec import Check, FunctionTask

PADDED = """
def changes_beside(model, pair, other, pad_id):
    def batch(*sentences):
        return nn.utils.rnn.pad_sequence(
            sentences, batch_first=True, padding_value=pad_id
        )

    alone = model(batch(pair[0]), batch(pair[1]))[0]
    t = len(pair[1])
    first = model(batch(pair[0], other[0]), batch(pair[1], other[1]))[0, :t]
    last = model(batch(other[0], pair[0]), batch(other[1], pair[1]))[1, :t]
    return max((first - alone).abs().max(), (last - alone).abs().max())
"""

FILLED = """
def changes_beside(model, pair, other, pad_id):
    n_src = max(len(pair[0]), len(other[0]))
    n_tgt = max(len(pair[1]), len(other[1]))
    src = torch.full((2, n_src), pad_id)
    tgt = torch.full((2, n_tgt), pad_id)
    for row, (s, t) in enumerate((pair, other)):
        src[row, : len(s)] = s
        tgt[row, : len(t)] = t
    alone = model(pair[0][None], pair[1][None])[0]
    before = model(src, tgt)[0]
    behind = model(src.flip(0), tgt.flip(0))[1]
    changes = [both[: len(pair[1])] - alone for both in (before, behind)]
    return float(torch.stack(changes).abs().max())
"""

LOOPS = """
def changes_beside(model, pair, other, pad_id):
    def logits(*rows):
        sides = []
        for side in zip(*rows):
            longest = max(map(len, side))
            lists = [s.tolist() + [pad_id] * (longest - len(s)) for s in side]
            sides.append(torch.tensor(lists))
        return model(*sides)

    worst = 0.0
    alone = logits(pair)[0]
    for out in (logits(pair, other)[0], logits(other, pair)[1]):
        for i in range(len(pair[1])):
            for a, b in zip(alone[i], out[i]):
                worst = max(worst, abs(float(a - b)))
    return worst
"""

MISTAKES = """
the first row alone: return max((first - alone).abs().max(), (last - alone).abs().max()) → return (first - alone).abs().max()
or: for both in (before, behind) → for both in (before,)
or: in (logits(pair, other)[0], logits(other, pair)[1]): → in (logits(pair, other)[0],):
    One model is right for the first sentence of a batch and wrong for those below. In
    which rows has your pair stood?

the last row alone: return max((first - alone).abs().max(), (last - alone).abs().max()) → return (last - alone).abs().max()
or: for both in (before, behind) → for both in (behind,)
or: in (logits(pair, other)[0], logits(other, pair)[1]): → in (logits(other, pair)[1],):
    One model is wrong for the first sentence of a batch alone. In which rows has your
    pair stood?

the row of the other sentence: (other[0], pair[0]), batch(other[1], pair[1]))[1, :t] → (other[0], pair[0]), batch(other[1], pair[1]))[0, :t]
or: model(src.flip(0), tgt.flip(0))[1] → model(src.flip(0), tgt.flip(0))[0]
or: logits(other, pair)[1] → logits(other, pair)[0]
    Every model seems to change the pair. When the other one stands first, in which row
    is the pair?

padded positions compared too: batch(pair[0]), batch(pair[1]))[0] → *(torch.nn.functional.pad(batch(p), (0, max(len(p), len(o)) - len(p)), value=pad_id) for p, o in zip(pair, other)))[0]
and: [0, :t] → [0]
and: [1, :t] → [1]
or: alone = model(pair[0][None], pair[1][None])[0] → alone = torch.zeros(n_tgt, model(src, tgt).shape[-1])\\n    alone[: len(pair[1])] = model(pair[0][None], pair[1][None])[0]
and: both[: len(pair[1])] → both
    You compare positions that hold no word of the pair, where anything may come out. How
    many target words has the pair?

padding in front: sentences, batch_first=True, padding_value=pad_id\\n        ) → [s.flip(0) for s in sentences], batch_first=True, padding_value=pad_id\\n        ).flip(1)
and: [0, :t] → [0, -t:]
and: [1, :t] → [1, -t:]
or: src[row, : len(s)] = s → src[row, n_src - len(s) :] = s
and: tgt[row, : len(t)] = t → tgt[row, n_tgt - len(t) :] = t
and: both[: len(pair[1])] → both[-len(pair[1]) :]
or: s.tolist() + [pad_id] * (longest - len(s)) → [pad_id] * (longest - len(s)) + s.tolist()
and: zip(alone[i], out[i]) → zip(alone[i], out[len(out) - len(alone) + i])
    Your padding moves the words to other positions, which a right model notices. At which
    end does the task want it?

padding is always 0: padding_value=pad_id → padding_value=0
or: torch.full((2, n_src), pad_id)\\n    tgt = torch.full((2, n_tgt), pad_id) → torch.zeros(2, n_src).long()\\n    tgt = torch.zeros(2, n_tgt).long()
or: [pad_id] * → [0] *
    Where 0 is a word and no padding, right models are turned down. Which argument says
    what padding is?

one side alone padded: batch(pair[1], other[1]) → batch(pair[1], pair[1])
and: batch(other[1], pair[1]) → batch(pair[1], pair[1])
or: n_tgt = max(len(pair[1]), len(other[1])) → n_tgt = len(pair[1])
and: tgt[row, : len(t)] = t → tgt[row, : len(t)] = t[:n_tgt]
    Your target gets no padding beside a longer one, so nobody can be seen to attend to
    it. Which of the two batches need padding?

beside itself: batch(pair[0], other[0]), batch(pair[1], other[1]) → batch(pair[0], pair[0]), batch(pair[1], pair[1])
and: batch(other[0], pair[0]), batch(other[1], pair[1]) → batch(pair[0], pair[0]), batch(pair[1], pair[1])
or: enumerate((pair, other)) → enumerate((pair, pair))
and: n_src = max(len(pair[0]), len(other[0])) → n_src = len(pair[0])
and: n_tgt = max(len(pair[1]), len(other[1])) → n_tgt = len(pair[1])
or: (logits(pair, other)[0], logits(other, pair)[1]) → (logits(pair, pair)[0], logits(pair, pair)[1])
    Beside a sentence of its own length the pair needs no padding. What does the other one
    bring along?

the likeliest word alone: (first - alone).abs().max(), (last - alone).abs().max() → (first.argmax(-1) != alone.argmax(-1)).float().max(), (last.argmax(-1) != alone.argmax(-1)).float().max()
or: both[: len(pair[1])] - alone for → (both[: len(pair[1])].argmax(-1) != alone.argmax(-1)).float() for
    You look whether another word comes out on top. The task asks by how much a logit
    moves: what must be compared?

the sign kept: (first - alone).abs().max(), (last - alone).abs().max() → (first - alone).max(), (last - alone).max()
or: torch.stack(changes).abs().max() → torch.stack(changes).max()
or: abs(float(a - b)) → float(b - a)
    A logit that falls counts for nothing in yours. What is the size of a change?

changes that cancel: (first - alone).abs().max(), (last - alone).abs().max() → (first - alone).sum().abs(), (last - alone).sum().abs()
or: torch.stack(changes).abs().max() → torch.stack(changes).sum(dim=(1, 2)).abs().max()
    You add up changes of both signs before you take their size, and they cancel. Of which
    change does the task speak?

the mean of the changes: (first - alone).abs().max(), (last - alone).abs().max() → (first - alone).abs().mean(), (last - alone).abs().mean()
or: torch.stack(changes).abs().max() → torch.stack(changes).abs().mean()
or: worst = max(worst, abs(float(a - b))) → worst += abs(float(a - b)) / alone.numel() / 2
    One logit that moves is drowned in the mean by those that stay. Which of them does the
    task ask for?

the first position alone: [0, :t] → [0, :1]
and: [1, :t] → [1, :1]
and: batch(pair[1]))[0] → batch(pair[1]))[0, :1]
or: both[: len(pair[1])] - alone → both[:1] - alone[:1]
or: range(len(pair[1])) → range(1)
    You look at the first target position alone. How many has the pair?

the last position alone: first - alone) → first - alone)[-1:]
and: last - alone) → last - alone)[-1:]
or: both[: len(pair[1])] - alone for → (both[: len(pair[1])] - alone)[-1:] for
or: range(len(pair[1])) → range(len(pair[1]) - 1, len(pair[1]))
    You look at the last target position alone. How many has the pair?

yes or no: return max((first - alone).abs().max(), (last - alone).abs().max()) → return bool(max((first - alone).abs().max(), (last - alone).abs().max()) > 1e-5)
or: return float(torch.stack(changes).abs().max()) → return bool(torch.stack(changes).abs().max() > 1e-4)
or: return worst → return worst > 1e-4
    You say whether something changes. What does the task ask for: a truth value, or how
    large the change is?
"""

VOCAB = 7


def vectors(numbers):
    """A vector for each number, the same in every run."""
    import torch

    rates = torch.arange(1.0, VOCAB + 1, dtype=torch.float64)
    return torch.cos(1.3 * rates * (numbers.double()[..., None] + 0.4 * rates))


def may_attend(keys, causal=False):
    import torch

    may = keys[:, None, :].repeat(1, keys.shape[1], 1)
    return may & torch.ones_like(may[0]).tril() if causal else may


def logits(src, tgt, of_source, of_target):
    """What the words attend to, in float64, so that no rounding shows.

    `of_source` (batch, t_src) and `of_target` (batch, t_tgt, t_tgt) say to what.
    """
    import torch

    shares = of_source[:, None, :].double()
    from_source = shares @ vectors(src) / shares.sum(-1, keepdim=True)
    x = vectors(tgt) + vectors(torch.arange(tgt.shape[1]) + 20)
    weights = of_target.double()
    from_target = weights @ x / weights.sum(-1, keepdim=True).clamp(min=1)
    return (x + from_source + from_target).float()


def right(src, tgt, pad_id):
    return logits(src, tgt, src != pad_id, may_attend(tgt != pad_id, causal=True))


def right_and_causal(src, tgt, pad_id):
    """No mask for the padding of the target: it stands behind the words."""
    return logits(src, tgt, src != pad_id, may_attend(tgt == tgt, causal=True))


def right_then_nan(src, tgt, pad_id):
    return right(src, tgt, pad_id).masked_fill((tgt == pad_id)[..., None], np.nan)


def right_then_large(src, tgt, pad_id):
    return right(src, tgt, pad_id).masked_fill((tgt == pad_id)[..., None], 9.0)


def right_but_for_rounding(src, tgt, pad_id):
    return right(src, tgt, pad_id) + 1e-6 * len(src) * src.shape[1] / 10


def source_padding(src, tgt, pad_id):
    return logits(src, tgt, src == src, may_attend(tgt != pad_id, causal=True))


def target_padding(src, tgt, pad_id):
    return logits(src, tgt, src != pad_id, may_attend(tgt == tgt))


def in_rows(rows, leaky, src, tgt, pad_id):
    """Wrong in these rows of the batch alone."""
    out = right(src, tgt, pad_id)
    if len(src) > 1:
        out[rows] = leaky(src, tgt, pad_id)[rows]
    return out


def neighbours(src, tgt, pad_id):
    """Takes the mean of the batch away: a neighbour shows without any padding."""
    x = vectors(src[:, 0])
    return right(src, tgt, pad_id) + (x - x.mean(0))[:, None, :].float()


def moved(src, tgt, pad_id, by):
    """The right logits, and `by` for each padded position of the source or target.

    It is a little more for some words than for others.
    """
    pads = (src == pad_id).sum(1) + (tgt == pad_id).sum(1)
    more = 1 + (src * (src != pad_id)).sum(1) % 7 / 7
    return right(src, tgt, pad_id) + (pads * more)[:, None, None] * by


def a_little(src, tgt, pad_id):
    return moved(src, tgt, pad_id, 0.001)


def downwards(src, tgt, pad_id):
    return moved(src, tgt, pad_id, -0.2)


def up_and_down(src, tgt, pad_id):
    """What one logit gains another one loses."""
    import torch

    by = torch.tensor([0.3, -0.3, 0.2, -0.2, 0.1, -0.1, 0.0])
    return moved(src, tgt, pad_id, by)


def at_position(which, src, tgt, pad_id):
    """One logit of one word moves."""
    out, both = right(src, tgt, pad_id), moved(src, tgt, pad_id, 0.5)
    for row in range(len(out)):
        at = int((tgt[row] != pad_id).sum()) - 1 if which == "last" else which
        out[row, at, 3] = both[row, at, 3]
    return out


def case(*rules, pair=(3, 4), other=(5, 6), pad_id=0):
    """Several models, their order drawn, and two pairs of these lengths."""

    def inputs(rng):
        order = rng.permutation(len(rules))
        models = tuple(
            Rule(words, partial(rule, pad_id=pad_id))
            for words, rule in (rules[n] for n in order)
        )
        words = [n for n in range(12) if n != pad_id]
        sides = [tuple(rng.choice(words, n) for n in one) for one in (pair, other)]
        return models, *sides, pad_id

    return inputs


def changes(answers, models, pair, other, pad_id):
    """The largest change for each of the models."""
    found = [answers[0](model, pair, other, pad_id) for model in models]
    return [one.item() if hasattr(one, "item") else one for one in found]


RIGHT = ("right", right)
SOURCE = ("attends to the source's padding", source_padding)
TARGET = ("attends to the target's padding", target_padding)

TASK = FunctionTask(
    title="A sentence and its neighbour",
    kind="implement",
    answers=("changes_beside",),
    arguments=("models", "pair", "other", "pad_id"),
    outputs=("changes",),
    arrays="torch",
    rtol=1e-3,
    atol=2e-5,
    right=(PADDED, FILLED, LOOPS),
    mistakes=MISTAKES,
    pairs=False,  # a number for each model
    checks=tuple(
        Check(title, inputs, changes)
        for title, inputs in (
            (
                "beside a longer one: a right model, and two without a padding mask",
                case(RIGHT, SOURCE, TARGET),
            ),
            (
                "models that are right in some rows of the batch",
                case(
                    ("wrong below the first row", partial(in_rows, 1, source_padding)),
                    ("wrong in the first row", partial(in_rows, 0, source_padding)),
                    pair=(4, 3),
                    other=(7, 5),
                ),
            ),
            (
                "right models that give something else at padded positions",
                case(
                    ("right, NaN at padded positions", right_then_nan),
                    ("right, 9 at padded positions", right_then_large),
                    ("right, sees the target's padding there", right_and_causal),
                    TARGET,
                    pad_id=3,
                ),
            ),
            (
                "a small leak, and one that rounds",
                case(
                    ("a leak of 0.001", a_little),
                    ("right, with some rounding", right_but_for_rounding),
                    pair=(2, 5),
                    other=(4, 7),
                ),
            ),
            (
                "logits that fall, and changes that add up to 0",
                case(
                    ("a leak downwards", downwards),
                    ("a leak of both signs", up_and_down),
                    pad_id=11,
                ),
            ),
            (
                "a leak at the first word alone, and one at the last",
                case(
                    ("a leak at the first word", partial(at_position, 0)),
                    ("a leak at the last word", partial(at_position, "last")),
                    pair=(3, 6),
                    other=(5, 4),
                ),
            ),
            (
                "the other one is longer on one side, and shorter on the other",
                case(RIGHT, SOURCE, TARGET, pair=(2, 7), other=(5, 3), pad_id=1),
            ),
            (
                "two of the same length, which need no padding",
                case(
                    ("takes away the batch's mean", neighbours),
                    SOURCE,
                    pair=(4, 5),
                    other=(4, 5),
                ),
            ),
        )
    ),
    hints=(
        "Three calls of the model: the pair alone, with the other one below it, with the "
        "other one above it. Which row, and how many positions of it, do you keep?",
        "Source and target are padded apart, each to the longer of the two. Write down both "
        "batches for a pair of 2 and 3 words beside one of 4 and 2.",
    ),
    section="Room 4: a neighbour changes the sentence",
    why="Loss and scores hardly show this bug. A test is a few "
    "lines, and it has to try both rows, both sides, and every logit of a real word.",
)
