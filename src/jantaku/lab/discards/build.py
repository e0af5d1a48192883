"""Builds the engine's record of a position seen from one seat, with hidden tiles in arbitrary order."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from jantaku.adjudication.analysis import best_discards, waits
from jantaku.adjudication.win_records import MELD_CODES
from jantaku.bots.search.position import KnownPosition, choice_of
from jantaku.errors import RequestError, RulesError, phrase
from jantaku.game import Action, Game, Standing
from jantaku.game.engine import Engine, Record, indicator_place
from jantaku.game.fair_walls import tile_set
from jantaku.hand import SOURCES, WIND_NAMES, Hand, Meld, MeldType
from jantaku.kernels.engine.state import DECLARATION, DOUBLE_RIICHI, YOUR_TURN
from jantaku.kernels.engine.state import RIICHI as DECLARED
from jantaku.kernels.engine.wall import DEALT, MAX_KANS
from jantaku.kernels.win import MAX_SEATS
from jantaku.lab.discards.position import DEFAULT_TURN, River, SeatPosition
from jantaku.rules import Ruleset, load
from jantaku.seats import source_of, turns_to, winds_of
from jantaku.tiles import NORTH, RED, Tile, format_tiles


def position_in_game(game: Game, seat: int) -> KnownPosition:
    """Return the position of a seat that is to discard; raise ``RequestError`` if it is not its turn."""
    record = game.record
    turn = game.follows_rules and record.phase == YOUR_TURN and int(record.turn) == seat
    if not turn or record.deciding:
        raise RequestError("no_discard", field="seat", seat=seat)
    engine = Engine(game.rules)
    engine.array[:] = game.array
    return _known(engine, game.rules, seat, indicators=int(record.indicators))


def _known(engine: Engine, rules: Ruleset, seat: int, **unknown: Any) -> KnownPosition:
    """Return the position, with equal choices merged; raise ``RequestError`` if there are none."""
    codes: dict[Action, int] = {}
    for code in engine.legal(seat):
        codes.setdefault(choice_of(code), code)
    if not codes:
        raise RequestError("no_discard", field="hand", seat=seat)
    return KnownPosition(rules, engine.array.tobytes(), seat, tuple(codes.values()), **unknown)


def known_position(position: SeatPosition, rules: str | Ruleset) -> KnownPosition:
    """Build the record of a position.

    Raises ``RequestError`` or ``RulesError`` if the position is impossible under the rules.
    """
    ruleset = load(rules)
    return _PositionBuilder(position, ruleset).build()


class _PositionBuilder:
    """Fills a fresh record with the known tiles of a position, and hidden places with the remaining tiles."""

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
        self._check_kita()
        self.hidden = self._unseen()
        self.engine = Engine(rules)
        self._write_standing()
        self.engine.deal(tile_set(rules))

    def _rivers_by_turn(self) -> list[River]:
        """Return the rivers of the others in turn order.

        With three players ``across`` and ``left`` both mean the last player; raises ``RulesError`` if both
        have a river.
        """
        named = dict(zip(SOURCES, self.position.others, strict=False))
        lies = [name for name in SOURCES if named.get(name, River()) != River()]
        turns = {turns_to(name, self.seats): named[name] for name in lies}
        if len(turns) < len(lies):
            raise RulesError("source_not_in_rules", path="across", players=self.seats, source="across")
        return [turns.get(turn, River()) for turn in range(1, self.seats)]

    def _check_kita(self) -> None:
        """Raise ``RulesError`` if norths are set aside under rules without kita."""
        if any(self.kita.values()) and not self.rules.kita.nukidora:
            raise RulesError("kita_off", path="kita.nukidora", rules=self.rules.id)

    def _unseen(self) -> list[Tile]:
        """Return the unseen tiles; raise ``RequestError`` if the position has too many of one tile."""
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
        tiles, self.hidden = self.hidden[:count], self.hidden[count:]
        return tiles

    def _write_standing(self) -> None:
        """Write the scores and counters before dealing."""
        position, rules = self.position, self.rules
        sticks = sum(other.riichi for other in self.others.values())
        deposits = sticks if position.deposits is None else position.deposits
        if deposits < sticks:
            raise RequestError("number_range", field="deposits", value=deposits, low=sticks, high=100)
        start = rules.match.start_points
        stick = rules.riichi.deposit
        default = [start - stick * (seat in self.others and self.others[seat].riichi) for seat in self.order]
        scores = default if position.scores is None else list(position.scores)
        if len(scores) != self.seats:
            raise RequestError(
                "wrong_type", field="scores", wanted=phrase("errors.kinds.numbers", count=self.seats)
            )
        by_seat = tuple(scores[(seat - self.me) % self.seats] for seat in range(self.seats))
        number = WIND_NAMES.index(position.round) * self.seats + position.number - 1
        Standing(number, position.honba, deposits, by_seat).put(self.engine.record)

    def _turn(self) -> int:
        """Return the number of the next discard, inferred from the rivers if it is not given."""
        if self.position.discards is not None:
            return len(self.position.discards) + 1
        if self.position.turn is not None:
            return self.position.turn
        rows = [
            len(other.tiles) + 1 - self._before_me(seat)
            for seat, other in self.others.items()
            if other.tiles is not None
        ]
        return max([*rows, 1]) if rows else DEFAULT_TURN

    def _before_me(self, seat: int) -> bool:
        """Return whether the seat plays before the position's own seat in each go-around."""
        return (seat - self.dealer) % self.seats < (self.me - self.dealer) % self.seats

    def build(self) -> KnownPosition:
        """Fill the record and return the position."""
        record, position = self.engine.record, self.position
        for seat in range(self.seats):
            record.hand[seat] = record.red[seat] = 0
        unknown = self._write_rivers(record)
        melds = {self.me: position.hand.melds, **{seat: other.melds for seat, other in self.others.items()}}
        for seat, laid in melds.items():
            self._write_melds(record, seat, laid)
        kans = sum(len(meld.tiles) == 4 for laid in melds.values() for meld in laid)
        norths = sum(self.kita.values())
        for seat, count in self.kita.items():
            record.kita[seat] = count
        first_turn_over = bool(norths and self.rules.kita.breaks_first_turn)
        record.untouched = int(not any(melds.values()) and not first_turn_over)
        record.opened = int(first_turn_over or any(meld.is_open for laid in melds.values() for meld in laid))
        wareme = position.wareme and winds_of(self.seats).index(position.wareme)
        record.wareme = 0 if wareme is None else 1 + (self.dealer + wareme) % self.seats
        self._write_riichi(record)
        self._write_hands(record)
        self._write_wall(record, sum(int(n) for n in record.discards), kans, kans + norths)
        record.turn, record.phase, record.drawn = self.me, YOUR_TURN, position.drawn
        safe = tuple(self._passed_kinds(seat) for seat in range(MAX_SEATS))
        own, known = self._useful_kinds(), len(position.dora)
        return _known(self.engine, self.rules, self.me, rivers=unknown, safe=safe, own=own, indicators=known)

    def _write_rivers(self, record: Record) -> tuple[int, ...]:
        """Write all discards; return the number of unknown ones of each seat."""
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

    def _write_melds(self, record: Record, seat: int, melds: tuple[Meld, ...]) -> None:
        """Write the melds of a seat; a called tile counts as a discard of its source."""
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

    def _write_riichi(self, record: Record) -> None:
        """Mark the seats in riichi and their declaring discards."""
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

    def _passed_kinds(self, seat: int) -> int:
        """Return a mask of the kinds discarded by others since the seat's riichi, assuming no calls since."""
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

    def _write_hands(self, record: Record) -> None:
        hand = self.position.hand
        _add_tiles(record, self.me, hand.tiles)
        rest = list(hand.tiles)
        rest.remove(self.position.drawn)
        man, in_melds = self.rules.tiles.man, self.rules.draw.wait_in_melds
        kinds = waits(Hand(tuple(rest), hand.melds), man=man, kita=self.position.kita, in_melds=in_melds)
        record.waits[self.me] = _mask(wait.tile for wait in kinds)
        for seat, other in self.others.items():
            _add_tiles(record, seat, self._take(13 - 3 * len(other.melds)))

    def _write_wall(self, record: Record, discards: int, kans: int, replaced: int) -> None:
        """Write the wall; raise ``RequestError`` if more tiles are drawn than it holds."""
        dora, tiles = self.position.dora, int(record.tiles)
        record.drawn_live, record.drawn_rinshan = DEALT * self.seats + discards + 1, replaced
        record.indicators, record.kans = max(1, len(dora)), kans
        limit = tiles - int(record.dead_wall) - replaced
        if record.drawn_live > limit or kans > MAX_KANS or replaced > int(record.rinshan):
            raise RequestError("too_many_drawn", field="discards", most=limit - DEALT * self.seats - 1)
        known = {indicator_place(record, i): tile for i, tile in enumerate(dora)}
        for index in range(int(record.drawn_live), tiles - replaced):
            record.wall[index] = known[index] if index in known else self._take(1)[0]

    def _useful_kinds(self) -> int:
        """Return a mask of the kinds that advance the hand; its player has not discarded these before."""
        man, in_melds = self.rules.tiles.man, self.rules.draw.wait_in_melds
        choices = best_discards(self.position.hand, (), man, self.position.kita, in_melds)
        best = max(0, min(choice.shanten for choice in choices))
        return _mask(tile for choice in choices if choice.shanten <= best for tile in choice.tiles)


def _add_tiles(record: Record, seat: int, tiles: Iterable[Tile]) -> None:
    for tile in tiles:
        record.hand[seat, tile % RED] += 1
        record.red[seat, tile % RED] += tile >= RED


def _mask(tiles: Iterable[int]) -> int:
    kinds = 0
    for tile in tiles:
        kinds |= 1 << tile % RED
    return kinds
