"""The setup cell installs the package where it is missing, and only there."""

import importlib.util

import pytest
import sync
from IPython.core.interactiveshell import InteractiveShell


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """An IPython whose %pip notes what it was asked for instead of installing it."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    shell = InteractiveShell()
    shell.asked = []
    shell.register_magic_function(shell.asked.append, "line", "pip")
    return shell


def test_where_the_package_is_missing_it_is_installed_from_the_repository(
    project, shell, monkeypatch
):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    shell.run_cell(sync.setup_cell(project.root)).raise_error()
    assert shell.asked == ["install -q git+https://example.org/someone/book@main"]


def test_where_the_package_is_installed_nothing_happens(project, shell, capsys):
    shell.run_cell(sync.setup_cell(project.root)).raise_error()
    assert shell.asked == []
    assert capsys.readouterr().out == ""
