"""What the app says of itself in its OpenAPI description, tried with requests made from it."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from shutong.web.app import create_app
from tests.support import PATIENCE_SECONDS, new_home, settings_for

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[schemathesis.BaseSchema]:
    """The description of an app that is served in a thread of its own."""
    home = new_home(tmp_path_factory.mktemp("schema"), sample=True)
    listener = socket.create_server(("127.0.0.1", 0))
    app = create_app(settings_for(home, max_waiting=100))
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])))
    thread.start()
    end = time.monotonic() + PATIENCE_SECONDS
    while not server.started and time.monotonic() < end:
        time.sleep(0.02)
    yield schemathesis.openapi.from_url(f"http://127.0.0.1:{listener.getsockname()[1]}/openapi.json")
    server.should_exit = True
    thread.join(PATIENCE_SECONDS)


def test_every_answer_is_one_that_the_description_tells(api):
    operations = [result.ok() for result in api.get_all_operations()]
    assert len(operations) >= 12
    for operation in operations:

        @given(case=operation.as_strategy())
        @settings(
            max_examples=25,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def tried(case: schemathesis.Case) -> None:
            case.call_and_validate(checks=CHECKS, timeout=PATIENCE_SECONDS)

        tried()
