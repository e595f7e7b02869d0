"""Answers to 15.1, the paper's learning rate, with steps that count from 0."""


def written(body: str, names: str = "step, d_model, warmup") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def learning_rate({names}):\n{lines}"


def rate(value: str, n: str = "step + 1") -> str:
    return written(f"n = {n}\nreturn {value}")


RIGHT = {
    "the formula": rate("d_model**-0.5 * min(n**-0.5, n * warmup**-1.5)"),
    "roots": rate(
        "1 / math.sqrt(d_model) * min(1 / math.sqrt(n), n / math.sqrt(warmup) ** 3)"
    ),
    "division": rate("min(1 / n**0.5, n / warmup**1.5) / d_model**0.5"),
    "a branch": written("""n = step + 1
if n <= warmup:
    rate = n / warmup**1.5
else:
    rate = n**-0.5
return rate / d_model**0.5"""),
    "by steps": written("""if step < warmup:
    return (step + 1) * (d_model * warmup**3) ** -0.5
return (d_model * (step + 1)) ** -0.5"""),
    "peak and shares": written("""peak = (d_model * warmup) ** -0.5
n = step + 1
return peak * min(n / warmup, (warmup / n) ** 0.5)"""),
    "NumPy": rate("np.minimum(n**-0.5, n * warmup**-1.5) / np.sqrt(d_model)"),
    "torch": written("""n = torch.tensor(step + 1.0)
return torch.minimum(n.rsqrt(), n * warmup**-1.5) / d_model**0.5"""),
    "torch, double": written("""n = torch.tensor(step + 1, dtype=torch.float64)
return (min(n**-0.5, n * warmup**-1.5) * d_model**-0.5).item()"""),
    "a conditional": rate(
        "(n**-0.5 if n > warmup else n * warmup**-1.5) * d_model**-0.5"
    ),
    "logarithms": rate(
        "math.exp(min(-math.log(n) / 2, math.log(n) - 1.5 * math.log(warmup))"
        " - math.log(d_model) / 2)"
    ),
    "one root": rate("math.sqrt(min(1 / n, n * n / warmup**3) / d_model)"),
    "sorted": rate("sorted([n**-0.5, n * warmup**-1.5])[0] * d_model**-0.5"),
    "type hints": written(
        '''"""Ritmo de aprendizaje."""
step += 1
return d_model ** (-0.5) * min(step ** (-0.5), step * warmup ** (-1.5))''',
        "step: int, d_model: int, warmup: int = 4000",
    ),
    "float steps": rate(
        "pow(d_model, -0.5) * min(pow(n, -0.5), n * pow(warmup, -1.5))",
        "float(step) + 1",
    ),
}

WRONG = {
    "both": rate("(n**-0.5, n * warmup**-1.5)"),
    "nothing": written("min((step + 1) ** -0.5, (step + 1) * warmup**-1.5)"),
    "the sum": rate("d_model**-0.5 * (n**-0.5 + n * warmup**-1.5)"),
    "the product": rate("d_model**-0.5 * n**-0.5 * n * warmup**-1.5"),
    "cosine": rate("0.5 * (1 + math.cos(math.pi * n / warmup))"),
    "constant": rate("d_model**-0.5"),
    "text": rate("f'{d_model**-0.5 * min(n**-0.5, n * warmup**-1.5)}'"),
    "paper's warm-up always": rate("d_model**-0.5 * min(n**-0.5, n * 4000**-1.5)"),
    "paper's width always": rate("512**-0.5 * min(n**-0.5, n * warmup**-1.5)"),
    "whole exponent": rate("d_model**-0.5 * min(n**-0.5, n * warmup**-2)"),
    "rounded": rate("round(d_model**-0.5 * min(n**-0.5, n * warmup**-1.5), 4)"),
    "linear decay": rate(
        "(d_model * warmup) ** -0.5 * min(n / warmup, 2 - n / warmup)"
    ),
}

SPELLINGS = {
    "the larger of the two": [
        rate("d_model**-0.5 * max(n**-0.5, n * warmup**-1.5)"),
        rate("np.maximum(n**-0.5, n * warmup**-1.5) / d_model**0.5"),
        rate("(n**-0.5 if n < warmup else n * warmup**-1.5) * d_model**-0.5"),
    ],
    "counted from 0": [
        written("return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)"),
        rate("min(n**-0.5, n * warmup**-1.5) / d_model**0.5", "step"),
        written("""if step == 0:
    return 0
return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)"""),
    ],
    "counted from 2": [
        rate("d_model**-0.5 * min(n**-0.5, n * warmup**-1.5)", "step + 2")
    ],
    "rise without the power": [
        rate("d_model**-0.5 * min(n**-0.5, n / warmup**0.5)"),
        rate("min(1 / math.sqrt(n), n / math.sqrt(warmup)) / math.sqrt(d_model)"),
    ],
    "rise to a peak of its own": [
        rate("d_model**-0.5 * min(n**-0.5, n / warmup)"),
        rate("d_model**-0.5 * min(n**-0.5, n * warmup**-1)"),
    ],
    "rise as a root": [
        rate(
            "(d_model * warmup) ** -0.5 * min((n / warmup) ** 0.5, (warmup / n) ** 0.5)"
        ),
    ],
    "warm-up left out": [
        rate("d_model**-0.5 * n**-0.5"),
        rate("1 / math.sqrt(d_model * n)"),
    ],
    "rise for ever": [rate("n / math.sqrt(d_model * warmup**3)")],
    "level after the warm-up": [
        rate("(d_model * warmup) ** -0.5 * min(n / warmup, 1.0)"),
        rate("d_model**-0.5 * min(warmup**-0.5, n * warmup**-1.5)"),
    ],
    "fall too fast": [
        rate("(d_model * warmup) ** -0.5 * min(n / warmup, warmup / n)"),
    ],
    "fall squared": [
        rate("(d_model * warmup) ** -0.5 * min(n / warmup, (warmup / n) ** 2)"),
    ],
    "width left out": [
        rate("min(n**-0.5, n * warmup**-1.5)"),
        rate("warmup**-0.5 * min(n / warmup, (warmup / n) ** 0.5)"),
    ],
    "width multiplied": [
        rate("math.sqrt(d_model) * min(n**-0.5, n * warmup**-1.5)"),
    ],
    "width without the root": [rate("min(n**-0.5, n * warmup**-1.5) / d_model")],
    "whole numbers": [
        rate("(d_model * warmup) ** -0.5 * min(n // warmup, (warmup / n) ** 0.5)"),
    ],
    "width and warm-up swapped": [
        rate("warmup**-0.5 * min(n**-0.5, n * d_model**-1.5)"),
    ],
}

DOUBLE = [
    (
        "the larger of the two",
        "width left out",
        rate("max(n**-0.5, n * warmup**-1.5)"),
    ),
    (
        "counted from 2",
        "width without the root",
        rate("min(n**-0.5, n * warmup**-1.5) / d_model", "step + 2"),
    ),
    ("warm-up left out", "width left out", rate("n**-0.5")),
]
