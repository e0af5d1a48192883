"""The help page (``?``): every key, how tiles look, and the time limits."""

from rich.console import Group, RenderableType
from rich.text import Text

from jantaku import terms
from jantaku.cli.console import ACCENT, heading, indented, table
from jantaku.cli.play.screen import said
from jantaku.cli.table_view import legend
from jantaku.rules import Ruleset


def help_page(rules: Ruleset) -> RenderableType:
    """The function of every key under these rules."""
    rows = table("", "")
    for keys, meaning in terms.table("play", terms.current())["help"]["keys"].items():
        rows.add_row(Text(terms.text(f"play.help.names.{keys}"), ACCENT), meaning)
    clock = rules.clock
    times = said("help.clock", claim=clock.claim_window_s, turn=clock.turn_s, bank=clock.bank_s)
    return Group(heading(said("help.title")), indented(rows), Text(), legend(), Text(), Text(times))
