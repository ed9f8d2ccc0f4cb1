"""The OpenAPI document holds: whatever is made of it is answered as it says, and never by a failure.

Half of what is asked keeps to the document, the other half breaks it somewhere.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

pytest.importorskip("schemathesis", reason="schemathesis is not installed")

import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode, checks

from tests.web.running import PATIENCE, Running

CALLS = [
    ("/api/analyze", "POST"),
    ("/api/analyze/stream", "POST"),
    ("/api/solve", "POST"),
    ("/api/review", "POST"),
    ("/api/position", "POST"),
    ("/api/stop", "POST"),
    ("/api/agents", "GET"),
    ("/api/health", "GET"),
    ("/api/version", "GET"),
    ("/api/settings", "GET"),
    ("/api/runs", "GET"),
    ("/api/runs/{run}", "GET"),
    ("/api/runs/{run}/games", "GET"),
    ("/api/games/{game}", "GET"),
]
CASES = int(os.environ.get("FOURCAST_CASES", "30"))  # of each call that takes something
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)

HELD = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
]


@pytest.mark.parametrize(("path", "method"), CALLS)
def test_every_call_answers_as_the_document_says(tight_server: Running, path: str, method: str) -> None:
    document = schemathesis.openapi.from_url(f"{tight_server.address}/api/openapi.json")
    call = document[path][method]
    takes = bool(call.body or call.path_parameters or call.query)
    asked = 0

    @settings(max_examples=CASES // 2, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def hold(data: st.DataObject) -> None:
        nonlocal asked
        case: schemathesis.Case[Any] = data.draw(strategy)
        case.call_and_validate(checks=HELD, timeout=PATIENCE)
        asked += 1

    for mode in MODES if takes else MODES[:1]:
        strategy = call.as_strategy(generation_mode=mode)
        hold()
    print(f"{method} {path}: {asked} cases")


def test_no_call_is_left_out(tight_server: Running) -> None:
    document = tight_server.get("/api/openapi.json").json()
    described = {(path, method.upper()) for path, methods in document["paths"].items() for method in methods}
    assert described == set(CALLS)
