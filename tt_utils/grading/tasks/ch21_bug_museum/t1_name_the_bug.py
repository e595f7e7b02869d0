"""21.1 Six exhibits of the museum, and eight names."""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
labels for a leak: a = "labels"
    With labels that aren't shifted, a model gets its answer from the word that it has just
    read, and needs no later one. What does the failed leak test say of this one?

a leak in both modes: a = "mode"
    A mask that is right in training gives a right model's loss in training. Is this loss
    that of the right model?

heads in the first exhibit: a = "heads"
    Heads that are cut wrongly mix up the positions, and that costs words even when all are
    read. How many words does this one get right?

the end in the first exhibit: a = "end"
    A model that was never taught the end writes the sentence first, and then goes on. Has
    it a reason for a loss far below the right model's?

positions in the first exhibit: a = "position"
    A bug that shows only in writing leaves the loss where it was. What lowers a loss to a
    tenth?

padding in the first exhibit: a = "padding"
    Pads that are attended to hide no word and show none. What lowers a loss to a tenth?

a leak that the leak test passes: b = "ahead"
or: b = "mode"
    Its outputs don't depend on any later word, so it sees no answer in the future. Where
    else might the right answer stand, already in front of it?

the end for the beginning: b = "end"
    A model that was never taught the end writes the sentence first, and then goes on. What
    does this one write in the first place, and what was the last word that it had read?

heads or scale in the second exhibit: b = "heads"
or: b = "scale"
    Neither makes the task any easier, and this loss is 0. What is a model asked that is so
    easy?

writing in the second exhibit: b = "position"
or: b = "padding"
    That would leave the loss where the right model has it. What is a model asked if its
    loss is 0?

one word ahead in training too: c = "ahead"
    Then the loss in training would be far below the right model's. In which mode does the
    leak test fail?

words that it reads: c = "position"
    Here writing is right and reading is wrong. Which of the two gets the wrong positions in
    the bug that you named?

padding in one mode: c = "padding"
    Padding doesn't move an output when a later word changes. Which test failed, and in
    which mode only?

heads in the third exhibit: c = "heads"
    Heads that are cut wrongly are so in both modes, and in writing too. What differs
    between the two modes here?

labels, scale or end in the third exhibit: c = "labels"
or: c = "end"
or: c = "scale"
    The loss in training and the translations are those of a right model, so what was
    learned is right. What changes when the mode does?

read wrong for written wrong: d = "mode"
    Here reading is right and writing is wrong. With one word at a time, is there any later
    word that could leak?

a leak that is only written: d = "ahead"
    A leak lowers the loss, and this loss is the right model's. What does a writer do with
    each word that a reader does for all at once?

the end for positions: d = "end"
    Then no translation would ever end, and here most are right. From which position on do
    reading and writing differ?

padding for positions: d = "padding"
    A sentence alone needs no padding, and still it is written otherwise than it is read.
    What is different for the second written word?

heads for positions: d = "heads"
or: d = "scale"
or: d = "labels"
    That would be wrong in reading as well, and here the words that are read are right. What
    happens in writing alone?

scale for padding: e = "scale"
    Without the root a sentence would still get the same logits alone and beside a longer
    one. What does a longer neighbour bring into the batch?

mode for padding: e = "mode"
or: e = "ahead"
    Then the leak test would fail. What does a longer neighbour bring into the batch?

positions for padding: e = "position"
or: e = "heads"
    Then translations or words would be wrong, and all are as with the right model. What does
    a longer neighbour bring into the batch?

end or labels for padding: e = "end"
or: e = "labels"
    Then no translation would be right. What does a longer neighbour bring into the batch?

one word ahead for heads: f = "ahead"
    A model that sees the answer is good at reading: look at its loss and at its words. What
    lets a later word in, and spoils the earlier ones as well?

the mode for heads: f = "mode"
    Then its translations would be right, and its loss the right model's. What is wrong in
    both modes here?

scale for heads: f = "scale"
    Without the root most words are right when they are read, and none leaks. What mixes up
    numbers of several positions?

labels for heads: f = "labels"
or: f = "end"
    Its loss is twice the right model's, so the task is no easier than it was, and a later
    word moves earlier outputs. What mixes up numbers of several positions?

writing or padding for heads: f = "position"
or: f = "padding"
    Here half of the words are wrong when they are read, without any writing. What mixes up
    numbers of several positions?

long names: a = "the mask sees one word ahead"
or: b = "labels not shifted"
or: c = "causal in training only"
or: d = "position 0 for every written word"
or: e = "padding attended to"
or: f = "heads cut across positions"
    You wrote the whole description. Which short name stands in quotes before it?
"""

TASK = ValueTask(
    title="Name the bug",
    kind="explain",
    outputs=("a", "b", "c", "d", "e", "f"),
    right=("ahead", "labels", "mode", "position", "padding", "heads"),
    mistakes=MISTAKES,
    hints=(
        "Sort the exhibits first: whose loss is too good, whose is right, whose is too high? "
        "A loss that is too good has seen its answer.",
        "Where loss and words are right, ask what happens in writing alone, in the other mode "
        "alone, or beside another sentence alone.",
    ),
    section="Which test sees what",
    why="No single number names a bug. Three numbers and two tests do: a loss that is too "
    "good, reading against writing, one mode against the other, alone against beside.",
)
