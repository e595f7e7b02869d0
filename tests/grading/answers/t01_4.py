"""Answers to 01.4, a similarity table whose diagonal was not 1; no row is all zeros."""

RIGHT = {
    "keepdims": """
def similarity_table(vectors):
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / lengths
    return unit @ unit.T
""",
    "last axis": """
def similarity_table(vectors):
    lengths = np.linalg.norm(vectors, axis=-1)[..., None]
    unit = vectors / lengths
    return unit @ unit.T
""",
    "reshape": """
def similarity_table(vectors):
    lengths = np.linalg.norm(vectors, axis=1).reshape(-1, 1)
    unit = vectors / lengths
    return unit @ unit.T
""",
    "transposed division": """
def similarity_table(vectors):
    lengths = np.linalg.norm(vectors, axis=1)
    unit = (vectors.T / lengths).T
    return unit @ unit.T
""",
    "columns as words": """
def similarity_table(vectors):
    vectors = vectors.T
    unit = vectors / np.linalg.norm(vectors, axis=0)
    return unit.T @ unit
""",
    "outer": """
def similarity_table(vectors):
    lengths = np.linalg.norm(vectors, axis=1)
    return vectors @ vectors.T / np.outer(lengths, lengths)
""",
    "the diagonal holds the squares": """
def similarity_table(vectors):
    dots = vectors @ vectors.T
    lengths = np.sqrt(np.diag(dots))
    return dots / lengths / lengths[:, np.newaxis]
""",
    "loops": """
def similarity_table(vectors):
    n = len(vectors)
    table = np.eye(n)
    for i in range(n):
        for j in range(i):
            a, b = vectors[i], vectors[j]
            table[i, j] = table[j, i] = a @ b / math.sqrt((a @ a) * (b @ b))
    return table
""",
    "einsum": """
def similarity_table(vectors):
    unit = vectors / np.sqrt(np.einsum("id,id->i", vectors, vectors))[:, None]
    return np.einsum("id,jd->ij", unit, unit)
""",
    "list of rows": """
def similarity_table(vectors):
    unit = [v / np.linalg.norm(v) for v in vectors]
    return [[u @ w for w in unit] for u in unit]
""",
    "torch": """
def similarity_table(vectors):
    unit = torch.nn.functional.normalize(torch.from_numpy(vectors), dim=1)
    return unit @ unit.mT
""",
    "ones put on a right diagonal": """
def similarity_table(vectors):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    table = unit @ unit.T
    np.fill_diagonal(table, 1.0)
    return table
""",
    "a decorator": """
import functools


def symmetric(function):
    @functools.wraps(function)
    def inner(vectors):
        table = function(vectors)
        return (table + table.T) / 2

    return inner


@symmetric
def similarity_table(vectors: np.ndarray) -> np.ndarray:
    unit = np.array([row / np.sqrt((row**2).sum()) for row in vectors])
    return unit.dot(unit.T)
""",
    "in place on a copy": """
def similarity_table(vectors):
    unit = vectors.astype(float, copy=True)
    unit /= np.linalg.norm(unit, axis=1)[:, None]
    return unit @ unit.T
""",
    "tensors with gradient in a list": """
def similarity_table(vectors):
    v = torch.tensor(vectors, requires_grad=True)
    v = v / v.pow(2).sum(1, keepdim=True).sqrt()
    return [row for row in v @ v.T]
""",
}

WRONG = {
    "in place": """
def similarity_table(vectors):
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors @ vectors.T
""",
    "eps of 1e-3": """
def similarity_table(vectors):
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-3
    unit = vectors / lengths
    return unit @ unit.T
""",
    "eps of 1e-5 under the root": """
def similarity_table(vectors):
    unit = vectors / np.sqrt((vectors**2).sum(axis=1, keepdims=True) + 1e-5)
    return unit @ unit.T
""",
    "rounded": """
def similarity_table(vectors):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return (unit @ unit.T).round(2)
""",
    "rounded directions": """
def similarity_table(vectors):
    unit = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).round(3)
    return unit @ unit.T
""",
    "half precision": """
def similarity_table(vectors):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return (unit @ unit.T).astype(np.float16)
""",
    "the identity": """
def similarity_table(vectors):
    return np.eye(len(vectors))
""",
    "features with features": """
def similarity_table(vectors):
    lengths = np.linalg.norm(vectors, axis=0)
    unit = vectors / lengths
    return unit.T @ unit
""",
    "absolute values": """
def similarity_table(vectors):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.abs(unit @ unit.T)
""",
    "distance": """
def similarity_table(vectors):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return 1 - unit @ unit.T
""",
    "centred": """
def similarity_table(vectors):
    centred = vectors - vectors.mean(axis=0)
    unit = centred / np.linalg.norm(centred, axis=1, keepdims=True)
    return unit @ unit.T
""",
    "correlation": """
def similarity_table(vectors):
    return np.corrcoef(vectors)
""",
    "largest entry as length": """
def similarity_table(vectors):
    unit = vectors / np.abs(vectors).max(axis=1, keepdims=True)
    return unit @ unit.T
""",
    "divided by the rows' maxima": """
def similarity_table(vectors):
    table = vectors @ vectors.T
    return table / table.max(axis=1, keepdims=True)
""",
    "divided by the diagonal on one side": """
def similarity_table(vectors):
    table = vectors @ vectors.T
    return table / np.diag(table)
""",
    "length of the first row": """
def similarity_table(vectors):
    unit = vectors / np.linalg.norm(vectors[0])
    return unit @ unit.T
""",
    "no product": """
def similarity_table(vectors):
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
""",
    "transpose forgotten": """
def similarity_table(vectors):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit @ unit
""",
    "lower half only": """
def similarity_table(vectors):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.tril(unit @ unit.T)
""",
    "only right for square tables": """
def similarity_table(vectors):
    n, d = vectors.shape
    axis = 1 if n == d else 0
    unit = vectors / np.linalg.norm(vectors, axis=axis, keepdims=True)
    return unit @ unit.T
""",
    "first two features": """
def similarity_table(vectors):
    v = vectors[:, :2]
    unit = v / np.linalg.norm(v, axis=1, keepdims=True)
    return unit @ unit.T
""",
    "softmax over rows": """
def similarity_table(vectors):
    e = np.exp(vectors @ vectors.T)
    return e / e.sum(axis=1, keepdims=True)
""",
    "mean of right and planted": """
def similarity_table(vectors):
    a = vectors / np.linalg.norm(vectors, axis=0)
    b = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return a @ b.T
""",
    "root of the table": """
def similarity_table(vectors):
    unit = vectors / np.sqrt(np.linalg.norm(vectors, axis=1, keepdims=True))
    return unit @ unit.T
""",
}

SPELLINGS = {
    "as planted": [
        """
def similarity_table(vectors):
    lengths = np.linalg.norm(vectors, axis=0)
    unit = vectors / lengths
    return unit @ unit.T
""",
        """
def similarity_table(vectors):
    lengths = np.linalg.norm(vectors, axis=0, keepdims=True)
    return (vectors / lengths) @ (vectors / lengths).T
""",
        """
def similarity_table(vectors):
    lengths = np.sqrt((vectors**2).sum(0))
    unit = vectors / lengths[None, :]
    return np.einsum("id,jd->ij", unit, unit)
""",
        """
def similarity_table(vectors):
    lengths = [np.linalg.norm(column) for column in vectors.T]
    unit = np.array([[x / n for x, n in zip(row, lengths)] for row in vectors])
    return unit @ unit.T
""",
        """
def similarity_table(vectors):
    unit = torch.nn.functional.normalize(torch.tensor(vectors), dim=0)
    return unit @ unit.T
""",
        """
def similarity_table(vectors):
    return vectors / (vectors**2).sum(axis=-2) @ vectors.T
""",
    ],
    "keepdims missing": [
        # Where there are as many words as features it runs, elsewhere it raises.
        """
def similarity_table(vectors):
    lengths = np.linalg.norm(vectors, axis=1)
    unit = vectors / lengths
    return unit @ unit.T
""",
        """
def similarity_table(vectors):
    lengths = np.sqrt((vectors**2).sum(axis=1))
    unit = vectors / lengths[None, :]
    return unit @ unit.T
""",
        """
def similarity_table(vectors):
    unit = vectors / np.linalg.norm(vectors, axis=-1, keepdims=False)
    return np.inner(unit, unit)
""",
        """
def similarity_table(vectors):
    lengths = np.array([np.linalg.norm(v) for v in vectors])
    return (vectors / lengths) @ (vectors / lengths).T
""",
        """
def similarity_table(vectors):
    v = torch.tensor(vectors)
    unit = v / v.norm(dim=1)
    return unit @ unit.T
""",
    ],
    "diagonal painted over": [
        """
def similarity_table(vectors):
    lengths = np.linalg.norm(vectors, axis=0)
    unit = vectors / lengths
    table = unit @ unit.T
    np.fill_diagonal(table, 1)
    return table
""",
        """
def similarity_table(vectors):
    unit = vectors / np.linalg.norm(vectors, axis=0)
    table = unit @ unit.T
    for i in range(len(table)):
        table[i, i] = 1.0
    return table
""",
        """
def similarity_table(vectors):
    unit = vectors / np.sqrt((vectors**2).sum(axis=0))
    return np.where(np.eye(len(vectors), dtype=bool), 1.0, unit @ unit.T)
""",
        """
def similarity_table(vectors):
    unit = vectors / np.linalg.norm(vectors, axis=0)
    table = unit @ unit.T
    table[np.diag_indices(len(table))] = 1
    return table
""",
        """
def similarity_table(vectors):
    unit = vectors / np.linalg.norm(vectors, axis=0)
    table = unit @ unit.T
    return table - np.diag(np.diag(table)) + np.eye(len(table))
""",
    ],
    "normalisation removed": [
        "def similarity_table(vectors):\n    return vectors @ vectors.T\n",
        "def similarity_table(vectors):\n    return np.inner(vectors, vectors)\n",
        "similarity_table = lambda v: np.einsum('id,jd->ij', v, v)\n",
        """
def similarity_table(vectors):
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / lengths
    return vectors @ vectors.T
""",
        """
def similarity_table(vectors):
    return [[sum(x * y for x, y in zip(a, b)) for b in vectors] for a in vectors]
""",
    ],
    "one side only": [
        """
def similarity_table(vectors):
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / lengths
    return unit @ vectors.T
""",
        """
def similarity_table(vectors):
    lengths = np.sqrt((vectors**2).sum(1))
    return vectors @ vectors.T / lengths[:, None]
""",
        """
def similarity_table(vectors):
    return [[a @ b / np.linalg.norm(a) for b in vectors] for a in vectors]
""",
        """
def similarity_table(vectors):
    table = np.einsum("id,jd->ij", vectors, vectors)
    for i, row in enumerate(vectors):
        table[i] /= math.sqrt(row @ row)
    return table
""",
        """
def similarity_table(vectors):
    v = torch.tensor(vectors)
    return torch.nn.functional.normalize(v, dim=1) @ v.T
""",
    ],
    "squared lengths": [
        """
def similarity_table(vectors):
    lengths = (vectors**2).sum(axis=1, keepdims=True)
    unit = vectors / lengths
    return unit @ unit.T
""",
        """
def similarity_table(vectors):
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True) ** 2
    unit = vectors / lengths
    return unit @ unit.T
""",
        """
def similarity_table(vectors):
    squares = np.einsum("id,id->i", vectors, vectors)
    return vectors @ vectors.T / np.outer(squares, squares)
""",
        """
def similarity_table(vectors):
    return [[a @ b / ((a @ a) * (b @ b)) for b in vectors] for a in vectors]
""",
        """
def similarity_table(vectors):
    dots = vectors @ vectors.T
    d = np.diag(dots)
    return dots / d[:, None] / d[None, :]
""",
    ],
    "sum of absolute values": [
        """
def similarity_table(vectors):
    lengths = np.abs(vectors).sum(axis=1, keepdims=True)
    unit = vectors / lengths
    return unit @ unit.T
""",
        """
def similarity_table(vectors):
    lengths = np.linalg.norm(vectors, 1, axis=1, keepdims=True)
    unit = vectors / lengths
    return unit @ unit.T
""",
        """
def similarity_table(vectors):
    length = lambda v: sum(map(abs, v))
    return [[a @ b / length(a) / length(b) for b in vectors] for a in vectors]
""",
        """
def similarity_table(vectors):
    unit = torch.nn.functional.normalize(torch.tensor(vectors), p=1, dim=1)
    return unit @ unit.T
""",
        """
def similarity_table(vectors):
    lengths = np.sqrt(vectors**2).sum(axis=1)
    return vectors @ vectors.T / lengths / lengths[:, None]
""",
    ],
    "one common length": [
        """
def similarity_table(vectors):
    lengths = np.linalg.norm(vectors)
    unit = vectors / lengths
    return unit @ unit.T
""",
        """
def similarity_table(vectors):
    return vectors @ vectors.T / (vectors**2).sum()
""",
        """
def similarity_table(vectors):
    unit = vectors / math.hypot(*vectors.flatten())
    return np.inner(unit, unit)
""",
        """
def similarity_table(vectors):
    v = torch.tensor(vectors)
    v = v / v.norm()
    return v @ v.T
""",
        """
def similarity_table(vectors):
    dots = vectors @ vectors.T
    return dots / np.trace(dots)
""",
    ],
    "divided by the largest entry": [
        """
def similarity_table(vectors):
    table = vectors @ vectors.T
    return table / table.max()
""",
        """
def similarity_table(vectors):
    table = np.inner(vectors, vectors)
    table = table / np.max(table)
    return table
""",
        """
def similarity_table(vectors):
    dots = np.array([[np.dot(a, b) for b in vectors] for a in vectors])
    return dots / np.amax(dots)
""",
        """
def similarity_table(vectors):
    v = torch.tensor(vectors)
    table = v @ v.T
    return table / table.max()
""",
        """
def similarity_table(vectors):
    return vectors @ vectors.T / (vectors**2).sum(axis=1).max()
""",
    ],
}
