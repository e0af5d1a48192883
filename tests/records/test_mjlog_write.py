"""Writing Tenhou logs: round trips, the structure other programs expect, and the rules."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from jantaku.errors import RecordError
from jantaku.kernels._jit import COMPILED
from jantaku.records import decode_meld, formats
from jantaku.records.mjlog.meld_code import encode_meld
from jantaku.records.mjlog.write import dumps_mjlog, hundreds
from jantaku.rules import load
from support.playing import played
from support.record_games import events_told, game_of, real_games

STEPS = None if COMPILED else 60
OURS = load("bgm-2025").with_changes({
    "riichi.open": True, "riichi.deposit": 500, "tiles.red": {"3m": 1, "3p": 2, "3s": 1},
}, name="ours")  # fmt: skip


OTHERS = ("bgm-2025", "m-league", "wrc", "mahjongsoul", "bgm-2025-red7")


@pytest.mark.parametrize(
    "rules", ["tenhou", *(pytest.param(other, marks=pytest.mark.slow) for other in OTHERS)]
)
@pytest.mark.parametrize("seed", [0, 1])
def test_a_game_round_trips(rules: str, seed: int) -> None:
    game = game_of(rules, seed, STEPS)
    record = formats.parse_record(dumps_mjlog(game, ["A", "B & <C>", "日本", ""]).encode())
    assert events_told(record.game) == events_told(game)
    assert record.game.rules == game.rules
    assert record.names == ("A", "B & <C>", "日本", "")


@pytest.mark.parametrize("seed", [0, 1, 2] if COMPILED else [0])
@pytest.mark.slow
def test_house_rules_are_written_into_the_log(seed: int) -> None:
    game = played(OURS, seed, STEPS)
    record = formats.parse_record(dumps_mjlog(game).encode()).game
    assert record.rules == OURS
    assert events_told(record) == events_told(game)


@pytest.mark.parametrize("format_", formats.BY_NAME)
def test_every_format_carries_its_rules(format_: str) -> None:
    game = played(OURS, 3, 40)
    record = formats.parse_record(formats.dumps(game, format_).encode()).game
    assert (record.rules, record.rules.id) == (OURS, "ours")


@pytest.mark.skipif(not COMPILED, reason="whole games")
@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.slow
def test_real_games_round_trip(shared_data: Path, marked: bool) -> None:
    """With our mark, and without it as a log of Tenhou's that is checked move by move."""
    games = real_games(shared_data / "tenhou-logs")
    assert len(games) >= 35
    for name, game in games.items():
        text = dumps_mjlog(game)
        record = formats.parse_record((text if marked else re.sub(r' jantaku="[^"]*"', "", text)).encode())
        assert events_told(record.game) == events_told(game), name


def test_the_structure_that_parsers_know() -> None:
    """One flat root; every tag and attribute is one of Tenhou's, except the documented additions."""
    root = ElementTree.fromstring(dumps_mjlog(game_of("tenhou", 3, STEPS)))
    assert (root.tag, root.get("ver")) == ("mjloggm", "2.3")
    assert [child.tag for child in root][:4] == ["GO", "UN", "TAIKYOKU", "INIT"]
    known = {
        "GO": {"type", "lobby", "jantaku"}, "UN": {"n0", "n1", "n2", "n3", "dan", "rate", "sx"},
        "TAIKYOKU": {"oya"}, "INIT": {"seed", "ten", "oya", "hai0", "hai1", "hai2", "hai3"},
        "N": {"who", "m"}, "REACH": {"who", "step", "ten"}, "DORA": {"hai"},
        "AGARI": {"ba", "hai", "m", "machi", "ten", "yaku", "yakuman", "doraHai", "doraHaiUra", "who",
                  "fromWho", "paoWho", "sc", "owari"},
        "RYUUKYOKU": {"type", "ba", "sc", "hai0", "hai1", "hai2", "hai3", "owari"},
    }  # fmt: skip
    for child in root:
        assert len(child) == 0
        assert re.fullmatch(r"[T-WD-G]\d{1,3}", child.tag) or set(child.keys()) <= known[child.tag]


@pytest.mark.parametrize("code", [49674, 30281, 46335, 60631, 1539, 6144, 119, 50415, 34409])
def test_melds(code: int) -> None:
    """A kakan's number also holds the tile that its pon took, which the meld does not say."""
    meld = decode_meld(code, 2)
    taken = [encode_meld(meld, tile) for tile in meld.tiles[:3]]
    assert code in taken
    assert {decode_meld(number, 2) for number in taken} == {meld}


def test_points_that_are_not_whole_hundreds() -> None:
    assert [hundreds(points) for points in (25000, -700, 0, 12345, -50)] == [
        "250",
        "-7",
        "0",
        "123.45",
        "-0.50",
    ]


def test_tampering_with_our_own_log_is_found() -> None:
    text = dumps_mjlog(game_of("tenhou", 3, 60))
    changed = re.sub(r'ten="250,250', 'ten="251,250', text, count=1)
    with pytest.raises(RecordError):
        formats.parse_record(changed.encode())
