"""Captions and numbers of figures: 5.3 is the third of chapter 05, 5b.3 that of 05b.

A cell's metadata holds `caption`, a text or one for each picture, and may hold `label`,
the anchor that `[figure 5.3](#label)` leads to; tools/figure_rules.py checks both.
"""

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

CHAPTER = re.compile(r"notebooks/0?(\d+[a-z]?)_")


def picture_bundles(cell: nodes.container) -> Iterator[nodes.container]:
    """Outputs that are a picture, each with all its formats."""
    for bundle in list(cell.findall(nodes.container)):
        if bundle.get("nb_element") == "mime_bundle" and any(
            child.get("mime_type") == "image/svg+xml" for child in bundle.children
        ):
            yield bundle


class CaptionPictures(SphinxTransform):
    """Put each picture with its caption into a figure, before texts are translated."""

    default_priority = 10

    def apply(self) -> None:
        for cell in list(self.document.findall(nodes.container)):
            metadata = cell.get("cell_metadata", {})
            given, label = metadata.get("caption", []), metadata.get("label")
            texts = [given] if isinstance(given, str) else given
            for text, bundle in zip(texts, picture_bundles(cell), strict=False):
                caption = nodes.caption(text, text)
                caption.source, caption.line = bundle.source, bundle.line
                figure = nodes.figure("", align="center", label=label)
                bundle.replace_self(figure)
                figure += [bundle, caption]
                label = None


def number_figures(app: Sphinx, document: nodes.document) -> None:
    chapter = CHAPTER.match(app.env.docname)
    before = f"{chapter[1]}." if chapter else ""
    slugs = app.env.metadata[app.env.docname].setdefault("myst_slugs", {})
    found = [node for node in document.findall(nodes.figure) if "label" in node]
    for count, figure in enumerate(found, start=1):
        name = f"Figure {before}{count}"
        anchor = figure["label"] or nodes.make_id(name)
        figure["ids"] = [anchor]
        slugs[anchor] = (0, anchor, name)
        [caption] = figure.findall(nodes.caption)
        caption.insert(0, nodes.inline(name, name, classes=["tt-figure-number"]))
        caption.insert(1, nodes.Text(" "))


def setup(app: Sphinx) -> dict:
    app.add_transform(CaptionPictures)
    app.connect("doctree-read", number_figures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
