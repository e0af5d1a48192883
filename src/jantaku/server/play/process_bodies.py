"""The processes of a site, as the administrator sees them."""

from jantaku.server.edge.bodies import Wire


class SlowTable(Wire):
    """A table, and how long its last actions took from their arrival until they were told."""

    table: str
    action_ms: float
    longest_action_ms: float


class ProcessInfo(Wire):
    """A process: its tables and sockets, how long its last commits took, and its slowest tables.

    A gateway has no tables: its ``sockets`` are those that it carries. Of one that does not answer only its
    ``role`` and its number of ``tables`` are known.
    """

    id: str
    role: str
    version: str
    answers: bool
    tables: int
    playing: int
    stopped: int
    sockets: int
    commit_ms: float
    longest_commit_ms: float
    slowest: tuple[SlowTable, ...]


class ProcessList(Wire):
    """All processes, the oldest first."""

    processes: list[ProcessInfo]
