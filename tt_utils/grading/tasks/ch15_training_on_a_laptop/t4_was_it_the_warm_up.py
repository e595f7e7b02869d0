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
comparison turned around: losses[-1] < losses[0] → losses[-1] > losses[0]
or: last < first → last > first
    A run whose loss rises passes for one that learns, and one whose loss falls for failed.
    Which of the two losses should be the lower one?

losses never compared: return losses[-1] < losses[0] → return not math.isnan(losses[-1])
or: not math.isnan(last) and last < first → not math.isnan(last)
    Every run that ends in a number passes for one that learns, even one that explodes.
    What else does the task say of a run that learns?

arguments exchanged: losses = train(rate, warmup) → losses = train(warmup, rate)
or: train(peak, steps) → train(steps, peak)
    No run learns in yours, whatever it is given. Print the two numbers that `train`
    gets each time: is the first one a rate, and the second one a number of steps?

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

the halves compared: return losses[-1] < losses[0] → half = len(losses) // 2\\n        return sum(losses[half:]) / (len(losses) - half) < sum(losses[:half]) / half
or: not run[-1] < run[0] → not sum(run[6:]) < sum(run[:6])
    You compare a later part of the losses with an earlier one. Which two losses does the
    task compare?

the highest taken for the first: return losses[-1] < losses[0] → return losses[-1] < max(losses)
or: not run[-1] < run[0] → not run[-1] < max(run)
    The last loss of a run that explodes may still be below its highest one. With which
    loss is the last one compared?

the second taken for the first: losses[-1] < losses[0] → losses[-1] < losses[1]
or: not run[-1] < run[0] → not run[-1] < run[1]
    A run passes for one that learns when it ends below its second loss. At which number
    do Python's lists begin?

the last but one taken for the last: losses[-1] < losses[0] → losses[-2] < losses[0]
or: not run[-1] < run[0] → not run[-2] < run[0]
    The last loss of a run plays no part in yours, the one before it does. Which index
    has the last one?

a large fall wanted: return losses[-1] < losses[0] → return losses[-1] < 0.9 * losses[0]
or: last < first → last < 0.9 * first
or: return losses[-1] < losses[0] → return losses[-1] < losses[0] / 2
    A run that learns a little passes for failed. By how much must the last loss be lower
    than the first, as the task has it?

the last two compared: return losses[-1] < losses[0] → return losses[-1] < losses[-2]
or: run[-1] < run[0] → run[-1] < run[-2]
    You compare the last two losses, which go up and down by chance. With which loss
    should the last one be compared?

a number of its own: return losses[-1] < losses[0] → return losses[-1] < 3
or: last < first → last < 3
or: return losses[-1] < losses[0] → return losses[-1] < 2
or: return losses[-1] < losses[0] → return losses[-1] < 1
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

None for a word: return "none" → return None
    The task asks for one of four words, and where yours should say *none* it gives
    Python's None. What does a word stand between in Python?

a list for a word: return "rate" → return ["rate"]
or: return "none" → return ["none"]
or: return "warm-up" → return ["warm-up"]
or: return "other" → return ["other"]
or: return word\\n → return [word]\\n
    Your word comes in a list. What does the task ask for: a list of words, or one word?

rate divided by two: rate / 10 → rate / 2
or: 0.1 * rate → 0.5 * rate
    Your lower rate is half of the old one. What does the task ask for?

rate divided by a hundred: rate / 10 → rate / 100
or: 0.1 * rate → 0.01 * rate
    The rate of your third run is so low that it learns nothing any more. What does the
    task ask for?

no lower rate to learn with: rate / 10 → rate * 10
or: 0.1 * rate → 10 * rate
or: 0.1 * rate → rate
or: rate / 10 → rate // 10
    Where the lower rate would cure it, your third run fails. Print the rate that it gets:
    is it lower than the first one, and is it more than 0?

a longer warm-up for a lower rate: learns(rate / 10, warmup) → learns(rate, 10 * warmup)
or: ("rate", 0.1 * rate, warmup) → ("rate", rate, 10 * warmup)
    Your third run has the old rate and a longer warm-up. Which of the two does the task
    change there, and which does it keep?

a longer warm-up beside the lower rate: learns(rate / 10, warmup) → learns(rate / 10, 10 * warmup)
or: ("rate", 0.1 * rate, warmup) → ("rate", 0.1 * rate, 10 * warmup)
    Your third run has a longer warm-up than the second, besides its lower rate: two
    things are changed. Which one should stay?

a warm-up in the control: learns(rate, 0) → learns(rate, 1)
or: ("none", rate, 0) → ("none", rate, 1)
    You say *none* of a run that learns only with a short warm-up. How many steps of it
    does your first run get?

warm-up of its own: if learns(rate, warmup) → if learns(rate, 10)
or: train(rate, warmup) → train(rate, 10)
or: ("warm-up", rate, warmup) → ("warm-up", rate, 10)
or: ("warm-up", rate, warmup) → ("warm-up", rate, 4000)
or: if learns(rate, warmup) → if learns(rate, 4000)
and: learns(rate / 10, warmup) → learns(rate / 10, 4000)
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
        most: more steps of warm-up than these end after the training does.
        low: a rate that moves nothing.
        start: the first loss.
        good: how the loss goes when it learns: "smooth", "hump", "bump" or "wobble".
        bad: and when it fails: "explodes", "tops out", "nan", "level" or "dip".
    """

    cold: float
    warm: float
    needs: int = 100
    most: float = math.inf
    low: float = 0.0
    start: float = 4.0
    good: str = "smooth"
    bad: str = "explodes"
    offers = ()

    def __call__(self, rate: float, warmup: int) -> list[float]:
        highest = self.warm if warmup >= self.needs else self.cold
        learns = self.low < rate <= highest and warmup <= self.most
        shape = SHAPES[self.good if learns else self.bad]
        return [round(self.start * share, 3) for share in shape]

    def __repr__(self) -> str:
        return "a training, to be called as train(rate, warmup)"


FALL = [1, 0.9, 0.8, 0.7, 0.62, 0.55, 0.5, 0.46, 0.43, 0.41, 0.4, 0.39]
SHAPES = {
    "smooth": FALL,
    "hump": [1, 1.04, *FALL[2:]],
    "bump": [1, 1.1, 1.2, 1.4, 1.6, 1.8, 1.9, 1.9, 1.7, 1.4, 1.1, 0.85],
    "wobble": [1, 0.93, 0.85, 0.75, 0.8, 0.75, 0.9, 0.85, 1.02, 0.9, 0.94, 0.95],
    "explodes": [1, 1.1, 1.4, 1.9, 2.2, 2.6, 2.9, 3.1, 3, 3.2, 3.1, 3.3],
    "tops out": [1, 1.1, 1.4, 1.9, 2.2, 2.6, 2.9, 3.1, 3, 3.2, 3.4, 3.3],
    "nan": [1, 1.2, 2.5, 7, *[math.nan] * 8],
    "level": [1, 1.1, 1.2, 1.1, 1.05, 1.02, 1.01, 1.01, 1.01, 1.02, 0.99, 1],
    "dip": [1, 0.9, 0.8, 0.75, 0.9, 1.2, 1.7, 2, 2.2, 2.4, 2.6, 2.5],
}


def case(rate=0.01, warmup=100, **how):
    return lambda rng: (Training(**how), rate, warmup)


def drawn(cold, warm, needs=0, start=0.0, good="smooth", bad="explodes", late=False):
    """A training of that kind; `cold` and `warm` are shares of the rate.

    With `late` it would need five times the warm-up that it gets.
    """

    def inputs(rng):
        rate, warmup = 10 ** rng.uniform(-3.5, -1.5), int(rng.integers(20, 900))
        about = rate * rng.uniform(0.95, 1.05)
        training = Training(
            cold * about,
            warm * about,
            5 * warmup if late else needs or warmup - int(rng.integers(1, 9)),
            math.inf if needs or start or late else 3 * warmup,
            0.0 if start or bad == "level" else 0.03 * rate,
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
            good = rng.choice(["smooth", "hump", "bump", "wobble"])
            bad = rng.choice(["explodes", "tops out", "nan", "level", "dip"])
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
            (
                "a warm-up cures it",
                case(cold=0.002, warm=0.02, most=500),
                drawn(*WARM_UP),
            ),
            (
                "only a lower rate cures it",
                case(cold=0.0001, warm=0.002, most=500, low=0.0005),
                drawn(*RATE),
            ),
            (
                "nothing cures it",
                case(cold=0, warm=0.02, needs=500),
                drawn(0, 2, late=True),
            ),
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
                case(cold=0.005, warm=0.02, needs=1, bad="dip"),
                drawn(0.5, 2, needs=1, bad="dip"),
            ),
            (
                "it ends where it began",
                case(cold=0.0001, warm=0.006, bad="level"),
                drawn(0.01, 0.6, bad="level"),
            ),
            (
                "the losses wobble",
                case(cold=0.005, warm=0.03, start=1.0, good="wobble"),
                drawn(0.5, 3, good="wobble"),
            ),
            (
                "a large vocabulary, a lower rate",
                case(cold=0.002, warm=0.002, start=9.0),
                drawn(0.2, 0.2, start=9.0),
            ),
            (
                "a small vocabulary, nothing cures it",
                case(cold=0, warm=0, start=0.8, bad="tops out"),
                drawn(*OTHER, start=0.8, bad="tops out"),
            ),
            (
                "a long warm-up",
                case(
                    rate=0.003,
                    warmup=700,
                    cold=0.0001,
                    warm=0.005,
                    needs=500,
                    most=2000,
                    good="hump",
                ),
                drawn(0.01, 1.6, good="hump"),
            ),
        )
    ),
    hints=(
        "A cause can be blamed when changing it, and nothing else, changes the outcome. "
        "Which two runs differ by the warm-up alone?",
        "Write a small function first: did this run learn? Then ask it about one run after "
        "the other. What does it say of a last loss that is NaN?",
    ),
    section="Warm-up",
    why="One thing is changed at a time, and everything else kept: so a curve that explodes "
    "is traced to its cause. That NaN is never lower than anything makes the test a simple "
    "one.",
)
