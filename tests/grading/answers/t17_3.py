"""Answers to 17.3, a decoder with a cache: its places, and the source's keys."""

START = """
def attend(q, k, v):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.softmax(dim=-1) @ v


class CachedDecoder(torch.nn.Module):
    def __init__(self, vocab, d_model, max_len):
        super().__init__()
        self.words = torch.nn.Embedding(vocab, d_model)
        self.places = torch.nn.Embedding(max_len, d_model)
        self.own_q = torch.nn.Linear(d_model, d_model, bias=False)
        self.own_k = torch.nn.Linear(d_model, d_model, bias=False)
        self.own_v = torch.nn.Linear(d_model, d_model, bias=False)
        self.cross_q = torch.nn.Linear(d_model, d_model, bias=False)
        self.cross_k = torch.nn.Linear(d_model, d_model, bias=False)
        self.cross_v = torch.nn.Linear(d_model, d_model, bias=False)
        self.steps = 0

    def forward(self, word, memory, cache):
"""
NEW_PLACE = """n = cache["own"][0].shape[1] if "own" in cache else 0
place = torch.arange(n, n + word.shape[1])
"""
OLD_PLACE = "place = torch.arange(word.shape[1])\n"
OWN = """k, v = self.own_k(x), self.own_v(x)
if "own" in cache:
    k = torch.cat([cache["own"][0], k], dim=1)
    v = torch.cat([cache["own"][1], v], dim=1)
cache["own"] = k, v
x = x + attend(self.own_q(x), k, v)
"""
NEW_CROSS = """if "cross" not in cache:
    cache["cross"] = self.cross_k(memory), self.cross_v(memory)
k, v = cache["cross"]
"""
OLD_CROSS = """k, v = self.cross_k(memory), self.cross_v(memory)
if "cross" in cache:
    k = torch.cat([cache["cross"][0], k], dim=1)
    v = torch.cat([cache["cross"][1], v], dim=1)
cache["cross"] = k, v
"""
EMBED = "x = self.words(word) + self.places(place)\n"
ASK = "x = x + attend(self.cross_q(x), k, v)\n"


def decoder(
    place: str = NEW_PLACE,
    cross: str = NEW_CROSS,
    own: str = OWN,
    embed: str = EMBED,
    ask: str = ASK,
    end: str = "return x @ self.words.weight.T",
) -> str:
    """The class with other parts in its `forward`."""
    body = "\n".join((place, embed, own, cross, ask, end))
    lines = (f"        {line}\n" if line else "" for line in body.splitlines())
    return START + "".join(lines)


RIGHT = {
    "mended": decoder(),
    "get": decoder(
        'n = 0 if cache.get("own") is None else cache["own"][0].size(-2)\n'
        "place = torch.tensor([n])\n"
    ),
    "len of the cache": decoder(
        'n = len(cache["own"][0][0]) if cache else 0\nplace = torch.tensor(n)\n'
    ),
    "try": decoder(
        """try:
    n = cache["own"][1].shape[1]
except KeyError:
    n = 0
place = n + torch.arange(1)
"""
    ),
    "a counter in the cache": decoder(
        'cache["n"] = cache.get("n", -1) + 1\nplace = torch.tensor(cache["n"])\n'
    ),
    "a row of the table": decoder(
        embed="x = self.words(word) + self.places.weight[n : n + word.shape[1]]\n"
    ),
    "full_like": decoder(
        'n = cache["own"][0].shape[1] if "own" in cache else 0\n'
        "place = torch.full_like(word, n)\n"
    ),
    "asked by truth": decoder(
        cross="""if not cache.get("cross"):
    k, v = self.cross_k(memory), self.cross_v(memory)
    cache["cross"] = (k, v)
else:
    k, v = cache["cross"]
"""
    ),
    "if, then old": decoder(
        cross="""if "cross" in cache:
    k, v = cache["cross"]
else:
    k, v = self.cross_k(memory), self.cross_v(memory)
cache["cross"] = k, v
"""
    ),
    "lists": decoder(
        cross="""if "cross" not in cache:
    cache["cross"] = [self.cross_k(memory), self.cross_v(memory)]
k, v = cache["cross"]
"""
    ),
    "a function of its own": decoder(
        cross="k, v = self.source(memory, cache)\n",
        end="""return x @ self.words.weight.T

    def source(self, memory, cache):
        if "cross" not in cache:
            cache["cross"] = self.cross_k(memory), self.cross_v(memory)
        return cache["cross"]""".replace("\n    ", "\n"),
    ).replace("        def source", "    def source"),
    "new keys in front": decoder(
        own="""k, v = self.own_k(x), self.own_v(x)
if "own" in cache:
    k = torch.cat([k, cache["own"][0]], dim=1)
    v = torch.cat([v, cache["own"][1]], dim=1)
cache["own"] = k, v
x = x + attend(self.own_q(x), k, v)
"""
    ),
    "stacked": decoder(
        own="""new = torch.stack([self.own_k(x), self.own_v(x)])
cache["own"] = torch.cat([cache["own"], new], dim=2) if "own" in cache else new
k, v = cache["own"]
x = x + attend(self.own_q(x), k, v)
"""
    ),
    "PyTorch's attention": decoder(
        ask="""k, v = cache["cross"]
x = x + torch.nn.functional.scaled_dot_product_attention(self.cross_q(x), k, v)
"""
    ),
}

WRONG = {
    "nothing returned": decoder(end="pass"),
    "probabilities": decoder(end="return (x @ self.words.weight.T).softmax(-1)"),
    "x returned": decoder(end="return x"),
    "no residual": decoder(ask="x = attend(self.cross_q(x), k, v)\n"),
    "the source instead of the own words": decoder(
        own='cache["own"] = self.own_k(x), self.own_v(x)\n'
    ),
    "an empty cache in each step": decoder("cache.clear()\n" + NEW_PLACE),
    "a new cache": decoder("cache = {}\n" + NEW_PLACE),
    "keys and values exchanged": decoder(
        cross="""if "cross" not in cache:
    cache["cross"] = self.cross_v(memory), self.cross_k(memory)
k, v = cache["cross"]
"""
    ),
    "the place of the source's end": decoder(
        "place = torch.tensor([memory.shape[1]])\n"
    ),
    "a place from the word": decoder("place = word % 2\n"),
    "backwards": decoder(
        'n = cache["own"][0].shape[1] if "own" in cache else 0\n'
        "place = torch.tensor([6 - n])\n"
    ),
    "halved": decoder(
        'n = cache["own"][0].shape[1] // 2 if "own" in cache else 0\n'
        "place = torch.tensor([n])\n"
    ),
    "source kept in the module": decoder(
        cross="""if not hasattr(self, "kept"):
    self.kept = self.cross_k(memory), self.cross_v(memory)
k, v = self.kept
"""
    ),
    "source cut": decoder(
        cross="""if "cross" not in cache:
    cache["cross"] = self.cross_k(memory)[:, :1], self.cross_v(memory)[:, :1]
k, v = cache["cross"]
"""
    ),
}

SPELLINGS = {
    "as planted": [
        decoder(OLD_PLACE, OLD_CROSS),
        decoder("place = torch.zeros_like(word)\n", OLD_CROSS),
    ],
    "place always 0": [
        decoder(OLD_PLACE),
        decoder("place = torch.zeros_like(word)\n"),
        decoder("place = torch.tensor(0)\n"),
    ],
    "source keys still grow": [
        decoder(cross=OLD_CROSS),
        decoder(
            cross="""new = self.cross_k(memory), self.cross_v(memory)
old = cache.get("cross")
cache["cross"] = new if old is None else tuple(
    torch.cat(pair, dim=1) for pair in zip(old, new)
)
k, v = cache["cross"]
"""
        ),
    ],
    "source projected in every step": [
        decoder(
            cross='cache["cross"] = k, v = self.cross_k(memory), self.cross_v(memory)\n'
        ),
        decoder(
            cross="""k, v = self.cross_k(memory), self.cross_v(memory)
if "cross" not in cache:
    cache["cross"] = k, v
"""
        ),
        decoder(
            cross="""k = self.cross_k(memory)
v = self.cross_v(memory)
cache["cross"] = k, v
"""
        ),
    ],
    "source forgotten after the first word": [
        decoder(
            cross="",
            ask="""if "cross" not in cache:
    cache["cross"] = k, v = self.cross_k(memory), self.cross_v(memory)
    x = x + attend(self.cross_q(x), k, v)
""",
        ),
    ],
    "one place too far": [
        decoder(
            'n = cache["own"][0].shape[1] if "own" in cache else 0\n'
            "place = torch.tensor([n + 1])\n"
        ),
        decoder(
            'n = 1 + (cache["own"][0].shape[1] if "own" in cache else 0)\n'
            "place = torch.arange(n, n + 1)\n"
        ),
    ],
    "place counted in the source": [
        decoder(
            'n = cache["cross"][0].shape[1] if "cross" in cache else 0\n'
            "place = torch.tensor([n])\n"
        ),
    ],
    "place counted in the module": [
        decoder("place = torch.tensor([self.steps])\nself.steps += 1\n"),
        decoder("self.steps += 1\nplace = torch.tensor(self.steps - 1)\n"),
    ],
    "place stuck at 1": [
        decoder('place = torch.tensor(1 if "own" in cache else 0)\n'),
        decoder('place = torch.tensor(1 if "cross" in cache else 0)\n'),
        decoder('place = torch.tensor(len(cache.get("own", ())) // 2)\n'),
    ],
    "no places": [
        decoder(embed="x = self.words(word)\n"),
        decoder(embed="x = self.words(word) + 0 * self.places(place)\n"),
    ],
    "only the newest word seen": [
        decoder(
            NEW_PLACE.replace('cache["own"][0].shape[1]', 'cache["n"]')
            + 'cache["n"] = n + 1\n',
            own="""k, v = self.own_k(x), self.own_v(x)
cache["own"] = k, v
x = x + attend(self.own_q(x), k, v)
""",
        ),
        decoder(
            own="""cache["own"] = k, v = self.own_k(x), self.own_v(x)
x = x + attend(self.own_q(x), k, v)
"""
        ),
    ],
    "earlier words projected again": [
        decoder(
            own="""cache["x"] = torch.cat([cache["x"], x], 1) if "x" in cache else x
k, v = self.own_k(cache["x"]), self.own_v(cache["x"])
cache["own"] = k, v
x = x + attend(self.own_q(x), k, v)
"""
        ),
    ],
    "own words without their values": [
        decoder(
            own="""k, v = self.own_k(x), self.own_v(x)
if "own" in cache:
    k = torch.cat([cache["own"][0], k], dim=1)
cache["own"] = k, v
x = x + attend(self.own_q(x), k, v)
"""
        ),
    ],
    "new word not kept": [
        decoder(
            own=OWN.replace('cache["own"] = k, v', 'cache.setdefault("own", (k, v))')
        ),
        decoder(
            own=OWN.replace(
                'cache["own"] = k, v', 'if "own" not in cache:\n    cache["own"] = k, v'
            )
        ),
    ],
}
