"""Plays a log of mjai messages on a ``Game``: checks every action, then compares every message."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from jantaku.errors import JantakuError, RecordError, cause
from jantaku.game import Game
from jantaku.game import events as e
from jantaku.game.actions import Kan, Kita, Riichi
from jantaku.records import script
from jantaku.records.as_recorded import LoggedGame
from jantaku.records.inferred_rules import GameCourse, LoggedTable, rules_of_table
from jantaku.records.log_rules import check_players, log_rules, may_begin_anywhere
from jantaku.records.mjai.actions import CLAIMS, KITA_NAMES, read_action
from jantaku.records.mjai.empty_seat import without_empty_place
from jantaku.records.mjai.recorded_endings import mjai_ends
from jantaku.records.mjai.write import HIDDEN, KITA, NAGASHI, REASONS, WINDS, Message, to_mjai
from jantaku.records.native.rules_mark import KEY
from jantaku.records.texts import parse_json
from jantaku.records.unlogged import with_unlogged
from jantaku.rules import Ruleset
from jantaku.tiles import from_mjai

Row = tuple[int, Message]  # the line number and its message
ACTIONS: Final = frozenset((*CLAIMS, "dahai", "ankan", "kakan", KITA))
COMPARED: Final = ACTIONS | {"start_kyoku", "tsumo", "reach", "reach_accepted", "hora", "ryukyoku"}
FIELDS: Final = ("actor", "pai", "target", "tsumogiri", "deltas", "ura_markers", "open", "reason")
FIRST_OF_EAST_GAME: Final = 4  # ``kyoku_first`` of a game without a South round
ALIASES: Final = {  # the words of RiichiEnv
    **dict.fromkeys(KITA_NAMES, KITA),
    "exhaustive_draw": REASONS["exhausted"],
    "kyushu_kyuhai": REASONS["kyuushu_kyuuhai"],
    "sufuurenta": REASONS["suufuu_renda"],
    "suukansansen": REASONS["suukansanra"],
    "suucha_riichi": REASONS["suucha_riichi"],
}
DEALT: Final = 13  # tiles of a seat
KINDS: Final = {reason: kind for kind, reason in REASONS.items()} | {NAGASHI: "exhausted"}


def parse_mjai(text: str, rules: Ruleset | None = None) -> tuple[Game, list[str]]:
    """The game of a log's text and the names of its players.

    ``rules`` is needed if the log does not describe its rules and they are not Tenhou's. Raises
    ``RecordError`` with the number of the line that is wrong or hides something.
    """
    rows = _dealt_thirteen(without_empty_place(_rows(text)))
    head, hands = _script(rows)
    try:
        ended = any(message["type"] == "end_game" for _, message in rows)
        played_by = _rules(head, rules, hands)
        game = script.play_script(hands, played_by, ended=ended, anywhere=may_begin_anywhere(head))
    except script.ScriptError as error:
        raise _differs(error.position[0], error.log, error.engine) from error
    _compare(rows, to_mjai(game))
    return game, _names(head, len(game.scores))


def logged_of_mjai(text: str, rules: Ruleset | None = None) -> LoggedGame:
    """What the text says, whether or not the rules agree."""
    rows = _dealt_thirteen(without_empty_place(_rows(text)))
    head, hands = _script(rows)
    played_by = _rules(head, rules, hands)
    names = tuple(_names(head, len(played_by.seats)))
    return LoggedGame(hands, mjai_ends([message for _, message in rows], KINDS), played_by, names)


def _names(head: Message, seats: int) -> list[str]:
    """The names of ``start_game``, without those of places that nobody plays at."""
    names = head.get("names")
    listed = names[:seats] if isinstance(names, list) else ()
    return ["" if name is None else str(name) for name in listed]


def _script(rows: Sequence[Row]) -> tuple[Message, list[script.ScriptHand]]:
    """``start_game`` and the hands."""
    head = next((message for _, message in rows if message["type"] == "start_game"), {})
    hands: list[script.ScriptHand] = []
    reader = _MjaiReader()
    for number, message in rows:
        try:
            reader.take(number, message, hands)
        except RecordError:
            raise
        except (JantakuError, LookupError, OverflowError, TypeError, ValueError) as error:
            raise RecordError("record_line", line=number, reason=cause(error)) from error
    if not hands:
        raise RecordError("record_short", line=len(rows))
    return head, with_unlogged(hands, head.get(KEY))


def _rules(head: Mapping[str, Any], given: Ruleset | None, hands: Sequence[script.ScriptHand]) -> Ruleset:
    """The rules of the log; raises ``RecordError`` if they are for another number of players."""
    rules = log_rules(head, given, lambda: _table_rules(head, hands))
    check_players(rules, [hand.start for hand in hands])
    return rules


def _table_rules(head: Mapping[str, Any], hands: Sequence[script.ScriptHand]) -> Ruleset:
    """Tenhou's rules with the options of ``start_game``: programs write ``aka_flag`` and ``kyoku_first``."""
    table = LoggedTable(
        seats=len(hands[0].start.scores),
        red={} if head.get("aka_flag") is False else None,
        east_only=head["kyoku_first"] == FIRST_OF_EAST_GAME if "kyoku_first" in head else False,
    )
    return rules_of_table(table, GameCourse([script.standing_of(hand.start) for hand in hands]))


def _differs(line: int, log: object, engine: object) -> RecordError:
    return RecordError("mjai_differs", line=line, log=log, engine=engine)


def _rows(text: str) -> list[Row]:
    """The messages, one per line or all in one array."""
    if text.lstrip().startswith("["):
        try:
            rows = [_checked(message, number) for number, message in enumerate(parse_json(text), 1)]
            return rows or [_checked(None, 1)]
        except RecordError:
            raise
        except (ValueError, RecursionError) as error:
            raise RecordError("record_line", line=1, reason=cause(error)) from error
    return [_row(line, number) for number, line in enumerate(text.splitlines(), 1) if line.strip()]


def _row(line: str, number: int) -> Row:
    try:
        return _checked(parse_json(line), number)
    except (ValueError, RecursionError) as error:
        raise RecordError("record_line", line=number, reason=cause(error)) from error


def _checked(message: Any, number: int) -> Row:
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise RecordError("record_line", line=number, reason=str(message)[:40])
    said = {key: ALIASES[message[key]] for key in ("type", "reason") if message.get(key) in ALIASES}
    return number, message | said


def _dealt_thirteen(rows: list[Row]) -> list[Row]:
    """The messages as if dealers drew their fourteenth tile, which Mahjong Soul deals with the others.

    There no first discard of a dealer is marked as just drawn.
    """
    changed = list(rows)
    for i, (_, start) in enumerate(rows):
        if start["type"] != "start_kyoku":
            continue
        position = i + 2 + (rows[i + 2 : i + 3] != [] and rows[i + 2][1]["type"] == "reach")
        if position >= len(rows):
            break
        number, discard = rows[position]
        drawn = rows[i + 1][1].get("pai") if discard["type"] == "dahai" else None
        if drawn is not None and drawn == discard.get("pai") and drawn not in _dealers_tiles(start):
            changed[position] = number, discard | {"tsumogiri": True}
    return changed


def _dealers_tiles(start: Message) -> Sequence[str]:
    try:
        tiles: Sequence[str] = start["tehais"][start["oya"]]
    except (LookupError, TypeError):  # the reader of the message says what is wrong with it
        return ()
    return tiles


class _MjaiReader:
    """Builds a script from the messages, one at a time."""

    def __init__(self) -> None:
        self.riichi: Riichi | None = None
        self.after_kan = False
        self.own_turn = True

    def take(self, line: int, message: Mapping[str, Any], hands: list[script.ScriptHand]) -> None:
        kind = message["type"]
        if kind == "start_kyoku":
            before = hands[-1].start.number if hands else 0
            hands.append(script.ScriptHand((line, ""), _start(message, before), ()))
            self.riichi, self.after_kan, self.own_turn = None, False, True
        elif kind == "reach":
            self.riichi = "open" if message.get("open") else "riichi"
        elif kind in ACTIONS or kind in _STEPS:
            _check_seats(message, len(hands[-1].start.scores))
            taken = [self._act(message)] if kind in ACTIONS else _STEPS[kind](self, message)
            steps = tuple(script.ScriptStep((line, ""), what) for what in taken)
            hands[-1] = replace(hands[-1], steps=hands[-1].steps + steps)

    def _tsumo(self, message: Mapping[str, Any]) -> list[script.StepContent]:
        rinshan, self.after_kan, self.own_turn = self.after_kan, False, True
        return [e.Drew(int(message["actor"]), from_mjai(_shown(message["pai"])), rinshan)]

    def _act(self, message: Mapping[str, Any]) -> script.ScriptAct:
        riichi, self.riichi = self.riichi, None
        action = read_action(message, own_turn=self.own_turn, riichi=riichi)
        self.after_kan = isinstance(action, Kan | Kita)
        self.own_turn = message["type"] in CLAIMS
        seat = int(message["actor"])
        if message["type"] in CLAIMS:
            return script.ScriptAct(seat, action, from_mjai(message["pai"]), int(message["target"]))
        return script.ScriptAct(seat, action)

    def _hora(self, message: Mapping[str, Any]) -> list[script.StepContent]:
        own = int(message["target"]) == int(message["actor"])
        below = message.get("ura_markers", message.get("uradora_markers", ()))
        tiles = tuple(from_mjai(name) for name in below or ())
        return [
            script.UraIndicators(tiles),
            script.ScriptAct(int(message["actor"]), read_action(message, own_turn=own)),
        ]

    def _ryukyoku(self, message: Mapping[str, Any]) -> list[script.StepContent]:
        return [script.EndWithoutWin(KINDS.get(str(message.get("reason")), ""))]

    def _dora(self, message: Mapping[str, Any]) -> list[script.StepContent]:
        return [e.DoraTurned(indicator=from_mjai(message["dora_marker"]))]


_STEPS: Final[dict[str, Callable[[_MjaiReader, Mapping[str, Any]], list[script.StepContent]]]] = {
    "tsumo": _MjaiReader._tsumo,
    "hora": _MjaiReader._hora,
    "ryukyoku": _MjaiReader._ryukyoku,
    "dora": _MjaiReader._dora,
}


def _shown(name: str) -> str:
    if name == HIDDEN:
        raise RecordError("mjai_hidden")
    return name


def _check_seats(message: Mapping[str, Any], seats: int) -> None:
    """Raise ``ValueError`` for a message of a seat that does not play."""
    for name in ("actor", "target", "oya"):
        if name in message and not 0 <= int(message[name]) < seats:
            raise ValueError(f"{name} {message[name]}")


def _start(message: Mapping[str, Any], before: int) -> e.HandStarted:
    """The start of a hand that follows the hand ``before``: after the North round comes East once more."""
    seats = len(message["scores"])
    number = seats * WINDS.index(message["bakaze"]) + int(message["kyoku"]) - 1
    if number < seats and before >= seats * WINDS.index("N"):
        number += seats * len(WINDS)
    _check_seats(message, seats)
    hands = [tuple(from_mjai(_shown(name)) for name in hand) for hand in message["tehais"]]
    if [len(hand) for hand in hands] != [DEALT] * seats:
        raise ValueError(message["tehais"])
    started = e.HandStarted(
        number,
        int(message["honba"]),
        int(message["kyotaku"]),
        int(message["oya"]),
        scores=tuple(int(score) for score in message["scores"]),
        indicator=from_mjai(message["dora_marker"]),
        hands=tuple(hands),
    )
    script.standing_of(started)  # raises ``RequestError`` for numbers that no game has
    return started


def _compare(rows: Sequence[Row], ours: Sequence[Message]) -> None:
    """Compare each message with the game's; the message of a kan's indicator may come earlier or later."""
    wanted = [message for message in ours if message["type"] in COMPARED]
    said = [(line, message) for line, message in rows if message["type"] in COMPARED]
    for (line, message), engine in zip(said, wanted, strict=False):
        _compare_one(line, message, engine)
    if len(said) > len(wanted):
        raise _differs(said[len(wanted)][0], json.dumps(said[len(wanted)][1]), "–")
    ended = any(message["type"] == "end_game" for _, message in rows)
    if ended and len(said) < len(wanted):
        raise _differs(rows[-1][0], "–", json.dumps(wanted[len(said)]))
    _compare_dora(rows, ours)
    _compare_end(rows, ours)


def _compare_one(line: int, message: Message, engine: Message) -> None:
    if message["type"] != engine["type"]:
        raise _differs(line, json.dumps(message), json.dumps(engine))
    for name in FIELDS:
        unknown = name == "reason" and message.get(name) not in KINDS
        if name in message and name in engine and message[name] != engine[name] and not unknown:
            raise _differs(line, f"{name} {message[name]}", f"{name} {engine[name]}")
    if sorted(message.get("consumed", ())) != sorted(engine.get("consumed", ())):
        raise _differs(line, message.get("consumed"), engine.get("consumed"))


def _compare_dora(rows: Sequence[Row], ours: Sequence[Message]) -> None:
    """Compare the number of indicators in each hand; a log that breaks off may have fewer in its last."""
    theirs, engine = _turned([message for _, message in rows]), _turned(ours)
    ended = any(message["type"] == "end_kyoku" for _, message in rows[-2:])
    starts = [line for line, message in rows if message["type"] == "start_kyoku"]
    for i, (line, row) in enumerate(zip(starts, theirs, strict=True)):
        if row != engine[i] and (ended or i + 1 < len(starts)):
            raise _differs(line, f"dora {row}", f"dora {engine[i]}")


def _turned(messages: Sequence[Message]) -> list[list[str]]:
    indicators: list[list[str]] = []
    for message in messages:
        if message["type"] == "start_kyoku":
            indicators.append([])
        elif message["type"] == "dora":
            indicators[-1].append(message["dora_marker"])
    return indicators


def _compare_end(rows: Sequence[Row], ours: Sequence[Message]) -> None:
    """Check that the game ends where the log says so, with the same scores."""
    end = next(((line, message) for line, message in rows if message["type"] == "end_game"), None)
    if end is None:
        return
    line, message = end
    engine = next((row for row in ours if row["type"] == "end_game"), None)
    if engine is None:
        raise _differs(line, "end_game", "–")
    if message.get("scores", engine["scores"]) != engine["scores"]:
        raise _differs(line, message["scores"], engine["scores"])
