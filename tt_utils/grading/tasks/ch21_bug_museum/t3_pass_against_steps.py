"""21.3 One pass against writing word by word: where do they first differ?"""

import operator
from functools import partial

import numpy as np

from tt_utils.grading.tasks.inputs import Rule
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def first_difference(read, begin, step, src, tgt):
    whole = read(src, tgt)
    cache = begin(src)
    for i, word in enumerate(tgt):
        logits, cache = step(cache, word)
        if (logits - whole[i]).abs().max() > 1e-4:
            return i
    return None
"""

STACKED = """
def first_difference(read, begin, step, src, tgt):
    cache, rows = begin(src), []
    for i in range(len(tgt)):
        row, cache = step(cache, tgt[i])
        rows.append(row)
    moved = ~torch.isclose(torch.stack(rows), read(src, tgt), rtol=0, atol=1e-4)
    found = moved.any(dim=1).nonzero().flatten()
    return found[0].item() if len(found) else None
"""

LISTED = """
def first_difference(read, begin, step, src, tgt):
    def written():
        cache = begin(src)
        for i in range(len(tgt)):
            logits, cache = step(cache, int(tgt[i]))
            yield logits

    for i, (one, other) in enumerate(zip(read(src, tgt), written())):
        if max(abs(float(a - b)) for a, b in zip(one, other)) > 1e-4:
            return i
"""

MISTAKES = """
the last difference: return i\\n    return None → found = i\\n    return found
and: cache = begin(src)\\n → cache, found = begin(src), None\\n
or: found[0].item() → found[-1].item()
    You give the last position that differs. All that comes after a mistake may differ
    because of it: which position is asked for?

counted from 1: return i\\n → return i + 1\\n
or: found[0].item() → found[0].item() + 1
    Your positions are one too large. With which number does the first position begin?

the number of differences: found[0].item() if len(found) else None → len(found) or None
    You count the positions that differ. The task asks for one of them: which?

the likeliest word alone: (logits - whole[i]).abs().max() > 1e-4 → logits.argmax() != whole[i].argmax()
or: ~torch.isclose(torch.stack(rows), read(src, tgt), rtol=0, atol=1e-4) → (torch.stack(rows).argmax(1) != read(src, tgt).argmax(1))[:, None]
or: max(abs(float(a - b)) for a, b in zip(one, other)) > 1e-4 → int(one.argmax()) != int(other.argmax())
    You look whether another word comes out on top. Two ways to compute the same thing give
    the same numbers: what must be compared?

equal to the last digit: .abs().max() > 1e-4 → .abs().max() > 0
or: ~torch.isclose(torch.stack(rows), read(src, tgt), rtol=0, atol=1e-4) → torch.stack(rows) != read(src, tgt)
or: zip(one, other)) > 1e-4 → zip(one, other)) > 0
    You turn down a right model that adds up in another order. How large a difference does
    the task forgive?

too forgiving: > 1e-4 → > 0.1
or: atol=1e-4 → atol=0.1
or: > 1e-4 → > 0.01
or: atol=1e-4 → atol=0.01
    A small difference gets through. How large a one does the task forgive, and how large
    a one do you?

its own words are written: for i, word in enumerate(tgt):\\n        logits, cache = step(cache, word) → word = tgt[0]\\n    for i in range(len(tgt)):\\n        logits, cache = step(cache, word)\\n        word = logits.argmax()
or: for i in range(len(tgt)):\\n        row, cache = step(cache, tgt[i]) → row = torch.nn.functional.one_hot(tgt[0])\\n    for i in range(len(tgt)):\\n        row, cache = step(cache, row.argmax())
or: for i in range(len(tgt)):\\n            logits, cache = step(cache, int(tgt[i])) → word = tgt[0]\\n        for i in range(len(tgt)):\\n            logits, cache = step(cache, int(word))\\n            word = logits.argmax()
    Your writer goes on with the words that it found itself, the pass reads those of `tgt`.
    Then even a right model differs: which words must both of them get?

each word in a new cache: logits, cache = step(cache, word) → logits, _ = step(begin(src), word)
or: logits, cache = step(cache, word) → logits, _ = step(cache, word)
or: row, cache = step(cache, tgt[i]) → row, _ = step(begin(src), tgt[i])
or: logits, cache = step(cache, int(tgt[i])) → logits, _ = step(cache, int(tgt[i]))
    Each of your words is written as if it were the first one. Where do the words before
    it come from?

one word ahead: enumerate(tgt) → enumerate(tgt[1:])
or: step(cache, tgt[i]) → step(cache, tgt[min(i + 1, len(tgt) - 1)])
or: int(tgt[i]) → int(tgt[(i + 1) % len(tgt)])
    Even a right model differs at position 0 in yours. Row 0 of the pass has read the first
    word of `tgt`: which word has your first step read?

compared with the row before: whole[i]) → whole[i - 1])
or: read(src, tgt), rtol → read(src, tgt).roll(1, 0), rtol
or: zip(read(src, tgt), written()) → zip(read(src, tgt).roll(1, 0), written())
    You compare a step with the row before it. How many words has row i of the pass read,
    and how many has step i?

the sign kept: (logits - whole[i]).abs().max() → (logits - whole[i]).max()
or: max(abs(float(a - b)) for → max(float(b - a) for
    A logit that is too small when written counts for nothing in yours. What is the size
    of a difference?

the sign kept, other way round: (logits - whole[i]).abs().max() → (whole[i] - logits).max()
or: max(abs(float(a - b)) for → max(float(a - b) for
    A logit that is too large when written counts for nothing in yours. What is the size
    of a difference?

differences that cancel: (logits - whole[i]).abs().max() → (logits - whole[i]).sum().abs()
or: max(abs(float(a - b)) for a, b in zip(one, other)) → abs(float(sum(one) - sum(other)))
or: (logits - whole[i]).abs().max() → (logits.sum() - whole[i].sum()).abs()
    You add up differences of both signs before you take their size, and they cancel. What
    must come first?

the first logit alone: (logits - whole[i]).abs().max() → (logits - whole[i])[0].abs()
or: moved.any(dim=1) → moved[:, 0]
or: max(abs(float(a - b)) for a, b in zip(one, other)) → abs(float(one[0] - other[0]))
    You look at the first logit of each position. How many are there, and may a difference
    show in another one?

every logit must differ: (logits - whole[i]).abs().max() → (logits - whole[i]).abs().min()
or: moved.any(dim=1) → moved.all(dim=1)
or: max(abs(float(a - b)) for → min(abs(float(a - b)) for
    You find a position different only where each of its logits is. How many of them must
    differ?

the last position alone: for i, word in enumerate(tgt):\\n        logits, cache = step(cache, word)\\n        if → for i, word in enumerate(tgt):\\n        logits, cache = step(cache, word)\\n        if i == len(tgt) - 1 and
or: moved.any(dim=1) → (moved.any(dim=1) & (torch.arange(len(tgt)) == len(tgt) - 1))
    You compare the last position alone. A sentence goes wrong earlier than that: where
    does your comparison stand, in the loop or behind it?

the last position left out: if (logits - whole[i]).abs().max() > 1e-4 → if i < len(tgt) - 1 and (logits - whole[i]).abs().max() > 1e-4
or: for i in range(len(tgt)):\\n            logits → for i in range(len(tgt) - 1):\\n            logits
or: moved.any(dim=1) → moved[:-1].any(dim=1)
    One model differs at the last position, and you pass it. How many rows has the pass,
    and how many steps do you make?

the first position left out: if (logits - whole[i]).abs().max() > 1e-4 → if i > 0 and (logits - whole[i]).abs().max() > 1e-4
or: moved.any(dim=1).nonzero() → (moved.any(dim=1) & (torch.arange(len(tgt)) > 0)).nonzero()
or: found[0].item() if len(found) else → found[0].item() or None if len(found) else
    One model differs at position 0 already, and you don't say so. Is 0 a position or
    nothing, in Python?

read anew for each word: whole[i]) → read(src, tgt[: i + 1])[i])
or: torch.isclose(torch.stack(rows), read(src, tgt), → torch.isclose(torch.stack(rows), torch.stack([read(src, tgt[: n + 1])[n] for n in range(len(tgt))]),
or: zip(read(src, tgt), written()) → zip([read(src, tgt[: n + 1])[n] for n in range(len(tgt))], written())
    You cut the sentence before you read it, so a pass that peeks at later words is never
    caught. How many passes does the task ask for?

-1 for none: return None → return -1
or: else None → else -1
    Where nothing differs you give -1, which is the last position to Python. What does the
    task ask for there?

0 for none: return None → return 0
or: else None → else 0
    Where nothing differs you give 0, and that is a position. What does the task ask for
    there?

the length for none: return None → return len(tgt)
or: else None → else len(tgt)
    Where nothing differs you give the length of the sentence. What does the task ask for
    there?

yes or no: return i\\n    return None → return True\\n    return False
or: found[0].item() if len(found) else None → len(found) > 0
or: return i\\n → return True\\n
    You say whether something differs. What does the task ask for: a truth value, or the
    position?

the word for the position: return i\\n → return int(tgt[i])\\n
or: found[0].item() → int(tgt[found[0]])
    You give the id of a word. What does the task ask for: the word, or its position?
"""

VOCAB = 7
AT_0 = 30  # position 0 and those after it, told from the ids of words


def vectors(numbers):
    """A vector for each number, the same in every run."""
    import torch

    rates = torch.arange(1.0, VOCAB + 1, dtype=torch.float64)
    numbers = torch.as_tensor(numbers).double()[..., None]
    return torch.cos(1.3 * rates * (numbers + 0.4 * rates))


def read(src, tgt, peeks=False, own=0.0):
    """The logits (t_tgt, vocab) of a causal pass; it may peek one word ahead.

    `own` is what the word that was read last gets on top.
    """
    import torch

    rows = vectors(tgt) + vectors(torch.arange(len(tgt)) + AT_0)
    so_far = torch.ones(len(tgt), len(tgt), dtype=rows.dtype).tril(int(peeks))
    out = rows + so_far @ rows / so_far.sum(1, keepdim=True) + vectors(src).mean(0)
    words = torch.arange(VOCAB, dtype=tgt.dtype)
    return (out + own * (tgt[:, None] == words)).float()


def begin(src, left=()):
    """A new cache: the source, and the rows of the words so far.

    `left` are words that an earlier sentence has left in it.
    """
    return {"src": vectors(src).mean(0), "rows": vectors(list(left)).view(-1, VOCAB)}


def step(cache, word, position=lambda n: n, window=100, own=0.0, after=None):
    """The logits after one more word, and the cache with it.

    `position` says which position a word gets that stands behind n others, `window`
    how many rows are kept, `after` what becomes of the logits of position n.
    """
    import torch

    n = len(cache["rows"])
    row = vectors(int(word)) + vectors(position(n) + AT_0)
    rows = torch.cat([cache["rows"], row[None]])[-window:]
    out = row + rows.mean(0) + cache["src"]
    out = (out + own * (torch.arange(VOCAB) == int(word))).float()
    return after(n, out) if after else out, {**cache, "rows": rows}


def other_source(src):
    return begin(src.flip(0) + 2)


def source_once(cache, word):
    logits, cache = step(cache, word)
    return logits, {**cache, "src": 0 * cache["src"]}


def more_at(wanted, more, logit=None):
    """Adds to the logits of these positions, or to one of them."""

    def add(n, out):
        if wanted is None or n in wanted:
            if logit is None:
                return out + out.new_tensor(more)
            out[logit] += more
        return out

    return partial(step, after=add)


RIGHT = ("right", read, begin, step)
LEFT = ("a word is left in the cache", read, partial(begin, left=[5]), step)
ROUNDS = ("right, with some rounding", read, begin, more_at(None, 2e-6))
ZERO = ("position 0 for every word", read, begin, partial(step, position=lambda n: 0))
BOTH_SIGNS = (0.2, -0.2, 0.3, -0.3, 0.1, -0.1, 0.0)


def writes(words, step):
    """A model that reads and begins rightly."""
    return words, read, begin, step


def case(*models, t_src=3, t_tgt=5, same=False):
    """Several models, their order drawn, and a sentence; `more` draws from others, too.

    No word stands twice, or all are the same; none has the number of its position.
    """

    def inputs(rng, more=()):
        asked = [
            *models,
            *(more[n] for n in rng.integers(0, len(more) or 1, len(more))),
        ]
        drawn = [asked[n] for n in rng.permutation(len(asked))]
        reads, begins, steps = (
            tuple(Rule(model[0], model[n]) for model in drawn) for n in (1, 2, 3)
        )
        src = rng.permutation(12)[:t_src] + 2
        tgt = rng.permutation(12)[:t_tgt] + 10
        if same:
            tgt = np.full(t_tgt, rng.integers(t_tgt, VOCAB))
        return reads, begins, steps, src, tgt

    return inputs


def positions(answers, reads, begins, steps, src, tgt):
    """The first position for each of the models, or the word none."""
    found = []
    for functions in zip(reads, begins, steps, strict=True):
        said = answers[0](*functions, src, tgt)
        if said is not None and not isinstance(said, bool):
            try:
                said = operator.index(said)
            except TypeError:  # no whole number
                said = str(said)
        found.append("none" if said is None else said)
    return found


TASK = FunctionTask(
    title="Read at once, or word by word",
    kind="implement",
    answers=("first_difference",),
    arguments=("reads", "begins", "steps", "src", "tgt"),
    outputs=("positions",),
    arrays="torch",
    right=(PLAIN, STACKED, LISTED),
    mistakes=MISTAKES,
    pairs=False,  # a number for each model
    checks=tuple(
        Check(title, inputs, positions, fresh=partial(inputs, more=(RIGHT, LEFT)))
        for title, inputs in (
            (
                "a right model, and one whose words all get position 0",
                case(RIGHT, ZERO),
            ),
            (
                "a new cache that isn't empty, or holds another source",
                case(
                    LEFT,
                    ("another source", read, other_source, step),
                    ROUNDS,
                ),
            ),
            (
                "caches that forget: the source after a word, words after three",
                case(
                    writes("forgets the source after one step", source_once),
                    writes("keeps three words", partial(step, window=3)),
                    t_tgt=7,
                ),
            ),
            (
                "positions that stop at 3, and one that is wrong at the end alone",
                case(
                    writes(
                        "position 3 at most",
                        partial(step, position=lambda n: min(n, 3)),
                    ),
                    writes("wrong at position 5 alone", more_at((5,), 0.4)),
                    t_tgt=6,
                ),
            ),
            (
                "small differences, of one logit or of both signs",
                case(
                    writes(
                        "0.001 too much from position 2 on", more_at((2, 3, 4), 1e-3)
                    ),
                    writes(
                        "0.3 too little in a logit at position 1",
                        more_at((1,), -0.3, 4),
                    ),
                    writes(
                        "0.3 too much in a logit at position 3", more_at((3,), 0.3, 2)
                    ),
                    writes("up and down at position 2", more_at((2, 4), BOTH_SIGNS)),
                ),
            ),
            (
                "a pass that peeks one word ahead",
                case(
                    ("the pass peeks", partial(read, peeks=True), begin, step),
                    RIGHT,
                    t_tgt=4,
                ),
            ),
            (
                "one word again and again, as the model would write it itself",
                case(
                    ("right", partial(read, own=9), begin, partial(step, own=9)),
                    (
                        "keeps two words",
                        partial(read, own=9),
                        begin,
                        partial(step, own=9, window=2),
                    ),
                    t_tgt=4,
                    same=True,
                ),
            ),
            (
                "a sentence of one word",
                case(
                    ROUNDS,
                    ZERO,
                    ("another source", read, other_source, step),
                    t_tgt=1,
                ),
            ),
        )
    ),
    hints=(
        "The pass gives a row for each word of `tgt`. The writer has read as many words when "
        "it gives its first logits: which of the rows belongs to those?",
        "A step gives back two things. Which of them does the next step need, and which words "
        "does it get: those of `tgt`, or those that it likes best?",
    ),
    section="Room 3: right when read, wrong when written",
    why="Training only ever reads, so its loss and its accuracy say nothing about the code "
    "that writes. Two ways to the same numbers test each other, and the first position "
    "that differs says where to look.",
)
