"""Replay a log of mjai messages on a ``Game``: check every action, then compare every message."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from jantaku.errors import JantakuError, RecordError, cause
from jantaku.game import Game
from jantaku.game import events as e
from jantaku.game.actions import Kan, Kita, Riichi
from jantaku.game.mid_game_start import standing_of
from jantaku.records import script
from jantaku.records.as_recorded import LoggedGame
from jantaku.records.inferred_rules import GameCourse, LoggedEnd, LoggedTable, final_points, possible_rules
from jantaku.records.log_rules import check_players, log_rules, may_start_mid_game, play_under
from jantaku.records.mjai.actions import CLAIMS, KITA_NAMES, read_action
from jantaku.records.mjai.dialects import Course, in_one_dialect, with_guesses
from jantaku.records.mjai.empty_seat import without_empty_place
from jantaku.records.mjai.recorded_endings import mjai_ends
from jantaku.records.mjai.write import HIDDEN, KITA, NAGASHI, REASONS, WINDS, Message, to_mjai
from jantaku.records.native.rules_mark import KEY
from jantaku.records.sniff import REPORTED, Content
from jantaku.records.texts import parse_json
from jantaku.records.unlogged import with_unlogged
from jantaku.rules import Ruleset
from jantaku.tiles import from_mjai

Row = tuple[int, Message]  # the line number and its message
ACTIONS: Final = frozenset((*CLAIMS, "dahai", "ankan", "kakan", KITA))
COMPARED: Final = ACTIONS | {"start_kyoku", "tsumo", "reach", "reach_accepted", "hora", "ryukyoku"}
FIELDS: Final = ("actor", "pai", "target", "tsumogiri", "deltas", "ura_markers", "open", "reason")
MAX_TRIES: Final = 64  # to guess ura indicators that a log omits
ACCEPTED: Final = "reach_accepted"
FIRST_OF_EAST_GAME: Final = 4  # ``kyoku_first`` of an East-only game
ALIASES: Final = {  # names used by RiichiEnv
    **dict.fromkeys(KITA_NAMES, KITA),
    "exhaustive_draw": REASONS["exhausted"],
    "kyushu_kyuhai": REASONS["kyuushu_kyuuhai"],
    "sufuurenta": REASONS["suufuu_renda"],
    "suukansansen": REASONS["suukansanra"],
    "suucha_riichi": REASONS["suucha_riichi"],
}
DEALT: Final = 13  # tiles per seat
KINDS: Final[dict[str, e.DrawKind]] = {reason: kind for kind, reason in REASONS.items()} | {
    NAGASHI: "exhausted"
}


def parse_mjai(text: str, rules: Ruleset | None = None) -> tuple[Game, list[str]]:
    """Return the game in a log's text and the names of its players.

    ``rules`` are needed if the log does not describe its rules and they are not Tenhou's. Raises
    ``RecordError`` with the number of the line that is invalid or hides a tile.
    """
    return game_of_messages(_rows(text), rules)


def game_of_messages(rows: Sequence[Row], rules: Ruleset | None = None) -> tuple[Game, list[str]]:
    """``parse_mjai`` for messages with line numbers."""
    course = _course(rows)
    possible = _rules(*_script(course.rows, course.unstated), rules)
    if course.guesses:  # each of which takes several attempts
        return _guessed(course, possible[0])
    return play_under(possible, lambda played_by: _played(course, course.rows, played_by))


def _guessed(course: Course, rules: Ruleset) -> tuple[Game, list[str]]:
    """Play the messages with the ura indicators that they omit."""
    guesses: dict[int, Sequence[str]] = {i: guess.next() or () for i, guess in enumerate(course.guesses)}
    first: RecordError | None = None
    for _ in range(MAX_TRIES):
        try:
            return _played(course, with_guesses(course, guesses), rules)
        except RecordError as error:
            first = first or error
            if not _guess_again(course, guesses, error):
                break
    raise first or RecordError("mjai_no_hand")


def _before(rows: Sequence[Row], line: int) -> list[Row]:
    return [row for row in rows if row[0] < line]


def _guess_again(course: Course, guesses: dict[int, Sequence[str]], error: RecordError) -> bool:
    """Try other ura indicators for the last win logged without them before the error."""
    line = error.details.get("line") if "engine" in error.details else None
    if not isinstance(line, int):
        return False
    before = [number for number, guess in enumerate(course.guesses) if guess.line <= line]
    if not before:
        return False
    names = course.guesses[before[-1]].next()
    if names is None:
        return False
    guesses[before[-1]] = names
    return True


def _course(rows: Sequence[Row]) -> Course:
    games = _count_games(rows)
    if games > 1:
        raise RecordError("record_several", count=games)
    return in_one_dialect(_dealt_thirteen(without_empty_place(rows)))


def _count_games(rows: Sequence[Row]) -> int:
    """Count the ``start_game`` messages that are followed by hands."""
    count, has_hands = 0, False
    for _, message in rows:
        if message["type"] == "start_game":
            has_hands = False
        elif message["type"] == "start_kyoku" and not has_hands:
            count, has_hands = count + 1, True
    return count


def _played(course: Course, rows: Sequence[Row], rules: Ruleset) -> tuple[Game, list[str]]:
    """Play the messages and compare them with the game."""
    head, hands = _script(rows, course.unstated)
    try:
        ended = any(message["type"] == "end_game" for _, message in rows)
        game = script.play_script(hands, rules, ended=ended, mid_game=may_start_mid_game(head))
    except script.ScriptError as error:
        line = error.position[0]
        if course.guesses:  # a wrong guess appears in the payments of earlier hands
            start = max((at for at, row in rows if row["type"] == "start_kyoku" and at <= line), default=0)
            if any(row["type"] == "start_kyoku" for _, row in _before(rows, start)):
                _played(replace(course, rows=_before(course.rows, start)), _before(rows, start), rules)
        raise _differs(line, error.log, error.engine) from error
    _compare(course.rows, _with_points(to_mjai(game), rules.riichi.deposit))
    return game, names_in(head, len(game.scores))


def logged_of_mjai(text: str, rules: Ruleset | None = None) -> LoggedGame:
    """Return the contents of a log, even if they contradict the rules."""
    return logged_of_messages(_rows(text), rules)


def logged_of_messages(given: Sequence[Row], rules: Ruleset | None = None) -> LoggedGame:
    """``logged_of_mjai`` for messages with line numbers."""
    course = _course(given)
    head, hands = _script(course.rows, {})
    played_by = _rules(head, hands, rules)[0]
    messages = [message for _, message in course.rows]
    end = next((message for message in messages if message["type"] == "end_game"), None)
    scores = None if end is None else end.get("scores")
    return LoggedGame(
        hands,
        mjai_ends(messages, KINDS),
        played_by,
        lambda place, reason: RecordError("record_line", line=place[0], reason=reason),
        tuple(names_in(head, len(played_by.seats))),
        LoggedEnd(tuple(scores), final_points(played_by, scores)) if scores else None,
        is_whole=not (course.unstated or course.guesses) and all(map(_has_result, messages)),
    )


def _has_result(message: Message) -> bool:
    """Whether a message that ends a hand or the game has its result."""
    match message["type"]:
        case "ryukyoku":
            return message.get("reason") in KINDS and "deltas" in message
        case "hora":
            return "deltas" in message
        case "end_game":
            return "scores" in message
    return True


def names_in(head: Message, seats: int) -> list[str]:
    """Return the names of ``start_game``, without those of empty places."""
    names = head.get("names")
    listed = names[:seats] if isinstance(names, list) else ()
    return ["" if name is None else str(name) for name in listed]


def _script(
    rows: Sequence[Row], unstated: Mapping[int, frozenset[str]]
) -> tuple[Message, list[script.ScriptHand]]:
    """Return ``start_game`` and the hands, each with the names of the fields that the log omits."""
    head = next((message for _, message in rows if message["type"] == "start_game"), {})
    hands: list[script.ScriptHand] = []
    reader = _MjaiReader(unstated)
    for number, message in rows:
        try:
            reader.read(number, message, hands)
        except RecordError:
            raise
        except (JantakuError, LookupError, OverflowError, TypeError, ValueError) as error:
            raise RecordError("record_line", line=number, reason=cause(error)) from error
    if not hands:
        raise RecordError("mjai_no_hand")
    return head, with_unlogged(hands, head.get(KEY))


def _rules(
    head: Mapping[str, Any], hands: Sequence[script.ScriptHand], given: Ruleset | None
) -> Sequence[Ruleset]:
    """Return the possible rules; raise ``RecordError`` if they have a different number of players."""
    rules = log_rules(head, given, lambda: table_rules(head, hands))
    check_players(rules[0], [hand.start for hand in hands])
    return rules


def table_rules(head: Mapping[str, Any], hands: Sequence[script.ScriptHand]) -> Sequence[Ruleset]:
    """Return Tenhou's or Mahjong Soul's rules with the options of ``start_game`` that programs write."""
    table = LoggedTable(
        seats=len(hands[0].start.scores),
        red={} if head.get("aka_flag") is False else None,
        east_only=head["kyoku_first"] == FIRST_OF_EAST_GAME if "kyoku_first" in head else None,
        is_known_site=False,
    )
    standings = [standing_of(hand.start) for hand in hands]
    return possible_rules(table, GameCourse(standings, endings=script.endings_of(hands)))


def _differs(line: int, log: object, engine: object) -> RecordError:
    return RecordError("mjai_differs", line=line, log=log, engine=engine)


def _rows(text: str) -> list[Row]:
    """Parse the messages: one per line, all in one array, or those of a report of mjai-reviewer."""
    if text.lstrip().startswith("[") or _is_report(text):
        try:
            data = parse_json(text)
            messages = data[REPORTED] if isinstance(data, dict) else data
            rows = [checked(message, number) for number, message in enumerate(messages, 1)]
            return rows or [checked(None, 1)]
        except RecordError:
            raise
        except (ValueError, RecursionError) as error:
            raise RecordError("record_line", line=1, reason=cause(error)) from error
    return [_row(line, number) for number, line in enumerate(text.splitlines(), 1) if line.strip()]


def _is_report(text: str) -> bool:
    return f'"{REPORTED}"' in text and Content(text.encode("utf-8", "replace")).is_report


def _row(line: str, number: int) -> Row:
    try:
        message = parse_json(line)
    except (ValueError, RecursionError) as error:
        raise RecordError("record_line", line=number, reason=cause(error)) from error
    return checked(message, number)


def checked(message: Any, number: int) -> Row:
    """Return a message with normalised names; raise ``RecordError`` for a value that is not a message."""
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise RecordError("record_line", line=number, reason=str(message)[:40])
    words = {key: str(message.get(key)) for key in ("type", "reason")}
    renamed = {key: ALIASES[word] for key, word in words.items() if word in ALIASES}
    return number, message | renamed


def _dealt_thirteen(rows: list[Row]) -> list[Row]:
    """Make the dealers of Mahjong Soul draw their fourteenth tile, which its logs deal with the others.

    Its logs never mark a dealer's first discard as just drawn.
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
    except (LookupError, TypeError):  # reading the message reports the error
        return ()
    return tiles


class _MjaiReader:
    """Builds a script from messages, one at a time."""

    def __init__(self, unstated: Mapping[int, frozenset[str]]) -> None:
        self.unstated = unstated
        self.riichi: Riichi | None = None
        self.after_kan = False
        self.own_turn = True

    def read(self, line: int, message: Mapping[str, Any], hands: list[script.ScriptHand]) -> None:
        kind = message["type"]
        if kind == "start_kyoku":
            before = hands[-1].start.number if hands else 0
            start, unstated = start_of(message, before), self.unstated.get(line, frozenset())
            hands.append(script.ScriptHand((line, ""), start, (), unstated))
            self.riichi, self.after_kan, self.own_turn = None, False, True
        elif kind == "reach":
            self.riichi = "open" if message.get("open") else "riichi"
        elif kind in ACTIONS or kind in _STEPS:
            check_seats(message, len(hands[-1].start.scores))
            contents = [self._act(message)] if kind in ACTIONS else _STEPS[kind](self, message)
            steps = tuple(script.ScriptStep((line, ""), what) for what in contents)
            hands[-1] = replace(hands[-1], steps=hands[-1].steps + steps)

    def _tsumo(self, message: Mapping[str, Any]) -> list[script.StepContent]:
        rinshan, self.after_kan, self.own_turn = self.after_kan, False, True
        return [e.Drew(int(message["actor"]), from_mjai(visible(message["pai"])), rinshan)]

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
        tiles = tuple(from_mjai(name) for name in message.get("ura_markers") or ())
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


def visible(name: str) -> str:
    """Return the name of a tile; raise ``RecordError`` for a hidden one."""
    if name == HIDDEN:
        raise RecordError("mjai_hidden")
    return name


def check_seats(message: Mapping[str, Any], seats: int) -> None:
    """Raise ``ValueError`` for a message of a seat that is not in the game."""
    for name in ("actor", "target", "oya"):
        if name in message and not 0 <= int(message[name]) < seats:
            raise ValueError(f"{name} {message[name]}")


def start_of(message: Mapping[str, Any], before: int, seat: int | None = None) -> e.HandStarted:
    """Return the start of a hand that follows the hand number ``before``; East follows the North round.

    With ``seat``, the hands of other seats may be hidden.
    """
    seats = len(message["scores"])
    number = seats * WINDS.index(message["bakaze"]) + int(message["kyoku"]) - 1
    if number < seats and before >= seats * WINDS.index("N"):
        number += seats * len(WINDS)
    check_seats(message, seats)
    hands = [
        None
        if HIDDEN in hand and seat not in (None, other)
        else tuple(from_mjai(visible(name)) for name in hand)
        for other, hand in enumerate(message["tehais"])
    ]
    if [DEALT if hand is None else len(hand) for hand in hands] != [DEALT] * seats:
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
    standing_of(started)  # raises ``RequestError`` for impossible numbers
    return started


def _compare(rows: Sequence[Row], ours: Sequence[Message]) -> None:
    """Compare each message with the game's; indicators after a kan may be announced earlier or later."""
    logged = [(line, message) for line, message in rows if message["type"] in COMPARED]
    kinds = COMPARED if any(row["type"] == ACCEPTED for _, row in logged) else COMPARED - {ACCEPTED}
    wanted = [message for message in ours if message["type"] in kinds]
    for (line, message), engine in zip(logged, wanted, strict=False):
        _compare_one(line, message, engine)
    if len(logged) > len(wanted):
        raise _differs(logged[len(wanted)][0], json.dumps(logged[len(wanted)][1]), "–")
    ended = any(message["type"] == "end_game" for _, message in rows)
    if ended and len(logged) < len(wanted):
        raise _differs(rows[-1][0], "–", json.dumps(wanted[len(logged)]))
    _compare_dora(rows, ours)
    _compare_end(rows, ours)


def _compare_one(line: int, message: Message, engine: Message) -> None:
    if message["type"] != engine["type"]:
        raise _differs(line, json.dumps(message), json.dumps(engine))
    for name in FIELDS if message["type"] == "start_kyoku" else (*FIELDS, "scores"):
        logged = message.get(name)
        unknown = logged is None or (name == "reason" and logged not in KINDS)
        if name in engine and logged != engine[name] and not unknown:
            raise _differs(line, f"{name} {logged}", f"{name} {engine[name]}")
    if "consumed" in message and sorted(message["consumed"]) != sorted(engine.get("consumed", ())):
        raise _differs(line, message["consumed"], engine.get("consumed"))


def _with_points(ours: Sequence[Message], deposit: int) -> list[Message]:
    """Add the points of the original protocol to our messages."""
    scores: list[int] = []
    extended: list[Message] = []
    for message in ours:
        if message["type"] == "start_kyoku":
            scores = message["scores"]
        elif message["type"] in ("hora", "ryukyoku", ACCEPTED):
            paid = [-deposit if seat == message.get("actor") else 0 for seat in range(len(scores))]
            deltas = message.get("deltas", paid)
            scores = [a + b for a, b in zip(scores, deltas, strict=True)]
            extended.append(message | {"deltas": deltas, "scores": scores})
            continue
        extended.append(message)
    return extended


def _compare_dora(rows: Sequence[Row], ours: Sequence[Message]) -> None:
    """Compare the number of indicators in each hand; the last hand of a truncated log may have fewer."""
    theirs, engine = _indicators([message for _, message in rows]), _indicators(ours)
    ended = any(message["type"] == "end_kyoku" for _, message in rows[-2:])
    starts = [line for line, message in rows if message["type"] == "start_kyoku"]
    for i, (line, row) in enumerate(zip(starts, theirs, strict=True)):
        if row != engine[i] and (ended or i + 1 < len(starts)):
            raise _differs(line, f"dora {row}", f"dora {engine[i]}")


def _indicators(messages: Sequence[Message]) -> list[list[str]]:
    indicators: list[list[str]] = []
    for message in messages:
        if message["type"] == "start_kyoku":
            indicators.append([])
        elif message["type"] == "dora":
            indicators[-1].append(message["dora_marker"])
    return indicators


def _compare_end(rows: Sequence[Row], ours: Sequence[Message]) -> None:
    """Check that the game ends where the log ends it, with the same scores."""
    end = next(((line, message) for line, message in rows if message["type"] == "end_game"), None)
    if end is None:
        return
    line, message = end
    engine = next((row for row in ours if row["type"] == "end_game"), None)
    if engine is None:
        raise _differs(line, "end_game", "–")
    if message.get("scores", engine["scores"]) != engine["scores"]:
        raise _differs(line, message["scores"], engine["scores"])
