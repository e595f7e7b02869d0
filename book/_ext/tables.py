"""Tables: no empty header, and cards instead of columns on narrow screens."""

from bs4 import BeautifulSoup, Tag
from docutils import nodes
from sphinx.application import Sphinx

# Pages whose tables are too wide for a phone; content.css has their rows as cards.
STACKED = {"book/notation"}
ROLES = {
    "table": "table",
    "thead": "rowgroup",
    "tbody": "rowgroup",
    "tr": "row",
    "th": "columnheader",
    "td": "cell",
}


def drop_empty_headers(app: Sphinx, document: nodes.document) -> None:
    for head in list(document.findall(nodes.thead)):
        if not head.astext().strip() and not any(head.findall(nodes.math)):
            head.parent.remove(head)


def stack(table: Tag) -> None:
    """Say in each cell what its column is; roles outlive the change of display."""
    titles = [cell.get_text(" ", strip=True) for cell in table.select("thead tr > *")]
    for tag in table.find_all(list(ROLES)):
        tag["role"] = ROLES[tag.name]
    table["role"] = ROLES["table"]
    table["class"] = [*table.get("class", []), "tt-stacked"]
    for row in table.select("tbody tr"):
        for title, cell in zip(titles, row.find_all("td"), strict=True):
            if cell.get_text(strip=True):
                cell["data-column"] = title


def stack_tables(app: Sphinx, page: str, template: str, context: dict, tree) -> None:
    if page in STACKED:
        soup = BeautifulSoup(context["body"], "html.parser")
        for table in soup.find_all("table"):
            stack(table)
        context["body"] = str(soup)


def setup(app: Sphinx) -> dict:
    app.connect("doctree-read", drop_empty_headers)
    app.connect("html-page-context", stack_tables)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
