"""05.2 How fast the variance of a score grows with d_k: measured, not quoted."""

from tt_utils.grading.observing.observation import Draws
from tt_utils.grading.tasks.spec import Check, FunctionTask, Law

TRUTH = """
def variance_growth(dims, rng):
    return 1.0, math.log(16)
"""

ROWS = """
def variance_growth(dims, rng):
    variances = []
    for d_k in dims:
        q = rng.normal(0, 2, size=(4000, d_k))
        k = rng.normal(0, 2, size=(4000, d_k))
        scores = (q * k).sum(axis=1)
        variances.append(scores.var())
    slope, height = np.polyfit(np.log(dims), np.log(variances), 1)
    return slope, height
"""

PAIR_BY_PAIR = """
def variance_growth(dims, rng):
    x, y = [], []
    for d_k in dims:
        scores = []
        for _ in range(2000):
            q, k = 2 * rng.standard_normal((2, d_k))
            scores.append(q @ k)
        x.append(math.log2(d_k))
        y.append(math.log2(np.var(scores)))
    slope, height = np.polyfit(x, y, 1)
    return slope, height * math.log(2)
"""

LEAST_SQUARES = """
def variance_growth(dims, rng):
    x, y = np.log(np.array(dims)), []
    for d_k in dims:
        q = rng.uniform(-12 ** 0.5, 12 ** 0.5, (4000, d_k))
        k = rng.uniform(-12 ** 0.5, 12 ** 0.5, (4000, d_k))
        y.append(np.log(np.einsum("nd,nd->n", q, k).var()))
    A = np.stack([x, np.ones(len(x))], axis=1)
    return np.linalg.lstsq(A, np.array(y), rcond=None)[0]
"""

MISTAKES = """
standard deviation instead of variance: scores.var() → scores.std()
    A slope of one half belongs to the standard deviation. Which of the two is asked
    for, and which of them does √d_k bring back to 1?

not summed, or scaled: (q * k).sum(axis=1) → q * k
or: (q * k).sum(axis=1) → (q * k)[:, 0]
or: (q * k).sum(axis=1) → (q * k).sum(axis=1) / np.sqrt(d_k)
    A slope of 0: your variance is that of one single product, whatever d_k is. Are the
    d_k products of a pair added up, and is their sum left unscaled?

entries that move together: (q * k).sum(axis=1) → q[:, 0] * k[:, 0] * d_k
    A slope of 2 means that the entries of a vector move together. Does every entry
    get a draw of its own?

height of the first point: np.polyfit(np.log(dims), np.log(variances), 1) → np.polyfit(np.log(dims), np.log(variances), 1)[0], np.log(variances[0])
    The slope is right, and your height is that of the first point. Where does the line
    stand at ln d_k = 0?

same draw for q and k: k = rng.normal(0, 2, size=(4000, d_k)) → k = q
    Your line lies too high: q and k are one and the same draw, so you measured squares.
    How many independent vectors does a pair have?

entries with standard deviation 1: rng.normal(0, 2, → rng.normal(0, 1,
or: 2 * rng.standard_normal → rng.standard_normal
    Slope right, height 0: your entries have a standard deviation of 1. What does the
    task ask for?

variance instead of standard deviation for the entries: rng.normal(0, 2, → rng.normal(0, 4,
    Slope right, height not: the second argument of `rng.normal` is the standard
    deviation of an entry. Which number belongs there?

entries that are not centred: rng.normal(0, 2, → rng.normal(2, 2,
or: rng.normal(0, 2, → rng.normal(1, 2,
or: rng.normal(0, 2, → rng.uniform(0, 48 ** 0.5,
    Slope right, height not: the mean of your entries is not 0. How does a product vary
    when both factors sit away from 0?

sum of entries instead of products: (q * k).sum(axis=1) → q.sum(axis=1)
or: (q * k).sum(axis=1) → (q + k).sum(axis=1)
    Slope right, and a height of ln 4 or ln 8 instead of ln 16. Is it products that you
    add up, q times k, or entries? And is 2 the standard deviation of an entry?

mean instead of sum: (q * k).sum(axis=1) → (q * k).mean(axis=1)
    A dot product adds its products up. You average them: what does that divide by?

logarithms left out: np.polyfit(np.log(dims), np.log(variances), 1) → np.polyfit(dims, variances, 1)
    You fitted a line to the variances themselves, so its slope depends on the spread
    of the entries. Which scale turns a power of d_k into its exponent?

logarithm on one side: np.polyfit(np.log(dims), np.log(variances), 1) → np.polyfit(dims, np.log(variances), 1)
or: np.polyfit(np.log(dims), np.log(variances), 1) → np.polyfit(np.log(dims), variances, 1)
    Your slope changes with the range of d_k. Both axes need a logarithm: which one has
    none yet?

two different logarithms: np.log(variances) → np.log2(variances)
or: np.log(variances) → np.log10(variances)
or: np.log(dims) → np.log2(dims)
or: np.log(dims) → np.log10(dims)
    Your slope is off by the factor between two kinds of logarithm. Do both axes use
    the same one?

height in another logarithm: height * math.log(2) → height
or: np.polyfit(np.log(dims), np.log(variances), 1) → np.polyfit(np.log10(dims), np.log10(variances), 1)
    The slope is right: it does not care which logarithm is used. The height does.
    Which logarithm has the example?

factor instead of its logarithm: return slope, height → return slope, math.exp(height)
    The slope is right, and you returned c. What does the task call the height of the
    line?

axes swapped: np.polyfit(np.log(dims), np.log(variances), 1) → np.polyfit(np.log(variances), np.log(dims), 1)
    The slope happens to be its own inverse, and the height gives you away: which of
    the two lies on the x axis?

results swapped: return slope, height → return height, slope
    Both numbers are right. In which order are they asked for?
"""

DIMS, UNEVEN, SMALL = (4, 16, 64, 256), (3, 5, 40, 41), (1, 2, 4, 8)


def draws(*dims, seed=None):
    return lambda rng: (dims, Draws(seed or int(rng.integers(1_000_000))))


TASK = FunctionTask(
    title="How fast does the variance of a score grow?",
    kind="explain",
    answers=("variance_growth",),
    arguments=("dims", "rng"),
    outputs=("slope", "height"),
    rtol=0.0,
    atol=0.22,  # more than four standard errors of either with 2,000 pairs
    truth=TRUTH,
    right=(ROWS, PAIR_BY_PAIR, LEAST_SQUARES),
    mistakes=MISTAKES,
    checks=(
        Check("d_k from 4 to 256", draws(*DIMS, seed=11)),
        Check("the same with other draws", draws(*DIMS)),
        Check("uneven steps: d_k = 3, 5, 40, 41", draws(*UNEVEN)),
        Check("d_k from 1 to 8", draws(*SMALL)),
        Check("the draws of the first check again", draws(*DIMS, seed=11)),
    ),
    laws=(
        Law(
            "other draws give slightly other numbers",
            lambda calls: calls[0]["height"] != calls[1]["height"],
            "A measurement wobbles a little from draw to draw. Where does your "
            "function use `rng`?",
        ),
        Law(
            "the same draws give the same numbers",
            lambda calls: calls[0]["height"] == calls[4]["height"],
            "With the same `rng` your numbers change from call to call. Which line "
            "draws from a generator of its own?",
        ),
        Law(
            "every pair is drawn from `rng`",
            lambda calls: all(
                call["drawn"] >= 100 * sum(dims)
                for call, dims in zip(
                    calls, (DIMS, DIMS, UNEVEN, SMALL, DIMS), strict=True
                )
            ),
            "Only a few numbers were drawn from `rng`, far fewer than the entries of "
            "2,000 pairs. What did you measure?",
        ),
    ),
    hints=(
        "For one d_k: how do you get 2,000 scores, and how their variance? Print it for "
        "d_k = 1. Which number should it be near, with entries of standard deviation 2?",
        "On logarithmic axes a power becomes a straight line: log(c · d^s) = log c + "
        "s · log d. `np.polyfit` of degree 1 returns two numbers: which is which?",
    ),
    section="How large do dot products get?",
    why="Var(q·k) = d_k · σ⁴: each of the d_k products adds its own σ⁴ = 16. So the "
    "typical size of a score grows like √d_k, and dividing by √d_k takes that away.",
)
