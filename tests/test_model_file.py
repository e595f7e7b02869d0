"""The page's model: rounded numbers that come back nearly as they were."""

import gzip
import json
import struct

import pytest
import torch
from safetensors.torch import load

from tt_utils.data.grammar import SentencePair
from tt_utils.data.tokenizer import BPETokenizer, WordTokenizer
from tt_utils.figures.model_file import (
    describe,
    pack,
    pack_whole,
    page_tensors,
    restore,
    rows_to_bytes,
    write_info,
)
from tt_utils.models.transformer import Transformer, TransformerConfig

SMALL = {
    "d_model": 8,
    "d_ff": 12,
    "n_heads": 2,
    "n_encoder_layers": 1,
    "n_decoder_layers": 1,
    "norm_first": True,
    "max_len": 5,
}


@pytest.fixture
def model():
    torch.manual_seed(0)
    return Transformer(TransformerConfig(7, 11, **SMALL)).eval()


def test_a_row_comes_back_within_half_a_step():
    torch.manual_seed(0)
    table = torch.randn(5, 13) * torch.tensor([1e-3, 0.1, 1.0, 30.0, 0.0])[:, None]
    whole, scale = rows_to_bytes(table)
    back = whole.float() * scale.float()[:, None]
    steps = scale.float()[:, None]
    assert ((back - table).abs() <= 0.6 * steps).all()
    assert whole.dtype == torch.int8
    assert (back[4] == 0).all()


def test_the_rounded_model_says_nearly_the_same(model):
    src, tgt = torch.tensor([[4, 5, 2]]), torch.tensor([[1, 6, 3, 8]])
    before = model(src, tgt)
    restore(model, page_tensors(model))
    after = model(src, tgt)
    assert 0 < (after - before).abs().max() < 0.15
    assert model.generator.weight is model.tgt_embedding.table.weight


def test_the_same_model_gives_the_same_file(model):
    data, entry = pack(model, "step-3")
    assert pack(model, "step-3") == (data, entry)
    assert entry["file"] == "step-3.safetensors.gz"
    names = load(gzip.decompress(data)).keys()
    assert names == page_tensors(model).keys()
    assert "generator.weight" not in names


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("norm_first", False),
        ("positions", "rotary"),
        ("tie_embeddings", "none"),
        ("activation", "gelu"),
        ("norm", "rms"),
        ("n_kv_heads", 1),
    ],
)
def test_what_the_engine_cannot_compute_is_refused(setting, value):
    model = Transformer(TransformerConfig(7, 11, **SMALL | {setting: value}))
    with pytest.raises(ValueError, match=f"The model has {setting}={value!r}; "):
        pack(model, "step-0")


def test_pieces_of_words_are_refused(model):
    pieces = BPETokenizer.train(["the cat"], 270)
    with pytest.raises(ValueError, match="BPETokenizer; the page's engine reads whole"):
        describe(model, (pieces, pieces), [], [])


def test_the_description_holds_words_links_and_snapshots(model, tmp_path):
    words = WordTokenizer(["cat", "the"]), WordTokenizer(["el", "gato"])
    pair = SentencePair(["the", "cat"], ["el", "gato"], {(0, 0), (1, 1)}, {(1, 1)})
    write_info(tmp_path, describe(model, words, [{"step": 3}], [pair], seed=5))
    info = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    assert info["seed"] == 5
    assert info["words"]["target"][4:] == ["el", "gato"]
    assert info["snapshots"] == [{"step": 3}]
    assert info["examples"] == [
        {
            "source": "the cat",
            "target": "el gato",
            "sure": [[1, 1]],
            "possible": [[0, 0]],
        }
    ]
    assert info["config"]["d_model"] == 8


def test_a_whole_file_holds_the_description_in_its_header(model):
    words = WordTokenizer(["cat", "the", "sees"]), WordTokenizer(list("abcdefg"))
    data = gzip.decompress(pack_whole(model, words))
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    about = json.loads(header.pop("__metadata__")["description"])
    assert about == describe(model, words, [], [])
    assert header.keys() == page_tensors(model).keys()
    tensors = load(data)
    assert torch.equal(tensors["encoder.norm.bias"], model.encoder.norm.bias.half())


def test_a_whole_file_is_refused_as_the_page_s_own(model):
    pieces = BPETokenizer.train(["the cat"], 270)
    with pytest.raises(ValueError, match="reads whole words"):
        pack_whole(model, (pieces, pieces))
    rotary = Transformer(TransformerConfig(7, 11, **SMALL | {"positions": "rotary"}))
    with pytest.raises(ValueError, match="The model has positions='rotary'"):
        pack_whole(rotary, (pieces, pieces))


def test_fewer_steps_make_a_smaller_file_and_stay_near(model):
    table = torch.randn(64, 64)
    whole, scale = rows_to_bytes(table, largest=63)
    assert whole.abs().max() == 63
    assert ((whole * scale[:, None] - table).abs() <= 0.6 * scale[:, None]).all()
    fine, coarse = (pack(model, "m", largest=n)[0] for n in (127, 63))
    assert len(coarse) < len(fine)
