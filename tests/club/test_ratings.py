"""Ratings: the library's model, applied to games in a fixed order, and the published formula."""

import math
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from openskill.models import PlackettLuce

from jantaku.club import EventGame, GameResult, Rating, rated_games
from jantaku.club.ratings import latest_ratings

START = datetime(2025, 6, 1, tzinfo=UTC)
MU, SIGMA, BETA, TAU = 25.0, 25 / 3, 25 / 6, 25 / 300


def game(
    number: int, players: str, places: tuple[int, ...] = (1, 2, 3, 4), at: int | None = None
) -> EventGame:
    when = None if at is None else (START + timedelta(days=at)).isoformat()
    points = (0,) * len(players)
    return EventGame(f"g{number}", "s", tuple(players), GameResult(True, points, points, places), when)


def test_the_first_game_matches_the_published_formula() -> None:
    """Plackett–Luce for players who start with equal ratings (Weng and Lin 2011, algorithm 4)."""
    (rated,) = rated_games([game(1, "abcd")])
    variance = SIGMA**2 + TAU**2
    c = math.sqrt(4 * (variance + BETA**2))
    for rank, seat in enumerate(rated.seats, 1):
        chances = [1 / (4 - q) for q in range(rank)]  # each player not placed yet is equally likely
        omega = variance / c * (1 - sum(chances))
        assert (seat.before.mu, seat.before.sigma) == (MU, SIGMA)
        assert seat.after.mu == pytest.approx(MU + omega)
        assert seat.after.sigma < SIGMA


def test_games_are_rated_in_order_of_time() -> None:
    rng = Random(4)
    games = [game(i, "".join(rng.sample("abcdef", 4)), at=i) for i in range(20)]
    wanted = rated_games(games)
    assert rated_games(rng.sample(games, len(games))) == wanted
    model = PlackettLuce()
    known = {name: model.rating() for name in "abcdef"}
    for record, rated in zip(games, wanted, strict=True):
        after = model.rate([[known[name]] for name in record.players], ranks=[1, 2, 3, 4])
        known |= {name: team[0] for name, team in zip(record.players, after, strict=True)}
        assert [seat.after.mu for seat in rated.seats] == [known[name].mu for name in record.players]
    assert latest_ratings(wanted)["a"].mu == known["a"].mu


def test_players_sharing_a_place_gain_equally() -> None:
    (rated,) = rated_games([game(1, "abcd", (1, 2, 2, 4))])
    assert rated.seats[1].after == rated.seats[2].after
    assert [seat.after.ordinal for seat in rated.seats] == sorted(
        (seat.after.ordinal for seat in rated.seats), reverse=True
    )


def test_players_are_sorted_by_ordinal_and_the_formula_is_printed() -> None:
    ratings = latest_ratings(rated_games([game(1, "abcd", at=1), game(2, "abcd", at=2)]))
    assert list(ratings) == ["a", "b", "c", "d"]
    assert Rating(27.5, 8.0).formula() == "27.500 − 3 × 8.000 = 3.500"
    assert Rating(25.0, 25 / 3).formula() == "25.000 − 3 × 8.333 = 0.000"


def test_three_players() -> None:
    (rated,) = rated_games([game(1, "abc", (2, 1, 3))])
    assert rated.seats[1].after.mu > rated.seats[0].after.mu > rated.seats[2].after.mu
