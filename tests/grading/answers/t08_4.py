"""Answers to 08.4, a leak test that had three bugs."""


def mended(
    change: str = "other[:, j] = (other[:, j] + 1) % vocab_size",
    moved: str = "(model(other) != before).any(dim=-1).any(dim=0)",
    count: str = "heard[:j] += moved[:j]",
    start: str = "model.eval()\nbefore = model(tokens)",
    end: str = "model.train(training)\nreturn heard",
    places: str = "range(tokens.shape[1])",
) -> str:
    """The test as given, with some of its lines written anew."""
    body = f"""training = model.training
{start}
heard = torch.zeros(tokens.shape[1], dtype=torch.long)
for j in {places}:
    other = tokens.clone()
    {change}
    moved = {moved}
    {count}
{end}"""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"@torch.no_grad()\ndef later_heard(model, tokens, vocab_size):\n{lines}"


START = "before = model(tokens)"
ZERO = "other[:, j] = 0"
OWN = "heard[: j + 1] += moved[: j + 1]"

RIGHT = {
    "three lines mended": mended(),
    "the word before": mended("other[:, j] = (other[:, j] - 1) % vocab_size"),
    "half the vocabulary further": mended(
        "other[:, j] = (other[:, j] + max(vocab_size // 2, 1)) % vocab_size"
    ),
    "another word by chance": mended(
        "other[:, j] = (other[:, j] + torch.randint(1, vocab_size, (len(tokens),)))"
        " % vocab_size"
    ),
    "0, or 1 where 0 stands": mended(
        "other[:, j] = torch.where(other[:, j] == 0, 1, 0)"
    ),
    "0, or 1, by a truth value": mended("other[:, j] = (other[:, j] == 0).long()"),
    "remainder": mended("other[:, j] = torch.remainder(tokens[:, j] + 1, vocab_size)"),
    "a tolerance": mended(
        moved="((model(other) - before).abs() > 1e-6).any(-1).any(0)"
    ),
    "the largest difference": mended(
        moved="(model(other) - before).abs().amax(dim=(0, 2)) > 0"
    ),
    "train(False)": mended(start="model.train(False)\nbefore = model(tokens)"),
    "the mode given back by an if": mended(
        end="if training:\n    model.train()\nreturn heard"
    ),
    "a loop from 1": mended(places="range(1, tokens.shape[1])"),
    "numbers taken out": mended(count="heard[:j] += moved[:j].long()"),
    "a table like the chapter's": """
@torch.no_grad()
def influence(model, tokens, vocab_size):
    training = model.training
    model.eval()
    before, columns = model(tokens), []
    for j in range(tokens.shape[1]):
        other = tokens.clone()
        other[:, j] = (other[:, j] + 1) % vocab_size
        columns.append((model(other) != before).any(dim=-1).any(dim=0))
    model.train(training)
    return torch.stack(columns, dim=1)


def later_heard(model, tokens, vocab_size):
    table = influence(model, tokens, vocab_size)
    return table.triu(diagonal=1).sum(dim=1)
""",
    "pairs counted": """
def later_heard(model, tokens, vocab_size):
    mode, t = model.training, tokens.shape[1]
    model.eval()
    counts = np.zeros(t, dtype=int)
    with torch.no_grad():
        out = model(tokens).numpy()
        for j in range(t):
            other = tokens.clone()
            other[:, j] = (other[:, j] + 1) % vocab_size
            new = model(other).numpy()
            for i in range(j):
                counts[i] += bool((new[:, i] != out[:, i]).any())
    model.train(mode)
    return counts
""",
    "with try and finally": """
@torch.no_grad()
def later_heard(model, tokens, vocab_size):
    training = model.training
    try:
        model.eval()
        before = model(tokens)
        found = []
        for j in range(tokens.shape[1]):
            step = torch.nn.functional.one_hot(torch.tensor(j), tokens.shape[1])
            after = model((tokens + step) % vocab_size)
            found.append((after != before).any(dim=2).any(dim=0) & (torch.arange(tokens.shape[1]) < j))
        return torch.stack(found).sum(dim=0)
    finally:
        model.train(training)
""",
    "every other word tried": """
@torch.no_grad()
def later_heard(model, tokens, vocab_size):
    training = model.training
    model.eval()
    before, t = model(tokens), tokens.shape[1]
    heard = [set() for _ in range(t)]
    for j in range(t):
        for word in range(vocab_size):
            other = tokens.clone()
            other[:, j] = word
            moved = (model(other) != before).any(-1).any(0)
            for i in range(j):
                if moved[i]:
                    heard[i].add(j)
    model.train(training)
    return [len(words) for words in heard]
""",
}

WRONG = {
    "left in evaluation mode": mended(end="return heard"),
    "always left in training mode": mended(end="model.train()\nreturn heard"),
    "tokens changed and not put back": mended(
        "tokens[:, j] = (tokens[:, j] + 1) % vocab_size",
        moved="(model(tokens) != before).any(dim=-1).any(dim=0)",
    ),
    "a word by chance": mended(
        "other[:, j] = torch.randint(0, vocab_size, (len(tokens),))"
    ),
    "a truth value for all": mended(
        end="model.train(training)\nreturn bool(heard.any())"
    ),
    "the total": mended(end="model.train(training)\nreturn heard.sum()"),
    "nothing returned": mended(end="model.train(training)"),
    "all zeros": mended(end="model.train(training)\nreturn 0 * heard"),
    "counted from the wrong end": mended(
        end="model.train(training)\nreturn heard.flip(0)"
    ),
    "a share": mended(end="model.train(training)\nreturn heard / tokens.shape[1]"),
    "one word twice": mended(places="[1, 1, 2, 2]"),
    "text": mended(end="return 'leaks'"),
    "two words exchanged": mended("other[:, [j - 1, j]] = other[:, [j, j - 1]]"),
    "as given, wrapped": mended(ZERO, count=OWN, start=START, end="return heard * 1"),
}

SPELLINGS = {
    "dropout and the change are left": [
        mended(ZERO, start=START),
        mended(ZERO, start=START, end="return heard", places="range(len(tokens[0]))"),
    ],
    "dropout and the own word are left": [
        mended(count=OWN, start=START),
        mended("other[:, j] = (other[:, j] - 1) % vocab_size", count=OWN, start=START),
    ],
    "the change and the own word are left": [
        mended(ZERO, count=OWN),
        mended("other[:, j] *= 0", count=OWN),
    ],
    "as planted": [
        mended(ZERO, count=OWN, start=START),
        mended(ZERO, count=OWN, start=START, end="return heard"),
    ],
    "dropout still on": [
        mended(start=START),
        mended(start=START, end="return heard"),
        mended(start="model.train()\nbefore = model(tokens)"),
        mended(start="before = model(tokens)\nmodel.eval()"),
        mended(start="model.eval()\nbefore = model(tokens)\nmodel.train(training)"),
    ],
    "a change that is none": [
        mended(ZERO),
        mended("other[:, j] = 1"),
        mended("other[:, j] *= 0"),
        mended("other[:, j] = tokens[:, j - 1]"),
        mended("other[:, j] = vocab_size - 1"),
    ],
    "own word counted": [
        mended(count=OWN),
        mended(count="heard[: j + 1] = heard[: j + 1] + moved[: j + 1]"),
    ],
    "earlier words counted": [
        mended(count="heard += moved"),
        mended(count="heard = heard + moved.long()"),
    ],
    "only earlier words counted": [mended(count="heard[j + 1 :] += moved[j + 1 :]")],
    "next word alone": [
        mended(count="if j > 0:\n        heard[j - 1] += moved[j - 1]"),
    ],
    "no way round at the end": [
        mended("other[:, j] = other[:, j] + 1"),
        mended("other[:, j] += 1"),
    ],
    "changes pile up": [
        """
@torch.no_grad()
def later_heard(model, tokens, vocab_size):
    training = model.training
    model.eval()
    before = model(tokens)
    heard = torch.zeros(tokens.shape[1], dtype=torch.long)
    other = tokens.clone()
    for j in range(tokens.shape[1]):
        other[:, j] = (other[:, j] + 1) % vocab_size
        moved = (model(other) != before).any(dim=-1).any(dim=0)
        heard[:j] += moved[:j]
    model.train(training)
    return heard
"""
    ],
    "all later words changed": [
        mended("other[:, j:] = (other[:, j:] + 1) % vocab_size"),
        mended("other[:, j:] = (tokens[:, j:] - 1) % vocab_size"),
    ],
    "last word alone": [mended(places="[tokens.shape[1] - 1]")],
    "first sentence alone": [
        mended(moved="(model(other) != before)[0].any(dim=-1)"),
        mended(moved="(model(other)[0] != before[0]).any(-1)"),
    ],
    "in every sentence": [
        mended(moved="(model(other) != before).any(dim=-1).all(dim=0)"),
    ],
    "sentences counted": [
        mended(moved="(model(other) != before).any(dim=-1).sum(dim=0)"),
    ],
    "every logit must move": [
        mended(moved="(model(other) != before).all(dim=-1).any(dim=0)"),
    ],
    "first logit alone": [
        mended(moved="(model(other)[..., 0] != before[..., 0]).any(dim=0)"),
    ],
    "likeliest word alone": [
        mended(moved="(model(other).argmax(-1) != before.argmax(-1)).any(dim=0)"),
    ],
    "differences that cancel": [
        mended(moved="((model(other) - before).sum(-1).abs() > 1e-4).any(dim=0)"),
        mended(moved="((model(other) - before).mean(-1).abs() > 1e-4).any(dim=0)"),
    ],
    "upwards alone": [
        mended(moved="((model(other) - before).amax(dim=(0, 2)) > 1e-6)"),
        mended(moved="(before < model(other)).any(dim=-1).any(dim=0)"),
    ],
    "downwards alone": [
        mended(moved="((model(other) - before).amin(dim=(0, 2)) < -1e-6)"),
    ],
    "too forgiving": [
        mended(moved="((model(other) - before).abs() > 0.1).any(-1).any(0)"),
        mended(moved="((model(other) - before).abs().amax(-1) > 0.5).any(0)"),
    ],
    "yes or no": [
        mended(count="heard[:j] = heard[:j] | moved[:j]"),
        mended(end="model.train(training)\nreturn (heard > 0).long()"),
    ],
    "counted for the word that is heard": [
        mended(count="heard[j] = moved[:j].sum()"),
    ],
}
