"""Scoring and explaining hands, in worker processes."""

from collections.abc import Mapping
from typing import Any

from jantaku import terms
from jantaku.server.edge.limited_work import playing_job
from jantaku.terms import Language

Data = dict[str, Any]


@playing_job
def score_hand(request: Mapping[str, Any], language: Language) -> Data:
    """Answer a scoring request that contains its rules."""
    from jantaku.adjudication.jsonl import answer

    with terms.using(language):
        return answer(request)


@playing_job
def explain_hand(request: Mapping[str, Any], language: Language) -> Data:
    """Explain a request that contains its rules; returns ``Explained`` as data."""
    from jantaku.server.study.explained import explained_answer

    return explained_answer(request, None, language).model_dump()
