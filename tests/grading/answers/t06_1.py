"""Answers to 06.1, a head with a pencil."""

TRUE = ("(5, -2)", "(3, -3)", "21", "9", "(2, 5)", "22.8", "672")
NAMES = ("query", "key", "brew", "tea", "new", "pulled", "parameters")


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    return ", ".join(
        wrong.get(name, right) for name, right in zip(NAMES, TRUE, strict=True)
    )


RIGHT = {
    "as asked": all_but(),
    "lists": "[5, -2], [3, -3], 21, 9, [2, 5], 22.8, 672",
    "arrays": "np.array([5, -2]), np.array([3, -3]), 21, 9, np.array([2, 5]), 22.8, 672",
    "tensors": (
        "torch.tensor([5, -2]), torch.tensor([3, -3]), torch.tensor(21), 9,"
        " torch.tensor([2.0, 5.0]), torch.tensor(22.8), 672"
    ),
    "decimals": "(5.0, -2.0), (3.0, -3.0), 21.0, 9.0, (2.0, 5.0), 22.80, 672.0",
    "calculated": (
        "np.array([1, 2]) @ np.array([[1, 0], [2, -1]]),"
        " np.array([3, 0]) @ np.array([[1, -1], [1, 1]]),"
        " np.dot([5, -2], [3, -3]), np.dot([3, 0], [3, 1]),"
        " (np.array([1, 4]) + np.array([3, 6])) / 2,"
        " np.dot([5.3, -2.3], [3, -3]), 24 * 8 + 24 * 8 + 24 * 12"
    ),
    "a row of a matrix": all_but(query="[[5, -2]]", new="np.array([[2, 5]])"),
    "fractions": all_but(pulled="Fraction(114, 5)", new="(Fraction(4, 2), 5)"),
    "the rise added": all_but(pulled="21 + 0.1 * 18"),
    "counted by a layer": all_but(
        parameters="sum(torch.nn.Linear(24, n, bias=False).weight.numel()"
        " for n in (8, 8, 12))"
    ),
    "weights written out": all_but(new="(0.5 * 1 + 0.5 * 3, 0.5 * 4 + 0.5 * 6)"),
}

WRONG = {
    "all zeros": "(0, 0), (0, 0), 0, 0, (0, 0), 0, 0",
    "words": all_but(new="'the mean'"),
    "signs lost": all_but(query="(5, 2)"),
    "key with another sign": all_but(key="(-3, 3)"),
    "turned around": all_but(query="(-2, 5)"),
    "one number of two": all_but(query="5"),
    "new vector in three numbers": all_but(new="(2, 5, 0)"),
    "softmax of unequal scores": all_but(new="(1.6, 4.6)"),
    "minus forgotten": all_but(brew="9", tea="21"),
    "a hundredth of the key": all_but(pulled="21.18"),
    "scaled after the pull": all_but(pulled="22.8 / 2**0.5"),
    "wrong multiplication": all_but(parameters="682"),
    "all answers swapped": "(3, -3), (5, -2), 9, 21, (2, 5), 22.8, 672",
}

SPELLINGS = {
    "matrix times vector": [all_but(query="[1, 0]"), all_but(key="np.array([3, 3])")],
    "query of the other word": [all_but(query="[3, 0]")],
    "query made by another matrix": [
        all_but(query="[3.0, 1.0]"),
        all_but(query="np.array([1, 4])"),
    ],
    "the vector itself as query": [all_but(query="np.array([1, 2])")],
    "key of the other word": [all_but(key="[3, 1]")],
    "key made by another matrix": [all_but(key="[3, 0]"), all_but(key="[3.0, 6]")],
    "the other way round": [all_but(brew="9.0"), all_but(tea="21.0")],
    "a word asks itself": [all_but(brew="5 * 3 - 2 * 1")],
    "vectors compared without projection": [
        all_but(brew="3.0"),
        all_but(tea="np.dot([1, 2], [3, 0])"),
    ],
    "two queries or two keys": [all_but(brew="15.0"), all_but(tea="9 - 3")],
    "products not added": [all_but(brew="[15, 6]")],
    "scaled already": [all_but(brew="14.849"), all_but(tea="9 / math.sqrt(2)")],
    "plain sum of the values": [all_but(new="[4, 10]")],
    "one value alone": [all_but(new="[3, 6]"), all_but(new="[1.0, 4.0]")],
    "vectors blended": [all_but(new="[2.0, 1.0]")],
    "keys blended": [all_but(new="[3.0, -1.0]")],
    "queries blended": [all_but(new="np.array([4, -1])")],
    "values by the wrong product": [all_but(new="np.array([4, 1])")],
    "weights instead of the vector": [all_but(new="[1 / 2, 1 / 2]")],
    "pushed apart": [all_but(pulled="21 - 1.8")],
    "key moved instead": [all_but(pulled="21 + 2.9")],
    "both moved": [all_but(pulled="5.3 * 3.5 + 2.3 * 3.2")],
    "query stretched": [all_but(pulled="21 * 1.1")],
    "whole key added": [all_but(pulled="21 + 18")],
    "only the growth": [all_but(pulled="0.1 * 18")],
    "a tenth added to the score": [all_but(pulled="21 + 0.1")],
    "pulled before and after the same": [all_but(pulled="21.0")],
    "values as narrow as the keys": [all_but(parameters="3 * 24 * 8")],
    "all as wide as the values": [all_but(parameters="3 * 24 * 12")],
    "squares": [all_but(parameters="3 * 24**2")],
    "queries and keys share one": [all_but(parameters="24 * (8 + 12)")],
    "one matrix alone": [all_but(parameters="24 * 8"), all_but(parameters="24 * 12")],
    "biases counted": [all_but(parameters="24 * 28 + 28")],
    "once for each word": [all_but(parameters="672 * 10")],
    "scores counted": [
        all_but(parameters="672 + 10 * 10"),
        all_but(parameters="672 + 200"),
    ],
    "widths added": [all_but(parameters="8 + 8 + 12")],
}
