"""Answers to 03.4: what each change does to Ana's weight, or to Dora's answer."""

TRUE = {
    "verdict": "same",
    "tea": "same",
    "milk": "same",
    "ben": "up",
    "cold": "up",
    "newcomer": "down",
    "twins": "down",
    "answer": "same",
}


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    return ", ".join(repr(wrong.get(name, right)) for name, right in TRUE.items())


RIGHT = {
    "words": all_but(),
    "capitals": all_but(verdict="Same", ben="Up", newcomer="Down"),
    "shouted": all_but(verdict="SAME", cold="UP", twins="DOWN"),
    "blanks around": all_but(tea=" same ", milk="same "),
    "a list of one": "['same'], 'same', 'same', 'up', 'up', 'down', 'down', 'same'",
    "a tuple of one": "'same', ('same',), 'same', 'up', 'up', 'down', 'down', 'same'",
    "a list taken apart": "(*['same'] * 3, *['up'] * 2, *['down'] * 2, 'same')",
    "arrays of text": "np.array('same'), 'same', 'same', 'up', 'up', 'down', 'down', 'same'",
}

WRONG = {
    "all the same": "(*['same'] * 8,)",
    "all up": "(*['up'] * 8,)",
    "all down": "(*['down'] * 8,)",
    "numbers": "0, 0, 0, 1, 1, -1, -1, 0",
    "other words": all_but(ben="more", cold="more", newcomer="less"),
    "truth values": "False, False, False, True, True, False, False, False",
    "values decide": all_but(verdict="down", answer="up"),
    "crowds count for nothing": all_but(newcomer="same", twins="same"),
    "None": "None, 'same', 'same', 'up', 'up', 'down', 'down', 'up'",
    "weights instead": "0.71, 0.71, 0.71, 0.84, 0.88, 0.64, 0.35, 0.71",
    "turned around": all_but(ben="down", cold="down", newcomer="up", twins="up"),
}

SPELLINGS = {
    "a better verdict wins": [all_but(verdict="UP"), all_but(verdict="Down")],
    "more tea wins": [all_but(tea="Up"), all_but(tea="Down")],
    "a common bonus widens the lead": [all_but(milk="Up")],
    "a common bonus levels": [all_but(milk="Down")],
    "a rival falls without effect": [all_but(ben="Same")],
    "a rival falls and takes her along": [all_but(ben="Down")],
    "cold without effect": [all_but(cold="Same")],
    "cold flattens": [all_but(cold=" down")],
    "an empty key has no voice": [all_but(newcomer="Same")],
    "a newcomer lifts the leader": [all_but(newcomer="Up")],
    "twins change nothing": [all_but(twins="Same")],
    "twins lift the leader": [all_but(twins="UP")],
    "twins raise the answer": [all_but(answer="Up")],
    "twins lower the answer": [all_but(answer="Down")],
}
