"""11.5 Shapes and reach in a stack of encoder layers: predicted, then run."""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
one vector for each sentence: out = (3, 512)
    You let each sentence end as one vector. How many vectors does an encoder hand to
    the decoder for a sentence?

layers side by side: out = (3, 10, 3072)
    You put the six layers' results side by side. What does a layer do with the result
    of the one before?

all layers kept: out = (6, 3, 10, 512)
or: out = (3, 6, 10, 512)
    You kept the result of all six layers. Which of them leaves the stack?

padding cut off: out = (3, 7, 512)
    A mask hides padded positions, it does not cut them off. How many positions has the
    tensor that went in?

width of one head: out = (3, 10, 64)
or: out = (3, 8, 10, 64)
    You gave the width of one head. What happens to the heads at the end of an
    attention?

width between the feed-forward matrices: out = (3, 10, 2048)
    You gave the width inside the feed-forward part. How wide is the vector when it
    comes out again?

batch and positions turned: out = (10, 3, 512)
    You have the right three numbers. Which axis stands first in this book, batch or
    positions?

batch left out: out = (10, 512)
    You gave one sentence's shape. Which axis stands in front?

weights for real tokens only: weights = (3, 8, 7, 7)
    A hidden key has weight 0, but it keeps its column; a padded query keeps its row.
    How many rows and columns are there?

hidden keys cut off: weights = (3, 8, 10, 7)
or: weights = (3, 8, 7, 10)
    Padded positions ask as all others do, and a hidden key only gets weight 0. How many
    rows and how many columns are there?

heads left out of the weights: weights = (3, 10, 10)
    You gave one table for a sentence. How many tables does it have, with 8 heads?

batch left out of the weights: weights = (8, 10, 10)
    You gave the tables of one sentence. Which axis stands in front?

heads' outputs as weights: weights = (3, 8, 10, 64)
    That is the shape of what the heads give. A weight belongs to a query and a key: how
    many of each are there?

output as weights: weights = (3, 10, 512)
    That is the shape of the output. A weight belongs to a query and a key: how many of
    each are there?

features by features: weights = (3, 8, 64, 64)
or: weights = (3, 8, 512, 512)
    Your table is as wide as the features. Between which two things does a weight stand?

heads in the wrong place: weights = (3, 10, 8, 10)
or: weights = (3, 10, 10, 8)
or: weights = (8, 3, 10, 10)
    The numbers are right. Where did chapter 7 put the axis of the heads, so that the
    last two are queries and keys?

layers in the weights: weights = (6, 3, 8, 10, 10)
    You gave the tables of all six layers. How many belong to the first one?

word changes itself alone: word = 1
    Only its own vector, you say. Who else in its sentence looks at this word?

word changes real positions only: word = 7
    Padded positions may not be looked at. May they look at a real word themselves?

word changes the others only: word = 9
or: word = 6
    The word's own vector changes as well: what stands on the skip?

word changes the later ones: word = 5
or: word = 8
    That would be so under a causal mask. Which words may an encoder's word look at?

word changes the whole batch: word = 30
or: word = 21
    A sentence's vectors came out changed by a word of another sentence, you say. Along
    which axis does attention mix?

padding changes nothing: padding = 0
    Nobody looks at the padded position. Does it not pass its own vector on to its own
    place?

padding changes the sentence: padding = 10
or: padding = 7
or: padding = 8
    You let real words see the padded position. What does the mask do to its column?

padding changes all padding: padding = 3
    You let padded positions look at each other. Which keys does the mask hide, and from
    whom?

padding changes the whole batch: padding = 30
    A sentence's vectors came out changed by padding of another sentence, you say. Along
    which axis does attention mix?
"""

TASK = ValueTask(
    title="Shapes and reach",
    kind="predict, then run",
    outputs=("out", "weights", "word", "padding"),
    right=((3, 10, 512), (3, 8, 10, 10), 10, 1),
    also_right=(
        ([3, 10, 512], [3, 8, 10, 10], 10.0, [1]),
        ((3, 10, 8 * 64), (3, 8, 10, 10), 7 + 3, 1),
    ),
    mistakes=MISTAKES,
    hints=(
        "Write the shape behind each line of the layer: projections, heads, scores, "
        "weights, blend, sum. Which axes does the mask change in length?",
        "The mask hides columns: a padded key is looked at by nobody. Whose rows does it "
        "touch? And what besides attention carries a position's vector on?",
    ),
    section="Padding must not matter",
    why="The mask hides keys, not queries: padded positions read the sentence and are "
    "read by nobody, so what stands in them goes nowhere but to their own place.",
)
