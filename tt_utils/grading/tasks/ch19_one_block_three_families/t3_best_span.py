"""19.3 The best possible span of an answer, and its share among all of them."""

from tt_utils.grading.tasks.inputs import fixed
from tt_utils.grading.tasks.spec import Check, FunctionTask

TABLE = """
def best_span(start, end, first, longest):
    t = len(start)
    total = start[:, None] + end
    length = np.arange(t) - np.arange(t)[:, None] + 1
    possible = (length > 0) & (length <= longest)
    possible[:first] = False
    possible[0, 0] = True
    total = np.where(possible, total, -np.inf)
    i, j = divmod(int(total.argmax()), t)
    powers = np.exp(total - total.max())
    return (i, j), powers[i, j] / powers.sum()
"""

LOOPS = """
def best_span(start, end, first, longest):
    scores = {(0, 0): start[0] + end[0]}
    for i in range(first, len(start)):
        for j in range(i, min(i + longest, len(start))):
            scores[i, j] = start[i] + end[j]
    best = max(scores, key=scores.get)
    share = 1 / sum(np.exp(score - scores[best]) for score in scores.values())
    return best, share
"""

LISTED = """
def best_span(start, end, first, longest):
    t = len(start)
    band = np.triu(np.ones((t, t))) - np.triu(np.ones((t, t)), longest)
    band[:first] = 0
    band[0, 0] = 1
    starts, ends = band.nonzero()
    found = start[starts] + end[ends]
    n = found.argmax()
    shares = np.exp(found - found.max())
    return (starts[n], ends[n]), shares[n] / shares.sum()
"""

MISTAKES = """
end before start: (length > 0) & (length <= longest) → length <= longest
or: range(i, min → range(0, min
or: range(i, min → range(first, min
or: (length > 0) & (length <= longest) → (abs(length - 1) < longest)
and: possible[:first] = False → possible[:first] = possible[:, :first] = False
or: range(i, min → range(max(first, i - longest + 1), min
or: band = np.triu(np.ones((t, t))) → band = np.tril(np.triu(np.ones((t, t)), 1 - longest)) + np.triu(np.ones((t, t)), 1)
and: band[:first] = 0 → band[:first] = band[:, :first] = 0
    Some of your spans end before they start. Which side of the diagonal holds the
    possible ones?

each end for itself: i, j = divmod(int(total.argmax()), t) → i, j = start.argmax(), end.argmax()
or: i, j = divmod(int(total.argmax()), t) → i, j = start.argmax(), end.argmax()
and: powers[i, j] / powers.sum() → 1 / (np.exp(start - start[i]).sum() * np.exp(end - end[j]).sum())
or: i, j = divmod(int(total.argmax()), t) → i, j = start.argmax(), end.argmax()
and: powers[i, j] / powers.sum() → 1 / np.exp(start[:, None] + end - start[i] - end[j])[possible].sum()
or: best = max(scores, key=scores.get) → best = int(start.argmax()), int(end.argmax()); scores[best] = start.max() + end.max()
    You took the best start and the best end, each on its own. Do those two make a
    possible span?

best start first: i, j = divmod(int(total.argmax()), t) → i = int(np.where(possible.any(1), start, -np.inf).argmax()); j = int(total[i].argmax())
or: best = max(scores, key=scores.get) → best = max(scores, key=lambda pair: (start[pair[0]], end[pair[1]]))
or: n = found.argmax() → n = np.lexsort((end[ends], start[starts]))[-1]
    You settle the start first, and then look for an end. A start that is second best may
    have a much better end: what is compared with what?

best end first: i, j = divmod(int(total.argmax()), t) → j = int(np.where(possible.any(0), end, -np.inf).argmax()); i = int(total[:, j].argmax())
or: best = max(scores, key=scores.get) → best = max(scores, key=lambda pair: (end[pair[1]], start[pair[0]]))
    You settle the end first, and then look for a start. An end that is second best may
    have a much better start: what is compared with what?

any length: (length > 0) & (length <= longest) → length > 0
or: min(i + longest, len(start)) → len(start)
or: - np.triu(np.ones((t, t)), longest) →
    Your spans may be of any length. What is the argument `longest` for?

one token too long: length <= longest → length <= longest + 1
or: i + longest, → i + longest + 1,
or: np.ones((t, t)), longest) → np.ones((t, t)), longest + 1)
    Your longest spans have one token too many. How many tokens has a span from 4 to 6?

one token too short: length <= longest → length < longest
or: i + longest, → i + max(longest - 1, 1),
or: np.ones((t, t)), longest) → np.ones((t, t)), longest - 1)
    Your longest spans have one token too few. How many tokens has a span from 4 to 6?

answers from the question: possible[:first] = False → possible[0] = False
or: range(first, len → range(1, len
or: band[:first] = 0 → band[0] = 0
    Your answer may stand in the question. At which position does the passage begin?

passage begins one later: possible[:first] = False → possible[: first + 1] = False
or: range(first, len → range(first + 1, len
or: band[:first] = 0 → band[: first + 1] = 0
    No answer of yours begins with the first token of the passage. Which position has
    it?

none as any other start: possible[0, 0] = True → possible[0] = length[0] <= longest
or: scores = {(0, 0): start[0] + end[0]} → scores = {(0, j): start[0] + end[j] for j in range(min(longest, len(start)))}
or: band[:first] = 0 → band[1:first] = 0
    Some of your spans begin at `<s>` and end elsewhere. What does `<s>` stand for, and
    which single pair says so?

none from everywhere: possible[0, 0] = True → possible[0] = True
or: scores = {(0, 0): start[0] + end[0]} → scores = {(0, j): start[0] + end[j] for j in range(len(start))}
or: band[0, 0] = 1 → band[0] = 1
    Some of your spans begin at `<s>` and end elsewhere, as far as you like. What does
    `<s>` stand for, and which single pair says so?

always an answer: possible[0, 0] = True → possible[0, 0] = False
or: scores = {(0, 0): start[0] + end[0]} → scores = {}
or: band[0, 0] = 1 → band[0, 0] = 0
    You always find an answer. Which pair of positions says that the passage has none,
    and does it take part in your comparison?

none where the start says so: i, j = divmod(int(total.argmax()), t) → i, j = divmod(int(total.argmax()), t) if start[0] < start[first:].max() else (0, 0)
or: best = max(scores, key=scores.get) → best = (0, 0) if start[0] > start[first:].max() else max(scores, key=scores.get)
    You ask the starts alone whether there is an answer. *None* is a pair like any other:
    which two scores does it add up?

scores multiplied: start[:, None] + end → start[:, None] * end
or: start[i] + end[j] → start[i] * end[j]
and: start[0] + end[0] → start[0] * end[0]
or: start[starts] + end[ends] → start[starts] * end[ends]
    You multiplied the scores, and two negative ones make a good span. How does a span
    get its score?

start alone: start[:, None] + end → start[:, None] + 0 * end
or: start[i] + end[j] → start[i]
and: start[0] + end[0] → start[0]
or: start[starts] + end[ends] → start[starts]
    The end scores change nothing in yours. How does a span get its score?

end alone: start[:, None] + end → 0 * start[:, None] + end
or: start[i] + end[j] → end[j]
and: start[0] + end[0] → end[0]
    The start scores change nothing in yours. How does a span get its score?

table on its side: start[:, None] + end → start + end[:, None]
    Your rows are ends and your columns starts, and the mask thinks otherwise. Which of
    the two arrays gets the new axis?

impossible as 0: np.where(possible, total, -np.inf) → np.where(possible, total, 0.0)
or: np.where(possible, total, -np.inf) → total * possible
    You give impossible spans a score of 0. If all possible ones are below that, who
    wins? And what is e to the power of 0 in the sum?

worst span: total.argmax() → np.where(possible, total, np.inf).argmin()
or: max(scores, key → min(scores, key
or: found.argmax() → found.argmin()
    You chose the span with the smallest score. Which one is wanted?

end behind the span: return (i, j), → return (i, j + 1 if i else 0),
or: return (i, j), → return (i, j + 1),
or: return best, share → return (best[0], best[1] + 1), share
    Your second position lies behind the answer, as in a slice. Which token does the task
    ask for?

length instead of the end: return (i, j), → return (i, j - i + 1),
or: return best, share → return (best[0], best[1] - best[0] + 1), share
    You return where the answer begins and how long it is. What is asked for as the
    second number?

counted from the passage: return (i, j), → return (i - first, j - first),
or: return best, share → return (best[0] - first, best[1] - first), share
or: return best, share → return (max(best[0] - first, 0), max(best[1] - first, 0)), share
    You count positions from the beginning of the passage. From where do `start` and
    `end` count them?

positions swapped: return (i, j), → return (j, i),
or: return best, share → return best[::-1], share
or: return (starts[n], ends[n]), → return (ends[n], starts[n]),
    The answer's end comes first in yours. In which order are the two positions asked
    for?

score instead of a share: return (i, j), powers[i, j] / powers.sum() → return (i, j), total[i, j]
or: return best, share → return best, scores[best]
or: return (starts[n], ends[n]), shares[n] / shares.sum() → return (starts[n], ends[n]), found[n]
    You return the score of the span. What makes shares of scores, so that they sum to 1?

share of the plain sums: powers[i, j] / powers.sum() → total[i, j] / total[possible].sum()
or: share = 1 / sum(np.exp(score - scores[best]) for score in scores.values()) → share = scores[best] / sum(scores.values())
or: shares[n] / shares.sum() → found[n] / found.sum()
    You divided a score by the sum of all scores. These may be negative: what is done to
    a score first, in a softmax?

impossible spans in the sum: powers[i, j] / powers.sum() → 1 / np.exp(start[:, None] + end - total.max()).sum()
or: for score in scores.values()) → for score in (start[:, None] + end).ravel())
or: shares.sum() → np.exp(np.add.outer(start, end) - found.max()).sum()
or: powers[i, j] / powers.sum() → 1 / (np.exp(start - start[i]).sum() * np.exp(end - end[j]).sum())
or: share = 1 / sum(np.exp(score - scores[best]) for score in scores.values()) → share = 1 / (np.exp(start - start[best[0]]).sum() * np.exp(end - end[best[1]]).sum())
    Your share is too small: impossible spans have a part of the whole. They also have
    one where a start's probability is multiplied by an end's. Over which spans does the
    softmax run?

none left out of the sum: / powers.sum() → / (powers.sum() - powers[0, 0] * (i > 0))
or: for score in scores.values()) → for pair, score in scores.items() if pair[0] or not best[0])
    *None* has no part in your sum. Is it one of the possible answers?

powers too large: np.exp(total - total.max()) → np.exp(total)
or: share = 1 / sum(np.exp(score - scores[best]) for score in scores.values()) → share = np.exp(scores[best]) / sum(np.exp(score) for score in scores.values())
or: np.exp(found - found.max()) → np.exp(found)
    Right, until a score is so large that its power is infinite for a computer. What may
    be subtracted from all scores without changing a share?

logarithm of the share: powers[i, j] / powers.sum() → np.log(powers[i, j] / powers.sum())
or: return best, share → return best, np.log(share)
or: shares[n] / shares.sum() → np.log(shares[n] / shares.sum())
    Your share is negative: it is a logarithm. What is asked for, between 0 and 1?

percent: powers[i, j] / powers.sum() → 100 * powers[i, j] / powers.sum()
or: return best, share → return best, 100 * share
or: shares[n] / shares.sum() → 100 * shares[n] / shares.sum()
    You return percent. Between which two numbers does a share lie?

results swapped: return (i, j), powers[i, j] / powers.sum() → return powers[i, j] / powers.sum(), (i, j)
or: return best, share → return share, best
    Both are right. In which order are they asked for?
"""


def best_of(start, end, first, longest):
    """All possible spans with their scores, the best one first."""
    spans = [(0, 0)] + [
        (i, j)
        for i in range(first, len(start))
        for j in range(i, min(i + longest, len(start)))
    ]
    return sorted(((start[i] + end[j], (i, j)) for i, j in spans), reverse=True)


def case(t, first, longest, *wanted, shift=0.0, scale=2.0):
    """Random scores for which all that is `wanted` holds, and one span is the best.

    `wanted` holds functions of the start scores, the end scores and the best span.
    """

    def inputs(rng):
        while True:
            start, end = (rng.normal(shift, scale, (2, t))).round(2)
            (best, (i, j)), (second, _) = best_of(start, end, first, longest)[:2]
            if best - second > 0.2 and all(is_so(start, end, i, j) for is_so in wanted):
                return start, end, first, longest

    return inputs


def answered(start, end, i, j):
    return i > 0


def none(start, end, i, j):
    return i == 0


def of_length(n):
    def is_so(start, end, i, j):
        return i > 0 and j - i + 1 == n

    return is_so


def crossed(start, end, i, j):
    """The best start stands behind the best end, both in the passage."""
    return i > 0 and start.argmax() > end.argmax() > 4


def not_the_best_start(start, end, i, j):
    return i > 0 and start[5:].max() > start[i] + 0.5 and end[5:].max() <= end[j]


def not_the_best_end(start, end, i, j):
    return i > 0 and end[5:].max() > end[j] + 0.5 and start[5:].max() <= start[i]


def loud_question(start, end, i, j):
    """The question has a span of two words that would win."""
    return i > 0 and start[1:4].max() + end[2:5].max() > start[i] + end[j] + 1


def loud_none(start, end, i, j):
    """*None* has the best start, and a poor end."""
    return i > 0 and start[0] > start[1:].max() + 0.5


def at_first(start, end, i, j):
    return i == 5


EXAMPLE = [1, 0, 2, 3, 2], [1, 4, 0, 1, 3]

TASK = FunctionTask(
    title="The best span that is possible",
    kind="implement",
    answers=("best_span",),
    arguments=("start", "end", "first", "longest"),
    outputs=("span", "share"),
    right=(TABLE, LOOPS, LISTED),
    mistakes=MISTAKES,
    checks=(
        Check(
            "five candidates, as in chapter 19c",
            fixed(*EXAMPLE, 1, 5),
            fresh=case(5, 1, 5, answered),
        ),
        Check("a question of four tokens", case(11, 5, 11, answered)),
        Check("the best end stands before the best start", case(13, 5, 13, crossed)),
        Check("spans of three tokens at most", case(17, 5, 3, of_length(3))),
        Check("the passage has no answer", case(13, 5, 7, none)),
        Check("the best start has no good end", case(13, 5, 11, not_the_best_start)),
        Check("the best end has no good start", case(13, 5, 11, not_the_best_end)),
        Check("the question scores highest", case(11, 5, 5, loud_question)),
        Check("a good start for none, a poor end", case(13, 5, 7, loud_none)),
        Check("the answer begins with the passage", case(11, 5, 7, at_first)),
        Check("all scores are negative", case(11, 3, 7, answered, shift=-8.0)),
        Check("answers of a single token", case(11, 5, 1, answered)),
        Check("scores near 800", case(11, 3, 5, answered, shift=400.0)),
        Check("a passage of 43 tokens", case(53, 10, 7, answered, scale=3.0)),
    ),
    hints=(
        "Make the table of all sums, a row for each start and a column for each end. "
        "Colour what is impossible: how many reasons are there for a dark square?",
        "Take the best of what is left. Its share is a softmax over the same squares: "
        "what must the power of an impossible one be?",
    ),
    section="The family goes on",
    why="The best start and the best end needn't make a span, so all pairs are compared "
    "and the impossible ones left out, from the softmax too. *None* is one more pair.",
)
