"""How many tables and sockets there are, for Prometheus."""

from collections.abc import Callable

from jantaku.server.edge.metrics import Metrics
from jantaku.server.play.lobby import Lobby
from jantaku.server.play.table import Table


def show_tables(lobby: Lobby, metrics: Metrics) -> None:
    """Let the tables and sockets be counted when someone asks."""

    def counted(of: Callable[[Table], int]) -> Callable[[], float]:
        return lambda: float(sum(of(loop.table) for loop in lobby))

    states: dict[str, Callable[[Table], int]] = {
        "waiting": lambda table: table.row.status == "waiting",
        "playing": lambda table: table.playing,
        "stopped": lambda table: table.stopped,
        "over": lambda table: table.row.status in ("finished", "aborted"),
    }
    sockets: dict[str, Callable[[Table], int]] = {
        "seat": lambda table: len(table.audience.seats),
        "watcher": lambda table: len(table.audience.watchers),
    }
    metrics.read("tables", "Tables in memory", "state", {name: counted(of) for name, of in states.items()})
    metrics.read("sockets", "Sockets at tables", "of", {name: counted(of) for name, of in sockets.items()})
