"""A mixture of experts: many feed-forward networks, of which each position uses few."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tt_utils.blocks.config import LayerConfig
from tt_utils.blocks.layers import Hidden, make_feed_forward


class Experts(nn.Module):
    """Send each position through the `n_active` experts that its router prefers.

    What they give is added up, weighted by a softmax over the chosen experts' scores.
    `balance` is of the last call: 1 where the router spreads positions evenly, up to
    n_experts / n_active where all choose alike; added to the loss, it keeps experts in
    use.

    Raises:
        ValueError: more experts should be active than there are, or none.
    Source: Shazeer et al. 2017; Fedus et al. 2022, equation 4, for the balance.
    """

    def __init__(self, config: LayerConfig, n_experts: int, n_active: int) -> None:
        super().__init__()
        if not 1 <= n_active <= n_experts:
            raise ValueError(
                f"Experts: n_active={n_active} of n_experts={n_experts}; choose 1 to "
                f"{n_experts}."
            )
        self.n_active = n_active
        self.router = nn.Linear(config.d_model, n_experts, bias=False)
        self.experts = nn.ModuleList(
            make_feed_forward(config) for _ in range(n_experts)
        )
        self.balance: Float[Tensor, ""] = torch.ones(())

    def forward(self, x: Hidden) -> Hidden:
        """Give the weighted sum of the chosen experts, position by position."""
        flat = x.flatten(0, 1)  # (n, d_model)
        scores = self.router(flat)  # (n, n_experts)
        best, chosen = scores.topk(self.n_active)  # (n, n_active)
        weights = best.softmax(dim=-1)  # rows sum to 1
        out = torch.zeros_like(flat)
        for i, expert in enumerate(self.experts):
            rows, slot = (chosen == i).nonzero(as_tuple=True)  # its positions
            given = weights[rows, slot, None] * expert(flat[None, rows])[0]
            out = out.index_add(0, rows, given)
        self.balance = self.evenness(scores, chosen)
        return out.view_as(x)

    def evenness(
        self, scores: Float[Tensor, "n n_experts"], chosen: Tensor
    ) -> Float[Tensor, ""]:
        """Multiply each expert's share of choices with its mean probability; add up."""
        n_experts = scores.shape[-1]
        share = chosen.flatten().bincount(minlength=n_experts) / chosen.numel()
        return n_experts * (share * scores.softmax(dim=-1).mean(dim=0)).sum()
