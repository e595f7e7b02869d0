"""08.1 One row of weights under two masks, with a pencil."""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
the future is seen: both_masks = (2/16, 3/16, 5/16, 4/16, 2/16, 0, 0)
    You hid the pads and nothing else. *drank* must guess the next word: may it attend
    to *warm*?

own word hidden: both_masks = (0.4, 0.6, 0, 0, 0, 0, 0)
or: pads_only = (2/11, 3/11, 0, 4/11, 2/11, 0, 0)
    You hid the query's own word. Does it know itself when it guesses the next one?

True and False swapped: both_masks = (0, 0, 0, 4/15, 2/15, 4/15, 5/15)
or: pads_only = (0, 0, 0, 0, 0, 4/9, 5/9)
    Your weight lies on what should be hidden. In this book, what does True in a mask
    say?

triangle upside down: both_masks = (0, 0, 5/11, 4/11, 2/11, 0, 0)
or: both_masks = (0, 0, 5/20, 4/20, 2/20, 4/20, 5/20)
    Your triangle hides the past. Which words are read already at *drank*?

own word alone: both_masks = (0, 0, 1, 0, 0, 0, 0)
    *drank* attends to nothing but itself in your row. Which words stand before it, and
    may it attend to them?

no mask at all: both_masks = (2/25, 3/25, 5/25, 4/25, 2/25, 4/25, 5/25)
or: pads_only = (2/25, 3/25, 5/25, 4/25, 2/25, 4/25, 5/25)
    You divided by 25, the sum of all seven powers. Whose score becomes −∞, and what is
    its power then?

causal mask without the other: pads_only = (0.2, 0.3, 0.5, 0, 0, 0, 0)
    That is the row of a decoder. To which words may *drank* attend if only pads are
    hidden?

set to 0 after softmax: both_masks = (2/25, 3/25, 5/25, 0, 0, 0, 0)
or: pads_only = (2/25, 3/25, 5/25, 4/25, 2/25, 0, 0)
    Your weights don't add up to 1: what is hidden still stands in the sum below the
    fraction bar. What is its power when the score is −∞?

rounded to two decimals: pads_only = (0.13, 0.19, 0.31, 0.25, 0.13, 0, 0)
or: pads_only = (0.12, 0.19, 0.31, 0.25, 0.12, 0, 0)
    Right to two decimals. Write three, or fractions: nothing is lost then.

divided by the sum of the real words: both_masks = (2/16, 3/16, 5/16, 0, 0, 0, 0)
    Your weights add up to 10/16. The fourth and fifth word are hidden, too: may they
    stand in the sum below the fraction bar?

score 0 in place of −∞: both_masks = (2/14, 3/14, 5/14, 1/14, 1/14, 1/14, 1/14)
or: pads_only = (2/18, 3/18, 5/18, 4/18, 2/18, 1/18, 1/18)
    What you hide has the power 1, as if its score were 0. What is e to the power of −∞?

powers not divided: both_masks = (2, 3, 5, 0, 0, 0, 0)
or: pads_only = (2, 3, 5, 4, 2, 0, 0)
    These are the powers of e. What does softmax do with them before they are weights?

softmax of the powers: both_masks = tuple(np.exp([2, 3, 5]) / np.exp([2, 3, 5]).sum()) + (0, 0, 0, 0)
or: pads_only = tuple(np.exp([2, 3, 5, 4, 2]) / np.exp([2, 3, 5, 4, 2]).sum()) + (0, 0)
    You took e to the power of the numbers in the table. Which row of the table do you
    have there already?

hidden positions left out: both_masks = (0.2, 0.3, 0.5)
or: pads_only = (2/16, 3/16, 5/16, 4/16, 2/16)
    The numbers are right. What is hidden keeps its column: how many keys are there, and
    which weight do the others get?

equal shares: both_masks = (1/3, 1/3, 1/3, 0, 0, 0, 0)
or: pads_only = (1/5, 1/5, 1/5, 1/5, 1/5, 0, 0)
    You took the average. Here the scores differ: what does a larger one change?

still adds up to 1: kept = 1
    Softmax has divided already when the weights are set to 0. Who divides once more?

pads alone set to 0: kept = 16/25
    You took away the weights of the two pads. What else do both masks forbid *drank*?

future words alone set to 0: kept = 19/25
    You took away the weights of *warm* and *milk*. What else do both masks forbid?

what was lost: kept = 15/25
    That much is set to 0. How much is left of 1?

positions counted: kept = 3/7
    Three positions of seven are left, but they do not weigh the same. How much has each
    one got from softmax?

divided by the real words: kept = 10/16
    Your colleague's softmax sees the pads, too. By what does it divide?

sum of the powers: kept = 10
    You added up powers. By what had softmax divided them?

causal mask alone: allowed = 28
    You counted the whole triangle. In some of its pairs the key is a pad: in how many?

padding mask alone: allowed = 35
    Seven rows of five: that is the padding mask alone. What does the causal mask take
    away from it?

pads don't attend: allowed = 15
    You closed the rows of the pads. A padding mask forbids columns: may a pad be a
    query?

own word not counted: allowed = 20
or: allowed = 10
or: allowed = 21
    You left out the diagonal. May a word attend to itself?

one mask is enough: allowed = 38
    You counted what one mask or the other allows. How many of the two must allow a
    pair?

what is forbidden: allowed = 24
    That many pairs are forbidden. How many does the whole table have?

all pairs: allowed = 49
    That is the whole table, seven rows of seven. Which of its pairs do the masks
    forbid?

one row alone: allowed = 3
    That is the row of *drank*. How many pairs do the other six rows allow?

zeros: billion = 0
    Zeros come from a second fill, after softmax, and here nobody makes one. What does
    softmax make of seven scores that are all the same?

not a number: billion = np.nan
    0/0 comes from −∞. But −10⁹ is a number like any other: what does softmax make of
    seven scores that are all the same?

all to one: billion = 1
    All seven scores of the row are the same. Why should one word get everything?

shared by the real words: billion = 1/5
    You left out the pads. In this row every score is filled, theirs and the others: who
    shares?

shared by the others: billion = 1/6
    You left out one of the seven. In this row every score is filled: why should one
    position get nothing?

by the old scores: billion = 2/25
or: billion = 2/16
    You used the power of *milk* from the table. What stands in place of its score
    after the fill?

the score instead of the weight: billion = -1e9
or: billion = 1e-9
    That looks like the fill, which is a score. What does softmax make of seven scores
    that are all the same?
"""

TASK = ValueTask(
    title="One row under two masks",
    kind="compute by hand",
    outputs=("both_masks", "pads_only", "kept", "allowed", "billion"),
    right=(
        (0.2, 0.3, 0.5, 0, 0, 0, 0),
        (2 / 16, 3 / 16, 5 / 16, 4 / 16, 2 / 16, 0, 0),
        0.4,
        25,
        1 / 7,
    ),
    also_right=(
        (
            [0.2, 0.3, 0.5, 0.0, 0.0, 0.0, 0.0],
            [0.125, 0.188, 0.313, 0.25, 0.125, 0, 0],
            10 / 25,
            25.0,
            0.143,
        ),
        (
            [[0.2, 0.3, 0.5, 0, 0, 0, 0]],
            [0.125, 0.19, 0.31, 0.25, 0.125, 0, 0],
            [0.4],
            1 + 2 + 3 + 4 + 3 * 5,
            0.14,
        ),
    ),
    rtol=2.1e-2,  # three decimals are enough
    atol=0.0,
    mistakes=MISTAKES,
    hints=(
        "A score of −∞ has the power 0. Write the row of powers down again, with a 0 for "
        "each key that a mask forbids, and only then divide.",
        "For the pairs draw seven rows and seven columns, and strike out the columns "
        "of the pads. How many cells are left in each row up to the diagonal?",
    ),
    section="Words that are not there",
    why="What is hidden before softmax is missing in the sum below the fraction bar, so "
    "the rest still adds up to 1. Hidden afterwards, it takes its weight along.",
)
