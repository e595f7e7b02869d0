"""Answers to 16.4, bits and operations by hand."""

TRUE = ("2.0", "0.25", "1.0", "65536", "4.8e11", "0.2")
NAMES = ("gap_bf16", "gap_fp16", "kept", "scale", "operations", "share")


def all_but(**wrong: str) -> str:
    """The right answers, but for those given by name."""
    return ", ".join(
        wrong.get(name, right) for name, right in zip(NAMES, TRUE, strict=True)
    )


RIGHT = {
    "numbers": all_but(),
    "whole numbers": "2, 0.25, 1, 65536, 480000000000, 0.2",
    "powers": "2**1, 2**-2, 2**0, 2**16, 6 * 2e7 * 4e3, 6 * 2e7 * 4e3 / 0.04 / 6e13",
    "by the library": all_but(
        gap_bf16="256 * torch.finfo(torch.bfloat16).eps",
        gap_fp16="256 * torch.finfo(torch.float16).eps",
    ),
    "NumPy's spacing": all_but(gap_fp16="np.spacing(np.float16(300))"),
    "run": all_but(
        kept="torch.tensor(1.0, dtype=torch.bfloat16)"
        " + torch.tensor(0.003, dtype=torch.bfloat16)"
    ),
    "fractions": all_but(gap_fp16="Fraction(1, 4)", share="Fraction(1, 5)"),
    "exp": all_but(scale="math.exp(16 * math.log(2))"),
    "lists of one": all_but(operations="[4.8e11]", share="[0.2]"),
}

WRONG = {
    "zeros": "0, 0, 0, 0, 0, 0",
    "text": all_but(kept="'one'"),
    "decimal digits": all_but(gap_bf16="0.01", gap_fp16="0.001"),
    "kept as bits": all_but(kept="16"),
    "scale by ten": all_but(scale="1e5"),
    "larger scale": all_but(scale="2**17"),
    "rounded operations": all_but(operations="5e11"),
    "tokens squared": all_but(operations="6 * 2e7 * 4000**2"),
    "share of one percent": all_but(share="0.002"),
}

SPELLINGS = {
    "the two formats swapped": [all_but(gap_bf16="1 / 4", gap_fp16="2.0")],
    "gap beside 1": [all_but(gap_bf16="1 / 128"), all_but(gap_fp16="1 / 1024")],
    "gap of the next range": [all_but(gap_bf16="512 / 128"), all_but(gap_fp16="0.5")],
    "gap of the range before": [all_but(gap_bf16="1.0"), all_but(gap_fp16="1 / 8")],
    "gap in proportion": [all_but(gap_bf16="2.34375"), all_but(gap_fp16="0.293")],
    "exact sum": [all_but(kept="1 + 100 * 0.003")],
    "rounded at the end": [all_but(kept="1.2969")],
    "rounded up each time": [all_but(kept="1 + 100 / 128")],
    "one gap": [all_but(kept="1 + 2**-7")],
    "scale up to 1": [all_but(scale="2.0**30")],
    "scale to the smallest of all": [all_but(scale="64")],
    "exponent alone": [all_but(scale="16")],
    "scale too small by two": [all_but(scale="32768")],
    "smallest number's reciprocal": [all_but(scale="16384")],
    "scale below 1": [all_but(scale="1 / 65536")],
    "forward pass alone": [all_but(operations="2 * 2e7 * 4000")],
    "backward pass alone": [all_but(operations="4 * 2e7 * 4000")],
    "additions left out": [all_but(operations="3 * 2e7 * 4000")],
    "one operation each": [all_but(operations="80_000_000_000")],
    "one token": [all_but(operations="6 * 20_000_000")],
    "percent": [all_but(share="20.0")],
    "upside down": [all_but(share="5.0")],
    "speed reached": [all_but(share="4.8e11 / 0.04")],
    "time left out": [all_but(share="4.8e11 / 60e12")],
    "peak with sparsity": [all_but(share="1 / 10")],
    "forward pass alone, in the share": [all_but(share="0.0667")],
}
