"""The reference of 13.5 computes what the package's own Transformer computes."""

import numpy as np
import pytest
import torch

from tt_utils.grading.judging.known_answers import expected
from tt_utils.grading.tasks import find
from tt_utils.models.transformer import Transformer, TransformerConfig

NAMES = {
    "src_table.": "src_embedding.table.",
    "tgt_table.": "tgt_embedding.table.",
    "encoder.": "encoder.layers.",
    "decoder.": "decoder.layers.",
    "feed_forward.0": "feed_forward.widen",
    "feed_forward.2": "feed_forward.narrow",
}


def ours(name):
    for old, new in NAMES.items():
        name = name.replace(old, new)
    head, norm, rest = name.partition(".norms.")
    number, _, kind = rest.partition(".")
    return f"{head}.residuals.{number}.norm.{kind}" if norm else name


@pytest.mark.parametrize("number", [4, 5, 6])
def test_the_reference_gives_the_packages_logits(number):
    task = find("13.5")
    sizes, weights, src, tgt = task.inputs(0)[number]
    model = Transformer(
        TransformerConfig(
            src_vocab_size=sizes["src_vocab"],
            tgt_vocab_size=sizes["tgt_vocab"],
            d_model=sizes["d_model"],
            n_heads=sizes["n_heads"],
            d_ff=sizes["d_ff"],
            n_encoder_layers=sizes["n_layers"],
            n_decoder_layers=sizes["n_layers"],
            tie_embeddings="none",
            norm_first=False,
        )
    ).eval()
    renamed = {ours(name): torch.from_numpy(w).float() for name, w in weights.items()}
    missing, unexpected = model.load_state_dict(renamed, strict=False)
    assert not unexpected
    assert not [name for name in missing if name in dict(model.named_parameters())]
    with torch.no_grad():
        logits = model(torch.from_numpy(src), torch.from_numpy(tgt)).numpy()
    reference = expected(task, 0, number).values[0].array
    assert np.allclose(reference, logits, rtol=1e-4, atol=1e-5)
