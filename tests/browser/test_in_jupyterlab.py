"""The figures in JupyterLab: to the kernel and back, and what stays without one."""

import nbfiles
import nbformat
import pytest
from playwright.sync_api import TimeoutError

CELLS = {
    "figure": (
        "from tt_utils import figures\n"
        'figure = figures.Film(text="the ball is blue")\n'
        "figure"
    ),
    "read": 'print(figure.text, "→", " ".join(figure.translation))',
    "set": 'figure.text = "she is tall"',
    "control": (
        "import ipywidgets\n"
        "lookup = figures.SoftLookup()\n"
        "slider = ipywidgets.FloatSlider(min=-3, max=3)\n"
        'link = ipywidgets.link((slider, "value"), (lookup, "query"))\n'
        "display(slider, lookup)"
    ),
    "move": "slider.value = 2; lookup.temperature = 4",
    "temperature": "print(lookup.temperature)",
    "masks": "masks = figures.Masks()\nmasks",
    "boxed": 'display(ipywidgets.VBox([figures.Clocks(p=7)]))\nprint("not hidden")',
    "mine": (
        "import torch\n"
        "from tt_utils.data.tokenizer import WordTokenizer\n"
        "from tt_utils.decoding import Translator\n"
        "from tt_utils.models import Transformer, TransformerConfig\n"
        'words = WordTokenizer(["cat", "the"]), WordTokenizer(["el", "gato"])\n'
        "sizes = dict(d_model=8, d_ff=8, n_heads=2, norm_first=True, max_len=64)\n"
        "sizes |= dict(n_encoder_layers=1, n_decoder_layers=1)\n"
        "torch.manual_seed(0)  # some other starts say nothing at all\n"
        "model = Transformer(TransformerConfig(6, 6, **sizes)).eval()\n"
        'mine = figures.Film(Translator(model, *words, {}), text="the cat")\n'
        "mine"
    ),
    "map": 'plan = figures.Architecture(block="linear")\nplan',
    "chosen": "print(plan.block, plan.layer)",
    "own": 'print(mine.words, len(mine.translation) > 0, "end")',
    "digit": (
        "from tt_utils.models import ViT, ViTConfig\n"
        "sizes = dict(d_model=8, d_ff=8, n_heads=2, n_layers=2, patch=4, max_len=5)\n"
        "digit = figures.Digit(ViT(ViTConfig(**sizes)).eval(), layer=0)\n"
        "digit"
    ),
    "saw": "print(digit.drawing[0][:3], len(digit.logits), digit.image[0][:3])",
    "closed": "print(masks.allowed[0][:2])",
}
NAME = "figures.ipynb"
PATIENCE = 60_000
SAYS = """([tag, words]) =>
  document.querySelector(tag)?.result?.translation.join(" ") === words"""


@pytest.fixture(scope="module")
def address(lab):
    """Where a notebook with these cells opens."""
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(code) for code in CELLS.values()]
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, lab.folder / NAME)
    return lab.at(NAME)


@pytest.fixture(scope="module")
def page(chromium, address):
    """The notebook in JupyterLab, all cells run."""
    context = chromium.new_context(viewport={"width": 1300, "height": 1000})
    page = context.new_page()
    trouble = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    page.wait_for_function(SAYS, arg=["tt-film", "es alta"])
    yield page
    context.close()
    assert trouble == []


def cell(page, name):
    return page.locator(".jp-CodeCell").nth(list(CELLS).index(name))


def prints_in_the_end(page, name, text):
    """Run a cell until it prints this: what a browser calculates takes its time."""
    printed = cell(page, name).locator("pre", has_text=text)
    for _ in range(20):
        cell(page, name).locator(".cm-content").click()
        page.keyboard.press("Control+Enter")
        try:
            printed.first.wait_for(timeout=1_500)
        except TimeoutError:
            continue
        return
    pytest.fail(f"{name} never printed {text!r}")


def test_the_kernel_speaks_to_the_figure(page):
    """The notebook set another text after the figure was shown."""
    assert cell(page, "figure").locator("tt-film").is_visible()
    assert page.evaluate("document.querySelector('tt-film').state.text") == (
        "she is tall"
    )


def test_what_is_typed_reaches_the_kernel(page):
    """No letter is taken for one of the notebook's shortcuts."""
    cell(page, "figure").locator("tt-film .write > summary").click()
    box = cell(page, "figure").get_by_label("Write an English sentence")
    box.fill("")
    box.press_sequentially("the black dog drank the milk")
    words = "el perro negro bebió la leche"
    page.wait_for_function(SAYS, arg=["tt-film", words])
    prints_in_the_end(page, "read", f"the milk → {words}")
    assert page.locator(".jp-CodeCell").count() == len(CELLS)


def test_a_control_moves_a_figure(page):
    figure = cell(page, "control").locator("tt-soft-lookup")
    figure.get_by_role("button", name="just show me").click()
    assert figure.get_by_label("query").input_value() == "2"
    figure.locator("output", has_text="4.00").wait_for()
    figure.get_by_label("query").fill("1.5")
    read = cell(page, "control").locator(".widget-readout", has_text="1.50")
    read.wait_for()


def test_limits_that_the_browser_knows_are_those_of_the_kernel(page):
    figure = cell(page, "control").locator("tt-soft-lookup")
    for end, temperature in (("-1.5", "0.03"), ("1.5", "31.6")):
        figure.get_by_label("temperature").fill(end)
        prints_in_the_end(page, "temperature", temperature)


def test_the_first_click_reaches_the_kernel(page):
    figure = cell(page, "masks").locator("tt-masks")
    figure.get_by_role("button", name="18").click()
    figure.get_by_label("la 1 may attend to bola 2").click()
    prints_in_the_end(page, "closed", "[True, False]")


def test_only_the_empty_output_beside_a_picture_is_hidden(page):
    assert cell(page, "boxed").locator("tt-clocks").is_visible()
    assert cell(page, "boxed").locator("pre", has_text="not hidden").is_visible()


def test_a_model_of_ones_own_runs_in_the_figure(page):
    figure = cell(page, "mine").locator("tt-film")
    figure.locator(".said b").wait_for()
    # It isn't sure of anything, and says so above the line to write in.
    figure.locator("#message", has_text="It isn’t sure of this one").wait_for()
    figure.get_by_label("Write an English sentence").fill("the cat the cat")
    prints_in_the_end(page, "own", "['the', 'cat', 'the', 'cat'] True end")
    heads = figure.get_by_role("group", name="Whose weights").get_by_role("button")
    assert heads.all_inner_texts() == ["mean of the heads", "head 1", "head 2"]
    assert figure.get_by_label("trained for").count() == 0


def test_the_map_answers_and_links_the_published_book(page):
    figure = cell(page, "map").locator("tt-architecture")
    figure.scroll_into_view_if_needed()  # it fetches its model when it is seen
    figure.locator(".size", has_text="5 × 744").wait_for()
    figure.locator('[aria-label^="feed-forward"]').first.click()
    figure.get_by_role("button", name="layer 2").click()
    prints_in_the_end(page, "chosen", "encoder.feed_forward 1")
    link = figure.get_by_role("link", name="Chapter 10 explains it")
    address = nbfiles.published(nbfiles.ROOT)
    page_name = "notebooks/10_feed_forward_residual_norm.html"
    assert link.get_attribute("href") == address + page_name


def test_a_drawing_and_its_logits_reach_the_kernel(page):
    """The model is one of the notebook's own, with other patches than the book's."""
    figure = cell(page, "digit").locator("tt-digit")
    figure.scroll_into_view_if_needed()  # it fetches its model when it is seen
    figure.get_by_label("Layer").and_(figure.locator("select")).wait_for()
    figure.get_by_role("button", name="Clear").click()
    figure.get_by_role("gridcell").nth(1).focus()
    page.keyboard.press("Space")
    prints_in_the_end(page, "saw", "[0, 16, 0] 10 [0, 16, 0]")
    assert figure.locator(".dot").count() == 4
    assert figure.get_by_label("Layer").locator("option").all_inner_texts() == [
        *("1", "2, the last")
    ]


def test_without_its_kernel_the_notebook_shows_the_picture(page, address):
    """Last, as it ends the kernel."""
    cell(page, "figure").locator(".cm-content").click()
    page.keyboard.press("Control+s")
    page.wait_for_selector(".jp-mod-dirty", state="detached")
    page.get_by_role("menuitem", name="Kernel", exact=True).click()
    page.get_by_text("Shut Down Kernel", exact=True).click()
    page.wait_for_selector(".jp-NotebookPanel-toolbar >> text=No Kernel")
    page.goto("about:blank")
    page.goto(address)
    page.locator("text=Error displaying").first.wait_for(state="attached")
    for name in ("figure", "control", "masks", "mine", "map", "digit"):
        assert cell(page, name).locator("img").is_visible()
        assert not cell(page, name).locator("text=model not found").last.is_visible()
