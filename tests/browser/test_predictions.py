"""Predict first: what came out is folded until a reader has chosen, or asks for it."""

import pytest

PAGE = "notebooks/05_scaled_dot_product.html"
FIRST = ".tt-predict[data-prediction] >> nth=0"
CHOICE = "16 times"


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
        f'details[data-prediction="{box.get_attribute("data-prediction")}"]'
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


def test_show_me_opens_everything_without_a_choice(page):
    box = page.locator(FIRST)
    box.get_by_role("button", name="Show me").click()
    opened = page.locator("details.tt-answer[open]").count()
    assert opened == answers(page, box).count()
    assert not page.locator(".tt-said").first.is_visible()


def test_a_link_into_a_folded_answer_opens_it(page):
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
