"""No test touches the progress of whoever runs it."""

import pytest


@pytest.fixture(autouse=True)
def progress_file(tmp_path, monkeypatch):
    path = tmp_path / "data" / "progress.json"
    monkeypatch.setenv("TT_PROGRESS", str(path))
    return path
