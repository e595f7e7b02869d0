"""14.3 Batches by length, each within a budget of tokens that counts the padding."""

from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def token_batches(lengths, max_tokens):
    order = sorted(range(len(lengths)), key=lambda i: -lengths[i])
    batches = []
    for i in order:
        if batches and (len(batches[-1]) + 1) * lengths[batches[-1][0]] <= max_tokens:
            batches[-1].append(i)
        else:
            batches.append([i])
    return batches
"""

COLLECTED = """
def token_batches(lengths, max_tokens):
    batches, batch, width = [], [], 0
    for i in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        width = max(width, lengths[i])
        if batch and (len(batch) + 1) * width > max_tokens:
            batches.append(batch)
            batch, width = [], lengths[i]
        batch.append(i)
    if batch:
        batches.append(batch)
    return batches
"""

SLICES = """
def token_batches(lengths, max_tokens):
    order = np.argsort([-n for n in lengths], kind="stable").tolist()
    batches, start = [], 0
    while start < len(order):
        end = start + max(1, max_tokens // lengths[order[start]])
        batches.append(order[start:end])
        start = end
    return batches
"""

RECURSIVE = """
def token_batches(lengths, max_tokens):
    def split(pairs):
        if not pairs:
            return []
        widest = -pairs[0][0]
        fits = [n for n in range(1, len(pairs) + 1) if n * widest <= max_tokens]
        rows = fits[-1] if fits else 1
        return [[i for _, i in pairs[:rows]]] + split(pairs[rows:])

    return split(sorted((-n, i) for i, n in enumerate(lengths)))
"""

MISTAKES = """
real tokens counted: (len(batches[-1]) + 1) * lengths[batches[-1][0]] <= max_tokens → sum(lengths[j] for j in batches[-1]) + lengths[i] <= max_tokens
or: (len(batch) + 1) * width > max_tokens → sum(lengths[j] for j in batch) + lengths[i] > max_tokens
or: n * widest <= max_tokens → sum(-length for length, _ in pairs[:n]) <= max_tokens
    You count the words alone. Once the rows are filled up to the longest of them, how
    many numbers does your batch hold?

width of the newest: * lengths[batches[-1][0]] <= → * lengths[i] <=
or: width = max(width, lengths[i]) → width = lengths[i]
or: n * widest <= max_tokens → n * -pairs[n - 1][0] <= max_tokens
    Your width is that of the newest row, the shortest of its batch in this order. Which
    row decides how wide a batch is?

the new row not counted: (len(batches[-1]) + 1) * → len(batches[-1]) *
or: (len(batch) + 1) * → len(batch) *
or: max(1, max_tokens // lengths[order[start]]) → 1 + max_tokens // lengths[order[start]]
or: (len(batches[-1]) + 1) * lengths[batches[-1][0]] <= → len(batches[-1]) * lengths[batches[-1][0]] <
or: (len(batch) + 1) * width > → len(batch) * width >=
    Your batches are one row too large: you count the rows before the new one comes in.
    How many are there with it?

below the budget: <= max_tokens → < max_tokens
or: > max_tokens → >= max_tokens
    A batch of just `max_tokens` is allowed, and you open a new one. What does *at most*
    say?

every batch of the same size: * lengths[batches[-1][0]] <= max_tokens → * max(lengths) <= max_tokens
or: max_tokens // lengths[order[start]] → max_tokens // max(lengths)
or: batch, width = [], lengths[i]\\n → batch = []\\n
    All your batches have as many sentences as the longest one of all allows. How many
    short ones would fit?

sentences counted: (len(batches[-1]) + 1) * lengths[batches[-1][0]] <= → len(batches[-1]) + 1 <=
or: max(1, max_tokens // lengths[order[start]]) → max_tokens
or: n * widest <= → n <=
    Your budget counts sentences. How many tokens does one of them take up in its batch?

the last batch lost: if batch:\\n        batches.append(batch)\\n    return → return
or: return batches\\n → return batches[:-1]\\n
    Some sentences are in no batch. Where does the last one go when there are no more
    sentences to fill it?

not sorted: order = sorted(range(len(lengths)), key=lambda i: -lengths[i]) → order = range(len(lengths))
and: * lengths[batches[-1][0]] <= max_tokens → * max(lengths[j] for j in [*batches[-1], i]) <= max_tokens
or: sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True) → range(len(lengths))
    You take the sentences as they come, so short ones wait beside long ones. In which
    order would the rows of a batch be nearly as long as each other?

not sorted, width of the first: order = sorted(range(len(lengths)), key=lambda i: -lengths[i]) → order = range(len(lengths))
or: np.argsort([-n for n in lengths], kind="stable").tolist() → list(range(len(lengths)))
    You take the sentences as they come, and the first one of a batch as its longest. In
    which order is it?

shortest first: key=lengths.__getitem__, reverse=True) → key=lengths.__getitem__)
or: key=lambda i: -lengths[i]) → key=lambda i: lengths[i])
and: * lengths[batches[-1][0]] <= → * lengths[i] <=
    You begin with the shortest sentences. Which come first, in the task?

shortest first, width of the first: key=lambda i: -lengths[i]) → key=lambda i: lengths[i])
or: [-n for n in lengths] → lengths
    You begin with the shortest sentences, and take the first one of a batch as its
    longest. Which come first, in the task?

equal lengths turned around: np.argsort([-n for n in lengths], kind="stable").tolist() → np.argsort(lengths, kind="stable")[::-1].tolist()
or: key=lengths.__getitem__, reverse=True) → key=lengths.__getitem__)[::-1]
or: sorted((-n, i) for i, n in enumerate(lengths)) → sorted(((n, i) for i, n in enumerate(lengths)), reverse=True)
and: -pairs[0][0] → pairs[0][0]
    Sentences of one length stand the wrong way round in yours: what turns a whole list
    around turns them as well. In which order should they stay?

lengths instead of numbers: batches.append(order[start:end]) → batches.append([lengths[i] for i in order[start:end]])
or: batch.append(i) → batch.append(lengths[i])
    Your batches hold lengths. With what would somebody find the sentences again?

the long ones left out: range(len(lengths)), key=lambda i: -lengths[i]) → (i for i in range(len(lengths)) if lengths[i] <= max_tokens), key=lambda i: -lengths[i])
or: enumerate(lengths)) → enumerate(lengths) if n <= max_tokens)
    A sentence that is longer than the budget is in none of your batches. What does the
    task say about it?

an empty batch: if batch and (len(batch) + 1) → if (len(batch) + 1)
or: if batch and (len(batch) + 1) → if batches[-1:] != [[]] and (len(batch) + 1)
    One of your batches is empty. What happens when the very first sentence is longer
    than the budget?

a batch of no sentences: if batch:\\n        batches.append(batch)\\n    return → batches.append(batch)\\n    return
    Without any sentences you give one batch, an empty one. How many batches are there
    when there is nothing to put into them?

the sentence that opens a batch lost: batch, width = [], lengths[i]\\n        batch.append(i) → batch, width = [], 0\\n        else:\\n            batch.append(i)
or: start = end\\n → start = end + 1\\n
    Whenever a batch is full, one sentence is lost. Where does the one go that did not
    fit any more?

the sentence that closes a batch in both: batches.append(batch)\\n            batch, width → batches.append([*batch, i])\\n            batch, width
or: append(order[start:end]) → append(order[start : end + 1])
    Some sentences are in two batches. In which of them should the one be that did not
    fit any more?

one flat list: return batches\\n → return sum(batches, [])\\n
    You return one list of all numbers. Where does one batch end and the next begin?

one batch for each length: if batches and (len(batches[-1]) + 1) → if batches and lengths[batches[-1][0]] == lengths[i] and (len(batches[-1]) + 1)
or: if batch and (len(batch) + 1) * width > max_tokens → if batch and (lengths[batch[0]] != lengths[i] or (len(batch) + 1) * width > max_tokens)
    A batch of yours ends whenever the length changes, though there is room for more.
    What is padding there for?

numbered in sorted order: append(order[start:end]) → append(list(range(start, min(end, len(order)))))
    You give places in the sorted order. With which numbers would somebody find a
    sentence in `lengths`?

looked up by their length: order = sorted(range(len(lengths)), key=lambda i: -lengths[i]) → order = [lengths.index(n) for n in sorted(lengths, reverse=True)]
    Sentences of one length get the same number in yours. By what do you look it up?

numbered from 1: append(order[start:end]) → append([i + 1 for i in order[start:end]])
or: batch.append(i) → batch.append(i + 1)
    You count the sentences from 1. What is the number of the first one in Python?

filled from the shortest, then turned around: key=lambda i: -lengths[i]) → key=lambda i: lengths[i])
and: * lengths[batches[-1][0]] <= → * lengths[i] <=
and: return batches\\n → return batches[::-1]\\n
    Your batches are filled from the shortest sentence on, and the list is turned around
    in the end. With which sentences does the task begin to fill?
"""


def fixed_lengths(*lengths, budget):
    return lambda rng: (list(lengths), budget)


def drawn(count, longest, budget):
    return lambda rng: (rng.integers(2, longest + 1, count).tolist(), budget)


def few(rng, shortest=2, longest=10):
    """Six to nine lengths, two of them the same."""
    lengths = rng.integers(shortest, longest, rng.integers(5, 9)).tolist()
    lengths.insert(int(rng.integers(2)), lengths[-1])
    return lengths


def any_budget(rng):
    return few(rng), int(rng.integers(10, 20))


def just_full(rng):
    """A budget that so many of the longest sentences would fill."""
    lengths = few(rng)
    return lengths, int(rng.integers(2, 4)) * max(lengths)


def too_long(rng):
    """A budget that the longest sentence exceeds, and two shortest ones don't."""
    lengths = few(rng)
    budget = 2 * min(lengths) + 2
    return [*lengths[:2], budget + int(rng.integers(1, 9)), *lengths[2:]], budget


def all_too_long(rng):
    return few(rng, 6), 5


def none_and_some(answers, none, lengths, max_tokens):
    """The batches of no sentences, and those of some."""
    return answers[0](none, max_tokens), answers[0](lengths, max_tokens)


def nothing_at_first(rng):
    return [], *any_budget(rng)


TASK = FunctionTask(
    title="Batches within a budget",
    kind="implement",
    answers=("token_batches",),
    arguments=("lengths", "max_tokens"),
    outputs=("batches",),
    right=(PLAIN, COLLECTED, SLICES, RECURSIVE),
    mistakes=MISTAKES,
    checks=(
        Check(
            "a few sentences", fixed_lengths(3, 6, 2, 5, budget=10), fresh=any_budget
        ),
        Check(
            "some of one length",
            fixed_lengths(4, 2, 4, 3, 9, 2, 4, budget=12),
            fresh=any_budget,
        ),
        Check(
            "just the budget",
            fixed_lengths(5, 3, 3, 5, 3, 2, 5, budget=15),
            fresh=just_full,
        ),
        Check(
            "a sentence longer than the budget",
            fixed_lengths(3, 17, 2, 3, 11, 4, budget=9),
            fresh=too_long,
        ),
        Check(
            "all longer than the budget",
            fixed_lengths(8, 7, 9, budget=5),
            fresh=all_too_long,
        ),
        Check(
            "no sentences, and then a few",
            nothing_at_first,
            none_and_some,
            ("none", "lengths", "max_tokens"),
            ("batches_of_none", "batches"),
        ),
        Check("23 sentences", drawn(23, 13, 31)),
        Check("97 sentences", drawn(97, 41, 128)),
    ),
    hints=(
        "Take the example with a pencil. Before a sentence joins a batch: how many rows "
        "would there be, and how wide would all of them become?",
        "Sort the numbers of the sentences, not their lengths. Then the first row of a "
        "batch is its longest, and rows × width is a single product.",
    ),
    section="Batches by length",
    why="Padding counts as much as words, for memory and for time. Neighbours of like "
    "length leave little of it, and a budget makes batches of short sentences large.",
)
