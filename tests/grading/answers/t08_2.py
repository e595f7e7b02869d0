"""Answers to 08.2, the mask of a decoder whose last words ask."""


def written(body: str, names: str = "tokens, pad_id, t_q") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def decoder_mask({names}):\n{lines}"


def two(real: str, past: str, joined: str = "real & past") -> str:
    """Both masks in one line each, and what is made of them."""
    return written(
        f"t = tokens.shape[1]\nreal = {real}\npast = {past}\nreturn {joined}"
    )


REAL = "(tokens != pad_id)[:, None, None, :]"
PAST = "torch.ones(t_q, t, dtype=torch.bool).tril(t - t_q)"

RIGHT = {
    "the chapter's lines": two(REAL, PAST),
    "two functions": """
def padding_mask(tokens, pad_id):
    return (tokens != pad_id)[:, None, None, :]


def causal_mask(t_q, t_k):
    return torch.ones(t_q, t_k, dtype=torch.bool).tril(t_k - t_q)


def decoder_mask(tokens, pad_id, t_q):
    t = tokens.shape[1]
    return padding_mask(tokens, pad_id) & causal_mask(t_q, t)
""",
    "the last rows": two(REAL, "torch.ones(t, t).tril().bool()[-t_q:]"),
    "ones of the type of tokens": two(
        "tokens.ne(pad_id).unsqueeze(1).unsqueeze(2)",
        "torch.tril(torch.ones_like(tokens[0]).expand(t, t))[t - t_q :] == 1",
    ),
    "what is forbidden": two(
        "(tokens == pad_id)[:, None, None]",
        "torch.triu(torch.ones(t_q, t), diagonal=t - t_q + 1).bool()",
        "~(real | past)",
    ),
    "multiplied": two(
        REAL + ".float()",
        "torch.tril(torch.ones(t_q, t), t - t_q)",
        "(real * past).bool()",
    ),
    "places": two(
        "~(tokens == pad_id).reshape(-1, 1, 1, t)",
        "torch.arange(t)[None] <= torch.arange(t - t_q, t)[:, None]",
        "torch.logical_and(past, real)",
    ),
    "NumPy": written("""ids = tokens.numpy()
t = ids.shape[1]
past = np.tri(t_q, t, t - t_q, dtype=bool)
return (ids != pad_id)[:, None, None, :] & past[None, None]"""),
    "filled in": written("""batch, t = tokens.shape
mask = torch.ones(batch, 1, t_q, t, dtype=torch.bool)
mask = mask.tril(diagonal=t - t_q)
return mask.masked_fill((tokens == pad_id)[:, None, None, :], False)"""),
    "sentence by sentence": written("""t = tokens.shape[1]
table = torch.ones(t_q, t).tril(t - t_q) > 0
return torch.stack([table & (sentence != pad_id) for sentence in tokens])[:, None]"""),
    "row by row": written("""t = tokens.shape[1]
mask = torch.zeros(len(tokens), 1, t_q, t, dtype=torch.bool)
for row in range(t_q):
    end = t - t_q + row + 1
    mask[:, 0, row, :end] = tokens[:, :end] != pad_id
return mask"""),
    "lists of lists": written("""t = len(tokens[0])
return [
    [[[bool(w != pad_id) and j <= i for j, w in enumerate(s)] for i in range(t - t_q, t)]]
    for s in tokens
]"""),
    "einsum": written("""t = tokens.shape[1]
real = (tokens != pad_id).float()
past = torch.ones(t_q, t).tril(t - t_q)
return torch.einsum("bk,qk->bqk", real, past).unsqueeze(1) == 1"""),
    "from scores": written("""t = tokens.shape[1]
scores = torch.zeros(len(tokens), 1, t_q, t)
scores = scores.masked_fill((tokens == pad_id)[:, None, None, :], -torch.inf)
scores = scores + torch.full((t_q, t), -torch.inf).triu(t - t_q + 1)
return scores == 0"""),
    "the newest alone needs no triangle": written("""mask = (tokens != pad_id)[:, None, None, :]
if t_q == 1:
    return mask
t = tokens.shape[1]
return mask & torch.ones(t_q, t).tril(t - t_q).bool()"""),
    "cumulated": written("""t = tokens.shape[1]
past = torch.eye(t).flip(1).cumsum(1).flip(1).bool()
return (past & (tokens != pad_id)[:, None])[:, None, -t_q:]"""),
    "other names": written(
        """n = ids.size(1)
return ids.ne(pad)[:, None, None].mul(torch.ones(m, n, dtype=bool).tril(n - m))""",
        "ids, pad, m",
    ),
}

WRONG = {
    "the sum of both": two(
        REAL + ".float()", PAST + ".float()", "(real + past).bool()"
    ),
    "squeezed where there is one sentence": two(REAL, PAST, "(real & past).squeeze()"),
    "all true": written(
        "return torch.ones(len(tokens), 1, t_q, tokens.shape[1]).bool()"
    ),
    "all false": written(
        "return torch.zeros(len(tokens), 1, t_q, tokens.shape[1]).bool()"
    ),
    "nothing returned": two(REAL, PAST, "None"),
    "both masks as a pair": two(REAL, PAST, "real, past"),
    "pads by position": two(
        "torch.arange(t) < (tokens != pad_id).sum(1)[:, None, None, None]", PAST
    ),
    "text": written("return 'causal'"),
    "tokens changed": written("""tokens[tokens == pad_id] = -1
t = tokens.shape[1]
return (tokens >= 0)[:, None, None, :] & torch.ones(t_q, t).tril(t - t_q).bool()"""),
    "first query twice": two(
        REAL, "torch.ones(t_q, t).tril(t - t_q).bool()[[0] + list(range(t_q - 1))]"
    ),
    "axis of 8 heads": two(REAL, PAST, "(real & past).expand(-1, 8, -1, -1)"),
    "only two neighbours": two(REAL, PAST + ".triu(t - t_q - 1)"),
    "three axes in front": two(REAL, PAST, "(real & past)[None]"),
}

SPELLINGS = {
    "as many keys as queries": [
        two(REAL, "torch.ones(t_q, t_q).tril().bool()"),
        two(
            "(tokens != pad_id)[:, None, None, t - t_q :]",
            "torch.tril(torch.ones(t_q, t_q)) == 1",
        ),
    ],
    "a triangle of numbers": [
        two(REAL, "torch.ones(t_q, t).tril(t - t_q)"),
        two(REAL, "torch.tril(torch.ones((t, t)))[t - t_q :]"),
    ],
    "future open": [
        two(REAL, PAST, "real.expand(-1, 1, t_q, t)"),
        two(REAL, "torch.ones(t_q, t).bool()"),
    ],
    "pads open": [
        two(REAL, PAST, "past.expand(len(tokens), 1, t_q, t)"),
        two(REAL, PAST, "past[None, None].repeat(len(tokens), 1, 1, 1)"),
    ],
    "past hidden": [
        two(REAL, "torch.triu(torch.ones(t_q, t), diagonal=t - t_q) == 1"),
        two(REAL, "torch.arange(t - t_q, t)[:, None] <= torch.arange(t)"),
    ],
    "own word hidden": [
        two(REAL, "torch.ones(t, t).tril(-1).bool()[-t_q:]"),
        two(REAL, "torch.arange(t - t_q, t)[:, None] > torch.arange(t)"),
        two(REAL, "~torch.ones(t_q, t).triu(t - t_q).bool()"),
    ],
    "one word too many": [
        two(REAL, "torch.ones(t, t).tril(1).bool()[-t_q:]"),
        two(REAL, "torch.arange(t) <= torch.arange(t - t_q, t)[:, None] + 1"),
    ],
    "upper left corner": [
        two(REAL, "torch.ones(t_q, t).tril().bool()"),
        two(REAL, "torch.ones(t, t).tril().bool()[:t_q]"),
        two(REAL, "torch.arange(t_q)[:, None] >= torch.arange(t)"),
    ],
    "counted from the wrong end": [
        two(REAL, "torch.ones(t_q, t).tril(-(t - t_q)) > 0")
    ],
    "one mask is enough": [
        two(REAL, PAST, "torch.logical_or(real, past)"),
        two(REAL, PAST, "torch.where(real, real, past)"),
    ],
    "words hidden, pads shown": [
        two("(tokens == pad_id)[:, None, None, :]", PAST),
        two("~" + REAL, PAST),
    ],
    "True for what is forbidden": [
        two("(tokens == pad_id)[:, None, None, :]", "~" + PAST, "real | past"),
        two("~" + REAL, "torch.ones(t_q, t).triu(t - t_q + 1).bool()", "past | real"),
    ],
    "pad_id not used": [
        two("(tokens != 0)[:, None, None, :]", PAST),
        two("tokens.bool()[:, None, None, :]", PAST),
        two("(tokens > 0)[:, None, None, :]", PAST),
    ],
    "pad_id taken for the smallest": [two("(tokens > pad_id)[:, None, None, :]", PAST)],
    "pads after the first word alone": [
        two("((tokens != pad_id).cumsum(1) > 0)[:, None, None, :]", PAST)
    ],
    "rows of pads closed": [
        two(REAL, PAST, "real & past & (tokens != pad_id)[:, None, t - t_q :, None]"),
        two(REAL, PAST, "past & real & real.mT[:, :, -t_q:]"),
    ],
    "mask lies along the queries": [
        two(REAL + ".mT[:, :, -t_q:]", PAST),
        two("(tokens[:, -t_q:] != pad_id).view(-1, 1, t_q, 1)", PAST),
    ],
    "rows that see nothing opened": [
        two(REAL, PAST, "real & past | torch.eye(t).bool()[-t_q:]"),
    ],
    "empty rows opened": [
        two(
            REAL,
            PAST,
            "torch.where((real & past).any(-1, keepdim=True), real & past, True)",
        ),
    ],
    "no axis for the heads": [
        two("(tokens != pad_id)[:, None, :]", PAST),
        two("(tokens != pad_id).unsqueeze(1)", PAST),
        two(REAL, PAST, "(real & past).squeeze(1)"),
    ],
    "axis for the heads in front": [
        two("(tokens != pad_id)[:, None, :]", PAST, "(real & past)[None]"),
    ],
    "sentences taken for queries": [
        two("tokens != pad_id", PAST),
        two("tokens.ne(pad_id)", PAST, "past & real"),
    ],
    "one sentence for all": [
        two(
            "(tokens[0] != pad_id)[None, None, None]",
            PAST,
            "(real & past).repeat(len(tokens), 1, 1, 1)",
        ),
    ],
    "every word asks": [
        two(REAL, "torch.ones(t, t).tril().bool()"),
        two(REAL, "torch.arange(t)[:, None] >= torch.arange(t)"),
    ],
    "rows and columns swapped": [two(REAL, PAST, "(real & past).transpose(-1, -2)")],
    "numbers instead of truth values": [
        two(REAL, PAST, "(real & past).float()"),
        two(REAL + ".int()", PAST + ".int()", "real * past"),
    ],
    "scores instead of truth values": [
        two(REAL, PAST, "torch.where(real & past, 0.0, -math.inf)"),
        two(
            REAL,
            PAST,
            "torch.zeros(real.shape).masked_fill(~(real & past), float('-inf'))",
        ),
    ],
}

DOUBLE = [
    (
        "upper left corner",
        "pad_id not used",
        two("(tokens != 0)[:, None, None, :]", "torch.ones(t_q, t).tril().bool()"),
    ),
    (
        "upper left corner",
        "no axis for the heads",
        two("(tokens != pad_id)[:, None, :]", "torch.ones(t_q, t).tril().bool()"),
    ),
    (
        "True for what is forbidden",
        "pad_id not used",
        two("(tokens == 0)[:, None, None, :]", "~" + PAST, "real | past"),
    ),
    (
        "own word hidden",
        "one mask is enough",
        two(REAL, "torch.ones(t_q, t).tril(t - t_q - 1).bool()", "real | past"),
    ),
]
