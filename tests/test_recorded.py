import json

import pytest

from tt_utils import recorded as module
from tt_utils.recorded import origin, recorded

RECORD = {
    "command": "python benchmarks/speed.py",
    "date": "2026-01-31",
    "commit": "abc1234",
    "on": "cpu",
    "device": "Some CPU, 2 cores",
    "versions": {"python": "3.11.7", "torch": "2.13.0"},
    "result": {"rows": [3]},
}


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """The two places where records may lie; only the second one exists."""
    places = tmp_path / "checkout", tmp_path / "installed"
    monkeypatch.setattr(module, "FOLDERS", places)
    for machine, on in (("b-gpu", "cuda"), ("a-cpu", "cpu")):
        file = places[1] / machine / "speed.json"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(RECORD | {"on": on}))
    return places


def test_records_come_in_the_order_of_machines_and_by_kind(folders):
    assert [record["on"] for record in recorded("speed")] == ["cpu", "cuda"]
    assert recorded("speed", on="cuda") == [RECORD | {"on": "cuda"}]


def test_the_checkout_goes_before_the_installed_copy(folders):
    folders[0].mkdir()
    assert recorded("speed") == []


def test_what_was_not_measured_is_an_empty_list(folders):
    assert recorded("memory") == []


def test_without_any_folder_nothing_was_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "FOLDERS", (tmp_path / "no", tmp_path / "none"))
    assert recorded("speed") == []


def test_the_origin_names_all_that_is_needed_to_judge():
    assert origin(RECORD) == (
        "**Some CPU, 2 cores**; 2026-01-31; commit abc1234; python 3.11.7, "
        "torch 2.13.0. The command: `python benchmarks/speed.py`."
    )


def test_the_books_own_records_are_found():
    assert {record["on"] for record in recorded("multi30k_quick")} == {"cpu"}
