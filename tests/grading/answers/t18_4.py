"""Answers to 18.4, which asks whether large weights point at words that matter."""


def written(body: str) -> str:
    lines = "".join(f"    {x}\n" if x else "\n" for x in body.splitlines())
    return f"def agreement(model, sentences, weights):\n{lines}"


def tried(
    cut: str = "y[j] = 0.0",
    effect: str = "abs(model(y) - out).max()",
    agrees: str = "[row.argmax() == word for row in w]",
    chance: str = "np.mean([1 / len(x) for x in sentences])",
    end: str = "return np.array(agree).mean(0), chance",
    word: str = "effects.index(max(effects))",
) -> str:
    """A loop over words, with one line or another replaced."""
    return written(f"""agree = []
for x, w in zip(sentences, weights):
    out = model(x)
    effects = []
    for j in range(x.shape[0]):
        y = np.array(x)
        {cut}
        effects.append({effect})
    word = {word}
    agree.append({agrees})
chance = {chance}
{end}""")


RIGHT = {
    "loops": tried(),
    "a table of cuts": written("""def matters(x):
    cuts = np.repeat(x[None], len(x), axis=0)
    cuts[np.arange(len(x)), np.arange(len(x))] = 0
    return int(np.argmax([np.abs(model(c) - model(x)).max() for c in cuts]))

words = [matters(x) for x in sentences]
heads = range(len(weights[0]))
agree = [np.mean([w[h].argmax() == i for w, i in zip(weights, words)]) for h in heads]
return agree, float(np.mean([1 / len(x) for x in sentences]))"""),
    "norms": tried(effect="np.linalg.norm(model(y) - out, ord=np.inf)"),
    "zeros by a factor": tried("y = y * (np.arange(len(y)) != j)[:, None]"),
    "concatenated": tried(
        "y = np.concatenate([x[:j], np.zeros((1, x.shape[1])), x[j + 1 :]])"
    ),
    "counts": written("""agree, chance, n = 0, 0, len(sentences)
for x, w in zip(sentences, weights):
    best, word = -1, None
    for j in range(len(x)):
        kept = x[j].copy()
        y = x.copy()
        y[j, :] = 0 * kept
        effect = max(np.abs(model(y) - model(x)).tolist())
        if effect > best:
            best, word = effect, j
    agree = agree + (np.argmax(w, axis=-1) == word).astype(int)
    chance += 1 / (n * len(x))
return agree / n, chance"""),
    "mask by where": tried("y = np.where(np.eye(len(x))[j][:, None] == 1, 0, x)"),
    "highest and lowest": tried(
        effect="max((model(y) - out).max(), (out - model(y)).max())"
    ),
    "a tensor": tried(
        end="return torch.tensor(np.array(agree)).double().mean(0), chance"
    ),
    "the largest weight, by comparison": tried(
        agrees="[row[word] == row.max() for row in w]"
    ),
}

WRONG = {
    "nothing returned": tried(end="np.array(agree).mean(0), chance"),
    "shares alone": tried(end="return np.array(agree).mean(0)"),
    "a verdict": tried(end="return bool(np.mean(agree) > chance), chance"),
    "correlation": tried(agrees="[np.corrcoef(row, effects)[0, 1] for row in w]"),
    "random word": tried(word="0"),
    "largest weight above a half": tried(
        agrees="[row.argmax() == word and row.max() > 0.5 for row in w]"
    ),
    "among the two largest": tried(agrees="[word in row.argsort()[-2:] for row in w]"),
    "the mean instead of zeros": tried("y[j] = x.mean(0)"),
    "relative effect": tried(effect="(abs(model(y) - out) / abs(out)).max()"),
    "words exchanged": tried("y[j] = x[j - 1]"),
    "chance 0": tried(chance="0.0"),
    "x changed in place": tried("y = x\n        y[j] = 0.0"),
}

SPELLINGS = {
    "yes without a test": [
        written("""chance = np.mean([1 / len(x) for x in sentences])
return [1.0] * len(weights[0]), chance""")
    ],
    "long words instead of effects": [
        tried(effect="np.sqrt((x[j] ** 2).sum())"),
    ],
    "all other words cut": [tried("y = 0 * y\n        y[j] = x[j]")],
    "cuts that pile up": [
        tried("y[: j + 1] = 0"),
        tried()
        .replace(
            "    out = model(x)\n", "    out = model(x)\n        y = np.array(x)\n"
        )
        .replace("            y = np.array(x)\n", ""),
    ],
    "shorter sentence": [
        tried("y = np.delete(y, j, 0)"),
        tried("y = np.vstack([x[:j], x[j + 1 :]])"),
    ],
    "ones instead of zeros": [tried("y[j] = 1.0")],
    "the output instead of its change": [tried(effect="abs(model(y)).max()")],
    "changes that cancel": [tried(effect="abs(model(y).sum() - out.sum())")],
    "sum of the changes": [tried(effect="abs(out - model(y)).sum()")],
    "falls don't count": [tried(effect="max(model(y) - out)")],
    "rises don't count": [tried(effect="(out - model(y)).max()")],
    "the word that matters least": [tried(word="int(np.argmin(effects))")],
    "the smallest weight": [tried(agrees="w.argmin(1) == word")],
    "heads averaged": [
        tried(agrees="[w.mean(0).argmax() == word] * len(w)"),
        tried(agrees="[w.sum(0).argmax() == word for _ in w]"),
    ],
    "best of all heads": [tried(agrees="[any(w.argmax(1) == word)] * len(w)")],
    "a number instead of a share": [tried(end="return np.array(agree).sum(0), chance")],
    "mean over the heads": [tried(end="return np.mean(agree), chance")],
    "a share for each sentence": [tried(end="return np.array(agree).mean(1), chance")],
    "chance is one half": [tried(chance="1 / 2")],
    "chance by the number of heads": [tried(chance="1 / len(weights[0])")],
    "chance by the mean length": [
        tried(chance="1 / np.mean(list(map(len, sentences)))")
    ],
    "chance by the longest": [tried(chance="1 / max(len(x) for x in sentences)")],
    "chances added up": [tried(chance="sum(1 / len(x) for x in sentences)")],
    "results swapped": [tried(end="return chance, np.array(agree).mean(0)")],
    "the last sentence alone": [
        tried(end="return np.array(agree)[-1].astype(float), chance")
    ],
}
