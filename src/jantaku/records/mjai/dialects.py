"""Convert the dialects of mjai to a single one, deriving omitted fields from earlier messages.

The original protocol (Gimite's server) writes ``start_kyoku`` without ``scores``, and ``uradora_markers``;
its older logs lack ``tsumogiri``, ``bakaze``, ``kyoku``, ``honba`` and ``kyotaku``, and the first dealer may
be any seat. Mortal's dialect has no ``pai`` in a ``hora`` and may omit payments and ura indicators.
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
START_POINTS: Final = {3: 35_000}  # for logs without points; 25,000 with four players
STICK: Final = 1000
COPIES: Final = 4
MIN_SEATS: Final = 3
FIVES: Final = (4, 13, 22)


@dataclass
class Course:
    """The messages of a log in a single dialect.

    ``unstated`` maps the line of each ``start_kyoku`` to the fields that the log omits there. ``guesses`` are
    the hands won with riichi but logged without ura indicators, in order.
    """

    rows: list[Row] = field(default_factory=list)
    unstated: dict[int, frozenset[str]] = field(default_factory=dict)
    guesses: "list[UraGuess]" = field(default_factory=list)


@dataclass
class UraGuess:
    """Guesses for ura indicators missing from a log, to be tried until the payments match."""

    line: int  # of the hand's first ``hora``
    at: list[int]  # indices of the rows of the wins
    unseen: Counter[int]
    hands: list[Counter[int]]
    count: int  # number of indicators
    man: str
    tried: int = 0

    def next(self) -> list[str] | None:
        """Return indicators that give the winners a different number of dora; ``None`` if none are left."""
        choices = self._choices()
        if self.tried >= len(choices):
            return None
        self.tried += 1
        return [tile_name(Tile(tile)) for tile in choices[self.tried - 1]]

    def _choices(self) -> list[tuple[int, ...]]:
        """Return indicators for each combination of ura dora that the winners can have, the fewest first."""
        dora = {tile: next_kind(tile, self.man) for tile in self.unseen}
        han_of = {tile: tuple(hand[kind] for hand in self.hands) for tile, kind in dora.items()}
        like: dict[tuple[int, ...], list[int]] = {}
        for tile, han in sorted(han_of.items()):
            like.setdefault(han, []).extend([tile] * self.unseen[tile])
        choices: dict[tuple[int, ...], tuple[int, ...]] = {}
        for kinds in combinations_with_replacement(sorted(like), self.count):
            used = Counter(kinds)
            if all(len(like[han]) >= times for han, times in used.items()):
                total = tuple(map(sum, zip(*kinds, strict=True)))
                choices.setdefault(
                    total, tuple(tile for han, times in used.items() for tile in like[han][:times])
                )
        return [choices[total] for total in sorted(choices, key=lambda han: (sum(han), han))]


def in_one_dialect(rows: Sequence[Row]) -> Course:
    """Add all fields that can be derived from other messages; invalid messages remain unchanged."""
    reader = DialectReader(_rotated(rows))
    for line, message in reader.given:
        try:
            msg = reader.complete(line, message)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            msg = message  # reading the script reports the error
        reader.course.rows.append((line, msg))
    return reader.course


def _rotated(rows: Sequence[Row]) -> list[Row]:
    """Renumber seats so that the first dealer is seat 0, as the rules require."""
    start = next((message for _, message in rows if message["type"] == "start_kyoku"), {})
    shift = first_dealer(start)
    return (
        [(line, rotated_by(message, shift, len(start["tehais"]))) for line, message in rows]
        if shift
        else [*rows]
    )


def first_dealer(start: Message) -> int:
    """Return the seat that dealt East 1, if a ``start_kyoku`` determines it, or else 0."""
    hands, dealer, kyoku = start.get("tehais"), start.get("oya"), start.get("kyoku", 1)
    if not isinstance(hands, list) or type(dealer) is not int or type(kyoku) is not int or not hands:
        return 0
    return (dealer - kyoku + 1) % len(hands) if 0 <= dealer < len(hands) else 0


def rotated_by(message: Message, shift: int, seats: int) -> Message:
    """Return a message in which seat ``shift`` becomes seat 0."""
    rotated = dict(message)
    for name in BY_PLACE:
        values = rotated.get(name)
        if isinstance(values, list) and len(values) == seats:
            rotated[name] = [*values[shift:], *values[:shift]]
    for name in PLACE_NAMES:
        if type(rotated.get(name)) is int and 0 <= rotated[name] < seats:
            rotated[name] = (rotated[name] - shift) % seats
    return rotated


class DialectReader:
    """Tracks points, sticks, each seat's tiles and the latest discard in order to complete messages."""

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
        self.offered: tuple[int, str] | None = None

    def complete(self, line: int, message: Message) -> Message:
        """Return the message with its omitted fields filled in."""
        msg = {name: value for name, value in message.items() if value is not None}
        kind = msg["type"]
        if kind == "start_kyoku":
            return self._start(line, msg)
        if "uradora_markers" in msg:
            msg.setdefault("ura_markers", msg.pop("uradora_markers"))
        follow = _FOLLOWED.get(kind)
        if follow is not None and self.tiles:
            follow(self, line, msg)
        return msg

    def _start(self, line: int, msg: Message) -> Message:
        unstated = {STANDING[name] for name in STANDING if name not in msg} | {"scores"} - msg.keys()
        hands = msg["tehais"]
        seats = len(hands)
        self.dealer = dealer = self._standing(msg, seats)
        if "scores" not in msg:
            at_start = (self.number, self.honba, self.deposits) == (0, 0, 0)
            known = self.scores or self._scores_before(line, seats)
            if known is None and at_start:
                known = [START_POINTS.get(seats, 25_000)] * seats
            if known is not None:
                msg["scores"] = list(known)
        self.scores = list(msg["scores"]) if "scores" in msg else None
        self.tiles = [Counter(hand) for hand in hands]
        self.melded = [Counter() for _ in hands]
        self.seen = sum(self.tiles, Counter([msg["dora_marker"]]))
        self.indicators, self.riichi = 1, set()
        self.drawn = self.offered = None
        if unstated:
            self.course.unstated[line] = frozenset(unstated)
        return msg | {"oya": dealer}

    def _standing(self, msg: Message, seats: int) -> int:
        """Fill in number, honba, sticks and dealer; return the dealer."""
        before, first = self.dealer, self.dealer is None
        if "kyoku" in msg and "bakaze" in msg:
            self.number = seats * WINDS.index(msg["bakaze"]) + msg["kyoku"] - 1
        elif not first and "oya" in msg:
            self.number += (msg["oya"] - self.number) % seats
        elif first and msg.get("kyoku", 1) == 1 + msg.get("oya", 0):
            self.number = msg.get("oya", 0)
        msg.setdefault("bakaze", WINDS[self.number // seats % len(WINDS)])
        msg.setdefault("kyoku", self.number % seats + 1)
        dealer: int = msg.get("oya", msg["kyoku"] - 1)
        repeats = not first and (dealer == before or self.drawn_hand)
        self.honba = msg.setdefault("honba", self.honba + 1 if repeats else 0)
        self.deposits = msg.setdefault("kyotaku", self.deposits)
        self.drawn_hand = False
        return dealer

    def _scores_before(self, line: int, seats: int) -> list[int] | None:
        """Return the points before a hand, computed back from its first message with points."""
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

    def _tsumo(self, _: int, msg: Message) -> None:
        self.drawn, self.offered = (msg["actor"], msg["pai"]), None
        self.tiles[msg["actor"]][msg["pai"]] += 1
        self.seen[msg["pai"]] += 1

    def _dahai(self, _: int, msg: Message) -> None:
        actor, pai = msg["actor"], msg["pai"]
        if msg.get("tsumogiri") is None:
            msg["tsumogiri"] = self.drawn == (actor, pai)
        self.tiles[actor][pai] -= 1
        self.drawn, self.offered = None, (actor, pai)

    def _claim(self, _: int, msg: Message) -> None:
        if self.offered is not None:
            msg.setdefault("target", self.offered[0])
            msg.setdefault("pai", self.offered[1])
        self.tiles[msg["actor"]] -= Counter(msg["consumed"])
        self.melded[msg["actor"]] += Counter([*msg["consumed"], msg["pai"]])
        self.drawn = self.offered = None

    def _own_meld(self, _: int, msg: Message) -> None:
        actor = msg["actor"]
        pais = msg["consumed"] if msg["type"] == "ankan" else [msg["pai"]]
        self.tiles[actor] -= Counter(pais)
        self.melded[actor] += Counter(pais)
        self.drawn, self.offered = None, (actor, pais[0])

    def _reach(self, _: int, msg: Message) -> None:
        self.riichi.add(msg["actor"])

    def _accepted(self, _: int, msg: Message) -> None:
        self._pay(msg)
        self.deposits += 1

    def _dora(self, _: int, msg: Message) -> None:
        self.indicators += 1
        self.seen[msg["dora_marker"]] += 1

    def _hora(self, line: int, msg: Message) -> None:
        actor = msg["actor"]
        own = self.drawn is not None and self.drawn[0] == actor
        if "target" not in msg:
            msg["target"] = actor if own or self.offered is None else self.offered[0]
        self._pay(msg)
        self.deposits = 0
        if actor in self.riichi and msg.get("ura_markers") is None:
            hand = self.tiles[actor] + self.melded[actor]
            if not own and self.offered is not None:
                hand[self.offered[1]] += 1
            self._guess(line, _kinds(hand))
        elif msg.get("ura_markers"):
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

    def _ryukyoku(self, _: int, msg: Message) -> None:
        self._pay(msg)
        self.drawn_hand = True


def _deltas(message: Message, seats: int) -> list[int] | None:
    """Return the points that a message moves; ``None`` if it does not state them."""
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
    """Return the messages with guessed ura indicators at the wins of each hand."""
    rows = list(course.rows)
    for number, names in guesses.items():
        for at in course.guesses[number].at:
            line, message = rows[at]
            rows[at] = line, message | {"ura_markers": list(names)}
    return rows
