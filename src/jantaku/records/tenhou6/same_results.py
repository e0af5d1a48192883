"""Compare two representations of the same end of a hand.

Programs write the same result with yaku in a different order or language, with dora of 0 han, with or without
fu for a limit hand, and a tsumo by its shares or its sum. Only the meaning is compared.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from jantaku.records.places import at_places
from jantaku.records.tenhou6.endings import KINDS, WON
from jantaku.records.yaku_names import AMONG_DORA, FORMS, yaku_of
from jantaku.rules.bonus import BONUS

_YAKU: Final = re.compile(r"(?P<name>.*)\((?P<worth>[^()]*)\)")
_HAN: Final = re.compile(r"(\d+)\s*(?:飜|翻|番|han|판)", re.IGNORECASE)
_FU: Final = re.compile(r"(\d+)\s*符")
_POINTS: Final = re.compile(r"(?:(\d+)-)?(\d+)\s*点(∀?)")
_YAKUMAN: Final = "役満"


@dataclass(frozen=True)
class Worth:
    """The contents of ``30符4飜7700点`` and the names after it; missing parts are ``None``.

    ``yaku`` are known yaku with their han, 0 for a yakuman; ``others`` is the total han of unknown ones.
    """

    fu: int | None
    han: int | None
    points: frozenset[int]
    yaku: Counter[tuple[str, int]]
    others: int
    has_unknown: bool

    def agrees(self, other: "Worth") -> bool:
        """Whether both agree in all the parts that both contain."""
        pairs = ((self.fu, other.fu), (self.han, other.han))
        if any(None not in pair and pair[0] != pair[1] for pair in pairs):
            return False
        if self.points and other.points and not self.points & other.points:
            return False
        mine, theirs = self.yaku - other.yaku, other.yaku - self.yaku
        if not self.has_unknown and not other.has_unknown:
            return not mine and not theirs
        first, two = (sum(han for (_, han), n in rest.items() for _ in range(n)) for rest in (mine, theirs))
        return self.others + first == other.others + two


def worth_of(row: Sequence[Any], seats: int) -> Worth:
    """Parse the value of a win's row, from its fourth entry on, in a game with ``seats`` players."""
    text = str(row[3]) if len(row) > 3 else ""
    known: Counter[tuple[str, int]] = Counter()
    others, has_unknown = 0, False
    for entry in map(str, row[4:]):
        name, han = _yaku(entry)
        if han == 0 and _YAKUMAN not in entry:  # ura dora without a match
            continue
        if name is None:
            others, has_unknown = others + han, True
        else:
            known[(FORMS.get(name, name) if han == 0 else name, han)] += 1
    fu, stated_han = _FU.search(text), _HAN.search(text)
    limit = _YAKUMAN in text
    return Worth(
        int(fu[1]) if fu and not limit else None,
        int(stated_han[1]) if stated_han and not limit else None,
        _points(text, seats - 1),
        _merged(known),
        others,
        has_unknown,
    )


def _yaku(entry: str) -> tuple[str | None, int]:
    match = _YAKU.fullmatch(entry)
    if not match:
        return yaku_of(entry), 0
    han = _HAN.search(match["worth"])
    return yaku_of(match["name"]), int(han[1]) if han and _YAKUMAN not in entry else 0


def _merged(known: Counter[tuple[str, int]]) -> Counter[tuple[str, int]]:
    """Merge dora that occur in several entries."""
    counts: Counter[tuple[str, int]] = Counter()
    for (name, han), count in known.items():
        if name in BONUS:
            counts[(AMONG_DORA.get(name, name), 0)] += han * count
        else:
            counts[(name, han)] += count
    return Counter(
        {(name, count) if name in BONUS and han == 0 else (name, han): 1 if name in BONUS else count
         for (name, han), count in counts.items()}
    )  # fmt: skip


def _points(text: str, payers: int) -> frozenset[int]:
    """Return the possible sums of a text: ``2000点`` of a dealer's tsumo may be paid by each player.

    With three players, converters may leave the missing share that two players split out of ``1000-2000点``.
    """
    match = _POINTS.search(text)
    if not match:
        return frozenset()
    points = int(match[2])
    if match[1]:
        low = int(match[1])
        whole = (payers - 1) * low + points
        split = 2 * -(-low // 200) * 100
        return frozenset({whole, whole + split} if payers == 2 else {whole})
    return frozenset({payers * points} if match[3] else {points, payers * points})


def same_result(log: Sequence[Any], engine: Sequence[Any], seats: int) -> bool:
    """Whether the logged result of a hand is consistent with the engine's."""
    if log[:1] != [WON] or engine[:1] != [WON]:
        return log[:1] != [WON] and engine[:1] != [WON] and _same_draw(log, engine)
    theirs = {int(row[0]): (deltas, row) for deltas, row in zip(log[1::2], log[2::2], strict=True)}
    ours = {int(row[0]): (deltas, row) for deltas, row in zip(engine[1::2], engine[2::2], strict=True)}
    return theirs.keys() == ours.keys() and all(_same_win(theirs[seat], ours[seat], seats) for seat in ours)


def _same_win(log: tuple[Any, Sequence[Any]], engine: tuple[Any, Sequence[Any]], seats: int) -> bool:
    (deltas, row), (wanted, own) = log, engine
    if _deltas(deltas) != _deltas(wanted) or [int(n) for n in row[1:3]] != [int(n) for n in own[1:3]]:
        return False
    return worth_of(row, seats).agrees(worth_of(own, seats))


def _same_draw(log: Sequence[Any], engine: Sequence[Any]) -> bool:
    kinds = [KINDS.get(str(result[0])) if result else "" for result in (log, engine)]
    if kinds[0] is not None and kinds[0] != kinds[1]:
        return False
    return _deltas(log[1] if log[1:] else ()) == _deltas(engine[1] if engine[1:] else ())


def _deltas(deltas: Sequence[Any]) -> list[int]:
    return at_places([int(delta) for delta in deltas], 0)
