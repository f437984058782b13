"""What the site needs beside the pages in docs/: pages of games in the navigation, files of the root, tables, links into the code."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import Any

import game_tables  # beside this file; mkdocs looks there, too
from mkdocs.structure.files import File, Files

from winterkingdom_env.games import GAMES, get_game

DOCS = Path(__file__).parent
ROOT = DOCS.parent

# Files of the root that are pages of the site.
ROOT_PAGES = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security_policy.md",
    "CITATION.cff": "citation.md",
    "LICENSE": "licence.md",
}
TITLES = {"CITATION.cff": "Citation", "LICENSE": "Licence"}  # of those that are no Markdown
COMMANDS = "<!-- commands -->"
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
FENCED = re.compile(r"^(```.*?^```$)", re.MULTILINE | re.DOTALL)


# --- links ------------------------------------------------------------------------------------------------------------


@cache
def api_modules() -> dict[str, str]:
    """The modules that the API reference describes, and the page of each."""
    found = {}
    for page in sorted((DOCS / "api").glob("*.md")):
        for module in re.findall(r"^::: ([\w.]+)", page.read_text(encoding="utf-8"), re.MULTILINE):
            found[module] = f"api/{page.name}"
    return found


def source_of(uri: str) -> Path:
    """The file that a page of the site is made from."""
    named = {page: ROOT / name for name, page in ROOT_PAGES.items()}
    return named.get(uri, DOCS / uri)


def target_of(path: Path, uri: str) -> str | None:
    """Where a link to a file leads from a page of the site; None if the site does not have it."""
    here = os.path.dirname(uri) or "."
    if path.is_relative_to(DOCS):
        return os.path.relpath(path.relative_to(DOCS), here)
    name = path.relative_to(ROOT).as_posix()
    if name in ROOT_PAGES:
        return os.path.relpath(ROOT_PAGES[name], here)
    module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    page = api_modules().get(module)
    return f"{os.path.relpath(page, here)}#{module}" if page else None


def site_links(markdown: str, uri: str) -> str:
    """A page whose links to files outside docs/ lead to the site's own pages, or, if it has none, name the file."""

    def led(found: re.Match[str]) -> str:
        picture, text, address, anchor = found[1], found[2], found[3], found[4] or ""
        if re.match(r"[a-z]+:", address):
            return found[0]
        path = Path(os.path.normpath(source_of(uri).parent / address))
        target = target_of(path, uri)
        if target is not None:
            return f"{picture}[{text}]({target}{anchor})"
        name = path.relative_to(ROOT).as_posix()
        return f"`{name}`" if text.strip("`") in (name, path.name) else f"{text} (`{name}`)"

    parts = FENCED.split(markdown)
    return "".join(part if part.startswith("```") else LINK.sub(led, part) for part in parts)


# --- the command line -------------------------------------------------------------------------------------------------


def command_line() -> str:
    """The help of every command of the package, as typer writes it in Markdown. Those of the checkout need packages that may be missing here."""
    from typer.cli import get_docs_for_click
    from typer.main import get_command

    from winterkingdom_env.cli.commands import app
    from winterkingdom_env.cli.rooms import ROOMS

    command: Any = get_command(app)
    command.commands = {name: one for name, one in command.commands.items() if name not in ROOMS}
    with command.make_context("winterkingdom", [], resilient_parsing=True) as context:
        written: str = get_docs_for_click(obj=command, ctx=context, name="winterkingdom")
    return tidy_help(written)


def tidy_help(written: str) -> str:
    """Typer's Markdown from the first command on, with the examples of each as code and its exit codes as a list."""
    _, mark, body = written.partition("\n## ")  # above it stands a list of the commands, cut short
    body = re.sub(
        r"^\[bold\](Examples|Exit codes)\[/bold\]\n\n((?:  .*\n+)+)", _section, mark + body, flags=re.MULTILINE
    )
    return body.replace("$ winterkingdom", "winterkingdom").replace("```console", "```sh")


def _section(found: re.Match[str]) -> str:
    title, lines = found[1], [line.strip() for line in found[2].splitlines() if line.strip()]
    if title == "Examples":
        shown = "\n".join(["```sh", *lines, "```"])
    else:
        shown = "\n".join(f"- `{code}`: {meaning}" for code, meaning in (line.split(None, 1) for line in lines))
    return f"**{title}**:\n\n{shown}\n\n"


# --- mkdocs calls these -----------------------------------------------------------------------------------------------


def on_config(config: Any) -> Any:
    """Add the pages of every game to the navigation."""
    (games,) = (entry["Games"] for entry in config.nav if "Games" in entry)
    for name in GAMES:
        pages = [{title: page} for title, page in game_tables.pages_of(name).items()]
        games.append({get_game(name).TITLE: pages})
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the files of the root."""
    for name, uri in ROOT_PAGES.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        content = f"# {TITLES[name]}\n\n```text\n{text}```\n" if name in TITLES else text
        files.append(File.generated(config, uri, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Make the tables, the help of the commands and the links of a page."""
    uri: str = page.file.src_uri
    if COMMANDS in markdown:
        markdown = markdown.replace(COMMANDS, command_line())
    return site_links(game_tables.renewed(markdown), uri)
