"""Answers to 14.5: shares of padding, and batches of 160 places, unsorted and sorted."""

TRUE = {"mixed": "0.375", "by_length": "0", "steps_mixed": "8", "steps_by_length": "5"}


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    assert set(wrong) <= set(TRUE)
    return ", ".join((TRUE | wrong).values())


RIGHT = {
    "numbers": all_but(),
    "fractions": all_but(mixed="Fraction(3, 8)", by_length="Fraction(0, 1)"),
    "decimals": "0.375, 0.0, 8.0, 5.0",
    "worked out": all_but(mixed="4 * 15 / (8 * 20)", steps_by_length="1 + 4"),
    "divisions": all_but(
        steps_mixed="64 // (160 // 20)",
        steps_by_length="32 * 5 // 160 + 32 * 20 // 160",
    ),
    "ceil": all_but(steps_mixed="math.ceil(64 * 20 / 160)"),
    "one minus": all_but(mixed="1 - 100 / 160"),
    "torch": "torch.tensor(0.375), torch.tensor(0), torch.tensor([8]), torch.tensor(5.0)",
    "NumPy": "np.float64(0.375), np.float32(0), np.int64(8), np.int32(5)",
    "lists of one": "[0.375], [0], [8], [5]",
    "a mean": all_but(mixed="np.mean([15 / 20, 0] * 4) * 1"),
}

WRONG = {
    "zeros": "0, 0, 0, 0",
    "rounded": all_but(mixed="0.4"),
    "text": all_but(steps_mixed="'eight'"),
    "one": all_but(by_length="1"),
    "share in the sum": all_but(mixed="15 / 25"),
    "ten": all_but(steps_mixed="10"),
    "seven": all_but(steps_by_length="7"),
    "a pair": all_but(steps_by_length="(1, 4)"),
    "all in one": all_but(steps_mixed="1", steps_by_length="1"),
    "negative": all_but(mixed="-0.375"),
    "None": all_but(mixed="None"),
    "sum of places": all_but(steps_mixed="1280"),
}

SPELLINGS = {
    "padding against words": [all_but(mixed="60 / 100")],
    "share of words": [all_but(mixed="100 / 160")],
    "share in a short row": [all_but(mixed="15 / 20")],
    "half the rows": [all_but(mixed="1 / 2")],
    "nothing to fill up": [all_but(mixed="0")],
    "percent": [all_but(mixed="37.5")],
    "places of one batch": [all_but(mixed="4 * 15")],
    "sorting changes nothing": [all_but(by_length="3 / 8")],
    "a little stays": [all_but(by_length="60 / 1280"), all_but(by_length="1 / 8")],
    "half of it stays": [all_but(by_length="3 / 16")],
    "unsorted, padding not counted": [all_but(steps_mixed="800 / 160")],
    "unsorted, one row a step": [all_but(steps_mixed="64")],
    "unsorted, by the short rows": [all_but(steps_mixed="64 / 32")],
    "unsorted, half the rows": [all_but(steps_mixed="4")],
    "unsorted, twice as many": [all_but(steps_mixed="16")],
    "unsorted, mean length": [all_but(steps_mixed="math.ceil(64 / 5)")],
    "sorted as unsorted": [all_but(steps_by_length="64 / 8")],
    "sorted, short ones alone": [all_but(steps_by_length="1")],
    "sorted, long ones alone": [all_but(steps_by_length="32 / 8")],
    "sorted, all as the short ones": [all_but(steps_by_length="2")],
    "sorted, one step too many": [all_but(steps_by_length="6")],
}
