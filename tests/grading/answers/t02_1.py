"""Answers to 02.1: a vocabulary, the ids of a sentence, its one-hot matrix."""


def function(head: str, body: str) -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def {head}:\n{lines}\n\n"


def written(
    vocabulary: str = """return ["<unk>"] + sorted(set(" ".join(sentences).split()))""",
    encode: str = """ids = {word: i for i, word in enumerate(vocabulary)}
return [ids.get(word, ids["<unk>"]) for word in sentence.split()]""",
    one_hot: str = "return np.eye(vocab_size)[tokens]",
) -> str:
    return (
        function("make_vocabulary(sentences)", vocabulary)
        + function("encode(sentence, vocabulary)", encode)
        + function("one_hot(tokens, vocab_size)", one_hot)
    )


RIGHT = {
    "short": written(),
    "a set that grows": written(
        """words = set()
for sentence in sentences:
    words.update(sentence.split())
result = sorted(words)
result.insert(0, "<unk>")
return result""",
        """ids = []
for word in sentence.split():
    if word in vocabulary:
        ids.append(vocabulary.index(word))
    else:
        ids.append(vocabulary.index("<unk>"))
return ids""",
        """out = np.zeros((len(tokens), vocab_size))
for i in range(len(tokens)):
    out[i][tokens[i]] = 1
return out""",
    ),
    "np.unique": written(
        """words = np.concatenate([sentence.split() for sentence in sentences])
return np.concatenate([["<unk>"], np.unique(words)])""",
        """table = np.array(vocabulary)
known = [word if word in vocabulary else "<unk>" for word in sentence.split()]
return np.array([np.flatnonzero(table == word)[0] for word in known])""",
        """matrix = np.zeros((len(tokens), vocab_size), dtype=int)
np.put_along_axis(matrix, np.array(tokens)[:, None], 1, axis=1)
return matrix""",
    ),
    "torch": written(
        one_hot="""import torch

return torch.nn.functional.one_hot(torch.tensor(tokens), vocab_size)"""
    ),
    "torch's eye": written(
        one_hot="""import torch

return torch.eye(vocab_size, dtype=torch.float64)[torch.tensor(tokens)]"""
    ),
    "lists": written(
        """words = []
for sentence in sentences:
    for word in sentence.split(" "):
        words.append(word)
return ["<unk>"] + sorted(list(set(words)))""",
        """def number(word):
    try:
        return vocabulary.index(word)
    except ValueError:
        return vocabulary.index("<unk>")

return [number(word) for word in sentence.split(" ")]""",
        "return [[int(i == t) for i in range(vocab_size)] for t in tokens]",
    ),
    "tuples and map": written(
        """words = {w for s in sentences for w in s.split()}
return tuple(["<unk>", *sorted(words)])""",
        """ids = dict(zip(vocabulary, range(len(vocabulary))))
return list(map(lambda w: ids[w] if w in ids else ids["<unk>"], sentence.split()))""",
        "return np.stack([np.eye(vocab_size)[t] for t in tokens])",
    ),
    "comparison": written(
        one_hot="""tokens = np.asarray(tokens).reshape(-1, 1)
return np.where(np.arange(vocab_size) == tokens, 1.0, 0.0)"""
    ),
    "defaultdict": written(
        encode="""from collections import defaultdict

unknown = vocabulary.index("<unk>")
ids = defaultdict(lambda: unknown)
for number, word in enumerate(vocabulary):
    ids[word] = number
return [ids[word] for word in sentence.split()]"""
    ),
    "rows as columns of eye": written(
        one_hot="return np.eye(vocab_size, dtype=np.float32)[:, tokens].T"
    ),
    "flat places": written(
        one_hot="""flat = np.zeros(len(tokens) * vocab_size)
flat[np.arange(len(tokens)) * vocab_size + np.array(tokens)] = 1
return flat.reshape(len(tokens), vocab_size)"""
    ),
    "printing on the way": written(
        encode="""ids = []
for word in sentence.split():
    print(word)
    ids.append(vocabulary.index(word if word in vocabulary else "<unk>"))
return ids"""
    ),
}

WRONG = {
    "nothing returned": written(one_hot="np.eye(vocab_size)[tokens]"),
    "a set": written('return {"<unk>", *" ".join(sentences).split()}'),
    "text": written('return " ".join(["<unk>", *sorted(set(sentences))])'),
    "whole sentences": written('return ["<unk>", *sorted(set(sentences))]'),
    "capitals": written("""words = set(" ".join(sentences).upper().split())
return ["<unk>", *sorted(words)]"""),
    "another name for unknown": written(
        """return ["unk"] + sorted(set(" ".join(sentences).split()))"""
    ),
    "first letter only compared": written(
        """return ["<unk>"] + sorted(set(" ".join(sentences).split()), key=lambda w: w[0])"""
    ),
    "ids as text": written(
        encode="""ids = [vocabulary.index(w) if w in vocabulary else 0 for w in sentence.split()]
return " ".join(map(str, ids))"""
    ),
    "nearest word": written(
        encode="""import bisect

return [bisect.bisect_left(vocabulary, w) for w in sentence.split()]"""
    ),
    "minus ones": written(one_hot="return 2 * np.eye(vocab_size)[tokens] - 1"),
    "shares": written(one_hot="return np.eye(vocab_size)[tokens] / len(tokens)"),
    "all places up to the id": written(
        one_hot="return (np.arange(vocab_size) <= np.array(tokens)[:, None]) * 1.0"
    ),
    "ones": written(one_hot="return np.ones((len(tokens), vocab_size))"),
    "the tokens' list is emptied": written(
        one_hot="""rows = []
while tokens:
    rows.append(np.eye(vocab_size)[tokens.pop(0)])
return np.array(rows)"""
    ),
    "a vocabulary of its own": written(
        encode="""words = sorted(set(sentence.split()))
return [words.index(word) for word in sentence.split()]"""
    ),
}

SPELLINGS = {
    "capitals lost": [
        written("""words = " ".join(sentences).lower().split()
return ["<unk>", *sorted(set(words))]"""),
    ],
    "places instead of ids": [
        written(
            one_hot="""matrix = np.zeros((len(tokens), vocab_size))
np.fill_diagonal(matrix, 1)
return matrix"""
        ),
    ],
    "the sign instead of its id": [
        written(
            encode="""ids = {word: i for i, word in enumerate(vocabulary)}
return [ids.get(word, "<unk>") for word in sentence.split()]"""
        ),
    ],
    "not sorted": [
        written("""words = ["<unk>"]
for sentence in sentences:
    for word in sentence.split():
        if word not in words:
            words.append(word)
return words"""),
        written("""words = " ".join(sentences).split()
return ["<unk>"] + list(dict.fromkeys(words))"""),
    ],
    "words listed twice": [
        written("""words = []
for sentence in sentences:
    words += sentence.split()
return ["<unk>"] + sorted(words)"""),
    ],
    "no entry for unknown words": [
        written("""return sorted(set(" ".join(sentences).split()))"""),
    ],
    "unknown at the end": [
        written("""words = sorted(set(" ".join(sentences).split()))
words.append("<unk>")
return words"""),
    ],
    "unknown sorted among the words": [
        written("""words = set(" ".join(sentences).split())
words.add("<unk>")
return sorted(words)"""),
        written("""return sorted(set(("<unk> " + " ".join(sentences)).split()))"""),
    ],
    "letters instead of words": [
        written("""letters = set()
for sentence in sentences:
    letters |= set(sentence)
return ["<unk>", *sorted(letters)]"""),
    ],
    "last sentence only": [
        written("""for sentence in sentences:
    words = set(sentence.split())
return ["<unk>", *sorted(words)]"""),
    ],
    "first sentence only": [
        written("""words = set()
for sentence in sentences:
    words |= set(sentence.split())
    return ["<unk>", *sorted(words)]"""),
    ],
    "sorted by frequency": [
        written("""words = " ".join(sentences).split()
different = list(dict.fromkeys(words))
return ["<unk>", *sorted(different, key=words.count, reverse=True)]"""),
    ],
    "unknown words left out": [
        written(
            encode="""words = sentence.split()
return [vocabulary.index(w) for w in words if w in vocabulary]"""
        ),
        written(
            encode="""ids = []
for word in sentence.split():
    if word in vocabulary:
        ids.append(vocabulary.index(word))
return ids"""
        ),
    ],
    "unknown word raises": [
        written(encode="return [vocabulary.index(w) for w in sentence.split()]"),
        written(
            encode="""ids = {w: i for i, w in enumerate(vocabulary)}
return [ids[w] for w in sentence.split()]"""
        ),
    ],
    "unknown is always 0": [
        written(
            encode="""ids = []
for word in sentence.split():
    ids.append(vocabulary.index(word) if word in vocabulary else 0)
return ids"""
        ),
    ],
    "unknown is always 3": [
        written(
            encode="""ids = {w: i for i, w in enumerate(vocabulary)}
return [ids[w] if w in ids else 3 for w in sentence.split()]"""
        ),
    ],
    "unknown is minus one": [
        written(
            encode="""words = sentence.split()
return [vocabulary.index(w) if w in vocabulary else -1 for w in words]"""
        ),
    ],
    "unknown gets a new id": [
        written(
            encode="""ids = []
for word in sentence.split():
    if word not in vocabulary:
        ids.append(len(vocabulary))
    else:
        ids.append(vocabulary.index(word))
return ids"""
        ),
    ],
    "ids counted from 1": [
        written(
            encode="""ids = {word: i + 1 for i, word in enumerate(vocabulary)}
return [ids.get(word, ids["<unk>"]) for word in sentence.split()]"""
        ),
    ],
    "ids in order of size": [
        written(
            encode="""ids = {word: i for i, word in enumerate(vocabulary)}
return sorted(ids.get(word, ids["<unk>"]) for word in sentence.split())"""
        ),
    ],
    "as wide as the sentence": [
        written(one_hot="return np.eye(len(tokens))"),
        written(one_hot="return np.eye(len(tokens))[tokens]"),
    ],
    "as wide as the largest id": [
        written(one_hot="return np.eye(max(tokens) + 1)[tokens]"),
        written(
            one_hot="""out = np.zeros((len(tokens), max(tokens) + 1))
for i, t in enumerate(tokens):
    out[i, t] = 1
return out"""
        ),
    ],
    "on its side": [
        written(one_hot="return np.eye(vocab_size)[:, tokens]"),
        written(
            one_hot="""out = np.zeros((vocab_size, len(tokens)))
for i, t in enumerate(tokens):
    out[t, i] = 1
return out"""
        ),
    ],
    "one row for all": [
        written(
            one_hot="""row = np.zeros(vocab_size)
for t in tokens:
    row[t] += 1
return row"""
        ),
        written(
            one_hot="""row = np.zeros(vocab_size)
row[tokens] = 1
return row"""
        ),
    ],
    "ones in every row": [
        written(
            one_hot="""out = np.zeros((len(tokens), vocab_size))
for t in tokens:
    out[:, t] = 1
return out"""
        ),
    ],
    "the id instead of 1": [
        written(
            one_hot="""out = np.zeros((len(tokens), vocab_size))
for i, t in enumerate(tokens):
    out[i, t] = t
return out"""
        ),
    ],
    "one-hot counted from 1": [
        written(
            one_hot="""out = np.zeros((len(tokens), vocab_size))
for i, t in enumerate(tokens):
    out[i, t - 1] = 1
return out"""
        ),
    ],
    "equal tokens once": [
        written(one_hot="return np.eye(vocab_size)[np.unique(tokens)]"),
    ],
    "truth values": [
        written(
            one_hot="return np.array(tokens)[:, None] == np.arange(vocab_size)[None, :]"
        ),
    ],
}

DOUBLE = [
    (
        "not sorted",
        "unknown is always 3",
        written(
            """words = " ".join(sentences).split()
return ["<unk>"] + list(dict.fromkeys(words))""",
            """ids = {w: i for i, w in enumerate(vocabulary)}
return [ids.get(w, 3) for w in sentence.split()]""",
        ),
    ),
    (
        "unknown words left out",
        "on its side",
        written(
            encode="return [vocabulary.index(w) for w in sentence.split() if w in vocabulary]",
            one_hot="return np.eye(vocab_size)[tokens].T",
        ),
    ),
]
