"""Starts the Chromium that is on this computer."""

import shutil

from playwright.sync_api import Browser, Playwright

MISSING = "no Chromium in PATH; install it (Debian: apt install chromium)"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Whatever is not on this computer is not found, so nothing waits for it.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


def path() -> str | None:
    """Where Chromium is, if it is anywhere."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def launch(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(executable_path=path(), args=FLAGS)
