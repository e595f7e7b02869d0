"""Batches of examples: each once an epoch, in an order of its own, cut without loss."""

from itertools import chain

import pytest
import torch

from tt_utils.data.batching import pad
from tt_utils.data.examples import ExampleBatches, LabelledBatch

EXAMPLES = [([n, *range(n % 3)], n % 5) for n in range(23)]


def collate(examples):
    labels = torch.tensor([label for _, label in examples])
    return LabelledBatch(pad([ids for ids, _ in examples]), labels)


def batches(examples=EXAMPLES, rows=7):
    return ExampleBatches(examples, rows, collate)


def ids_of(epoch):
    return [batch.tokens[:, 0].tolist() for batch in epoch]


def test_each_example_comes_once_an_epoch_and_epochs_differ():
    first, second = ids_of(batches().epoch("a")), ids_of(batches().epoch("b"))
    assert [len(rows) for rows in first] == [7, 7, 7, 2]
    for epoch in (first, second):
        assert sorted(chain.from_iterable(epoch)) == list(range(23))
    assert first != second
    assert first == ids_of(batches().epoch("a"))
    assert ids_of(batches().epoch("a", 2)) == first[2:]


def test_a_batch_in_pieces_is_the_batch():
    batch = next(iter(batches()))
    pieces = batch.split(3)
    assert [piece.weight for piece in pieces] == [3, 2, 2]
    for name in ("tokens", "labels"):
        joined = torch.cat([getattr(piece, name) for piece in pieces])
        assert torch.equal(joined, getattr(batch, name))
    assert type(batch.to("cpu")) is LabelledBatch
    assert len(batch.split(99)) == 7


def test_other_examples_have_another_fingerprint():
    found = {
        batches().fingerprint(),
        batches(rows=8).fingerprint(),
        batches([*EXAMPLES[:-1], ([1], 0)]).fingerprint(),
    }
    assert len(found) == 3


@pytest.mark.parametrize(("examples", "rows"), [([], 7), (EXAMPLES, 0)])
def test_no_examples_and_no_rows_are_refused(examples, rows):
    with pytest.raises(ValueError, match=r"^ExampleBatches: .* give at least one"):
        batches(examples, rows)
