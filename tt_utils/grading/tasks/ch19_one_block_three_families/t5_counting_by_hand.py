"""19.5 Kneser–Ney by hand: how often, in how many contexts, and in the average."""

import math

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
a count: often = 9
or: varied = 1
    You gave a number of words. By what is it divided, so that all words share out the
    whole?

percent: often = 32.14
or: varied = 11.11
or: freed = 37.5
or: ball = 64.58
or: dog = 12.5
    Those are percent. The task asks for numbers between 0 and 1: which?

behind ping alone: often = 1
    That is how sure *pong* is behind *ping*. Among how many words of the whole table
    does it stand?

often and varied exchanged: often = 1/9
or: varied = 9/28
    One of the two counts how often *pong* stands there, the other behind how many
    different words. Which is which?

odds: often = 9/19
    You divided by all the others. Does *pong* belong to the whole?

pairs miscounted: varied = 1/8
or: varied = 1/10
    Count the squares of the table that aren't empty once more, that of *pong* too. How
    many different pairs are there?

all squares: varied = 1/20
    You divided by all squares of the table. Which of them hold a pair that occurred?

share of the contexts: varied = 1/5
    You divided by the number of different words that stand in front. Then the shares of
    all words don't sum to 1: how many squares of the table aren't empty?

words alike: varied = 1/4
    That is an equal share for each of the four words. What makes *pong* less likely in
    a new place than *hat*?

one pair of all words: varied = 1/28
    Above the line you count different pairs. What should stand below it, so that all
    words together get 1?

discount taken off the contexts: varied = 0.25/9
    At the end of the chain the task takes nothing off any more. How does it define the
    empty context?

one discount freed: freed = 0.75/4
    Each different word behind *red* gives up a discount. How many different ones are
    there?

freed behind another word: freed = 0.75 * 3/8
or: freed = 0.75 * 2/6
or: freed = 0.75/9
    That is freed behind another word of the table. Which row is asked for?

the discount alone: freed = 0.75
    Each different word gives up 0.75 of its *count*. What share is that of all counts
    behind *red*?

not divided: freed = 1.5
    That is how much of the counts is given up. Of how many counts in all is it a share?

the share that is kept: freed = 0.625
    That is what the seen words keep. What is left for the shorter context?

seen words without the discount: freed = 0.5
    You divided the number of different words by that of all counts. How much of its
    count does each give up?

freed of the whole table: freed = 1.5/28
    You divided by all counts of the table. Behind which word are we?

plain count: ball = 0.75
    That is 3 of 4, as if nothing were given up, or as if *ball* and *hat* got back all
    that they gave up. Who else gets a part of it?

shorter context left out: ball = 0.5625
    That is what *ball* keeps of its own. What does it get back of the freed share?

no discount, and a part of the freed: ball = 3/4 + 0.375 * 2/9
    You gave *ball* its whole count and a part of the freed share. Who gives up what is
    freed?

shorter context by how often: ball = 0.5625 + 0.375 * 5/28
or: dog = 0.375 * 10/28
    For the shorter context you counted how often the word stands there. What does
    Kneser–Ney count instead?

freed share not applied: ball = 0.5625 + 2/9
or: dog = 1/3
    You added the whole probability of the shorter context. With what is it multiplied,
    so that all words together get 1?

all of the freed share: ball = 0.9375
or: dog = 0.375
    You gave one word everything that was freed. How is that shared out among the words?

freed share shared equally: ball = 0.5625 + 0.375/4
or: dog = 0.375/4
    You shared the freed part out equally. Which words does the shorter context think
    likelier than others?

shared by the contexts: ball = 0.5625 + 0.375 * 2/5
or: dog = 0.375 * 3/5
    Your shorter context divides by the number of words that stand in front. Do its
    probabilities sum to 1?

half of the part: ball = 0.5625 + 0.1875 * 2/9
    What *ball* gets from the shorter context is half of its due. Look at both factors:
    how much is freed behind *red*, and behind how many words does *ball* stand?

one discount in the sum: dog = 0.1875 * 1/3
    The freed share is too small in yours. How many different words stand behind *red*?

the part of pong: dog = 0.375/9
    That is what *pong* gets behind *red*. Behind how many different words does *dog*
    stand?

nothing for what never occurred: dog = 0
    *red dog* never occurred in this table, and it may tomorrow. What does the shorter
    context say of *dog*?

only the unseen share: dog = 0.1875
or: dog = 0.375 * 3/4
    You shared the freed part out among the words that were never seen behind *red*. In
    this formula, who else gets a part?

a discount on nothing: dog = 0.125 - 0.75/4
    You took a discount from a count of 0. What does the max in the formula do?

bits averaged: bits = (3 + math.log2(8/3)) / 2
    You averaged the bits. Which numbers are averaged, before any logarithm?

counting alone: bits = 3
    That is what *dog* costs the counts alone. What does the other model say, and what is
    the mean of both probabilities?

the other model alone: bits = math.log2(8/3)
    That is what *dog* costs the other model alone. What is the mean of both
    probabilities?

nats: bits = math.log(4)
    You took the natural logarithm. Which base counts bits?

probability instead of bits: bits = 0.25
    That is the averaged probability. How many bits does it cost?

one over the probability: bits = 4
    That is one over the averaged probability. By how many halvings do you get there?

probabilities added: bits = 1
    You added the two probabilities. What makes a mean of the sum?

bits added: bits = 3 + math.log2(8/3)
    You added the bits of both. How many models write the word in the end?

sign lost: bits = -2
    A piece never costs less than nothing. Which sign has the logarithm of a probability
    below 1?
"""

TASK = ValueTask(
    title="Counting, with a pencil",
    kind="compute by hand",
    outputs=("often", "varied", "freed", "ball", "dog", "bits"),
    right=(9 / 28, 1 / 9, 3 / 8, 0.5625 + 0.375 * 2 / 9, 1 / 8, 2),
    also_right=(
        (0.321, 0.111, 0.375, 0.646, 0.125, 2.0),
        (0.3214, 0.1111, 0.375, 0.6458, 0.125, -math.log2(0.25)),
    ),
    rtol=2e-3,
    atol=1e-3,
    mistakes=MISTAKES,
    hints=(
        "Write the sum of the counts behind each row of the table, and how many of its "
        "squares aren't empty. Then do the second for the columns.",
        "A word behind *red* gets two parts: what is left of its own count, and its part "
        "of what all words behind *red* gave up. Which of the two has *dog*?",
    ),
    section="A rival that only counts",
    why="*Pong* is frequent and still a poor guess in a new place, since it follows a "
    "single word. What the seen words give up goes to those that stand in many places.",
)
