"""The requests that the walk through the organiser's desk sends."""

from typing import Final

EVENT: Final = "/api/events/{event}"
FROM_THE_DESK: Final = frozenset({
    "GET /api/events/templates", "POST /api/events", f"GET {EVENT}", f"PATCH {EVENT}", f"GET {EVENT}/invite",
    f"GET {EVENT}/qr.svg", f"GET {EVENT}/entries", f"POST {EVENT}/entries/list", f"GET {EVENT}/games",
    f"POST {EVENT}/games", f"GET {EVENT}/games/{{game}}", f"POST {EVENT}/games/{{game}}/points",
    f"POST {EVENT}/games/{{game}}/confirm", f"GET {EVENT}/calls", f"GET {EVENT}/penalties",
    f"POST {EVENT}/penalties", f"GET {EVENT}/log", f"GET {EVENT}/rounds", f"GET {EVENT}/rounds/{{stage}}",
    f"POST {EVENT}/rounds/{{stage}}/seating/import", f"POST {EVENT}/rounds/{{stage}}/publish",
    f"POST {EVENT}/rounds/{{stage}}/{{number}}/start",
})  # fmt: skip
