"""Draw hands: two lines of coloured cells on a terminal, notation elsewhere."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from rich.cells import cell_len
from rich.text import Text

from jantaku.cli.console import is_terminal, words
from jantaku.hand import Hand, Meld, MeldType
from jantaku.tiles import RED, format_tiles, sort_tiles
from jantaku.win import Win

SUITS, HONOURS = "萬筒索", "東南西北囗發中"
_RANKS = "１２３４５６７８９"
_FACE = "on grey93"
_BACK = Text("▒▒", "dark_orange3 on grey93")
_SUIT_COLOURS = ("dark_red", "blue3", "dark_green")
_HONOUR_COLOURS = ("black",) * 5 + ("dark_green", "dark_red")
_ascii: ContextVar[bool] = ContextVar("jantaku_ascii_tiles", default=False)


@contextmanager
def ascii_tiles(wanted: bool = True) -> Iterator[None]:
    """Write tiles in notation (``5m``, ``0p``) inside the ``with`` block, for fonts without kanji."""
    token = _ascii.set(wanted)
    try:
        yield
    finally:
        _ascii.reset(token)


def is_ascii() -> bool:
    """Whether to write tiles in notation."""
    return _ascii.get()


def colour_of(tile: int) -> str:
    """Return the colour of a tile's suit, of an honour, or of a red tile."""
    suit, rank = divmod(tile % RED, 9)
    return "red1" if tile >= RED else _HONOUR_COLOURS[rank] if suit == 3 else _SUIT_COLOURS[suit]


def _faces(tile: int) -> tuple[Text, Text]:
    """Return the upper and lower half of a tile."""
    suit, rank = divmod(tile % RED, 9)
    colour = colour_of(tile)
    if suit == 3:
        return Text(HONOURS[rank], f"bold {colour} {_FACE}"), Text("　", _FACE)
    upper = f"bold {colour if tile >= RED else 'black'} {_FACE}"
    return Text(_RANKS[rank], upper), Text(SUITS[suit], f"{colour} {_FACE}")


def _group(tiles: Iterable[int], label: str, hidden: Sequence[int] = ()) -> list[Text]:
    """Return a group of tiles as two lines of faces and a line with the label."""
    upper, lower = Text(), Text()
    for i, tile in enumerate(tiles):
        halves = (_BACK, _BACK) if i in hidden else _faces(tile)
        upper.append_text(halves[0]).append(" ")
        lower.append_text(halves[1]).append(" ")
    width = max(upper.cell_len, cell_len(label))
    lines = [upper, lower, Text(label, "dim")]
    for line in lines:
        line.append(" " * (width - line.cell_len))
    return lines


def _meld(meld: Meld) -> list[Text]:
    hidden = (0, 3) if meld.type is MeldType.ANKAN else ()
    label = words(f"meld.{meld.type}")
    if meld.source:
        label = words("meld.from", meld=label, source=words(f"source.{meld.source}"))
    return _group(meld.tiles, label, hidden)


def _joined(groups: Iterable[list[Text]]) -> Text:
    return Text("\n").join(Text("  ").join(lines) for lines in zip(*groups, strict=True))


def hand_text(hand: Hand) -> Text:
    """Draw a hand as tiles on a terminal, in notation elsewhere."""
    if is_ascii() or not is_terminal():
        return Text(str(hand))
    groups = [_group(sort_tiles(hand.tiles), ""), *map(_meld, hand.melds)]
    return _joined(groups)


def win_text(win: Win) -> Text:
    """Draw a winning hand with its winning tile set apart: as tiles on a terminal, in notation elsewhere."""
    how = words("by.tsumo" if win.tsumo else "by.ron")
    tile = format_tiles([win.tile])
    if is_ascii() or not is_terminal():
        melds = "".join(f" {meld}" for meld in win.hand.melds)
        return Text(f"{format_tiles(win.hand.tiles)} {tile} ({how}){melds}")
    groups = [_group(sort_tiles(win.hand.tiles), ""), _group([win.tile], how)]
    return _joined([*groups, *map(_meld, win.hand.melds)])
