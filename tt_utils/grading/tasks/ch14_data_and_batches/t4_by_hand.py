"""14.4 The loss of a padded batch, by hand."""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
mean of the rows' means: loss = 1.625
    You took the mean of each row, then the mean of the two. A word of the short row then
    counts twice as much: should it?

padding counted with its losses: loss = 2.625
or: loss = 21 / 6
    You added up the losses of the padding. Are those words that anybody should say?

divided by all places: loss = 1.125
or: loss = 9 / 7
    You divided by places that count for nothing. How many words are really said?

sum: loss = 9
or: loss = 21
    That is a sum. By how many words is it divided?

divided by the rows: loss = 4.5
    You divided by the number of sentences. What is the mean taken over?

end marks not counted: loss = 7.5 / 4
    You left the end marks out. Must the model learn to say them?

first row alone: loss = 2
    That is the mean of the first row. Which other words are there?

second row alone: loss = 1.25
    That is the mean of the second row. Which other words are there?

padding against words: padding = 2 / 6
    You divided by the real words. Of how many places is it the share?

share of words: padding = 6 / 8
    That is the share of words. Which share is left?

padding of one row: padding = 2 / 4
    That is the first row alone. How many places are there in the whole batch?

count instead of a share: padding = 2
    That is how many there are. Of how many places?

percent: padding = 25
    That is percent. What is the share, as a number between 0 and 1?

wider, divided by all places: longer = 9 / 16
or: longer = 0.75
    Your loss got smaller because you divide by places of padding. Should it depend on
    who else is in the batch?

wider, mean of the rows' means: longer = 1.625
    That is the mean of the two rows' means, and padding has nothing to do with it. What
    is the mean to be taken over?

wider, twice as much: longer = 3
or: longer = 2.625
or: longer = 5.25
    More padding made your loss larger. Do those places count at all?

wider, the sum: longer = 9
    That is a sum. By how many words is it divided?

mean of the batches' means: together = 1
    You took the mean of two means. The second batch has three times as many words: what
    should each word weigh?

means added: together = 2
    You added two means. Which mean do all the words have together?

sums added: together = 18
    That is the sum over both batches. How many words are there?

padding in the count: together = 18 / 26
    You divided by the 8 places of the first batch. How many words are really there?

weights the wrong way round: together = (1.5 * 18 + 0.5 * 6) / 24
    You let the small batch count as much as the large one should. Which mean belongs to
    how many words?

second batch alone: together = 0.5
    That is the second batch. What became of the first one?
"""

TASK = ValueTask(
    title="The loss of a padded batch, by hand",
    kind="compute by hand",
    outputs=("loss", "padding", "longer", "together"),
    right=(1.5, 0.25, 1.5, 0.75),
    also_right=((9 / 6, 2 / 8, 9 / 6, 18 / 24), ([1.5], [0.25], 1.5, 0.75)),
    rtol=2e-3,
    atol=1e-3,
    mistakes=MISTAKES,
    hints=(
        "Cross out what is padding. Which numbers are left, and how many are there?",
        "For two batches, go back from the means to the sums: mean × number of words. "
        "Add up, then divide once.",
    ),
    section="Padding",
    why="Every real word weighs the same, whatever stands beside it. So a loss neither "
    "depends on the padding nor on how the words are cut into batches.",
)
