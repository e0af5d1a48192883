"""What about a recorded game makes a referee look at it. Nothing of it decides whether the game counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, NamedTuple

from jantaku.club.entered_results import GameEnd
from jantaku.rules import Ruleset

LEAST_S: Final = 180  # of a whole game
LEAST_HAND_S: Final = 30  # of a hand, on average
MOST_STICKS: Final = 4  # riichi sticks that are missing from the points of a game without hands
MOST_YAKUMAN: Final = 1  # of all wins together: two happen in one game of many thousands
MOST_ALIKE: Final = 3  # wins in a row with the same seats and the same worth
LONG_DAY_H: Final = 12
MOST_GAMES: Final = 12  # of one player within a long day
WORTH: Final = ("seat", "han", "fu", "limit", "yakuman")


class Doubt(NamedTuple):
    """A reason to look: its ``code``, and the ``values`` that its words name."""

    code: str
    values: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class EnteredGame:
    """What is known of a game that is over.

    ``end`` is how it ended if that was entered instead of its hands, ``seconds`` how long players took from
    its start to the last hand, ``games`` how many games one of them finished within a long day, and ``twin``
    the number of an earlier game with the same hands. Each is
    ``None`` if it is unknown or says nothing: whoever runs the event enters games from paper at once.
    """

    scores: Sequence[int]
    hands: Sequence[Mapping[str, Any]] = ()
    end: GameEnd | None = None
    seconds: int | None = None
    games: int | None = None
    twin: int | None = None


def doubts_about(game: EnteredGame, rules: Ruleset) -> list[Doubt]:
    """Everything about a game that hardly ever happens."""
    whole = rules.match.start_points * rules.match.players
    yakuman = sum(win.get("yakuman") or 0 for hand in game.hands for win in hand.get("wins") or ())
    alike = _alike(game.hands)
    doubts = []
    if max(game.scores) > whole or min(game.scores) < -whole // 2:
        doubts.append(Doubt("points", {"most": max(game.scores), "least": min(game.scores)}))
    lost = 0 if game.end is None else whole - sum(game.end.scores)
    if lost > MOST_STICKS * rules.riichi.deposit:
        doubts.append(Doubt("sticks", {"points": lost}))
    if yakuman > MOST_YAKUMAN:
        doubts.append(Doubt("yakuman", {"count": yakuman}))
    if alike > MOST_ALIKE:
        doubts.append(Doubt("alike", {"count": alike}))
    if game.seconds is not None and game.seconds < max(LEAST_S, LEAST_HAND_S * len(game.hands)):
        values = {"hands": len(game.hands), "minutes": game.seconds // 60, "seconds": game.seconds % 60}
        doubts.append(Doubt("quick", values))
    if game.games is not None and game.games > MOST_GAMES:
        doubts.append(Doubt("many", {"count": game.games, "hours": LONG_DAY_H}))
    if game.twin is not None:
        doubts.append(Doubt("twin", {"number": game.twin}))
    return doubts


def gist(hand: Mapping[str, Any]) -> tuple[object, ...]:
    """How a hand ended, by what cannot come out the same again and again."""
    wins = sorted(repr([win.get(name) for name in WORTH]) for win in hand.get("wins") or ())
    return hand.get("end"), hand.get("from"), *wins


def _alike(hands: Sequence[Mapping[str, Any]]) -> int:
    """The longest run of wins with the same gist."""
    runs = groupby(map(gist, (hand for hand in hands if hand.get("wins"))))
    return max((len(list(run)) for _, run in runs), default=0)
