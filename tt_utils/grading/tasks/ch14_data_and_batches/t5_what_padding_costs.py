"""14.5 What padding costs: shares and steps, predicted, then run."""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
padding against words: mixed = 0.6
    You divided by the real tokens. Of how many places, words and padding together, is it
    the share?

share of words: mixed = 0.625
    That is the share of words. Which share is left?

share in a short row: mixed = 0.75
    That is the share in one short row. How many of the 8 rows are short?

half the rows: mixed = 0.5
    Half of the rows are short. Is all of a short row padding?

nothing to fill up: mixed = 0
    Short and long sentences share a batch here. How wide are its rows?

percent: mixed = 37.5
    That is percent. What is the share, as a number between 0 and 1?

places of one batch: mixed = 60
    That is how many places of one batch are padding. Of how many?

sorting changes nothing: by_length = 0.375
    You left the share as it was. Which lengths meet in one batch, after sorting?

a little stays: by_length = 0.0469
or: by_length = 0.0625
or: by_length = 0.125
    You let short and long sentences meet in one batch. There are 32 of each, and 8 in a
    batch: where does the length change?

half of it stays: by_length = 0.1875
    How many lengths are there in each batch, after sorting?

unsorted, padding not counted: steps_mixed = 5
    You divided the 800 real tokens by 160. How many numbers does a batch hold, once its
    short rows are filled up?

unsorted, one row a step: steps_mixed = 64
    A step reads a whole batch. How many rows of 20 make 160 places?

unsorted, by the short rows: steps_mixed = 2
    You filled a batch with rows of 5. Which is the widest row in each batch?

unsorted, half the rows: steps_mixed = 4
    4 batches would have 16 rows each. How many places would such a batch hold?

unsorted, twice as many: steps_mixed = 16
    16 batches would have 4 rows each. How many rows of 20 make 160 places?

unsorted, mean length: steps_mixed = 13
    Your rows are 12.5 wide, the mean length. Which row decides how wide a batch is?

sorted as unsorted: steps_by_length = 8
    You kept 8 sentences for each batch. How many rows of 5 make 160 places?

sorted, short ones alone: steps_by_length = 1
    One step is enough for the short sentences. And for the long ones?

sorted, long ones alone: steps_by_length = 4
    That is enough for the long sentences. And for the short ones?

sorted, all as the short ones: steps_by_length = 2
    32 long sentences don't fit into 160 places. How many do?

sorted, one step too many: steps_by_length = 6
    One batch too many: 32 rows of 5 are how many places?
"""

TASK = ValueTask(
    title="What padding costs",
    kind="predict, then run",
    outputs=("mixed", "by_length", "steps_mixed", "steps_by_length"),
    right=(0.375, 0.0, 8, 5),
    also_right=((3 / 8, 0, 8, 5), (60 / 160, 0.0, 8.0, 5.0), ([0.375], [0], [8], [5])),
    rtol=2e-3,
    atol=1e-3,
    mistakes=MISTAKES,
    hints=(
        "Draw one batch of 8 rows and shade the padding. How wide is it, and how many "
        "rows are short?",
        "A budget of 160 places: how many rows of 20 go into it, and how many rows of 5?",
    ),
    section="Batches by length",
    why="Sorting takes the padding away. A budget in tokens then turns what was saved into "
    "fewer steps, since short sentences go into large batches.",
)
