"""15.1 The paper's learning rate: a straight warm-up, then 1/√step."""

from tt_utils.grading.tasks.inputs import fixed
from tt_utils.grading.tasks.spec import Check, FunctionTask

FORMULA = """
def learning_rate(step, d_model, warmup):
    n = step + 1
    return d_model**-0.5 * min(n**-0.5, n * warmup**-1.5)
"""

BRANCHES = """
def learning_rate(step, d_model, warmup):
    n = step + 1
    if n < warmup:
        return n / (warmup * math.sqrt(warmup) * math.sqrt(d_model))
    return 1 / math.sqrt(d_model * n)
"""

PEAK = """
def learning_rate(step, d_model, warmup):
    peak = 1 / math.sqrt(d_model * warmup)
    rise = (step + 1) / warmup
    fall = math.sqrt(warmup / (step + 1))
    return peak * min(rise, fall)
"""

ARRAYS = """
def learning_rate(step, d_model, warmup):
    n = np.float64(step + 1)
    both = np.array([n**-0.5, n * warmup**-1.5])
    return both.min() / np.sqrt(d_model)
"""

MISTAKES = """
the larger of the two: * min( → * max(
or: if n < warmup → if n >= warmup
or: both.min() → both.max()
    Your rate is largest at the very start, and later it rises for ever. Which of the two
    lines lies lower in the warm-up: the one that rises, or the one that falls?

counted from 0: n = step + 1 → n = step
or: n = np.float64(step + 1) → n = np.float64(step)
or: (step + 1) / warmup → step / warmup
and: fall = math.sqrt(warmup / (step + 1)) → fall = math.sqrt(warmup / max(step, 1e-9))
    Your rate is one step late: the first step learns nothing, or divides by 0. As how
    many steps does the step with the number 0 count?

the first step alone mended: n = step + 1 → n = max(step, 1)
or: n = np.float64(step + 1) → n = np.float64(max(step, 1))
    Your first step is right, and every later one is a step behind. As how many steps do
    the steps 0, 1 and 2 count?

counted from 2: n = step + 1 → n = step + 2
or: (step + 1) → (step + 2)
    Your rate is one step early. As how many steps does the step with the number 0
    count?

rise alone counted from 0: n * warmup**-1.5 → step * warmup**-1.5
or: rise = (step + 1) / warmup → rise = step / warmup
or: return n / (warmup → return step / (warmup
    Your fall is right, and your rise is one step late. Do both curves count the first
    step as n = 1?

fall alone counted from 0: n**-0.5, → max(step, 0.1) ** -0.5,
or: return 1 / math.sqrt(d_model * n) → return 1 / math.sqrt(d_model * step)
or: fall = math.sqrt(warmup / (step + 1)) → fall = math.sqrt(warmup / max(step, 0.1))
    Your rise is right, and your fall is one step late. Do both curves count the first
    step as n = 1?

rise without the power: n * warmup**-1.5 → n * warmup**-0.5
or: n / (warmup * math.sqrt(warmup) * math.sqrt(d_model)) → n / (math.sqrt(warmup) * math.sqrt(d_model))
    Your rise is so steep that it ends after a step or two. By which power of `warmup`
    must it be divided, for both lines to meet at n = warmup?

rise to a peak of its own: n * warmup**-1.5 → n / warmup
or: n / (warmup * math.sqrt(warmup) * math.sqrt(d_model)) → n / (warmup * math.sqrt(d_model))
    At n = warmup your rise has reached 1, before d_model comes in. How high is the other
    line there?

rise as a root: rise = (step + 1) / warmup → rise = math.sqrt((step + 1) / warmup)
or: n * warmup**-1.5 → n**0.5 / warmup
    Your warm-up is bent: it goes up as a root. What shape has it in the paper?

warm-up left out: * min(n**-0.5, n * warmup**-1.5) → * n**-0.5
or: if n < warmup → if False
or: peak * min(rise, fall) → peak * fall
    Your first steps are the largest of all. What did the warm-up do about them?

rise for ever: * min(n**-0.5, n * warmup**-1.5) → * n * warmup**-1.5
or: peak * min(rise, fall) → peak * rise
    Your rate goes on rising after the warm-up. What should it do from there?

level after the warm-up: peak * min(rise, fall) → peak * min(rise, 1)
or: return 1 / math.sqrt(d_model * n) → return 1 / math.sqrt(d_model * warmup)
    Your rate stays at its peak. What happens to it after the warm-up, in the paper?

fall too fast: fall = math.sqrt(warmup / (step + 1)) → fall = warmup / (step + 1)
or: return 1 / math.sqrt(d_model * n) → return math.sqrt(warmup / d_model) / n
or: min(n**-0.5, → min(1 / n,
or: np.array([n**-0.5, → np.array([1 / n,
or: return 1 / math.sqrt(d_model * n) → return 1 / (math.sqrt(d_model) * n)
    Your rate is cut in half when the steps double. What does a root do there?

fall counted from the end of the warm-up: if n < warmup → if n <= warmup
and: return 1 / math.sqrt(d_model * n) → return 1 / math.sqrt(d_model * (n - warmup))
or: fall = math.sqrt(warmup / (step + 1)) → fall = math.sqrt(warmup / (max(step - warmup, 0) + 1))
    Your fall counts its steps from the end of the warm-up. From which step on does the n
    of 1/√n count?

fall squared: fall = math.sqrt(warmup / (step + 1)) → fall = (warmup / (step + 1)) ** 2
or: return 1 / math.sqrt(d_model * n) → return warmup**1.5 / math.sqrt(d_model) / n**2
    Your rate falls with the square of the steps. Which power is it in the paper?

width left out: d_model**-0.5 * min( → min(
or: both.min() / np.sqrt(d_model) → both.min()
or: peak = 1 / math.sqrt(d_model * warmup) → peak = 1 / math.sqrt(warmup)
    Your rate is the same for every d_model. Should a wide model take larger steps, or
    smaller ones?

width in the fall alone: d_model**-0.5 * min(n**-0.5, n * warmup**-1.5) → min(d_model**-0.5 * n**-0.5, n * warmup**-1.5)
or: / (warmup * math.sqrt(warmup) * math.sqrt(d_model)) → / (warmup * math.sqrt(warmup))
    The width is in one of your two curves and not in the other. Over how much of the
    formula does its factor reach?

width in the rise alone: d_model**-0.5 * min(n**-0.5, n * warmup**-1.5) → min(n**-0.5, d_model**-0.5 * n * warmup**-1.5)
or: return 1 / math.sqrt(d_model * n) → return 1 / math.sqrt(n)
    The width is in your rise and not in your fall. Over how much of the formula does
    its factor reach?

width multiplied: d_model**-0.5 * min( → d_model**0.5 * min(
or: both.min() / np.sqrt(d_model) → both.min() * np.sqrt(d_model)
or: peak = 1 / math.sqrt(d_model * warmup) → peak = math.sqrt(d_model / warmup)
    Your wide models take larger steps. Which sign has the power of d_model?

width without the root: d_model**-0.5 * min( → d_model**-1 * min(
or: both.min() / np.sqrt(d_model) → both.min() / d_model
    You divide by d_model itself. Which power of it is in the paper's formula?

whole numbers: rise = (step + 1) / warmup → rise = (step + 1) // warmup
or: return n / (warmup → return n // (warmup
    Your rate is 0 all through the warm-up. Which division drops the decimals?

width and warm-up swapped: (step, d_model, warmup) → (step, warmup, d_model)
    You took d_model for the warm-up and the warm-up for d_model. In which order do they
    come in?
"""


def early(share):
    """A step before so large a part of the warm-up is over, at any width."""

    def inputs(rng):
        warmup = int(rng.integers(30, 5000))
        most = max(1, int(share * warmup))
        return int(rng.integers(most // 2, most)), int(rng.integers(24, 1500)), warmup

    return inputs


def first(rng):
    return 0, *early(1)(rng)[1:]


def at_the_peak(rng):
    _, d_model, warmup = early(1)(rng)
    return warmup - 1, d_model, warmup


def late(rng):
    """Two to fifteen times a short warm-up, so that one step is still to be seen."""
    _, d_model, _ = early(1)(rng)
    warmup = int(rng.integers(20, 90))
    return int(warmup * rng.uniform(2, 15)), d_model, warmup


def at_the_end(rng):
    _, d_model, warmup = early(1)(rng)
    return int(warmup * rng.uniform(15, 40)), d_model, warmup


TASK = FunctionTask(
    title="Warm up, then slow down",
    kind="implement",
    answers=("learning_rate",),
    arguments=("step", "d_model", "warmup"),
    outputs=("rate",),
    rtol=1e-4,
    atol=1e-9,
    right=(FORMULA, BRANCHES, PEAK, ARRAYS),
    mistakes=MISTAKES,
    checks=(
        Check("the very first step", fixed(0, 16, 100), fresh=first),
        Check("early in the warm-up", fixed(9, 16, 100), fresh=early(0.2)),
        Check("the last step of the warm-up", fixed(99, 16, 100), fresh=at_the_peak),
        Check("after the warm-up", fixed(399, 16, 100), fresh=late),
        Check("another width", fixed(6, 64, 23), fresh=early(0.5)),
        Check("another width, long after", fixed(1096, 97, 23), fresh=late),
        Check("a large model, early", fixed(1499, 512, 4000), fresh=early(0.8)),
        Check("a large model, at the end", fixed(99_999, 512, 4000), fresh=at_the_end),
    ),
    hints=(
        "Draw two curves over n: a straight line through 0, and 1/√n. Which of them is "
        "lower before they cross, and which after?",
        "Both must have one value at n = warmup. Set n · c = 1/√n there: what is c?",
    ),
    section="Warm-up",
    why="The two curves cross at n = warmup, so the rate rises in a straight line, peaks at "
    "1/√(d_model · warmup) and then falls as 1/√n: four times as many steps, half the "
    "rate.",
)
