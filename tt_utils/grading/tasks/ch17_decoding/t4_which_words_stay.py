"""17.4 Top-k, top-p and temperature, by hand."""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
one word alone: top_p = [1]
    The likeliest word has 0.45, and p is 0.7. Must the sum stay below p, or reach it?

one word too many: top_p = [0, 1, 3]
    Add them up from the largest: 0.7 is passed with fewer words. When may you stop?

words in their own order: top_p = [0, 1, 2, 3]
or: exactly = [0, 1, 2, 3]
    All four together always reach p. In which order are the words to be taken, so that
    the fewest are enough?

each word above p: top_p = []
or: exactly = []
    No single word has that much. What is compared with p: one probability, or a sum?

the least likely words: top_p = [0, 2]
or: top_k = [0, 2, 3]
    You keep words from the bottom of the list. From which end are they taken?

probabilities instead of numbers: top_p = [0.45, 0.3]
or: exactly = [0.45, 0.3]
or: top_k = [0.45, 0.3, 0.15]
    You give the probabilities of the words. Which number has each of these words?

counted from 1: top_p = [2, 4]
or: exactly = [2, 4]
or: top_k = [1, 2, 4]
    You count from 1. What is the number of the first word?

passed instead of reached: exactly = [0, 1, 3]
    Two words have exactly 0.75 together. Is p reached then, or must it be passed?

never reached: exactly = [1]
    The likeliest word has 0.45. Is that 0.75?

first three numbers: top_k = [0, 1, 2]
    You took the first three words as they stand. By what does top-k order them?

k as a limit for numbers: top_k = [3]
or: top_k = 3
    The 3 says how many words are kept. Which ones?

as many as top-p: top_k = [1, 3]
    Top-k adds nothing up. How many words does it keep?

not shared out again: share = 0.3
    The words that are left have 0.75 together. What must the probabilities sum to, before
    a word is drawn?

the other word: share = 0.6
    That is the share of the likelier of the two words. Which one is asked for?

divided by p: share = 0.428571
    You divided by p. What do the probabilities of the words that are left sum to?

shared out among three: share = 0.333333
    You shared out among the words of top-k. Which words are left by top-p?

ratio of the two words: share = 0.666667
    You compare the two words with each other. By what must both be divided, to sum to 1?

shared out evenly: share = 0.5
    The words that are left are not equally likely. How do they share out what the
    others had?

the rest given in equal parts: share = 0.425
    You added half of what was dropped to each word. Which number must every probability
    be divided by, so that they sum to 1?

softmax once more: share = 0.462570
    Softmax is for logits. These are probabilities already: which division makes two of
    them sum to 1?

temperature without effect: sharper = 0.8
    A temperature of 1 would leave it there. What becomes of the logits at 0.5, and what
    of the distance between them?

flatter: sharper = 0.666667
    You went the wrong way: that is a temperature of 2. Does dividing by 0.5 make the
    distance between two logits larger or smaller?

multiplied by the temperature: sharper = 0.4
    You multiplied the probability by 0.5. What does the temperature divide, and what
    must two probabilities sum to?

the less likely word: sharper = 0.058824
    That is what becomes of the 0.2. Which of the two words is asked for?

ratio instead of a probability: sharper = 16
    That is how many times likelier the one word is than the other. Which probability has
    it then?

probabilities divided: sharper = 1.6
    No probability exceeds 1. What does the temperature divide: probabilities, or
    logits?

softmax of divided probabilities: sharper = 0.768525
or: sharper = 0.645656
    You took softmax of probabilities. Logits are their logarithms: what does a factor
    of 2 before a logarithm do to the number inside?

squared and left so: sharper = 0.64
    The powers are right, and two of them must sum to 1 again. What is the sum of both?

ratio doubled: sharper = 0.888889
    You doubled the ratio of the two words. Logits are doubled, and a logit is a
    logarithm: what happens to a ratio whose logarithm is doubled?
"""

TASK = ValueTask(
    title="Which words stay?",
    kind="compute by hand",
    outputs=("top_p", "exactly", "top_k", "share", "sharper"),
    right=([1, 3], [1, 3], [0, 1, 3], 2 / 5, 16 / 17),
    also_right=(((1, 3), (1, 3), (0, 1, 3), 0.4, 0.941),),
    mistakes=MISTAKES,
    rtol=1e-3,
    hints=(
        "Sort the words by probability and write the running sums below them. Where does "
        "the sum reach p for the first time?",
        "What is dropped is gone: divide the others by their sum. For the temperature, "
        "take logarithms, divide, take powers, and divide by the sum.",
    ),
    section="Sampling",
    why="Top-k keeps a number of words, top-p as many as it takes to reach p, so it keeps "
    "few where the model is sure. Temperature drops nothing: it turns the ratio of two "
    "words into a power of it.",
)
