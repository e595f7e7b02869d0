"""Multi30k: 29,000 German-English sentence pairs that describe photographs.

The sentences are fetched from their authors' repository at a fixed commit and kept
in a cache; they are never part of this package. Their authors point to the terms of
Flickr30k (https://github.com/multi30k/dataset/issues/8), which are no free licence: use
the text for research and teaching, do not pass it on, and cite

    D. Elliott, S. Frank, K. Sima'an and L. Specia (2016), Multi30K: Multilingual
    English-German Image Descriptions. https://aclanthology.org/W16-3210

and, for the test sets of 2017, Elliott et al. (2017), Findings of the Second Shared
Task on Multimodal Machine Translation. https://aclanthology.org/W17-4718
"""

import gzip

from tt_utils.data.download import locate

COMMIT = "a3d2e0d26b56f3846f66a952536ffed4e401d05a"
ADDRESS = f"https://raw.githubusercontent.com/multi30k/dataset/{COMMIT}/data/task1/raw/"
SPLITS = ("train", "val", "test_2016_flickr", "test_2017_flickr", "test_2017_mscoco")
LANGUAGES = ("de", "en")

# SHA-256 and name, as sha256sum prints them.
SUMS = """\
726e39b2fa9eb9ffb6dc763fb35a179f80fae06ffc5d28b6ace5faa883de28a6  train.de.gz
d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f  train.en.gz
f0cba2f995189cf5770f29a8a9a537a3ad3f51657ad873405082ff6863a5e75a  val.de.gz
14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28  val.en.gz
9204244e408ccb38d2a55cfcd344df15005fc42a07a6e55ca6c52b6ababb8cc8  test_2016_flickr.de.gz
611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9  test_2016_flickr.en.gz
a2c89666db00c495cd8513b9d708d5a3acc205d7de312ef2bf5fb7ebc1540aee  test_2017_flickr.de.gz
76a444ee25172e72695cddb13ae4a3bda59430617be88e0bb46b60504f054074  test_2017_flickr.en.gz
799e4854c25d601cb6cb6be29eabe5667734c61ace2f495e03e429031a0bc338  test_2017_mscoco.de.gz
aab300bfb4427697987e02cd0aacd44bfe8aa50456231b6474c08038bbed2b58  test_2017_mscoco.en.gz
"""
FILES = {name: sha256 for sha256, name in map(str.split, SUMS.splitlines())}


def load(split: str, source: str = "de", target: str = "en") -> list[tuple[str, str]]:
    """Give the (source, target) sentences of a split, letter for letter, in order.

    Where the environment variable TT_DATA names a folder, they come from its
    subfolder `multi30k` and nothing is fetched; otherwise from the cache.

    Raises:
        ValueError: the split is unknown, or the languages are not German and English.
        DataError: the files could not be had; the message says why and what helps.
    """
    if split not in SPLITS:
        raise ValueError(f"multi30k.load: split is {split!r}; use {_or(SPLITS)}.")
    for side, language in (("source", source), ("target", target)):
        if language not in LANGUAGES:
            raise ValueError(
                f"multi30k.load: {side} is {language!r}; use {_or(LANGUAGES)}."
            )
    if source == target:
        raise ValueError(f"multi30k.load: source and target are both {source!r}.")
    sides = (sentences(f"{split}.{language}.gz") for language in (source, target))
    return list(zip(*sides, strict=True))


def sentences(name: str) -> list[str]:
    """Read one file, a sentence a line."""
    path = locate(f"multi30k/{name}", ADDRESS + name, FILES[name])
    text = gzip.decompress(path.read_bytes()).decode("utf-8")
    # Only "\n" ends a sentence; splitlines() would also cut at rarer signs.
    return text.removesuffix("\n").split("\n")


def _or(words: tuple[str, ...]) -> str:
    return ", ".join(map(repr, words[:-1])) + f" or {words[-1]!r}"
