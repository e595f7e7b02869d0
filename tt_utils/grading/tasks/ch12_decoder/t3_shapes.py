"""12.3 The shapes of a decoder layer, with a pencil."""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
lying on its side: cross_weights = (3, 4, 7, 5)
    Your table is lying on its side. Rows belong to queries, columns to keys: whose
    queries are these?

one table for all heads: cross_weights = (3, 5, 7)
    The two lengths stand in the right order. How many tables of weights does one
    sentence get?

what comes out instead of the weights: cross_weights = (3, 5, 32)
or: cross_weights = (3, 4, 5, 8)
    That is the shape of what is blended. A weight belongs to a pair of words: which two
    axes count them?

batch and heads swapped: cross_weights = (4, 3, 5, 7)
or: own_weights = (4, 3, 5, 5)
    All four numbers are right. Which axis comes first in this book, before the heads?

heads at the end: cross_weights = (3, 5, 7, 4)
or: own_weights = (3, 5, 5, 4)
    All four numbers are right. Attention works on the last two axes: what must they
    count?

the encoder's weights: cross_weights = (3, 4, 7, 7)
    That is how the source attends to itself, in the encoder. Which words attend to
    which here?

the decoder's own weights as cross weights: cross_weights = (3, 4, 5, 5)
    That is how the target attends to itself. Which words attend to which in the
    cross-attention?

own weights of the source: own_weights = (3, 4, 7, 7)
    That table belongs to the encoder. Whose words attend to each other in the decoder's
    self-attention?

own weights that reach the source: own_weights = (3, 4, 5, 7)
or: own_weights = (3, 4, 7, 5)
    Two different lengths mean two different sentences. How many take part in
    self-attention?

mask counted off: own_weights = (3, 4, 5, 4)
or: own_weights = (3, 4, 4, 4)
or: own_weights = (3, 4, 15)
    A hidden position keeps its column: its weight is 0. Does the causal mask change a
    shape?

keys of the target: cross_keys = (3, 4, 5, 8)
    You have one key for each target word. Whose keys does the cross-attention use?

keys before they are split: cross_keys = (3, 7, 32)
    That is so before the heads are cut. What becomes of the 32 features when 4 heads
    share them?

full width in every head: cross_keys = (3, 4, 7, 32)
    Each of your heads has all the features to itself. What do 4 heads do with 32?

keys transposed: cross_keys = (3, 4, 8, 7)
    That is what stands in the product, after the transpose. As a tensor of their own
    keys have one row each: what does a row hold?

heads not moved to the front: cross_keys = (3, 7, 4, 8)
    The features are cut into heads, and then one axis moves. Which two axes does
    attention need at the end?

as long as the source: out = (3, 7, 32)
    As many rows come out of a layer as words go in on its residual road. Whose words
    are these?

one head's width: out = (3, 5, 8)
or: out = (3, 4, 5, 8)
or: out = (3, 5, 4, 8)
    The heads are joined before they leave the attention. How wide is the road on which
    the residuals add up?

hidden width of the feed-forward part: out = (3, 5, 128)
    The feed-forward part is wide inside only. To what is its result added?

memory as long as the target: memory = (3, 5, 32)
    The memory is what the encoder made of its sentence. How many words has that one?

memory in heads: memory = (3, 4, 7, 8)
    The memory leaves the encoder before anybody cuts it into heads. How wide is it?

memory with one row: memory = (3, 32)
or: memory = (3, 1, 32)
    One vector for a whole sentence: that was before attention. How many vectors does
    the encoder keep?
"""

TASK = ValueTask(
    title="Shapes of a decoder layer",
    kind="compute by hand",
    outputs=("memory", "own_weights", "cross_weights", "cross_keys", "out"),
    right=((3, 7, 32), (3, 4, 5, 5), (3, 4, 5, 7), (3, 4, 7, 8), (3, 5, 32)),
    also_right=(
        ([3, 7, 32], [3, 4, 5, 5], [3, 4, 5, 7], [3, 4, 7, 8], [3, 5, 32]),
        ((3.0, 7, 32), (3, 4, 5, 5.0), (3, 4, 5, 7), (3, 4, 7, 8), (3, 5, 32)),
    ),
    mistakes=MISTAKES,
    hints=(
        "Two lengths occur: 7 words are read, 5 are written. For each of the five "
        "tensors: whose words stand along its rows?",
        "Weights have an axis for the queries and one for the keys. All else has one for "
        "words and one for features, and 4 heads share the features.",
    ),
    section="Queries from one sentence, keys from the other",
    why="Queries decide how many rows there are, keys how many columns; what comes out "
    "has the queries' length and the width of the model, ready for the next residual.",
)
