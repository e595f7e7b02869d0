"""Answers to 08.5: the outputs that move when one word changes."""

TRUE = ("[3, 4, 5]", "[1, 2, 3, 4, 5]", "[0, 1, 2, 3, 4, 5]", "[3, 4, 5]", "[2]")
TRUE = (*TRUE, "[0, 1, 2]")
NAMES = ("triangle", "too_large", "second_open", "no_diagonal", "pad", "turned")


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    return ", ".join(
        wrong.get(name, right) for name, right in zip(NAMES, TRUE, strict=True)
    )


RIGHT = {
    "backwards": all_but(triangle="[5, 4, 3]"),
    "lists": all_but(),
    "tuples": "(3, 4, 5), (1, 2, 3, 4, 5), (0, 1, 2, 3, 4, 5), (3, 4, 5), (2,), (0, 1, 2)",
    "ranges": "range(3, 6), range(1, 6), range(6), range(3, 6), range(2, 3), range(3)",
    "one number": all_but(pad="2"),
    "arrays": (
        "np.arange(3, 6), np.arange(1, 6), np.arange(6), np.arange(3, 6),"
        " np.array([2]), np.arange(3)"
    ),
    "tensors": (
        "torch.arange(3, 6), torch.arange(1, 6), torch.arange(6), torch.arange(3, 6),"
        " torch.tensor([2]), torch.arange(3)"
    ),
    "floats": all_but(turned="[0.0, 1.0, 2.0]"),
    "a column of the triangle": all_but(
        triangle="np.flatnonzero(np.tril(np.ones((6, 6)))[:, 3])"
    ),
    "a column of the turned triangle": all_but(
        turned="torch.ones(6, 6).triu()[:, 2].nonzero().flatten()"
    ),
    "lists of ranges": all_but(second_open="list(range(6))"),
    "added up": all_but(too_large="[1] + [2, 3] + [4, 5]"),
}

WRONG = {
    "all": "range(6), range(6), range(6), range(6), range(6), range(6)",
    "none": "[], [], [], [], [], []",
    "counts": "3, 5, 6, 3, 1, 3",
    "text": all_but(pad="'none'"),
    "truth values": all_but(turned="[True, True, True, False, False, False]"),
    "the last alone": all_but(triangle="[5]"),
    "the next alone": all_but(triangle="[4]"),
    "the first two": all_but(second_open="[0, 1]"),
    "the pad before": all_but(pad="[1, 2]"),
    "a set": all_but(no_diagonal="{3, 4, 5}"),
    "negative": all_but(triangle="[-3, -2, -1]"),
    "one place too early": all_but(triangle="[2, 3, 4, 5]"),
}

SPELLINGS = {
    "counted from 1": [
        "[4, 5, 6], [2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6], [4, 5, 6], [3], [1, 2, 3]",
        all_but(triangle="range(4, 7)"),
        all_but(pad="3"),
    ],
    "the own output alone": [all_but(triangle="3")],
    "own output stays": [all_but(triangle="(4, 5)")],
    "the earlier ones move": [
        all_but(triangle="range(4)"),
        all_but(triangle="(0, 1, 2)"),
    ],
    "all move under the triangle": [all_but(triangle="range(6)")],
    "one round of three": [all_but(too_large="range(3, 6)")],
    "two rounds of three": [all_but(too_large="range(2, 6)")],
    "one round too many": [all_but(too_large="np.arange(6)")],
    "the diagonal as if it were right": [all_but(too_large="(4, 5)")],
    "only towards the beginning": [all_but(too_large="range(1, 5)")],
    "one masked round protects": [all_but(second_open="(4, 5)")],
    "an open round without its past": [all_but(second_open="range(4)")],
    "open for one step": [all_but(second_open="range(3, 6)")],
    "own word hidden, so own output stays": [all_but(no_diagonal="range(4, 6)")],
    "nothing is left without the diagonal": [
        all_but(no_diagonal="()"),
        all_but(no_diagonal="3"),
    ],
    "no diagonal moves all": [all_but(no_diagonal="range(6)")],
    "a hidden pad moves nothing": [all_but(pad="()"), all_but(pad="np.array([])")],
    "a pad like a word": [all_but(pad="range(2, 6)")],
    "all but the pad": [all_but(pad="(3, 4, 5)")],
    "pad seen by all": [all_but(pad="range(6)")],
    "not turned": [all_but(turned="range(2, 6)")],
    "own output stays under the turned triangle": [all_but(turned="range(2)")],
    "everything moves under the turned triangle": [all_but(turned="range(6)")],
    "own word asked under the turned triangle": [all_but(turned="2")],
    "all but the past": [all_but(turned="range(3, 6)")],
}
