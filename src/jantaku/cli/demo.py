"""``jantaku demo``: adjudicate a file of wins, then show, record and check a bot game."""

import time
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from jantaku.cli.bot_games import DEFAULT_BOT, DEFAULT_RULES
from jantaku.cli.console import ACCENT, bar, heading, indented, out, table, words
from jantaku.cli.explanation import class_in_words
from jantaku.cli.verify import DIFFERS, outcomes, print_differences
from jantaku.cli.watch import show
from jantaku.rules.yaku_names import known_name

if TYPE_CHECKING:
    from jantaku.adjudication.verify import Difference, Outcome

SEED = 2025  # of the bot game, and of its walls beyond those of a log
MAX_YAKU, BAR_WIDTH, MAX_SHOWN = 6, 30, 10
YAKUMAN_HAN = 13


@dataclass
class Tally:
    """Counts for the summary of an adjudicated file."""

    rows: int = 0
    wins: int = 0
    wrong: list["Difference"] = field(default_factory=list)
    differing: int = 0
    yaku: Counter[str] = field(default_factory=Counter)
    values: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: "Outcome | list[Difference]") -> None:
        """Count one row."""
        self.rows += 1
        wrong = outcome if isinstance(outcome, list) else outcome.differences
        self.wrong += wrong
        self.differing += bool(wrong)
        if isinstance(outcome, list) or "error" in outcome.reply or "yaku" not in outcome.reply:
            return
        self.wins += 1
        self.yaku.update(outcome.reply["yaku"].keys())
        self.values[value_class(outcome.reply)] += 1


def value_class(reply: Mapping[str, Any]) -> str:
    """Return the han of a hand below mangan, else the name of its limit."""
    return str(reply["limit"] or reply["han"])


def demo(
    file: Annotated[Path | None, typer.Argument(metavar="FILE")] = None,
    walls: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
) -> int:
    """Adjudicate a file of wins, then show, record and check a bot game."""
    wrong = adjudicate(file)
    out().print()
    differs = show_bot_game(walls)
    return wrong or differs


def adjudicate(file: Path | None) -> int:
    """Adjudicate a file of wins; return ``DIFFERS`` if any result differs from the expected one."""
    with ExitStack() as stack:
        sample = resources.files("jantaku").joinpath("data", "sample-wins.jsonl")
        path = file or stack.enter_context(resources.as_file(sample))
        _start()
        tally, started = Tally(), time.perf_counter()
        for outcome in outcomes([path], "standard"):
            tally.add(outcome)
        seconds = time.perf_counter() - started
    _print_summary(tally, path, seconds)
    if tally.wrong:
        print_differences(tally.wrong, MAX_SHOWN)
    _print_yaku(tally)
    _print_values(tally)
    return DIFFERS if tally.wrong else 0


def show_bot_game(walls: Path | None) -> int:
    """Show a bot game, on the walls of a log if given."""
    from jantaku.cli.bot_games import play_text
    from jantaku.game import Game
    from jantaku.game.fair_walls import new_seed
    from jantaku.records import mjlog
    from jantaku.records.mjlog.wall import walls_from
    from jantaku.rules import load

    rules = load(DEFAULT_RULES)
    if walls is None:
        game = Game(rules, seed=SEED)
    else:
        log = mjlog.read(walls)
        out().print(Text(play_text("watch.given", log=walls.name, given=len(log.hands), seed=SEED), "dim"))
        game = Game(rules, walls=walls_from(log, rules, new_seed(SEED)))
    code = show(game, [DEFAULT_BOT] * len(rules.seats), None)
    out().print()
    return code


def _start() -> None:
    """Load compiled code before timing."""
    from jantaku.adjudication.jsonl import answer

    answer({"hand": "234m567p345678s9p", "win": "9p", "by": "tsumo"})


def _print_summary(tally: Tally, path: Path, seconds: float) -> None:
    console = out()
    console.print(heading(words("demo.title", file=path.name)))
    agree = words("demo.agree", right=tally.rows - tally.differing, rows=tally.rows)
    console.print(indented(Text(agree, "red" if tally.wrong else "green")))
    speed = words("demo.speed", seconds=seconds, speed=tally.rows / max(seconds, 1e-9))
    console.print(indented(Text(speed, "dim")))


def _print_bars(title: str, rows: list[tuple[str, int]], total: int) -> None:
    if not rows:
        return
    shown = table("", "", "", "", right=(2, 3))
    most = max(count for _, count in rows)
    for name, count in rows:
        share = f"{100 * count / max(total, 1):.1f}%"
        shown.add_row(name, Text(bar(count / most, BAR_WIDTH), ACCENT), f"{count:,}", Text(share, "dim"))
    out().print()
    out().print(heading(title))
    out().print(indented(shown))


def _print_yaku(tally: Tally) -> None:
    common = [(known_name(name) or name, n) for name, n in tally.yaku.most_common(MAX_YAKU)]
    _print_bars(words("demo.yaku"), common, tally.wins)


def _print_values(tally: Tally) -> None:
    """Print the number of hands with each han, then with each limit."""
    limits = ("mangan", "haneman", "baiman", "sanbaiman", "kazoe_yakuman", "yakuman")
    order = [*map(str, range(YAKUMAN_HAN)), *limits]
    rows = [(class_in_words(name), tally.values[name]) for name in order if tally.values[name]]
    _print_bars(words("demo.values"), rows, tally.wins)
