"""What the checks of a stage lend in place of the stages before it.

Each part takes what the real one takes and mixes it in a way of its own, so that any
mistake in what is handed over shows; how the real one works can't be read off here.
PyTorch is imported where it is needed, so that other tasks come without it. Classes
within functions use no global name in their bodies: what a class's grader packs of a
function leaves such names behind.
"""

from typing import Any


def mixing(own: Any, read: Any) -> Any:
    """In place of an attention: the query, and the mean of what it may attend to."""
    import torch

    class Mixing(torch.nn.Module):
        def forward(self, x, source, mask):
            if mask.dtype != torch.bool or not 2 <= mask.ndim <= 4:
                raise ValueError(
                    "attention(x, source, mask): the mask holds truth values, of shape "
                    f"(batch, 1, 1, t_k) or (t_q, t_k); got {tuple(mask.shape)}"
                )
            open_to = (mask[:, 0] if mask.ndim == 4 else mask).float()
            shares = open_to / open_to.sum(dim=-1, keepdim=True)
            return x @ own + shares @ (source @ read)

    return Mixing()


def encoder_layer(own: Any, read: Any) -> Any:
    """In place of an encoder layer, with one parameter to be found."""
    import torch

    class EncoderLayer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(own)
            self.attention = mixing(torch.zeros_like(own), read)

        def forward(self, x, src_mask):
            return (x @ self.weight + self.attention(x, x, src_mask)).tanh()

    return EncoderLayer()


def decoder_layer(own: Any, read: Any) -> Any:
    """In place of a decoder layer, with one parameter to be found."""
    import torch

    class DecoderLayer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(own)
            self.attention = mixing(torch.zeros_like(own), read)

        def forward(self, y, memory, src_mask, causal):
            if tuple(causal.shape) != (y.shape[1], y.shape[1]):
                raise ValueError(
                    "layer(y, memory, src_mask, causal): the causal mask has the shape "
                    f"(t_tgt, t_tgt); got {tuple(causal.shape)}"
                )
            y = y @ self.weight + self.attention(y, y, causal)
            return (y + 2 * self.attention(y, memory, src_mask)).tanh()

    return DecoderLayer()


def embedding(table: Any) -> Any:
    """In place of the embedding: the rows of the table, and a step for each position."""
    import torch

    class Embedding(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.table = torch.nn.Embedding(*table.shape)
            self.table.weight.data = table.clone()

        def forward(self, tokens):
            steps = torch.arange(tokens.shape[1])[:, None] / 10
            return self.table(tokens) + steps

    return Embedding()


def model(after: Any, before: Any, about: Any) -> Any:
    """In place of the model: a language of few words, from three tables of logits.

    They say what follows a word, what follows the word before it, and what the words of
    the source ask for.
    """
    import torch

    class Model:
        calls = 0

        def encode(self, src):
            self.check(src, "src")
            return about[src], (src != 0)[:, None, None]

        def decode(self, tgt, memory, src_mask):
            self.calls += 1
            if self.calls > 1000:
                raise RuntimeError(
                    "decode was called more than 1,000 times: how many beginnings are "
                    "kept after each step?"
                )
            self.check(tgt, "tgt")
            if len(memory) not in (1, len(tgt)) or len(src_mask) not in (1, len(tgt)):
                raise ValueError(
                    f"decode: tgt has {len(tgt)} rows, memory {len(memory)}, src_mask "
                    f"{len(src_mask)}"
                )
            real = src_mask[:, 0, 0, :, None].float()
            asked = (memory * real).sum(dim=1) / real.sum(dim=1)
            earlier = torch.nn.functional.pad(before[tgt[:, :-1]], (0, 0, 1, 0))
            return after[tgt] + earlier + asked[:, None]

        @staticmethod
        def check(tokens, name):
            if tokens.ndim != 2 or tokens.is_floating_point():
                raise ValueError(
                    f"{name} holds whole numbers of shape (batch, t), got "
                    f"{str(tokens.dtype).removeprefix('torch.')} of shape "
                    f"{tuple(tokens.shape)}"
                )

    return Model()
