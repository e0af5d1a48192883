"""Ratings at rated tables: only finished games among people count, under each ruleset apart."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import update

from jantaku.club import GameResult, rated_games
from jantaku.club.ratings import newest
from jantaku.rules import load
from jantaku.server.edge.protocol import TableOptions
from jantaku.server.numbers.own_games import OwnGames
from jantaku.server.numbers.table_ratings import TableRatings
from jantaku.server.settings import Settings
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.schema import tables
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.tables import PRACTICE, Sitter, TableRow

FOUR = ("ann", "ben", "cho", "dai")
RULES, OTHER = "0" * 16, "1" * 16


async def play(
    services: Services, number: int, places: tuple[int, ...], *, rules: str = RULES, rated: bool = True,
    bot: bool = False, stage: str | None = None, status: str = "finished", delay: float = 0,
) -> None:  # fmt: skip
    """Store a table and its game, which ends at ``number``."""
    sitters = [Sitter(name, name) for name in FOUR]
    if bot:
        sitters[3] = Sitter("Sora", bot="gentle")
    table = TableRow(
        f"table{number}", "", "ann", "x", rules, TableOptions(rated=rated, spectator_delay_s=delay),
        (None,) * 4, stage=stage,
    )  # fmt: skip
    await services.seating.add(table)
    row = GameRow(f"game{number}", table.id, 1, b"", "x", rules, tuple(sitters), started=1)
    await services.games.begin(row, table)
    ended = GameRow(
        row.id, row.table_id, 1, b"", "x", rules, row.players, status, 1, number, 8,
        {"final": [0, 0, 0, 0], "places": list(places)},
    )  # fmt: skip
    await services.games.end(ended, table, [], 0, {})


@pytest.mark.slow
def test_ratings_are_those_of_the_club_and_newer_games_are_added(tmp_path: Path) -> None:
    async def scenario() -> None:
        services = Services.of(Settings(data_dir=tmp_path))
        await services.store.open()
        ratings = TableRatings(services)
        games = [(1, 2, 3, 4), (1, 2, 4, 3), (2, 1, 3, 4)]
        for number, places in enumerate(games[:2], 1):
            await play(services, number, places)
        assert (await ratings.of(RULES)).rank("ann") == 1
        await play(services, 3, games[2])
        await play(services, 4, (4, 3, 2, 1), rules=OTHER)
        await play(services, 5, (4, 3, 2, 1), rated=False)
        await play(services, 6, (4, 3, 2, 1), bot=True)
        await play(services, 7, (4, 3, 2, 1), stage=PRACTICE)
        await play(services, 8, (4, 3, 2, 1), status="aborted")
        found = await ratings.of(RULES)
        results = [
            GameResult(f"game{number}", "", None, FOUR, (0, 0, 0, 0), places)
            for number, places in enumerate(games, 1)
        ]
        wanted = newest(rated_games(results))
        last = {one: steps[-1].rating for one, steps in found.steps.items()}
        assert {one: pytest.approx(rating.mu) for one, rating in last.items()} == {
            one: rating.mu for one, rating in wanted.items()
        }
        assert [found.rank(one) for one in wanted] == [1, 2, 3, 4]
        assert [step.place for step in found.steps["ann"]] == [1, 1, 2]
        assert found.steps["ann"][-1].rating.sigma < found.steps["ann"][0].rating.sigma
        assert (await ratings.of(OTHER)).rank("dai") == 1
        ratings.forget()
        assert (await ratings.of(RULES)).steps.keys() == set(FOUR)
        await services.store.close()

    asyncio.run(scenario())


@pytest.mark.slow
def test_neither_ratings_nor_numbers_tell_of_a_game_that_watchers_still_see(tmp_path: Path) -> None:
    async def scenario() -> None:
        services = Services.of(Settings(data_dir=tmp_path))
        await services.store.open()
        ratings, numbers, now = TableRatings(services), OwnGames(services), now_ms()
        rules, over = load("tenhou"), TableOptions(rated=True, spectator_delay_s=0).model_dump_json()
        await services.rulesets.save(rules)
        own = rules.fingerprint
        await play(services, now - 20_000, (1, 2, 3, 4), rules=own)
        await play(services, now - 10_000, (1, 2, 3, 4), delay=600, rules=own)
        await play(services, now - 5000, (1, 2, 3, 4), rules=own)

        async def known() -> list[int]:
            found = [len((await numbers.of("ann", told=told)).games) for told in (False, True)]
            return [*found, len((await ratings.of(own)).steps["ann"])]

        assert await known() == [3, 2, 1], "a rating follows from the games before it"
        async with services.store.writing() as connection:
            await connection.execute(update(tables).values(options=over))
        assert await known() == [3, 3, 3]
        await services.store.close()

    asyncio.run(scenario())
