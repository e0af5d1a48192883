"""Traces of actions by OpenTelemetry, where its packages are installed and its variables name a collector.

A trace has the times of an action's steps. It names no person, table or address.
"""

import logging
import os
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

try:
    from opentelemetry import trace
except ImportError:  # without the extra "traces"
    trace = None  # type: ignore[assignment]

LOG: Final = logging.getLogger("jantaku.server")
ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


def begin_traces() -> None:
    """Send traces to the collector that OpenTelemetry's own variables name; without one nothing is traced."""
    if not any(map(os.environ.get, ENDPOINTS)):
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    except ImportError:
        LOG.warning("traces are asked for, but their packages are missing: pip install 'jantaku[traces]'")
        return
    name = os.environ.get("OTEL_SERVICE_NAME", "jantaku")
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: name}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)


def traced(name: str) -> AbstractContextManager[Any]:
    """A step of an action, within the step that runs now."""
    return nullcontext() if trace is None else trace.get_tracer("jantaku").start_as_current_span(name)
