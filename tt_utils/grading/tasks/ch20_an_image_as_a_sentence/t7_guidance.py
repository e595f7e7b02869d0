"""20.7 Chances of the next code: guided towards a label, at a temperature."""

import numpy as np

from tt_utils.grading.tasks.spec import Check, FunctionTask

LOGITS = """
def guided(asked, free, weight, temperature):
    logits = free + weight * (asked - free)
    return (logits / temperature).softmax(dim=-1)
"""

LOGARITHMS = """
def guided(asked, free, weight, temperature):
    asked, free = asked.log_softmax(-1), free.log_softmax(-1)
    mixed = weight * asked + (1 - weight) * free
    return F.softmax(mixed / temperature, dim=-1)
"""

BY_HAND = """
def guided(asked, free, weight, temperature):
    towards = asked - free
    logits = asked + (weight - 1) * towards
    logits = logits - logits.max(dim=-1, keepdim=True).values
    powers = torch.exp(logits / temperature)
    return powers / powers.sum(dim=-1, keepdim=True)
"""

MISTAKES = """
exchanged: logits = free + weight * (asked - free) → logits = asked + weight * (free - asked)
or: weight * asked + (1 - weight) * free → weight * free + (1 - weight) * asked
or: asked + (weight - 1) * towards → free - (weight - 1) * towards
    The more weight, the less your model cares for the label. From which of the two does
    the way start, and to which does it lead?

weight counted from the asked one: logits = free + weight * (asked - free) → logits = asked + weight * (asked - free)
or: weight * asked + (1 - weight) * free → (1 + weight) * asked - weight * free
or: (weight - 1) * towards → weight * towards
    Yours goes one whole step too far: weight 0 gives what was asked. Some papers count so;
    what should weight 0 give here?

weight on what was asked: logits = free + weight * (asked - free) → logits = weight * asked
or: mixed = weight * asked + (1 - weight) * free → mixed = weight * asked
or: logits = asked + (weight - 1) * towards → logits = weight * asked
    In yours the model without a label has no say. A weight of 2 then only sharpens, like a
    lower temperature: what is amplified here?

what was asked alone: logits = free + weight * (asked - free) → logits = asked
or: mixed = weight * asked + (1 - weight) * free → mixed = asked
    Your weight changes nothing. What does a weight of 1 give, and what should 2 give?

nothing asked: logits = free + weight * (asked - free) → logits = free
or: mixed = weight * asked + (1 - weight) * free → mixed = free
    Your model never hears of the label. Which of the two arguments knows it?

label added to the free one: logits = free + weight * (asked - free) → logits = free + weight * asked
or: mixed = weight * asked + (1 - weight) * free → mixed = weight * asked + free
    You add what was asked to what is free. With a weight of 1 that is twice the model:
    what leads from one to the other?

difference alone: logits = free + weight * (asked - free) → logits = weight * (asked - free)
or: mixed = weight * asked + (1 - weight) * free → mixed = weight * (asked - free)
or: logits = asked + (weight - 1) * towards → logits = weight * towards
    Yours knows only how the label changes the chances. From where is that change taken?

free one subtracted whole: logits = free + weight * (asked - free) → logits = weight * asked - free
or: mixed = weight * asked + (1 - weight) * free → mixed = weight * asked - free
    With a weight of 1 yours still subtracts the free model. How much of it is left there?

weight never above 1: logits = free + weight * (asked - free) → logits = free + min(weight, 1.0) * (asked - free)
or: mixed = weight * asked + (1 - weight) * free → mixed = min(weight, 1) * asked + max(1 - weight, 0) * free
    You stop at what was asked. Guidance goes beyond: may a weight be more than 1?

half and half: logits = free + weight * (asked - free) → logits = (asked + free) / 2
or: mixed = weight * asked + (1 - weight) * free → mixed = 0.5 * asked + 0.5 * free
    You take the middle of both. What does `weight` say?

weight squared: weight * (asked - free) → weight**2 * (asked - free)
or: (weight - 1) * towards → (weight**2 - 1) * towards
    Your weight counts twice over. At which weight would you go twice the way?

chances mixed: return (logits / temperature).softmax(dim=-1) → return free.div(temperature).softmax(-1) + weight * (asked.div(temperature).softmax(-1) - free.div(temperature).softmax(-1))
or: mixed = weight * asked + (1 - weight) * free → mixed = (weight * (asked / temperature).softmax(-1) + (1 - weight) * (free / temperature).softmax(-1))
and: F.softmax(mixed / temperature, dim=-1) → mixed
    You went the way between chances, and some fall below 0 beyond what was asked. What is
    mixed before the softmax?

chances mixed, then cut: return (logits / temperature).softmax(dim=-1) → p = free.div(temperature).softmax(-1) + weight * (asked.div(temperature).softmax(-1) - free.div(temperature).softmax(-1))\\n    return p.clamp(min=0) / p.clamp(min=0).sum(-1, keepdim=True)
    You went the way between chances, and cut off what fell below 0. What is mixed before
    the softmax?

softmax twice: logits = free + weight * (asked - free) → logits = free.softmax(-1) + weight * (asked.softmax(-1) - free.softmax(-1))
or: asked.log_softmax(-1), free.log_softmax(-1) → asked.softmax(-1), free.softmax(-1)
    You take a softmax before and another one after: the second hardly sees a difference.
    On what does guidance work?

temperature multiplied: logits / temperature → logits * temperature
or: mixed / temperature → mixed * temperature
    A low temperature makes yours wilder. Should it sharpen or flatten?

no temperature: logits / temperature → logits
or: mixed / temperature → mixed
or: powers = torch.exp(logits / temperature) → powers = torch.exp(logits) / temperature
    Your temperature changes nothing, or it cancels. What is divided by it, and before
    which step?

temperature after the softmax: (logits / temperature).softmax(dim=-1) → logits.softmax(dim=-1) / temperature
or: F.softmax(mixed / temperature, dim=-1) → F.softmax(mixed, dim=-1) / temperature
    Your chances don't sum to 1. What is divided by the temperature?

chances to the temperature: (logits / temperature).softmax(dim=-1) → logits.softmax(dim=-1) ** (1 / temperature)
or: F.softmax(mixed / temperature, dim=-1) → F.softmax(mixed, dim=-1) ** (1 / temperature)
or: powers / powers.sum(dim=-1, keepdim=True) → powers / torch.exp(logits).sum(dim=-1, keepdim=True) ** (1 / temperature)
    The powers are the right ones, and they no longer sum to 1. What is missing at the
    end?

temperature of what was asked alone: weight * (asked - free) → weight * (asked / temperature - free)
and: (logits / temperature) → logits
or: weight * asked + → weight * asked / temperature +
and: mixed / temperature → mixed
    Your temperature works on one of the two models alone. What is divided by it: each, or
    the guided logits?

temperature of the free one alone: logits = free + weight * (asked - free) → logits = free / temperature + weight * (asked - free / temperature)
and: (logits / temperature) → logits
or: (1 - weight) * free → (1 - weight) * free / temperature
and: mixed / temperature → mixed
    Your temperature works on the model without a label alone. What is divided by it?

temperature of the difference alone: weight * (asked - free) → weight * (asked - free) / temperature
and: (logits / temperature) → logits
    Your temperature works on the difference alone: at weight 0 it is lost. What is divided
    by it?

root of the temperature: logits / temperature → logits / math.sqrt(temperature)
or: mixed / temperature → mixed / temperature**0.5
    Your temperature works too weakly. Is there a root in it?

temperature squared: logits / temperature → logits / temperature**2
or: mixed / temperature → mixed / temperature / temperature
    Your temperature works twice. Where do you divide by it?

weight divided as well: weight * (asked - free) → weight / temperature * (asked - free)
    You divide the weight by the temperature, and then all of it once more. How often does
    it come in?

softmax over the drawings: .softmax(dim=-1) → .softmax(dim=0)
or: F.softmax(mixed / temperature, dim=-1) → F.softmax(mixed / temperature, dim=0)
or: powers.sum(dim=-1, → powers.sum(dim=0,
    The columns of yours sum to 1. Between which things does the model choose?

softmax over everything: (logits / temperature).softmax(dim=-1) → (logits / temperature).flatten().softmax(0).view(logits.shape)
or: powers / powers.sum(dim=-1, keepdim=True) → powers / powers.sum()
    All of your numbers together sum to 1. How many drawings are under way, and what does
    each choose?

logits instead of chances: return (logits / temperature).softmax(dim=-1) → return logits / temperature
    You return logits. What makes chances of them?

logarithms: (logits / temperature).softmax( → (logits / temperature).log_softmax(
or: F.softmax(mixed → F.log_softmax(mixed
    You return logarithms of the chances. Between which two numbers does a chance lie?

powers not divided: return powers / powers.sum(dim=-1, keepdim=True) → return powers
or: return (logits / temperature).softmax(dim=-1) → return (logits / temperature).exp()
    Your chances don't sum to 1. By what is each power divided?

powers too large: logits = logits - logits.max(dim=-1, keepdim=True).values → pass
or: return (logits / temperature).softmax(dim=-1) → powers = (logits / temperature).exp()\\n    return powers / powers.sum(-1, keepdim=True)
    Right, until a logit is so large that its power is infinite for a computer. What may be
    subtracted from all logits without changing a chance?

likeliest code: return (logits / temperature).softmax(dim=-1) → return logits.argmax(dim=-1)
or: return F.softmax(mixed / temperature, dim=-1) → return mixed.argmax(dim=-1)
    You chose the likeliest code. What is asked for is how likely each one is.

certain of the likeliest code: return (logits / temperature).softmax(dim=-1) → return F.one_hot(logits.argmax(-1), logits.shape[-1]).float()
    Your best code has all the chance. That is a temperature next to 0: which one is
    given?

largest difference subtracted: logits = logits - logits.max(dim=-1, keepdim=True).values → logits = logits / logits.max(dim=-1, keepdim=True).values
    You divide by the largest logit. That changes the chances: what may be done to all
    logits of a row without changing any?
"""


def logits(drawings, words, weight, temperature, shift=0.0):
    """Logits of two models for so many drawings, and the two settings.

    Weight and temperature are drawn where they are pairs of limits.
    """

    def inputs(rng):
        def setting(x):
            return round(rng.uniform(*x), 1) if isinstance(x, tuple) else x

        asked, free = rng.normal(shift, 1.5, (2, drawings, words)).round(1)
        return asked, free, setting(weight), setting(temperature)

    return inputs


EXAMPLE = np.log([[0.5, 0.25, 0.25]]), np.log([[0.25, 0.25, 0.5]]), 2.0, 1.0

TASK = FunctionTask(
    title="Guided towards a digit",
    kind="implement",
    answers=("guided",),
    arguments=("asked", "free", "weight", "temperature"),
    outputs=("chances",),
    arrays="torch",
    rtol=1e-4,
    atol=1e-5,
    right=(LOGITS, LOGARITHMS, BY_HAND),
    mistakes=MISTAKES,
    checks=(
        Check("weight 1: what was asked", logits(1, 5, 1.0, 1.0)),
        Check("weight 0: the model without a label", logits(1, 5, 0.0, 1.0)),
        Check(
            "twice the way, as in the example",
            lambda rng: EXAMPLE,
            fresh=logits(1, 3, 2.0, 1.0),
        ),
        Check("a low temperature, weight 1", logits(1, 5, 1.0, (0.3, 0.7))),
        Check("a high temperature, weight 0", logits(1, 5, 0.0, (1.5, 3.0))),
        Check("half the way, three drawings", logits(3, 7, 0.5, 1.0)),
        Check("five drawings, both settings", logits(5, 11, (1.5, 3.0), (0.4, 0.8))),
        Check("far beyond, and flat", logits(2, 13, (5.0, 8.0), (2.0, 4.0))),
        Check("logits near 200", logits(2, 7, 1.5, 0.5, shift=200.0)),
    ),
    hints=(
        "What do the weights 0, 1 and 2 give, in words? On a straight line through two "
        "points, where does each of them lie?",
        "First the guided logits, then the temperature, then the chances. Which of these "
        "three steps works on all codes of a drawing together?",
    ),
    section="Going further",
    why="What the label changes is amplified, and the rest left as it was; temperature "
    "sharpens everything, the label's part and the rest. Both work on logits, where adding "
    "is multiplying chances.",
)
