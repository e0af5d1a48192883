"""The requests that the walks through seasons and side bets send."""

from typing import Final

SEASON: Final = "/api/seasons/{season}"
FROM_SEASONS: Final = frozenset({
    "GET /api/seasons", "POST /api/seasons", "GET /api/seasons/templates", f"GET {SEASON}", f"PATCH {SEASON}",
    f"GET {SEASON}/ranking", f"GET {SEASON}/people", f"POST {SEASON}/people/{{player}}/merge",
    f"POST {SEASON}/people/{{player}}/separate", f"POST {SEASON}/finalists",
})  # fmt: skip
BETS: Final = "/api/events/{event}/bets"
FROM_SIDE_BETS: Final = frozenset({f"GET {BETS}", f"POST {BETS}", f"POST {BETS}/{{number}}/answer"})
