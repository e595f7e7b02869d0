"""Answers to 07.1: the scale, cat's shares in four heads, a blend, one head's share."""

TRUE = {
    "scale": "3",
    "shares": "(4 / 5, 16 / 17, 2 / 3, 1 / 3)",
    "blend": "7",
    "one": "8 / 9",
}


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    return ", ".join((TRUE | wrong).values())


TWOS = "np.array([4, 16, 2, 0.5])"
LOGS = "np.log(2) * np.array([6, 12, 3, -3])"

RIGHT = {
    "fractions": all_but(),
    "three decimals": "3, (0.8, 0.941, 0.667, 0.333), 7, 0.889",
    "three decimals, carried on": "3, (0.8, 0.941, 0.667, 0.333), 7.002, 0.889",
    "four decimals": "3.0, [0.8, 0.9412, 0.6667, 0.3333], 7.0, 0.8889",
    "roots": all_but(scale="math.sqrt(36 / 4)"),
    "sigmoid": all_but(shares=f"1 / (1 + np.exp(-{LOGS} / 3))"),
    "softmax in torch": all_but(
        shares="torch.tensor([[6.0, 12, 3, 0], [0, 0, 0, 3]]).mul(math.log(2) / 3)"
        ".softmax(0)[0]",
        one="torch.tensor([21.0, 3]).mul(math.log(2) / 6).softmax(0)[0]",
    ),
    "from proportions": all_but(shares=f"{TWOS} / ({TWOS} + 1)"),
    "exact fractions": (
        "3, [Fraction(4, 5), Fraction(16, 17), Fraction(2, 3), Fraction(1, 3)],"
        " Fraction(7), Fraction(8, 9)"
    ),
    "a list, one by one": all_but(
        shares="[1 / (1 + 2.0**-n) for n in (2, 4, 1, -1)]", one="2**3 / (2**3 + 1)"
    ),
    "a column": all_but(shares="np.array([[0.8], [16 / 17], [2 / 3], [1 / 3]])"),
    "tensors": (
        "torch.tensor(3), torch.tensor([4 / 5, 16 / 17, 2 / 3, 1 / 3]),"
        " torch.tensor(7.0), torch.tensor(8 / 9)"
    ),
    "blend worked out": all_but(blend="2 / 3 * 9 + 1 / 3 * 3"),
    "lists of one": all_but(scale="[3]", blend="[7]", one="[8 / 9]"),
}

WRONG = {
    "two of four": all_but(shares="(4 / 5, 16 / 17)"),
    "both words": all_but(shares="((4 / 5, 1 / 5), (16 / 17, 1 / 17))"),
    "in the order of the shares": all_but(shares="(16 / 17, 4 / 5, 2 / 3, 1 / 3)"),
    "backwards": all_but(shares="(1 / 3, 2 / 3, 16 / 17, 4 / 5)"),
    "one decimal": all_but(shares="(0.8, 0.9, 0.7, 0.3)"),
    "base e instead of 2": all_but(shares="1 / (1 + np.exp([-2.0, -4, -1, 1]))"),
    "text": all_but(one="'8/9'"),
    "None": all_but(blend="None"),
    "one place": all_but(one="0.9"),
    "negative scale": all_but(scale="-3"),
    "NaN": all_but(one="float('nan')"),
    "blend as a pair": all_but(blend="(6, 1)"),
    "the other order": "(4 / 5, 16 / 17, 2 / 3, 1 / 3), 3, 7, 8 / 9",
    "one share of two words": all_but(one="(8 / 9, 1 / 9)"),
    "largest of the shares": all_but(one="16 / 17"),
}

SPELLINGS = {
    "rounded to two decimals": [all_but(shares="[0.8, 0.94, 0.67, 0.33]")],
    "root of the width of the model": [
        all_but(scale="math.sqrt(36)"),
        all_but(scale="6.0"),
    ],
    "width of a head itself": [all_but(scale="36 / 4"), all_but(scale="36")],
    "root of a count": [all_but(scale="math.sqrt(4)"), all_but(scale="1.414")],
    "divided by nothing": [all_but(scale="1.0")],
    "scaled like one wide head": [
        all_but(shares="(0.667, 0.8, 0.586, 0.414)"),
        all_but(shares=f"1 / (1 + np.exp(-{LOGS} / 6))"),
    ],
    "not scaled": [
        all_but(shares="(0.985, 0.9998, 0.889, 0.111)"),
        all_but(shares=f"1 / (1 + np.exp(-{LOGS}))"),
    ],
    "divided by the width of a head": [
        all_but(shares=f"1 / (1 + np.exp(-{LOGS} / 9))"),
        all_but(shares="(0.6135, 0.716, 0.5575, 0.4425)"),
    ],
    "hard choice": [all_but(shares="[1.0, 1.0, 1.0, 0.0]")],
    "no division": [
        all_but(shares=TWOS),
        all_but(shares="[2**2, 2**4, 2**1, 2**0]"),
    ],
    "percent": [all_but(shares="(80, 94.12, 66.67, 33.33)")],
    "shares of the dog": [
        all_but(shares="(0.2, 0.0588, 0.333, 0.667)"),
        all_but(shares=f"1 / ({TWOS} + 1)"),
    ],
    "shared among the heads": [
        all_but(shares="np.array([4, 16, 2, 1]) / 23"),
        all_but(shares=f"{TWOS} / {TWOS}.sum()"),
        all_but(shares="torch.tensor([2.0, 4, 1, 0]).mul(math.log(2)).softmax(0)"),
    ],
    "same shares in every head": [all_but(shares="[8 / 9] * 4")],
    "scores instead of shares": [
        all_but(shares="(1.386, 2.773, 0.693, 0)"),
        all_but(shares=f"{LOGS} / 3"),
    ],
    "last head as if cat had won": [all_but(shares="(0.8, 0.941, 0.667, 0.667)")],
    "last head undecided": [all_but(shares="(0.8, 0.941, 0.667, 0.5)")],
    "blend with equal shares": [all_but(blend="(9 + 3) / 2")],
    "blend with the shares exchanged": [all_but(blend="9 / 3 + 3 * 2 / 3")],
    "values added without shares": [all_but(blend="9 + 3")],
    "value of the better word": [all_but(blend="9.0")],
    "blend with the shares of one head": [all_but(blend="8.333")],
    "blend unnormalised": [all_but(blend="2 * 9 + 1 * 3")],
    "blend with another head's shares": [
        all_but(blend="7.8"),
        all_but(blend="8.647"),
    ],
    "mean of the shares": [
        all_but(one="0.685"),
        all_but(one="np.mean([4 / 5, 16 / 17, 2 / 3, 1 / 3])"),
    ],
    "one head scaled like a narrow one": [
        all_but(one="0.9846"),
        all_but(one="2**6 / (1 + 2**6)"),
    ],
    "one head not scaled": [all_but(one="1.0"), all_but(one="2**18 / (2**18 + 1)")],
    "one head divided by its width": [all_but(one="0.5858")],
    "one head, dog's share": [all_but(one="0.111"), all_but(one="1 - 8 / 9")],
    "one head without the dog": [all_but(one="0.9188")],
    "one head undecided": [all_but(one="0.5")],
    "one head, proportion": [all_but(one="8 / 1")],
}
