"""Reviews made without rollouts, for tests of displays."""

from collections.abc import Callable, Sequence
from itertools import cycle

from jantaku.bots.place_chances import chances_by_hand
from jantaku.bots.review import Comparison, Fact, Outcome, Reason, Review, ReviewedDecision
from jantaku.bots.review.model import Verdict
from jantaku.bots.review.reviewer import turning_hands
from jantaku.bots.review.safety import Safety, plain
from jantaku.game import Action, Game
from jantaku.game.events import GameEnded
from jantaku.tiles import Tile

PLAYED, BEST = 0.25, 0.75


def outcome(seats: int, share: float) -> Outcome:
    """Return numbers that are better the larger ``share`` is."""
    places = (share, *[(1 - share) / (seats - 1)] * (seats - 1))
    return Outcome(
        win=share, mean_win=6000 * share, deal_in=0.2 * (1 - share), mean_deal_in=5000.0, draw=0.1,
        points=1000 * share, final=2000 * share, places=places,
    )  # fmt: skip


def reasons(yaku: str = "tanyao") -> tuple[Reason, ...]:
    """Return a reason of each kind with every fact."""
    both = {"played": PLAYED, "best": BEST}
    shape = (
        Fact(code="shanten", values={"played": 1, "best": 0}),
        Fact(code="waits", values={"played": 4, "best": 8}),
    )
    suji = Safety(
        tile=Tile.parse("4p"), opponent=1, code="suji", tiles=(Tile.parse("1p"),), unseen=2, waits=("tanki",),
        ways=2, dora=False,
    )  # fmt: skip
    safe = (Fact(code="safe", values={"wind": "south", "safety": plain(suji)}),)
    worth = (
        Fact(code="yaku", values={"yaku": yaku, **both}),
        Fact(code="dora", values={"tile": "5m"}),
    )
    place = (Fact(code="place", values={"place": 1, **both}),)
    return (
        Reason(code="win_rate", points=500.0, facts=shape),
        Reason(code="win_value", points=400.0, facts=worth),
        Reason(code="deal_in_rate", points=300.0, facts=safe),
        Reason(code="deal_in_cost", points=200.0),
        Reason(code="others", points=100.0),
        Reason(code="placement", points=50.0, facts=place),
    )


def review_of(
    game: Game,
    seat: int,
    verdicts: Sequence[Verdict] = ("mistake", "same", "unclear"),
    better: Callable[[Action, list[Action]], Action] | None = None,
    why: tuple[Reason, ...] = reasons(),
) -> Review:
    """Return a review in which the verdicts repeat; ``better`` chooses among the legal actions."""
    now, hand, decisions, wanted = game.restarted(), 0, [], cycle(verdicts)
    for step, (event, acting, action) in enumerate(game.moves):
        hand = len(now.walls) - 1
        legal = list(now.legal(seat)) if acting == seat else []
        if len(legal) > 1:
            verdict = next(wanted)
            other = better(action, legal) if better else next(one for one in legal if one != action)
            compared = Comparison(
                deals=100, loss=300.0 + step, low=100.0, high=900.0,
                played=outcome(len(game.seats), PLAYED), best=outcome(len(game.seats), BEST),
            )  # fmt: skip
            decisions.append(
                ReviewedDecision(
                    step=step,
                    event=event,
                    hand=hand,
                    kind="discard",
                    played=action,
                    best=action if verdict == "same" else other,
                    verdict=verdict,
                    compared=None if verdict == "same" else compared,
                    mistake="efficiency" if verdict == "mistake" else None,
                    reasons=why if verdict == "mistake" else (),
                    against=why[:1] if verdict == "mistake" else (),
                )
            )
        now.play(acting, action)
    chances = chances_by_hand(game)
    cost = sum(decision.loss for decision in decisions)
    result = next((event.final[seat] for event in game.events if isinstance(event, GameEnded)), None)
    return Review(
        seat=seat, judge="strong", progress=1.0, decisions=tuple(decisions),
        chances=chances, turning=turning_hands([row[seat] for row in chances]),
        result=result, expected=0.0, cost=cost, luck=None if result is None else result + cost,
    )  # fmt: skip
