"""What changes for people who sit or watch here, told by whatever process it happens in."""

from collections.abc import Iterator
from typing import Any, Final

from jantaku.server.edge.bodies import dumps
from jantaku.server.play.audience import Connection
from jantaku.server.play.broadcast import tell_table
from jantaku.server.play.lobby import Lobby
from jantaku.server.play.table_rights import new_role
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.sign_in import EndedSessions

SIGNED_OUT: Final = 4401
ASKED: Final = dumps({"type": "asked"})


class SocketsOfPeople:
    """The sockets at the tables of this process."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        links = lobby.services.links
        links.hear("signed_in", self._signed_in)
        links.hear("signed_out", self._signed_out)
        links.hear("role", self._new_role)
        links.hear("numbers_shown", self._numbers_shown)
        links.hear("blocked", self._blocked)
        links.hear("asked", self._asked)

    def _all(self) -> Iterator[Connection]:
        return (connection for loop in self._lobby for connection in loop.table.audience)

    def _signed_in(self, said: Any) -> None:
        """Move sockets to the session that replaced theirs in a browser; close those of other people."""
        session, person, following = said
        for connection in self._all():
            if session and connection.session == session:
                connection.session = following
                if person != connection.person.id:
                    connection.close(SIGNED_OUT)

    def _signed_out(self, said: Any) -> None:
        """Close the sockets of ended sessions."""
        ended = EndedSessions(*said)
        for connection in self._all():
            if ended.has(connection.person.id, connection.session):
                connection.close(SIGNED_OUT)

    def _new_role(self, said: Any) -> None:
        for loop in self._lobby:
            new_role(loop.table, PersonRow(*said))

    def _blocked(self, said: Any) -> None:
        """Let nothing be heard any more of somebody who was blocked in the middle of a game."""
        listener, person = said
        for loop in self._lobby:
            if listener in loop.table.muted:
                loop.table.muted[listener].add(person)

    def _asked(self, said: Any) -> None:
        """Let whoever is at a table know that others want something of them."""
        for connection in self._all():
            if connection.person.id == said:
                connection.send(ASKED)

    def _numbers_shown(self, said: Any) -> None:
        person, on = said
        for loop in self._lobby:
            own = [connection for connection in loop.table.audience if connection.person.id == person]
            for connection in own:
                connection.shows_numbers = on
            if own:
                tell_table(loop.table, only_changes=True)
