"""The result of a tournament in the format of the European association's ranking.

Its tables have the place, the player's number, last name, first name, country and points of each player; the
base rank and the weight follow mahjong-europe.org/ranking/Basicsranking.html.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from jantaku import terms
from jantaku.club.export.event_tables import Cell, EventTables, ExportSheet, sheet
from jantaku.club.report import days_of
from jantaku.club.stage_standings import PlayerStanding
from jantaku.terms import Language

MAX_BASE_RANK: Final = 1000
MAX_DAYS: Final = 3
PLAYERS: Final = ((80, 1.0), (40, 0.5))  # (n, weight): added to the weight for more than n players
COUNTRIES: Final = ((9, 1.0), (5, 0.5))


class PlayerIdentity(NamedTuple):
    """A player's identity in an association: real name, country (ISO 3166), and membership number."""

    real_name: str = ""
    country: str = ""
    association: str = ""


UNKNOWN: Final = PlayerIdentity()


def split_name(name: str) -> tuple[str, str]:
    """Split a name into last and first name at its comma; without one, the last word is the last name.

    >>> split_name("van Dam, Anna"), split_name("Anna Dam"), split_name("Anna")
    (('van Dam', 'Anna'), ('Dam', 'Anna'), ('Anna', ''))
    """
    if "," in name:
        last, first = name.split(",", 1)
        return last.strip(), first.strip()
    *first_names, last = name.split() or [""]
    return last, " ".join(first_names)


def final_order(tables: EventTables) -> list[tuple[int, PlayerStanding]]:
    """Order all ranked players: those of the last stage first, then those who did not reach it."""
    order: list[tuple[int, PlayerStanding]] = []
    seen = set[str]()
    for rows in reversed(list(tables.standings.stages.values())):
        before = len(order)
        new = [row for row in rows if row.rank is not None and row.player not in seen]
        for i, row in enumerate(new):
            shared = i > 0 and new[i - 1].rank == row.rank
            order.append((order[-1][0] if shared else before + i + 1, row))
        seen |= {row.player for row in new}
    return order


def base_rank(place: int, players: int) -> float:
    """Return 1000 for the first place down to 0 for the last, proportional to the number of players behind.

    >>> base_rank(75, 100), base_rank(1, 100), base_rank(1, 1)
    (252.53, 1000.0, 1000.0)
    """
    return (
        round(MAX_BASE_RANK * (players - place) / (players - 1), 2) if players > 1 else float(MAX_BASE_RANK)
    )


def weight(days: int, players: int, countries: int) -> float:
    """Return the weight of a tournament, without the extra point for events that require qualification.

    >>> weight(1, 40, 5), weight(2, 81, 10), weight(5, 41, 6)
    (1.0, 4.0, 4.0)
    """
    added = sum(
        next((more for over, more in steps if count > over), 0.0)
        for count, steps in ((players, PLAYERS), (countries, COUNTRIES))
    )
    return min(max(days, 1), MAX_DAYS) + added


def ranking_sheets(
    tables: EventTables, who: Mapping[str, PlayerIdentity], language: Language
) -> list[ExportSheet]:
    """Return the results of all players, the facts behind the weight, and every penalty with its reason."""
    order = final_order(tables)
    return [
        _results(tables, order, who, language),
        _tournament(tables, order, who, language),
        sheet(tables, "penalties", language),
    ]


def _results(
    tables: EventTables,
    order: Sequence[tuple[int, PlayerStanding]],
    who: Mapping[str, PlayerIdentity],
    language: Language,
) -> ExportSheet:
    keys = ("place", "association", "last_name", "first_name", "country", "points", "base_rank")
    titles = [terms.text(f"export.ranking.{key}", language) for key in keys]
    titles += [terms.text("event.table.games", language), terms.text("export.penalty", language)]
    rows = []
    for place, row in order:
        player = who.get(row.player, UNKNOWN)
        last, first = split_name(player.real_name or tables.names[row.player])
        cells: list[Cell] = [place, player.association, last, first, player.country, row.points]
        rows.append((*cells, base_rank(place, len(order)), row.games, row.penalty))
    return ExportSheet("ranking", tuple(titles), tuple(rows))


def _tournament(
    tables: EventTables,
    order: Sequence[tuple[int, PlayerStanding]],
    who: Mapping[str, PlayerIdentity],
    language: Language,
) -> ExportSheet:
    days = days_of(tables)
    countries = {player.country for _, row in order if (player := who.get(row.player, UNKNOWN)).country}
    unknown = sum(not who.get(row.player, UNKNOWN).country for _, row in order)
    facts: list[tuple[str, Cell]] = [
        ("name", tables.event.name),
        ("rules", tables.event.rules.name.get(language, tables.event.rules.id)),
        ("first_day", days[0] if days else ""),
        ("last_day", days[-1] if days else ""),
        ("days", len(days)),
        ("players", len(order)),
        ("countries", len(countries)),
        ("no_country", unknown),
        ("games", len(tables.games)),
        ("weight", weight(len(days), len(order), len(countries))),
    ]
    rows = tuple((terms.text(f"export.tournament.{key}", language), value) for key, value in facts)
    titles = (terms.text("export.tournament.fact", language), terms.text("export.tournament.value", language))
    return ExportSheet("tournament", titles, rows)
