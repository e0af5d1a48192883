"""How Sphinx makes a site of these pages; ``make site`` calls it."""

import re
from pathlib import Path
from typing import Any

from docutils import nodes

from jantaku import __version__
from jantaku.cli.app import commands_page
from jantaku.terms import LANGUAGES

project = "Jantaku"
author = "The Jantaku developers"
release = version = __version__
language = "en"

extensions = ["myst_nb", "sphinx.ext.autodoc"]
exclude_patterns = ["_build", "**/.ipynb_checkpoints"]
# Every heading can be linked to, by the name it has on code hosts too
myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]  # pictures with a width, copied and checked
smartquotes = False  # an option begins with two hyphens

nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_merge_streams = True

autodoc_member_order = "groupwise"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True

html_theme = "furo"
html_title = f"Jantaku {__version__}"
html_copy_source = False
html_show_copyright = False


# Pages of the project's folder, and the pages here that include them
OUTSIDE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "SECURITY.md": "security.md"}


def write_commands(app: Any) -> None:
    """Write the page of all commands in every language, from the commands themselves."""
    for found in LANGUAGES:
        ending = "" if found == "en" else f".{found}"
        page = Path(app.srcdir) / "generated" / f"commands{ending}.md"
        text = commands_page(found)
        page.parent.mkdir(exist_ok=True)
        if not page.is_file() or page.read_text("utf-8") != text:
            page.write_text(text, "utf-8")


def stay_within(app: Any, docname: str, content: list[str]) -> None:
    """Lead links to a page of the project's folder to the page that includes it."""
    for outside, page in OUTSIDE.items():
        content[0] = content[0].replace(f"](../{outside}", f"]({page}")


def keep_anchors(app: Any, doctree: Any) -> None:
    """Let links lead to ``<a id="…">``, which the generated pages have in their tables."""
    slugs = app.env.metadata[app.env.docname].setdefault("myst_slugs", {})
    for raw in list(doctree.findall(nodes.raw)):
        if found := re.fullmatch(r'<a id="([^"]+)">', raw.astext()):
            slugs[found[1]] = (raw.line or 0, found[1], found[1])


def tell_language(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Name the language of a page, for browsers that read it aloud and break its lines."""
    ending = pagename.rpartition(".")[2]
    context["language"] = ending if ending in LANGUAGES else language


def without_aliases(app: Any, what: str, name: str, value: Any, skip: bool, options: Any) -> bool | None:
    """Leave out fields of named tuples of which Python itself says "Alias for field number 3"."""
    return True if str(getattr(value, "__doc__", "")).startswith("Alias for field") else None


def setup(app: Any) -> None:
    """Connect the functions above."""
    app.connect("autodoc-skip-member", without_aliases)
    app.connect("builder-inited", write_commands)
    app.connect("source-read", stay_within)
    app.connect("doctree-read", keep_anchors)
    app.connect("html-page-context", tell_language)
