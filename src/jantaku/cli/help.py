"""Help pages. Typer's own resolve texts too early and cut off lines without spaces."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from jantaku import terms
from jantaku.cli.console import ACCENT, heading, indented, out, words

NAMES_WIDTH = 33


def print_help(command: Any, context: Any) -> None:
    """Print a command's page: usage, description, parameters and subcommands."""
    texts = texts_of(context)
    console = out()
    usage = command.get_usage(context).replace("Usage:", words("help.titles.usage"), 1)
    console.print(Text(usage, "bold"))
    console.print()
    console.print(texts["about"])
    for title, parameters in panels(command.get_params(context)).items():
        rows = ((names_of(parameter), meaning_of(parameter, texts)) for parameter in parameters)
        _print_rows(title, rows)
    below = getattr(command, "commands", {})
    # the first paragraph only: the rest is on the command's own page
    about = ((Text(name, ACCENT), Text(texts[name]["about"].split("\n\n")[0])) for name in below)
    if below:
        _print_rows(words("help.titles.commands"), about)


def texts_of(context: Any) -> Mapping[str, Any]:
    """The help texts of a command, from a table nested like the commands."""
    if context.parent is None:
        texts: Mapping[str, Any] = terms.table("cli", terms.current())["help"]
    else:
        texts = texts_of(context.parent)[context.info_name]
    return texts


def panels(parameters: Iterable[Any]) -> dict[str, list[Any]]:
    """The parameters by panel title; arguments first, other options last."""
    titles = terms.table("cli", terms.current())["help"]["titles"]
    by_panel: dict[str, list[Any]] = {titles["arguments"]: []}
    options = []
    for parameter in parameters:
        panel = getattr(parameter, "rich_help_panel", None)
        if parameter.param_type_name == "argument":
            by_panel[titles["arguments"]].append(parameter)
        elif panel:
            by_panel.setdefault(titles["panels"][panel], []).append(parameter)
        else:
            options.append(parameter)
    by_panel[titles["options"]] = options
    return {title: rows for title, rows in by_panel.items() if rows}


def names_of(parameter: Any) -> Text:
    """``--chi TILES[@SOURCE]``: the syntax of a parameter."""
    if parameter.param_type_name == "argument":
        return Text(parameter.metavar or parameter.name.upper(), ACCENT)
    text = Text(", ".join(parameter.opts), ACCENT)
    if not parameter.is_flag:
        text.append(f" {parameter.metavar}", "yellow")
    return text


def meaning_of(parameter: Any, texts: Mapping[str, Any]) -> Text:
    """What a parameter does, with its default and its variable."""
    said = _with_formats(texts.get(parameter.name) or words(f"help.titles.{parameter.name}"))
    default = parameter.default
    if isinstance(default, str | int) and not isinstance(default, bool):
        said += " " + words("help.titles.default").format(default)
    if parameter.envvar:
        said += " " + words("help.titles.environment").format(parameter.envvar)
    return Text(said)


def option_words(command: Any, context: Any, option: str) -> str:
    """What one option of a command does, empty if it has none of that name."""
    params = (param for param in command.get_params(context) if option in param.opts)
    return next((meaning_of(param, texts_of(context)).plain for param in params), "")


def _with_formats(said: str) -> str:
    """The text with the record formats or their suffixes, if it has a place for them."""
    if "{" not in said:
        return said
    from jantaku.records.formats import BY_NAME, FORMATS, SUFFIXES  # compiled code

    readable = terms.listed(row.name for row in FORMATS)
    listed = {
        "{formats}": terms.listed(BY_NAME),
        "{readable}": readable,
        "{suffixes}": terms.listed(SUFFIXES),
    }
    for marker, names in listed.items():
        said = said.replace(marker, names)
    return said


def _print_rows(title: str, rows: Iterable[tuple[Text, Text]]) -> None:
    grid = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    grid.add_column(overflow="fold", max_width=NAMES_WIDTH)
    grid.add_column(overflow="fold")
    for names, meaning in rows:
        grid.add_row(names, meaning)
    out().print()
    out().print(heading(title))
    out().print(indented(grid))
