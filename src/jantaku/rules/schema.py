"""JSON Schema (draft 2020-12) of rules files, generated from the option table and the yaku catalogue.

Editors use it to complete and explain options. A rules file that fits the schema can still contradict itself,
which ``load`` detects. ``x-rows`` and ``x-columns`` are captions of tables of values.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any, Final, Literal, get_args, get_origin

from jantaku import terms
from jantaku.rules.catalogue import LIMIT_HAN, MAX_HAN, YAKUMAN, YakuValue, catalogue
from jantaku.rules.check import LIABLE, OTHER_NAMES, UNIONS, hints
from jantaku.rules.options import SECTIONS
from jantaku.rules.ruleset_texts import MAX_LANGUAGES, MAX_WORDS
from jantaku.rules.sentences import about_option, define_yaku
from jantaku.terms import LANGUAGES, Language

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
WORTH = "#/$defs/worth"
CAPTIONS = ("rows", "columns")
_PLACES: Schema = {"minItems": 4, "maxItems": 4}


def schema(language: Language | None = None) -> Schema:
    """Return the schema with titles and descriptions in ``language``."""
    words = terms.table("options", language or terms.current())
    sections = {name: _section(name, words[name], language) for name in SECTIONS}
    return {
        "$schema": DIALECT,
        "title": terms.text("cli.schema.title", language),
        "description": terms.text("cli.schema.about", language),
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "extends": _described("string", "extends", language),
            "name": _by_language("name", "name", language),
            "about": _by_language("about", "about_field", language),
            **sections,
            "yaku": _yaku(words["yaku"], language),
        },
        "$defs": {"worth": _worth(), "yaku": _yaku_settings(words["yaku"])},
    }


def _described(kind: str, key: str, language: Language | None) -> Schema:
    return {"type": kind, "description": terms.text(f"cli.schema.{key}", language)}


def _by_language(part: str, key: str, language: Language | None) -> Schema:
    text = {"type": "string", "maxLength": MAX_WORDS[part]}
    return {
        **_described("object", key, language),
        "properties": dict.fromkeys(LANGUAGES, text),
        "additionalProperties": text,
        "maxProperties": MAX_LANGUAGES,
    }


def _section(name: str, words: Mapping[str, Any], language: Language | None) -> Schema:
    section = SECTIONS[name]
    return {
        "title": words["label"],
        "description": words["about"],
        "type": "object",
        "additionalProperties": False,
        "properties": {
            item.name: _option(name, item, words[item.name], language) for item in dataclasses.fields(section)
        },
    }


def _option(
    section: str, item: dataclasses.Field[Any], words: Mapping[str, Any], language: Language | None
) -> Schema:
    default, hint = getattr(SECTIONS[section](), item.name), hints(SECTIONS[section])[item.name]
    title, described = words["label"], about_option(f"{section}.{item.name}", language)
    schema = {"title": title, "description": described, **of_type(hint)}
    _bound(schema, item.metadata)
    _narrow(schema, _NARROWER.get(f"{section}.{item.name}", {}))
    schema |= {f"x-{part}": words[part] for part in CAPTIONS if part in words}
    return {**schema, "default": _plain(default)}


def _bound(schema: Schema, bounds: Mapping[str, Any]) -> None:
    """Add the bounds of an option: those of a number, or of a list or table and its entries."""
    for kind, most, inside in _INSIDE:
        if schema.get("type") == kind:
            schema[most] = bounds["most"]
            _bound(schema[inside], bounds)
    for part in schema.get("anyOf", ()):
        _bound(part, bounds)
    if schema.get("type") == "integer" and bounds["low"] is not None:
        schema |= {"minimum": bounds["low"], "maximum": bounds["high"]}
        schema |= {"multipleOf": bounds["step"]} if bounds["step"] != 1 else {}


def _narrow(schema: Schema, more: Schema) -> None:
    """Add the keywords of ``more``, recursively."""
    for name, value in more.items():
        if isinstance(value, dict) and name in schema:
            _narrow(schema[name], value)
        else:
            schema[name] = value


_INSIDE: Final = (("array", "maxItems", "items"), ("object", "maxProperties", "additionalProperties"))

# Restrictions enforced by the checker that a declared type cannot express
_NARROWER: Mapping[str, Schema] = {
    "tiles.red": {"propertyNames": {"pattern": "^[1-9][mps]$"}},
    "match.sticks": {"propertyNames": {"pattern": "^[1-9][0-9]{0,6}$"}},
    "match.uma": _PLACES,
    "match.floating_uma": {"maxItems": 3, "items": _PLACES},
    "pao.yakuman": {"items": {"enum": list(LIABLE)}},
}


def of_type(hint: Any) -> Schema:
    """Return the schema of a declared type."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"enum": list(args)}
    if origin in UNIONS:
        return {"anyOf": [of_type(choice) for choice in args]}
    if origin is tuple:
        return {"type": "array", "items": of_type(args[0])}
    if origin is not None:
        return {"type": "object", "additionalProperties": of_type(args[1])}
    return {"type": {int: "integer", bool: "boolean", str: "string"}[hint]}


def _worth() -> Schema:
    return {
        "anyOf": [
            {"type": "integer", "minimum": 0, "maximum": MAX_HAN},
            {"enum": [*LIMIT_HAN, *YAKUMAN]},
            {"const": False},
        ]
    }


def _yaku_settings(words: Mapping[str, Any]) -> Schema:
    types = hints(YakuValue)
    settings: dict[str, Schema] = {}
    for item in dataclasses.fields(YakuValue):
        kind = {"$ref": WORTH} if item.name in ("closed", "open") else of_type(types[item.name])
        about = {"title": words[item.name]["label"], "description": words[item.name]["about"]}
        settings[item.name] = about | kind
    settings |= {written: settings[name] for written, name in OTHER_NAMES.items()}
    return {"type": "object", "properties": settings, "additionalProperties": False}


def _yaku(words: Mapping[str, Any], language: Language | None) -> Schema:
    return {
        "title": words["label"],
        "description": words["about"],
        "type": "object",
        "properties": {
            name: {
                "title": terms.text(f"yaku.{name}.name", language),
                "description": define_yaku(name, language),
                "$ref": "#/$defs/yaku",
            }
            for name in catalogue()
        },
        # custom yaku
        "additionalProperties": {"$ref": "#/$defs/yaku"},
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
