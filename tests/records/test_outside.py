"""Logs as other programs write them: converters of Mahjong Soul, reports of mjai-reviewer, and partial logs.

Each must be read as the played game, and followed step by step, since a review replays it.
"""

import copy
import gzip
import io
import json
import math
import re
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from jantaku.errors import RecordError
from jantaku.game import Game
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.records.mjai import to_mjai
from jantaku.records.tenhou6 import to_tenhou
from jantaku.rules import load
from support.playing import played
from support.record_games import game_of

pytestmark = pytest.mark.skipif(not COMPILED, reason="whole games")
Log = dict[str, Any]
UUID = "250113-20340fc8-85fd-47c0-b531-113e503292e5"


def read(text: str | bytes) -> formats.Recorded:
    return formats.parse_record(text.encode() if isinstance(text, str) else text)


def assert_same_play(read_game: Game, game: Game) -> None:
    """Compare play and payments, and follow the game that was read step by step."""
    assert to_mjai(read_game)[1:] == to_mjai(game)[1:]
    again = read_game.restarted()
    for _, seat, action in read_game.moves:
        again.play(seat, action)
    assert again.is_over
    assert again.scores == game.scores
    assert read_game.follows_rules


def unmarked(game: Game) -> Log:
    data = copy.deepcopy(to_tenhou(game))
    del data["rule"]["jantaku"]
    return data


def messages(game: Game) -> list[Log]:
    """Return a game as mjai without anything that describes its table."""
    return [{"type": "start_game", "names": list("wxyz")}, *to_mjai(game)[1:]]


def lines(rows: list[Log]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


ENGLISH = {
    "三倍満": "Sanbaiman ", "倍満": "Baiman ", "満貫": "Mangan ", "跳満": "Haneman ", "符": "Fu", "飜": "Han",
    "流局": "Ryuukyoku", "九種九牌": "Nine Terminal Abortion", "四家立直": "Four Riichi Abortion",
}  # fmt: skip


def converted(game: Game, *, english: bool = False) -> Log:
    """Return a game of Mahjong Soul as the browser scripts convert it."""
    seats, data = len(game.rules.seats), unmarked(game)
    empty = 4 - seats
    room = "Jade Room South" if english else "玉の間南喰赤"
    disp = room if seats == 4 else f"3{room}"
    for hand in data["log"]:
        hand[1] = [float(points) for points in hand[1]]
        result = hand[16]
        if result[0] in ("全員聴牌", "全員不聴"):
            result[0] = "流局"
        for row in result[2::2] if result[0] == "和了" else ():
            for name, word in ENGLISH.items() if english else ():
                row[3] = row[3].replace(name, word)
        if english:
            result[0] = ENGLISH.get(result[0], result[0])
    return data | {
        "ver": "2.3", "ref": UUID, "ratingc": f"PF{seats}", "lobby": 0,
        "rule": {"disp": disp, "aka53": 1, "aka52": 1, "aka51": int(seats == 4)},
        "dan": ["雀聖★1"] * seats + [""] * empty, "rate": [1000] * seats + [0] * empty,
        "sx": ["F"] * seats + ["C"] * empty, "name": ["アリス", "Bob", "키코", "丁"][:seats] + [""] * empty,
        "title": [disp, "1/13/2025, 10:00:00 AM"],
    }  # fmt: skip


@pytest.mark.parametrize("english", [False, True])
@pytest.mark.parametrize("rules", ["mahjongsoul", "mahjongsoul-3"])
@pytest.mark.parametrize("seed", range(3))
def test_converted_games_of_mahjong_soul(rules: str, seed: int, english: bool) -> None:
    game = game_of(rules, seed)
    text = json.dumps(converted(game, english=english), ensure_ascii=False)
    for data in (text.encode(), gzip.compress(text.encode())):
        record = read(data)
        assert record.game.rules.id == rules
        assert record.names == ("アリス", "Bob", "키코", "丁")[: len(game.rules.seats)]
        assert_same_play(record.game, game)


def without_share(text: str) -> str:
    """Return the points of a child's tsumo without the missing share that the two others split."""
    match = re.search(r"(\d+)-(\d+)点", text)
    if not match:
        return text
    low, high = map(int, match.groups())
    share = next(half for half in range(0, low, 100) if half == 100 * math.ceil((low - half) / 200))
    return text.replace(match[0], f"{low - share}-{high - share}点")


def test_points_of_a_tsumo_without_its_split_share() -> None:
    assert without_share("満貫3000-5000点") == "満貫2000-4000点"
    assert without_share("30符4飜3000-4900点") == "30符4飜2000-3900点"


@pytest.mark.parametrize("seed", range(4))
def test_a_friendly_game_of_three_without_tsumo_loss(seed: int) -> None:
    """Its converters write the payments in full, but leave the split share out of the text of a win."""
    game = played(load("mahjongsoul-3").with_changes({"score.missing_share": "split"}), seed)
    data = converted(game)
    for hand in data["log"]:
        for row in hand[16][2::2] if hand[16][0] == "和了" else ():
            row[3] = without_share(row[3])
    assert_same_play(read(json.dumps(data)).game, game)
    assert_same_play(read(lines(messages(game))).game, game)


@pytest.mark.parametrize("rules", ["mahjongsoul", "mahjongsoul-3", "tenhou", "tenhou-3"])
@pytest.mark.parametrize("seed", range(3))
def test_the_play_reveals_the_platform(rules: str, seed: int) -> None:
    game = game_of(rules, seed)
    nameless = unmarked(game) | {"rule": {"disp": "南喰赤", "aka": 1}, "title": ["", ""]}
    for text in (json.dumps(nameless), lines(messages(game))):
        assert_same_play(read(text).game, game)


@pytest.mark.parametrize("seed", range(4))
def test_the_end_reveals_an_east_only_game(seed: int) -> None:
    """Also one that goes on in the South round, because no player has enough points."""
    game = played(load("tenhou").with_changes({"match.length": "east"}), seed)
    rows = messages(game)
    for text in (lines(rows), lines([*rows[:-1], {"type": "end_game"}])):
        assert_same_play(read(text).game, game)
    assert_same_play(read(json.dumps(unmarked(game) | {"rule": {"disp": "", "aka": 1}})).game, game)


def test_a_report_of_mjai_reviewer_has_the_messages() -> None:
    game = game_of("tenhou", 3)
    report = {
        "engine": "mortal", "review": {"total_reviewed": 0, "kyokus": []},
        "mjai_log": messages(game), "player_id": 2, "split_logs": [],
    }  # fmt: skip
    for text in (json.dumps(report), json.dumps(report, indent=2)):
        assert_same_play(read(text).game, game)


def test_hands_of_a_game_may_keep_its_final_points() -> None:
    data = converted(game_of("mahjongsoul", 1))
    for hand in data["log"]:
        assert read(json.dumps(data | {"log": [hand]})).game.follows_rules


def several_games(separator: str) -> str:
    logs = [converted(game_of("mahjongsoul", seed)) | {"ref": f"{UUID}{seed}"} for seed in range(2)]
    text = separator.join(map(json.dumps, logs))
    return f"[{text}]" if separator == "," else text


def archive() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr("game.json", json.dumps(unmarked(game_of("tenhou", 3))))
    return data.getvalue()


def with_hand(tiles: list[Any]) -> str:
    data = unmarked(game_of("tenhou", 3))
    data["log"][0][4 + 3 * 2] = tiles
    return json.dumps(data)


REFUSED: dict[str, tuple[Callable[[], str | bytes], str]] = {
    "lines of several games": (lambda: several_games("\n"), "record_several"),
    "an array of several games": (lambda: several_games(","), "record_several"),
    "a ZIP archive": (archive, "record_zip"),
    "a ZIP archive read as text": (lambda: archive().decode("utf-8", "replace"), "record_zip"),
    "one seat's messages": (lambda: lines(to_mjai(game_of("tenhou", 3), 1)), "mjai_hidden"),
    "a hand that is missing": (lambda: with_hand([]), "tenhou_hidden"),
    "a hand of question marks": (lambda: with_hand(["?"] * 13), "tenhou_hidden"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_logs_are_refused_with_a_reason(name: str) -> None:
    text, code = REFUSED[name]
    with pytest.raises(RecordError) as caught:
        read(text())
    assert caught.value.code == code
