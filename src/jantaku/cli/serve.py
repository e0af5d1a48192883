"""``jantaku serve``: runs the parlour for browsers."""

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
from jantaku.cli.warm import compile_all
from jantaku.errors import RequestError

if TYPE_CHECKING:
    from socket import socket

    from jantaku.server.settings import Settings


CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d|off")


class Role(StrEnum):
    """What a process does."""

    ALL = "all"
    GATEWAY = "gateway"
    TABLES = "tables"


Nats = Annotated[str, typer.Option(metavar="URL", envvar="JANTAKU_NATS", callback=without_credentials)]
MetricsHost = Annotated[str, typer.Option(metavar="ADDRESS", envvar="JANTAKU_METRICS_HOST")]
MetricsPort = Annotated[int, typer.Option(metavar="N", min=0, max=65535, envvar="JANTAKU_METRICS_PORT")]
ANYWHERE = ("0.0.0.0", "::")  # noqa: S104  (only compared with)


def serve(  # noqa: PLR0913, PLR0917
    context: typer.Context,
    host: Annotated[str, typer.Option(metavar="ADDRESS")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535)] = 8000,
    data: DataFolder = None,
    database: Database = "",
    public_url: Annotated[str, typer.Option(metavar="URL", envvar="JANTAKU_PUBLIC_URL")] = "",
    allow_host: Annotated[list[str] | None, typer.Option(metavar="NAME", envvar="JANTAKU_HOSTS")] = None,
    rules: Annotated[list[Path] | None, typer.Option(metavar="FILE", envvar="JANTAKU_RULES")] = None,
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
    role: Annotated[Role, typer.Option(envvar="JANTAKU_ROLE")] = Role.ALL,
    nats: Nats = "",
    nats_ca: Annotated[str, typer.Option(metavar="FILE", envvar="JANTAKU_NATS_CA")] = "",
    log_json: Annotated[bool, typer.Option("--log-json", envvar="JANTAKU_LOG_JSON")] = False,
) -> int:
    """Open the parlour."""
    try:
        from jantaku.server import run
        from jantaku.server.settings import LabLimits, Settings
    except ImportError as error:
        raise RequestError("server_missing", field="serve", reason=error.name or str(error)) from error
    for useless, names, why in (
        (bool(database), ("data",), "--database"),
        (not nats, ("nats_ca",), "--nats ''"),
        (not metrics_port, ("metrics_host",), "--metrics-port 0"),
    ):
        if useless:
            refuse_unused(context, names, why)
    house_rules = read_house_rules(rules or ())
    if lab_ray:
        from jantaku.lab.experiment.plan import cluster_address

        cluster_address("--lab-ray", lab_ray)
    settings = Settings(
        database_url=database,
        public_url=_site(public_url),
        house_rules=house_rules,
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
    """When the daily table begins; raises ``bad_daily`` for no time of day."""
    if not CLOCK.fullmatch(value):
        raise RequestError("bad_daily", field="--daily", value=value)
    return value


def _open(
    settings: "Settings", listening: "socket", host: str, names: list[str], *, admin_link: bool
) -> None:
    """Serve on a socket that listens at ``host`` until told to stop."""
    from jantaku.kernels._cache import is_complete
    from jantaku.server import run
    from jantaku.server.edge.metrics import begin_traces
    from jantaku.server.settings import Outside

    begin_traces()
    number = listening.getsockname()[1]
    nearby = run.local_address() if host in ANYWHERE else None
    settings = dataclasses.replace(
        settings,
        nearby_url=f"http://{nearby}:{number}" if nearby else "",
        hosts=(*([] if host in ANYWHERE else [host]), *names),
        outside=Outside.from_environment(),
    )
    if settings.standby and is_complete():
        run.load_compiled()  # so that it begins at once when its turn comes
    token = run.prepare(settings, admin=admin_link)
    here = f"http://{'localhost' if host in (*ANYWHERE, '127.0.0.1') else host}:{number}"
    with suppress(KeyboardInterrupt):  # it has shut down cleanly by then
        _serve(settings, listening, settings.public_url or here, token)


def _serve(settings: "Settings", listening: "socket", url: str, token: str | None) -> None:
    """Serve until told to stop; if nothing is compiled yet, serve at once and compile meanwhile."""
    from jantaku.kernels._cache import is_complete
    from jantaku.kernels._jit import COMPILED
    from jantaku.server import run
    from jantaku.server.run import serve_uncompiled

    said = is_complete() or not COMPILED
    if not said:
        with serve_uncompiled(settings, listening, lambda: _say(settings, url, token)):
            out().print(_words("meanwhile"), soft_wrap=True)
            compile_all()
        out().print(_words("compiled"), soft_wrap=True)
    run.load_compiled()
    run.server(settings, listening, lambda: _say(settings, url, token) if said else None).run()


def _site(address: str) -> str:
    """The address of the public site without a slash at its end; raises ``RequestError`` if invalid."""
    with suppress(ValueError):
        parts = urlsplit(address)
        if not address or (parts.scheme in ("http", "https") and parts.hostname and parts.port != 0):
            return address.rstrip("/")
    raise RequestError("bad_public_url", field="--public-url", value=address)


def _words(key: str, **values: object) -> str:
    return terms.text(f"server.serve.{key}", **values)


def _say(settings: "Settings", url: str, token: str | None) -> None:
    """Print the parlour's address, where its data are, and the admin's link if there is one."""
    from jantaku.server.storage.sign_in import LINK_HOURS
    from jantaku.server.storage.store import address_of, shown

    where = settings.data_dir if not settings.database_url else shown(address_of(settings))
    out().print(_words("running", url=url), style="bold green", soft_wrap=True)
    if settings.nearby_url and not settings.public_url:
        _say_nearby(settings.nearby_url)
    out().print(_words("data", where=where), style="dim", soft_wrap=True)
    if token is not None:
        said = _words("admin", hours=LINK_HOURS, url=f"{url}/enter/{token}")
        out().print(said, soft_wrap=True, highlight=False)


def _say_nearby(url: str) -> None:
    """Print the address for phones in the same network, with a QR code on a terminal."""
    import segno

    out().print(_words("nearby", url=url), style="bold green", soft_wrap=True)
    if is_terminal():
        segno.make(url, error="m", micro=False).terminal(compact=True)
