"""Answers to 12.3: memory, own weights, cross weights, cross keys and out."""

TRUE = ("(3, 7, 32)", "(3, 4, 5, 5)", "(3, 4, 5, 7)", "(3, 4, 7, 8)", "(3, 5, 32)")
NAMES = ("memory", "own", "cross", "keys", "out")


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    return ", ".join(
        wrong.get(name, right) for name, right in zip(NAMES, TRUE, strict=True)
    )


RIGHT = {
    "tuples": all_but(),
    "lists": all_but().replace("(", "[").replace(")", "]"),
    "torch's sizes": ", ".join(f"torch.zeros{shape}.shape" for shape in TRUE),
    "sizes": ", ".join(f"torch.Size({shape})" for shape in TRUE),
    "arrays": ", ".join(f"np.array({shape})" for shape in TRUE),
    "tensors": ", ".join(f"torch.tensor({shape})" for shape in TRUE),
    "shapes of arrays": ", ".join(f"np.empty({shape}).shape" for shape in TRUE),
    "computed width": all_but(keys="(3, 4, 7, 32 // 4)"),
    "width as a float": all_but(keys="(3, 4, 7, 32 / 4)"),
    "floats": all_but(out="(3.0, 5.0, 32.0)", memory="(3.0, 7.0, 32.0)"),
    "heads joined": all_but(out="(3, 5, 4 * 8)"),
    "maps": ", ".join(f"map(int, {shape})" for shape in TRUE),
    "from a product": all_but(
        cross="(torch.zeros(3, 4, 5, 8) @ torch.zeros(3, 4, 8, 7)).shape"
    ),
    "unpacked": all_but(own="(3, *(4,), *(5, 5))"),
}

WRONG = {
    "text": all_but(memory="'3, 7, 32'"),
    "one axis too many": all_but(cross="(3, 4, 5, 7, 1)"),
    "no batch": all_but(own="(4, 5, 5)", cross="(4, 5, 7)"),
    "a number": all_but(out="3 * 5 * 32"),
    "zero": all_but(keys="(0, 0, 0, 0)"),
    "d_model squared": all_but(out="(3, 32, 32)"),
    "lengths added": all_but(cross="(3, 4, 12, 12)"),
    "feature axis first": all_but(memory="(3, 32, 7)"),
    "heads in the width": all_but(keys="(3, 7, 128)"),
    "another batch": all_but(out="(1, 5, 32)"),
    "width 4": all_but(keys="(3, 8, 7, 4)"),
    "one sentence": all_but(memory="(7, 32)"),
    "weights of a word": all_but(cross="(3, 4, 7)"),
}

SPELLINGS = {
    "lying on its side": [
        all_but(cross="[3, 4, 7, 5]"),
        all_but(cross="torch.zeros(3, 4, 7, 5).shape"),
    ],
    "one table for all heads": [all_but(cross="[3, 5, 7]")],
    "what comes out instead of the weights": [
        all_but(cross="np.array((3, 5, 32))"),
        all_but(cross="[3, 4, 5, 8]"),
    ],
    "batch and heads swapped": [
        all_but(cross="[4, 3, 5, 7]"),
        all_but(own="(4, 3, 5, 5)"),
    ],
    "heads at the end": [all_but(cross="[3, 5, 7, 4]"), all_but(own="[3, 5, 5, 4]")],
    "the encoder's weights": [all_but(cross="torch.Size([3, 4, 7, 7])")],
    "the decoder's own weights as cross weights": [all_but(cross="[3, 4, 5, 5]")],
    "own weights of the source": [all_but(own="[3, 4, 7, 7]")],
    "own weights that reach the source": [
        all_but(own="[3, 4, 5, 7]"),
        all_but(own="(3, 4, 7, 5)"),
    ],
    "mask counted off": [all_but(own="[3, 4, 5, 4]"), all_but(own="(3, 4, 15)")],
    "keys of the target": [all_but(keys="[3, 4, 5, 8]")],
    "keys before they are split": [all_but(keys="[3, 7, 32]")],
    "full width in every head": [all_but(keys="[3, 4, 7, 32]")],
    "keys transposed": [all_but(keys="[3, 4, 8, 7]")],
    "heads not moved to the front": [all_but(keys="[3, 7, 4, 8]")],
    "as long as the source": [all_but(out="[3, 7, 32]")],
    "one head's width": [all_but(out="[3, 5, 8]"), all_but(out="(3, 4, 5, 8)")],
    "hidden width of the feed-forward part": [all_but(out="[3, 5, 128]")],
    "memory as long as the target": [all_but(memory="[3, 5, 32]")],
    "memory in heads": [all_but(memory="[3, 4, 7, 8]")],
    "memory with one row": [all_but(memory="[3, 32]"), all_but(memory="(3, 1, 32)")],
}
