"""A person's own games as a CSV file."""

from collections.abc import Mapping
from typing import Final

from jantaku import terms
from jantaku.club.export import csv_text
from jantaku.club.export.event_tables import ExportSheet
from jantaku.club.statistics import Figures
from jantaku.terms import Language

COLUMNS: Final = ("game", "ended", "rules", "seat", "place", "final", "hands", "event")


def games_csv(
    figures: Mapping[str, Figures],
    names: Mapping[str, str],
    events: Mapping[str, dict[str, str]],
    language: Language,
) -> str:
    """A row for each game, the oldest first; ``names`` are those of the rules by fingerprint."""
    titles = tuple(terms.text(f"learn.numbers.column.{name}", language) for name in COLUMNS)
    lines = [(names[key], line) for key, own in figures.items() for line in own.games]
    rows = tuple(
        (
            line.game,
            line.at or "",
            rules,
            line.seat,
            line.place,
            line.final,
            line.hands,
            _event(events, line.game, language),
        )
        for rules, line in sorted(lines, key=lambda item: item[1].at or "")
    )
    return csv_text(ExportSheet("games", titles, rows))


def _event(events: Mapping[str, dict[str, str]], game: str, language: Language) -> str:
    """The event at which a game was recorded, in one language; empty for games at tables here."""
    name = events.get(game, {})
    return name.get(language) or next(iter(name.values()), "")
