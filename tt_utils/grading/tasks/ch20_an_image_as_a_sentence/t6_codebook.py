"""20.6 Patches written as the codes of a codebook, and read back as an image."""

import numpy as np

from tt_utils.grading.observing import probes
from tt_utils.grading.tasks.spec import Check, FunctionTask

DIFFERENCES = """
def to_codes(patches, codebook):
    gaps = patches[:, None] - codebook
    distances = (gaps**2).sum(dim=-1)
    return distances.argmin(dim=1)

def to_image(codes, codebook, columns):
    size = math.isqrt(codebook.shape[1])
    rows = len(codes) // columns
    grid = codebook[codes].reshape(rows, columns, size, size)
    grid = grid.permute(0, 2, 1, 3)
    return grid.reshape(rows * size, columns * size)
"""

PATCH_BY_PATCH = """
def to_codes(patches, codebook):
    codes = []
    for patch in patches:
        distances = [float(((patch - word) ** 2).sum()) for word in codebook]
        codes.append(distances.index(min(distances)))
    return codes

def to_image(codes, codebook, columns):
    size = int(codebook.shape[1] ** 0.5)
    rows = len(codes) // columns
    image = torch.zeros(rows * size, columns * size)
    for n, code in enumerate(codes):
        top, left = n // columns * size, n % columns * size
        image[top : top + size, left : left + size] = codebook[code].view(size, size)
    return image
"""

BY_PRODUCTS = """
def to_codes(patches, codebook):
    products = patches @ codebook.T
    squares = (codebook**2).sum(1)
    return (squares - 2 * products).argmin(1)

def to_image(codes, codebook, columns):
    size = round(math.sqrt(codebook.shape[1]))
    words = [word.reshape(size, size) for word in codebook[codes]]
    strips = [torch.cat(words[n : n + columns], 1) for n in range(0, len(words), columns)]
    return torch.cat(strips, 0)
"""

LIBRARY = """
def to_codes(patches, codebook):
    return torch.cdist(patches, codebook).min(dim=1).indices

def to_image(codes, codebook, columns):
    size = math.isqrt(codebook.shape[1])
    rows = len(codes) // columns
    words = codebook[codes].T[None]
    return F.fold(words, (rows * size, columns * size), size, stride=size)[0, 0]
"""

MISTAKES = """
farthest: .argmin( → .argmax(
or: min(distances) → max(distances)
or: .min(dim=1) → .max(dim=1)
    You chose the codeword that is least like the patch. Is a distance better small or
    large?

largest product: return distances.argmin(dim=1) → return (patches @ codebook.T).argmax(dim=1)
or: (squares - 2 * products).argmin(1) → products.argmax(1)
    You took the largest dot product, and a codeword of much ink gets it every time. What
    does the task call near?

cosine: return distances.argmin(dim=1) → return F.cosine_similarity(patches[:, None], codebook, dim=-1).argmax(dim=1)
or: (squares - 2 * products).argmin(1) → (products / squares.sqrt()).argmax(1)
    You compare directions: a pale stroke and a dark one are the same to yours. What does
    the task call near?

differences not squared: (gaps**2).sum → gaps.sum
or: ((patch - word) ** 2).sum() → (patch - word).sum()
    Your differences are not squared, so those above and below zero cancel, and the
    palest patch or the darkest wins. What keeps them from that?

ink alone: (gaps**2).sum(dim=-1) → gaps.sum(dim=-1).abs()
or: float(((patch - word) ** 2).sum()) → float((patch - word).sum().abs())
    Yours compares how much ink there is, wherever it lies. What is squared first, and
    then added up?

absolute differences: (gaps**2).sum → gaps.abs().sum
or: ((patch - word) ** 2).sum() → (patch - word).abs().sum()
or: torch.cdist(patches, codebook) → torch.cdist(patches, codebook, p=1)
    You added up absolute differences. Often that finds the same codeword, and not always:
    which distance does the task name?

largest difference: (gaps**2).sum(dim=-1) → gaps.abs().amax(dim=-1)
or: ((patch - word) ** 2).sum() → (patch - word).abs().max()
or: torch.cdist(patches, codebook) → torch.cdist(patches, codebook, p=math.inf)
    You look at the one pixel that differs most. How much do the others count in a squared
    distance?

products counted once: squares - 2 * products → squares - products
    Your way round by the products is short, and one of its three terms has the wrong
    factor. What is $(a - b)^2$ when written out?

equal pixels: (gaps**2).sum(dim=-1) → (gaps != 0).sum(dim=-1)
or: ((patch - word) ** 2).sum() → (patch != word).sum()
    You count the pixels that differ, however little. Ink has many shades: how far apart
    are two of them?

patch for each codeword: distances.argmin(dim=1) → distances.argmin(dim=0)
or: - 2 * products).argmin(1) → - 2 * products).argmin(0)
or: .min(dim=1) → .min(dim=0)
    You found the nearest patch for each codeword. What is asked for: one number for each
    patch, or for each codeword?

distances instead of codes: return distances.argmin(dim=1) → return distances.amin(dim=1)
or: codes.append(distances.index(min(distances))) → codes.append(min(distances))
    You return how far it is to the nearest codeword. Which one is it?

distances, with the root: .indices → .values
    You return how far it is to the nearest codeword, with the root. Which one is it?

codewords instead of codes: return distances.argmin(dim=1) → return codebook[distances.argmin(dim=1)]
or: codes.append(distances.index(min(distances))) → codes.append(codebook[distances.index(min(distances))].tolist())
or: return (squares - 2 * products).argmin(1) → return codebook[(squares - 2 * products).argmin(1)]
    You return the codewords themselves. What is written down for a patch is shorter:
    what?

codes from 1: return distances.argmin(dim=1) → return distances.argmin(dim=1) + 1
or: distances.index(min(distances)) → distances.index(min(distances)) + 1
or: .indices → .indices + 1
    You count the codewords from 1. Which row of the table has the first one?

marks instead of codes: return distances.argmin(dim=1) → return F.one_hot(distances.argmin(dim=1), len(codebook))
or: return (squares - 2 * products).argmin(1) → return F.one_hot((squares - 2 * products).argmin(1), len(codebook))
    You return a row of zeros and a one for each patch. Which number says the same?

shares instead of codes: return distances.argmin(dim=1) → return (-distances).softmax(dim=1)
    You share each patch out among all codewords. Which one is written down?

one code for all: return distances.argmin(dim=1) → return distances.sum(dim=0).argmin()
or: return codes\\n → return max(codes, key=codes.count)\\n
    One codeword for all patches together is what you found. How many codes has an image
    of six patches?

distance over the whole table: return distances.argmin(dim=1) → return distances.argmin()
    You looked for the smallest number of the whole table. In how many rows is there one
    to find?

patches kept whole: grid = grid.permute(0, 2, 1, 3) → pass
or: torch.cat(strips, 0) → torch.stack(words).reshape(len(words) // columns * size, columns * size)
    The numbers of one patch follow one another in your image. In which row of the image
    does a patch's second row go on?

columns first: grid = codebook[codes].reshape(rows, columns, size, size) → grid = codebook[codes].reshape(columns, rows, size, size).transpose(0, 1)
or: top, left = n // columns * size, n % columns * size → top, left = n % rows * size, n // rows * size
    You fill the image column by column. Where does the second patch lie?

patches on their side: grid.permute(0, 2, 1, 3) → grid.permute(0, 3, 1, 2)
or: codebook[code].view(size, size) → codebook[code].view(size, size).T
or: word.reshape(size, size) for → word.reshape(size, size).T for
    Each patch is in its place, and lies on its side. Which of its numbers comes second:
    the one on the right or the one below?

image on its side: return grid.reshape(rows * size, columns * size) → return grid.reshape(rows * size, columns * size).T
or: return image → return image.T
or: return torch.cat(strips, 0) → return torch.cat(strips, 0).T
    Your image is lying on its side. Which axis is its height?

rows and columns exchanged: rows = len(codes) // columns\\n → columns, rows = len(codes) // columns, columns\\n
or: words[n : n + columns], 1) for n in range(0, len(words), columns) → words[n : n + len(words) // columns], 1) for n in range(0, len(words), len(words) // columns)
    You took the number of columns for that of rows. How many patches stand side by side?

as many columns as rows: rows = len(codes) // columns\\n → columns = rows = math.isqrt(len(codes))\\n
or: words[n : n + columns], 1) for n in range(0, len(words), columns) → words[n : n + math.isqrt(len(words))], 1) for n in range(0, len(words), math.isqrt(len(words)))
    You take every image for a square one. Which argument says how many patches stand side
    by side?

all in one row: grid = codebook[codes].reshape(rows, columns, size, size) → columns, rows = len(codes), 1; grid = codebook[codes].reshape(rows, columns, size, size)
or: torch.cat(strips, 0) → torch.cat(strips, 1)
    Your patches all stand side by side. After how many does a new row begin?

all in one column: grid = codebook[codes].reshape(rows, columns, size, size) → rows, columns = len(codes), 1; grid = codebook[codes].reshape(rows, columns, size, size)
or: torch.cat(strips, 0) → torch.cat(words, 0)
    Your patches all stand one above the other. How many fit side by side?

from the bottom: return grid.reshape(rows * size, columns * size) → return grid.flip(0).reshape(rows * size, columns * size)
or: top, left = n // columns * size → top, left = (rows - 1 - n // columns) * size
or: torch.cat(strips, 0) → torch.cat(strips[::-1], 0)
    Your first patch lies at the bottom. In which corner does the image begin?

pixels apart: grid.permute(0, 2, 1, 3) → grid.permute(2, 0, 3, 1)
    You spread the pixels of a patch over the whole image. Which of them are neighbours?

strip not laid out: return grid.reshape(rows * size, columns * size) → return codebook[codes]
or: return torch.cat(strips, 0) → return codebook[codes]
or: return image → return codebook[codes]
    You return the codewords as rows of a table. What turns them into an image?

small images: return grid.reshape(rows * size, columns * size) → return codebook[codes].reshape(-1, size, size)
or: return torch.cat(strips, 0) → return torch.stack(words)
    You return the patches as small images. How do they become one?

batch of one: return grid.reshape(rows * size, columns * size) → return grid.reshape(1, 1, rows * size, columns * size)
or: [0, 0] →
    Your image has axes for a batch and a channel. How many axes does the task ask for?

channel of one: return grid.reshape(rows * size, columns * size) → return grid.reshape(1, rows * size, columns * size)
or: return image → return image[None]
or: return torch.cat(strips, 0) → return torch.cat(strips, 0)[None]
    Your image has an axis for its channel. How many axes does the task ask for?

codes in place of ink: grid = codebook[codes].reshape(rows, columns, size, size) → size = 1; grid = codes.reshape(rows, columns, size, size)
or: codebook[code].view(size, size) → code
    You drew the codes themselves. What do they stand for?

codebook in order: codebook[codes] → codebook[torch.arange(len(codes)) % len(codebook)]
or: codebook[code].view → codebook[n % len(codebook)].view
    You drew the codebook from its beginning. Which codeword does the first code name?

codes counted from 1: codebook[codes] → codebook[codes - 1]
or: codebook[code].view → codebook[code - 1].view
    Your image shows the codeword before the one that is meant. From which number do codes
    count?
"""


def patches(n, numbers, words):
    """So many patches, near to codewords by chance; other measures choose otherwise."""

    def inputs(rng):
        while True:
            codebook = rng.uniform(0, 1, (words, numbers)).round(2)
            codebook *= rng.uniform(0.3, 1.2, (words, 1)).round(1)
            given = codebook[rng.integers(0, words, n)]
            given = (given + rng.normal(0, 0.3, given.shape)).round(2)
            gaps = given[:, None] - codebook
            ways = {
                "squares": (gaps**2).sum(-1),
                "absolute": abs(gaps).sum(-1),
                "largest": abs(gaps).max(-1),
                "once": (codebook**2).sum(1) - given @ codebook.T,
                "product": -given @ codebook.T,
                "cosine": -given @ codebook.T / np.sqrt((codebook**2).sum(1)),
                "ink": abs(gaps.sum(-1)),
            }
            least = np.sort(ways["squares"], axis=1)
            clear = (least[:, 1] - least[:, 0] > 0.02).all()
            chosen = {tuple(way.argmin(1)) for way in ways.values()}
            if clear and (n < 5 or len(chosen) == len(ways)):
                return given, codebook

    return inputs


def alike(rng):
    """Pale and dark patches of one shape, each with its own codeword."""
    shape = rng.uniform(0.2, 1, 4).round(2)
    codebook = np.outer([0.25, 0.5, 1.0], shape)
    order = rng.permutation([0, 1, 2, 2, 0])
    return codebook[order] + 0.01, codebook


def same_ink(rng):
    """Codewords of equal ink in other pixels."""
    shape = rng.permutation([0.0, 0.1, 0.4, 0.9])
    codebook = np.stack([np.roll(shape, n) for n in range(3)])
    order = rng.permutation([0, 1, 2, 1, 0])
    return codebook[order] + rng.uniform(-0.04, 0.04, (5, 4)).round(2), codebook


def codes(rows, columns, size, words):
    """Codes of an image of so many patches; the first and the last word occur."""

    def inputs(rng):
        codebook = rng.uniform(0, 1, (words, size * size)).round(2)
        while True:
            drawn = rng.integers(0, words, rows * columns)
            if rows * columns < 3 or {0, words - 1} <= set(drawn):
                return drawn, codebook, columns

    return inputs


def drawn(title, inputs, fresh=None):
    return Check(
        title,
        inputs,
        probe=probes.second,
        arguments=("codes", "codebook", "columns"),
        outputs=("image",),
        fresh=fresh,
    )


WORDS = np.array([[0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 1.0], [1.0, 1.0, 1.0, 1.0]])
NEAR = np.array([[0.1, 0.8, 0.0, 0.9], [0.3, 0.2, 0.1, 0.0]]), WORDS
LAID = np.array([1, 0, 2, 1]), WORDS, 2

TASK = FunctionTask(
    title="An alphabet of patches",
    kind="implement",
    answers=("to_codes", "to_image"),
    arguments=("patches", "codebook"),
    outputs=("codes",),
    arrays="torch",
    right=(DIFFERENCES, PATCH_BY_PATCH, BY_PRODUCTS, LIBRARY),
    mistakes=MISTAKES,
    checks=(
        Check(
            "two patches, as in the example", lambda rng: NEAR, fresh=patches(2, 4, 3)
        ),
        Check("pale and dark ink", alike),
        Check("the same ink in other pixels", same_ink),
        Check("thirteen patches, seven codewords", patches(13, 9, 7)),
        Check("29 patches, 17 codewords", patches(29, 4, 17)),
        drawn(
            "four codes, as in the example", lambda rng: LAID, fresh=codes(2, 2, 2, 3)
        ),
        drawn("one patch", codes(1, 1, 3, 5)),
        drawn("patches of a single pixel", codes(3, 5, 1, 7)),
        drawn("two rows of three patches", codes(2, 3, 2, 5)),
        drawn("seven rows of two patches", codes(7, 2, 3, 11)),
    ),
    hints=(
        "Make a table of squared distances, a row for each patch and a column for each "
        "codeword. Where in a row does the code stand?",
        "The way back is the way of 20.2 run backwards: from rows, columns and the two "
        "sides of a patch to height and width. Which axes have to meet?",
    ),
    section="Going further",
    why="A code is a word of a small vocabulary, so a decoder-only model can write an image "
    "as it writes a text. What is lost is the distance to the nearest codeword, and a model "
    "that draws by codes can't do better than that.",
)
