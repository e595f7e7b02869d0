from collections.abc import Iterator
from pathlib import Path

import browser
import build_book
import pytest
import serve_book
from playwright.sync_api import Browser, sync_playwright


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if browser.path() is None:
        pytest.skip(browser.MISSING)
    with sync_playwright() as playwright:
        chromium = browser.launch(playwright)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def book(tmp_path_factory) -> Path:
    """The folder of built pages."""
    return build_book.build_for_tests(tmp_path_factory.getbasetemp())


@pytest.fixture(scope="session")
def address(book) -> Iterator[str]:
    """Where the built book is served during the tests."""
    with serve_book.serving(book) as found:
        yield found
