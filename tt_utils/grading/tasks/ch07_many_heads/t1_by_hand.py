"""07.1 Four heads by hand, and the same numbers as one head."""

import numpy as np

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
root of the width of the model: scale = 6
    6 is the root of 36, the width of the model. How many products does one head add up?

width of a head itself: scale = 9
or: scale = 36
    You took a width as it is. By which function of it are dot products divided?

root of a count: scale = 2
or: scale = 2**0.5
    You took the root of a count of heads or of words. How many numbers has a key of one
    head?

divided by nothing: scale = 1
    A key of one head has more than one number. How many has it, and what is the root of
    that?

scaled like one wide head: cat_shares = (2/3, 4/5, 2**0.5 / (1 + 2**0.5), 1 / (1 + 2**0.5))
    You divided by 6, the root of the model's width. How many numbers does a key have in
    one head?

not scaled: cat_shares = (64/65, 4096/4097, 8/9, 1/9)
    You took exp of the products as they stand in the table. What happens to them before
    softmax?

divided by the width of a head: cat_shares = 1 / (1 + 2 ** -(np.array([6, 12, 3, -3]) / 9))
    You divided by 9, the width of a head. Which function of it belongs there?

rounded to two decimals: cat_shares = (0.8, 0.94, 0.67, 0.33)
    These are right to two decimals. The task asks for fractions or three decimals.

hard choice: cat_shares = (1, 1, 1, 0)
    You gave everything to the larger product. Softmax leaves some weight for the other.

no division: cat_shares = (4, 16, 2, 0.5)
or: cat_shares = (4, 16, 2, 1)
    Those are proportions, cat to dog. What must the weights of the two words add up to?

percent: cat_shares = (80, 94.1, 66.7, 33.3)
    Those are percent. What must the weights of the two words add up to?

shares of the dog: cat_shares = (1/5, 1/17, 1/3, 2/3)
    Those are the weights of *dog*. Whose are asked for?

shared among the heads: cat_shares = (4/23, 16/23, 2/23, 1/23)
or: cat_shares = (8/45, 32/45, 4/45, 1/45)
    Your four numbers sum to 1: the heads share one cat. Among whom does each head share
    out its weight?

same shares in every head: cat_shares = (8/9, 8/9, 8/9, 8/9)
    You gave one set of weights to all heads. How many queries does a word have in four
    heads?

scores instead of shares: cat_shares = (2 * math.log(2), 4 * math.log(2), math.log(2), 0)
or: cat_shares = (2 * math.log(2), 4 * math.log(2), math.log(2), -math.log(2))
    Those are the scaled scores. What does softmax do with them?

last head as if cat had won: cat_shares = (4/5, 16/17, 2/3, 2/3)
    Three are right. In head 4, which of the two words has the larger product?

last head undecided: cat_shares = (4/5, 16/17, 2/3, 1/2)
    Three are right. In head 4, *cat* has a product of 0. Which one has *dog*?

blend with equal shares: blend = 6
    6 is half of each value, or two thirds of one and nothing of the other. What are the
    two weights in head 3?

blend with the shares exchanged: blend = 5
    You gave *dog* the weight of *cat*. Which product is larger in head 3?

values added without shares: blend = 12
    You added the two values. How much does each one count?

value of the better word: blend = 9
    That is the value of *cat* alone. What does *dog* add?

blend with the shares of one head: blend = 9 * 8/9 + 3 * 1/9
    You blended with weights of 8 to 1. The product of *cat* in head 3 is 3 ln 2: what
    is its score?

blend unnormalised: blend = 21
    21 is 3 times too much. Which factors did you use, before or after the division by
    their sum?

blend with another head's shares: blend = 9 * 4/5 + 3 * 1/5
or: blend = 9 * 16/17 + 3 * 1/17
    Those are the weights of another head. Which column of the table belongs to head 3?

mean of the shares: one_share = (4/5 + 16/17 + 2/3 + 1/3) / 4
    You took the mean of the four weights. What does one wide head add up, and at which
    step?

one head scaled like a narrow one: one_share = 64/65
    You divided by 3, the root of a narrow head's width, or multiplied the four
    proportions. How many numbers has a key of the one head?

one head not scaled: one_share = 2**18 / (1 + 2**18)
or: one_share = 1
    *cat* gets nearly everything in yours, so the scores lie far apart. What happens to
    the sum of the products before softmax?

one head divided by its width: one_share = 2**0.5 / (1 + 2**0.5)
    You divided by 36. Which function of the width belongs there?

one head, dog's share: one_share = 1/9
    That is the weight of *dog*. Whose is asked for?

one head without the dog: one_share = 2**3.5 / (1 + 2**3.5)
    You left out the product of *dog*. What does it add up to over all the numbers?

one head undecided: one_share = 1/2
    In the chapter both sums were equal. What are they here?

one head, proportion: one_share = 8
    8 to 1 is right as a proportion. What must the weights of the two words add up to?
"""

TASK = ValueTask(
    title="Four heads by hand",
    kind="compute by hand",
    outputs=("scale", "cat_shares", "blend", "one_share"),
    right=(3.0, (4 / 5, 16 / 17, 2 / 3, 1 / 3), 7.0, 8 / 9),
    also_right=(
        (3, (0.8, 0.941, 0.667, 0.333), 7.002, 0.889),
        (9**0.5, np.array([[0.8], [0.9412], [0.6667], [0.3333]]), 7, 0.8889),
        ([3], [4 / 5, 16 / 17, 2 / 3, 1 / 3], np.array([7]), [8 / 9]),
    ),
    rtol=2e-3,  # three decimals, and what comes of calculating with them
    atol=1e-3,
    mistakes=MISTAKES,
    hints=(
        "How many numbers has a key of one head? Divide by the root of that and look at "
        "one column of the table: by how much is the one score larger than the other?",
        "A difference of ln 2 between two scores is a proportion of 2 to 1, of 2 ln 2 it "
        "is 4 to 1. For one wide head, which products are added before all else?",
    ),
    section="Two narrow heads",
    why="Four heads have four sets of weights, from a third to nearly all. Uncut, the "
    "same numbers are added up first, and one set of weights is left in place of four.",
)
