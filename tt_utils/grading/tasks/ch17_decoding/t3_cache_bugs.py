"""17.3 Two planted bugs in a decoder that keeps its keys and values."""

from tt_utils.grading.tasks.spec import Check, FunctionTask

START = """
def attend(q, k, v):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.softmax(dim=-1) @ v

class CachedDecoder(nn.Module):
    def __init__(self, vocab, d_model, max_len):
        super().__init__()
        self.words = nn.Embedding(vocab, d_model)
        self.places = nn.Embedding(max_len, d_model)
        for name in ("own_q", "own_k", "own_v", "cross_q", "cross_k", "cross_v"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))
        self.n = 0
"""

PLAIN = (
    START
    + """
    def forward(self, word, memory, cache):
        place = cache["own"][0].shape[1] if "own" in cache else 0
        x = self.words(word) + self.places.weight[place]

        k, v = self.own_k(x), self.own_v(x)
        if "own" in cache:
            k = torch.cat([cache["own"][0], k], dim=1)
            v = torch.cat([cache["own"][1], v], dim=1)
        cache["own"] = k, v
        x = x + attend(self.own_q(x), k, v)

        if "cross" not in cache:
            cache["cross"] = self.cross_k(memory), self.cross_v(memory)
        k, v = cache["cross"]
        x = x + attend(self.cross_q(x), k, v)
        return x @ self.words.weight.T
"""
)

AFTER_THE_KEYS = (
    START
    + """
    def forward(self, word, memory, cache):
        old_k, old_v = cache.get("own", (torch.zeros(len(word), 0, memory.shape[-1]),) * 2)
        places = torch.arange(old_k.shape[1], old_k.shape[1] + word.shape[1])
        x = self.words(word) + self.places(places)
        new = torch.cat((old_k, self.own_k(x)), 1), torch.cat((old_v, self.own_v(x)), 1)
        cache["own"] = new
        x = x + attend(self.own_q(x), *new)
        source = cache.get("cross") or (self.cross_k(memory), self.cross_v(memory))
        cache["cross"] = source
        x = x + attend(self.cross_q(x), *source)
        return nn.functional.linear(x, self.words.weight)
"""
)

FIRST_STEP = (
    START
    + """
    def forward(self, word, memory, cache):
        first = not cache
        if first:
            empty = memory.new_empty(memory.shape[0], 0, memory.shape[2])
            cache["own"] = (empty, empty)
            cache["cross"] = (self.cross_k(memory), self.cross_v(memory))
        keys, values = cache["own"]
        n = len(keys[0])
        x = self.words(word) + self.places(torch.tensor(n))
        keys = torch.cat([keys, self.own_k(x)], dim=-2)
        values = torch.cat([values, self.own_v(x)], dim=-2)
        cache.update(own=(keys, values))
        x = x + attend(self.own_q(x), keys, values)
        x = x + attend(self.cross_q(x), cache["cross"][0], cache["cross"][1])
        return x @ self.words.weight.mT
"""
)

GROWING = """if True:
            k, v = self.cross_k(memory), self.cross_v(memory)
            if "cross" in cache:
                k = torch.cat([cache["cross"][0], k], dim=1)
                v = torch.cat([cache["cross"][1], v], dim=1)
            cache["cross"] = k, v
""".rstrip().replace("\n", "\\n")
KEPT = 'if "cross" not in cache:\\n            cache["cross"] = self.cross_k(memory), self.cross_v(memory)'

MISTAKES = f"""
as planted: self.places.weight[place] → self.places.weight[0]
and: {KEPT} → {GROWING}
    Write two words and compare with writing them at once: which number has the place of
    the second one? Then count the source's keys after each step.

place always 0: self.places.weight[place] → self.places.weight[0]
or: torch.arange(old_k.shape[1], old_k.shape[1] + word.shape[1]) → torch.arange(word.shape[1])
or: torch.tensor(n) → torch.tensor(0)
    The source is right now. One thing is left: each new word says that it is the first
    one. How many words stand before it, and where can you read that off?

source keys still grow: {KEPT} → {GROWING}
    The places are right now. One thing is left, and no logit shows it: how many keys
    does the source have after the fifth word, and how many words does it have?

source projected in every step: if "cross" not in cache: → if True:
or: cache.get("cross") or (self.cross_k(memory), self.cross_v(memory)) → (self.cross_k(memory), self.cross_v(memory))
    Right logits, and the source's keys are computed anew for each word. What changes in
    the memory between two steps?

source forgotten after the first word: k, v = cache["cross"]\\n        x = x + attend(self.cross_q(x), k, v) → if k.shape[1] == 1:\\n            x = x + attend(self.cross_q(x), *cache["cross"])
or: x = x + attend(self.cross_q(x), cache["cross"][0], cache["cross"][1]) → x = x + attend(self.cross_q(x), *cache["cross"]) if first else x
    Only the first word looks at the source. Which of your lines belong to the first
    step alone, and which to every step?

one place too early: self.places.weight[place] → self.places.weight[max(place - 1, 0)]
or: torch.arange(old_k.shape[1], old_k.shape[1] + word.shape[1]) → torch.tensor([max(old_k.shape[1] - 1, 0)])
or: torch.tensor(n) → torch.tensor(max(n - 1, 0))
    Your second word says that it is the first one, and from there on all are one place
    too early. How many words stand before the second one?

the rows of the batch counted: cache["own"][0].shape[1] if "own" in cache else 0 → cache["own"][0].shape[0] if "own" in cache else 0
or: n = len(keys[0]) → n = 0 if first else len(keys)
    Your place is the number of sentences. Along which axis of the keys do the words of
    one sentence lie?

all places added: self.words(word) + self.places.weight[place] → self.words(word) + self.places.weight[: place + 1]
or: torch.arange(old_k.shape[1], old_k.shape[1] + word.shape[1]) → torch.arange(old_k.shape[1] + word.shape[1])
or: torch.tensor(n) → torch.arange(n + 1)
    You add the places of all words so far to the one word that is new, and it becomes
    several rows. Which place is its own?

one place too far: self.places.weight[place] → self.places.weight[place + 1]
or: torch.arange(old_k.shape[1], old_k.shape[1] + word.shape[1]) → torch.arange(old_k.shape[1] + 1, old_k.shape[1] + word.shape[1] + 1)
or: n = len(keys[0]) → n = len(keys[0]) + 1
    Your first word stands at place 1. How many keys are there before its own is added?

place counted in the source: cache["own"][0].shape[1] if "own" in cache else 0 → cache["cross"][0].shape[1] if "cross" in cache else 0
or: torch.tensor(n) → torch.tensor(0 if first else memory.shape[1])
    Your place is a number of source words. Whose words are counted by the place of a
    word that is being written?

place counted in the module: place = cache["own"][0].shape[1] if "own" in cache else 0 → place, self.n = self.n, self.n + 1
or: n = len(keys[0]) → n, self.n = self.n, self.n + 1
    The first sentence is right, and the second one begins where the first stopped. What
    is new for each sentence: the module or the cache?

place stuck at 1: cache["own"][0].shape[1] if "own" in cache else 0 → int("own" in cache)
or: torch.tensor(n) → torch.tensor(0 if first else 1)
    Your second word is right, and all the others say that they are the second one, too.
    How many keys are kept already when the fifth word comes?

the pair counted: cache["own"][0].shape[1] if "own" in cache else 0 → len(cache["own"]) if "own" in cache else 0
or: n = len(keys[0]) → n = 0 if first else 2
    From the second word on your place is 2: you count the things in the cache, a key and
    a value, and not the words. Along which axis of the keys do these lie?

source kept in the module: {KEPT} → if not hasattr(self, "source"):\\n            self.source = self.cross_k(memory), self.cross_v(memory)\\n        cache["cross"] = self.source
or: cache["cross"] = (self.cross_k(memory), self.cross_v(memory)) → self.source = cache["cross"] = getattr(self, "source", (self.cross_k(memory), self.cross_v(memory)))
    The second sentence reads the source of the first. What is new for each sentence: the
    module or the cache?

no places: x = self.words(word) + self.places.weight[place] → x = self.words(word)
or: x = self.words(word) + self.places(places) → x = self.words(word)
or: x = self.words(word) + self.places(torch.tensor(n)) → x = self.words(word)
    No word knows its place any more. What is added to the embedding of a word?

only the newest word seen: k = torch.cat([cache["own"][0], k], dim=1) → pass
and: v = torch.cat([cache["own"][1], v], dim=1) → pass
or: keys = torch.cat([keys, self.own_k(x)], dim=-2) → keys = self.own_k(x)
and: values = torch.cat([values, self.own_v(x)], dim=-2) → values = self.own_v(x)
    A word sees itself alone, and no word before it. Which of the two caches must grow?

earlier words projected again: k, v = self.own_k(x), self.own_v(x)\\n        if "own" in cache:\\n            k = torch.cat([cache["own"][0], k], dim=1)\\n            v = torch.cat([cache["own"][1], v], dim=1)\\n        cache["own"] = k, v → rows = cache["x"] = torch.cat([cache["x"], x], dim=1) if "x" in cache else x\\n        k, v = cache["own"] = self.own_k(rows), self.own_v(rows)
    Right logits, and every step projects all words so far. What has changed in an
    earlier word's key since it was computed?

own words without their values: v = torch.cat([cache["own"][1], v], dim=1) → pass
or: values = torch.cat([values, self.own_v(x)], dim=-2) → values = self.own_v(x)
    There are many keys and one value. What belongs to every key?

new word not kept: cache["own"] = k, v → cache.setdefault("own", (k, v))
or: cache["own"] = new → cache.setdefault("own", new)
    Your cache keeps the first word and no other. What has to be put back into it after
    each step?
"""


def written(answers, sizes, weights, *sources_and_sentences):
    """The logits of the last sentence, written word by word; each has a new cache."""
    import torch

    from tt_utils.grading.observing import probes

    module = answers[0](**sizes)
    probes.load(module, weights)
    module.eval()
    given = iter(sources_and_sentences)
    for memory, sentence in zip(given, given, strict=True):
        cache: dict = {}
        steps = [
            module(sentence[:, i : i + 1], memory, cache)
            for i in range(sentence.shape[1])
        ]
    return torch.cat(steps, dim=1)


def kept(answers, sizes, weights, memory, sentence):
    """How many keys of its own and of the source the cache holds after each step.

    Raises LookupError, in words for the learner, where it lacks a part.
    """
    from tt_utils.grading.observing import probes

    module = answers[0](**sizes)
    probes.load(module, weights)
    cache: dict = {}
    counts = []
    for i in range(sentence.shape[1]):
        module.eval()(sentence[:, i : i + 1], memory, cache)
        for name in ("own", "cross"):
            if name not in cache:
                raise LookupError(f'after a step the cache has no part "{name}"')
        counts.append([cache[name][0].shape[1] for name in ("own", "cross")])
    return counts


def projected(answers, sizes, weights, memory, sentence):
    """How many rows own_k, own_v, cross_k, cross_v were given for a whole sentence."""
    from tt_utils.grading.observing import probes

    module = answers[0](**sizes)
    probes.load(module, weights)
    names = ("own_k", "own_v", "cross_k", "cross_v")
    counts = dict.fromkeys(names, 0)
    for name in names:

        def count(_, given, name=name):
            counts[name] += given[0].shape[1]

        getattr(module, name).register_forward_pre_hook(count)
    cache: dict = {}
    for i in range(sentence.shape[1]):
        module.eval()(sentence[:, i : i + 1], memory, cache)
    return list(counts.values())


def case(vocab, d_model, max_len, t_src, *lengths, batch=1):
    def inputs(rng):
        def table(*shape):
            return rng.normal(size=shape).round(1)

        weights = {
            "words.weight": table(vocab, d_model),
            "places.weight": table(max_len, d_model),
        }
        for name in ("own_q", "own_k", "own_v", "cross_q", "cross_k", "cross_v"):
            weights[f"{name}.weight"] = table(d_model, d_model)
        sizes = {"vocab": vocab, "d_model": d_model, "max_len": max_len}
        given = []
        for more, n in enumerate(lengths):
            source = table(batch, t_src + more, d_model)
            given += [source, rng.integers(vocab, size=(batch, n))]
        return sizes, weights, *given

    return inputs


def some_words(rng):
    """A source and a sentence of drawn lengths, and these are not the same."""
    t_src, t_tgt = (rng.permutation(7)[:2] + 3).tolist()
    batch = int(rng.integers(1, 4))
    return case(7, int(rng.integers(3, 6)), 11, t_src, t_tgt, batch=batch)(rng)


WRITE = {
    "probe": written,
    "arguments": (
        *("sizes", "weights", "memory", "sentence", "next_memory", "next_sentence"),
    ),
}

TASK = FunctionTask(
    title="A cache that forgets the place",
    kind="find the bug",
    answers=("CachedDecoder",),
    arguments=("sizes", "weights", "memory", "sentence"),
    outputs=("logits",),
    arrays="torch",
    rtol=1e-3,
    atol=1e-4,
    right=(PLAIN, AFTER_THE_KEYS, FIRST_STEP),
    mistakes=MISTAKES,
    checks=(
        Check(
            "the first word, with nothing kept",
            case(5, 3, 7, 2, 1),
            earns=False,
            **WRITE,
        ),
        Check("a second word", case(5, 3, 7, 2, 2), **WRITE),
        Check("five words, a batch of 2", case(11, 4, 7, 3, 5, batch=2), **WRITE),
        Check(
            "another source and sentence, with a new cache",
            case(7, 5, 11, 2, 3, 4),
            **WRITE,
        ),
        Check(
            "how many keys are kept after each word",
            case(7, 4, 11, 3, 5, batch=2),
            fresh=some_words,
            probe=kept,
            outputs=("keys_of_its_own_and_of_the_source",),
        ),
        Check(
            "how many rows each projection is given for a sentence",
            case(7, 4, 11, 3, 5),
            fresh=some_words,
            probe=projected,
            outputs=("rows_of_own_k_own_v_cross_k_cross_v",),
        ),
    ),
    hints=(
        "Write the sentence at once, in your head: which places have its words? Then "
        "step by step: in step 4, what is `torch.arange` of the new words alone?",
        "One cache grows by a key with every word, the other doesn't. Write down how "
        "many keys each of them holds after steps 1, 2 and 3.",
    ),
    section="The cache",
    why="A place too small gives other logits, and a test finds it. Source keys that are "
    "kept several times change no logit: their weights share out the same sum. They cost "
    "time and memory, so count them.",
)
