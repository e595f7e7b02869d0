"""The whole model equals PyTorch's, and looks neither ahead nor at padding."""

import itertools
import json
import math
from dataclasses import asdict, replace
from typing import get_args

import pytest
import torch
from pytorch_modules import (
    TOLERANCE,
    assert_same_gradients,
    count,
    gradients,
    same_layer,
    stirred,
)
from torch import nn

from tt_utils.blocks.cache import DecoderCache
from tt_utils.blocks.masks import causal_mask, padding_mask
from tt_utils.blocks.positions import POSITION_KINDS
from tt_utils.data.batching import make_batch
from tt_utils.models.transformer import Ties, Transformer, TransformerConfig

BATCH, T_SRC, T_TGT, D_MODEL, D_FF = 3, 7, 5, 22, 31
SRC_VOCAB, TGT_VOCAB = 17, 19
CONFIG = TransformerConfig(
    src_vocab_size=SRC_VOCAB,
    tgt_vocab_size=TGT_VOCAB,
    d_model=D_MODEL,
    d_ff=D_FF,
    n_heads=2,
    n_encoder_layers=3,
    n_decoder_layers=2,
    dropout=0.0,
    max_len=13,
)
both_norms = pytest.mark.parametrize(
    "norm_first", [False, True], ids=["post-norm", "pre-norm"]
)


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(0)


def make_model(norm_first=False, **changes) -> Transformer:
    return stirred(Transformer(replace(CONFIG, norm_first=norm_first, **changes)))


def some_tokens():
    """Source and target of several lengths, padded with 0."""
    src = torch.randint(1, SRC_VOCAB, (BATCH, T_SRC))
    tgt = torch.randint(1, TGT_VOCAB, (BATCH, T_TGT))
    src[1, 4:] = 0
    src[2, 2:] = 0
    tgt[1, 2:] = 0
    tgt[2, 4:] = 0
    return src, tgt


# The same model, built of PyTorch's parts


def same_model(ours: Transformer) -> nn.Transformer:
    """Left to itself PyTorch would end even post-norm stacks with a norm."""
    config = ours.config
    theirs = nn.Transformer(
        config.d_model,
        config.n_heads,
        custom_encoder=nn.TransformerEncoder(
            same_layer(ours.encoder.layers[0]), 1, enable_nested_tensor=False
        ),
        custom_decoder=nn.TransformerDecoder(same_layer(ours.decoder.layers[0]), 1),
        batch_first=True,
    )
    # The constructor draws new weights, so the copies come in after it.
    theirs.encoder.layers = nn.ModuleList(map(same_layer, ours.encoder.layers))
    theirs.decoder.layers = nn.ModuleList(map(same_layer, ours.decoder.layers))
    if isinstance(ours.encoder.norm, nn.LayerNorm):
        theirs.encoder.norm = ours.encoder.norm
        theirs.decoder.norm = ours.decoder.norm
    return theirs


@both_norms
@pytest.mark.parametrize("final_norm", [None, False, True])
def test_the_whole_model_equals_pytorch_with_padding(norm_first, final_norm):
    ours = make_model(norm_first, final_norm=final_norm)
    theirs = same_model(ours)
    src, tgt = some_tokens()
    logits = ours(src, tgt)
    out = theirs(
        ours.src_embedding(src),
        ours.tgt_embedding(tgt),
        tgt_mask=~causal_mask(T_TGT),
        src_key_padding_mask=src == 0,
        memory_key_padding_mask=src == 0,
    )
    wanted = out @ ours.tgt_embedding.table.weight.T
    torch.testing.assert_close(logits, wanted, **TOLERANCE)
    tables = [ours.src_embedding.table.weight, ours.tgt_embedding.table.weight]
    assert_same_gradients((logits, tables), (wanted, tables))


@both_norms
def test_hiding_target_padding_too_changes_no_real_token(norm_first):
    """Padding comes last, so the causal mask alone already hides it."""
    ours = make_model(norm_first)
    theirs = same_model(ours)
    src, tgt = some_tokens()
    out = theirs(
        ours.src_embedding(src),
        ours.tgt_embedding(tgt),
        tgt_mask=~causal_mask(T_TGT),
        src_key_padding_mask=src == 0,
        tgt_key_padding_mask=tgt == 0,
        memory_key_padding_mask=src == 0,
    )
    wanted = out @ ours.tgt_embedding.table.weight.T
    real = tgt != 0
    torch.testing.assert_close(ours(src, tgt)[real], wanted[real], **TOLERANCE)


def test_the_defaults_are_the_base_model_of_the_paper():
    with torch.device("meta"):
        ours = Transformer(
            TransformerConfig(src_vocab_size=SRC_VOCAB, tgt_vocab_size=TGT_VOCAB)
        )
        theirs = nn.Transformer(batch_first=True)
    ours.src_embedding = ours.tgt_embedding = ours.generator = nn.Identity()
    final_norms = 2 * 2 * 512
    assert count(ours) == count(theirs) - final_norms == 44_138_496


# What may influence what


@both_norms
@pytest.mark.parametrize("changed", range(T_TGT))
def test_a_target_token_changes_its_own_and_later_logits_only(changed, norm_first):
    model = make_model(norm_first)
    src, tgt = some_tokens()
    tgt[:] = torch.randint(2, TGT_VOCAB, tgt.shape)
    other = tgt.clone()
    other[:, changed] = 1
    before, after = model(src, tgt), model(src, other)
    assert torch.equal(before[:, :changed], after[:, :changed])
    assert (before[:, changed:] != after[:, changed:]).any(-1).all()


@both_norms
def test_every_source_token_reaches_every_logit_but_padding_none(norm_first):
    model = make_model(norm_first)
    src, tgt = some_tokens()
    src_mask = padding_mask(src, 0)
    before = model.decode(tgt, model.encode(src, src_mask), src_mask)
    for position in range(T_SRC):
        other = src.clone()
        other[:, position] = other[:, position] % (SRC_VOCAB - 1) + 1
        after = model.decode(tgt, model.encode(other, src_mask), src_mask)
        for sentence in range(BATCH):
            same = before[sentence] == after[sentence]
            if src[sentence, position] == 0:
                assert same.all()
            else:
                assert not same.all(-1).any()


@both_norms
def test_logits_of_a_sentence_do_not_depend_on_its_batch(norm_first):
    model = make_model(norm_first)
    src, tgt = some_tokens()
    together = model(src, tgt)
    for i in range(BATCH):
        alone = model(src[i : i + 1, src[i] != 0], tgt[i : i + 1, tgt[i] != 0])
        torch.testing.assert_close(together[i, tgt[i] != 0], alone[0], **TOLERANCE)


def test_more_padding_changes_nothing():
    model = make_model()
    src, tgt = some_tokens()
    wide = nn.functional.pad(src, (0, 3)), nn.functional.pad(tgt, (0, 2))
    torch.testing.assert_close(model(src, tgt), model(*wide)[:, :T_TGT], **TOLERANCE)


def test_a_source_of_padding_alone_leaves_finite_logits_and_gradients():
    model = make_model()
    src, tgt = some_tokens()
    src[0] = 0
    logits = model(src, tgt)
    assert logits.isfinite().all()
    for gradient in torch.autograd.grad(logits.sum(), list(model.parameters())):
        assert gradient.isfinite().all()


def test_only_positions_tell_the_encoder_about_order():
    model = make_model()
    src, _ = some_tokens()
    src[:] = torch.randint(1, SRC_VOCAB, src.shape)
    order = torch.tensor([3, 0, 6, 1, 5, 2, 4])
    mask = padding_mask(src, 0)

    def gap():
        shuffled = model.encode(src[:, order], mask)
        return (model.encode(src, mask)[:, order] - shuffled).abs().max()

    assert gap() > 0.1
    model.src_embedding.positions.table.zero_()
    assert gap() < 1e-10


# Every kind of positions, with every way of sharing matrices

KINDS, TIES = POSITION_KINDS, get_args(Ties)
TOLD = [kind for kind in KINDS if kind != "none"]
all_models = pytest.mark.parametrize(
    "model",
    list(itertools.product(KINDS, TIES, [False, True])),
    ids=lambda choice: "-".join(map(str, choice)),
    indirect=True,
)


def make_joint(**changes):
    """One vocabulary for both languages, and an even width for rotary pairs."""
    sizes = {"src_vocab_size": TGT_VOCAB, "d_model": 44, "n_encoder_layers": 1}
    return make_model(**sizes | changes)


@pytest.fixture
def model(request):
    positions, ties, norm_first = request.param
    return make_joint(
        positions=positions, tie_embeddings=ties, norm_first=norm_first
    ).eval()


@all_models
@torch.no_grad()
def test_no_model_looks_ahead(model):
    src, tgt = some_tokens()
    tgt[:] = torch.randint(2, TGT_VOCAB, tgt.shape)
    before = model(src, tgt)
    for changed in range(T_TGT):
        other = tgt.clone()
        other[:, changed] = 1
        after = model(src, other)
        assert torch.equal(before[:, :changed], after[:, :changed])
        assert (before[:, changed:] != after[:, changed:]).any(-1).all()


@all_models
@pytest.mark.parametrize("sizes", [[1] * T_TGT, [2, 3]], ids=str)
@torch.no_grad()
def test_every_model_scores_the_same_step_by_step(model, sizes):
    src, tgt = some_tokens()
    src_mask = padding_mask(src, 0)
    memory = model.encode(src, src_mask)
    whole = model(src, tgt)
    cache, end = DecoderCache(model.config.n_decoder_layers, T_SRC, T_TGT), 0
    for size in sizes:
        start, end = end, end + size
        x = model.decode(tgt[:, start:end], memory, src_mask, cache)
        logits = model.generator(x)
        torch.testing.assert_close(logits, whole[:, start:end], **TOLERANCE)
        assert cache.length == end


@pytest.mark.parametrize("positions", KINDS)
@both_norms
@torch.no_grad()
def test_grouped_queries_and_rms_norms_score_the_same_step_by_step(
    positions, norm_first
):
    choices = {"n_kv_heads": 1, "norm": "rms", "activation": "gelu"}
    model = make_joint(positions=positions, norm_first=norm_first, **choices)
    src, tgt = some_tokens()
    src_mask = padding_mask(src, 0)
    memory, whole = model.encode(src, src_mask), model(src, tgt)
    cache = DecoderCache(model.config.n_decoder_layers, T_SRC, T_TGT)
    for t in range(T_TGT):
        x = model.decode(tgt[:, t : t + 1], memory, src_mask, cache)
        torch.testing.assert_close(model.generator(x)[:, 0], whole[:, t], **TOLERANCE)


@all_models
@torch.no_grad()
def test_padding_changes_nothing_in_any_model(model):
    src, tgt = some_tokens()
    logits = model(src, tgt)
    wide = nn.functional.pad(src, (0, 3)), nn.functional.pad(tgt, (0, 2))
    torch.testing.assert_close(model(*wide)[:, :T_TGT], logits, **TOLERANCE)
    for i in range(BATCH):
        alone = model(src[i : i + 1, src[i] != 0], tgt[i : i + 1, tgt[i] != 0])
        torch.testing.assert_close(logits[i, tgt[i] != 0], alone[0], **TOLERANCE)


@pytest.mark.parametrize("positions", TOLD)
@torch.no_grad()
def test_every_kind_tells_both_stacks_about_order(positions):
    # With a second layer the causal mask alone would tell the decoder something.
    model = make_joint(positions=positions, n_decoder_layers=1)
    src, tgt = torch.randint(1, TGT_VOCAB, (2, BATCH, T_SRC))
    mask, order = padding_mask(src, 0), torch.tensor([3, 0, 6, 1, 5, 2, 4])
    memory = model.encode(src, mask)
    shuffled = model.encode(src[:, order], mask)
    assert (memory[:, order] - shuffled).abs().max() > 0.01
    # The last token sees the same set of tokens before it, in another order.
    other = torch.cat((tgt[:, [3, 0, 1, 5, 2, 4]], tgt[:, 6:]), dim=1)
    gap = model.decode(tgt, memory, mask) - model.decode(other, memory, mask)
    assert gap[:, -1].abs().max() > 0.01


@pytest.mark.parametrize("positions", KINDS)
@torch.no_grad()
def test_only_what_needs_no_table_reads_beyond_max_len(positions):
    model, (src, tgt) = make_joint(positions=positions), some_tokens()
    long = nn.functional.pad(src, (0, 7))
    if positions in ("alibi", "none"):
        torch.testing.assert_close(model(long, tgt), model(src, tgt), **TOLERANCE)
    else:
        with pytest.raises(ValueError, match="has 14 tokens, max_len is 13"):
            model(long, tgt)


@pytest.mark.parametrize(
    ("ties", "alone"), [("none", 3), ("target", 2), ("all", 1)], ids=TIES
)
def test_tied_matrices_are_one_object_and_stay_one_when_loaded(ties, alone):
    def matrices(model):
        source, target = model.src_embedding.table, model.tgt_embedding.table
        return source.weight, target.weight, model.generator.weight

    model = make_joint(tie_embeddings=ties)
    source, target, generator = matrices(model)
    assert (generator is target) == (ties != "none")
    assert (source is target) == (source is generator) == (ties == "all")
    without = count(make_joint(tie_embeddings="all")) - TGT_VOCAB * 44
    assert count(model) == without + alone * TGT_VOCAB * 44

    loaded = make_joint(tie_embeddings=ties)
    tokens = some_tokens()
    assert not torch.equal(loaded(*tokens), model(*tokens))
    loaded.load_state_dict(model.state_dict())
    assert torch.equal(loaded(*tokens), model(*tokens))
    assert len(set(map(id, matrices(loaded)))) == alone


def test_a_tied_matrix_learns_from_all_its_uses():
    tied, free = (make_joint(tie_embeddings=ties) for ties in ("all", "none"))
    free.load_state_dict(tied.state_dict())
    tokens = some_tokens()
    (found,) = gradients(tied(*tokens), [tied.generator.weight])
    tables = free.src_embedding.table, free.tgt_embedding.table, free.generator
    wanted = gradients(free(*tokens), [table.weight for table in tables])
    assert all(gradient.any() for gradient in wanted)
    torch.testing.assert_close(found, sum(wanted), **TOLERANCE)


def test_one_matrix_for_two_sizes_of_vocabulary_is_refused():
    with pytest.raises(ValueError) as error:  # noqa: PT011 - compared whole below
        replace(CONFIG, tie_embeddings="all")
    assert str(error.value) == (
        "TransformerConfig: one matrix can't serve 17 source and 19 target words; "
        "use a joint vocabulary, or tie_embeddings='target'."
    )
    assert replace(CONFIG, tie_embeddings="all", src_vocab_size=TGT_VOCAB)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"tie_embeddings": "source"},
            "tie_embeddings is 'source'; choose one of none, target, all.",
        ),
        (
            {"positions": "rope"},
            "positions is 'rope'; "
            "choose one of sinusoidal, learned, rotary, alibi, none.",
        ),
        (
            {"positions": None},
            "positions is None; "
            "choose one of sinusoidal, learned, rotary, alibi, none.",
        ),
        *(
            ({name: 0}, f"{name} is 0; it must be at least 1.")
            for name in (
                *("d_model", "d_ff", "n_heads", "max_len", "n_encoder_layers"),
                *("n_decoder_layers", "src_vocab_size", "tgt_vocab_size"),
            )
        ),
        ({"dropout": 1.0}, "dropout is 1.0; it must be at least 0 and below 1."),
        *(
            (
                {name: given, "src_vocab_size": 31, "tgt_vocab_size": 37},
                f"{name} is {given}, outside a vocabulary of 31; use the tokenizer's.",
            )
            for name in ("pad_id", "bos_id", "eos_id")
            for given in (-1, 31, 99)
        ),
        (
            {"eos_id": 29, "src_vocab_size": 31, "tgt_vocab_size": 29},
            "eos_id is 29, outside a vocabulary of 29; use the tokenizer's.",
        ),
    ],
    ids=str,
)
def test_what_cannot_be_is_named(monkeypatch, changes, message):
    monkeypatch.setattr("jaxtyping.config.jaxtyping_disable", True)
    with pytest.raises(ValueError) as error:  # noqa: PT011 - compared whole below
        replace(CONFIG, **changes)
    assert str(error.value) == f"TransformerConfig: {message}"


def test_the_last_id_of_a_vocabulary_may_be_any_of_the_three():
    assert replace(CONFIG, pad_id=16, bos_id=16, eos_id=16)


@pytest.mark.parametrize(("given", "ties"), [(True, "all"), (False, "none")])
def test_true_ties_all_matrices_and_false_none(given, ties):
    joint = replace(CONFIG, src_vocab_size=TGT_VOCAB, tie_embeddings=given)
    assert joint.tie_embeddings == ties


@pytest.mark.parametrize("given", ["none", "target", "all"])
def test_a_config_survives_being_written_and_read(given):
    joint = replace(CONFIG, src_vocab_size=TGT_VOCAB, tie_embeddings=given)
    assert TransformerConfig(**json.loads(json.dumps(asdict(joint)))) == joint


@pytest.mark.parametrize(
    ("sizes", "parameters", "paper"),
    [
        ({}, 63_082_496, 65e6),
        ({"d_model": 1024, "d_ff": 4096, "n_heads": 16}, 214_245_376, 213e6),
    ],
    ids=["base", "big"],
)
def test_the_papers_models_have_the_papers_number_of_parameters(
    sizes, parameters, paper
):
    """Table 3, with the joint vocabulary of about 37,000 of section 5.1."""
    with torch.device("meta"):
        model = Transformer(
            TransformerConfig(
                src_vocab_size=37_000,
                tgt_vocab_size=37_000,
                tie_embeddings=True,
                **sizes,
            )
        )
    assert count(model) == parameters == pytest.approx(paper, rel=0.04)


# Parts


@both_norms
def test_parameters_are_counted_by_formula(norm_first):
    attention = 4 * D_MODEL**2 + 4 * D_MODEL
    feed_forward = 2 * D_MODEL * D_FF + D_FF + D_MODEL
    norm = 2 * D_MODEL
    wanted = (
        3 * (attention + feed_forward + 2 * norm)
        + 2 * (2 * attention + feed_forward + 3 * norm)
        + (SRC_VOCAB + TGT_VOCAB) * D_MODEL
        + 2 * norm * norm_first
    )
    assert count(make_model(norm_first)) == wanted


def test_the_generator_is_the_target_embedding():
    model = make_model()
    assert model.generator.weight is model.tgt_embedding.table.weight
    assert model.generator.weight is not model.src_embedding.table.weight
    assert model.generator.bias is None
    loaded = make_model()
    loaded.load_state_dict(model.state_dict())
    assert loaded.generator.weight is loaded.tgt_embedding.table.weight
    tokens = some_tokens()
    assert torch.equal(model(*tokens), loaded(*tokens))


@both_norms
@pytest.mark.parametrize("final_norm", [None, False, True])
def test_pre_norm_stacks_end_with_a_norm_unless_told_otherwise(norm_first, final_norm):
    model = make_model(norm_first, final_norm=final_norm)
    ends = norm_first if final_norm is None else final_norm
    kind = nn.LayerNorm if ends else nn.Identity
    assert type(model.encoder.norm) is type(model.decoder.norm) is kind


def test_pre_norm_ends_each_stack_with_a_norm():
    model = make_model(norm_first=True)
    nn.init.ones_(model.encoder.norm.weight)
    nn.init.zeros_(model.encoder.norm.bias)
    src, _ = some_tokens()
    memory = model.encode(src, padding_mask(src, 0))
    torch.testing.assert_close(memory.mean(-1), torch.zeros(BATCH, T_SRC).double())
    spread = memory.var(-1, correction=0)
    torch.testing.assert_close(spread, torch.ones_like(spread), atol=1e-3, rtol=0)


def test_a_new_model_guesses_about_evenly():
    """Tied embeddings with rows of length 1 keep the first loss near log(vocab)."""
    model = Transformer(replace(CONFIG, tgt_vocab_size=997, d_model=64))
    src = torch.randint(1, SRC_VOCAB, (31, T_SRC))
    tgt, labels = torch.randint(1, 997, (2, 31, T_TGT))
    loss = nn.functional.cross_entropy(model(src, tgt).flatten(0, 1), labels.flatten())
    assert 0 < loss.item() - torch.tensor(997.0).log().item() < 1


def test_attention_starts_xavier_uniform_and_embeddings_normal():
    sizes = {"src_vocab_size": 1009, "tgt_vocab_size": 311, "d_model": 202}
    model = Transformer(
        replace(CONFIG, **sizes, d_ff=307, tie_embeddings="none", positions="learned")
    )
    normal = 0
    for name, parameter in model.named_parameters():
        if parameter.dim() == 1:
            continue
        if "embedding" in name:
            normal += 1
            wanted = 1 / math.sqrt(202)
            assert parameter.abs().max() > 2.5 * wanted
        else:
            inside = ".w_" in name
            limit = math.sqrt(6 / sum(parameter.shape))
            limit = limit if inside else 1 / math.sqrt(parameter.shape[1])
            assert 0.98 * limit < parameter.abs().max() <= limit
            wanted = limit / math.sqrt(3)
        assert parameter.std().item() == pytest.approx(wanted, rel=0.05)
    assert normal == 4
    for name, bias in model.named_parameters():
        if ".w_" in name and name.endswith("bias"):
            assert not bias.any()


def test_a_tied_matrix_starts_as_an_embedding():
    model = Transformer(replace(CONFIG, tgt_vocab_size=997, d_model=64))
    assert model.generator.weight.std().item() == pytest.approx(1 / 8, rel=0.02)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("pad_id", [0, 5])
def test_the_loss_is_the_cross_entropy_of_the_real_tokens(smoothing, pad_id):
    model = make_model(pad_id=pad_id)
    words = [word for word in range(3, SRC_VOCAB) if word != pad_id]
    pairs = [(words[:6], words[2:4]), (words[3:5], words[4:9]), (words[:1], [])]
    batch = make_batch(pairs, pad_id)
    assert (batch.labels == pad_id).any()
    found = model.loss(batch, smoothing)
    wanted = nn.functional.cross_entropy(
        model(batch.src, batch.tgt).flatten(0, 1),
        batch.labels.flatten(),
        ignore_index=pad_id,
        label_smoothing=smoothing,
    )
    torch.testing.assert_close(found, wanted, **TOLERANCE)
    parameters = list(model.parameters())
    torch.testing.assert_close(
        torch.autograd.grad(found, parameters),
        torch.autograd.grad(wanted, parameters),
        **TOLERANCE,
    )


@pytest.mark.parametrize("pad_id", [0, 5])
def test_the_source_hides_the_padding_of_its_own_config(pad_id):
    model = make_model(pad_id=pad_id)
    src, tgt = torch.randint(6, SRC_VOCAB, (2, BATCH, T_SRC))
    tgt = tgt[:, :T_TGT]
    wide = nn.functional.pad(src, (0, 3), value=pad_id)
    torch.testing.assert_close(model(wide, tgt), model(src, tgt), **TOLERANCE)


def test_dropout_acts_in_training_and_rests_in_evaluation():
    model = make_model(dropout=0.5)
    tokens = some_tokens()
    assert not torch.equal(model(*tokens), model(*tokens))
    model.eval()
    assert torch.equal(model(*tokens), model(*tokens))
    assert {m.p for m in model.modules() if isinstance(m, nn.Dropout)} == {0.5}


@both_norms
def test_attention_weights_of_every_layer_are_those_behind_the_logits(norm_first):
    model = make_model(norm_first)
    src, tgt = some_tokens()
    kept = model.attention_weights(src, tgt)
    source, ahead = src != 0, ~causal_mask(T_TGT)
    assert len(kept.encoder) == 3
    assert len(kept.decoder) == len(kept.cross) == 2
    for weights, t_q, t_k in (
        *((w, T_SRC, T_SRC) for w in kept.encoder),
        *((w, T_TGT, T_TGT) for w in kept.decoder),
        *((w, T_TGT, T_SRC) for w in kept.cross),
    ):
        assert weights.shape == (BATCH, 2, t_q, t_k)
        torch.testing.assert_close(weights.sum(-1), torch.ones_like(weights[..., 0]))
    for weights in (*kept.encoder, *kept.cross):
        assert not weights.masked_fill(source[:, None, None], 0).any()
    for weights in kept.decoder:
        assert not weights[..., ahead].any()
    # Layer 1 by hand: the weights kept are the weights used.
    first = model.encoder.layers[0]
    x = model.src_embedding(src)
    x = first.residuals[0].norm(x) if norm_first else x
    _, wanted = first.self_attention(x, x, x, padding_mask(src, 0), need_weights=True)
    torch.testing.assert_close(kept.encoder[0], wanted, **TOLERANCE)
    _, again = kept.encoder[:2]
    assert not torch.equal(kept.encoder[0], again)


def test_a_sentence_longer_than_max_len_is_refused():
    src, tgt = some_tokens()
    with pytest.raises(ValueError, match="has 14 tokens, max_len is 13"):
        make_model()(nn.functional.pad(src, (0, 7)), tgt)
