"""Answers to 17.1, greedy decoding of a batch."""


def written(body: str, names: str = "model, start, eos, pad, max_len") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def greedy({names}):\n{lines}"


def loop(
    word: str = "model(tokens)[:, -1].argmax(-1)",
    filled: str = "torch.where(over, pad, word)",
    note: str = "over |= word == eos",
    stop: str = "over.all()",
    steps: str = "max_len",
    result: str = "tokens[:, 1:]",
) -> str:
    """The usual loop with other parts."""
    return written(f"""tokens = start.unsqueeze(1)
over = torch.zeros_like(start, dtype=torch.bool)
for step in range({steps}):
    word = {word}
    word = {filled}
    {note}
    tokens = torch.hstack([tokens, word.unsqueeze(1)])
    if {stop}:
        break
return {result}""")


def alone(
    go_on: str = "len(said) < max_len and (not said or said[-1] != eos)",
    read: str = "[[first, *said]]",
    place: str = "[0, -1]",
    pick: str = ".argmax().item()",
    fill: str = "pad",
    result: str = "said",
) -> str:
    """Sentence by sentence, with other parts."""
    return written(f"""sentences = []
for first in start.tolist():
    said = []
    while {go_on}:
        said.append(model(torch.tensor({read})){place}{pick})
    sentences.append({result})
longest = max(map(len, sentences))
return torch.tensor([s + [{fill}] * (longest - len(s)) for s in sentences])""")


RIGHT = {
    "the usual loop": loop(),
    "sentence by sentence": alone(),
    "max": loop("model(tokens)[:, -1].max(1)[1]"),
    "topk": loop("model(tokens)[:, -1, :].topk(1).indices.squeeze(1)"),
    "from probabilities": loop("model(tokens).softmax(-1)[:, -1].argmax(dim=1)"),
    "from a low temperature": loop("(model(tokens)[:, -1] / 0.01).argmax(-1)"),
    "by multiplication": loop(filled="word * ~over + pad * over"),
    "masked_fill in place": loop(filled="word.masked_fill_(over, pad)"),
    "by index": loop(note="over[word == eos] = True"),
    "seen in the tokens": written("""tokens = start[:, None]
while tokens.shape[1] <= max_len:
    over = (tokens[:, 1:] == eos).any(dim=1)
    if over.all():
        break
    word = model(tokens)[:, -1].argmax(dim=-1)
    word[over] = pad
    tokens = torch.cat((tokens, word[:, None]), dim=1)
return tokens[:, 1:]"""),
    "cut at the end": written("""tokens = start[:, None]
for _ in range(max_len):
    tokens = torch.cat([tokens, model(tokens)[:, -1:].argmax(-1)], 1)
words = tokens[:, 1:]
is_end = (words == eos).long()
behind = is_end.cumsum(1) - is_end > 0
words = words.masked_fill(behind, pad)
return words[:, : int((~behind).sum(1).max())]"""),
    "a list of columns": written("""columns, read = [], start[:, None]
over = start != start
while len(columns) < max_len and not bool(over.all()):
    best = model(read)[:, -1].argmax(-1)
    columns.append(torch.where(over, torch.tensor(pad), best))
    over = over | (best == eos)
    read = torch.column_stack((read, columns[-1]))
return torch.stack(columns, dim=1)"""),
    "NumPy": written("""tokens, over = start.numpy()[:, None], np.zeros(len(start), bool)
for _ in range(max_len):
    logits = model(torch.from_numpy(tokens)).numpy()[:, -1]
    word = np.where(over, pad, logits.argmax(axis=-1))
    over = over | (word == eos)
    tokens = np.concatenate([tokens, word[:, None]], axis=1)
    if over.all():
        break
return tokens[:, 1:]"""),
    "a list of lists": alone().replace("torch.tensor([s +", "([s +"),
    "recursion": written("""def go_on(tokens, over, room):
    if room == 0 or over.all():
        return tokens[:, 1:]
    word = model(tokens)[:, -1].argmax(-1).masked_fill(over, pad)
    tokens = torch.cat([tokens, word[:, None]], 1)
    return go_on(tokens, over | (word == eos), room - 1)

return go_on(start[:, None], torch.zeros(len(start)).bool(), max_len)"""),
    "pad_sequence": written("""rows = []
for i in range(len(start)):
    tokens = start[i : i + 1]
    for _ in range(max_len):
        tokens = torch.cat([tokens, model(tokens[None])[0, -1:].argmax(-1)])
        if tokens[-1] == eos:
            break
    rows.append(tokens[1:])
return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=pad)"""),
    "int32": loop(result="tokens[:, 1:].int()"),
}

WRONG = {
    "nothing returned": written("tokens = model(start[:, None])"),
    "one word": written("return model(start[:, None])[:, -1].argmax(-1)"),
    "drawn": loop("torch.multinomial((model(tokens)[:, -1] / 5).softmax(-1), 1)[:, 0]"),
    "columns of sentences": loop(result="tokens[:, 1:].T"),
    "text": loop(result="[str(row) for row in tokens[:, 1:].tolist()]"),
    "flattened": loop(result="tokens[:, 1:].flatten()"),
    "rows of several lengths": written("""rows = []
for first in start.tolist():
    said = []
    while len(said) < max_len and eos not in said:
        said.append(model(torch.tensor([[first, *said]]))[0, -1].argmax().item())
    rows.append(said)
return rows"""),
    "second likeliest": loop("model(tokens)[:, -1].topk(2).indices[:, 1]"),
    "start changed": written("""words = []
over = torch.zeros(len(start)).bool()
tokens = start[:, None]
for _ in range(max_len):
    word = model(tokens)[:, -1].argmax(-1).masked_fill(over, pad)
    over |= word == eos
    words.append(word)
    tokens = torch.cat([tokens, word[:, None]], 1)
    if over.all():
        break
start += 0 * start + 1
return torch.stack(words, 1)"""),
    "end fixed to 1": loop(note="over |= word == 1"),
    "always all of max_len, with the end": loop(
        "torch.full_like(start, eos)", stop="False"
    ),
    "temperature 0 in a softmax": loop(
        "(model(tokens)[:, -1] / 0).softmax(-1).argmax(-1)"
    ),
    "logits": loop(result="model(tokens)"),
    "last word alone": loop(result="tokens[:, -1:]"),
}

SPELLINGS = {
    "goes on to max_len": [
        loop(stop="step == max_len"),
        loop(stop="over.sum() > len(over)"),
        alone().replace("longest = max(map(len, sentences))", "longest = max_len"),
    ],
    "stops with the first that ends": [
        loop(stop="over.any()"),
        loop(stop="eos in word"),
        loop(stop="(word == eos).any()"),
    ],
    "only the first row watched": [loop(stop="over[0]"), loop(stop="word[0] == eos")],
    "ended rows go on": [loop(filled="word"), loop(filled="word.clone()")],
    "end forgotten again": [
        loop(note="over = word == eos"),
        loop(note="over = word.eq(eos)"),
    ],
    "end not written": [
        loop(
            filled="torch.where(over | (word == eos), pad, word)",
            note="over |= word == pad",
        ),
        loop(result="torch.where(tokens == eos, pad, tokens)[:, 1:]"),
        alone(result="[w for w in said if w != eos]"),
        alone(result="said[:-1] if said[-1] == eos else said"),
    ],
    "end written again and again": [
        loop(filled="torch.where(over, eos, word)"),
        alone(fill="eos"),
    ],
    "padding taken for 0": [
        loop(filled="torch.where(over, 0, word)"),
        loop(filled="word * ~over"),
        alone(fill="0"),
    ],
    "the end not seen": [
        loop(note="over |= word == pad"),
        alone("len(said) < max_len"),
        loop(note="pass"),
    ],
    "start handed over": [
        loop(result="tokens"),
        alone(result="[first, *said]"),
    ],
    "logits of the first place": [
        loop("model(tokens)[:, 0].argmax(-1)"),
        alone(place="[0, 0]"),
        loop("model(tokens).argmax(-1)[:, 0]"),
    ],
    "only the last word read": [
        loop("model(tokens[:, -1:])[:, -1].argmax(-1)"),
        alone(read="[[first, *said][-1:]]"),
    ],
    "least likely word": [
        loop("model(tokens)[:, -1].argmin(-1)"),
        loop("(-model(tokens)[:, -1]).argmax(-1)"),
    ],
    "most likely row": [
        loop("model(tokens)[:, -1].argmax(0)"),
        loop("model(tokens)[:, -1].max(dim=0).indices"),
    ],
    "one word too few": [
        loop(steps="1, max_len"),
        loop(steps="max_len - 1"),
        alone("len(said) < max_len - 1 and eos not in said"),
    ],
    "one word too many": [
        loop(steps="max_len + 1"),
        alone("len(said) <= max_len and eos not in said"),
    ],
    "temperature 0": [
        loop("(model(tokens)[:, -1] / 0).softmax(-1).multinomial(1)[:, 0]"),
        loop("torch.argmax(model(tokens)[:, -1] / 0.0, dim=-1)"),
        alone(pick=".div(0).argmax().item()"),
    ],
}

DOUBLE = [
    (
        "ended rows go on",
        "start handed over",
        loop(filled="word", result="tokens"),
    ),
    (
        "goes on to max_len",
        "end written again and again",
        loop(filled="torch.where(over, eos, word)", stop="False"),
    ),
]
