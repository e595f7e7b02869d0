"""Where skips must not pass unseen, only those for a listed reason do."""

import os
import subprocess
import sys

import nbfiles
import pytest
import strict_skips

MARKED = """\
import pytest

@pytest.mark.skipif(True, reason={reason!r})
def test_it():
    pass
"""
INSIDE = """\
import pytest

@pytest.fixture
def place():
    pytest.skip({reason!r})

def test_it(place):
    pass
"""
WHOLE_FILE = "import pytest\npytest.skip({reason!r}, allow_module_level=True)\n"
WAYS = {"by a mark": MARKED, "in a fixture": INSIDE, "a whole file": WHOLE_FILE}
IMPORT = "import pytest\npytest.importorskip('no_such_module')\n"
EXPECTED = "import pytest\n\n@pytest.mark.xfail\ndef test_it():\n    assert False\n"


@pytest.fixture
def run(tmp_path):
    """Runs a file of tests in a pytest of its own; gives status and words."""

    def run(text, strict):
        (tmp_path / "test_it.py").write_text(text)
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "strict_skips", "-rs", "test_it.py"],
            cwd=tmp_path,
            env={
                **os.environ,
                "TT_STRICT": strict,
                "PYTHONPATH": str(nbfiles.ROOT / "tests"),
                "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            },
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stdout

    return run


@pytest.mark.parametrize("way", WAYS)
def test_what_must_be_there_fails_where_it_is_missing(run, way):
    text = WAYS[way].format(reason="needs Chromium: apt install chromium")
    status, said = run(text, "1")
    assert status != 0
    assert "needs Chromium: apt install chromium" in said
    assert "TT_STRICT is set" in said


@pytest.mark.parametrize("way", WAYS)
def test_what_may_be_missing_is_skipped(run, way):
    status, said = run(WAYS[way].format(reason="needs a GPU: none here"), "1")
    assert status in (0, 5)  # 5: no test is left
    assert "1 skipped" in said


@pytest.mark.parametrize("reason", ["rather not", "needs a GPU that is large"])
def test_other_words_are_no_reason(run, reason):
    assert run(MARKED.format(reason=reason), "1")[0] != 0


def test_a_module_that_is_not_installed_fails(run):
    assert run(IMPORT, "1")[0] != 0


def test_an_expected_failure_is_no_skip(run):
    assert run(EXPECTED, "1")[0] == 0


@pytest.mark.parametrize("strict", ["", "0"])
def test_elsewhere_a_skip_says_what_to_install(run, strict):
    reason = "needs Chromium: apt install chromium"
    status, said = run(MARKED.format(reason=reason), strict)
    assert status == 0
    assert reason in said


def test_the_rule_holds_in_this_very_run(pytestconfig):
    assert pytestconfig.pluginmanager.has_plugin("strict_skips")


def test_neither_pages_nor_sandbox_go_untested():
    for name in ("Chromium", "bubblewrap", "a font as wide as Times"):
        assert name not in strict_skips.MAY_BE_MISSING
