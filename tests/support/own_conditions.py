"""Custom yaku for tests: the catalogue as conditions, random conditions, and wins to try them on."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from numpy.typing import NDArray

from jantaku import Ruleset, Win, load
from jantaku.adjudication.reading_yaku import reading_yaku
from jantaku.adjudication.requests import win_from_request
from jantaku.adjudication.score import score_records
from jantaku.adjudication.win_records import win_records
from jantaku.kernels import win as layout
from jantaku.kernels.reading import ROW
from jantaku.rules import catalogue
from jantaku.rules.own import read, vocabulary
from jantaku.rules.own.meaning import ReadingFacts, is_met
from jantaku.rules.own.written import written
from jantaku.rules.own_yaku import MAX_OWN
from jantaku.tiles import Tile, format_tiles, parse_tiles

ROOT = Path(__file__).parents[2]
YAKUMAN = {"closed": "yakuman", "open": "yakuman"}
GATES = {
    "riichi.double": True, "riichi.open": True, "riichi.open_deal_in": "yakuman", "riichi.ippatsu": True,
    "score.multiple_yakuman": True, "deal.paarenchan": "from_eighth",
}  # fmt: skip


def with_conditions(
    conditions: Sequence[str], changes: Mapping[str, Any] | None = None, preset: str = "standard"
) -> Ruleset:
    """Return rules with the conditions as custom yaku ``own_00`` …, each a yakuman."""
    own = {f"own_{i:02}": {**YAKUMAN, "when": when} for i, when in enumerate(conditions)}
    return load({"extends": preset, "yaku": own}).with_changes(changes or {})


class CatalogueCheck:
    """Compares the catalogue's conditions with its compiled predicates; ``seen``: yaku of all wins."""

    def __init__(self, preset: str = "standard") -> None:
        self.order, self.seen = list(catalogue()), set[str]()
        self.rules = [
            (names, with_conditions([written()[name] for name in names], all_yakuman(), preset))
            for names in groups(list(written()))
        ]

    def wrong(self, records: NDArray[Any]) -> list[tuple[str, list[int]]]:
        """Return the yaku whose condition and predicate differ, with the indices of some wins."""
        parts = []
        for names, rules in self.rules:
            rows = score_records(records, rules)
            complete = rows[:, layout.ERROR] == layout.NO_ERROR
            for i, name in enumerate(names):
                built_in = rows[:, layout.YAKU] >> self.order.index(name) & 1
                own = rows[:, layout.OWN_YAKU] >> i & 1
                if len(differ := ((built_in != own) & complete).nonzero()[0]):
                    parts.append((name, differ[:3].tolist()))
                self.seen |= {name} if (own & complete).any() else set()
        return parts


def groups(names: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield names in groups that fit into one ruleset."""
    for start in range(0, len(names), MAX_OWN):
        yield names[start : start + MAX_OWN]


@cache
def stored_wins() -> tuple[Win, ...]:
    """Return the wins of stored tests, some with details of a game, and the examples of the catalogue."""
    wins = list[Win]()
    for name in ("wins", "random-wins", "bot-wins"):
        for line in (ROOT / "tests" / "data" / f"{name}.jsonl").read_text("utf-8").splitlines():
            request = json.loads(line)["request"]
            plain = {name: value for name, value in request.items() if name != "rules"}
            wins.append(win_from_request(plain | game_fields(len(wins), plain)))
    examples = [entry.example for entry in catalogue().values() if entry.example.get("hand")]
    return (*wins, *(win_from_request({"by": "ron", **example}) for example in examples))


def game_fields(number: int, request: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields that only a game has (turn, score, discards); ``number`` selects all, one or none."""
    melds = "".join(meld["tiles"] for meld in request.get("melds", ()))
    lying = "".join((request["hand"], request["win"], melds, request.get("dora", ""), request.get("ura", "")))
    held = {tile % 34 for tile in parse_tiles(lying)}
    free = [kind for kind in range(number % 5, 34, 5) if kind not in held]
    called = sum(meld["type"] in ("chi", "pon", "kakan") for meld in request.get("melds", ()))
    riichi = request.get("riichi")
    least = max(called, riichi is not None)
    sudden = bool(request.get("ippatsu")) and riichi in ("double", "double_open")
    free += [kind for kind in range(34) if kind not in held and kind not in free]
    discarded = [] if request.get("first_turn") else free[: least if sudden else max(least, number % 7)]
    turn, score = len(discarded) + 1, (number % 9 - 2) * 100
    every = {"turn": turn, "score": score, "discarded": format_tiles(discarded)}
    return ({}, {"turn": turn}, {"score": score}, every)[number % 4]


def results(wins: Sequence[Win], rules: Ruleset) -> Iterator[tuple[Win, int, ReadingFacts]]:
    """Yield the custom yaku of each complete win as bits, with the facts of its scored reading."""
    for win, row in zip(wins, score_records(win_records(wins), rules).tolist(), strict=True):
        if row[layout.ERROR] in (layout.NO_ERROR, layout.FURITEN):
            reading, other = row[layout.READING : layout.READING + ROW], row[layout.STANDS_FOR]
            counted = win.counted_as(Tile(other - 1)) if other else win
            yield win, row[layout.OWN_YAKU], reading_yaku(counted, rules, reading).facts


def disagreements(wins: Sequence[Win], conditions: Sequence[str]) -> list[tuple[Win, str]]:
    """Return the wins and conditions on which the compiled and the plain evaluator differ."""
    rules = with_conditions(conditions)
    trees = [read(yaku.condition) for yaku in rules.own_yaku]
    return [
        (win, tree.text)
        for win, own, facts in results(wins, rules)
        for i, tree in enumerate(trees)
        if bool(own >> i & 1) != is_met(tree, facts)
    ]


SIGNS = (">=", "<=", "==", "!=", ">", "<")
SUITS = (*vocabulary.SUIT_LETTERS, *vocabulary.SUITS)
COUNTED = (*vocabulary.GROUPS, *vocabulary.PLURALS)
QUOTED = ('"19m"', '"123m"', '"2468s6z"', '"5z"', '"1199m"', '"147m258p369s"')


def random_condition(chance: Random, depth: int = 3) -> str:
    """Return a random condition with at most ``depth`` levels; few are invalid."""
    if depth and chance.random() < 0.6:
        word = chance.choice([" and ", " and ", " or "])
        inner = word.join(random_condition(chance, depth - 1) for _ in range(chance.randint(2, 3)))
        return f"({inner})" if chance.random() < 0.7 else inner
    makers = [_word, _word, _of_tiles, _placed, _placed, _sum, _sum, _numbers, _chained, _yaku]
    made = chance.choice(makers)(chance)
    if chance.random() < 0.25:
        made = f"not {made}" if chance.random() < 0.5 else f"not ({made})"
    return f"({made})" if chance.random() < 0.1 else made


def _word(chance: Random) -> str:
    return chance.choice(vocabulary.WORDS)


def _tiles(chance: Random) -> str:
    named = [chance.choice((*vocabulary.TILES, *QUOTED)) for _ in range(chance.choice((1, 1, 2)))]
    return ", ".join(named)


def _of_tiles(chance: Random) -> str:
    return f"{chance.choice((*vocabulary.OF_TILES, 'has', *COUNTED, *vocabulary.AMONG))}({_tiles(chance)})"


def _rank(chance: Random) -> str:
    head = chance.choice(("n", "n", "k", str(chance.randint(1, 9))))
    step = chance.choice((0, 0, chance.randint(-8, 8)))
    return head if not step else f"{head} {'+' if step > 0 else '-'} {abs(step)}"


def _placed(chance: Random) -> str:
    """Return a term for sets or tiles with a rank and a suit, mostly given as letters."""
    said = f"{chance.choice(COUNTED)}({_rank(chance)}, {chance.choice(SUITS)})"
    if chance.random() < 0.5:
        return said
    bound = str(chance.choice((0, 1, 2, 3, 4, 5, 9)))
    return f"{said} {_sign(chance)} {bound}" if chance.random() < 0.8 else f"{bound} {_sign(chance)} {said}"


def _amount(chance: Random) -> str:
    """Return an operand of a sum: a number, a word, or a sum in brackets."""
    way = chance.random()
    if way < 0.2:
        return _constant_number(chance)
    if way < 0.4:
        return f"{chance.choice((*COUNTED, *vocabulary.AMONG))}({_tiles(chance)})"
    if way < 0.5:
        return f"({_total(chance)})"
    alone = [name for name in COUNTED if vocabulary.PLURALS.get(name, name) not in ("count", "won_on")]
    return chance.choice((*vocabulary.NUMBERS, *vocabulary.NUMBERS, *vocabulary.AMONG, *alone))


def _total(chance: Random) -> str:
    """Return a sum with signs."""
    said = ("-" if chance.random() < 0.1 else "") + _amount(chance)
    for _ in range(chance.choice((0, 0, 1, 2))):
        said += f" {chance.choice('+-')} {_amount(chance)}"
    return said


def _constant_number(chance: Random) -> str:
    return str(chance.choice((0, 1, 1, 2, 3, 4, 6, 14, 100, 25_000, 999_999)))


def _sum(chance: Random) -> str:
    if chance.random() < 0.05:
        return _constant(chance)
    one, other = _total(chance), _total(chance)
    while not re.search("[a-z]", one + other):
        one = _total(chance)
    return f"{one} {_sign(chance)} {other}"


def _constant(chance: Random) -> str:
    return f"{_constant_number(chance)} {_sign(chance)} {_constant_number(chance)}"


def _numbers(chance: Random) -> str:
    one, other = _rank(chance), _rank(chance)
    return f"{one} {_sign(chance)} {other}"


def _chained(chance: Random) -> str:
    """Return a chained comparison."""
    inner = chance.choice(
        (f"{chance.choice(tuple(vocabulary.NUMBERS))} + {_total(chance)}", f"n + {chance.randint(0, 8)}")
    )
    return f"{_constant_number(chance)} <= {inner} {_sign(chance)} {_constant_number(chance)}"


def _yaku(chance: Random) -> str:
    name = chance.choice((*catalogue(), "own_00", "own_01", "nothing_of_the_sort"))
    return f'yaku("{name}")'


def _sign(chance: Random) -> str:
    return chance.choice(SIGNS)


def all_yakuman() -> dict[str, Any]:
    """Return changes that make every built-in yaku a yakuman that counts together with all others."""
    changes: dict[str, Any] = dict(GATES)
    for name in catalogue():
        if name != "nagashi_mangan":
            worth = {"closed": "yakuman", "open": "yakuman", "replaces": [], "only": "none"}
            changes |= {f"yaku.{name}.{setting}": value for setting, value in worth.items()}
    return changes
