"""02.2 Four merges by hand, and what they make of new words."""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
each word counted once: count = 3
    You counted the three words with *t h* once each. How often does *the* occur in the
    text?

pairs of the first word alone: count = 8
    That is *the* alone. Which other words begin with the same pair?

one word left out: count = 11
or: count = 9
or: count = 4
    One of the words with *t h* is missing from your sum. There are three of them: which
    ones?

letters counted: count = 24
or: count = 22
    A pair counts once in each word that holds it, not once for each of its letters. How
    many pairs *t h* are there in all?

all words added: count = 18
    That is how many words the text has. Which of them hold *t h*?

letters only: second = "in"
or: second = "i n"
or: second = "he"
    The neighbours have changed: after the first merge *th* is one piece. How often
    does it stand beside *e*, and is any other pair more frequent?

the first merge: second = "th"
or: second = "t h"
    That is the first merge. What is joined after it?

two halves: second = ("th", "e")
or: second = "th e"
or: second = "t h e"
or: fourth = ("in", "g")
or: fourth = "in g"
or: fourth = "i n g"
    You give parts. Write the joined piece as one text in quotes.

long words first: second = "thi"
    The pair *th i* occurs 4 times, in *this* and *thin*. Which pair with *th* occurs
    more often?

merges after the fourth: fourth = "thi"
or: fourth = "is"
    That pair occurs 3 times by then. Is *in* beside some letter more often?

third merge instead of the fourth: fourth = "in"
    *In* is the third merge. Which pair is the most frequent when *in* is one piece?

pair without its new piece: fourth = "ng"
    In *sing* the *n* is no longer a piece by itself. Into what has it been joined?

whole words: fourth = "ring"
or: fourth = "thin"
or: fourth = "king"
or: fourth = "sing"
or: fourth = "this"
    A merge joins two pieces only, and takes the pair that is the most frequent. Which
    pieces stand in *ring* after three merges?

only three merges used: things = ["th", "in", "g", "s"]
    You stopped after three merges. What does the fourth one join?

only the first merge used: things = ["th", "i", "n", "g", "s"]
    You did one merge, *t h*, and stopped. Which of the other three find their pair here?

letters joined too late: things = ["th", "i", "ng", "s"]
    No merge joins *n* and *g*: when the fourth one comes, the *n* is gone. What was it
    joined to in the third?

letters that are not there: things = ["the", "ing", "s"]
or: things = ["the", "in", "g", "s"]
    Put your pieces side by side: they don't spell *things*. Which letter is too many?

an ending of the list forgotten: things = ["th", "ing"]
or: things = ["th", "in", "g"]
    Put your pieces side by side: a letter of *things* is missing. No merge joins it: what
    becomes of a letter that is never joined?

piece that was never learned: things = ["thing", "s"]
or: things = ["thin", "g", "s"]
or: things = ["thi", "n", "g", "s"]
    No merge joins *th* with what follows here. Which merges have been learned?

letters left apart: things = ["t", "h", "ing", "s"]
    The merges make *ing* here. What has become of *t h*, the very first one?

no merge used: things = ["t", "h", "i", "n", "g", "s"]
    You have cut the word into letters. Which merges fit it?

left whole: things = ["things"]
    The word never stood in the text. Out of which pieces can the merges make it?

ending split off: things = ["th", "ings"]
    No merge joins the *s* to anything. What becomes of it?

unknown word: things = ["<unk>"]
or: things = "<unk>"
    The word is new, but its letters are not. What do the merges make of them?

text instead of a list: things = "th ing s"
or: things = "th, ing, s"
    Write a list: each piece in quotes of its own, with commas between, in square
    brackets.

pieces in another order: things = ["s", "ing", "th"]
or: things = ["ing", "th", "s"]
    Those are the right pieces. In which order do they stand in the word?

merges alone: rows = 4
    Those are the joined pieces alone. What is the *n* of *thin* cut off into?

letters alone: rows = 9
    Those are the letters alone. Which pieces did the merges add?

letters that are not in use any more: rows = 12
or: rows = 11
or: rows = 10
    A letter keeps its row after it was joined, since new words may need it. How many
    letters are there?

a row for what is unknown: rows = 14
    One too many. The rows are those of the letters in the text and of the joined pieces:
    did you count another letter, or a row for unknown ones?

whole alphabet: rows = 30
    You counted all letters of the alphabet. Which ones occur in this text?

letters of all words: rows = 26
or: rows = 25
or: rows = 27
or: rows = 29
    You counted letters more than once. How many different ones are there?

words: rows = 7
    That is the number of words. What has a row here, words or pieces?

words and merges: rows = 11 + 9
    You added the words as well. A word has no row as such: which pieces do?

a letter of the text: unknown = "n"
or: unknown = "t"
or: unknown = "h"
or: unknown = "i"
or: unknown = "g"
    That letter stands in the text, so it has a row. Which letter of *nothing* is in
    none of the seven words?

the word is unknown: unknown = "nothing"
    The word is new, but most of it can be cut into known pieces. Which letter can't?

nothing is unknown: unknown = ""
    Over bytes nothing would be unknown. These merges started from the letters of seven
    words: which letter of *nothing* is not among them?

an unknown pair: unknown = "no"
or: unknown = "not"
    Half of that is known: *n* has a row. Which letter has none?
"""

TASK = ValueTask(
    title="Four merges by hand",
    kind="compute by hand",
    outputs=("count", "second", "fourth", "things", "rows", "unknown"),
    right=(12, "the", "ing", ["th", "ing", "s"], 13, "o"),
    also_right=(
        (12.0, " the ", "ING", ("th", "ing", "s"), [13], ["o"]),
        ([12], ["the"], "Ing", ["th", "ing", "s"], 9 + 4, "O"),
    ),
    mistakes=MISTAKES,
    hints=(
        "Write each word in letters, its number beside it. For a pair, add up the "
        "numbers of the words that hold it: a word that is said 8 times counts 8 times.",
        "After each merge write the words anew, with the new piece in them. To cut a new "
        "word, do the four merges in it, in the same order.",
    ),
    section="Pieces, by hand",
    why="Counting alone has found a word and an ending. The same ending serves a word "
    "that was never seen, but a letter that was never seen stays unknown.",
)
