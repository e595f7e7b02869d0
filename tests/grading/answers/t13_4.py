"""Answers to 13.4: logits (0, ln 3, ln 6), probabilities, the word and its surprise."""

TRUE = {
    "logits": "(0, math.log(3), math.log(6))",
    "shares": "(0.1, 0.3, 0.6)",
    "word": "'es'",
    "surprise": "-math.log(0.6)",
}


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    assert set(wrong) <= set(TRUE)
    return ", ".join((TRUE | wrong).values())


RIGHT = {
    "exact": all_but(),
    "three decimals": all_but(logits="(0, 1.099, 1.792)", surprise="0.511"),
    "lists": all_but(logits="[0, 1.0986, 1.7918]", shares="[0.1, 0.3, 0.6]"),
    "NumPy": all_but(logits="np.log([1, 3, 6])", shares="np.array([1, 3, 6]) / 10"),
    "fractions": all_but(shares="(Fraction(1, 10), Fraction(3, 10), Fraction(6, 10))"),
    "torch": all_but(
        logits="torch.tensor([1.0, 3, 6]).log()",
        shares="torch.tensor([1.0, 3, 6]).log().softmax(0)",
    ),
    "a product": all_but(
        logits="np.array([[0, 0], [1, 0], [1, 1]]) @ np.array([np.log(3), np.log(2)])"
    ),
    "logarithms added": all_but(logits="(0, math.log(3), math.log(3) + math.log(2))"),
    "capital": all_but(word="'Es'"),
    "blanks": all_but(word="' es '"),
    "picked": all_but(word="['la', 'bola', 'es'][np.argmax([0.1, 0.3, 0.6])]"),
    "surprise by logs": all_but(surprise="math.log(10 / 6)"),
    "cross-entropy": all_but(
        surprise="torch.nn.functional.cross_entropy("
        "torch.tensor([1.0, 3, 6]).log(), torch.tensor(2))"
    ),
    "a column": all_but(shares="np.array([[0.1], [0.3], [0.6]])"),
}

WRONG = {
    "two logits": all_but(logits="(0, math.log(3))"),
    "negative logits": all_but(logits="(0, -math.log(3), -math.log(6))"),
    "log of the sum": all_but(logits="(0, math.log(3), math.log(5))"),
    "probabilities a little off": all_but(shares="(0.1, 0.35, 0.55)"),
    "probabilities of two words": all_but(shares="(0.3, 0.6)"),
    "log probabilities": all_but(shares="np.log([0.1, 0.3, 0.6])"),
    "an English word": all_but(word="'is'"),
    "two words": all_but(word="'la bola'"),
    "no surprise": all_but(surprise="0"),
    "surprise of all": all_but(surprise="-np.log([0.1, 0.3, 0.6])"),
    "exp of the probability": all_but(surprise="math.exp(0.6)"),
    "one over": all_but(surprise="1 / 0.6"),
}

SPELLINGS = {
    "products not added": [all_but(logits="((0, 0), (1.0986, 0), (1.0986, 0.6931))")],
    "probabilities as logits": [all_but(logits="[0.1, 0.3, 0.6]")],
    "table scaled": [all_but(logits="np.log([1, 3, 6]) * np.sqrt(2)")],
    "divided by the root": [all_but(logits="np.log([1, 3, 6]) / np.sqrt(2)")],
    "powers as logits": [all_but(logits="[1, 3, 6]")],
    "no division": [
        all_but(shares="[1, 3, 6]"),
        all_but(shares="np.exp(np.log([1, 3, 6]))"),
    ],
    "percent": [all_but(shares="[10, 30, 60]")],
    "no exp": [all_but(shares="np.log([1, 3, 6]) / np.log([1, 3, 6]).sum()")],
    "logits as probabilities": [all_but(shares="np.log([1, 3, 6])")],
    "hard choice": [all_but(shares="[0, 0, 1]")],
    "uniform": [all_but(shares="[1 / 3] * 3"), all_but(shares="(0.333, 0.333, 0.333)")],
    "wrong order": [
        all_but(shares="[0.6, 0.3, 0.1]"),
        all_but(shares="(0.3, 0.1, 0.6)"),
    ],
    "scaled logits": [
        all_but(shares="(torch.tensor([1.0, 3, 6]).log() / 2**0.5).softmax(0)")
    ],
    "powers of two": [
        all_but(shares="2 ** np.log([1, 3, 6]) / sum(2 ** np.log([1, 3, 6]))")
    ],
    "word with logit 0": [all_but(word="'La'"), all_but(word="'la'")],
    "word in the middle": [all_but(word="'bola'")],
    "number instead of the word": [all_but(word="2"), all_but(word="0.6")],
    "surprise of the wrong sign": [
        all_but(surprise="math.log(0.6)"),
        all_but(surprise="-0.511"),
    ],
    "surprise of another word": [
        all_but(surprise="-math.log(0.3)"),
        all_but(surprise="2.303"),
    ],
    "probability instead of the surprise": [
        all_but(surprise="0.6"),
        all_but(surprise="1 - 0.6"),
    ],
    "surprise in bits": [
        all_but(surprise="-math.log2(0.6)"),
        all_but(surprise="0.737"),
    ],
}
