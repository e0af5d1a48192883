"""``jantaku lab hand``: plays every choice at a position many times and says which is best."""

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.progress import TimeRemainingColumn
from rich.text import Text

from jantaku.adjudication.requests import CHOICES
from jantaku.cli.completion import RULES
from jantaku.cli.console import out, printed, progress, rules_named, table
from jantaku.cli.score import WINDS, Melds, melds_from_options
from jantaku.errors import RequestError, phrase
from jantaku.fields import choice
from jantaku.terms import text

if TYPE_CHECKING:
    from jantaku.lab.discards import ChoiceEstimates, HandAnswer, HandQuestion, SeatPosition
    from jantaku.lab.experiment.estimates import Estimate

THOUSAND: Final = 1000
_ORDERS: Final = "place|points|final|win|deal_in"


def _option(panel: str, *names: str, metavar: str | None = None) -> Any:
    return typer.Option(*names, metavar=metavar, rich_help_panel=panel)


River = Annotated[str, _option("table", metavar="TILES")]


def hand(  # noqa: PLR0913, PLR0917  (each is an option; they are read from the context)
    context: typer.Context,
    tiles: Annotated[list[str], typer.Argument(metavar="TILES")],
    chi: Melds = None,
    pon: Melds = None,
    ankan: Melds = None,
    daiminkan: Melds = None,
    kakan: Melds = None,
    round_wind: Annotated[str, _option("table", "--round", metavar=WINDS)] = "east",
    number: Annotated[int, _option("table", metavar="N")] = 1,
    seat: Annotated[str, _option("table", metavar=WINDS)] = "south",
    dora: Annotated[list[str] | None, _option("table", metavar="TILES")] = None,
    honba: Annotated[int, _option("table", metavar="N")] = 0,
    deposits: Annotated[int | None, _option("table", metavar="N")] = None,
    kita: Annotated[int, _option("table", metavar="N")] = 0,
    wareme: Annotated[str | None, _option("table", metavar=WINDS)] = None,
    scores: Annotated[str | None, _option("table", metavar="N,N,N,N")] = None,
    turn: Annotated[int | None, _option("table", metavar="N")] = None,
    discards: River = "",
    right: River = "",
    across: River = "",
    left: River = "",
    rules: Annotated[str, RULES] = "standard",
    games: Annotated[int, typer.Option(metavar="N")] = 1000,
    seed: Annotated[int, typer.Option(metavar="N")] = 0,
    bots: Annotated[str, typer.Option(metavar="NAME")] = "standard",
    by: Annotated[str, typer.Option(metavar=_ORDERS)] = "place",
    jobs: Annotated[int | None, typer.Option(metavar="N")] = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> int:
    """Find the best discard of a hand."""
    from jantaku.lab.discards import HandQuestion, known_position

    given = context.params
    known = known_position(position_from_options(given), rules_named(rules))
    question = HandQuestion(known, games, seed, bots, by)
    answer = _played(question, jobs)
    if not printed(answer.to_dict, as_json):
        show_choices(answer)
    return 0


def position_from_options(given: "dict[str, Any]") -> "SeatPosition":
    """The position that the command's options describe."""
    from jantaku.lab.discards import SeatPosition

    return SeatPosition.parse(
        " ".join(given["tiles"]),
        melds_from_options(given),
        dora=" ".join(given["dora"] or []),
        scores=None if given["scores"] is None else _numbers(given["scores"]),
        round=choice(given["round_wind"], "--round", CHOICES["round"]),
        seat=choice(given["seat"], "--seat", CHOICES["seat"]),
        wareme=given["wareme"] and choice(given["wareme"], "--wareme", CHOICES["wareme"]),
        **{name: given[name] for name in ("number", "honba", "deposits", "kita", "turn")},
        **{name: given[name] for name in ("discards", "right", "across", "left")},
    )


def _numbers(said: str) -> list[int]:
    try:
        return [int(part) for part in said.split(",")]
    except ValueError as error:
        raise RequestError(
            "wrong_type",
            field="--scores",
            wanted=phrase("errors.kinds.such_text", example="25000,25000,25000,25000"),
        ) from error


def _played(question: "HandQuestion", jobs: int | None) -> "HandAnswer":
    """The answer, with a progress bar; after Ctrl-C that of the deals played so far."""
    from jantaku.lab.discards import answers

    answer = None
    with progress(TimeRemainingColumn()) as bar:
        task = bar.add_task(text("lab.hand.working"), total=question.games)
        try:
            for answer in answers(question, jobs):
                bar.update(task, completed=answer.games)
        except KeyboardInterrupt:
            if answer is None:
                raise
    assert answer is not None  # a question has at least two deals
    return answer


def show_choices(answer: "HandAnswer") -> None:
    """Print a row for each choice, the best first."""
    names = ("choice", "place", "to_best", "final", "points", "win", "deal_in")
    grid = table(*(text(f"lab.hand.{name}") for name in names), right=range(1, len(names)))
    for column in grid.columns[1:]:
        column.no_wrap = True
    grid.padding = (0, 1, 0, 0)  # so that it fits eighty columns
    for row in answer.choices:
        grid.add_row(*_cells(row, answer.by))
    out().print(grid)
    about = text(
        "lab.hand.about", games=answer.games, rules=answer.rules, order=text(f"lab.hand.{answer.by}")
    )
    out().print(Text(about, "dim"))


def _cells(estimates: "ChoiceEstimates", by: str) -> list[str | Text]:
    """The cells of a choice; its difference to the best is bold if it is clearly not zero."""
    change = (estimates.against_best or {}).get(by)
    clear = change is not None and (change.low > 0 or change.high < 0)
    return [
        action_in_words(str(estimates.action)),
        _figure(estimates.place, ".2f"),
        Text("–" if change is None else _shown(by, change), "bold" if clear else ""),
        _figure(estimates.final, "+.1f", THOUSAND),
        _figure(estimates.points, "+,.0f"),
        _figure(estimates.win, ".0f", 0.01),
        _figure(estimates.deal_in, ".0f", 0.01),
    ]


def _shown(by: str, change: "Estimate") -> str:
    """A difference in the unit of its column."""
    shapes = {"place": ("+.2f", 1), "final": ("+.1f", THOUSAND), "points": ("+,.0f", 1)}
    return _figure(change, *shapes.get(by, ("+.1f", 0.01)))


def _figure(estimate: "Estimate", shape: str, unit: float = 1) -> str:
    """``2.31 ± 0.08``: an estimate with half its interval."""
    half = (estimate.high - estimate.low) / 2 / unit
    return f"{estimate.value / unit:{shape}} ± {half:{shape.lstrip('+')}}"


def action_in_words(action: str) -> str:
    """``riichi 3m`` in the current language; a tile stays as it is written."""
    word, _, tile = action.partition(" ")
    return action if word[0].isdigit() else text(f"lab.hand.action.{word}", tile=tile)
