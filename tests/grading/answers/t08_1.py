"""Answers to 08.1: a row under both masks, under one, what is kept, counts, −10⁹."""

TRUE = (
    "(0.2, 0.3, 0.5, 0, 0, 0, 0)",
    "(0.125, 0.1875, 0.3125, 0.25, 0.125, 0, 0)",
    "0.4",
    "25",
    "1 / 7",
)
NAMES = ("both", "pads", "kept", "allowed", "billion")


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    return ", ".join(
        wrong.get(name, right) for name, right in zip(NAMES, TRUE, strict=True)
    )


POWERS = "np.array([2, 3, 5, 4, 2, 4, 5])"

RIGHT = {
    "as computed": all_but(),
    "three decimals": all_but(pads="(0.125, 0.188, 0.313, 0.25, 0.125, 0, 0)"),
    "two decimals": all_but(pads="(0.125, 0.19, 0.31, 0.25, 0.125, 0, 0)"),
    "two decimals of a seventh": all_but(billion="0.14"),
    "lists": all_but(both="[0.2, 0.3, 0.5, 0, 0, 0, 0]"),
    "fractions": all_but(pads="(2/16, 3/16, 5/16, 4/16, 2/16, 0, 0)", kept="10/25"),
    "Python's fractions": all_but(
        pads="[Fraction(n, 16) for n in (2, 3, 5, 4, 2, 0, 0)]",
        billion="Fraction(1, 7)",
    ),
    "arrays": all_but(
        both=f"{POWERS} * (np.arange(7) < 3) / 10",
        pads=f"{POWERS} * (np.arange(7) < 5) / 16",
    ),
    "a column": all_but(both="np.array([[2, 3, 5, 0, 0, 0, 0]]).T / 10"),
    "tensors": all_but(
        both="torch.tensor([2.0, 3, 5, 0, 0, 0, 0]) / 10", kept="torch.tensor(0.4)"
    ),
    "softmax of logarithms": all_but(
        both="torch.tensor([2.0, 3, 5, 0, 0, 0, 0]).log().softmax(0)",
        pads="torch.tensor([2.0, 3, 5, 4, 2, 0, 0]).log().softmax(0)",
    ),
    "a sum": all_but(allowed="1 + 2 + 3 + 4 + 5 + 5 + 5", kept="0.08 + 0.12 + 0.2"),
    "counted by code": all_but(allowed="np.tril(np.ones((7, 7)))[:, :5].sum()"),
    "seven equal scores": all_but(billion="np.full(7, 1 / 7)[4]"),
    "a decimal count": all_but(allowed="25.0"),
    "in brackets": all_but(kept="[0.4]", billion="(1 / 7,)"),
}

WRONG = {
    "percent": all_but(both="(20, 30, 50, 0, 0, 0, 0)"),
    "kept in percent": all_but(kept="40"),
    "a pad of weight": all_but(pads="(0.12, 0.18, 0.3, 0.24, 0.12, 0.02, 0.02)"),
    "the first two exchanged": all_but(both="(0.3, 0.2, 0.5, 0, 0, 0, 0)"),
    "a row of logarithms": all_but(both="tuple(np.log([2, 3, 5, 1, 1, 1, 1]))"),
    "words": all_but(billion="'one seventh'"),
    "rounded to one decimal": all_but(pads="(0.1, 0.2, 0.3, 0.3, 0.1, 0, 0)"),
    "only half the table": all_but(allowed="49 / 2"),
    "one too many": all_but(allowed="26"),
    "true for may": all_but(both="(True, True, True, False, False, False, False)"),
    "nothing there": all_but(kept="0"),
    "one hundredth": all_but(billion="0.01"),
}

SPELLINGS = {
    "the future is seen": [all_but(both=TRUE[1])],
    "own word hidden": [
        all_but(both="[2/5, 3/5, 0, 0, 0, 0, 0]"),
        all_but(pads="[0.18, 0.27, 0, 0.36, 0.18, 0, 0]"),
    ],
    "True and False swapped": [
        all_but(pads="[0, 0, 0, 0, 0, 0.444, 0.556]"),
        all_but(both="np.array([0, 0, 0, 4, 2, 4, 5]) / 15"),
    ],
    "triangle upside down": [all_but(both="(0, 0, 0.4545, 0.3636, 0.1818, 0, 0)")],
    "own word alone": [all_but(both="[0, 0, 1.0, 0, 0, 0, 0]")],
    "no mask at all": [
        all_but(pads="(0.08, 0.12, 0.2, 0.16, 0.08, 0.16, 0.2)"),
        all_but(both=f"{POWERS} / 25"),
    ],
    "causal mask without the other": [all_but(pads=TRUE[0])],
    "set to 0 after softmax": [
        all_but(both="[0.08, 0.12, 0.2, 0, 0, 0, 0]"),
        all_but(pads="[0.08, 0.12, 0.2, 0.16, 0.08, 0, 0]"),
    ],
    "divided by the sum of the real words": [
        all_but(both="[0.125, 0.1875, 0.3125, 0, 0, 0, 0]")
    ],
    "score 0 in place of −∞": [
        all_but(both="[0.143, 0.214, 0.357, 0.071, 0.071, 0.071, 0.071]"),
        all_but(pads="np.array([2, 3, 5, 4, 2, 1, 1]) / 18"),
    ],
    "powers not divided": [all_but(both="[2, 3, 5, 0, 0, 0, 0]")],
    "softmax of the powers": [
        all_but(both="torch.tensor([2, 3, 5] + [-math.inf] * 4).softmax(0)"),
        all_but(both="(0.042, 0.114, 0.844, 0, 0, 0, 0)"),
    ],
    "hidden places left out": [
        all_but(both="[0.2, 0.3, 0.5]"),
        all_but(pads="[0.125, 0.1875, 0.3125, 0.25, 0.125]"),
    ],
    "equal shares": [
        all_but(both="[0.333, 0.333, 0.333, 0, 0, 0, 0]"),
        all_but(pads="[0.2] * 5 + [0, 0]"),
    ],
    "still adds up to 1": [all_but(kept="1.0")],
    "pads alone set to 0": [all_but(kept="0.64")],
    "future words alone set to 0": [all_but(kept="0.76")],
    "what was lost": [all_but(kept="1 - 0.4")],
    "places counted": [all_but(kept="0.43")],
    "divided by the real words": [all_but(kept="0.625")],
    "causal mask alone": [all_but(allowed="7 * 8 / 2")],
    "padding mask alone": [all_but(allowed="7 * 5")],
    "pads don't ask": [all_but(allowed="1 + 2 + 3 + 4 + 5")],
    "own word not counted": [all_but(allowed="0 + 1 + 2 + 3 + 4 + 5 + 5")],
    "one mask is enough": [all_but(allowed="28 + 35 - 25")],
    "what is forbidden": [all_but(allowed="49 - 25")],
    "all questions": [all_but(allowed="7 * 7")],
    "zeros": [all_but(billion="0.0"), all_but(billion="np.exp(-1e9)")],
    "not a number": [all_but(billion="math.nan"), all_but(billion="float('nan')")],
    "shared by the real words": [all_but(billion="0.2")],
    "shared by the others": [all_but(billion="0.167")],
    "by the old scores": [all_but(billion="0.08"), all_but(billion="0.125")],
}
