"""Ids in the addresses of events."""

from typing import Annotated

from fastapi import Path

EventId = Annotated[str, Path(max_length=16)]
EntryId = Annotated[str, Path(max_length=64)]
