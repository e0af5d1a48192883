"""Events in SQLite and PostgreSQL without HTTP: changes in several steps, and concurrent requests."""

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import text, update

from jantaku.club import GameResult, settle
from jantaku.club.recorded_hands import HandVersion
from jantaku.errors import JantakuError
from jantaku.rules import Ruleset
from jantaku.server.events.common.event_bodies import ChangeEvent
from jantaku.server.events.organising.event_changes import change_plan
from jantaku.server.events.recording import desk, starting_games
from jantaku.server.events.recording.desk import CallBody, PenaltyBody
from jantaku.server.events.recording.recorded_game import ConfirmBody, confirm
from jantaku.server.events.registration import claims, entries
from jantaku.server.events.registration.entries import ListedPlayer, add_listed, merge_entries, register_entry
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
from jantaku.server.storage.people import new_id
from jantaku.server.storage.recorded_games import (
    BetRow,
    VersionRow,
    add_bet,
    add_versions,
    change_game,
    decide_bet,
)
from jantaku.server.storage.rounds import RoundRow, SeatedTable, save_absences, save_rounds
from jantaku.server.storage.seasons import PartRow, SeasonRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.webhooks import Webhook, add_webhook
from server.clubs import BUST, RON, SCORES
from server.stored_clubs import GAME, StoredClub, refusal

MAIN = ("main", 1)


async def test_a_game_is_recorded_from_start_to_standings(services: Services) -> None:
    club = await StoredClub.open(services)
    answers = [await club.enter("hand-0001", RON) for _ in range(2)]
    assert answers[0] == answers[1]
    await club.enter("hand-0002", BUST, "hand-0001")
    rights, who = await club.rights(), club.mina
    await desk.call_referee(services, rights, who, CallBody(game=GAME, label="3"))
    await desk.close_call(services, rights, who, 1, "done")
    for _ in range(2):
        await confirm(services, await club.table(), who, ConfirmBody(head="hand-0002", everybody=True))
    penalty = PenaltyBody(stage="league", entry="b", game=GAME, points=-1000, why="late")
    await desk.give_penalty(services, rights, who, penalty)
    async with club.changing() as change:
        await merge_entries(change, await entry_of(change, "a"), await entry_of(change, "e"), "one person")
    final = settle([RON, BUST], "tenhou").final
    assert final is not None
    assert await club.points() == {"e": final[0], "b": final[1] - 1000, "c": final[2], "d": final[3], "f": 0}


@pytest.mark.slow
async def test_concurrent_hands_are_stored_in_order(services: Services) -> None:
    club = await StoredClub.open(services)
    work = (club.enter(f"hand-000{i // 3}", RON) for i in range(9))
    outcomes = await asyncio.gather(*work, return_exceptions=True)
    won = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
    lost = {type(outcome) for outcome in outcomes if isinstance(outcome, BaseException)}
    assert (len(won), lost) == (3, {starting_games.HandConflictError})
    async with services.store.reading() as connection:
        rows = (await connection.execute(text("SELECT id FROM hand_versions"))).scalars().all()
    assert {version.id for version in won} == {*rows}
    assert len(rows) == 1


async def test_a_failed_change_is_rolled_back(services: Services) -> None:
    club = await StoredClub.open(services)
    before = (await club.row()).revision
    with pytest.raises(JantakuError, match="already"):
        async with club.changing() as change:
            await add_listed(change, [ListedPlayer("new", "", "new"), ListedPlayer("again", "", "a")])
    assert (await club.row()).revision == before
    assert "new" not in [entry.id for entry in await services.entries.all(club.id)]


def drafted(event: str, number: int, players: str, byes: str) -> RoundRow:
    return RoundRow(
        event, "main", number, "drafted", "import", None, (SeatedTable(tuple(players)),), tuple(byes)
    )


async def test_rounds_are_seated_played_and_reseated(services: Services) -> None:
    club = await StoredClub.open(services)
    async with club.changing() as change:
        await save_rounds(change, [drafted(club.id, 1, "abcd", "ef"), drafted(club.id, 2, "bcda", "ef")])
        await save_absences(change, "main", "e", [(2, None)])
        kinds = ["seating", "start", "correction"]
        await add_webhook(change.connection, Webhook(club.id, "w", "https://webhook.invalid/", "s", kinds, 0))
    rights = await club.rights()
    await running_rounds.set_settings(services, rights, "main", SetRounds(minutes=60, bye_points=500))
    await running_rounds.publish(services, rights, "main", PublishRounds(start=True))
    await running_rounds.set_timer(services, rights, MAIN, TimerBody(extra_s=60, table=1))
    await seat_changes.reseat(services, rights, MAIN, ChangeSeats(swap=["a", "e"], why="they sat so"))
    finish = FinishTable(scores=SCORES, why="paper")
    await running_rounds.finish_table(services, rights, (*MAIN, 1), finish)
    await seat_changes.replace(services, rights, "main", ReplaceBody(entry="b", by="e"))
    await running_rounds.finish_round(services, rights, MAIN, FinishRound())
    rows = await services.rounds.of(club.id, "main")
    assert [(row.state, row.seating, row.byes) for row in rows.rounds] == [
        ("done", [["e", "b", "c", "d"]], ("a", "f")),
        ("published", [["e", "c", "d", "a"]], ("f",)),
    ]
    assert rows.rounds[0].tables[0].extra_s == 60
    assert [(row.entry, *row.span) for row in rows.absences] == [("b", 2, None), ("e", 2, None)]
    points = await club.points("main")
    assert (points["a"], points["f"], sum(points.values())) == (500, 500, 1000)
    due, later = await services.webhooks.due(5)
    assert ([delivery.number for delivery in due], later) == ([1], None)
    sent = [delivery.kind for delivery in await services.webhooks.deliveries(club.id, 50)]
    assert sent[::-1] == ["seating", "seating", "start", "seating", "seating"]


async def test_a_seating_never_overwrites_concurrent_changes(services: Services) -> None:
    club = await StoredClub.open(services)
    stage = await stage_in(services, await club.rights(), "main")
    async with club.changing() as change:
        assert await unchanged(change, stage) == stage.rows
        await save_rounds(change, [drafted(club.id, 1, "abcd", "ef")])
    with refusal("rounds_moved_on"):
        async with club.changing() as change:
            await unchanged(change, stage)


async def test_renaming_an_event_preserves_a_concurrent_rules_change(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = await StoredClub.open(services, "")
    whole = services.rulesets.find

    async def find(*key: str) -> Ruleset:
        answer = await whole(*key)
        monkeypatch.setattr(services.rulesets, "find", whole)
        await change_plan(services, await club.rights(), ChangeEvent(rules="standard"))
        return answer

    monkeypatch.setattr(services.rulesets, "find", find)
    await change_plan(services, await club.rights(), ChangeEvent(name="새 이름"))
    row = await club.row()
    assert (row.rules, row.name) == ("standard", "새 이름")


# Seasons, side bets and the hands used for statistics


RESULT = GameResult(True, (0, 0, 0, 0), (4, 3, 2, 1), (1, 2, 3, 4))


async def played(services: Services, games: int) -> StoredClub:
    """Create an event with confirmed games named game-0001 and so on, each of which has one hand."""
    club = await StoredClub.open(services, "abcd")
    for i in range(1, games + 1):
        await club.start(f"game-000{i}")
        row = await services.recorded.find(club.id, f"game-000{i}")
        async with club.changing() as change:
            hand = HandVersion("h1", "", 1, "add", 0, BUST, club.mina.id, None, 1, "")
            await add_versions(change, [(row.id, hand)])
            await change_game(change, row, head="h1", revision=1, result=RESULT, status="confirmed")
            change.results_change = True
    return club


async def test_a_season_keeps_its_parts_in_order(services: Services) -> None:
    club, season = await StoredClub.open(services, ""), new_id()
    parts = (PartRow(season, "z", 0, "예선", True, club.id), PartRow(season, "a", 1, "", False, None))
    turned = tuple(replace(part, number=1 - part.number) for part in parts[::-1])
    row = SeasonRow(season, "시즌", 20, True, club.mina.id, 5, parts=parts)
    await services.seasons.add(row, 1)
    assert await services.seasons.find(row.id) == row
    with refusal("too_many_seasons"):
        await services.seasons.add(replace(row, id=new_id()), 1)
    changed = replace(row, cut=None, parts=turned, listed=False, revision=2)
    await services.seasons.change(row.id, {"cut": None, "listed": False}, turned, 1)
    assert (await services.seasons.of(club.mina.id, None, 10)).rows == [changed]
    assert (await services.seasons.of(None, None, 10)).rows == []
    with refusal("season_moved_on"):
        await services.seasons.change(row.id, {"cut": 3}, (), 1)
    assert await services.seasons.find(row.id) == changed
    await services.seasons.change(row.id, {"cut": 3}, None)
    assert await services.seasons.find(row.id) == replace(changed, cut=3, revision=3)


async def test_bets_are_visible_only_to_their_two_players(services: Services) -> None:
    club = await StoredClub.open(services)
    row = BetRow(club.id, 0, GAME, club.mina.id, "other", "fixed", 5, "offered", 1)
    for _ in range(2):
        async with club.changing() as change:
            await add_bet(change, row, 2)
    with refusal("too_many_bets"):
        async with club.changing() as change:
            await add_bet(change, row, 2)
    first, second = await services.bets.of(club.id, "other")
    assert (first.number, second.number) == (1, 2)
    async with club.changing() as change:
        await decide_bet(change, first, "agreed")
    with refusal("bet_decided"):
        async with club.changing() as change:
            await decide_bet(change, first, "declined")
    assert [bet.status for bet in await services.bets.of(club.id, club.mina.id)] == ["agreed", "offered"]
    assert await services.bets.of(club.id, "third") == []


@pytest.mark.parametrize("named", [0, 500])
async def test_hands_are_read_in_batches(
    services: Services, monkeypatch: pytest.MonkeyPatch, named: int
) -> None:
    monkeypatch.setattr(recorded_games, "BATCH_ROWS", 1)
    monkeypatch.setattr(recorded_games, "MAX_IDS", named)
    club = await played(services, 3)
    wanted = [GAME, "game-0003"]
    versions_of = await services.recorded.versions(club.id, wanted)
    assert list(versions_of) == wanted
    assert [version.hand for versions in versions_of.values() for version in versions] == [BUST, BUST]
    assert await services.recorded.versions(club.id, []) == {}
    statistics = await StatisticsCache(services).get(await club.row())
    assert statistics.player("a", rated=True).figures.rates["win"].count == 3


async def test_an_unsettleable_game_counts_by_its_points(services: Services) -> None:
    club = await played(services, 2)
    broken = update(VersionRow).where(VersionRow.game == GAME).values(hand={"end": "?"})
    async with services.store.writing() as connection:
        await connection.execute(broken)
    answer = await StatisticsCache(services).get(await club.row())
    brief = answer.player("a", rated=True).figures.brief
    assert (brief.games, brief.games_with_hands, brief.points) == (2, 1, 8)


async def test_statistics_are_recomputed_only_when_results_change(services: Services) -> None:
    club = await played(services, 1)
    cache = StatisticsCache(services)
    row = await club.row()
    first = await cache.get(row)
    assert await cache.get(replace(row, revision=row.revision + 1)) is first
    second = await cache.get(replace(row, results=row.results + 1))
    assert second is not first
    assert second.settled == first.settled
    game = (GAME, "h1")
    assert second.settled[game] is first.settled[game]


# Concurrent requests never turn one person into two players of a season


async def season(services: Services) -> list[StoredClub]:
    """Create a season with two open events."""
    first = await StoredClub.open(services, "", registration={"open": True})
    second = await StoredClub.open(services, "", first.mina, registration={"open": True})
    season = new_id()
    parts = tuple(PartRow(season, club.id, i, "", True, club.id) for i, club in enumerate((first, second)))
    await services.seasons.add(SeasonRow(season, "Year", None, True, first.mina.id, 0, parts=parts), 10)
    return [first, second]


async def rows_of(clubs: list[StoredClub]) -> list[EntryRow]:
    return [row for club in clubs for row in await club.services.entries.all(club.id)]


async def test_concurrent_registrations_for_two_events_are_one_player(services: Services) -> None:
    clubs = await season(services)

    async def enter(club: StoredClub) -> None:
        async with club.changing() as change:
            await register_entry(change, club.mina, ListedPlayer("Mina"))
            await asyncio.sleep(0.2)  # the other request arrives before this one is stored

    await asyncio.gather(*map(enter, clubs))
    rows = await rows_of(clubs)
    assert {row.person for row in rows} == {clubs[0].mina.id}
    assert len({row.player for row in rows}) == 1
    assert [row.namesake for row in rows] == [1, 1]


async def test_concurrent_claims_of_two_names_are_one_player(services: Services) -> None:
    clubs = await season(services)
    for club, name in zip(clubs, ("Mina", "Minah"), strict=True):
        async with club.changing() as change:
            await add_listed(change, [ListedPlayer(name, "", "m")])
            assert await claims.claim_entry(change, club.mina, await entry_of(change, "m"), "card") == TAKEN
    assert len({row.player for row in await rows_of(clubs)}) == 2
    await asyncio.gather(*(entries.share_account(services, club.mina, club.id, "m") for club in clubs))
    rows = await rows_of(clubs)
    assert {(row.player, row.name, row.person) for row in rows} == {
        (rows[0].player, "Mina", clubs[0].mina.id)
    }
