"""Refuse impossible hands; each error names the field and what to correct."""

from collections.abc import Mapping, Sequence
from typing import Final

from jantaku.club.entered_hands import EnteredFoul, EnteredHand, EnteredWin
from jantaku.club.settlement_record import CHOMBO, chips_in, cost_of
from jantaku.club.worth_checks import check_worth
from jantaku.errors import EntryError, Phrase, Phrases, RequestError, phrase
from jantaku.kernels.rules import nagashi_base
from jantaku.rules import Ruleset

BELONGS: Final[dict[str, tuple[str, ...]]] = {
    "ron": ("wins", "from", "riichi_tile", "stop"),
    "tsumo": ("wins", "stop"),
    "draw": ("tenpai", "nagashi", "stop"),
    "abort": ("kind", "seat", "from", "riichi_tile"),
    "foul": (),
}
"""The fields that belong only to some kinds of end; all other fields are allowed with any."""
DEAD = ("dead_hand",)
NOTEN = ("dead_hand", "noten_at_draw")


def check_hand(hand: EnteredHand, dealer: int, scores: Sequence[int], rules: Ruleset, within: str) -> None:
    """Refuse a hand that cannot occur under ``rules`` with this dealer and these ``scores`` before it.

    Raises ``RequestError``; ``within`` is the prefix of the field name, such as ``hands[2].``.
    """
    _check_belonging(hand, within)
    _check_seats(hand, rules.match.players, within)
    _check_calls(hand, within)
    _check_riichi(hand, scores, rules, within)
    _check_fouls(hand, rules, within)
    _check_wins(hand, dealer, rules, within)
    _check_wareme(hand, rules, within)
    if hand.end == "draw":
        _check_draw(hand, rules, within)
    elif hand.end == "abort":
        _check_abort(hand, rules, within)


def _check_belonging(hand: EnteredHand, within: str) -> None:
    """Refuse fields that belong to another end, and an end without its required fields."""
    given = {
        "wins": hand.wins,
        "from": hand.discarder,
        "riichi_tile": hand.riichi_tile or None,
        "stop": hand.stop or None,
        "tenpai": hand.tenpai,
        "nagashi": hand.nagashi,
        "kind": hand.abort,
        "seat": hand.seat,
    }
    for name, value in given.items():
        if name not in BELONGS[hand.end] and value not in (None, ()):
            raise EntryError("not_with_end", field=f"{within}{name}", end=hand.end)
    needed = {"ron": ("wins", "from"), "tsumo": ("wins",), "abort": ("kind",)}.get(hand.end, ())
    for name in (*needed, *(["from"] if hand.abort == "sanchahou" else ())):
        if given[name] in (None, ()):
            raise RequestError("missing_field", field=f"{within}{name}")


def _check_seats(hand: EnteredHand, seats: int, within: str) -> None:
    """Refuse too many winners, and seats that the game does not have."""
    limit = 1 if hand.end == "tsumo" else seats - 1
    if len(hand.wins) > limit:
        raise EntryError("too_many_winners", field=f"{within}wins", count=len(hand.wins), most=limit)
    named = {name: getattr(hand, name) or () for name in ("riichi", "tenpai", "nagashi", "calls")}
    at: dict[str, int | None] = {f"{name}[{i}]": seat for name in named for i, seat in enumerate(named[name])}
    at |= {"from": hand.discarder, "seat": hand.seat, "wareme": hand.wareme}
    at |= {f"fouls[{i}].seat": foul.seat for i, foul in enumerate(hand.fouls)}
    for i, win in enumerate(hand.wins):
        at |= {f"wins[{i}].seat": win.seat, f"wins[{i}].feeder": win.feeder}
        at |= {f"wins[{i}].pao.seats[{j}]": seat for j, seat in enumerate(win.pao.seats if win.pao else ())}
    for name, seat in at.items():
        if seat is not None and seat >= seats:
            raise RequestError("number_range", field=f"{within}{name}", value=seat, low=0, high=seats - 1)


def _check_calls(hand: EnteredHand, within: str) -> None:
    """Refuse a hand marked both open and closed."""
    calls = hand.calls
    for i, seat in enumerate(calls or ()):
        if seat in hand.riichi:
            raise EntryError("open_and_closed", field=f"{within}calls[{i}]", seat=seat)
    for i, win in enumerate(hand.wins):
        called = win.open and win.seat not in hand.riichi if calls is None else win.seat in calls
        if win.open is not None and win.open != called:
            raise EntryError("open_and_closed", field=f"{within}wins[{i}].open", seat=win.seat)


def _check_riichi(hand: EnteredHand, scores: Sequence[int], rules: Ruleset, within: str) -> None:
    needed = rules.riichi.deposit
    for seat in hand.riichi:
        if rules.riichi.needs_points and scores[seat] < needed:
            field = f"{within}riichi"
            raise EntryError("riichi_points", field=field, seat=seat, points=scores[seat], needed=needed)
    if hand.riichi_tile and hand.discarder not in hand.riichi:
        raise EntryError("riichi_tile_of_nobody", field=f"{within}riichi_tile")


def _check_fouls(hand: EnteredHand, rules: Ruleset, within: str) -> None:
    costs = [cost_of(foul, hand, rules) for foul in hand.fouls]
    voids = [foul for foul, cost in zip(hand.fouls, costs, strict=True) if cost in CHOMBO]
    if hand.end == "foul" and not voids:
        named = Phrases(map(_foul_and_cost, hand.fouls, costs))
        raise EntryError("no_chombo", field=f"{within}fouls", costs=named if hand.fouls else "–")
    if hand.end != "foul" and voids:
        raise EntryError("foul_ends_hand", field=f"{within}end", foul=voids[0].foul)
    dead = fouled_seats(hand, rules, DEAD)
    for i, win in enumerate(hand.wins):
        if win.seat in dead:
            field = f"{within}wins[{i}].seat"
            foul = dead[win.seat]
            raise EntryError("dead_hand_wins", field=field, seat=win.seat, foul=foul, acting="acting_dead")


def _foul_and_cost(foul: EnteredFoul, cost: str) -> Phrase:
    return phrase(
        "errors.kinds.foul_cost",
        foul=phrase(f"options.fouls.{foul.foul}.label"),
        cost=phrase(f"options.foul_cost.values.{cost}"),
    )


def fouled_seats(hand: EnteredHand, rules: Ruleset, costs: Sequence[str]) -> Mapping[int, str]:
    """Map each seat with a foul of one of these costs to that foul."""
    return {foul.seat: foul.foul for foul in hand.fouls if cost_of(foul, hand, rules) in costs}


def _check_wins(hand: EnteredHand, dealer: int, rules: Ruleset, within: str) -> None:
    seats: list[int] = []
    for i, win in enumerate(hand.wins):
        at = f"{within}wins[{i}]."
        if win.seat in seats:
            raise EntryError("seat_twice", field=f"{at}seat", seat=win.seat)
        seats.append(win.seat)
        if win.seat == hand.discarder:
            raise EntryError("own_discard", field=f"{at}seat", seat=win.seat)
        if rules.score.aotenjou and not win.fu:
            raise EntryError("no_limits", field=f"{at}han")
        check_worth(win, hand, dealer, rules, at)
        _check_payers(win, hand, rules, at)
        _check_chips(win, hand, rules, at)


def _check_wareme(hand: EnteredHand, rules: Ruleset, within: str) -> None:
    """Refuse a win without ``wareme`` under rules that have it, and ``wareme`` under rules that do not."""
    doubles = rules.score.wareme != "off"
    if hand.wareme is not None and not doubles:
        raise EntryError("no_wareme", field=f"{within}wareme")
    if hand.wareme is None and doubles and hand.wins:
        raise EntryError("wareme_unknown", field=f"{within}wareme")


def _check_chips(win: EnteredWin, hand: EnteredHand, rules: Ruleset, at: str) -> None:
    """Refuse chips under rules without them, and a win with unknown chips under rules with them."""
    if win.chips and not rules.chips.value:
        raise EntryError("no_chips", field=f"{at}chips")
    if rules.chips.value and chips_in(win, hand, rules) is None:
        raise EntryError("chips_unknown", field=f"{at}chips")


def _check_payers(win: EnteredWin, hand: EnteredHand, rules: Ruleset, at: str) -> None:
    if win.pao is not None:
        if not rules.pao.yakuman:
            raise EntryError("no_pao", field=f"{at}pao")
        if not win.yakuman and not rules.score.aotenjou:
            raise EntryError("pao_without_yakuman", field=f"{at}pao")
        if win.pao.yakuman > max(1, win.yakuman):
            bounds = {"low": 1, "high": max(1, win.yakuman)}
            raise RequestError("number_range", field=f"{at}pao.yakuman", value=win.pao.yakuman, **bounds)
        if win.seat in win.pao.seats:
            raise EntryError("liable_to_oneself", field=f"{at}pao.seats", seat=win.seat)
    if win.feeder is None:
        return
    if rules.pao.rinshan_after_daiminkan != "feeder_pays" or hand.end != "tsumo":
        raise EntryError("no_feeder", field=f"{at}feeder")
    if win.feeder == win.seat:
        raise EntryError("liable_to_oneself", field=f"{at}feeder", seat=win.seat)


def _check_draw(hand: EnteredHand, rules: Ruleset, within: str) -> None:
    if hand.nagashi and (rules.draw.nagashi_mangan == "off" or not nagashi_base(rules)):
        raise EntryError("nagashi_not_in_rules", field=f"{within}nagashi")
    excused = {*hand.tenpai, *fouled_seats(hand, rules, NOTEN)}
    excused |= {foul.seat for foul in hand.fouls if foul.foul == "noten_riichi"}
    for seat in hand.riichi:
        if seat not in excused:
            raise EntryError("noten_in_riichi", field=f"{within}tenpai", seat=seat, foul="noten_riichi")


def _check_abort(hand: EnteredHand, rules: Ruleset, within: str) -> None:
    if not getattr(rules.draw, str(hand.abort)):
        raise EntryError("abort_not_in_rules", field=f"{within}kind", kind=hand.abort)
    if hand.abort == "suucha_riichi" and len(hand.riichi) < rules.match.players:
        field, wanted = f"{within}riichi", rules.match.players
        raise EntryError("four_in_riichi", field=field, count=len(hand.riichi), wanted=wanted)
