"""08.4 A leak test with three bugs: dropout, a change that is none, the own word."""

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

MENDED = """
@torch.no_grad()
def count_leaks(model, tokens, vocab_size):
    training = model.training
    model.eval()
    before = model(tokens)
    leaks = torch.zeros(tokens.shape[1], dtype=torch.long)
    for j in range(tokens.shape[1]):
        other = tokens.clone()
        other[:, j] = (other[:, j] + 1) % vocab_size
        moved = (model(other) != before).any(dim=-1).any(dim=0)
        leaks[:j] += moved[:j]
    model.train(training)
    return leaks
"""

TABLE = """
def count_leaks(model, tokens, vocab_size):
    mode = model.training
    model.train(False)
    with torch.no_grad():
        out, columns = model(tokens), []
        for j in range(tokens.size(1)):
            changed = tokens.clone()
            changed[:, j] = torch.where(tokens[:, j] == 0, 1, 0)
            gap = (model(changed) - out).abs()
            columns.append(gap.amax(dim=(0, 2)) > 1e-7)
    model.train(mode)
    table = torch.stack(columns, dim=1)
    return table.triu(diagonal=1).sum(dim=1)
"""

PAIRS = """
def count_leaks(model, tokens, vocab_size):
    was_training = model.training
    model.eval()
    t = tokens.shape[1]
    counts = [0] * t
    for j in range(1, t):
        word = torch.zeros_like(tokens)
        word[:, j] = 1
        after = model((tokens + word) % vocab_size)
        before = model(tokens)
        for i in range(j):
            if not torch.equal(after[:, i], before[:, i]):
                counts[i] += 1
    if was_training:
        model.train()
    return counts
"""

SENTENCES = """
@torch.no_grad()
def count_leaks(model, tokens, vocab_size):
    training, found = model.training, set()
    model.eval()
    for sentence in tokens:
        before = model(sentence[None])[0]
        for j in range(len(sentence)):
            other = sentence.clone()
            other[j] = (int(sentence[j]) + vocab_size - 1) % vocab_size
            after = model(other[None])[0]
            for i in range(j):
                if (after[i] - before[i]).abs().max() > 0:
                    found.add((i, j))
    model.train(training)
    return [sum(i == row for i, _ in found) for row in range(tokens.shape[1])]
"""

MISTAKES = """
as planted: model.eval() → pass
and: other[:, j] = (other[:, j] + 1) % vocab_size → other[:, j] = 0
and: leaks[:j] += moved[:j] → leaks[: j + 1] += moved[: j + 1]
    One word is changed at a time, that is right. Ask three things: does anything else
    differ between the two passes? Is it surely another word? And which outputs must not
    move?

dropout and the change are left: model.eval() → pass
and: other[:, j] = (other[:, j] + 1) % vocab_size → other[:, j] = 0
    Two things are left: with dropout two passes differ even with the same words, and
    some sentences hide a leak. What does your change do where that word stands already?

dropout and the own word are left: model.eval() → pass
and: leaks[:j] += moved[:j] → leaks[: j + 1] += moved[: j + 1]
    Two things are left: output j moves when word j changes, and with dropout it moves
    even when nothing changes. Which of the two movements should be counted?

the change and the own word are left: other[:, j] = (other[:, j] + 1) % vocab_size → other[:, j] = 0
and: leaks[:j] += moved[:j] → leaks[: j + 1] += moved[: j + 1]
    Two things are left: output j moves when word j changes, and in some sentences
    nothing is changed at all. Which outputs must not move, and in which sentences?

dropout still on: model.eval() → pass
or: model.train(False) → pass
or: model.eval() → model.train()
or: model.eval()\\n    before = model(tokens) → before = model(tokens)\\n    model.eval()
or: before = model(tokens)\\n    leaks → before = model(tokens)\\n    model.train(training)\\n    leaks
    One thing is left: your test reports leaks in a right model with dropout. A pass that
    you compare runs in training mode: from which line to which must that be off?

a change that is none: other[:, j] = (other[:, j] + 1) % vocab_size → other[:, j] = 0
or: other[:, j] = (other[:, j] + 1) % vocab_size → other[:, j] = 1
or: other[:, j] = (other[:, j] + 1) % vocab_size → other[:, j] = vocab_size - 1
or: other[:, j] = (other[:, j] + 1) % vocab_size → other[:, j] = vocab_size - 1 - other[:, j]
or: other[:, j] = (other[:, j] + 1) % vocab_size → other[:, j] = tokens[:, j - 1]
or: (other[:, j] + 1) % vocab_size → (other[:, j] + 1) % (vocab_size - 1)
or: (other[:, j] + 1) % vocab_size → (other[:, j] + 1).clamp(max=vocab_size - 1)
or: torch.where(tokens[:, j] == 0, 1, 0) → 0
    Your test still overlooks a leak. Whatever word stands there, is the one that you put
    in its place surely another one?

own word counted: leaks[:j] += moved[:j] → leaks[: j + 1] += moved[: j + 1]
or: diagonal=1 → diagonal=0
or: for i in range(j): → for i in range(j + 1):
    One thing is left: each output has one word too many in your count. Output j moves
    when word j changes: is that a leak?

earlier words counted: leaks[:j] += moved[:j] → leaks += moved
or: table.triu(diagonal=1).sum(dim=1) → table.sum(dim=1)
    You count all words that an output depends on. On which of them may it depend?

only earlier words counted: leaks[:j] += moved[:j] → leaks[j + 1 :] += moved[j + 1 :]
or: table.triu(diagonal=1) → table.tril(diagonal=-1)
or: for i in range(j): → for i in range(j + 1, tokens.shape[1]):
    You count the outputs after the changed word, which may depend on it. Which outputs
    must not?

next word alone: leaks[:j] += moved[:j] → leaks[max(j - 1, 0) : j] += moved[max(j - 1, 0) : j]
or: for i in range(j): → for i in range(max(j - 1, 0), j):
or: table.triu(diagonal=1) → table.triu(diagonal=1).tril(diagonal=1)
    You look one word ahead. How far into the future may a leak reach?

no way round at the end: (other[:, j] + 1) % vocab_size → other[:, j] + 1
or: (tokens + word) % vocab_size → tokens + word
    The last word of the vocabulary has no next one, and your test asks the model for a
    word that does not exist. How do you stay among the numbers below vocab_size?

changes pile up: other = tokens.clone()\\n        other[:, j] = (other[:, j] + 1) → other = tokens\\n        other[:, j] = (other[:, j] + 1)
or: for j in range(tokens.shape[1]):\\n        other = tokens.clone() → other = tokens.clone()\\n    for j in range(tokens.shape[1]):
    When you come to word j, the words before it are still changed, and outputs may move
    because of those. With what should each round of the loop begin?

all later words changed: other[:, j] = (other[:, j] + 1) → other[:, j:] = (other[:, j:] + 1)
or: word[:, j] = 1 → word[:, j:] = 1
or: changed[:, j] = torch.where(tokens[:, j] == 0, 1, 0) → changed[:, j:] = torch.where(tokens[:, j:] == 0, 1, 0)
    You change several words at once and count each of them. On which one did the output
    depend?

last word alone: for j in range(tokens.shape[1]) → for j in range(tokens.shape[1] - 1, tokens.shape[1])
or: for j in range(1, t): → for j in range(max(t - 1, 1), t):
    You change the last word alone. Which other words lie in somebody's future?

first sentence alone: .any(dim=0) → [0]
or: other[:, j] = (other[:, j] + 1) → other[0, j] = (other[0, j] + 1)
or: word[:, j] = 1 → word[0, j] = 1
or: for sentence in tokens → for sentence in tokens[:1]
or: torch.equal(after[:, i], before[:, i]) → torch.equal(after[0, i], before[0, i])
    You look at the first sentence of the batch. In how many sentences must an output
    move, to be a leak?

in every sentence: .any(dim=0) → .all(dim=0)
    You report a leak only where it shows in all sentences of the batch. In how many must
    an output move?

sentences counted: .any(dim=0) → .sum(dim=0)
    You count each word once for each sentence. What is asked for: on how many words
    does an output depend, in any sentence?

every logit must move: .any(dim=-1) → .all(dim=-1)
    You report a leak only where each number of an output moves. How many of them must?

first logit alone: .any(dim=-1) → [..., 0]
    You look at the first number of each output. How many numbers does an output hold,
    and may a leak show in another one?

likeliest word alone: (model(other) != before).any(dim=-1) → (model(other).argmax(dim=-1) != before.argmax(dim=-1))
    You look whether another word comes out on top. A leak may move a number without
    that: what must not move?

differences that cancel: (model(other) != before).any(dim=-1) → ((model(other) - before).sum(dim=-1).abs() > 1e-4)
or: (model(other) != before).any(dim=-1) → ((model(other).sum(dim=-1) - before.sum(dim=-1)).abs() > 1e-4)
    You add up the numbers of an output before you compare, and one may rise by what
    another one falls. What must come first?

upwards alone: (model(other) != before) → (model(other) > before)
or: (model(other) != before) → (model(other) - before > 1e-6)
or: (model(changed) - out).abs() → (model(changed) - out)
or: (after[i] - before[i]).abs().max() → (after[i] - before[i]).max()
    You notice a number that rises and none that falls. What counts as a movement?

downwards alone: (model(other) != before) → (model(other) < before)
or: (model(changed) - out).abs() → (out - model(changed))
or: (after[i] - before[i]).abs().max() → (before[i] - after[i]).max()
    You notice a number that falls and none that rises. What counts as a movement?

too forgiving: (model(other) != before) → ((model(other) - before).abs() > 0.1)
or: > 1e-7 → > 0.5
or: (model(other) != before) → ((model(other) - before).abs() > 0.01)
or: > 1e-7 → > 0.012
or: .abs().max() > 0 → .abs().max() > 0.05
    A small leak gets through. What does a weight of exactly 0 let through?

yes or no: leaks[:j] += moved[:j] → leaks[:j] |= moved[:j]
or: counts[i] += 1 → counts[i] = 1
or: .triu(diagonal=1).sum(dim=1) → .triu(diagonal=1).any(dim=1).int()
    You say 1 where an output depends on anything later. On how many words does it
    depend?

counted for the word that leaks: leaks[:j] += moved[:j] → leaks[j] += moved[:j].sum()
or: .sum(dim=1) → .sum(dim=0)
or: i == row for i, _ in found → j == row for _, j in found
    Your numbers say how many outputs depend on a word. What is asked for is on how many
    words an output depends: which of the two gets the count?
"""


@dataclass
class Model:
    """Plays a model: an output is what a row of weights makes of the words.

    Attributes:
        t, vocab_size: the length of a sentence and the number of words.
        ahead: every output depends on the words so far ahead, too.
        leaks: (output, word, weight), on top of that.
        begins: leaks only in sentences that begin with this word.
        alike: leaks move all logits of an output by the same, up or down.
        dropout: in training, each pass gives something else.
    """

    t: int
    vocab_size: int
    ahead: tuple[int, ...] = ()
    leaks: tuple[tuple[int, int, float], ...] = ()
    begins: int | None = None
    alike: bool = False
    dropout: bool = False
    past: bool = True
    training: bool = True
    passes: int = field(default=0, compare=False)
    offers = ("training", "passes", "train", "eval", "modules")

    def train(self, mode=True):
        self.training = mode
        return self

    def eval(self):
        return self.train(False)

    def modules(self):
        return iter((self,))

    def __call__(self, tokens):
        import torch

        if tokens.min() < 0 or tokens.max() >= self.vocab_size:
            raise IndexError("index out of range in self")
        words = torch.eye(self.vocab_size)[tokens]
        own, later = (torch.from_numpy(x).float() for x in weights_of(self.key()))
        own, later = own[: tokens.shape[1]], later[: tokens.shape[1]]
        own, later = own[:, : tokens.shape[1]], later[:, : tokens.shape[1]]
        fetched = later @ (tokens[..., None].float() if self.alike else words)
        if self.begins is not None:
            fetched = fetched * (tokens[:, :1, None] == self.begins)
        out = own @ words + fetched
        self.passes += 1
        return out + 0.1 * self.passes if self.dropout and self.training else out

    def key(self):
        return self.t, self.past, self.ahead, self.leaks

    def __repr__(self) -> str:
        mode = "training" if self.training else "evaluation"
        return f"a model in {mode} mode, to be called as model(tokens)"


@cache
def weights_of(key):
    """How much each output has of each word: of those up to it, and of later ones."""
    t, past, ahead, leaks = key
    own = np.tri(t) if past else np.eye(t)
    own = own / own.sum(1, keepdims=True)
    later = np.zeros((t, t))
    for steps in ahead:
        later += np.eye(t, k=steps)
    for output, word, weight in leaks:
        later[output, word] = weight
    return own, later


def case(*sentences, vocab_size=13, **model):
    """A model and some sentences."""

    def inputs(rng):
        tokens = np.array(sentences)
        played = Model(t=tokens.shape[1], vocab_size=vocab_size, **model)
        return played, tokens, vocab_size

    return inputs


def some(batch, t, low=2, vocab_size=13, begins=None, at=-1, **model):
    """The same with words by chance, from `low` to the last but one.

    Sentence `at` alone begins with the word `begins`.
    """

    def inputs(rng):
        tokens = rng.integers(low, vocab_size - 1, (batch, t))
        if begins is not None:
            tokens[:, 0] = low + 1
            tokens[at, 0] = begins
        played = Model(t=t, vocab_size=vocab_size, begins=begins, **model)
        return played, tokens, vocab_size

    return inputs


def ending(words, rng, batch, t, vocab_size=13):
    """Words by chance, at the end these or their mirror image, where all leak."""
    tokens = rng.integers(0, vocab_size, (batch, t))
    for sentence in tokens:
        sentence[-len(words) :] = words if rng.integers(2) else words[::-1]
    return tokens


def ahead_of(rng, t):
    """One or two distances from which words leak."""
    return tuple(sorted(rng.permutation(np.arange(1, t - 1))[:2].tolist()))


def leaks_of(rng, t, weight):
    """Two words that leak, anywhere."""
    found = [(i, j, weight) for j in range(t) for i in range(j)]
    return tuple(found[n] for n in rng.permutation(len(found))[:2])


def leaks_in(answers, model, tokens, vocab_size):
    """What the learner's test says of one model, or of several, one after the other."""
    if not isinstance(model, tuple):
        return answers[0](model, tokens, vocab_size)
    said = map(answers[0], model, tokens, vocab_size)
    return [number for one in said for number in one]


def leak_test(title, inputs, drawn):
    """A check of one model; with every other seed it is one of three.

    `drawn` gives a model like it from a random generator and a length; the other two
    are causal, or have leaks that are easy to find.
    """

    def easy(rng, t):
        ahead = ahead_of(rng, t) if rng.integers(2) else ()
        return some(2, t, ahead=ahead)(rng)

    def among_others(rng):
        lengths = rng.integers(5, 9, 3)
        given = [
            make(rng, int(t))
            for make, t in zip((drawn, easy, easy), lengths, strict=True)
        ]
        return tuple(zip(*(given[n] for n in rng.permutation(3)), strict=True))

    return Check(title, inputs, leaks_in, fresh=among_others)


TASK = FunctionTask(
    title="A leak test that can't be trusted",
    kind="find the bug",
    answers=("count_leaks",),
    arguments=("model", "tokens", "vocab_size"),
    outputs=("leaks",),
    arrays="torch",
    right=(MENDED, TABLE, PAIRS, SENTENCES),
    mistakes=MISTAKES,
    pairs=False,  # those of the planted bugs are listed
    checks=(
        leak_test(
            "a causal model without dropout",
            some(2, 5),
            lambda rng, t: some(2, t)(rng),
        ),
        leak_test(
            "no mask at all",
            some(1, 4, ahead=(1, 2, 3)),
            lambda rng, t: some(1, t, ahead=tuple(range(1, t)))(rng),
        ),
        leak_test(
            "a causal model with dropout",
            some(2, 5, dropout=True),
            lambda rng, t: some(2, t, dropout=True)(rng),
        ),
        leak_test(
            "some outputs depend on later words; the sentence holds the word 0",
            case((5, 0, 3, 3, 0, 7, 1), ahead=(1, 2)),
            lambda rng, t: (
                Model(t, 13, ahead=ahead_of(rng, t)),
                ending((0, 0, 1), rng, 1, t),
                13,
            ),
        ),
        leak_test(
            "an output depends on a later word; dropout",
            some(2, 7, leaks=((2, 6, 1.0),), dropout=True),
            lambda rng, t: some(2, t, leaks=leaks_of(rng, t, 1.0), dropout=True)(rng),
        ),
        leak_test(
            "the last word of the vocabulary",
            case((4, 12, 6, 12, 12), (2, 12, 6, 3, 12), ahead=(1,)),
            lambda rng, t: (
                Model(t, 13, ahead=ahead_of(rng, t)),
                np.repeat(ending((12, 12, 6), rng, 1, t), 2, axis=0),
                13,
            ),
        ),
        leak_test(
            "a leak that shows in the last sentence of three",
            some(3, 5, ahead=(1,), begins=7),
            lambda rng, t: some(3, t, ahead=ahead_of(rng, t), begins=7)(rng),
        ),
        leak_test(
            "a leak that shows in the first sentence of two",
            some(2, 5, ahead=(1, 3), begins=5, at=0),
            lambda rng, t: some(2, t, ahead=ahead_of(rng, t), begins=5, at=0)(rng),
        ),
        leak_test(
            "a small leak",
            some(2, 7, leaks=((1, 3, 0.01), (0, 6, 0.02))),
            lambda rng, t: some(2, t, leaks=leaks_of(rng, t, 0.01))(rng),
        ),
        leak_test(
            "a leak that moves all logits of an output alike",
            case((5, 12, 3, 0, 6, 12, 0), ahead=(1, 2), alike=True),
            lambda rng, t: (
                Model(t, 13, ahead=ahead_of(rng, t), alike=True),
                ending((0, 12, 12), rng, 1, t),
                13,
            ),
        ),
        leak_test(
            "a vocabulary of two words",
            case((1, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0), vocab_size=2, ahead=(1,)),
            lambda rng, t: (
                Model(t, 2, ahead=ahead_of(rng, t)),
                ending((0, 0, 1, 1), rng, 1, t, 2),
                2,
            ),
        ),
        leak_test(
            "a model in evaluation mode already",
            some(2, 5, ahead=(2,), dropout=True, training=False),
            lambda rng, t: some(
                2, t, ahead=ahead_of(rng, t), dropout=True, training=False
            )(rng),
        ),
        leak_test(
            "no leak: each output depends on its own word",
            some(2, 5, past=False),
            lambda rng, t: some(2, t, past=False)(rng),
        ),
        leak_test(
            "a single word has no future", some(2, 1), lambda rng, t: some(2, 1)(rng)
        ),
    ),
    hints=(
        "Read it line by line beside the last section of the chapter: what makes the two "
        "passes alike but for one word, and which outputs must stay?",
        "Take a sentence that holds the word 0, and a model with dropout that was made a "
        "moment ago. What does each line do then?",
    ),
    section="A test that catches leaks",
    why="A test is worth what it turns down: yours makes one real change at a time, lets "
    "nothing else change, and looks at the outputs that lie before it.",
)
