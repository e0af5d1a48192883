"""By which name a player is shown: people by their own, bots by that of their language."""

from typing import Final

from jantaku import terms
from jantaku.server.names import BOT_NAMES
from jantaku.server.storage.tables import Sitter
from jantaku.terms import Language

_BOTS: Final = frozenset(BOT_NAMES)


def sitter_name(sitter: Sitter, language: Language) -> str:
    """The name of a player; a bot that took over from a person keeps the person's."""
    if sitter.bot is None or sitter.person is not None or sitter.name not in _BOTS:
        return sitter.name
    return terms.text(f"server.bots.{sitter.name}", language)
