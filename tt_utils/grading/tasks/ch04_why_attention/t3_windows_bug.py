"""04.3 Two planted bugs in dilated windows: a ring, and gaps that grow too slowly."""

from tt_utils.grading.tasks.inputs import fixed, normal
from tt_utils.grading.tasks.spec import Check, FunctionTask

PLAIN = """
def windows(x, kernel, n_layers):
    for layer in range(n_layers):
        gap = 3**layer
        left, right = np.zeros(x.shape), np.zeros(x.shape)
        left[gap:] = x[:-gap]
        right[:-gap] = x[gap:]
        x = kernel[0] * left + kernel[1] * x + kernel[2] * right
    return x
"""

PADDED = """
def windows(x, kernel, n_layers):
    for layer in range(n_layers):
        gap = 3**layer
        beyond = [(gap, gap)] + [(0, 0)] * (x.ndim - 1)
        padded = np.pad(x, beyond)
        left, right = padded[: len(x)], padded[2 * gap :]
        x = kernel[0] * left + kernel[1] * x + kernel[2] * right
    return x
"""

ROLLED = """
def windows(x, kernel, n_layers):
    for layer in range(n_layers):
        gap = 3**layer
        left = np.roll(x, gap, axis=0)
        right = np.roll(x, -gap, axis=0)
        left[:gap] = 0
        right[-gap:] = 0
        x = kernel[0] * left + kernel[1] * x + kernel[2] * right
    return x
"""

MATRIX = """
def windows(x, kernel, n_layers):
    n = len(x)
    for layer in range(n_layers):
        gap = 3**layer
        step = kernel[1] * np.eye(n)
        step += kernel[0] * np.eye(n, k=-gap) + kernel[2] * np.eye(n, k=gap)
        x = step @ x
    return x
"""

LOOPS = """
def windows(x, kernel, n_layers):
    words = x.copy()
    for layer in range(n_layers):
        gap = 3**layer
        new = np.zeros(words.shape)
        for i in range(len(words)):
            new[i] = kernel[1] * words[i]
            if i - gap >= 0:
                new[i] += kernel[0] * words[i - gap]
            if i + gap < len(words):
                new[i] += kernel[2] * words[i + gap]
        words = new
    return words
"""

MISTAKES = """
as planted: gap = 3**layer → gap = 1 + 2 * layer
and: \\n        left[:gap] = 0\\n        right[-gap:] = 0 →
    Put a 1 in front of five zeros and run one layer: which words get something of it?
    Then print the gap of each layer, and compare with the text.

still a ring: \\n        left[:gap] = 0\\n        right[-gap:] = 0 →
or: np.pad(x, beyond) → np.take(x, range(-gap, len(x) + gap), axis=0, mode="wrap")
    Your gaps are right now. One thing is left: the last word feels the first after one
    layer. What does `np.roll` do with a word that falls off the end?

gaps grow too slowly: gap = 3**layer → gap = 1 + 2 * layer
    Your ends are right now. One thing is left: print the gap of each layer. From the
    second one to the third, by what must it grow?

ring on the right only: right[-gap:] = 0 → pass
or: right[:-gap] = x[gap:] → right = np.roll(x, -gap, axis=0)
    The first words are still neighbours of the last ones, seen from the right end. Which
    of your two neighbours still goes round in a ring?

ring on the left only: left[:gap] = 0 → pass
or: left[gap:] = x[:-gap] → left = np.roll(x, gap, axis=0)
    The last words are still neighbours of the first ones, seen from the left end. Which
    of your two neighbours still goes round in a ring?

zeros at the wrong ends: left[:gap] = 0 → left[-gap:] = 0
and: right[-gap:] = 0 → right[:gap] = 0
    You wrote the zeros at the wrong ends. After a move to the right, where do the words
    stand that came round?

zeros of one side at the wrong end: right[-gap:] = 0 → right[:gap] = 0
or: left[:gap] = 0 → left[-gap:] = 0
    One of your two neighbours has its zeros at the wrong end, and the words that came
    round are still there. After each move, at which end do they stand?

zeros from the wrong place on: right[-gap:] = 0 → right[gap:] = 0
or: right[-gap:] = 0 → right[:-gap] = 0
    You write zeros over words that did not come round. After a move to the left, at which
    end do they stand, and how many are they?

zeros put there only once: def windows(x, kernel, n_layers):\\n → def windows(x, kernel, n_layers):\\n    room = 3**n_layers\\n    x = np.pad(x, [(room, room)] + [(0, 0)] * (x.ndim - 1))\\n
and: return x → return x[room:-room]
    You put zeros beyond the ends once, and the first layer writes over them: news goes out
    there and comes back in the next. When must there be zeros again?

one zero at each end: left[:gap] = 0 → left[:1] = 0
and: right[-gap:] = 0 → right[-1:] = 0
or: left[:gap] = 0 → left[0] = 0
and: right[-gap:] = 0 → right[-1] = 0
    You took away one word that came round. With a gap of 3, how many come round?

gap multiplied instead of raised: gap = 3**layer → gap = max(1, 3 * layer)
    Your gaps are 1, 3, 6, 9. They must grow by a factor from layer to layer: which sign
    says “to the power of” in Python?

gaps grow by three: gap = 3**layer → gap = 1 + 3 * layer
    Your gap grows by 3 from layer to layer: 1, 4, 7. By which *factor* does it grow in the
    task?

gaps by a sign that is no power: gap = 3**layer → gap = 3 ^ layer
    In Python `^` is not the power: print `3 ^ 2`. Which sign is?

gaps doubled: gap = 3**layer → gap = 2**layer
    Your gap doubles from layer to layer. By which factor does it grow in the task?

first gap too wide: gap = 3**layer → gap = 3 ** (layer + 1)
or: range(n_layers) → range(1, n_layers + 1)
    Your first layer looks 3 places away already. How far does it look in the task, and
    with which number does `range` begin?

same gap in all layers: gap = 3**layer → gap = 1
    All your layers look at direct neighbours. What happens to the gap from layer to
    layer?

same wide gap in all layers: gap = 3**layer → gap = 3
    All your layers look 3 places away. What is the gap of the first one?

order of the layers: gap = 3**layer → gap = 3 ** (n_layers - 1 - layer)
    Your widest gap comes first. In the middle of a sentence that makes no difference, but
    at its ends it does: which layer is the first?

kernel turned around: kernel[0] * left + kernel[1] * x + kernel[2] * right → kernel[2] * left + kernel[1] * x + kernel[0] * right
or: kernel[0] * np.eye(n, k=-gap) + kernel[2] * np.eye(n, k=gap) → kernel[2] * np.eye(n, k=-gap) + kernel[0] * np.eye(n, k=gap)
or: left = np.roll(x, gap, axis=0)\\n        right = np.roll(x, -gap, axis=0) → right = np.roll(x, gap, axis=0)\\n        left = np.roll(x, -gap, axis=0)
and: left[:gap] = 0\\n        right[-gap:] = 0 → right[:gap] = 0\\n        left[-gap:] = 0
    The first number of your kernel meets the word on the right. Which neighbour does it
    belong to?

own word left out: + kernel[1] * x → + 0 * x
or: step = kernel[1] * np.eye(n) → step = np.zeros((n, n))
    A place no longer hears its own word. What does the middle number of the kernel
    multiply?

own word kept besides: x = kernel[0] * left → x = x + kernel[0] * left
or: x = step @ x → x = x + step @ x
    You add the old word to what its window makes. Does the kernel not have a number for
    it?

end repeated: np.pad(x, beyond) → np.pad(x, beyond, mode="edge")
or: left[:gap] = 0 → left[:gap] = x[:1]
and: right[-gap:] = 0 → right[-gap:] = x[-1:]
    Beyond the ends you see the first and the last word once more. What stands there in
    the task?

zeros on all sides: np.pad(x, beyond) → np.pad(x, gap)
or: np.pad(x, beyond) → np.pad(x, gap)
and: kernel[1] * x → kernel[1] * padded[gap : gap + len(x)]
    `np.pad(x, gap)` puts zeros along all axes, so words that are vectors get longer too.
    Along which axis do the words follow one another?

numbers of a word as neighbours: np.roll(x, gap, axis=0) → np.roll(x, gap, axis=-1)
and: np.roll(x, -gap, axis=0) → np.roll(x, -gap, axis=-1)
and: left[:gap] = 0 → left[..., :gap] = 0
and: right[-gap:] = 0 → right[..., -gap:] = 0
or: np.roll(x, gap, axis=0) → np.roll(x, gap)
and: np.roll(x, -gap, axis=0) → np.roll(x, -gap)
    Where words are vectors, you move numbers within a word or into the next one. Which
    axis counts the words?

words changed while others still need them: new = np.zeros(words.shape) → new = words
    Within one layer you read words that this layer has written already. Which ones should
    a window see?

each layer starts anew: kernel[1] * words[i] → kernel[1] * x[i]
and: kernel[0] * words[i - gap] → kernel[0] * x[i - gap]
and: kernel[2] * words[i + gap] → kernel[2] * x[i + gap]
    Your last layer reads the sentence itself. What should it read, so that news travels
    on from layer to layer?

first layer only: \\n    return x → \\n        return x
or: \\n    return words → \\n        return words
    Only one layer works. How far is your `return` moved in?

a layer missing: range(n_layers) → range(n_layers - 1)
    One layer is missing. How often does your loop run?

a layer too many: range(n_layers) → range(n_layers + 1)
    One layer is too much. How often does your loop run?

window ends at its place: + kernel[2] * right → + kernel[2] * 0
or: right[-gap:] = 0 → right[:] = 0
    Your words hear nothing from the right. Which words stand in a window?

window begins at its place: kernel[0] * left + → kernel[0] * 0 +
or: left[:gap] = 0 → left[:] = 0
    Your words hear nothing from the left. Which words stand in a window?

first word not heard: if i - gap >= 0: → if i - gap > 0:
    Word 0 is a neighbour like all others, and nobody hears it from the left. Which of
    your comparisons leaves it out?

last word not heard: if i + gap < len(words): → if i + gap < len(words) - 1:
    The last word is a neighbour like all others, and nobody hears it from the right.
    Which of your comparisons leaves it out?

more zeros than words: left[gap:] = x[:-gap] → left = np.concatenate([np.zeros((gap, *x.shape[1:])), x[:-gap]])
and: right[:-gap] = x[gap:] → right = np.concatenate([x[gap:], np.zeros((gap, *x.shape[1:]))])
    Where the gap is wider than the sentence, you put more zeros in front than there are
    words. How many words can be replaced by zeros at most?

whole numbers only: new = np.zeros(words.shape) → new = np.zeros_like(words)
or: left, right = np.zeros(x.shape), np.zeros(x.shape) → dtype = x.dtype; left, right = np.zeros(x.shape), np.zeros(x.shape)
and: kernel[2] * right → kernel[2] * right; x = x.astype(dtype)
    Where the words are whole numbers, you write halves into an array of whole numbers,
    which has no room for them. Which array is that?

kernel divided out: kernel[0] * left + kernel[1] * x + kernel[2] * right → (kernel[0] * left + kernel[1] * x + kernel[2] * right) / 3
or: kernel[0] * left + kernel[1] * x + kernel[2] * right → (kernel[0] * left + kernel[1] * x + kernel[2] * right) / sum(kernel)
or: x = step @ x → x = step @ x / 3
    You made a mean out of each window. What does the task do with the three products
    beyond adding them?

gap from the number of layers: gap = 3**layer → gap = 3**n_layers
or: gap = 3**layer → gap = 3 ** (n_layers - 1)
    All your layers have the same gap, that of the last one or wider. What changes from
    layer to layer?

gap of the layer squared: gap = 3**layer → gap = layer**3
or: gap = 3**layer → gap = max(1, layer**3)
    You exchanged the two numbers of the power. Which one is the same in all layers?

first and last words lost: left[:gap] = 0\\n        right[-gap:] = 0 → left[:gap] = 0\\n        right[-gap:] = 0\\n        x[:gap] = 0\\n        x[-gap:] = 0
or: left[:gap] = 0\\n        right[-gap:] = 0 → x = x.copy()\\n        x[:gap] = 0\\n        x[-gap:] = 0
    You set words of the sentence to 0. Where should zeros stand, in the sentence or beyond
    its ends?
"""


def layers(n_layers, *shape):
    """A sentence, and a kernel of three different numbers."""

    def inputs(rng):
        kernel = rng.choice([-2.0, -0.5, 0.5, 1.0, 1.5, 3.0], size=3, replace=False)
        return *normal(shape)(rng), kernel, n_layers

    return inputs


def whole_numbers(n_layers, *shape):
    """A sentence without decimals, as in the chapter, and a kernel that has some."""

    def inputs(rng):
        kernel = rng.choice([-1.5, -0.5, 0.5, 1.5, 2.5], size=3, replace=False)
        return rng.integers(-9, 10, size=shape), kernel, n_layers

    return inputs


TASK = FunctionTask(
    title="Windows that hear too far",
    kind="find the bug",
    answers=("windows",),
    arguments=("x", "kernel", "n_layers"),
    outputs=("out",),
    right=(PLAIN, PADDED, ROLLED, MATRIX, LOOPS),
    mistakes=MISTAKES,
    checks=(
        Check(
            "one layer, four words, as in the chapter",
            fixed([2, 0, 0, 4], [0.5, 1, 0.5], 1),
            fresh=layers(1, 4),
        ),
        Check("one layer, five words of two numbers", layers(1, 5, 2)),
        Check("two layers, seven words of three numbers", layers(2, 7, 3)),
        Check("three layers, 23 words of two whole numbers", whole_numbers(3, 23, 2)),
        Check("four layers, 59 words", layers(4, 59)),
        Check("four layers, more than eleven words need", layers(4, 11, 5)),
        Check("three layers, two words", layers(3, 2, 3)),
        Check("two layers, a single word", layers(2, 1, 2)),
    ),
    hints=(
        "Run one layer on 1, 0, 0, 0, 0, 0, and look where the 1 gets to. Then put the 1 "
        "at the end.",
        "Make a table by hand: the gap of layers 0, 1, 2 and 3, as the text says and as "
        "the code has it.",
    ),
    section="Windows: the CNN",
    why="In a ring the last word is the first one's neighbour, so the news is there at "
    "once: a road that looks too short is worth a second look. And gaps must triple, or "
    "the number of layers no longer grows like a logarithm.",
)
