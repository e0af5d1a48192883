"""Decisions together with the table as the seat saw it, for displays."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jantaku import terms
from jantaku.bots.review.model import Review, ReviewedDecision, Verdict
from jantaku.bots.review.safety import Safety, plain, safety, threats
from jantaku.game import Action, Chi, Discard, Game, Kan, Kita, Pon, Tsumo
from jantaku.game.events import HandStarted
from jantaku.game.view import View
from jantaku.rules import Ruleset
from jantaku.seats import hand_in_round, hand_name, round_wind
from jantaku.tiles import NORTH, RED, Tile


@dataclass(frozen=True)
class Moment:
    """A decision and what the seat saw before it.

    ``safety``: if the actions discard different tiles, why each one is or is not safe from each threatening
    opponent, the played tile first, unless a reason says so.
    """

    decision: ReviewedDecision
    view: View
    safety: tuple[Safety, ...]

    @property
    def name(self) -> str:
        """The hand and the turn, as in ``East 2, turn 5``."""
        view = self.view
        hand = hand_name(view.number, view.honba, len(view.scores))
        return terms.text("review.report.moment", hand=hand, turn=len(view.rivers[view.seat]) + 1)

    @property
    def marks(self) -> list[tuple[str, ...]]:
        """For each tile of the hand, the drawn one last: which actions use it, ``played`` and ``best``."""
        view = self.view
        tiles = [*view.hand, *(() if view.drawn is None else (view.drawn,))]
        found: list[tuple[str, ...]] = [()] * len(tiles)
        for name, action in (("best", self.decision.best), ("played", self.decision.played)):
            from_hand = range(len(view.hand)) if not _is_drawn(action) else range(len(tiles))[::-1]
            for tile in _used(action, view):
                places = [*from_hand, *range(len(tiles))]
                place = next((i for i in places if tiles[i] == tile and name not in found[i]), None)
                if place is not None:
                    found[place] = (*found[place], name)
        return found


def _is_drawn(action: Action) -> bool:
    return isinstance(action, Tsumo) or (isinstance(action, Discard) and action.drawn)


def _used(action: Action, view: View) -> Sequence[Tile]:
    """Return the tiles of the hand that an action uses."""
    used: Sequence[Tile] = []
    match action:
        case Discard(tile) | Kan("kakan", tile):
            used = [tile]
        case Chi(tiles):
            used = tiles
        case Pon(red) if view.offered is not None:
            kind = view.offered.tile % RED
            used = [Tile(kind + RED if i < red else kind) for i in range(2)]
        case Kan(_, tile):
            used = [held for held in view.own.tiles if held % RED == tile % RED]
        case Kita():
            used = [Tile(NORTH)]
        case Tsumo() if view.drawn is not None:
            used = [view.drawn]
    return used


def moments(game: Game, review: Review, verdict: Verdict = "mistake") -> list[Moment]:
    """Return the decisions with this verdict, in the order of the game."""
    wanted = {one.step: one for one in review.decisions if one.verdict == verdict}
    return list(_walked(game, review.seat, wanted))


def _walked(game: Game, seat: int, wanted: dict[int, ReviewedDecision]) -> Iterator[Moment]:
    now = game.restarted()
    for step, (_, acting, action) in enumerate(game.moves):
        if step in wanted:
            view = now.view(seat)
            yield Moment(wanted[step], view, tuple(_safety(wanted[step], view, game.rules)))
        now.play(acting, action)


def _safety(decision: ReviewedDecision, view: View, rules: Ruleset) -> Iterator[Safety]:
    both = [one.tile % RED for one in (decision.played, decision.best) if isinstance(one, Discard)]
    kinds = list(dict.fromkeys(both))
    if len(kinds) < 2:
        return
    in_reasons = [fact.values.get("safety") for reason in decision.reasons for fact in reason.facts]
    for opponent in threats(view):
        known = {one.tile: one for one in safety(view, rules, opponent)}
        yield from (known[Tile(kind)] for kind in kinds if plain(known[Tile(kind)]) not in in_reasons)


class TurningPoint(NamedTuple):
    """A hand that changed the expected place: its index, the points it moved, and the place it changed."""

    hand: int
    points: int
    before: float
    after: float


def turning_points(game: Game, review: Review) -> list[TurningPoint]:
    """Return the turning points of a review with their points and places."""
    points = [scores[review.seat] for scores in (*(hand.scores for hand in hands_of(game)), game.scores)]
    places = [
        sum(place * chance for place, chance in enumerate(row[review.seat], 1)) for row in review.chances
    ]
    return [
        TurningPoint(hand, points[hand + 1] - points[hand], places[hand], places[hand + 1])
        for hand in review.turning
    ]


def hands_of(game: Game) -> list[HandStarted]:
    """Return the beginning of each hand."""
    return [event for event in game.events if isinstance(event, HandStarted)]


def short_hand_name(hand: HandStarted, seats: int) -> str:
    """Return the name of a hand in a few letters: ``E2`` or ``E2.1`` with honba."""
    wind = terms.text(f"drawn_table.wind_letter.{round_wind(hand.number, seats)}")
    return f"{wind}{hand_in_round(hand.number, seats)}" + (f".{hand.honba}" if hand.honba else "")
