"""Answers to 09.2: a tip, a step, a dot product, two scores and three weights."""

TRUE = {
    "tip": "(0.866, -0.5)",
    "step": "((0, 1), (-1, 0))",
    "likeness": "-1.5",
    "score": "-3",
    "other_side": "3",
    "shares": "(0.4, 0.2, 0.4)",
}


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    assert set(wrong) <= set(TRUE)
    return ", ".join((TRUE | wrong).values())


RIGHT = {
    "three decimals": all_but(),
    "sines and cosines": all_but(
        tip="(math.sin(math.radians(120)), math.cos(math.radians(120)))"
    ),
    "lists": all_but(tip="[0.866, -0.5]", step="[[0, 1], [-1, 0]]"),
    "arrays": all_but(
        tip="np.array([3**0.5 / 2, -0.5])", step="np.array([[0, 1], [-1, 0]])"
    ),
    "tensors": all_but(
        tip="torch.tensor([0.866, -0.5])", step="torch.tensor([[0.0, 1], [-1, 0]])"
    ),
    "a softmax": all_but(
        shares="(torch.tensor([math.log(8), 0, 0]) - math.log(2)"
        " * torch.tensor([3, 1, 0])).softmax(0)"
    ),
    "fractions": all_but(
        tip="(Fraction(866, 1000), Fraction(-1, 2))",
        shares="(Fraction(2, 5), Fraction(1, 5), Fraction(2, 5))",
    ),
    "cosines of degrees": all_but(
        likeness="np.cos(np.radians(240)) + np.cos(np.radians(180))",
        score="6 * math.cos(math.radians(120))",
        other_side="6 * math.cos(math.radians(60))",
    ),
    "an angle seen from the other side": all_but(
        score="6 * math.cos(math.radians(-120))",
        other_side="3 * 2 * math.cos(math.radians(300))",
    ),
    "encodings multiplied out": all_but(
        likeness="sum(f(np.radians(7 * s)) * f(np.radians(11 * s))"
        " for s in (60, 45) for f in (np.sin, np.cos))"
    ),
    "the chapter's matrix": all_but(
        step="[[math.cos(math.pi / 2), math.sin(math.pi / 2)],"
        " [-math.sin(math.pi / 2), math.cos(math.pi / 2)]]"
    ),
    "over their sum": all_but(shares="np.array([1, 0.5, 1]) / 2.5"),
    "two decimals": all_but(tip="(0.87, -0.5)"),
    "a column": all_but(tip="np.array([[0.866], [-0.5]])"),
}

WRONG = {
    "zeros": "(0, 0), ((0, 0), (0, 0)), 0, 0, 0, (0, 0, 0)",
    "texts": all_but(tip="'right and down'"),
    "an angle": all_but(tip="120"),
    "radians": all_but(tip="(2.094, 2.094)"),
    "both minus": all_but(tip="(-0.866, 0.5)"),
    "one row": all_but(step="(0, 1, -1, 0)"),
    "an angle for a matrix": all_but(step="90"),
    "half a turn": all_but(step="((-1, 0), (0, -1))"),
    "radians in a matrix": all_but(
        step="((math.cos(90), math.sin(90)), (-math.sin(90), math.cos(90)))"
    ),
    "two numbers": all_but(likeness="(-0.5, -1)"),
    "all lengths": all_but(likeness="2"),
    "radians in a product": all_but(likeness="math.cos(240) + math.cos(180)"),
    "an angle for a score": all_but(score="120"),
    "scaled": all_but(score="-3 / math.sqrt(2)"),
    "radians in a score": all_but(score="6 * math.cos(120)"),
    "a weight missing": all_but(shares="(0.4, 0.2)"),
    "percent": all_but(shares="(40, 20, 40)"),
    "base 2": all_but(shares="np.array([2**3 / 2**3, 1, 1]) / 3"),
    "None": all_but(score="None"),
}

SPELLINGS = {
    "tip with sine and cosine exchanged": [
        all_but(tip="(math.cos(math.radians(120)), math.sin(math.radians(120)))"),
        all_but(tip="[-0.5, 0.87]"),
    ],
    "tip turned anticlockwise": [
        all_but(tip="(-math.sin(math.radians(120)), math.cos(math.radians(120)))")
    ],
    "tip counted from 1": [all_but(tip="[1.0, 0.0]")],
    "tip one step too far": [
        all_but(tip="(math.sin(math.radians(150)), math.cos(math.radians(150)))")
    ],
    "tip after one step": [all_but(tip="np.array([0.5, 0.866])")],
    "tip in degrees taken for radians": [all_but(tip="(np.sin(120), np.cos(120))")],
    "tip pointing up": [all_but(tip="(0.87, 0.5)")],
    "step turned anticlockwise": [all_but(step="np.array([[0, -1], [1, 0]])")],
    "step that holds the place": [
        all_but(
            step="[[math.cos(math.radians(210)), math.sin(math.radians(210))],"
            " [-math.sin(math.radians(210)), math.cos(math.radians(210))]]"
        )
    ],
    "step that holds the old place": [all_but(step="((-0.5, 0.87), (-0.87, -0.5))")],
    "step of one place": [all_but(step="[[0.866, 0.5], [-0.5, 0.866]]")],
    "step with sine and cosine exchanged": [
        all_but(step="np.eye(2)"),
        all_but(step="((1, 0), (0, -1))"),
    ],
    "step without the minus": [all_but(step="1 - np.eye(2)")],
    "likeness of the fast hand": [all_but(likeness="math.cos(math.radians(240))")],
    "likeness of the slow hand": [all_but(likeness="math.cos(math.pi)")],
    "likeness as a mean": [all_but(likeness="-1.5 / 2")],
    "likeness of angles added": [
        all_but(likeness="math.cos(math.radians(240 + 180))"),
        all_but(likeness="-0.5 * -1"),
    ],
    "likeness with place 7": [
        all_but(likeness="math.cos(math.radians(420)) + math.cos(math.radians(315))")
    ],
    "likeness with place 11": [
        all_but(likeness="math.cos(math.radians(660)) + math.cos(math.radians(495))")
    ],
    "likeness with the places added": [all_but(likeness="1.0")],
    "likeness three places apart": [all_but(likeness="-1 - 0.707")],
    "likeness with the sines": [all_but(likeness="math.sin(math.radians(240))")],
    "likeness without the sign": [all_but(likeness="0.5 + 1")],
    "score not turned": [all_but(score="0.0"), all_but(other_side="0")],
    "score from the turning alone": [
        all_but(score="6 * math.cos(math.radians(30))"),
        all_but(other_side="5.196"),
    ],
    "only q turned": [
        all_but(score="6 * math.cos(math.radians(45))"),
        all_but(other_side="6 * math.cos(math.radians(15))"),
    ],
    "only k turned": [
        all_but(score="6 * math.cos(math.radians(165))"),
        all_but(other_side="6 * math.cos(math.radians(135))"),
    ],
    "score of the other side": [all_but(score="3.0")],
    "side not known": [all_but(other_side="-3.0")],
    "lengths forgotten": [all_but(score="-1 / 2"), all_but(other_side="0.5")],
    "lengths added": [all_but(score="5 * -0.5"), all_but(other_side="5 / 2")],
    "turned in opposite directions": [all_but(score="6 * math.cos(math.radians(210))")],
    "no price": [all_but(shares="[0.8, 0.1, 0.1]")],
    "price added": [all_but(shares="(0.955, 0.030, 0.015)")],
    "one price for all": [all_but(shares="(0.727, 0.091, 0.182)")],
    "keys counted instead of places": [all_but(shares="(0.571, 0.143, 0.286)")],
    "distances in the reverse order": [
        all_but(
            shares="(torch.tensor([math.log(8), -math.log(2), -math.log(8)])).softmax(0)"
        )
    ],
    "no division": [all_but(shares="[1, 0.5, 1]")],
    "scores after the price": [all_but(shares="(0, -math.log(2), 0)")],
    "equal weights": [all_but(shares="np.ones(3) / 3")],
    "price after softmax": [
        all_but(
            shares="(0.8 - 3 * math.log(2), 0.1 - math.log(2), 0.1)",
        )
    ],
}
