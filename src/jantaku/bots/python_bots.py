"""Bots of one's own in Python: a class named as ``module:Class``, from the working directory or installed."""

import importlib
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jantaku.bots.player import Bot
from jantaku.errors import JantakuError, RequestError, cause, phrase
from jantaku.game import Action, Game


class PythonBot:
    """One object of such a class, for one seat of one game; its ``close`` ends it."""

    def __init__(self, name: str, make: Callable[[], Bot]) -> None:
        self.name = name
        self._bot = make()

    def choose(self, game: Game, seat: int) -> Action:
        """The action that the object chooses; it gets the whole game, with what its seat may not see.

        Raises ``RequestError`` (``python_bot_failed``) with the line of the class that fails.
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
        """Tell the object that its game is over."""
        close: Callable[[], object] = getattr(self._bot, "close", lambda: None)
        close()


def python_bot(name: str) -> Callable[[], PythonBot]:
    """Makes bots of the class that ``module:Class`` names, one for each game.

    Raises ``RequestError`` (``no_python_bot``) if there is no such module or class, or it cannot choose.
    """
    module, _, attribute = name.partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        found = importlib.import_module(module or "?")  # an empty name is refused in Python's words
    except (ImportError, SyntaxError, ValueError) as error:
        raise RequestError("no_python_bot", field="players", value=name, reason=cause(error)) from error
    made: Any = getattr(found, attribute, None)
    if not callable(getattr(made, "choose", None)):
        missing = f"{module}.{attribute}" if made is None else f"{attribute}.choose(game, seat)"
        reason = phrase("errors.causes.missing", name=missing)
        raise RequestError("no_python_bot", field="players", value=name, reason=reason)
    return lambda: PythonBot(name, made)
