"""The result of a tournament for the European ranking: places, base ranks and the weight."""

from typing import Any

import pytest

from jantaku import terms
from jantaku.club import event_from
from jantaku.club.export.european import (
    PlayerIdentity,
    base_rank,
    final_order,
    ranking_sheets,
    split_name,
    weight,
)
from jantaku.club.export.event_tables import EventTables
from jantaku.club.export.files import csv_text

WHO = {
    "a": PlayerIdentity("Åberg, Ann Marie", "SE", "09100170"),
    "b": PlayerIdentity("Ben van Dam", "NL", "08000001"),
    "c": PlayerIdentity("", "DE", ""),
    "d": PlayerIdentity("=cmd()", "", "-1"),
}


def tournament(**more: Any) -> EventTables:
    players = [{"id": letter, "name": letter.upper()} for letter in "abcdefgh"]
    games = [
        {"id": "g1", "stage": "q", "players": list("abcd"), "scores": [45000, 35000, 25000, 15000],
         "at": "2026-05-01T12:00:00"},
        {"id": "g2", "stage": "q", "players": list("efgh"), "scores": [45000, 35000, 25000, 15000],
         "at": "2026-05-02T12:00:00", "penalties": [{"seat": 3, "points": -20000, "why": "chombo"}]},
        {"id": "g3", "stage": "f", "players": list("baef"), "scores": [45000, 35000, 25000, 15000],
         "at": "2026-05-02T18:00:00"},
    ]  # fmt: skip
    stages = [{"id": "q"}, {"id": "f", "from": "q", "cut": 4}]
    data = {"jantaku_event": 1, "name": "Open", "rules": "ema", "players": players}
    penalties = [{"stage": "q", "player": "c", "points": -1000, "why": "late"}]
    return EventTables(event_from({**data, "stages": stages, "games": games, "penalties": penalties} | more))


def test_finalists_come_first_and_ties_share_a_place() -> None:
    order = [(place, standing.player) for place, standing in final_order(tournament())]
    assert order == [(1, "b"), (2, "a"), (3, "e"), (4, "f"), (5, "g"), (6, "c"), (7, "d"), (8, "h")]
    tied = [(place, standing.player) for place, standing in final_order(tournament(penalties=[]))]
    assert tied[4:] == [(5, "c"), (5, "g"), (7, "d"), (8, "h")]


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_the_sheets_contain_all_fields_of_the_ranking(language: terms.Language) -> None:
    results, facts, penalties = ranking_sheets(tournament(), WHO, language)
    assert results.rows[0][:7] == (1, "08000001", "Dam", "Ben van", "NL", 30000, 1000.0)
    assert results.rows[1][:7] == (2, "09100170", "Åberg", "Ann Marie", "SE", 10000, 857.14)
    assert results.rows[-1][6] == 0
    assert [row[1] for row in facts.rows][2:] == ["2026-05-01", "2026-05-02", 2, 8, 3, 5, 3, 2.0]
    assert sorted((row[2], row[4], row[5]) for row in penalties.rows) == [
        ("c", -1000, "late"), ("h", -20000, "chombo"),
    ]  # fmt: skip
    assert {len(row) for row in results.rows} == {len(results.titles)}
    assert "'=cmd()" in csv_text(results)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("", ("", "")),
        ("  Ann  Bo  Dam ", ("Dam", "Ann Bo")),
        ("Dam,", ("Dam", "")),
        ("김 민수", ("민수", "김")),
    ],
)
def test_names_are_split(name: str, parts: tuple[str, str]) -> None:
    assert split_name(name) == parts


@pytest.mark.parametrize(
    ("days", "players", "countries", "expected"),
    [
        (0, 4, 1, 1), (1, 40, 5, 1), (1, 41, 5, 1.5), (1, 80, 6, 2), (2, 81, 9, 3.5), (3, 81, 10, 5),
        (9, 200, 30, 5),
    ],
)  # fmt: skip
def test_the_weight_matches_the_published_one(
    days: int, players: int, countries: int, expected: float
) -> None:
    """See mahjong-europe.org/ranking/Basicsranking.html; the point for a qualification is left out."""
    assert weight(days, players, countries) == expected


def test_base_ranks_go_from_1000_to_0() -> None:
    ranks = [base_rank(rank, 34) for rank in range(1, 35)]
    assert (ranks[0], ranks[-1]) == (1000, 0)
    assert ranks == sorted(ranks, reverse=True)
