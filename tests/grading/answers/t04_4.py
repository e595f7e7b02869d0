"""Answers to 04.4, a table that says which output hears which word."""


def written(body: str, names: str = "layer, x") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def who_hears({names}):\n{lines}"


def loop(
    change: str = "nudged[j] += torch.randn(x.shape[1])",
    moved: str = "(layer(nudged) - out).abs().max(dim=1).values > 1e-4",
    place: str = "heard[:, j]",
    start: str = "x.clone()",
    back: str = "heard",
) -> str:
    """One word after another, with another change or another comparison."""
    return written(f"""out = layer(x)
heard = torch.zeros(len(x), len(x), dtype=torch.bool)
for j in range(len(x)):
    nudged = {start}
    {change}
    {place} = {moved}
return {back}""")


RIGHT = {
    "random numbers added": loop(),
    "random numbers instead": loop("nudged[j] = torch.randn(x.shape[1])"),
    "a large random nudge": loop("nudged[j] += 10 * torch.randn_like(x[j])"),
    "uniform numbers": loop("nudged[j] += torch.rand(x.shape[1]) + 0.5"),
    "a small nudge, divided": loop(
        "nudged[j] += 0.01 * torch.randn(x.shape[1])",
        "(layer(nudged) - out).abs().amax(1) / 0.01 > 1e-3",
    ),
    "lengths": loop(moved="(layer(nudged) - out).norm(dim=1) > 3e-4"),
    "sizes added": loop(moved="(layer(nudged) - out).abs().sum(dim=-1) > 2e-4"),
    "squares": loop(moved="((layer(nudged) - out) ** 2).sum(dim=-1).sqrt() > 2e-4"),
    "any number": loop(moved="((layer(nudged) - out).abs() > 1e-4).any(dim=1)"),
    "isclose": loop(moved="~torch.isclose(layer(nudged), out, 0, 1e-4).all(dim=1)"),
    "zeros and ones turned into truth": loop(
        moved="(layer(nudged) - out).abs().amax(1) > 1e-4", back="heard == True"
    ),
    "columns stacked": written("""out = layer(x)
columns = []
for j in range(x.shape[0]):
    step = torch.zeros(x.shape)
    step[j] = torch.randn(x.shape[1])
    columns.append((layer(x + step) - out).abs().amax(dim=1) > 1e-4)
return torch.stack(columns).T"""),
    "the chapter's map": written("""generator = torch.Generator().manual_seed(1)
step = torch.randn(x.shape, generator=generator)
moves = []
for j in range(len(x)):
    moved = x.clone()
    moved[j] += step[j]
    moves.append((layer(moved) - layer(x)).norm(dim=-1))
return torch.stack(moves, dim=1) > 2e-4"""),
    "a batch of nudges, by vmap's hand": written("""n = len(x)
steps = torch.eye(n)[:, :, None] * torch.randn(x.shape[1])
outs = torch.stack([layer(x + step) for step in steps])
return ((outs - layer(x)).abs().amax(-1) > 1e-4).T"""),
    "gradients": written("""x = x.clone().requires_grad_()
out = layer(x)
table = torch.zeros(len(x), len(x), dtype=torch.bool)
for i, row in enumerate(out):
    for number in row:
        (slope,) = torch.autograd.grad(number, x, retain_graph=True, allow_unused=True)
        if slope is not None:
            table[i] |= slope.abs().amax(1) > 1e-4
return table"""),
    "a Jacobian": written("""j = torch.autograd.functional.jacobian(layer, x)
return j.transpose(1, 2).flatten(2).abs().max(-1).values > 1e-4"""),
    "double numbers": written("""x = x.double()
out = layer(x)
table = np.zeros((len(x), len(x)), dtype=bool)
for j in range(len(x)):
    y = x.clone()
    y[j] += 1e-3 * torch.randn(x.shape[1], dtype=torch.double)
    table[:, j] = ((layer(y) - out).abs().amax(1) / 1e-3 > 1e-4).numpy()
return table"""),
    "lists": written("""n = len(x)
out = layer(x)

def hears(i, j):
    y = x.clone()
    y[j] += torch.linspace(1, 2, x.shape[1])
    return bool((layer(y)[i] - out[i]).abs().max() > 1e-4)

return [[hears(i, j) for j in range(n)] for i in range(n)]"""),
    "several nudges": written("""out = layer(x)
strongest = torch.zeros(len(x), len(x))
for _ in range(3):
    for j in range(len(x)):
        y = x.clone()
        y[j] = torch.randn(x.shape[1])
        strongest[:, j] = torch.maximum(strongest[:, j], (layer(y) - out).abs().amax(1))
return strongest > 1e-4"""),
}

WRONG = {
    "nothing returned": written("y = x.clone()"),
    "always everybody": written("return torch.ones(len(x), len(x), dtype=torch.bool)"),
    "nobody": written("return torch.zeros(len(x), len(x), dtype=torch.bool)"),
    "a nudge far too small": loop("nudged[j] += 1e-7 * torch.randn(x.shape[1])"),
    "zeros and ones": loop(back="heard.int()"),
    "text": written("return 'attention'"),
    "the first word alone": written("""y = x.clone()
y[0] += torch.randn(x.shape[1])
return (layer(y) - layer(x)).abs().amax(1) > 1e-4"""),
    "words cut away": written("""out = layer(x)
columns = []
for j in range(len(x)):
    rest = torch.cat([x[:j], x[j + 1 :]])
    columns.append((layer(rest) - out).abs().amax(1) > 1e-4)
return torch.stack(columns, dim=1)"""),
    "similar words": written("return (x @ x.T).abs() > 1e-4"),
    "every number of the output": written("""y = x.clone()
y[0] += 1
return (layer(y) - layer(x)).abs() > 1e-4"""),
    "gradient of the sum": written("""x = x.clone().requires_grad_()
layer(x).sum().backward()
return x.grad.abs().amax(1) > 1e-4"""),
    "the whole sentence nudged anew": loop("nudged = torch.randn_like(x)"),
    "all outputs must move": loop(
        moved="((layer(nudged) - out).abs() > 1e-4).all(dim=1)"
    ),
    "compared with the strongest": loop(
        moved="(layer(nudged) - out).abs().amax(1) > 0.2 * (layer(nudged) - out).abs().max()"
    ),
    "rows that are the same": loop(moved="(layer(nudged) == out).all(dim=1)"),
}

SPELLINGS = {
    "rows and columns exchanged": [
        loop(place="heard[j]"),
        loop(place="heard[j, :]"),
        loop(back="heard.T"),
    ],
    "answer upside down": [
        loop(back="~heard"),
        loop(moved="torch.isclose(layer(nudged), out, 0, 1e-4).all(dim=1)"),
    ],
    "nudges that stay": [
        loop(start="x"),
        written("""out, y = layer(x), x.clone()
heard = torch.zeros(len(x), len(x), dtype=torch.bool)
for j in range(len(x)):
    y[j] += torch.randn(x.shape[1])
    heard[:, j] = (layer(y) - out).abs().amax(1) > 1e-4
return heard"""),
    ],
    "all words nudged at once": [
        loop("nudged += torch.randn(x.shape[1])"),
        loop("nudged[:] += torch.randn_like(x)"),
    ],
    "a nudge that a norm takes back": [
        loop("nudged[j] += 1"),
        loop("nudged[j] -= 2.5"),
        loop("nudged[j] += torch.ones(x.shape[1])"),
    ],
    "nothing happens to a word of zeros": [
        loop("nudged[j] = 0"),
        loop("nudged[j] *= torch.randn(x.shape[1])"),
        loop("nudged[j] = torch.zeros(x.shape[1])"),
    ],
    "doubled": [loop("nudged[j] *= 2"), loop("nudged[j] = 3 * x[j]")],
    "only the signs change": [loop("nudged[j] *= -1"), loop("nudged[j] = -x[j]")],
    "one number of the word nudged": [
        loop("nudged[j, 0] += 1"),
        loop("nudged[j][0] = 7"),
    ],
    "one number left as it was": [
        loop("nudged[j] += torch.arange(x.shape[1])"),
        loop("nudged[j, 1:] += torch.randn(x.shape[1] - 1)"),
    ],
    "another word in its place": [
        loop("nudged[j] = x[j - 1]"),
        loop("nudged[j] = x[(j + 1) % len(x)]"),
        loop("nudged[j] = x.flip(0)[j] if len(x) % 2 == 0 else x[j - 1]"),
    ],
    "moves that cancel": [
        loop(moved="(layer(nudged) - out).sum(dim=1).abs() > 1e-4"),
        loop(moved="(layer(nudged).mean(1) - out.mean(1)).abs() > 1e-4"),
    ],
    "one number of the output": [
        loop(moved="(layer(nudged)[:, 0] - out[:, 0]).abs() > 1e-4"),
        loop(moved="(layer(nudged) - out)[:, 0].abs() > 1e-4"),
    ],
    "compared to the last digit": [
        loop(moved="(layer(nudged) != out).any(dim=1)"),
        loop(moved="(layer(nudged) - out).abs().sum(1) > 0"),
    ],
    "anybody moved": [
        loop(moved="((layer(nudged) - out).abs() > 1e-4).any()"),
        loop(moved="not torch.allclose(layer(nudged), out, 0, 1e-4)"),
    ],
    "last output alone": [loop(back="heard[-1]")],
    "own word left out": [loop(back="heard & ~torch.eye(len(x)).bool()")],
    "own word always heard": [loop(back="heard | torch.eye(len(x)).bool()")],
    "words on the right left out": [loop(back="torch.tril(heard)")],
    "both sides alike": [loop(back="heard | heard.T")],
    "always a chain": [written("return torch.ones(len(x), len(x)).tril().bool()")],
    "always the neighbours": [
        written("""i = torch.arange(len(x))
return (i[:, None] - i).abs() <= 1""")
    ],
    "strengths instead of truth values": [
        written("""out = layer(x)
moves = []
for j in range(len(x)):
    y = x.clone()
    y[j] += torch.arange(1.0, x.shape[1] + 1)
    moves.append((layer(y) - out).abs().amax(1))
return torch.stack(moves, dim=1)""")
    ],
    "not a number": [
        loop("nudged[j] = float('nan')", "layer(nudged).isnan().any(dim=1)")
    ],
}
