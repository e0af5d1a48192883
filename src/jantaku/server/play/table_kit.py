"""What the routes and the sockets of tables need."""

from dataclasses import dataclass
from typing import Annotated

from jantaku.server.edge.limits import WIDER, Rates, UseLimit
from jantaku.server.people.auth_dependencies import Kit, needs
from jantaku.server.play.lobby import Lobby
from jantaku.server.settings import Limits


class SocketLimits:
    """How many sockets one person or one address has, and how often they open one and speak at tables."""

    def __init__(self, limits: Limits) -> None:
        self.of_one = UseLimit(limits.sockets_of_one)
        self.of_address = UseLimit(limits.sockets_of_address)
        self.of_network = UseLimit(WIDER * limits.sockets_of_address)
        self.sayings = Rates(limits.sayings_per_s, limits.saying_burst)
        self.connects = Rates(limits.connects_per_s, limits.connect_burst)
        self.connects_of_address = Rates(limits.connects_of_address_per_s, limits.sockets_of_address)
        self.messages_of_address = Rates(limits.messages_of_address_per_s, limits.messages_of_address_per_s)


@dataclass(frozen=True, kw_only=True)
class TableKit(Kit):
    """What the routes of tables need."""

    lobby: Lobby


@dataclass(frozen=True, kw_only=True)
class SocketKit(TableKit):
    """What the sockets of tables need."""

    sockets: SocketLimits


AtTables = Annotated[TableKit, needs(TableKit)]
