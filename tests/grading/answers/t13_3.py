"""Answers to 13.3, the next word of each sentence in a padded batch."""


def written(body: str) -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def next_words(hidden, table, lengths):\n{lines}"


def given(
    row: str, soft: str = "logits.softmax(dim=-1)", logits: str = "last @ table.T"
):
    """The function as given, with another line."""
    return written(f"""last = {row}
logits = {logits}
probabilities = {soft}
best = probabilities.max(dim=-1)
return best.indices, best.values""")


PICKED = "hidden[torch.arange(len(hidden)), lengths - 1]"

RIGHT = {
    "indices": given(PICKED),
    "a range": given("hidden[range(hidden.shape[0]), lengths - 1]"),
    "a list": given("torch.stack([h[n - 1] for h, n in zip(hidden, lengths)])"),
    "cut, then the last": given(
        "torch.stack([h[:n][-1] for h, n in zip(hidden, lengths)])"
    ),
    "gather": given(
        "hidden.gather(1, (lengths - 1)[:, None, None].expand(-1, 1, hidden.shape[2]))"
        "[:, 0]"
    ),
    "a mask": given("hidden[torch.arange(hidden.shape[1]) == lengths[:, None] - 1]"),
    "one-hot": given(
        "(hidden * torch.nn.functional.one_hot(lengths - 1, hidden.shape[1])[..., None])"
        ".sum(1)"
    ),
    "F.linear": given(
        PICKED, "torch.softmax(logits, 1)", "torch.nn.functional.linear(last, table)"
    ),
    "own softmax": given(
        PICKED,
        "logits.exp() / logits.exp().sum(-1, keepdim=True)",
        "last.matmul(table.mT)",
    ),
    "log_softmax undone": given(PICKED, "logits.log_softmax(-1).exp()"),
    "take along an axis": given(
        "torch.take_along_dim(hidden, (lengths - 1).view(-1, 1, 1), 1).squeeze(1)"
    ),
    "negative index": given(
        "hidden[torch.arange(len(hidden)), lengths - hidden.shape[1] - 1]"
    ),
    "all logits first": written("""logits = hidden @ table.T
found = [one[n - 1].softmax(0).max(0) for one, n in zip(logits, lengths)]
return [f.indices for f in found], [f.values for f in found]"""),
    "NumPy": written("""h, e, n = hidden.numpy(), table.numpy(), lengths.numpy()
logits = h[np.arange(len(h)), n - 1] @ e.T
powers = np.exp(logits - logits.max(1, keepdims=True))
shares = powers / powers.sum(1, keepdims=True)
return shares.argmax(1), shares.max(1)"""),
}

WRONG = {
    "nothing returned": written("logits = hidden @ table.T"),
    "words alone": written("return (hidden[:, -1] @ table.T).argmax(-1)"),
    "all words of the batch": written("""best = (hidden @ table.T).softmax(-1).max(-1)
return best.indices, best.values"""),
    "sum of the rows": given("hidden.sum(1)"),
    "sigmoid": given(PICKED, "logits.sigmoid()"),
    "drawn at random": written("""last = hidden[torch.arange(len(hidden)), lengths - 1]
p = (last @ table.T).softmax(-1)
word = torch.multinomial(p, 1)[:, 0]
return word, p.gather(1, word[:, None])[:, 0] * 0"""),
    "second best": written("""last = hidden[torch.arange(len(hidden)), lengths - 1]
best = (last @ table.T).softmax(-1).topk(2)
return best.indices[:, 1], best.values[:, 1]"""),
    "twice the logits": given(PICKED, "(2 * logits).softmax(-1)"),
    "lengths in place": written("""lengths -= 1
best = (hidden[torch.arange(len(hidden)), lengths] @ table.T).softmax(-1).max(-1)
return best.indices, best.values"""),
    "over every row": given(PICKED, "(hidden @ table.T).softmax(1)[:, 0]"),
}

SPELLINGS = {
    "as planted": [
        given("hidden[:, -1]"),
        given("hidden[:, hidden.shape[1] - 1, :]"),
        written("""best = (hidden @ table.T)[:, -1].softmax(-1).max(-1)
return best.indices, best.values"""),
    ],
    "one row too far": [
        given("hidden[torch.arange(len(hidden)), lengths]"),
        given("torch.stack([h[n] for h, n in zip(hidden, lengths)])"),
    ],
    "first row": [given("hidden[:, 0]"), given("hidden.select(1, 0)")],
    "row before the last": [
        given("hidden[torch.arange(len(hidden)), lengths - 2]"),
        given("torch.stack([h[n - 2] for h, n in zip(hidden, lengths)])"),
    ],
    "every row for every sentence": [
        given("hidden[:, lengths - 1]"),
        given("hidden.index_select(1, lengths - 1)"),
    ],
    "the first sentence for all": [given("hidden[0][lengths - 1]")],
    "longest length for all": [given("hidden[:, max(lengths) - 1]")],
    "shortest length for all": [
        given("hidden[:, min(lengths) - 1]"),
        given("hidden[:, lengths[0] - 1]"),
    ],
    "all rows averaged": [
        given("hidden.mean(dim=1)"),
        given("torch.stack([h[:n].mean(0) for h, n in zip(hidden, lengths.tolist())])"),
    ],
    "softmax over the batch": [
        given(PICKED, "logits.softmax(0)"),
        given(PICKED, "torch.softmax(logits, dim=0)"),
    ],
    "softmax twice": [given(PICKED, "torch.softmax(logits.softmax(1), 1)")],
    "logits instead of probabilities": [
        given(PICKED, "last @ table.T"),
        written("""best = (hidden[torch.arange(len(hidden)), lengths - 1] @ table.T).max(1)
return best.indices, best.values"""),
    ],
    "logarithms": [
        given(PICKED, "torch.log_softmax(logits, 1)"),
        given(PICKED, "logits.softmax(-1).log()"),
    ],
    "least likely word": [
        written("""p = (hidden[torch.arange(len(hidden)), lengths - 1] @ table.T).softmax(-1)
return p.argmin(1), p.amin(1)"""),
    ],
    "results swapped": [
        written("""p = (hidden[torch.arange(len(hidden)), lengths - 1] @ table.T).softmax(-1)
return p.amax(1), p.argmax(1)"""),
        written("""p = (hidden[torch.arange(len(hidden)), lengths - 1] @ table.T).softmax(-1)
return p.max(1)"""),
    ],
    "all probabilities": [
        written("""p = (hidden[torch.arange(len(hidden)), lengths - 1] @ table.T).softmax(-1)
return p.argmax(1), p"""),
    ],
    "scaled like a score": [
        given(PICKED, "(logits / last.shape[-1] ** 0.5).softmax(-1)")
    ],
}
