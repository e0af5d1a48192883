"""The description of the HTTP interface, and random requests made from it."""

from pathlib import Path
from typing import Any

import pytest

from jantaku.kernels._jit import COMPILED
from server.parlour import Person


def test_openapi_lists_every_path(person: Person) -> None:
    paths = person.get("/api/openapi.json")["paths"]
    docs = Path(__file__).parents[2] / "docs"
    said = "".join((docs / name).read_text("utf-8") for name in ("protocol.md", "events.md"))
    assert len(paths) > 30
    for path in paths:
        stem = path.split("{")[0].rstrip("/")
        assert stem in said, path


@pytest.mark.slow
def test_schemathesis_finds_nothing(url: str) -> None:
    """Requests that the schema allows, and many that it does not: a clear answer, never an error 500."""
    fuzz_api(url, examples=3 if COMPILED else 1)


@pytest.mark.long
def test_schemathesis_finds_nothing_for_long(url: str) -> None:
    fuzz_api(url, examples=60)


def fuzz_api(url: str, examples: int) -> None:
    """Send generated requests to every operation, as somebody who is signed in."""
    import schemathesis
    from hypothesis import HealthCheck, Phase, given, settings
    from schemathesis import checks
    from schemathesis.core.result import Ok
    from schemathesis.specs.openapi.checks import response_schema_conformance

    person = Person(url, "Fuzz")
    cookie = "; ".join(f"{name}={value}" for name, value in person.http.cookies.items())
    schema = schemathesis.openapi.from_url(f"{url}/api/openapi.json")
    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()
        if operation.path in ("/api/logout", "/api/enter", "/api/login", "/api/register"):
            continue

        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
        )
        @given(case=operation.as_strategy())
        def one(case: Any) -> None:
            answer = case.call(headers={"Cookie": cookie})
            assert answer.status_code < 500, answer.text
            if answer.status_code >= 400 and answer.headers["content-type"] == ["application/json"]:
                assert answer.json()["error"]["message"]
            case.validate_response(answer, checks=[checks.not_a_server_error, response_schema_conformance])

        one()
