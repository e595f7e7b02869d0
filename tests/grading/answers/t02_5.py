"""Answers to 02.5: a table of neighbours, and the cosine of two of its rows."""


def function(head: str, body: str) -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def {head}:\n{lines}\n\n"


TABLE = """ids = {word: n for n, word in enumerate(vocabulary)}
table = np.zeros((len(vocabulary), len(vocabulary)))
for sentence in sentences:
    words = sentence.split()
    for a, b in zip(words, words[1:]):
        table[ids[a], ids[b]] += 1
        table[ids[b], ids[a]] += 1
return table"""
ALIKE = """u, v = table[a], table[b]
lengths = np.linalg.norm(u) * np.linalg.norm(v)
if lengths == 0:
    return 0.0
return u @ v / lengths"""


def written(table: str = TABLE, alike: str = ALIKE) -> str:
    return function("neighbour_table(sentences, vocabulary)", table) + function(
        "alike(table, a, b)", alike
    )


RIGHT = {
    "pairs": written(),
    "pairwise and index": written(
        """from itertools import pairwise

table = np.zeros((len(vocabulary),) * 2, dtype=int)
for sentence in sentences:
    for a, b in pairwise(sentence.split()):
        i, j = vocabulary.index(a), vocabulary.index(b)
        table[i][j] += 1
        table[j][i] += 1
return table"""
    ),
    "Counter": written(
        """from collections import Counter
from itertools import pairwise

found = Counter()
for sentence in sentences:
    found.update(pairwise(sentence.split()))
return np.array([[found[a, b] + found[b, a] for b in vocabulary] for a in vocabulary])"""
    ),
    "one-hot rows": written(
        """n = len(vocabulary)
table = np.zeros((n, n))
for sentence in sentences:
    seen = np.eye(n)[[vocabulary.index(word) for word in sentence.split()]]
    table += seen[1:].T @ seen[:-1]
return table + table.T"""
    ),
    "a step matrix": written(
        """n = len(vocabulary)
table = np.zeros((n, n))
for sentence in sentences:
    seen = np.eye(n)[[vocabulary.index(word) for word in sentence.split()]]
    near = np.eye(len(seen), k=1) + np.eye(len(seen), k=-1)
    table += np.einsum("ti,ts,sj->ij", seen, near, seen)
return table"""
    ),
    "lists": written(
        """table = [[0 for _ in vocabulary] for _ in vocabulary]
for sentence in sentences:
    words = sentence.split(" ")
    for i in range(1, len(words)):
        a, b = vocabulary.index(words[i - 1]), vocabulary.index(words[i])
        table[a][b] += 1
        table[b][a] += 1
return table""",
        """dot = length_a = length_b = 0
for x, y in zip(table[a], table[b]):
    dot += x * y
    length_a += x**2
    length_b += y**2
if length_a * length_b == 0:
    return 0
return dot / (length_a**0.5 * length_b**0.5)""",
    ),
    "torch": written(
        """import torch

ids = {word: n for n, word in enumerate(vocabulary)}
table = torch.zeros(len(ids), len(ids))
for sentence in sentences:
    row = [ids[word] for word in sentence.split()]
    for a, b in zip(row, row[1:]):
        table[a, b] += 1
        table[b, a] += 1
return table""",
        """import torch

u, v = torch.as_tensor(table[a]).double(), torch.as_tensor(table[b]).double()
return torch.nn.functional.cosine_similarity(u, v, dim=0)""",
    ),
    "padding at both ends": written(
        """table = np.zeros((len(vocabulary), len(vocabulary)))
for sentence in sentences:
    words = [None, *sentence.split(), None]
    for before, word, after in zip(words, words[1:], words[2:]):
        for other in (before, after):
            if other is not None:
                table[vocabulary.index(word), vocabulary.index(other)] += 1
return table"""
    ),
    "units first": written(
        alike="""u = table[a] / max(np.linalg.norm(table[a]), 1e-12)
v = table[b] / max(np.linalg.norm(table[b]), 1e-12)
return float(np.dot(u, v))"""
    ),
    "nan_to_num": written(
        alike="""u, v = table[a], table[b]
return np.nan_to_num(u @ v / np.sqrt((u @ u) * (v @ v)))"""
    ),
    "a table of all cosines": written(
        alike="""norms = np.linalg.norm(table, axis=1)
all_cosines = table @ table.T / np.maximum(np.outer(norms, norms), 1e-9)
return all_cosines[a, b]"""
    ),
    "bincount": written(
        """n = len(vocabulary)
table = np.zeros(n * n)
for sentence in sentences:
    row = np.array([vocabulary.index(word) for word in sentence.split()])
    table += np.bincount(row[:-1] * n + row[1:], minlength=n * n)
table = table.reshape(n, n)
return table + table.T"""
    ),
}

WRONG = {
    "nothing returned": written(TABLE.replace("return table", "table")),
    "a dictionary": written("""from collections import Counter

return Counter(word for sentence in sentences for word in sentence.split())"""),
    "words counted": written("""words = " ".join(sentences).split()
return np.diag([words.count(word) for word in vocabulary])"""),
    "all zeros": written("return np.zeros((len(vocabulary), len(vocabulary)))"),
    "ten less": written(TABLE.replace("return table", "return table - 10")),
    "halves": written(TABLE.replace("+= 1", "+= 0.5")),
    "only two apart": written(TABLE.replace("words[1:]", "words[2:]")),
    "logarithms": written(TABLE.replace("return table", "return np.log(1 + table)")),
    "table of truth": written(TABLE.replace("return table", "return table > 0")),
    "sentences changed": written(
        TABLE.replace("return table", "sentences.clear()\nreturn table")
    ),
    "vocabulary sorted by frequency": written(
        TABLE.replace(
            "ids = {word: n for n, word in enumerate(vocabulary)}",
            """words = " ".join(sentences).split()
order = sorted(vocabulary, key=words.count)
ids = {word: n for n, word in enumerate(order)}""",
        )
    ),
    "cosine of all rows": written(alike="return table @ table.T"),
    "rounded": written(
        alike=ALIKE.replace("u @ v / lengths", "round(u @ v / lengths)")
    ),
    "squared cosine": written(
        alike=ALIKE.replace("u @ v / lengths", "(u @ v / lengths) ** 2")
    ),
    "always 1": written(alike="return 1.0"),
    "a row with itself": written(alike=ALIKE.replace("table[b]", "table[a]")),
    "table normalised in place": written(
        alike="""lengths = np.linalg.norm(table, axis=1, keepdims=True)
table /= np.where(lengths == 0, 1, lengths)
return table[a] @ table[b]"""
    ),
}

SPELLINGS = {
    "neighbours on the right only": [
        written(TABLE.replace("        table[ids[b], ids[a]] += 1\n", "")),
        written("""from collections import Counter
from itertools import pairwise

found = Counter(p for s in sentences for p in pairwise(s.split()))
return np.array([[found[a, b] for b in vocabulary] for a in vocabulary])"""),
    ],
    "neighbours on the left only": [
        written(TABLE.replace("        table[ids[a], ids[b]] += 1\n", "")),
    ],
    "across the ends of sentences": [
        written("""table = np.zeros((len(vocabulary), len(vocabulary)))
words = " ".join(sentences).split()
for a, b in zip(words, words[1:]):
    table[vocabulary.index(a), vocabulary.index(b)] += 1
    table[vocabulary.index(b), vocabulary.index(a)] += 1
return table"""),
    ],
    "last and first are neighbours": [
        written("""table = np.zeros((len(vocabulary), len(vocabulary)))
for sentence in sentences:
    ids = [vocabulary.index(word) for word in sentence.split()]
    for i in range(len(ids)):
        table[ids[i], ids[i - 1]] += 1
        table[ids[i - 1], ids[i]] += 1
return table"""),
    ],
    "all words of the sentence": [
        written("""table = np.zeros((len(vocabulary), len(vocabulary)))
for sentence in sentences:
    ids = [vocabulary.index(word) for word in sentence.split()]
    for i, a in enumerate(ids):
        for j, b in enumerate(ids):
            if i != j:
                table[a, b] += 1
return table"""),
    ],
    "two places away": [
        written("""table = np.zeros((len(vocabulary), len(vocabulary)))
for sentence in sentences:
    ids = [vocabulary.index(word) for word in sentence.split()]
    for i, a in enumerate(ids):
        for j in range(max(0, i - 2), min(len(ids), i + 3)):
            if j != i:
                table[a, ids[j]] += 1
return table"""),
    ],
    "the word itself": [
        written("""table = np.zeros((len(vocabulary), len(vocabulary)))
for sentence in sentences:
    ids = [vocabulary.index(word) for word in sentence.split()]
    for i, a in enumerate(ids):
        for b in ids[max(0, i - 1) : i + 2]:
            table[a, b] += 1
return table"""),
    ],
    "zeros and ones": [
        written(TABLE.replace("+= 1", "= 1")),
        written(TABLE.replace("return table", "return np.minimum(table, 1)")),
    ],
    "repeated pairs counted once": [
        written("""table = np.zeros((len(vocabulary), len(vocabulary)))
for sentence in sentences:
    row = np.array([vocabulary.index(word) for word in sentence.split()])
    table[row[:-1], row[1:]] += 1
return table + table.T"""),
    ],
    "each pair twice": [
        written("""table = np.zeros((len(vocabulary), len(vocabulary)))
for sentence in sentences:
    ids = [vocabulary.index(word) for word in sentence.split()]
    for i in range(len(ids)):
        for j in range(len(ids)):
            if abs(i - j) == 1:
                table[ids[i], ids[j]] += 1
                table[ids[j], ids[i]] += 1
return table"""),
    ],
    "shares instead of counts": [
        written(
            TABLE.replace(
                "return table",
                "total = table.sum(axis=1, keepdims=True)\n"
                "return table / np.where(total == 0, 1, total)",
            )
        ),
    ],
    "first sentence only": [
        written(TABLE.replace("return table", "    return table")),
    ],
    "the table of the last sentence": [
        written("""for sentence in sentences:
    table = np.zeros((len(vocabulary), len(vocabulary)))
    ids = [vocabulary.index(word) for word in sentence.split()]
    for a, b in zip(ids, ids[1:]):
        table[a, b] += 1
        table[b, a] += 1
return table"""),
    ],
    "dot product": [
        written(alike="return table[a] @ table[b]"),
        written(alike="return sum(x * y for x, y in zip(table[a], table[b]))"),
    ],
    "one length missing": [
        written(alike=ALIKE.replace(" * np.linalg.norm(v)", "")),
    ],
    "squared lengths": [
        written(
            alike="""u, v = table[a], table[b]
lengths = (u**2).sum() * (v**2).sum()
return u @ v / lengths if lengths else 0.0"""
        ),
    ],
    "lengths added": [
        written(alike=ALIKE.replace("norm(u) *", "norm(u) +")),
    ],
    "how often the two meet": [
        written(alike="return float(table[a, b])"),
    ],
    "columns compared": [
        written(alike=ALIKE.replace("table[a], table[b]", "table[:, a], table[:, b]")),
    ],
    "zero row": [
        written(
            alike="""u, v = table[a], table[b]
return u @ v / np.linalg.norm(u) / np.linalg.norm(v)"""
        ),
    ],
    "one minus the cosine": [
        written(alike=ALIKE.replace("u @ v / lengths", "1 - u @ v / lengths")),
    ],
    "mean taken away": [
        written(alike="return np.nan_to_num(np.corrcoef(table[a], table[b])[0, 1])"),
    ],
    "sign lost": [
        written(alike=ALIKE.replace("u @ v / lengths", "abs(u @ v) / lengths")),
    ],
    "distance": [
        written(alike="return np.linalg.norm(table[a] - table[b])"),
    ],
}

DOUBLE = [
    (
        "across the ends of sentences",
        "dot product",
        written(
            """table = np.zeros((len(vocabulary), len(vocabulary)))
words = " ".join(sentences).split()
for a, b in zip(words, words[1:]):
    table[vocabulary.index(a), vocabulary.index(b)] += 1
    table[vocabulary.index(b), vocabulary.index(a)] += 1
return table""",
            "return table[a] @ table[b]",
        ),
    ),
    (
        "neighbours on the right only",
        "how often the two meet",
        written(
            TABLE.replace("        table[ids[b], ids[a]] += 1\n", ""),
            "return table[a, b]",
        ),
    ),
]
