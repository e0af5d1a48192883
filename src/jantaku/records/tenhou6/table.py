"""The table of a tenhou.net/6 log: platform, red fives, open tanyao and length."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from jantaku.game.mid_game_start import standing_of
from jantaku.records.inferred_rules import (
    MAHJONG_SOUL,
    TENHOU,
    GameCourse,
    LoggedEnd,
    LoggedTable,
    possible_rules,
)
from jantaku.records.places import PLACES
from jantaku.records.script import ScriptHand, endings_of
from jantaku.records.tenhou6.code import AS_DRAWN
from jantaku.rules import Ruleset

_TENHOU_ID: Final = re.compile(r"\d{10}gm-")
_SOUL_ID: Final = re.compile(r"\d{6}-[0-9a-f]{8}-")
# Mahjong Soul's rooms, ranks and table types, as converters write them in each language
_SOUL_WORDS: Final = re.compile(
    r"[銅銀金玉]の間|王座|友人戦|大会戦|段位戦|雀魂|雀士|雀傑|雀豪|雀聖|魂天|初心★|"
    r"[铜银金玉]之间|友人场|比赛场|段位场|雀杰|"
    r"(?:Bronze|Silver|Gold|Jade|Throne) ?Room|Friendly|Tou?rnament|Mahjong ?Soul|Majsoul|Celestial|"
    r"작혼|친선전|대회전|[동은금옥]탁|왕좌",
    re.IGNORECASE,
)
_EAST: Final = re.compile(r"東|东|East|동풍|동장", re.IGNORECASE)
_SOUTH: Final = re.compile(r"南|South|半荘|반장", re.IGNORECASE)
_NO_RED: Final = re.compile(r"赤(?:ドラ)?な[しシ]|aka nashi|no red", re.IGNORECASE)
_RED: Final = re.compile(r"赤|red", re.IGNORECASE)
_FIVES: Final = {"aka51": "5m", "aka52": "5p", "aka53": "5s"}
_RED_NUMBERS: Final = {51: "5m", 52: "5p", 53: "5s"}
_ENTRY: Final = re.compile(r"\d\d")


def table_rules(data: Mapping[str, Any], hands: Sequence[ScriptHand]) -> Sequence[Ruleset]:
    """Infer the possible rules of a log that does not state its own, likely ones first."""
    seats = len(hands[0].start.scores)
    standings = [standing_of(hand.start) for hand in hands]
    course = GameCourse(standings, ending_of(data, seats), endings_of(hands))
    return possible_rules(table_of(data, seats), course)


def ending_of(data: Mapping[str, Any], seats: int) -> LoggedEnd | None:
    """Return the points and final points of ``sc``; raise ``ValueError`` or ``TypeError`` if invalid."""
    given = data.get("sc")
    if given is None:
        return None
    scores, finals = given[: 2 * seats : 2], given[1 : 2 * seats : 2]
    if len(finals) != seats:
        raise ValueError(given)
    return LoggedEnd(
        tuple(int(score) for score in scores), tuple(round(1000 * float(points)) for points in finals)
    )


def table_of(data: Mapping[str, Any], seats: int) -> LoggedTable:
    """Return the table described by the heading of a log with ``seats`` players."""
    rule = data.get("rule")
    rule = rule if isinstance(rule, Mapping) else {}
    text = str(rule.get("disp", ""))
    soul, tenhou = is_mahjong_soul(data), bool(_TENHOU_ID.match(str(data.get("ref", ""))))
    named = bool(_EAST.search(text) or _SOUTH.search(text))
    return LoggedTable(
        site=MAHJONG_SOUL if soul else TENHOU,
        seats=seats,
        red=_red(data, rule, text),
        kuitan="喰" in text if named and not soul and {"東", "南"} & set(text) else None,
        east_only=not _SOUTH.search(text) if named else None,
        is_private=soul or not tenhou or data.get("lobby", 0) != 0,
        is_known_site=soul or tenhou,
    )


def is_mahjong_soul(data: Mapping[str, Any]) -> bool:
    """Whether the log was converted from Mahjong Soul."""
    ref = str(data.get("ref", ""))
    if _TENHOU_ID.match(ref):
        return False
    rule, title, ranks = data.get("rule"), data.get("title"), data.get("dan")
    words = [
        str(rule.get("disp", "")) if isinstance(rule, Mapping) else "",
        *(map(str, title) if isinstance(title, list) else ()),
        *(map(str, ranks) if isinstance(ranks, list) else ()),
    ]
    return bool(_SOUL_ID.match(ref)) or any(_SOUL_WORDS.search(word) for word in words)


def seats_in(row: Sequence[Any]) -> int:
    """Return the number of players of a hand: the places up to the last one with tiles."""
    hands = row[4 : 4 + 3 * PLACES : 3]
    return max((seat for seat, hand in enumerate(hands, 1) if hand), default=0)


def hidden_seat(row: Sequence[Any]) -> int | None:
    """Return the first seat that has points but no known tiles, if other seats have some."""
    hands = row[4 : 4 + 3 * PLACES : 3]
    is_known = [bool({str(tile) for tile in hand} - {"0", "?"}) for hand in hands]
    hidden = [seat for seat, points in enumerate(row[1]) if points and not is_known[seat]]
    return hidden[0] if hidden and any(is_known) else None


def _red(data: Mapping[str, Any], rule: Mapping[str, Any], text: str) -> dict[str, int] | None:
    """Return how many of each five are red, at least as many as occur in the log."""
    if any(name in rule for name in _FIVES):
        reds = {tile: int(rule.get(name, 0)) for name, tile in _FIVES.items()}
    elif "aka" in rule:
        reds = dict.fromkeys(_FIVES.values(), 1 if rule["aka"] else 0)
    elif _NO_RED.search(text) or (text and not _RED.search(text)):
        reds = dict.fromkeys(_FIVES.values(), 0)
    else:
        return None
    for tile, count in _red_fives(data).items():
        reds[tile] = max(reds[tile], count)
    return {tile: count for tile, count in reds.items() if count}


def _red_fives(data: Mapping[str, Any]) -> dict[str, int]:
    """Return the red fives that occur in the log."""
    reds: dict[str, int] = {}
    for row in data["log"]:
        for part in row[2:16] if isinstance(row, list) else ():
            for entry in part if isinstance(part, list) else ():
                for number in map(int, _ENTRY.findall(str(entry))):
                    if number in _RED_NUMBERS and number != AS_DRAWN:
                        reds[_RED_NUMBERS[number]] = 1
    return reds
