"""Every part's mode comes back as it was, also that of a frozen one."""

import pytest
import torch
from torch import nn

from tt_utils.modes import evaluating, modes_of, set_modes


def partly_frozen():
    model = nn.Sequential(nn.Dropout(), nn.Sequential(nn.BatchNorm1d(3), nn.Dropout()))
    model[1][0].eval()
    return model


def test_evaluating_puts_every_part_back():
    model = partly_frozen()
    before = [module.training for module in model.modules()]
    with evaluating(model):
        assert not any(module.training for module in model.modules())
        assert not torch.is_grad_enabled()
    assert [module.training for module in model.modules()] == before
    assert torch.is_grad_enabled()


def test_evaluating_puts_every_part_back_after_an_error():
    model = partly_frozen()
    before = modes_of(model)
    with pytest.raises(KeyError), evaluating(model):
        raise KeyError
    assert modes_of(model) == before


def test_modes_can_be_set_as_they_were_noted():
    model = partly_frozen()
    noted = modes_of(model)
    model.train()
    set_modes(noted)
    assert not model[1][0].training
    assert model[1][1].training
