"""An event as a standalone HTML file that works offline: standings, games and hands in three languages.

The file contains all text in every language; a style rule shows one of them. There is no script.
"""

import html
from collections.abc import Callable, Sequence
from typing import Final

from jantaku import terms
from jantaku.club.event import EventGame
from jantaku.club.export.event_tables import EventTables, hand_lines
from jantaku.club.stage_standings import PlayerStanding
from jantaku.terms import LANGUAGES, Language, counted, decimals, signed, thousands

NAMES: Final[dict[Language, str]] = {"en": "English", "ja": "日本語", "ko": "한국어"}
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
STYLE: Final = """
:root{color-scheme:light dark;font-family:system-ui,"Noto Sans KR","Noto Sans JP",sans-serif;line-height:1.5}
body{max-width:64rem;margin:0 auto;padding:1rem}
fieldset{border:0;padding:0;margin:0 0 1rem;display:flex;gap:1rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .5rem;text-align:right;border-bottom:1px solid #8884;white-space:nowrap}
th{font-weight:600}
th:first-child,td:first-child{width:1%}
th:nth-child(2),td:nth-child(2){text-align:left}
td.words{white-space:normal;min-width:14rem}
.out{opacity:.6}
details{border-bottom:1px solid #8884;padding:.4rem 0}
summary{cursor:pointer}
summary time{opacity:.7;margin-right:.5rem}
"""


def event_page(tables: EventTables, language: Language) -> str:
    """Return the page with ``language`` selected at first."""
    shown = (
        f"body:has(#{language}:checked) [lang]:not([lang={language}]){{display:none}}"
        for language in LANGUAGES
    )
    title = html.escape(tables.event.name)
    stages = (
        _stage(tables, stage, rows) + _teams(tables, stage) for stage, rows in tables.standings.stages.items()
    )
    games = "".join(_game(tables, game) for game in reversed(tables.games))
    games = games or f"<p>{_word('event.list.none')}</p>"
    return (
        f'<!doctype html>\n<html><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<style>{STYLE}{''.join(shown)}</style></head><body>{_switch(language)}"
        f"<h1>{title}</h1>{''.join(stages)}"
        f"<h2>{_word('event.games')}</h2>{games}</body></html>\n"
    )


def _each(text: Callable[[Language], str]) -> str:
    """Return a text in all languages; only once if it is the same in all."""
    texts = {language: html.escape(text(language)) for language in LANGUAGES}
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    return "".join(f'<span lang="{language}">{part}</span>' for language, part in texts.items())


def _word(key: str, **values: object) -> str:
    return _each(lambda language: terms.text(key, language, **values))


def _switch(chosen: Language) -> str:
    boxes = (
        f"<label><input type='radio' name='language' id='{language}'"
        f"{' checked' if language == chosen else ''}> "
        f"{NAMES[language]}</label>"
        for language in LANGUAGES
    )
    return f"<fieldset>{''.join(boxes)}</fieldset>"


def _table(titles: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Return a table of HTML cells; each row starts with its class."""
    head = "".join(f'<th scope="col">{title}</th>' for title in titles)
    body = "".join(f"<tr{_class(kind)}>{''.join(cells)}</tr>" for kind, cells in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _cell(value: object, kind: str = "") -> str:
    return f"<td{_class(kind)}>{value}</td>"


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


def _column(points: Sequence[int]) -> list[str]:
    """Return a column of points, aligned by their decimals."""
    digits = max((len(decimals(value)) for value in points), default=1)
    return [thousands(value, digits) for value in points]


def _stage(tables: EventTables, stage: str, rows: Sequence[PlayerStanding]) -> str:
    names, seats = tables.names, range(1, tables.event.rules.match.players + 1)
    keys = ("player", "points", "games", "average")
    moved = {
        "event.table.carried": [row.carried for row in rows],
        "export.penalty": [row.penalty for row in rows],
    }
    moved = {key: points for key, points in moved.items() if any(points)}
    titles = [_word("export.rank"), *(_word(f"event.table.{key}") for key in keys), *map(_word, moved)]
    titles += [_word("event.table.place", place=place) for place in seats]
    lines = []
    for row, points, *others in zip(
        rows, _column([row.points for row in rows]), *map(_column, moved.values()), strict=True
    ):
        average = "" if row.average_place is None else f"{float(row.average_place):.2f}"
        first = [row.display_rank, html.escape(names[row.player]), points, str(row.games)]
        cells = [*first, average, *others, *(f"{float(count):g}" for count in row.places)]
        lines.append(("" if row.qualified else "out", [_cell(cell) for cell in cells]))
    heading = _each(lambda language: tables.stage(stage, language))
    return f"<h2>{_word('event.standings')} · {heading}</h2>{_table(titles, lines)}"


def _teams(tables: EventTables, stage: str) -> str:
    teams = tables.standings.teams_of[stage]
    if not teams:
        return ""
    titles = [_word(key) for key in ("export.rank", "export.team", "event.table.points")]
    sums = _column([team.points for team in teams])
    rows = [
        ("", [_cell(team.display_rank), _cell(html.escape(team.team)), _cell(points)])
        for team, points in zip(teams, sums, strict=True)
    ]
    return f"<h3>{_word('event.table.teams')}</h3>{_table(titles, rows)}"


def _game(tables: EventTables, game: EventGame) -> str:
    names = [html.escape(tables.names[player]) for player in game.players]
    final = game.final
    order = sorted(range(len(names)), key=lambda seat: game.places[seat])
    line = " · ".join(f"{names[seat]} {thousands(final[seat])}" for seat in order)
    at = html.escape(tables.clock(game))
    summary = f"<summary><time>{at}</time>{line}</summary>"
    rows = _hands(tables, game)
    rows.append(("", [_cell(""), _cell(_word("event.game.scores")), *map(_points, game.result.scores)]))
    return f"<details>{summary}{_table(['', _word('event.game.hands'), *names], rows)}</details>"


def _points(points: int) -> str:
    return _cell(counted(points))


def _hands(tables: EventTables, game: EventGame) -> list[tuple[str, list[str]]]:
    """Return a row for each hand: its name, its ending, and the points won or lost by each seat."""
    hands = []
    for line in hand_lines(tables, game, LANGUAGES):
        name, words = (_each(dict(zip(LANGUAGES, each, strict=True)).__getitem__) for each in line[:2])
        changes = [signed(change) if change else "0" for change in line.deltas]
        hands.append(("", [_cell(name), _cell(words, "words"), *map(_cell, changes)]))
    return hands
