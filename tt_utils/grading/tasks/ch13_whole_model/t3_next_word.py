"""13.3 A planted bug: the next word is read off the padding."""

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def next_words(hidden, table, lengths):
    last = hidden[torch.arange(len(hidden)), lengths - 1]
    logits = last @ table.T
    probabilities = logits.softmax(dim=-1)
    best = probabilities.max(dim=-1)
    return best.indices, best.values
"""

ALL_LOGITS = """
def next_words(hidden, table, lengths):
    logits = torch.einsum("btd,vd->btv", hidden, table)
    rows = torch.stack([one[n - 1] for one, n in zip(logits, lengths)])
    probabilities = torch.softmax(rows, -1)
    words = rows.argmax(-1)
    return words, probabilities.gather(1, words[:, None])[:, 0]
"""

LOOP = """
def next_words(hidden, table, lengths):
    words, shares = [], []
    for rows, n in zip(hidden, lengths.tolist()):
        powers = (table @ rows[n - 1]).softmax(0)
        words.append(int(powers.argmax()))
        shares.append(float(powers.max()))
    return torch.tensor(words), torch.tensor(shares)
"""

MISTAKES = """
as planted: hidden[torch.arange(len(hidden)), lengths - 1] → hidden[:, -1]
or: one[n - 1] → one[-1]
or: rows[n - 1] → rows[-1]
    Right as long as all are equally long. What stands in the last row of a short
    sentence of the batch?

padding made zeros and read: hidden[torch.arange(len(hidden)), lengths - 1] → (hidden * (torch.arange(hidden.shape[1]) < lengths[:, None])[..., None])[:, -1]
or: one[n - 1] → (one * (torch.arange(len(one)) < n)[:, None])[-1]
or: rows[n - 1] → torch.cat([rows[:n], 0 * rows[n:]])[-1]
    You made the rows behind a short sentence zeros, and then read the last of them. In
    which row stands the last real word?

one feature for all: hidden[torch.arange(len(hidden)), lengths - 1] → hidden[torch.arange(len(hidden)), lengths - 1][:, :1].expand(-1, hidden.shape[-1])
or: hidden[torch.arange(len(hidden)), lengths - 1] → hidden.gather(1, (lengths - 1).view(-1, 1, 1)).squeeze(1).expand(-1, hidden.shape[-1])
    You read one number of the row and use it as all of its features. How many numbers
    has a row, and how many does your index pick?

sentences picked instead of rows: hidden[torch.arange(len(hidden)), lengths - 1] → hidden[lengths - 1]
    One index picks along the first axis, which counts sentences. Which axis counts the
    rows, and what must stand before it?

one row too far: lengths - 1] → lengths]
or: one[n - 1] → one[n]
or: rows[n - 1] → rows[n]
    You look one row behind the last word, at padding or at nothing. Where does a
    sentence of length 1 have its only row?

one row too far where there is one: lengths - 1] → lengths.clamp(max=hidden.shape[1] - 1)]
or: one[n - 1] → one[min(int(n), len(one) - 1)]
or: rows[n - 1] → rows[min(n, len(rows) - 1)]
    You look one row behind the last word, but for sentences without padding. In which
    row stands the only word of a sentence of length 1?

first row: lengths - 1] → 0 * lengths]
or: one[n - 1] → one[0]
or: rows[n - 1] → rows[0]
    The first row says which word follows the first one. Which row has seen the whole
    sentence?

row before the last: lengths - 1] → lengths - 2]
or: one[n - 1] → one[n - 2]
or: rows[n - 1] → rows[n - 2]
    Your row has not seen the last word yet. In which row is it seen?

every row for every sentence: hidden[torch.arange(len(hidden)), lengths - 1] → hidden[:, lengths - 1]
    A colon takes every sentence, and for each of them the last rows of all. How do you
    pick one row for each sentence?

the first sentence for all: hidden[torch.arange(len(hidden)), lengths - 1] → hidden[0, lengths - 1]
    All your rows come from the first sentence. Which index runs along with the lengths?

longest length for all: lengths - 1] → lengths.max() - 1]
    You use one length for all. Which of the sentences end earlier?

shortest length for all: lengths - 1] → lengths.min() - 1]
or: lengths - 1] → lengths[0] - 1]
    You use one length for all. Which of the sentences go on?

all rows averaged: hidden[torch.arange(len(hidden)), lengths - 1] → hidden.mean(1)
or: hidden[torch.arange(len(hidden)), lengths - 1] → torch.stack([h[:n].mean(0) for h, n in zip(hidden, lengths)])
    You average over rows. Each row has its own question, which word comes next there:
    which of them is asked for?

softmax over the batch: logits.softmax(dim=-1) → logits.softmax(dim=0)
or: torch.softmax(rows, -1) → torch.softmax(rows, 0)
    Your probabilities add up to 1 over the sentences. Between whom does a sentence
    choose?

softmax over the positions: torch.softmax(rows, -1) → torch.stack([one[n - 1] for one, n in zip(logits.softmax(1), lengths)])
    Your probabilities add up to 1 over the positions of a sentence. Between whom does a
    position choose?

softmax twice: logits.softmax(dim=-1) → logits.softmax(dim=-1).softmax(dim=-1)
or: torch.softmax(rows, -1) → torch.softmax(rows, -1).softmax(-1)
    Your words are right and all their probabilities small and alike. How many times was
    softmax taken?

logits instead of probabilities: logits.softmax(dim=-1) → logits
or: torch.softmax(rows, -1) → rows
    Your second result may be larger than 1. Which step turns logits into
    probabilities?

logarithms: logits.softmax(dim=-1) → logits.log_softmax(dim=-1)
or: torch.softmax(rows, -1) → torch.log_softmax(rows, -1)
    Your second result is negative. What do you get when you undo a logarithm?

least likely word: .max(dim=-1) → .min(dim=-1)
    You took the least likely word. Where is the probability largest?

results swapped: return best.indices, best.values → return best.values, best.indices
    Both are right. In which order are they asked for?

all probabilities: return best.indices, best.values → return best.indices, probabilities
    You return the probabilities of all words. Whose is asked for?

scaled like a score: logits = last @ table.T → logits = last @ table.T / table.shape[1] ** 0.5
    You divided the logits by a root of d_model. Where does that division belong, and is
    there any here?
"""


def batch(n, t, d_model, vocab, *lengths):
    def inputs(rng):
        lead = 0.0
        while lead < 0.02:  # of the best word in every row: rounding must not choose it
            hidden = rng.normal(size=(n, t, d_model)).round(1)
            table = rng.normal(size=(vocab, d_model)).round(1)
            ranked = np.sort(hidden @ table.T)
            lead = (ranked[..., -1] - ranked[..., -2]).min()
        return hidden, table, np.array(lengths)

    return inputs


TASK = FunctionTask(
    title="The next word, read off the wrong row",
    kind="find the bug",
    answers=("next_words",),
    arguments=("hidden", "table", "lengths"),
    outputs=("words", "probabilities"),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(PLAIN, ALL_LOGITS, LOOP),
    mistakes=MISTAKES,
    checks=(
        Check("one sentence of three words", batch(1, 3, 4, 5, 3), earns=False),
        Check("two sentences, equally long", batch(2, 4, 5, 7, 4, 4), earns=False),
        Check("a short and a long one", batch(2, 5, 6, 11, 2, 5)),
        Check("three, the first one longest", batch(3, 5, 7, 11, 5, 2, 4)),
        Check("a sentence of one word", batch(3, 6, 4, 13, 3, 1, 5)),
        Check("padding behind all of them", batch(5, 7, 6, 17, 4, 3, 6, 2, 5)),
    ),
    hints=(
        "Take two sentences of 2 and 5 words, padded to 5 rows. Which row of each has "
        "seen its whole sentence, and which rows are padding?",
        "You need one row of each sentence: pairs (0, length − 1), (1, length − 1) and "
        "so on. How do you give a tensor two lists of indices?",
    ),
    section="From a vector to a word",
    why="Each row says what follows after it. Only the row of the last real word has seen "
    "the whole sentence; rows of padding give an answer too, and nothing warns you.",
)
