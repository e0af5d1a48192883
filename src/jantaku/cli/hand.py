"""``jantaku waits`` and ``jantaku shanten``: the waits of a hand and its distance from tenpai."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from jantaku.cli.command import RULES, Jsonl
from jantaku.cli.console import heading, out, refuse_unused, rules_named, table, words
from jantaku.cli.hand_drawing import hand_text
from jantaku.cli.score import STREAM_OPTIONS, Melds, answer_files, melds_from_options
from jantaku.errors import RequestError, RulesError
from jantaku.hand import Hand
from jantaku.rules import Ruleset
from jantaku.terms import listed, text
from jantaku.tiles import COPIES, RED, Tile, format_tiles, kinds_of, parse_tiles, tile_name

if TYPE_CHECKING:
    from jantaku.adjudication.analysis import DiscardChoice, Shanten

HAND = typer.Argument(metavar="TILES")
TILES = typer.Option(metavar="TILES")
KITA = typer.Option(metavar="N", min=0, max=COPIES)
MAX_WITH_COPIES = 5


def waits(  # noqa: PLR0913, PLR0917  (each is an option; melds are read from the context)
    context: typer.Context,
    hand: Annotated[list[str] | None, HAND] = None,
    chi: Melds = None,
    pon: Melds = None,
    ankan: Melds = None,
    daiminkan: Melds = None,
    kakan: Melds = None,
    seen: Annotated[list[str] | None, TILES] = None,
    kita: Annotated[int, KITA] = 0,
    rules: Annotated[str, RULES] = "standard",
) -> int:
    """Print the tiles that complete a hand."""
    from jantaku.adjudication import analysis

    ruleset = rules_named(rules)
    held = _hand(hand, context, ruleset)
    in_melds = ruleset.draw.wait_in_melds
    waits = analysis.waits(held, _tiles(seen), ruleset.tiles.man, kita, in_melds)
    console = out()
    console.print(hand_text(held))
    if not waits:
        distance = analysis.shanten_forms(held, ruleset.tiles.man, kita, in_melds).shanten
        exhausted = analysis.is_exhausted(held, ruleset.tiles.man)
        message = text("explain.note.tenpai_none") if exhausted else words("waits.none", count=distance)
        console.print(message, style="yellow")
        return 0
    rows = table(words("waits.tile"), "", words("waits.left"), words("waits.forms"))
    for wait in waits:
        forms = listed(words(f"wait_form.{form}") for form in wait.forms)
        left = Text(str(wait.left), "" if wait.left else "dim")
        rows.add_row(format_tiles([wait.tile]), tile_name(wait.tile), left, forms)
    console.print(rows)
    total = sum(wait.left for wait in waits)
    kind = _wait_name(analysis.wait_form(held, kita, in_melds))
    console.print(heading(words("waits.summary", form=kind, kinds=len(waits), count=total)))
    return 0


def shanten(  # noqa: PLR0913, PLR0917
    context: typer.Context,
    hand: Annotated[list[str] | None, typer.Argument(metavar="TILES | FILE")] = None,
    chi: Melds = None,
    pon: Melds = None,
    ankan: Melds = None,
    daiminkan: Melds = None,
    kakan: Melds = None,
    seen: Annotated[list[str] | None, TILES] = None,
    kita: Annotated[int, KITA] = 0,
    rules: Annotated[str, RULES] = "standard",
    jsonl: Jsonl = False,
) -> int:
    """Print a hand's shanten and the tiles that improve it."""
    from jantaku.adjudication.analysis import best_discards, effective_tiles, shanten_forms
    from jantaku.adjudication.jsonl import shanten_answer

    ruleset = rules_named(rules)
    in_melds = ruleset.draw.wait_in_melds
    if jsonl:
        refuse_unused(context, context.params.keys() - STREAM_OPTIONS, "--jsonl")
        return answer_files(hand or [], partial(shanten_answer, man=ruleset.tiles.man, in_melds=in_melds))
    held, lying = _hand(hand, context, ruleset), _tiles(seen)
    table = (ruleset.tiles.man, kita, in_melds)
    out().print(hand_text(held))
    _print_forms(shanten_forms(held, *table))
    if len(held.tiles) % 3 == 2:
        _print_discards(best_discards(held, lying, *table))
    else:
        _print_effective(effective_tiles(held, lying, *table))
    return 0


def _hand(texts: list[str] | None, context: typer.Context, rules: Ruleset) -> Hand:
    """Parse the hand; raises ``RulesError`` for a tile that the rules do not have."""
    if not texts:
        raise RequestError("no_hand", field="TILES")
    hand = Hand.parse(" ".join(texts), melds_from_options(context.params))
    kinds = kinds_of(rules.tiles.man)
    for tile in hand.all_tiles:
        if tile % RED not in kinds:
            raise RulesError("tile_not_in_rules", path="tiles.man", tile=format_tiles([tile]), rules=rules.id)
    return hand


def _tiles(texts: list[str] | None) -> list[Tile]:
    return parse_tiles(" ".join(texts or []))


def _wait_name(form: str) -> str:
    """Return the name of a wait form, such as ``ryanmen``, ``nobetan`` or ``5_sided``."""
    sides, _, many = form.partition("_")
    if many == "sided" and sides.isdigit():
        return words("wait_form.many_sided", count=int(sides))
    return words(f"wait_form.{form}")


def distance(count: int | None) -> str:
    """Return a shanten number in words; ``None`` is impossible."""
    if count is None:
        return words("shanten.impossible")
    if count < 1:
        return words("shanten.complete" if count < 0 else "shanten.tenpai")
    return words("shanten.count", count=count)


def _print_forms(forms: "Shanten") -> None:
    out().print(heading(distance(forms.shanten)))
    parts = {
        "standard": forms.standard,
        "chiitoitsu": forms.chiitoitsu,
        "kokushi": forms.kokushi,
    }
    message = (f"{words(f'shanten.{name}')} {distance(count)}" for name, count in parts.items())
    out().print(" · ".join(message), style="dim")


def _print_effective(tiles: Mapping[Tile, int]) -> None:
    total = sum(tiles.values())
    out().print(words("shanten.effective", kinds=len(tiles), count=total))
    out().print("  " + _with_copies(tiles))


def _print_discards(choices: "list[DiscardChoice]") -> None:
    rows = table(
        words("shanten.discard"),
        words("shanten.after"),
        words("shanten.copies"),
        words("shanten.tiles"),
    )
    for discard in choices:
        best = discard.shanten == choices[0].shanten and discard.copies == choices[0].copies
        rows.add_row(
            f"{format_tiles([discard.tile])} {tile_name(discard.tile)}",
            distance(discard.shanten),
            str(discard.copies),
            _with_copies(discard.tiles),
            style="bold" if best else "dim" if discard.shanten > choices[0].shanten else "",
        )
    out().print(rows)


def _with_copies(tiles: Mapping[Tile, int]) -> str:
    """Format tiles with their number of copies, which is omitted for more than ``MAX_WITH_COPIES`` kinds."""
    if len(tiles) > MAX_WITH_COPIES:
        return format_tiles(tiles)
    return " ".join(f"{format_tiles([tile])}×{count}" for tile, count in tiles.items())
