"""Answers to 03.1: scores, weights and blend by hand; then cold, and in a crowd."""

TRUE = ("(2, 0, -1)", "(8 / 11, 2 / 11, 1 / 11)", "(2, -1)", "64 / 69", "8 / 31")
NAMES = ("scores", "weights", "out", "sharp", "crowd")


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    return ", ".join(
        wrong.get(name, right) for name, right in zip(NAMES, TRUE, strict=True)
    )


RIGHT = {
    "fractions": all_but(),
    "lists": "[2, 0, -1], [8 / 11, 2 / 11, 1 / 11], [2, -1], 64 / 69, 8 / 31",
    "three decimals": "(2, 0, -1), (0.727, 0.182, 0.091), (2, -1), 0.928, 0.258",
    "four decimals": "(2, 0, -1), (0.7273, 0.1818, 0.0909), (2.0, -1.0), 0.9275, 0.2581",
    "blend of rounded weights": all_but(out="(1.999, -0.999)"),
    "arrays": "np.array([2, 0, -1]), np.array([8, 2, 1]) / 11, np.array([2, -1]), 16 / 17.25, 4 / 15.5",
    "tensors": "torch.tensor([2, 0, -1]), torch.tensor([8.0, 2, 1]) / 11, torch.tensor([2.0, -1]), 64 / 69, 8 / 31",
    "Fraction": all_but(sharp="Fraction(64, 69)", crowd="Fraction(8, 31)"),
    "fractions in lists": all_but(
        weights="[Fraction(8, 11), Fraction(2, 11), Fraction(1, 11)]"
    ),
    "as a product": all_but(
        scores="np.array([[2, 3, 0], [-2, 1, 1], [3, -1, -2]]) @ [1, 0, 2]"
    ),
    "voices over their sum": all_but(weights="np.array([4, 1, 0.5]) / 5.5"),
    "powers": all_but(
        sharp="2**4 / (2**4 + 2**0 + 2**-2)", crowd="4 / (4 + 1 + 1 / 2 + 10)"
    ),
    "columns": all_but(scores="[[2], [0], [-1]]", out="[[2], [-1]]"),
    "single precision": all_but(weights="np.array([8, 2, 1], np.float32) / 11"),
}

WRONG = {
    "all zeros": "(0, 0, 0), (0, 0, 0), (0, 0), 0, 0",
    "None": "None, None, None, None, 1",
    "words": all_but(crowd="'less'"),
    "another order": all_but(scores="(-1, 0, 2)"),
    "two decimals": all_but(weights="(0.73, 0.18, 0.09)"),
    "percent": all_but(weights="(72.7, 18.2, 9.1)"),
    "signs of the blend": all_but(out="(-2, 1)"),
    "NaN": all_but(sharp="math.nan"),
    "temperature 2": all_but(sharp="2 / 3.5"),
    "voices at temperature one half": all_but(sharp="(16, 1, 0.25)"),
    "two weights": all_but(weights="(0.8, 0.2)"),
    "a truth value": all_but(sharp="True"),
    "one score off": all_but(scores="(2, 1, -1)"),
    "a crowd of nine": all_but(crowd="4 / 14.5"),
}

SPELLINGS = {
    "products not added": [all_but(scores="[[2, 0, 0], [-2, 0, 2], [3, 0, -4]]")],
    "opinions added up": [all_but(scores="[2 + 3, -2 + 1 + 1, 3 - 1 - 2]")],
    "query as yes and no": [all_but(scores="np.array([2, -1, 1])")],
    "tea counted": [all_but(scores="[5, 1, -2]")],
    "squared distances": [all_but(scores="np.array([14.0, 11, 21])")],
    "cosines": [all_but(scores="(2 / 65**0.5, 0, -1 / 70**0.5)")],
    "sign of a score lost": [
        all_but(scores="[2, 0, 1]"),
        all_but(scores="(2.0, 0, 0)"),
    ],
    "voices as weights": [all_but(weights="[4, 1, 1 / 2]")],
    "scores as weights": [all_but(weights="np.array([2, 0, -1]) / 1")],
    "powers of e": [
        all_but(weights="np.exp([2, 0, -1]) / np.exp([2, 0, -1]).sum()"),
        all_but(weights="[0.844, 0.114, 0.042]"),
    ],
    "squares instead of powers": [all_but(weights="np.array([4, 0, 1]) / 5")],
    "no voice at score 0": [all_but(weights="np.array([4, 0, 0.5]) / 4.5")],
    "a negative voice": [all_but(weights="[1.333, 0.333, -0.667]")],
    "equal weights": [all_but(weights="[1 / 3] * 3")],
    "all for the best": [all_but(weights="[1, 0, 0]")],
    "divided by the largest": [all_but(weights="[1, 0.25, 0.125]")],
    "not shared out": [all_but(out="(22 / 2, -11 / 2)")],
    "the best verdicts alone": [all_but(out="[3, -2]")],
    "plain mean": [all_but(out="(1, 0.6667)")],
    "scores as shares": [all_but(out="[4, -7]")],
    "keys blended": [all_but(out="(1.3636, 2.2727, 0)")],
    "blended with powers of e": [all_but(out="(2.3866, -1.4488)")],
    "one verdict alone": [all_but(out="[2]"), all_but(out="2.0")],
    "the two verdicts added": [all_but(out="2 - 1")],
    "parts not added": [
        all_but(out="np.array([[24, -16], [-4, 2], [2, 3]]) / 11"),
    ],
    "colder taken for warmer": [all_but(sharp="2 / (2 + 1 + 2**-0.5)")],
    "weight divided instead of the score": [all_but(sharp="8 / 11 / 0.5")],
    "not shared out again": [all_but(sharp="(8 / 11) ** 2")],
    "only the own voice": [all_but(sharp="16 / 5.5")],
    "temperature without effect": [all_but(sharp="0.727")],
    "weight halved": [all_but(sharp="0.364")],
    "sharpened with powers of e": [
        all_but(sharp="math.e**4 / (math.e**4 + 1 + math.e**-2)")
    ],
    "crowd without a voice": [all_but(crowd="0.727")],
    "crowd and leader only": [all_but(crowd="4 / (4 + 10)")],
    "one of the ten": [all_but(crowd="4 / 6.5")],
    "voices and shares mixed": [all_but(crowd="8 / (11 + 10)")],
    "crowd with doubled voices": [all_but(crowd="4 / (5.5 + 20)")],
    "all alike": [all_but(crowd="0.0769")],
}
