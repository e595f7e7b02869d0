"""Predict first: what came out is folded until a reader has chosen, or asks for it."""

import pytest

PAGE = "notebooks/05_scaled_dot_product.html"
WITH_FIGURE = "notebooks/20_an_image_as_a_sentence.html"  # in an answer
WITH_BUTTONS = "notebooks/12_decoder.html"  # among what is veiled
FIRST = ".tt-predict[data-prediction] >> nth=0"
CHOICE = "16 times"
UNASKED = "Show without predicting"
# What each of these pages tells right below a prediction.
TOLD = {
    "00_tour": ["may get others wrong", "can defeat it", "of 3,509 Spanish words"],
    "05_scaled_dot_product": ["Each coin adds exactly 1", "leans on one item"],
    "07_many_heads": ["so the network has 10,000 pairs to take apart"],
    "12_decoder": ["Cutting head 3 of layer 2 changes"],
    "17_decoding": ["Greedy missed the likeliest", "16 beams write fewer words"],
    "21_bug_museum": [
        "each position sees its own answer",
        "Apart from dropout, both modes",
        "No test sees all six",
    ],
    "22_since_2017": [
        "a kernel that only the older form has",
        "where distances are new",
    ],
}
WINDOWS = [(375, 812), (1440, 900)]


@pytest.fixture
def reader(chromium):
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    yield context
    context.close()


@pytest.fixture
def page(reader, address):
    page = reader.new_page()
    page.goto(f"{address}/{PAGE}")
    page.locator(f"{FIRST} >> button").first.wait_for()
    return page


def answers(page, box):
    return page.locator(
        f'.tt-answer[data-prediction="{box.get_attribute("data-prediction")}"]'
    )


def test_the_answer_opens_with_a_choice_stands_beside_it_and_is_remembered(page):
    for _ in range(2):  # and after a reload
        box = page.locator(FIRST)
        answer = answers(page, box).last
        choice = box.get_by_role("button", name=CHOICE)
        if choice.is_enabled():
            assert not answer.locator("pre").is_visible()
            choice.click()
        assert choice.get_attribute("aria-pressed") == "true"
        assert answer.get_by_text(f"You predicted: {CHOICE}").is_visible()
        assert answer.locator("pre", has_text="standard deviation").is_visible()
        assert (
            page.locator("details.tt-answer[open]").count()
            == answers(page, box).count()
        )
        page.reload()
        page.locator(f"{FIRST} >> button").first.wait_for()


def test_predicting_again_folds_the_answer(page):
    box = page.locator(FIRST)
    box.get_by_role("button", name=CHOICE).click()
    box.get_by_role("button", name="Predict again").click()
    assert page.locator("details.tt-answer[open]").count() == 0
    page.reload()
    page.locator(f"{FIRST} >> button").first.wait_for()
    assert page.locator("details.tt-answer[open]").count() == 0


def test_it_goes_by_keyboard_and_says_so(page):
    box = page.locator(FIRST)
    box.get_by_role("button", name=CHOICE).focus()
    page.keyboard.press("Enter")
    status = page.locator(".tt-box [role=status]").first
    assert "stand below" in status.inner_text()
    assert page.evaluate("document.activeElement.textContent") == "Predict again"


def test_everything_opens_without_a_choice_too(page):
    box = page.locator(FIRST)
    box.get_by_role("button", name=UNASKED).click()
    opened = page.locator("details.tt-answer[open]").count()
    assert opened == answers(page, box).count()
    assert not page.locator(".tt-said").first.is_visible()


def test_a_link_into_a_folded_answer_opens_it(page, address):
    page.goto(f"{address}/{WITH_FIGURE}")
    figure = page.locator("details.tt-answer figure[id]").first.get_attribute("id")
    page.goto(page.url.split("#")[0] + f"#{figure}")
    page.locator(f"details.tt-answer[open] figure#{figure}").wait_for()


def test_a_number_is_typed(page):
    """One of the choices becomes a blank: no page must always have one."""
    page.route(
        f"**/{PAGE}",
        lambda route: route.fulfill(
            body=page.request.get(route.request.url)
            .text()
            .replace("16 times</p>", "____ times</p>", 1)
        ),
    )
    page.reload()
    box = page.locator(FIRST)
    box.get_by_label("Your prediction").get_by_role("textbox").fill("20")
    page.keyboard.press("Enter")
    assert answers(page, box).last.get_by_text("You predicted: 20 times").is_visible()


def test_without_scripts_the_choices_are_a_list_and_answers_open(chromium, address):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/{PAGE}")
    box = page.locator(FIRST)
    assert box.locator("li").count() == 3
    answer = answers(page, box).last
    answer.locator("summary").click()
    assert answer.locator("pre").is_visible()
    context.close()


def of_first(page, name):
    """What belongs to the first prediction of the page."""
    box = page.locator(FIRST)
    return page.locator(
        f'{name}[data-prediction="{box.get_attribute("data-prediction")}"]'
    )


@pytest.mark.parametrize("width", WINDOWS)
@pytest.mark.parametrize("name", TOLD)
def test_nothing_below_a_prediction_tells_what_came_out(reader, address, name, width):
    page = reader.new_page()
    page.set_viewport_size(dict(zip(("width", "height"), width, strict=True)))
    page.goto(f"{address}/notebooks/{name}.html")
    page.locator(f"{FIRST} >> button").first.wait_for()
    boxes = page.locator(".tt-predict[data-prediction]")
    for text in TOLD[name]:
        assert not page.get_by_text(text).first.is_visible()
    for box in boxes.all():  # an opened section may hold the next question
        box.get_by_role("button").first.click()
    for text in TOLD[name]:
        assert page.get_by_text(text).first.is_visible()


def test_a_veil_ends_at_the_next_heading_and_opens_with_a_choice(page):
    veil = of_first(page, ".tt-veil")
    inside = veil.get_by_text("Why the root?")
    assert not inside.is_visible()
    assert page.get_by_text("Each query above has eight random keys").is_visible()
    for _ in range(2):  # and after a reload
        choice = page.locator(FIRST).get_by_role("button", name=CHOICE)
        if choice.is_enabled():
            choice.click()
        inside.wait_for()
        assert page.locator(".tt-veil[open]").count() == 1
        page.reload()
        page.locator(f"{FIRST} >> button").first.wait_for()
    page.locator(FIRST).get_by_role("button", name="Predict again").click()
    assert not inside.is_visible()


def test_what_is_veiled_is_reached_by_its_button_alone(page, address):
    page.goto(f"{address}/{WITH_BUTTONS}")
    page.locator(f"{FIRST} >> button").first.wait_for()
    veil = of_first(page, ".tt-veil")
    summary = veil.locator("summary").first
    summary.focus()
    page.keyboard.press("Tab")
    assert veil.evaluate("veil => !veil.contains(document.activeElement)")
    assert veil.aria_snapshot().count("\n") <= 1
    summary.focus()
    page.keyboard.press("Enter")
    veil.get_by_text("check the sums").first.wait_for()
    assert veil.evaluate("veil => veil.contains(document.activeElement)")
    page.keyboard.press("Tab")
    assert veil.evaluate("veil => veil.contains(document.activeElement)")
    assert page.locator(".tt-answer:not([open])").count()
    assert answers(page, page.locator(FIRST)).last.locator("pre").is_visible()


def test_who_only_reads_says_so_once(page, reader, address):
    of_first(page, ".tt-veil").get_by_text(UNASKED).click()
    page.locator(FIRST).get_by_label("Always show everything").check()
    assert page.locator(".tt-veil:not([open]), .tt-answer:not([open])").count() == 0
    other = reader.new_page()
    other.goto(f"{address}/notebooks/12_decoder.html")
    other.locator(f"{FIRST} >> button").first.wait_for()
    assert other.locator(".tt-veil:not([open]), .tt-answer:not([open])").count() == 0
    always = other.locator(FIRST).get_by_label("Always show everything")
    always.uncheck()
    assert other.locator(".tt-veil[open], .tt-answer[open]").count() == 0


def test_a_link_into_a_veiled_part_opens_it(page):
    figure = page.locator(".tt-veil figure[id]").first.get_attribute("id")
    page.evaluate("figure => { location.hash = figure; }", figure)
    target = page.locator(f".tt-veil[open] figure#{figure}")
    target.wait_for()
    page.wait_for_function(
        "figure => Math.abs(document.getElementById(figure)"
        ".getBoundingClientRect().top) < innerHeight",
        arg=figure,
    )


def test_without_scripts_nothing_is_veiled(chromium, address):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/{PAGE}")
    assert page.get_by_text("Why the root?").is_visible()
    assert page.get_by_text(UNASKED).locator("visible=true").count() == 0
    context.close()


def test_paper_has_the_choices_and_what_was_veiled(page):
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    box = page.locator(FIRST)
    assert box.locator("li:visible").count() == 3
    assert page.get_by_text("Why the root?").is_visible()
    assert page.get_by_text(UNASKED).locator("visible=true").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    assert box.locator("li:visible").count() == 0
    assert not page.get_by_text("Why the root?").is_visible()
