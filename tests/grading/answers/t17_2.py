"""Answers to 17.2, beam search on a toy language model."""

NAMES = "log_p, eos, beam_size, max_len, penalty"


def written(body: str, names: str = NAMES) -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def beam_search({names}):\n{lines}"


def lists(
    score: str = "total / ((5 + len(words)) / 6) ** penalty",
    begin: str = "[(0.0, [])]",
    ended: str = "pool.append((total, words))",
    over: str = "words[-1:] == [eos]",
    grown: str = "total + more",
    rank: str = "score(*one)",
    cut: str = "[:beam_size]",
    after: str = "pass",
    result: str = "words, score(total, words)",
    best: str = "beams[0]",
    steps: str = "max_len",
) -> str:
    """Lists of pairs (sum, words), with other parts."""
    return written(f"""def score(total, words):
    return {score}

beams = {begin}
for step in range({steps}):
    pool = []
    for total, words in beams:
        if {over}:
            {ended}
        else:
            for word, more in enumerate(log_p(words)):
                pool.append(({grown}, words + [word]))
    beams = sorted(pool, key=lambda one: {rank}, reverse=True){cut}
    {after}
total, words = {best}
return {result}""")


RIGHT = {
    "lists": lists(),
    "a power of the inverse": lists("total * (6 / (5 + len(words))) ** penalty"),
    "a float power": lists("total * ((len(words) + 5.0) / 6.0) ** -penalty"),
    "exp and log": lists(
        "total / math.exp(penalty * (math.log(5 + len(words)) - math.log(6)))"
    ),
    "the best by max": lists(best="max(beams, key=lambda one: score(*one))"),
    "stops when all have ended": lists(
        after="if all(words[-1] == eos for _, words in beams): break"
    ),
    "any end in the words": lists(over="eos in words"),
    "words in a tuple": lists(result="tuple(words), score(total, words)"),
    "words in an array": lists(result="np.array(words), float(score(total, words))"),
    "a list of two": lists(result="[words, score(total, words)]"),
    "ended ones first": written("""def score(b):
    return b["sum"] / ((5 + b["n"]) / 6) ** penalty

beams = [{"words": [], "sum": 0.0, "n": 0, "over": False}]
while not all(b["over"] for b in beams) and max(b["n"] for b in beams) < max_len:
    pool = [b for b in beams if b["over"]]
    for b in [b for b in beams if not b["over"]]:
        for word, more in enumerate(log_p(b["words"])):
            pool.append({
                "words": [*b["words"], word],
                "sum": b["sum"] + more,
                "n": b["n"] + 1,
                "over": word == eos,
            })
    pool.sort(key=score)
    beams = pool[::-1][:beam_size]
return beams[0]["words"], score(beams[0])"""),
    "a table": written("""words, sums = [[]], np.array([0.0])
for _ in range(max_len):
    over = np.array([bool(w) and w[-1] == eos for w in words])
    if over.all():
        break
    size = len(log_p([]))
    table = np.full((len(words), size), -np.inf)
    for i, w in enumerate(words):
        if over[i]:
            table[i, 0] = sums[i]
        else:
            table[i] = sums[i] + log_p(w)
    n = np.array([len(w) for w in words]) + ~over
    scores = table / (((5 + n) / 6) ** penalty)[:, None]
    best = np.argsort(-scores, axis=None)[:beam_size]
    best = best[np.isfinite(scores.ravel()[best])]
    rows, columns = np.unravel_index(best, table.shape)
    sums = table[rows, columns]
    words = [
        words[r] if over[r] else words[r] + [int(c)] for r, c in zip(rows, columns)
    ]
return words[0], sums[0] / ((5 + len(words[0])) / 6) ** penalty"""),
    "torch": written("""beams, sums = [()], torch.zeros(1, dtype=torch.float64)
for _ in range(max_len):
    made, totals = [], []
    for words, total in zip(beams, sums.tolist()):
        if words and words[-1] == eos:
            made.append(words)
            totals.append(total)
        else:
            for word, more in enumerate(log_p(words).tolist()):
                made.append(words + (word,))
                totals.append(total + more)
    totals = torch.tensor(totals, dtype=torch.float64)
    n = torch.tensor([len(words) for words in made], dtype=torch.float64)
    best = (totals / ((5 + n) / 6) ** penalty).topk(min(beam_size, len(made))).indices
    beams, sums = [made[i] for i in best], totals[best]
return list(beams[0]), (sums[0] / ((5 + len(beams[0])) / 6) ** penalty).item()"""),
    "probabilities kept": written("""beams = [([], 1.0)]

def score(beam):
    return math.log(beam[1]) / ((5 + len(beam[0])) / 6) ** penalty

for _ in range(max_len):
    pool = []
    for words, p in beams:
        if eos in words:
            pool.append((words, p))
        else:
            pool += [(words + [w], p * math.exp(m)) for w, m in enumerate(log_p(words))]
    beams = sorted(pool, key=score)[-beam_size:]
return beams[-1][0], score(beams[-1])"""),
    "step counted": written("""beams = [(0.0, [], 0.0)]
for n in range(1, max_len + 1):
    pool = []
    for kept, words, total in beams:
        if words and words[-1] == eos:
            pool.append((kept, words, total))
            continue
        for word, more in enumerate(log_p(words)):
            t = total + float(more)
            pool.append((t / ((5 + n) / 6) ** penalty, words + [word], t))
    beams = sorted(pool, reverse=True)[:beam_size]
return beams[0][1], beams[0][0]"""),
}

WRONG = {
    "nothing returned": written("beams = [([], 0.0)]"),
    "the score alone": lists(result="score(total, words)"),
    "all beams": lists(result="beams"),
    "a path of probabilities": lists(result="words, math.exp(total)"),
    "positive": lists(result="words, -score(total, words)"),
    "twice as wide": lists(cut="[: beam_size * 2]"),
    "one too narrow": lists(cut="[: max(beam_size - 1, 1)]"),
    "starts with the end": lists(begin="[(0.0, [eos])]"),
    "words backwards": lists(result="words[::-1], score(total, words)"),
    "a random word": written("return [eos], float(log_p([])[eos])"),
    "6 and 5 exchanged": lists("total / ((6 + len(words)) / 5) ** penalty"),
    "words given back as text": lists(result="str(words), score(total, words)"),
    "root of the length": lists("total / len(words) ** 0.5 if words else total"),
}


def both(end: str) -> str:
    """Ranked by sums, and a last line of its own."""
    return lists(rank="one[0]", result=end)


SPELLINGS = {
    "greedy at every width": [
        lists(cut="[:1]"),
        lists(begin="[(0.0, [])] * beam_size"),
        written("""words, total = [], 0.0
while len(words) < max_len and eos not in words:
    p = log_p(words)
    words.append(int(np.argmax(p)))
    total += p[words[-1]]
return words, total / ((5 + len(words)) / 6) ** penalty"""),
    ],
    "each beam for itself": [
        written("""def score(b):
    return b[0] / ((5 + len(b[1])) / 6) ** penalty

first = sorted(((p, [w]) for w, p in enumerate(log_p([]))), key=score)[::-1]
found = []
for total, words in first[:beam_size]:
    while len(words) < max_len and words[-1] != eos:
        p = log_p(words)
        total, words = total + p.max(), words + [int(p.argmax())]
    found.append((total, words))
best = max(found, key=score)
return best[1], score(best)"""),
    ],
    "log-probabilities multiplied": [
        lists(grown="total * more if words else more"),
        lists(begin="[(1.0, [])]", grown="total * more"),
    ],
    "probabilities added up": [
        lists(grown="total + np.exp(more)"),
        lists(grown="total + math.e**more"),
    ],
    "last word's score alone": [lists(grown="more"), lists(grown="0 * total + more")],
    "no length penalty": [
        lists("total"),
        both("words, total"),
        lists("total / 1"),
    ],
    "penalty in the returned score alone": [
        both("words, score(total, words)"),
        both("words, total / ((5 + len(words)) / 6) ** penalty"),
    ],
    "sum returned": [lists(result="words, total"), lists(result="words, beams[0][0]")],
    "multiplied by the length": [
        lists("total * ((5 + len(words)) / 6) ** penalty"),
        lists("total / ((5 + len(words)) / 6) ** -penalty"),
    ],
    "plain mean": [
        lists("total / max(1, len(words))"),
        lists("total / len(words) if words else 0.0"),
    ],
    "length to a power": [
        lists("total / max(1, len(words)) ** penalty"),
        lists("total * len(words) ** -penalty"),
    ],
    "power of the upper half alone": [
        lists("total / ((5 + len(words)) ** penalty / 6)"),
        lists("6 * total / (5 + len(words)) ** penalty"),
    ],
    "end not counted": [
        lists("total / ((5 + len(words) - 1) / 6) ** penalty"),
        lists("total / ((4 + len(words)) / 6) ** penalty"),
    ],
    "divided again in each step": [
        lists(
            grown="score(total + more, words + [word])",
            rank="one[0]",
            result="words, total",
        ),
    ],
    "ended beams dropped": [
        lists(ended="continue"),
        lists(ended="pass"),
    ],
    "ended beams go on": [
        lists(over="False"),
        written("""beams = [([], 0.0)]
for _ in range(max_len):
    pool = [(w + [i], t + m) for w, t in beams for i, m in enumerate(log_p(w))]
    pool.sort(key=lambda b: b[1] / ((5 + len(b[0])) / 6) ** penalty, reverse=True)
    beams = pool[:beam_size]
w, t = beams[0]
return w, t / ((5 + len(w)) / 6) ** penalty"""),
    ],
    "ended beams take no place": [
        written("""score = lambda b: b[1] / ((5 + len(b[0])) / 6) ** penalty
beams, finished = [([], 0.0)], []
for _ in range(max_len):
    pool = [(w + [i], t + m) for w, t in beams for i, m in enumerate(log_p(w))]
    pool = sorted(pool, key=score, reverse=True)[:beam_size]
    finished += [b for b in pool if b[0][-1] == eos]
    beams = [b for b in pool if b[0][-1] != eos]
best = max(finished + beams, key=score)
return best[0], score(best)"""),
    ],
    "stops with the first end": [
        lists(
            after="done = [b for b in beams if b[1][-1] == eos]\n"
            "        if done: beams = done; break".replace("        ", "    ", 1)
        ),
    ],
    "stops when the best has ended": [
        lists(after="if beams[0][1][-1] == eos: break"),
        lists(after="if eos in beams[0][1]: break"),
    ],
    "worst ones kept": [
        lists(rank="-score(*one)"),
        lists(rank="-1 * score(*one)", best="beams[0]"),
    ],
    "worst of the beams returned": [
        lists(best="beams[-1]"),
        lists(best="min(beams, key=lambda one: score(*one))"),
    ],
    "end cut off": [
        lists(result="[w for w in words if w != eos], score(total, words)"),
        lists(result="words[:-1] if words[-1] == eos else words, score(total, words)"),
    ],
    "one word too few": [lists(steps="1, max_len"), lists(steps="max_len - 1")],
    "results swapped": [
        lists(result="score(total, words), words"),
        lists(result="(score(total, words), tuple(words))"),
    ],
}

DOUBLE = [
    (
        "no length penalty",
        "end cut off",
        lists("total", result="words[:-1] if words[-1] == eos else words, total"),
    ),
]
