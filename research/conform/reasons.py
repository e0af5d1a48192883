"""The classes of known differences, with explanation and source, and how each is recognised.

A class must account for a difference exactly; any other difference is unknown and needs examination.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from jantaku.adjudication.analysis import waits
from jantaku.game.events import Called, Drew, HandDrawn
from jantaku.hand import Hand
from jantaku.tiles import COPIES, NORTH

if TYPE_CHECKING:
    from jantaku.game import Game
    from research.conform.cases import Case, Worth

COUNTED_YAKUMAN_HAN: Final = 13
NOTEN_PAYMENT: Final = 1000  # the total is this amount times the number of opponents
DOUBLE_FORMS: Final = {
    "kokushi_musou": "kokushi_juusanmen", "suuankou": "suuankou_tanki", "chuuren_poutou": "junsei_chuuren",
}  # fmt: skip


class Reason(NamedTuple):
    """Explanation and source of a class of differences, for the page."""

    what: str
    source: str


CALLED_FURITEN: Final = "temporary furiten after the player's own call"
FIFTH_NORTH: Final = "wait for a fifth north"
COUNTED_FOR_DOUBLE: Final = "counted yakuman instead of a double yakuman"
LAST_OF_TENHOU: Final = "last tile of a tenhou"
COUNTED: Final = "true and counted yakuman"
REASONS: Final[dict[str, Reason]] = {
    CALLED_FURITEN: Reason(
        "RiichiEnv's Tenhou rules let a player who has passed a winning tile ron after making a call. "
        "On Tenhou, temporary furiten lasts until the player's next draw; on Mahjong Soul, a call ends it, "
        "in both engines.",
        "tenhou.net/man (逆巡副露では解消しない); inventory d33",
    ),
    FIFTH_NORTH: Reason(
        "RiichiEnv ignores the norths that a player has set aside. If the player has all four, a hand "
        "waiting only for a north is tenpai in RiichiEnv and noten in Jantaku, as there is no fifth north.",
        "inventory d32, which covers four tiles in the concealed hand",
    ),
    COUNTED_FOR_DOUBLE: Reason(
        "A hand that is a double yakuman in one reading and worth 26 han or more in another is paid "
        "as a single counted yakuman by RiichiEnv, which compares han alone. Jantaku uses the reading "
        "that pays more: the double yakuman.",
        "inventory 68; `mahjong` 2.1 also takes the reading that pays most (`hand.py`)",
    ),
    LAST_OF_TENHOU: Reason(
        "On Mahjong Soul, no tile of a dealer's complete first hand is the winning tile, so kokushi, "
        "suuankou and chuuren count as their double forms, as in Jantaku (`score.tenhou_wait`). RiichiEnv "
        "applies this only to kokushi, and `mahjong` to none of them: both treat the tile given to them as "
        "the winning tile.",
        "InjusticeJudge, issue 19; inventory d28",
    ),
    COUNTED: Reason(
        "A hand that is a yakuman in one reading and worth thirteen han in another is reported as a "
        "yakuman here and by `mahjong`, and as a counted yakuman by RiichiEnv. The payment is the same.",
        "`mahjong` 2.1, `hand.py`: a true yakuman takes precedence over a counted one, as on Tenhou",
    ),
}
"""The classes by name."""
UNKNOWN_REASON: Final = "- **unknown**: not examined yet."


def win_reason(case: "Case", mine: "Worth | None", its: "Worth | None") -> str | None:
    """Return the class of a difference between two values of a win, ``None`` if unknown."""
    if mine is None or its is None:
        return None
    if case.first_turn and case.tsumo and case.seat == 0 and mine.yakuman == its.yakuman + 1:
        swapped = [(one, two) for one, two in DOUBLE_FORMS.items() if one in its.yaku and two in mine.yaku]
        if len(swapped) == 1 and mine.yaku - {swapped[0][1]} == its.yaku - {swapped[0][0]}:
            return LAST_OF_TENHOU
    if its.yakuman == 0 and its.han >= COUNTED_YAKUMAN_HAN:
        if mine.yakuman == 1 and mine.payments == its.payments:
            return COUNTED
        if mine.yakuman == 2 and its.han >= 2 * COUNTED_YAKUMAN_HAN:
            return COUNTED_FOR_DOUBLE
    return None


def legal_reason(game: "Game", seat: int, more: list[str], less: list[str]) -> str | None:
    """Return the class of a difference in legal actions, ``None`` if unknown.

    ``more`` are the actions that only our engine has, ``less`` those that only theirs has.
    """
    if not more and less in (["ron"], ["pass", "ron"]) and game.rules.furiten.temporary_until == "own_draw":
        own = (
            event
            for event in reversed(game.events)
            if isinstance(event, Drew | Called) and event.seat == seat
        )
        if game.record.furiten_passing[seat] and isinstance(next(own, None), Called):
            return CALLED_FURITEN
    if not more and less == ["riichi"] and _waits_for_fifth_north(game, seat):
        return FIFTH_NORTH
    return None


def _waits_for_fifth_north(game: "Game", seat: int) -> bool:
    """Return whether the seat has all four norths and a discard leaves a wait for a north alone."""
    if not has_all_norths(game, seat):
        return False
    view = game.view(seat)
    held = [*view.hand, *([] if view.drawn is None else [view.drawn])]
    rests = (held[:gone] + held[gone + 1 :] for gone in range(len(held)))
    kinds = (waits(Hand(tuple(rest), view.melds[seat]), man=game.rules.tiles.man) for rest in rests)
    return any([wait.tile for wait in group] == [NORTH] for group in kinds)


def has_all_norths(game: "Game", seat: int) -> bool:
    """Return whether a seat has all four norths in its hand or set aside."""
    return int(game.record.kita[seat]) + int(game.record.hand[seat][NORTH]) == COPIES


def drawn_reason(
    game: "Game", norths: Sequence[int], before: Sequence[int], its: Sequence[int]
) -> str | None:
    """Return the class of a difference in payments at a draw, ``None`` if unknown.

    ``norths`` are the seats that had all four norths; ``before`` and ``its`` are the scores before and after
    the draw in their engine.
    """
    drawn = next((event for event in reversed(game.events) if isinstance(event, HandDrawn)), None)
    for seat in norths if drawn else ():
        tenpai, seats = {*drawn.tenpai, seat}, len(before)  # type: ignore[union-attr]  # the loop is empty without ``drawn``
        pool = NOTEN_PAYMENT * (seats - 1) if len(tenpai) < seats else 0
        gains = [
            pool // len(tenpai) if seat in tenpai else -pool // (seats - len(tenpai)) for seat in range(seats)
        ]
        if [a + b for a, b in zip(before, gains, strict=True)] == list(its):
            return FIFTH_NORTH
    return None
