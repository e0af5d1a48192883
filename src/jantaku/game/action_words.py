"""Actions in words."""

from jantaku import terms
from jantaku.game.actions import Action, Chi, Discard, Kan, Pon
from jantaku.terms import Language
from jantaku.tiles import format_tiles


def action_text(action: Action, language: Language | None = None) -> str:
    """Return an action in a few words, as in ``Riichi 3m``; a discard is its tile alone.

    >>> action_text(Discard("3m", riichi="riichi"), "en"), action_text(Chi("24s"), "en")
    ('Riichi 3m', 'Chi with 24s')
    """
    name: str = action.type
    values: dict[str, object] = {}
    match action:
        case Discard(tile, _, riichi):
            name, values = riichi or name, {"tile": format_tiles([tile])}
        case Chi(tiles):
            values = {"tiles": format_tiles(tiles)}
        case Pon(red) if red:
            name, values = "red_pon", {"count": red}
        case Kan(kind, tile):
            name, values = kind, {"tile": format_tiles([tile])}
    return terms.with_tiles(f"drawn_table.action.{name}", language, values)
