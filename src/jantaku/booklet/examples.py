"""Example hands of yaku: the catalogue's hand, or a close variant that a ruleset allows.

Every example is scored: the hand must win, and the yaku must count in it under the ruleset.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Final

from jantaku.adjudication.own_trial import example_win
from jantaku.adjudication.requests import win_from_request
from jantaku.adjudication.score import Score, score
from jantaku.errors import JantakuError, RulesError
from jantaku.hand import WIND_NAMES, MeldType
from jantaku.rules import Ruleset, catalogue
from jantaku.rules.worths import worths
from jantaku.seats import winds_of
from jantaku.tiles import format_tiles, parse_tiles
from jantaku.win import Win

WITHOUT_EXAMPLE: Final = frozenset({"nagashi_mangan", "open_riichi_deal_in"})
"""Yaku that a hand alone cannot show: one consists of discards, the other depends on the discarder."""
HONOURS: Final = 27
SPARE: Final = (
    {"hand": "111m111p11s33567s", "win": "1s"},  # sanshoku doukou of terminals
    {"hand": "111m234p567s1115z", "win": "5z"},  # uumensai
    {"hand": "19m258p369s12345z", "win": "5z"},  # shiisan puutaa
)
"""More hands, for rules under which a yaku needs tiles other than those of its example."""
FEWER_SUITS: Final = ("pps", "sps")  # for rules without most man tiles

Request = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ScoredExample:
    """A winning hand with a yaku, and its score."""

    win: Win
    score: Score


def example_of(yaku: str, rules: Ruleset) -> ScoredExample | None:
    """Return a hand in which ``yaku`` counts under ``rules``; ``None`` for yaku without an example.

    Examples of custom yaku are searched for. A custom yaku may replace another in every hand, which then has
    no example. Raises ``RulesError`` (``no_example``) if the yaku counts in no variant of its example and the
    rules have no custom yaku.
    """
    if any(own.id == yaku for own in rules.own_yaku):
        searched = example_win(rules, yaku)
        return None if searched is None else ScoredExample(searched.win, searched)
    if yaku in WITHOUT_EXAMPLE:
        return None
    request = _seated(catalogue()[yaku].example, rules)
    for variant in _all_variants(request, worths(rules, yaku)):
        example = _scored(variant, rules)
        if example is not None and yaku in {own for _, own, _ in example.score.counted()}:
            return example
    if rules.own_yaku:
        return None
    raise RulesError("no_example", path=f"yaku.{yaku}", yaku=yaku, rules=rules.id)


def _seated(request: Request, rules: Ruleset) -> Request:
    """Adapt an example to fewer seats by swapping a wind that has no seat with the last one."""
    winds = winds_of(len(rules.seats))
    if request.get("seat") is None or request["seat"] in winds:
        return request
    gone, last = WIND_NAMES.index(request["seat"]) + 1, len(winds)
    swap = {f"{gone}z": f"{last}z", f"{last}z": f"{gone}z"}

    def moved(text: str) -> str:
        tiles = [format_tiles([tile]) for tile in parse_tiles(text)]
        return "".join(swap.get(tile, tile) for tile in tiles)

    melds = [{**meld, "tiles": moved(meld["tiles"])} for meld in request.get("melds", ())]
    tiles = {name: moved(request[name]) for name in ("hand", "win")}
    return {**request, **tiles, "seat": winds[-1], **({"melds": melds} if melds else {})}


def _scored(request: Request, rules: Ruleset) -> ScoredExample | None:
    try:
        win = win_from_request(dict(request))
        if not rules.calls.chi and any(meld.type is MeldType.CHI for meld in win.hand.melds):
            return None
        return ScoredExample(win, score(win, rules))
    except JantakuError:
        return None


def _all_variants(request: Request, worth: Sequence[object]) -> Iterator[Request]:
    """Yield the variants of an example, then the hands of all other yaku won in the same situation.

    Another hand helps if these rules make a yaku of the example's hand a yakuman, which hides other yaku, or
    if a yaku of the situation counts in only one suit.
    """
    yield from _variants(request, worth)
    situation = {name: value for name, value in request.items() if name not in ("hand", "win", "melds")}
    for example in (*SPARE, *(entry.example for entry in catalogue().values())):
        if example:
            hand = {name: example[name] for name in ("hand", "win", "melds") if name in example}
            yield from _variants({**situation, **hand}, worth)


def _variants(request: Request, worth: Sequence[object]) -> Iterator[Request]:
    """Yield the example itself, then hands that meet further conditions of a ruleset.

    A ruleset can require tsumo, a suit, or a yaku that is certain before the winning tile, and it can let a
    yaku count only in open hands.
    """
    hands = [request]
    if worth[0] is False:
        hands = [*_opened(request), request]
    elif request.get("melds"):
        hands.append(_closed(request))
    for hand in hands:
        for turned in _in_other_suits(hand):
            yield from _other_wins(turned)


def _other_wins(request: Request) -> Iterator[Request]:
    """Yield the hand unchanged, won the other way, and with riichi, which makes a yaku certain."""
    other = "ron" if request.get("by") == "tsumo" else "tsumo"
    for by in (request.get("by"), other):
        won = {**request, "by": by}
        yield won
        if "riichi" not in request:
            yield {**won, "riichi": "riichi"}


def _in_other_suits(request: Request) -> Iterator[Request]:
    for suits in (*permutations("mps"), *FEWER_SUITS):
        table = str.maketrans("mps", "".join(suits))
        melds = [{**meld, "tiles": meld["tiles"].translate(table)} for meld in request.get("melds", ())]
        moved = {name: request[name].translate(table) for name in ("hand", "win")}
        yield {**request, **moved, **({"melds": melds} if melds else {})}


def _closed(request: Request) -> Request:
    """Return the hand with its called runs and triplets concealed."""
    called = [meld for meld in request["melds"] if meld["type"] in ("chi", "pon")]
    tiles = [tile for meld in called for tile in parse_tiles(meld["tiles"])]
    kept = [meld for meld in request["melds"] if meld not in called]
    return {**request, "hand": format_tiles(parse_tiles(request["hand"]) + tiles), "melds": kept}


def _opened(request: Request) -> Iterator[Request]:
    """Yield the hand with one of its concealed runs or triplets called."""
    tiles = parse_tiles(request["hand"])
    for first in sorted(set(tiles)):
        for kind, shape in (("pon", [first] * 3), ("chi", [first, first + 1, first + 2])):
            if kind == "chi" and (first >= HONOURS or first % 9 > 6):
                continue
            rest = list(tiles)
            try:
                for tile in shape:
                    rest.remove(tile)  # type: ignore[arg-type]
            except ValueError:
                continue
            meld = {"type": kind, "tiles": format_tiles(shape)}
            yield {**request, "hand": format_tiles(rest), "melds": [*request.get("melds", ()), meld]}
