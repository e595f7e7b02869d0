"""22.1 RMSNorm and LayerNorm of one row, before and after a constant, by hand."""

import numpy as np

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
gamma left out: rms_row = (1, -0.6, 1.8, 0.2, 0.6)
    The root mean square is right. What is left to do with γ?

gamma added: rms_row = np.array([1, -0.6, 1.8, 0.2, 0.6]) + [2, 10, 5, 10, 5]
    You added γ. What does it do to each number?

mean subtracted: rms_row = (1, -15, 7.5, -5, 0)
    That is LayerNorm. Which of its two steps does RMSNorm leave out?

mean subtracted from x alone: rms_row = (0.8, -12, 6, -4, 0)
    You divide by the right number. What did you take away before?

divided by the width of the row: rms_row = (2.5, -7.5, 11.25, 2.5, 3.75)
    You divided by 4, the standard deviation. From where are distances measured in a
    root mean square: from the mean, or from 0?

no root: rms_row = (0.4, -1.2, 1.8, 0.4, 0.6)
    You divided by the mean square, 25. What is done to it first?

squares not averaged: rms_row = np.array([5, -3, 9, 1, 3]) / 125**0.5 * [2, 10, 5, 10, 5]
    You divided by the root of the sum of squares. What makes a mean out of the sum 125?

divided by d less 1: rms_row = np.array([5, -3, 9, 1, 3]) / 31.25**0.5 * [2, 10, 5, 10, 5]
    You divided the squares by 4. How many numbers has the row?

mean of the sizes: rms_row = np.array([5, -3, 9, 1, 3]) / 4.2 * [2, 10, 5, 10, 5]
    You divided by the mean of the absolute values, 4.2. What is averaged instead?

divided by the mean: rms_row = np.array([5, -3, 9, 1, 3]) / 3 * [2, 10, 5, 10, 5]
    You divided by the mean, 3. What is averaged instead of the numbers themselves?

not divided: rms_row = (10, -30, 45, 10, 15)
or: rms_row = (5, -3, 9, 1, 3)
    Your numbers keep their size. By what is the row divided?

sign lost: rms_row = (2, 6, 9, 2, 3)
    The sizes are right. A square has no sign: has the number itself one?

gamma left out of LayerNorm: layer_row = (0.5, -1.5, 1.5, -0.5, 0)
    Mean and width are right. What is left to do with γ?

RMSNorm for LayerNorm: layer_row = (2, -6, 9, 2, 3)
    That is RMSNorm. What does LayerNorm do before it divides?

mean kept: layer_row = (2.5, -7.5, 11.25, 2.5, 3.75)
    You divided by 4, which is right, and the mean is still in. What comes first?

divided by the root mean square: layer_row = (0.8, -12, 6, -4, 0)
    You subtracted the mean, which is right. The root mean square of what is left: is it
    the one of x?

divided by the variance: layer_row = (0.25, -3.75, 1.875, -1.25, 0)
    You divided by the variance, 16. What must be taken of it first?

distances not averaged: layer_row = np.array([2, -6, 6, -2, 0]) / 80**0.5 * [2, 10, 5, 10, 5]
    You divided by the root of the sum of squares. What makes a mean out of the sum 80?

distances over d less 1: layer_row = np.array([2, -6, 6, -2, 0]) / 20**0.5 * [2, 10, 5, 10, 5]
    You divided the squares by 4. By how many does LayerNorm divide?

mean distance: layer_row = np.array([2, -6, 6, -2, 0]) / 3.2 * [2, 10, 5, 10, 5]
    You divided by the mean distance, 3.2. What is done to distances in a variance?

distances not divided: layer_row = (4, -60, 30, -20, 0)
or: layer_row = (2, -6, 6, -2, 0)
    You subtracted the mean. By what are the distances divided next?

distances turned: layer_row = (-1, 15, -7.5, 5, 0)
    Your distances have the wrong sign. Is 5 above the mean of the row or below it?

RMSNorm doesn't notice: rms_moved = (2, -6, 9, 2, 3)
    You left the row as it was. Does RMSNorm ever look at the mean?

moved afterwards: rms_moved = (-4, -12, 3, -4, -3)
    You subtracted 6 from the result. When is it subtracted here: before the norm, or
    after it?

gamma left out of the moved row: rms_moved = (-0.2, -1.8, 0.6, -1, -0.6)
    The root mean square is right. What is left to do with γ?

moved to the other side: rms_moved = np.array([11, 3, 15, 7, 9]) / 97**0.5 * [2, 10, 5, 10, 5]
    You added 6. What does the task do with it?

LayerNorm of the moved row: rms_moved = (1, -15, 7.5, -5, 0)
    That is LayerNorm of the moved row. Which norm is asked for here?

moved row over the old width: rms_moved = np.array([-1, -9, 3, -5, -3]) / 4 * [2, 10, 5, 10, 5]
    You divided by 4, the standard deviation. Which number does RMSNorm take of the
    moved row?

moved row not divided: rms_moved = (-2, -90, 15, -50, -15)
or: rms_moved = (-1, -9, 3, -5, -3)
    You moved the row. By what is it divided next?

LayerNorm moves along: layer_moved = (-5, -21, 1.5, -11, -6)
    You subtracted 6 from the result. What has become of the mean once 6 is taken from
    every number, and what is left of the row when it is subtracted?

gamma left out of LayerNorm after all: layer_moved = (0.5, -1.5, 1.5, -0.5, 0)
    Mean and width are right. What is left to do with γ?

RMSNorm of the moved row: layer_moved = (-0.4, -18, 3, -10, -3)
    That is RMSNorm of the moved row. What does LayerNorm do before it divides?

RMSNorm of the row: layer_moved = (2, -6, 9, 2, 3)
    That is RMSNorm of the row as it was. Which norm is asked for here?

moved row, mean kept: layer_moved = np.array([-1, -9, 3, -5, -3]) / 4 * [2, 10, 5, 10, 5]
    You divided by 4, which is right, and the mean of the moved row is still in. What
    comes first?

wrong way: shift = 3
    That moves the mean to 6. Where does LayerNorm put it?

no shift: shift = 0
    With 0 added the row is as before, and the two norms differ. What does LayerNorm
    take away that RMSNorm keeps?

the shift from before: shift = -6
or: shift = 6
    With 6 subtracted the mean is −3. Where would it have to be?

a width for a shift: shift = -4
or: shift = 4
or: shift = -5
or: shift = 5
    That is a width of the row. Which of its properties do the two norms treat
    differently?

doubled as well: doubled = 2
    The row is twice as large, and so is its root mean square. What becomes of the
    quotient?

four times: doubled = 4
    The mean square is four times as large. What is taken of it, and what stands above
    the line?

half: doubled = 1/2
or: doubled = 1/4
    The divisor grew. What happened to what is divided?

root of two: doubled = 2**0.5
    Both the row and its root mean square grow by the same factor. Which one is it, and
    what becomes of the quotient?

nothing left: doubled = 0
    A factor of 0 would make every number 0. By what do you multiply a number to leave
    it as it is?

one norm: fewer = 768
    That is what one norm saves. How many norms has the model?

last norm forgotten: fewer = 24 * 768
    You counted the norms in the layers. Which one stands behind them?

one norm per layer: fewer = 13 * 768
or: fewer = 12 * 768
    You counted one norm in each layer. How many sub-layers has it?

both rows: fewer = 25 * 2 * 768
or: fewer = 24 * 2 * 768
    You counted all that a LayerNorm learns. Which of its two rows does RMSNorm keep?

number of norms: fewer = 25
or: fewer = 24
or: fewer = 50
    That counts norms, or one number for each. How long is the row that is saved?

three norms per layer: fewer = 37 * 768
or: fewer = 36 * 768
    You counted three norms in each layer. How many sub-layers has a layer of a
    decoder-only model?

nothing saved: fewer = 0
    RMSNorm has no β. How long was it, and in how many norms?
"""

TASK = ValueTask(
    title="RMSNorm by hand",
    kind="compute by hand",
    outputs=(
        "rms_row",
        "layer_row",
        "rms_moved",
        "layer_moved",
        "shift",
        "doubled",
        "fewer",
    ),
    right=(
        (2.0, -6.0, 9.0, 2.0, 3.0),
        (1.0, -15.0, 7.5, -5.0, 0.0),
        (-0.4, -18.0, 3.0, -10.0, -3.0),
        (1.0, -15.0, 7.5, -5.0, 0.0),
        -3,
        1,
        19_200,
    ),
    also_right=(
        (
            np.array([2, -6, 9, 2, 3]),
            np.array([2, -6, 6, -2, 0]) / 4 * [2, 10, 5, 10, 5],
            [-0.4, -18, 3, -10, -3],
            [1, -15, 7.5, -5, 0],
            -3.0,
            1.0,
            25 * 768,
        ),
        (
            (1.9999, -5.9998, 9, 2, 3),
            (1.0, -14.999, 7.4998, -5, 0),
            (-0.4, -18, 3, -10, -3),
            (1, -15, 7.5, -5, 0),
            -3,
            1,
            19200.0,
        ),
    ),
    rtol=1e-3,
    atol=1e-3,
    mistakes=MISTAKES,
    hints=(
        "Both means are whole numbers, and so are both roots: that of the mean of the five "
        "squares, and that of the mean of the five squared distances.",
        "For the last three: what does LayerNorm do to the mean before it divides? And "
        "which of its two learned rows is left in RMSNorm?",
    ),
    section="RMSNorm",
    why="RMSNorm subtracts nothing, so a constant that is added changes what "
    "comes out; LayerNorm takes it away again. Where the mean is 0 the two are one.",
)
