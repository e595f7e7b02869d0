"""02.1 A vocabulary, the ids of a sentence, and its one-hot matrix."""

from tt_utils.grading.observing import probes
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def make_vocabulary(sentences):
    words = {word for sentence in sentences for word in sentence.split()}
    return ["<unk>", *sorted(words)]


def encode(sentence, vocabulary):
    unknown = vocabulary.index("<unk>")
    return [
        vocabulary.index(word) if word in vocabulary else unknown
        for word in sentence.split()
    ]


def one_hot(tokens, vocab_size):
    return np.eye(vocab_size)[tokens]
"""

LOOPS = """
def make_vocabulary(sentences):
    found = []
    for sentence in sentences:
        for word in sentence.split():
            if word not in found:
                found.append(word)
    found.sort()
    return ["<unk>"] + found


def encode(sentence, vocabulary):
    ids = []
    for word in sentence.split():
        if word not in vocabulary:
            word = "<unk>"
        ids.append(vocabulary.index(word))
    return ids


def one_hot(tokens, vocab_size):
    matrix = np.zeros((len(tokens), vocab_size))
    for row, token in enumerate(tokens):
        matrix[row, token] = 1
    return matrix
"""

DICT = """
def make_vocabulary(sentences):
    found = sorted(set(" ".join(sentences).split()))
    found.insert(0, "<unk>")
    return found


def encode(sentence, vocabulary):
    ids = {word: n for n, word in enumerate(vocabulary)}
    return [ids.get(word, ids["<unk>"]) for word in sentence.split()]


def one_hot(tokens, vocab_size):
    return (np.array(tokens)[:, None] == np.arange(vocab_size)).astype(float)
"""

COUNTED = """
def make_vocabulary(sentences):
    from collections import Counter

    counts = Counter()
    for sentence in sentences:
        counts.update(sentence.split())
    return ["<unk>"] + sorted(counts)


def encode(sentence, vocabulary):
    ids = []
    for word in sentence.split():
        try:
            ids.append(vocabulary.index(word))
        except ValueError:
            ids.append(vocabulary.index("<unk>"))
    return ids


def one_hot(tokens, vocab_size):
    matrix = np.zeros((len(tokens), vocab_size))
    matrix[np.arange(len(tokens)), tokens] = 1
    return matrix
"""

MISTAKES = """
not sorted: sorted(words)] → dict.fromkeys(" ".join(sentences).split())]
or: found.sort() → pass
or: sorted(words)] → words]
    Your words are not in alphabetical order. An order that comes from a set or from the
    text may be another one next time: what would the saved ids fetch then?

sorted by frequency: sorted(counts) → [word for word, _ in counts.most_common()]
    Your most frequent words come first. A longer text would give all words other ids:
    which order does the task ask for?

sorted by length: sorted(words) → sorted(sorted(words), key=len)
or: found.sort() → found.sort(key=len)
    You sorted the short words to the front. Which order does the task ask for?

sorted backwards: sorted(words) → sorted(words, reverse=True)
or: found.sort() → found.sort(reverse=True)
    Your list runs from z to a. In which direction should it run?

capitals lost: {word for sentence in sentences for word in sentence.split()} → {word.lower() for sentence in sentences for word in sentence.split()}
or: set(" ".join(sentences).split()) → set(" ".join(sentences).lower().split())
or: for word in sentence.split()\\n    ]\\n\\n\\ndef one_hot → for word in sentence.lower().split()\\n    ]\\n\\n\\ndef one_hot
or: for word in sentence.split()]\\n\\n\\ndef one_hot → for word in sentence.lower().split()]\\n\\n\\ndef one_hot
    You write all words in small letters. Nothing in the task changes a word: which entry
    does *Rivers* have in yours?

sorted as if all letters were small: sorted(words)] → sorted(words, key=str.lower)]
or: found.sort() → found.sort(key=str.lower)
    Your order takes no notice of capitals. The task asks for that of plain `sorted`:
    where does it put *Rivers*?

words listed twice: if word not in found: → if True:
or: {word for sentence in sentences for word in sentence.split()} → [word for sentence in sentences for word in sentence.split()]
    A word that occurs twice stands in your list twice, so it would have two rows. How
    many rows should one word have?

words that occur once left out: sorted(counts) → sorted(word for word in counts if counts[word] > 1)
    Your list lacks the words that occur only once. Which words should get a row?

no entry for unknown words: return ["<unk>", *sorted(words)] → return sorted(words)
or: return ["<unk>"] + found → return found
    Your list has no `<unk>`. What will stand for a word that is not in it?

unknown at the end: return ["<unk>", *sorted(words)] → return [*sorted(words), "<unk>"]
or: return ["<unk>"] + found → return found + ["<unk>"]
    Your `<unk>` stands at the end. Which id does the task give to it?

unknown sorted among the words: return ["<unk>", *sorted(words)] → return sorted({"<unk>", *words})
or: found = [] → found = ["<unk>"]
and: return ["<unk>"] + found → return found
    You sorted `<unk>` together with the words, and a digit comes before `<`. How do you
    make sure that it is first, whatever the words are?

letters instead of words: for word in sentence.split()} → for word in sentence}
or: " ".join(sentences).split() → "".join(sentences)
or: for word in sentence.split()} → for word in sentence.replace(" ", "")}
    Your list holds single letters. What cuts a sentence into words?

first sentence only: for sentence in sentences for word in sentence.split() → for word in sentences[0].split()
or: for sentence in sentences:\\n → for sentence in sentences[:1]:\\n
    You read only one sentence. Where do the words of the others go?

last sentence only: for sentence in sentences:\\n → for sentence in sentences[-1:]:\\n
or: for word in sentence.split():\\n            if → found = []\\n        for word in sentence.split():\\n            if
    Your list holds the words of the last sentence alone. Is something started anew for
    each sentence?

a dictionary: return ["<unk>", *sorted(words)] → return {word: n for n, word in enumerate(["<unk>", *sorted(words)])}
    You return a dictionary. In a list a word has a number too: where does it stand?

cut only at the first space: sentence.split() → sentence.split(" ", 1)
    You cut each sentence once, and the rest stays in one piece. How many words has it?

unknown words left out: vocabulary.index(word) if word in vocabulary else unknown\\n        for word in sentence.split() → vocabulary.index(word)\\n        for word in sentence.split() if word in vocabulary
or: word = "<unk>" → continue
or: ids.append(vocabulary.index("<unk>")) → pass
    Your list of ids is shorter than the sentence: unknown words are gone, and the
    others have moved. What should stand at their positions?

unknown word raises: vocabulary.index(word) if word in vocabulary else unknown → vocabulary.index(word)
or: ids.get(word, ids["<unk>"]) → ids[word]
    One word of the sentence is not in the vocabulary, and you look it up all the same.
    What should stand for it?

unknown is always 0: unknown = vocabulary.index("<unk>") → unknown = 0
or: ids.get(word, ids["<unk>"]) → ids.get(word, 0)
    You give 0 to an unknown word. In this vocabulary another word has the id 0: where
    does `<unk>` stand?

unknown is always 3: unknown = vocabulary.index("<unk>") → unknown = 3
or: ids.get(word, ids["<unk>"]) → ids.get(word, 3)
    You give 3 to an unknown word. That is its id in the book's own word list: which one
    is it here?

unknown is minus one: unknown = vocabulary.index("<unk>") → unknown = -1
or: ids.get(word, ids["<unk>"]) → ids.get(word, -1)
    You give −1 to an unknown word, and as a row of a table that is the last word. Which
    row was kept for words that are not on the list?

unknown gets a new id: unknown = vocabulary.index("<unk>") → unknown = len(vocabulary)
or: ids.get(word, ids["<unk>"]) → ids.setdefault(word, len(ids))
    You give an unknown word a number that no row has. How many rows has the table?

unknown is None: ids.get(word, ids["<unk>"]) → ids.get(word)
    You have None where a word is unknown. Which entry of the vocabulary is there for
    it?

the sign instead of its id: in vocabulary else unknown → in vocabulary else "<unk>"
or: ids.get(word, ids["<unk>"]) → ids.get(word, "<unk>")
    You put the text `<unk>` among the ids. Which number stands for it?

places in the sentence: ids.get(word, ids["<unk>"]) for word in → n for n, word in enumerate(
and: sentence.split()]\\n\\n\\ndef one_hot → sentence.split())]\\n\\n\\ndef one_hot
    You number the words of the sentence. Which list gives a word its id?

ids counted from 1: enumerate(vocabulary) → enumerate(vocabulary, 1)
or: ids.append(vocabulary.index(word)) → ids.append(vocabulary.index(word) + 1)
and: ids.append(vocabulary.index("<unk>")) → ids.append(vocabulary.index("<unk>") + 1)
    All your ids are 1 too large. What is the number of the first row?

ids in order of size: return ids\\n\\n\\ndef one_hot → return sorted(ids)\\n\\n\\ndef one_hot
    Your ids stand in order of size. Which order has the sentence?

each id once: return ids\\n\\n\\ndef one_hot → return list(dict.fromkeys(ids))\\n\\n\\ndef one_hot
or: return ids\\n\\n\\ndef one_hot → return sorted(set(ids))\\n\\n\\ndef one_hot
    A word that comes twice has only one id in yours. How many tokens has the sentence?

letters encoded: for word in sentence.split()\\n    ]\\n\\n\\ndef one_hot → for word in sentence\\n    ]\\n\\n\\ndef one_hot
or: for word in sentence.split()]\\n\\n\\ndef one_hot → for word in sentence]\\n\\n\\ndef one_hot
    You have an id for each letter. What cuts a sentence into words?

words instead of ids: ids.append(vocabulary.index(word)) → ids.append(word)
    You return words. Which number stands for each of them?

counts instead of ids: return ids\\n\\n\\ndef one_hot → return [ids.count(n) for n in range(len(vocabulary))]\\n\\n\\ndef one_hot
    You count how often each entry of the vocabulary occurs. Where has the order of the
    words gone?

as wide as the sentence: np.eye(vocab_size)[tokens] → np.eye(len(tokens))[np.array(tokens) % len(tokens)]
or: np.arange(vocab_size) → np.arange(len(tokens))
or: np.eye(vocab_size)[tokens] → np.eye(len(tokens))[tokens]
or: np.eye(vocab_size)[tokens] → np.eye(len(tokens))
or: np.zeros((len(tokens), vocab_size)) → np.zeros((len(tokens), len(tokens)))
    Your matrix has one column per token. What does a column stand for?

as wide as the largest id: np.arange(vocab_size) → np.arange(max(tokens) + 1)
or: np.eye(vocab_size)[tokens] → np.eye(max(tokens) + 1)[tokens]
    Your matrix ends at the largest id of this sentence. Which words have a column, too?

on its side: np.eye(vocab_size)[tokens] → np.eye(vocab_size)[tokens].T
or: np.zeros((len(tokens), vocab_size)) → np.zeros((vocab_size, len(tokens)))
and: matrix[row, token] → matrix[token, row]
or: np.eye(vocab_size)[tokens] → np.eye(vocab_size)[:, tokens]
    Your tokens are columns. A row of the table stands for a word: what should a row of
    the one-hot matrix stand for, so that `one_hot @ E` works?

places instead of ids: np.eye(vocab_size)[tokens] → np.eye(len(tokens), vocab_size)
    Row 0 of yours has its 1 at position 0, row 1 at position 1, whatever the tokens
    are. What says at which position the 1 of a row stands?

the whole table: np.eye(vocab_size)[tokens] → np.eye(vocab_size)
    You return a row for each word of the vocabulary. Which rows does this sentence
    need, and how often?

one row for all: np.eye(vocab_size)[tokens] → np.eye(vocab_size)[tokens].sum(0)
or: np.eye(vocab_size)[tokens] → np.eye(vocab_size)[tokens].max(0)
or: return matrix → return matrix.sum(0)
    You put all tokens into one row, so their order is lost. How many rows should come
    out?

first token only: np.eye(vocab_size)[tokens] → np.eye(vocab_size)[tokens[0]]
    You return the row of the first token alone. How many rows should come out?

ones in every row: matrix[np.arange(len(tokens)), tokens] = 1 → matrix[:, tokens] = 1
    Each of your rows has a 1 for every token of the sentence. Which token does a row
    belong to?

the id instead of 1: matrix[row, token] = 1 → matrix[row, token] = token
or: matrix[np.arange(len(tokens)), tokens] = 1 → matrix[np.arange(len(tokens)), tokens] = tokens
    Your rows hold the id itself. An id is no quantity: how many times is its row of the
    table taken?

one-hot counted from 1: np.eye(vocab_size)[tokens] → np.eye(vocab_size)[np.array(tokens) - 1]
or: matrix[row, token] = 1 → matrix[row, token - 1] = 1
    Your 1 stands one position too far left. Which column belongs to id 0?

equal tokens once: np.eye(vocab_size)[tokens] → np.eye(vocab_size)[sorted(set(tokens))]
or: np.eye(vocab_size)[tokens] → np.eye(vocab_size)[list(dict.fromkeys(tokens))]
    A token that comes twice has only one row in yours. How many rows should come out?

truth values: .astype(float) →
    Your matrix holds True and False. What is to be multiplied with the table?

sentences sorted one by one: return ["<unk>"] + found → return ["<unk>"] + list(dict.fromkeys(word for sentence in sentences for word in sorted(sentence.split())))
    You sort the words of each sentence by themselves. Over which words does one order
    run?

unknown words share the last row: unknown = vocabulary.index("<unk>") → unknown = len(vocabulary) - 1
or: ids.get(word, ids["<unk>"]) → ids.get(word, len(ids) - 1)
    You give the last id to an unknown word, and that row belongs to another one. Which
    row was kept for it?

sentences as words: sorted(set(" ".join(sentences).split())) → sorted(set(sentences))
    Your entries are whole sentences. What cuts them into words?
"""

NAMES = "bird boat cheese fox garden hen horse lamp milk moon pear river snow tea wolf"
MORE = "the a small green sleeps sees eats by never"
WORDS = NAMES.split() + MORE.split()


def text(rng, *lengths, words=WORDS):
    """Sentences of so many random words each."""
    return [" ".join(rng.choice(words, length).tolist()) for length in lengths]


def sentences(*lengths):
    return lambda rng: (text(rng, *lengths),)


def new_sentence(length, known, unknown_at=0, capital=()):
    """A sentence, and a vocabulary that lacks some of its words."""

    def inputs(rng):
        chosen = rng.permutation(WORDS).tolist()
        vocabulary = sorted([*chosen[:known], *capital])
        vocabulary.insert(unknown_at, "<unk>")
        words = rng.choice(chosen[:known], length - 2).tolist()
        words += rng.choice(chosen[known:], 2, replace=False).tolist()
        words = rng.permutation([*words, *capital]).tolist()
        return " ".join([words[0], *words]), vocabulary

    return inputs


def known_words(length, known):
    """A sentence, and a vocabulary that holds all its words."""

    def inputs(rng):
        vocabulary = sorted(rng.choice(WORDS, known, replace=False).tolist())
        sentence = " ".join(rng.choice(vocabulary, length).tolist())
        return sentence, ["<unk>", *vocabulary]

    return inputs


def any_ids(count, vocab_size):
    return lambda rng: (rng.permutation(vocab_size)[:count].tolist(), vocab_size)


def ids(count, vocab_size):
    """Ids out of order; the last two words of the vocabulary are not among them."""

    def inputs(rng):
        some = rng.integers(0, vocab_size - 2, count)
        some[0], some[-1] = vocab_size - 3, 1
        return some.tolist(), vocab_size

    return inputs


def text_to_rows(answers, sentences, sentence):
    """All three functions, one after the other."""
    make_vocabulary, encode, one_hot = answers
    vocabulary = make_vocabulary(sentences)
    return one_hot(encode(sentence, vocabulary), len(vocabulary))


def third(answers, *arguments):
    return answers[2](*arguments)


def with_sentence(*lengths):
    def inputs(rng):
        return text(rng, *lengths), text(rng, 7)[0] + " zebra"

    return inputs


def encoded(title, inputs, fresh=None):
    arguments = "sentence", "vocabulary"
    return Check(title, inputs, probes.second, arguments, ("tokens",), fresh=fresh)


def multiplied(title, inputs, fresh=None):
    arguments = "tokens", "vocab_size"
    return Check(title, inputs, third, arguments, ("matrix",), fresh=fresh)


CAT = ("the cat drank the milk", "the dog saw the cat")

TASK = FunctionTask(
    title="From words to rows",
    kind="implement",
    answers=("make_vocabulary", "encode", "one_hot"),
    arguments=("sentences",),
    outputs=("vocabulary",),
    right=(PLAIN, LOOPS, DICT, COUNTED),
    mistakes=MISTAKES,
    checks=(
        Check(
            "the vocabulary of two sentences",
            lambda rng: ([*CAT],),
            fresh=sentences(5, 5),
        ),
        Check("the vocabulary of five sentences", sentences(5, 3, 7, 2, 6)),
        Check(
            "the vocabulary of a text with a number and a capital letter",
            lambda rng: (["7 small birds", *text(rng, 4, 5), "the 7 Rivers"],),
        ),
        encoded(
            "a sentence without unknown words",
            lambda rng: (
                "the milk the cat drank",
                ["<unk>", "cat", "drank", "milk", "the"],
            ),
            known_words(5, 4),
        ),
        encoded("a sentence with two unknown words", new_sentence(7, 11)),
        encoded(
            "a word with a capital letter, and `<unk>` has another id than 0",
            new_sentence(8, 13, unknown_at=5, capital=("Rivers",)),
        ),
        multiplied(
            "three tokens, four words", lambda rng: ([3, 0, 1], 4), any_ids(3, 4)
        ),
        multiplied("five tokens, eleven words", ids(5, 11)),
        multiplied("thirteen tokens, seven words", ids(13, 7)),
        Check(
            "from the text to the one-hot matrix",
            with_sentence(5, 3, 6),
            text_to_rows,
            ("sentences", "sentence"),
            ("matrix",),
        ),
    ),
    hints=(
        "Take the two sentences of the example, by hand: write down the list, then the "
        "ids of *the bird drank*. Which of these words is not on the list?",
        "`np.eye(4)` has a row for each of four words, with its 1 at the position of the "
        "word. Which of these rows do you need, in which order, and how often?",
    ),
    section="A lookup is a matrix product",
    why="An id says which row to take, and a one-hot row times the table takes it. So "
    "the order of the list matters only in one way: it must stay the same.",
)
