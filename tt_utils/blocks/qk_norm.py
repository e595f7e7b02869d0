"""QK-norm: queries and keys of one length, so that no score can run away."""

from torch import nn

from tt_utils.blocks.attention import MultiHeadAttention


def add_qk_norm(attention: MultiHeadAttention) -> None:
    """Put an RMSNorm behind the projections to queries and to keys, head by head.

    Before its gain a query then has the length √d_head, and so has a key: a scaled
    score lies between −√d_head and √d_head. Rotary positions turn what is normalised.

    Source: Henry et al. 2020, section 3. Differs from it: RMSNorm in place of the
    length 1 and a learned scale, as many later models have it.
    """
    heads = {"w_q": attention.n_heads, "w_k": attention.n_kv_heads}
    for name, n in heads.items():
        project = getattr(attention, name)
        d_head = project.out_features // n
        split, norm = nn.Unflatten(-1, (n, d_head)), nn.RMSNorm(d_head)
        setattr(attention, name, nn.Sequential(project, split, norm, nn.Flatten(-2)))
