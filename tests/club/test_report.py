"""Reports of small events: days, changes of rank, best hands and records; names are never markup."""

from dataclasses import asdict
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from jantaku import terms
from jantaku.club import event_from, settle
from jantaku.club.as_entered import played_hands
from jantaku.club.export.event_tables import EventTables
from jantaku.club.report import days_of, event_report, report_markdown, report_text
from jantaku.errors import JantakuError
from jantaku.rules import load
from jantaku.tiles import parse_tiles
from support.playing import played

TILES = "19m19p19s1234567z 1m"
YAKUMAN = {"seat": 2, "yakuman": 4, "yaku": ["kokushi_musou"], "tiles": TILES}
BUST = {"end": "ron", "from": 3, "riichi": [2], "wins": [YAKUMAN]}
DRAW = {"end": "draw", "tenpai": [0, 1]}
SMALL = {"end": "tsumo", "wins": [{"seat": 0, "han": 1, "fu": 30}]}


def game(key: str, at: str | None, players: str = "abcd", **how: Any) -> dict[str, Any]:
    record = {"id": f"game-{key}", "stage": "league", "players": list(players), **how}
    return record if at is None else {**record, "at": at}


GAMES = [
    game("1", "2026-11-13T20:00:00+09:00", scores=[40000, 30000, 20000, 10000]),
    game("2", "2026-11-14T01:30:00+09:00", hands=[DRAW, BUST]),  # counts for the evening of the 13th
    game("3", "2026-11-20T19:00:00+09:00", "dcba", hands=[SMALL, BUST]),
]


def tables(*games: dict[str, Any], names: str = "Ann Ben Cho Dai", **more: Any) -> EventTables:
    players = [{"id": key, "name": name} for key, name in zip("abcd", names.split(" "), strict=True)]
    data = {"jantaku_event": 1, "name": "Cup", "rules": "tenhou", "players": players}
    stages = {"stages": [{"id": "league"}, {"id": "final", "from": "league", "cut": 2}]}
    return EventTables(event_from({**data, **stages, "games": list(games), **more}), ZoneInfo("Asia/Seoul"))


def test_namesakes_are_numbered() -> None:
    report_tables = tables(GAMES[0], names="Ann Ann Cho Dai")
    first, second, *_ = report_text(report_tables, event_report(report_tables), "en").sections[0].rows
    assert {first[1], second[1]} == {"Ann", "Ann (2)"}


def test_a_day_ends_at_five_in_the_morning() -> None:
    report_tables = tables(*GAMES, game("4", "2026-11-21T05:00:00+09:00", hands=[BUST]))
    assert days_of(report_tables) == ["2026-11-13", "2026-11-20", "2026-11-21"]
    assert days_of(tables(game("1", None, hands=[BUST]))) == []


def test_changes_are_those_of_the_day() -> None:
    report_tables = tables(*GAMES)
    first, second = (event_report(report_tables, day) for day in days_of(report_tables))
    assert {row.before for row in first.stages["league"]} == {None}
    assert list(first.stages) == ["league"]  # no games have been played in the final
    rows = {row.player: row for row in second.stages["league"]}
    old = {row.player: row for row in first.stages["league"]}
    for name, row in rows.items():
        assert (row.before, row.points - row.change) == (old[name].rank, old[name].points)
        assert row.games == 1
    assert sum(row.change for row in rows.values()) == 0


def test_the_whole_event_adds_up() -> None:
    whole = event_report(tables(*GAMES))
    assert [row.games for row in whole.stages["league"]] == [3] * 4
    fields = asdict(whole.numbers)
    assert fields == {
        "games": 3, "games_with_hands": 2, "hands": 4, "wins": 3, "winners": 3, "tsumo": 1, "draws": 1,
        "riichi": 2, "won": sum(hand.points for hand in whole.best),
    }  # fmt: skip


def test_best_hands_have_their_tiles() -> None:
    best = event_report(tables(*GAMES)).best
    assert [hand.player for hand in best] == ["c", "b", "d"]
    assert [hand.source for hand in best] == ["d", "a", None]
    assert best[0].points >= best[1].points > best[2].points
    assert best[0].win.tiles == TILES
    assert len(event_report(tables(*(game(str(i), None, hands=[SMALL] * 4) for i in range(9)))).best) == 0
    many = [game(str(i), None, hands=[BUST]) for i in range(9)]
    assert len(event_report(tables(*many)).best) == 5


@pytest.mark.parametrize("language", terms.LANGUAGES)
@pytest.mark.parametrize("day", [None, "2026-11-20"])
def test_reports_have_the_same_structure_in_every_language(language: terms.Language, day: str | None) -> None:
    report_tables = tables(*GAMES)
    text = report_text(report_tables, event_report(report_tables, day), language)
    kinds = [section.kind for section in text.sections]
    assert kinds == ["standings", "best", "records", "numbers"]
    for section in text.sections:
        assert {len(row) for row in section.rows} == {len(section.columns)}
        assert not section.tiles or len(section.tiles) == len(section.rows)
    markdown = report_markdown(text)
    assert markdown.count("\n## ") == 4
    assert f"`{TILES}`" in markdown


NAMES = "<script>|x&[y](z) a\u0000b`c`*d* \u96c0\U0001f004\u5353 " + "W" * 64


def test_names_are_never_markup() -> None:
    report_tables = tables(*GAMES, names=NAMES.replace("\u0000", "\u200d"))
    text = report_text(report_tables, event_report(report_tables, "2026-11-20"), "ko")
    rows = [line for line in report_markdown(text).splitlines() if line.startswith("|")]
    assert "<script>" not in "".join(rows).replace("\\<", "")
    assert all(line.replace("\\|", "").count("|") in (3, 4, 5, 7) for line in rows)


def test_an_event_without_games_has_an_empty_report() -> None:
    report_tables = tables()
    text = report_text(report_tables, event_report(report_tables), "en")
    assert [section.kind for section in text.sections] == ["numbers"]


@pytest.mark.parametrize("tiles", ["19m19q", "1m" * 41, 5, "<b>", "0z"])
def test_unreadable_tiles_are_refused(tiles: object) -> None:
    with pytest.raises(JantakuError):
        settle([{**BUST, "wins": [{**YAKUMAN, "tiles": tiles}]}], load("tenhou"))


def test_tiles_do_not_affect_points() -> None:
    plain = {**BUST, "wins": [{"seat": 2, "yakuman": 4}]}
    assert settle([BUST], load("tenhou")).final == settle([plain], load("tenhou")).final


@pytest.mark.parametrize("seed", range(3))
def test_games_of_the_engine_include_tiles(seed: int) -> None:
    wins = [win for hand in played_hands(played("bgm-2025", seed)) for win in hand.get("wins", ())]
    assert wins
    for win in wins:
        concealed, won, *melds = (parse_tiles(group) for group in win["tiles"].split())
        assert len(won) == 1
        assert len(concealed) + 3 * len(melds) == 13
        assert all(len(meld) in (3, 4) for meld in melds)
