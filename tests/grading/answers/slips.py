"""Slips of the hand when calling `check`: each must give one clean sentence, no points.

Each source is run after `NAMES`, `from tt_utils.grading import check`, and `SETUP`; its
last line is the call.
"""

SETUP = """
dot, cosine = 56, 0.862
by_dot, by_cosine, unrelated = "the", "drank", "black"
weights, out = (1 / 7, 2 / 7, 4 / 7), 9


def cosine_matrix(A, B):
    d = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    return A @ B.T / np.where(d == 0, 1, d)


def similarity_table(vectors):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit @ unit.T


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0)
    return weights @ v, weights


def batched_scores(q, k):
    return q @ k.mT / math.sqrt(k.shape[-1])


def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    s = e.sum(axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)


def variance_growth(dims, rng):
    v = []
    for d in dims:
        q, k = rng.normal(0, 2, (2, 4000, d))
        v.append((q * k).sum(1).var())
    slope, height = np.polyfit(np.log(dims), np.log(v), 1)
    return slope, height
"""

SLIPS = {
    # brackets
    "called, with a table": (
        'check("01.2", cosine_matrix(np.ones((2, 3)), np.ones((4, 3))))'
    ),
    "called, with a pair of tensors": (
        'check("05.1", scaled_dot_product_attention(*torch.ones(3, 2, 4)))'
    ),
    "called, with a number": ('check("05.4", float(softmax(np.array([0.0, 1.0]))[0]))'),
    "called, with a tuple": (
        'check("05.2", variance_growth((4, 16), np.random.default_rng(0)))'
    ),
    "in a list": 'check("01.2", [cosine_matrix])',
    "in a tuple": 'check("05.3", (batched_scores,))',
    "its name in quotes": 'check("01.4", "similarity_table")',
    "values in one tuple": 'check("01.1", (dot, cosine))',
    "values in one list": 'check("01.3", [by_dot, by_cosine, unrelated])',
    "weights not in a tuple": 'check("05.5", 1 / 7, 2 / 7, 4 / 7, 9)',
    "weights and out in one tuple": 'check("05.5", (1 / 7, 2 / 7, 4 / 7, 9))',
    "values in a dict": 'check("01.1", {"dot": 56, "cosine": 0.862})',
    # ids
    "no id": "check(cosine_matrix)",
    "id last": 'check(cosine_matrix, "01.2")',
    "unknown task": 'check("01.9", cosine_matrix)',
    "unknown chapter": 'check("99.1", cosine_matrix)',
    "id of a chapter": 'check("01", cosine_matrix)',
    "id with a comma": 'check("01,2", cosine_matrix)',
    "id with a word": 'check("task 01.2", cosine_matrix)',
    "id as a list": 'check(["01.2"], cosine_matrix)',
    "id as None": "check(None, cosine_matrix)",
    "id with letters for digits": 'check("O1.2", cosine_matrix)',
    "id as a whole number": "check(1, cosine_matrix)",
    "id empty": 'check("", cosine_matrix)',
    # counts
    "no answer": 'check("01.2")',
    "no values": 'check("01.1")',
    "one value of two": 'check("01.1", 56)',
    "three values for two": 'check("01.1", 56, 0.862, 0.5)',
    "two words of three": 'check("01.3", "the", "drank")',
    "two functions": 'check("01.2", cosine_matrix, cosine_matrix)',
    "function and its arguments": 'check("01.2", cosine_matrix, "A", "B")',
    "out before weights": 'check("05.5", out, weights)',
    # wrong function
    "01.4's function for 01.2": 'check("01.2", similarity_table)',
    "01.2's function for 01.4": 'check("01.4", cosine_matrix)',
    "05.4's function for 05.1": 'check("05.1", softmax)',
    "05.1's function for 05.3": 'check("05.3", scaled_dot_product_attention)',
    "05.3's function for 05.1": 'check("05.1", batched_scores)',
    "05.4's function for 05.2": 'check("05.2", softmax)',
    "a function for a value": 'check("01.1", dot, cosine_matrix)',
    "a library's function": 'check("01.2", np.linalg.norm)',
    "a library's attention": (
        'check("05.1", torch.nn.functional.scaled_dot_product_attention)'
    ),
    "print": 'check("05.4", print)',
    "a class that is no function": """
class cosine_matrix:
    pass


check("01.2", cosine_matrix)
""",
    "a module": 'check("05.1", np)',
    "check itself": 'check("01.2", check)',
    # left to fill in
    "stub": """
def cosine_matrix(A, B):
    ...  # your code here


check("01.2", cosine_matrix)
""",
    "stub with a docstring": '''
def softmax(x, axis=-1):
    """Softmax of x."""


check("05.4", softmax)
''',
    "stub with pass": """
def similarity_table(vectors):
    pass


check("01.4", similarity_table)
""",
    "values left": 'check("01.1", ..., ...)',
    "one value left": 'check("05.5", (1 / 7, ..., 4 / 7), 9)',
    "not implemented": """
def batched_scores(q, k):
    raise NotImplementedError


check("05.3", batched_scores)
""",
    # return
    "return forgotten": """
def cosine_matrix(A, B):
    d = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    table = A @ B.T / np.where(d == 0, 1, d)


check("01.2", cosine_matrix)
""",
    "print for return": """
def similarity_table(vectors):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    print(unit @ unit.T)


check("01.4", similarity_table)
""",
    "yield for return": """
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    yield e / e.sum(axis=axis, keepdims=True)


check("05.4", softmax)
""",
    "return only with a mask": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        weights = scores.masked_fill(~mask, -torch.inf).softmax(-1).nan_to_num(0)
        return weights @ v, weights


check("05.1", scaled_dot_product_attention)
""",
    "async": """
async def cosine_matrix(A, B):
    return A @ B.T


check("01.2", cosine_matrix)
""",
    # decorators and parameters
    "decorator without return": """
def logged(function):
    def inner(*args):
        function(*args)

    return inner


check("01.2", logged(cosine_matrix))
""",
    "decorator that returns nothing": """
def logged(function):
    print("hello")


@logged
def softmax(x, axis=-1):
    return x


check("05.4", softmax)
""",
    "an error under no_grad": """
@torch.no_grad()
def batched_scores(q, k):
    return q @ k / math.sqrt(k.shape[-1])


check("05.3", batched_scores)
""",
    "mask without a default": """
def scaled_dot_product_attention(q, k, v, mask):
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights


check("05.1", scaled_dot_product_attention)
""",
    "no mask": """
def scaled_dot_product_attention(q, k, v):
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights


check("05.1", scaled_dot_product_attention)
""",
    "no axis": """
def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


check("05.4", softmax)
""",
    "axis and eps without defaults": """
def softmax(x, axis, eps):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / (e.sum(axis=axis, keepdims=True) + eps)


check("05.4", softmax)
""",
    "a method that wants self": """
class Answer:
    def cosine_matrix(self, A, B):
        return A @ B.T


check("01.2", Answer.cosine_matrix)
""",
    "one parameter too many": """
def similarity_table(vectors, lengths):
    return vectors @ vectors.T / lengths


check("01.4", similarity_table)
""",
    "a name misspelt inside": """
def cosine_matrix(A, B):
    norm = np.linalg.norm(A, axis=1)
    return A @ B.T / nrom


check("01.2", cosine_matrix)
""",
    "the wrong library": """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = np.einsum("id,jd->ij", q, k) / np.sqrt(q.shape[-1])
    return np.softmax(scores) @ v, np.softmax(scores)


check("05.1", scaled_dot_product_attention)
""",
}
