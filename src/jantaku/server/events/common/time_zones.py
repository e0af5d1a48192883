"""A time zone that a request names."""

from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from jantaku.club.days import zones


def _known(name: str) -> str:
    if name not in zones():
        raise PydanticCustomError("zone", "no time zone")
    return name


ZoneName = Annotated[str, Field(max_length=64), AfterValidator(_known)]
