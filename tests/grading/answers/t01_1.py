"""Answers to 01.1, one dot product and one cosine: u = (3, 4), v = (12, 5)."""

RIGHT = {
    "three decimals": "56, 0.862",
    "the fraction": "56, 56 / 65",
    "all steps written out": "3 * 12 + 4 * 5, (3 * 12 + 4 * 5) / (5 * 13)",
    "roots written out": "56, 56 / (math.sqrt(3**2 + 4**2) * math.sqrt(12**2 + 5**2))",
    "exact fractions": "Fraction(56), Fraction(56, 65)",
    "lists of one": "[56], [0.862]",
    "a tuple and a float": "(56,), 0.8615",
    "row and column": "np.array([[56]]), np.array([0.8615])",
    "NumPy numbers": "np.int64(56), np.float32(56 / 65)",
    "NumPy dot and norm": (
        "np.dot([3, 4], [12, 5]),"
        " np.dot([3, 4], [12, 5]) / np.linalg.norm([3, 4]) / np.linalg.norm([12, 5])"
    ),
    "torch dot and cosine_similarity": (
        "torch.tensor([3, 4]) @ torch.tensor([12, 5]), torch.cosine_similarity("
        "torch.tensor([3.0, 4.0]), torch.tensor([12.0, 5.0]), dim=0)"
    ),
    "torch cosine of rows": (
        "torch.tensor([[56.0]]), torch.nn.functional.cosine_similarity("
        "torch.tensor([[3.0, 4.0]]), torch.tensor([[12.0, 5.0]]))"
    ),
    "bfloat16": (
        "torch.tensor(56.0, dtype=torch.bfloat16),"
        " torch.tensor(56 / 65, dtype=torch.bfloat16)"
    ),
    "float16": "np.float16(56), np.float16(56 / 65)",
    "half precision in torch": "torch.tensor(56.0).half(), torch.tensor(0.8615).half()",
    "values of a dict": "{'dot': 56}.values(), {'cosine': 0.862}.values()",
    "a tensor with gradient": (
        "torch.tensor(56.0, requires_grad=True),"
        " torch.tensor([0.8615]).requires_grad_()"
    ),
    "an angle taken back": "56, math.cos(math.atan2(4, 3) - math.atan2(5, 12))",
    "sums over zip": (
        "sum(a * b for a, b in zip((3, 4), (12, 5))),"
        " 56 / math.hypot(3, 4) / math.hypot(12, 5)"
    ),
    "an array of objects": (
        "np.array([56.0], dtype=object), np.array(0.862, dtype=object)"
    ),
    "long double": "np.longdouble(56), np.longdouble(56) / 65",
}

WRONG = {
    "cosine rounded to one decimal": "56, 0.9",
    "cosine of the other sign": "56, -0.862",
    "dot of the other sign": "-56, 0.862",
    "dot one too large": "57, 0.862",
    "dot nearly": "56.1, 0.862",
    "dot per component": "56 / 2, 0.862",
    "products multiplied": "36 * 20, 0.862",
    "sum of all numbers": "3 + 4 + 12 + 5, 0.862",
    "inverse": "56, 65 / 56",
    "root of the cosine": "56, math.sqrt(56 / 65)",
    "square of the cosine": "56, (56 / 65) ** 2",
    "sine": "56, 33 / 65",
    "tangent": "56, 33 / 56",
    "percent": "56, 86.2",
    "cosine of the cosine": "56, math.cos(56 / 65)",
    "determinant": "3 * 5 - 4 * 12, 0.862",
    "three and four, twelve and five": "3 * 4 + 12 * 5, 0.862",
    "lengths as the difference": "56, 56 / (13 - 5)",
    "only one root": "56, 56 / (25 * 13)",
    "complex with the right real parts": (
        "np.complex128(56 + 9j), np.complex128(56 / 65 + 3j)"
    ),
    "numbers as text": "'56', '0.862'",
    "not a number": "56, float('nan')",
    "infinite": "float('inf'), 0.862",
    "two copies of it": "56, [0.862, 0.862]",
    "truth values": "True, True",
    "None for one": "56, None",
    "results in the other order": "0.862, 56",
    "the example's numbers": "4, 0.8",
    "an empty list": "56, []",
    "dtype that cannot hold it": "np.int8(56), np.int8(56 / 65)",
    "all numbers at once": "56, range(2)",
    "a function": "56, lambda: 56 / 65",
    "comma for point": "56, (0, 862)",
    "point forgotten": "56, 862",
}

SPELLINGS = {
    "element-wise": [
        "[36, 20], 0.862",
        "np.array([3, 4]) * np.array([12, 5]), 0.862",
        "torch.tensor([3.0, 4.0]) * torch.tensor([12.0, 5.0]), 56 / 65",
        "(3 * 12, 4 * 5), 0.8615",
        "{'x': 36, 'y': 20}.values(), 0.862",
    ],
    "sums multiplied": [
        "(3 + 4) * (12 + 5), 0.862",
        "7 * 17, 56 / 65",
        "np.sum([3, 4]) * np.sum([12, 5]), 0.8615",
        "[119.0], 0.862",
        "119, 119 / 65",
    ],
    "crossed": [
        "3 * 5 + 4 * 12, 0.862",
        "63.0, 0.8615",
        "np.dot([3, 4], [5, 12]), 56 / 65",
        "15 + 48, 63 / 65",
    ],
    "cosine without norms": [
        "56, 56.0",
        "56, 3 * 12 + 4 * 5",
        "56, np.dot([3, 4], [12, 5])",
        "56, [56]",
        "torch.tensor(56), torch.tensor(56)",
    ],
    "length of u only": [
        "56, 56 / 5",
        "56, 11.2",
        "56, 56 / math.hypot(3, 4)",
        "56, np.dot([3, 4], [12, 5]) / np.linalg.norm([3, 4])",
    ],
    "length of v only": [
        "56, 56 / 13",
        "56, 4.308",
        "56, 56 / math.hypot(12, 5)",
        "56, Fraction(56, 13)",
    ],
    "squared norms": [
        "56, 56 / (25 * 169)",
        "56, 56 / 4225",
        "56, 0.01325",
        "56, 56 / ((3**2 + 4**2) * (12**2 + 5**2))",
    ],
    "sum of norms": [
        "56, 56 / (5 + 13)",
        "56, 3.111",
        "56, 56 / (math.hypot(3, 4) + math.hypot(12, 5))",
        "56, Fraction(56, 18)",
    ],
    "sum of entries as length": [
        "56, 56 / (7 * 17)",
        "56, 0.471",
        "56, Fraction(56, 119)",
        "56, 56 / np.linalg.norm([3, 4], 1) / np.linalg.norm([12, 5], 1)",
    ],
    "angle in radians": [
        "56, math.acos(56 / 65)",
        "56, 0.532",
        "56, 0.533",
        "56, np.arccos(0.8615)",
        "56, math.atan2(4, 3) - math.atan2(5, 12)",
    ],
    "angle in degrees": [
        "56, math.degrees(math.acos(56 / 65))",
        "56, 30.51",
        "56, math.acos(56 / 65) * 180 / math.pi",
        "56, np.rad2deg(np.arccos(56 / 65))",
    ],
    "distance": [
        "56, 1 - 0.862",
        "56, 0.138",
        "56, 1 - 56 / 65",
        "56, 9 / 65",
    ],
}
