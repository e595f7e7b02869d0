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

from tt_utils.checkpoint import CheckpointError
from tt_utils.data.batching import PairBatches, make_batch
from tt_utils.data.tokenizer import EOS, PAD
from tt_utils.decoding.search import greedy_decode
from tt_utils.models.saved import load_model
from tt_utils.models.transformer import Transformer, TransformerConfig
from tt_utils.training.config import TrainingConfig, learning_rate
from tt_utils.training.distributed import Processes, join_processes
from tt_utils.training.loop import train
from tt_utils.training.loss import LossModule, validation_loss
from tt_utils.training.trainer import Cursor, Trainer, endless_batches

VOCAB = 17
SHORT = TrainingConfig(steps=100, peak_lr=0.01, warmup=20, label_smoothing=0.1)


def some_pairs():
    """Sentences to say backwards."""
    rng = random.Random(0)
    sources = [[rng.randrange(4, VOCAB) for _ in range(2 + i % 5)] for i in range(24)]
    return [(src, src[::-1]) for src in sources]


@pytest.fixture(scope="module")
def pairs():
    return some_pairs()


@pytest.fixture(scope="module")
def data(pairs):
    """All of them in one batch."""
    return PairBatches(pairs, 300)


@pytest.fixture(scope="module")
def small_batches(pairs):
    return PairBatches(pairs, 40)


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
    config = TrainingConfig(2, 8e-3, warmup=1, label_smoothing=smoothing)
    return LossModule(model, config)(batch)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_the_loss_is_the_mean_over_real_tokens(pairs, smoothing):
    model, batch = small_model().double().eval(), make_batch(pairs)
    assert 0 < batch.weight < batch.labels.numel()
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


# Batches without end


def test_epochs_follow_each_other_each_with_every_pair_in_a_new_order(
    pairs, small_batches
):
    drawn, epochs = [], []
    for batch in islice(endless_batches(small_batches, 0, Cursor()), 100):
        drawn += [tuple(row[row != PAD].tolist()) for row in batch.src]
        if len(drawn) == len(pairs):
            epochs.append(drawn)
            drawn = []
    wanted = sorted((*src, EOS) for src, _ in pairs)
    assert len(epochs) > 5
    assert all(sorted(epoch) == wanted for epoch in epochs)
    assert epochs[0] != epochs[1]


@pytest.mark.parametrize("read", [0, 1, 6, 7, 8, 20])
def test_reading_goes_on_from_any_cursor(small_batches, read):
    cursor = Cursor()
    batches = endless_batches(small_batches, 0, cursor)
    for _ in range(read):
        next(batches)
    again = endless_batches(small_batches, 0, replace(cursor))
    for wanted, found in islice(zip(batches, again, strict=True), 20):
        assert torch.equal(found.src, wanted.src)
        assert torch.equal(found.labels, wanted.labels)


def test_data_without_a_batch_is_refused():
    class Empty:
        def epoch(self, seed, start=0):
            return iter(())

        def fingerprint(self):
            return "nothing"

    with pytest.raises(ValueError, match=r"^train: there is no data; an epoch holds"):
        next(endless_batches(Empty(), 0, Cursor()))


# Micro-batches


@pytest.mark.parametrize("size", [1, 2, 3, 30])
@pytest.mark.parametrize("accumulate", [1, 2, 5, 40])
def test_micro_batches_hold_every_row_once_and_their_shares_add_up_to_one(
    pairs, accumulate, size
):
    batch, rows, shares = make_batch(pairs), [], 0.0
    trainer = Trainer(small_model(), replace(SHORT, accumulate=accumulate))
    for rank in range(size):
        trainer.processes = Processes(rank, size)
        mine = trainer.micro_batches(batch)
        assert mine, "a process without work would leave the others waiting"
        shares += sum(share for _, share in mine)
        rows += [row.tolist() for piece, share in mine if share for row in piece.labels]
    assert shares == pytest.approx(1)
    assert sorted(rows) == sorted(batch.labels.tolist())


@pytest.mark.parametrize("accumulate", [2, 7, 24, 50])
def test_accumulated_gradients_are_those_of_the_big_batch(pairs, accumulate):
    """Lengths differ, so that equal weights for all pieces would show."""

    def gradients(accumulate):
        trainer = Trainer(small_model().double(), replace(SHORT, accumulate=accumulate))
        loss = trainer.accumulate_gradients(make_batch(pairs))
        return loss, [p.grad for p in trainer.model.parameters()]

    wanted, found = gradients(1), gradients(accumulate)
    torch.testing.assert_close(found, wanted, atol=1e-12, rtol=0)


def test_accumulation_leaves_the_curve_as_it_was(data):
    config = replace(SHORT, steps=25)
    wanted = train(small_model(), data, config)
    found = train(small_model(), data, replace(config, accumulate=3))
    assert found == pytest.approx(wanted, abs=1e-4)


def test_gradients_are_clipped_by_their_true_size_not_by_the_scaled_one(pairs):
    """fp16 scales the loss up, lest small gradients vanish; so they are unscaled."""

    def gradients(scaled):
        trainer = Trainer(small_model(), replace(SHORT, clip=0.01))
        trainer.scaler = torch.amp.GradScaler("cpu", enabled=scaled)
        trainer.step(make_batch(pairs))
        return [p.grad for p in trainer.model.parameters()]

    torch.testing.assert_close(gradients(True), gradients(False))


# The loop


@pytest.fixture(scope="module")
def trained(data):
    model = small_model()
    return model, train(model, data, SHORT)


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


def test_the_same_seeds_give_the_same_losses_and_weights(small_batches):
    short = TrainingConfig(steps=5, peak_lr=8e-3, warmup=2)
    one, same, other = small_model(), small_model(), small_model(seed=1)
    losses = train(one, small_batches, short)
    assert train(same, small_batches, short) == losses
    assert train(other, small_batches, short) != losses
    for ours, theirs in zip(one.parameters(), same.parameters(), strict=True):
        assert torch.equal(ours, theirs)


def test_the_seed_of_the_config_decides_the_order_of_batches(small_batches):
    def losses(seed):
        config = TrainingConfig(steps=3, peak_lr=8e-3, warmup=2, seed=seed)
        return train(small_model(), small_batches, config)

    assert losses(0) != losses(7)


def test_a_caller_may_look_in_after_every_step(data):
    steps, model = [], small_model().eval()
    config = TrainingConfig(steps=3, peak_lr=8e-3, warmup=2)
    first = model.generator.weight.detach().clone()

    def look(step):
        assert model.training, "dropout acts while the model learns"
        assert not torch.equal(model.generator.weight, first)
        steps.append(step.number)

    train(model, data, config, after_step=look)
    assert steps == [0, 1, 2]


def test_each_step_has_its_learning_rate_and_clipped_gradients(data, monkeypatch):
    rates, norms = [], []
    step = torch.optim.AdamW.step

    def measured(optimizer, *arguments):
        groups = optimizer.param_groups
        gradients = [p.grad.flatten() for group in groups for p in group["params"]]
        norms.append(torch.cat(gradients).norm().item())
        rates.append({group["lr"] for group in groups})
        return step(optimizer, *arguments)

    monkeypatch.setattr(torch.optim.AdamW, "step", measured)
    config = TrainingConfig(steps=5, peak_lr=8e-3, warmup=2, clip=0.01)
    train(small_model(), data, config)
    assert norms == pytest.approx([0.01] * 5, rel=1e-3)
    assert rates == [{learning_rate(i, config)} for i in range(5)]


def test_a_loss_that_is_no_number_stops_training_with_advice(data):
    model = small_model()
    torch.nn.init.constant_(model.encoder.layers[0].feed_forward.widen.bias, math.nan)
    message = r"^train: the loss became nan at step 0; lower peak_lr or lengthen"
    with pytest.raises(FloatingPointError, match=message):
        train(model, data, SHORT)


@pytest.mark.parametrize("precision", ["bf16", "fp16"])
def test_half_precision_learns_with_finite_numbers(data, precision):
    kinds, model = set(), small_model()
    widen = model.encoder.layers[0].feed_forward.widen
    widen.register_forward_hook(lambda _, __, out: kinds.add(out.dtype))
    losses = train(model, data, replace(SHORT, steps=60, precision=precision))
    assert kinds == {torch.bfloat16 if precision == "bf16" else torch.float16}
    assert all(p.dtype == torch.float32 for p in model.parameters())
    assert all(p.isfinite().all() for p in model.parameters())
    assert losses[-1] < losses[0] / 2


def test_the_model_is_compiled_where_asked_for(data, monkeypatch):
    compiled = []

    def note(loss, dynamic):
        compiled.append(loss)
        return loss

    monkeypatch.setattr(torch, "compile", note)
    short = TrainingConfig(steps=3, peak_lr=8e-3, warmup=2)
    model = small_model()
    losses = train(model, data, short)
    assert not compiled
    assert train(small_model(), data, replace(short, compile=True)) == losses
    assert len(compiled) == 1


def test_decoding_in_a_callback_leaves_dropout_on_for_the_next_step(data):
    model, modes = small_model(dropout=0.1), []
    model.encoder.register_forward_hook(lambda *_: modes.append(model.training))
    short = replace(SHORT, steps=3, warmup=2)
    src = next(iter(data)).src

    def look(step):
        greedy_decode(model, src, max_len=2)
        model.eval()  # what a careless callback leaves behind

    train(model, data, short, after_step=look)
    assert modes == [True, False] * 3


def test_a_clip_of_zero_leaves_the_gradients(data):
    free, loose = (
        Trainer(small_model(), replace(SHORT, clip=clip)) for clip in (0.0, 1e9)
    )
    for trainer in (free, loose):
        trainer.step(next(iter(data)))
    parameters = free.model.parameters(), loose.model.parameters()
    for one, other in zip(*parameters, strict=True):
        torch.testing.assert_close(one.grad, other.grad)
    assert free.model.generator.weight.grad.any()


def test_weight_decay_falls_on_all_parameters():
    model = small_model()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.fill_(1.0)
    trainer = Trainer(model, replace(SHORT, weight_decay=0.5))
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)
    for group in trainer.optimizer.param_groups:
        group["lr"] = 0.1
    trainer.optimizer.step()
    for parameter in model.parameters():
        torch.testing.assert_close(parameter, torch.full_like(parameter, 0.95))


def test_the_average_follows_the_weights_of_every_step(small_batches):
    config = TrainingConfig(steps=6, peak_lr=8e-3, warmup=2, average=4)
    model, wanted = small_model(), None

    def blend(step):
        nonlocal wanted
        weights = model.generator.weight.detach().clone()
        share = 1 / min(step.number + 1, 4)  # a plain mean, until it looks back on four
        wanted = weights if step.number == 0 else (1 - share) * wanted + share * weights

    losses = train(model, small_batches, config, blend)
    torch.testing.assert_close(model.generator.weight.detach(), wanted)
    assert train(small_model(), small_batches, replace(config, average=0)) == losses


@pytest.mark.parametrize("average", [0, 4])
def test_validation_sees_the_model_that_training_would_give_now(small_batches, average):
    config = TrainingConfig(steps=7, peak_lr=8e-3, warmup=2, average=average)
    model, seen = small_model(dropout=0.1), []

    def validate(candidate):
        assert not any(module.training for module in candidate.modules())
        seen.append(candidate.generator.weight.clone())
        return validation_loss(candidate, small_batches)

    losses = train(model, small_batches, config, validate=validate, every=3)
    assert len(seen) == 3, "after steps 3 and 6, and the last"
    assert torch.equal(seen[-1], model.generator.weight)
    assert train(small_model(dropout=0.1), small_batches, config) == losses


def test_the_validation_loss_is_a_mean_over_tokens_whatever_the_batches(pairs):
    model, batch = small_model().eval(), make_batch(pairs)
    wanted = loss_of(model, batch, 0.0).item()
    for max_tokens in (20, 100, 4_096):
        found = validation_loss(model, PairBatches(pairs, max_tokens))
        assert found == pytest.approx(wanted, abs=1e-5)


def test_the_progress_bar_shows_loss_speed_and_time_left(data, capsys):
    config = TrainingConfig(steps=3, peak_lr=8e-3, warmup=2)
    losses = train(small_model(), data, config, validate=lambda _: 1.25)
    shown = capsys.readouterr().out.split("\r")[-1]
    assert "3/3 [00:0" in shown
    assert f"loss={losses[-1]:.3f}, tokens/s=" in shown
    assert "valid=1.250" in shown


def test_only_a_schedule_that_knows_no_end_can_be_lengthened(data, tmp_path):
    for schedule in ("inverse-root", "linear"):
        config = replace(SHORT, steps=5, warmup=2, schedule=schedule)
        options = {"checkpoint": tmp_path / schedule}
        first = train(small_model(), data, config, **options)
        longer = replace(config, steps=9)
        if schedule == "linear":
            with pytest.raises(CheckpointError, match="steps is 9, was 5"):
                train(small_model(), data, longer, **options)
            continue
        losses = train(small_model(), data, longer, **options)
        assert losses[:5] == first
        assert losses == train(small_model(), data, longer)


# What a model must offer


class NoSmoothing(Transformer):
    def loss(self, batch):
        return super().loss(batch)


def reshaped(model, kind):
    model.__class__ = kind
    return model


def test_smoothing_is_refused_where_the_loss_takes_none(data):
    config = replace(SHORT, steps=3, warmup=2)
    with pytest.raises(ValueError, match=r"^train: NoSmoothing.loss takes no label_sm"):
        train(reshaped(small_model(), NoSmoothing), data, config)
    plain = replace(config, label_smoothing=0.0)
    losses = train(reshaped(small_model(), NoSmoothing), data, plain)
    assert losses == train(small_model(), data, plain)


@pytest.mark.parametrize("config", [None, {"d_model": 32}, TransformerConfig])
def test_a_checkpoint_needs_a_config_that_can_be_written_down(data, tmp_path, config):
    model = small_model()
    model.config = config
    with pytest.raises(
        ValueError, match=r"^train: a checkpoint keeps Transformer.conf"
    ):
        train(model, data, SHORT, checkpoint=tmp_path / "run")


def test_a_batch_without_predictions_is_refused(pairs):
    batch = make_batch(pairs)
    empty = replace(batch, real=batch.real[:0])
    trainer = Trainer(small_model(), SHORT)
    with pytest.raises(ValueError, match=r"^train: a batch asks for no prediction"):
        trainer.step(empty)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_pieces_without_predictions_are_left_out(pairs, size):
    """All processes get a finite loss, also one whose rows ask for nothing."""
    batch = make_batch(pairs)
    first = batch.real[batch.real < 2 * batch.labels.shape[1]]  # of the first two rows
    batch = replace(batch, real=first)
    losses, shares = 0.0, 0.0
    for rank in range(size):
        trainer = Trainer(small_model().double(), replace(SHORT, accumulate=7))
        trainer.processes = Processes(rank, size)
        mine = trainer.micro_batches(batch)
        assert mine
        assert all(piece.weight for piece, _ in mine)
        shares += sum(share for _, share in mine)
        found = [share * trainer.loss(piece).item() for piece, share in mine]
        assert all(map(math.isfinite, found))
        losses += sum(found)
    assert shares == pytest.approx(1)
    wanted = loss_of(small_model().double(), batch, 0.1).item()
    assert losses == pytest.approx(wanted, abs=1e-10)


def test_the_validation_loss_leaves_out_batches_without_predictions(pairs):
    model, batch = small_model().eval(), make_batch(pairs)
    empty = replace(batch, real=batch.real[:0])
    assert validation_loss(model, [empty, batch]) == validation_loss(model, [batch])
    with pytest.raises(ValueError, match=r"^validation_loss: the batches ask for no"):
        validation_loss(model, [empty])


@pytest.mark.parametrize("begins", ["in training mode", "in evaluation mode"])
def test_a_frozen_part_stays_frozen_and_all_else_learns_in_training_mode(data, begins):
    model = small_model(dropout=0.1).train(begins == "in training mode")
    model.encoder.eval()
    modes = []

    def look(step):
        modes.append((model.training, model.encoder.training, model.decoder.training))
        model.eval()

    train(model, data, replace(SHORT, steps=3, warmup=2), look, validate=lambda _: 0.0)
    frozen = begins == "in training mode"
    assert modes == [(True, not frozen, True)] * 3


# What is known after a step, and the best model


@pytest.mark.parametrize("clip", [0.01, 0.0])
def test_a_step_tells_its_loss_rate_and_norm(small_batches, clip):
    config = replace(SHORT, steps=21, clip=clip)
    seen, model = [], small_model()

    def note(step):
        norms = [p.grad.norm() for p in model.parameters()]
        seen.append((step, torch.stack(norms).norm().item()))

    losses = train(model, small_batches, config, note)
    assert [step.number for step, _ in seen] == list(range(21))
    assert [step.loss for step, _ in seen] == losses
    rates = [learning_rate(number, config) for number in range(21)]
    assert [step.learning_rate for step, _ in seen] == rates
    for step, left in seen:
        assert step.gradient_norm > 0.01
        wanted = 0.01 if clip else step.gradient_norm
        assert left == pytest.approx(wanted, rel=1e-3)


def test_the_best_model_is_kept_beside_the_last_also_over_a_stop(data, tmp_path):
    values = iter([3.0, 1.0, 2.0, 1.5])
    weights = []

    def validate(model):
        weights.append(model.generator.weight.detach().clone())
        return next(values)

    def stop(step):
        if step.number == 12:
            raise KeyboardInterrupt

    config = replace(SHORT, steps=24)
    options = {"validate": validate, "checkpoint": tmp_path, "every": 6}
    with pytest.raises(KeyboardInterrupt):
        train(small_model(), data, config, stop, keep_best=True, **options)
    train(small_model(), data, config, keep_best=True, **options)
    best, _ = load_model(tmp_path / "best")
    last, _ = load_model(tmp_path)
    assert len(weights) == 4
    assert torch.equal(best.generator.weight, weights[1])
    assert torch.equal(last.generator.weight, weights[3])


def test_the_best_cannot_be_kept_unseen_or_nowhere(data, tmp_path):
    for options in ({"checkpoint": tmp_path}, {"validate": lambda _: 0.0}):
        with pytest.raises(ValueError, match=r"^train: keep_best needs validate, to"):
            train(small_model(), data, SHORT, keep_best=True, **options)


# Several processes

TOGETHER = TrainingConfig(steps=12, peak_lr=0.01, warmup=3, accumulate=2)


def train_together(folder):
    """Train twice: plainly, and with dropout, stopping and going on."""
    curve = train(small_model(), PairBatches(some_pairs(), 60), TOGETHER)

    def copy(step):
        (folder / "calls").open("a").write(f"{os.environ['RANK']} {step.number}\n")
        if step.number == 8:
            shutil.copytree(folder / "run", folder / "stopped")

    def again(where, after_step=None):
        model = small_model(dropout=0.1)
        options = {"checkpoint": folder / where, "every": 5}
        return train(
            model, PairBatches(some_pairs(), 60), TOGETHER, after_step, **options
        )

    whole = again("run", copy)
    torch.distributed.barrier()
    result = {"curve": curve, "whole": whole, "resumed": again("stopped")}
    result["agreed"] = join_processes(torch.device("cpu")).broadcast(os.environ["RANK"])
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
    wanted = train(small_model(), PairBatches(some_pairs(), 60), TOGETHER)
    assert first["curve"] == pytest.approx(wanted, abs=1e-5)
    assert first["resumed"] == first["whole"] != first["curve"]
    assert first["agreed"] == "0"
    calls = (tmp_path / "calls").read_text().splitlines()
    assert calls == [f"0 {step}" for step in range(12)], "only the first calls back"
    assert process.stdout.count("12/12") == 3, "only the first shows progress"


if __name__ == "__main__":
    train_together(Path(sys.argv[1]))
