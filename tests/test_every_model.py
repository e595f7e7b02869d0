"""What every model must keep that learns by `train`, whatever it is for.

It learns a batch by heart; in micro-batches it learns the same; stopped and resumed,
too; its checkpoint rebuilds it; with a cache it says what it says without.
"""

import inspect
from dataclasses import dataclass, replace

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn
from without_type_checks import types_unchecked

from tt_utils.blocks.cache import DecoderCache, KeyValueCache
from tt_utils.blocks.config import LayerConfig
from tt_utils.blocks.cross_entropy import linear_cross_entropy
from tt_utils.blocks.embedding import TokenEmbedding
from tt_utils.blocks.masks import padding_mask
from tt_utils.blocks.stacks import Encoder
from tt_utils.data.batching import PairBatches
from tt_utils.data.codebook import CodeBatch
from tt_utils.data.examples import ImageBatch, LabelledBatch, SpanBatch
from tt_utils.data.scenes import SceneBatch
from tt_utils.data.text_windows import TextWindows
from tt_utils.models import saved
from tt_utils.models.bert import BERTConfig, Classifier, ClassifierConfig, SpanReader
from tt_utils.models.detector import Detector, DetectorConfig
from tt_utils.models.gpt import GPT, GPTConfig
from tt_utils.models.image_gpt import ImageGPT, ImageGPTConfig
from tt_utils.models.segmenter import Segmenter, SegmenterConfig
from tt_utils.models.transformer import Transformer, TransformerConfig
from tt_utils.models.vit import ViT, ViTConfig
from tt_utils.training.config import TrainingConfig, learning_rate
from tt_utils.training.loop import train

VOCAB, MASK, PAD_ID = 17, 3, 0


@dataclass(frozen=True, kw_only=True)
class Sizes(LayerConfig):
    vocab_size: int = VOCAB
    n_layers: int = 1


def embedding(config):
    return TokenEmbedding(config.vocab_size, config.d_model, config.max_len, 0.0)


class MaskedWords(nn.Module):
    """The words that were hidden in a text; its loss knows no smoothing."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.embedding = embedding(config)
        self.stack = Encoder(config, config.n_layers)

    def loss(self, batch):
        x = self.stack(self.embedding(batch.inputs))
        hidden = batch.labels != PAD_ID
        return linear_cross_entropy(
            x[hidden], self.embedding.table.weight, batch.labels[hidden]
        )


class Patches(nn.Module):
    """What a picture shows, from its patches; its loss knows no smoothing."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.project = nn.Linear(5, config.d_model)
        self.norm = nn.BatchNorm1d(config.d_model)  # has buffers to be kept as well
        self.stack = Encoder(config, config.n_layers)
        self.head = nn.Linear(config.d_model, 3)

    def loss(self, batch):
        seen = self.stack(self.project(batch.inputs)).mean(1)
        return F.cross_entropy(self.head(self.norm(seen)), batch.labels)


@dataclass(frozen=True)
class Rows:
    """Inputs with a label for each row, or for each place where one is asked for."""

    inputs: torch.Tensor
    labels: torch.Tensor

    @property
    def weight(self):
        if self.labels.dim() == 1:
            return len(self.labels)
        return int((self.labels != PAD_ID).sum())

    def to(self, device):
        return Rows(self.inputs.to(device), self.labels.to(device))

    def split(self, parts):
        cut = (x.tensor_split(min(parts, len(x))) for x in (self.inputs, self.labels))
        return [Rows(*rows) for rows in zip(*cut, strict=True)]


@dataclass(frozen=True)
class Repeated:
    """One batch, again and again."""

    batch: object

    def epoch(self, seed, start=0):
        return iter([self.batch][start:])

    def fingerprint(self):
        return "one batch"


def pairs():
    """Sentences to say backwards."""
    rng = torch.Generator().manual_seed(0)
    rows = [
        torch.randint(4, VOCAB, (2 + i % 5,), generator=rng).tolist() for i in range(24)
    ]
    return Repeated(next(iter(PairBatches([(row, row[::-1]) for row in rows], 300))))


def counting():
    """The next word follows from this one: windows of a text that counts modulo 13."""
    text = (4 + np.arange(90) % 13).astype(np.uint16)
    return Repeated(next(TextWindows(text, length=7, rows=11).epoch(0)))


def masked():
    """Rows of counting with a hidden word each, but for three rows without one."""
    tokens = 4 + (torch.arange(13)[:, None] + torch.arange(5)) % 13
    labels = torch.full_like(tokens, PAD_ID)
    rows = torch.arange(10)
    labels[rows, rows % 5] = tokens[rows, rows % 5]
    return Repeated(Rows(tokens.masked_fill(labels != PAD_ID, MASK), labels))


def texts():
    generator = torch.Generator().manual_seed(0)
    return torch.randint(4, VOCAB, (22, 7), generator=generator)


def labelled():
    """Which of three kinds the sum of two ids is of."""
    tokens = texts()
    return Repeated(LabelledBatch(tokens, (tokens[:, 2] + tokens[:, 5]) % 3))


def spans():
    """From the smallest id to the place behind it, or nowhere if that is the first."""
    tokens = texts()
    first = tokens.argmin(1)
    ends = torch.stack([first, (first + 1).clamp(max=6)], 1)
    allowed = torch.ones_like(tokens, dtype=torch.bool)
    return Repeated(SpanBatch(tokens, allowed, torch.where(ends[:, :1] > 0, ends, 0)))


def images():
    """Which of three colours has the most in one corner."""
    pixels = torch.randn(26, 3, 6, 6, generator=torch.Generator().manual_seed(0))
    return Repeated(ImageBatch(pixels, pixels[:, :, :2, :2].sum((2, 3)).argmax(1)))


def scenes():
    """A pixel is of kind 2 if its row's first pixel is inked, else as it is itself."""
    luck = torch.Generator().manual_seed(0)
    inked = torch.randn(26, 6, 6, generator=luck) > 0
    kinds = torch.where(inked[..., :1], 2, inked.long())
    nothing = torch.zeros(26, 4, 4), torch.zeros(26, 4, dtype=torch.long)
    return Repeated(SceneBatch(inked[:, None].float(), *nothing, kinds))


def boxes():
    """One or two bright squares in each image; how bright they are says their kind."""
    luck = torch.Generator().manual_seed(0)
    squares = torch.rand(26, 9, generator=luck).argsort(dim=1)[:, :2]
    labels = torch.randint(0, 3, (26, 2), generator=luck)
    labels[::3, 1] = -1
    bright = torch.zeros(26, 9).scatter(1, squares, labels + 1.0)
    images = bright.view(26, 1, 3, 3).repeat_interleave(2, 2).repeat_interleave(2, 3)
    left, top = squares % 3, squares // 3
    corners = torch.stack([left, top, left + 1, top + 1], dim=2) / 3
    kinds = torch.zeros(26, 6, 6, dtype=torch.long)
    return Repeated(SceneBatch(images, corners, labels, kinds))


def codes():
    """An image counts on from its label, in codes from 0 to 12."""
    labels = torch.arange(26) % 3
    return Repeated(CodeBatch((5 * labels[:, None] + torch.arange(7)) % 13, labels))


def patches():
    inputs = torch.randn(30, 7, 5, generator=torch.Generator().manual_seed(0))
    return Repeated(Rows(inputs, inputs[:, 0].argmax(-1) % 3))


SMALL = {"d_model": 32, "d_ff": 64, "n_heads": 2, "dropout": 0.0, "max_len": 16}
LLAMA = {
    **{"norm": "rms", "activation": "swiglu", "positions": "rotary", "bias": False},
    **{"n_kv_heads": 1, "tie_embeddings": False},
}


def translator_sizes():
    layers = {"n_encoder_layers": 1, "n_decoder_layers": 1}
    return TransformerConfig(VOCAB, VOCAB, **SMALL, **layers)


@dataclass(frozen=True)
class Case:
    model: type[nn.Module]
    sizes: LayerConfig
    data: object
    steps: int = 60
    by_rows: bool = True  # no row's loss depends on the other rows

    @property
    def training(self):
        takes = "label_smoothing" in inspect.signature(self.model.loss).parameters
        return TrainingConfig(
            self.steps, 0.01, warmup=5, label_smoothing=0.1 if takes else 0.0
        )

    def build(self):
        torch.manual_seed(0)
        return self.model(self.sizes)


CASES = {
    "translator": Case(Transformer, translator_sizes(), pairs()),
    "decoder-only": Case(GPT, GPTConfig(VOCAB, 1, **SMALL), counting()),
    "of Llama's kind": Case(GPT, GPTConfig(VOCAB, 1, **SMALL, **LLAMA), counting()),
    "classifier": Case(
        Classifier, ClassifierConfig(VOCAB, 1, **SMALL, n_labels=3), labelled()
    ),
    "reader of spans": Case(SpanReader, BERTConfig(VOCAB, 1, **SMALL), spans()),
    "images": Case(
        ViT, ViTConfig(image=6, channels=3, n_layers=1, n_labels=3, **SMALL), images()
    ),
    "pixels": Case(
        Segmenter,
        SegmenterConfig(image=6, n_layers=1, n_labels=3, reach=1, **SMALL),
        scenes(),
    ),
    "detector": Case(
        Detector,
        DetectorConfig(
            image=6,
            patch=2,
            n_encoder_layers=1,
            n_decoder_layers=2,
            n_queries=3,
            n_labels=3,
            **SMALL,
        ),
        boxes(),
        steps=30,
    ),
    "drawings": Case(
        ImageGPT,
        ImageGPTConfig(VOCAB, 1, n_labels=3, **SMALL | {"max_len": 7}),
        codes(),
    ),
    "masked words": Case(MaskedWords, Sizes(**SMALL), masked()),
    "patches": Case(Patches, Sizes(**SMALL), patches(), by_rows=False),
}
every_model = pytest.mark.parametrize("case", CASES.values(), ids=CASES)
by_rows = pytest.mark.parametrize(
    "case",
    [case for case in CASES.values() if case.by_rows],
    ids=[name for name, case in CASES.items() if case.by_rows],
)


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    monkeypatch.setattr(saved, "MODELS", dict(saved.MODELS))
    for model in (MaskedWords, Patches):
        saved.register(Sizes, model)


@every_model
def test_it_learns_a_batch_as_a_loop_by_hand_does(case):
    config = replace(case.training, weight_decay=0.0)
    losses = train(case.build(), case.data, config)
    assert losses[-1] < 0.5 * losses[0]
    model = case.build()
    optimizer = torch.optim.AdamW(
        model.parameters(), betas=(0.9, 0.98), eps=1e-9, weight_decay=0.0
    )
    smoothing = config.label_smoothing
    options = {"label_smoothing": smoothing} if smoothing else {}
    for step, wanted in enumerate(losses):
        loss = model.loss(case.data.batch, **options)
        assert loss.item() == pytest.approx(wanted, abs=1e-3)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), config.clip)
        optimizer.param_groups[0]["lr"] = learning_rate(step, config)
        optimizer.step()


@by_rows
@pytest.mark.parametrize("parts", [2, 5, 13])
def test_in_micro_batches_it_learns_the_same(case, parts):
    """Pieces weigh by their predictions; one without any is left out."""
    in_pieces = replace(case.training, accumulate=parts)
    with types_unchecked():
        whole = train(case.build().double(), case.data, case.training)
        pieces = train(case.build().double(), case.data, in_pieces)
    assert pieces == pytest.approx(whole, abs=1e-9)


@every_model
def test_stopped_and_resumed_it_learns_the_same_and_can_be_rebuilt(case, tmp_path):
    class Stopped(Exception):
        pass

    def stop(step):
        if step.number == 25:
            raise Stopped

    whole = case.build()
    losses = train(whole, case.data, case.training)
    kept = {"checkpoint": tmp_path, "every": 10}
    with pytest.raises(Stopped):
        train(case.build(), case.data, case.training, stop, **kept)
    assert train(case.build(), case.data, case.training, **kept) == losses
    rebuilt, _ = saved.load_model(tmp_path)
    assert type(rebuilt) is case.model
    for name, tensor in whole.state_dict().items():
        assert torch.equal(rebuilt.state_dict()[name], tensor), name


@torch.no_grad()
@pytest.mark.parametrize("name", ["decoder-only", "of Llama's kind"])
def test_a_decoder_only_model_says_the_same_with_a_cache(name):
    model = CASES[name].build().eval()
    tokens = torch.randint(0, VOCAB, (3, 11))
    caches = [KeyValueCache(11) for _ in model.stack.layers]
    steps = [model.states(token, caches=caches) for token in tokens.split(1, dim=1)]
    torch.testing.assert_close(torch.cat(steps, 1), model.states(tokens))


@torch.no_grad()
def test_a_translator_says_the_same_with_a_cache():
    model = CASES["translator"].build().eval()
    src, tgt = torch.randint(4, VOCAB, (3, 7)), torch.randint(4, VOCAB, (3, 11))
    src_mask = padding_mask(src, PAD_ID)
    memory, cache = model.encode(src, src_mask), DecoderCache(1, 7, 11)
    steps = [
        model.decode(word, memory, src_mask, cache) for word in tgt.split(1, dim=1)
    ]
    torch.testing.assert_close(torch.cat(steps, 1), model.decode(tgt, memory, src_mask))
