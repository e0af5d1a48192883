"""Requests in JSON lines: strict checking, errors as answers, and no code run from requests."""

import io
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from jantaku.adjudication.jsonl import (
    MAX_LINE,
    answer,
    answer_line,
    answer_lines,
    shanten_answer,
)
from jantaku.cli.console import rules_finder
from jantaku.rules import load, load_file
from naive.generate import random_wins
from support.scoring import WIN_FIELDS
from support.terminal import run

WIN = {"id": "w", "hand": "234m567p34567s99p", "win": "8s", "by": "ron"}
CONTRACT = {
    "id": "w1", "rules": "tenhou", "hand": "345m40677p67s",
    "melds": [{"type": "chi", "tiles": "340m", "called": "4m", "from": "left"}],
    "win": "8s", "by": "tsumo", "from": None, "round": "east", "seat": "north",
    "riichi": None, "ippatsu": False, "last_tile": False, "rinshan": False, "chankan": False,
    "first_turn": False, "dora": "4s", "ura": "", "honba": 0, "deposits": 0,
}  # fmt: skip


def error_of(request: object, **settings: Any) -> dict[str, Any]:
    error: dict[str, Any] = answer(request, **settings)["error"]
    return error


def test_the_documented_example() -> None:
    assert answer(CONTRACT) == {
        "id": "w1", "han": 3, "fu": 30, "yakuman": 0, "limit": None, "points": 4000,
        "yaku": {"tanyao": 1, "red_dora": 2}, "fu_items": {"base": 20, "tsumo": 2, "rounding": 8},
        "payments": {"east": -2000, "south": -1000, "west": -1000, "north": 4000},
    }  # fmt: skip


# Changes to a valid request, and the field that the error must name
BAD_FIELDS: list[tuple[dict[str, Any], str]] = [
    ({"hand": None}, "hand"),
    ({"hand": 5}, "hand"),
    ({"hand": "234x"}, "hand"),
    ({"hand": "234m567p34567s9p"}, "hand"),
    ({"hand": "88888s567p345s99p"}, "hand"),
    ({"win": "8s8s"}, "win"),
    ({"win": ""}, "win"),
    ({"by": "steal"}, "by"),
    ({"by": None}, "by"),
    ({"from": "behind"}, "from"),
    ({"from": "left", "by": "tsumo"}, "from"),
    ({"round": "East"}, "round"),
    ({"seat": 0}, "seat"),
    ({"riichi": True}, "riichi"),
    ({"riichi": "open"}, "riichi"),
    ({"ippatsu": 1}, "ippatsu"),
    ({"ippatsu": True}, "ippatsu"),
    ({"rinshan": True}, "rinshan"),
    ({"chankan": True, "by": "tsumo"}, "chankan"),
    ({"dora": "4"}, "dora"),
    ({"dora": ["4s"]}, "dora"),
    ({"dora": "1m 2m 3m 4m 5m 6m"}, "dora"),
    ({"ura": "1m"}, "ura"),
    ({"honba": 1.0}, "honba"),
    ({"honba": True}, "honba"),
    ({"honba": -1}, "honba"),
    ({"deposits": 10**30}, "deposits"),
    ({"dealer_streak": 1}, "dealer_streak"),
    ({"pao": "left"}, "pao"),
    ({"pao": {"daisangen": "me"}}, "pao.daisangen"),
    ({"pao": {"nothing": "left"}}, "pao"),
    ({"melds": {}}, "melds"),
    ({"melds": [{"type": "pon", "tiles": "555z"}] * 5}, "melds"),
    ({"melds": [5]}, "melds[0]"),
    ({"melds": [{"tiles": "555z"}]}, "melds[0].type"),
    ({"melds": [{"type": "pong", "tiles": "555z"}]}, "melds[0].type"),
    ({"melds": [{"type": "pon", "tiles": "556z"}]}, "melds[0].tiles"),
    ({"melds": [{"type": "pon", "tiles": "555z", "form": "left"}]}, "melds[0].form"),
    ({"melds": [{"type": "pon", "tiles": "555z", "from": "up"}]}, "melds[0].from"),
    ({"melds": [{"type": "pon", "tiles": "555z", "called": "5"}]}, "melds[0].called"),
    ({"melds": [{"type": "pon", "tiles": "555z", "called": 5}]}, "melds[0].called"),
    ({"dorra": "4s"}, "dorra"),
    ({"id": 1.5}, "id"),
    ({"id": ["w"]}, "id"),
    ({"rules": "tenho"}, "rules"),
    ({"rules": 5}, "rules"),
    ({"rules": {"riichi": {"ipatsu": False}}}, "rules"),
    ({"rules": {"extends": "/etc/passwd"}}, "rules"),
    ({"rules": "wrc", "hand": "234m067p34567s99p"}, "hand"),
    ({"rules": "wrc", "hand": "234m34567s99p", "melds": [{"type": "chi", "tiles": "067p"}]},
     "melds[0].tiles"),
    ({"rules": "wrc", "hand": "234m567p34678s99p", "win": "0s"}, "win"),
    ({"rules": "wrc", "dora": "0s"}, "dora"),
    ({"hand": "234m067p34567s99p", "dora": "3m0p"}, "dora"),
    ({"riichi": "riichi", "dora": "3m", "ura": "0p", "hand": "234m067p34567s99p"}, "ura"),
    ({"rules": "tenhou", "hand": "234m067p34567s99p", "dora": "0m0s", "win": "0s"}, "dora"),
    ({"hand": "567p34567s99p", "melds": [{"type": "ankan", "tiles": "2222m", "called": "2m"}]},
     "melds[0].called"),
    ({"hand": "555666777z1123m", "win": "1m", "pao": {"daisangen": "left"}}, "pao"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "field"), BAD_FIELDS, ids=lambda value: str(value)[:40])
def test_bad_requests_name_the_field(change: dict[str, Any], field: str) -> None:
    error = error_of({**WIN, **change})
    assert (error["code"], error["field"]) == ("bad_request", field)
    assert error["message"]


@pytest.mark.parametrize("field", ["hand", "win", "by"])
def test_missing_fields(field: str) -> None:
    error = error_of({name: value for name, value in WIN.items() if name != field})
    assert error["field"] == field


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"win": "1s"}, "not_complete"),
        ({"hand": "234m567p345678s9p", "win": "9p"}, "no_yaku"),
        ({"furiten": True}, "furiten"),
        ({"honba": 5, "rules": {"win": {"two_han_from_honba": 5}}}, "two_han_minimum"),
    ],
)
def test_hands_that_may_not_win(change: dict[str, Any], code: str) -> None:
    reply = answer({**WIN, **change})
    assert reply["id"] == "w"
    assert reply["error"]["code"] == code
    assert "field" not in reply["error"]


def test_a_request_may_contain_rules() -> None:
    assert answer({**WIN, "rules": {"yaku": {"pinfu": {"closed": 3}}}})["yaku"] == {"pinfu": 3}
    assert answer({**WIN, "rules": {"extends": "bgm-2025"}})["yaku"] == {"pinfu": 0}
    assert answer(WIN, "bgm-2025")["yaku"] == {"pinfu": 0}
    assert answer({**WIN, "rules": None}, load("bgm-2025"))["yaku"] == {"pinfu": 0}


@pytest.fixture
def club(tmp_path: Path) -> dict[str, Path]:
    """Write rules files: a valid one, one with an unknown section, and one that extends itself."""
    contents = {
        "plain": "[yaku.pinfu]\nclosed = 2\n",
        "local": '[local]\nfile = "own.py"\n',
        "circle": 'extends = "circle.toml"\n',
    }
    for name, content in contents.items():
        (tmp_path / f"{name}.toml").write_text(content, "utf-8")
    return {name: tmp_path / f"{name}.toml" for name in contents}


def test_rules_files_are_read_only_if_allowed(club: dict[str, Path]) -> None:
    request = {**WIN, "rules": str(club["plain"])}
    assert error_of(request)["field"] == "rules"
    assert answer(request, find=rules_finder("standard", load()))["yaku"] == {"pinfu": 2}


@pytest.mark.parametrize("name", ["local", "circle"])
def test_invalid_rules_files_are_refused(club: dict[str, Path], name: str) -> None:
    for rules in (str(club[name]), {"extends": str(club[name])}, {"local": {"file": "own.py"}}):
        for find in (None, rules_finder("standard", load())):
            error = error_of({**WIN, "rules": rules}, find=find)
            assert error["field"] == "rules"


def test_python_and_the_command_line_give_the_same_answers(club: dict[str, Path]) -> None:
    """Requests: wins of all kinds, hands that may not win, invalid requests, and rules from files."""
    requests: list[dict[str, Any]] = list(random_wins(3, 60))
    requests += [CONTRACT, *({**WIN, **change} for change, _ in BAD_FIELDS)]
    requests += [{**WIN, "rules": str(path)} for path in club.values()]
    lines = run("score", "--jsonl", text="\n".join(map(json.dumps, requests))).stdout.splitlines()
    assert [json.loads(line) for line in lines] == [answer(one, find=load_file) for one in requests]


@pytest.mark.parametrize("rules", ["\0", "x" * 5000, "\ud800", "/", ".", "~", "", "\ud800.toml"])
def test_strange_rules_names_are_refused(rules: str) -> None:
    for find in (None, rules_finder("standard", load())):
        assert error_of({**WIN, "rules": rules}, find=find)["field"] == "rules"


# Lines that are not requests; each gets an answer
LINES = [
    b"nonsense", b"[]", b"5", b"null", b'"text"', b"{", b"\xff\xfe", b"[" * 60_000, b"1" * 5000,
    b'{"id": "' + b"x" * MAX_LINE + b'"}', b'{"hand": NaN}', b'{"id": "\\ud800"}',
]  # fmt: skip


def test_an_invalid_line_is_answered_and_the_next_is_read() -> None:
    good = json.dumps(WIN).encode()
    lines = [part for line in LINES for part in (line, good)]
    rows = [json.loads(line) for line in answer_lines(io.BytesIO(b"\n".join(lines)))]
    assert len(rows) == len(lines)
    assert all("error" in bad for bad in rows[::2])
    assert all(fine["points"] == 1000 for fine in rows[1::2])


def test_an_answer_is_one_line_of_utf_8() -> None:
    line = answer_line('{"id": "\\ud800\\n", "hand": "x"}')
    assert "\n" not in line
    assert json.loads(line.encode("utf-8"))["id"] == "\ud800\n"


def test_answers_are_streamed() -> None:
    """A line is answered before the next is read."""

    class Source(io.BytesIO):
        reads = 0

        def readline(self, size: int | None = -1, /) -> bytes:
            self.reads += 1
            return super().readline(size)

    source = Source(b"\n".join([json.dumps(WIN).encode()] * 3))
    answers = answer_lines(source)
    next(answers)
    assert source.reads == 1


def test_shanten_requests() -> None:
    assert shanten_answer({"id": 7, "hand": "1458m389p34679s14z"}) == {
        "id": 7, "shanten": 4, "standard": 4, "chiitoitsu": 6, "kokushi": 8,
    }  # fmt: skip
    beside = {"hand": "23m11p", "melds": [{"type": "pon", "tiles": "555z"}] * 3}
    assert shanten_answer(beside)["error"]["field"] == "hand"
    assert shanten_answer({"hand": "123m", "wind": "east"})["error"]["field"] == "wind"
    request = {"hand": "23m11p456p789s", "melds": [{"type": "pon", "tiles": "555z"}]}
    assert shanten_answer(request)["chiitoitsu"] is None


def test_shanten_requests_consider_norths_and_melds() -> None:
    """A hand is tenpai only if it has a wait, which depends on the norths set aside and the rules."""
    kans = [{"type": "ankan", "tiles": tiles} for tiles in ("1111p", "4444p")]
    request: dict[str, Any] = {"hand": "23p789s55z", "melds": kans}
    assert shanten_answer(request)["shanten"] == 1
    assert shanten_answer(request | {"wait_in_melds": True})["shanten"] == 0
    assert shanten_answer(request, in_melds=True)["shanten"] == 0
    assert shanten_answer(request | {"wait_in_melds": False}, in_melds=True)["shanten"] == 1
    single = {"hand": "123p456p789p111s4z", "man": "one_nine"}
    assert [shanten_answer(single | {"kita": kita})["shanten"] for kita in (0, 2, 3)] == [0, 0, 1]
    pair = {"hand": "123p456p789p55s44z", "man": "one_nine"}
    assert [shanten_answer(pair | {"kita": kita})["shanten"] for kita in (0, 1, 2)] == [0, 0, 0]
    assert shanten_answer(pair | {"kita": 3})["error"]["field"] == "kita"
    assert shanten_answer(pair | {"kita": 5})["error"]["field"] == "kita"


JUNK: tuple[Any, ...] = (
    None, True, -1, 2**70, 1.5, "", "x", "5m", "0s", "²", [], [1], {}, {"a": 1}, "tenhou", "\x00",
    {"type": "chi", "tiles": "123m"}, {"extends": []}, {"riichi": []}, {"yaku": {"pinfu": 5}},
    {"tiles": {"red": {"5m": True}}}, {"match": {"uma": "x"}}, {"name": {"en": 5}}, {"": 1},
)  # fmt: skip


def test_damaged_requests_always_get_an_answer() -> None:
    rng = Random(8)
    for request in random_wins(8, 400):
        damaged = dict(request)
        for _ in range(rng.choice((1, 1, 2))):
            damaged[rng.choice(WIN_FIELDS)] = rng.choice(JUNK)
        reply = answer(damaged)
        assert "error" in reply or reply["points"] >= 0
        error = reply.get("error", {"code": ""})
        assert error["code"] != "bad_request" or error["field"]


def test_an_unexpected_error_affects_only_its_own_line() -> None:
    """The answer to that line is an error with its id; the following lines are answered as usual."""

    def respond(request: object) -> dict[str, Any]:
        if isinstance(request, dict) and request.get("id") == "bad":
            raise KeyError("nagashi_mangan")
        return answer(request)

    lines = [json.dumps({**WIN, "id": name}) for name in ("first", "bad", "last")]
    replies = [json.loads(line) for line in answer_lines(io.BytesIO("\n".join(lines).encode()), respond)]
    assert [reply["id"] for reply in replies] == ["first", "bad", "last"]
    assert replies[1]["error"]["code"] == "line_failed"
    assert "points" in replies[0]
    assert "points" in replies[2]
