"""A cache gives back what it was given, row by row, and says when it can't."""

import pytest
import torch

from tt_utils.blocks.cache import DecoderCache, KeyValueCache

BATCH, HEADS, T_K, D_HEAD, MAX_LEN, T_SRC, N_LAYERS = 2, 3, 7, 11, 17, 13, 5


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(0)


def keys_and_values(t=T_K, batch=BATCH, dtype=torch.float64):
    return torch.randn(2, batch, HEADS, t, D_HEAD).to(dtype)


@pytest.mark.parametrize(
    "dtype", [torch.float64, torch.float16, torch.bfloat16], ids=str
)
def test_a_cache_returns_what_it_was_given_and_makes_room_once(dtype):
    cache = KeyValueCache(MAX_LEN)
    k, v = keys_and_values(dtype=dtype)
    places = set()
    for end in range(1, T_K + 1):
        now = slice(end - 1, end)
        keys, values = cache.extend(k[:, :, now], v[:, :, now])
        assert cache.length == end
        assert torch.equal(keys, k[:, :, :end])
        assert torch.equal(values, v[:, :, :end])
        assert keys.dtype == values.dtype == dtype
        places.add(tuple(room.data_ptr() for room in cache.stored))
    assert len(places) == 1
    assert cache.stored[0].shape == (BATCH, HEADS, MAX_LEN, D_HEAD)


@pytest.mark.parametrize(
    "rows", [[1, 0], [1, 1], [0, 0], [1], [0, 1, 1, 0, 1]], ids=str
)
def test_selected_rows_replace_all_however_many(rows):
    cache = KeyValueCache(MAX_LEN)
    k, v = keys_and_values()
    cache.extend(k, v)
    cache.select(torch.tensor(rows))
    keys, values = cache.read()
    assert torch.equal(keys, k[rows])
    assert torch.equal(values, v[rows])
    more = keys_and_values(3, len(rows))
    keys, _ = cache.extend(*more)
    assert torch.equal(keys, torch.cat((k[rows], more[0]), dim=2))


def test_a_cache_that_does_not_grow_is_complete_once_filled():
    cache = KeyValueCache(T_K, grows=False)
    assert not cache.is_complete
    cache.extend(*keys_and_values())
    assert cache.is_complete
    assert cache.length == T_K
    growing = KeyValueCache(T_K)
    growing.extend(*keys_and_values())
    assert not growing.is_complete


def test_a_cache_lets_no_gradient_through_silently():
    """It is written in place; a backward pass would fail or be wrong."""
    cache = KeyValueCache(MAX_LEN)
    k, v = keys_and_values()
    with pytest.raises(ValueError) as error:  # noqa: PT011 - compared whole below
        cache.extend(k.requires_grad_(), v)
    assert str(error.value) == (
        "KeyValueCache: it is written in place, which no gradient survives; decode "
        "inside torch.no_grad()."
    )
    assert cache.length == 0


def test_an_empty_cache_can_be_selected_from_but_not_read():
    cache = KeyValueCache(MAX_LEN)
    cache.select(torch.tensor([1, 0]))
    assert cache.length == 0
    with pytest.raises(ValueError) as error:  # noqa: PT011 - compared whole below
        cache.read()
    assert str(error.value) == (
        "KeyValueCache: it is empty; give keys and values first."
    )


@pytest.mark.parametrize("sizes", [[1] * 6, [3, 3], [6]], ids=str)
def test_a_cache_refuses_more_than_it_has_room_for(sizes):
    cache = KeyValueCache(max_len=5)
    for t in sizes[:-1]:
        cache.extend(*keys_and_values(t))
    with pytest.raises(ValueError) as error:  # noqa: PT011 - compared whole below
        cache.extend(*keys_and_values(sizes[-1]))
    assert str(error.value) == (
        "KeyValueCache: 6 positions don't fit into max_len=5; start with a larger one."
    )
    assert cache.length == sum(sizes[:-1])


@pytest.mark.parametrize("batch", [1, 3])
def test_a_cache_refuses_another_number_of_rows(batch):
    """A single row would otherwise be copied to all."""
    cache = KeyValueCache(MAX_LEN)
    cache.extend(*keys_and_values())
    with pytest.raises(ValueError) as error:  # noqa: PT011 - compared whole below
        cache.extend(*keys_and_values(1, batch))
    assert str(error.value) == (
        f"KeyValueCache: it holds 2 rows and can't take {batch}; start a new one for "
        "another batch."
    )


def test_a_decoder_has_two_caches_of_its_own_in_every_layer():
    cache = DecoderCache(N_LAYERS, T_SRC, MAX_LEN)
    assert cache.length == 0
    assert [layer.own.max_len for layer in cache.layers] == [MAX_LEN] * N_LAYERS
    assert [layer.cross.max_len for layer in cache.layers] == [T_SRC] * N_LAYERS
    parts = [part for layer in cache.layers for part in (layer.own, layer.cross)]
    assert len(set(map(id, parts))) == 2 * N_LAYERS


@pytest.mark.parametrize("sources_move", [False, True])
def test_selecting_moves_the_targets_and_the_sources_where_they_change(sources_move):
    cache = DecoderCache(N_LAYERS, T_SRC, MAX_LEN)
    own = [keys_and_values() for _ in cache.layers]
    cross = [keys_and_values(T_SRC) for _ in cache.layers]
    for layer, (k, v), (k_src, v_src) in zip(cache.layers, own, cross, strict=True):
        layer.own.extend(k, v)
        layer.cross.extend(k_src, v_src)
    cache.select(torch.tensor([1, 1]), sources_move=sources_move)
    rows = [1, 1] if sources_move else [0, 1]
    assert cache.length == T_K
    for layer, target, source in zip(cache.layers, own, cross, strict=True):
        assert torch.equal(torch.stack(layer.own.read()), target[:, [1, 1]])
        assert torch.equal(torch.stack(layer.cross.read()), source[:, rows])
