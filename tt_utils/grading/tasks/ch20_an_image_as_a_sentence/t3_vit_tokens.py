"""20.3 What a Vision Transformer reads: a token in front, patches, and positions."""

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

JOINED = """
def vit_tokens(patches, W, b, first, positions):
    x = patches @ W + b
    front = first.expand(len(x), 1, -1)
    x = torch.cat([front, x], dim=1)
    return x + positions[: x.shape[1]]
"""

FILLED = """
def vit_tokens(patches, W, b, first, positions):
    batch, n, _ = patches.shape
    tokens = torch.zeros(batch, n + 1, len(b))
    tokens[:, 0] = first + positions[0]
    tokens[:, 1:] = F.linear(patches, W.T, b) + positions[1 : n + 1]
    return tokens
"""

IMAGE_BY_IMAGE = """
def vit_tokens(patches, W, b, first, positions):
    images = []
    for image in patches:
        tokens = [first] + [patch @ W + b for patch in image]
        images.append(torch.stack([x + p for x, p in zip(tokens, positions)]))
    return torch.stack(images)
"""

MISTAKES = """
no position in front: return x + positions[: x.shape[1]] → return torch.cat([front, x[:, 1:] + positions[1 : x.shape[1]]], dim=1)
or: tokens[:, 0] = first + positions[0] → tokens[:, 0] = first
    Your token in front has no position, and the patches have theirs. Which row of
    `positions` is its own?

positions before the token: x = patches @ W + b → x = patches @ W + b + positions[: patches.shape[1]]
and: return x + positions[: x.shape[1]] → return x
or: tokens[:, 0] = first + positions[0] → tokens[:, 0] = first
and: positions[1 : n + 1] → positions[:n]
    You added the positions while the token in front wasn't there yet. Who has row 0 now,
    and who should?

row 0 twice: x = patches @ W + b → x = patches @ W + b + positions[: patches.shape[1]]
and: front = first.expand → front = (first + positions[0]).expand
and: return x + positions[: x.shape[1]] → return x
or: positions[1 : n + 1] → positions[:n]
    Your first patch has the same position as the token in front of it. At which row does
    the first patch stand?

no positions: return x + positions[: x.shape[1]] → return x
or: tokens[:, 0] = first + positions[0] → tokens[:, 0] = first
and: F.linear(patches, W.T, b) + positions[1 : n + 1] → F.linear(patches, W.T, b)
or: x + p for x, p → x for x, p
    Your tokens would be the same if the patches were shuffled, apart from their order.
    What tells a model where a patch lay?

position of the token in front alone: return x + positions[: x.shape[1]] → return torch.cat([x[:, :1] + positions[0], x[:, 1:]], dim=1)
or: F.linear(patches, W.T, b) + positions[1 : n + 1] → F.linear(patches, W.T, b)
    Your patches have no positions. Who else needs one?

one position for all: return x + positions[: x.shape[1]] → return x + positions[0]
or: positions[1 : n + 1] → positions[0]
    Every token gets the first row of `positions`. What does each position have of its
    own?

position of the image: return x + positions[: x.shape[1]] → return x + positions[: len(x), None]
or: positions[1 : n + 1] → positions[:batch, None]
and: first + positions[0] → first + positions[:batch]
    Your first image gets one position, your second another. Do positions count images or
    tokens?

positions from the end: positions[: x.shape[1]] → positions[len(positions) - x.shape[1] :]
or: first + positions[0] → first + positions[len(positions) - n - 1]
and: positions[1 : n + 1] → positions[len(positions) - n :]
or: zip(tokens, positions) → zip(tokens, positions[len(positions) - len(tokens) :])
    You take the last rows of `positions`. There may be more rows than tokens: at which
    one does counting begin?

positions from 1: positions[: x.shape[1]] → positions[(torch.arange(x.shape[1]) + 1) % len(positions)]
or: zip(tokens, positions) → zip(tokens, positions.roll(-1, 0))
    Your token in front gets row 1, the first patch row 2, and so on. At which row does
    counting begin?

token in front uses the last row: return x + positions[: x.shape[1]] → return torch.cat([x[:, :1] + positions[-1], x[:, 1:] + positions[: x.shape[1] - 1]], dim=1)
or: first + positions[0] → first + positions[-1]
and: positions[1 : n + 1] → positions[:n]
    The token in front takes a row from the end in yours, and the patches begin at row 0.
    Which row belongs to the token that stands first?

positions in reverse: positions[: x.shape[1]] → positions[: x.shape[1]].flip(0)
or: zip(tokens, positions) → zip(tokens, positions[: len(tokens)].flip(0))
    Your last patch gets row 0. Who stands first?

positions multiplied: return x + positions → return x * positions
or: first + positions[0] → first * positions[0]
and: W.T, b) + positions → W.T, b) * positions
or: x + p for → x * p for
    You multiplied by the positions. A row of zeros would wipe out its token: how is a
    position brought in?

positions within the projection: x = patches @ W + b → x = (patches + positions[: patches.shape[1], : patches.shape[2]]) @ W + b
and: return x + positions[: x.shape[1]] → return x
    You added positions to the pixels. How wide is a row of `positions`?

token behind: torch.cat([front, x], dim=1) → torch.cat([x, front], dim=1)
or: tokens[:, 0] = first + positions[0] → tokens[:, n] = first + positions[n]
and: tokens[:, 1:] = F.linear(patches, W.T, b) + positions[1 : n + 1] → tokens[:, :n] = F.linear(patches, W.T, b) + positions[:n]
or: [first] + [patch @ W + b for patch in image] → [patch @ W + b for patch in image] + [first]
    Your extra token stands behind the patches. At which position will the classifier
    read?

token behind, positions in front: return x + positions[: x.shape[1]] → return (x + positions[: x.shape[1]]).roll(-1, 1)
or: tokens[:, 0] = → tokens[:, n] =
and: tokens[:, 1:] = → tokens[:, :n] =
    The numbers are right, and the token in front is the last one. Where will the
    classifier read?

no token in front: x = torch.cat([front, x], dim=1) → pass
or: [first] + [patch @ W + b for patch in image] → [patch @ W + b for patch in image]
    Yours has as many tokens as patches. Which one gathers what the others know?

token in front without its position's row: x = torch.cat([front, x], dim=1) → pass
and: positions[: x.shape[1]] → positions[1 : x.shape[1] + 1]
or: return tokens → return tokens[:, 1:]
    The patches are right, and nothing stands in front of them. What is `first` for?

token in place of a patch: x = torch.cat([front, x], dim=1) → x = torch.cat([front, x[:, 1:]], dim=1)
or: [first] + [patch @ W + b for patch in image] → [first] + [patch @ W + b for patch in image[1:]]
    Your token took the place of the first patch. How many tokens are there in all?

token on every patch: x = torch.cat([front, x], dim=1) → x = x + front
    You added `first` to each patch. Is it a token, or a part of the others?

token for one image alone: front = first.expand(len(x), 1, -1) → front = F.pad(first[None, None], (0, 0, 0, 0, 0, len(x) - 1))
or: tokens[:, 0] = first + positions[0] → tokens[:, 0] = positions[0]; tokens[0, 0] += first
    The first image alone gets your token in front. How do the others come by it?

zeros in front: front = first.expand → front = torch.zeros_like(first).expand
or: tokens[:, 0] = first + positions[0] → tokens[:, 0] = positions[0]
or: [first] + → [torch.zeros_like(first)] +
    Zeros stand in front in yours. Which argument has been learned for that?

mean in front: front = first.expand(len(x), 1, -1) → front = x.mean(1, keepdim=True)
or: first + positions[0] → F.linear(patches, W.T, b).mean(1) + positions[0]
    You put the mean of the patches in front. What stands there before the model has read
    anything?

first patch in front: front = first.expand(len(x), 1, -1) → front = x[:, :1]
    You doubled the first patch. Which argument goes in front?

no bias: patches @ W + b → patches @ W
or: F.linear(patches, W.T, b) → F.linear(patches, W.T)
or: patch @ W + b → patch @ W
    A black patch, all zeros, comes out as zeros plus its position in yours. What is
    added in the projection?

bias in front as well: front = first.expand → front = (first + b).expand
or: first + positions[0] → first + b + positions[0]
or: [first] + → [first + b] +
    Your token in front has the projection's bias. Does it go through the projection?

bias in front alone: x = patches @ W + b → x = patches @ W
and: front = first.expand → front = (first + b).expand
or: first + positions[0] → first + b + positions[0]
and: F.linear(patches, W.T, b) → F.linear(patches, W.T)
    Your bias has gone to the token in front. Which tokens are projected?

scaled by the width: return x + positions → return math.sqrt(len(b)) * x + positions
or: zip(tokens, positions)] → zip(math.sqrt(len(b)) * torch.stack(tokens), positions)]
    Yours are multiplied by the root of the width, as the words' vectors are in the first
    Transformer. Does this task ask for that?

patches scaled by the width: x = patches @ W + b → x = (patches @ W + b) * math.sqrt(len(b))
or: F.linear(patches, W.T, b) → math.sqrt(len(b)) * F.linear(patches, W.T, b)
    Your patches are multiplied by the root of the width. Does this task ask for that?

an activation: x = patches @ W + b → x = (patches @ W + b).relu()
or: F.linear(patches, W.T, b) → F.relu(F.linear(patches, W.T, b))
or: patch @ W + b → (patch @ W + b).relu()
    Numbers below zero vanish in your projection. Is there an activation in it?

patches in reverse: x = patches @ W + b → x = patches.flip(1) @ W + b
or: F.linear(patches, → F.linear(patches.flip(1),
or: for patch in image → for patch in image.flip(0)
    Your patches stand in reverse. Which one comes first?

token in front alone: return x + positions[: x.shape[1]] → return (x + positions[: x.shape[1]])[:, 0]
or: return tokens → return tokens[:, 0]
    You return the token in front alone, as the classifier will. What do the layers before
    it read?

all positions: return x + positions[: x.shape[1]] → return F.pad(x, (0, 0, 0, len(positions) - x.shape[1])) + positions
    Yours has a token for every row of `positions`. How many are there?

tokens in the last axis: return x + positions[: x.shape[1]] → return (x + positions[: x.shape[1]]).mT
or: return tokens → return tokens.mT
    Each token runs down a column in yours. Which axis is the last one in this book?

sentence dissolved: return x + positions[: x.shape[1]] → return (x + positions[: x.shape[1]]).flatten(0, 1)
or: return tokens → return tokens.flatten(0, 1)
    The tokens of all images stand in one long row. Which of them may attend to one
    another?
"""


def images(batch, n, numbers, d_model, rows=None, zero=()):
    """Patches, weights and positions of these sizes; some of them all zeros.

    `zero` names them by their letters: W, b, first (f), positions (p).
    """

    def inputs(rng):
        shapes = {
            "x": (batch, n, numbers),
            "W": (numbers, d_model),
            "b": (d_model,),
            "f": (d_model,),
            "p": (n + 3 if rows is None else rows, d_model),
        }
        drawn = {k: rng.normal(scale=1.5, size=s).round(1) for k, s in shapes.items()}
        return tuple(0 * x if name in zero else x for name, x in drawn.items())

    return inputs


EXAMPLE = (
    np.array([[[1.0, 2.0], [3.0, 4.0]]]),
    np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 0.0]]),
    np.array([0.0, 0.0, 1.0]),
    np.array([7.0, 7.0, 7.0]),
    np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9], [0.0, 0.0, 0.0]]),
)

TASK = FunctionTask(
    title="The tokens of a Vision Transformer",
    kind="implement",
    answers=("vit_tokens",),
    arguments=("patches", "W", "b", "first", "positions"),
    outputs=("tokens",),
    arrays="torch",
    rtol=1e-4,
    atol=1e-4,
    right=(JOINED, FILLED, IMAGE_BY_IMAGE),
    mistakes=MISTAKES,
    checks=(
        Check("patches projected, no positions yet", images(1, 3, 5, 2, zero="bp")),
        Check("with the bias", images(1, 3, 5, 2, zero="p")),
        Check("positions alone", images(1, 5, 3, 2, zero="Wbf")),
        Check("token in front and positions", images(1, 3, 2, 5, zero="Wb")),
        Check(
            "two patches, as in the example",
            lambda rng: EXAMPLE,
            fresh=images(1, 2, 2, 3, 4),
        ),
        Check("as many positions as tokens", images(1, 5, 7, 3, rows=6)),
        Check("three images", images(3, 7, 2, 5)),
        Check("five images, positions for more patches", images(5, 11, 13, 7, rows=29)),
    ),
    hints=(
        "Write down the rows of the result for an image of two patches: what is added up "
        "in each? How many rows of `positions` do you need?",
        "Put the token in front first, for each image, and then look at the shape: which "
        "rows of `positions` fit?",
    ),
    section="Twenty-five words",
    why="The token in front is learned, the same for all images, and a token like any "
    "other: it has position 0, and the patches begin at 1. No pixel says where a patch "
    "lay, so the position is all that the model knows of that.",
)
