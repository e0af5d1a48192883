"""Ways to sign in besides a password: OpenID Connect, passkeys and mailed links."""

import asyncio
import base64
import hashlib
import hmac
import json
import logging
import re
import secrets
import ssl
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import unquote, urlencode, urlsplit

import aiosmtplib
import httpx
import jwt
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

from jantaku import terms
from jantaku.server.edge.limits import Rates
from jantaku.server.errors import ServerError
from jantaku.server.people.accounts import HASHER, AccountService
from jantaku.server.settings import MAILS_PER_H, Outside, Settings
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.sign_in import PasskeyRow
from jantaku.server.storage.store import now_ms

LOG = logging.getLogger("jantaku.server")
STATE: Final = "oidc"
OPENID_LASTS_S: Final = 600
FRESH_S: Final = 3600.0  # how long the provider's configuration and keys are cached
TIMEOUT_S: Final = 10.0
MAX_RESPONSE: Final = 256 * 1024
LEEWAY_S: Final = 60
ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
LOCAL_HOSTS: Final = ("localhost", "127.0.0.1", "::1")
NAMES: Final = ("preferred_username", "nickname", "name", "given_name")
MAX_NAME: Final = 24


@dataclass
class Provider:
    """The provider's configuration and keys, loaded at the monotonic time ``at``."""

    document: dict[str, Any]
    keys: jwt.PyJWKSet
    at: float


class OpenId:
    """Signs people in at the OpenID provider. ``name`` is its displayed name; empty if there is none."""

    def __init__(self, services: Services, accounts: AccountService) -> None:
        settings = services.settings
        self._outside, self._site = settings.outside, settings.public_url
        self._accounts, self._ways = accounts, services.sign_in
        self._provider: Provider | None = None
        self._asking = asyncio.Lock()
        parts = urlsplit(self._outside.oidc)
        safe = parts.scheme == "https" or parts.hostname in LOCAL_HOSTS
        self.possible = bool(self._outside.oidc_client and self._site and safe)
        self.name = (self._outside.oidc_name or parts.hostname or "") if self.possible else ""

    @property
    def _return(self) -> str:
        return f"{self._site}/api/oidc/callback"

    async def begin(self, who: PersonRow | None, password: str | None, *, link: bool) -> tuple[str, str]:
        """Return the provider's address and the state, which also goes into a cookie.

        ``link``: link the identity to the account of ``who``, after checking the password. A guest who signs
        in with a new identity gets an account. Raises ``no_oidc``, ``no_account``, ``oidc_failed``.
        """
        self._check()
        if link:
            if who is None or who.account is None:
                raise ServerError("no_account")
            await self._accounts.check_password(who, password)
        nonce, verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(48)
        document = (await self._known()).document
        data = {"nonce": nonce, "verifier": verifier, "link": link}
        person = who.id if who is not None and (link or who.guest) else None
        state = await self._ways.issue(STATE, person, data, OPENID_LASTS_S)
        digest = hashlib.sha256(verifier.encode()).digest()
        query = {
            "response_type": "code",
            "client_id": self._outside.oidc_client,
            "redirect_uri": self._return,
            "scope": "openid profile",
            "state": state,
            "nonce": nonce,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        start = document["authorization_endpoint"]
        return f"{start}{'&' if '?' in start else '?'}{urlencode(query)}", state

    async def finish(
        self, who: PersonRow | None, code: str, state: str, kept: str, language: str
    ) -> PersonRow:
        """Return the person whom the provider has identified. ``kept`` is the state in the browser's cookie.

        Raises ``no_oidc``, ``oidc_failed``, ``identity_taken``.
        """
        self._check()
        if not state or not hmac.compare_digest(state.encode(), kept.encode()):
            raise ServerError("oidc_failed")  # begun in another browser
        begun = await self._ways.redeem(STATE, state)
        if begun is None:
            raise ServerError("oidc_failed")
        claims = await self._claims(code, begun.data["verifier"], begun.data["nonce"])
        mark = await self._ways.mark(f"{self._outside.oidc}\n{claims['sub']}")
        known = await self._ways.identity(mark)
        if begun.data["link"]:
            return await self._linked(who, begun.person, known, mark)
        guest = who if who is not None and who.guest and who.id == begun.person else None
        if known is not None and guest not in (None, known):
            raise ServerError("identity_taken")  # the guest's games would be lost
        if known is not None and not known.guest:
            return known
        # The identity is stored first, so that concurrent sign-ins cannot create an account without one
        person = known or guest or await self._accounts.guest(f"Player {secrets.token_hex(8)}", language)
        if known is None:
            try:
                await self._ways.add_identity(person.id, mark)
            except ServerError:
                first = await self._ways.identity(mark)
                if guest is not None or first is None:
                    raise
                return first
        return await self._accounts.open_without_password(person, _names(claims, guest), language)

    async def _linked(
        self, who: PersonRow | None, begun_by: str | None, known: PersonRow | None, mark: str
    ) -> PersonRow:
        if who is None or who.id != begun_by:
            raise ServerError("oidc_failed")  # signed in under another account in the meantime
        if known is None:
            await self._ways.add_identity(who.id, mark)
        elif known.id != who.id:
            raise ServerError("identity_taken")
        return who

    def _check(self) -> None:
        if not self.possible:
            raise ServerError("no_oidc")

    async def _claims(self, code: str, verifier: str, nonce: str) -> dict[str, Any]:
        """Exchange the code for the person's claims and verify them; raises ``oidc_failed``."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._return,
            "code_verifier": verifier,
            "client_id": self._outside.oidc_client,
        }
        provider = await self._known()
        basic = (self._outside.oidc_client, self._outside.oidc_secret) if self._outside.oidc_secret else None
        answer = await _fetch_json("POST", provider.document["token_endpoint"], data=form, auth=basic)
        try:
            token = answer["id_token"]
            key = await self._key(provider, jwt.get_unverified_header(token).get("kid"))
            claims: dict[str, Any] = jwt.decode(
                token,
                key,
                algorithms=[name for name in ALGORITHMS if name == key.algorithm_name],
                audience=self._outside.oidc_client,
                issuer=self._outside.oidc,
                leeway=LEEWAY_S,
                options={"require": ["exp", "iat", "sub", "aud", "iss"]},
            )
        except (jwt.PyJWTError, KeyError, TypeError) as error:
            raise ServerError("oidc_failed") from error
        others = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
        if others and claims.get("azp") != self._outside.oidc_client:
            raise ServerError("oidc_failed")
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
            raise ServerError("oidc_failed")
        return claims

    async def _key(self, provider: Provider, key_id: str | None) -> jwt.PyJWK:
        for known in (provider, None):
            keys = (known or await self._known(reload=True)).keys.keys
            matching = [key for key in keys if key_id is None or key.key_id == key_id]
            if matching:
                return matching[0]
        raise ServerError("oidc_failed")

    async def _known(self, *, reload: bool = False) -> Provider:
        """Return the provider's configuration and keys; ``reload``: reload them because a key is unknown."""
        async with self._asking:
            now = time.monotonic()
            provider = self._provider
            if provider is not None and now - provider.at < (LEEWAY_S if reload else FRESH_S):
                return provider
            document = await _fetch_json(
                "GET", f"{self._outside.oidc.removesuffix('/')}/.well-known/openid-configuration"
            )
            if document.get("issuer") != self._outside.oidc:  # exactly, including a trailing slash
                named = self._outside.oidc
                LOG.error("JANTAKU_OIDC is %s, but the provider is %r", named, document.get("issuer"))
                raise ServerError("oidc_failed")
            try:
                keys = jwt.PyJWKSet.from_dict(await _fetch_json("GET", document["jwks_uri"]))
            except (jwt.PyJWTError, KeyError) as error:
                raise ServerError("oidc_failed") from error
            self._provider = Provider(document, keys, now)
            return self._provider


async def _fetch_json(method: str, url: str, **sent: Any) -> dict[str, Any]:
    """Return the provider's response as a JSON object; raises ``oidc_failed``."""
    try:
        async with (
            asyncio.timeout(TIMEOUT_S),
            httpx.AsyncClient(follow_redirects=False, timeout=TIMEOUT_S, trust_env=False) as client,
            client.stream(method, url, headers={"accept": "application/json"}, **sent) as answer,
        ):
            body = b""
            async for part in answer.aiter_bytes():
                body += part
                if len(body) > MAX_RESPONSE:
                    raise ServerError("oidc_failed")
            data = json.loads(body) if answer.is_success else None
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, ValueError) as error:
        raise ServerError("oidc_failed") from error
    if not isinstance(data, dict):
        raise ServerError("oidc_failed")
    return data


def _names(claims: dict[str, Any], guest: PersonRow | None) -> list[str]:
    """Return names to try for a new account, the guest's own first."""
    candidates = [] if guest is None else [guest.name]
    candidates += [str(claims[claim]).partition("@")[0] for claim in NAMES if claims.get(claim)]
    plain = ("".join(letter if letter.isprintable() else " " for letter in text) for text in candidates)
    return [name for text in plain if (name := " ".join(text.split())[:MAX_NAME])] or ["Player"]


NEW, USE = "new_passkey", "passkey"
PASSKEY_LASTS_S: Final = 300
Verified = TypeVar("Verified")
MALFORMED: Final = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


class Site(NamedTuple):
    """The site of a passkey: the relying party's id and the origin of its pages."""

    name: str
    origin: str


def site_of(request: Request, settings: Settings) -> Site:
    """Return the site of the public address, else of the request, whose host ``edge.guard`` has checked."""
    parts = urlsplit(settings.public_url or str(request.base_url))
    return Site(parts.hostname or "", f"{parts.scheme}://{parts.netloc}")


class Passkeys:
    """Registers and accepts passkeys. Each challenge is a one-time token, so no response works twice."""

    def __init__(self, services: Services, accounts: AccountService) -> None:
        self._accounts, self._ways = accounts, services.sign_in

    async def begin(self, who: PersonRow, password: str | None, site: Site) -> str:
        """Return the browser's options for registering a passkey, after checking the password."""
        if who.account is None:
            raise ServerError("no_account")
        await self._accounts.check_password(who, password)
        challenge = await self._ways.issue(NEW, who.id, {}, PASSKEY_LASTS_S)
        options = generate_registration_options(
            rp_id=site.name,
            rp_name="Jantaku",
            user_id=who.id.encode(),
            user_name=who.account,
            user_display_name=who.name,
            challenge=challenge.encode(),
            timeout=PASSKEY_LASTS_S * 1000,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.REQUIRED,
            ),
        )
        return options_to_json(options)

    async def add(self, who: PersonRow, credential: str, device: str, site: Site) -> None:
        """Store a new passkey; raises ``passkey_refused``."""
        try:
            parsed = json.loads(credential)
            challenge = await self._consume_challenge(NEW, parsed, who.id)
            answer = _verified(
                verify_registration_response,
                credential=parsed,
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
        """Return the browser's options for signing in with any passkey of this site."""
        challenge = await self._ways.issue(USE, None, {}, PASSKEY_LASTS_S)
        options = generate_authentication_options(
            rp_id=site.name,
            challenge=challenge.encode(),
            timeout=PASSKEY_LASTS_S * 1000,
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return options_to_json(options)

    async def enter(self, credential: str, site: Site) -> PersonRow:
        """Verify the response from a passkey and return its owner; raises ``passkey_refused``."""
        try:
            parsed = json.loads(credential)
            challenge = await self._consume_challenge(USE, parsed, None)
            key, person = await self._known(parsed["rawId"])
            answer = _verified(
                verify_authentication_response,
                credential=parsed,
                expected_challenge=challenge,
                expected_rp_id=site.name,
                expected_origin=site.origin,
                credential_public_key=key.key,
                credential_current_sign_count=key.uses,
                require_user_verification=True,
            )
        except MALFORMED as error:
            raise ServerError("passkey_refused") from error
        if not await self._ways.record_passkey_use(key.id, key.uses, answer.new_sign_count):
            raise ServerError("passkey_refused")  # a copy of the passkey was used at the same time
        return person

    async def _known(self, raw_id: str) -> tuple[PasskeyRow, PersonRow]:
        passkey = await self._ways.passkey(_mark(base64url_to_bytes(raw_id)))
        if passkey is None:
            raise ServerError("passkey_refused")
        return passkey

    async def _consume_challenge(self, kind: str, credential: Any, person: str | None) -> bytes:
        """Consume and return the challenge of a response; raises ``passkey_refused``."""
        client = json.loads(base64url_to_bytes(credential["response"]["clientDataJSON"]))
        challenge = base64url_to_bytes(client["challenge"])
        way = await self._ways.redeem(kind, challenge.decode("ascii"))
        if way is None or way.person != person:
            raise ServerError("passkey_refused")
        return challenge


def _verified(verify: Callable[..., Verified], **arguments: Any) -> Verified:
    """Verify a response; raises ``passkey_refused`` for any error in its binary parts."""
    try:
        return verify(**arguments)
    except Exception as error:  # parsers of CBOR, ASN.1 and keys raise errors of many types
        raise ServerError("passkey_refused") from error


def _mark(credential_id: bytes) -> str:
    return hashlib.sha256(credential_id).hexdigest()


ADDRESS: Final = re.compile(r"[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}")
MAX_ADDRESS: Final = 254
SEND_S: Final = 20.0
MAX_SENDING: Final = 200  # mails being sent
PORTS: Final = {"smtp": 587, "smtps": 465}


def address_of(text: str) -> str | None:
    r"""Normalise a mail address; ``None`` if it is not valid.

    >>> address_of(" Mina@Example.ORG "), address_of("a@b"), address_of("a@b.org\r\nBcc: c@d.org")
    ('mina@example.org', None, None)
    """
    address = unicodedata.normalize("NFKC", text).strip().lower()
    return address if len(address) <= MAX_ADDRESS and ADDRESS.fullmatch(address) else None


class Mail:
    """Sends mail in the background, so that response times do not reveal whether a mail was sent."""

    def __init__(self, settings: Settings) -> None:
        self._outside = settings.outside
        self._sending: set[asyncio.Task[None]] = set()
        # links in mails use only the public address, never the host of a request
        self.possible = bool(self._outside.smtp and self._outside.mail_from and settings.public_url)

    def send(self, to: str, subject: str, text: str) -> None:
        """Start sending a mail; failures are logged without the address."""
        if len(self._sending) >= MAX_SENDING:
            LOG.error("a mail was not sent: the queue is full")
            return
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._outside.mail_from, to, subject
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(text)
        task = asyncio.create_task(_deliver(self._outside, message), name="mail")
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)


async def _deliver(outside: Outside, message: EmailMessage) -> None:
    server = urlsplit(outside.smtp)
    user, password = unquote(server.username or ""), unquote(server.password or "")
    safe = server.scheme == "smtps"
    try:
        await aiosmtplib.send(
            message,
            hostname=server.hostname,
            port=server.port or PORTS.get(server.scheme, 25),
            username=user or None,
            password=password or None,
            use_tls=safe,
            # a password is never sent unencrypted, even if an attacker strips STARTTLS
            start_tls=None if safe or not user else True,
            timeout=SEND_S,
        )
    except (aiosmtplib.SMTPException, OSError, ssl.SSLError, ValueError) as error:
        LOG.error("a mail was not sent: %s", type(error).__name__)  # its text may contain addresses


CONFIRM, RECOVER = "confirm", "recover"
HOUR_S: Final = 3600
CONFIRM_S: Final = 24 * HOUR_S
RECOVER_S: Final = HOUR_S
MAX_ACCOUNTS: Final = 5  # listed in one mail


class MailRecovery:
    """Confirms email addresses and resets passwords through emailed links."""

    def __init__(self, services: Services, accounts: AccountService) -> None:
        self._accounts, self._ways = accounts, services.sign_in
        self._settings = services.settings
        self._mail = Mail(services.settings)
        self._answers: set[asyncio.Task[None]] = set()
        self._mails = Rates(MAILS_PER_H / HOUR_S, MAILS_PER_H)

    @property
    def rates(self) -> dict[str, Rates]:
        """The rate limits of mails, by name."""
        return {"mails": self._mails}

    @property
    def possible(self) -> bool:
        """Whether mails can be sent."""
        return self._mail.possible

    async def begin(self, who: PersonRow, text: str, password: str | None) -> None:
        """Mail a link that confirms an address for a person's account, after checking the password.

        Raises ``no_mail``, ``bad_address``, ``no_account``, ``too_many``.
        """
        address = self._address(text)
        if who.account is None:
            raise ServerError("no_account")
        await self._accounts.check_password(who, password)
        mark = await self._ways.mark(address)
        if not self._mails.take(f"{who.id}") or not self._mails.take(mark):
            raise ServerError("too_many")
        token = await self._ways.issue(CONFIRM, who.id, {"address": mark}, CONFIRM_S)
        self._send(_language(who), address, CONFIRM, links=self._link("mail", token))

    async def confirm(self, who: PersonRow, token: str) -> None:
        """Store the address of a confirmation link; raises ``link_used``.

        The person must be signed in, so the recipient of a misdirected mail cannot take over the account.
        """
        way = await self._ways.redeem(CONFIRM, token)
        if way is None or way.person != who.id:
            raise ServerError("link_used")
        await self._ways.set_address(who.id, way.data["address"])

    async def remove(self, who: PersonRow, password: str | None) -> None:
        """Remove the address from a person's account, after checking the password."""
        if who.account is None:
            raise ServerError("no_account")
        await self._accounts.check_password(who, password)
        await self._ways.set_address(who.id, None)

    async def ask(self, text: str, language: terms.Language) -> None:
        """Mail links for setting a new password, one for each account with this address, if any."""
        address = self._address(text)
        mark = await self._ways.mark(address)
        if self._mails.take(mark):  # exceeding the limit is not reported, which would reveal the address
            task = asyncio.create_task(self._answer(address, mark, language))
            self._answers.add(task)
            task.add_done_callback(self._answers.discard)

    async def _answer(self, address: str, mark: str, language: terms.Language) -> None:
        links = []
        for person in await self._ways.of_address(mark, MAX_ACCOUNTS):
            token = await self._ways.issue(RECOVER, person.id, {}, RECOVER_S)
            links.append(f"{person.account}: {self._link('recover', token)}")
        if links:
            self._send(language, address, RECOVER, links="\n".join(links))

    async def use(self, token: str, password: str) -> str:
        """Set a new password with a mailed link; return the person's id. Raises ``link_used``."""
        hash_of_password = await asyncio.to_thread(HASHER.hash, password)
        way = await self._ways.redeem(RECOVER, token)
        if way is None or way.person is None:
            raise ServerError("link_used")
        await self._ways.reset(way.person, hash_of_password)
        return way.person

    def _address(self, text: str) -> str:
        if not self.possible:
            raise ServerError("no_mail")
        address = address_of(text)
        if address is None:
            raise ServerError("bad_address", field="address")
        return address

    def _link(self, page: str, token: str) -> str:
        return f"{self._settings.public_url}/{page}/{token}"

    def _send(self, language: terms.Language, address: str, kind: str, **values: str) -> None:
        values |= {"site": self._settings.public_url}
        subject, text = (
            terms.text(f"mail.{kind}_{part}", language, **values) for part in ("subject", "text")
        )
        self._mail.send(address, subject, text)


def _language(who: PersonRow) -> terms.Language:
    return next((language for language in terms.LANGUAGES if language == who.language), "en")
