"""Answers to 13.1, the number of parameters from the sizes."""

ARGUMENTS = "vocab, d_model, n_heads, d_ff, n_encoder, n_decoder, max_len, tied"


def written(body: str, names: str = ARGUMENTS) -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def count_parameters({names}):\n{lines}"


def parts(**other: str) -> str:
    """A student's sum with named parts, some of them replaced."""
    lines = {
        "mha": "4 * d_model**2 + 4 * d_model",
        "ffn": "2 * d_model * d_ff + d_ff + d_model",
        "ln": "2 * d_model",
        "enc": "mha + ffn + 2 * ln",
        "dec": "2 * mha + ffn + 3 * ln",
        "emb": "vocab * d_model",
        "tables": "emb if tied else 3 * emb",
        "final": "2 * ln",
        "total": "n_encoder * enc + n_decoder * dec + final + tables",
    }
    unknown = set(other) - set(lines)
    assert not unknown, unknown
    body = "".join(f"{name} = {code}\n" for name, code in (lines | other).items())
    return written(body + "return total")


RIGHT = {
    "named parts": parts(),
    "the bias with the matrix": parts(mha="4 * d_model * (d_model + 1)"),
    "three and one": parts(mha="3 * (d_model**2 + d_model) + d_model * (d_model + 1)"),
    "heads that share": parts(
        mha="3 * n_heads * (d_model * (d_model // n_heads) + d_model // n_heads)"
        " + d_model**2 + d_model"
    ),
    "two matrices of the feed-forward part": parts(
        ffn="(d_model + 1) * d_ff + (d_ff + 1) * d_model"
    ),
    "norms with scale and shift": parts(ln="d_model + d_model"),
    "tables by a factor": parts(tables="emb * [3, 1][bool(tied)]"),
    "the decoder from the encoder": parts(dec="enc + mha + ln"),
    "final norms in the stacks": parts(
        final="0", total="n_encoder * enc + ln + n_decoder * dec + ln + tables"
    ),
    "sum of a list": parts(
        total="sum([enc] * n_encoder + [dec] * n_decoder + [final, tables])"
    ),
    "NumPy's integers": parts(
        total="np.sum([n_encoder * enc, n_decoder * dec, final, tables])"
    ),
    "PyTorch's own model": written("""import torch

with torch.device("meta"):
    d = dict(d_model=d_model, nhead=n_heads, dim_feedforward=d_ff)
    model = torch.nn.Transformer(
        num_encoder_layers=n_encoder, num_decoder_layers=n_decoder, **d
    )
total = sum(p.numel() for p in model.parameters())
return total + (1 if tied else 3) * vocab * d_model"""),
    "the shapes in a list": written("""d, f = d_model, d_ff
linear = lambda i, o: [(o, i), (o,)]
attention = 4 * linear(d, d)
ffn = linear(d, f) + linear(f, d)
norm = [(d,), (d,)]
shapes = n_encoder * (attention + ffn + 2 * norm)
shapes += n_decoder * (2 * attention + ffn + 3 * norm)
shapes += 2 * norm + (1 if tied else 3) * [(vocab, d)]
return sum(math.prod(shape) for shape in shapes)"""),
    "other names": written(
        """attn = 4 * (d * d + d)
ff = d * h + h + h * d + d
stack = ne * (attn + ff + 4 * d) + nd * (2 * attn + ff + 6 * d)
n = stack + 4 * d
if t:
    return n + v * d
return n + 3 * v * d""",
        "v, d, heads, h, ne, nd, length, t",
    ),
    "a float that is whole": parts(
        total="float(n_encoder * enc + n_decoder * dec + final + tables)"
    ),
}

WRONG = {
    "nothing returned": written("total = vocab * d_model"),
    "text": written("return f'{vocab * d_model} parameters'"),
    "millions": parts(
        total="(n_encoder * enc + n_decoder * dec + final + tables) / 1e6"
    ),
    "rounded": parts(
        total="round(n_encoder * enc + n_decoder * dec + final + tables, -3)"
    ),
    "a bias too many": parts(mha="4 * d_model**2 + 5 * d_model"),
    "three attentions": parts(dec="3 * mha + ffn + 3 * ln"),
    "one matrix in the feed-forward part": parts(ffn="d_model * d_ff + d_ff"),
    "layers multiplied": parts(
        total="n_encoder * n_decoder * (enc + dec) + final + tables"
    ),
    "tables for each layer": parts(enc="mha + ffn + 2 * ln + vocab * d_model"),
    "a square table": parts(emb="vocab * vocab"),
    "head width in all": parts(mha="4 * (d_model // n_heads) * d_model + 4 * d_model"),
    "norms over the batch": parts(ln="2 * max_len"),
    "feed-forward part squared": parts(ffn="2 * d_ff * d_ff + 2 * d_ff"),
    "three norms in the encoder": parts(enc="mha + ffn + 3 * ln"),
}

SPELLINGS = {
    "no biases in the attention": [
        parts(mha="4 * d_model**2"),
        parts(mha="4 * d_model * d_model", ln="d_model * 2"),
    ],
    "no biases in the feed-forward part": [
        parts(ffn="2 * d_model * d_ff"),
        parts(ffn="d_model * d_ff + d_ff * d_model"),
    ],
    "no biases at all": [
        parts(mha="4 * d_model**2", ffn="2 * d_model * d_ff"),
        parts(mha="3 * d_model**2 + d_model**2", ffn="d_model * d_ff * 2"),
    ],
    "biases of the wrong side": [
        parts(ffn="2 * d_model * d_ff + 2 * d_ff"),
        parts(ffn="2 * d_model * d_ff + 2 * d_model"),
    ],
    "three matrices in an attention": [
        parts(mha="3 * d_model**2 + 3 * d_model"),
        parts(mha="3 * (d_model + 1) * d_model"),
    ],
    "every head as wide as the model": [
        parts(mha="n_heads * (4 * d_model**2 + 4 * d_model)"),
    ],
    "decoder layer like an encoder layer": [
        parts(dec="enc"),
        parts(total="(n_encoder + n_decoder) * enc + final + tables"),
    ],
    "cross-attention without its norm": [
        parts(dec="enc + mha"),
        parts(dec="2 * mha + ffn + 2 * ln"),
    ],
    "norm with one vector": [parts(ln="d_model")],
    "no norms in the layers": [parts(enc="mha + ffn", dec="2 * mha + ffn")],
    "no norms at all": [
        parts(ln="0"),
        parts(enc="mha + ffn", dec="mha + mha + ffn", final="0"),
    ],
    "no final norms": [
        parts(final="0"),
        parts(total="n_encoder * enc + n_decoder * dec + tables"),
    ],
    "one final norm": [parts(final="ln"), parts(final="2 * d_model")],
    "positions counted": [
        parts(emb="vocab * d_model", final="2 * ln + max_len * d_model"),
        parts(
            total="n_encoder * enc + n_decoder * dec + 4 * d_model + tables + max_len * d_model"
        ),
    ],
    "positions counted on both sides": [parts(final="2 * ln + 2 * max_len * d_model")],
    "tied or not, three tables": [parts(tables="3 * emb")],
    "tied or not, one table": [parts(tables="emb")],
    "tied tables counted twice": [parts(tables="2 * emb if tied else 3 * emb")],
    "two tables when not tied": [parts(tables="emb if tied else 2 * emb")],
    "tying the wrong way round": [parts(tables="3 * emb if tied else emb")],
    "bias behind the logits": [
        parts(final="2 * ln + vocab"),
        parts(tables="emb if tied else 3 * emb + vocab"),
    ],
    "no tables": [parts(tables="0")],
    "encoder's length for both": [
        parts(total="n_encoder * (enc + dec) + final + tables"),
    ],
    "hidden width of four times the model": [
        parts(ffn="8 * d_model**2 + 5 * d_model"),
    ],
}
