"""Expressions that the databases write differently."""

from typing import Any

from sqlalchemy import BigInteger, Text
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement


class DatabaseMs(FunctionElement[int]):
    """The time by the clock of the database, in ms since 1970: the clocks of its processes may differ."""

    type = BigInteger()
    inherit_cache = True


class TextsOf(FunctionElement[str]):
    """The texts of a JSON list, as rows: one parameter for many, so that the statement is compiled once."""

    type = Text()
    inherit_cache = True


@compiles(DatabaseMs, "postgresql")
def _postgresql_ms(*_: Any, **__: Any) -> str:
    return "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"


@compiles(DatabaseMs, "sqlite")
def _sqlite_ms(*_: Any, **__: Any) -> str:
    return "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"


@compiles(TextsOf, "postgresql")
def _postgresql_texts(element: TextsOf, compiler: Any, **more: Any) -> str:
    return f"(SELECT json_array_elements_text(CAST({compiler.process(element.clauses, **more)} AS json)))"


@compiles(TextsOf, "sqlite")
def _sqlite_texts(element: TextsOf, compiler: Any, **more: Any) -> str:
    listed = compiler.process(element.clauses, **more)
    return f"(SELECT value FROM json_each({listed}))"  # noqa: S608  (a parameter of the statement)
