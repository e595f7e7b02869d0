"""11.2 Does padding matter? A test, and encoders that it must tell apart."""

from functools import partial

import numpy as np

from tt_utils.grading.tasks.inputs import Rule
from tt_utils.grading.tasks.spec import Check, FunctionTask

# No random numbers in these: a mistake must look the same each time it is run.
FILLED = """
def ignores_padding(encoder, x, mask):
    before = encoder(x, mask)[mask]
    other = torch.where(mask[..., None], x, 3.0 - x)
    changed = encoder(other, mask)[mask]
    longer = torch.cat([x, 2 * x[:, :3] + 1], dim=1)
    seen = torch.cat([mask, torch.zeros_like(mask[:, :3])], dim=1)
    appended = encoder(longer, seen)[seen]
    close = [(before - new).abs().max() < 1e-4 for new in (changed, appended)]
    return bool(close[0] and close[1])
"""

MAXIMUM = """
def ignores_padding(encoder, x, mask):
    def at_real_tokens(x, mask):
        return encoder(x, mask)[mask]

    x_2 = x.clone()
    x_2[~mask] = 5.0 + torch.arange(x.shape[-1])
    x_3 = F.pad(x, (0, 0, 0, 3), value=1.5)
    mask_3 = F.pad(mask, (0, 3), value=False)
    wanted = at_real_tokens(x, mask)
    for found in (at_real_tokens(x_2, mask), at_real_tokens(x_3, mask_3)):
        if not torch.allclose(wanted, found, atol=1e-4):
            return False
    return True
"""

LOOPS = """
def ignores_padding(encoder, x, mask):
    batch, t, width = x.shape
    count = torch.arange(batch * (t + 3) * width)
    noise = torch.sin(7.0 * count).view(batch, t + 3, width)
    more = torch.cat([mask, torch.zeros(batch, 3, dtype=torch.bool)], 1)
    full = noise.clone()
    for b in range(batch):
        for i in range(t):
            if mask[b, i]:
                full[b, i] = x[b, i]
    short = encoder(x, mask)
    swapped, long = encoder(full[:, :t], mask), encoder(full, more)
    worst = 0.0
    for b in range(batch):
        for i in range(t):
            if mask[b, i]:
                worst = max(worst, float((short[b, i] - swapped[b, i]).abs().max()))
                worst = max(worst, float((short[b, i] - long[b, i]).abs().max()))
    return worst < 1e-4
"""

MISTAKES = """
padded positions compared too: encoder(x, mask)[mask] → encoder(x, mask)
and: encoder(other, mask)[mask] → encoder(other, mask)
and: encoder(longer, seen)[seen] → encoder(longer, seen)[:, :-3]
or: return encoder(x, mask)[mask] → return encoder(x, mask)[:, :5]
or: if mask[b, i]:\\n                worst → if True:\\n                worst
    You turn down an encoder that is right: what comes out at padded positions may
    change. Whose vectors must stay?

padded positions compared alone: encoder(x, mask)[mask] → encoder(x, mask)[~mask]
and: encoder(other, mask)[mask] → encoder(other, mask)[~mask]
and: encoder(longer, seen)[seen] → encoder(longer, seen)[:, :-3][~mask]
or: return encoder(x, mask)[mask] → return encoder(x, mask)[:, :5][~mask[:, :5]]
    You compare the padded positions, which may change. Whose vectors must stay?

a change that is none: torch.where(mask[..., None], x, 3.0 - x) → x * mask[..., None]
or: torch.where(mask[..., None], x, 3.0 - x) → torch.where(mask[..., None], x, 0.0)
or: x_2[~mask] = 5.0 + torch.arange(x.shape[-1]) → x_2[~mask] = 0.0
    One encoder gets away: its padding was zeros already, and you put zeros there. What
    would be a change in every case?

nothing appended: bool(close[0] and close[1]) → bool(close[0])
or: , at_real_tokens(x_3, mask_3)): → ,):
    One encoder gets away: it looks at how many positions there are, not at what stands
    there. What does the task ask you to do besides changing the padding?

nothing replaced: bool(close[0] and close[1]) → bool(close[1])
or: (at_real_tokens(x_2, mask), at_real_tokens(x_3, mask_3)): → (at_real_tokens(x_3, mask_3),):
    You only append padding. What stands in the padded positions that were there before
    may matter as well: where do you change it?

equal to the last digit: (before - new).abs().max() < 1e-4 → (before - new).abs().max() == 0
or: not torch.allclose(wanted, found, atol=1e-4) → not torch.equal(wanted, found)
or: worst < 1e-4 → worst == 0
    You turn down an encoder that only rounds. How large a difference does the task
    forgive?

too forgiving: (before - new).abs().max() < 1e-4 → (before - new).abs().max() < 1
or: (before - new).abs().max() < 1e-4 → (before - new).abs().max() < 0.1
or: atol=1e-4 → atol=0.1
or: atol=1e-4 → atol=1
or: worst < 1e-4 → worst < 0.1
    A small leak gets through. How large a difference does the task forgive, and how
    large a one do you?

first sentence only: encoder(x, mask)[mask] → encoder(x, mask)[0][mask[0]]
and: encoder(other, mask)[mask] → encoder(other, mask)[0][mask[0]]
and: encoder(longer, seen)[seen] → encoder(longer, seen)[0][seen[0]]
or: return encoder(x, mask)[mask] → return encoder(x, mask)[0, mask[0]]
or: for b in range(batch):\\n        for i in range(t):\\n            if mask[b, i]:\\n                worst → for b in range(1):\\n        for i in range(t):\\n            if mask[b, i]:\\n                worst
    You look at the first sentence of the batch alone. In one encoder it is the second
    one that sees its padding: how do you compare all?

first token only: encoder(x, mask)[mask] → encoder(x, mask)[:, 0]
and: encoder(other, mask)[mask] → encoder(other, mask)[:, 0]
and: encoder(longer, seen)[seen] → encoder(longer, seen)[:, 0]
or: return encoder(x, mask)[mask] → return encoder(x, mask)[:, 0]
    You compare the first token of each sentence. Padding stands at the other end: which
    tokens must be compared?

answer upside down: return bool(close[0] and close[1]) → return not (close[0] and close[1])
or: return worst < 1e-4 → return worst > 1e-4
    You say True where padding matters. Read the name of the function once more: what
    should it say there?

right encoders turned down: torch.where(mask[..., None], x, 3.0 - x) → torch.where(mask[..., None], x, torch.nan)
or: torch.where(mask[..., None], x, 3.0 - x) → torch.where(mask[..., None], x, torch.inf)
or: x_2[~mask] = 5.0 + torch.arange(x.shape[-1]) → x_2[~mask] = torch.nan
or: encoder(x, mask)[mask] → encoder(x, torch.ones_like(mask))[mask]
and: encoder(other, mask)[mask] → encoder(other, torch.ones_like(mask))[mask]
and: encoder(longer, seen)[seen] → encoder(longer, torch.ones_like(seen))[seen]
or: return encoder(x, mask)[mask] → return encoder(x, torch.ones_like(mask))[mask]
    Even right encoders seem to see your padding. Do you hand them the mask in every
    call? And are they numbers that you put there? 0 times NaN or infinity is NaN.

appended as real tokens: torch.zeros_like(mask[:, :3]) → torch.ones_like(mask[:, :3])
and: encoder(longer, seen)[seen] → encoder(longer, seen)[:, :-3][mask]
or: torch.zeros(batch, 3, dtype=torch.bool) → torch.ones(batch, 3, dtype=torch.bool)
    You append three tokens as real ones, and those may be seen. What does the longer
    mask say of padding?

padding put in front: torch.cat([x, 2 * x[:, :3] + 1], dim=1) → torch.cat([2 * x[:, :3] + 1, x], dim=1)
and: torch.cat([mask, torch.zeros_like(mask[:, :3])], dim=1) → torch.cat([torch.zeros_like(mask[:, :3]), mask], dim=1)
or: F.pad(x, (0, 0, 0, 3), value=1.5) → F.pad(x, (0, 0, 3, 0), value=1.5)
and: F.pad(mask, (0, 3), value=False) → F.pad(mask, (3, 0), value=False)
    You turn down a right encoder: the real tokens have moved. At which end of a sentence
    does the task let padding stand?

short mask for the longer batch: encoder(longer, seen)[seen] → encoder(longer, seen)[mask]
or: encoder(longer, seen)[seen] → encoder(longer, mask)[mask]
or: appended = encoder(longer, seen)[seen] → if not (before - changed).abs().max() < 1e-4: return False\\n    appended = encoder(longer, seen)[mask]
    With three positions more your mask no longer fits. What must the mask of the longer
    batch say of them?

real tokens changed: torch.where(mask[..., None], x, 3.0 - x) → torch.where(mask[..., None], 3.0 - x, x)
or: x_2[~mask] → x_2[mask]
or: torch.where(mask[..., None], x, 3.0 - x) → 3.0 - x
or: if mask[b, i]:\\n                full → if not mask[b, i]:\\n                full
    You change the real tokens, and then their vectors must change. Which positions does
    ~mask name?

multiplied instead of chosen: encoder(x, mask)[mask] → encoder(x, mask) * mask[..., None]
and: encoder(other, mask)[mask] → encoder(other, mask) * mask[..., None]
and: encoder(longer, seen)[seen] → (encoder(longer, seen) * seen[..., None])[:, :-3]
    An encoder may give NaN at padded positions, and NaN · 0 is NaN. How do you leave
    those positions out instead of multiplying?

sign kept: (before - new).abs().max() < 1e-4 → (before - new).max() < 1e-4
or: (before - new).abs().max() < 1e-4 → (new - before).max() < 1e-4
or: short[b, i] - swapped[b, i]).abs() → short[b, i] - swapped[b, i])
and: short[b, i] - long[b, i]).abs() → short[b, i] - long[b, i])
    A difference may be negative, and then it is small for you however large it is. What
    must come before the comparison?

differences that cancel: (before - new).abs().max() → (before - new).sum().abs()
or: (before - new).abs().max() → (before.sum() - new.sum()).abs()
    You add up differences before you look at their size, and some are positive, some
    negative. What must come first?

always yes: return bool(close[0] and close[1]) → return True
    You call every encoder right. Which outputs do you compare?

always no: return bool(close[0] and close[1]) → return False
    You call every encoder wrong. Which outputs do you compare?

one of the two is enough: close[0] and close[1] → close[0] or close[1]
    You are content if either of the two changes does nothing. How many of them must do
    nothing?
"""


def attend(x, may, lowest=-1e30):
    scores = (x @ x.mT / 2).masked_fill(~may, lowest)
    return scores.softmax(-1) @ x


def layers(first, second, lowest=-1e30):
    """Two layers of attention, each with a mask made of the padding mask.

    They sum in float64 and answer in float32, so that the order in which a processor
    adds up 5 or 8 numbers never shows.
    """

    def encoder(x, mask):
        y = x.double()
        y = y + attend(y, first(mask), lowest)
        y = (y + attend(y.tanh(), second(mask), lowest)).tanh()
        return y.float().to(x.dtype)

    return encoder


def keys(mask):
    return mask[:, None, :]


def queries(mask):
    return mask[:, :, None]


def nothing(mask):
    return mask[:, None, :] | True


RIGHT = layers(keys, keys)
BLIND = layers(nothing, nothing)


def zeros_at_padding(x, mask, encoder=RIGHT):
    return encoder(x, mask) * mask[..., None]


def nan_at_padding(x, mask, encoder=RIGHT):
    return encoder(x, mask).masked_fill(~mask[..., None], float("nan"))


def rounds(x, mask, encoder=RIGHT):
    factor = 1 + x.abs().sum()
    return encoder(x, mask) * factor / factor


def counts_positions(x, mask):
    return RIGHT(x, mask) - 1 / x.shape[1]


def looks_ahead(x, mask, sign=1):
    """Each position sees how large the next one is, whatever the mask says of it."""
    after = x.roll(-1, 1).abs()
    after[:, -1] = 0
    return RIGHT(x, mask) + 0.5 * sign * after


def looks_ahead_below(x, mask):
    return looks_ahead(x, mask, -1)


def second_sees_all(x, mask):
    may = mask.clone()
    may[1:] = True
    return RIGHT(x, may)


def balanced(x, mask):
    """A leak that adds as much as it takes."""
    leak = (x * ~mask[..., None]).sum(1, keepdim=True).mean(-1, keepdim=True)
    sign = 1.0 - 2.0 * (x[..., :4] * 0 + x.new_tensor([0, 1, 0, 1]))
    return RIGHT(x, mask) + leak * sign


def first_five_seen(x, mask):
    """Its mask begins at position 5, however long the sentence is."""
    may = mask.clone()
    may[:, :5] = True
    return RIGHT(x, may)


def five_at_most(x, mask):
    may = mask.clone()
    may[:, 5:] = False
    return RIGHT(x, may)


def verdicts(answers, encoder, x, mask):
    """The verdict on an encoder, or on each of several."""
    if not isinstance(encoder, tuple):
        return answers[0](encoder, x, mask)
    asked = enumerate(zip(encoder, x, mask, strict=True), 1)
    return {f"encoder {number}": answers[0](*one) for number, one in asked}


SEVERAL = 6


def check(title, words, rule, twin, real=(2, 4), length=5, padding=1.0):
    """An encoder, vectors of width 4, and the sentences' real lengths.

    Of `rule` and `twin` one is right and one is broken, in the way that the check is
    about. With fresh numbers several are asked about, some of either kind in any order,
    so that the verdicts are not the same each time.
    """

    def one(rng, rule, words="an encoder"):
        x = rng.normal(size=(len(real), length, 4))
        mask = np.arange(length) < np.array(real)[:, None]
        x[~mask] *= padding
        return Rule(words, rule), x, mask

    def several(rng):
        of_the_title = rng.permutation(SEVERAL) < rng.integers(1, SEVERAL)
        rules = [rule if here else twin for here in of_the_title]
        return tuple(zip(*(one(rng, rule) for rule in rules), strict=True))

    return Check(title, lambda rng: one(rng, rule, words), verdicts, fresh=several)


TASK = FunctionTask(
    title="A test for padding",
    kind="explain",
    answers=("ignores_padding",),
    arguments=("encoder", "x", "mask"),
    outputs=("ignores",),
    arrays="torch",
    right=(FILLED, MAXIMUM, LOOPS),
    mistakes=MISTAKES,
    pairs=False,  # one truth value a check
    checks=(
        check(
            "a right encoder, which gives zeros at padded positions",
            "right, zeros at padded positions",
            zeros_at_padding,
            partial(zeros_at_padding, encoder=BLIND),
        ),
        check("no mask at all", "no mask", BLIND, RIGHT),
        check("a right encoder", "right", RIGHT, BLIND),
        check(
            "the mask in the first layer only",
            "mask in layer 1 only",
            layers(keys, nothing),
            RIGHT,
        ),
        check(
            "a mask that hides queries instead of keys",
            "mask on the queries",
            layers(queries, queries),
            RIGHT,
        ),
        check(
            "a mask that is too weak",
            "masked scores are −5",
            layers(keys, keys, lowest=-5.0),
            RIGHT,
        ),
        check(
            "a right encoder that rounds",
            "right, with some rounding",
            rounds,
            partial(rounds, encoder=BLIND),
        ),
        check(
            "padding that was zeros before",
            "sees the next position",
            looks_ahead,
            RIGHT,
            padding=0.0,
        ),
        check(
            "an encoder that counts positions",
            "takes away 1 over the number of positions",
            counts_positions,
            RIGHT,
        ),
        check(
            "an encoder whose tokens see the next one",
            "sees the next position",
            looks_ahead_below,
            RIGHT,
            padding=0.01,
        ),
        check(
            "a mask that is right for the first sentence only",
            "the second sentence sees all",
            second_sees_all,
            RIGHT,
        ),
        check(
            "a leak that adds as much as it takes",
            "a leak of both signs",
            balanced,
            RIGHT,
        ),
        check(
            "a right encoder with NaN at padded positions",
            "right, NaN at padded positions",
            nan_at_padding,
            partial(nan_at_padding, encoder=BLIND),
        ),
        check(
            "a batch without padding, and no mask",
            "no mask",
            BLIND,
            RIGHT,
            real=(5, 5),
        ),
        check(
            "a mask that begins at a fixed position",
            "positions 0 to 4 are never masked",
            first_five_seen,
            RIGHT,
        ),
        check(
            "a right encoder that reads five tokens at most",
            "right, and masks all from position 5 on",
            five_at_most,
            first_five_seen,
        ),
        check(
            "layers without attention, which no padding can reach",
            "right, each position by itself",
            lambda x, mask: x.tanh() + x,
            BLIND,
        ),
        check(
            "an encoder that gives ones, whatever it reads",
            "ones everywhere",
            lambda x, mask: 0 * x + 1,
            BLIND,
        ),
    ),
    hints=(
        "Three calls of the encoder: as it is, with something else in the padded "
        "positions, with more of them. Of each result, which rows do you keep?",
        "For each kind of encoder in the failing checks, say which change of the input "
        "would show what is wrong with it. Does your test make that change?",
    ),
    section="Padding must not matter",
    why="A test is worth what it turns down: yours lets right encoders pass and catches a "
    "mask that is missing, late, weak, turned, or right for one sentence alone.",
)
