"""Serves the web client, and creates links, QR codes and headers for downloads."""

import gzip
import io
import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlsplit

import segno
from fastapi import APIRouter, Request, Response, WebSocket
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, HTMLResponse
from starlette.types import Receive, Scope, Send

from jantaku import terms
from jantaku.server.edge.bodies import Invite
from jantaku.server.edge.guard import language_of
from jantaku.server.errors import ServerError
from jantaku.server.settings import Settings

REFUSED: Final = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*", re.IGNORECASE)  # a weight of zero


def accepted(headers: Headers) -> set[str]:
    """Return the encodings that are listed and not refused; ``*`` is ignored.

    >>> sorted(accepted(Headers({"accept-encoding": "br;q=0, GZIP; q=0.5, identity"})))
    ['gzip', 'identity']
    """
    parts = [part.partition(";") for line in headers.getlist("accept-encoding") for part in line.split(",")]
    return {name.strip().lower() for name, _, weight in parts if not REFUSED.fullmatch(weight)}


_FORBIDDEN: Final = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]+')  # in file names on some systems
MAX_FILE_NAME: Final = 100


def attachment(name: str, suffix: str, plain: str) -> dict[str, str]:
    """Return the header of a download with a file name; ``plain`` is the ASCII fallback."""
    safe_name = _FORBIDDEN.sub(" ", name).strip(" .")[:MAX_FILE_NAME] or plain
    encoded = f"filename*=UTF-8''{quote(safe_name + suffix, safe='')}"
    return {"content-disposition": f'attachment; filename="{plain}{suffix}"; {encoded}'}


PUBLIC_PATHS: Final = ("/api/rules", "/api/terms/", "/api/explain", "/api/games/", "/sw.js")
LEVEL: Final = 6


class Compression(GZipMiddleware):
    """Compresses responses below ``PUBLIC_PATHS`` only: compressing secrets could leak them by size."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Compress the response to a request for a public path; leave others unchanged."""
        if scope["type"] == "http" and scope["path"].startswith(PUBLIC_PATHS):
            gzip_accepted = "gzip" in accepted(Headers(scope=scope))
            MutableHeaders(scope=scope)["accept-encoding"] = "gzip" if gzip_accepted else "identity"
            await super().__call__(scope, receive, send)
        else:
            await self.app(scope, receive, send)


LANGUAGE_COOKIE: Final = "jantaku_language"  # set by the client when the user chooses a language
MARK: Final = "<!-- opening -->"
LIST: Final = "opening.json"
_OTHER: Final = "not-found"


def language_for(request: Request) -> terms.Language:
    """Return the language chosen in this browser, or else the browser's preference."""
    chosen = request.cookies.get(LANGUAGE_COOKIE)
    for language in terms.LANGUAGES:
        if language == chosen:
            return language
    return language_of(request.headers.get("accept-language", ""))


def opening(page: Path, path: str, language: terms.Language) -> str:
    """Return ``index.html``, with preload links for a path and language if there is a list of files."""
    listed = page.with_name(LIST)
    if not listed.is_file():
        return page.read_text("utf-8")
    pages = _built(listed, listed.stat().st_mtime_ns)["pages"]
    first = path.partition("/")[0]
    return _filled(page, page.stat().st_mtime_ns, first if first in pages else _OTHER, language)


@lru_cache(maxsize=2)
def _built(listed: Path, _changed: int) -> dict[str, Any]:
    """Read the build's list of files by page and language."""
    built: dict[str, Any] = json.loads(listed.read_text("utf-8"))
    return built


_LINKS: Final = {
    ".js": '<link rel="modulepreload" crossorigin href="{}">',
    ".css": '<link rel="stylesheet" crossorigin href="{}">',
    ".svg": '<link rel="preload" as="fetch" type="image/svg+xml" crossorigin fetchpriority="low" href="{}">',
}


@lru_cache(maxsize=64)
def _filled(page: Path, _changed: int, first: str, language: terms.Language) -> str:
    listed = page.with_name(LIST)
    built = _built(listed, listed.stat().st_mtime_ns)
    files = dict.fromkeys([*built["pages"][first], *built["languages"][language][first]])
    links = {
        end: "".join(link.format(file) for file in files if file.endswith(end))
        for end, link in _LINKS.items()
    }
    text = page.read_text("utf-8").replace(MARK, links[".js"] + links[".svg"])
    text = text.replace("</head>", f"{links['.css']}</head>")  # after the styles of all pages
    text = text.replace('<html lang="en"', f'<html lang="{language}"')
    return text.replace("/manifest.en.webmanifest", f"/manifest.{language}.webmanifest")


router = APIRouter(include_in_schema=False)
STATIC: Final = Path(__file__).parents[1] / "static"
FOR_EVER, EACH_TIME = "public, max-age=31536000, immutable", "no-cache"
HASHED: Final = "assets"  # file names in this folder change with the contents
PACKED: Final = (("br", ".br"), ("gzip", ".gz"))
"""Encodings in which the build provides most files, smallest first."""
TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".wav": "audio/wav",
    ".txt": "text/plain; charset=utf-8",
    ".map": "application/json",
}
NO_SOCKET: Final = 4404
NOT_BUILT: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Jantaku</title>
<h1>Jantaku 雀卓</h1>
<p>The server runs, but the client is not built. <code>make run</code> builds it and starts the server;
<code>make client</code> only builds it. It needs Node 20, which set-up fetches where there is none.</p>
<p lang="ja">サーバーは動いていますが、画面がまだありません。<code>make run</code> を実行してください。</p>
<p lang="ko">서버는 켜졌지만 화면이 아직 빌드되지 않았습니다. <code>make run</code>을 실행하세요.</p>
</html>"""


@router.get("/{path:path}")
async def page(request: Request, path: str) -> Response:
    """Send one of the client's files, or else its single page."""
    if path.startswith(("api/", "ws/")):
        raise ServerError("no_page")
    file = _file(path)
    if file is None and (path.startswith(f"{HASHED}/") or Path(path).suffix in TYPES):
        raise ServerError("no_page")
    if file is None or file.name == "index.html":
        return _page(request, path)
    life = FOR_EVER if path.startswith(f"{HASHED}/") else EACH_TIME
    return _file_response(request, file, life)


@router.websocket("/{path:path}")
async def no_socket(socket: WebSocket) -> None:
    """Accept and close a socket with a code that tells the client not to reconnect."""
    await socket.accept()
    await socket.close(NO_SOCKET)


def _page(request: Request, path: str) -> Response:
    """Return the client's page for a path and the language of the request."""
    file = _file("index.html")
    if file is None:
        return HTMLResponse(NOT_BUILT)
    text = opening(file, path, language_for(request))
    headers = {"cache-control": EACH_TIME, "vary": "accept-language, accept-encoding, cookie"}
    if "gzip" not in accepted(request.headers):
        return HTMLResponse(text, headers=headers)
    return HTMLResponse(_zipped(text), headers=headers | {"content-encoding": "gzip"})


@lru_cache(maxsize=64)
def _zipped(text: str) -> bytes:
    """Compress a page, which contains no secrets."""
    return gzip.compress(text.encode(), mtime=0)


def _file(path: str) -> Path | None:
    """Return the file at ``path`` if it, or its compressed form, exists in the client's folder."""
    if "\x00" in path:
        return None
    try:
        file = (STATIC / path).resolve()
        inside = file.is_relative_to(STATIC.resolve()) and (file.is_file() or _gzipped(file).is_file())
    except OSError:  # the name is too long
        return None
    return file if inside and file.suffix in TYPES else None


def _gzipped(file: Path) -> Path:
    return file.with_name(f"{file.name}.gz")


def _file_response(request: Request, file: Path, life: str) -> Response:
    """Send a file in the smallest encoding that the browser accepts."""
    headers = {"cache-control": life, "vary": "accept-encoding"}
    encodings = accepted(request.headers)
    for name, suffix in PACKED:
        packed = file.with_name(file.name + suffix)
        if name in encodings and packed.is_file():
            headers["content-encoding"] = name
            return FileResponse(packed, media_type=TYPES[file.suffix], headers=headers)
    if file.is_file():
        return FileResponse(file, media_type=TYPES[file.suffix], headers=headers)
    return Response(gzip.decompress(_gzipped(file).read_bytes()), 200, headers, TYPES[file.suffix])


LOOPBACK_HOSTS: Final = ("localhost", "127.0.0.1", "::1")


def base_of_links(request: Request, settings: Settings) -> str:
    """Return the base URL for links to this server from other devices.

    This is the public address, or else the address used by the request. A loopback address is replaced by the
    machine's address on the local network if the server listens there.
    """
    if settings.public_url:
        return settings.public_url
    if settings.nearby_url and request.url.hostname in LOOPBACK_HOSTS:
        return settings.nearby_url
    return str(request.base_url).rstrip("/")


def invite_to(request: Request, settings: Settings, path: str) -> Invite:
    """Return the link to a page for other people."""
    base = base_of_links(request, settings)
    return Invite(url=f"{base}{path}", only_here=urlsplit(base).hostname in LOOPBACK_HOSTS)


def qr_code(url: str) -> str:
    """Return a URL as a QR code in SVG."""
    out = io.BytesIO()
    code = segno.make(url, error="m", micro=False)
    code.save(out, kind="svg", xmldecl=False, svgns=True, border=2, omitsize=True, nl=False)
    return out.getvalue().decode()


def qr_page(link: Invite) -> Response:
    """Return the QR code of a link as a response."""
    return Response(qr_code(link.url), media_type="image/svg+xml")
