"""The rows of an explanation: the groups of the reading, yaku, fu and payments."""

from collections.abc import Iterator

from jantaku.adjudication.arithmetic import liabilities, wind_at
from jantaku.adjudication.explanation import FuRow, Group, PaymentRow, YakuRow
from jantaku.adjudication.explanation_words import Words
from jantaku.adjudication.reading_view import ReadingView, SetView
from jantaku.adjudication.score import Score
from jantaku.adjudication.sticks import fewest_sticks
from jantaku.hand import WIND_NAMES
from jantaku.rules.catalogue import LIMIT_HAN, YAKUMAN
from jantaku.tiles import EAST, NORTH, RED, WHITE, YAOCHUU, format_tiles, next_kind
from jantaku.win import Win

LOW_EDGE, HIGH_EDGE = (2, 0), (0, 6)  # penchan: (index of the winning tile in the run, rank − 1 of the run)


def completes(group: SetView, wait: str, kind: int) -> bool:
    """Return whether the winning ``kind`` can complete this set by a ``wait`` of that form."""
    if group.melded or kind not in group.tiles:
        return False
    if group.kind != "run":
        return wait == "shanpon"
    offset, rank = kind - group.tiles[0], group.tiles[0] % 9
    edge = (offset, rank) in (LOW_EDGE, HIGH_EDGE)
    return wait == ("kanchan" if offset == 1 else "penchan" if edge else "ryanmen")


def groups(view: ReadingView, win: Win, words: Words) -> Iterator[Group]:
    """Yield the groups of the reading, with the red tiles and the winning tile assigned to them."""
    held: list[int] = list(win.hand.tiles)
    kind, last = win.tile.kind, format_tiles([win.tile])
    if view.form in ("thirteen_orphans", "unconnected"):
        label = words(f"form.{view.form}")
        yield Group(format_tiles((*held, win.tile)), view.form, label, winning=last)
        return
    completed = next((s for s in view.sets if completes(s, view.wait, kind)), None)
    melds = iter(win.hand.melds)
    for group in view.sets:
        if group.melded:
            tiles: list[int] = list(next(melds).tiles)
        else:
            tiles = _take(group.tiles, win.tile if group is completed else None, held)
        label = words(f"group.{_group_key(group)}")
        mark = last if group is completed else ""
        yield Group(format_tiles(tiles), group.kind, label, group.concealed, group.melded, mark)
    for pair in view.pairs:
        here = completed is None and pair == kind
        tiles = _take((pair, pair), win.tile if here else None, held)
        yield Group(format_tiles(tiles), "pair", words("group.pair"), winning=last if here else "")
    if view.form == "four_kans":
        yield Group(format_tiles((*held, win.tile)), view.form, words("form.four_kans"), winning=last)


def _take(kinds: tuple[int, ...], winning: int | None, held: list[int]) -> list[int]:
    """Remove tiles of these kinds from ``held``, red ones first; the winning tile is used as one of them."""
    tiles = [] if winning is None else [winning]
    for kind in kinds:
        if winning is not None and kind == winning % RED:
            winning = None
            continue
        tile = kind + RED if kind + RED in held else kind
        held.remove(tile)
        tiles.append(tile)
    return tiles


def _group_key(group: SetView) -> str:
    if group.kind == "quad":
        return "quad" if group.concealed else "quad_melded"
    if group.melded:
        return f"{group.kind}_melded"
    return group.kind if group.concealed else f"{group.kind}_open"


def yaku_rows(score: Score, words: Words, hidden: tuple[str, ...] = ()) -> Iterator[YakuRow]:
    """Yield a row for each yaku that counts, except ``hidden`` ones, then for each bonus such as dora."""
    side = "closed" if score.win.hand.is_closed else "open"
    for reported, yaku, han in score.counted():
        if yaku in hidden:
            continue
        value = getattr(score.rules.yaku[yaku], side)
        worth = words(f"limit.{value}") if value in LIMIT_HAN else words("value.han", han=han)
        if value in YAKUMAN and not score.rules.score.aotenjou:
            worth = words(f"limit.{value}")
        name, why = words.yaku(yaku), words.yaku(yaku, "why")
        yield YakuRow(reported, name, words.yaku(yaku, "reading"), han, worth, why)
    for name, han in score.bonus.items():
        why = _bonus_why(score, name, words)
        yield YakuRow(name, words(f"bonus.{name}"), "", han, words("value.han", han=han), why)


def _bonus_why(score: Score, name: str, words: Words) -> str:
    win = score.win
    held = [*win.hand.all_tiles, win.tile, *[NORTH] * win.kita]
    if name == "red_dora":
        red = [tile for tile in held if tile >= RED]
        return words("bonus.red", tiles=words.tiles(red), count=len(red))
    if name == "kita":
        return words("bonus.set_aside", tile=words.tile(NORTH), count=win.kita)
    if name == "kan_han":
        return words("bonus.of_kans", han=score.rules.score.kan_han)
    dora = name == "dora"
    indicators = win.dora if dora else win.ura
    if not (score.rules.dora.kan_dora if dora else score.rules.dora.kan_ura):
        indicators = indicators[:1]
    parts = []
    for indicator in indicators:
        kind = next_kind(indicator, score.rules.tiles.man)
        if count := sum(tile % RED == kind for tile in held):
            names = {"indicator": words.tiles([indicator]), "tile": words.tiles([kind])}
            parts.append(words("bonus.indicated", **names, count=count))
    return words("separator").join(parts)


def fu_rows(score: Score, view: ReadingView, words: Words) -> Iterator[FuRow]:
    """Yield the fu, with one row per triplet and quad; the points add up to ``score.fu``."""
    items = score.fu_items
    before = fu_before(score)
    for item, points in items.items():
        if item == "triplets":
            yield from _set_rows(view, words)
            continue
        if item == "wait":
            detail = words(f"wait.{wait_form(view, score.win)}")
        elif item == "pair":
            kind = view.pairs[0]
            detail = words(f"fu_detail.pair_{_pair_key(kind, score.win)}", tile=words.tile(kind))
        else:
            after = before + points
            detail = words(f"fu_detail.{item}", before=before, after=after)
        yield FuRow(item, words(f"fu.{item}"), detail, points)


def fu_before(score: Score) -> int:
    """Return the sum of the fu before rounding and before the 1 han 20 fu rule raises it."""
    raised = ("rounding", "one_han_20_fu")
    return sum(points for item, points in score.fu_items.items() if item not in raised)


def _set_rows(view: ReadingView, words: Words) -> Iterator[FuRow]:
    for group in view.sets:
        if group.kind == "run":
            continue
        points = 2 * (4 if group.kind == "quad" else 1) * (2 if group.concealed else 1)
        points *= 2 if group.tiles[0] in YAOCHUU else 1
        state = "concealed" if group.concealed else "open"
        detail = words(f"set.{group.kind}_{state}", tile=words.tile(group.tiles[0]))
        yield FuRow("triplets", words(f"fu.{group.kind}"), detail, points)


def _pair_key(kind: int, win: Win) -> str:
    if kind >= WHITE:
        return "dragon"
    winds = [kind == EAST + WIND_NAMES.index(wind) for wind in (win.round, win.seat)]
    return "double" if all(winds) else "round" if winds[0] else "seat" if winds[1] else "value"


def wait_form(view: ReadingView, win: Win) -> str:
    """Return the term key of the wait; kokushi musou has one for a single wait and one for thirteen."""
    if view.form == "thirteen_orphans":
        return "juusanmen" if win.tile.kind in view.pairs else "single"
    return view.wait


def payment_rows(score: Score, words: Words) -> Iterator[PaymentRow]:
    """Yield the points, sticks and role of each seat."""
    win = score.win
    roles = {wind_at(score, win.source): words("role.discarder")} if win.source else {}
    roles |= {p.seat: words("role.liable", yaku=words.yaku(p.yaku)) for p in liabilities(score)}
    feeder = win.pao.get("rinshan_kaihou") if win.rinshan and win.pao else None
    if feeder and score.rules.pao.rinshan_after_daiminkan == "feeder_pays":
        roles[wind_at(score, feeder)] = words("role.feeder")
    roles[win.seat] = words("role.winner")
    for seat, points in score.payments.items():
        sticks = fewest_sticks(max(0, -points))
        yield PaymentRow(seat, words(f"seat.{seat}"), points, sticks, roles.get(seat, ""))
