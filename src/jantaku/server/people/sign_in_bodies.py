"""Request and response bodies about the ways into an account besides its password."""

from typing import Annotated

from pydantic import Field

from jantaku.server.edge.bodies import Wire
from jantaku.server.edge.protocol import LanguageCode
from jantaku.server.people.people_bodies import OldPassword, Password

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
