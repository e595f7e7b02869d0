"""Answers to 07.4: two factors of cost, and the errors that four models are left with."""

TRUE = {
    "parameters": "1",
    "weights": "4",
    "three": "2 / 3",
    "total": "0",
    "difference": "0.5",
    "without": "0",
}


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    return ", ".join((TRUE | wrong).values())


RIGHT = {
    "whole and fractions": all_but(),
    "floats": "1.0, 4.0, 0.667, 0.0, 0.5, 0.0",
    "two decimals": "1, 4, 0.67, 0, 0.5, 0",
    "as a run prints them": "1, 4, 0.67, 0.0, 0.5, 0.0",
    "a little off, as runs are": "1, 4, 0.662, 0.003, 0.495, 0.004",
    "worked out": "16640 / 16640, (8 * 50**2) / (2 * 50**2), 1 - 1 / 3, 0, 1 / 2, 0",
    "arrays": "np.array(1), np.array(4), np.array(2 / 3), np.zeros(1), np.array(0.5), 0",
    "tensors": (
        "torch.tensor(1), torch.tensor(4), torch.tensor(2 / 3), torch.tensor(0.0),"
        " torch.tensor(0.5), torch.tensor(0)"
    ),
    "fractions": "1, 4, Fraction(2, 3), 0, Fraction(1, 2), 0",
    "lists of one": "[1], [4], [2 / 3], [0], [0.5], [0]",
    "eight of twelve numbers": all_but(three="8 / 12"),
}

WRONG = {
    "all grow": all_but(parameters="8", weights="8"),
    "weights by three": all_but(weights="3"),
    "a quarter": all_but(three="0.25"),
    "one decimal": all_but(three="0.7"),
    "negative": all_but(difference="-0.5"),
    "text": all_but(total="'0'"),
    "None": all_but(without="None"),
    "a pair": all_but(difference="(0.5, 0.5)"),
    "truth value": all_but(total="False"),
    "a third of it": all_but(total="1 / 3"),
    "NaN": all_but(difference="float('nan')"),
    "a difference of three quarters": all_but(difference="0.75"),
}

SPELLINGS = {
    "parameters grow with the heads": [
        all_but(parameters="8 / 2"),
        all_but(parameters="4.0"),
    ],
    "parameters shrink with the heads": [all_but(parameters="0.25")],
    "parameters grow by the square": [
        all_but(parameters="4**2"),
        all_but(parameters="0.0625"),
    ],
    "parameters counted, not compared": [all_but(parameters="4 * (64 * 64 + 64)")],
    "weights stay": [all_but(weights="1.0")],
    "weights shrink": [all_but(weights="0.25"), all_but(weights="2 / 8")],
    "weights grow by the square": [all_but(weights="4**2")],
    "weights counted, not compared": [
        all_but(weights="20000"),
        all_but(weights="8 * 50 * 50"),
    ],
    "three places need nothing more": [all_but(three="0.0")],
    "three places like two": [all_but(three="0.5")],
    "the part that is told": [all_but(three="0.33"), all_but(three="1 - 2 / 3")],
    "three places out of reach": [all_but(three="1")],
    "three places like four": [all_but(three="0.75")],
    "a sum like two reports": [all_but(total="0.5"), all_but(total="1 / 2")],
    "a sum out of reach": [all_but(total="1")],
    "a sum that is half as large": [all_but(total="0.25")],
    "a difference is as easy as a sum": [all_but(difference="0")],
    "a difference out of reach": [all_but(difference="1.0")],
    "a difference worse than silence": [
        all_but(difference="2"),
        all_but(difference="1.5"),
    ],
    "nothing is added without the last matrix": [
        all_but(without="0.5"),
        all_but(without="1 / 2"),
    ],
    "without the last matrix nothing works": [all_but(without="1")],
    "without the last matrix half is missing": [all_but(without="0.25")],
}
