"""Signing in at the OpenID provider of the owner (authorization code with PKCE, state and nonce)."""

import asyncio
import base64
import hashlib
import hmac
import json
import logging
import secrets
import time
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

import httpx
import jwt

from jantaku.server.errors import ServerError
from jantaku.server.people.accounts import AccountService
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.services import Services

LOG = logging.getLogger("jantaku.server")
STATE: Final = "oidc"
LASTS_S: Final = 600
FRESH_S: Final = 3600.0  # how long what the provider says of itself is kept
ANSWER_S: Final = 10.0
MOST_ANSWER: Final = 256 * 1024
LEEWAY_S: Final = 60
SIGNED: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
HERE: Final = ("localhost", "127.0.0.1", "::1")
NAMES: Final = ("preferred_username", "nickname", "name", "given_name")
MOST_NAME: Final = 24


@dataclass
class Provider:
    """What the provider says of itself, and its keys."""

    document: dict[str, Any]
    keys: jwt.PyJWKSet
    at: float


class OpenId:
    """Signs people in at the provider. ``name`` is what people call it; empty if there is none."""

    def __init__(self, services: Services, accounts: AccountService) -> None:
        settings = services.settings
        self._outside, self._site = settings.outside, settings.public_url
        self._accounts, self._ways = accounts, services.sign_in
        self._provider: Provider | None = None
        self._asking = asyncio.Lock()
        parts = urlsplit(self._outside.oidc)
        safe = parts.scheme == "https" or parts.hostname in HERE
        self.possible = bool(self._outside.oidc_client and self._site and safe)
        self.name = (self._outside.oidc_name or parts.hostname or "") if self.possible else ""

    @property
    def _return(self) -> str:
        return f"{self._site}/api/oidc/callback"

    async def begin(self, who: PersonRow | None, password: str | None, *, link: bool) -> tuple[str, str]:
        """The address at the provider and the state, which the browser keeps, too.

        ``link``: the identity is to open the account of ``who``, after a look at the password. A guest who
        signs in with an identity that is new here becomes its account.
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
        state = await self._ways.put(STATE, person, data, LASTS_S)
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
        """Who has come back from the provider. ``kept`` is the state in the browser's own cookie.

        Raises ``oidc_failed``, ``identity_taken``.
        """
        self._check()
        if not state or not hmac.compare_digest(state.encode(), kept.encode()):
            raise ServerError("oidc_failed")  # begun by somebody else
        begun = await self._ways.take(STATE, state)
        if begun is None:
            raise ServerError("oidc_failed")
        claims = await self._claims(code, begun.data["verifier"], begun.data["nonce"])
        mark = await self._ways.mark(f"{self._outside.oidc}\n{claims['sub']}")
        known = await self._ways.identity(mark)
        if begun.data["link"]:
            return await self._linked(who, begun.person, known, mark)
        guest = who if who is not None and who.guest and who.id == begun.person else None
        if known is not None and guest not in (None, known):
            raise ServerError("identity_taken")  # else what the guest has played would be out of reach
        if known is not None and not known.guest:
            return known
        # The identity first: of two who bring it at one instant one has it, and each account has a way in
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
            raise ServerError("oidc_failed")  # signed in as somebody else meanwhile
        if known is None:
            await self._ways.add_identity(who.id, mark)
        elif known.id != who.id:
            raise ServerError("identity_taken")
        return who

    def _check(self) -> None:
        if not self.possible:
            raise ServerError("no_oidc")

    async def _claims(self, code: str, verifier: str, nonce: str) -> dict[str, Any]:
        """What the provider says of the person, after every check; raises ``oidc_failed``."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._return,
            "code_verifier": verifier,
            "client_id": self._outside.oidc_client,
        }
        provider = await self._known()
        basic = (self._outside.oidc_client, self._outside.oidc_secret) if self._outside.oidc_secret else None
        answer = await _asked("POST", provider.document["token_endpoint"], data=form, auth=basic)
        try:
            token = answer["id_token"]
            key = await self._key(provider, jwt.get_unverified_header(token).get("kid"))
            claims: dict[str, Any] = jwt.decode(
                token,
                key,
                algorithms=[name for name in SIGNED if name == key.algorithm_name],
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
            keys = (known or await self._known(anew=True)).keys.keys
            fits = [key for key in keys if key_id is None or key.key_id == key_id]
            if fits:
                return fits[0]
        raise ServerError("oidc_failed")

    async def _known(self, *, anew: bool = False) -> Provider:
        """The provider as it says it is, asked again after a while, or where a key is new."""
        async with self._asking:
            now = time.monotonic()
            provider = self._provider
            if provider is not None and now - provider.at < (LEEWAY_S if anew else FRESH_S):
                return provider
            document = await _asked(
                "GET", f"{self._outside.oidc.removesuffix('/')}/.well-known/openid-configuration"
            )
            if document.get("issuer") != self._outside.oidc:  # to the letter, with a slash or without
                named = self._outside.oidc
                LOG.error("JANTAKU_OIDC is %s, but the provider is %r", named, document.get("issuer"))
                raise ServerError("oidc_failed")
            try:
                keys = jwt.PyJWKSet.from_dict(await _asked("GET", document["jwks_uri"]))
            except (jwt.PyJWTError, KeyError) as error:
                raise ServerError("oidc_failed") from error
            self._provider = Provider(document, keys, now)
            return self._provider


async def _asked(method: str, url: str, **sent: Any) -> dict[str, Any]:
    """The provider's answer as JSON; raises ``oidc_failed``."""
    try:
        async with (
            asyncio.timeout(ANSWER_S),
            httpx.AsyncClient(follow_redirects=False, timeout=ANSWER_S, trust_env=False) as client,
            client.stream(method, url, headers={"accept": "application/json"}, **sent) as answer,
        ):
            body = b""
            async for part in answer.aiter_bytes():
                body += part
                if len(body) > MOST_ANSWER:
                    raise ServerError("oidc_failed")
            data = json.loads(body) if answer.is_success else None
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, ValueError) as error:
        raise ServerError("oidc_failed") from error
    if not isinstance(data, dict):
        raise ServerError("oidc_failed")
    return data


def _names(claims: dict[str, Any], guest: PersonRow | None) -> list[str]:
    """Names to try for a new account: a guest's own first."""
    said = [] if guest is None else [guest.name]
    said += [str(claims[claim]).partition("@")[0] for claim in NAMES if claims.get(claim)]
    plain = ("".join(letter if letter.isprintable() else " " for letter in text) for text in said)
    return [name for text in plain if (name := " ".join(text.split())[:MOST_NAME])] or ["Player"]
