"""Answers to 14.4: a padded batch's loss, its padding, and two batches together."""

TRUE = {"loss": "1.5", "padding": "0.25", "longer": "1.5", "together": "0.75"}


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    assert set(wrong) <= set(TRUE)
    return ", ".join((TRUE | wrong).values())


RIGHT = {
    "numbers": all_but(),
    "fractions": "Fraction(3, 2), Fraction(1, 4), Fraction(3, 2), Fraction(3, 4)",
    "worked out": all_but(loss="(3 + 1 + 2 + 2 + 0.5 + 0.5) / 6", padding="2 / 8"),
    "NumPy": all_but(loss="np.mean([3, 1, 2, 2, 0.5, 0.5])"),
    "cross-entropy's way": all_but(
        loss="(torch.tensor([[3, 1, 5, 7], [2, 2, 0.5, 0.5]])"
        " * torch.tensor([[1, 1, 0, 0], [1, 1, 1, 1]])).sum() / 6"
    ),
    "torch": "torch.tensor(1.5), torch.tensor(0.25), torch.tensor([1.5]), torch.tensor([[0.75]])",
    "an average": all_but(together="np.average([1.5, 0.5], weights=[6, 18])"),
    "lists of one": "[1.5], [0.25], [1.5], [0.75]",
    "sums": all_but(together="(9 + 9) / 24"),
    "one minus": all_but(padding="1 - 6 / 8"),
    "16 places": all_but(longer="9 / (16 - 10)"),
}

WRONG = {
    "zeros": "0, 0, 0, 0",
    "rounded to whole numbers": "2, 0, 2, 1",
    "text": all_but(loss="'1.5 nats'"),
    "maximum": all_but(loss="3"),
    "median": all_but(loss="1.75"),
    "per row": all_but(loss="(2, 1.25)"),
    "share of 16": all_but(padding="10 / 16"),
    "negative": all_but(loss="-1.5"),
    "bits": all_but(loss="1.5 / math.log(2)"),
    "sum over 26": all_but(together="(9 + 13) / 26"),
    "exp": all_but(together="math.exp(0.75)"),
    "a little off": all_but(together="0.76"),
    "None": all_but(longer="None"),
}

SPELLINGS = {
    "mean of the rows' means": [
        all_but(loss="(4 / 2 + 5 / 4) / 2"),
        all_but(loss="1.625"),
    ],
    "padding counted with its losses": [
        all_but(loss="np.mean([3, 1, 5, 7, 2, 2, 0.5, 0.5])"),
        all_but(loss="3.5"),
    ],
    "divided by all places": [all_but(loss="9 / 8"), all_but(loss="9 / 7")],
    "sum": [all_but(loss="9"), all_but(loss="21.0")],
    "divided by the rows": [all_but(loss="9 / 2")],
    "end marks not counted": [all_but(loss="(3 + 2 + 2 + 0.5) / 4")],
    "first row alone": [all_but(loss="(3 + 1) / 2")],
    "second row alone": [all_but(loss="5 / 4")],
    "padding against words": [all_but(padding="1 / 3"), all_but(padding="0.333")],
    "share of words": [all_but(padding="0.75")],
    "padding of one row": [all_but(padding="0.5")],
    "count instead of a share": [all_but(padding="2")],
    "percent": [all_but(padding="25")],
    "wider, divided by all places": [
        all_but(longer="0.5625"),
        all_but(longer="1.5 / 2"),
    ],
    "wider, mean of the rows' means": [all_but(longer="1.625")],
    "wider, twice as much": [all_but(longer="3"), all_but(longer="2.625")],
    "wider, the sum": [all_but(longer="9.0")],
    "mean of the batches' means": [
        all_but(together="(1.5 + 0.5) / 2"),
        all_but(together="1"),
    ],
    "means added": [all_but(together="2.0")],
    "sums added": [all_but(together="9 + 9")],
    "padding in the count": [all_but(together="18 / 26"), all_but(together="0.692")],
    "weights the wrong way round": [all_but(together="1.25")],
    "second batch alone": [all_but(together="1 / 2")],
}
