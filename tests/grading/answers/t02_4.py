"""Answers to 02.4: which rows of a table get which gradient."""

TRUE = {
    "one_hot_shape": "(8, 40)",
    "parameters": "960",
    "used": "5",
    "row_5": "3",
    "row_30": "1",
    "larger": "3",
    "five_times": "10",
}


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    assert set(wrong) <= set(TRUE)
    return ", ".join((TRUE | wrong).values())


SUM = "torch.nn.functional.one_hot(torch.tensor([5, 2, 5, 30, 2, 5, 11, 7]), 40)"

RIGHT = {
    "plain": all_but(),
    "a list": all_but(one_hot_shape="[8, 40]"),
    "decimals": all_but(row_5="3.0", row_30="1.0", larger="3.0", five_times="10.0"),
    "worked out": all_but(parameters="40 * 24", five_times="5 * 2"),
    "a shape of NumPy": all_but(one_hot_shape="np.zeros((8, 40)).shape"),
    "a shape of torch": all_but(one_hot_shape="torch.zeros(8, 40).shape"),
    "a set's length": all_but(used="len({5, 2, 30, 11, 7})"),
    "counted": all_but(row_5="[5, 2, 5, 30, 2, 5, 11, 7].count(5)"),
    "one-hot columns added": all_but(row_5=f"{SUM}.sum(0)[5]"),
    "a tensor": all_but(larger="torch.tensor(3.0)", row_30="torch.tensor([1.0])"),
    "numel": all_but(parameters="torch.nn.Embedding(40, 24).weight.numel()"),
    "fractions": all_but(row_30="Fraction(1)", five_times="Fraction(10, 1)"),
}

WRONG = {
    "zeros": "0, 0, 0, 0, 0, 0, 0",
    "text": all_but(one_hot_shape="'8 x 40'"),
    "Nones but one": "(8, 40), None, None, None, None, None, None",
    "three axes": all_but(one_hot_shape="(1, 8, 40)"),
    "a product": all_but(parameters="'40 * 24'"),
    "a little off": all_but(row_5="3.1"),
    "negative": all_but(row_5="-3"),
    "whole row": all_but(row_30="np.ones(24)"),
    "truth": all_but(row_30="True"),
    "rows listed": all_but(used="[2, 5, 7, 11, 30]"),
    "half": all_but(used="6"),
    "ten times ten": all_but(larger="300"),
    "an average": all_but(five_times="1.25"),
}

SPELLINGS = {
    "on its side": [all_but(one_hot_shape="[40, 8]")],
    "the product instead": [all_but(one_hot_shape="torch.zeros(8, 24).shape")],
    "the table instead": [all_but(one_hot_shape="[40, 24]")],
    "as wide as the sentence": [all_but(one_hot_shape="[8, 8]")],
    "all words": [all_but(one_hot_shape="np.eye(40).shape")],
    "as wide as the largest id": [all_but(one_hot_shape="(8, 30 + 1)")],
    "different words only": [all_but(one_hot_shape="[5, 40]")],
    "one row for the sentence": [all_but(one_hot_shape="8 * 40")],
    "one number for each word": [all_but(parameters="40.0")],
    "one row": [all_but(parameters="24")],
    "added": [all_but(parameters="40 + 24")],
    "a bias counted": [
        all_but(parameters="40 * 24 + 24"),
        all_but(parameters="40 * 25"),
    ],
    "rows of the sentence": [all_but(parameters="8 * 24")],
    "one-hot counted": [all_but(parameters="8 * 40")],
    "every token": [all_but(used="8")],
    "all rows": [all_but(used="40")],
    "rows not used": [all_but(used="40 - 5")],
    "words that come once": [all_but(used="3")],
    "numbers instead of rows": [all_but(used="5 * 24")],
    "each row once": [all_but(row_5="1.0")],
    "the id": [all_but(row_5="5"), all_but(row_30="30.0")],
    "the whole row": [all_but(row_5="3 * 24")],
    "a mean": [all_but(row_5="0.375"), all_but(row_30="0.125")],
    "nothing": [all_but(row_30="0")],
    "larger numbers, larger gradient": [all_but(larger="30")],
    "larger numbers, smaller gradient": [all_but(larger="3 / 10")],
    "factor forgotten": [all_but(five_times="2")],
    "repeats forgotten": [all_but(five_times="5.0")],
    "factor added": [all_but(five_times="2 + 5")],
    "divided": [all_but(five_times="2 / 5")],
    "row 5 instead": [all_but(five_times="15")],
    "factor squared": [all_but(five_times="2 * 5**2")],
}
