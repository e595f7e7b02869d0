"""Answers to 02.2: four merges by hand, and what they make of new words."""

TRUE = {
    "count": "12",
    "second": "'the'",
    "fourth": "'ing'",
    "things": "['th', 'ing', 's']",
    "rows": "13",
    "unknown": "'o'",
}


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    assert set(wrong) <= set(TRUE)
    return ", ".join((TRUE | wrong).values())


RIGHT = {
    "plain": all_but(),
    "worked out": all_but(count="8 + 3 + 1", rows="9 + 4"),
    "decimals": all_but(count="12.0", rows="13.0"),
    "a tuple of pieces": all_but(things="('th', 'ing', 's')"),
    "capitals": all_but(second="'THE'", unknown="'O'"),
    "blanks around": all_but(second="' the '", fourth="'ing '"),
    "split": all_but(things="'th ing s'.split()"),
    "an array of pieces": all_but(things="np.array(['th', 'ing', 's'])"),
    "lists of one": all_but(count="[12]", second="['the']", unknown="['o']"),
    "letters counted": all_but(rows="len(set('thethisthininsingringking')) + 4"),
    "joined pieces": all_but(second="'th' + 'e'", fourth="'in' + 'g'"),
    "torch": all_but(count="torch.tensor(12)"),
}

WRONG = {
    "Nones but one": "12, None, None, None, None, None",
    "zeros": "0, 0, 0, 0, 0, 0",
    "swapped": all_but(second="'ing'", fourth="'the'"),
    "a dash": all_but(things="'th-ing-s'"),
    "empty": all_but(things="[]"),
    "numbers for pieces": all_but(things="[1, 2, 3]"),
    "a little off": all_but(count="12.5"),
    "count as text": all_but(count="'12'"),
    "two letters": all_but(unknown="['n', 'o']"),
    "only the ending": all_but(things="['ing']"),
    "rows of a table of bytes": all_but(rows="256"),
    "the s joined to nothing": all_but(things="['th', 'ing', 's', '']"),
    "a piece too long": all_but(fourth="'thing'"),
}

SPELLINGS = {
    "each word counted once": [all_but(count="3"), all_but(count="1 + 1 + 1")],
    "pairs of the first word alone": [all_but(count="8.0")],
    "one word left out": [all_but(count="8 + 3"), all_but(count="8 + 1")],
    "letters counted": [all_but(count="2 * 12")],
    "all words added": [all_but(count="8 + 3 + 1 + 2 + 1 + 2 + 1")],
    "letters only": [all_but(second="'in '"), all_but(second="'HE'")],
    "the first merge": [all_but(second="'th'")],
    "two halves": [all_but(second="['th', 'e']"), all_but(second="'th e'")],
    "long words first": [all_but(second="'thi'")],
    "merges after the fourth": [all_but(fourth="'is'")],
    "third merge instead of the fourth": [all_but(fourth="'in'")],
    "pair without its new piece": [all_but(fourth="'ng'")],
    "whole words": [all_but(fourth="'ring'")],
    "only three merges used": [all_but(things="'th in g s'.split()")],
    "piece that was never learned": [all_but(things="('thing', 's')")],
    "letters left apart": [all_but(things="['t', 'h', 'ing', 's']")],
    "no merge used": [all_but(things="list('things')")],
    "left whole": [all_but(things="['things']"), all_but(things="'things'")],
    "ending split off": [all_but(things="['th', 'ings']")],
    "unknown word": [all_but(things="'<unk>'")],
    "text instead of a list": [all_but(things="'th ing s'")],
    "merges alone": [all_but(rows="4")],
    "letters alone": [all_but(rows="9"), all_but(rows="len('eghiknrst')")],
    "whole alphabet": [all_but(rows="26 + 4")],
    "words": [all_but(rows="7")],
    "a letter of the text": [all_but(unknown="'N'"), all_but(unknown="'h'")],
    "the word is unknown": [all_but(unknown="'nothing'")],
    "an unknown pair": [all_but(unknown="'no'")],
}
