"""11.1 A stack of encoder layers, each with weights of its own."""

import numpy as np

from tt_utils.grading.observing import probes
from tt_utils.grading.tasks.spec import Check, FunctionTask

MODULE_LIST = """
from tt_utils.blocks import EncoderLayer

class Encoder(nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x
"""

COPIES = """
import copy
from tt_utils.blocks import EncoderLayer

class Encoder(nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        first = EncoderLayer(config)
        self.layers = nn.ModuleList(copy.deepcopy(first) for _ in range(n_layers))

    def forward(self, x, mask=None):
        out = x
        for number in range(len(self.layers)):
            out = self.layers[number](out, mask=mask)
        return out
"""

APPENDED = """
from functools import reduce
from tt_utils.blocks import EncoderLayer

class Encoder(nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(n_layers):
            self.layers.append(EncoderLayer(config))

    def forward(self, x, mask=None):
        return reduce(lambda y, layer: layer(y, mask), self.layers, x)
"""

SEQUENTIAL = """
from tt_utils.blocks import EncoderLayer

class Encoder(nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = nn.Sequential(*(EncoderLayer(config) for _ in range(n_layers)))

    def forward(self, x, mask=None):
        def after(n):
            return self.layers[n - 1](after(n - 1), mask) if n else x

        return after(len(self.layers))
"""

MISTAKES = """
one layer many times: [EncoderLayer(config) for _ in range(n_layers)] → [EncoderLayer(config)] * n_layers
or: copy.deepcopy(first) for → first for
    Your layers are one and the same object: they share all weights. How many
    parameters should 3 layers have, and how many has your stack?

plain list: nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)]) → [EncoderLayer(config) for _ in range(n_layers)]
    Your module has no parameters: an optimiser would see none, and nothing would learn.
    Which kind of list does PyTorch look into?

every layer reads x: out = x → out = None
and: self.layers[number](out, mask=mask) → self.layers[number](x, mask=mask)
or: x = layer(x, mask)\\n        return x → y = layer(x, mask)\\n        return y
    Every layer of yours reads the same vectors, and only the last one counts. What
    should the second layer read?

result thrown away: x = layer(x, mask) → layer(x, mask)
    Your encoder gives back what it was given. What becomes of a layer's result?

only the first layer works: \\n        return x → \\n            return x
or: len(self.layers)) → 1)
    Only your first layer works. When does your loop end?

mask in the first layer only: x = layer(x, mask) → x = layer(x, mask); mask = None
or: mask=mask) → mask=mask if number == 0 else None)
or: (after(n - 1), mask) → (after(n - 1), mask if n == 1 else None)
    Real words look at padding from the second layer on. Which layers need the mask?

mask left out: layer(x, mask) → layer(x)
or: mask=mask) → mask=None)
or: layer(y, mask) → layer(y)
    Your result is the same with and without the mask. Where does it have to go?

mask inverted: x = layer(x, mask) → x = layer(x, None if mask is None else ~mask)
or: layer(y, mask) → layer(y, None if mask is None else ~mask)
    You hide the real words and show the padding. What does True in a mask mean in this
    book?

layers in reverse: in self.layers: → in reversed(self.layers):
or: number in range(len(self.layers)) → number in reversed(range(len(self.layers)))
    The last layer works first in yours. In which order should they work?

one layer too few: range(n_layers) → range(n_layers - 1)
or: range(n_layers) → range(1, n_layers)
    One layer is missing. How many numbers does your `range` give?

last layer skipped: in self.layers: → in self.layers[:-1]:
or: len(self.layers)) → len(self.layers) - 1)
    You made all layers, and the last one never works. Where does your loop stop?

one layer too many: range(n_layers) → range(n_layers + 1)
    You have a layer too many. How many numbers does your `range` give?

six written down: range(n_layers) → range(6)
    Six layers are the paper's choice. Where does yours get the number from?

results added up: x = layer(x, mask)\\n        return x → x = layer(x, mask); total = total + x\\n        return total
and: for layer in → total = 0\\n        for layer in
or: x = layer(x, mask)\\n        return x → x = layer(x, mask); total = total + x\\n        return total / len(self.layers)
and: for layer in → total = 0\\n        for layer in
    You collect the results of all layers in one sum. Which of them goes on to the
    decoder?

a skip around each layer: x = layer(x, mask) → x = x + layer(x, mask)
or: lambda y, layer: layer(y, mask) → lambda y, layer: y + layer(y, mask)
    You put one more residual connection around the layer. How many has it inside
    already?

a norm of your own: self.layers = nn.ModuleList([ → self.norm = nn.LayerNorm(config.d_model); self.layers = nn.ModuleList([
and: \\n        return x → \\n        return self.norm(x)
or: \\n        return x → \\n        return F.layer_norm(x, x.shape[-1:])
    You normalise once more at the end. What stands last in each layer of the paper's
    kind?

results of all layers: x = layer(x, mask)\\n        return x → x = layer(x, mask); all_of_them.append(x)\\n        return torch.stack(all_of_them)
and: for layer in → all_of_them = []\\n        for layer in
    You return what every layer gave. Which of these results leaves the encoder?
"""

D_MODEL, D_FF = 4, 6


def config(d_model=D_MODEL, d_ff=D_FF):
    """Post-norm, as in the paper."""
    from tt_utils.blocks import LayerConfig  # here, so that other tasks need no PyTorch

    return LayerConfig(d_model=d_model, n_heads=2, d_ff=d_ff, norm_first=False)


def sizes(n_layers, *widths):
    return {"config": config(*widths), "n_layers": n_layers}


def stack(n_layers, *lead_and_length, real=()):
    """Sizes, weights by name, vectors, and a mask where sentences have real lengths."""

    def inputs(rng):
        from tt_utils.blocks import EncoderLayer

        weights = {
            f"layers.{n}.{name}": ("norm.w" in name)
            + 0.5 * rng.normal(size=tuple(weight.shape))
            for n in range(n_layers)
            for name, weight in EncoderLayer(config()).named_parameters()
        }
        x = rng.normal(size=(*lead_and_length, D_MODEL))
        mask = np.arange(x.shape[1]) < np.array(real)[:, None, None, None]
        return sizes(n_layers), weights, x, *([mask] if real else [])

    return inputs


def widths(rng):
    """A d_model and a d_ff that are not those of the other checks."""
    return 2 * int(rng.integers(3, 8)), int(rng.integers(16, 40))


def parameters_of(words, n_layers):
    return Check(
        f"the parameters of {words}",
        lambda rng: (sizes(n_layers),),
        probes.parameter_shapes,
        outputs=("parameters",),
        fresh=lambda rng: (sizes(n_layers, *widths(rng)),),
    )


WITH_WEIGHTS = {
    "probe": probes.forward,
    "arguments": ("sizes", "weights", "x", "mask"),
}

TASK = FunctionTask(
    title="A stack of layers",
    kind="implement",
    answers=("Encoder",),
    arguments=("sizes",),
    outputs=("out",),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(MODULE_LIST, COPIES, APPENDED, SEQUENTIAL),
    mistakes=MISTAKES,
    pairs=False,  # every run builds modules
    checks=(
        parameters_of("three layers", 3),
        parameters_of("one layer", 1),
        Check("one layer", stack(1, 1, 3), **WITH_WEIGHTS),
        Check("two layers, no mask", stack(2, 2, 3), **WITH_WEIGHTS),
        Check("one layer and a mask", stack(1, 2, 5, real=(5, 3)), **WITH_WEIGHTS),
        Check(
            "three layers and a mask",
            stack(3, 5, 7, real=(2, 4, 1, 3, 6)),
            **WITH_WEIGHTS,
        ),
    ),
    hints=(
        "Two lines do it: one that makes the layers, one that calls them in a loop. What "
        "is new in every round of the loop?",
        "Print `sum(p.numel() for p in encoder.parameters())` for 1 and for 3 layers. By "
        "how much should it grow?",
    ),
    section="Six in a row",
    why="Each layer has weights of its own, reads what the one before wrote, and gets the "
    "same mask: padding that is visible in one layer is visible in the result.",
)
