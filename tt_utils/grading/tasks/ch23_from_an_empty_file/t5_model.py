"""23.5 Stage 5: the model: encode, decode, both masks, and the tied output."""

import numpy as np

from tt_utils.grading.tasks.ch23_from_an_empty_file import given
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
class Transformer(nn.Module):
    def __init__(self, embedding, encoder_layers, decoder_layers):
        super().__init__()
        self.embedding = embedding
        self.encoder = nn.ModuleList(encoder_layers)
        self.decoder = nn.ModuleList(decoder_layers)

    def encode(self, src):
        src_mask = (src != 0)[:, None, None]
        x = self.embedding(src)
        for layer in self.encoder:
            x = layer(x, src_mask)
        return x, src_mask

    def decode(self, tgt, memory, src_mask):
        t = tgt.shape[1]
        causal = torch.ones(t, t, dtype=torch.bool).tril()
        y = self.embedding(tgt)
        for layer in self.decoder:
            y = layer(y, memory, src_mask, causal)
        return y @ self.embedding.table.weight.T

    def forward(self, src, tgt):
        memory, src_mask = self.encode(src)
        return self.decode(tgt, memory, src_mask)
"""

FUNCTIONAL = """
class Transformer(nn.Module):
    def __init__(self, embedding, encoder_layers, decoder_layers):
        super().__init__()
        self.embed = embedding
        self.stacks = nn.ModuleDict(
            {
                "encoder": nn.ModuleList(encoder_layers),
                "decoder": nn.ModuleList(decoder_layers),
            }
        )

    def encode(self, src):
        real = src.ne(0).unsqueeze(1).unsqueeze(1)
        memory = self.embed(src)
        for number in range(len(self.stacks["encoder"])):
            memory = self.stacks["encoder"][number](memory, real)
        return memory, real

    def decode(self, tgt, memory, src_mask):
        positions = torch.arange(tgt.size(1))
        causal = positions <= positions.unsqueeze(1)
        out = self.embed(tgt)
        for number in range(len(self.stacks["decoder"])):
            out = self.stacks["decoder"][number](out, memory, src_mask, causal)
        return F.linear(out, self.embed.table.weight)

    def forward(self, src, tgt):
        return self.decode(tgt, *self.encode(src))
"""

GENERATOR = """
from functools import reduce

class Transformer(nn.Module):
    def __init__(self, embedding, encoder_layers, decoder_layers):
        super().__init__()
        self.embedding = embedding
        self.encoder = nn.Sequential(*encoder_layers)
        self.decoder = nn.Sequential(*decoder_layers)
        self.generator = nn.Linear(*embedding.table.weight.T.shape, bias=False)
        self.generator.weight = embedding.table.weight

    def encode(self, src):
        mask = (src > 0).view(len(src), 1, 1, -1)
        x = reduce(lambda x, layer: layer(x, mask), self.encoder, self.embedding(src))
        return x, mask

    def decode(self, tgt, memory, src_mask):
        causal = ~torch.ones(tgt.shape[1], tgt.shape[1]).triu(1).bool()

        def read(y, layer):
            return layer(y, memory, src_mask, causal)

        return self.generator(reduce(read, self.decoder, self.embedding(tgt)))

    def forward(self, src, tgt):
        return self.decode(tgt, *self.encode(src))
"""

MISTAKES = """
padding mask left out: (src != 0)[:, None, None] → torch.ones_like(src).bool()[:, None, None]
or: src.ne(0).unsqueeze → src.ne(-1).unsqueeze
or: (src > 0).view → (src >= 0).view
    Your mask is True everywhere. Which id stands where there is no word?

padding mask inverted: (src != 0) → (src == 0)
or: src.ne(0) → src.eq(0)
or: (src > 0) → (src <= 0)
    Your mask is True at the padding. What does True mean in a mask here?

end of the sentence hidden: (src != 0) → (src > 2)
or: src.ne(0) → src.gt(2)
or: (src > 0) → (src > 2)
    Your mask hides marks that the source really has. Which is the only id to hide?

mask without room for heads: (src != 0)[:, None, None] → (src != 0)[:, None]
or: src.ne(0).unsqueeze(1).unsqueeze(1) → src.ne(0).unsqueeze(1)
or: .view(len(src), 1, 1, -1) → .view(len(src), 1, -1)
    Your mask has one axis too few: scores have the shape (batch, heads, t_q, t_k). Which
    of these axes have length 1 in the mask?

an encoder layer's result thrown away: x = layer(x, src_mask) → layer(x, src_mask)
or: memory = self.stacks["encoder"][number](memory, real) → self.stacks["encoder"][number](memory, real)
    Your memory is the embedded source. What becomes of what an encoder layer gives?

only the first encoder layer: in self.encoder:\\n            x = → in self.encoder[:1]:\\n            x =
or: range(len(self.stacks["encoder"])) → range(1)
or: self.encoder, self.embedding(src)) → self.encoder[:1], self.embedding(src))
    Only one of your encoder layers works. Where does the loop end?

only the first decoder layer: in self.decoder:\\n            y = → in self.decoder[:1]:\\n            y =
or: range(len(self.stacks["decoder"])) → range(1)
or: reduce(read, self.decoder, → reduce(read, self.decoder[:1],
    Only one of your decoder layers works. Where does the loop end?

a decoder layer's result thrown away: y = layer(y, memory, src_mask, causal) → layer(y, memory, src_mask, causal)
or: out = self.stacks["decoder"] → self.stacks["decoder"]
    Your logits come straight from the embedded target. What becomes of what a decoder
    layer gives?

layers in a plain list: nn.ModuleList(encoder_layers) → list(encoder_layers)
and: nn.ModuleList(decoder_layers) → list(decoder_layers)
or: nn.ModuleList(encoder_layers)\\n → list(encoder_layers)\\n
or: nn.ModuleList(decoder_layers)\\n → list(decoder_layers)\\n
    An optimiser would not see all of your layers' parameters. Which kind of list does
    PyTorch look into?

the future seen: .tril() →
or: positions <= positions.unsqueeze(1) → positions >= 0 * positions.unsqueeze(1)
or: ~torch.ones(tgt.shape[1], tgt.shape[1]).triu(1).bool() → torch.ones(tgt.shape[1], tgt.shape[1]).bool()
    Your target positions attend to later ones, so in training each can read off the word
    that it should predict. What hides them?

causal mask upside down: .tril() → .triu()
or: positions <= positions.unsqueeze(1) → positions >= positions.unsqueeze(1)
or: ~torch.ones(tgt.shape[1], tgt.shape[1]).triu(1).bool() → torch.ones(tgt.shape[1], tgt.shape[1]).triu().bool()
    Your target positions attend to what comes later and not to what came before. On which
    side of the diagonal is the past?

own position hidden: .tril() → .tril(-1) | torch.eye(t).bool()[:1] * (torch.arange(t)[:, None] == 0)
or: positions <= positions.unsqueeze(1) → (positions < positions.unsqueeze(1)) | (positions + positions.unsqueeze(1) == 0)
    A position of yours doesn't attend to itself. Has the word that stands there been
    written already?

logits by another matrix: y @ self.embedding.table.weight.T → nn.Linear(y.shape[-1], len(self.embedding.table.weight), bias=False)(y)
or:         self.generator.weight = embedding.table.weight\\n →
    Your logits come from a matrix of their own. Which one does section 3.4 of the paper
    share with the embedding?

tied to a copy: embedding.table.weight.T\\n → embedding.table.weight.detach().T\\n
or: F.linear(out, self.embed.table.weight) → F.linear(out, self.embed.table.weight.detach())
or: self.generator.weight = embedding.table.weight → self.generator.weight = nn.Parameter(embedding.table.weight.clone())
    Your output matrix has the table's numbers, but not its slopes: in training they drift
    apart or one of them stands still. Are they one parameter?

vectors for logits: return y @ self.embedding.table.weight.T → return y
or: return F.linear(out, self.embed.table.weight) → return out
or: return self.generator(reduce(read, self.decoder, self.embedding(tgt))) → return reduce(read, self.decoder, self.embedding(tgt))
    What you give back is as wide as the model. What turns a vector into a number for each
    entry of the vocabulary?

probabilities for logits: return y @ self.embedding.table.weight.T → return (y @ self.embedding.table.weight.T).softmax(-1)
or: return F.linear(out, self.embed.table.weight) → return F.linear(out, self.embed.table.weight).softmax(-1)
or: return self.generator(reduce(read, self.decoder, self.embedding(tgt))) → return self.generator(reduce(read, self.decoder, self.embedding(tgt))).log_softmax(-1)
    You give back probabilities, or their logarithms. What does the stage ask for, before
    any softmax?

target not read: y = self.embedding(tgt) → y = self.embedding(tgt * 0 + 1)
or: out = self.embed(tgt) → out = self.embed(tgt * 0 + 1)
or: self.decoder, self.embedding(tgt) → self.decoder, self.embedding(tgt * 0 + 1)
    Your logits are the same whatever the target holds. What does the decoder read?

memory and mask exchanged: return x, src_mask → return src_mask, x
or: return memory, real → return real, memory
or: return x, mask → return mask, x
    You give back the right two things. In which order does the stage ask for them?
"""

D_MODEL = 4


def built(answers, table, encoders, decoders):
    """The model around an embedding and layers that are lent."""
    return answers[0](
        given.embedding(table),
        [given.encoder_layer(*pair) for pair in encoders],
        [given.decoder_layer(*pair) for pair in decoders],
    )


def encoded(answers, table, encoders, decoders, src):
    return built(answers, table, encoders, decoders).eval().encode(src)


def decoded(answers, table, encoders, decoders, tgt, memory, src_mask):
    model = built(answers, table, encoders, decoders).eval()
    return model.decode(tgt, memory, src_mask)


def whole(answers, table, encoders, decoders, src, tgt):
    return built(answers, table, encoders, decoders).eval()(src, tgt)


def slope(answers, table, encoders, decoders, src, tgt):
    """The gradient that the table gets from all logits' squares together."""
    import torch

    model = built(answers, table, encoders, decoders)
    found = [one for one in model.parameters() if one.shape == table.shape]
    grads = torch.autograd.grad(model(src, tgt).square().sum(), found)
    return grads[0]


def learnt(answers, table, encoders, decoders):
    """How many numbers an optimiser sees."""
    model = built(answers, table, encoders, decoders)
    return sum(one.numel() for one in model.parameters())


def parts(vocab_size, n_encoder, n_decoder, rng):
    def pair():
        return tuple((rng.normal(size=(2, D_MODEL, D_MODEL)) / 2).round(1))

    return (
        rng.normal(size=(vocab_size, D_MODEL)).round(1),
        [pair() for _ in range(n_encoder)],
        [pair() for _ in range(n_decoder)],
    )


def padded(rng, vocab_size, lengths):
    longest = max(lengths)
    src = rng.integers(3, vocab_size, (len(lengths), longest))
    for row, length in zip(src, lengths, strict=True):
        row[length - 1], row[length:] = 2, 0
    return src


def source(vocab_size, n_encoder, *lengths):
    def inputs(rng):
        return *parts(vocab_size, n_encoder, 1, rng), padded(rng, vocab_size, lengths)

    return inputs


def target(vocab_size, n_decoder, t_tgt, t_src, real):
    def inputs(rng):
        tgt = rng.integers(3, vocab_size, (len(real), t_tgt))
        tgt[:, 0] = 1
        memory = rng.normal(size=(len(real), t_src, D_MODEL)).round(1)
        mask = np.arange(t_src) < np.array(real)[:, None]
        found = parts(vocab_size, 1, n_decoder, rng)
        return *found, tgt, memory, mask[:, None, None]

    return inputs


def both(vocab_size, n_layers, lengths, t_tgt):
    def inputs(rng):
        src = padded(rng, vocab_size, lengths)
        tgt = rng.integers(3, vocab_size, (len(lengths), t_tgt))
        tgt[:, 0] = 1
        return *parts(vocab_size, n_layers, n_layers, rng), src, tgt

    return inputs


def alone(vocab_size, n_encoder, n_decoder):
    return lambda rng: parts(vocab_size, n_encoder, n_decoder, rng)


def alone_of_any_size(rng):
    return alone(*(int(n) for n in rng.integers((9, 1, 1), (40, 4, 4))))(rng)


PARTS = ("table", "encoder_layers", "decoder_layers")
ENCODE = {
    "probe": encoded,
    "arguments": (*PARTS, "src"),
    "outputs": ("memory", "src_mask"),
}
DECODE = {"probe": decoded, "arguments": (*PARTS, "tgt", "memory", "src_mask")}
WHOLE = {"probe": whole, "arguments": (*PARTS, "src", "tgt")}

TASK = FunctionTask(
    title="Stage 5: the model",
    kind="implement",
    answers=("Transformer",),
    arguments=PARTS,
    outputs=("logits",),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(PLAIN, FUNCTIONAL, GENERATOR),
    mistakes=MISTAKES,
    pairs=False,
    checks=(
        Check("encode one sentence, one layer", source(7, 1, 4), **ENCODE),
        Check("encode a padded batch, two layers", source(11, 2, 5, 3, 2), **ENCODE),
        Check("decode, one layer", target(7, 1, 3, 4, (4, 4)), **DECODE),
        Check(
            "decode with padding in the source, two layers",
            target(11, 2, 5, 4, (4, 2, 3)),
            **DECODE,
        ),
        Check("the whole model", both(11, 2, (5, 3), 4), **WHOLE),
        Check(
            "the slope at the table",
            both(9, 1, (3, 5), 4),
            slope,
            (*PARTS, "src", "tgt"),
            ("slope",),
        ),
        Check(
            "how many numbers an optimiser sees",
            alone(7, 2, 3),
            learnt,
            PARTS,
            ("count",),
            fresh=alone_of_any_size,
        ),
    ),
    hints=(
        "`encode` makes one mask and passes it to all its layers; `decode` makes the other "
        "one and passes both. What are their shapes?",
        "Follow one batch with shapes: (batch, t_src) and (batch, t_tgt) go in. After which "
        "line is the last axis as long as the vocabulary?",
    ),
    page="13c_the_whole_on_one_page",
    section="Model",
    why="`encode` runs once a sentence, `decode` once a word; both embed with one table, which "
    "also scores the words. That the parts were lent shows how little the model knows of them.",
)
