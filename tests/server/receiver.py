"""A server that receives what ours sends to others."""

import base64
import json
import os
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from server.parlour import WAIT_S, Message

HOST = "127.0.0.1"


class Receiver(ThreadingHTTPServer):
    """A server that keeps what it is sent and answers with the statuses that it is told."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__((HOST, 0), _Handler)
        self.got: queue.Queue[tuple[dict[str, str], bytes]] = queue.Queue()
        self.answers: list[int] = []
        self.slow = ""  # the end of the address that is answered only when ``free`` is set
        self.free = threading.Event()
        self.url = f"http://{HOST}:{self.server_address[1]}/hook/very-secret"

    def next(self) -> tuple[dict[str, str], Message]:
        """The next thing that was sent."""
        headers, body = self.got.get(timeout=WAIT_S)
        return headers, json.loads(body)


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.got.put((headers | {"to": self.path}, body))
        if self.server.slow and self.path.endswith(self.server.slow):
            self.server.free.wait(WAIT_S)
        self.send_response(self.server.answers.pop(0) if self.server.answers else 204)
        self.send_header("location", self.server.url)
        self.send_header("content-length", "0")
        with suppress(OSError):  # who waited for a slow answer may be gone
            self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def running() -> Iterator[Receiver]:
    receiver = Receiver()
    thread = threading.Thread(target=receiver.serve_forever, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.free.set()
        receiver.shutdown()
        receiver.server_close()
        thread.join(WAIT_S)


def plain(data: bytes) -> str:
    """Bytes as browsers write them."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    """A public key as browsers write it."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


class BrowserKeys:
    """The keys that a browser makes for its notifications, and what it can read with them."""

    def __init__(self) -> None:
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        self.public = point_of(self.key.public_key())

    def shown(self) -> Message:
        """What others may know of them."""
        return {"p256dh": plain(self.public), "auth": plain(self.auth)}

    def read(self, body: bytes) -> Message:
        """A message as RFC 8291 has it; raises ``InvalidTag`` if it is somebody else's."""
        salt, sender, sealed = body[:16], body[21:86], body[86:]
        peer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.key.exchange(ec.ECDH(), peer)
        secret = _derived(shared, self.auth, b"WebPush: info\0" + self.public + sender, 32)
        key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(key).decrypt(nonce, sealed, None)
        return dict(json.loads(padded.rstrip(b"\0").removesuffix(b"\2")))


def browser_keys() -> Message:
    """Such keys, as a browser tells them."""
    return BrowserKeys().shown()
