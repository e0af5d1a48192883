"""Reviews of one seat of a game: quickly for every decision, then deeply for those in doubt.

Every decision is compared with the judge's choice. Where both differ, the played and the better action are
played out from the same deals. Each round gives more deals to the decisions that are not clear yet, the
likely mistakes first, until all rollouts are used up. The same game always gets the same review.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from jantaku.bots.judge import Judge
from jantaku.bots.place_chances import Chances, chances_by_hand
from jantaku.bots.player import name_of
from jantaku.bots.policy_judge import PolicyJudge
from jantaku.bots.review.comparison import Duel
from jantaku.bots.review.model import DecisionKind, Review, ReviewedDecision, Verdict
from jantaku.bots.review.reasons import MISTAKE, explained
from jantaku.bots.search.position import position_to_act
from jantaku.errors import RequestError
from jantaku.game import Action, Chi, Discard, Game, Kan, Kita, Pass, Pon, Ron, Tsumo
from jantaku.game.events import GameEnded
from jantaku.kernels._jit import use_compiled
from jantaku.kernels.engine.state import CLAIMS
from jantaku.rules import Ruleset

FIRST_DEALS: Final = 24  # of each decision
DEALS: Final = 4096  # of one decision at most
ROLLOUTS: Final = 60_000  # of all decisions
SURE: Final = 0.9  # probability from which a mistake is shown
SMALL: Final = 250.0  # points; a decision that is unlikely to cost this much is sound
UNLIKELY: Final = 0.1
IMPOSSIBLE: Final = 0.02  # probability of costing that much below which more deals are wasted
EXACT: Final = 0.2  # relative error of a loss that is exact enough
TURNING: Final = 0.2  # change of the expected place from which a hand is a turning point
MOST_TURNING: Final = 3


@dataclass(eq=False)
class _Open:
    """A decision in which the judge chose another action, as it is known so far."""

    decision: ReviewedDecision
    duel: Duel
    now: Game  # before the decision
    failed: bool = False

    @property
    def undecided(self) -> bool:
        """Whether more deals may change the verdict, or the loss of a mistake much."""
        if not self.duel.deals:
            return not self.failed
        posterior = self.duel.posterior
        exact = posterior.above(MISTAKE) > 1 - IMPOSSIBLE and posterior.deviation < EXACT * posterior.mean
        return self.duel.deals < DEALS and posterior.above(SMALL) > IMPOSSIBLE and not exact

    @property
    def hope(self) -> float:
        """The probability that it is a mistake; those without deals come first."""
        return self.duel.posterior.above(SMALL) if self.duel.deals else 1.0

    def play(self, most: int) -> int:
        """Play more deals, up to ``most``, and decide again; return how many."""
        deals = self.duel.deals
        count = min(min(2 * deals, DEALS - deals) or FIRST_DEALS, most)
        try:
            self.duel.play(count)
        except RequestError:  # no deal explains the table, for example a riichi without tenpai
            self.failed = True
            return 0
        verdict, compared = _verdict(self.duel), self.duel.comparison()
        decision = replace(
            self.decision, verdict=verdict, compared=compared, mistake=None, reasons=(), against=()
        )
        self.decision = explained(decision, self.duel, self.now) if verdict == "mistake" else decision
        return count


def reviews(
    game: Game, seat: int, judge: Judge | None = None, *, rollouts: int = ROLLOUTS
) -> Iterator[Review]:
    """Yield ever deeper reviews of a seat; the last one has ``progress`` 1.0.

    ``judge`` is the bot ``strong`` by default. The first review takes less than a second, all of them up to a
    minute on one core with the usual number of ``rollouts``. Raises ``RequestError`` if the game cannot be
    replayed, and what the judge raises.

    >>> from jantaku.bots import play
    >>> game = play(Game("standard", seed=3), "efficient")
    >>> first = next(reviews(game, 0))
    >>> first.progress < 1.0, len(first.decisions) > 30
    (True, True)
    """
    if not game.follows_rules:
        raise RequestError("no_review", field="game")
    if seat not in game.seats:
        raise RequestError("number_range", field="seat", value=seat, low=0, high=game.seats[-1])
    use_compiled()
    judge = judge or PolicyJudge()
    decisions, opened = _judged(game, seat, judge)
    chances = chances_by_hand(game)
    whole = Review(
        seat=seat,
        judge=name_of(judge),
        progress=0.0,
        decisions=tuple(decisions),
        chances=chances,
        turning=turning_hands([row[seat] for row in chances]),
        result=next((event.final[seat] for event in game.events if isinstance(event, GameEnded)), None),
        expected=_expected(game.rules),
    )
    left = rollouts
    yield _latest(whole, opened, left / rollouts)
    while left > 1 and (going := [one for one in opened if one.undecided]):
        for one in sorted(going, key=lambda one: -one.hope):
            left -= 2 * one.play(left // 2)
            yield _latest(whole, opened, left / rollouts if left > 1 else 0.0)
            if left < 2:
                break


def _latest(whole: Review, opened: list[_Open], left: float) -> Review:
    """Return the review with its decisions as they are known when a share ``left`` of the work remains."""
    known = {one.decision.step: one.decision for one in opened}
    decisions = tuple(known.get(decision.step, decision) for decision in whole.decisions)
    cost = sum(decision.loss for decision in decisions)
    luck = None if whole.result is None else whole.result - whole.expected + cost
    progress = 1.0 - left if any(one.undecided for one in opened) else 1.0
    return replace(whole, progress=progress, decisions=decisions, cost=cost, luck=luck)


def _judged(game: Game, seat: int, judge: Judge) -> tuple[list[ReviewedDecision], list[_Open]]:
    """Return the decisions of a seat as the judge sees them, and those in which it chose another action."""
    decisions: list[ReviewedDecision] = []
    opened: list[_Open] = []
    now, hand, started = game.restarted(), -1, 0
    for step, (event, acting, action) in enumerate(game.moves):
        if len(now.walls) != started:
            hand, started = hand + 1, len(now.walls)
        legal = now.legal(seat) if acting == seat else ()
        judgement = judge.judge(now, seat) if len(legal) > 1 and action in legal else None
        if judgement is not None:
            same = _same(action, judgement.best)
            decision = ReviewedDecision(
                step=step,
                event=event,
                hand=hand,
                kind=_kind(now, action, judgement.best),
                played=action,
                best=judgement.best,
                verdict="same" if same else "unclear",
                rating=judgement.loss(action),
            )
            decisions.append(decision)
            if not same:
                opened.append(_opened(decision, now, seat))
        now.play(acting, action)
    return decisions, opened


def _opened(decision: ReviewedDecision, now: Game, seat: int) -> _Open:
    known = position_to_act(now, seat)
    codes = dict(zip(now.legal(seat), known.codes, strict=True))
    duel = Duel(known, codes[decision.best], codes[decision.played], seed=decision.step)
    return _Open(decision, duel, now.copy())


def _verdict(duel: Duel) -> Verdict:
    posterior = duel.posterior
    if posterior.mean >= MISTAKE and posterior.above(MISTAKE / 2) >= SURE:
        return "mistake"
    return "sound" if posterior.above(SMALL) <= UNLIKELY else "unclear"


def _kind(now: Game, *both: Action) -> DecisionKind:
    if any(isinstance(action, Tsumo | Ron) for action in both):
        return "win"
    if any(isinstance(action, Kita) for action in both):
        return "kita"
    if any(isinstance(action, Kan) for action in both):
        return "kan"
    if now.record.phase == CLAIMS:
        return "call" if all(isinstance(action, Chi | Pon | Pass) for action in both) else "other"
    discards = [action for action in both if isinstance(action, Discard)]
    if len(discards) == len(both):
        return "riichi" if len({action.riichi for action in discards}) > 1 else "discard"
    return "other"


def _same(played: Action, best: Action) -> bool:
    """Whether two actions differ in nothing but the drawn tile and an equal one in the hand."""
    if not (isinstance(played, Discard) and isinstance(best, Discard)):
        return played == best
    return played.tile == best.tile and played.riichi == best.riichi


def turning_hands(chances: Sequence[Chances]) -> tuple[int, ...]:
    """Return the hands that changed the expected place most, from the chances before and after each hand."""
    places = [sum(place * chance for place, chance in enumerate(row, 1)) for row in chances]
    changes = [abs(after - before) for before, after in pairwise(places)]
    largest = sorted(range(len(changes)), key=lambda hand: -changes[hand])[:MOST_TURNING]
    return tuple(sorted(hand for hand in largest if changes[hand] >= TURNING))


def _expected(rules: Ruleset) -> float:
    """Return the final points that every seat can expect at the start; the uma add up to zero."""
    return rules.match.start_points - rules.match.return_points + rules.oka / len(rules.seats)
