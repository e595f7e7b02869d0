"""Answers to 17.4: three sets of words, a share, and a probability made sharper."""

TRUE = ("[1, 3]", "[1, 3]", "[0, 1, 3]", "7 / 15", "16 / 17")
NAMES = ("top_p", "exactly", "top_k", "share", "sharper")


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    return ", ".join(
        wrong.get(name, right) for name, right in zip(NAMES, TRUE, strict=True)
    )


RIGHT = {
    "likeliest first": all_but(top_p="[3, 1]"),
    "lists": all_but(),
    "tuples": all_but(top_p="(1, 3)", exactly="(1, 3)", top_k="(0, 1, 3)"),
    "arrays": all_but(top_p="np.array([1, 3])", top_k="np.array([0, 1, 3])"),
    "tensors": all_but(exactly="torch.tensor([1, 3])"),
    "a range": all_but(top_p="range(1, 4, 2)"),
    "sorted": all_but(top_k="sorted([1, 3, 0])"),
    "floats": all_but(top_p="[1.0, 3.0]"),
    "fractions": all_but(share="Fraction(7, 15)", sharper="Fraction(16, 17)"),
    "divided": all_but(share="0.35 / (0.4 + 0.35)"),
    "three decimals": all_but(share="0.467", sharper="0.941"),
    "four decimals": all_but(sharper="0.9412"),
    "powers": all_but(sharper="0.8**2 / (0.8**2 + 0.2**2)"),
    "by logarithms": all_but(
        sharper="1 / (1 + math.exp((math.log(0.2) - math.log(0.8)) / 0.5))"
    ),
    "softmax of logits": all_but(
        sharper="torch.softmax(torch.tensor([0.8, 0.2]).log() / 0.5, 0)[0]"
    ),
    "by a sort": all_but(
        top_p="np.sort(np.argsort([0.2, 0.4, 0.05, 0.35])[-2:])",
        top_k="np.flatnonzero(np.array([0.2, 0.4, 0.05, 0.35]) > 0.1)",
    ),
}

WRONG = {
    "probabilities": all_but(top_p="[0.4, 0.35]"),
    "truth values": all_but(top_p="[False, True, False, True]"),
    "neighbours": all_but(top_p="[1, 2]"),
    "words in text": all_but(top_k="'0, 1, 3'"),
    "all": all_but(top_k="[0, 1, 2, 3]"),
    "nothing": "[], [], [], 0, 0",
    "percent": all_but(share="46.7"),
    "negative": all_but(share="-0.467"),
    "odds": all_but(share="0.35 / 0.4"),
    "odds of the other word": all_but(sharper="16"),
    "the rest": all_but(sharper="1 / 17"),
    "a logarithm": all_but(sharper="math.log(16 / 17)"),
    "two shares": all_but(share="[0.533, 0.467]"),
    "one decimal": all_but(sharper="0.9"),
    "cubed": all_but(sharper="0.8**3 / (0.8**3 + 0.2**3)"),
}

SPELLINGS = {
    "one word alone": [all_but(top_p="1"), all_but(top_p="(1,)")],
    "one word too many": [
        all_but(top_p="(0, 1, 3)"),
        all_but(top_p="np.array([0, 1, 3])"),
    ],
    "words in their own order": [
        all_but(top_p="range(4)"),
        all_but(exactly="(0, 1, 2, 3)"),
    ],
    "each word above p": [all_but(top_p="()"), all_but(exactly="[]")],
    "the least likely words": [all_but(top_p="(0, 2)"), all_but(top_k="(0, 2, 3)")],
    "counted from 1": [
        "[2, 4], [2, 4], [1, 2, 4], 0.4667, 0.9412",
        all_but(exactly="(2, 4)"),
    ],
    "passed instead of reached": [all_but(exactly="(0, 1, 3)")],
    "never reached": [all_but(exactly="1"), all_but(exactly="(1,)")],
    "first three numbers": [all_but(top_k="range(3)"), all_but(top_k="(0, 1, 2)")],
    "k as a limit for numbers": [all_but(top_k="3"), all_but(top_k="(3,)")],
    "as many as top-p": [all_but(top_k="(1, 3)")],
    "not shared out again": [all_but(share="0.35"), all_but(share="7 / 20")],
    "the other word": [all_but(share="8 / 15"), all_but(share="0.4 / 0.75")],
    "shared out evenly": [all_but(share="1 / 2")],
    "the rest given in equal parts": [all_but(share="0.35 + 0.25 / 2")],
    "softmax once more": [
        all_but(share="math.exp(0.35) / (math.exp(0.4) + math.exp(0.35))"),
        all_but(share="0.4875"),
    ],
    "temperature without effect": [all_but(sharper="0.8"), all_but(sharper="4 / 5")],
    "flatter": [all_but(sharper="2 / 3"), all_but(sharper="0.6667")],
    "probabilities divided": [all_but(sharper="0.8 / 0.5")],
    "softmax of divided probabilities": [
        all_but(sharper="1 / (1 + math.exp(-1.2))"),
        all_but(sharper="0.7685"),
        all_but(sharper="1 / (1 + math.exp(-0.6))"),
    ],
    "squared and left so": [all_but(sharper="0.8**2"), all_but(sharper="0.64")],
    "ratio doubled": [all_but(sharper="8 / 9"), all_but(sharper="0.889")],
}
