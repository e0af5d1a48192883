"""Reads the games of an event file one by one, for a place that keeps them as they were entered."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jantaku.adjudication.named_rules import Find
from jantaku.club.entered_results import GameEnd, end_from, ended_game
from jantaku.club.event import ClubEvent
from jantaku.club.event_file import event_from
from jantaku.club.event_games import GAME_FIELDS
from jantaku.club.settlement import SettledGame, settle
from jantaku.fields import Fields
from jantaku.rules import Ruleset


@dataclass(frozen=True, slots=True)
class FiledGame:
    """A game of an event file: its ``hands``, or how it ended.

    ``penalties`` are triples of a seat, points and the reason. ``result`` is as ``result_of`` has it.
    ``digest`` is that of the tiles, if they are known: ``club.as_entered.game_digest``. ``label`` is that of
    its table, ``round`` the number of its round.
    """

    id: str
    stage: str
    at: str | None
    players: tuple[str, ...]
    hands: tuple[Mapping[str, Any], ...]
    ended_with: GameEnd | None
    penalties: tuple[tuple[int, int, str], ...]
    result: Mapping[str, Any]
    digest: str | None = None
    label: str = ""
    round: int | None = None


def result_of(game: SettledGame) -> dict[str, Any]:
    """What the hands of a game come to without penalties: points, places, and the hand that is next."""
    names = ("over", "scores", "final", "places", "number", "honba", "deposits")
    fields = {name: getattr(game, name) for name in names}
    listed = {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}
    prizes = {name: list(values) for name, values in game.prizes().items()}
    prizes |= {"deducted": list(game.deducted)} if game.deducted else {}
    return {**listed, **prizes, "hands": len(game.hands)}


def ended_result(end: GameEnd, rules: Ruleset) -> dict[str, Any]:
    """The result of a game of which only its end is known."""
    return result_of(ended_game(end, rules))


def filed_event(
    data: Mapping[str, Any], rules: Ruleset | str = "standard", find: Find | None = None
) -> tuple[ClubEvent, tuple[FiledGame, ...]]:
    """An event file that has been checked as a whole, and its games; raises what ``event_from`` raises."""
    event = event_from(data, rules, find)
    played = {result.id: result.played for result in event.results}
    games = data.get("games") or ()
    return event, tuple(_filed(game, event.rules, played.get(game["id"].strip())) for game in games)


def _filed(game: Mapping[str, Any], rules: Ruleset, played: SettledGame | None) -> FiledGame:
    """A game of the file; ``played`` is how it was settled, with its penalties, if it is over."""
    hands = tuple(game.get("hands") or ())
    end = None if game.get("scores") is None else end_from(Fields(game, GAME_FIELDS), rules)
    if end is not None:
        result = ended_result(end, rules)
    elif played is None or game.get("penalties"):
        result = result_of(settle(hands, rules))
    else:
        result = result_of(played)
    penalties = [
        (penalty["seat"], penalty["points"], penalty.get("why", ""))
        for penalty in game.get("penalties") or ()
    ]
    return FiledGame(
        game["id"].strip(),
        game["stage"],
        game.get("at"),
        tuple(game["players"]),
        hands,
        end,
        tuple(penalties),
        result,
        game.get("digest", "").strip() or None,
        game.get("label", "").strip(),
        game.get("round"),
    )
