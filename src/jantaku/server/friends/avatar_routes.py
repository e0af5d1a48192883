"""Pictures of people: chosen, shown, reported, and removed by organisers and admins."""

from typing import Annotated, Final

from fastapi import Depends, Path, Response

from jantaku.server.edge.routing import router_of
from jantaku.server.edge.shared_bodies import Done
from jantaku.server.errors import ServerError
from jantaku.server.friends import avatar_bodies as bodies
from jantaku.server.friends.avatar_jobs import cut
from jantaku.server.friends.friends_kit import ForFriends, FriendsKit
from jantaku.server.people.asking import Asking, Person, changing_mind
from jantaku.server.people.roles import REMOVES_PICTURES, demand

router = router_of("/api", "friends")
PersonId = Annotated[str, Path(max_length=16)]
Mark = Annotated[str, Path(pattern="^[0-9a-f]{16}$")]
FOR_EVER: Final = "private, max-age=31536000, immutable"


def _tell(kit: FriendsKit, person: str, mark: str | None) -> None:
    kit.services.links.announce("avatar", [person, mark])


@router.put("/me/picture", dependencies=[Depends(changing_mind)])
async def choose(kit: ForFriends, asker: Asking, who: Person, body: bodies.PictureBody) -> bodies.OwnPicture:
    """Show a picture of my own instead of the drawn face; it takes an account."""
    if who.guest:
        raise ServerError("account_needed")
    mark = await kit.services.avatars.put(who.id, await kit.workers.run(asker, cut, body.picture))
    _tell(kit, who.id, mark)
    return bodies.OwnPicture(mark=mark)


@router.delete("/me/picture", dependencies=[Depends(changing_mind)])
async def withdraw(kit: ForFriends, who: Person) -> bodies.OwnPicture:
    """Show the drawn face again."""
    await kit.services.avatars.withdraw(who.id)
    _tell(kit, who.id, None)
    return bodies.OwnPicture(mark=None)


@router.get("/pictures")
async def reported(kit: ForFriends, who: Person) -> bodies.ReportedPictures:
    """The reported pictures (organisers and admins)."""
    demand(who, REMOVES_PICTURES)
    reports = await kit.services.avatars.reported()
    return bodies.ReportedPictures(pictures=list(map(bodies.ReportedPicture.of, reports)))


@router.get("/people/{person_id}/picture/{mark}", response_class=Response)
async def picture(kit: ForFriends, person_id: PersonId, mark: Mark) -> Response:
    """The picture of a person."""
    picture = await kit.services.avatars.picture(person_id, mark)
    if picture is None:
        raise ServerError("no_picture")
    return Response(picture, media_type="image/webp", headers={"cache-control": FOR_EVER})


@router.post("/people/{person_id}/picture/report", dependencies=[Depends(changing_mind)])
async def report(kit: ForFriends, who: Person, person_id: PersonId) -> Done:
    """Report a picture to those who look after the parlour."""
    if who.guest:
        raise ServerError("account_needed")
    await kit.services.avatars.report(person_id, who.id)
    return Done()


@router.delete("/people/{person_id}/picture/{mark}")
async def remove(kit: ForFriends, who: Person, person_id: PersonId, mark: Mark) -> Done:
    """Remove this picture; its person shows none for a month (organisers and admins)."""
    demand(who, REMOVES_PICTURES)
    await kit.services.avatars.remove(person_id, mark)
    _tell(kit, person_id, None)
    return Done()


@router.post("/people/{person_id}/picture/{mark}/keep")
async def keep(kit: ForFriends, who: Person, person_id: PersonId, mark: Mark) -> Done:
    """Let this picture stay, which others have reported (organisers and admins)."""
    demand(who, REMOVES_PICTURES)
    await kit.services.avatars.clear(person_id, mark)
    return Done()
