"""The sizes and choices that the layers of a model share."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args

import torch.nn.functional as F
from torch import Tensor, nn

from tt_utils.blocks.attention import check_heads
from tt_utils.blocks.positions import (
    POSITION_KINDS,
    PositionKind,
    RelativePositions,
    relative_positions,
)

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": F.relu,
    "gelu": F.gelu,
    "gelu_tanh": partial(F.gelu, approximate="tanh"),  # GPT-2's
}
Activation = Literal["relu", "gelu", "gelu_tanh", "swiglu"]
Norm = Literal["layer", "rms"]


@dataclass(frozen=True, kw_only=True)
class LayerConfig:
    """What every layer of a model has in common; by default the paper's base model.

    `norm_first` is pre-norm, else post-norm. `final_norm` ends each stack with a norm
    of its own; left at None, pre-norm stacks do and post-norm don't. `n_kv_heads`
    below n_heads is grouped-query attention. `activation` "swiglu" is a gated
    feed-forward network. Without `bias` no layer and no norm has one. `norm_eps` is
    what a norm adds to the variance, or to the mean square; left at None it is
    PyTorch's, 1e-5 for "layer" and the epsilon of the dtype for "rms". `rotary_base` is
    the θ of rotary positions, of which the slowest turns once in 2π·θ positions.

    Raises:
        ValueError: a size that can't be, or a word that isn't known.
    """

    d_model: int = 512
    d_ff: int = 2048
    n_heads: int = 8
    n_kv_heads: int | None = None
    dropout: float = 0.1
    norm_first: bool = False
    final_norm: bool | None = None
    norm: Norm = "layer"
    norm_eps: float | None = None
    activation: Activation = "relu"
    bias: bool = True
    positions: PositionKind = "sinusoidal"
    rotary_base: float = 10_000.0
    max_len: int = 512

    def __post_init__(self) -> None:
        self.check_words(
            positions=POSITION_KINDS,
            norm=get_args(Norm),
            activation=get_args(Activation),
        )
        self.check_sizes("d_model", "d_ff", "n_heads", "max_len", "rotary_base")
        if self.n_kv_heads is not None:
            self.check_sizes("n_kv_heads")
        check_heads(self.d_model, self.n_heads, self.n_kv_heads or self.n_heads)
        if self.norm_eps is not None and self.norm_eps < 0:
            raise ValueError(
                f"{type(self).__name__}: norm_eps is {self.norm_eps}; it must be at "
                "least 0."
            )
        if not 0 <= self.dropout < 1:
            raise ValueError(
                f"{type(self).__name__}: dropout is {self.dropout}; it must be at "
                "least 0 and below 1."
            )

    def check_words(self, **known: tuple[str, ...]) -> None:
        """Refuse a word that isn't among those we know."""
        for name, words in known.items():
            if getattr(self, name) not in words:
                raise ValueError(
                    f"{type(self).__name__}: {name} is {getattr(self, name)!r}; "
                    f"choose one of {', '.join(words)}."
                )

    def check_sizes(self, *names: str) -> None:
        """Refuse a size below 1."""
        for name in names:
            if getattr(self, name) < 1:
                raise ValueError(
                    f"{type(self).__name__}: {name} is {getattr(self, name)}; "
                    "it must be at least 1."
                )

    def check_id(self, name: str, vocab_size: int) -> None:
        """Refuse a token id outside the vocabulary."""
        if not 0 <= getattr(self, name) < vocab_size:
            raise ValueError(
                f"{type(self).__name__}: {name} is {getattr(self, name)}, outside a "
                f"vocabulary of {vocab_size}; use the tokenizer's."
            )

    def make_norm(self) -> nn.Module:
        """Build one norm over d_model features."""
        given: dict[str, Any] = {} if self.norm_eps is None else {"eps": self.norm_eps}
        if self.norm == "rms":
            return nn.RMSNorm(self.d_model, **given)
        return nn.LayerNorm(self.d_model, bias=self.bias, **given)

    def make_positions(self) -> RelativePositions:
        """Build the relative positions that self-attention asks."""
        sizes = self.d_model, self.n_heads, self.max_len
        return relative_positions(self.positions, *sizes, self.rotary_base)

    def make_final_norm(self) -> nn.Module:
        """Build what ends a stack: pre-norm leaves its last sum unnormalised."""
        wanted = self.norm_first if self.final_norm is None else self.final_norm
        return self.make_norm() if wanted else nn.Identity()
