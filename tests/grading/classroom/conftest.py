"""Notebooks to hand in, and one run of a small class that many tests look at."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tt_utils.grading.classroom.grader import grade
from tt_utils.grading.classroom.handed_in.submission import Submission
from tt_utils.grading.classroom.records.record import Record
from tt_utils.grading.classroom.sandbox.choose import why_not
from tt_utils.grading.classroom.sandbox.limits import LIMITS
from tt_utils.grading.classroom.settings import Settings

START = "import numpy as np\n\nfrom tt_utils.grading import check, progress"


def as_notebook(*cells: str) -> bytes:
    found = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": source}
        for source in cells
    ]
    notebook = {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": found}
    return json.dumps(notebook).encode()


@pytest.fixture(scope="session")
def notebook() -> Callable[..., bytes]:
    """Makes a notebook of code cells; the first one imports `check`."""
    return lambda *cells: as_notebook(START, *cells)


@pytest.fixture(scope="session")
def settings() -> Settings:
    """Those of a run in bubblewrap, or in the sandbox that TT_SANDBOX names."""
    kind = os.environ.get("TT_SANDBOX", "bwrap")
    if why := why_not(kind, LIMITS):
        if kind == "bwrap":
            pytest.skip(f"needs bubblewrap: {why}; apt install bubblewrap")
        pytest.skip(f"needs {kind}: {why}")
    return Settings(kind, (3, 4))


@pytest.fixture(scope="session")
def grade_cells(settings, notebook) -> Callable[..., Record]:
    def graded(*cells: str) -> Record:
        return grade(Submission("x.ipynb", content=notebook(*cells)), settings)

    return graded


@pytest.fixture
def folder(tmp_path) -> Path:
    place = tmp_path / "handed in"
    place.mkdir()
    return place
