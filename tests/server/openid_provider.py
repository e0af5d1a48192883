"""A small OpenID provider that signs whatever claims a test asks for."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
import uvicorn
from cryptography.hazmat.primitives.asymmetric import rsa
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from jantaku.server.run import listen

CLIENT, SECRET = "parlour", "the secret of the parlour"


@cache
def key() -> rsa.RSAPrivateKey:
    """Return the provider's signing key."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@dataclass
class Provider:
    """A provider whose user has these ``claims``; ``changes`` and ``signed_by`` are for forging tokens."""

    issuer: str = ""
    claims: dict[str, Any] = field(default_factory=lambda: {"sub": "s1", "preferred_username": "Mina"})
    changes: dict[str, Any] = field(default_factory=dict)
    signed_by: Any = None
    algorithm: str = "RS256"
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    token_requests: list[dict[str, str]] = field(default_factory=list)

    async def discovery(self, request: Request) -> Response:
        """Return the discovery document."""
        del request
        paths = {"authorization_endpoint": "/go", "token_endpoint": "/token", "jwks_uri": "/keys"}
        document = {"issuer": self.issuer} | {
            name: self.issuer.rstrip("/") + path for name, path in paths.items()
        }
        return JSONResponse(document)

    async def keys(self, request: Request) -> Response:
        """Return the public keys."""
        del request
        data = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key().public_key()))
        return JSONResponse({"keys": [data | {"kid": "one", "alg": "RS256", "use": "sig"}]})

    async def go(self, request: Request) -> Response:
        """Sign the user in without asking and redirect back to the site."""
        query = dict(request.query_params)
        code = f"code{len(self.codes)}"
        self.codes[code] = query
        back = urlencode({"code": code, "state": query["state"]})
        return RedirectResponse(f"{query['redirect_uri']}?{back}", 303)

    async def token(self, request: Request) -> Response:
        """Return the signed claims for a code, which can be used only once."""
        form = {name: value[0] for name, value in parse_qs((await request.body()).decode()).items()}
        self.token_requests.append(form)
        authorization = self.codes.pop(form["code"], None)
        if authorization is None:
            return JSONResponse({"error": "invalid_grant"}, 400)
        now = int(time.time())
        standard = {
            "iss": self.issuer,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": authorization["nonce"],
        }
        claims = standard | self.claims | self.changes
        signer = self.signed_by or key()
        signed = jwt.encode(claims, signer, self.algorithm, {"kid": "one"})
        return JSONResponse({"id_token": signed, "access_token": "x", "token_type": "Bearer"})


@contextmanager
def provided() -> Iterator[Provider]:
    """Run a provider in a thread."""
    provider = Provider()
    routes = [
        Route("/.well-known/openid-configuration", provider.discovery),
        Route("/keys", provider.keys),
        Route("/go", provider.go),
        Route("/token", provider.token, methods=["POST"]),
    ]
    socket = listen("127.0.0.1", 0)
    provider.issuer = f"http://127.0.0.1:{socket.getsockname()[1]}"
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes), log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [socket]}, daemon=True)
    thread.start()
    yield provider
    server.should_exit = True
    thread.join()


def host_of(url: str) -> str:
    return urlsplit(url).netloc
