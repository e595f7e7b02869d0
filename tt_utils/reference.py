"""Slow, readable NumPy versions of the book's formulas: the oracle of the tests.

Each function works on the last axes and accepts any number of leading axes.
"""

import math

import numpy as np
from jaxtyping import Bool, Float


def dot(u: Float[np.ndarray, " d"], v: Float[np.ndarray, " d"]) -> float:
    """Add up the products of matching numbers: one number for two vectors.

    Raises:
        ValueError: the vectors differ in length.
    """
    if len(u) != len(v):
        raise ValueError(f"dot: u has {len(u)} numbers, v has {len(v)}.")
    total = 0.0
    for a, b in zip(u, v, strict=True):
        total += float(a) * float(b)
    return total


def cosine_similarity(u: Float[np.ndarray, " d"], v: Float[np.ndarray, " d"]) -> float:
    """Compare directions only: the dot product divided by both lengths, from -1 to 1.

    Raises:
        ValueError: the vectors differ in length, or one of them has length zero.
    """
    lengths = math.sqrt(dot(u, u)) * math.sqrt(dot(v, v))
    if lengths == 0:
        raise ValueError("cosine_similarity: a zero vector points nowhere.")
    return dot(u, v) / lengths


def softmax(scores: Float[np.ndarray, "*axes t"]) -> Float[np.ndarray, "*axes t"]:
    """Turn scores into positive weights that sum to 1 along the last axis.

    Subtracting the largest score leaves the result unchanged and keeps exp in range.
    A row that holds only -inf has nothing to choose from and becomes zeros.
    """
    largest = scores.max(axis=-1, keepdims=True)
    largest = np.where(np.isneginf(largest), 0.0, largest)
    exp = np.exp(scores - largest)
    total = exp.sum(axis=-1, keepdims=True)
    return np.divide(exp, total, out=np.zeros_like(exp), where=total != 0)


def scaled_dot_product_attention(
    q: Float[np.ndarray, "*axes t_q d_k"],
    k: Float[np.ndarray, "*axes t_k d_k"],
    v: Float[np.ndarray, "*axes t_k d_v"],
    mask: Bool[np.ndarray, "..."] | None = None,
) -> tuple[Float[np.ndarray, "*axes t_q d_v"], Float[np.ndarray, "*axes t_q t_k"]]:
    """Blend the values, each weighted by how well its key answers the query.

    `mask` broadcasts to (…, t_q, t_k); True = may attend. A fully masked row
    gives zeros.

    Source: Vaswani et al. 2017, equation 1.
    """
    scores = q @ np.swapaxes(k, -2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights


def layer_norm(
    x: Float[np.ndarray, "*axes d"],
    gain: Float[np.ndarray, " d"],
    bias: Float[np.ndarray, " d"],
    eps: float = 1e-5,
) -> Float[np.ndarray, "*axes d"]:
    """Give every position mean 0 and variance 1 over its features, then rescale.

    Source: Ba et al. 2016, equation 4, with the variance divided by d.
    """
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    return gain * (x - mean) / np.sqrt(variance + eps) + bias


def sinusoidal_positions(t: int, d_model: int) -> Float[np.ndarray, "t d_model"]:
    """Write each position as clock hands: a sine and a cosine for every speed.

    Source: Vaswani et al. 2017, section 3.5.
    """
    table = np.zeros((t, d_model))
    for position in range(t):
        for feature in range(d_model):
            pair = feature // 2
            angle = position / 10_000 ** (2 * pair / d_model)
            table[position, feature] = (
                math.sin(angle) if feature % 2 == 0 else math.cos(angle)
            )
    return table
