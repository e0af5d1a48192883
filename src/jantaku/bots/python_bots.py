"""User-written bots in Python: a class named as ``module:Class``, from the working directory or installed."""

import importlib
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from jantaku.bots.player import Bot
from jantaku.errors import JantakuError, RequestError, cause, phrase
from jantaku.game import Action, Game


class PythonBot:
    """One instance of such a class, for one seat of one game."""

    faults: Final[tuple[str, ...]] = ()  # errors of the class end the match

    def __init__(self, name: str, make: Callable[[], Bot]) -> None:
        self.name = name
        self._bot = make()

    def choose(self, game: Game, seat: int) -> Action:
        """Return the object's action. It gets the whole game, including what its seat cannot see.

        Raises ``RequestError`` (``python_bot_failed``) with the line at which the class fails.
        """
        try:
            return self._bot.choose(game, seat)
        except Exception as error:
            at = traceback.extract_tb(error.__traceback__)[:2][-1]
            where = phrase("errors.kinds.in_line", file=Path(at.filename).name, line=at.lineno)
            reason = (
                error.message() if isinstance(error, JantakuError) else f"{type(error).__name__}: {error}"
            )
            raise RequestError(
                "python_bot_failed", field="players", value=self.name, where=where, reason=reason
            ) from error

    def close(self) -> None:
        """Notify the object that its game is over."""
        close: Callable[[], object] = getattr(self._bot, "close", lambda: None)
        close()


def python_bot(name: str) -> Callable[[], PythonBot]:
    """Return a function that creates a bot of the class ``module:Class`` for each game.

    Raises ``RequestError`` (``no_python_bot``) if there is no such module or class, or it has no ``choose``.
    """
    module, _, attribute = name.partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        found = importlib.import_module(module or "?")  # an empty name would raise an untranslated error
    except (ImportError, SyntaxError, ValueError) as error:
        raise RequestError("no_python_bot", field="players", value=name, reason=cause(error)) from error
    made: Any = getattr(found, attribute, None)
    if not callable(getattr(made, "choose", None)):
        missing = f"{module}.{attribute}" if made is None else f"{attribute}.choose(game, seat)"
        reason = phrase("errors.causes.missing", name=missing)
        raise RequestError("no_python_bot", field="players", value=name, reason=reason)
    return lambda: PythonBot(name, made)
