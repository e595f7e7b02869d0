"""02.4 Which rows of a table get a gradient from a sentence, and how large?"""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
on its side: one_hot_shape = (40, 8)
    Your tokens are columns. What must a row stand for, so that the product with the
    table has a row for each token?

the product instead: one_hot_shape = (8, 24)
or: one_hot_shape = (24, 8)
    That is what comes out of the product with the table. How long is a row before, with
    a position for each word?

the table instead: one_hot_shape = (40, 24)
or: one_hot_shape = (24, 40)
    That is the table. What has the one-hot matrix one row for?

as wide as the sentence: one_hot_shape = (8, 8)
    A one-hot row has a position for every word that could stand there. How many are
    there?

all words: one_hot_shape = (40, 40)
    That would fetch every row of the table once. How many tokens has the sentence?

as wide as the largest id: one_hot_shape = (8, 31)
or: one_hot_shape = (8, 30)
    The largest id here is 30, but other sentences have others. How many words does the
    vocabulary have?

different words only: one_hot_shape = (5, 40)
    You counted 5 different words. How many rows are to be fetched, one for each token?

one row for the sentence: one_hot_shape = (1, 40)
or: one_hot_shape = 40
or: one_hot_shape = 320
or: one_hot_shape = (8,)
    A matrix has two sizes: one row for each of the tokens, and how many numbers in it?

one number for each word: parameters = 40
    That is how many rows there are. How many numbers stand in each?

one row: parameters = 24
    That is one row. How many rows has the table?

added: parameters = 64
    You added the two sizes. How many numbers are in a table of 40 rows, 24 in each?

a bias counted: parameters = 984
or: parameters = 1000
    An embedding is only copied, so nothing is added to it. How many numbers are in the
    table itself?

rows of the sentence: parameters = 192
or: parameters = 120
    You counted the rows that this sentence uses. Which others does the table have?

one-hot counted: parameters = 320
or: parameters = 1280
    The one-hot matrix is made anew for every sentence, so nothing in it can be learned.
    Which numbers can training change?

gradients counted: parameters = 1920
    Each parameter has a gradient, but that is not one more parameter. How many numbers
    can training change?

every token: used = 8
    Some tokens are the same word. In how many different rows does a gradient arrive?

all rows: used = 40
    A row that is not fetched plays no part in the result. If it grew, what would
    happen?

rows not used: used = 35
    Those are the rows without a gradient. How many are left?

words that come once: used = 3
    You counted the words that come once. Do rows that are fetched several times get no
    gradient?

words that come again: used = 2
    You counted the words that come more than once. What about those that come once?

miscounted: used = 4
or: used = 6
or: used = 7
    Count again: write down the ids of the sentence, each of them once. How many are
    they?

numbers instead of rows: used = 120
or: used = 192
    You counted numbers. How many rows are they?

each row once: row_5 = 1
    Word 5 comes more than once. If one number of its row grows by 0.1, at how many
    positions of the sentence does that show?

the id: row_5 = 5
or: row_30 = 30
    That is the id, and an id is only the number of a row. How often is the row fetched?

the whole row: row_5 = 72
or: row_30 = 24
    You added up the gradients of a whole row. How large is each one of them?

one more: row_5 = 4
or: row_5 = 2
    Count again: how often does a 5 stand in the sentence?

rise instead of gradient: row_5 = 0.3
or: row_30 = 0.1
or: five_times = 1
    By so much the result rises if the number grows by 0.1. How many times as much is
    that?

a mean: row_5 = 3/8
or: row_30 = 1/8
    That would be a mean over the tokens. The result is their sum: what does one more
    in a number add to it?

nothing: row_5 = 0
or: row_30 = 0
    A row that is fetched adds its numbers to the result. If one of them grows a little,
    what does the result do?

all tokens: row_5 = 8
or: row_30 = 8
    8 is the number of tokens. How many of them fetch this row?

counted by position: row_30 = 3
or: row_30 = 4
    That is the position of the 30 in the sentence. How often does it come?

larger numbers, larger gradient: larger = 30
    The result gets 10 times as large. But if one number grows by 0.1, by how much does
    the result grow, whatever the number was?

larger numbers, smaller gradient: larger = 0.3
    What counts is what the result gains if one number grows by 0.1. Does that depend on
    how large the number was?

each row once, larger numbers: larger = 1
or: larger = 10
    Word 5 comes more than once, and how large its numbers are plays no part. How often
    is the row fetched?

added instead of multiplied: larger = 13
    What the numbers are plays no part: only how often the row is fetched does. How
    often is it?

factor forgotten: five_times = 2
    So often is row 2 fetched. And how much does each of them count now?

repeats forgotten: five_times = 5
    That is one fetch, five times. How often does word 2 come?

factor added: five_times = 7
    You added 5. If one number of row 2 grows by 0.1, the plain sum grows by 0.2: by how
    much does five times the sum grow?

divided: five_times = 0.4
or: five_times = 2.5
    You divided. Does five times the sum grow faster or slower than the sum?

row 5 instead: five_times = 15
    That is row 5. How often does word 2 come?

factor squared: five_times = 50
or: five_times = 25
or: five_times = 32
    The factor stands before the sum once. By how much does the result grow if one
    number of row 2 grows by 0.1?
"""

TASK = ValueTask(
    title="Which rows get a gradient?",
    kind="predict, then run",
    outputs=(
        "one_hot_shape",
        "parameters",
        "used",
        "row_5",
        "row_30",
        "larger",
        "five_times",
    ),
    right=((8, 40), 960, 5, 3, 1, 3, 10),
    also_right=(
        ([8, 40], 40 * 24, 5.0, 3.0, [1], 3.0, 10.0),
        (((8, 40),), 960.0, [5], [3], 1.0, [[3]], 5 * 2),
    ),
    mistakes=MISTAKES,
    hints=(
        "The result is a sum of 8 rows, 24 numbers each. Take one number of row 5: in "
        "how many of the 8 rows does it stand?",
        "A gradient asks: if this number grew by 0.1, how many times as much would the "
        "result grow? Try it with a row that is fetched twice, once, never.",
    ),
    section="Only the rows in use get a gradient",
    why="A row gets a gradient once for each time that it is fetched, whatever its id and "
    "its numbers are. Rows of words that are not there get none.",
)
