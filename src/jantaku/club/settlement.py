"""Settle a game from hands as entered at the table, under any ruleset, without playing it.

Payments, deposits, honba, dealer changes, the end of the game and fouls come from the engine's own functions
(``jantaku.kernels``), so a recorded game settles exactly like the same game played online.
"""

from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, fields
from itertools import islice
from typing import Any, Final

from jantaku.club.entered_hands import EnteredHand
from jantaku.club.hand_checks import check_hand
from jantaku.club.settlement_record import GameSheet, seats_in
from jantaku.errors import EntryError, RequestError, expect, phrase
from jantaku.fields import whole
from jantaku.kernels.engine.entered import settle_entered
from jantaku.kernels.engine.state import EXHAUSTED, WON
from jantaku.kernels.rules import rules_record
from jantaku.reading import Reader
from jantaku.rules import Ruleset, load
from jantaku.tally import MAX_POINTS

MAX_HANDS: Final = 300  # of one game, so that stick counts do not overflow their fields
READER: Final = Reader(EnteredHand)
HAND_CONTRACT: Final = ("number", "dealer", "honba", "deposits", "deltas", "scores")


@dataclass(frozen=True, slots=True)
class SettledHand:
    """One settled hand: the situation before it, the payments, and the points after it.

    ``number`` counts from East 1; ``honba`` and ``deposits`` are those at its beginning. ``deltas`` include
    riichi sticks; ``scores`` exclude sticks that are paid out at the end of the game. ``winners`` are the
    seats with a valid win, ``tenpai`` those that count as tenpai at an exhaustive draw. ``chips`` are the
    chips won or paid by each seat, ``None`` under rules without them. ``nagashi`` are the seats whose nagashi
    mangan counts as a win under the rules.
    """

    number: int
    dealer: int
    honba: int
    deposits: int
    deltas: tuple[int, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...] = ()
    tenpai: tuple[int, ...] = ()
    chips: tuple[int, ...] | None = None
    nagashi: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the hand as plain data for JSON (docs/club.md)."""
        fields = {name: getattr(self, name) for name in HAND_CONTRACT}
        return fields if self.chips is None else {**fields, "chips": self.chips}


@dataclass(frozen=True, slots=True)
class GameResult:
    """The state of a game; ``final`` (with oka and uma) and ``places`` (from 1) are ``None`` until its end.

    ``number``, ``honba`` and ``deposits`` describe the next hand, or the last one of a finished game.
    ``chips`` are each seat's chips so far; ``yakitori`` are the points each seat gains or pays because of
    players without a win. Both are ``None`` under rules without them, and ``yakitori`` until the game is
    over. ``deducted`` are the final points that each seat loses for chombo; ``None`` if none.
    ``hand_count`` is 0 if only the final points are known.
    """

    over: bool
    scores: tuple[int, ...]
    final: tuple[int, ...] | None
    places: tuple[int, ...] | None
    number: int = 0
    honba: int = 0
    deposits: int = 0
    chips: tuple[int, ...] | None = None
    yakitori: tuple[int, ...] | None = None
    deducted: tuple[int, ...] | None = None
    hand_count: int = 0

    def prizes(self) -> dict[str, tuple[int, ...]]:
        """Return ``chips`` and ``yakitori`` if the rules have them."""
        prizes = {"chips": self.chips, "yakitori": self.yakitori}
        return {name: values for name, values in prizes.items() if values is not None}


@dataclass(frozen=True, slots=True)
class SettledGame(GameResult):
    """A game with its hands, both settled and as ``entered``.

    ``no_win`` are the seats without a win; ``None`` under rules without yakitori. ``laid`` counts the riichi
    sticks of each seat on the table.
    """

    hands: tuple[SettledHand, ...] = ()
    entered: tuple[EnteredHand, ...] = ()
    no_win: tuple[int, ...] | None = None
    laid: tuple[int, ...] = ()

    @property
    def result(self) -> GameResult:
        """The result without the hands."""
        return GameResult(**{field.name: getattr(self, field.name) for field in fields(GameResult)})

    def to_dict(self) -> dict[str, Any]:
        """Return the game as plain data for JSON (docs/club.md)."""
        fields = {name: getattr(self, name) for name in ("over", "scores", "final", "places")}
        return {"hands": [hand.to_dict() for hand in self.hands], **fields, **self.prizes()}


def settle(
    hands: Iterable[EnteredHand | Mapping[str, Any]],
    rules: Ruleset | str = "standard",
    *,
    penalties: Sequence[tuple[int, int]] = (),
) -> SettledGame:
    """Settle a game from its hands: ``EnteredHand`` objects or plain data from JSON (docs/club.md).

    ``penalties`` are pairs of a seat and points, added to ``final`` only. Raises ``RequestError`` for an
    impossible hand; ``field`` is its path and ``details["hand"]`` its index from 0.

    >>> settle([{"end": "ron", "from": 1, "wins": [{"seat": 0, "han": 3, "fu": 40}]}]).scores
    (32700, 17300, 25000, 25000)
    """
    ruleset = load(rules)
    sheet = GameSheet(ruleset)
    expect(hands, Iterable, "hands")
    given = list(hands if isinstance(hands, Sized) else islice(hands, MAX_HANDS + 1))
    if len(given) > MAX_HANDS:
        raise EntryError("too_many_hands", field="hands", count=len(given), most=MAX_HANDS)
    settled, entered = list[SettledHand](), list[EnteredHand]()
    for i, item in enumerate(given):
        try:
            hand = item if isinstance(item, EnteredHand) else READER(item, f"hands[{i}].")
            _check_not_over(sheet, i)
            dealer = sheet.match("number") % ruleset.match.players
            check_hand(hand, dealer, sheet.match("scores"), ruleset, f"hands[{i}].")
        except RequestError as error:
            error.details["hand"] = i
            raise
        done = _settle_one(sheet, hand, ruleset, last=i == len(given) - 1)
        _check_points(done, i)
        settled.append(done)
        entered.append(hand)
    return _game(sheet, settled, entered, penalties, ruleset)


def _check_not_over(sheet: GameSheet, index: int) -> None:
    if sheet.match("over"):
        raise EntryError("game_is_over", field=f"hands[{index}]", last=index - 1)


def _check_points(done: SettledHand, index: int) -> None:
    highest = max(map(abs, done.scores))
    if highest > MAX_POINTS:
        bounds = {"low": -MAX_POINTS, "high": MAX_POINTS, "hand": index}
        raise RequestError("number_range", field=f"hands[{index}]", value=highest, **bounds)


def _settle_one(sheet: GameSheet, hand: EnteredHand, rules: Ruleset, *, last: bool) -> SettledHand:
    number, honba, deposits = (sheet.match(name) for name in ("number", "honba", "deposits"))
    scores = sheet.match("scores")
    sheet.write(hand, rules, stops=last if hand.stop is None else hand.stop)
    settle_entered(sheet.array, rules_record(rules))
    laid = [0] * len(scores) if sheet.outcome("offenders") else sheet.outcome("laid")
    deltas = [
        points - sticks * rules.riichi.deposit
        for points, sticks in zip(sheet.outcome("delta"), laid, strict=True)
    ]
    after = tuple(score + delta for score, delta in zip(scores, deltas, strict=True))
    dealer, ended = number % rules.match.players, sheet.outcome("ended")
    winners = seats_in(sheet.outcome("winners")) if ended == WON else ()
    tenpai = seats_in(sheet.outcome("tenpai")) if ended == EXHAUSTED else ()
    chips = tuple(sheet.outcome("chips")) if rules.chips.value else None
    called_win = ended == EXHAUSTED and rules.draw.nagashi_mangan == "as_win"
    nagashi = hand.nagashi if called_win else ()
    return SettledHand(number, dealer, honba, deposits, tuple(deltas), after, winners, tenpai, chips, nagashi)


def _game(
    sheet: GameSheet,
    hands: list[SettledHand],
    entered: list[EnteredHand],
    penalties: Sequence[tuple[int, int]],
    rules: Ruleset,
) -> SettledGame:
    final = sheet.match("final")
    expect(penalties, Sequence, "penalties")
    for i, pair in enumerate(penalties):
        expect(pair, Sequence, f"penalties[{i}]")
        if len(pair) != 2:
            raise RequestError(
                "wrong_type", field=f"penalties[{i}]", wanted=phrase("errors.kinds.numbers", count=2)
            )
        seat = whole(pair[0], f"penalties[{i}]", 0, len(rules.seats) - 1)
        final[seat] += whole(pair[1], f"penalties[{i}]", -MAX_POINTS, MAX_POINTS)
    over, deducted = bool(sheet.match("over")), tuple(sheet.match("penalties"))
    return SettledGame(
        over,
        tuple(sheet.match("scores")),
        tuple(final) if over else None,
        tuple(sheet.match("place")) if over else None,
        sheet.match("number"),
        sheet.match("honba"),
        sheet.match("deposits"),
        tuple(sheet.match("chips")) if rules.chips.value else None,
        tuple(sheet.match("yakitori")) if over and rules.match.yakitori else None,
        deducted if any(deducted) else None,
        len(hands),
        hands=tuple(hands),
        entered=tuple(entered),
        no_win=_without_win(sheet, rules) if rules.match.yakitori else None,
        laid=tuple(sheet.match("deposits_of")),
    )


def _without_win(sheet: GameSheet, rules: Ruleset) -> tuple[int, ...]:
    won = seats_in(sheet.match("winners"))
    return tuple(seat for seat in range(rules.match.players) if seat not in won)
