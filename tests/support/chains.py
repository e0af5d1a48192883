"""Chains of notable acts in a hand: what they are, which the rules make impossible, and which a game had.

An act is a call, a kan, a north, a riichi, a foul, or how the hand ended, and who did it: the seat of the act
before or another. Draws and discards between two acts do not count. A chain is three acts in a row.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, pairwise, product
from typing import Final, NamedTuple

from jantaku.adjudication.score import Score
from jantaku.game import events as e
from jantaku.hand import MeldType

KANS: Final = ("daiminkan", "ankan", "kakan")
CALLS: Final = ("chi", "pon", "daiminkan", "kakan")
MOVES: Final = ("chi", "pon", *KANS, "kita", "riichi", "foul")
ROBBED: Final = {"robbed_kakan": "kakan", "robbed_ankan": "ankan", "robbed_kita": "kita"}
BY_ONE: Final = (
    "tsumo",
    "rinshan",
    "ron",
    "riichi_ron",
    *ROBBED,
    "pao",
    "chombo",
    "nagashi",
    "kyuushu_kyuuhai",
)
BY_SEVERAL: Final = ("double_ron", "triple_ron", "double_robbed", "sanchahou", "suucha_riichi")
BY_NOBODY: Final = ("exhausted", "suufuu_renda", "suukansanra")
ENDINGS: Final = (*BY_ONE, *BY_SEVERAL, *BY_NOBODY)
VOIDING: Final = ("chombo", "expulsion")


class Act(NamedTuple):
    """An act, and whether the seat of the act before did it (``None`` for the first act, or nobody's)."""

    name: str
    same: bool | None = None

    def __str__(self) -> str:
        return self.name if self.same is None else f"{self.name} by {'the same' if self.same else 'another'}"


Chain = tuple[Act, ...]


# What a game had ------------------------------------------------------------------------------------------


@dataclass
class Watcher:
    """Reads the events of a game and counts the chains of its hands, pairs and triples."""

    seen: Counter[Chain] = field(default_factory=Counter)
    acts: list[tuple[str, int | None]] = field(default_factory=list)
    wins: list[e.Won] = field(default_factory=list)
    last: e.Event | None = None

    def read(self, event: e.Event) -> None:
        """Take the next event."""
        if self.wins and not isinstance(event, e.Won):
            self._note(*ended(self.wins, self.last))
            self.wins = []
        if isinstance(event, e.HandStarted):
            self.acts, self.last = [], None
        elif isinstance(event, e.Won):
            self.wins.append(event)
        elif named := named_by(event):
            self._note(*named)
        if isinstance(event, e.Discarded | e.KanDeclared | e.KitaDeclared | e.Drew):
            self.last = event

    def _note(self, name: str, seat: int | None) -> None:
        if self.acts and self.acts[-1][0] in ENDINGS:
            return  # a hand that a foul voids is drawn, too
        declared = name == "foul" and self.acts[-1:] == [("riichi", seat)]
        if declared and isinstance(self.last, e.Discarded) and self.last.seat == seat:
            return  # the riichi is the foul
        self.acts.append((name, seat))
        for length in (2, 3):
            if len(self.acts) >= length:
                self.seen[chain_of(self.acts[-length:])] += 1


def chain_of(acts: Iterable[tuple[str, int | None]]) -> Chain:
    """The chain of acts with their seats."""
    row = list(acts)
    rest = (
        Act(name, None if seat is None or before is None else seat == before)
        for (_, before), (name, seat) in pairwise(row)
    )
    return Act(row[0][0]), *rest


def named_by(event: e.Event) -> tuple[str, int | None] | None:  # noqa: PLR0911
    """The act that an event tells of, a win apart."""
    match event:
        case e.Called() | e.KanDeclared():
            return event.meld.type.value, event.seat
        case e.KitaDeclared():
            return "kita", event.seat
        case e.Discarded() if event.riichi:
            return "riichi", event.seat
        case e.Fouled():
            return "chombo" if event.cost in VOIDING else "foul", event.seat
        case e.HandDrawn():
            if event.nagashi:
                return "nagashi", event.nagashi[0] if len(event.nagashi) == 1 else None
            seat = next((seat for seat, hand in enumerate(event.hands) if hand), None)
            return event.kind, seat if event.kind in BY_ONE else None
    return None


def ended(wins: list[e.Won], last: e.Event | None) -> tuple[str, int | None]:
    """How wins ended the hand, and whose they were."""
    first, robbed = wins[0], {e.KanDeclared: "kan", e.KitaDeclared: "kita"}.get(type(last))
    if len(wins) > 1:
        return "double_robbed" if robbed else "double_ron" if len(wins) == 2 else "triple_ron", None
    assert isinstance(first.score, Score)
    if any(name in first.score.yaku for name in first.score.win.pao or ()):
        return "pao", first.seat
    if first.source is None:
        return "rinshan" if first.score.win.rinshan else "tsumo", first.seat
    if isinstance(last, e.KanDeclared):
        return "robbed_ankan" if last.meld.type is MeldType.ANKAN else "robbed_kakan", first.seat
    if robbed:
        return "robbed_kita", first.seat
    return "riichi_ron" if isinstance(last, e.Discarded) and last.riichi else "ron", first.seat


# What the rules make impossible ---------------------------------------------------------------------------


def seatings(chain: Chain, seats: int) -> Iterator[tuple[int, ...]]:
    """Who may have done the acts of a chain, the first of them seat 0; an act of nobody is seat 0's."""
    for others in product(range(seats), repeat=len(chain) - 1):
        row = (0, *others)
        if all(
            (act.same is None and mine == 0) or (act.same is not None and (mine == before) == act.same)
            for (before, mine), act in zip(pairwise(row), chain[1:], strict=True)
        ):
            yield row


Test = Callable[[Chain, tuple[int, ...]], bool]


def _again(late: Iterable[str], early: Iterable[str]) -> Test:
    """Whether the seat of one of ``early`` does one of ``late`` after it."""
    late, early = tuple(late), tuple(early)
    return lambda chain, seats: any(
        mine == its and a.name in early and b.name in late
        for (a, mine), (b, its) in combinations(zip(chain, seats, strict=True), 2)
    )


def _with(late: Iterable[str], early: Iterable[str]) -> Test:
    """Whether one of ``late`` follows one of ``early``, whoever did either."""
    late, early = tuple(late), tuple(early)
    return lambda chain, _: any(a.name in early and b.name in late for a, b in combinations(chain, 2))


def _apart(late: Iterable[str], *before: str) -> Test:
    """Whether something other than ``before`` stands before one of ``late``; fouls between do not count."""
    late = tuple(late)

    def test(chain: Chain, _: tuple[int, ...]) -> bool:
        for i, act in enumerate(chain):
            if act.name in late and i:
                earlier = i - 1
                while "foul" in before and earlier > 0 and chain[earlier].name == "foul":
                    earlier -= 1
                if chain[earlier].name not in before:
                    return True
        return False

    return test


def _five_sets(chain: Chain, seats: tuple[int, ...]) -> bool:
    """Whether the winner has two sets beside those of a yakuman that somebody is liable for."""
    own = [act.name for act, seat in zip(chain, seats, strict=True) if seat == seats[-1]]
    return chain[-1].name == "pao" and sum(name in ("chi", "ankan") for name in own) > 1


def _at_once(chain: Chain, seats: tuple[int, ...]) -> bool:  # noqa: PLR0911
    """Whether more than the last turn's acts follow what ends the hand at its discard."""
    acts = [(act.name, seat) for act, seat in zip(chain, seats, strict=True)][:-1]
    if chain[-1].name not in ("suucha_riichi", "suukansanra"):
        return False
    fouled = set[int]()
    while acts and acts[-1][0] == "foul":
        if acts[-1][1] in fouled:
            return chain[-1].name == "suucha_riichi"
        fouled.add(acts.pop()[1])
    if not acts:
        return False
    if acts[-1][0] == "riichi" and acts[-1][1] in fouled:
        return True
    if chain[-1].name == "suucha_riichi":
        return acts[-1][0] != "riichi"
    drawer = acts.pop()[1] if acts[-1][0] == "riichi" else acts[-1][1]
    while acts and acts[-1][0] in ("kita", "foul"):
        if acts[-1][0] == "kita" and acts[-1][1] != drawer:
            return True
        acts.pop()
    return bool(acts) and (acts[-1][0] not in KANS or acts[-1][1] != drawer)


def _second_turn(chain: Chain, seats: tuple[int, ...]) -> bool:
    """Whether a seat that has discarded sets a north aside before a draw of the first go-around."""
    acts = [(act.name, seat) for act, seat in zip(chain, seats, strict=True)]
    return acts[-1][0] in ("kyuushu_kyuuhai", "suufuu_renda") and any(
        a[0] == "riichi" and b[0] == "kita" and a[1] == b[1] for a, b in combinations(acts, 2)
    )


def _others(chain: Chain, seats: tuple[int, ...]) -> bool:
    """Whether a player robs a tile of its own."""
    return chain[-1].name in (*ROBBED, "riichi_ron") and chain[-1].same is True


def _replaced(chain: Chain, seats: tuple[int, ...]) -> bool:
    """Whether a win on a replacement tile is not of the seat that drew it, or another act was between."""
    if chain[-1].name != "rinshan":
        return False
    before = [(act.name, seat) for act, seat in zip(chain, seats, strict=True)][:-1]
    while len(before) > 1 and before[-1][0] == "foul":
        before.pop()
    name, seat = before[-1]
    if name == "foul":
        foulers = {seat for act, seat in zip(chain, seats, strict=True) if act.name == "foul"}
        return len(foulers) < 2 and (len(chain) > 2 or seats[-1] in foulers)
    fouls = [seat for act, seat in zip(chain, seats, strict=True) if act.name == "foul"]
    after = len(before) < len(chain) - 1
    return seat != seats[-1] or (after and (name == "daiminkan" or (name == "kakan" and seat in fouls)))


RULES: Final[tuple[tuple[str, Test], ...]] = (
    ("an open hand declares no riichi", _again(("riichi",), CALLS)),
    ("a player in riichi calls nothing", _again(CALLS, ("riichi",))),
    ("riichi is declared once", _again(("riichi",), ("riichi",))),
    ("nobody wins on their own tile", _others),
    ("a kan is robbed before anything else happens", _apart(("robbed_kakan",), "kakan")),
    ("a kan is robbed before anything else happens", _apart(("robbed_ankan",), "ankan")),
    ("a north is robbed before anything else happens", _apart(("robbed_kita",), "kita")),
    ("what is robbed is a kan or a north", _apart(("double_robbed",), *ROBBED.values())),
    ("the tile of a riichi is won on before anything else happens", _apart(("riichi_ron",), "riichi")),
    ("a replacement tile follows a kan or a north", _apart(("rinshan",), *KANS, "kita", "foul")),
    ("a replacement tile is its drawer's, and nobody fouls before it on an open kan", _replaced),
    ("only a hand for thirteen orphans robs a closed kan", _again(("robbed_ankan",), (*CALLS, "ankan"))),
    (
        "a call or kan ends the first go-around",
        _with(("kyuushu_kyuuhai", "suufuu_renda"), ("chi", "pon", *KANS)),
    ),
    ("nine kinds are shown on a first draw", _again(("kyuushu_kyuuhai",), ("riichi",))),
    ("liability needs an open hand", _again(("pao",), ("riichi",))),
    ("no hand has five sets", _five_sets),
    ("the hand ends at the discard", _at_once),
    ("nobody has a second first turn", _second_turn),
    ("four in riichi have called nothing", _with(("suucha_riichi",), CALLS)),
    ("the fourth riichi ends the hand", _apart(("suucha_riichi",), "riichi", "foul")),
    ("four kans end the hand before another call", _apart(("suukansanra",), *KANS, "riichi", "kita", "foul")),
)
"""What no ruleset allows, each as a test of a chain and the seats that may have done its acts."""


@cache
def impossible(chain: Chain) -> str | None:
    """Why no game can have the chain, ``None`` if one can."""
    reasons = []
    for row in seatings(chain, 4):
        reason = next((said for said, forbids in RULES if forbids(chain, row)), None)
        if reason is None:
            return None
        reasons.append(reason)
    return reasons[0] if reasons else "nobody's act has no seat"


def acts() -> Iterator[Act]:
    """Every act that may follow another."""
    for name in (*MOVES, *BY_ONE):
        yield from (Act(name, True), Act(name, False))
    yield from (Act(name) for name in (*BY_SEVERAL, *BY_NOBODY))


@cache
def chains(length: int) -> tuple[Chain, ...]:
    """Every chain of this length that could be written, the impossible ones included."""
    first = [(Act(name),) for name in MOVES]
    for _ in range(length - 1):
        first = [(*chain, act) for chain in first if chain[-1].name in MOVES for act in acts()]  # type: ignore[misc]
    return tuple(first)


def possible(length: int) -> list[Chain]:
    """Every chain of this length that a game can have."""
    return [chain for chain in chains(length) if impossible(chain) is None]
