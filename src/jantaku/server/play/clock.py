"""Time to think: a time for each turn, a reserve for each seat, and a window for calls."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from jantaku.game import Game
from jantaku.kernels.engine.state import CLAIMS
from jantaku.kernels.win import MOST_SEATS
from jantaku.rules.options import ClockOptions


@dataclass
class Clocks:
    """The clocks of one game. Times are seconds of a monotonic clock.

    On its turn a seat has ``turn_s`` and then its reserve, which refills every hand. Calls are possible for
    ``claim_window_s``. ``limited`` is False at a table without clocks.
    """

    times: ClockOptions
    limited: bool = True
    seats: int = MOST_SEATS
    bank: list[float] = field(default_factory=list)
    asked: dict[int, float] = field(default_factory=dict)
    calling: bool = False
    _asked_at: int = -1  # the number of events when the question was asked

    def __post_init__(self) -> None:
        self.fill()

    def fill(self) -> None:
        """Refill every reserve at the start of a hand."""
        self.bank = [float(self.times.bank_s)] * self.seats

    def ask(self, game: Game, now: float) -> None:
        """Start the clocks of all awaited seats that are not running yet."""
        self.calling = bool(game.record.phase == CLAIMS)
        if self._asked_at != len(game.events):
            self._asked_at, self.asked = len(game.events), {}
        self.asked = {seat: self.asked.get(seat, now) for seat in game.to_act}

    def again(self, now: float) -> None:
        """Restart the running clocks; the time that passed was no player's fault."""
        self.asked = dict.fromkeys(self.asked, now)

    def bank_after(self, seat: int, now: float) -> float:
        """The reserve left for a seat that answers now."""
        if not self.limited or self.calling:
            return self.bank[seat]
        used = now - self.asked.get(seat, now) - self.times.turn_s
        return max(0.0, self.bank[seat] - max(0.0, used))

    def to_store(self, seat: int, now: float) -> int | None:
        """The same in milliseconds; ``None`` if the reserve has not changed."""
        left = self.bank_after(seat, now)
        return None if left == self.bank[seat] else round(left * 1000)

    def restore(self, stored: Iterable[tuple[int, int]]) -> None:
        """Restore the stored reserves: pairs of seat and milliseconds; the last of a seat counts."""
        for seat, left in stored:
            self.bank[seat] = left / 1000

    def stop(self, seat: int, now: float) -> None:
        """Stop the clock of a seat that answered at ``now`` and deduct what it used from its reserve."""
        self.bank[seat] = self.bank_after(seat, now)
        self.asked.pop(seat, None)

    def ends(self, seat: int) -> float | None:
        """When the time of an asked seat runs out; ``None`` means never."""
        if not self.limited or seat not in self.asked:
            return None
        given = self.times.claim_window_s if self.calling else self.times.turn_s + self.bank[seat]
        return self.asked[seat] + given

    def left_ms(self, seat: int, now: float) -> int | None:
        """The milliseconds a seat has left."""
        ends = self.ends(seat)
        return None if ends is None else max(0, round((ends - now) * 1000))

    def shown(self, now: float) -> dict[str, object] | None:
        """What everyone may know of the clocks. It does not reveal who is asked about a discard."""
        if not self.limited:
            return None
        turn = None if self.calling or not self.asked else self.left_ms(next(iter(self.asked)), now)
        return {"turn_ms": turn, "bank_ms": [round(bank * 1000) for bank in self.bank]}
