"""Device names for the list of sessions: browser family and system, nothing finer."""

from typing import Final

# The first match counts: most browsers also name those they descend from
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Whale", "Whale"),
    ("KAKAOTALK", "KakaoTalk"),
    ("NAVER", "NAVER"),
    ("Line/", "LINE"),
    ("FxiOS", "Firefox"),
    ("Firefox", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)
MOST_READ: Final = 500


def device(agent: str) -> str:
    """Browser and system of a ``User-Agent``; empty if neither is known.

    >>> device("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36")
    'Chrome · Android'
    >>> device("curl/8")
    ''
    """
    read = agent[:MOST_READ]
    names = [next((name for word, name in known if word in read), "") for known in (_BROWSERS, _SYSTEMS)]
    return " · ".join(filter(None, names))
