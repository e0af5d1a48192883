"""Plays portions on a Ray cluster; the extra ``ray`` installs what this needs."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from jantaku.errors import RequestError, cause
from jantaku.kernels._cache import source_hash
from jantaku.lab.experiment.plan import Experiment, Portion
from jantaku.lab.experiment.play import PortionPlayer, Tables, Tell, play_portion

try:
    import ray
except ImportError as error:
    raise RequestError("missing_extra", field="ray", extra="ray") from error

_LOCAL: Final = "ray"
_AT_ONCE: Final = 2  # portions a processor that are under way or waiting


def on_ray(address: str, workers: int | None = None) -> PortionPlayer:
    """A player on the Ray cluster at ``address`` (``ray://host:port``, or ``ray`` for one on this machine).

    ``workers`` limits the processes of a local cluster. Ray repeats the portions of a worker that dies; as a
    portion depends on nothing else, the results are the same. Raises ``RequestError`` if there is
    no such cluster, or if one of its machines has another version of Jantaku.
    """

    def play(
        experiment: Experiment, portions: Iterable[Portion], tell: Tell
    ) -> Iterator[tuple[Portion, Tables]]:
        cluster: Any = ray  # some of its functions have no types
        try:
            _connect(address, workers)
            remote: Any = ray.remote(num_cpus=1, max_retries=-1, retry_exceptions=False)(_played)
            stored, code = ray.put(experiment), source_hash("lab")
            waiting = iter(portions)
            window = _AT_ONCE * max(1, int(cluster.cluster_resources().get("CPU", 1)))
            under_way = {remote.remote(stored, portion, code): portion for portion in islice(waiting, window)}
            while under_way:
                done, _ = ray.wait(list(under_way), num_returns=1)
                portion = under_way.pop(done[0])
                result = _result(done[0], address)
                if result is None:
                    raise RequestError("ray_other_version", field="--on", address=address)
                tables, hands = result
                tell(portion.size, hands)
                yield portion, tables
                for following in islice(waiting, 1):
                    under_way[remote.remote(stored, following, code)] = following
        finally:
            ray.shutdown()

    return play


def _played(experiment: Experiment, portion: Portion, code: str) -> tuple[Tables, int] | None:
    """A portion's files and the number of its hands; ``None`` where the code that plays is another."""
    if source_hash("lab") != code:
        return None
    hands = 0

    def count(_: int, number: int) -> None:
        nonlocal hands
        hands += number

    return play_portion(experiment, portion, count), hands


def _result(reference: Any, address: str) -> Any:
    """What a worker returned; raises ``RequestError`` if it could not even read what it should play."""
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
    except ImportError as error:  # what ``ray[client]`` adds
        raise RequestError("ray_client", field="--on", address=address) from error
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise RequestError("ray_unreachable", field="--on", address=address, reason=cause(error)) from error
