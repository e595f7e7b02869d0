"""09.5 Which of the four ways to mark positions notices what?"""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
mirror, rotary blind: middle = [1, 2]
    Rotary adds no vector. But its scores know how far away a key is, and one thing
    more: which?

mirror, seen by all: middle = [1, 2, 3, 4]
    In the mirrored text each word has a neighbour of the other side, just as far away.
    Which way knows nothing but how far?

mirror, seen by none: middle = []
    That is attention without positions: a bag of words. What do the four ways tell it
    besides?

mirror, the relative ones alone: middle = [3, 4]
    Words 0 and 4 have changed their positions. Do the ways that say *this is position
    p* not notice that?

mirror, rotary alone: middle = [3]
    Rotary does know the side. But words 0 and 4 have changed their positions: what was
    added to them, in the absolute ways?

mirror, rotary taken for ALiBi: middle = [1, 2, 4]
    You exchanged the two relative ways. Which one turns, and which one lowers a score
    alike on both sides?

trade, ALiBi sees nothing: first = [1, 2, 3]
    ALiBi doesn't know the side. Here both words are on the same side of word 0: how far
    away is each, before and after the trade?

trade, seen by the absolute ways alone: first = [1, 2]
    The two words are at other distances from word 0 after the trade. Which ways look at
    just that?

trade, seen by the relative ways alone: first = [3, 4]
    Both words have new positions after the trade. Do the ways that say *this is
    position p* not notice that?

trade, seen by none: first = []
    Without positions that would be so. What do the four ways tell attention?

trade, seen by rotary and not by the rest: first = [3]
    Rotary is right. Are there other ways that know positions, or distances?

later, seen by all: later = [1, 2, 3, 4]
    All five words have moved by the same 20 positions. What has happened to the
    distances between them?

later, seen by rotary: later = [1, 2, 3]
    Rotary turns queries and keys further at later positions, all of them by the same.
    What is left of that in a score?

later, seen by ALiBi: later = [1, 2, 4]
    ALiBi's price is for the distance between a query and a key. Has it changed?

later, seen by none: later = []
    No distance has changed. But two of the ways say something else than distances:
    what?

later, seen by the relative ways: later = [3, 4]
    That is the other way round. Who says *this is position p*, and who *so many
    positions apart*?

later, learned positions the same: later = [1]
    Position 20 has a row of its own in a learned table, too. Is it the row of position 0?

later, sinusoids the same: later = [2]
    The turn from position 0 to position 20 is the same for all, but the vectors that
    are added differ. What enters the values?

echo, seen by all: echo = [1, 2, 3, 4]
    All five words have the same vector. In two of the ways the values stay equal, too:
    what comes out when equal values are mixed, by whatever weights?

echo, seen by rotary: echo = [1, 2, 3]
    Rotary gives the words different weights. But what do they weigh, if values don't
    turn and all words are the same?

echo, seen by ALiBi: echo = [1, 2, 4]
    ALiBi gives the words different weights. But what do they weigh, if all words are
    the same?

echo, seen by the relative ways: echo = [3, 4]
    They give different weights to values that are all the same. What comes out? And
    where do the absolute ways enter, before or after the values are made?

echo, seen by none: echo = []
    The words are the same. But two ways add something to them before the values are
    made: what?

silent, seen by none: silent = []
    With queries of 0 every q · k is 0. Which way puts something into the scores that
    needs no query?

silent, seen by all: silent = [1, 2, 3, 4]
    If the queries are 0, so is every q · k, whatever was added or turned. Which weights
    follow, and in which way not?

silent, seen by those that saw it before: silent = [1, 2, 3]
    If the queries are 0, so is every q · k, and three ways know positions by nothing
    else. Which weights follow, and does the trade change the mean of the values?

silent, seen by the absolute ways: silent = [1, 2]
    The values hold the positions. But with equal weights the output is their mean: does
    it change when two words trade the vectors that are added to them?

silent, seen by the relative ways: silent = [3, 4]
    How long is a query of 0 after it has been turned? And what is its dot product with
    a key?

silent, seen by rotary: silent = [3]
    How long is a query of 0 after it has been turned? And which way needs no query?

silent, seen by all but rotary: silent = [1, 2, 4]
    ALiBi is right. With equal weights, does the mean of the values change when two
    words trade the vectors that are added to them?
"""

TASK = ValueTask(
    title="Which way notices what?",
    kind="predict, then run",
    outputs=("middle", "first", "later", "echo", "silent"),
    right=([1, 2, 3], [1, 2, 3, 4], [1, 2], [1, 2], [4]),
    also_right=(
        ((1, 2, 3), range(1, 5), (1, 2), (1, 2), 4),
        ([1.0, 2, 3], [1, 2, 3, 4], [1, 2.0], [1, 2], (4,)),
    ),
    mistakes=MISTAKES,
    hints=(
        "An output is a mean of values, by weights. For each way ask twice: does the "
        "change reach the weights? Does it reach the values?",
        "Two ways write the position into the words, so into queries, keys and values. "
        "One knows distance and side, one the distance alone.",
    ),
    section="Four ways, side by side",
    why="Absolute ways change the values as well, relative ones only the weights, and "
    "ALiBi even where the queries are 0. That is why they notice such different things.",
)
