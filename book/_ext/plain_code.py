"""Code with half the elements: what looks like plain text needs none of its own."""

from pygments.formatters import HtmlFormatter
from pygments.styles import get_style_by_name
from pygments.token import STANDARD_TYPES, Text
from sphinx.application import Sphinx
from sphinx.highlighting import PygmentsBridge

# The theme's, for light and dark.
STYLES = [get_style_by_name(f"a11y-high-contrast-{name}") for name in ("light", "dark")]
PLAIN = {
    kind
    for kind in STANDARD_TYPES
    if all(s.style_for_token(kind) == s.style_for_token(Text) for s in STYLES)
}


class Formatter(HtmlFormatter):
    """Pygments' own, which also puts neighbours of one look into one element."""

    def _get_css_class(self, ttype) -> str:
        return "" if ttype in PLAIN else super()._get_css_class(ttype)


def setup(app: Sphinx) -> dict:
    PygmentsBridge.html_formatter = Formatter
    return {"parallel_read_safe": True, "parallel_write_safe": True}
