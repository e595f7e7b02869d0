"""10.5 How wide the stream gets after eight sub-layers: predicted, then run."""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
norm last grows by steps: post = 9
    You let the stream grow. What happens to every sum before the next sub-layer reads
    it, where the norm comes last?

norm last doubles: post = 256
or: post = 2
    The sum is twice as wide, and then comes the norm. What is the standard deviation of
    whatever a LayerNorm gives?

norm last vanishes: post = 0
    LayerNorm brings the mean to 0. To what does it bring the standard deviation?

norm last as a random walk: post = 3
    Whatever the sum is, a LayerNorm stands behind it. Which standard deviation comes
    out of that?

norm first holds the stream: pre = 1
    With the norm first, only what the sub-layer reads is normalised. Does a norm ever
    touch the stream itself?

norm first doubles: pre = 256
    Your stream doubles each time. How wide is what the sub-layer adds, when it only
    hands back its normalised input?

norm first, start forgotten: pre = 8
    Eight sub-layers add 1 each. How wide was the stream before the first?

norm first as a random walk: pre = 3
    A root belongs to numbers that have nothing to do with each other. Here the branch
    points where the stream points: how do they add up?

norm first without growth after one: pre = 2
    2 is the width after one sub-layer. What do the other seven add?

neither grows by steps: neither = 9
    Without a norm the branch is as wide as the stream itself. How wide is x + x, and
    what does the next sub-layer make of that?

neither doubles once: neither = 2
    2 is right after one sub-layer. What does the second one make of it?

neither counted twice: neither = 16
    2 · 8 adds up what should be multiplied. By what is the stream multiplied each time?

one doubling too many: neither = 512
or: neither = 128
    How many sub-layers are there, and how many times does the stream double?

neither holds: neither = 1
    Nothing is normalised here. How wide is x + x?

eight to a power: neither = 64
    64 is 8². The stream doubles at each of the 8 sub-layers: what is that as a power?

strangers add up: strangers = 9
    Widths add up only where both numbers always have the same sign. Here they have
    nothing to do with each other: what adds up then?

strangers, start forgotten: strangers = 8**0.5
    Eight branches with variance 1 each. What was the variance of the stream before?

strangers double: strangers = 256
or: strangers = 2**4
    Each branch has a width of 1, however wide the stream is. Which quantity of numbers
    that have nothing to do with each other adds up?

strangers cancel: strangers = 1
or: strangers = 0
    Some branches push up, some push down, but they do not cancel wholly. Which quantity
    of numbers that have nothing to do with each other adds up?
"""

TASK = ValueTask(
    title="Where the norm stands",
    kind="predict, then run",
    outputs=("post", "pre", "neither", "strangers"),
    right=(1.0, 9.0, 256.0, 3.0),
    also_right=((1, 9, 256, 3), (0.999, 8.98, 255.7, 3.02), ([1], [9], 2**8, 9**0.5)),
    rtol=2e-2,  # what a run gives
    atol=0.0,
    mistakes=MISTAKES,
    hints=(
        "Begin with one sub-layer and a stream of width 1. How wide is the sum, and is "
        "it normalised before the next one reads it?",
        "Two numbers that are always equal: their sum is twice as wide. Two that have "
        "nothing to do with each other: their variances add up.",
    ),
    section="Norm after or before",
    why="With the norm last, the stream starts anew at width 1 after each sum. With the "
    "norm first it grows, so a deep layer adds little beside what is there; without any "
    "it explodes.",
)
