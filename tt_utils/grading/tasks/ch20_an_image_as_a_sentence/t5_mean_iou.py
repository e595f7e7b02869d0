"""20.5 Two planted bugs: a mean IoU with a wrong union, and with classes that are absent."""

import numpy as np

from tt_utils.grading.tasks.inputs import fixed
from tt_utils.grading.tasks.spec import Check, FunctionTask

CLASS_BY_CLASS = """
def mean_iou(predicted, labels, n_classes):
    shares = []
    for c in range(n_classes):
        said, true = predicted == c, labels == c
        both = (said & true).sum()
        either = (said | true).sum()
        if either > 0:
            shares.append(both / either)
    return torch.stack(shares).mean()
"""

TABLE = """
def mean_iou(predicted, labels, n_classes):
    pairs = (labels * n_classes + predicted).flatten()
    table = torch.bincount(pairs, minlength=n_classes**2).view(n_classes, n_classes)
    both = table.diag()
    either = table.sum(0) + table.sum(1) - both
    present = either > 0
    return (both[present] / either[present]).mean()
"""

ONE_HOT = """
def mean_iou(predicted, labels, n_classes):
    said = F.one_hot(predicted, n_classes).bool().flatten(0, -2)
    true = F.one_hot(labels, n_classes).bool().flatten(0, -2)
    both = (said & true).sum(0)
    either = (said | true).sum(0)
    return (both / either).nanmean()
"""

PIXEL_BY_PIXEL = """
def mean_iou(predicted, labels, n_classes):
    pairs = list(zip(predicted.flatten().tolist(), labels.flatten().tolist()))
    shares = []
    for c in range(n_classes):
        both = sum(p == c and t == c for p, t in pairs)
        either = sum(p == c or t == c for p, t in pairs)
        if either:
            shares.append(both / either)
    return sum(shares) / len(shares)
"""

MISTAKES = """
as planted: either = (said | true).sum()\\n → either = said.sum() + true.sum()\\n
and: if either > 0:\\n            shares.append(both / either) → shares.append(both / either.clamp(min=1))
    Let a prediction be perfect, and draw it: what should the IoU of a class be, and what
    does this code give? Then leave one of the digits out of both maps: what does its
    class add to the mean?

absent classes as 0: if either > 0:\\n            shares.append(both / either) → shares.append(both / either.clamp(min=1))
or: return (both[present] / either[present]).mean() → return (both / either.clamp(min=1)).mean()
or: (both / either).nanmean() → (both / either).nan_to_num(0).mean()
or: len(shares) → n_classes
    The union is right now. One thing is left: a class that stands in neither map counts
    as if it had been missed. Has a model done anything wrong there?

shared pixels counted twice: either = (said | true).sum()\\n → either = said.sum() + true.sum()\\n
or: table.sum(1) - both → table.sum(1)
or: either = (said | true).sum(0) → either = said.sum(0) + true.sum(0)
or: either = sum(p == c or t == c for → either = sum((p == c) + (t == c) for
    Absent classes are right now. One thing is left: your union counts the pixels that
    both maps agree on twice, and a perfect prediction gets a half. How many pixels
    belong to either?

Dice: either = (said | true).sum()\\n → either = (said.sum() + true.sum()) / 2\\n
or: either = table.sum(0) + table.sum(1) - both → either = (table.sum(0) + table.sum(1)) / 2
or: either = (said | true).sum(0) → either = (said.sum(0) + true.sum(0)) / 2
    A perfect prediction gets 1, and others too much: you divide by the mean of the two
    areas, which is the Dice score. How many pixels belong to either map's area?

absent classes as 1: if either > 0:\\n            shares.append(both / either) → shares.append(both / either if either > 0 else torch.tensor(1.0))
or: return (both[present] / either[present]).mean() → return torch.where(present, both / either, 1.0).mean()
or: (both / either).nanmean() → (both / either).nan_to_num(1).mean()
    A class that stands in neither map counts as a success in yours. The fewer digits a
    scene has, the better you find the model: which classes can say anything?

absent classes as 1, by a small number: shares.append(both / either) → pass
and: if either > 0: → shares.append((both + 1) / (either + 1))\\n        if False:
or: return (both[present] / either[present]).mean() → return ((both + 1) / (either + 1)).mean()
or: (both / either).nanmean() → ((both + 1) / (either + 1)).mean()
    You add a number above and below the line. That is mild where areas are large: what
    does it give for a class that has few pixels, or none?

no number: return (both[present] / either[present]).mean() → return (both / either).mean()
or: (both / either).nanmean() → (both / either).mean()
or: if either > 0:\\n            shares.append(both / either) → shares.append(both / either)
    A class that stands in neither map gives 0/0 in yours, and the mean is no number. What
    does such a class say of the model?

classes of the labels alone: if either > 0: → if true.any():
or: present = either > 0 → present = table.sum(1) > 0
or: return (both / either).nanmean() → return (both / either)[true.any(0)].mean()
or: if either: → if any(t == c for _, t in pairs):
    A class that the model invented is left out in yours. It stands in one of the two
    maps: does such a mistake cost nothing?

classes of the prediction alone: if either > 0: → if said.any():
or: present = either > 0 → present = table.sum(0) > 0
or: return (both / either).nanmean() → return (both / either)[said.any(0)].mean()
or: if either: → if any(p == c for p, _ in pairs):
    A class that the model never found is left out in yours. It stands in one of the two
    maps: does missing it cost nothing?

classes that both know: if either > 0: → if both > 0:
or: present = either > 0 → present = both > 0
or: return (both / either).nanmean() → return (both / either)[both > 0].mean()
or: if either: → if both:
    You average the classes that were hit at least once. What does a class count that the
    model missed or invented?

classes that stand in both maps: if either > 0: → if said.any() and true.any():
or: present = either > 0 → present = (table.sum(0) > 0) & (table.sum(1) > 0)
or: return (both / either).nanmean() → return (both / either)[said.any(0) & true.any(0)].mean()
    A class has to stand in both maps in yours. What does a class count that the model
    missed or invented?

share of the pixels: return torch.stack(shares).mean() → return (predicted == labels).float().mean()
or: return (both[present] / either[present]).mean() → return both.sum() / table.sum()
or: return sum(shares) / len(shares) → return sum(p == t for p, t in pairs) / len(pairs)
    You count the pixels that are right. Most pixels are paper: what does a model get that
    sees nothing else?

recall: either = (said | true).sum()\\n → either = true.sum()\\n
or: either = table.sum(0) + table.sum(1) - both → either = table.sum(1)
or: either = (said | true).sum(0) → either = true.sum(0)
or: either = sum(p == c or t == c for → either = sum(t == c for
    You divide by what is there. Then a model gains by calling everything a digit: what
    belongs below the line as well?

precision: either = (said | true).sum()\\n → either = said.sum()\\n
or: either = table.sum(0) + table.sum(1) - both → either = table.sum(0)
or: either = (said | true).sum(0) → either = said.sum(0)
or: either = sum(p == c or t == c for → either = sum(p == c for
    You divide by what was said. Then a model gains by naming only the surest pixel: what
    belongs below the line as well?

over the smaller area: either = (said | true).sum()\\n → either = min(said.sum(), true.sum())\\n
or: either = table.sum(0) + table.sum(1) - both → either = torch.minimum(table.sum(0), table.sum(1))
or: either = (said | true).sum(0) → either = torch.minimum(said.sum(0), true.sum(0))
    You divide by the smaller area. Which pixels belong to one map's area or the other's?

over the larger area: either = (said | true).sum()\\n → either = max(said.sum(), true.sum())\\n
or: either = table.sum(0) + table.sum(1) - both → either = torch.maximum(table.sum(0), table.sum(1))
or: either = (said | true).sum(0) → either = torch.maximum(said.sum(0), true.sum(0))
    You divide by the larger area. Which pixels belong to one map's area or the other's?

either, but not both: either = (said | true).sum()\\n → either = (said ^ true).sum()\\n
or: either = table.sum(0) + table.sum(1) - both → either = table.sum(0) + table.sum(1) - 2 * both
or: either = (said | true).sum(0) → either = (said ^ true).sum(0)
    You divide by the pixels on which the maps disagree. Do those on which they agree
    belong to the union?

over all pixels: shares.append(both / either) → shares.append(both / labels.numel())
or: either[present] → table.sum()
    You divide by all pixels. Which pixels does the IoU of one class speak of?

over all pixels, absent ones too: either = (said | true).sum()\\n → either = labels.numel()\\n
or: return (both[present] / either[present]).mean() → return (both / table.sum()).mean()
or: return (both / either).nanmean() → return (both / len(said)).mean()
    You divide by all pixels, and by all classes. Which pixels does the IoU of one class
    speak of?

one division for all: return torch.stack(shares).mean() → return shares[0] if len(shares) == 1 else sum(((predicted == c) & (labels == c)).sum() for c in range(n_classes)) / sum(((predicted == c) | (labels == c)).sum() for c in range(n_classes))
or: return (both[present] / either[present]).mean() → return both.sum() / either.sum()
or: return (both / either).nanmean() → return both.sum() / either.sum()
    You add up all classes and divide once, so the paper decides. How much does each class
    count in a mean?

weighted by the pixels: return (both[present] / either[present]).mean() → return (both / either * table.sum(1)).nansum() / table.sum()
or: return (both / either).nanmean() → return (both / either * true.float().mean(0)).nansum()
    Your classes count by how many pixels they have. How much does each class count in a
    plain mean?

mean of the images: def mean_iou(predicted, labels, n_classes): → def mean_iou(predicted, labels, n_classes):\\n    if len(predicted) > 1:\\n        return torch.stack([torch.as_tensor(mean_iou(p[None], t[None], n_classes)) for p, t in zip(predicted, labels)]).mean()
    You take the mean IoU of each image and then the mean of those. A digit of one scene
    counts more the fewer there are in it: over which pixels does the task take a class?

mean over classes of the images' shares: return torch.stack(shares).mean() → one = lambda p, t, c: ((p == c) & (t == c)).sum() / ((p == c) | (t == c)).sum()\\n    return torch.stack([torch.stack([one(p, t, c) for p, t in zip(predicted, labels)]).nanmean() for c in range(n_classes)]).nanmean()
    You average each class over the images first. Then an image with three pixels of a
    digit counts as much as one with thirty: what is added up before the division?

first image alone: def mean_iou(predicted, labels, n_classes): → def mean_iou(predicted, labels, n_classes):\\n    predicted, labels = predicted[:1], labels[:1]
    Yours looks at the first image alone. How many are in the batch?

paper left out: range(n_classes) → range(1, n_classes)
or: return (both[present] / either[present]).mean() → return (both[1:][present[1:]] / either[1:][present[1:]]).mean()
or: (both / either).nanmean() → (both / either)[1:].nanmean()
    Class 0, the paper, has no part in yours. Does the task make an exception of it?

last class left out: range(n_classes) → range(n_classes - 1)
or: return (both[present] / either[present]).mean() → return (both[:-1][present[:-1]] / either[:-1][present[:-1]]).mean()
or: (both / either).nanmean() → (both / either)[:-1].nanmean()
    The last class has no part in yours. Which number does it have, when they begin at 0?

shares of the classes: return torch.stack(shares).mean() → return torch.stack(shares)
or: return (both[present] / either[present]).mean() → return both[present] / either[present]
or: return sum(shares) / len(shares) → return shares
    You return one number for each class. How do they become one?

sum of the shares: return torch.stack(shares).mean() → return torch.stack(shares).sum()
or: (both / either).nanmean() → (both / either).nansum()
or: return sum(shares) / len(shares) → return sum(shares)
    The more classes a scene has, the larger your result. What makes a mean of a sum?

worst class: torch.stack(shares).mean() → torch.stack(shares).min()
or: return sum(shares) / len(shares) → return min(shares)
    You return the class that did worst. What is asked for?

middle class: torch.stack(shares).mean() → torch.stack(shares).quantile(0.5)
or: return (both / either).nanmean() → return (both / either).nanquantile(0.5)
    You return the median of the classes. What is asked for?

percent: return torch.stack(shares).mean() → return 100 * torch.stack(shares).mean()
or: (both / either).nanmean() → (both / either).nanmean() * 100
or: return sum(shares) / len(shares) → return 100 * sum(shares) / len(shares)
    You return percent. Between which two numbers does a share lie?

what is wrong: return torch.stack(shares).mean() → return 1 - torch.stack(shares).mean()
or: return (both / either).nanmean() → return 1 - (both / either).nanmean()
    A perfect prediction gets 0 in yours: that is a loss. Which way round is it asked for?
"""


def maps(batch, height, width, n_classes, right=0.6, said=None, true=None):
    """Label maps of patches of colour, and predictions of which so many are right.

    `said` and `true` list the classes that may stand in either map, all if left out.
    Every listed class does, and each has pixels that are missed and invented.
    """
    shape = batch, height, width
    said = range(n_classes) if said is None else said
    true = range(n_classes) if true is None else true

    def inputs(rng):
        weights = np.arange(len(true), 0, -1) ** 1.5
        while True:
            labels = rng.choice(list(true), shape, p=weights / weights.sum())
            others = rng.choice(list(said), shape)
            known = np.isin(labels, list(said)) & (rng.random(shape) < right)
            predicted = np.where(known, labels, others)
            if set(labels.flat) == set(true) and set(predicted.flat) == set(said):
                return predicted, labels, n_classes

    return inputs


def nearly_perfect(batch, height, width, n_classes):
    """Three pixels are wrong."""

    def inputs(rng):
        while True:
            labels = rng.integers(n_classes, size=(batch, height, width))
            if len(set(labels.flat)) == n_classes:
                break
        predicted = labels.copy()
        where = rng.choice(labels.size, 3, replace=False)
        predicted.flat[where] = (labels.flat[where] + 1) % n_classes
        return predicted, labels, n_classes

    return inputs


def nothing_right(rng):
    """Two classes, each taken for the other."""
    labels = rng.permutation(np.arange(15) % 2).reshape(1, 3, 5)
    return 1 - labels, labels, 2


def paper_alone(rng):
    """A scene of little ink, and a model that sees none of it."""
    labels = np.zeros((1, 5, 7), int)
    labels.flat[rng.choice(35, rng.integers(3, 10), replace=False)] = 1
    return np.zeros_like(labels), labels, 2


def uneven(rng):
    """A class fills one image, and has two pixels in another."""
    labels = np.zeros((3, 5, 7), int)
    labels[0, :4] = 1
    labels[1, 0, :2] = 1
    labels[1, 2:, :3] = labels[2, 1:3] = 2
    predicted = labels.copy()
    for image, flips in enumerate((rng.integers(2, 5), 7, rng.integers(4, 7))):
        where = rng.choice(35, flips, replace=False)
        predicted[image].flat[where] = (labels[image].flat[where] + 1) % 3
    return predicted, labels, 3


EXAMPLE = np.array([[[0, 0, 1, 1]]]), np.array([[[0, 1, 1, 1]]])

TASK = FunctionTask(
    title="Mean IoU, honestly",
    kind="find the bug",
    answers=("mean_iou",),
    arguments=("predicted", "labels", "n_classes"),
    outputs=("mean",),
    arrays="torch",
    right=(CLASS_BY_CLASS, TABLE, ONE_HOT, PIXEL_BY_PIXEL),
    mistakes=MISTAKES,
    checks=(
        Check("nothing is right", nothing_right, earns=False),
        Check(
            "four pixels of two classes, as in the example",
            fixed(*EXAMPLE, 2),
            fresh=maps(1, 2, 3, 2),
        ),
        Check("nearly all is right, five classes", nearly_perfect(2, 3, 5, 5)),
        Check("a model that sees paper alone", paper_alone),
        Check(
            "two of five classes are absent",
            maps(1, 5, 7, 5, said=(0, 1, 3), true=(0, 1, 3)),
        ),
        Check("the last class is absent", maps(1, 5, 7, 3, said=(0, 1), true=(0, 1))),
        Check("the model invents a class", maps(1, 5, 7, 3, true=(0, 1))),
        Check("the model never finds a class", maps(1, 5, 7, 4, said=(0, 1, 3))),
        Check("an image full of a digit, one with little of it", uneven),
        Check("eleven classes, three images", maps(3, 5, 7, 11)),
    ),
    hints=(
        "Take a perfect prediction, and go through the lines for one class: what are "
        "`both` and `either`? Then for a class that stands nowhere.",
        "Draw the two areas of a class as circles that overlap. Which pixels does the sum "
        "of both areas count twice?",
    ),
    section="Going further",
    why="The union counts each pixel once, so a perfect class gets 1; and a class that "
    "stands in neither map says nothing about the model, good or bad. Small classes count "
    "as much as the paper, which the share of right pixels hides.",
)
