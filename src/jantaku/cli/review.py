"""``jantaku review``: the mistakes in a recorded game, what they cost, and why."""

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from jantaku.cli.command import INTERRUPTED, RULES, AsJson, MaybeNumber
from jantaku.cli.console import err, heading, indented, is_terminal, out, progress, rules_named, words
from jantaku.cli.hand_drawing import is_ascii
from jantaku.cli.table_view import cell, meld, row, seat_names, table_text
from jantaku.errors import JantakuError, RequestError, file_errors, wrong_choice
from jantaku.terms import counted, current, signed, text
from jantaku.tiles import format_tiles

if TYPE_CHECKING:
    from jantaku.bots.judge import Judge
    from jantaku.bots.review import Review
    from jantaku.bots.review.moments import Moment
    from jantaku.game import Game
    from jantaku.records.formats import Recorded

STRONG: Final = "strong"
JUDGES: Final = (STRONG, "mjai:COMMAND", "mjai:lines:COMMAND")
QUICK: Final = 0.1  # progress at which a quick review stops
WIDTH: Final = 100  # columns of a paragraph at most
_SIGNS: Final = {"played": ("✕", "bold red"), "best": ("✓", "bold green")}


def _print_schema(wanted: bool) -> None:
    if wanted:
        from jantaku.bots.review.schema import schema

        typer.echo(json.dumps(schema(), ensure_ascii=False, indent=2))
        raise typer.Exit


def review(  # noqa: PLR0913, PLR0917  (each is an option)
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    judge: Annotated[str, typer.Option(metavar="JUDGE")] = STRONG,
    seat: MaybeNumber = None,
    quick: Annotated[bool, typer.Option("--quick")] = False,
    rules: Annotated[str | None, RULES] = None,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE.html")] = None,
    as_json: AsJson = False,
    schema: Annotated[  # noqa: ARG001
        bool, typer.Option("--schema", is_eager=True, callback=_print_schema)
    ] = False,
) -> int:
    """Print the mistakes of each seat, what they cost, and why."""
    from jantaku.records.formats import read_record

    record = read_record(file, rules_named(rules) if rules else None)
    game = record.game
    if seat is not None and seat not in game.seats:
        raise RequestError("number_range", field="--seat", value=seat, low=0, high=game.seats[-1])
    if html is not None:
        _check_writable(html)
    done = _Done()
    with ExitStack() as stack:
        by = _judge_named(judge, stack)
        _review_all(game, [*game.seats] if seat is None else [seat], by, done, QUICK if quick else 1.0)
    if html is not None and done.reviews:
        _write_html(html, record, done.reviews)
    if as_json:
        typer.echo(json.dumps(_document(record, done), ensure_ascii=False))
    else:
        names = seat_names(record.names, len(game.seats))
        for one in done.reviews:
            _print(game, names, one)
    if done.failure is not None:
        raise done.failure
    return INTERRUPTED if done.interrupted else 0


def _check_writable(path: Path) -> None:
    """Raise ``RecordError`` now rather than after minutes of work."""
    with file_errors(str(path), writing=True):
        is_new = not path.exists()
        path.open("a").close()
        if is_new:
            path.unlink()


def _judge_named(name: str, stack: ExitStack) -> "Judge":
    """Return the judge with that name; the stack closes it. Raises ``RequestError`` for an unknown name."""
    from jantaku.bots.mjai import MJAI, ProgramJudge
    from jantaku.bots.policy_judge import PolicyJudge

    if name == STRONG:
        return PolicyJudge()
    if not name.startswith(MJAI):
        raise wrong_choice("--judge", name, JUDGES)
    return stack.enter_context(ProgramJudge(name.removeprefix(MJAI)))


@dataclass
class _Done:
    """The reviews so far, and why there are no more."""

    reviews: "list[Review]" = field(default_factory=list)
    failure: JantakuError | None = None
    interrupted: bool = False


def _review_all(game: "Game", seats: Sequence[int], judge: "Judge", done: _Done, enough: float) -> None:
    """Review the seats up to a progress of ``enough``, with one progress bar, until an error or Ctrl-C."""
    from jantaku.bots.review import reviews

    latest: Review | None = None
    with progress() as bar:
        task = bar.add_task("", total=100)
        try:
            for number, seat in enumerate(seats):
                bar.update(task, description=words("review.working", seat=seat))
                for latest in reviews(game, seat, judge):
                    share = min(1.0, latest.progress / enough)
                    bar.update(task, completed=100 * (number + share) / len(seats))
                    if latest.progress >= enough:
                        break
                assert latest is not None
                done.reviews.append(latest)
                latest = None
        except KeyboardInterrupt:
            done.interrupted = True
        except JantakuError as error:
            done.failure = error
    if latest is not None:
        done.reviews.append(latest)


def _document(record: "Recorded", done: _Done) -> dict[str, object]:
    from jantaku.bots.review.model import ReviewFile, RulesOfReview, file_to_dict

    rules = record.game.rules
    return file_to_dict(
        ReviewFile(
            rules=RulesOfReview(id=rules.id, fingerprint=rules.fingerprint),
            names=record.names,
            reviews=tuple(done.reviews),
            error=None if done.failure is None else done.failure.message(),
        )
    )


def _write_html(path: Path, record: "Recorded", found: "Sequence[Review]") -> None:
    from jantaku.bots.review.page import review_page

    with file_errors(str(path), writing=True):
        path.write_text(review_page(record.game, record.names, found, current()), "utf-8")
    err().print(words("review.written", path=path), style="dim", soft_wrap=True)


def _print(game: "Game", names: Sequence[str], review: "Review") -> None:
    from jantaku.bots.review.moments import moments
    from jantaku.bots.review.words import percent

    console = out()
    width = min(console.width, WIDTH)
    title = text("review.report.heading", None, name=names[review.seat], mistakes=len(review.mistakes))
    console.print(heading(title))
    console.print(Text(_sum(review)), width=width)
    if review.progress < 1:
        note = text("review.report.partial", None, progress=percent(review.progress, 0))
        console.print(Text(note, "yellow"), width=width)
    for moment in moments(game, review):
        console.print()
        console.print(Group(*_moment(game, names, moment)), width=width)
    unclear = moments(game, review, "unclear")
    if unclear:
        console.print()
        listed = table_text("separator").join(moment.name for moment in unclear)
        console.print(Text(words("review.unclear", moments=listed), "dim"), width=width)
    console.print()


def _sum(review: "Review") -> str:
    if review.luck is None or review.result is None:
        return text("review.report.unfinished", None, cost=counted(round(review.cost)))
    numbers = {"result": review.result, "cost": -review.cost, "luck": review.luck}
    shown = {key: signed(round(value)) for key, value in numbers.items()}
    return text("review.report.sum", None, **shown)


def _moment(game: "Game", names: Sequence[str], moment: "Moment") -> Iterator[RenderableType]:
    """Yield the lines of a mistake: what it cost, the hand, both actions, and why."""
    from jantaku.bots.review.words import loss_text, sentences
    from jantaku.game.action_words import action_text

    decision, view = moment.decision, moment.view
    title = Text(moment.name, "bold").append(f"  {text(f'review.kinds.{decision.mistake}')}  ", "not bold")
    yield title.append(loss_text(decision), "bold red")
    if view.offered is not None:
        tile = format_tiles([view.offered.tile])
        offered = text("review.report.offered", None, name=names[view.offered.owner], tile=tile)
        yield indented(Text(offered))
    yield indented(_hand(moment, game.rules.calls.ankan_display))
    both = {"played": ("played", decision.played), "best": ("better", decision.best)}
    choices = [
        Text.assemble(
            (f"{_SIGNS[sign][0]} {text(f'review.report.{key}')}", _SIGNS[sign][1]), f" {action_text(action)}"
        )
        for sign, (key, action) in both.items()
    ]
    yield indented(Text("   ").join(choices))
    known = [one.sentence(names[one.opponent]) for one in moment.safety]
    for sentence in (*sentences(decision, game.rules), *known):
        yield indented(indented(Text(sentence)))


def _hand(moment: "Moment", display: str) -> Text:
    """Draw the hand, with the signs of both actions below it on a terminal."""
    view = moment.view
    dora = f"{table_text('dora')} "
    if is_ascii() or not is_terminal():
        drawn = "" if view.drawn is None else f" {format_tiles([view.drawn])}"
        melds = "".join(f" {one}" for one in view.melds[view.seat])
        return Text(
            f"{format_tiles(view.hand)}{drawn}{melds}   {dora}{format_tiles(view.indicators, sort=False)}"
        )
    line, below = row(view.hand), Text()
    if view.drawn is not None:
        line.append("  ").append_text(cell(view.drawn))
    for i, marks in enumerate(moment.marks):
        below.append(" " if i == len(view.hand) else "")
        for name in marks:
            below.append(*_SIGNS[name])
        below.append(" " * (4 - len(marks)))
    for one in view.melds[view.seat]:
        line.append("   ").append_text(meld(one, display))
    line.append(f"   {dora}", "dim").append_text(row(view.indicators))
    below.rstrip()
    return Text("\n").join([line, below])
