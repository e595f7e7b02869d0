"""04.2 A chain whose words and states are vectors."""

import numpy as np

from tt_utils.grading.tasks.inputs import fixed, normal
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def read(x, W, U):
    h = np.zeros(len(W))
    states = []
    for word in x:
        h = np.tanh(W @ h + U @ word)
        states.append(h)
    return np.array(states)
"""

TABLE = """
def read(x, W, U):
    n, d = len(x), W.shape[0]
    states = np.zeros((n, d))
    news = x @ U.T
    note = np.zeros(d)
    for t in range(n):
        states[t] = np.tanh(W @ note + news[t])
        note = states[t]
    return states
"""

JOINED = """
def read(x, W, U):
    both = np.hstack([W, U])
    states = np.zeros((len(x) + 1, len(W)))
    for t, word in enumerate(x):
        states[t + 1] = np.tanh(both @ np.concatenate([states[t], word]))
    return states[1:]
"""

RECURSIVE = """
def read(x, W, U):
    if len(x) == 0:
        return np.zeros((0, len(W)))
    before = read(x[:-1], W, U)
    last = before[-1] if len(before) else np.zeros(len(W))
    return np.vstack([before, np.tanh(W.dot(last) + U.dot(x[-1]))])
"""

LOOPS = """
def read(x, W, U):
    d = len(W)
    h, states = [0.0] * d, []
    for word in x:
        new = []
        for i in range(d):
            total = sum(W[i][j] * h[j] for j in range(d))
            total += sum(U[i][j] * word[j] for j in range(len(word)))
            new.append(math.tanh(total))
        h = new
        states.append(h)
    return np.array(states)
"""

MISTAKES = """
no tanh: np.tanh(W @ h + U @ word) → W @ h + U @ word
or: math.tanh(total) → total
or: np.tanh(W @ note + news[t]) → W @ note + news[t]
or: np.tanh(W.dot(last) + U.dot(x[-1])) → W.dot(last) + U.dot(x[-1])
    Some of your states are larger than 1. What keeps the numbers of the note between −1
    and 1?

tanh of the news alone: np.tanh(W @ h + U @ word) → W @ h + np.tanh(U @ word)
or: np.tanh(W @ note + news[t]) → W @ note + np.tanh(news[t])
or: np.tanh(W.dot(last) + U.dot(x[-1])) → W.dot(last) + np.tanh(U.dot(x[-1]))
    You squeeze what the word brings, and then add the note. What does tanh enclose in the
    formula?

tanh of the note alone: np.tanh(W @ h + U @ word) → np.tanh(W @ h) + U @ word
or: np.tanh(W @ note + news[t]) → np.tanh(W @ note) + news[t]
or: np.tanh(W.dot(last) + U.dot(x[-1])) → np.tanh(W.dot(last)) + U.dot(x[-1])
    You squeeze the note, and then add what the word brings. What does tanh enclose in the
    formula?

tanh twice: np.tanh(W @ h + U @ word) → np.tanh(np.tanh(W @ h) + np.tanh(U @ word))
or: np.tanh(W @ note + news[t]) → np.tanh(np.tanh(W @ note) + np.tanh(news[t]))
    You squeeze the two parts and their sum. How many tanh does one step have?

tanh of the sum and then again: np.tanh(W @ h + U @ word) → np.tanh(np.tanh(W @ h + U @ word))
or: np.tanh(W @ note + news[t]) → np.tanh(np.tanh(W @ note + news[t]))
or: math.tanh(total) → math.tanh(math.tanh(total))
    Already your first state is squeezed more than once. How many tanh does one step have?

sigmoid: np.tanh(W @ h + U @ word) → 1 / (1 + np.exp(-(W @ h + U @ word)))
or: np.tanh(W @ note + news[t]) → 1 / (1 + np.exp(-(W @ note + news[t])))
or: math.tanh(total) → 1 / (1 + math.exp(-max(-700.0, total)))
    Your states are never negative. The S-shaped function between 0 and 1 makes the gates
    of the LSTM: which one does this chain use?

negative numbers cut off: np.tanh(W @ h + U @ word) → np.maximum(0, W @ h + U @ word)
or: np.tanh(W @ note + news[t]) → np.maximum(0, W @ note + news[t])
or: np.tanh(W @ h + U @ word) → np.tanh(np.maximum(0, W @ h + U @ word))
    You set negative numbers to 0. Between which two numbers may a state of this chain lie?

the note is never read: np.tanh(W @ h + U @ word) → np.tanh(U @ word)
or: np.tanh(W @ note + news[t]) → np.tanh(news[t])
or: np.tanh(W.dot(last) + U.dot(x[-1])) → np.tanh(U.dot(x[-1]))
or: note = states[t] → note = note
or: states[t], word → 0 * states[t], word
    Each of your states knows its own word alone. What hands over the earlier ones?

W is left out: W @ h + U @ word → h + U @ word
or: W @ note + news[t] → note + news[t]
or: W.dot(last) + → last +
    You add the old note as it is. What is it multiplied by?

W turned: W @ h → W.T @ h
or: W @ h → h @ W
or: W @ note → note @ W
or: W[i][j] * h[j] → W[j][i] * h[j]
    Your W stands the wrong way round. In the product of a matrix and a vector, which of
    its rows or columns meet the vector?

U turned: U @ word → U.T @ word
or: U @ word → word @ U
or: x @ U.T → x @ U
    Your U stands the wrong way round. It makes a vector as long as the state out of a
    word: how many rows must it have, and how many columns?

W and U exchanged: W @ h + U @ word → U @ h + W @ word
or: np.hstack([W, U]) → np.hstack([U, W])
or: W.dot(last) + U.dot(x[-1]) → U.dot(last) + W.dot(x[-1])
    You read the note with the matrix of the words, and the words with that of the note.
    Which of the two must be square?

places multiplied: W @ h + U @ word → W * h + U * word
    `*` multiplies place by place, so your states are tables. A matrix product adds the
    products of each row up: which sign writes it?

a note as long as a word: np.zeros(len(W)) → np.zeros(x.shape[1])
or: d = len(x), W.shape[0] → d = x.shape
    Your empty note is as long as a word. How many numbers has a state, and which matrix
    tells?

tanh of a single number: np.tanh(W @ h + U @ word) → math.tanh(W @ h + U @ word)
    `math.tanh` takes one number, and your note holds several. Whose tanh takes a whole
    array?

number by number: W @ h + → (W * h).diagonal() +
or: W @ note + → np.diag(W) * note +
or: W.dot(last) + → W.diagonal() * last +
    Each number of your note hears only itself. A matrix product lets each number of the
    new note hear all of the old one: which sign writes it?

the note starts at one: np.zeros(len(W)) → np.ones(len(W))
or: np.zeros(d) → np.ones(d)
or: [0.0] * d → [1.0] * d
    Your first state is not what the first word alone makes. What does the note hold before
    any word is read?

a state too many: states = [] → states = [h]
or: return states[1:] → return states
    You give one state more than there are words. Which of yours was there before the first
    word?

one word behind: h = np.tanh(W @ h + U @ word)\\n        states.append(h) → states.append(h)\\n        h = np.tanh(W @ h + U @ word)
or: return states[1:] → return states[:-1]
    Each of your states lacks its own word: the first is empty. Do you note the state before
    or after its word is read?

the last state alone: return np.array(states) → return h
or: return states[1:] → return states[-1]
or: return np.array(states) → return np.array(states[-1])
or: return states[1:] → return states[-1:]
or: return np.array(states) → return np.array([states[-1]])
    You give the last state. One for each word is asked for: where do the others stay?

the first state alone: \\n    return np.array(states) → \\n        return np.array(states)
or: \\n    return states\\n → \\n        return states\\n
    Your loop ends after the first word. How far is your `return` moved in?

all in one row: return np.array(states) → return np.concatenate(states)
    You laid all numbers in one row. Which axis counts the words, and which the numbers of
    a state?

the last word forgotten: for word in x: → for word in x[:-1]:
or: for t, word in enumerate(x): → for t, word in enumerate(x[:-1]):
or: for t in range(n): → for t in range(n - 1):
    The last word is never read. How often does your loop run?

read from the right: for word in x: → for word in x[::-1]:
or: for t, word in enumerate(x): → for t, word in enumerate(x[::-1]):
or: for t in range(n): → for t in range(n)[::-1]:
    You read the sentence from its end. With which word does the chain begin?

the note keeps adding up: h = np.tanh(W @ h + U @ word) → h = h + np.tanh(W @ h + U @ word)
or: states[t] = np.tanh(W @ note + news[t]) → states[t] = note + np.tanh(W @ note + news[t])
or: states[t + 1] = np.tanh( → states[t + 1] = states[t] + np.tanh(
    You add the new note to the old one. The chain *rewrites* its note: what is left of the
    old one, and where?

handed on before tanh: h = np.tanh(W @ h + U @ word)\\n        states.append(h) → h = W @ h + U @ word\\n        states.append(np.tanh(h))
or: states[t] = np.tanh(W @ note + news[t])\\n        note = states[t] → note = W @ note + news[t]\\n        states[t] = np.tanh(note)
    What you hand on has not been through tanh, though what you give back has. Which of the
    two is the state?

one vector written over: h = np.tanh(W @ h + U @ word) → h[:] = np.tanh(W @ h + U @ word)
    All your rows are the last state: they are the same vector, written over at each word.
    What makes a new vector at each step?

neighbours only: for word in x: → for t, word in enumerate(x):
and: np.tanh(W @ h + U @ word) → np.tanh(W @ np.tanh(U @ x[t - 1] if t else h) + U @ word)
    Each of your states knows its own word and the one before. How does news from further
    back get into it?

the word before: news = x @ U.T → news = np.roll(x, 1, axis=0) @ U.T
    Each of your states reads the word before its own, and the first one reads the last
    word. Which word stands at the same place as the state?

rows and columns of the result exchanged: return np.array(states) → return np.array(states).T
or: return states[1:] → return states[1:].T
    You give one state per column. Along which axis do the words lie in this book?

overflow: np.tanh(W @ h + U @ word) → (lambda e: (e - 1) / (e + 1))(np.exp(2 * (W @ h + U @ word)))
or: np.tanh(W @ note + news[t]) → (lambda a: (np.exp(a) - np.exp(-a)) / (np.exp(a) + np.exp(-a)))(W @ note + news[t])
    Your own tanh gives no number where its input is large: exp(1000) is more than a float
    can hold. Who has a tanh that knows better?

words clipped: for word in x: → for word in np.clip(x, -20, 20):
or: x @ U.T → np.clip(x, -20, 20) @ U.T
or: for word in x: → for word in np.clip(x, -50, 50):
or: for word in x: → for word in np.clip(x, -100, 100):
    You cut the numbers of a word off before U weighs them against each other. After
    which step is a number too large for nothing but tanh?

news taken away: W @ h + U @ word → W @ h - U @ word
or: W @ note + news[t] → W @ note - news[t]
or: W @ h + U @ word → U @ word - W @ h
    One of the two parts has the wrong sign. What stands between them in the formula?

half of the old note kept: h = np.tanh(W @ h + U @ word) → h = (h + np.tanh(W @ h + U @ word)) / 2
    You mix the new note with the old one. The chain rewrites its note: how much of the
    old one is left outside tanh?

U left out: W @ h + U @ word → W @ h + word
or: W @ note + news[t] → W @ note + x[t]
    You add the word as it is. What makes something as long as the state out of it?

states added up to a total: return np.array(states) → return np.cumsum(states, axis=0)
    Your rows are sums of all states so far. What is asked for in each row?
"""


def sentence(n, d_in, d):
    """Words, and weights that leave tanh in its steep part and are never symmetric."""

    def inputs(rng):
        x, W, U = normal((n, d_in), (d, d), (d, d_in))(rng)
        for matrix in (W, U):
            matrix[0, -1] = matrix[-1, 0] + 0.5
        return x, (W / d**0.5).round(2), (U / d_in**0.5).round(2)

    return inputs


def small_chain(rng):
    x, W, U = normal((3, 1), (1, 1), (1, 1), scale=1.0)(rng)
    return x, W + 0.05, U + 0.05  # one decimal each, so neither is 0


def large_numbers(rng):
    """What comes out of U is so large that neither exp nor the note matters.

    Where the words themselves are cut off at a limit, some of it changes its sign.
    """
    while True:
        x = 100.0 * rng.integers(-10, 11, size=(3, 2))
        U = rng.integers(-3, 4, size=(3, 2)).astype(float)
        news = x @ U.T
        signs = (news > 0).any() and (news < 0).any()
        turned = np.clip(x, -20, 20) @ U.T * np.sign(news) < -15
        if signs and (abs(news) > 750).all() and turned.any():
            return x, rng.integers(-4, 5, size=(3, 3)) / 2 + 0.1, U


TASK = FunctionTask(
    title="A chain of vectors",
    kind="implement",
    answers=("read",),
    arguments=("x", "W", "U"),
    outputs=("states",),
    right=(PLAIN, TABLE, JOINED, RECURSIVE, LOOPS),
    mistakes=MISTAKES,
    checks=(
        Check(
            "*cat drank milk*, as in the chapter",
            fixed([[1], [0.5], [0]], [[0.5]], [[1]]),
            fresh=small_chain,
        ),
        Check("a single word", sentence(1, 2, 3)),
        Check("three words, as long as the state", sentence(3, 2, 2)),
        Check("seven words, longer than the state", sentence(7, 5, 3)),
        Check("four words, shorter than the state", sentence(4, 2, 5)),
        Check(
            "large numbers",
            fixed(
                [[900, -700], [1000, -400], [-500, 400]],
                [[0.5, 2, 1], [-1, 0.5, 1], [1, -2, 0.5]],
                [[2, 3], [3, -1], [-2, -1]],
            ),
            fresh=large_numbers,
        ),
    ),
    hints=(
        "Do the chapter's table again with two numbers per word. Which line of it becomes a "
        "matrix product, and what do you carry from line to line?",
        "One step needs the word and the note before. What does the step give back, and "
        "who needs it next?",
    ),
    section="A chain by hand: the RNN",
    why="One step needs the state of the step before, so the loop can't be taken away: "
    "words wait for one another. The same W and U serve every word.",
)
