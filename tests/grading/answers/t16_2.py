"""Answers to 16.2, one step with a batch that comes in parts."""


def written(body: str) -> str:
    lines = "".join(f"    {x}\n" if x else "\n" for x in body.splitlines())
    return f"def train_step(model, optimizer, parts):\n{lines}"


def stepped(
    n: str = "sum((y != 0).sum() for _, y in parts)",
    loss: str = 'F.cross_entropy(model(x).mT, y, ignore_index=0, reduction="sum") / n',
    before: str = "",
    after: str = "",
    start: str = "optimizer.zero_grad()",
    end: str = "optimizer.step()",
    back: str = "return whole",
    parts: str = "parts",
) -> str:
    """A loop over the parts, with one line or another replaced."""
    return written(f"""n = {n}
{start}
whole = 0.0
for x, y in {parts}:
    {before or "pass"}
    loss = {loss}
    loss.backward()
    whole += loss.item()
    {after or "pass"}
{end}
{back}""")


MEAN = "F.cross_entropy(model(x).mT, y, ignore_index=0)"
ROWS = (
    "(F.cross_entropy(model(x).mT, y, ignore_index=0, reduction='sum')"
    " / (y != 0).sum().clamp(min=1))"
)

RIGHT = {
    "sums": stepped(),
    "shares": stepped(loss=f"{ROWS} * (y != 0).sum() / n"),
    "one backward for all": written("""real = sum(int((y != 0).sum()) for _, y in parts)
losses = [
    F.cross_entropy(model(x).flatten(0, 1), y.flatten(), ignore_index=0, reduction="sum")
    for x, y in parts
]
loss = sum(losses) / real
optimizer.zero_grad()
loss.backward()
optimizer.step()
return loss.detach()"""),
    "glued together": written("""width = max(x.shape[1] for x, _ in parts)
xs = torch.cat([F.pad(x, (0, 0, 0, width - x.shape[1])) for x, _ in parts])
ys = torch.cat([F.pad(y, (0, width - y.shape[1])) for _, y in parts])
loss = F.cross_entropy(model(xs).mT, ys, ignore_index=0)
optimizer.zero_grad()
loss.backward()
optimizer.step()
return loss.item()"""),
    "gradients by hand": written("""n = sum((y > 0).sum() for _, y in parts)
total, grads = 0, [torch.zeros_like(p) for p in model.parameters()]
for x, y in parts:
    loss = F.cross_entropy(model(x).mT, y, ignore_index=0, reduction="sum")
    for g, new in zip(grads, torch.autograd.grad(loss, list(model.parameters()))):
        g += new / n
    total += loss.detach()
for p, g in zip(model.parameters(), grads):
    p.grad = g
optimizer.step()
return total / n"""),
    "only the real rows": stepped(
        loss='F.cross_entropy(model(x[y > 0]), y[y > 0], reduction="sum") / n'
    ),
    "the model cleared": stepped(start="model.zero_grad()"),
    "each token by itself": stepped(
        loss='F.cross_entropy(model(x).mT, y, ignore_index=0, reduction="none").sum() / n'
    ),
    "closed after the step": stepped(
        start="for p in model.parameters():\n    p.grad = None",
        back="optimizer.zero_grad()\nreturn torch.tensor(whole)",
    ),
}

WRONG = {
    "nothing returned": stepped(back="whole"),
    "a list of losses": stepped(back="return [whole]*2"),
    "parts that stay numpy": stepped(back="return 'loss'"),
    "uphill": stepped(
        end="for p in model.parameters():\n    p.grad.neg_()\noptimizer.step()"
    ),
    "NaN for padding alone": stepped(loss=f"{MEAN} * (y != 0).sum() / n"),
    "smoothed": stepped(
        loss='F.cross_entropy(model(x).mT, y, ignore_index=0, reduction="sum",'
        " label_smoothing=0.1) / n"
    ),
    "two steps": stepped(end="optimizer.step()\noptimizer.step()"),
    "another optimizer": stepped(end="torch.optim.Adam(model.parameters()).step()"),
    "raises": stepped(loss="model(x).sum(9)"),
    "a part skipped": stepped(parts="parts[:-1] or parts"),
    "clipped": stepped(
        end="nn.utils.clip_grad_norm_(model.parameters(), 0.01)\noptimizer.step()"
    ),
}

SUM = 'F.cross_entropy(model(x).mT, y, ignore_index=0, reduction="sum")'
SPELLINGS = {
    "means added up": [stepped(loss=ROWS)],
    "mean of the parts' means": [
        stepped(loss=f"{ROWS} / len(parts)"),
        stepped(n="len(parts)", loss=f"{ROWS} / n"),
    ],
    "padding counted": [
        stepped(n="sum(y.numel() for _, y in parts)"),
        stepped(n="sum(x.shape[0] * x.shape[1] for x, _ in parts)"),
    ],
    "padding to be learned": [
        stepped(
            n="sum(y.numel() for _, y in parts)",
            loss='F.cross_entropy(model(x).mT, y, reduction="sum") / n',
        )
    ],
    "weighed by sentences": [
        stepped(n="sum(len(y) for _, y in parts)", loss=f"{ROWS} * len(y) / n")
    ],
    "divided by the sentences": [stepped(n="sum(len(y) for _, y in parts)")],
    "divided by the parts": [stepped(n="len(parts)")],
    "sum of all losses": [stepped(loss=SUM), stepped(n="1")],
    "step after every part": [stepped(after="optimizer.step()", end="pass")],
    "step and clear after every part": [
        stepped(after="optimizer.step(); optimizer.zero_grad()", end="pass"),
        stepped(before="optimizer.zero_grad()", after="optimizer.step()", end="pass"),
    ],
    "cleared before every part": [
        stepped(before="optimizer.zero_grad()", start="pass"),
        stepped(before="model.zero_grad()"),
    ],
    "never cleared": [stepped(start="pass")],
    "nothing learned": [
        stepped(end="optimizer.zero_grad()"),
        stepped(end="pass"),
    ],
    "the last part alone": [
        stepped(n="(parts[-1][1] != 0).sum()", parts="parts[-1:]"),
    ],
    "loss of the last part": [stepped(back="return loss.item()")],
    "returned loss not divided": [stepped(back="return whole * n")],
    "nothing returned": [stepped(back="return 0.0")],
    "divided by the tokens so far": [
        stepped(n="0", before="n = n + (y != 0).sum()"),
    ],
}
