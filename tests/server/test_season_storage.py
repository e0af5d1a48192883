"""Seasons, side bets and the hands of statistics in SQLite and in PostgreSQL, without HTTP."""

import pytest

from jantaku.club.recorded_hands import HandVersion
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import rights_in
from jantaku.server.events.common.event_bodies import CreateEvent, create
from jantaku.server.events.recording import starting_games
from jantaku.server.events.recording.recorded_game import StartRecorded
from jantaku.server.events.registration.entries import Listed, add_listed
from jantaku.server.events.results.counted_results import StandingsCache
from jantaku.server.events.results.statistics import StatisticsCache
from jantaku.server.storage import recorded_games
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.recorded_games import (
    BetRow,
    add_bet,
    add_versions,
    change_game,
    decide_bet,
    read_hand,
)
from jantaku.server.storage.schema import hand_versions
from jantaku.server.storage.seasons import PartRow, SeasonRow
from jantaku.server.storage.services import Services
from server.clubs import BUST

pytestmark = pytest.mark.anyio
RESULT = {"over": True, "scores": [0] * 4, "final": [4, 3, 2, 1], "places": [1, 2, 3, 4]}


async def opened(services: Services, games: int) -> tuple[PersonRow, str]:
    """An organiser, and an event with confirmed games of one hand each."""
    mina = PersonRow(new_id(), "Mina", "mina", "player", "ko")
    await services.accounts.add(mina)
    event = await create(services, mina, CreateEvent(name={"ko": "대회"}, rules="tenhou"))
    async with services.events.changing(event, mina) as change:
        await add_listed(change, [Listed(name, "", name) for name in "abcd"])
    for i in range(games):
        rights = await rights_in(services, event, mina)
        body = StartRecorded(id=f"game-000{i}", stage="league", players=list("abcd"))
        await starting_games.start(services, rights, mina, body, StandingsCache(services))
        row = await services.recorded.find(event, body.id)
        async with services.events.changing(event, mina) as change:
            hand = HandVersion("h1", "", 1, "add", 0, BUST, mina.id, None, 1, "")
            await add_versions(change, [(row.id, hand)])
            await change_game(change, row, head="h1", revision=1, result=RESULT, status="confirmed")
            change.results_change = True
    return mina, event


async def test_a_season_keeps_its_parts_in_order(services: Services) -> None:
    mina, event = await opened(services, 0)
    parts = (PartRow("z", {"ko": "예선"}, True, event), PartRow("a", {}, False, None))
    row = SeasonRow(new_id(), {"ko": "시즌"}, 20, True, mina.id, 5, 1, parts)
    await services.seasons.add(row, 1)
    assert await services.seasons.find(row.id) == row
    with pytest.raises(ServerError) as full:
        await services.seasons.add(row._replace(id=new_id()), 1)
    assert full.value.code == "too_many_seasons"
    changed = row._replace(cut=None, parts=parts[::-1], listed=False, revision=2)
    await services.seasons.change(row.id, {"cut": None, "listed": False}, parts[::-1], 1)
    assert (await services.seasons.of(mina.id, None, 10)).rows == [changed]
    assert (await services.seasons.of(None, None, 10)).rows == []
    with pytest.raises(ServerError) as late:
        await services.seasons.change(row.id, {"cut": 3}, (), 1)
    assert late.value.code == "season_moved_on"
    assert await services.seasons.find(row.id) == changed
    await services.seasons.change(row.id, {"cut": 3}, None)
    assert await services.seasons.find(row.id) == changed._replace(cut=3, revision=3)


async def test_bets_are_read_by_the_two_alone(services: Services) -> None:
    mina, event = await opened(services, 1)
    row = BetRow(event, 0, "game-0000", mina.id, "other", "fixed", 5, "offered", 1)
    for _ in range(2):
        async with services.events.changing(event, mina) as change:
            await add_bet(change, row, 2)
    with pytest.raises(ServerError) as full:
        async with services.events.changing(event, mina) as change:
            await add_bet(change, row, 2)
    assert full.value.code == "too_many_bets"
    first, second = await services.bets.of(event, "other")
    assert (first.number, second.number) == (1, 2)
    async with services.events.changing(event, mina) as change:
        await decide_bet(change, first, "agreed")
    with pytest.raises(ServerError) as decided:
        async with services.events.changing(event, mina) as change:
            await decide_bet(change, first, "declined")
    assert decided.value.code == "bet_decided"
    assert [bet.status for bet in await services.bets.of(event, mina.id)] == ["agreed", "offered"]
    assert await services.bets.of(event, "third") == []


@pytest.mark.parametrize("named", [0, 500])
async def test_hands_are_read_in_parts(
    services: Services, monkeypatch: pytest.MonkeyPatch, named: int
) -> None:
    monkeypatch.setattr(recorded_games, "PART", 1)
    monkeypatch.setattr(recorded_games, "MOST_NAMED", named)
    mina, event = await opened(services, 3)
    wanted = ["game-0000", "game-0002"]
    versions_of = await services.recorded.written_versions(event, wanted)
    assert list(versions_of) == wanted
    assert [read_hand(version).hand for versions in versions_of.values() for version in versions] == [
        BUST,
        BUST,
    ]
    assert await services.recorded.written_versions(event, []) == {}
    statistics = await StatisticsCache(services).get((await rights_in(services, event, mina)).event)
    assert statistics.player("a", rated=True).figures.rates["win"].count == 3


async def test_a_game_that_cannot_be_settled_counts_by_its_points(services: Services) -> None:
    mina, event = await opened(services, 2)
    broken = hand_versions.update().where(hand_versions.c.game == "game-0000").values(hand='{"end": "?"}')
    async with services.store.writing() as connection:
        await connection.execute(broken)
    answer = await StatisticsCache(services).get((await rights_in(services, event, mina)).event)
    brief = answer.player("a", rated=True).figures.brief
    assert (brief.games, brief.games_with_hands, brief.points) == (2, 1, 8)


async def test_statistics_are_computed_again_only_when_results_change(services: Services) -> None:
    mina, event = await opened(services, 1)
    cache = StatisticsCache(services)
    row = (await rights_in(services, event, mina)).event
    first = await cache.get(row)
    assert await cache.get(row._replace(revision=row.revision + 1)) is first
    second = await cache.get(row._replace(results=row.results + 1))
    assert second is not first
    assert second.settled == first.settled
    game = ("game-0000", "h1")
    assert second.settled[game] is first.settled[game]
