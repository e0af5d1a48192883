"""Builds the engine's record of a position that one seat sees; hidden tiles lie in it in any order."""

import dataclasses
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from jantaku.adjudication.analysis import best_discards, waits
from jantaku.adjudication.win_records import MELD_CODES
from jantaku.errors import RequestError, RulesError, phrase
from jantaku.game import Game, Standing
from jantaku.game.actions import Action, Discard, decode
from jantaku.game.engine import Engine, Record, indicator_place
from jantaku.game.fair_walls import tile_set
from jantaku.hand import SOURCES, WIND_NAMES, Hand, Meld, MeldType
from jantaku.kernels.engine.state import DECLARATION, DOUBLE_RIICHI, YOUR_TURN
from jantaku.kernels.engine.state import RIICHI as DECLARED
from jantaku.kernels.engine.wall import DEALT, MOST_KANS
from jantaku.kernels.win import MOST_SEATS
from jantaku.lab.discards.position import USUAL_TURN, River, SeatPosition
from jantaku.rules import Ruleset, load
from jantaku.seats import source_of, turns_to, winds_of
from jantaku.tiles import NORTH, RED, Tile, format_tiles


@dataclass(frozen=True)
class KnownPosition:
    """A record in which only what ``seat`` sees counts, and the choices of the seat.

    ``state`` are the bytes of a ``GAME``, ``codes`` the choices as the engine's integers. The first
    ``rivers[seat]`` discards of a seat are unknown, and the seat itself does not discard the kinds of the
    mask ``own`` there. ``safe[seat]`` are kinds for which that seat does not wait, as far as the record does
    not tell. The first ``indicators`` dora indicators are known.
    """

    rules: Ruleset
    state: bytes
    seat: int
    codes: tuple[int, ...]
    rivers: tuple[int, ...] = (0, 0, 0, 0)
    safe: tuple[int, ...] = (0, 0, 0, 0)
    own: int = 0
    indicators: int = 1

    @property
    def choices(self) -> tuple[Action, ...]:
        """The choices of the seat; a tile just drawn and the same tile from the hand are one choice."""
        return tuple(map(_choice, self.codes))


def position_in_game(game: Game, seat: int) -> KnownPosition:
    """The position of a seat that has to discard in a game; raises ``RequestError`` if it has not."""
    record = game.record
    turn = game.follows_rules and record.phase == YOUR_TURN and int(record.turn) == seat
    if not turn or record.deciding:
        raise RequestError("no_discard", field="seat", seat=seat)
    engine = Engine(game.rules)
    engine.array[:] = game.array
    return _known(engine, game.rules, seat, indicators=int(record.indicators))


def _choice(code: int) -> Action:
    action = decode(code, 0)
    return dataclasses.replace(action, drawn=False) if isinstance(action, Discard) else action


def _known(engine: Engine, rules: Ruleset, seat: int, **unknown: Any) -> KnownPosition:
    """The record with each different choice once."""
    codes: dict[Action, int] = {}
    for code in engine.legal(seat):
        codes.setdefault(_choice(code), code)
    if not codes:
        raise RequestError("no_discard", field="hand", seat=seat)
    return KnownPosition(rules, engine.array.tobytes(), seat, tuple(codes.values()), **unknown)


def known_position(position: SeatPosition, rules: str | Ruleset) -> KnownPosition:
    """Build the record of a position; raises ``RequestError`` if the rules do not allow it."""
    ruleset = load(rules)
    return _PositionBuilder(position, ruleset).known()


class _PositionBuilder:
    """Fills a fresh record with what a position says, and hidden places with what is left."""

    def __init__(self, position: SeatPosition, rules: Ruleset) -> None:
        self.position, self.rules = position, rules
        self.seats = len(rules.seats)
        dealer = position.number - 1
        winds = winds_of(self.seats)
        if position.number > self.seats:
            raise RequestError("number_range", field="number", value=position.number, low=1, high=self.seats)
        if position.seat not in winds or position.wareme not in (None, *winds):
            raise RulesError("seat_not_in_rules", path="match.players", players=self.seats)
        if position.wareme is not None and rules.score.wareme == "off":
            raise RulesError("wareme_off", path="score.wareme", rules=rules.id)
        self.dealer = dealer
        self.me = (dealer + winds.index(position.seat)) % self.seats
        self.order = [(self.me + turn) % self.seats for turn in range(self.seats)]
        self.others = dict(zip(self.order[1:], self._rivers_by_turn(), strict=False))
        self.kita = {self.me: position.kita, **{seat: other.kita for seat, other in self.others.items()}}
        self._check_table()
        self.left = self._unseen()
        self.engine = Engine(rules)
        self._standing()
        self.engine.deal(tile_set(rules))

    def _rivers_by_turn(self) -> list[River]:
        """The rivers of the others in turn order; among three the last player's may be given as ``across``.

        Raises ``RulesError`` for the river of somebody who does not sit here.
        """
        named = dict(zip(SOURCES, self.position.others, strict=False))
        lies = [name for name in SOURCES if named.get(name, River()) != River()]
        turns = {turns_to(name, self.seats): named[name] for name in lies}
        if len(turns) < len(lies):
            raise RulesError("source_not_in_rules", path="across", players=self.seats, source="across")
        return [turns.get(turn, River()) for turn in range(1, self.seats)]

    def _check_table(self) -> None:
        """Raise ``RulesError`` for norths that may not be set aside."""
        if any(self.kita.values()) and not self.rules.kita.nukidora:
            raise RulesError("kita_off", path="kita.nukidora", rules=self.rules.id)

    def _unseen(self) -> list[Tile]:
        """The tiles that do not lie open; raises ``RequestError`` if the rules have too few of one."""
        position = self.position
        seen: Counter[Tile] = Counter([*position.hand.all_tiles, *position.dora, *(position.discards or ())])
        for other in self.others.values():
            seen.update([*(other.tiles or ()), *(tile for meld in other.melds for tile in meld.tiles)])
        seen[Tile(NORTH)] += sum(self.kita.values())
        whole = Counter(tile_set(self.rules))
        for tile, count in seen.items():
            if count > whole[tile]:
                name = format_tiles([tile])
                raise RequestError("tile_missing", field="hand", tile=name, count=count, most=whole[tile])
        return sorted((whole - seen).elements())

    def _take(self, count: int) -> list[Tile]:
        tiles, self.left = self.left[:count], self.left[count:]
        return tiles

    def _standing(self) -> None:
        """Write the scores and counters before the deal."""
        position, rules = self.position, self.rules
        sticks = sum(other.riichi for other in self.others.values())
        deposits = sticks if position.deposits is None else position.deposits
        if deposits < sticks:
            raise RequestError("number_range", field="deposits", value=deposits, low=sticks, high=100)
        start = rules.match.start_points
        stick = rules.riichi.deposit
        usual = [start - stick * (seat in self.others and self.others[seat].riichi) for seat in self.order]
        scores = usual if position.scores is None else list(position.scores)
        if len(scores) != self.seats:
            raise RequestError(
                "wrong_type", field="scores", wanted=phrase("errors.kinds.numbers", count=self.seats)
            )
        by_seat = tuple(scores[(seat - self.me) % self.seats] for seat in range(self.seats))
        number = WIND_NAMES.index(position.round) * self.seats + position.number - 1
        Standing(number, position.honba, deposits, by_seat).put(self.engine.record)

    def _turn(self) -> int:
        """The number of the discard to come, as far as the rivers tell."""
        if self.position.discards is not None:
            return len(self.position.discards) + 1
        if self.position.turn is not None:
            return self.position.turn
        rows = [
            len(other.tiles) + 1 - self._before_me(seat)
            for seat, other in self.others.items()
            if other.tiles is not None
        ]
        return max([*rows, 1]) if rows else USUAL_TURN

    def _before_me(self, seat: int) -> bool:
        """Whether the seat comes before mine in each go-around."""
        return (seat - self.dealer) % self.seats < (self.me - self.dealer) % self.seats

    def known(self) -> KnownPosition:
        """The finished record."""
        record, position = self.engine.record, self.position
        for seat in range(self.seats):
            record.hand[seat] = record.red[seat] = 0
        unknown = self._rivers(record)
        melds = {self.me: position.hand.melds, **{seat: other.melds for seat, other in self.others.items()}}
        for seat, laid in melds.items():
            self._lay(record, seat, laid)
        kans = sum(len(meld.tiles) == 4 for laid in melds.values() for meld in laid)
        aside = sum(self.kita.values())
        for seat, count in self.kita.items():
            record.kita[seat] = count
        broken = bool(aside and self.rules.kita.breaks_first_turn)
        record.untouched = int(not any(melds.values()) and not broken)
        record.opened = int(broken or any(meld.is_open for laid in melds.values() for meld in laid))
        broken_wall = position.wareme and winds_of(self.seats).index(position.wareme)
        record.wareme = 0 if broken_wall is None else 1 + (self.dealer + broken_wall) % self.seats
        self._riichi(record)
        self._hands(record)
        self._wall(record, sum(int(n) for n in record.discards), kans, kans + aside)
        record.turn, record.phase, record.drawn = self.me, YOUR_TURN, position.drawn
        safe = tuple(self._passed(seat) for seat in range(MOST_SEATS))
        own, known = self._useful(), len(position.dora)
        return _known(self.engine, self.rules, self.me, rivers=unknown, safe=safe, own=own, indicators=known)

    def _rivers(self, record: Record) -> tuple[int, ...]:
        """Write all discards; returns how many of each seat are unknown."""
        turn, unknown = self._turn(), [0, 0, 0, 0]
        rivers = {
            self.me: self.position.discards,
            **{seat: other.tiles for seat, other in self.others.items()},
        }
        for seat, given_tiles in rivers.items():
            unknown[seat] = turn - 1 + self._before_me(seat) if given_tiles is None else 0
            tiles = self._take(unknown[seat]) if given_tiles is None else given_tiles
            record.discarded[seat] = _mask(given_tiles or ())
            record.river[seat, : len(tiles)] = tiles
            record.discards[seat] = len(tiles)
        return tuple(unknown)

    def _lay(self, record: Record, seat: int, melds: tuple[Meld, ...]) -> None:
        """Write the melds of a seat; a called tile counts as a discard of the seat that it came from."""
        for index, meld in enumerate(melds):
            record.meld[seat, index] = MELD_CODES[meld.type]
            record.meld_first[seat, index] = meld.first
            record.meld_red[seat, index] = sum((tile >= RED) << i for i, tile in enumerate(meld.tiles))
            source = turns_to(meld.source, self.seats) if meld.source else self.seats - 1
            called = meld.tiles[0] if meld.called is None else meld.called
            record.meld_source[seat, index], record.meld_called[seat, index] = source, called
            if meld.is_open and meld.source and (meld.called is not None or meld.type is not MeldType.CHI):
                record.discarded[(seat + source) % self.seats] |= 1 << called % RED
        record.melds[seat] = len(melds)

    def _riichi(self, record: Record) -> None:
        """Mark who has declared riichi and with which discard."""
        for seat, other in self.others.items():
            count = int(record.discards[seat])
            if not other.riichi:
                continue
            if count == 0:
                raise RequestError("riichi_discard", field=source_of(self.me, seat, self.seats))
            index = count - 1 if other.declared is None else other.declared
            record.river_marks[seat, index] = DECLARATION
            double = index == 0 and record.untouched and self.rules.riichi.double
            record.riichi[seat] = DOUBLE_RIICHI if double else DECLARED
            record.ippatsu[seat] = int(index == count - 1)
            record.outcome.laid[seat] = record.match.deposits_of[seat] = 1

    def _passed(self, seat: int) -> int:
        """The kinds that others have discarded since the seat's riichi, as if nobody had called since."""
        riichi = self.others.get(seat)
        if riichi is None or not riichi.riichi or riichi.declared is None:
            return 0
        since = riichi.declared
        rivers = {
            self.me: self.position.discards,
            **{other: lies.tiles for other, lies in self.others.items()},
        }
        kinds = 0
        for other, tiles in rivers.items():
            later = (other - self.dealer) % self.seats > (seat - self.dealer) % self.seats
            kinds |= _mask((tiles or ())[since + (not later) :])
        return kinds

    def _hands(self, record: Record) -> None:
        hand = self.position.hand
        _put(record, self.me, hand.tiles)
        rest = list(hand.tiles)
        rest.remove(self.position.drawn)
        man, in_melds = self.rules.tiles.man, self.rules.draw.wait_in_melds
        kinds = waits(Hand(tuple(rest), hand.melds), man=man, kita=self.position.kita, in_melds=in_melds)
        record.waits[self.me] = _mask(wait.tile for wait in kinds)
        for seat, other in self.others.items():
            _put(record, seat, self._take(13 - 3 * len(other.melds)))

    def _wall(self, record: Record, discards: int, kans: int, replaced: int) -> None:
        """Lay the wall; raises ``RequestError`` if more has been drawn than it holds."""
        dora, tiles = self.position.dora, int(record.tiles)
        record.drawn_live, record.drawn_rinshan = DEALT * self.seats + discards + 1, replaced
        record.indicators, record.kans = max(1, len(dora)), kans
        most = tiles - int(record.dead_wall) - replaced
        if record.drawn_live > most or kans > MOST_KANS or replaced > int(record.rinshan):
            raise RequestError("too_many_drawn", field="discards", most=most - DEALT * self.seats - 1)
        known = {indicator_place(record, i): tile for i, tile in enumerate(dora)}
        for index in range(int(record.drawn_live), tiles - replaced):
            record.wall[index] = known[index] if index in known else self._take(1)[0]

    def _useful(self) -> int:
        """The kinds that bring the hand nearer to tenpai: nobody has discarded those before."""
        man, in_melds = self.rules.tiles.man, self.rules.draw.wait_in_melds
        choices = best_discards(self.position.hand, (), man, self.position.kita, in_melds)
        least = min(choice.shanten for choice in choices)
        return _mask(tile for choice in choices if choice.shanten <= max(0, least) for tile in choice.tiles)


def _put(record: Record, seat: int, tiles: Iterable[Tile]) -> None:
    for tile in tiles:
        record.hand[seat, tile % RED] += 1
        record.red[seat, tile % RED] += tile >= RED


def _mask(tiles: Iterable[int]) -> int:
    kinds = 0
    for tile in tiles:
        kinds |= 1 << tile % RED
    return kinds
