"""17.1 Greedy decoding of a batch whose sentences end at different times."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def greedy(model, start, eos, pad, max_len):
    tokens = start[:, None]
    ended = torch.zeros(len(start), dtype=torch.bool)
    for _ in range(max_len):
        word = model(tokens)[:, -1].argmax(dim=-1)
        word = word.masked_fill(ended, pad)
        tokens = torch.cat([tokens, word[:, None]], dim=1)
        ended = ended | (word == eos)
        if ended.all():
            break
    return tokens[:, 1:]
"""

ROW_BY_ROW = """
def greedy(model, start, eos, pad, max_len):
    rows = []
    for first in start.tolist():
        words = [first]
        while len(words) < max_len + 1 and eos not in words[1:]:
            logits = model(torch.tensor([words]))[0, -1]
            words.append(int(logits.argmax()))
        rows.append(words[1:])
    longest = max(len(row) for row in rows)
    return torch.tensor([row + [pad] * (longest - len(row)) for row in rows])
"""

OPEN_ROWS = """
def greedy(model, start, eos, pad, max_len):
    out = torch.full((len(start), max_len), pad)
    open_rows = torch.arange(len(start))
    n = 0
    while n < max_len and len(open_rows):
        read = torch.cat([start[open_rows, None], out[open_rows, :n]], dim=1)
        word = model(read)[:, -1].max(dim=-1).indices
        out[open_rows, n] = word
        open_rows = open_rows[word != eos]
        n += 1
    return out[:, :n]
"""

MISTAKES = """
goes on to max_len: if ended.all() → if False
or: return out[:, :n] → return out
    The columns at the end hold nothing but padding. When is there nothing left to
    write, for any row?

stops with the first that ends: ended.all() → ended.any()
    You stop as soon as one sentence has ended, and cut the others off. How many of them
    must have ended?

only the first row watched: ended.all() → ended[0]
    You stop when the first row has ended. What do the other rows say?

ended rows go on: word.masked_fill(ended, pad) → word
or: open_rows = open_rows[word != eos] → still = (out[:, : n + 1] != eos).all(1)\\n        open_rows = open_rows if still.any() else open_rows[:0]
    Some rows go on writing behind their end. The model never falls silent: what must a
    row that has ended write instead?

end forgotten again: ended = ended | (word == eos) → ended = word == eos
    A row that ended wakes up one step later. It has just written padding: what should
    your record of the ended rows remember?

ends forgotten: word.masked_fill(ended, pad) → word
and: ended = ended | (word == eos) → ended = word == eos
    Your rows write on behind their end, and you stop only if all of them end in the
    same step. What must be remembered of a row that has ended?

end not written: word = word.masked_fill(ended, pad) → ended = ended | (word == eos)\\n        word = word.masked_fill(ended, pad)
or: rows.append(words[1:]) → rows.append([word for word in words[1:] if word != eos])
or: out[open_rows, n] = word → out[open_rows, n] = word.masked_fill(word == eos, pad)
    The word that ends a sentence is missing in your rows. Does it belong to the
    sentence, or to what comes after it?

end written again and again: masked_fill(ended, pad) → masked_fill(ended, eos)
or: + [pad] * → + [eos] *
or: max_len), pad) → max_len), eos)
    Your rows end many times. Which word fills the places behind an end?

padding taken for 0: masked_fill(ended, pad) → masked_fill(ended, 0)
or: + [pad] * → + [0] *
or: torch.full((len(start), max_len), pad) → torch.zeros(len(start), max_len, dtype=torch.long)
    You fill up with 0. Which number stands for padding in this vocabulary?

the end not seen: word == eos → word == pad
or: eos not in words[1:] → pad not in words[1:]
or: and eos not in words[1:] →
or: word != eos → word != pad
    Your sentences all go on to `max_len`. Which word says that a sentence is over, and
    which line looks for it?

start handed over: return tokens[:, 1:] → return tokens
or: rows.append(words[1:]) → rows.append(words)
    Your rows begin with what was given. Which words has the model written itself?

logits of the first place: [:, -1] → [:, 0]
or: [0, -1] → [0, 0]
    You write one word again and again. Every place has its own logits for what follows
    it: which place is the newest?

only the last word read: model(tokens) → model(tokens[:, -1:])
or: torch.tensor([words]) → torch.tensor([words[-1:]])
or: model(read) → model(read[:, -1:])
    Your model is shown one word at a time and forgets the rest. What does the next word
    depend on?

drawn, not chosen: model(tokens)[:, -1].argmax(dim=-1) → torch.multinomial(model(tokens)[:, -1].softmax(-1), 1)[:, 0]
or: int(logits.argmax()) → int(torch.multinomial(logits.softmax(-1), 1))
or: model(read)[:, -1].max(dim=-1).indices → torch.distributions.Categorical(logits=model(read)[:, -1]).sample()
    You draw each word, so the same beginning may come out in two ways. Which word does
    greedy decoding take?

one word for all rows: model(tokens)[:, -1].argmax(dim=-1) → model(tokens)[:, -1].argmax().repeat(len(start))
or: model(tokens)[:, -1].argmax(dim=-1) → model(tokens)[:1, -1].argmax(dim=-1).repeat(len(start))
    All rows write the same words. Is the largest logit looked for in each row, or once
    in all of them?

least likely word: argmax( → argmin(
or: .max(dim=-1) → .min(dim=-1)
    You write the least likely word each time. Where are the logits largest?

most likely row: argmax(dim=-1) → argmax(dim=0)
or: argmax(dim=-1) → argmax(dim=0)[: len(start)]
or: model(tokens)[:, -1].argmax(dim=-1) → model(tokens).argmax(dim=1)[:, -1]
or: model(tokens)[:, -1].argmax(dim=-1) → model(tokens)[:, -1].softmax(dim=0).argmax(dim=-1)
    You look for the largest number among the sentences. Along which axis do the words
    of the vocabulary lie?

one word too few: range(max_len) → range(max_len - 1)
or: < max_len + 1 and → < max_len and
or: n < max_len and → n < max_len - 1 and
    A sentence that doesn't end is one word short. Does the start count among the
    `max_len` words?

one word too many: range(max_len) → range(max_len + 1)
or: < max_len + 1 and → < max_len + 2 and
    A sentence that doesn't end is one word too long. How many words may be written?

temperature 0: model(tokens)[:, -1].argmax(dim=-1) → torch.multinomial((model(tokens)[:, -1] / 0).softmax(-1), 1)[:, 0]
or: int(logits.argmax()) → int((logits / 0).argmax())
or: model(read)[:, -1].max(dim=-1) → (model(read)[:, -1] / 0).max(dim=-1)
    You divide by 0, and nothing is left to compare. The likeliest word is the same at
    every temperature: does greedy need one?
"""


@lru_cache(maxsize=10_000)
def scores(seed, vocab, prefix):
    return np.random.default_rng([seed, *prefix]).normal(size=vocab).round(2)


@dataclass(frozen=True)
class Toy:
    """Plays a model: after each prefix the words have logits of their own.

    `scripts` says what is the likeliest for a start word; off the script, and where it
    is over, `eos` and `pad` are unlikely. Without scripts all is left to chance.
    """

    vocab: int
    eos: int
    pad: int
    scripts: tuple[tuple[int, ...], ...] = ()
    seed: int = 0
    offers = ()

    def after(self, prefix):
        logits = scores(self.seed, self.vocab, prefix).copy()
        logits[self.pad] = -1
        if not self.scripts:
            logits[self.eos] += 0.8
            return logits
        logits[self.eos] = -1.2
        for start, *script in self.scripts:
            n = len(prefix) - 1
            if prefix == (start, *script[:n]) and n < len(script):
                logits[script[n]] = 5
        return logits

    def __call__(self, tokens):
        import torch

        tokens = torch.as_tensor(tokens)
        if tokens.is_floating_point() or tokens.ndim != 2:
            raise ValueError(
                "model(tokens) reads whole numbers of shape (rows, t), got "
                f"{str(tokens.dtype).removeprefix('torch.')} of shape "
                f"{tuple(tokens.shape)}"
            )
        rows = tokens.tolist()
        logits = [[self.after(tuple(r[: i + 1])) for i in range(len(r))] for r in rows]
        table = np.array(logits).reshape(len(rows), -1, self.vocab)
        return torch.from_numpy(table).float()

    def __repr__(self) -> str:
        return "a model: model(tokens) gives logits of shape (rows, t, vocab)"


def case(*scripts, max_len, vocab=11, eos=1, pad=0):
    """Rows that start with the first word of a script and then follow it."""

    def inputs(rng):
        seed = int(rng.integers(1_000_000))
        toy = Toy(vocab, eos, pad, scripts, seed)
        return toy, np.array([script[0] for script in scripts]), eos, pad, max_len

    return inputs


def drawn(*lengths, max_len, marks=True):
    """Rows with scripts of so many words, and an end where there is room for one."""

    def inputs(rng):
        eos, pad = (1, 0) if marks else rng.permutation(10)[:2] + 1
        words = [n for n in range(11) if n not in (eos, pad)]
        scripts = [
            (start, *rng.choice(words, n).tolist(), *[int(eos)] * (n < max_len))
            for start, n in zip(rng.permutation(words).tolist(), lengths, strict=False)
        ]
        return case(*scripts, max_len=max_len, eos=int(eos), pad=int(pad))(rng)

    return inputs


def written(answers, *arguments):
    """What is written, with draws that anybody can repeat."""
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return answers[0](*arguments)


def by_chance(rows, max_len, vocab, eos, pad):
    def inputs(rng):
        toy = Toy(vocab, eos, pad, seed=int(rng.integers(1_000_000)))
        start = rng.choice([n for n in range(vocab) if n not in (eos, pad)], rows)
        return toy, start, eos, pad, max_len

    return inputs


TASK = FunctionTask(
    title="Greedy, until every row has ended",
    kind="implement",
    answers=("greedy",),
    arguments=("model", "start", "eos", "pad", "max_len"),
    outputs=("words",),
    arrays="torch",
    right=(PLAIN, ROW_BY_ROW, OPEN_ROWS),
    mistakes=MISTAKES,
    checks=tuple(
        Check(title, inputs, probe=written, fresh=fresh)
        for title, inputs, fresh in (
            (
                "one sentence of three words",
                case((2, 5, 7, 1), max_len=3),
                drawn(2, max_len=3),
            ),
            (
                "one sentence that ends early",
                case((2, 5, 7, 1), max_len=8),
                drawn(3, max_len=9),
            ),
            (
                "a sentence that doesn't end",
                case((3, 4, 6, 8, 9), max_len=5),
                drawn(5, max_len=5),
            ),
            (
                "two sentences, the second ends first",
                case((2, 4, 6, 8, 1), (3, 5, 1), max_len=7),
                drawn(4, 2, max_len=7),
            ),
            (
                "two sentences, the first ends first, and one is cut off",
                case((4, 6, 1), (5, 3, 3, 7, 8, 9), max_len=6),
                drawn(2, 6, max_len=6),
            ),
            (
                "three sentences, one ends at once",
                case((4, 5, 9, 1), (6, 1), (7, 8, 3, 3, 10, 1), max_len=9),
                drawn(3, 0, 5, max_len=9),
            ),
            (
                "all end at once",
                case((5, 1), (6, 1), max_len=4),
                drawn(2, 2, max_len=5),
            ),
            (
                "another vocabulary: another end, another padding",
                case(
                    (2, 4, 5, 3), (6, 8, 3), (9, 1, 0, 2, 5, 3), max_len=7, eos=3, pad=7
                ),
                drawn(3, 1, 5, max_len=8, marks=False),
            ),
            (
                "room for a single word",
                case((2, 5, 7, 1), (3, 6), max_len=1),
                drawn(1, 1, max_len=1),
            ),
            ("five sentences by chance", by_chance(5, 11, 7, eos=2, pad=5), None),
        )
    ),
    hints=(
        "Two rows, and the second ends after two words. Write down, step by step, what "
        "each row reads and writes, until both have ended.",
        "Keep one truth value for each row: has it ended? When does it turn true, what "
        "does it change in the next step, and when may you stop?",
    ),
    section="Greedy",
    why="A batch goes on until its last sentence has ended; the others wait and write "
    "padding, whatever the model would say to them.",
)
