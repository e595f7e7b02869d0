"""Links beside each page: its source, a way to report a mistake, the version; Colab.

A menu of one, the theme's for Colab, becomes that one.
"""

from pathlib import Path
from urllib.parse import urlencode

from sphinx.application import Sphinx

import tt_utils


def link_foot(app: Sphinx, page: str, template: str, context: dict, tree) -> None:
    options = app.config.html_theme_options
    repository, branch = options["repository_url"], options["repository_branch"]
    context["book_version"] = tt_utils.__version__
    context["repository"] = repository
    title = context.get("title", page)
    where = {"title": f"{title}: ", "body": f"{app.config.html_baseurl}{page}.html\n\n"}
    context["report"] = f"{repository}/issues/new?{urlencode(where)}"
    if page in app.env.found_docs:
        source = Path(app.env.doc2path(page)).relative_to(app.srcdir).as_posix()
        # Exercises are made from their solutions.
        source = source.replace("exercises/", "solutions/", 1)
        context["edit"] = f"{repository}/edit/{branch}/{source}"


def flatten_menus(app: Sphinx, page: str, template: str, context: dict, tree) -> None:
    for place, menu in enumerate(context.get("header_buttons", ())):
        if len(menu.get("buttons", ())) == 1:
            only = menu["buttons"][0]
            context["header_buttons"][place] = only | {"icon": menu["icon"]}


def setup(app: Sphinx) -> dict:
    app.connect("html-page-context", link_foot)
    # After the theme, which lists them.
    app.connect("html-page-context", flatten_menus, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
