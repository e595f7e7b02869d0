"""22.4 Parameters and cache of a decoder-only model of today, from its settings."""

from tt_utils.grading.observing import probes
from tt_utils.grading.tasks.inputs import fixed
from tt_utils.grading.tasks.spec import Check, FunctionTask

FORMULA = """
def count_parameters(vocab, d_model, n_layers, n_heads, n_kv_heads, d_ff, tied):
    d_kv = d_model // n_heads * n_kv_heads
    attention = 2 * d_model * d_model + 2 * d_model * d_kv
    feed_forward = 3 * d_model * d_ff
    norms = 2 * d_model
    tables = 1 if tied else 2
    layers = n_layers * (attention + feed_forward + norms)
    return layers + d_model + tables * vocab * d_model

def cache_bytes(d_model, n_layers, n_heads, n_kv_heads, n_bytes):
    d_head = d_model // n_heads
    return 2 * n_layers * n_kv_heads * d_head * n_bytes
"""

EXPANDED = """
def count_parameters(vocab, d_model, n_layers, n_heads, n_kv_heads, d_ff, tied):
    d, share = d_model, n_heads // n_kv_heads
    in_layer = 2 * d**2 + 2 * d**2 // share + 3 * d * d_ff + 2 * d
    return vocab * d * (2 - bool(tied)) + n_layers * in_layer + d

def cache_bytes(d_model, n_layers, n_heads, n_kv_heads, n_bytes):
    share = n_heads // n_kv_heads
    return n_layers * 2 * (d_model // share) * n_bytes
"""

BY_PARTS = """
def count_parameters(vocab, d_model, n_layers, n_heads, n_kv_heads, d_ff, tied):
    d_head = d_model // n_heads
    total = vocab * d_model
    if not tied:
        total += d_model * vocab
    for _ in range(n_layers):
        total += d_model * n_heads * d_head
        for _ in ("k", "v"):
            total += d_model * n_kv_heads * d_head
        total += n_heads * d_head * d_model
        total += d_model * d_ff + d_model * d_ff + d_ff * d_model
        total += d_model + d_model
    return total + d_model

def cache_bytes(d_model, n_layers, n_heads, n_kv_heads, n_bytes):
    total = 0
    for _ in range(n_layers):
        for _ in ("k", "v"):
            total += n_kv_heads * (d_model // n_heads) * n_bytes
    return total
"""

ON_META = """
def count_parameters(vocab, d_model, n_layers, n_heads, n_kv_heads, d_ff, tied):
    import torch

    def linear(n_in, n_out):
        return torch.nn.Linear(n_in, n_out, bias=False)

    d_kv = d_model * n_kv_heads // n_heads
    with torch.device("meta"):
        parts = [torch.nn.Embedding(vocab, d_model), torch.nn.RMSNorm(d_model)]
        for _ in range(n_layers):
            parts += [linear(d_model, d_model), linear(d_model, d_model)]
            parts += [linear(d_model, d_kv), linear(d_model, d_kv)]
            parts += [linear(d_model, d_ff), linear(d_model, d_ff), linear(d_ff, d_model)]
            parts += [torch.nn.RMSNorm(d_model), torch.nn.RMSNorm(d_model)]
        if not tied:
            parts += [linear(d_model, vocab)]
    return sum(p.numel() for part in parts for p in part.parameters())

def cache_bytes(d_model, n_layers, n_heads, n_kv_heads, n_bytes):
    keys = n_layers * n_kv_heads * (d_model // n_heads)
    values = keys
    return (keys + values) * n_bytes
"""

MISTAKES = """
keys and values for every head: d_kv = d_model // n_heads * n_kv_heads\\n    attention → d_kv = d_model\\n    attention
or: 2 * d**2 // share → 2 * d**2
or: d_kv = d_model * n_kv_heads // n_heads → d_kv = d_model
or: total += d_model * n_kv_heads * d_head → total += d_model * n_heads * d_head
    You gave each query head its own keys and values. Which argument says how many heads
    of keys there are?

keys and values of one head: d_kv = d_model // n_heads * n_kv_heads\\n    attention → d_kv = d_model // n_heads\\n    attention
or: total += d_model * n_kv_heads * d_head → total += d_model * d_head
or: d_kv = d_model * n_kv_heads // n_heads → d_kv = d_model // n_heads
    You counted one head of keys and one of values. Which argument says how many there
    are?

heads wider with fewer of keys: d_kv = d_model // n_heads * n_kv_heads\\n    attention → d_kv = d_model // n_kv_heads\\n    attention
or: d_kv = d_model * n_kv_heads // n_heads → d_kv = d_model // n_kv_heads
    You divided the width by the heads of keys. The width of one head is the same for
    queries and keys: by which number of heads is d_model divided?

queries shared as well: 2 * d_model * d_model + 2 * d_model * d_kv → d_model * d_model + 3 * d_model * d_kv
or: total += d_model * n_heads * d_head\\n → total += d_model * n_kv_heads * d_head\\n
    Your queries are as few as the keys. How many heads of queries are there?

output matrix too small: total += n_heads * d_head * d_model → total += n_kv_heads * d_head * d_model
and: total += d_model * n_heads * d_head\\n → total += d_model * n_kv_heads * d_head\\n
or: 2 * d_model * d_model + 2 * d_model * d_kv → 4 * d_model * d_kv
    All four matrices of your attention are as small as those of the keys. Which two of
    them have as many heads as there are queries?

only keys are shared: 2 * d_model * d_model + 2 * d_model * d_kv → 3 * d_model * d_model + d_model * d_kv
or: 2 * d**2 + 2 * d**2 // share → 3 * d**2 + d**2 // share
    Three of your four matrices have the full width. What has as many heads as the keys
    have?

no output matrix: 2 * d_model * d_model + 2 * d_model * d_kv → d_model * d_model + 2 * d_model * d_kv
or: 2 * d**2 + 2 * d**2 // share → d**2 + 2 * d**2 // share
or: total += n_heads * d_head * d_model → pass
    You have queries, keys and values. What happens to the heads' results once they
    stand side by side?

values left out: 2 * d_model * d_model + 2 * d_model * d_kv → 2 * d_model * d_model + d_model * d_kv
or: 2 * d**2 // share → d**2 // share
or: for _ in ("k", "v"):\\n            total += d_model → for _ in ("k",):\\n            total += d_model
    One small matrix of your attention is missing. Keys are one of two things that a
    query head reads: what is the other?

two matrices in the feed-forward part: feed_forward = 3 * d_model * d_ff → feed_forward = 2 * d_model * d_ff
or: 3 * d * d_ff → 2 * d * d_ff
or: d_model * d_ff + d_model * d_ff + d_ff * d_model → d_model * d_ff + d_ff * d_model
    You counted the feed-forward part of 2017. SwiGLU has a gate: what does the gate
    need of its own?

one matrix in the feed-forward part: feed_forward = 3 * d_model * d_ff → feed_forward = d_model * d_ff
or: 3 * d * d_ff → d * d_ff
    You counted one matrix of the feed-forward part. How does a vector get a gate, and
    how does it come back to d_model numbers?

square matrix behind the gate: feed_forward = 3 * d_model * d_ff → feed_forward = 2 * d_model * d_ff + d_ff * d_ff
    One of your three matrices is d_ff by d_ff. The gate is multiplied with the other
    branch number by number: what goes into each of the two?

hidden width of four times the model: feed_forward = 3 * d_model * d_ff → feed_forward = 3 * d_model * 4 * d_model
or: 3 * d * d_ff → 12 * d * d
    You took the hidden width to be 4 d_model. Which argument gives it?

biases counted: attention = 2 * d_model * d_model + 2 * d_model * d_kv → attention = 2 * d_model * d_model + 2 * d_model * d_kv + 2 * d_model + 2 * d_kv
and: feed_forward = 3 * d_model * d_ff → feed_forward = 3 * d_model * d_ff + 2 * d_ff + d_model
or: bias=False → bias=True
and: if not tied:\\n            parts += [linear(d_model, vocab)] → if not tied:\\n            parts += [torch.nn.Linear(d_model, vocab, bias=False)]
    You counted biases in the layers. What does the task say of them?

biases of queries, keys and values: attention = 2 * d_model * d_model + 2 * d_model * d_kv → attention = 2 * d_model * d_model + 2 * d_model * d_kv + d_model + 2 * d_kv
    You counted biases for queries, keys and values, which some models have. What does
    the task say of biases?

norm with two vectors: norms = 2 * d_model → norms = 4 * d_model
and: layers + d_model + tables → layers + 2 * d_model + tables
or: torch.nn.RMSNorm → torch.nn.LayerNorm
    Your norms learn two vectors each, as LayerNorm does. How many does RMSNorm learn?

one norm in a layer: norms = 2 * d_model → norms = d_model
or: 3 * d * d_ff + 2 * d → 3 * d * d_ff + d
or: total += d_model + d_model → total += d_model
    Your layers have one norm. How many sub-layers do they have?

three norms in a layer: norms = 2 * d_model → norms = 3 * d_model
or: total += d_model + d_model → total += 3 * d_model
    Your layers have three norms. How many sub-layers are left without a
    cross-attention?

no norms in the layers: norms = 2 * d_model → norms = 0
or: total += d_model + d_model → pass
or: 3 * d * d_ff + 2 * d → 3 * d * d_ff
    Nothing stands for the norms in your layers. How many are there, and what does each
    learn?

no final norm: layers + d_model + tables → layers + tables
or: n_layers * in_layer + d → n_layers * in_layer
or: return total + d_model → return total
or: torch.nn.Embedding(vocab, d_model), torch.nn.RMSNorm(d_model)] → torch.nn.Embedding(vocab, d_model)]
    Your layers are right. What stands behind the last one, by the text of the task?

no norms at all: norms = 2 * d_model → norms = 0
and: layers + d_model + tables → layers + tables
    No norm is in your count, neither in the layers nor behind them. What does each
    learn?

a final norm for each layer: norms = 2 * d_model → norms = 3 * d_model
and: layers + d_model + tables → layers + tables
    Your last norm stands in every layer. How often is it there?

tied or not, one table: tables = 1 if tied else 2 → tables = 1
or: (2 - bool(tied)) → 1
or: total += d_model * vocab → pass
or: parts += [linear(d_model, vocab)] → pass
    Your count is the same with tied tables and without. What turns the last vector into
    logits where nothing is shared?

tied or not, two tables: tables = 1 if tied else 2 → tables = 2
or: (2 - bool(tied)) → 2
    Your count is the same with tied tables and without. How many are stored where both
    places share one?

tying the wrong way round: tables = 1 if tied else 2 → tables = 2 if tied else 1
or: (2 - bool(tied)) → (1 + bool(tied))
or: if not tied: → if tied:
    Tying costs parameters in yours. Does sharing need more tables, or fewer?

three tables when not tied: tables = 1 if tied else 2 → tables = 1 if tied else 3
or: total += d_model * vocab → total += 2 * d_model * vocab
    Three tables are the encoder–decoder's, with two languages. How many places has a
    decoder-only model that need a row for each token?

bias behind the logits: layers + d_model + tables * vocab * d_model → layers + d_model + tables * vocab * d_model + vocab
or: linear(d_model, vocab) → torch.nn.Linear(d_model, vocab)
    Your count is too high by the size of the vocabulary. Has the last projection a bias
    here?

no tables: + tables * vocab * d_model →
or: vocab * d * (2 - bool(tied)) + →
    Your count doesn't change with the vocabulary. Which part of the model has a row for
    each token?

one layer: layers = n_layers * ( → layers = (
or: n_layers * in_layer → in_layer
    You counted one layer. How many are there?

a table of positions: layers + d_model + tables → layers + d_model + 2048 * d_model + tables
    You counted learned positions. What do rotary positions learn?

cross-attention counted: n_layers * (attention + feed_forward + norms) → n_layers * (2 * attention + feed_forward + norms)
    You counted two attentions in each layer. What would the second one look at in a
    decoder-only model?

cache of the keys alone: return 2 * n_layers * n_kv_heads → return n_layers * n_kv_heads
or: return (keys + values) * → return keys *
or: n_layers * 2 * (d_model // share) → n_layers * (d_model // share)
    Your cache holds half of what is needed. What does a later query read besides keys?

cache of queries too: return 2 * n_layers * n_kv_heads * d_head → return n_layers * (2 * n_kv_heads + n_heads) * d_head
or: return 2 * n_layers * n_kv_heads → return 3 * n_layers * n_kv_heads
or: (keys + values) * n_bytes → (keys + values + n_layers * d_model) * n_bytes
    You keep queries as well. Is the query of an earlier position ever needed again?

cache of every query head: return 2 * n_layers * n_kv_heads * d_head → return 2 * n_layers * n_heads * d_head
or: (d_model // share) → d_model
    Your cache is as large as without groups. How many heads of keys and values are
    stored?

cache of one head: return 2 * n_layers * n_kv_heads * d_head → return 2 * n_layers * d_head
    You store one head of keys and values. How many are there?

cache of one layer: return 2 * n_layers * n_kv_heads → return 2 * n_kv_heads
or: keys = n_layers * → keys =
or: return n_layers * 2 * → return 2 *
    That is the cache of one layer. Does each layer have keys of its own?

heads of the cache too wide: return 2 * n_layers * n_kv_heads * d_head * n_bytes → return 2 * n_layers * d_model // n_kv_heads * n_bytes
or: return 2 * n_layers * n_kv_heads * d_head * n_bytes → return 2 * n_layers * d_model * n_kv_heads * n_bytes
or: n_layers * n_kv_heads * (d_model // n_heads) → n_layers * n_kv_heads * d_model
    The width of your heads is wrong. By which number of heads is d_model divided?

numbers instead of bytes: * d_head * n_bytes → * d_head
or: (keys + values) * n_bytes → keys + values
or: (d_model // share) * n_bytes → (d_model // share)
or: total += n_kv_heads * (d_model // n_heads) * n_bytes → total += n_kv_heads * (d_model // n_heads)
    You counted numbers. How many bytes does each one take?

always two bytes: * d_head * n_bytes → * d_head * 2
or: (keys + values) * n_bytes → (keys + values) * 2
    You took two bytes for every number. Which argument says how many?

always four bytes: * d_head * n_bytes → * d_head * 4
or: (keys + values) * n_bytes → (keys + values) * 4
    You took four bytes for every number. Which argument says how many?

bits: * d_head * n_bytes → * d_head * n_bytes * 8
or: (keys + values) * n_bytes → (keys + values) * n_bytes * 8
    You counted bits. What is asked for?
"""


def drawn(n_layers, share, tied, inner=9, most=400):
    """Other widths and vocabularies; so many query heads share one of keys."""

    def inputs(rng):
        n_kv_heads = int(rng.integers(2, 5)) if share > 1 else 5
        heads = share * n_kv_heads
        d_model = heads * 2 * int(rng.integers(2, inner))
        d_ff = 2 * d_model + int(rng.integers(1, d_model))  # no multiple of it
        vocab = int(rng.integers(most // 2, most))
        return vocab, d_model, n_layers, heads, n_kv_heads, d_ff, tied

    return inputs


def cache(n_layers, share, n_bytes, inner=33):
    def inputs(rng):
        _, d_model, _, heads, n_kv_heads, *_ = drawn(1, share, True, inner)(rng)
        return d_model, n_layers, heads, n_kv_heads, n_bytes

    return inputs


CACHE = {
    "probe": probes.second,
    "arguments": ("d_model", "n_layers", "n_heads", "n_kv_heads", "n_bytes"),
    "outputs": ("size",),
}

TASK = FunctionTask(
    title="How large is it?",
    kind="implement",
    answers=("count_parameters", "cache_bytes"),
    arguments=(
        "vocab",
        "d_model",
        "n_layers",
        "n_heads",
        "n_kv_heads",
        "d_ff",
        "tied",
    ),
    outputs=("count",),
    right=(FORMULA, EXPANDED, BY_PARTS, ON_META),
    mistakes=MISTAKES,
    checks=(
        Check(
            "one layer, no groups, tied",
            fixed(11, 6, 1, 3, 3, 13, True),
            fresh=drawn(1, 1, True, inner=5, most=30),
        ),
        Check(
            "one layer, no groups, not tied",
            fixed(11, 6, 1, 3, 3, 13, False),
            fresh=drawn(1, 1, False, inner=5, most=30),
        ),
        Check(
            "one layer, two query heads share one of keys",
            fixed(13, 24, 1, 6, 3, 41, True),
            fresh=drawn(1, 2, True, most=50),
        ),
        Check(
            "three layers, three query heads share one",
            fixed(17, 36, 3, 6, 2, 83, False),
            fresh=drawn(3, 3, False),
        ),
        Check(
            "16 layers of width 2,048, tied",
            fixed(128_256, 2048, 16, 32, 8, 8192, True),
            fresh=drawn(16, 4, True, inner=99, most=99_999),
        ),
        Check(
            "24 layers, not tied",
            fixed(50_257, 896, 24, 14, 2, 4864, False),
            fresh=drawn(24, 7, False, inner=65, most=99_999),
        ),
        Check(
            "the cache, one layer, no groups, four bytes",
            fixed(6, 1, 3, 3, 4),
            fresh=cache(1, 1, 4),
            **CACHE,
        ),
        Check(
            "the cache, five layers, three query heads share one, one byte",
            fixed(36, 5, 6, 2, 1),
            fresh=cache(5, 3, 1),
            **CACHE,
        ),
        Check(
            "the cache, 16 layers of width 2,048, two bytes",
            fixed(2048, 16, 32, 8, 2),
            fresh=cache(16, 4, 2, inner=99),
            **CACHE,
        ),
    ),
    hints=(
        "Write one line for each matrix of a layer, with its two sizes: four of the "
        "attention, three of the feed-forward part. Which two of them shrink with n_kv_heads?",
        "For the cache: which two vectors does a later query read of an earlier token, in "
        "each layer, and how many numbers has each?",
    ),
    section="A published model, read off",
    why="With 8 heads of keys for 32 of queries, a layer of width 2,048 with d_ff 8,192 "
    "saves 9 % of its parameters and three quarters of its cache: the feed-forward part "
    "holds most of the parameters, and the cache holds keys and values alone.",
)
