"""The film: one sentence on its way through the model, used as a reader uses it."""

import gzip
import json
import math
import re
import struct

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
from tt_utils.data.tokenizer import WordTokenizer
from tt_utils.decoding.translator import Translator
from tt_utils.figures.bundle import EVERYDAY, MODEL
from tt_utils.figures.model_file import pack_whole, page_tensors, restore
from tt_utils.figures.page_model import page_translator
from tt_utils.models.transformer import Transformer, TransformerConfig

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


def weights(found):
    return found.get_by_role("grid", name="Weights of the heads")


def state(found):
    return found.evaluate("figure => figure.state")


NUMBERS = """async ([folder, name, texts]) => {
  const { fetched, filmOf, hidden, lens, Model } =
    await import(`${folder}/tt-film.mjs`);
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
      fetched: Object.fromEntries([...film.trace.heads].map(([adds, heads]) => [adds,
        film.words[adds.slice(0, 7)].map((_, lane) =>
          heads.map((_, head) => [...fetched(film, { adds }, head, lane)]).flat())])),
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
    """Lanes, hidden units, what heads fetch; of the lens one block of each sentence."""
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
    farthest = {"lanes": 0.0, "hidden": 0.0, "fetched": 0.0, "lens": 0.0}
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
    hidden, fetched, hooks = {}, {}, []
    for name, module in model.named_modules():
        if name.endswith("attention.w_o"):
            hook = module.register_forward_pre_hook(
                lambda module, given, name=name: fetched.update(
                    {name.removesuffix(".w_o"): given[0][0]}
                )
            )
            hooks.append(hook)
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
    return {"lanes": lanes, "hidden": hidden, "fetched": fetched, "lens": lens}


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
    line = found.locator(".write > summary").inner_text()
    assert line.startswith(f"{TEXT} → la bola es azul")
    assert found.get_by_label("Next block").is_disabled()


def test_only_what_has_been_reached_is_there(figure):
    found = figure(moment=3)
    assert found.locator(".chip").count() == 3 * 5
    assert found.locator(".slot").count() == 5
    found.evaluate("figure => { figure.state = { moment: 21 }; }")
    assert found.locator(".chip").count() == 7 * 5 + 9 + 3


def test_the_encoder_is_drawn_alone_until_the_decoder_begins(figure):
    found = figure(moment=ENCODER - 1, alone=True)
    titles = found.locator("svg .title")
    assert titles.all_text_contents() == ["Encoder"]
    low = found.locator("svg").bounding_box()["height"]
    found.get_by_label("Next block").click()
    assert titles.all_text_contents() == ["Encoder", "Decoder"]
    assert found.locator("svg").bounding_box()["height"] > low + 150


def test_what_is_not_written_yet_cannot_be_attended_to(figure):
    found = figure(moment=ENCODER + DECODER + 3)
    assert "masked self-attention" in said(found)
    crosses = found.locator("svg text").filter(has_text="✕")
    assert crosses.count() == 3
    found.evaluate("figure => { figure.state = { point: ['decoder', 3, 1] }; }")
    assert weights(found).locator(".masked").count() == 3 * 5


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
    found.get_by_role("button", name="Ten stops").click()
    seen = []
    for i in range(10):
        if i:
            found.get_by_role("button", name="Next stop").click()
        found.locator("li.tt-now").get_by_role("link").first.click()
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
    found.locator(".write > summary").click()
    line = found.get_by_label("Write an English sentence")
    line.fill(text)
    line.press("Enter")
    assert found.locator(".write > summary").inner_text().startswith(text.rstrip("?"))
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
    line = found.locator(".write > summary")
    for text, wanted in EVERYDAY_TEXTS.items():
        found.evaluate("(figure, text) => { figure.state = { text }; }", text)
        assert f" → {wanted} (" in line.inner_text()
    told = found.locator("#message").text_content()
    assert "Above, your own word stands in its place." in told


def test_a_doubtful_translation_is_told_apart(figure):
    found = figure(model="everyday", text="I love you")
    told = found.locator("#message")
    assert told.text_content() == ""
    text = "red to the was in"  # no sentence at all
    found.evaluate("(figure, text) => { figure.state = { text }; }", text)
    assert re.search(
        r"It isn’t sure of this one: “\w+” has only [\d.]+ %\.",
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
    assert translator.target.decode(film["plain"]) == "la bola es azul"
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


UNMASKED = """async ([folder, text]) => {
  const { asOf, filmOf, Model } = await import(`${folder}/tt-film.mjs`);
  const model = await Model.load(new URL("model/", `${folder}/`));
  const film = filmOf(model, text, {
    cut: [], skipped: [], forced: [], unplaced: false, unmasked: true });
  return JSON.stringify({ source: film.trace.source, target: film.trace.target,
    lanes: film.trace.target.map((_, lane) => Object.fromEntries(
      [...asOf(film, { lane }).trace.seen].map(([name, x]) => [name, [...x.data]]))),
  });
}"""


def test_without_the_mask_each_new_word_changes_the_lanes_before_it(chromium, address):
    page = chromium.new_page()
    page.goto(f"{address}/book/notation.html")
    film = json.loads(page.evaluate(UNMASKED, [f"{address}/figures", TEXT]))
    page.close()
    model = page_translator().model
    for layer in model.decoder.layers:
        layer.self_attention.register_forward_pre_hook(
            lambda module, given, named: (given, named | {"causal": False}),
            with_kwargs=True,
        )
    src = torch.tensor([film["source"]])
    first = []
    for count, seen in enumerate(film["lanes"], start=1):
        tgt = torch.tensor([film["target"][:count]])
        with types_unchecked(), torch.no_grad():
            wanted = outputs(model, src, tgt)
        for name, numbers in seen.items():
            found = torch.tensor(numbers).reshape(wanted[name].shape)
            assert (found - wanted[name]).abs().max() <= 1e-4, name
        first.append(seen["decoder.norm"][: model.config.d_model])
    assert np.ptp(first, axis=0).max() > 0.1


def test_the_mask_is_taken_away_and_given_back_where_it_hides(figure):
    moment, level = ENCODER + 3 * DECODER + 3, 3
    found = figure(moment=moment, point=["decoder", level, 1])
    assert weights(found).locator(".masked").count() == 3 * 5  # 4 heads, their mean
    found.get_by_role("button", name="Take the mask away").click()
    assert "no mask in the decoder" in found.locator(".changed").first.inner_text()
    assert found.locator(".panel .masked").count() == 0
    assert re.search(r"written later and gives it 0\.24 \+ 0\.19 \(mean", said(found))
    first = weights(found).locator("tbody tr").first.get_by_role("gridcell")
    first = first.all_inner_texts()[:-1]
    assert len(first) == 4  # what is written later than this moment isn't there
    assert sum(map(float, first)) == pytest.approx(1, abs=0.02)
    found.get_by_role("button", name="Give the mask back").click()
    assert not state(found)["unmasked"]


def test_a_weight_says_where_it_comes_from(figure):
    found = figure(moment=1_000, point=["decoder", 7, 0])
    cells = weights(found).get_by_role("gridcell")
    shown = cells.nth(1).inner_text()
    cells.nth(1).click()
    told = found.locator(".panel dl").inner_text()
    assert "q of start" in told
    assert "k of ball" in told
    assert float(re.search(r"= weight ([\d.]+)", told)[1]) == pytest.approx(
        float(shown), abs=0.006
    )
    assert found.get_by_text("head 1: start attends to ball: weight").count() == 1
    assert cells.nth(1).evaluate("e => e === e.getRootNode().activeElement")
    found.get_by_role("button", name="Cut head 1").click()
    assert "nothing: the head is cut" in found.locator(".panel dl").inner_text()
    found.get_by_role("button", name="Restore head 1").click()
    cells.nth(1).press("ArrowDown")
    found.page.keyboard.press("Enter")
    assert found.locator(".panel dl").inner_text() != told


def test_a_chosen_weight_whose_word_is_gone_is_no_more(figure):
    found = figure(moment=ENCODER + 3 * DECODER + 3, point=["decoder", 3, 1])
    weights(found).locator("tbody tr").first.locator("td").nth(4).click()
    assert found.locator(".panel dl").count() == 1
    found.get_by_role("button", name="Take the mask away").click()
    assert found.locator(".panel dl").count() == 0
    assert found.locator(".panel .masked").count() == 0


def test_what_is_still_to_be_written_is_paler(figure):
    found = figure(moment=ENCODER + DECODER)
    assert found.locator(".later").text_content() == " bola es azul"
    found.evaluate("figure => { figure.state = { moment: 1000 }; }")
    assert found.locator(".later").text_content() == ""


def test_a_chosen_weight_is_forgotten_elsewhere(figure):
    found = figure(moment=1_000, point=["decoder", 7, 0])
    weights(found).get_by_role("gridcell").first.click()
    assert found.locator(".panel dl").count() == 1
    found.evaluate("figure => { figure.state = { point: ['decoder', 7, 1] }; }")
    assert found.locator(".panel dl").count() == 0


def test_of_a_lane_that_is_read_again_no_word_is_offered(figure):
    """Without the mask its last tile says what the model didn't write from."""
    early = "step-200.safetensors.gz"
    text = "the black cat drank the milk"
    where = {"moment": 77, "point": ["decoder", 9, 3]}
    found = figure(text=text, snapshot=early, unmasked=True, **where)
    panel = found.locator(".panel")
    assert "The lane’s word was written without them" in panel.inner_text()
    assert panel.get_by_role("button", name="write this").count() == 0
    assert panel.get_by_role("slider").count() == 0


def test_what_a_link_names_and_the_model_lacks_changes_nothing(figure):
    lacking = {"cut": ["cross.9.0"], "skipped": ["encoder.layers.0.residuals.2"]}
    found = figure(**lacking)
    assert found.locator(".changed").first.is_hidden()


def test_the_table_of_all_words_has_those_that_have_come(figure):
    found = figure(moment=ENCODER + 2 * DECODER + 3, point=["decoder", 3, 1])
    found.locator(".panel summary").click()
    rows = found.get_by_role("grid", name="All words").locator(
        "tbody tr:not([aria-hidden])"
    )
    assert rows.locator("th").all_inner_texts() == ["start", "la", "bola"]
    rows.nth(2).get_by_role("gridcell").first.click()
    assert state(found)["point"] == ["decoder", 3, 2]
    assert found.get_by_role("grid", name="All words").is_visible()


def test_a_head_is_cut_and_taken_back_where_it_is_seen(figure):
    found = figure(moment=1_000, point=["decoder", 7, 0])
    note = found.locator(".changed").first
    assert note.is_hidden()
    found.get_by_role("button", name="Cut head 2").click()
    assert (
        "It writes the same: la bola es azul." in found.locator(".panel").inner_text()
    )
    assert state(found)["cut"] == ["cross.1.1"]
    assert "head 2 of the cross-attention in layer 2 cut" in note.inner_text()
    assert "It writes the same: la bola es azul." in note.inner_text()
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
    shares = [float(re.search(r"[\d.]+", share)[0]) / 100 for _, _, share, *_ in cells]
    others = found.locator(".panel tfoot td").last.inner_text()
    assert sum(shares) + float(others.split()[0]) / 100 == pytest.approx(1, abs=0.004)
    logits = [float(logit.replace("−", "-")) for _, logit, *_ in cells]
    return list(zip(logits, shares, strict=True))


@pytest.mark.parametrize("temperature", [0.5, 1, 2])
def test_shares_are_those_of_logits_divided_by_the_temperature(figure, temperature):
    found = figure(moment=ENCODER + DECODER - 1, point=["decoder", 9, 0])
    (first, p), (second, q), *rest = written_at(found, temperature)
    assert len(rest) == 3
    if q > 0.002:  # else the page rounds it away
        assert math.log(p / q) == pytest.approx((first - second) / temperature, abs=0.2)
    assert (p > 0.99) == (temperature == 0.5)
    assert (p < 0.5) == (temperature == 2)


KEPT = """async ([script, shares, most, chance]) => {
  const { drawn, kept } = await import(script);
  const found = kept(Float32Array.from(shares), most ?? Infinity);
  return [[...found], drawn(found, chance)];
}"""


@pytest.mark.parametrize(
    ("most", "wanted"),
    [
        (None, [0.25, 0.5, 0.15, 0.1]),
        (2, [1 / 3, 2 / 3, 0, 0]),
        (0.9, [0.25 / 0.9, 0.5 / 0.9, 0.15 / 0.9, 0]),
        (0.4, [0, 1, 0, 0]),
    ],
    ids=["all", "top-k", "top-p", "top-p of one"],
)
def test_words_are_drawn_from_the_largest_shares_only(figure, address, most, wanted):
    page, script = figure().page, f"{address}/figures/tt-film.mjs"
    shares = [0.25, 0.5, 0.15, 0.1]
    drawn = set()
    for chance in (0, 0.2, 0.3, 0.7, 0.8, 0.95, 1 - 1e-9):
        found, word = page.evaluate(KEPT, [script, shares, most, chance])
        assert found == pytest.approx(wanted, abs=1e-6)
        assert wanted[word] > 0
        drawn.add(word)
    assert drawn == {i for i, share in enumerate(wanted) if share}


def test_a_drawn_word_is_written_and_the_temperature_stays(figure):
    found = figure(moment=ENCODER + DECODER - 1, point=["decoder", 9, 0])
    assert len(written_at(found, 3)) == 5
    found.get_by_label("draw from").select_option("the top 3")
    shares = [share for _, share in written_at(found, 3)]
    assert sum(shares) == pytest.approx(1, abs=0.002)
    assert shares[3:] == [0, 0]
    assert "start" not in found.locator(".panel tbody").last.inner_text()
    found.get_by_role("button", name="Draw a word").click()
    assert len(state(found)["forced"]) == 1
    assert found.get_by_role("slider", name="temperature").input_value() == "3"
    assert found.get_by_label("draw from").input_value() == "the top 3"


def test_what_a_head_fetches_is_drawn_unless_it_is_cut(figure):
    found = figure(moment=1_000, point=["decoder", 7, 0])
    drawn = found.get_by_role("img", name=re.compile("What head . fetches, as bars"))
    assert drawn.count() == 4
    found.get_by_role("button", name="Cut head 3").click()
    assert drawn.count() == 3


def test_what_a_block_adds_is_drawn_unless_it_is_left_out(figure):
    found = figure(moment=1_000, point=["decoder", 7, 0])
    added = found.get_by_role("img", name="What the block added, as bars")
    gone = found.locator("svg .name.gone")
    assert (added.count(), gone.all_text_contents()) == (1, [])
    found.get_by_role("button", name="Leave this block out").click()
    assert added.count() == 0
    assert gone.all_text_contents() == ["cross-", "attention", "layer 2"]


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
    assert "Given or drawn: el" in said(found)
    assert "by itself it would write la" in said(found)
    found.evaluate("figure => { figure.state = { moment: 1000 }; }")
    line = found.locator(".write > summary")
    assert line.inner_text().startswith(f"{TEXT} → el bola")
    found.evaluate("(figure, text) => { figure.state = { text, forced: [] }; }", TEXT)
    assert line.inner_text().startswith(f"{TEXT} → la bola")


def test_an_earlier_state_of_the_training_can_be_seen(figure):
    found = figure(moment=1_000)
    choice = found.get_by_label("trained for")
    choice.select_option("0 steps")
    line = found.locator(".write > summary")
    expect(line).not_to_have_text(re.compile("la bola es azul"))
    choice.select_option("4,000 steps")
    expect(line).to_have_text(re.compile("la bola es azul"))


STATES = re.compile(r"film\.html#figure=tt-film&state=(\{.*?\})>")
WROTE = """async ([folder, asked]) => {
  const { filmOf, Model } = await import(`${folder}/tt-film.mjs`);
  const found = [];
  for (const { text = "the ball is blue", snapshot = null, cut = [], skipped = [],
    unplaced = false, unmasked = false, forced = [] } of asked) {
    const model = await Model.load(new URL("model/", `${folder}/`), snapshot);
    const film = filmOf(model, text, { cut, skipped, unplaced, unmasked, forced });
    found.push(film.wrote.join(" "));
  }
  return found;
}"""
SAID = [
    "el bola es azul",
    "el perro vio al gato",
    "el perro vio al gato",
    "la bola es azul",
    "el ⟨?⟩ su sigue",
    "no leyó este libro no leyó",
    "el gato negro bebió la leche",
    "la bola es azul",
    "las niñas están contento",
    "somos la puerta",
    "el bola es azul",
    "el gato negra bebió la leche",
    "el gato negra bebió la leche",
    "el gato negro bebió la leche",
    "la bola es azul",
]


def test_changes_do_what_the_page_says(chromium, address):
    """The links of the film's page that change the model, in their order."""
    text = (nbfiles.ROOT / "book" / "film.md").read_text(encoding="utf-8")
    states = [json.loads(found) for found in STATES.findall(text)]
    changing = {"cut", "skipped", "unplaced", "unmasked", "forced", "snapshot"}
    asked = [state for state in states if changing & state.keys()]
    page = chromium.new_page()
    page.goto(f"{address}/book/notation.html")
    wrote = page.evaluate(WROTE, [f"{address}/figures", asked])
    page.close()
    assert [line.removesuffix(" end") for line in wrote] == SAID


@pytest.fixture(scope="module")
def own():
    """A model of three layers and two; nobody trained it."""
    torch.manual_seed(7)
    words = WordTokenizer(["cat", "sees", "the"]), WordTokenizer(["el", "gato", "ve"])
    sizes = {"d_model": 24, "d_ff": 20, "n_heads": 3, "max_len": 11}
    sizes |= {"n_encoder_layers": 3, "n_decoder_layers": 2, "norm_first": True}
    model = Transformer(TransformerConfig(*map(len, words), **sizes)).eval()
    return model, words


def put_in(found, data, name="mine.gz"):
    found.get_by_label("a model of your own").set_input_files(
        {"name": name, "mimeType": "application/gzip", "buffer": data}
    )


def own_told(found):
    return found.locator("p[role=status].quiet")


def refused(found):
    return found.get_by_role("alert")


def shown_translation(found):
    shown = found.locator(".write > summary").inner_text().replace("⟨?⟩", "<unk>")
    return shown.partition(" → ")[2].partition(" (write")[0]


def test_a_model_of_ones_own_runs_in_the_film(figure, own):
    model, words = own
    found = figure(moment=3, cut=["cross.0.2"])
    put_in(found, pack_whole(model, words))
    expect(own_told(found)).to_contain_text(
        "Now your own model runs, from mine.gz: 7 English"
    )
    assert state(found)["cut"] == []
    found.evaluate("figure => { figure.state = { text: 'the cat sees', moment: 99 }; }")
    restored = Transformer(model.config).eval()
    restore(restored, page_tensors(model))
    wanted = Translator(restored, *words, {}).translate(["the cat sees"], beam_size=1)
    written = shown_translation(found)
    assert len(written.split()) > 3
    assert wanted[0].startswith(written)
    assert (
        found.get_by_role("group", name="Whose weights").locator("button").count() == 4
    )


def test_there_is_always_a_way_back_to_the_book_s_model(figure, own):
    """After a second file, and after one that is refused; while it plays, too."""
    found = figure()
    for name in ("one.gz", "two.gz"):
        put_in(found, pack_whole(*own), name)
        expect(own_told(found)).to_contain_text(f"from {name}")
    put_in(found, b"no model")
    expect(refused(found)).to_contain_text("it is damaged")
    expect(own_told(found)).to_contain_text("from two.gz")
    found.get_by_role("button", name="Play").click()
    own_told(found).get_by_role("button").click()
    expect(found.locator(".write > summary")).to_contain_text(TEXT)
    assert found.get_by_role("button", name="Play").is_visible()
    found.evaluate("figure => { figure.state = { moment: 1000 }; }")
    assert shown_translation(found) == "la bola es azul"
    assert own_told(found).inner_text() == ""


LAST = ["decoder", 9, 4]


def last_words(found):
    """What the last tile lists, with logits and shares."""
    where = {"moment": 1_000, "point": LAST}
    found.evaluate("(figure, where) => { figure.state = where; }", where)
    return found.locator(".panel table").last.inner_text()


def test_another_model_of_the_same_sentence_is_calculated_anew(figure):
    """The book's own model after 200 steps, given as a file, and back."""
    young = page_translator(200)
    found = figure()
    books = last_words(found)
    put_in(found, pack_whole(young.model, (young.source, young.target)))
    expect(own_told(found)).to_contain_text("Now your own model runs")
    assert last_words(found) != books
    found.get_by_role("button", name="Back to the book’s model").click()
    expect(own_told(found)).to_be_empty()
    assert last_words(found) == books


def test_the_tours_tell_of_the_book_s_model_alone(chromium, address, own):
    page = chromium.new_page()
    page.goto(f"{address}/book/film.html")
    found, begin = page.locator("tt-film"), page.get_by_role("button", name="Ten stops")
    begin.click()
    put_in(found, pack_whole(*own))
    expect(own_told(found)).to_contain_text("Now your own model runs")
    assert not found.locator(".tour").is_visible()
    own_told(found).get_by_role("button").click()
    expect(found.locator("li:visible")).to_have_count(1)
    page.close()


def test_of_two_files_the_later_one_runs(figure, own):
    found = figure()
    packed = [*gzip.compress(bytes(15_000_000)), *pack_whole(*own)]
    small = list(pack_whole(*own))
    found.locator("input[type=file]").evaluate(
        """async (input, [slow, fast]) => {
          const choose = (bytes, name) => {
            const given = new DataTransfer();
            given.items.add(new File([Uint8Array.from(bytes)], name));
            input.files = given.files;
            input.dispatchEvent(new Event("change"));
          };
          choose(slow, "slow.gz");
          choose(fast, "fast.gz");
        }""",
        [packed, small],
    )
    expect(own_told(found)).to_contain_text("from fast.gz")
    found.page.wait_for_timeout(1_000)
    assert "from fast.gz" in own_told(found).inner_text()
    assert refused(found).inner_text() == ""


def test_the_first_page_asks_for_no_file(figure):
    assert figure().locator("input[type=file]").is_visible()
    assert figure(model="everyday").locator("input[type=file]").is_hidden()


def changed_file(packed, change):
    """The same file with another header."""
    data = gzip.decompress(packed)
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    about = json.loads(header["__metadata__"]["description"])
    change(header, about)
    if "__metadata__" in header:
        header["__metadata__"]["description"] = json.dumps(about)
    text = json.dumps(header).encode()
    return gzip.compress(struct.pack("<Q", len(text)) + text + data[8 + length :])


TABLE = "src_embedding.table.weight"
WRONG = {
    "it holds no description": lambda header, about: header.pop("__metadata__"),
    "d_model is 1e+300": lambda header, about: about["config"].update(d_model=1e300),
    "n_encoder_layers is 4000": lambda header, about: about["config"].update(
        n_encoder_layers=4_000
    ),
    "shared among the heads": lambda header, about: about["config"].update(n_heads=5),
    "it has no list of words": lambda header, about: about["words"].update(target=[]),
    f"{TABLE} is missing": lambda header, about: header.pop(TABLE),
    f"{TABLE} has no scale": lambda header, about: header.pop(f"{TABLE}.scale"),
    "max_len is 7": lambda header, about: about["config"].update(max_len=7),
    "evil is not part of such a model": lambda header, about: header.update(
        evil=header[TABLE]
    ),
    f"{TABLE} has not the shape 7 × 24": lambda header, about: header[TABLE].update(
        shape=[10**9, 10**9]
    ),
    f"{TABLE} has not the shape": lambda header, about: header[TABLE].update(
        data_offsets=[10**9, 10**9 + 7 * 24]
    ),
}


@pytest.mark.parametrize("why", WRONG)
def test_a_file_that_is_not_such_a_model_changes_nothing(figure, own, why):
    found = figure()
    before = found.locator(".write > summary").inner_text()
    put_in(found, changed_file(pack_whole(*own), WRONG[why]))
    told = refused(found)
    expect(told).to_contain_text(why)
    assert told.inner_text().startswith("This is not a file that tt export wrote:")
    assert found.locator(".write > summary").inner_text() == before


def nan_in(packed):
    data = bytearray(gzip.decompress(packed))
    (length,) = struct.unpack("<Q", data[:8])
    data[8 + length : 10 + length] = struct.pack("<e", float("nan"))
    return gzip.compress(bytes(data))


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda packed: packed[: len(packed) // 2], "it is damaged"),
        (lambda packed: b"", "it is damaged"),
        (lambda packed: b"hello, here I am: not a model", "it is damaged"),
        (lambda packed: gzip.compress(bytes(10**9)), "more than 16 million bytes"),
        (
            lambda packed: gzip.compress(gzip.decompress(packed) + b"more"),
            "its tensors don’t fill it",
        ),
        (nan_in, "holds numbers that are none"),
    ],
    ids=["cut", "empty", "text", "a bomb", "more", "not a number"],
)
def test_a_damaged_file_changes_nothing(figure, own, spoil, why):
    found = figure()
    put_in(found, spoil(pack_whole(*own)))
    expect(refused(found)).to_contain_text(why)
    found.get_by_label("Next block").click()
    assert said(found).startswith("Encoder: embedding")
