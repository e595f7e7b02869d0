"""What the models that read an image as a row of patches share."""

from dataclasses import KW_ONLY, dataclass

from jaxtyping import Float
from torch import Tensor, nn

from tt_utils.blocks.config import Activation, LayerConfig
from tt_utils.blocks.patches import grid_of, patchify
from tt_utils.blocks.positions import PositionKind

Images = Float[Tensor, "batch channels height width"]


@dataclass(frozen=True)
class ImageConfig(LayerConfig):
    """The sizes of square images and of their patches; the choices are ViT's.

    Patches are `patch` pixels wide and begin every `stride` pixels; left at None they
    don't overlap.

    Raises:
        ValueError: a size that can't be, or an unknown word.
    """

    image: int = 8
    channels: int = 1
    patch: int = 2
    stride: int | None = None
    _: KW_ONLY
    norm_first: bool = True
    activation: Activation = "gelu"
    positions: PositionKind = "learned"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_sizes("image", "channels")

    @property
    def step(self) -> int:
        """Count the pixels from a patch to the next."""
        return self.patch if self.stride is None else self.stride

    @property
    def rows(self) -> int:
        """Count the rows of patches; there are as many columns.

        Raises:
            ValueError: the patches don't fit the image.
        """
        return grid_of(self.image, self.image, self.patch, self.step)[0]

    @property
    def n_patches(self) -> int:
        """Count the patches of an image."""
        return self.rows**2


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
