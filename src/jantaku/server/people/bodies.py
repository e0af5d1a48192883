"""Request and response bodies about people, accounts and sign-in methods."""

from typing import Annotated

from pydantic import Field

from jantaku.server.edge.protocol import LanguageCode, Role
from jantaku.server.storage.cleanup import KINDS, MAX_DAYS
from jantaku.wire import Wire

# Higher than the limit in ``jantaku.server.names``, which counts characters after normalisation: some systems
# send decomposed letters
Name = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[^\x00-\x1f\x7f]+$")]
OldPassword = Annotated[str, Field(max_length=128)]
Password = Annotated[str, Field(min_length=8, max_length=128)]


class Person(Wire):
    """A person. ``table``: the id of the table of their running game."""

    id: str
    name: str
    role: Role
    guest: bool
    language: LanguageCode
    table: str | None = None


class Me(Wire):
    """The signed-in person, or ``null``.

    ``mail``: whether this server can send password links by mail. ``oidc``: the name of the OpenID provider;
    empty if there is none.
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
    """Change the password. The first password needs no ``old`` one."""

    old: OldPassword | None = None
    new: Password


class EraseBody(Wire):
    """Erase a person permanently. Without ``confirm``, the response previews the effects.

    It contains the ``confirm`` for a second request. Erasing one's own account also needs its ``password``.
    """

    confirm: Annotated[str, Field(max_length=64)] | None = None
    password: OldPassword | None = None


class EraseAnswer(Wire):
    """What would be erased, with the ``confirm`` for the second request; ``done``: it has been erased."""

    done: bool
    confirm: str | None
    entries: int
    games: int
    uploads: int
    rulesets: int


class EraseEntryBody(Wire):
    """Erase the names of an entry; ``everywhere``: also the same player's names in all my events."""

    everywhere: bool = False
    confirm: Annotated[str, Field(max_length=64)] | None = None


class EraseEntryAnswer(Wire):
    """The entries that would lose their names, and ``confirm`` for the second request."""

    done: bool
    confirm: str | None
    entries: int
    events: list[str]


class SessionInfo(Wire):
    """A session. ``device``: browser and system; ``here``: this session; times are ISO 8601."""

    id: str
    device: str
    since: str | None
    seen: str | None
    here: bool


class SessionList(Wire):
    """All of my sessions, latest first. ``password``: whether my account has one."""

    sessions: list[SessionInfo]
    password: bool


class LinkBody(Wire):
    """Create a one-time link for oneself or, as an admin, for a named person with a role."""

    name: Name | None = None
    role: Role | None = None


class Link(Wire):
    """A one-time sign-in link, its expiry (ISO 8601), and its QR code as SVG."""

    url: str
    expires: str
    qr: str


class TokenBody(Wire):
    """Sign in with a one-time link; the token is the part after ``/enter/``."""

    token: Annotated[str, Field(max_length=128)]


class RecoveryBody(Wire):
    """Create recovery codes for one's own account; needs the ``password`` if there is one."""

    password: OldPassword | None = None


class RecoveryCodes(Wire):
    """New recovery codes. They cannot be retrieved again; earlier codes stop working."""

    codes: list[str]


class RecoveryLeft(Wire):
    """The number of unused recovery codes."""

    left: int


class RecoverBody(Wire):
    """Set a new password with a recovery code, and sign in."""

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
    """All people with an account."""

    people: list[Person]


class DiskKind(Wire):
    """The size of one kind of rows in bytes; ``name`` is localised."""

    kind: str
    name: str
    bytes: int


class DiskPerson(Wire):
    """The bytes stored for one person; ``id`` is empty for rows without an owner."""

    id: str
    name: str
    bytes: int
    kinds: list[DiskKind]


class DiskInfo(Wire):
    """The size of the database in bytes, by kind of row and by person, largest first."""

    bytes: int
    kinds: list[DiskKind]
    people: list[DiskPerson]


class KeptBody(Wire):
    """The retention of one kind of data in days; 0: unlimited."""

    name: Annotated[str, Field(max_length=20)]
    days: Annotated[int, Field(ge=0, le=MAX_DAYS)]


class KeptInfo(KeptBody):
    """A retention period with its ``label``, and the ``usual`` and ``least`` number of days.

    ``lost`` describes what is lost afterwards. ``rows`` and their ``bytes`` are the games or logs that the
    setting would affect immediately.
    """

    label: str
    lost: str
    usual: int
    least: int
    rows: int
    bytes: int


class KeepingBody(Wire):
    """Retention periods by kind of data; omitted kinds get their usual one."""

    kinds: Annotated[list[KeptBody], Field(max_length=len(KINDS))]


class KeepingInfo(Wire):
    """The retention of each kind of data, with what it affects."""

    kinds: list[KeptInfo]


Address = Annotated[str, Field(min_length=3, max_length=254)]
OnceToken = Annotated[str, Field(min_length=1, max_length=128)]
Credential = Annotated[str, Field(max_length=16_384)]


class OwnPassword(Wire):
    """Confirm one's own password, if there is one."""

    password: OldPassword | None = None


class AddressBody(OwnPassword):
    """Confirm a mail address for one's own account."""

    address: Address


class AddressToken(Wire):
    """The token of a confirmation link: the part after ``/mail/``."""

    token: OnceToken


class ForgottenBody(Wire):
    """Request a link by mail for setting a new password; ``language`` is that of the mail."""

    address: Address
    language: LanguageCode = "en"


class NewPasswordBody(Wire):
    """Set a new password with a mailed link; the token is the part after ``/recover/``."""

    token: OnceToken
    password: Password


class PasskeyOptions(Wire):
    """The options for ``navigator.credentials``, as JSON with base64url instead of bytes."""

    options: str


class PasskeyBody(Wire):
    """The credential from ``navigator.credentials``, as JSON with base64url instead of bytes."""

    credential: Credential


class PasskeyInfo(Wire):
    """A passkey with the device that created it and the time (ISO 8601)."""

    id: str
    device: str
    since: str


class SignInWays(Wire):
    """The ways to sign in besides a password.

    ``address``: the account has a mail address for new passwords. ``oidc``: the OpenID provider is linked.
    """

    address: bool
    passkeys: list[PasskeyInfo]
    oidc: bool


class OpenIdBody(OwnPassword):
    """Sign in at the OpenID provider; ``link``: link it to the signed-in account."""

    link: bool = False


class OpenIdBegun(Wire):
    """The address at the provider to visit next."""

    url: str
