"""A game for every yaku: the catalogue's example, dealt and played until the win."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from jantaku.rules import load, preset_names
from jantaku.rules.catalogue import YakuEntry
from jantaku.tiles import HONOURS, KINDS, RED, format_tiles, parse_tiles
from support.table import WINDS, Table

STANDARD: Final = load("standard").to_dict()["yaku"]
PRESETS: Final = [load(name).to_dict()["yaku"] for name in preset_names()]


def _worth(yaku: str, side: str) -> Any:
    """Return the value of a yaku in the first preset that has it; two han closed if none has."""
    worths_of = (worths[yaku][side] for worths in PRESETS if worths[yaku][side] is not False)
    return next(worths_of, 2 if side == "closed" else False)


# Values of the yaku that do not count under the standard rules
EVERY_YAKU: Final[dict[str, Any]] = {
    f"yaku.{yaku}.{side}": worth
    for yaku in STANDARD
    for side in ("closed", "open")
    if STANDARD[yaku]["closed"] is False and (worth := _worth(yaku, side)) is not False
} | {"yaku.renhou.closed": "mangan", "yaku.daisharin.closed": "yakuman"}
RIICHI_VERB: Final = {
    "riichi": "riichi", "double": "riichi", "open": "open_riichi", "double_open": "open_riichi",
}  # fmt: skip
OTHER_RIICHI: Final = "123789p1122z567s"  # another player's tenpai


@dataclass
class Script:
    """The deal and the commands, written tile by tile in the order of play."""

    request: Mapping[str, Any]
    winner: int
    draws: list[str] = field(default_factory=list)
    plays: list[str] = field(default_factory=list)
    rinshan: list[str] = field(default_factory=list)
    setting: dict[str, Any] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)
    turn: int = 0
    drew: bool = False  # set once the winner has had a turn

    def __post_init__(self) -> None:
        self.tiles = [format_tiles([tile]) for tile in parse_tiles(self.request["hand"])]
        self.hand = list(self.tiles)
        self.spare = self._spare()

    @property
    def me(self) -> str:
        return WINDS[self.winner]

    def _spare(self) -> Iterator[str]:
        """Yield tiles that neither improve nor complete the hand."""
        held = parse_tiles(self.request["hand"] + self.request["win"])
        for meld in self.request.get("melds", ()):
            held += parse_tiles(meld["tiles"])
        used = {tile % RED for tile in held}
        concealed = [tile % RED for tile in parse_tiles(self.request["hand"])]
        used |= {kind + step for kind in concealed if kind < HONOURS for step in (-2, -1, 1, 2)}
        kinds = [kind for kind in reversed(range(KINDS)) if kind not in used]
        for _ in range(3):
            yield from (format_tiles([kind]) for kind in kinds)

    def draw(self, tile: str) -> str:
        """Let the current player draw the tile, and return their wind."""
        self.draws.append(tile)
        self.drew |= self.turn == self.winner
        return WINDS[self.turn]

    def idle(self, until: int | None = None) -> None:
        """Let one player, or all until a given turn, draw and discard useless tiles."""
        while until is None or self.turn != until:
            tile = next(self.spare)
            self.plays.append(f"{self.draw(tile)} discard {tile}")
            self.turn = (self.turn + 1) % 4
            if until is None:
                return

    def settle_in(self) -> None:
        """Play until the winner has had a turn, so that no later turn is the first."""
        self.idle(self.winner)
        self.idle()

    def after_me(self) -> None:
        self.turn = (self.winner + 1) % 4

    def call(self, meld: Mapping[str, Any]) -> None:
        """Make the meld: another player discards the tile, or the winner draws it for a concealed kan."""
        tiles = [format_tiles([tile]) for tile in parse_tiles(meld["tiles"])]
        kind, fed = meld["type"], tiles[0]
        if kind == "ankan":
            self.hand += tiles[1:]
            self.kan(f"ankan {fed}", fed)
            return
        self.hand += tiles[1:4] if kind == "daiminkan" else tiles[1:3]
        if kind == "chi":
            self.idle((self.winner - 1) % 4)
        elif self.turn == self.winner:
            self.idle()
        self.plays.append(f"{self.draw(fed)} discard {fed}")
        if kind == "daiminkan":
            self.rinshan.append(next(self.spare))
            self.plays += [f"{self.me} kan", f"{self.me} discard"]
        else:
            verb = f"chi {''.join(format_tiles(parse_tiles(''.join(tiles[1:]))))}" if kind == "chi" else "pon"
            junk = next(self.spare)
            self.hand.append(junk)
            self.plays += [f"{self.me} {verb}", f"{self.me} discard {junk}"]
        self.drew = True
        self.after_me()
        if kind == "kakan":
            self.kan(f"kakan {fed}", fed)

    def kan(self, verb: str, fourth: str) -> None:
        """Draw the fourth tile and declare the kan; the replacement tile wins or is discarded."""
        self.idle(self.winner)
        self.draw(fourth)
        wins = bool(self.request.get("rinshan"))
        self.rinshan.append(self.request["win"] if wins else next(self.spare))
        self.plays.append(f"{self.me} {verb}")
        if not wins:
            self.plays.append(f"{self.me} discard")
            self.after_me()

    def declare(self) -> None:
        """Declare the riichi of the example, in the first turn if it is a double riichi."""
        kind = self.request["riichi"]
        if not kind.startswith("double"):
            self.settle_in()
        self.idle(self.winner)
        tile = next(self.spare)
        self.draw(tile)
        self.plays.append(f"{self.me} {RIICHI_VERB[kind]} {tile}")
        self.after_me()
        if not self.request.get("ippatsu"):
            self.settle_in()

    def rob(self) -> None:
        """Let another player add the winning tile to a pon."""
        tile = self.request["win"]
        robbed = (self.winner + 2) % 4
        self.settle_in()
        junk = next(self.spare)
        self.others[WINDS[robbed]] = f"{tile}{tile}{junk}"
        if self.turn == robbed:
            self.idle()
        if self.turn == self.winner:
            self.idle()
        feeder = self.draw(tile)
        self.plays += [f"{feeder} discard {tile}", f"{WINDS[robbed]} pon"]
        self.plays.append(f"{WINDS[robbed]} discard {junk}")
        self.turn = (robbed + 1) % 4
        self.idle(self.winner)
        self.idle()
        self.idle(robbed)
        self.draw(tile)
        self.plays.append(f"{WINDS[robbed]} kakan {tile}")

    def finish(self) -> None:
        """Let the winner draw the winning tile, or another player discard it."""
        tile, flags = self.request["win"], self.request
        if flags.get("last_tile"):
            self.setting["last"] = tile
            self.plays.append("until 0" if flags["by"] == "tsumo" else "until 0!")
            return
        if not flags.get("first_turn") and not self.drew:
            self.settle_in()
        if flags["by"] == "tsumo":
            self.idle(self.winner)
            self.draw(tile)
            return
        if self.turn == self.winner:
            self.idle()
        if flags.get("riichi_tile"):
            self.others[WINDS[self.turn]] = OTHER_RIICHI
            self.plays.append(f"{self.draw(tile)} riichi {tile}")
            return
        self.plays.append(f"{self.draw(tile)} discard {tile}")


def script_of(entry: YakuEntry, request: Mapping[str, Any], winner: int) -> Script:
    """Return the script that leads to the win of ``request``."""
    script = Script(request, winner)
    script.setting["number"] = 4 if request.get("round") == "south" else 0
    script.setting["streak"] = max(0, request.get("dealer_streak", 0) - 1)
    for meld in request.get("melds", ()):
        script.call(meld)
    if request.get("riichi"):
        script.declare()
    if request.get("chankan"):
        script.rob()
    elif not request.get("rinshan"):
        script.finish()
    return script


def dealt(script: Script, rules: Any, indicator: str) -> Table:
    """Return a new table, dealt as the script says."""
    hands = {script.me: "".join(script.hand), **script.others}
    return Table(
        rules, hands, " ".join(script.draws), rinshan="".join(script.rinshan),
        indicators=indicator, ura=indicator, **script.setting,
    )  # fmt: skip


def winds_for(example: Any) -> list[int]:
    """Return the seats to try: that of the example, or all for last tiles, which depend on calls."""
    names = ("east", "south", "west", "north")
    seats = [names.index(example.get("seat", "south"))]
    return [*seats, *(i for i in range(4) if i not in seats)] if example.get("last_tile") else seats


def played_up_to(table: Table, script: Script) -> None:
    for command in script.plays:
        if command.startswith("until"):
            table.until(0)
            if command.endswith("!"):
                table.play(f"{WINDS[table.winds.index(int(table.game.turn))]} discard")
        else:
            table.play(command)
