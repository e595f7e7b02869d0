"""SST-2: sentences from film reviews and parts of them, negative or positive.

The Stanford Sentiment Treebank with two labels, as the GLUE benchmark hands it out:
67,349 phrases to learn from, 872 sentences to judge by (the labels of the test set are
secret). They are fetched from GLUE's server and kept in a cache, never part of this
package. No licence is stated for the sentences; use them for research and teaching, do
not pass them on, and cite

    R. Socher et al. (2013), Recursive Deep Models for Semantic Compositionality Over a
    Sentiment Treebank. https://aclanthology.org/D13-1170

    A. Wang et al. (2019), GLUE: A Multi-Task Benchmark and Analysis Platform for
    Natural Language Understanding. https://arxiv.org/abs/1804.07461
"""

import zipfile
from pathlib import Path

from tt_utils.data.download import DataError, locate

URL = "https://dl.fbaipublicfiles.com/glue/data/SST-2.zip"
# As the data sets library of Hugging Face has long recorded it for this address.
SHA256 = "d67e16fb55739c1b32cdce9877596db1c127dc322d93c082281f64057c16deaa"
SPLITS = ("train", "dev")
LABELS = ("negative", "positive")
HEADER = "sentence\tlabel"


def load(split: str, sha256: str = SHA256) -> list[tuple[str, int]]:
    """Give the texts of a split, each with 0 (negative) or 1 (positive), in order.

    The texts are lower-case and cut into words by spaces, as published; the space that
    ends each is taken off. Where the environment variable TT_DATA names a folder, the
    file is `sst2/SST-2.zip` there and nothing is fetched; otherwise it comes from the
    cache. Another `sha256` asks for another edition of the file.

    Raises:
        ValueError: the split is unknown.
        DataError: the file could not be had, or isn't what was published; the message
            says why and what helps.
    """
    if split not in SPLITS:
        known = " or ".join(map(repr, SPLITS))
        raise ValueError(f"sst2.load: split is {split!r}; use {known}.")
    path = locate("sst2/SST-2.zip", URL, sha256)
    text = member(path, f"SST-2/{split}.tsv").removesuffix("\n")
    lines = text.split("\n")  # splitlines() would also cut at rarer signs
    if lines[:1] != [HEADER]:
        raise damaged(path, f"{split}.tsv doesn't begin with 'sentence' and 'label'")
    return [
        labelled(path, f"{split}.tsv, line {number}", line)
        for number, line in enumerate(lines[1:], 2)
    ]


def labelled(path: Path, place: str, line: str) -> tuple[str, int]:
    """Split a line into its text and its label."""
    text, tab, label = line.rpartition("\t")
    if not tab or label not in ("0", "1"):
        raise damaged(path, f"{place} ends in {label!r}, where a label 0 or 1 belongs")
    return text.strip(), int(label)


def member(path: Path, name: str) -> str:
    """Read one file of the archive."""
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.read(name).decode("utf-8")
    except KeyError as error:
        raise damaged(path, f"it holds no {name}") from error
    except (zipfile.BadZipFile, EOFError, UnicodeDecodeError, ValueError) as error:
        raise damaged(path, f"{name} can't be unpacked") from error


def damaged(path: Path, reason: str) -> DataError:
    """Say that the archive isn't what was published, and what helps."""
    return DataError(f"{path} is not SST-2 as published: {reason}; get it from {URL}.")
