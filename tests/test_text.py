"""A decoder-only model writes on, behind texts of any length."""

import pytest
import torch

from tt_utils.decoding.text import TextStepper, generate
from tt_utils.models.gpt import GPT, GPTConfig

VOCAB, MAX_LEN, EOS_ID = 11, 17, 2
TEXTS = [[1, 5, 7, 3, 9], [1], [1, 8, 4]]


def made(**changes):
    torch.manual_seed(3)
    sizes = {"d_model": 22, "d_ff": 31, "n_heads": 1, "dropout": 0.3}
    return GPT(GPTConfig(VOCAB, 2, **sizes | {"max_len": MAX_LEN} | changes)).double()


@pytest.fixture(params=["learned", "rotary"])
def model(request):
    return made(positions=request.param)


@torch.no_grad()
def slow(model, text, most):
    """The likeliest tokens, with all of them read anew at each step."""
    said, model = list(text), model.eval()
    while len(said) < len(text) + most:
        said.append(model(torch.tensor([said]))[0, -1].argmax().item())
        if said[-1] == EOS_ID:
            return said[len(text) : -1]
    return said[len(text) :]


def test_rows_of_unequal_length_are_written_as_each_alone(model):
    found = generate(model, TEXTS, 9, top_k=1)
    assert model.training  # and dropout was off meanwhile
    assert found == [slow(model, text, 9) for text in TEXTS]


def test_it_ends_where_the_model_has_no_more_positions(model):
    """The last token is written and needs no position: it is never read."""
    model.head.weight.data[EOS_ID] = 0.0
    [row, *_] = generate(model, TEXTS, 99, top_k=1)
    assert len(row) <= MAX_LEN - len(TEXTS[0]) + 1
    assert row == slow(model, TEXTS[0], MAX_LEN - len(TEXTS[0]) + 1)


def test_a_text_ends_at_any_of_the_ids_that_stop_it(model):
    whole = slow(model, TEXTS[2], 9)
    ends = whole[-1]
    [row] = generate(model, TEXTS[2:], 9, stop=[ends], top_k=1)
    assert row == whole[: whole.index(ends)]


def test_nothing_is_read_after_the_last_text_has_ended(model, monkeypatch):
    whole, steps = slow(model, TEXTS[2], 9), []
    step = TextStepper.next_logits
    monkeypatch.setattr(
        TextStepper, "next_logits", lambda self: steps.append(1) or step(self)
    )
    generate(model, TEXTS[2:], 9, stop=whole[:1], top_k=1)
    assert len(steps) == 1


def test_the_same_generator_writes_the_same(model):
    rows = [
        generate(model, TEXTS, 9, top_p=0.9, generator=torch.manual_seed(seed))
        for seed in (0, 0, 1)
    ]
    assert rows[0] == rows[1] != rows[2]


@pytest.mark.parametrize(
    ("texts", "most", "message"),
    [
        ([], 9, "0 texts, the shortest of 0 tokens, and max_len=9; give at least one"),
        ([[1, 4], []], 9, "2 texts, the shortest of 0 tokens"),
        (TEXTS, 0, "3 texts, the shortest of 1 tokens, and max_len=0"),
        ([[4] * 18], 9, "a text of 18 tokens; the model has 17 positions. Leave out"),
        ([1, 4], 9, "texts is a list of ids; give a list of texts, each a list of ids"),
    ],
    ids=["no text", "an empty one", "no room", "too long", "one text"],
)
def test_what_cannot_be_written_behind_is_refused(monkeypatch, texts, most, message):
    monkeypatch.setattr("jaxtyping.config.jaxtyping_disable", True)
    with pytest.raises(ValueError, match=f"^decoding: {message}"):
        generate(made(), texts, most)
