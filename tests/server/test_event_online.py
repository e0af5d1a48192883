"""Games of the parlour that count for an event by themselves, in SQLite and in PostgreSQL."""

import asyncio
import dataclasses
import json
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from jantaku.club import GameResult, settle
from jantaku.club.as_entered import end_of, played_hands
from jantaku.game import Game
from jantaku.records.native.hand_log import hand_logs
from jantaku.rules import Ruleset, load
from jantaku.server.edge.protocol import TableOptions
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import rights_in
from jantaku.server.events.common.event_bodies import CreateEvent, create
from jantaku.server.events.online import online_counter as online
from jantaku.server.events.online.online_counter import OnlineCounter, recorded_id
from jantaku.server.events.recording.desk import held_up_games
from jantaku.server.events.recording.recorded_game import game_view, table_of
from jantaku.server.events.recording.starting_games import admitted_to
from jantaku.server.events.registration.entries import Listed, decide
from jantaku.server.events.registration.entries import register_entry as register
from jantaku.server.events.results.counted_results import StandingsCache
from jantaku.server.events.results.statistics import StatisticsCache
from jantaku.server.storage.entries import entry_of
from jantaku.server.storage.event_plan import StagePlan
from jantaku.server.storage.events import DOUBT, CallRow, EventRow
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.recorded_games import RecordedGameRow, add_games
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.tables import Sitter, TableRow
from jantaku.server.storage.writer import Move
from jantaku.server.tasks import Backoffs
from server.clubs import Gathering, Tournament, refused
from server.parlour import Message, Person, open_server, quick, simplest
from support.playing import played


class League:
    """An open league with four entries, and games of the parlour that are played for it."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.people = [PersonRow(new_id(), name, new_id(), "player", "ko") for name in "abcd"]
        self.counter = OnlineCounter(services, StandingsCache(services))
        self.event = ""

    async def open(self, **stage: Any) -> None:
        """Open the league; everybody registers."""
        for person in self.people:
            await self.services.accounts.add(person)
        body = CreateEvent(
            name="리그", rules="tenhou", stages=[StagePlan(id="league", **stage), StagePlan(id="b")]
        )
        self.event = await create(self.services, self.people[0], body)
        for person in self.people:
            async with self.services.events.changing(self.event, person) as change:
                await register(change, person, Listed(person.name))

    async def play(
        self, game: Game, people: Sequence[PersonRow | None] = (), delay: float = 0, **row: Any
    ) -> GameRow:
        """Store a game that four people (or ``None`` for a bot) have played at a table of the league."""
        sitters = tuple(
            Sitter(person.name, person.id) if person else Sitter("Ren", bot="random")
            for person in (people or self.people)
        )
        rules, options = game.rules, TableOptions(rated=True, spectator_delay_s=delay)
        table = TableRow(
            new_id()[:8], "", self.people[0].id, rules.id, rules.fingerprint, options, sitters=sitters,
            status="finished", game=1, event=self.event, stage="league",
        )  # fmt: skip
        await self.services.seating.add(table)
        await self.services.rulesets.save(rules)
        start = GameRow(
            new_id(), table.id, 1, game.seed or b"", rules.id, rules.fingerprint, sitters,
            started=row.pop("started", now_ms() - 3_600_000),
        )  # fmt: skip
        await self.services.games.begin(start, table)
        self.services.writer.start()
        moves = [Move(start.id, i, seat, str(action), None) for i, (_, seat, action) in enumerate(game.moves)]
        await asyncio.gather(*map(self.services.writer.write, moves))
        ended = end_of(game)
        result = {"final": list(ended.final), "places": list(ended.places)} if ended else None
        values: dict[str, Any] = {"status": "finished", "ended": now_ms(), "result": result} | row
        end = dataclasses.replace(start, **values)
        await self.services.games.end(end, table, hand_logs(game, ended=True) if ended else [], 0, {})
        return end

    async def outcome(self, game: GameRow) -> tuple[str, int | None]:
        """What became of a game."""
        await self.counter.decide_all()
        event = await self.services.online.of_event(self.event, 50)
        return next((row.outcome, row.seat) for row, row_of in event if row_of.id == game.id)

    async def counted(self) -> int:
        """How many recorded games the league has."""
        return len(await self.services.recorded.all(self.event))


@pytest.mark.slow
async def test_a_finished_game_counts_once_with_its_hands_and_yaku(services: Services) -> None:
    league, game = League(services), played("tenhou", 3)
    await league.open()
    row = await league.play(game)
    await asyncio.gather(*(league.counter.decide_all() for _ in range(3)))
    assert await league.outcome(row) == ("counted", None)
    again = OnlineCounter(services, StandingsCache(services))  # a server that starts after a crash
    await again.decide_all()
    assert await league.counted() == 1
    rights = await rights_in(services, league.event, league.people[0])
    shown = await game_view(services, await table_of(services, rights, recorded_id(row.id)))
    assert (shown.status, shown.replay, shown.may_record) == ("confirmed", row.id, False)
    assert [hand.hand for hand in shown.hands] == played_hands(game)
    assert (shown.final, shown.places) == (list(row.result["final"]), list(row.result["places"]))  # type: ignore[index]
    wins = [win for hand in shown.hands for win in hand.hand.get("wins", ())]
    assert wins
    assert all(win["yaku"] for win in wins)
    answer = await league.counter._standings.get(rights.event)
    points = {standing.player: standing.points for standing in answer.stages[0].standings}
    assert [points[seat.entry] for seat in shown.seats] == shown.final


@pytest.mark.slow
async def test_a_game_counts_once_watchers_have_seen_its_end(services: Services) -> None:
    """Standings used to tell at once how a game had ended that watchers still saw being played."""
    league = League(services)
    await league.open()
    hidden = await league.play(played("tenhou", 4), delay=600)
    shown = await league.play(played("tenhou", 3), delay=1)
    league.counter.start()
    async with asyncio.timeout(10):
        while not await league.counted():
            await asyncio.sleep(0.05)
    assert now_ms() >= (shown.ended or 0) + 1000
    await league.counter.stop()
    assert [game.id for _, game in await services.online.of_event(league.event, 50)] == [shown.id]
    assert [row.game.id for row in (await services.online.undecided((-1, ""), 9))[0]] == [hidden.id]


@pytest.mark.parametrize(("minutes", "reasons"), [(40, []), (2, ["quick"])])
@pytest.mark.slow
async def test_a_game_that_nobody_plays_so_quickly_is_shown_to_the_desk(
    services: Services, minutes: int, reasons: list[str]
) -> None:
    """Four accounts of one person who let each other win: it counts, and a referee looks at it."""
    league = League(services)
    await league.open()
    row = await league.play(played("tenhou", 3), started=now_ms() - minutes * 60_000)
    assert await league.outcome(row) == ("counted", None)
    calls = await services.desk.calls(league.event, CallRow.kind == DOUBT, most=9)
    assert [code for call in calls for code, _ in json.loads(call.why)] == reasons


@pytest.mark.slow
async def test_statistics_leave_out_hands_that_the_table_played_for_somebody(services: Services) -> None:
    """The game counts for the standings as it ended."""
    league, game = League(services), played("tenhou", 3)
    await league.open()
    ended = end_of(game)
    assert ended is not None
    result = {"final": list(ended.final), "places": list(ended.places), "absent": [[], [0, 2], [], []]}
    await league.play(game, result=result)
    await league.counter.decide_all()
    event = await services.events.find(league.event)
    statistics = await StatisticsCache(services).compute(event)
    count = len(played_hands(game))
    hands = [
        len(statistics.player(player.entry, rated=False).figures.hands) for player in statistics.brief.players
    ]
    assert sorted(hands) == [count - 2, count, count, count]
    assert sum(sum(player.figures.places) for player in statistics.brief.players) == 4


@pytest.mark.slow
async def test_a_crash_between_the_end_of_a_game_and_its_record_loses_nothing(services: Services) -> None:
    league = League(services)
    await league.open()
    await league.play(played("tenhou", 4))  # the server stops here
    assert await league.counted() == 0
    counter = OnlineCounter(services, StandingsCache(services))
    counter.start()
    while not await league.counted():
        await asyncio.sleep(0.02)
    await counter.stop()
    assert await league.counted() == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "why", "seat"),
    [
        ("unfinished", "unfinished", None),
        ("rules", "rules", None),
        ("bot", "bots", 2),
        ("stranger", "strangers", 1),
        ("withdrawn", "strangers", 3),
        ("late", "stage_closed", None),
    ],
)
async def test_a_game_that_does_not_count_says_why(
    services: Services, case: str, why: str, seat: int | None
) -> None:
    league = League(services)
    await league.open(**({"closes": "2020-01-01T00:00:00Z"} if case == "late" else {}))
    people: list[PersonRow | None] = list(league.people)
    if case == "bot":
        people[2] = None
    if case == "stranger":
        people[1] = PersonRow(new_id(), "x", None, "player", "en")
    if case == "withdrawn":
        entry = await services.entries.of_person(league.event, league.people[3].id)
        assert entry is not None
        async with services.events.changing(league.event, league.people[0]) as change:
            await decide(change, await entry_of(change, entry.id), "withdrawn", "")
    game = played("wrc" if case == "rules" else "tenhou", 5)
    row = await league.play(game, people, status="aborted" if case == "unfinished" else "finished")
    assert await league.outcome(row) == (why, seat)
    assert await league.counted() == 0


@pytest.mark.slow
async def test_the_same_game_is_not_recorded_under_two_names(services: Services) -> None:
    league, game = League(services), played("tenhou", 6)
    await league.open()
    first = await league.play(game)
    second = await league.play(game)
    assert await league.outcome(first) == ("counted", None)
    assert await league.outcome(second) == ("known", None)


@pytest.mark.slow
async def test_a_game_that_a_bug_keeps_from_being_read_does_not_keep_others_from_counting(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    league = League(services)
    await league.open()
    first, second = await league.play(played("tenhou", 3)), await league.play(played("tenhou", 5))
    whole, seen = online.content_of, list[Game]()

    def failing(game: Game, rules: Ruleset) -> Any:
        seen.append(game)
        if len(seen) == 1:
            raise KeyError("a bug")
        return whole(game, rules)

    monkeypatch.setattr(online, "content_of", failing)
    await league.counter.decide_all()
    assert [await league.outcome(game) for game in (first, second)] == [
        ("unreadable", None),
        ("counted", None),
    ]


@pytest.mark.slow
async def test_games_that_cannot_be_decided_hold_up_no_other_and_are_logged_once(
    services: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """More games than are read at once belong to a stage whose rules are incomplete for a while."""
    monkeypatch.setattr(online, "AT_ONCE", 2)
    held, free = League(services), League(services)
    await held.open()
    await free.open()
    stuck = [await held.play(played("tenhou", seed)) for seed in (1, 2, 3)]
    good = await free.play(played("tenhou", 4))
    counter, missing = free.counter, {held.event}
    whole = admitted_to

    async def admitted(event: EventRow, stage: str, cache: StandingsCache) -> Any:
        if event.id in missing:
            raise ServerError("no_rules", rules="club")
        return await whole(event, stage, cache)

    monkeypatch.setattr(online, "admitted_to", admitted)
    for _ in range(3):
        await counter.decide_all()
    assert await free.outcome(good) == ("counted", None)
    logged = [row.getMessage() for row in caplog.records if row.levelname == "ERROR"]
    assert len(logged) == 3
    assert all(any(game.id in line for line in logged) for game in stuck)
    shown = held_up_games(counter.held_up(held.event), "ko")
    assert {outcome.replay for outcome in shown} == {game.id for game in stuck}
    wanted = ServerError("no_rules", rules="club").message("ko")
    assert [(outcome.names, outcome.reason) for outcome in shown] == [([*"abcd"], wanted)] * 3
    assert counter.held_up(free.event) == []
    missing.clear()
    counter._backoffs.keep(())  # the pauses are over
    await counter.decide_all()
    assert (await held.counted(), counter.held_up(held.event)) == (3, [])


@pytest.mark.slow
def test_what_fails_is_tried_after_longer_and_longer_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("jantaku.server.tasks.time.monotonic", lambda: now)
    backoffs, waits = Backoffs(2, 10), list[float | None]()
    assert (backoffs.rests("a"), backoffs.wait_s) == (False, None)
    for _ in range(4):
        backoffs.failed("a", "testing", ValueError())
        waits.append(backoffs.wait_s)
        assert backoffs.rests("a")
        now += waits[-1] or 0
        assert not backoffs.rests("a")
    assert waits == [2, 4, 8, 10]
    backoffs.worked("a")
    assert (backoffs.rests("a"), backoffs.wait_s) == (False, None)


@pytest.mark.slow
async def test_a_game_whose_id_is_taken_does_not_keep_others_from_counting(services: Services) -> None:
    league = League(services)
    await league.open()
    first = await league.play(played("tenhou", 7))
    people = [entry.id for entry in await services.entries.all(league.event)]
    key = (league.event, recorded_id(first.id), 1, "league", "", now_ms(), None, "playing", "", 0)
    async with services.events.changing(league.event, league.people[0]) as change:
        await add_games(
            change, [RecordedGameRow(*key, None, GameResult(True, (), None, None), tuple(people))]
        )
    second = await league.play(played("tenhou", 8))
    async with asyncio.timeout(20):
        assert await league.outcome(second) == ("counted", None)
    assert await league.outcome(first) == ("known", None)


@pytest.mark.parametrize("rules", ["bgm-2025", "jpml-a", "wrc", "mahjongtime"])
@pytest.mark.slow
def test_the_hands_of_a_game_come_to_its_points_with_fouls_too(rules: str) -> None:
    for seed in range(2):
        game = played(load(rules), seed)
        settlement, ended = settle(played_hands(game), game.rules), end_of(game)
        assert ended is not None
        assert (settlement.final, settlement.places) == (ended.final, ended.places)


@pytest.mark.slow
def test_a_table_is_opened_for_a_stage_by_somebody_who_plays(url: str) -> None:
    gathering = Gathering(url, rules="tenhou")
    path = f"{gathering.path}/tables"
    table = gathering.players[0].post(path, stage="league", name="A")
    assert (table["event"], table["stage"], table["rules"]["id"]) == (gathering.id, "league", "tenhou")
    assert (table["options"]["rated"], table["options"]["hints"]) == (True, False)
    assert [seat and seat["name"] for seat in table["seats"]][1:] == [None] * 3
    stranger = Person(url, "Stranger")
    assert refused(stranger, "POST", path, stage="league") == (403, "no_playing_entry")
    assert refused(gathering.players[0], "POST", path, stage="x") == (404, "no_stage")
    [listed] = stranger.get(path)["tables"]
    assert listed["problem"] is None
    stranger.post(f"/api/tables/{table['id']}/join")
    [listed] = stranger.get(path, lang="ko")["tables"]
    assert (listed["problem"]["code"], listed["problem"]["seat"]) == ("strangers", 1)
    assert "선수" in listed["problem"]["message"]


# A round that is opened at tables of the parlour: seated by its plan, halted by a referee, counted


WAIT_S = 60.0


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[str]:
    """A server at which nobody is waited for."""
    with open_server(quick(tmp_path, grace_s=0.0)) as url:
        yield url


def seated(tournament: Tournament, tables: list[list[str]]) -> None:
    tournament.post("seating/import", rounds=[tables])
    tournament.post("publish")


def tables(tournament: Tournament) -> list[Message]:
    return sorted(tables_of(tournament), key=lambda table: table["number"])


def tables_of(tournament: Tournament) -> list[Message]:
    return list(tournament.referee.get(f"{tournament.path}/tables")["tables"])


def opened(tournament: Tournament, **body: Any) -> Message:
    return dict(tournament.referee.post(f"{tournament.path}/tables/rounds/main/1", **body))


def first(tournament: Tournament) -> Message:
    round_: Message = tournament.referee.get(tournament.rounds)["rounds"][0]
    return round_


@pytest.mark.slow
def test_a_round_is_opened_by_one_button_and_counts_like_a_recorded_one(hall: str) -> None:
    tournament = Tournament(hall, 8)
    online, paper = tournament.entries[::-1], tournament.names[4:8]
    seated(tournament, [online, paper])
    tournament.post("absences", entry=online[0], first=1)
    answer = opened(tournament, delay_s=0)
    assert (answer["opened"], answer["refused"][0]["problem"]["code"]) == ([], "seated_gone")
    tournament.post("absences", entry=online[0], first=1, present=True)
    answer = opened(tournament, delay_s=0)
    assert answer["opened"] == [1]
    assert [(refusal["table"], refusal["problem"]["code"]) for refusal in answer["refused"]] == [
        (2, "seated_offline")
    ]
    [listed] = tables(tournament)
    table = listed["table"]["id"]
    assert (listed["round"], listed["number"], listed["problem"]) == (1, 1, None)
    assert [seat["person"] for seat in listed["table"]["seats"]] == [
        player.id for player in tournament.players[::-1]
    ]
    assert listed["table"]["owner"] == ""
    assert [row["online"] for row in first(tournament)["tables"]] == [table, None]
    assert first(tournament)["state"] == "running"
    tournament.recorder.post(f"{tournament.rounds}/1/tables/2/start")
    tournament.referee.post(f"{tournament.path}/tables/{table}", action="start")
    end = time.monotonic() + WAIT_S
    while (place := first(tournament)["tables"][0])["game"] is None:
        assert time.monotonic() < end
        time.sleep(0.2)
    assert (place["status"], place["online"]) == ("confirmed", None)
    game = tournament.organiser.get(f"{tournament.path}/games/{place['game']}")
    assert [seat["entry"] for seat in game["seats"]] == online
    assert game["label"] == "1"
    standings = tournament.organiser.get(f"{tournament.path}/standings")["stages"][0]["standings"]
    points = {standing["player"]: standing["points"] for standing in standings if standing["games"]}
    assert [points[entry] for entry in online] == game["final"]
    log = [change["action"] for change in tournament.organiser.get(f"{tournament.path}/log")["changes"]]
    assert {"online_round", "online_table", "online"} <= set(log)


@pytest.mark.slow
def test_a_referee_halts_a_game_and_lets_it_go_on(hall: str) -> None:
    tournament = Tournament(hall, 4)
    seated(tournament, [tournament.entries])
    opened(tournament)
    [listed] = tables(tournament)
    table = listed["table"]["id"]
    path = f"{tournament.path}/tables/{table}"
    with closing(tournament.players[0].socket(table)) as line:
        assert refused(tournament.players[0], "POST", path, action="halt") == (403, "not_referee")
        assert refused(tournament.referee, "POST", path, action="halt") == (409, "not_playing")
        tournament.referee.post(path, action="start")
        own = line.asked()
        assert own is not None
        assert own["left_ms"] is not None
        assert tournament.referee.post(path, action="halt")["halted"]
        stopped = line.until("sync")
        assert stopped["own"]["left_ms"] is None
        refusal = line.act(simplest(own))
        assert refusal["code"] == "table_halted"
        assert not tournament.referee.post(path, action="go_on")["halted"]
        assert line.until("sync")["seq"] == stopped["seq"]
        own = line.asked()
        assert own is not None
        assert own["left_ms"] is not None
        assert line.act(simplest(own))["type"] == "ack"
    tournament.referee.post(path, action="end", why="power cut")
    assert first(tournament)["tables"][0]["game"] is None
    assert opened(tournament)["opened"] == [1]  # it is played again


@pytest.mark.slow
def test_a_table_of_a_round_belongs_to_nobody_and_has_one_game(hall: str) -> None:
    tournament = Tournament(hall, 4)
    seated(tournament, [tournament.entries])
    opened(tournament)
    table = tables(tournament)[0]["table"]["id"]
    for person in (tournament.players[0], tournament.referee):
        assert refused(person, "POST", f"/api/tables/{table}/start") == (403, "not_owner")
    assert opened(tournament)["opened"] == []
    elsewhere = tournament.players[0].table()
    assert refused(
        tournament.referee, "POST", f"{tournament.path}/tables/{elsewhere['id']}", action="halt"
    ) == (
        404,
        "no_table",
    )


@pytest.mark.slow
def test_beside_an_open_table_nothing_begins_and_nobody_is_moved(hall: str) -> None:
    """A game that had been played to its end counted for nothing after any of these."""
    tournament = Tournament(hall, 8)
    paper = tournament.names[4:8]
    seated(tournament, [tournament.entries, paper])
    opened(tournament)
    listed = [{"name": "Reserve", "id": "reserve"}]
    tournament.organiser.post(f"{tournament.path}/entries/list", entries=listed)
    path, gone = f"{tournament.rounds}/1", tournament.entries[0]
    swap, reserve = {"swap": [gone, paper[0]]}, {"entry": gone, "by": "reserve", "now": True}
    online = (409, "round_online")
    for why in ("", "time is up"):
        for whole in (False, True):
            body = {"everything": whole, "why": why}
            assert refused(tournament.referee, "POST", f"{path}/finish", **body) == online
    assert refused(tournament.referee, "POST", f"{path}/seats", why="x", **swap) == online
    assert refused(tournament.referee, "POST", f"{tournament.rounds}/replace", **reserve) == online
    assert refused(tournament.recorder, "POST", f"{path}/tables/1/start") == online
    result = {"table": 1, "scores": [40000, 30000, 20000, 10000]}
    answer = tournament.referee.post(f"{path}/results", results=[result])
    assert [refusal["problem"]["code"] for refusal in answer["refused"]] == ["round_online"]
    assert first(tournament)["tables"][0] | {"players": []} == {
        "number": 1, "players": [], "game": None, "status": None, "extra_s": 0,
        "online": tables(tournament)[0]["table"]["id"],
    }  # fmt: skip


@pytest.mark.slow
def test_a_game_whose_end_watchers_have_not_seen_is_not_lost_to_its_round(hall: str) -> None:
    tournament = Tournament(hall, 4)
    seated(tournament, [tournament.entries])
    opened(tournament, delay_s=20)
    table = tables(tournament)[0]["table"]["id"]
    tournament.referee.post(f"{tournament.path}/tables/{table}", action="start")
    end = time.monotonic() + WAIT_S
    while tournament.players[0].get(f"/api/tables/{table}")["status"] != "finished":
        assert time.monotonic() < end
        time.sleep(0.2)
    path = f"{tournament.rounds}/1"
    for act in ("take-back", "finish", "tables/1/start"):
        assert refused(tournament.referee, "POST", f"{path}/{act}") == (409, "round_online")
    assert opened(tournament)["opened"] == []
    assert first(tournament)["tables"][0]["online"] == table
    while (place := first(tournament)["tables"][0])["game"] is None:
        assert time.monotonic() < end
        time.sleep(0.2)
    assert (place["status"], place["online"]) == ("confirmed", None)
    assert refused(tournament.referee, "POST", f"{path}/take-back") == (409, "round_played")


@pytest.mark.slow
def test_a_round_whose_tables_open_while_it_is_taken_back_goes_on(hall: str) -> None:
    tournament = Tournament(hall, 4)
    seated(tournament, [tournament.entries])
    path = f"{tournament.rounds}/1/take-back"
    for i in range(10):
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(tournament.organiser.post, f"{tournament.path}/tables/rounds/main/1")
            time.sleep(i * 0.006)
            tournament.referee.http.post(path, json={})
        assert answer.result()["opened"] == [1]
        assert first(tournament)["state"] == "running"
        end = {"action": "end", "why": "once more"}
        table = first(tournament)["tables"][0]["online"]
        tournament.referee.post(f"{tournament.path}/tables/{table}", **end)
        tournament.referee.post(path)
        assert first(tournament)["state"] == "published"


@pytest.mark.slow
def test_a_substitute_sits_down_at_an_online_table_that_waits(hall: str) -> None:
    tournament = Tournament(hall, 4)
    seated(tournament, [tournament.entries])
    opened(tournament)
    reserve = tournament.referee.post(f"{tournament.path}/entries")["id"]
    table = tables(tournament)[0]["table"]["id"]
    path = f"{tournament.path}/tables/{table}"
    tournament.referee.post(path, action="end", why="the first player does not come")
    body = {"entry": tournament.entries[0], "by": reserve, "now": True}
    tournament.referee.post(f"{tournament.rounds}/replace", **body)
    assert opened(tournament, delay_s=0)["opened"] == [1]
    again = tables(tournament)[0]["table"]
    wanted = [tournament.referee.id, *(player.id for player in tournament.players[1:])]
    assert [seat["person"] for seat in again["seats"]] == wanted
    tournament.referee.post(f"{tournament.path}/tables/{again['id']}", action="start")
    end = time.monotonic() + WAIT_S
    while (place := first(tournament)["tables"][0])["game"] is None:
        assert time.monotonic() < end
        time.sleep(0.2)
    game = tournament.organiser.get(f"{tournament.path}/games/{place['game']}")
    assert [seat["entry"] for seat in game["seats"]] == [reserve, *tournament.entries[1:]]
    tournament.referee.post(f"{tournament.rounds}/1/finish")
    assert first(tournament)["state"] == "done"


@pytest.mark.slow
def test_an_event_says_who_opens_its_tables_and_whether_they_are_watched(hall: str) -> None:
    tournament = Tournament(hall, 4)
    path, player = f"{tournament.path}/tables", tournament.players[0]
    assert player.post(path, stage="league")["options"]["spectators"]
    shut = {"online_tables": False, "spectators": False}
    tournament.organiser.http.patch(tournament.path, json=shut).raise_for_status()
    assert refused(tournament.players[1], "POST", path, stage="league")[0] == 403
    seated(tournament, [tournament.entries])
    tournament.recorder.post(path, stage="league", spectators=True)
    opened(tournament, spectators=True)
    watched = [table["table"]["options"]["spectators"] for table in tables_of(tournament)]
    assert sorted(watched) == [False, False, True]
    assert shut.items() <= tournament.view(player).items()
