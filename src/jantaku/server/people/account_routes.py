"""Signing in and out, accounts and sessions."""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends, Path, Request, Response

from jantaku.server.edge.links import base_of_links, qr_code
from jantaku.server.edge.routing import router_of
from jantaku.server.edge.shared_bodies import Done
from jantaku.server.errors import ServerError
from jantaku.server.people.account_kit import Accounting, AccountKit
from jantaku.server.people.accounts import demand
from jantaku.server.people.asking import (
    BROWSER,
    COOKIE,
    KNOWN,
    Asking,
    Person,
    Whoever,
    entering,
    naming,
    new_account,
    new_guest,
    not_twice,
    origin_of,
    token_of,
)
from jantaku.server.people.devices import device
from jantaku.server.people.people_bodies import (
    GuestBody,
    Link,
    LinkBody,
    LoginBody,
    Me,
    PasswordBody,
    PersonList,
    PersonPatch,
    RecoverBody,
    RecoveryBody,
    RecoveryCodes,
    RecoveryLeft,
    RegisterBody,
    RoleBody,
    SessionInfo,
    SessionList,
    TokenBody,
)
from jantaku.server.people.people_bodies import Person as PersonOut
from jantaku.server.storage.accounts import DAY_MS, PersonRow, new_id
from jantaku.server.storage.sessions import session_id

router = router_of("/api", "people")
Id = Annotated[str, Path(max_length=64)]


def shown(kit: AccountKit, person: PersonRow) -> PersonOut:
    """A person as other people see them."""
    return PersonOut.model_validate(
        {
            "id": person.id,
            "name": person.name,
            "role": person.role,
            "guest": person.guest,
            "language": person.language,
            "table": kit.presence.playing_at(person.id),
        }
    )


async def _admit(
    request: Request, response: Response, kit: Accounting, person: PersonRow, *, alone: bool = False
) -> PersonOut:
    """Start a session and set its cookie; ``alone``: all other sessions of the person have ended."""
    settings = kit.services.settings
    old = token_of(request, COOKIE)
    known_as = device(request.headers.get("user-agent", ""))
    token = await kit.services.sessions.begin(person.id, settings.session_days, known_as)
    if old:
        await kit.services.sessions.end(old)
        kit.presence.signed_in_anew(old, person, token)
    if alone:
        _only_here(kit, person, token)
    _set_cookie(request, response, kit, COOKIE, token)
    await _mark(request, response, kit, person)
    return shown(kit, person)


def _iso(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="seconds")


def _set_cookie(request: Request, response: Response, kit: Accounting, name: str, token: str) -> None:
    settings = kit.services.settings
    response.set_cookie(
        name,
        token,
        max_age=settings.session_days * DAY_MS // 1000,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https" or settings.public_url.startswith("https:"),
        path="/",
    )


async def _renew(request: Request, response: Response, kit: Accounting) -> None:
    """Extend the session of a person who keeps using it."""
    token = token_of(request, COOKIE)
    with suppress(ServerError):  # while storage is lost, a later request can do it
        if await kit.services.sessions.renew(token, kit.services.settings.session_days):
            _set_cookie(request, response, kit, COOKIE, token)


async def _mark(request: Request, response: Response, kit: Accounting, person: PersonRow) -> None:
    """Give the browser a mark if it has none, and the sign that ``person`` has signed in there."""
    origin = origin_of(request)
    if not origin.browser:
        origin = origin._replace(browser=new_id())
        _set_cookie(request, response, kit, BROWSER, origin.browser)
    signs = await kit.accounts.sign(person, origin)
    if signs != origin.signs:
        _set_cookie(request, response, kit, KNOWN, signs)


@router.get("/me")
async def me(request: Request, response: Response, kit: Accounting, who: Whoever) -> Me:
    """The signed-in person."""
    if who is not None:
        if not (token_of(request, BROWSER) and (who.guest or token_of(request, KNOWN))):
            await _mark(request, response, kit, who)
        await _renew(request, response, kit)
    return Me(person=None if who is None else shown(kit, who))


@router.patch("/me")
async def change_me(kit: Accounting, who: Person, asker: Asking, body: PersonPatch) -> PersonOut:
    """Change my name or language. The account name for signing in stays the same."""
    if body.name is not None:
        naming(kit, asker)
        who = await kit.accounts.rename(who, body.name)
    if body.language is not None:
        await kit.services.accounts.change(who.id, language=body.language)
        who = who._replace(language=body.language)
    return shown(kit, who)


@router.post("/guest", dependencies=[Depends(not_twice), Depends(entering), Depends(new_guest)])
async def guest(request: Request, response: Response, kit: Accounting, body: GuestBody) -> PersonOut:
    """Sign in as a guest with a name only."""
    person = await kit.accounts.guest(body.name, body.language)
    return await _admit(request, response, kit, person)


@router.post("/register", dependencies=[Depends(entering), Depends(new_account)])
async def register(
    request: Request, response: Response, kit: Accounting, who: Whoever, body: RegisterBody
) -> PersonOut:
    """Open an account. A guest keeps their seats and games and is signed out everywhere else."""
    person = await kit.accounts.register(who, body.name, body.password, body.language, origin_of(request))
    return await _admit(request, response, kit, person, alone=True)


@router.post("/login", dependencies=[Depends(entering)])
async def login(request: Request, response: Response, kit: Accounting, body: LoginBody) -> PersonOut:
    """Sign in with a password."""
    person = await kit.accounts.login(body.name, body.password, origin_of(request))
    return await _admit(request, response, kit, person)


@router.post("/link", dependencies=[Depends(not_twice), Depends(entering)])
async def link(request: Request, kit: Accounting, who: Person, body: LinkBody) -> Link:
    """Create a link that signs in once."""
    token, expires = await kit.accounts.link(who, body.name, body.role)
    base = base_of_links(request, kit.services.settings)
    url = f"{base}/enter/{token}"
    return Link(url=url, expires=_iso(expires), qr=qr_code(url))


@router.post("/enter", dependencies=[Depends(entering)])
async def enter(request: Request, response: Response, kit: Accounting, body: TokenBody) -> PersonOut:
    """Sign in by a link."""
    person = await kit.services.sessions.use_link(body.token)
    kit.role_changed(person)
    return await _admit(request, response, kit, person)


@router.post("/logout")
async def logout(request: Request, response: Response, kit: Accounting) -> Done:
    """Sign out."""
    token = token_of(request, COOKIE)
    if token:
        await kit.services.sessions.end(token)
        kit.presence.signed_out(lambda connection: connection.session == token)
    response.delete_cookie(COOKIE, path="/")
    return Done()


def _only_here(kit: AccountKit, person: PersonRow, token: str) -> None:
    """Close the person's sockets from all sessions but this one."""
    kit.presence.signed_out(lambda one: one.person.id == person.id and one.session != token)


@router.post("/password", dependencies=[Depends(entering)])
async def change_password(
    request: Request, response: Response, kit: Accounting, who: Person, body: PasswordBody
) -> Done:
    """Change my password. All my other sessions and my one-time links end."""
    token = token_of(request, COOKIE)
    await kit.accounts.change_password(who, body.old, body.new, token)
    _only_here(kit, who, token)
    await _mark(request, response, kit, who)
    return Done()


@router.get("/recovery")
async def recovery_left(kit: Accounting, who: Person) -> RecoveryLeft:
    """How many of my recovery codes are unused."""
    return RecoveryLeft(left=await kit.recovery.left(who))


@router.post("/recovery", dependencies=[Depends(entering)])
async def new_recovery(kit: Accounting, who: Person, body: RecoveryBody) -> RecoveryCodes:
    """Make recovery codes for my account."""
    return RecoveryCodes(codes=await kit.recovery.make(who, body.password))


@router.post("/recover", dependencies=[Depends(entering)])
async def recover(request: Request, response: Response, kit: Accounting, body: RecoverBody) -> PersonOut:
    """Set a new password by a recovery code and sign in. All sessions and one-time links end."""
    person = await kit.recovery.use(body.name, body.code, body.password, origin_of(request))
    return await _admit(request, response, kit, person, alone=True)


@router.get("/sessions")
async def my_sessions(request: Request, kit: Accounting, who: Person) -> SessionList:
    """The list of my sessions."""
    here = session_id(token_of(request, COOKIE))
    rows = await kit.services.sessions.of(who.id)
    found = [
        SessionInfo(
            id=row.id,
            device=row.device,
            since=None if row.since is None else _iso(row.since),
            seen=None if row.seen is None else _iso(row.seen),
            here=row.id == here,
        )
        for row in rows
    ]
    return SessionList(sessions=found, password=await kit.services.accounts.password(who.id) is not None)


@router.delete("/sessions")
async def end_others(request: Request, kit: Accounting, who: Person) -> Done:
    """Sign out everywhere but here; my one-time links stop working."""
    token = token_of(request, COOKIE)
    await kit.services.sessions.end_others(who.id, token)
    _only_here(kit, who, token)
    return Done()


@router.delete("/sessions/{session}")
async def end_one(
    kit: Accounting, who: Person, session: Annotated[str, Path(pattern="^[0-9a-f]{16}$")]
) -> Done:
    """Sign out one of my sessions."""
    await kit.services.sessions.end_one(who.id, session)
    kit.presence.signed_out(lambda one: one.person.id == who.id and session_id(one.session) == session)
    return Done()


@router.get("/people")
async def everybody(kit: Accounting, who: Person) -> PersonList:
    """Everyone with an account (admins only)."""
    demand(who, ("admin",))
    return PersonList(people=[shown(kit, person) for person in await kit.services.accounts.all()])


@router.post("/people/{person_id}/role")
async def give_role(kit: Accounting, who: Person, person_id: Id, body: RoleBody) -> PersonOut:
    """Give a person a role (admins only)."""
    demand(who, ("admin",))
    person = await kit.services.accounts.find(person_id)
    if person is None:
        raise ServerError("no_person")
    await kit.services.accounts.give_role(person_id, body.role)
    person = person._replace(role=body.role)
    kit.role_changed(person)
    return shown(kit, person)
