"""A tag is released when it names the version that all files name."""

import nbfiles
import pytest
import release


@pytest.fixture
def root(tmp_path):
    (tmp_path / "tt_utils").mkdir()
    (tmp_path / "tt_utils" / "__init__.py").write_text('__version__ = "0.2.0"\n')
    (tmp_path / "CITATION.cff").write_text("version: 0.2.0\n")
    changes = (
        "# Changes\n\n## 0.2.0, May 2027\n\n- New.\n\n## 0.1.0, 2026\n\n- First.\n"
    )
    (tmp_path / "CHANGELOG.md").write_text(changes)
    return tmp_path


def test_what_is_new_in_this_version_is_printed(root, capsys):
    assert release.main(["v0.2.0"], root) == 0
    assert capsys.readouterr().out == "- New.\n"


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("tt_utils/__init__.py", "0.2.0", "0.3.0", "the tag is v0.2.0 and"),
        ("CITATION.cff", "0.2.0", "0.1.0", "CITATION.cff names 0.1.0; write 0.2.0"),
        ("CHANGELOG.md", "0.2.0,", "Not released", "CHANGELOG.md says nothing"),
        ("CHANGELOG.md", "- New.", "", "CHANGELOG.md says nothing"),
    ],
)
def test_what_differs_is_named(root, capsys, file, old, new, words):
    path = root / file
    path.write_text(path.read_text().replace(old, new))
    assert release.main(["v0.2.0"], root) == 1
    assert words in capsys.readouterr().err


def test_the_citation_names_the_version():
    assert release.cited_version(nbfiles.ROOT) == release.version(nbfiles.ROOT)


def test_the_package_takes_its_version_from_its_one_home():
    text = (nbfiles.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'version = { attr = "tt_utils.__version__" }' in text
    assert '\nversion = "' not in text
