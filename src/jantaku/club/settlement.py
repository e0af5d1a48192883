"""A game settled from what people enter at a table, under any ruleset and without an engine.

Payments, deposits, honba, the deal, the end of the game and fouls are the engine's own functions
(``jantaku.kernels``): a recorded game comes out as the same game played online does.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku.club.checks import check_hand
from jantaku.club.hand_fields import hand_from
from jantaku.club.hands import EnteredHand
from jantaku.club.sheet import new_sheet, next_sheet, write_hand
from jantaku.errors import RequestError
from jantaku.kernels.engine.entered import settle_entered
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset, load

MOST_HANDS: Final = 300  # of one game: with this bound the counts of sticks fit their fields
MOST_POINTS: Final = 100_000_000  # of a seat: one more hand fits its field


@dataclass(frozen=True, slots=True)
class SettledHand:
    """One hand: where the game stood before it, what each seat won or paid, the points after it.

    ``number`` counts from East 1; ``honba`` and ``deposits`` are those at its beginning. ``deltas`` have the
    riichi sticks in them; ``scores`` are without sticks that the end of the game gives away.
    """

    number: int
    dealer: int
    honba: int
    deposits: int
    deltas: tuple[int, ...]
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SettledGame:
    """A game: ``final`` (with oka, uma and penalties) and ``places`` (from 1) are ``None`` until it is over.

    ``number``, ``honba`` and ``deposits`` are those of the hand that comes next, or of the last one.
    """

    hands: tuple[SettledHand, ...]
    over: bool
    scores: tuple[int, ...]
    final: tuple[int, ...] | None
    places: tuple[int, ...] | None
    number: int
    honba: int
    deposits: int

    def to_dict(self) -> dict[str, Any]:
        """As the JSON contract has it."""
        found = asdict(self)
        return {name: found[name] for name in ("hands", "over", "scores", "final", "places")}


def settle(
    hands: Iterable[EnteredHand | Mapping[str, Any]],
    rules: Ruleset | str = "standard",
    *,
    penalties: Sequence[tuple[int, int]] = (),
) -> SettledGame:
    """Settle a game from its hands: ``EnteredHand`` or the objects of the JSON contract.

    ``penalties`` are pairs of a seat and points, added to ``final`` alone. Raises ``RequestError`` for a hand
    that cannot be: ``field`` names the place, ``details["hand"]`` the hand's index from 0.

    >>> settle([{"end": "ron", "from": 1, "wins": [{"seat": 0, "han": 3, "fu": 40}]}]).scores
    (32700, 17300, 25000, 25000)
    """
    ruleset = load(rules)
    record, sheet = rules_record(ruleset), new_sheet(ruleset)
    given = list(hands)
    if len(given) > MOST_HANDS:
        raise RequestError("too_many_hands", field="hands", count=len(given), most=MOST_HANDS)
    settled = []
    for i, one in enumerate(given):
        try:
            hand = _entered(one, ruleset, f"hands[{i}].")
            _check_going_on(sheet, i)
            check_hand(hand, sheet[0].match.scores.tolist(), ruleset, f"hands[{i}].")
        except RequestError as error:
            error.details["hand"] = i
            raise
        sheet, done = _settle_one(sheet, hand, ruleset, record, i == len(given) - 1)
        _check_points(done, i)
        settled.append(done)
    return _game(sheet, settled, penalties)


def _entered(one: EnteredHand | Mapping[str, Any], rules: Ruleset, place: str) -> EnteredHand:
    return one if isinstance(one, EnteredHand) else hand_from(one, rules.match.players, place)


def _check_going_on(sheet: npt.NDArray[Any], index: int) -> None:
    if sheet[0].match.over:
        raise RequestError("game_is_over", field=f"hands[{index}]", last=index - 1)


def _check_points(done: SettledHand, index: int) -> None:
    most = max(map(abs, done.scores))
    if most > MOST_POINTS:
        bounds = {"low": -MOST_POINTS, "high": MOST_POINTS, "hand": index}
        raise RequestError("number_range", field=f"hands[{index}]", value=most, **bounds)


def _settle_one(
    sheet: npt.NDArray[Any], hand: EnteredHand, rules: Ruleset, record: npt.NDArray[Any], last: bool
) -> tuple[npt.NDArray[Any], SettledHand]:
    before = sheet[0].match
    number, honba, deposits = int(before.number), int(before.honba), int(before.deposits)
    scores = before.scores.tolist()
    sheet = next_sheet(sheet)
    write_hand(sheet, hand, rules, stops=last if hand.stop is None else hand.stop)
    settle_entered(sheet, record)
    outcome = sheet[0].outcome
    laid = [0] * len(scores) if outcome.offenders else outcome.laid.tolist()
    deltas = [
        points - sticks * rules.riichi.deposit
        for points, sticks in zip(outcome.delta.tolist(), laid, strict=True)
    ]
    after = tuple(score + delta for score, delta in zip(scores, deltas, strict=True))
    dealer = number % rules.match.players
    return sheet, SettledHand(number, dealer, honba, deposits, tuple(deltas), after)


def _game(
    sheet: npt.NDArray[Any], hands: list[SettledHand], penalties: Sequence[tuple[int, int]]
) -> SettledGame:
    match = sheet[0].match
    final = match.final.astype(np.int64)
    for seat, points in penalties:
        final[seat] += points
    over = bool(match.over)
    return SettledGame(
        tuple(hands),
        over,
        tuple(match.scores.tolist()),
        tuple(final.tolist()) if over else None,
        tuple(match.place.tolist()) if over else None,
        int(match.number),
        int(match.honba),
        int(match.deposits),
    )
