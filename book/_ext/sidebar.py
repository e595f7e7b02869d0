"""The list of pages: the part that one reads is open, the others fold.

The theme draws the list. Its parts are headings there; here they fold and unfold, and
the arrows beside the chapters get a name that screen readers can say.
"""

import re

from sphinx.application import Sphinx

UNNAMED_TOGGLE = re.compile(r">(?P<title>[^<>]+)</a><details(?P<rest>[^>]*)><summary>")
PART = re.compile(
    r'(?P<heading><p\b[^>]*class="caption"[^>]*>.*?</p>)\s*'
    r'(?P<list><ul class="(?P<classes>[^"]*)">.*?</ul>)\s*'
    r'(?=<p\b[^>]*class="caption"|</div>|\Z)',
    re.DOTALL,
)


def named(html: str) -> str:
    name = r'>\g<title></a><details\g<rest>><summary aria-label="Under \g<title>">'
    return UNNAMED_TOGGLE.sub(name, html)


def folded(html: str) -> str:
    """The parts as folds; the first is open where no page of any is shown."""
    parts = list(PART.finditer(html))
    current = next(
        (part for part in parts if "current" in part["classes"].split()), None
    )
    shown = current or (parts[0] if parts else None)

    def fold(part: re.Match) -> str:
        opened = " open" if part.start() == shown.start() else ""
        return (
            f'<details class="tt-part"{opened}><summary>{part["heading"]}</summary>'
            f"{part['list']}</details>"
        )

    return PART.sub(fold, html)


def draw(app: Sphinx, page: str, template: str, context: dict, tree) -> None:
    theme_draws = context.get("generate_toctree_html")
    if theme_draws is None:
        return

    def draw_folded(*args, **options) -> str:
        return folded(named(str(theme_draws(*args, **options))))

    context["generate_toctree_html"] = draw_folded


def setup(app: Sphinx) -> dict:
    # After the theme, which puts the function there.
    app.connect("html-page-context", draw, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
