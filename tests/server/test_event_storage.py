"""Recorded games in SQLite and in PostgreSQL, without HTTP."""

import asyncio
import json

import pytest
from sqlalchemy import text, update

from jantaku.club import settle
from jantaku.errors import JantakuError
from jantaku.rules import Ruleset
from jantaku.server.events.common.event import EventPlan, rights_in
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
from jantaku.server.events.registration.entries import Listed, add_listed
from jantaku.server.events.registration.entries import merge_entries as merge
from jantaku.server.events.results.counted_results import StandingsCache
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
from jantaku.server.storage.entries import entry_of
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.rounds import Absence, RoundRow, SeatedTable, save_absences, save_rounds
from jantaku.server.storage.schema import events
from jantaku.server.storage.services import Services
from jantaku.server.storage.webhooks import Webhook, add_webhook
from server.clubs import BUST, RON

pytestmark = pytest.mark.anyio
GAME = "game-0001"


async def opened(services: Services) -> tuple[PersonRow, str]:
    """An organiser and an event with a game of four people."""
    mina = PersonRow(new_id(), "Mina", "mina", "player", "ko")
    await services.accounts.add(mina)
    event = await create(services, mina, CreateEvent(name={"ko": "대회"}, rules="tenhou"))
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
        stages = '[{"id":"league"},{"id":"main","kind":"rounds"}]'
        plan = EventPlan.model_validate_json(change.event.plan).model_dump_json(by_alias=True)
        plan = json.dumps(json.loads(plan) | {"stages": json.loads(stages)})
        await change.connection.execute(update(events).where(events.c.id == event).values(plan=plan))
        await save_rounds(change, [drafted(1, "abcd", "ef"), drafted(2, "bcda", "ef")])
        await save_absences(change, "main", "e", [Absence("e", 2, None)])
        made = Webhook(event, "w", "https://webhook.invalid/", "s", ("seating", "start", "correction"), 0)
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
    plan = {"stages": [{"id": "main", "kind": "rounds"}]}
    async with services.events.changing(event, mina) as change:
        await change.connection.execute(
            update(events).where(events.c.id == event).values(plan=json.dumps(plan))
        )
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
    event = await create(services, mina, CreateEvent(name={"ko": "대회"}, rules="tenhou"))
    whole = services.rulesets.find

    async def find(*asked: str) -> Ruleset:
        answer = await whole(*asked)
        monkeypatch.setattr(services.rulesets, "find", whole)
        await change_plan(services, await rights_in(services, event, mina), ChangeEvent(rules="standard"))
        return answer

    monkeypatch.setattr(services.rulesets, "find", find)
    await change_plan(services, await rights_in(services, event, mina), ChangeEvent(name={"ko": "새 이름"}))
    row = await services.events.find(event)
    assert (row.rules, row.name) == ("standard", {"ko": "새 이름"})
