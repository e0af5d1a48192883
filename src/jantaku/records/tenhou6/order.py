"""Order the steps of a tenhou.net/6 hand; the log lists each seat's draws and discards separately."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from jantaku.game.actions import Action, Chi, Discard, Kan, Kita, Pon, Riichi
from jantaku.game.events import Drew
from jantaku.records.places import PLACES
from jantaku.records.script import ScriptAct, ScriptStep
from jantaku.records.tenhou6 import code
from jantaku.seats import after, dealer_of, others
from jantaku.tiles import RED, Tile, sort_tiles

MAX_TRIES: Final = 256
_DECLARED: Final[dict[str, Riichi]] = {letter: kind for kind, letter in code.RIICHI.items()}


class OutOfOrderError(ValueError):
    """No common order of the seats' draws and discards exists."""


@dataclass
class _Walk:
    """One path through the hand; ``choices`` decides for each ambiguous call whether it happens there."""

    number: int
    takes: Sequence[Sequence[Any]]
    discards: Sequence[Sequence[Any]]
    choices: list[bool]
    decisions: int = 0
    steps: list[ScriptStep] = field(default_factory=list)
    at: list[int] = field(default_factory=lambda: [0] * PLACES)
    out: list[int] = field(default_factory=lambda: [0] * PLACES)
    drawn: Tile | None = None
    after_kan: bool = False

    @property
    def seats(self) -> int:
        return len(self.takes)

    def run(self) -> bool:
        """Follow the turns; return whether all entries of the log are used."""
        seat = dealer_of(self.number, self.seats)
        offered: tuple[int, Tile] | None = None
        while self.at[seat] < len(self.takes[seat]):
            self._take(seat, offered)
            if self.out[seat] == len(self.discards[seat]):
                break
            entry = self.discards[seat][self.out[seat]]
            self.out[seat] += 1
            tile = self._discard(seat, entry)
            if tile is None:
                offered, self.after_kan = None, True
                continue
            offered = seat, tile
            seat = self._next(seat, tile)
        whole = all(self.at[i] == len(self.takes[i]) for i in range(self.seats))
        return whole and all(self.out[i] == len(self.discards[i]) for i in range(self.seats))

    def _add(self, seat: int, what: Drew | ScriptAct, kind: str, position: int) -> None:
        self.steps.append(ScriptStep((self.number, f"{kind} {seat}/{position}"), what))

    def _take(self, seat: int, offered: tuple[int, Tile] | None) -> None:
        entry = self.takes[seat][self.at[seat]]
        self.at[seat] += 1
        if isinstance(entry, str):
            call = code.parse_call(entry)
            source = after(seat, PLACES, call.away)
            if offered != (source, call.tile):
                raise OutOfOrderError(entry)
            self.drawn = None
            what: Drew | ScriptAct = ScriptAct(seat, _claim(call), call.tile, source)
        else:
            self.drawn = code.tile_of(int(entry))
            what = Drew(seat, self.drawn, self.after_kan)
        self.after_kan = False
        self._add(seat, what, "takes", self.at[seat])

    def _discard(self, seat: int, entry: Any) -> Tile | None:
        """Return the offered tile, or ``None`` after a kan or a north set aside."""
        position = self.out[seat]
        if entry == code.NO_DISCARD:
            return None
        if code.is_kita(entry):
            self._add(seat, ScriptAct(seat, Kita()), "discards", position)
            return None
        riichi = _DECLARED.get(entry[0]) if isinstance(entry, str) else None
        if isinstance(entry, str) and any(letter in entry for letter in code.LETTERS):
            self._add(seat, ScriptAct(seat, _own_kan(code.parse_call(entry))), "discards", position)
            return None
        number = int(entry[1:]) if riichi else int(entry)
        as_drawn = number == code.AS_DRAWN
        tile = self.drawn if as_drawn else code.tile_of(number)
        if tile is None:
            raise OutOfOrderError(entry)
        self._add(seat, ScriptAct(seat, Discard(tile, as_drawn, riichi)), "discards", position)
        return tile

    def _next(self, seat: int, tile: Tile) -> int:
        """Return the seat to act next: one that calls the tile next, or else the seat to the right."""
        # the next seat is skipped here, since it acts next in any case, by a call or a draw
        for other in others(seat, self.seats)[1:]:
            if self.at[other] == len(self.takes[other]):
                continue
            entry = self.takes[other][self.at[other]]
            if not isinstance(entry, str):
                continue
            call = code.parse_call(entry)
            if (
                call.letter in (code.PON, code.OPEN_KAN)
                and after(other, PLACES, call.away) == seat
                and call.tile == tile
            ):
                self.decisions += 1
                if self.decisions > len(self.choices):
                    self.choices.append(True)
                if self.choices[self.decisions - 1]:
                    return other
        return after(seat, self.seats)


def steps_in_order(number: int, takes: Sequence[Any], discards: Sequence[Any]) -> list[ScriptStep]:
    """Return the steps of a hand; raise ``OutOfOrderError`` if no order fits, ``ValueError`` for a bad entry.

    At most one order fits. A caller who passes on a first tile does not act before the second such tile from
    the same seat. That seat's next action would therefore have to be a call from a seat in between, which
    would not have had a turn if the first tile had been called.
    """
    for steps in orders(number, takes, discards):
        return steps
    raise OutOfOrderError("takes / discards")


def orders(number: int, takes: Sequence[Any], discards: Sequence[Any]) -> Iterator[list[ScriptStep]]:
    """Yield every order in which the draws and discards fit, within ``MAX_TRIES`` attempts.

    A seat that calls a tile may have passed on an equal tile from the same seat, which only the rest of the
    hand reveals. Backtracking therefore postpones the last call.
    """
    choices: list[bool] = []
    for _ in range(MAX_TRIES):
        walk = _Walk(number, takes, discards, choices)

        try:
            if walk.run():
                yield walk.steps
        except OutOfOrderError:
            pass
        del choices[walk.decisions :]
        while choices and not choices[-1]:
            choices.pop()
        if not choices:
            return
        choices[-1] = False


def _claim(call: code.CallCode) -> Action:
    if call.letter == code.CHI and len(call.others) == 2:
        low, high = sort_tiles(call.others)
        return Chi((low, high))
    if call.letter == code.PON:
        return Pon(sum(tile >= RED for tile in call.others))
    if call.letter == code.OPEN_KAN:
        return Kan("daiminkan", call.tile)
    raise ValueError(str(call))


def _own_kan(call: code.CallCode) -> Action:
    if call.letter == code.CLOSED_KAN:
        return Kan("ankan", Tile(call.tile % RED))
    if call.letter == code.ADDED_KAN:
        return Kan("kakan", call.tile)
    raise ValueError(str(call))
