"""03.4 What does each change do to the leader's weight?"""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
a better verdict wins: verdict = "up"
or: verdict = "down"
    You let a verdict, which is a value, move a weight. Which two of query, key and value
    are compared?

more tea wins: tea = "up"
or: tea = "down"
    You let tea move Ana's score. By which number of Dora's query is it multiplied?

a common bonus widens the lead: milk = "up"
    Ana's score rises, and who else's? What has become of her lead?

a common bonus levels: milk = "down"
    The scores lie closer to each other in proportion. Is it the proportion of scores that
    counts in softmax, or something else?

a rival falls without effect: ben = "same"
    Ana's own score stays, it is true. Does a weight depend on one voice alone?

a rival falls and takes her along: ben = "down"
    Ben's voice becomes smaller, and so does the sum of all voices. What happens to Ana's
    part of that sum?

cold without effect: cold = "same"
    All scores are changed in the same way, but not by adding. What becomes of the leads?

cold flattens: cold = "down"
    You let cold make the weights more alike. Does division by ½ make a lead smaller or
    larger?

an empty key has no voice: newcomer = "same"
    Eva's score is 0. Is her voice 0, too?

a newcomer lifts the leader: newcomer = "up"
    All voices that were there stay as they were. What does one more do to their sum?

twins change nothing: twins = "same"
    The two Anas together have what Ana had before. How much has each of them?

twins lift the leader: twins = "up"
    Twice as many voices share one whole. Can each of them get more?

twins raise the answer: answer = "up"
    You let the answer rise. Ana's verdict counts twice now: whose else?

twins lower the answer: answer = "down"
    You let the answer fall. Each twin has half of a weight: what do the two pass on
    together?
"""

TASK = ValueTask(
    title="More for Ana, or less?",
    kind="predict, then run",
    outputs=("verdict", "tea", "milk", "ben", "cold", "newcomer", "twins", "answer"),
    right=("same", "same", "same", "up", "up", "down", "down", "same"),
    also_right=(("Same", "SAME", " same ", "Up", "UP", "Down", ["down"], "same"),),
    mistakes=MISTAKES,
    hints=(
        "Write down the three scores before and after each change. Which leads, the "
        "differences between two scores, have changed?",
        "A weight is one voice over the sum of all voices. Which voices change, which are "
        "added, and what becomes of the sum?",
    ),
    section="Three changes",
    why="Only leads and the number of voices move a weight. A feature where the query "
    "is 0, what all scores have in common, and the values themselves leave it alone.",
)
