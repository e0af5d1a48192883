"""Request and response bodies that all routes share."""

from typing import Annotated, Literal

from pydantic import Field

from jantaku.server.edge.wire import Wire

RulesName = Annotated[str, Field(min_length=1, max_length=64)]


class Problem(Wire):
    """What was wrong: a code for programs, a text for people, and the field if one is to blame.

    ``hand`` is the index of the hand of a recorded game that cannot be.
    """

    code: str
    message: str
    field: str = ""
    hand: int | None = None


class ErrorBody(Wire):
    """The body of every response with status 400 or above."""

    error: Problem


class Done(Wire):
    """The request succeeded; there is nothing else to report."""

    ok: Literal[True] = True


class Invite(Wire):
    """The link of a table or ruleset. ``only_here``: it does not work from another device."""

    url: str
    only_here: bool


class Health(Wire):
    """Whether the server can store what it accepts. ``stopped``: tables halted by a server fault."""

    ok: bool
    storage: bool
    tables: int
    stopped: int
    version: str


class Readiness(Wire):
    """Whether the server can take people: it can store, and has read the tables that it found.

    ``processes``: how many of the site it knows of, itself among them.
    """

    ok: bool
    processes: int
