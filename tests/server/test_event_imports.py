"""Logs of games that were played elsewhere, into a stage of an event and into an event file."""

import json
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jantaku.cli.app import app
from jantaku.club import event_from, settle, standings
from jantaku.club.as_entered import end_of, played_hands
from jantaku.club.log_games import log_game, matched
from jantaku.errors import JantakuError
from jantaku.game import Game
from jantaku.records import formats
from jantaku.rules import load
from jantaku.server.events.recording.game_log_jobs import read_event_log
from jantaku.terms import LANGUAGES, Language
from server.clubs import Gathering, refused
from support.playing import played

NAMES = ("ASAPIN", "こたつ", "민수", "=cmd|' /C calc'!A0")


@cache
def game() -> Game:
    return played("tenhou", 11)


def log(name: str = "tenhou", names: tuple[str, ...] = NAMES) -> str:
    return formats.dumps(game(), name, names)


@pytest.mark.slow
def test_every_format_tells_the_same_game_by_the_same_digest() -> None:
    games = {name: log_game(log(name).encode(), load("tenhou")) for name in formats.BY_NAME}
    ended = end_of(game())
    assert ended is not None
    assert {one.digest for one in games.values()} == {games["mjlog"].digest}
    assert all(tuple(one.result["final"]) == ended.final for one in games.values())
    assert games["tenhou"].names == NAMES
    assert [dict(hand) for hand in games["jantaku"].hands] == played_hands(game())
    assert (
        log_game(formats.dumps(played("tenhou", 12), "tenhou").encode(), load("tenhou")).digest
        != games["mjlog"].digest
    )


def test_a_converted_log_tells_its_site() -> None:
    converted = json.loads(log()) | {"ref": "220101-0a1b2c3d-0000-4e5f"}
    assert log_game(json.dumps(converted).encode(), load("tenhou")).site == "mahjongsoul"
    assert log_game(log().encode(), load("tenhou")).site == "tenhou"


@pytest.mark.parametrize(
    ("names", "nicknames", "listed", "players"),
    [
        ("AB", {"A": "1"}, {"b": "2"}, ["1", "2"]),
        ("AB", {"A": "1", "B": "1"}, {}, [None, None]),
        ("AB", {"A": "1"}, {"a": "2"}, ["1", None]),
        (("", "A"), {"": "1"}, {"": "2", "A": "3"}, [None, "3"]),
    ],
)
def test_names_find_entries(names: Any, nicknames: Any, listed: Any, players: list[str | None]) -> None:
    assert matched(names, nicknames, listed) == players


@pytest.mark.slow
def test_a_log_is_looked_at_entered_and_counts_once(gathering: Gathering) -> None:
    path, referee = f"{gathering.path}/logs", gathering.referee
    shown = referee.post(f"{path}/preview", text=log())
    assert (shown["players"], shown["known"], shown["site"]) == ([None] * 4, None, "tenhou")
    assert tuple(shown["names"]) == NAMES
    assert refused(referee, "POST", path, text=log(), stage="league") == (400, "log_nobody")
    game = referee.post(path, text=log(), stage="league", players=gathering.entries, label="Tenhou")
    assert (game["status"], game["final"]) == ("confirmed", shown["final"])
    assert all(win["yaku"] for hand in game["hands"] for win in hand["hand"].get("wins", ()))
    for other in ("mjlog", "mjai", "jantaku"):
        assert referee.post(path, text=log(other), stage="league")["id"] == game["id"]
    assert len(referee.get(f"{gathering.path}/games")["games"]) == 1
    with closing(Gathering(gathering.url)) as others:
        file = gathering.organiser.get(f"{gathering.path}/file")
        file["games"][0]["id"] = "renamed"  # the tiles tell, whatever the id
        there = f"/api/events/{others.organiser.post('/api/events/import', file=file)['id']}"
        body = {"text": log(), "stage": "league", "players": gathering.entries}
        assert others.organiser.post(f"{there}/logs", **body)["id"] == "renamed"
        assert len(others.organiser.get(f"{there}/games")["games"]) == 1
        twice = file | {"games": [*file["games"], file["games"][0] | {"id": "another"}]}
        assert refused(others.organiser, "POST", "/api/events/import", file=twice) == (400, "id_twice")
    again = referee.post(f"{path}/preview", text=log("mjlog"))
    assert again["known"] == game["id"]
    assert again["players"] == gathering.entries  # the names are remembered
    second = formats.dumps(played("tenhou", 12), "mjlog", [*NAMES[::-1]])
    assert [seat["entry"] for seat in referee.post(path, text=second, stage="league")["seats"]] == (
        gathering.entries[::-1]
    )
    points = {row["player"]: row["points"] for row in referee.get(f"{gathering.path}/standings")["stages"][0][
        "standings"
    ]}  # fmt: skip
    assert sum(points.values()) == 0
    assert refused(gathering.players[0], "POST", f"{path}/preview", text=log()) == (403, "not_referee")


@pytest.mark.slow
def test_a_log_by_other_rules_is_refused_with_its_hand(url: str) -> None:
    gathering = Gathering(url, rules="wrc")
    answer = gathering.referee.http.post(
        f"{gathering.path}/logs/preview", json={"text": log()}, params={"lang": "ko"}
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "log_differs")
    assert answer.json()["error"]["hand"] == 0
    assert "룰" in answer.json()["error"]["message"]


def named_strangely() -> str:
    return json.dumps(json.loads(log()) | {"name": ["\x00", "a" * 100_000, {"a": 1}, None]})


HOSTILE: dict[str, Callable[[], str]] = {
    "empty": lambda: " ",
    "deep": lambda: "[" * 100_000,
    "deep object": lambda: '{"log":' * 50_000,
    "numbers": lambda: '{"log":[[[1e999,0,0],[25000,25000,25000,25000],[],[]]],"name":["a"]}',
    "huge number": lambda: '{"log":[[[' + "9" * 5_000 + ",0,0]]]}",
    "bomb": lambda: (
        '<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><mjloggm>&b;</mjloggm>'
    ),
    "half": lambda: log("mjlog")[: len(log("mjlog")) // 2],
    "short": lambda: log("jantaku").split("\n")[0],
    "nothing": lambda: "<mjloggm/>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_in_words(name: str) -> None:
    with pytest.raises(JantakuError) as refusal:
        log_game(HOSTILE[name]().encode(), load("tenhou"))
    assert 0 < len(refusal.value.message("ko")) < 2_000


def test_strange_names_are_shortened() -> None:
    names = log_game(named_strangely().encode(), load("tenhou")).names
    assert all(len(name) <= 64 for name in names)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_of_a_text_says_what_is_refused(language: Language) -> None:
    for name, made in HOSTILE.items():
        with pytest.raises(JantakuError) as refusal:
            read_event_log(made(), load("tenhou"), language)
        assert refusal.value.message(language)[0].isalnum(), name


@pytest.mark.slow
def test_the_server_bounds_a_log(gathering: Gathering) -> None:
    path = f"{gathering.path}/logs/preview"
    assert refused(gathering.referee, "POST", path, text=HOSTILE["deep"]())[0] == 400
    assert refused(gathering.referee, "POST", path, text=" " * 3_000_000)[0] in (413, 422)
    assert refused(gathering.referee, "POST", f"{gathering.path}/entries", name="a" * 200_000)[0] == 413


def test_the_command_adds_logs_to_an_event_file(tmp_path: Path) -> None:
    players = [{"id": f"p{i}", "name": name} for i, name in enumerate(("asapin", "こたつ", "민수", "Mina"))]
    event = {"jantaku_event": 1, "name": {"en": "E"}, "rules": "tenhou", "players": players,
             "stages": [{"id": "league", "kind": "open"}], "games": []}  # fmt: skip
    file, to = tmp_path / "event.json", tmp_path / "new.json"
    file.write_text(json.dumps(event), "utf-8")
    for name in ("tenhou", "mjlog"):
        (tmp_path / name).write_text(log(name), "utf-8")
    logs = [str(tmp_path / name) for name in ("tenhou", "mjlog")]
    arguments = ["event", "import", str(file), *logs, "--to", str(to)]
    failed = CliRunner().invoke(app, arguments)
    assert failed.exit_code != 0
    assert NAMES[3] in failed.output
    assert CliRunner().invoke(app, [*arguments, "--player", f"{NAMES[3]}=p3"]).exit_code == 0
    imported = event_from(json.loads(to.read_text("utf-8")))
    final = settle(played_hands(game()), "tenhou").final
    assert final is not None
    points = {standing.player: standing.points for standing in standings(imported).stages["league"]}
    assert points == {f"p{i}": final[i] for i in range(4)}
