"""Whole games checked against the rules: recorded, random and tampered ones."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from jantaku import terms
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine import actions
from jantaku.records import (
    LogMismatchError,
    LogReport,
    formats,
    mjlog,
    replay,
    rules_of,
    verify,
    verify_log,
)
from jantaku.records.mjlog.game import game_of
from jantaku.records.mjlog.log import TENHOU_YAKU, LogDiscard, LogRiichi, LogWon
from jantaku.rules import catalogue, load
from support.playing import played
from support.record_games import without_mark

SEED = 3
STEPS = None if COMPILED else 120
HANCHAN = 0x01 | 0x08
FLAGS = {"hanchan": 0, "east": 0x08, "no red fives": 0x02, "no kuitan": 0x04, "neither": 0x06}


@cache
def own(seed: int = SEED, flags: int = HANCHAN) -> str:
    rules = rules_of(mjlog.parse(f'<mjloggm><GO type="{flags}"/></mjloggm>'))
    return without_mark(formats.dumps(played(rules, seed, STEPS), "mjlog"))


def checked(text: str) -> LogReport:
    return verify(mjlog.parse(text, "own.mjlog"))


def test_recorded_games(shared_data: Path) -> None:
    """The logs have 350 hands and 288 wins from ranked games; two of them are incomplete."""
    paths = sorted((shared_data / "tenhou-logs").glob("*.mjlog"))
    assert len(paths) == 35
    reports = [verify_log(path) for path in (paths if COMPILED else paths[:2])]
    assert [report for report in reports if not report.agrees] == []
    if COMPILED:
        assert sum(report.hands for report in reports) == 350
        assert sum(report.wins for report in reports) == 288


@pytest.mark.slow
@pytest.mark.parametrize("flags", [HANCHAN ^ bits for bits in FLAGS.values()], ids=list(FLAGS))
def test_games_played_by_jantaku(flags: int) -> None:
    report = checked(own(SEED, flags))
    assert (report.difference, report.hands > 3 or not COMPILED) == (None, True)


def test_replay_yields_every_decision() -> None:
    log = mjlog.parse(own())
    kinds = Counter(decision.action >> 8 for decision in replay(log))
    steps = Counter(type(step) for hand in log.hands for step in hand.steps)
    assert kinds[actions.DISCARD] + kinds[actions.RIICHI] == steps[LogDiscard] > 0
    assert kinds[actions.RIICHI] == steps[LogRiichi] > 0
    assert kinds[actions.TSUMO] + kinds[actions.RON] == steps[LogWon] > 0
    assert kinds[actions.PASS] > 0


def test_rules_follow_the_table_type() -> None:
    tenhou = load("tenhou")
    changed = {
        name: set(
            rules_of(mjlog.parse(f'<mjloggm><GO type="{HANCHAN ^ bits}"/></mjloggm>')).differences(tenhou)
        )
        for name, bits in FLAGS.items()
    }
    assert changed == {
        "hanchan": set(),
        "east": {"match.length"},
        "no red fives": {"tiles.red"},
        "no kuitan": {"calls.kuitan"},
        "neither": {"tiles.red", "calls.kuitan"},
    }


def test_numbers_of_the_yaku() -> None:
    assert len(TENHOU_YAKU) == 55
    assert set(TENHOU_YAKU) - set(catalogue()) == {"dora", "ura_dora", "red_dora"}
    assert [TENHOU_YAKU[number] for number in (0, 8, 20, 36, 51)] == [
        "menzen_tsumo",
        "tanyao",
        "yakuhai_chun",
        "renhou",
        "suukantsu",
    ]


def test_yaku_of_a_log_match_its_game() -> None:
    log = mjlog.parse(own())
    won = [event for event in game_of(log).events if event.type == "won"]
    assert [win.yaku_by_id for win in log.wins] == [event.score.yaku for event in won] != []


# Changes to the first match in a log, and the expected difference: (pattern, replacement, what)
TAMPERED = {
    "yaku": (r'yaku="1,1,', 'yaku="21,2,', "yaku"),
    "han": (r'yaku="1,1,', 'yaku="1,2,', "yaku"),
    "points": (r'(<AGARI[^>]* ten="\d+),\d+,', r"\1,1234,", "points"),
    "fu": (r'(<AGARI[^>]* ten=")\d+,', r"\g<1>110,", "fu"),
    "payments": (r'(<AGARI[^>]* sc="\d+),-?\d+,', r"\1,1,", "payments"),
    "sticks": (r'(<AGARI[^>]* ba=")(\d+),', r"\g<1>9,", "sticks"),
    "ura": (r' doraHaiUra="\d+', r' ignored="', "ura"),
    "draw of a hand": (r"<RYUUKYOKU ", '<RYUUKYOKU type="kan4" ', "draw_kind"),
    "tenpai": (r'(<RYUUKYOKU [^>]*)hai\d="[\d,]*"', r"\1", "tenpai"),
    "start": (r'<INIT seed="1,', '<INIT seed="2,', "start"),
    "scores": (r'(<INIT seed="[1-9][^>]*ten=")\d+,', r"\g<1>1,", "scores"),
    "riichi": (r'<REACH [^>]*step="2"/>', "", "riichi"),
    "riichi scores": (r'(<REACH [^>]*ten=")\d+,', r"\g<1>1,", "scores"),
    "kan dora": (r"<DORA [^>]*/>", "", "indicators"),
    "draw": (r"<T\d+/>", "", "draw"),
    "result": (r'owari="-?\d+,', 'owari="7,', "result"),
    "chi": (r'<N who="(\d)" m="(\d+)"', r'<N who="\1" m="31744"', "action"),
}


def without_english(error: LogMismatchError) -> bool:
    """Return whether Korean and Japanese messages contain no English words except Tenhou's own codes."""
    shown = {language: error.message(language) for language in ("ko", "ja")}
    return not any(
        re.search(r"(?<![a-z])[a-z]{2,}", re.sub(r"kan4|ron3", "", text)) for text in shown.values()
    )


def number_of_hand(text: str, position: int) -> int:
    return text.count("<INIT", 0, position + 5)


@pytest.mark.skipif(not COMPILED, reason="needs a whole game")
@pytest.mark.parametrize("case", list(TAMPERED))
def test_tampered_logs(case: str) -> None:
    pattern, replacement, what = TAMPERED[case]
    for seed in range(30):
        if match := re.search(pattern, own(seed)):
            break
    assert match
    report = checked(re.sub(pattern, replacement, match.string, count=1))
    assert report.difference is not None
    difference = report.difference
    assert (difference.what, difference.hand) == (what, number_of_hand(match.string, match.start()))
    assert without_english(
        LogMismatchError(difference.hand, difference.what, difference.log, difference.engine)
    )


def test_a_changed_discard_is_found() -> None:
    """The first discard is replaced by a tile from another hand."""
    text = own()
    match = re.search(r"<([DEFG])(\d+)/>", text)
    assert match
    seat = "DEFG".index(match[1])
    dealt = re.search(rf'hai{(seat + 1) % 4}="(\d+),', text)
    assert dealt
    report = checked(text.replace(match[0], f"<{match[1]}{dealt[1]}/>", 1))
    assert report.difference is not None
    assert report.difference.hand == 1
    assert report.difference.what in ("action", "copies")


def test_a_tile_in_two_places_is_found() -> None:
    text = own()
    first = re.search(r'hai0="(\d+),', text)
    assert first
    report = checked(re.sub(r'(seed="0,0,0,0,0),\d+', rf"\1,{first[1]}", text, count=1))
    assert report.difference is not None
    assert (report.difference.hand, report.difference.what) == (1, "wall")


def test_logs_may_be_incomplete() -> None:
    text = own()
    whole = len(mjlog.parse(text).hands)
    for position in (
        match.start() for match in list(re.finditer(r"<[DTN]\d", text))[:: 100 if COMPILED else 50]
    ):
        report = checked(text[:position] + "</mjloggm>")
        assert report.difference is None
        assert report.hands <= whole


def test_a_difference_has_a_message_in_every_language() -> None:
    text = own().replace('ten="250,250,250,250"', 'ten="251,250,250,250"', 1)
    with pytest.raises(LogMismatchError) as caught:
        list(replay(mjlog.parse(text)))
    assert caught.value.difference.hand == 1
    for language in terms.LANGUAGES:
        message = caught.value.message(language)
        assert "25100" in message
        assert "{" not in message
