"""tenhou.net/6 logs that differ in spelling, order, extent or converter but describe the same game."""

import copy
import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest

from jantaku.errors import RecordError
from jantaku.game.events import HandStarted
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.records.tenhou6 import to_tenhou
from jantaku.records.tenhou6.same_results import same_result, worth_of
from jantaku.records.tenhou6.table import is_mahjong_soul, table_of
from jantaku.records.yaku_names import yaku_of
from jantaku.rules import load
from support.playing import played
from support.record_games import comparable_events, game_of

whole_games = pytest.mark.skipif(not COMPILED, reason="whole games")
Log = dict[str, Any]


def tenhou(seed: int = 3, rules: str = "tenhou") -> Log:
    """Return a game as Tenhou's own viewer exports it, without Jantaku's mark."""
    data = copy.deepcopy(to_tenhou(game_of(rules, seed)))
    del data["rule"]["jantaku"]
    return data | {"ver": 2.3, "ref": "2019050417gm-0029-0000-00000000", "ratingc": "PF4", "lobby": 0}


def read(data: Log) -> formats.Recorded:
    return formats.parse_record(json.dumps(data, ensure_ascii=False).encode())


def wins(data: Log) -> list[list[Any]]:
    """Return the result rows of all wins."""
    return [row for hand in data["log"] if hand[16][0] == "和了" for row in hand[16][2::2]]


def reordered(data: Log) -> None:
    for row in wins(data):
        row[4:] = row[:3:-1]


def with_no_ura(data: Log) -> None:
    for row in wins(data):
        if not any("裏ドラ" in str(text) or "役満" in str(text) for text in row):
            row.append("裏ドラ(0飜)")


ENGLISH = {"立直": "Riichi", "断幺九": "All Simples", "平和": "Pinfu", "ドラ": "Dora", "赤ドラ": "Red Five"}


def in_english(data: Log) -> None:
    for row in wins(data):
        row[4:] = [re.sub(r"^[^(]*", lambda it: ENGLISH.get(it[0], it[0]), text) for text in row[4:]]


def with_unknown_names(data: Log) -> None:
    for row in wins(data):
        row[4:] = [re.sub(r"^[^(]*", f"Yaku {i}", text) for i, text in enumerate(row[4:])]


def with_fu(data: Log) -> None:
    for row in wins(data):
        row[3] = row[3].replace("満貫", "40符5飜満貫") if row[3].startswith("満貫") else row[3]


def without_all_sign(data: Log) -> None:
    for row in wins(data):
        row[3] = row[3].replace("∀", "")


def kans_turned(data: Log) -> None:
    """Move the ``a`` that marks each ankan in front of a different tile of it."""
    for hand in data["log"]:
        for part in hand[4:16]:
            for i, entry in enumerate(part):
                if isinstance(entry, str) and "a" in entry:
                    first, last = entry.split("a")
                    part[i] = last + first[:4] + "a" + first[4:]


def unsorted_hands(data: Log) -> None:
    for hand in data["log"]:
        for part in hand[4:16:3]:
            part.reverse()


def without_deltas(data: Log) -> None:
    for hand in data["log"]:
        if len(hand[16]) == 2 and not any(hand[16][1]):
            hand[16].pop()


def floats(data: Log) -> None:
    for hand in data["log"]:
        hand[1] = [float(score) for score in hand[1]]


SPELLINGS: tuple[Callable[[Log], None], ...] = (
    reordered, with_no_ura, in_english, with_unknown_names, with_fu, without_all_sign, kans_turned,
    unsorted_hands, without_deltas, floats,
)  # fmt: skip


@whole_games
@pytest.mark.parametrize("change", SPELLINGS)
@pytest.mark.parametrize("seed", [3, 4])
@pytest.mark.slow
def test_spelling_variants_are_equivalent(change: Callable[[Log], None], seed: int) -> None:
    data = tenhou(seed)
    change(data)
    assert comparable_events(read(data).game) == comparable_events(game_of("tenhou", seed))


@whole_games
@pytest.mark.parametrize(
    "layout", ["one line", "pretty", "array of lines", "links", "escaped links", "wrapped", "utf-16"]
)
def test_layouts(layout: str) -> None:
    data = tenhou()
    line = json.dumps(data, ensure_ascii=False)
    hands = [json.dumps({**data, "log": [hand]}, ensure_ascii=False) for hand in data["log"]]
    text = {
        "one line": line,
        "pretty": json.dumps(data, ensure_ascii=False, indent=2),
        "array of lines": "\n".join(hands),
        "links": "\n".join(f"https://tenhou.net/6/#json={hand}" for hand in hands),
        "escaped links": "\n".join(f"https://tenhou.net/5/#json={quote(hand)}" for hand in hands),
        "wrapped": json.dumps({"is_error": False, "log": data}, ensure_ascii=False),
        "utf-16": line,
    }[layout]
    record = formats.parse_record(text.encode("utf-16" if layout == "utf-16" else "utf-8"))
    assert record.format == "tenhou"
    assert comparable_events(record.game) == comparable_events(game_of("tenhou", 3))


@whole_games
@pytest.mark.parametrize("hand", [1, 2, 5])
def test_a_single_hand_is_a_log(hand: int) -> None:
    """In Tenhou's editor people write single hands: any hand of a game, with any points."""
    data = tenhou()
    data["log"] = [data["log"][hand]]
    data["log"][0][1] = [points + 1300 for points in data["log"][0][1]]
    for name in ("sc", "ref", "ver"):
        data.pop(name)
    game = read(data).game
    starts = [event for event in comparable_events(game) if isinstance(event, HandStarted)]
    assert [event.number for event in starts][:1] == [data["log"][0][0][0]]
    assert list(starts[0].scores) == data["log"][0][1]
    assert json.loads(formats.dumps(game, "tenhou"))["log"] == data["log"]


@whole_games
@pytest.mark.parametrize("wrong", ["another", "yakuman"])
def test_real_differences_are_reported(wrong: str) -> None:
    data = tenhou()
    row = next(row for row in wins(data) if "1飜" in str(row[4]))
    row[4] = row[4].replace("1飜", "2飜") if wrong == "another" else "国士無双(役満)"
    with pytest.raises(RecordError) as caught:
        read(data)
    assert caught.value.code == "tenhou_differs"


ROWS = [
    ("役満8000-16000点", "役満32000点", True),
    ("三倍満12000点∀", "三倍満36000点", True),
    ("跳満6000点", "跳満6000点∀", True),
    ("30符4飜7700点", "30符4飜7700点", True),
    ("30符4飜7700点", "40符4飜7700点", False),
    ("満貫8000点", "跳満12000点", False),
    ("40符4飜満貫8000点", "満貫8000点", True),
]


@pytest.mark.parametrize(("log", "engine", "same"), ROWS)
def test_points(log: str, engine: str, same: bool) -> None:
    one, other = worth_of([0, 1, 0, log], 4), worth_of([0, 1, 0, engine], 4)
    assert one.agrees(other) is other.agrees(one) is same


def test_wins_may_be_in_any_order() -> None:
    first, second = [[1000, -1000, 0, 0], [0, 1, 0, "1000点"]], [[0, -2000, 2000, 0], [2, 1, 2, "2000点"]]
    assert same_result(["和了", *first, *second], ["和了", *second, *first], 4)
    assert not same_result(["和了", *first], ["和了", *second, *first], 4)
    assert not same_result(["流局", [0, 0, 0, 0]], ["和了", *first], 4)


NAMES = [
    ("立直", "riichi"), ("Riichi", "riichi"), ("리치", "riichi"), ("両立直", "double_riichi"),
    ("役牌:場風牌", "round_wind"), ("自風 北", "seat_wind"), ("Red Five", "red_dora"), ("裏ドラ", "ura_dora"),
    ("国士無双１３面", "kokushi_juusanmen"), ("断么九", "tanyao"), ("nothing of the kind", None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "yaku"), NAMES)
def test_yaku_are_found_by_name(name: str, yaku: str | None) -> None:
    assert yaku_of(name) == yaku


SOUL: list[Log] = [
    {"ref": "190222-7fdcb61b-3157-4522-862d-e0ac2486dbd1"},
    {"rule": {"disp": "玉の間南喰赤"}},
    {"rule": {"disp": "Gold Room South"}},
    {"rule": {"disp": "友人戦東喰赤"}},
    {"title": ["王座の間南喰赤", "2021"]},
    {"dan": ["雀豪★1", "雀聖★2", "魂天Lv3", "雀傑★3"]},
]


@pytest.mark.parametrize("data", SOUL, ids=range(len(SOUL)))
def test_converted_logs_of_mahjong_soul_are_recognised(data: Log) -> None:
    assert is_mahjong_soul(data)
    assert not is_mahjong_soul(data | {"ref": "2019050417gm-0029-0000-00000000"})
    assert not is_mahjong_soul(
        {"rule": {"disp": "鳳南喰赤"}, "dan": ["九段"], "title": ["", ""], "ratingc": "PF4"}
    )


@whole_games
@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_of_mahjong_soul_is_read_under_its_rules(seed: int) -> None:
    data = tenhou(seed, "mahjongsoul") | {"ref": "250113-20340fc8-85fd-47c0-b531-113e503292e5"}
    data["rule"] = {"disp": "玉の間南喰赤", "aka53": 1, "aka52": 1, "aka51": 1}
    game = read(data).game
    assert game.rules == load("mahjongsoul")
    assert comparable_events(game)[1:] == comparable_events(game_of("mahjongsoul", seed))[1:]


TABLES: list[tuple[str, dict[str, Any]]] = [
    ("般南喰赤", {"kuitan": True, "east_only": False, "red": None}),
    ("特東", {"kuitan": False, "east_only": True, "red": {}}),
    ("上東喰赤速", {"kuitan": True, "east_only": True}),
    ("Silver Room East Aka Nashi", {"site": "mahjongsoul", "east_only": True, "red": {}}),
    ("", {"kuitan": None, "east_only": None, "red": None}),
]


@pytest.mark.parametrize(("disp", "wanted"), TABLES)
def test_a_table_name_determines_its_rules(disp: str, wanted: dict[str, Any]) -> None:
    table = table_of({"rule": {"disp": disp}, "log": []}, 4)
    assert {name: getattr(table, name) for name in wanted} == wanted


def test_red_fives_are_at_least_those_in_the_log() -> None:
    table = table_of({"rule": {"disp": "般東喰"}, "log": [[[0, 0, 0], [], [], [], [52, 11], ["c515253"]]]}, 4)
    assert table.red == {"5m": 1, "5p": 1, "5s": 1}
    assert table_of({"rule": {"disp": "", "aka52": 2, "aka51": 1}, "log": []}, 4).red == {"5m": 1, "5p": 2}


@whole_games
def test_an_east_game_in_the_west_round_is_read() -> None:
    """An East-only game cannot reach this hand, so the game is not East-only."""
    data = tenhou()
    data["log"] = [data["log"][0]]
    data["log"][0][0] = [8, 0, 0]
    data["rule"] = {"disp": "般東喰赤", "aka": 1}
    for name in ("sc", "ref"):
        data.pop(name)
    assert (
        next(event for event in comparable_events(read(data).game) if isinstance(event, HandStarted)).number
        == 8
    )


@whole_games
def test_mjai_in_one_array_with_its_own_table_rules() -> None:
    game = played(load("tenhou").with_changes({"tiles.red": {}, "match.length": "east"}), 5)
    rows = [json.loads(line) for line in formats.dumps(game, "mjai").splitlines()]
    rows[0] = {"type": "start_game", "names": ["A"] * 4, "kyoku_first": 4, "aka_flag": False}
    for text in (json.dumps(rows), json.dumps(rows, indent=1), "\n".join(map(json.dumps, rows))):
        record = formats.parse_record(text.encode())
        assert record.format == "mjai"
        assert record.game.rules.tiles.red == {}
        assert comparable_events(record.game)[1:] == comparable_events(game)[1:]
