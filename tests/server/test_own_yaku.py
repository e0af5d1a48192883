"""Custom yaku with conditions: submitted by HTTP, saved, played, recorded and counted in events."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jantaku.terms import LANGUAGES
from server.clubs import SCORES, Account, Club
from server.parlour import Line, Message, Person, fast_settings, open_server, simplest_action

GREETING = """extends = "standard"
name = { en = "Our club" }
[match]
length = "east"
[yaku.aisatsu]
closed = 1
open = 1
when = "tsumo or ron"
name = { en = "Greeting", ja = "挨拶", ko = "인사" }
definition = { en = "Every win has it." }
"""
WIN: Message = {"hand": "123m456p789s1122z", "win": "1z", "by": "tsumo"}
LOOKALIKES = (
    "ｔsumo",
    "tsumо",
    "tsumo\u200b",
    "ts\u00adumo",
    "\u202etsumo",
    "tsumo\u0301",
    "ＴＳＵＭＯ",
    "tsumo\x00",
)
HOSTILE = (
    "(" * 30_000,
    "not " * 10_000,
    "tsumo and " * 4000,
    "9" * 30_000,
    " or ".join(["run(n, x) and run(k, y)"] * 20),
    '"' * 20_000,
    "-" * 400 + "dora",
    "__import__('os').system('id')",
    "tsumo; import os",
    'yaku("own")',
    "",
    " ",
)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose bots try to win."""
    with open_server(fast_settings(tmp_path_factory.mktemp("own"), bot="standard")) as url:
        yield url


@pytest.fixture
def mina(url: str) -> Person:
    return Person(url, "Mina")


def save_rules(person: Person, toml: str = GREETING) -> str:
    """Check rules and save them; return their id."""
    assert person.post("/api/rules/check", toml=toml)["ok"]
    return str(person.post("/api/rules", toml=toml)["id"])


def with_condition(when: str, yaku: str = "aisatsu", **more: Any) -> str:
    row = {"closed": 1, "when": when, **more}
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in row.items()]
    return "\n".join(['extends = "standard"', f"[yaku.{yaku}]", *lines, ""])


def test_a_custom_yaku_is_saved_listed_displayed_and_compared(mina: Person) -> None:
    rules = save_rules(mina)
    row = next(row for row in mina.get("/api/rules")["rules"] if row["id"] == rules)
    assert (row["name"], row["own"]) == ("Our club", True)
    page = mina.get(f"/api/rules/{rules}", lang="ko")
    assert [(row["name"], row["closed"]) for row in page["yaku"] if row["id"] == "aisatsu"] == [
        ("인사", "1판")
    ]
    assert page["toml"] == GREETING
    assert any(row["path"] == "yaku.aisatsu" for row in mina.get(f"/api/rules/{rules}/diff")["rows"])
    groups = mina.get(f"/api/rules/{rules}/yaku")["groups"]
    assert "aisatsu" in [row["id"] for group in groups for row in group["yaku"]]
    booklet = mina.http.get(f"/api/rules/{rules}/booklet", params={"lang": "ja"})
    assert "挨拶" in booklet.text


def test_others_can_use_and_copy_a_custom_yaku(url: str, mina: Person) -> None:
    rules = save_rules(mina)
    yuna = Person(url, "Yuna")
    copy = yuna.get(f"/api/rules/{rules}")["toml"]
    other = save_rules(yuna, copy)
    assert other != rules
    assert yuna.post("/api/score", **WIN, rules=other)["yaku"]["aisatsu"] == 1
    assert yuna.send("DELETE", f"/api/rules/{rules}").status_code == 403


def test_a_custom_yaku_counts_in_single_hands(mina: Person) -> None:
    rules = save_rules(mina)
    assert mina.post("/api/score", **WIN, rules=rules)["yaku"]["aisatsu"] == 1
    assert "aisatsu" not in mina.post("/api/score", **WIN, rules="standard")["yaku"]
    assert "Greeting" in mina.post("/api/explain", **WIN, rules=rules)["text"]
    counted = mina.get("/api/practice/points/3", rules=rules)["explanation"]["yaku"]
    assert "aisatsu" in [row["id"] for row in counted]
    tree = {"extends": "standard", "yaku": {"aisatsu": {"closed": 1, "open": 1, "when": "tsumo or ron"}}}
    assert mina.post("/api/score", **WIN, rules=tree)["yaku"]["aisatsu"] == 1


def play_to_end(line: Line) -> None:
    """Win if possible, and otherwise play on until the game is over."""
    while (own := line.wait_to_act()) is not None:
        wins = [action for action in own["legal"] if action["type"] in ("ron", "tsumo")]
        line.act(wins[0] if wins else simplest_action(own))


@pytest.mark.slow
def test_a_custom_yaku_counts_in_a_game_and_its_record_works_elsewhere(
    url: str, mina: Person, tmp_path: Path
) -> None:
    """The game record brings its rules to a server that does not have them, and into an event there."""
    rules = save_rules(mina)
    table = mina.table(rules=rules, bots=3)
    line = mina.socket(table["id"])
    mina.post(f"/api/tables/{table['id']}/start")
    play_to_end(line)
    won = [event for event in line.events() if event["type"] == "won"]
    assert won
    assert all(event["score"]["yaku"]["aisatsu"] == 1 for event in won)
    row = mina.get("/api/games", mine=True)["games"][0]
    assert (row["rules"], row["rules_name"]) == (rules, "Our club")
    replay = mina.get(f"/api/games/{row['id']}/replay")
    assert replay["follows_rules"]
    record = mina.http.get(f"/api/games/{row['id']}/record").text
    with open_server(fast_settings(tmp_path)) as elsewhere:
        yuna = Person(elsewhere, "Yuna")
        upload = yuna.post("/api/uploads", name="log", text=record)["id"]
        assert yuna.get(f"/api/uploads/{upload}/replay")["events"] == replay["events"]
        step = len(replay["steps"]) // 2
        on = yuna.post(f"/api/uploads/{upload}/what-if", step=step, seat=0)["table"]
        assert yuna.get(f"/api/tables/{on}")["rules"]["fingerprint"] == row["fingerprint"]
        there = save_rules(yuna)
        club = Club(elsewhere, rules=there)
        game = club.organiser.post("logs", text=record, stage="league", players=club.entries)
        wins = [win for hand in game["hands"] for win in hand["hand"].get("wins", ())]
        assert wins
        assert all("aisatsu" in win["yaku"] for win in wins)


@pytest.mark.slow
def test_a_custom_yaku_counts_in_an_event_and_its_file_works_elsewhere(
    url: str, mina: Person, tmp_path: Path
) -> None:
    """The event keeps its rules after their author has deleted them, and the event file contains them."""
    rules = save_rules(mina)
    hand = {"seat": 0, "han": 3, "fu": 40, "yaku": ["riichi", "aisatsu"]}
    club = Club(url, rules=rules)
    mina.delete(f"/api/rules/{rules}")
    game = club.game("own")
    game.enter({"end": "ron", "from": 1, "riichi": [0], "wins": [hand]})
    assert game.view()["hands"][0]["hand"]["wins"][0]["yaku"] == hand["yaku"]
    game.post("points", scores=SCORES, why="paper")
    event, file = club.organiser.get(), club.organiser.get("file")
    page = mina.get(f"/api/rules/{event['rules']}", lang="ko")
    assert "인사" in [row["name"] for row in page["yaku"]]
    with open_server(fast_settings(tmp_path)) as elsewhere:
        other = Account(elsewhere, "other")
        imported = other.get(f"/api/events/{other.post('/api/events/import', file=file)['id']}")
        assert imported["fingerprint"] == event["fingerprint"]
        page = other.get(f"/api/rules/{imported['rules']}", lang="ja")
        assert "挨拶" in [row["name"] for row in page["yaku"]]


@pytest.mark.parametrize("when", [*LOOKALIKES, *HOSTILE])
def test_a_hostile_condition_is_refused_everywhere(mina: Person, when: str) -> None:
    """The rules check, saving and requests refuse the rules in three languages without a server error."""
    toml = with_condition(when)
    for language in LANGUAGES:
        reply = mina.http.post("/api/rules/check", json={"toml": toml}, params={"lang": language})
        assert reply.status_code == 200, reply.text
        assert not reply.json()["ok"]
        assert all(len(problem["message"]) < 1000 for problem in reply.json()["problems"])
    assert mina.send("POST", "/api/rules", toml=toml).status_code == 400
    tree = {"extends": "standard", "yaku": {"own": {"closed": 1, "when": when}}}
    for path in ("score", "explain"):
        answer = mina.http.post(f"/api/{path}", json={**WIN, "rules": tree})
        assert answer.status_code in (200, 400), answer.text
        assert "error" in answer.text


@pytest.fixture(scope="module")
def record(url: str) -> str:
    """Return the record of a game under rules that a person wrote."""
    rin = Person(url, "Rin")
    table = rin.table(rules=save_rules(rin), bots=3)
    line = rin.socket(table["id"])
    rin.post(f"/api/tables/{table['id']}/start")
    play_to_end(line)
    game = rin.get("/api/games", mine=True)["games"][0]["id"]
    return rin.http.get(f"/api/games/{game}/record").text


@pytest.mark.slow
@pytest.mark.parametrize("when", [*LOOKALIKES[::3], *HOSTILE])
def test_a_hostile_condition_in_an_uploaded_record_is_refused(mina: Person, record: str, when: str) -> None:
    """The server does not have the rules of the record."""
    known = json.dumps("tsumo or ron")
    assert known in record
    unknown = record.replace(json.loads(record.splitlines()[0])["fingerprint"], "f" * 16)
    hostile = unknown.replace(known, json.dumps(when))
    answer = mina.http.post("/api/uploads", json={"text": hostile, "name": "x"})
    assert answer.status_code == 400, answer.text
    assert len(answer.json()["error"]["message"]) < 1000


@pytest.mark.parametrize("count", [17, 1000])
def test_too_many_custom_yaku_are_refused(mina: Person, count: int) -> None:
    rows = (f'[yaku.own{i}]\nclosed = 1\nwhen = "tsumo"' for i in range(count))
    toml = "\n".join(['extends = "standard"', *rows, ""])
    assert not mina.post("/api/rules/check", toml=toml)["ok"]
    assert mina.send("POST", "/api/rules", toml=toml).status_code == 400


@pytest.mark.parametrize(
    "name", ["pinfu", "dora", "ura_dora", "red_dora", "kita", "__class__", "x" * 41, "Own", "ｏwn", "riichi"]
)
def test_a_custom_yaku_cannot_have_a_reserved_or_invalid_name(mina: Person, name: str) -> None:
    assert not mina.post("/api/rules/check", toml=with_condition("tsumo", json.dumps(name)))["ok"]


def test_rules_of_a_megabyte_are_refused_before_parsing(mina: Person) -> None:
    for path in ("/api/rules", "/api/rules/check"):
        answer = mina.http.post(path, json={"toml": with_condition("tsumo and " * 100_000)})
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")
