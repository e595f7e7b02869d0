"""08.5 Which outputs move when one word changes: predicted, then run."""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
counted from 1: triangle = [4, 5, 6]
or: too_large = [2, 3, 4, 5, 6]
or: no_diagonal = [4, 5, 6]
or: pad = [3]
or: turned = [1, 2, 3]
or: second_open = [1, 2, 3, 4, 5, 6]
    You count from 1. What is the number of the first position?

the own output alone: triangle = [3]
    Then no row would depend on what stands before it. Which rows may attend to word 3?

own output stays: triangle = [4, 5]
    Output 3 is made from word 3, to begin with. May a word attend to itself?

the earlier ones move: triangle = [0, 1, 2, 3]
or: triangle = [0, 1, 2]
    You let the past depend on the future. Rows are queries: which rows have a dot in
    column 3 of the triangle?

all move under the triangle: triangle = [0, 1, 2, 3, 4, 5]
    Two rounds pass things on, but only to later rows. By which way would word 3 get to
    row 0?

second round only one step: triangle = [3, 4]
    How many rows attend to word 3 in the first round already?

one round of three: too_large = [3, 4, 5]
    That is so after one round. To which later row does row 2 attend in the second
    round, and on what does that row depend by then?

two rounds of three: too_large = [2, 3, 4, 5]
    That is so after two rounds. To which later row does row 1 attend in the third?

one round too many: too_large = [0, 1, 2, 3, 4, 5]
    Each round carries the change one position towards the beginning. How many rounds
    are there, and at which position does it start?

the diagonal as if it were right: too_large = [4, 5]
    Draw the triangle for `diagonal=1`. Which rows have a dot in column 4?

only towards the beginning: too_large = [1, 2, 3, 4]
or: too_large = [1, 2, 3]
    You follow the leak and forget the past. Which later rows attend to word 4, as they
    should?

one masked round protects: second_open = [4, 5]
    After round 1 rows 4 and 5 hold the change. In round 2 nothing is hidden: to which
    rows may row 0 attend?

an open round without its past: second_open = [0, 1, 2, 3]
    The change reaches rows 0 to 3 in round 2. Which rows had it reached before?

open for one step: second_open = [3, 4, 5]
    A round without a mask hides nothing. How far away are the rows to which row 0 may
    attend?

own word hidden, so own output stays: no_diagonal = [4, 5]
    The attention of row 3 does not see word 3. What else goes into the sum that leaves
    each round?

nothing is left without the diagonal: no_diagonal = []
or: no_diagonal = [3]
    A triangle without its diagonal still has dots. Which rows have one in column 3?

no diagonal moves all: no_diagonal = [0, 1, 2, 3, 4, 5]
    The triangle has become smaller, not larger. Which rows may attend to word 3?

no diagonal, one step later: no_diagonal = [5]
or: no_diagonal = [3, 5]
    Row 4 attends to word 3 in the first round. Does the second one take that away?

a hidden pad moves nothing: pad = []
    No row attends to a pad. But is its own row the same as before?

a pad like a word: pad = [2, 3, 4, 5]
    You used the triangle alone. Which column does the padding mask strike out?

all but the pad: pad = [0, 1, 3, 4, 5]
or: pad = [3, 4, 5]
    The rows that move must have attended to word 2. What does the padding mask say
    about column 2?

pad seen by all: pad = [0, 1, 2, 3, 4, 5]
    Two masks hide word 2 from row 0, each for another reason. Which ones?

not turned: turned = [2, 3, 4, 5]
    That is so under the triangle itself. What does `~` make of each True?

own output stays under the turned triangle: turned = [0, 1]
    Rows 0 and 1 may attend to word 2 now, that is right. What is added to what a row
    has found?

everything moves under the turned triangle: turned = [0, 1, 2, 3, 4, 5]
    Turned around, the triangle forbids the past. May row 5 attend to word 2 then?

own word alone under the turned triangle: turned = [2]
    The diagonal is turned, too. Which rows have a dot in column 2 now?

all but the past: turned = [3, 4, 5]
    Those are rows after word 2. Does True in the turned mask lie above the diagonal or
    below?
"""

TASK = ValueTask(
    title="How far does a change reach?",
    kind="predict, then run",
    outputs=("triangle", "too_large", "second_open", "no_diagonal", "pad", "turned"),
    right=(
        [3, 4, 5],
        [1, 2, 3, 4, 5],
        [0, 1, 2, 3, 4, 5],
        [3, 4, 5],
        [2],
        [0, 1, 2],
    ),
    also_right=(((3, 4, 5), range(1, 6), range(6), (3.0, 4.0, 5.0), 2, (0, 1, 2)),),
    mistakes=MISTAKES,
    hints=(
        "Draw the table of the mask. Column j says which rows attend to word j in one "
        "round; then go on from those rows with the mask of the next round.",
        "Each round adds what a row found to what it was: so a row that has moved never "
        "comes back, whatever its mask says.",
    ),
    section="A test that catches leaks",
    why="A change walks along the dots of the mask, one step a round, and stays where it "
    "was by the sum. One open round is enough to let the future in.",
)
