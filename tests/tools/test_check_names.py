"""Two files of one name are named before a run of the tests breaks on them."""

import check_names
import pytest


@pytest.fixture
def root(tmp_path):
    files = ("tests/test_a.py", "tests/conftest.py", "tests/book/conftest.py")
    for name in (*files, "tests/book/test_b.py", "tools/sync.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path


def test_different_names_pass(root, capsys):
    assert check_names.main([], root) == 0
    assert capsys.readouterr().out == "check_names: no name stands twice\n"


@pytest.mark.parametrize(
    ("first", "second"),
    [("tests/test_a.py", "tests/book/test_a.py"), ("tests/sync.py", "tools/sync.py")],
)
def test_a_name_that_stands_twice_is_named(root, capsys, first, second):
    for name in (first, second):
        (root / name).touch()
    assert check_names.main([], root) == 1
    said = capsys.readouterr().out
    assert first in said
    assert second in said
    assert "rename one of them" in said


def test_modules_of_packages_may_share_a_name(root):
    for name in ("tests/one/__init__.py", "tests/one/test_a.py"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).touch()
    assert check_names.main([], root) == 0
