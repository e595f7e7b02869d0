"""Answers to 14.2, `collate`: (tokens, real) for sentences of different lengths."""


def written(body: str, names: str = "sentences, eos, pad, max_len") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def collate({names}):\n{lines}"


def given(
    row: str = "[*words[: max_len - 1], eos]",
    width: str = "max(len(row) for row in rows)",
    real: str = "tokens != pad",
) -> str:
    """The function as given, with other lines."""
    return written(f"""rows = [{row} for words in sentences]
width = {width}
tokens = torch.full((len(rows), width), pad)
for n, row in enumerate(rows):
    tokens[n, : len(row)] = torch.tensor(row)
return tokens, {real}""")


RIGHT = {
    "cut, then the mark": given(),
    "plus": given("words[: max_len - 1] + [eos]"),
    "map": given(width="max(map(len, rows))"),
    "sorted": given(width="len(sorted(rows, key=len)[-1])"),
    "the shorter of two": given(
        width="min(max_len, max(len(words) for words in sentences) + 1)"
    ),
    "by a condition": given(
        "([*words, eos] if len(words) < max_len else [*words[: max_len - 1], eos])"
    ),
    "cut, last one replaced": given(
        "([*words, eos] if len(words) < max_len else [*words, eos][: max_len - 1] + [eos])"
    ),
    "mask by lengths": given(
        real="torch.arange(width) < torch.tensor([len(r) for r in rows])[:, None]"
    ),
    "ne": given(real="tokens.ne(pad)"),
    "the library": written("""rows = [torch.tensor(s[: max_len - 1] + [eos]) for s in sentences]
tokens = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=pad)
return tokens, ~tokens.eq(pad)"""),
    "F.pad": written("""rows = [torch.tensor([*s[: max_len - 1], eos]) for s in sentences]
width = max(len(row) for row in rows)
tokens = torch.stack(
    [torch.nn.functional.pad(row, (0, width - len(row)), value=pad) for row in rows]
)
return tokens, tokens != pad"""),
    "zip_longest": written("""from itertools import zip_longest

rows = [[*s[: max_len - 1], eos] for s in sentences]
columns = list(zip_longest(*rows, fillvalue=pad))
tokens = torch.tensor(columns).T
return tokens, tokens != pad"""),
    "NumPy": written("""lengths = [min(len(s) + 1, max_len) for s in sentences]
tokens = np.full((len(sentences), max(lengths)), pad)
for row, s, n in zip(tokens, sentences, lengths):
    row[: n - 1], row[n - 1] = s[: n - 1], eos
return tokens, tokens != pad"""),
    "lists": written("""rows = [[*s[: max_len - 1], eos] for s in sentences]
width = max(map(len, rows))
tokens = [row + [pad] * (width - len(row)) for row in rows]
return tokens, [[i != pad for i in row] for row in tokens]"""),
    "too wide, then cut": written("""tokens = torch.full((len(sentences), max_len), pad)
for n, s in enumerate(sentences):
    kept = torch.tensor([*s[: max_len - 1], eos])
    tokens[n, : len(kept)] = kept
real = tokens != pad
used = real.any(0)
return tokens[:, used], real[:, used]"""),
}

WRONG = {
    "tokens alone": written("""rows = [[*s[: max_len - 1], eos] for s in sentences]
width = max(map(len, rows))
return torch.tensor([row + [pad] * (width - len(row)) for row in rows])"""),
    "not padded": written("""rows = [[*s[: max_len - 1], eos] for s in sentences]
return rows, [[True] * len(row) for row in rows]"""),
    "width of the first": given(width="len(rows[0])"),
    "turned": written("""rows = [torch.tensor(s[: max_len - 1] + [eos]) for s in sentences]
tokens = torch.nn.utils.rnn.pad_sequence(rows, padding_value=pad)
return tokens, tokens != pad"""),
    "sorted by length": written("""rows = sorted(([*s[: max_len - 1], eos] for s in sentences), key=len)
width = max(map(len, rows))
tokens = torch.tensor([row + [pad] * (width - len(row)) for row in rows])
return tokens, tokens != pad"""),
    "sentences grow": written("""for s in sentences:
    del s[max_len - 1 :]
    s.append(eos)
width = max(map(len, sentences))
tokens = torch.tensor([s + [pad] * (width - len(s)) for s in sentences])
return tokens, tokens != pad"""),
    "two end marks": given("[*words[: max_len - 2], eos, eos]"),
    "mask for attention": given(real="(tokens != pad)[:, None, None]"),
    "lengths for the mask": given(real="(tokens != pad).sum(1)"),
    "as long as all words": given(width="sum(map(len, rows))"),
    "end mark first": given("[eos, *words[: max_len - 1]]"),
}

SPELLINGS = {
    "as planted": [
        given("[*words, eos][:max_len]", "max_len"),
        given("(words + [eos])[0:max_len]", "max_len"),
    ],
    "the end mark cut off": [
        given("[*words, eos][:max_len]"),
        given("(words + [eos])[:max_len]", "min(max_len, max(map(len, rows)))"),
    ],
    "padded to the limit": [
        given(width="max_len"),
        given("words[: max_len - 1] + [eos]", "max(max_len, max(map(len, rows)))"),
    ],
    "one place too wide": [
        given(width="1 + max(map(len, rows))"),
        given(width="max(map(len, rows)) + 1", real="tokens.ne(pad)"),
    ],
    "not cut": [
        given("[*words, eos]"),
        given("words + [eos]", "max(map(len, sentences)) + 1"),
    ],
    "one over the limit": [given("words[:max_len] + [eos]")],
    "cut more than needed": [given("words[: max_len - 2] + [eos]")],
    "the last word of all replaced": [
        given("words[: min(len(words) - 1, max_len - 1)] + [eos]"),
    ],
    "no end mark": [
        given("words[:max_len]"),
        given("words[: max_len - 1]"),
    ],
    "end mark on long ones alone": [
        given("(words[: max_len - 1] + [eos] if len(words) > max_len - 1 else words)"),
    ],
    "end mark on whole ones alone": [
        given("(words + [eos] if len(words) + 1 <= max_len else words[: max_len - 1])"),
    ],
    "the beginning cut off": [given("words[1 - max_len :] + [eos]")],
    "long sentences left out": [
        written("""rows = [[*s, eos] for s in sentences if len(s) + 1 <= max_len]
width = max(map(len, rows))
tokens = torch.tensor([row + [pad] * (width - len(row)) for row in rows])
return tokens, tokens != pad"""),
    ],
    "cut to the shortest": [
        written("""rows = [[*s[: max_len - 1], eos] for s in sentences]
tokens = torch.tensor(list(zip(*rows))).T
return tokens, tokens != pad"""),
    ],
    "end mark behind the padding": [
        written("""width = min(max(map(len, sentences)), max_len - 1)
rows = [s[:width] + [pad] * (width - len(s)) + [eos] for s in sentences]
tokens = torch.tensor(rows)
return tokens, tokens != pad"""),
    ],
    "padded in front": [
        written("""rows = [[*s[: max_len - 1], eos] for s in sentences]
width = max(map(len, rows))
tokens = torch.tensor([[pad] * (width - len(row)) + row for row in rows])
return tokens, tokens != pad"""),
    ],
    "padded in front, mask as before": [
        written("""rows = [[*s[: max_len - 1], eos] for s in sentences]
width = max(map(len, rows))
tokens = torch.tensor([[pad] * (width - len(row)) + row for row in rows])
return tokens, torch.arange(width) < torch.tensor([[len(row)] for row in rows])"""),
    ],
    "padded with zeros": [
        written("""rows = [torch.tensor(s[: max_len - 1] + [eos]) for s in sentences]
tokens = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)
return tokens, tokens != 0"""),
        written("""rows = [s[: max_len - 1] + [eos] for s in sentences]
tokens = torch.zeros(len(rows), max(map(len, rows)), dtype=torch.long)
for n, row in enumerate(rows):
    tokens[n, : len(row)] = torch.tensor(row)
return tokens, tokens > 0"""),
    ],
    "padded with end marks": [
        written("""rows = [s[: max_len - 1] + [eos] for s in sentences]
width = max(map(len, rows))
tokens = torch.tensor([row + [eos] * (width - len(row)) for row in rows])
return tokens, torch.tensor([[n < len(row) for n in range(width)] for row in rows])"""),
    ],
    "mask the wrong way round": [
        given(real="tokens == pad"),
        given(real="~(tokens != pad)"),
    ],
    "end mark not real": [
        given(real="(tokens != pad) * (tokens != eos)"),
        given(
            real="torch.arange(1, width + 1) < torch.tensor([[len(r)] for r in rows])"
        ),
    ],
    "mask of numbers": [
        given(real="(tokens != pad).long()"),
        given(real="torch.where(tokens != pad, 1.0, 0.0)"),
    ],
    "results swapped": [
        written("""rows = [s[: max_len - 1] + [eos] for s in sentences]
width = max(map(len, rows))
tokens = torch.tensor([row + [pad] * (width - len(row)) for row in rows])
return tokens != pad, tokens"""),
    ],
}

DOUBLE = [
    (
        "padded to the limit",
        "mask the wrong way round",
        given(width="max_len", real="tokens == pad"),
    ),
    (
        "the end mark cut off",
        "end mark not real",
        given("(words + [eos])[:max_len]", real="(tokens != pad) & (tokens != eos)"),
    ),
    (
        "padded to the limit",
        "end mark not real",
        given(width="max_len", real="(tokens != pad) & (tokens != eos)"),
    ),
]
