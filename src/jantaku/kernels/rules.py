"""A ruleset as a record for compiled code.

The record mirrors the option table: ``rules.score.kiriage_mangan`` is the option of that name. Numbers and
switches are stored as numbers, a choice as the position of its value among the possible values; compiled code
compares it with ``choice("score.kazoe", "sanbaiman")``. Yaku values become masks and arrays over the bits of
``kernels.bits``; index 0 is for closed hands, 1 for open ones.
"""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Final, Literal, get_args, get_origin

import numpy as np
import numpy.typing as npt

from jantaku.kernels.bits import YAKU_BITS
from jantaku.rules.catalogue import (
    LIMIT_BASE,
    LIMIT_HAN,
    YAKUMAN,
    YAKUMAN_BASE,
    Only,
    catalogue,
    han_of,
)
from jantaku.rules.check import hints
from jantaku.rules.options import SECTIONS, FoulCost, FoulsOptions
from jantaku.rules.own.codes import (
    FILTER,
    MASK,
    MAX_ALTERNATIVES_TOGETHER,
    MAX_STEPS_TOGETHER,
    OP,
    OWN,
    STEP,
    TERM,
)
from jantaku.rules.own.naming import in_order
from jantaku.rules.own_yaku import MAX_OWN
from jantaku.rules.ruleset import Ruleset
from jantaku.rules.worths import conditions, worths
from jantaku.tiles import COPIES, DRAGONS, KINDS, NORTH, Tile, kinds_of, next_kind

Record = npt.NDArray[Any]

CLOSED, OPEN = 0, 1
ONLY: Final[tuple[str, ...]] = get_args(Only)
COUNTS_HAN, COUNTS_YAKUMAN, COUNTS_LIMIT = range(3)
KANS: Final = 4


def _choices(hint: Any) -> tuple[Any, ...] | None:
    """Return the values of a choice, () for a number or switch, ``None`` if the record cannot store it."""
    if get_origin(hint) is Literal:
        return get_args(hint) if isinstance(get_args(hint)[0], str) else ()
    return () if hint in (int, bool) else None


def choice(path: str, value: str) -> int:
    """Return the number that the record stores for this ``value`` of the option at ``path``."""
    section, name = path.split(".")
    values = _choices(hints(SECTIONS[section])[name])
    return (values or ()).index(value)


FOULS: Final = tuple(name for name, hint in hints(FoulsOptions).items() if hint == FoulCost)


def foul(name: str) -> int:
    """Return the number of a foul, its index in ``rules.foul_costs``."""
    return FOULS.index(name)


def _section_dtype(section: type) -> np.dtype[Any]:
    kept = [f.name for f in fields(section) if _choices(hints(section)[f.name]) is not None]
    return np.dtype((np.record, [(name, np.int32) for name in kept]))


_OWN_YAKU_DTYPE = np.dtype(
    (
        np.record,
        [
            ("available", np.int64, 2),
            ("yakuman", np.int64, 2),
            ("limit", np.int64, 2),
            ("worth", np.int16, (2, MAX_OWN)),
            ("minimum", np.int64),
            ("replacing", np.int64),
            ("replaces", np.int64, MAX_OWN),
            ("replaces_own", np.int64, MAX_OWN),
            ("only", np.int64, len(ONLY)),
        ],
    ),
    align=True,
)

_CONDITIONS_DTYPE = np.dtype(
    (
        np.record,
        [
            ("count", np.int32),  # number of alternatives
            ("filter", np.int64, (MAX_ALTERNATIVES_TOGETHER, FILTER)),
            ("index", np.uint8, MAX_ALTERNATIVES_TOGETHER),  # index of its yaku among the custom yaku
            ("values_of_k", np.uint8, MAX_ALTERNATIVES_TOGETHER),
            ("orders", np.uint8, MAX_ALTERNATIVES_TOGETHER),
            ("begin", np.int32, MAX_ALTERNATIVES_TOGETHER),  # range of its steps
            ("end", np.int32, MAX_ALTERNATIVES_TOGETHER),
            ("steps", np.int64, (MAX_STEPS_TOGETHER, STEP)),
        ],
    ),
    align=True,
)

_YAKU_DTYPE = np.dtype(
    (
        np.record,
        [
            ("available", np.int64, 2),
            ("yakuman", np.int64, 2),
            ("limit", np.int64, 2),
            ("worth", np.int16, (2, YAKU_BITS)),
            ("minimum", np.int64),
            ("accidental", np.int64),
            ("replacing", np.int64),
            ("replaces", np.int64, YAKU_BITS),
            ("replaces_own", np.int64, YAKU_BITS),
            ("only", np.int64, len(ONLY)),  # the yaku that depend on each condition
            ("liable", np.int64),
        ],
    ),
    align=True,
)

_SECTION_DTYPES = {
    name: dtype for name, section in SECTIONS.items() if (dtype := _section_dtype(section)).names
}

RULES: Final = np.dtype(
    (
        np.record,
        [
            *_SECTION_DTYPES.items(),
            ("tiles_in_wall", np.int32),
            ("rinshan", np.int32),  # how many tiles of the dead wall may be drawn
            ("copies", np.uint8, KINDS),  # how many tiles of each kind are in the set
            ("next_kind", np.uint8, KINDS),  # the dora of each indicator
            ("valued", np.int64),  # mask of the kinds that are yakuhai for everyone
            ("red", np.uint8, KINDS),
            ("uma", np.int32, 4),
            ("oka", np.int32),
            ("floats", np.uint8),
            ("floating_uma", np.int32, (3, 4)),
            ("nagashi_base", np.int32),
            ("foul_costs", np.uint8, len(FOULS)),
            ("yaku", _YAKU_DTYPE),
            ("own_yaku", _OWN_YAKU_DTYPE),
            ("conditions", _CONDITIONS_DTYPE),
        ],
    ),
    align=True,
)

MAX_CACHED: Final = 1024  # bounded, because untrusted users may send rulesets
_records: dict[str, Record] = {}


def rules_record(rules: Ruleset) -> Record:
    """Return the record of ``rules``, a read-only array of one ``RULES``, cached by fingerprint."""
    record = _records.get(rules.fingerprint)
    if record is None:
        if len(_records) >= MAX_CACHED:
            _records.pop(next(iter(_records)))
        record = _records[rules.fingerprint] = _make(rules)
    return record


def _make(rules: Ruleset) -> Record:
    array = np.zeros(1, RULES)
    record = array[0]
    for section in _SECTION_DTYPES:
        target = record[section]
        for name in target.dtype.names:
            value = getattr(getattr(rules, section), name)
            target[name] = choice(f"{section}.{name}", value) if isinstance(value, str) else value
    _fill_tiles(record, rules)
    for tile, count in rules.tiles.red.items():
        record["red"][Tile.parse(tile)] = count
    record["uma"][: len(rules.match.uma)] = rules.match.uma
    record["oka"] = oka(rules)
    record["floats"] = bool(rules.match.floating_uma)
    if rules.match.floating_uma:
        rows = np.array(rules.match.floating_uma)
        record["floating_uma"][: len(rows), : rows.shape[1]] = rows
    record["nagashi_base"] = nagashi_base(rules)
    record["foul_costs"] = [choice(f"fouls.{name}", getattr(rules.fouls, name)) for name in FOULS]
    _fill_yaku(record["yaku"], rules)
    _fill_own_yaku(record["own_yaku"], rules)
    _fill_conditions(record["conditions"], rules)
    array.setflags(write=False)
    return array


def _fill_tiles(record: Any, rules: Ruleset) -> None:
    kinds = kinds_of(rules.tiles.man)
    record["copies"][list(kinds)] = COPIES
    record["tiles_in_wall"] = COPIES * len(kinds)
    record["rinshan"] = KANS + COPIES * rules.kita.nukidora
    record["next_kind"] = [next_kind(kind, rules.tiles.man) for kind in range(KINDS)]
    record["valued"] = sum(1 << kind for kind in DRAGONS)
    if any(worth is not False for worth in worths(rules, "yakuhai_north")):
        record["valued"] |= 1 << NORTH


def _bits(names: tuple[str, ...]) -> int:
    order = list(catalogue())
    return sum(1 << order.index(name) for name in names if name in order and order.index(name) < YAKU_BITS)


def _own_bits(names: tuple[str, ...], rules: Ruleset) -> int:
    return sum(1 << i for i, yaku in enumerate(rules.own_yaku) if yaku.id in names)


def _fill_yaku(target: Any, rules: Ruleset) -> None:
    for bit, entry in enumerate(list(catalogue().values())[:YAKU_BITS]):
        value = rules.yaku[entry.id]
        _fill_worths(target, bit, worths(rules, entry.id), rules)
        _fill_replaced(target, bit, value.replaces, rules)
        target["minimum"] |= int(value.minimum) << bit
        target["accidental"] |= int(entry.accidental) << bit
        for only in conditions(rules, entry.id):
            target["only"][ONLY.index(only)] |= 1 << bit
    target["liable"] = _bits(rules.pao.yakuman)


def _fill_worths(target: Any, bit: int, worths: Sequence[Any], rules: Ruleset) -> None:
    """Fill in the closed and open value of a yaku where it counts."""
    for side, value in enumerate(worths):
        if value is False:
            continue
        counts, worth = _kind_of_worth(value, rules)
        target["available"][side] |= 1 << bit
        target["worth"][side][bit] = worth
        if counts != COUNTS_HAN:
            target["yakuman" if counts == COUNTS_YAKUMAN else "limit"][side] |= 1 << bit


def _fill_replaced(target: Any, bit: int, names: tuple[str, ...], rules: Ruleset) -> None:
    target["replacing"] |= int(bool(names)) << bit
    target["replaces"][bit] = _bits(names)
    target["replaces_own"][bit] = _own_bits(names, rules)


def oka(rules: Ruleset) -> int:
    """Return the points that first place receives in addition to its uma (inventory 403)."""
    match = rules.match
    if isinstance(match.oka, int):
        return match.oka
    return (match.return_points - match.start_points) * match.players if match.oka == "derived" else 0


def nagashi_base(rules: Ruleset) -> int:
    """Return the base points of a nagashi mangan, from its limit or yakuman; 0 if it has neither."""
    worth = rules.yaku["nagashi_mangan"].closed
    if worth in YAKUMAN:
        return YAKUMAN_BASE * YAKUMAN[str(worth)]
    return LIMIT_BASE.get(str(worth), 0)


def _kind_of_worth(worth: Any, rules: Ruleset) -> tuple[int, int]:
    if worth in YAKUMAN:  # without limits, a yakuman counts as a number of han
        return COUNTS_YAKUMAN, han_of(worth) if rules.score.aotenjou else YAKUMAN[worth]
    if worth in LIMIT_HAN:
        return COUNTS_LIMIT, LIMIT_HAN[worth]
    return COUNTS_HAN, int(worth)


def _fill_own_yaku(target: Any, rules: Ruleset) -> None:
    for bit, yaku in enumerate(rules.own_yaku):
        value = rules.yaku[yaku.id]
        _fill_worths(target, bit, (value.closed, value.open), rules)
        _fill_replaced(target, bit, value.replaces, rules)
        target["minimum"] |= int(value.minimum) << bit
        target["only"][ONLY.index(value.only)] |= 1 << bit


def _fill_conditions(target: Any, rules: Ruleset) -> None:
    """Fill in the alternatives of custom yaku's conditions, with their steps one after the other."""
    begin = count = 0
    places = {yaku.id: index for index, yaku in enumerate(rules.own_yaku)}
    for yaku in in_order(rules.own_yaku):
        index = places[yaku.id]
        named = [places[name] for name in yaku.names]
        for alternative in yaku.program.alternatives:
            end = begin + len(alternative.steps)
            target["filter"][count], target["index"][count] = alternative.filter, index
            target["values_of_k"][count], target["orders"][count] = (
                alternative.values_of_k,
                alternative.orders,
            )
            target["begin"][count], target["end"][count] = begin, end
            steps = np.array(alternative.steps, np.int64).reshape(-1, STEP)
            for step in steps:
                if step[OP] == TERM + OWN:
                    step[MASK] = named[step[MASK]]
            target["steps"][begin:end] = steps
            begin, count = end, count + 1
    target["count"] = count
