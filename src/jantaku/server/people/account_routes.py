"""Signing in and out, accounts and sessions."""

from typing import Annotated

from fastapi import Depends, Path, Request

from jantaku.server.edge.bodies import Done, router_of
from jantaku.server.edge.pages import base_of_links, qr_code
from jantaku.server.errors import ServerError
from jantaku.server.people import asking
from jantaku.server.people import people_bodies as bodies
from jantaku.server.people.account_kit import Accounting
from jantaku.server.people.admitting import AtDoor, iso, shown, shown_with
from jantaku.server.people.roles import demand
from jantaku.server.storage.sign_in import EndedSessions, session_id

router = router_of("/api", "people")
Id = Annotated[str, Path(max_length=64)]


@router.get("/me")
async def me(door: AtDoor, kit: Accounting, who: asking.Whoever) -> bodies.Me:
    """The signed-in person."""
    if who is not None:
        known = who.guest or asking.token_of(door.request, asking.KNOWN)
        if not (known and asking.token_of(door.request, asking.BROWSER)):
            await door.mark(who)
        await door.renew()
    return bodies.Me(
        person=None if who is None else await shown(kit, who),
        mail=kit.ways.mail.possible,
        oidc=kit.ways.openid.name,
    )


@router.patch("/me")
async def change_me(
    kit: Accounting, who: asking.Person, asker: asking.Asking, body: bodies.PersonPatch
) -> bodies.Person:
    """Change my name or language. The account name for signing in stays the same."""
    if body.name is not None:
        asking.naming(kit, asker)
        who = await kit.accounts.rename(who, body.name)
    if body.language is not None:
        await kit.services.accounts.change(who.id, language=body.language)
        who = who._replace(language=body.language)
    return await shown(kit, who)


@router.post(
    "/guest", dependencies=[Depends(asking.not_twice), Depends(asking.entering), Depends(asking.new_guest)]
)
async def guest(door: AtDoor, kit: Accounting, body: bodies.GuestBody) -> bodies.Person:
    """Sign in as a guest with a name only."""
    person = await kit.accounts.guest(body.name, body.language)
    return await door.admit(person)


@router.post("/register", dependencies=[Depends(asking.entering), Depends(asking.new_account)])
async def register(
    door: AtDoor, kit: Accounting, who: asking.Whoever, body: bodies.RegisterBody
) -> bodies.Person:
    """Open an account. A guest keeps their seats and games and is signed out everywhere else."""
    person = await kit.accounts.register(
        who, body.name, body.password, body.language, asking.origin_of(door.request)
    )
    return await door.admit(person, alone=True)


@router.post("/login", dependencies=[Depends(asking.entering)])
async def login(door: AtDoor, kit: Accounting, body: bodies.LoginBody) -> bodies.Person:
    """Sign in with a password."""
    person = await kit.accounts.login(body.name, body.password, asking.origin_of(door.request))
    return await door.admit(person)


@router.post("/link", dependencies=[Depends(asking.not_twice), Depends(asking.entering)])
async def link(request: Request, kit: Accounting, who: asking.Person, body: bodies.LinkBody) -> bodies.Link:
    """Create a link that signs in once."""
    token, expires = await kit.accounts.link(who, body.name, body.role)
    base = base_of_links(request, kit.services.settings)
    url = f"{base}/enter/{token}"
    return bodies.Link(url=url, expires=iso(expires), qr=qr_code(url))


@router.post("/enter", dependencies=[Depends(asking.entering)])
async def enter(door: AtDoor, kit: Accounting, body: bodies.TokenBody) -> bodies.Person:
    """Sign in by a link."""
    person = await kit.services.one_time_links.use(body.token)
    kit.services.links.announce("role", person)
    return await door.admit(person)


@router.post("/logout")
async def logout(door: AtDoor, kit: Accounting) -> Done:
    """Sign out."""
    if door.token:
        await kit.services.sessions.end(door.token)
        kit.services.links.announce("signed_out", EndedSessions(session=session_id(door.token)))
    door.response.delete_cookie(asking.COOKIE, path="/")
    return Done()


@router.post("/password", dependencies=[Depends(asking.entering)])
async def change_password(
    door: AtDoor, kit: Accounting, who: asking.Person, body: bodies.PasswordBody
) -> Done:
    """Change my password. All my other sessions and my one-time links end."""
    await kit.accounts.change_password(who, body.old, body.new, door.token)
    door.only_here(who, door.token)
    await door.mark(who)
    return Done()


@router.get("/recovery")
async def recovery_left(kit: Accounting, who: asking.Person) -> bodies.RecoveryLeft:
    """How many of my recovery codes are unused."""
    return bodies.RecoveryLeft(left=await kit.services.recovery.left(who.id))


@router.post("/recovery", dependencies=[Depends(asking.entering)])
async def new_recovery(
    kit: Accounting, who: asking.Person, body: bodies.RecoveryBody
) -> bodies.RecoveryCodes:
    """Make recovery codes for my account."""
    return bodies.RecoveryCodes(codes=await kit.recovery.make(who, body.password))


@router.post("/recover", dependencies=[Depends(asking.entering)])
async def recover(door: AtDoor, kit: Accounting, body: bodies.RecoverBody) -> bodies.Person:
    """Set a new password by a recovery code and sign in. All sessions and one-time links end."""
    person = await kit.recovery.use(body.name, body.code, body.password, asking.origin_of(door.request))
    return await door.admit(person, alone=True)


@router.get("/sessions")
async def my_sessions(door: AtDoor, kit: Accounting, who: asking.Person) -> bodies.SessionList:
    """The list of my sessions."""
    here = session_id(door.token)
    rows = await kit.services.sessions.of(who.id)
    sessions = [
        bodies.SessionInfo.of(
            row,
            since=None if row.since is None else iso(row.since),
            seen=None if row.seen is None else iso(row.seen),
            here=row.id == here,
        )
        for row in rows
    ]
    return bodies.SessionList(
        sessions=sessions, password=await kit.services.accounts.password(who.id) is not None
    )


@router.delete("/sessions")
async def end_others(door: AtDoor, kit: Accounting, who: asking.Person) -> Done:
    """Sign out everywhere but here; my one-time links stop working."""
    await kit.services.sessions.end_others(who.id, door.token)
    door.only_here(who, door.token)
    return Done()


@router.delete("/sessions/{session}")
async def end_one(
    kit: Accounting, who: asking.Person, session: Annotated[str, Path(pattern="^[0-9a-f]{16}$")]
) -> Done:
    """Sign out one of my sessions."""
    await kit.services.sessions.end_one(who.id, session)
    kit.services.links.announce("signed_out", EndedSessions(who.id, session))
    return Done()


@router.get("/people")
async def everybody(kit: Accounting, who: asking.Person) -> bodies.PersonList:
    """Everyone with an account (admins only)."""
    demand(who, ("admin",))
    people = await kit.services.accounts.all()
    playing = await kit.services.seating.playing([person.id for person in people])
    return bodies.PersonList(people=[shown_with(person, playing) for person in people])


@router.post("/people/{person_id}/role")
async def give_role(
    kit: Accounting, who: asking.Person, person_id: Id, body: bodies.RoleBody
) -> bodies.Person:
    """Give a person a role (admins only)."""
    demand(who, ("admin",))
    person = await kit.services.accounts.find(person_id)
    if person is None:
        raise ServerError("no_person")
    await kit.services.accounts.give_role(person_id, body.role)
    person = person._replace(role=body.role)
    kit.services.links.announce("role", person)
    return await shown(kit, person)
