"""A hanchan of random legal actions on the engine, written down as a Tenhou log.

The players win, declare riichi and lower their shanten where they can, so that hands end in every way; calls
and kans are random. Scores are kept here from the engine's outcome.
"""

from random import Random
from typing import Any

import numpy as np

from jantaku.kernels.cuts import cut_tables
from jantaku.kernels.engine import actions, dealing
from jantaku.kernels.engine.context import new_context
from jantaku.kernels.engine.state import (
    CLAIMS,
    EXHAUSTED,
    GAME_OVER,
    KYUUSHU_KYUUHAI,
    NO_TILE,
    SUUCHA_RIICHI,
    WON,
    YOUR_TURN,
)
from jantaku.kernels.lookup import shanten_tables
from jantaku.kernels.shanten import shanten
from jantaku.records import Log, LogTable, win_values
from jantaku.records.mjlog.verify import ENDINGS
from jantaku.tiles import RED

HANCHAN = 0x01 | 0x08


def tag(name: str, **attributes: object) -> str:
    pairs = " ".join(f'{key}="{value}"' for key, value in attributes.items())
    return f"<{name} {pairs}/>"


def listed(numbers: Any) -> str:
    return ",".join(str(int(number)) for number in numbers)


def encode_chi(tiles: list[int], place: int, source: int = 3) -> int:
    """``tiles`` in order; ``place`` of the called one; ``source`` seen from the caller."""
    kind = tiles[0] // 4
    code = (kind // 9 * 7 + kind % 9) * 3 + place << 10 | 4 | source
    return code | sum(tile % 4 << 3 + 2 * i for i, tile in enumerate(tiles))


def encode_pon(tiles: list[int], called: int, source: int, added: int | None = None) -> int:
    """A pon of three ``tiles``, or the kakan that adds ``added`` to it."""
    kind = tiles[0] // 4
    other = next(tile for tile in range(4 * kind, 4 * kind + 4) if tile not in tiles)
    bit = 8 if added is None else 16
    return kind * 3 + sorted(tiles).index(called) << 9 | other % 4 << 5 | bit | source


def encode_kan(tile: int, source: int = 0) -> int:
    """An ankan, or the open kan of ``tile`` from ``source``."""
    return tile << 8 | source


class Writer:
    """Plays and writes; ``text`` gives the log."""

    def __init__(self, seed: int, flags: int = HANCHAN) -> None:
        self.rng = Random(seed)
        self.log = Log(flags, ("", "", "", ""), ())
        self.table = LogTable(self.log)
        self.game = self.table.game
        self.context = new_context(shanten_tables(), cut_tables())
        self.out = [tag("GO", type=flags, lobby=0), tag("UN", n0="%E6%9D%B1", n1="b", n2="c", n3="d")]
        self.scores = [25000] * 4
        self.sticks = 0

    def text(self, hands: int = 99) -> str:
        """The log of a whole game, or of its first hands."""
        while self.game.phase != GAME_OVER and hands:
            self.hand()
            hands -= 1
        return f'<mjloggm ver="2.3">{"".join(self.out)}</mjloggm>'

    def hand(self) -> None:
        game, match = self.game, self.game.match
        self.wall = self.rng.sample(range(136), 136)
        game.wall[:] = [self.log.tile(tile) for tile in self.wall]
        dealing.start_hand(game, self.table.context)
        dealer = int(match.number) % 4
        self.held: list[list[int]] = [[], [], [], []]
        for i in range(52):
            self.held[(dealer + (i // 4 if i < 48 else i)) % 4].append(self.wall[i])
        self.melds: list[list[int]] = [[], [], [], []]
        self.pons: dict[int, tuple[list[int], int, int]] = {}  # by kind: tiles, called, source
        self.drawn: int | None = None
        self.seen_draws = 52, 0
        self.dora = [self.wall[131]]
        self.last = -1
        start = int(match.number), int(match.honba), int(match.deposits), 0, 0, self.dora[0]
        dealt: dict[str, object] = {f"hai{seat}": listed(self.held[seat]) for seat in range(4)}
        self.out.append(
            tag("INIT", seed=listed(start), ten=listed(s // 100 for s in self.scores), oya=dealer, **dealt)
        )
        while game.phase in (YOUR_TURN, CLAIMS):
            self.turn() if game.phase == YOUR_TURN else self.claims()

    # Turns

    def turn(self) -> None:
        seat = int(self.game.turn)
        self.write_draw(seat)
        legal = self.table.legal(seat)
        choice = self.choose(seat, legal)
        kind, value = choice >> 8, choice & 255
        if kind == actions.TSUMO:
            self.win([seat])
        elif kind == actions.KYUUSHU:
            self.do(seat, choice)
        elif kind in (actions.ANKAN, actions.KAKAN):
            self.kan(seat, kind, value)
        else:
            self.discard(seat, kind, value)

    def write_draw(self, seat: int) -> None:
        draws = int(self.game.drawn_live), int(self.game.drawn_rinshan)
        if self.game.drawn == NO_TILE or draws == self.seen_draws:
            return
        self.turn_dora(int(self.game.indicators))
        self.drawn = self.wall[136 - draws[1]] if draws[1] > self.seen_draws[1] else self.wall[draws[0] - 1]
        self.seen_draws = draws
        self.held[seat].append(self.drawn)
        self.out.append(f"<{'TUVW'[seat]}{self.drawn}/>")

    def turn_dora(self, number: int) -> None:
        while len(self.dora) < number:
            self.dora.append(self.wall[131 - 2 * len(self.dora)])
            self.out.append(tag("DORA", hai=self.dora[-1]))

    def choose(self, seat: int, legal: list[int]) -> int:
        kinds = {action >> 8 for action in legal}
        for kind, chance in (
            (actions.TSUMO, 1.0),
            (actions.KYUUSHU, 0.5),
            (actions.ANKAN, 0.7),
            (actions.KAKAN, 0.7),
            (actions.RIICHI, 0.9),
        ):
            if kind in kinds and self.rng.random() < chance:
                return self.rng.choice([action for action in legal if action >> 8 == kind])
        return min((a for a in legal if a >> 8 == actions.DISCARD), key=lambda a: self.distance(seat, a))

    def distance(self, seat: int, action: int) -> tuple[int, float]:
        hand = np.array(self.game.hand[seat])
        hand[(action & 127) % RED] -= 1
        return shanten(hand, int(self.game.melds[seat]), self.context.tables), self.rng.random()

    def discard(self, seat: int, kind: int, value: int) -> None:
        tile = self.take(seat, value)
        if kind == actions.RIICHI:
            self.out.append(tag("REACH", who=seat, step=1))
        self.turn_dora(int(self.game.indicators + self.game.after_discard))
        self.out.append(f"<{'DEFG'[seat]}{tile}/>")
        self.last, self.drawn, self.declared = tile, None, seat if kind == actions.RIICHI else None
        self.table.carry_out(seat, kind << 8 | value)
        if self.game.phase != CLAIMS:
            self.lay_stick()
            self.ended()

    def lay_stick(self) -> None:
        if self.declared is not None:
            self.scores[self.declared] -= 1000
            self.sticks += 1
            ten = listed(score // 100 for score in self.scores)
            self.out.append(tag("REACH", who=self.declared, ten=ten, step=2))
            self.declared = None

    def take(self, seat: int, value: int) -> int:
        """The number of the tile discarded: the drawn one, or another that looks so."""
        if value & actions.DRAWN and self.drawn is not None:
            tile = self.drawn
        else:
            tile = next(t for t in self.held[seat] if self.log.tile(t) == value and t != self.drawn)
        self.held[seat].remove(tile)
        return tile

    def kan(self, seat: int, kind: int, value: int) -> None:
        if kind == actions.ANKAN:
            code = encode_kan(4 * value)
            self.held[seat] = [tile for tile in self.held[seat] if tile // 4 != value]
            self.melds[seat].append(code)
        else:
            added = next(tile for tile in self.held[seat] if self.log.tile(tile) == value)
            tiles, called, source = self.pons[value % RED]
            code = encode_pon(tiles, called, source, added)
            self.held[seat].remove(added)
            self.replaced = encode_pon(tiles, called, source)
            self.melds[seat][self.melds[seat].index(self.replaced)] = code
            self.last = added
        self.out.append(tag("N", who=seat, m=code))
        self.drawn, self.declared = None, None
        self.do(seat, kind << 8 | value)

    # Claims

    def claims(self) -> None:
        asked = [seat for seat in range(4) if self.table.is_asked(seat)]
        offers = {seat: self.table.legal(seat) for seat in asked}
        winners = [seat for seat in asked if actions.RON << 8 in offers[seat]]
        if winners:
            self.win(winners)
            return
        self.lay_stick()
        calls = [(seat, action) for seat in asked for action in offers[seat] if action >> 8 >= actions.CHI]
        call = self.rng.choice(calls) if calls and self.rng.random() < 0.2 else None
        if call:
            self.write_call(*call)
        for seat in asked:
            if not call or seat != call[0]:
                self.table.carry_out(seat, actions.PASS << 8)
        if call:
            self.table.carry_out(*call)
        self.ended()

    def write_call(self, seat: int, action: int) -> None:
        kind, value, tile = action >> 8, action & 255, self.last
        source = (int(self.game.claimed_from) - seat) % 4
        if kind == actions.CHI:
            called = value & 3
            others = [tile // 4 - called + i for i in range(3) if i != called]
            used = [self.find(seat, other + RED * (value >> 2 + i & 1)) for i, other in enumerate(others)]
            code = encode_chi(sorted([*used, tile]), called)
        else:
            number = 2 if kind == actions.PON else 3
            used = [self.find(seat, tile // 4 + RED * (i < value)) for i in range(number)]
            if kind == actions.DAIMINKAN:
                code = encode_kan(tile, source)
            else:
                code = encode_pon([*used, tile], tile, source)
                self.pons[tile // 4] = [*used, tile], tile, source
        self.melds[seat].append(code)
        self.out.append(tag("N", who=seat, m=code))

    def find(self, seat: int, code: int) -> int:
        """Take a tile that looks so out of the hand."""
        tile = next(tile for tile in self.held[seat] if self.log.tile(tile) == code)
        self.held[seat].remove(tile)
        return tile

    # Ends

    def do(self, seat: int, action: int) -> None:
        self.table.carry_out(seat, action)
        self.ended()

    def win(self, winners: list[int]) -> None:
        own, match = int(self.game.turn), self.game.match
        order = sorted(winners, key=lambda seat: (seat - own) % 4)
        own_turn = self.game.phase == YOUR_TURN
        rows = []
        numbers = win_values(self.table, order)
        for seat in order if numbers else ():
            values = numbers[seat]
            attributes: dict[str, object] = {
                "ba": listed((match.honba, self.sticks if seat == order[0] else 0)),
                "hai": listed(sorted([*self.held[seat], *([] if own_turn else [self.last])])),
            }
            if self.melds[seat]:
                attributes["m"] = listed(self.melds[seat])
            attributes["machi"] = self.drawn if own_turn else self.last
            attributes["ten"] = listed((values.fu, values.points, values.limit))
            if values.yakuman:
                attributes["yakuman"] = listed(values.yakuman)
            else:
                attributes["yaku"] = listed(number for pair in values.yaku.items() for number in pair)
            attributes["doraHai"] = listed(self.dora)
            if self.game.riichi[seat]:
                attributes["doraHaiUra"] = listed(self.wall[130 - 2 * i] for i in range(len(self.dora)))
            if values.liable is not None:
                attributes["paoWho"] = values.liable
            rows.append((attributes | {"who": seat, "fromWho": own}, values.change))
        for seat in [s for s in range(4) if s not in winners and self.table.is_asked(s)]:
            self.table.carry_out(seat, actions.PASS << 8)
        for seat in order if numbers else ():
            self.table.carry_out(seat, (actions.TSUMO if own_turn else actions.RON) << 8)
        if self.game.outcome.ended != WON:
            self.ended()
            return
        for i, (attributes, change) in enumerate(rows):
            self.out.append(tag("AGARI", **attributes, **self.settled(change, i == len(rows) - 1)))
        self.sticks = 0

    def settled(self, change: Any, last: bool) -> dict[str, object]:
        """``sc``, and at the end of the game ``owari``."""
        pairs = [part for s in range(4) for part in (self.scores[s] // 100, int(change[s]) // 100)]
        self.scores = [self.scores[seat] + int(change[seat]) for seat in range(4)]
        if not last or self.game.phase != GAME_OVER:
            return {"sc": listed(pairs)}
        match = self.game.match
        result = [f"{match.scores[s] // 100},{match.final[s] / 1000}" for s in range(4)]
        return {"sc": listed(pairs), "owari": ",".join(result)}

    def ended(self) -> None:
        """Write a draw where the hand has ended."""
        game, outcome = self.game, self.game.outcome
        if game.phase in (YOUR_TURN, CLAIMS):
            return
        ended = int(outcome.ended)
        shown = {
            EXHAUSTED: [seat for seat in range(4) if int(outcome.tenpai) >> seat & 1],
            KYUUSHU_KYUUHAI: [int(game.turn)],
            SUUCHA_RIICHI: [0, 1, 2, 3],
        }.get(ended, [])
        kind = "nm" if outcome.nagashi else ENDINGS[ended]
        attributes: dict[str, object] = {"type": kind} if kind else {}
        self.turn_dora(int(game.indicators))
        sticks = int(game.match.honba) - 1, self.sticks  # every draw adds a honba, whoever deals next
        hands = {f"hai{seat}": listed(sorted(self.held[seat])) for seat in shown}
        settled = self.settled(outcome.delta, True)
        self.out.append(tag("RYUUKYOKU", **attributes, ba=listed(sticks), **settled, **hands))


def written(seed: int, flags: int = HANCHAN, hands: int = 99) -> str:
    """The log of a random game."""
    return Writer(seed, flags).text(hands)
