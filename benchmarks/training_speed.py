"""How many target tokens a second does one training step learn from?

One core; all rivals in one process and in turns. `--size base` takes minutes.
"""

import argparse
from collections.abc import Callable

import torch
from record import save
from rivals import PlainTranslator, TorchTranslator
from timing import interleaved
from torch import Tensor, nn

from tt_utils.models.transformer import Transformer, TransformerConfig
from tt_utils.runtime import best_device
from tt_utils.training.config import TrainingConfig
from tt_utils.training.loss import ModelWithLoss

ROWS, LENGTH, VOCAB, SMOOTHING = 32, 64, 8_000, 0.1
AS_IT_COMES = "torch.nn.Transformer as it comes, fp32"
SIZES = {
    "small": {
        "d_model": 256,
        "d_ff": 1024,
        "n_encoder_layers": 3,
        "n_decoder_layers": 3,
    },
    "base": {},
}


class Stepper:
    """One rival with its optimizer: a call is one step."""

    def __init__(self, model: nn.Module, half: bool) -> None:
        self.model = model.to(best_device())
        self.half = half
        self.optimizer = torch.optim.Adam(model.parameters(), fused=True)

    def __call__(self, src: Tensor, tgt: Tensor, labels: Tensor) -> None:
        self.optimizer.zero_grad()
        with torch.autocast(src.device.type, torch.bfloat16, enabled=self.half):
            loss = self.loss(src, tgt, labels)
        loss.backward()
        self.optimizer.step()

    def loss(self, src: Tensor, tgt: Tensor, labels: Tensor) -> Tensor:
        """As the rival computes it."""
        return self.model.loss(src, tgt, labels, SMOOTHING)


class OurStepper(Stepper):
    """Our model with the loss that `train` uses."""

    def __init__(self, model: Transformer, half: bool) -> None:
        precision = "bf16" if half else "fp32"
        config = TrainingConfig(precision=precision, label_smoothing=SMOOTHING)
        super().__init__(ModelWithLoss(model, config), half=False)

    def loss(self, src: Tensor, tgt: Tensor, labels: Tensor) -> Tensor:
        """Every label is real here."""
        real = torch.arange(labels.numel(), device=labels.device)
        return self.model(src, tgt, real, labels.flatten())


def make_steppers(config: TransformerConfig) -> dict[str, Callable[[], Stepper]]:
    """Name every rival, and how to build it."""
    return {
        "plain, fp32": lambda: Stepper(PlainTranslator(config), False),
        AS_IT_COMES: lambda: Stepper(TorchTranslator(config, True), False),
        "torch.nn.Transformer, fp32": lambda: Stepper(TorchTranslator(config), False),
        "torch.nn.Transformer, bf16": lambda: Stepper(TorchTranslator(config), True),
        "tt_utils, fp32": lambda: OurStepper(Transformer(config), False),
        "tt_utils, bf16": lambda: OurStepper(Transformer(config), True),
    }


def matmul_operations(config: TransformerConfig) -> int:
    """Count one training step's floating-point operations in matrix products.

    Forward once, backward twice; a product of (m, k) and (k, n) counts 2·m·k·n.
    """
    d, ff, tokens = config.d_model, config.d_ff, ROWS * LENGTH
    attention, feed_forward = 4 * d * d, 2 * d * ff
    weights = (
        config.n_encoder_layers * (attention + feed_forward)
        + config.n_decoder_layers * (2 * attention + feed_forward)
        + d * config.tgt_vocab_size
    )
    looks = (config.n_encoder_layers + 2 * config.n_decoder_layers) * 2 * LENGTH * d
    return 3 * 2 * tokens * (weights + looks)


def main() -> None:
    """Measure one size and add it to the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", choices=SIZES, default="small")
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    config = TransformerConfig(VOCAB, VOCAB, dropout=0.1, **SIZES[given.size])
    batch = [
        torch.randint(1, VOCAB, (ROWS, LENGTH), device=best_device()) for _ in range(3)
    ]
    steppers = {name: make() for name, make in make_steppers(config).items()}
    # A product as large as a whole layer's, in the middle of the others.
    n = 2_048
    wide = torch.randn(n, n, device=best_device())
    half = wide.bfloat16()
    peaks = {"matmul, fp32": lambda: wide @ wide, "matmul, bf16": lambda: half @ half}
    actions = {name: (lambda s=s: s(*batch)) for name, s in steppers.items()}
    seconds = interleaved(actions | peaks, given.rounds)
    operations = matmul_operations(config)
    rows = []
    for name in steppers:
        peak = 2 * n**3 / seconds[f"matmul, {name[-4:]}"]
        rows.append(
            {
                "model": name,
                "tokens_per_second": ROWS * LENGTH / seconds[name],
                "ratio": seconds[AS_IT_COMES] / seconds[name],
                "share_of_matmul_peak": operations / seconds[name] / peak,
            }
        )
        print(
            *(
                f"{k}={v:.3g}" if isinstance(v, float) else v
                for k, v in rows[-1].items()
            )
        )
    save(f"training_speed_{given.size}", {"rows": rows}, best_device())


if __name__ == "__main__":
    main()
