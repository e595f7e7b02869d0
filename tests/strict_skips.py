"""With TT_STRICT=1, as in CI, a test may be skipped for few reasons; else it fails.

A reason reads "needs x" or "needs x: the way out". Chromium, bubblewrap and fonts are
not in the list: a green run without them would have tried neither pages nor sandbox.
"""

import os
import re

import pytest

MAY_BE_MISSING = {
    "a GPU",
    "Multi30k",
    "docker",  # these two only where TT_SANDBOX asks for them
    "podman",
    "node",
    "root",
    "the system's Python",
    "x86",
    "Linux",
    "Linux or macOS",
}
REASON = re.compile(r"(?:Skipped: )?needs ([^:]+)")


def is_strict() -> bool:
    return os.environ.get("TT_STRICT", "") not in ("", "0")


def unless_allowed(report) -> None:
    """Lets a skip fail. An expected failure is no skip, though pytest calls it one."""
    if not (is_strict() and report.skipped) or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2]
    if (found := REASON.match(reason)) and found[1] in MAY_BE_MISSING:
        return
    report.outcome = "failed"
    report.longrepr = (
        f"{reason}\nTT_STRICT is set, and tests/strict_skips.py does not list this as"
        " what may be missing: install it, or say in the reason what is needed."
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    report = yield
    unless_allowed(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    report = yield
    unless_allowed(report)
    return report
