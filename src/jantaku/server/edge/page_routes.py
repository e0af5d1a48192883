"""The client: built files with long cache lives, and its single page for every other address."""

import gzip
from functools import lru_cache
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request, Response, WebSocket
from starlette.responses import FileResponse, HTMLResponse

from jantaku.server.edge.accepted_encodings import accepted
from jantaku.server.edge.html_page import language_for, opening
from jantaku.server.errors import ServerError

router = APIRouter(include_in_schema=False)
STATIC: Final = Path(__file__).parents[1] / "static"
FOR_EVER, EACH_TIME = "public, max-age=31536000, immutable", "no-cache"
HASHED: Final = "assets"  # file names in this folder change with the contents
PACKED: Final = (("br", ".br"), ("gzip", ".gz"))
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
    """The file at ``path`` if it is inside the client's folder, else ``None``."""
    if "\x00" in path:
        return None
    try:
        file = (STATIC / path).resolve()
        inside = file.is_relative_to(STATIC.resolve()) and file.is_file()
    except OSError:  # the name is too long
        return None
    return file if inside and file.suffix in TYPES else None


def _file_response(request: Request, file: Path, life: str) -> Response:
    """Send a file, compressed if the browser accepts it and a compressed copy exists."""
    headers = {"cache-control": life, "vary": "accept-encoding"}
    taken = accepted(request.headers)
    for name, suffix in PACKED:
        packed = file.with_name(file.name + suffix)
        if name in taken and packed.is_file():
            headers["content-encoding"] = name
            return FileResponse(packed, media_type=TYPES[file.suffix], headers=headers)
    return FileResponse(file, media_type=TYPES[file.suffix], headers=headers)
