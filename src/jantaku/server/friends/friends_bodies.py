"""Bodies of friends."""

from typing import Literal

from jantaku.server.edge.wire import Wire

Tie = Literal["none", "friend", "blocked"]


class NamedPerson(Wire):
    """A person by id and name."""

    person: str
    name: str


class Friend(NamedPerson):
    """A friend. ``here``: at a table now; ``table``: that table, if everybody may know it.

    Both only if the friend lets friends see it.
    """

    here: bool
    table: str | None


class TableInvitation(NamedPerson):
    """A friend invites me to a table that waits."""

    table: str
    called: str


class FriendsPage(Wire):
    """My friends, who wants to be one (``asked``), whom I have asked (``wanted``), and whom I have blocked.

    ``presence``: whether my friends see when I am at a table.
    """

    friends: list[Friend]
    asked: list[NamedPerson]
    wanted: list[NamedPerson]
    blocked: list[NamedPerson]
    invitations: list[TableInvitation]
    presence: bool


class TieBody(Wire):
    """What I want of a person: to be friends, not to meet them, or neither; ``declined``: no request."""

    tie: Tie | Literal["declined"]


class PresenceBody(Wire):
    """Whether my friends see when I am at a table."""

    on: bool


class InviteBody(Wire):
    """The table to which a friend is invited."""

    table: str


class CardFeat(Wire):
    """What somebody has reached, as in the statistics of events."""

    kind: str
    value: float


class CardYaku(Wire):
    """How many hands somebody has won with a yaku."""

    yaku: str
    wins: int


class PersonCard(NamedPerson):
    """A person as others may see them.

    ``steps``: in ranked play with four and three players, ``null`` before the first game. ``title``, ``yaku``
    and ``feats`` come from their games, and stay empty unless they show their numbers (``shown``) or are me.
    ``tie``: what I want of them; ``mutual``: whether we are friends.
    """

    steps: tuple[int | None, int | None]
    shown: bool
    title: str | None
    yaku: list[CardYaku]
    feats: list[CardFeat]
    tie: Tie
    mutual: bool
