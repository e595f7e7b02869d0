"""13.5 The whole model, assembled from typed stubs."""

import numpy as np

from tt_utils.grading.observing import probes
from tt_utils.grading.tasks.spec import Check, FunctionTask

LAYERS = """
from tt_utils.blocks import MultiHeadAttention, padding_mask, sinusoidal_positions

def feed_forward(d_model, d_ff):
    return nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))

class EncoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = feed_forward(d_model, d_ff)
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(2))

    def forward(self, x, src_mask=None):
        x = self.norms[0](x + self.self_attention(x, x, x, src_mask)[0])
        return self.norms[1](x + self.feed_forward(x))

class DecoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = feed_forward(d_model, d_ff)
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(3))

    def forward(self, x, memory, src_mask=None):
        x = self.norms[0](x + self.self_attention(x, x, x, causal=True)[0])
        x = self.norms[1](x + self.cross_attention(x, memory, memory, src_mask)[0])
        return self.norms[2](x + self.feed_forward(x))
"""

STEP_BY_STEP = """
from tt_utils.blocks import MultiHeadAttention, causal_mask, sinusoidal_positions

class Layer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, n_norms):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(n_norms))

class EncoderLayer(Layer):
    def __init__(self, d_model, n_heads, d_ff):
        super().__init__(d_model, n_heads, d_ff, 2)

    def forward(self, x, src_mask=None):
        norm_1, norm_2 = self.norms
        seen, _ = self.self_attention(x, x, x, src_mask)
        y = norm_1(x + seen)
        return norm_2(y + self.feed_forward(y))

class DecoderLayer(Layer):
    def __init__(self, d_model, n_heads, d_ff):
        super().__init__(d_model, n_heads, d_ff, 3)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)

    def forward(self, x, memory, src_mask=None):
        norm_1, norm_2, norm_3 = self.norms
        written = causal_mask(x.shape[1])
        seen, _ = self.self_attention(x, x, x, written)
        y = norm_1(x + seen)
        found, _ = self.cross_attention(y, memory, memory, src_mask)
        z = norm_2(y + found)
        return norm_3(z + self.feed_forward(z))
"""

PARTS = """
class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model, n_heads, d_ff, n_layers):
        super().__init__()
        sizes = d_model, n_heads, d_ff
        self.d_model = d_model
        self.src_table = nn.Embedding(src_vocab, d_model)
        self.tgt_table = nn.Embedding(tgt_vocab, d_model)
        self.encoder = nn.ModuleList(EncoderLayer(*sizes) for _ in range(n_layers))
        self.decoder = nn.ModuleList(DecoderLayer(*sizes) for _ in range(n_layers))
        self.generator = nn.Linear(d_model, tgt_vocab, bias=False)
"""

PLAIN = (
    LAYERS
    + PARTS
    + """
    def embed(self, table, tokens):
        x = table(tokens) * math.sqrt(self.d_model)
        return x + sinusoidal_positions(tokens.shape[1], self.d_model)

    def forward(self, src, tgt):
        src_mask = padding_mask(src, 0)
        memory = self.embed(self.src_table, src)
        for layer in self.encoder:
            memory = layer(memory, src_mask)
        x = self.embed(self.tgt_table, tgt)
        for layer in self.decoder:
            x = layer(x, memory, src_mask)
        return self.generator(x)
"""
)

OWN_MASKS = (
    STEP_BY_STEP
    + PARTS
    + """
    def encode(self, src, mask):
        x = self.src_table(src) * self.d_model ** 0.5
        x = x + sinusoidal_positions(src.shape[1], self.d_model)
        for layer in self.encoder:
            x = layer(x, mask)
        return x

    def forward(self, src, tgt):
        mask = (src != 0).unsqueeze(1).unsqueeze(1)
        memory = self.encode(src, mask)
        y = self.tgt_table(tgt) * self.d_model ** 0.5
        y = y + sinusoidal_positions(tgt.shape[1], self.d_model)
        for layer in self.decoder:
            y = layer(y, memory, mask)
        return y @ self.generator.weight.T
"""
)

IN_ONE_ROW = (
    STEP_BY_STEP
    + PARTS.replace(
        "sizes = d_model, n_heads, d_ff\n",
        "sizes = d_model, n_heads, d_ff\n        self.scale = d_model ** 0.5\n",
    )
    + """
    def forward(self, src, tgt):
        mask = (src > 0)[:, None, None, :]
        places = sinusoidal_positions(max(src.shape[1], tgt.shape[1]), self.d_model)
        read = self.scale * self.src_table(src) + places[: src.shape[1]]
        written = self.scale * self.tgt_table(tgt) + places[: tgt.shape[1]]
        for encode in self.encoder:
            read = encode(read, mask)
        for decode in self.decoder:
            written = decode(written, read, mask)
        return self.generator(written)
"""
)

MISTAKES = """
encoder without residuals: self.norms[0](x + self.self_attention(x, x, x, src_mask)[0]) → self.norms[0](self.self_attention(x, x, x, src_mask)[0])
or: self.norms[1](x + self.feed_forward(x)) → self.norms[1](self.feed_forward(x))
or: self.norms[0](x + self.self_attention(x, x, x, src_mask)[0]) → self.norms[0](self.self_attention(x, x, x, src_mask)[0])
and: self.norms[1](x + self.feed_forward(x)) → self.norms[1](self.feed_forward(x))
    Your encoder layer replaces what its words were. What stands around each sub-layer?

decoder without residuals: self.norms[0](x + self.self_attention(x, x, x, causal=True)[0]) → self.norms[0](self.self_attention(x, x, x, causal=True)[0])
or: self.norms[1](x + self.cross_attention(x, memory, memory, src_mask)[0]) → self.norms[1](self.cross_attention(x, memory, memory, src_mask)[0])
or: self.norms[2](x + self.feed_forward(x)) → self.norms[2](self.feed_forward(x))
or: self.norms[0](x + self.self_attention(x, x, x, causal=True)[0]) → self.norms[0](self.self_attention(x, x, x, causal=True)[0])
and: self.norms[1](x + self.cross_attention(x, memory, memory, src_mask)[0]) → self.norms[1](self.cross_attention(x, memory, memory, src_mask)[0])
and: self.norms[2](x + self.feed_forward(x)) → self.norms[2](self.feed_forward(x))
or: self.norms[0](x + self.self_attention(x, x, x, causal=True)[0]) → self.norms[0](self.self_attention(x, x, x, causal=True)[0])
and: self.norms[1](x + self.cross_attention(x, memory, memory, src_mask)[0]) → self.norms[1](self.cross_attention(x, memory, memory, src_mask)[0])
    Your decoder layer replaces what its words were. What stands around each of its three
    sub-layers?

a norm left out: self.norms[0](x + self.self_attention(x, x, x, src_mask)[0]) → (x + self.self_attention(x, x, x, src_mask)[0])
or: self.norms[1](x + self.feed_forward(x)) → x + self.feed_forward(x)
or: self.norms[0](x + self.self_attention(x, x, x, causal=True)[0]) → (x + self.self_attention(x, x, x, causal=True)[0])
or: self.norms[1](x + self.cross_attention(x, memory, memory, src_mask)[0]) → (x + self.cross_attention(x, memory, memory, src_mask)[0])
or: self.norms[2](x + self.feed_forward(x)) → x + self.feed_forward(x)
    One sum in your layer goes on as it is. Behind how many of its sums stands a
    LayerNorm?

one norm for two sums: self.norms[1](x + self.feed_forward(x)) → self.norms[0](x + self.feed_forward(x))
or: self.norms[1](x + self.cross_attention(x, memory, memory, src_mask)[0]) → self.norms[0](x + self.cross_attention(x, memory, memory, src_mask)[0])
or: self.norms[2](x + self.feed_forward(x)) → self.norms[1](x + self.feed_forward(x))
    You use a norm twice and another one not at all. Which norm belongs to which sum?

feed-forward part left out: self.norms[1](x + self.feed_forward(x)) → self.norms[1](x)
or: self.norms[2](x + self.feed_forward(x)) → self.norms[2](x)
or: return self.norms[1](x + self.feed_forward(x)) → return x
or: return self.norms[2](x + self.feed_forward(x)) → return x
    Your layer looks and does not think. Which sub-layer comes last?

feed-forward part reads the input: x = self.norms[0](x + self.self_attention(x, x, x, src_mask)[0])\\n        return self.norms[1](x + self.feed_forward(x)) → y = self.norms[0](x + self.self_attention(x, x, x, src_mask)[0])\\n        return self.norms[1](y + self.feed_forward(x))
    Your feed-forward part reads what came into the layer, without what attention
    brought. What does the sub-layer before it hand on?

second skip from the input: x = self.norms[0](x + self.self_attention(x, x, x, src_mask)[0])\\n        return self.norms[1](x + self.feed_forward(x)) → y = self.norms[0](x + self.self_attention(x, x, x, src_mask)[0])\\n        return self.norms[1](x + self.feed_forward(y))
or: return norm_3(z + self.feed_forward(z)) → return norm_3(x + self.feed_forward(z))
or: return norm_3(z + self.feed_forward(z)) → return norm_3(y + self.feed_forward(z))
or: norm_2(y + found) → norm_2(x + found)
    One of your skips starts at an earlier vector. Which one travels past a sub-layer:
    what came into the layer, or what the sub-layer before it handed on?

pre-norm: x = self.norms[0](x + self.self_attention(x, x, x, src_mask)[0]) → y = self.norms[0](x); x = x + self.self_attention(y, y, y, src_mask)[0]
and: return self.norms[1](x + self.feed_forward(x)) → return x + self.feed_forward(self.norms[1](x))
or: x = self.norms[0](x + self.self_attention(x, x, x, causal=True)[0]) → y = self.norms[0](x); x = x + self.self_attention(y, y, y, causal=True)[0]
and: x = self.norms[1](x + self.cross_attention(x, memory, memory, src_mask)[0]) → y = self.norms[1](x); x = x + self.cross_attention(y, memory, memory, src_mask)[0]
and: return self.norms[2](x + self.feed_forward(x)) → return x + self.feed_forward(self.norms[2](x))
    Your norm stands inside, before the sub-layer. Where stands it in the paper's figure?

padding read in the encoder: self.self_attention(x, x, x, src_mask) → self.self_attention(x, x, x)
or: memory = layer(memory, src_mask) → memory = layer(memory)
or: seen, _ = self.self_attention(x, x, x, src_mask) → seen, _ = self.self_attention(x, x, x)
    Your encoder lets real words look at padding. Which mask belongs to its attention?

mask inverted: self.self_attention(x, x, x, src_mask)[0] → self.self_attention(x, x, x, None if src_mask is None else ~src_mask)[0]
or: self.cross_attention(x, memory, memory, src_mask)[0] → self.cross_attention(x, memory, memory, None if src_mask is None else ~src_mask)[0]
or: padding_mask(src, 0) → ~padding_mask(src, 0)
or: (src != 0) → (src == 0)
    You hide the real words and show the padding. What does True in a mask mean in this
    book?

the future hidden in the encoder: self.self_attention(x, x, x, src_mask)[0] → self.self_attention(x, x, x, src_mask, causal=True)[0]
    The words of your source don't see the words after them. Is the source not there as a
    whole from the beginning?

the future leaks: (x, x, x, causal=True) → (x, x, x)
or: (x, x, x, written) → (x, x, x)
    A word of your target sees the words after it. What hides them?

causal mask upside down: causal_mask(x.shape[1]) → causal_mask(x.shape[1]).mT
or: causal_mask(x.shape[1]) → ~causal_mask(x.shape[1])
    Your target words see what comes after them and not what stands before. On which side
    of the diagonal is the future?

mask of the source on the target: self.self_attention(x, x, x, causal=True)[0] → self.self_attention(x, x, x, src_mask, causal=True)[0]
    You gave the mask of the source to the self-attention of the target. Whose padding
    does it hide?

causal mask in the cross-attention: self.cross_attention(x, memory, memory, src_mask)[0] → self.cross_attention(x, memory, memory, src_mask, causal=True)[0]
    Your target words can't see the whole source. Which of the two attentions of a
    decoder has a future to hide?

keys or values from the target: self.cross_attention(x, memory, memory, src_mask)[0] → self.cross_attention(x, x, memory, src_mask)[0]
or: self.cross_attention(x, memory, memory, src_mask)[0] → self.cross_attention(x, memory, x, src_mask)[0]
    Keys and values of your cross-attention come from two sentences. Which one is looked
    at, and which one asks?

the source asks: self.cross_attention(x, memory, memory, src_mask)[0] → self.cross_attention(memory, x, x, src_mask)[0]
or: self.cross_attention(x, memory, memory, src_mask)[0] → self.cross_attention(memory, x, x)[0]
    As many rows come out of an attention as there are queries. Who asks in the
    cross-attention?

cross-attention first: self.norms[0](x + self.self_attention(x, x, x, causal=True)[0]) → self.norms[0](x + self.cross_attention(x, memory, memory, src_mask)[0])
and: self.norms[1](x + self.cross_attention(x, memory, memory, src_mask)[0]) → self.norms[1](x + self.self_attention(x, x, x, causal=True)[0])
    Your target looks at the source before it has looked at itself. Which attention comes
    first in the figure?

one attention for both: self.cross_attention(x, memory → self.self_attention(x, memory
    Both attentions of your decoder layer use the same weights. Which one is never used?

source never read: self.cross_attention(x, memory, memory, src_mask) → self.cross_attention(x, x, x)
    Another source changes nothing in your logits. Where do keys and values of the
    cross-attention come from?

padding read by the decoder: self.cross_attention(x, memory, memory, src_mask) → self.cross_attention(x, memory, memory)
or: x = layer(x, memory, src_mask) → x = layer(x, memory)
    Your target looks at the padding of the source. Which mask belongs to the
    cross-attention?

no factor on the embeddings: * math.sqrt(self.d_model) →
or: self.scale * self →  self
    Your embeddings are smaller than the positions that are added to them. Which factor
    does the paper give them?

positions left out: return x + sinusoidal_positions(tokens.shape[1], self.d_model) → return x
or: + places[: src.shape[1]] →
and: + places[: tgt.shape[1]] →
    Your model does not know in which order its words stand. What is added to the
    embeddings?

positions on one side: x = x + sinusoidal_positions(src.shape[1], self.d_model) → x = x + 0
or: y = y + sinusoidal_positions(tgt.shape[1], self.d_model) → y = y + 0
    One of your two sentences has no positions. Which one knows its order?

positions scaled too: x = table(tokens) * math.sqrt(self.d_model) → x = table(tokens)
and: return x + sinusoidal_positions(tokens.shape[1], self.d_model) → return (x + sinusoidal_positions(tokens.shape[1], self.d_model)) * math.sqrt(self.d_model)
    You multiplied the positions as well. Which of the two summands gets the factor?

whole width as the factor: math.sqrt(self.d_model) → self.d_model
or: self.d_model ** 0.5 → self.d_model
or: self.scale = d_model ** 0.5 → self.scale = d_model
    Your embeddings drown the positions. Which function of d_model is the factor?

embeddings as memory: memory = layer(memory, src_mask) → layer(memory, src_mask)
or: read = encode(read, mask) → encode(read, mask)
    Your decoder reads the embeddings: what the encoder layers return is not used. Where
    does the result of each layer go?

every layer reads the embeddings: memory = layer(memory, src_mask) → out = layer(memory, src_mask)
and: x = layer(x, memory, src_mask) → x = layer(x, out, src_mask)
or: x = layer(x, memory, src_mask)\\n        return self.generator(x) → out = layer(x, memory, src_mask)\\n        return self.generator(out)
or: written = decode(written, read, mask)\\n        return self.generator(written) → out = decode(written, read, mask)\\n        return self.generator(out)
    Every layer of one of your stacks reads the embeddings, and only the last one counts.
    What should the second layer read?

decoder's result thrown away: x = layer(x, memory, src_mask) → layer(x, memory, src_mask)
or: written = decode(written, read, mask) → decode(written, read, mask)
    Your logits are made from the embeddings of the target. What becomes of what a
    decoder layer returns?

decoder reads an unfinished memory: for layer in self.encoder:\\n            memory = layer(memory, src_mask)\\n        x = self.embed(self.tgt_table, tgt)\\n        for layer in self.decoder:\\n            x = layer(x, memory, src_mask) → x = self.embed(self.tgt_table, tgt)\\n        for layer, other in zip(self.encoder, self.decoder):\\n            memory = layer(memory, src_mask)\\n            x = other(x, memory, src_mask)
    Your first decoder layer reads what the first encoder layer wrote. How many encoder
    layers has the source passed before anybody reads it?

one table for both sentences: self.embed(self.tgt_table, tgt) → self.embed(self.src_table, tgt)
or: self.tgt_table(tgt) → self.src_table(tgt)
or: self.embed(self.src_table, src) → self.embed(self.tgt_table, src)
or: self.src_table(src) → self.tgt_table(src)
    You look both sentences up in one table. Which words has each of the two tables?

mask from the target: padding_mask(src, 0) → padding_mask(tgt, 0)
or: (src != 0) → (tgt != 0)
or: (src > 0) → (tgt > 0)
    You made the mask from the words of the target. Whose padding must not be looked at?

one layer again and again: (EncoderLayer(*sizes) for _ in range(n_layers)) → ([EncoderLayer(*sizes)] * n_layers)
and: (DecoderLayer(*sizes) for _ in range(n_layers)) → ([DecoderLayer(*sizes)] * n_layers)
    Your layers are one and the same object. How many are made by `[layer] * n`?

last layer left out: in self.decoder: → in self.decoder[:1]:
    Only one layer of your decoder runs. How many are there?

log-probabilities: return self.generator(x) → return self.generator(x).log_softmax(-1)
or: return self.generator(written) → return self.generator(written).log_softmax(-1)
    You returned logarithms of probabilities. What is asked for, before softmax?

vectors instead of logits: return self.generator(x) → return x
or: return self.generator(written) → return written
or: return y @ self.generator.weight.T → return y
    What comes out has the width of the model. What turns it into a score for each
    word?

probabilities: return self.generator(x) → return self.generator(x).softmax(-1)
or: return self.generator(written) → return self.generator(written).softmax(-1)
    Your rows sum to 1. What is asked for, before softmax?
"""


def linear(name, n_in, n_out, rng):
    weight = rng.normal(size=(n_out, n_in)) * 1.3 / n_in**0.5
    return {f"{name}.weight": weight, f"{name}.bias": rng.normal(size=n_out) * 0.3}


def layer_weights(kind, d_model, d_ff, rng):
    """The weights of an encoder or decoder layer by name."""
    attentions = ["self_attention", "cross_attention"][: 1 + (kind == "decoder")]
    found = {}
    for attention in attentions:
        for one in "qkvo":
            found |= linear(f"{attention}.w_{one}", d_model, d_model, rng)
    found |= linear("feed_forward.0", d_model, d_ff, rng)
    found |= linear("feed_forward.2", d_ff, d_model, rng)
    for number in range(len(attentions) + 1):
        found[f"norms.{number}.weight"] = rng.normal(1, 0.3, size=d_model)
        found[f"norms.{number}.bias"] = rng.normal(0, 0.3, size=d_model)
    return found


def layer(kind, d_model, n_heads, d_ff, *shapes, real=()):
    def inputs(rng):
        sizes = {"d_model": d_model, "n_heads": n_heads, "d_ff": d_ff}
        weights = layer_weights(kind, d_model, d_ff, rng)
        arrays = [rng.normal(size=(*shape, d_model)) for shape in shapes]
        if real:
            places = np.arange(shapes[-1][1]) < np.array(real)[:, None]
            arrays.append(places[:, None, None, :])
        return sizes, weights, *arrays

    return inputs


def model(d_model, n_heads, d_ff, n_layers, t_src, t_tgt, real):
    """A model's sizes and weights, a padded batch of sources, and targets."""

    def inputs(rng):
        sizes = {"src_vocab": 13, "tgt_vocab": 11, "d_model": d_model}
        sizes |= {"n_heads": n_heads, "d_ff": d_ff, "n_layers": n_layers}
        weights = {
            "src_table.weight": rng.normal(size=(13, d_model)) / d_model**0.5,
            "tgt_table.weight": rng.normal(size=(11, d_model)) / d_model**0.5,
            "generator.weight": rng.normal(size=(11, d_model)) / d_model**0.5,
        }
        for stack in ("encoder", "decoder"):
            for number in range(n_layers):
                found = layer_weights(stack, d_model, d_ff, rng)
                weights |= {f"{stack}.{number}.{k}": w for k, w in found.items()}
        src = rng.integers(1, 13, size=(len(real), t_src))
        src *= np.arange(t_src) < np.array(real)[:, None]
        return sizes, weights, src, rng.integers(1, 11, size=(len(real), t_tgt))

    return inputs


ENCODER = ("sizes", "weights", "x", "src_mask")
DECODER = ("sizes", "weights", "x", "memory", "src_mask")

TASK = FunctionTask(
    title="Assemble the model",
    kind="implement",
    answers=("EncoderLayer", "DecoderLayer", "Transformer"),
    arguments=("sizes", "weights", "src", "tgt"),
    outputs=("logits",),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(PLAIN, OWN_MASKS, IN_ONE_ROW),
    mistakes=MISTAKES,
    pairs=False,  # every run builds modules, and each part is checked by itself
    checks=(
        Check(
            "an encoder layer",
            layer("encoder", 6, 2, 7, (2, 3)),
            probes.forward,
            ENCODER,
            ("x",),
        ),
        Check(
            "an encoder layer with padding",
            layer("encoder", 6, 3, 5, (2, 5), real=(3, 4)),
            probes.forward,
            ENCODER,
            ("x",),
        ),
        Check(
            "a decoder layer, 3 target and 5 source words",
            layer("decoder", 6, 2, 7, (2, 3), (2, 5)),
            probes.forward_of(2),
            DECODER,
            ("x",),
        ),
        Check(
            "a decoder layer with padding in the source",
            layer("decoder", 6, 3, 5, (2, 7), (2, 4), real=(2, 3)),
            probes.forward_of(2),
            DECODER,
            ("x",),
        ),
        Check(
            "the whole model, one layer each, one sentence",
            model(8, 2, 7, 1, 3, 4, (3,)),
            probes.forward_of(3),
        ),
        Check(
            "the whole model with padding",
            model(8, 2, 7, 1, 5, 3, (3, 5)),
            probes.forward_of(3),
        ),
        Check(
            "two layers each, a batch of three",
            model(6, 3, 5, 2, 5, 7, (2, 5, 4)),
            probes.forward_of(3),
        ),
    ),
    hints=(
        "Begin with the encoder layer alone and run the check: what is finished is "
        "checked. Two sub-layers, and around each of them what?",
        "Walk along the paper's figure and write the shape beside each arrow. At which "
        "three places does a mask come in, and which two stacks does the source pass?",
    ),
    section="Assembled",
    why="These classes are figure 1 of the paper. The logits are the reference's own, so "
    "every arrow is where it belongs: nothing in a Transformer is hidden from you now.",
)
