"""A game reconstructed from the events that one seat sees, without hidden tiles."""

from collections.abc import Sequence
from typing import Any, Final

from jantaku.adjudication.wait_forms import wait_mask
from jantaku.errors import RequestError
from jantaku.game import events as e
from jantaku.game.actions import Action
from jantaku.game.board import Board
from jantaku.game.engine import Engine, context, melds
from jantaku.game.game import Game
from jantaku.game.log import GameLog
from jantaku.game.view import View
from jantaku.hand import Hand, MeldType
from jantaku.kernels.engine import actions as codes
from jantaku.kernels.engine import state
from jantaku.kernels.engine.calls import break_first_turn
from jantaku.kernels.engine.claims import completes
from jantaku.kernels.engine.dealing import ALL_DOWN
from jantaku.kernels.engine.furiten import begin_by_passing, end_at_call, end_at_draw
from jantaku.kernels.engine.kuikae import barred_after
from jantaku.kernels.engine.renchan import is_win
from jantaku.kernels.engine.riichi import declare, end_ippatsu
from jantaku.kernels.engine.winning import waits_for_kokushi
from jantaku.rules import Ruleset, load
from jantaku.tiles import COPIES, NORTH, RED, Tile

_NO_RON: Final = (e.RiichiAccepted, e.Drew, e.Called)  # events that prove that nobody won on the last tile


class SeatBoard(Board):
    """The record as far as ``seat`` knows it, without the hidden tiles of other seats.

    It maintains what the engine derives from public facts or from the seat's own hand: furiten, ippatsu,
    kuikae, the first go-around and the seat's possible claims.
    """

    def __init__(self, rules: Ruleset, seat: int) -> None:
        super().__init__(rules)
        self.seat = seat
        self._engine = Engine(rules)
        self._engine.array = self.array
        self._claimable = False  # whether other seats may claim the last tile
        # a kan or a north set aside, until its replacement tile is drawn
        self._pending: e.KanDeclared | e.KitaDeclared | e.Called | None = None
        self._shown: dict[int, list[Tile]] = {}  # hands revealed by open riichi

    @property
    def _rules(self) -> Any:
        return self._engine.rules[0]

    def legal(self, seat: int) -> list[int]:
        """Return the integers of the seat's legal actions; empty for any other seat."""
        return self._engine.legal(seat) if seat == self.seat else []

    def apply(self, event: e.Event) -> None:
        """Update the record with one event."""
        if self._claimable and isinstance(event, _NO_RON):
            self._let_pass()
        if isinstance(event, e.Drew):
            self._complete_pending(event)
        super().apply(event)
        if isinstance(event, e.Discarded | e.KanDeclared | e.KitaDeclared):
            self._offer_claim(event)
        if (
            self.record.phase == state.YOUR_TURN
            and int(self.record.turn) == self.seat
            and not self._has_full_hand(1)
        ):
            self.record.phase = state.CLAIMS

    def _has_full_hand(self, drawn: int) -> bool:
        """Return whether the seat holds the right number of tiles; after lost events it may not.

        Compiled code relies on it, so a seat without a full hand may not act.
        """
        hand, laid = self.record.hand[self.seat], int(self.record.melds[self.seat])
        return bool(hand.sum() == 13 + drawn - 3 * laid and hand.max() <= COPIES)

    def _write_hand(self, seat: int, held: list[int]) -> None:
        super()._write_hand(seat, list(self._shown.get(seat, ())) if seat != self.seat else held)

    def _update_waits(self) -> None:
        record, draw = self.record, self.rules.draw
        hand = Hand(tuple(map(Tile, self._table.held[self.seat])), melds(record, self.seat))
        kita = int(record.kita[self.seat])
        record.waits[self.seat] = wait_mask(hand, self.rules.tiles.man, kita, draw.wait_in_melds)

    def _hand_started(self, event: e.HandStarted) -> None:
        match, outcome = self.record.match, self.record.outcome
        winners, streak = int(match.winners), int(match.streak)
        if is_win(outcome, self._rules):
            winners |= int(outcome.winners if outcome.ended == state.WON else outcome.nagashi)
            streak = streak + 1 if int(match.number) == event.number else 0
        elif outcome.ended != state.VOIDED:
            streak = 0
        super()._hand_started(event)
        record = self.record
        record.match.winners, record.match.streak = winners, streak
        record.face_down = self._rules.calls.ankan_display == ALL_DOWN
        record.untouched = 1
        record.claimed_from = record.feeder = state.NO_SEAT
        record.liable_yaku[:] = record.liable_seat[:] = state.NO_SEAT
        record.phase = state.CLAIMS  # nobody may act until the dealer has drawn
        self._claimable, self._pending = False, None
        self._shown.clear()
        self._update_waits()

    def _complete_pending(self, event: e.Drew) -> None:
        """Complete a kan or a north set aside before its replacement tile is drawn: nobody robbed it."""
        done, self._pending = self._pending, None
        record, rules = self.record, self._rules
        record.barred = record.after_kan = 0
        if event.seat == self.seat:
            end_at_draw(record, self.seat)
        if done is None:
            return
        if isinstance(done, e.KitaDeclared):
            super()._kita_declared(done)
            if rules.kita.breaks_first_turn:
                record.untouched, record.opened = 0, 1
            if rules.kita.breaks_ippatsu:
                end_ippatsu(record)
            record.after_kan = rules.kita.rinshan != 0
        else:
            if isinstance(done, e.KanDeclared):
                concealed = done.meld.type is MeldType.ANKAN
                if not concealed:
                    super()._kan_declared(done)
                break_first_turn(record, rules, concealed)
            record.kans += 1
            record.after_kan = 1
        if event.seat == self.seat:
            self._update_waits()

    def _discarded(self, event: e.Discarded) -> None:
        record, seat = self.record, event.seat
        record.declaring = 0
        if event.riichi:
            declare(record, seat, event.riichi == "open", self._rules)
        riichi, after_kan = int(record.riichi[seat]), bool(record.after_kan)
        super()._discarded(event)
        record.riichi[seat] = riichi
        record.river_marks[seat, int(record.discards[seat]) - 1] |= state.FOLLOWED_KAN * after_kan
        record.ippatsu[seat] = record.declaring
        record.feeder = state.NO_SEAT
        record.barred = record.after_kan = 0
        if event.shown is not None:
            self._shown[seat] = list(event.shown)
            for tile in event.shown:
                record.shown[seat] |= 1 << tile % RED
        if seat == self.seat:
            self._update_waits()

    def _called(self, event: e.Called) -> None:
        super()._called(event)
        record, rules, meld = self.record, self._rules, event.meld
        record.asked[:] = 0
        break_first_turn(record, rules, False)
        if event.seat == self.seat:
            end_at_call(record, self.seat, rules)
            called = (meld.first if meld.called is None else meld.called) % RED
            record.barred = barred_after(called, meld.first, meld.type is MeldType.CHI, rules)
        if meld.type is MeldType.DAIMINKAN:
            record.barred, record.feeder, record.phase = 0, record.claimed_from, state.CLAIMS
            self._pending = event

    def _kan_declared(self, event: e.KanDeclared) -> None:
        record, seat = self.record, event.seat
        if event.meld.type is MeldType.ANKAN:
            record.face_down |= event.meld.face_down
            super()._kan_declared(event)
            for tile in event.meld.tiles:
                if tile in self._shown.get(seat, ()):
                    self._shown[seat].remove(tile)
        record.drawn = state.NO_TILE
        self._pending = event

    def _kita_declared(self, event: e.KitaDeclared) -> None:
        self.record.drawn = state.NO_TILE
        self._pending = event

    def _offer_claim(self, event: e.Discarded | e.KanDeclared | e.KitaDeclared) -> None:
        """Offer the tile of another seat, if the seat has a legal claim."""
        record = self.record
        record.phase, record.claimed_from = state.CLAIMS, event.seat
        if isinstance(event, e.Discarded):
            record.claimed_tile, record.claimed_how = event.tile, state.DISCARDED
        elif isinstance(event, e.KitaDeclared):
            record.claimed_tile, record.claimed_how = NORTH, state.SET_ASIDE
        elif event.meld.type is MeldType.ANKAN:
            record.claimed_tile = 0 if event.meld.face_down else event.meld.first
            record.claimed_how = state.CONCEALED
        else:
            record.claimed_tile, record.claimed_how = self._table.last[1], state.ADDED
        self._claimable = True
        record.asked[:] = 0
        record.answer[:] = state.NO_ANSWER
        hidden = isinstance(event, e.KanDeclared) and event.meld.face_down
        if event.seat != self.seat and not hidden and self._has_full_hand(0):
            record.asked[self.seat] = 1
            record.asked[self.seat] = bool(self.legal(self.seat))

    def _let_pass(self) -> None:
        """Record that nobody won on the tile: if the seat could have, it is furiten."""
        record = self.record
        self._claimable = False
        record.asked[:] = 0
        if int(record.claimed_from) != self.seat and self._completes():
            begin_by_passing(record, self.seat, self._rules)
        record.declaring = 0

    def _completes(self) -> bool:
        """Return whether the tile completes the seat's hand, with or without a yaku, and may be claimed."""
        record, seat = self.record, self.seat
        if record.claimed_how != state.SET_ASIDE:
            return bool(completes(record, seat, self._rules, context(self.rules.tiles.man)))
        rule = self.rules.kita.ron
        if not int(record.waits[seat]) >> NORTH & 1 or rule == "never":
            return False
        if rule == "kokushi":
            return bool(waits_for_kokushi(record, seat))
        return rule != "yakuman" or self._may_win_ignoring_furiten()

    def _may_win_ignoring_furiten(self) -> bool:
        saved = self.array.copy()
        record, seat = self.record, self.seat
        record.furiten_passing[seat] = record.furiten_lasting[seat] = record.discarded[seat] = 0
        record.asked[seat] = 1
        wins = codes.RON << 8 in self.legal(seat)
        self.array[:] = saved
        return wins

    def _ended(self, event: e.Event) -> None:
        super()._ended(event)
        outcome = self.record.outcome
        self.record.asked[:] = 0
        self._claimable = False
        if isinstance(event, e.Won):
            outcome.ended = state.WON
            outcome.winners |= 1 << event.seat
        elif isinstance(event, e.HandDrawn):
            kinds = {"exhausted": state.EXHAUSTED, "voided": state.VOIDED}
            outcome.ended = kinds.get(event.kind, state.SUUKANSANRA)
            outcome.nagashi = sum(1 << seat for seat in event.nagashi)


class FollowedGame(Game):
    """A game reconstructed from the events that ``seat`` sees (``hide``), without hidden tiles.

    ``follow`` applies the next event. ``view`` and ``legal`` return for this seat what a ``Game`` with all
    tiles would; bots can choose the seat's actions. The game cannot be played: events come from outside.
    Fouls, liabilities and a dealer's choice to end the game are unknown.

    >>> from jantaku.game import hide
    >>> game = Game("tenhou", seed=7)
    >>> followed = FollowedGame("tenhou", 0, [hide(event, 0) for event in game.events])
    >>> followed.legal(0) == game.legal(0), followed.view(0) == game.view(0)
    (True, True)
    """

    follows_rules = False

    def __init__(
        self,
        rules: str | Ruleset,
        seat: int,
        events: Sequence[e.Event] = (),
        names: tuple[str, ...] = (),
    ) -> None:
        self.rules = load(rules)
        self.seats, self.names = self.rules.seats, names
        self.seat = self._seat(seat)
        self.seed = None
        self.standing = None
        self.walls = []
        self.played = []
        self._log = GameLog()
        self._engine: Any = SeatBoard(self.rules, self.seat)
        self._choices = {}
        self._offer = None
        self._refresh()
        for event in events:
            self.follow(event)

    def follow(self, event: e.Event) -> None:
        """Apply the next event, which must be as the seat sees it."""
        self._engine.apply(event)
        self.events.append(event)
        if isinstance(event, e.HandStarted):
            self.walls.append([])
        self._refresh()

    def restarted(self) -> "FollowedGame":
        """Return the game of the same seat before the first event."""
        return FollowedGame(self.rules, self.seat, names=self.names)

    def copy(self) -> "FollowedGame":
        """Return an independent copy of the game at this point."""
        return FollowedGame(self.rules, self.seat, self.events, self.names)

    def __reduce__(self) -> tuple[Any, ...]:
        return FollowedGame, (self.rules, self.seat, self.events, self.names)

    def __eq__(self, other: object) -> bool:
        """Return whether the same seat has seen the same events under the same rules."""
        if not isinstance(other, FollowedGame):
            return NotImplemented
        mine, theirs = ((game.rules, game.seat, game.events) for game in (self, other))
        return mine == theirs

    __hash__ = None  # type: ignore[assignment]  # mutable

    @property
    def to_act(self) -> list[int]:
        """The seats that must act, as far as this seat knows; claims offered to other seats are hidden."""
        return super().to_act if self.events else []

    def fouls(self, seat: int) -> list[Action]:  # noqa: ARG002
        """Return an empty list: fouls are not supported here."""
        return []

    def view(self, seat: int) -> View:
        """Return what the seat sees; raises ``RequestError`` for any other seat."""
        if seat != self.seat:
            raise RequestError("followed_seat", field="seat", value=seat, seat=self.seat)
        return super().view(seat)

    def _repr_svg_(self) -> str | None:
        """Return the table as the seat sees it as a picture for notebooks; ``None`` before the first hand."""
        from jantaku.game.picture import view_svg  # noqa: PLC0415

        return view_svg(self.view(self.seat), self.names) if self.walls else None

    def play(self, seat: int, action: Action) -> Sequence[e.Event]:
        """Raise ``RequestError``: this game only changes through ``follow``."""
        raise RequestError("followed_play", field="action", value=str(action), seat=seat)
