"""An exhibit reads, writes and learns like the model that it is."""

import pytest
import torch
from without_type_checks import types_unchecked

from tt_utils.data.batching import make_batch
from tt_utils.evaluation.exhibits import Exhibit, short_sentences
from tt_utils.planted import plant


@pytest.fixture(scope="module", autouse=True)
def unchecked():
    with types_unchecked():
        yield


@pytest.fixture(scope="module")
def right(unchecked):
    return Exhibit(plant())


def test_no_test_sentence_was_learned():
    on = short_sentences()
    learned = {tuple(source) for source, _ in on.learn}
    assert len(on.test) == 200
    assert not learned & {tuple(source) for source, _ in on.test}
    assert len(on.longest) > max(len(source) for source, _ in on.test)


def test_reading_gives_the_loss_of_the_model(right):
    batch = make_batch(right.on.test)
    with torch.no_grad():
        loss = right.model.loss(batch)
    assert right.read()[0] == pytest.approx(loss.item(), rel=1e-4)


def test_two_copies_have_the_same_weights_by_seed_or_by_taking_them_over(right):
    same, other = Exhibit(plant()), Exhibit(plant(), seed=1)
    assert same.read() == right.read() != other.read()
    assert other.with_weights_of(right).read() == right.read()


def test_a_wrong_copy_learns_too(right):
    wrong = Exhibit(plant("the mask sees one word ahead"))
    losses = wrong.train(steps=101)
    assert len(losses) == 101
    assert losses[-1] < losses[0] - 1


def test_writing_is_told_as_counted(right):
    assert "written: 0 of 200" in right.report()  # it has learned nothing
    assert len(right.write([ids for ids, _ in right.on.test[:3]])) == 3
