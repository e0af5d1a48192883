"""Localised commands: help pages, completion, and error messages instead of tracebacks."""

import contextlib
import difflib
import errno
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, cast

import typer
from rich.table import Table
from rich.text import Text
from typer.core import TyperCommand, TyperGroup

from jantaku import terms
from jantaku.cli.console import ACCENT, heading, indented, out, print_error, print_message, words
from jantaku.errors import JantakuError, Phrases, RecordError, RequestError, cause, wrong_choice
from jantaku.rules import preset_names
from jantaku.terms import LANGUAGES, Language

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
        rows = ((names_of(parameter), help_of(parameter, context)) for parameter in parameters)
        _print_rows(title, rows)
    below = getattr(command, "commands", {})
    # only the first paragraph; the command's own page has the rest
    about = ((Text(name, ACCENT), Text(texts[name]["about"].split("\n\n")[0])) for name in below)
    if below:
        _print_rows(words("help.titles.commands"), about)


def texts_of(context: Any) -> Mapping[str, Any]:
    """Return the help texts of a command, from a table nested like the commands."""
    if context.parent is None:
        texts: Mapping[str, Any] = terms.table("cli", terms.current())["help"]
    else:
        texts = texts_of(context.parent)[context.info_name]
    return texts


def panels(parameters: Iterable[Any]) -> dict[str, list[Any]]:
    """Group parameters by panel title: arguments first, options without a panel last."""
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
    """Return the syntax of a parameter, such as ``--chi TILES[@SOURCE]``."""
    if parameter.param_type_name == "argument":
        return Text(parameter.metavar or parameter.name.upper(), ACCENT)
    text = Text(", ".join(parameter.opts), ACCENT)
    if not parameter.is_flag:
        text.append(f" {parameter.metavar}", "yellow")
    return text


def help_of(parameter: Any, context: Any) -> Text:
    """Return a parameter's help text with its default and environment variable."""
    message = _with_formats(texts_of(context).get(parameter.name) or _shared_text(parameter.name, context))
    default = parameter.default
    if default != "" and isinstance(default, str | int) and not isinstance(default, bool):
        message += " " + words("help.titles.default").format(default)
    if parameter.envvar:
        message += " " + words("help.titles.environment").format(parameter.envvar)
    return Text(message)


def _shared_text(name: str, context: Any) -> str:
    """Return the help text of a shared option from the nearest group that has one."""
    shared = texts_of(context).get("options", {})
    return shared[name] if name in shared else _shared_text(name, context.parent)


def option_help(command: Any, context: Any, option: str) -> str:
    """Return the help text of a command's option; empty if there is no such option."""
    params = (param for param in command.get_params(context) if option in param.opts)
    return next((help_of(param, context).plain for param in params), "")


def _with_formats(message: str) -> str:
    """Fill in the record formats or their suffixes if the text has placeholders for them."""
    if "{" not in message:
        return message
    from jantaku.records.formats import BY_NAME, FORMATS, SUFFIXES  # compiled code

    readable = terms.listed(row.name for row in FORMATS)
    listed = {
        "{formats}": terms.listed(BY_NAME),
        "{readable}": readable,
        "{suffixes}": terms.listed(SUFFIXES),
    }
    for marker, names in listed.items():
        message = message.replace(marker, names)
    return message


def _print_rows(title: str, rows: Iterable[tuple[Text, Text]]) -> None:
    grid = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    grid.add_column(overflow="fold", max_width=NAMES_WIDTH)
    grid.add_column(overflow="fold")
    for names, meaning in rows:
        grid.add_row(names, meaning)
    out().print()
    out().print(heading(title))
    out().print(indented(grid))


SHELLS: Final = ("bash", "zsh", "fish", "powershell")
VARIABLE: Final = "_JANTAKU_COMPLETE"


def completion(shell: Annotated[str, typer.Argument(metavar="|".join(SHELLS))]) -> None:
    """Print the completion script of a shell."""
    from typer import completion as scripts  # rarely needed

    made: Any = scripts

    if shell not in SHELLS:
        raise wrong_choice("SHELL", shell, SHELLS)
    typer.echo(made.get_completion_script(prog_name="jantaku", complete_var=VARIABLE, shell=shell))


def prepare() -> None:
    """Initialise completion if a shell has requested it."""
    if VARIABLE in os.environ:
        from typer import completion as scripts  # rarely needed

        made: Any = scripts
        made.completion_init()


def with_help(items: list[Any], words: Callable[[str], str]) -> list[Any]:
    """Add help texts, returned by ``words``, to suggestions."""
    for item in items:
        item.help = words(item.value).split("\n")[0] or None
    return items


def _rules(incomplete: str) -> list[str]:
    """Suggest presets, and rules files in the folder typed so far."""
    folder = Path(incomplete).parent
    files = sorted(str(path) for path in folder.glob("*.toml"))
    return [name for name in (*preset_names(), *files) if name.startswith(incomplete)]


def _parts(incomplete: str) -> list[str]:
    """Suggest parts of the gallery."""
    from jantaku.rules.gallery import gallery  # rarely needed

    return [name for name in gallery() if name.startswith(incomplete)]


def one_of(metavar: str, *names: str, panel: str | None = None) -> Any:
    """Return an option with a fixed set of values, such as ``left|across|right``."""

    def among(incomplete: str) -> list[str]:
        return [choice for choice in metavar.split("|") if choice.startswith(incomplete)]

    return typer.Option(*names, metavar=metavar, autocompletion=among, rich_help_panel=panel)


def panel_option(panel: str, *names: str, metavar: str | None = None) -> Any:
    """Return an option in a named panel of the help page."""
    return typer.Option(*names, metavar=metavar, rich_help_panel=panel)


AsJson = Annotated[bool, typer.Option("--json")]
Jsonl = Annotated[bool, typer.Option("--jsonl")]
Number = Annotated[int, typer.Option(metavar="N")]
MaybeNumber = Annotated[int | None, typer.Option(metavar="N")]
Count = Annotated[int, typer.Option(metavar="N", min=0)]
RULES: Final[Any] = typer.Option(metavar="NAME|FILE", autocompletion=_rules)
RULES_ARGUMENT: Final[Any] = typer.Argument(metavar="NAME|FILE", autocompletion=_rules)
GALLERY_ARGUMENT: Final[Any] = typer.Argument(metavar="ID", autocompletion=_parts)


BAD_USE = 2
INTERRUPTED = 130
UsageError = cast("type[Exception]", typer.BadParameter.__base__)


class Command(TyperCommand):
    """A command with a localised help page."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Print the help page."""
        print_help(self, ctx)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return the options that start with ``incomplete``, with help texts."""
        return with_help(super().shell_complete(ctx, incomplete), partial(option_help, self, ctx))


class CommandGroup(TyperGroup):
    """A group of commands; the outermost one sets the language and reports errors."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Print the help page."""
        print_help(self, ctx)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return the commands and options that start with ``incomplete``, with help texts."""

        def message(name: str) -> str:
            below = texts_of(ctx)[name]["about"] if name in self.commands else ""
            return below or option_help(self, ctx, name)

        return with_help(super().shell_complete(ctx, incomplete), message)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command, or raise an error that suggests a similar one."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            raise _unknown("unknown_command", args[0], list(self.commands))
        return super().resolve_command(ctx, args)

    def main(self, args: Sequence[str] | None = None, *rest: Any, **settings: Any) -> Any:
        """Run a command line and exit with its code."""
        _escape_unencodable()
        arguments = list(sys.argv[1:] if args is None else args)
        settings |= {"standalone_mode": False, "prog_name": "jantaku", "complete_var": VARIABLE}
        prepare()
        run = super().main
        sys.exit(_guarded(lambda: run(arguments, *rest, **settings), arguments))


def _guarded(run: Callable[[], Any], arguments: list[str]) -> int:
    with contextlib.ExitStack() as stack:
        stack.enter_context(terms.using(terms.from_locale()))
        try:
            stack.enter_context(terms.using(take_language(arguments)))
            return _run_and_flush(run)
        except JantakuError as error:
            print_error(error)
        except UsageError as error:
            if type(error).__name__ != "NoArgsIsHelpError":  # the help is already printed
                _print_usage_error(error)
        except (KeyboardInterrupt, typer.Abort):
            return INTERRUPTED
    return BAD_USE


def _run_and_flush(run: Callable[[], Any]) -> int:
    """Run a command and return its exit code; raises ``RecordError`` if its output cannot be written."""
    try:
        code = int(run() or 0)
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EIO, errno.EDQUOT):
            raise
        sys.stdout = None  # otherwise Python retries the write at exit
        raise RecordError("unwritable_file", path="stdout", reason=cause(error)) from error
    return code


def take_language(arguments: list[str]) -> Language:
    """Remove ``--lang`` from the arguments, wherever it is; defaults to the environment's language."""
    language, name = os.environ.get("JANTAKU_LANG"), "JANTAKU_LANG"
    ends = arguments.index("--") if "--" in arguments else len(arguments)
    for i, argument in enumerate(arguments[:ends]):
        option, equals, value = argument.partition("=")
        if option == "--lang" and (equals or i + 1 < len(arguments)):
            language, name = value if equals else arguments[i + 1], "--lang"
            del arguments[i : i + 2 - bool(equals)]
            break
    if not language:
        return terms.from_locale()
    if language not in LANGUAGES:
        raise wrong_choice(name, language, LANGUAGES)
    return language


def _unknown(code: str, value: str, known: list[str]) -> RequestError:
    nearest = difflib.get_close_matches(value, known, n=1, cutoff=0.5)
    code += "_nearest" * bool(nearest)
    hint = nearest[0] if nearest else ""
    return RequestError(code, field="command", value=value, nearest=hint, known=Phrases(known))


def _print_usage_error(error: Any) -> None:
    """Explain a parser error in the user's language, and where to find help."""
    name = type(error).__name__
    parameter = getattr(error, "param", None)
    hint = parameter.opts[-1] if parameter is not None and parameter.opts else ""
    if parameter is not None and parameter.param_type_name == "argument":
        hint = parameter.metavar or parameter.name
    if name == "NoSuchOption":
        nearest = difflib.get_close_matches(error.option_name, error.possibilities or [], n=1)
        key = "no_such_option_nearest" if nearest else "no_such_option"
        message = words(f"usage.{key}", option=error.option_name, nearest="".join(nearest))
    elif name == "MissingParameter":
        message = words("usage.missing", name=hint)
    elif name == "BadOptionUsage":
        message = words("usage.needs_value", option=error.option_name)
    elif name == "BadParameter":
        message = _bad_value(hint, parameter)
    else:
        message = words("usage.too_many", extra=error.format_message().rpartition("(")[2].rstrip(")"))
    context = getattr(error, "ctx", None)
    print_message(message)
    if context is not None:
        print_message(words("usage.help", command=context.command_path), style="dim", label="")


def _bad_value(hint: str, parameter: Any) -> str:
    """Describe the valid numbers of a parameter; Typer stores their limits in one of two places."""
    kept = parameter if hasattr(parameter, "min") else getattr(parameter, "type", None)
    low, high = getattr(kept, "min", None), getattr(kept, "max", None)
    what = words("usage.whole_number" if getattr(parameter, "metavar", "N") == "N" else "usage.number")
    key = "bad_value" if low is None else "bad_value_from" if high is None else "bad_value_between"
    return words(f"usage.{key}", name=hint, what=what, low=low, high=high)


def _escape_unencodable() -> None:
    """Escape characters that the terminal's encoding lacks, so that output never fails."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):  # not a regular text stream
            cast("Any", stream).reconfigure(errors="backslashreplace")
