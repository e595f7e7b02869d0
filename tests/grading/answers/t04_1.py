"""Answers to 04.1: links, factors, gates, a kernel and layers by hand."""

TRUE = ("0.1", "0.008", "5.5", "(6, 1, 0, 10)", "29", "4")
NAMES = ("arrives", "later", "kept", "sums", "plain", "dilated")


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    return ", ".join(
        wrong.get(name, right) for name, right in zip(NAMES, TRUE, strict=True)
    )


RIGHT = {
    "by hand": all_but(),
    "products": all_but(arrives="0.5 * 0.8 * 0.5 * 0.5", later="0.2 ** 3"),
    "math.prod": all_but(arrives="math.prod([0.5, 0.8, 0.5, 0.5])"),
    "fractions": all_but(arrives="Fraction(1, 10)", later="Fraction(1, 125)"),
    "one over": all_but(arrives="1 / 10", later="1 / 125"),
    "a root and a power": all_but(later="(0.2 ** (1 / 6)) ** 18"),
    "exp and log": all_but(later="math.exp(3 * math.log(0.2))"),
    "a formula for the gate": all_but(kept="0.75 * (0.75 * 12 + 0.5 * 2) + 0.5 * -4"),
    "the gate multiplied out": all_but(kept="12 * 0.75**2 + 2 * 0.5 * 0.75 - 2"),
    "a list": all_but(sums="[6, 1, 0, 10]"),
    "an array": all_but(sums="np.array([6.0, 1.0, 0.0, 10.0])"),
    "NumPy's convolve, turned": all_but(
        sums="np.convolve([2, 0, 1, 3], [-1, 3, 1], 'same')"
    ),
    "NumPy's correlate": all_but(sums="np.correlate([2, 0, 1, 3], [1, 3, -1], 'same')"),
    "a tensor": all_but(sums="torch.tensor([6, 1, 0, 10])"),
    "a column": all_but(sums="np.array([[6], [1], [0], [10]])"),
    "decimals": all_but(plain="29.0", dilated="4.0"),
    "a logarithm, rounded up": all_but(dilated="math.ceil(math.log(30, 3))"),
    "one less than words": all_but(plain="30 - 1"),
}

WRONG = {
    "percent": all_but(arrives="10"),
    "text": all_but(arrives="'a tenth'"),
    "five numbers": all_but(sums="[6, 1, 0, 10, 0]"),
    "in another order": all_but(sums="[10, 0, 1, 6]"),
    "absolute values": all_but(sums="[6, 1, 6, 10]"),
    "one number": all_but(sums="17"),
    "a rounded share": all_but(later="0.01"),
    "squeezed by tanh": all_but(kept="math.tanh(5.5)"),
    "the first word twice": all_but(kept="0.75 * 10 + 0.5 * 2"),
    "a layer that is never needed": all_but(dilated="6"),
    "squared": all_but(plain="30 ** 2"),
    "the middle of the kernel alone": all_but(sums="[6, 0, 3, 9]"),
    "none at all": "0, 0, 0, [0, 0, 0, 0], 0, 0",
}

SPELLINGS = {
    "links added": [
        all_but(arrives="2.3"),
        all_but(arrives="sum([0.5, 0.8, 0.5, 0.5])"),
    ],
    "weakest link": [
        all_but(arrives="min(0.5, 0.8, 0.5, 0.5)"),
        all_but(arrives="1 / 2"),
    ],
    "mean of the links": [all_but(arrives="2.3 / 4"), all_but(arrives="0.575")],
    "a link left out": [all_but(arrives="0.2"), all_but(arrives="0.4")],
    "what is lost": [all_but(arrives="0.9"), all_but(arrives="1 - 0.1")],
    "share divided": [all_but(later="0.0667"), all_but(later="0.2 / 3")],
    "share multiplied by 3": [all_but(later="0.2 * 3")],
    "twelve words": [all_but(later="0.04"), all_but(later="0.2 * 0.2")],
    "every word a fifth": [all_but(later="0.2 ** 18"), all_but(later="0.0")],
    "once too often": [all_but(later="0.0016")],
    "straight line": [all_but(later="1 - 3 * 0.8")],
    "gate shuts what is kept": [all_but(kept="-1"), all_but(kept="-1.0")],
    "gates exchanged": [all_but(kept="0.75")],
    "after one word": [all_but(kept="10"), all_but(kept="9 + 1")],
    "second word alone": [all_but(kept="7"), all_but(kept="9 - 2")],
    "no news": [all_but(kept="6.75"), all_but(kept="12 * 0.75 ** 2")],
    "news not gated": [all_but(kept="4.25")],
    "one gate for both": [all_but(kept="6.125")],
    "nothing forgotten": [all_but(kept="11"), all_but(kept="12 + 1 - 2")],
    "sign of the news lost": [all_but(kept="9.5")],
    "kernel turned around": [
        all_but(sums="np.convolve([2, 0, 1, 3], [1, 3, -1], 'same')"),
        all_but(sums="(6, -1, 6, 8)"),
    ],
    "nothing beyond the ends": [
        all_but(sums="np.correlate([2, 0, 1, 3], [1, 3, -1], 'valid')"),
        all_but(sums="(1, 0)"),
    ],
    "ring": [all_but(sums="(9, 1, 0, 8)")],
    "end repeated": [all_but(sums="(8, 1, 0, 7)")],
    "kernel left out": [all_but(sums="np.array([2, 3, 4, 4])")],
    "window begins at its place": [all_but(sums="(1, 0, 10, 3)")],
    "window ends at its place": [all_but(sums="(-2, 6, 1, 0)")],
    "words counted": [all_but(plain="30.0")],
    "from both ends": [all_but(plain="30 / 2"), all_but(plain="29 / 2")],
    "a window at a time": [all_but(plain="30 / 3")],
    "one layer": [all_but(plain="1.0")],
    "one step short": [all_but(plain="30 - 2")],
    "widest gap alone": [all_but(dilated="math.floor(math.log(30, 3))")],
    "a layer too many": [all_but(dilated="5.0")],
    "dilated like plain": [all_but(dilated="29.0")],
    "divided by three": [all_but(dilated="30 / 3")],
    "part of a layer": [all_but(dilated="math.log(30) / math.log(3)")],
}
