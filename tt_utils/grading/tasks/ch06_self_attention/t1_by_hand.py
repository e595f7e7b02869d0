"""06.1 A head with a pencil: two words, three small matrices."""

from tt_utils.grading.tasks.spec import ValueTask

MISTAKES = """
matrix times vector: query = (1, 0)
or: key = (3, 3)
    You multiplied the rows of the matrix with x, as in W x. The book writes x W: which
    numbers of the matrix does the first number of x meet then?

query of the other word: query = (3, 0)
    That is the query of *tea*, or the vector of *tea* itself. Whose query is asked for?

query made by another matrix: query = (3, 1)
or: query = (1, 4)
    That is another projection of *brew*. Which of the three matrices makes what a word
    asks for?

the vector itself as query: query = (1, 2)
    That is the vector of *brew*, before any projection. What makes a query of it?

key of the other word: key = (3, 1)
    That is the key of *brew*. Whose key is asked for?

key made by another matrix: key = (3, 0)
or: key = (3, 6)
    That is not the projection by which *tea* is found. Which of the three matrices
    makes it?

the other way round: brew_asks = 9
or: tea_asks = 21
    The word that asks gives the query, the other one the key. Which word asks here?

a word asks itself: brew_asks = 13
    You took query and key of one word, *brew*. Whose key does *brew* meet here?

vectors compared without projection: brew_asks = 3
or: tea_asks = 3
    You compared the two vectors as they are, so both questions get one answer. What
    does each word make of its vector first?

two queries or two keys: brew_asks = 15
or: tea_asks = 15
or: brew_asks = 6
or: tea_asks = 6
    You compared two vectors of the same sort, two queries or two keys. What does a
    question have to meet?

products not added: brew_asks = (15, 6)
or: tea_asks = (9, 0)
    Those are the products, one for each feature. What does a dot product do with them?

scaled already: brew_asks = 21 / 2**0.5
or: tea_asks = 9 / 2**0.5
    You divided by the root of d_k. The task asks for the dot product: does the scale
    come before it or after it?

plain sum of the values: new_tea = (4, 10)
    You added up both values. What must the weights of one word add up to?

one value alone: new_tea = (3, 6)
or: new_tea = (1, 4)
    You gave everything to one word. Compare the two scores of *tea*: does either win?

vectors blended: new_tea = (2, 1)
    You blended the vectors as they came in. What does each word hand over instead?

keys blended: new_tea = (3, -1)
    You blended the keys. They are there to be compared; which matrix makes what is
    handed over?

queries blended: new_tea = (4, -1)
    You blended the queries. They are there to ask; which matrix makes what is handed
    over?

values by the wrong product: new_tea = (4, 1)
    You made the values as W x. The book writes x W: which numbers of the matrix does
    the first number of x meet then?

weights instead of the vector: new_tea = (0.5, 0.5)
    Those are the two weights of *tea*. What do they blend?

pushed apart: pulled = 19.2
    You took a tenth of the key away, so the score falls. Which sign brings the two
    arrows closer?

key moved instead: pulled = 23.9
    You added some of the query to the key. That raises the score too. Which of the two
    was to be changed here?

both moved: pulled = 25.91
    You changed query and key at once. Which of the two was to be changed?

query stretched: pulled = 23.1
    You made everything a tenth larger. What is added is a tenth of the key: which dot
    product does the score grow by?

whole key added: pulled = 39
    You added the whole key. How much of it was to be added?

only the growth: pulled = 1.8
    That is how much the score grows. From which score does it start?

a tenth added to the score: pulled = 21.1
    You added 0.1 to the score itself. A tenth of the key is a vector: what does its dot
    product with the key give?

pulled before and after the same: pulled = 21
    That is the score before the step. What does the new query give with the same key?

values as narrow as the keys: parameters = 576
    You counted three matrices of one shape. How many columns does the one for the
    values have?

all as wide as the values: parameters = 864
    You counted three matrices of one shape. How many columns do those for queries and
    keys have?

squares: parameters = 1728
    You counted three square matrices. To how many numbers does each of them lead?

queries and keys share one: parameters = 480
    You counted two matrices. How many projections does a word go through?

one matrix alone: parameters = 192
or: parameters = 288
    You counted one matrix. How many projections does a word go through?

biases counted: parameters = 700
    You counted one bias for each result. How does the task make its projections?

once for each word: parameters = 6720
    You counted the matrices anew for each of the 10 words. Which matrix does the second
    word use?

scores counted: parameters = 772
or: parameters = 872
    You counted scores or weights as well. Are those learned, or calculated anew for
    each sentence?

widths added: parameters = 28
or: parameters = 52
    You added up widths. How many numbers does a matrix from 24 to 8 hold?

output matrix counted: parameters = 960
    You counted a fourth matrix that leads back to 24. Which three has this head?
"""

TASK = ValueTask(
    title="A head with a pencil",
    kind="compute by hand",
    outputs=(
        "query",
        "key",
        "brew_asks",
        "tea_asks",
        "new_tea",
        "pulled",
        "parameters",
    ),
    right=((5, -2), (3, -3), 21, 9, (2.0, 5.0), 22.8, 672),
    also_right=(
        ([5.0, -2.0], [3, -3], 21.0, [9], [2, 5], 22.80, 672.0),
        ((5, -2), (3, -3), 21, 9, (2, 5), 114 / 5, 24 * 28),
    ),
    rtol=1e-3,
    atol=1e-3,
    mistakes=MISTAKES,
    hints=(
        "The product x W takes the first row of W as many times as the first number of x "
        "says, then the second row. How many times each for tea?",
        "Write the two scores of tea, with brew and with tea, side by side. What does "
        "softmax make of them, whatever the scale is?",
    ),
    section="By hand: three projections",
    why="From one vector come three, so *brew*'s score for *tea* and *tea*'s for *brew* "
    "are two numbers. A bit of the key in the query raises the score by that much of k · k.",
)
