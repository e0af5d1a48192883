"""Track the four copies of each tile, which logs distinguish and the engine does not."""

from collections.abc import Callable
from typing import Final

from jantaku.hand import MeldType
from jantaku.records.mjlog import log

Expect = Callable[[str, object, object], None]
CLAIMS: Final = (MeldType.CHI, MeldType.PON, MeldType.DAIMINKAN)


class Copies:
    """Follows the copies through one hand; calls ``expect(what, log, ours)`` for each comparison."""

    def __init__(self, hand: log.LogHand, expect: Expect) -> None:
        self.expect = expect
        self.held = [set(tiles) for tiles in hand.dealt]
        self.melds: list[list[tuple[int, ...]]] = [[] for _ in hand.dealt]
        self.dora = [hand.dora]
        self.offered = -1
        self.stick: int | None = None  # the seat that owes a riichi stick

    def follow(self, move: log.Step) -> None:
        """Compare one step with the previous ones and apply it."""
        self._stick(move)
        if isinstance(move, log.LogDraw):
            self.held[move.seat].add(move.tile)
        elif isinstance(move, log.LogDiscard):
            self._give(move.seat, {move.tile})
            self.offered = move.tile
        elif isinstance(move, log.Call):
            self._call(move)
        elif isinstance(move, log.LogKita):
            self._give(move.seat, {move.tile})
            self.offered = move.tile
        elif isinstance(move, log.LogDoraTurned):
            self.dora.append(move.tile)
        elif isinstance(move, log.LogWon):
            self._won(move)
        elif isinstance(move, log.Drawn):
            self._drawn(move)

    def _stick(self, move: log.Step) -> None:
        """Check that a stick is paid exactly if the riichi tile is not won on."""
        if isinstance(move, log.LogRiichiAccepted):
            self.expect("riichi", move.seat, self.stick)
            self.stick = None
        elif isinstance(move, log.LogWon) or (isinstance(move, log.Drawn) and move.kind == "ron3"):
            self.stick = None
        elif not isinstance(move, log.LogDiscard | log.LogDoraTurned):
            self.expect("riichi", None, self.stick)
            self.stick = move.seat if isinstance(move, log.LogRiichi) else None

    def _give(self, seat: int, tiles: set[int]) -> None:
        self.expect("copies", [], sorted(tiles - self.held[seat]))
        self.held[seat] -= tiles

    def _call(self, move: log.Call) -> None:
        own = set(move.tiles)
        if move.kind in CLAIMS:
            self.expect("copies", move.called, self.offered)
            own -= {self.offered}
        elif move.kind == MeldType.KAKAN:
            pon = tuple(sorted(own - {move.called}))
            self.expect("copies", [pon], [meld for meld in self.melds[move.seat] if meld == pon])
            self.melds[move.seat].remove(pon)
            own &= {move.called}
            self.offered = move.tiles[-1]
        self._give(move.seat, own)
        self.melds[move.seat].append(tuple(sorted(move.tiles)))

    def _won(self, move: log.LogWon) -> None:
        own = set() if move.source == move.seat else {self.offered}
        self.expect("copies", sorted(move.hand), sorted(self.held[move.seat] | own))
        self.expect("copies", move.tile in move.hand, True)
        melds = sorted(tuple(sorted(meld.tiles)) for meld in move.melds)
        self.expect("copies", melds, sorted(self.melds[move.seat]))
        self.expect("copies", list(move.dora), self.dora)

    def _drawn(self, move: log.Drawn) -> None:
        for tiles, held in zip(move.shown, self.held, strict=True):
            if tiles is not None:
                self.expect("copies", sorted(tiles), sorted(held))
