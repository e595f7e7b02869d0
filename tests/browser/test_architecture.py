"""The map of the architecture: what it shows in each chapter, and how it is used."""

import json
import re
from itertools import pairwise

import nbfiles
import numpy as np
import pytest
import torch
from axe_playwright_python.base import AXE_SCRIPT
from module_outputs import outputs
from visit import AXE, resize, too_wide
from without_type_checks import types_unchecked

from tt_utils import figures
from tt_utils.decoding.search import greedy_decode
from tt_utils.figures.page_model import page_translator
from tt_utils.figures.widgets import BLOCKS

CHAPTERS = (10, 11, 12, 13)
PUT = """async ([script, state]) => {
  const figure = document.createElement("tt-architecture");
  figure.setAttribute("state", JSON.stringify(state));
  document.querySelector("article > section > p").after(figure);
  await import(script);
}"""
DATA = """async (script) => {
  const { blocksOf, CHAPTERS, BOOK } = await import(script);
  return { post: blocksOf(false), pre: blocksOf(true), chapters: CHAPTERS, book: BOOK };
}"""


@pytest.fixture
def figure(chromium, address):
    contexts, trouble = [], []

    def open_figure(width=1100, scheme="light", **state):
        view = {"width": width, "height": 900}
        context = chromium.new_context(color_scheme=scheme, viewport=view)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.goto(f"{address}/book/notation.html")
        script = f"{address}/figures/tt-architecture.mjs"
        page.evaluate(PUT, [script, state])
        found = page.locator("tt-architecture")
        found.locator("svg").wait_for()
        return found

    yield open_figure
    for context in contexts:
        context.close()
    assert trouble == []


@pytest.fixture(scope="module")
def data(chromium, address):
    page = chromium.new_page()
    page.goto(f"{address}/book/notation.html")
    found = page.evaluate(DATA, f"{address}/figures/tt-architecture.mjs")
    page.close()
    return found


def radio(found, name):
    return found.locator(f'[role=radio][aria-label^="{name}:"]')


def names(found, look):
    labels = found.locator(f"[role=radio].{look}").evaluate_all(
        "all => all.map(one => one.getAttribute('aria-label').split(':')[0])"
    )
    return set(labels)


def test_the_kernel_and_the_page_know_the_same_blocks(data):
    drawn = {block["id"] for blocks in (data["post"], data["pre"]) for block in blocks}
    assert drawn == set(BLOCKS)
    assert len(BLOCKS) == len(set(BLOCKS))


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_each_line_of_code_stands_in_the_package(data, norm):
    for block in data[norm]:
        source = nbfiles.ROOT / "tt_utils" / block["file"]
        text = source.read_text("utf-8")
        lines = [line.split("  #")[0].strip() for line in text.splitlines()]
        for line in block["code"]:
            assert line in lines, block["id"]


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_what_a_block_gives_is_what_the_next_one_takes(data, norm):
    flow = [block for block in data[norm] if block["id"] not in ("encoder", "decoder")]
    for before, after in pairwise(flow):
        if after["id"] != "target.tokens":
            assert after["takes"].split(", ")[0] == before["gives"], after["id"]


def test_links_lead_to_pages_that_the_book_has(book, figure, data):
    assert data["book"] == nbfiles.published(nbfiles.ROOT)
    found = figure(chapter=13)
    links = found.locator("a[href]").evaluate_all("all => all.map(a => a.href.baseVal)")
    pages = {link.split("/notebooks/")[1] for link in links}
    there = {f"{stem}.html" for stem, _ in data["chapters"].values()} & {
        page.name for page in (book / "notebooks").glob("*.html")
    }
    assert {"02_tokens_and_embeddings.html", "09_position.html"} <= pages <= there
    radio(found, "self-attention").click()
    found.get_by_role(
        "link", name="Chapter 06 explains it: Self-attention that learns"
    ).click()
    found.page.wait_for_url("**/notebooks/06_self_attention.html")


def test_names_of_chapters_are_their_titles(book, data):
    for number, (stem, title) in data["chapters"].items():
        notebook = nbfiles.ROOT / "notebooks" / f"{stem}.ipynb"
        if notebook.exists():
            first = json.loads(notebook.read_text("utf-8"))["cells"]
            text = "".join("".join(cell["source"]) for cell in first[:3])
            assert f"# {number} · {title}" in text.splitlines(), stem


NOW = {
    10: {"feed-forward", *(f"add & norm after {part}" for part in (
        "self-attention", "masked self-attention", "cross-attention", "feed-forward"
    ))},
    11: {"self-attention", "feed-forward", "add & norm after self-attention",
         "add & norm after feed-forward", "encoder, N layers"},
    12: {"target tokens, shifted", "masked self-attention", "cross-attention",
         "feed-forward", "add & norm after masked self-attention",
         "add & norm after cross-attention", "add & norm after feed-forward",
         "decoder, N layers"},
    13: {"linear", "softmax", "next word"},
}  # fmt: skip
LATER = {
    10: {"encoder, N layers", "cross-attention", "decoder, N layers", "linear",
         "softmax", "next word", "target tokens, shifted"},
    11: {"cross-attention", "decoder, N layers", "linear", "softmax", "next word",
         "target tokens, shifted"},
    12: {"linear", "softmax", "next word"},
    13: set(),
}  # fmt: skip


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_map_grows(figure, chapter):
    found = figure(chapter=chapter, norm_first=False)
    assert names(found, "now") == NOW[chapter]
    assert names(found, "later") == LATER[chapter]
    memory = found.locator("path.memory")
    looks = {10: "later", 11: "later", 12: "now", 13: "known"}
    assert looks[chapter] in memory.get_attribute("class").split()


@pytest.mark.parametrize("norm_first", [False, True])
def test_every_arrow_carries_its_shape(figure, norm_first):
    found = figure(norm_first=norm_first, chapter=12)
    shapes = found.locator("text.shape").all_text_contents()
    count = {shape: shapes.count(shape) for shape in shapes if "\u2009" in shape}
    source, target, words = (
        f"{axes}".replace("×", "\u2009×\u2009")
        for axes in ("t_src×d_model", "t_tgt×d_model", "t_tgt×vocab")
    )
    # Arrows to position, to each block of a layer, out of the stack, to a last norm.
    more = (3, 4) if norm_first else (0, 0)
    assert count == {source: 6 + more[0], target: 8 + more[1], words: 2}
    assert {"t_src", "t_tgt"} <= set(shapes)
    assert found.locator("path.road:not(.head)").count() == 5


FOCUSED = "f => f.shadowRoot.activeElement?.getAttribute('aria-label').split(':')[0]"


def test_the_keyboard_goes_from_block_to_block(figure):
    found = figure(chapter=11)
    assert found.locator('[role=radio][tabindex="0"]').count() == 1
    found.locator("input:checked").focus()
    press = found.page.keyboard.press
    press("Tab")
    assert found.evaluate(FOCUSED) == "source tokens"
    press("Enter")
    assert found.evaluate("f => f.state.block") == "source.tokens"
    seen = []
    for key in ("ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight", "ArrowUp", "ArrowUp"):
        press(key)
        seen.append(found.evaluate(FOCUSED))
    assert seen == [
        "embedding of the source", "position in the source", "self-attention",
        "masked self-attention", "add & norm after masked self-attention",
        "cross-attention",
    ]  # fmt: skip
    assert found.evaluate("f => f.state.block") == "decoder.cross_attention"
    panel = found.get_by_role("group", name="The chosen block").inner_text()
    assert "queries from the decoder" in panel
    assert "t_tgt × d_model and memory t_src × d_model → t_tgt × d_model" in panel
    press("ArrowLeft")
    assert found.evaluate(FOCUSED) == "add & norm after feed-forward"
    assert found.locator('[aria-checked="true"]').count() == 1


def test_a_click_chooses_and_tells(figure):
    found = figure(chapter=10)
    found.evaluate(
        "f => { f.told = []; for (const name of ['choose', 'change'])"
        " f.addEventListener(name, () => f.told.push([name, f.state.block])); }"
    )
    radio(found, "softmax").click()
    assert found.evaluate("f => f.told") == [
        ["choose", "softmax"],
        ["change", "softmax"],
    ]
    panel = found.get_by_role("group", name="The chosen block").inner_text()
    assert "add up to 1" in panel


def test_on_a_phone_the_chosen_block_stays_in_sight(figure):
    found = figure(width=375, chapter=12)
    for name in ("source tokens", "cross-attention", "softmax"):
        block = radio(found, name)
        # Where the panel will come to lie.
        block.evaluate("block => block.scrollIntoView({block: 'end'})")
        block.dispatch_event("click")
        bottom = found.locator(".panel").bounding_box()["y"]
        box = block.bounding_box()
        assert box["y"] > 0
        assert box["y"] + box["height"] <= bottom, name


def test_the_norm_moves_before_the_sublayer(figure):
    found = figure(chapter=10, block="encoder.norm_1")
    checked = found.locator('[aria-checked="true"]')
    assert checked.get_attribute("aria-label").startswith("add & norm")
    found.get_by_label("pre-norm").check()
    assert checked.get_attribute("aria-label").startswith("norm before self-attention")
    panel = found.get_by_role("group", name="The chosen block").inner_text()
    assert "return x + self.dropout(sublayer(self.norm(x)))" in panel


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_map_is_accessible_and_fits(figure, chapter, scheme):
    found = figure(chapter=chapter, scheme=scheme, block="linear")
    page = found.page
    page.evaluate(AXE_SCRIPT)
    for width in (320, 375, 800, 1440):
        resize(page, {"width": width, "height": 900})
        assert page.evaluate(AXE, "tt-architecture") == [], width
        assert too_wide(page) == [], width


CONTRASTS = """figure => {
  const pen = document.createElement("canvas").getContext("2d");
  const paint = (colours) => {
    pen.clearRect(0, 0, 1, 1);
    for (const [colour, alpha] of colours) {
      pen.globalAlpha = alpha; pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1);
    }
    const linear = [...pen.getImageData(0, 0, 1, 1).data].map(x => x / 255)
      .map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const style = getComputedStyle;
  const paper = [style(document.body).backgroundColor, 1];
  const frames = [...figure.shadowRoot.querySelectorAll("svg .frame")];
  return [...figure.shadowRoot.querySelectorAll("svg text")].map(text => {
    const own = text.closest("a")?.querySelector("rect");
    const { x, y } = text.getBoundingClientRect();
    const under = frames.filter(f => {
      const box = f.getBoundingClientRect();
      return box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
    });
    const ground = [paper, ...[...under, ...(own ? [own] : [])]
      .map(rect => [style(rect).fill, 1]).filter(([fill]) => fill !== "none")];
    const ink = [style(text).fill, Number(style(text).opacity)];
    const [a, b] = [paint(ground), paint([...ground, ink])].sort((p, q) => q - p);
    return [text.textContent, (a + 0.05) / (b + 0.05)];
  });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_text_stands_out(figure, chapter, scheme):
    found = figure(chapter=chapter, scheme=scheme, block="source.embedding")
    contrasts = found.evaluate(CONTRASTS)
    assert len(contrasts) > 50
    assert [text for text in contrasts if text[1] < 4.5] == []


SIZES = """figure => [...figure.shadowRoot.querySelectorAll("svg text")].map(text =>
  parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"""
OVER = """figure => [...figure.shadowRoot.querySelectorAll("a")].filter(one => {
  const box = one.querySelector("rect").getBoundingClientRect();
  const texts = [...one.querySelectorAll("text")]
    .map(text => text.getBoundingClientRect());
  const chapter = one.querySelector(".chapter")?.getBoundingClientRect();
  return texts.some(({ left, right }) => left < box.left || right > box.right)
    || (chapter && texts.some(({ left, right }) =>
      left < chapter.left && right > chapter.left - 4));
}).map(one => one.textContent)"""


@pytest.mark.parametrize("width", [375, 760, 1100])
def test_texts_are_large_enough_and_keep_to_their_blocks(figure, width):
    found = figure(width=width, chapter=12)
    assert min(found.evaluate(SIZES)) >= 11
    assert found.evaluate(OVER) == []


def test_blocks_are_large_enough_to_press(figure):
    found = figure(width=375)
    for block in found.locator("[role=radio]").all():
        box = block.bounding_box()
        assert min(box["width"], box["height"]) >= 23.9


def test_the_stand_in_tells_the_page_its_chapter(figure):
    text = figures.Architecture(chapter=11).stand_in()
    state = json.loads(re.search(r"state='([^']*)'", text)[1].replace("&quot;", '"'))
    assert state == {"chapter": 11}
    assert names(figure(**state), "now") == NOW[11]


def test_the_map_stands_there_in_words(figure):
    found = figure(chapter=13, norm_first=False)
    found.get_by_text("The map in words").click()
    rows = found.locator("details li").all_inner_texts()
    assert len(rows) == 21
    assert rows[0].startswith("source tokens: words → t_src.")
    assert rows[-1].startswith("next word: t_tgt × vocab → t_tgt.")


TEXT = "is the black cat in the kitchen ?"


def panel_of(found, block, layer=0):
    found.evaluate(
        "(f, [block, layer]) => { f.state = { block, layer }; }", [block, layer]
    )
    panel = found.locator(".panel")
    panel.locator(".size").first.wait_for()
    return panel


def cells(panel):
    rows = panel.locator("tbody tr").all()
    return [row.locator("th, td").all_inner_texts() for row in rows]


@pytest.fixture(scope="module")
def read():
    """What PyTorch gives for the sentence, by name of its module."""
    translator = page_translator()
    with types_unchecked(), torch.no_grad():
        src = torch.tensor([translator.encode(TEXT)])
        wrote = greedy_decode(translator.model, src, 40)[0].tolist()
        tgt = torch.tensor([[1, *wrote[:-1]]])
        seen = outputs(translator.model, src, tgt)
    words = [translator.source.words[i] for i in src[0]]
    said = [translator.target.words[i] for i in wrote]
    return seen, words, said, translator


def number(text):
    return float(text.replace("−", "-"))


@pytest.mark.parametrize("layer", [0, 1])
def test_shapes_and_numbers_are_those_of_pytorch(figure, data, read, layer):
    seen, words, said, translator = read
    assert len(words) != len(said)
    found = figure(text=TEXT)
    for block in data["pre"]:
        name = block["tensor"].replace("#", str(layer))
        if name not in seen:
            continue
        x = seen[name].numpy()
        panel = panel_of(found, block["id"], layer)
        rows = (
            ["start", *said[:-1]] if "t_tgt" in block["gives"] else [*words[:-1], "end"]
        )
        if block["id"] == "word":
            rows = ["start", *said[:-1]]
            assert cells(panel) == [
                list(pair) for pair in zip(rows, [*said[:-1], "end"], strict=True)
            ]
            continue
        sizes = panel.locator(".size").all_inner_texts()
        assert sizes[0] == " × ".join(map(str, x.shape)), block["id"]
        lengths = np.linalg.norm(x, axis=1)
        mean = re.search(r"Mean length of a row: (\S+)\.", panel.inner_text())[1]
        assert number(mean) == pytest.approx(lengths.mean(), abs=0.006)
        shown = cells(panel)
        assert [row[0] for row in shown] == rows
        if block["gives"].endswith("vocab"):
            for row, numbers in zip(shown, x, strict=True):
                best = numbers.argsort()[::-1][:2]
                told = re.findall(r"(\S+) (\S+)(?: ·|$)", row[1])
                assert [number(n) for _, n in told] == pytest.approx(
                    numbers[best], abs=0.006
                )
                word = translator.target.words[best[0]].replace("</s>", "end")
                assert told[0][0] == word
            continue
        for row, numbers, length in zip(shown, x, lengths, strict=True):
            assert [number(n) for n in row[1:4]] == pytest.approx(
                numbers[:3], abs=0.006
            )
            assert number(row[4]) == pytest.approx(length, abs=0.06)


def test_weights_have_their_shape(figure):
    found = figure(text="she is tall")
    shapes = {"encoder.self": "4 × 4 × 4", "decoder.self": "4 × 3 × 3"}
    for name, shape in (shapes | {"decoder.cross": "4 × 3 × 4"}).items():
        panel = panel_of(found, f"{name}_attention")
        assert panel.locator(".size").all_inner_texts()[1] == shape


def test_a_layer_can_be_chosen(figure):
    found = figure(block="encoder.feed_forward", layer=7)
    second = found.get_by_role("button", name="layer 2")
    assert second.get_attribute("aria-pressed") == "true"
    before = cells(found.locator(".panel"))
    first = found.get_by_role("button", name="layer 1")
    first.focus()
    found.page.keyboard.press("Enter")
    assert found.evaluate("f => f.state.layer") == 0
    assert cells(found.locator(".panel")) != before
    focused = "f => f.shadowRoot.activeElement.textContent"
    assert found.evaluate(focused) == "layer 1"


def test_numbers_belong_to_what_is_drawn(figure):
    found = figure(block="encoder", norm_first=False)
    panel = found.locator(".panel")
    panel.get_by_text("The model in this page is pre-norm").wait_for()
    assert panel.locator(".size").count() == 0
    panel.get_by_role("button", name="Show its numbers").click()
    panel.locator(".size").wait_for()
    assert found.get_by_label("pre-norm").is_checked()


def test_a_sentence_can_be_written(figure):
    found = figure(block="source.tokens")
    found.locator(".size").wait_for()
    found.get_by_text("The sentence:").click()
    box = found.get_by_label("Write an English sentence")
    box.fill("she is tall")
    assert found.evaluate("f => f.state.text") == "she is tall"
    assert found.locator("svg text.words").all_text_contents() == [
        "she is tall end",
        "start es alta",
        "es alta end",
    ]
    box.fill("my zebra yodels")
    box.press("Enter")
    told = found.get_by_role("status").inner_text()
    assert "The model never saw “zebra”, “yodels”" in told
    assert "The map still shows “she is tall”." in told
    assert found.locator(".size").inner_text() == "4"


def requests(page):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    return asked


@pytest.mark.parametrize(
    ("state", "at_once", "when_touched"),
    [
        ({"chapter": 12, "block": "linear"}, False, False),
        ({"chapter": 13}, False, True),
        ({"chapter": 13, "block": "linear"}, True, True),
        ({"chapter": 13, "text": "she is tall"}, True, True),
    ],
)
def test_the_model_is_fetched_where_it_is_needed(
    chromium, address, state, at_once, when_touched
):
    page = chromium.new_page()
    asked = requests(page)

    def fetched():
        return any("/model/" in url for url in asked)

    page.goto(f"{address}/book/notation.html")
    page.evaluate(
        """state => {
          const figure = document.createElement("tt-architecture");
          figure.setAttribute("state", JSON.stringify(state));
          const above = document.createElement("div");
          above.style.height = "5000px";
          document.querySelector("article").append(above, figure);
        }""",
        state,
    )
    page.evaluate(f"import('{address}/figures/tt-architecture.mjs')")
    page.wait_for_timeout(500)
    assert not fetched()
    page.locator("tt-architecture").scroll_into_view_if_needed()
    page.wait_for_timeout(1_000)
    assert fetched() == at_once
    page.locator("tt-architecture svg").hover()
    page.wait_for_timeout(1_000)
    assert fetched() == when_touched
    page.close()


def test_without_the_model_the_map_stands(chromium, address):
    page = chromium.new_page()
    page.route("**/model/*", lambda route: route.abort())
    page.goto(f"{address}/book/notation.html")
    script = f"{address}/figures/tt-architecture.mjs"
    page.evaluate(PUT, [script, {"block": "softmax"}])
    told = page.locator("tt-architecture .panel [role=status]")
    told.get_by_text("could not be fetched").wait_for()
    assert page.locator("tt-architecture svg").is_visible()
    page.close()
