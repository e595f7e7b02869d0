"""Small translators built from any copy of this package: the bug museum's exhibits."""

from collections.abc import Iterable, Sequence
from functools import cache
from types import ModuleType

import torch
from torch.nn.functional import cross_entropy

from tt_utils.data.batching import IdPair, make_batch, pad
from tt_utils.data.corpora import encode_pairs
from tt_utils.data.grammar import SentencePair, sentence_pairs
from tt_utils.data.tokenizer import EOS, PAD, WordTokenizer

SIZES = {"d_model": 64, "d_ff": 256, "n_heads": 4, "norm_first": True, "max_len": 40}
LAYERS = {"n_encoder_layers": 1, "n_decoder_layers": 1}


class ShortSentences:
    """The grammar's short sentences: some 8,000 to learn from, 200 to test on.

    Each of the test sentences holds a combination of words that the others don't.
    `longest` is the longest of all test sentences of the grammar, as ids.
    """

    def __init__(self, longest: int = 6) -> None:
        def short(pairs: Iterable[SentencePair]) -> list[tuple[list[str], list[str]]]:
            few = (pair for pair in pairs if len(pair.source) <= longest)
            return [(pair.source, pair.target) for pair in few]

        unseen = sentence_pairs(3_000, seed=1, split="test")
        learn, test = short(sentence_pairs(14_000, seed=0)), short(unseen)[:200]
        self.english, self.spanish = map(
            WordTokenizer.from_sentences, zip(*learn, strict=True)
        )
        self.learn, self.test = (
            encode_pairs(pairs, self.english, self.spanish) for pairs in (learn, test)
        )
        guest = max(unseen, key=lambda pair: len(pair.source))
        self.longest = self.english.encode(guest.source)


@cache
def short_sentences() -> ShortSentences:
    """Give the sentences, which are drawn once."""
    return ShortSentences()


class Exhibit:
    """A small translator, English to Spanish, all of one copy of the package.

    The same seed gives every copy the same weights.
    """

    def __init__(self, copy: ModuleType, dropout: float = 0.1, seed: int = 0) -> None:
        torch.manual_seed(seed)
        self.copy, self.seed, self.on = copy, seed, short_sentences()
        config = copy.models.TransformerConfig(
            len(self.on.english),
            len(self.on.spanish),
            dropout=dropout,
            **SIZES,
            **LAYERS,
        )
        self.model = copy.models.Transformer(config).eval()

    def train(self, steps: int = 700) -> list[float]:
        """Train with the copy's own loop; return the loss of every step."""
        batches = self.copy.data.batching.PairBatches(self.on.learn, max_tokens=400)
        config = self.copy.training.TrainingConfig(
            steps=steps, warmup=100, peak_lr=0.008, seed=self.seed
        )
        return self.copy.training.train(self.model.train(), batches, config)

    def with_weights_of(self, other: "Exhibit") -> "Exhibit":
        """Take the weights of another copy's model."""
        self.model.load_state_dict(other.model.state_dict())
        return self

    @torch.no_grad()
    def read(self, pairs: Sequence[IdPair] | None = None) -> tuple[float, float]:
        """Predict each next word from the right ones before it (teacher forcing).

        Gives the mean loss, and the share of words that are right; the model stays in
        the mode that it is in.
        """
        batch = make_batch(pairs or self.on.test)
        real = batch.labels != PAD  # (batch, t)
        logits = self.model(batch.src, batch.tgt)[real]  # (words, vocab)
        labels = batch.labels[real]
        hits = (logits.argmax(dim=-1) == labels).float().mean()
        return cross_entropy(logits, labels).item(), hits.item()

    def write(self, sources: Sequence[list[int]]) -> list[list[str]]:
        """Translate in one batch, greedily, into at most 20 words each."""
        src = pad([[*ids, EOS] for ids in sources])  # (batch, t_src)
        out = self.copy.decoding.greedy_decode(self.model, src, max_len=20)
        return [self.on.spanish.words_of(ids) for ids in out.tolist()]

    def report(self) -> str:
        """Say how it reads and how it writes the test sentences."""
        loss, words = self.read()
        sources, targets = zip(*self.on.test, strict=True)
        pairs = zip(self.write(sources), targets, strict=True)
        exact = sum(text == self.on.spanish.words_of(ids) for text, ids in pairs)
        return (
            f"read: loss {loss:.2f}, {words:.1%} of the words right\n"
            f"written: {exact} of {len(targets)} sentences right"
        )
