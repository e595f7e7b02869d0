"""02.5 Side by side, or in the same contexts: neighbours counted and compared."""

import numpy as np

from tt_utils.grading.observing import probes
from tt_utils.grading.tasks.inputs import fixed
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def neighbour_table(sentences, vocabulary):
    table = np.zeros((len(vocabulary), len(vocabulary)))
    for sentence in sentences:
        ids = [vocabulary.index(word) for word in sentence.split()]
        for left, right in zip(ids, ids[1:]):
            table[left, right] += 1
            table[right, left] += 1
    return table


def alike(table, a, b):
    lengths = np.linalg.norm(table[a]) * np.linalg.norm(table[b])
    return table[a] @ table[b] / lengths if lengths > 0 else 0.0
"""

ADDED_AT = """
def neighbour_table(sentences, vocabulary):
    ids = {word: n for n, word in enumerate(vocabulary)}
    table = np.zeros((len(ids), len(ids)), dtype=int)
    for sentence in sentences:
        row = np.array([ids[word] for word in sentence.split()])
        np.add.at(table, (row[:-1], row[1:]), 1)
    return table + table.T


def alike(table, a, b):
    u, v = table[a], table[b]
    if not u.any() or not v.any():
        return 0.0
    return u @ v / (np.sqrt(u @ u) * np.sqrt(v @ v))
"""

ONE_HOT = """
def neighbour_table(sentences, vocabulary):
    table = 0
    for sentence in sentences:
        rows = [[word == entry for entry in vocabulary] for word in sentence.split()]
        seen = np.array(rows).astype(float)
        table = table + seen[:-1].T @ seen[1:] + seen[1:].T @ seen[:-1]
    return table


def alike(table, a, b):
    both = table[[a, b]]
    lengths = np.sqrt((both**2).sum(axis=1, keepdims=True))
    u, v = both / np.where(lengths == 0, 1, lengths)
    return float(u @ v)
"""

EACH_PLACE = """
def neighbour_table(sentences, vocabulary):
    table = [[0] * len(vocabulary) for _ in vocabulary]
    for sentence in sentences:
        words = sentence.split()
        for n, word in enumerate(words):
            for other in (n - 1, n + 1):
                if 0 <= other < len(words):
                    row = table[vocabulary.index(word)]
                    row[vocabulary.index(words[other])] += 1
    return np.array(table)


def alike(table, a, b):
    dot = sum(x * y for x, y in zip(table[a], table[b]))
    square_a = sum(x * x for x in table[a])
    square_b = sum(y * y for y in table[b])
    if square_a == 0 or square_b == 0:
        return 0.0
    return dot / math.sqrt(square_a * square_b)
"""

MISTAKES = r"""
neighbours on the right only: table[right, left] += 1 → pass
or: return table + table.T → return table
or: in (n - 1, n + 1) → in (n + 1,)
or: + seen[1:].T @ seen[:-1] →
    You count only the word that follows. In *the cat drank*, which words stand beside
    *cat*?

neighbours on the left only: table[left, right] += 1 → pass
or: return table + table.T → return table.T
or: in (n - 1, n + 1) → in (n - 1,)
or: + seen[:-1].T @ seen[1:] →
    You count only the word that comes before. In *the cat drank*, which words stand
    beside *cat*?

across the ends of sentences: for sentence in sentences: → for sentence in [" ".join(sentences)]:
    The last word of one sentence and the first of the next are neighbours in yours. Did
    anybody say them side by side?

last and first are neighbours: 0 <= other < len(words) → other < len(words)
or: zip(ids, ids[1:]) → zip(ids, ids[1:] + ids[:1])
or: if 0 <= other < len(words): → if True:
and: words[other] → words[other % len(words)]
    In yours the first word of a sentence stands beside the last one. In Python, which
    entry has the number −1?

first and last words left out: for n, word in enumerate(words): → for n, word in list(enumerate(words))[1:-1]:
    The first and the last word of a sentence count no neighbours in yours. How many has
    each of them?

all words of the sentence: zip(ids, ids[1:]) → ((ids[i], ids[j]) for j in range(len(ids)) for i in range(j))
or: for other in (n - 1, n + 1): → for other in [m for m in range(len(words)) if m != n]:
    You count every word of the same sentence. Which of them stand directly beside a
    word?

two positions away: zip(ids, ids[1:]) → [*zip(ids, ids[1:]), *zip(ids, ids[2:])]
or: (n - 1, n + 1) → (n - 2, n - 1, n + 1, n + 2)
    You look two positions away. Which words stand directly beside a word?

the word itself: (n - 1, n + 1) → (n - 1, n, n + 1)
or: return table + table.T → return table + table.T + np.diag(table.sum(0))
    You count each word as a neighbour of itself. Which words stand beside it?

zeros and ones: table[left, right] += 1\n            table[right, left] += 1 → table[left, right] = 1\n            table[right, left] = 1
or: return table + table.T → return (table + table.T > 0) * 1
or: row[vocabulary.index(words[other])] += 1 → row[vocabulary.index(words[other])] = 1
    Your table says only whether two words ever meet. How often do they?

repeated pairs counted once: np.add.at(table, (row[:-1], row[1:]), 1) → table[row[:-1], row[1:]] += 1
    A pair that comes twice in one sentence counts only once in yours. With a list of
    ids, what does `+=` do where the same entry stands in it twice?

each pair twice: zip(ids, ids[1:]) → [*zip(ids, ids[1:]), *zip(ids, ids[1:])]
or: return table + table.T → return 2 * (table + table.T)
or: (n - 1, n + 1) → (n - 1, n + 1, n - 1, n + 1)
    All your counts are twice as large. How often do you come by one pair?

every second pair: zip(ids, ids[1:]) → zip(ids[::2], ids[1::2])
    You skip every second pair. Which neighbours has the second word of a sentence?

shares instead of counts: return table\n\n\ndef alike(table, a, b):\n    lengths → return table / np.maximum(table.sum(1, keepdims=True), 1)\n\n\ndef alike(table, a, b):\n    lengths
or: return table + table.T → return (table + table.T) / np.maximum((table + table.T).sum(1, keepdims=True), 1)
    Your rows hold shares. What is asked for, before anything is divided?

first sentence only: for sentence in sentences: → for sentence in sentences[:1]:
    You read the first sentence alone. Where are the others counted?

the table of the last sentence: for sentence in sentences: → for sentence in sentences[-1:]:
or: for sentence in sentences:\n        row = → for sentence in sentences:\n        table[:] = 0\n        row =
    Your table holds the last sentence alone. Is something started anew for each of
    them?

only words of the text: table = np.zeros((len(vocabulary), len(vocabulary))) → vocabulary = sorted(set(" ".join(sentences).split()))\n    table = np.zeros((len(vocabulary), len(vocabulary)))
or: table = 0\n → vocabulary = sorted(set(" ".join(sentences).split()))\n    table = 0\n
or: return np.array(table) → return np.array([row for row in table if any(row)])
    A word of the vocabulary has no row in yours, since it does not come in this text.
    How many rows should there be?

letters: sentence.split() → [x for x in sentence if x in vocabulary]
    You go through the sentence letter by letter. What cuts it into words?

dot product: / lengths if lengths > 0 else 0.0 →
or: return u @ v / (np.sqrt(u @ u) * np.sqrt(v @ v)) → return u @ v
or: return dot / math.sqrt(square_a * square_b) → return dot
    You return the dot product. A word that is said twice as often has a row that is
    twice as long: should that make it more alike?

one length missing: np.linalg.norm(table[a]) * np.linalg.norm(table[b]) → np.linalg.norm(table[a])
or: (np.sqrt(u @ u) * np.sqrt(v @ v)) → np.sqrt(v @ v)
or: math.sqrt(square_a * square_b) → math.sqrt(square_a)
    You divide by one length alone. Which two rows are compared?

squared lengths: math.sqrt(square_a * square_b) → (square_a * square_b)
or: (np.sqrt(u @ u) * np.sqrt(v @ v)) → ((u @ u) * (v @ v))
or: lengths = np.linalg.norm(table[a]) * np.linalg.norm(table[b]) → lengths = np.linalg.norm(table[a]) ** 2 * np.linalg.norm(table[b]) ** 2
    You divide by squared lengths. What would the cosine of a row with itself be?

lengths added: np.linalg.norm(table[a]) * np.linalg.norm(table[b]) → np.linalg.norm(table[a]) + np.linalg.norm(table[b])
or: (np.sqrt(u @ u) * np.sqrt(v @ v)) → (np.sqrt(u @ u) + np.sqrt(v @ v))
    You add the two lengths up. What would the cosine of a row with itself be?

sums as lengths: np.linalg.norm(table[a]) * np.linalg.norm(table[b]) → table[a].sum() * table[b].sum()
or: np.linalg.norm(table[a]) * np.linalg.norm(table[b]) → abs(table[a]).sum() * abs(table[b]).sum()
or: math.sqrt(square_a * square_b) → (sum(table[a]) * sum(table[b]))
    You take the sum of a row as its length. How long is the arrow (3, 4)?

how often the two meet: return table[a] @ table[b] / lengths if lengths > 0 else 0.0 → return table[a, b] * 1.0
or: return dot / math.sqrt(square_a * square_b) → return table[a][b] * 1.0
    You return how often the two words stand side by side. Do *milk* and *tea* ever
    meet? And have they the same neighbours?

columns compared: lengths = np.linalg → table = table.T\n    lengths = np.linalg
or: u, v = table[a], table[b] → u, v = table[:, a], table[:, b]
or: both = table[[a, b]] → both = table[:, [a, b]].T
    You compare columns. Which axis of an embedding table belongs to a word?

zero row: if lengths > 0 else 0.0 →
or: if not u.any() or not v.any():\n        return 0.0\n    return → return
or: np.where(lengths == 0, 1, lengths) → lengths
or: if square_a == 0 or square_b == 0:\n        return 0.0\n    return → return
    A word without any neighbour has a row of length 0. What should be returned for it?

one zero is enough: not u.any() or not v.any() → not u.all() or not v.all()
or: if lengths > 0 else 0.0 → if table[a].all() and table[b].all() else 0.0
    You return 0.0 as soon as one number of a row is 0. Which rows have no length to
    divide by?

a sum of 0 taken for an empty row: if not u.any() or not v.any() → if u.sum() == 0 or v.sum() == 0
or: if lengths > 0 else 0.0 → if table[a].sum() and table[b].sum() else 0.0
or: if square_a == 0 or square_b == 0: → if sum(table[a]) == 0 or sum(table[b]) == 0:
    You take a row for empty where its numbers sum to 0. What do 2 and −2 sum to, and is
    a row of them empty?

zero row is quite alike: else 0.0 → else 1.0
or: not v.any():\n        return 0.0 → not v.any():\n        return 1.0
or: square_b == 0:\n        return 0.0 → square_b == 0:\n        return 1.0
    You call a word that has no neighbours quite like another. Which neighbours do they
    share?

one minus the cosine: return table[a] @ table[b] / lengths → return 1 - table[a] @ table[b] / lengths
or: return float(u @ v) → return 1 - float(u @ v)
    Yours is 0 for two equal rows. What should it be for them?

angle: return float(u @ v) → return math.acos(min(1, max(-1, float(u @ v))))
or: return float(u @ v) → return math.degrees(math.acos(min(1, max(-1, float(u @ v)))))
    You return the angle. Which function of it is asked for?

mean taken away: u, v = table[a], table[b] → u, v = table[a] - table[a].mean(), table[b] - table[b].mean()
or: lengths = np.linalg → table = table - table.mean(1, keepdims=True)\n    lengths = np.linalg
    You take the mean of a row away first. Two words that share no neighbour then come
    out as opposites: what should they be?

sign lost: return table[a] @ table[b] / lengths → return abs(table[a] @ table[b]) / lengths
or: return float(u @ v) → return abs(float(u @ v))
or: return table[a] @ table[b] / lengths → return max(0.0, table[a] @ table[b] / lengths)
    Rows of a trained table may point in opposite directions. Which sign has the cosine
    then?

shared neighbours counted: lengths = np.linalg → table = (table != 0) * 1.0\n    lengths = np.linalg
or: u, v = table[a], table[b] → u, v = (table[a] != 0) * 1.0, (table[b] != 0) * 1.0
    You ask only which neighbours two words share. How often each one stands there
    should count too: where did the numbers go?

distance: return float(u @ v) → return float(np.linalg.norm(both[0] - both[1]))
or: return float(u @ v) → return float(np.linalg.norm(u - v))
    You return how far apart the two rows lie. It should be largest for rows that point
    in the same direction: which measure of chapter 01 is that?

a word beside itself counted once: table[right, left] += 1 → table[right, left] += left != right
or: return table + table.T → return table + table.T - np.diag(table.diagonal())
or: + seen[1:].T @ seen[:-1] → + (seen[1:].T @ seen[:-1]) * (1 - np.eye(len(vocabulary)))
    You count a word that stands beside itself once. Each of the two stands beside the
    other: from how many sides is such a pair seen?

a word beside itself not counted: table[left, right] += 1\n            table[right, left] += 1 → table[left, right] += left != right\n            table[right, left] += left != right
or: return table + table.T → table = table + table.T\n    np.fill_diagonal(table, 0)\n    return table
or: if 0 <= other < len(words): → if 0 <= other < len(words) and words[other] != word:
    Where a word is said twice in a row, you count nothing. Does the task leave that pair
    out?

shares of all pairs: return table + table.T → return (table + table.T) / (table + table.T).sum()
    Your table holds shares of all pairs. What is asked for, before anything is divided?
"""

DRINKS = (
    "the cat drank the milk",
    "the dog drank the tea",
    "cold milk and cold tea",
    "we drank the cold milk",
)
FEW = ["a", "cat", "dog", "red", "runs", "the", "we"]


def some_text(rng, vocabulary, *lengths):
    """Random sentences in which no word stands beside itself."""
    sentences = []
    for length in lengths:
        words = rng.choice(vocabulary, 1).tolist()
        while len(words) < length:
            word = str(rng.choice(vocabulary))
            if word != words[-1]:
                words.append(word)
        sentences.append(" ".join(words))
    return sentences


def text(*lengths, unused=()):
    def inputs(rng):
        words = sorted({*FEW, *unused})
        return some_text(rng, FEW, *lengths), words

    return inputs


def in_places(*places):
    """Sentences that say which of some random words stands where."""

    def inputs(rng):
        words = rng.permutation(FEW).tolist()
        return [" ".join(words[n] for n in sentence) for sentence in places], FEW

    return inputs


def two_rows(rng):
    table = rng.integers(0, 7, size=(4, 4)).astype(float)
    table[:, 1:3] += 1  # no row of zeros
    one, other = rng.permutation(4)[:2].tolist()
    return table, one, other


def one_row_of_zeros(rng):
    table = rng.integers(0, 5, size=(4, 3)).astype(float)
    table[:, 1] += 1
    empty, balanced = rng.permutation(4)[:2]
    table[empty] = 0
    table[balanced, 2] = -table[balanced, :2].sum()
    return (table,)


def trained(words, width):
    """Short rows with both signs, of which two point in opposite directions.

    The numbers of one of the two sum to 0, though it isn't empty.
    """

    def inputs(rng):
        table = rng.normal(scale=0.1, size=(words, width)).round(2)
        half = rng.integers(1, 4, size=width // 2) / 16
        table[3] = rng.permutation(np.resize([*half, *-half, 0], width))
        table[1] = (table[1] - 3 * table[3]).round(2)
        return table, 3, 1

    return inputs


def alike_in_text(answers, sentences, vocabulary, one, other):
    """The two functions one after the other, for two words."""
    neighbour_table, alike = answers
    table = neighbour_table(sentences, vocabulary)
    return alike(table, vocabulary.index(one), vocabulary.index(other))


def all_pairs(answers, table):
    """The second function for every row with every row."""
    _, alike = answers
    rows = range(len(table))
    return [[alike(table, a, b) for b in rows] for a in rows]


def compared(title, inputs, fresh=None):
    arguments = "table", "a", "b"
    return Check(title, inputs, probes.second, arguments, ("cosine",), fresh=fresh)


def in_text(title, one, other, sentences=DRINKS):
    words = sorted({word for sentence in sentences for word in sentence.split()})

    def more_often(rng):
        said = rng.choice([1, 2, 3, 5, 8], len(sentences), replace=False)
        return rng.permutation(np.repeat(sentences, said)).tolist(), words, one, other

    return Check(
        title,
        lambda rng: (rng.permutation(sentences).tolist(), words, one, other),
        alike_in_text,
        ("sentences", "vocabulary", "one", "other"),
        ("cosine",),
        fresh=more_often,
    )


TASK = FunctionTask(
    title="Side by side, or in the same contexts?",
    kind="implement",
    answers=("neighbour_table", "alike"),
    arguments=("sentences", "vocabulary"),
    outputs=("table",),
    right=(PLAIN, ADDED_AT, ONE_HOT, EACH_PLACE),
    mistakes=MISTAKES,
    checks=(
        Check(
            "one sentence of three words",
            lambda rng: (["the cat drank"], ["cat", "drank", "the"]),
            fresh=in_places((0, 1, 2)),
        ),
        Check(
            "two sentences",
            lambda rng: (
                ["the cat drank", "milk sleeps"],
                ["cat", "drank", "milk", "sleeps", "the"],
            ),
            fresh=in_places((0, 1, 2), (3, 4)),
        ),
        Check(
            "a pair that comes twice in a sentence",
            lambda rng: (["the cat and the cat"], ["and", "cat", "the"]),
            fresh=in_places((0, 1, 2, 0, 1)),
        ),
        Check(
            "a word beside itself",
            lambda rng: (["we saw the the cat"], ["cat", "saw", "the", "we"]),
            fresh=in_places((3, 0, 1, 1, 2)),
        ),
        Check("five sentences, seven words", text(7, 4, 9, 2, 5)),
        Check(
            "a sentence of one word, and a word that never comes",
            text(6, 1, 5, unused=("zebra", "bee")),
        ),
        compared(
            "two rows of counts",
            fixed([[3, 0, 4, 0], [1, 2, 0, 2], [0, 6, 5, 1], [2, 0, 0, 0]], 0, 2),
            two_rows,
        ),
        compared(
            "rows of a trained table, seven words with five numbers", trained(7, 5)
        ),
        Check(
            "every word with every other one, and one has no neighbours",
            fixed([[0, 2, 1], [0, 0, 0], [4, 0, 1], [2, 1, -3]]),
            all_pairs,
            ("table",),
            ("cosines",),
            fresh=one_row_of_zeros,
        ),
        in_text("*milk* and *tea*, which never meet", "milk", "tea"),
        in_text("*the* and *drank*, which often meet", "the", "drank"),
        Check(
            "two words of a random text",
            lambda rng: (some_text(rng, FEW, 9, 13, 11, 7), FEW, "cat", "runs"),
            alike_in_text,
            ("sentences", "vocabulary", "one", "other"),
            ("cosine",),
        ),
    ),
    hints=(
        "Take *the cat drank* and the vocabulary *cat, drank, the*. Draw the table with "
        "three rows and three columns: which entries get a 1?",
        "Go through the pairs of neighbours of each sentence. Each pair is seen from two "
        "sides. For `alike` you have a formula from chapter 01: when does it divide by 0?",
    ),
    section="Where the numbers come from",
    why="Words that never meet can have equal rows, and words that always meet can have "
    "nothing in common. What training learns from neighbours is in these counts already.",
)
