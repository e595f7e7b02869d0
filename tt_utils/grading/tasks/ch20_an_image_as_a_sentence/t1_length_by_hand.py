"""20.1 Sizes by hand: patches, their numbers, weights, scores, an overlap, and bits."""

import math

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
pixels: patches = 864
    That is how many pixels the image has. How many of them does one patch take?

rows and columns added: patches = 15
    You added rows and columns of patches. How many places has a grid?

one side of a patch: patches = 216
    You divided by 4. How many pixels has a patch of 4 × 4?

cut apart by channel: patches = 162
    You count each channel's patches for themselves. To how many patches does one place of
    the image belong?

with the token in front: patches = 55
    You counted the token in front, too. Is that one a patch?

a square image: patches = 36
or: patches = 81
    You took the image for a square one. How many patches fit into its height, and how
    many into its width?

one channel: numbers = 16
    That is one channel of a patch. How many channels has the image?

one side and the channels: numbers = 12
    You multiplied one side by the channels. How many pixels has a patch?

channels added: numbers = 19
    You added the channels. How many numbers does each pixel have?

width of the model: numbers = 64
    That is the width after the projection. How many numbers go in?

numbers of the whole image: numbers = 2592
    Those are all numbers of the image. How many belong to one patch?

twice as many: overlapping = 108
    You doubled the count. Steps of 2 instead of 4 lie closer in both directions: how many
    fit into the height?

four times as many: overlapping = 216
    You let patches begin at every second pixel, those at the very edge too. Where does the
    last patch begin that still lies in the image?

one step short: overlapping = 160
    In both directions one patch is missing. At which pixels does a patch begin in the
    height: 0, 2, 4, and up to?

as if they didn't overlap: overlapping = 54
    That is the count without an overlap. How far is it from a patch to the next now?

steps of one pixel: overlapping = 693
    Your patches begin at every pixel. How far is it from one to the next?

overlapping patches added: overlapping = 28
    You added rows and columns of patches. How many places has a grid?

overlapping, and a token in front: overlapping = 187 + 1
    You counted the token in front, too. Is that one a patch?

no bias: weights = 3072
    One weight for each pair of a number and an output: what does a linear layer have
    besides?

bias for each number: weights = 3120
    You gave each number that goes in a bias. Which side of a linear layer has them?

one channel's weights: weights = 16 * 64 + 64
    You project one channel. How many numbers has a patch in all?

for each patch its own: weights = 54 * 3136
or: weights = 54 * 3072
or: weights = 2592 * 64 + 64
    You gave each patch a projection of its own, or projected the whole image at once.
    What goes through the projection, one after the other?

positions as well: weights = 3136 + 54 * 64
or: weights = 3136 + 55 * 64
or: weights = 3136 + 55 * 64 + 64
    You counted positions, too. What belongs to the projection alone?

twice: finer = 2
    Half as high and half as wide: how many of the new patches fit into an old one?

four times: finer = 4
    That is how many times as many tokens there are. A score belongs to a query and a key:
    what does that do to the table?

eight times: finer = 8
    Halving the side doubles rows and columns of patches. Count the tokens first, then the
    pairs of tokens.

a quarter: finer = 1/4
or: finer = 1/16
    Finer patches are more patches. Does the table of scores grow or shrink?

the scores themselves: finer = 216**2
or: finer = 54**2
    That is a number of scores. How many times as many is asked for?

difference: finer = 216**2 - 54**2
    You took the difference. By which factor does the table grow?

shared part: overlap = 8
    That is the area that both share. Of what is it a share?

union: overlap = 36
    That is the area that both cover together. Which part of it do both have?

shared part counted twice: overlap = 8/44
    You divided by both areas added up. What is counted twice in that?

over the first: overlap = 8/30
    You divided by the first box. How much do both cover together?

over the second: overlap = 8/14
    You divided by the second box, which is the smaller one. How much do both cover
    together?

Dice: overlap = 16/44
    That is the Dice score. By what is the shared part divided in an IoU?

one over: overlap = 36/8
    You divided the union by the shared part. Which of the two is larger?

over the box around both: overlap = 8/48
    You divided by the box around both. Does it hold area that belongs to neither?

ends counted: overlap = 15/51
    You counted the pixels at both ends. The corners are points here: how wide is a box
    from 1 to 6?

sides as corners: overlap = 25/86
    You read the last two numbers as width and height. What does the task say that they
    are?

distance: overlap = 7/9
    That is what is missing to a perfect overlap. Which way round is it asked for?

percent: overlap = 22.2
or: overlap = 200/9
    That is percent. Which number between 0 and 1 is it?

bits of one patch: bits = 6
    That is one code. How many has an image?

codes: bits = 16
    You counted the codes. How many bits does each one cost?

numbers in the codebook: bits = 1024
    You multiplied codes by codewords. How many bits tell 64 codewords apart?

ways: bits = 64
    That is how many codewords there are. How many yes-or-no questions find one of 64?

eight bits a pixel: bits = 512
    That is eight bits for each pixel. What is written down instead of pixels here?

one bit a codeword: bits = 16 * 63
    How many yes-or-no questions find one of 64, if each halves what is left?

natural logarithm: bits = 16 * math.log(64)
    You took the natural logarithm. Which base counts bits?

one bit too many: bits = 16 * 7
    With seven bits you tell 128 codewords apart. How many are enough for 64?

one bit too few: bits = 16 * 5
    With five bits you tell 32 codewords apart. How many are enough for 64?
"""

TASK = ValueTask(
    title="How long is the sentence?",
    kind="compute by hand",
    outputs=(
        "patches",
        "numbers",
        "overlapping",
        "weights",
        "finer",
        "overlap",
        "bits",
    ),
    right=(54, 48, 187, 3136, 16, 2 / 9, 96),
    also_right=(
        (54.0, 48.0, 187.0, 3136.0, 16.0, 0.2222, 96.0),
        (6 * 9, 4 * 4 * 3, 11 * 17, 48 * 64 + 64, 4**2, 8 / 36, 16 * math.log2(64)),
    ),
    rtol=1e-3,
    atol=1e-4,
    mistakes=MISTAKES,
    hints=(
        "Count along one side first, then along the other: at which pixels do patches "
        "begin? Only then multiply.",
        "For the boxes draw the corners on squared paper. For the bits: how many yes-or-no "
        "questions find one of 64, if each halves what is left?",
    ),
    section="Twenty-five words",
    why="The length of the sentence grows with the square of the image's side, and the "
    "scores with the square of the length. That is why patches aren't pixels.",
)
