"""What all tests share: the environment in which outputs were stored.

Set before any test imports torch, and inherited by every kernel that nbval starts.
Shapes in signatures are checked by jaxtyping's pytest option, in pyproject.toml.
"""

import os
from pathlib import Path

import nbfiles
import pytest

nbfiles.fix_environment()

DATA = Path(os.environ.get("TT_DATA", "no folder"))


@pytest.fixture
def real_multi30k(monkeypatch) -> Path:
    """The captions themselves, for who has them: no test fetches them."""
    if not (DATA / "multi30k").is_dir():
        pytest.skip("Multi30k is not here; set TT_DATA")
    monkeypatch.setenv("TT_DATA", str(DATA))
    return DATA / "multi30k"
