"""``jantaku serve``: run the server."""

import dataclasses
import re
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from jantaku import terms
from jantaku.cli.console import is_terminal, out, refuse_unused
from jantaku.cli.house_rules import read_house_rules
from jantaku.cli.options import Database, DataFolder, without_credentials
from jantaku.cli.programs import read_programs
from jantaku.cli.warm import compile_all
from jantaku.errors import RequestError

if TYPE_CHECKING:
    from socket import socket

    from jantaku.server.settings import Settings


CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d|off")


class Role(StrEnum):
    """The role of a process in a site."""

    ALL = "all"
    GATEWAY = "gateway"
    TABLES = "tables"


Nats = Annotated[str, typer.Option(metavar="URL", envvar="JANTAKU_NATS", callback=without_credentials)]
MetricsHost = Annotated[str, typer.Option(metavar="ADDRESS", envvar="JANTAKU_METRICS_HOST")]
MetricsPort = Annotated[int, typer.Option(metavar="N", min=0, max=65535, envvar="JANTAKU_METRICS_PORT")]
ProgramsAtOnce = Annotated[int, typer.Option(metavar="N", min=1, envvar="JANTAKU_PROGRAMS_AT_ONCE")]
ALL_INTERFACES = ("0.0.0.0", "::")  # noqa: S104  (only compared, not bound)


def serve(  # noqa: PLR0913, PLR0917
    context: typer.Context,
    host: Annotated[str, typer.Option(metavar="ADDRESS")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535)] = 8000,
    data: DataFolder = None,
    database: Database = "",
    public_url: Annotated[str, typer.Option(metavar="URL", envvar="JANTAKU_PUBLIC_URL")] = "",
    allow_host: Annotated[list[str] | None, typer.Option(metavar="NAME", envvar="JANTAKU_HOSTS")] = None,
    rules: Annotated[list[Path] | None, typer.Option(metavar="FILE", envvar="JANTAKU_RULES")] = None,
    programs: Annotated[Path | None, typer.Option(metavar="FILE", envvar="JANTAKU_PROGRAMS")] = None,
    programs_at_once: ProgramsAtOnce = 4,
    admin_link: Annotated[bool, typer.Option("--admin-link")] = False,
    lab_games: Annotated[int, typer.Option(metavar="N", min=0, envvar="JANTAKU_LAB_GAMES")] = 2000,
    lab_deals: Annotated[int, typer.Option(metavar="N", min=0, envvar="JANTAKU_LAB_DEALS")] = 1000,
    lab_at_once: Annotated[int, typer.Option(metavar="N", min=1, envvar="JANTAKU_LAB_AT_ONCE")] = 1,
    lab_of_one: Annotated[int, typer.Option(metavar="N", min=1, envvar="JANTAKU_LAB_OF_ONE")] = 2,
    lab_ray: Annotated[str, typer.Option(metavar="ray|ray://HOST:PORT", envvar="JANTAKU_LAB_RAY")] = "",
    daily: Annotated[str, typer.Option(metavar="HH:MM", envvar="JANTAKU_DAILY")] = "21:00",
    metrics_host: MetricsHost = "127.0.0.1",
    metrics_port: MetricsPort = 0,
    standby: Annotated[bool, typer.Option("--standby", envvar="JANTAKU_STANDBY")] = False,
    role: Annotated[Role, typer.Option(metavar="|".join(Role), envvar="JANTAKU_ROLE")] = Role.ALL,
    nats: Nats = "",
    nats_ca: Annotated[str, typer.Option(metavar="FILE", envvar="JANTAKU_NATS_CA")] = "",
    log_json: Annotated[bool, typer.Option("--log-json", envvar="JANTAKU_LOG_JSON")] = False,
) -> int:
    """Run the server until it is stopped."""
    try:
        from jantaku.server import run
        from jantaku.server.settings import LabLimits, Settings
    except ImportError as error:
        raise RequestError("server_missing", field="serve", reason=error.name or str(error)) from error
    for unused, names, why in (
        (bool(database), ("data",), "--database"),
        (not nats, ("nats_ca",), "--nats ''"),
        (programs is None, ("programs_at_once",), "--programs"),
        (not metrics_port, ("metrics_host",), "--metrics-port 0"),
    ):
        if unused:
            refuse_unused(context, names, why)
    house_rules = read_house_rules(rules or ())
    if lab_ray:
        from jantaku.lab.experiment.plan import cluster_address

        cluster_address("--lab-ray", lab_ray)
    settings = Settings(
        database_url=database,
        public_url=_checked_public_url(public_url),
        house_rules=house_rules,
        programs=() if programs is None else read_programs(programs),
        programs_at_once=programs_at_once,
        lab=LabLimits(lab_games, lab_deals, lab_at_once, lab_of_one, ray=lab_ray),
        daily=_daily(daily),
        metrics_host=metrics_host,
        metrics_port=metrics_port,
        standby=standby,
        role=role.value,
        nats=nats,
        nats_authority=nats_ca,
    )
    if data is not None:
        settings = dataclasses.replace(settings, data_dir=data)
    run.configure_logging(settings, as_json=log_json)
    with run.listen(host, port, later=standby) as listening:
        _open(settings, listening, host, allow_host or [], admin_link=admin_link)
    out().print(_words("stopped"))
    return 0


def _daily(value: str) -> str:
    """Check the time of the daily table; raises ``bad_daily``."""
    if not CLOCK.fullmatch(value):
        raise RequestError("bad_daily", field="--daily", value=value)
    return value


def _open(
    settings: "Settings", listening: "socket", host: str, names: list[str], *, admin_link: bool
) -> None:
    """Complete the settings and serve on a socket until interrupted."""
    from jantaku.kernels._cache import is_complete
    from jantaku.server import run
    from jantaku.server.edge.metrics import configure_tracing
    from jantaku.server.settings import Outside

    configure_tracing()
    number = listening.getsockname()[1]
    nearby = run.local_address() if host in ALL_INTERFACES else None
    settings = dataclasses.replace(
        settings,
        nearby_url=f"http://{nearby}:{number}" if nearby else "",
        hosts=(*([] if host in ALL_INTERFACES else [host]), *names),
        outside=Outside.from_environment(),
    )
    if settings.standby and is_complete():
        run.load_compiled()  # so that it can take over at once
    token = run.prepare(settings, admin=admin_link)
    here = f"http://{'localhost' if host in (*ALL_INTERFACES, '127.0.0.1') else host}:{number}"
    with suppress(KeyboardInterrupt):  # the server has shut down cleanly by then
        _serve(settings, listening, settings.public_url or here, token)


def _serve(settings: "Settings", listening: "socket", url: str, token: str | None) -> None:
    """Serve until interrupted; while code still has to be compiled, serve uncompiled in another process."""
    from jantaku.kernels._cache import is_complete
    from jantaku.kernels._jit import COMPILED
    from jantaku.server import run
    from jantaku.server.run import serve_uncompiled

    ready = is_complete() or not COMPILED
    if not ready:
        with serve_uncompiled(settings, listening, lambda: _print_address(settings, url, token)):
            out().print(_words("meanwhile"), soft_wrap=True)
            compile_all()
        out().print(_words("compiled"), soft_wrap=True)
    run.load_compiled()
    run.server(settings, listening, lambda: _print_address(settings, url, token) if ready else None).run()


def _checked_public_url(address: str) -> str:
    """Check the public URL and strip its trailing slash; raises ``RequestError`` if invalid."""
    with suppress(ValueError):
        parts = urlsplit(address)
        if not address or (parts.scheme in ("http", "https") and parts.hostname and parts.port != 0):
            return address.rstrip("/")
    raise RequestError("bad_public_url", field="--public-url", value=address)


def _words(key: str, **values: object) -> str:
    return terms.text(f"server.serve.{key}", **values)


def _print_address(settings: "Settings", url: str, token: str | None) -> None:
    """Print the server's address, the location of its data, and the admin's link if there is one."""
    from jantaku.server.storage.sign_in import LINK_HOURS
    from jantaku.server.storage.store import address_of, describe

    where = settings.data_dir if not settings.database_url else describe(address_of(settings))
    out().print(_words("running", url=url), style="bold green", soft_wrap=True)
    if settings.nearby_url and not settings.public_url:
        _print_local_address(settings.nearby_url)
    out().print(_words("data", where=where), style="dim", soft_wrap=True)
    if token is not None:
        link = _words("admin", hours=LINK_HOURS, url=f"{url}/enter/{token}")
        out().print(link, soft_wrap=True, highlight=False)


def _print_local_address(url: str) -> None:
    """Print the address in the local network, with a QR code on a terminal."""
    import segno

    out().print(_words("nearby", url=url), style="bold green", soft_wrap=True)
    if is_terminal():
        segno.make(url, error="m", micro=False).terminal(compact=True)
