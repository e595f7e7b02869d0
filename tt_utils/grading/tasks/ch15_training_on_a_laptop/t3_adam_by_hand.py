"""15.3 Steps of AdamW, by hand."""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
plain gradient descent: first = 2.8
    That is rate × gradient. By what does Adam divide?

no correction: first = 2 + 0.2 * 0.4 / 0.32 ** 0.5
    Your averages still lean towards their start, 0. What are they divided by at the first
    step?

slope corrected alone: first = 2 + 0.2 * 4 / 0.32 ** 0.5
    You corrected m and left v as it was. Which of the two starts at 0?

square corrected alone: first = 2.02
    You corrected v and left m as it was. Which of the two starts at 0?

no root: first = 2.05
    You divided by the mean square. Which quantity has the size of a slope?

gradient not squared: first = 2.4
    Your v holds the gradient itself. Of what does v keep the mean?

uphill: first = 1.8
    The gradient is negative, so the loss falls when w grows. Which way is down?

change instead of the weight: first = 0.2
or: first = -0.2
    That is the change. Which number is the weight then?

ten times as far: ten_times = 4
    You let a gradient ten times as large move the weight ten times as far. What happens
    to m, and what to the root of v?

ten times, plain gradient descent: ten_times = 10
    That is rate × gradient. By what does Adam divide?

ten times, not corrected: ten_times = 2 + 0.2 * 0.4 / 0.32 ** 0.5
    Your averages still lean towards their start, 0. What are they divided by at the first
    step?

ten times, a tenth as far: ten_times = 2.02
    You let a large gradient move the weight less. How do m and the root of v change when
    g is ten times as large?

ten times, uphill: ten_times = 1.8
    The gradient is negative, so the loss falls when w grows. Which way is down?

decay through the averages: decayed = 2.2
    In your step the decay is gone. Added to the gradient, it would be divided out with it.
    Where does the W in AdamW put it?

decay without the rate: decayed = 1.7
    You took the decay off at once. By what is it multiplied, as all else in a step?

decay of the new weight: decayed = 2.09
    You let the weight decay after the step. Which w stands in the formula of the task?

decay alone: decayed = 1.9
    That is the decay alone. What became of Adam's step?

decay upwards: decayed = 2.3
    Your decay pulls the weight away from 0. Which way should it pull?

no average: second = 2.0
    Your second step is as long as the first and goes back. Which share has the new
    gradient in m?

the first step again: second = 2.4
    You went the same way once more. Which sign has the second gradient?

second, no correction at all: second = 2 + 0.2 * 0.4 / 0.32 ** 0.5 - 0.2 * 0.04 / 0.6336 ** 0.5
    Neither of your averages is corrected. By what are m and v divided at step 2?

second, corrected as the first: second = 2.2 - 0.2 * 0.4 / 31.68 ** 0.5
    You divided by 1 − β once more. What becomes of β at step 2?

nothing moves: second = 2.2
    You let the two gradients cancel. Do both of them weigh the same in m?

second on its way: second = 2.2 + 0.2 * 0.04 / 0.19 / 4
    The sizes are right. Which sign has m after the second gradient?

change of the second: second = 0.2 * 0.04 / 0.19 / 4
or: second = -0.2 * 0.04 / 0.19 / 4
    That is the change. Which number is the weight then?

decay in the second: second = 2.1 - 0.2 * 0.04 / 0.19 / 4
    There you went on from the decayed weight. From which one does the task go on?
"""

TASK = ValueTask(
    title="Steps of AdamW, by hand",
    kind="compute by hand",
    outputs=("first", "ten_times", "decayed", "second"),
    right=(2.2, 2.2, 2.1, 2.2 - 0.2 * 0.04 / 0.19 / 4),
    also_right=((2.2, 2.2, 2.1, 2.1895), ([2.2], 22 / 10, 2.1, 2.189)),
    rtol=4e-4,
    atol=1e-6,
    mistakes=MISTAKES,
    hints=(
        "Make a table with a column for each of g, m, v, m̂, v̂ and w, and a row for each "
        "step. At step 1, what is m̂ in terms of g?",
        "At step 2 both corrections divide by 1 − β². The new m is nine tenths of the old "
        "one and a tenth of the new gradient.",
    ),
    section="Adam",
    why="At first a step of Adam has the length of the rate, whatever the size of the "
    "gradient. Gradients of changing sign cancel in m but not in v, so the step gets short. "
    "Decay stays outside of both.",
)
