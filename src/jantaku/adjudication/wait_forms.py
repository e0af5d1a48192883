"""The waits of a hand, the form of each, and the name of the whole wait."""

from typing import Final

from jantaku.adjudication.masks import kinds_in
from jantaku.adjudication.reading_view import WAIT_FORMS, WaitForm
from jantaku.adjudication.win_records import concealed_counts, held_counts, win_records
from jantaku.errors import NotationError, expect
from jantaku.fields import choice, whole
from jantaku.hand import Hand
from jantaku.kernels import waits as kernels
from jantaku.kernels.boundary import wait_readings
from jantaku.kernels.cuts import cut_tables
from jantaku.kernels.lookup import shanten_tables
from jantaku.kernels.reading import ROW, ROW_WAIT
from jantaku.tiles import COPIES, KINDS, MAN_KINDS, NORTH, RED, TILES, Tile
from jantaku.win import Win

_MANY: Final = {9: "nine_sided", 13: "thirteen_sided"}
_TWO: Final[dict[WaitForm, str]] = {"ryanmen": "ryanmen", "shanpon": "shanpon", "tanki": "nobetan"}
_MIXED: Final = {1: "one_sided_mixed", 2: "two_sided_mixed"}


def want_tiles(hand: Hand, drawn: bool) -> None:
    """Raise ``NotationError`` unless there are 13 tiles, or 14 including the ``drawn`` one."""
    expect(hand, Hand, "hand")
    wanted = 13 + drawn - 3 * len(hand.melds)
    if len(hand.tiles) != wanted:
        code = "fourteen_tiles_wanted" if drawn else "thirteen_tiles_wanted"
        raise NotationError(code, source=hand.source, count=len(hand.tiles), wanted=wanted)


def check_table(man: str = "all", kita: int = 0, in_melds: bool = False) -> None:
    """Raise ``RequestError`` unless these say how a table plays: see ``wait_mask``."""
    if not isinstance(man, str) or man != "all":
        choice(man, "man", tuple(MAN_KINDS))
    if type(kita) is not int or kita:
        whole(kita, "kita", 0, COPIES)
    expect(in_melds, bool, "in_melds")


def wait_mask(hand: Hand, man: str = "all", kita: int = 0, in_melds: bool = False) -> int:
    """The kinds that complete a hand of 13 tiles, as a mask; 0 if it is not tenpai.

    ``man`` names the man tiles of the set, ``kita`` counts the norths that the player has set aside. A kind
    is no wait if these and the hand hold all four; with ``in_melds`` (``draw.wait_in_melds``) the tiles of
    melds are left out of that count. Raises ``NotationError`` (``thirteen_tiles_wanted``).
    """
    want_tiles(hand, drawn=False)
    check_table(man, kita, in_melds)
    held = concealed_counts(hand) if in_melds else held_counts(hand)
    held[NORTH] += kita
    return int(kernels.waits(concealed_counts(hand), held, len(hand.melds), shanten_tables(man)))


def wait_rows(hand: Hand, waits: int) -> list[list[int]]:
    """The readings of a tenpai hand on each of its ``waits`` (its ``wait_mask``).

    The columns are those of ``jantaku.kernels.reading``, followed by the kind that completed the hand.
    """
    if not waits:
        return []
    kept = {tile % RED for tile in hand.all_tiles}
    spare = next(kind for kind in range(KINDS) if kind not in kept)  # a wait may lie in a quad
    record = win_records([Win(hand, TILES[spare])])  # the kernel replaces its winning tile
    rows: list[list[int]] = wait_readings(record, waits, cut_tables()).tolist()
    return rows


def forms_of(hand: Hand, waits: int) -> dict[Tile, tuple[WaitForm, ...]]:
    """How each of the ``waits`` completes the hand, over all readings."""
    forms: dict[Tile, set[WaitForm]] = {kind: set() for kind in kinds_in(waits)}
    for row in wait_rows(hand, waits):
        forms[TILES[row[ROW]]].add(WAIT_FORMS[row[ROW_WAIT]])
    return {kind: tuple(f for f in WAIT_FORMS if f in forms) for kind, forms in forms.items()}


def wait_form(hand: Hand, kita: int = 0, in_melds: bool = False) -> str:
    """The name of the whole wait of a hand of 13 tiles; ``""`` if it is not tenpai.

    ``kita`` and ``in_melds`` say which kinds are no waits (``wait_mask``).

    One kind: ``kanchan``, ``penchan`` or ``tanki``; ``ryanmen`` or ``shanpon`` if the hand holds all four of
    the other kind; ``one_sided_mixed`` if readings differ. Two kinds: ``ryanmen``, ``shanpon``, ``nobetan``
    (a tanki at either end), otherwise ``two_sided_mixed``. More: ``3_sided`` …, ``nine_sided`` (junsei
    chuuren), ``thirteen_sided`` (kokushi). Source: inventory 208-214.

    >>> wait_form(Hand.parse("23456s222z333z44z")), wait_form(Hand.parse("1234s222333444z"))
    ('3_sided', 'nobetan')
    """
    mask = wait_mask(hand, kita=kita, in_melds=in_melds)
    number = mask.bit_count()
    if number > 2:
        return _MANY.get(number, f"{number}_sided")
    if not number:
        return ""
    names = {form for forms in forms_of(hand, mask).values() for form in forms}
    form = names.pop()
    if names:
        return _MIXED[number]
    return form if number == 1 else _TWO.get(form, _MIXED[number])
