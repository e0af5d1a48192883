"""The facts of a game for ``fairness``: who dealt in to whom, and who agreed with ``standard``."""

from dataclasses import dataclass

import numpy as np

from jantaku.bots.chance import new_source
from jantaku.bots.danger import find_risks
from jantaku.bots.review import review
from jantaku.bots.seat_view import write_seat_view
from jantaku.bots.workspace import new_bot_workspace
from jantaku.game import Game
from jantaku.game.engine import context
from jantaku.game.events import Discarded, HandStarted, Won
from jantaku.kernels.rules import rules_record
from jantaku.tiles import RED

FLOOR = 0.01  # the least share of the danger that an opponent has: no estimate is sure


@dataclass(frozen=True, slots=True)
class SeatDealIn:
    """A discard of a seat on which another won; ``danger`` by seat, 0 for its own."""

    source: int
    winner: int
    points: int
    danger: tuple[float, ...]
    loss: float | None


@dataclass(frozen=True, slots=True)
class GameFacts:
    """The deal-ins of a game, and of each seat the decisions and those like ``standard``'s."""

    deal_ins: tuple[SeatDealIn, ...]
    decisions: tuple[int, ...]
    same: tuple[int, ...]


def facts_of(game: Game) -> GameFacts:
    """Go through a finished game; raises ``RequestError`` if it cannot be replayed."""
    found = review(game)
    loss = {one.step: one.loss for one in found if one.kind == "discard"}
    seats = game.seats
    decisions = [one for one in found if one.kind in ("discard", "call")]
    return GameFacts(
        tuple(_deal_ins(game, loss)),
        tuple(sum(one.seat == seat for one in decisions) for seat in seats),
        tuple(sum(one.seat == seat and one.same for one in decisions) for seat in seats),
    )


def _deal_ins(game: Game, loss: dict[int, float | None]) -> list[SeatDealIn]:
    """Each win on a discard, with what the discarder could see before it."""
    wanted: dict[int, list[Won]] = {}  # by the step of the discard that was won on
    step_of = {first: step for step, (first, _, _) in enumerate(game.moves)}
    last: int | None = None
    for number, event in enumerate(game.events):
        if isinstance(event, Discarded):
            last = step_of.get(number)
        elif isinstance(event, HandStarted):
            last = None
        elif isinstance(event, Won) and event.source is not None and last is not None:
            wanted.setdefault(last, []).append(event)
    found, now = list[SeatDealIn](), game.anew()
    for step, (_, seat, action) in enumerate(game.moves):
        for event in wanted.get(step, ()):
            danger = _danger_by_seat(now, seat, int(event.tile) % RED)
            found.append(SeatDealIn(seat, event.seat, event.score.points, danger, loss.get(step)))
        now.play(seat, action)
    return found


def _danger_by_seat(now: Game, seat: int, kind: int) -> tuple[float, ...]:
    """The share of the danger of a tile that comes from each opponent of a seat, as ``standard`` sees it."""
    work = new_bot_workspace(new_source(0), now.rules)
    view = work.views[0]
    write_seat_view(now.record, seat, view)
    find_risks(view, rules_record(now.rules)[0], context(now.rules.tiles.man), work)
    count = len(now.seats)
    each = np.zeros(count)
    for other in now.seats:
        if other != seat:
            at = (other - seat) % count
            each[other] = work.threat[at, 0] * work.risk[at, kind]
    total = each.sum()
    shares = (
        each / total if total else np.array([0.0 if one == seat else 1 / (count - 1) for one in now.seats])
    )
    floored = np.array([0.0 if one == seat else max(FLOOR, shares[one]) for one in now.seats])
    return tuple(float(one) for one in floored / floored.sum())
