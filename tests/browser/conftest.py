from collections.abc import Iterator

import browser
import lab_server
import pytest
from playwright.sync_api import Browser, sync_playwright


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if browser.path() is None:
        pytest.skip(f"needs Chromium: {browser.MISSING}")
    with sync_playwright() as playwright:
        chromium = browser.launch(playwright)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def address(book) -> Iterator[str]:
    """Where the built book is served during the tests."""
    with browser.serving(book) as found:
        yield found


@pytest.fixture(scope="session")
def lab(tmp_path_factory) -> Iterator[lab_server.Lab]:
    with lab_server.running(tmp_path_factory.mktemp("lab")) as found:
        yield found
