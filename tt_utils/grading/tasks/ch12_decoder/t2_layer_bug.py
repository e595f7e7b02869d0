"""12.2 Two planted bugs: no causal mask, and queries from the source."""

import numpy as np

from tt_utils.grading.observing import probes
from tt_utils.grading.tasks.spec import Check, FunctionTask

START = """
from tt_utils.blocks import MultiHeadAttention, causal_mask

class DecoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.widen = nn.Linear(d_model, d_ff)
        self.narrow = nn.Linear(d_ff, d_model)
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(3))
"""

PLAIN = (
    START
    + """
    def forward(self, x, memory, src_mask=None):
        seen, _ = self.self_attention(x, x, x, causal=True)
        x = self.norms[0](x + seen)
        found, _ = self.cross_attention(x, memory, memory, src_mask)
        x = self.norms[1](x + found)
        thought = self.narrow(torch.relu(self.widen(x)))
        return self.norms[2](x + thought)
"""
)

OWN_MASK = (
    START
    + """
    def forward(self, x, memory, src_mask=None):
        t = x.shape[1]
        written = torch.ones(t, t).tril().bool()
        x = self.norms[0](x + self.self_attention(x, x, x, written)[0])
        x = self.norms[1](x + self.cross_attention(x, memory, memory, src_mask)[0])
        return self.norms[2](x + self.narrow(self.widen(x).clamp(min=0)))
"""
)

BY_NAME = (
    START
    + """
    def forward(self, x, memory, src_mask=None):
        norm_1, norm_2, norm_3 = self.norms
        may = causal_mask(x.shape[1])
        y = norm_1(x + self.self_attention(query=x, key=x, value=x, mask=may)[0])
        z = self.cross_attention(query=y, key=memory, value=memory, mask=src_mask)[0]
        z = norm_2(y + z)
        return norm_3(z + self.narrow(nn.functional.relu(self.widen(z))))
"""
)

MISTAKES = """
as planted: x, x, x, causal=True → x, x, x
and: self.cross_attention(x, memory, memory → self.cross_attention(memory, x, x
or: x, x, x, causal=True → x, x, x
and: self.cross_attention(x, memory, memory, src_mask) → self.cross_attention(memory, x, x)
    Look at the queries of the cross-attention: as many rows come out as there are
    queries. Then look at what the first target word can see of the last one.

the future still leaks: x, x, x, causal=True → x, x, x
or: x, x, x, written → x, x, x
or: value=x, mask=may → value=x
    The cross-attention is right now. One thing is left: change the last word of the
    target, and your first row changes. What hides the future from a decoder?

queries still from the source: self.cross_attention(x, memory, memory → self.cross_attention(memory, x, x
or: query=y, key=memory, value=memory → query=memory, key=y, value=y
    The self-attention is right now. One thing is left: as many rows come out of an
    attention as there are queries. From which tensor are those of the cross-attention
    made?

keys from the target: self.cross_attention(x, memory, memory → self.cross_attention(x, x, memory
or: query=y, key=memory → query=y, key=y
    Your keys come from the target and your values from the source. Which two of the
    three belong to one position?

values from the target: self.cross_attention(x, memory, memory → self.cross_attention(x, memory, x
or: value=memory → value=y
    Your keys come from the source and your values from the target. Which two of the
    three belong to one position?

source never read: self.cross_attention(x, memory, memory, src_mask) → self.cross_attention(x, x, x)
or: self.cross_attention(x, memory, memory, src_mask) → self.cross_attention(x, x, x, causal=True)
or: query=y, key=memory, value=memory, mask=src_mask → query=y, key=y, value=y
    Another source sentence changes nothing in your result. Which argument of the layer
    is never used?

causal mask in both attentions: memory, memory, src_mask) → memory, memory, src_mask, causal=True)
    Now your target words can't see the whole source either. It is read before the first
    word is written: which of the two attentions has a future to hide?

causal mask in the wrong attention: x, x, x, causal=True → x, x, x
and: memory, memory, src_mask) → memory, memory, src_mask, causal=True)
    You hid something in the cross-attention, and the future still leaks. Which of the
    two attentions attends to words that are not written yet?

mask upside down: causal_mask(x.shape[1]) → causal_mask(x.shape[1]).T
or: .tril() → .triu()
    Your words see the future and not the past. On which side of the diagonal stands
    what is already written?

own word hidden: .tril() → .tril(-1)
or: causal_mask(x.shape[1]) → causal_mask(x.shape[1]).tril(-1)
    Your words don't see themselves, and the first one sees nothing. Each row may attend
    to what is written so far: where does that end?

one word too many: .tril() → .tril(1)
or: causal_mask(x.shape[1]) → torch.ones(x.shape[1], x.shape[1]).tril(1).bool()
    Each of your words sees the next one, which is the one to predict. Where on the
    diagonal must the mask end?

padding of the source not hidden: memory, memory, src_mask) → memory, memory)
or: value=memory, mask=src_mask → value=memory
    Words that are only padding in the source change your result. Where does `src_mask`
    belong?

mask of the source on the target: x, x, x, causal=True → x, x, x, src_mask, causal=True
or: x, x, x, written → x, x, x, written if src_mask is None else src_mask
or: x, x, x, causal=True → x, x, x, src_mask, causal=True
and: memory, memory, src_mask) → memory, memory)
    You gave the mask of the source to the self-attention. Whose words are hidden there?

cross-attention first: seen, _ = self.self_attention(x, x, x, causal=True) → seen, _ = self.cross_attention(x, memory, memory, src_mask)
and: found, _ = self.cross_attention(x, memory, memory, src_mask) → found, _ = self.self_attention(x, x, x, causal=True)
    You attend to the source before you attend to what is written. What must a target
    word know before it makes a good query?

queries made too early: query=y, key=memory → query=x, key=memory
    Your queries are the layer's input, from before the self-attention. What has been
    learnt there that the queries should use?

no residual around the cross-attention: self.norms[1](x + found) → self.norms[1](found)
or: z = norm_2(y + z) → z = norm_2(z)
    What the target had written is lost: only what was found in the source goes on. What
    stands around every sub-layer?

memory in the residual: self.norms[1](x + found) → self.norms[1](memory + found)
or: norm_2(y + z) → norm_2(memory + z)
    You add what was found to the memory. Whose vectors does this layer improve?

one attention for both: self.cross_attention(x, memory → self.self_attention(x, memory
or: self.cross_attention(query → self.self_attention(query
    Both attentions use the same weights in yours. How many attentions does a decoder
    layer have?

feed-forward part left out: x + thought → x
or: z + self.narrow(nn.functional.relu(self.widen(z))) → z
    The third sub-layer does nothing in yours. What comes after the two attentions?
"""

PARTS = ("self_attention", "cross_attention")


def weights_of(d_model, d_ff, rng):
    """Weights of all parts by name, large enough for every part to matter."""
    found = {}

    def linear(name, n_in, n_out):
        found[f"{name}.weight"] = rng.normal(size=(n_out, n_in)) * 1.5 / n_in**0.5
        found[f"{name}.bias"] = rng.normal(size=n_out) * 0.3

    for part in PARTS:
        for one in "qkvo":
            linear(f"{part}.w_{one}", d_model, d_model)
    linear("widen", d_model, d_ff)
    linear("narrow", d_ff, d_model)
    for number in range(3):
        found[f"norms.{number}.weight"] = rng.normal(1, 0.3, size=d_model)
        found[f"norms.{number}.bias"] = rng.normal(0, 0.3, size=d_model)
    return found


def layer(batch, t_tgt, t_src, n_heads, d_model, d_ff, *lengths):
    """Sizes, weights, x and memory; with `lengths`, a mask of the source."""

    def inputs(rng):
        sizes = {"d_model": d_model, "n_heads": n_heads, "d_ff": d_ff}
        given = (
            sizes,
            weights_of(d_model, d_ff, rng),
            rng.normal(size=(batch, t_tgt, d_model)),
            rng.normal(size=(batch, t_src, d_model)),
        )
        if not lengths:
            return given
        real = np.arange(t_src) < np.array(lengths)[:, None]
        return *given, real[:, None, None, :]

    return inputs


TASK = FunctionTask(
    title="A decoder layer that sees too much",
    kind="find the bug",
    answers=("DecoderLayer",),
    arguments=("sizes", "weights", "x", "memory", "src_mask"),
    outputs=("out",),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(PLAIN, OWN_MASK, BY_NAME),
    mistakes=MISTAKES,
    checks=tuple(
        Check(title, inputs, probes.forward)
        for title, inputs in (
            ("one head, three words each", layer(1, 3, 3, 1, 4, 5)),
            ("two heads, a batch of 3, four words each", layer(3, 4, 4, 2, 6, 7)),
            ("a single target word, a longer source", layer(2, 1, 5, 2, 6, 7)),
            ("five target words, three source words", layer(2, 5, 3, 2, 6, 7)),
            ("three target words, seven source words", layer(2, 3, 7, 2, 6, 11)),
            ("padding in the source", layer(2, 3, 7, 2, 6, 11, 4, 6)),
            ("padding, both sentences equally long", layer(2, 4, 4, 1, 6, 5, 2, 3)),
        )
    ),
    hints=(
        "Give the layer 5 target words and 3 source words, and write the shape beside "
        "each line. Which line can't be right?",
        "Change the last row of x alone and look at which rows of the result change. "
        "Which rows may know of it?",
    ),
    section="The decoder layer",
    why="With as many source words as target words both bugs run without a word, and in "
    "our translator the loss even gets better: shapes alone catch neither.",
)
