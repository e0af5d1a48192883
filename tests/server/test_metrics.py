"""What a process measures, who can read it, and a log for programs."""

import json
import logging
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from jantaku.cli.serve import begin_log
from jantaku.errors import RequestError
from jantaku.server.edge.metrics import Metrics, metrics_port
from jantaku.server.edge.traces import begin_traces
from jantaku.server.settings import Settings
from server.parlour import Person, free_port, open_server, quick, simplest
from server.sites import of_one_process


def values(port: int) -> dict[str, float]:
    lines = httpx.get(f"http://127.0.0.1:{port}/metrics").text.splitlines()
    pairs = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {name: float(value) for name, _, value in pairs}


@of_one_process
def test_what_happens_at_tables_is_counted(tmp_path: Path) -> None:
    port = free_port()
    with open_server(quick(tmp_path, metrics_port=port)) as url, closing(Person(url, "Mina")) as mina:
        table = mina.table(bots=3, sit=True)["id"]
        line = mina.socket(table)
        mina.post(f"/api/tables/{table}/start")
        asked = line.asked()
        assert asked is not None
        line.act(simplest(asked))
        numbers = values(port)
        assert numbers['jantaku_tables{state="playing"}'] == 1
        assert numbers['jantaku_sockets{of="seat"}'] == 1
        assert numbers["jantaku_actions_total"] > 0
        assert numbers["jantaku_messages_received_total"] > 0
        assert numbers["jantaku_messages_sent_total"] > 0
        assert numbers["jantaku_action_seconds_count"] == 1
        assert numbers["jantaku_commit_seconds_count"] > 0
        said = httpx.get(f"http://127.0.0.1:{port}/metrics").text
        assert not [secret for secret in (table, mina.id, "Mina", str(tmp_path)) if secret in said]
        assert "jantaku_actions" not in httpx.get(f"{url}/metrics").text
        assert mina.get("/api/ready") == {"ok": True, "processes": 1}
        line.close()


def test_a_port_in_use_is_said_in_one_line(tmp_path: Path) -> None:
    settings = Settings(tmp_path, metrics_port=free_port())
    with metrics_port(settings, Metrics()):
        with pytest.raises(RequestError) as refused, metrics_port(settings, Metrics()):
            pass
        assert refused.value.code == "cannot_listen"


def test_a_log_for_programs_has_no_password(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    begin_log(Settings(tmp_path, database_url="postgresql://me:s3cret-word@host/x"), as_json=True)
    try:
        raise ValueError("s3cret-word is wrong")
    except ValueError:
        logging.getLogger("jantaku.server").exception("table %s", "abc")
    said = json.loads(capsys.readouterr().err)
    assert (said["level"], said["message"]) == ("ERROR", "table abc")
    assert "is wrong" in said["error"]
    assert "s3cret" not in str(said)


def test_an_action_is_traced_step_by_step_and_names_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    monkeypatch.setattr("opentelemetry.trace.get_tracer", provider.get_tracer)
    with open_server(quick(tmp_path)) as url, closing(Person(url, "Mina")) as mina:
        table = mina.table(bots=3, sit=True)["id"]
        line = mina.socket(table)
        mina.post(f"/api/tables/{table}/start")
        asked = line.asked()
        assert asked is not None
        line.act(simplest(asked))
        line.close()
        spans = kept.get_finished_spans()
        action = next(span for span in spans if span.name == "action")
        inside = [span for span in spans if span.parent and span.parent.span_id == action.context.span_id]
        assert [span.name for span in inside] == ["store", "play", "tell"]
        said = " ".join(span.to_json() for span in spans)
        assert not [secret for secret in (table, mina.id, "Mina") if secret in said]


def test_without_a_collector_nothing_is_traced(monkeypatch: pytest.MonkeyPatch) -> None:
    set_provider: list[object] = []
    monkeypatch.setattr("opentelemetry.trace.set_tracer_provider", set_provider.append)
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT", raising=False)
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", raising=False)
    begin_traces()
    assert set_provider == []
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    begin_traces()
    assert len(set_provider) == 1
