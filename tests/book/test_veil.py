"""How far the veil behind *Predict first* reaches, on pages as short as can be."""

import os
import subprocess
import sys
from pathlib import Path

import page_checks
import pytest

EXTENSIONS = Path(__file__).resolve().parents[2] / "book/_ext"
ASKED = """
> **Predict first.** How many?
>
> - two
> - three

<details>
<summary>Answer</summary>

Two.

</details>

"""
VEILED = "So two it is."
OPEN = "This may be read."
ENDED = f"<!-- unveil -->\n\n{OPEN}"
PAGES = {
    "heading": f"{ASKED}{VEILED}\n\n## Next\n\n{OPEN}",
    "smaller_heading": f"{ASKED}{VEILED}\n\n### Next\n\n{OPEN}",
    "comment": f"{ASKED}{VEILED}\n\n{ENDED}",
    "nothing": f"{ASKED}{ENDED}",
    "two": f"{ASKED}{VEILED}\n\n{ASKED.replace('many', 'long')}{VEILED}",
}


@pytest.fixture(scope="module")
def veils(tmp_path_factory):
    """The texts under the veils of each page."""
    source = tmp_path_factory.mktemp("source")
    (source / "none.bib").touch()
    for name, text in PAGES.items():
        (source / f"{name}.md").write_text(f"# A page\n\n## A section\n{text}\n")
    settings = [
        "extensions=myst_nb,sphinxcontrib.bibtex,textbook,folded_answers",
        "bibtex_bibfiles=none.bib",
        "html_theme_options.repository_url=nowhere",
        "root_doc=two",
    ]
    options = [part for setting in settings for part in ("-D", setting)]
    built = source / "built"
    subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-C", *options, source, built],
        env={**os.environ, "PYTHONPATH": str(EXTENSIONS)},
        check=True,
        capture_output=True,
    )
    return {
        name: [
            [paragraph.get_text() for paragraph in veil.find_all("p")]
            for veil in page_checks.page(built / f"{name}.html").select(".tt-veil")
        ]
        for name in PAGES
    }


@pytest.mark.parametrize("name", ["heading", "smaller_heading", "comment"])
def test_it_ends_at_a_heading_or_where_the_author_says_so(veils, name):
    assert veils[name] == [[VEILED]]


def test_there_is_none_where_nothing_follows(veils):
    assert veils["nothing"] == []


def test_it_lies_over_the_next_question_which_has_its_own(veils):
    outer, inner = veils["two"]
    assert inner == [VEILED]
    assert outer[0] == outer[-1] == VEILED
    assert len(outer) > 2
