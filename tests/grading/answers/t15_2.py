"""Answers to 15.2, the cross-entropy with label smoothing over words that are real."""


def written(body: str, names: str = "logits, labels, pad, epsilon") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def smoothed_loss({names}):\n{lines}"


def given(
    target: str = "1 - epsilon + epsilon / vocab",
    mean: str = "losses[labels != pad].mean()",
    share: str = "epsilon / vocab",
    logs: str = "logits.log_softmax(dim=-1)",
) -> str:
    """The function as given, with other lines."""
    return written(f"""vocab = logits.shape[-1]
goal = torch.full_like(logits, {share})
goal.scatter_(-1, labels.unsqueeze(-1), {target})
losses = -(goal * {logs}).sum(dim=-1)
return {mean}""")


def library(more: str) -> str:
    return written(f"""return F.cross_entropy(
    logits.reshape(-1, logits.shape[-1]), labels.reshape(-1), {more}
)""")


RIGHT = {
    "two lines": given(),
    "brackets": given("epsilon / vocab + (1 - epsilon)"),
    "a factor": given("1 - epsilon * (vocab - 1) / vocab"),
    "a mask": given(mean="(losses * labels.ne(pad)).sum() / labels.ne(pad).sum()"),
    "where": given(
        mean="torch.where(labels == pad, torch.nan, losses).nanmean()",
    ),
    "masked_select": given(mean="losses.masked_select(labels != pad).mean()"),
    "the library": library("ignore_index=pad, label_smoothing=epsilon"),
    "a class of the library": written("""loss = nn.CrossEntropyLoss(label_smoothing=epsilon, ignore_index=pad)
return loss(logits.transpose(1, 2), labels)"""),
    "places first": written("""real = labels != pad
return F.cross_entropy(logits[real], labels[real], label_smoothing=epsilon)"""),
    "targets as distributions": written("""real = labels != pad
vocab = logits.shape[-1]
goal = F.one_hot(labels[real], vocab) * (1 - epsilon) + epsilon / vocab
return F.cross_entropy(logits[real], goal)"""),
    "two losses": written("""real = labels != pad
logs = logits[real].log_softmax(-1)
sharp = F.nll_loss(logs, labels[real])
return (1 - epsilon) * sharp - epsilon * logs.mean()"""),
    "einsum": written("""vocab = logits.shape[-1]
goal = (1 - epsilon) * F.one_hot(labels, vocab).float() + epsilon / vocab
losses = -torch.einsum("btv,btv->bt", goal, logits.log_softmax(-1))
return losses[labels != pad].mean()"""),
    "a loop": written("""losses = []
for rows, words in zip(logits, labels):
    for row, word in zip(rows, words):
        if word != pad:
            logs = row - row.logsumexp(0)
            losses.append(-(1 - epsilon) * logs[word] - epsilon * logs.mean())
return sum(losses) / len(losses)"""),
    "double precision": written("""logs = logits.double().log_softmax(-1)
own = logs.gather(-1, labels[..., None]).squeeze(-1)
losses = -((1 - epsilon) * own + epsilon * logs.mean(-1))
return losses[labels != pad].mean()"""),
    "NumPy": written("""x, y = logits.numpy().astype(float), labels.numpy()
logs = x - np.log(np.exp(x).sum(-1, keepdims=True))
own = np.take_along_axis(logs, y[..., None], -1)[..., 0]
losses = -(1 - epsilon) * own - epsilon * logs.mean(-1)
return losses[y != pad].mean()"""),
    "not contiguous": written("""vocab = logits.shape[-1]
x = logits.permute(2, 0, 1).log_softmax(0)
losses = -x.mean(0) * epsilon
for b in range(len(labels)):
    for n in range(labels.shape[1]):
        losses[b, n] = losses[b, n] - (1 - epsilon) * x[labels[b, n], b, n]
return losses[labels != pad].mean()"""),
}

WRONG = {
    "nothing returned": written(
        "F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=pad)"
    ),
    "perplexity": given(mean="losses[labels != pad].mean().exp()"),
    "median": given(mean="losses[labels != pad].median()"),
    "largest": given(mean="losses.max()"),
    "bits": given(mean="losses[labels != pad].mean() / math.log(2)"),
    "half": given("1 - epsilon / 2"),
    "logits changed": written("""logits -= logits.logsumexp(-1, keepdim=True)
own = logits.gather(-1, labels[..., None]).squeeze(-1)
losses = -(1 - epsilon) * own - epsilon * logits.mean(-1)
return losses[labels != pad].mean()"""),
    "epsilon squared": given("1 - epsilon**2"),
    "pads first": given(mean="losses[labels == pad].mean()"),
    "sentence by sentence": given(mean="losses.sum(1)"),
    "argmax as label": library("ignore_index=pad, label_smoothing=2 * epsilon"),
    "sigmoid": given(logs="logits.sigmoid().log()"),
}

SPELLINGS = {
    "as planted": [
        given("1 - epsilon", "losses.mean()"),
        given("1.0 - epsilon", "losses.sum() / losses.numel()"),
    ],
    "targets below one": [
        given("1 - epsilon"),
        given(
            "1 - epsilon", "(losses * (labels != pad)).sum() / (labels != pad).sum()"
        ),
    ],
    "padding counts": [
        given(mean="losses.mean()"),
        library("label_smoothing=epsilon"),
        library("ignore_index=-100, label_smoothing=epsilon"),
    ],
    "padding in the count": [
        given(mean="losses.masked_fill(labels == pad, 0).mean()"),
        given(mean="losses[labels != pad].sum() / labels.numel()"),
    ],
    "shared among the others alone": [
        given("1 - epsilon", share="epsilon / (vocab - 1)"),
        written("""real = labels != pad
vocab = logits.shape[-1]
hot = F.one_hot(labels[real], vocab)
goal = hot * (1 - epsilon) + (1 - hot) * epsilon / (vocab - 1)
return F.cross_entropy(logits[real], goal)"""),
    ],
    "nothing taken from the right word": [
        given("1 + epsilon / vocab"),
        written("""logs = logits.log_softmax(-1)[labels != pad]
words = labels[labels != pad]
return F.nll_loss(logs, words) - epsilon * logs.mean()"""),
    ],
    "right word kept at 1": [given("1.0")],
    "not smoothed": [
        library("ignore_index=pad"),
        given("1.0", share="0.0"),
    ],
    "others get nothing": [
        given("1 - epsilon", share="0.0"),
        written("""return (1 - epsilon) * F.cross_entropy(
    logits.transpose(1, 2), labels, ignore_index=pad
)"""),
    ],
    "all of epsilon for each": [given("1 - epsilon", share="epsilon")],
    "summed over the words": [given("1 - epsilon + epsilon", share="epsilon")],
    "epsilon the wrong way round": [
        given("epsilon + (1 - epsilon) / vocab", share="(1 - epsilon) / vocab")
    ],
    "epsilon of its own": [
        library("ignore_index=pad, label_smoothing=0.1"),
        given("0.9 + 0.1 / vocab", share="0.1 / vocab"),
    ],
    "no logarithm": [given(logs="logits.softmax(-1)")],
    "no softmax": [given(logs="logits")],
    "softmax along the words of the sentence": [
        given(logs="logits.log_softmax(1)"),
        given(logs="logits.softmax(dim=1).log()"),
    ],
    "sign": [
        given(mean="-losses[labels != pad].mean()"),
        written("""real = labels != pad
return -F.cross_entropy(logits[real], labels[real], label_smoothing=epsilon)"""),
    ],
    "sum over the places": [
        given(mean="losses[labels != pad].sum()"),
        given(mean="(losses * (labels != pad)).sum()"),
    ],
    "mean over the vocabulary": [
        given(mean="losses[labels != pad].mean() / vocab"),
    ],
    "mean of the rows' means": [
        given(
            mean="((losses * (labels != pad)).sum(1) / (labels != pad).sum(1)).mean()"
        ),
        given(
            mean="torch.stack([a[b != pad].mean() for a, b in zip(losses, labels)]).mean()"
        ),
    ],
    "largest target at the padding": [
        written("""vocab = logits.shape[-1]
goal = torch.full_like(logits, epsilon / vocab)
goal[..., pad] += 1 - epsilon
losses = -(goal * logits.log_softmax(-1)).sum(-1)
return losses[labels != pad].mean()"""),
    ],
    "no share for the padding word": [
        written("""vocab = logits.shape[-1]
goal = (1 - epsilon) * F.one_hot(labels, vocab) + epsilon / vocab
goal[:, :, pad] = 0
losses = -(goal * logits.log_softmax(-1)).sum(-1)
return losses[labels != pad].mean()"""),
    ],
    "a loss for each place": [
        given(mean="losses"),
        written("""logs = logits.log_softmax(-1)
own = logs.gather(-1, labels[..., None])[..., 0]
return -(1 - epsilon) * own - epsilon * logs.mean(-1)"""),
    ],
}

DOUBLE = [
    (
        "targets below one",
        "padding in the count",
        given("1 - epsilon", "(losses * (labels != pad)).mean()"),
    ),
    (
        "padding counts",
        "sign",
        given(mean="-losses.mean()"),
    ),
    (
        "shared among the others alone",
        "padding counts",
        given("1 - epsilon", "losses.mean()", share="epsilon / (vocab - 1)"),
    ),
]
