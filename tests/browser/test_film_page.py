"""The film's page: what is typed, what its links show, and a broken line."""

import json
import re
from urllib.parse import unquote

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect
from visit import AXE, too_wide

PAGE = "book/film.html"
READY = "() => document.querySelector('tt-film')?.result?.words.length"
WROTE = "() => document.querySelector('tt-film').result.translation.join(' ')"
BALL = "la bola es azul"
HEARD = "tt-film .unseen[role=status] >> nth=-1"  # the tours have one of their own


@pytest.fixture
def figure(chromium, address):
    """Open pages; what they say on the console or ask of others is collected."""
    contexts, trouble = [], []

    def open_page(
        hash_="", width=1100, height=900, scheme="light", route=None, motion="reduce"
    ):
        context = chromium.new_context(
            color_scheme=scheme,
            viewport={"width": width, "height": height},
            permissions=["clipboard-read", "clipboard-write"],
            reduced_motion=motion,
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


def line_of(page):
    """The line to write in, unfolded."""
    line = page.get_by_label("Write an English sentence")
    if not line.is_visible():
        page.locator("tt-film .write > summary").click()
    return line


def write(page, text):
    """Write a sentence to its end: what is half written has time."""
    line = line_of(page)
    line.fill(text)
    line.press("Enter")


def to_stop(page, number):
    page.get_by_role("button", name="Ten stops").click()
    for _ in range(number - 1):
        page.get_by_role("button", name="Next stop").click()


def message(page):
    return page.locator("tt-film #message").inner_text()


def test_a_sentence_is_translated_while_it_is_typed(figure):
    page = figure()
    assert page.evaluate(WROTE) == BALL
    line_of(page).fill("The black cat drank the milk.")
    assert page.evaluate(WROTE) == "el gato negro bebió la leche"
    written = page.locator("tt-film .write > summary b").nth(1)
    assert written.inner_text() == "el gato negro bebió la leche"
    assert written.get_attribute("lang") == "es"


def test_a_half_written_word_keeps_the_last_picture(figure):
    page = figure()
    line = line_of(page)
    line.fill("the re")
    assert page.evaluate(WROTE) == BALL
    line.fill("the re zyx")
    assert message(page) == ""
    page.locator("#message", has_text="never saw").wait_for()


@pytest.mark.parametrize("key", ["ArrowDown", "ArrowUp"])
def test_a_word_can_be_completed_by_keys(figure, key):
    page = figure()
    line = line_of(page)
    line.fill("the gr")
    options = page.locator("tt-film [role=option]")
    assert line.get_attribute("aria-expanded") == "true"
    line.press(key)
    chosen = page.locator("tt-film [role=option][aria-selected=true]")
    assert line.get_attribute("aria-activedescendant") == chosen.get_attribute("id")
    word = chosen.inner_text()
    assert word.startswith("gr")
    line.press("Enter")
    assert line.input_value() == f"the {word} "
    assert options.count() == 0


def test_a_word_can_be_completed_by_touch_in_the_midst(figure):
    page = figure()
    line = line_of(page)
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
        page.locator("tt-film .help button", has_text=swap).first.click()
    if wrote:
        assert page.evaluate(WROTE) == wrote
        assert "never saw" not in message(page)


def test_the_words_that_it_knows_are_listed_by_kind(figure):
    page = figure()
    line_of(page)
    page.locator("tt-film summary", has_text="The words that it knows").click()
    listed = page.locator("tt-film details details p").all_inner_texts()
    kinds = {line.split(":")[0]: line.split(": ")[1].split(", ") for line in listed}
    assert "cat" in kinds["Animals"]
    assert "milk" in kinds["Food and drink"]
    assert {"the", "every", "today"} <= set(kinds["Other words"])
    assert not {"cats", "ate"} & set(kinds["Other words"])


def test_a_surprise_is_translated_without_a_word_unknown(figure):
    page = figure()
    line = line_of(page)
    before = line.input_value()
    page.get_by_role("button", name="Surprise me").click()
    assert line.input_value() != before
    assert "never saw" not in message(page)


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
        ("the zebra is blue", "never saw “zebra”"),
        ("ball " * 2_000, "the model reads at most"),
    ],
)
def test_whatever_is_typed_gets_a_plain_answer(figure, text, told):
    page = figure()
    write(page, text)
    assert told in message(page)
    found = page.locator("tt-film").evaluate(
        "e => e.shadowRoot.querySelectorAll('img, script').length"
    )
    assert found == 0


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
    page.locator("tt-film [role=status]", has_text=told).first.wait_for()
    assert page.locator("tt-film img").is_visible()


def test_a_model_that_does_not_come_leaves_the_last_one(figure):
    page = figure()
    page.route("**/step-200.safetensors.gz", lambda route: route.fulfill(status=404))
    page.get_by_label("trained for").select_option(label="200 steps")
    told = page.locator("tt-film [role=alert]", has_text="(404)")
    told.wait_for()
    chosen = page.get_by_label("trained for").locator("option:checked")
    assert chosen.inner_text() == "4,000 steps"
    assert page.evaluate(WROTE) == BALL
    page.get_by_label("trained for").select_option(label="800 steps")
    told.wait_for(state="hidden")


@pytest.mark.parametrize(
    "state",
    [
        "{",
        "[]",
        '{"head": "<img src=x onerror=alert(1)>", "point": "x"}',
        '{"toString": 1, "__proto__": 2, "forced": null, "head": -1}',
        '{"point": ["decoder", 40, 2], "head": 9, "forced": [9999], "moment": 999}',
        "null",
    ],
)
def test_a_broken_link_does_no_harm(figure, state):
    page = figure(hash_=f"#figure=tt-film&state={state}")
    assert page.evaluate(WROTE)


PASTE = """state => {
  location.hash = `figure=tt-film&state=${JSON.stringify(state)}`;
}"""


def test_only_a_figure_on_the_page_answers_to_links(figure):
    """In a notebook a cell that is run again throws its first figure away."""
    page = figure()
    page.evaluate("() => { globalThis.gone = document.querySelector('tt-film'); }")
    page.evaluate("() => { gone.remove(); }")
    page.evaluate(PASTE, {"text": "she is tall"})
    page.wait_for_timeout(300)
    assert page.evaluate("() => gone.state.text") == "the ball is blue"
    page.evaluate("() => { document.body.append(gone); }")
    page.evaluate(PASTE, {"text": "the cat saw the dog"})
    page.wait_for_function("() => gone.state.text === 'the cat saw the dog'")


def test_a_link_brings_the_state_back_and_the_figure_into_view(figure):
    page = figure()
    write(page, "she is tall")
    page.get_by_role("button", name="head 3", exact=True).click()
    page.get_by_role("button", name="Copy a link to this moment").click()
    link = page.evaluate("navigator.clipboard.readText()")
    again = figure(hash_="#" + link.split("#")[1])
    state = again.evaluate("document.querySelector('tt-film').state")
    assert (state["text"], state["head"]) == ("she is tall", 2)
    again.wait_for_function("() => scrollY > 0")
    assert 0 <= again.locator("tt-film").bounding_box()["y"] <= 200


LINK = "#figure=tt-film&state="
IN_WINDOW = """link => new Promise((done, failed) => {
  new IntersectionObserver(
    (seen) => seen.some(one => one.intersectionRatio === 1) && done(),
    { threshold: [0, 1] },
  ).observe(link);
  setTimeout(() => failed(Error(`${link.textContent}: not in sight`)), 5_000);
})"""
REACHED = """wanted => {
  const { state } = document.querySelector("tt-film");
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  return Object.entries(wanted).every(([key, value]) => same(value, state[key]));
}"""


@pytest.mark.parametrize("width", [1440, 375])
def test_every_link_shows_its_state_and_back_leads_back(figure, width):
    page = figure(width=width)
    start = page.evaluate("document.querySelector('tt-film').state")
    links = page.locator(f"article section > p > a[href^='{LINK}']")
    assert links.count() >= 1
    for link in links.all():
        wanted = start | json.loads(unquote(link.get_attribute("href")[len(LINK) :]))
        link.click()
        page.wait_for_function(REACHED, arg=wanted)
        assert page.evaluate("document.querySelector('tt-film').state") == wanted
        assert 0 <= page.locator("tt-film").bounding_box()["y"] <= 200
        page.go_back()
        link.evaluate(IN_WINDOW)


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (375, 750)])
@pytest.mark.parametrize(("tour", "stops"), [("Ten stops", 10), ("Nine changes", 9)])
def test_a_tour_asks_waits_and_shows(figure, width, height, tour, stops):
    """Each stop comes without its answer; its links act, the picture stays in sight."""
    page = figure(width=width, height=height)
    start = page.evaluate("document.querySelector('tt-film').state")
    film, pages = page.locator("tt-film"), page.evaluate("history.length")
    film.get_by_role("button", name=tour).click()
    for i in range(stops):
        stop = film.locator("li:visible")
        assert stop.count() == 1
        expect(film.locator(".tour b")).to_have_text(f"{i + 1} of {stops}")
        links = stop.get_by_role("link").and_(page.locator(f"[href^='{LINK}']"))
        asked = [
            json.loads(unquote(link.get_attribute("href")[len(LINK) :]))
            for link in stop.locator(f"a[href^='{LINK}']").all()
        ]
        alone = asked[0].keys() <= {"text", "moment"}  # the sentence is what is asked
        waits = {
            key: asked[0][key]
            for key in ("moment" if alone else "text", "moment")
            if key in asked[0]
        }
        assert film.evaluate("f => f.state") == start | waits
        assert not stop.locator("details > p").first.is_visible()
        stop.locator("summary").click()
        assert links.count() == len(asked)
        for link, wanted in zip(links.all(), asked, strict=True):
            link.click()
            page.wait_for_function(REACHED, arg=start | wanted)
            assert 50 <= film.locator(".tour").bounding_box()["y"] <= height / 2
            assert film.locator(".lanes .scroll").bounding_box()["y"] < height
        if i < stops - 1:
            film.get_by_role("button", name="Next stop").click()
    last = film.get_by_role("button", name="Next stop")
    assert last.get_attribute("aria-disabled") == "true"
    last.focus()
    page.keyboard.press("Enter")
    assert film.locator("li:visible").count() == 1
    assert page.evaluate("history.length") == pages
    film.get_by_role("button", name="End the tour").click()
    assert film.locator("li:visible").count() == 0


def test_a_link_in_the_text_lights_up_its_tile(figure):
    """Under the pointer or in focus; nothing moves, and what was there comes back."""
    page = figure(height=1700)
    to(page, moment=20, point=["encoder", 2, 1])
    film = page.locator("tt-film")
    link = page.locator("article section > p > a[href*='drank']").first
    link.evaluate(
        """link => {
          const state = { moment: 3, point: ["encoder", 3, 3] };
          link.hash = `figure=tt-film&state=${JSON.stringify(state)}`;
          link.id = "lit";
          document.querySelector("tt-film").after(link);
        }"""
    )
    link = page.locator("#lit")
    seen = "f => [f.state.moment, f.getBoundingClientRect().height]"
    before, panel = film.evaluate(seen), film.locator(".panel").inner_text()
    lit = film.locator(".lanes .chip[aria-checked=true]")
    name = lit.get_attribute("aria-label")

    def focus():
        film.get_by_label("a model of your own").focus()
        while not link.evaluate("link => link.matches(':focus-visible')"):
            page.keyboard.press("Tab")

    for come, go in [
        (link.hover, lambda: page.mouse.move(5, 5)),
        (focus, lambda: page.keyboard.press("Tab")),
    ]:
        come()
        assert lit.get_attribute("aria-label").startswith("blue, position 3: encoder")
        assert " ".join(film.locator(".name.now").all_text_contents()) == (
            "self- attention layer 1"
        )
        assert film.evaluate(seen) == before
        assert film.locator(".panel").inner_text() == panel
        go()
        assert lit.get_attribute("aria-label") == name
    assert "#" not in page.url
    link.click()
    page.wait_for_function("() => document.querySelector('tt-film').state.moment === 3")
    assert "blue, encoder" in film.locator(".panel").inner_text()


def test_where_the_figure_is_out_of_sight_a_picture_comes_to_the_link(figure):
    page = figure()
    page.goto(page.url.replace("book/film", "notebooks/00_tour"))
    film, link = page.locator("tt-film"), page.get_by_role("link", name="to find azul")
    film.locator(".said b").wait_for()
    link.evaluate("link => link.scrollIntoView({ block: 'center' })")
    glance, before = film.locator(".glance"), film.locator(".lanes").inner_text()
    assert not glance.is_visible()
    link.hover()
    lit = glance.locator(".chip[aria-checked=true]")
    assert lit.get_attribute("aria-label").startswith("es, position 3: decoder")
    assert glance.inner_text().startswith("Decoder, word 4: writes")
    box, word = glance.bounding_box(), link.bounding_box()
    assert (
        box["y"] >= word["y"] + word["height"] or box["y"] + box["height"] <= word["y"]
    )
    assert 0 <= box["x"] <= box["x"] + box["width"] <= 1100
    assert film.locator(".lanes").inner_text() == before
    page.keyboard.press("Escape")
    assert not glance.is_visible()
    page.mouse.move(5, 5)
    link.hover()
    assert glance.is_visible()
    link.click()
    page.wait_for_function(
        "() => document.querySelector('tt-film').state.moment === 47"
    )
    assert "00_tour.html#" in page.url
    assert not glance.is_visible()
    page.get_by_role("button", name="Next block").click()
    link.click()
    page.wait_for_function(
        "() => document.querySelector('tt-film').state.moment === 47"
    )


def test_keys_go_on_from_the_films_own_moment(figure):
    """What a link under the pointer shows is not where the film stands."""
    page = figure(height=1200)
    page.get_by_role("button", name="Ten stops").click()
    page.locator("tt-film li.tt-now a[href*=figure]").hover()
    page.get_by_role("button", name="Next block").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.querySelector('tt-film').state.moment") == 2


def test_without_a_model_the_tours_are_text(figure):
    page = figure(route=("**/model/**", lambda route: route.abort()))
    page.get_by_text("So the film can't run").wait_for()
    stops = page.locator("tt-film ol > li")
    assert stops.count() == 19
    assert all(stop.is_visible() for stop in stops.all())


@pytest.mark.parametrize(("width", "height"), [(500, 800), (1280, 600), (700, 420)])
def test_the_picture_beside_a_link_leaves_it_free(figure, width, height):
    page = figure(width=width, height=height)
    page.goto(page.url.replace("book/film", "notebooks/00_tour"))
    film, link = page.locator("tt-film"), page.get_by_role("link", name="to find azul")
    film.locator(".said b").wait_for()
    link.evaluate("link => link.scrollIntoView({ block: 'center' })")
    link.hover()
    box, word = film.locator(".glance").bounding_box(), link.bounding_box()
    if box:
        beside = (
            word["y"] + word["height"] <= box["y"],
            box["y"] + box["height"] <= word["y"],
        )
        assert any(beside)
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height
    else:
        assert height < 600
    page.mouse.wheel(0, 3 * height)
    film.locator(".glance").wait_for(state="hidden")


def test_without_popovers_the_film_runs(figure):
    """An older browser knows neither the method nor the selector."""
    page = figure()
    page.add_init_script(
        """delete HTMLElement.prototype.showPopover;
        const { matches } = Element.prototype;
        Element.prototype.matches = function (selector) {
          if (selector.includes("popover")) throw new SyntaxError(selector);
          return matches.call(this, selector);
        };"""
    )
    page.reload()
    page.wait_for_function(READY)
    page.get_by_role("button", name="Next block").click()
    said = page.locator("tt-film .said b").inner_text()
    assert said.startswith("Encoder: embedding")


def test_a_link_that_changes_the_model_lights_nothing(figure):
    page = figure()
    film = page.locator("tt-film")
    to_stop(page, 7)
    film.locator("li:visible summary").click()
    before = film.locator("svg").first.inner_html()
    page.get_by_role("link", name="Cut that head").hover()
    assert film.locator("svg").first.inner_html() == before
    assert not film.locator(".glance").is_visible()


def test_an_earlier_state_is_told_beside_the_picture(figure):
    page = figure()
    note = page.locator("tt-film .lanes .changed")
    assert not note.is_visible()
    page.get_by_label("trained for").select_option(label="200 steps")
    told = "This is the model after 200 of 4,000 steps of training."
    expect(note).to_have_text(told)
    to(page, cut=["cross.1.2"])
    expect(note).to_contain_text(f"{told} Changed: head 3 of the cross-attention")
    page.get_by_label("trained for").select_option(label="4,000 steps")
    expect(note).not_to_contain_text("steps of training")


def test_the_list_of_earlier_states_says_what_is_asked_for(figure):
    page = figure()
    page.route("**/step-200*", lambda _route: None)  # it never comes
    choice = page.get_by_label("trained for")
    choice.select_option(label="200 steps")
    assert choice.input_value() == "step-200.safetensors.gz"
    page.get_by_role("button", name="Ten stops").click()
    assert choice.input_value() == "step-4000.safetensors.gz"


def test_a_button_leads_to_what_is_opened_below_the_picture_and_back(figure):
    page = figure(width=375, height=750)
    film = page.locator("tt-film")
    way = film.get_by_role("button", name="To the numbers")
    assert not way.is_visible()
    to(page, moment=3, point=["encoder", 3, 3])
    film.evaluate("f => f.scrollIntoView()")
    for part in (".panel", ".tour", ".panel"):
        way.click()
        assert 57 <= film.locator(part).first.bounding_box()["y"] <= 250


def test_words_and_blocks_can_be_pressed(figure):
    page = figure()
    film = page.locator("tt-film")
    film.locator("text.word", has_text="ball").click()
    state = film.evaluate("f => f.state")
    assert (state["moment"], state["point"]) == (1, ["encoder", 1, 1])
    film.locator("text.name", has_text="cross-").nth(1).click()
    state = film.evaluate("f => f.state")
    assert (state["moment"], state["point"]) == (15, ["encoder", 1, 1])
    film.locator("text.word", has_text="ball").click()
    assert film.evaluate("f => f.state.point") == ["encoder", 7, 1]


def test_a_link_can_be_followed_twice(figure):
    page = figure()
    to_stop(page, 7)
    page.locator("article details", has_text="From ball").locator("summary").click()
    link = page.get_by_role("link", name="Cut that head")
    for _ in range(2):
        link.click()
        page.wait_for_function(f"() => ({WROTE})() === 'el bola es azul'")
        page.get_by_role("button", name="Undo all").click()
        assert page.evaluate(WROTE) == BALL


def test_a_chapter_leads_to_a_state(figure):
    page = figure()
    page.goto(page.url.replace("book/film", "notebooks/12_decoder").split("#")[0])
    page.get_by_role("link", name="cut head 3").click()
    page.wait_for_url("**/book/film.html#figure=*")
    page.wait_for_function(READY)
    state = page.evaluate("document.querySelector('tt-film').state")
    assert (state["text"], state["cut"]) == ("we have the ball", ["cross.1.2"])


def to(page, **state):
    page.locator("tt-film").evaluate("(f, state) => { f.state = state; }", state)


@pytest.mark.parametrize(
    ("width", "scheme"),
    [(1440, "light"), (800, "dark"), (375, "light"), (320, "dark")],
)
def test_everything_open_is_accessible_and_fits(figure, width, scheme):
    page = figure(width=width, scheme=scheme)
    to(page, moment=1_000, point=["decoder", 7, 1], cut=["cross.1.0"])
    page.locator("tt-film .panel summary").click()
    page.get_by_label("frame the gold alignment").check()
    page.locator("tt-film td[role=gridcell]").nth(6).click()
    line_of(page).press_sequentially(" s")
    page.locator("tt-film [role=option]").first.wait_for()
    # The theme's own button may be in the midst of appearing.
    page.evaluate("document.getElementById('pst-back-to-top')?.remove()")
    page.evaluate(AXE_SCRIPT)
    assert page.evaluate(AXE, "tt-film") == []
    assert too_wide(page) == []


def test_gold_links_are_framed_for_sentences_of_the_grammar(figure):
    page = figure()
    to(page, moment=1_000, point=["decoder", 7, 1])
    page.locator("tt-film .panel summary").click()
    page.get_by_label("frame the gold alignment").check()
    assert page.locator("tt-film td.sure").count() == 4
    to(page, forced=[225])
    assert page.locator("tt-film td.sure").count() == 0
    assert page.get_by_label("frame the gold alignment").count() == 0


ASKED = 15  # the first word's last cross-attention
LINES = "tt-film .link"


@pytest.mark.parametrize(("guess", "told"), [("the", "Right, most"), ("is", "Not to")])
def test_a_question_comes_before_its_answer(figure, guess, told):
    page = figure()
    page.get_by_label("ask me first").check()
    to(page, moment=ASKED, point=["decoder", 7, 0])
    said = page.locator("tt-film .said")
    assert "To which most" in said.inner_text()
    assert page.locator(LINES).count() == 0
    assert page.locator("tt-film [role=grid]").count() == 0
    said.get_by_role("button", name=guess, exact=True).click()
    assert f"{told} " in said.inner_text()
    assert "the (0.74, mean of the heads)" in said.inner_text()
    assert page.locator(LINES).count() > 0
    assert page.locator("tt-film [role=grid]").count() == 1
    heard = page.locator(HEARD)
    assert told in heard.inner_text()
    focused = "e => e.shadowRoot.activeElement.getAttribute('aria-label')"
    assert page.locator("tt-film").evaluate(focused) == "Next block"


def test_a_word_is_asked_about_once(figure):
    page = figure()
    page.get_by_label("ask me first").check()
    to(page, moment=ASKED, point=["decoder", 7, 0])
    said = page.locator("tt-film .said")
    said.get_by_role("button", name="is", exact=True).click()
    page.get_by_role("button", name="Cut head 3").click()
    assert "Now it attends" in said.inner_text()
    page.get_by_role("button", name="head 3", exact=True).click()
    assert "head 3, which is cut" in said.inner_text()
    assert page.locator(LINES).count() == 0
    page.get_by_role("button", name="head 2", exact=True).click()
    to(page, moment=ASKED + 10)
    assert "To which most" in said.inner_text()
    to(page, moment=ASKED)
    assert "To which most" not in said.inner_text()


def test_the_film_waits_for_an_answer_and_plays_on(figure):
    page = figure()
    page.get_by_label("ask me first").check()
    to(page, moment=ASKED - 2)
    page.clock.install()
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(60_000)
    moment = "f => f.state.moment"
    film = page.locator("tt-film")
    assert film.evaluate(moment) == ASKED
    film.locator(".said").get_by_role("button", name="ball").click()
    page.clock.run_for(4_000)
    assert film.evaluate(moment) > ASKED


def test_an_open_question_is_heard_and_not_passed(figure):
    page = figure()
    film = page.locator("tt-film")
    to(page, moment=ASKED - 1)
    page.clock.install()
    page.get_by_role("button", name="Play").click()
    page.get_by_label("ask me first").check()
    page.clock.run_for(10_000)
    assert film.evaluate("f => f.state.moment") == ASKED
    assert page.get_by_role("button", name="Pause").count() == 0
    assert "To which most" in page.locator(HEARD).inner_text()
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(10_000)
    assert film.evaluate("f => f.state.moment") == ASKED
    assert film.evaluate("f => f.shadowRoot.activeElement.textContent") == "the"
    page.keyboard.press("Enter")
    assert "Right, most to the" in page.locator(HEARD).inner_text()
    page.clock.run_for(4_000)
    assert film.evaluate("f => f.state.moment") > ASKED


def test_nothing_is_asked_where_nothing_is_fetched(figure):
    page = figure()
    page.get_by_label("ask me first").check()
    for change in (
        {"skipped": ["decoder.layers.1.residuals.1"]},
        {"cut": [f"cross.1.{head}" for head in range(4)]},
        {"cut": ["cross.1.2"], "head": 2},
    ):
        to(page, **{"skipped": [], "cut": [], "head": "mean", "moment": ASKED} | change)
        assert "To which most" not in page.locator("tt-film .said").inner_text()


def test_a_verdict_holds_for_the_model_that_was_asked(figure):
    page = figure()
    page.get_by_label("ask me first").check()
    to(page, moment=ASKED)
    said = page.locator("tt-film .said")
    said.get_by_role("button", name="ball").click()
    assert "Not to ball, but to the" in said.inner_text()
    page.get_by_label("trained for").select_option(label="800 steps")
    expect(said).not_to_contain_text("Not to")


def test_words_that_come_twice_are_numbered(figure):
    page = figure()
    page.get_by_label("ask me first").check()
    to(page, text="the dog saw the cat", moment=ASKED)
    said = page.locator("tt-film .said")
    choices = said.get_by_role("button").all_inner_texts()
    assert choices == ["the₁", "dog", "saw", "the₂", "cat", "end"]
    said.get_by_role("button", name="the₁").click()
    assert re.search("most to the₁|Not to the₁, but to", said.inner_text())


@pytest.mark.parametrize(
    ("snapshot", "told"),
    [("step-200", "could not be fetched (404)"), ("step-7", "has no snapshot step-7")],
)
def test_a_link_to_a_model_that_does_not_come_shows_the_trained_one(
    figure, snapshot, told
):
    missing = lambda route: route.fulfill(status=404)  # noqa: E731
    file = f"{snapshot}.safetensors.gz"
    link = f'{LINK}{{"moment":{ASKED},"snapshot":"{file}"}}'
    page = figure(hash_=link, route=(f"**/{file}", missing))
    page.wait_for_function(READY)
    assert told in page.locator("tt-film [role=alert]").inner_text()
    state = page.evaluate("document.querySelector('tt-film').state")
    assert (state["moment"], state["snapshot"]) == (ASKED, None)
    chosen = page.get_by_label("trained for").locator("option:checked")
    assert chosen.inner_text() == "4,000 steps"


def test_an_empty_translation_is_said(figure):
    page = figure()
    to(page, moment=1_000, forced=[2])
    told = page.locator("tt-film .changed").first
    assert "Now it writes nothing. " in told.inner_text()


def test_a_cut_head_brings_no_lines_and_leaves_the_mean(figure):
    page = figure()
    to(page, moment=ASKED)
    before = page.locator(LINES).count()
    to(page, cut=["cross.1.2"])  # it fetched the noun
    assert page.locator(LINES).count() == before - 1
    assert (
        "the (0.99, mean of the heads that are left)"
        in page.locator("tt-film .said").inner_text()
    )
    to(page, cut=[f"cross.1.{head}" for head in range(4)])
    assert (
        "All heads of this attention are cut"
        in page.locator("tt-film .said").inner_text()
    )
    assert page.locator(LINES).count() == 0
    to(page, cut=[], skipped=["decoder.layers.1.residuals.1"])
    assert page.locator(LINES).count() == 0


def test_a_written_sentence_plays_to_whom_likes_motion(figure):
    page = figure(motion="no-preference")
    film = page.locator("tt-film")
    write(page, "she is tall")
    assert page.get_by_role("button", name="Pause").is_visible()
    heard = page.locator(HEARD)
    assert "she is tall: es alta." in heard.inner_text()
    page.wait_for_function("() => document.querySelector('tt-film').state.moment > 0")
    write(page, "zebra giraffe")
    assert page.get_by_role("button", name="Play").is_visible()
    assert film.evaluate("f => f.state.moment") == 0


def test_a_link_runs_a_film_that_lies_below_the_window(figure):
    page = figure(hash_=f'{LINK}{{"moment":{ASKED}}}', width=375, height=500)
    page.wait_for_function("() => scrollY > 0")
    assert 0 <= page.locator("tt-film").bounding_box()["y"] <= 200


def test_what_changes_is_heard(figure):
    page = figure()
    heard = page.locator(HEARD)
    assert heard.inner_text() == ""
    to(page, moment=ASKED - 1)
    page.get_by_role("button", name="Next block").click()
    assert heard.inner_text().startswith(
        "Decoder, word 1: cross-attention, layer 2. Now"
    )
    to(page, point=["decoder", 7, 0])
    page.get_by_role("button", name="Cut head 3").click()
    assert "Now it writes el bola es azul" in heard.inner_text()
    page.locator("tt-film .panel td[role=gridcell]").first.click()
    assert heard.inner_text() == "head 1: start attends to the: weight 0.997"
    page.get_by_role("button", name="Undo all").click()
    write(page, "she is tall")
    assert heard.inner_text().startswith("she is tall: es alta.")


def test_what_is_pressed_while_it_plays_stays(figure):
    page = figure()
    film = page.locator("tt-film")
    to(page, moment=ASKED + 12)
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="head 2", exact=True).hover()
    page.mouse.down()
    moment = film.evaluate("f => f.state.moment")
    page.wait_for_timeout(1_800)
    assert film.evaluate("f => f.state.moment") <= moment + 1
    page.mouse.up()
    assert film.evaluate("f => f.state.head") == 1
    page.wait_for_function(
        "m => document.querySelector('tt-film').state.moment > m + 1", arg=moment
    )


def test_the_line_to_write_in_stays_closed(figure):
    page = figure()
    fold = page.locator("tt-film .write")
    to(page, text="the dog saw the cat", moment=20, unplaced=True)
    assert "It isn’t sure" in page.locator("tt-film #message").text_content()
    assert not fold.evaluate("fold => fold.open")
    to(page, text="the zebra cried", unplaced=False)
    assert fold.evaluate("fold => fold.open")
    fold.locator("summary").first.click()
    page.get_by_role("button", name="Next block").click()
    assert not fold.evaluate("fold => fold.open")


def test_the_end_of_a_film_without_an_end_is_said(figure):
    page = figure(f'{LINK}{{"moment":1000,"snapshot":"step-0.safetensors.gz"}}')
    said = page.locator("tt-film .said")
    assert "here the film ends: after 40 words." in said.inner_text()


def test_words_of_the_figure_have_cards_of_the_glossary(figure):
    page = figure()
    to(page, moment=6, point=["encoder", 3, 0])
    card = page.locator(".tt-term")
    for block, name in ((6, "Feed-forward network"), (3, "Self-attention")):
        to(page, moment=block)
        page.locator("tt-film .said b a").hover()
        expect(card).to_contain_text(name)
        page.mouse.move(1, 1)
        expect(card).to_be_hidden()
    to(page, moment=14, point=["decoder", 6, 0])
    page.locator("tt-film .panel a", has_text="logit lens").hover()
    expect(card).to_contain_text("as if it were the last")
    page.get_by_role("button", name="Next block").press("Enter")
    expect(card).to_be_hidden()


def test_the_figure_takes_the_room_that_a_laptop_has(figure):
    page = figure(f'{LINK}{{"moment":{ASKED},"point":["decoder",7,0]}}', width=1440)
    assert page.locator("tt-film").bounding_box()["width"] >= 1000
    assert page.locator("article p").first.bounding_box()["width"] <= 704
    table = page.locator("tt-film [role=grid]").bounding_box()
    assert table["y"] + table["height"] <= 900


def test_what_may_become_a_longer_word_has_time(figure):
    """While *hello* is written, *he* is not translated."""
    page = figure()
    line = line_of(page)
    line.fill("he")
    assert page.evaluate(WROTE) == BALL
    page.wait_for_function(f"() => ({WROTE})() !== '{BALL}'")
    line.fill("the ball is blue.")
    assert page.evaluate(WROTE) == BALL


def test_words_after_one_that_a_model_lacks_are_not_forced(figure):
    page = figure()
    to(page, forced=[225, 99_999, 320])
    assert page.evaluate(WROTE) == "el bola es azul"


def test_an_open_choice_stays_while_the_film_goes_on(figure):
    page = figure()
    choice = page.get_by_label("trained for").element_handle()
    page.get_by_role("button", name="Next block").click()
    assert choice.evaluate("choice => choice.isConnected")
    choice.select_option(label="0 steps")
    page.wait_for_function(f"() => ({WROTE})() !== '{BALL}'")
    again = page.get_by_label("trained for")
    assert again.input_value() == "step-0.safetensors.gz"
