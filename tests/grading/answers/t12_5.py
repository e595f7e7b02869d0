"""Answers to 12.5: the rows that change with a word, the source, its order, depth."""

TRUE = ("[2, 3, 4]", "[4]", "[0, 1, 2, 3, 4]", "[]", "[2, 3, 4]")
NAMES = ("target", "last", "source", "shuffled", "stacked")


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    return ", ".join(
        wrong.get(name, right) for name, right in zip(NAMES, TRUE, strict=True)
    )


RIGHT = {
    "backwards": all_but(target="[4, 3, 2]"),
    "lists": all_but(),
    "tuples": "(2, 3, 4), (4,), (0, 1, 2, 3, 4), (), (2, 3, 4)",
    "ranges": "range(2, 5), range(4, 5), range(5), range(0), range(2, 5)",
    "lists of ranges": "list(range(2, 5)), [4], list(range(5)), [], list(range(2, 5))",
    "one number": all_but(last="4"),
    "arrays": "np.arange(2, 5), np.array([4]), np.arange(5), np.array([]), np.arange(2, 5)",
    "tensors": (
        "torch.arange(2, 5), torch.tensor(4), torch.arange(5), torch.tensor([]),"
        " torch.arange(2, 5)"
    ),
    "floats": all_but(target="[2.0, 3.0, 4.0]"),
    "a comprehension": all_but(target="[row for row in range(5) if row >= 2]"),
    "nonzero": all_but(
        source="np.nonzero(np.ones(5))[0]", shuffled="np.nonzero(np.zeros(5))[0]"
    ),
    "where": all_but(target="np.flatnonzero(np.tril(np.ones((5, 5)))[:, 2])"),
    "an empty list made": all_but(shuffled="list()"),
    "a last row by its length": all_but(last="[5 - 1]"),
}

WRONG = {
    "all": "range(5), range(5), range(5), range(5), range(5)",
    "none": "[], [], [], [], []",
    "text": all_but(shuffled="'none'"),
    "counts": "3, 1, 5, 0, 3",
    "truth values": all_but(target="[False, False, True, True, True]"),
    "one row too many": all_but(target="[1, 2, 3, 4]"),
    "negative numbers": all_but(last="[-1]"),
    "the next row alone": all_but(target="[3]"),
    "the last row alone": all_but(target="[4]"),
    "first row of the source": all_but(source="[0]"),
    "shuffled changes the first": all_but(shuffled="[0]"),
    "a set": all_but(target="{2, 3, 4}"),
    "stacked earlier by one": all_but(stacked="[1, 2, 3, 4]"),
}

SPELLINGS = {
    "a word seen by all": [all_but(target="range(5)"), all_but(target="np.arange(5)")],
    "a word seen by itself alone": [all_but(target="2"), all_but(target="(2,)")],
    "a word seen by those before it": [
        all_but(target="range(3)"),
        all_but(target="(0, 1)"),
    ],
    "a word that does not see itself": [
        all_but(target="(3, 4)"),
        all_but(stacked="range(3, 5)"),
    ],
    "counted from 1": [
        "[3, 4, 5], [5], [1, 2, 3, 4, 5], [], [3, 4, 5]",
        all_but(last="5"),
        all_but(source="range(1, 6)"),
    ],
    "last word seen by none": [all_but(last="()")],
    "last word seen by all": [all_but(last="range(5)")],
    "last word seen by the next to last": [all_but(last="(3, 4)")],
    "source met place by place": [all_but(source="3")],
    "causal mask on the source": [all_but(source="(3, 4)"), all_but(source="4")],
    "source not seen": [all_but(source="()")],
    "rows of the source": [all_but(source="range(4)")],
    "shuffled memory changes all": [
        all_but(shuffled="range(5)"),
        all_but(shuffled="[0, 1, 2, 3, 4]"),
    ],
    "shuffled memory changes as many rows as it has": [all_but(shuffled="range(4)")],
    "depth lets the future in": [
        all_but(stacked="range(5)"),
        all_but(stacked="(0, 1, 2, 3, 4)"),
    ],
    "depth changes the own row alone": [all_but(stacked="2")],
    "depth pushes the change on": [all_but(stacked="4")],
}
