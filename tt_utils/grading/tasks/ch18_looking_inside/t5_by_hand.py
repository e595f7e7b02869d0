"""18.5 BLEU of one sentence by hand, and of a corpus of two."""

import math

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
words not clipped: words = 1
    You found a partner for every word. The reference has one *cat*: how many of the two
    in the output can it pay for?

each word once: words = 3/5
    Three different words are right, but *the* stands twice in the output, and more than
    once in the reference. How many of its places have a partner?

words divided by the reference: words = 4/10
    You divided by the words of the reference. Whose words are judged?

wrong words: words = 1/5
    That is the share of words without a partner. Which share is asked for?

a count of words: words = 4
    You gave a number of words. By how many is it divided?

percent: words = 80
or: pairs = 50
or: corpus = 95
    Those are percent. The task asks for a share between 0 and 1: which?

pairs not clipped: pairs = 3/4
    *the cat* stands once in the reference. How often may it be matched?

pairs divided by the words: pairs = 2/5
    You divided by the number of words. How many pairs of neighbours have five words?

pairs divided by the reference: pairs = 2/9
    You divided by the pairs of the reference. Whose pairs are judged?

different pairs: pairs = 2/3
    You counted each pair once, above and below the line. How many pairs stand in the
    output, one after the other?

one pair alone: pairs = 1/4
    You found one pair. Look at the end of the output as well: what stands before
    *sits*?

a count of pairs: pairs = 2
    You gave a number of pairs. By how many is it divided?

no penalty: penalty = 1
    The output has half as many words as the reference. Does BLEU let that pass?

ratio as the penalty: penalty = 1/2
    That is c / r. What does BLEU do with the ratio of the lengths?

penalty above 1: penalty = math.e
    That would reward a short output. Which sign has the exponent?

ratio upside down: penalty = math.exp(-0.5)
or: penalty = math.exp(0.5)
    You used c / r in the exponent. Which length is divided by which?

exponent alone: penalty = -1
or: penalty = 2
    You have a part of the exponent. What is e to the power of 1 − r / c?

exponent without the 1: penalty = math.exp(-2)
    You took e to the power of −r / c. Then a perfect output would get less than 1: what
    is missing in the exponent?

score without the penalty: score = 100 * math.sqrt(0.4)
    That is the geometric mean of the two shares. What is it multiplied by?

arithmetic mean: score = 65 * math.exp(-1)
or: score = 65
    You took half the sum of the two shares. Which mean does BLEU take?

no root: score = 40 * math.exp(-1)
or: score = 40
    You multiplied the shares. Which root belongs to a mean of two factors?

penalty under the root: score = 100 * math.sqrt(0.4 * math.exp(-1))
    Your penalty stands under the root. To what is it applied, to the shares or to their
    mean?

single words alone: score = 80 * math.exp(-1)
    You took the share of the words alone. Which other share enters the mean?

from 0 to 1: score = math.sqrt(0.4) * math.exp(-1)
    Yours lies between 0 and 1. Up to which number does BLEU run?

mean of two shares: corpus = 0.9
    You took the mean of the two sentences' shares, so 5 words weigh as much as 15. What
    is added up before the division?

the second sentence alone: corpus = 1
    The second sentence has no fault, the first one has. Of how many words in all have
    how many a partner?

"""

TASK = ValueTask(
    title="BLEU by hand",
    kind="compute by hand",
    outputs=("words", "pairs", "penalty", "score", "corpus"),
    right=(4 / 5, 2 / 4, math.exp(-1), 100 * math.sqrt(0.4) * math.exp(-1), 19 / 20),
    also_right=(
        (0.8, 0.5, 0.368, 23.27, 0.95),
        (0.8, 0.5, 0.3679, 23.3, 0.95),
        ([0.8], 0.5, [0.3679], 23.26, 0.95),
    ),
    rtol=2e-3,
    atol=1e-3,
    mistakes=MISTAKES,
    hints=(
        "Cross out a word of the reference as soon as it has been matched. Which words "
        "of the output find none left?",
        "Let c be the number of words in the output, r that of the reference. Which of the "
        "two is larger, and what is 1 − r / c?",
    ),
    section="BLEU by hand",
    why="Both shares are clipped, their geometric mean is the root of their product, and "
    "half the words cost a factor of e. Over a corpus the counts are added up first.",
)
