"""17.5 Width, penalty and temperature: what does each of them change?"""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
wider finds less: wide_log_p = "down"
    A wider beam drops fewer beginnings. What can it find that a narrow one has thrown
    away?

wider finds the same: wide_log_p = "same"
    Greedy may throw away the best sentence with its first word. Does it always, never,
    or sometimes write the likeliest one?

wider writes more: wide_length = "up"
    Every further word makes a sum of log-probabilities smaller. Which sentences have the
    better sums, if nothing is divided by the length?

width and length apart: wide_length = "same"
    Every further word costs log-probability, and nothing is divided by the length here.
    Which kind of sentence does a wider search come upon?

penalty shortens: penalty_length = "down"
    The name misleads. A log-probability is negative: what does dividing it by a larger
    number do to a long sentence's score?

penalty without effect: penalty_length = "same"
    Several sentences of several lengths compete here. Whose scores does the division
    change most?

penalty lengthens greedy: penalty_greedy = "up"
    One beam is left in every step, and its candidates are all equally long. What does
    dividing all of them by one number do to their order?

penalty shortens greedy: penalty_greedy = "down"
    One beam is left in every step, and its candidates are all equally long. Which of
    them can a common divisor bring to the top?

heat narrows: hot_variety = "down"
    A higher temperature makes the logits smaller, and their distances too. Do the draws
    then fall on fewer words, or on more?

heat without effect on variety: hot_variety = "same"
    Temperature keeps the order of the words. Does it keep their probabilities?

heat finds likelier sentences: hot_log_p = "up"
    At a higher temperature unlikely words are drawn more often. What does the model
    itself think of such sentences?

heat without effect on likelihood: hot_log_p = "same"
    The model stays as it is, and what is drawn from it changes. Which words come up more
    often when it is hot?

one word, and still variety: top_1_variety = "up"
    Only one word is left to draw from in each step. What can the temperature do to its
    probability?

one word, and less variety: top_1_variety = "down"
    Only one word is left to draw from in each step, at either temperature. How many
    different sentences can that give?
"""

TASK = ValueTask(
    title="What does it change?",
    kind="predict, then run",
    outputs=(
        "wide_log_p",
        "wide_length",
        "penalty_length",
        "penalty_greedy",
        "hot_variety",
        "hot_log_p",
        "top_1_variety",
    ),
    right=("up", "down", "up", "same", "up", "down", "same"),
    also_right=(("Up", "DOWN", " up ", "Same", "up", "down", "same"),),
    mistakes=MISTAKES,
    hints=(
        "A log-probability is a sum of negative numbers, one for each word. What does one "
        "more word do to it, and what does a division by a number above 1?",
        "Ask of each change: between which candidates is chosen, and can the change put "
        "them in another order, or alter how often each is drawn?",
    ),
    section="How wide?",
    why="Width decides how much is searched, the penalty what counts as best, and the "
    "temperature how far draws stray. None of them makes the model know more.",
)
