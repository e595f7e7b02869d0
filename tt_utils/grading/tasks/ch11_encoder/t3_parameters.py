"""11.3 The parameters of one encoder layer of the paper's big model, by hand."""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
attention without biases: attention = 4 * 1024**2
    You counted the four matrices. What does each of the four linear layers have beside
    its matrix?

three matrices: attention = 3 * (1024**2 + 1024)
or: attention = 3 * 1024**2
    You counted queries, keys and values. What happens to the heads' results after they
    are put side by side?

one matrix for all: attention = 1024**2 + 1024
or: attention = 1024**2
    You counted one matrix. How many times is a vector of 1,024 numbers projected in one
    attention?

each head as wide as the model: attention = 4 * 16 * (1024**2 + 1024)
or: attention = 16 * 4 * 1024**2
or: attention = 3 * 16 * 1024**2 + 1024**2
    You gave each of the 16 heads matrices of the full width. How wide is what one head
    gets?

one head only: attention = 4 * (1024 * 64 + 64)
or: attention = 4 * 1024 * 64
or: attention = 3 * (1024 * 64 + 64)
    You counted one head. How many of them share the width of 1,024?

output for one head: attention = 3 * (1024**2 + 1024) + 64 * 1024 + 1024
or: attention = 3 * 1024**2 + 64 * 1024
    The last matrix gets all heads side by side. How wide are they together?

feed-forward without biases: feed_forward = 2 * 1024 * 4096
    You counted the two matrices. What does each of the two linear layers have beside
    its matrix?

one matrix in the feed-forward part: feed_forward = 1024 * 4096 + 4096
or: feed_forward = 1024 * 4096
or: feed_forward = 1024 * 4096 + 1024
    You counted one matrix. How does the vector come back from 4,096 to 1,024?

one bias in the feed-forward part: feed_forward = 2 * 1024 * 4096 + 4096
or: feed_forward = 2 * 1024 * 4096 + 1024
or: feed_forward = 2 * (1024 * 4096 + 4096)
or: feed_forward = 2 * (1024 * 4096 + 1024)
    Both linear layers have a bias. How many numbers come out of the first, and how many
    out of the second?

feed-forward as wide as the model: feed_forward = 2 * (1024**2 + 1024)
or: feed_forward = 2 * 1024**2
    You kept the width at 1,024. How wide is the vector between the two matrices?

one norm: norms = 2 * 1024
    You counted one LayerNorm. How many sums are there in an encoder layer?

one row for each norm: norms = 1024
    You counted a single row. Which two rows does one LayerNorm learn, and how many
    norms are there?

three norms: norms = 3 * 2 * 1024
    You counted three LayerNorms: a decoder layer has so many. How many sums are there in
    an encoder layer?

norm with mean and variance: norms = 2 * 4 * 1024
    Mean and variance are computed anew for each row. What is left that is learned?

norms left out: layer = 4 * (1024**2 + 1024) + 2 * 1024 * 4096 + 5120
    Attention and feed-forward part are in your sum. Which third part does the layer
    have?

all biases left out: layer = 4 * 1024**2 + 2 * 1024 * 4096
    These are the matrices alone. Which rows belong to them, and what do the norms
    learn?

one norm in the sum: layer = 4 * (1024**2 + 1024) + 2 * 1024 * 4096 + 5120 + 2048
    You are 2,048 short, which is one LayerNorm. How many are there?

decoder layer: layer = 8 * (1024**2 + 1024) + 2 * 1024 * 4096 + 5120 + 6144
    That is a decoder layer. How many attentions does an encoder layer have?

base model: layer = 3152384
    That is a layer of the base model, which the chapter counts. What is twice as wide
    here?

twice the base model: layer = 2 * 3152384
    Twice as wide is not twice as many. If both sides of a matrix double, how many
    numbers does it have?

four times the base model: layer = 4 * 3152384
    Very near: what is a matrix gets four times as many numbers. And the biases and the
    norms?

all six layers: layer = 6 * 12596224
    That is the stack. How many parameters has one of its six layers?
"""

TASK = ValueTask(
    title="The parameters of a big layer",
    kind="compute by hand",
    outputs=("attention", "feed_forward", "norms", "layer"),
    right=(4_198_400, 8_393_728, 4_096, 12_596_224),
    also_right=(
        (4198400.0, 8393728.0, 4096.0, 12596224.0),
        (4 * 1025 * 1024, 1025 * 4096 + 4097 * 1024, [2**12], 12596224),
    ),
    rtol=1e-5,  # known mistakes may be rounded; right answers are exact
    atol=0.0,
    mistakes=MISTAKES,
    hints=(
        "A linear layer from a to b numbers has a · b weights and b biases. How many "
        "linear layers has attention, how many the feed-forward part, and of which a "
        "and b?",
        "A LayerNorm has two rows as wide as the model, and behind each sum stands one. "
        "How many sums are there?",
    ),
    section="One layer, line by line",
    why="Twice as wide is about four times as many: 12.6 million against 3.2 million. "
    "Two thirds of a layer are its feed-forward part, and heads cost nothing.",
)
