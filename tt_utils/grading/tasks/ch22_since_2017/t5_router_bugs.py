"""22.5 Three planted bugs: a router that counts, weighs and adds up wrongly."""

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

TABLE = """
def mixture(x, router, w_in, w_out, k):
    scores = x @ router
    lowest = scores.topk(k).values[:, -1:]
    weights = scores.masked_fill(scores < lowest, -torch.inf).softmax(-1)
    out = torch.zeros_like(x)
    for e in range(len(w_in)):
        tokens = weights[:, e].nonzero().flatten()
        y = (x[tokens] @ w_in[e]).relu() @ w_out[e]
        out[tokens] += weights[tokens, e, None] * y
    return out
"""

DENSE = """
def mixture(x, router, w_in, w_out, k):
    best, chosen = (x @ router).topk(k, dim=-1)
    weights = torch.zeros(len(x), len(w_in)).scatter(1, chosen, best.softmax(-1))
    hidden = torch.einsum("td,edf->tef", x, w_in).relu()
    answers = torch.einsum("tef,efd->ted", hidden, w_out)
    return torch.einsum("te,ted->td", weights, answers)
"""

TOKEN_BY_TOKEN = """
def mixture(x, router, w_in, w_out, k):
    rows = []
    for token in x:
        scores = token @ router
        best, chosen = torch.topk(scores, k)
        shares = torch.softmax(best, dim=0)
        row = 0
        for share, e in zip(shares, chosen):
            row = row + share * (torch.relu(token @ w_in[e]) @ w_out[e])
        rows.append(row)
    return torch.stack(rows)
"""

RENORMALISED = """
def mixture(x, router, w_in, w_out, k):
    chances = F.softmax(x @ router, dim=1)
    shares, chosen = chances.topk(k)
    shares = shares / shares.sum(1, keepdim=True)
    tokens = torch.arange(len(x)).repeat_interleave(k)
    e = chosen.flatten()
    hidden = F.relu(torch.bmm(x[tokens, None], w_in[e]))
    y = torch.bmm(hidden, w_out[e])[:, 0] * shares.reshape(-1, 1)
    return torch.zeros_like(x).index_add(0, tokens, y)
"""

MISTAKES = """
as planted: lowest = scores.topk(k).values[:, -1:] → lowest = scores.flatten().topk(k * len(x)).values[-1]
and: weights = scores.masked_fill(scores < lowest, -torch.inf).softmax(-1) → weights = scores.softmax(-1).masked_fill(scores < lowest, 0)
and: out[tokens] += → out[: len(tokens)] +=
    Print `weights` for three tokens. How many entries above 0 has each row, and what is
    their sum? Then follow one token whose number isn't 0 to its row of `out`.

counted over all tokens, and not normalised: lowest = scores.topk(k).values[:, -1:] → lowest = scores.flatten().topk(k * len(x)).values[-1]
and: weights = scores.masked_fill(scores < lowest, -torch.inf).softmax(-1) → weights = scores.softmax(-1).masked_fill(scores < lowest, 0)
    The rows of `out` are right now. Two things are left, both in `weights`: how many
    experts has each row, and what do its entries sum to?

counted over all tokens, and added to the first rows: lowest = scores.topk(k).values[:, -1:] → lowest = scores.flatten().topk(k * len(x)).values[-1]
and: weights = scores.masked_fill(scores < lowest, -torch.inf).softmax(-1) → weights = scores.masked_fill(scores < lowest, -torch.inf).softmax(-1).nan_to_num(0)
and: out[tokens] += → out[: len(tokens)] +=
or: lowest = scores.topk(k).values[:, -1:] → lowest = scores.flatten().topk(k * len(x)).values[-1]
and: out[tokens] += → out[: len(tokens)] +=
    Each row of `weights` sums to 1 now. Two things are left: how many experts has each
    token, and to which rows of `out` does an expert add what it found?

not normalised, and added to the first rows: weights = scores.masked_fill(scores < lowest, -torch.inf).softmax(-1) → weights = scores.softmax(-1).masked_fill(scores < lowest, 0)
and: out[tokens] += → out[: len(tokens)] +=
    Each token has its k experts now. Two things are left: what do the entries of a row
    of `weights` sum to, and to which rows of `out` does an expert add what it found?

counted over all tokens: lowest = scores.topk(k).values[:, -1:] → lowest = scores.flatten().topk(k * len(x)).values[-1]
or: lowest = scores.topk(k).values[:, -1:] → lowest = scores.flatten().topk(k * len(x)).values[-1]
and: .softmax(-1)\\n    out → .softmax(-1).nan_to_num(0)\\n    out
    One thing is left. Some tokens get more than k experts and others none: over which
    of the scores is the k-th largest taken?

not normalised: weights = scores.masked_fill(scores < lowest, -torch.inf).softmax(-1) → weights = scores.softmax(-1).masked_fill(scores < lowest, 0)
or: best.softmax(-1) → (x @ router).softmax(-1).gather(1, chosen)
or: shares = torch.softmax(best, dim=0) → shares = torch.softmax(scores, dim=0)[chosen]
or: shares = shares / shares.sum(1, keepdim=True) → pass
    One thing is left. A token that had one expert would get a part of its answer: what
    should the weights of the chosen experts sum to?

added to the first rows: out[tokens] += → out[: len(tokens)] +=
    One thing is left. An expert that is chosen by tokens 3 and 5 adds its two rows to
    rows 0 and 1: to which should they go?

all experts: weights = scores.masked_fill(scores < lowest, -torch.inf).softmax(-1) → weights = scores.softmax(-1)
or: best, chosen = (x @ router).topk(k, dim=-1) → k = router.shape[1]\\n    best, chosen = (x @ router).topk(k, dim=-1)
or: torch.topk(scores, k) → torch.topk(scores, len(scores))
    In yours every expert answers every token. How many should?

one expert: lowest = scores.topk(k).values[:, -1:] → lowest = scores.amax(-1, keepdim=True)
or: best, chosen = (x @ router).topk(k, dim=-1) → best, chosen = (x @ router).topk(1, dim=-1)
or: torch.topk(scores, k) → torch.topk(scores, 1)
    In yours the best expert answers alone. How many should?

one expert too many: lowest = scores.topk(k).values[:, -1:] → lowest = scores.topk(min(k + 1, scores.shape[1])).values[:, -1:]
or: torch.topk(scores, k) → torch.topk(scores, min(k + 1, len(scores)))
    Each token has one expert too many. Does the k-th largest score belong to those that
    are chosen?

one expert too few: scores < lowest, → (scores <= lowest) & (scores < scores.amax(-1, keepdim=True)),
    Each token has one expert too few. Does the k-th largest score belong to those that
    are chosen?

the worst experts: lowest = scores.topk(k).values[:, -1:] → lowest = scores.topk(k, largest=False).values[:, -1:]
and: scores < lowest → scores > lowest
or: best, chosen = (x @ router).topk(k, dim=-1) → best, chosen = (x @ router).topk(k, dim=-1, largest=False)
or: torch.topk(scores, k) → torch.topk(scores, k, largest=False)
    You chose the experts with the lowest scores. Which ones are wanted?

experts choose: lowest = scores.topk(k).values[:, -1:] → lowest = scores.topk(min(k, len(x)), dim=0).values[-1:]
and: .softmax(-1)\\n    out → .softmax(-1).nan_to_num(0)\\n    out
    Each expert takes its k best tokens in yours, so a token may find no expert. Who
    chooses here: the tokens, or the experts?

softmax over the tokens: .softmax(-1)\\n    out → .softmax(0)\\n    out
or: F.softmax(x @ router, dim=1) → F.softmax(x @ router, dim=0)
    Your weights sum to 1 over the tokens. Which of them should sum to 1: those of an
    expert, or those of a token?

equal weights: weights = scores.masked_fill(scores < lowest, -torch.inf).softmax(-1) → weights = (scores >= lowest) / k
or: best.softmax(-1) → torch.full_like(best, 1 / k)
or: shares = torch.softmax(best, dim=0) → shares = torch.full((k,), 1 / k)
    Your experts have equal weights. What says how much each of them counts?

no weights: weights = scores.masked_fill(scores < lowest, -torch.inf).softmax(-1) → weights = (scores >= lowest).float()
or: best.softmax(-1) → torch.ones_like(best)
or: row = row + share * → row = row +
or: * shares.reshape(-1, 1) →
    Your experts' answers are added as they are. By what is each multiplied?

scores for weights: weights = scores.masked_fill(scores < lowest, -torch.inf).softmax(-1) → weights = scores.masked_fill(scores < lowest, 0)
or: best.softmax(-1) → best
or: shares = torch.softmax(best, dim=0) → shares = best
    You multiply by the scores themselves, which may be negative. What makes weights of
    them?

scores divided by their sum: weights = scores.masked_fill(scores < lowest, -torch.inf).softmax(-1) → weights = scores.masked_fill(scores < lowest, 0) / scores.masked_fill(scores < lowest, 0).sum(-1, keepdim=True)
or: best.softmax(-1) → best / best.sum(-1, keepdim=True)
or: shares = torch.softmax(best, dim=0) → shares = best / best.sum()
    You divide scores by their sum, and scores may be negative. What makes positive
    weights of them?

softmax twice: weights = scores.masked_fill(scores < lowest, -torch.inf).softmax(-1) → weights = scores.softmax(-1).masked_fill(scores < lowest, -torch.inf).softmax(-1)
or: best.softmax(-1) → (x @ router).softmax(-1).gather(1, chosen).softmax(-1)
or: shares = torch.softmax(best, dim=0) → shares = torch.softmax(torch.softmax(scores, dim=0)[chosen], dim=0)
or: shares = shares / shares.sum(1, keepdim=True) → shares = shares.softmax(1)
    You took softmax of probabilities, and the weights came out nearly equal. How often
    is it taken?

zeros among the scores: weights = scores.masked_fill(scores < lowest, -torch.inf).softmax(-1) → weights = scores.masked_fill(scores < lowest, 0).softmax(-1)
    The experts that weren't chosen have the score 0 in your softmax, which is a score
    like others. Which number gives a weight of 0?

each token answered by one token's experts: lowest = scores.topk(k).values[:, -1:] → scores = scores[:1].expand(len(x), -1)\\n    lowest = scores.topk(k).values[:, -1:]
or: best, chosen = (x @ router).topk(k, dim=-1) → best, chosen = (x[:1] @ router).expand(len(x), -1).topk(k, dim=-1)
    All your tokens get the experts of the first one. Whose scores choose a token's
    experts?

experts of the whole batch: lowest = scores.topk(k).values[:, -1:] → scores = scores.mean(0, keepdim=True).expand(len(x), -1)\\n    lowest = scores.topk(k).values[:, -1:]
or: (x @ router).topk(k, dim=-1) → (x @ router).mean(0, keepdim=True).expand(len(x), -1).topk(k, dim=-1)
    All your tokens share the experts that are best on average. Whose scores choose a
    token's experts?

one expert for all: w_in[e]).relu() @ w_out[e] → w_in[0]).relu() @ w_out[0]
or: torch.relu(token @ w_in[e]) @ w_out[e] → torch.relu(token @ w_in[0]) @ w_out[0]
or: w_in[e])) → w_in[e * 0]))
and: w_out[e])[:, 0] → w_out[e * 0])[:, 0]
    One expert answers for all of them in yours. Which one belongs to each weight?

two experts in one: w_in[e]).relu() @ w_out[e] → w_in[e]).relu() @ w_out[0]
or: torch.relu(token @ w_in[e]) @ w_out[e] → torch.relu(token @ w_in[e]) @ w_out[0]
    Your second matrix is always the same expert's. How many matrices has each expert?

no ReLU: .relu() @ → @
or: torch.relu(token @ w_in[e]) → (token @ w_in[e])
or: F.relu(torch.bmm(x[tokens, None], w_in[e])) → torch.bmm(x[tokens, None], w_in[e])
or: w_in).relu() → w_in)
    Your experts are straight. What stands between their two matrices?

ReLU at the end: .relu() @ w_out[e] → @ w_out[e]
and: weights[tokens, e, None] * y → weights[tokens, e, None] * y.relu()
or: torch.relu(token @ w_in[e]) @ w_out[e] → torch.relu(token @ w_in[e] @ w_out[e])
    Your ReLU stands behind the second matrix. Between which two is it asked for?

tokens weighed on the way in: y = (x[tokens] @ w_in[e]).relu() @ w_out[e] → y = (weights[tokens, e, None] * x[tokens] @ w_in[e]).relu() @ w_out[e]
    You multiply by the weight on the way in and on the way out. How often does it
    count?

residual inside: return out → return x + out
or: return torch.stack(rows) → return x + torch.stack(rows)
or: return torch.zeros_like(x).index_add → return x.index_add
    You added the token itself. Does the task ask for it?

overwritten: out[tokens] += → out[tokens] =
or: row = row + share * → row = share *
    The last expert replaces what the others wrote. What happens to the answers of a
    token's experts?

maximum of the answers: out[tokens] += weights[tokens, e, None] * y → out[tokens] = torch.maximum(out[tokens], weights[tokens, e, None] * y)
    You keep the larger of two answers. What happens to the answers of a token's
    experts?

mean of the answers: return out → return out / k
or: return torch.stack(rows) → return torch.stack(rows) / k
or: return torch.einsum("te,ted->td", weights, answers) → return torch.einsum("te,ted->td", weights, answers) / k
    You divided by k as well. What do a token's weights sum to already?
"""


def layer(n_tokens, d_model, n_experts, d_ff, k):
    """Tokens, a router, and experts of two matrices each."""

    def inputs(rng):
        x = rng.normal(size=(n_tokens, d_model))
        router = rng.normal(size=(d_model, n_experts))
        w_in = rng.normal(size=(n_experts, d_model, d_ff))
        w_out = rng.normal(size=(n_experts, d_ff, d_model))
        return *(array.round(1) for array in (x, router, w_in, w_out)), k

    return inputs


def popular(n_tokens, d_model, n_experts, d_ff, k):
    """The last tokens have large scores, so that all places would go to them."""

    def inputs(rng):
        x, *weights = layer(n_tokens, d_model, n_experts, d_ff, k)(rng)
        x[-2:] *= 4
        return np.round(x, 1), *weights

    return inputs


TASK = FunctionTask(
    title="A router with three bugs",
    kind="find the bug",
    answers=("mixture",),
    arguments=("x", "router", "w_in", "w_out", "k"),
    outputs=("out",),
    arrays="torch",
    rtol=1e-3,
    atol=1e-3,
    right=(TABLE, DENSE, TOKEN_BY_TOKEN, RENORMALISED),
    mistakes=MISTAKES,
    checks=(
        Check("every expert for every token", layer(3, 5, 2, 7, 2), earns=False),
        Check("one token, one expert of three", layer(1, 5, 3, 2, 1)),
        Check("one token, two experts of five", layer(1, 3, 5, 7, 2)),
        Check("four tokens, one expert each", layer(4, 5, 3, 2, 1)),
        Check("five tokens, two of three experts", layer(5, 7, 3, 4, 2)),
        Check("two tokens with large scores among six", popular(6, 5, 7, 3, 2)),
        Check("eleven tokens, three of eight experts", layer(11, 5, 8, 7, 3)),
    ),
    hints=(
        "Give it four tokens and k = 2, and print `weights`: each row should have two entries "
        "above 0, and their sum should be 1.",
        "Then let one expert be chosen by the last token alone. Which row of `out` does it "
        "write to?",
    ),
    section="A mixture of experts",
    page="22b_each_change_alone",
    why="A token's result depends on the token alone: it chooses k experts, weighs them "
    "with a sum of 1, and its row gets the sum. None of the three bugs raises an error.",
)
