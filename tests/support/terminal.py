"""Run the command line in this process, and render screens as text."""

import io
from collections.abc import Mapping

from rich.console import Console, RenderableType
from typer.testing import CliRunner, Result

from jantaku.cli.app import app

WIDTH, HEIGHT = 80, 24


def run(
    *arguments: object, language: str = "en", text: str | bytes | None = None, env: Mapping[str, str] = {}
) -> Result:
    """Call ``jantaku``; unexpected errors are raised."""
    environment = {"JANTAKU_LANG": language, "COLUMNS": "200", "NO_COLOR": "1", **env}
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=text, env=environment)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def written(screen: RenderableType, width: int = WIDTH, height: int = HEIGHT) -> str:
    """Render a screen as text."""
    file = io.StringIO()
    Console(file=file, width=width, height=height, color_system=None).print(screen)
    return file.getvalue()
