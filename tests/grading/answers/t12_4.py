"""Answers to 12.4, a test that says whether a decoder sees the future."""


def written(body: str, names: str = "decoder, x, memory") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def leaks({names}):\n{lines}"


def last_changed(change: str, rows: str = "[:j]", test: str = ".abs().max() > 1e-5"):
    """The loop over words, with another change, other rows, another comparison."""
    return written(f"""out = decoder(x, memory)
for j in range(1, x.shape[0]):
    y = x.clone()
    {change}
    if (decoder(y, memory) - out){rows}{test}:
        return True
return False""")


RIGHT = {
    "words one by one": last_changed("y[j] = torch.randn_like(x[j])"),
    "zeros instead of a word": last_changed("y[j] = 0.0"),
    "the word turned around": last_changed("y[j] = x[j].flip(0) - 3 * x[j] ** 2"),
    "one feature changed": last_changed("y[j, 0] += 5"),
    "everything from j on": last_changed("y[j:] = torch.randn_like(y[j:])"),
    "prefixes": written("""out = decoder(x, memory)
for n in range(1, len(x) + 1):
    if not torch.allclose(decoder(x[:n], memory), out[:n], atol=1e-5):
        return True
return False"""),
    "step by step, last rows": written("""at_once = decoder(x, memory)
steps = torch.stack([decoder(x[: n + 1], memory)[-1] for n in range(len(x))])
return bool((steps - at_once).abs().max() > 1e-4)"""),
    "gradients of single numbers": written("""x = x.clone().requires_grad_()
out = decoder(x, memory)
for i in range(len(x) - 1):
    for number in out[i]:
        (slope,) = torch.autograd.grad(number, x, retain_graph=True, allow_unused=True)
        if slope is not None and slope[i + 1 :].abs().max() > 1e-5:
            return True
return False"""),
    "a Jacobian": written("""j = torch.autograd.functional.jacobian(lambda y: decoder(y, memory), x)
size = j.abs().sum(dim=(1, 3))
return bool((torch.triu(size, diagonal=1) > 1e-4).any())"""),
    "a nested function": written("""def moves(j):
    y = x.clone()
    y[j] = -2 * y[j] + torch.randn(y.shape[1])
    return (decoder(y, memory) - decoder(x, memory)).abs().amax(1) > 1e-5

return any(moves(j)[:j].any() for j in range(1, len(x)))"""),
    "two futures compared": written("""for j in range(1, len(x)):
    futures = [torch.randn_like(x[j:]) for _ in range(2)]
    one, two = (decoder(torch.cat([x[:j], f]), memory)[:j] for f in futures)
    if not torch.allclose(one, two, atol=1e-5):
        return True
return False"""),
    "NumPy for the comparison": written("""out = decoder(x, memory).numpy()
found = []
for j in range(1, len(x)):
    y = x.clone()
    y[j] = torch.randn(x.shape[1])
    found.append(not np.allclose(decoder(y, memory).numpy()[:j], out[:j], atol=1e-5))
return any(found)"""),
    "a table with True and False": written("""t, d = x.shape
sees = torch.zeros(t, t)
for j in range(t):
    noise = torch.zeros(t, d)
    noise[j] = torch.randn(d)
    moved = decoder(x + noise, memory) - decoder(x, memory)
    sees[:, j] = moved.norm(dim=1)
return (sees.triu(1) > 1e-4).any()"""),
    "another seed, other names": written(
        """torch.manual_seed(3)
clean = model(target, source)
verdict = False
for place in range(len(target) - 1):
    spoilt = torch.cat([target[: place + 1], torch.randn_like(target[place + 1 :])])
    gap = (model(spoilt, source)[: place + 1] - clean[: place + 1]).abs().max().item()
    verdict = verdict or gap > 0.0001
return verdict""",
        "model, target, source",
    ),
    "a lambda": """
leaks = lambda decoder, x, memory: any(
    (decoder(x[:n], memory) - decoder(x, memory)[:n]).abs().max().item() > 1e-4
    for n in range(1, len(x))
)
""",
}

WRONG = {
    "always true": written("return True"),
    "always false": written("return False if len(x) else True"),
    "the largest difference": written("""y = x.clone()
y[-1] = 0
return (decoder(y, memory) - decoder(x, memory))[:-1].abs().max()"""),
    "rows that leak": written("""y = x.clone()
y[-1] = 0
return ((decoder(y, memory) - decoder(x, memory)).abs().amax(1) > 1e-4).tolist()"""),
    "only the shape": written("return decoder(x, memory).shape != x.shape"),
    "words shuffled": written("""y = x.flip(0)
return bool((decoder(y, memory) - decoder(x, memory)).abs().max() > 1e-4)"""),
    "x changed in place": written("""out = decoder(x, memory)
for j in range(len(x) - 1, 0, -1):
    x[j] = torch.randn(x.shape[1])
    if (decoder(x, memory) - out)[:j].abs().max() > 1e-5:
        return True
return False"""),
    "future words exchanged": written("""out = decoder(x, memory)
y = torch.cat([x[:1], x[1:].flip(0)])
return bool((decoder(y, memory) - out)[:1].abs().max() > 1e-5)"""),
    "a word that is not there": written("""out = decoder(x, memory)
y = x.clone()
y[1] = 7.0
return bool((decoder(y, memory) - out)[0].abs().max() > 1e-5)"""),
    "nothing returned": written("y = x.clone()"),
    "yes and no": written("return 'no'"),
    "relative to the largest": last_changed(
        "y[j] = torch.randn_like(x[j])", test=".abs().max() > 0.5 * out.abs().max()"
    ),
}

SPELLINGS = {
    "all rows compared": [
        last_changed("y[j] = torch.randn_like(x[j])", ""),
        last_changed("y[j] = 0.0", ""),
        written("""out = decoder(x, memory)
for j in range(1, len(x)):
    y = x.clone()
    y[j] = torch.randn(x.shape[1])
    if not torch.allclose(decoder(y, memory), out, atol=1e-5):
        return True
return False"""),
    ],
    "own row compared": [
        last_changed("y[j] = 0.0", "[: j + 1]"),
        last_changed("y[j:] = torch.randn_like(y[j:])", "[: j + 1]"),
    ],
    "rows that come later": [
        written("""out = decoder(x, memory)
for j in range(len(x) - 1):
    y = x.clone()
    y[j] = torch.randn(x.shape[1])
    if (decoder(y, memory) - out)[j + 1 :].abs().max() > 1e-5:
        return True
return False"""),
    ],
    "only the last word changed": [
        written("""if len(x) == 1:
    return False
y = x.clone()
y[-1] = torch.randn(x.shape[1])
return bool((decoder(y, memory) - decoder(x, memory))[:-1].abs().max() > 1e-4)"""),
        written("""y = x.clone()
y[-1] = 0
one, two = decoder(x, memory)[:-1], decoder(y, memory)[:-1]
return not torch.allclose(one, two, atol=1e-5)"""),
        written("""short = decoder(x[:-1], memory) if len(x) > 1 else decoder(x, memory)[:0]
return not torch.allclose(short, decoder(x, memory)[:-1], atol=1e-5)"""),
    ],
    "only the first row watched": [
        last_changed("y[j] = torch.randn_like(x[j])", "[0]"),
        written("""y = torch.cat([x[:1], torch.randn_like(x[1:])])
return bool((decoder(y, memory) - decoder(x, memory))[0].abs().max() > 1e-5)"""),
        written("""alone = decoder(x[:1], memory)
return not torch.allclose(alone[0], decoder(x, memory)[0], atol=1e-5)"""),
    ],
    "only neighbours watched": [
        last_changed("y[j] = 0.0", "[j - 1]"),
        last_changed("y[j] = torch.randn_like(x[j])", "[j - 1 : j]"),
    ],
    "only the second word changed": [
        written("""if len(x) < 2:
    return False
y = x.clone()
y[1] = torch.randn(x.shape[1])
return bool((decoder(y, memory) - decoder(x, memory))[0].abs().max() > 1e-4)"""),
    ],
    "a change that a norm takes back": [
        last_changed("y[j] += 10"),
        last_changed("y[j] = 3 * y[j]"),
        last_changed("y[j] = -5 + y[j]", test=".abs().sum() > 1e-3"),
        last_changed(
            "y[j] = torch.randn_like(x[j])", test=".sum(1).abs().max() > 1e-4"
        ),
    ],
    "compared to the last digit": [
        last_changed("y[j] = torch.randn_like(x[j])", test=".abs().max() > 0"),
        last_changed("y[j] = 0.0", test=".any()"),
        written("""out = decoder(x, memory)
for n in range(1, len(x)):
    if (decoder(x[:n], memory) != out[:n]).any():
        return True
return False"""),
    ],
    "too much allowed": [
        last_changed("y[j] = torch.randn_like(x[j])", test=".abs().max() > 0.1"),
        last_changed("y[j] = 0.0", test=".abs().max() > 0.1"),
        written("""out = decoder(x, memory)
for n in range(1, len(x)):
    if not torch.allclose(decoder(x[:n], memory), out[:n], atol=0.1):
        return True
return False"""),
    ],
    "memory changed too": [
        written("""out = decoder(x, memory)
for j in range(1, len(x)):
    y = x.clone()
    y[j] = 0.0
    if (decoder(y, memory * 2) - out)[:j].abs().max() > 1e-5:
        return True
return False"""),
    ],
    "answer turned around": [
        written("""out = decoder(x, memory)
for n in range(1, len(x)):
    if not torch.allclose(decoder(x[:n], memory), out[:n], atol=1e-5):
        return False
return True"""),
        written("""out = decoder(x, memory)
return all(
    (decoder(x[:n], memory) - out[:n]).abs().max() < 1e-4 for n in range(1, len(x))
)"""),
    ],
    "nothing changed": [
        written(
            """return bool((decoder(x, memory) - decoder(x, memory)).abs().max() > 1e-4)"""
        ),
        written("""y = x.clone()
y[-1] + 1
return not torch.allclose(decoder(y, memory), decoder(x, memory))"""),
    ],
    "all rows must change": [
        last_changed("y[j] = 0.0", test=".abs().amax(1).min() > 1e-5"),
    ],
    "not a number": [
        written("""out = decoder(x, memory)
for j in range(1, len(x)):
    y = x.clone()
    y[j] = float("nan")
    if decoder(y, memory)[:j].isnan().any():
        return True
return False"""),
        written("""y = x.clone()
y[1:] = float("inf")
return not decoder(y, memory)[:1].isfinite().all()"""),
    ],
}
