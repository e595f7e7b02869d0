"""The page's models in Python: the same numbers, ready for use."""

import gzip
import json
import shutil

import pytest
import torch

from tt_utils.data.digits import load_digits
from tt_utils.figures.bundle import EVERYDAY, MODEL
from tt_utils.figures.page_model import page_translator, page_vit


def test_it_translates_without_a_download():
    trained = page_translator()
    assert not trained.model.training
    assert trained.translate(["the ball is blue"], beam_size=1) == ["la bola es azul"]
    assert trained.about["exact"] > 0.95
    assert "make_page_model.py, seed 0" in trained.about["origin"]


def test_the_first_pages_model_knows_a_phrasebook_too():
    trained = page_translator(folder=EVERYDAY)
    said = {
        "hello my name is Anna": "hola, me llamo Anna",
        "I love you": "te quiero",
        "I am a student": "soy estudiante",
        "the cat sat on the mat": "el gato se sentó en la alfombra",
        "the ball is blue": "la bola es azul",
    }
    assert (
        dict(zip(said, trained.translate(list(said), beam_size=1), strict=True)) == said
    )
    assert "make_everyday_model.py, seed 0" in trained.about["origin"]
    (file,) = EVERYDAY.glob("*.safetensors.gz")
    assert file.stat().st_size <= 340_000


def test_an_earlier_state_has_the_same_sizes_and_other_weights():
    random, trained = page_translator(0).model, page_translator().model
    assert random.config == trained.config
    for name, tensor in trained.state_dict().items():
        assert tensor.shape == random.state_dict()[name].shape
    query = "encoder.layers.0.self_attention.w_q.weight"
    assert not torch.equal(random.state_dict()[query], trained.state_dict()[query])


def test_a_step_that_was_not_kept_is_refused():
    with pytest.raises(ValueError, match="no step 17; choose one of 0, 200, 800, 4000"):
        page_translator(17)


def test_a_damaged_file_is_refused(tmp_path):
    shutil.copytree(MODEL, tmp_path / "model")
    info = json.loads((tmp_path / "model" / "model.json").read_text())
    info["snapshots"][0]["sha256"] = "0" * 64
    (tmp_path / "model" / "model.json").write_text(json.dumps(info))
    with pytest.raises(ValueError, match=r"step-0\.safetensors\.gz is damaged"):
        page_translator(0, tmp_path / "model")


def test_the_vit_reads_most_of_the_test_images():
    model, (_, _, test) = page_vit(), load_digits()
    assert not model.training
    with torch.no_grad():
        said = model(test.images).argmax(dim=1)
    assert (said == test.labels).float().mean() >= 0.96


def test_a_damaged_vit_is_refused(tmp_path):
    shutil.copytree(MODEL, tmp_path / "model")
    (tmp_path / "model" / "digits.safetensors.gz").write_bytes(gzip.compress(b"cut"))
    with pytest.raises(ValueError, match=r"^page_vit: digits\.safetensors\.gz is dam"):
        page_vit(tmp_path / "model")
