"""Request and response bodies of the names of entries."""

from typing import Annotated

from pydantic import Field

from jantaku.server.edge.setting_version import Version
from jantaku.server.edge.wire import Wire
from jantaku.server.events.common.event_bodies import AssociationNumber, CountryCode

SiteName = Annotated[str, Field(min_length=1, max_length=16, pattern=r"^[a-z0-9-]+$")]
OtherName = Annotated[str, Field(min_length=1, max_length=64)]


class Nickname(Wire):
    """What somebody is called on a site, such as ``tenhou`` or ``mahjongsoul``."""

    site: SiteName
    name: OtherName


class EntryNames(Wire):
    """Who an entry is elsewhere, which only organisers and the player read.

    ``version`` stands for them as they are.
    """

    entry: str
    version: str
    real_name: str
    country: str
    association: str
    nicknames: list[Nickname]


class EntryFacts(Wire):
    """What tells an entry from a namesake: since when, how many games, and what its account is called.

    ``guest``: whoever it belongs to has a name here, but no account to sign in with.
    """

    since: str | None
    games: int
    account: str | None
    guest: bool


class NamesBody(Wire):
    """Change the other names of an entry; what is not named stays, an empty list removes all nicknames.

    With the ``version`` that was read, names that somebody has changed meanwhile are not taken back.
    """

    real_name: Annotated[str, Field(max_length=64)] | None = None
    country: CountryCode | None = None
    association: AssociationNumber | None = None
    nicknames: Annotated[list[Nickname], Field(max_length=20)] | None = None
    version: Version | None = None


class NamesList(Wire):
    """The other names of all entries that have any."""

    names: list[EntryNames]
