"""03.1 From one query to its answer by hand; then colder, and in a crowd."""

import numpy as np

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
products not added: scores = ((2, 0, 0), (-2, 0, 2), (3, 0, -4))
    You have the right products. A score is one number for each friend: what do you do
    with the three products?

opinions added up: scores = (5, 0, 0)
    You added up what each friend thinks of the drinks. Where does Jo's own taste come in?

query as yes and no: scores = (2, -1, 1)
    For you, Jo likes coffee no more than milk. What does the 2 in the query do?

tea counted: scores = (5, 1, -2)
    You let tea count. Jo has no opinion on it: by what number is a taste for tea
    multiplied?

squared distances: scores = (14, 11, 21)
    You measured how far the tastes lie apart. This chapter compares them by which product
    of query and key?

cosines: scores = (0.248, 0, -0.1195)
or: scores = (0.25, 0, -0.12)
    You divided by lengths. A score is the plain dot product: what happens to the lengths?

sign of a score lost: scores = (2, 0, 1)
or: scores = (2, 0, 0)
    Mia likes milk as Jo does, but not coffee. On which side of 0 is her score?

sign of a product lost: scores = (2, 0, 7)
or: scores = (2, -4, -1)
    One of your products has the wrong sign. What is the sign of a number below 0 times
    one above 0, and of which product is that the case?

voices as weights: weights = (4, 1, 0.5)
    Those are the voices. What do the weights of one query add up to, and how do you get
    there?

scores as weights: weights = (2, 0, -1)
    One of your shares is above 1 and one below 0. What is done to a score before anything
    is divided?

powers of e: weights = (0.844, 0.114, 0.042)
or: weights = (0.84, 0.11, 0.04)
or: weights = (0.8438, 0.1142, 0.042)
    You multiplied by e for each point. Which number does this task multiply by?

squares instead of powers: weights = (0.8, 0, 0.2)
or: weights = (4 / 5, 0 / 5, 1 / 5)
    A friend with a score of 0 is silent in yours, and one with −1 is not: you squared the
    scores. In 2 to the power of a score, where does the score stand?

no voice at score 0: weights = (8 / 9, 0, 1 / 9)
or: weights = (0.889, 0, 0.111)
    Leo has no weight in yours. What is 2 to the power of 0?

minus one read as one: weights = (4 / 7, 1 / 7, 2 / 7)
or: weights = (0.571, 0.143, 0.286)
    Mia's voice is 2 in yours. A point more doubles a voice: what does a point less do to
    the voice of a score of 0?

two decimals: weights = (0.73, 0.18, 0.09)
or: sharp = 0.93
or: crowd = 0.26
    Right to two decimals. Write three, or better a fraction, so that nothing is lost: what
    is divided by what?

a negative voice: weights = (4 / 3, 1 / 3, -2 / 3)
or: weights = (8 / 9, 2 / 9, -1 / 9)
    A voice is never negative. What does one point less do to a voice: change its sign, or
    halve it?

equal weights: weights = (1 / 3, 1 / 3, 1 / 3)
or: weights = (0.333, 0.333, 0.333)
    Equal weights belong to equal scores. Are these equal?

all for the best: weights = (1, 0, 0)
    That is a hard lookup: the best key takes all. What is a soft one?

divided by the largest: weights = (1, 1 / 4, 1 / 8)
    You divided by the largest voice. What should the three weights add up to?

not shared out: out = (11, -5.5)
    On a scale that ends at 3 this is too much: you multiplied by the voices. What turns
    them into shares?

the best verdicts alone: out = (3, -2)
    Those are Kim's verdicts alone. What do the other two add?

plain mean: out = (1, 2 / 3)
or: out = (1, 0.667)
    That is the plain mean: every friend counts the same. Which weights did you find?

scores as shares: out = (4, -7)
    Far outside the verdicts: you multiplied them by the scores. Which numbers are the
    shares?

keys blended: out = (15 / 11, 25 / 11, 0)
or: out = (1.364, 2.273, 0)
    You mixed the tastes. Keys are there to be found: what do the friends pass on?

blended with powers of e: out = (2.387, -1.449)
or: out = (2.39, -1.45)
    You mixed with powers of e. Which number does this task multiply by for each point?

one verdict alone: out = 2
or: out = -1
    One number is missing. On how many drinks does each friend pass on a verdict?

the two verdicts added: out = 1
    You added cocoa and juice. How many numbers does one value hold, and how many does a
    blend of such values?

parts not added: out = ((24 / 11, -16 / 11), (-4 / 11, 2 / 11), (2 / 11, 3 / 11))
    Those are the three weighted values. What turns them into one answer?

colder taken for warmer: sharp = 0.5395
or: sharp = 0.54
or: sharp = 2 / (3 + 0.5 ** 0.5)
    Your lookup became softer. Is a score divided by ½ larger or smaller than before?

weight divided instead of the score: sharp = 16 / 11
    A weight above 1? You divided the weight itself. Which numbers does temperature
    divide?

not shared out again: sharp = 64 / 121
    Every voice is squared now. What else changes, so that the three weights still add up
    to 1?

only the own voice: sharp = 32 / 11
    More than a whole: only Kim's voice became larger in yours. Whose scores does
    temperature divide?

temperature without effect: sharp = 8 / 11
    Nothing has changed in yours. Adding to all scores changes no weight; does dividing
    them?

weight halved: sharp = 4 / 11
    You multiplied the weight by ½. At a low temperature, does the leader get more or
    less?

sharpened with powers of e: sharp = 0.9796
or: sharp = 0.98
    You used e here. Which number does this task multiply by for each point?

crowd without a voice: crowd = 8 / 11
    You let ten friends join without any weight. What is the voice of a score of 0?

crowd and leader only: crowd = 2 / 7
    Kim and the ten are all that you counted. Who else still has a voice?

one of the ten: crowd = 8 / 13
    You counted one newcomer. How many voices came in?

voices and shares mixed: crowd = 8 / 21
    You added ten voices to eleven parts of a weight. How large is the sum of the three old
    voices?

crowd with doubled voices: crowd = 8 / 51
    Each newcomer has a voice of 2 in yours. What is 2 to the power of 0?

all alike: crowd = 1 / 13
    You gave all thirteen friends the same share. Do they all have the same score?
"""

TASK = ValueTask(
    title="Jo asks three friends",
    kind="compute by hand",
    outputs=("scores", "weights", "out", "sharp", "crowd"),
    right=(
        (2, 0, -1),
        (8 / 11, 2 / 11, 1 / 11),
        (2.0, -1.0),
        64 / 69,
        8 / 31,
    ),
    also_right=(
        ([2, 0, -1], [0.727, 0.182, 0.091], [2, -1], 0.928, 0.258),
        (
            np.array([2.0, 0, -1]),
            (0.7273, 0.1818, 0.0909),
            (1.999, -0.999),
            0.9275,
            0.2581,
        ),
        (
            (2, 0, -1),
            np.array([8, 2, 1]) / 11,
            np.array([[2, -1]]),
            16 / 17.25,
            4 / 15.5,
        ),
    ),
    rtol=1e-3,  # three decimals, and what comes of calculating with them
    atol=1e-3,
    mistakes=MISTAKES,
    hints=(
        "Three steps: compare (a dot product for each friend), make it positive (2 to the "
        "power of the score), share out (divide by the sum). Only then blend.",
        "For the last two: what becomes of each score, and so of each voice? Then add the "
        "voices up anew.",
    ),
    section="By hand: Dora asks three friends",
    why="Temperature changes leads, and so ratios of voices; a crowd changes the sum that "
    "they are divided by. Either way the weights still share out a whole 1.",
)
