"""The loss, the learning rate, and a model that learns one batch by heart.

Run as a script under torchrun, this file trains in several processes.
"""

import json
import math
import os
import random
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

import processes
import pytest
import torch

from tt_utils.data.batching import make_batch
from tt_utils.decoding import greedy_decode
from tt_utils.model_loss import validation_loss
from tt_utils.run import Position, Run, endless_batches
from tt_utils.team import Team, join_team, pieces
from tt_utils.tokenizer import EOS, PAD
from tt_utils.training import train
from tt_utils.training_config import TrainingConfig, learning_rate
from tt_utils.transformer import Transformer, TransformerConfig

VOCAB = 17
SHORT = TrainingConfig(steps=100, peak_lr=0.01, warmup=20, max_tokens=300)


def some_pairs():
    """Sentences to say backwards."""
    rng = random.Random(0)
    sources = [[rng.randrange(4, VOCAB) for _ in range(2 + i % 5)] for i in range(24)]
    return [(src, src[::-1]) for src in sources]


@pytest.fixture(scope="module")
def pairs():
    return some_pairs()


def small_model(seed=0, dropout=0.0, pad_id=PAD):
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
            dropout=dropout,
            max_len=16,
            pad_id=pad_id,
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


def loss_of(model, batch, smoothing):
    """As a training step computes it."""
    config = TrainingConfig(steps=2, warmup=1, label_smoothing=smoothing)
    return Run(model, config).loss_of(batch)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_the_loss_is_the_mean_over_real_tokens(pairs, smoothing):
    model, batch = small_model().double().eval(), make_batch(pairs)
    assert not batch.real.all()
    wanted = by_hand(model(batch.src, batch.tgt), batch.labels, smoothing)
    assert loss_of(model, batch, smoothing).item() == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("pad_id", [PAD, 5])
def test_padding_adds_neither_loss_nor_gradient_whatever_its_id(pairs, pad_id):
    pairs = [([6, 7], [6, 7, 8]), ([8], [9])]
    model = small_model(pad_id=pad_id).double().eval()
    batch = make_batch(pairs, pad_id)
    assert (batch.tgt == pad_id).any()
    together = loss_of(model, batch, 0.1)
    one, other = (loss_of(model, make_batch([pair], pad_id), 0.1) for pair in pairs)
    alone = (4 * one + 2 * other) / 6
    torch.testing.assert_close(together, alone, atol=1e-12, rtol=0)
    weights = list(model.parameters())
    torch.testing.assert_close(
        torch.autograd.grad(together, weights),
        torch.autograd.grad(alone, weights),
        atol=1e-12,
        rtol=0,
    )


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


def test_the_papers_schedule_is_its_equation_3():
    d_model, warmup = 512, 4_000
    config = TrainingConfig(
        peak_lr=1 / math.sqrt(d_model * warmup), warmup=warmup, schedule="inverse-root"
    )
    for n in (1, 2, 3_999, 4_000, 4_001, 100_000):
        papers = d_model**-0.5 * min(n**-0.5, n * warmup**-1.5)
        assert learning_rate(n - 1, config) == pytest.approx(papers, rel=1e-12)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"steps": 60}, "a warm-up of 150 steps doesn't end within steps=60; make it"),
        ({"warmup": 0}, "warmup is 0; it must be at least 1."),
        ({"accumulate": 0}, "accumulate is 0; it must be at least 1."),
        ({"schedule": "cosine"}, "schedule is 'cosine'; choose one of linear, inverse"),
        ({"precision": "fp8"}, "precision is 'fp8'; choose one of fp32, bf16, fp16."),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(values, message):
    config = TrainingConfig()
    for name, value in values.items():  # past the type checker that only tests have
        object.__setattr__(config, name, value)
    with pytest.raises(ValueError, match=f"^TrainingConfig: {message}"):
        config.__post_init__()


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


@pytest.mark.parametrize("read", [0, 1, 6, 7, 8, 20])
def test_reading_goes_on_from_any_position(pairs, read):
    config = TrainingConfig(max_tokens=40)
    position = Position()
    batches = endless_batches(pairs, config, position)
    for _ in range(read):
        next(batches)
    again = endless_batches(pairs, config, replace(position))
    for wanted, found in islice(zip(batches, again, strict=True), 20):
        assert torch.equal(found.src, wanted.src)
        assert torch.equal(found.labels, wanted.labels)


# Pieces of a batch


@pytest.mark.parametrize("size", [1, 2, 3, 30])
@pytest.mark.parametrize("accumulate", [1, 2, 5, 40])
def test_pieces_hold_every_row_once_and_their_shares_add_up_to_one(
    pairs, accumulate, size
):
    batch, rows, shares = make_batch(pairs), [], 0.0
    for rank in range(size):
        mine = pieces(batch, accumulate, Team(rank, size))
        assert mine, "a process without work would leave the others waiting"
        shares += sum(share for _, share in mine)
        rows += [row.tolist() for piece, share in mine if share for row in piece.labels]
    assert shares == pytest.approx(1)
    assert sorted(rows) == sorted(batch.labels.tolist())


@pytest.mark.parametrize("accumulate", [2, 7, 24, 50])
def test_accumulated_gradients_are_those_of_the_big_batch(pairs, accumulate):
    """Lengths differ, so that equal weights for all pieces would show."""

    def gradients(accumulate):
        run = Run(small_model().double(), replace(SHORT, accumulate=accumulate))
        loss = run.add_gradients(make_batch(pairs))
        return loss, [p.grad for p in run.model.parameters()]

    wanted, found = gradients(1), gradients(accumulate)
    torch.testing.assert_close(found, wanted, atol=1e-12, rtol=0)


def test_accumulation_leaves_the_curve_as_it_was(pairs):
    config = replace(SHORT, steps=25)
    wanted = train(small_model(), pairs, config)
    found = train(small_model(), pairs, replace(config, accumulate=3))
    assert found == pytest.approx(wanted, abs=1e-4)


def test_gradients_are_clipped_by_their_true_size_not_by_the_scaled_one(pairs):
    """fp16 scales the loss up, lest small gradients vanish; so they are unscaled."""

    def gradients(scaled):
        run = Run(small_model(), replace(SHORT, clip=0.01))
        run.scaler = torch.amp.GradScaler("cpu", enabled=scaled)
        run.step(make_batch(pairs))
        return [p.grad for p in run.model.parameters()]

    torch.testing.assert_close(gradients(True), gradients(False))


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
    share = 0.1 / VOCAB
    floor = -(0.9 + share) * math.log(0.9 + share) - 16 * share * math.log(share)
    assert 0 <= loss_of(model, batch, 0.1).item() - floor < 0.1


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
    step = torch.optim.AdamW.step

    def measured(optimizer, *arguments):
        (group,) = optimizer.param_groups
        gradients = [p.grad.flatten() for p in group["params"]]
        norms.append(torch.cat(gradients).norm().item())
        rates.append(group["lr"])
        return step(optimizer, *arguments)

    monkeypatch.setattr(torch.optim.AdamW, "step", measured)
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


@pytest.mark.parametrize("precision", ["bf16", "fp16"])
def test_half_precision_learns_with_finite_numbers(pairs, precision):
    kinds, model = set(), small_model()
    widen = model.encoder[0].feed_forward.widen
    widen.register_forward_hook(lambda _, __, out: kinds.add(out.dtype))
    losses = train(model, pairs, replace(SHORT, steps=60, precision=precision))
    assert kinds == {torch.bfloat16 if precision == "bf16" else torch.float16}
    assert all(p.dtype == torch.float32 for p in model.parameters())
    assert all(p.isfinite().all() for p in model.parameters())
    assert losses[-1] < losses[0] / 2


def test_the_model_is_compiled_where_asked_for(pairs, monkeypatch):
    compiled = []

    def note(model, dynamic):
        compiled.append(model)
        return model

    monkeypatch.setattr(torch, "compile", note)
    short = TrainingConfig(steps=3, warmup=2, max_tokens=300)
    model = small_model()
    losses = train(model, pairs, short)
    assert not compiled
    assert train(small_model(), pairs, replace(short, compile=True)) == losses
    assert len(compiled) == 1


def test_the_average_follows_the_weights_of_every_step(pairs):
    config = TrainingConfig(steps=6, warmup=2, max_tokens=40, average=4)
    model, wanted = small_model(), None

    def blend(step):
        nonlocal wanted
        weights = model.generator.weight.detach().clone()
        share = 1 / min(step + 1, 4)  # a plain mean, until it looks back on four
        wanted = weights if step == 0 else (1 - share) * wanted + share * weights

    losses = train(model, pairs, config, blend)
    torch.testing.assert_close(model.generator.weight.detach(), wanted)
    assert train(small_model(), pairs, replace(config, average=0)) == losses


@pytest.mark.parametrize("average", [0, 4])
def test_validation_sees_the_model_that_training_would_give_now(pairs, average):
    config = TrainingConfig(steps=7, warmup=2, max_tokens=40, average=average)
    model, seen = small_model(dropout=0.1), []

    def validate(candidate):
        assert not any(module.training for module in candidate.modules())
        seen.append(candidate.generator.weight.clone())
        return validation_loss(candidate, pairs)

    losses = train(model, pairs, config, validate=validate, every=3)
    assert len(seen) == 3, "after steps 3 and 6, and the last"
    assert torch.equal(seen[-1], model.generator.weight)
    assert train(small_model(dropout=0.1), pairs, config) == losses


def test_the_validation_loss_is_a_mean_over_tokens_whatever_the_batches(pairs):
    model, batch = small_model().eval(), make_batch(pairs)
    wanted = loss_of(model, batch, 0.0).item()
    for max_tokens in (20, 100, 4_096):
        found = validation_loss(model, pairs, max_tokens)
        assert found == pytest.approx(wanted, abs=1e-5)


def test_the_progress_bar_shows_loss_speed_and_time_left(pairs, capsys):
    config = TrainingConfig(steps=3, warmup=2, max_tokens=300)
    losses = train(small_model(), pairs, config, validate=lambda _: 1.25)
    shown = capsys.readouterr().out.split("\r")[-1]
    assert "3/3 [00:0" in shown
    assert f"loss={losses[-1]:.3f}, tokens/s=" in shown
    assert "valid=1.250" in shown


# Several processes

TOGETHER = TrainingConfig(steps=12, peak_lr=0.01, warmup=3, max_tokens=60, accumulate=2)


def train_together(folder):
    """Train twice: plainly, and with dropout, stopping and going on."""
    curve = train(small_model(), some_pairs(), TOGETHER)

    def copy(step):
        (folder / "calls").open("a").write(f"{os.environ['RANK']} {step}\n")
        if step == 8:
            shutil.copytree(folder / "run", folder / "stopped")

    def again(where, after_step=None):
        model = small_model(dropout=0.1)
        options = {"checkpoint": folder / where, "every": 5}
        return train(model, some_pairs(), TOGETHER, after_step, **options)

    whole = again("run", copy)
    torch.distributed.barrier()
    result = {"curve": curve, "whole": whole, "resumed": again("stopped")}
    result["agreed"] = join_team(torch.device("cpu")).agree_on(os.environ["RANK"])
    result["drawn"] = torch.rand(3).tolist()
    (folder / f"{os.environ['RANK']}.json").write_text(json.dumps(result))


@pytest.mark.slow
def test_two_processes_give_the_curve_of_one_and_go_on_after_a_stop(tmp_path):
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    process = subprocess.run(
        [*torchrun, "--nproc-per-node=2", __file__, str(tmp_path)],
        env=processes.environment(),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert process.returncode == 0, process.stderr
    first, second = (json.loads((tmp_path / f"{i}.json").read_text()) for i in (0, 1))
    assert first.pop("drawn") != second.pop("drawn"), "each drops other units"
    assert first == second
    wanted = train(small_model(), some_pairs(), TOGETHER)
    assert first["curve"] == pytest.approx(wanted, abs=1e-5)
    assert first["resumed"] == first["whole"] != first["curve"]
    assert first["agreed"] == "0"
    calls = (tmp_path / "calls").read_text().splitlines()
    assert calls == [f"0 {step}" for step in range(12)], "only the first calls back"
    assert process.stdout.count("12/12") == 3, "only the first shows progress"


if __name__ == "__main__":
    train_together(Path(sys.argv[1]))
