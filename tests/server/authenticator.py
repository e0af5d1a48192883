"""A software passkey authenticator that answers like a browser (WebAuthn, ES256, no attestation)."""

import hashlib
import json
import secrets
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def text(data: bytes) -> str:
    """Encode bytes as unpadded base64url."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


class Authenticator:
    """A device with one passkey.

    ``flags`` are the authenticator flags and ``uses`` is its signature counter. If set, ``public`` and
    ``attested`` replace the public key and the attestation object of a new credential.
    """

    def __init__(self, origin: str, site: str) -> None:
        self.origin, self.site = origin, site
        self.id = secrets.token_bytes(16)
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.uses = 0
        self.flags = PRESENT | VERIFIED
        self.public: Any = None
        self.attested: bytes | None = None

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _data(self, flags: int, more: bytes = b"") -> bytes:
        head = hashlib.sha256(self.site.encode()).digest() + bytes([flags])
        return head + struct.pack(">I", self.uses) + more

    def make(self, options: str) -> str:
        """Return the result of ``navigator.credentials.create``."""
        numbers = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        more = bytes(16) + struct.pack(">H", len(self.id)) + self.id + cbor2.dumps(self.public or public)
        data = self._data(self.flags | ATTESTED, more)
        client = self._client("webauthn.create", json.loads(options)["challenge"])
        attested = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        attestation = text(self.attested or attested)
        return self._credential({"clientDataJSON": text(client), "attestationObject": attestation})

    def use(self, options: str, challenge: str | None = None) -> str:
        """Return the result of ``navigator.credentials.get``."""
        self.uses += 1
        client = self._client("webauthn.get", challenge or json.loads(options)["challenge"])
        data = self._data(self.flags)
        signed = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._credential(
            {
                "clientDataJSON": text(client),
                "authenticatorData": text(data),
                "signature": text(signed),
                "userHandle": text(b"x"),
            }
        )

    def _credential(self, response: dict[str, Any]) -> str:
        credential = {"id": text(self.id), "rawId": text(self.id), "type": "public-key", "response": response}
        return json.dumps(credential)


def challenge_of(options: str) -> str:
    """Return the challenge token in the options."""
    challenge: str = json.loads(options)["challenge"]
    return urlsafe_b64decode(challenge + "=" * (-len(challenge) % 4)).decode()
