"""Where shapes and types are not what is tested, and checking them takes minutes."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def types_unchecked() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("jaxtyping.config.jaxtyping_disable", True)
        yield
