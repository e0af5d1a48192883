"""The games of an event file, settled from their hands or from their final points."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from jantaku.bounded import shown
from jantaku.club.entered_results import END_FIELDS, GameEnd, check_hands_or_end, end_from, ended_games
from jantaku.club.event import ClubEvent, EventGame
from jantaku.club.jsonl import penalties_from
from jantaku.club.settlement import SettledGame, settle
from jantaku.errors import RequestError
from jantaku.fields import Fields, known_id
from jantaku.rules import Ruleset

_OPTIONAL: Final = ("digest", "label", "round")
GAME_FIELDS: Final = ("id", "stage", "at", "players", "hands", *END_FIELDS, "penalties", *_OPTIONAL)
MAX_ROUND: Final = 100_000
MAX_TEXT: Final = {"digest": 64, "label": 120}


class _Read(NamedTuple):
    """A parsed game that is not settled yet."""

    fields: Fields
    values: Mapping[str, Any]
    end: GameEnd | None


def games_from(
    games: Sequence[tuple[object, str]], rules: Ruleset, players: set[str], stages: set[str]
) -> tuple[EventGame, ...]:
    """Parse and settle the games of an event file, in file order.

    Each entry of ``games`` is the JSON and its path in the file. Raises ``RequestError`` for an impossible
    game.
    """
    read = [_read(data, within, rules, (players, stages)) for data, within in games]
    _check_unique(read)
    ended = iter(ended_games([game.end for game in read if game.end is not None], rules))
    return tuple(
        EventGame(
            **game.values, end=game.end, result=_settled(game, rules) if game.end is None else next(ended)
        )
        for game in read
    )


def _check_unique(games: Sequence[_Read]) -> None:
    """Raise ``id_twice`` if two games share an id or a digest, so that no game counts twice."""
    for name in ("id", "digest"):
        seen: set[str] = set()
        for fields, values, _ in games:
            value = values[name]
            if value in seen:
                raise RequestError("id_twice", field=fields.path(name), value=shown(value))
            seen |= {value} - {None}


def _read(data: object, within: str, rules: Ruleset, known: tuple[set[str], set[str]]) -> _Read:
    fields, seats = Fields(data, GAME_FIELDS, within), rules.match.players
    players, stages = known
    names = fields.typed("players", list)
    if len(names) != seats:
        raise RequestError("wrong_count", field=f"{within}players", count=len(names), wanted=seats)
    sitting = tuple(known_id(name, players, f"{within}players[{i}]") for i, name in enumerate(names))
    for i, name in enumerate(sitting):
        if name in sitting[:i]:
            raise RequestError("id_twice", field=f"{within}players[{i}]", value=name)
    if (fields.get("hands") is None) == (fields.get("scores") is None):
        raise RequestError("hands_or_scores", field=within.rstrip("."))
    check_hands_or_end(fields)
    end = None if fields.get("scores") is None else end_from(fields, rules)
    stage = fields.known_id("stage", stages)
    for name, limit in MAX_TEXT.items():
        if len(fields.text(name, "")) > limit:
            raise RequestError("text_too_long", field=f"{within}{name}", most=limit)
    fields.instant("at")
    values = {
        "id": fields.text("id"),
        "stage": stage,
        "players": sitting,
        "at": fields.optional("at", str),
        "hands": tuple(fields.optional("hands", list) or ()),
        "penalties": tuple(penalties_from(fields, seats)),
        "label": fields.text("label", ""),
        "round": fields.optional_whole("round", 1, MAX_ROUND),
        "digest": fields.text("digest", "") or None,
    }
    return _Read(fields, values, end)


def _settled(game: _Read, rules: Ruleset) -> SettledGame:
    try:
        return settle(game.values["hands"], rules)
    except RequestError as error:
        error.details["field"] = game.fields.path(str(error.details["field"]))
        raise


def with_hands_settled(event: ClubEvent) -> ClubEvent:
    """Settle the hands of the games that have only a result so far."""
    games = (
        game.with_hands(settle(game.hands, event.rules)) if game.hands and game.played is None else game
        for game in event.games
    )
    return replace(event, games=tuple(games))
