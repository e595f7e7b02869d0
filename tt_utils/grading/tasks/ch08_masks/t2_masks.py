"""08.2 The mask of a decoder: no pads, no future, the last words as queries."""

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def decoder_mask(tokens, pad_id, t_q):
    t_k = tokens.shape[1]
    real = (tokens != pad_id)[:, None, None, :]
    past = torch.ones(t_q, t_k, dtype=torch.bool).tril(t_k - t_q)
    return real & past
"""

LAST_ROWS = """
def decoder_mask(tokens, pad_id, t_q):
    t_k = tokens.shape[-1]
    past = torch.ones(t_k, t_k, dtype=torch.bool).tril()[t_k - t_q :]
    future = ~past
    hidden = future | (tokens == pad_id).unsqueeze(1).unsqueeze(1)
    return ~hidden
"""

PLACES = """
def decoder_mask(tokens, pad_id, t_q):
    keys = torch.arange(tokens.size(1))
    queries = keys[-t_q:]
    real = tokens.ne(pad_id).view(len(tokens), 1, 1, -1)
    return torch.logical_and(real, queries[:, None] >= keys[None, :])
"""

LOOPS = """
def decoder_mask(tokens, pad_id, t_q):
    batch, t_k = tokens.shape
    mask = torch.zeros(batch, 1, t_q, t_k, dtype=torch.bool)
    for b in range(batch):
        for i in range(t_q):
            place = t_k - t_q + i
            for j in range(place + 1):
                mask[b, 0, i, j] = tokens[b, j] != pad_id
    return mask
"""

MISTAKES = """
future open: past = torch.ones(t_q, t_k, dtype=torch.bool).tril(t_k - t_q) → past = torch.ones(t_q, t_k, dtype=torch.bool)
or: future = ~past → future = past & ~past
or: for j in range(place + 1) → for j in range(t_k)
    You hide the pads and nothing else. Which keys stand after the query?

pads open: real & past → real & past | past
or: hidden = future | (tokens == pad_id).unsqueeze(1).unsqueeze(1) → hidden = (future | (tokens == pad_id).unsqueeze(1).unsqueeze(1)) & future
or: tokens[b, j] != pad_id → True
    You hide the future and nothing else. Which keys belong to no word?

past hidden: tril(t_k - t_q) → triu(t_k - t_q)
or: queries[:, None] >= keys → queries[:, None] <= keys
or: for j in range(place + 1) → for j in range(place, t_k)
    Your words attend to what comes after them. On which side of the diagonal lies the
    past, if rows are queries and columns keys?

own word hidden: tril(t_k - t_q) → tril(t_k - t_q - 1)
or: queries[:, None] >= keys → queries[:, None] > keys
or: range(place + 1) → range(place)
    Your words may not attend to themselves. What must stay hidden is the next word: is
    a word its own next one?

one word too many: tril(t_k - t_q) → tril(t_k - t_q + 1)
or: range(place + 1) → range(min(place + 2, t_k))
    Each of your words may attend to its next one, which is the word that it should
    guess. Where does the triangle end?

upper left corner: .tril(t_k - t_q) → .tril()
or: .tril()[t_k - t_q :] → .tril()[:t_q]
or: keys[-t_q:] → keys[:t_q]
or: place = t_k - t_q + i → place = i
    Your triangle starts in the upper left corner, as if the first words were the
    queries. Which ones are they here?

as many keys as queries: torch.ones(t_q, t_k, dtype=torch.bool).tril(t_k - t_q) → torch.ones(t_q, t_q, dtype=torch.bool).tril()
or: torch.ones(t_q, t_k, dtype=torch.bool).tril(t_k - t_q) → torch.ones(t_q, t_q, dtype=torch.bool).tril()
and: [:, None, None, :] → [:, None, None, -t_q:]
    Your triangle is as wide as it is high. The words before the queries have keys, too,
    in the cache: how many columns does the mask need?

a triangle of numbers: torch.ones(t_q, t_k, dtype=torch.bool) → torch.ones(t_q, t_k)
or: torch.ones(t_k, t_k, dtype=torch.bool) → torch.ones(t_k, t_k)
    `&` joins truth values, and your triangle holds the numbers 0 and 1. What makes truth
    values of them?

counted from the wrong end: tril(t_k - t_q) → tril(t_q - t_k)
    You shifted the triangle down. Write down the row of a single newest query: to what
    may it attend, and in which direction does your number shift the diagonal?

one mask is enough: real & past → real | past
or: hidden = future | → hidden = future &
or: torch.logical_and → torch.logical_or
    In yours a pair passes if one of the two masks allows it. How many must?

words hidden, pads shown: tokens != pad_id → tokens == pad_id
or: (tokens == pad_id) → (tokens != pad_id)
    You hide the words and show the pads. What does True say in a mask of this book?

True for what is forbidden: return real & past → return ~(real & past)
or: return ~hidden → return hidden
    Each of your truth values is the opposite of the right one. In this book, what does
    True in a mask say?

pad_id not used: tokens != pad_id → tokens != 0
or: tokens[b, j] != pad_id → tokens[b, j] > 0
    Your padding mask looks for the token 0. Is that the pad of every vocabulary?

pad_id taken for the smallest: tokens != pad_id → tokens > pad_id
or: tokens.ne(pad_id) → tokens.gt(pad_id)
    Words with smaller numbers than the pad's are hidden as well. How is a pad told from
    every other token?

pads after the first word alone: (tokens != pad_id) → (tokens != pad_id).cummax(1).values
or: tokens[b, j] != pad_id → bool((tokens[b, : j + 1] != pad_id).any())
    You hide the pads on the left and leave those on the right. Where may pads stand?

rows of pads closed: real & past → real & past & (tokens != pad_id)[:, None, -t_q:, None]
or: mask[b, 0, i, j] = tokens[b, j] != pad_id → mask[b, 0, i, j] = tokens[b, j] != pad_id and tokens[b, place] != pad_id
    You forbid the pads to attend to anything. Padding forbids columns: what does a row
    stand for?

mask lies along the queries: [:, None, None, :] → [:, None, -t_q:, None]
or: tokens[b, j] != pad_id → tokens[b, place] != pad_id
    Your pads may attend to nothing, and every query may attend to them. Which axis of
    the mask belongs to the keys?

rows that see nothing opened: return real & past → return real & past | torch.eye(t_k, dtype=torch.bool)[-t_q:]
or: return mask → return mask | torch.eye(t_k, dtype=torch.bool)[-t_q:]
    You let every position attend to itself, a pad too. A row may stay empty: attention
    takes care of it. Which query may attend to a pad?

empty rows opened: return real & past → mask = real & past\\n    return mask | ~mask.any(dim=-1, keepdim=True)
    Where nothing is allowed you allow everything, pads and future. Who takes care of a
    row that may see nothing: the mask or the attention?

no axis for the heads: [:, None, None, :] → [:, None, :]
or: return mask → return mask[:, 0]
    Your mask has no axis for the heads. With which axis of the scores would your
    sentences be lined up?

axis for the heads in front: [:, None, None, :] → [None, :, None, :]
or: return mask → return mask.transpose(0, 1)
    Your sentences stand on the axis of the heads. Which axis of the scores comes first?

sentences taken for queries: [:, None, None, :] →
    A table (batch, t) is lined up from the right, and its sentences are taken for
    queries. Which axes does it lack?

one sentence for all: (tokens != pad_id)[:, None, None, :] → (tokens[:1] != pad_id)[:, None, None, :].expand(len(tokens), 1, 1, -1)
or: tokens[b, j] != pad_id → tokens[0, j] != pad_id
    All your sentences have the pads of the first one. Which row of tokens tells the pads
    of the second?

every word a query: .tril()[t_k - t_q :] → .tril()
or: torch.ones(t_q, t_k, dtype=torch.bool).tril(t_k - t_q) → torch.ones(t_k, t_k, dtype=torch.bool).tril()
    You made a row for every word. How many words are queries, and which ones?

rows and columns swapped: return real & past → return (real & past).mT
or: return mask → return mask.transpose(2, 3)
    Your table is lying on its side. Rows are queries: how many of them are there?

numbers instead of truth values: return real & past → return (real & past).int()
or: return mask → return mask.float()
    You return the numbers 0 and 1. As numbers they would be added to the scores, and
    hide nothing. What is asked for?

scores instead of truth values: return real & past → return torch.zeros(len(tokens), 1, t_q, t_k).masked_fill(~(real & past), -math.inf)
or: return ~hidden → return torch.where(hidden, -torch.inf, 0.0)
    You return what is added to the scores. What is asked for comes one step before: may
    this key get weight, yes or no?
"""


def batch(*lengths, t, t_q, pad=0, left=False, low=1, high=30):
    """Sentences of these lengths; words are any numbers but the pad's."""

    def inputs(rng):
        words = [n for n in range(low, high) if n != pad]
        tokens = rng.choice(words, size=(len(lengths), t))
        places = np.arange(t)[::-1] if left else np.arange(t)
        tokens[places >= np.array(lengths)[:, None]] = pad
        return tokens, pad, t_q

    return inputs


def anew(title, inputs, drawn):
    """A check of this batch; with every other seed of one that `drawn` gives.

    `drawn` gets a random generator and the number of tokens, from 6 to 10 whatever the
    check asks, and returns lengths and sizes.
    """

    def fresh(rng):
        t = int(rng.integers(6, 11))
        lengths, sizes = drawn(rng, t)
        return batch(*lengths, t=t, **sizes)(rng)

    return Check(title, inputs, fresh=fresh)


def some(rng, t, low=1, count=None):
    """Lengths of sentences, from `low` to t; the longest fills the batch."""
    count = int(rng.integers(2, 5)) if count is None else count
    lengths = rng.integers(low, t, count)
    lengths[rng.integers(count)] = t
    return lengths


EMPTY = ((0, 1, 4, 10), (2, 3, 9))


def scattered(rng, t=11, places=EMPTY, pad=3):
    """Pads at these positions of two sentences: on both sides, and between words."""
    tokens = rng.choice([n for n in range(pad + 5) if n != pad], size=(2, t))
    for row, empty in enumerate(places):
        tokens[row, list(empty)] = pad
    return tokens, pad, 5


def scattered_anew(rng):
    t, pad = int(rng.integers(9, 13)), int(rng.integers(2, 7))
    inner = [1 + rng.permutation(t - 3)[:count] for count in (2, 3)]
    return scattered(rng, t, ((0, *inner[0], t - 1), inner[1]), pad)


TASK = FunctionTask(
    title="Which keys a query may attend to",
    kind="implement",
    answers=("decoder_mask",),
    arguments=("tokens", "pad_id", "t_q"),
    outputs=("mask",),
    arrays="torch",
    right=(PLAIN, LAST_ROWS, PLACES, LOOPS),
    mistakes=MISTAKES,
    checks=(
        anew(
            "one sentence of words, all of them queries",
            batch(3, t=3, t_q=3),
            lambda rng, t: ([t], {"t_q": t}),
        ),
        anew(
            "words, and some pads behind them",
            batch(3, t=5, t_q=5),
            lambda rng, t: ([t - rng.integers(1, 4)], {"t_q": t}),
        ),
        anew(
            "sentences of different length",
            batch(7, 4, 2, t=7, t_q=7),
            lambda rng, t: (some(rng, t), {"t_q": t}),
        ),
        anew(
            "as many sentences as words",
            batch(5, 3, 4, 2, 1, t=5, t_q=5),
            lambda rng, t: (some(rng, t, count=t), {"t_q": t}),
        ),
        anew(
            "another pad, and a word with the number 0",
            batch(4, 2, t=5, t_q=5, pad=7, low=0, high=13),
            lambda rng, t: (
                some(rng, t),
                {"t_q": t, "pad": int(rng.integers(4, 9)), "low": 0, "high": 13},
            ),
        ),
        anew(
            "pads on the left",
            batch(3, 5, t=5, t_q=5, left=True),
            lambda rng, t: (some(rng, t), {"t_q": t, "left": True}),
        ),
        anew(
            "the newest word is the only query",
            batch(7, 5, 6, t=7, t_q=1),
            lambda rng, t: (some(rng, t, low=3), {"t_q": 1}),
        ),
        anew(
            "the last few are queries",
            batch(7, 6, t=7, t_q=5),
            lambda rng, t: (some(rng, t, low=2), {"t_q": int(rng.integers(3, t))}),
        ),
        anew(
            "the last two are queries, and all are pads",
            batch(3, 2, t=5, t_q=2),
            lambda rng, t: (rng.integers(1, t - 1, 2), {"t_q": 2}),
        ),
        Check("pads on both sides and in between", scattered, fresh=scattered_anew),
    ),
    hints=(
        "Two tables, joined by `&`: one says which keys are words, the other which keys "
        "stand not after the query. Which axes has each, and which of length 1?",
        "Number the positions of all words, then those of the queries: the first of "
        "t_q queries stands at t_k − t_q. Up to which position may it attend?",
    ),
    section="Rows are queries, columns are keys",
    why="Padding forbids columns, the triangle forbids what lies to the right of the "
    "query, and a pair must be allowed by both.",
)
