"""The film in its page: how big it is, and how long a reader waits for it.

Measured in Chromium, as this computer is and at a quarter of its speed.
"""

import gzip
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from record import ROOT, save

sys.path.insert(0, str(ROOT / "tools"))
import browser
from playwright.sync_api import Page, sync_playwright

from tt_utils.data.corpora import grammar_test_pairs

PAGE = "book/film.html"
SLOWDOWNS = (1, 4)
VISITS = 5
SENTENCES = 50
HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "${alert(1)} {{7*7}}",
    "a\0b\u202ec\u200bd",
    "🐈‍⬛ 🥛",
    "",
    "ball " * 2_000,
    "x" * 10_000,
    "zebra giraffe",
)
READY = "() => document.querySelector('tt-film')?.result?.words.length"
# From the key to the end of layout, which is what the browser needs before it paints.
TYPE = """async (texts) => {
  const figure = document.querySelector("tt-film");
  const input = figure.shadowRoot.querySelector("#text");
  const times = [];
  for (const text of texts) {
    const drawn = new Promise((done) => {
      figure.addEventListener("change", done, {once: true});
    });
    const start = performance.now();
    input.value = text;
    input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
    await drawn;
    figure.getBoundingClientRect();
    times.push([performance.now() - start, figure.result.translation.length + 1]);
  }
  return times;
}"""
TILES = """async (count) => {
  const figure = document.querySelector("tt-film");
  figure.state = { moment: 1000 };
  const times = [];
  for (let i = 0; i < count; i++) {
    const tiles = figure.shadowRoot.querySelectorAll(".chip");
    const start = performance.now();
    tiles[i % tiles.length].dispatchEvent(new Event("click"));
    await new Promise((done) => setTimeout(done));
    figure.getBoundingClientRect();
    times.push(performance.now() - start);
  }
  return times;
}"""


def main() -> None:
    """Build the book, visit the page, and measure."""
    if browser.path() is None:
        sys.exit(browser.MISSING)
    with tempfile.TemporaryDirectory() as out, sync_playwright() as playwright:
        book = build(Path(out))
        chromium = browser.launch(playwright)
        with browser.serving(book) as address:
            rows = [measured(chromium, f"{address}/{PAGE}", by) for by in SLOWDOWNS]
        chromium.close()
        result = sizes(book / "figures") | {"rows": rows}
    print(result)
    save("page", result)


def build(folder: Path) -> Path:
    """Build the book into this folder and return that of its pages."""
    builder = Path(sys.executable).with_name("jupyter-book")
    command = [builder, "build", ROOT, "--path-output", folder, "-W", "-q"]
    subprocess.run(command, check=True)
    return folder / "_build" / "html"


def sizes(folder: Path) -> dict[str, int]:
    """Give the bytes that travel; the model's file is compressed already."""
    script = (folder / "tt-film.mjs").read_bytes()
    info = (folder / "model" / "model.json").read_bytes()
    model = folder / "model" / json.loads(info)["snapshots"][-1]["file"]
    return {
        "script_bytes": len(gzip.compress(script)),
        "model_bytes": model.stat().st_size,
        "words_bytes": len(gzip.compress(info)),
    }


def measured(chromium, address: str, slowdown: int) -> dict[str, float]:
    """Visit afresh, then type sentences and open tiles."""
    ready = []
    for _ in range(VISITS):
        page = visit(chromium, slowdown)
        page.goto(address, wait_until="commit")
        page.wait_for_function(READY, polling=10)
        ready.append(page.evaluate("performance.now()"))
        if len(ready) < VISITS:
            page.context.close()
    sentences = [" ".join(pair.source) for pair in grammar_test_pairs()[:SENTENCES]]
    typed = page.evaluate(TYPE, sentences)
    times = [time for time, _ in typed]
    tiles = page.evaluate(TILES, SENTENCES // 2)
    hostile = [time for time, _ in page.evaluate(TYPE, HOSTILE)]
    page.context.close()
    return {
        "slowdown": slowdown,
        "ready_ms": statistics.median(ready),
        "redraw_ms": statistics.median(times),
        "redraw_worst_ms": max(times),
        "token_ms": sum(times) / sum(tokens for _, tokens in typed),
        "tile_ms": statistics.median(tiles),
        "hostile_worst_ms": max(hostile),
    }


def visit(chromium, slowdown: int) -> Page:
    page = chromium.new_context().new_page()
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    return page


if __name__ == "__main__":
    main()
