"""What the book's extensions make of formulas, style sheets and a page's text."""

import first_paint
import formulas
import page_checks
import pictures
import plain_code
import pytest
import tinycss2
import units
from docutils import nodes
from docutils.utils.math import MathError
from make_math_font import KEPT
from plain_text import plain, plain_formula
from pygments import highlight
from pygments.lexers import PythonLexer

SHEET = """
.used { color: red }
.used, .lost { color: blue }
.lost:not(.used) { color: green }
:is(.lost, p) b { color: grey }
@media print { .lost { display: none } .used { top: 0 } }
html[data-theme="dark"] .used { color: white }
html[data-theme=light] .used, .used i { color: black }
"""


@pytest.mark.parametrize(
    ("tex", "found"),
    [
        (r"\tfrac12", "<mn>1</mn><mn>2</mn></mfrac>"),
        (r"1, \dots, n", "<mi>…</mi>"),
        ("(…, t_k)", "<mi>…</mi>"),
        ("30°", "<msup><mn>30</mn><mo>∘</mo></msup>"),
        (r"2 \ln 2", '</mn><mspace width="0.1667em"></mspace><mi>ln</mi>'),
        (r"\sin(x)", '<mi>sin</mi><mo>\u2061</mo><mo stretchy="false">(</mo>'),
        (r"\hat m", '<mi>m</mi><mo stretchy="false">^</mo></mover>'),
        (r"\lVert u \rVert", '<mo stretchy="false" lspace="0" rspace="0">‖</mo>'),
        ("|s|", '<mo stretchy="false" lspace="0" rspace="0">|</mo>'),
        (r"\min(1, x)", '<mi>min</mi><mo stretchy="false">('),
        (
            r"\underbrace{x}_{\text{a name}}",
            '<mo stretchy="true">⏟</mo></munder><mtext>a name</mtext></munder>',
        ),
    ],
)
def test_what_the_converter_leaves_out_is_put_right(tex, found):
    assert found in formulas.mathml(tex, block=False)


def test_a_formula_that_nobody_can_read_stops_the_build():
    with pytest.raises(MathError, match="nosuchcommand"):
        formulas.mathml(r"\nosuchcommand", block=False)


def test_a_formula_keeps_the_comma_behind_it():
    text = nodes.Text("), as here")
    paragraph = nodes.paragraph("", "", nodes.math("", "x"), text)
    formulas.cling(None, nodes.section("", paragraph), "page")
    assert paragraph[0]["clinging"] == "),"
    assert paragraph[1].astext() == " as here"
    assert plain(paragraph) == "x), as here"


def test_a_number_keeps_its_per_cent():
    after_a_value = nodes.raw("", "</span>", format="html"), nodes.Text(" %, as here")
    code = nodes.literal("", "5 % 3")
    paragraph = nodes.paragraph("", "1 % of 2 or", *after_a_value, code)
    units.keep_together(None, nodes.section("", paragraph), "page")
    assert paragraph.astext() == "1\N{NO-BREAK SPACE}% of 2 or</span>" + (
        "\N{NO-BREAK SPACE}%, as here5 % 3"
    )


def test_the_formulas_font_has_every_sign_that_the_book_uses(book):
    used = {
        sign
        for _, page in page_checks.pages(book)
        for formula in page.find_all("math")
        for sign in formula.get_text()
    }
    kept = {chr(sign) for first, last in KEPT for sign in range(first, last + 1)}
    assert not used - kept


def test_code_that_looks_like_plain_text_is_plain_text():
    found = highlight("x.sum(y)", PythonLexer(), plain_code.Formatter(nowrap=True))
    assert found == 'x<span class="o">.</span>sum(y)\n'


@pytest.mark.parametrize(
    ("start", "size"),
    [
        ('<svg width="30pt" height="60pt" viewBox="0 0 30 60">', (40, 80)),
        ('<svg viewBox="0 0 378 328">', (378, 328)),
    ],
)
def test_a_picture_keeps_its_place_before_it_is_there(tmp_path, start, size):
    (tmp_path / "a.svg").write_text(start)
    width, height = size
    wanted = f' width="{width}" height="{height}"'
    assert pictures.size(tmp_path / "a.svg") == wanted


def test_rules_for_what_no_page_has_do_not_travel():
    rules = first_paint.parse(SHEET)
    found = "".join(first_paint.used(rules, {"used"})).replace(" ", "")
    assert ".lost" not in found.replace(":is(.lost,p)", "")
    assert ".used{color:blue}" in found
    assert ":is(.lost,p)b{color:grey}" in found
    assert "@mediaprint{.used{top:0}}" in found


def test_without_scripts_colours_follow_the_system():
    found = first_paint.no_script(first_paint.parse(SHEET)).replace(" ", "")
    light, dark, _ = found.split("\n")
    assert light == (
        "@media(prefers-color-scheme:light){html[data-theme].used{color:black}}"
    )
    assert dark == (
        "@media(prefers-color-scheme:dark){html[data-theme].used{color:white}}"
    )


def test_no_rule_for_the_theme_s_icon_font_travels(book):
    style = (book / first_paint.STYLE).read_text("utf-8")
    assert "Awesome" not in str(tinycss2.parse_stylesheet(style))


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\sqrt{d_k}", "√d_k"),
        (r"Q K^\top", "Q Kᵀ"),
        (r"q \cdot k \le 2", "q ·k ≤2"),
        (r"d_\text{model}", "d_model"),
    ],
)
def test_formulas_are_found_as_one_would_type_them(tex, text):
    assert " ".join(plain_formula(tex).split()) == text
