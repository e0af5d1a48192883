"""Winning hands drawn at random after a wish (``own_wishes``), for the search for examples of own yaku."""

from random import Random
from typing import Any, Final

from jantaku.adjudication.own_wishes import Wish
from jantaku.adjudication.requests import win_from_request
from jantaku.adjudication.win_records import check_against_rules
from jantaku.errors import JantakuError
from jantaku.hand import WIND_NAMES, Hand, Meld, MeldType
from jantaku.rules import Ruleset
from jantaku.rules.catalogue import catalogue
from jantaku.rules.own import vocabulary
from jantaku.tiles import EAST, KINDS, RED, Tile, next_kind
from jantaku.win import RiichiKind, Win

RUNS: Final = tuple(kind for kind in range(27) if kind % 9 < 7)
ORPHANS: Final = tuple(kind for kind in range(KINDS) if kind >= 27 or kind % 9 in (0, 8))
_TRIES: Final = 12
_MOST_INDICATORS: Final = 4
_MOST_TURNS: Final = 18
_UNCONNECTED: Final = (0, 3, 6, 10, 13, 16, 20, 23, 27, 28, 29, 30, 31)
_FLAGS: Final = tuple(
    word for word in vocabulary.FLAGS if word not in ("tsumo", "riichi", "double_riichi", "open_riichi")
)
_MELDS: Final = {"run": MeldType.CHI, "triplet": MeldType.PON, "quad": MeldType.DAIMINKAN}
Sets = list[tuple[str, int]]


def hand_for(wish: Wish, rules: Ruleset, chance: Random) -> Win | None:
    """A hand after the wish, ``None`` if the dice found none that exists under the rules."""
    try:
        win = _drawn(wish, rules, chance)
        if win is not None:
            check_against_rules(win, rules)
    except JantakuError:
        return None
    return win


def _drawn(wish: Wish, rules: Ruleset, chance: Random) -> Win | None:
    shown = any("hand" in catalogue()[name].example for name in wish.yaku)
    if shown and chance.random() < 0.8:
        return _of_catalogue(wish, chance)
    form = next((form for form in vocabulary.FORMS if wish.words.get(form)), "")
    if form in ("thirteen_orphans", "unconnected"):
        return _won(_special(form, chance), [], wish, rules, chance)
    if form == "seven_pairs" or (not form and _may_be_pairs(wish) and chance.random() < 0.15):
        pairs = _pairs(wish, chance)
        return _won([kind for kind in pairs for _ in range(2)], [], wish, rules, chance) if pairs else None
    return _of_sets(wish, rules, chance)


def _of_catalogue(wish: Wish, chance: Random) -> Win:
    """The catalogue's example of a yaku that the condition names, won as wished."""
    shown = [name for name in wish.yaku if "hand" in catalogue()[name].example]
    request: dict[str, Any] = {"by": "ron", **catalogue()[chance.choice(shown)].example}
    suits = "".join(chance.sample("mps", 3))
    table = str.maketrans("mps", suits)
    request |= {name: request[name].translate(table) for name in ("hand", "win")}
    if "melds" in request:
        request["melds"] = [{**meld, "tiles": meld["tiles"].translate(table)} for meld in request["melds"]]
    if "tsumo" in wish.words:
        request["by"] = "tsumo" if wish.words["tsumo"] else "ron"
    if chance.random() < 0.7:
        request |= {"seat": WIND_NAMES[wish.seat - EAST], "round": WIND_NAMES[wish.round - EAST]}
    request |= {word: True for word in _FLAGS if wish.words.get(word)}
    if riichi := _riichi(wish):
        request["riichi"] = riichi
    return win_from_request(request)


def _special(form: str, chance: Random) -> list[int]:
    if form == "thirteen_orphans":
        return [*ORPHANS, chance.choice(ORPHANS)]
    return [*_UNCONNECTED, chance.choice(_UNCONNECTED)]


def _may_be_pairs(wish: Wish) -> bool:
    open_ = wish.words.get("closed") is False
    return (
        not wish.sets
        and not wish.words.get("standard")
        and not open_
        and max(wish.tiles.values(), default=0) < 3
    )


def _pairs(wish: Wish, chance: Random) -> list[int]:
    """Seven different kinds, those that are wished first."""
    wished = list(dict.fromkeys([*wish.tiles, *wish.pairs]))[:7]
    others = [kind for kind in _fitting_kinds(wish) if kind not in wished]
    if len(wished) + len(others) < 7:
        return []
    return wished + chance.sample(others, 7 - len(wished))


def _of_sets(wish: Wish, rules: Ruleset, chance: Random) -> Win | None:
    """Four sets and a pair."""
    sets, pairs = list(wish.sets), list(wish.pairs[:1])
    _cover(wish, sets, pairs, chance)
    if len(sets) > 4:
        return None
    for _ in range(_TRIES):
        whole = sets + _more_sets(wish, sets, chance, 4 - len(sets))
        pair = pairs[0] if pairs else chance.choice(_fitting_kinds(wish) or range(KINDS))
        tiles = [kind for part in whole for kind in _tiles_of(part)] + [pair, pair]
        if len(whole) == 4 and all(tiles.count(kind) <= 4 for kind in tiles):
            if wish.words.get("rinshan") or (wish.words.get("four_kans")):
                whole = _with_quad(whole, chance)
            return _called(whole, pair, wish, rules, chance)
    return None


def _cover(wish: Wish, sets: Sets, pairs: list[int], chance: Random) -> None:
    """Add sets for wished tiles that are in none yet."""
    held = [kind for part in sets for kind in _tiles_of(part)] + pairs * 2
    wished = list(wish.tiles.items())
    chance.shuffle(wished)
    for kind, count in sorted(wished, key=lambda row: -row[1]):
        missing = count - held.count(kind)
        if missing <= 0:
            continue
        runs = [first for first in (kind - 2, kind - 1, kind) if first in RUNS and first // 9 == kind // 9]
        runs = [first for first in runs if all(wish.allowed >> first + step & 1 for step in range(3))]
        if missing == 2 and not pairs:
            pairs.append(kind)
            held += [kind, kind]
            continue
        if missing > 1 or not runs or wish.most_runs == 0 or chance.random() < 0.25:
            more: tuple[str, int] = ("quad" if missing == 4 else "triplet", kind)
            if missing == 1 and not pairs and chance.random() < 0.5:
                pairs.append(kind)
                held += [kind, kind]
                continue
        else:
            more = ("run", chance.choice(runs))
        sets.append(more)
        held += _tiles_of(more)


def _more_sets(wish: Wish, sets: Sets, chance: Random, count: int) -> Sets:
    """Sets that fill up the hand within what is allowed."""
    mask = wish.allowed
    runs = [first for first in RUNS if mask >> first & 0b111 == 0b111 and wish.touched >> first & 0b111]
    triplets = _fitting_kinds(wish)
    added: Sets = []
    lean = chance.choice((0.2, 0.7, 0.9))
    for _ in range(count):
        run_count = sum(part[0] == "run" for part in sets + added)
        fewer_runs = not runs or run_count >= wish.most_runs
        fewer_triplets = not triplets or len(sets) + len(added) - run_count >= wish.most_triplets
        if fewer_runs and fewer_triplets:
            return added
        if not fewer_runs and (fewer_triplets or chance.random() < lean):
            added.append(("run", chance.choice(runs)))
        else:
            added.append(("triplet", chance.choice(triplets)))
    return added


def _fitting_kinds(wish: Wish) -> list[int]:
    return [kind for kind in range(KINDS) if (wish.allowed & wish.touched) >> kind & 1]


def _tiles_of(part: tuple[str, int]) -> list[int]:
    shape, kind = part
    if shape == "run":
        return [kind, kind + 1, kind + 2]
    return [kind] * (4 if "quad" in shape else 3)


def _with_quad(sets: Sets, chance: Random) -> Sets:
    """The sets with a kan, if there was none."""
    triplets = [i for i, part in enumerate(sets) if "triplet" in part[0]]
    if not triplets or any("quad" in part[0] for part in sets):
        return sets
    at = chance.choice(triplets)
    return [("quad", part[1]) if i == at else part for i, part in enumerate(sets)]


def _called(sets: Sets, pair: int, wish: Wish, rules: Ruleset, chance: Random) -> Win | None:
    """The hand with some sets called, as wished."""
    closed = wish.words.get("closed")
    wanted = wish.numbers.get("melds", 0)
    order = chance.sample(sets, len(sets))
    melds: list[Meld] = []
    tiles = [pair, pair]
    for i, (shape, kind) in enumerate(order):
        quad = "quad" in shape
        free = "concealed" not in shape and closed is not True
        call = free and (
            (closed is False and i == 0) or len(melds) < wanted or (closed is None and chance.random() < 0.08)
        )
        if quad:
            kan = MeldType.ANKAN if not free or (chance.random() < 0.5 and not call) else MeldType.DAIMINKAN
            melds.append(Meld(kan, (Tile(kind),) * 4))
        elif call and (shape != "run" or rules.calls.chi):
            made = tuple(Tile(kind) for kind in _tiles_of((shape, kind)))
            melds.append(Meld(_MELDS[shape], made))
        else:
            tiles += _tiles_of((shape, kind))
    return _won(tiles, melds, wish, rules, chance)


def _won(tiles: list[int], melds: list[Meld], wish: Wish, rules: Ruleset, chance: Random) -> Win | None:
    """The tiles won on one of them, under the wished circumstances."""
    fitting = [kind for kind in tiles if wish.win >> kind & 1]
    if not fitting:
        return None
    words, numbers = wish.words, wish.numbers
    win = chance.choice(fitting)
    rest = sorted(tiles)
    rest.remove(win)
    red = _reddened([*rest, win], numbers.get("red", 0), rules)
    riichi = _riichi(wish)
    tsumo = words.get("tsumo")
    if tsumo is None:
        tsumo = bool(words.get("rinshan")) or (not words.get("chankan") and chance.random() < 0.4)
    flags: dict[str, Any] = {word: True for word in _FLAGS if words.get(word)}
    held = [*tiles, *(int(kind) % RED for meld in melds for kind in meld.tiles)]
    flags |= _said(wish, held, chance)
    return Win(
        Hand(tuple(map(Tile, red[:-1])), tuple(melds)),
        Tile(red[-1]),
        tsumo=tsumo,
        seat=WIND_NAMES[wish.seat - EAST],
        round=WIND_NAMES[wish.round - EAST],
        riichi=riichi,
        dora=_indicators(numbers.get("dora", 0), held, rules),
        ura=_indicators(numbers.get("ura", 0), held, rules) if riichi else (),
        honba=numbers.get("honba", 0),
        dealer_streak=numbers.get("streak", 0),
        kita=numbers.get("kita", 0),
        **flags,
    )


def _said(wish: Wish, held: list[int], chance: Random) -> dict[str, Any]:
    """The turn, the points before the win and the discards, as far as the wish asks for them."""
    said: dict[str, Any] = {}
    if "score" in wish.numbers:
        said["score"] = wish.numbers["score"] // 100 * 100
    if wish.discarded or "turn" in wish.numbers:
        turn = min(max(1, wish.numbers.get("turn", 0)), _MOST_TURNS)
        left = [kind for kind in range(KINDS) if held.count(kind) == 0]
        discarded = [*wish.discarded, *chance.sample(left, max(0, turn - 1 - len(wish.discarded)))]
        said["discarded"] = tuple(map(Tile, discarded))
    return said


def _riichi(wish: Wish) -> RiichiKind | None:
    """The riichi that the words ask for."""
    words = wish.words
    if words.get("open_riichi"):
        return "double_open" if words.get("double_riichi") else "open"
    if words.get("double_riichi"):
        return "double"
    needed = (
        words.get("riichi") or words.get("ippatsu") or words.get("riichi_tile") or wish.numbers.get("ura")
    )
    return "riichi" if needed and not words.get("riichi_tile") else None


def _reddened(tiles: list[int], count: int, rules: Ruleset) -> list[int]:
    """The tiles with so many red ones, as far as the rules have them."""
    left = {tile: number for tile, number in rules.tiles.red.items() if number}
    reds = list(tiles)
    for i, tile in enumerate(reds):
        name = f"{tile % 9 + 1}{'mpsz'[tile // 9]}"
        if count > 0 and left.get(name, 0) > 0:
            left[name] -= 1
            count -= 1
            reds[i] = tile + RED
    return reds


def _indicators(count: int, held: list[int], rules: Ruleset) -> tuple[Tile, ...]:
    """Indicators that make at least so many dora, as far as a few of them can."""
    seen, indicators = list(held), list[Tile]()
    while count > 0 and len(indicators) < _MOST_INDICATORS:
        worth = {
            kind: held.count(next_kind(kind, rules.tiles.man))
            for kind in range(KINDS)
            if seen.count(kind) < 4
        }
        best = max(worth, key=lambda kind: (min(worth[kind], count), -worth[kind]))
        count -= worth[best]
        seen.append(best)
        indicators.append(Tile(best))
    return tuple(indicators)
