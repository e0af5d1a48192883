"""The ASGI application: routes, error handlers, startup and shutdown."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from jantaku import __version__
from jantaku.errors import JantakuError
from jantaku.server.archive import game_routes as games
from jantaku.server.edge import page_routes as pages
from jantaku.server.edge.deps import Parlour, answer_language
from jantaku.server.edge.malformed import reason_of, said_of
from jantaku.server.edge.security import Guard
from jantaku.server.edge.shared_bodies import ErrorBody, Problem
from jantaku.server.edge.shielded import all_done
from jantaku.server.erasing import erasing_routes as erasing
from jantaku.server.errors import ServerError
from jantaku.server.events.common.error_words import message_at
from jantaku.server.events.notices import event_sockets
from jantaku.server.events.notices import push_routes as push
from jantaku.server.events.notices import webhook_routes as webhook
from jantaku.server.events.online import online_routes as online
from jantaku.server.events.organising import event_routes as events
from jantaku.server.events.organising import export_routes as exports
from jantaku.server.events.organising import link_routes as event_links
from jantaku.server.events.recording import desk_routes as event_desk
from jantaku.server.events.recording import log_routes as logs
from jantaku.server.events.recording import recorded_game_routes as recorded_games
from jantaku.server.events.registration import entry_routes as entries
from jantaku.server.events.registration import name_routes as names
from jantaku.server.events.results import side_bet_routes as side_bets
from jantaku.server.events.results import statistics_routes as statistics
from jantaku.server.events.rounds import round_routes as rounds
from jantaku.server.events.seasons import season_routes as seasons
from jantaku.server.lab import lab_routes as lab
from jantaku.server.numbers import own_routes as numbers
from jantaku.server.numbers import public_routes as public_numbers
from jantaku.server.people import account_routes as people
from jantaku.server.people import disk_routes as disk
from jantaku.server.play import sockets
from jantaku.server.play import table_routes as tables
from jantaku.server.rules import rules_routes as rules
from jantaku.server.rules import word_routes as words
from jantaku.server.settings import Settings
from jantaku.server.storage.services import Services
from jantaku.server.study import first_hand_routes as first_hand
from jantaku.server.study import hand_routes as hands

LOG = logging.getLogger("jantaku.server")
EVENTS = (
    *(events, entries, recorded_games, event_desk, event_links, online, statistics, rounds, webhook),
    *(exports, logs, names, erasing, disk, seasons, side_bets),
)
CLOSING_S = 5.0  # for work in progress at shutdown
ERRORS: dict[int | str, dict[str, object]] = {
    "4XX": {"model": ErrorBody, "description": "The request was refused"},
    "5XX": {"model": ErrorBody, "description": "The server cannot do it now"},
}


def create_app(settings: Settings) -> FastAPI:
    """Create the server's ASGI application."""
    app = FastAPI(
        title="Jantaku",
        version=__version__,
        lifespan=_lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses=ERRORS,
        separate_input_output_schemas=False,  # a type has one name, whether it is sent or received
    )
    app.state.settings = settings
    app.add_middleware(Guard, settings=settings)
    for module in (
        people,
        numbers,
        public_numbers,
        push,
        tables,
        games,
        hands,
        first_hand,
        rules,
        lab,
        words,
        *EVENTS,
        event_sockets,
        sockets,
        pages,
    ):
        app.include_router(module.router)
    app.add_exception_handler(JantakuError, _refused)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _no_such)
    app.add_exception_handler(Exception, _failed)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with opened(app):
        yield


@asynccontextmanager
async def opened(app: FastAPI) -> AsyncIterator[None]:
    """Start the services behind the routes, from the database to the tables, and stop them afterwards.

    Raises ``RequestError`` if the database cannot be used or another server uses it.
    """
    services = Services.of(app.state.settings)
    try:
        await services.store.claim()
        await services.store.open()
        services.writer.start()
        place = app.state.parlour = Parlour.of(services)
        await place.lobby.open()
        place.webhooks.start()
        place.push.start()
        place.online.start()
        try:
            yield
        finally:
            await place.lab.close()
            await place.push.stop()
            await place.webhooks.stop()
            await place.seatings.close()
            await all_done(CLOSING_S)
            await place.online.stop()
            await place.lobby.close()
            await services.writer.stop()
    finally:
        await services.store.close()


def _answer(status: int, problem: Problem) -> JSONResponse:
    return JSONResponse(ErrorBody(error=problem).model_dump(), status)


async def _refused(request: Request, error: Exception) -> JSONResponse:
    """Answer one of our own errors."""
    if not isinstance(error, JantakuError):
        raise error
    status = error.status if isinstance(error, ServerError) else 400
    field = str(error.details.get("field") or error.details.get("path") or "")
    hand = error.details.get("hand")
    language, place = answer_language(request), getattr(request.app.state, "parlour", None)
    if place is not None and "event" in request.path_params:
        message = await message_at(place.services, error, request.path_params, language)
    else:
        message = error.message(language)
    problem = Problem(
        code=error.code,
        message=message,
        field=field,
        hand=hand if isinstance(hand, int) else None,
    )
    return _answer(status, problem)


async def _malformed(request: Request, error: Exception) -> JSONResponse:
    """Answer a request that fails validation."""
    if not isinstance(error, RequestValidationError):
        raise error
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"][1:])
    wrong = ServerError("bad_request", field=field, reason=reason_of(first))
    return _answer(
        422, Problem(code=wrong.code, message=wrong.message(answer_language(request)), field=field)
    )


async def _no_such(request: Request, error: Exception) -> JSONResponse:
    """Answer an unknown address or method."""
    if not isinstance(error, HTTPException):
        raise error
    if error.status_code == 400:
        wrong = ServerError("bad_request", field="body", reason=said_of("json"))
    else:
        wrong = ServerError("wrong_method" if error.status_code == 405 else "no_page")
    said = wrong.message(answer_language(request))
    answer = _answer(error.status_code, Problem(code=wrong.code, message=said))
    answer.headers.update(error.headers or {})
    return answer


async def _failed(request: Request, error: Exception) -> JSONResponse:
    """Answer an internal error; the cause goes to the log only."""
    LOG.error("%s %s failed", request.method, request.url.path, exc_info=error)
    wrong = ServerError("internal")
    return _answer(500, Problem(code=wrong.code, message=wrong.message(answer_language(request))))
