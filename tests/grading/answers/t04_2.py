"""Answers to 04.2, the states of a chain whose words and states are vectors."""


def written(body: str, names: str = "x, W, U") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def read({names}):\n{lines}"


def loop(
    step: str = "np.tanh(W @ h + U @ x[t])",
    start: str = "np.zeros(W.shape[0])",
    over: str = "range(len(x))",
    back: str = "np.stack(states)",
) -> str:
    """The chapter's loop, with other lines."""
    return written(f"""h = {start}
states = []
for t in {over}:
    h = {step}
    states.append(h)
return {back}""")


RIGHT = {
    "by places": loop(),
    "from the other side": loop("np.tanh(h @ W.T + x[t] @ U.T)"),
    "dot": loop("np.tanh(np.dot(W, h) + np.dot(U, x[t]))"),
    "matmul": loop("np.tanh(np.matmul(W, h) + np.matmul(U, x[t]))"),
    "einsum": loop(
        "np.tanh(np.einsum('ij,j->i', W, h) + np.einsum('ij,j->i', U, x[t]))"
    ),
    "sums of products": loop("np.tanh((W * h).sum(axis=1) + (U * x[t]).sum(axis=1))"),
    "sums along the last axis": loop(
        "np.tanh(np.sum(W * h, -1) + np.sum(U * x[t], -1))"
    ),
    "vstack": loop(back="np.vstack(states)"),
    "a list": loop(back="states"),
    "the chapter's own": written("""states = [np.zeros(len(W))]
for word in x:
    states.append(np.tanh(W @ states[-1] + U @ word))
return np.array(states[1:])"""),
    "a table of zeros": written("""states = np.zeros((x.shape[0], W.shape[0]))
states[0] = np.tanh(U @ x[0])
for t in range(1, len(x)):
    states[t] = np.tanh(W @ states[t - 1] + U @ x[t])
return states"""),
    "the last row that is still zero": written("""states = np.zeros((len(x), len(W)))
for t, word in enumerate(x):
    states[t] = np.tanh(W @ states[t - 1] + U @ word)
return states"""),
    "columns": written("""h = np.zeros((W.shape[0], 1))
states = []
for word in x:
    h = np.tanh(W @ h + U @ word[:, None])
    states.append(h[:, 0])
return np.array(states)"""),
    "accumulate": written("""from itertools import accumulate

steps = accumulate(x, lambda h, word: np.tanh(W @ h + U @ word), initial=np.zeros(len(W)))
return np.array(list(steps)[1:])"""),
    "a generator": written("""def states():
    h = np.zeros(len(W))
    for news in x @ U.T:
        h = np.tanh(W @ h + news)
        yield h

return np.array(list(states()))"""),
    "own tanh, by sizes": written("""def tanh(a):
    e = np.exp(-2 * abs(a))
    return np.sign(a) * (1 - e) / (1 + e)

h, states = np.zeros(len(W)), []
for word in x:
    h = tanh(W @ h + U @ word)
    states.append(h)
return np.array(states)"""),
    "PyTorch's own": written("""chain = torch.nn.RNN(U.shape[1], len(W), bias=False, batch_first=True).double()
with torch.no_grad():
    chain.weight_ih_l0.copy_(torch.from_numpy(U))
    chain.weight_hh_l0.copy_(torch.from_numpy(W))
    return chain(torch.from_numpy(x).double())[0].numpy()"""),
    "plain Python": written("""def times(M, v):
    return [sum(a * b for a, b in zip(row, v, strict=True)) for row in M]

h, states = [0] * len(W), []
for word in x:
    h = [math.tanh(a + b) for a, b in zip(times(W, h), times(U, word))]
    states.append(h)
return np.array(states)"""),
    "other names": written(
        """notes = []
note = 0 * W[0]
for word in words:
    note = np.tanh(own.dot(note) + new.dot(word))
    notes.append(note.copy())
return np.asarray(notes)""",
        "words, own, new",
    ).replace("0 * W[0]", "0 * own[0]"),
}

WRONG = {
    "nothing returned": written("h = np.zeros(len(W))"),
    "zeros": written("return np.zeros((len(x), len(W)))"),
    "all at once": written("return np.tanh(x @ U.T + np.zeros(len(W)) @ W)"),
    "the mean of note and word": loop("np.tanh((W @ h + U @ x[t]) / 2)"),
    "difference": loop("np.tanh(U @ x[t] - W @ h)"),
    "product": loop("np.tanh((W @ h) * (U @ x[t]))"),
    "the word counts twice": loop("np.tanh(W @ h + 2 * (U @ x[t]))"),
    "rounded": loop(back="np.round(states, 2)"),
    "half precision": loop(back="np.array(states, dtype=np.float16)"),
    "the sum of the states": loop(back="np.sum(states, axis=0)"),
    "the state doubled": loop("2 * np.tanh(W @ h + U @ x[t])"),
    "only numbers": written("""h, states = 0.0, []
for word in x:
    h = math.tanh(W * h + U * word)
    states.append(h)
return states"""),
    "whole numbers": loop(back="np.array(states).astype(int)"),
    "the first word alone": loop("np.tanh(W @ h + U @ x[0])"),
}

SPELLINGS = {
    "a note as long as a word": [loop(start="np.zeros_like(x[0])")],
    "places multiplied": [loop("np.tanh(W * h + U * x[t])")],
    "tanh of a single number": [loop("math.tanh(np.dot(W, h) + np.dot(U, x[t]))")],
    "all in one row": [loop(back="np.hstack(states)")],
    "no tanh": [loop("W @ h + U @ x[t]"), loop("np.dot(W, h) + np.dot(U, x[t])")],
    "tanh of the news alone": [loop("W @ h + np.tanh(U @ x[t])")],
    "tanh of the note alone": [loop("np.tanh(W @ h) + U @ x[t]")],
    "tanh twice": [loop("np.tanh(np.tanh(W @ h) + np.tanh(U @ x[t]))")],
    "tanh of the sum and then again": [loop("np.tanh(np.tanh(W @ h + U @ x[t]))")],
    "sigmoid": [loop("1 / (1 + np.exp(-W @ h - U @ x[t]))")],
    "negative numbers cut off": [loop("np.maximum(W @ h + U @ x[t], 0)")],
    "the note is never read": [
        loop("np.tanh(U @ x[t])"),
        written("return np.tanh(x @ U.T)"),
        loop("np.tanh(W @ np.zeros(len(W)) + U @ x[t])"),
    ],
    "W is left out": [loop("np.tanh(h + U @ x[t])")],
    "W turned": [
        loop("np.tanh(h @ W + U @ x[t])"),
        loop("np.tanh(W.T @ h + U @ x[t])"),
    ],
    "U turned": [
        loop("np.tanh(W @ h + x[t] @ U)"),
        loop("np.tanh(W @ h + U.T @ x[t])"),
    ],
    "W and U exchanged": [loop("np.tanh(U @ h + W @ x[t])")],
    "number by number": [loop("np.tanh(np.diag(W) * h + U @ x[t])")],
    "the note starts at one": [loop(start="np.ones(len(W))")],
    "a state too many": [
        written("""states = [np.zeros(len(W))]
for word in x:
    states.append(np.tanh(W @ states[-1] + U @ word))
return np.array(states)""")
    ],
    "one word behind": [
        written("""states = [np.zeros(len(W))]
for word in x:
    states.append(np.tanh(W @ states[-1] + U @ word))
return np.array(states[:-1])""")
    ],
    "the last state alone": [loop(back="h"), loop(back="states[-1]")],
    "the last word forgotten": [
        loop(over="range(len(x) - 1)"),
        written("""states = [np.zeros(len(W))]
for word in x[:-1]:
    states.append(np.tanh(W @ states[-1] + U @ word))
return np.array(states[1:])"""),
    ],
    "read from the right": [
        loop(over="range(len(x) - 1, -1, -1)"),
        loop(over="reversed(range(len(x)))"),
    ],
    "the note keeps adding up": [loop("h + np.tanh(W @ h + U @ x[t])")],
    "handed on before tanh": [
        loop("W @ h + U @ x[t]", back="np.tanh(states)"),
        loop("W @ h + U @ x[t]", back="np.array([np.tanh(s) for s in states])"),
    ],
    "one vector written over": [
        written("""h = np.zeros(len(W))
states = []
for word in x:
    np.tanh(W @ h + U @ word, out=h)
    states.append(h)
return np.array(states)"""),
        loop(back="np.array([h for _ in states])"),
    ],
    "rows and columns of the result exchanged": [
        loop(back="np.stack(states, axis=1)"),
        loop(back="np.array(states).T"),
    ],
    "overflow": [
        loop("(lambda a: np.sinh(a) / np.cosh(a))(W @ h + U @ x[t])"),
        loop("(lambda a: (np.exp(2 * a) - 1) / (np.exp(2 * a) + 1))(W @ h + U @ x[t])"),
    ],
}

DOUBLE = [
    (
        "W turned",
        "the note starts at one",
        loop("np.tanh(h @ W + U @ x[t])", "np.ones(len(W))"),
    ),
    ("no tanh", "W turned", loop("h @ W + U @ x[t]")),
    (
        "read from the right",
        "W is left out",
        loop("np.tanh(h + U @ x[t])", over="reversed(range(len(x)))"),
    ),
]
