"""How long lists, numbers and replays take beside a million stored games: ``python -m bench.stored``.

``--games N`` stores fewer; ``--database URL`` uses an empty PostgreSQL database instead of a new SQLite file.
One person has played one game of fifty; the newest 300 of these have their moves and hands,
as all have in use.
"""

import argparse
import asyncio
import dataclasses
import json
import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

from sqlalchemy import insert

from jantaku.club.played import end_of
from jantaku.club.statistics import person_figures
from jantaku.game import Game
from jantaku.records.native.hand_log import hand_logs
from jantaku.rules import load
from jantaku.server.archive.replay import ReplayGame
from jantaku.server.numbers.own_games import MOST_GAMES, OwnGames
from jantaku.server.settings import Settings
from jantaku.server.storage.paging import PageEnd
from jantaku.server.storage.replaying import replayed
from jantaku.server.storage.schema import actions, game_players, games, hands, tables
from jantaku.server.storage.services import Services

PEOPLE: Final = 20_000
OFTEN: Final = 50  # the busy person plays one game of so many
AT_ONCE: Final = 20_000
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
        four = [f"p{one}" for one in source.sample(range(PEOPLE), 4)]
        if number % OFTEN == 0:
            four[number // OFTEN % 4] = BUSY
        key, at = f"{number:016x}", START + 1000 * number
        players = json.dumps([{"name": one, "person": one} for one in four])
        yield (
            {
                "id": key, "table_id": "t", "number": number + 1, "seed": game.seed, "rules": rules.id,
                "fingerprint": rules.fingerprint, "players": players, "status": "finished", "started": at,
                "ended": at, "hands": hands_played, "result": result,
            },
            [{"game": key, "seat": seat, "person": one, "ended": at} for seat, one in enumerate(four)],
        )  # fmt: skip


async def fill(services: Services, count: int) -> None:
    """Store the games."""
    game = a_game()
    rules = load("tenhou")
    table = {"id": "t", "name": "", "owner": BUSY, "rules": rules.id, "fingerprint": rules.fingerprint}
    async with services.store.writing() as connection:
        options = '{"private":false,"rated":true}'
        await connection.execute(
            insert(tables).values(**table, options=options, status="closed", game=count, created=START)
        )
    rows = rows_of(count, game)
    while some := list(islice(rows, AT_ONCE)):
        async with services.store.writing() as connection:
            await connection.execute(insert(games), [one for one, _ in some])
            await connection.execute(insert(game_players), [who for _, four in some for who in four])
    newest = [f"{number:016x}" for number in range(0, count, OFTEN)][-MOST_GAMES:]
    moves = [{"number": i, "seat": seat, "action": str(what)} for i, (_, seat, what) in enumerate(game.moves)]
    logs = hand_logs(game, ended=True)
    for key in newest:
        async with services.store.writing() as connection:
            await connection.execute(insert(actions), [{**one, "game": key} for one in moves])
            kept = [{"game": key, "number": i, "log": log} for i, log in enumerate(logs)]
            await connection.execute(insert(hands), kept)


async def timed(name: str, work: Callable[[], Awaitable[object]], times: int = 7) -> None:
    """Print how long something takes: the median, and the first time."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        await work()
        found.append(1000 * (time.perf_counter() - began))
    print(f"{name:44} {sorted(found)[times // 2]:8.1f} ms   first {found[0]:8.1f} ms")


async def measure(services: Services, count: int) -> None:
    """Print the figures."""
    stored, own = services.games, OwnGames(services)
    last = f"{(count - 1) // OFTEN * OFTEN:016x}"
    middle = PageEnd(START + 500 * count)

    async def opened() -> object:
        row = await stored.find(last)
        assert row is not None
        moves, logs = await stored.moves(last), await stored.hands(last)
        return ReplayGame(replayed(load("tenhou"), row.beginning, moves, logs), [""] * 4)

    async def numbers() -> object:
        return person_figures((await own.of(BUSY)).games, BUSY)

    where = "PostgreSQL" if services.settings.database_url else "SQLite"
    print(f"{count:,} games, {where}")
    await timed("the games of the busy person", lambda: stored.finished(None, BUSY, 30))
    await timed("the same, in the middle", lambda: stored.finished(middle, BUSY, 30))
    await timed("the games of one of many", lambda: stored.finished(None, "p7", 30))
    await timed("the games of nobody", lambda: stored.finished(None, "nobody", 30))
    await timed("all public games", lambda: stored.finished(None, None, 30))
    rated = load("tenhou").fingerprint
    await timed("the newest rated games of a ruleset", lambda: stored.rated(rated, 0, 300))
    await timed("the rows of the numbers", lambda: stored.of_person(BUSY, MOST_GAMES))
    await timed(f"numbers of {MOST_GAMES} games (read before)", numbers)
    await timed("opening a replay", opened)


async def main() -> None:
    """Fill a database and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--database")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder))
        if given.database:
            settings = dataclasses.replace(settings, database_url=given.database)
        services = Services.of(settings)
        await services.store.open()
        began = time.perf_counter()
        await fill(services, given.games)
        print(f"stored in {time.perf_counter() - began:.0f} s")
        await measure(services, given.games)
        await services.store.close()


if __name__ == "__main__":
    asyncio.run(main())
