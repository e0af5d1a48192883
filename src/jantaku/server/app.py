"""The ASGI application: routes, error handlers, startup and shutdown."""

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from math import inf
from pkgutil import walk_packages
from types import ModuleType

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Scope

import jantaku.server
from jantaku import __version__
from jantaku.errors import JantakuError
from jantaku.server.edge import pages
from jantaku.server.edge.bodies import ErrorBody, Problem, malformed, reason_of
from jantaku.server.edge.guard import Guard, SecurityHeaders, language_of
from jantaku.server.edge.limits import Quota, Rates
from jantaku.server.edge.metrics import metrics_port
from jantaku.server.edge.pages import LEVEL, Compression
from jantaku.server.edge.work import FairWork
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_context import message_at
from jantaku.server.people.auth_dependencies import answer_language
from jantaku.server.play import seat_views
from jantaku.server.play.table_sockets import RequestRouting
from jantaku.server.processes.links import PEERS_CHANGED
from jantaku.server.services import AppServices
from jantaku.server.settings import Settings
from jantaku.server.storage.people import SIGNING, server_key
from jantaku.server.storage.services import Services
from jantaku.server.tasks import finish_shielded

LOG = logging.getLogger("jantaku.server")
TABLE_SOCKETS = "/ws/tables/"
CLOSING_S = 5.0  # for work in progress at shutdown


def modules() -> Iterator[ModuleType]:
    """Import and yield all modules of the server."""
    for module in walk_packages(jantaku.server.__path__, "jantaku.server."):
        if ".migrations" not in module.name:
            yield import_module(module.name)


def _routers() -> list[APIRouter]:
    """Return the routers of all modules; the one for web pages comes last because it matches every path."""
    found = (value for module in modules() for value in vars(module).values())
    routers = {id(value): value for value in found if isinstance(value, APIRouter)}
    return sorted(routers.values(), key=lambda router: router is pages.router)


class Application(FastAPI):
    """An application that sends security headers with every response, including internal errors."""

    def build_middleware_stack(self) -> ASGIApp:
        """Add the headers outside the handler of internal errors."""
        return SecurityHeaders(super().build_middleware_stack(), self.state.settings)


def create_app(settings: Settings) -> FastAPI:
    """Create the server's ASGI application."""
    app = Application(
        title="Jantaku",
        version=__version__,
        lifespan=_lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        separate_input_output_schemas=False,  # one name per type, whether it is sent or received
    )
    app.state.settings, app.state.large_bodies = settings, FairWork(Quota(inf))
    limits = settings.limits
    app.state.requests = Rates(limits.requests_per_s, limits.request_burst)
    connects = Rates(limits.connects_of_address_per_s, limits.sockets_of_address)
    app.add_middleware(Compression, compresslevel=LEVEL)
    app.add_middleware(RequestRouting, connects=connects)
    app.add_middleware(Guard, settings=settings, rates=app.state.requests)  # added last: the outermost
    for router in _routers():
        app.router.routes.extend(router.routes)  # "include_router" would rebuild every route
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
    """Run the services of an app, from the database to the tables, during the context.

    Raises ``RequestError`` if the database cannot be used or another server is using it.
    """
    services = app.state.services = AppServices(app.state.settings)
    try:
        await services.lease.open_store()
        services.links.messages.use_key(await server_key(services.store, SIGNING))
        await services.links.messages.start()
        services.site_limits.share(requests=app.state.requests)
        _serve_streams(app, services)
        await services.lease.join()
        services.writer.start()
        await services.lobby.open()
        services.start()
        try:
            with metrics_port(services.settings, services.metrics):
                yield
        finally:
            await services.lobby.handover.hand_over_all()
            await services.stop()
            await finish_shielded(CLOSING_S)
            await services.lobby.close()
            await services.writer.stop()
            await services.streams.stop()
    finally:
        await services.lease.leave()
        await services.links.messages.stop()
        await services.store.close()


def _serve_streams(app: FastAPI, services: Services) -> None:
    """Answer requests that other processes forward to this one."""
    streams, lease = services.streams, services.lease
    streams.app, streams.closing_message = app, partial(_last_words, services)
    lease.changed.append(lambda: streams.retain(lease.others()))
    links = services.links
    lease.changed.append(lambda: links.publish(PEERS_CHANGED))

    links.subscribe(PEERS_CHANGED, lease.renew_soon)
    streams.start()


def _last_words(services: Services, scope: Scope) -> Message | None:
    """Return the last message for a table socket whose stream is lost, if its client cannot reconnect yet."""
    if services.links.working or not scope["path"].startswith(TABLE_SOCKETS):
        return None
    language = language_of(Headers(scope=scope).get("accept-language", ""))
    lost = ServerError("links_lost")
    return {"type": "websocket.send", "text": seat_views.error(None, lost.code, lost.message(language))}


def _answer(status: int, problem: Problem) -> JSONResponse:
    return JSONResponse(ErrorBody(error=problem).model_dump(), status)


async def _refused(request: Request, error: Exception) -> JSONResponse:
    """Respond to a refused request."""
    if not isinstance(error, JantakuError):
        raise error
    status = error.status if isinstance(error, ServerError) else 400
    field = str(error.details.get("field") or error.details.get("path") or "")
    hand = error.details.get("hand")
    language, services = answer_language(request), getattr(request.app.state, "services", None)
    if services is not None and "event" in request.path_params:
        message = await message_at(services, error, request.path_params, language)
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
    """Respond to a request that fails validation."""
    if not isinstance(error, RequestValidationError):
        raise error
    first = error.errors()[0]
    if first["loc"][0] == "path":  # not the user's input: the page does not exist
        return await _no_such(request, HTTPException(404))
    field = ".".join(str(part) for part in first["loc"][1:])
    wrong = ServerError("bad_request", field=field, reason=reason_of(first))
    return _answer(
        422, Problem(code=wrong.code, message=wrong.message(answer_language(request)), field=field)
    )


async def _no_such(request: Request, error: Exception) -> JSONResponse:
    """Respond to an unknown path or method, or to malformed JSON."""
    if not isinstance(error, HTTPException):
        raise error
    if error.status_code == 400:
        wrong = ServerError("bad_request", field="body", reason=malformed("json"))
    else:
        wrong = ServerError("wrong_method" if error.status_code == 405 else "no_page")
    message = wrong.message(answer_language(request))
    answer = _answer(error.status_code, Problem(code=wrong.code, message=message))
    answer.headers.update(error.headers or {})
    return answer


async def _failed(request: Request, error: Exception) -> JSONResponse:
    """Respond to an internal error; its cause appears only in the log."""
    LOG.error("%s %s failed", request.method, request.url.path, exc_info=error)
    wrong = ServerError("internal")
    return _answer(500, Problem(code=wrong.code, message=wrong.message(answer_language(request))))
