"""Writes book/results.md from benchmarks/results/; `--check` only compares.

No number of that page is typed by hand. A result that is not there yet has its row and
its command all the same.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import matplotlib.pyplot as plt
import nbfiles

from tt_utils import plotting

RESULTS = nbfiles.ROOT / "benchmarks" / "results"
PAGE = nbfiles.ROOT / "book" / "results.md"
PICTURES = nbfiles.ROOT / "book" / "_static" / "results"
MISSING = "*Not measured yet.* The command: `{}`."

Result = dict


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    text = page()
    if given.check:
        if PAGE.read_text(encoding="utf-8") != text:
            print(f"{PAGE.name} differs from benchmarks/results; run make sync")
            return 1
        return 0
    PAGE.write_text(text, encoding="utf-8")
    draw_pictures()
    return 0


def page() -> str:
    """The whole page as Markdown."""
    parts = [INTRODUCTION]
    for title, explanation, *measured in SECTIONS:
        parts += [f"## {title}", explanation]
        for label, name, command, render in measured:
            parts.append(section(label, name, command, render))
    return "\n\n".join(parts) + "\n"


def section(label: str, name: str, command: str, render: Callable[[dict], str]) -> str:
    """One result with where it comes from, or the command that would measure it."""
    label = label and f"**{label}**"
    path = RESULTS / f"{name}.json"
    if not path.exists():
        return f"{label} {MISSING.format(command)}".lstrip()
    found = json.loads(path.read_text(encoding="utf-8"))
    versions = ", ".join(f"{k} {v}" for k, v in found["versions"].items())
    origin = (
        f"*{found['device']}; {found['date']}; commit {found['commit']}; {versions}.* "
        f"The command: `{found['command']}`."
    )
    return "\n\n".join(filter(None, (label, render(found["result"]), origin)))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose first column is text and whose others are numbers."""
    lines = [head, [":--", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def picture(name: str, text: str) -> str:
    return f"![{text}](_static/results/{name}.svg)"


# Translation


def bleu(scores: dict, kind: str = "bleu") -> str:
    found = scores[kind]
    return f"{found['score']:.1f} ({found['low']:.1f} to {found['high']:.1f})"


def multi30k(result: Result, name: str) -> str:
    clock, unit = clock_of(name)
    rows = [
        (
            {"de-en": "German → English", "en-de": "English → German"}[
                row["direction"]
            ],
            bleu(row["greedy"]),
            f"**{bleu(row['beam 4'])}**",
            bleu(row["beam 4"], "bleu_lowercased"),
            f"{row['parameters'] / 1e6:.1f} M",
            f"{row['steps']:,}",
            f"{row['history'][-1][clock] / 60:.0f}",
        )
        for row in result["rows"]
    ]
    head = (
        *("direction", "greedy", "4 beams", "4 beams, lower-cased"),
        *("parameters", "steps", unit),
    )
    examples = []
    for row in result["rows"]:
        examples += [f"- {source} → *{out}*" for source, out in row["examples"]]
    signature = result["rows"][0]["beam 4"]["bleu"]["signature"]
    return "\n\n".join(
        [
            table(head, rows),
            f"In brackets: 95 % interval. Signature: `{signature}`.",
            picture(name, MULTI30K_PICTURE),
            "The first test sentences, as the models translate them with 4 beams:",
            "\n".join(examples),
        ]
    )


def clock_of(name: str) -> tuple[str, str]:
    """What tells the cost of a training, and its unit: a GPU's isn't its core's."""
    if name.endswith("_gpu"):
        return "seconds", "minutes"
    return "cpu_seconds", "core-minutes"


MULTI30K_PICTURE = (
    "The validation loss falls with the time of training, in each direction, and "
    "flattens towards the end."
)


def grammar(result: Result) -> str:
    rows = [
        (
            f"seed {row['seed']}",
            f"{row['exact']:.2%}",
            f"{row['alignment_error']:.3f}",
            f"{row['seconds']:.0f} s",
        )
        for row in result["rows"]
    ]
    head = ("run", "exactly right", "alignment error", "training")
    others = (
        (name, f"{error:.3f}") for name, error in result["alignment_error"].items()
    )
    sentences = result["rows"][0]["sentences"]
    return "\n\n".join(
        [
            f"On {sentences:,} sentences with unseen combinations, greedy:",
            table(head, rows),
            "Other ways to guess the alignment of the same sentences:",
            table(("way", "alignment error"), others),
        ]
    )


# Speed and memory


def training_speed(result: Result) -> str:
    rows = [
        (
            row["model"],
            f"{row['tokens_per_second']:,.0f}",
            f"{row['ratio']:.2f}",
            f"{row['share_of_matmul_peak']:.0%}",
        )
        for row in result["rows"]
    ]
    head = ("model", "tokens/s", "ratio", "share of matmul peak")
    return table(head, rows)


def memory(result: Result) -> str:
    rows = [
        (
            f"{row['model']} ({row['size']})",
            f"{row['peak']:,.0f}",
            f"{row['weights']:,.0f}",
        )
        for row in result["rows"]
    ]
    return table(("model (size)", "peak, MB", "weights alone, MB"), rows)


def end_to_end(result: Result) -> str:
    rows = [
        (
            row["trained"],
            f"{row['tokens_per_second']:,.0f}",
            f"{row['ratio']:.2f}",
            f"{row['validation_loss']:.2f}",
            f"{row['steps']:,}",
            f"{row['padding']:.1%}",
        )
        for row in result["rows"]
    ]
    head = ("trained", "tokens/s", "ratio of times", "loss", "steps", "padding")
    wide = result["padding_at_4096_tokens"]
    return (
        table(head, rows)
        + f"\n\nOver the whole epoch in batches of 4,096 tokens, {wide:.1%} of the ids "
        "on both sides are padding."
    )


def decoding(result: Result) -> str:
    rows = [
        (
            row["decoder"],
            f"{row['sentences']} × {row['length']}",
            f"{row['seconds']:.2f}",
            f"{row['ratio']:.1f}",
        )
        for row in result["rows"]
    ]
    head = ("decoder", "sentences × tokens", "core-seconds", "ratio")
    return table(head, rows) + "\n\n" + picture("decoding_speed", DECODING_PICTURE)


DECODING_PICTURE = (
    "Core-milliseconds a token against the length of the sentence from 16 to 1,024. "
    "Without a cache the cost climbs steeply with the length; with one it climbs "
    "little, and is far below at 1,024."
)


def import_time(result: Result) -> str:
    rows = ((name, f"{seconds:.3f}") for name, seconds in result["seconds"].items())
    return table(("import", "seconds"), rows)


def translator_page(result: Result) -> str:
    names = {
        "ready_ms": "until the first translation stands there",
        "redraw_ms": "from a key to the new picture, median",
        "redraw_worst_ms": "the same, slowest of 50 sentences",
        "token_ms": "for each word written, with all drawing",
        "cell_ms": "from choosing a cell to its calculation",
        "hostile_worst_ms": "answer to scripts, emoji, 10,000 letters; slowest",
    }
    runs = result["rows"]
    head = ["milliseconds", *(f"speed 1/{run['slowdown']}" for run in runs)]
    rows = (
        (text, *(f"{run[key]:,.0f}" for run in runs)) for key, text in names.items()
    )
    sizes = (
        f"Compressed sizes: script {result['script_bytes'] / 1000:.1f} KB, for all "
        f"figures; model {result['model_bytes'] / 1000:.0f} KB; its words and sizes "
        f"{result['words_bytes'] / 1000:.0f} KB."
    )
    return f"{table(head, rows)}\n\n{sizes}"


# Pictures


def draw_pictures() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    plt.style.use(plotting.STYLE)
    plt.rcParams["svg.hashsalt"] = "results"
    for name, draw in (
        ("multi30k_quick", draw_multi30k),
        ("multi30k_full", draw_multi30k),
        ("multi30k_full_gpu", draw_multi30k),
        ("decoding_speed", draw_decoding),
    ):
        path = RESULTS / f"{name}.json"
        if path.exists():
            fig, ax = plt.subplots()
            draw(ax, json.loads(path.read_text(encoding="utf-8"))["result"], name)
            fig.savefig(PICTURES / f"{name}.svg", metadata={"Date": None})
            plt.close(fig)


def draw_multi30k(ax, result: Result, name: str) -> None:
    clock, unit = clock_of(name)
    for marker, row in zip("os", result["rows"], strict=False):
        minutes = [point[clock] / 60 for point in row["history"]]
        losses = [point["valid"] for point in row["history"]]
        ax.plot(minutes, losses, marker=marker, label=row["direction"])
    ax.set(xlabel=f"{unit} of training", ylabel="validation loss (nats a token)")
    ax.legend()


def draw_decoding(ax, result: Result, name: str) -> None:
    names = dict.fromkeys(row["decoder"] for row in result["curve"])
    lengths = sorted({row["length"] for row in result["curve"]})
    costs = {
        name: [r["ms_per_token"] for r in result["curve"] if r["decoder"] == name]
        for name in names
    }
    plotting.curves(ax, lengths, costs)
    ax.set(xscale="log", yscale="log", xticks=lengths, xticklabels=lengths)
    ax.set(xlabel="tokens in the sentence", ylabel="core-milliseconds a token")
    ax.minorticks_off()


INTRODUCTION = """\
# Results

What the code of this book reaches, measured by the commands in the folder
`benchmarks`. Each command writes a file with the numbers, the device, the versions and
the commit; this page is made from those files. Machines differ, so speeds are compared
within one run and given as ratios, too; what takes seconds, rivals did in turns.

*Core-minutes* and *core-seconds* add up the time of all processor cores that worked;
other programs on the machine don't count."""

SECTIONS = (
    (
        "Translating Multi30k",
        "A model trained on 29,000 captions translates the 1,000 sentences of "
        "`test_2016_flickr`. The settings were chosen on the validation sentences.",
        (
            "The quick budget, on CPU cores.",
            "multi30k_quick",
            "python benchmarks/multi30k.py",
            partial(multi30k, name="multi30k_quick"),
        ),
        (
            "The full budget, on CPU cores.",
            "multi30k_full",
            "python benchmarks/multi30k.py --budget full --directions en-de",
            partial(multi30k, name="multi30k_full"),
        ),
        (
            "The full budget, on a GPU.",
            "multi30k_full_gpu",
            "python benchmarks/multi30k.py --budget full",
            partial(multi30k, name="multi30k_full_gpu"),
        ),
    ),
    (
        "The embedded grammar",
        "The model of [the tour](../notebooks/00_tour.ipynb), trained from three "
        "seeds. The alignment is read off the cross-attention of the last layer, the "
        "mean over its heads, and compared with the gold links of the grammar.",
        ("", "grammar", "python benchmarks/grammar.py", grammar),
    ),
    (
        "Training speed",
        "One step on 32 sentences of 64 tokens with a vocabulary of 8,000, dropout "
        "0.1, on one core. *Plain* is a model written step by step after the paper's "
        "text. *Ratio* compares with `torch.nn.Transformer` as it comes, in fp32; that "
        "drops attention weights, too, which nothing else here does. The *matmul peak* "
        "is what a product of two large square matrices reaches in the same run and "
        "precision.",
        (
            "Width 256, 3 + 3 layers.",
            "training_speed_small",
            "python benchmarks/training_speed.py",
            training_speed,
        ),
        (
            "The paper's base model.",
            "training_speed_base",
            "python benchmarks/training_speed.py --size base",
            training_speed,
        ),
        (
            "The paper's base model, on a GPU.",
            "training_speed_base_gpu",
            "python benchmarks/training_speed.py --size base",
            training_speed,
        ),
    ),
    (
        "Memory of a training step",
        "What three such steps add to a process at its largest.",
        ("", "memory", "python benchmarks/memory.py", memory),
        ("On a GPU.", "memory_gpu", "python benchmarks/memory.py", memory),
    ),
    (
        "From sentences to a trained model",
        "A part of an epoch of Multi30k, German to English, with the same optimizer "
        "and learning rates, in about as many steps. Only real tokens count. The loss "
        "is that of the validation sentences afterwards. Batches of like length learn "
        "a little less a step, so the last row trains longer.",
        ("", "end_to_end", "python benchmarks/end_to_end.py", end_to_end),
    ),
    (
        "Decoding",
        "Width 256 with 3 + 3 layers; every sentence is written to its full length. "
        "The picture is for a single sentence.",
        ("", "decoding_speed", "python benchmarks/decoding_speed.py", decoding),
    ),
    (
        "The translator in the page",
        "[The page](translator.md) in Chromium, on this computer and on one that is "
        "four times slower.",
        ("", "page", "python benchmarks/page.py", translator_page),
    ),
    (
        "Importing",
        "The package loads what is used, when it is used. Medians of fresh processes.",
        ("", "import_time", "python benchmarks/import_time.py", import_time),
    ),
)

if __name__ == "__main__":
    sys.exit(main())
