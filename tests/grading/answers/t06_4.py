"""Answers to 06.4: two matrices that make every word look where `asks` says."""


def written(body: str, names: str = "asks") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def build({names}):\n{lines}"


RIGHT = {
    "asks as queries": written("""n = asks.shape[0]
return 30 * np.sqrt(n) * asks, np.eye(n)"""),
    "asks as keys": written("""n = asks.shape[0]
return 30 * math.sqrt(n) * np.eye(n), asks.T"""),
    "one very large number": written("return 1000.0 * asks, np.eye(len(asks))"),
    "shared between both": written("return 100 * asks, 100 * np.identity(len(asks))"),
    "loops": written("""n = len(asks)
W_q, W_k = np.zeros((n, n)), np.zeros((n, n))
for i in range(n):
    W_k[i, i] = 1
    for j in range(n):
        if asks[i][j] == 1:
            W_q[i, j] = 500
return W_q, W_k"""),
    "what is not asked is pushed away": written(
        "return (asks - 1) * 1e4, np.eye(len(asks))"
    ),
    "plus and minus": written("""large = 15 * len(asks) ** 0.5
return np.where(asks > 0, large, -large), np.eye(len(asks))"""),
    "tensors": written(
        "return torch.tensor(asks) * 400, torch.eye(len(asks)).double()"
    ),
    "lists": written("""n = len(asks)
W_q = [[300.0 * asks[i][j] for j in range(n)] for i in range(n)]
W_k = [[float(i == j) for j in range(n)] for i in range(n)]
return W_q, W_k"""),
    "twice as wide": written("""n = len(asks)
empty = np.zeros((n, n))
return np.hstack([700 * asks, empty]), np.hstack([np.eye(n), empty])"""),
    "turned by a rotation": written("""n = len(asks)
R, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(n, n)))
return 900 * asks @ R, R"""),
    "solved for": written("""n = len(asks)
W_k = np.random.default_rng(1).normal(size=(n, n)) + 5 * np.eye(n)
return np.linalg.solve(W_k, 600 * asks.T).T, W_k"""),
    "decomposed": written("""U, S, V = np.linalg.svd(800 * asks)
return U * np.sqrt(S), V.T * np.sqrt(S)"""),
    "rows shared out": written("""share = asks / np.maximum(asks.sum(1, keepdims=True), 1)
return 2000 * share, np.eye(len(asks))"""),
    "whole numbers": written(
        "return (1000 * asks).astype(int), np.eye(len(asks), dtype=int)"
    ),
}

WRONG = {
    "keys all alike": written("return 1000 * asks, np.ones(asks.shape)"),
    "nothing returned": written("W_q = asks"),
    "zeros": written("return np.zeros(asks.shape), np.zeros(asks.shape)"),
    "softmaxed": written("""e = np.exp(asks)
return e / e.sum(1, keepdims=True), np.eye(len(asks))"""),
    "asks changed": written("""asks *= 1000
return asks, np.eye(len(asks))"""),
    "a single number in a query": written(
        "return 100 * asks.argmax(1)[:, None], np.arange(len(asks))[:, None]"
    ),
    "random": written("""rng = np.random.default_rng(0)
return rng.normal(size=asks.shape), rng.normal(size=asks.shape)"""),
    "three matrices": written(
        "return 1000 * asks, np.eye(len(asks)), np.eye(len(asks))"
    ),
    "widths that don't fit": written("return 1000 * asks, np.eye(len(asks))[:, :1]"),
    "a dictionary": written('return {"W_q": 1000 * asks, "W_k": np.eye(len(asks))}'),
    "text": written('return "asks", "eye"'),
    "only the first kind": written("""W_q = np.zeros(asks.shape)
W_q[0] = 1000 * asks[0]
return W_q, np.eye(len(asks))"""),
    "too wide": written("""n = len(asks)
return np.hstack([60 * asks, np.zeros((n, 99 * n))]), np.eye(n, 100 * n)"""),
    "named matrices": written("return asks.tolist(), [1] * len(asks)"),
}

SPELLINGS = {
    "the other way round": [
        written("return 1000 * asks.T, np.eye(len(asks))"),
        written("return np.eye(len(asks)), 1000 * asks"),
    ],
    "both ways": [
        written("return 1000 * np.maximum(asks, asks.T), np.eye(len(asks))"),
        written("return 1000.0 * ((asks + asks.T) > 0), np.identity(len(asks))"),
    ],
    "one matrix for both": [written("return 1000 * asks, 1000 * asks")],
    "everybody asks for their own kind": [
        written("return 1000 * np.eye(len(asks)), np.eye(len(asks))")
    ],
    "looks away": [written("return -1000 * asks, np.eye(len(asks))")],
    "size 1": [
        written("return asks, np.eye(len(asks))"),
        written("return np.eye(len(asks)), asks.T"),
        written("return 5 * math.sqrt(len(asks)) * asks, np.eye(len(asks))"),
    ],
    "too small for many kinds": [
        written("return 10 * asks, np.eye(len(asks))"),
        written("return np.eye(len(asks)) * 5, asks.T"),
        written("return 20 * asks, np.identity(asks.shape[0])"),
    ],
    "infinitely large": [written("return asks * math.inf, np.eye(len(asks))")],
    "only one of two": [
        written("""W_q = np.zeros_like(asks)
for i, row in enumerate(asks):
    if row.any():
        W_q[i, row.argmax()] = 1000
return W_q, np.eye(len(asks))""")
    ],
    "own kind too": [
        written("return 1000 * ((asks + np.eye(len(asks))) > 0), np.eye(len(asks))")
    ],
    "product instead of the pair": [written("return 1000 * asks")],
}
