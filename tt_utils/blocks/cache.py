"""Keys and values of earlier positions, which decoding need not compute again."""

from dataclasses import dataclass

from jaxtyping import Float, Int
from torch import Tensor


@dataclass
class KeyValueCache:
    """The keys and values of all positions so far, with room for max_len of them.

    `stored` holds two tensors of shape (batch, heads, max_len, d_head).
    """

    max_len: int
    length: int = 0
    stored: tuple[Tensor, ...] = ()

    def extend(
        self,
        k: Float[Tensor, "batch heads t d_head"],
        v: Float[Tensor, "batch heads t d_head"],
    ) -> tuple[Tensor, Tensor]:
        """Store the next positions' keys and values; return all up to them.

        Raises:
            ValueError: there is no room left for them, or other rows fill it.
        """
        if not self.stored:
            shape = (*k.shape[:2], self.max_len, k.shape[-1])
            self.stored = (k.new_empty(shape), v.new_empty(shape))
        if len(k) != len(self.stored[0]):
            raise ValueError(
                f"KeyValueCache: it holds {len(self.stored[0])} rows and can't take "
                f"{len(k)}; start a new one for another batch."
            )
        start, end = self.length, self.length + k.shape[-2]
        if end > self.max_len:
            raise ValueError(
                f"KeyValueCache: {end} positions don't fit into max_len="
                f"{self.max_len}; start with a larger one."
            )
        for room, new in zip(self.stored, (k, v), strict=True):
            room[:, :, start:end] = new
        self.length = end
        return self.read()

    def read(self) -> tuple[Tensor, Tensor]:
        """Give the keys and the values of all positions so far.

        Raises:
            ValueError: there are none.
        """
        if not self.stored:
            raise ValueError("KeyValueCache: it is empty; give keys and values first.")
        k, v = (room[:, :, : self.length] for room in self.stored)
        return k, v

    def select(self, rows: Int[Tensor, " batch"]) -> None:
        """Go on with these rows in place of all."""
        for room in self.stored:
            room[:, :, : self.length] = room[rows, :, : self.length]


@dataclass
class LayerCache:
    """What a decoder layer need not compute again, in either attention.

    `own` grows with the target; `cross` holds the memory's from the first step on.
    """

    own: KeyValueCache
    cross: KeyValueCache


class DecoderCache:
    """The caches of all layers: room for max_len target and t_src source positions."""

    def __init__(self, n_layers: int, t_src: int, max_len: int) -> None:
        self.layers = [
            LayerCache(KeyValueCache(max_len), KeyValueCache(t_src))
            for _ in range(n_layers)
        ]

    @property
    def length(self) -> int:
        """Count the target positions that have been decoded."""
        return self.layers[0].own.length

    def select(self, rows: Int[Tensor, " batch"]) -> None:
        """Go on with these rows' targets; row i must keep its source sentence."""
        for layer in self.layers:
            layer.own.select(rows)
