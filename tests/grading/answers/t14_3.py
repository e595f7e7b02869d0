"""Answers to 14.3: batches, longest first, within a budget that counts padding."""

LONGEST_FIRST = "sorted(range(len(lengths)), key=lambda i: -lengths[i])"


def written(body: str, names: str = "lengths, max_tokens") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def token_batches({names}):\n{lines}"


def filled(
    fits: str = "(len(batch) + 1) * lengths[batch[0]] <= max_tokens",
    order: str = LONGEST_FIRST,
    at_end: str = "if batch:\n    batches.append(batch)",
    result: str = "batches",
) -> str:
    """A loop that fills one batch after the other."""
    return written(f"""batches, batch = [], []
for i in {order}:
    if batch and not ({fits}):
        batches.append(batch)
        batch = []
    batch.append(i)
{at_end}
return {result}""")


RIGHT = {
    "a loop": filled(),
    "reverse": filled(
        order="sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True)"
    ),
    "turned around twice": filled(
        order="sorted(range(len(lengths))[::-1], key=lambda i: lengths[i])[::-1]"
    ),
    "pairs": written("""batches = []
for n, i in sorted((-n, i) for i, n in enumerate(lengths)):
    if not batches or (len(batches[-1]) + 1) * lengths[batches[-1][0]] > max_tokens:
        batches.append([])
    batches[-1].append(i)
return batches"""),
    "NumPy": filled(order="np.argsort(-np.array(lengths), kind='stable')"),
    "torch": filled(
        order="torch.tensor(lengths).argsort(stable=True, descending=True).tolist()"
    ),
    "torch's numbers": filled(
        order="torch.tensor(lengths).argsort(stable=True, descending=True)"
    ),
    "width by max": filled(
        "(len(batch) + 1) * max([lengths[j] for j in batch] + [lengths[i]]) <= max_tokens"
    ),
    "division": filled("len(batch) < max_tokens // lengths[batch[0]]"),
    "room": filled("max_tokens - len(batch) * lengths[batch[0]] >= lengths[batch[0]]"),
    "tuples": written(f"""out, current = [], ()
for i in {LONGEST_FIRST}:
    new = (*current, i)
    if current and len(new) * lengths[new[0]] > max_tokens:
        out.append(current)
        new = (i,)
    current = new
return tuple(out) + ((current,) if current else ())"""),
    "generator": """
def token_batches(lengths, max_tokens):
    def batches():
        batch = []
        for i in sorted(range(len(lengths)), key=lambda i: (-lengths[i], i)):
            if batch and (len(batch) + 1) * lengths[batch[0]] > max_tokens:
                yield batch
                batch = []
            batch.append(i)
        if batch:
            yield batch

    return list(batches())
""",
    "a queue": written(f"""from collections import deque

queue = deque({LONGEST_FIRST})
batches = []
while queue:
    batch = [queue.popleft()]
    while queue and (len(batch) + 1) * lengths[batch[0]] <= max_tokens:
        batch.append(queue.popleft())
    batches.append(batch)
return batches"""),
    "slices": written(f"""order = {LONGEST_FIRST}
batches = []
while order:
    n = max(max_tokens // lengths[order[0]], 1)
    batches.append(order[:n])
    del order[:n]
return batches"""),
    "yielded itself": written(f"""batch = []
for i in {LONGEST_FIRST}:
    if batch and (len(batch) + 1) * lengths[batch[0]] > max_tokens:
        yield batch
        batch = []
    batch.append(i)
if batch:
    yield batch"""),
}

WRONG = {
    "None": written("sorted(range(len(lengths)))"),
    "one batch": written(f"return [{LONGEST_FIRST}]"),
    "one each": written(f"return [[i] for i in {LONGEST_FIRST}]"),
    "unsorted, by the words": written("""batches = []
for i, n in enumerate(lengths):
    if batches and sum(lengths[j] for j in batches[-1]) + n <= max_tokens:
        batches[-1].append(i)
    else:
        batches.append([i])
return batches"""),
    "first fit": written(f"""batches = []
for i in {LONGEST_FIRST}:
    for batch in batches:
        if (len(batch) + 1) * lengths[batch[0]] <= max_tokens:
            batch.append(i)
            break
    else:
        batches.append([i])
return batches[::-1]"""),
    "sets": written(f"""batches = []
for i in {LONGEST_FIRST}:
    if not batches or (len(batches[-1]) + 1) * lengths[i] > max_tokens:
        batches.append(set())
    batches[-1].add(i)
return batches"""),
    "numbers from 1": written("""batches = []
for n, i in sorted((-n, i) for i, n in enumerate(lengths, 1)):
    if not batches or (len(batches[-1]) + 1) * lengths[batches[-1][0] - 1] > max_tokens:
        batches.append([])
    batches[-1].append(i)
return batches"""),
    "last batch first": filled(result="batches[::-1]"),
    "lengths sorted in place": written("""lengths.sort(reverse=True)
batches = []
for i in range(len(lengths)):
    if not batches or (len(batches[-1]) + 1) * lengths[batches[-1][0]] > max_tokens:
        batches.append([])
    batches[-1].append(i)
return batches"""),
    "squares": filled("(len(batch) + 1) ** 2 * lengths[i] <= max_tokens"),
    "a dictionary": filled(result="dict(enumerate(batches))"),
    "counts": filled(result="[len(batch) for batch in batches]"),
}

SPELLINGS = {
    "real tokens counted": [
        filled("sum(lengths[j] for j in batch) + lengths[i] <= max_tokens"),
        written(f"""batches, used = [], 0
for i in {LONGEST_FIRST}:
    if batches and used + lengths[i] <= max_tokens:
        batches[-1].append(i)
        used += lengths[i]
    else:
        batches.append([i])
        used = lengths[i]
return batches"""),
    ],
    "width of the newest": [
        filled("(len(batch) + 1) * lengths[i] <= max_tokens"),
        filled("(len(batch) + 1) * min(lengths[j] for j in [*batch, i]) <= max_tokens"),
    ],
    "the new row not counted": [
        filled("len(batch) * lengths[batch[0]] <= max_tokens"),
        filled("len(batch) * max(lengths[j] for j in batch) <= max_tokens"),
    ],
    "below the budget": [filled("(len(batch) + 1) * lengths[batch[0]] < max_tokens")],
    "every batch of the same size": [
        written(f"""order = {LONGEST_FIRST}
size = max(1, max_tokens // max(lengths, default=1))
return [order[n : n + size] for n in range(0, len(order), size)]"""),
    ],
    "sentences counted": [
        filled("len(batch) < max_tokens"),
        written(f"""order = {LONGEST_FIRST}
return [order[n : n + max_tokens] for n in range(0, len(order), max_tokens)]"""),
    ],
    "the last batch lost": [filled(at_end=""), filled(result="batches[:-1]")],
    "not sorted": [
        filled(
            "(len(batch) + 1) * max(lengths[j] for j in [*batch, i]) <= max_tokens",
            "range(len(lengths))",
        ),
    ],
    "not sorted, width of the first": [filled(order="range(len(lengths))")],
    "shortest first": [
        filled(
            "(len(batch) + 1) * lengths[i] <= max_tokens",
            "sorted(range(len(lengths)), key=lambda i: lengths[i])",
        ),
        filled(
            "(len(batch) + 1) * max(lengths[j] for j in [*batch, i]) <= max_tokens",
            "np.argsort(lengths, kind='stable')",
        ),
    ],
    "shortest first, width of the first": [
        filled(order="sorted(range(len(lengths)), key=lengths.__getitem__)"),
    ],
    "equal lengths turned around": [
        filled(order="sorted(range(len(lengths)), key=lambda i: lengths[i])[::-1]"),
        filled(order="np.argsort(lengths, kind='stable')[::-1]"),
        filled(
            order="sorted(range(len(lengths)), key=lambda i: (lengths[i], i), reverse=True)"
        ),
    ],
    "lengths instead of numbers": [
        written("""batches = []
for n in sorted(lengths, reverse=True):
    if not batches or (len(batches[-1]) + 1) * batches[-1][0] > max_tokens:
        batches.append([])
    batches[-1].append(n)
return batches"""),
    ],
    "the long ones left out": [
        filled(order=f"[i for i in {LONGEST_FIRST} if lengths[i] <= max_tokens]"),
    ],
    "an empty batch": [
        written(f"""batches, width = [[]], 0
for i in {LONGEST_FIRST}:
    width = width or lengths[i]
    if (len(batches[-1]) + 1) * width > max_tokens:
        batches.append([])
        width = lengths[i]
    batches[-1].append(i)
return [batch for batch in batches if batch or batches[1:]]"""),
    ],
    "the sentence that opens a batch lost": [
        written(f"""batches, batch = [], []
for i in {LONGEST_FIRST}:
    if not batch or (len(batch) + 1) * lengths[batch[0]] <= max_tokens:
        batch.append(i)
    else:
        batches.append(batch)
        batch = []
if batch:
    batches.append(batch)
return batches"""),
    ],
    "the sentence that closes a batch in both": [
        written(f"""batches, batch = [], []
for i in {LONGEST_FIRST}:
    full = batch and (len(batch) + 1) * lengths[batch[0]] > max_tokens
    batch.append(i)
    if full:
        batches.append(batch)
        batch = [i]
if batch:
    batches.append(batch)
return batches"""),
    ],
    "one flat list": [
        filled(result="[i for batch in batches for i in batch]"),
        written(f"return {LONGEST_FIRST}"),
    ],
    "one batch for each length": [
        filled(
            "lengths[i] == lengths[batch[0]]"
            " and (len(batch) + 1) * lengths[i] <= max_tokens"
        ),
    ],
    "numbered in sorted order": [
        written("""batches, first = [], 0
for i, n in enumerate(sorted(lengths, reverse=True)):
    if not batches or (len(batches[-1]) + 1) * first > max_tokens:
        batches.append([])
        first = n
    batches[-1].append(i)
return batches"""),
    ],
}

DOUBLE = [
    (
        "below the budget",
        "the last batch lost",
        filled("(len(batch) + 1) * lengths[batch[0]] < max_tokens", at_end=""),
    ),
    (
        "the new row not counted",
        "equal lengths turned around",
        filled(
            "len(batch) * lengths[batch[0]] <= max_tokens",
            "sorted(range(len(lengths)), key=lambda i: lengths[i])[::-1]",
        ),
    ),
    (
        "real tokens counted",
        "equal lengths turned around",
        filled(
            "sum(lengths[j] for j in batch) + lengths[i] <= max_tokens",
            "np.argsort(lengths, kind='stable')[::-1]",
        ),
    ),
]
