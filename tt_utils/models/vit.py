"""The Vision Transformer: an image is cut into patches, and read like a sentence."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from tt_utils.blocks.dropout import Dropout
from tt_utils.blocks.positions import absolute_positions
from tt_utils.blocks.stacks import Encoder
from tt_utils.data.examples import ImageBatch
from tt_utils.models.images import ImageConfig, Images, cut_images

Kept = Bool[Tensor, "batch patches"]


@dataclass(frozen=True)
class ViTConfig(ImageConfig):
    """The sizes of a model that says what an image shows.

    Raises:
        ValueError: a size that can't be, patches that don't fit, or an unknown word.
    """

    n_layers: int = 6
    n_labels: int = 10

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_sizes("n_layers", "n_labels")
        if self.n_patches >= self.max_len:
            raise ValueError(
                f"{type(self).__name__}: {self.n_patches} patches and a token that "
                f"gathers need max_len={self.n_patches + 1}; it is {self.max_len}."
            )


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
