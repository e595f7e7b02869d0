"""The film: one sentence on its way through the model, used as a reader uses it."""

import json
import math
import re

import nbfiles
import numpy as np
import pytest
import torch
from axe_playwright_python.base import AXE_SCRIPT
from module_outputs import outputs
from playwright.sync_api import expect
from visit import AXE, resize, too_wide
from without_type_checks import types_unchecked

from tt_utils.data.corpora import grammar_test_pairs
from tt_utils.data.phrasebook import phrases
from tt_utils.figures.bundle import EVERYDAY, MODEL
from tt_utils.figures.page_model import page_translator

COUNT, PART = 200, 20  # sentences, and how many at once
TEXT = "the ball is blue"
ENCODER, DECODER = 8, 10  # blocks of each, from the words to the last norm
PUT = """async ([script, state, model]) => {
  const figure = document.createElement("tt-film");
  figure.setAttribute("state", JSON.stringify(state));
  if (model) figure.setAttribute("model", model);
  document.querySelector("article > section > p").after(figure);
  await import(script);
}"""


@pytest.fixture
def figure(chromium, address):
    contexts, trouble = [], []

    def open_figure(width=1300, scheme="light", model="", **state):
        view = {"width": width, "height": 900}
        context = chromium.new_context(
            color_scheme=scheme, viewport=view, reduced_motion="reduce"
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.goto(f"{address}/book/notation.html")
        page.evaluate(PUT, [f"{address}/figures/tt-film.mjs", state, model])
        found = page.locator("tt-film")
        found.locator(".said b").wait_for()
        return found

    yield open_figure
    for context in contexts:
        context.close()
    assert trouble == []


def said(found):
    return found.locator(".said").inner_text()


def state(found):
    return found.evaluate("figure => figure.state")


NUMBERS = """async ([folder, name, texts]) => {
  const { filmOf, hidden, lens, Model } = await import(`${folder}/tt-film.mjs`);
  const model = await Model.load(new URL(`${name}/`, `${folder}/`));
  return JSON.stringify(texts.map((text, n) => {
    const film = filmOf(model, text);
    const every = (side, each) => Object.fromEntries(film.levels[side]
      .filter(({ tensor, kind }) => tensor && (each !== hidden || kind === "network"))
      .map((level) => [level.adds && each === hidden ? level.adds : level.tensor,
        film.words[side].map((_, lane) => [...each(film, level, lane)])]));
    const lane = ({ trace }, { tensor }, i) => {
      const { data, columns } = trace.seen.get(tensor);
      return data.slice(i * columns, (i + 1) * columns);
    };
    return {
      source: film.trace.source, target: film.trace.target,
      lanes: { ...every("encoder", lane), ...every("decoder", lane) },
      hidden: { ...every("encoder", hidden), ...every("decoder", hidden) },
      lens: Object.fromEntries(Object.entries(every("decoder", lens))
        .filter((_, i) => i === n % (film.levels.decoder.length - 1))),
    };
  }));
}"""


@pytest.fixture(scope="module")
def sentences():
    with types_unchecked():
        return {
            MODEL: [" ".join(pair.source) for pair in grammar_test_pairs()[:COUNT]],
            EVERYDAY: [" ".join(source) for source, _ in phrases(COUNT // 4, seed=9)],
        }


@pytest.mark.parametrize("folder", [MODEL, EVERYDAY], ids=lambda path: path.name)
def test_every_number_shown_is_that_of_pytorch(chromium, address, sentences, folder):
    """Lanes, hidden units and the lens's logits (at one block of each sentence)."""
    texts = sentences[folder]
    page = chromium.new_page()
    page.goto(f"{address}/book/notation.html")
    parts = [texts[i : i + PART] for i in range(0, len(texts), PART)]
    found = [
        film
        for part in parts
        for film in json.loads(
            page.evaluate(NUMBERS, [f"{address}/figures", folder.name, part])
        )
    ]
    page.close()
    model = page_translator(folder=folder).model
    farthest = {"lanes": 0.0, "hidden": 0.0, "lens": 0.0}
    for film in found:
        src, tgt = torch.tensor([film["source"]]), torch.tensor([film["target"]])
        wanted = wanted_numbers(model, src, tgt)
        for kind, given in film.items():
            if kind in farthest:
                assert given.keys() <= wanted[kind].keys()
                for name, rows in given.items():
                    gap = abs(np.array(rows) - wanted[kind][name].numpy()).max()
                    farthest[kind] = max(farthest[kind], float(gap))
    print(farthest)
    assert max(farthest.values()) <= 1e-4


def wanted_numbers(model, src, tgt):
    """What PyTorch computes at each point, by the module that gives it."""
    hidden, hooks = {}, []
    for name, module in model.named_modules():
        if name.endswith("feed_forward.widen"):
            hook = module.register_forward_hook(
                lambda module, given, out, name=name: hidden.update(
                    {name.removesuffix(".widen"): out[0].relu()}
                )
            )
            hooks.append(hook)
    with types_unchecked(), torch.no_grad():
        lanes = outputs(model, src, tgt)
        lens = {
            name: model.generator(
                x if name == "decoder.norm" else model.decoder.norm(x)
            )
            for name, x in lanes.items()
            if name.startswith(("tgt_", "decoder.")) and x.shape[0] == tgt.shape[1]
        }
    for hook in hooks:
        hook.remove()
    return {"lanes": lanes, "hidden": hidden, "lens": lens}


def test_it_goes_block_by_block_from_the_words_to_the_translation(figure):
    found = figure()
    moments = ENCODER + 5 * DECODER
    scrubber = found.get_by_label("Where in the film")
    assert scrubber.get_attribute("max") == str(moments - 1)
    assert said(found).startswith("Encoder: reads")
    assert found.get_by_label("One block back").is_disabled()
    found.get_by_label("Next block").click()
    assert said(found).startswith("Encoder: embedding")
    found.evaluate("(figure, moment) => { figure.state = { moment }; }", moments - 1)
    assert "end comes first" in said(found)
    assert (
        found.locator("summary")
        .first.inner_text()
        .startswith(f"{TEXT} → la bola es azul")
    )
    assert found.get_by_label("Next block").is_disabled()


def test_only_what_has_been_reached_is_there(figure):
    found = figure(moment=3)
    assert found.locator(".chip").count() == 3 * 5
    assert found.locator(".slot").count() == 5
    found.evaluate("figure => { figure.state = { moment: 21 }; }")
    assert found.locator(".chip").count() == 7 * 5 + 9 + 3


def test_what_is_not_written_yet_cannot_be_attended_to(figure):
    found = figure(moment=ENCODER + DECODER + 3)
    assert "masked self-attention" in said(found)
    crosses = found.locator("svg text").filter(has_text="✕")
    assert crosses.count() == 3
    found.evaluate("figure => { figure.state = { point: ['decoder', 3, 1] }; }")
    assert found.locator(".panel td[aria-label=masked]").count() == 3 * 5


def test_play_goes_on_by_itself_and_can_be_stopped(figure):
    found = figure(moment=ENCODER + DECODER)
    found.get_by_role("button", name="Play").click()
    found.page.wait_for_function(
        "start => document.querySelector('tt-film').state.moment > start + 2",
        arg=ENCODER + DECODER,
    )
    found.get_by_role("button", name="Pause").click()
    stopped = state(found)["moment"]
    found.page.wait_for_timeout(1_200)
    assert state(found)["moment"] == stopped


def test_arrow_keys_go_along_a_lane_and_across(figure):
    found = figure(moment=ENCODER + DECODER)
    found.locator('.chip[tabindex="0"]').focus()
    press = found.page.keyboard.press
    seen = []
    for key in ("Enter", "ArrowLeft", "ArrowLeft", "ArrowUp", "ArrowUp", "ArrowDown"):
        press(key)
        seen.append(state(found)["point"])
    assert seen == [
        ["decoder", 9, 0],
        ["decoder", 8, 0],
        ["decoder", 7, 0],
        ["encoder", 7, 4],
        ["encoder", 7, 3],
        ["encoder", 7, 4],
    ]
    press("ArrowDown")
    panel = found.locator(".panel").inner_text()
    assert panel.startswith("start, decoder, after cross-attention of layer 2")
    assert "logit lens" in panel


def test_the_stops_of_the_tour_show_what_it_says(chromium, address):
    """Each number that the page tells stands in the figure at that stop."""
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{address}/book/film.html")
    found = page.locator("tt-film")
    found.locator(".said b").wait_for()
    links = page.locator("article ol").first.get_by_role("link")
    assert links.count() == 10
    seen = []
    for i in range(10):
        links.nth(i).click()
        page.wait_for_timeout(50)
        seen.append(found.locator(".panel").inner_text())
    guesses = found.locator(".guess").all_text_contents()
    page.close()
    rows = {line.split("\t")[0]: line.split("\t")[1:] for line in seen[2].splitlines()}
    ball = 1
    assert (rows["head 4"][ball], rows["head 2"][ball]) == ("0.34", "0.24")
    assert "25 of 256 hidden units" in seen[3]
    assert "start\t99.7 %" in seen[5]
    rows = {line.split("\t")[0]: line.split("\t")[1:] for line in seen[6].splitlines()}
    assert [rows[f"head {n}"][ball] > "0.5" for n in (1, 2, 3, 4)] == [
        False,
        False,
        True,
        False,
    ]
    first, second, last = (guesses[i::5] for i in (0, 1, 4))
    assert first == ["start"] * 6 + ["la"] * 2
    assert second[-3:] == ["⟨?⟩", "bola", "bola"]
    assert last == ["azul"] * 4 + ["end"] * 4
    assert "end\t" in seen[9]


@pytest.mark.parametrize("text", ["the black cat drank the milk", "is the house new?"])
def test_another_sentence_has_another_film(figure, text):
    found = figure()
    found.locator("summary").first.click()
    line = found.get_by_label("Write an English sentence")
    line.fill(text)
    line.press("Enter")
    assert found.locator("summary").first.inner_text().startswith(text.rstrip("?"))
    line.fill("qwerty asdf")
    line.press("Enter")
    assert "Below still runs" in found.locator("#message").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("moment", [3, ENCODER + 2 * DECODER + 4])
def test_it_is_accessible_and_fits(figure, moment, scheme):
    found = figure(scheme=scheme, moment=moment, lens=True, point=["encoder", 3, 1])
    page = found.page
    page.evaluate(AXE_SCRIPT)
    for width in (320, 375, 800, 1440):
        resize(page, {"width": width, "height": 900})
        assert page.evaluate(AXE, "tt-film") == [], width
        assert too_wide(page) == [], width


def test_a_tile_is_large_enough_to_press(figure):
    found = figure(width=375, moment=7)
    for box in found.locator(".chip").all():
        size = box.bounding_box()
        assert min(size["width"], size["height"]) >= 23.9


def test_without_its_model_the_picture_stays(chromium, address):
    page = chromium.new_page()
    page.route("**/*.safetensors.gz", lambda route: route.abort())
    page.goto(f"{address}/book/film.html")
    told = page.locator("tt-film [role=status]").first
    told.wait_for()
    assert "could not be fetched" in told.inner_text()
    assert page.locator("tt-film img").is_visible()
    page.close()


def test_without_a_sentence_there_is_a_line_to_write_one(chromium, address):
    """A text that the model can't read at all: no film, and nothing that plays one."""
    context = chromium.new_context(viewport={"width": 1300, "height": 900})
    page, trouble = context.new_page(), []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.goto(f"{address}/book/notation.html")
    page.evaluate(PUT, [f"{address}/figures/tt-film.mjs", {"text": "xyzzy plugh"}])
    found = page.locator("tt-film")
    found.evaluate("figure => figure.setAttribute('autoplay', '')")
    line = found.get_by_role("combobox", name="Write an English")
    line.wait_for()
    assert not found.locator(".bar").is_visible()
    line.fill(TEXT)
    found.get_by_role("button", name="Play", exact=True).wait_for()
    context.close()
    assert trouble == []


EVERYDAY_TEXTS = {
    "I love you": "te quiero",
    "Hello, my name is Anna!": "hola, me llamo Anna",
    "I'm hungry": "tengo hambre",
    "How are you?": "¿cómo estás?",
    "my name is Zyx": "me llamo Zyx",  # never seen: passed on
}


def test_the_first_pages_model_says_what_people_write_first(figure):
    found = figure(model="everyday", moment=1_000)
    line = found.locator("summary").first
    for text, wanted in EVERYDAY_TEXTS.items():
        found.evaluate("(figure, text) => { figure.state = { text }; }", text)
        assert f" → {wanted} (" in line.inner_text()
    told = found.locator("#message").inner_text()
    assert "Above, your own word stands in its place." in told


def test_a_doubtful_translation_is_told_apart(figure):
    found = figure(model="everyday", text="I love you")
    told = found.locator("#message")
    assert told.text_content() == ""
    text = "where do you come from"  # it learned where one is from, and to come with me
    found.evaluate("(figure, text) => { figure.state = { text }; }", text)
    assert re.search(
        r"It isn’t sure of this one: word \d of its translation has only \d\.\d %\.",
        told.text_content(),
    )


def test_the_first_page_has_that_model(chromium, address):
    page = chromium.new_page(reduced_motion="reduce")
    page.goto(f"{address}/book/welcome.html")
    found = page.locator("tt-film")
    found.locator(".said b").wait_for()
    folder = found.evaluate("figure => figure.getAttribute('model')")
    asked = page.evaluate(
        "performance.getEntriesByType('resource').map(({ name }) => name)"
    )
    models = {name.split("/")[-2] for name in asked if name.endswith(".safetensors.gz")}
    assert models == {folder} == {"everyday"}
    page.close()


CUT = ["cross.0.1", "cross.1.3", "encoder.1.0"]
LEFT_OUT = ["encoder.layers.0.residuals.1", "decoder.layers.1.residuals.0"]
CHANGED = """async ([folder, text, chosen]) => {
  const { filmOf, Model } = await import(`${folder}/tt-film.mjs`);
  const model = await Model.load(new URL("model/", `${folder}/`));
  const { trace, plain } = filmOf(model, text, chosen);
  return JSON.stringify({ source: trace.source, target: trace.target, plain,
    logits: [...trace.seen.get("generator").data] });
}"""


def test_a_changed_model_is_that_of_pytorch(chromium, address):
    """Cut heads fetch nothing, blocks left out add nothing, words stand where given."""
    chosen = {"cut": CUT, "skipped": LEFT_OUT, "unplaced": True, "forced": [5, 6]}
    page = chromium.new_page()
    page.goto(f"{address}/book/notation.html")
    given = [f"{address}/figures", TEXT, chosen]
    film = json.loads(page.evaluate(CHANGED, given))
    page.close()
    translator = page_translator()
    assert film["target"][1:3] == chosen["forced"]
    assert translator.target.decode(film["plain"][:-1]) == "la bola es azul"
    model = translator.model
    with torch.no_grad():
        for kind, layer, head in (name.split(".") for name in CUT):
            stack = model.encoder if kind == "encoder" else model.decoder
            part = "cross_attention" if kind == "cross" else "self_attention"
            width = model.config.d_model // model.config.n_heads
            columns = slice(int(head) * width, (int(head) + 1) * width)
            getattr(stack.layers[int(layer)], part).w_o.weight[:, columns] = 0
        for name in LEFT_OUT:
            layer, _, number = name.rpartition(".residuals.")
            road = model.get_submodule(layer).residuals[int(number)]
            road.register_forward_hook(lambda module, given, out: given[0])
        for table in (model.src_embedding, model.tgt_embedding):
            table.positions.register_forward_hook(lambda module, given, out: given[0])
        src, tgt = torch.tensor([film["source"]]), torch.tensor([film["target"]])
        with types_unchecked():
            wanted = model(src, tgt)[0]
    found = torch.tensor(film["logits"]).reshape(wanted.shape)
    assert (found - wanted).abs().max() <= 1e-4


def test_a_head_is_cut_and_taken_back_where_it_is_seen(figure):
    found = figure(moment=1_000, point=["decoder", 7, 0])
    note = found.locator(".changed")
    assert note.is_hidden()
    found.get_by_role("button", name="Cut head 2").click()
    assert state(found)["cut"] == ["cross.1.1"]
    assert "head 2 of the cross-attention in layer 2 cut" in note.inner_text()
    assert "Unchanged it writes la bola es azul." in note.inner_text()
    found.get_by_role("button", name="Restore head 2").click()
    assert note.is_hidden()
    found.get_by_role("button", name="Leave this block out").click()
    assert state(found)["skipped"] == ["decoder.layers.1.residuals.1"]
    assert "adds nothing" in found.locator(".panel").inner_text()
    found.get_by_role("button", name="Undo all").click()
    assert note.is_hidden()


def written_at(found, temperature):
    """Logit and share of the words that the open last tile lists."""
    found.get_by_role("slider", name="temperature").fill(str(temperature))
    lines = found.locator(".panel tbody tr")
    cells = [line.split("\t") for line in lines.all_inner_texts()]
    return [
        (float(logit.replace("−", "-")), float(re.search(r"[\d.]+", share)[0]) / 100)
        for _, logit, share, *_ in cells
    ]


@pytest.mark.parametrize("temperature", [0.5, 1, 2])
def test_shares_are_those_of_logits_divided_by_the_temperature(figure, temperature):
    found = figure(moment=ENCODER + DECODER - 1, point=["decoder", 9, 0])
    (first, p), (second, q), *rest = written_at(found, temperature)
    assert len(rest) == 3
    if q > 0.002:  # else the page rounds it away
        assert math.log(p / q) == pytest.approx((first - second) / temperature, abs=0.2)
    assert (p > 0.99) == (temperature == 0.5)
    assert (p < 0.5) == (temperature == 2)


def test_what_a_block_adds_is_drawn_unless_it_is_left_out(figure):
    found = figure(moment=1_000, point=["decoder", 7, 0])
    added = found.get_by_role("img", name="What the block added, as bars")
    assert added.count() == 1
    found.get_by_role("button", name="Leave this block out").click()
    assert added.count() == 0


def numbers(found, level):
    found.evaluate(
        "(figure, level) => { figure.state = { point: ['encoder', level, 0] }; }", level
    )
    return found.locator(".panel .number").first.inner_text()


def test_without_positions_their_block_adds_none(figure):
    found = figure(moment=2, point=["encoder", 2, 0])
    found.get_by_role("button", name="Add no positions").click()
    assert "No positions are added" in said(found)
    rows, placed = (numbers(found, level) for level in (1, 2))
    assert rows.split(";")[0] == placed.split(";")[0]


def test_a_given_word_is_read_and_told_apart(figure):
    found = figure(moment=ENCODER + DECODER - 1, point=["decoder", 9, 0])
    found.get_by_role("button", name="write this").first.click()
    assert "You gave el" in said(found)
    assert "by itself it would write la" in said(found)
    found.evaluate("figure => { figure.state = { moment: 1000 }; }")
    line = found.locator("summary").first
    assert line.inner_text().startswith(f"{TEXT} → el bola")
    found.evaluate("(figure, text) => { figure.state = { text, forced: [] }; }", TEXT)
    assert line.inner_text().startswith(f"{TEXT} → la bola")


def test_an_earlier_state_of_the_training_can_be_seen(figure):
    found = figure(moment=1_000)
    choice = found.get_by_label("trained for")
    choice.select_option("0 steps")
    line = found.locator("summary").first
    expect(line).not_to_have_text(re.compile("la bola es azul"))
    choice.select_option("4,000 steps")
    expect(line).to_have_text(re.compile("la bola es azul"))


STATES = re.compile(r"film\.html#figure=tt-film&state=(\{.*?\})>")
WROTE = """async ([folder, asked]) => {
  const { filmOf, Model } = await import(`${folder}/tt-film.mjs`);
  const found = [];
  for (const { text = "the ball is blue", snapshot = null, cut = [], skipped = [],
    unplaced = false, forced = [] } of asked) {
    const model = await Model.load(new URL("model/", `${folder}/`), snapshot);
    found.push(filmOf(model, text, { cut, skipped, unplaced, forced }).wrote.join(" "));
  }
  return found;
}"""
SAID = [
    "el bola es azul",
    "el perro vio al gato",
    "el perro vio al gato",
    "la bola es azul",
    "el ⟨?⟩ su sigue",
    "el gato negro bebió la leche",
    "el bola es azul",
    "el gato negra bebió la leche",
    "no leyó este libro no leyó",
    "el gato negro bebió la leche",
]


def test_changes_do_what_the_page_says(chromium, address):
    """The links of the film's page that change the model, in their order."""
    text = (nbfiles.ROOT / "book" / "film.md").read_text(encoding="utf-8")
    states = [json.loads(found) for found in STATES.findall(text)]
    changing = {"cut", "skipped", "unplaced", "forced", "snapshot"}
    asked = [state for state in states if changing & state.keys()]
    page = chromium.new_page()
    page.goto(f"{address}/book/notation.html")
    wrote = page.evaluate(WROTE, [f"{address}/figures", asked])
    page.close()
    assert [line.removesuffix(" end") for line in wrote] == SAID
