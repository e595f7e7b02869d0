"""01.1 One dot product and one cosine, with pencil and paper."""

from fractions import Fraction

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
element-wise: dot = (36, 20)
    A dot product is one number: what do you do with the two products?

sums multiplied: dot = 119
    You added first and multiplied after. In which order does a dot product do that?

crossed: dot = 63
    You multiplied 3 by 5 and 4 by 12. Which number of v stands at the same place as
    the 3 of u?

entries added: dot = 24
    You added all four numbers up. What is done with 3 and 12 before the sum?

product of the lengths: dot = 65
    65 is the product of the two lengths, the largest that the dot product could be.
    Which products does it add up?

one product only: dot = 36
or: dot = 20
    That is one of the two products. What about the other place?

cosine without norms: cosine = 56
    Your cosine equals the dot product. Divide by both lengths: what is the length of
    (3, 4)?

length of u only: cosine = 56/5
    A cosine never exceeds 1. You divided by the length of u; which length is missing?

length of v only: cosine = 56/13
    A cosine never exceeds 1. You divided by the length of v; which length is missing?

squared norms: cosine = 56/65**2
    Your cosine is nearly 0, yet the vectors point in similar directions. You divided
    by squared lengths: which root is missing?

sum of norms: cosine = 56/18
    You divided by the sum of the lengths. A cosine must not change when u gets 10
    times longer: does yours?

sum of entries as length: cosine = 56/119
    You used 7 and 17 as lengths. Draw the arrow (3, 4): how long is it?

upside down: cosine = 65/56
    A cosine never exceeds 1. Which of the two numbers stands below the line?

angle in radians: cosine = math.acos(56/65)
    That is the angle itself. Which function of the angle is asked for?

angle in degrees: cosine = math.degrees(math.acos(56/65))
    That is the angle in degrees. The task asks for a number between −1 and 1.

distance: cosine = 1 - 56/65
    Yours would be 0 for two equal vectors, so it measures distance. What does a cosine
    give when both point the same way?

sine: cosine = 33/65
    That is the sine: it is 0 for two vectors of the same direction. What is the cosine
    there?

one product taken from the other: dot = 16
    You took one product away from the other. What does a dot product do with the two?

crossed and subtracted: dot = 33
or: dot = -33
    You multiplied crosswise and took the difference, which is how an area is found. Which
    numbers stand at the same place?

two decimals: cosine = 0.86
    Right to two decimals, and the task asks for three. What is left over after the second?

squared length of one: cosine = 56/25
or: cosine = 56/169
    You divided by the length of one vector twice. How long is the other one?
"""

TASK = ValueTask(
    title="One dot product, one cosine",
    kind="compute by hand",
    outputs=("dot", "cosine"),
    right=(56, 56 / 65),
    also_right=((56.0, 0.862), ([56], 0.8615), (Fraction(56), Fraction(56, 65))),
    rtol=1e-3,
    atol=5e-4,
    mistakes=MISTAKES,
    hints=(
        "Write u above v, number above number. Which products do you see, and what "
        "becomes of them?",
        "The cosine is the dot product over the product of both lengths. The length of "
        "(3, 4) is the root of 3² + 4².",
    ),
    section="Length matters: dot product and cosine",
    why="56 of at most 65: the two arrows point in nearly the same direction, and the "
    "cosine, 0.862, says how nearly, whatever their lengths.",
)
