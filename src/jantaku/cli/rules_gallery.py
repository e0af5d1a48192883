"""``jantaku rules gallery``: local yaku and house rules that a rules file may add."""

from collections.abc import Mapping
from typing import Annotated

import typer
from rich.text import Text

from jantaku import terms
from jantaku.cli.completion import GALLERY_ARGUMENT
from jantaku.cli.console import ACCENT, heading, indented, out, table, words
from jantaku.cli.hand_drawing import win_text
from jantaku.rules.gallery import GalleryPart, gallery, part_of
from jantaku.rules.sheet import worth_in_words
from jantaku.terms import Language


def gallery_parts(name: Annotated[str | None, GALLERY_ARGUMENT] = None) -> int:
    """List the gallery, or show one of its parts."""
    if name is not None:
        _show(part_of(name))
        return 0
    for kind in ("yaku", "house"):
        rows = table("id", words("rules.name"), words("rules.gallery.about"))
        for part in gallery().values():
            if part.kind == kind:
                about = Text(_said(part.about), "dim")
                rows.add_row(Text(part.id, ACCENT), Text(_said(part.name)), about)
        out().print(heading(words(f"rules.gallery.{kind}")))
        out().print(rows)
    return 0


def _said(text: Mapping[Language, str]) -> str:
    return text[terms.current()]


def _show(part: GalleryPart) -> None:
    console = out()
    console.print(heading(_said(part.name)).append(f"  {part.id}", "not bold dim"))
    console.print(indented(_said(part.about)))
    if part.kind == "yaku":
        from jantaku.adjudication.requests import win_from_request

        own = part.rules["yaku"][part.id]
        worths = (f"{words(f'sheet.{side}')}: {worth_in_words(own[side])}" for side in ("closed", "open"))
        console.print(indented(Text(terms.listed(worths))))
        for kind in ("example", "near"):
            console.print()
            console.print(Text(words(f"rules.gallery.{kind}"), "dim"))
            console.print(indented(win_text(win_from_request(dict(getattr(part, kind))))))
    console.print()
    console.print(Text(words("rules.gallery.lines"), "dim"))
    typer.echo(part.toml)
    console.print()
    if part.source:
        console.print(Text(words("rules.gallery.source", source=part.source), "dim"), soft_wrap=True)
    if part.statements:
        console.print(Text(words("rules.gallery.statements", numbers=terms.listed(part.statements)), "dim"))
