"""How long lists, numbers and replays take beside a million stored games: ``python -m bench.stored_games``.

``--games N`` stores fewer; ``--data FOLDER`` keeps the file. With ``JANTAKU_DATABASE_URL`` it is an empty
PostgreSQL database instead of a new SQLite file. The requests are those of a browser, without the network.
One person has played one game of fifty; the newest 300 of these have their moves and hands,
as all have in use.
"""

import argparse
import asyncio
import dataclasses
import json
import os
import random
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

import httpx
from fastapi import FastAPI
from sqlalchemy import event, func, insert, select

from jantaku.club.as_entered import end_of
from jantaku.game import Game
from jantaku.records.native.hand_log import hand_logs
from jantaku.rules import load
from jantaku.server.app import create_app, opened
from jantaku.server.limits import RATES, Limits, without
from jantaku.server.numbers.own_games import MOST_GAMES
from jantaku.server.numbers.table_ratings import TableRatings
from jantaku.server.run import load_compiled
from jantaku.server.settings import Settings
from jantaku.server.storage.accounts import PersonRow
from jantaku.server.storage.moves import Packing
from jantaku.server.storage.replaying import engine_mark
from jantaku.server.storage.schema import actions, game_players, games, hands, packed_moves, tables
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.tallies import tallies_of

PEOPLE: Final = 20_000
OFTEN: Final = 50  # the busy person plays one game of so many
AT_ONCE: Final = 2_000  # rows of a statement, which PostgreSQL answers within seconds
BUSY: Final = "busy"
START: Final = 1_700_000_000_000
Row = dict[str, Any]


def a_game() -> Game:
    """A whole game of random actions."""
    game, source = Game("tenhou", seed=5), random.Random(5)
    while not game.is_over:
        seat = game.to_act[0]
        game.play(seat, source.choice(game.legal(seat)))
    return game


def rows_of(count: int, game: Game) -> Iterator[tuple[Row, list[Row]]]:
    """The games and who played in them."""
    source, rules, ended = random.Random(1), load("tenhou"), end_of(game)
    assert ended is not None
    result = json.dumps({"final": list(ended.final), "places": list(ended.places)})
    hands_played = len(hand_logs(game, ended=True))
    for number in range(count):
        four = [f"p{number}" for number in source.sample(range(PEOPLE), 4)]
        if number % OFTEN == 0:
            four[number // OFTEN % 4] = BUSY
        key, at = f"{number:016x}", START + 1000 * number
        players = json.dumps([{"name": name, "person": name} for name in four])
        yield (
            {
                "id": key, "table_id": "t", "number": number + 1, "seed": game.seed, "rules": rules.id,
                "fingerprint": rules.fingerprint, "players": players, "status": "finished", "started": at,
                "ended": at, "hands": hands_played, "result": result,
            },
            [{"game": key, "seat": seat, "person": person, "ended": at} for seat, person in enumerate(four)],
        )  # fmt: skip


async def fill(services: Services, count: int) -> None:
    """Store the games."""
    game = a_game()
    rules = load("tenhou")
    await services.accounts.add(PersonRow(BUSY, "Busy", "busy", "player", "en"), "")
    table = {"id": "t", "name": "", "owner": BUSY, "rules": rules.id, "fingerprint": rules.fingerprint}
    async with services.store.writing() as connection:
        options = '{"private":false,"rated":true}'
        await connection.execute(
            insert(tables).values(**table, options=options, status="closed", game=count, created=START)
        )
    rows = rows_of(count, game)
    while some := list(islice(rows, AT_ONCE)):
        async with services.store.writing() as connection:
            await connection.execute(insert(games), [row for row, _ in some])
            await connection.execute(insert(game_players), [who for _, four in some for who in four])
    newest = [f"{number:016x}" for number in range(0, count, OFTEN)][-MOST_GAMES:]
    moves = [{"number": i, "seat": seat, "action": str(what)} for i, (_, seat, what) in enumerate(game.moves)]
    logs = hand_logs(game, ended=True)
    for key in newest:
        async with services.store.writing() as connection:
            await connection.execute(insert(actions), [{**move, "game": key} for move in moves])
            kept = [{"game": key, "number": i, "log": log} for i, log in enumerate(logs)]
            await connection.execute(insert(hands), kept)
        row = await services.games.find(key)
        assert row is not None
        await services.games.keep_tallies(key, tallies_of(game, row))
        await services.games.mark(key, engine_mark())


@dataclasses.dataclass
class Asked:
    """A browser of the busy person, and how many statements its requests send to the database."""

    services: Services
    browser: httpx.AsyncClient
    statements: int = 0

    def __post_init__(self) -> None:
        """Count statements."""

        def count(*_: object) -> None:
            self.statements += 1

        event.listen(self.services.store.engine.sync_engine, "before_cursor_execute", count)

    async def time(self, name: str, path: str, times: int = 7) -> None:
        """Print how long a request takes (the median and the first), its CPU time and its statements."""
        took, worked = [], []
        for _ in range(times):
            self.statements, began, work = 0, time.perf_counter(), time.process_time()
            answer = await self.browser.get(path)
            took.append(1000 * (time.perf_counter() - began))
            worked.append(1000 * (time.process_time() - work))
            assert answer.status_code == 200, answer.text
        median = sorted(took)[times // 2]
        print(
            f"{name:34} {median:7.1f} ms (CPU {sorted(worked)[times // 2]:6.1f})   first {took[0]:8.1f} ms   "
            f"{self.statements:3} statements   {len(answer.content) / 1000:6.0f} kB"
        )


async def measure(app: FastAPI, count: int, url: str) -> None:
    """Print the figures."""
    services: Services = app.state.services
    last = [f"{number:016x}" for number in range(0, count, OFTEN)][-2:]
    token = await services.sessions.begin(BUSY, 1)
    headers = {"cookie": f"jantaku_session={token}", "host": "localhost"}
    transport = httpx.ASGITransport(app)
    print(f"{count:,} games, {'PostgreSQL' if url else 'SQLite'}")
    async with httpx.AsyncClient(
        transport=transport, base_url="http://localhost", headers=headers
    ) as browser:
        asked = Asked(services, browser)
        await asked.time("the games of the busy person", "/api/games?mine=true")
        await asked.time("the same, in the middle", f"/api/games?mine=true&before={START + 500 * count}")
        await asked.time("all public games", "/api/games")
        await rate(services, "rated, once for all games so far")
        await rate(services, "a rating, the first after a start")
        await asked.time(f"numbers of {MOST_GAMES} games", "/api/me/numbers")
        await asked.time("opening a replay", f"/api/games/{last[0]}/replay")
        await asked.time("its first step", f"/api/games/{last[0]}/replay/0", 1)
        await services.games.mark(last[1], "another")
        await asked.time("opening a replay, another engine's", f"/api/games/{last[1]}/replay", 1)
        await pack(services)
        await asked.time("opening a replay, packed", f"/api/games/{last[0]}/replay")


async def pack(services: Services) -> None:
    """Pack what is not packed; print how long it took, and the bytes of actions without their indexes."""
    began, work = time.perf_counter(), time.process_time()
    count = await Packing(services.store).pack(now_ms())
    took, worked = time.perf_counter() - began, time.process_time() - work
    size = await services.store.value(select(func.avg(func.length(packed_moves.c.moves))))
    print(f"{count} games packed in {took:.1f} s (CPU {worked:.1f}), into {size or 0:,.0f} bytes each")


async def rate(services: Services, name: str) -> None:
    """Print how long the rating of the busy person takes in a server that has just started."""
    began, work = time.perf_counter(), time.process_time()
    rating = await TableRatings(services).of(load("tenhou").fingerprint, BUSY, MOST_GAMES)
    took, worked = 1000 * (time.perf_counter() - began), 1000 * (time.process_time() - work)
    print(f"{name:34} {took:7.1f} ms (CPU {worked:6.1f})   {rating.games} of {rating.people} people's games")


async def main() -> None:
    """Fill a database and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--data", type=Path, help="a folder to keep the database in, filled before or not")
    given, url = parser.parse_args(), os.environ.get("JANTAKU_DATABASE_URL", "")
    with tempfile.TemporaryDirectory() as folder:
        data = given.data or Path(folder)
        limits = without(Limits(), *RATES)
        app = create_app(Settings(data_dir=data, database_url=url, limits=limits))
        load_compiled()
        async with opened(app):
            services: Services = app.state.services
            if await services.games.find(f"{0:016x}") is None:
                began = time.perf_counter()
                await fill(services, given.games)
                print(f"stored in {time.perf_counter() - began:.0f} s")
            await measure(app, given.games, url)


if __name__ == "__main__":
    asyncio.run(main())
