"""Random winning hands that follow hints (``own_hints``), used to find examples of custom yaku."""

from random import Random
from typing import Any, Final

from jantaku.adjudication.own_hints import HandHints
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
_MAX_INDICATORS: Final = 4
_MAX_TURN: Final = 18
_UNCONNECTED: Final = (0, 3, 6, 10, 13, 16, 20, 23, 27, 28, 29, 30, 31)
_FLAGS: Final = tuple(
    word for word in vocabulary.FLAGS if word not in ("tsumo", "riichi", "double_riichi", "open_riichi")
)
_MELDS: Final = {"run": MeldType.CHI, "triplet": MeldType.PON, "quad": MeldType.DAIMINKAN}
Sets = list[tuple[str, int]]


def hand_for(hints: HandHints, rules: Ruleset, chance: Random) -> Win | None:
    """Draw a hand that follows the hints; ``None`` if the result is not valid under the rules."""
    try:
        win = _drawn(hints, rules, chance)
        if win is not None:
            check_against_rules(win, rules)
    except JantakuError:
        return None
    return win


def _drawn(hints: HandHints, rules: Ruleset, chance: Random) -> Win | None:
    has_example = any("hand" in catalogue()[name].example for name in hints.yaku)
    if has_example and chance.random() < 0.8:
        return _from_catalogue(hints, chance)
    form = next((form for form in vocabulary.FORMS if hints.words.get(form)), "")
    if form in ("thirteen_orphans", "unconnected"):
        return _won(_special(form, chance), [], hints, rules, chance)
    if form == "seven_pairs" or (not form and _may_be_pairs(hints) and chance.random() < 0.15):
        pairs = _pairs(hints, chance)
        return _won([kind for kind in pairs for _ in range(2)], [], hints, rules, chance) if pairs else None
    return _of_sets(hints, rules, chance)


def _from_catalogue(hints: HandHints, chance: Random) -> Win:
    """Return the catalogue's example of a yaku named by the condition, with the hinted circumstances."""
    names = [name for name in hints.yaku if "hand" in catalogue()[name].example]
    request: dict[str, Any] = {"by": "ron", **catalogue()[chance.choice(names)].example}
    suits = "".join(chance.sample("mps", 3))
    table = str.maketrans("mps", suits)
    request |= {name: request[name].translate(table) for name in ("hand", "win")}
    if "melds" in request:
        request["melds"] = [{**meld, "tiles": meld["tiles"].translate(table)} for meld in request["melds"]]
    if "tsumo" in hints.words:
        request["by"] = "tsumo" if hints.words["tsumo"] else "ron"
    if chance.random() < 0.7:
        request |= {"seat": WIND_NAMES[hints.seat - EAST], "round": WIND_NAMES[hints.round - EAST]}
    request |= {word: True for word in _FLAGS if hints.words.get(word)}
    if riichi := _riichi(hints):
        request["riichi"] = riichi
    return win_from_request(request)


def _special(form: str, chance: Random) -> list[int]:
    if form == "thirteen_orphans":
        return [*ORPHANS, chance.choice(ORPHANS)]
    return [*_UNCONNECTED, chance.choice(_UNCONNECTED)]


def _may_be_pairs(hints: HandHints) -> bool:
    open_ = hints.words.get("closed") is False
    return (
        not hints.sets
        and not hints.words.get("standard")
        and not open_
        and max(hints.tiles.values(), default=0) < 3
    )


def _pairs(hints: HandHints, chance: Random) -> list[int]:
    """Return seven different kinds, hinted ones first; an empty list if there are too few."""
    hinted = list(dict.fromkeys([*hints.tiles, *hints.pairs]))[:7]
    others = [kind for kind in _fitting_kinds(hints) if kind not in hinted]
    if len(hinted) + len(others) < 7:
        return []
    return hinted + chance.sample(others, 7 - len(hinted))


def _of_sets(hints: HandHints, rules: Ruleset, chance: Random) -> Win | None:
    """Draw a hand of four sets and a pair."""
    sets, pairs = list(hints.sets), list(hints.pairs[:1])
    _cover(hints, sets, pairs, chance)
    if len(sets) > 4:
        return None
    for _ in range(_TRIES):
        whole = sets + _more_sets(hints, sets, chance, 4 - len(sets))
        pair = pairs[0] if pairs else chance.choice(_fitting_kinds(hints) or range(KINDS))
        tiles = [kind for part in whole for kind in _tiles_of(part)] + [pair, pair]
        if len(whole) == 4 and all(tiles.count(kind) <= 4 for kind in tiles):
            if hints.words.get("rinshan") or (hints.words.get("four_kans")):
                whole = _with_quad(whole, chance)
            return _called(whole, pair, hints, rules, chance)
    return None


def _cover(hints: HandHints, sets: Sets, pairs: list[int], chance: Random) -> None:
    """Add sets or a pair for hinted tiles that no group contains."""
    held = [kind for part in sets for kind in _tiles_of(part)] + pairs * 2
    hinted = list(hints.tiles.items())
    chance.shuffle(hinted)
    for kind, count in sorted(hinted, key=lambda row: -row[1]):
        missing = count - held.count(kind)
        if missing <= 0:
            continue
        runs = [first for first in (kind - 2, kind - 1, kind) if first in RUNS and first // 9 == kind // 9]
        runs = [first for first in runs if all(hints.allowed >> first + step & 1 for step in range(3))]
        if missing == 2 and not pairs:
            pairs.append(kind)
            held += [kind, kind]
            continue
        if missing > 1 or not runs or hints.max_runs == 0 or chance.random() < 0.25:
            more: tuple[str, int] = ("quad" if missing == 4 else "triplet", kind)
            if missing == 1 and not pairs and chance.random() < 0.5:
                pairs.append(kind)
                held += [kind, kind]
                continue
        else:
            more = ("run", chance.choice(runs))
        sets.append(more)
        held += _tiles_of(more)


def _more_sets(hints: HandHints, sets: Sets, chance: Random, count: int) -> Sets:
    """Return up to ``count`` further sets within the kinds and numbers allowed."""
    mask = hints.allowed
    runs = [first for first in RUNS if mask >> first & 0b111 == 0b111 and hints.touched >> first & 0b111]
    triplets = _fitting_kinds(hints)
    added: Sets = []
    run_probability = chance.choice((0.2, 0.7, 0.9))
    for _ in range(count):
        run_count = sum(part[0] == "run" for part in sets + added)
        no_run = not runs or run_count >= hints.max_runs
        no_triplet = not triplets or len(sets) + len(added) - run_count >= hints.max_triplets
        if no_run and no_triplet:
            return added
        if not no_run and (no_triplet or chance.random() < run_probability):
            added.append(("run", chance.choice(runs)))
        else:
            added.append(("triplet", chance.choice(triplets)))
    return added


def _fitting_kinds(hints: HandHints) -> list[int]:
    return [kind for kind in range(KINDS) if (hints.allowed & hints.touched) >> kind & 1]


def _tiles_of(part: tuple[str, int]) -> list[int]:
    shape, kind = part
    if shape == "run":
        return [kind, kind + 1, kind + 2]
    return [kind] * (4 if "quad" in shape else 3)


def _with_quad(sets: Sets, chance: Random) -> Sets:
    """Turn a triplet into a kan, unless the sets already have one."""
    triplets = [i for i, part in enumerate(sets) if "triplet" in part[0]]
    if not triplets or any("quad" in part[0] for part in sets):
        return sets
    at = chance.choice(triplets)
    return [("quad", part[1]) if i == at else part for i, part in enumerate(sets)]


def _called(sets: Sets, pair: int, hints: HandHints, rules: Ruleset, chance: Random) -> Win | None:
    """Declare some of the sets as melds, following the hints, and win the hand."""
    closed = hints.words.get("closed")
    wanted = hints.numbers.get("melds", 0)
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
            called = tuple(Tile(kind) for kind in _tiles_of((shape, kind)))
            melds.append(Meld(_MELDS[shape], called))
        else:
            tiles += _tiles_of((shape, kind))
    return _won(tiles, melds, hints, rules, chance)


def _won(tiles: list[int], melds: list[Meld], hints: HandHints, rules: Ruleset, chance: Random) -> Win | None:
    """Build a win on one of the tiles, in the hinted circumstances."""
    fitting = [kind for kind in tiles if hints.win >> kind & 1]
    if not fitting:
        return None
    words, numbers = hints.words, hints.numbers
    win = chance.choice(fitting)
    rest = sorted(tiles)
    rest.remove(win)
    red = _reddened([*rest, win], numbers.get("red", 0), rules)
    riichi = _riichi(hints)
    tsumo = words.get("tsumo")
    if tsumo is None:
        tsumo = bool(words.get("rinshan")) or (not words.get("chankan") and chance.random() < 0.4)
    flags: dict[str, Any] = {word: True for word in _FLAGS if words.get(word)}
    held = [*tiles, *(int(kind) % RED for meld in melds for kind in meld.tiles)]
    flags |= _optional_facts(hints, held, chance)
    return Win(
        Hand(tuple(map(Tile, red[:-1])), tuple(melds)),
        Tile(red[-1]),
        tsumo=tsumo,
        seat=WIND_NAMES[hints.seat - EAST],
        round=WIND_NAMES[hints.round - EAST],
        riichi=riichi,
        dora=_indicators(numbers.get("dora", 0), held, rules),
        ura=_indicators(numbers.get("ura", 0), held, rules) if riichi else (),
        honba=numbers.get("honba", 0),
        dealer_streak=numbers.get("streak", 0),
        kita=numbers.get("kita", 0),
        **flags,
    )


def _optional_facts(hints: HandHints, held: list[int], chance: Random) -> dict[str, Any]:
    """Return the points before the win and the discards, which imply the turn, if the hints set them."""
    facts: dict[str, Any] = {}
    if "score" in hints.numbers:
        facts["score"] = hints.numbers["score"] // 100 * 100
    if hints.discarded or "turn" in hints.numbers:
        turn = min(max(1, hints.numbers.get("turn", 0)), _MAX_TURN)
        free = [kind for kind in range(KINDS) if held.count(kind) == 0]
        discarded = [*hints.discarded, *chance.sample(free, max(0, turn - 1 - len(hints.discarded)))]
        facts["discarded"] = tuple(map(Tile, discarded))
    return facts


def _riichi(hints: HandHints) -> RiichiKind | None:
    """Return the kind of riichi that the hints require."""
    words = hints.words
    if words.get("open_riichi"):
        return "double_open" if words.get("double_riichi") else "open"
    if words.get("double_riichi"):
        return "double"
    needed = (
        words.get("riichi") or words.get("ippatsu") or words.get("riichi_tile") or hints.numbers.get("ura")
    )
    return "riichi" if needed and not words.get("riichi_tile") else None


def _reddened(tiles: list[int], count: int, rules: Ruleset) -> list[int]:
    """Replace up to ``count`` tiles with red ones, as far as the ruleset has them."""
    available = {tile: number for tile, number in rules.tiles.red.items() if number}
    reds = list(tiles)
    for i, tile in enumerate(reds):
        name = f"{tile % 9 + 1}{'mpsz'[tile // 9]}"
        if count > 0 and available.get(name, 0) > 0:
            available[name] -= 1
            count -= 1
            reds[i] = tile + RED
    return reds


def _indicators(count: int, held: list[int], rules: Ruleset) -> tuple[Tile, ...]:
    """Return at most four indicators that give the hand at least ``count`` dora, if possible."""
    seen, indicators = list(held), list[Tile]()
    while count > 0 and len(indicators) < _MAX_INDICATORS:
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
