from pathlib import Path

import build_book
import pytest


@pytest.fixture(scope="session")
def book(tmp_path_factory) -> Path:
    """The folder of built pages."""
    return build_book.build_for_tests(tmp_path_factory.getbasetemp())
