"""The requests that the walks through the organiser's desk send."""

from typing import Final

EVENT: Final = "/api/events/{event}"
FROM_THE_DESK: Final = frozenset({
    "GET /api/events/templates", "POST /api/events", f"GET {EVENT}", f"PATCH {EVENT}", f"GET {EVENT}/invite",
    f"GET {EVENT}/qr.svg", f"GET {EVENT}/entries", f"POST {EVENT}/entries/list", f"GET {EVENT}/games",
    f"POST {EVENT}/games", f"GET {EVENT}/games/{{game}}", f"POST {EVENT}/games/{{game}}/points",
    f"POST {EVENT}/games/{{game}}/confirm", f"GET {EVENT}/calls", f"GET {EVENT}/penalties",
    f"GET {EVENT}/doubts",
    f"POST {EVENT}/penalties", f"GET {EVENT}/log", f"GET {EVENT}/rounds", f"GET {EVENT}/rounds/{{stage}}",
    f"POST {EVENT}/rounds/{{stage}}/seating/import", f"POST {EVENT}/rounds/{{stage}}/publish",
    f"POST {EVENT}/rounds/{{stage}}/{{number}}/start",
})  # fmt: skip
FROM_PAGES_OF_THE_DESK: Final = frozenset({
    f"POST {EVENT}/logs/preview", f"POST {EVENT}/logs", f"GET {EVENT}/webhooks", f"POST {EVENT}/webhooks",
    f"DELETE {EVENT}/webhooks/{{webhook}}", f"POST {EVENT}/webhooks/{{webhook}}/send", f"GET {EVENT}/names",
    f"GET {EVENT}/entries/{{entry}}/names", f"PATCH {EVENT}/entries/{{entry}}/names", f"GET {EVENT}/qr.svg",
})  # fmt: skip
FROM_DECISIONS: Final = frozenset({
    f"POST {EVENT}/staff", f"DELETE {EVENT}/staff/{{person}}", f"POST {EVENT}/entries/{{entry}}/merge",
    f"POST {EVENT}/entries/{{entry}}/erase", f"GET {EVENT}/games/{{game}}/versions",
    f"POST {EVENT}/games/{{game}}/hands", f"POST {EVENT}/calls/{{number}}/close",
    f"POST {EVENT}/penalties/{{number}}/cancel", f"GET {EVENT}/export", f"GET {EVENT}/export/ranking",
    f"GET {EVENT}/file",
    f"POST {EVENT}/rounds/{{stage}}/{{number}}/timer", f"POST {EVENT}/rounds/{{stage}}/{{number}}/seats",
    f"POST {EVENT}/rounds/{{stage}}/{{number}}/finish",
})  # fmt: skip
OF_THE_DESK: Final = FROM_THE_DESK | FROM_PAGES_OF_THE_DESK | FROM_DECISIONS
