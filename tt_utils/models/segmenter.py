"""The segmenter: every patch says to which class each of its pixels belongs."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tt_utils.blocks.dropout import Dropout
from tt_utils.blocks.positions import absolute_positions
from tt_utils.blocks.stacks import Encoder
from tt_utils.data.scenes import SceneBatch
from tt_utils.models.images import Images, cut_images
from tt_utils.models.vit import ViTConfig


@dataclass(frozen=True)
class SegmenterConfig(ViTConfig):
    """The sizes of a model that labels every pixel of a square image.

    With `reach` a patch attends to those at most so many rows and columns of patches
    away, 0 being itself alone; left at None, to all.

    Raises:
        ValueError: as for ViTConfig; or the reach is below 0.
    """

    image: int = 24
    patch: int = 3
    n_layers: int = 4
    n_labels: int = 11
    reach: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.reach is not None and self.reach < 0:
            raise ValueError(
                f"SegmenterConfig: reach is {self.reach}; it must be at least 0."
            )


class Segmenter(nn.Module):
    """Give every pixel a label, from the states of the patches that it lies in.

    Source: Strudel et al. 2021, the linear decoder. Differs from the
    paper, which gives each patch one vector of logits and interpolates between
    patches: here a token has logits for each of its pixels, and where patches overlap,
    their logits are added up.
    """

    def __init__(self, config: SegmenterConfig) -> None:
        super().__init__()
        self.config = config
        area = config.patch**2
        self.embed = nn.Linear(config.channels * area, config.d_model)
        self.positions = absolute_positions(
            config.positions, config.d_model, config.max_len
        )
        self.dropout = Dropout(config.dropout)
        self.stack = Encoder(config, config.n_layers)
        self.head = nn.Linear(config.d_model, config.n_labels * area)
        self.register_buffer("near", near_patches(config), persistent=False)

    def states(self, images: Images) -> Float[Tensor, "batch patches d_model"]:
        """Run the stack over the patches.

        Raises:
            ValueError: the images have another size than the model's.
        """
        x = self.embed(cut_images(self, images))  # (batch, patches, d_model)
        return self.stack(self.dropout(self.positions(x)), self.near)

    def forward(self, images: Images) -> Float[Tensor, "batch labels height width"]:
        """Give every pixel the logits of each label."""
        said = self.head(self.states(images)).mT  # (batch, labels · area, patches)
        side, patch = (self.config.image,) * 2, self.config.patch
        return F.fold(said, side, patch, stride=self.config.step)

    def loss(
        self, batch: SceneBatch, label_smoothing: float = 0.0
    ) -> Float[Tensor, ""]:
        """Average the cross-entropy over the pixels, in nats."""
        return F.cross_entropy(
            self(batch.images), batch.pixels, label_smoothing=label_smoothing
        )


def near_patches(
    config: SegmenterConfig,
) -> Bool[Tensor, "patches patches"] | None:
    """Let each patch attend to those within `config.reach` rows and columns."""
    if config.reach is None:
        return None
    along = torch.arange(config.rows)
    places = torch.cartesian_prod(along, along)
    return (places[:, None] - places).abs().amax(dim=-1) <= config.reach


@torch.inference_mode()
def labels_of(model: nn.Module, images: Images) -> Int[Tensor, "batch height width"]:
    """Give every pixel its likeliest label, by any model that gives logits."""
    return model.eval()(images).argmax(dim=1)
