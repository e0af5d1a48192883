"""Metrics of a process for Prometheus, and traces for OpenTelemetry."""

import asyncio
import logging
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from statistics import median
from typing import Any, Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    start_http_server,
)

from jantaku import __version__
from jantaku.errors import RequestError, cause
from jantaku.server.settings import Settings
from jantaku.server.tasks import Background

WINDOW: Final = 40  # number of durations


class RecentDurations:
    """Durations of the most recent operations."""

    def __init__(self, size: int = WINDOW) -> None:
        self._seconds = deque[float](maxlen=size)

    def add(self, seconds: float) -> None:
        """Add a duration in seconds."""
        self._seconds.append(seconds)

    @property
    def median_ms(self) -> float:
        """The median in ms.

        >>> recent = RecentDurations(2)
        >>> for seconds in (9, 0.001, 0.003):
        ...     recent.add(seconds)
        >>> recent.median_ms, recent.max_ms, RecentDurations().max_ms
        (2.0, 3.0, 0.0)
        """
        return round(1000 * median(self._seconds), 1) if self._seconds else 0.0

    @property
    def max_ms(self) -> float:
        """The maximum in ms."""
        return round(1000 * max(self._seconds, default=0.0), 1)


BUCKETS_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
SAMPLE_S: Final = 0.25


class Metrics:
    """The metrics of one process, in their own registry."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        Gauge("jantaku_version", "1, by version", ["version"], registry=registry).labels(__version__).set(1)
        self.actions = Counter("jantaku_actions", "Actions stored and applied", registry=registry)
        self.received = Counter(
            "jantaku_messages_received", "Messages received from table sockets", registry=registry
        )
        self.sent = Counter("jantaku_messages_sent", "Messages sent to table sockets", registry=registry)
        self.delays = self._histogram("action", "Time from receiving an action to publishing it")
        self.commits = self._histogram("commit", "Duration of commits of actions")
        self.last_commits = RecentDurations()
        self.lag = self._histogram("loop_lag", "Delay of the event loop")

    def _histogram(self, name: str, text: str) -> Histogram:
        return Histogram(f"jantaku_{name}_seconds", text, buckets=BUCKETS_S, registry=self.registry)

    def gauge(self, name: str, text: str, label: str, values: dict[str, Callable[[], float]]) -> None:
        """Add a gauge whose values, one for each value of ``label``, are computed at each scrape."""
        gauge = Gauge(f"jantaku_{name}", text, [label], registry=self.registry)
        for value, read in values.items():
            gauge.labels(value).set_function(read)


class LoopLag(Background):
    """Measures the delay of the event loop, which delays everything else."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    async def _run(self) -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(SAMPLE_S)
            self._metrics.lag.observe(max(0.0, time.perf_counter() - began - SAMPLE_S))


@contextmanager
def metrics_port(settings: Settings, metrics: Metrics) -> Iterator[None]:
    """Serve the metrics to Prometheus on the port of the settings, if any, during the block."""
    port, host = settings.metrics_port, settings.metrics_host
    if not port:
        yield
        return
    try:
        server, thread = start_http_server(port, host, registry=metrics.registry)
    except OSError as error:
        fields = {"port": port, "host": host, "reason": cause(error)}
        raise RequestError("cannot_listen", field="--metrics-port", **fields) from error
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


try:
    from opentelemetry import trace
except ImportError:  # without the extra "traces"
    trace = None  # type: ignore[assignment]

LOG: Final = logging.getLogger("jantaku.server")
ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


def configure_tracing() -> None:
    """Export traces to the collector set in OpenTelemetry's environment variables, if there is one."""
    if not any(map(os.environ.get, ENDPOINTS)):
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    except ImportError:
        LOG.warning("traces need further packages: pip install 'jantaku[traces]'")
        return
    name = os.environ.get("OTEL_SERVICE_NAME", "jantaku")
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: name}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)


def traced(name: str) -> AbstractContextManager[Any]:
    """Open a span of this name within the current span."""
    return nullcontext() if trace is None else trace.get_tracer("jantaku").start_as_current_span(name)
