"""What a process counts and measures, for Prometheus and OpenTelemetry."""

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

KEPT: Final = 40


class Recent:
    """The last seconds that something took."""

    def __init__(self, most: int = KEPT) -> None:
        self._kept = deque[float](maxlen=most)

    def note(self, seconds: float) -> None:
        """It has taken so long."""
        self._kept.append(seconds)

    @property
    def middle_ms(self) -> float:
        """The median, in ms.

        >>> recent = Recent(2)
        >>> for seconds in (9, 0.001, 0.003):
        ...     recent.note(seconds)
        >>> recent.middle_ms, recent.longest_ms, Recent().longest_ms
        (2.0, 3.0, 0.0)
        """
        return round(1000 * median(self._kept), 1) if self._kept else 0.0

    @property
    def longest_ms(self) -> float:
        """The longest, in ms."""
        return round(1000 * max(self._kept, default=0.0), 1)


SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
LOOKS_S: Final = 0.25


class Metrics:
    """The counters of one process; each has a registry of its own."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        Gauge("jantaku_version", "1, by version", ["version"], registry=registry).labels(__version__).set(1)
        self.actions = Counter(
            "jantaku_actions", "Actions that were stored and carried out", registry=registry
        )
        self.received = Counter(
            "jantaku_messages_received", "Messages of sockets at tables", registry=registry
        )
        self.sent = Counter("jantaku_messages_sent", "Messages to sockets at tables", registry=registry)
        self.delays = self._seconds("action", "From an action's arrival until it is stored and told")
        self.commits = self._seconds("commit", "Each commit of actions")
        self.last_commits = Recent()
        self.lag = self._seconds("loop_lag", "How much later than wanted the event loop comes back")

    def _seconds(self, name: str, text: str) -> Histogram:
        return Histogram(f"jantaku_{name}_seconds", text, buckets=SECONDS, registry=self.registry)

    def read(self, name: str, text: str, label: str, values: dict[str, Callable[[], float]]) -> None:
        """Show values that are read when someone asks, each under its label."""
        gauge = Gauge(f"jantaku_{name}", text, [label], registry=self.registry)
        for value, read in values.items():
            gauge.labels(value).set_function(read)


class LoopLag(Background):
    """Measures how late the event loop is, which is what delays everything else."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    async def _run(self) -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(LOOKS_S)
            self._metrics.lag.observe(max(0.0, time.perf_counter() - began - LOOKS_S))


@contextmanager
def metrics_port(settings: Settings, metrics: Metrics) -> Iterator[None]:
    """Answer Prometheus on the port of the settings, if there is one."""
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
