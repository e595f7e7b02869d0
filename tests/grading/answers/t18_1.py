"""Answers to 18.1, BLEU of a corpus of sentences."""

HEAD = "def bleu(outputs, references, n=4):\n"


def written(body: str) -> str:
    return HEAD + "".join(f"    {x}\n" if x else "\n" for x in body.splitlines())


def counted(
    counts: str = "hits += min(a.count(g), b.count(g))",
    below: str = "total += len(a)",
    mean: str = "math.exp(sum(map(math.log, shares)) / n)",
    penalty: str = "min(1, math.exp(1 - r / c))",
    end: str = "return 100 * penalty * mean",
    zero: str = "if min(shares) == 0:\n    return 0.0",
    last: str = "- k + 1",
) -> str:
    """Counts in lists, with one line or another replaced."""
    return written(f"""shares = []
for k in range(1, n + 1):
    hits, total = 0, 0
    for output, reference in zip(outputs, references):
        x, y = output.split(), reference.split()
        a = [" ".join(x[i : i + k]) for i in range(len(x) {last})]
        b = [" ".join(y[i : i + k]) for i in range(len(y) {last})]
        {below}
        for g in set(a):
            {counts}
    shares.append(hits / total if total else 0)
{zero}
c = sum(len(x.split()) for x in outputs)
r = sum(len(x.split()) for x in references)
mean = {mean}
penalty = {penalty}
{end}""")


RIGHT = {
    "lists": counted(),
    "sacreBLEU": written("""from sacrebleu.metrics import BLEU

metric = BLEU(
    tokenize="none", smooth_method="none", max_ngram_order=n, force=True
)
return metric.corpus_score(outputs, [references]).score"""),
    "a dictionary of counts": written("""def grams(words, k):
    table = {}
    for i in range(len(words) - k + 1):
        key = tuple(words[i : i + k])
        table[key] = table.get(key, 0) + 1
    return table

right, made = [0] * n, [0] * n
c = r = 0
for one, other in zip(outputs, references):
    one, other = one.split(), other.split()
    c, r = c + len(one), r + len(other)
    for k in range(n):
        a, b = grams(one, k + 1), grams(other, k + 1)
        right[k] += sum(min(v, b.get(g, 0)) for g, v in a.items())
        made[k] += sum(a.values())
if 0 in right:
    return 0
score = 100 if c > r else 100 * np.exp(1 - r / c)
for k in range(n):
    score = score * (right[k] / made[k]) ** (1 / n)
return score"""),
    "recursion over n": written("""from collections import Counter

def share(k):
    up = down = 0
    for x, y in zip(map(str.split, outputs), map(str.split, references)):
        a = Counter(zip(*[x[i:] for i in range(k)]))
        b = Counter(zip(*[y[i:] for i in range(k)]))
        up += (a & b).total()
        down += a.total()
    return up / max(1, down)

def product(k):
    return 1 if k == 0 else share(k) * product(k - 1)

c, r = len(" ".join(outputs).split()), len(" ".join(references).split())
return 100 * min(1, math.e ** (1 - r / c)) * product(n) ** (1 / n)"""),
    "NumPy to the end": counted(
        mean="np.prod(np.array(shares)) ** (1.0 / n)", zero="pass"
    ),
    "a tensor": counted(end="return torch.tensor(100 * penalty * mean)"),
    "geometric mean of the library": counted(
        mean="__import__('statistics').geometric_mean(shares)"
    ),
    "an array of one": counted(end="return np.float32(100 * penalty * mean)"),
}

WRONG = {
    "nothing returned": counted(end="penalty * mean"),
    "always 100": written("return 100.0"),
    "rounded": counted(end="return round(100 * penalty * mean)"),
    "text": counted(end="return f'{100 * penalty * mean:.2f}'"),
    "harmonic mean": counted(mean="n / sum(1 / s for s in shares)"),
    "the smallest share": counted(mean="min(shares)"),
    "penalty under the root": counted(
        mean="(math.prod(shares) * min(1, math.exp(1 - r / c))) ** (1 / n)",
        penalty="1",
    ),
    "penalty squared": counted(end="return 100 * penalty**2 * mean"),
    "raises": written("raise NotImplementedError"),
    "order ignored": counted().replace("x[i : i + k])", "sorted(x[i : i + k]))"),
    "capitals": counted().replace("output.split()", "output.title().split()"),
    "shares": counted(end="return shares"),
}

SPELLINGS = {
    "not clipped": [
        counted("hits += a.count(g) if g in b else 0"),
        counted("hits += a.count(g) * (b.count(g) > 0)"),
    ],
    "only the matches counted once": [counted("hits += g in b")],
    "each n-gram counted once": [
        counted("hits += g in b", below="total += len(set(a))")
    ],
    "arithmetic mean": [
        counted(mean="sum(shares) / n", zero="pass"),
        counted(mean="np.mean(shares)", zero="pass"),
    ],
    "product without the root": [counted(mean="math.prod(shares)")],
    "no brevity penalty": [counted(penalty="1")],
    "long outputs punished": [
        counted(penalty="math.exp(1 - c / r) if c > r else 1"),
        counted(penalty="min(1, np.exp(1 - c / r))"),
    ],
    "short and long outputs punished": [
        counted(penalty="min(math.exp(1 - r / c), math.exp(1 - c / r))")
    ],
    "long outputs rewarded": [counted(penalty="math.exp((c - r) / c)")],
    "ratio as the penalty": [counted(penalty="c / r if c < r else 1")],
    "ratio upside down": [counted(penalty="1 if c >= r else math.exp((r - c) / r)")],
    "lengths compared sentence by sentence": [
        counted().replace(
            "r = sum(len(x.split()) for x in references)",
            "r = c + sum(max(0, len(y.split()) - len(x.split()))"
            " for x, y in zip(outputs, references))",
        )
    ],
    "mean of the scores of sentences": [
        counted().replace("def bleu(", "def one(")
        + written(
            "return np.mean([one([a], [b], n) for a, b in zip(outputs, references)])"
        )
    ],
    "divided by the reference's n-grams": [counted(below="total += len(b)")],
    "the two sides swapped": [
        counted()
        .replace("zip(outputs, references)", "zip(references, outputs)")
        .replace("c = sum", "d = sum")
        .replace("r = sum", "c = sum")
        .replace("d = sum", "r = sum")
    ],
    "characters instead of words": [
        counted()
        .replace("output.split(), reference.split()", "output, reference")
        .replace("len(x.split())", "len(x)")
    ],
    "one word too few": [counted(last="- k")],
    "only the longest n-grams": [counted(mean="shares[-1]")],
    "only single words": [counted(mean="shares[0]", zero="pass")],
    "logarithm of 0": [counted(zero="pass")],
    "lengths without a match left out": [
        counted(mean="math.exp(sum(math.log(s) for s in shares if s) / n)", zero="pass")
    ],
    "from 0 to 1": [counted(end="return penalty * mean")],
    "one added to every count": [
        counted(zero="pass").replace(
            "hits / total if total else 0", "(hits + 1) / (total + 1)"
        )
    ],
}
