"""18.3 The alignment error rate of every head, and the head that finds most links."""

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

SETS = """
def best_head(weights, sure, possible):
    rates = []
    for h in range(len(weights[0])):
        shared = total = 0
        for w, s, p in zip(weights, sure, possible):
            found = {(int(i), j) for j, i in enumerate(w[h].argmax(axis=1))}
            shared += len(found & s) + len(found & p)
            total += len(found) + len(s)
        rates.append(1 - shared / total)
    return rates, int(np.argmin(rates))
"""

TABLES = """
def best_head(weights, sure, possible):
    hits, links = np.zeros(len(weights[0])), 0
    for w, s, p in zip(weights, sure, possible):
        value = np.zeros(w.shape[1:])  # what a link earns: 1 if right, 2 if sure
        for points in (s, p):
            for i, j in points:
                value[j, i] += 1
        chosen = w.argmax(-1)
        hits += np.take_along_axis(value[None], chosen[:, :, None], 2).sum((1, 2))
        links += w.shape[1] + len(s)
    rates = 1 - hits / links
    return rates, rates.argmin()
"""

LOOPS = """
def best_head(weights, sure, possible):
    n_heads, best = weights[0].shape[0], 0
    rates = np.ones(n_heads)
    for h in range(n_heads):
        in_sure = in_possible = n_found = 0
        for k, table in enumerate(weights):
            for j, row in enumerate(table[h]):
                link = (max(range(len(row)), key=lambda i: row[i]), j)
                in_sure += link in sure[k]
                in_possible += link in possible[k]
                n_found += 1
        n_sure = sum(len(s) for s in sure)
        rates[h] = 1 - (in_sure + in_possible) / (n_found + n_sure)
        if rates[h] < rates[best]:
            best = h
    return rates, best
"""

MISTAKES = """
a link for each source word: found = {(int(i), j) for j, i in enumerate(w[h].argmax(axis=1))} → found = {(i, int(j)) for i, j in enumerate(w[h].argmax(axis=0))}
or: in enumerate(table[h]) → in enumerate(table[h].T)
and: link = (max(range(len(row)), key=lambda i: row[i]), j) → link = (j, max(range(len(row)), key=lambda i: row[i]))
    You gave each source word a link. The rows of the weights are target words: which
    words look for a partner?

links turned around: {(int(i), j) for → {(j, int(i)) for
or: link = (max(range(len(row)), key=lambda i: row[i]), j) → link = (j, max(range(len(row)), key=lambda i: row[i]))
    Your links say (target, source). In which order does the gold have them?

the smallest weight: .argmax(axis=1) → .argmin(axis=1)
or: w.argmax(-1) → w.argmin(-1)
or: link = (max( → link = (min(
    You link each target word to the source word that it looks at least. What does a
    large weight say?

every large weight is a link: found = {(int(i), j) for j, i in enumerate(w[h].argmax(axis=1))} → found = {(int(i), int(j)) for j, i in np.argwhere(w[h] > 0.5)}
or: found = {(int(i), j) for j, i in enumerate(w[h].argmax(axis=1))} → found = {(int(i), int(j)) for j, i in np.argwhere(w[h] > w[h].mean(axis=1, keepdims=True))}
    You take all weights above a limit, so a word may have no link or several. How many
    links does the task give to each target word?

the pairs pooled: shared = total = 0 → A, S, P = set(), set(), set()
and: shared += len(found & s) + len(found & p) → A, S, P = A | found, S | s, P | p
and: total += len(found) + len(s) → pass
and: 1 - shared / total → 1 - (len(A & S) + len(A & P)) / (len(A) + len(S))
    A link that stands in two pairs counts once in yours. Is word 2 of one sentence the
    same as word 2 of another?

source words counted: len(found) + len(s) → w.shape[2] + len(s)
or: w.shape[1] + len(s) → w.shape[2] + len(s)
    Below the line you count the source words. How many links does a head make in a pair?

sure links no longer possible: len(found & p) → len(found & (p - s))
or: for points in (s, p): → for points in (s, p - s):
or: link in possible[k] → link in possible[k] - sure[k]
    A sure link counts once above the line in yours. Is it a possible one, too?

line of the fraction too short: / (n_found + n_sure) → / n_found + n_sure
or: (in_sure + in_possible) / (n_found + n_sure) → in_sure + in_possible / n_found + n_sure
    An error rate of yours exceeds 1. How far does the line of the fraction reach, above
    and below?

agreement instead of error: 1 - shared / total → shared / total
or: 1 - hits / links → hits / links
or: 1 - (in_sure → (in_sure
    Yours is 1 where every link is right. An error rate of a head without any error is:
    what?

sure links alone: + len(found & p) → + len(found & s)
or: for points in (s, p): → for points in (s, s):
or: in_possible += link in possible[k] → in_possible += link in sure[k]
    A link that is possible, but not sure, counts as an error in yours. Against which
    of the two sets are the found links held?

possible links alone: len(found & s) + → len(found & p) +
or: for points in (s, p): → for points in (p, p):
or: in_sure += link in sure[k] → in_sure += link in possible[k]
    The sure links enter yours below the line alone. Above the line stand two overlaps:
    which ones?

possible links below the line: len(found) + len(s) → len(found) + len(p)
or: w.shape[1] + len(s) → w.shape[1] + len(p)
or: sum(len(s) for s in sure) → sum(len(s) for s in possible)
    Below the line you count the possible links. Nobody must find all of those: which
    links must be found?

all possible links must be found: len(found & s) + len(found & p) → 2 * len(found & p)
and: len(found) + len(s) → len(found) + len(p)
or: for points in (s, p): → for points in (p, p):
and: w.shape[1] + len(s) → w.shape[1] + len(p)
or: in_sure += link in sure[k] → in_sure += link in possible[k]
and: sum(len(s) for s in sure) → sum(len(s) for s in possible)
    You treat all possible links as sure ones. What is the difference between those that
    may be found and those that must?

share of right links: shared += len(found & s) + len(found & p) → shared += len(found & p)
and: total += len(found) + len(s) → total += len(found)
or: (in_sure + in_possible) / (n_found + n_sure) → in_possible / n_found
    You ask how many of the found links are possible ones. A head could please you by
    finding none of the sure ones: where do these enter?

share of the sure links found: shared += len(found & s) + len(found & p) → shared += len(found & s)
and: total += len(found) + len(s) → total += len(s)
or: (in_sure + in_possible) / (n_found + n_sure) → in_sure / n_sure
    You ask how many of the sure links were found, and forgive every wrong one. Where do
    the found links enter below the line?

mean over the sentences: shared = total = 0 → errors = []
and: shared += len(found & s) + len(found & p) → shared = len(found & s) + len(found & p)
and: total += len(found) + len(s) → errors.append(1 - shared / (len(found) + len(s)))
and: rates.append(1 - shared / total) → rates.append(np.mean(errors))
or: hits, links = np.zeros(len(weights[0])), 0 → hits, links = np.zeros(len(weights[0])), len(weights)
and: hits += np.take_along_axis(value[None], chosen[:, :, None], 2).sum((1, 2)) → hits += np.take_along_axis(value[None], chosen[:, :, None], 2).sum((1, 2)) / (w.shape[1] + len(s))
and: links += w.shape[1] + len(s) →
    You take the error of each sentence and then the mean. What is added up over the
    corpus, before it is divided?

the first sentence alone: zip(weights, sure, possible) → zip(weights[:1], sure, possible)
or: enumerate(weights) → enumerate(weights[:1])
and: for s in sure) → for s in sure[:1])
    You look at the first sentence alone. What should happen to the counts of the others?

the last sentence alone: shared += → shared =
and: total += → total =
or: hits += → hits =
and: links += → links =
    Your counts start anew with each sentence. Over what are they added up?

counts that go on from head to head: for h in range(len(weights[0])):\\n        shared = total = 0 → shared = total = 0\\n    for h in range(len(weights[0])):
or: for h in range(n_heads):\\n        in_sure = in_possible = n_found = 0 → in_sure = in_possible = n_found = 0\\n    for h in range(n_heads):
    Your first head is right, and the later ones carry the counts of those before them.
    Where do the counts begin?

harmonic mean of two shares: (in_sure + in_possible) / (n_found + n_sure) → 2 / (n_found / max(in_possible, 1e-9) + n_sure / max(in_sure, 1e-9))
    You took the harmonic mean of two shares, those of right and of found links. The
    error rate has one fraction: which counts stand above and below its line?

heads averaged first: w[h].argmax(axis=1) → w.mean(axis=0).argmax(axis=1)
or: w.argmax(-1) → np.repeat(w.mean(0, keepdims=True).argmax(-1), len(w), 0)
or: enumerate(table[h]) → enumerate(table.mean(0))
    All your heads have the same rate, since you blended their weights. Which head do
    you want to know about?

the worst head: np.argmin(rates) → np.argmax(rates)
or: rates.argmin() → rates.argmax()
or: rates[h] < rates[best] → rates[h] > rates[best]
    Your head has the largest error rate. Which one is the best?

counted from 1: int(np.argmin(rates)) → int(np.argmin(rates)) + 1
or: rates.argmin() → rates.argmin() + 1
or: return rates, best → return rates, best + 1
    You count the heads from 1. What is the number of the first in Python?

the last of equal heads: int(np.argmin(rates)) → len(rates) - 1 - int(np.argmin(rates[::-1]))
or: rates.argmin() → len(rates) - 1 - rates[::-1].argmin()
or: rates[h] < rates[best] → rates[h] <= rates[best]
    Two heads are equally good, and you name the later one. Which one does the task ask
    for?

rate instead of the head: int(np.argmin(rates)) → min(rates)
or: rates.argmin() → rates.min()
or: return rates, best → return rates, rates[best]
    Your second result is the lowest rate. Which *number of a head* has it?

results swapped: return rates, int(np.argmin(rates)) → return int(np.argmin(rates)), rates
or: return rates, rates.argmin() → return rates.argmin(), rates
or: return rates, best → return best, rates
    You returned the right two things. In which order are they asked for?

percent: 1 - shared / total → 100 * (1 - shared / total)
or: 1 - hits / links → 100 * (1 - hits / links)
    Yours are percentages. What is the error rate of a head that is always wrong?

union instead of the overlap: len(found & s) + len(found & p) → len(found | s) + len(found | p)
    You count the links that are in one of the two sets. When is a found link a right
    one?
"""


def pairs(*lengths, heads, links=0.6):
    """Pairs of these lengths (t_src, t_tgt): weights, sure and possible links."""

    def inputs(rng):
        weights, sure, possible = [], [], []
        for t_src, t_tgt in lengths:
            table = rng.dirichlet(np.full(t_src, 0.5), (heads, t_tgt)).round(2)
            table += rng.permutation(table.size).reshape(table.shape) * 1e-5  # no ties
            every = [(i, j) for i in range(t_src) for j in range(t_tgt)]
            # What head 1 finds, for the most part, so that there is something to share.
            gold = {
                (int(i), j)
                for j, i in enumerate(table[1].argmax(1))
                if rng.random() < links
            }
            gold |= {every[n] for n in rng.choice(len(every), t_tgt // 2 + 1)}
            names = sorted(gold)
            keep = rng.permutation(len(names))[: max(1, 2 * len(names) // 3)]
            weights.append(table)
            sure.append({names[n] for n in keep})
            possible.append(gold)
        return weights, sure, possible

    return inputs


def as_drawn(rng):
    """Three source words, two target words: head 0 is right, head 1 half right."""
    weights = np.array(
        [[[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]], [[0.2, 0.7, 0.1], [0, 0.1, 0.9]]]
    )
    return [weights], [{(0, 0), (2, 1)}], [{(0, 0), (2, 1)}]


def only_possible(rng):
    """The same, but for a link that may be found and need not."""
    weights, *_ = as_drawn(rng)
    return weights, [{(2, 1)}], [{(1, 0), (2, 1), (2, 0)}]


def equal_heads(rng):
    weights, sure, possible = pairs((5, 3), (3, 4), heads=2)(rng)
    return [table[[0, 1, 1, 0]] for table in weights], sure, possible


def one_pair(heads, links=0.6):
    """A pair of drawn lengths."""

    def inputs(rng):
        return pairs((rng.permutation(5)[:2] + 3), heads=heads, links=links)(rng)

    return inputs


TASK = FunctionTask(
    title="Which head found the links?",
    kind="implement",
    answers=("best_head",),
    arguments=("weights", "sure", "possible"),
    outputs=("rates", "head"),
    right=(SETS, TABLES, LOOPS),
    mistakes=MISTAKES,
    checks=(
        Check("one pair, two heads", as_drawn, fresh=one_pair(2)),
        Check(
            "a link that is possible, not sure",
            only_possible,
            fresh=one_pair(2, links=1),
        ),
        Check("one pair, three heads", pairs((5, 7), heads=3)),
        Check("two pairs", pairs((3, 7), (7, 2), heads=3)),
        Check(
            "five pairs, four heads",
            pairs((5, 3), (2, 7), (7, 5), (11, 13), (3, 2), heads=4),
        ),
        Check("heads that are equally good", equal_heads),
    ),
    hints=(
        "For one head and one pair: write down the found links as a set of (source, "
        "target). How many of them are sure, and how many are possible?",
        "Both overlaps stand above the line, |found| and |sure| below it. Are the four "
        "counts added up over all pairs before you divide?",
    ),
    section="Every head against the gold",
    page="18b_does_attention_say_why",
    why="Each target word's largest weight is a link, and a head is as good as its links: "
    "right ones must be possible, and the sure ones must be there.",
)
