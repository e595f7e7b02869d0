"""02.3 Two planted bugs: a text's counts forgotten, and merges out of order."""

from string import ascii_lowercase

import numpy as np

from tt_utils.grading.observing import probes
from tt_utils.grading.tasks.spec import Check, FunctionTask

MERGE = """
def merge(pieces, pair):
    joined = []
    for piece in pieces:
        if joined and (joined[-1], piece) == pair:
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined
"""

PLAIN = (
    """
from collections import Counter
from itertools import pairwise

"""
    + MERGE
    + """

def learn(counts, n_merges):
    split = {word: list(word) for word in counts}
    merges = []
    for _ in range(n_merges):
        found = Counter()
        for word, pieces in split.items():
            for pair in pairwise(pieces):
                found[pair] += counts[word]
        merges.append(max(found, key=found.get))
        split = {word: merge(pieces, merges[-1]) for word, pieces in split.items()}
    return merges


def cut(word, merges):
    pieces = list(word)
    for pair in merges:
        pieces = merge(pieces, pair)
    return pieces
"""
)

LOOPS = """
def join(pieces, pair):
    joined, n = [], 0
    while n < len(pieces):
        if tuple(pieces[n : n + 2]) == pair:
            joined.append(pieces[n] + pieces[n + 1])
            n += 2
        else:
            joined.append(pieces[n])
            n += 1
    return joined


def learn(counts, n_merges):
    merges = []
    for _ in range(n_merges):
        found = {}
        for word, count in counts.items():
            pieces = cut(word, merges)
            for n in range(len(pieces) - 1):
                pair = pieces[n], pieces[n + 1]
                found[pair] = found.get(pair, 0) + count
        best = None
        for pair in found:
            if best is None or found[pair] > found[best]:
                best = pair
        merges.append(best)
    return merges


def cut(word, merges):
    pieces = list(word)
    for pair in merges:
        pieces = join(pieces, tuple(pair))
    return pieces
"""

RANKS = """
from collections import Counter


def learn(counts, n_merges):
    words = [(tuple(word), count) for word, count in counts.items()]
    merges = []
    while len(merges) < n_merges:
        found = Counter()
        for pieces, count in words:
            for pair in zip(pieces, pieces[1:]):
                found[pair] += count
        ((pair, _),) = found.most_common(1)
        merges.append(pair)
        words = [(tuple(cut("".join(pieces), merges)), n) for pieces, n in words]
    return merges


def cut(word, merges):
    ranks = {tuple(pair): rank for rank, pair in enumerate(merges)}
    pieces = list(word)
    while True:
        pairs = [pair for pair in zip(pieces, pieces[1:]) if pair in ranks]
        if not pairs:
            return pieces
        first = min(pairs, key=ranks.get)
        n = 0
        while n < len(pieces) - 1:
            if (pieces[n], pieces[n + 1]) == first:
                pieces[n : n + 2] = [pieces[n] + pieces[n + 1]]
            n += 1
"""

TEXT = """
import re
from collections import Counter


def join(text, pair):
    both = re.escape(" ".join(pair))
    return re.sub(r"(?<!\\S)" + both + r"(?!\\S)", "".join(pair), text)


def learn(counts, n_merges):
    texts = {" ".join(word): count for word, count in counts.items()}
    merges = []
    for _ in range(n_merges):
        found = Counter()
        for text, count in texts.items():
            pieces = text.split()
            for pair in zip(pieces, pieces[1:]):
                found.update({pair: count})
        pair = max(found.items(), key=lambda item: item[1])[0]
        merges.append(pair)
        texts = {join(text, pair): count for text, count in texts.items()}
    return merges


def cut(word, merges):
    text = " ".join(word)
    for pair in merges:
        text = join(text, pair)
    return text.split()
"""

MISTAKES = r"""
as planted: found[pair] += counts[word] → found[pair] += 1
and: for pair in merges: → for pair in sorted(merges, key=lambda pair: -len("".join(pair))):
    Two things are wrong, and neither ever raises an error. Take the chapter's twelve
    words: how often does *e a* occur in the text, and how often in your count?

each word counted once: found[pair] += counts[word] → found[pair] += 1
or: found.get(pair, 0) + count → found.get(pair, 0) + 1
or: found[pair] += count\n → found[pair] += 1\n
or: {pair: count} → {pair: 1}
    A word that is said five times counts only once in yours. What should become short:
    what stands in many words, or what is said often?

length instead of count: found[pair] += counts[word] → found[pair] += len(word)
or: found.get(pair, 0) + count → found.get(pair, 0) + len(word)
    You add how long the word is. A word that is said five times: how much should each of
    its pairs count?

long pieces first: for pair in merges: → for pair in sorted(merges, key=lambda pair: -len("".join(pair))):
    You try the long pieces first. But a long piece is joined out of shorter ones: are
    those there yet?

short pieces first: for pair in merges: → for pair in sorted(merges, key=lambda pair: len("".join(pair))):
    You try the short pieces first, so every piece is there in time. But of two merges
    that want the same letter, which one did the text join first?

merges by the alphabet: for pair in merges:\n        pieces → for pair in sorted(merges):\n        pieces
or: for pair in merges:\n        text → for pair in sorted(merges):\n        text
or: first = min(pairs, key=ranks.get) → first = min(pairs)
    You do the merges in alphabetical order. In which order were they learned, and what
    was a word cut into at that moment?

last merge first: for pair in merges:\n        pieces → for pair in reversed(merges):\n        pieces
or: for pair in merges:\n        text → for pair in merges[::-1]:\n        text
or: first = min(pairs, key=ranks.get) → first = max(pairs, key=ranks.get)
    You begin with the merge that was learned last. In which order did the pieces come
    to be?

from left to right: first = min(pairs, key=ranks.get) → first = pairs[0]
    You join the first pair in the word that is on the list at all. Of several that fit,
    which one was learned first?

longest known piece: pieces = list(word)\n    for pair in merges:\n        pieces = merge(pieces, pair)\n    return pieces → known = {"".join(pair) for pair in merges}\n    pieces = []\n    while word:\n        n = max([n for n in range(len(word) + 1) if word[:n] in known] or [1])\n        pieces.append(word[:n])\n        word = word[n:]\n    return pieces
    You take the longest known piece from the left. That is another way to cut: what did
    the merges do to such a word while they were learned?

only the first merge that fits: pieces = merge(pieces, pair)\n    return pieces → pieces = merge(pieces, pair)\n        if len(pieces) < len(word):\n            break\n    return pieces
or: return pieces\n        first = → return pieces\n        if len(pieces) < len(word):\n            return pieces\n        first =
    You stop after the first merge that fits. What about those that were learned later?

only one place in a word: joined[-1] += piece → joined[-1] += piece; pair = None
or: if (pieces[n], pieces[n + 1]) == first:\n                pieces[n : n + 2] = [pieces[n] + pieces[n + 1]] → if (pieces[n], pieces[n + 1]) == first:\n                pieces[n : n + 2] = [pieces[n] + pieces[n + 1]]\n                ranks.pop(first)\n                first = None
or: n += 2 → n += 2; pair = None
    A pair that stands in a word twice is joined only once in yours. Where is it to be
    joined?

a piece inside another piece: (?<!\S) →
and: (?!\S) →
or: re.sub(r"(?<!\S)" + both + r"(?!\S)", "".join(pair), text) → text.replace(" ".join(pair), "".join(pair))
    You also join the end of one piece with the beginning of another. Which whole pieces
    does a merge name?

unknown letters dropped: pieces = list(word)\n    for pair in merges:\n        pieces = merge → pieces = [x for x in word if x in "".join("".join(p) for p in merges)]\n    for pair in merges:\n        pieces = merge
or: text = " ".join(word) → text = " ".join(x for x in word if any(x in "".join(p) for p in merges))
    A letter that is in no merge is gone. What should be left of it in the word?

text instead of a list: return text.split() → return text
or: pieces = merge(pieces, pair)\n    return pieces → pieces = merge(pieces, pair)\n    return " ".join(pieces)
    You return one text with gaps. What does the chapter's `cut` return?

least frequent pair: max(found, key=found.get) → min(found, key=found.get)
or: found[pair] > found[best] → found[pair] < found[best]
or: max(found.items() → min(found.items()
    You join the rarest pair. Which one should become short?

the last of the most frequent: max(found, key=found.get) → max(reversed(list(found)), key=found.get)
or: found[pair] > found[best] → found[pair] >= found[best]
or: max(found.items(), → max(reversed(list(found.items())),
    Of several equally frequent pairs you take the one that you meet last. Which one
    does the chapter take?

equally frequent ones by the alphabet: max(found, key=found.get) → max(found, key=lambda pair: (found[pair], pair))
or: max(found, key=found.get) → min(found, key=lambda pair: (-found[pair], pair))
or: max(found.items(), key=lambda item: item[1])[0] → max((n, pair) for pair, n in found.items())[1]
or: found[pair] > found[best] → (found[pair], pair) > (found[best], best)
or: max(found, key=found.get) → sorted(found, key=lambda pair: (-found[pair], pair))[0]
    Among equally frequent pairs you choose by the alphabet. Which one does the chapter
    take?

counted only at the beginning: split = {word: merge(pieces, merges[-1]) for word, pieces in split.items()} →
and: merges.append(max(found, key=found.get)) → merges.append(sorted(found, key=found.get, reverse=True)[len(merges)])
or: found.most_common(1) → found.most_common(len(merges) + 1)[-1:]
and: words = [(tuple(cut("".join(pieces), merges)), n) for pieces, n in words] →
    You count letters once, and take pair after pair from that list. What happens to
    the neighbours when a pair has become one piece?

the same merge again and again: split = {word: merge(pieces, merges[-1]) for word, pieces in split.items()} →
or: words = [(tuple(cut("".join(pieces), merges)), n) for pieces, n in words] →
or: pieces = cut(word, merges) → pieces = list(word)
    You learn the same pair again and again. Where is it joined in the words before you
    count anew?

new counts added to the old ones: for _ in range(n_merges):\n        found = Counter() → found = Counter()\n    for _ in range(n_merges):
or: for _ in range(n_merges):\n        found = {} → found = {}\n    for _ in range(n_merges):
or: while len(merges) < n_merges:\n        found = Counter() → found = Counter()\n    while len(merges) < n_merges:
    Your counts are never set back to 0, so pairs that were joined long ago still count.
    When must counting begin anew?

a pair once per word: pairwise(pieces): → set(pairwise(pieces)):
or: for pair in pairwise(pieces): → for pair in dict.fromkeys(pairwise(pieces)):
or: in zip(pieces, pieces[1:]):\n                found → in dict.fromkeys(zip(pieces, pieces[1:])):\n                found
    A pair that stands in a word twice counts only once in yours. How did the chapter
    count *i n* in *drinking*?

last pair of each word left out: pairwise(pieces) → pairwise(pieces[:-1])
or: range(len(pieces) - 1) → range(len(pieces) - 2)
or: zip(pieces, pieces[1:]):\n                found → zip(pieces, pieces[1:-1]):\n                found
    You never count the last pair of a word. How many pairs does a word of three letters
    have?

across the ends of words: for word, pieces in split.items():\n            for pair in pairwise(pieces):\n                found[pair] += counts[word] → line = [(piece, counts[word]) for word, pieces in split.items() for piece in pieces]\n        for (a, _), (b, count) in pairwise(line):\n            found[a, b] += count
    You also count the last letter of one word with the first of the next. Where does
    the chapter cut the text, before it counts?

another number of merges: range(n_merges) → range(n_merges - 1)
or: len(merges) < n_merges → len(merges) < n_merges - 1
or: range(n_merges) → range(n_merges + 1)
or: len(merges) < n_merges → len(merges) <= n_merges
or: return merges → return []
    You return fewer merges than were asked for, or more. How often should your loop
    run?

rare pairs not joined: merges.append(max(found, key=found.get)) → best = max(found, key=found.get)\n        if found[best] < 2:\n            break\n        merges.append(best)
or: merges.append(best) → if found[best] < 2:\n            break\n        merges.append(best)
    You stop when the most frequent pair occurs only once. How many merges were asked
    for?

joined pieces instead of pairs: return merges → return ["".join(pair) for pair in merges]
or: merges.append(pair)\n        texts → merges.append("".join(pair))\n        texts
    You give joined pieces. What does `cut` need to know about each merge?

only the most frequent word counts: found[pair] += counts[word] → found[pair] = max(found[pair], counts[word])
or: found[pair] = found.get(pair, 0) + count → found[pair] = max(found.get(pair, 0), count)
    A pair counts in yours only by its most frequent word. What do the other words that
    hold it add?

counts of the last word alone: found[pair] += counts[word] → found[pair] = counts[word]
or: found[pair] = found.get(pair, 0) + count → found[pair] = count
    Each word writes over what the words before it had counted. What becomes of a pair
    that stands in several words?

counts multiplied by the length: found[pair] += counts[word] → found[pair] += counts[word] * len(word)
or: found.get(pair, 0) + count → found.get(pair, 0) + count * len(word)
    You count a word once for each of its letters. A word of five letters that is said
    once: how often is each of its pairs said?
"""

TWELVE = {
    **{"drink": 4, "eat": 6, "read": 5, "sleep": 4, "drinks": 2, "eats": 4},
    **{"reads": 3, "sleeps": 2, "drinking": 2, "eating": 3, "milk": 5, "sleeping": 2},
}
LEARNED = "s l, sl e, sle e, slee p, i n, in g, r e, re a, a d, e a, ea t"


def pairs(text):
    return [tuple(pair.split()) for pair in text.split(", ")]


def words(rng, number):
    """Different words in which vowels and consonants take turns."""
    found = set()
    while len(found) < number:
        rows = [rng.choice(list(letters), 6) for letters in ("bdlmnrt", "aeio")]
        if rng.random() < 0.5:
            rows.reverse()
        word = "".join(np.stack(rows, 1).ravel().tolist())
        found.add(word[: rng.integers(3, 7)])
    return rng.permutation(sorted(found)).tolist()


def text(number, n_merges):
    """Words with how often each occurs, and how many merges to learn."""

    def inputs(rng):
        counts = rng.integers(1, 10, number).tolist()
        return dict(zip(words(rng, number), counts, strict=True)), n_merges

    return inputs


def text_and_words(number, n_merges, new):
    def inputs(rng):
        some = words(rng, number + new)
        counts = rng.integers(1, 10, number).tolist()
        return dict(zip(some[new:], counts, strict=True)), n_merges, some[: new + 2]

    return inputs


def with_other_letters(inputs):
    """The same text in other letters: equal ones stay equal, and the order stays."""

    def fresh(rng):
        arguments = inputs(rng)
        used = sorted(set(ascii_lowercase) & set(str(arguments)))
        new = sorted(rng.choice(list(ascii_lowercase), len(used), replace=False))
        other = str.maketrans("".join(used), "".join(new))

        def spelled(x):
            if isinstance(x, str):
                return x.translate(other)
            if isinstance(x, dict):
                return {spelled(word): count for word, count in x.items()}
            if isinstance(x, list | tuple):
                return type(x)(map(spelled, x))
            return x

        return spelled(arguments)

    return fresh


def worked(title, *arguments, **more):
    """A check of `learn` by an example that one can follow."""

    def inputs(rng):
        return arguments

    return Check(title, inputs, fresh=with_other_letters(inputs), **more)


def learn_then_cut(answers, counts, n_merges, words):
    """What the merges of a text make of words, old ones and new ones."""
    learn, cut = answers
    merges = learn(counts, n_merges)
    return [cut(word, merges) for word in words]


def cutting(title, word, merges, earns=True):
    def inputs(rng):
        return word, pairs(merges)

    fresh, arguments = with_other_letters(inputs), ("word", "merges")
    return Check(title, inputs, probes.second, arguments, ("pieces",), earns, fresh)


TASK = FunctionTask(
    title="The wrong pieces",
    kind="find the bug",
    answers=("learn", "cut"),
    arguments=("counts", "n_merges"),
    outputs=("merges",),
    right=(PLAIN, LOOPS, RANKS, TEXT),
    mistakes=MISTAKES,
    checks=(
        worked("the chapter's twelve words, one merge", TWELVE, 1),
        worked("the chapter's twelve words, seven merges", TWELVE, 7),
        worked("two words said once each", {"tea": 1, "milk": 1}, 3, earns=False),
        worked(
            "words that hold a pair twice",
            {"nine": 5, "mama": 4, "tea": 6, "man": 1},
            3,
        ),
        Check("five words, three merges", text(5, 3)),
        Check("eleven words, seven merges", text(11, 7)),
        cutting("*sleeping* cut by eleven merges", "sleeping", LEARNED),
        cutting(
            "merges that want the same letter",
            "heather",
            "e r, h er, h e, t h, he a, th e, e a",
        ),
        cutting("a merge at two places", "lalala", "a l", earns=False),
        cutting("three equal letters", "brrr", "r r", earns=False),
        cutting("a letter that is in no merge", "index", LEARNED, earns=False),
        Check(
            "eight merges of nine words, and what they make of seven",
            text_and_words(9, 8, 5),
            learn_then_cut,
            ("counts", "n_merges", "words"),
            ("pieces",),
        ),
    ),
    hints=(
        "Run it on the chapter's twelve words. Which pair does it learn first, and how "
        "often does this pair occur in the text?",
        "Cut *reads* by hand with the chapter's 13 merges. At each step, which merge is "
        "tried, and are the two pieces that it joins there?",
    ),
    section="A word it has never seen",
    why="What is said often becomes short, so each word weighs as much as it occurs. And "
    "a merge joins pieces that earlier merges made, so the order is part of what was "
    "learned.",
)
