"""Three-player games in every format: round trips under each ruleset, and logs as other programs write them.

The hand below was played by Jantaku's bots: two norths set aside, a call from the right and one from across.
"""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from jantaku.bots.mjai import MjaiBot
from jantaku.errors import RecordError
from jantaku.game import Game
from jantaku.game.actions import Kita
from jantaku.game.events import Called, HandStarted, KitaDeclared, Won
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats, mjlog
from jantaku.records.mjai import action_from_mjai, action_to_mjai
from jantaku.records.mjlog.verify import verify
from jantaku.records.sniff import Content
from jantaku.rules import load
from support.playing import played
from support.record_games import comparable_events, without_mark

MJLOG = (
    '<mjloggm ver="2.3"><GO type="25" lobby="0"/>'
    '<UN n0="A" n1="B" n2="C" n3="" dan="0,0,0,0" rate="1500,1500,1500,0" sx="M,M,M,C"/><TAIKYOKU oya="0"/>'
    '<INIT seed="0,0,0,0,0,110" ten="350,350,350,0" oya="0" '
    'hai0="53,56,64,65,68,76,80,89,108,109,116,128,132" hai1="0,36,40,44,45,54,66,69,77,92,93,104,120" '
    'hai2="32,33,46,48,52,57,70,72,88,90,100,117,121" hai3=""/>'
    '<T58/><D68/><U1/><N who="1" m="30752"/><U71/><E77/><V133/><F70/><N who="1" m="26633"/><E66/><V34/>'
    '<N who="2" m="31008"/><V73/><F117/><T49/><D53/><U101/><E104/><V134/><F46/><T81/><D132/>'
    '<N who="2" m="50794"/><F100/><T118/><D128/><U96/><E92/><V112/><F112/><T35/><D76/><U74/><E74/>'
    '<AGARI ba="0,0" hai="32,33,34,48,52,57,72,73,74,88,90" m="50794,31008" machi="74" ten="40,8000,1" '
    'yaku="20,1,54,2,52,1" doraHai="110" who="2" fromWho="1" sc="350,0,350,-80,350,80,0,0"/></mjloggm>'
)
HAND: list[Any] = [
    *([0, 0, 0], [35000, 35000, 35000, 0], [41], []),
    *([25, 26, 28, 28, 29, 32, 33, 35, 41, 41, 43, 46, 47], [26, 24, 33, 43, 19], [29, 25, 47, 46, 32]),
    [11, 21, 22, 23, 23, 25, 28, 29, 32, 36, 36, 39, 44],
    *([11, 29, "2929p29", 38, 37, 31], ["f44", 32, 28, 39, 36, 60]),
    *([19, 19, 23, 24, 52, 26, 29, 31, 53, 35, 38, 43, 44], [47, 19, 31, 47, "47p4747", 42]),
    *([29, "f44", 43, 23, 38, 60], [], [], []),
]
WIN = [2, 1, 2, "満貫8000点", "役牌 中(1飜)", "赤ドラ(2飜)", "ドラ(1飜)"]
SOUL_WIN = [2, 1, 2, "満貫8000点", "役牌 中(1飜)", "赤ドラ(2飜)", "抜きドラ(1飜)"]
ENDED = ["和了", [0, -8000, 8000, 0]]
TENHOU = {
    "title": ["", ""], "name": ["A", "B", "C", ""], "ratingc": "PF3",
    "ref": "2026010100gm-0019-0000-00000000",
    "rule": {"disp": "三般南喰赤", "aka51": 0, "aka52": 1, "aka53": 1}, "log": [[*HAND, [*ENDED, WIN]]],
}  # fmt: skip
SOUL = {
    "title": ["3金の間南喰赤", ""], "name": ["A", "B", "C", ""], "ratingc": "PF3",
    "rule": {"disp": "3金の間南喰赤", "aka51": 0, "aka52": 1, "aka53": 1},
    "log": [[*HAND, [*ENDED, SOUL_WIN]]],
}  # fmt: skip
FOREIGN = {
    "mjlog": (MJLOG, "tenhou-3"),
    "tenhou": (json.dumps(TENHOU), "tenhou-3"),
    "soul": (json.dumps(SOUL), "mahjongsoul-3"),
}


def read(text: str) -> formats.Recorded:
    return formats.parse_record(text.encode())


def hand_in(text: str) -> list[Any]:
    """Return the events of the only hand, without the start of the game."""
    return [event.to_dict() for event in comparable_events(read(text).game)[1:]]


def as_mjai(kita: str) -> str:
    """Return the hand in mjai with a given name for a north set aside, without Jantaku's mark."""
    rows = [json.loads(line) for line in formats.dumps(read(MJLOG).game, "mjai").splitlines()]
    rows[0] = {"type": "start_game"}
    return "\n".join(json.dumps(row).replace("nukidora", kita) for row in rows)


def test_a_three_player_hand_written_by_other_programs() -> None:
    hands = {name: hand_in(text) for name, (text, _) in FOREIGN.items()}
    hands |= {kita: hand_in(as_mjai(kita)) for kita in ("nukidora", "kita")}
    for hand in hands.values():
        assert hand == hands["mjlog"]
    start, *rest = comparable_events(read(MJLOG).game)[1:]
    assert isinstance(start, HandStarted)
    assert start.scores == (35000, 35000, 35000)
    assert [event.seat for event in rest if isinstance(event, KitaDeclared)] == [1, 2]
    sources = [event.meld.source for event in rest if isinstance(event, Called)]
    assert sources == [
        "right",
        "right",
    ]  # in a format with four places, seat 0 sits across from seat 2 and plays after it
    won = next(event for event in rest if isinstance(event, Won))
    assert won.score.yaku["kita"] == 1
    assert won.score.points == 8000


@pytest.mark.parametrize("name", FOREIGN)
def test_the_rules_are_those_of_the_platform_and_number_of_players(name: str) -> None:
    text, rules = FOREIGN[name]
    game = read(text)
    assert game.game.rules == load(rules)
    assert game.names == ("A", "B", "C")
    assert read(as_mjai("kita")).game.rules == load("tenhou-3")


WRONG = {
    "another tile than north is set aside": (MJLOG.replace('m="30752"', 'm="31776"'), "mjlog_bad_tag"),
    "a draw of the empty place": (MJLOG.replace("<U1/>", "<W1/>"), "mjlog_bad_tag"),
    "a call from the empty place": (MJLOG.replace('m="26633"', 'm="26634"'), "mjlog_differs"),
    "a north that was not held": (MJLOG.replace('who="1" m="30752"', 'who="1" m="31264"'), "mjlog_differs"),
    "more tiles than a seat has": (MJLOG.replace('hai3=""', 'hai3="1"'), "mjlog_bad_tag"),
    "the fourth seat deals": (json.dumps(TENHOU).replace("[[0, 0, 0]", "[[3, 0, 0]"), "tenhou_bad"),
    "no north to set aside": (json.dumps(TENHOU).replace("39, 44]", "39, 45]"), "tenhou_differs"),
}


@pytest.mark.parametrize("name", WRONG)
def test_three_player_logs_are_checked(name: str) -> None:
    text, code = WRONG[name]
    with pytest.raises(RecordError) as caught:
        read(text)
    assert caught.value.code == code


def padded(empty: int, hand: list[str], name: str) -> str:
    """Return the hand as mjai written by a program that always writes four places."""
    rows = [json.loads(line) for line in as_mjai("nukidora").splitlines()]
    rows[0]["names"] = ["A", "B", "C"]
    for row in rows:
        for field in ("actor", "target", "oya"):
            if field in row:
                row[field] += row[field] >= empty
        for field, value in (("tehais", hand), ("scores", 0), ("deltas", 0), ("names", name)):
            if field in row:
                row[field].insert(empty, value)
    return "\n".join(map(json.dumps, rows))


@pytest.mark.parametrize(
    ("empty", "hand", "name"), [(3, [], ""), (3, ["?"] * 13, "D"), (0, ["?"] * 13, ""), (1, [], "")]
)
def test_three_player_mjai_with_an_empty_place(empty: int, hand: list[str], name: str) -> None:
    text = padded(empty, hand, name)
    assert hand_in(text) == hand_in(MJLOG)
    assert read(text).names == ("A", "B", "C")


def test_three_player_mjai_is_read_without_optional_fields() -> None:
    """Programs omit the tile of a kita, or write the name of an absent fourth player."""
    text = (
        as_mjai("nukidora")
        .replace(', "pai": "N"}', "}")
        .replace('"start_game"', '"start_game", "names": ["A", "B", "C", "D"]')
    )
    assert '"nukidora", "actor": 1}' in text
    assert hand_in(text) == hand_in(MJLOG)
    assert read(text).names == ("A", "B", "C")
    assert read(as_mjai("kita").replace('"start_game"', '"start_game", "names": null')).names == ()


@pytest.mark.parametrize("seat", [3, -1])
def test_an_mjai_message_of_a_missing_seat_is_reported_with_its_line(seat: int) -> None:
    text = as_mjai("nukidora").replace('"nukidora", "actor": 1', f'"nukidora", "actor": {seat}')
    with pytest.raises(RecordError) as caught:
        read(text)
    assert caught.value.code == "record_line"


IMPOSSIBLE = {
    "mjlog": (MJLOG.replace('seed="0,0,0', 'seed="0,-1,0'), "mjlog_bad_tag"),
    "tenhou": (json.dumps(TENHOU).replace("[[0, 0, 0]", "[[64, 0, 0]"), "tenhou_bad"),
    "mjai": ("", "record_line"),
}


@pytest.mark.parametrize("form", IMPOSSIBLE)
def test_impossible_numbers_are_reported_with_their_position(form: str) -> None:
    text, code = IMPOSSIBLE[form]
    with pytest.raises(RecordError) as caught:
        read(text or as_mjai("kita").replace('"kyoku": 1', '"kyoku": 0'))
    assert caught.value.code == code


def test_a_two_player_log_is_refused() -> None:
    two = {**TENHOU, "log": [[HAND[0], [35000, 35000, 0, 0], *HAND[2:5], [], [], HAND[7], *[[]] * 8]]}
    with pytest.raises(RecordError) as caught:
        read(json.dumps(two))
    assert caught.value.code == "record_other_players"


def test_a_differing_game_is_read_as_recorded() -> None:
    content = Content(MJLOG.replace('"20,1,54,2,52,1"', '"20,1,54,2,52,2"').encode())
    recorded = formats.read_content(content, as_recorded=True)
    assert recorded.difference is not None
    assert [event.seat for event in recorded.game.events if isinstance(event, KitaDeclared)] == [1, 2]
    assert len(recorded.game.view(0).scores) == 3


def test_kita_has_two_message_types() -> None:
    game = read(MJLOG).game
    before = [seat for index, seat, action in game.moves if action == Kita()]
    assert before == [1, 2]
    fresh = Game(game.rules, walls=[*game.walls])
    for _, seat, action in game.moves:
        if action == Kita():
            message = {"type": "nukidora", "actor": seat, "pai": "N"}
            assert action_to_mjai(action, fresh, seat) == [message]
            assert action_from_mjai({**message, "type": "kita"}, fresh, seat) == Kita()
        fresh.play(seat, action)


PROGRAM = """
import json, sys
for line in sys.stdin:
    news = json.loads(line)
    last = news[-1]
    norths = last.get("pai") == "N" and last["type"] == "tsumo"
    print(json.dumps({"type": "nukidora" if norths else "dahai" if last["type"] == "tsumo" else "none",
                      "pai": last.get("pai"), "tsumogiri": True}), flush=True)
"""


def test_a_program_can_play_a_three_player_game(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    guest, game = MjaiBot([sys.executable, str(path)]), Game("tenhou-3", seed=1)
    while not game.is_over and (0, Kita()) not in [(seat, action) for _, seat, action in game.moves]:
        seat = game.to_act[0]
        game.play(seat, guest.choose(game, seat) if seat == 0 else game.legal(seat)[0])
    guest.close()
    assert guest.faults == []
    assert not game.is_over


@pytest.mark.skipif(not COMPILED, reason="whole games")
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.slow
def test_whole_three_player_games_without_mark_are_checked_move_by_move(seed: int) -> None:
    game = played("tenhou-3", seed)
    text = without_mark(formats.dumps(game, "mjlog"))
    record = read(text)
    assert (comparable_events(record.game), record.game.rules) == (comparable_events(game), load("tenhou-3"))
    report = verify(mjlog.parse(text))
    assert report.agrees
    assert report.wins
    text = without_mark(formats.dumps(game, "tenhou"))
    assert comparable_events(read(text).game) == comparable_events(game)


@pytest.mark.skipif(not COMPILED, reason="whole games")
@pytest.mark.slow
def test_a_dealt_fourteenth_tile_is_not_a_drawn_tile() -> None:
    """Mahjong Soul deals fourteen tiles to the dealer and never marks the first discard as drawn."""
    game = played("mahjongsoul-3", 0)
    rows = [json.loads(line) for line in formats.dumps(game, "mjai").splitlines()]
    changed = 0
    for index, row in enumerate(rows):
        if row["type"] == "start_kyoku" and rows[index + 2].get("tsumogiri"):
            rows[index + 2]["tsumogiri"] = False
            changed += 1
    record = read("\n".join(map(json.dumps, rows)))
    assert changed
    assert comparable_events(record.game) == comparable_events(game)
