"""01.3 Which word is nearest by dot product, which one by cosine?"""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
dot twice: by_dot = "the"
and: by_cosine = "the"
    You gave the same word for both measures. One vector is much longer than the
    others: which measure cares?

cosine twice: by_dot = "drank"
and: by_cosine = "drank"
    You gave the same word for both measures. Which one also rewards a long vector?
    Compute the two largest dot products.

swapped: by_dot = "drank"
and: by_cosine = "the"
    You have the two words, the wrong way round. Which measure divides the length out?

opposite as nearest: by_cosine = "dry"
    Its cosine is −1, not 1. Which way does that vector point, compared with milk?

right angle as nearest: by_cosine = "black"
    Its cosine is 0: it stands at a right angle to milk. Which value says that two
    arrows point the same way?

size of the dot product: by_dot = "dry"
    That dot product is negative. Nearest means largest, not farthest from 0.

smallest dot product: by_dot = "black"
    Its dot product with milk is 0. Which of the four products is the largest?

opposite as unrelated: unrelated = "dry"
    A cosine of −1 says opposite, which is a strong relation. Which value says that two
    words have nothing to do with each other?

long as unrelated: unrelated = "the"
    That word is far away because its vector is long. Unrelated is about direction:
    which vector stands at a right angle to milk?

near as unrelated: unrelated = "drank"
    That arrow nearly lies on milk's. Which value of a cosine says that two words have
    nothing to do with each other?

milk itself: by_dot = "milk"
or: by_cosine = "milk"
or: unrelated = "milk"
    That is the query. Which of the four words in the table do you compare it with?
"""

TASK = ValueTask(
    title="Nearest by dot, nearest by cosine",
    kind="predict, then run",
    outputs=("by_dot", "by_cosine", "unrelated"),
    right=("the", "drank", "black"),
    also_right=(("The", " drank ", "BLACK"), (["the"], "drank", "black")),
    mistakes=MISTAKES,
    hints=(
        "Multiply each vector with (2, 1), place by place, and add up. Four numbers: "
        "which is largest, which is 0?",
        "Now divide each by the length of the vector. Whose number falls most?",
    ),
    section="Length matters: dot product and cosine",
    why="The dot product rewards length, the cosine looks at direction alone, and 0 is "
    "no relation in both.",
)
