"""Errors of the server and their HTTP status."""

from typing import Final

from jantaku import terms
from jantaku.errors import JantakuError


class ServerError(JantakuError):
    """A request that the server refuses. Its texts are in ``terms/server.*.toml`` under ``errors``."""

    STATUS: Final[dict[str, int]] = {
        "sign_in": 401,
        "wrong_password": 401,
        "link_used": 401,
        "wrong_old_password": 403,
        "no_account": 403,
        "removed": 403,
        "not_allowed": 403,
        "wrong_origin": 403,
        "wrong_host": 421,
        "not_owner": 403,
        "not_your_rules": 403,
        "no_table": 404,
        "no_game": 404,
        "no_person": 404,
        "no_session": 404,
        "no_page": 404,
        "no_step": 404,
        "no_rules": 404,
        "rules_unreadable": 409,
        "rules_code_missing": 409,
        "wrong_method": 405,
        "name_taken": 409,
        "name_like": 409,
        "has_account": 409,
        "seat_taken": 409,
        "no_free_seat": 409,
        "already_started": 409,
        "not_playing": 409,
        "no_bot_there": 409,
        "not_seated": 409,
        "rated_stays": 409,
        "too_large": 413,
        "too_slow": 408,
        "not_json_type": 415,
        "too_many": 429,
        "busy": 429,
        "too_heavy": 413,
        "too_many_tables": 429,
        "too_many_rules": 429,
        "too_many_uploads": 429,
        "too_much_kept": 429,
        "too_many_guests": 429,
        "too_many_accounts": 429,
        "too_many_tries": 429,
        "storage_lost": 503,
        "table_fault": 500,
        "table_stopped": 409,
        "internal": 500,
    }

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.STATUS.get(self.code, 400)

    def message(self, language: terms.Language | None = None) -> str:
        """What went wrong and what to do about it."""
        return terms.text(f"server.errors.{self.code}", language, **self.to_show())
