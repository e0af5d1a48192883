"""Recorded games in SQLite and in PostgreSQL, without HTTP."""

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import text, update

from jantaku.club import settle
from jantaku.club.recorded_hands import HandVersion
from jantaku.errors import JantakuError
from jantaku.rules import Ruleset
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import rights_in
from jantaku.server.events.common.event_bodies import ChangeEvent, CreateEvent, create
from jantaku.server.events.organising.event_changes import change_plan
from jantaku.server.events.recording import desk, starting_games
from jantaku.server.events.recording.desk import CallBody, PenaltyBody
from jantaku.server.events.recording.recorded_game import (
    ConfirmBody,
    HandBody,
    StartRecorded,
    confirm,
    table_of,
)
from jantaku.server.events.registration import claims, entries
from jantaku.server.events.registration.entries import Listed, add_listed
from jantaku.server.events.registration.entries import merge_entries as merge
from jantaku.server.events.registration.entries import register_entry as register
from jantaku.server.events.results.counted_results import StandingsCache
from jantaku.server.events.results.statistics import StatisticsCache
from jantaku.server.events.rounds import running_rounds, seat_changes
from jantaku.server.events.rounds.round_state import (
    ChangeSeats,
    FinishRound,
    FinishTable,
    PublishRounds,
    ReplaceBody,
    SetRounds,
    TimerBody,
    stage_in,
    unchanged,
)
from jantaku.server.storage import recorded_games
from jantaku.server.storage.entries import TAKEN, EntryRow, entry_of
from jantaku.server.storage.event_plan import EventPlan, Registration, StagePlan
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.recorded_games import (
    BetRow,
    add_bet,
    add_versions,
    change_game,
    decide_bet,
    read_hand,
)
from jantaku.server.storage.rounds import Absence, RoundRow, SeatedTable, save_absences, save_rounds
from jantaku.server.storage.schema import events, hand_versions
from jantaku.server.storage.seasons import PartRow, SeasonRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.webhooks import Webhook, add_webhook
from server.clubs import BUST, RON

GAME = "game-0001"


async def opened(services: Services) -> tuple[PersonRow, str]:
    """An organiser and an event with a game of four people."""
    mina = PersonRow(new_id(), "Mina", "mina", "player", "ko")
    await services.accounts.add(mina)
    event = await create(services, mina, CreateEvent(name="대회", rules="tenhou"))
    async with services.events.changing(event, mina) as change:
        await add_listed(change, [Listed(name, "", name) for name in "abcdef"])
    rights = await rights_in(services, event, mina)
    body = StartRecorded(id=GAME, stage="league", players=list("abcd"))
    await starting_games.start(services, rights, mina, body, StandingsCache(services))
    return mina, event


async def test_a_game_is_recorded_from_start_to_standings(services: Services) -> None:
    mina, event = await opened(services)
    first = HandBody(id="hand-0001", follows="", hand=RON)
    answers = [await starting_games.enter_hand(services, mina, event, GAME, first) for _ in range(2)]
    assert answers[0] == answers[1]
    await starting_games.enter_hand(
        services, mina, event, GAME, HandBody(id="hand-0002", follows="hand-0001", hand=BUST)
    )
    rights = await rights_in(services, event, mina)
    await desk.call_referee(services, rights, mina, CallBody(game=GAME, label="3"))
    await desk.close_call(services, rights, mina, 1, "done")
    for _ in range(2):
        table = await table_of(services, rights, GAME)
        await confirm(services, table, mina, ConfirmBody(head="hand-0002", everybody=True))
    penalty = PenaltyBody(stage="league", entry="b", game=GAME, points=-1000, why="late")
    await desk.give_penalty(services, rights, mina, penalty)
    async with services.events.changing(event, mina) as change:
        await merge(change, await entry_of(change, "a"), await entry_of(change, "e"), "one person")
    answer = await StandingsCache(services).get((await rights_in(services, event, mina)).event)
    points = {row.player: row.points for row in answer.stages[0].standings}
    final = settle([RON, BUST], "tenhou").final
    assert final is not None
    assert points == {"e": final[0], "b": final[1] - 1000, "c": final[2], "d": final[3], "f": 0}


@pytest.mark.slow
async def test_entries_at_the_same_moment_are_put_in_order(services: Services) -> None:
    mina, event = await opened(services)
    bodies = [HandBody(id=f"hand-000{i // 3}", follows="", hand=RON) for i in range(9)]
    work = (starting_games.enter_hand(services, mina, event, GAME, body) for body in bodies)
    outcomes = await asyncio.gather(*work, return_exceptions=True)
    won = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
    lost = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert len(won) == 3
    assert {version.id for version in won} == {won[0].id}
    assert {type(error) for error in lost} == {starting_games.HandConflictError}
    async with services.store.reading() as connection:
        rows = (await connection.execute(text("SELECT id FROM hand_versions"))).scalars().all()
    assert rows == [won[0].id]


async def test_a_failed_change_leaves_nothing(services: Services) -> None:
    mina, event = await opened(services)
    before = (await services.events.find(event)).revision
    with pytest.raises(JantakuError, match="already"):
        async with services.events.changing(event, mina) as change:
            await add_listed(change, [Listed("new", "", "new"), Listed("again", "", "a")])
    assert (await services.events.find(event)).revision == before
    assert "new" not in [entry.id for entry in await services.entries.all(event)]


async def test_rounds_are_seated_played_and_reseated(services: Services) -> None:
    mina, event = await opened(services)
    async with services.events.changing(event, mina) as change:
        stages = [StagePlan("league"), StagePlan("main", "rounds")]
        plan = change.event.plan.model_copy(update={"stages": stages})
        await change.connection.execute(update(events).where(events.c.id == event).values(plan=plan))
        await save_rounds(change, [drafted(1, "abcd", "ef"), drafted(2, "bcda", "ef")])
        await save_absences(change, "main", "e", [Absence("e", 2, None)])
        made = Webhook(event, "w", "https://webhook.invalid/", "s", ["seating", "start", "correction"], 0)
        await add_webhook(change.connection, made)
    rights = await rights_in(services, event, mina)
    await running_rounds.set_settings(services, rights, "main", SetRounds(minutes=60, bye_points=500))
    await running_rounds.publish(services, rights, "main", PublishRounds(start=True))
    await running_rounds.set_timer(services, rights, ("main", 1), TimerBody(extra_s=60, table=1))
    body = ChangeSeats(swap=["a", "e"], why="they sat so")
    await seat_changes.reseat(services, rights, ("main", 1), body)
    finish = FinishTable(scores=[40000, 30000, 20000, 10000], why="paper")
    await running_rounds.finish_table(services, rights, ("main", 1, 1), finish)
    await seat_changes.replace(services, rights, "main", ReplaceBody(entry="b", by="e"))
    await running_rounds.finish_round(services, rights, ("main", 1), FinishRound())
    rows = await services.rounds.of(event, "main")
    assert [(row.state, row.seating, row.byes) for row in rows.rounds] == [
        ("done", [["e", "b", "c", "d"]], ("a", "f")),
        ("published", [["e", "c", "d", "a"]], ("f",)),
    ]
    assert rows.rounds[0].tables[0].extra_s == 60
    assert rows.absences == [Absence("b", 2, None), Absence("e", 2, None)]
    answer = await StandingsCache(services).get((await rights_in(services, event, mina)).event)
    points = {row.player: row.points for row in answer.stages[1].standings}
    assert (points["a"], points["f"]) == (500, 500)
    assert sum(points.values()) == 1000
    due, later = await services.webhooks.due(5)
    assert ([delivery.number for delivery in due], later) == ([1], None)
    kinds = [delivery.kind for delivery in await services.webhooks.deliveries(event, 50)]
    assert kinds[::-1] == ["seating", "seating", "start", "seating", "seating"]


def drafted(number: int, players: str, byes: str) -> RoundRow:
    return RoundRow("main", number, "drafted", "import", None, (SeatedTable(tuple(players)),), tuple(byes))


async def test_a_seating_never_overwrites_what_changed_in_the_meantime(services: Services) -> None:
    mina, event = await opened(services)
    plan = EventPlan(stages=[StagePlan("main", "rounds")])
    async with services.events.changing(event, mina) as change:
        await change.connection.execute(update(events).where(events.c.id == event).values(plan=plan))
    rights = await rights_in(services, event, mina)
    stage = await stage_in(services, rights, "main")
    async with services.events.changing(event, mina) as change:
        assert await unchanged(change, stage) == stage.rows
        await save_rounds(change, [drafted(1, "abcd", "ef")])
    with pytest.raises(JantakuError) as error:
        async with services.events.changing(event, mina) as change:
            await unchanged(change, stage)
    assert error.value.code == "rounds_moved_on"


async def test_a_new_name_leaves_the_rules_that_somebody_changes_at_the_same_moment(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    mina = PersonRow(new_id(), "Mina", "mina", "player", "ko")
    await services.accounts.add(mina)
    event = await create(services, mina, CreateEvent(name="대회", rules="tenhou"))
    whole = services.rulesets.find

    async def find(*asked: str) -> Ruleset:
        answer = await whole(*asked)
        monkeypatch.setattr(services.rulesets, "find", whole)
        await change_plan(services, await rights_in(services, event, mina), ChangeEvent(rules="standard"))
        return answer

    monkeypatch.setattr(services.rulesets, "find", find)
    await change_plan(services, await rights_in(services, event, mina), ChangeEvent(name="새 이름"))
    row = await services.events.find(event)
    assert (row.rules, row.name) == ("standard", "새 이름")


# Seasons, side bets and the hands of statistics in SQLite and in PostgreSQL, without HTTP


RESULT = {"over": True, "scores": [0] * 4, "final": [4, 3, 2, 1], "places": [1, 2, 3, 4]}


async def opened_season_storage(services: Services, games: int) -> tuple[PersonRow, str]:
    """An organiser, and an event with confirmed games of one hand each."""
    mina = PersonRow(new_id(), "Mina", "mina", "player", "ko")
    await services.accounts.add(mina)
    event = await create(services, mina, CreateEvent(name="대회", rules="tenhou"))
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
    mina, event = await opened_season_storage(services, 0)
    season = new_id()
    parts = (PartRow(season, "z", 0, "예선", True, event), PartRow(season, "a", 1, "", False, None))
    turned = tuple(replace(part, number=1 - part.number) for part in parts[::-1])
    row = SeasonRow(season, "시즌", 20, True, mina.id, 5, parts=parts)
    await services.seasons.add(row, 1)
    assert await services.seasons.find(row.id) == row
    with pytest.raises(ServerError) as full:
        await services.seasons.add(replace(row, id=new_id()), 1)
    assert full.value.code == "too_many_seasons"
    changed = replace(row, cut=None, parts=turned, listed=False, revision=2)
    await services.seasons.change(row.id, {"cut": None, "listed": False}, turned, 1)
    assert (await services.seasons.of(mina.id, None, 10)).rows == [changed]
    assert (await services.seasons.of(None, None, 10)).rows == []
    with pytest.raises(ServerError) as late:
        await services.seasons.change(row.id, {"cut": 3}, (), 1)
    assert late.value.code == "season_moved_on"
    assert await services.seasons.find(row.id) == changed
    await services.seasons.change(row.id, {"cut": 3}, None)
    assert await services.seasons.find(row.id) == replace(changed, cut=3, revision=3)


async def test_bets_are_read_by_the_two_alone(services: Services) -> None:
    mina, event = await opened_season_storage(services, 1)
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
    mina, event = await opened_season_storage(services, 3)
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
    mina, event = await opened_season_storage(services, 2)
    broken = hand_versions.update().where(hand_versions.c.game == "game-0000").values(hand='{"end": "?"}')
    async with services.store.writing() as connection:
        await connection.execute(broken)
    answer = await StatisticsCache(services).get((await rights_in(services, event, mina)).event)
    brief = answer.player("a", rated=True).figures.brief
    assert (brief.games, brief.games_with_hands, brief.points) == (2, 1, 8)


async def test_statistics_are_computed_again_only_when_results_change(services: Services) -> None:
    mina, event = await opened_season_storage(services, 1)
    cache = StatisticsCache(services)
    row = (await rights_in(services, event, mina)).event
    first = await cache.get(row)
    assert await cache.get(row._replace(revision=row.revision + 1)) is first
    second = await cache.get(row._replace(results=row.results + 1))
    assert second is not first
    assert second.settled == first.settled
    game = ("game-0000", "h1")
    assert second.settled[game] is first.settled[game]


# Two requests at one moment never make two people of one in a season, in SQLite and in PostgreSQL


async def season(services: Services) -> tuple[PersonRow, list[str]]:
    """Somebody, and the two open events of a season."""
    mina = PersonRow(new_id(), "Mina", "mina", "player", "ko")
    await services.accounts.add(mina)
    events = [
        await create(
            services,
            mina,
            CreateEvent(name=name, rules="tenhou", registration=Registration(open=True)),
        )
        for name in "ab"
    ]
    season = new_id()
    parts = tuple(PartRow(season, event, i, "", True, event) for i, event in enumerate(events))
    row = SeasonRow(season, "Year", None, True, mina.id, 0, parts=parts)
    await services.seasons.add(row, 10)
    return mina, events


async def rows_of(services: Services, events: list[str]) -> list[EntryRow]:
    return [row for event in events for row in await services.entries.all(event)]


async def test_who_registers_for_two_events_at_once_is_one_person(services: Services) -> None:
    mina, events = await season(services)

    async def enter(event: str) -> None:
        async with services.events.changing(event, mina) as change:
            await register(change, mina, Listed("Mina"))
            await asyncio.sleep(0.2)  # the other request comes before this one is stored

    await asyncio.gather(*map(enter, events))
    rows = await rows_of(services, events)
    assert {row.person for row in rows} == {mina.id}
    assert len({row.player for row in rows}) == 1
    assert [row.namesake for row in rows] == [1, 1]


async def test_who_claims_two_names_at_once_is_one_person(services: Services) -> None:
    mina, events = await season(services)
    for event, name in zip(events, ("Mina", "Minah"), strict=True):
        async with services.events.changing(event, mina) as change:
            await add_listed(change, [Listed(name, "", "m")])
            assert await claims.claim_entry(change, mina, await entry_of(change, "m"), "card") == TAKEN
    assert len({row.player for row in await rows_of(services, events)}) == 2
    await asyncio.gather(*(entries.owned(services, mina, event, "m") for event in events))
    rows = await rows_of(services, events)
    assert {(row.player, row.name, row.person) for row in rows} == {(rows[0].player, "Mina", mina.id)}
