"""The facts of a game for ``fairness``: what danger explains, who dealt in, who agrees with ``standard``."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from jantaku.bots.chance import new_source
from jantaku.bots.danger import PROBABLE, find_risks
from jantaku.bots.review import review
from jantaku.bots.seat_view import write_seat_view
from jantaku.bots.workspace import new_bot_workspace
from jantaku.club.fairness import PairPlay
from jantaku.game import Discard, Game
from jantaku.game.engine import context
from jantaku.game.events import Discarded, HandStarted, Won
from jantaku.kernels.rules import rules_record
from jantaku.tiles import RED

CARELESS: Final = 1000.0  # a deal-in that cost so many points more than strong play is told apart


@dataclass(frozen=True, slots=True)
class SeatDealIn:
    """A discard of a seat on which another won.

    ``loss``: what the discard cost against the one that ``standard`` would have made, in points.
    """

    source: int
    winner: int
    points: int
    loss: float | None


@dataclass(frozen=True, slots=True)
class GameFacts:
    """The deal-ins of a game, and of each seat the decisions and those like ``standard``'s.

    ``danger[source][winner]``: how many deal-ins the danger of all discards of a seat lets expect, as
    ``standard`` sees it from that seat.
    """

    deal_ins: tuple[SeatDealIn, ...]
    danger: tuple[tuple[float, ...], ...]
    decisions: tuple[int, ...]
    same: tuple[int, ...]


def facts_of(game: Game) -> GameFacts:
    """Go through a finished game; raises ``RequestError`` if it cannot be replayed."""
    choices = review(game)
    loss = {choice.step: choice.loss for choice in choices if choice.kind == "discard"}
    seats = game.seats
    decisions = [choice for choice in choices if choice.kind in ("discard", "call")]
    return GameFacts(
        tuple(_deal_ins(game, loss)),
        _danger(game),
        tuple(sum(decision.seat == seat for decision in decisions) for seat in seats),
        tuple(sum(decision.seat == seat and decision.same for decision in decisions) for seat in seats),
    )


def pairs_of(games: Iterable[tuple[Sequence[str], GameFacts]]) -> list[PairPlay]:
    """The play of each pair of players in games, each with its players by seat."""
    met, deal_ins, careless, points = (Counter[tuple[str, str]]() for _ in range(4))
    danger: dict[tuple[str, str], float] = {}
    for players, facts in games:
        for source, winner in permutations(range(len(players)), 2):
            pair = players[source], players[winner]
            met[pair] += 1
            danger[pair] = danger.get(pair, 0.0) + facts.danger[source][winner]
        for deal_in in facts.deal_ins:
            pair = players[deal_in.source], players[deal_in.winner]
            deal_ins[pair] += 1
            careless[pair] += (deal_in.loss or 0) >= CARELESS
            points[pair] += deal_in.points
    return [
        PairPlay(*pair, met[pair], danger[pair], deal_ins[pair], careless[pair], points[pair]) for pair in met
    ]


def _deal_ins(game: Game, loss: dict[int, float | None]) -> list[SeatDealIn]:
    step_of = {first: step for step, (first, _, _) in enumerate(game.moves)}
    last: tuple[int, int | None] | None = None  # who discarded, and the step; robbed kans are no discards
    deal_ins = []
    for number, event in enumerate(game.events):
        if isinstance(event, Discarded):
            last = event.seat, step_of.get(number)
        elif isinstance(event, HandStarted):
            last = None
        elif isinstance(event, Won) and last is not None and event.source == last[0]:
            cost = None if last[1] is None else loss.get(last[1])
            deal_ins.append(SeatDealIn(last[0], event.seat, event.score.points, cost))
    return deal_ins


def _danger(game: Game) -> tuple[tuple[float, ...], ...]:
    now, count = game.anew(), len(game.seats)
    rules, tables = rules_record(now.rules)[0], context(now.rules.tiles.man)
    work = new_bot_workspace(new_source(0), now.rules)
    view = work.views[0]
    danger = [[0.0] * count for _ in range(count)]
    for _, seat, action in game.moves:
        if isinstance(action, Discard):
            write_seat_view(now.record, seat, view)
            find_risks(view, rules, tables, work)
            for away in range(1, count):
                chance = work.threat[away, PROBABLE] * work.risk[away, action.tile % RED]
                danger[seat][(seat + away) % count] += float(chance)
        now.play(seat, action)
    return tuple(tuple(row) for row in danger)
