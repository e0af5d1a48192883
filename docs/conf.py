"""Sphinx configuration for ``make site``, which first writes the generated pages."""

import re
import sys
from pathlib import Path
from typing import Any

from docutils import nodes

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from research.answers.page import answers_page  # noqa: E402

from jantaku import __version__  # noqa: E402
from jantaku.cli.app import commands_page  # noqa: E402
from jantaku.rules import inventory_page, reference  # noqa: E402
from jantaku.terms import LANGUAGES  # noqa: E402

project = "Jantaku"
author = "The Jantaku developers"
release = version = __version__
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build", "generated/commands.md"]
myst_heading_anchors = 4  # heading anchors like those of code hosts
myst_enable_extensions = ["html_image"]  # pictures with a width
smartquotes = False  # an option begins with two hyphens

autodoc_member_order = "groupwise"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True

html_theme = "furo"
html_title = f"Jantaku {__version__}"
html_copy_source = False
html_show_copyright = False

GENERATED = {
    "commands.md": lambda: commands_page("en"),
    "rules.md": reference.reference,
    "inventory.md": inventory_page.page,
    "answers.md": answers_page,
}
"""Pages in ``docs/generated`` and the functions that generate them."""

ON_THE_SITE = {
    "../CONTRIBUTING.md": "contributing.md",
    "../SECURITY.md": "contributing.md",
    "../src/jantaku/rules/options.py": "generated/rules.md",
    "../src/jantaku/rules/inventory.tsv": "generated/inventory.md",
    "../src/jantaku/lab/experiment/answers.json": "generated/answers.md",
}
"""Files that pages link to for readers on a code host, and the corresponding pages of the site."""


def write_generated_pages(app: Any) -> None:
    """Write the generated pages; unchanged ones keep their timestamps, so that Sphinx skips them."""
    if app.srcdir != app.confdir:  # tests build other pages with this configuration
        return
    for name, text_of in GENERATED.items():
        page, text = Path(app.srcdir) / "generated" / name, text_of()
        page.parent.mkdir(exist_ok=True)
        if not page.is_file() or page.read_text("utf-8") != text:
            page.write_text(text, "utf-8")


def link_to_site_pages(app: Any, docname: str, content: list[str]) -> None:
    """Replace links to files outside ``docs`` with links to the corresponding pages."""
    for file, page in ON_THE_SITE.items():
        content[0] = content[0].replace(f"]({file}", f"]({page}")


def register_anchors(app: Any, doctree: Any) -> None:
    """Make ``<a id="…">`` in the tables of generated pages a link target."""
    slugs = app.env.metadata[app.env.docname].setdefault("myst_slugs", {})
    for raw in list(doctree.findall(nodes.raw)):
        if match := re.fullmatch(r'<a id="([^"]+)">', raw.astext()):
            slugs[match[1]] = (raw.line or 0, match[1], match[1])


def set_language(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Set the language of a page, for screen readers and line breaking."""
    ending = pagename.rpartition(".")[2]
    context["language"] = ending if ending in LANGUAGES else language


def skip_aliases(app: Any, what: str, name: str, value: Any, skip: bool, options: Any) -> bool | None:
    """Leave out named tuple fields whose only docstring is Python's own "Alias for field number 3"."""
    return True if str(getattr(value, "__doc__", "")).startswith("Alias for field") else None


def setup(app: Any) -> None:
    """Connect the functions above."""
    app.connect("autodoc-skip-member", skip_aliases)
    app.connect("builder-inited", write_generated_pages)
    app.connect("source-read", link_to_site_pages)
    app.connect("doctree-read", register_anchors)
    app.connect("html-page-context", set_language)
