"""What the terminal shows, as text."""

import io

from rich.console import Console, RenderableType

WIDTH, HEIGHT = 80, 24


def written(screen: RenderableType, width: int = WIDTH, height: int = HEIGHT) -> str:
    """A screen as text."""
    file = io.StringIO()
    Console(file=file, width=width, height=height, color_system=None).print(screen)
    return file.getvalue()
