"""Long text: encoded in flat memory, cut into windows, each token predicted once."""

import itertools
import tracemalloc
from collections import Counter

import numpy as np
import pytest
import torch

from tt_utils.data import text_windows
from tt_utils.data.text_windows import TextBatch, TextWindows, encode_stream
from tt_utils.data.tokenizer import EOS, WordTokenizer

TOKENIZER = WordTokenizer(["a", "b", "c"])
TOKENS = np.arange(100, 601, dtype=np.uint16)


def test_every_line_ends_with_the_end_token():
    ids = encode_stream(iter(["a b\n", "\r\n", "c"]), TOKENIZER)
    assert ids.tolist() == [4, 5, EOS, EOS, 6, EOS]
    assert ids.dtype == np.uint16


def test_many_lines_come_in_order(monkeypatch):
    monkeypatch.setattr(text_windows, "LINES_AT_ONCE", 3)
    lines = list(itertools.islice(itertools.cycle(["a", "b c", "c"]), 10))
    wanted = [i for line in lines for i in [*TOKENIZER.encode(line), EOS]]
    assert encode_stream(lines, TOKENIZER).tolist() == wanted


def test_large_vocabularies_get_more_room():
    fits = WordTokenizer(map(str, range(2**16 - 4)))
    assert encode_stream(["65531"], fits).tolist() == [2**16 - 1, EOS]
    larger = WordTokenizer(map(str, range(2**16 - 3)))
    ids = encode_stream(["65532"], larger)
    assert ids.tolist() == [2**16, EOS]
    assert ids.itemsize == 4


def test_no_lines_are_said():
    with pytest.raises(ValueError, match="there are no lines to encode"):
        encode_stream([], TOKENIZER)


def test_memory_is_that_of_the_numbers_alone(monkeypatch):
    monkeypatch.setattr(text_windows, "LINES_AT_ONCE", 100)
    lines = ("a b c " * 9 + "a" for _ in range(6_000))
    tracemalloc.start()
    ids = encode_stream(lines, TOKENIZER)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(ids) == 6_000 * 29
    assert peak < 1.5 * ids.nbytes + 300_000


def test_the_model_reads_a_token_and_says_the_next():
    batch = TextBatch(torch.tensor([[1, 2, 3], [4, 5, 6]]))
    assert batch.inputs.tolist() == [[1, 2], [4, 5]]
    assert batch.labels.tolist() == [[2, 3], [5, 6]]
    assert batch.weight == 4


def test_micro_batches_are_all_rows_in_order():
    batch = TextBatch(torch.arange(15).view(5, 3))
    assert [len(part.tokens) for part in batch.split(2)] == [3, 2]
    for parts in (1, 2, 9):
        cut = batch.split(parts)
        assert torch.cat([part.tokens for part in cut]).equal(batch.tokens)
        assert sum(part.weight for part in cut) == batch.weight
        assert all(part.weight for part in cut)
    assert batch.to("meta").tokens.device.type == "meta"


def test_each_token_is_predicted_at_most_once_and_most_are():
    for seed in range(9):
        batches = list(TextWindows(TOKENS, length=7, rows=3).epoch(seed))
        said = [token for batch in batches for token in batch.labels.flatten().tolist()]
        assert max(Counter(said).values()) == 1
        assert len(said) > len(TOKENS) - 2 * 7 - 1
        for batch in batches:
            assert batch.tokens.shape[1] == 8
            assert batch.tokens.dtype == torch.int64
            assert (batch.labels - batch.inputs == 1).all()
        assert [len(batch.tokens) for batch in batches[:-1]] == [3] * (len(batches) - 1)


def drawn(seed, **given):
    return [b.tokens.tolist() for b in TextWindows(TOKENS, 7, 3).epoch(seed, **given)]


def test_the_seed_decides_borders_and_order():
    assert drawn("1 2") == drawn("1 2")
    starts = {
        min(row[0] for batch in drawn(seed) for row in batch) for seed in range(99)
    }
    assert starts == set(range(100, 107))
    firsts = [row[0] for batch in drawn(0) for row in batch]
    assert firsts != sorted(firsts)


def test_an_epoch_goes_on_without_building_what_came_before(monkeypatch):
    whole = drawn(5)
    built, batch = [], TextWindows.batch
    monkeypatch.setattr(
        TextWindows, "batch", lambda *given: built.append(0) or batch(*given)
    )
    assert drawn(5, start=len(whole) - 2) == whole[-2:]
    assert len(built) == 2


@pytest.mark.parametrize("length", [500, 499, 250])
def test_a_text_that_is_hardly_long_enough_gives_a_window(length):
    for seed in range(9):
        assert list(TextWindows(TOKENS, length, 2).epoch(seed))


def test_a_short_text_is_said():
    message = (
        r"the text has 501 tokens; a window of 501 needs one more than that\. Give"
    )
    with pytest.raises(ValueError, match=message):
        TextWindows(TOKENS, 501, 1)


def test_a_fingerprint_tells_texts_apart():
    prints = [TextWindows(t, 7, 3).fingerprint() for t in (TOKENS, TOKENS[1:], -TOKENS)]
    assert len(set(prints)) == 3
    assert prints[0].startswith("501 tokens, sha256 ")
    assert TextWindows(TOKENS[::2], 7, 3).fingerprint() != prints[0]
