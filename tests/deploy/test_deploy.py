"""The files in ``deploy/`` agree with each other and with the server."""

import asyncio
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from functools import reduce
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
import typer
import yaml

from jantaku.cli.app import app
from jantaku.errors import RequestError
from jantaku.server.processes.nats import NatsMessages
from jantaku.server.settings import Settings
from jantaku.server.storage.store import address_of
from server.parlour import free_port

DEPLOY: Final = Path(__file__).parents[2] / "deploy"
SERVE: Final[Any] = typer.main.get_command(app).commands["serve"]  # type: ignore[attr-defined]
PORT: Final = next(option.default for option in SERVE.params if option.name == "port")
# The last two are read by Numba and by uvicorn
VARIABLES: Final = {option.envvar for option in SERVE.params} | {"NUMBA_CACHE_DIR", "FORWARDED_ALLOW_IPS"}
SITES: Final = {"alone": (), "standby": ("standby/compose.yaml",), "site": ("site/compose.yaml",)}
PUBLIC: Final = {"proxy"}
STORES: Final = {"database", "nats"}
EXACT: Final = re.compile(r"[\w./-]+:\d+\.\d+(\.\d+)?(-[a-z-]+)?")
Manifests = dict[tuple[str, str], Any]


def text_of(name: str) -> str:
    return (DEPLOY / name).read_text("utf-8")


def check_serve(words: list[str]) -> None:
    """Check that the words are ``serve`` with valid options."""
    assert words[0] == "serve"
    SERVE.make_context("serve", words[1:])


def test_the_unit_starts_the_server() -> None:
    lines = re.findall(r"^(\w+)=(.*)$", text_of("jantaku.service"), re.MULTILINE)
    program, *words = shlex.split(dict(lines)["ExecStart"])
    assert Path(program).name == "jantaku"
    check_serve(words)
    given = {
        pair.split("=")[0] for name, line in lines if name == "Environment" for pair in shlex.split(line)
    }
    assert given <= VARIABLES
    assert ("WantedBy", "multi-user.target") in lines


def accepts(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    """Systemd checks that the program exists, so it is replaced by one that does."""
    path = tmp_path / "jantaku.service"
    path.write_text(re.sub(r"ExecStart=\S+", f"ExecStart={sys.executable}", text_of(path.name)), "utf-8")
    accepts("systemd-analyze", "verify", str(path))


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("caddy"), reason="Caddy is not installed")
@pytest.mark.parametrize("name", ["Caddyfile", "standby/Caddyfile", "site/Caddyfile"])
def test_caddy_accepts_its_files(name: str) -> None:
    accepts("caddy", "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / name))


def merged(base: Any, more: Any) -> Any:
    """Merge two Compose files: mappings recursively, lists joined, other values from the second."""
    if isinstance(base, dict) and isinstance(more, dict):
        return base | {key: merged(base[key], more[key]) if key in base else more[key] for key in more}
    return [*base, *more] if isinstance(base, list) and isinstance(more, list) else more


def composed(site: str) -> dict[str, Any]:
    """Return the merged Compose files for a kind of site."""
    whole: dict[str, Any] = reduce(
        merged, (yaml.safe_load(text_of(name)) for name in ("compose.yaml", *SITES[site]))
    )
    return whole


@pytest.fixture(params=SITES)
def together(request: pytest.FixtureRequest) -> dict[str, Any]:
    return composed(request.param)


def test_no_service_has_more_rights_than_it_needs(together: dict[str, Any]) -> None:
    for name, service in together["services"].items():
        assert service["cap_drop"] == ["ALL"], name
        assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name in PUBLIC else []), name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["read_only"] is True, name
        assert "/tmp" in service["tmpfs"], name
        assert not {"privileged", "network_mode", "pid", "ipc", "devices"} & set(service), name
        assert "build" in service or EXACT.fullmatch(service["image"]), name
        assert "docker.sock" not in str(service.get("volumes")), name


def test_only_the_proxy_can_be_reached_from_outside(together: dict[str, Any]) -> None:
    """The proxy has no access to stores, and the stores cannot reach the outside."""
    services, networks = together["services"], together["networks"]
    assert {name for name, service in services.items() if "ports" in service} == PUBLIC
    assert all("expose" not in service for service in services.values())
    of = {
        name: set(service["networks"]) for name, service in services.items()
    }  # no service uses the default network
    assert set.union(*of.values()) == set(networks)
    for name, own in of.items():
        if name in STORES:
            assert not of["proxy"] & own
            assert all((networks[network] or {}).get("internal") for network in own)
        elif name not in PUBLIC:
            tables = services[name]["environment"].get("JANTAKU_ROLE") == "tables"
            assert bool(own & of["proxy"]) is not tables, name


def test_forwarded_addresses_are_trusted_from_the_proxy_only(together: dict[str, Any]) -> None:
    services = together["services"]
    address = services["proxy"]["networks"]["front"]["ipv4_address"]
    (network,) = together["networks"]["front"]["ipam"]["config"]
    assert ip_address(address) in ip_network(network["subnet"])
    assert ip_address(address) not in ip_network(network["ip_range"])  # the addresses of other services
    for service in services.values():
        if "build" in service:  # with "*" any client could forge its address
            assert service["environment"]["FORWARDED_ALLOW_IPS"] == address


def test_passwords_and_keys_come_from_outside_the_files(together: dict[str, Any]) -> None:
    """Each store has its own password; none is on a command line or in the repository."""
    own = {}
    for name, service in together["services"].items():
        assert "PASSWORD" not in f"{service.get('command')}{service.get('healthcheck')}", name
        for key, value in service["environment"].items():
            if key.endswith("_PASSWORD"):
                own[name] = value
                assert re.match(r"\$\{JANTAKU_\w+_PASSWORD:\?", value), name  # the variable has no default
    assert set(own) == STORES & set(together["services"])
    assert len(set(own.values())) == len(own)
    ignored = (DEPLOY.parent / ".gitignore").read_text("utf-8").split()
    assert "deploy/.env" in ignored
    for entry in together.get("secrets", {}).values():
        assert f"deploy/{Path(entry['file']).parent}/" in ignored


def test_the_parlour_of_compose_finds_its_database() -> None:
    services = composed("alone")["services"]
    given, database = (services[name]["environment"] for name in ("parlour", "database"))
    assert set(given) <= VARIABLES
    url = re.sub(r"\$\{JANTAKU_DATABASE_PASSWORD:\?[^}]*\}", "secret", given["JANTAKU_DATABASE_URL"])
    address = address_of(Settings(database_url=url))
    assert (address.username, address.database) == (database["POSTGRES_USER"], database["POSTGRES_DB"])
    assert address.host in services
    assert services["proxy"]["environment"]["JANTAKU_UPSTREAM"] == f"parlour:{PORT}"


def test_two_gateways_and_two_processes_with_tables_form_one_site() -> None:
    alone, site = composed("alone")["services"]["parlour"], composed("site")
    services = site["services"]
    roles = {name: role for name in services if (role := services[name]["environment"].get("JANTAKU_ROLE"))}
    assert sorted(roles.values()) == ["gateway", "gateway", "tables", "tables"]
    secret = {"nats_authority"}
    for name, role in roles.items():
        service = services[name]
        assert service["environment"] == alone["environment"] | {
            "JANTAKU_NATS": f"tls://jantaku:{services['nats']['environment']['NATS_PASSWORD']}@nats:4222",
            "JANTAKU_NATS_CA": "/run/secrets/nats_authority",
            "JANTAKU_ROLE": role,
        }
        assert set(service["environment"]) <= VARIABLES
        assert set(service["depends_on"]) <= set(services)
        assert service["build"] == alone["build"]
        assert set(service["secrets"]) == secret
    assert set(services["nats"]["secrets"]) | secret == set(site["secrets"])
    gateways = " ".join(f"{name}:{PORT}" for name, role in roles.items() if role == "gateway")
    assert f"reverse_proxy {gateways} " in text_of("site/Caddyfile")


def documented_certificates(folder: Path) -> Path:
    """Run the commands of the page in a folder and return the folder with the certificates."""
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
    manifests: Manifests, tmp_path: Path, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = documented_certificates(tmp_path)
    assert not (made / "authority.key").exists()
    assert made.stat().st_mode & 0o077 == 0
    config = text_of("site/nats.conf")
    if source == "kubernetes":
        config = manifests["ConfigMap", "nats"]["data"]["nats.conf"]
    for path, name in re.findall(r'"(/run/secrets/(?:nats/)?(?:nats_)?([\w.]+))"', config):
        file = {"certificate": "nats.crt", "key": "nats.key"}.get(name, name)
        config = config.replace(path, str(made / file))
    port = free_port()
    (tmp_path / "nats.conf").write_text(config.replace("4222", str(port)), "utf-8")
    known, here = socket.getaddrinfo, {"nats": "127.0.0.1"}
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *more, **named: known(here.get(host, host), *more, **named)
    )
    authority, at = str(made / "authority.crt"), f"nats:{port}"
    server = subprocess.Popen(
        ["nats-server", "--config", str(tmp_path / "nats.conf"), "--addr", "127.0.0.1"],
        env=os.environ | {"NATS_PASSWORD": "right"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
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
def manifests() -> Manifests:
    documents = list(yaml.safe_load_all(text_of("kubernetes/jantaku.yaml")))
    items = [item for document in documents for item in document.get("items", [document])]
    return {(item["kind"], item["metadata"]["name"]): item for item in items}


def test_the_manifests_describe_the_same_site(manifests: Manifests) -> None:
    services = {name for kind, name in manifests if kind == "Service"}
    for part in ("gateway", "tables"):
        spec = manifests["Deployment", part]["spec"]
        assert spec["replicas"] == 2
        (container,) = spec["template"]["spec"]["containers"]
        check_serve(container["args"])
        values = {variable["name"]: variable.get("value", "") for variable in container["env"]}
        assert set(values) - {"DATABASE_PASSWORD", "NATS_PASSWORD"} <= VARIABLES
        nats = urlsplit(values["JANTAKU_NATS"].replace("$(", "").replace(")", ""))
        assert (nats.scheme, nats.hostname in services) == ("tls", True)
        mounts = {mount["mountPath"] for mount in container["volumeMounts"]}
        assert str(Path(values["JANTAKU_NATS_CA"]).parent) in mounts
        assert address_of(Settings(database_url=values["JANTAKU_DATABASE_URL"])).host in services
        assert container["ports"] == [{"containerPort": PORT}]
        assert container["readinessProbe"]["httpGet"]["path"] == "/api/ready"


def test_no_pod_has_more_rights_than_it_needs(manifests: Manifests) -> None:
    specs = {
        name: item["spec"] for (_, name), item in manifests.items() if "template" in item.get("spec", ())
    }
    assert set(specs) == {"gateway", "tables"} | STORES
    for name, spec in specs.items():
        pod = spec["template"]["spec"]
        assert pod["automountServiceAccountToken"] is False, name
        assert pod["securityContext"]["runAsNonRoot"] is True, name
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, name
        claims = [claim["metadata"] for claim in spec.get("volumeClaimTemplates", ())]
        volumes = {volume["name"] for volume in (*pod["volumes"], *claims)}
        for container in pod["containers"]:
            own = container["securityContext"]
            assert own["allowPrivilegeEscalation"] is False, name
            assert own["readOnlyRootFilesystem"] is True, name
            assert own["capabilities"] == {"drop": ["ALL"]}, name
            assert {mount["name"] for mount in container["volumeMounts"]} == volumes, name
            assert EXACT.fullmatch(container["image"].replace(":VERSION", ":1.0")), name
            for variable in container["env"]:
                hidden = variable["name"].endswith("PASSWORD")
                assert hidden is ("secretKeyRef" in variable.get("valueFrom", {})), name
            assert "PASSWORD" not in str(container.get("args")), name


def test_network_policies_restrict_access_to_pods(manifests: Manifests) -> None:
    policies = {name: item["spec"] for (kind, name), item in manifests.items() if kind == "NetworkPolicy"}
    assert policies["inner"]["podSelector"]["matchExpressions"][0]["values"] == ["nats", "database"]
    assert policies["inner"]["ingress"][0]["from"] == [{"podSelector": {"matchLabels": {"app": "jantaku"}}}]
    assert "Egress" in policies["inner"]["policyTypes"]
    assert "egress" not in policies["inner"]  # so everything is denied
    assert "ingress" not in policies["tables"]
    (gateway,) = policies["gateway"]["ingress"]
    assert gateway["from"]  # without it every source is allowed
    assert gateway["ports"] == [{"port": PORT}]
    trusted = manifests["ConfigMap", "jantaku"]["data"]["FORWARDED_ALLOW_IPS"]
    assert ip_network(trusted).num_addresses == 1
    for (kind, name), item in manifests.items():
        assert kind != "Service" or item["spec"].get("type", "ClusterIP") == "ClusterIP", name


def test_the_container_serves() -> None:
    """If an instruction is repeated, the last one counts, since it belongs to the last stage."""
    text = re.sub(r"^#.*\n", "", text_of("Containerfile"), flags=re.MULTILINE).replace("\\\n", " ")
    settings = dict(re.findall(r"^(\w+) +(.*)$", text, re.MULTILINE))
    assert json.loads(settings["ENTRYPOINT"]) == ["jantaku"]
    check_serve(json.loads(settings["CMD"]))
    assert settings["EXPOSE"] == str(PORT)
    name, _, folder = settings["ENV"].partition("=")
    assert name in VARIABLES
    assert settings["VOLUME"] == folder
    assert settings["USER"] == "jantaku"
    assert f"http://127.0.0.1:{PORT}/api/health'" in settings["HEALTHCHECK"]


def test_secrets_and_builds_stay_out_of_the_container() -> None:
    ignored = (DEPLOY.parent / ".dockerignore").read_text("utf-8").split()
    assert {".git", ".venv*", "deploy/.env", "deploy/site/certificates", "**/node_modules"} <= set(ignored)


def test_nginx_forwards_the_headers_of_the_server() -> None:
    """``test_proxies`` checks this with a real nginx where one is installed."""
    text = text_of("nginx.conf")
    upgrade = re.search(r"map \$http_upgrade (\S+) \{", text)
    assert upgrade
    wanted = {
        "proxy_pass": f"http://127.0.0.1:{PORT}",
        "proxy_http_version": "1.1",
        "proxy_set_header Host": "$host",
        "proxy_set_header X-Forwarded-For": "$remote_addr",  # replaces the value sent by the client
        "proxy_set_header X-Forwarded-Proto": "$scheme",
        "proxy_set_header Upgrade": "$http_upgrade",
        "proxy_set_header Connection": upgrade[1],
    }
    assert wanted.items() <= dict(re.findall(r"^\s+(\w+(?: \S+)?) (\S+);", text, re.MULTILINE)).items()
    assert re.findall(r"location (\S+)", text) == ["/"]  # also matches the WebSockets
