"""Pictures on dark pages, pictures at full size, and room for those still to come.

No picture gets so small that its letters can't be read: a phone scrolls it sideways.

A picture is drawn with the grey ink of tt_utils/tt.mplstyle. For dark pages a twin of
its file has lighter ink; the colours that stand for data stay exactly as they are.
"""

import html
import math
import re
from pathlib import Path

from sphinx.application import Sphinx

# Ink of a picture, and what it becomes on a dark page.
DARK = {"#737373": "#b4bbc4", "#68727c": "#b4bbc4"}
INK = re.compile("|".join(DARK), re.IGNORECASE)
TWIN = "-dark.svg"
PICTURE = re.compile(
    r'<img (?P<rest>[^>]*?)src="(?P<path>[^"]*)\.svg"(?P<end>[^>]*?)/?>'
)
CLASSES = re.compile(r'class="([^"]*)" ?')
SIZE = re.compile(r'<svg\b[^>]*?\bwidth="([\d.]+)(pt|px)?"[^>]*?\bheight="([\d.]+)')
VIEW = re.compile(r'<svg\b[^>]*?\bviewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"')
PIXELS = {"pt": 4 / 3, "px": 1, None: 1}
# A text that Matplotlib has drawn as shapes: a hundredth of its size in points.
LETTERS = re.compile(r"\bscale\(([\d.]+) -\1\)")
READABLE = 9  # pixels, the size of the smallest letters
SCRIPT = "pictures.mjs"


def size(file: Path) -> str:
    """The attributes that keep a picture's place while it loads."""
    drawn = file.read_text(encoding="utf-8")[:2000]
    if found := SIZE.search(drawn):
        width, height = (round(float(found[i]) * PIXELS[found[2]]) for i in (1, 3))
    else:
        width, height = VIEW.search(drawn).groups()
    return f' width="{width}" height="{height}"'


def readable_width(file: Path) -> int | None:
    """The least width in pixels at which all letters can be read; None without any."""
    drawn = file.read_text(encoding="utf-8")
    scales = [float(scale) for scale in LETTERS.findall(drawn)]
    if not scales:
        return None
    return math.ceil(float(SIZE.search(drawn)[1]) * READABLE / (100 * min(scales)))


def add_twins(app: Sphinx, page: str, template: str, context: dict, tree) -> None:
    """Each SVG of a page is there twice: one is shown, and the other not loaded."""
    files = {name: path for path, name in app.builder.images.items()}

    def twice(match: re.Match) -> str:
        name = html.unescape(match["path"]).rpartition("/")[2] + ".svg"
        if name not in files:
            return match[0]
        rest = CLASSES.sub("", match["rest"] + match["end"].strip()).strip()
        given = CLASSES.search(match[0])
        dressed = f"{given[1]} " if given else ""
        file = Path(app.srcdir, files[name])
        rest += size(file) + ' loading="lazy" decoding="async"'
        both = "".join(
            f'<img class="{dressed}{scheme}" src="{match["path"]}{ending}" {rest}>'
            for scheme, ending in (("tt-on-light", ".svg"), ("tt-on-dark", TWIN))
        )
        if least := readable_width(file):
            return f'<span class="tt-picture" style="--least: {least}px">{both}</span>'
        return both

    if "body" in context:
        context["body"] = PICTURE.sub(twice, context["body"])
        if "<figure" in context["body"]:
            app.add_js_file(SCRIPT, type="module")


def write_twins(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        for file in Path(app.outdir, app.builder.imagedir).glob("*.svg"):
            if not file.name.endswith(TWIN):
                drawn = file.read_text(encoding="utf-8")
                twin = INK.sub(lambda ink: DARK[ink[0].lower()], drawn)
                file.with_name(file.stem + TWIN).write_text(twin, encoding="utf-8")


def setup(app: Sphinx) -> dict:
    app.connect("html-page-context", add_twins)
    app.connect("build-finished", write_twins)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
