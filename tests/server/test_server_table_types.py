"""The declared types of answers that are made from tables are what the server sends."""

import pytest
from pydantic import TypeAdapter

from jantaku import terms
from jantaku.rules import load, preset_names
from jantaku.rules.schema import schema
from jantaku.server.rules.table_types import OptionValue, RulesSchema, TermTree
from server.parlour import Person


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_the_schema_of_a_rules_file_has_no_other_keywords(language: terms.Language) -> None:
    options = schema(language)
    assert RulesSchema.model_validate(options).model_dump(exclude_unset=True) == options


def test_every_answer_is_of_its_type(person: Person) -> None:
    tables = person.get("/api/terms/ko")
    assert TypeAdapter(dict[str, TermTree]).validate_python(tables)
    assert RulesSchema.model_validate(person.get("/api/rules/options", lang="ja"))
    distance = person.post("/api/shanten", hand="123m456p789s1122z", id="x")
    assert distance == {"id": "x", "shanten": 0, "standard": 0, "chiitoitsu": 4, "kokushi": 8}
    refused = person.post("/api/shanten", hand="123x")
    assert set(refused) == {"id", "error"}
    assert refused["error"]["field"] == "hand"


@pytest.mark.parametrize("name", preset_names())
def test_a_ruleset_is_sent_as_it_is(name: str) -> None:
    adapter, tree = TypeAdapter(dict[str, OptionValue]), load(name).to_dict()
    assert adapter.dump_python(adapter.validate_python(tree)) == tree
