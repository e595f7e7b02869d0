"""Answers to 18.5, BLEU by hand."""

TRUE = ("4 / 5", "1 / 2", "math.exp(-1)", "100 * 0.4**0.5 * math.exp(-1)", "0.95")
NAMES = ("words", "pairs", "penalty", "score", "corpus")


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    return ", ".join(
        wrong.get(name, right) for name, right in zip(NAMES, TRUE, strict=True)
    )


RIGHT = {
    "formulas": all_but(),
    "decimals": "0.8, 0.5, 0.368, 23.27, 0.95",
    "fractions": all_but(words="Fraction(4, 5)", corpus="Fraction(19, 20)"),
    "arrays": "np.array(0.8), np.float32(0.5), np.exp(-1), np.array([23.268]), 19 / 20",
    "tensors": all_but(penalty="torch.exp(torch.tensor(-1.0))"),
    "from e": all_but(penalty="1 / math.e", score="100 / math.e * math.sqrt(0.4)"),
    "by logarithms": all_but(
        score="100 * math.exp((math.log(0.8) + math.log(0.5)) / 2 - 1)"
    ),
    "shares of counts": all_but(words="(2 + 1 + 1) / 5", pairs="2 / (5 - 1)"),
    "rounded more": "0.8, 0.5, 0.3679, 23.27, 0.95",
}

WRONG = {
    "text": all_but(words="'four of five'"),
    "all ones": "1, 1, 1, 1, 1",
    "zeros": "0, 0, 0, 0, 0",
    "score rounded far": all_but(score="23"),
    "pairs of 5": all_but(pairs="0.6"),
    "penalty of base 2": all_but(penalty="0.5 ** 0.5"),
    "score of four lengths": all_but(score="0"),
    "three lengths": all_but(score="100 * 0.1 ** (1 / 3) / math.e"),
    "corpus of pairs": all_but(corpus="16 / 18"),
}

SPELLINGS = {
    "words not clipped": [all_but(words="1.0"), all_but(words="5 / 5")],
    "each word once": [all_but(words="0.6")],
    "words divided by the reference": [all_but(words="0.4")],
    "wrong words": [all_but(words="0.2")],
    "a count of words": [all_but(words="4.0")],
    "percent": [
        all_but(words="80.0"),
        "80, 50, math.exp(-1), 100 * 0.4**0.5 * math.exp(-1), 95",
    ],
    "pairs not clipped": [all_but(pairs="0.75")],
    "pairs divided by the words": [all_but(pairs="0.4")],
    "pairs divided by the reference": [all_but(pairs="0.222")],
    "different pairs": [all_but(pairs="0.667")],
    "one pair alone": [all_but(pairs="0.25")],
    "no penalty": [all_but(penalty="1.0")],
    "ratio as the penalty": [all_but(penalty="0.5")],
    "penalty above 1": [all_but(penalty="2.718")],
    "ratio upside down": [all_but(penalty="0.6065")],
    "exponent without the 1": [all_but(penalty="0.1353")],
    "score without the penalty": [all_but(score="63.25")],
    "arithmetic mean": [all_but(score="23.91")],
    "no root": [all_but(score="14.72")],
    "from 0 to 1": [all_but(score="0.2327")],
    "mean of two shares": [all_but(corpus="(0.8 + 1) / 2")],
    "the second sentence alone": [all_but(corpus="15 / 15")],
}
