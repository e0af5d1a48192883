"""Bodies of people's pictures."""

from typing import Annotated

from pydantic import Field

from jantaku.server.edge.wire import Wire
from jantaku.server.friends.friends_bodies import NamedPerson

MOST_PICTURE = 120_000  # letters of base64


class PictureBody(Wire):
    """A PNG, JPEG or WebP in base64; it is cut to a square."""

    picture: Annotated[str, Field(min_length=1, max_length=MOST_PICTURE)]


class OwnPicture(Wire):
    """The mark of my picture, with which it is found; ``null`` if I show none."""

    mark: str | None


class ReportedPicture(NamedPerson):
    """A picture that others have reported, and how many have."""

    mark: str
    reports: int


class ReportedPictures(Wire):
    """The reported pictures."""

    pictures: list[ReportedPicture]
