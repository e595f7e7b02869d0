"""Dropout that costs a CPU a third of PyTorch's time."""

import torch
from jaxtyping import Float, UInt8
from torch import Tensor, nn


class Dropout(nn.Dropout):
    """Drop features like `nn.Dropout`, on a CPU in a third of the time.

    There one random byte decides on each feature, so p is rounded to a 256th. While
    `torch.compile` reads along, PyTorch's own is used: the compiler can't follow a view
    of numbers as bytes through training, and writes fast code for PyTorch's anyway.
    """

    def __init__(self, p: float = 0.5) -> None:
        super().__init__(p)

    def forward(self, x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
        """Set a share p to zero and scale the others up, in training only."""
        dropped = round(256 * self.p)
        is_ours = x.device.type == "cpu" and not torch.compiler.is_compiling()
        if not self.training or not is_ours or dropped in (0, 256):
            return super().forward(x)
        kept = (random_bytes(x) >= dropped).to(x.dtype)
        # The scale stays out of x's type: bfloat16 would round it by up to 0.3 %.
        return (x * kept).mul_(256 / (256 - dropped))


def random_bytes(x: Float[Tensor, "*shape"]) -> UInt8[Tensor, "*shape"]:
    """Draw a number from 0 to 255 for each of x's, eight at a time."""
    eights = torch.empty(-(-x.numel() // 8), dtype=torch.int64, device=x.device)
    eights.random_(-(2**63), None)
    return eights.view(torch.uint8)[: x.numel()].view(x.shape)
