"""A trained classifier with its vocabulary: texts in, labels and probabilities out."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from tt_utils.checkpoint import CheckpointError
from tt_utils.data.batching import pad
from tt_utils.data.tokenizer import Tokenizer
from tt_utils.decoding.trained import TextError, load_trained
from tt_utils.models.bert import Classifier


class ClassificationError(TextError):
    """A text can't be classified; the message says why, and what helps."""


@dataclass(frozen=True)
class Verdict:
    """What a model says of a text: the likeliest label, and each one's probability.

    `unknown` lists words that training never showed, so that the model can't weigh
    them.
    """

    label: str
    probabilities: dict[str, float]
    unknown: list[str]

    @property
    def probability(self) -> float:
        """Say how sure the model is of its label."""
        return self.probabilities[self.label]


@dataclass(frozen=True)
class TextClassifier:
    """Classify texts; `labels` names the kinds in the order of the model's logits."""

    model: Classifier
    tokenizer: Tokenizer
    labels: tuple[str, ...]

    @classmethod
    def load(
        cls, checkpoint: Path | str, device: torch.device | str = "cpu"
    ) -> "TextClassifier":
        """Read what `train` wrote, with the vocabulary kept in it.

        That is a dict: under "tokenizers" a list with the tokenizer's `to_json()`, and
        under "about" a dict with "labels", a list of names.

        Raises:
            CheckpointError: it is missing, damaged, or its parts don't fit.
        """
        model, [tokenizer, *_], about = load_trained(checkpoint, Classifier)
        labels = about.get("labels")
        if not isinstance(labels, list) or len(labels) != model.config.n_labels:
            raise CheckpointError(
                f"{checkpoint} doesn't fit together: its labels are {labels!r}, its "
                f"model was made for {model.config.n_labels} of them; train it again."
            )
        return cls(model.to(device), tokenizer, tuple(labels))

    def encode(self, text: str) -> list[int]:
        """Turn a text into what the model reads: <s>, its tokens, </s>.

        Raises:
            ClassificationError: there are no words, or too many.
        """
        ids = self.tokenizer.encode(text.strip())
        if not ids:
            raise ClassificationError("there are no words to classify; write a text.")
        ids = [self.tokenizer.bos_id, *ids, self.tokenizer.eos_id]
        if len(ids) > self.model.config.max_len:
            raise ClassificationError(
                f"the text has {len(text.split()):,} words ({len(ids):,} tokens), the "
                f"model reads at most {self.model.config.max_len}; shorten it."
            )
        return ids

    @torch.inference_mode()
    def classify(self, texts: Sequence[str], rows: int = 64) -> list[Verdict]:
        """Judge every text; `rows` of them are in work at once.

        Raises:
            ClassificationError: one has no words, or too many.
            ValueError: rows is below 1.
        """
        if rows < 1:
            raise ValueError(f"classify: rows is {rows}; it must be at least 1.")
        encoded = [self.encode(text) for text in texts]
        device = next(self.model.parameters()).device
        shares: list[list[float]] = []
        for start in range(0, len(encoded), rows):
            tokens = pad(encoded[start : start + rows], self.model.config.pad_id)
            shares += self.model(tokens.to(device)).softmax(dim=-1).tolist()
        return [
            self.verdict(text, share) for text, share in zip(texts, shares, strict=True)
        ]

    def verdict(self, text: str, share: Sequence[float]) -> Verdict:
        """Name the likeliest label."""
        probabilities = dict(zip(self.labels, share, strict=True))
        best = max(self.labels, key=probabilities.__getitem__)
        return Verdict(best, probabilities, self.tokenizer.unknown(text))
