"""Answers to 18.3, the alignment error rate of every head."""


def written(body: str) -> str:
    lines = "".join(f"    {x}\n" if x else "\n" for x in body.splitlines())
    return f"def best_head(weights, sure, possible):\n{lines}"


def by_sets(
    found: str = "{(i, j) for j, i in enumerate(w[h].argmax(-1).tolist())}",
    above: str = "len(a & s) + len(a & p)",
    below: str = "len(a) + len(s)",
    end: str = "return np.array(rates), rates.index(min(rates))",
    rate: str = "1 - up / down",
) -> str:
    return written(f"""rates = []
for h in range(weights[0].shape[0]):
    up, down = 0, 0
    for n in range(len(weights)):
        w, s, p = weights[n], sure[n], possible[n]
        a = {found}
        up += {above}
        down += {below}
    rates.append({rate})
{end}""")


RIGHT = {
    "sets": by_sets(),
    "comprehensions": written("""def links(table):
    return {(int(row.argmax()), j) for j, row in enumerate(table)}

def rate(h):
    found = [links(w[h]) for w in weights]
    right = sum(len(a & s) + len(a & p) for a, s, p in zip(found, sure, possible))
    return 1 - right / (sum(map(len, found)) + sum(map(len, sure)))

rates = list(map(rate, range(len(weights[0]))))
return rates, min(range(len(rates)), key=rates.__getitem__)"""),
    "one set for the corpus": written("""S = {(k, *x) for k, s in enumerate(sure) for x in s}
P = {(k, *x) for k, p in enumerate(possible) for x in p}
rates = []
for h in range(len(weights[0])):
    A = {
        (k, np.argmax(w[h, j]), j) for k, w in enumerate(weights) for j in range(w.shape[1])
    }
    rates.append(1 - (len(A & S) + len(A & P)) / (len(A) + len(S)))
return rates, np.argmin(np.array(rates))"""),
    "the book's own": written("""from tt_utils.evaluation.alignment import alignment_error_rate, hard_alignment

rates = [
    alignment_error_rate([hard_alignment(w[h]) for w in weights], possible, sure)
    for h in range(len(weights[0]))
]
return tuple(rates), rates.index(min(rates))"""),
    "one-hot tables": written("""up, down = 0, 0
for w, s, p in zip(weights, sure, possible):
    gold = np.zeros(w.shape[1:])
    for i, j in s:
        gold[j, i] += 1
    for i, j in p:
        gold[j, i] += 1
    one_hot = np.eye(w.shape[2])[w.argmax(2)]
    up = up + np.einsum("hji,ji->h", one_hot, gold)
    down += w.shape[1] + len(s)
return 1 - up / down, int((1 - up / down).argmin())"""),
    "tensors": by_sets(
        end="rates = torch.tensor(rates)\nreturn rates, rates.argmin()"
    ).replace("w, s, p = weights[n]", "w, s, p = torch.from_numpy(weights[n])"),
    "false links counted": by_sets(
        above="len(a - s) + len(a - p) + len(s) - len(a)", rate="up / down"
    ),
    "a sorted list": by_sets(
        end="return rates, sorted(enumerate(rates), key=lambda x: x[1])[0][0]"
    ),
}

WRONG = {
    "nothing returned": by_sets(end="rates.index(min(rates))"),
    "rates alone": by_sets(end="return rates"),
    "one rate": by_sets(end="return min(rates), 0"),
    "head as text": by_sets(end="return rates, 'head 0'"),
    "union below": by_sets(below="len(a | s)"),
    "jaccard": by_sets(above="len(a & p)", below="len(a | p)"),
    "links that are lists": by_sets(
        found="[[i, j] for j, i in enumerate(w[h].argmax(-1).tolist())]"
    ),
    "always the first": by_sets(end="return rates, 0"),
    "two links a word": by_sets(
        found="{(i, j) for j, x in enumerate(w[h].argsort(-1)[:, -2:].tolist()) for i in x}"
    ),
    "rounded": by_sets(end="return np.round(rates, 1), int(np.argmin(rates))"),
    "counts": by_sets(rate="down - up"),
}

SPELLINGS = {
    "a link for each source word": [
        by_sets("{(i, int(w[h][:, i].argmax())) for i in range(w.shape[2])}"),
        by_sets("{(i, j) for i, j in enumerate(w[h].T.argmax(1).tolist())}"),
    ],
    "links turned around": [
        by_sets("{(j, i) for j, i in enumerate(w[h].argmax(-1).tolist())}"),
        by_sets("set(enumerate(w[h].argmax(1).tolist()))"),
    ],
    "the smallest weight": [
        by_sets("{(i, j) for j, i in enumerate((-w[h]).argmax(-1).tolist())}")
    ],
    "every large weight is a link": [
        by_sets(
            "{(i, j) for j, i in zip(*(x.tolist() for x in np.nonzero(w[h] >= 0.5)))}"
        )
    ],
    "agreement instead of error": [
        by_sets(rate="up / down"),
    ],
    "sure links alone": [by_sets(above="2 * len(a & s)")],
    "possible links alone": [by_sets(above="2 * len(p & a)")],
    "possible links below the line": [by_sets(below="len(a) + len(p)")],
    "all possible links must be found": [
        by_sets(above="2 * len(a & p)", below="len(a) + len(p)")
    ],
    "share of right links": [by_sets(above="len(a & p)", below="len(a)")],
    "share of the sure links found": [by_sets(above="len(a & s)", below="len(s)")],
    "mean over the sentences": [
        by_sets(above="(len(a & s) + len(a & p)) / (len(a) + len(s))", below="1")
    ],
    "the first sentence alone": [
        by_sets().replace("range(len(weights))", "range(1)"),
    ],
    "the last sentence alone": [
        by_sets().replace("up +=", "up =").replace("down +=", "down =")
    ],
    "heads averaged first": [by_sets().replace("w[h].argmax", "w.sum(0).argmax")],
    "the worst head": [by_sets(end="return rates, rates.index(max(rates))")],
    "counted from 1": [by_sets(end="return rates, 1 + rates.index(min(rates))")],
    "the last of equal heads": [
        by_sets(
            end="best = max(h for h in range(len(rates)) if rates[h] == min(rates))\n"
            "return rates, best"
        )
    ],
    "rate instead of the head": [by_sets(end="return rates, min(rates)")],
    "results swapped": [by_sets(end="return rates.index(min(rates)), rates")],
    "percent": [by_sets(rate="100 - 100 * up / down")],
    "counts that go on from head to head": [
        by_sets()
        .replace("        up, down = 0, 0\n", "")
        .replace("rates = []", "rates, up, down = [], 0, 0")
    ],
}
