"""Time to think: for every turn, a reserve for each seat, and a window to call in."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from jantaku.game import Game
from jantaku.kernels.engine.state import CLAIMS
from jantaku.rules.options import ClockOptions

SEATS = range(4)


@dataclass
class Clocks:
    """The clocks of one game; times are seconds of a clock that only goes forward.

    In its turn a seat has ``turn_s`` and then its reserve, which every hand fills again; a call is asked for
    ``claim_window_s``. ``limited`` is False at a table without clocks.
    """

    times: ClockOptions
    limited: bool = True
    bank: list[float] = field(default_factory=list)
    asked: dict[int, float] = field(default_factory=dict)
    calling: bool = False
    _asked_at: int = -1  # the number of events when the question came up

    def __post_init__(self) -> None:
        self.fill()

    def fill(self) -> None:
        """Fill every reserve: a hand begins."""
        self.bank = [float(self.times.bank_s)] * 4

    def ask(self, game: Game, now: float) -> None:
        """Start the clocks of all seats that the game waits for and that do not run yet."""
        self.calling = bool(game.record.phase == CLAIMS)
        if self._asked_at != len(game.events):
            self._asked_at, self.asked = len(game.events), {}
        self.asked = {seat: self.asked.get(seat, now) for seat in game.to_act}

    def again(self, now: float) -> None:
        """Start the clocks that run anew: what went by was nobody's fault."""
        self.asked = dict.fromkeys(self.asked, now)

    def bank_after(self, seat: int, now: float) -> float:
        """What is left of the reserve of a seat that answers now."""
        if not self.limited or self.calling:
            return self.bank[seat]
        used = now - self.asked.get(seat, now) - self.times.turn_s
        return max(0.0, self.bank[seat] - max(0.0, used))

    def to_store(self, seat: int, now: float) -> int | None:
        """That in milliseconds; ``None`` where it is as much as before."""
        left = self.bank_after(seat, now)
        return None if left == self.bank[seat] else round(left * 1000)

    def restore(self, stored: Iterable[tuple[int, int]]) -> None:
        """Take back what was left of the reserves: seats and milliseconds, the last one counts."""
        for seat, left in stored:
            self.bank[seat] = left / 1000

    def stop(self, seat: int, now: float) -> None:
        """Stop the clock of a seat that answered at ``now``, and take what it used of its reserve."""
        self.bank[seat] = self.bank_after(seat, now)
        self.asked.pop(seat, None)

    def ends(self, seat: int) -> float | None:
        """When the time of a seat that is asked runs out; ``None``: never."""
        if not self.limited or seat not in self.asked:
            return None
        given = self.times.claim_window_s if self.calling else self.times.turn_s + self.bank[seat]
        return self.asked[seat] + given

    def left_ms(self, seat: int, now: float) -> int | None:
        """Milliseconds that a seat still has."""
        ends = self.ends(seat)
        return None if ends is None else max(0, round((ends - now) * 1000))

    def shown(self, now: float) -> dict[str, object] | None:
        """What everybody may know: who is asked about a discard is not told."""
        if not self.limited:
            return None
        turn = None if self.calling or not self.asked else self.left_ms(next(iter(self.asked)), now)
        return {"turn_ms": turn, "bank_ms": [round(bank * 1000) for bank in self.bank]}
