"""Ids and numbers in the addresses of events."""

from typing import Annotated

from fastapi import Path

EventId = Annotated[str, Path(max_length=16)]
EntryId = Annotated[str, Path(max_length=64)]
GameId = Annotated[str, Path(max_length=64)]
StageId = Annotated[str, Path(max_length=64)]
RoundId = Annotated[int, Path(ge=1, le=1000)]
Number = Annotated[int, Path(ge=1, le=10**9)]
