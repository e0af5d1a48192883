"""Signing in with a passkey: a key pair of a device, which it uses after a look at its owner (WebAuthn)."""

import hashlib
import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import urlsplit

from starlette.requests import Request
from webauthn import (
    base64url_to_bytes,
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from jantaku.server.errors import ServerError
from jantaku.server.people.accounts import AccountService
from jantaku.server.settings import Settings
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.sign_in import PasskeyRow
from jantaku.server.storage.store import now_ms

NEW, USE = "new_passkey", "passkey"
LASTS_S: Final = 300
Found = TypeVar("Found")
MALFORMED: Final = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


class Site(NamedTuple):
    """The site that a passkey belongs to: the name that the browser checks, and the origin of its pages."""

    name: str
    origin: str


def site_of(request: Request, settings: Settings) -> Site:
    """The public address, else the one that the request used, which ``edge.hosts`` has checked."""
    parts = urlsplit(settings.public_url or str(request.base_url))
    return Site(parts.hostname or "", f"{parts.scheme}://{parts.netloc}")


class Passkeys:
    """Makes passkeys and takes them. A challenge is a one-time token, so that no answer works twice."""

    def __init__(self, services: Services, accounts: AccountService) -> None:
        self._accounts, self._ways = accounts, services.sign_in

    async def begin(self, who: PersonRow, password: str | None, site: Site) -> str:
        """What a browser needs for a new passkey of one's own account, after a look at the password."""
        if who.account is None:
            raise ServerError("no_account")
        await self._accounts.check_password(who, password)
        challenge = await self._ways.put(NEW, who.id, {}, LASTS_S)
        options = generate_registration_options(
            rp_id=site.name,
            rp_name="Jantaku",
            user_id=who.id.encode(),
            user_name=who.account,
            user_display_name=who.name,
            challenge=challenge.encode(),
            timeout=LASTS_S * 1000,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.REQUIRED,
            ),
        )
        return options_to_json(options)

    async def add(self, who: PersonRow, credential: str, device: str, site: Site) -> None:
        """Keep a new passkey; raises ``passkey_refused``."""
        try:
            said = json.loads(credential)
            challenge = await self._taken(NEW, said, who.id)
            answer = _verified(
                verify_registration_response,
                credential=said,
                expected_challenge=challenge,
                expected_rp_id=site.name,
                expected_origin=site.origin,
                require_user_verification=True,
            )
        except MALFORMED as error:
            raise ServerError("passkey_refused") from error
        await self._ways.add_passkey(
            PasskeyRow(
                _mark(answer.credential_id),
                who.id,
                answer.credential_public_key,
                answer.sign_count,
                device,
                now_ms(),
            )
        )

    async def challenge(self, site: Site) -> str:
        """What a browser needs to sign in with any passkey of this site."""
        challenge = await self._ways.put(USE, None, {}, LASTS_S)
        options = generate_authentication_options(
            rp_id=site.name,
            challenge=challenge.encode(),
            timeout=LASTS_S * 1000,
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return options_to_json(options)

    async def enter(self, credential: str, site: Site) -> PersonRow:
        """The owner of a passkey that has just been used; raises ``passkey_refused``."""
        try:
            said = json.loads(credential)
            challenge = await self._taken(USE, said, None)
            key, person = await self._known(said["rawId"])
            answer = _verified(
                verify_authentication_response,
                credential=said,
                expected_challenge=challenge,
                expected_rp_id=site.name,
                expected_origin=site.origin,
                credential_public_key=key.key,
                credential_current_sign_count=key.uses,
                require_user_verification=True,
            )
        except MALFORMED as error:
            raise ServerError("passkey_refused") from error
        if not await self._ways.used_passkey(key.id, key.uses, answer.new_sign_count):
            raise ServerError("passkey_refused")  # a copy of it was used at the same time
        return person

    async def _known(self, raw_id: str) -> tuple[PasskeyRow, PersonRow]:
        passkey = await self._ways.passkey(_mark(base64url_to_bytes(raw_id)))
        if passkey is None:
            raise ServerError("passkey_refused")
        return passkey

    async def _taken(self, kind: str, said: Any, person: str | None) -> bytes:
        """The challenge that an answer is for, which is used up; raises ``passkey_refused``."""
        client = json.loads(base64url_to_bytes(said["response"]["clientDataJSON"]))
        challenge = base64url_to_bytes(client["challenge"])
        way = await self._ways.take(kind, challenge.decode("ascii"))
        if way is None or way.person != person:
            raise ServerError("passkey_refused")
        return challenge


def _verified(verify: Callable[..., Found], **said: Any) -> Found:
    """What an answer proves; raises ``passkey_refused``, whatever is wrong with its binary parts."""
    try:
        return verify(**said)
    except Exception as error:  # of the readers of CBOR, ASN.1 and keys, too
        raise ServerError("passkey_refused") from error


def _mark(credential_id: bytes) -> str:
    return hashlib.sha256(credential_id).hexdigest()
