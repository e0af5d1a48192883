"""The client's files and its single page, compression, and links to share."""

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

REFUSED: Final = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*", re.IGNORECASE)  # a weight of nothing


def accepted(headers: Headers) -> set[str]:
    """The encodings that are named and not refused. Others are not sent, even where ``*`` allows them.

    >>> sorted(accepted(Headers({"accept-encoding": "br;q=0, GZIP; q=0.5, identity"})))
    ['gzip', 'identity']
    """
    parts = [part.partition(";") for line in headers.getlist("accept-encoding") for part in line.split(",")]
    return {name.strip().lower() for name, _, weight in parts if not REFUSED.fullmatch(weight)}


_UNFIT: Final = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]+')  # in the names of files on some system
MOST_FILE_NAME: Final = 100


def attachment(name: str, suffix: str, plain: str) -> dict[str, str]:
    """The header for a file that is called ``name``; ``plain`` is its name for who reads ASCII alone."""
    fit = _UNFIT.sub(" ", name).strip(" .")[:MOST_FILE_NAME] or plain
    coded = f"filename*=UTF-8''{quote(fit + suffix, safe='')}"
    return {"content-disposition": f'attachment; filename="{plain}{suffix}"; {coded}'}


OPEN: Final = ("/api/rules", "/api/terms/", "/api/explain", "/api/games/", "/sw.js")
LEVEL: Final = 6


class Compression(GZipMiddleware):
    """Compresses the answers below the paths of ``OPEN`` alone."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; a socket and what may hold a secret pass as they are."""
        if scope["type"] == "http" and scope["path"].startswith(OPEN):
            takes = "gzip" in accepted(Headers(scope=scope))
            MutableHeaders(scope=scope)["accept-encoding"] = "gzip" if takes else "identity"
            await super().__call__(scope, receive, send)
        else:
            await self.app(scope, receive, send)


LANGUAGE_COOKIE: Final = "jantaku_language"  # written by the client when the user chooses a language
MARK: Final = "<!-- opening -->"
LIST: Final = "opening.json"
_OTHER: Final = "not-found"


def language_for(request: Request) -> terms.Language:
    """The language chosen in this browser, else the browser's preference."""
    chosen = request.cookies.get(LANGUAGE_COOKIE)
    for language in terms.LANGUAGES:
        if language == chosen:
            return language
    return language_of(request.headers.get("accept-language", ""))


def opening(page: Path, path: str, language: terms.Language) -> str:
    """The built ``index.html`` (``page``) for an address; unchanged if the build left no file list."""
    listed = page.with_name(LIST)
    if not listed.is_file():
        return page.read_text("utf-8")
    pages = _built(listed, listed.stat().st_mtime_ns)["pages"]
    first = path.partition("/")[0]
    return _filled(page, page.stat().st_mtime_ns, first if first in pages else _OTHER, language)


@lru_cache(maxsize=2)
def _built(listed: Path, _changed: int) -> dict[str, Any]:
    """The build's list of files for each page and each language."""
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
"""The forms in which the build leaves most files, the smaller one first."""
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
    """Send a file of the client, or its page."""
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
    """Say that there is nothing here to a page that would try again and again without an answer."""
    await socket.accept()
    await socket.close(NO_SOCKET)


def _page(request: Request, path: str) -> Response:
    """The client's page, prepared for an address and a language."""
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
    """A page in its compressed form: one text for each page and language, none with a secret."""
    return gzip.compress(text.encode(), mtime=0)


def _file(path: str) -> Path | None:
    """The file at ``path`` if it, or a packed form of it, is inside the client's folder, else ``None``."""
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
    """Send a file in the smallest form that the browser accepts."""
    headers = {"cache-control": life, "vary": "accept-encoding"}
    taken = accepted(request.headers)
    for name, suffix in PACKED:
        packed = file.with_name(file.name + suffix)
        if name in taken and packed.is_file():
            headers["content-encoding"] = name
            return FileResponse(packed, media_type=TYPES[file.suffix], headers=headers)
    if file.is_file():
        return FileResponse(file, media_type=TYPES[file.suffix], headers=headers)
    return Response(gzip.decompress(_gzipped(file).read_bytes()), 200, headers, TYPES[file.suffix])


HERE_ONLY: Final = ("localhost", "127.0.0.1", "::1")


def base_of_links(request: Request, settings: Settings) -> str:
    """The first part of a link to this server that works on another device.

    It is the public address, else the address the request used. A loopback address is replaced by the one in
    the local network if the server listens there.
    """
    if settings.public_url:
        return settings.public_url
    if settings.nearby_url and request.url.hostname in HERE_ONLY:
        return settings.nearby_url
    return str(request.base_url).rstrip("/")


def invite_to(request: Request, settings: Settings, path: str) -> Invite:
    """The link of a page for other people."""
    base = base_of_links(request, settings)
    return Invite(url=f"{base}{path}", only_here=urlsplit(base).hostname in HERE_ONLY)


def qr_code(url: str) -> str:
    """A link as a QR code in SVG."""
    out = io.BytesIO()
    code = segno.make(url, error="m", micro=False)
    code.save(out, kind="svg", xmldecl=False, svgns=True, border=2, omitsize=True, nl=False)
    return out.getvalue().decode()


def qr_page(link: Invite) -> Response:
    """The picture of a link as a response."""
    return Response(qr_code(link.url), media_type="image/svg+xml")
