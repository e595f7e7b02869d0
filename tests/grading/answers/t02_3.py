"""Answers to 02.3: `learn` merges from counted words, `cut` a word by them."""

MERGE = """from collections import Counter
from itertools import pairwise


def merge(pieces, pair):
    joined = []
    for piece in pieces:
        if joined and (joined[-1], piece) == pair:
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined


"""


def function(head: str, body: str) -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def {head}:\n{lines}\n\n"


def given(
    count: str = """for word, pieces in split.items():
    for pair in pairwise(pieces):
        found[pair] += counts[word]""",
    best: str = "max(found, key=found.get)",
    order: str = "merges",
) -> str:
    """The functions as given, with other lines."""
    inner = "".join(f"        {line}\n" for line in count.splitlines())
    learn = f"""split = {{word: list(word) for word in counts}}
merges = []
for _ in range(n_merges):
    found = Counter()
COUNT    merges.append({best})
    split = {{word: merge(pieces, merges[-1]) for word, pieces in split.items()}}
return merges""".replace(
        "COUNT", inner.replace("        ", "    ", 1).replace("\n        ", "\n    ")
    )
    cut = f"""pieces = list(word)
for pair in {order}:
    pieces = merge(pieces, pair)
return pieces"""
    return MERGE + function("learn(counts, n_merges)", learn) + function(CUT, cut)


CUT = "cut(word, merges)"
LEARN = "learn(counts, n_merges)"
RIGHT_LEARN = given().split("def cut")[0]
RIGHT_CUT = "def cut" + given().split("def cut")[1]


def own(learn: str, cut: str = RIGHT_CUT) -> str:
    """Another `learn` or `cut`, beside the chapter's `merge`."""
    return MERGE + function(LEARN, learn) + cut


def own_cut(cut: str) -> str:
    return RIGHT_LEARN + function(CUT, cut)


RIGHT = {
    "mended": given(),
    "items of the counts": given("""for word, count in counts.items():
    for pair in pairwise(split[word]):
        found[pair] += count"""),
    "as often as it is said": given("""for word, pieces in split.items():
    for _ in range(counts[word]):
        for pair in pairwise(pieces):
            found[pair] += 1"""),
    "zip": given("""for word, pieces in split.items():
    for pair in zip(pieces, pieces[1:]):
        found[pair] = found[pair] + counts[word]"""),
    "most_common": given(best="found.most_common(1)[0][0]"),
    "sorted, stable": given(best="sorted(found, key=found.get, reverse=True)[0]"),
    "list of merges": given(order="list(merges)"),
    "by number": own_cut("""pieces = list(word)
for n in range(len(merges)):
    pieces = merge(pieces, merges[n])
return pieces"""),
    "reduce": own_cut("""from functools import reduce

return reduce(merge, merges, list(word))"""),
    "only where it fits": own_cut("""pieces = list(word)
for pair in merges:
    if pair in pairwise(pieces):
        pieces = merge(pieces, pair)
return pieces"""),
    "a recursion": own_cut("""if not merges:
    return list(word)
return merge(cut(word, merges[:-1]), merges[-1])"""),
    "own loops": own(
        """words = [[list(word), count] for word, count in counts.items()]
merges = []
while len(merges) < n_merges:
    totals = {}
    for pieces, count in words:
        for i in range(1, len(pieces)):
            pair = (pieces[i - 1], pieces[i])
            if pair not in totals:
                totals[pair] = 0
            totals[pair] += count
    top = max(totals.values())
    for pair in totals:
        if totals[pair] == top:
            break
    merges.append(pair)
    words = [[merge(pieces, pair), count] for pieces, count in words]
return merges""",
        function(
            CUT,
            """pieces, n = list(word), 0
for a, b in merges:
    n = 0
    while n + 1 < len(pieces):
        if pieces[n] == a and pieces[n + 1] == b:
            pieces[n] += pieces.pop(n + 1)
        n += 1
return pieces""",
        ),
    ),
    "pairs as lists": own(
        """merges = []
for _ in range(n_merges):
    found = Counter()
    for word in counts:
        for pair in pairwise(cut(word, merges)):
            found[pair] += counts[word]
    merges.append(list(found.most_common(1)[0][0]))
return merges""",
        function(
            CUT,
            """pieces = list(word)
for pair in merges:
    pieces = merge(pieces, tuple(pair))
return pieces""",
        ),
    ),
    "a marker between the pieces": own_cut("""text = "|" + "|".join(word) + "|"
for a, b in merges:
    while f"|{a}|{b}|" in text:
        text = text.replace(f"|{a}|{b}|", f"|{a + b}|", 1)
return text.strip("|").split("|")"""),
    "the whole text, word by word": own("""import numpy as np

words = list(counts)
split = [list(word) for word in words]
often = np.array([counts[word] for word in words])
merges = []
for _ in range(n_merges):
    pairs = list(dict.fromkeys(p for pieces in split for p in pairwise(pieces)))
    table = np.array([[list(pairwise(s)).count(p) for s in split] for p in pairs])
    merges.append(pairs[int(np.argmax(table @ often))])
    split = [merge(pieces, merges[-1]) for pieces in split]
return merges"""),
}

WRONG = {
    "nothing learned": own("return []"),
    "counts returned": own("""found = Counter()
for word in counts:
    for pair in pairwise(word):
        found[pair] += counts[word]
return found.most_common(n_merges)"""),
    "letters": own_cut("return list(word)"),
    "whole words": own_cut("return [word]"),
    "triples": given("""for word, pieces in split.items():
    for pair in zip(pieces, pieces[1:], pieces[2:]):
        found[pair] += counts[word]"""),
    "squared counts": given("""for word, pieces in split.items():
    for pair in pairwise(pieces):
        found[pair] += counts[word] ** 2"""),
    "counts less one": given("""for word, pieces in split.items():
    for pair in pairwise(pieces):
        found[pair] += counts[word] - 1"""),
    "per letter": given("""for word, pieces in split.items():
    for pair in pairwise(pieces):
        found[pair] += counts[word] / len(word)"""),
    "set of merges": given(order="sorted(set(merges), key=str)"),
    "every second merge": given(order="merges[::2]"),
    "last merge missing": given(order="merges[:-1]"),
    "again from the start": own_cut("""pieces = list(word)
for pair in merges:
    pieces = merge(list("".join(pieces)), pair)
return pieces"""),
    "counts emptied": own("""split = {word: list(word) for word in counts}
merges = []
for _ in range(n_merges):
    found = Counter()
    for word, pieces in split.items():
        for pair in pairwise(pieces):
            found[pair] += counts[word]
    merges.append(max(found, key=found.get))
    split = {word: merge(pieces, merges[-1]) for word, pieces in split.items()}
counts.clear()
return merges"""),
}

SPELLINGS = {
    "as planted": [
        given(
            """for pieces in split.values():
    for pair in pairwise(pieces):
        found[pair] += 1""",
            order='sorted(merges, key=lambda pair: -len("".join(pair)))',
        ),
        given(
            """for pieces in split.values():
    found.update(pairwise(pieces))""",
            order="sorted(merges, key=lambda p: len(p[0] + p[1]), reverse=True)",
        ),
    ],
    "each word counted once": [
        given("""for pieces in split.values():
    for pair in pairwise(pieces):
        found[pair] += 1"""),
        given(
            """found = Counter(p for pieces in split.values() for p in pairwise(pieces))"""
        ),
    ],
    "short pieces first": [
        given(order="sorted(merges, key=lambda pair: len(pair[0] + pair[1]))"),
    ],
    "long pieces first": [
        given(order='sorted(merges, key=lambda pair: -len("".join(pair)))'),
        own_cut("""pieces = list(word)
merges = list(merges)
merges.sort(key=lambda pair: len(pair[0]) + len(pair[1]), reverse=True)
for pair in merges:
    pieces = merge(pieces, pair)
return pieces"""),
    ],
    "merges by the alphabet": [given(order="sorted(merges)")],
    "last merge first": [
        given(order="merges[::-1]"),
        given(order="reversed(merges)"),
    ],
    "longest known piece": [
        own_cut("""known = {a + b for a, b in merges}
pieces, start = [], 0
while start < len(word):
    end = len(word)
    while end > start + 1 and word[start:end] not in known:
        end -= 1
    pieces.append(word[start:end])
    start = end
return pieces"""),
    ],
    "from left to right": [
        own_cut("""pieces = list(word)
changed = True
while changed:
    changed = False
    for pair in list(pairwise(pieces)):
        if pair in merges:
            pieces = merge(pieces, pair)
            changed = True
            break
return pieces"""),
    ],
    "only the first merge that fits": [
        own_cut("""for pair in merges:
    pieces = merge(list(word), pair)
    if len(pieces) < len(word):
        return pieces
return list(word)"""),
    ],
    "only one place in a word": [
        own_cut("""pieces = list(word)
for a, b in merges:
    for n in range(len(pieces) - 1):
        if pieces[n] == a and pieces[n + 1] == b:
            pieces[n : n + 2] = [a + b]
            break
return pieces"""),
    ],
    "a piece inside another piece": [
        own_cut("""text = " ".join(word)
for a, b in merges:
    text = text.replace(a + " " + b, a + b)
return text.split()"""),
    ],
    "text instead of a list": [
        own_cut("""pieces = list(word)
for pair in merges:
    pieces = merge(pieces, pair)
return " ".join(pieces)"""),
    ],
    "least frequent pair": [
        given(best="min(found, key=found.get)"),
        given(best="sorted(found, key=found.get)[0]"),
    ],
    "the last of the most frequent": [
        given(best="sorted(found, key=found.get)[-1]"),
    ],
    "equally frequent ones by the alphabet": [
        given(best="max((n, pair) for pair, n in found.items())[1]"),
        given(best="min((-n, pair) for pair, n in found.items())[1]"),
    ],
    "counted only at the beginning": [
        own("""found = Counter()
for word in counts:
    for pair in pairwise(word):
        found[pair] += counts[word]
return [pair for pair, _ in found.most_common(n_merges)]"""),
    ],
    "the same merge again and again": [
        own("""merges = []
for _ in range(n_merges):
    found = Counter()
    for word in counts:
        for pair in pairwise(word):
            found[pair] += counts[word]
    merges.append(max(found, key=found.get))
return merges"""),
    ],
    "new counts added to the old ones": [
        own("""split = {word: list(word) for word in counts}
merges, found = [], Counter()
for _ in range(n_merges):
    for word, pieces in split.items():
        for pair in pairwise(pieces):
            found[pair] += counts[word]
    merges.append(max(found, key=found.get))
    split = {word: merge(pieces, merges[-1]) for word, pieces in split.items()}
return merges"""),
    ],
    "a pair once per word": [
        given("""for word, pieces in split.items():
    seen = []
    for pair in pairwise(pieces):
        if pair not in seen:
            seen.append(pair)
            found[pair] += counts[word]"""),
    ],
    "last pair of each word left out": [
        given("""for word, pieces in split.items():
    for n in range(len(pieces) - 2):
        found[pieces[n], pieces[n + 1]] += counts[word]"""),
    ],
    "another number of merges": [
        own(
            given()
            .split("def learn(counts, n_merges):\n")[1]
            .split("\n\n\ndef cut")[0]
            .replace("    ", "", 1)
            .replace("\n    ", "\n")
            .replace("range(n_merges)", "range(1, n_merges)")
        ),
    ],
    "joined pieces instead of pairs": [
        own(
            given()
            .split("def learn(counts, n_merges):\n")[1]
            .split("\n\n\ndef cut")[0]
            .replace("    ", "", 1)
            .replace("\n    ", "\n")
            .replace("return merges", "return [a + b for a, b in merges]")
        ),
    ],
}

DOUBLE = [
    (
        "each word counted once",
        "merges by the alphabet",
        given(
            """for pieces in split.values():
    for pair in pairwise(pieces):
        found[pair] += 1""",
            order="sorted(merges)",
        ),
    ),
    (
        "the last of the most frequent",
        "long pieces first",
        given(
            best="max(reversed(list(found)), key=found.get)",
            order='sorted(merges, key=lambda pair: -len("".join(pair)))',
        ),
    ),
]
