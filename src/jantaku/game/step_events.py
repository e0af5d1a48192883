"""The events of one engine step, derived from the record before and after it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, get_args

from jantaku.game import engine
from jantaku.game import events as e
from jantaku.game.actions import Action, Discard, Kan, Kita
from jantaku.game.ending import Ending, game_ended, leftover
from jantaku.hand import Meld, MeldType
from jantaku.kernels.engine.state import CLAIMS, CONCEALED, GAME_OVER, YOUR_TURN
from jantaku.kernels.rules import FOULS
from jantaku.rules import Ruleset
from jantaku.rules.options import FOUL_DEPOSIT, FoulCost
from jantaku.tiles import RED, TILES, sort_tiles

COSTS: Final[tuple[str, ...]] = get_args(FoulCost)
# Most of these events have one of a few hundred values, so instances are shared
_drew: Final = lru_cache(maxsize=4096, typed=True)(e.Drew)
_discarded: Final = lru_cache(maxsize=4096, typed=True)(e.Discarded)


def hand_started(record: engine.Record) -> list[e.Event]:
    """Return the events of a newly dealt hand."""
    match = record.match
    dealer = int(record.turn)
    return [
        e.HandStarted(
            int(match.number),
            int(match.honba),
            int(match.deposits),
            dealer,
            scores=engine.by_seat(record, match.scores),
            indicator=engine.indicators(record)[0],
            hands=tuple(tuple(engine.without_drawn(record, seat)) for seat in engine.seats_of(record)),
            wareme=engine.wareme_of(record),
        ),
        e.Drew(dealer, tile=TILES[record.drawn]),
    ]


class Step:
    """An executed action, with the engine's record before and after it.

    ``dealt`` is the record after the next hand was dealt, if the action ended a hand; ``seed`` is the seed of
    the walls, revealed at the end of the game.
    """

    __slots__ = ("action", "after", "before", "dealt", "rules", "seat", "seed")

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        before: engine.Record,
        after: engine.Record,
        seat: int,
        action: Action,
        rules: Ruleset,
        dealt: engine.Record | None = None,
        seed: bytes | None = None,
    ) -> None:
        self.before, self.after = before, after
        self.seat, self.action, self.rules = seat, action, rules
        self.dealt, self.seed = dealt, seed

    def events(self) -> list[e.Event]:
        """Return the events of the action, in order."""
        events = self._events()
        if self.dealt is not None:
            return events + hand_started(self.dealt)
        if self.after.phase != GAME_OVER:
            return events
        return events + game_ended(self.after, self.seed.hex() if self.seed else None, self.rules)

    def _events(self) -> list[e.Event]:
        """Return the events up to the end of the hand."""
        if self.before.deciding:
            return leftover(self.before, self.after)
        events: list[e.Event] = [*self._acted(), *self._accepted(), *self._called(), *self._turned_and_drew()]
        fouls = self._fouled()
        if not self.after.deciding and self.after.phase in (YOUR_TURN, CLAIMS):
            return events + fouls
        laid = [0] * len(engine.seats_of(self.after))
        laying: list[e.RiichiAccepted | e.Fouled] = [*self._accepted(), *fouls]
        for event in laying:
            laid[event.seat] += event.deposit
        ending = Ending(self.before, self.after, self.seat, tuple(laid), self.rules)
        return events + fouls + ending.events()

    def _fouled(self) -> list[e.Fouled]:
        """Return the fouls of this step."""
        if self.rules.fouls.mode == "prevent":
            return []
        events, before, after = [], self.before, self.after
        for seat in engine.seats_of(after):
            number = int(after.fouls[seat]) - int(before.fouls[seat])
            if number > 1:
                events.append(self._foul(seat, after.earlier_foul, after.earlier_cost))
            if number:
                events.append(self._foul(seat, after.foul, after.foul_cost))
        return events

    def _foul(self, seat: int, fouls: Sequence[int], costs: Sequence[int]) -> e.Fouled:
        cost, stick = COSTS[int(costs[seat])], self.rules.riichi.deposit
        sticks = FOUL_DEPOSIT // stick if stick and cost == "deposit_1000" else 0
        return e.Fouled(seat, FOULS[int(fouls[seat])], cost, sticks * stick, sticks)

    def _acted(self) -> list[e.Event]:
        """Return the event of an action on the seat's own turn.

        Claims have none: they remain secret until all seats have answered.
        """
        action = self.action
        if isinstance(action, Discard):
            shown = engine.shown_tiles(self.after, self.seat) if action.riichi == "open" else None
            return [_discarded(self.seat, action.tile, action.drawn, action.riichi, shown)]
        if not isinstance(action, Kita | Kan) or self.before.dead[self.seat]:
            return []  # a kan or north of a dead hand is a foul and does not take place
        if isinstance(action, Kita):
            return [e.KitaDeclared(self.seat)]
        if action.kind != "daiminkan":
            face_down = bool(self.after.face_down) and action.kind == "ankan"
            return [
                e.KanDeclared(self.seat, tile=action.tile, meld=self._declared(action), face_down=face_down)
            ]
        return []

    def _declared(self, action: Kan) -> Meld:
        if action.kind == "ankan":
            return engine.meld(self.after, self.seat, int(self.after.melds[self.seat]) - 1)
        pon = next(
            meld
            for meld in engine.melds(self.before, self.seat)
            if meld.type is MeldType.PON and meld.first == action.tile % RED
        )
        tiles = tuple(sort_tiles((*pon.tiles, action.tile)))
        return Meld(MeldType.KAKAN, tiles, pon.called, pon.source)

    @property
    def declarer(self) -> int | None:
        """The seat whose riichi discard was just resolved: passed, called or won on."""
        if self.after.phase == CLAIMS:
            return None
        if isinstance(self.action, Discard) and self.action.riichi:
            return self.seat
        return int(self.before.turn) if self.before.declaring else None

    def _accepted(self) -> list[e.RiichiAccepted]:
        seat = self.declarer
        if seat is None:
            return []
        laid = int(self.after.outcome.laid[seat]) - int(self.before.outcome.laid[seat])
        for_fouls = sum(foul.sticks for foul in self._fouled() if foul.seat == seat)
        return [e.RiichiAccepted(seat, self.rules.riichi.deposit)] if laid > for_fouls else []

    def _called(self) -> list[e.Event]:
        if self.after.same(self.before, "melds"):
            return []
        own_kan = isinstance(self.action, Kan) and self.action.kind == "ankan"
        before, after = self.before.melds.tolist(), self.after.melds.tolist()
        callers = [seat for seat in self.rules.seats if after[seat] > before[seat] and not own_kan]
        return [e.Called(seat, meld=engine.meld(self.after, seat, after[seat] - 1)) for seat in callers]

    def _turned_and_drew(self) -> list[e.Event]:
        """Return the indicators turned and the tile drawn.

        Indicators come before the draw, except the one for an open kan under ``before_discard``.
        """
        after, options, visible = self.after, self.rules.dora, int(self.before.indicators)
        if after.indicators == visible:
            return self._drew()
        turned = [e.DoraTurned(indicator=indicator) for indicator in engine.indicators(after)[visible:]]
        open_kan = after.kans > self.before.kans and after.claimed_how != CONCEALED
        late = int(open_kan and options.kan_dora and options.minkan_reveal == "before_discard")
        early = len(turned) - late
        return [*turned[:early], *self._drew(), *turned[early:]]

    def _drew(self) -> list[e.Event]:
        before, after = self.before, self.after
        rinshan = bool(after.drawn_rinshan > before.drawn_rinshan)
        if not rinshan and after.drawn_live == before.drawn_live:
            return []
        return [_drew(int(after.turn), TILES[after.drawn], rinshan)]
