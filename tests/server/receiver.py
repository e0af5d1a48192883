"""A server that receives webhooks and push messages."""

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
    """A server that records requests and answers them with the given statuses."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__((HOST, 0), _Handler)
        self.got: queue.Queue[tuple[dict[str, str], bytes]] = queue.Queue()
        self.answers: list[int] = []
        self.slow = ""  # requests to paths with this ending are held back until ``free`` is set
        self.free = threading.Event()
        self.url = f"http://{HOST}:{self.server_address[1]}/hook/very-secret"

    def next(self) -> tuple[dict[str, str], Message]:
        """Wait for the next request; return its headers and body."""
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
        with suppress(OSError):  # the client may have given up waiting
            self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


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
    """Encode bytes as unpadded URL-safe Base64, as browsers do."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    """Return a public key as an uncompressed point."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


class BrowserKeys:
    """The keys that a browser creates for push messages."""

    def __init__(self) -> None:
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        self.public = point_of(self.key.public_key())

    def subscription_keys(self) -> Message:
        """Return the public part that the browser sends to the server."""
        return {"p256dh": plain(self.public), "auth": plain(self.auth)}

    def read(self, body: bytes) -> Message:
        """Decrypt a message (RFC 8291); raise ``InvalidTag`` if it was encrypted for another browser."""
        salt, sender, sealed = body[:16], body[21:86], body[86:]
        peer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.key.exchange(ec.ECDH(), peer)
        secret = _derived(shared, self.auth, b"WebPush: info\0" + self.public + sender, 32)
        key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(key).decrypt(nonce, sealed, None)
        return dict(json.loads(padded.rstrip(b"\0").removesuffix(b"\2")))


def browser_keys() -> Message:
    """Return new subscription keys."""
    return BrowserKeys().subscription_keys()
