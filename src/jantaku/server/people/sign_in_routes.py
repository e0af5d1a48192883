"""The ways into an account besides its password: by mail, with a passkey, at the OpenID provider."""

from typing import Annotated

from fastapi import Depends, Path, Query, Request, Response
from starlette.responses import RedirectResponse

from jantaku.errors import JantakuError
from jantaku.server.edge.bodies import Done, router_of
from jantaku.server.errors import ServerError
from jantaku.server.people import asking
from jantaku.server.people import sign_in_bodies as bodies
from jantaku.server.people.account_kit import Accounting, AccountKit
from jantaku.server.people.admitting import AtDoor, Door, iso
from jantaku.server.people.device_names import device
from jantaku.server.people.openid import LASTS_S
from jantaku.server.people.passkeys import site_of
from jantaku.server.people.people_bodies import Person
from jantaku.server.storage.people import PersonRow

router = router_of("/api", "people")
STATE = "jantaku_oidc"  # the state of a sign-in at the provider that this browser has begun
ENTERING = [Depends(asking.entering)]


async def _ways(kit: AccountKit, who: PersonRow) -> bodies.SignInWays:
    stored = kit.services.sign_in
    return bodies.SignInWays(
        address=await stored.has_address(who.id),
        passkeys=[
            bodies.PasskeyInfo(id=passkey.id, device=passkey.name, since=iso(passkey.created))
            for passkey in await stored.passkeys_of(who.id)
        ],
        oidc=await stored.has_identity(who.id),
    )


@router.get("/me/ways")
async def ways(kit: Accounting, who: asking.Person) -> bodies.SignInWays:
    """The ways into my account."""
    return await _ways(kit, who)


@router.post("/me/address", dependencies=ENTERING)
async def new_address(kit: Accounting, who: asking.Person, body: bodies.AddressBody) -> Done:
    """Send a link that confirms a mail address for my account."""
    await kit.ways.mail.begin(who, body.address, body.password)
    return Done()


@router.post("/me/address/remove", dependencies=ENTERING)
async def no_address(kit: Accounting, who: asking.Person, body: bodies.OwnPassword) -> bodies.SignInWays:
    """Forget the mail address of my account."""
    await kit.ways.mail.remove(who, body.password)
    return await _ways(kit, who)


@router.post("/address/confirm", dependencies=ENTERING)
async def confirm_address(kit: Accounting, who: asking.Person, body: bodies.AddressToken) -> Done:
    """Confirm a mail address of my account by the link that was sent there."""
    await kit.ways.mail.confirm(who, body.token)
    return Done()


@router.post("/forgotten", dependencies=ENTERING)
async def forgotten(kit: Accounting, body: bodies.ForgottenBody) -> Done:
    """Send links that set a new password to a mail address, if an account has it; nothing tells whether."""
    await kit.ways.mail.ask(body.address, body.language)
    return Done()


@router.post("/forgotten/password", dependencies=ENTERING)
async def new_password(door: AtDoor, kit: Accounting, body: bodies.NewPasswordBody) -> Person:
    """Set a new password by a link from a mail, and sign in. Every other way into the account ends."""
    owner = await kit.services.accounts.find(await kit.ways.mail.use(body.token, body.password))
    if owner is None:
        raise ServerError("link_used")
    return await door.admit(owner, alone=True)


@router.post("/me/passkeys/begin", dependencies=ENTERING)
async def begin_passkey(
    request: Request, kit: Accounting, who: asking.Person, body: bodies.OwnPassword
) -> bodies.PasskeyOptions:
    """Begin to make a passkey for my account."""
    site = site_of(request, kit.services.settings)
    return bodies.PasskeyOptions(options=await kit.ways.passkeys.begin(who, body.password, site))


@router.post("/me/passkeys", dependencies=ENTERING)
async def add_passkey(
    request: Request, kit: Accounting, who: asking.Person, body: bodies.PasskeyBody
) -> bodies.SignInWays:
    """Keep the passkey that my device has made."""
    known_as = device(request.headers.get("user-agent", ""))
    await kit.ways.passkeys.add(who, body.credential, known_as, site_of(request, kit.services.settings))
    return await _ways(kit, who)


@router.delete("/me/passkeys/{passkey}")
async def remove_passkey(
    kit: Accounting, who: asking.Person, passkey: Annotated[str, Path(pattern="^[0-9a-f]{64}$")]
) -> bodies.SignInWays:
    """Let a passkey open my account no longer. Raises ``last_way`` where nothing else does."""
    await kit.services.sign_in.remove_passkey(who.id, passkey)
    return await _ways(kit, who)


@router.post("/passkey/begin", dependencies=ENTERING)
async def passkey_challenge(request: Request, kit: Accounting) -> bodies.PasskeyOptions:
    """Begin to sign in with a passkey."""
    site = site_of(request, kit.services.settings)
    return bodies.PasskeyOptions(options=await kit.ways.passkeys.challenge(site))


@router.post("/passkey", dependencies=ENTERING)
async def enter_by_passkey(door: AtDoor, kit: Accounting, body: bodies.PasskeyBody) -> Person:
    """Sign in with a passkey."""
    owner = await kit.ways.passkeys.enter(body.credential, site_of(door.request, kit.services.settings))
    return await door.admit(owner)


@router.post("/oidc", dependencies=ENTERING)
async def begin_oidc(
    response: Response, kit: Accounting, who: asking.Whoever, body: bodies.OpenIdBody
) -> bodies.OpenIdBegun:
    """Begin to sign in at the OpenID provider. A guest whom it does not know becomes an account."""
    url, state = await kit.ways.openid.begin(who, body.password, link=body.link)
    secure = kit.services.settings.public_url.startswith("https:")
    response.set_cookie(
        STATE, state, max_age=LASTS_S, httponly=True, samesite="lax", secure=secure, path="/api/oidc"
    )
    return bodies.OpenIdBegun(url=url)


@router.delete("/me/oidc")
async def no_oidc(kit: Accounting, who: asking.Person) -> bodies.SignInWays:
    """Let the OpenID provider open my account no longer. Raises ``last_way`` where nothing else does."""
    await kit.services.sign_in.remove_identities(who.id)
    return await _ways(kit, who)


@router.get("/oidc/callback", dependencies=ENTERING, include_in_schema=False)
async def oidc_callback(
    request: Request,
    kit: Accounting,
    who: asking.Whoever,
    code: Annotated[str, Query(max_length=4096)] = "",
    state: Annotated[str, Query(max_length=128)] = "",
) -> Response:
    """Where the provider sends people back to; they go on to a page."""
    language = asking.answer_language(request)
    answer = RedirectResponse("/settings", 303)
    try:
        kept = asking.token_of(request, STATE)
        signed = await kit.ways.openid.finish(who, code, state, kept, language)
        if who is None or who.id != signed.id or who.guest:
            await Door(request, answer, kit).admit(signed, alone=who is not None and who.id == signed.id)
    except JantakuError as error:
        answer = RedirectResponse(f"/settings?refused={error.code}", 303)
    answer.delete_cookie(STATE, path="/api/oidc")
    return answer
