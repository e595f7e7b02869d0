"""Answers to 06.5: do outputs move with the words, or stay?"""


def written(body: str, names: str = "f, x") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def moves_and_stays({names}):\n{lines}"


def over(orders: str, compare: str = "", tolerance: str = "1e-4") -> str:
    """A loop over orders, with other orders, another comparison, another tolerance."""
    compare = compare or "moved, stayed = after - before[p], after - before"
    return written(f"""import itertools
t, before = len(x), f(x)
moves, stays = True, True
for p in {orders}:
    p = list(p)
    after = f(x[p])
    {compare}
    if moved.abs().max() > {tolerance}:
        moves = False
    if stayed.abs().max() > {tolerance}:
        stays = False
return moves, stays""")


ALL = "itertools.permutations(range(t))"
SWAPS = "[[j if k == i else i if k == j else k for k in range(t)] for i in range(t) for j in range(t)]"

RIGHT = {
    "all orders": over(ALL),
    "all orders, 0.00002": over(ALL, tolerance="2e-5"),
    "all swaps": over(SWAPS),
    "all orders, 0.0005": over(ALL, tolerance="5e-4"),
    "many at random": over("[torch.randperm(t).tolist() for _ in range(60)]"),
    "many at random, with NumPy": over(
        "[np.random.permutation(t) for _ in range(100)]"
    ),
    "matrices": written("""moves = stays = True
for _ in range(100):
    P = torch.eye(len(x))[torch.randperm(len(x))]
    moves = moves and torch.allclose(f(P @ x), P @ f(x), atol=1e-4)
    stays = stays and torch.allclose(f(P @ x), f(x), atol=1e-4)
return moves, stays"""),
    "swaps of neighbours": over(
        "[[*range(i), i + 1, i, *range(i + 2, t)] for i in range(t - 1)]"
    ),
    "put back instead": over(
        ALL,
        "moved, stayed = after[torch.argsort(torch.tensor(p))] - before, after - before",
    ),
    "two functions": """
from itertools import permutations


def holds(claim, x):
    return all(claim(list(p)) for p in permutations(range(len(x))))


def moves_and_stays(f, x):
    def same(a, b):
        return bool(torch.isclose(a, b, atol=1e-4, rtol=0).all())

    before = f(x)
    moves = holds(lambda p: same(f(x[p]), before[p]), x)
    stays = holds(lambda p: same(f(x[p]), before), x)
    return moves, stays
""",
    "a list of truths": written("""from itertools import permutations
worst = [0.0, 0.0]
for p in permutations(range(len(x))):
    p = torch.tensor(p)
    worst[0] = max(worst[0], float((f(x[p]) - f(x)[p]).norm()))
    worst[1] = max(worst[1], float((f(x[p]) - f(x)).norm()))
return [number < 5e-4 for number in worst]"""),
    "tensors of truth": written("""import itertools
orders = [list(p) for p in itertools.permutations(range(len(x)))]
before = f(x)
after = torch.stack([f(x[p]) for p in orders])
moved = torch.stack([before[p] for p in orders])
return (after - moved).abs().max() < 1e-4, (after - before).abs().max() < 1e-4"""),
    "NumPy": written("""import itertools
before = f(x).numpy()
moves = stays = True
for p in itertools.permutations(range(len(x))):
    after = f(x[list(p)]).numpy()
    moves &= np.allclose(after, before[list(p)], rtol=0, atol=1e-4)
    stays &= np.allclose(after, before, rtol=0, atol=1e-4)
return moves, stays"""),
}

WRONG = {
    "nothing returned": written("before = f(x)"),
    "opposites by a coin": written("return len(x) > 3, len(x) < 3"),
    "one truth value": written("return torch.allclose(f(x.flip(0)), f(x).flip(0))"),
    "the chapter's own lines": written("""torch.manual_seed(0)
P = torch.eye(len(x))[torch.randperm(len(x))]
before, after = f(x), f(P @ x)
return torch.allclose(after, P @ before, atol=1e-5), torch.allclose(after, before, atol=1e-5)"""),
    "tolerance relative to the size": over(
        ALL,
        "s = before.abs().max()\n    moved, stayed = (after - before[p]) / s / 1e3, (after - before) / s / 1e3",
    ),
    "words": written('return "moves", "stays"'),
    "numbers": written("return 1.0, 0.0"),
    "x changed on the way": written("""before = f(x)
x[[0, -1]] = x[[-1, 0]]
after = f(x)
return torch.allclose(after, before.flip(0), atol=1e-4), torch.allclose(after, before, atol=1e-4)"""),
    "allclose as it comes": written("""from itertools import permutations
orders = [list(p) for p in permutations(range(len(x)))]
moves = all(torch.allclose(f(x[p]), f(x)[p], rtol=0) for p in orders)
return moves, all(torch.allclose(f(x[p]), f(x), rtol=0) for p in orders)"""),
    "halves swapped": over("[[*range(t // 2, t), *range(t // 2)]]"),
}

SPELLINGS = {
    "what does not move cannot stay": [
        written("""y = f(x)
for i in range(len(x) - 1):
    p = list(range(len(x)))
    p[i], p[i + 1] = p[i + 1], p[i]
    if not torch.allclose(f(x[p]), y[p], atol=1e-4):
        return False, False
return True, torch.allclose(f(x.flip(0)), y, atol=1e-4)""")
    ],
    "always yes": [written("return True, True"), over("[range(t)]")],
    "always no": [written("return False, False")],
    "always what a head gives": [written("y = f(x)\nreturn True, False")],
    "moving and staying mixed up": [
        over(ALL, "stayed, moved = after - before[p], after - before")
    ],
    "output never moved": [over(ALL, "moved = stayed = after - before")],
    "output always moved": [over(ALL, "moved = stayed = after - before[p]")],
    "features shuffled": [
        written("""from itertools import permutations
orders = [list(p) for p in permutations(range(x.shape[1]))]
moves = all(torch.allclose(f(x[:, p]), f(x)[:, p], atol=1e-4) for p in orders)
return moves, all(torch.allclose(f(x[:, p]), f(x), atol=1e-4) for p in orders)""")
    ],
    "moved back instead of along": [
        over(ALL, "moved, stayed = after[p] - before, after - before")
    ],
    "compared with the words": [
        over(ALL, "moved, stayed = after - x[p], after - before")
    ],
    "only turned around": [
        over("[range(t - 1, -1, -1)]"),
        written("""y = f(x.flip(0))
return torch.allclose(y, f(x).flip(0), atol=1e-4), torch.allclose(y, f(x), atol=1e-4)"""),
    ],
    "only pushed on in a ring": [
        over("[[*range(1, t), 0]]"),
        written("""y = f(x.roll(1, 0))
moves = torch.allclose(y, f(x).roll(1, 0), rtol=0, atol=1e-4)
return moves, torch.allclose(y, f(x), rtol=0, atol=1e-4)"""),
    ],
    "only the first two swapped": [
        over("[[1, 0, *range(2, t)][:max(t, 1)]] if t > 1 else []")
    ],
    "only the ends swapped": [over("[[t - 1, *range(1, t - 1), 0]] if t > 1 else []")],
    "totals compared": [
        over(ALL, "moved, stayed = (after - before[p]).sum(0), (after - before).sum(0)")
    ],
    "differences that cancel": [
        over(ALL, "moved, stayed = (after - before[p]).sum(), (after - before).sum()")
    ],
    "to the last digit": [over(ALL, tolerance="0")],
    "too forgiving": [over(ALL, tolerance="0.1")],
    "no for yes": [
        over(ALL).replace("return moves, stays", "return not moves, not stays")
    ],
    "one excludes the other": [
        over(ALL).replace("return moves, stays", "return moves, stays and not moves")
    ],
}
