"""Files that no tool writes name the same address as `_config.yml`, and real files."""

import re

import check_notebooks
import nbfiles
import pytest

PAGES = ["README.md", "CONTRIBUTING.md", "LICENSE-TEXT.md", "SECURITY.md"]


NAMING = (
    *("README.md", "CITATION.cff", "pyproject.toml"),
    *(".github/pull_request_template.md", ".github/ISSUE_TEMPLATE/config.yml"),
)


@pytest.mark.parametrize("name", NAMING)
def test_the_address_is_that_of_the_config(name):
    url, _ = nbfiles.repository(nbfiles.ROOT)
    owner_and_name = url.removeprefix("https://github.com/")
    text = (nbfiles.ROOT / name).read_text(encoding="utf-8")
    found = re.findall(r"(?:github\.com|/github)/([\w-]+/[\w-]+)", text)
    assert found
    wrong = set(found) - {owner_and_name}
    assert not wrong, f"{name} names {wrong}, but _config.yml says {owner_and_name}"


@pytest.mark.parametrize("name", PAGES)
def test_links_reach_files(name):
    page = nbfiles.ROOT / name
    text = page.read_text(encoding="utf-8")
    assert not list(check_notebooks.broken_links(nbfiles.ROOT, page, text))


def test_the_package_knows_where_the_book_is_published():
    text = (nbfiles.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    config = (nbfiles.ROOT / "_config.yml").read_text(encoding="utf-8")
    (address,) = re.findall(r"baseurl: (\S+)", config)
    assert f'Documentation = "{address}"' in text
