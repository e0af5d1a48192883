"""Runs portions of an experiment on a Ray cluster. Requires the ``ray`` extra."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from jantaku.errors import RequestError, cause
from jantaku.kernels._cache import source_hash
from jantaku.lab.experiment.plan import Experiment, Portion
from jantaku.lab.experiment.play import ChunkProgress, PortionPlayer, Tables, play_portion

try:
    import ray
except ImportError as error:
    raise RequestError("missing_extra", field="ray", extra="ray") from error

_LOCAL: Final = "ray"
_QUEUED: Final = 2  # portions submitted per processor, so that a worker never idles


def on_ray(address: str, workers: int | None = None) -> PortionPlayer:
    """Return a player on the Ray cluster at ``address``: ``ray://host:port``, or ``ray`` for a local one.

    ``workers`` limits the processes of a local cluster. Ray repeats the portions of a worker that dies; a
    portion depends on nothing else, so the results are the same. The player raises ``RequestError`` if the
    cluster is unreachable or one of its machines has a different version of Jantaku.
    """

    def play(
        experiment: Experiment, portions: Iterable[Portion], progress: ChunkProgress
    ) -> Iterator[tuple[Portion, Tables]]:
        cluster: Any = ray  # some of its functions have no types
        try:
            _connect(address, workers)
            remote: Any = ray.remote(num_cpus=1, max_retries=-1, retry_exceptions=False)(_play_remotely)
            stored, code = ray.put(experiment), source_hash("lab")
            waiting = iter(portions)
            window = _QUEUED * max(1, int(cluster.cluster_resources().get("CPU", 1)))
            pending = {remote.remote(stored, portion, code): portion for portion in islice(waiting, window)}
            while pending:
                done, _ = ray.wait(list(pending), num_returns=1)
                portion = pending.pop(done[0])
                result = _result(done[0], address)
                if result is None:
                    raise RequestError("ray_other_version", field="--on", address=address)
                tables, hands = result
                progress(portion.size, hands)
                yield portion, tables
                for following in islice(waiting, 1):
                    pending[remote.remote(stored, following, code)] = following
        finally:
            ray.shutdown()

    return play


def _play_remotely(experiment: Experiment, portion: Portion, code: str) -> tuple[Tables, int] | None:
    """Play a portion; return its files and number of hands, or ``None`` if the worker's code differs."""
    if source_hash("lab") != code:
        return None
    hands = 0

    def count(_: int, number: int) -> None:
        nonlocal hands
        hands += number

    return play_portion(experiment, portion, count), hands


def _result(reference: Any, address: str) -> Any:
    """Return a worker's result; raise ``RequestError`` if Ray reports an error, e.g. in unpickling."""
    try:
        return ray.get(reference)
    except ray.exceptions.RayError as error:
        last = str(error).strip().rpartition("\n")[2]
        raise RequestError("ray_failed", field="--on", address=address, reason=last) from error


def _connect(address: str, workers: int | None) -> None:
    settings: dict[str, Any] = {"logging_level": "error", "log_to_driver": False}
    if address == _LOCAL:
        settings |= {"num_cpus": workers, "include_dashboard": False}
    else:
        settings["address"] = address
    try:
        ray.init(**settings)
    except ImportError as error:  # ``ray[client]`` is not installed
        raise RequestError("ray_client", field="--on", address=address) from error
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise RequestError("ray_unreachable", field="--on", address=address, reason=cause(error)) from error
