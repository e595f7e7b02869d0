"""Answers to 13.5, the model of the paper from three classes."""

START = """
from torch import nn

from tt_utils.blocks import (
    MultiHeadAttention,
    causal_mask,
    padding_mask,
    sinusoidal_positions,
)


class Layer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, n_norms):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        if n_norms == 3:
            self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(n_norms))


class EncoderLayer(Layer):
    def __init__(self, d_model, n_heads, d_ff):
        super().__init__(d_model, n_heads, d_ff, 2)

    def forward(self, x, src_mask=None):
{encoder}

class DecoderLayer(Layer):
    def __init__(self, d_model, n_heads, d_ff):
        super().__init__(d_model, n_heads, d_ff, 3)

    def forward(self, x, memory, src_mask=None):
{decoder}

class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model, n_heads, d_ff, n_layers):
        super().__init__()
        self.d_model = d_model
        self.src_table = nn.Embedding(src_vocab, d_model)
        self.tgt_table = nn.Embedding(tgt_vocab, d_model)
        sizes = (d_model, n_heads, d_ff)
        self.encoder = nn.ModuleList({encoders})
        self.decoder = nn.ModuleList({decoders})
        self.generator = nn.Linear(d_model, tgt_vocab, bias=False)

    def forward(self, src, tgt):
{model}"""

ENCODER = """a, _ = self.self_attention(x, x, x, src_mask)
x = self.norms[0](x + a)
return self.norms[1](x + self.feed_forward(x))"""
DECODER = """a, _ = self.self_attention(x, x, x, causal=True)
x = self.norms[0](x + a)
c, _ = self.cross_attention(x, memory, memory, src_mask)
x = self.norms[1](x + c)
return self.norms[2](x + self.feed_forward(x))"""
MODEL = """mask = padding_mask(src, 0)
m = self.src_table(src) * math.sqrt(self.d_model)
m = m + sinusoidal_positions(src.size(1), self.d_model)
for layer in self.encoder:
    m = layer(m, mask)
x = self.tgt_table(tgt) * math.sqrt(self.d_model)
x = x + sinusoidal_positions(tgt.size(1), self.d_model)
for layer in self.decoder:
    x = layer(x, m, mask)
return self.generator(x)"""


def built(encoder=ENCODER, decoder=DECODER, model=MODEL, **lists: str) -> str:
    bodies = {
        name: "".join(f"        {line}\n" for line in body.splitlines())
        for name, body in (("encoder", encoder), ("decoder", decoder), ("model", model))
    }
    bodies["encoders"] = lists.get(
        "encoders", "EncoderLayer(*sizes) for _ in range(n_layers)"
    )
    bodies["decoders"] = lists.get(
        "decoders", "DecoderLayer(*sizes) for _ in range(n_layers)"
    )
    return START.format(**bodies)


def but(old: str, new: str, *more: str) -> str:
    """The usual answer with one text, or several, in another form."""
    texts = [ENCODER, DECODER, MODEL]
    pairs = [(old, new), *zip(more[::2], more[1::2], strict=True)]
    for one, other in pairs:
        assert any(one in text for text in texts), one
        texts = [text.replace(one, other) for text in texts]
    return built(*texts)


RIGHT = {
    "the usual": built(),
    "a mask for the future": but("causal=True", "causal_mask(x.shape[1])"),
    "a mask by tril": but(
        "causal=True", "torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()"
    ),
    "the padding mask by hand": but(
        "padding_mask(src, 0)", "(src != 0)[:, None, None]"
    ),
    "arguments by name": but(
        "(x, memory, memory, src_mask)",
        "(query=x, key=memory, value=memory, mask=src_mask)",
    ),
    "the root as a power": but("math.sqrt(self.d_model)", "self.d_model**0.5"),
    "a product for the generator": but(
        "self.generator(x)", "torch.matmul(x, self.generator.weight.mT)"
    ),
    "lists of layers": built(
        encoders="[EncoderLayer(*sizes) for _ in range(n_layers)]",
        decoders="[DecoderLayer(*sizes) for i in range(n_layers)]",
    ),
    "the encoder in two lines": built(
        encoder="y = self.norms[0](x + self.self_attention(x, x, x, src_mask)[0])\n"
        "return self.norms[1](self.feed_forward(y) + y)"
    ),
    "norms by name": built(
        decoder="""first, second, third = self.norms
y = first(x + self.self_attention(x, x, x, causal=True)[0])
y = second(y + self.cross_attention(y, memory, memory, src_mask)[0])
return third(y + self.feed_forward(y))"""
    ),
    "a nested function": built(
        model="""def embed(table, tokens):
    places = sinusoidal_positions(tokens.shape[-1], self.d_model)
    return places + table(tokens) * np.sqrt(self.d_model)

real = padding_mask(src, 0)
memory, out = embed(self.src_table, src), embed(self.tgt_table, tgt)
for one in self.encoder:
    memory = one(memory, src_mask=real)
for one in self.decoder:
    out = one(out, memory, src_mask=real)
return self.generator(out)"""
    ),
    "layers by number": but(
        "for layer in self.encoder:\n    m = layer(m, mask)",
        "for i in range(len(self.encoder)):\n    m = self.encoder[i](m, mask)",
    ),
    "positions cut from a long table": but(
        "sinusoidal_positions(src.size(1), self.d_model)",
        "sinusoidal_positions(100, self.d_model)[: src.size(1)]",
    ),
}

WRONG = {
    "encoder layer stops after attention": built(encoder="return self.norms[0](x)"),
    "nothing returned": built(model="mask = padding_mask(src, 0)"),
    "pair of results": but("a, _ = self", "a = self"),
    "decoder runs alone": but("layer(x, m, mask)", "layer(x, x)"),
    "target through the encoder too": but(
        "for layer in self.decoder:",
        "for layer in self.encoder:\n    x = layer(x)\nfor layer in self.decoder:",
    ),
    "mask of the target": but("padding_mask(src, 0)", "padding_mask(tgt, 0)"),
    "mask inverted": but("padding_mask(src, 0)", "~padding_mask(src, 0)"),
    "tables exchanged": but("self.src_table(src)", "self.tgt_table(src.clamp(max=10))"),
    "the best word": but("self.generator(x)", "self.generator(x).argmax(-1)"),
    "the last row alone": but("self.generator(x)", "self.generator(x[:, -1])"),
    "first norm everywhere": but("self.norms[1]", "self.norms[0]"),
    "positions multiplied": but(
        "m + sinusoidal_positions(src", "m * sinusoidal_positions(src"
    ),
}

SPELLINGS = {
    "encoder without residuals": [
        but("x = self.norms[0](x + a)\nreturn", "x = self.norms[0](a)\nreturn"),
    ],
    "pre-norm": [
        built(
            encoder="""y = self.norms[0](x)
x = x + self.self_attention(y, y, y, src_mask)[0]
return x + self.feed_forward(self.norms[1](x))"""
        ),
    ],
    "padding read in the encoder": [
        but("(x, x, x, src_mask)", "(x, x, x)"),
        but("m = layer(m, mask)", "m = layer(m, None)"),
    ],
    "the future leaks": [
        but("x, causal=True", "x"),
        but("causal=True", "causal=False"),
    ],
    "source never read": [but("(x, memory, memory, src_mask)", "(x, x, x)")],
    "padding read by the decoder": [
        but("(x, memory, memory, src_mask)", "(x, memory, memory)"),
        but("layer(x, m, mask)", "layer(x, m)"),
    ],
    "no factor on the embeddings": [
        but(" * math.sqrt(self.d_model)", ""),
        but("math.sqrt(self.d_model)", "1.0"),
    ],
    "positions left out": [
        but(
            "m = m + sinusoidal_positions(src.size(1), self.d_model)\n",
            "",
            "x = x + sinusoidal_positions(tgt.size(1), self.d_model)\n",
            "",
        ),
    ],
    "positions on one side": [
        but("m = m + sinusoidal_positions(src.size(1), self.d_model)\n", ""),
        but("x = x + sinusoidal_positions(tgt.size(1), self.d_model)\n", ""),
    ],
    "positions scaled too": [
        but(
            " * math.sqrt(self.d_model)",
            "",
            "m + sinusoidal_positions(src.size(1), self.d_model)",
            "(m + sinusoidal_positions(src.size(1), self.d_model)) * self.d_model**0.5",
            "x + sinusoidal_positions(tgt.size(1), self.d_model)",
            "(x + sinusoidal_positions(tgt.size(1), self.d_model)) * self.d_model**0.5",
        ),
    ],
    "whole width as the factor": [but("math.sqrt(self.d_model)", "self.d_model")],
    "embeddings as memory": [
        but("m = layer(m, mask)", "n = layer(m, mask)"),
        but("m = layer(m, mask)", "pass"),
    ],
    "one layer again and again": [
        built(
            encoders="[EncoderLayer(*sizes)] * n_layers",
            decoders="[DecoderLayer(*sizes)] * n_layers",
        ),
    ],
    "last layer left out": [but("in self.decoder:", "in list(self.decoder)[:1]:")],
    "vectors instead of logits": [but("return self.generator(x)", "return x")],
    "probabilities": [
        but("return self.generator(x)", "return torch.softmax(self.generator(x), -1)"),
    ],
}
