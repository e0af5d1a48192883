"""Descriptions of game events in the reader's language."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from jantaku import terms
from jantaku.cli.explanation import value_in_words
from jantaku.cli.table_view import said, seat_names
from jantaku.game import events as e
from jantaku.seats import hand_name, seat_at
from jantaku.terms import signed
from jantaku.tiles import Tile, format_tiles, tile_name

Names = Sequence[str]


def event_in_words(event: e.Event, names: Sequence[str] | None = None) -> str:
    """One event in a sentence or two; ``names`` are those of the seats, one for each.

    A hidden tile (``game.events.hide``) stays hidden. An event without a text gives its type.
    """
    tell = _WORDS.get(type(event))
    return event.type if tell is None else tell(event, seat_names(names))


def _event(key: str, **values: object) -> str:
    return said(f"event.{key}", **values)


def _tile(tile: Tile | None) -> str:
    return said("hidden_tile") if tile is None else tile_name(tile)


def _people(seats: Sequence[int], names: Names) -> str:
    return said("separator").join(names[seat] for seat in seats) or said("nobody")


def _game_started(event: e.GameStarted, _: Names) -> str:
    return _event("game_started", rules=event.rules)


def _hand_started(event: e.HandStarted, names: Names) -> str:
    return _event(
        "hand_started",
        hand=hand_name(event.number, event.honba, len(event.scores)),
        dealer=names[event.dealer],
    )


def _drew(event: e.Drew, names: Names) -> str:
    return _event("drew_rinshan" if event.rinshan else "drew", name=names[event.seat], tile=_tile(event.tile))


def _discarded(event: e.Discarded, names: Names) -> str:
    key = "discarded_drawn" if event.drawn else "discarded"
    if event.riichi:
        key = "declared_open" if event.riichi == "open" else "declared_riichi"
    return _event(key, name=names[event.seat], tile=_tile(event.tile))


def _riichi_accepted(event: e.RiichiAccepted, names: Names) -> str:
    return _event("riichi_accepted", name=names[event.seat], deposit=event.deposit)


def _called(event: e.Called, names: Names) -> str:
    meld = event.meld
    source = seat_at(event.seat, meld.source or "left", len(names))
    return _event(
        "called",
        name=names[event.seat],
        meld=said(f"meld.{meld.type}"),
        tiles=format_tiles(meld.tiles),
        called=_tile(meld.called),
        source=names[source],
    )


def _kita_declared(event: e.KitaDeclared, names: Names) -> str:
    return _event("kita_declared", name=names[event.seat])


def _kan_declared(event: e.KanDeclared, names: Names) -> str:
    meld = said(f"meld.{event.meld.type}")
    tiles = format_tiles(event.meld.tiles) or said("hidden_tile")
    return _event("kan_declared", name=names[event.seat], meld=meld, tiles=tiles)


def _dora_turned(event: e.DoraTurned, _: Names) -> str:
    return _event("dora_turned", tile=_tile(event.indicator))


def _won(event: e.Won, names: Names) -> str:
    value, tile = value_in_words(event.score), _tile(event.tile)
    if event.source is None:
        return _event("tsumo", name=names[event.seat], tile=tile, value=value)
    return _event("ron", name=names[event.seat], source=names[event.source], tile=tile, value=value)


def _hand_drawn(event: e.HandDrawn, names: Names) -> str:
    events = [_event("hand_drawn", kind=said(f"draw.{event.kind}"))]
    if event.kind == "exhausted":
        events.append(_event("tenpai", names=_people(event.tenpai, names)))
    if event.nagashi:
        events.append(_event("nagashi", names=_people(event.nagashi, names)))
    return " ".join(events)


def _fouled(event: e.Fouled, names: Names) -> str:
    foul = terms.table("options", terms.current())["fouls"].get(event.foul, {}).get("label", event.foul)
    values = terms.table("options", terms.current())["foul_cost"]["values"]
    return _event("fouled", name=names[event.seat], foul=foul, cost=values.get(event.cost, event.cost))


def _points_moved(event: e.PointsMoved, names: Names) -> str:
    moved = [
        _event("points", name=names[seat], points=delta) for seat, delta in enumerate(event.deltas) if delta
    ]
    key = "points_moved" if event.reason == "hand" else event.reason
    return _event(key, points=said("separator").join(moved) or said("nobody"))


def _game_ended(event: e.GameEnded, names: Names) -> str:
    order = sorted(range(len(event.places)), key=lambda seat: event.places[seat])
    rows = (
        _event(
            "place", place=event.places[seat], name=names[seat], points=signed(event.final[seat] / 1000, 1)
        )
        for seat in order
    )
    return _event("game_ended", places=said("separator").join(rows))


_WORDS: Final[dict[type[e.Event], Callable[[Any, Names], str]]] = {
    e.GameStarted: _game_started,
    e.HandStarted: _hand_started,
    e.Drew: _drew,
    e.Discarded: _discarded,
    e.RiichiAccepted: _riichi_accepted,
    e.Called: _called,
    e.KanDeclared: _kan_declared,
    e.KitaDeclared: _kita_declared,
    e.DoraTurned: _dora_turned,
    e.Won: _won,
    e.HandDrawn: _hand_drawn,
    e.Fouled: _fouled,
    e.PointsMoved: _points_moved,
    e.GameEnded: _game_ended,
}
