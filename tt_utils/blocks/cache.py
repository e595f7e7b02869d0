"""Keys and values of earlier positions, which decoding need not compute again."""

from dataclasses import dataclass

from jaxtyping import Float, Int
from torch import Tensor


@dataclass
class KeyValueCache:
    """The keys and values of all positions so far, with room for max_len of them.

    One that doesn't grow is complete once it was filled: those of a memory, which
    stay the same for every word. `stored` holds two tensors of shape
    (batch, heads, max_len, d_head).
    """

    max_len: int
    grows: bool = True
    length: int = 0
    stored: tuple[Tensor, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether it already holds all keys and values that there will be."""
        return not self.grows and self.length > 0

    def extend(
        self,
        k: Float[Tensor, "batch heads t d_head"],
        v: Float[Tensor, "batch heads t d_head"],
    ) -> tuple[Tensor, Tensor]:
        """Store the next positions' keys and values; return all up to them.

        Raises:
            ValueError: there is no room left for them, other rows fill it, or
                gradients should flow through it.
        """
        if k.requires_grad or v.requires_grad:
            raise ValueError(
                "KeyValueCache: it is written in place, which no gradient survives; "
                "decode inside torch.no_grad()."
            )
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
        """Go on with these rows in place of all; there may be fewer, or more."""
        self.stored = tuple(self.moved(room, rows) for room in self.stored)

    def moved(self, room: Tensor, rows: Int[Tensor, " batch"]) -> Tensor:
        """Put the chosen rows into this room, or into one of their number."""
        chosen = room[rows, :, : self.length]
        if len(rows) != len(room):
            room = room.new_empty(len(rows), *room.shape[1:])
        room[:, :, : self.length] = chosen
        return room


class LayerCache:
    """What a decoder layer need not compute again, in either attention.

    `own` grows with the target; `cross` holds the memory's from the first step on.
    """

    def __init__(self, t_src: int, max_len: int) -> None:
        self.own = KeyValueCache(max_len)
        self.cross = KeyValueCache(t_src, grows=False)


class DecoderCache:
    """The caches of all layers: room for max_len target and t_src source positions."""

    def __init__(self, n_layers: int, t_src: int, max_len: int) -> None:
        self.layers = [LayerCache(t_src, max_len) for _ in range(n_layers)]

    @property
    def length(self) -> int:
        """Count the target positions that have been decoded."""
        return self.layers[0].own.length

    def select(self, rows: Int[Tensor, " batch"], *, sources_move: bool = True) -> None:
        """Go on with these rows; row i may keep its source, which saves a copy."""
        for layer in self.layers:
            layer.own.select(rows)
            if sources_move:
                layer.cross.select(rows)
