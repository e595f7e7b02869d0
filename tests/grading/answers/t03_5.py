"""Answers to 03.5: which of the four laws does a lookup keep?"""

HEAD = "\ndef laws(lookup, q, k, v):\n    "
CLOSE = "close = lambda a, b: np.allclose(a, b, atol=1e-4)"
LOOK = "out, w = lookup(q, k, v)"
SHARES = "shares = (w > -1e-4).all() and close(w.sum(axis=1), 1)"
SILENT = (
    "silent = close(w, lookup(q, k, np.random.default_rng(5).normal(size=v.shape))[1])"
)
ORDERS = "orders = [np.random.default_rng(n).permutation(len(k)) for n in range(8)]"
FREE = "free = all(close(out, lookup(q, k[o], v[o])[0]) for o in orders)"
ALONE = "alone = all(close(z, lookup(q[[i]], k, v)[0]) for i, z in enumerate(out))"


def laws(**other: str) -> str:
    """A function of the usual lines, but for those given by name."""
    lines = {
        "close": CLOSE,
        "look": LOOK,
        "shares": SHARES,
        "silent": SILENT,
        "orders": ORDERS,
        "free": FREE,
        "alone": ALONE,
        "end": "return shares, silent, free, alone",
    }
    text = "\n".join((lines | other).values())
    return HEAD + text.replace("\n", "\n    ") + "\n"


RIGHT = {
    "the usual": laws(),
    "a list": laws(end="return [shares, silent, free, alone]"),
    "an array": laws(end="return np.array([shares, silent, free, alone])"),
    "plain truth values": laws(
        end="return bool(shares), bool(silent), bool(free), bool(alone)"
    ),
    "zeros for values": laws(silent="silent = close(w, lookup(q, k, 0 * v)[1])"),
    "values twice as large": laws(silent="silent = close(w, lookup(q, k, 2 * v)[1])"),
    "values of other friends": laws(
        silent="silent = close(w, lookup(q, k, v[[2, 0, 1, *range(3, len(v))]])[1])"
    ),
    "all pairs exchanged": laws(
        orders="""
orders = []
for i in range(len(k)):
    for j in range(i):
        order = np.arange(len(k))
        order[[i, j]] = j, i
        orders.append(order)"""
    ),
    "turned around and moved along": laws(
        orders="n = len(k)\norders = [np.arange(n)[::-1], np.roll(np.arange(n), 1), np.roll(np.arange(n), 3)]"
    ),
    "sorted": laws(orders="orders = [np.argsort(c) for c in (*k.T, *v.T)]"),
    "unseeded": laws(
        orders="orders = [np.random.permutation(len(k)) for _ in range(20)]"
    ),
    "single vectors": laws(
        alone="alone = all(close(out[i], lookup(q[i], k, v)[0]) for i in range(len(q)))"
    ),
    "all subsets by leaving one out": laws(
        alone="""
alone = True
for i in range(len(q)):
    without = np.arange(len(q)) != i
    alone = alone and close(out[without], lookup(q[without], k, v)[0])
    alone = alone and close(out[i : i + 1], lookup(q[i : i + 1], k, v)[0])"""
    ),
    "default tolerance": laws(
        close="close = np.allclose",
        shares="shares = (w >= 0).all() and close(w.sum(axis=1), 1)",
    ),
    "in loops": """
def laws(lookup, q, k, v):
    out, weights = lookup(q, k, v)
    shares = silent = free = alone = True
    for row in weights:
        if abs(sum(row) - 1) > 1e-5 or min(row) < -1e-5:
            shares = False
    for factor in (-3, 0.5, 7):
        new = lookup(q, k, factor * v)[1]
        if abs(new - weights).max() > 1e-5:
            silent = False
    import itertools

    for order in list(itertools.permutations(range(len(k))))[::97]:
        order = list(order)
        if abs(lookup(q, k[order], v[order])[0] - out).max() > 1e-5:
            free = False
    for i in range(len(q)):
        if abs(lookup(q[i : i + 1], k, v)[0] - out[i]).max() > 1e-5:
            alone = False
    return shares, silent, free, alone
""",
}

WRONG = {
    "nothing at all": laws(end="return False, False, False, False"),
    "one truth value": laws(end="return shares and silent and free and alone"),
    "three truth values": laws(end="return shares, silent, free"),
    "in another order": laws(end="return silent, shares, free, alone"),
    "numbers": laws(end="return 1.0 * shares, 1.0 * silent, 1.0 * free, 1.0 * alone"),
    "words": laws(end="return 'yes', 'yes', 'yes', 'yes'"),
    "weights below 1 only": laws(shares="shares = (w <= 1).all()"),
    "mean of the rows": laws(
        shares="shares = (w > -1e-4).all() and close(w.sum(axis=1).mean(), 1)"
    ),
    "answers within the values": laws(
        shares="shares = out.max() <= v.max() + 1e-4 and out.min() >= v.min() - 1e-4"
    ),
    "one number of one value": laws(
        silent="new = v.copy()\nnew[0, 0] = new[0, 0] + 1e-9\nsilent = close(w, lookup(q, k, new)[1])"
    ),
    "middle entries exchanged": laws(
        orders="order = list(range(len(k)))\norder[2:4] = 3, 2\norders = [order]"
    ),
    "best friend stays": laws(
        free="free = all((lookup(q, k[o], v[o])[1].argmax() >= 0) for o in orders)"
    ),
    "askers twice": laws(
        alone="alone = close(out, lookup(np.concatenate([q, q]), k, v)[0][: len(q)])"
    ),
    "weights of those alone": laws(
        alone="alone = all(close(w[i], lookup(q[[i]], k, v)[1]) for i in range(len(q)))"
    ),
    "pairs of askers": laws(alone="alone = close(out[:2], lookup(q[:2], k, v)[0])"),
    "a fifth forgiven": laws(
        close="close = lambda a, b: np.allclose(a, b, rtol=0, atol=0.2)"
    ),
    "a dictionary": laws(
        end="return {'shares': shares, 'silent': silent, 'free': free, 'alone': alone}"
    ),
}

SPELLINGS = {
    "negative weights not seen": [laws(shares="shares = close(w.sum(axis=1), 1)")],
    "sums not looked at": [laws(shares="shares = (w >= -1e-6).all()")],
    "columns added up": [
        laws(shares="shares = (w > -1e-4).all() and close(w.sum(axis=0), 1)"),
        laws(shares="shares = (w > -1e-4).all() and close(sum(w), 1)"),
    ],
    "all weights added up": [
        laws(shares="shares = (w > -1e-4).all() and close(w.sum(), len(w))"),
    ],
    "first row only": [
        laws(shares="shares = (w > -1e-4).all() and close(sum(w[0]), 1)"),
    ],
    "zero not allowed": [
        laws(shares="shares = (w > 0).all() and close(w.sum(axis=1), 1)"),
    ],
    "answers watched instead of weights": [
        laws(silent="silent = close(out, lookup(q, k, 2 * v)[0])"),
    ],
    "the same added to all values": [
        laws(silent="silent = close(w, lookup(q, k, v + 10)[1])"),
    ],
    "all values turned around": [laws(silent="silent = close(w, lookup(q, k, -v)[1])")],
    "values left as they are": [
        laws(silent="silent = close(w, lookup(q, k, v)[1])"),
        laws(silent="new = v\nsilent = close(w, lookup(q, k, 1.0 * new)[1])"),
    ],
    "keys changed too": [
        laws(silent="silent = close(w, lookup(q, k[::-1], v[::-1])[1])"),
    ],
    "pairs torn apart": [
        laws(free="free = all(close(out, lookup(q, k[o], v)[0]) for o in orders)"),
        laws(free="free = close(out, lookup(q, k, v[::-1])[0])"),
    ],
    "weights compared after reordering": [
        laws(free="free = all(close(w, lookup(q, k[o], v[o])[1]) for o in orders)"),
        laws(free="free = close(w, lookup(q, k[::-1], v[::-1])[1])"),
    ],
    "front to back only": [
        laws(free="free = close(out, lookup(q, k[::-1], v[::-1])[0])"),
        laws(free="free = close(out, lookup(q, np.flip(k, 0), np.flip(v, 0))[0])"),
    ],
    "moved along only": [
        laws(orders="orders = [[*range(1, len(k)), 0]]"),
        laws(
            free="free = close(out, lookup(q, np.roll(k, 2, 0), np.roll(v, 2, 0))[0])"
        ),
    ],
    "only the first two exchanged": [
        laws(orders="order = np.arange(len(k))\norder[:2] = 1, 0\norders = [order]"),
    ],
    "only the last two exchanged": [
        laws(
            orders="order = np.arange(len(k))\norder[-2:] = order[-2:][::-1].copy()\norders = [order]"
        ),
    ],
    "features reordered": [
        laws(free="free = close(out, lookup(q, k[:, ::-1], v[:, ::-1])[0])"),
    ],
    "nothing reordered": [
        laws(orders="orders = [np.arange(len(k))]"),
    ],
    "first asker only": [
        laws(alone="alone = close(out[0], lookup(q[:1], k, v)[0])"),
        laws(alone="alone = close(out[0], lookup(q[0], k, v)[0])"),
    ],
    "last asker only": [
        laws(alone="alone = close(out[-1], lookup(q[-1:], k, v)[0])"),
    ],
    "askers reordered only": [
        laws(alone="alone = close(out[::-1], lookup(q[::-1], k, v)[0])"),
    ],
    "number of askers kept": [
        laws(
            alone="""
alone = True
for i in range(len(q)):
    others = np.zeros_like(q)
    others[i] = q[i]
    alone = alone and close(out[i], lookup(others, k, v)[0][i])"""
        ),
    ],
    "one more asker only": [
        laws(
            alone="more = np.concatenate([q, np.ones((1, q.shape[1]))])\nalone = close(out, lookup(more, k, v)[0][:-1])"
        ),
    ],
    "weights of the single asker": [
        laws(
            alone="alone = all(close(out[i], lookup(q[[i]], k, v)[1] @ v) for i in range(len(q)))"
        ),
    ],
    "equal to the last digit": [
        laws(close="close = lambda a, b: bool(np.all(np.asarray(a) == np.asarray(b)))"),
    ],
    "too forgiving": [
        laws(
            close="close = lambda a, b: np.allclose(a, b, atol=0.05)",
        ),
    ],
    "falls or rises not seen": [
        laws(
            close="close = lambda a, b: (np.asarray(a) - np.asarray(b)).max() < 1e-4",
            shares="shares = (w > -1e-4).all() and np.allclose(w.sum(axis=1), 1)",
        ),
    ],
    "next asker always there": [
        laws(
            alone="alone = all(close(out[i], lookup(q[i : i + 2], k, v)[0][0]) for i in range(len(q)))"
        ),
    ],
    "answers upside down": [
        laws(end="return not shares, not silent, not free, not alone"),
    ],
    "all at once": [
        laws(
            end="kept = shares and silent and free and alone\nreturn kept, kept, kept, kept"
        ),
    ],
    "compared with softmax": [
        laws(
            shares="e = np.exp(q @ k.T)\nshares = close(w, e / e.sum(axis=1, keepdims=True))"
        ),
    ],
    "yes without a test": [laws(end="return [True] * 4")],
}
