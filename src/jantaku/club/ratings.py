"""Ratings of the players of an event, by the Plackett–Luce model of the OpenSkill library.

A rating estimates a player's strength: ``mu`` with the uncertainty ``sigma``. Lists are sorted by the
``ordinal``, mu − 3 sigma. https://openskill.me
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from jantaku.club.event import EventGame
from jantaku.club.stage_standings import in_order
from jantaku.errors import RequestError

SPREAD: Final = 3


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating at one point in time."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """A near-certain lower bound of the player's strength."""
        return self.mu - SPREAD * self.sigma

    def formula(self) -> str:
        """Write the ordinal as arithmetic.

        >>> Rating(25.0, 25 / 3).formula()
        '25.000 − 3 × 8.333 = 0.000'
        """
        return f"{self.mu:.3f} − {SPREAD} × {self.sigma:.3f} = {self.ordinal + 0.0:.3f}"


@dataclass(frozen=True, slots=True)
class RatedSeat:
    """A player's rating before and after one game."""

    player: str
    place: int
    before: Rating
    after: Rating


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game and the ratings of its players by seat."""

    game: str
    seats: tuple[RatedSeat, ...]


def rated_games(
    games: Iterable[EventGame], before: Mapping[str, Rating] | None = None
) -> tuple[RatedGame, ...]:
    """Rate all players game by game, in order of time and then of ``games``.

    Only places count; shared places count as draws. Players start with the library's default rating, or with
    their rating in ``before``.
    """
    try:
        from openskill.models import PlackettLuce  # noqa: PLC0415  (an extra, and slow to import)
    except ImportError as error:
        raise RequestError("missing_extra", field="openskill", extra="server") from error

    model = PlackettLuce()
    known: dict[str, Any] = {
        player: model.rating(mu=rating.mu, sigma=rating.sigma) for player, rating in (before or {}).items()
    }
    rated = []
    for game in in_order(games):
        seats = [known.get(player) or model.rating() for player in game.players]
        ranked = model.rate([[seat] for seat in seats], ranks=[float(place) for place in game.places])
        after = [team[0] for team in ranked]
        known.update(zip(game.players, after, strict=True))
        rated.append(
            RatedGame(
                game.id,
                tuple(
                    RatedSeat(player, place, Rating(old.mu, old.sigma), Rating(new.mu, new.sigma))
                    for player, place, old, new in zip(game.players, game.places, seats, after, strict=True)
                ),
            )
        )
    return tuple(rated)


def latest_ratings(games: Iterable[RatedGame]) -> dict[str, Rating]:
    """Return each player's rating after their last game, sorted by ordinal from the highest."""
    last = {seat.player: seat.after for game in games for seat in game.seats}
    return dict(sorted(last.items(), key=lambda item: (-item[1].ordinal, item[0])))
