"""Answers to 11.1, a stack of encoder layers."""

RIGHT = {
    "the usual": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x
""",
    "generator": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList(EncoderLayer(config) for i in range(n_layers))

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x
""",
    "append": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList()
        while len(self.layers) < n_layers:
            self.layers.append(EncoderLayer(config))

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x
""",
    "list first": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        made = []
        for i in range(n_layers):
            made.append(EncoderLayer(config))
        self.layers = torch.nn.ModuleList(made)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x
""",
    "deep copies": """
from tt_utils.blocks import EncoderLayer

import copy

class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        layer = EncoderLayer(config)
        self.layers = torch.nn.ModuleList([copy.deepcopy(layer) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x
""",
    "dictionary of modules": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleDict({str(i): EncoderLayer(config) for i in range(n_layers)})

    def forward(self, x, mask=None):
        for layer in self.layers.values():
            x = layer(x, mask)
        return x
""",
    "sequential": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.Sequential(*[EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x
""",
    "by number": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for i in range(len(self.layers)):
            x = self.layers[i](x, mask=mask)
        return x
""",
    "number kept": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.n_layers = n_layers
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for i in range(self.n_layers):
            x = self.layers[i](x, mask)
        return x
""",
    "memory": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        memory = x
        for layer in self.layers:
            memory = layer(memory, mask)
        return memory
""",
    "reduce": """
from tt_utils.blocks import EncoderLayer

import functools

class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        return functools.reduce(lambda y, f: f(y, mask), self.layers, x)
""",
    "extend": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList()
        self.layers.extend(EncoderLayer(config) for _ in range(n_layers))

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x
""",
    "add_module": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.Module()
        self.n = n_layers
        for i in range(n_layers):
            self.layers.add_module(str(i), EncoderLayer(config))

    def forward(self, x, mask=None):
        for i in range(self.n):
            x = getattr(self.layers, str(i))(x, mask)
        return x
""",
}

WRONG = {
    "mask in the last layer only": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for layer in self.layers[:-1]:
            x = layer(x)
        return self.layers[-1](x, mask)
""",
    "mask inverted for all": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask == False if mask is not None else None)
        return x * 1.5
""",
    "causal": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask, causal=True)
        return x
""",
    "averaged": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        return torch.stack([layer(x, mask) for layer in self.layers]).mean(0)
""",
    "twice through": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for _ in range(2):
            for layer in self.layers:
                x = layer(x, mask)
        return x
""",
    "other name": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.stack = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for layer in self.stack:
            x = layer(x, mask)
        return x
""",
    "no loop": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        return self.layers(x, mask)
""",
    "padding set to zero": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
            if mask is not None:
                x = x * mask[:, 0, 0, :, None]
        return x
""",
    "tuple": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x, mask
""",
    "mask must be there": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask.bool())
        return x
""",
    "vectors averaged at the end": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x.mean(1)
""",
    "doubled": """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x * 2
""",
}

SPELLINGS = {
    "one layer many times": [
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        layer = EncoderLayer(config)
        self.layers = torch.nn.ModuleList([layer] * n_layers)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x
""",
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        layer = EncoderLayer(config)
        self.layers = torch.nn.ModuleList([layer for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x
""",
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        layer = EncoderLayer(config)
        self.layers = torch.nn.ModuleList()
        for _ in range(n_layers):
            self.layers.append(layer)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x
""",
    ],
    "plain list": [
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = []
        for _ in range(n_layers):
            self.layers.append(EncoderLayer(config))

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x
""",
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = tuple(EncoderLayer(config) for _ in range(n_layers))

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x
""",
    ],
    "every layer reads x": [
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for layer in self.layers:
            out = layer(x, mask)
        return out
""",
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        return [layer(x, mask) for layer in self.layers][-1]
""",
    ],
    "result thrown away": [
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for layer in self.layers:
            y = layer(x, mask)
        return x
""",
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        [layer(x, mask) for layer in self.layers]
        return x
""",
    ],
    "only the first layer works": [
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for layer in self.layers:
            return layer(x, mask)
""",
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        return self.layers[0](x, mask)
""",
    ],
    "mask in the first layer only": [
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        x = self.layers[0](x, mask)
        for layer in self.layers[1:]:
            x = layer(x)
        return x
""",
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for i, layer in enumerate(self.layers):
            x = layer(x, mask if i == 0 else None)
        return x
""",
    ],
    "mask left out": [
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x)
        return x
""",
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.Sequential(*[EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        return self.layers(x)
""",
    ],
    "layers in reverse": [
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for layer in self.layers[::-1]:
            x = layer(x, mask)
        return x
""",
    ],
    "one layer too few": [
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(1, n_layers)])

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x
""",
    ],
    "last layer skipped": [
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for i in range(len(self.layers) - 1):
            x = self.layers[i](x, mask)
        return x
""",
    ],
    "one layer too many": [
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers + 1)])

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x
""",
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])
        self.layers.append(EncoderLayer(config))

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x
""",
    ],
    "six written down": [
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(6)])

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x
""",
    ],
    "results added up": [
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        total = torch.zeros_like(x)
        for layer in self.layers:
            x = layer(x, mask)
            total += x
        return total
""",
    ],
    "a skip around each layer": [
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask) + x
        return x
""",
    ],
    "a norm of your own": [
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])
        self.norm = torch.nn.LayerNorm(config.d_model)

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)
""",
    ],
    "results of all layers": [
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        outs = []
        for layer in self.layers:
            x = layer(x, mask)
            outs.append(x)
        return outs
""",
    ],
    "mask inverted": [
        """
from tt_utils.blocks import EncoderLayer


class Encoder(torch.nn.Module):
    def __init__(self, config, n_layers):
        super().__init__()
        self.layers = torch.nn.ModuleList([EncoderLayer(config) for _ in range(n_layers)])

    def forward(self, x, mask=None):
        if mask is not None:
            mask = ~mask
        for layer in self.layers:
            x = layer(x, mask)
        return x
""",
    ],
}
