"""07.4 What heads cost, what one head reaches: predicted, then run."""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
parameters grow with the heads: parameters = 4
    Each head is a quarter as wide then. What is the product of the number of heads and
    their width?

parameters shrink with the heads: parameters = 1/4
    Each head is a quarter as wide, and how many more of them are there?

parameters grow by the square: parameters = 16
or: parameters = 1/16
    A head has three matrices of shape (d_model, d_head). Which of the two sizes changes
    with the number of heads?

parameters counted, not compared: parameters = 16640
    That is a count. By what factor does it change?

weights stay: weights = 1
    Each head has a table of its own. How many tables are there before, and after?

weights shrink: weights = 1/4
    Narrow heads have tables as large as wide ones. What gives a table its size?

weights grow by the square: weights = 16
    One table is as large as before: its size comes from the number of words alone. How
    many tables are there now?

weights counted, not compared: weights = 20000
or: weights = 5000
    That is a count. By what factor does it change?

three words need nothing more: three = 0
    All three answers must be read from one blend. How many numbers are wanted, and how
    many does a blend of such words tell?

three words like two: three = 1/2
    One half was right where two words were wanted. What is missing when there are
    three?

the part that is told: three = 1/3
    One third is what one blend can tell. Which part of the report is missing?

three words out of reach: three = 1
    1 is the error of somebody who always answers 0. Does a blend of the three words tell
    nothing about them?

three words like four: three = 3/4
    You count four words. How many must be reported?

a sum like two reports: total = 1/2
    Two words are wanted, but only as one vector. What is a blend with weights of one
    half each, times 2?

a sum out of reach: total = 1
    A blend is a weighted sum already. With which weights, and which factor behind it,
    does it give this one?

a sum that is half as large: total = 1/4
    Weights of one half give half the sum. Which matrices can make it twice as large?

a difference is as easy as a sum: difference = 0
    All weights are positive, and one matrix makes the values of both words. How could
    one of them get a minus and the other a plus?

a difference out of reach: difference = 1
    1 is the error of somebody who always answers 0. Could a head attend to one of the
    two words alone, and give it the right sign?

a difference worse than silence: difference = 2
or: difference = 3/2
    A trained head does no worse than one that always answers 0. What is the best that it
    can do?

nothing is added without the last matrix: without = 1/2
    Without $W_o$ no two heads are added up. But how many words can one head add up by
    itself?

without the last matrix nothing works: without = 1
    The first four numbers of the output are then those of head 1. What is the best that
    head 1 can do by itself?

without the last matrix half is missing: without = 1/4
    The output holds a blend of head 1. Which weights should it have, and who can double
    the values?
"""

TASK = ValueTask(
    title="What more heads cost, and what one head can do",
    kind="predict, then run",
    outputs=("parameters", "weights", "three", "total", "difference", "without"),
    right=(1.0, 4.0, 2 / 3, 0.0, 1 / 2, 0.0),
    also_right=(
        (1, 4, 0.67, 0, 0.5, 0),
        (1.0, 4.0, 0.66, 0.001, 0.51, 0.002),
        ([1], 16 / 4, 1 - 1 / 3, 0.0, 1 / 2, [0]),
    ),
    rtol=2e-2,  # what a run gives
    atol=1e-2,
    mistakes=MISTAKES,
    hints=(
        "A head that is a quarter as wide has a quarter of the numbers in its matrices. "
        "Its table of weights has a row for each word and a column for each word.",
        "A head gives $w_1 v_1 + w_2 v_2 + …$ with positive weights that sum to 1, and "
        "matrices before and behind it that treat all words alike. What can that become?",
    ),
    section="The last matrix adds up the heads",
    why="One blend is a sum with positive weights: enough for a sum, not for a "
    "difference, and it tells as much as one word. Heads bring more blends, and "
    "subtract through the last matrix; they cost tables, but no parameters.",
)
