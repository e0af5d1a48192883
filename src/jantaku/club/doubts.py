"""Warnings for referees about suspicious recorded games; none of them decides whether a game counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, NamedTuple

from jantaku.club.entered_results import GameEnd
from jantaku.rules import Ruleset

MIN_GAME_S: Final = 180  # duration of a whole game
MIN_HAND_S: Final = 30  # average duration of a hand
MAX_STICKS: Final = 4  # riichi sticks missing from the points of a game without hands
MAX_YAKUMAN: Final = 1  # of all wins together; a game with two is one in many thousands
MAX_ALIKE: Final = 3  # consecutive wins with the same seats and the same value
LONG_DAY_H: Final = 12
MAX_GAMES: Final = 12  # games of one player within a long day
VALUE_FIELDS: Final = ("seat", "han", "fu", "limit", "yakuman")


class Doubt(NamedTuple):
    """A reason to check a game: its ``code``, and the ``values`` for the placeholders in its text."""

    code: str
    values: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class EnteredGame:
    """The known facts about a finished game.

    ``end`` is the final result if it was entered without hands. ``seconds`` is the time from the start to the
    last hand, ``games`` how many games one of the players finished within a long day, and ``twin`` the number
    of an earlier game with the same hands. Each is ``None`` if it is unknown or meaningless, since organisers
    may enter many games from paper in one go.
    """

    scores: Sequence[int]
    hands: Sequence[Mapping[str, Any]] = ()
    end: GameEnd | None = None
    seconds: int | None = None
    games: int | None = None
    twin: int | None = None


def doubts_about(game: EnteredGame, rules: Ruleset) -> list[Doubt]:
    """Return every highly unusual property of a game."""
    whole = rules.match.start_points * rules.match.players
    yakuman = sum(win.get("yakuman") or 0 for hand in game.hands for win in hand.get("wins") or ())
    alike = _alike(game.hands)
    doubts = []
    if max(game.scores) > whole or min(game.scores) < -whole // 2:
        doubts.append(Doubt("points", {"most": max(game.scores), "least": min(game.scores)}))
    lost = 0 if game.end is None else whole - sum(game.end.scores)
    if lost > MAX_STICKS * rules.riichi.deposit:
        doubts.append(Doubt("sticks", {"points": lost}))
    if yakuman > MAX_YAKUMAN:
        doubts.append(Doubt("yakuman", {"count": yakuman}))
    if alike > MAX_ALIKE:
        doubts.append(Doubt("alike", {"count": alike}))
    if game.seconds is not None and game.seconds < max(MIN_GAME_S, MIN_HAND_S * len(game.hands)):
        values = {"hands": len(game.hands), "minutes": game.seconds // 60, "seconds": game.seconds % 60}
        doubts.append(Doubt("quick", values))
    if game.games is not None and game.games > MAX_GAMES:
        doubts.append(Doubt("many", {"count": game.games, "hours": LONG_DAY_H}))
    if game.twin is not None:
        doubts.append(Doubt("twin", {"number": game.twin}))
    return doubts


def gist(hand: Mapping[str, Any]) -> tuple[object, ...]:
    """Return the facts that should differ between hands: the end, the discarder and the value of each win."""
    wins = sorted(repr([win.get(name) for name in VALUE_FIELDS]) for win in hand.get("wins") or ())
    return hand.get("end"), hand.get("from"), *wins


def _alike(hands: Sequence[Mapping[str, Any]]) -> int:
    """Return the length of the longest run of wins with the same gist."""
    runs = groupby(map(gist, (hand for hand in hands if hand.get("wins"))))
    return max((len(list(run)) for _, run in runs), default=0)
