"""Commands in the user's language, with errors as messages instead of tracebacks.

Commands and parameters are defined without texts, because the language is not known then:
``jantaku.cli.help`` looks them up in the table ``cli.help``, under the parameters' names.
"""

import contextlib
import difflib
import errno
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, cast

import typer
from typer.core import TyperCommand, TyperGroup

from jantaku import terms
from jantaku.cli.completion import VARIABLE, prepare, with_words
from jantaku.cli.console import print_error, print_message, words
from jantaku.cli.help import option_words, print_help, texts_of
from jantaku.errors import JantakuError, Phrases, RecordError, RequestError, cause, no_choice
from jantaku.terms import LANGUAGES, Language

BAD_USE = 2
INTERRUPTED = 130
UsageError = cast("type[Exception]", typer.BadParameter.__base__)


class Command(TyperCommand):
    """A command with a help page in the current language."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Print the help page."""
        print_help(self, ctx)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """The options that begin so, with what each is for."""
        return with_words(super().shell_complete(ctx, incomplete), partial(option_words, self, ctx))


class CommandGroup(TyperGroup):
    """A group of commands; the outermost one determines the language and reports errors."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Print the help page."""
        print_help(self, ctx)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """The commands and options that begin so, with what each is for."""

        def said(name: str) -> str:
            below = texts_of(ctx)[name]["about"] if name in self.commands else ""
            return below or option_words(self, ctx, name)

        return with_words(super().shell_complete(ctx, incomplete), said)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command, or suggest the one that may have been meant."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            raise _unknown("unknown_command", args[0], list(self.commands))
        return super().resolve_command(ctx, args)

    def main(self, args: Sequence[str] | None = None, *rest: Any, **settings: Any) -> Any:
        """Run a command line; exits the process with its code."""
        _write_anything()
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
            return _written(run)
        except JantakuError as error:
            print_error(error)
        except UsageError as error:
            if type(error).__name__ != "NoArgsIsHelpError":  # it has printed the help
                _print_usage_error(error)
        except (KeyboardInterrupt, typer.Abort):
            return INTERRUPTED
    return BAD_USE


def _written(run: Callable[[], Any]) -> int:
    """The code of a command; raises ``RecordError`` if a full disk, say, does not take what it prints."""
    try:
        code = int(run() or 0)
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EIO, errno.EDQUOT):
            raise
        sys.stdout = None  # or Python tries to write the rest at its end
        raise RecordError("unwritable_file", path="stdout", reason=cause(error)) from error
    return code


def take_language(arguments: list[str]) -> Language:
    """Remove ``--lang`` from the arguments, wherever it is; default to the environment's language."""
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
        raise no_choice(name, language, LANGUAGES)
    return language


def _unknown(code: str, value: str, known: list[str]) -> RequestError:
    nearest = difflib.get_close_matches(value, known, n=1, cutoff=0.5)
    code += "_nearest" * bool(nearest)
    hint = nearest[0] if nearest else ""
    return RequestError(code, field="command", value=value, nearest=hint, known=Phrases(known))


def _print_usage_error(error: Any) -> None:
    """Explain in the user's language what the parser rejected, and where to find help."""
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
        said = _bad_value(hint, parameter)
    else:
        said = words("usage.too_many", extra=error.format_message().rpartition("(")[2].rstrip(")"))
    context = getattr(error, "ctx", None)
    print_message(said)
    if context is not None:
        print_message(words("usage.help", command=context.command_path), style="dim", label="")


def _bad_value(hint: str, parameter: Any) -> str:
    """What a number must be: whole (our ``N``) or not, and its limits, which Typer keeps in two ways."""
    kept = parameter if hasattr(parameter, "min") else getattr(parameter, "type", None)
    low, high = getattr(kept, "min", None), getattr(kept, "max", None)
    what = words("usage.whole_number" if getattr(parameter, "metavar", "N") == "N" else "usage.number")
    key = "bad_value" if low is None else "bad_value_from" if high is None else "bad_value_between"
    return words(f"usage.{key}", name=hint, what=what, low=low, high=high)


def _write_anything() -> None:
    """Replace characters that the terminal's encoding lacks, so that output never fails."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):  # not a regular text stream
            cast("Any", stream).reconfigure(errors="backslashreplace")
