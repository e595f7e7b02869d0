"""Half precision, which only a GPU has."""

import pytest
import torch

from tt_utils.data.batching import make_batch
from tt_utils.models import Transformer, TransformerConfig
from tt_utils.training.config import TrainingConfig
from tt_utils.training.trainer import Trainer

CLIP = 0.01


def test_gradients_are_clipped_by_their_true_size_not_by_the_scaled_one(gpu):
    torch.manual_seed(0)
    sizes = {"d_model": 32, "d_ff": 64, "n_heads": 2}
    layers = {"n_encoder_layers": 1, "n_decoder_layers": 1}
    model = Transformer(TransformerConfig(11, 11, **sizes, **layers)).to(gpu)
    config = TrainingConfig(10, 8e-3, warmup=1, clip=CLIP, precision="fp16")
    trainer = Trainer(model, config)
    assert trainer.scaler.is_enabled()
    trainer.step(make_batch([([4, 5, 6], [6, 5, 4]), ([7, 8], [8, 7])]).to(gpu))
    norms = [p.grad.norm() for p in model.parameters()]
    assert torch.stack(norms).norm().item() == pytest.approx(CLIP, rel=1e-3)
