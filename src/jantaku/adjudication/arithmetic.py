"""The arithmetic from han and fu to each seat's payment, as text for each step.

The steps are calculated independently of ``kernels.points``, which lets a test compare the two.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from jantaku.adjudication.explanation_words import Words
from jantaku.adjudication.score import Score
from jantaku.hand import WIND_NAMES, Source, Wind
from jantaku.rules.catalogue import LIMIT_HAN, YAKUMAN_BASE
from jantaku.seats import seat_at, winds_of

MANGAN_BASE = 2000
Parts = list[tuple[str, int, list[Wind]]]
"""The shares of a tsumo: the term key, the multiple of the base points and the paying seats."""


@dataclass(frozen=True, slots=True)
class ArithmeticStep:
    """One line of the arithmetic and the points each seat pays in it."""

    text: str
    pays: tuple[tuple[Wind, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Liability:
    """A liable seat, the yaku it is liable for and the base points it is liable for."""

    seat: Wind
    yaku: str
    base: int


def hundreds(points: int) -> int:
    """Round up to the next multiple of 100."""
    return -(-points // 100) * 100


def wind_at(score: Score, source: Source) -> Wind:
    """Return the wind of the seat in the direction ``source`` from the winner."""
    winds = winds_of(len(score.rules.seats))
    return winds[seat_at(winds.index(score.win.seat), source, len(winds))]


def discarder(score: Score) -> Wind | None:
    """Return the wind of the discarder of a ron; ``None`` for a tsumo.

    If the win does not state its source, choose a seat that has no other part in the win.
    """
    win = score.win
    if win.tsumo or win.source is not None:
        return wind_at(score, win.source) if win.source else None
    involved = {win.seat, win.wareme, *(wind_at(score, source) for source in (win.pao or {}).values())}
    winds = winds_of(len(score.rules.seats))
    return next((wind for wind in winds if wind not in involved), wind_at(score, "left"))


def payer_name(score: Score, seat: Wind, words: Words) -> str:
    """Return the name of a paying seat; an unknown discarder is simply called the discarder."""
    unknown = score.lacks_source and seat == discarder(score)
    return words("seat.discarder" if unknown else f"seat.{seat}")


def liabilities(score: Score) -> list[Liability]:
    """Return the liabilities for the yakuman of the hand (pao)."""
    rules, pao = score.rules.pao, score.win.pao or {}
    if score.rules.score.aotenjou:  # every han doubles the value, so a liable seat pays for the whole hand
        named = [(yaku, pao[yaku]) for _, yaku, _ in score.counted() if yaku in rules.yakuman and yaku in pao]
        first = min(named, key=lambda pair: list(pao).index(pair[0]), default=None)
        return [Liability(wind_at(score, first[1]), first[0], score.base)] if first else []
    if not score.yakuman:
        return []
    counted = [(yaku, worth) for _, yaku, worth in score.counted() if yaku in rules.yakuman]
    left = score.yakuman
    liabilities = []
    for yaku, worth in counted:
        if yaku in pao:
            units = min(worth // 13, left)
            left -= units
            liabilities.append(Liability(wind_at(score, pao[yaku]), yaku, YAKUMAN_BASE * units))
    if liabilities and rules.scope == "whole_hand":
        first_name, rest = (
            next(name for name in pao if name in [item.yaku for item in liabilities]),
            YAKUMAN_BASE * left,
        )
        liabilities = [
            Liability(item.seat, item.yaku, item.base + rest * (item.yaku == first_name))
            for item in liabilities
        ]
    return liabilities


def limit_yaku_alone(score: Score) -> str | None:
    """Return the yaku whose limit alone decides the value of the hand, or ``None``."""
    if score.yakuman or score.rules.score.aotenjou or score.rules.score.limit_yaku == "adds":
        return None
    side = "closed" if score.win.hand.is_closed else "open"
    names = [n for _, n, _ in score.counted() if getattr(score.rules.yaku[n], side) in LIMIT_HAN]
    return max(names, key=score.worth, default=None)


def steps(score: Score, words: Words) -> list[ArithmeticStep]:
    """Return every step from base points to payments."""
    pao = liabilities(score)
    base = [*map(ArithmeticStep, _base_lines(score, words))]
    hand = [*_pao_steps(score, pao, words), *_ordinary_steps(score, pao, words)]
    honba = [*_honba(score, pao, words)]
    paid = [*hand, *honba]
    doubled = {"off": [], "hand": hand, "hand_and_honba": paid}[score.rules.score.wareme]
    paid += _wareme(score, doubled, words)
    feeder = score.win.pao.get("rinshan_kaihou") if score.win.rinshan and score.win.pao else None
    if feeder and score.rules.pao.rinshan_after_daiminkan == "feeder_pays":
        seat = wind_at(score, feeder)
        total = sum(points for step in paid for _, points in step.pays)
        others = [(payer, -points) for step in paid for payer, points in step.pays]
        moved = ((seat, total), *others)
        text = words("calculation.feeder", payer=words(f"seat.{seat}"), points=total)
        paid.append(ArithmeticStep(text, moved))
    return [*base, *paid, *_deposits(score, words)]


def _base_lines(score: Score, words: Words) -> Iterator[str]:
    base, han, fu = score.base, score.han, score.fu
    if han is None or fu is None:
        count = score.yakuman
        if sum(worth // 13 for _, _, worth in score.counted()) > count:
            yield words("calculation.yakuman_highest")
        key = "yakuman" if count == 1 else "yakuman_multiple"
        yield words(f"calculation.{key}", limit=words.yakuman(count), count=count, base=base)
        return
    limit = words(f"limit.{score.limit}") if score.limit else ""
    if yaku := limit_yaku_alone(score):
        yield words("calculation.limit_yaku", yaku=words.yaku(yaku), limit=limit, base=base)
        return
    if "one_han_20_fu" in score.fu_items:
        yield words("calculation.one_han_20_fu", han=han)
    product = fu << 2 + han
    values = {"han": han, "fu": fu, "base": base, "product": product, "limit": limit}
    yield words(f"calculation.{_base_key(score, han, product)}", **values)


def _base_key(score: Score, han: int, product: int) -> str:
    if han == 0 and score.base == 0:
        return "zero_han"
    if score.limit is None:
        return "product" if score.base == product else "most_base"
    if han >= LIMIT_HAN["mangan"]:
        return "limit"
    return "kiriage" if product <= MANGAN_BASE else "over_mangan"


def _pao_steps(score: Score, pao: list[Liability], words: Words) -> Iterator[ArithmeticStep]:
    discarded_by, rules, comma = discarder(score), score.rules.pao, words("separator")
    if pao and (rules.tsumo if discarded_by is None else rules.ron) == "equal_shares":
        shared = [(tuple(dict.fromkeys(item.seat for item in pao)), pao)]
    else:
        by_seat = {item.seat: [other for other in pao if other.seat == item.seat] for item in pao}
        shared = [((seat,), items) for seat, items in by_seat.items()]
    for seats, items in shared:
        payers = list(dict.fromkeys([*seats, *([discarded_by] if discarded_by else [])]))
        whole = _whole(score, sum(item.base for item in items), words)
        share = hundreds(-(-whole // len(payers)))
        names = [payer_name(score, seat, words) for seat in payers]
        values = {
            "yaku": comma.join(words.yaku(item.yaku) for item in items),
            "payer": names[0],
            "payers": comma.join(names),
            "liable": comma.join(words(f"seat.{seat}") for seat in seats),
            "points": share,
        }
        text = words(f"calculation.pao_{'alone' if len(payers) == 1 else 'shared'}", **values)
        yield ArithmeticStep(text, tuple((seat, share) for seat in payers))


def _ron_points(score: Score, base: int) -> int:
    """Return the points of a ron before rounding: six times the base for the dealer, otherwise four times."""
    return base * (6 if score.win.seat == "east" else 4)


def _whole(score: Score, base: int, words: Words) -> int:
    """Return the total payment for these base points: unrounded for a ron, rounded for a tsumo."""
    if discarder(score):
        return _ron_points(score, base)
    return sum(points for step in _tsumo_steps(score, base, words) for _, points in step.pays)


def _ordinary_steps(score: Score, pao: list[Liability], words: Words) -> Iterator[ArithmeticStep]:
    base = score.base
    if pao:
        base -= sum(item.base for item in pao)
        if base:
            yield ArithmeticStep(words("calculation.pao_rest", base=base))
    if not base:
        return
    discarded_by, dealer = discarder(score), score.win.seat == "east"
    if discarded_by:
        exact = _ron_points(score, base)
        points = hundreds(exact)
        values = {
            "base": base,
            "exact": exact,
            "points": points,
            "payer": payer_name(score, discarded_by, words),
        }
        text = words(f"calculation.ron_{'dealer' if dealer else 'child'}", **values)
        yield ArithmeticStep(text, ((discarded_by, points),))
        return
    yield from _tsumo_steps(score, base, words)


def _tsumo_steps(score: Score, base: int, words: Words) -> Iterator[ArithmeticStep]:
    children = [seat for seat in winds_of(len(score.rules.seats)) if seat not in (score.win.seat, "east")]
    parts: Parts = [("dealer", 2, ["east"]), ("child", 1, children)]
    if score.win.seat == "east":
        parts = [("all", 2, children)]
    if score.rules.score.missing_share == "in_proportion" and len(score.rules.seats) < len(WIND_NAMES):
        yield _in_proportion(score, base, parts, words)
        return
    for key, times, payers in parts:
        points = hundreds(times * base)
        text = words(f"calculation.tsumo_{key}", base=base, exact=times * base, points=points)
        yield ArithmeticStep(text, tuple((payer, points) for payer in payers))
    yield from _missing_share(score, base, words)


def _in_proportion(score: Score, base: int, parts: Parts, words: Words) -> ArithmeticStep:
    """Divide the points of a ron, to the nearest 100, so that the dealer pays twice as much as a child."""
    whole = hundreds(_ron_points(score, base))
    weights = {seat: times if len(parts) > 1 else 1 for _, times, seats in parts for seat in seats}
    total = sum(weights.values())
    shares = {seat: (whole * weight + 50 * total) // (100 * total) * 100 for seat, weight in weights.items()}
    listed = words("separator").join(
        words("calculation.share", payer=words(f"seat.{seat}"), points=points)
        for seat, points in shares.items()
    )
    return ArithmeticStep(
        words("calculation.tsumo_in_proportion", whole=whole, shares=listed), tuple(shares.items())
    )


def _missing_share(score: Score, base: int, words: Words) -> Iterator[ArithmeticStep]:
    """Yield the other players' payments for each missing share at a table with fewer than four players."""
    rules, payers = score.rules, [seat for seat in winds_of(len(score.rules.seats)) if seat != score.win.seat]
    missing, way = len(WIND_NAMES) - len(rules.seats), rules.score.missing_share
    if missing and way == "plus_1000":
        points = 1000 * missing
        yield ArithmeticStep(words("calculation.plus_1000", points=points), _each(payers, points))
    elif missing and way == "split":
        lost = missing * hundreds(base * (2 if score.win.seat == "east" else 1))
        points = hundreds(-(-lost // len(payers)))
        text = words("calculation.missing_split", lost=lost, points=points)
        yield ArithmeticStep(text, _each(payers, points))


def _each(payers: list[Wind], points: int) -> tuple[tuple[Wind, int], ...]:
    return tuple((payer, points) for payer in payers)


def _honba(score: Score, pao: list[Liability], words: Words) -> Iterator[ArithmeticStep]:
    count, value, payer = score.win.honba, score.rules.score.honba_value, discarder(score)
    if not count or not value:
        return
    if pao and (payer is None or score.rules.pao.honba == "liable"):
        liable = score.win.pao or {}
        first = next(name for name in liable if name in [item.yaku for item in pao])
        payer = wind_at(score, liable[first])
    if payer:
        points = count * value
        values = {"count": count, "value": value, "points": points, "payer": payer_name(score, payer, words)}
        yield ArithmeticStep(words("calculation.honba_one", **values), ((payer, points),))
        return
    payers = [seat for seat in winds_of(len(score.rules.seats)) if seat != score.win.seat]
    share = hundreds(-(-count * value // len(payers)))
    everyone = tuple((seat, share) for seat in payers)
    yield ArithmeticStep(words("calculation.honba_each", count=count, value=value, points=share), everyone)


def _wareme(score: Score, doubled: list[ArithmeticStep], words: Words) -> Iterator[ArithmeticStep]:
    """Yield the payments doubled because the wall of the winner or of a payer was broken."""
    broken = score.win.wareme
    again: dict[Wind, int] = {}
    for payer, points in (pays for step in doubled for pays in step.pays):
        if broken in (score.win.seat, payer):
            again[payer] = again.get(payer, 0) + points
    if broken is not None and any(again.values()):
        way = "gets" if broken == score.win.seat else "pays"
        text = words(f"calculation.wareme_{way}", seat=words(f"seat.{broken}"), points=sum(again.values()))
        yield ArithmeticStep(text, tuple(again.items()))


def _deposits(score: Score, words: Words) -> Iterator[ArithmeticStep]:
    value = score.rules.riichi.deposit
    count = sum(score.all_payments.values()) // max(1, value)
    if count:
        yield ArithmeticStep(words("calculation.deposits", count=count, value=value, points=count * value))
