"""A detector in the way of DETR: which digits are in a scene, and where, as a set."""

import math
from dataclasses import KW_ONLY, dataclass
from typing import Literal, get_args

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tt_utils.blocks.positions import PositionKind
from tt_utils.blocks.stacks import Decoder, Encoder
from tt_utils.data.scenes import SceneBatch
from tt_utils.models.images import ImageConfig, Images, cut_images
from tt_utils.models.matching import Guess, Outputs, set_loss

Queries = Literal["learned", "proposals", "patches"]
SPEEDS = 5  # of the waves that a place is written in; the fastest turn is 1/8 side


@dataclass(frozen=True)
class DetectorConfig(ImageConfig):
    """The sizes of a detector.

    `queries` says what the decoder's inputs are. "learned": `n_queries` vectors, the
    same for every image, as in DETR. "proposals": every patch proposes a label and a
    box, and the `n_queries` surest become the queries. "patches": there is no decoder,
    the proposals of all patches are the answer. `nothing_weight` is what an output that
    should be nothing weighs in the loss, beside 1 for an object. `positions` is "none",
    since patches and proposals are told where they stand by `BoxEmbedding`.

    Raises:
        ValueError: a size that can't be, patches that don't fit, or an unknown word.
    """

    image: int = 24
    patch: int = 4
    n_encoder_layers: int = 3
    n_decoder_layers: int = 2
    n_queries: int = 10
    n_labels: int = 10
    _: KW_ONLY
    queries: Queries = "proposals"
    nothing_weight: float = 0.1
    positions: PositionKind = "none"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_words(queries=get_args(Queries))
        self.check_sizes("n_encoder_layers", "n_decoder_layers")
        self.check_sizes("n_queries", "n_labels")
        patches = self.n_patches
        if self.queries == "proposals" and self.n_queries > patches:
            raise ValueError(
                f"{type(self).__name__}: {self.n_queries} queries from the proposals "
                f"of {patches} patches; ask for fewer, or cut smaller patches."
            )


@dataclass(frozen=True)
class Detections:
    """What was found in one image: boxes, their labels, and how sure each is."""

    boxes: Float[Tensor, "found 4"]
    labels: Int[Tensor, " found"]
    scores: Float[Tensor, " found"]


class Heads(nn.Module):
    """Read a label and a box from each vector; the box corrects a guess."""

    def __init__(self, d_model: int, n_labels: int) -> None:
        super().__init__()
        self.label = nn.Linear(d_model, n_labels + 1)
        self.box = nn.Sequential(
            nn.Linear(d_model, d_model), nn.ReLU(), nn.Linear(d_model, 4)
        )

    def forward(self, x: Float[Tensor, "batch found d_model"], guess: Guess) -> Outputs:
        return Outputs(self.label(x), guess + self.box(x))


class BoxEmbedding(nn.Module):
    """Say where a box stands, alike for a patch and for a proposal.

    Each of its four numbers becomes sines and cosines of several speeds, so that
    attention can tell near boxes from far ones by a dot product.

    Source: Liu et al. 2022 for boxes; Vaswani et al. 2017 for sines.
    """

    def __init__(self, d_model: int) -> None:
        super().__init__()
        speeds = math.pi * 2.0 ** torch.arange(SPEEDS)
        self.register_buffer("speeds", speeds, persistent=False)
        self.project = nn.Linear(4 * 2 * SPEEDS, d_model)

    speeds: Tensor

    def forward(self, guess: Guess) -> Float[Tensor, "batch found d_model"]:
        angles = guess.sigmoid()[..., None] * self.speeds  # (batch, found, 4, speeds)
        waves = torch.cat([angles.sin(), angles.cos()], dim=-1)
        return self.project(waves.flatten(2))


class Detector(nn.Module):
    """Find several objects at once: each query answers with a label and a box.

    Source: Carion et al. 2020; Zhu et al. 2021 for queries made of proposals. Differs
    from DETR: patches of the image, no convolutions in front; positions are added
    before the first layer of each stack, not in every layer.
    """

    def __init__(self, config: DetectorConfig) -> None:
        super().__init__()
        self.config = config
        d_model, learned = config.d_model, config.queries == "learned"
        self.embed = nn.Linear(config.channels * config.patch**2, d_model)
        self.place = BoxEmbedding(d_model)
        self.register_buffer("anchors", anchors(config), persistent=False)
        self.encoder = Encoder(config, config.n_encoder_layers)
        if learned:
            self.learned = nn.Parameter(torch.randn(config.n_queries, d_model))
        else:
            self.propose = Heads(d_model, config.n_labels)
        if config.queries != "patches":
            self.decoder = Decoder(config, config.n_decoder_layers)
            self.heads = Heads(d_model, config.n_labels)

    anchors: Tensor

    def forward(self, images: Images) -> list[Outputs]:
        """Answer after each stage; the last is the answer that counts.

        With proposals they are the first stage; each decoder layer is one.

        Raises:
            ValueError: the images have another size than the model's.
        """
        memory = self.encode(images)
        if self.config.queries == "learned":
            queries = self.learned.expand(len(images), -1, -1)
            return self.decode(queries, torch.zeros_like(queries[..., :4]), memory)
        proposed = self.propose(memory, self.anchors.expand(len(images), -1, -1))
        if self.config.queries == "patches":
            return [proposed]
        queries, guess = self.best(proposed, memory)
        return [proposed, *self.decode(queries, guess, memory)]

    def encode(self, images: Images) -> Float[Tensor, "batch patches d_model"]:
        """Let the patches attend to each other."""
        x = self.embed(cut_images(self, images))  # (batch, patches, d_model)
        return self.encoder(x + self.place(self.anchors[None]))

    def best(
        self, proposed: Outputs, memory: Float[Tensor, "batch patches d_model"]
    ) -> tuple[Float[Tensor, "batch queries d_model"], Guess]:
        """Make queries of the surest proposals: the patch's vector, and the box."""
        sure = proposed.logits.softmax(dim=-1)[..., :-1].amax(dim=-1)
        chosen = sure.topk(self.config.n_queries, dim=1).indices[..., None]
        # The box is where the decoder begins, not what it learns through.
        guess = proposed.guess.detach().take_along_dim(chosen, dim=1)
        return memory.take_along_dim(chosen, dim=1) + self.place(guess), guess

    def decode(
        self,
        queries: Float[Tensor, "batch queries d_model"],
        guess: Guess,
        memory: Float[Tensor, "batch patches d_model"],
    ) -> list[Outputs]:
        """Let the queries attend to each other and to the patches, layer by layer."""
        memory, found = memory + self.place(self.anchors[None]), []
        for layer in self.decoder.layers:
            queries = layer(queries, memory, causal=False)
            found.append(self.heads(self.decoder.norm(queries), guess))
        return found

    def loss(
        self, batch: SceneBatch, label_smoothing: float = 0.0
    ) -> Float[Tensor, ""]:
        """Average over the scenes the set losses of all stages."""
        weight = self.config.nothing_weight
        stages = [
            set_loss(outputs, batch, weight, label_smoothing)
            for outputs in self(batch.images)
        ]
        return torch.stack(stages).sum(dim=0).mean()

    @torch.inference_mode()
    def find(self, images: Images, threshold: float = 0.5) -> list[Detections]:
        """Give what each image shows with a score above `threshold`, the surest first.

        A score is the probability of the label. Nothing is removed afterwards.
        """
        outputs = self(images)[-1]
        scores, labels = outputs.logits.softmax(dim=-1)[..., :-1].max(dim=-1)
        found = []
        for box, label, score in zip(outputs.boxes, labels, scores, strict=True):
            kept = score.argsort(descending=True)[: int((score > threshold).sum())]
            found.append(Detections(box[kept], label[kept], score[kept]))
        return found


def anchors(config: DetectorConfig) -> Float[Tensor, "patches 4"]:
    """Give each patch a first guess: a box around its centre, a third of the side."""
    starts = torch.arange(config.rows) * config.step
    middle = (starts + config.patch / 2) / config.image
    y, x = torch.meshgrid(middle, middle, indexing="ij")
    size = torch.full_like(x, 1 / 3)
    return torch.stack([x, y, size, size], dim=-1).flatten(0, 1).logit(eps=1e-3)
