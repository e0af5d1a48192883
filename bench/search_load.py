"""Load of searching bots: ``python -m bench.search_load --tables 500 --searching 250 --seconds 30``.

One process plays tables of four bots with the server's pauses and storage, but without sockets. At
``--searching`` of them the bots are ``search``, at the others ``standard``. Prints how long the decisions of
``search`` take, the share of them made by a search, and the delay of the event loop.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from jantaku.bots.levels import SEARCH
from jantaku.bots.policies import BOTS, STANDARD, STRONG
from jantaku.game import Action, Game
from jantaku.server.edge.protocol import TableOptions
from jantaku.server.play import game_steps, live_game
from jantaku.server.play.lobby import Lobby, NewTable
from jantaku.server.play.table_seats import joined
from jantaku.server.run import load_compiled
from jantaku.server.services import AppServices
from jantaku.server.settings import UNLIMITED, Limits, Settings
from jantaku.server.storage.people import PersonRow, new_id

SETTLE_S: Final = 5.0
SAMPLE_S: Final = 0.01
LIMITS: Final = Limits(
    tables=UNLIMITED, tables_of_one=UNLIMITED, tables_of_address=UNLIMITED, seats_of_address=UNLIMITED
)


@dataclass
class Measured:
    """Seconds of the decisions with several actions, how many of them a search made, and loop delays."""

    seconds: list[float] = field(default_factory=list)
    searched: int = 0
    lags: list[float] = field(default_factory=list)
    cpu_s: float = 0.0

    def watch(self) -> None:
        """Measure every decision of ``search`` from now on."""
        choice, search, choose = live_game.choice, live_game.searched_choice, live_game.SEARCHES.choose
        copies = set[int]()  # games being searched, whose decisions are measured as a whole

        async def timed_choice(policy: str, game: Game, seat: int) -> Action:
            began = time.perf_counter()
            action = await choice(policy, game, seat)
            if policy == BOTS[STRONG] and id(game) not in copies and len(game.legal(seat)) > 1:
                self.seconds.append(time.perf_counter() - began)
            return action

        async def timed_search(game: Game, seat: int, ends: float) -> Action:
            began = time.perf_counter()
            copies.add(id(game))
            action = await search(game, seat, ends)
            copies.discard(id(game))
            self.seconds.append(time.perf_counter() - began)
            return action

        async def counted(game: Game, seat: int, ends: float) -> Action | None:
            action = await choose(game, seat, ends)
            self.searched += action is not None
            return action

        vars(live_game).update(choice=timed_choice, searched_choice=timed_search)
        vars(live_game.SEARCHES).update(choose=counted)

    async def sample_lag(self) -> None:
        """Measure the delay of the event loop until cancelled."""
        while True:
            began = time.perf_counter()
            await asyncio.sleep(SAMPLE_S)
            self.lags.append(max(0.0, time.perf_counter() - began - SAMPLE_S))


async def open_table(lobby: Lobby, level: str) -> None:
    """Start a game of three bots and an absent person, for whom a bot of the same level plays."""
    person = PersonRow(new_id(), "P", None, "player", "en")
    options = TableOptions(clock=False, bot=level, pace="usual")
    loop = await lobby.add(person, "", NewTable("", "tenhou", options))
    loop.table.row = joined(loop.table.row, person, None)
    async with loop.changing() as table:
        await game_steps.start(table)
        table.away.update(table.seats)
    loop.wake()


async def measure(tables: int, searching: int, seconds: float, folder: str) -> Measured:
    """Play at the tables and return the measurements."""
    services = AppServices(Settings(Path(folder), limits=LIMITS))
    await services.store.open()
    await services.lease.join()
    services.writer.start()
    await services.lobby.open()
    for number in range(tables):
        await open_table(services.lobby, SEARCH if number < searching else BOTS[STANDARD])
    await asyncio.sleep(SETTLE_S)
    measured, used = Measured(), time.process_time()
    measured.watch()
    sampling = asyncio.create_task(measured.sample_lag())
    await asyncio.sleep(seconds)
    sampling.cancel()
    measured.cpu_s = time.process_time() - used
    await services.lobby.close()
    await services.writer.stop()
    await services.store.close()
    return measured


def spread(values: Sequence[float]) -> str:
    """Format the median, the 95th percentile and the maximum in milliseconds."""
    ordered = sorted(values) or [0.0]
    return " | ".join(f"{1000 * ordered[int((len(ordered) - 1) * share)]:.0f}" for share in (0.5, 0.95, 1))


def main() -> None:
    """Measure and print a row of the table in docs/performance.md."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tables", type=int, default=500)
    options.add_argument("--searching", type=int, default=250)
    options.add_argument("--seconds", type=float, default=30)
    given = options.parse_args()
    load_compiled()
    with tempfile.TemporaryDirectory() as folder:
        measured = asyncio.run(measure(given.tables, given.searching, given.seconds, folder))
    decisions = len(measured.seconds)
    print(
        "| tables | with `search` | decisions/s | by a search | p50 ms | p95 ms | max ms "
        "| loop p50 ms | loop p95 ms | loop max ms | CPU |"
    )
    print("| --- " * 11 + "|")
    print(
        f"| {given.tables} | {given.searching} | {decisions / given.seconds:.0f} | "
        f"{measured.searched / max(1, decisions):.0%} | "
        f"{spread(measured.seconds)} | {spread(measured.lags)} | {measured.cpu_s / given.seconds:.0%} |"
    )


if __name__ == "__main__":
    main()
