"""Batches: the shift by one, and every pair once within the budget."""

import random
from collections import Counter

import pytest
import torch

from tt_utils.data import batching
from tt_utils.data.batching import Batch, PairBatches, make_batch, pad
from tt_utils.data.tokenizer import BOS, EOS, PAD

BUDGET = 211


@pytest.fixture(scope="module")
def pairs():
    """Each pair has a number of its own, so that none can stand in for another."""
    rng = random.Random(0)
    return [
        ([10 + i, *[5] * rng.randint(0, 14)], [10 + i, *[6] * rng.randint(0, 16)])
        for i in range(499)
    ]


def rows(batch):
    """Back to pairs of ids, without special signs."""
    special = {PAD, BOS, EOS}
    return [
        tuple(tuple(i for i in row.tolist() if i not in special) for row in sides)
        for sides in zip(batch.src, batch.tgt, batch.labels, strict=True)
    ]


def test_padding_fills_up_to_the_longest():
    assert pad([[5], [6, 7, 8], []]).tolist() == [
        [5, PAD, PAD],
        [6, 7, 8],
        [PAD, PAD, PAD],
    ]


def test_the_decoder_reads_one_word_behind_what_it_must_say():
    batch = make_batch([([5, 6], [7, 8, 9]), ([5, 5, 5, 5], [7])])
    assert batch.src.tolist() == [[5, 6, EOS, PAD, PAD], [5, 5, 5, 5, EOS]]
    assert batch.tgt.tolist() == [[BOS, 7, 8, 9], [BOS, 7, PAD, PAD]]
    assert batch.labels.tolist() == [[7, 8, 9, EOS], [7, EOS, PAD, PAD]]
    assert batch.src.dtype == batch.tgt.dtype == batch.labels.dtype == torch.int64


def test_every_pair_comes_exactly_once_and_whole(pairs):
    found = [row for batch in PairBatches(pairs, BUDGET) for row in rows(batch)]
    wanted = [(tuple(src), tuple(tgt), tuple(tgt)) for src, tgt in pairs]
    assert Counter(found) == Counter(wanted)


def test_target_tokens_stay_within_the_budget_and_use_it(pairs):
    batches = list(PairBatches(pairs, BUDGET))
    assert all(batch.tgt.numel() <= BUDGET for batch in batches)
    tokens = sum(len(tgt) + 1 for _, tgt in pairs)
    assert tokens / (len(batches) * BUDGET) > 0.6


def test_a_pair_above_the_budget_comes_alone(pairs):
    batches = list(PairBatches(pairs, max_tokens=1))
    assert len(batches) == len(pairs)
    assert all(len(batch.src) == 1 for batch in batches)


def test_sentences_alike_on_both_sides_share_a_batch(pairs):
    """Sorted by the target alone, a fifth of the numbers is padding."""
    sides = [
        side for batch in PairBatches(pairs, BUDGET) for side in (batch.src, batch.tgt)
    ]
    padding = sum((side == PAD).sum().item() for side in sides)
    assert padding / sum(side.numel() for side in sides) < 0.17


def test_the_seed_decides_order_and_neighbours(pairs):
    def drawn(seed):
        return [rows(batch) for batch in PairBatches(pairs, BUDGET).epoch(seed)]

    assert drawn(1) == drawn(1)
    one, two = drawn(1), drawn(2)
    assert one != two
    # Not only the batches are shuffled: a sentence meets new neighbours too.
    assert {frozenset(batch) for batch in one} != {frozenset(batch) for batch in two}
    lengths = [len(batch[0][1]) for batch in one]
    assert lengths != sorted(lengths)


def test_shuffling_leaves_the_callers_list_alone(pairs):
    before = list(pairs)
    list(PairBatches(pairs, BUDGET))
    assert pairs == before


def test_no_rows_are_said():
    with pytest.raises(ValueError, match=r"^pad: there are no rows; give at least one"):
        pad([])


# What the trainer asks of a batch and of a data set


BATCH = make_batch([([5], [7, 8]), ([5, 6], [7]), ([6], []), ([6], [9]), ([5], [9])], 0)


def test_a_batch_weighs_as_much_as_its_real_labels():
    assert BATCH.weight == (2 + 1) + (1 + 1) + (0 + 1) + (1 + 1) + (1 + 1)
    assert type(BATCH.weight) is int


@pytest.mark.parametrize(("parts", "sizes"), [(1, [5]), (2, [3, 2]), (7, [1] * 5)])
def test_micro_batches_are_all_rows_in_order(parts, sizes):
    cut = BATCH.split(parts)
    assert [len(part.src) for part in cut] == sizes
    for side in ("src", "tgt", "labels"):
        joined = torch.cat([getattr(part, side) for part in cut])
        assert joined.equal(getattr(BATCH, side))
    assert sum(part.weight for part in cut) == BATCH.weight


def test_parts_and_copies_know_their_real_labels():
    batch = make_batch([([5], [7]), ([5, 6], [7, 8])], pad_id=11)
    assert batch.labels.flatten()[batch.real].tolist() == [7, EOS, 7, 8, EOS]
    for part, wanted in zip(batch.split(2), ([7, EOS], [7, 8, EOS]), strict=True):
        assert part.labels.flatten()[part.real].tolist() == wanted
    moved = batch.to("meta")
    assert isinstance(moved, Batch)
    parts = moved.src, moved.tgt, moved.labels, moved.real
    assert {part.device.type for part in parts} == {"meta"}
    assert batch.src.device.type == "cpu"


def test_an_epoch_has_the_special_ids_that_are_asked_for():
    data = PairBatches([([15], [16, 17])], 9, pad_id=3, bos_id=4, eos_id=6)
    (batch,) = data.epoch("7 1")
    assert batch.src.tolist() == [[15, 6]]
    assert batch.tgt.tolist() == [[4, 16, 17]]
    assert batch.labels.tolist() == [[16, 17, 6]]


@pytest.mark.parametrize(("pairs", "size"), [([], 9), ([([5], [6])], 0)])
def test_nothing_to_batch_is_refused(pairs, size):
    message = f"^PairBatches: {len(pairs)} pairs and max_tokens={size}; give at least"
    with pytest.raises(ValueError, match=message):
        PairBatches(pairs, size)


def test_an_epoch_goes_on_without_building_what_came_before(pairs, monkeypatch):
    data = PairBatches(pairs, BUDGET)
    whole = [rows(batch) for batch in data.epoch(5)]
    built = []
    monkeypatch.setattr(
        batching, "make_batch", lambda *given: built.append(0) or make_batch(*given)
    )
    rest = [rows(batch) for batch in data.epoch(5, start=len(whole) - 3)]
    assert rest == whole[-3:]
    assert len(built) == 3
    assert list(data.epoch(5, start=len(whole))) == []


def test_a_fingerprint_tells_pairs_apart():
    pairs = [([5, 6], [7]), ([5], [6, 7])]
    wanted = "2 pairs, at most 9 tokens, sha256 c0e36ab082583b60"
    assert PairBatches(pairs, 9).fingerprint() == wanted
    others = [pairs[::-1], pairs[:1], [([5], [6, 7]), ([5], [6, 7])]]
    prints = {PairBatches(p, 9).fingerprint() for p in [pairs, *others]}
    prints.add(PairBatches(pairs, 8).fingerprint())
    assert len(prints) == 5
