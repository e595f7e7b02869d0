"""Answers to 15.3: the weight after steps of AdamW."""

TRUE = {
    "first": "2.2",
    "ten_times": "2.2",
    "decayed": "2.1",
    "second": "2.2 - 0.2 * 0.04 / 0.19 / 4",
}


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    assert set(wrong) <= set(TRUE)
    return ", ".join((TRUE | wrong).values())


RIGHT = {
    "exact": all_but(),
    "four decimals": all_but(second="2.1895"),
    "three decimals": all_but(second="2.189"),
    "many decimals": all_but(second="2.189473684210526"),
    "fractions": all_but(first="Fraction(11, 5)", second="Fraction(208, 95)"),
    "worked out": all_but(
        first="2 + 0.2 * 4 / 16**0.5", ten_times="2 + 0.2 * 40 / math.sqrt(1600)"
    ),
    "decay first": all_but(decayed="2 * (1 - 0.2 * 0.25) + 0.2"),
    "NumPy": all_but(second="np.float64(2.2) - 0.2 * (0.04 / 0.19) / np.sqrt(16)"),
    "torch": "torch.tensor(2.2), torch.tensor([2.2]), torch.tensor(2.1), "
    "torch.tensor(2.1895)",
    "by formulas": all_but(
        second="2.2 - 0.2 * ((-0.9 * 0.4 + 0.1 * 4) / (1 - 0.9**2))"
        " / ((0.98 * 0.32 + 0.02 * 16) / (1 - 0.98**2)) ** 0.5"
    ),
    "lists of one": "[2.2], [2.2], [2.1], [2.1895]",
    "the small number kept": all_but(first="2 + 0.2 * 4 / (4 + 1e-8)"),
}

WRONG = {
    "zeros": "0, 0, 0, 0",
    "text": all_but(first="'2.2'"),
    "m": all_but(first="-0.4"),
    "v": all_but(first="0.32"),
    "corrected m": all_but(first="-4"),
    "other decay": all_but(decayed="2.15"),
    "two decimals": all_but(second="2.18"),
    "None": all_but(ten_times="None"),
    "a pair": all_but(second="(2.2, 2.189)"),
    "ten times nothing": all_but(ten_times="2"),
    "minus": all_but(second="-2.189"),
    "back to the start": all_but(second="1.9"),
}

SPELLINGS = {
    "plain gradient descent": [all_but(first="2 - 0.2 * -4"), all_but(first="2.8")],
    "no correction": [all_but(first="2.1414"), all_but(first="2 + 0.08 / 0.32**0.5")],
    "slope corrected alone": [all_but(first="3.4142")],
    "square corrected alone": [all_but(first="2 + 0.2 * 0.4 / 4")],
    "no root": [all_but(first="2 + 0.2 * 4 / 16")],
    "gradient not squared": [all_but(first="2 + 0.8 / math.sqrt(4)")],
    "uphill": [all_but(first="2 - 0.2")],
    "change instead of the weight": [all_but(first="0.2"), all_but(first="-0.2")],
    "ten times as far": [all_but(ten_times="2 + 2"), all_but(ten_times="4.0")],
    "ten times, plain gradient descent": [all_but(ten_times="2 + 0.2 * 40")],
    "ten times, not corrected": [all_but(ten_times="2.1414")],
    "ten times, a tenth as far": [all_but(ten_times="2.02")],
    "ten times, uphill": [all_but(ten_times="1.8")],
    "decay through the averages": [all_but(decayed="2.2")],
    "decay without the rate": [all_but(decayed="2.2 - 0.25 * 2")],
    "decay of the new weight": [all_but(decayed="2.2 * 0.95")],
    "decay alone": [all_but(decayed="2 * (1 - 0.2 * 0.25)")],
    "decay upwards": [all_but(decayed="2.2 + 0.1")],
    "no average": [all_but(second="2.2 - 0.2"), all_but(second="2")],
    "the first step again": [all_but(second="2.2 + 0.2")],
    "second, no correction at all": [all_but(second="2.1314")],
    "second, corrected as the first": [all_but(second="2.2 - 0.08 / 31.68**0.5")],
    "nothing moves": [all_but(second="2.2")],
    "second on its way": [all_but(second="2.2105")],
    "change of the second": [all_but(second="0.010526"), all_but(second="-0.2 / 19")],
    "decay in the second": [all_but(second="2.0895")],
}
