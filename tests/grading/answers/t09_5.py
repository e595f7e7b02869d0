"""Answers to 09.5: which of four ways to mark positions notices a change."""

TRUE = {
    "middle": "[1, 2, 3]",
    "first": "[1, 2, 3, 4]",
    "later": "[1, 2]",
    "echo": "[1, 2]",
    "silent": "[4]",
}


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    assert set(wrong) <= set(TRUE)
    return ", ".join((TRUE | wrong).values())


RIGHT = {
    "backwards": all_but(first="[4, 3, 2, 1]"),
    "lists": all_but(),
    "tuples": "(1, 2, 3), (1, 2, 3, 4), (1, 2), (1, 2), (4,)",
    "one number": all_but(silent="4"),
    "ranges": "range(1, 4), range(1, 5), range(1, 3), range(1, 3), range(4, 5)",
    "lists of ranges": all_but(first="list(range(1, 5))"),
    "arrays": all_but(middle="np.arange(1, 4)", first="np.arange(4) + 1"),
    "tensors": all_but(later="torch.tensor([1, 2])", silent="torch.tensor(4)"),
    "floats": all_but(middle="[1.0, 2.0, 3.0]"),
    "all but one": all_but(middle="[n for n in (1, 2, 3, 4) if n != 4]"),
    "nonzero": all_but(echo="np.flatnonzero([True, True, False, False]) + 1"),
    "a column": all_but(first="np.arange(1, 5)[:, None]"),
    "keys of a table": all_but(later='{1: "sinusoidal", 2: "learned"}.keys()'),
}

WRONG = {
    "all": "range(1, 5), range(1, 5), range(1, 5), range(1, 5), range(1, 5)",
    "none": "[], [], [], [], []",
    "counted from 0": "[0, 1, 2], [0, 1, 2, 3], [0, 1], [0, 1], [3]",
    "counts": "3, 4, 2, 2, 1",
    "words": all_but(silent="'alibi'"),
    "a list of words": all_but(later="['sinusoidal', 'learned']"),
    "truth values": all_but(middle="[True, True, True, False]"),
    "a set": all_but(later="{1, 2}"),
    "twice": all_but(middle="[1, 2, 3, 3]"),
    "rotary and learned": all_but(later="[2, 3]"),
    "echo seen by one": all_but(echo="[1]"),
    "silent seen by learned and ALiBi": all_but(silent="[2, 4]"),
    "text": all_but(echo="'none'"),
    "None": all_but(echo="None"),
}

SPELLINGS = {
    "mirror, rotary blind": [all_but(middle="(1, 2)"), all_but(middle="range(1, 3)")],
    "mirror, seen by all": [all_but(middle="range(1, 5)")],
    "mirror, seen by none": [all_but(middle="()"), all_but(middle="np.array([])")],
    "mirror, the relative ones alone": [all_but(middle="(3, 4)")],
    "mirror, rotary alone": [all_but(middle="3")],
    "mirror, rotary taken for ALiBi": [all_but(middle="[1.0, 2.0, 4.0]")],
    "trade, ALiBi sees nothing": [all_but(first="(1, 2, 3)")],
    "trade, seen by the absolute ways alone": [all_but(first="range(1, 3)")],
    "trade, seen by the relative ways alone": [all_but(first="(3, 4)")],
    "trade, seen by none": [all_but(first="list()")],
    "trade, seen by rotary and not by the rest": [all_but(first="(3,)")],
    "later, seen by all": [all_but(later="np.arange(1, 5)")],
    "later, seen by rotary": [all_but(later="(1, 2, 3)")],
    "later, seen by ALiBi": [all_but(later="(1, 2, 4)")],
    "later, seen by none": [all_but(later="()")],
    "later, seen by the relative ways": [all_but(later="torch.tensor([3, 4])")],
    "later, learned places the same": [all_but(later="1")],
    "later, sinusoids the same": [all_but(later="2")],
    "echo, seen by all": [all_but(echo="range(1, 5)")],
    "echo, seen by rotary": [all_but(echo="(1, 2, 3)")],
    "echo, seen by ALiBi": [all_but(echo="(1, 2, 4)")],
    "echo, seen by the relative ways": [all_but(echo="(3, 4)")],
    "echo, seen by none": [all_but(echo="()")],
    "silent, seen by none": [all_but(silent="()"), all_but(silent="range(0)")],
    "silent, seen by all": [all_but(silent="(1, 2, 3, 4)")],
    "silent, seen by those that saw it before": [all_but(silent="(1, 2, 3)")],
    "silent, seen by the absolute ways": [all_but(silent="(1, 2)")],
    "silent, seen by the relative ways": [all_but(silent="(3, 4)")],
    "silent, seen by rotary": [all_but(silent="3")],
    "silent, seen by all but rotary": [all_but(silent="(1, 2, 4)")],
}
