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
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import processes
import pytest
import torch

from tt_utils.blocks.config import LayerConfig
from tt_utils.blocks.cross_entropy import linear_cross_entropy
from tt_utils.blocks.embedding import TokenEmbedding
from tt_utils.blocks.masks import padding_mask
from tt_utils.blocks.stacks import Encoder
from tt_utils.checkpoint import CheckpointError
from tt_utils.data.batching import PairBatches, make_batch
from tt_utils.data.tokenizer import EOS, PAD
from tt_utils.decoding.search import greedy_decode
from tt_utils.models.transformer import Transformer, TransformerConfig
from tt_utils.training.config import TrainingConfig, learning_rate
from tt_utils.training.distributed import Processes, join_processes
from tt_utils.training.loop import train
from tt_utils.training.loss import LossModule, validation_loss
from tt_utils.training.trainer import Cursor, Trainer, endless_batches

VOCAB = 17
SHORT = TrainingConfig(steps=100, peak_lr=0.01, warmup=20)


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
    config = TrainingConfig(steps=2, warmup=1, label_smoothing=smoothing)
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
    short = TrainingConfig(steps=5, warmup=2)
    one, same, other = small_model(), small_model(), small_model(seed=1)
    losses = train(one, small_batches, short)
    assert train(same, small_batches, short) == losses
    assert train(other, small_batches, short) != losses
    for ours, theirs in zip(one.parameters(), same.parameters(), strict=True):
        assert torch.equal(ours, theirs)


def test_the_seed_of_the_config_decides_the_order_of_batches(small_batches):
    def losses(seed):
        config = TrainingConfig(steps=3, warmup=2, seed=seed)
        return train(small_model(), small_batches, config)

    assert losses(0) != losses(7)


def test_a_caller_may_look_in_after_every_step(data):
    steps, model = [], small_model().eval()
    config = TrainingConfig(steps=3, warmup=2)
    first = model.generator.weight.detach().clone()

    def look(step):
        assert model.training, "dropout acts while the model learns"
        assert not torch.equal(model.generator.weight, first)
        steps.append(step)

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
    config = TrainingConfig(steps=5, warmup=2, clip=0.01)
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
    short = TrainingConfig(steps=3, warmup=2)
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
    config = TrainingConfig(steps=6, warmup=2, average=4)
    model, wanted = small_model(), None

    def blend(step):
        nonlocal wanted
        weights = model.generator.weight.detach().clone()
        share = 1 / min(step + 1, 4)  # a plain mean, until it looks back on four
        wanted = weights if step == 0 else (1 - share) * wanted + share * weights

    losses = train(model, small_batches, config, blend)
    torch.testing.assert_close(model.generator.weight.detach(), wanted)
    assert train(small_model(), small_batches, replace(config, average=0)) == losses


@pytest.mark.parametrize("average", [0, 4])
def test_validation_sees_the_model_that_training_would_give_now(small_batches, average):
    config = TrainingConfig(steps=7, warmup=2, average=average)
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
    config = TrainingConfig(steps=3, warmup=2)
    losses = train(small_model(), data, config, validate=lambda _: 1.25)
    shown = capsys.readouterr().out.split("\r")[-1]
    assert "3/3 [00:0" in shown
    assert f"loss={losses[-1]:.3f}, tokens/s=" in shown
    assert "valid=1.250" in shown


# Other models, the same loop


@dataclass(frozen=True)
class TokenRows:
    """Rows of ids, with a label for each prediction."""

    tokens: torch.Tensor
    labels: torch.Tensor

    @property
    def weight(self):
        return self.labels.numel()

    def to(self, device):
        return TokenRows(self.tokens.to(device), self.labels.to(device))

    def split(self, parts):
        cut = (x.tensor_split(min(parts, len(x))) for x in (self.tokens, self.labels))
        return [TokenRows(*rows) for rows in zip(*cut, strict=True)]


@dataclass(frozen=True)
class OneBatch:
    batch: TokenRows

    def epoch(self, seed, start=0):
        return iter([self.batch][start:])

    def fingerprint(self):
        return str(self.batch.tokens.sum().item())


SMALL = LayerConfig(d_model=32, d_ff=64, n_heads=2, dropout=0.0, max_len=16)


class DecoderOnly(torch.nn.Module):
    """Next word of a text, with an encoder's stack that looks back only."""

    def __init__(self, config=SMALL):
        super().__init__()
        self.config = config
        self.embedding = TokenEmbedding(VOCAB, config.d_model, config.max_len, 0.0)
        self.stack = Encoder(config, n_layers=1)

    def loss(self, batch, label_smoothing=0.0):
        x = self.stack(self.embedding(batch.tokens), causal=True).flatten(0, 1)
        table = self.embedding.table.weight
        return linear_cross_entropy(x, table, batch.labels.flatten(), label_smoothing)


class Classifier(torch.nn.Module):
    """One label per text; its loss knows no smoothing."""

    def __init__(self, config=SMALL):
        super().__init__()
        self.config = config
        self.embedding = TokenEmbedding(VOCAB, config.d_model, config.max_len, 0.0)
        self.stack = Encoder(config, n_layers=1)
        self.head = torch.nn.Linear(config.d_model, 3)

    def loss(self, batch):
        mask = padding_mask(batch.tokens, PAD)
        first = self.stack(self.embedding(batch.tokens), mask)[:, 0]
        return torch.nn.functional.cross_entropy(self.head(first), batch.labels)


def texts():
    """Counting modulo 13, from several starts: the next word follows from this one."""
    counted = torch.arange(11)[:, None] + torch.arange(8)
    tokens = 4 + counted % 13
    return OneBatch(TokenRows(tokens[:, :-1].contiguous(), tokens[:, 1:].contiguous()))


def labelled():
    tokens = torch.randint(
        4, VOCAB, (30, 7), generator=torch.Generator().manual_seed(0)
    )
    return OneBatch(TokenRows(tokens, tokens.sum(1) % 3))


OTHERS = pytest.mark.parametrize(
    ("build", "examples", "smoothing"),
    [(DecoderOnly, texts, 0.1), (Classifier, labelled, 0.0)],
    ids=["decoder-only", "classifier"],
)


@OTHERS
def test_any_model_that_answers_with_its_loss_learns(
    build, examples, smoothing, tmp_path
):
    """Compared with a loop by hand; stopped and resumed; in micro-batches."""
    config = TrainingConfig(steps=60, peak_lr=0.01, warmup=5, label_smoothing=smoothing)

    def model():
        torch.manual_seed(0)
        return build()

    losses = train(model(), examples(), config)
    assert losses[-1] < 0.5 * losses[0]
    pieces = train(model(), examples(), replace(config, accumulate=3))
    assert pieces == pytest.approx(losses, abs=1e-3)
    by_hand = model()
    optimizer = torch.optim.AdamW(
        by_hand.parameters(), betas=(0.9, 0.98), eps=1e-9, weight_decay=0.0
    )
    options = {"label_smoothing": smoothing} if smoothing else {}
    undecayed = train(model(), examples(), replace(config, weight_decay=0.0))
    for step, wanted in enumerate(undecayed):
        loss = by_hand.loss(examples().batch, **options)
        assert loss.item() == pytest.approx(wanted, abs=1e-3)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(by_hand.parameters(), config.clip)
        optimizer.param_groups[0]["lr"] = learning_rate(step, config)
        optimizer.step()

    class Stopped(Exception):
        pass

    def stop(step):
        if step == 25:
            raise Stopped

    kept = {"checkpoint": tmp_path, "every": 10}
    with pytest.raises(Stopped):
        train(model(), examples(), config, stop, **kept)
    assert train(model(), examples(), config, **kept) == losses


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


# Several processes

TOGETHER = TrainingConfig(steps=12, peak_lr=0.01, warmup=3, accumulate=2)


def train_together(folder):
    """Train twice: plainly, and with dropout, stopping and going on."""
    curve = train(small_model(), PairBatches(some_pairs(), 60), TOGETHER)

    def copy(step):
        (folder / "calls").open("a").write(f"{os.environ['RANK']} {step}\n")
        if step == 8:
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
