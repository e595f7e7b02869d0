"""The translator in the page, used as a reader uses it."""

import json
from urllib.parse import unquote

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from visit import AXE, too_wide

PAGE = "book/translator.html"
READY = "() => document.querySelector('tt-translator')?.result?.words.length"
WROTE = """() => {
  const model = document.querySelector("tt-translator");
  return model.shadowRoot.querySelector(".translation").textContent.trim();
}"""


@pytest.fixture
def figure(chromium, address):
    """Open pages; what they say on the console or ask of others is collected."""
    contexts, trouble = [], []

    def open_page(hash_="", width=1100, scheme="light", route=None):
        context = chromium.new_context(
            color_scheme=scheme,
            viewport={"width": width, "height": 900},
            permissions=["clipboard-read", "clipboard-write"],
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("dialog", lambda dialog: trouble.append(f"dialog {dialog.message}"))
        if route:
            page.route(*route)
        page.goto(f"{address}/{PAGE}{hash_}")
        if not route:
            page.wait_for_function(READY)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert trouble == []


def write(page, text):
    """Write a sentence to its end: what is half written has time."""
    line = page.get_by_label("Write an English sentence")
    line.fill(text)
    line.press("Enter")


def to_the_end(page):
    page.get_by_label("Last word").click()


def message(page):
    return page.locator("tt-translator #message").inner_text()


def test_a_sentence_is_translated_while_it_is_typed(figure):
    page = figure()
    assert page.evaluate(WROTE) == "el gato negro bebió la leche"
    write(page, "The ball is blue.")
    assert page.evaluate(WROTE) == "la bola es azul"
    assert page.locator("tt-translator .translation").get_attribute("lang") == "es"


def test_the_steps_go_word_by_word(figure):
    page = figure()
    status = page.locator("tt-translator .status")
    assert "Step 1 of 7: has read start, writes el." in status.inner_text()
    page.get_by_label("Next word").click()
    assert "Step 2 of 7: has read el, writes gato." in status.inner_text()
    rows = page.locator("tt-translator [role=grid] tbody th").all_inner_texts()
    assert rows == ["start ▸ el", "el ▸ gato"]
    page.get_by_label("Last word").click()
    assert "Step 7 of 7" in status.inner_text()


def test_another_word_can_be_forced_and_taken_back(figure):
    page = figure()
    choices = page.locator("tt-translator fieldset button[lang=es]")
    other = choices.nth(1).inner_text()
    choices.nth(1).click()
    assert page.evaluate(WROTE).startswith(other)
    page.get_by_role("button", name="Take my words back").click()
    assert page.evaluate(WROTE) == "el gato negro bebió la leche"


def test_heads_can_be_cut_and_restored(figure):
    page = figure()
    for head in (1, 2, 3, 4):
        page.get_by_label(f"Layer 2, head {head}", exact=True).click()
        page.get_by_role("button", name=f"Cut head {head} of layer 2").click()
    assert page.evaluate(WROTE) != "el gato negro bebió la leche"
    before = page.locator("tt-translator p", has_text="Without your changes")
    assert "el gato negro bebió la leche" in before.inner_text()
    page.get_by_role("button", name="Restore all").click()
    assert page.evaluate(WROTE) == "el gato negro bebió la leche"


def test_without_positions_the_order_of_the_words_is_lost(figure):
    page = figure()
    page.get_by_label("without positions").check()
    wrote = page.evaluate(WROTE)
    write(page, "the milk drank the black cat")
    page.get_by_label("without positions").check()
    assert page.evaluate(WROTE) == wrote


def test_a_cell_says_how_it_is_computed(figure):
    page = figure()
    to_the_end(page)
    page.get_by_label("Layer 2, head 2", exact=True).click()
    page.locator("tt-translator td[role=gridcell]").nth(9).click()
    shown = page.locator("tt-translator dl").inner_text()
    assert "q · k" in shown
    assert "÷ √16" in shown
    page.get_by_role("button", name="Copy this row as PyTorch").click()
    code = page.evaluate("navigator.clipboard.readText()")
    wanted = json.loads(code.split("the figure shows ")[1].splitlines()[0])
    given = {}
    exec(code, given)
    assert given["weights"].tolist() == pytest.approx(wanted, abs=2e-4)


@pytest.mark.parametrize("width", [1440, 375])
def test_what_a_cell_says_opens_in_the_window(figure, width):
    page = figure(width=width)
    page.set_viewport_size({"width": width, "height": 812})
    page.get_by_label("Layer 2, head 2", exact=True).click()
    to_the_end(page)
    grid = page.locator("tt-translator [role=grid]")
    grid.evaluate("grid => grid.scrollIntoView({block: 'center'})")
    page.locator("tt-translator td[role=gridcell]").nth(9).click()
    assert page.locator("tt-translator dl").bounding_box()["y"] + 150 <= 812


def test_arrow_keys_and_enter_choose_a_cell(figure):
    page = figure()
    to_the_end(page)
    page.locator("tt-translator td[tabindex='0']").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    chosen = page.locator("tt-translator td[aria-selected=true]")
    assert chosen.count() == 1
    assert page.evaluate("document.querySelector('tt-translator').state.cell") == [1, 2]


FOCUSED = """() => {
  const one = document.querySelector("tt-translator").shadowRoot.activeElement;
  return one?.getAttribute("aria-label") ?? (one?.closest("label") ?? one)?.textContent;
}"""


@pytest.mark.parametrize("answer", ["the", "milk"])
def test_a_question_comes_before_its_answer(figure, answer):
    page = figure()
    to_the_end(page)
    page.get_by_role("button", name="Ask me first").click()
    assert page.locator("tt-translator td", has_text="?").count() == 7
    page.locator("tt-translator .both .row button", has_text=answer).first.click()
    told = page.locator("tt-translator [role=status]").filter(has_text="of the weight")
    assert told.count() == 1
    assert page.locator("tt-translator td", has_text="?").count() == 0
    page.get_by_role("button", name="Done").click()
    assert page.evaluate(FOCUSED) == "Ask me first"


def test_another_sentence_ends_a_question(figure):
    page = figure()
    page.get_by_role("button", name="Ask me first").click()
    write(page, "the ball is blue")
    assert page.locator("tt-translator td", has_text="?").count() == 0
    page.get_by_role("button", name="Ask me first").click()
    page.get_by_label("Encoder: self-attention").check()
    assert page.locator("tt-translator td", has_text="?").count() == 0


@pytest.mark.parametrize(
    ("name", "then"),
    [
        ("Next word", "Next word"),
        ("Last word", "Play"),
        ("Layer 1, head 2", "Layer 1, head 2"),
        ("Write las", "Write las"),
        ("without positions", "without positions"),
        ("Cut head 3 of layer 2", "Restore head 3 of layer 2"),
    ],
)
def test_the_focus_stays_where_the_reader_works(figure, name, then):
    page = figure()
    page.get_by_label("Layer 2, head 3", exact=True).click()
    control = page.get_by_label(name, exact=True).or_(
        page.get_by_role("button", name=name, exact=True)
    )
    control.first.focus()
    page.keyboard.press("Space")
    page.wait_for_function(f"() => ({FOCUSED})() === {json.dumps(then)}")


def test_a_model_that_does_not_come_leaves_the_last_one(figure):
    page = figure()
    page.route("**/step-200.safetensors.gz", lambda route: route.fulfill(status=404))
    page.get_by_label("trained for").select_option(label="200 steps")
    page.locator("tt-translator #message", has_text="(404)").wait_for()
    assert page.evaluate(WROTE) == "el gato negro bebió la leche"
    write(page, "the ball is blue")
    assert page.evaluate(WROTE) == "la bola es azul"
    assert message(page) == ""


PASTE = """state => new Promise(done => {
  addEventListener("hashchange", () => done(), { once: true });
  location.hash = `figure=tt-translator&state=${JSON.stringify(state)}`;
})"""


def test_a_link_can_be_pasted_into_the_open_page(figure):
    page = figure()
    page.evaluate(PASTE, {"text": "she is tall"})
    page.wait_for_function(f"() => ({WROTE})() === 'es alta'")


def test_only_a_figure_on_the_page_answers_to_links(figure):
    """In a notebook a cell that is run again throws its first figure away."""
    page = figure()
    page.evaluate("globalThis.gone = document.querySelector('tt-translator')")
    page.evaluate("gone.remove()")
    page.evaluate(PASTE, {"text": "she is tall"})
    assert page.evaluate("gone.state.text") == "the black cat drank the milk"
    page.evaluate("document.body.append(gone)")
    page.evaluate(PASTE, {"text": "the ball is blue"})
    page.wait_for_function(f"() => ({WROTE})() === 'la bola es azul'")


def test_gold_links_are_framed_for_sentences_of_the_grammar(figure):
    page = figure()
    write(page, "the ball is blue")
    to_the_end(page)
    page.get_by_label("Frame the gold alignment").check()
    assert page.locator("tt-translator td.sure").count() == 4


def test_an_earlier_model_can_be_chosen(figure):
    page = figure()
    page.get_by_label("trained for").select_option(label="0 steps")
    page.wait_for_function(f"() => ({WROTE})() !== 'el gato negro bebió la leche'")


def test_a_link_brings_the_state_back(figure):
    page = figure()
    write(page, "the ball is blue")
    page.get_by_label("Layer 1, head 3", exact=True).click()
    page.get_by_role("button", name="Copy a link to this").click()
    link = page.evaluate("navigator.clipboard.readText()")
    again = figure(hash_="#" + link.split("#")[1])
    state = again.evaluate("document.querySelector('tt-translator').state")
    assert (state["text"], state["layer"], state["head"]) == ("the ball is blue", 0, 2)


@pytest.mark.parametrize(
    "state",
    [
        "{",
        "[]",
        '{"head": "<img src=x onerror=alert(1)>", "cell": "x"}',
        '{"toString": 1, "__proto__": 2, "forced": null, "head": -1}',
        '{"cell": [40, 2], "layer": 9, "head": 9, "forced": [9999], "step": 99}',
        "null",
    ],
)
def test_a_broken_link_does_no_harm(figure, state):
    page = figure(hash_=f"#figure=tt-translator&state={state}")
    assert page.evaluate(WROTE)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "There are no words yet"),
        ("   ", "There are no words yet"),
        ("\u200b\u202e\x00", "There are no words yet"),
        ("🐈‍⬛ 🥛", "There are no words yet"),
        ("<img src=x onerror=alert(1)>", "never saw"),
        ("<script>alert(1)</script>", "never saw"),
        ("${alert(1)} {{7*7}}", "never saw"),
        ("constructor __proto__ cat", "never saw"),
        ("zebra giraffe", "knows too little of this sentence"),
        ("the zebra is blue", "“some word”"),
        ("ball " * 2_000, "the model reads at most"),
    ],
)
def test_whatever_is_typed_gets_a_plain_answer(figure, text, told):
    page = figure()
    write(page, text)
    assert told in message(page)
    assert page.locator("tt-translator img, tt-translator script").count() <= 1


def test_an_unknown_word_stays_unknown(figure):
    page = figure()
    write(page, "the zebra is blue")
    assert "⟨?⟩" in page.evaluate(WROTE)


@pytest.mark.parametrize(
    ("pattern", "answer", "told"),
    [
        ("**/*.safetensors.gz", {"status": 404}, "could not be fetched (404)"),
        ("**/*.safetensors.gz", {"body": b"\x1f\x8b\x08"}, "is damaged"),
        ("**/*.safetensors.gz", {"body": b"cut"}, "is damaged"),
        ("**/model.json", {"body": "{"}, "description is damaged"),
        ("**/model.json", {"status": 500}, "could not be fetched (500)"),
    ],
)
def test_a_missing_or_cut_file_leaves_the_picture(figure, pattern, answer, told):
    page = figure(route=(pattern, lambda route: route.fulfill(**answer)))
    page.wait_for_function("document.querySelector('tt-translator[broken]')")
    assert told in message(page)
    assert page.locator("tt-translator img").is_visible()


@pytest.mark.parametrize(
    ("width", "scheme"),
    [(1440, "light"), (800, "dark"), (1440, "dark"), (375, "light"), (320, "dark")],
)
def test_everything_open_is_accessible_and_fits(figure, width, scheme):
    page = figure(width=width, scheme=scheme)
    write(page, "the ball is blue")
    to_the_end(page)
    page.get_by_label("Frame the gold alignment").check()
    page.get_by_label("Layer 2, head 2", exact=True).click()
    page.locator("tt-translator td[role=gridcell]").nth(6).click()
    page.locator("tt-translator summary").click()
    page.get_by_label("Write an English sentence").press_sequentially(" s")
    page.locator("tt-translator [role=option]").first.wait_for()
    # The theme's own button may be in the midst of appearing.
    page.evaluate("document.getElementById('pst-back-to-top')?.remove()")
    page.evaluate(AXE_SCRIPT)
    assert page.evaluate(AXE) == []
    assert too_wide(page) == []


HEIGHT = """() =>
  document.querySelector("tt-translator").getBoundingClientRect().height"""


@pytest.mark.parametrize("width", [1440, 800, 375])
def test_a_long_translation_leaves_no_hole(figure, width):
    page = figure(width=width)
    before = page.evaluate(HEIGHT)
    page.get_by_label("trained for").select_option(label="0 steps")
    page.wait_for_function(f"{before} + 500 < ({HEIGHT})()")
    page.get_by_label("trained for").select_option(label="4,000 steps")
    page.wait_for_function(f"() => ({WROTE})() === 'el gato negro bebió la leche'")
    assert page.evaluate(HEIGHT) == before
    write(page, "she is tall")
    short = page.evaluate(HEIGHT)
    assert short < before
    page.get_by_label("Write an English sentence").fill("the black cat drank the milk")
    write(page, "she is tall")
    assert page.evaluate(HEIGHT) == short


@pytest.mark.parametrize("width", [1440, 375])
def test_nothing_moves_while_a_sentence_is_typed(figure, width):
    page = figure(width=width)
    line = page.get_by_label("Write an English sentence")
    line.fill("")
    heights, told = set(), set()
    for letter in "the red ball":
        line.press_sequentially(letter)
        page.wait_for_timeout(50)
        heights.add(page.evaluate(HEIGHT))
        told.add(page.locator("tt-translator #message").text_content())
    assert page.evaluate(WROTE) == "la bola roja"
    assert len(heights) == 1
    assert told == {""}


def test_a_half_written_word_keeps_the_last_picture(figure):
    page = figure()
    line = page.get_by_label("Write an English sentence")
    line.fill("the re")
    assert page.evaluate(WROTE) == "el gato negro bebió la leche"
    line.fill("the re zyx")
    assert message(page) == ""
    page.locator("#message", has_text="never saw").wait_for()


@pytest.mark.parametrize("key", ["ArrowDown", "ArrowUp"])
def test_a_word_can_be_completed_by_keys(figure, key):
    page = figure()
    line = page.get_by_label("Write an English sentence")
    line.fill("the gr")
    options = page.locator("tt-translator [role=option]")
    assert line.get_attribute("aria-expanded") == "true"
    line.press(key)
    chosen = page.locator("tt-translator [role=option][aria-selected=true]")
    assert line.get_attribute("aria-activedescendant") == chosen.get_attribute("id")
    word = chosen.inner_text()
    assert word.startswith("gr")
    line.press("Enter")
    assert line.input_value() == f"the {word} "
    assert options.count() == 0


def test_a_word_can_be_completed_by_touch_in_the_midst(figure):
    page = figure()
    line = page.get_by_label("Write an English sentence")
    line.fill("the ye ball")
    line.evaluate("line => line.setSelectionRange(6, 6)")
    line.evaluate("line => line.dispatchEvent(new Event('input'))")
    page.get_by_role("option", name="yellow").click()
    assert line.input_value() == "the yellow ball"
    assert page.evaluate(WROTE) == "la bola amarilla"


@pytest.mark.parametrize(
    ("text", "swaps", "wrote"),
    [
        ("Hello, world!", ["the", "city"], "la ciudad"),
        ("a really big dog", ["leave it out"], "un perro grande"),
        ("I love you", ["help", "my friend"], "ayudo a mi amigo"),
        ("the zebra is blue", ["horse"], "el caballo es azul"),
        ("an zebra is tired", ["horse"], "un caballo está cansado"),
        ("the blck cat", ["black"], "el gato negro"),
        ("the girl’s book", ["girls"], None),
    ],
)
def test_an_unknown_word_is_swapped_by_one_press(figure, text, swaps, wrote):
    page = figure()
    write(page, text)
    for swap in swaps:
        page.locator("tt-translator .help button", has_text=swap).first.click()
    if wrote:
        assert page.evaluate(WROTE) == wrote
        assert message(page) == ""


def test_a_text_without_known_words_leaves_the_last_picture(figure):
    page = figure()
    write(page, "zyx")
    assert "Below still stands “the black cat drank the milk”." in message(page)
    assert page.evaluate(WROTE) == "el gato negro bebió la leche"
    assert page.evaluate("document.querySelector('tt-translator').result.words") == []


def test_the_words_that_it_knows_are_listed_by_kind(figure):
    page = figure()
    page.locator("tt-translator summary").click()
    listed = page.locator("tt-translator details p").all_inner_texts()
    kinds = {line.split(":")[0]: line.split(": ")[1].split(", ") for line in listed}
    assert "cat" in kinds["Animals"]
    assert "milk" in kinds["Food and drink"]
    assert {"the", "every", "today"} <= set(kinds["Other words"])
    assert not {"cats", "ate"} & set(kinds["Other words"])


def test_a_surprise_is_translated_without_a_word_unknown(figure):
    page = figure()
    before = page.get_by_label("Write an English sentence").input_value()
    page.get_by_role("button", name="Surprise me").click()
    assert page.get_by_label("Write an English sentence").input_value() != before
    assert message(page) == ""


def test_a_masked_look_is_no_small_number(figure):
    page = figure()
    page.get_by_label("Decoder: masked self-attention").check()
    to_the_end(page)
    masked = page.locator("tt-translator td.masked")
    assert masked.count() == 21
    assert set(masked.all_text_contents()) == {"masked"}
    assert "gradient" in masked.first.evaluate("td => getComputedStyle(td).background")
    page.get_by_label("without the causal mask").check()
    assert masked.count() == 0


def test_logits_stand_beside_their_softmax(figure):
    page = figure()
    rows = page.locator("tt-translator .candidates tbody tr").all_inner_texts()
    assert [len(row.split("\t")) for row in rows] == [3] * 6
    word, logit, share = rows[0].split("\t")
    assert (word, logit, share) == ("el", "9.04", "90.1 %")


def test_play_writes_word_by_word_and_can_be_paused(figure):
    page = figure()
    page.clock.install(time=0)
    page.clock.pause_at(1_000)  # from here on time passes only when told to
    page.get_by_role("button", name="Play").click()
    status = page.locator("tt-translator .status")
    assert "Step 2 of 7" in status.inner_text()
    page.clock.run_for(1_500)
    assert "Step 3 of 7" in status.inner_text()
    assert page.evaluate(FOCUSED) == "Pause"
    page.keyboard.press("Space")
    page.clock.run_for(5_000)
    assert "Step 3 of 7" in status.inner_text()
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(10_000)
    assert "Step 7 of 7" in status.inner_text()
    assert page.get_by_role("button", name="Play").is_visible()


def test_another_control_ends_the_play(figure):
    page = figure()
    page.clock.install()
    page.get_by_role("button", name="Play").click()
    page.get_by_label("One word back").click()
    page.clock.run_for(5_000)
    assert "Step 1 of 7" in page.locator("tt-translator .status").inner_text()


PLACES = """() => {
  const root = document.querySelector("tt-translator").shadowRoot;
  const { top } = root.host.getBoundingClientRect();
  const box = part => root.querySelector(part).getBoundingClientRect();
  return [box(".status").top, box("[role=grid]").top, box("[role=grid]").bottom,
    box(".heads").bottom].map(place => place - top);
}"""


@pytest.mark.parametrize("width", [1440, 375])
def test_steps_and_grid_share_a_screen_and_no_step_moves_them(figure, width):
    page = figure(width=width)
    places = page.evaluate(PLACES)
    assert places[2] - places[0] <= 460
    for _ in range(6):
        page.get_by_label("Next word").click()
        assert page.evaluate(PLACES) == places


CUT_OFF = """() => [...document.querySelector("tt-translator").shadowRoot
  .querySelectorAll(".heads button, [role=grid]")].filter(part => {
    const box = part.closest(".scroll").getBoundingClientRect();
    const { left, right } = part.getBoundingClientRect();
    return left < box.left || right > box.right;
  }).map(part => part.getAttribute("aria-label"))"""


@pytest.mark.parametrize("width", [375, 700, 800, 960, 1100, 1280, 1440, 1920])
def test_neither_heads_nor_grid_are_cut_off(figure, width):
    page = figure(width=width)
    to_the_end(page)
    for head in ("head 1", "mean"):
        page.get_by_label(f"Layer 2, {head}", exact=True).click()
        assert page.evaluate(CUT_OFF) == []


NINE = "the black cat drank the milk in the kitchen"


@pytest.mark.parametrize("width", [1100, 1280, 1440, 1920])
def test_a_sentence_of_nine_words_is_seen_whole(figure, width):
    page = figure(width=width)
    write(page, NINE)
    to_the_end(page)
    assert page.locator("tt-translator [role=columnheader]").count() == 10
    assert page.evaluate(CUT_OFF) == []


TOGETHER = """() => {
  const root = document.querySelector("tt-translator").shadowRoot;
  const find = part => root.querySelector(part);
  const parts = ["#text", "[role=grid]", ".heads"].map(find);
  const boxes = parts.map(part => part.getBoundingClientRect());
  return Math.max(...boxes.map(box => box.bottom)) - boxes[0].top;
}"""


@pytest.mark.parametrize(
    ("width", "height"), [(1440, 900), (1920, 1080), (1280, 800), (800, 900)]
)
def test_sentence_grid_and_heads_are_seen_together(figure, width, height):
    page = figure(width=width)
    page.set_viewport_size({"width": width, "height": height})
    header = page.locator(".bd-header-article").bounding_box()["height"]
    assert page.evaluate(TOGETHER) <= height - header


def test_the_figure_takes_the_room_that_a_laptop_has(figure):
    page = figure(width=1440)
    assert page.locator("tt-translator").bounding_box()["width"] >= 1000
    text = page.locator("article p").first.bounding_box()["width"]
    assert text <= 704


def test_the_steps_stay_in_view_on_a_phone(figure):
    page = figure(width=375)
    page.locator("tt-translator .heads").scroll_into_view_if_needed()
    page.get_by_label("Which attention?").or_(
        page.locator("tt-translator legend", has_text="Candidates")
    ).first.scroll_into_view_if_needed()
    bar = page.locator("tt-translator .bar").bounding_box()
    header = page.locator(".bd-header-article").bounding_box()
    assert bar["y"] >= header["y"] + header["height"] - 1


def test_a_link_opens_with_the_figure_in_view(figure):
    page = figure(hash_='#figure=tt-translator&state={"text":"she is tall"}')
    page.wait_for_function("() => scrollY > 0")
    top = page.locator("tt-translator").bounding_box()["y"]
    assert 0 <= top <= 200


LINK = "#figure=tt-translator&state="
# What a link of the page says, and what the model then writes.
TRIED = {
    "choose la": "la gato negro bebió la leche",
    "choose negra": "el gato negra bebió la leche",
    "the ball is blue": "la bola es azul",
    "cut it": "el bola es azul",
    "the cat saw the dog": "el perro vio al gato",
    "the dog saw the cat": "el perro vio al gato",
    "200": "el gato negra bebió la leche",
    "zebra": "los ⟨?⟩ lloraron",
}


IN_WINDOW = """link => new Promise(done => new IntersectionObserver(
  (seen) => seen.some(one => one.intersectionRatio === 1) && done(),
  { threshold: [0, 1] },
).observe(link))"""


@pytest.mark.parametrize("width", [1440, 375])
def test_things_to_try_are_tried_by_a_click(figure, width):
    page = figure(width=width)
    start = page.evaluate("document.querySelector('tt-translator').state")
    links = page.locator(f"article a[href^='{LINK}']")
    assert links.count() >= 12
    assert set(TRIED) <= set(links.all_inner_texts())
    for link in links.all():
        wanted = start | json.loads(unquote(link.get_attribute("href")[len(LINK) :]))
        link.scroll_into_view_if_needed()
        below = page.evaluate("scrollY")
        link.click()
        page.wait_for_function("below => scrollY < below", arg=below)
        shown = page.evaluate("document.querySelector('tt-translator').state")
        assert shown == wanted
        top = page.locator("tt-translator").bounding_box()["y"]
        assert 0 <= top <= 200
        name = link.inner_text()
        assert page.evaluate(WROTE) == TRIED.get(name, page.evaluate(WROTE)), name
        page.go_back()
        link.evaluate(IN_WINDOW)


def test_a_heading_can_be_followed_after_a_state(figure):
    page = figure()
    page.get_by_role("link", name="cut it").click()
    page.wait_for_function(f"() => ({WROTE})() === 'el bola es azul'")
    page.evaluate("location.hash = 'things-to-try'")
    page.wait_for_timeout(300)
    top = page.locator("#things-to-try h2").bounding_box()["y"]
    assert 0 <= top <= 200


def test_a_link_can_be_followed_twice(figure):
    page = figure()
    link = page.get_by_role("link", name="cut it")
    for _ in range(2):
        link.click()
        page.wait_for_function(f"() => ({WROTE})() === 'el bola es azul'")
        page.get_by_role("button", name="Restore all").click()
        assert page.evaluate(WROTE) == "la bola es azul"


def test_a_chapter_leads_to_a_state(figure):
    page = figure()
    page.goto(page.url.replace("book/translator", "notebooks/12_decoder").split("#")[0])
    page.get_by_role("link", name="cut head 3").click()
    page.wait_for_url("**/book/translator.html#figure=*")
    page.wait_for_function(READY)
    state = page.evaluate("document.querySelector('tt-translator').state")
    assert (state["text"], state["cut"]) == ("we have the ball", ["cross.1.2"])


def test_letters_are_announced_in_silence_and_steps_in_a_sentence(figure):
    page = figure()
    told = page.locator("tt-translator .unseen[role=status]")
    page.get_by_label("Write an English sentence").fill("she is tall")
    assert told.inner_text() == "In Spanish: es alta"
    page.get_by_label("Next word").click()
    assert told.inner_text() == "Step 2 of 3: has read es, writes alta."
