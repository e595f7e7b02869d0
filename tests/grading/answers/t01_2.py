"""Answers to 01.2, all cosines at once; a row of zeros has cosine 0 with every row."""

RIGHT = {
    "the book's solution": """
def cosine_matrix(A, B):
    lengths_a = np.linalg.norm(A, axis=1, keepdims=True)
    lengths_b = np.linalg.norm(B, axis=1, keepdims=True)
    directions_a = A / np.where(lengths_a == 0, 1, lengths_a)
    directions_b = B / np.where(lengths_b == 0, 1, lengths_b)
    return directions_a @ directions_b.T
""",
    "two loops over indices": """
def cosine_matrix(A, B):
    result = np.zeros((A.shape[0], B.shape[0]))
    for i in range(A.shape[0]):
        for j in range(B.shape[0]):
            na = np.linalg.norm(A[i])
            nb = np.linalg.norm(B[j])
            if na == 0 or nb == 0:
                result[i, j] = 0
            else:
                result[i, j] = np.dot(A[i], B[j]) / (na * nb)
    return result
""",
    "nested list comprehension": """
def cosine_matrix(A, B):
    def cos(a, b):
        length = (sum(x * x for x in a) * sum(x * x for x in b)) ** 0.5
        return sum(x * y for x, y in zip(a, b)) / length if length else 0.0

    return np.array([[cos(a, b) for b in B] for a in A])
""",
    "plain lists": """
def cosine_matrix(A, B):
    rows = []
    for a in A.tolist():
        row = []
        for b in B.tolist():
            top = sum(x * y for x, y in zip(a, b))
            bottom = math.hypot(*a) * math.hypot(*b)
            row.append(top / bottom if bottom > 0 else 0)
        rows.append(row)
    return rows
""",
    "einsum": """
def cosine_matrix(A, B):
    dots = np.einsum("id,jd->ij", A, B)
    a2 = np.einsum("id,id->i", A, A)
    b2 = np.einsum("jd,jd->j", B, B)
    norms = np.sqrt(a2[:, None] * b2[None, :])
    return np.where(norms > 0, dots / np.where(norms > 0, norms, 1), 0)
""",
    "broadcasting in three axes": """
def cosine_matrix(A, B):
    dots = (A[:, None, :] * B[None, :, :]).sum(axis=-1)
    lengths = np.sqrt((A**2).sum(1))[:, None] * np.sqrt((B**2).sum(1))
    return np.divide(dots, lengths, out=np.zeros_like(dots), where=lengths > 0)
""",
    "NaN taken out": """
def cosine_matrix(A, B):
    with np.errstate(divide="ignore", invalid="ignore"):
        table = A @ B.T / np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    return np.nan_to_num(table)
""",
    "NaN taken out with its warning": """
def cosine_matrix(A, B):
    table = (A @ B.T) / np.linalg.norm(A, axis=1)[:, None] / np.linalg.norm(B, axis=1)
    table[np.isnan(table)] = 0
    return table
""",
    "a tiny maximum": """
def cosine_matrix(A, B, eps=1e-12):
    A = A / np.maximum(np.linalg.norm(A, axis=-1, keepdims=True), eps)
    B = B / np.maximum(np.linalg.norm(B, axis=-1, keepdims=True), eps)
    return A @ B.T
""",
    "a tiny number added": """
def cosine_matrix(A, B):
    na = np.sqrt(np.sum(A * A, axis=1)) + 1e-15
    nb = np.sqrt(np.sum(B * B, axis=1)) + 1e-15
    return (A @ B.T) / (na[:, np.newaxis] * nb[np.newaxis, :])
""",
    "a helper": """
def unit_rows(X):
    n = np.linalg.norm(X, axis=1)
    n[n == 0] = 1.0
    return X / n.reshape(-1, 1)


def cosine_matrix(A, B):
    return np.matmul(unit_rows(A), np.transpose(unit_rows(B)))
""",
    "a helper lambda": """
norm = lambda X: np.linalg.norm(X, axis=1, keepdims=True)
unit = lambda X: X / (norm(X) + (X == 0).all(1)[:, None])
cosine_matrix = lambda A, B: unit(A) @ unit(B).T
""",
    "torch inside": """
def cosine_matrix(A, B):
    a = torch.nn.functional.normalize(torch.from_numpy(A), dim=1)
    b = torch.nn.functional.normalize(torch.from_numpy(B), dim=1)
    return a @ b.T
""",
    "torch's pairwise cosine": """
def cosine_matrix(A, B):
    A, B = torch.tensor(A), torch.tensor(B)
    return torch.cosine_similarity(A[:, None], B[None], dim=-1, eps=1e-30).numpy()
""",
    "type hints and a docstring": '''
def cosine_matrix(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Pairwise cosine similarity of rows."""
    norm_a: np.ndarray = np.linalg.norm(A, ord=2, axis=1)
    norm_b: np.ndarray = np.linalg.norm(B, ord=2, axis=1)
    denominator: np.ndarray = np.multiply.outer(norm_a, norm_b)
    denominator[denominator == 0] = np.inf
    return np.inner(A, B) / denominator
''',
    "try and except": """
def cosine_matrix(A, B):
    out = []
    for a in A:
        out.append([])
        for b in B:
            try:
                c = float(a @ b) / (float(a @ a) * float(b @ b)) ** 0.5
            except ZeroDivisionError:
                c = 0.0
            out[-1].append(c)
    return np.array(out)
""",
    "rows without zeros only": """
def cosine_matrix(A, B):
    A, B = A.copy(), B.copy()
    for X in (A, B):
        for row in X:
            if row.any():
                row /= np.linalg.norm(row)
    return A @ B.T
""",
    "prints on the way": """
def cosine_matrix(A, B):
    print("shapes", A.shape, B.shape)
    nA, nB = np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1)
    print(nA, nB)
    D = nA[:, None] @ nB[None, :]
    return np.where(D == 0, 0.0, A @ B.T / np.where(D == 0, 1.0, D))
""",
    "a callable object": """
class Cosine:
    def __call__(self, A, B):
        return self.directions(A) @ self.directions(B).T

    @staticmethod
    def directions(X):
        lengths = np.linalg.norm(X, axis=1, keepdims=True)
        return np.divide(X, lengths, out=np.zeros(X.shape), where=lengths != 0)


cosine_matrix = Cosine()
""",
    "a partial": """
from functools import partial


def table(A, B, order):
    na, nb = (np.linalg.norm(X, ord=order, axis=1) for X in (A, B))
    na, nb = (np.where(n > 0, n, np.inf) for n in (na, nb))
    return (A / na[:, None]) @ (B / nb[:, None]).T


cosine_matrix = partial(table, order=2)
""",
    "diagonal matrices": """
def cosine_matrix(A, B):
    inverse = lambda n: np.diag([1 / x if x else 0 for x in n])
    left = inverse(np.linalg.norm(A, axis=1))
    right = inverse(np.linalg.norm(B, axis=1))
    return left @ A @ B.T @ right
""",
    "apply_along_axis": """
def cosine_matrix(A, B):
    def direction(row):
        length = np.sqrt(row.dot(row))
        return row / length if length > 0 else np.zeros_like(row)

    return np.apply_along_axis(direction, 1, A) @ np.apply_along_axis(direction, 1, B).T
""",
    "an object array": """
def cosine_matrix(A, B):
    table = np.empty((len(A), len(B)), dtype=object)
    for (i, a), (j, b) in [(x, y) for x in enumerate(A) for y in enumerate(B)]:
        n = float(np.sqrt((a @ a) * (b @ b)))
        table[i, j] = float(a @ b) / n if n else 0.0
    return table
""",
    "a list of tensors with gradient": """
def cosine_matrix(A, B):
    a = torch.tensor(A, requires_grad=True)
    b = torch.tensor(B, requires_grad=True)
    a = a / a.norm(dim=1, keepdim=True).clamp(min=1e-12)
    b = b / b.norm(dim=1, keepdim=True).clamp(min=1e-12)
    return list(a @ b.T)
""",
    "one row at a time": """
def cosine_matrix(A, B):
    nb = np.linalg.norm(B, axis=1)
    rows = []
    for a in A:
        d = np.linalg.norm(a) * nb
        rows.append([x / y if y != 0 else 0 for x, y in zip(B @ a, d)])
    return np.vstack(rows)
""",
    "clipped to the possible range": """
def cosine_matrix(A, B):
    a = np.linalg.norm(A, axis=1)[:, None]
    b = np.linalg.norm(B, axis=1)[None, :]
    ab = a * b
    return np.clip(A @ B.T / np.where(ab == 0, np.inf, ab), -1.0, 1.0)
""",
}

WRONG = {
    "zero rows get 1": """
def cosine_matrix(A, B):
    d = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    return np.where(d == 0, 1.0, A @ B.T / np.where(d == 0, 1, d))
""",
    "zero rows get -1": """
def cosine_matrix(A, B):
    d = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    return np.nan_to_num(A @ B.T / d, nan=-1.0)
""",
    "zero row equals zero row": """
def cosine_matrix(A, B):
    d = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    table = np.where(d == 0, 0.0, A @ B.T / np.where(d == 0, 1, d))
    both = ~A.any(axis=1)[:, None] & ~B.any(axis=1)[None, :]
    return np.where(both, 1.0, table)
""",
    "short rows count as zeros": """
def cosine_matrix(A, B):
    d = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    return np.where(d < 0.1, 0.0, A @ B.T / np.where(d == 0, 1, d))
""",
    "lengths below 0.1 raised": """
def cosine_matrix(A, B):
    na = np.maximum(np.linalg.norm(A, axis=1), 0.1)
    nb = np.maximum(np.linalg.norm(B, axis=1), 0.1)
    return A @ B.T / np.outer(na, nb)
""",
    "1e-5 added": """
def cosine_matrix(A, B):
    na = np.linalg.norm(A, axis=1) + 1e-5
    nb = np.linalg.norm(B, axis=1) + 1e-5
    return A @ B.T / np.outer(na, nb)
""",
    "1e-3 added": """
def cosine_matrix(A, B):
    d = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    return A @ B.T / (d + 1e-3)
""",
    "rounded to four decimals": """
def cosine_matrix(A, B):
    d = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    return np.nan_to_num(A @ B.T / d).round(4)
""",
    "rounded to two decimals": """
def cosine_matrix(A, B):
    table = []
    for a in A:
        for b in B:
            n = np.linalg.norm(a) * np.linalg.norm(b)
            table.append(round(float(a @ b) / n, 2) if n else 0)
    return np.array(table).reshape(len(A), len(B))
""",
    "half precision": """
def cosine_matrix(A, B):
    d = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    return np.nan_to_num(A @ B.T / d).astype(np.float16)
""",
    "whole numbers": """
def cosine_matrix(A, B):
    table = np.zeros((len(A), len(B)), dtype=int)
    for i, a in enumerate(A):
        for j, b in enumerate(B):
            n = np.linalg.norm(a) * np.linalg.norm(b)
            if n:
                table[i, j] = a @ b / n
    return table
""",
    "divides A and B in place": """
def cosine_matrix(A, B):
    for X in (A, B):
        n = np.linalg.norm(X, axis=1, keepdims=True)
        n[n == 0] = 1
        X /= n
    return A @ B.T
""",
    "writes the zero rows of A": """
def cosine_matrix(A, B):
    A[~A.any(axis=1)] = 1e-300
    nb = np.linalg.norm(B, axis=1)
    d = np.outer(np.where(A[:, 0] == 1e-300, 1, np.linalg.norm(A, axis=1)),
                 np.where(nb == 0, 1, nb))
    return A @ B.T / d
""",
    "no zeros put in with where": """
def cosine_matrix(A, B):
    d = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    junk = np.full(d.shape, 7.0)
    return np.divide(A @ B.T, d, out=junk, where=d > 0)
""",
    "one row only": """
def cosine_matrix(A, B):
    a = A[0]
    n = np.linalg.norm(B, axis=1) * np.linalg.norm(a)
    return (B @ a / np.where(n == 0, 1, n))[None, :]
""",
    "row i with row i": """
def cosine_matrix(A, B):
    n = min(len(A), len(B))
    a, b = A[:n], B[:n]
    lengths = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    return (a * b).sum(axis=1) / np.where(lengths == 0, 1, lengths)
""",
    "A with itself": """
def cosine_matrix(A, B):
    n = np.linalg.norm(A, axis=1, keepdims=True)
    unit = A / np.where(n == 0, 1, n)
    return unit @ unit.T
""",
    "flat": """
def cosine_matrix(A, B):
    return np.array([
        a @ b / (np.linalg.norm(a) * np.linalg.norm(b) or 1) for a in A for b in B
    ])
""",
    "one list too many": """
def cosine_matrix(A, B):
    d = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    return [A @ B.T / np.where(d == 0, 1, d)]
""",
    "squared cosine": """
def cosine_matrix(A, B):
    d = np.outer((A**2).sum(1), (B**2).sum(1))
    return (A @ B.T) ** 2 / np.where(d == 0, 1, d)
""",
    "euclidean distance": """
def cosine_matrix(A, B):
    return np.linalg.norm(A[:, None] - B[None], axis=-1)
""",
    "negative distance": """
def cosine_matrix(A, B):
    return -((A[:, None] - B[None]) ** 2).sum(-1)
""",
    "softmax of the cosines": """
def cosine_matrix(A, B):
    d = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    e = np.exp(A @ B.T / np.where(d == 0, 1, d))
    return e / e.sum(axis=1, keepdims=True)
""",
    "scaled to 0..1": """
def cosine_matrix(A, B):
    d = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    return (A @ B.T / np.where(d == 0, 1, d) + 1) / 2
""",
    "largest is 1": """
def cosine_matrix(A, B):
    table = A @ B.T
    return table / np.abs(table).max()
""",
    "root of the number of axes": """
def cosine_matrix(A, B):
    return A @ B.T / A.shape[1] ** 0.5
""",
    "divides by the sum of the lengths": """
def cosine_matrix(A, B):
    s = np.linalg.norm(A, axis=1)[:, None] + np.linalg.norm(B, axis=1)
    return A @ B.T / np.where(s == 0, 1, s)
""",
    "jaccard": """
def cosine_matrix(A, B):
    dots = A @ B.T
    union = (A * A).sum(1)[:, None] + (B * B).sum(1) - dots
    return dots / np.where(union == 0, 1, union)
""",
    "a lookup of the example": """
def cosine_matrix(A, B):
    return [[1, -1, 0]]
""",
    "forgets the last column": """
def cosine_matrix(A, B):
    table = np.zeros((len(A), len(B)))
    for i in range(len(A)):
        for j in range(len(B) - 1):
            n = np.linalg.norm(A[i]) * np.linalg.norm(B[j])
            table[i, j] = A[i] @ B[j] / n if n else 0
    return table
""",
    "first two axes only": """
def cosine_matrix(A, B):
    table = np.zeros((len(A), len(B)))
    for i, (a, b) in enumerate(A[:, :2]):
        for j, (c, d) in enumerate(B[:, :2]):
            n = np.sqrt(a * a + b * b) * np.sqrt(c * c + d * d)
            table[i, j] = (a * c + b * d) / n if n else 0
    return table
""",
    "return inside the loop": """
def cosine_matrix(A, B):
    table = np.zeros((len(A), len(B)))
    for i in range(len(A)):
        for j in range(len(B)):
            n = np.linalg.norm(A[i]) * np.linalg.norm(B[j])
            table[i, j] = A[i] @ B[j] / n if n else 0
        return table
""",
    "imaginary part left in": """
def cosine_matrix(A, B):
    d = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    return A @ B.T / np.where(d == 0, 1, d) + 1e-1j
""",
    "uninitialised where a length is 0": """
def cosine_matrix(A, B):
    d = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    table = np.empty_like(d) + np.nan
    table[d > 0] = (A @ B.T)[d > 0] / d[d > 0]
    return table
""",
}

SPELLINGS = {
    "no norms": [
        "def cosine_matrix(A, B):\n    return A @ B.T\n",
        "def cosine_matrix(A, B):\n    return np.einsum('id,jd->ij', A, B)\n",
        "def cosine_matrix(A, B):\n    return np.inner(A, B)\n",
        "def cosine_matrix(A, B):\n    return [[np.dot(a, b) for b in B] for a in A]\n",
        "cosine_matrix = lambda A, B: np.tensordot(A, B, axes=(1, 1))\n",
        "def cosine_matrix(A, B):\n    return (A[:, None] * B[None]).sum(-1)\n",
        """
def cosine_matrix(A, B):
    table = np.zeros((len(A), len(B)))
    for i in range(len(A)):
        for j in range(len(B)):
            for n in range(A.shape[1]):
                table[i, j] += A[i, n] * B[j, n]
    return table
""",
    ],
    "only A normalised": [
        """
def cosine_matrix(A, B):
    n = np.linalg.norm(A, axis=1, keepdims=True)
    return A / np.where(n == 0, 1, n) @ B.T
""",
        """
def cosine_matrix(A, B):
    lengths = np.sqrt((A**2).sum(axis=1))
    return A @ B.T / np.maximum(lengths, 1e-12)[:, None]
""",
        """
def cosine_matrix(A, B):
    return [[a @ b / (np.linalg.norm(a) or 1) for b in B] for a in A]
""",
        """
def cosine_matrix(A, B):
    A_norm = A / (np.linalg.norm(A, axis=1, keepdims=True) + 1e-12)
    B_norm = B / (np.linalg.norm(B, axis=1, keepdims=True) + 1e-12)
    return A_norm @ B.T
""",
        """
def cosine_matrix(A, B):
    a = torch.nn.functional.normalize(torch.tensor(A), dim=-1)
    return a @ torch.tensor(B).T
""",
        """
def cosine_matrix(A, B):
    out = np.zeros((A.shape[0], B.shape[0]))
    for i in range(A.shape[0]):
        for j in range(B.shape[0]):
            length = np.sqrt(np.sum(A[i] ** 2))
            if length > 0:
                out[i][j] = np.sum(A[i] * B[j]) / length
    return out
""",
    ],
    "only B normalised": [
        """
def cosine_matrix(A, B):
    n = np.linalg.norm(B, axis=1, keepdims=True)
    return A @ (B / np.where(n == 0, 1, n)).T
""",
        """
def cosine_matrix(A, B):
    lengths = np.sqrt((B * B).sum(axis=1))
    lengths[lengths == 0] = 1
    return A @ B.T / lengths
""",
        """
def cosine_matrix(A, B):
    return [[a @ b / max(math.hypot(*b), 1e-12) for b in B] for a in A]
""",
        """
def cosine_matrix(A, B):
    dots = np.einsum("id,jd->ij", A, B)
    return np.nan_to_num(dots / np.linalg.norm(B, axis=1)[None, :])
""",
        """
def cosine_matrix(A, B):
    return A @ torch.nn.functional.normalize(torch.tensor(B)).numpy().T
""",
    ],
    "squared norms": [
        """
def cosine_matrix(A, B):
    d = np.outer((A**2).sum(1), (B**2).sum(1))
    return A @ B.T / np.where(d == 0, 1, d)
""",
        """
def cosine_matrix(A, B):
    return [[a @ b / ((a @ a) * (b @ b) or 1) for b in B] for a in A]
""",
        """
def cosine_matrix(A, B):
    a = np.einsum("id,id->i", A, A)[:, None]
    b = np.einsum("jd,jd->j", B, B)[None]
    return np.nan_to_num(np.einsum("id,jd->ij", A, B) / (a * b))
""",
        """
def cosine_matrix(A, B):
    A = A / np.maximum(np.sum(A * A, axis=1, keepdims=True), 1e-12)
    B = B / np.maximum(np.sum(B * B, axis=1, keepdims=True), 1e-12)
    return A @ B.T
""",
        """
def cosine_matrix(A, B):
    table = np.zeros((len(A), len(B)))
    for i, a in enumerate(A):
        for j, b in enumerate(B):
            length_a = sum(x**2 for x in a)
            length_b = sum(x**2 for x in b)
            if length_a * length_b != 0:
                table[i, j] = sum(a * b) / (length_a * length_b)
    return table
""",
        """
def cosine_matrix(A, B):
    na = np.linalg.norm(A, axis=1) ** 2
    nb = np.linalg.norm(B, axis=1) ** 2
    return np.divide(A @ B.T, np.outer(na, nb), out=np.zeros((len(A), len(B))),
                     where=np.outer(na, nb) > 0)
""",
    ],
    "sum of absolute values as length": [
        """
def cosine_matrix(A, B):
    d = np.outer(np.abs(A).sum(1), np.abs(B).sum(1))
    return A @ B.T / np.where(d == 0, 1, d)
""",
        """
def cosine_matrix(A, B):
    na = np.linalg.norm(A, ord=1, axis=1, keepdims=True)
    nb = np.linalg.norm(B, ord=1, axis=1, keepdims=True)
    return (A / np.maximum(na, 1e-12)) @ (B / np.maximum(nb, 1e-12)).T
""",
        """
def cosine_matrix(A, B):
    length = lambda x: sum(abs(x)) or 1
    return [[a @ b / length(a) / length(b) for b in B] for a in A]
""",
        """
def cosine_matrix(A, B):
    a = torch.nn.functional.normalize(torch.tensor(A), p=1, dim=1)
    b = torch.nn.functional.normalize(torch.tensor(B), p=1, dim=1)
    return a @ b.mT
""",
        """
def cosine_matrix(A, B):
    lengths_a = np.sqrt(A**2).sum(axis=1)
    lengths_b = np.sqrt(B**2).sum(axis=1)
    return np.nan_to_num(A @ B.T / lengths_a[:, None] / lengths_b)
""",
    ],
    "largest entry as length": [
        """
def cosine_matrix(A, B):
    d = np.outer(np.abs(A).max(1), np.abs(B).max(1))
    return A @ B.T / np.where(d == 0, 1, d)
""",
        """
def cosine_matrix(A, B):
    na = np.linalg.norm(A, np.inf, axis=1, keepdims=True)
    nb = np.linalg.norm(B, np.inf, axis=1, keepdims=True)
    return (A / np.where(na, na, 1)) @ (B / np.where(nb, nb, 1)).T
""",
        """
def cosine_matrix(A, B):
    def length(v):
        return max(abs(x) for x in v) or 1.0

    return np.array([[np.dot(a, b) / (length(a) * length(b)) for b in B] for a in A])
""",
        """
def cosine_matrix(A, B):
    a = torch.nn.functional.normalize(torch.tensor(A), p=float("inf"), dim=1)
    b = torch.nn.functional.normalize(torch.tensor(B), p=float("inf"), dim=1)
    return (a @ b.T).numpy()
""",
        """
def cosine_matrix(A, B):
    a, b = np.abs(A).max(axis=1)[:, None], np.abs(B).max(axis=1)[None]
    return np.nan_to_num(np.inner(A, B) / (a * b))
""",
    ],
    "norms along the wrong axis": [
        """
def cosine_matrix(A, B):
    return (A / np.linalg.norm(A, axis=0)) @ (B / np.linalg.norm(B, axis=0)).T
""",
        """
def cosine_matrix(A, B):
    na = np.linalg.norm(A, axis=0, keepdims=True)
    nb = np.linalg.norm(B, axis=0, keepdims=True)
    na[na == 0] = 1
    nb[nb == 0] = 1
    return (A / na) @ (B / nb).T
""",
        """
def unit(X):
    return X / np.maximum(np.sqrt((X**2).sum(0)), 1e-12)


def cosine_matrix(A, B):
    return unit(A) @ unit(B).T
""",
        """
def cosine_matrix(A, B):
    a = torch.nn.functional.normalize(torch.tensor(A), dim=0)
    b = torch.nn.functional.normalize(torch.tensor(B), dim=0)
    return a @ b.T
""",
        """
def cosine_matrix(A, B):
    lengths = lambda X: np.array([np.linalg.norm(column) or 1 for column in X.T])
    return np.einsum("id,jd->ij", A / lengths(A), B / lengths(B))
""",
        """
def cosine_matrix(A, B):
    A = np.nan_to_num(A / np.sqrt(np.einsum("id,id->d", A, A)))
    B = np.nan_to_num(B / np.sqrt(np.einsum("id,id->d", B, B)))
    return A @ B.T
""",
    ],
    "Frobenius norm": [
        """
def cosine_matrix(A, B):
    return A @ B.T / (np.linalg.norm(A) * np.linalg.norm(B))
""",
        """
def cosine_matrix(A, B):
    return A / np.linalg.norm(A) @ (B / np.linalg.norm(B)).T
""",
        """
def cosine_matrix(A, B):
    return np.einsum("id,jd->ij", A, B) / np.sqrt((A**2).sum() * (B**2).sum())
""",
        """
def cosine_matrix(A, B):
    a, b = torch.tensor(A), torch.tensor(B)
    return (a @ b.T) / (a.norm() * b.norm())
""",
        """
def cosine_matrix(A, B):
    na, nb = math.hypot(*A.ravel()), math.hypot(*B.ravel())
    return [[np.dot(a, b) / (na * nb) for b in B] for a in A]
""",
        """
def cosine_matrix(A, B):
    norm = np.linalg.norm(A, "fro") * np.linalg.norm(B, "fro")
    return np.zeros((len(A), len(B))) if norm == 0 else np.inner(A, B) / norm
""",
    ],
    "transposed": [
        """
def cosine_matrix(A, B):
    d = np.outer(np.linalg.norm(B, axis=1), np.linalg.norm(A, axis=1))
    return B @ A.T / np.where(d == 0, 1, d)
""",
        """
def cosine_matrix(A, B):
    return np.array([
        [a @ b / (np.linalg.norm(a) * np.linalg.norm(b) or 1) for a in A] for b in B
    ])
""",
        """
def cosine_matrix(A, B):
    table = np.zeros((len(B), len(A)))
    for i, a in enumerate(A):
        for j, b in enumerate(B):
            n = np.sqrt(a @ a) * np.sqrt(b @ b)
            table[j, i] = a @ b / n if n else 0
    return table
""",
        """
def cosine_matrix(A, B):
    A = A / np.maximum(np.linalg.norm(A, axis=1, keepdims=True), 1e-12)
    B = B / np.maximum(np.linalg.norm(B, axis=1, keepdims=True), 1e-12)
    return np.einsum("id,jd->ji", A, B)
""",
        """
def cosine_matrix(A, B):
    unit = torch.nn.functional.normalize
    return (unit(torch.tensor(A)) @ unit(torch.tensor(B)).T).T
""",
        """
def cosine_matrix(A, B):
    columns = []
    for a in A:
        d = np.linalg.norm(B, axis=1) * np.linalg.norm(a)
        columns.append(np.nan_to_num(B @ a / d))
    return np.stack(columns, axis=1)
""",
    ],
    "zero row gives NaN": [
        """
def cosine_matrix(A, B):
    A_unit = A / np.linalg.norm(A, axis=1, keepdims=True)
    B_unit = B / np.linalg.norm(B, axis=1, keepdims=True)
    return A_unit @ B_unit.T
""",
        """
def cosine_matrix(A, B):
    lengths = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    return A @ B.T / lengths
""",
        """
def cosine_matrix(A, B):
    return np.array([
        [np.dot(a, b) / (np.linalg.norm(a) * np.linalg.norm(b)) for b in B] for a in A
    ])
""",
        """
def cosine_matrix(A, B):
    dots = np.einsum("id,jd->ij", A, B)
    return dots / np.sqrt((A**2).sum(1))[:, None] / np.sqrt((B**2).sum(1))[None, :]
""",
        """
def cosine_matrix(A, B):
    a, b = torch.tensor(A), torch.tensor(B)
    return (a / a.norm(dim=1, keepdim=True)) @ (b / b.norm(dim=1, keepdim=True)).T
""",
        """
def cosine_matrix(A, B):
    na = np.linalg.norm(A, axis=1, keepdims=True)
    nb = np.linalg.norm(B, axis=1, keepdims=True)
    na[na == 0] = 1
    return (A / na) @ (B / nb).T
""",
        """
def cosine_matrix(A, B):
    na = np.linalg.norm(A, axis=1, keepdims=True)
    nb = np.linalg.norm(B, axis=1, keepdims=True)
    nb = np.where(nb > 0, nb, 1)
    return (A / na) @ (B / nb).T
""",
        """
def cosine_matrix(A, B):
    table = np.zeros((len(A), len(B)))
    for i in range(len(A)):
        for j in range(len(B)):
            norm = np.sqrt(np.sum(A[i] ** 2) * np.sum(B[j] ** 2))
            table[i, j] = np.sum(A[i] * B[j]) / norm
    return table
""",
    ],
    "centred rows": [
        """
def cosine_matrix(A, B):
    A = A - A.mean(axis=1, keepdims=True)
    B = B - B.mean(axis=1, keepdims=True)
    d = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    return A @ B.T / np.where(d == 0, 1, d)
""",
        """
def cosine_matrix(A, B):
    def direction(x):
        x = x - np.mean(x)
        n = np.linalg.norm(x)
        return x / n if n > 0 else x

    return [[direction(a) @ direction(b) for b in B] for a in A]
""",
        """
def cosine_matrix(A, B):
    a = A - np.mean(A, 1)[:, None]
    b = B - np.mean(B, 1)[:, None]
    a /= np.maximum(np.linalg.norm(a, axis=1), 1e-12)[:, None]
    b /= np.maximum(np.linalg.norm(b, axis=1), 1e-12)[:, None]
    return np.einsum("id,jd->ij", a, b)
""",
        """
def cosine_matrix(A, B):
    unit = torch.nn.functional.normalize
    a, b = torch.tensor(A), torch.tensor(B)
    a, b = a - a.mean(1, keepdim=True), b - b.mean(1, keepdim=True)
    return unit(a) @ unit(b).T
""",
        """
def cosine_matrix(A, B):
    return np.nan_to_num(np.corrcoef(A, B)[: len(A), len(A) :])
""",
    ],
    "sign dropped": [
        """
def cosine_matrix(A, B):
    d = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    return np.abs(A @ B.T) / np.where(d == 0, 1, d)
""",
        """
def cosine_matrix(A, B):
    A = A / np.maximum(np.linalg.norm(A, axis=1, keepdims=True), 1e-12)
    B = B / np.maximum(np.linalg.norm(B, axis=1, keepdims=True), 1e-12)
    return abs(A @ B.T)
""",
        """
def cosine_matrix(A, B):
    d = np.outer((A * A).sum(1), (B * B).sum(1))
    return np.sqrt((A @ B.T) ** 2 / np.where(d == 0, 1, d))
""",
        """
def cosine_matrix(A, B):
    cos = lambda a, b: abs(a @ b) / (np.linalg.norm(a) * np.linalg.norm(b) or 1)
    return [[cos(a, b) for b in B] for a in A]
""",
        """
def cosine_matrix(A, B):
    unit = torch.nn.functional.normalize
    return (unit(torch.tensor(A)) @ unit(torch.tensor(B)).T).abs()
""",
    ],
    "cosine distance": [
        """
def cosine_matrix(A, B):
    d = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    return 1 - A @ B.T / np.where(d == 0, 1, d)
""",
        """
def cosine_matrix(A, B):
    A = A / np.maximum(np.linalg.norm(A, axis=1, keepdims=True), 1e-12)
    B = B / np.maximum(np.linalg.norm(B, axis=1, keepdims=True), 1e-12)
    return 1.0 - np.einsum("id,jd->ij", A, B)
""",
        """
def cosine_matrix(A, B):
    return np.array([
        [1 - a @ b / (np.linalg.norm(a) * np.linalg.norm(b) or 1) for b in B]
        for a in A
    ])
""",
        """
def cosine_matrix(A, B):
    unit = torch.nn.functional.normalize
    return 1 - unit(torch.tensor(A)) @ unit(torch.tensor(B)).T
""",
        """
def cosine_matrix(A, B):
    na, nb = np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1)
    na[na == 0], nb[nb == 0] = 1, 1
    return np.ones((len(A), len(B))) - (A @ B.T) / na[:, None] / nb
""",
    ],
    "angles": [
        """
def cosine_matrix(A, B):
    d = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    return np.arccos(np.clip(A @ B.T / np.where(d == 0, 1, d), -1, 1))
""",
        """
def cosine_matrix(A, B):
    def angle(a, b):
        n = np.linalg.norm(a) * np.linalg.norm(b)
        return math.acos(max(-1, min(1, a @ b / n))) if n else math.pi / 2

    return [[angle(a, b) for b in B] for a in A]
""",
        """
def cosine_matrix(A, B):
    A = A / np.maximum(np.linalg.norm(A, axis=1, keepdims=True), 1e-12)
    B = B / np.maximum(np.linalg.norm(B, axis=1, keepdims=True), 1e-12)
    return np.acos((A @ B.T).clip(-1, 1))
""",
        """
def cosine_matrix(A, B):
    unit = torch.nn.functional.normalize
    return (unit(torch.tensor(A)) @ unit(torch.tensor(B)).T).clamp(-1, 1).arccos()
""",
        """
def cosine_matrix(A, B):
    with np.errstate(invalid="ignore"):
        cos = A @ B.T / np.linalg.norm(A, axis=1)[:, None] / np.linalg.norm(B, axis=1)
    return np.arccos(np.nan_to_num(cos).clip(-1.0, 1.0))
""",
    ],
}

DOUBLE = [
    (
        "no norms",
        "transposed",
        """
def cosine_matrix(A, B):
    table = A @ B.T
    return table.T
""",
    ),
    (
        "no norms",
        "sign dropped",
        """
def cosine_matrix(A, B):
    table = np.einsum("id,jd->ij", A, B)
    return abs(table)
""",
    ),
    (
        "no norms",
        "cosine distance",
        """
def cosine_matrix(A, B):
    table = np.array([[np.dot(a, b) for b in B] for a in A])
    return -table + 1
""",
    ),
    (
        "no norms",
        "centred rows",
        """
def cosine_matrix(A, B):
    A = A - A.mean(axis=1, keepdims=True)
    B = B - B.mean(axis=1, keepdims=True)
    table = A @ B.T
    return table
""",
    ),
    (
        "only A normalised",
        "transposed",
        """
def cosine_matrix(A, B):
    table = np.array([[a @ b / (np.linalg.norm(a) or 1) for b in B] for a in A])
    return table.swapaxes(0, 1)
""",
    ),
    (
        "only A normalised",
        "sign dropped",
        """
def cosine_matrix(A, B):
    n = np.linalg.norm(A, axis=1, keepdims=True)
    table = A / np.where(n == 0, 1, n) @ B.T
    return np.abs(table)
""",
    ),
    (
        "only A normalised",
        "cosine distance",
        """
def cosine_matrix(A, B):
    n = np.sqrt((A**2).sum(axis=1))
    table = np.inner(A, B) / np.maximum(n, 1e-12)[:, None]
    return 1.0 - table
""",
    ),
    (
        "only A normalised",
        "centred rows",
        """
def cosine_matrix(A, B):
    A = np.array([a - a.mean() for a in A])
    B = np.array([b - b.mean() for b in B])
    table = np.array([[a @ b / (np.linalg.norm(a) or 1) for b in B] for a in A])
    return table
""",
    ),
    (
        "only B normalised",
        "transposed",
        """
def cosine_matrix(A, B):
    n = np.sqrt((B**2).sum(axis=1))
    table = np.inner(A, B) / np.maximum(n, 1e-12)
    return np.transpose(table)
""",
    ),
    (
        "only B normalised",
        "sign dropped",
        """
def cosine_matrix(A, B):
    table = np.array([[a @ b / (np.linalg.norm(b) or 1) for b in B] for a in A])
    return np.sqrt(table**2)
""",
    ),
    (
        "only B normalised",
        "cosine distance",
        """
def cosine_matrix(A, B):
    n = np.linalg.norm(B, axis=1, keepdims=True)
    table = A @ (B / np.where(n == 0, 1, n)).T
    return 1 - table
""",
    ),
    (
        "only B normalised",
        "centred rows",
        """
def cosine_matrix(A, B):
    A, B = (X - np.mean(X, axis=1)[:, None] for X in (A, B))
    n = np.sqrt((B**2).sum(axis=1))
    table = np.inner(A, B) / np.maximum(n, 1e-12)
    return table
""",
    ),
    (
        "squared norms",
        "transposed",
        """
def cosine_matrix(A, B):
    na = np.linalg.norm(A, axis=1) ** 2
    nb = np.linalg.norm(B, axis=1) ** 2
    lengths = np.outer(na, nb)
    table = A @ B.T / np.where(lengths == 0, 1, lengths)
    return table.T
""",
    ),
    (
        "squared norms",
        "sign dropped",
        """
def cosine_matrix(A, B):
    na = (A * A).sum(axis=1)
    nb = (B * B).sum(axis=1)
    lengths = np.outer(na, nb)
    table = np.inner(A, B) / np.where(lengths == 0, 1, lengths)
    return abs(table)
""",
    ),
    (
        "squared norms",
        "cosine distance",
        """
def cosine_matrix(A, B):
    table = np.zeros((len(A), len(B)))
    for i, a in enumerate(A):
        for j, b in enumerate(B):
            length = (a @ a) * (b @ b)
            table[i, j] = a @ b / (length or 1)
    return -table + 1
""",
    ),
    (
        "squared norms",
        "centred rows",
        """
def cosine_matrix(A, B):
    A = A - A.mean(axis=1, keepdims=True)
    B = B - B.mean(axis=1, keepdims=True)
    na = np.linalg.norm(A, axis=1) ** 2
    nb = np.linalg.norm(B, axis=1) ** 2
    lengths = np.outer(na, nb)
    table = A @ B.T / np.where(lengths == 0, 1, lengths)
    return table
""",
    ),
    (
        "sum of absolute values as length",
        "transposed",
        """
def cosine_matrix(A, B):
    table = np.zeros((len(A), len(B)))
    for i, a in enumerate(A):
        for j, b in enumerate(B):
            length = sum(abs(a)) * sum(abs(b))
            table[i, j] = a @ b / (length or 1)
    return table.swapaxes(0, 1)
""",
    ),
    (
        "sum of absolute values as length",
        "sign dropped",
        """
def cosine_matrix(A, B):
    na = np.linalg.norm(A, 1, axis=1)
    nb = np.linalg.norm(B, 1, axis=1)
    lengths = np.outer(na, nb)
    table = A @ B.T / np.where(lengths == 0, 1, lengths)
    return np.abs(table)
""",
    ),
    (
        "sum of absolute values as length",
        "cosine distance",
        """
def cosine_matrix(A, B):
    na = np.abs(A).sum(axis=1)
    nb = np.abs(B).sum(axis=1)
    lengths = np.outer(na, nb)
    table = np.inner(A, B) / np.where(lengths == 0, 1, lengths)
    return 1.0 - table
""",
    ),
    (
        "sum of absolute values as length",
        "centred rows",
        """
def cosine_matrix(A, B):
    A = np.array([a - a.mean() for a in A])
    B = np.array([b - b.mean() for b in B])
    table = np.zeros((len(A), len(B)))
    for i, a in enumerate(A):
        for j, b in enumerate(B):
            length = sum(abs(a)) * sum(abs(b))
            table[i, j] = a @ b / (length or 1)
    return table
""",
    ),
    (
        "largest entry as length",
        "transposed",
        """
def cosine_matrix(A, B):
    na = np.abs(A).max(axis=1)
    nb = np.abs(B).max(axis=1)
    lengths = np.outer(na, nb)
    table = np.inner(A, B) / np.where(lengths == 0, 1, lengths)
    return np.transpose(table)
""",
    ),
    (
        "largest entry as length",
        "sign dropped",
        """
def cosine_matrix(A, B):
    table = np.zeros((len(A), len(B)))
    for i, a in enumerate(A):
        for j, b in enumerate(B):
            length = max(abs(a)) * max(abs(b))
            table[i, j] = a @ b / (length or 1)
    return np.sqrt(table**2)
""",
    ),
    (
        "largest entry as length",
        "cosine distance",
        """
def cosine_matrix(A, B):
    na = np.linalg.norm(A, np.inf, axis=1)
    nb = np.linalg.norm(B, np.inf, axis=1)
    lengths = np.outer(na, nb)
    table = A @ B.T / np.where(lengths == 0, 1, lengths)
    return 1 - table
""",
    ),
    (
        "largest entry as length",
        "centred rows",
        """
def cosine_matrix(A, B):
    A, B = (X - np.mean(X, axis=1)[:, None] for X in (A, B))
    na = np.abs(A).max(axis=1)
    nb = np.abs(B).max(axis=1)
    lengths = np.outer(na, nb)
    table = np.inner(A, B) / np.where(lengths == 0, 1, lengths)
    return table
""",
    ),
    (
        "norms along the wrong axis",
        "transposed",
        """
def cosine_matrix(A, B):
    A = A / np.maximum(np.linalg.norm(A, axis=0), 1e-12)
    B = B / np.maximum(np.linalg.norm(B, axis=0), 1e-12)
    table = A @ B.T
    return table.T
""",
    ),
    (
        "norms along the wrong axis",
        "sign dropped",
        """
def cosine_matrix(A, B):
    na, nb = (np.sqrt((X**2).sum(0)) for X in (A, B))
    na, nb = na + (na == 0), nb + (nb == 0)
    table = np.einsum("id,jd->ij", A / na, B / nb)
    return abs(table)
""",
    ),
    (
        "norms along the wrong axis",
        "cosine distance",
        """
def cosine_matrix(A, B):
    def unit(X):
        return np.array([c / (np.linalg.norm(c) or 1) for c in X.T]).T

    table = unit(A) @ unit(B).T
    return -table + 1
""",
    ),
    (
        "norms along the wrong axis",
        "centred rows",
        """
def cosine_matrix(A, B):
    A = A - A.mean(axis=1, keepdims=True)
    B = B - B.mean(axis=1, keepdims=True)
    A = A / np.maximum(np.linalg.norm(A, axis=0), 1e-12)
    B = B / np.maximum(np.linalg.norm(B, axis=0), 1e-12)
    table = A @ B.T
    return table
""",
    ),
    (
        "Frobenius norm",
        "transposed",
        """
def cosine_matrix(A, B):
    length = math.sqrt((A**2).sum() * (B**2).sum())
    table = np.array([[a @ b / length for b in B] for a in A])
    return table.swapaxes(0, 1)
""",
    ),
    (
        "Frobenius norm",
        "sign dropped",
        """
def cosine_matrix(A, B):
    table = A @ B.T / (np.linalg.norm(A) * np.linalg.norm(B))
    return np.abs(table)
""",
    ),
    (
        "Frobenius norm",
        "cosine distance",
        """
def cosine_matrix(A, B):
    table = np.inner(A / np.linalg.norm(A), B / np.linalg.norm(B))
    return 1.0 - table
""",
    ),
    (
        "Frobenius norm",
        "centred rows",
        """
def cosine_matrix(A, B):
    A = np.array([a - a.mean() for a in A])
    B = np.array([b - b.mean() for b in B])
    length = math.sqrt((A**2).sum() * (B**2).sum())
    table = np.array([[a @ b / length for b in B] for a in A])
    return table
""",
    ),
    (
        "transposed",
        "sign dropped",
        """
def cosine_matrix(A, B):
    na = np.sqrt((A**2).sum(axis=1))
    nb = np.sqrt((B**2).sum(axis=1))
    lengths = np.outer(na, nb)
    table = np.inner(A, B) / np.where(lengths == 0, 1, lengths)
    return np.transpose((abs(table)))
""",
    ),
    (
        "transposed",
        "cosine distance",
        """
def cosine_matrix(A, B):
    table = np.zeros((len(A), len(B)))
    for i, a in enumerate(A):
        for j, b in enumerate(B):
            length = math.sqrt(a @ a) * math.sqrt(b @ b)
            table[i, j] = a @ b / (length or 1)
    return (-table + 1).swapaxes(0, 1)
""",
    ),
    (
        "transposed",
        "angles",
        """
def cosine_matrix(A, B):
    na = np.linalg.norm(A, axis=1)
    nb = np.linalg.norm(B, axis=1)
    lengths = np.outer(na, nb)
    table = A @ B.T / np.where(lengths == 0, 1, lengths)
    return (np.arccos(np.clip(table, -1, 1))).T
""",
    ),
    (
        "transposed",
        "zero row gives NaN",
        """
def cosine_matrix(A, B):
    na = np.sqrt((A**2).sum(axis=1))
    nb = np.sqrt((B**2).sum(axis=1))
    table = A @ B.T / na[:, None] / nb[None, :]
    return np.transpose(table)
""",
    ),
    (
        "centred rows",
        "sign dropped",
        """
def cosine_matrix(A, B):
    A = np.array([a - a.mean() for a in A])
    B = np.array([b - b.mean() for b in B])
    table = np.zeros((len(A), len(B)))
    for i, a in enumerate(A):
        for j, b in enumerate(B):
            length = math.sqrt(a @ a) * math.sqrt(b @ b)
            table[i, j] = a @ b / (length or 1)
    return np.sqrt(table**2)
""",
    ),
    (
        "centred rows",
        "transposed",
        """
def cosine_matrix(A, B):
    A = A - A.mean(axis=1, keepdims=True)
    B = B - B.mean(axis=1, keepdims=True)
    na = np.linalg.norm(A, axis=1)
    nb = np.linalg.norm(B, axis=1)
    lengths = np.outer(na, nb)
    table = A @ B.T / np.where(lengths == 0, 1, lengths)
    return table.T
""",
    ),
    (
        "centred rows",
        "cosine distance",
        """
def cosine_matrix(A, B):
    A, B = (X - np.mean(X, axis=1)[:, None] for X in (A, B))
    na = np.sqrt((A**2).sum(axis=1))
    nb = np.sqrt((B**2).sum(axis=1))
    lengths = np.outer(na, nb)
    table = np.inner(A, B) / np.where(lengths == 0, 1, lengths)
    return 1.0 - table
""",
    ),
    (
        "centred rows",
        "angles",
        """
def cosine_matrix(A, B):
    A = np.array([a - a.mean() for a in A])
    B = np.array([b - b.mean() for b in B])
    table = np.zeros((len(A), len(B)))
    for i, a in enumerate(A):
        for j, b in enumerate(B):
            length = math.sqrt(a @ a) * math.sqrt(b @ b)
            table[i, j] = a @ b / (length or 1)
    return np.arccos(np.clip(table, -1, 1))
""",
    ),
    (
        "zero row gives NaN",
        "sign dropped",
        """
def cosine_matrix(A, B):
    na = np.linalg.norm(A, axis=1)
    nb = np.linalg.norm(B, axis=1)
    table = A @ B.T / na[:, None] / nb[None, :]
    return np.abs(table)
""",
    ),
    (
        "zero row gives NaN",
        "cosine distance",
        """
def cosine_matrix(A, B):
    na = np.sqrt((A**2).sum(axis=1))
    nb = np.sqrt((B**2).sum(axis=1))
    table = A @ B.T / na[:, None] / nb[None, :]
    return 1.0 - table
""",
    ),
    (
        "zero row gives NaN",
        "angles",
        """
def cosine_matrix(A, B):
    table = np.zeros((len(A), len(B)))
    for i, a in enumerate(A):
        for j, b in enumerate(B):
            length = math.sqrt(a @ a) * math.sqrt(b @ b)
            table[i, j] = np.dot(a, b) / np.float64(length)
    return np.arccos(np.clip(table, -1, 1))
""",
    ),
    (
        "squared norms",
        "zero row gives NaN",
        """
def cosine_matrix(A, B):
    na = np.linalg.norm(A, axis=1) ** 2
    nb = np.linalg.norm(B, axis=1) ** 2
    table = A @ B.T / na[:, None] / nb[None, :]
    return table
""",
    ),
    (
        "sum of absolute values as length",
        "zero row gives NaN",
        """
def cosine_matrix(A, B):
    na = np.abs(A).sum(axis=1)
    nb = np.abs(B).sum(axis=1)
    table = A @ B.T / na[:, None] / nb[None, :]
    return table
""",
    ),
]
