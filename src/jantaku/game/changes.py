"""The events of one engine step, read from the record before and after it."""

from typing import Final, get_args

from jantaku.game.actions import Action, Discard, Kan, Kita
from jantaku.game.ending import Ending, leftover
from jantaku.game.engine import (
    Record,
    by_seat,
    indicators,
    meld,
    melds,
    seats_of,
    shown_tiles,
    without_drawn,
)
from jantaku.game.events import (
    Called,
    Discarded,
    DoraTurned,
    Drew,
    Event,
    Fouled,
    HandStarted,
    KanDeclared,
    KitaDeclared,
    RiichiAccepted,
)
from jantaku.hand import Meld, MeldType
from jantaku.kernels.engine.state import CLAIMS, WON, YOUR_TURN
from jantaku.kernels.rules import FOULS
from jantaku.rules import Ruleset
from jantaku.rules.options import FOUL_DEPOSIT, FoulCost
from jantaku.tiles import RED, Tile, sort_tiles

COSTS: Final[tuple[str, ...]] = get_args(FoulCost)


def hand_started(record: Record) -> list[Event]:
    """The events of a newly dealt hand."""
    match = record.match
    dealer = int(record.turn)
    return [
        HandStarted(
            int(match.number),
            int(match.honba),
            int(match.deposits),
            dealer,
            scores=by_seat(record, match.scores),
            indicator=indicators(record)[0],
            hands=tuple(tuple(without_drawn(record, seat)) for seat in seats_of(record)),
        ),
        Drew(dealer, tile=Tile(int(record.drawn))),
    ]


class Step:
    """One step: the record before and after it, the seat that acted and its action."""

    def __init__(self, before: Record, after: Record, seat: int, action: Action, rules: Ruleset) -> None:
        self.before, self.after = before, after
        self.seat, self.action, self.rules = seat, action, rules
        self.ended = bool(after.deciding) or after.phase not in (YOUR_TURN, CLAIMS)

    def events(self) -> list[Event]:
        """All events of the step, in order."""
        if self.before.deciding:
            return leftover(self.before, self.after)
        found: list[Event] = [*self._acted(), *self._accepted(), *self._called()]
        shown = int(self.before.indicators)
        if self.after.indicators > shown:
            found += [DoraTurned(indicator=tile) for tile in indicators(self.after)[shown:]]
        found += self._drew()
        fouls = self._fouled()
        if not self.ended:
            return found + fouls
        laid = [0] * len(seats_of(self.after))
        for event in self._accepted():
            laid[event.seat] += event.deposit
        for foul in fouls:
            laid[foul.seat] += FOUL_DEPOSIT * (foul.cost == "deposit_1000")
        ending = Ending(self.before, self.after, self.seat, tuple(laid), self.rules)
        return found + fouls + ending.events()

    def _fouled(self) -> list[Fouled]:
        """The fouls of this step: at most one per seat."""
        if self.rules.fouls.mode == "prevent":
            return []
        found, before, after = [], self.before, self.after
        for seat in seats_of(after):
            if after.fouls[seat] > before.fouls[seat]:
                cost = COSTS[int(after.foul_cost[seat])]
                found.append(Fouled(seat, FOULS[int(after.foul[seat])], cost))
        return found

    def _acted(self) -> list[Event]:
        """The seat's action on its own turn; answers to a discard stay secret until all have answered."""
        action = self.action
        if isinstance(action, Discard):
            shown = shown_tiles(self.after, self.seat) if action.riichi == "open" else None
            return [Discarded(self.seat, action.tile, action.drawn, action.riichi, shown)]
        if isinstance(action, Kita):
            return [KitaDeclared(self.seat)]
        if isinstance(action, Kan) and action.kind != "daiminkan":
            face_down = bool(self.after.face_down) and action.kind == "ankan"
            return [
                KanDeclared(self.seat, tile=action.tile, meld=self._declared(action), face_down=face_down)
            ]
        return []

    def _declared(self, action: Kan) -> Meld:
        if action.kind == "ankan":
            return meld(self.after, self.seat, int(self.after.melds[self.seat]) - 1)
        pon = next(
            one
            for one in melds(self.before, self.seat)
            if one.type is MeldType.PON and one.first == action.tile % RED
        )
        tiles = tuple(sort_tiles((*pon.tiles, action.tile)))
        return Meld(MeldType.KAKAN, tiles, pon.called, pon.source)

    @property
    def declarer(self) -> int | None:
        """The seat whose riichi tile was just passed or ronned."""
        if self.after.phase == CLAIMS:
            return None
        if isinstance(self.action, Discard) and self.action.riichi:
            return self.seat
        return int(self.before.turn) if self.before.declaring else None

    def _accepted(self) -> list[RiichiAccepted]:
        seat = self.declarer
        if seat is None:
            return []
        if self.ended and self.after.outcome.ended == WON:
            paid = self.rules.riichi.stick_when_declaration_is_ronned != "kept"
        else:
            paid = self.after.match.deposits_of[seat] > self.before.match.deposits_of[seat]
        return [RiichiAccepted(seat, self.rules.riichi.deposit)] if paid else []

    def _called(self) -> list[Event]:
        if self.after.same(self.before, "melds"):
            return []
        own_kan = isinstance(self.action, Kan) and self.action.kind == "ankan"
        before, after = self.before.melds.tolist(), self.after.melds.tolist()
        callers = [seat for seat in self.rules.seats if after[seat] > before[seat] and not own_kan]
        return [Called(seat, meld=melds(self.after, seat)[-1]) for seat in callers]

    def _drew(self) -> list[Event]:
        before, after = self.before, self.after
        rinshan = bool(after.drawn_rinshan > before.drawn_rinshan)
        if not rinshan and after.drawn_live == before.drawn_live:
            return []
        return [Drew(int(after.turn), tile=Tile(int(after.drawn)), rinshan=rinshan)]
