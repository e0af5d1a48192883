"""Replay tenhou.net/6 JSON on a ``Game``: check every action, then compare every hand."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from jantaku.errors import JantakuError, RecordError, cause
from jantaku.game import Game, actions
from jantaku.game.events import DoraTurned, HandStarted
from jantaku.game.mid_game_start import standing_of
from jantaku.records import script
from jantaku.records.as_recorded import LoggedGame
from jantaku.records.log_rules import check_players, log_rules, may_start_mid_game, play_under
from jantaku.records.native.rules_mark import KEY
from jantaku.records.places import PLACES, number_at
from jantaku.records.tenhou6.code import KITA, LETTERS, is_kita, parse_call, tile_of
from jantaku.records.tenhou6.endings import KINDS, WON
from jantaku.records.tenhou6.order import steps_in_order
from jantaku.records.tenhou6.recorded_endings import tenhou_end
from jantaku.records.tenhou6.same_results import same_result
from jantaku.records.tenhou6.table import ending_of, hidden_seat, seats_in, table_rules
from jantaku.records.tenhou6.write import hand_rows, scores_of
from jantaku.records.texts import parse_json
from jantaku.records.unlogged import with_unlogged
from jantaku.rules import Ruleset
from jantaku.seats import dealer_of
from jantaku.tiles import sort_tiles

PARTS: Final = ("round", "scores", "dora", "ura")
INDICATORS: Final = ("dora", "ura")
SEAT_PARTS: Final = ("haipai", "takes", "discards")
RESULT: Final = 16  # index of a hand's result


def parse_tenhou(text: str, rules: Ruleset | None = None) -> tuple[Game, list[str]]:
    """Return the game in the JSON text and the names of its players.

    ``rules`` are needed if the text does not describe its rules and they are not Tenhou's. Raises
    ``RecordError`` with the hand, and the position in it, that is invalid.
    """
    data, rule, hands = _parts(text)
    try:
        possible = log_rules(rule, rules, lambda: table_rules(data, hands))
        check_players(possible[0], [hand.start for hand in hands])
    except RecordError:
        raise
    except (LookupError, TypeError, ValueError) as error:
        raise RecordError("tenhou_bad", hand=len(hands), what="rule / sc", reason=cause(error)) from error
    game = play_under(possible, lambda played_by: _played(data, rule, hands, played_by))
    return game, _names(data, len(game.rules.seats))


def _played(
    data: Mapping[str, Any], rule: Mapping[str, Any], hands: Sequence[script.ScriptHand], rules: Ruleset
) -> Game:
    """Play the hands and compare them with the game."""
    try:
        game = script.play_script(hands, rules, ended="sc" in data, mid_game=may_start_mid_game(rule))
    except script.ScriptError as error:
        number, what = error.position
        raise _differs(number, what, error.log, error.engine) from error
    _compare(data, game)
    return game


def logged_of_tenhou(text: str, rules: Ruleset | None = None) -> LoggedGame:
    """Return the contents of a log, even if they contradict the rules."""
    data, rule, hands = _parts(text)
    ends = [tenhou_end(row, hand.start) for row, hand in zip(data["log"], hands, strict=True)]
    played_by = log_rules(rule, rules, lambda: table_rules(data, hands))[0]
    check_players(played_by, [hand.start for hand in hands])
    names = tuple(_names(data, len(played_by.seats)))
    has_all = not any(end and end.nagashi for end in ends)  # nagashi mangan is logged without tenpai seats
    return LoggedGame(
        hands,
        ends,
        played_by,
        lambda place, reason: RecordError("tenhou_bad", hand=place[0] + 1, what=place[1], reason=reason),
        names,
        ending_of(data, len(played_by.seats)),
        is_whole=has_all,
    )


def _parts(text: str) -> tuple[dict[str, Any], Mapping[str, Any], list[script.ScriptHand]]:
    """Return the whole log, its ``rule`` and its hands."""
    data = _data(text)
    rule = data.get("rule")
    rule = rule if isinstance(rule, Mapping) else {}
    hands = [_hand(row, number) for number, row in enumerate(data["log"])]
    return data, rule, with_unlogged(hands, rule.get(KEY))


def _names(data: Mapping[str, Any], seats: int) -> list[str]:
    return [str(name) for name in data.get("name", ())][:seats]


def _differs(hand: int, what: str, log: object, engine: object) -> RecordError:
    return RecordError("tenhou_differs", hand=hand + 1, what=what, log=log, engine=engine)


def _data(text: str) -> dict[str, Any]:
    """Return the log: one object, or one object per line with one or more hands each."""
    data = _json(text)
    if isinstance(data.get("log"), Mapping):  # wrapped by a service
        data = dict(data["log"])
    if not isinstance(data.get("log"), list) or not data["log"]:
        raise RecordError("tenhou_not", reason="log")
    return data


def _json(text: str) -> dict[str, Any]:
    try:
        data = parse_json(text)
    except (ValueError, RecursionError) as error:
        data = _joined_lines(text.splitlines())
        if not data:
            raise RecordError("tenhou_not", reason=cause(error)) from error
    if isinstance(data, list):
        data = _joined(data)
    if not isinstance(data, dict) or not data:
        raise RecordError("tenhou_not", reason="log")
    return data


def _joined_lines(lines: Sequence[str]) -> dict[str, Any]:
    """Join the hands of all lines into one log; return an empty one if a line is not a log."""
    try:
        logs = [parse_json(line) for line in lines if line.strip()]
    except (ValueError, RecursionError):
        return {}
    return _joined(logs)


def _joined(logs: Sequence[Any]) -> dict[str, Any]:
    """Join the hands of several logs into one; return an empty one if any of them is invalid.

    Raises ``RecordError`` for logs of different games.
    """
    try:
        games = {json.dumps([log.get("ref"), log.get("name"), log.get("sc")]) for log in logs}
        if len(games) > 1:
            raise RecordError("record_several", count=len(games))
        return {**logs[0], "log": [hand for log in logs for hand in log["log"]]}
    except (AttributeError, LookupError, TypeError):
        return {}


def _hand(row: Any, number: int) -> script.ScriptHand:
    try:
        hidden = hidden_seat(row)
        if hidden is None:
            return _script(row, number)
    except (JantakuError, LookupError, OverflowError, TypeError, ValueError) as error:
        raise RecordError("tenhou_bad", hand=number + 1, what="log", reason=cause(error)) from error
    raise RecordError("tenhou_hidden", hand=number + 1, what=f"haipai {hidden}")


def _script(row: Sequence[Any], number: int) -> script.ScriptHand:
    (kyoku, honba, deposits), scores, dora, ura = row[:4]
    seats = seats_in(row)
    hands = tuple(tuple(sort_tiles(map(tile_of, map(int, row[4 + 3 * seat])))) for seat in range(seats))
    if [len(hand) for hand in hands] != [13] * seats or len(scores) != PLACES:
        raise ValueError("haipai")
    of_game = number_at(int(kyoku), seats)
    start = HandStarted(
        of_game,
        int(honba),
        int(deposits),
        dealer_of(of_game, seats),
        scores=tuple(int(score) for score in scores[:seats]),
        indicator=tile_of(int(dora[0])),
        hands=hands,
    )
    standing_of(start)  # raises ``RequestError`` for impossible numbers
    position = number, "dora"
    steps = [script.ScriptStep(position, DoraTurned(indicator=tile_of(int(code)))) for code in dora[1:]]
    steps.append(
        script.ScriptStep((number, "ura"), script.UraIndicators(tuple(tile_of(int(code)) for code in ura)))
    )
    steps_of_turns = steps_in_order(of_game, row[5:RESULT:3][:seats], row[6:RESULT:3][:seats])
    steps += [script.ScriptStep((number, step.position[1]), step.what) for step in steps_of_turns]
    if row[RESULT:]:
        steps += _result(row[RESULT], (number, "result"))
    return script.ScriptHand((number, "round"), start, tuple(steps))


def _result(result: Sequence[Any], position: tuple[int, str]) -> list[script.ScriptStep]:
    if result[0] != WON:
        return [script.ScriptStep(position, script.EndWithoutWin(KINDS.get(str(result[0]), "")))]
    rows = [(int(row[0]), int(row[1])) for row in result[2::2]]
    return [
        script.ScriptStep(
            position, script.ScriptAct(seat, actions.Tsumo() if seat == source else actions.Ron())
        )
        for seat, source in rows
    ]


def _compare(data: Mapping[str, Any], game: Game) -> None:
    """Compare each part of each hand with the game; incomplete hands may have fewer entries."""
    log, ours = data["log"], hand_rows(game)
    for number, (row, engine) in enumerate(zip(log, ours, strict=False)):
        whole = bool(row[RESULT:])
        for i, (part, wanted) in enumerate(zip(row[:RESULT], engine, strict=False)):
            name = PARTS[i] if i < len(PARTS) else f"{SEAT_PARTS[(i - 4) % 3]} {(i - 4) // 3}"
            _compare_part((number, name), part, wanted, whole or i < 2)
        if whole and not same_result(row[RESULT], engine[RESULT] if engine[RESULT:] else [], seats_in(row)):
            raise _differs(number, "result", _text(row[RESULT]), _text(engine[RESULT:]))
        if number + 1 < len(log) and not whole:
            raise _differs(number, "result", "–", _text(engine[RESULT:]))
    seats = len(game.rules.seats)
    given, ended = ending_of(data, seats), scores_of(game)
    is_part = given is not None and ended is None and given.scores != tuple(game.scores)
    if given is not None and not is_part and given != ending_of({"sc": ended}, seats):
        raise _differs(len(log) - 1, "sc", _text(data["sc"]), _text(ended))


def _compare_part(position: tuple[int, str], part: Sequence[Any], engine: Sequence[Any], whole: bool) -> None:
    theirs, wanted = [_key(entry) for entry in part], [_key(entry) for entry in engine]
    if position[1].startswith("haipai"):
        theirs, wanted = sorted(theirs, key=str), sorted(wanted, key=str)
    if position[1] in INDICATORS:  # a kan's may be missing at the end of a hand, ura without a win
        count = min(len(theirs), len(wanted))
        theirs, wanted = theirs[:count], wanted[:count]
    if theirs != (wanted if whole else wanted[: len(theirs)]):
        raise _differs(*position, _text(list(part)), _text(list(engine)))


def _key(entry: Any) -> Any:
    """Return a key shared by all ways to write an entry."""
    if is_kita(entry):
        return KITA
    call = isinstance(entry, str) and any(letter in entry for letter in LETTERS)
    return parse_call(entry).key if call else entry


def _text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)
