"""The parlour behind a real nginx and a real Caddy, configured with the files in ``deploy/``."""

import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from jantaku.server.settings import Limits
from server.parlour import NO_LIMITS, fast_settings, free_port, listens, open_server

DEPLOY: Final = Path(__file__).parents[2] / "deploy"
NAME: Final = "mahjong.example.org"
GUESTS: Final = 3  # guests per address and day
WAIT_S: Final = 20.0
pytestmark = pytest.mark.slow


@contextmanager
def running(command: list[str], port: int, folder: Path, **environment: str) -> Iterator[None]:
    """Run a proxy that listens on a port."""
    log = (folder / "proxy.log").open("wb")
    process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, env=environment or None)
    try:
        ends = time.monotonic() + WAIT_S
        while time.monotonic() < ends and process.poll() is None:
            if listens(port):
                break
            time.sleep(0.05)
        else:
            raise AssertionError((folder / "proxy.log").read_text())
        yield
    finally:
        process.terminate()
        process.wait(WAIT_S)
        log.close()


def certificate(folder: Path) -> tuple[Path, Path]:
    cert, key = folder / "cert.pem", folder / "key.pem"
    command = f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={NAME}".split()
    subprocess.run([*command, "-keyout", str(key), "-out", str(cert)], check=True, capture_output=True)
    return cert, key


@contextmanager
def nginx(folder: Path, upstream: int, port: int) -> Iterator[None]:
    """Run nginx with our configuration, changing only the port, upstream and certificate."""
    cert, key = certificate(folder)
    site = (DEPLOY / "nginx.conf").read_text("utf-8")
    for before, after in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("http://127.0.0.1:8000", f"http://127.0.0.1:{upstream}"),
        (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", str(cert)),
        (f"/etc/letsencrypt/live/{NAME}/privkey.pem", str(key)),
    ):
        assert site.count(before) == 1
        site = site.replace(before, after)
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = folder / "nginx.conf"
    user = "user root;" if os.geteuid() == 0 else ""  # nginx's default user may not write to the folder
    config.write_text(
        f"{user} pid {folder}/pid; events {{}}\nhttp {{ access_log off; {temporary}\n{site}\n}}\n"
    )
    with running(
        [str(shutil.which("nginx")), "-e", "stderr", "-c", str(config), "-g", "daemon off;"], port, folder
    ):
        yield


@contextmanager
def caddy(folder: Path, upstream: int, port: int) -> Iterator[None]:
    """Run Caddy with our configuration and a certificate from its local authority."""
    config = folder / "Caddyfile"
    extra = "{\n\tlocal_certs\n\tskip_install_trust\n\tadmin off\n\tauto_https disable_redirects\n}\n"
    config.write_text(extra + (DEPLOY / "Caddyfile").read_text("utf-8"))
    environment = {
        "JANTAKU_DOMAIN": f"{NAME}:{port}",
        "JANTAKU_UPSTREAM": f"127.0.0.1:{upstream}",
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
    }
    command = [str(shutil.which("caddy")), "run", "--config", str(config), "--adapter", "caddyfile"]
    with running(command, port, folder, **environment):
        yield


PROXIES: Final = {"nginx": nginx, "caddy": caddy}


VISITORS: Final[list["Visitor"]] = []


class Visitor:
    """A client with its own address that uses the public name of the parlour."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self.port, self.address = port, address
        self.trust = ssl.create_default_context()
        self.trust.check_hostname, self.trust.verify_mode = False, ssl.CERT_NONE
        transport = httpx.HTTPTransport(local_address=address, verify=self.trust)
        VISITORS.append(self)
        self.http = httpx.Client(base_url=f"https://127.0.0.1:{port}", transport=transport, timeout=WAIT_S)

    def ask(self, method: str, path: str, **more: object) -> httpx.Response:
        headers = {"Host": f"{NAME}:{self.port}", **more.pop("headers", {})}  # type: ignore[dict-item]
        extensions = {"sni_hostname": NAME}
        return self.http.request(method, path, headers=headers, extensions=extensions, **more)  # type: ignore[arg-type]

    def guest(self, name: str, **headers: str) -> int:
        body = {"name": name, "language": "en"}
        return self.ask("POST", "/api/guest", json=body, headers=headers).status_code

    def socket(self, path: str) -> dict[str, object]:
        """Return the first message received over a WebSocket."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        with closing(self.connected()) as there:
            line = self.line(there, path, Cookie=cookies, Origin=f"https://{NAME}:{self.port}")
            with line:
                line.send(json.dumps({"type": "hello", "version": 1}))
                data: dict[str, object] = json.loads(line.recv(WAIT_S))
                return data

    def connected(self) -> ssl.SSLSocket:
        """Open an encrypted connection from the visitor's address."""
        plain = socket.create_connection(("127.0.0.1", self.port), source_address=(self.address, 0))
        return self.trust.wrap_socket(plain, server_hostname=NAME)

    def line(self, there: ssl.SSLSocket, path: str, **headers: str) -> ClientConnection:
        """Open a WebSocket over a connection."""
        return connect(f"ws://{NAME}:{self.port}{path}", sock=there, additional_headers=headers)


@pytest.fixture(params=PROXIES)
def port(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[int]:
    """Port of a proxy in front of a parlour that admits few guests per address."""
    name = str(request.param)
    for needed in (name, "openssl"):
        if shutil.which(needed) is None:
            pytest.skip(f"{needed} is not installed here")
    port = free_port()
    limits = type(NO_LIMITS)(**{**vars(NO_LIMITS), "guests_per_day": GUESTS})
    assert isinstance(limits, Limits)
    data = tmp_path / "data"
    settings = fast_settings(data, limits=limits, public_url=f"https://{NAME}:{port}")
    folder = tmp_path / "proxy"
    folder.mkdir()
    with open_server(settings) as url, PROXIES[name](folder, int(url.rpartition(":")[2]), port):
        yield port
        while VISITORS:
            VISITORS.pop().http.close()


def test_limits_use_real_client_addresses_and_ignore_forged_ones(port: int) -> None:
    first, second = Visitor(port, "127.0.0.1"), Visitor(port, "127.0.0.2")
    guests = [
        first.guest(
            f"Guest {number}", **{"X-Forwarded-For": f"198.51.100.{number}", "X-Real-IP": "192.0.2.9"}
        )
        for number in range(GUESTS + 2)
    ]
    assert guests == [200] * GUESTS + [429] * 2
    assert second.guest("Somebody else") == 200


def test_sockets_cookies_and_large_uploads_pass(port: int) -> None:
    mina = Visitor(port)
    answer = mina.ask("POST", "/api/guest", json={"name": "Mina", "language": "en"})
    assert re.search(r"(?i)secure", answer.headers["set-cookie"])
    assert "jantaku" in answer.headers["set-cookie"]
    table = mina.ask("POST", "/api/tables", json={"bots": 3}).json()["id"]
    assert mina.socket(f"/ws/tables/{table}")["type"] == "welcome"
    large = mina.ask("POST", "/api/uploads", json={"text": "x" * 1_900_000})
    assert large.json()["error"]["code"] != "too_large"
    invite = mina.ask("GET", f"/api/tables/{table}/invite").json()
    assert invite["url"].startswith(f"https://{NAME}:{port}/")


def test_requests_for_another_name_are_refused(port: int) -> None:
    mina = Visitor(port)
    headers = {"Host": "evil.example.com"}
    answer = mina.ask("GET", "/api/tables", headers=headers)
    assert answer.status_code == 421 or "tables" not in answer.text
    with closing(mina.connected()) as there, pytest.raises(InvalidStatus):
        mina.line(there, "/ws/tables/x", Origin="https://evil.example.com")
