"""Any model can be decoded by the same search: here texts of a decoder-only one."""

import pytest
import torch

from tt_utils.decoding.search import beams, generate, stream
from tt_utils.decoding.stepper import Stepper, TranslationStepper
from tt_utils.decoding.text import TextStepper
from tt_utils.models.gpt import GPT, GPTConfig
from tt_utils.models.transformer import Transformer, TransformerConfig
from tt_utils.modes import evaluating

VOCAB, MAX_LEN, EOS_ID = 7, 11, 2
CONFIG = GPTConfig(VOCAB, 2, d_model=22, d_ff=31, n_heads=2, dropout=0.0, max_len=29)


@pytest.fixture(scope="module")
def text():
    torch.manual_seed(5)
    return GPT(CONFIG).double().eval()


def begun(text):
    return TextStepper(text, [[3], [4], [5]], MAX_LEN)


def likeliest(logits):
    return logits.argmax(-1)


def slow_text(model, word):
    """The likeliest words, with all of them read anew at each step."""
    said = [word]
    while len(said) <= MAX_LEN and (len(said) == 1 or said[-1] != EOS_ID):
        said.append(model(torch.tensor([said]))[0, -1].argmax().item())
    return said[1:]


def test_a_text_is_written_as_without_a_cache(text):
    with evaluating(text):
        found = generate(begun(text), likeliest).tolist()
        wanted = [slow_text(text, word) for word in (3, 4, 5)]
    assert [row[: len(slow)] for row, slow in zip(found, wanted, strict=True)] == wanted
    for row, slow in zip(found, wanted, strict=True):
        assert not any(row[len(slow) :])


def test_words_are_yielded_as_soon_as_they_are_chosen(text):
    asked, stepper = [], begun(text)
    score = stepper.next_logits

    def noted():
        asked.append(1)
        return score()

    stepper.next_logits = noted
    with evaluating(text):
        words = stream(stepper, likeliest)
        first = next(words)
        assert len(asked) == 1
        kept, rest = first.clone(), []
        first.fill_(EOS_ID)  # what was yielded is the caller's
        rest += words
        whole = generate(begun(text), likeliest)
    assert torch.equal(torch.stack([kept, *rest], dim=1), whole)
    assert len(asked) == whole.shape[1]


def test_one_beam_of_a_text_is_its_likeliest_words(text):
    with evaluating(text):
        assert torch.equal(beams(begun(text), 1, 0.6), generate(begun(text), likeliest))


@torch.no_grad()
def test_many_beams_find_the_likeliest_text_of_all(text):
    """Three words from 7: each of the 343 beginnings gets a beam."""
    stepper = TextStepper(text, [[3], [4], [5]], 3)
    found = beams(stepper, VOCAB**3, length_penalty=0.0)
    for word, row in zip((3, 4, 5), found, strict=True):
        every = torch.cartesian_prod(*[torch.arange(VOCAB)] * 3)
        heard = torch.cat((torch.full((len(every), 1), word), every[:, :-1]), dim=1)
        log_p = text(heard).log_softmax(-1).gather(-1, every[..., None])[..., 0]
        # After the end nothing is said, and costs nothing.
        over = (every == EOS_ID).cumsum(1) - (every == EOS_ID).long() > 0
        best = log_p.masked_fill(over, 0.0).sum(1).max()
        end = row.tolist().index(EOS_ID) + 1 if EOS_ID in row else 3
        mine = (every[:, :end] == row[:end]).all(1).nonzero()[0, 0]
        assert log_p[mine, :end].sum().item() == pytest.approx(best.item(), abs=1e-5)


def test_both_steppers_are_what_decoding_asks_for(text):
    sizes = {"d_model": 22, "d_ff": 31, "n_heads": 2}
    layers = {"n_encoder_layers": 1, "n_decoder_layers": 1}
    model = Transformer(TransformerConfig(VOCAB, VOCAB, **sizes, **layers)).eval()
    with evaluating(model):
        stepper = TranslationStepper(model, torch.tensor([[5, 6, EOS_ID]]), MAX_LEN)
        assert stepper.next_logits().shape == (1, VOCAB)
        stepper.select(torch.tensor([0, 0, 0]))
        assert stepper.next_logits().shape == (3, VOCAB)
    assert isinstance(stepper, Stepper)
    assert isinstance(begun(text), Stepper)
