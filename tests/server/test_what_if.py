"""Playing on from a moment of a finished game, at a table that counts nowhere."""

import tomllib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jantaku.bots import bot
from jantaku.game import Game
from jantaku.records import formats
from jantaku.rules import Ruleset, load
from server.databases import rows
from server.parlour import Line, Message, Person, open_server, quick, simplest
from server.test_own_numbers import RULES

EAST = 'extends = "tenhou"\n[match]\nlength = "east"\n'


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Person, str]]:
    """Somebody who has played a short game against bots to its end, and its record."""
    with open_server(quick(tmp_path_factory.mktemp("what-if"))) as url, closing(Person(url, "Mina")) as mina:
        rules = mina.post("/api/rules", toml=RULES)["id"]
        table = mina.table(bots=3, rules=rules)
        mina.post(f"/api/tables/{table['id']}/start")
        line = mina.socket(table["id"])
        while (own := line.asked()) is not None:
            assert line.act(simplest(own))["type"] == "ack"
        line.close()
        yield mina, mina.get(f"/api/tables/{table['id']}")["result"]["record"]


@pytest.mark.slow
def test_a_game_goes_on_from_a_moment_and_counts_nowhere(played: tuple[Person, str]) -> None:
    mina, game = played
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
def test_bots_keep_their_names_when_somebody_plays_on(played: tuple[Person, str]) -> None:
    mina, game = played
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
def test_only_a_moment_of_a_finished_game_can_be_played_on(played: tuple[Person, str]) -> None:
    mina, game = played
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
def test_an_uploaded_log_goes_on_from_a_moment(played: tuple[Person, str], rules: str, form: str) -> None:
    """Its walls are unknown, and so may be its rules."""
    mina, _ = played
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
    with open_server(settings) as url, closing(Person(url, "Mina")) as mina:
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
    with open_server(settings) as url, closing(Person(url)) as mina:
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
def test_what_cannot_be_played_on_is_refused(played: tuple[Person, str]) -> None:
    mina, _ = played
    upload = mina.post("/api/uploads", text=bot_game(load("tenhou-3"), "mjai"), name="log")["id"]
    path, steps = f"/api/uploads/{upload}", len(mina.get(f"/api/uploads/{upload}/replay")["steps"])
    for body, status in (({"step": steps, "seat": 0}, 404), ({"step": 0, "seat": 3}, 404)):
        assert mina.http.post(f"{path}/what-if", json=body).status_code == status
    assert mina.http.post("/api/uploads/none/what-if", json={"step": 0, "seat": 0}).status_code == 404
    stranger = Person(mina.url)
    assert stranger.http.post(f"{path}/what-if", json={"step": 0, "seat": 0}).status_code == 401
