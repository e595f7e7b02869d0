import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import build_book
import pytest
import serve_book
from playwright.sync_api import Browser, sync_playwright

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


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("no Chromium in PATH; install it (Debian: apt install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def book(tmp_path_factory) -> Path:
    """The folder of built pages."""
    return build_book.build_for_tests(tmp_path_factory.getbasetemp())


@pytest.fixture(scope="session")
def address(book) -> Iterator[str]:
    """Where the built book is served during the tests."""
    server = serve_book.server(book)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://{serve_book.HOST}:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()
