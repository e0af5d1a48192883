"""The requests that the walk through the recorder sends."""

from typing import Final

EVENT: Final = "/api/events/{event}"
GAME: Final = f"{EVENT}/games/{{game}}"
FROM_THE_RECORDER: Final = frozenset({
    f"GET {EVENT}", f"GET {EVENT}/entries", f"GET {EVENT}/payments", f"GET {EVENT}/invite",
    f"GET {EVENT}/qr.svg", f"GET {EVENT}/games", f"POST {EVENT}/games", f"POST {EVENT}/calls",
    f"GET {GAME}", f"GET {GAME}/versions", f"POST {GAME}/hands", f"POST {GAME}/preview",
    f"POST {GAME}/confirm",
})  # fmt: skip
