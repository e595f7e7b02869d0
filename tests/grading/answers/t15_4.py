"""Answers to 15.4: which change cures a run that fails, tried one at a time."""


def written(body: str, names: str = "train, rate, warmup") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def cause({names}):\n{lines}"


def decided(
    learns: str = "losses[-1] < losses[0]",
    cold: str = "rate, 0",
    warm: str = "rate, warmup",
    slow: str = "rate / 10, warmup",
    words: str = '"none", "warm-up", "rate", "other"',
) -> str:
    return written(f"""def learns(peak, steps):
    losses = train(peak, steps)
    return {learns}

none, warm_up, low, other = {words}
if learns({cold}):
    return none
if learns({warm}):
    return warm_up
if learns({slow}):
    return low
return other""")


RIGHT = {
    "one after the other": decided(),
    "named": decided(slow="0.1 * rate, warmup"),
    "arrays": decided("bool(np.diff(np.array(losses)[[0, -1]])[0] < 0)"),
    "not NaN": decided("not math.isnan(losses[-1]) and losses[-1] < losses[0]"),
    "finite": decided("np.isfinite(losses[-1]) and losses[-1] < losses[0]"),
    "torch": decided("(torch.tensor(losses)[-1] < torch.tensor(losses)[0]).item()"),
    "subtracted": decided("losses[0] - losses[-1] > 0"),
    "divided": decided("losses[-1] / losses[0] < 1"),
    "failure": written("""def fails(losses):
    return not losses[-1] < losses[0]

if fails(train(rate, 0)):
    if fails(train(rate, warmup)):
        if fails(train(rate / 10, warmup)):
            return "other"
        return "rate"
    return "warm-up"
return "none\""""),
    "a loop": written("""runs = {"none": (rate, 0), "warm-up": (rate, warmup), "rate": (rate / 10, warmup)}
for word, run in runs.items():
    losses = train(*run)
    if losses[-1] < losses[0]:
        return word
return "other\""""),
    "next": written("""runs = [("none", rate, 0), ("warm-up", rate, warmup), ("rate", rate * 0.1, warmup)]
def good(peak, steps):
    first, *_, last = train(peak, steps)
    return last < first
return next((w for w, p, s in runs if good(p, s)), "other")"""),
    "all three first": written("""a, b, c = train(rate, 0), train(rate, warmup), train(rate / 10, warmup)
good = [bool(run[-1] < run[0]) for run in (a, b, c)]
if good[0]:
    return "none"
if good[1]:
    return "warm-up"
return "rate" if good[2] else "other\""""),
    "match": written("""def learns(*run):
    losses = train(*run)
    return losses[-1] < losses[0]

match learns(rate, 0), learns(rate, warmup), learns(rate / 10, warmup):
    case True, _, _:
        return "none"
    case _, True, _:
        return "warm-up"
    case _, _, True:
        return "rate"
return "other\""""),
    "capital letters kept small": decided(words='["none", "warm-up", "rate", "other"]'),
    "type hints": written(
        """for word, peak, steps in zip(
    ("none", "warm-up", "rate"), (rate, rate, rate / 10), (0, warmup, warmup)
):
    *_, last = losses = train(peak, steps)
    if last < losses[0]:
        return word
return "other\"""",
        "train, rate: float, warmup: int",
    ),
}

WRONG = {
    "always the warm-up": written('return "warm-up"'),
    "always none": written('return "none"'),
    "always the rate": written('return "rate"'),
    "truth values": written("return train(rate, 0)[-1] < train(rate, 0)[0]"),
    "None": written("train(rate, 0)"),
    "losses": written("return train(rate, 0)"),
    "swapped arguments": decided(cold="0, rate", warm="warmup, rate"),
    "other words": decided(words='"fine", "warmup", "too high", "unknown"'),
    "the rate decides": written("""if rate > 0.005:
    return "rate"
return "none\""""),
    "the smoothest": written("""runs = [train(rate, 0), train(rate, warmup), train(rate / 10, warmup)]
return ["none", "warm-up", "rate"][int(np.argmin([run[-1] for run in runs]))]"""),
    "mean of the run": decided("sum(losses) / len(losses) < losses[0]"),
    "halved loss": decided("losses[-1] < losses[0] / 2"),
    "no last word": written("""for word, run in (("none", (rate, 0)), ("warm-up", (rate, warmup))):
    losses = train(*run)
    if losses[-1] < losses[0]:
        return word"""),
}

SPELLINGS = {
    "nan taken for learning": [
        decided("not losses[-1] >= losses[0]"),
        written("""for word, run in (
    ("none", (rate, 0)), ("warm-up", (rate, warmup)), ("rate", (rate / 10, warmup))
):
    losses = train(*run)
    if losses[-1] >= losses[0]:
        continue
    return word
return "other\""""),
    ],
    "standing still taken for learning": [
        decided("losses[-1] <= losses[0]"),
        decided("losses[0] - losses[-1] >= 0"),
    ],
    "a bump taken for failure": [
        decided("max(losses) == losses[0] and losses[-1] < losses[0]"),
        decided("all(loss <= losses[0] for loss in losses) and losses[-1] < losses[0]"),
    ],
    "a dip taken for learning": [
        decided("min(losses) < losses[0]"),
        decided("any(loss < losses[0] for loss in losses)"),
    ],
    "the last two compared": [
        decided("losses[-1] < losses[-2]"),
        decided("losses[-2] > losses[-1]"),
    ],
    "a number of its own": [decided("losses[-1] < 3"), decided("losses[-1] < 2.5")],
    "no control": [
        written("""losses = train(rate, 0)
return "none" if losses[-1] < losses[0] else "warm-up\""""),
    ],
    "failure not seen first": [
        written("""for word, peak in (("warm-up", rate), ("rate", rate / 10)):
    losses = train(peak, warmup)
    if losses[-1] < losses[0]:
        return word
return "other\""""),
    ],
    "two things changed": [decided(warm="rate / 10, warmup")],
    "rate tried without warm-up": [decided(slow="rate / 10, 0")],
    "rate tried before the warm-up": [
        written("""def good(peak, steps):
    losses = train(peak, steps)
    return losses[-1] < losses[0]
if good(rate, 0):
    return "none"
if good(rate / 10, 0):
    return "rate"
if good(rate, warmup):
    return "warm-up"
return "rate" if good(rate / 10, warmup) else "other\""""),
    ],
    "words swapped": [decided(words='"none", "rate", "warm-up", "other"')],
    "rate divided by two": [decided(slow="rate / 2, warmup")],
    "rate made larger": [decided(slow="rate * 10, warmup")],
    "warm-up of its own": [
        decided(warm="rate, 10"),
        decided(warm="rate, 50"),
    ],
    "other causes not seen": [
        decided(words='"none", "warm-up", "rate", "rate"'),
        written("""for word, steps in (("none", 0), ("warm-up", warmup)):
    losses = train(rate, steps)
    if losses[-1] < losses[0]:
        return word
return "rate\""""),
    ],
}
