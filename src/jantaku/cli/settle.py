"""``jantaku settle``: settle games from the results entered at the table."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from jantaku.cli.command import Jsonl
from jantaku.cli.console import out, rules_finder, rules_named, table, words
from jantaku.cli.options import DEFAULT_RULES, RulesName, check_used, read_json
from jantaku.cli.score import answer_files
from jantaku.errors import RequestError
from jantaku.seats import winds_of
from jantaku.terms import counted, signed

if TYPE_CHECKING:
    from jantaku.club import SettledGame


def settle(
    files: Annotated[list[str] | None, typer.Argument(metavar="FILE")] = None,
    rules: RulesName = None,
    jsonl: Jsonl = False,
) -> int:
    """Settle games given as JSON lines, or print the settled games of files."""
    from jantaku.club.jsonl import settle_answer

    ruleset = rules_named(rules or DEFAULT_RULES)
    find = rules_finder(rules or DEFAULT_RULES, ruleset)
    if jsonl:
        return answer_files(files or [], partial(settle_answer, default_rules=ruleset, find=find))
    if not files:
        raise RequestError("missing_field", field="FILE")
    games = [read_json(name) for name in files]
    check_used(games, rules, ruleset, find)
    for game in games:
        _show(game, ruleset, find)
    return 0


def _show(data: object, rules: Any, find: Any) -> None:
    from jantaku.adjudication.named_rules import rules_of
    from jantaku.club.jsonl import GAME_FIELDS, game_from
    from jantaku.fields import Fields

    fields = Fields(data, GAME_FIELDS)
    ruleset = rules_of(fields, rules, find)
    show_game(game_from(fields, ruleset))


def show_game(game: "SettledGame") -> None:
    """Print a settled game: a row per hand, then the final points."""
    from jantaku.cli.table_view import table_text
    from jantaku.seats import hand_name

    rows = table(words("settle.hand"), *(table_text(f"wind.{wind}") for wind in winds_of(len(game.scores))))
    for hand in game.hands:
        points = (
            f"{signed(delta)} → {counted(score)}" if delta else counted(score)
            for delta, score in zip(hand.deltas, hand.scores, strict=True)
        )
        rows.add_row(hand_name(hand.number, hand.honba, len(hand.scores)), *points)
    if game.final is not None and game.places is not None:
        last = (f"{signed(final)} ({place})" for final, place in zip(game.final, game.places, strict=True))
        rows.add_row(Text(words("settle.final"), "bold"), *(Text(text, "bold") for text in last))
    out().print(rows)
    if not game.over:
        out().print(Text(words("settle.going_on"), "dim"))
