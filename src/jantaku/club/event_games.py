"""The games of an event: settled from their hands, or finished from the points they ended with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeVar

from jantaku.bounded import shown
from jantaku.club.entered_results import END_FIELDS, GameEnd, check_hands_or_end, end_from, finished
from jantaku.club.event import GameResult
from jantaku.club.jsonl import game_from, penalties_from
from jantaku.errors import RequestError
from jantaku.fields import Fields, known_id
from jantaku.rules import Ruleset

_SAID: Final = ("digest", "label", "round")
GAME_FIELDS: Final = ("id", "stage", "at", "players", "hands", *END_FIELDS, "penalties", *_SAID)
MOST_ROUND: Final = 100_000
MOST_TEXT: Final = {"digest": 64, "label": 120}
_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class _Listed:
    """A game of the file: how it ended, or its hands in ``fields`` if ``end`` is ``None``."""

    id: str
    stage: str
    at: datetime | None
    players: tuple[str, ...]
    end: GameEnd | None
    fields: Fields


def results_from(
    games: Sequence[tuple[object, str]], rules: Ruleset, players: set[str], stages: set[str]
) -> tuple[GameResult, ...]:
    """The results of the games that are over, in the order of the file; each game with its place in it.

    ``RequestError`` for a game that cannot be.
    """
    listed = [_listed(data, within, rules, (players, stages)) for data, within in games]
    _check_unlike(listed)
    ended = iter(finished([game.end for game in listed if game.end is not None], rules))
    results = []
    for game in listed:
        if game.end is not None:
            end = next(ended)
            final, places, played = _with_penalties(game, end.final, rules), end.places, None
        else:
            played = _of_game(game, lambda fields: game_from(fields, rules))
            if played.final is None or played.places is None:
                continue
            final, places = played.final, played.places
        results.append(GameResult(game.id, game.stage, game.at, game.players, final, places, played))
    return tuple(results)


def _check_unlike(games: Sequence[_Listed]) -> None:
    """Raise ``id_twice`` for an id or a digest that two games have: the same game counts once."""
    for name in ("id", "digest"):
        seen: set[str] = set()
        for game in games:
            value = game.fields.text(name, "")
            if value in seen:
                raise RequestError("id_twice", field=game.fields.path(name), value=shown(value))
            seen |= {value} - {""}


def _listed(data: object, within: str, rules: Ruleset, known: tuple[set[str], set[str]]) -> _Listed:
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
    for name, most in MOST_TEXT.items():
        if len(fields.text(name, "")) > most:
            raise RequestError("text_too_long", field=f"{within}{name}", most=most)
    fields.maybe_whole("round", 1, MOST_ROUND)
    return _Listed(fields.text("id"), stage, fields.instant("at"), sitting, end, fields)


def _with_penalties(game: _Listed, final: tuple[int, ...], rules: Ruleset) -> tuple[int, ...]:
    points_of = list(final)
    for seat, points in _of_game(game, lambda fields: penalties_from(fields, rules.match.players)):
        points_of[seat] += points
    return tuple(points_of)


def _of_game(game: _Listed, read: Callable[[Fields], _Read]) -> _Read:
    """What ``read`` makes of the game; errors name its place in the file."""
    try:
        return read(Fields(game.fields, GAME_FIELDS))
    except RequestError as error:
        error.details["field"] = game.fields.path(str(error.details["field"]))
        raise
