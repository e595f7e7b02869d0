"""The loss, the learning rate, and a model that learns one batch by heart."""

import math
import random
from itertools import islice

import pytest
import torch

from tt_utils.data.batching import make_batch
from tt_utils.decoding import greedy_decode
from tt_utils.tokenizer import EOS, PAD
from tt_utils.training import (
    TrainingConfig,
    endless_batches,
    learning_rate,
    loss_over_tokens,
    train,
)
from tt_utils.transformer import Transformer, TransformerConfig

VOCAB = 17
SHORT = TrainingConfig(steps=100, peak_lr=0.01, warmup=20, max_tokens=300)


@pytest.fixture(scope="module")
def pairs():
    """Sentences to say backwards."""
    rng = random.Random(0)
    sources = [[rng.randrange(4, VOCAB) for _ in range(2 + i % 5)] for i in range(24)]
    return [(src, src[::-1]) for src in sources]


def small_model(seed=0):
    torch.manual_seed(seed)
    return Transformer(
        TransformerConfig(
            src_vocab_size=VOCAB,
            tgt_vocab_size=VOCAB,
            d_model=32,
            d_ff=64,
            n_heads=2,
            n_encoder_layers=1,
            n_decoder_layers=1,
            dropout=0.0,
            max_len=16,
        )
    )


# Loss


def by_hand(logits, labels, smoothing):
    """Word by word: 1 - ε for the right one and ε spread evenly over all."""
    losses = []
    for row, label in zip(logits.flatten(0, 1), labels.flatten(), strict=True):
        if label == PAD:
            continue
        log_p = [x - math.log(sum(map(math.exp, row.tolist()))) for x in row.tolist()]
        even = -sum(log_p) / len(log_p)
        losses.append((1 - smoothing) * -log_p[label] + smoothing * even)
    return sum(losses) / len(losses)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_the_loss_is_the_mean_over_real_tokens(smoothing):
    torch.manual_seed(0)
    logits = torch.randn(3, 5, VOCAB, dtype=torch.float64)
    labels = torch.randint(1, VOCAB, (3, 5))
    labels[1, 2:] = labels[2, 4:] = PAD
    loss = loss_over_tokens(logits, labels, smoothing)
    assert loss.item() == pytest.approx(by_hand(logits, labels, smoothing), abs=1e-12)


def test_padding_adds_neither_loss_nor_gradient():
    torch.manual_seed(0)
    logits = torch.randn(3, 5, VOCAB, dtype=torch.float64, requires_grad=True)
    labels = torch.randint(1, VOCAB, (3, 5))
    labels[:, 3:] = PAD
    loss = loss_over_tokens(logits, labels, 0.1)
    short = loss_over_tokens(logits[:, :3], labels[:, :3], 0.1)
    torch.testing.assert_close(loss, short, atol=1e-12, rtol=0)
    (gradient,) = torch.autograd.grad(loss, logits)
    assert not gradient[:, 3:].any()
    assert gradient[:, :3].all()


# Learning rate


def test_the_learning_rate_rises_to_the_peak_and_falls_to_zero():
    config = TrainingConfig(steps=100, peak_lr=8.0, warmup=20)
    rates = [learning_rate(step, config) for step in range(100)]
    assert rates[0] == pytest.approx(8.0 / 20)
    assert rates[9] == pytest.approx(4.0)
    assert rates[19] == rates[20] == max(rates) == 8.0
    assert rates[60] == pytest.approx(4.0)
    assert rates[99] == pytest.approx(8.0 / 80)
    assert learning_rate(100, config) == 0
    assert rates[:20] == sorted(rates[:20])
    assert rates[20:] == sorted(rates[20:], reverse=True)


# Batches without end


def test_epochs_follow_each_other_each_with_every_pair_in_a_new_order(pairs):
    config = TrainingConfig(max_tokens=40)
    drawn, epochs = [], []
    for batch in islice(endless_batches(pairs, config), 100):
        drawn += [tuple(row[row != PAD].tolist()) for row in batch.src]
        if len(drawn) == len(pairs):
            epochs.append(drawn)
            drawn = []
    wanted = sorted((*src, EOS) for src, _ in pairs)
    assert len(epochs) > 5
    assert all(sorted(epoch) == wanted for epoch in epochs)
    assert epochs[0] != epochs[1]


# The loop


@pytest.fixture(scope="module")
def trained(pairs):
    model = small_model()
    return model, train(model, pairs, SHORT)


def test_training_learns_a_batch_by_heart_and_decoding_recites_it(trained, pairs):
    """A leak, an unshifted label or a wrong mask shows here, not in the loss."""
    model, losses = trained
    batch = make_batch(pairs)
    found = greedy_decode(model, batch.src)
    assert losses[0] > math.log(VOCAB) > 3 * losses[-1]
    assert found.tolist() == batch.labels.tolist()


def test_the_last_loss_is_near_the_floor_that_smoothing_leaves(trained, pairs):
    model, _ = trained
    batch = make_batch(pairs)
    logits = model(batch.src, batch.tgt)
    share = 0.1 / VOCAB
    floor = -(0.9 + share) * math.log(0.9 + share) - 16 * share * math.log(share)
    assert 0 <= loss_over_tokens(logits, batch.labels, 0.1).item() - floor < 0.1


def test_training_reports_every_step_and_ends_in_evaluation_mode(trained):
    model, losses = trained
    assert len(losses) == SHORT.steps
    assert not any(module.training for module in model.modules())


def test_the_same_seeds_give_the_same_losses_and_weights(pairs):
    short = TrainingConfig(steps=5, warmup=2, max_tokens=40)
    one, same, other = small_model(), small_model(), small_model(seed=1)
    losses = train(one, pairs, short)
    assert train(same, pairs, short) == losses
    assert train(other, pairs, short) != losses
    for ours, theirs in zip(one.parameters(), same.parameters(), strict=True):
        assert torch.equal(ours, theirs)


def test_the_seed_of_the_config_decides_the_order_of_batches(pairs):
    def losses(seed):
        config = TrainingConfig(steps=3, warmup=2, max_tokens=40, seed=seed)
        return train(small_model(), pairs, config)

    assert losses(0) != losses(7)


def test_a_caller_may_look_in_after_every_step(pairs):
    steps, model = [], small_model().eval()
    config = TrainingConfig(steps=3, warmup=2, max_tokens=300)
    first = model.generator.weight.detach().clone()

    def look(step):
        assert model.training, "dropout acts while the model learns"
        assert not torch.equal(model.generator.weight, first)
        steps.append(step)

    train(model, pairs, config, after_step=look)
    assert steps == [0, 1, 2]


def test_each_step_has_its_learning_rate_and_clipped_gradients(pairs, monkeypatch):
    rates, norms = [], []
    step = torch.optim.Adam.step

    def measured(optimizer, *arguments):
        (group,) = optimizer.param_groups
        gradients = [p.grad.flatten() for p in group["params"]]
        norms.append(torch.cat(gradients).norm().item())
        rates.append(group["lr"])
        return step(optimizer, *arguments)

    monkeypatch.setattr(torch.optim.Adam, "step", measured)
    config = TrainingConfig(steps=5, warmup=2, max_tokens=300, clip=0.01)
    train(small_model(), pairs, config)
    assert norms == pytest.approx([0.01] * 5, rel=1e-3)
    assert rates == [learning_rate(i, config) for i in range(5)]


def test_a_loss_that_is_no_number_stops_training_with_advice(pairs):
    model = small_model()
    torch.nn.init.constant_(model.encoder[0].feed_forward.widen.bias, math.nan)
    message = r"^train: the loss became nan at step 0; lower peak_lr or lengthen"
    with pytest.raises(FloatingPointError, match=message):
        train(model, pairs, SHORT)
