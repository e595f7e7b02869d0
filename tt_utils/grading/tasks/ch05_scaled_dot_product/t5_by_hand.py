"""05.5 One query by hand: three scores, three weights, one output."""

import numpy as np

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
no scale: weights = (1/21, 4/21, 16/21)
    You have 1 : 4 : 16, which is the exp of the unscaled scores. What is the root of
    d_k = 4?

no scale, seen in the output: out = 11
    11 comes from the unscaled scores, with the weights 1 : 4 : 16. What is the root of
    d_k = 4?

divided by d_k: weights = np.array([1, 2**0.5, 2]) / (3 + 2**0.5)
    You divided by d_k = 4. Which function of d_k belongs there?

equal weights: weights = (1/3, 1/3, 1/3)
    Equal weights belong to equal scores. Yours are 0, ln 2 and ln 4.

no exp: weights = (0, 1/3, 2/3)
    You divided the scores by their sum. What comes before the division?

no division: weights = (1, 2, 4)
    1, 2 and 4 are the right proportions. What must the three weights add up to?

percent: weights = (14.3, 28.6, 57.1)
    Those are percent. What must the three weights add up to?

scores as weights: weights = (0, math.log(2), math.log(4))
    Those are the scaled scores. What does softmax do with them?

hard choice: weights = (0, 0, 1)
    You gave everything to the best key. Softmax leaves a share for each.

wrong order: weights = (4/7, 2/7, 1/7)
or: weights = (2/7, 1/7, 4/7)
or: weights = (1/7, 4/7, 2/7)
    The three shares are right, their order is not. Which key has the largest score?

plain mean of the values: out = 7
    7 is the plain mean of the values. How much does each one count?

sum of the values: out = 21
    21 is the sum of the values. How much does each one count?

output unnormalised: out = 63
    63 is 7 times too much. Which weights did you use, before or after the division by
    their sum?

value of the best key: out = 14
    You returned the value of the best key alone. What do the other two add?

products not added: out = (1, 0, 8)
    Those are the three weighted values. What turns them into one output?

values with the weights of other keys: out = 6
or: out = 10
or: out = 5
    You gave a value the weight of another key. Which key has the smallest score, and
    which value stands beside it?

scores instead of weights in the output: out = 14 * math.log(4)
or: out = 28 * math.log(4)
    You multiplied the values by the scores. What are scores turned into before they
    meet the values?

no exp, seen in the output: out = 28/3
    28/3 comes from the scores over their sum. What comes before the division?

divided by d_k, seen in the output: out = 35 / (3 + 2**0.5)
    Your output comes from scores divided by d_k = 4. Which function of d_k belongs
    there?
"""

TASK = ValueTask(
    title="One query by hand",
    kind="compute by hand",
    outputs=("weights", "out"),
    right=((1 / 7, 2 / 7, 4 / 7), 9.0),
    also_right=(
        (np.array([0.143, 0.286, 0.571]), 8.995),
        ([1 / 7, 2 / 7, 4 / 7], np.array([9])),
        (np.array([[1 / 7], [2 / 7], [4 / 7]]), 9),
        ((0.1429, 0.2857, 0.5714), 9.001),
    ),
    rtol=2e-3,  # three decimals, and what comes of calculating with them
    atol=1e-3,
    mistakes=MISTAKES,
    hints=(
        "Scale first: with d_k = 4, what remains of 2 ln 2 and of 2 ln 4? Then take exp "
        "of all three.",
        "The weights are three positive numbers over their sum. Each value counts as "
        "much as its weight.",
    ),
    section="By hand: a lookup that blends",
    why="exp turns differences of scores into ratios of weights: ln 2 more is twice the "
    "weight, whatever the other keys are.",
)
