"""Why a mistake is one: the parts of its loss that decide, and the facts behind them.

The reasons are the largest parts that together explain a loss: without them it would not be worth showing,
and none of them could be left out. A part counts only if it is clearly larger than its error, and a fact only
if it points the same way as its part.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from jantaku.bots.chance import new_source
from jantaku.bots.policy_judge import DESCRIBE_DISCARDS
from jantaku.bots.review.comparison import Duel, Part
from jantaku.bots.review.model import (
    Comparison,
    Fact,
    FactCode,
    MistakeKind,
    Reason,
    ReasonCode,
    ReviewedDecision,
)
from jantaku.bots.review.safety import plain, safety, threats
from jantaku.bots.workspace import new_bot_workspace
from jantaku.game import Discard, Game
from jantaku.game.engine import context, indicators
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset
from jantaku.rules.catalogue import catalogue
from jantaku.seats import seat_wind
from jantaku.tiles import RED, format_tiles

MISTAKE: Final = 200.0  # points from which a loss is worth showing
CLEAR: Final = 1.6  # multiple of its error from which a part counts
LEAST_SHARE, LEAST_POINTS = 0.002, 100.0  # differences that remain visible when rounded
MORE_YAKU: Final = 0.05  # difference in the share of wins from which a yaku is a fact
MOST_YAKU: Final = 2
# Yaku that follow from the decision itself: those of a riichi, and those of any closed hand after a pass
NO_NEWS: Final = {
    "riichi": ("riichi", "double_riichi", "ippatsu"),
    "call": ("menzen_tsumo", "ippatsu"),
}
LEAST_TENPAI: Final = 0.01
CLEAR_FACT: Final = 2.5  # multiple of its error from which a difference is a fact
OF_ACTION: Final[dict[str, MistakeKind]] = {
    "riichi": "riichi",
    "call": "calls",
    "kan": "kan",
    "kita": "kita",
    "win": "win",
    "other": "push_fold",  # to play on, or to end the hand or the game
}


def explained(decision: ReviewedDecision, duel: Duel, now: Game) -> ReviewedDecision:
    """Return a mistake with its kind and reasons; ``now`` is the game before it."""
    compared = decision.compared
    assert compared is not None
    parts = scaled(duel.parts(MISTAKE), compared.loss)
    shapes = Shapes(now)
    reasons = tuple(
        Reason(code=code, points=part.points, facts=tuple(_facts(code, decision, duel, shapes)))
        for code, part in deciding(parts, compared)
    )
    mistake = OF_ACTION.get(decision.kind) or _kind(parts, reasons, decision, shapes)
    against = tuple(
        Reason(code=code, points=part.points)
        for code, part in parts.items()
        if part.points <= min(-MISTAKE, -CLEAR * part.error) and _shows(code, compared, against=True)
    )
    return replace(decision, mistake=mistake, reasons=reasons, against=against)


def scaled(parts: dict[ReasonCode, Part], loss: float) -> dict[ReasonCode, Part]:
    """Return the parts scaled down so that they add up to a loss that is smaller than their sum."""
    whole = sum(part.points for part in parts.values())
    scale = min(1.0, loss / whole) if whole > 0 else 1.0
    return {code: Part(part.points * scale, part.error * scale) for code, part in parts.items()}


def deciding(parts: dict[ReasonCode, Part], compared: Comparison) -> list[tuple[ReasonCode, Part]]:
    """Return the largest parts without which the loss would be below ``MISTAKE``."""
    found = [
        (code, part)
        for code, part in parts.items()
        if part.points > CLEAR * part.error and _shows(code, compared)
    ]
    left, chosen = compared.loss, []
    for code, part in sorted(found, key=lambda one: -one[1].points):
        if left < MISTAKE:
            break
        chosen.append((code, part))
        left -= part.points
    return chosen


def _shows(code: ReasonCode, compared: Comparison, against: bool = False) -> bool:
    """Whether the numbers in a reason's sentence are better after the better action, or ``against`` it."""
    played, best = compared.played, compared.best
    if against:
        played, best = best, played
    if code == "win_rate":
        return best.win - played.win >= LEAST_SHARE
    if code == "win_value":
        return best.mean_win - played.mean_win >= LEAST_POINTS
    if code == "deal_in_rate":
        return played.deal_in - best.deal_in >= LEAST_SHARE
    if code == "deal_in_cost":
        return best.deal_in > 0 and played.mean_deal_in - best.mean_deal_in >= LEAST_POINTS
    return True


def _kind(
    parts: dict[ReasonCode, Part], reasons: tuple[Reason, ...], decision: ReviewedDecision, shapes: "Shapes"
) -> MistakeKind:
    """Return the kind of a discard's mistake."""
    largest = reasons[0].code if reasons else max(parts, key=lambda code: parts[code].points)
    if largest == "placement":
        return "placement"
    played, best = shapes.of(decision.played), shapes.of(decision.best)
    safety = parts["deal_in_rate"].points + parts["deal_in_cost"].points
    if played is not None and best is not None and played[0] != best[0]:
        folds = best[0] > played[0]
        if folds == (safety > 0) and abs(safety) > parts["deal_in_rate"].error:
            return "push_fold"
    if largest in ("deal_in_rate", "deal_in_cost", "others"):
        return "defence"
    return "value" if largest == "win_value" else "efficiency"


def _facts(code: ReasonCode, decision: ReviewedDecision, duel: Duel, shapes: "Shapes") -> Iterator[Fact]:
    if code == "win_rate":
        yield from _shape_facts(decision, shapes)
    elif code == "win_value":
        yield from _yaku_facts(duel, decision, shapes.now.rules)
        yield from _dora_facts(decision, shapes.now)
    elif code == "placement":
        yield from _place_facts(decision)
    elif code == "others":
        played, best, error = duel.tenpai_shares()
        if best - played >= max(LEAST_TENPAI, CLEAR_FACT * error):
            yield Fact(code="tenpai", values={"played": played, "best": best})
    elif code in ("deal_in_rate", "deal_in_cost"):
        yield from _safety_facts(decision, shapes.now)


def _shape_facts(decision: ReviewedDecision, shapes: "Shapes") -> Iterator[Fact]:
    played, best = shapes.of(decision.played), shapes.of(decision.best)
    if played is None or best is None:
        return
    if best[0] < played[0]:
        yield Fact(code="shanten", values={"played": played[0], "best": best[0]})
    elif best[0] == played[0] and best[1] > played[1]:
        code: FactCode = "tiles" if best[0] else "waits"
        yield Fact(code=code, values={"played": played[1], "best": best[1]})


def _yaku_facts(duel: Duel, decision: ReviewedDecision, rules: Ruleset) -> Iterator[Fact]:
    """Yield the yaku that clearly more wins have after the better action."""
    rows = [
        (best - played, mask, bit, played, best)
        for (mask, bit), (played, best, error) in duel.yaku_shares().items()
        if best - played >= max(MORE_YAKU, CLEAR_FACT * error)
    ]
    builtin, own = list(catalogue()), [one.id for one in rules.own_yaku]
    named = [
        (own[bit] if mask else builtin[bit], played, best) for _, mask, bit, played, best in sorted(rows)
    ]
    news = [row for row in named if row[0] not in NO_NEWS.get(decision.kind, ())]
    for name, played, best in news[::-1][:MOST_YAKU]:
        yield Fact(code="yaku", values={"yaku": name, "played": played, "best": best})


def _safety_facts(decision: ReviewedDecision, now: Game) -> Iterator[Fact]:
    """Yield how safe both tiles are from each threatening opponent from whom the better one is safer."""
    if not (isinstance(decision.played, Discard) and isinstance(decision.best, Discard)):
        return
    seat, seats = int(now.record.turn), len(now.seats)
    view = now.view(seat)
    for opponent in threats(view):
        by_kind = {one.tile % RED: one for one in safety(view, now.rules, opponent)}
        played, best = (by_kind[action.tile % RED] for action in (decision.played, decision.best))
        if best.order < played.order and best.safe > played.safe:
            wind = seat_wind(opponent, view.dealer, seats)
            yield Fact(code="dangerous", values={"wind": wind, "safety": plain(played)})
            yield Fact(code="safe", values={"wind": wind, "safety": plain(best)})


def _place_facts(decision: ReviewedDecision) -> Iterator[Fact]:
    """Yield the place whose chance changes most: a good one that is likelier, or a bad one that is not."""
    assert decision.compared is not None
    pairs = list(zip(decision.compared.played.places, decision.compared.best.places, strict=True))
    gains = [(best - played) * (1 if 2 * i < len(pairs) else -1) for i, (played, best) in enumerate(pairs)]
    place = max(range(len(gains)), key=lambda i: gains[i])
    if gains[place] > 0:
        played, best = pairs[place]
        yield Fact(code="place", values={"place": place + 1, "played": played, "best": best})


def _dora_facts(decision: ReviewedDecision, now: Game) -> Iterator[Fact]:
    """Yield the dora that only the played action discards."""
    rules = rules_record(now.rules)[0]
    dora = {int(rules.next_kind[int(tile) % RED]) for tile in indicators(now.record)}

    def count(action: object) -> int:
        if not isinstance(action, Discard):
            return 0
        return int(action.tile.kind in dora) + int(action.tile >= RED)

    if count(decision.played) > count(decision.best):
        assert isinstance(decision.played, Discard)
        yield Fact(code="dora", values={"tile": format_tiles([decision.played.tile])})


class Shapes:
    """The game ``now``, and the shanten and improving tiles after each discard of the seat to act."""

    def __init__(self, now: Game) -> None:
        self.now = now
        self._work = new_bot_workspace(new_source(0), now.rules)
        room = context(now.rules.tiles.man)
        seat = int(now.record.turn)
        DESCRIBE_DISCARDS.call(now.array, seat, rules_record(now.rules), room, self._work)

    def of(self, action: object) -> tuple[int, int] | None:
        """Return the shanten and the number of tiles after a discard, ``None`` for other actions."""
        if not isinstance(action, Discard):
            return None
        shanten, tiles = (int(number) for number in self._work.choices[action.tile.kind])
        return shanten, tiles
