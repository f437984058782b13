"""HTML pages from templates: all text is escaped, style and pictures are inline, no external resources, no scripts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from winterkingdom_env.core.extras import needed

TEMPLATES = Path(__file__).parent / "templates"


def load() -> Any:
    """jinja2; MissingExtraError says how to install it."""
    return needed("jinja2", "an HTML report")


def render(template: str, content: Mapping[str, Any], folder: Path = TEMPLATES) -> str:
    """A page from a template in ``folder``, which may extend the shared templates."""
    jinja2 = load()
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([folder, TEMPLATES]), autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    return str(environment.get_template(template).render(content))
