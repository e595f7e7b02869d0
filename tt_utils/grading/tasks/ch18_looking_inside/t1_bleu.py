"""18.1 BLEU over a corpus: clipped counts, a geometric mean, a penalty."""

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def bleu(outputs, references, n=4):
    from collections import Counter

    def grams(sentence, k):
        words = sentence.split()
        return Counter(tuple(words[i : i + k]) for i in range(len(words) - k + 1))

    total_log = 0.0
    for k in range(1, n + 1):
        matched = total = 0
        for output, reference in zip(outputs, references):
            found, wanted = grams(output, k), grams(reference, k)
            matched += sum((found & wanted).values())
            total += sum(found.values())
        if matched == 0:
            return 0.0
        total_log += math.log(matched / total)
    c = sum(len(output.split()) for output in outputs)
    r = sum(len(reference.split()) for reference in references)
    penalty = min(1.0, math.exp(1 - r / c))
    return 100 * penalty * math.exp(total_log / n)
"""

TAKEN_OUT = """
def bleu(outputs, references, n=4):
    pairs = [(o.split(), s.split()) for o, s in zip(outputs, references)]
    product = 1.0
    for k in range(1, n + 1):
        hits = count = 0
        for a, b in pairs:
            left = [b[i : i + k] for i in range(len(b) - k + 1)]
            for i in range(len(a) - k + 1):
                gram = a[i : i + k]
                count += 1
                if gram in left:
                    hits += 1
                    left.remove(gram)
        product *= hits / max(count, 1)
    c, r = (sum(map(len, side)) for side in zip(*pairs))
    penalty = 1.0 if c >= r else math.exp(1 - r / c)
    return 100 * penalty * product ** (1 / n)
"""

ROWS = """
def bleu(outputs, references, n=4):
    def grams(words, k):
        return list(zip(*(words[i:] for i in range(k))))

    def row(output, reference):
        a, b = output.split(), reference.split()
        both = [(grams(a, k), grams(b, k)) for k in range(1, n + 1)]
        hits = [sum(min(x.count(g), y.count(g)) for g in set(x)) for x, y in both]
        return [len(a), len(b), *hits, *(len(x) for x, _ in both)]

    table = np.array([row(*pair) for pair in zip(outputs, references)])
    c, r, *counts = table.sum(axis=0)
    shares = np.array(counts[:n]) / np.maximum(counts[n:], 1)
    if shares.min() == 0:
        return 0.0
    return float(100 * np.exp(np.log(shares).mean() + min(0, 1 - r / c)))
"""

MISTAKES = """
not clipped: sum((found & wanted).values()) → sum(found[g] for g in found if g in wanted)
or: left.remove(gram) → pass
or: min(x.count(g), y.count(g)) → x.count(g) * (g in y)
    One n-gram of the reference is matched again and again. For how many of the seven
    *the* does the reference have a partner?

each n-gram counted once: sum((found & wanted).values()) → len(found & wanted)
and: sum(found.values()) → len(found)
or: min(x.count(g), y.count(g)) → int(g in y)
and: *(len(x) for x, _ in both) → *(len(set(x)) for x, _ in both)
    You count each n-gram once, however often it stands there. What becomes of a word
    that both sides have twice?

only the matches counted once: sum((found & wanted).values()) → len(found & wanted)
or: min(x.count(g), y.count(g)) → int(g in y)
    You match each n-gram once at most, but count all of them below the line. How many
    matches has a word that both sides have twice?

each once below the line: total += sum(found.values()) → total += len(found)
or: *(len(x) for x, _ in both) → *(len(set(x)) for x, _ in both)
    Below the line you count each n-gram once. How many has an output in which a word
    stands twice?

counts of the reference: sum((found & wanted).values()) → sum(wanted[g] for g in found)
or: min(x.count(g), y.count(g)) → y.count(g)
    You count how often an n-gram stands in the reference, though the output may have it
    less often. How many of them can find a partner?

arithmetic mean: total_log = 0.0 → shares = []
and: if matched == 0:\\n            return 0.0 → pass
and: total_log += math.log(matched / total) → shares.append(matched / max(total, 1))
and: math.exp(total_log / n) → sum(shares) / n
or: product = 1.0 → product = 0.0
and: product *= hits / max(count, 1) → product += hits / max(count, 1) / n
and: product ** (1 / n) → product
or: np.exp(np.log(shares).mean() + min(0, 1 - r / c)) → np.exp(min(0, 1 - r / c)) * shares.mean()
and: if shares.min() == 0:\\n        return 0.0 → pass
or: np.exp(np.log(shares).mean() + min(0, 1 - r / c)) → np.exp(min(0, 1 - r / c)) * shares.mean()
    You add up the shares and divide by n. Which kind of mean is 0 as soon as one share
    is 0?

harmonic mean: np.exp(np.log(shares).mean() + min(0, 1 - r / c)) → np.exp(min(0, 1 - r / c)) / (1 / shares).mean()
or: total_log += math.log(matched / total) → total_log += total / matched
and: math.exp(total_log / n) → n / total_log
    You divide n by the sum of the inverse shares. Which mean multiplies its numbers and
    takes a root?

product without the root: math.exp(total_log / n) → math.exp(total_log)
or: product ** (1 / n) → product
or: np.log(shares).mean() → np.log(shares).sum()
    You multiply the shares and stop there, so more lengths always give a smaller score.
    Which root makes a mean of n factors?

no brevity penalty: 100 * penalty * → 100 *
or: + min(0, 1 - r / c) →
    Two right words would earn full marks for a sentence of six. What makes a
    translation pay for being short?

long outputs punished: min(1.0, math.exp(1 - r / c)) → min(1.0, math.exp(1 - c / r))
or: 1.0 if c >= r else math.exp(1 - r / c) → 1.0 if c <= r else math.exp(1 - c / r)
or: min(0, 1 - r / c) → min(0, 1 - c / r)
    You punish outputs that are longer than the reference. Their extra words are counted
    below the line already: which ones escape without a penalty?

short and long outputs punished: min(1.0, math.exp(1 - r / c)) → math.exp(1 - max(r / c, c / r))
or: 1.0 if c >= r else math.exp(1 - r / c) → math.exp(1 - max(r / c, c / r))
or: min(0, 1 - r / c) → 1 - max(r / c, c / r)
    You punish both sides. What do the extra words of a long output do to the shares
    already?

long outputs rewarded: min(1.0, math.exp(1 - r / c)) → math.exp(1 - r / c)
or: 1.0 if c >= r else math.exp(1 - r / c) → math.exp(1 - r / c)
or: min(0, 1 - r / c) → 1 - r / c
    Your penalty is above 1 for a long output. Which is the most that a penalty can be?

ratio as the penalty: min(1.0, math.exp(1 - r / c)) → min(1.0, c / r)
or: 1.0 if c >= r else math.exp(1 - r / c) → min(1.0, c / r)
or: np.exp(np.log(shares).mean() + min(0, 1 - r / c)) → np.exp(np.log(shares).mean()) * min(1.0, c / r)
    Half the length costs half the score in yours. The penalty of BLEU falls faster:
    what stands around the ratio in its formula?

ratio upside down: min(1.0, math.exp(1 - r / c)) → math.exp(1 - c / r) if c < r else 1.0
or: 1.0 if c >= r else math.exp(1 - r / c) → 1.0 if c >= r else math.exp(1 - c / r)
or: min(0, 1 - r / c) → (1 - c / r if c < r else 0)
    Your penalty for a short output is above 1. Which of the two lengths is divided by
    the other, so that the power is below 0?

a penalty for each sentence: penalty = min(1.0, math.exp(1 - r / c)) → penalty = np.mean([min(1.0, math.exp(1 - len(b.split()) / len(a.split()))) for a, b in zip(outputs, references)])
or: penalty = min(1.0, math.exp(1 - r / c)) → penalty = np.prod([min(1.0, math.exp(1 - len(b.split()) / len(a.split()))) for a, b in zip(outputs, references)])
or: penalty = min(1.0, math.exp(1 - r / c)) → penalty = min(min(1.0, math.exp(1 - len(b.split()) / len(a.split()))) for a, b in zip(outputs, references))
    You take a penalty for each sentence. BLEU has a single one: which two lengths are
    compared in it?

lengths in letters: len(output.split()) → len(output)
and: len(reference.split()) → len(reference)
    Your n-grams are made of words, and your lengths are counted in letters. In what are
    c and r counted?

lengths compared sentence by sentence: r = sum(len(reference.split()) for reference in references) → r = sum(max(len(a.split()), len(b.split())) for a, b in zip(outputs, references))
or: c, r = (sum(map(len, side)) for side in zip(*pairs)) → c, r = sum(len(a) for a, _ in pairs), sum(max(map(len, p)) for p in pairs)
    You punish each short sentence by itself. BLEU lets a long sentence make up for a
    short one: when are the two lengths compared?

mean of the scores of sentences: def bleu( → def score(
and: return 100 * penalty * → return 100 * penalty * 1 *
and: math.exp(total_log / n) → math.exp(total_log / n)\\n\\ndef bleu(outputs, references, n=4):\\n    scores = [score([a], [b], n) for a, b in zip(outputs, references)]\\n    return sum(scores) / len(scores)
or: def bleu( → def score(
and: product ** (1 / n) → product ** (1 / n)\\n\\ndef bleu(outputs, references, n=4):\\n    scores = [score([a], [b], n) for a, b in zip(outputs, references)]\\n    return sum(scores) / len(scores)
    You score each sentence and take the mean. A sentence without a matching n-gram of
    the longest kind then weighs 0: what is added up first, over the whole corpus?

mean of the shares of sentences: matched += sum((found & wanted).values()) → matched += sum((found & wanted).values()) / max(1, sum(found.values())) / len(outputs)
and: total += sum(found.values()) → total = 1
or: hits = count = 0 → share = 0
and: count += 1 → pass
and: hits += 1 → share += 1 / (len(a) - k + 1) / len(pairs)
and: hits / max(count, 1) → share
    You take a share in each sentence, and the mean of the shares. Then a sentence of
    two words weighs as much as one of twenty: what is added up before the division?

divided by the reference's n-grams: total += sum(found.values()) → total += sum(wanted.values())
or: count += 1 → pass
and: left = [b[i : i + k] for i in range(len(b) - k + 1)] → left = [b[i : i + k] for i in range(len(b) - k + 1)]\\n            count += len(left)
or: *(len(x) for x, _ in both) → *(len(y) for _, y in both)
    You ask how much of the reference was found. BLEU asks how much of the *output* is
    right: whose n-grams stand below the line?

the two sides swapped: zip(outputs, references) → zip(references, outputs)
and: for output in outputs) → for output in references)
and: for reference in references) → for reference in outputs)
or: for o, s in zip(outputs, references) → for s, o in zip(outputs, references)
or: for pair in zip(outputs, references) → for pair in zip(references, outputs)
    You score the reference against the output. Which of the two may be too short?

characters instead of words: sentence.split() → list(sentence)
and: len(output.split()) → len(output)
and: len(reference.split()) → len(reference)
or: (o.split(), s.split()) → (list(o), list(s))
or: output.split(), reference.split() → list(output), list(reference)
or: sentence.split() → sentence
or: sentence.split() → sentence.replace(" ", "")
or: (o.split(), s.split()) → (list(o.replace(" ", "")), list(s.replace(" ", "")))
    Your n-grams are made of letters. Of what are those of BLEU made?

one word too few: len(words) - k + 1 → len(words) - k
or: len(b) - k + 1 → len(b) - k
and: len(a) - k + 1 → len(a) - k
or: zip(*(words[i:] for i in range(k))) → zip(*(words[i:-1] for i in range(k)))
    The last n-gram of each sentence is missing. How many pairs of neighbours have three
    words?

only the longest n-grams: for k in range(1, n + 1) → for k in range(n, n + 1)
and: total_log / n → total_log
or: for k in range(1, n + 1): → for k in range(n, n + 1):
and: product ** (1 / n) → product
or: np.log(shares).mean() → np.log(shares)[-1]
    You look at n-grams of one length alone. Over which lengths does the mean go?

only single words: for k in range(1, n + 1) → for k in range(1, 2)
and: total_log / n → total_log
or: np.log(shares).mean() → np.log(shares)[0]
and: shares.min() == 0 → shares[0] == 0
    You look at single words alone, so their order doesn't matter in yours. What else is
    counted, up to n?

the longest n-grams left out: for k in range(1, n + 1) → for k in range(1, max(n, 2))
or: for k in range(1, n + 1):\\n → for k in range(1, n):\\n
or: for k in range(1, n + 1):\\n → for k in range(n):\\n
or: np.log(shares).mean() → np.log(shares[: max(n - 1, 1)]).sum() / n
and: shares.min() == 0 → shares[: max(n - 1, 1)].min() == 0
    Your n-grams end one short of n. Where does `range` stop?

always four lengths: for k in range(1, n + 1):\\n → for k in range(1, 5):\\n
or: total_log / n → total_log / 4
or: product ** (1 / n) → product ** (1 / 4)
or: total_log / n → total_log / 4
and: for k in range(1, n + 1):\\n → for k in range(1, 5):\\n
or: product ** (1 / n) → product ** (1 / 4)
and: for k in range(1, n + 1):\\n → for k in range(1, 5):\\n
    A number of lengths is fixed in yours. Which argument says how many there are?

one added to every count: if matched == 0:\\n            return 0.0 → pass
and: math.log(matched / total) → math.log((matched + 1) / (total + 1))
or: hits / max(count, 1) → (hits + 1) / (count + 1)
or: np.array(counts[:n]) / np.maximum(counts[n:], 1) → (np.array(counts[:n]) + 1) / (np.array(counts[n:]) + 1)
    You add 1 to matches and totals, so a translation without any right word gets a
    score. What does the task ask for, where a share is 0?

lengths without a match left out: if matched == 0:\\n            return 0.0 → pass
and: total_log += math.log(matched / total) → total_log += math.log(matched / total) if matched else 0.0
or: product *= hits / max(count, 1) → product *= hits / max(count, 1) if hits else 1.0
    Where no n-gram of some length matches, you go on without it. What is a geometric
    mean of which one factor is 0?

logarithm of 0: if matched == 0:\\n            return 0.0 → pass
    Where nothing matches you take the logarithm of 0. What is the score then, by the
    task?

n-grams across the ends of sentences: for output, reference in zip(outputs, references) → for output, reference in [(" ".join(outputs), " ".join(references))]
or: for a, b in pairs: → for a, b in [[sum(side, []) for side in zip(*pairs)]]:
    You glue all sentences together, so n-grams reach over their ends and a word may be
    matched in another sentence. Where should they be counted?

matched anywhere in the corpus: matched = total = 0 → every, wished = Counter(), Counter()
and: matched += sum((found & wanted).values()) → every += found
and: total += sum(found.values()) → wished += wanted
and: if matched == 0: → matched, total = sum((every & wished).values()), sum(every.values())\\n        if matched == 0:
or: grams(output, k), grams(reference, k) → grams(output, k), sum((grams(other, k) for other in references), Counter())
or: found, wanted = grams(output, k), grams(reference, k) → found, wanted = grams(output, k), Counter()\\n            for other in references:\\n                wanted |= grams(other, k)
    A word may find its partner in the reference of another sentence. Which reference
    belongs to which output?

from 0 to 1: 100 * penalty → penalty
or: float(100 * np.exp → float(np.exp
    Yours runs from 0 to 1. Up to which number does the task want the score?
"""

ONE = "the cat is on the mat"
GREEN = "the small cat sleeps on the green mat"

WORDS = ["a", "the", "cat", "dog", "sees", "eats", "big", "red", "fish", "by"]
MANY = [*WORDS, "on", "sun", "sleeps", "green", "in", "mat", "small", "house", "old"]
NAMES = tuple(
    name + more for more in ("", "_2") for name in ("outputs", "references", "n")
)


def texts(outputs, references, n=4):
    """Sentences as they are, for every seed."""
    return lambda rng: (outputs, references, n)


def corpus(*lengths, n=4, longer=0):
    """Random references, and outputs that copy most of their words.

    The first output is its reference, so every length has a match. Every second one is
    too short, the others are `longer`.
    """

    def inputs(rng):
        outputs, references = [], []
        for number, length in enumerate(lengths):
            words = rng.choice(WORDS, length)
            said = words.copy()
            if number:
                other = rng.random(length) < 0.2
                said[other] = rng.choice(WORDS, other.sum())
                said[1] = said[2]  # one word twice, side by side
                more = rng.choice(WORDS, longer + 1)
                said = said[:-2] if number % 2 else np.append(said, more)
            references.append(" ".join(words.tolist()))
            outputs.append(" ".join(said.tolist()))
        return outputs, references, n

    return inputs


def sentence(rng, length, without=()):
    """Different words."""
    return rng.permutation([word for word in MANY if word not in without])[:length]


def joined(outputs, references, n):
    outputs, references = (
        [" ".join(words) for words in side] for side in (outputs, references)
    )
    return outputs, references, n


def repeated(rng):
    """One word, again and again; the reference has it a few times, and others."""
    often, words = int(rng.integers(8, 13)), sentence(rng, 5)
    wanted = [*words, *words[:1].repeat(rng.integers(1, 3))]
    return joined([words[:1].repeat(often)], [wanted], 1)


def beginning(rng):
    """The first few words of a reference, but not a third of it."""
    c = int(rng.integers(2, 6))
    r = c + int(rng.integers(2, 9))
    words = sentence(rng, r + (r == 3 * c))
    return joined([words[:c]], [words], 1)


def one_group(rng):
    words = sentence(rng, rng.integers(7, 16))
    return joined([words[:4]], [words], 4)


def too_many(rng):
    words = sentence(rng, rng.integers(4, 8))
    more = sentence(rng, rng.integers(5, 9), without=words)
    return joined([[*words, *more]], [words], 1)


def shuffled(rng):
    """The parts of a reference in another order, and its first word once more."""
    words = sentence(rng, rng.integers(7, 12))
    a, b = sorted(rng.permutation(np.arange(2, len(words) - 1))[:2])
    wanted = [*words, words[0]]
    said = [*words[b:], *words[a:b], *words[:a], words[0], words[0]]
    return joined([said], [wanted], 2)


def short_and_long(rng):
    short, long = (sentence(rng, rng.integers(6, 10)) for _ in range(2))
    cut = int(rng.integers(2, 4))
    more = sentence(rng, cut + rng.integers(3), without=long)
    return joined([short[:-cut], [*long, *more]], [short, long], 2)


def exchanged(rng):
    """Two references without a word in common; the outputs swap some."""
    words = sentence(rng, rng.integers(11, 16))
    one, other = words[:5].copy(), words[5:].copy()
    one[[1, 4]], other[[1, 4]] = words[[6, 9]], words[[1, 4]]
    return joined([one, other], [words[:5], words[5:]], 2)


def beside(special, other):
    """An edge case with one score for all, and a case that has many."""

    def inputs(rng):
        both = [special(rng), other(rng)]
        return tuple(value for number in rng.permutation(2) for value in both[number])

    return inputs


def faultless(rng):
    words = sentence(rng, rng.integers(5, 9))
    return joined([words], [words], 4)


def reversed_words(rng):
    words = sentence(rng, rng.integers(4, 9))
    return joined([words[::-1]], [words], 2)


def scores(answers, *asked):
    """The score of one corpus, or those of two."""
    found = [answers[0](*asked[n : n + 3]) for n in range(0, len(asked), 3)]
    return found[0] if len(found) == 1 else found


TASK = FunctionTask(
    title="BLEU, from the counts up",
    kind="implement",
    answers=("bleu",),
    arguments=("outputs", "references", "n"),
    outputs=("score",),
    right=(PLAIN, TAKEN_OUT, ROWS),
    mistakes=MISTAKES,
    checks=tuple(
        Check(title, inputs, scores, NAMES, fresh=fresh)
        for title, inputs, fresh in (
            (
                "one word again and again, single words",
                texts(["the " * 6 + "the"], [ONE], 1),
                repeated,
            ),
            (
                "a translation without a fault",
                texts([ONE], [ONE]),
                beside(faultless, too_many),
            ),
            (
                "few words, and all of them right",
                texts(["the cat"], [ONE], 1),
                beginning,
            ),
            ("one group of four words", texts(["the cat is on"], [ONE]), one_group),
            ("words too many", texts([ONE + " as we all know"], [ONE], 1), too_many),
            (
                "single words and pairs",
                texts(["the mat on the is cat the"], [ONE], 2),
                shuffled,
            ),
            (
                "right words, no right pair",
                texts(["mat on cat the"], [ONE], 2),
                beside(reversed_words, shuffled),
            ),
            (
                "a short sentence and a long one",
                texts(["the cat is", GREEN + " in the sun"], [ONE, GREEN], 2),
                short_and_long,
            ),
            (
                "words that stand in the other reference",
                texts(
                    ["the dog is on the sun", "the cat sees the mat"],
                    [ONE, "the dog sees the sun"],
                    2,
                ),
                exchanged,
            ),
            ("five sentences, up to three words", corpus(7, 9, 13, 11, 6, n=3), None),
            ("five sentences, up to four words", corpus(9, 14, 8, 17, 11), None),
            ("three sentences, longer outputs", corpus(6, 13, 10, n=2, longer=3), None),
        )
    ),
    hints=(
        "For one length k: how many n-grams has each output, and how many of them find a "
        "partner in their reference that is not taken yet? Add up both over all "
        "sentences before you divide.",
        "The geometric mean of n shares is the exponential of the mean of their "
        "logarithms. What do you do where a share is 0, and where c is smaller than r?",
    ),
    section="BLEU by hand",
    why="Clipping stops a word from being matched twice, the geometric mean asks for all "
    "lengths at once, the penalty for enough words, and all counts are the corpus's.",
)
