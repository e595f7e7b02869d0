"""Greedy decoding, with a model that recites and with one that computes."""

from dataclasses import replace

import pytest
import torch

from tt_utils.decoding import greedy_decode
from tt_utils.tokenizer import BOS, EOS, PAD
from tt_utils.transformer import Transformer, TransformerConfig

VOCAB = 19
CONFIG = TransformerConfig(
    src_vocab_size=VOCAB,
    tgt_vocab_size=VOCAB,
    d_model=22,
    d_ff=31,
    n_heads=2,
    n_encoder_layers=1,
    n_decoder_layers=1,
    dropout=0.0,
    max_len=29,
)


class Reciter(Transformer):
    """Says its lines word by word and asks that what it said comes back to it."""

    def __init__(self, *lines):
        super().__init__(CONFIG)
        self.lines = torch.tensor(lines)
        self.calls = 0

    def decode(self, tgt, memory, src_mask, kept=None):
        self.calls += 1
        said = self.lines[:, : tgt.shape[1] - 1]
        real = tgt[:, 1:] != PAD
        assert (tgt[:, 0] == BOS).all()
        assert torch.equal(tgt[:, 1:][real], said[real])
        # Only the last position counts; the earlier ones would mislead.
        logits = torch.zeros(*tgt.shape, VOCAB)
        logits[:, :-1, 17] = 9
        logits[:, -1].scatter_(1, self.lines[:, tgt.shape[1] - 1, None], 1.0)
        return logits


SRC = torch.tensor([[5, EOS, PAD], [5, 6, EOS]])


def test_a_sentence_that_has_ended_goes_on_with_padding():
    model = Reciter([7, EOS, 9, 9, 9, 9], [7, 8, 9, EOS, 9, 9])
    assert greedy_decode(model, SRC).tolist() == [
        [7, EOS, PAD, PAD],
        [7, 8, 9, EOS],
    ]
    assert model.calls == 4, "decoding ends when every sentence has"


def test_max_len_ends_what_does_not_end_by_itself():
    model = Reciter([7] * 5, [8] * 5)
    assert greedy_decode(model, SRC, max_len=3).tolist() == [[7] * 3, [8] * 3]


@pytest.fixture(scope="module")
def model():
    """Random, with so few words that a sentence soon ends by chance."""
    torch.manual_seed(0)
    model = Transformer(replace(CONFIG, tgt_vocab_size=7)).double().eval()
    model.generator = torch.nn.Linear(CONFIG.d_model, 7).double()
    return model


@pytest.fixture(scope="module")
def sources():
    torch.manual_seed(1)
    lengths = [2, 11, 5, 3, 7, 7, 4, 9, 6, 8, 10, 2]
    src = torch.randint(4, VOCAB, (len(lengths), 11))
    for row, length in zip(src, lengths, strict=True):
        row[length - 1] = EOS
        row[length:] = PAD
    return src


def test_a_batch_is_decoded_as_its_sentences_one_by_one(model, sources):
    together = greedy_decode(model, sources, max_len=17)
    lengths = set()
    for src, row in zip(sources, together, strict=True):
        alone = greedy_decode(model, src[None, src != PAD], max_len=17)[0]
        lengths.add(len(alone))
        assert row[: len(alone)].tolist() == alone.tolist()
        assert not row[len(alone) :].any()
    assert len(lengths) > 2, "the sentences should end at different lengths"


def test_every_word_is_the_likeliest_given_those_before(model, sources):
    out = greedy_decode(model, sources, max_len=17)
    heard = torch.cat((torch.full((len(out), 1), BOS), out[:, :-1]), dim=1)
    likeliest = model(sources, heard).argmax(-1)
    assert torch.equal(likeliest[out != PAD], out[out != PAD])
    assert out.dtype == torch.int64
    assert not out.requires_grad
