"""15.4 A run has diverged: was it the warm-up, the rate, or something else?"""

import math
from dataclasses import dataclass

from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def cause(train, rate, warmup):
    def learns(rate, warmup):
        losses = train(rate, warmup)
        return losses[-1] < losses[0]

    if learns(rate, 0):
        return "none"
    if learns(rate, warmup):
        return "warm-up"
    if learns(rate / 10, warmup):
        return "rate"
    return "other"
"""

LISTED = """
def cause(train, rate, warmup):
    tried = [("none", rate, 0), ("warm-up", rate, warmup), ("rate", 0.1 * rate, warmup)]
    for word, peak, steps in tried:
        first, *_, last = train(peak, steps)
        if not math.isnan(last) and last < first:
            return word
    return "other"
"""

ALL_RUNS = """
def cause(train, rate, warmup):
    cold = train(rate, 0)
    warm = train(rate, warmup)
    slow = train(rate / 10, warmup)
    failed = [not run[-1] < run[0] for run in (cold, warm, slow)]
    words = ["none", "warm-up", "rate", "other"]
    return words[(failed + [False]).index(False)]
"""

MISTAKES = """
nan taken for learning: return losses[-1] < losses[0] → return not losses[-1] >= losses[0]
or: not math.isnan(last) and last < first → not last >= first
or: not run[-1] < run[0] → run[-1] >= run[0]
    A run whose loss became NaN passes for one that learns. What does Python answer when
    you compare anything with NaN?

NaN taken for another cause: if learns(rate, 0):\\n → if math.isnan(train(rate, 0)[-1]):\\n        return "other"\\n    if learns(rate, 0):\\n
or: first, *_, last = train(peak, steps)\\n → first, *_, last = train(peak, steps)\\n        if math.isnan(last):\\n            return "other"\\n
    A run that ends in NaN ends your search. Is it anything else than a run that has
    failed?

standing still taken for learning: losses[-1] < losses[0] → losses[-1] <= losses[0]
or: last < first → last <= first
or: run[-1] < run[0] → run[-1] <= run[0]
    A run whose loss ends where it began passes for one that learns. What does *lower*
    say?

a bump taken for failure: return losses[-1] < losses[0] → return max(losses) <= losses[0]
or: run[-1] < run[0] → run[-1] < run[0] >= max(run)
    A run whose loss rises for a while and then falls passes for failed. Which of its
    losses decides?

a dip taken for learning: return losses[-1] < losses[0] → return min(losses) < losses[0]
or: run[-1] < run[0] → min(run) < run[0]
    A run whose loss falls for a while and then explodes passes for one that learns. Which
    of its losses decides?

the mean compared: return losses[-1] < losses[0] → return sum(losses) / len(losses) < losses[0]
or: last < first → (first + sum(_) + last) / (len(_) + 2) < first
or: not run[-1] < run[0] → not sum(run) / len(run) < run[0]
    You compare the mean of all losses with the first one. Which two losses does the
    task compare?

the last two compared: return losses[-1] < losses[0] → return losses[-1] < losses[-2]
or: run[-1] < run[0] → run[-1] < run[-2]
    You compare the last two losses, which go up and down by chance. With which loss
    should the last one be compared?

a number of its own: return losses[-1] < losses[0] → return losses[-1] < 3
or: last < first → last < 3
    You compare with a number of your own. A loss of 4 is bad for a small vocabulary and
    good for a large one: with what is the last loss compared?

no control: if learns(rate, warmup):\\n → if True:\\n
    You blame the warm-up whenever the run without it fails. What would you see if the run
    with it failed as well?

failure not seen first: if learns(rate, 0):\\n → if False:\\n
or: tried = [("none", rate, 0), ( → tried = [(
or: cold = train(rate, 0) → cold = [0, 1]
    You look for a cause where nothing failed. What came of the run without a warm-up?

two things changed: if learns(rate, warmup):\\n → if learns(rate / 10, warmup):\\n
or: ("warm-up", rate, warmup) → ("warm-up", 0.1 * rate, warmup)
or: warm = train(rate, warmup) → warm = train(rate / 10, warmup)
    You blame the warm-up after a run with a warm-up *and* a lower rate. If that one
    learns, which of the two changes was it?

rate tried without warm-up: learns(rate / 10, warmup) → learns(rate / 10, 0)
or: ("rate", 0.1 * rate, warmup) → ("rate", 0.1 * rate, 0)
or: slow = train(rate / 10, warmup) → slow = train(rate / 10, 0)
    Your run with the lower rate has no warm-up, so two things are changed against the
    one before. Which one should stay?

rate tried before the warm-up: if learns(rate, warmup):\\n        return "warm-up"\\n → if learns(rate / 10, 0):\\n        return "rate"\\n    if learns(rate, warmup):\\n        return "warm-up"\\n
or: if learns(rate, warmup):\\n        return "warm-up"\\n    if learns(rate / 10, warmup):\\n        return "rate"\\n → if learns(rate / 10, warmup):\\n        return "rate"\\n    if learns(rate, warmup):\\n        return "warm-up"\\n
    You blame the rate although the same rate learns with a warm-up. Which run should come
    before the one with a lower rate?

the last that learns: for word, peak, steps in tried: → for word, peak, steps in tried[::-1]:
    Your answer comes from the last run that learns, though an earlier one has learned
    already. Where does the search end?

words swapped: return "warm-up" → return "rate_"
and: return "rate"\\n → return "warm-up"\\n
and: return "rate_" → return "rate"
or: "none", "warm-up", "rate" → "none", "rate", "warm-up"
    You say *rate* where the warm-up cures it, and *warm-up* where the lower rate does.
    Which run belongs to which word?

none and other exchanged: return "none" → return "_"
and: return "other" → return "none"
and: return "_" → return "other"
or: tried = [("none" → tried = [("other"
and: return "other" → return "none"
or: "none", "warm-up", "rate", "other" → "other", "warm-up", "rate", "none"
    You say *none* where no run learns, and *other* where the first one does. Of what does
    the task say that there is none: of causes, or of cures?

words not spelt as asked: "warm-up" → "warmup"
or: "warm-up" → "warm up"
or: "warm-up" → "Warm-up"
or: "rate" → "learning rate"
    Compare your words with those of the task, letter by letter. Which of the four is
    spelt in another way?

rate divided by two: rate / 10 → rate / 2
or: 0.1 * rate → 0.5 * rate
    Your lower rate is half of the old one. What does the task ask for?

rate made larger: rate / 10 → rate * 10
or: 0.1 * rate → 10 * rate
    Your third run takes larger steps. Would those cure a run that explodes?

warm-up of its own: if learns(rate, warmup) → if learns(rate, 10)
or: train(rate, warmup) → train(rate, 10)
or: ("warm-up", rate, warmup) → ("warm-up", rate, 10)
    You try a warm-up of your own length. How long is the one that the task gives?

other causes not seen: if learns(rate / 10, warmup):\\n        return "rate"\\n    return "other" → return "rate"
or: return "other"\\n → return "rate"\\n
    You blame the rate for all that is left. What would you see if the run failed at the
    lower rate too?
"""


@dataclass(frozen=True)
class Training:
    """Plays a training: twelve losses, by what the rate and the warm-up allow.

    Attributes:
        cold: the largest rate that it stands without a warm-up.
        warm: the largest one after a warm-up of at least `needs` steps.
        start: the first loss.
        good: how the loss goes when it learns: "smooth", "bump" or "wobble".
        bad: and when it fails: "explodes", "nan", "level" or "dip".
    """

    cold: float
    warm: float
    needs: int = 100
    start: float = 4.0
    good: str = "smooth"
    bad: str = "explodes"

    def __call__(self, rate: float, warmup: int) -> list[float]:
        learns = rate <= (self.warm if warmup >= self.needs else self.cold)
        shape = SHAPES[self.good if learns else self.bad]
        return [round(self.start * share, 3) for share in shape]

    def __repr__(self) -> str:
        return "a training, to be called as train(rate, warmup)"


FALL = [1, 0.9, 0.8, 0.7, 0.62, 0.55, 0.5, 0.46, 0.43, 0.41, 0.4, 0.39]
SHAPES = {
    "smooth": FALL,
    "bump": [1, 1.3, 1.8, 1.9, 1.8, 1.7, 1.6, 1.5, 1.4, 1.25, 1.1, 0.95],
    "wobble": [1, 1.05, *FALL[2:-2], 0.38, 0.4],
    "explodes": [1, 1.1, 1.4, 1.9, 2.2, 2.6, 2.9, 3.1, 3, 3.2, 3.1, 3.3],
    "nan": [1, 1.2, 2.5, 7, *[math.nan] * 8],
    "level": [1, 1.1, 1.2, 1.1, 1.05, 1.02, 1.01, 1.01, 1.01, 1.02, 1.01, 1],
    "dip": [1, 0.9, 0.8, 0.75, 0.9, 1.2, 1.7, 2, 2.2, 2.4, 2.6, 2.5],
}


def case(rate=0.01, warmup=100, **how):
    return lambda rng: (Training(**how), rate, warmup)


def drawn(cold, warm, needs=0, start=0.0, good="smooth", bad="explodes"):
    """A training of that kind; `cold` and `warm` are shares of the rate."""

    def inputs(rng):
        rate, warmup = 10 ** rng.uniform(-3.5, -1.5), int(rng.integers(20, 900))
        about = rate * rng.uniform(0.95, 1.05)
        training = Training(
            cold * about,
            warm * about,
            needs or warmup - int(rng.integers(1, 9)),
            start or round(rng.uniform(1, 12), 1),
            good,
            bad,
        )
        return training, rate, warmup

    return inputs


def among_others(inputs):
    """That training between three of which all is left to chance."""

    def four(rng):
        asked = [inputs(rng)]
        for _ in range(3):
            cold, warm = CAUSES[rng.integers(len(CAUSES))]
            good = rng.choice(["smooth", "bump", "wobble"])
            bad = rng.choice(["explodes", "nan", "level", "dip"])
            asked.append(drawn(cold, warm, good=good, bad=bad)(rng))
        return tuple(value for n in rng.permutation(4) for value in asked[n])

    return four


NONE, WARM_UP, RATE, OTHER = CAUSES = ((2, 5), (0.2, 2), (0.01, 0.2), (0, 0))


def words(answers, *asked):
    """The word for one training, or the words for several."""
    found = [answers[0](*asked[n : n + 3]) for n in range(0, len(asked), 3)]
    return found[0] if len(found) == 1 else found


NAMES = tuple(
    name + more
    for more in ("", "_2", "_3", "_4")
    for name in ("train", "rate", "warmup")
)

TASK = FunctionTask(
    title="Was it the warm-up?",
    kind="explain",
    answers=("cause",),
    arguments=("train", "rate", "warmup"),
    outputs=("word",),
    right=(PLAIN, LISTED, ALL_RUNS),
    mistakes=MISTAKES,
    checks=tuple(
        Check(title, inputs, words, NAMES, fresh=among_others(like))
        for title, inputs, like in (
            (
                "it learns without any warm-up",
                case(cold=0.02, warm=0.05),
                drawn(*NONE),
            ),
            ("a warm-up cures it", case(cold=0.002, warm=0.02), drawn(*WARM_UP)),
            (
                "only a lower rate cures it",
                case(cold=0.0001, warm=0.002),
                drawn(*RATE),
            ),
            ("nothing cures it", case(cold=0, warm=0), drawn(*OTHER)),
            (
                "it ends in NaN, a warm-up cures it",
                case(cold=0.002, warm=0.02, bad="nan"),
                drawn(*WARM_UP, bad="nan"),
            ),
            (
                "it rises, then learns",
                case(cold=0.02, warm=0.02, good="bump"),
                drawn(*NONE, good="bump"),
            ),
            (
                "it falls, then explodes",
                case(cold=0.005, warm=0.02, needs=5, bad="dip"),
                drawn(0.5, 2, needs=5, bad="dip"),
            ),
            (
                "it ends where it began",
                case(cold=0.0001, warm=0.006, bad="level"),
                drawn(0.01, 0.6, bad="level"),
            ),
            (
                "the losses wobble",
                case(cold=0.005, warm=0.03, good="wobble"),
                drawn(0.5, 3, good="wobble"),
            ),
            (
                "a large vocabulary, a lower rate",
                case(cold=0.002, warm=0.002, start=9.0),
                drawn(0.2, 0.2, start=9.0),
            ),
            (
                "a small vocabulary, nothing cures it",
                case(cold=0, warm=0, start=0.8),
                drawn(*OTHER, start=0.8),
            ),
            (
                "a long warm-up",
                case(rate=0.003, warmup=700, cold=0.0001, warm=0.005, needs=500),
                drawn(0.01, 1.6),
            ),
        )
    ),
    hints=(
        "A cause can be blamed when changing it, and nothing else, changes the outcome. "
        "Which two runs differ by the warm-up alone?",
        "Write a small function first: did this run learn? Then ask it about one run after "
        "the other. What does it say of a last loss that is NaN?",
    ),
    section="Leaving each out",
    why="One thing is changed at a time, and everything else kept: so a curve that explodes "
    "is traced to its cause. That NaN is never lower than anything makes the test a simple "
    "one.",
)
