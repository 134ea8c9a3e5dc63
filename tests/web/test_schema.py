"""What the app says of itself in its OpenAPI description, tried with requests made from it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

from tests.support import new_home, settings_for
from shutong.web.app import create_app

CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[schemathesis.BaseSchema]:
    home = new_home(tmp_path_factory.mktemp("schema"), sample=True)
    app = create_app(settings_for(home, max_waiting=100))
    with TestClient(app, base_url="http://127.0.0.1"):
        yield schemathesis.openapi.from_asgi("/openapi.json", app)


schema = schemathesis.pytest.from_fixture("api")
