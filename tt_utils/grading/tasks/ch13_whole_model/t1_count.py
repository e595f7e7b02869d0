"""13.1 How many parameters? From the sizes alone."""

from tt_utils.grading.tasks.inputs import fixed
from tt_utils.grading.tasks.spec import Check, FunctionTask

FORMULA = """
def count_parameters(vocab, d_model, n_heads, d_ff, n_encoder, n_decoder, max_len, tied):
    attention = 4 * (d_model * d_model + d_model)
    feed_forward = d_model * d_ff + d_ff + d_ff * d_model + d_model
    norm = 2 * d_model
    encoder_layer = attention + feed_forward + 2 * norm
    decoder_layer = 2 * attention + feed_forward + 3 * norm
    tables = 1 if tied else 3
    layers = n_encoder * encoder_layer + n_decoder * decoder_layer
    return layers + 2 * norm + tables * vocab * d_model
"""

EXPANDED = """
def count_parameters(vocab, d_model, n_heads, d_ff, n_encoder, n_decoder, max_len, tied):
    d, f = d_model, d_ff
    encoder = n_encoder * (4 * d**2 + 2 * d * f + 9 * d + f)
    decoder = n_decoder * (8 * d**2 + 2 * d * f + 15 * d + f)
    return encoder + decoder + 4 * d + vocab * d * (3 - 2 * bool(tied))
"""

BY_PARTS = """
def count_parameters(vocab, d_model, n_heads, d_ff, n_encoder, n_decoder, max_len, tied):
    def linear(n_in, n_out):
        return n_in * n_out + n_out

    total = vocab * d_model if tied else 3 * vocab * d_model
    for attentions, n_layers in ((1, n_encoder), (2, n_decoder)):
        for _ in range(n_layers):
            for _ in range(attentions):
                total += 4 * linear(d_model, d_model)
            total += linear(d_model, d_ff) + linear(d_ff, d_model)
            total += (attentions + 1) * 2 * d_model
        total += 2 * d_model
    return total
"""

ON_META = """
def count_parameters(vocab, d_model, n_heads, d_ff, n_encoder, n_decoder, max_len, tied):
    import torch

    with torch.device("meta"):
        sizes = d_model, n_heads, d_ff
        layers = [torch.nn.TransformerEncoderLayer(*sizes) for _ in range(n_encoder)]
        layers += [torch.nn.TransformerDecoderLayer(*sizes) for _ in range(n_decoder)]
        layers += [torch.nn.LayerNorm(d_model), torch.nn.LayerNorm(d_model)]
        layers += [torch.nn.Embedding(vocab, d_model) for _ in range(1 if tied else 3)]
    return sum(p.numel() for layer in layers for p in layer.parameters())
"""

MISTAKES = """
no biases in the attention: (d_model * d_model + d_model) → d_model * d_model
or: 4 * linear(d_model, d_model) → 4 * d_model * d_model
    Your count is short by a multiple of d_model for each attention. What does a linear
    layer add to its product?

no biases in the feed-forward part: d_model * d_ff + d_ff + d_ff * d_model + d_model → 2 * d_model * d_ff
or: linear(d_model, d_ff) + linear(d_ff, d_model) → 2 * d_model * d_ff
    Your count is short by d_ff + d_model for each layer. What does a linear layer add to
    its product?

second bias of the feed-forward part left out: d_model * d_ff + d_ff + d_ff * d_model + d_model → 2 * d_model * d_ff + d_ff
or: linear(d_ff, d_model) → d_ff * d_model
    Each layer is short by d_model. The second matrix of the feed-forward part has a
    bias, too: how long is it?

first bias of the feed-forward part left out: d_model * d_ff + d_ff + d_ff * d_model + d_model → 2 * d_model * d_ff + d_model
or: linear(d_model, d_ff) → d_model * d_ff
    Each layer is short by d_ff. The first matrix of the feed-forward part has a bias,
    too: how long is it?

no biases at all: (d_model * d_model + d_model) → d_model * d_model
and: d_model * d_ff + d_ff + d_ff * d_model + d_model → 2 * d_model * d_ff
or: n_in * n_out + n_out → n_in * n_out
    You counted matrices alone: what is missing is exactly the biases. How long is the
    bias of a linear layer?

biases of the wrong side: d_model * d_ff + d_ff + d_ff * d_model + d_model → 2 * (d_model * d_ff + d_ff)
or: d_model * d_ff + d_ff + d_ff * d_model + d_model → 2 * (d_model * d_ff + d_model)
    A bias is added to what comes out. How wide is that, for each of the two matrices of
    the feed-forward part?

one bias in an attention: 4 * (d_model * d_model + d_model) → 4 * d_model * d_model + d_model
    You counted one bias for each attention. How many linear layers has it?

one matrix in the feed-forward part: d_model * d_ff + d_ff + d_ff * d_model + d_model → d_model * d_ff + d_ff
or: linear(d_model, d_ff) + linear(d_ff, d_model) → linear(d_model, d_ff)
    You counted one matrix of the feed-forward part. How does a vector come back from
    d_ff to d_model numbers?

one head only: (d_model * d_model + d_model) → (d_model * (d_model // n_heads) + d_model // n_heads)
or: 4 * linear(d_model, d_model) → 4 * linear(d_model, d_model // n_heads)
    In yours more heads cost fewer parameters. You counted one of them: how wide are all
    of them together?

three matrices in an attention: attention = 4 * → attention = 3 *
or: 4 * linear(d_model, d_model) → 3 * linear(d_model, d_model)
    You have queries, keys and values. What happens to the heads' results once they stand
    side by side?

every head as wide as the model: attention = 4 * ( → attention = n_heads * 4 * (
or: 4 * linear(d_model, d_model) → 4 * n_heads * linear(d_model, d_model)
    Your count grows with the number of heads. What do the heads do with the d_model
    features: get them all, or share them?

decoder layer like an encoder layer: 2 * attention + feed_forward + 3 * norm → attention + feed_forward + 2 * norm
or: (2, n_decoder) → (1, n_decoder)
    Your decoder layers are encoder layers. Which third sub-layer does a decoder layer
    have?

a norm for a cross-attention that is not there: 2 * attention + feed_forward + 3 * norm → attention + feed_forward + 3 * norm
or: for _ in range(attentions) → for _ in range(1)
    Your decoder layers have three norms, which is right, and one attention. To which
    sub-layer does the third norm belong?

cross-attention without its norm: 2 * attention + feed_forward + 3 * norm → 2 * attention + feed_forward + 2 * norm
or: total += (attentions + 1) * 2 * d_model → total += 2 * 2 * d_model
    Your decoder layers have two norms. How many sub-layers do they have?

one norm in an encoder layer: attention + feed_forward + 2 * norm\\n → attention + feed_forward + norm\\n
    Your encoder layers have one norm. How many sub-layers do they have?

norm with one vector: norm = 2 * d_model → norm = d_model
or: (attentions + 1) * 2 * d_model → (attentions + 1) * d_model
and: total += 2 * d_model → total += d_model
    A norm multiplies and then adds. How many vectors does it learn?

no norms in the layers: + 2 * norm\\n    decoder → \\n    decoder
and: + 3 * norm →
or: total += (attentions + 1) * 2 * d_model → pass
    Nothing stands for the norms in your layers. How many are there in each, and what do
    they learn?

no norms at all: norm = 2 * d_model → norm = 0
or: total += (attentions + 1) * 2 * d_model → pass
and: total += 2 * d_model → pass
    No norm is in your count, neither in the layers nor at the end of the stacks. What
    does each one learn?

no final norms: layers + 2 * norm + tables → layers + tables
or: + 4 * d + vocab → + vocab
    Your layers are right. What stands behind the last layer of each stack, by the text
    of the task?

no final norm where a stack is empty: layers + 2 * norm + tables → layers + ((n_encoder > 0) + (n_decoder > 0)) * norm + tables
or: total += 2 * d_model\\n    return → total += 2 * d_model * (n_layers > 0)\\n    return
    With layers in both stacks your count is right. What does the task say of a stack
    that has none?

one final norm: layers + 2 * norm + tables → layers + norm + tables
or: + 4 * d + vocab → + 2 * d + vocab
    You have one norm at the end. How many stacks are there?

positions counted: * vocab * d_model → * vocab * d_model + max_len * d_model
or: + vocab * d * (3 - 2 * bool(tied)) → + vocab * d * (3 - 2 * bool(tied)) + max_len * d
    Your count grows with max_len. Is a table of sines learnt?

positions counted on both sides: * vocab * d_model → * vocab * d_model + 2 * max_len * d_model
    Your count grows with max_len, twice. Is a table of sines learnt?

tied or not, three tables: 1 if tied else 3 → 3
or: vocab * d_model if tied else 3 * → 3 *
    Your count is the same with tied tables and without. How many tables are stored when
    three places share one?

tied or not, one table: 1 if tied else 3 → 1
or: vocab * d_model if tied else 3 * vocab * d_model → vocab * d_model
    Your count is the same with tied tables and without. Which three places need a table
    of vocab rows?

tied tables counted twice: 1 if tied else 3 → 2 if tied else 3
    Where all three are tied, you count two tables. How many are stored?

two tables when not tied: 1 if tied else 3 → 1 if tied else 2
    Without tying you count two tables. Source and target have one each: what turns the
    last hidden vector into logits?

tying the wrong way round: 1 if tied else 3 → 3 if tied else 1
or: vocab * d_model if tied else 3 * vocab * d_model → 3 * vocab * d_model if tied else vocab * d_model
    Tying costs parameters in yours. Does sharing need more tables, or fewer?

bias behind the logits: * vocab * d_model → * vocab * d_model + vocab
or: * vocab * d_model → * vocab * d_model + (0 if tied else vocab)
    Your count is too high by the size of the vocabulary. Does the last projection have a
    bias here?

no tables: + tables * vocab * d_model →
or: + vocab * d * (3 - 2 * bool(tied)) →
    Your count doesn't change with the vocabulary. Which part of the model has a row for
    each word?

encoder's length for both: n_decoder * decoder_layer → n_encoder * decoder_layer
or: n_decoder * (8 → n_encoder * (8
    You have as many decoder layers as encoder layers. Which argument gives their number?

hidden width of four times the model: max_len, tied): → max_len, tied):\\n    d_ff = 4 * d_model
    You took the hidden width to be 4 d_model, as in the paper. Which argument gives it
    here?
"""


def drawn(n_encoder, n_decoder, tied, n_heads=None, inner=5, most=60):
    """Other widths and another vocabulary, the layers and the tables as told."""

    def inputs(rng):
        heads = n_heads or int(rng.integers(2, 8))
        d_model = 2 * heads * int(rng.integers(1, inner))
        d_ff = 3 * d_model + int(rng.integers(1, d_model))  # no multiple of it
        vocab, max_len = (int(n) for n in rng.integers(most // 2, most, 2))
        return vocab, d_model, heads, d_ff, n_encoder, n_decoder, max_len + 1, tied

    return inputs


def base(rng):
    """The paper's base model, with a vocabulary of its own."""
    return int(rng.integers(20_000, 50_000)), 512, 8, 2048, 6, 6, 5000, True


NAMES = (
    "vocab",
    "d_model",
    "n_heads",
    "d_ff",
    "n_encoder",
    "n_decoder",
    "max_len",
    "tied",
)

TASK = FunctionTask(
    title="Counting by formula",
    kind="implement",
    answers=("count_parameters",),
    arguments=NAMES,
    outputs=("count",),
    right=(FORMULA, EXPANDED, BY_PARTS, ON_META),
    mistakes=MISTAKES,
    checks=(
        Check(
            "one layer each, tiny, tied",
            fixed(7, 2, 1, 8, 1, 1, 3, True),
            fresh=drawn(1, 1, True, n_heads=1),
        ),
        Check(
            "one layer each, tiny, not tied",
            fixed(7, 2, 1, 8, 1, 1, 3, False),
            fresh=drawn(1, 1, False, n_heads=1),
        ),
        Check(
            "two heads, another width inside",
            fixed(11, 6, 2, 13, 1, 1, 5, True),
            fresh=drawn(1, 1, True, n_heads=2),
        ),
        Check(
            "three encoder, two decoder layers",
            fixed(17, 6, 3, 23, 3, 2, 7, False),
            fresh=drawn(3, 2, False),
        ),
        Check(
            "no decoder layers",
            fixed(19, 10, 5, 29, 3, 0, 31, True),
            fresh=drawn(3, 0, True),
        ),
        Check(
            "no encoder layers",
            fixed(23, 14, 7, 31, 0, 2, 37, True),
            fresh=drawn(0, 2, True),
        ),
        Check(
            "the paper's base model, tied",
            fixed(37_000, 512, 8, 2048, 6, 6, 5000, True),
            fresh=base,
        ),
        Check(
            "a large one, not tied",
            fixed(37_000, 1024, 16, 4096, 6, 5, 5000, False),
            fresh=drawn(6, 5, False, n_heads=16, inner=33, most=50_000),
        ),
    ),
    hints=(
        "Walk along the figure and write one line for each kind of block: attention, "
        "feed-forward part, norm. Which matrices has it, and which vectors?",
        "Then count blocks: how many in an encoder layer, in a decoder layer, behind each "
        "stack? Last come the tables with a row for each word.",
    ),
    section="Counting parameters",
    why="Heads and positions cost nothing. A decoder layer costs one attention and one "
    "norm more than an encoder layer, and tying saves two tables of vocab rows.",
)
