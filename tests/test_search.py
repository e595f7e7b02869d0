"""Decoding, with models that recite and with one that computes."""

import itertools
import math
from dataclasses import replace

import pytest
import torch

from tt_utils.blocks.cache import DecoderCache
from tt_utils.blocks.masks import padding_mask
from tt_utils.data.tokenizer import BOS, EOS, PAD
from tt_utils.decoding.search import beam_search, greedy_decode, keep_likeliest, sample
from tt_utils.models.transformer import Transformer, TransformerConfig

VOCAB = 19
CONFIG = TransformerConfig(
    src_vocab_size=VOCAB,
    tgt_vocab_size=VOCAB,
    d_model=22,
    d_ff=31,
    n_heads=2,
    n_encoder_layers=1,
    n_decoder_layers=1,
    dropout=0.0,
    max_len=29,
)


class Reciter(Transformer):
    """Says its lines word by word and asks that what it said comes back to it."""

    def __init__(self, *lines):
        super().__init__(CONFIG)
        self.generator = torch.nn.Identity()
        self.lines = torch.tensor(lines)
        self.calls = 0

    def decode(self, tgt, memory, src_mask, cache):
        (tokens,) = tgt.T
        self.calls += 1
        if cache.length == 0:
            assert (tokens == BOS).all()
        else:
            real = tokens != PAD
            assert torch.equal(tokens[real], self.lines[real, cache.length - 1])
        word = self.lines[:, cache.length, None]
        cache.layers[0].own.length += 1
        return torch.zeros(len(tokens), VOCAB).scatter(1, word, 1.0)[:, None]


SRC = torch.tensor([[5, EOS, PAD], [5, 6, EOS]])


def test_a_sentence_that_has_ended_goes_on_with_padding():
    model = Reciter([7, EOS, 9, 9, 9, 9], [7, 8, 9, EOS, 9, 9])
    assert greedy_decode(model, SRC).tolist() == [
        [7, EOS, PAD, PAD],
        [7, 8, 9, EOS],
    ]
    assert model.calls == 4, "decoding ends when every sentence has"


def test_max_len_ends_what_does_not_end_by_itself():
    model = Reciter([7] * 5, [8] * 5)
    assert greedy_decode(model, SRC, max_len=3).tolist() == [[7] * 3, [8] * 3]


@pytest.fixture(scope="module")
def model():
    """Random, with so few words that a sentence soon ends by chance."""
    torch.manual_seed(0)
    model = Transformer(replace(CONFIG, tgt_vocab_size=7)).double().eval()
    model.generator = torch.nn.Linear(CONFIG.d_model, 7).double()
    return model


@pytest.fixture(scope="module")
def sources():
    torch.manual_seed(1)
    lengths = [2, 11, 5, 3, 7, 7, 4, 9, 6, 8, 10, 2]
    src = torch.randint(4, VOCAB, (len(lengths), 11))
    for row, length in zip(src, lengths, strict=True):
        row[length - 1] = EOS
        row[length:] = PAD
    return src


def test_a_batch_is_decoded_as_its_sentences_one_by_one(model, sources):
    together = greedy_decode(model, sources, max_len=17)
    lengths = set()
    for src, row in zip(sources, together, strict=True):
        alone = greedy_decode(model, src[None, src != PAD], max_len=17)[0]
        lengths.add(len(alone))
        assert row[: len(alone)].tolist() == alone.tolist()
        assert not row[len(alone) :].any()
    assert len(lengths) > 2, "the sentences should end at different lengths"


def test_every_word_is_the_likeliest_given_those_before(model, sources):
    out = greedy_decode(model, sources, max_len=17)
    heard = torch.cat((torch.full((len(out), 1), BOS), out[:, :-1]), dim=1)
    likeliest = model(sources, heard).argmax(-1)
    assert torch.equal(likeliest[out != PAD], out[out != PAD])
    assert out.dtype == torch.int64
    assert not out.requires_grad


@torch.no_grad()
def test_cached_decoding_scores_like_the_whole_model(model, sources):
    torch.manual_seed(2)
    tgt = torch.randint(0, 7, (len(sources), 13))
    src_mask = padding_mask(sources, PAD)
    memory = model.encode(sources, src_mask)
    whole = model(sources, tgt)
    cache = DecoderCache(CONFIG.n_decoder_layers, sources.shape[1], max_len=13)
    for position in range(13):
        word = tgt[:, position, None]
        logits = model.generator(model.decode(word, memory, src_mask, cache))[:, 0]
        torch.testing.assert_close(logits, whole[:, position], rtol=1e-10, atol=1e-10)


# Beam search


class Tree(Transformer):
    """Gives every beginning the next-word probabilities of a table."""

    def __init__(self, table):
        super().__init__(CONFIG)
        self.generator = torch.nn.Identity()
        self.table = table

    def decode(self, tgt, memory, src_mask, cache):
        (tokens,) = tgt.T
        if cache.length:
            pairs = zip(cache.said, tokens.tolist(), strict=True)
            cache.said = [(*said, word) for said, word in pairs]
        else:
            cache.said = [()] * len(memory)
            cache.select = lambda rows, sources_move: setattr(
                cache, "said", [cache.said[i] for i in rows.tolist()]
            )
        cache.layers[0].own.length += 1
        logits = torch.full((len(tokens), VOCAB), -math.inf)
        for row, said in zip(logits, cache.said, strict=True):
            for word, p in self.table.get(said, {EOS: 1.0}).items():
                row[word] = math.log(p)
        return logits[:, None]


ONE = torch.tensor([[5, EOS]])
# The likeliest first word leads to the less likely sentence.
TRAP = {
    (): {7: 0.6, 8: 0.4},
    (7,): {4: 0.35, 5: 0.33, 6: 0.32},
    (8,): {9: 0.9, 10: 0.1},
}


def test_two_beams_escape_the_trap_that_catches_one():
    tree = Tree(TRAP)
    assert greedy_decode(tree, ONE).tolist() == [[7, 4, EOS]]
    assert beam_search(tree, ONE, beam_size=1).tolist() == [[7, 4, EOS]]
    assert beam_search(tree, ONE, beam_size=2).tolist() == [[8, 9, EOS]]


def test_a_beam_that_ended_early_stays_in_the_race():
    tree = Tree({(): {EOS: 0.5, 7: 0.5}, (7,): {8: 0.5, 9: 0.5}})
    out = beam_search(tree, ONE, beam_size=2, length_penalty=0.0)
    assert out[0, 0] == EOS
    assert not out[0, 1:].any()


def test_the_length_penalty_favours_the_longer_sentence():
    tree = Tree({(): {EOS: 0.4, 7: 0.6}, (7,): {8: 0.6, 9: 0.4}})
    short = beam_search(tree, ONE, beam_size=3, length_penalty=0.0)
    assert short[0, 0] == EOS
    long = beam_search(tree, ONE, beam_size=3, length_penalty=1.0)
    assert long[0, :3].tolist() == [7, 8, EOS]


def test_a_beam_keeps_its_length_when_it_changes_places():
    """<s> </s> leads for a step and moves up, then loses to the longer sentence."""
    tree = Tree({(): {7: 0.55, EOS: 0.45}, (7,): {8: 0.55, 9: 0.45}})
    out = beam_search(tree, ONE, beam_size=2, length_penalty=2.0)
    assert out.tolist() == [[7, 8, EOS]]


@torch.no_grad()
def log_probability(model, src, row):
    heard = torch.cat((torch.tensor([BOS]), row[:-1]))
    log_p = model(src[None], heard[None])[0].log_softmax(-1)
    end = row.tolist().index(EOS) + 1 if EOS in row else len(row)
    return log_p[torch.arange(len(row)), row][:end].sum().item()


@torch.no_grad()
def slow_beam(model, src, beam_size, length_penalty, max_len):
    """The same search on lists, with everything computed anew at each step."""

    def rank(beam):
        words, total, _ = beam
        return total / ((5 + len(words)) / 6) ** length_penalty

    beams = [([], 0.0, False)]
    for _ in range(max_len):
        grown = [beam for beam in beams if beam[2]]
        for words, total, ended in beams:
            if not ended:
                heard = torch.tensor([[BOS, *words]])
                log_p = model(src[None], heard)[0, -1].log_softmax(-1).tolist()
                grown += [
                    ([*words, word], total + p, word == EOS)
                    for word, p in enumerate(log_p)
                ]
        beams = sorted(grown, key=rank, reverse=True)[:beam_size]
    return beams[0][0]


@pytest.mark.parametrize("length_penalty", [0.0, 0.6, 2.0])
def test_the_search_equals_a_slow_one_without_cache(sources, length_penalty):
    torch.manual_seed(3)
    config = replace(CONFIG, tgt_vocab_size=11, n_decoder_layers=2)
    model = Transformer(config).double().eval()
    # Large weights: what comes next depends strongly on what was written.
    for parameter in model.parameters():
        parameter.data *= 1.7
    found = beam_search(model, sources, 3, length_penalty, max_len=9)
    for src, row in zip(sources, found.tolist(), strict=True):
        slow = slow_beam(model, src[src != PAD], 3, length_penalty, max_len=9)
        assert row[: len(slow)] == slow
        assert not any(row[len(slow) :])
    assert len({tuple(row) for row in found.tolist()}) > 5


def test_one_beam_is_greedy_decoding(model, sources):
    greedy = greedy_decode(model, sources, max_len=17)
    assert torch.equal(beam_search(model, sources, 1, max_len=17), greedy)


def test_enough_beams_find_the_best_sentence_there_is(model, sources):
    """Against all 7 + 7² + 7³ beginnings of at most three words."""
    src = sources[2, :5]
    found = beam_search(model, src[None], 7**3, length_penalty=0.0, max_len=3)[0]
    all_rows = [torch.tensor(row) for row in itertools.product(range(7), repeat=3)]
    best = max(log_probability(model, src, row) for row in all_rows)
    assert log_probability(model, src, found) == pytest.approx(best, abs=1e-5)


def test_beams_of_a_batch_do_not_mix(model, sources):
    together = beam_search(model, sources, 3, max_len=11)
    for src, row in zip(sources, together, strict=True):
        alone = beam_search(model, src[None, src != PAD], 3, max_len=11)[0]
        assert row[: len(alone)].tolist() == alone.tolist()
        assert not row[len(alone) :].any()


def test_a_sentence_leaves_when_all_its_beams_have_ended(monkeypatch, sources, model):
    """What is still written takes fewer rows; the first step scores each row once."""
    rows, decode = [], model.decode

    def counted(tgt, *arguments):
        rows.append(len(tgt))
        return decode(tgt, *arguments)

    monkeypatch.setattr(model, "decode", counted)
    beam_search(model, sources, 3, max_len=17)
    assert rows[:2] == [len(sources), 3 * len(sources)]
    assert rows[1:] == sorted(rows[1:], reverse=True)
    assert rows[-1] < rows[1]


def test_the_memory_is_projected_once_for_all_beams(monkeypatch, sources, model):
    seen = []
    attention = model.decoder.layers[0].cross_attention
    hook = attention.w_k.register_forward_hook(lambda _, x, k: seen.append(len(k)))
    beam_search(model, sources, 3, max_len=17)
    hook.remove()
    assert seen == [len(sources)]


def test_beams_are_ranked_in_full_precision():
    """Rounded to bfloat16, log-probabilities that differ by 0.01 would be one."""

    class Halves(Tree):
        def decode(self, *arguments):
            return super().decode(*arguments).bfloat16()

    tree = Halves(
        {(): {7: 0.5, 8: 0.5}, (7,): {4: 0.5, 5: 0.5}, (8,): {4: 0.52, 5: 0.48}}
    )
    assert beam_search(tree, ONE, beam_size=4).tolist() == [[8, 4, EOS]]


@pytest.mark.parametrize(
    "decode", [greedy_decode, sample, beam_search], ids=lambda decode: decode.__name__
)
def test_no_more_words_are_written_than_the_model_has_positions(decode):
    torch.manual_seed(0)
    model = Transformer(replace(CONFIG, max_len=5))
    torch.nn.init.zeros_(model.generator.weight)
    model.generator.bias = torch.nn.Parameter(torch.zeros(VOCAB))
    model.generator.bias.data[7] = 100.0  # never ends
    assert decode(model, SRC).tolist() == [[7] * 5] * 2
    assert decode(model, SRC, max_len=3).tolist() == [[7] * 3] * 2


def test_ids_may_be_of_a_narrower_type(model, sources):
    wanted = beam_search(model, sources, 3, max_len=17)
    assert torch.equal(beam_search(model, sources.int(), 3, max_len=17), wanted)


def test_a_beam_of_no_size_is_refused():
    with pytest.raises(ValueError, match="beam_size is 0"):
        beam_search(Tree(TRAP), ONE, beam_size=0)


# Sampling


def test_sampling_follows_the_probabilities():
    tree = Tree(TRAP)
    src = ONE.repeat(2_000, 1)
    first = sample(tree, src, generator=torch.Generator().manual_seed(0))[:, 0]
    share = (first == 7).double().mean().item()
    assert share == pytest.approx(0.6, abs=0.04)
    cold = sample(tree, src, temperature=0.05)[:, 0]
    assert (cold == 7).double().mean() > 0.99
    for temperature in (1e-39, 1e-300):  # no smaller number can be divided by
        coldest = sample(tree, src, temperature=temperature)
        assert torch.equal(coldest, greedy_decode(tree, src))


def test_the_same_generator_draws_the_same_sentences(model, sources):
    draws = [
        sample(model, sources, 11, generator=torch.Generator().manual_seed(s))
        for s in (3, 3, 4)
    ]
    assert torch.equal(draws[0], draws[1])
    assert not torch.equal(draws[0], draws[2])


def test_top_k_of_one_is_greedy_decoding(model, sources):
    greedy = greedy_decode(model, sources, max_len=17)
    assert torch.equal(sample(model, sources, max_len=17, top_k=1), greedy)


@pytest.mark.parametrize(
    ("top_k", "top_p", "kept"),
    [
        (None, 0.75, {0, 1}),
        (None, 0.85, {0, 1, 2}),
        (None, 0.5, {0}),
        (3, None, {0, 1, 2}),
        (2, 0.99, {0, 1}),
        (None, 1.0, {0, 1, 2, 3}),
    ],
)
def test_the_likeliest_words_that_reach_top_p_are_kept(top_k, top_p, kept):
    logits = torch.tensor([[0.5, 0.3, 0.15, 0.05]], dtype=torch.float64).log()
    shuffled = [2, 0, 3, 1]
    result = keep_likeliest(logits[:, shuffled], top_k, top_p)[0]
    assert {shuffled[i] for i in range(4) if result[i] > -math.inf} == kept


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"temperature": 0.0}, "temperature is 0.0"),
        ({"top_k": 0}, "top_k is 0"),
        ({"top_p": 1.5}, "top_p is 1.5"),
        ({"max_len": 0}, "max_len=0"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        sample(Tree(TRAP), ONE, **options)
