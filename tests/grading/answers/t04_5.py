"""Answers to 04.5: the outputs of chain, windows, attention and writer that change."""

TRUE = (
    "[3, 4, 5, 6]",
    "[1, 2, 3, 4, 5]",
    "[0, 1, 2, 3, 4, 5, 6]",
    "[1, 4]",
    "[0, 1, 2, 3, 4, 5, 6]",
    "[3, 4, 5, 6]",
)
NAMES = ("chain", "windows", "attention", "swapped", "source", "told")


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    return ", ".join(
        wrong.get(name, right) for name, right in zip(NAMES, TRUE, strict=True)
    )


RIGHT = {
    "another order": all_but(swapped="[4, 1]"),
    "lists": all_but(),
    "tuples": all_but(chain="(3, 4, 5, 6)", swapped="(1, 4)"),
    "ranges": "range(3, 7), range(1, 6), range(7), range(1, 5, 3), range(7), range(3, 7)",
    "lists of ranges": all_but(chain="list(range(3, 7))", attention="list(range(7))"),
    "arrays": "np.arange(3, 7), np.arange(1, 6), np.arange(7), np.array([1, 4]),"
    " np.arange(7), np.arange(3, 7)",
    "tensors": "torch.arange(3, 7), torch.arange(1, 6), torch.arange(7),"
    " torch.tensor([1, 4]), torch.arange(7), torch.arange(3, 7)",
    "floats": all_but(swapped="[1.0, 4.0]"),
    "a comprehension": all_but(windows="[i for i in range(7) if abs(i - 3) <= 2]"),
    "flatnonzero": all_but(chain="np.flatnonzero(np.tri(7)[:, 3])"),
    "unpacked": all_but(source="[*range(7)]", told="[*range(3, 7)]"),
    "a column": all_but(swapped="np.array([[1], [4]])"),
    "sorted": all_but(swapped="sorted({4, 1})"),
}

WRONG = {
    "none": "[], [], [], [], [], []",
    "counts": "4, 5, 7, 2, 7, 4",
    "text": all_but(attention="'all'"),
    "truth values": all_but(swapped="[False, True, False, False, True, False, False]"),
    "one too many": all_but(chain="[3, 4, 5, 6, 7]"),
    "negative numbers": all_but(chain="[-4, -3, -2, -1]"),
    "windows at every second place": all_but(windows="[1, 3, 5]"),
    "one side of the windows longer": all_but(windows="[1, 2, 3, 4]"),
    "only one of the swapped": all_but(swapped="[1]"),
    "the mirrored rest": all_but(source="[3, 2, 1, 0]"),
    "told stops early": all_but(told="[3, 4]"),
    "a set": all_but(chain="{3, 4, 5, 6}"),
}

SPELLINGS = {
    "a chain that hears everybody": [all_but(chain="range(7)")],
    "a chain of one word": [all_but(chain="3"), all_but(chain="(3,)")],
    "a chain and its next word": [all_but(chain="(3, 4)")],
    "a chain that only hands on": [all_but(chain="range(4, 7)")],
    "a chain that looks ahead": [all_but(chain="range(4)"), all_but(chain="range(3)")],
    "the end of the chain": [all_but(chain="6")],
    "counted from 1": [
        "[4, 5, 6, 7], [2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6, 7], [2, 5],"
        " [1, 2, 3, 4, 5, 6, 7], [4, 5, 6, 7]",
        all_but(attention="range(1, 8)"),
        all_but(told="range(4, 8)"),
    ],
    "one layer of windows": [all_but(windows="range(2, 5)")],
    "windows to the right alone": [all_but(windows="range(3, 6)")],
    "windows to the left alone": [all_but(windows="range(1, 4)")],
    "windows without the middle": [all_but(windows="(1, 2, 4, 5)")],
    "windows hear all": [all_but(windows="range(7)")],
    "window alone": [all_but(windows="3")],
    "two layers, windows too wide": [all_but(windows="range(6)")],
    "attention to itself": [all_but(attention="3")],
    "attention as a chain": [all_but(attention="range(3, 7)")],
    "attention as a window": [all_but(attention="range(2, 5)")],
    "everybody but the word": [all_but(attention="(0, 1, 2, 4, 5, 6)")],
    "nobody hears": [all_but(attention="()")],
    "order is all": [all_but(swapped="range(7)")],
    "nothing moves": [all_but(swapped="()"), all_but(swapped="list()")],
    "what lies between": [all_but(swapped="range(1, 5)")],
    "swapped as in a chain": [all_but(swapped="range(1, 7)")],
    "neighbours of the swapped": [all_but(swapped="range(6)")],
    "the others move": [all_but(swapped="(0, 2, 3, 5, 6)")],
    "written at the mirrored place": [all_but(source="3")],
    "from its place on": [all_but(source="range(3, 7)")],
    "up to its place": [all_but(source="range(4)")],
    "the first output alone": [all_but(source="0")],
    "the last output alone": [all_but(source="6")],
    "fading": [all_but(source="()")],
    "told, but only then": [all_but(told="3")],
    "told, then heard one later": [all_but(told="range(4, 7)")],
    "told from the start": [all_but(told="range(7)")],
    "told and not believed": [all_but(told="()")],
    "told of the past": [all_but(told="range(4)"), all_but(told="range(3)")],
    "told at the end": [all_but(told="6")],
}
