"""Routes of accounts: signing in and out, sessions, sign-in methods, roles, disk use and retention."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Annotated, Final

from fastapi import Depends, Path, Query, Request, Response
from starlette.responses import RedirectResponse

from jantaku import terms
from jantaku.errors import JantakuError
from jantaku.server.edge.bodies import Done, router_of
from jantaku.server.edge.pages import base_of_links, qr_code
from jantaku.server.errors import ServerError
from jantaku.server.people import bodies
from jantaku.server.people.auth_dependencies import (
    BROWSER,
    COOKIE,
    KNOWN,
    InjectedServices,
    OptionalUser,
    Person,
    Requester,
    RequestLanguage,
    answer_language,
    deduplicate,
    demand,
    limit_accounts,
    limit_guests,
    limit_lookups,
    limit_sign_ins,
    origin_of,
    token_of,
)
from jantaku.server.people.bodies import DiskInfo, DiskKind, DiskPerson, KeepingBody, KeepingInfo, KeptInfo
from jantaku.server.people.sign_in import OPENID_LASTS_S, site_of
from jantaku.server.processes.links import SIGNED_IN
from jantaku.server.storage.cleanup import KINDS, disk_use
from jantaku.server.storage.people import DAY_MS, ROLE_CHANGED, PersonRow, new_id
from jantaku.server.storage.sign_in import SESSION_DAYS, SIGNED_OUT, EndedSessions, session_id
from jantaku.terms import Language

# The first match counts: most browsers also name the browsers they are compatible with
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Whale", "Whale"),
    ("KAKAOTALK", "KakaoTalk"),
    ("NAVER", "NAVER"),
    ("Line/", "LINE"),
    ("FxiOS", "Firefox"),
    ("Firefox", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)
MAX_AGENT: Final = 500


def device(agent: str) -> str:
    """Return the browser and system of a ``User-Agent``; empty if neither is known.

    >>> device("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36")
    'Chrome · Android'
    >>> device("curl/8")
    ''
    """
    read = agent[:MAX_AGENT]
    names = [next((name for word, name in known if word in read), "") for known in (_BROWSERS, _SYSTEMS)]
    return " · ".join(filter(None, names))


async def public_person(services: InjectedServices, person: PersonRow) -> bodies.Person:
    """Return the public description of a person."""
    return public_person_at(person, await services.seating.playing([person.id]))


def public_person_at(person: PersonRow, playing: Mapping[str, str]) -> bodies.Person:
    """Return the public description of a person; ``playing`` maps people to tables."""
    return bodies.Person.of(person, table=playing.get(person.id))


def iso(ms: int) -> str:
    """Format a time in milliseconds since the epoch as ISO 8601 in UTC."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class SessionCookies:
    """Sets and reads the sign-in cookies of a request and its response."""

    request: Request
    response: Response
    services: InjectedServices

    @property
    def token(self) -> str:
        """The token of the browser's current session."""
        return token_of(self.request, COOKIE)

    async def admit(self, person: PersonRow, *, alone: bool = False) -> bodies.Person:
        """Start a session and set its cookie; ``alone``: the person's other sessions have just ended."""
        old, services = self.token, self.services
        known_as = device(self.request.headers.get("user-agent", ""))
        token = await services.sessions.begin(person.id, SESSION_DAYS, known_as)
        if old:
            await services.sessions.end(old)
            services.links.announce(SIGNED_IN, session_id(old), person.id, session_id(token))
        if alone:
            self.close_other_sockets(person, token)
        self._set_cookie(COOKIE, token)
        await self.mark(person)
        return await public_person(self.services, person)

    def _set_cookie(self, name: str, token: str) -> None:
        """Set a cookie that lasts as long as a session."""
        settings = self.services.settings
        self.response.set_cookie(
            name,
            token,
            max_age=SESSION_DAYS * DAY_MS // 1000,
            httponly=True,
            samesite="lax",
            secure=self.request.url.scheme == "https" or settings.public_url.startswith("https:"),
            path="/",
        )

    async def renew(self) -> None:
        """Extend the current session."""
        services = self.services
        with suppress(ServerError):  # while storage is lost, a later request can do it
            if await services.sessions.renew(self.token, SESSION_DAYS):
                self._set_cookie(COOKIE, self.token)

    async def mark(self, person: PersonRow) -> None:
        """Set the browser cookie if it is missing, and the sign that ``person`` has signed in here."""
        origin = origin_of(self.request)
        if not origin.browser:
            origin = origin._replace(browser=new_id())
            self._set_cookie(BROWSER, origin.browser)
        signs = await self.services.account_service.sign(person, origin)
        if signs != origin.signs:
            self._set_cookie(KNOWN, signs)

    def close_other_sockets(self, person: PersonRow, token: str) -> None:
        """Close the person's sockets from all sessions but this one."""
        self.services.links.announce(SIGNED_OUT, EndedSessions(person.id, but=session_id(token)))


InjectedCookies = Annotated[SessionCookies, Depends()]


router = router_of("/api", "people")
Id = Annotated[str, Path(max_length=64)]


@router.get("/me")
async def me(cookies: InjectedCookies, services: InjectedServices, who: OptionalUser) -> bodies.Me:
    """Return the signed-in person, and the sign-in methods of this server."""
    if who is not None:
        known = who.guest or token_of(cookies.request, KNOWN)
        if not (known and token_of(cookies.request, BROWSER)):
            await cookies.mark(who)
        await cookies.renew()
    return bodies.Me(
        person=None if who is None else await public_person(services, who),
        mail=services.mail_recovery.possible,
        oidc=services.openid.name,
    )


@router.patch("/me")
async def change_me(
    services: InjectedServices,
    who: Person,
    asker: Requester,
    body: bodies.PersonPatch,
) -> bodies.Person:
    """Change my name or language. The account name for signing in stays the same."""
    if body.name is not None:
        limit_lookups(services, asker)
        who = await services.account_service.rename(who, body.name)
    if body.language is not None:
        await services.accounts.change(who.id, language=body.language)
        who = replace(who, language=body.language)
    return await public_person(services, who)


@router.post(
    "/guest",
    dependencies=[
        Depends(deduplicate),
        Depends(limit_sign_ins),
        Depends(limit_guests),
    ],
)
async def guest(
    cookies: InjectedCookies, services: InjectedServices, body: bodies.GuestBody
) -> bodies.Person:
    """Sign in as a guest with a name only."""
    person = await services.account_service.guest(body.name, body.language)
    return await cookies.admit(person)


@router.post(
    "/register",
    dependencies=[Depends(limit_sign_ins), Depends(limit_accounts)],
)
async def register(
    cookies: InjectedCookies,
    services: InjectedServices,
    who: OptionalUser,
    body: bodies.RegisterBody,
) -> bodies.Person:
    """Open an account. A guest keeps their seats and games and is signed out everywhere else."""
    person = await services.account_service.register(
        who, body.name, body.password, body.language, origin_of(cookies.request)
    )
    return await cookies.admit(person, alone=True)


@router.post("/login", dependencies=[Depends(limit_sign_ins)])
async def login(
    cookies: InjectedCookies, services: InjectedServices, body: bodies.LoginBody
) -> bodies.Person:
    """Sign in with a password."""
    person = await services.account_service.login(body.name, body.password, origin_of(cookies.request))
    return await cookies.admit(person)


@router.post("/link", dependencies=[Depends(deduplicate), Depends(limit_sign_ins)])
async def link(
    request: Request, services: InjectedServices, who: Person, body: bodies.LinkBody
) -> bodies.Link:
    """Create a one-time sign-in link."""
    token, expires = await services.account_service.link(who, body.name, body.role)
    base = base_of_links(request, services.settings)
    url = f"{base}/enter/{token}"
    return bodies.Link(url=url, expires=iso(expires), qr=qr_code(url))


@router.post("/enter", dependencies=[Depends(limit_sign_ins)])
async def enter(
    cookies: InjectedCookies, services: InjectedServices, body: bodies.TokenBody
) -> bodies.Person:
    """Sign in with a one-time link."""
    person = await services.one_time_links.use(body.token)
    services.links.announce(ROLE_CHANGED, person.id, person.role)
    return await cookies.admit(person)


@router.post("/logout")
async def logout(cookies: InjectedCookies, services: InjectedServices) -> Done:
    """Sign out."""
    if cookies.token:
        await services.sessions.end(cookies.token)
        services.links.announce(SIGNED_OUT, EndedSessions(session=session_id(cookies.token)))
    cookies.response.delete_cookie(COOKIE, path="/")
    return Done()


@router.post("/password", dependencies=[Depends(limit_sign_ins)])
async def change_password(
    cookies: InjectedCookies,
    services: InjectedServices,
    who: Person,
    body: bodies.PasswordBody,
) -> Done:
    """Change my password. All my other sessions and my one-time links end."""
    await services.account_service.change_password(who, body.old, body.new, cookies.token)
    cookies.close_other_sockets(who, cookies.token)
    await cookies.mark(who)
    return Done()


@router.get("/recovery")
async def recovery_left(services: InjectedServices, who: Person) -> bodies.RecoveryLeft:
    """Return the number of my unused recovery codes."""
    return bodies.RecoveryLeft(left=await services.recovery.count_unused(who.id))


@router.post("/recovery", dependencies=[Depends(limit_sign_ins)])
async def new_recovery(
    services: InjectedServices, who: Person, body: bodies.RecoveryBody
) -> bodies.RecoveryCodes:
    """Create recovery codes for my account."""
    return bodies.RecoveryCodes(codes=await services.recovery_codes.make(who, body.password))


@router.post("/recover", dependencies=[Depends(limit_sign_ins)])
async def recover(
    cookies: InjectedCookies, services: InjectedServices, body: bodies.RecoverBody
) -> bodies.Person:
    """Set a new password with a recovery code and sign in. All sessions and one-time links end."""
    person = await services.recovery_codes.use(
        body.name, body.code, body.password, origin_of(cookies.request)
    )
    return await cookies.admit(person, alone=True)


@router.get("/sessions")
async def my_sessions(
    cookies: InjectedCookies, services: InjectedServices, who: Person
) -> bodies.SessionList:
    """List my sessions."""
    here = session_id(cookies.token)
    rows = await services.sessions.of(who.id)
    sessions = [
        bodies.SessionInfo.of(row, since=iso(row.since), seen=iso(row.seen), here=row.id == here)
        for row in rows
    ]
    return bodies.SessionList(sessions=sessions, password=who.password is not None)


@router.delete("/sessions")
async def end_others(cookies: InjectedCookies, services: InjectedServices, who: Person) -> Done:
    """End all my other sessions; my one-time links stop working."""
    await services.sessions.end_others(who.id, cookies.token)
    cookies.close_other_sockets(who, cookies.token)
    return Done()


@router.delete("/sessions/{session}")
async def end_one(
    services: InjectedServices,
    who: Person,
    session: Annotated[str, Path(pattern="^[0-9a-f]{16}$")],
) -> Done:
    """End one of my sessions."""
    await services.sessions.end_one(who.id, session)
    services.links.announce(SIGNED_OUT, EndedSessions(who.id, session))
    return Done()


@router.get("/people")
async def everybody(services: InjectedServices, who: Person) -> bodies.PersonList:
    """List all people with an account (admins only)."""
    demand(who, ("admin",))
    people = await services.accounts.all()
    playing = await services.seating.playing([person.id for person in people])
    return bodies.PersonList(people=[public_person_at(person, playing) for person in people])


@router.post("/people/{person_id}/role")
async def give_role(
    services: InjectedServices, who: Person, person_id: Id, body: bodies.RoleBody
) -> bodies.Person:
    """Give a person a role (admins only)."""
    demand(who, ("admin",))
    person = await services.accounts.find(person_id)
    if person is None:
        raise ServerError("no_person")
    await services.sign_in.give_role(person_id, body.role)
    person = replace(person, role=body.role)
    services.links.announce(ROLE_CHANGED, person_id, body.role)
    return await public_person(services, person)


STATE = "jantaku_oidc"  # state of the OpenID sign-in that this browser has begun
ENTERING = [Depends(limit_sign_ins)]


async def _ways(services: InjectedServices, who: PersonRow) -> bodies.SignInWays:
    stored = services.sign_in
    return bodies.SignInWays(
        address=await stored.has_address(who.id),
        passkeys=[
            bodies.PasskeyInfo(id=passkey.id, device=passkey.name, since=iso(passkey.created))
            for passkey in await stored.passkeys_of(who.id)
        ],
        oidc=await stored.has_identity(who.id),
    )


@router.get("/me/ways")
async def ways(services: InjectedServices, who: Person) -> bodies.SignInWays:
    """List the sign-in methods of my account."""
    return await _ways(services, who)


@router.post("/me/address", dependencies=ENTERING)
async def new_address(services: InjectedServices, who: Person, body: bodies.AddressBody) -> Done:
    """Send a link that confirms a mail address for my account."""
    await services.mail_recovery.begin(who, body.address, body.password)
    return Done()


@router.post("/me/address/remove", dependencies=ENTERING)
async def no_address(services: InjectedServices, who: Person, body: bodies.OwnPassword) -> bodies.SignInWays:
    """Remove the mail address from my account."""
    await services.mail_recovery.remove(who, body.password)
    return await _ways(services, who)


@router.post("/address/confirm", dependencies=ENTERING)
async def confirm_address(services: InjectedServices, who: Person, body: bodies.AddressToken) -> Done:
    """Confirm a mail address for my account with the link sent there."""
    await services.mail_recovery.confirm(who, body.token)
    return Done()


@router.post("/forgotten", dependencies=ENTERING)
async def forgotten(services: InjectedServices, body: bodies.ForgottenBody) -> Done:
    """Mail links for setting a new password; the response does not reveal whether the address is known."""
    await services.mail_recovery.ask(body.address, body.language)
    return Done()


@router.post("/forgotten/password", dependencies=ENTERING)
async def new_password(
    cookies: InjectedCookies, services: InjectedServices, body: bodies.NewPasswordBody
) -> bodies.Person:
    """Set a new password with a mailed link and sign in. All other ways into the account end."""
    owner = await services.accounts.find(await services.mail_recovery.use(body.token, body.password))
    if owner is None:
        raise ServerError("link_used")
    return await cookies.admit(owner, alone=True)


@router.post("/me/passkeys/begin", dependencies=ENTERING)
async def begin_passkey(
    request: Request, services: InjectedServices, who: Person, body: bodies.OwnPassword
) -> bodies.PasskeyOptions:
    """Begin to register a passkey for my account."""
    site = site_of(request, services.settings)
    return bodies.PasskeyOptions(options=await services.passkeys.begin(who, body.password, site))


@router.post("/me/passkeys", dependencies=ENTERING)
async def add_passkey(
    request: Request, services: InjectedServices, who: Person, body: bodies.PasskeyBody
) -> bodies.SignInWays:
    """Register the passkey created by my device."""
    known_as = device(request.headers.get("user-agent", ""))
    await services.passkeys.add(who, body.credential, known_as, site_of(request, services.settings))
    return await _ways(services, who)


@router.delete("/me/passkeys/{passkey}")
async def remove_passkey(
    services: InjectedServices,
    who: Person,
    passkey: Annotated[str, Path(pattern="^[0-9a-f]{64}$")],
) -> bodies.SignInWays:
    """Remove a passkey from my account; refused (``last_way``) if it is the only way to sign in."""
    await services.sign_in.remove_passkey(who.id, passkey)
    return await _ways(services, who)


@router.post("/passkey/begin", dependencies=ENTERING)
async def passkey_challenge(request: Request, services: InjectedServices) -> bodies.PasskeyOptions:
    """Begin to sign in with a passkey."""
    site = site_of(request, services.settings)
    return bodies.PasskeyOptions(options=await services.passkeys.challenge(site))


@router.post("/passkey", dependencies=ENTERING)
async def enter_by_passkey(
    cookies: InjectedCookies, services: InjectedServices, body: bodies.PasskeyBody
) -> bodies.Person:
    """Sign in with a passkey."""
    owner = await services.passkeys.enter(body.credential, site_of(cookies.request, services.settings))
    return await cookies.admit(owner)


@router.post("/oidc", dependencies=ENTERING)
async def begin_oidc(
    response: Response,
    services: InjectedServices,
    who: OptionalUser,
    body: bodies.OpenIdBody,
) -> bodies.OpenIdBegun:
    """Begin to sign in at the OpenID provider; on their first sign-in, guests get an account."""
    url, state = await services.openid.begin(who, body.password, link=body.link)
    secure = services.settings.public_url.startswith("https:")
    response.set_cookie(
        STATE, state, max_age=OPENID_LASTS_S, httponly=True, samesite="lax", secure=secure, path="/api/oidc"
    )
    return bodies.OpenIdBegun(url=url)


@router.delete("/me/oidc")
async def no_oidc(services: InjectedServices, who: Person) -> bodies.SignInWays:
    """Unlink the OpenID provider from my account; refused (``last_way``) if it is the only way to sign in."""
    await services.sign_in.remove_identities(who.id)
    return await _ways(services, who)


@router.get("/oidc/callback", dependencies=ENTERING, include_in_schema=False)
async def oidc_callback(
    request: Request,
    services: InjectedServices,
    who: OptionalUser,
    code: Annotated[str, Query(max_length=4096)] = "",
    state: Annotated[str, Query(max_length=128)] = "",
) -> Response:
    """Finish the sign-in when the provider redirects back, and redirect to the settings."""
    language = answer_language(request)
    answer = RedirectResponse("/settings", 303)
    try:
        kept = token_of(request, STATE)
        signed = await services.openid.finish(who, code, state, kept, language)
        if who is None or who.id != signed.id or who.guest:
            await SessionCookies(request, answer, services).admit(
                signed, alone=who is not None and who.id == signed.id
            )
    except JantakuError as error:
        answer = RedirectResponse(f"/settings?refused={error.code}", 303)
    answer.delete_cookie(STATE, path="/api/oidc")
    return answer


@router.get("/disk")
async def disk(
    services: InjectedServices,
    language: RequestLanguage,
    asker: Requester,
    who: Person,
) -> DiskInfo:
    """Return the size of the database, by kind and by person (admins only)."""
    demand(who, ("admin",))
    async with services.figures.turn(asker):
        use = await disk_use(services.store)

    def listed(kinds: dict[str, int]) -> list[DiskKind]:
        names = {kind: terms.text(f"server.disk.{kind}", language) for kind in kinds}
        rows = [DiskKind(kind=kind, name=names[kind], bytes=size) for kind, size in kinds.items()]
        return sorted(rows, key=lambda row: -row.bytes)

    nobody = terms.text("server.disk.nobody", language)
    return DiskInfo(
        bytes=use.total,
        kinds=listed(use.kinds),
        people=[
            DiskPerson(
                id=person.person, name=person.name or nobody, bytes=person.total, kinds=listed(person.kinds)
            )
            for person in use.people
        ],
    )


async def _shown(services: InjectedServices, days: Mapping[str, int], language: Language) -> KeepingInfo:
    touched = await services.retention.preview(days)
    return KeepingInfo(
        kinds=[
            KeptInfo.of(
                kind,
                days=days.get(kind.name, kind.default),
                usual=kind.default,
                least=kind.minimum,
                rows=touched[kind.name].rows,
                bytes=touched[kind.name].bytes,
                **{
                    part: terms.text(f"server.keeping.{kind.name}.{part}", language)
                    for part in ("label", "lost")
                },
            )
            for kind in KINDS
        ]
    )


@router.get("/keeping")
async def kept(
    services: InjectedServices,
    language: RequestLanguage,
    asker: Requester,
    who: Person,
) -> KeepingInfo:
    """Return the retention of each kind of data (admins only)."""
    demand(who, ("admin",))
    async with services.figures.turn(asker):
        return await _shown(services, await services.retention.days(), language)


@router.post("/keeping/preview")
async def preview(
    services: InjectedServices,
    language: RequestLanguage,
    asker: Requester,
    who: Person,
    body: KeepingBody,
) -> KeepingInfo:
    """Return what these retention periods would compress or delete (admins only)."""
    demand(who, ("admin",))
    async with services.figures.turn(asker):
        return await _shown(services, {kind.name: kind.days for kind in body.kinds}, language)


@router.put("/keeping")
async def keep(
    services: InjectedServices,
    language: RequestLanguage,
    asker: Requester,
    who: Person,
    body: KeepingBody,
) -> KeepingInfo:
    """Save the retention periods; older data is compressed or deleted within a day (admins only)."""
    demand(who, ("admin",))
    days = {kind.name: kind.days for kind in body.kinds}
    await services.retention.save(days)
    async with services.figures.turn(asker):
        return await _shown(services, days, language)
