"""What a reader waits for: colours and fonts, and nothing that isn't used.

- All style sheets travel as one, without the theme's icon font, and without rules for
  classes that occur in no page and no script.
- Fonts are asked for at once, those of formulas only where formulas are; so are the
  figures' script and the model of the first look, where they are used.
- Without scripts the colours follow the system: `no-script.css` is written for that.
"""

import json
import re
from functools import cache
from pathlib import Path
from zlib import crc32

import tinycss2
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

from tt_utils.figures.bundle import MODEL, STATIC

FONTS = (
    "source-serif-4-latin-wght-normal.woff2",
    "source-serif-4-latin-wght-italic.woff2",
)
# What describes the model that a figure fetches first.
DESCRIBED = {
    "tt-digit": "digits.json",
    "tt-film": "model.json",
}
# A figure, and the folder of its model where it isn't the usual one.
PLACED = re.compile(r'<(tt-[a-z-]+)(?=[\s>])(?:[^>]*? model="([a-z]+)")?')
FORMULA_FONT = "stix-two-math.woff2"
# The theme's own, in the order of its layout; every extension's sheets follow.
THEME_STYLES = ("_static/basic.css", "_static/styles/pydata-sphinx-theme.css")
STYLE = "_static/book.css"
NO_SCRIPT = "_static/no-script.css"
ICON = re.compile(r"\s*\.fa[bsr]?(?:-|\b)")
SCHEMES = ("light", "dark")
NESTING = ("media", "supports")
# One selector of a list; commas inside brackets separate no selectors.
SELECTOR = re.compile(r"(?:\((?:[^()]|\([^()]*\))*\)|\[[^]]*\]|[^,(\[])+")
NEGATED = re.compile(r":(?:not|is|where)\((?:[^()]|\([^()]*\))*\)")
CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
WORD = re.compile(r"[\w-]+")
SPACES = re.compile(r"\s+")


def dress_page(app: Sphinx, page: str, template: str, context: dict, tree) -> None:
    """Say which style sheet and which fonts this page asks for at once."""
    context["metatags"] = ""  # docutils' viewport: the theme's layout has its own
    context["book_style"] = f"{STYLE}?v={version(app.builder)}"
    context["no_script_style"] = NO_SCRIPT
    body = context.get("body", "")
    formulas = "<math " in body
    context["page_fonts"] = [*FONTS, *[FORMULA_FONT] * formulas]
    placed = {(tag, folder or MODEL.name) for tag, folder in PLACED.findall(body)}
    context["page_figures"] = sorted({tag for tag, _ in placed})
    context["page_model"] = [
        file for tag, folder in sorted(placed) for file in model_files(tag, folder)
    ]


@cache
def model_files(tag: str, folder: str) -> list[str]:
    """What a figure fetches first."""
    if tag not in DESCRIBED:
        return []
    info = json.loads((STATIC / folder / DESCRIBED[tag]).read_text("utf-8"))
    files = DESCRIBED[tag], info["snapshots"][-1]["file"]
    return [f"{folder}/{file}" for file in files]


@cache
def style_paths(builder: StandaloneHTMLBuilder) -> list[Path]:
    sheets = sorted(builder.css_files, key=lambda sheet: sheet.priority)
    names = [*THEME_STYLES, *(sheet.filename for sheet in sheets)]
    return [Path(builder.outdir, name) for name in dict.fromkeys(names)]


@cache
def version(builder: StandaloneHTMLBuilder) -> str:
    """Another for other sheets; one not yet written has its hash in its name."""
    content = b"".join(
        path.name.encode() + (path.read_bytes() if path.exists() else b"")
        for path in style_paths(builder)
    )
    return f"{crc32(content):08x}"


def write_styles(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    rules = [
        rule
        for path in style_paths(app.builder)
        for rule in parse(path.read_text("utf-8"))
        if not (path.stem == "pydata-sphinx-theme" and for_icons(rule))
    ]
    out = Path(app.outdir)
    files = [*out.rglob("*.html"), *out.glob("_static/**/*.js"), *out.glob("**/*.mjs")]
    words = {word for file in files for word in WORD.findall(file.read_text("utf-8"))}
    (out / STYLE).write_text("".join(used(rules, words)), "utf-8")
    (out / NO_SCRIPT).write_text(no_script(rules), "utf-8")


def parse(style: str) -> list:
    return tinycss2.parse_stylesheet(style, skip_comments=True, skip_whitespace=True)


def for_icons(rule: tinycss2.ast.Node) -> bool:
    """Whether the rule is for the theme's icon font: `icons.css` draws what is used."""
    if rule.type == "qualified-rule":
        return all(ICON.match(name) for name in selectors(rule))
    return rule.lower_at_keyword == "font-face" and "Awesome" in rule.serialize()


def selectors(rule: tinycss2.ast.QualifiedRule) -> list[str]:
    return SELECTOR.findall(tinycss2.serialize(rule.prelude))


def used(rules: list, words: set[str]) -> list[str]:
    """The rules that something can match where only these words are classes."""
    found = []
    for rule in rules:
        if rule.type == "qualified-rule":
            names = [
                name
                for name in selectors(rule)
                if words.issuperset(CLASS.findall(NEGATED.sub("", name)))
            ]
            if names:
                found.append(f"{','.join(names)}{{{squeezed(rule.content)}}}")
        elif rule.type == "at-rule" and rule.lower_at_keyword in NESTING:
            found += nested(rule, used(inside(rule), words))
        elif rule.type == "at-rule":
            found.append(squeezed([rule]))
    return found


def squeezed(content: list) -> str:
    return SPACES.sub(" ", tinycss2.serialize(content)).strip()


def inside(rule: tinycss2.ast.AtRule) -> list:
    return tinycss2.parse_rule_list(rule.content, True, True)


def nested(rule: tinycss2.ast.AtRule, inner: list[str]) -> list[str]:
    head = f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}"
    return [f"{head}{{{''.join(inner)}}}"] if inner else []


def no_script(rules: list) -> str:
    """The rules for light and dark, obeying the system; no button that does nothing."""
    found = [
        f"@media (prefers-color-scheme:{scheme}){{{''.join(of_scheme(rules, scheme))}}}"
        for scheme in SCHEMES
    ]
    return "\n".join([*found, ".pst-js-only{display:none!important}"])


def of_scheme(rules: list, scheme: str) -> list[str]:
    found = []
    mark = re.compile(rf"\[data-theme=[\"']?{scheme}[\"']?\]")
    for rule in rules:
        if rule.type == "qualified-rule":
            names = [name for name in selectors(rule) if mark.search(name)]
            if names:
                selector = mark.sub("[data-theme]", ",".join(names))
                found.append(f"{selector}{{{squeezed(rule.content)}}}")
        elif rule.type == "at-rule" and rule.lower_at_keyword in NESTING:
            found += nested(rule, of_scheme(inside(rule), scheme))
    return found


def setup(app: Sphinx) -> dict:
    app.connect("html-page-context", dress_page, priority=950)
    # After the theme, which writes the colours of code in the end.
    app.connect("build-finished", write_styles, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
