"""10.4 LayerNorm of one small row, and the parameters of two parts, by hand."""

import numpy as np

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
gamma and beta left out: row = (-0.2, -1.4, 0.2, 1.4)
    Mean and width are right. What is left to do with γ and β?

gamma left out: row = (3.8, -0.4, 0.2, -2.6)
    Your shift is right. What does γ do before it?

beta left out: row = (-1, -7, 2, 14)
    Your stretch is right. What does β do after it?

gamma and beta swapped: row = np.array([-0.2, -1.4, 0.2, 1.4]) * [4, 1, 0, -4] + [5, 5, 10, 10]
    You stretched by β and shifted by γ. Which of the two does which?

beta stretched too: row = (np.array([-0.2, -1.4, 0.2, 1.4]) + [4, 1, 0, -4]) * [5, 5, 10, 10]
    You shifted first and stretched after. In which order does LayerNorm do that?

divided by d less 1: row = np.array([-1, -7, 1, 7]) / (100 / 3) ** 0.5 * [5, 5, 10, 10] + [4, 1, 0, -4]
    You divided the squares by 3. How many numbers does the row have, and by how many
    does LayerNorm divide?

divided by the variance: row = np.array([-1, -7, 1, 7]) / 25 * [5, 5, 10, 10] + [4, 1, 0, -4]
    You divided by the variance, 25. What must be taken of it first?

squares not averaged: row = np.array([-1, -7, 1, 7]) / 10 * [5, 5, 10, 10] + [4, 1, 0, -4]
    You divided by the root of the sum of squares. What makes a mean out of the sum 100?

mean distance: row = np.array([-1, -7, 1, 7]) / 4 * [5, 5, 10, 10] + [4, 1, 0, -4]
    You divided by the mean distance, 4. What is done to the distances in a variance?

not divided: row = np.array([-1, -7, 1, 7]) * [5, 5, 10, 10] + [4, 1, 0, -4]
or: row = (-1, -7, 1, 7)
    You subtracted the mean. By what are the distances divided next?

mean kept: row = np.array([11, 5, 13, 19]) / 5 * [5, 5, 10, 10] + [4, 1, 0, -4]
    You divided by 5, which is right, but the mean is still in. What comes first?

root mean square: row = np.array([11, 5, 13, 19]) / 13 * [5, 5, 10, 10] + [4, 1, 0, -4]
    You divided by the root of the mean square, 13: that is RMSNorm. What does LayerNorm
    subtract first?

signs turned: row = (5, 8, -2, -18)
    Your distances have the wrong sign. Is 5 above the mean of the row or below it?

biases left out: feed_forward_count = 2 * 768 * 3072
    You counted the two matrices. What does each of them have beside it?

second bias left out: feed_forward_count = 2 * 768 * 3072 + 3072
    3,072 biases after the first matrix: and how many after the second?

first bias left out: feed_forward_count = 2 * 768 * 3072 + 768
    768 biases after the second matrix: and how many after the first?

one matrix: feed_forward_count = 768 * 3072 + 3072
or: feed_forward_count = 768 * 3072
or: feed_forward_count = 768 * 3072 + 768
or: feed_forward_count = 768 * 3072 + 3072 + 768
    You counted one matrix. How does the vector come back from 3,072 to 768?

both biases of one width: feed_forward_count = 2 * (768 * 3072 + 3072)
or: feed_forward_count = 2 * (768 * 3072 + 768)
    You gave both matrices a bias of the same width. How many numbers come out of the
    first one, and how many out of the second?

square matrices: feed_forward_count = 2 * (768 * 768 + 768)
or: feed_forward_count = 2 * 768 * 768
    You kept the width at 768. How wide is the vector between the two matrices?

wide square: feed_forward_count = 2 * (3072 * 3072 + 3072)
or: feed_forward_count = 2 * 3072 * 3072
or: feed_forward_count = 3072 * 3072
    Your matrices are 3,072 by 3,072. How wide is the vector that goes in, and the one
    that comes out?

counted for every word: feed_forward_count = 128 * (2 * 768 * 3072 + 3072 + 768)
    You counted one feed-forward part for each of the 128 words. Does each position have
    weights of its own?

one row in the norm: norm_count = 768
    You counted one row of 768 numbers. Which two does LayerNorm learn?

mean and variance counted: norm_count = 4 * 768
    Mean and variance are computed anew for each row. What is left that is learned?

two numbers: norm_count = 2
    Look at the row above: γ and β are no single numbers there. How many has each?

one gamma and beta for each word: norm_count = 2 * 128 * 768
or: norm_count = 2 * 128
    You counted the words in. Does each position have a γ of its own?

norm with a matrix: norm_count = 768 * 768 + 768
or: norm_count = 768 * 768
    A matrix would mix features. γ stretches each feature by itself: how many numbers
    does that take?

norm over the wide layer: norm_count = 2 * 3072
    LayerNorm stands where the vector is narrow. How wide is it there?
"""

TASK = ValueTask(
    title="A norm and two counts by hand",
    kind="compute by hand",
    outputs=("row", "feed_forward_count", "norm_count"),
    right=((3.0, -6.0, 2.0, 10.0), 4_722_432, 1536),
    also_right=(
        (np.array([3, -6, 2, 10]), 4722432.0, 2 * 768),
        ([[3.0], [-6.0], [2.0], [10.0]], 2 * 768 * 3072 + 3840, [1536]),
        ((3.001, -5.999, 2.0, 10.002), 4_722_432, 1536.0),
    ),
    rtol=1e-4,  # so that a count without a row of biases is told from another
    atol=5e-3,
    mistakes=MISTAKES,
    hints=(
        "For the row: the mean is a whole number, and so is the root of the mean of the "
        "four squares. Divide, then stretch by γ, then shift by β.",
        "For the counts, write down every matrix with its two sizes and every row with "
        "its one. How many rows belong to a matrix, and how many to a norm?",
    ),
    section="LayerNorm by hand",
    why="The feed-forward part holds 3,000 times as many numbers as a norm, and none of "
    "them knows how many words there are.",
)
