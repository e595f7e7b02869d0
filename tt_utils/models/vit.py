"""The Vision Transformer: an image is cut into patches, and read like a sentence."""

from dataclasses import KW_ONLY, dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from tt_utils.blocks.config import Activation, LayerConfig
from tt_utils.blocks.dropout import Dropout
from tt_utils.blocks.patches import grid_of, patchify
from tt_utils.blocks.positions import PositionKind, absolute_positions
from tt_utils.blocks.stacks import Encoder
from tt_utils.data.examples import ImageBatch

Images = Float[Tensor, "batch channels height width"]
Kept = Bool[Tensor, "batch patches"]


@dataclass(frozen=True)
class ViTConfig(LayerConfig):
    """The sizes of a model for square images; the choices are ViT's.

    Patches are `patch` pixels wide and begin every `stride` pixels; left at None they
    don't overlap.

    Raises:
        ValueError: a size that can't be, patches that don't fit, or an unknown word.
    """

    image: int = 8
    channels: int = 1
    patch: int = 2
    stride: int | None = None
    n_layers: int = 6
    n_labels: int = 10
    _: KW_ONLY
    norm_first: bool = True
    activation: Activation = "gelu"
    positions: PositionKind = "learned"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_sizes("image", "channels", "n_layers", "n_labels")
        if self.n_patches >= self.max_len:
            raise ValueError(
                f"{type(self).__name__}: {self.n_patches} patches and a token that "
                f"gathers need max_len={self.n_patches + 1}; it is {self.max_len}."
            )

    @property
    def n_patches(self) -> int:
        """Count the patches of an image."""
        stride = self.patch if self.stride is None else self.stride
        rows, columns = grid_of(self.image, self.image, self.patch, stride)
        return rows * columns


def cut_images(
    model: nn.Module, images: Images
) -> Float[Tensor, "batch patches numbers"]:
    """Cut images into the patches that a model's config names, in its weights' dtype.

    Raises:
        ValueError: the images have another size than the model's.
    """
    config = model.config
    wanted = config.channels, config.image, config.image
    if images.shape[1:] != wanted:
        raise ValueError(
            f"{type(model).__name__}: images of shape {tuple(images.shape[1:])}; the "
            f"model reads {wanted}: channels, height, width."
        )
    dtype = next(model.parameters()).dtype
    return patchify(images.to(dtype), config.patch, config.stride)


class ViT(nn.Module):
    """Say to which kind an image belongs, from what a token in front has gathered.

    Source: Dosovitskiy et al. 2021, section 3.1.
    """

    def __init__(self, config: ViTConfig) -> None:
        super().__init__()
        self.config = config
        numbers = config.channels * config.patch**2
        self.embed = nn.Linear(numbers, config.d_model)
        self.first = nn.Parameter(torch.zeros(config.d_model))
        self.positions = absolute_positions(
            config.positions, config.d_model, config.max_len
        )
        self.dropout = Dropout(config.dropout)
        self.stack = Encoder(config, config.n_layers)
        self.head = nn.Linear(config.d_model, config.n_labels)

    def states(
        self, images: Images, keep: Kept | None = None
    ) -> Float[Tensor, "batch t d_model"]:
        """Run the stack over the token in front and the patches, t − 1 of them.

        With `keep`, no token attends to the other patches, as if they were cut out.

        Raises:
            ValueError: the images have another size than the model's.
        """
        patches = self.embed(cut_images(self, images))
        first = self.first.expand(len(images), 1, -1)  # (batch, 1, d_model)
        x = torch.cat([first, patches], dim=1)  # (batch, 1 + patches, d_model)
        mask = None if keep is None else F.pad(keep, (1, 0), value=True)[:, None, None]
        return self.stack(self.dropout(self.positions(x)), mask)

    def forward(
        self, images: Images, keep: Kept | None = None
    ) -> Float[Tensor, "batch labels"]:
        """Give the logits of each kind, from the patches to keep."""
        return self.head(self.states(images, keep)[:, 0])

    def loss(
        self, batch: ImageBatch, label_smoothing: float = 0.0
    ) -> Float[Tensor, ""]:
        """Average the cross-entropy over the images, in nats."""
        return F.cross_entropy(
            self(batch.images), batch.labels, label_smoothing=label_smoothing
        )
