"""Online games count for an event automatically, in SQLite and in PostgreSQL."""

import asyncio
import dataclasses
import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
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
from jantaku.server.events.registration.entries import ListedPlayer, decide
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
from server.clubs import SCORES, Club
from server.parlour import WAIT_S, Message, fast_settings, open_server, simplest_action
from support.playing import played

slow = pytest.mark.slow


class League:
    """An open league with four entries, and online games played in it."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.people = [PersonRow(new_id(), name, new_id(), "player", "ko") for name in "abcd"]
        self.counter = OnlineCounter(services, StandingsCache(services))
        self.event = ""

    async def open(self, **stage: Any) -> "League":
        """Open the league and register all players."""
        for person in self.people:
            await self.services.accounts.add(person)
        body = CreateEvent(
            name="리그", rules="tenhou", stages=[StagePlan(id="league", **stage), StagePlan(id="b")]
        )
        self.event = await create(self.services, self.people[0], body)
        for person in self.people:
            async with self.services.events.changing(self.event, person) as change:
                await register(change, person, ListedPlayer(person.name))
        return self

    async def play(
        self, game: Game, people: Sequence[PersonRow | None] = (), delay: float = 0, **row: Any
    ) -> GameRow:
        """Store a finished game from an online table of the league stage.

        ``None`` in ``people`` stands for a bot.
        """
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
        """Decide which games count; return the outcome of this game and the seat at fault, if any."""
        await self.counter.decide_all()
        event = await self.services.online.of_event(self.event, 50)
        return next((row.outcome, row.seat) for row, row_of in event if row_of.id == game.id)

    async def counted(self) -> int:
        """Return the number of recorded games in the league."""
        return len(await self.services.recorded.all(self.event))


@pytest.fixture
async def league(services: Services) -> League:
    return await League(services).open()


@slow
async def test_a_finished_game_counts_once_with_its_hands_and_yaku(league: League) -> None:
    game = played("tenhou", 3)
    row = await league.play(game)
    await asyncio.gather(*(league.counter.decide_all() for _ in range(3)))
    assert await league.outcome(row) == ("counted", None)
    again = OnlineCounter(
        league.services, StandingsCache(league.services)
    )  # a server that starts after a crash
    await again.decide_all()
    assert await league.counted() == 1
    rights = await rights_in(league.services, league.event, league.people[0])
    shown = await game_view(league.services, await table_of(league.services, rights, recorded_id(row.id)))
    assert (shown.status, shown.replay, shown.may_record) == ("confirmed", row.id, False)
    assert [hand.hand for hand in shown.hands] == played_hands(game)
    assert (shown.final, shown.places) == (tuple(row.result["final"]), tuple(row.result["places"]))  # type: ignore[index]
    wins = [win for hand in shown.hands for win in hand.hand.get("wins", ())]
    assert wins
    assert all(win["yaku"] for win in wins)
    answer = await league.counter._standings.get(rights.event)
    points = {standing.player: standing.points for standing in answer.stages[0].standings}
    assert tuple(points[seat.entry] for seat in shown.seats) == shown.final


@slow
async def test_a_game_counts_only_after_delayed_spectators_have_seen_its_end(league: League) -> None:
    """If the game counted earlier, the standings would reveal its result to the spectators."""
    hidden = await league.play(played("tenhou", 4), delay=600)
    shown = await league.play(played("tenhou", 3), delay=1)
    league.counter.start()
    async with asyncio.timeout(10):
        while not await league.counted():
            await asyncio.sleep(0.05)
    assert now_ms() >= (shown.ended or 0) + 1000
    await league.counter.stop()
    assert [game.id for _, game in await league.services.online.of_event(league.event, 50)] == [shown.id]
    assert [row.game.id for row in (await league.services.online.undecided((-1, ""), 9))[0]] == [hidden.id]


@pytest.mark.parametrize(("minutes", "reasons"), [(40, []), (2, ["quick"])])
@slow
async def test_an_implausibly_quick_game_is_reported_to_the_desk(
    league: League, minutes: int, reasons: list[str]
) -> None:
    """One person with four accounts could let one of them win, so a referee has to review the game."""
    row = await league.play(played("tenhou", 3), started=now_ms() - minutes * 60_000)
    assert await league.outcome(row) == ("counted", None)
    calls = await league.services.desk.calls(league.event, CallRow.kind == DOUBT, limit=9)
    assert [code for call in calls for code, _ in json.loads(call.why)] == reasons


@slow
async def test_statistics_exclude_hands_played_for_an_absent_player(league: League) -> None:
    """The whole game still counts for the standings."""
    game = played("tenhou", 3)
    ended = end_of(game)
    assert ended is not None
    result = {"final": list(ended.final), "places": list(ended.places), "absent": [[], [0, 2], [], []]}
    await league.play(game, result=result)
    await league.counter.decide_all()
    event = await league.services.events.find(league.event)
    statistics = await StatisticsCache(league.services).compute(event)
    count = len(played_hands(game))
    hands = [
        len(statistics.player(player.entry, rated=False).figures.hands) for player in statistics.brief.players
    ]
    assert sorted(hands) == [count - 2, count, count, count]
    assert sum(sum(player.figures.places) for player in statistics.brief.players) == 4


@slow
async def test_a_game_finished_before_a_crash_is_recorded_after_the_restart(league: League) -> None:
    await league.play(played("tenhou", 4))  # the server is stopped here
    assert await league.counted() == 0
    counter = OnlineCounter(league.services, StandingsCache(league.services))
    counter.start()
    while not await league.counted():
        await asyncio.sleep(0.02)
    await counter.stop()
    assert await league.counted() == 1


@slow
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
async def test_a_game_that_does_not_count_has_a_reason(
    league: League, case: str, why: str, seat: int | None
) -> None:
    if case == "late":
        league = await League(league.services).open(closes="2020-01-01T00:00:00Z")
    people: list[PersonRow | None] = list(league.people)
    if case == "bot":
        people[2] = None
    if case == "stranger":
        people[1] = PersonRow(new_id(), "x", None, "player", "en")
    if case == "withdrawn":
        entry = await league.services.entries.of_person(league.event, league.people[3].id)
        assert entry is not None
        async with league.services.events.changing(league.event, league.people[0]) as change:
            await decide(change, await entry_of(change, entry.id), "withdrawn", "")
    game = played("wrc" if case == "rules" else "tenhou", 5)
    row = await league.play(game, people, status="aborted" if case == "unfinished" else "finished")
    assert await league.outcome(row) == (why, seat)
    assert await league.counted() == 0


@slow
async def test_the_same_game_is_not_recorded_under_two_ids(league: League) -> None:
    game = played("tenhou", 6)
    first = await league.play(game)
    second = await league.play(game)
    assert await league.outcome(first) == ("counted", None)
    assert await league.outcome(second) == ("known", None)


@slow
async def test_an_unreadable_game_does_not_prevent_others_from_counting(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
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


@slow
async def test_undecidable_games_do_not_delay_others_and_are_logged_once(
    league: League, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The stage with incomplete rules has more games than the server reads at a time."""
    monkeypatch.setattr(online, "AT_ONCE", 2)
    held, free = league, await League(league.services).open()
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
    counter._backoffs.keep(())  # the pauses between retries are over
    await counter.decide_all()
    assert (await held.counted(), counter.held_up(held.event)) == (3, [])


@slow
def test_pauses_between_retries_grow(monkeypatch: pytest.MonkeyPatch) -> None:
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


@slow
async def test_a_game_with_a_duplicate_id_does_not_prevent_others_from_counting(league: League) -> None:
    first = await league.play(played("tenhou", 7))
    people = [entry.id for entry in await league.services.entries.all(league.event)]
    key = (league.event, recorded_id(first.id), 1, "league", "", now_ms(), None, "playing", "", 0)
    async with league.services.events.changing(league.event, league.people[0]) as change:
        result = GameResult(True, (), None, None)
        await add_games(change, [RecordedGameRow(*key, None, result, players=tuple(people))])
    second = await league.play(played("tenhou", 8))
    async with asyncio.timeout(20):
        assert await league.outcome(second) == ("counted", None)
    assert await league.outcome(first) == ("known", None)


@pytest.mark.parametrize("rules", ["bgm-2025", "jpml-a", "wrc", "mahjongtime"])
@slow
def test_settling_the_hands_of_a_game_gives_its_points_even_with_fouls(rules: str) -> None:
    for seed in range(2):
        game = played(load(rules), seed)
        settlement, ended = settle(played_hands(game), game.rules), end_of(game)
        assert ended is not None
        assert (settlement.final, settlement.places) == (ended.final, ended.places)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that does not wait for absent players to return."""
    with open_server(fast_settings(tmp_path_factory.mktemp("hall"), grace_s=0.0)) as url:
        yield url


@slow
def test_a_player_of_the_event_opens_a_table_for_a_stage(hall: str) -> None:
    club = Club(hall)
    (player, other, *_), stranger, organiser = club.players, club.guest("Stranger"), club.organiser
    table = player.post("tables", stage="league", name="A")
    assert (table["event"], table["stage"], table["rules"]["id"]) == (club.id, "league", "tenhou")
    options = table["options"]
    assert (options["rated"], options["hints"], options["spectators"]) == (True, False, True)
    assert [seat and seat["name"] for seat in table["seats"]][1:] == [None] * 3
    stranger.refused("no_playing_entry", "tables", stage="league")
    player.refused("no_stage", "tables", stage="x")
    [listed] = stranger.get("tables")["tables"]
    assert listed["problem"] is None
    stranger.post(f"/api/tables/{table['id']}/join")
    [listed] = stranger.get("tables", lang="ko")["tables"]
    assert (listed["problem"]["code"], listed["problem"]["seat"]) == ("strangers", 1)
    assert "참가하지 않은" in listed["problem"]["message"]
    shut = {"online_tables": False, "spectators": False}
    assert shut.items() <= organiser.patch(**shut).items()
    other.refused("not_recorder", "tables", stage="league")
    club.seat([club.entries])
    club.run("publish")
    organiser.post("tables", stage="league", spectators=True)
    organiser.post("tables/rounds/main/1", spectators=True)
    watched = [one["table"]["options"]["spectators"] for one in organiser.get("tables")["tables"]]
    assert sorted(watched) == [False, False, True]


# An online round is seated as planned, can be paused by a referee, and counts for the standings


class OnlineRound(Club):
    """An event with a published round, where the players at the first table have accounts."""

    def __init__(self, url: str, size: int = 4) -> None:
        super().__init__(url, size)
        self.ids = [player.id for player in self.players]
        self.seat([self.entries[i : i + 4] for i in range(0, size, 4)])
        self.run("publish")

    def open(self, **body: Any) -> tuple[list[int], dict[int, str]]:
        """Open the tables of the round; return the tables opened and the error code of each of the others."""
        answer = self.referee.post("tables/rounds/main/1", **body)
        return answer["opened"], {one["table"]: one["problem"]["code"] for one in answer["refused"]}

    def tables(self) -> list[Message]:
        """Return the open tables, sorted by number."""
        return sorted(self.referee.get("tables")["tables"], key=lambda table: int(table["number"]))

    @property
    def table(self) -> str:
        return str(self.tables()[0]["table"]["id"])

    def act(self, action: str, **body: Any) -> Any:
        return self.referee.post(f"tables/{self.table}", action=action, **body)

    def wait(self, done: Callable[[], bool]) -> None:
        end = time.monotonic() + WAIT_S
        while not done():
            assert time.monotonic() < end
            time.sleep(0.2)


@slow
def test_an_online_round_is_opened_with_one_request_and_counts_like_a_recorded_one(hall: str) -> None:
    """A substitute joins a waiting table; the round runs until delayed spectators have seen the end."""
    club = OnlineRound(hall, 8)
    path, reserve = "rounds/main/1", club.referee.post("entries")["id"]
    club.run("absences", entry="p0", first=1)
    assert club.open(delay_s=8) == ([], {1: "seated_gone", 2: "seated_offline"})
    club.run("absences", entry="p0", first=1, present=True)
    assert club.open(delay_s=8) == ([1], {2: "seated_offline"})
    [listed] = club.tables()
    assert (listed["round"], listed["number"], listed["problem"]) == (1, 1, None)
    assert [seat["person"] for seat in listed["table"]["seats"]] == club.ids
    assert listed["table"]["owner"] == ""
    assert [row["online"] for row in club.round()["tables"]] == [club.table, None]
    assert club.round()["state"] == "running"
    club.act("end", why="the first player does not come")
    club.run("replace", entry="p0", by=reserve, now=True)
    assert club.open(delay_s=8)[0] == [1]
    seats = [seat["person"] for seat in club.tables()[0]["table"]["seats"]]
    assert seats == [club.referee.id, *club.ids[1:]]
    club.run("1/tables/2/start")
    table = club.table
    club.act("start")
    club.wait(lambda: club.players[1].get(f"/api/tables/{table}")["status"] == "finished")
    for act in ("take-back", "finish", "tables/1/start"):  # delayed spectators have not seen the end yet
        club.referee.refused("round_online", f"{path}/{act}")
    assert club.open()[0] == []
    assert club.round()["tables"][0]["online"] == table
    club.wait(lambda: club.round()["tables"][0]["game"] is not None)
    place = club.round()["tables"][0]
    assert (place["status"], place["online"]) == ("confirmed", None)
    club.referee.refused("round_played", f"{path}/take-back")
    game = club.organiser.get(f"games/{place['game']}")
    entries = [seat["entry"] for seat in game["seats"]]
    assert (entries, game["label"]) == ([reserve, "p1", "p2", "p3"], "1")
    points = club.points("main")
    assert [points[entry] for entry in entries] == game["final"]
    assert {"online_round", "online_table", "online"} <= {change["action"] for change in club.log()}
    assert club.run("1/finish", everything=True, why="w")["rounds"][0]["state"] == "done"


@slow
def test_a_referee_pauses_and_resumes_a_game(hall: str) -> None:
    club = OnlineRound(hall)
    club.open()
    player, path = club.players[0], f"tables/{club.table}"
    with closing(player.socket(club.table)) as line:
        player.refused("not_referee", path, action="halt")
        club.referee.refused("not_playing", path, action="halt")
        club.act("start")
        own = line.wait_to_act()
        assert own is not None
        assert own["left_ms"] is not None
        assert club.act("halt")["halted"]
        stopped = line.until("sync")
        assert stopped["own"]["left_ms"] is None
        assert line.act(simplest_action(own))["code"] == "table_halted"
        assert not club.act("go_on")["halted"]
        assert line.until("sync")["seq"] == stopped["seq"]
        own = line.wait_to_act()
        assert own is not None
        assert own["left_ms"] is not None
        assert line.act(simplest_action(own))["type"] == "ack"
    club.act("end", why="power cut")
    assert club.round()["tables"][0]["game"] is None
    assert club.open()[0] == [1]  # the table can be played again


@slow
def test_an_open_online_table_blocks_recorded_games_and_seat_changes(hall: str) -> None:
    """Either of these could make a finished online game worthless."""
    club = OnlineRound(hall, 8)
    club.open()
    club.add("reserve")
    path, why = "rounds/main/1", {"why": "x"}
    tries: list[tuple[str, Message]] = [
        *(
            (f"{path}/finish", {"everything": all_, "why": word})
            for all_ in (True, False)
            for word in ("", "x")
        ),
        (f"{path}/seats", {"swap": ["p0", "p4"]} | why),
        ("rounds/main/replace", {"entry": "p0", "by": "reserve", "now": True}),
        (f"{path}/tables/1/start", {}),
    ]
    for request, body in tries:
        club.referee.refused("round_online", request, **body)
    [refused] = club.run("1/results", results=[{"table": 1, "scores": SCORES}])["refused"]
    assert refused["problem"]["code"] == "round_online"
    place = club.round()["tables"][0]
    assert (place["players"], place["game"], place["online"]) == (club.entries[:4], None, club.table)
    for person in (club.players[0], club.referee):  # the table has no owner
        person.refused("not_owner", f"/api/tables/{club.table}/start")
    assert club.open()[0] == []
    elsewhere = club.players[0].table()["id"]
    club.referee.refused("no_table", f"tables/{elsewhere}", action="halt")


@slow
def test_a_round_keeps_running_if_tables_open_while_its_start_is_undone(hall: str) -> None:
    club = OnlineRound(hall)
    _ = club.referee
    for i in range(10):
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(club.organiser.post, "tables/rounds/main/1")
            time.sleep(i * 0.006)
            club.referee.send("POST", "rounds/main/1/take-back")
        assert answer.result()["opened"] == [1]
        assert club.round()["state"] == "running"
        club.act("end", why="once more")
        club.run("1/take-back")
        assert club.round()["state"] == "published"
