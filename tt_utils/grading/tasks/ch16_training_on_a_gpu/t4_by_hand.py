"""16.4 Bits and operations, by hand."""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
the two formats swapped: gap_bf16 = 0.25
and: gap_fp16 = 2
    Each of your gaps belongs to the other format. Which of the two has more fraction
    bits?

gap beside 1: gap_bf16 = 2**-7
or: gap_fp16 = 2**-10
    That is the gap just after 1. By which power of two does everything grow from 1 to
    256?

gap of the next range: gap_bf16 = 4
or: gap_fp16 = 0.5
    That is the gap from 512 on. Which power of two begins the range in which 300 lies?

gap of the range before: gap_bf16 = 1
or: gap_fp16 = 0.125
    Either you began at 128, or you have one fraction bit too many. Which power of two
    begins the range of 300, and how many bits cut it into pieces?

gap in proportion: gap_bf16 = 300/128
or: gap_fp16 = 300/1024
    You scaled the gap by 300 itself. From 256 to 512 all gaps are the same: how many
    numbers share that range?

exponent bits taken: gap_fp16 = 8
    You cut the range by the exponent bits. Which bits say where a number lies between
    two powers of two?

gap of fp16 in the place of bf16: gap_bf16 = 0.25
    That needs 10 fraction bits. How many has bf16?

gap of bf16 in the place of fp16: gap_fp16 = 2
    That comes from 7 fraction bits. How many has fp16?

exact sum: kept = 1.3
    That is what a calculator says. Is 1.003 a number of bf16, or to which one is it
    rounded, each time anew?

rounded at the end: kept = 1.296875
or: kept = 1.3046875
    You rounded once, at the end. What stands in the weight after the first addition?

rounded up each time: kept = 1.78125
    You moved on by a whole gap each time. Is 1.003 nearer to 1 or to the number after
    it?

one gap: kept = 1.0078125
    That is the number after 1. Which sum is near enough to be rounded to it?

scale up to 1: scale = 2**30
    Then the gradient is 1. How small may a number be that fp16 holds with all its
    digits?

scale to the smallest of all: scale = 2**6
    At 2⁻²⁴ fp16 has a single digit left. From where on does it keep all of them?

exponent alone: scale = 16
or: scale = 14
or: scale = 30
    You gave an exponent. Which power of two is asked for?

scale too small by two: scale = 2**15
    Half of what is needed: by how many powers of two do 2⁻³⁰ and 2⁻¹⁴ differ?

smallest number's reciprocal: scale = 2**14
    That lifts 2⁻¹⁴ to 1. From where to where must 2⁻³⁰ be lifted?

scale below 1: scale = 2**-16
    Multiply by that, and the gradient gets smaller still. Which sign has the exponent?

forward pass alone: operations = 1.6e11
    A multiplication and an addition per weight and token: that is the forward pass. How
    much does the backward pass add?

backward pass alone: operations = 3.2e11
    That is the backward pass. What comes before it?

additions left out: operations = 2.4e11
    You count the multiplications alone. What is done with each product?

one operation each: operations = 8e10
    One operation per weight and token is too little. What happens to each weight in the
    forward pass, and twice in the backward pass?

tokens of both sides: operations = 9.6e11
or: utilisation = 0.4
    You counted the tokens of both sides. Each weight meets the tokens of one: which
    number stands in the rule of thumb?

one token: operations = 1.2e8
    That is one token. How many does a step read?

weights alone: operations = 2e7
    That is the number of weights. How often is each one used?

percent: utilisation = 20
    Those are percent. Which share is it, between 0 and 1?

upside down: utilisation = 5
    A share above 1 can't be. Which speed is divided by which?

speed reached: utilisation = 1.2e13
    That is how many operations it does in a second. Which share of the peak is it?

time left out: utilisation = 0.008
    You divided operations by operations per second, and that gives seconds. How long did
    the step take in truth?

multiplied by the time: utilisation = 0.00032
    You multiplied by the time. How many operations in one second are these?

peak with sparsity: utilisation = 0.1
    You took twice the peak. Are half of our matrices' entries zeros?

forward pass alone, in the share: utilisation = 1/15
    Only the forward pass stands in your share. What else was done in those 0.04 seconds?
"""

TASK = ValueTask(
    title="Bits and operations, by hand",
    kind="compute by hand",
    outputs=("gap_bf16", "gap_fp16", "kept", "scale", "operations", "utilisation"),
    right=(2.0, 0.25, 1.0, 65536.0, 4.8e11, 0.2),
    also_right=(
        (2, 1 / 4, 1, 2**16, 6 * 20e6 * 4000, 4.8e11 / 0.04 / 60e12),
        (2.0, 0.25, 1, 65536, 480_000_000_000, 0.2),
        (2**1, 2**-2, [1.0], 2.0**16, [4.8e11], 1 / 5),
    ),
    rtol=1e-3,
    atol=1e-6,
    mistakes=MISTAKES,
    hints=(
        "Fraction bits cut the way from one power of two to the next into equal gaps: 7 "
        "bits into 128. Between which two powers does 300 lie, and 1.003?",
        "A step is a forward pass and a backward pass that costs twice as much. Divide "
        "by the seconds before you compare with a peak per second.",
    ),
    section="What sixteen bits hold",
    page="16b_bits_operations_processes",
    why="Gaps grow with the number, so small updates vanish beside large weights. Speed is "
    "operations per second, and its share of the peak is a number below 1.",
)
