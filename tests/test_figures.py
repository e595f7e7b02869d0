"""The figures' Python side: state, stand-ins, and models of one's own."""

import gzip
import html
import json
import re

import pytest
import torch
from safetensors.torch import load
from traitlets import TraitError

from tt_utils import figures
from tt_utils.data.tokenizer import WordTokenizer
from tt_utils.decoding.translator import Translator
from tt_utils.figures import bundle as bundles
from tt_utils.models.transformer import Transformer, TransformerConfig
from tt_utils.models.vit import ViT, ViTConfig

ALL = [getattr(figures, name) for name in figures.__all__]
WRONG = [
    (figures.DotProduct, {"u": (1, 5)}),
    (figures.SoftLookup, {"temperature": float("nan")}),
    (figures.Scale, {"d_k": 100}),
    (figures.Masks, {"allowed": [[True] * 6] * 5}),
    (figures.Clocks, {"p": 64}),
    (figures.Architecture, {"block": "attention"}),
    (figures.Digit, {"drawing": [[17] * 8] * 8}),
    (figures.Film, {"cut": ["cross.0.1", "everything"]}),
    (figures.Film, {"point": ("memory", 0, 0)}),
]


def state_in(text):
    found = re.search(r"<tt-[a-z-]+ class=\"tt-stand-in\" state='([^']*)'>", text)
    return json.loads(html.unescape(found[1])) if found else {}


def own_translator(**changes):
    torch.manual_seed(0)
    words = WordTokenizer(["cat", "the"]), WordTokenizer(["el", "gato", "la"])
    sizes = {"d_model": 8, "d_ff": 12, "n_heads": 2, "n_encoder_layers": 1}
    sizes |= {"n_decoder_layers": 1, "norm_first": True, "max_len": 16}
    config = TransformerConfig(*map(len, words), **sizes | changes)
    return Translator(Transformer(config).eval(), *words, {})


@pytest.mark.parametrize("kind", ALL)
def test_only_what_was_set_is_written_down(kind):
    assert state_in(kind().stand_in()) == {}


def test_what_a_reader_sets_may_hold_any_sign():
    text = """<script>alert("1")</script> 'quoted' & more"""
    stand_in = figures.Film(text=text).stand_in()
    assert state_in(stand_in) == {"text": text}
    assert "<script" not in stand_in


@pytest.mark.parametrize("kind", ALL)
def test_a_picture_stands_in_for_each_figure(kind):
    stand_in = kind().stand_in()
    assert 'src="data:image/png;base64,' in stand_in
    assert f'alt="{kind.summary}"' in stand_in
    assert len(stand_in) < (60_000 if kind is figures.Architecture else 25_000)


def test_each_chapter_has_its_own_picture_of_the_map():
    pictures = {
        re.search(r'src="([^"]*)"', figures.Architecture(chapter=chapter).stand_in())[1]
        for chapter in (10, 11, 12, 13)
    }
    assert len(pictures) == 4


@pytest.mark.parametrize(("kind", "state"), WRONG)
def test_a_state_that_cannot_be_is_refused(kind, state):
    with pytest.raises(TraitError, match=next(iter(state))):
        kind(**state)


def test_an_unknown_name_is_told_the_known_ones():
    with pytest.raises(TypeError, match="SoftLookup has no 'q'; it has query, temp"):
        figures.SoftLookup(q=1)


def test_what_the_browser_calculates_cannot_be_set():
    with pytest.raises(TraitError, match="translation"):
        figures.Film().translation = ["hola"]


def test_a_snapshot_must_be_one_of_the_model():
    figure = figures.Film()
    figure.snapshot = "step-200.safetensors.gz"
    with pytest.raises(TraitError, match=r"step-7.*choose None or one of step-0"):
        figure.snapshot = "step-7.safetensors.gz"


@pytest.mark.parametrize("kind", [figures.Film, figures.Architecture])
def test_a_model_of_ones_own_is_handed_out(monkeypatch, kind):
    own = own_translator()
    figure = kind(own, text="the cat")
    sent = []
    monkeypatch.setattr(figure, "send", lambda *message: sent.append(message))
    figure._hand_out(figure, {"file": "model.safetensors.gz"}, [])
    figure._hand_out(figure, {"file": "../secret"}, [])
    [(message, [packed])] = sent
    assert message == {"file": "model.safetensors.gz"}
    table = load(gzip.decompress(packed))["src_embedding.table.weight"]
    assert table.shape == (6, 8)
    assert figure._info["words"]["target"][4:] == ["el", "gato", "la"]


def test_a_model_that_the_figure_cannot_calculate_is_refused():
    with pytest.raises(ValueError, match="The model has norm_first=False"):
        figures.Film(own_translator(norm_first=False))


def own_vit(**changes):
    torch.manual_seed(0)
    sizes = {"d_model": 6, "d_ff": 10, "n_heads": 2, "n_layers": 1, "patch": 4}
    return ViT(ViTConfig(**sizes | {"max_len": 5} | changes)).eval()


def test_a_vit_of_ones_own_is_handed_out(monkeypatch):
    figure = figures.Digit(own_vit())
    sent = []
    monkeypatch.setattr(figure, "send", lambda *message: sent.append(message))
    figure._hand_out(figure, {"file": "model.safetensors.gz"}, [])
    [(_, [packed])] = sent
    assert load(gzip.decompress(packed))["embed.weight"].shape == (6, 16)
    config = figure._info["config"]
    assert config == {
        "d_model": 6,
        "n_heads": 2,
        "n_layers": 1,
        "patch": 4,
        "stride": 4,
    }
    assert figure._info["examples"] == figures.Digit()._info["examples"]


def test_a_vit_that_the_figure_cannot_calculate_is_refused():
    with pytest.raises(ValueError, match="The model has activation='relu'; "):
        figures.Digit(own_vit(activation="relu"))


@pytest.mark.parametrize("drawing", [[[0] * 8] * 7, [[0.5] * 8] * 8, [[True] * 8] * 8])
def test_a_drawing_is_eight_rows_of_eight_counts(drawing):
    with pytest.raises(TraitError, match="drawing"):
        figures.Digit(drawing=drawing)


def test_names_in_different_modules_may_be_the_same(tmp_path, monkeypatch):
    (tmp_path / "a.mjs").write_text(
        "const NAME = 1;\nexport const one = NAME;\nexport function f() {}\n"
    )
    (tmp_path / "b-c.mjs").write_text(
        'import { one } from "./a.mjs";\nconst NAME = one;\n'
        "export { one, NAME };\nexport class K {}\n"
    )
    (tmp_path / "entry.mjs").write_text(
        'import "./a.mjs";\nimport { K } from "./b-c.mjs";\nexport { K };\n'
    )
    monkeypatch.setattr(bundles, "STATIC", tmp_path)
    text = bundles.bundle("entry")
    assert text.count("const a_mjs") == 1
    assert text.index("a_mjs") < text.index("b_c_mjs")
    assert "return { one, f };" in text
    assert "return { K, one, NAME };" in text
    assert "const { K } = b_c_mjs;\nexport { K };" in text


@pytest.mark.parametrize("line", ["export default 1;", 'import * as a from "./a.mjs";'])
def test_a_form_that_the_bundle_does_not_know_is_refused(tmp_path, monkeypatch, line):
    (tmp_path / "a.mjs").write_text(f"{line}\n")
    (tmp_path / "entry.mjs").write_text('import "./a.mjs";\n')
    monkeypatch.setattr(bundles, "STATIC", tmp_path)
    with pytest.raises(ValueError, match=r"a\.mjs has .*, a form that is unknown"):
        bundles.bundle("entry")
