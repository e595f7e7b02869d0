"""09.2 A tip, a step, a dot product, two turned scores and a price, by hand."""

import numpy as np

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
tip with sine and cosine exchanged: tip = (-0.5, 0.866)
    Those are the two numbers in the reverse order. Which of them says how far to the
    right the tip is?

tip turned anticlockwise: tip = (-0.866, -0.5)
    Your tip is on the left. The hand starts upright and goes clockwise: on which side
    is it after 120°?

tip counted from 1: tip = (1, 0)
    That is where the hand is after three steps. Which position is it upright at?

tip one step too far: tip = (0.5, -0.866)
    That is where the hand is after five steps. Which position is it upright at?

tip after one step: tip = (0.5, 0.866)
    That is position 1. By how much has the hand moved at position 4?

tip in degrees taken for radians: tip = (math.sin(120), math.cos(120))
    A computer takes 120 as radians, about 19 full turns. How many radians are 120°?

tip pointing up: tip = (0.866, 0.5)
    The side is right. After 120°, does the hand point above or below the middle?

step turned anticlockwise: step = ((0, -1), (1, 0))
    Your matrix turns the other way: it sends the upright hand (0, 1) to the left. Which
    of the four signs differs from the chapter's matrix?

step that holds the position: step = ((-0.866, -0.5), (0.5, -0.866))
    You put the angle of position 7 into the matrix. It should turn on from position 4:
    which angle lies between the two?

step that holds the old position: step = ((-0.5, 0.866), (-0.866, -0.5))
    You put the angle of position 4 into the matrix. That is where the hand is already:
    by how much does it still turn?

step of one position: step = ((0.866, 0.5), (-0.5, 0.866))
    Your matrix moves the hand on by one position. How many positions lie between 4 and
    7?

step with sine and cosine exchanged: step = ((1, 0), (0, 1))
or: step = ((1, 0), (0, -1))
    Your matrix leaves the upright hand where it is, or turns it upside down. What are
    cosine and sine of 90°?

step without the minus: step = ((0, 1), (1, 0))
    Your matrix swaps the two numbers of a tip, which is a mirror and not a turn. What
    is a hand on the right, (1, 0), after another 90°?

likeness of the fast hand: likeness = -0.5
    That is one of the hands alone. What does the other add to the dot product?

likeness of the slow hand: likeness = -1
    That is one of the hands alone. What does the other add to the dot product?

likeness as a mean: likeness = -0.75
    You divided by 2: that is the cosine of the two encodings. What is asked for?

likeness of angles added: likeness = 0.5
    You multiplied the two cosines, or put both angles into one. What does a dot product
    do with the parts that the hands bring?

likeness with position 7: likeness = 1.207
    Those are the angles of position 7, counted from position 0. Which distance counts?

likeness with position 11: likeness = -0.207
    Those are the angles of position 11, counted from position 0. Which distance counts?

likeness with the positions added: likeness = 1
    Those are the angles of 18 positions, 7 + 11. Which distance counts?

likeness three positions apart: likeness = -1.707
    Those are the angles of three positions. How many steps lead from 7 to 11?

likeness with the sines: likeness = -0.866
    You added sines of the two angles. By the chapter's formula, which function of the
    angle between two tips is their dot product?

likeness without the sign: likeness = 1.5
    A cosine may be negative. On which side of 90° are your two angles?

score not turned: score = 0
or: other_side = 0
    Those are the vectors before they turn. At their positions, in which directions do
    they point?

score from the turning alone: score = 5.196
or: other_side = 5.196
    Two positions are 30°, but q and k did not start in the same direction. How many
    degrees were between them before they turned?

only q turned: score = 4.243
or: other_side = 5.796
    You turned the query alone. What else is turned, and by how much?

only k turned: score = -5.796
or: other_side = -4.243
    You turned the key alone. What else is turned, and by how much?

score of the other side: score = 3
    That is what you get when q stands after k, or when both turn clockwise. Which way
    do the arrows turn, and does k, two positions on, come nearer to q that way?

side not known: other_side = -3
    The distance is the same as before, the side is not. Arrows turn anticlockwise: how
    many degrees does k keep of its lead, now that q turns further than k?

lengths forgotten: score = -0.5
or: other_side = 0.5
    That is the cosine of the angle between them. How long are q and k?

lengths added: score = -2.5
or: other_side = 2.5
    You took 3 + 2 times the cosine. What is done with the two lengths in a dot product?

turned in opposite directions: score = -5.196
or: other_side = -5.196
    You turned q and k in different directions. Which way does each of them go?

no price: shares = (0.8, 0.1, 0.1)
    Those are the weights without ALiBi. What does each key lose for its distance?

price added: shares = np.array([64, 2, 1]) / 67
    In yours a key gains by being far away. Is the price added to the score or taken
    off?

one price for all: shares = np.array([4, 0.5, 1]) / 5.5
    You took one price off each key that is not right here. How much does a key at
    distance 3 pay?

keys counted instead of positions: shares = np.array([2, 0.5, 1]) / 3.5
    You gave the keys the distances 2, 1 and 0. Which distances do they have?

distances in the reverse order: shares = np.array([8, 0.5, 0.125]) / 8.625
    You gave the distances to the wrong keys. Which key is the one that is right here?

no division: shares = (1, 0.5, 1)
    Those are the powers of e, in the right proportions. What must the three weights add
    up to?

scores after the price: shares = (0, -0.693, 0)
    Those are the scores after the price. What does softmax do with them?

equal weights: shares = (1/3, 1/3, 1/3)
    Equal weights belong to equal scores. What are the three scores after the price?

price after softmax: shares = np.array([0.1, 0.05, 0.1])
or: shares = (0.8 - 3 * math.log(2), 0.1 - math.log(2), 0.1)
    You took the price off the weights, and they no longer add up to 1. What is it taken
    off?
"""

TASK = ValueTask(
    title="Hands, turns and a price, by hand",
    kind="compute by hand",
    outputs=("tip", "step", "likeness", "score", "other_side", "shares"),
    right=(
        (3**0.5 / 2, -0.5),
        ((0.0, 1.0), (-1.0, 0.0)),
        -1.5,
        -3.0,
        3.0,
        (0.4, 0.2, 0.4),
    ),
    also_right=(
        (
            [0.866, -0.5],
            np.array([[0, 1], [-1, 0]]),
            -1.5,
            -3,
            3,
            np.array([2, 1, 2]) / 5,
        ),
        (
            np.array([[0.87], [-0.5]]),
            ((6e-17, 1), (-1, 6e-17)),
            -1.499,
            -2.999,
            3.001,
            (0.4, 0.2, 0.4),
        ),
    ),
    rtol=5e-3,  # two or three decimals, and what comes of calculating with them
    atol=2e-3,
    mistakes=MISTAKES,
    hints=(
        "Draw it. A hand starts upright and goes clockwise; q and k go anticlockwise "
        "from where they start. Which angle is asked for each time?",
        "A dot product of two arrows is length times length times the cosine of the "
        "angle between them. The tips of hands have the length 1.",
    ),
    section="A step is a turn",
    why="A step is one turn wherever it begins, so a dot product of turned arrows knows "
    "the distance and the side. ALiBi's price of ln 2 halves a weight at each step.",
)
