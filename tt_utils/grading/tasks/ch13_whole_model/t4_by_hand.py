"""13.4 From a hidden vector to the next word, by hand."""

import numpy as np

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
products not added: logits = [(0, 0), (np.log(3), 0), (np.log(3), np.log(2))]
    Those are the products, place by place. What makes one number for each word of them?

probabilities as logits: logits = (0.1, 0.3, 0.6)
    Those are the probabilities already. Which numbers stand before softmax?

table scaled: logits = (0, np.log(3) * 2 ** 0.5, np.log(6) * 2 ** 0.5)
    You multiplied by the root of d_model. At which end of the model does that belong?

divided by the root: logits = (0, np.log(3) / 2 ** 0.5, np.log(6) / 2 ** 0.5)
    You divided by the root of d_model. In which part of the model are scores divided?

powers as logits: logits = (1, 3, 6)
    That is exp of the logits already. Which numbers come before?

no division: probabilities = (1, 3, 6)
    1, 3 and 6 are in the right proportion. What must the three probabilities add up to?

percent: probabilities = (10, 30, 60)
    Those are percent. What must the three probabilities add up to?

no exp: probabilities = (0, np.log(3) / np.log(18), np.log(6) / np.log(18))
    You divided the logits by their sum. What comes before the division?

logits as probabilities: probabilities = (0, np.log(3), np.log(6))
    Those are the logits. What turns them into probabilities?

hard choice: probabilities = (0, 0, 1)
    You gave everything to the best word. Softmax leaves a share for each.

uniform: probabilities = (1/3, 1/3, 1/3)
    Equal probabilities belong to equal logits. Are yours equal?

wrong order: probabilities = (0.6, 0.3, 0.1)
or: probabilities = (0.3, 0.1, 0.6)
or: probabilities = (0.1, 0.6, 0.3)
    The three shares are right, their order is not. Which word has the largest logit?

scaled logits: probabilities = np.exp(np.log([1, 3, 6]) / 2 ** 0.5) / np.exp(np.log([1, 3, 6]) / 2 ** 0.5).sum()
    You divided the logits by the root of d_model before softmax. In which part of the
    model does that happen?

powers of two: probabilities = 2 ** np.log([1, 3, 6]) / (2 ** np.log([1, 3, 6])).sum()
    You took powers of 2. Powers of which number does softmax use?

word with logit 0: word = "la"
    Its logit is the smallest. Where is the probability largest?

word in the middle: word = "bola"
    Another word has a larger logit. Which one?

number instead of the word: word = 2
or: word = 3
or: word = 0.6
    You gave a number. Which word stands in that row of the table?

surprise of the wrong sign: surprise = np.log(0.6)
    The logarithm of a number below 1 is negative. With which sign does it become a
    surprise?

surprise of another word: surprise = -np.log(0.3)
or: surprise = -np.log(0.1)
    That is the surprise of another word. Which word was right, in the question?

probability instead of the surprise: surprise = 0.6
or: surprise = 0.4
    You gave a probability. What makes it a surprise in nats?

surprise in bits: surprise = -np.log2(0.6)
    You counted in bits. Which logarithm counts in nats?
"""

TASK = ValueTask(
    title="From a vector to a word, by hand",
    kind="compute by hand",
    outputs=("logits", "probabilities", "word", "surprise"),
    right=((0.0, np.log(3), np.log(6)), (0.1, 0.3, 0.6), "es", -np.log(0.6)),
    also_right=(
        ((0, 1.099, 1.792), (0.1, 0.3, 0.6), "ES", 0.511),
        ([0, np.log(3), np.log(6)], np.array([1, 3, 6]) / 10, [" es "], 0.5108),
    ),
    rtol=2e-3,
    atol=1e-3,
    mistakes=MISTAKES,
    hints=(
        "One dot product for each row of the table gives three logits. What is "
        "ln 3 + ln 2, as one logarithm?",
        "The exponential undoes ln: three whole numbers come out, and their sum is what you divide "
        "by. The surprise looks at one of the three alone.",
    ),
    section="From a vector to a word",
    why="The generator compares the hidden vector with the row of each word: a larger dot "
    "product by ln 2 makes a word twice as likely.",
)
