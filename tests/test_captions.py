"""Texts to write on: the captions where they can be had, else the grammar's."""

import gzip
import hashlib

import pytest
from without_type_checks import types_unchecked

from tt_utils.data import captions, multi30k
from tt_utils.data.download import DataError


def test_the_captions_are_those_of_the_english_files(monkeypatch, tmp_path):
    folder = tmp_path / "multi30k"
    folder.mkdir()
    files = {"train.en.gz": ["A dog.", "Two men."], "val.en.gz": ["A cat."]}
    for name, lines in files.items():
        (folder / name).write_bytes(gzip.compress("\n".join([*lines, ""]).encode()))
        digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        monkeypatch.setitem(multi30k.FILES, name, digest)
    monkeypatch.setenv("TT_DATA", str(tmp_path))
    found = captions.load_captions()
    assert found == captions.captions_or_grammar()
    assert (found.name, found.train, found.valid) == ("multi30k", *files.values())


def test_where_they_are_missing_the_grammar_makes_sentences(monkeypatch, tmp_path):
    monkeypatch.setenv("TT_DATA", str(tmp_path))
    with pytest.raises(DataError):
        captions.load_captions()
    with types_unchecked():
        found = captions.captions_or_grammar()
    assert found.name == "grammar"
    assert (len(found.train), len(found.valid)) == (29_000, 1_014)
    assert not set(found.valid) & set(found.train)
