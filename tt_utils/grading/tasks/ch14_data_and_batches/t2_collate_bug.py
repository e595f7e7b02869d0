"""14.2 Two planted bugs: a batch of rows too wide, and sentences without an end."""

from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def collate(sentences, eos, pad, max_len):
    rows = [[*words[: max_len - 1], eos] for words in sentences]
    width = max(len(row) for row in rows)
    tokens = torch.full((len(rows), width), pad)
    for n, row in enumerate(rows):
        tokens[n, : len(row)] = torch.tensor(row)
    return tokens, tokens != pad
"""

LISTS = """
def collate(sentences, eos, pad, max_len):
    most = max_len - 1
    rows = [words[:most] + [eos] for words in sentences]
    widest = max(map(len, rows))
    tokens = [row + [pad] * (widest - len(row)) for row in rows]
    real = [[n < len(row) for n in range(widest)] for row in rows]
    return torch.tensor(tokens), torch.tensor(real)
"""

LIBRARY = """
def collate(sentences, eos, pad, max_len):
    rows = [torch.tensor([*words[: max_len - 1], eos]) for words in sentences]
    lengths = torch.tensor([len(row) for row in rows])
    tokens = torch.nn.utils.rnn.pad_sequence(rows, True, padding_value=pad)
    return tokens, torch.arange(tokens.shape[1]) < lengths[:, None]
"""

LATER = """
def collate(sentences, eos, pad, max_len):
    lengths = [min(len(words), max_len - 1) for words in sentences]
    tokens = torch.full((len(sentences), max(lengths) + 1), pad)
    for n, length in enumerate(lengths):
        tokens[n, :length] = torch.tensor(sentences[n][:length])
        tokens[n, length] = eos
    return tokens, tokens.ne(pad)
"""

MISTAKES = """
as planted: [*words[: max_len - 1], eos] for → [*words, eos][:max_len] for
and: width = max(len(row) for row in rows) → width = max_len
    Two lines are wrong, and neither ever raises an error. Take two sentences of 2 and 3
    words and a `max_len` of 10: how many places of your batch are padding?

the end mark cut off: [*words[: max_len - 1], eos] for → [*words, eos][:max_len] for
or: words[:most] + [eos] for → (words + [eos])[:max_len] for
or: torch.tensor([*words[: max_len - 1], eos]) → torch.tensor([*words, eos][:max_len])
    A sentence that is cut loses its end mark: the model learns that such a sentence
    goes on for ever. In which order do you cut and add?

padded to the limit: width = max(len(row) for row in rows) → width = max_len
or: widest = max(map(len, rows)) → widest = max_len
or: max(lengths) + 1), pad) → max_len), pad)
    Your rows are as wide as the limit, however short the sentences are: all of it is
    computed and thrown away. Which row decides how wide this batch must be?

one place too wide: width = max(len(row) for row in rows) → width = max(len(row) for row in rows) + 1
or: widest = max(map(len, rows)) → widest = max(map(len, rows)) + 1
or: max(lengths) + 1), pad) → max(lengths) + 2), pad)
    Your last column holds nothing but padding. Is the end mark counted twice?

width of the uncut: width = max(len(row) for row in rows) → width = max(len(words) for words in sentences) + 1
or: widest = max(map(len, rows)) → widest = max(map(len, sentences)) + 1
or: max(lengths) + 1), pad) → max(map(len, sentences)) + 1), pad)
    Your batch is as wide as its longest sentence was before it was cut. Which rows are
    still there when you choose the width?

not cut: [*words[: max_len - 1], eos] → [*words, eos]
or: words[:most] + [eos] → words + [eos]
or: min(len(words), max_len - 1) → len(words)
    Your rows may be longer than `max_len`. What is to be done with a sentence that does
    not fit?

one over the limit: [*words[: max_len - 1], eos] → [*words[:max_len], eos]
or: most = max_len - 1 → most = max_len
or: min(len(words), max_len - 1) → min(len(words), max_len)
    Your longest rows are one place longer than `max_len`. Does the end mark take a
    place?

one that nearly fits not cut: [*words[: max_len - 1], eos] → [*(words if len(words) <= max_len else words[: max_len - 1]), eos]
or: words[:most] + [eos] → (words if len(words) <= max_len else words[:most]) + [eos]
or: min(len(words), max_len - 1) → (len(words) if len(words) <= max_len else max_len - 1)
    You leave a sentence of just `max_len` words as it is. How long is its row with the
    end mark?

cut more than needed: [*words[: max_len - 1], eos] → [*words[: max_len - 2], eos]
or: most = max_len - 1 → most = max_len - 2
or: min(len(words), max_len - 1) → min(len(words), max_len - 2)
    You cut one word too many from long sentences. How many words fit beside one end
    mark?

the last word of all replaced: [*words[: max_len - 1], eos] → [*words[:-1][: max_len - 1], eos]
or: words[:most] + [eos] → words[:-1][:most] + [eos]
or: [*words[: max_len - 1], eos] → [*words[: max_len - 1][:-1], eos]
    Your end mark takes the place of the last word, though there is room for both. Which
    sentences must be cut?

cut one lower, behind the end mark: [*words[: max_len - 1], eos] for → [*words, eos][: max_len - 1] for
or: words[:most] + [eos] for → (words + [eos])[:most] for
    You made room for the end mark, and then cut it off with the rest: short sentences
    have one, long ones don't. In which order do you cut and add?

no end mark: [*words[: max_len - 1], eos] → words[:max_len]
or: words[:most] + [eos] → words[:max_len]
or: words[:most] + [eos] → words[:most]
    There is no end mark in yours. What tells the model where a sentence stops?

end mark on long ones alone: [*words[: max_len - 1], eos] → ([*words[: max_len - 1], eos] if len(words) >= max_len else words)
    Only the sentences that you cut get an end mark. Where do the others stop?

end mark on whole ones alone: [*words[: max_len - 1], eos] → ([*words, eos] if len(words) < max_len else words[: max_len - 1])
or: words[:most] + [eos] → (words + [eos] if len(words) < max_len else words[:most])
    A sentence that is cut has no end mark in yours. How does the model know where such
    a row ends?

the beginning cut off: [*words[: max_len - 1], eos] → [*words[-(max_len - 1) :], eos]
or: words[:most] → words[-most:]
    You cut long sentences at the front. Which part of them is asked for?

long sentences left out: for words in sentences]\\n    width → for words in sentences if len(words) < max_len]\\n    width
or: for words in sentences]\\n    widest → for words in sentences if len(words) < max_len]\\n    widest
    A sentence that is too long is missing from your batch. What becomes of its
    translation, which stands in another tensor?

cut to the shortest: width = max(len(row) for row in rows) → width = min(len(row) for row in rows)
and: tokens[n, : len(row)] = torch.tensor(row) → tokens[n] = torch.tensor(row[:width])
or: tokens = [row + [pad] * (widest - len(row)) for row in rows] → widest = min(map(len, rows)); tokens = [row[:widest] for row in rows]
    All your rows are cut to the shortest one. What is padding there for?

end mark behind the padding: tokens[n, length] = eos → tokens[n, -1] = eos
or: row + [pad] * (widest - len(row)) → row[:-1] + [pad] * (widest - len(row)) + [eos]
    Your end mark stands behind the padding. After which word should the model stop?

padded in front: tokens[n, : len(row)] = → tokens[n, width - len(row) :] =
or: row + [pad] * (widest - len(row)) → [pad] * (widest - len(row)) + row
and: n < len(row) → n >= widest - len(row)
or: True, padding_value=pad → True, padding_value=pad, padding_side="left"
and: torch.arange(tokens.shape[1]) < lengths[:, None] → tokens != pad
    Your padding stands in front of the words. On which side is it asked for?

padded in front, mask as before: row + [pad] * (widest - len(row)) → [pad] * (widest - len(row)) + row
or: True, padding_value=pad → True, padding_value=pad, padding_side="left"
    Your words stand on the right, and `real` says that they stand on the left. Which
    side is asked for?

padded with zeros: width), pad) → width), 0)
and: tokens != pad → tokens != 0
or: [pad] * → [0] *
or: padding_value=pad → padding_value=0
or: max(lengths) + 1), pad) → max(lengths) + 1), 0)
and: tokens.ne(pad) → tokens.ne(0)
    Your padding is always 0. Which argument says which number it has?

padded with end marks: width), pad) → width), eos)
and: return tokens, tokens != pad → return tokens, torch.arange(width) < torch.tensor([[len(row)] for row in rows])
or: [pad] * → [eos] *
or: padding_value=pad → padding_value=eos
    You filled up with end marks. Which number is padding?

mask the wrong way round: tokens != pad → tokens == pad
or: n < len(row) → n >= len(row)
or: < lengths[:, None] → >= lengths[:, None]
or: tokens.ne(pad) → tokens.eq(pad)
    Your `real` is True for padding. What does True mean, in this book's masks?

end mark not real: tokens != pad → (tokens != pad) & (tokens != eos)
or: n < len(row) → n < len(row) - 1
or: < lengths[:, None] → < lengths[:, None] - 1
    The end mark is not real in yours. Is it padding?

mask of numbers: return tokens, tokens != pad → return tokens, (tokens != pad).float()
or: return tokens, tokens != pad → return tokens, (tokens != pad).int()
    Your `real` holds numbers. What should a mask hold, True and False or 1 and 0?

results swapped: return tokens, tokens != pad → return tokens != pad, tokens
or: return tokens, torch.arange(tokens.shape[1]) < lengths[:, None] → return torch.arange(tokens.shape[1]) < lengths[:, None], tokens
    Both are right. In which order are they asked for?
"""


def batch(*lengths, limit, eos=3, pad=0):
    """Sentences of so many words each."""

    def inputs(rng):
        words = [rng.integers(11, 99, n).tolist() for n in lengths]
        return words, eos, pad, limit

    return inputs


TASK = FunctionTask(
    title="A batch that is too wide",
    kind="find the bug",
    answers=("collate",),
    arguments=("sentences", "eos", "pad", "max_len"),
    outputs=("tokens", "real"),
    arrays="torch",
    right=(PLAIN, LISTS, LIBRARY, LATER),
    mistakes=MISTAKES,
    checks=(
        Check("one sentence that just fits", batch(4, limit=5), earns=False),
        Check("two sentences, far below the limit", batch(2, 3, limit=11)),
        Check("a sentence that is too long", batch(4, 9, limit=7)),
        Check("all are too long", batch(7, 11, 13, limit=5)),
        Check("one word too many", batch(5, 2, 3, limit=5)),
        Check("padding has the number 1", batch(2, 5, 3, limit=7, eos=2, pad=1)),
        Check(
            "seven sentences of all lengths",
            batch(3, 13, 5, 1, 8, 6, 7, limit=9, eos=5, pad=2),
        ),
    ),
    hints=(
        "Take two sentences by hand, one of 2 words and one of 6, with a limit of 5. "
        "Write down both rows. Where does each end?",
        "One line decides how wide the batch is, another what a long sentence loses. Is "
        "`max_len` a width, or a limit? And what must never be cut off?",
    ),
    section="Padding",
    why="A batch is as wide as its own longest row, so what it costs depends on who "
    "shares it. And a row that is cut ends like any other: with its end mark.",
)
