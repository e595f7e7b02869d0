"""How good drawn digits are: legible, no copies, and not all alike."""

from collections.abc import Callable

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tt_utils.data.digits import Digits, Distortion, distort

Images = Float[Tensor, "batch channels height width"]
Labels = Int[Tensor, " batch"]
Judge = Callable[[Images], Labels]


def learn_judge(
    digits: Digits,
    copies: int = 5,
    distortion: Distortion | None = None,
    seed: int = 0,
) -> Judge:
    """Train a support vector machine to say which digit an image shows.

    It learns the digits and `copies` distorted ones of each; it has nothing in common
    with a model that draws.
    """
    from sklearn.svm import SVC

    luck = torch.Generator().manual_seed(seed)
    how = distortion or Distortion()
    images = [digits.images]
    images += [distort(digits.images, how, luck) for _ in range(copies)]
    rows = torch.cat(images).flatten(1).numpy()
    machine = SVC(C=10.0).fit(rows, digits.labels.repeat(copies + 1).numpy())
    return lambda found: torch.from_numpy(machine.predict(found.flatten(1).numpy()))


def nearest(
    images: Images, others: Float[Tensor, "others channels height width"]
) -> tuple[Float[Tensor, " batch"], Int[Tensor, " batch"]]:
    """Give each image's distance to the nearest of the others, and which that is.

    The distance is Euclidean, over all pixels.
    """
    exact = "donot_use_mm_for_euclid_dist"
    found = torch.cdist(images.flatten(1), others.flatten(1), compute_mode=exact)
    distance, which = found.min(dim=1)
    return distance, which


def spread(images: Images, labels: Labels) -> float:
    """Give the mean distance of two images with the same label, over the labels.

    Raises:
        ValueError: a label stands on one image alone.
    """
    means = []
    for label in labels.unique():
        rows = images[labels == label].flatten(1)
        if len(rows) < 2:
            raise ValueError(
                f"spread: a single image is labelled {int(label)}; give two at least."
            )
        means.append(torch.pdist(rows).mean())
    return torch.stack(means).mean().item()


def draw_by_frequency(
    codes: Int[Tensor, "images patches"],
    shown: Int[Tensor, " images"],
    labels: Labels,
    generator: torch.Generator | None = None,
) -> Int[Tensor, "batch patches"]:
    """Draw each code as often as it stands at its place in images with the label.

    Every place is drawn by itself, so this is what a model must beat that knows how
    the places hang together.

    Raises:
        ValueError: no image has one of the labels.
    """
    drawn = torch.empty(len(labels), codes.shape[1], dtype=codes.dtype)
    for label in labels.unique():
        rows = codes[shown == label]
        if not len(rows):
            raise ValueError(f"draw_by_frequency: no image shows {int(label)}.")
        places = labels == label
        size = int(places.sum()), codes.shape[1]
        chosen = torch.randint(len(rows), size, generator=generator)
        drawn[places] = rows.gather(0, chosen)
    return drawn


def told_apart(images: Images, others: Images) -> float:
    """Give how often a judge can tell from which of two sets an image comes.

    A support vector machine learns from nine tenths of both, and is asked for the last
    one, in turn. Of sets of equal size, 0.5 is guessing. A classifier two-sample test.
    Source: Lopez-Paz and Oquab 2017.
    """
    from sklearn.model_selection import StratifiedKFold, cross_val_score
    from sklearn.svm import SVC

    rows = torch.cat([images, others]).flatten(1).numpy()
    of_others = torch.arange(len(rows)) >= len(images)
    tenths = StratifiedKFold(10, shuffle=True, random_state=0)
    return float(
        cross_val_score(SVC(C=10.0), rows, of_others.numpy(), cv=tenths).mean()
    )
