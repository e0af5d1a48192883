"""What a process tells the administrator: what it has, and how long that takes."""

from contextlib import suppress
from heapq import nlargest
from typing import Any, Final

from jantaku import __version__
from jantaku.server.errors import ServerError
from jantaku.server.play.lobby import Lobby
from jantaku.server.play.process_bodies import ProcessInfo, SlowTable
from jantaku.server.play.table import Table
from jantaku.server.processes.links import Links
from jantaku.server.storage.lease import Lease

SHOWN: Final = 5  # slow tables of a process
ASKED: Final = "process"
UNKNOWN: Final = ProcessInfo(
    id="",
    role="",
    version="",
    answers=False,
    tables=0,
    playing=0,
    stopped=0,
    sockets=0,
    commit_ms=0.0,
    longest_commit_ms=0.0,
    slowest=(),
)


class ProcessHere:
    """Answers what any process asks about this one."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        lobby.services.links.questions[ASKED] = self._info

    async def _info(self, _: Any) -> ProcessInfo:
        services, tables = self._lobby.services, [loop.table for loop in self._lobby]
        acted = [table for table in tables if table.took.longest_ms]
        slow = nlargest(SHOWN, acted, key=lambda table: table.took.longest_ms)
        return ProcessInfo(
            id=services.lease.process,
            role=services.lease.role,
            version=__version__,
            answers=True,
            tables=len(tables),
            playing=sum(table.playing for table in tables),
            stopped=sum(table.stopped for table in tables),
            sockets=sum(len(list(table.audience)) for table in tables)
            if services.lease.owns
            else len(services.carrying),
            commit_ms=services.metrics.last_commits.middle_ms,
            longest_commit_ms=services.metrics.last_commits.longest_ms,
            slowest=tuple(map(_slow, slow)),
        )


def _slow(table: Table) -> SlowTable:
    return SlowTable(
        table=table.row.id, action_ms=table.took.middle_ms, longest_action_ms=table.took.longest_ms
    )


async def processes(links: Links, lease: Lease) -> list[ProcessInfo]:
    """All living processes, the oldest first; of one that does not answer, what it has said last."""
    infos = {peer.id: _info_of(peer._asdict()) for peer in lease.peers}
    with suppress(ServerError):  # the links are lost
        answers = map(_info_of, await links.ask_all(ASKED, None))
        infos |= {info.id: info for info in answers}
    return list(infos.values())


def _info_of(said: Any) -> ProcessInfo:
    """What a process has said; one of another version may say more."""
    if isinstance(said, ProcessInfo):
        return said
    return ProcessInfo(**dict(UNKNOWN) | {name: said[name] for name in dict(UNKNOWN) if name in said})
