"""The variants that the benchmark compares are as alike as it says."""

from types import SimpleNamespace

import pytest
import since_2017
import torch
from without_type_checks import types_unchecked

VARIANTS = since_2017.VARIANTS
LARGER = ("SwiGLU, same width", "untied, larger", "experts, same active")
SMALLER = ("grouped queries, smaller",)
OTHERS = [n for n in VARIANTS if n not in (*LARGER, *SMALLER)]


@pytest.fixture(scope="module")
def sentences():
    return since_2017.Sentences(drawn=900, tests=20)


WORDS = SimpleNamespace(source=range(387), target=range(737))  # as in the record


def build(name):
    return since_2017.Sentences.build(WORDS, name)


def test_all_but_those_named_so_have_as_many_parameters():
    sizes = {n: sum(p.numel() for p in build(n).parameters()) for n in VARIANTS}
    base = sizes[since_2017.BASELINE]
    assert all(abs(sizes[name] / base - 1) < 0.013 for name in OTHERS)
    assert all(sizes[name] > 1.1 * base for name in LARGER)
    assert all(sizes[name] < 0.95 * base for name in SMALLER)
    active = since_2017.active(build("experts, same active"))
    assert abs(active / base - 1) < 0.013


def test_every_variant_but_one_computes_something_else(sentences):
    batch = next(iter(sentences.batches))
    found = {}
    for name in VARIANTS:
        torch.manual_seed(0)
        with since_2017.attending(name), types_unchecked():
            found[name] = sentences.build(name).eval().loss(batch).item()
    same = [n for n, loss in found.items() if abs(loss - found["2017"]) < 1e-5]
    assert same == ["2017", "attention written out"]


def test_no_test_sentence_was_learned_from(sentences):
    learned = {tuple(source) for source, _ in sentences.learn}
    for held_out in (sentences.valid, sentences.test):
        assert not learned & {tuple(source) for source, _ in held_out}


def test_weights_that_are_held_are_counted(sentences):
    batch = next(iter(sentences.batches))
    plain, written = (
        since_2017.held(name, sentences.build(name), batch)
        for name in ("2017", "attention written out")
    )
    assert written > plain


def test_a_ratio_is_that_of_neighbours_in_time():
    found = since_2017.middle([2.0, 40.0, 3.0, 8.0], [1.0, 10.0, 1.0, 2.0])
    assert found["ratio"] == 3.5
