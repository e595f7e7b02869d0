"""23.1 Stage 1: from sentences to padded batches of ids, and back."""

from tt_utils.grading.tasks.spec import Check, FunctionTask

MARKS = "PAD, BOS, EOS = 0, 1, 2\n"

PLAIN = (
    MARKS
    + """
def vocabulary(texts):
    words = sorted({word for text in texts for word in text.split()})
    return {word: i for i, word in enumerate(["<pad>", "<s>", "</s>", *words])}

def tokenize(text, ids):
    return [ids[word] for word in text.split()] + [EOS]

def detokenize(tokens, ids):
    words = list(ids)
    end = tokens.index(EOS) if EOS in tokens else len(tokens)
    return " ".join(words[i] for i in tokens[:end])

def pad(rows):
    longest = max(map(len, rows))
    return torch.tensor([row + [PAD] * (longest - len(row)) for row in rows])

def batch_of(pairs, ids):
    src = pad([tokenize(source, ids) for source, _ in pairs])
    tgt = pad([[BOS] + tokenize(target, ids) for _, target in pairs])
    return src, tgt[:, :-1], tgt[:, 1:]
"""
)

LOOPS = (
    MARKS
    + """
def vocabulary(texts):
    words = []
    for text in texts:
        for word in text.split():
            if word not in words:
                words.append(word)
    ids = {"<pad>": PAD, "<s>": BOS, "</s>": EOS}
    for word in sorted(words):
        ids[word] = len(ids)
    return ids

def tokenize(text, ids):
    tokens = []
    for word in text.split():
        tokens.append(ids[word])
    tokens.append(EOS)
    return tokens

def detokenize(tokens, ids):
    word_of = {i: word for word, i in ids.items()}
    words = []
    for token in tokens:
        if token == EOS:
            break
        words.append(word_of[token])
    return " ".join(words)

def pad(rows):
    full = torch.zeros(len(rows), max(len(row) for row in rows), dtype=torch.long)
    for number, row in enumerate(rows):
        full[number, : len(row)] = torch.tensor(row)
    return full

def batch_of(pairs, ids):
    src, tgt, labels = [], [], []
    for source, target in pairs:
        words = tokenize(target, ids)
        src.append(tokenize(source, ids))
        tgt.append([BOS] + words[:-1])
        labels.append(words)
    return pad(src), pad(tgt), pad(labels)
"""
)

LIBRARY = (
    MARKS
    + """
from itertools import takewhile

def vocabulary(texts):
    words = ["<pad>", "<s>", "</s>"] + sorted(set(" ".join(texts).split()))
    return dict(zip(words, range(len(words))))

def tokenize(text, ids):
    return [*map(ids.get, text.split()), EOS]

def detokenize(tokens, ids):
    words = {i: word for word, i in ids.items()}
    return " ".join(words[i] for i in takewhile(lambda i: i != EOS, tokens))

def pad(rows):
    tensors = [torch.tensor(row) for row in rows]
    return torch.nn.utils.rnn.pad_sequence(tensors, batch_first=True)

def batch_of(pairs, ids):
    sources, targets = zip(*pairs)
    labels = pad([tokenize(text, ids) for text in targets])
    begin = torch.full((len(pairs), 1), BOS)
    tgt = torch.cat([begin, labels[:, :-1]], dim=1)
    return pad([tokenize(text, ids) for text in sources]), tgt, labels
"""
)

MISTAKES = """
entries in another order: return {word: i for i, word in enumerate(["<pad>", "<s>", "</s>", *words])} → return {word: i + 3 for i, word in enumerate(words)} | {"<pad>": PAD, "<s>": BOS, "</s>": EOS}
    Your ids are right, and your entries stand in another order than they. Which three
    entries come first?

marks left out: ["<pad>", "<s>", "</s>", *words] → words
or: {"<pad>": PAD, "<s>": BOS, "</s>": EOS} → {}
or: ["<pad>", "<s>", "</s>"] + sorted → sorted
    Your first word has the id of the padding. Which three entries come before all words?

words in no fixed order: sorted({word for text in texts for word in text.split()}) → list(dict.fromkeys(word for text in texts for word in text.split()))
or: in sorted(words) → in words
or: sorted(set(" ".join(texts).split())) → list(dict.fromkeys(" ".join(texts).split()))
    Your ids follow the order of the sentences. In which order does the task want the
    words, so that the same corpus gives the same ids?

letters for words: in text.split()}) → in text})
or: set(" ".join(texts).split()) → set("".join(texts))
    Your vocabulary holds letters. What does a `for` over a text go through?

only the first text: for word in text.split()}) → for word in text.split() if text is texts[0]})
or: sorted(set(" ".join(texts).split())) → sorted(set(texts[0].split()))
    Words that the first sentence doesn't have are missing. Which texts are read?

ids from 1: in enumerate(["<pad>", "<s>", "</s>", *words])} → in enumerate(["<pad>", "<s>", "</s>", *words], 1)}
or: range(len(words)) → range(1, len(words) + 1)
    All your ids are one too large. Which id has the padding?

no end of the sentence: for word in text.split()] + [EOS] → for word in text.split()]
or:     tokens.append(EOS)\\n →
or: [*map(ids.get, text.split()), EOS] → [*map(ids.get, text.split())]
    Your sentences have no end. How would a decoder learn when to stop?

a begin before every sentence: return [ids[word] → return [BOS] + [ids[word]
or: tokens = []\\n    for word in text.split() → tokens = [BOS]\\n    for word in text.split()
or: [*map(ids.get, text.split()), EOS] → [BOS, *map(ids.get, text.split()), EOS]
    Each of your sentences opens with the begin mark, the source too. Who needs a word
    to begin with, and which function should give it?

end written out: tokens[:end] → tokens[: end + 1]
or:         words.append(word_of[token])\\n →         words.append(word_of[token])\\n        if token == EOS:\\n            break\\n
and:         if token == EOS:\\n            break\\n        words →         words
    Your text ends with the mark `</s>`. Does the end belong to what a reader sees?

written on behind the end: end = tokens.index(EOS) if EOS in tokens else len(tokens) → end = len(tokens)
or: takewhile(lambda i: i != EOS, tokens) → tokens
    Your text goes on behind the end of the sentence. Where does it stop?

an end taken for granted: tokens.index(EOS) if EOS in tokens else len(tokens) → tokens.index(EOS)
    A sentence that was cut off has no end, and yours fails there. What is written then?

no blanks: return " ".join(words[i] → return "".join(words[i]
or: return " ".join(words)\\n → return "".join(words)\\n
    Your words stand without a blank between them. With what are they joined?

cut to the shortest: longest = max(map(len, rows))\\n    return torch.tensor([row + [PAD] * (longest - len(row)) for row in rows]) → longest = min(map(len, rows))\\n    return torch.tensor([row[:longest] for row in rows])
    You cut the rows to the shortest. What should be added to the others instead?

padding in front: row + [PAD] * (longest - len(row)) → [PAD] * (longest - len(row)) + row
or: full[number, : len(row)] = → full[number, full.shape[1] - len(row) :] =
    Your padding stands before the words. On which side of a sentence does it belong?

padded with the end: [PAD] * → [EOS] *
or: pad_sequence(tensors, batch_first=True) → pad_sequence(tensors, True, EOS)
or: torch.zeros(len(rows), max(len(row) for row in rows), dtype=torch.long) → torch.full((len(rows), max(len(row) for row in rows)), EOS)
    You fill up with ends of sentences. Which id says that nothing stands here?

columns for rows: batch_first=True → batch_first=False
or: for row in rows]) → for row in rows]).T
    Each of your columns is a sentence. Which axis is the batch?

target without a begin: [[BOS] + tokenize(target, ids) for → [tokenize(target, ids) for
or: tgt.append([BOS] + words[:-1]) → tgt.append(words[:-1])
and: labels.append(words) → labels.append(words[1:])
    Your decoder is never asked for the first word. What does it read before it has
    written anything?

labels not shifted: tgt[:, :-1], tgt[:, 1:] → tgt[:, :-1], tgt[:, :-1]
or: labels.append(words) → labels.append([BOS] + words[:-1])
or: ), tgt, labels → ), tgt, tgt
    Your labels are what the decoder reads: it would learn to copy. Which word should it
    predict at each position?

read and label exchanged: tgt[:, :-1], tgt[:, 1:] → tgt[:, 1:], tgt[:, :-1]
or: pad(tgt), pad(labels) → pad(labels), pad(tgt)
or: ), tgt, labels → ), labels, tgt
    Your decoder reads one word ahead of what it should predict. Which of the two begins
    with the begin mark?

end never predicted: tgt[:, :-1], tgt[:, 1:] → tgt[:, :-2], tgt[:, 1:-1]
or: labels.append(words) → labels.append(words[:-1])
and: [BOS] + words[:-1] → [BOS] + words[:-2]
    The last column of your target is missing. Which label tells the decoder to stop?

languages exchanged: for source, _ in pairs → for _, source in pairs
and: for _, target in pairs → for target, _ in pairs
or: for source, target in pairs → for target, source in pairs
or: sources, targets = → targets, sources =
    You translate from the second language into the first. Which one is the source?
"""

WORDS = [
    "red",
    "cat",
    "dog",
    "small",
    "house",
    "bird",
    "blue",
    "table",
    "tree",
    "old",
    "new",
    "boat",
]


def text(rng, length):
    return " ".join(rng.choice(WORDS, length))


def texts_of(*lengths):
    return lambda rng: ([text(rng, length) for length in lengths],)


def ids_of(rng):
    """A vocabulary whose words stand in an order of their own."""
    words = rng.permutation(WORDS).tolist()
    return {word: i for i, word in enumerate(["<pad>", "<s>", "</s>", *words])}


def words_in(answers, texts):
    """The vocabulary's words with their ids, as they stand in it."""
    return [[word, number] for word, number in answers[0](texts).items()]


def tokens_of(answers, text, ids):
    return answers[1](text, ids)


def text_of(answers, tokens, ids):
    return answers[2](tokens, ids)


def of_ids(name, found):
    """Raise TypeError for what an `nn.Embedding` wouldn't take."""
    import torch

    if not isinstance(found, torch.Tensor) or found.dtype != torch.long:
        form = getattr(found, "dtype", type(found).__name__)
        raise TypeError(f"{name} should give a tensor of whole numbers, got {form}")
    return found


def padded(answers, rows):
    return of_ids("pad", answers[3](rows))


def batch(answers, pairs, ids):
    """The batch; what the decoder reads where no label stands is nobody's matter."""
    src, tgt, labels = (of_ids("batch_of", one) for one in answers[4](pairs, ids))
    return src, tgt * (labels != 0) if tgt.shape == labels.shape else tgt, labels


def one_text(length):
    return lambda rng: (text(rng, length).replace(" ", "  ", 1), ids_of(rng))


def tokens_with(length, after):
    """So many words, an end where something comes after it, and that."""

    def inputs(rng):
        words = rng.integers(3, 15, length).tolist()
        return words + ([2] if after is not None else []) + (after or []), ids_of(rng)

    return inputs


def rows_of(*lengths):
    return lambda rng: ([rng.integers(3, 15, n).tolist() for n in lengths],)


def pairs_of(*lengths):
    return lambda rng: (
        [(text(rng, n), text(rng, m)) for n, m in lengths],
        ids_of(rng),
    )


TOKENS = {"probe": tokens_of, "arguments": ("text", "ids"), "outputs": ("tokens",)}
ROWS = {"probe": padded, "arguments": ("rows",), "outputs": ("padded",)}
BACK = {"probe": text_of, "arguments": ("tokens", "ids"), "outputs": ("text",)}
BATCH = {
    "probe": batch,
    "arguments": ("pairs", "ids"),
    "outputs": ("src", "tgt", "labels"),
}

TASK = FunctionTask(
    title="Stage 1: text",
    kind="implement",
    answers=("vocabulary", "tokenize", "detokenize", "pad", "batch_of"),
    arguments=("texts",),
    outputs=("ids",),
    arrays="torch",
    right=(PLAIN, LOOPS, LIBRARY),
    mistakes=MISTAKES,
    pairs=False,
    checks=(
        Check("the vocabulary of one sentence", texts_of(4), words_in),
        Check("the vocabulary of five sentences", texts_of(3, 5, 2, 4, 6), words_in),
        Check("a sentence as ids", one_text(5), **TOKENS),
        Check("ids as a sentence", tokens_with(4, []), **BACK),
        Check("ids behind the end", tokens_with(3, [0, 5, 2, 0]), **BACK),
        Check("ids without an end", tokens_with(5, None), **BACK),
        Check("three rows of different length", rows_of(2, 5, 3), **ROWS),
        Check("one row", rows_of(4), **ROWS),
        Check("a batch of pairs", pairs_of((3, 4), (5, 2), (2, 6)), **BATCH),
        Check("a batch of one", pairs_of((2, 3)), **BATCH),
    ),
    hints=(
        "Take two short pairs and write down the three tensors of `batch_of` by hand, "
        "padding included. Which columns do reading and labels share?",
        "Each function uses those above it. Which of them knows about the end of a "
        "sentence, and which about its begin?",
    ),
    page="13c_the_whole_on_one_page",
    section="Text",
    why="From here on a sentence is a row of whole numbers. The labels are what the "
    "decoder reads, one step ahead: this shift is the whole task of a language model.",
)
