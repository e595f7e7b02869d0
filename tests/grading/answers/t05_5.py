"""Answers to 05.5, one query by hand: weights 1/7, 2/7, 4/7 and out 9."""

RIGHT = {
    "fractions": "(1 / 7, 2 / 7, 4 / 7), 9",
    "three decimals": "(0.143, 0.286, 0.571), 9",
    "three decimals, carried on": "(0.143, 0.286, 0.571), 8.995",
    "the sum of the rounded": "(0.143, 0.286, 0.571), 0.143 * 7 + 0.571 * 14",
    "rounded shares, rounded product": "(0.143, 0.286, 0.571), 1.001 + 7.994",
    "exact fractions": "(Fraction(1, 7), Fraction(2, 7), Fraction(4, 7)), Fraction(9)",
    "a list": "[1 / 7, 2 / 7, 4 / 7], [9]",
    "an array": "np.array([1, 2, 4]) / 7, np.array([9])",
    "a row": "np.array([[1, 2, 4]]) / 7, 9",
    "a column": "np.array([[1], [2], [4]]) / 7, 9.0",
    "a row tensor": "torch.tensor([[1 / 7, 2 / 7, 4 / 7]]), torch.tensor([[9.0]])",
    "a column tensor": "torch.tensor([[1.0], [2.0], [4.0]]) / 7, 9",
    "softmax in torch": (
        "torch.tensor([0.0, math.log(2), math.log(4)]).softmax(0),"
        " torch.tensor([0.0, math.log(2), math.log(4)]).softmax(0)"
        " @ torch.tensor([7.0, 0.0, 14.0])"
    ),
    "bfloat16": (
        "torch.tensor([1 / 7, 2 / 7, 4 / 7], dtype=torch.bfloat16),"
        " torch.tensor(9, dtype=torch.bfloat16)"
    ),
    "float16": "np.array([1 / 7, 2 / 7, 4 / 7], dtype=np.float16), np.float16(9)",
    "values of a dict": "{1: 1 / 7, 2: 2 / 7, 3: 4 / 7}.values(), 9",
    "a list of tensors": "[torch.tensor(n / 7) for n in (1.0, 2.0, 4.0)], 9",
    "a list of tensors with gradient": (
        "[torch.tensor(n / 7, requires_grad=True) for n in (1, 2, 4)],"
        " torch.tensor(9.0, requires_grad=True)"
    ),
    "an array of objects": "np.array([1 / 7, 2 / 7, 4 / 7], dtype=object), 9",
    "a generator's list": "list(n / (1 + 2 + 4) for n in (1, 2, 4)), 1 + 0 + 8",
    "four decimals": "(0.1429, 0.2857, 0.5714), 8.9999",
    "a map": "map(lambda n: n / 7, (1, 2, 4)), 9",
}

WRONG = {
    "two of three right": "(1 / 7, 2 / 7, 3 / 7), 9",
    "first two swapped": "(2 / 7, 1 / 7, 4 / 7), 9",
    "last two swapped": "(1 / 7, 4 / 7, 2 / 7), 9",
    "one decimal": "(0.1, 0.3, 0.6), 9",
    "out from one decimal": "(1 / 7, 2 / 7, 4 / 7), 0.1 * 7 + 0.6 * 14",
    "out a little off": "(1 / 7, 2 / 7, 4 / 7), 9.1",
    "sum of the values": "(1 / 7, 2 / 7, 4 / 7), 21",
    "value of the first key": "(1 / 7, 2 / 7, 4 / 7), 0",
    "average of the weighted values": "(1 / 7, 2 / 7, 4 / 7), 3",
    "out of the other sign": "(1 / 7, 2 / 7, 4 / 7), -9",
    "natural logarithm taken again": "(1 / 7, 2 / 7, 4 / 7), math.log(9)",
    "two weights": "(2 / 7, 4 / 7), 9",
    "four weights": "(1 / 7, 2 / 7, 4 / 7, 0), 9",
    "one number": "4 / 7, 9",
    "nested twice": "[[1 / 7, 2 / 7, 4 / 7], [1 / 7, 2 / 7, 4 / 7]], 9",
    "text": "('1/7', '2/7', '4/7'), '9'",
    "complex": "np.array([1, 2, 4]) / 7 + 1j, 9",
    "NaN": "(1 / 7, 2 / 7, float('nan')), 9",
    "weights in percent": "(14.3, 28.6, 57.1), 9",
    "negative weights": "(-1 / 7, -2 / 7, -4 / 7), 9",
    "truth values": "(True, True, True), 9",
    "whole-number division": "(1 // 7, 2 // 7, 4 // 7), 9",
    "softmax of the values": (
        "tuple(np.exp([7, 0, 14]) / np.exp([7, 0, 14]).sum()), 9"
    ),
    "powers of two": (
        "tuple(2 ** np.log([1, 2, 4]) / (2 ** np.log([1, 2, 4])).sum()), 9"
    ),
    "scaled by root of 3": (
        "tuple(np.exp(np.log([1, 4, 16]) / 3**0.5)"
        " / np.exp(np.log([1, 4, 16]) / 3**0.5).sum()), 9"
    ),
    "results in the other order": "9, (1 / 7, 2 / 7, 4 / 7)",
    "None for out": "(1 / 7, 2 / 7, 4 / 7), None",
    "out three times": "(1 / 7, 2 / 7, 4 / 7), (9, 9, 9)",
    "a set": "{1 / 7, 2 / 7}, 9",
}

SPELLINGS = {
    "no scale": [
        "(0.048, 0.190, 0.762), 9",
        "np.array([1, 4, 16]) / 21, 9",
        "torch.tensor([0.0, 2 * math.log(2), 2 * math.log(4)]).softmax(0), 11",
        "(1 / 21, 4 / 21, 16 / 21), (7 + 16 * 14) / 21",
        "[Fraction(1, 21), Fraction(4, 21), Fraction(16, 21)], 9",
    ],
    "divided by d_k": [
        "(0.2265, 0.3204, 0.4531), 9",
        "torch.tensor([0.0, math.log(2) / 2, math.log(2)]).softmax(0), 9",
        "[1 / (3 + math.sqrt(2)), math.sqrt(2) / (3 + math.sqrt(2)),"
        " 2 / (3 + math.sqrt(2))], 9",
        "np.exp(np.log([1, 4, 16]) / 4) / np.exp(np.log([1, 4, 16]) / 4).sum(), 9",
    ],
    "equal weights": [
        "(1 / 3, 1 / 3, 1 / 3), 9",
        "(0.333, 0.333, 0.333), 7",
        "np.ones(3) / 3, 9",
        "[1 / 3] * 3, 9",
        "torch.full((1, 3), 1 / 3), 9",
    ],
    "no exp": [
        "(0, 0.333, 0.667), 9",
        "np.log([1, 2, 4]) / np.log([1, 2, 4]).sum(), 9",
        "[0 / 3, 1 / 3, 2 / 3], 28 / 3",
        "torch.tensor([0.0, 1.0, 2.0]) / 3, 9",
    ],
    "no division": [
        "(1, 2, 4), 9",
        "np.exp(np.log([1, 2, 4])), 9",
        "[1.0, 2.0, 4.0], 63",
        "torch.tensor([1, 2, 4]), 9",
    ],
    "scores as weights": [
        "(0, math.log(2), math.log(4)), 9",
        "(0, 0.693, 1.386), 9",
        "np.log([1, 2, 4]), 9",
        "torch.tensor([1.0, 2.0, 4.0]).log(), 9",
    ],
    "hard choice": [
        "(0, 0, 1), 14",
        "[0.0, 0.0, 1.0], 9",
        "np.eye(3)[2], 9",
        "torch.tensor([[0, 0, 1]]), 14",
    ],
    "wrong order": [
        "(0.571, 0.286, 0.143), 9",
        "[4 / 7, 2 / 7, 1 / 7], 6",
        "np.array([4, 2, 1]) / 7, 9",
        "torch.tensor([4.0, 2.0, 1.0]) / 7, 9",
    ],
    "plain mean of the values": [
        "(1 / 7, 2 / 7, 4 / 7), (7 + 0 + 14) / 3",
        "(0.143, 0.286, 0.571), 7.0",
        "[1 / 7, 2 / 7, 4 / 7], np.mean([7, 0, 14])",
        "np.array([1, 2, 4]) / 7, [7]",
    ],
    "output unnormalised": [
        "(1 / 7, 2 / 7, 4 / 7), 1 * 7 + 2 * 0 + 4 * 14",
        "(0.143, 0.286, 0.571), 63",
        "np.array([1, 2, 4]) / 7, np.array([1, 2, 4]) @ [7, 0, 14]",
        "[1 / 7, 2 / 7, 4 / 7], 63.0",
    ],
    "value of the best key": [
        "(1 / 7, 2 / 7, 4 / 7), 14",
        "(0.143, 0.286, 0.571), max(7, 0, 14)",
        "np.array([1, 2, 4]) / 7, [7, 0, 14][np.argmax([1, 2, 4])]",
        "torch.tensor([1.0, 2.0, 4.0]) / 7, torch.tensor(14.0)",
    ],
    "products not added": [
        "(1 / 7, 2 / 7, 4 / 7), (1, 0, 8)",
        "(0.143, 0.286, 0.571), (1.001, 0, 7.994)",
        "np.array([1, 2, 4]) / 7, np.array([1, 2, 4]) / 7 * [7, 0, 14]",
        "[1 / 7, 2 / 7, 4 / 7], [7 / 7, 0, 56 / 7]",
        "torch.tensor([1.0, 2.0, 4.0]) / 7, torch.tensor([1.0, 0.0, 8.0])",
    ],
}
