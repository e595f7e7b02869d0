"""17.2 Beam search, on language models small enough to know the best sentence."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def beam_search(log_p, eos, beam_size, max_len, penalty):
    beams = [([], 0.0)]
    for _ in range(max_len):
        candidates = []
        for words, total in beams:
            if words and words[-1] == eos:
                candidates.append((words, total))
                continue
            for word, more in enumerate(log_p(words)):
                candidates.append((words + [word], total + more))
        candidates.sort(key=lambda beam: -beam[1] / ((5 + len(beam[0])) / 6) ** penalty)
        beams = candidates[:beam_size]
    words, total = beams[0]
    return words, total / ((5 + len(words)) / 6) ** penalty
"""

NLARGEST = """
import heapq

def beam_search(log_p, eos, beam_size, max_len, penalty):
    def score(beam):
        total, words = beam
        return total / ((5 + len(words)) / 6) ** penalty

    beams = [(0.0, ())]
    for _ in range(max_len):
        ended = [beam for beam in beams if eos in beam[1]]
        grown = [
            (total + more, (*words, word))
            for total, words in beams
            if eos not in words
            for word, more in enumerate(log_p(words))
        ]
        beams = heapq.nlargest(beam_size, ended + grown, key=score)
    best = max(beams, key=score)
    return best[1], score(best)
"""

ARRAYS = """
def beam_search(log_p, eos, beam_size, max_len, penalty):
    rows, totals = [[]], np.zeros(1)
    for _ in range(max_len):
        made, sums = [], []
        for row, total in zip(rows, totals):
            if row[-1:] == [eos]:
                made, sums = [*made, row], [*sums, total]
            else:
                more = np.asarray(log_p(row))
                made += [[*row, word] for word in range(len(more))]
                sums += (total + more).tolist()
        sums, lengths = np.array(sums), np.array([len(row) for row in made])
        scores = sums / ((5 + lengths) / 6) ** penalty
        best = np.argsort(-scores)[:beam_size]
        rows, totals = [made[i] for i in best], sums[best]
        if all(row[-1] == eos for row in rows):
            break
    return rows[0], totals[0] / ((5 + len(rows[0])) / 6) ** penalty
"""

AGAIN = """
def beam_search(log_p, eos, beam_size, max_len, penalty, beams=(((), 0.0),), n=0):
    def score(words, total):
        return total * (6 / (5 + len(words))) ** penalty

    if n == max_len:
        return list(beams[0][0]), score(*beams[0])
    following = {}
    for words, total in beams:
        if words and words[-1] == eos:
            following[words] = total
        else:
            for word, more in enumerate(log_p(words)):
                following[words + (word,)] = total + more
    ranked = sorted(following.items(), key=lambda pair: score(*pair), reverse=True)
    return beam_search(
        log_p, eos, beam_size, max_len, penalty, ranked[:beam_size], n + 1
    )
"""

MISTAKES = """
greedy at every width: candidates[:beam_size] → candidates[:1]
or: heapq.nlargest(beam_size, → heapq.nlargest(1,
or: [:beam_size] → [:1]
or: beams = [([], 0.0)] → beams = [([], 0.0)] * beam_size
or: beams = [(0.0, ())] → beams = [(0.0, ())] * beam_size
or: rows, totals = [[]], np.zeros(1) → rows, totals = [[]] * beam_size, np.zeros(beam_size)
    You write greedy's sentence at every width. How many different beginnings do you
    follow after the first step?

each beam for itself: candidates.sort(key=lambda beam: -beam[1] / ((5 + len(beam[0])) / 6) ** penalty)\\n        beams = candidates[:beam_size] → key = lambda beam: -beam[1] / ((5 + len(beam[0])) / 6) ** penalty\\n        candidates.sort(key=key)\\n        if _ == 0:\\n            beams = candidates[:beam_size]\\n        else:\\n            own = [[c for c in candidates if c[0][: len(b[0])] == b[0]] for b in beams]\\n            beams = sorted((one[0] for one in own), key=key)
    Each of your beams keeps one successor of its own: that is several greedy searches
    side by side. May two of the best candidates come from one beam?

log-probabilities multiplied: total + more → (total or 1) * more
    Probabilities are multiplied. What does one do with their logarithms?

probabilities added up: total + more → total + np.exp(more)
    You add up probabilities. The probability of a sentence is their product: what does
    the sum of logarithms stand for?

last word's score alone: total + more → more
    Your beams forget what their earlier words cost. Which log-probabilities belong to
    the whole sentence?

no length penalty: -beam[1] / ((5 + len(beam[0])) / 6) ** penalty → -beam[1]
and: total / ((5 + len(words)) / 6) ** penalty → total
or: return total / ((5 + len(words)) / 6) ** penalty → return total
or: total * (6 / (5 + len(words))) ** penalty → total
or: scores = sums / ((5 + lengths) / 6) ** penalty → scores = sums
and: totals[0] / ((5 + len(rows[0])) / 6) ** penalty → totals[0]
    `penalty` changes nothing, and shorter sentences have the better sums. Where does
    the length come in?

penalty in the returned score alone: -beam[1] / ((5 + len(beam[0])) / 6) ** penalty → -beam[1]
or: scores = sums / ((5 + lengths) / 6) ** penalty → scores = sums
    Your last score is the right one, but the beams were chosen by another. By what
    should the candidates of each step be ranked?

penalty in the last choice alone: lambda beam: -beam[1] / ((5 + len(beam[0])) / 6) ** penalty → lambda beam: -beam[1]
and: words, total = beams[0] → words, total = max(beams, key=lambda beam: beam[1] / ((5 + len(beam[0])) / 6) ** penalty)
or: key=score)\\n    best = max( → key=lambda beam: beam[0])\\n    best = max(
    In each step you rank by the plain sums, and by the score in the end alone. What may
    be lost on the way beside a short sentence that has ended?

sum returned: return words, total / ((5 + len(words)) / 6) ** penalty → return words, total
or: return best[1], score(best) → return best[1], best[0]
or: return rows[0], totals[0] / ((5 + len(rows[0])) / 6) ** penalty → return rows[0], totals[0]
or: return list(beams[0][0]), score(*beams[0]) → return list(beams[0][0]), beams[0][1]
    Your sentence is the right one. Its score is asked for: what is the sum still to be
    divided by?

multiplied by the length: -beam[1] / ((5 → -beam[1] * ((5
and: total / ((5 → total * ((5
or: return total / ((5 → return total * ((5
or: (6 / (5 + len(words))) → ((5 + len(words)) / 6)
or: sums / ((5 → sums * ((5
and: totals[0] / ((5 → totals[0] * ((5
    Your scores make long sentences worse than their sums do. On which side of the
    fraction does the length stand?

eos not counted: len(beam[0]) → len([w for w in beam[0] if w != eos])
and: len(words) → len([w for w in words if w != eos])
or: return total / ((5 + len(words)) / 6) → return total / ((5 + len([w for w in words if w != eos])) / 6)
or: total * (6 / (5 + len(words))) → total * (6 / (5 + len([w for w in words if w != eos])))
    Your length leaves out the end of the sentence. Does the word `eos` count among the
    words?

5 plus a sixth: (5 + len(beam[0])) / 6 → 5 + len(beam[0]) / 6
and: (5 + len(words)) / 6 → 5 + len(words) / 6
or: return total / ((5 + len(words)) / 6) → return total / (5 + len(words) / 6)
or: (6 / (5 + len(words))) → (1 / (5 + len(words) / 6))
or: (5 + lengths) / 6 → 5 + lengths / 6
and: (5 + len(rows[0])) / 6 → 5 + len(rows[0]) / 6
    Only the length is divided by 6 in yours. How far does the fraction's line reach?

plain mean: / ((5 + len(beam[0])) / 6) ** penalty → / len(beam[0])
and: / ((5 + len(words)) / 6) ** penalty → / len(words)
or: return total / ((5 + len(words)) / 6) ** penalty → return total / max(len(words), 1)
or: / ((5 + lengths) / 6) ** penalty → / lengths
and: / ((5 + len(rows[0])) / 6) ** penalty → / len(rows[0])
    You divide by the number of words, whatever `penalty` is. What does the formula give
    for a penalty of 0?

length to a power: (5 + len(beam[0])) / 6 → len(beam[0])
and: (5 + len(words)) / 6 → len(words)
or: return total / ((5 + len(words)) / 6) → return total / max(len(words), 1)
or: (6 / (5 + len(words))) → (1 / max(len(words), 1))
or: (5 + lengths) / 6 → lengths
and: (5 + len(rows[0])) / 6 → len(rows[0])
    You raise the plain length to a power. How are 5 and 6 used in the formula?

power of the upper half alone: ((5 + len(beam[0])) / 6) ** penalty → ((5 + len(beam[0])) ** penalty / 6)
and: ((5 + len(words)) / 6) ** penalty → ((5 + len(words)) ** penalty / 6)
or: return total / ((5 + len(words)) / 6) ** penalty → return total / ((5 + len(words)) ** penalty / 6)
or: (6 / (5 + len(words))) ** penalty → (6 / (5 + len(words)) ** penalty)
or: ((5 + lengths) / 6) ** penalty → ((5 + lengths) ** penalty / 6)
and: ((5 + len(rows[0])) / 6) ** penalty → ((5 + len(rows[0])) ** penalty / 6)
    With a penalty of 0 you should divide by 1. How much of the fraction belongs under
    the power?

end not counted: 5 + len(beam[0]) → 4 + len(beam[0])
and: 5 + len(words) → 4 + len(words)
or: return total / ((5 + → return total / ((4 +
or: (6 / (5 + → (6 / (4 +
or: 5 + lengths → 4 + lengths
and: 5 + len(rows[0]) → 4 + len(rows[0])
    Your length is short by one. Which word of the sentence is left out of it?

divided again in each step: total + more → (total + more) / ((5 + len(words) + 1) / 6) ** penalty
and: -beam[1] / ((5 + len(beam[0])) / 6) ** penalty → -beam[1]
and: return words, total / ((5 + len(words)) / 6) ** penalty → return words, total
or: rows, totals = [made[i] for i in best], sums[best] → rows, totals = [made[i] for i in best], scores[best]
    You go on from a score that was divided already, so early words are divided many
    times. What should a beam carry along: its sum, or its score?

ended beams dropped: candidates.append((words, total))\\n                continue → continue
or: ended + grown → grown
or: made, sums = [*made, row], [*sums, total] → continue
or: following[words] = total\\n → pass\\n
    A sentence that has ended is lost in the next step. What if it was the best one?

ended beams go on: if words and words[-1] == eos: → if False:
or: if eos in beam[1]] → if False]
and: if eos not in words → if True
or: row[-1:] == [eos] → False
    Some of your sentences go on behind their end. What happens to a beam that has
    written the last word?

ended beams take no place: ended + grown → grown
and: beams = [(0.0, ())] → beams, done = [(0.0, ())], []
and: grown = [ → done += ended\\n        grown = [
and: max(beams, → max(beams + done,
or: beams = candidates[:beam_size] → done = [b for b in candidates if b[0][-1] == eos] + (done if _ else [])\\n        beams = [b for b in candidates if b[0][-1] != eos][:beam_size]
and: words, total = beams[0] → words, total = max(beams + done, key=lambda beam: beam[1] / ((5 + len(beam[0])) / 6) ** penalty)
    You put ended sentences aside, and others take their places. The task lets them stay
    in the race: how many open beams are left beside them?

stops with the first end: beams = candidates[:beam_size] → beams = candidates[:beam_size]\\n        if any(words[-1] == eos for words, _ in beams):\\n            beams = [beam for beam in beams if beam[0][-1] == eos]\\n            break
or: if all(row[-1] == eos for row in rows) → if any(row[-1] == eos for row in rows)
    You stop when the first beam has ended. What may those become that are still being
    written?

stops when the best has ended: beams = candidates[:beam_size] → beams = candidates[:beam_size]\\n        if beams[0][0][-1] == eos:\\n            break
or: if all(row[-1] == eos for row in rows) → if rows[0][-1] == eos
    You stop when the best beam has ended. With a penalty a longer one may still
    overtake it: when is the race over?

worst ones kept: lambda beam: -beam[1] → lambda beam: beam[1]
or: heapq.nlargest → heapq.nsmallest
or: np.argsort(-scores) → np.argsort(scores)
or: , reverse=True →
    You keep the least likely beginnings. In which direction do you sort?

worst of the beams returned: words, total = beams[0] → words, total = beams[-1]
or: max(beams, → min(beams,
or: return rows[0], totals[0] / ((5 + len(rows[0])) → return rows[-1], totals[-1] / ((5 + len(rows[-1]))
    You return the last of your beams. Which of them has the best score?

sign of the score: return words, total → return words, -total
or: return best[1], score(best) → return best[1], -score(best)
or: return rows[0], totals[0] → return rows[0], -totals[0]
    Your score is above 0. Which sign has the logarithm of a probability?

a probability returned: return words, total / ((5 + len(words)) / 6) ** penalty → return words, math.exp(total / ((5 + len(words)) / 6) ** penalty)
or: return words, total / ((5 + len(words)) / 6) ** penalty → return words, math.exp(total)
or: return best[1], score(best) → return best[1], math.exp(score(best))
or: return best[1], score(best) → return best[1], math.exp(best[0])
    Your score lies between 0 and 1. Is a probability asked for, or the logarithm of one?

end cut off: return words, → return [word for word in words if word != eos],
or: return best[1], → return [word for word in best[1] if word != eos],
or: return rows[0], → return [word for word in rows[0] if word != eos],
    Your sentence lacks its last word. Does the end count among the words?

one word too few: range(max_len) → range(max_len - 1)
or: n == max_len → n == max_len - 1
    A sentence that needs all the room isn't finished in yours. How many words may be
    written?

results swapped: return words, total / ((5 + len(words)) / 6) ** penalty → return total / ((5 + len(words)) / 6) ** penalty, words
or: return best[1], score(best) → return score(best), best[1]
    Both are right. In which order are they asked for?
"""


@lru_cache(maxsize=100_000)
def drawn(seed, vocab, words):
    shares = np.exp(np.random.default_rng([seed, *words]).normal(size=vocab))
    return shares / shares.sum()


@dataclass(frozen=True)
class Language:
    """Plays a language model: log_p(words) are the next word's log-probabilities.

    `tree` lists (words, probabilities); everywhere else they are those of `rest`, or
    drawn by chance.
    """

    tree: tuple[tuple[tuple[int, ...], tuple[float, ...]], ...] = ()
    rest: tuple[float, ...] = ()
    seed: int = 0
    vocab: int = 3
    offers = ()

    def __call__(self, words):
        words = tuple(int(word) for word in words)
        shares = dict(self.tree).get(words, self.rest)
        return np.log(shares or drawn(self.seed, self.vocab, words))

    def __repr__(self) -> str:
        size = len(self.rest) or self.vocab
        return f"log_p(words): {size} log-probabilities, one for each next word"


END = (0.9, 0.06, 0.04)  # the word 0 ends a sentence in all trees

MISSED = Language(
    tree=(
        ((), (0.03, 0.54, 0.43)),
        ((1,), (0.26, 0.4, 0.34)),
        ((1, 1), (0.5, 0.27, 0.23)),
        ((2,), (0.84, 0.09, 0.07)),
    ),
    rest=END,
)
CROSSING = Language(
    tree=(
        ((), (0.02, 0.6, 0.38)),
        ((1,), (0.05, 0.51, 0.44)),
        ((1, 1), (0.34, 0.36, 0.3)),
        ((2,), (0.31, 0.36, 0.33)),
    ),
    rest=END,
)
EARLY = Language(
    tree=(((), (0.36, 0.41, 0.23)), ((1,), (0.3, 0.37, 0.33))), rest=(0.4, 0.35, 0.25)
)
LONGER = Language(
    tree=(
        ((), (0.02, 0.47, 0.51)),
        ((1,), (0.63, 0.25, 0.12)),
        ((2,), (0.12, 0.7, 0.18)),
        ((2, 1), (0.08, 0.2, 0.72)),
    ),
    rest=(0.85, 0.1, 0.05),
)

DRIVEN_OUT = Language(
    tree=(
        ((), (0.3, 0.42, 0.28)),
        ((1,), (0.02, 0.5, 0.48)),
        ((1, 1), (0.3, 0.36, 0.34)),
    ),
    rest=END,
)

OVERTAKEN = Language(
    tree=(((), (0.46, 0.41, 0.13)), ((1, 2, 2), END)), rest=(0.03, 0.05, 0.92)
)

IN_PLACE = Language(
    tree=(
        ((), (0.34, 0.36, 0.3)),
        ((1,), (0.05, 0.5, 0.45)),
        ((1, 1), (0.3, 0.36, 0.34)),
        ((1, 2), (0.97, 0.02, 0.01)),
    ),
    rest=END,
)


def known(language, *rest):
    def inputs(rng):
        return language, 0, *rest

    return inputs


def retold(language, *rest):
    """The same tree with other numbers for its words, and other probabilities."""

    def inputs(rng):
        number = rng.permutation(len(language.rest)).tolist()

        def shares(old):
            new = np.zeros(len(old))
            new[number] = np.array(old) * rng.uniform(0.98, 1.02, len(old))
            return tuple((new / new.sum()).tolist())

        tree = tuple(
            (tuple(number[word] for word in words), shares(old))
            for words, old in language.tree
        )
        other = Language(tree, shares(language.rest))
        return other, number[0], *rest

    return inputs


def told(title, language, *rest):
    return Check(title, known(language, *rest), fresh=retold(language, *rest))


def by_chance(vocab, eos, *rest):
    def inputs(rng):
        seed = int(rng.integers(1_000_000))
        return Language(seed=seed, vocab=vocab), eos, *rest

    return inputs


TASK = FunctionTask(
    title="Beam search, where the best sentence is known",
    kind="implement",
    answers=("beam_search",),
    arguments=("log_p", "eos", "beam_size", "max_len", "penalty"),
    outputs=("words", "score"),
    right=(PLAIN, NLARGEST, ARRAYS, AGAIN),
    mistakes=MISTAKES,
    checks=(
        told("one beam is greedy", MISSED, 1, 5, 0.0),
        told("two beams find the likelier sentence", MISSED, 2, 5, 0.0),
        told("both of two beams go on from one", CROSSING, 2, 5, 0.0),
        told("the best sentence ends first", EARLY, 2, 6, 0.0),
        told("with a penalty of 1 a longer sentence wins", LONGER, 3, 6, 1.0),
        told("one that has ended is driven out", DRIVEN_OUT, 2, 6, 2.0),
        told("one that has ended is overtaken", OVERTAKEN, 2, 6, 2.0),
        told("one that has ended takes a place", IN_PLACE, 2, 6, 2.0),
        told("no room for an end", EARLY, 2, 1, 0.6),
        Check("five words by chance, three beams", by_chance(5, 3, 3, 6, 0.0)),
        Check("seven words, four beams, penalty 0.6", by_chance(7, 5, 4, 7, 0.6)),
        Check("three words, five beams, penalty 2", by_chance(3, 1, 5, 8, 2.0)),
        Check("room for every beginning", by_chance(3, 2, 81, 4, 1.0)),
    ),
    hints=(
        "Draw a tree of three words and two beams. After each step, write down every "
        "candidate with its sum, and which two stay. Where do sentences wait that ended?",
        "A beam is a list of words and a sum of log-probabilities. In each step, gather "
        "the successors of all beams in one list, rank them by score and cut it.",
    ),
    section="Beam search by hand",
    why="Several beginnings stay alive, so a sentence with a poor first word can still "
    "win. They compete as one list, ended ones included, by log-probability per length.",
)
