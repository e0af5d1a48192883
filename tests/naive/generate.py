"""Random requests and hands for comparing the scorers, reproducible by seed."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any

from jantaku.rules import Ruleset
from jantaku.tiles import Tile, format_tiles, kinds_of
from naive.hands import random_sets, random_special
from naive.readings import DRAGONS, WINDS
from naive.situation import SEATS, TURNS

REDS = MappingProxyType({"5m": 1, "5p": 1, "5s": 1})
CLOSED_RIICHI = MappingProxyType({"open": "riichi", "double_open": "double"})
FOUR_OF_EACH = Counter(dict.fromkeys(range(34), 4))


@dataclass(frozen=True)
class Table:
    """The rules that limit possible hands: kinds, seats, chi, norths set aside and wareme."""

    kinds: frozenset[int] = frozenset(range(34))
    seats: tuple[str, ...] = SEATS
    chi: bool = True
    kita: bool = False
    wareme: bool = False

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(TURNS)[: len(self.seats) - 1]

    def before(self, seat: str) -> tuple[str, ...]:
        """Return the positions of the players who discard before ``seat`` in the first go-around."""
        own, count = SEATS.index(seat), len(self.seats)
        return tuple(other for other in self.others if (own + TURNS[other]) % count < own)

    def has(self, hand: "Dealt") -> bool:
        """Return whether the hand is possible at the table."""
        calls = [call for call, _ in hand.melds]
        return self.kinds.issuperset(hand.all_kinds()) and (self.chi or "chi" not in calls)


FOUR = Table()


def table_of(rules: Ruleset) -> Table:
    """Return the table of a ruleset."""
    seats = SEATS[: rules.match.players]
    kinds: frozenset[int] = frozenset(kinds_of(rules.tiles.man))
    return Table(kinds, seats, rules.calls.chi, rules.kita.nukidora, rules.score.wareme != "off")


@dataclass
class Dealt:
    """A hand as kinds: melds as (type, kinds), and concealed tiles."""

    melds: list[tuple[str, list[int]]]
    concealed: list[int]

    def all_kinds(self) -> list[int]:
        return [*self.concealed, *(k for _, kinds in self.melds for k in kinds)]


def random_wins(
    seed: int, count: int, reds: Mapping[str, int] = REDS, *, open_riichi: bool = True, table: Table = FOUR
) -> Iterator[dict[str, Any]]:
    """Yield ``count`` requests with complete hands, without ``id`` and ``rules``.

    ``reds`` are the ruleset's red tiles, ``open_riichi`` is whether it has open riichi, ``table`` has the
    other rules that hands depend on.
    """
    rng = Random(seed)
    for _ in range(count):
        hand = next(hand for hand in iter(lambda: _dealt(rng), None) if table.has(hand))
        request = _request(rng, hand, reds, table)
        if request["riichi"] and not open_riichi:
            request["riichi"] = CLOSED_RIICHI.get(request["riichi"], request["riichi"])
        if table.wareme:
            request["wareme"] = rng.choice((None, *table.seats))
        yield request


def _dealt(rng: Random) -> Dealt:
    if rng.random() < 0.15:
        return Dealt([], random_special(rng))
    sets, pair = random_sets(rng)
    openness = rng.choice((0.0, 0.0, 0.3, 0.6, 1.0))
    quads = rng.choice((0.0, 0.0, 0.2, 0.9))
    hand = Dealt([], [pair, pair])
    used = Counter(k for s in sets for k in s) + Counter([pair, pair])
    for tiles in sets:
        is_open, kind = rng.random() < openness, tiles[0]
        if kind == tiles[1] and used[kind] == 3 and rng.random() < quads:
            call = rng.choice(("daiminkan", "kakan", "ankan")) if is_open else "ankan"
            hand.melds.append((call, [kind] * 4))
        elif is_open:
            hand.melds.append(("pon" if kind == tiles[1] else "chi", list(tiles)))
        else:
            hand.concealed += tiles
    return hand


def _request(rng: Random, hand: Dealt, reds: Mapping[str, int], table: Table) -> dict[str, Any]:
    tiles, left = _with_reds(rng, hand, reds, table)
    win = rng.choice(tiles.concealed)
    tiles.concealed.remove(win)
    melds = [_meld(rng, call, kinds, table) for call, kinds in tiles.melds]
    request: dict[str, Any] = {
        "hand": format_tiles(tiles.concealed),
        "melds": melds,
        "win": format_tiles([win]),
        "by": rng.choice(("tsumo", "ron")),
        "from": None,
        "round": rng.choice(("east", "south", "east", "south", "west", "north")),
        "seat": rng.choice(table.seats),
        "riichi": None,
        **dict.fromkeys(("ippatsu", "last_tile", "rinshan", "chankan", "first_turn"), False),
        "dora": "",
        "ura": "",
        "honba": rng.choice((0, 0, 0, 1, 2, 3, 5, 7)),
        "deposits": rng.choice((0, 0, 0, 1, 2, 4)),
    }
    _circumstances(rng, request, hand, win % 34, table)
    if request["chankan"]:  # the other three copies are in the kan
        left = [tile for tile in left if tile % 34 != win % 34]
    if table.kita:
        _set_aside(rng, request, left)
    _indicators(rng, request, hand, left)
    _streak(rng, request)
    _liability(rng, request, hand, table)
    return request


def _undisturbed(request: dict[str, Any]) -> bool:
    """Return whether it is certain that nobody made a kan or set a north aside before the win."""
    sudden = request["ippatsu"] and request["riichi"].startswith("double")
    return bool(request["first_turn"] or sudden)


def _set_aside(rng: Random, request: dict[str, Any], left: list[int]) -> None:
    """Set some of the remaining norths aside, and perhaps win on the replacement tile for one."""
    north = WINDS[-1]
    if _undisturbed(request):
        return
    request["kita"] = rng.randint(0, left.count(north))
    for _ in range(request["kita"]):
        left.remove(north)
    drawn = request["by"] == "tsumo" and not request["last_tile"] and not request["ippatsu"]
    if request["kita"] and drawn and rng.random() < 0.2:
        request["rinshan"] = True


def _with_reds(rng: Random, hand: Dealt, reds: Mapping[str, int], table: Table) -> tuple[Dealt, list[int]]:
    """Return the hand as tiles, some of them red, and the tiles left for indicators."""
    left = FOUR_OF_EACH - Counter(hand.all_kinds())
    wall = [kind for kind in left.elements() if kind in table.kinds]
    parts = [list(hand.concealed), *(list(kinds) for _, kinds in hand.melds), wall]
    for name, copies in reds.items():
        kind = Tile.parse(name) % 34
        places = [(part, i) for part in parts for i, tile in enumerate(part) if tile == kind]
        for part, i in rng.sample(places, copies):
            part[i] += 34
    concealed, *melded, wall = parts
    calls = [call for call, _ in hand.melds]
    return Dealt(list(zip(calls, melded, strict=True)), concealed), wall


def _meld(rng: Random, call: str, tiles: list[int], table: Table) -> dict[str, Any]:
    meld: dict[str, Any] = {"type": call, "tiles": format_tiles(tiles)}
    if call != "ankan":
        meld["called"] = format_tiles([rng.choice(tiles)])
        meld["from"] = "left" if call == "chi" else rng.choice(table.others)
    return meld


def _circumstances(rng: Random, request: dict[str, Any], hand: Dealt, win: int, table: Table) -> None:
    """Choose the source of the tile, riichi, and the flags that fit both."""
    calls = [call for call, _ in hand.melds]
    ron, closed = request["by"] == "ron", all(call == "ankan" for call in calls)
    scattered = len(set(hand.all_kinds())) == 13
    dealt_in = ron and request["seat"] == "east"  # the dealer's own discard ends the first turn
    if not calls and not dealt_in and rng.random() < (0.6 if scattered else 0.15):
        request["first_turn"] = True
    elif closed and rng.random() < 0.6:
        kinds = ("riichi", "riichi", "riichi", "double", "open", "double_open")
        request["riichi"] = rng.choice(kinds)
    request["last_tile"] = not request["first_turn"] and rng.random() < 0.1
    if ron:
        request["from"] = rng.choice(table.before(request["seat"]) if request["first_turn"] else table.others)
        fourth = hand.all_kinds().count(win) == 1
        blocked = request["first_turn"] or request["last_tile"]
        request["chankan"] = fourth and not blocked and rng.random() < 0.15
        if not request["chankan"] and not request["last_tile"] and rng.random() < 0.1:
            request["riichi_tile"] = True
        if not request["chankan"] and request["riichi"] in ("open", "double_open") and rng.random() < 0.5:
            request["discarder_riichi"] = True
    elif {"ankan", "daiminkan", "kakan"} & set(calls):
        blocked = request["first_turn"] or request["last_tile"]
        request["rinshan"] = not blocked and rng.random() < 0.3
    if request["riichi"] and not request["rinshan"] and not request["last_tile"]:
        early = not calls and not request["chankan"] and not request.get("discarder_riichi")
        sudden = early or not request["riichi"].startswith("double")
        request["ippatsu"] = sudden and rng.random() < 0.3
    sticks = bool(request["riichi"]) + bool(request.get("discarder_riichi"))
    request["deposits"] = max(request["deposits"], sticks)
    if not request["first_turn"] and rng.random() < 0.03:
        request["furiten"] = True
    if rng.random() < 0.1:
        request["final_hand"] = True


def _indicators(rng: Random, request: dict[str, Any], hand: Dealt, wall: Sequence[int]) -> None:
    """Draw the indicators from the tiles left: one, one per kan, and sometimes one or two more."""
    kans = sum("kan" in call for call, _ in hand.melds)
    others = 0 if _undisturbed(request) else rng.choice((0, 0, 0, 0, 1, 2))
    number = min(5, 1 + kans + others)
    drawn = rng.sample(wall, 2 * number)
    request["dora"] = _one_by_one(drawn[:number])
    if request["riichi"]:
        request["ura"] = _one_by_one(drawn[number:])


def _one_by_one(tiles: Sequence[int]) -> str:
    return " ".join(format_tiles([tile]) for tile in tiles)


def _streak(rng: Random, request: dict[str, Any]) -> None:
    """Give a dealer some previous wins in a row, each of which added a honba."""
    if request["seat"] == "east" and rng.random() < 0.2:
        streak = rng.choice((1, 2, 7, 8, 8, 9, 15, 16, 17))
        request["dealer_streak"] = streak
        request["honba"] = max(request["honba"], streak - 1)


def _liability(rng: Random, request: dict[str, Any], hand: Dealt, table: Table) -> None:
    """Make players liable for the last set of a yakuman, or for the kan before the replacement tile."""
    fed = [(call, tiles) for call, tiles in hand.melds if call in ("pon", "daiminkan", "kakan")]
    pao = {}
    if fed and rng.random() < 0.7:
        for name in _fed_yakuman(hand, {tiles[0] for _, tiles in fed}):
            pao[name] = rng.choice(table.others)
    big_kans = [m for m in request["melds"] if m["type"] == "daiminkan"]
    if request["rinshan"] and big_kans and rng.random() < 0.5:
        pao["rinshan_kaihou"] = rng.choice(big_kans)["from"]
    if pao:
        request["pao"] = pao


def _fed_yakuman(hand: Dealt, fed: set[int]) -> list[str]:
    """Return the hand's yakuman that need particular sets, if one of these sets was called."""
    held = Counter(hand.all_kinds())
    names = []
    if all(held[k] >= 3 for k in DRAGONS) and fed & set(DRAGONS):
        names.append("daisangen")
    if all(held[k] >= 3 for k in WINDS) and fed & set(WINDS):
        names.append("daisuushii")
    if sum("kan" in call for call, _ in hand.melds) == 4:
        names.append("suukantsu")
    rows = [range(s + i, s + i + 4) for s in (0, 9, 18) for i in range(6)]
    if any(all(held[k] >= 3 for k in row) and fed & set(row) for row in rows):
        names.append("suurenkou")
    return names
