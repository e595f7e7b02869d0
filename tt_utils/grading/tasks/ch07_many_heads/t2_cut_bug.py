"""07.2 Two planted bugs that undo each other: a cut of the sentence, and its join."""

import numpy as np

from tt_utils.grading.observing import probes
from tt_utils.grading.tasks.inputs import normal
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def split(x, n_heads):
    *front, t, d_model = x.shape
    slices = x.reshape(*front, t, n_heads, d_model // n_heads)
    return slices.swapaxes(-3, -2)

def join(x):
    *front, n_heads, t, d_head = x.shape
    words = x.swapaxes(-3, -2)
    return words.reshape(*front, t, n_heads * d_head)
"""

STACKED = """
def split(x, n_heads):
    return np.stack(np.split(x, n_heads, axis=-1), axis=-3)

def join(x):
    return np.concatenate(list(np.moveaxis(x, -3, 0)), axis=-1)
"""

SLICES = """
def split(x, n_heads):
    width = x.shape[-1] // n_heads
    order = range(n_heads)
    heads = [x[..., i * width : (i + 1) * width] for i in order]
    return np.stack(heads, axis=-3)

def join(x):
    order = range(x.shape[-3])
    return np.concatenate([x[..., i, :, :] for i in order], axis=-1)
"""

LOOPS = """
def split(x, n_heads):
    *front, t, d_model = x.shape
    d_head = d_model // n_heads
    out = np.empty((*front, n_heads, t, d_head))
    for n in range(d_model):
        head, place = divmod(n, d_head)
        out[..., head, :, place] = x[..., n]
    return out

def join(x):
    *front, n_heads, t, d_head = x.shape
    out = np.empty((*front, t, n_heads * d_head))
    for n in range(n_heads * d_head):
        head, place = divmod(n, d_head)
        out[..., n] = x[..., head, :, place]
    return out
"""

BARE_SPLIT = """slices = x.reshape(*front, t, n_heads, d_model // n_heads)\\n    return slices.swapaxes(-3, -2) → return x.reshape(*front, n_heads, t, d_model // n_heads)"""
BARE_JOIN = "words = x.swapaxes(-3, -2) → words = x"

MISTAKES = f"""
as planted: {BARE_SPLIT}
and: {BARE_JOIN}
    Both only count the numbers in reading order, so each takes back what the other did.
    Write down the words 11 12 13 14 and 21 22 23 24: what does your first of two heads
    hold?

the sentence still cut: {BARE_SPLIT}
or: np.split(x, n_heads, axis=-1), axis=-3) → np.split(x.reshape(*x.shape[:-2], -1, x.shape[-1] // n_heads), n_heads, axis=-2), axis=-3)
    Your join is right. Your split still gives a head all the numbers of some words: at
    what does it cut, the words or the sentence?

joined in reading order: {BARE_JOIN}
or: return np.concatenate(list(np.moveaxis(x, -3, 0)), axis=-1) → return x.reshape(*x.shape[:-3], x.shape[-2], -1)
    Your split is right. When you join, a row is filled with what comes next in reading
    order, and that is the same head's next word. What must stand side by side?

every other number: (*front, t, n_heads, d_model // n_heads)\\n    return slices.swapaxes(-3, -2) → (*front, t, d_model // n_heads, n_heads)\\n    return np.moveaxis(slices, -1, -3)
or: np.split(x, n_heads, axis=-1) → [x[..., i::n_heads] for i in range(n_heads)]
or: x[..., i * width : (i + 1) * width] → x[..., i::n_heads]
    Your heads deal out the numbers one by one, like cards. The join puts slices side by
    side: which numbers of a word are neighbours in one slice?

every other number, there and back: (*front, t, n_heads, d_model // n_heads)\\n    return slices.swapaxes(-3, -2) → (*front, t, d_model // n_heads, n_heads)\\n    return np.moveaxis(slices, -1, -3)
and: words = x.swapaxes(-3, -2) → words = np.moveaxis(x, -3, -1)
or: head, place = divmod(n, d_head) → place, head = divmod(n, n_heads)
    You deal out the numbers of a word one by one, and collect them so again. In the
    book, a head gets a slice of neighbours: which two sizes stand in the other order?

numbers and heads exchanged: d_model // n_heads)\\n    return slices → d_model // n_heads).swapaxes(-2, -1)\\n    return slices
    Your head axis counts the numbers within a slice. Which of the two new axes is as
    long as there are heads, after the reshape?

axes never swapped in the cut: return slices.swapaxes(-3, -2) → return slices
or: axis=-1), axis=-3) → axis=-1), axis=-2)
or: return np.stack(heads, axis=-3) → return np.stack(heads, axis=-2)
    Your words are cut rightly, but each word holds its heads. In which order should the
    axes of words and heads stand?

last two axes swapped: slices.swapaxes(-3, -2) → slices.swapaxes(-2, -1)
    You exchanged the last two axes, so each word still holds its heads. Which axis has
    to move in front of the words?

width axis moved to the front: slices.swapaxes(-3, -2) → slices.swapaxes(-3, -1)
    You exchanged the words and the numbers within a slice. Which two axes must change
    places?

axes counted from the front in the cut: slices.swapaxes(-3, -2) → slices.swapaxes(0, 1)
    Right for one sentence. With a batch in front, axis 0 counts the sentences. From
    which end do words and heads always have the same index?

axes counted from the front in the join: words = x.swapaxes(-3, -2) → words = x.swapaxes(0, 1)
    Your join is right for one sentence. With a batch in front, axis 0 counts the
    sentences. From which end do words and heads always have the same index?

axes counted from the front in both: slices.swapaxes(-3, -2) → slices.swapaxes(0, 1)
and: words = x.swapaxes(-3, -2) → words = x.swapaxes(0, 1)
    Both are right for one sentence. With a batch in front, axis 0 counts the sentences.
    From which end do words and heads always have the same index?

axes counted for a batch: slices.swapaxes(-3, -2) → slices.swapaxes(1, 2)
and: words = x.swapaxes(-3, -2) → words = x.swapaxes(1, 2)
or: slices.swapaxes(-3, -2) → slices.swapaxes(1, 2)
    Axes 1 and 2 are words and heads where exactly one axis stands in front. What are
    they called for one sentence alone, or for two axes in front?

axes counted for a batch in the join: words = x.swapaxes(-3, -2) → words = x.swapaxes(1, 2)
    Your split is right. In your join, axes 1 and 2 are heads and words where exactly one
    axis stands in front. What are they called for one sentence alone?

heads before the batch: slices.swapaxes(-3, -2) → np.moveaxis(slices, -2, 0)
or: axis=-1), axis=-3) → axis=-1), axis=0)
or: return np.stack(heads, axis=-3) → return np.stack(heads, axis=0)
    Your heads stand in front of everything, the batch included. Where do they belong
    when a batch is there?

heads in reverse: order = range(n_heads) → order = range(n_heads)[::-1]
or: slices.swapaxes(-3, -2) → slices.swapaxes(-3, -2)[..., ::-1, :, :]
    Your first head holds the last slice. Which numbers of a word belong to head 1?

heads joined in reverse: order = range(x.shape[-3]) → order = range(x.shape[-3])[::-1]
    You put the last head first. In which order do the slices stand in a word?

words inside a head joined wrongly: words = x.swapaxes(-3, -2) → words = x.swapaxes(-2, -1)
or: words = x.swapaxes(-3, -2) → words = x.swapaxes(-3, -1)
    You swap the wrong two axes before you join. After the swap, which two must stand
    last, so that they can become one?

heads added up: return np.concatenate(list(np.moveaxis(x, -3, 0)), axis=-1) → return x.sum(axis=-3)
or: return words.reshape(*front, t, n_heads * d_head) → return words.sum(axis=-2)
    You added the heads up. Join means side by side: how wide is a word then?

heads averaged: return np.concatenate(list(np.moveaxis(x, -3, 0)), axis=-1) → return x.mean(axis=-3)
or: return words.reshape(*front, t, n_heads * d_head) → return words.mean(axis=-2)
    You averaged the heads. Join means side by side: how wide is a word then?

heads below one another: np.concatenate(list(np.moveaxis(x, -3, 0)), axis=-1) → np.concatenate(list(np.moveaxis(x, -3, 0)), axis=-2)
or: for i in order], axis=-1) → for i in order], axis=-2)
    Your heads stand below one another, as if there were more words. Along which axis do
    the slices of one word lie?

what stands in front is lost: (*front, t, n_heads * d_head) → (t, n_heads * d_head)
or: (*front, t, n_heads * d_head) → (-1, t, n_heads * d_head)
    Your join keeps or makes a number of axes in front that fits some inputs alone. How
    many may there be?

batch folded into the heads: return slices.swapaxes(-3, -2) → return slices.swapaxes(-3, -2).reshape(-1, t, d_model // n_heads)
    Your batch and your heads share one axis. The task keeps them apart: which axes stand
    in front of the heads?

always two heads: n_heads, d_model // n_heads) → 2, d_model // 2)
or: np.split(x, n_heads, axis=-1) → np.split(x, 2, axis=-1)
    You make two heads, whatever is asked. Which argument says how many there are?

joined along the first axis: list(np.moveaxis(x, -3, 0)) → list(x)
    Your join goes through the first axis, and with a batch in front that counts the
    sentences. Which axis counts the heads?

collected one by one: words = x.swapaxes(-3, -2) → words = np.moveaxis(x, -3, -1)
    Your join takes one number of each head in turn, like cards. Which numbers of a word
    are neighbours in one slice?

words and numbers exchanged before the cut: slices = x.reshape(*front, t, n_heads, d_model // n_heads)\\n    return slices.swapaxes(-3, -2) → return x.swapaxes(-1, -2).reshape(*front, n_heads, t, d_model // n_heads)
    Your heads hold the right numbers, filed under the wrong words. After your swap the
    words stand last: what does the reshape take them for?
"""


def coded(t, d_model):
    """As in the chapter: 32 is word 3, number 2."""
    return 10.0 * np.arange(1, t + 1)[:, None] + np.arange(1, d_model + 1)


def words(t, d_model, n_heads, *front):
    """Words of the model's width, and into how many heads to cut them."""
    return lambda rng: (*normal((*front, t, d_model))(rng), n_heads)


def heads(n_heads, t, d_head, *front):
    return normal((*front, n_heads, t, d_head))


def cut(title, inputs, fresh=None):
    return Check(title, inputs, outputs=("heads",), fresh=fresh)


def joined(title, inputs, earns=True, fresh=None):
    return Check(title, inputs, probes.second, ("x",), ("words",), earns, fresh)


TASK = FunctionTask(
    title="A cut that the round trip can't see",
    kind="find the bug",
    answers=("split", "join"),
    arguments=("x", "n_heads"),
    outputs=("heads",),
    right=(PLAIN, STACKED, SLICES, LOOPS),
    mistakes=MISTAKES,
    checks=(
        Check(
            "split, then join, of two words of four numbers",
            lambda rng: (coded(2, 4), 2),
            probes.round_trip,
            outputs=("x",),
            earns=False,
            fresh=words(2, 4, 2),
        ),
        cut(
            "split, two words of four numbers",
            lambda rng: (coded(2, 4), 2),
            fresh=words(2, 4, 2),
        ),
        joined(
            "join, two heads of two words",
            lambda rng: (np.stack([coded(2, 4)[:, :2], coded(2, 4)[:, 2:]]),),
            fresh=heads(2, 2, 2),
        ),
        cut("split into three heads", words(5, 6, 3)),
        joined("join three heads", heads(3, 5, 2)),
        cut("split, with as many words as heads", words(3, 12, 3)),
        cut("split a batch", words(5, 6, 3, 2)),
        joined("join a batch", heads(2, 3, 5, 7)),
        cut("split, with two axes in front", words(3, 10, 2, 5, 7)),
        joined("join, with two axes in front", heads(5, 2, 3, 2, 7)),
        joined("join heads of a single word", heads(3, 1, 2), earns=False),
    ),
    hints=(
        "Number the numbers as the chapter does: 32 is word 3, number 2. Print what the "
        "first head holds. Does it hold a part of every word?",
        "First name the new axis inside each word, then let words and heads change "
        "places. To join, take the same two steps backwards.",
    ),
    section="Cut without a loop",
    why="A bare `reshape` cuts the sentence, and a second one mends what the first has "
    "done: the round trip gives `x`, and only a look into one head shows the bug.",
)
