"""A mixture of experts is a weighted sum of those that each position chose."""

import pytest
import torch

from tt_utils.blocks.config import LayerConfig
from tt_utils.blocks.experts import Experts

BATCH, T, D_MODEL, D_FF, N_EXPERTS, N_ACTIVE = 3, 7, 22, 13, 5, 2
CONFIG = LayerConfig(d_model=D_MODEL, d_ff=D_FF, n_heads=11, dropout=0.0)


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(0)


def some_experts(n_active=N_ACTIVE):
    return Experts(CONFIG, N_EXPERTS, n_active).double()


def some_x():
    return torch.randn(BATCH, T, D_MODEL, dtype=torch.float64)


def test_each_position_gets_its_best_experts_weighted_by_their_scores():
    mixture, x = some_experts(), some_x()
    out = mixture(x)
    for b in range(BATCH):
        for t in range(T):
            scores = mixture.router(x[b, t])  # (n_experts,)
            order = sorted(range(N_EXPERTS), key=lambda i: -scores[i].item())
            chosen = order[:N_ACTIVE]
            weights = scores[chosen].softmax(dim=0)
            each = [mixture.experts[i](x[b : b + 1, t : t + 1])[0, 0] for i in chosen]
            wanted = sum(w * e for w, e in zip(weights, each, strict=True))
            torch.testing.assert_close(out[b, t], wanted)


def test_with_all_active_the_weights_are_a_plain_softmax():
    mixture, x = some_experts(N_EXPERTS), some_x()
    weights = mixture.router(x).softmax(dim=-1)  # (batch, t, n_experts)
    each = torch.stack([expert(x) for expert in mixture.experts], dim=-1)
    wanted = (each * weights[..., None, :]).sum(dim=-1)
    torch.testing.assert_close(mixture(x), wanted)


def test_one_expert_is_the_network_itself():
    alone = Experts(CONFIG, 1, 1).double()
    x = some_x()
    torch.testing.assert_close(alone(x), alone.experts[0](x))
    torch.testing.assert_close(alone.balance, torch.ones((), dtype=torch.float64))


def test_balance_is_1_where_all_experts_are_used_alike_and_more_where_not():
    mixture = some_experts()
    everyone = torch.arange(N_EXPERTS * 2).view(-1, 2) % N_EXPERTS
    even = mixture.evenness(torch.zeros(N_EXPERTS, N_EXPERTS).double(), everyone)
    torch.testing.assert_close(even, torch.ones((), dtype=torch.float64))
    sure = torch.full((7, N_EXPERTS), -50.0).double()
    sure[:, :N_ACTIVE] = 50.0
    crowded = mixture.evenness(sure, torch.tensor([[0, 1]] * 7))
    torch.testing.assert_close(crowded.item(), N_EXPERTS / N_ACTIVE)


def test_router_and_chosen_experts_learn():
    mixture = some_experts()
    (mixture(some_x()).square().sum() + mixture.balance).backward()
    assert mixture.router.weight.grad.abs().sum() > 0
    assert all(e.widen.weight.grad.abs().sum() > 0 for e in mixture.experts)


@pytest.mark.parametrize("n_active", [0, N_EXPERTS + 1])
def test_an_impossible_number_is_refused(n_active):
    with pytest.raises(ValueError, match=f"n_active={n_active} of n_experts=5"):
        Experts(CONFIG, N_EXPERTS, n_active)
