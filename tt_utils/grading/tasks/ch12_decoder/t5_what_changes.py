"""12.5 Which rows of the decoder change when something else does?"""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
a word seen by all: target_word = [0, 1, 2, 3, 4]
    You let the earlier rows see a later word. What does the causal mask hide from rows
    0 and 1?

a word seen by itself alone: target_word = [2]
    Then no target word could know what stands before it. Which rows may attend to row
    2?

a word seen by those before it: target_word = [0, 1, 2]
or: target_word = [0, 1]
    You have the mask the other way round. Row 2 is already written when which rows are
    computed?

a word that does not see itself: target_word = [3, 4]
or: stacked = [3, 4]
    Row 2 is made from word 2, to begin with. May a position attend to itself?

counted from 1: target_word = [3, 4, 5]
or: last_word = [5]
or: source_word = [1, 2, 3, 4, 5]
or: stacked = [3, 4, 5]
    You count from 1. What is the number of the first row in Python?

last word seen by none: last_word = []
    Its own row is made from it. Which row is that?

last word seen by all: last_word = [0, 1, 2, 3, 4]
    It is the future for every other row. Which mask stands in a decoder?

last word seen by the next to last: last_word = [3, 4]
    Row 3 has to predict that very word. May it see it?

source met position by position: source_word = [3]
    Positions of the source don't belong to positions of the target. To which source
    rows may a target word attend?

causal mask on the source: source_word = [3, 4]
or: source_word = [4]
    The whole source is read before the first word is written. Is anything hidden in the
    cross-attention, but for padding?

source not seen: source_word = []
    Then the translation would not depend on its source. Where do keys and values of the
    cross-attention come from?

rows of the source: source_word = [0, 1, 2, 3]
    The rows in question are those of the target. How many words does it have?

shuffled memory changes all: shuffled = [0, 1, 2, 3, 4]
    Each memory row brings its key and its value along. Does a weighted sum depend on
    the order in which it is added up?

shuffled memory changes as many rows as it has: shuffled = [0, 1, 2, 3]
    The rows in question are those of the target, and each one blends the whole memory.
    Does a weighted sum depend on the order in which it is added up?

depth lets the future in: stacked = [0, 1, 2, 3, 4]
    What row 0 sees in the second layer was made in the first, from rows that row 0 may
    see. Can word 2 have got into it?

depth changes the own row alone: stacked = [2]
    Every layer passes news on to later rows. Which rows get it in the first layer
    already?

depth pushes the change on: stacked = [4]
    A change moves on to later rows, and where it was it stays. What does the residual
    connection do with row 2?
"""

TASK = ValueTask(
    title="What changes, and what doesn't",
    kind="predict, then run",
    outputs=("target_word", "last_word", "source_word", "shuffled", "stacked"),
    right=([2, 3, 4], [4], [0, 1, 2, 3, 4], [], [2, 3, 4]),
    also_right=(((2, 3, 4), 4, range(5), (), (2, 3, 4)),),
    mistakes=MISTAKES,
    hints=(
        "Two roads lead to a row: the causal self-attention, from target words up to "
        "this one, and the cross-attention. What does the second one hide?",
        "Attention adds up values by their weights. Write the sum for a memory of two "
        "rows, and once more with the rows exchanged: what has changed?",
    ),
    section="Teacher forcing and step by step",
    why="A row depends on the target up to itself and on the whole source, at any depth. "
    "That is why a decoder can be trained on all rows at once.",
)
