"""Bot games in the terminal: names of the bots, and result pages."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Group, RenderableType
from rich.text import Text

from jantaku import terms
from jantaku.adjudication.explain import explain
from jantaku.adjudication.score import Score
from jantaku.cli.console import heading, indented, table
from jantaku.cli.explanation import event_in_words, explained
from jantaku.cli.table_view import row
from jantaku.errors import RequestError
from jantaku.game import Game
from jantaku.game.events import Event, GameEnded, HandDrawn, PointsMoved, Won
from jantaku.kernels.rules import oka
from jantaku.rules import Ruleset
from jantaku.seats import by_place
from jantaku.terms import counted, signed

if TYPE_CHECKING:
    from jantaku.bots.net_file import TrainedBot

DEFAULT_RULES, DEFAULT_BOT = "bgm-2025", "standard"


def play_text(key: str, **values: object) -> str:
    """Return a text from the ``play`` table."""
    return terms.text(f"play.{key}", None, **values)


def bot_names(text: str, count: int) -> list[str]:
    """Parse the names of ``count`` bots, one for all or one for each; raises ``RequestError``."""
    from jantaku.bots import bot

    names = [name.strip() for name in text.split(",")]
    for name in names:
        bot(name)
    if len(names) == 1:
        names *= count
    if len(names) != count:
        raise RequestError("bot_count", field="--bots", count=len(names), wanted=count)
    return names


def with_file(names: Sequence[str]) -> "tuple[tuple[str, ...], TrainedBot | None]":
    """Return the names for a simulation, in which a bot file is called ``adapted``, and the bot in the file.

    Raises ``RequestError`` if there are several files, and ``RecordError`` if there is no bot in it.
    """
    from jantaku.bots.net_file import FILE_END, TrainedBot
    from jantaku.bots.policies import ADAPTED_NAME

    files = {name for name in names if name.endswith(FILE_END)}
    if len(files) > 1:
        raise RequestError("one_bot_file", field="--bots")
    bots = tuple(ADAPTED_NAME if name in files else name for name in names)
    return bots, TrainedBot.read(Path(files.pop())) if files else None


Names = Sequence[str]
_SECTIONS: Final = ("yaku", "fu", "payments", "arithmetic", "near_misses")  # most important first


def is_end(happened: Sequence[Event]) -> bool:
    """Whether the events include the end of a hand."""
    return any(isinstance(event, Won | HandDrawn) for event in happened)


def win_page(event: Won, names: Names) -> RenderableType:
    """Return the page of a win: its tiles, yaku, fu, points and payments."""
    heading = Text(event_in_words(event, names), "bold green")
    if not isinstance(event.score, Score):
        return heading  # the record has only the value of the win
    return Group(heading, explained(explain(event.score), event.score.win, _SECTIONS))


def draw_page(event: HandDrawn, names: Names) -> RenderableType:
    """Return the page of a drawn hand with the revealed hands."""
    rows = table("", "")
    for seat, hand in enumerate(event.hands):
        if hand is not None:
            rows.add_row(names[seat], row(hand, ""))
    return Group(Text(event_in_words(event, names), "bold"), Text(), indented(rows))


def result_pages(happened: Sequence[Event], names: Names) -> list[RenderableType]:
    """Return the pages at the end of a hand in order; the last contains the scores."""
    pages = [win_page(event, names) for event in happened if isinstance(event, Won)]
    drawn = [draw_page(event, names) for event in happened if isinstance(event, HandDrawn)]
    scores = scores_table(happened, names)
    if drawn:
        return [Group(*drawn, Text(), scores)]
    return [*pages, scores]


def scores_table(happened: Sequence[Event], names: Names) -> RenderableType:
    """Return a table of the point changes, the new points and the places."""
    moved = [event for event in happened if isinstance(event, PointsMoved)]
    if not moved:
        return Text(play_text("scores.unmoved"), "dim")
    last = moved[-1].scores
    change = [sum(event.deltas[seat] for event in moved) for seat in range(len(last))]
    order = by_place(last)
    titles = (play_text(f"scores.{name}") for name in ("place", "name", "change", "points"))
    rows = table(*titles, right=(0, 2, 3))
    for place, seat in enumerate(order, 1):
        style = "green" if change[seat] > 0 else "red" if change[seat] < 0 else "dim"
        points = Text(signed(change[seat]) if change[seat] else "–", style)
        rows.add_row(str(place), names[seat], points, counted(last[seat]))
    return Group(heading(play_text("scores.title")), indented(rows))


def final_sheet(game: Game, names: Names) -> RenderableType:
    """Return the final result: places, points, uma and oka bonuses, and final points."""
    end = next(event for event in reversed(game.events) if isinstance(event, GameEnded))
    rules, scores, zeros = game.rules, game.scores, (0,) * len(game.seats)
    titles = (play_text(f"scores.{name}") for name in ("place", "name", "points", "above", "bonus", "final"))
    rows = table(*titles, right=(0, 2, 3, 4, 5))
    for seat in sorted(game.seats, key=lambda seat: end.places[seat]):
        above = scores[seat] - rules.match.return_points
        final = end.final[seat]
        prizes = (end.chips or zeros)[seat] * rules.chips.value + (end.yakitori or zeros)[seat]
        style = "bold green" if final > 0 else "red" if final < 0 else ""
        rows.add_row(
            str(end.places[seat]),
            Text(names[seat], "bold" if end.places[seat] == 1 else ""),
            counted(scores[seat]),
            signed(above),
            signed(final - above - prizes),
            Text(signed(final / 1000, 1), style),
        )
    lines = [Text(line, "dim") for line in (_uma(rules), *prize_lines(end, names))]
    return Group(heading(play_text("scores.final_title")), indented(rows), *lines)


def prize_lines(end: GameEnded, names: Names) -> list[str]:
    """Return lines about chips and yakitori if the rules have them."""
    lines = []
    for key in ("chips", "yakitori"):
        counts = getattr(end, key)
        if counts is not None:
            moved = [f"{name} {signed(count)}" for name, count in zip(names, counts, strict=True) if count]
            lines.append(play_text(f"scores.{key}", moved=" · ".join(moved) or "–"))
    return lines


def _uma(rules: Ruleset) -> str:
    uma = " / ".join(signed(points) for points in rules.match.uma)
    gained = counted(oka(rules)) if oka(rules) else "–"
    return play_text("scores.uma", returned=counted(rules.match.return_points), uma=uma, oka=gained)
