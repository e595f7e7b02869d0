"""The learning rate over a training, and settings that can't be meant."""

import math

import pytest

from tt_utils.training.config import TrainingConfig, learning_rate


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


def test_the_cosine_falls_slowly_at_both_ends_and_halfway_to_the_half():
    config = TrainingConfig(steps=100, peak_lr=8.0, warmup=20, schedule="cosine")
    rates = [learning_rate(step, config) for step in range(101)]
    assert rates[19] == rates[20] == max(rates) == 8.0
    assert rates[60] == pytest.approx(4.0)
    assert rates[40] == pytest.approx(8 * (1 + math.cos(math.pi / 4)) / 2)
    assert rates[100] == pytest.approx(0)
    assert rates[20:] == sorted(rates[20:], reverse=True)


def test_the_papers_schedule_is_its_equation_3():
    d_model, warmup = 512, 4_000
    config = TrainingConfig(
        steps=100_000,
        peak_lr=1 / math.sqrt(d_model * warmup),
        warmup=warmup,
        schedule="inverse-root",
    )
    for n in (1, 2, 3_999, 4_000, 4_001, 100_000):
        papers = d_model**-0.5 * min(n**-0.5, n * warmup**-1.5)
        assert learning_rate(n - 1, config) == pytest.approx(papers, rel=1e-12)


def test_steps_and_peak_have_no_default_and_labels_are_not_smoothed_unasked():
    assert TrainingConfig(steps=1_000, peak_lr=1e-3).label_smoothing == 0
    for some in ({}, {"steps": 1_000}, {"peak_lr": 1e-3}):
        with pytest.raises(TypeError):
            TrainingConfig(**some)


@pytest.mark.parametrize("schedule", ["linear", "cosine", "inverse-root"])
def test_after_the_last_step_the_rate_is_never_negative(schedule):
    config = TrainingConfig(steps=100, peak_lr=8.0, warmup=20, schedule=schedule)
    after = [learning_rate(step, config) for step in range(100, 300)]
    assert min(after) >= 0
    assert all(rate == 0 for rate in after) == (schedule != "inverse-root")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"steps": 60}, "a warm-up of 150 steps doesn't end within steps=60; make it"),
        ({"warmup": 0}, "warmup is 0; it must be at least 1."),
        ({"accumulate": 0}, "accumulate is 0; it must be at least 1."),
        ({"schedule": "step"}, "schedule is 'step'; choose one of linear, inverse"),
        ({"precision": "fp8"}, "precision is 'fp8'; choose one of fp32, bf16, fp16."),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(values, message):
    config = TrainingConfig(steps=1_000, peak_lr=1e-3)
    for name, value in values.items():  # past the type checker that only tests have
        object.__setattr__(config, name, value)
    with pytest.raises(ValueError, match=f"^TrainingConfig: {message}"):
        config.__post_init__()
