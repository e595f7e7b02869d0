from pathlib import Path

import pytest
import torch


def pytest_collection_modifyitems(items) -> None:
    """Whatever is in this folder is marked, and skipped where there is no GPU."""
    reason = "needs a GPU"
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("gpu")
            if not torch.cuda.is_available():
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture
def gpu() -> torch.device:
    return torch.device("cuda")
