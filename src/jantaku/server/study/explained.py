"""A win with its explanation, as the calculator shows it; the sentences mark their tiles."""

from collections.abc import Mapping
from typing import Any

from jantaku import terms
from jantaku.adjudication.explain import Explanation, explain, explain_failure
from jantaku.adjudication.jsonl import answer
from jantaku.adjudication.named_rules import rules_of
from jantaku.adjudication.requests import win_from_request
from jantaku.adjudication.score import score
from jantaku.errors import HandError
from jantaku.rules import Ruleset
from jantaku.server.study.hand_answers import Explained
from jantaku.win import Win


def explained_answer(
    request: Mapping[str, Any], rules: Ruleset | None, language: terms.Language
) -> Explained:
    """Score and explain a win under ``rules`` or the rules that the request names."""
    with terms.using(language):
        with terms.with_pictures():
            reply = answer(request, rules or "standard")
        if "error" in reply and reply["error"]["code"] == "bad_request":
            return Explained(answer=reply, explanation=None, text=reply["error"]["message"])
        return Explained(answer=reply, **explained(request, rules or rules_of(request), language))


def explained(request: Mapping[str, Any], rules: Ruleset, language: terms.Language) -> dict[str, Any]:
    """Explain a valid request, in parts and as plain ``text``."""
    win = win_from_request(request)
    with terms.with_pictures():
        parts = _explanation(win, rules, language)
    return {"explanation": parts, "text": _explanation(win, rules, language).text()}


def _explanation(win: Win, rules: Ruleset, language: terms.Language) -> Explanation:
    """Explain why a win is worth what it is, or why the hand may not win."""
    try:
        return explain(score(win, rules), language)
    except HandError as error:
        return explain_failure(win, rules, error, language)
