"""Answers to 04.3, a stack of dilated windows with zeros beyond the ends."""


def written(body: str, names: str = "x, kernel, n_layers") -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return f"def windows({names}):\n{lines}"


ZEROS = """left[:gap] = 0
    right[-gap:] = 0"""


def given(
    gap: str = "3**layer",
    ends: str = ZEROS,
    left: str = "np.roll(x, gap, axis=0)",
    right: str = "np.roll(x, -gap, axis=0)",
    over: str = "range(n_layers)",
    out: str = "kernel[0] * left + kernel[1] * x + kernel[2] * right",
) -> str:
    """The function as given, with other lines."""
    return written(f"""for layer in {over}:
    gap = {gap}
    left = {left}
    right = {right}
    {ends}
    x = {out}
return x""")


RIGHT = {
    "zeros where words came round": given(),
    "int powers": given(gap="int(math.pow(3, layer))"),
    "NumPy's power": given(gap="int(np.power(3, layer))"),
    "zeros put in front": given(
        left="np.concatenate([np.zeros_like(x)[:gap], x])[: len(x)]",
        right="np.concatenate([x, np.zeros_like(x)[:gap]])[gap:][: len(x)]",
        ends="if gap >= len(x): left = right = np.zeros_like(x)",
    ),
    "as in the chapter": written("""for layer in range(n_layers):
    gap = 3**layer
    rest = [(0, 0)] * (x.ndim - 1)
    padded = np.pad(x, [(gap, gap), *rest])
    n = len(x)
    x = kernel[0] * padded[:n] + kernel[1] * padded[gap : gap + n] + kernel[2] * padded[-n:]
return x"""),
    "the gap grows in the loop": written("""gap = 1
for _ in range(n_layers):
    left, right = np.zeros(x.shape), np.zeros(x.shape)
    left[gap:], right[:-gap] = x[:-gap], x[gap:]
    x = kernel[0] * left + kernel[1] * x + kernel[2] * right
    gap *= 3
return x"""),
    "recursion": written("""if n_layers == 0:
    return x
x = windows(x, kernel, n_layers - 1)
gap = 3 ** (n_layers - 1)
out = kernel[1] * x
out[gap:] += kernel[0] * x[:-gap]
out[:-gap] += kernel[2] * x[gap:]
return out"""),
    "a mask": given(
        ends="""places = np.arange(len(x)).reshape(-1, *[1] * (x.ndim - 1))
    left = np.where(places >= gap, left, 0)
    right = np.where(places + gap < len(x), right, 0)"""
    ),
    "word by word": written("""n = len(x)
for layer in range(n_layers):
    gap = 3**layer

    def word(i):
        return x[i] if 0 <= i < n else 0 * x[0]

    x = np.array(
        [
            kernel[0] * word(i - gap) + kernel[1] * x[i] + kernel[2] * word(i + gap)
            for i in range(n)
        ]
    )
return x"""),
    "one matrix for all layers": written("""n = len(x)
whole = np.eye(n)
for gap in 3 ** np.arange(n_layers):
    a, b, c = kernel
    whole = (a * np.eye(n, k=-gap) + b * np.eye(n) + c * np.eye(n, k=gap)) @ whole
return whole @ x"""),
    "PyTorch's own": written("""flat = torch.from_numpy(x).double().reshape(len(x), -1).T[:, None]
weight = torch.from_numpy(kernel).double()[None, None]
for layer in range(n_layers):
    gap = 3**layer
    flat = torch.nn.functional.conv1d(flat, weight, padding=gap, dilation=gap)
return flat[:, 0].T.reshape(x.shape).numpy()"""),
    "broad enough": written("""n, room = len(x), sum(3**k for k in range(n_layers))
for layer in range(n_layers):
    gap = 3**layer
    wide = np.zeros((n + 2 * gap, *x.shape[1:]))
    wide[gap : gap + n] = x
    x = sum(k * wide[i * gap : i * gap + n] for i, k in enumerate(kernel))
return x"""),
    "other names": written(
        """out = np.array(sentence, dtype=float)
for number in range(count):
    far = 3**number
    moved = {side: np.roll(out, side * far, axis=0) for side in (1, -1)}
    moved[1][:far] = 0.0
    moved[-1][-far:] = 0.0
    out = out * weights[1] + moved[1] * weights[0] + moved[-1] * weights[2]
return out""",
        "sentence, weights, count",
    ),
}

WRONG = {
    "nothing returned": written("gap = 1"),
    "the sentence itself": written("return x"),
    "zeros": written("return np.zeros_like(x)"),
    "minus at the ends": given(ends="left[:gap] *= -1\n    right[-gap:] *= -1"),
    "half at the ends": given(ends="left[:gap] /= 2\n    right[-gap:] /= 2"),
    "gaps of 1, 3, 5 from the end": given(gap="2 * (n_layers - layer) - 1"),
    "ends cut off": given(ends="pass", over="range(n_layers)").replace(
        "return x", "return x[1:-1]"
    ),
    "the mean of the window": given(out="(left + x + right) / 3"),
    "squeezed": given(
        out="np.tanh(kernel[0] * left + kernel[1] * x + kernel[2] * right)"
    ),
    "the kernel squared": given(
        out="kernel[0] ** 2 * left + kernel[1] ** 2 * x + kernel[2] ** 2 * right"
    ),
    "gaps of 1, 4, 9": given(gap="(layer + 1) ** 2"),
    "zeros in the words": given(ends="x[:gap] = 0\n    x[-gap:] = 0"),
    "a list of layers": given().replace("return x", "return [x, n_layers]"),
    "axis 1 from the start": given(left="np.roll(x, gap, axis=1)"),
}

SPELLINGS = {
    "as planted": [
        given(gap="1 + 2 * layer", ends="pass"),
        given(
            gap="2 * layer + 1",
            ends="pass",
            left="np.concatenate([x[-gap % len(x):], x[:-gap % len(x)]])",
        ),
    ],
    "still a ring": [given(ends="pass"), given(gap="int(3.0**layer)", ends="pass")],
    "gaps grow too slowly": [
        given(gap="2 * layer + 1"),
        given(gap="layer + layer + 1"),
    ],
    "ring on the right only": [given(ends="left[:gap] = 0")],
    "ring on the left only": [given(ends="right[-gap:] = 0")],
    "zeros at the wrong ends": [given(ends="left[-gap:] = 0\n    right[:gap] = 0")],
    "one zero at each end": [given(ends="left[0] = 0\n    right[-1] = 0")],
    "gap multiplied instead of raised": [given(gap="3 * layer if layer else 1")],
    "gaps by a sign that is no power": [given(gap="3^layer")],
    "gaps doubled": [given(gap="2**layer"), given(gap="1 << layer")],
    "first gap too wide": [given(gap="3 ** (layer + 1)"), given(gap="3 * 3**layer")],
    "same gap in all layers": [given(gap="1"), given(gap="1**layer")],
    "same wide gap in all layers": [given(gap="3")],
    "order of the layers": [given(over="reversed(range(n_layers))")],
    "zeros put there only once": [
        written("""far = 3**n_layers
n = len(x)
x = np.concatenate([np.zeros((far, *x.shape[1:])), x, np.zeros((far, *x.shape[1:]))])
for layer in range(n_layers):
    gap = 3**layer
    left, right = np.roll(x, gap, axis=0), np.roll(x, -gap, axis=0)
    x = kernel[0] * left + kernel[1] * x + kernel[2] * right
return x[far : far + n]"""),
    ],
    "gaps grow by three": [given(gap="layer * 3 + 1")],
    "zeros from the wrong place on": [
        given(ends="left[:gap] = 0\n    right[gap:] = 0"),
    ],
    "kernel turned around": [
        given(out="kernel[2] * left + kernel[1] * x + kernel[0] * right"),
        given(out="kernel[-1] * left + kernel[1] * x + kernel[0] * right"),
    ],
    "own word left out": [given(out="kernel[0] * left + kernel[2] * right")],
    "own word kept besides": [
        given(out="x + kernel[0] * left + kernel[1] * x + kernel[2] * right")
    ],
    "end repeated": [given(ends="left[:gap], right[-gap:] = x[0], x[-1]")],
    "numbers of a word as neighbours": [
        given(left="np.roll(x, gap)", right="np.roll(x, -gap)")
    ],
    "first layer only": [
        given(over="range(min(n_layers, 1))"),
        given(over="range(1)"),
    ],
    "a layer missing": [given(over="range(n_layers - 1)")],
    "a layer too many": [given(over="range(n_layers + 1)")],
    "window ends at its place": [given(out="kernel[0] * left + kernel[1] * x")],
    "window begins at its place": [given(out="kernel[1] * x + kernel[2] * right")],
}

DOUBLE = [
    ("gaps doubled", "still a ring", given(gap="2**layer", ends="pass")),
    (
        "kernel turned around",
        "gaps grow too slowly",
        given(
            gap="2 * layer + 1",
            out="kernel[2] * left + kernel[1] * x + kernel[0] * right",
        ),
    ),
    (
        "kernel turned around",
        "still a ring",
        given(ends="pass", out="kernel[2] * left + kernel[1] * x + kernel[0] * right"),
    ),
]
