"""The figures' script in a notebook that is not JupyterLab."""

import pytest

from tt_utils.figures.widgets import SCRIPT

PAGE = """
<tt-clocks class="tt-stand-in" id="of-another-cell" data-live></tt-clocks>
<tt-clocks class="tt-stand-in" id="first">a picture</tt-clocks><div id="one"></div>
<tt-clocks class="tt-stand-in" id="second">a picture</tt-clocks><div id="two"></div>
<div id="alone"></div>
"""
RENDER = """async (script) => {
  const place = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const { default: { render } } = await import(place);
  globalThis.kernels = {};
  globalThis.undo = {};
  for (const name of ["one", "two", "alone"]) {
    const traits = { _tag: "tt-clocks", _names: ["p", "s"], p: 7, s: 5 };
    const heard = {};
    const kernel = {
      traits,
      saved: 0,
      get: (key) => traits[key],
      set: (key, value) => { traits[key] = value; },
      save_changes() { kernel.saved += 1; },
      on: (event, call) => { heard[event] = call; },
      off: (event) => { delete heard[event]; },
      change(key, value) { traits[key] = value; heard[`change:${key}`]?.(); },
    };
    kernels[name] = kernel;
    undo[name] = render({ model: kernel, el: document.getElementById(name) });
  }
}"""


@pytest.fixture
def page(chromium):
    page = chromium.new_page()
    page.set_content(PAGE)
    page.evaluate(RENDER, SCRIPT)
    yield page
    page.close()


def test_each_view_brings_its_own_stand_in_to_life(page):
    states = "[...document.querySelectorAll('tt-clocks')].map(f => [f.id, f.state.p])"
    assert page.evaluate(states) == [
        ["of-another-cell", 3],
        ["first", 7],
        ["second", 7],
        ["", 7],
    ]
    assert page.locator("#alone tt-clocks").count() == 1


def test_changes_go_both_ways_and_only_what_has_changed(page):
    page.evaluate("document.getElementById('first').state = { p: 9 }")
    assert page.evaluate("[kernels.one.traits.p, kernels.two.traits.p]") == [9, 7]
    page.evaluate("kernels.one.traits.p = 7")  # a kernel that has not heard it yet
    page.evaluate("kernels.one.change('s', 11)")
    state = page.evaluate("document.getElementById('first').state")
    assert state == {"p": 9, "s": 11}


def test_a_view_that_is_gone_hears_and_tells_nothing(page):
    page.evaluate("undo.one()")
    saved = page.evaluate("kernels.one.saved")
    page.evaluate("document.getElementById('first').state = { p: 9 }")
    page.evaluate("kernels.one.change('s', 11)")
    assert page.evaluate("kernels.one.saved") == saved
    assert page.evaluate("document.getElementById('first').state.s") == 5
