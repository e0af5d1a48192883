"""A scenario language for the game engine: hands, draws, actions and their results.

    Table(hands={"E": "123m..."}, draws="5p 1z").play("E discard 5p", "S pon", "S discard 1z", "W ron")

``E S W N`` are the seat winds of the hand. A hand may name fewer than 13 tiles; the remaining tiles
fill omitted tiles, hands, draws and indicators in a fixed order. Unanswered claims are passed as soon as
something else happens.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final, Self

import numpy as np

from jantaku.game.actions import FOUL_ACTS
from jantaku.kernels.cuts import cut_tables
from jantaku.kernels.engine import actions, dealing, entries
from jantaku.kernels.engine import step as engine
from jantaku.kernels.engine.context import Context, new_context
from jantaku.kernels.engine.state import CLAIMS, GAME, YOUR_TURN
from jantaku.kernels.engine.wall import DEALT, dealt_to, live_left
from jantaku.kernels.lookup import shanten_tables
from jantaku.kernels.rules import FOULS, rules_record
from jantaku.rules import Ruleset, load
from jantaku.tiles import RED, Tile, format_tiles, kinds_of, parse_tiles

WINDS: Final = "ESWN"
VERBS: Final = (
    "pass", "discard", "riichi", "open_riichi", "tsumo", "ron", "chi", "pon", "kan", "ankan", "kakan",
    "kyuushu", "foul", "end_game", "play_on", "kita",
)  # fmt: skip
ENDED: Final = (
    "running", "won", "exhausted", "kyuushu_kyuuhai", "suufuu_renda", "suucha_riichi", "suukansanra",
    "sanchahou", "voided",
)  # fmt: skip

Changes = Mapping[str, Any]


@lru_cache(maxsize=3)
def context(man: str = "all") -> Context:
    """The engine's scratch space for one game at a time, shared by all tests."""
    made: Context = new_context(shanten_tables(man), cut_tables())
    return made


@lru_cache(maxsize=256)
def _ruleset(preset: str, changes: str) -> Ruleset:
    return load(preset).with_changes(json.loads(changes))


def ruleset(rules: "Ruleset | str | Changes") -> Ruleset:
    """Return a ruleset from a preset name, changes to ``standard``, or a ruleset."""
    if isinstance(rules, Ruleset):
        return rules
    if isinstance(rules, str):
        return load(rules)
    changes = dict(rules)
    return _ruleset(changes.pop("preset", "standard"), json.dumps(changes, sort_keys=True))


def tile_set(rules: Ruleset) -> list[int]:
    """Return the tiles of these rules, including the red ones."""
    red = {int(Tile.parse(name)): count for name, count in rules.tiles.red.items()}
    return [kind + RED * (copy < red.get(kind, 0)) for kind in kinds_of(rules.tiles.man) for copy in range(4)]


def in_words(code: int, tile: int) -> str:
    """Return an action in scenario notation; ``tile`` is the claimed tile."""
    verb, value = code >> 8, code & 255
    word = VERBS[verb]
    if verb in (actions.DISCARD, actions.RIICHI, actions.OPEN_RIICHI, actions.ANKAN, actions.KAKAN):
        return f"{word} {format_tiles([value & ~actions.DRAWN])}"
    if verb == actions.FOUL:
        return f"{word} {FOUL_ACTS[value]}"
    if verb == actions.CHI:
        called = value & 3
        low, high = sorted({0, 1, 2} - {called})
        base = tile % RED - called
        return (
            f"{word} {format_tiles([base + low + RED * (value >> 2 & 1), base + high + RED * (value >> 3)])}"
        )
    if verb == actions.PON and value:
        return f"{word} {format_tiles([tile % RED] * (2 - value) + [tile % RED + RED] * value)}"
    return word


class Table:
    """One hand of a game, set up and played with text commands."""

    def __init__(
        self,
        rules: "Ruleset | str | Changes" = "standard",
        hands: Mapping[str, str] | None = None,
        draws: str = "",
        **setting: Any,
    ) -> None:
        """Deal; ``setting``: rinshan, indicators, ura, last (tiles), scores, number, honba, …"""
        self.rules = ruleset(rules)
        self.records = rules_record(self.rules)
        self.record = self.records[0]
        self.games = np.zeros(1, GAME)
        self.game = self.games[0]
        seats = self.rules.match.players
        self.winds = [(seat + setting.get("number", 0)) % seats for seat in range(seats)]
        dealing.start_match(self.game, self.record)
        wall = self._wall(hands or {}, draws, setting)
        self.game.wall[: len(wall)] = wall
        self._set_match(setting)
        self.room = context(self.rules.tiles.man)
        dealing.start_hand(self.game, self.room)

    def _wall(self, hands: Mapping[str, str], draws: str, setting: Mapping[str, Any]) -> list[int]:
        tiles, seats = int(self.game.tiles), len(self.winds)
        first = tiles - 1 - int(self.game.rinshan)  # position of the first indicator
        wall, dealt = [-1] * tiles, DEALT * seats
        for wind, text in hands.items():
            places = [i for i in range(dealt) if dealt_to(i, seats) == WINDS.index(wind)]
            self._lay(wall, places, text)
        self._lay(wall, range(dealt, tiles), draws)
        self._lay(wall, range(tiles - 1, 0, -1), setting.get("rinshan", ""))
        self._lay(wall, range(first, 0, -2), setting.get("indicators", ""))
        self._lay(wall, range(first - 1, 0, -2), setting.get("ura", ""))
        self._lay(wall, range(tiles - 1 - int(self.game.dead_wall), 0, -1), setting.get("last", ""))
        rest = tile_set(self.rules)
        for tile in wall:
            if tile >= 0:
                assert tile in rest, f"no {format_tiles([tile])} left"
                rest.remove(tile)
        Random(9).shuffle(rest)
        return [tile if tile >= 0 else rest.pop() for tile in wall]

    @staticmethod
    def _lay(wall: list[int], places: Sequence[int], text: str) -> None:
        tiles = parse_tiles(text)
        assert len(tiles) <= len(places), f"{text} is more than {len(places)} tiles"
        for position, tile in zip(places, tiles, strict=False):
            wall[position] = tile

    def _set_match(self, setting: Mapping[str, Any]) -> None:
        match = self.game.match
        match.number = setting.get("number", 0)
        match.honba = setting.get("honba", 0)
        match.streak = setting.get("streak", 0)
        match.deposits = match.deposits_of[0] = setting.get("deposits", 0)
        for seat, points in zip(self.winds, setting.get("scores", ()), strict=False):
            match.scores[seat] = points

    # ------------------------------------------------------------------ legal actions

    def _codes(self, seat: int) -> list[int]:
        out = np.empty(actions.MAX_ACTIONS, np.int16)
        count = entries.legal(self.games, seat, self.records, self.room, out)
        return [int(code) for code in out[:count]]

    def _fouls(self, seat: int) -> list[int]:
        out = np.empty(actions.MAX_ACTIONS, np.int16)
        fouls = entries.fouls(self.games, seat, self.records, self.room, out)
        return [int(code) for code in out[:fouls]]

    def _offers(self, seat: int) -> Iterator[tuple[str, int]]:
        for code in [*self._fouls(seat), *self._codes(seat)]:
            yield in_words(code, int(self.game.claimed_tile)), code

    def legal(self, wind: str) -> set[str]:
        """Return the player's legal actions as text; runs with and without red tiles are distinct."""
        return self._in_words(self._codes(self._seat(wind)))

    def fouls(self, wind: str) -> set[str]:
        """Return the fouls that the player can commit now, as text."""
        return self._in_words(self._fouls(self._seat(wind)))

    @property
    def seated(self) -> str:
        """The winds at which a player sits."""
        return WINDS[: len(self.winds)]

    def _seat(self, wind: str) -> int:
        number: int = self.winds[WINDS.index(wind)]
        return number

    def _in_words(self, codes: list[int]) -> set[str]:
        return {in_words(code, int(self.game.claimed_tile)) for code in codes}

    # ------------------------------------------------------------------ actions

    def play(self, *commands: str) -> Self:
        """Play ``wind verb [tiles]``; a bare ``discard`` discards the drawn tile, ``-`` passes a turn."""
        for command in commands:
            if command == "-":
                self._let_go()
                continue
            wind, word = command.split(" ", 1)
            seat = self._seat(wind)
            if self._find(seat, word) is None:
                self._pass_rest()
            code = self._find(seat, word)
            assert code is not None, f"{command}: may only {sorted(self.legal(wind))}"
            assert entries.step(self.games, seat, code, self.records, self.room) == engine.DONE
        return self

    def _find(self, seat: int, word: str) -> int | None:
        if word == "discard":
            drawn = actions.DISCARD << 8 | actions.DRAWN | int(self.game.drawn)
            return drawn if drawn in self._codes(seat) else None
        codes = [code for offer, code in self._offers(seat) if offer == word]
        return codes[-1] if codes else None  # the tile from the hand rather than an equal drawn one

    def _pass_rest(self) -> None:
        while self.game.phase == CLAIMS:
            seat = next(seat for seat in self.winds if self._codes(seat))
            entries.step(self.games, seat, actions.PASS << 8, self.records, self.room)

    def _let_go(self) -> None:
        """Let the current player discard the drawn tile, which nobody claims."""
        self._pass_rest()
        seat = int(self.game.turn)
        code = self._find(seat, "discard")
        if code is None:  # there is no drawn tile after a call
            code = self._codes(seat)[-1]
        assert entries.step(self.games, seat, code, self.records, self.room) == engine.DONE
        self._pass_rest()

    def until(self, left: int) -> Self:
        """Let all players draw and discard until the live wall has that many tiles."""
        self._pass_rest()
        while self.game.phase == YOUR_TURN and live_left(self.game) > left:
            self._let_go()
        return self

    def to_the_end(self) -> Self:
        """Let all players draw and discard until the hand is over."""
        return self.until(-1)

    # ------------------------------------------------------------------ results

    def facts(self) -> dict[str, Any]:
        """Return the state as text; points and their changes are ordered by seat wind."""
        self._pass_rest()
        game, match, outcome = self.game, self.game.match, self.game.outcome
        in_order = self.winds

        def of(mask: int) -> str:
            return "".join(wind for wind, seat in zip(WINDS, in_order, strict=False) if mask >> seat & 1)

        return {
            "ended": ENDED[int(outcome.ended)],
            "winners": of(int(outcome.winners)),
            "tenpai": of(int(outcome.tenpai)),
            "nagashi": of(int(outcome.nagashi)),
            "delta": tuple(int(outcome.delta[seat]) for seat in in_order),
            "scores": tuple(int(match.scores[seat]) for seat in in_order),
            "final": tuple(int(match.final[seat]) for seat in in_order),
            "turn": WINDS[in_order.index(int(game.turn))],
            "furiten": "".join(w for w, s in zip(WINDS, in_order, strict=False) if game.furiten_passing[s]),
            "dead": "".join(w for w, s in zip(WINDS, in_order, strict=False) if game.dead[s]),
            "offenders": of(int(outcome.offenders)),
            "fouls": {
                w: FOULS[int(game.foul[s])] for w, s in zip(WINDS, in_order, strict=False) if game.fouls[s]
            },
            "dora": int(game.indicators),
            "left": int(live_left(game)),
            "dealer": int(match.number) % len(in_order),
            "over": bool(match.over),
            **{name: int(match[name]) for name in ("number", "honba", "deposits", "streak")},
        }

    def expect(self, **wanted: Any) -> Self:
        """Check the named facts."""
        facts = self.facts()
        known = {name: facts[name] for name in wanted}
        assert known == wanted, f"{known}, not {wanted}"
        return self
