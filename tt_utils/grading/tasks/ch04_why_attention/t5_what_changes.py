"""04.5 Which outputs of chain, windows, attention and writer change?"""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
a chain that hears everybody: by_chain = [0, 1, 2, 3, 4, 5, 6]
    The states before word 3 were written before it was read. Can a chain take them back?

a chain of one word: by_chain = [3]
    The note is handed on. Who reads it after word 3?

a chain and its next word: by_chain = [3, 4]
    The next state has heard of word 3. Whom does it hand its note to?

a chain that only hands on: by_chain = [4, 5, 6]
    Word 3 makes a state of its own first. Which number has it?

a chain that looks ahead: by_chain = [0, 1, 2, 3]
or: by_chain = [0, 1, 2]
    You have the chain the other way round. Which words are read when state 0 is written?

the end of the chain: by_chain = [6]
    The last state changes, and so do others. Through which states does the news come to
    it?

counted from 1: by_chain = [4, 5, 6, 7]
or: by_windows = [2, 3, 4, 5, 6]
or: by_attention = [1, 2, 3, 4, 5, 6, 7]
or: swapped = [2, 5]
or: source = [1, 2, 3, 4, 5, 6, 7]
or: told = [4, 5, 6, 7]
    You count from 1. What is the number of the first word in Python?

one layer of windows: by_windows = [2, 3, 4]
    That is one layer. From words 2 and 4, how far does the second one bring it?

windows to the right alone: by_windows = [3, 4, 5]
    A window hears both neighbours. On which sides of word 3 do windows hold it?

windows to the left alone: by_windows = [1, 2, 3]
    A window hears both neighbours. On which sides of word 3 do windows hold it?

windows without the middle: by_windows = [1, 2, 4, 5]
    Word 3 stands in the middle of its own window too. With which number of the kernel?

windows hear all: by_windows = [0, 1, 2, 3, 4, 5, 6]
    With three layers, yes. How far does each layer bring the news, on each side?

window alone: by_windows = [3]
    That would be windows of one word. Which words lie in the window of word 2?

two layers, windows too wide: by_windows = [0, 1, 2, 3, 4, 5]
    On one side the news goes further than on the other. How far in each layer?

attention to itself: by_attention = [3]
    Then the words would not look at one another. Whose values does each word blend?

attention as a chain: by_attention = [3, 4, 5, 6]
    You let words look to the left alone. Is anything hidden in the chapter's attention?

attention as a window: by_attention = [2, 3, 4]
    You let words look at their neighbours alone. Does near or far make a difference to
    attention?

everybody but the word: by_attention = [0, 1, 2, 4, 5, 6]
    The word is its own query, key and value as well. What changes in its own blend?

nobody hears: by_attention = []
    Each word's blend holds a share of word 3. Can that share stay as it is?

order is all: swapped = [0, 1, 2, 3, 4, 5, 6]
    Take output 0: the same two words are there, with the same keys and values. In which
    order is a weighted sum added up, and does it matter?

nothing moves: swapped = []
    The same outputs come out, but not all at the same places. Whose output stands at place
    1 now?

what lies between: swapped = [1, 2, 3, 4]
    Words 2 and 3 have the same words to look at as before. Does attention know which of
    them stands left or right?

swapped as in a chain: swapped = [1, 2, 3, 4, 5, 6]
or: swapped = [2, 3, 4, 5, 6]
    In a chain all from word 1 on would change. Does attention read the words one after
    another?

neighbours of the swapped: swapped = [0, 1, 2, 3, 4, 5]
    Neighbours mean nothing to attention. What is the same for output 0 as before?

the others move: swapped = [0, 2, 3, 5, 6]
    These have the same words to look at as before, and ask as before. What about the two
    that have changed places?

written at the mirrored place: source = [3]
    Word 3 is to be written at place 3, but the writer knows it only through the last
    state. Which of its outputs start from there?

from its place on: source = [3, 4, 5, 6]
    The reader has read all before the writer begins. What does the writer start from, at
    its very first word?

up to its place: source = [0, 1, 2, 3]
    The whole sentence is in the state that the writer starts from. Which of its outputs
    come from that state?

the first output alone: source = [0]
    The writer hands its state on as well. What does output 1 start from?

the last output alone: source = [6]
    The last state of the reader is where the writer begins. Which outputs come after?

fading: source = []
    The news gets weaker on its way, but not nothing. Does the last state of the reader
    know word 3 at all?

told, but only then: told = [3]
    What the writer is told goes into its state. Who goes on from that state?

told, then heard one later: told = [4, 5, 6]
    The word told at place 3 is read before output 3 is made. Which outputs know of it?

told from the start: told = [0, 1, 2, 3, 4, 5, 6]
    Outputs 0 to 2 were made before. May the writer look ahead at what it will be told?

told and not believed: told = []
    The writer believes what it is told. Where does that word go in?

told of the past: told = [0, 1, 2, 3]
or: told = [0, 1, 2]
    You have it the other way round: the writer goes from left to right. Which outputs come
    after what it was told?

told at the end: told = [6]
    The last output changes, and others do before it. From which place on does the writer's
    state know the word?
"""

TASK = ValueTask(
    title="What changes?",
    kind="predict, then run",
    outputs=("by_chain", "by_windows", "by_attention", "swapped", "source", "told"),
    right=(
        [3, 4, 5, 6],
        [1, 2, 3, 4, 5],
        [0, 1, 2, 3, 4, 5, 6],
        [1, 4],
        [0, 1, 2, 3, 4, 5, 6],
        [3, 4, 5, 6],
    ),
    also_right=(
        (range(3, 7), range(1, 6), range(7), (1, 4), tuple(range(7)), (3, 4, 5, 6)),
    ),
    mistakes=MISTAKES,
    hints=(
        "Draw seven squares and, above them, seven circles. For each road, draw the arrows "
        "that start at square 3, and the arrows that go on from there.",
        "For the two words that change places: write the sum that makes output 0, with "
        "its weights, before and after.",
    ),
    section="All pairs at once: attention",
    why="A chain hears the left, windows their neighbours, attention everybody, whatever "
    "the order. The writer is a chain again, and it starts from all that was read.",
)
