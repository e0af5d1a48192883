"""Finished games: results, records, practice games, uploads, reviews and stored hands."""

import base64
import json
import re
import tomllib
import zlib
from itertools import islice

import httpx
import pytest

from jantaku.errors import IllegalActionError, RecordError
from jantaku.game import Game, Pass, Standing
from jantaku.game import game as engine
from jantaku.game.actions import Discard
from jantaku.game.events import DoraTurned, Drew
from jantaku.game.fair_walls import shuffled, tile_set
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats, move_limit
from jantaku.records.native.compact import compact, expand
from jantaku.records.native.game_file import dumps
from jantaku.records.native.hand_log import as_played, differing_hand, hand_logs
from jantaku.records.script import wall_as_seen
from jantaku.rules import load
from jantaku.server.archive import logs, routes
from jantaku.server.archive.logs import StoredLog, read_log
from jantaku.server.archive.replay import (
    GamePlayer,
    GameSummary,
    ReplayCache,
    ReplayGame,
    replay,
    stored_replay,
)
from jantaku.server.errors import ServerError
from jantaku.server.storage.finished_games import engine_mark, replayed
from jantaku.server.storage.games import Beginning, beginning_of
from server.databases import rows
from server.parlour import Message, Person, Serve, discards, only_limits, seated
from support.playing import played

EAST = 'extends = "tenhou"\n[match]\nlength = "east"\n'
NAMES = ["Ann", "Bob", "Cem", "Dea"]
SEED, OTHER_SEED = bytes(range(32)), b"another wall".ljust(32, b".")
compiled_only = pytest.mark.skipif(not COMPILED, reason="a search needs compiled code")


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="a whole game is slow without compiled code")
def test_a_whole_game_against_bots_ends_with_a_result(person: Person) -> None:
    rules = person.post("/api/rules", toml=EAST)["id"]
    table, line = person.start(rules=rules)
    started = person.get(f"/api/tables/{table}")
    assert started["result"] is None
    assert table not in [game["table"] for game in person.get("/api/games")["games"]]
    line.finish()
    over = person.get(f"/api/tables/{table}")
    assert (over["status"], sum(over["result"]["final"])) == ("finished", 0)
    record = over["result"]["record"]
    for kind in formats.BY_NAME:
        answer = person.http.get(f"/api/games/{record}/record", params={"format": kind})
        upload = person.post("/api/uploads", text=answer.text, name=kind, rules=rules)
        assert person.get(f"/api/uploads/{upload['id']}/replay")["hands"]
    assert len(person.get(f"/api/games/{record}/replay/5")["seats"]) == 4
    assert record in [game["id"] for game in person.get("/api/games", mine=True)["games"]]


@pytest.mark.parametrize("rules", ["standard", "standard-3"])
def test_a_moment_says_why_tiles_are_safe_from_a_riichi(rules: str) -> None:
    game = played(rules, 3, 200)
    step, declarer = next(
        (step, seat)
        for step, (_, seat, action) in enumerate(game.moves)
        if isinstance(action, Discard) and action.riichi
    )
    moment = ReplayGame(game, []).moment(step + 1)
    assert all(one.opponent != declarer for one in moment.safety[declarer])
    for view in moment.seats:
        against = [one for one in moment.safety[view.seat] if one.opponent == declarer]
        drawn = () if view.drawn is None else (view.drawn,)
        kinds = {tile.kind for tile in (*view.hand, *drawn)} if view.seat != declarer else set()
        assert {one.tile for one in against} == kinds
        river = {discard.tile.kind for discard in view.rivers[declarer]}
        assert {one.tile for one in against if one.code == "genbutsu"} == kinds & river


@pytest.mark.slow
def test_a_foul_is_paid_publicly_and_survives_a_restart(serve: Serve) -> None:
    """Under rules with penalties, a false win costs a chombo; the hand is replayed even after a restart."""
    url = serve()
    people = [Person(url, name) for name in NAMES]
    rules = people[0].post("/api/rules", toml='extends = "bgm-2025"\n[fouls]\nmode = "penalise"\n')["id"]
    table, lines = seated(people, rules=rules)
    watcher = people[0].socket(table["id"], watch=True)
    own, foul = lines[0].own, {"type": "foul", "act": "win_shown"}
    assert own is not None
    assert (foul in own["fouls"], foul in own["legal"]) == (True, False)
    assert lines[1].act(foul, ask=lines[1].seq)["type"] == "error"
    assert lines[0].act(foul)["type"] == "ack"
    paid = {"type": "fouled", "seat": 0, "foul": "false_win_shown", "cost": "chombo"}
    for line in [*lines, watcher]:
        while "points_moved" not in (events := {event["type"]: event for event in line.events()}):
            line.next()
        assert events["fouled"] == paid
        assert events["points_moved"]["deltas"] == [-9000, 3000, 3000, 3000]
        assert events["hand_drawn"]["kind"] == "voided"
    scores, seq = events["points_moved"]["scores"], lines[2].seq
    serve()
    lines = [person.socket(table["id"]) for person in people]
    for seat, line in enumerate(lines):
        sync = line.until("sync")
        moved = [event["scores"] for event in sync["events"] if event["type"] == "points_moved"]
        assert [sync["view"]["scores"], *moved][-1] == scores
        while line.seq < seq or line.own is None:
            line.next()
        assert (line.own["ask"] is not None) == (seat == 0)
    for line in lines:
        line.ask(type="abort", agree=True)
    game = people[0].get(f"/api/tables/{table['id']}")["result"]["record"]
    assert paid in people[0].get(f"/api/games/{game}/replay")["events"]


@pytest.mark.slow
def test_only_a_table_with_a_clock_discards_for_an_idle_player(url: str) -> None:
    """With a turn time of zero, the server discards for the seat immediately."""
    toml = 'extends = "standard"\n[clock]\nturn_s = 0\nbank_s = 0\nclaim_window_s = 0\n'
    mina, jun = Person(url, "Mina"), Person(url, "Jun")
    rules = mina.post("/api/rules", toml=toml)["id"]
    _, waiting = jun.start(rules=rules)
    table = mina.table(bots=3, rules=rules, options={"clock": True})["id"]
    line = mina.socket(table)
    mina.post(f"/api/tables/{table}/start")
    line.until("update", lambda message: discards(message, 0))
    assert "update" not in waiting.types()


# Practice games, which continue a finished game from one of its positions


def discard_after(replay: Message, step: int) -> int:
    """Return the step of the first discard after the given step."""
    steps = enumerate(replay["steps"])
    return next(i for i, move in steps if i > step and move["action"]["type"] == "discard")


def record_at(person: Person, table: str) -> str:
    return str(person.get(f"/api/tables/{table}")["result"]["record"])


@pytest.mark.slow
def test_a_practice_game_continues_and_does_not_count(short_game: tuple[Person, str]) -> None:
    mina, game = short_game
    before = mina.get(f"/api/games/{game}/replay")
    step = discard_after(before, 8)
    seat = before["steps"][step]["seat"]
    table = mina.post(f"/api/games/{game}/what-if", step=step, seat=seat)["table"]
    info = mina.get(f"/api/tables/{table}")
    assert info["seats"][seat]["person"] == mina.id
    assert (info["status"], info["options"]["private"], info["options"]["clock"]) == ("playing", True, False)
    line = mina.socket(table)
    own = line.wait_to_act()
    assert own is not None
    assert before["steps"][step]["action"] in own["legal"]
    line.finish()
    after = mina.get(f"/api/games/{record_at(mina, table)}/replay")
    same = [(move["seat"], move["action"]) for move in before["steps"][:step]]
    assert [(move["seat"], move["action"]) for move in after["steps"][:step]] == same
    assert [line["game"] for line in mina.get("/api/me/profile")["figures"]["games"]] == [game]
    listed = {entry["id"]: entry["practice"] for entry in mina.get("/api/games", mine=True)["games"]}
    assert (listed[after["game"]["id"]], after["game"]["practice"]) == (True, True)
    assert (listed[game], before["game"]["practice"]) == (False, False)


@pytest.mark.slow
def test_bots_keep_their_names_in_practice_games(short_game: tuple[Person, str]) -> None:
    mina, game = short_game
    before = [player["name"] for player in mina.get(f"/api/games/{game}")["players"]]
    for seat in range(4):
        table = mina.post(f"/api/games/{game}/what-if", step=0, seat=seat)["table"]
        names = [info["name"] for info in mina.get(f"/api/tables/{table}")["seats"]]
        for at in {0, 1, 2, 3} - {seat}:
            assert names[at] == before[at] if before[at] != "Mina" else names[at] not in before
        assert len(set(names)) == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "form"), [("tenhou", "mjlog"), ("tenhou-3", "tenhou"), ("changed", "mjai")]
)
def test_an_uploaded_log_can_be_continued(url: str, rules: str, form: str) -> None:
    """The walls of a log are unknown, sometimes also its rules; anyone with the link can continue it."""
    mina, ben = Person(url, "Mina"), Person(url, "Ben")
    given = load(tomllib.loads(EAST)) if rules == "changed" else load(rules)
    game = played(given, 5)
    sent = {"rules": mina.post("/api/rules", toml=EAST)["id"]} if rules == "changed" else {}
    log = formats.dumps(game, form, NAMES[: len(game.seats)])
    upload = mina.post("/api/uploads", text=log, name="log", **sent)["id"]
    before = mina.get(f"/api/uploads/{upload}/replay")
    later = before["hands"][1]["event"] + 20
    step = next(
        i for i, step in enumerate(before["steps"]) if step["first"] > later and "tile" in step["action"]
    )
    table = ben.post(f"/api/uploads/{upload}/what-if", step=step, seat=before["steps"][step]["seat"])["table"]
    info = ben.get(f"/api/tables/{table}")
    names = [sitter["name"] for sitter in info["seats"]]
    assert (names.count("Ben"), set(before["names"]) & set(names)) == (1, set())
    assert info["rules"]["fingerprint"] == given.fingerprint
    line = ben.socket(table)
    own = line.wait_to_act()
    assert own is not None
    assert before["steps"][step]["action"] in own["legal"]
    for _ in range(5):
        if line.wait_to_act() is not None:
            assert line.move()["type"] == "ack"
    line.ask(type="abort", agree=True)
    after = ben.get(f"/api/games/{record_at(ben, table)}/replay")
    done = before["steps"][step]["first"]
    assert after["events"][1:done] == before["events"][1:done]
    assert len(after["hands"]) >= 2


@pytest.mark.slow
def test_a_game_continued_from_a_log_survives_a_restart(serve: Serve) -> None:
    mina = Person(serve(), "Mina")
    log = formats.dumps(played("tenhou", 5), "mjai", NAMES)
    upload = mina.post("/api/uploads", text=log, name="log")["id"]
    replay = mina.get(f"/api/uploads/{upload}/replay")
    step = discard_after(replay, len(replay["steps"]) - 150)
    table = mina.post(f"/api/uploads/{upload}/what-if", step=step, seat=0)["table"]
    line = mina.socket(table)
    line.move()
    mine = line.wait_to_act()
    serve()
    assert mina.get(f"/api/tables/{table}")["stopped"] is False
    line = mina.socket(table)
    again = line.wait_to_act()
    assert again is not None
    assert mine is not None
    assert again["legal"] == mine["legal"]
    line.finish()
    assert mina.get(f"/api/tables/{table}")["status"] == "finished"
    assert mina.get("/api/me/profile")["figures"] is None
    # the continued game was played here, so all of its walls are known
    record = record_at(mina, table)
    after = discard_after(mina.get(f"/api/games/{record}/replay"), step - 60)
    again_table = mina.post(f"/api/games/{record}/what-if", step=after, seat=0)["table"]
    walls = [
        rows(serve.data, "select seed, opening from games where table_id = ?", one)
        for one in (table, again_table)
    ]
    assert walls[0] == walls[1]


@pytest.mark.slow
def test_only_finished_games_can_be_continued(short_game: tuple[Person, str]) -> None:
    mina, game = short_game
    log = formats.dumps(played("tenhou-3", 5), "mjai", NAMES[:3])
    upload = mina.post("/api/uploads", text=log, name="log")["id"]
    for path in (f"games/{game}", f"uploads/{upload}"):
        steps = len(mina.get(f"/api/{path}/replay")["steps"])
        for where, step, seat, status in (
            (path, steps, 0, 404),
            (path, 0, 4, 422),
            (path, -1, 0, 422),
            (f"uploads/{upload}", 0, 3, 404),
            (path.replace(game, "none").replace(upload, "none"), 0, 0, 404),
        ):
            body = {"step": step, "seat": seat}
            assert mina.send("POST", f"/api/{where}/what-if", **body).status_code == status
        assert Person(mina.url).send("POST", f"/api/{path}/what-if", step=0, seat=0).status_code == 401


def test_an_uploaded_log_is_listed_for_its_person_only_and_open_to_people_with_the_link(serve: Serve) -> None:
    url = serve()
    mina, ken = Person(url, "Mina"), Person(url, "Ken")
    sent = mina.post("/api/uploads", text=formats.dumps(game_of(60), "mjai", NAMES), name="log")
    assert sent["names"] == NAMES
    assert re.fullmatch(r"[0-9a-f]{16}", sent["id"])
    assert [row["id"] for row in mina.get("/api/uploads")["uploads"]] == [sent["id"]]
    assert ken.get("/api/uploads")["uploads"] == []
    assert sent["id"] not in json.dumps(ken.get("/api/games"))
    with httpx.Client(base_url=url) as stranger:
        assert stranger.get(f"/api/uploads/{sent['id']}/replay").json()["names"] == NAMES
        assert stranger.get("/api/uploads").status_code == 401


# Limits on uploads: the length of a game, the bytes stored, and the memory for replays


def game_of(actions: int, seed: int = 1) -> Game:
    """Return a game in which all players always pass, ended after this many actions."""
    game = Game(load("standard"), seed)
    while len(game.moves) < actions and not game.is_over:
        seat = game.to_act[0]
        legal = game.legal(seat)
        plain = [action for action in legal if isinstance(action, Discard) and action.riichi is None]
        game.play(seat, Pass() if Pass() in legal else (plain or legal)[-1])
    return game


def test_an_overlong_log_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    log = dumps(game_of(60))
    monkeypatch.setattr(engine, "MAX_MOVES", 59)
    with pytest.raises(RecordError) as error:
        read_log("log", log, None)
    assert error.value.code == "record_long"
    monkeypatch.setattr(engine, "MAX_MOVES", 60)
    monkeypatch.setattr(move_limit, "MAX_MOVES", 60)
    stored = StoredLog.parse(read_log("log", log, None))
    assert stored.record == log
    assert len(stored.text) < len(log) / 3
    monkeypatch.setattr(logs, "MAX_RECORD", len(log) - 1)
    with pytest.raises(ServerError) as refused:
        read_log("log", log, None)
    assert refused.value.code == "log_too_large"


def test_a_long_game_stays_well_under_the_limit() -> None:
    game = game_of(engine.MAX_MOVES)
    assert game.is_over
    assert 4 * len(game.moves) < engine.MAX_MOVES
    assert 4 * len(dumps(game)) < logs.MAX_RECORD


@pytest.mark.slow
def test_uploads_of_one_person_are_limited_in_bytes(serve: Serve) -> None:
    mina = Person(serve(limits=only_limits(kept_bytes_of_one=12_000)), "Mina")
    log = dumps(game_of(150))
    codes = [mina.send("POST", "/api/uploads", text=log).status_code for _ in range(6)]
    fit = codes.count(200)
    assert 0 < fit < 6
    assert codes == [200] * fit + [429] * (6 - fit)
    [[stored]] = rows(serve.data, "SELECT sum(length(text)) FROM uploads")
    assert stored <= 12_000


def test_a_compressed_game_is_expanded_only_up_to_a_limit() -> None:
    """The upload is a text of four kilobytes that expands to a thousand times the limit."""
    whole = zlib.decompress(base64.b85decode(compact(game_of(40))))
    bomb = base64.b85encode(zlib.compress(whole + bytes(4 << 20), 9)).decode()
    assert len(bomb) < 10_000
    with pytest.raises(RecordError):
        expand(bomb)


async def test_cached_replays_are_limited_in_bytes() -> None:
    """The latest replay stays cached whatever its size; concurrent requests load a game only once."""
    game, read = game_of(50), list[str]()
    size = ReplayGame(game, []).size
    cache = ReplayCache(3 * size)

    async def load() -> ReplayGame:
        read.append("")
        return ReplayGame(game, [])

    for number in range(10):
        await cache.get(f"game {number}", load)
        assert cache.size <= 3 * size
    counts = [len(read)]
    for number in (9, 0):
        await cache.get(f"game {number}", load)
        counts.append(len(read))
    assert counts == [10, 10, 11]
    small = ReplayCache(1)
    assert await small.get("game", load) is await small.get("game", load)


# Reviews of stored games: who may see them, and that they agree with the game


@pytest.mark.slow
def test_decisions_of_a_review_refer_to_steps_of_the_replay(person: Person) -> None:
    log = formats.dumps(played("standard", 3, 60), "jantaku")
    path = f"/api/uploads/{person.post('/api/uploads', text=log, name='log')['id']}"
    whole = person.get(f"{path}/replay")
    for seat in range(4):
        review = person.get(f"{path}/review", seat=seat)["review"]
        assert review["seat"] == seat
        assert review["decisions"]
        for decision in review["decisions"]:
            step = whole["steps"][decision["step"]]
            shown = (step["seat"], step["action"], step["first"])
            assert shown == (seat, decision["played"], decision["event"])
            assert decision["hand"] < len(whole["hands"])
        assert len(review["chances"]) == len(whole["hands"])
    for invalid in (-1, 4, "x"):
        person.refused("bad_request", f"GET {path}/review", seat=invalid)


def test_a_program_judges_only_ones_own_seat(short_game: tuple[Person, str]) -> None:
    mina, game = short_game
    own = mina.get(f"/api/games/{game}")["mine"]
    other = Person(mina.url, "Jun")
    mina.refused("no_program", f"GET /api/games/{game}/review", seat=own, judge="best")
    for person, seat in ((mina, (own + 1) % 4), (other, own)):
        person.refused("review_own", f"GET /api/games/{game}/review", seat=seat, judge="best")


def test_missing_and_running_games_have_no_review(serve: Serve) -> None:
    """A review of a running game would reveal the hands of other players."""
    mina = Person(serve(), "Mina")
    mina.start()
    [(game, status)] = rows(serve.data, "select id, status from games")
    assert status == "playing"
    for path in (f"games/{game}", "games/nothing", "uploads/nothing"):
        assert mina.send("GET", f"/api/{path}/review").status_code == 404


# Finished hands are stored as played, so that later versions of the engine cannot lose or change a game


def test_stored_hands_reproduce_the_whole_game() -> None:
    game = played("standard", seed=5)
    logs = hand_logs(game)
    assert len(logs) == sum(event.type == "hand_started" for event in game.events) > 1
    assert differing_hand(game, logs) is None
    record = as_played(game.rules, logs, [(seat, str(action)) for _, seat, action in game.moves])
    assert [event.to_dict() for event in record.events] == [event.to_dict() for event in game.events]
    assert record.moves == game.moves
    partial = Game("standard", seed=5)
    assert (hand_logs(partial), len(hand_logs(partial, ended=True))) == ([], 1)
    assert differing_hand(played("standard", seed=6), logs) == differing_hand(partial, logs) == 0
    second = next(before for before, _, _ in game.moves if before > 150)
    for before, seat, action in game.moves:
        if before < second:
            partial.play(seat, action)
    assert differing_hand(partial, logs) is not None, "the game stops short"


def hands_played(serve: Serve, hands: int = 1) -> tuple[Person, str]:
    """Play the first hands of a game between a person and three bots."""
    mina = Person(serve(), "Mina")
    table, line = mina.start()
    while sum(event["type"] == "hand_started" for event in line.events()) <= hands:
        line.move()
    return mina, table


@pytest.mark.slow
def test_a_hand_is_stored_as_soon_as_it_ends(serve: Serve) -> None:
    hands_played(serve, 2)
    assert rows(serve.data, "select number from hands order by number")[:2] == [(0,), (1,)]


@pytest.mark.slow
@pytest.mark.parametrize("change", ["seed", "rows"])
def test_a_game_that_replays_differently_is_displayed_as_stored(serve: Serve, change: str) -> None:
    """A different seed stands in for a different engine: the actions become illegal or have other results."""
    mina, table = hands_played(serve)
    serve.stack.close()
    [(game,)] = rows(serve.data, "select id from games")
    if change == "seed":
        rows(serve.data, "update games set seed = ?", OTHER_SEED)
    else:
        other = hand_logs(played("standard", seed=5))[0]
        rows(serve.data, "update hands set log = ? where number = 0", other)
    serve()
    assert mina.get(f"/api/tables/{table}")["stopped"] is True
    mina.delete(f"/api/tables/{table}")
    shown = mina.get(f"/api/games/{game}/replay")
    assert shown["follows_rules"] is False
    logs = [
        json.loads(zlib.decompress(log))
        for (log,) in rows(serve.data, "select log from hands order by number")
    ]
    assert shown["events"] == [event for log in logs for event in log["events"]]
    mina.get(f"/api/games/{game}/replay/{len(shown['steps'])}")


def test_a_replay_uses_the_stored_hands() -> None:
    """If this engine version has confirmed the game, the page is the same without replaying the game."""
    game = played("tenhou", seed=5)
    players = [GamePlayer(name=letter, bot=False, level=None) for letter in "abcd"]
    shown = GameSummary.model_construct(players=players)
    moves = [(seat, str(action)) for _, seat, action in game.moves]
    stored = stored_replay(game.rules, hand_logs(game, ended=True), moves, shown)
    whole = replay(ReplayGame(game, list("abcd")), shown)
    assert stored.model_dump(exclude={"game"}) == whole.model_dump(exclude={"game"})


@pytest.mark.slow
def test_another_engine_version_replays_a_game_once(serve: Serve) -> None:
    """The mark of the engine is stored when a game ends; the first other version that agrees replaces it."""
    mina, table = hands_played(serve)
    serve()
    mina.socket(table).ask(type="abort", agree=True)
    assert mina.get(f"/api/tables/{table}")["status"] == "aborted"
    [(game, mark)] = rows(serve.data, "select id, engine from games")
    assert mark == engine_mark()
    first = mina.get(f"/api/games/{game}/replay")
    assert first["follows_rules"] is True
    for other in ("another engine", None):
        rows(serve.data, "update games set engine = ?", other)
        assert mina.get(f"/api/games/{game}/replay") == first
        assert rows(serve.data, "select engine from games") == [(mark,)]


def test_illegal_actions_without_stored_hands_are_an_error() -> None:
    with pytest.raises(IllegalActionError):
        replayed(load("standard"), Beginning(OTHER_SEED), [(3, "tsumo")])


# The beginning of a stored game: its seed, or the walls of the log it continues


def test_the_stored_beginning_reproduces_the_walls() -> None:
    rules = load("standard")
    assert Beginning(SEED).opening is None, "a game without a log stores its seed only"
    assert beginning_of(SEED, None).game(rules) == Game(rules, SEED)
    standing = Standing(2, 1, 0, (24000, 26000, 25000, 25000))
    beginning = Beginning(SEED, (tuple(shuffled(tile_set(rules), SEED, 7)),), standing)
    assert beginning_of(SEED, beginning.opening) == beginning
    game = beginning.game(rules)
    assert (tuple(game.walls[0]), game.standing, game.seed) == (*beginning.walls, standing, None)
    # later walls come from the seed, even in a game that has not started
    for started in (game.restarted(), game.restarted(), game):
        assert next(started._walls) == shuffled(tile_set(rules), SEED, 1)
    with pytest.raises(RecordError):
        beginning_of(SEED, json.dumps({"version": 2, "walls": [], "standing": None}))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["mjai", "tenhou", "mjlog"])
@pytest.mark.parametrize("rules", ["tenhou", "tenhou-3"])
def test_only_tiles_unknown_to_a_log_are_shuffled(rules: str, form: str) -> None:
    log = formats.parse_record(formats.dumps(played(rules, 3), form).encode()).game
    tiles, draws = tile_set(log.rules), 0
    for hand in range(len(log.walls)):
        walls = [wall_as_seen(log, hand, bytes([n]) * 32) for n in (1, 2)]
        assert [sorted(wall) for wall in walls] == [sorted(tiles)] * 2
        assert walls[0] != walls[1]
        draws += sum(a == b for a, b in zip(*walls, strict=True))
    assert draws >= sum(isinstance(event, Drew | DoraTurned) for event in log.events)
    walls = [wall_as_seen(log, hand, SEED) for hand in range(len(log.walls))]
    again = Beginning(SEED, tuple(map(tuple, walls)), log.standing).game(log.rules)
    for _, seat, action in log.moves:
        again.play(seat, action)
    events = [list(islice(game.events, 1, game.moves[-1][0])) for game in (again, log)]
    assert events[0] == events[1]


def test_a_log_with_too_many_hands_cannot_be_continued(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its walls would have to be stored, whereas walls generated from a seed need no storage."""
    game = Game("standard", seed=1)
    seat = game.to_act[0]
    game.play(seat, game.legal(seat)[-1])
    log = Game(game.rules, walls=game.walls)
    log.play(seat, game.moves[0][2])
    assert len(routes.beginning_at(log, 0).walls) == 1
    monkeypatch.setattr(routes, "MAX_HANDS", 0)
    with pytest.raises(ServerError) as caught:
        routes.beginning_at(log, 0)
    assert caught.value.code == "what_if_long"
    assert routes.beginning_at(game, 0) == Beginning(game.seed or b"")


def test_unseen_tiles_are_shuffled_among_themselves() -> None:
    """If all tiles were shuffled and the seen ones skipped, the rest of a kind would be drawn too early."""
    game = Game("standard", seed=1)
    wall = wall_as_seen(game, 0, SEED)
    # the tiles dealt, a draw and the indicator
    assert Game(game.rules, walls=[wall]).events[1:] == game.events[1:]
    rest = tile_set(game.rules)
    for tile in [*wall[:53], wall[131]]:
        rest.remove(tile)
    assert [*wall[53:131], *wall[132:]] == shuffled(rest, SEED, 0)
