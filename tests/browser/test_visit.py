"""A visit complains about the page that would disturb a reader, and only then."""

import browser
import pytest
from visit import findings

PAGE = """<!DOCTYPE html>
<html lang="en" data-theme="light"><head><title>A page</title>
<link rel="icon" href="data:,">
<style>body { color: #222; background: #fff; } .pale { color: #aaa; }</style></head>
<body><main class="bd-article-container"><h1>A page</h1>
<p>One <span>two</span> <span>three</span> <span>four</span></p>
<div><p>five <span>six</span></p></div></main></body></html>"""
BROKEN = {
    "console": ("</body>", "<script>console.error('no')</script></body>"),
    "script error": ("</body>", "<script>undefined.x</script></body>"),
    "which is not there": ("</body>", '<img src="lost.png" alt="Lost."></body>'),
    "asks another host": ("</body>", '<img src="//127.0.0.2/a.png" alt="A."></body>'),
    "theme": ('data-theme="light"', 'data-theme="dark"'),
    "formula not drawn": ("five", '<span class="math">x</span>'),
    "too wide": ("<div>", '<div style="width: 3000px">'),
    "image-alt": ("</main>", '<img src="data:,"></main>'),
}
# Texts that look like others elsewhere, but not where they stand.
PALE = {
    "one word": ("<span>three</span>", '<span class="pale">three</span>'),
    "a word in another box": ("<span>six</span>", '<span class="pale">six</span>'),
    "a background": ("<div>", '<div style="background: #333">'),
    "a faded box": ("<div>", '<div style="opacity: 0.4">'),
    "what lies over it": (
        "<span>six</span>",
        '<b style="position: absolute; background: #333">six</b>',
    ),
}


@pytest.fixture
def found(chromium, tmp_path):
    def visit(page):
        (tmp_path / "page.html").write_text(page, encoding="utf-8")
        context = chromium.new_context()
        with browser.serving(tmp_path) as address:
            lines = findings(context, address, "page", "light")
        context.close()
        return lines

    return visit


def test_a_good_page_disturbs_nobody(found):
    assert found(PAGE) == []


@pytest.mark.parametrize("complaint", BROKEN)
def test_what_disturbs_a_reader_is_found(found, complaint):
    old, new = BROKEN[complaint]
    assert PAGE.count(old) == 1
    assert any(complaint in line for line in found(PAGE.replace(old, new)))


@pytest.mark.parametrize("where", PALE)
def test_pale_text_is_found(found, where):
    old, new = PALE[where]
    assert PAGE.count(old) == 1
    [line] = found(PAGE.replace(old, new))
    assert line.startswith("accessibility: color-contrast")
