"""Wins and game events in words."""

from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from rich.console import Group, RenderableType
from rich.text import Text

from jantaku import terms
from jantaku.adjudication.explanation_words import value_text, yakuman_text
from jantaku.cli.console import heading, indented, table, words
from jantaku.cli.hand_drawing import win_text
from jantaku.cli.table_view import seat_names, table_text
from jantaku.game import events as e
from jantaku.rules.yaku_names import yaku_name
from jantaku.seats import hand_name, seat_at
from jantaku.terms import signed
from jantaku.tiles import Tile, format_tiles, tile_name
from jantaku.win import Win

if TYPE_CHECKING:
    from jantaku.adjudication.explanation import Explanation
    from jantaku.adjudication.recorded_score import RecordedScore
    from jantaku.adjudication.score import Score


def explained(explanation: "Explanation", win: Win, sections: Sequence[str] | None = None) -> RenderableType:
    """Return a hand with the non-empty sections of its explanation."""
    rows: list[RenderableType] = [
        heading(explanation.title),
        Text(f"{explanation.headings['rules']}: {explanation.rules}", "dim"),
        Text(),
        indented(win_text(win)),
    ]
    shape = " · ".join(filter(None, (explanation.form, explanation.wait)))
    if shape:
        rows.append(indented(Text(shape, "dim")))
    for note in explanation.notes:
        rows += [Text(), Text(note)]
    for section in sections or SECTIONS:
        body = SECTIONS[section](explanation)
        if body is not None:
            rows += [Text(), heading(explanation.headings[section]), indented(body)]
    return Group(*rows)


def _reading(explanation: "Explanation") -> RenderableType | None:
    rows = table("", "", "")
    for group in explanation.reading:
        winning = f"← {group.winning}" if group.winning else ""
        rows.add_row(Text(group.tiles, "bold"), group.label, Text(winning, "yellow"))
    return rows if explanation.reading else None


def _yaku(explanation: "Explanation") -> RenderableType | None:
    rows = table("", "", "")
    rows.columns[1].no_wrap = True
    for row in explanation.yaku:
        name = Text(row.name, "bold")
        if explanation.language != "en" and row.reading not in ("", row.name):
            name.append(f" {row.reading}", "not bold dim")
        rows.add_row(name, Text(row.worth, "green"), row.why)
    return rows if explanation.yaku else None


def _near_misses(explanation: "Explanation") -> RenderableType | None:
    rows = table("", "")
    for row in explanation.near_misses:
        rows.add_row(Text(row.name, "dim bold"), Text(row.why, "dim"))
    return rows if explanation.near_misses else None


def _fu(explanation: "Explanation") -> RenderableType | None:
    if not explanation.fu:
        return None
    rows = table("", "", "", right=[1])
    for row in explanation.fu:
        rows.add_row(row.label, Text(str(row.points), "green"), Text(row.detail, "dim"))
    return Group(rows, Text(explanation.fu_total, "bold"))


def _arithmetic(explanation: "Explanation") -> RenderableType | None:
    return Text("\n").join(map(Text, explanation.arithmetic)) if explanation.arithmetic else None


def _payments(explanation: "Explanation") -> RenderableType | None:
    rows = table("", "", "", "", right=[1])
    for row in explanation.payments:
        if not row.points and not row.role:
            continue
        sticks = " + ".join(f"{value:,}×{count}" for value, count in row.sticks.items() if count)
        points = Text(signed(row.points), "green" if row.points > 0 else "red")
        rows.add_row(row.name, points, row.role, Text(sticks, "dim"))
    return rows if rows.row_count else None


SECTIONS: Final[dict[str, Callable[["Explanation"], RenderableType | None]]] = {
    "reading": _reading,
    "yaku": _yaku,
    "fu": _fu,
    "arithmetic": _arithmetic,
    "payments": _payments,
    "near_misses": _near_misses,
}


def summary(result: "Score") -> str:
    """Summarise value, points and yaku in one line."""
    named = ((yaku_name(yaku, rules=result.rules), han) for yaku, han in result.yaku.items())
    yaku = terms.listed(f"{name} {worth(han, result)}".rstrip() for name, han in named)
    value = value_in_words(result)
    return words("score.summary", value=value, points=result.points, yaku=yaku)


def worth(han: int, result: "Score") -> str:
    """Return the han of a yaku; in a yakuman hand, its multiple of yakuman."""
    if not result.yakuman:
        return str(han)
    return "" if han == 13 else f"×{han // 13}"


def value_in_words(score: "Score | RecordedScore") -> str:
    """Return ``3 han 30 fu``, ``mangan (5 han 30 fu)``, ``double yakuman`` and the like."""
    if score.yakuman:
        return yakuman_text(score.yakuman)
    return value_text(score.han or 0, score.fu or 0, score.limit)


def class_in_words(name: str) -> str:
    """Return the words for a number of han or the name of a limit."""
    if name.isdigit():
        return terms.text("explain.value.han", None, han=name)
    return terms.text(f"explain.limit.{name}")


Names = Sequence[str]


def event_in_words(event: e.Event, names: Sequence[str] | None = None) -> str:
    """Describe an event in a sentence or two; ``names`` are the names of the seats.

    A hidden tile (``game.events.hide``) stays hidden. Returns the type of an event that has no text.
    """
    describe = _WORDS.get(type(event))
    return event.type if describe is None else describe(event, seat_names(names))


def _event(key: str, **values: object) -> str:
    return table_text(f"event.{key}", **values)


def _tile(tile: Tile | None) -> str:
    return table_text("hidden_tile") if tile is None else tile_name(tile)


def _people(seats: Sequence[int], names: Names) -> str:
    return table_text("separator").join(names[seat] for seat in seats) or table_text("nobody")


def _named(key: str, event: Any, names: Names, **values: object) -> str:
    return _event(key, name=names[event.seat], **values)


def _drew(event: e.Drew, names: Names) -> str:
    return _named("drew_rinshan" if event.rinshan else "drew", event, names, tile=_tile(event.tile))


def _discarded(event: e.Discarded, names: Names) -> str:
    key = "discarded_drawn" if event.drawn else "discarded"
    if event.riichi:
        key = "declared_open" if event.riichi == "open" else "declared_riichi"
    return _named(key, event, names, tile=_tile(event.tile))


def _called(event: e.Called, names: Names) -> str:
    meld = event.meld
    source = names[seat_at(event.seat, meld.source or "left", len(names))]
    words = {"meld": table_text(f"meld.{meld.type}"), "tiles": format_tiles(meld.tiles)}
    return _named("called", event, names, called=_tile(meld.called), source=source, **words)


def _kan_declared(event: e.KanDeclared, names: Names) -> str:
    tiles = format_tiles(event.meld.tiles) or table_text("hidden_tile")
    return _named("kan_declared", event, names, meld=table_text(f"meld.{event.meld.type}"), tiles=tiles)


def _won(event: e.Won, names: Names) -> str:
    words = {"tile": _tile(event.tile), "value": value_in_words(event.score)}
    if event.source is None:
        return _named("tsumo", event, names, **words)
    return _named("ron", event, names, source=names[event.source], **words)


def _hand_drawn(event: e.HandDrawn, names: Names) -> str:
    events = [_event("hand_drawn", kind=table_text(f"draw.{event.kind}"))]
    if event.kind == "exhausted":
        events.append(_event("tenpai", names=_people(event.tenpai, names)))
    if event.nagashi:
        events.append(_event("nagashi", names=_people(event.nagashi, names)))
    return " ".join(events)


def _fouled(event: e.Fouled, names: Names) -> str:
    options = terms.table("options", terms.current())
    foul = options["fouls"].get(event.foul, {}).get("label", event.foul)
    cost = options["foul_cost"]["values"].get(event.cost, event.cost)
    return _named("fouled", event, names, foul=foul, cost=cost)


def _points_moved(event: e.PointsMoved, names: Names) -> str:
    deltas = zip(names, event.deltas, strict=False)  # unless names are given, there are always four
    moved = (_event("points", name=name, points=delta) for name, delta in deltas if delta)
    points = table_text("separator").join(moved) or table_text("nobody")
    return _event("points_moved" if event.reason == "hand" else event.reason, points=points)


def _game_ended(event: e.GameEnded, names: Names) -> str:
    order = sorted(zip(event.places, names, event.final, strict=False), key=itemgetter(0))
    rows = (
        _event("place", place=place, name=name, points=signed(final / 1000, 1))
        for place, name, final in order
    )
    return _event("game_ended", places=table_text("separator").join(rows))


_WORDS: Final[dict[type[e.Event], Callable[[Any, Names], str]]] = {
    e.GameStarted: lambda event, _: _event("game_started", rules=event.rules),
    e.HandStarted: lambda event, names: _event(
        "hand_started",
        hand=hand_name(event.number, event.honba, len(event.scores)),
        dealer=names[event.dealer],
    ),
    e.Drew: _drew,
    e.Discarded: _discarded,
    e.RiichiAccepted: lambda event, names: _named("riichi_accepted", event, names, deposit=event.deposit),
    e.Called: _called,
    e.KanDeclared: _kan_declared,
    e.KitaDeclared: partial(_named, "kita_declared"),
    e.DoraTurned: lambda event, _: _event("dora_turned", tile=_tile(event.indicator)),
    e.Won: _won,
    e.HandDrawn: _hand_drawn,
    e.Fouled: _fouled,
    e.PointsMoved: _points_moved,
    e.GameEnded: _game_ended,
}
