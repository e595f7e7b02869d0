"""Graded tasks of chapter 05: scores, the scale, a stable softmax, attention.

Masks: True = may attend; a query with no key to attend to gets zeros.
"""

import numpy as np

from tt_utils.grading.spec import (
    ANYTHING,
    Check,
    Draws,
    FunctionTask,
    Law,
    ValueTask,
    Wrong,
)

# --- 05.1 scaled dot-product attention ---------------------------------------------


def attention(q, k, v, mask=None):
    scores = np.einsum("...id,...jd->...ij", q, k) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return np.einsum("...ij,...jv->...iv", weights, v), weights


def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    powers = np.exp(x - np.where(np.isfinite(top), top, 0))
    total = powers.sum(axis=axis, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def _attention(scale=None, axis=-1, fill=-np.inf, normalise=softmax):
    """Attention with one decision changed: the mistakes below are built from it."""

    def answer(q, k, v, mask=None):
        scores = q @ np.swapaxes(k, -1, -2)
        scores = scores / (np.sqrt(q.shape[-1]) if scale is None else scale(q, k, v))
        if mask is not None:
            scores = np.where(mask, scores, fill)
        weights = normalise(scores, axis)
        return weights @ v, weights

    return answer


def _changed(change):
    """Right attention whose results go through `change(out, weights, q, k, v)`."""

    def answer(q, k, v, mask=None):
        return change(*attention(q, k, v, mask), q, k, v)

    return answer


def _without_scores(q, k, v, mask=None):
    _, weights = attention(q, k, v, mask)
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    return weights @ v, scores


def _mask_added(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    weights = softmax(scores if mask is None else scores + mask)
    return weights @ v, weights


def _mask_after(q, k, v, mask=None):
    _, weights = attention(q, k, v)
    weights = weights if mask is None else weights * mask
    return weights @ v, weights


def _mask_inverted(q, k, v, mask=None):
    return attention(q, k, v, mask if mask is None else ~mask)


def _softmax_nan(x, axis=-1):
    """Stable, but 0/0 where nothing is left."""
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _softmax_overflowing(x, axis=-1):
    powers = np.exp(x.astype(np.float32))
    total = powers.sum(axis=axis, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def _softmax_over_all(x, axis=-1):
    powers = np.exp(x - x.max())
    return powers / powers.sum(axis=(-2, -1), keepdims=True)


def _hard(x, axis=-1):
    chosen = x == x.max(axis=axis, keepdims=True)
    chosen = chosen & np.isfinite(x)
    return chosen / np.maximum(chosen.sum(axis=axis, keepdims=True), 1)


def _sum_only(x, axis=-1):
    x = np.where(np.isfinite(x), x, 0)
    total = x.sum(axis=axis, keepdims=True)
    return x / np.where(total == 0, 1, total)


def _from_library(q, k, v, mask=None):
    """The library's function gives no weights; a one-hot value for each key does."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention as library

    one_hot = torch.eye(k.shape[-2]).expand(*k.shape[:-2], -1, -1)
    results = [library(q, k, x, attn_mask=mask) for x in (v, one_hot)]
    if mask is not None:
        results = [r.masked_fill(~mask.any(-1, keepdim=True), 0) for r in results]
    return tuple(results)


def _in_loops(q, k, v, mask=None):
    import torch

    lead, n_q, n_k = q.shape[:-2], q.shape[-2], k.shape[-2]
    may = torch.ones(*lead, n_q, n_k, dtype=torch.bool)
    may = may if mask is None else may & mask
    out, weights = torch.zeros(*lead, n_q, v.shape[-1]), torch.zeros(*lead, n_q, n_k)
    for at in np.ndindex(*lead, n_q):
        keys = [j for j in range(n_k) if may[at][j]]
        if not keys:
            continue
        scores = [float(q[at] @ k[at[:-1]][j]) / q.shape[-1] ** 0.5 for j in keys]
        powers = [np.exp(score - max(scores)) for score in scores]
        for j, power in zip(keys, powers, strict=True):
            weights[at][j] = power / sum(powers)
            out[at] += weights[at][j] * v[at[:-1]][j]
    return out, weights


def _in_double(q, k, v, mask=None):
    import torch

    scores = torch.einsum("...qd,...kd->...qk", q.double(), k.double())
    scores = scores * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -torch.inf)
    weights = torch.softmax(scores, dim=-1).nan_to_num(0)
    return torch.einsum("...qk,...kv->...qv", weights, v.double()), weights


def _with_large_negative(q, k, v, mask=None):
    import torch

    scores = (q / q.shape[-1] ** 0.5) @ k.mT
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    weights = weights if mask is None else weights * mask
    return weights.matmul(v), weights


def _qkv(n_q, n_k, d_k, d_v, lead=(), spread=1.5):
    """Random q, k, v with one decimal; give every axis its own size."""

    def inputs(rng):
        return tuple(
            rng.normal(scale=spread, size=(*lead, *size)).round(1)
            for size in ((n_q, d_k), (n_k, d_k), (n_k, d_v))
        )

    return inputs


def _masked(qkv, mask):
    return lambda rng: (*qkv(rng), mask(rng))


def _tiny_mask(rng):
    return np.array([[True, False, True]])


def _padding_mask(rng):
    mask = np.ones((2, 1, 1, 7), dtype=bool)
    mask[0, ..., 5:] = mask[1, ..., 3:] = False
    return mask


def _empty_row_mask(rng):
    return np.array([[True, True, False], [False, False, False]])


def _large(rng):
    """Every single score is far above what exp can hold."""
    q, k, v = _qkv(2, 3, 5, 1)(rng)
    return 100 + 100 * np.abs(q), 10 + 10 * np.abs(k), v


ATTENTION = FunctionTask(
    id="05.1",
    title="Scaled dot-product attention",
    kind="implement",
    points=4,
    function="scaled_dot_product_attention",
    arguments=("q", "k", "v", "mask"),
    outputs=("out", "weights"),
    arrays="torch",
    reference=attention,
    rtol=1e-3,
    atol=1e-4,
    checks=(
        Check(
            "one query, two keys",
            lambda rng: (
                np.array([[1.0, 2, 0, 1]]),
                np.array([[1.0, 1, 0, 1], [0, 1, 1, 0]]),
                np.array([[6.0, 0, 3], [0, 2, 1]]),
            ),
        ),
        Check("two queries, three keys", _qkv(2, 3, 5, 1)),
        Check("a mask that hides keys", _masked(_qkv(1, 3, 2, 1), _tiny_mask)),
        Check("a batch of 2 with 3 heads", _qkv(5, 7, 11, 13, lead=(2, 3))),
        Check(
            "a padding mask of shape (2, 1, 1, 7), shared by all heads and queries",
            _masked(_qkv(5, 7, 11, 13, lead=(2, 3)), _padding_mask),
        ),
        Check("very large scores", _large),
        Check(
            "a query that may attend to no key",
            _masked(_qkv(2, 3, 1, 1), _empty_row_mask),
        ),
    ),
    wrong=(
        Wrong(
            "no scale",
            "Your weights are too sharp, and get sharper as d_k grows. What is done to "
            "the scores before softmax, so that d_k doesn't matter?",
            _attention(scale=lambda q, k, v: 1),
        ),
        Wrong(
            "divided by the root of the number of keys",
            "Your scale changes when keys are added. Which axis of k holds the "
            "features, and which one counts the keys?",
            _attention(scale=lambda q, k, v: np.sqrt(k.shape[-2])),
        ),
        Wrong(
            "divided by d_k",
            "Your weights are too flat. The variance of a score grows like d_k; "
            "how does its typical size grow?",
            _attention(scale=lambda q, k, v: q.shape[-1]),
        ),
        Wrong(
            "multiplied by the scale",
            "Your scores got larger by the scale instead of smaller. In which "
            "direction should it work?",
            _attention(scale=lambda q, k, v: 1 / np.sqrt(q.shape[-1])),
        ),
        Wrong(
            "scaled by the width of v",
            "Your scale depends on the values. Which two tensors make a score, and "
            "how many products are added up in it?",
            _attention(scale=lambda q, k, v: np.sqrt(v.shape[-1])),
        ),
        Wrong(
            "softmax over queries",
            "Your columns sum to 1, not your rows. Each query spreads a weight of 1 "
            "over the keys: which axis is that?",
            _attention(axis=-2),
        ),
        Wrong(
            "softmax over the whole matrix",
            "All your weights together sum to 1. How much does each single query "
            "have to spread?",
            _attention(normalise=_softmax_over_all),
        ),
        Wrong(
            "no exp",
            "Some of your weights are negative. What makes every score positive "
            "before the division by the sum?",
            _attention(normalise=_sum_only),
        ),
        Wrong(
            "hard choice",
            "Your weights are only 0 and 1: the best key takes all. A soft lookup "
            "mixes. What turns scores into shares?",
            _attention(normalise=_hard),
        ),
        Wrong(
            "masked scores filled with 0",
            "Hidden keys still get weight. What is exp(0), and which score has an exp "
            "of 0?",
            _attention(fill=0.0),
        ),
        Wrong(
            "mask after softmax",
            "With a mask, your rows no longer sum to 1. Should keys be hidden before "
            "or after the weights are shared out?",
            _mask_after,
        ),
        Wrong(
            "mask ignored",
            "Your result is the same with and without the mask. Where does the "
            "argument `mask` enter?",
            lambda q, k, v, mask=None: attention(q, k, v),
        ),
        Wrong(
            "mask inverted",
            "You hide exactly the keys that should be seen. In this book, what does "
            "True in a mask mean?",
            _mask_inverted,
        ),
        Wrong(
            "mask added as 0 and 1",
            "You added the mask to the scores, so a hidden key loses only 1. How low "
            "must a score be to get no weight at all?",
            _mask_added,
        ),
        Wrong(
            "weights returned as output",
            "Your first result is the weights again. They say how much of each value "
            "to take: where do the values come in?",
            _changed(lambda out, weights, q, k, v: (weights, weights)),
        ),
        Wrong(
            "keys mixed instead of values",
            "You averaged the keys. They are there to be compared; which tensor "
            "holds what is handed over?",
            _changed(lambda out, weights, q, k, v: (weights @ k, weights)),
        ),
        Wrong(
            "results swapped",
            "You returned the right two tensors. In which order are they asked for?",
            _changed(lambda out, weights, q, k, v: (weights, out)),
        ),
        Wrong(
            "scores returned as weights",
            "Your second result is the scores, before softmax. Do its rows sum to 1?",
            _without_scores,
        ),
        Wrong(
            "overflow",
            "There are NaNs where scores are large: exp(1000) is more than a float "
            "can hold. What can be subtracted from a row without changing its "
            "softmax?",
            _attention(normalise=_softmax_overflowing),
        ),
        Wrong(
            "fully masked row gives NaN",
            "A query that may see no key gives NaN: softmax of a row of −inf is 0/0. "
            "What should such a row of weights hold instead?",
            _attention(normalise=_softmax_nan),
        ),
        Wrong(
            "fully masked row spreads evenly",
            "A query that may see no key spreads its weight evenly over the hidden "
            "keys. A large negative number hides a key only next to one that is not "
            "hidden. What is left to do for such a row?",
            _attention(fill=-1e9),
        ),
    ),
    right=(
        _from_library,
        _in_loops,
        _in_double,
        _with_large_negative,
        _changed(lambda out, weights, q, k, v: [out, weights]),
    ),
)


# --- 05.2 how the variance of a score grows ----------------------------------------


def variance_slope(dims, rng):
    variances = []
    for d_k in dims:
        q, k = rng.normal(scale=2, size=(2, 4000, d_k))
        variances.append((q * k).sum(axis=1).var())
    return np.polyfit(np.log(dims), np.log(variances), 1)[0]


def _measured(score=lambda q, k: (q * k).sum(axis=1), spread=np.var, fit=None, n=2000):
    """The measurement with one decision changed."""
    fit = fit or (lambda dims, ys: np.polyfit(np.log(dims), np.log(ys), 1)[0])

    def answer(dims, rng):
        pairs = (rng.normal(scale=2, size=(2, n, d_k)) for d_k in dims)
        return fit(dims, [spread(score(q, k)) for q, k in pairs])

    return answer


def _own_generator(dims, rng):
    return variance_slope(dims, np.random.default_rng(0))


def _with_scores_of_all_pairs(dims, rng):
    x, y = np.log(np.array(dims)), []
    for d_k in dims:
        q, k = rng.uniform(-3.5, 3.5, (300, d_k)), rng.uniform(-3.5, 3.5, (301, d_k))
        y.append(np.log((q @ k.T).var()))
    x = x - x.mean()
    return (x * np.array(y)).sum() / (x**2).sum()


def _draws(*dims):
    return lambda rng: (dims, Draws(int(rng.integers(1_000_000))))


VARIANCE = FunctionTask(
    id="05.2",
    title="How fast does the variance of a score grow?",
    kind="explain",
    points=2,
    function="variance_slope",
    arguments=("dims", "rng"),
    outputs=("slope",),
    reference=lambda dims, rng: 1.0,
    rtol=0.0,
    atol=0.15,  # four standard errors with 2,000 pairs
    checks=(
        Check("d_k from 4 to 256", _draws(4, 16, 64, 256)),
        Check("the same with other draws", _draws(4, 16, 64, 256)),
        Check("d_k from 1 to 8", _draws(1, 2, 4, 8)),
    ),
    wrong=(
        Wrong(
            "standard deviation",
            "A slope of one half belongs to the standard deviation. Which of the two "
            "is asked for, and which of them does √d_k bring back to 1?",
            _measured(spread=np.std),
        ),
        Wrong(
            "entries not independent",
            "A slope of 2 means that the entries of a vector move together. Does "
            "every entry get a draw of its own?",
            _measured(score=lambda q, k: q[:, 0] * k[:, 0] * q.shape[1]),
        ),
        Wrong(
            "already scaled",
            "A slope of 0 is what the scale achieves. Measure the scores before it.",
            _measured(score=lambda q, k: (q * k).sum(axis=1) / q.shape[1] ** 0.5),
        ),
        Wrong(
            "mean instead of sum",
            "A negative slope: your scores shrink as d_k grows. Does a dot product "
            "add its products or average them?",
            _measured(score=lambda q, k: (q * k).mean(axis=1)),
        ),
        Wrong(
            "straight line without logarithms",
            "You fitted a line to the variances themselves, so its slope depends on "
            "the spread of the entries. Which scale turns a power of d_k into its "
            "exponent?",
            _measured(fit=lambda dims, ys: np.polyfit(dims, ys, 1)[0]),
        ),
        Wrong(
            "logarithm on one side",
            "Your slope changes with the range of d_k. Both axes need a logarithm: "
            "which one has none yet?",
            _measured(fit=lambda dims, ys: np.polyfit(dims, np.log(ys), 1)[0]),
        ),
        Wrong(
            "two different logarithms",
            "Your slope is off by the factor between two kinds of logarithm. Do both "
            "axes use the same one?",
            _measured(fit=lambda dims, y: np.polyfit(np.log(dims), np.log2(y), 1)[0]),
        ),
        Wrong(
            "intercept returned",
            "You returned the height of the line where log d_k is 0. A straight line "
            "has two numbers: which one is the exponent?",
            _measured(fit=lambda dims, ys: np.polyfit(np.log(dims), np.log(ys), 1)[1]),
        ),
    ),
    laws=(
        Law(
            "Different draws give exactly the same slope in your function",
            lambda outputs: outputs[0]["slope"] != outputs[1]["slope"],
            "A measurement wobbles a little from draw to draw. Where does your "
            "function use `rng`?",
            broken_by=(lambda dims, rng: 1.0, _own_generator),
        ),
    ),
    right=(
        _measured(
            n=4000, fit=lambda dims, y: np.polyfit(np.log2(dims), np.log2(y), 1)[0]
        ),
        _measured(
            fit=lambda dims, ys: (
                (np.log10(ys[-1]) - np.log10(ys[0]))
                / (np.log10(dims[-1]) - np.log10(dims[0]))
            )
        ),
        _measured(score=lambda q, k: np.einsum("nd,nd->n", q, k), n=3000),
        _with_scores_of_all_pairs,
    ),
)


# --- 05.3 find the bug -------------------------------------------------------------


def batched_scores(q, k):
    return np.einsum("...id,...jd->...ij", q, k) / np.sqrt(q.shape[-1])


def _scores_over(scale):
    return lambda q, k: q @ np.swapaxes(k, -1, -2) / scale(q, k)


def _qk(n_q, n_k, d_k, lead):
    return lambda rng: _qkv(n_q, n_k, d_k, 1, lead)(rng)[:2]


SCALE_BUG = FunctionTask(
    id="05.3",
    title="A scale that looks at the wrong axis",
    kind="find the bug",
    points=2,
    function="batched_scores",
    arguments=("q", "k"),
    outputs=("scores",),
    arrays="torch",
    reference=batched_scores,
    rtol=1e-3,
    atol=1e-4,
    checks=(
        Check("a batch of 1: one query, two keys", _qk(1, 2, 4, (1,))),
        Check("a batch of 7", _qk(2, 3, 5, (7,))),
        Check("wide heads: d_k = 16", _qk(3, 5, 16, (2,))),
        Check("a batch of 2 with 3 heads", _qk(5, 7, 11, (2, 3))),
    ),
    wrong=(
        Wrong(
            "as planted",
            "Add keys, and every score shrinks: that cannot be. Name the axes of k one "
            "by one. What does axis 1 count?",
            _scores_over(lambda q, k: np.sqrt(k.shape[1])),
        ),
        Wrong(
            "shape[0]",
            "Now the result depends on the batch size. A sentence must not care "
            "about its neighbours in the batch.",
            _scores_over(lambda q, k: np.sqrt(k.shape[0])),
        ),
        Wrong(
            "counted from the front",
            "Right for a batch, wrong once there are heads as well. From which end "
            "should the axes be counted?",
            _scores_over(lambda q, k: np.sqrt(k.shape[2])),
        ),
        Wrong(
            "number of keys in every case",
            "You now find the same axis with heads and without. It still counts the "
            "keys: where are the features?",
            _scores_over(lambda q, k: np.sqrt(k.shape[-2])),
        ),
        Wrong(
            "number of queries",
            "Ask one question more, and all scores shrink. Which number is the same "
            "for q and for k?",
            _scores_over(lambda q, k: np.sqrt(q.shape[-2])),
        ),
        Wrong(
            "8 written down",
            "That number fits d_k = 64 only. Where can the function read its d_k?",
            _scores_over(lambda q, k: 8),
        ),
        Wrong(
            "root of 8 written down",
            "Works only for d_k = 8. Where can the function read its d_k?",
            _scores_over(lambda q, k: np.sqrt(8)),
        ),
        Wrong(
            "2 written down",
            "Works for the first example only, where d_k is 4. What does the next "
            "caller bring?",
            _scores_over(lambda q, k: 2),
        ),
        Wrong(
            "scale removed",
            "The bug is gone, and the scale with it. What happens to softmax as d_k "
            "grows?",
            _scores_over(lambda q, k: 1),
        ),
        Wrong(
            "root lost",
            "The axis is right now. Your scores are too small by one more factor: "
            "what stood around it before?",
            _scores_over(lambda q, k: q.shape[-1]),
        ),
    ),
    right=(
        lambda q, k: q @ k.transpose(-2, -1) / k.size(-1) ** 0.5,
        lambda q, k: (q * q.shape[-1] ** -0.25) @ (k * q.shape[-1] ** -0.25).mT,
        lambda q, k: (
            (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(-1).div(k.shape[-1] ** 0.5)
        ),
        lambda q, k: batched_scores(q.double().numpy(), k.double().numpy()),
    ),
)

# --- 05.4 stable softmax -----------------------------------------------------------


def _rows(*shape):
    return lambda rng: rng.normal(scale=1.5, size=shape).round(1)


def _softmax_any_shift(shift):
    def answer(x, axis=-1):
        powers = np.exp(x - shift(x, axis))
        total = powers.sum(axis=axis, keepdims=True)
        return powers / np.where(total == 0, 1, total)

    return answer


def _clipped(x, axis=-1):
    return softmax(np.where(np.isfinite(x), x.clip(-500, 500), x), axis)


def _nan_patched(x, axis=-1):
    powers = np.exp(x)
    return np.nan_to_num(powers / powers.sum(axis=axis, keepdims=True))


def _in_base_two(x, axis=-1):
    return softmax(x * np.log(2), axis)


def _even_row(x, axis=-1):
    return softmax(np.where(np.isfinite(x), x, -1e9), axis)


def _finite_maximum(x, axis):
    top = np.max(x, axis=axis, keepdims=True)
    return np.where(np.isneginf(top), 0, top)


def _log_softmax(x, axis=-1):
    return np.log(softmax(x, axis))


def _softmax_of_row(row):
    if np.isneginf(row).all():
        return np.zeros(len(row))
    powers = [2.0 ** ((score - max(row)) / np.log(2)) for score in row]
    return np.array(powers) / sum(powers)


def _softmax_in_torch(x, axis=-1):
    import torch

    return torch.softmax(torch.from_numpy(x), dim=axis).nan_to_num(0)


SOFTMAX = FunctionTask(
    id="05.4",
    title="A softmax that survives large scores",
    kind="implement",
    points=3,
    function="softmax",
    arguments=("x", "axis"),
    outputs=("weights",),
    reference=softmax,
    checks=(
        Check("two scores", lambda rng: (np.log([1.0, 3.0]),)),
        Check("two rows of three scores", lambda rng: (_rows(2, 3)(rng),)),
        Check("along axis 0", lambda rng: (_rows(2, 3)(rng), 0)),
        Check("along axis 1 of three", lambda rng: (_rows(2, 3, 5)(rng), 1)),
        Check("large scores", lambda rng: (np.array([[1000.0, 1001, 998]]),)),
        Check(
            "rows of very different size",
            lambda rng: (np.array([[0.0, 1.0], [2000, 2002]]),),
        ),
        Check(
            "one score far above the others",
            lambda rng: (np.array([[0.0, 1, 900], [0, 1, 2500]]),),
        ),
        Check("scores far below 0", lambda rng: (np.array([-1000.0, -1001, -1002]),)),
        Check("a score of −inf", lambda rng: (np.array([1.0, -np.inf, 2.0]),)),
        Check(
            "a row of nothing but −inf, which gets zeros",
            lambda rng: (np.array([[0.0, 1.0], [-np.inf, -np.inf]]),),
        ),
    ),
    wrong=(
        Wrong(
            "no shift",
            "Large scores give NaN: exp(1000) is more than a float can hold. What can "
            "you subtract from a row without changing its softmax?",
            _softmax_any_shift(lambda x, axis: 0.0),
        ),
        Wrong(
            "one shift for all rows",
            "You subtract one number from all rows. A row that lies far below it "
            "becomes 0/0. Whose largest score should each row lose?",
            _softmax_any_shift(lambda x, axis: np.max(x)),
        ),
        Wrong(
            "mean subtracted",
            "You subtract the mean. The largest score may still lie far above it: "
            "after which shift is no score above 0?",
            _softmax_any_shift(lambda x, axis: np.mean(x, axis=axis, keepdims=True)),
        ),
        Wrong(
            "minimum subtracted",
            "You subtract the smallest score, so the others end up above 0. At which "
            "end of a row does exp overflow?",
            _softmax_any_shift(lambda x, axis: np.min(x, axis=axis, keepdims=True)),
        ),
        Wrong(
            "scores clipped",
            "Scores beyond a limit all get the same weight. 1000 and 1001 are not "
            "equal: can you shift instead of cutting off?",
            _clipped,
        ),
        Wrong(
            "NaN replaced",
            "You replaced NaN by a number, so the largest score gets no weight. What "
            "made the NaN?",
            _nan_patched,
        ),
        Wrong(
            "always the last axis",
            "The argument `axis` has no effect: your numbers sum to 1 along the last "
            "axis.",
            lambda x, axis=-1: softmax(x, -1),
        ),
        Wrong(
            "always the first axis",
            "Your numbers sum to 1 along axis 0, whatever `axis` says. Does each row "
            "sum to 1?",
            lambda x, axis=-1: softmax(x, 0),
        ),
        Wrong(
            "sum over everything",
            "All your numbers together sum to 1. Each row has a weight of 1 of its "
            "own: along what do you add up?",
            lambda x, axis=-1: np.exp(x - x.max()) / np.exp(x - x.max()).sum(),
        ),
        Wrong(
            "no exp",
            "You divided the scores by their sum. Some come out negative: what makes "
            "them positive first?",
            _sum_only,
        ),
        Wrong(
            "no division",
            "Your numbers do not sum to 1. Which step turns positive numbers into "
            "shares?",
            lambda x, axis=-1: np.exp(x - _finite_maximum(x, axis)),
        ),
        Wrong(
            "logarithm of softmax",
            "Your numbers are negative: these are the logarithms of the weights.",
            _log_softmax,
        ),
        Wrong(
            "powers of two",
            "Your weights are too flat. Powers of which number does softmax use?",
            _in_base_two,
        ),
        Wrong(
            "hard maximum",
            "The largest score takes all. The soft maximum leaves something for the "
            "others.",
            _hard,
        ),
        Wrong(
            "row of −inf gives NaN",
            "A row of nothing but −inf gives NaN: −inf minus −inf is no number. What "
            "can be subtracted from such a row, and what can its sum be divided by?",
            _softmax_nan,
        ),
        Wrong(
            "row of −inf spreads evenly",
            "A row of nothing but −inf gets equal weights. Nothing may be chosen "
            "there: what should its weights be?",
            _even_row,
        ),
    ),
    right=(
        _softmax_any_shift(_finite_maximum),
        lambda x, axis=-1: np.apply_along_axis(_softmax_of_row, axis, x),
        lambda x, axis=-1: np.nan_to_num(_softmax_nan(x, axis)),
        _softmax_in_torch,
    ),
)


# --- 05.5 by hand ------------------------------------------------------------------

BY_HAND = ValueTask(
    id="05.5",
    title="One query by hand",
    kind="compute by hand",
    points=2,
    outputs=("weights", "out"),
    reference=((1 / 7, 2 / 7, 4 / 7), 9),
    rtol=0.0,
    atol=2e-3,
    wrong=(
        Wrong(
            "no scale",
            "You have 1 : 4 : 16, which is the exp of the unscaled scores. What is "
            "the root of d_k = 4?",
            ((1 / 21, 4 / 21, 16 / 21), ANYTHING),
        ),
        Wrong(
            "divided by d_k",
            "You divided by d_k = 4. Which function of d_k belongs there?",
            (
                tuple(
                    np.array([1, 2**0.5, 2]) / (3 + 2**0.5),
                ),
                ANYTHING,
            ),
        ),
        Wrong(
            "equal weights",
            "Equal weights belong to equal scores. Yours are 0, ln 2 and ln 4.",
            ((1 / 3, 1 / 3, 1 / 3), ANYTHING),
        ),
        Wrong(
            "no exp",
            "You divided the scores by their sum. What comes before the division?",
            ((0, 1 / 3, 2 / 3), ANYTHING),
        ),
        Wrong(
            "no division",
            "1, 2 and 4 are the right proportions. What must the three weights add "
            "up to?",
            ((1, 2, 4), ANYTHING),
        ),
        Wrong(
            "scores as weights",
            "Those are the scaled scores. What does softmax do with them?",
            ((0, np.log(2), np.log(4)), ANYTHING),
        ),
        Wrong(
            "hard choice",
            "You gave everything to the best key. Softmax leaves a share for each.",
            ((0, 0, 1), ANYTHING),
        ),
        Wrong(
            "wrong order",
            "The three shares are right, their order is not. Which key has the "
            "largest score?",
            ((4 / 7, 2 / 7, 1 / 7), ANYTHING),
        ),
        Wrong(
            "plain mean of the values",
            "7 is the plain mean of the values. How much does each one count?",
            (ANYTHING, 7),
        ),
        Wrong(
            "output unnormalised",
            "63 is 7 times too much. Which weights did you use, before or after the "
            "division by their sum?",
            (ANYTHING, 63),
        ),
        Wrong(
            "value of the best key",
            "You returned the value of the best key alone. What do the other two add?",
            (ANYTHING, 14),
        ),
        Wrong(
            "products not added",
            "Those are the three weighted values. What turns them into one output?",
            (ANYTHING, (1, 0, 8)),
        ),
    ),
    right=(
        (np.array([0.143, 0.286, 0.571]), 9.0),
        ([1 / 7, 2 / 7, 4 / 7], np.array([9])),
        ((0.1429, 0.2857, 0.5714), 9.001),
    ),
)

TASKS = (ATTENTION, VARIANCE, SCALE_BUG, SOFTMAX, BY_HAND)
