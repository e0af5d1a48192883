"""Read a record of Majiang (電脳麻将) by converting it to mjai, whose messages are equivalent.

A record has ``title``, ``player``, ``qijia`` (the first dealer among the players), ``log`` (a list of steps
for each hand), and at its end ``defen``, ``rank`` and ``point``. Places in a hand count from its dealer,
those of mjai from the first dealer. ``@kobalab/majiang-core`` defines the format (``types/data.d.ts``).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from jantaku.errors import JantakuError, RecordError, cause
from jantaku.game import Game, Standing
from jantaku.records.as_recorded import LoggedGame
from jantaku.records.inferred_rules import GameCourse, HandEnding, LoggedEnd, LoggedTable, rules_of_table
from jantaku.records.mjai.read import game_of_messages, logged_of_messages
from jantaku.records.mjai.write import REASONS, WINDS, Message
from jantaku.records.texts import parse_json
from jantaku.rules import Ruleset
from jantaku.tiles import from_mjai

Row = tuple[int, Message]
_HONOURS: Final = "ESWNPFC"
ENDS: Final = ("hule", "pingju")
EXHAUSTED: Final = ("fanpai", "nagashimangan")
_FROM: Final = {"+": 1, "=": 2, "-": 3}  # seats to the right
_TILES: Final = re.compile(r"([mpsz])(\d+)")
_MELD: Final = re.compile(r"([mps])([0-9]+)([-=+]?)([0-9]*)|(z)([1-7]+)([-=+]?)([1-7]?)")
_DRAWS: Final = {
    "荒牌平局": "fanpai",
    "流し満貫": "nagashimangan",
    "九種九牌": "kyushukyuhai",
    "四風連打": "sufonrenta",
    "四家立直": "suchareach",
    "四開槓": "sukaikan",
    "三家和": "sanchaho",
    "三家和了": "sanchaho",
    **{reason: reason for reason in REASONS.values()},
}
_RED: Final = re.compile(r"[mps][1-9]*0")
THOUSAND: Final = 1000


def parse_majiang(text: str, rules: Ruleset | None = None) -> tuple[Game, list[str]]:
    """Return the game in a record and the names of its players; a ``RecordError`` names the invalid hand."""
    record = _Record(text)
    try:
        return game_of_messages(record.rows, rules or record.rules())
    except RecordError as error:
        raise record.placed(error) from error


def logged_of_majiang(text: str, rules: Ruleset | None = None) -> LoggedGame:
    """Return the contents of a record, even if they contradict the rules."""
    record = _Record(text)
    try:
        logged = logged_of_messages(record.rows, rules or record.rules())
        return replace(
            logged,
            final=record.final,
            refusal=lambda place, reason: record.placed(logged.refusal(place, reason)),
        )
    except RecordError as error:
        raise record.placed(error) from error


class _Record:
    """The messages of a record, with the hand and step that each of them comes from."""

    def __init__(self, text: str) -> None:
        self.data = _data(text)
        self.has_reds = bool(_RED.search(text))
        self.rows: list[Row] = []
        self.places: dict[int, tuple[int, str]] = {}
        self.standings: list[Standing] = []
        self.endings: list[HandEnding] = []
        self.last: list[int] = []  # points after the last hand, without leftover sticks
        self.seats = len(self.data["player"])
        first = int(self.data.get("qijia", 0))
        order = [(first + seat) % self.seats for seat in range(self.seats)]
        names = [str(self.data["player"][place]).split("\n", 1)[0] for place in order]
        self._add({"type": "start_game", "names": names}, (1, "player"))
        for number, steps in enumerate(self.data["log"], 1):
            self._hand(number, steps)
        self.final = self._final(order)
        if self.final is not None:
            place = len(self.data["log"]), "defen"
            self._add({"type": "end_game", "scores": list(self.final.scores)}, place)

    def _add(self, message: Message, place: tuple[int, str]) -> None:
        line = len(self.rows) + 1
        self.rows.append((line, message))
        self.places[line] = place

    def _hand(self, number: int, steps: Any) -> None:
        hand, kind = None, ""
        place = number, "log"
        try:
            for count, step in enumerate(steps, 1):
                (kind, what), *_ = step.items()
                place = number, f"{kind} #{count}"
                if kind == "qipai":
                    hand = _Places(what, self.seats)
                    self.standings.append(hand.standing)
                if hand is not None and kind in _READERS:
                    for message in _READERS[kind](hand, what):
                        self._add(message, place)
        except (JantakuError, AttributeError, LookupError, OverflowError, TypeError, ValueError) as error:
            raise RecordError("majiang_bad", hand=number, what=place[1], reason=cause(error)) from error
        if hand is not None:
            self.endings.append(_ending_of(self.rows[-1][1]))
            if kind in ENDS:
                self._add({"type": "end_kyoku"}, place)
            self.last = hand.scores

    def _final(self, order: Sequence[int]) -> LoggedEnd | None:
        """Return the end of the game; ``None`` if the record has none."""
        points, scores = self.data.get("point"), self.data.get("defen")
        if not isinstance(points, list) or not isinstance(scores, list) or not any(map(float, points)):
            return None
        sticks = THOUSAND * (self.standings[-1].deposits + self.seats) if self.standings else 0
        if any(abs(int(scores[place]) - last) > sticks for place, last in zip(order, self.last, strict=True)):
            return None  # the record is only a part of the game
        return LoggedEnd(
            tuple(int(scores[place]) for place in order),
            tuple(round(THOUSAND * float(points[place])) for place in order),
        )

    def rules(self) -> Ruleset:
        """Return Tenhou's rules, which are Majiang's defaults, with points that fit the record."""
        table = LoggedTable(seats=self.seats, red=None if self.has_reds else {})
        return rules_of_table(table, GameCourse(self.standings, self.final, self.endings))

    def placed(self, error: RecordError) -> RecordError:
        """Return the error with the hand and step instead of a message number."""
        line = error.details.get("line")
        hand, what = self.places.get(line, (0, "")) if isinstance(line, int) else (0, "")
        if not hand:
            return error
        if "engine" in error.details:
            given = {name: error.details[name] for name in ("log", "engine")}
            return RecordError("tenhou_differs", hand=hand, what=what, **given)
        return RecordError(
            "majiang_bad", hand=hand, what=what, reason=error.details.get("reason", error.code)
        )


class _Places:
    """One hand: the seat of each of its places, and the points so far."""

    def __init__(self, start: Mapping[str, Any], seats: int) -> None:
        self.start, self.seats, self.dealer = start, seats, int(start["jushu"])
        self.scores = self.by_seat(start["defen"])
        number = seats * int(start["zhuangfeng"]) + self.dealer
        self.standing = Standing(number, int(start["changbang"]), int(start["lizhibang"]), tuple(self.scores))

    def seat(self, place: int) -> int:
        if place not in range(self.seats):
            raise ValueError(place)
        return (place + self.dealer) % self.seats

    def by_seat(self, values: Sequence[Any]) -> list[Any]:
        if len(values) != self.seats:
            raise ValueError(values)
        return [values[(seat - self.dealer) % self.seats] for seat in range(self.seats)]

    def paid(self, what: Mapping[str, Any]) -> dict[str, list[int]]:
        deltas = self.by_seat([int(points) for points in what["fenpei"]]) if what.get("fenpei") else []
        self.scores = [
            score + delta for score, delta in zip(self.scores, deltas, strict=False)
        ] or self.scores
        return {"deltas": deltas} if deltas else {}


def _qipai(hand: _Places, what: Mapping[str, Any]) -> Iterator[Message]:
    yield {
        "type": "start_kyoku",
        "bakaze": WINDS[int(what["zhuangfeng"])],
        "kyoku": hand.dealer + 1,
        "honba": int(what["changbang"]),
        "kyotaku": int(what["lizhibang"]),
        "oya": hand.dealer,
        "scores": hand.scores,
        "dora_marker": _tile(what["baopai"]),
        "tehais": [_tiles(held) for held in hand.by_seat(what["shoupai"])],
    }


def _zimo(hand: _Places, what: Mapping[str, Any]) -> Iterator[Message]:
    yield {"type": "tsumo", "actor": hand.seat(what["l"]), "pai": _tile(what["p"])}


def _dapai(hand: _Places, what: Mapping[str, Any]) -> Iterator[Message]:
    actor, discard = hand.seat(what["l"]), str(what["p"])
    if "*" in discard:
        yield {"type": "reach", "actor": actor}
    yield {"type": "dahai", "actor": actor, "pai": _tile(discard[:2]), "tsumogiri": "_" in discard}


def _fulou(hand: _Places, what: Mapping[str, Any]) -> Iterator[Message]:
    suit, before, mark, after = _meld(what["m"])
    called = before[-1]
    own = before[:-1] + after
    same = len({_kind(digit) for digit in (*own, called)}) == 1
    kind = "chi" if not same else "pon" if len(own) == 2 else "daiminkan"
    yield {
        "type": kind,
        "actor": hand.seat(what["l"]),
        "target": (hand.seat(what["l"]) + _FROM[mark]) % hand.seats,
        "pai": _tile(suit + called),
        "consumed": [_tile(suit + digit) for digit in own],
    }


def _gang(hand: _Places, what: Mapping[str, Any]) -> Iterator[Message]:
    suit, before, mark, after = _meld(what["m"])
    actor = hand.seat(what["l"])
    if not mark:
        yield {"type": "ankan", "actor": actor, "consumed": [_tile(suit + digit) for digit in before]}
        return
    consumed = [_tile(suit + digit) for digit in before]
    yield {"type": "kakan", "actor": actor, "pai": _tile(suit + after), "consumed": consumed}


def _kaigang(_: _Places, what: Mapping[str, Any]) -> Iterator[Message]:
    yield {"type": "dora", "dora_marker": _tile(what["baopai"])}


def _hule(hand: _Places, what: Mapping[str, Any]) -> Iterator[Message]:
    actor, source = hand.seat(what["l"]), what.get("baojia")
    yield {
        "type": "hora",
        "actor": actor,
        "target": actor if source is None else hand.seat(source),
        "ura_markers": [_tile(tile) for tile in what.get("fubaopai") or ()],
        **hand.paid(what),
    }


def _ending_of(last: Message) -> HandEnding:
    if last["type"] == "hora":
        return "won"
    return "exhausted" if last.get("reason") in EXHAUSTED else "other"


def _pingju(hand: _Places, what: Mapping[str, Any]) -> Iterator[Message]:
    reason = _DRAWS.get(str(what.get("name")))
    yield {"type": "ryukyoku", **({"reason": reason} if reason else {}), **hand.paid(what)}


_READERS: Final = {
    "qipai": _qipai,
    "zimo": _zimo,
    "gangzimo": _zimo,
    "dapai": _dapai,
    "fulou": _fulou,
    "gang": _gang,
    "kaigang": _kaigang,
    "hule": _hule,
    "pingju": _pingju,
}


def _tile(text: str) -> str:
    """Convert a tile such as ``s0`` to mjai."""
    suit, digit = text[:1], text[1:]
    if suit == "z" and digit in tuple("1234567"):
        return _HONOURS[int(digit) - 1]
    name = f"5{suit}r" if digit == "0" else f"{digit}{suit}"
    from_mjai(name)  # raises for invalid tiles
    return name


def _tiles(text: str) -> list[str]:
    """Convert tiles such as ``m055z77`` to mjai; raise ``ValueError`` for hidden tiles."""
    parts = _TILES.findall(text)
    if "".join(suit + digits for suit, digits in parts) != text:
        raise ValueError(text)
    return [_tile(suit + digit) for suit, digits in parts for digit in digits]


def _meld(text: str) -> tuple[str, str, str, str]:
    """Split a meld into suit, tiles up to the mark, the mark, and the tiles after it."""
    match = _MELD.fullmatch(text)
    if match is None:
        raise ValueError(text)
    suit, before, mark, after = [
        part or "" for part in (match.groups()[:4] if match[1] else match.groups()[4:])
    ]
    return suit, before, mark, after


def _kind(digit: str) -> str:
    return "5" if digit == "0" else digit


def _data(text: str) -> dict[str, Any]:
    """Parse the record of one game."""
    try:
        data = parse_json(text)
        if isinstance(data, list) and len(data) > 1:
            raise RecordError("record_several", count=len(data))
        if isinstance(data, list):
            data = data[0]
        if not data["log"] or not isinstance(data["log"], list) or not isinstance(data["player"], list):
            raise ValueError("log / player")
        return dict(data)
    except RecordError:
        raise
    except (LookupError, TypeError, ValueError, RecursionError) as error:
        raise RecordError("majiang_bad", hand=1, what="log", reason=cause(error)) from error
