"""Who may do what in an event.

Roles of an event are given by its organisers. An organiser may do what a referee may, a referee what a
recorder may. Organisers and admins of the parlour are organisers of every event.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from jantaku.server.accounts import ENDS_TABLES, may
from jantaku.server.errors import ServerError
from jantaku.server.services import Services
from jantaku.server.storage.accounts import PersonRow
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.events import EventRow

ORGANISER, REFEREE, RECORDER = "organiser", "referee", "recorder"
RANKS: Final = ("", RECORDER, REFEREE, ORGANISER)
REFUSALS: Final = {ORGANISER: "not_organiser", REFEREE: "not_referee", RECORDER: "not_recorder"}


class EventRights(NamedTuple):
    """An event as one person finds it: their role and their entry, if they have any."""

    event: EventRow
    person: PersonRow | None
    role: str
    entry: EntryRow | None

    def may(self, role: str) -> bool:
        """Whether the person has the role, or one that may do more."""
        return RANKS.index(self.role) >= RANKS.index(role)

    def demand(self, role: str) -> None:
        """Raise ``not_organiser``, ``not_referee`` or ``not_recorder`` unless the person has the role."""
        if not self.may(role):
            raise ServerError(REFUSALS[role])

    @property
    def plays(self) -> str | None:
        """The id of the entry with which the person plays."""
        return self.entry.id if self.entry is not None and self.entry.status == "playing" else None


async def rights_in(services: Services, event: str, person: PersonRow | None) -> EventRights:
    """The rights of a person in an event; raises ``no_event`` if there is none with this id."""
    row = await services.events.find(event)
    if person is None:
        return EventRights(row, None, "", None)
    role = ORGANISER if may(person, ENDS_TABLES) else await services.events.role(event, person.id)
    return EventRights(row, person, role, await services.entries.of_person(event, person.id))


async def roles_of(services: Services, events: Iterable[str], person: PersonRow | None) -> dict[str, str]:
    """The role of a person in each of the events in which they have one."""
    if person is None:
        return {}
    if may(person, ENDS_TABLES):
        return dict.fromkeys(events, ORGANISER)
    return await services.events.roles(person.id)
