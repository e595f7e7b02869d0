"""The results page says what the results say, and what is missing."""

import json

import make_results
import pytest

ROW = {"model": "tt_utils, bf16", "tokens_per_second": 5186.4, "ratio": 3.391}
RECORDED = {
    "command": "python benchmarks/training_speed.py",
    "date": "2026-11-20",
    "commit": "abc1234",
    "device": "a machine",
    "threads": 1,
    "versions": {"python": "3.11.7", "torch": "2.13.0"},
    "result": {"rows": [ROW | {"share_of_matmul_peak": 0.7561}]},
}


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.setattr(make_results, "RESULTS", tmp_path)
    monkeypatch.setattr(make_results, "PAGE", tmp_path / "results.md")
    monkeypatch.setattr(make_results, "PICTURES", tmp_path / "pictures")
    return tmp_path


def run(monkeypatch, *arguments):
    monkeypatch.setattr("sys.argv", ["make_results.py", *arguments])
    return make_results.main()


def test_what_is_missing_has_its_command(results):
    text = make_results.page()
    assert "*Not measured yet.* The command: `python benchmarks/memory.py`." in text
    assert text.count("*Not measured yet.*") == sum(
        len(measured) for _, _, *measured in make_results.SECTIONS
    )


def test_a_result_is_shown_with_its_origin(results):
    (results / "training_speed_small.json").write_text(json.dumps(RECORDED))
    text = make_results.page()
    assert "| tt_utils, bf16 | 5,186 | 3.39 | 76% |" in text
    assert (
        "*a machine; 2026-11-20; commit abc1234; python 3.11.7, torch 2.13.0.*" in text
    )


def test_check_fails_when_page_and_results_differ(results, monkeypatch, capsys):
    assert run(monkeypatch) == 0
    assert run(monkeypatch, "--check") == 0
    (results / "training_speed_small.json").write_text(json.dumps(RECORDED))
    assert run(monkeypatch, "--check") == 1
    assert "results.md differs from benchmarks/results; run make sync" in (
        capsys.readouterr().out
    )
