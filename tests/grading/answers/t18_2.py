"""Answers to 18.2, a perplexity that divided by padding and took powers of 2."""


def written(body: str) -> str:
    lines = "".join(f"    {x}\n" if x else "\n" for x in body.splitlines())
    return f"def perplexity(logits, targets, pad=0):\n{lines}"


def ended(end: str) -> str:
    """The given lines, and these at their end."""
    return written(f"""log_p = torch.log_softmax(logits, dim=-1)
losses = -log_p.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
real = targets != pad
{end}""")


RIGHT = {
    "mended": ended("return torch.exp(losses[real].mean())"),
    "zeros, and the right count": ended(
        "return math.exp(torch.where(real, losses, 0.0).sum() / real.sum())"
    ),
    "a float": ended("return math.e ** losses[real].mean().item()"),
    "double": ended("return losses.double()[real].mean().exp()"),
    "masked by NaN": ended(
        "return losses.masked_fill(~real, float('nan')).nanmean().exp()"
    ),
    "cross entropy turned": written("""loss = F.cross_entropy(
    logits.transpose(1, 2), targets, ignore_index=pad, reduction="sum"
)
return torch.exp(loss / (targets != pad).sum())"""),
    "einsum": written("""log_p = logits.log_softmax(-1)
one_hot = F.one_hot(targets, logits.shape[-1]).float()
real = (targets != pad).float()
total = torch.einsum("btv,btv,bt->", log_p, one_hot, real)
return (-total / real.sum()).exp()"""),
    "loops": written("""p = torch.softmax(logits, -1)
logs = [
    math.log(p[b, t, targets[b, t]])
    for b in range(len(targets))
    for t in range(targets.shape[1])
    if targets[b, t] != pad
]
return math.exp(-sum(logs) / len(logs))"""),
    "bits all the way": ended("return 2 ** (losses[real] / math.log(2)).mean()"),
    "geometric mean of the probabilities": written("""p = logits.double().softmax(-1)
p = p.gather(-1, targets[..., None])[..., 0][targets != pad]
return 1 / p.prod() ** (1 / len(p))"""),
    "NumPy": written("""x, y = logits.numpy().astype(float), targets.numpy()
p = np.exp(x) / np.exp(x).sum(-1, keepdims=True)
b, t = np.nonzero(y != pad)
return np.exp(-np.log(p[b, t, y[b, t]]).mean())"""),
}

WRONG = {
    "nothing returned": ended("losses[real].mean().exp()"),
    "median": ended("return losses[real].median().exp()"),
    "largest loss": ended("return losses[real].max().exp()"),
    "one more": ended("return torch.exp(losses[real].sum() / (real.sum() + 1))"),
    "the vocabulary": ended("return float(logits.shape[-1])"),
    "rounded": ended("return round(math.exp(losses[real].mean()))"),
    "per word": ended("return losses.exp()"),
    "raises": ended("return losses.exp(1, 2, 3)"),
    "text": ended("return 'low'"),
    "divided by the longest": ended(
        "return torch.exp(losses[real].sum() / targets.shape[1])"
    ),
    "log of the mean": ended("return torch.log(losses[real].mean())"),
}

SPELLINGS = {
    "as planted": [
        ended("losses = losses * real\nreturn 2 ** losses.mean()"),
        ended("return torch.exp2((losses * real).sum() / targets.numel())"),
    ],
    "two to the power of the loss": [
        ended("return 2 ** losses[real].mean()"),
        ended("return torch.exp2(losses[real].mean())"),
        ended("return pow(2, (losses * real).sum() / real.sum())"),
    ],
    "ten to the power of the loss": [ended("return 10 ** losses[real].mean()")],
    "padding as free words": [
        ended("return torch.exp((losses * real).mean())"),
        ended("return torch.exp(losses[real].sum() / losses.numel())"),
    ],
    "padding as words to guess": [
        ended("return losses.mean().exp()"),
        written("return F.cross_entropy(logits.mT, targets).exp()"),
    ],
    "padding alone": [ended("return losses[targets == pad].mean().exp()")],
    "padding fixed at 0": [
        ended("return losses[targets > 0].mean().exp()"),
        ended("return losses[targets.bool()].mean().exp()"),
    ],
    "mean of the powers": [ended("return losses[real].exp().mean()")],
    "one over the mean probability": [ended("return 1 / (-losses[real]).exp().mean()")],
    "mean of the sentences' losses": [
        ended("return ((losses * real).sum(1) / real.sum(1)).mean().exp()")
    ],
    "mean of the sentences' perplexities": [
        ended("return ((losses * real).sum(1) / real.sum(1)).exp().mean()")
    ],
    "sum instead of the mean": [ended("return losses[real].sum().exp()")],
    "divided by the sentences": [
        ended("return torch.exp((losses * real).sum() / targets.shape[0])"),
        ended("return torch.exp((losses * real).sum(-1).mean())"),
    ],
    "loss returned": [ended("return losses[real].mean()")],
    "sign lost": [ended("return torch.exp(-losses[real].mean())")],
    "logits as logarithms": [
        ended("return losses[real].mean().exp()").replace(
            "torch.log_softmax(logits, dim=-1)", "logits"
        )
    ],
    "softmax over the positions": [
        ended("return losses[real].mean().exp()").replace("dim=-1", "dim=-2")
    ],
    "the model's own favourite": [
        ended("losses = -log_p.max(-1).values\nreturn losses[real].mean().exp()")
    ],
    "percent": [ended("return 100 * losses[real].mean().exp()")],
    "loss in bits": [ended("return (losses[real] / math.log(2)).mean().exp()")],
}
