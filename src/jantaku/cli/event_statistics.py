"""``jantaku event statistics`` and ``ratings``: figures of players, and ratings with their arithmetic."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from jantaku.cli.console import heading, indented, out, printed, words
from jantaku.cli.console import table as new_table
from jantaku.cli.event_input import AsJson, EventFile, RulesName, read_with_rules
from jantaku.terms import listed, signed, text

if TYPE_CHECKING:
    from jantaku.club import ClubEvent
    from jantaku.club.statistics import BriefFigures, EventFigures, Figures
    from jantaku.club.statistics.figure_values import Share

COLUMNS = ("win", "deal_in", "riichi", "call", "tenpai_at_draw")
MOST_SHOWN = 12  # hands in a row of the table


def statistics(
    file: EventFile,
    player: Annotated[str | None, typer.Option(metavar="ID")] = None,
    rules: RulesName = None,
    as_json: AsJson = False,
) -> int:
    """Print the figures of everybody in an event, or all figures of one player."""
    from jantaku.club import event_figures, event_from

    event = event_from(*read_with_rules(file, rules))
    whole = event_figures(event)
    if player is None:
        if not printed(lambda: _event_json(event, whole), as_json):
            _show_event(event, whole)
        return 0
    from jantaku.fields import known_id

    name = known_id(player, {player.id for player in event.players}, "--player")
    figures = whole.player(name)
    if not printed(lambda: {"player": name, **asdict(figures)}, as_json):
        _show_player(event, name, figures)
    return 0


def ratings(file: EventFile, rules: RulesName = None, as_json: AsJson = False) -> int:
    """Print the ratings of an event, game by game."""
    from jantaku.club import event_from, rated_games
    from jantaku.club.ratings import newest

    event = event_from(*read_with_rules(file, rules))
    games = rated_games(event.results)
    latest = newest(games)
    rows = {
        "games": [asdict(game) for game in games],
        "ratings": [
            {"player": name, **asdict(rating), "ordinal": rating.ordinal} for name, rating in latest.items()
        ],
    }
    if printed(lambda: rows, as_json):
        return 0
    names = _names(event)
    titles = ("game", "player", "place", "mu", "sigma", "ordinal_before", "ordinal_after")
    table = new_table(*(said(f"rating.{name}") for name in titles))
    for game in games:
        for i, seat in enumerate(game.seats):
            mu, sigma = (
                f"{seat.before.mu:.3f} → {seat.after.mu:.3f}",
                f"{seat.before.sigma:.3f} → {seat.after.sigma:.3f}",
            )
            cells = (game.game if not i else "", names[seat.player], str(seat.place), mu, sigma)
            table.add_row(*(Text(cell) for cell in (*cells, seat.before.formula(), seat.after.formula())))
    out().print(table)
    table = new_table(
        words("event.rank"),
        words("event.player"),
        *(said(f"rating.{name}") for name in ("mu", "sigma", "ordinal")),
    )
    for rank, (name, rating) in enumerate(latest.items(), 1):
        cells = (str(rank), names[name], f"{rating.mu:.3f}", f"{rating.sigma:.3f}", rating.formula())
        table.add_row(*(Text(cell) for cell in cells))
    out().print(table)
    return 0


def said(key: str, **values: object) -> str:
    """A text of the table of figures."""
    return text(f"figures.{key}", **values)


def _names(event: "ClubEvent") -> Mapping[str, str]:
    return {entrant.id: entrant.label for entrant in event.players}


def _event_json(event: "ClubEvent", figures: "EventFigures") -> dict[str, Any]:
    names = _names(event)
    return {
        "players": [
            {"player": name, "name": names[name], **asdict(brief)} for name, brief in figures.players.items()
        ],
        "teams": [{"team": name, **asdict(brief)} for name, brief in figures.teams.items()],
        "achievements": [asdict(achievement) for achievement in figures.achievements],
    }


def _show_event(event: "ClubEvent", figures: "EventFigures") -> None:
    names = _names(event)
    _show_brief(words("event.player"), ((names[name], brief) for name, brief in figures.players.items()))
    if figures.teams:
        _show_brief(words("event.team"), figures.teams.items())
    table = new_table(said("achievements"), words("event.player"), "", said("hands"))
    for achievement in figures.achievements:
        where = [f"{ref.game} #{ref.hand + 1}" for ref in achievement.hands] or list(achievement.games)
        who = listed(
            said("among", name=names[name], of=said(f"unit.{achievement.unit}", count=of))
            for name, of in zip(achievement.players, achievement.of, strict=True)
        )
        value = (
            f"{achievement.value:.1%}" if achievement.kind == "fewest_deal_ins" else f"{achievement.value:,}"
        )
        table.add_row(
            *(Text(cell) for cell in (said(f"achievement.{achievement.kind}"), who, value, shortened(where)))
        )
    out().print(table)


def _show_brief(title: str, rows: "Iterable[tuple[str, BriefFigures]]") -> None:
    titles = ("points", "games", "places", "average")
    rates = (said(f"rate.{name}") for name in COLUMNS)
    columns = (
        *(words(f"event.{name}") for name in titles),
        *rates,
        said("average_win"),
        said("biggest_hand"),
    )
    table = new_table(title, *columns)
    for name, brief in rows:
        average = "" if brief.average_place is None else f"{brief.average_place:.2f}"
        cells = (
            name,
            signed(brief.points),
            str(brief.games),
            "-".join(f"{count:g}" for count in brief.places),
            average,
        )
        shares = (share_in_words(brief.rates[rate]) for rate in COLUMNS)
        win = "" if brief.average_win is None else f"{brief.average_win:,.0f}"
        biggest = "" if brief.biggest_hand is None else f"{brief.biggest_hand:,}"
        table.add_row(*(Text(cell) for cell in (*cells, *shares, win, biggest)))
    out().print(table)


def share_in_words(share: "Share") -> str:
    """A percentage; with how many cases are known, unless all are."""
    if share.value is None:
        return said("unknown") if share.cases else ""
    known = "" if share.known == share.cases else " " + said("known", known=share.known, cases=share.cases)
    return f"{share.value:.1%}{known}"


def shortened(parts: "Iterable[str]") -> str:
    """The first parts, and how many follow."""
    listed_parts = list(parts)
    more = len(listed_parts) - MOST_SHOWN
    return listed(listed_parts[:MOST_SHOWN]) + (" " + said("more", count=more) if more > 0 else "")


def _show_player(event: "ClubEvent", name: str, figures: "Figures") -> None:
    from jantaku.cli.explanation import name_of

    names = _names(event)
    out().print(heading(names[name]))
    _show_brief(words("event.player"), [(names[name], figures.brief)])
    rows = [
        (said(f"rate.{rate}"), share_in_words(share), share.hands) for rate, share in figures.rates.items()
    ]
    if figures.biggest_hand is not None:
        biggest = figures.biggest_hand
        rows.append((said("biggest_hand"), f"{biggest.points:,}", (biggest.hand,)))
    for label, mean in (("average_win", figures.average_win), ("average_deal_in", figures.average_deal_in)):
        rows.append((said(label), "" if mean.value is None else f"{mean.value:,.0f}", mean.hands))
    rows += [(han_in_words(bar.key), str(len(bar.hands)), bar.hands) for bar in figures.han.bars]
    rows += [(name_of(bar.key, event.rules), str(len(bar.hands)), bar.hands) for bar in figures.yaku.bars]
    table = new_table(said("figure"), "", said("hands"))
    for label, value, hands in rows:
        where = (f"{figures.hands[i].game} #{figures.hands[i].hand + 1}" for i in hands)
        table.add_row(*(Text(cell) for cell in (label, value, shortened(where))))
    out().print(table)
    for part in (("yaku", figures.yaku), ("han", figures.han)):
        if part[1].known < part[1].cases:
            out().print(
                indented(said(f"{part[0]}_known", known=part[1].known, cases=part[1].cases)), style="dim"
            )
    _show_opponents(names, figures)


def _show_opponents(names: Mapping[str, str], figures: "Figures") -> None:
    titles = ("opponent", "ahead", "behind", "own_points", "their_points", "won_from", "dealt_to")
    table = new_table(said("opponent"), words("event.games"), *(said(name) for name in titles[1:]))
    for opponent in figures.opponents:
        rons = (f"{len(part.hands)} ({signed(part.sum)})" for part in (opponent.won_from, opponent.dealt_to))
        points = (signed(opponent.points), signed(opponent.theirs))
        cells = (
            names[opponent.opponent],
            str(len(opponent.games)),
            str(opponent.ahead),
            str(opponent.behind),
            *points,
            *rons,
        )
        table.add_row(*(Text(cell) for cell in cells))
    out().print(table)


def han_in_words(key: str) -> str:
    """The label of a bar of the histogram: a number of han, or a limit."""
    return said("han", count=int(key)) if key.isdecimal() else text(f"explain.limit.{key}")
