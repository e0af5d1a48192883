"""Request and response bodies about people, their accounts, and the ways into them."""

from typing import Annotated

from pydantic import Field

from jantaku.server.edge.protocol import LanguageCode, Role
from jantaku.server.storage.cleanup import KINDS, MOST_DAYS
from jantaku.wire import Wire

# Some systems decompose letters, so the limit here is higher than the stored length; ``jantaku.server.names``
# counts the normalised letters
Name = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[^\x00-\x1f\x7f]+$")]
OldPassword = Annotated[str, Field(max_length=128)]
Password = Annotated[str, Field(min_length=8, max_length=128)]


class Person(Wire):
    """A signed-in person. ``table``: the table where they are in a running game."""

    id: str
    name: str
    role: Role
    guest: bool
    language: LanguageCode
    table: str | None = None


class Me(Wire):
    """The signed-in person, or ``null``.

    ``mail``: whether a new password can be sent by mail here. ``oidc``: the name of the OpenID provider at
    which one can sign in; empty if there is none.
    """

    person: Person | None
    mail: bool
    oidc: str


class GuestBody(Wire):
    """Sign in as a guest with a name only."""

    name: Name
    language: LanguageCode = "en"


class RegisterBody(Wire):
    """Open an account; a guest keeps their seats and games."""

    name: Name
    password: Password
    language: LanguageCode = "en"


class LoginBody(Wire):
    """Sign in with a password."""

    name: Name
    password: OldPassword


class PasswordBody(Wire):
    """Change the password. ``old`` is not needed if there is no password yet."""

    old: OldPassword | None = None
    new: Password


class EraseBody(Wire):
    """Delete a person or an entry for good. Without ``confirm`` nothing happens but that one is given.

    Whoever deletes their own account gives its ``password`` too.
    """

    confirm: Annotated[str, Field(max_length=64)] | None = None
    password: OldPassword | None = None


class EraseAnswer(Wire):
    """What would be deleted and the ``confirm`` for the second request; or that it is ``done``."""

    done: bool
    confirm: str | None
    entries: int
    games: int
    uploads: int
    rulesets: int


class EraseEntryBody(Wire):
    """Delete the names of an entry; ``everywhere``: of the same player in all events that I organise."""

    everywhere: bool = False
    confirm: Annotated[str, Field(max_length=64)] | None = None


class EraseEntryAnswer(Wire):
    """How many entries would lose their names and where, and the ``confirm`` for the second request."""

    done: bool
    confirm: str | None
    entries: int
    events: list[str]


class SessionInfo(Wire):
    """A session. ``device``: browser and system; times are ISO, ``null`` if unknown."""

    id: str
    device: str
    since: str | None
    seen: str | None
    here: bool


class SessionList(Wire):
    """All of my sessions, the latest first. ``password``: whether I have one."""

    sessions: list[SessionInfo]
    password: bool


class LinkBody(Wire):
    """Create a one-time link for oneself or, as an admin, for a named person with a role."""

    name: Name | None = None
    role: Role | None = None


class Link(Wire):
    """A link that signs in once, its expiry (ISO time), and its QR code as SVG."""

    url: str
    expires: str
    qr: str


class TokenBody(Wire):
    """Sign in by a one-time link; the token is the part after ``/enter/``."""

    token: Annotated[str, Field(max_length=128)]


class RecoveryBody(Wire):
    """Make recovery codes for one's own account; whoever has a password gives it."""

    password: OldPassword | None = None


class RecoveryCodes(Wire):
    """New recovery codes. They are shown only now; those made before stop working."""

    codes: list[str]


class RecoveryLeft(Wire):
    """How many recovery codes are unused."""

    left: int


class RecoverBody(Wire):
    """Set a new password by a recovery code, and sign in."""

    name: Name
    code: Annotated[str, Field(max_length=40)]
    password: Password


class RoleBody(Wire):
    """Give a person a role."""

    role: Role


class PersonPatch(Wire):
    """Change one's name or language."""

    name: Name | None = None
    language: LanguageCode | None = None


class PersonList(Wire):
    """Everyone with an account."""

    people: list[Person]


class DiskKind(Wire):
    """How many bytes rows of one kind take; ``name`` is in the reader's language."""

    kind: str
    name: str
    bytes: int


class DiskPerson(Wire):
    """How many bytes are somebody's; an empty ``id``: nobody's."""

    id: str
    name: str
    bytes: int
    kinds: list[DiskKind]


class DiskInfo(Wire):
    """The size of the database in bytes, and what it is made of, the largest first."""

    bytes: int
    kinds: list[DiskKind]
    people: list[DiskPerson]


class KeptBody(Wire):
    """For how many days something is kept; 0: for ever."""

    name: Annotated[str, Field(max_length=20)]
    days: Annotated[int, Field(ge=0, le=MOST_DAYS)]


class KeptInfo(KeptBody):
    """The same with its ``label``, the ``usual`` number and the ``least``, and what is ``lost`` afterwards.

    ``rows`` games or logs of so many ``bytes`` would be touched at once.
    """

    label: str
    lost: str
    usual: int
    least: int
    rows: int
    bytes: int


class KeepingBody(Wire):
    """The days that kinds of data are kept; kinds that are not named get their usual number."""

    kinds: Annotated[list[KeptBody], Field(max_length=len(KINDS))]


class KeepingInfo(Wire):
    """The days that each kind of data is kept, and what that touches now."""

    kinds: list[KeptInfo]


Address = Annotated[str, Field(min_length=3, max_length=254)]
OnceToken = Annotated[str, Field(min_length=1, max_length=128)]
Credential = Annotated[str, Field(max_length=16_384)]


class OwnPassword(Wire):
    """A look at one's own password, if there is one."""

    password: OldPassword | None = None


class AddressBody(OwnPassword):
    """Confirm a mail address for one's own account."""

    address: Address


class AddressToken(Wire):
    """The part of a confirming link after ``/mail/``."""

    token: OnceToken


class ForgottenBody(Wire):
    """Ask for a new password by mail, in a ``language``."""

    address: Address
    language: LanguageCode = "en"


class NewPasswordBody(Wire):
    """Set a new password by a link from a mail, whose token is the part after ``/recover/``."""

    token: OnceToken
    password: Password


class PasskeyOptions(Wire):
    """What the browser's ``navigator.credentials`` needs, as JSON with base64url instead of bytes."""

    options: str


class PasskeyBody(Wire):
    """What ``navigator.credentials`` answered, as JSON with base64url instead of bytes."""

    credential: Credential


class PasskeyInfo(Wire):
    """A passkey: the device where it was made, and when (ISO time)."""

    id: str
    device: str
    since: str


class SignInWays(Wire):
    """How one's own account can be entered besides by its password.

    ``address``: a new password can be sent to its mail address. ``oidc``: the OpenID provider opens it.
    """

    address: bool
    passkeys: list[PasskeyInfo]
    oidc: bool


class OpenIdBody(OwnPassword):
    """Sign in at the OpenID provider; ``link``: let it open my account from now on."""

    link: bool = False


class OpenIdBegun(Wire):
    """Where to go at the provider."""

    url: str
