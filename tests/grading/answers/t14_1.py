"""Answers to 14.1, the shift: what the decoder reads, and what it must say next."""


def written(body: str, names: str = "tgt, pad, ignore") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def shift({names}):\n{lines}"


RIGHT = {
    "slices": written("""inputs, labels = tgt[:, :-1], tgt[:, 1:]
return inputs, labels.masked_fill(labels == pad, ignore)"""),
    "where": written("""labels = tgt[:, 1:]
labels = torch.where(labels == pad, ignore, labels)
return tgt[:, :-1], labels"""),
    "where with tensors": written("""labels = tgt[:, 1:]
return tgt[:, :-1], torch.where(labels.eq(pad), torch.full_like(labels, ignore), labels)"""),
    "dots": written("""inputs = tgt[..., :-1]
labels = tgt[..., 1:].clone()
labels[labels == pad] = ignore
return inputs, labels"""),
    "roll": written("""labels = tgt.roll(-1, dims=1)[:, :-1]
return tgt[:, :-1], labels.masked_fill(labels == pad, ignore)"""),
    "filled before the cut": written("""labels = tgt.masked_fill(tgt == pad, ignore)
return tgt[:, :-1], labels[:, 1:]"""),
    "narrow": written("""t = tgt.size(1) - 1
labels = tgt.narrow(1, 1, t)
return tgt.narrow(1, 0, t), labels + (ignore - pad) * (labels == pad)"""),
    "lists": written("""inputs, labels = [], []
for row in tgt.tolist():
    inputs.append(row[:-1])
    labels.append([ignore if i == pad else i for i in row[1:]])
return inputs, labels"""),
    "place by place": written("""batch, t = tgt.shape
inputs = torch.empty(batch, t - 1, dtype=tgt.dtype)
labels = torch.empty_like(inputs)
for b in range(batch):
    for n in range(t - 1):
        inputs[b, n] = tgt[b, n]
        labels[b, n] = tgt[b, n + 1] if tgt[b, n + 1] != pad else ignore
return inputs, labels"""),
    "by lengths": written("""real = (tgt != pad).sum(1, keepdim=True)
places = torch.arange(1, tgt.shape[1])
return tgt[:, :-1], torch.where(places < real, tgt[:, 1:], ignore)"""),
    "NumPy": written("""ids = tgt.numpy()
labels = ids[:, 1:].copy()
labels[labels == pad] = ignore
return ids[:, :-1], labels"""),
    "a list of two": written("""labels = tgt[:, 1:].masked_fill(tgt[:, 1:] == pad, ignore)
return [tgt[:, :-1], labels]"""),
    "not contiguous": written("""turned = tgt.T
labels = turned[1:].masked_fill(turned[1:] == pad, ignore)
return turned[:-1].T, labels.T"""),
    "a type hint": written(
        '''"""Entrada y etiquetas."""
inputs, labels = tgt[:, :-1].contiguous(), tgt[:, 1:].contiguous()
return inputs, labels.masked_fill(labels.eq(pad), ignore)''',
        "tgt: torch.Tensor, pad: int = 0, ignore: int = -100",
    ),
    "split": written("""labels = tgt.split([1, tgt.shape[1] - 1], 1)[1]
inputs = tgt.split([tgt.shape[1] - 1, 1], 1)[0]
return inputs, labels.masked_fill(~(labels != pad), ignore)"""),
}

WRONG = {
    "labels alone": written("return tgt[:, 1:].masked_fill(tgt[:, 1:] == pad, ignore)"),
    "nothing": written("inputs, labels = tgt[:, :-1], tgt[:, 1:]"),
    "two places": written("return tgt[:, :-2], tgt[:, 2:]"),
    "one-hot": written(
        "return tgt[:, :-1], torch.nn.functional.one_hot(tgt[:, 1:], 100)"
    ),
    "rolled, not cut": written("return tgt, tgt.roll(-1, dims=1)"),
    "padding dropped": written("""labels = tgt[:, 1:]
return tgt[:, :-1], labels[labels != pad]"""),
    "begin mark ignored": written("""labels = tgt.masked_fill(tgt == pad, ignore)
labels[:, 0] = ignore
return tgt, labels"""),
    "tgt written into": written("""inputs, labels = tgt[:, :-1].clone(), tgt[:, 1:]
labels[labels == pad] = ignore
return inputs, labels"""),
    "mask in place of labels": written("return tgt[:, :-1], tgt[:, 1:] != pad"),
    "reversed": written("return tgt[:, :-1], tgt.flip(1)[:, 1:]"),
    "floats": written("""labels = tgt[:, 1:].float()
labels[labels == pad] = float("nan")
return tgt[:, :-1], labels"""),
    "sorted": written("return tgt[:, :-1].sort(1).values, tgt[:, 1:]"),
}

SPELLINGS = {
    "no shift": [
        written("""labels = tgt.masked_fill(tgt == pad, ignore)
return tgt[:, :-1], labels[:, :-1]"""),
        written("""x = tgt[:, 1:]
return x, torch.where(x == pad, ignore, x)"""),
        written("return tgt, torch.where(tgt == pad, ignore, tgt)"),
        written("""rows = tgt.tolist()
return [r[:-1] for r in rows], [[ignore if i == pad else i for i in r[:-1]] for r in rows]"""),
    ],
    "shifted the wrong way": [
        written("""labels = torch.where(tgt == pad, ignore, tgt)
return tgt[:, 1:], labels[:, :-1]"""),
        written("""inputs = tgt.roll(-1, 1)[:, :-1]
labels = tgt[:, :-1].clone()
labels[labels == pad] = ignore
return inputs, labels"""),
    ],
    "the end cut off": [
        written("""labels = tgt[:, 1:-1]
return tgt[:, :-1], torch.where(labels == pad, ignore, labels)"""),
        written("""labels = torch.where(tgt == pad, ignore, tgt)[:, 1:-1]
return tgt[:, :-2], labels"""),
    ],
    "the last word still read": [
        written("return tgt, torch.where(tgt == pad, ignore, tgt)[:, 1:]"),
    ],
    "the begin mark to be said": [
        written("return tgt[:, :-1], torch.where(tgt == pad, ignore, tgt)"),
    ],
    "padding in the labels": [
        written("return tgt[:, :-1], tgt[:, 1:]"),
        written("return tgt.narrow(1, 0, tgt.shape[1] - 1), tgt[:, 1:].clone()"),
        written("""labels = tgt[:, 1:].clone()
labels[labels == ignore] = pad
return tgt[:, :-1], labels"""),
    ],
    "ignored in the inputs too": [
        written("""t = tgt.clone()
t[t == pad] = ignore
return t[:, :-1], t[:, 1:]"""),
        written("""t = tgt.masked_fill(tgt == pad, ignore)
return t[:, :-1], t[:, 1:]"""),
        written("""labels = tgt[:, 1:]
labels[labels == pad] = ignore
return tgt[:, :-1], labels"""),
    ],
    "ignored where the input is padding": [
        written("""inputs, labels = tgt[:, :-1], tgt[:, 1:].clone()
labels[inputs == pad] = ignore
return inputs, labels"""),
    ],
    "the end mark left out": [
        written("""labels = tgt[:, 1:].clone()
for row, n in zip(labels, (tgt != pad).sum(1)):
    row[n - 2 :] = ignore
return tgt[:, :-1], labels"""),
    ],
    "words left out, padding kept": [
        written("""labels = tgt[:, 1:]
return tgt[:, :-1], torch.where(labels != pad, ignore, labels)"""),
        written("""real = tgt[:, 1:] != pad
return tgt[:, :-1], tgt[:, 1:].masked_fill(real, ignore)"""),
    ],
    "padding taken to be 0": [
        written("""labels = tgt[:, 1:]
return tgt[:, :-1], torch.where(labels > 0, labels, ignore)"""),
    ],
    "ignore taken to be -100": [
        written("""labels = tgt[:, 1:].clone()
labels[labels == pad] = -100
return tgt[:, :-1], labels"""),
    ],
    "results swapped": [
        written("return torch.where(tgt == pad, ignore, tgt)[:, 1:], tgt[:, :-1]"),
    ],
    "shifted along the batch": [
        written("""labels = tgt[1:]
return tgt[:-1], torch.where(labels == pad, ignore, labels)"""),
    ],
}

DOUBLE = [
    (
        "no shift",
        "padding in the labels",
        written("return tgt[:, :-1], tgt[:, :-1]"),
    ),
    (
        "shifted the wrong way",
        "padding in the labels",
        written("return tgt[:, 1:], tgt[:, :-1]"),
    ),
    (
        "padding taken to be 0",
        "ignore taken to be -100",
        written("""labels = tgt[:, 1:]
return tgt[:, :-1], labels.masked_fill(labels == 0, -100)"""),
    ),
]
