"""Layers in a row, and the norm that ends them: the two halves of a Transformer."""

from collections.abc import Iterator
from itertools import repeat

from jaxtyping import Float
from torch import Tensor, nn

from tt_utils.blocks.cache import KeyValueCache, LayerCache
from tt_utils.blocks.config import LayerConfig
from tt_utils.blocks.layers import DecoderLayer, EncoderLayer, Hidden
from tt_utils.blocks.masks import Mask


class Encoder(nn.Module):
    """Encoder layers in a row: each reads what the one before wrote.

    Source: Vaswani et al. 2017, section 3.1. With `causal` it is the stack of a
    decoder-only model; `caches` then hold one KeyValueCache per layer.
    """

    def __init__(self, config: LayerConfig, n_layers: int) -> None:
        super().__init__()
        positions = config.make_positions()  # shared by all layers
        self.layers = nn.ModuleList(
            EncoderLayer(config, positions) for _ in range(n_layers)
        )
        self.norm = config.make_final_norm()

    def forward(
        self,
        x: Hidden,
        mask: Mask | None = None,
        *,
        causal: bool = False,
        caches: list[KeyValueCache] | None = None,
    ) -> Hidden:
        """Pass x through every layer, then normalise if the config asks for it."""
        for layer, cache in with_caches(self.layers, caches):
            x = layer(x, mask, causal=causal, cache=cache)
        return self.norm(x)


class Decoder(nn.Module):
    """Decoder layers in a row; all of them attend to the same memory.

    Source: Vaswani et al. 2017, section 3.1.
    """

    def __init__(self, config: LayerConfig, n_layers: int) -> None:
        super().__init__()
        positions = config.make_positions()  # shared by all layers
        self.layers = nn.ModuleList(
            DecoderLayer(config, positions) for _ in range(n_layers)
        )
        self.norm = config.make_final_norm()

    def forward(
        self,
        x: Hidden,
        memory: Float[Tensor, "batch t_src d_model"],
        src_mask: Mask | None = None,
        *,
        causal: bool = True,
        caches: list[LayerCache] | None = None,
    ) -> Hidden:
        """Pass x through every layer, then normalise if the config asks for it."""
        for layer, cache in with_caches(self.layers, caches):
            x = layer(x, memory, src_mask, causal=causal, cache=cache)
        return self.norm(x)


def with_caches(layers: nn.ModuleList, caches: list | None) -> Iterator[tuple]:
    """Give each layer with its own cache, or with None.

    Raises:
        ValueError: there are more layers than caches, or fewer.
    """
    if caches is None:
        return zip(layers, repeat(None), strict=False)
    if len(caches) != len(layers):
        raise ValueError(
            f"The cache is for {len(caches)} layers, the stack has {len(layers)}; "
            "give every layer one cache."
        )
    return zip(layers, caches, strict=True)
