from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Shutong
from tests.support import new_home


@pytest.fixture(scope="module")
def shutong(tmp_path_factory: pytest.TempPathFactory) -> Shutong:
    """The command on the sample; the tests of a module share its home."""
    return Shutong(new_home(tmp_path_factory.mktemp("cli"), sample=True))


@pytest.fixture
def empty(tmp_path: Path) -> Shutong:
    """The command on an empty catalogue that stays empty."""
    return Shutong(new_home(tmp_path), SHUTONG_SAMPLE="0")


@pytest.fixture
def shutong_copy(tmp_path: Path) -> Shutong:
    """The command on a sample of its own."""
    return Shutong(new_home(tmp_path, sample=True))
