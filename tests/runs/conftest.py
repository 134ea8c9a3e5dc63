from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import new_home


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return new_home(tmp_path)
