"""Games over real sockets: whole games, fouls, explanations, clocks."""

import base64
import json
import tomllib
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from jantaku.bots import bot
from jantaku.errors import IllegalActionError, RecordError
from jantaku.game import Game, Pass, Standing
from jantaku.game import game as engine
from jantaku.game.actions import Discard
from jantaku.game.events import DoraTurned, Drew, Event
from jantaku.game.fair_walls import shuffled, tile_set
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.records import most_moves as needed
from jantaku.records.native.compact import compact, expand
from jantaku.records.native.game_file import dumps
from jantaku.records.native.hand_log import as_played, differing_hand, hand_logs
from jantaku.records.script import wall_as_seen
from jantaku.rules import Ruleset, load
from jantaku.server.archive import logs, routes
from jantaku.server.archive.logs import KeptLog, read_log
from jantaku.server.archive.replay import (
    GamePlayer,
    GameSummary,
    ReplayCache,
    ReplayGame,
    kept_replay,
    replay,
)
from jantaku.server.errors import ServerError
from jantaku.server.storage.finished_games import engine_mark, replayed
from jantaku.server.storage.games import Beginning, beginning_of
from server.databases import rows
from server.parlour import (
    LOOSE,
    Line,
    Message,
    Person,
    discards,
    hang_up,
    open_server,
    quick,
    seated,
    simplest,
)
from server.test_numbers import RULES_OWN_NUMBERS
from support.playing import played


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="a whole game takes long uncompiled")
def test_a_whole_game_against_bots_ends_with_a_result(person: Person) -> None:
    rules = person.post("/api/rules", toml='extends = "tenhou"\n[match]\nlength = "east"\n')["id"]
    table = person.table(bots=3, rules=rules)
    person.post(f"/api/tables/{table['id']}/start")
    line = person.socket(table["id"])
    while (own := line.asked()) is not None:
        assert line.act(simplest(own))["type"] == "ack"
    scene = person.get(f"/api/tables/{table['id']}")
    assert scene["status"] == "finished"
    assert sum(scene["result"]["final"]) == 0
    record = scene["result"]["record"]
    for kind in ("jantaku", "mjai", "tenhou", "mjlog", "compact"):
        answer = person.http.get(f"/api/games/{record}/record", params={"format": kind})
        assert answer.status_code == 200
        upload = person.post("/api/uploads", text=answer.text, name=kind, rules=rules)
        whole = person.get(f"/api/uploads/{upload['id']}/replay")
        assert whole["hands"]
    moment = person.get(f"/api/games/{record}/replay/5")
    assert len(moment["seats"]) == 4
    assert record in [game["id"] for game in person.get("/api/games", mine=True)["games"]]


@pytest.mark.slow
def test_a_foul_is_paid_publicly_and_survives_a_restart(tmp_path: Path) -> None:
    """A false win under rules that penalise it: chombo and a replayed hand, also after a restart."""
    settings = quick(tmp_path)
    with open_server(settings) as url:
        people = [Person(url, name) for name in ("Mina", "Jun", "Kaito", "Seo")]
        rules = people[0].post("/api/rules", toml='extends = "bgm-2025"\n[fouls]\nmode = "penalise"\n')["id"]
        table, lines = seated(people, rules=rules)
        watcher = people[0].socket(table["id"], watch=True)
        own = lines[0].own
        assert own is not None
        foul = {"type": "foul", "act": "win_shown"}
        assert foul in own["fouls"]
        assert foul not in own["legal"]
        assert lines[1].act(foul, ask=lines[1].seq)["type"] == "error"
        assert lines[0].act(foul)["type"] == "ack"
        for line in [*lines, watcher]:
            while "points_moved" not in (by_type := {event["type"]: event for event in line.events()}):
                line.next()
            assert by_type["fouled"] == {
                "type": "fouled", "seat": 0, "foul": "false_win_shown", "cost": "chombo"
            }  # fmt: skip
            assert by_type["points_moved"]["deltas"] == [-9000, 3000, 3000, 3000]
            assert by_type["hand_drawn"]["kind"] == "voided"
        scores, seq = by_type["points_moved"]["scores"], lines[2].seq
        hang_up([*lines, watcher])
        cookies = [dict(person.http.cookies) for person in people]
    with open_server(settings) as url:
        again = [Person(url) for _ in people]
        for one, cookie in zip(again, cookies, strict=True):
            one.http.cookies.update(cookie)
        lines = [person.socket(table["id"]) for person in again]
        for seat, line in enumerate(lines):
            sync = line.until("sync")
            moved = [event["scores"] for event in sync["events"] if event["type"] == "points_moved"]
            assert [sync["view"]["scores"], *moved][-1] == scores
            while line.seq < seq or line.own is None:
                line.next()
            assert (line.own["ask"] is not None) == (seat == 0)
        for line in lines:
            line.ask(type="abort", agree=True)
        game = again[0].get(f"/api/tables/{table['id']}")["result"]["record"]
        events = again[0].get(f"/api/games/{game}/replay")["events"]
        assert [event["seat"] for event in events if event["type"] == "fouled"] == [0]


def test_why_and_hints_reach_only_the_asking_seat(person: Person) -> None:
    table = person.table(bots=3)
    person.post(f"/api/tables/{table['id']}/start")
    line = person.socket(table["id"], language="ja")
    line.asked()
    reason = line.ask(type="why", what="ron")
    assert reason["type"] == "reason"
    assert reason["text"]
    hints = line.ask(type="hints")
    assert hints["type"] == "hints"
    assert hints["discards"]


@pytest.mark.parametrize("options", [{"rated": True}, {"hints": False}])
def test_rated_tables_and_those_without_hints_give_none(person: Person, options: dict[str, bool]) -> None:
    table = person.table(bots=3, options=options)
    person.post(f"/api/tables/{table['id']}/start")
    line = person.socket(table["id"])
    line.asked()
    assert line.ask(type="hints")["code"] == "no_hints"


def test_a_running_game_cannot_be_replayed(person: Person) -> None:
    table = person.table(bots=3)
    started = person.post(f"/api/tables/{table['id']}/start")
    assert started["result"] is None
    assert person.get("/api/games")["games"] == [] or all(
        game["table"] != table["id"] for game in person.get("/api/games")["games"]
    )


@pytest.mark.slow
def test_no_clock_waits_and_a_clock_does_not(tmp_path: Path) -> None:
    """With no turn time, the server discards for the seat."""
    toml = 'extends = "standard"\n[clock]\nturn_s = 0\nbank_s = 0\nclaim_window_s = 0\n'
    with open_server(quick(tmp_path, grace_s=1e6)) as url:
        mina, jun = Person(url, "Mina"), Person(url, "Jun")
        rules = mina.post("/api/rules", toml=toml)["id"]
        without, table = [
            person.table(bots=3, rules=rules, options={"clock": clock})["id"]
            for person, clock in ((jun, False), (mina, True))
        ]
        waiting, line = jun.socket(without), mina.socket(table)
        jun.post(f"/api/tables/{without}/start")
        waiting.asked()
        mina.post(f"/api/tables/{table}/start")
        line.until(
            "update",
            lambda message: discards(message, 0),
        )
        waiting.send(type="ping", id="p")
        while (message := waiting.next())["type"] != "pong":
            assert message["type"] != "update"


# Playing on from a moment of a finished game, at a table that counts nowhere


EAST = 'extends = "tenhou"\n[match]\nlength = "east"\n'


@pytest.fixture(scope="module")
def played_what_if(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Person, str]]:
    """Somebody who has played a short game against bots to its end, and its record."""
    with open_server(quick(tmp_path_factory.mktemp("what-if"))) as url, closing(Person(url, "Mina")) as mina:
        rules = mina.post("/api/rules", toml=RULES_OWN_NUMBERS)["id"]
        table = mina.table(bots=3, rules=rules)
        mina.post(f"/api/tables/{table['id']}/start")
        line = mina.socket(table["id"])
        while (own := line.asked()) is not None:
            assert line.act(simplest(own))["type"] == "ack"
        line.close()
        yield mina, mina.get(f"/api/tables/{table['id']}")["result"]["record"]


@pytest.mark.slow
def test_a_game_goes_on_from_a_moment_and_counts_nowhere(played_what_if: tuple[Person, str]) -> None:
    mina, game = played_what_if
    before = mina.get(f"/api/games/{game}/replay")
    step = next(i for i, step in enumerate(before["steps"]) if i > 8 and step["action"]["type"] == "discard")
    seat = before["steps"][step]["seat"]
    table = mina.post(f"/api/games/{game}/what-if", step=step, seat=seat)["table"]
    info = mina.get(f"/api/tables/{table}")
    assert info["seats"][seat]["person"] == mina.id
    assert (info["status"], info["options"]["private"], info["options"]["clock"]) == ("playing", True, False)
    line = mina.socket(table)
    own = line.asked()
    assert own is not None
    assert before["steps"][step]["action"] in own["legal"]
    while own is not None:
        assert line.act(simplest(own))["type"] == "ack"
        own = line.asked()
    line.close()
    after = mina.get(f"/api/games/{mina.get(f'/api/tables/{table}')['result']['record']}/replay")
    same = [(move["seat"], move["action"]) for move in before["steps"][:step]]
    assert [(move["seat"], move["action"]) for move in after["steps"][:step]] == same
    counted = [line["game"] for line in mina.get("/api/me/numbers")["figures"]["games"]]
    assert counted == [game]
    listed = {
        entry["id"]: entry["practice"]
        for entry in mina.http.get("/api/games", params={"mine": True}).json()["games"]
    }
    assert listed[after["game"]["id"]]
    assert after["game"]["practice"]
    assert not listed[game]
    assert not before["game"]["practice"]


@pytest.mark.slow
def test_bots_keep_their_names_when_somebody_plays_on(played_what_if: tuple[Person, str]) -> None:
    mina, game = played_what_if
    before = [player["name"] for player in mina.get(f"/api/games/{game}")["players"]]
    for seat in range(4):
        table = mina.post(f"/api/games/{game}/what-if", step=0, seat=seat)["table"]
        names = [info["name"] for info in mina.get(f"/api/tables/{table}")["seats"]]
        kept = [at for at in range(4) if at != seat and before[at] != "Mina"]
        assert [names[at] for at in kept] == [before[at] for at in kept]
        assert len(set(names)) == 4
        new = {at: name for at, name in enumerate(names) if at != seat and at not in kept}
        assert not set(new.values()) & set(before)


@pytest.mark.slow
def test_only_a_moment_of_a_finished_game_can_be_played_on(played_what_if: tuple[Person, str]) -> None:
    mina, game = played_what_if
    steps = len(mina.get(f"/api/games/{game}/replay")["steps"])
    for path, body, status in (
        (game, {"step": steps, "seat": 0}, 404),
        (game, {"step": 0, "seat": 4}, 422),
        (game, {"step": -1, "seat": 0}, 422),
        ("nothing", {"step": 0, "seat": 0}, 404),
    ):
        assert mina.http.post(f"/api/games/{path}/what-if", json=body).status_code == status
    stranger = Person(mina.url)
    answer = stranger.http.post(f"/api/games/{game}/what-if", json={"step": 0, "seat": 0})
    assert answer.status_code == 401


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "form"), [("tenhou", "mjlog"), ("tenhou-3", "tenhou"), ("changed", "mjai")]
)
def test_an_uploaded_log_goes_on_from_a_moment(
    played_what_if: tuple[Person, str], rules: str, form: str
) -> None:
    """Its walls are unknown, and so may be its rules."""
    mina, _ = played_what_if
    given = load(tomllib.loads(EAST)) if rules == "changed" else load(rules)
    log = bot_game(given, form)
    sent: dict[str, str] = {} if rules != "changed" else {"rules": mina.post("/api/rules", toml=EAST)["id"]}
    upload = mina.post("/api/uploads", text=log, name="log", **sent)["id"]
    before = mina.get(f"/api/uploads/{upload}/replay")
    second = before["hands"][1]["event"]
    step = next(
        i
        for i, step in enumerate(before["steps"])
        if step["first"] > second + 20 and "tile" in step["action"]
    )
    seat = before["steps"][step]["seat"]
    with closing(Person(mina.url, "Ben")) as ben:  # logs are for whoever has the link
        table = ben.post(f"/api/uploads/{upload}/what-if", step=step, seat=seat)["table"]
        info = ben.get(f"/api/tables/{table}")
        assert [sitter["name"] for sitter in info["seats"]].count("Ben") == 1
        assert not set(before["names"]) & {sitter["name"] for sitter in info["seats"]}
        assert info["rules"]["fingerprint"] == given.fingerprint
        line = ben.socket(table)
        own = line.asked()
        assert own is not None
        assert before["steps"][step]["action"] in own["legal"]
        for _ in range(5):
            if own is not None:
                assert line.act(simplest(own))["type"] == "ack"
                own = line.asked()
        line.ask(type="abort", agree=True)
        line.close()
        after = ben.get(f"/api/games/{ben.get(f'/api/tables/{table}')['result']['record']}/replay")
    done = before["steps"][step]["first"]
    assert after["events"][1:done] == before["events"][1:done]
    assert len(after["hands"]) >= 2


def play_to_the_end(line: Line, own: Message | None) -> None:
    while own is not None:
        assert line.act(simplest(own))["type"] == "ack"
        own = line.asked()
    line.close()


def bot_game(rules: Ruleset, form: str) -> str:
    game, player = Game(rules, seed=5), bot("efficient", 3)
    while not game.is_over:
        seat = game.to_act[0]
        game.play(seat, player.choose(game, seat))
    return formats.dumps(game, form, ["Ann", "Bob", "Cem", "Dea"][: len(game.seats)])


@pytest.mark.slow
def test_a_game_from_a_log_outlives_a_restart(tmp_path: Path) -> None:
    settings = quick(tmp_path)
    with open_server(settings) as url:
        mina = Person(url, "Mina")
        upload = mina.post("/api/uploads", text=bot_game(load("tenhou"), "mjai"), name="log")["id"]
        replay = mina.get(f"/api/uploads/{upload}/replay")
        step = discard_after(replay, len(replay["steps"]) - 150)
        table = mina.post(f"/api/uploads/{upload}/what-if", step=step, seat=0)["table"]
        with closing(mina.socket(table)) as line:
            first = line.asked()
            assert first is not None
            line.act(simplest(first))
            mine = line.asked()
        cookie = dict(mina.http.cookies)
    with open_server(settings) as url:
        mina = Person(url)
        mina.http.cookies.update(cookie)
        assert mina.get(f"/api/tables/{table}")["stopped"] is False
        line = mina.socket(table)
        again = line.asked()
        assert mine is not None
        assert again is not None
        assert again["legal"] == mine["legal"]
        play_to_the_end(line, again)
        assert mina.get(f"/api/tables/{table}")["status"] == "finished"
        assert mina.get("/api/me/numbers")["figures"] is None
        # that game is one of the parlour now: all of its walls are known
        record = mina.get(f"/api/tables/{table}")["result"]["record"]
        whole = mina.get(f"/api/games/{record}/replay")
        after = discard_after(whole, step - 60)
        again_table = mina.post(f"/api/games/{record}/what-if", step=after, seat=0)["table"]
        assert stored_walls(tmp_path, again_table) == stored_walls(tmp_path, table)


def stored_walls(folder: Path, table: str) -> tuple[bytes, str]:
    ((seed, opening),) = rows(folder, "select seed, opening from games where table_id = ?", table)
    return seed, opening


def discard_after(replay: Message, step: int) -> int:
    return next(
        i for i, move in enumerate(replay["steps"]) if i > step and move["action"]["type"] == "discard"
    )


@pytest.mark.slow
def test_what_cannot_be_played_on_is_refused(played_what_if: tuple[Person, str]) -> None:
    mina, _ = played_what_if
    upload = mina.post("/api/uploads", text=bot_game(load("tenhou-3"), "mjai"), name="log")["id"]
    path, steps = f"/api/uploads/{upload}", len(mina.get(f"/api/uploads/{upload}/replay")["steps"])
    for body, status in (({"step": steps, "seat": 0}, 404), ({"step": 0, "seat": 3}, 404)):
        assert mina.http.post(f"{path}/what-if", json=body).status_code == status
    assert mina.http.post("/api/uploads/none/what-if", json={"step": 0, "seat": 0}).status_code == 404
    stranger = Person(mina.url)
    assert stranger.http.post(f"{path}/what-if", json={"step": 0, "seat": 0}).status_code == 401


# Limits on uploads: length of a game, stored bytes, and memory of replays


def game_of(actions: int, seed: int = 1) -> Game:
    """A game in which everybody passes, cut off after so many actions."""
    game = Game(load("standard"), seed)
    while len(game.moves) < actions and not game.is_over:
        seat = game.to_act[0]
        legal = game.legal(seat)
        plain = [action for action in legal if isinstance(action, Discard) and action.riichi is None]
        game.play(seat, Pass() if Pass() in legal else (plain or legal)[-1])
    return game


@pytest.fixture
def mina(tmp_path: Path) -> Iterator[Person]:
    limits = replace(LOOSE, kept_bytes_of_one=12_000)
    with open_server(quick(tmp_path, limits=limits)) as url:
        person = Person(url, "Mina")
        yield person


def test_an_endless_log_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    log = dumps(game_of(60))
    monkeypatch.setattr(engine, "MOST_MOVES", 59)
    with pytest.raises(RecordError) as error:
        read_log("log", log, None)
    assert error.value.code == "record_long"
    monkeypatch.setattr(engine, "MOST_MOVES", 60)
    monkeypatch.setattr(needed, "MOST_MOVES", 60)
    kept = KeptLog.parse(read_log("log", log, None))
    assert kept.record == log
    assert len(kept.text) < len(log) / 3
    monkeypatch.setattr(logs, "MOST_RECORD", len(log) - 1)
    with pytest.raises(ServerError) as refused:
        read_log("log", log, None)
    assert refused.value.code == "log_too_large"


def test_a_long_game_stays_well_under_the_limit() -> None:
    game = game_of(engine.MOST_MOVES)
    assert game.is_over
    assert 4 * len(game.moves) < engine.MOST_MOVES
    assert 4 * len(dumps(game)) < logs.MOST_RECORD


@pytest.mark.slow
def test_uploads_of_one_person_are_limited_in_bytes(mina: Person, tmp_path: Path) -> None:
    log = dumps(game_of(150))
    codes = [mina.http.post("/api/uploads", json={"text": log}).status_code for _ in range(6)]
    fit = codes.count(200)
    assert 0 < fit < 6
    assert codes == [200] * fit + [429] * (6 - fit)
    ((stored,),) = rows(tmp_path, "SELECT sum(length(text)) FROM uploads")
    assert stored <= 12_000


def test_a_compressed_game_is_unpacked_only_up_to_a_limit() -> None:
    """A text of four kilobytes that would be as long as the limit a thousand times."""
    whole = zlib.decompress(base64.b85decode(compact(game_of(40))))
    bomb = base64.b85encode(zlib.compress(whole + bytes(4 << 20), 9)).decode()
    assert len(bomb) < 10_000
    with pytest.raises(RecordError):
        expand(bomb)


async def test_cached_replays_are_limited_in_bytes() -> None:
    """The replay viewed last stays, however large; concurrent requests load a game once."""
    game, read = game_of(50), 0
    replay_game = ReplayGame(game, [])
    replay_cache = ReplayCache(3 * replay_game.size)

    async def anew() -> ReplayGame:
        nonlocal read
        read += 1
        return ReplayGame(game, [])

    for number in range(10):
        await replay_cache.get(f"game {number}", anew)
        assert replay_cache.size <= 3 * replay_game.size
    assert read == 10
    await replay_cache.get("game 9", anew)
    assert read == 10
    await replay_cache.get("game 0", anew)
    assert read == 11
    small = ReplayCache(1)
    assert await small.get("game", anew) is await small.get("game", anew)


# The review of a stored game: who gets it, and that it agrees with the game


def a_log(moves: int = 60) -> str:
    """The beginning of a game between bots."""
    game, player = Game("standard", seed=3), bot("efficient", 3)
    while len(game.moves) < moves:
        seat = game.to_act[0]
        game.play(seat, player.choose(game, seat))
    return formats.dumps(game, "jantaku")


@pytest.mark.slow
def test_the_review_names_the_steps_of_the_replay(person: Person) -> None:
    sent = person.post("/api/uploads", text=a_log(), name="log")["id"]
    whole = person.get(f"/api/uploads/{sent}/replay")
    for seat in range(4):
        review = person.get(f"/api/uploads/{sent}/review", seat=seat)
        assert review["seat"] == seat
        assert review["decisions"]
        for decision in review["decisions"]:
            step = whole["steps"][decision["step"]]
            assert (step["seat"], step["action"], step["first"]) == (
                seat,
                decision["played"],
                decision["event"],
            )
            assert decision["hand"] < len(whole["hands"])
            assert decision["loss"] is None or decision["loss"] >= 0
        assert len(review["chances"]) == len(whole["hands"])


@pytest.mark.parametrize("seat", [-1, 4, "x"])
@pytest.mark.slow
def test_a_review_of_nobody_is_refused(person: Person, seat: object) -> None:
    sent = person.post("/api/uploads", text=a_log(20), name="log")["id"]
    assert person.http.get(f"/api/uploads/{sent}/review", params={"seat": str(seat)}).status_code == 422


@pytest.mark.parametrize("source", ["games", "uploads"])
def test_there_is_no_review_of_a_game_that_is_not_there(person: Person, source: str) -> None:
    assert person.http.get(f"/api/{source}/nothing/review").status_code == 404


def test_a_game_that_is_being_played_is_not_reviewed(tmp_path: Path) -> None:
    """A review would show the hands of the others."""
    with open_server(quick(tmp_path)) as url:
        mina = Person(url, "Mina")
        table = mina.table(bots=3)
        mina.post(f"/api/tables/{table['id']}/start")
        ((game, status),) = rows(tmp_path, "select id, status from games")
        assert status == "playing"
        assert mina.http.get(f"/api/games/{game}/review").status_code == 404


# Finished hands are stored as played, so no later engine loses or changes a game


OTHER_SEED = b"another wall".ljust(32, b".")


def test_stored_hands_hold_the_whole_game() -> None:
    game = played("standard", seed=5)
    logs = hand_logs(game)
    assert len(logs) == sum(event.type == "hand_started" for event in game.events)
    assert differing_hand(game, logs) is None
    record = as_played(game.rules, logs, [(seat, str(action)) for _, seat, action in game.moves])
    assert [event.to_dict() for event in record.events] == [event.to_dict() for event in game.events]
    assert record.moves == game.moves


def test_only_finished_hands_are_stored_during_a_game() -> None:
    game = Game("standard", seed=5)
    assert hand_logs(game) == []
    assert len(hand_logs(game, ended=True)) == 1


def test_a_different_game_differs_in_its_first_hand() -> None:
    assert differing_hand(played("standard", seed=6), hand_logs(played("standard", seed=5))) == 0


def test_a_game_that_stops_short_differs() -> None:
    whole = played("standard", seed=5)
    logs = hand_logs(whole)
    assert len(logs) > 1
    assert differing_hand(Game("standard", seed=5), logs) == 0
    short = Game("standard", seed=5)
    second = whole.moves[next(i for i, (before, _, _) in enumerate(whole.moves) if before > 150)][0]
    for before, seat, action in whole.moves:
        if before < second:
            short.play(seat, action)
    assert differing_hand(short, logs) is not None


@contextmanager
def a_hand_played(data: Path, hands: int = 1) -> Iterator[tuple[Message, dict[str, str]]]:
    """A table with three bots whose first hands are over; the table and the cookies of its owner."""
    with open_server(quick(data)) as url, closing(Person(url, "Mina")) as mina:
        table = mina.table()
        line = mina.socket(table["id"])
        mina.post(f"/api/tables/{table['id']}/start")
        while sum(event["type"] == "hand_started" for event in line.events()) <= hands:
            own = line.asked()
            assert own is not None
            line.act(simplest(own))
        line.close()
        yield table, dict(mina.http.cookies)


@pytest.mark.slow
def test_each_hand_is_stored_when_it_ends(tmp_path: Path) -> None:
    with a_hand_played(tmp_path, hands=2) as (table, _):
        numbers = [number for (number,) in rows(tmp_path, "select number from hands order by number")]
        assert numbers[:2] == [0, 1]
    assert table


@pytest.mark.slow
@pytest.mark.parametrize("change", ["seed", "rows"])
def test_a_game_that_now_replays_differently_is_shown_as_it_was(tmp_path: Path, change: str) -> None:
    """A different seed simulates a different engine: the actions are illegal or lead elsewhere."""
    with a_hand_played(tmp_path) as (table, cookies):
        pass
    (game,) = rows(tmp_path, "select id from games")[0]
    if change == "seed":
        rows(tmp_path, "update games set seed = ?", OTHER_SEED)
    else:
        other = hand_logs(played("standard", seed=5))[0]
        rows(tmp_path, "update hands set log = ? where number = 0", other)
    with open_server(quick(tmp_path)) as url:
        mina = Person(url)
        mina.http.cookies.update(cookies)
        assert mina.get(f"/api/tables/{table['id']}")["stopped"] is True
        assert mina.http.delete(f"/api/tables/{table['id']}").status_code == 200
        shown_game = mina.get(f"/api/games/{game}/replay")
        assert shown_game["follows_rules"] is False
        logs = rows(tmp_path, "select log from hands order by number")
        assert shown_game["events"] == [
            event for (log,) in logs for event in json.loads(zlib.decompress(log))["events"]
        ]
        last = mina.http.get(f"/api/games/{game}/replay/{len(shown_game['steps'])}")
        assert last.status_code == 200


def test_a_replay_opens_as_it_is_stored() -> None:
    """Nothing is played again where the engine is known to play the game so; the page is the same."""
    game = played("tenhou", seed=5)
    shown = GameSummary.model_construct(
        players=[GamePlayer(name=letter, bot=False, level=None) for letter in "abcd"]
    )
    moves = [(seat, str(action)) for _, seat, action in game.moves]
    kept = kept_replay(game.rules, hand_logs(game, ended=True), moves, shown)
    whole = replay(ReplayGame(game, list("abcd")), shown)
    assert kept.model_dump(exclude={"game"}) == whole.model_dump(exclude={"game"})


@pytest.mark.slow
def test_a_replay_is_played_again_once_by_another_engine(tmp_path: Path) -> None:
    """Its mark is noted when the game ends, and by the first version that plays the game the same."""
    with a_hand_played(tmp_path) as (table, cookies):
        pass
    with open_server(quick(tmp_path)) as url:
        mina = Person(url)
        mina.http.cookies.update(cookies)
        with closing(mina.socket(table["id"])) as line:
            line.ask(type="abort", agree=True)
        assert mina.get(f"/api/tables/{table['id']}")["status"] == "aborted"
        [(game, mark)] = rows(tmp_path, "select id, engine from games")
        assert mark == engine_mark()
        first = mina.get(f"/api/games/{game}/replay")
        assert first["follows_rules"] is True
        for other in ("another engine", None):
            rows(tmp_path, "update games set engine = ?", other)
            assert mina.get(f"/api/games/{game}/replay") == first
            assert rows(tmp_path, "select engine from games") == [(mark,)]


def test_illegal_actions_without_stored_hands_are_an_error() -> None:
    with pytest.raises(IllegalActionError):
        replayed(load("standard"), Beginning(OTHER_SEED), [(3, "tsumo")])


# How a stored game begins: from its seed, or from the walls of a log from which it goes on


SEED = bytes(range(32))


def played_beginning(rules: str, moves: int = 10_000, seed: int = 3) -> Game:
    """A game of efficient bots."""
    game, player = Game(rules, seed=seed), bot("efficient", 3)
    while not game.is_over and len(game.moves) < moves:
        seat = game.to_act[0]
        game.play(seat, player.choose(game, seat))
    return game


def test_a_game_without_a_log_stores_its_seed_only() -> None:
    assert Beginning(SEED).opening is None
    assert beginning_of(SEED, None).game(Game("standard").rules) == Game("standard", SEED)


def test_what_is_stored_gives_the_same_walls_again() -> None:
    standing = Standing(2, 1, 0, (24000, 26000, 25000, 25000))
    rules = Game("standard").rules
    begun = Beginning(SEED, (tuple(shuffled(tile_set(rules), SEED, 7)),), standing)
    again = beginning_of(SEED, begun.opening)
    assert again == begun
    game = again.game(rules)
    assert (tuple(game.walls[0]), game.standing, game.seed) == (*begun.walls, standing, None)
    # the walls of later hands come from the seed, for the game before its first action too
    for started in (game.anew(), game.anew(), game):
        assert next(started._walls) == shuffled(tile_set(rules), SEED, 1)


def test_what_a_later_version_stores_is_refused() -> None:
    with pytest.raises(RecordError):
        beginning_of(SEED, json.dumps({"version": 2, "walls": [], "standing": None}))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["mjai", "tenhou", "mjlog"])
@pytest.mark.parametrize("rules", ["tenhou", "tenhou-3"])
def test_only_tiles_that_a_log_does_not_show_are_shuffled(rules: str, form: str) -> None:
    log = formats.parse_record(formats.dumps(played_beginning(rules), form).encode()).game
    tiles, draws = tile_set(log.rules), 0
    for hand in range(len(log.walls)):
        walls = [wall_as_seen(log, hand, bytes([n]) * 32) for n in (1, 2)]
        assert [sorted(wall) for wall in walls] == [sorted(tiles)] * 2
        assert walls[0] != walls[1]
        draws += sum(a == b for a, b in zip(*walls, strict=True))
    shown = sum(isinstance(event, Drew | DoraTurned) for event in log.events)
    assert draws >= shown
    walls = [wall_as_seen(log, hand, SEED) for hand in range(len(log.walls))]
    again = Beginning(SEED, tuple(map(tuple, walls)), log.standing).game(log.rules)
    for _, seat, action in log.moves:
        again.play(seat, action)
    assert _told(again) == _told(log)


def _told(game: Game) -> list[Event]:
    return list(islice(game.events, 1, game.moves[-1][0]))


def test_a_log_of_too_many_hands_is_not_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its walls would be stored; those of a seed need no room."""
    game = Game("standard", seed=1)
    seat = game.to_act[0]
    game.play(seat, game.legal(seat)[-1])
    log = Game(game.rules, walls=game.walls)
    log.play(seat, game.moves[0][2])
    assert len(routes.beginning_at(log, 0).walls) == 1
    monkeypatch.setattr(routes, "MOST_HANDS", 0)
    with pytest.raises(ServerError) as caught:
        routes.beginning_at(log, 0)
    assert caught.value.code == "what_if_long"
    assert routes.beginning_at(game, 0) == Beginning(game.seed or b"")


def test_tiles_that_nobody_saw_are_shuffled_among_themselves() -> None:
    """Not the whole set with the seen ones left out: what is left of a kind would come too early."""
    game = Game("standard", seed=1)
    wall = wall_as_seen(game, 0, SEED)
    assert Game(game.rules, walls=[wall]).events[1:] == game.events[1:]  # the deal, a draw and the indicator
    rest = tile_set(game.rules)
    for tile in [*wall[:53], wall[131]]:
        rest.remove(tile)
    assert [*wall[53:131], *wall[132:]] == shuffled(rest, SEED, 0)
