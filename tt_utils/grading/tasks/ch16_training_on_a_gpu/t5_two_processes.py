"""16.5 What a step of two processes does to the weight."""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
sum over the rows: one = 6
    You took the sum of the gradients. The loss is a mean over the rows: what is its
    gradient?

uphill: one = 10.5
    The step went up. Which way does a step go, along the gradient or against it?

process 0 alone: one = 9.7
    Those are the rows of process 0. How many does one process read that does it alone?

averaged as summed: averaged = 9
    You added the gradients of the two processes, and the step is twice as long. What is
    the mean of 3 and 7?

averaged and halved: averaged = 9.75
    You divided by 2 once too often. What is the mean of 3 and 7?

averaged, process 0: averaged = 9.7
or: averaged = 9.3
    That is one of the processes without the other. What do they exchange before the
    step?

averaged over all rows' sum: averaged = 6
    You added the gradients of all rows. What does each process take of its rows, before
    anything is exchanged?

summed as averaged: summed = 9.5
    A sum is twice the mean, for two processes. How much longer is the step?

sum of all rows: summed = 6
    Each process has taken the mean of its rows already. Which two numbers are added up?

alone but equal: alone = (9.5, 9.5)
    How would process 0 know of the rows of process 1, if nothing is exchanged?

alone, exchanged: alone = (9.3, 9.7)
    Process 0 has the smaller gradients. Whose weight moves further?

alone, gradients: alone = (3, 7)
    Those are the gradients. What do the weights become, from 10 and with the rate 0.1?

alone, one number: alone = 9.7
or: alone = 9.3
or: alone = 9.5
    There are two processes, each with a weight of its own. What are both?

unequal as if weighed: unequal = 9.6
    That would be right if each row weighed the same. How much do the two means weigh,
    when they are averaged as they are?

unequal and summed: unequal = 8.9
    You added the two means. What does the exchange do with them?

unequal, as before: unequal = 9.5
    The single row has its own gradient. What is the mean of 3 and 8?

five rows as two means: five = 9.45
    You averaged two means, of four rows and of one. What does one process do, which
    reads five rows at once?

sum of five rows: five = 8
    You took the sum of the gradients. The loss is a mean over the rows: over how many?

five rows over eight: five = 9.75
    You divided by 8. How many rows are there now?

same rows as different ones: same_rows = 9.5
    Process 1 never reads its own rows in this case. Which gradients are averaged?

same rows twice as long: same_rows = 9.4
    You added the same gradient twice. What is the mean of 3 and 3?

same rows, no step: same_rows = 10
    Nothing new is learned from rows that are read twice, but they are read. What is the
    mean of 3 and 3?
"""

TASK = ValueTask(
    title="Two processes, one weight",
    kind="predict, then run",
    outputs=("one", "averaged", "summed", "alone", "unequal", "five", "same_rows"),
    right=(9.5, 9.5, 9.0, (9.7, 9.3), 9.45, 9.6, 9.7),
    also_right=(
        (10 - 0.5, 9.5, 9, [9.7, 9.3], 10 - 0.55, 10 - 0.4, 9.7),
        ([9.5], 9.5, 9.0, ([9.7], [9.3]), 9.45, 9.6, 10 - 0.1 * 3),
    ),
    rtol=1e-4,
    atol=1e-6,
    mistakes=MISTAKES,
    hints=(
        "Each process makes one number of its rows, their mean: 3 and 7. What becomes of "
        "these two, in each of the cases, before the rate of 0.1 comes in?",
        "For the unequal shares write down the five gradients: with which weight does "
        "each enter the mean over five rows, and with which the mean of two means?",
    ),
    section="Two processes, one curve",
    page="16b_bits_operations_processes",
    why="Averaged gradients of equal shares are the gradient of the whole batch. A sum "
    "makes the step longer, unequal shares need weights, equal rows teach half.",
)
