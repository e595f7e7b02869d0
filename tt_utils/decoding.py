"""Writing the translation, one word at a time."""

import torch
from jaxtyping import Int
from torch import Tensor

from tt_utils.masks import padding_mask
from tt_utils.tokenizer import BOS, EOS
from tt_utils.transformer import Transformer


@torch.inference_mode()
def greedy_decode(
    model: Transformer, src: Int[Tensor, "batch t_src"], max_len: int = 64
) -> Int[Tensor, "batch t_tgt"]:
    """Take the likeliest next word again and again, until every sentence has ended.

    The result starts after <s>; a sentence that has ended goes on with <pad>. The
    model comes back in evaluation mode, without dropout.
    """
    model.eval()
    src_mask = padding_mask(src, model.config.pad_id)
    memory = model.encode(src, src_mask)
    tgt = src.new_full((len(src), 1), BOS)
    ended = torch.zeros(len(src), dtype=torch.bool, device=src.device)
    while tgt.shape[1] <= max_len and not ended.all():
        logits = model.decode(tgt, memory, src_mask)[:, -1]
        word = logits.argmax(dim=-1).masked_fill(ended, model.config.pad_id)
        ended |= word == EOS
        tgt = torch.cat((tgt, word[:, None]), dim=1)
    return tgt[:, 1:]
