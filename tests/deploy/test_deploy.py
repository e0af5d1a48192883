"""The files in ``deploy/`` agree with each other and with what the server needs."""

import asyncio
import configparser
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
import typer
import yaml
from starlette.routing import WebSocketRoute

from jantaku.cli.app import app
from jantaku.errors import RequestError
from jantaku.server.events.notices.event_sockets import router as event_sockets
from jantaku.server.play.table_sockets import router as sockets
from jantaku.server.processes.nats import NatsMessages
from jantaku.server.settings import Settings
from jantaku.server.storage.store import address_of
from server.parlour import free_port
from support.shown_commands import found, parse

DEPLOY: Final = Path(__file__).parents[2] / "deploy"
SERVE: Final[Any] = typer.main.get_command(app).commands["serve"]  # type: ignore[attr-defined]
PORT: Final = next(option.default for option in SERVE.params if option.name == "port")
VARIABLES: Final = {option.envvar for option in SERVE.params if option.envvar}
# Read by the packages below the server: Numba, and uvicorn's list of proxies
OTHERS: Final = {"NUMBA_CACHE_DIR", "FORWARDED_ALLOW_IPS"}


def text_of(name: str) -> str:
    return (DEPLOY / name).read_text("utf-8")


def serves(words: list[str]) -> None:
    """``serve`` with options that it has."""
    name, command, rest = found(words)
    assert name == "serve"
    assert parse(command, name, rest)


class Unit(configparser.RawConfigParser):
    """A systemd unit: keys keep their case and may be repeated."""

    def __init__(self) -> None:
        super().__init__(strict=False, interpolation=None)
        self.environment: dict[str, str] = {}

    def optionxform(self, optionstr: str) -> str:
        return optionstr


@pytest.fixture
def unit() -> Unit:
    read, text = Unit(), text_of("jantaku.service")
    read.read_string(text)
    for line in re.findall(r"^Environment=(.*)$", text, re.MULTILINE):
        read.environment |= dict(pair.split("=", 1) for pair in shlex.split(line))
    return read


def test_the_unit_starts_the_server(unit: Unit) -> None:
    program, *words = shlex.split(unit["Service"]["ExecStart"])
    assert Path(program).name == "jantaku"
    serves(words)
    assert set(unit.environment) <= VARIABLES | OTHERS
    assert unit["Install"]["WantedBy"] == "multi-user.target"


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_systemd_accepts_the_unit(unit: Unit, tmp_path: Path) -> None:
    """With a program that exists here, as systemd looks for it."""
    path = tmp_path / "jantaku.service"
    program = shlex.split(unit["Service"]["ExecStart"])[0]
    path.write_text(text_of("jantaku.service").replace(program, sys.executable), "utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", str(path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def compose() -> dict[str, Any]:
    services: dict[str, Any] = yaml.safe_load(text_of("compose.yaml"))
    return services


def merged(base: Any, more: Any) -> Any:
    """Two files of Compose as one: mappings together, lists one after the other, else the second's value."""
    if isinstance(base, dict) and isinstance(more, dict):
        return base | {key: merged(base[key], more[key]) if key in base else more[key] for key in more}
    return [*base, *more] if isinstance(base, list) and isinstance(more, list) else more


SITES: Final = {"alone": (), "standby": ("standby/compose.yaml",), "site": ("site/compose.yaml",)}
OPENLY: Final = {"proxy"}
STORES: Final = {"database", "nats"}
EXACT: Final = re.compile(r"[\w./-]+:\d+\.\d+(\.\d+)?(-[a-z-]+)?")


@pytest.fixture(params=SITES)
def together(request: pytest.FixtureRequest, compose: dict[str, Any]) -> dict[str, Any]:
    """The files of each kind of site as Compose reads them."""
    for name in SITES[request.param]:
        compose = merged(compose, yaml.safe_load(text_of(name)))
    return compose


def test_no_service_has_more_rights_than_it_needs(together: dict[str, Any]) -> None:
    for name, service in together["services"].items():
        assert service["cap_drop"] == ["ALL"], name
        assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name in OPENLY else []), name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["read_only"] is True, name
        assert "/tmp" in service["tmpfs"], name
        assert not {"privileged", "network_mode", "pid", "ipc", "devices"} & set(service), name
        assert "build" in service or EXACT.fullmatch(service["image"]), name
        assert not any("docker.sock" in volume for volume in service.get("volumes", ())), name


def test_only_the_proxy_can_be_reached_from_outside(together: dict[str, Any]) -> None:
    """The proxy reaches no store, and a store reaches nothing outside."""
    services, networks = together["services"], together["networks"]
    assert {name for name, service in services.items() if "ports" in service} == OPENLY
    assert all("expose" not in service for service in services.values())
    of = {name: set(service["networks"]) for name, service in services.items()}  # none has the default one
    assert set.union(*of.values()) == set(networks)
    assert not any(of["proxy"] & of[name] for name in STORES & set(of))
    for name in STORES & set(of):
        assert all((networks[network] or {}).get("internal") for network in of[name])
    behind = {name for name in of if name not in STORES | OPENLY}
    assert {name for name in behind if of[name] & of["proxy"]} == {
        name for name in behind if services[name]["environment"].get("JANTAKU_ROLE") != "tables"
    }


def test_forwarded_addresses_are_believed_of_the_proxy_alone(together: dict[str, Any]) -> None:
    services = together["services"]
    address = services["proxy"]["networks"]["front"]["ipv4_address"]
    (network,) = together["networks"]["front"]["ipam"]["config"]
    assert ip_address(address) in ip_network(network["subnet"])
    assert ip_address(address) not in ip_network(network["ip_range"])  # which others are given
    believed = [
        service["environment"]["FORWARDED_ALLOW_IPS"]
        for service in services.values()
        if "JANTAKU_DATABASE_URL" in service["environment"]
    ]
    assert set(believed) == {address}  # with "*" anybody could pretend to have any address


def test_passwords_and_keys_come_from_outside_the_files(together: dict[str, Any]) -> None:
    """Each store has one of its own; none is in a command line or in the repository."""
    secret = re.compile(r"\$\{(JANTAKU_\w+_PASSWORD):\?")
    own = {}
    for name, service in together["services"].items():
        assert "PASSWORD" not in str(service.get("command", "")), name
        assert "PASSWORD" not in str(service.get("healthcheck", "")), name
        given = {key: value for key, value in service["environment"].items() if key.endswith("_PASSWORD")}
        for value in given.values():
            found = secret.match(value)
            assert found, name
            own[name] = found[1]
    assert len(set(own.values())) == len(own) == len(STORES & set(together["services"]))
    ignored = (DEPLOY.parent / ".gitignore").read_text("utf-8").split()
    for entry in together.get("secrets", {}).values():
        assert f"deploy/{Path(entry['file']).parent}/" in ignored


def test_the_parlour_of_compose_finds_its_database(compose: dict[str, Any]) -> None:
    given = compose["services"]["parlour"]["environment"]
    database = compose["services"]["database"]["environment"]
    assert set(given) <= VARIABLES | OTHERS
    url = re.sub(r"\$\{JANTAKU_DATABASE_PASSWORD:\?[^}]*\}", "secret", given["JANTAKU_DATABASE_URL"])
    address = address_of(Settings(database_url=url))
    assert (address.username, address.database) == (database["POSTGRES_USER"], database["POSTGRES_DB"])
    assert address.host in compose["services"]
    assert database["POSTGRES_PASSWORD"].startswith("${JANTAKU_DATABASE_PASSWORD:?")  # no password by default
    assert compose["services"]["proxy"]["environment"]["JANTAKU_UPSTREAM"] == f"parlour:{PORT}"


def test_two_gateways_and_two_processes_with_tables_are_one_site(compose: dict[str, Any]) -> None:
    together = merged(compose, yaml.safe_load(text_of("site/compose.yaml")))
    services, given = together["services"], compose["services"]["parlour"]["environment"]
    roles = {
        name: service["environment"]["JANTAKU_ROLE"]
        for name, service in services.items()
        if "JANTAKU_ROLE" in service["environment"]
    }
    assert sorted(roles.values()) == ["gateway", "gateway", "tables", "tables"]
    for name in roles:
        own = services[name]["environment"]
        assert set(own) <= VARIABLES | OTHERS
        assert own == given | {key: own[key] for key in ("JANTAKU_NATS", "JANTAKU_NATS_CA", "JANTAKU_ROLE")}
        assert set(services[name]["depends_on"]) <= set(services)
        assert services[name]["build"] == compose["services"]["parlour"]["build"]
        secret = Path(own["JANTAKU_NATS_CA"])
        assert (secret.parent, services[name]["secrets"]) == (Path("/run/secrets"), [secret.name])
        password = "${JANTAKU_NATS_PASSWORD:?set it in deploy/.env}"
        assert own["JANTAKU_NATS"] == f"tls://jantaku:{password}@nats:4222"
    assert set(services["nats"]["secrets"]) | {secret.name} == set(together["secrets"])
    gateways = " ".join(f"{name}:{PORT}" for name, role in roles.items() if role == "gateway")
    assert f"reverse_proxy {gateways} " in text_of("site/Caddyfile")


def shown_certificates(folder: Path) -> Path:
    """What the commands of the page make in a folder."""
    page = (DEPLOY.parent / "docs/many-machines.md").read_text("utf-8")
    (commands,) = re.findall(r"```text\n(.*?authority\.key.*?)```", page, re.DOTALL)
    subprocess.run(
        ["sh", "-e"], input=commands, cwd=folder, text=True, capture_output=True, timeout=60, check=True
    )
    return folder / "certificates"


async def reaches(url: str, authority: str) -> bool:
    messages = NatsMessages(url, authority)
    messages.use_key(b"key")
    try:
        await messages.start()
    except RequestError:
        return False
    await messages.stop()
    return True


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("nats-server"), reason="NATS is not installed")
@pytest.mark.parametrize("source", ["site", "kubernetes"])
def test_nats_is_reached_only_with_its_certificate_and_the_password(
    manifests: dict[tuple[str, str], Any], tmp_path: Path, source: str
) -> None:
    made = shown_certificates(tmp_path)
    assert not (made / "authority.key").exists()
    assert made.stat().st_mode & 0o077 == 0
    subject = subprocess.run(
        ["openssl", "x509", "-in", str(made / "nats.crt"), "-noout", "-ext", "subjectAltName"],
        capture_output=True, text=True, timeout=20, check=True,
    ).stdout  # fmt: skip
    assert "DNS:nats" in subject
    config = text_of("site/nats.conf")
    if source == "kubernetes":
        config = manifests["ConfigMap", "nats"]["data"]["nats.conf"]
    for path, name in re.findall(r'"(/run/secrets/(?:nats/)?(?:nats_)?([\w.]+))"', config):
        file = {"certificate": "nats.crt", "key": "nats.key"}.get(name, name)
        config = config.replace(path, str(made / file))
    port = free_port()
    (tmp_path / "nats.conf").write_text(config.replace("4222", str(port)), "utf-8")
    server = subprocess.Popen(
        ["nats-server", "--config", str(tmp_path / "nats.conf"), "--addr", "127.0.0.1"],
        env=os.environ | {"NATS_PASSWORD": "right"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    authority, at = str(made / "authority.crt"), f"nats:{port}"
    known = socket.getaddrinfo
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                socket,
                "getaddrinfo",
                lambda host, *more, **named: known("127.0.0.1" if host == "nats" else host, *more, **named),
            )
            deadline = time.monotonic() + 10
            while not asyncio.run(reaches(f"tls://jantaku:right@{at}", authority)):
                assert time.monotonic() < deadline
            assert not asyncio.run(reaches(f"tls://jantaku:wrong@{at}", authority))
            assert not asyncio.run(reaches(f"tls://jantaku:right@{at}", ""))
            assert not asyncio.run(reaches(f"tls://jantaku:right@127.0.0.1:{port}", authority))
            assert not asyncio.run(reaches(f"nats://jantaku:right@{at}", ""))
    finally:
        server.kill()
        server.wait()


@pytest.fixture
def manifests() -> dict[tuple[str, str], Any]:
    documents = list(yaml.safe_load_all(text_of("kubernetes/jantaku.yaml")))
    items = [item for document in documents for item in document.get("items", [document])]
    return {(item["kind"], item["metadata"]["name"]): item for item in items}


def test_the_manifests_describe_the_same_site(manifests: dict[tuple[str, str], Any]) -> None:
    services = {name for kind, name in manifests if kind == "Service"}
    for part in ("gateway", "tables"):
        spec = manifests["Deployment", part]["spec"]
        assert spec["replicas"] == 2
        (container,) = spec["template"]["spec"]["containers"]
        serves(container["args"])
        values = {variable["name"]: variable.get("value", "") for variable in container["env"]}
        assert set(values) - {"DATABASE_PASSWORD", "NATS_PASSWORD"} <= VARIABLES | OTHERS
        nats = urlsplit(values["JANTAKU_NATS"].replace("$(", "").replace(")", ""))
        assert (nats.scheme, nats.hostname in services) == ("tls", True)
        mounts = {mount["mountPath"] for mount in container["volumeMounts"]}
        assert str(Path(values["JANTAKU_NATS_CA"]).parent) in mounts
        assert address_of(Settings(database_url=values["JANTAKU_DATABASE_URL"])).host in services
        assert container["ports"] == [{"containerPort": PORT}]
        assert container["readinessProbe"]["httpGet"]["path"] == "/api/ready"


def test_no_pod_has_more_rights_than_it_needs(manifests: dict[tuple[str, str], Any]) -> None:
    pods = {name: item["spec"]["template"]["spec"] for (_, name), item in manifests.items() if pod_in(item)}
    assert set(pods) == {"gateway", "tables"} | STORES
    for name, pod in pods.items():
        assert pod["automountServiceAccountToken"] is False, name
        assert pod["securityContext"]["runAsNonRoot"] is True, name
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, name
        volumes = {volume["name"] for volume in pod["volumes"]}
        claims = manifests.get(("StatefulSet", name), {}).get("spec", {}).get("volumeClaimTemplates", ())
        for container in pod["containers"]:
            own = container["securityContext"]
            assert own["allowPrivilegeEscalation"] is False, name
            assert own["readOnlyRootFilesystem"] is True, name
            assert own["capabilities"] == {"drop": ["ALL"]}, name
            mounted = {mount["name"] for mount in container["volumeMounts"]}
            assert mounted == volumes | {claim["metadata"]["name"] for claim in claims}, name
            image = container["image"]
            assert EXACT.fullmatch(image) or image.endswith(":VERSION"), name
            for variable in container["env"]:
                hidden = variable["name"].endswith("PASSWORD")
                assert hidden is ("secretKeyRef" in variable.get("valueFrom", {})), name
            assert "PASSWORD" not in str(container.get("args")), name


def pod_in(item: Any) -> bool:
    return "template" in item.get("spec", {})


def test_pods_are_reached_only_by_those_who_need_them(manifests: dict[tuple[str, str], Any]) -> None:
    policies = {name: item["spec"] for (kind, name), item in manifests.items() if kind == "NetworkPolicy"}
    assert policies["inner"]["podSelector"]["matchExpressions"][0]["values"] == ["nats", "database"]
    assert policies["inner"]["ingress"][0]["from"] == [{"podSelector": {"matchLabels": {"app": "jantaku"}}}]
    assert "Egress" in policies["inner"]["policyTypes"]
    assert "egress" not in policies["inner"]  # so that there is none
    assert "ingress" not in policies["tables"]
    (gateway,) = policies["gateway"]["ingress"]
    assert gateway["from"]  # without it everybody is meant
    assert gateway["ports"] == [{"port": PORT}]
    trusted = manifests["ConfigMap", "jantaku"]["data"]["FORWARDED_ALLOW_IPS"]
    assert ip_network(trusted).num_addresses == 1
    for (kind, name), item in manifests.items():
        assert kind != "Service" or item["spec"].get("type", "ClusterIP") == "ClusterIP", name


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("caddy"), reason="Caddy is not installed")
@pytest.mark.parametrize("name", ["Caddyfile", "standby/Caddyfile", "site/Caddyfile"])
def test_caddy_accepts_its_files(name: str) -> None:
    command = ["caddy", "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / name)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def instructions() -> Iterator[tuple[str, str]]:
    """The instructions of the container file, each with its arguments."""
    text = re.sub(r"^#.*\n", "", text_of("Containerfile"), flags=re.MULTILINE).replace("\\\n", " ")
    for line in filter(None, map(str.strip, text.splitlines())):
        name, _, rest = line.partition(" ")
        yield name, rest.strip()


def test_the_container_serves() -> None:
    settings = dict(instructions())  # the last of each, which is that of the last stage
    assert json.loads(settings["ENTRYPOINT"]) == ["jantaku"]
    serves(json.loads(settings["CMD"]))
    assert settings["EXPOSE"] == str(PORT)
    name, _, folder = settings["ENV"].partition("=")
    assert name in VARIABLES
    assert settings["VOLUME"] == folder
    assert settings["USER"] == "jantaku"
    asked = re.search(r"http://127\.0\.0\.1:(\d+)(/[\w/]+)", settings["HEALTHCHECK"])
    assert asked is not None
    assert (int(asked[1]), asked[2]) == (PORT, "/api/health")


def test_secrets_and_builds_stay_out_of_the_container() -> None:
    kept_out = (DEPLOY.parent / ".dockerignore").read_text("utf-8").split()
    assert {".git", ".venv*", "deploy/.env", "deploy/site/certificates", "**/node_modules"} <= set(kept_out)
    assert "deploy/.env" in (DEPLOY.parent / ".gitignore").read_text("utf-8").split()


@pytest.fixture
def nginx() -> dict[str, str]:
    """The directives of nginx; those of ``proxy_set_header`` and ``location`` under their first argument."""
    text = re.sub(r"^\s*#.*\n", "", text_of("nginx.conf"), flags=re.MULTILINE)
    assert text.count("{") == text.count("}")
    nginx = dict(re.findall(r"^\s*(\w+)\s+([^;{]+);", text, re.MULTILINE))
    nginx |= {f"header {name}": value for name, value in re.findall(r"proxy_set_header (\S+) (\S+);", text)}
    nginx |= {f"location {path}": "" for path in re.findall(r"location (\S+) \{", text)}
    nginx |= {name: source for source, name in re.findall(r"map (\S+) (\S+) \{\s+default upgrade;", text)}
    return nginx


def test_nginx_passes_on_what_the_server_reads(nginx: dict[str, str]) -> None:
    assert nginx["proxy_pass"] == f"http://127.0.0.1:{PORT}"
    assert nginx["header Host"] == "$host"
    assert nginx["header X-Forwarded-For"] == "$remote_addr"  # replaces what the client wrote there
    assert nginx["header X-Forwarded-Proto"] == "$scheme"


def test_nginx_upgrades_every_socket(nginx: dict[str, str]) -> None:
    paths = [
        route.path for route in (*sockets.routes, *event_sockets.routes) if isinstance(route, WebSocketRoute)
    ]
    assert len(paths) >= 2
    assert "location /" in nginx  # which all of them begin with
    assert nginx["proxy_http_version"] == "1.1"
    assert nginx["header Upgrade"] == "$http_upgrade"
    assert nginx[nginx["header Connection"]] == "$http_upgrade"
