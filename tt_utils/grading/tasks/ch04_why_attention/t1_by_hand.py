"""04.1 Links, a gate, windows and layers by hand."""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
links added: arrives = 0.5 + 0.8 + 0.5 + 0.5
    You added the links, and more than the whole nudge arrives. The second link passes on
    a share of what the first let through: how do you take a share of a share?

weakest link: arrives = 0.5
    You took the weakest link alone. Each link passes on a share of what reaches it: what
    reaches the last one?

mean of the links: arrives = (0.5 + 0.8 + 0.5 + 0.5) / 4
    You took the mean of the links. What reaches the second link is not the whole nudge:
    what does it take its share of?

a link left out: arrives = 0.5 * 0.8 * 0.5
or: arrives = 0.5 * 0.5 * 0.5
or: arrives = 0.5 * 0.8
    One link or more is missing. Each step of the news, from the first word to the last
    state, has its own: how many are given?

what is lost: arrives = 1 - 0.5 * 0.8 * 0.5 * 0.5
or: arrives = 0.5 * 0.2 * 0.5 * 0.5
    You counted what gets lost. What does a link of 0.8 do with a nudge of 1?

share divided: later = 0.2 / 3
    You divided by 3. The same chain is passed three times, each time with what is left:
    what happens to a share that is passed on again?

share multiplied by 3: later = 0.6
    More can't be left after more words, since each one takes its share. What do six
    more words do with the 0.2?

twelve words: later = 0.2**2
    That is what twelve words leave. How many times six are eighteen?

every word a fifth: later = 0.2**18
or: later = 0.2**12
    In yours almost nothing is left, as if 0.2 were the share of each single word. After
    how many words is 0.2 left?

once too often: later = 0.2**4
    You took the share once too often. How many times six words are eighteen words?

straight line: later = -1.4
    You took the same amount away each time. What stays the same from word to word, an
    amount or a factor?

gate shuts what is kept: kept = (1 - 0.75) * ((1 - 0.75) * 12 + 1) - 2
    You keep a quarter of the old number. When the forget gate is 1, is everything
    forgotten or everything kept?

gates exchanged: kept = 0.5 * (0.5 * 12 + 0.75 * 2) + 0.75 * -4
    You gave each gate the work of the other. Which one stands before the old number in
    the formula?

after one word: kept = 0.75 * 12 + 0.5 * 2
    That is the number after the first word. What does the second one do with it?

second word alone: kept = 0.75 * 12 + 0.5 * -4
    You left the first word out. Which number does the second word find?

no news: kept = 0.75 * 0.75 * 12
    You kept the old and took nothing in. What do the words bring?

both words in one step: kept = 0.75 * 12 + 0.5 * (2 - 4)
    You read both words in one step, so what was there has met the forget gate only once.
    How many steps are two words?

first news never faded: kept = 0.75 * 0.75 * 12 + 0.5 * (2 - 4)
    What the first word brought does not fade in yours. At the second word it is part of
    the old number: what does f multiply?

news faded at once: kept = 0.75 * (0.75 * (12 + 0.5 * 2) + 0.5 * -4)
    You let f act on the news of the same word too. What does f stand before in the
    formula?

news not gated: kept = 0.75 * (0.75 * 12 + 2) - 4
    You let the news in whole. Which gate stands before it?

one gate for both: kept = 0.75 * (0.75 * 12 + 0.25 * 2) + 0.25 * -4
    You let in as much as you forget, like a chain with one gate. Here the second gate has
    a number of its own: which one?

nothing forgotten: kept = 12 + 0.5 * 2 + 0.5 * -4
    You only added the news. What does the forget gate do to the old number, before the
    news comes in?

sign of the news lost: kept = 0.75 * (0.75 * 12 + 0.5 * 2) + 0.5 * 4
    You added the second word's news as if it were positive. What is a half of −4?

kernel turned around: sums = [6, -1, 6, 8]
    You turned the kernel around and multiplied the left neighbour by its last number.
    Window and kernel are read in the same order: which of its numbers comes first?

nothing beyond the ends: sums = [1, 0]
    Two places are missing: those at the ends. What stands beyond them?

ring: sums = [9, 1, 0, 8]
    Your first and last numbers are neighbours, as in a ring. What stands beyond the ends?

end repeated: sums = [8, 1, 0, 7]
    You wrote the first and the last number once more beyond the ends. What stands there
    in the chapter?

kernel left out: sums = [2, 3, 4, 4]
    You added up the numbers in each window as they are. What are they multiplied by?

window begins at its place: sums = [1, 0, 10, 3]
    Your windows begin at their place, so they look to the right alone. Where in its
    window does a place stand?

window ends at its place: sums = [-2, 6, 1, 0]
    Your windows end at their place, so they look to the left alone. Where in its window
    does a place stand?

words counted: plain = 30
    You counted the words. How many steps to the right lead from the first of 2 words to
    the last? And of 3 words?

from both ends: plain = 15
or: plain = 14.5
or: plain = 14
    A window hears both neighbours, but the news goes from the first word to the last: how
    many places does it move to the right in one layer?

a window at a time: plain = 10
    You cut the sentence into threes. Windows overlap: how far to the right does the news
    get in one layer?

one layer: plain = 1
    In one layer the first word reaches only its neighbour. Where is the news after two?

one step short: plain = 28
    Then the news stands at the last word but one. How many steps does it take from word
    1 to word 30?

widest gap alone: dilated = 3
    Three layers look 1, 3 and 9 apart. How many places is that when the news uses them
    one after the other, and how many does it have to go?

places instead of layers: dilated = 27
or: dilated = 40
    You give a number of places. How many layers does the news need to get that far?

a layer too many: dilated = 5
    One less is enough. How many places do gaps of 1, 3, 9 and 27 make when they are added
    up, and may the news come earlier?

dilated like plain: dilated = 29
or: dilated = 30
    Here the places that a window looks at lie further and further apart. How far does the
    news get in the second layer?

divided by three: dilated = 10
or: dilated = 9
    You took the same gap of 3 in all layers. What happens to the gap from layer to layer?

part of a layer: dilated = 3.1
or: dilated = 3.096
or: dilated = math.log(30, 3)
    There is no part of a layer. How far has the news got after three?
"""

TASK = ValueTask(
    title="Three roads by hand",
    kind="compute by hand",
    outputs=("arrives", "later", "kept", "sums", "plain", "dilated"),
    right=(0.1, 0.008, 5.5, (6, 1, 0, 10), 29, 4),
    also_right=(
        (0.5 * 0.8 * 0.5 * 0.5, 0.2**3, 11 / 2, [6.0, 1.0, 0.0, 10.0], 29.0, 4.0),
    ),
    rtol=1e-3,
    atol=1e-5,
    mistakes=MISTAKES,
    hints=(
        "Send a nudge of 1 along the chain and write down what is left of it behind each "
        "link. Then do the same with the news in the layers: where is it after each one?",
        "For the gate and the windows, write the chapter's formula or table with letters "
        "first, and put the numbers in one after the other.",
    ),
    section="Does the first word still count at the end?",
    why="Shares of shares multiply, so a chain fades by a factor; a gate near 1 keeps the "
    "old number; and gaps that triple bring the news to the end in few layers.",
)
