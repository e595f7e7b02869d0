"""Pictures keep their place while they load, and load when they are nearly in sight."""

import re
from pathlib import Path

from PIL import Image
from sphinx.application import Sphinx

IMAGE = re.compile(r"<img (?P<before>[^>]*?)src=\"(?P<source>[^\"]+)\"(?P<rest>[^>]*)>")
ROOT = re.compile(r"<svg\b[^>]*>", re.S)
LENGTH = re.compile(r"\b(width|height)=\"([\d.]+)(pt|px)?\"")
PIXELS = {"pt": 4 / 3, "px": 1, "": 1}


def keep_places(app: Sphinx, page: str, template: str, context: dict, tree) -> None:
    """Give every picture of the page its size, and all but the first time."""
    files = {name: Path(app.srcdir, path) for path, name in app.builder.images.items()}
    seen = []

    def sized(match: re.Match) -> str:
        attributes = match["before"] + match["rest"]
        path = files.get(Path(match["source"]).name)
        found = [] if "width=" in attributes or not path else size(path)
        extra = [f'{key}="{round(value)}"' for key, value in found]
        extra += ['loading="lazy"', 'decoding="async"'] if seen else []
        seen.append(path)
        return match[0].replace("<img ", " ".join(["<img", *extra, ""]), 1)

    if "body" in context:
        context["body"] = IMAGE.sub(sized, context["body"])


def size(path: Path) -> list[tuple[str, float]]:
    """Width and height in pixels, or nothing where the file does not say."""
    if path.suffix != ".svg":
        with Image.open(path) as image:
            return list(zip(("width", "height"), image.size, strict=True))
    root = ROOT.search(path.read_text("utf-8"))
    found = LENGTH.findall(root[0]) if root else []
    return [(key, float(value) * PIXELS[unit]) for key, value, unit in found]


def setup(app: Sphinx) -> dict:
    app.connect("html-page-context", keep_places)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
