"""A decoder-only model that draws: it reads a label, and writes an image's codes."""

from dataclasses import KW_ONLY, dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tt_utils.blocks.cache import KeyValueCache
from tt_utils.data.codebook import CodeBatch
from tt_utils.data.text_windows import TextBatch
from tt_utils.models.gpt import GPT, GPTConfig
from tt_utils.modes import evaluating

Labels = Int[Tensor, " batch"]


@dataclass(frozen=True)
class ImageGPTConfig(GPTConfig):
    """The sizes of a model that draws images of `max_len` codes.

    The vocabulary holds the codes, then a token for each of `n_labels` labels, and
    last one for "any label", whose label is `n_labels`.

    Raises:
        ValueError: a size that can't be, no room for a code, or an unknown word.
    """

    _: KW_ONLY
    n_labels: int = 10
    max_len: int = 16

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_sizes("n_labels")
        if self.n_codes < 1:
            raise ValueError(
                f"{type(self).__name__}: a vocabulary of {self.vocab_size} has no room "
                f"for codes beside {self.n_labels} labels and any label; it needs more "
                f"than {self.n_labels + 1}."
            )

    @property
    def n_codes(self) -> int:
        """Count the tokens that are codes."""
        return self.vocab_size - self.n_labels - 1


class ImageGPT(GPT):
    """A GPT whose first token says what to draw.

    Source: Chen et al. 2020. Differs from it: a label stands in front, and a token is
    the code of a patch, not of one pixel's colour.
    """

    config: ImageGPTConfig

    def first(self, labels: Labels) -> Int[Tensor, "batch 1"]:
        """Give the token of each label.

        Raises:
            ValueError: a label that the model doesn't know.
        """
        last = self.config.n_labels
        if labels.numel() and not 0 <= labels.min() <= labels.max() <= last:
            raise ValueError(
                f"ImageGPT: labels run from {int(labels.min())} to "
                f"{int(labels.max())}; the model knows 0 to {last - 1}, and {last} "
                "for any."
            )
        return self.config.n_codes + labels[:, None]

    def loss(  # type: ignore[override]  # codes and labels apart, not one text
        self, batch: CodeBatch, label_smoothing: float = 0.0
    ) -> Float[Tensor, ""]:
        """Average the cross-entropy over the codes, in nats."""
        tokens = torch.cat([self.first(batch.labels), batch.codes], dim=1)
        return super().loss(TextBatch(tokens), label_smoothing)

    def draw(
        self,
        labels: Labels,
        temperature: float = 1.0,
        guidance: float = 1.0,
        generator: torch.Generator | None = None,
    ) -> Int[Tensor, "batch patches"]:
        """Write the codes of an image for each label, one after the other.

        Classifier-free guidance: the logits go from those for any label towards those
        for the label asked for, `guidance` times the way. At 1 that is the label's
        own; above 1, what speaks for it counts more.

        Raises:
            ValueError: the temperature is not above 0, or a label that isn't known.
        Source: Ho and Salimans 2022, for diffusion; their w is our guidance − 1.
        """
        if not temperature > 0:
            raise ValueError(
                f"ImageGPT: temperature is {temperature}; it must be above 0."
            )
        any_label = torch.full_like(labels, self.config.n_labels)
        token = self.first(torch.cat([labels, any_label]))  # (2 batch, 1)
        caches = [KeyValueCache(self.config.max_len) for _ in self.stack.layers]
        codes = []
        with evaluating(self):
            for _ in range(self.config.max_len):
                logits = self.head(self.states(token, caches=caches)[:, 0])
                asked, free = logits[:, : self.config.n_codes].chunk(2)
                logits = free + guidance * (asked - free)  # (batch, codes)
                shares = (logits / temperature).softmax(dim=-1)
                codes.append(torch.multinomial(shares, 1, generator=generator))
                token = torch.cat([codes[-1], codes[-1]])
        return torch.cat(codes, dim=1)
