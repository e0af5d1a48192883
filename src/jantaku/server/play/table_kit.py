"""What the routes and sockets of tables need."""

from dataclasses import dataclass
from typing import Annotated

from jantaku.server.edge.security import Places, Rates
from jantaku.server.people.asking import Kit, needs
from jantaku.server.play.lobby import Lobby
from jantaku.server.settings import Limits


@dataclass(frozen=True, kw_only=True)
class TableRates:
    """How often one person or one address opens sockets and speaks at tables."""

    sayings: Rates
    connects: Rates
    connects_of_address: Rates

    @classmethod
    def of(cls, limits: Limits) -> "TableRates":
        """The rates of the settings."""
        return cls(
            sayings=Rates(limits.sayings_per_s, limits.saying_burst),
            connects=Rates(limits.connects_per_s, limits.connect_burst),
            connects_of_address=Rates(limits.connects_of_address_per_s, limits.sockets_of_address),
        )


@dataclass(frozen=True, kw_only=True)
class TableKit(Kit):
    """What the routes and sockets of tables need."""

    lobby: Lobby
    sockets: Places
    addresses: Places
    table_rates: TableRates


AtTables = Annotated[TableKit, needs(TableKit)]
