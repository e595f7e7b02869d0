"""Keys and values of earlier positions, which decoding need not compute again."""

from dataclasses import dataclass

from jaxtyping import Bool, Float, Int
from torch import Tensor


@dataclass
class KeyValueCache:
    """The keys and values of all positions so far, with room for max_len of them.

    What is kept has the shape (batch, heads, max_len, d_head).
    """

    max_len: int
    length: int = 0
    kept: tuple[Tensor, ...] = ()

    def extend(
        self,
        k: Float[Tensor, "batch heads t d_head"],
        v: Float[Tensor, "batch heads t d_head"],
    ) -> tuple[Tensor, Tensor]:
        """Keep the next positions' keys and values; return all up to them.

        Raises:
            ValueError: there is no room left for them.
        """
        if not self.kept:
            shape = (*k.shape[:2], self.max_len, k.shape[-1])
            self.kept = (k.new_empty(shape), v.new_empty(shape))
        start, end = self.length, self.length + k.shape[-2]
        if end > self.max_len:
            raise ValueError(
                f"KeyValueCache: {end} positions don't fit into max_len="
                f"{self.max_len}; start with a larger one."
            )
        for room, new in zip(self.kept, (k, v), strict=True):
            room[:, :, start:end] = new
        self.length = end
        k, v = (room[:, :, :end] for room in self.kept)
        return k, v

    def select(self, rows: Int[Tensor, " batch"]) -> None:
        """Go on with these rows in place of all."""
        for room in self.kept:
            room[:, :, : self.length] = room[rows, :, : self.length]


@dataclass
class LayerCache:
    """What a decoder layer need not compute again: keys and values of both looks.

    Those of the source have the shape (batch, heads, t_src, d_head).
    """

    across: tuple[Tensor, Tensor]
    back: KeyValueCache


@dataclass
class DecoderCache:
    """Every layer's cache, and how many target positions have been written."""

    layers: list[LayerCache]
    src_mask: Bool[Tensor, "batch 1 1 t_src"]
    length: int = 0

    def select(self, rows: Int[Tensor, " batch"]) -> None:
        """Go on with these rows' targets; row i must keep its source sentence."""
        for layer in self.layers:
            layer.back.select(rows)
