"""What the roles of the parlour allow."""

from collections.abc import Iterable
from typing import Final

from jantaku.server.errors import ServerError
from jantaku.server.storage.people import PersonRow

ENDS_TABLES: Final = ("organiser", "admin")  # and what others' events need
SEES_ALL_HANDS: Final = ("referee", "organiser", "admin")  # as a spectator who asks for them


def may(person: PersonRow, roles: Iterable[str]) -> bool:
    """Whether a person has one of the roles."""
    return person.role in roles


def demand(person: PersonRow, roles: Iterable[str]) -> None:
    """Raise ``not_allowed`` unless the person has one of the roles."""
    if not may(person, roles):
        raise ServerError("not_allowed")
