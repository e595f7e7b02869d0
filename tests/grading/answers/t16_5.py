"""Answers to 16.5, what a step of two processes does to the weight."""

TRUE = ("9.5", "9.5", "9.0", "(9.7, 9.3)", "9.45", "9.6", "9.7")
NAMES = ("one", "averaged", "summed", "alone", "unequal", "five", "same_rows")


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    return ", ".join(
        wrong.get(name, right) for name, right in zip(NAMES, TRUE, strict=True)
    )


RIGHT = {
    "numbers": all_but(),
    "whole where whole": all_but(summed="9"),
    "a list": all_but(alone="[9.7, 9.3]"),
    "an array": all_but(alone="10 - 0.1 * np.array([3, 7])"),
    "tensors": all_but(alone="torch.tensor([9.7, 9.3])"),
    "steps": "10 - 0.5, 10 - 0.5, 10 - 1, (10 - 0.3, 10 - 0.7), 10 - 0.55, 10 - 0.4, 10 - 0.3",
    "means": all_but(
        one="10 - 0.1 * np.mean([1, 2, 3, 6, 5, 7, 8, 8])",
        five="10 - 0.1 * np.mean([1, 2, 3, 6, 8])",
    ),
    "fractions": all_but(unequal="10 - Fraction(11, 20)"),
}

WRONG = {
    "gradients": "5, 5, 10, (3, 7), 5.5, 4, 3",
    "tens": "10, 10, 10, (10, 10), 10, 10, 10",
    "text": all_but(summed="'nine'"),
    "uphill": "10.5, 10.5, 11, (10.3, 10.7), 10.55, 10.4, 10.3",
    "three weights": all_but(alone="(9.7, 9.3, 9.5)"),
    "no rate": all_but(one="5.0"),
    "rounded": all_but(unequal="9.4"),
    "nothing for alone": all_but(alone="()"),
}

SPELLINGS = {
    "sum over the rows": [all_but(one="10 - 0.1 * 40")],
    "uphill": [all_but(one="10 + 0.5")],
    "process 0 alone": [all_but(one="9.7")],
    "averaged as summed": [all_but(averaged="9.0")],
    "averaged and halved": [all_but(averaged="10 - 0.25")],
    "summed as averaged": [all_but(summed="9.5")],
    "sum of all rows": [all_but(summed="10 - 4")],
    "alone but equal": [all_but(alone="[9.5, 9.5]")],
    "alone, exchanged": [all_but(alone="[9.3, 9.7]")],
    "alone, gradients": [all_but(alone="[3.0, 7.0]")],
    "alone, one number": [all_but(alone="9.7"), all_but(alone="[9.5]")],
    "unequal as if weighed": [all_but(unequal="9.6")],
    "unequal and summed": [all_but(unequal="10 - 1.1")],
    "unequal, as before": [all_but(unequal="9.5")],
    "five rows as two means": [all_but(five="9.45")],
    "sum of five rows": [all_but(five="8.0")],
    "five rows over eight": [all_but(five="10 - 2 / 8")],
    "same rows as different ones": [all_but(same_rows="9.5")],
    "same rows twice as long": [all_but(same_rows="10 - 0.6")],
    "same rows, no step": [all_but(same_rows="10.0")],
}
