"""Self-contained HTML pages: one file without scripts and requests, for phones, desktops and paper."""

import html
from functools import cache
from importlib import resources
from typing import Final

from jantaku.terms import Language

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def page(title: str, language: Language, styles: str, body: str) -> str:
    """Return the file. ``title`` is plain text, ``body`` HTML, and ``styles`` CSS after the common style."""
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        f"<title>{html.escape(title)}</title>"
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<style>{style(__package__, 'page.css')}{styles}</style></head><body>{body}</body></html>\n"
    )


@cache
def style(package: str, name: str) -> str:
    """Return a style sheet of a package."""
    return resources.files(package).joinpath(name).read_text("utf-8")
