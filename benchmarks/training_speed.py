"""How many target tokens a second does one training step learn from?

All rivals in one process and in turns, on one core or on the GPU, if there is one.
`--size base` takes minutes on a core; `--size big` is for a GPU.
"""

import argparse
import statistics
from collections.abc import Callable
from dataclasses import dataclass

import torch
from record import save
from rivals import OurLoss, PlainTranslator, Rival, TorchTranslator
from timing import interleaved, ratio
from torch import Tensor, nn

from tt_utils.models.transformer import Transformer, TransformerConfig
from tt_utils.runtime import best_device
from tt_utils.training.config import TrainingConfig

VOCAB, SMOOTHING = 8_000, 0.1
AS_IT_COMES = "torch.nn.Transformer as it comes, fp32"
SIZES = {
    "small": {
        "d_model": 256,
        "d_ff": 1024,
        "n_encoder_layers": 3,
        "n_decoder_layers": 3,
    },
    "base": {},
    "big": {"d_model": 1024, "d_ff": 4096, "n_heads": 16},
}
HALVES = {"bf16": torch.bfloat16, "fp16": torch.float16}
# Operations a second of dense products in half precision, as the makers' data sheets
# give them (NVIDIA: T4, V100, A100, L4, H100, H200; without sparsity). The first name
# that is part of the card's counts.
CARDS = {
    "H100 PCIe": 756e12,
    "H100": 989e12,
    "H200": 989e12,
    "A100": 312e12,
    "L4": 121e12,
    "V100": 125e12,
    "T4": 65e12,
}


@dataclass(frozen=True)
class Entry:
    """How one of the rivals is built, and the precision of its products."""

    build: Callable[[TransformerConfig], nn.Module]
    precision: str = "fp32"
    compiled: bool = False

    def stepper(self, config: TransformerConfig) -> "Stepper":
        """Build it, with an optimizer."""
        torch.manual_seed(0)
        model = self.build(config).to(best_device())
        if isinstance(model, Transformer):
            half = self.precision in HALVES
            model = OurLoss(
                model,
                TrainingConfig(
                    steps=1_000,
                    peak_lr=1e-3,
                    precision=self.precision if half else "fp32",
                    label_smoothing=SMOOTHING,
                    compile=self.compiled,
                ),
            )
        elif self.compiled:
            model.forward = torch.compile(model.forward)
        return Stepper(model, self.precision)


class Stepper:
    """One rival with its optimizer: a call is one step."""

    def __init__(self, model: Rival, precision: str) -> None:
        self.model, self.precision = model, precision
        self.optimizer = torch.optim.Adam(model.parameters(), fused=True)

    def __call__(self, src: Tensor, tgt: Tensor, labels: Tensor) -> None:
        """Learn from one batch."""
        torch.set_float32_matmul_precision(
            "high" if self.precision == "tf32" else "highest"
        )
        self.optimizer.zero_grad()
        self.loss(src, tgt, labels).backward()
        self.optimizer.step()

    def loss(self, src: Tensor, tgt: Tensor, labels: Tensor) -> Tensor:
        """As the rival computes it; ours sees to its precision itself."""
        half = None if isinstance(self.model, OurLoss) else HALVES.get(self.precision)
        with torch.autocast(src.device.type, half, enabled=half is not None):
            return self.model.loss(src, tgt, labels, SMOOTHING)


def half_precision(on: str) -> str:
    """Name the half precision to compare in: a GPU may have one of the two only."""
    if on.startswith("cuda"):
        native = torch.cuda.is_bf16_supported(including_emulation=False)
        return "bf16" if native else "fp16"
    return "bf16"


def entries(on: str, half: str) -> dict[str, Entry]:
    """Name every rival on this kind of device."""
    found = {
        "plain, fp32": Entry(PlainTranslator),
        AS_IT_COMES: Entry(lambda config: TorchTranslator(config, drop_weights=True)),
        "torch.nn.Transformer, fp32": Entry(TorchTranslator),
        f"torch.nn.Transformer, {half}": Entry(TorchTranslator, half),
        "tt_utils, fp32": Entry(Transformer),
        f"tt_utils, {half}": Entry(Transformer, half),
    }
    if not on.startswith("cuda"):
        return found
    return found | {
        "torch.nn.Transformer, tf32": Entry(TorchTranslator, "tf32"),
        "tt_utils, tf32": Entry(Transformer, "tf32"),
        f"torch.nn.Transformer, {half}, compiled": Entry(TorchTranslator, half, True),
        f"tt_utils, {half}, compiled": Entry(Transformer, half, True),
    }


def shape(on: str) -> tuple[int, int, int]:
    """Give sentences, tokens in each, and steps in a turn: a GPU needs more to do."""
    return (256, 128, 5) if on.startswith("cuda") else (32, 64, 1)


def matmul_operations(config: TransformerConfig, rows: int, length: int) -> int:
    """Count one training step's floating-point operations in matrix products.

    Forward once, backward twice; a product of (m, k) and (k, n) counts 2·m·k·n.
    """
    d, ff = config.d_model, config.d_ff
    attention, feed_forward = 4 * d * d, 2 * d * ff
    weights = (
        config.n_encoder_layers * (attention + feed_forward)
        + config.n_decoder_layers * (2 * attention + feed_forward)
        + d * config.tgt_vocab_size
    )
    looks = (config.n_encoder_layers + 2 * config.n_decoder_layers) * 2 * length * d
    return 3 * 2 * rows * length * (weights + looks)


def matmul(precision: str, n: int, on: str) -> Callable[[], object]:
    """Multiply as much as a whole layer does, in the middle of the others' turns."""
    x = torch.randn(n, n, device=on).to(HALVES.get(precision, torch.float32))

    def multiply() -> None:
        torch.set_float32_matmul_precision("high" if precision == "tf32" else "highest")
        x @ x

    return multiply


def measure(size: str, rounds: int, on: str) -> list[dict[str, object]]:
    """Let all rivals learn in turns."""
    config = TransformerConfig(VOCAB, VOCAB, dropout=0.1, **SIZES[size])
    rows, length, steps = shape(on)
    torch.manual_seed(0)
    batch = [torch.randint(1, VOCAB, (rows, length), device=on) for _ in range(3)]
    named = entries(on, half_precision(on))

    def turn(stepper: Stepper) -> Callable[[], object]:
        return lambda: [stepper(*batch) for _ in range(steps)]

    turns = {name: turn(entry.stepper(config)) for name, entry in named.items()}
    n = 8_192 if on.startswith("cuda") else 2_048
    peaks = {
        precision: matmul(precision, n, on)
        for precision in {entry.precision for entry in named.values()}
    }
    times = interleaved(turns | peaks, rounds)
    operations = steps * matmul_operations(config, rows, length)
    card = card_peak(on)
    found = []
    for name, entry in named.items():
        busy = ratio(times[entry.precision], times[name])
        seconds = statistics.median(times[name])
        row = {
            "model": name,
            "tokens_per_second": steps * rows * length / seconds,
            **ratio(times[AS_IT_COMES], times[name]),
            "share_of_matmul_peak": operations / (2 * n**3) * busy["ratio"],
        }
        if card and entry.precision in HALVES:
            row["share_of_card_peak"] = operations / seconds / card
        found.append(row)
        print(row, flush=True)
    return found


def card_peak(on: str) -> float | None:
    """Look up the card's operations a second in half precision."""
    if not on.startswith("cuda"):
        return None
    name = torch.cuda.get_device_name(on)
    return next((peak for card, peak in CARDS.items() if card in name), None)


def main() -> None:
    """Measure one size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", choices=SIZES, default="small")
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    torch.set_num_threads(1)
    on = str(best_device())
    rows, length, _ = shape(on)
    found = measure(given.size, given.rounds, on)
    result = {"rows": found, "sentences": rows, "length": length}
    save(f"training_speed_{given.size}", result, on)


if __name__ == "__main__":
    main()
