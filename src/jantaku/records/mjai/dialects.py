"""Brings the dialects of mjai to one: what a program leaves out follows from the messages before it.

The original protocol (Gimite's server) writes ``start_kyoku`` without ``scores``, and ``uradora_markers``;
older logs of it have no ``tsumogiri`` and no ``bakaze``, ``kyoku``, ``honba`` and ``kyotaku``, and its first
dealer may be any seat. Mortal's has no ``pai`` in a ``hora`` and may leave out payments and ura indicators.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Final

from jantaku.records.mjai.write import HIDDEN, WINDS, Message
from jantaku.tiles import RED, Tile, from_mjai, kinds_of, next_kind
from jantaku.tiles import to_mjai as tile_name

Row = tuple[int, Message]  # the line number and its message
CLAIMS: Final = ("chi", "pon", "daiminkan")
STANDING: Final = {"bakaze": "number", "kyoku": "number", "honba": "honba", "kyotaku": "deposits"}
BY_PLACE: Final = ("tehais", "scores", "deltas", "names", "tenpais")
PLACE_NAMES: Final = ("actor", "target", "oya", "id")
START_POINTS: Final = {3: 35_000}  # of games whose log never tells points; 25,000 with four players
STICK: Final = 1000
COPIES: Final = 4
MIN_SEATS: Final = 3
FIVES: Final = (4, 13, 22)


@dataclass
class Course:
    """The messages of a log in one dialect.

    ``unsaid`` has the fields of each hand's start that the log leaves to the rules, by the line of its
    ``start_kyoku``; ``guesses`` the hands won by riichi without ura indicators, in order.
    """

    rows: list[Row] = field(default_factory=list)
    unsaid: dict[int, frozenset[str]] = field(default_factory=dict)
    guesses: "list[UraGuess]" = field(default_factory=list)


@dataclass
class UraGuess:
    """Ura indicators that a log does not show: such that they are worth as many han as were paid."""

    line: int  # of the hand's first ``hora``
    at: list[int]  # where the rows of the wins are
    unseen: Counter[int]
    hands: list[Counter[int]]
    count: int  # of the indicators
    man: str
    tried: int = 0

    def next(self) -> list[str] | None:
        """The names of indicators with another worth to the winners; ``None`` if all were tried."""
        found = self._choices()
        if self.tried >= len(found):
            return None
        self.tried += 1
        return [tile_name(Tile(tile)) for tile in found[self.tried - 1]]

    def _choices(self) -> list[tuple[int, ...]]:
        """Indicators for each number of ura dora that the winners can have, the fewest first."""
        dora = {tile: next_kind(tile, self.man) for tile in self.unseen}
        worth = {tile: tuple(hand[kind] for hand in self.hands) for tile, kind in dora.items()}
        like: dict[tuple[int, ...], list[int]] = {}
        for tile, han in sorted(worth.items()):
            like.setdefault(han, []).extend([tile] * self.unseen[tile])
        found: dict[tuple[int, ...], tuple[int, ...]] = {}
        for kinds in combinations_with_replacement(sorted(like), self.count):
            used = Counter(kinds)
            if all(len(like[han]) >= times for han, times in used.items()):
                total = tuple(map(sum, zip(*kinds, strict=True)))
                found.setdefault(
                    total, tuple(tile for han, times in used.items() for tile in like[han][:times])
                )
        return [found[total] for total in sorted(found, key=lambda han: (sum(han), han))]


def in_one_dialect(rows: Sequence[Row]) -> Course:
    """The messages with everything that follows from others; wrong ones are left as they are."""
    reader = DialectReader(_turned(rows))
    for line, message in reader.given:
        try:
            said = reader.take(line, message)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            said = message  # the script's reader names what is wrong with it
        reader.course.rows.append((line, said))
    return reader.course


def _turned(rows: Sequence[Row]) -> list[Row]:
    """The messages with the first dealer at seat 0, as the rules count seats."""
    start = next((message for _, message in rows if message["type"] == "start_kyoku"), {})
    shift = first_dealer(start)
    return (
        [(line, turned_by(message, shift, len(start["tehais"]))) for line, message in rows]
        if shift
        else [*rows]
    )


def first_dealer(start: Message) -> int:
    """The seat that dealt East 1, as far as a ``start_kyoku`` tells; 0 if it does not."""
    hands, dealer, kyoku = start.get("tehais"), start.get("oya"), start.get("kyoku", 1)
    if not isinstance(hands, list) or type(dealer) is not int or type(kyoku) is not int or not hands:
        return 0
    return (dealer - kyoku + 1) % len(hands) if 0 <= dealer < len(hands) else 0


def turned_by(message: Message, shift: int, seats: int) -> Message:
    """A message with the seat ``shift`` as seat 0."""
    turned = dict(message)
    for name in BY_PLACE:
        held = turned.get(name)
        if isinstance(held, list) and len(held) == seats:
            turned[name] = [*held[shift:], *held[:shift]]
    for name in PLACE_NAMES:
        if type(turned.get(name)) is int and 0 <= turned[name] < seats:
            turned[name] = (turned[name] - shift) % seats
    return turned


class DialectReader:
    """Follows the messages: points, sticks, the tiles of each seat and the tile that lies open."""

    def __init__(self, given: Sequence[Row]) -> None:
        self.given = given
        self.course = Course()
        self.scores: list[int] | None = None
        self.number = self.honba = self.deposits = 0
        self.dealer: int | None = None
        self.drawn_hand = False
        self.tiles: list[Counter[str]] = []
        self.melded: list[Counter[str]] = []
        self.seen: Counter[str] = Counter()
        self.indicators = 0
        self.riichi: set[int] = set()
        self.drawn: tuple[int, str] | None = None
        self.lying: tuple[int, str] | None = None

    def take(self, line: int, message: Message) -> Message:
        """The message with what it leaves out."""
        said = {name: value for name, value in message.items() if value is not None}
        kind = said["type"]
        if kind == "start_kyoku":
            return self._start(line, said)
        if "uradora_markers" in said:
            said.setdefault("ura_markers", said.pop("uradora_markers"))
        follow = _FOLLOWED.get(kind)
        if follow is not None and self.tiles:
            follow(self, line, said)
        return said

    def _start(self, line: int, said: Message) -> Message:
        unsaid = {STANDING[name] for name in STANDING if name not in said} | {"scores"} - said.keys()
        hands = said["tehais"]
        seats = len(hands)
        self.dealer = dealer = self._standing(said, seats)
        if "scores" not in said:
            at_start = (self.number, self.honba, self.deposits) == (0, 0, 0)
            known = self.scores or self._scores_before(line, seats)
            if known is None and at_start:
                known = [START_POINTS.get(seats, 25_000)] * seats
            if known is not None:
                said["scores"] = list(known)
        self.scores = list(said["scores"]) if "scores" in said else None
        self.tiles = [Counter(hand) for hand in hands]
        self.melded = [Counter() for _ in hands]
        self.seen = sum(self.tiles, Counter([said["dora_marker"]]))
        self.indicators, self.riichi = 1, set()
        self.drawn = self.lying = None
        if unsaid:
            self.course.unsaid[line] = frozenset(unsaid)
        return said | {"oya": dealer}

    def _standing(self, said: Message, seats: int) -> int:
        """Fill in number, honba, sticks and dealer; return the dealer."""
        before, first = self.dealer, self.dealer is None
        if "kyoku" in said and "bakaze" in said:
            self.number = seats * WINDS.index(said["bakaze"]) + said["kyoku"] - 1
        elif not first and "oya" in said:
            self.number += (said["oya"] - self.number) % seats
        elif first and said.get("kyoku", 1) == 1 + said.get("oya", 0):
            self.number = said.get("oya", 0)
        said.setdefault("bakaze", WINDS[self.number // seats % len(WINDS)])
        said.setdefault("kyoku", self.number % seats + 1)
        dealer: int = said.get("oya", said["kyoku"] - 1)
        goes_on = not first and (dealer == before or self.drawn_hand)
        self.honba = said.setdefault("honba", self.honba + 1 if goes_on else 0)
        self.deposits = said.setdefault("kyotaku", self.deposits)
        self.drawn_hand = False
        return dealer

    def _scores_before(self, line: int, seats: int) -> list[int] | None:
        """The points before a hand, from the first message in it that has points."""
        moved = [0] * seats
        for number, message in self.given:
            if number <= line:
                continue
            if message["type"] == "start_kyoku":
                return None
            deltas = _deltas(message, seats)
            if deltas is None:
                return None
            moved = [a + b for a, b in zip(moved, deltas, strict=True)]
            scores = message.get("scores")
            if isinstance(scores, list) and len(scores) == seats:
                return [int(score) - change for score, change in zip(scores, moved, strict=True)]
        return None

    def _pay(self, message: Message) -> None:
        if self.scores is None:
            return
        seats = len(self.scores)
        scores, deltas = message.get("scores"), _deltas(message, seats)
        if isinstance(scores, list) and len(scores) == seats:
            self.scores = [int(score) for score in scores]
        elif deltas is not None:
            self.scores = [a + b for a, b in zip(self.scores, deltas, strict=True)]

    def _tsumo(self, _: int, said: Message) -> None:
        self.drawn, self.lying = (said["actor"], said["pai"]), None
        self.tiles[said["actor"]][said["pai"]] += 1
        self.seen[said["pai"]] += 1

    def _dahai(self, _: int, said: Message) -> None:
        actor, pai = said["actor"], said["pai"]
        if said.get("tsumogiri") is None:
            said["tsumogiri"] = self.drawn == (actor, pai)
        self.tiles[actor][pai] -= 1
        self.drawn, self.lying = None, (actor, pai)

    def _claim(self, _: int, said: Message) -> None:
        if self.lying is not None:
            said.setdefault("target", self.lying[0])
            said.setdefault("pai", self.lying[1])
        self.tiles[said["actor"]] -= Counter(said["consumed"])
        self.melded[said["actor"]] += Counter([*said["consumed"], said["pai"]])
        self.drawn = self.lying = None

    def _own_meld(self, _: int, said: Message) -> None:
        actor = said["actor"]
        pais = said["consumed"] if said["type"] == "ankan" else [said["pai"]]
        self.tiles[actor] -= Counter(pais)
        self.melded[actor] += Counter(pais)
        self.drawn, self.lying = None, (actor, pais[0])

    def _reach(self, _: int, said: Message) -> None:
        self.riichi.add(said["actor"])

    def _accepted(self, _: int, said: Message) -> None:
        self._pay(said)
        self.deposits += 1

    def _dora(self, _: int, said: Message) -> None:
        self.indicators += 1
        self.seen[said["dora_marker"]] += 1

    def _hora(self, line: int, said: Message) -> None:
        actor = said["actor"]
        own = self.drawn is not None and self.drawn[0] == actor
        if "target" not in said:
            said["target"] = actor if own or self.lying is None else self.lying[0]
        self._pay(said)
        self.deposits = 0
        if actor in self.riichi and said.get("ura_markers") is None:
            hand = self.tiles[actor] + self.melded[actor]
            if not own and self.lying is not None:
                hand[self.lying[1]] += 1
            self._guess(line, _kinds(hand))
        elif said.get("ura_markers"):
            self.course.guesses = [it for it in self.course.guesses if it.at[-1] + 1 != len(self.course.rows)]

    def _guess(self, line: int, hand: Counter[int]) -> None:
        at, guesses = len(self.course.rows), self.course.guesses
        if guesses and guesses[-1].at[-1] == at - 1:  # another win of the same hand
            guesses[-1].at.append(at)
            guesses[-1].hands.append(hand)
            return
        if at and self.course.rows[-1][1].get("ura_markers"):
            return
        man = "one_nine" if len(self.tiles) == MIN_SEATS else "all"
        seen = _kinds(Counter({name: count for name, count in self.seen.items() if not name.endswith("r")}))
        every = Counter({int(kind): COPIES - (kind in FIVES) for kind in kinds_of(man)})  # a five may be red
        guesses.append(UraGuess(line, [at], every - seen, [hand], self.indicators, man))

    def _ryukyoku(self, _: int, said: Message) -> None:
        self._pay(said)
        self.drawn_hand = True


def _deltas(message: Message, seats: int) -> list[int] | None:
    """What a message moves; ``None`` if it does not say."""
    kind, deltas = message["type"], message.get("deltas")
    if isinstance(deltas, list) and len(deltas) == seats:
        return [int(delta) for delta in deltas]
    if kind == "reach_accepted":
        return [-STICK if seat == message["actor"] else 0 for seat in range(seats)]
    return None if kind in ("hora", "ryukyoku") else [0] * seats


def _kinds(tiles: Counter[str]) -> Counter[int]:
    kinds: Counter[int] = Counter()
    for name, count in tiles.items():
        if name == HIDDEN:
            continue
        kinds[from_mjai(name) % RED] += count
    return kinds


_FOLLOWED: Final[dict[str, Callable[[DialectReader, int, Message], None]]] = {
    "tsumo": DialectReader._tsumo,
    "dahai": DialectReader._dahai,
    **dict.fromkeys(CLAIMS, DialectReader._claim),
    **dict.fromkeys(("ankan", "kakan", "nukidora"), DialectReader._own_meld),
    "reach": DialectReader._reach,
    "reach_accepted": DialectReader._accepted,
    "dora": DialectReader._dora,
    "hora": DialectReader._hora,
    "ryukyoku": DialectReader._ryukyoku,
}


def with_guesses(course: Course, guesses: Mapping[int, Sequence[str]]) -> list[Row]:
    """The messages with guessed ura indicators at the wins of each hand."""
    rows = list(course.rows)
    for number, names in guesses.items():
        for at in course.guesses[number].at:
            line, message = rows[at]
            rows[at] = line, message | {"ura_markers": list(names)}
    return rows
