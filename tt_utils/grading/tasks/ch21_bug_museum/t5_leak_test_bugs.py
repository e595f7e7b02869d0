"""21.5 A leak test that passes every model: no copy, one mode, the likeliest word."""

from dataclasses import dataclass

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

MENDED = """
@torch.no_grad()
def moved_outputs(model, tokens, vocab_size):
    mode, counts = model.training, []
    other = tokens.clone()
    other[:, -1] = (other[:, -1] + 1) % vocab_size
    for training in (True, False):
        model.train(training)
        moved = (model(tokens) != model(other)).any(dim=-1)
        counts.append(int(moved[:, :-1].any(dim=0).sum()))
    model.train(mode)
    return counts
"""

JOINED = """
def moved_outputs(model, tokens, vocab_size):
    def count():
        with torch.no_grad():
            gap = (model(other) - model(tokens)).abs().amax(dim=(0, 2))
        return (gap[:-1] > 1e-7).sum().item()

    was_training = model.training
    last = torch.where(tokens[:, -1:] == 0, 1, 0)
    other = torch.cat([tokens[:, :-1], last], dim=1)
    model.train()
    in_training = count()
    model.eval()
    in_evaluation = count()
    if was_training:
        model.train()
    return in_training, in_evaluation
"""

LOOPS = """
def moved_outputs(model, tokens, vocab_size):
    mode, found = model.training, {}
    changed = tokens.tolist()
    for sentence in changed:
        sentence[-1] = (sentence[-1] + vocab_size - 1) % vocab_size
    changed = torch.tensor(changed)
    for training in (True, False):
        model.train(training)
        one, two = model(tokens), model(changed)
        found[training] = set()
        for row in range(len(tokens)):
            for i in range(tokens.shape[1] - 1):
                if not torch.equal(one[row, i], two[row, i]):
                    found[training].add(i)
    model.train(mode)
    return len(found[True]), len(found[False])
"""

MISTAKES = """
as planted: tokens.clone() → tokens
or: tokens.clone() → tokens
and: model.train(training) → model.eval()
or: tokens.clone() → tokens
and: (model(tokens) != model(other)).any(dim=-1) → model(tokens).argmax(dim=-1) != model(other).argmax(dim=-1)
or: tokens.clone() → tokens
and: model.train(training) → model.eval()
and: (model(tokens) != model(other)).any(dim=-1) → model(tokens).argmax(dim=-1) != model(other).argmax(dim=-1)
    Your test passes any model, even one without a mask. Print the two sentences that it
    compares: in which word do they differ?

the mode and the likeliest word are left: model.train(training) → model.eval()
and: (model(tokens) != model(other)).any(dim=-1) → model(tokens).argmax(dim=-1) != model(other).argmax(dim=-1)
    The two sentences differ now. Two things are left: both of your counts are always the
    same, and small leaks get through. What is set anew in each round, and what is compared?

evaluation mode alone: model.train(training) → model.eval()
or: in_training = count()\\n    model.eval()\\n    in_evaluation = count() → model.eval()\\n    in_training = in_evaluation = count()
or: model.train()\\n    in_training → model.eval()\\n    in_training
    One thing is left: a leak in training mode alone gets through. In which mode is each of
    the two counts made?

training mode alone: model.train(training) → model.train()
or: model.eval()\\n    in_evaluation → in_evaluation
    A leak in evaluation mode alone gets through. In which mode is each of your two counts
    made?

the mode in which it came alone: model.train(training) → pass
or: model.train()\\n    in_training → in_training
and: model.eval()\\n    in_evaluation → in_evaluation
    Your counts are those of the mode in which the model came. What has to be done before
    each of them?

the likeliest word alone: (model(tokens) != model(other)).any(dim=-1) → model(tokens).argmax(dim=-1) != model(other).argmax(dim=-1)
or: gap = (model(other) - model(tokens)).abs().amax(dim=(0, 2)) → gap = (model(other).argmax(-1) != model(tokens).argmax(-1)).any(0).float()
or: torch.equal(one[row, i], two[row, i]) → torch.equal(one[row, i].argmax(), two[row, i].argmax())
    One thing is left: a leak that moves numbers, and leaves the likeliest word on top, gets
    through. What must not move?

the counts exchanged: in (True, False):\\n        model.train(training)\\n        moved → in (False, True):\\n        model.train(training)\\n        moved
or: return in_training, in_evaluation → return in_evaluation, in_training
or: return len(found[True]), len(found[False]) → return len(found[False]), len(found[True])
    Your counts stand in the other order. Which one does the task want first?

the last output counted: moved[:, :-1] → moved
or: gap[:-1] → gap
or: range(tokens.shape[1] - 1) → range(tokens.shape[1])
    You count one output too many in every model. Which output may move when the last word
    changes?

the output before the last alone: moved[:, :-1] → moved[:, -2:-1]
or: gap[:-1] → gap[-2:-1]
or: range(tokens.shape[1] - 1) → range(max(tokens.shape[1] - 2, 0), tokens.shape[1] - 1)
    You look one word back. How far back may a leak reach?

the first sentence alone: moved[:, :-1].any(dim=0) → moved[0, :-1]
or: .abs().amax(dim=(0, 2)) → [0].abs().amax(dim=1)
or: range(len(tokens)) → range(1)
    You look at the first sentence of the batch. In how many sentences must an output move,
    to be counted?

in every sentence: moved[:, :-1].any(dim=0) → moved[:, :-1].all(dim=0)
or: .abs().amax(dim=(0, 2)) → .abs().amax(dim=2).amin(dim=0)
    You count an output only where it moves in all sentences of the batch. In how many must
    it?

sentences counted: moved[:, :-1].any(dim=0).sum() → moved[:, :-1].sum()
    You count an output once for each sentence. What is asked for: how many outputs move, in
    any sentence?

every logit must move: .any(dim=-1)\\n        counts → .all(dim=-1)\\n        counts
or: .abs().amax(dim=(0, 2)) → .abs().amin(dim=2).amax(dim=0)
or: not torch.equal(one[row, i], two[row, i]) → (one[row, i] != two[row, i]).all()
    You count an output only where each of its logits moves. How many of them must?

differences that cancel: (model(tokens) != model(other)).any(dim=-1) → (model(tokens) - model(other)).sum(dim=-1).abs() > 1e-4
or: .abs().amax(dim=(0, 2)) → .sum(dim=2).abs().amax(dim=0)
and: 1e-7 → 1e-4
    You add up the logits of an output before you compare, and one may rise by what another
    one falls. What must come first?

upwards alone: (model(tokens) != model(other)) → (model(tokens) < model(other))
or: (model(other) - model(tokens)).abs() → (model(other) - model(tokens))
    You notice a logit that rises and none that falls. What counts as a movement?

too forgiving: (model(tokens) != model(other)) → ((model(tokens) - model(other)).abs() > 0.1)
or: > 1e-7 → > 0.1
or: (model(tokens) != model(other)) → (~torch.isclose(model(tokens), model(other), atol=0.02))
or: > 1e-7 → > 0.02
    A small leak gets through. What does a weight of exactly 0 let through?

no way round at the end: (other[:, -1] + 1) % vocab_size → other[:, -1] + 1
    The last word of the vocabulary has no next one, and your test asks the model for a word
    that doesn't exist. How do you stay below vocab_size?

a change that is none: (other[:, -1] + 1) % vocab_size → 0
or: torch.where(tokens[:, -1:] == 0, 1, 0) → 0 * tokens[:, -1:]
or: (other[:, -1] + 1) % vocab_size → other[:, 0]
    Your test overlooks a leak where a certain word stands at the end. Is the one that you
    put in its place surely another one?

all words changed: other[:, -1] = (other[:, -1] + 1) → other = (other + 1)
or: torch.cat([tokens[:, :-1], last], dim=1) → 1 - tokens.clamp(max=1)
    You change every word, and then each output must move. Which one does the task change?

yes or no: int(moved[:, :-1].any(dim=0).sum()) → bool(moved[:, :-1].any())
or: (gap[:-1] > 1e-7).sum().item() → bool((gap[:-1] > 1e-7).any())
    You say whether something moves. What does the task ask for: truth values, or how many
    outputs move?
"""


@dataclass
class Model:
    """Plays a model: an output is made of the words so far, and of some later ones.

    Attributes:
        vocab_size: the number of words.
        in_training, in_evaluation: from how many words ahead a leak comes in this mode.
        weight: of a later word, more for those further ahead; the own word has 1.
        begins: it leaks only in sentences that begin with this word.
        moves: so many logits move by the same, up or down; 0 is those of both words.
    """

    vocab_size: int
    in_training: tuple[int, ...] = ()
    in_evaluation: tuple[int, ...] = ()
    weight: float = 2.0
    begins: int | None = None
    moves: int = 0
    training: bool = True
    offers = ("training", "train", "eval")

    def train(self, mode=True):
        self.training = mode
        return self

    def eval(self):
        return self.train(False)

    def __call__(self, tokens):
        import torch

        if tokens.min() < 0 or tokens.max() >= self.vocab_size:
            raise IndexError("index out of range in self")
        words = torch.eye(self.vocab_size)[tokens]
        t = tokens.shape[1]
        past, later = torch.ones(t, t).tril(-1) / (4 * t), torch.zeros(t, t)
        for ahead in self.in_training if self.training else self.in_evaluation:
            later += (1 + ahead / 10) * torch.ones(t, t).triu(ahead).tril(ahead)
        some = tokens[..., None] * (torch.arange(self.vocab_size) < self.moves)
        fetched = later @ (some.float() if self.moves else words)
        if self.begins is not None:
            fetched = fetched * (tokens[:, :1, None] == self.begins)
        return words + past @ words + self.weight * fetched

    def __repr__(self) -> str:
        mode = "training" if self.training else "evaluation"
        return f"a model in {mode} mode, to be called as model(tokens)"


def case(*sentences, vocab_size=13, **model):
    """A model and some sentences."""

    def inputs(rng):
        return Model(vocab_size, **model), np.array(sentences), vocab_size

    return inputs


def drawn(
    *modes,
    ending=None,
    closed=False,
    batch=2,
    begins=None,
    at=-1,
    vocab_size=13,
    **model,
):
    """A model that leaks in these modes, from distances by chance, and sentences.

    They end with the word `ending`, and begin with their last word if they are `closed`;
    sentence `at` alone begins with the word `begins`.
    """

    def inputs(rng):
        t = int(rng.integers(5, 9))
        settings = dict(model, begins=begins)
        for mode in modes:
            ahead = rng.permutation(np.arange(1, t))[: rng.integers(1, 4)]
            settings[mode] = tuple(sorted(ahead.tolist()))
        tokens = rng.integers(3, vocab_size - 1, (batch, t))
        if begins is not None:
            tokens[:, 0] = begins + 1
            tokens[at, 0] = begins
        if ending is not None:
            tokens[:, -1] = ending
        if closed:
            tokens[:, 0] = tokens[:, -1]
        return Model(vocab_size, **settings), tokens, vocab_size

    return inputs


def counts(answers, model, tokens, vocab_size):
    """The counts for one model, or two dicts for several, a count for each."""
    if not isinstance(model, tuple):
        return answers[0](model, tokens, vocab_size)
    pairs = zip(*map(answers[0], model, tokens, vocab_size), strict=True)
    return tuple(dict(enumerate(found, 1)) for found in pairs)


def leak_test(title, inputs, like, earns=True):
    """A check of one model; with every other seed it is one of three.

    `like` draws one of its kind; the other two leak in a way that is easy to find.
    """
    easy = drawn("in_training", "in_evaluation")

    def among_others(rng):
        given = [draw(rng) for draw in (like, easy, easy)]
        return tuple(zip(*(given[n] for n in rng.permutation(3)), strict=True))

    return Check(title, inputs, counts, fresh=among_others, earns=earns)


BOTH = ("in_training", "in_evaluation")
ALL = (1, 2, 3, 4)

TASK = FunctionTask(
    title="A test that passes every model",
    kind="find the bug",
    answers=("moved_outputs",),
    arguments=("model", "tokens", "vocab_size"),
    outputs=("in_training", "in_evaluation"),
    arrays="torch",
    right=(MENDED, JOINED, LOOPS),
    mistakes=MISTAKES,
    pairs=False,  # those of the planted bugs are listed
    checks=(
        leak_test(
            "a causal model",
            case((5, 3, 8, 4), (6, 6, 7, 9)),
            drawn(),
            earns=False,
        ),
        leak_test(
            "no mask at all",
            case(
                (5, 3, 8, 4, 9),
                (4, 7, 6, 10, 3),
                in_training=ALL,
                in_evaluation=ALL,
            ),
            drawn(*BOTH),
        ),
        leak_test(
            "causal in training only; in evaluation the first sentence leaks",
            case((7, 3, 9, 4), (5, 10, 6, 8), in_evaluation=(1, 2), begins=7),
            drawn("in_evaluation", begins=7, at=0),
        ),
        leak_test(
            "causal in evaluation only; it comes in evaluation mode",
            case((7, 3, 9, 5), in_training=(1, 3), training=False),
            drawn("in_training", training=False),
        ),
        leak_test(
            "small leaks of one logit, which leave the likeliest word on top",
            case(
                (5, 3, 8, 4, 9, 6, 1),
                in_training=(1, 3),
                in_evaluation=(2, 4, 6),
                weight=0.01,
                moves=1,
            ),
            drawn(*BOTH, ending=1, weight=0.01, moves=1),
        ),
        leak_test(
            "a leak that shows in the last sentence of three",
            case(
                (6, 3, 8, 4, 9),
                (6, 7, 7, 10, 3),
                (5, 4, 8, 8, 6),
                in_training=(1, 2, 4),
                in_evaluation=(3,),
                begins=5,
            ),
            drawn(*BOTH, begins=5, batch=3),
        ),
        leak_test(
            "the last word is the last one of the vocabulary; all logits move alike",
            case(
                (4, 7, 3, 6, 12),
                in_training=(2, 3),
                in_evaluation=(1,),
                moves=13,
            ),
            drawn(*BOTH, ending=12, moves=13),
        ),
        leak_test(
            "the last word is word 0, and so is the first; all logits move alike",
            case(
                (0, 7, 3, 6, 0),
                vocab_size=11,
                in_training=(1,),
                in_evaluation=(2, 3),
                moves=11,
            ),
            drawn(*BOTH, ending=0, closed=True, vocab_size=11, moves=11),
        ),
        leak_test(
            "a single word has nothing before it",
            case((5,), (8,), in_training=(1,)),
            drawn(),
            earns=False,
        ),
    ),
    hints=(
        "Give it a model of which you know that it peeks, and print what the test compares: "
        "the two inputs, the mode of the model, the two outputs.",
        "Three lines. One makes the second input, one sets the mode, one says what counts as "
        "the same. What does each of them do in the second round of the loop?",
    ),
    section="Which test sees what",
    why="A test that has never failed says nothing: try it on a model that you have broken "
    "yourself. And a mask may depend on the mode, so a leak test runs in both.",
)
