"""How well are digits found in scenes, and what do queries made of proposals change?

The recipe of `tt_utils.training.recipes_detection`: ten proposals become the decoder's
queries. Beside it, with the same steps, learned queries as in DETR, and the proposals
of all patches alone; and a Vision Transformer that classifies windows which slide over
the scene. Each is scored on 500 scenes made of the test digits, as it is and after
non-maximum suppression; on the way, on 200 scenes made of the validation digits.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import torch
import torch.nn.functional as F
from record import save

from tt_utils.data.digits import Digits, load_digits, seed_of
from tt_utils.data.examples import ImageBatch
from tt_utils.data.scenes import (
    EMPTY,
    INK,
    SCENE,
    SceneBatch,
    SceneBatches,
    make_scenes,
    tight_boxes,
)
from tt_utils.evaluation.boxes import average_precision, count, without_duplicates
from tt_utils.models.detector import Detections, Detector
from tt_utils.models.vit import ViT, ViTConfig
from tt_utils.runtime import seed_everything
from tt_utils.training.loop import Step, train
from tt_utils.training.recipes_detection import ROWS, TRAINING, detector_config

TEST, VALID = 500, 200  # scenes
LEAST = 0.01  # boxes with a lower score aren't looked at
QUERIES = {
    "proposals as queries": "proposals",
    "learned queries": "learned",
    "proposals alone": "patches",
}
SLIDING = "sliding window"
# Windows, in pixels; each is scaled to the first size. A digit fills 0.6 to 1 of its.
SIZES, STEP = (8, 10, 12), 1
KINDS = 11  # ten digits and "nothing"
WINDOWS = {"image": 8, "patch": 4, "stride": 2, "n_labels": KINDS, "max_len": 10}
LAYERS = {"n_layers": 3, "d_model": 64, "d_ff": 128, "n_heads": 4, "dropout": 0.0}
PER_BATCH = 256  # windows


def main() -> None:
    """Train every variant from every seed, then measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--variants", nargs="+", default=[*QUERIES, SLIDING])
    parser.add_argument("--steps", type=int, default=TRAINING.steps)
    given = parser.parse_args()
    torch.set_num_threads(1)  # the models are tiny
    rows = []
    for seed in given.seeds:
        for name in given.variants:
            found = (
                slide(seed, given.steps)
                if name == SLIDING
                else detect(QUERIES[name], seed, given.steps)
            )
            rows.append({"variant": name, "seed": seed} | found)
            print(rows[-1], flush=True)
            save("detection", {"rows": rows})


def detect(queries: str, seed: int, steps: int) -> dict[str, Any]:
    """Train a detector; score it on the way and in the end."""
    digits, valid, test = load_digits()
    seed_everything(seed)
    model = Detector(detector_config(queries=queries))
    looks = make_scenes(valid, VALID, "validation")
    curve, spent = [], 0.0

    def look(step: Step) -> None:
        nonlocal spent
        if (step.number + 1) % max(steps // 10, 1) == 0:
            start = time.process_time()
            model.eval()
            ap = average_precision(model.find(looks.images, LEAST), looks)
            curve.append({"step": step.number + 1, "ap50": round(ap, 4)})
            spent += time.process_time() - start

    start = time.process_time()
    config = replace(TRAINING, seed=seed, steps=steps)
    train(model, SceneBatches(digits, ROWS), config, look)
    seconds = time.process_time() - start - spent
    scenes = make_scenes(test, TEST, "test")
    found = model.find(scenes.images, LEAST)
    return described(model, steps, seconds, found, scenes) | {"curve": curve}


def described(
    model: torch.nn.Module,
    steps: int,
    seconds: float,
    found: list[Detections],
    scenes: SceneBatch,
) -> dict[str, Any]:
    """Say what was trained, and score what it found, before and after suppression."""
    return {
        "parameters": sum(p.numel() for p in model.parameters()),
        "steps": steps,
        "cpu_seconds": round(seconds, 1),
        "as it is": scores(found, scenes),
        "suppressed": scores([without_duplicates(each) for each in found], scenes),
    }


def scores(found: list[Detections], scenes: SceneBatch) -> dict[str, Any]:
    """Give AP50, AP75, and the counts of boxes with a score above one half."""
    return {
        "ap50": round(average_precision(found, scenes, 0.5), 4),
        "ap75": round(average_precision(found, scenes, 0.75), 4),
        "objects": int((scenes.labels != EMPTY).sum()),
    } | asdict(count(found, scenes))


# The sliding window


@dataclass(frozen=True)
class WindowBatches:
    """Windows of fresh scenes with the digit that fills each, or "nothing".

    Half of the windows are around a digit, the others anywhere.
    """

    digits: Digits

    def epoch(self, seed: int | str = 0, start: int = 0) -> Iterator[ImageBatch]:
        """Yield batches of windows from number `start` on."""
        for number in range(start, 100):
            scenes = make_scenes(self.digits, PER_BATCH // 2, f"{seed} {number}")
            luck = torch.Generator().manual_seed(seed_of(f"windows {seed} {number}"))
            yield windows_of(scenes, luck)

    def fingerprint(self) -> str:
        """Tell these batches from others."""
        return f"windows of {len(self.digits)} digits"


def windows_of(scenes: SceneBatch, luck: torch.Generator) -> ImageBatch:
    """Cut two windows from each scene: one near its first digit, one anywhere."""
    rows = len(scenes.labels)
    images, labels = [], []
    for near in (True, False):
        size = torch.tensor(SIZES)[torch.randint(len(SIZES), (rows,), generator=luck)]
        place = torch.rand(rows, 2, generator=luck) * (SCENE - size[:, None] + 1)
        if near:
            box = scenes.boxes[:, 0] * SCENE
            fits = torch.tensor(SIZES) >= (box[:, 2:] - box[:, :2]).amax(1)[:, None]
            size = torch.tensor(SIZES)[fits.byte().argmax(dim=1)]
            middle = (box[:, :2] + box[:, 2:] - size[:, None]) / 2
            place = middle + torch.rand(rows, 2, generator=luck) * 2 - 0.5
        place = place.long().clamp(min=0).minimum(SCENE - size[:, None])
        ends = torch.cat([place, place + size[:, None]], dim=1)
        images.append(cut(scenes.images, ends))
        labels.append(filling(scenes, ends[:, None])[:, 0])
    return ImageBatch(torch.cat(images), torch.cat(labels))


def cut(images: torch.Tensor, ends: torch.Tensor) -> torch.Tensor:
    """Cut a window from each image, at its ends, and scale it."""
    side = WINDOWS["image"]
    share = (torch.arange(side) + 0.5) / side  # where a pixel's middle is
    at = ends[:, :2, None] + (ends[:, 2:] - ends[:, :2])[:, :, None] * share
    x, y = (at / SCENE * 2 - 1).unbind(dim=1)  # (rows, side) each
    x, y = x[:, None].expand(-1, side, -1), y[:, :, None].expand(-1, -1, side)
    return F.grid_sample(images, torch.stack([x, y], dim=-1), align_corners=False)


def filling(scenes: SceneBatch, ends: torch.Tensor) -> torch.Tensor:
    """Say which digit fills each window: whole, in the middle, in no smaller size."""
    boxes = (scenes.boxes * SCENE)[:, None]  # (rows, 1, most, 4)
    ends = ends[:, :, None].float()  # (rows, windows, 1, 4)
    whole = (ends[..., :2] <= boxes[..., :2]) & (ends[..., 2:] >= boxes[..., 2:])
    apart = (ends[..., :2] + ends[..., 2:] - boxes[..., :2] - boxes[..., 2:]) / 2
    sizes = torch.tensor(SIZES)
    longest = (boxes[..., 2:] - boxes[..., :2]).amax(dim=-1)
    best = sizes[(sizes >= longest[..., None]).byte().argmax(dim=-1)]
    size = ends[..., 2] - ends[..., 0]
    fits = whole.all(-1) & (apart.abs() <= 1).all(-1) & (size == best)
    fits &= scenes.labels[:, None] != EMPTY
    first = fits.byte().argmax(dim=-1)
    label = scenes.labels.gather(1, first)
    return torch.where(fits.any(dim=-1), label, KINDS - 1)


def slide(seed: int, steps: int) -> dict[str, Any]:
    """Train a classifier of windows, then slide it over the scenes."""
    digits, _, test = load_digits()
    seed_everything(seed)
    model = ViT(ViTConfig(**WINDOWS | LAYERS))
    start = time.process_time()
    config = replace(TRAINING, seed=seed, steps=steps)
    train(model, WindowBatches(digits), config)
    seconds = time.process_time() - start
    scenes = make_scenes(test, TEST, "test")
    start = time.process_time()
    found = [window_boxes(model.eval(), image) for image in scenes.images]
    sliding = round(time.process_time() - start, 1)
    found_so = described(model, steps, seconds, found, scenes)
    return found_so | {"windows": len(all_windows()), "sliding_seconds": sliding}


def all_windows() -> torch.Tensor:
    """Give the ends of every window of every size."""
    ends = [
        (x, y, x + size, y + size)
        for size in SIZES
        for y in range(0, SCENE - size + 1, STEP)
        for x in range(0, SCENE - size + 1, STEP)
    ]
    return torch.tensor(ends)


@torch.inference_mode()
def window_boxes(model: ViT, image: torch.Tensor) -> Detections:
    """Classify all windows of a scene; a box is tight around the window's ink."""
    ends = all_windows()
    pieces = cut(image.expand(len(ends), 1, SCENE, SCENE), ends)
    scores, labels = model(pieces).softmax(dim=-1)[:, :-1].max(dim=-1)
    x = torch.arange(SCENE)
    across = (x >= ends[:, :1]) & (x < ends[:, 2:3])  # (windows, SCENE)
    down = (x >= ends[:, 1:2]) & (x < ends[:, 3:])
    inked = (image[0] > INK) & down[:, :, None] & across[:, None]
    kept = (scores > LEAST) & inked.any(dim=2).any(dim=1)
    boxes = tight_boxes(inked[kept]) / SCENE
    return Detections(boxes, labels[kept], scores[kept])


if __name__ == "__main__":
    main()
