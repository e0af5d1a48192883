"""Commands in the user's language, and errors as messages instead of tracebacks.

Typer takes help texts where a command is defined, before the language is known. So commands here
have none: ``Group.main`` finds the language first and then fills in every text from the table
``cli.help``, where a command's parameters stand under their names.
"""

import contextlib
import difflib
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, cast

import typer
from rich.markup import escape
from typer import rich_utils
from typer.core import TyperCommand, TyperGroup

from jantaku import terms
from jantaku.cli.console import print_error, print_message, words
from jantaku.errors import JantakuError, RequestError
from jantaku.terms import LANGUAGES, Language

BAD_USE = 2
INTERRUPTED = 130
UsageError = cast("type[Exception]", typer.BadParameter.__base__)


class Command(TyperCommand):
    """A command whose own words (usage, the help option) are in the current language."""

    def get_usage(self, ctx: Any) -> str:
        """Return the usage line."""
        return _translated_usage(super().get_usage(ctx))

    def get_help_option(self, ctx: Any) -> Any:
        """Return the help option."""
        return _with_help(super().get_help_option(ctx))


class Group(TyperGroup):
    """Commands that share a name; the outermost one finds the language and reports errors."""

    def get_usage(self, ctx: Any) -> str:
        """Return the usage line."""
        return _translated_usage(super().get_usage(ctx))

    def get_help_option(self, ctx: Any) -> Any:
        """Return the help option."""
        return _with_help(super().get_help_option(ctx))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command, or say which one may have been meant."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            raise _unknown("unknown_command", args[0], list(self.commands))
        return super().resolve_command(ctx, args)

    def main(self, args: Sequence[str] | None = None, *rest: Any, **settings: Any) -> Any:
        """Run a command line; ends the process with its exit code."""
        _write_anything()
        arguments = list(sys.argv[1:] if args is None else args)
        settings |= {"standalone_mode": False, "prog_name": "jantaku"}
        run = super().main
        sys.exit(_guarded(lambda: run(arguments, *rest, **settings), self, arguments))


def _guarded(run: Callable[[], Any], group: Group, arguments: list[str]) -> int:
    with contextlib.ExitStack() as stack:
        stack.enter_context(terms.using(terms.from_locale()))
        try:
            stack.enter_context(terms.using(take_language(arguments)))
            localise(group, terms.table("cli", terms.current())["help"])
            return int(run() or 0)
        except JantakuError as error:
            print_error(error)
        except UsageError as error:
            if type(error).__name__ != "NoArgsIsHelpError":  # it has printed the help
                _print_usage_error(error)
        except BrokenPipeError:
            # whoever read the output has left; Python would complain again when it flushes at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        except (KeyboardInterrupt, typer.Abort):
            return INTERRUPTED
    return BAD_USE


def take_language(arguments: list[str]) -> Language:
    """Take ``--lang`` out of the arguments, wherever it stands; else the environment's language."""
    found, name = os.environ.get("JANTAKU_LANG"), "JANTAKU_LANG"
    ends = arguments.index("--") if "--" in arguments else len(arguments)
    for i, argument in enumerate(arguments[:ends]):
        option, equals, value = argument.partition("=")
        if option == "--lang" and (equals or i + 1 < len(arguments)):
            found, name = value if equals else arguments[i + 1], "--lang"
            del arguments[i : i + 2 - bool(equals)]
            break
    if not found:
        return terms.from_locale()
    if found not in LANGUAGES:
        raise RequestError("wrong_choice", field=name, value=found, known=", ".join(LANGUAGES))
    return found


def localise(command: Any, texts: dict[str, Any]) -> None:
    """Fill in the help texts of a command, its parameters and the commands below it."""
    _translate_panels(texts["titles"])
    command.help = escape(texts["about"])
    if hasattr(command, "subcommand_metavar"):
        command.subcommand_metavar = texts["titles"]["subcommand"]
    command.options_metavar = texts["titles"]["options_metavar"]
    for parameter in command.params:
        if (panel := getattr(parameter, "rich_help_panel", None)) is not None:
            parameter.rich_help_panel = texts["titles"]["panels"][panel]
        parameter.help = escape(texts[parameter.name])
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""  # Typer would write <bool>
        elif parameter.param_type_name == "argument":
            parameter.display_type_rich = _no_type  # nor <list[str]>
    for name, below in getattr(command, "commands", {}).items():
        localise(below, {**texts[name], "titles": texts["titles"]})


def _no_type(ctx: Any) -> None:  # noqa: ARG001
    return None


def _translate_panels(titles: dict[str, str]) -> None:
    rich_utils.ARGUMENTS_PANEL_TITLE = titles["arguments"]
    rich_utils.OPTIONS_PANEL_TITLE = titles["options"]
    rich_utils.COMMANDS_PANEL_TITLE = titles["commands"]
    rich_utils.DEFAULT_STRING = titles["default"]
    rich_utils.ENVVAR_STRING = titles["environment"]
    rich_utils.REQUIRED_LONG_STRING = titles["required"]


def _translated_usage(usage: str) -> str:
    return usage.replace("Usage:", words("help.titles.usage"), 1)


def _with_help(option: Any) -> Any:
    if option is not None:
        option.metavar = ""
        option.help = words("help.titles.help")
    return option


def _unknown(code: str, value: str, known: list[str]) -> RequestError:
    nearest = difflib.get_close_matches(value, known, n=1, cutoff=0.5)
    code += "_nearest" * bool(nearest)
    hint = nearest[0] if nearest else ""
    return RequestError(code, field="command", value=value, nearest=hint, known=", ".join(known))


def _print_usage_error(error: Any) -> None:
    """Say in the user's language what the parser did not accept, and where help is."""
    name = type(error).__name__
    parameter = getattr(error, "param", None)
    hint = parameter.opts[-1] if parameter is not None and parameter.opts else ""
    if parameter is not None and parameter.param_type_name == "argument":
        hint = parameter.metavar or parameter.name
    if name == "NoSuchOption":
        nearest = difflib.get_close_matches(error.option_name, error.possibilities or [], n=1)
        key = "no_such_option_nearest" if nearest else "no_such_option"
        said = words(f"usage.{key}", option=error.option_name, nearest="".join(nearest))
    elif name == "MissingParameter":
        said = words("usage.missing", name=hint)
    elif name == "BadOptionUsage":
        said = words("usage.needs_value", option=error.option_name)
    elif name == "BadParameter":
        said = words("usage.bad_value", name=hint)
    else:
        said = words("usage.too_many", message=error.format_message())
    context = getattr(error, "ctx", None)
    print_message(said)
    if context is not None:
        print_message(words("usage.help", command=context.command_path), style="dim", label=False)


def _write_anything() -> None:
    """Let output never fail on a character that the terminal's encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):  # not a text file of its own
            cast("Any", stream).reconfigure(errors="backslashreplace")
