"""23.4 Stage 4: feed-forward network, encoder layer and decoder layer."""

import numpy as np

from tt_utils.grading.observing import probes
from tt_utils.grading.tasks.ch23_from_an_empty_file import given
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.widen = nn.Linear(d_model, d_ff)
        self.narrow = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.narrow(self.widen(x).relu())

class EncoderLayer(nn.Module):
    def __init__(self, attention, d_model, d_ff, dropout):
        super().__init__()
        self.self_attention = attention
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(2))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, src_mask):
        x = self.norms[0](x + self.dropout(self.self_attention(x, x, src_mask)))
        return self.norms[1](x + self.dropout(self.feed_forward(x)))

class DecoderLayer(nn.Module):
    def __init__(self, self_attention, cross_attention, d_model, d_ff, dropout):
        super().__init__()
        self.self_attention = self_attention
        self.cross_attention = cross_attention
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, y, memory, src_mask, causal):
        y = self.norms[0](y + self.dropout(self.self_attention(y, y, causal)))
        y = self.norms[1](y + self.dropout(self.cross_attention(y, memory, src_mask)))
        return self.norms[2](y + self.dropout(self.feed_forward(y)))
"""

STEP_BY_STEP = """
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.widen, self.narrow = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x):
        hidden = F.relu(self.widen(x))
        return self.narrow(hidden)

class Layer(nn.Module):
    def __init__(self, d_model, d_ff, dropout, n_norms):
        super().__init__()
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norms = nn.ModuleList([nn.LayerNorm(d_model) for _ in range(n_norms)])
        self.p = dropout

    def add(self, number, x, out):
        return self.norms[number](x + F.dropout(out, self.p, self.training))

class EncoderLayer(Layer):
    def __init__(self, attention, d_model, d_ff, dropout):
        super().__init__(d_model, d_ff, dropout, 2)
        self.attention = attention

    def forward(self, x, src_mask):
        seen = self.attention(x, x, src_mask)
        z = self.add(0, x, seen)
        return self.add(1, z, self.feed_forward(z))

class DecoderLayer(Layer):
    def __init__(self, self_attention, cross_attention, d_model, d_ff, dropout):
        super().__init__(d_model, d_ff, dropout, 3)
        self.own, self.cross = self_attention, cross_attention

    def forward(self, y, memory, src_mask, causal):
        seen = self.own(y, y, causal)
        z = self.add(0, y, seen)
        found = self.cross(z, memory, src_mask)
        w = self.add(1, z, found)
        return self.add(2, w, self.feed_forward(w))
"""

IN_ONE_LOOP = """
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.add_module("widen", nn.Linear(d_model, d_ff))
        self.add_module("narrow", nn.Linear(d_ff, d_model))

    def forward(self, x):
        return self.narrow(self.widen(x).clamp(min=0))

class SubLayers(nn.Module):
    def __init__(self, count, d_model, d_ff, dropout):
        super().__init__()
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norms = nn.ModuleList()
        for _ in range(count):
            self.norms.append(nn.LayerNorm(d_model))
        self.dropout = nn.Dropout(dropout)

    def through(self, x, *sublayers):
        for norm, sublayer in zip(self.norms, [*sublayers, self.feed_forward]):
            x = norm(x + self.dropout(sublayer(x)))
        return x

class EncoderLayer(SubLayers):
    def __init__(self, attention, d_model, d_ff, dropout):
        super().__init__(2, d_model, d_ff, dropout)
        self.attention = attention

    def forward(self, x, src_mask):
        return self.through(x, lambda z: self.attention(z, z, src_mask))

class DecoderLayer(SubLayers):
    def __init__(self, self_attention, cross_attention, d_model, d_ff, dropout):
        super().__init__(3, d_model, d_ff, dropout)
        self.attentions = nn.ModuleList([self_attention, cross_attention])

    def forward(self, y, memory, src_mask, causal):
        return self.through(
            y,
            lambda z: self.attentions[0](z, z, causal),
            lambda z: self.attentions[1](z, memory, src_mask),
        )
"""

MISTAKES = """
no ReLU: self.narrow(self.widen(x).relu()) → self.narrow(self.widen(x))
or: F.relu(self.widen(x)) → self.widen(x)
or: .clamp(min=0) →
    Your feed-forward network is two matrices in a row, which are no more than one. What
    stands between them?

ReLU at the end: self.narrow(self.widen(x).relu()) → self.narrow(self.widen(x)).relu()
or: self.narrow(self.widen(x).clamp(min=0)) → self.narrow(self.widen(x)).clamp(min=0)
    Your feed-forward network never gives a negative number. Which of its two matrices
    comes after the ReLU?

GELU: self.widen(x).relu() → F.gelu(self.widen(x))
or: F.relu( → F.gelu(
    Later models have this function. Which one stands in the paper's equation 2?

encoder without a residual: self.norms[0](x + self.dropout(self.self_attention(x, x, src_mask))) → self.norms[0](self.dropout(self.self_attention(x, x, src_mask)))
or: self.norms[1](x + self.dropout(self.feed_forward(x))) → self.norms[1](self.dropout(self.feed_forward(x)))
    A sub-layer of your encoder layer replaces what its words were. What is added to what
    it gives?

decoder without a residual: self.norms[0](y + self.dropout(self.self_attention(y, y, causal))) → self.norms[0](self.dropout(self.self_attention(y, y, causal)))
or: self.norms[1](y + self.dropout(self.cross_attention(y, memory, src_mask))) → self.norms[1](self.dropout(self.cross_attention(y, memory, src_mask)))
or: self.norms[2](y + self.dropout(self.feed_forward(y))) → self.norms[2](self.dropout(self.feed_forward(y)))
    A sub-layer of your decoder layer replaces what its words were. What is added to what
    it gives?

no residuals at all: self.norms[number](x + F.dropout → self.norms[number](F.dropout
or: norm(x + self.dropout( → norm(self.dropout(
    Each sub-layer of yours replaces what its words were. What does the *Add* in the
    figure's *Add & Norm* add?

a norm left out: x = self.norms[0](x + self.dropout(self.self_attention(x, x, src_mask))) → x = x + self.dropout(self.self_attention(x, x, src_mask))
or: return self.norms[1](x + self.dropout(self.feed_forward(x))) → return x + self.dropout(self.feed_forward(x))
or: y = self.norms[1](y + self.dropout(self.cross_attention(y, memory, src_mask))) → y = y + self.dropout(self.cross_attention(y, memory, src_mask))
or: return self.norms[2](y + self.dropout(self.feed_forward(y))) → return y + self.dropout(self.feed_forward(y))
    One of your sums goes on as it is. How many norms has the layer, and where does each
    of them stand?

one norm for two sums: return self.norms[1](x + → return self.norms[0](x +
or: return self.norms[2](y + → return self.norms[1](y +
or: self.add(1, z, self.feed_forward(z)) → self.add(0, z, self.feed_forward(z))
    You use one norm twice and another one not at all. Which norm belongs to which sum?

pre-norm: x = self.norms[0](x + self.dropout(self.self_attention(x, x, src_mask))) → z = self.norms[0](x); x = x + self.dropout(self.self_attention(z, z, src_mask))
and: return self.norms[1](x + self.dropout(self.feed_forward(x))) → return x + self.dropout(self.feed_forward(self.norms[1](x)))
or: x = norm(x + self.dropout(sublayer(x))) → x = x + self.dropout(sublayer(norm(x)))
    Your norms stand before the sub-layers, as in many later models. The stage asks for
    the paper's order: what is normalised there?

norm inside of the sum: self.norms[number](x + F.dropout(out, self.p, self.training)) → x + self.norms[number](F.dropout(out, self.p, self.training))
or: x = norm(x + self.dropout(sublayer(x))) → x = x + norm(self.dropout(sublayer(x)))
    You normalise what the sub-layer gives, and add afterwards. Which of the two comes
    first in LayerNorm(x + Sublayer(x))?

feed-forward part reads what came in: z = self.add(0, x, seen)\\n        return self.add(1, z, self.feed_forward(z)) → z = self.add(0, x, seen)\\n        return self.add(1, z, self.feed_forward(x))
or: return self.add(2, w, self.feed_forward(w)) → return self.add(2, w, self.feed_forward(y))
    Your feed-forward network reads what came into the layer. What does the sub-layer
    before it hand on?

a skip from too early: return self.add(1, z, self.feed_forward(z)) → return self.add(1, x, self.feed_forward(z))
or: return self.add(2, w, self.feed_forward(w)) → return self.add(2, y, self.feed_forward(w))
or: w = self.add(1, z, found) → w = self.add(1, y, found)
    One of your residuals begins at an earlier vector. Where does the road around a
    sub-layer begin?

feed-forward part left out: return self.norms[1](x + self.dropout(self.feed_forward(x))) → return x
or: return self.norms[2](y + self.dropout(self.feed_forward(y))) → return y
or: [*sublayers, self.feed_forward] → sublayers
    Your layer attends and stops there. Which sub-layer comes last?

causal mask for the source: self.cross_attention(y, memory, src_mask) → self.cross_attention(y, memory, causal)
or: self.cross(z, memory, src_mask) → self.cross(z, memory, causal)
    Your cross-attention got the mask of the target. Which mask says what may be read of
    the source?

masks exchanged: self.self_attention(y, y, causal) → self.self_attention(y, y, src_mask)
and: self.cross_attention(y, memory, src_mask) → self.cross_attention(y, memory, causal)
or: self.own(y, y, causal) → self.own(y, y, src_mask)
    Your decoder attends to its own words with the mask of the source. What has each of
    the two masks to hide?

the target reads itself twice: self.cross_attention(y, memory, src_mask) → self.cross_attention(y, y, causal)
or: self.cross(z, memory, src_mask) → self.cross(z, z, causal)
    Another source changes nothing in your decoder layer. From where come keys and values
    of the cross-attention?

the source attends: self.cross_attention(y, memory, src_mask) → self.cross_attention(memory, y, causal[-1:])
or: self.cross(z, memory, src_mask) → self.cross(memory, z, causal[-1:])
    As many rows come out of an attention as there are queries. Which of the two sentences
    attends to the other one?

cross-attention first: y = self.norms[0](y + self.dropout(self.self_attention(y, y, causal))) → y = self.norms[0](y + self.dropout(self.cross_attention(y, memory, src_mask)))
and: y = self.norms[1](y + self.dropout(self.cross_attention(y, memory, src_mask))) → y = self.norms[1](y + self.dropout(self.self_attention(y, y, causal)))
    Your target reads the source before it has read itself. Which attention comes first in
    the figure?

one attention for both: self.cross_attention(y, memory → self.self_attention(y, memory
or: self.cross(z, memory → self.own(z, memory
or: self.attentions[1](z, memory → self.attentions[0](z, memory
    You use the same attention twice, and the other one not at all. Which of the two that
    were handed over is which?

no dropout: self.dropout(self.self_attention(x, x, src_mask)) → self.self_attention(x, x, src_mask)
and: self.dropout(self.feed_forward(x)) → self.feed_forward(x)
or: F.dropout(out, self.p, self.training) → out
or: self.dropout(sublayer(x)) → sublayer(x)
    While it trains your layer drops nothing. To what does section 5.4 of the paper apply
    dropout?

dropout on the sum: self.norms[number](x + F.dropout(out, self.p, self.training)) → self.norms[number](F.dropout(x + out, self.p, self.training))
or: norm(x + self.dropout(sublayer(x))) → norm(self.dropout(x + sublayer(x)))
    You drop numbers of the sum, and so of what the words were. To which of its two
    summands does dropout belong?

dropout without an end: F.dropout(out, self.p, self.training) → F.dropout(out, self.p)
    Yours drops in evaluation mode too. How does `F.dropout` learn whether the model
    trains?
"""


def made(answer, sizes, weights, matrices):
    """A layer around attentions that are lent, with these weights."""
    lent = [given.mixing(*pair) for pair in matrices]
    layer = answer(*lent, **sizes)
    if not {type(one) for one in lent} <= {type(one) for one in layer.modules()}:
        raise LookupError(
            "your layer doesn't hold its attention as a module, so an optimiser would "
            "not find the attention's parameters"
        )
    probes.load(layer, weights)
    return layer


def encoder(answers, *arguments):
    sizes, weights, attention, *inputs = arguments
    return made(answers[1], sizes, weights, [attention]).eval()(*inputs)


def decoder(answers, *arguments):
    sizes, weights, own, cross, *inputs = arguments
    return made(answers[2], sizes, weights, [own, cross]).eval()(*inputs)


def encoder_all_dropped(answers, *arguments):
    """While it trains, with a dropout of 1."""
    sizes, weights, attention, *inputs = arguments
    return made(answers[1], sizes, weights, [attention]).train()(*inputs)


def decoder_all_dropped(answers, *arguments):
    sizes, weights, own, cross, *inputs = arguments
    return made(answers[2], sizes, weights, [own, cross]).train()(*inputs)


def linear(name, n_in, n_out, rng):
    return {
        f"{name}.weight": (rng.normal(size=(n_out, n_in)) / n_in**0.5).round(2),
        f"{name}.bias": rng.normal(size=n_out).round(1),
    }


def network(d_model, d_ff, prefix, rng):
    return linear(f"{prefix}widen", d_model, d_ff, rng) | linear(
        f"{prefix}narrow", d_ff, d_model, rng
    )


def network_case(d_model, d_ff, *shape):
    def inputs(rng):
        sizes = {"d_model": d_model, "d_ff": d_ff}
        weights = network(d_model, d_ff, "", rng)
        return sizes, weights, rng.normal(size=(*shape, d_model)).round(1)

    return inputs


def layer_parts(d_model, d_ff, n_norms, dropout, rng):
    """Sizes, weights, and a pair of matrices for each attention that is lent."""
    sizes = {"d_model": d_model, "d_ff": d_ff, "dropout": dropout}
    weights = network(d_model, d_ff, "feed_forward.", rng)
    for n in range(n_norms):
        weights[f"norms.{n}.weight"] = rng.normal(1, 0.4, size=d_model).round(2)
        weights[f"norms.{n}.bias"] = rng.normal(0, 0.4, size=d_model).round(2)
    pairs = [
        tuple(rng.normal(size=(2, d_model, d_model)).round(1))
        for _ in range(n_norms - 1)
    ]
    return sizes, weights, *pairs


def padding(t, real):
    return (np.arange(t) < np.array(real)[:, None])[:, None, None, :]


def encoder_case(d_model, d_ff, t, real, dropout=0.0):
    def inputs(rng):
        x = rng.normal(size=(len(real), t, d_model)).round(1)
        return *layer_parts(d_model, d_ff, 2, dropout, rng), x, padding(t, real)

    return inputs


def decoder_case(d_model, d_ff, t_tgt, t_src, real, dropout=0.0):
    def inputs(rng):
        y = rng.normal(size=(len(real), t_tgt, d_model)).round(1)
        memory = rng.normal(size=(len(real), t_src, d_model)).round(1)
        masks = padding(t_src, real), np.tril(np.ones((t_tgt, t_tgt), bool))
        return *layer_parts(d_model, d_ff, 3, dropout, rng), y, memory, *masks

    return inputs


ENCODER = ("sizes", "weights", "attention", "x", "src_mask")
DECODER = (
    "sizes",
    "weights",
    "self_attention",
    "cross_attention",
    "y",
    "memory",
    "src_mask",
    "causal",
)

TASK = FunctionTask(
    title="Stage 4: layers",
    kind="implement",
    answers=("FeedForward", "EncoderLayer", "DecoderLayer"),
    arguments=("sizes", "weights", "x"),
    outputs=("out",),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(PLAIN, STEP_BY_STEP, IN_ONE_LOOP),
    mistakes=MISTAKES,
    pairs=False,
    checks=(
        Check(
            "a feed-forward network",
            network_case(4, 7, 2, 3),
            probes.forward_in_both_modes,
        ),
        Check("an encoder layer", encoder_case(6, 7, 3, (3, 3)), encoder, ENCODER),
        Check("and padding", encoder_case(6, 5, 5, (5, 2, 4)), encoder, ENCODER),
        Check(
            "an encoder layer that drops all while it trains",
            encoder_case(5, 7, 3, (3, 2), dropout=1 - 1e-9),
            encoder_all_dropped,
            ENCODER,
        ),
        Check(
            "an encoder layer in evaluation mode",
            encoder_case(5, 7, 3, (3, 2), dropout=1 - 1e-9),
            encoder,
            ENCODER,
        ),
        Check("a decoder layer", decoder_case(6, 7, 4, 4, (4, 4)), decoder, DECODER),
        Check(
            "a decoder layer and padding in the source",
            decoder_case(6, 5, 4, 4, (4, 2, 3)),
            decoder,
            DECODER,
        ),
        Check(
            "a target longer than its source",
            decoder_case(5, 7, 5, 3, (3, 2)),
            decoder,
            DECODER,
        ),
        Check(
            "a decoder layer that drops all while it trains",
            decoder_case(5, 7, 3, 4, (3, 4), dropout=1 - 1e-9),
            decoder_all_dropped,
            DECODER,
        ),
    ),
    hints=(
        "Begin with the encoder layer. It has two sub-layers: what stands around each of "
        "them, and in which order, by section 3.1 and the figure?",
        "For the decoder layer, write down for each of its two attentions who attends, what "
        "is read, and which mask goes along.",
    ),
    page="13c_the_whole_on_one_page",
    section="Layers",
    why="A layer knows nothing of how attention works: it hands over queries, what is read, "
    "and a mask. So any attention can be put into it, the check's own too.",
)
