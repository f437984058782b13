"""The documentation: pages, navigation, links, paths of code, and the tables that games fill. ``make docs`` builds the site itself."""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import io
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.house.games import NAMES
from winterkingdom_env.games import GAMES, get_game
from winterkingdom_env.games.options import meanings_of, options_of
from winterkingdom_env.search.registry import AGENTS, agent_spec
from winterkingdom_env.search.view import View

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
ROOT_PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")]
NAV = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)")
FOLDERS = "winterkingdom_env|agents|training|benchmarks|tests|examples|notebooks|docs"
CODE_PATH = re.compile(rf"(?<![\w/.-])((?:{FOLDERS})/[\w./-]*\w)")


def loaded(name: str) -> ModuleType:
    """A module of docs/, which is no package."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:  # as mkdocs does it
        patch.syspath_prepend(DOCS)
        spec.loader.exec_module(module)
    return module


tables = loaded("game_tables")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def anchors_of(path: Path) -> set[str]:
    """What links can name in a page, as GitHub and the site make it of headings."""
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", text_of(path)), re.MULTILINE)
    plain = (re.sub(r"[^\w\s-]", "", heading.lower()).strip() for heading in headings)
    return {re.sub(r"[\s-]+", "-", heading) for heading in plain}


# --- pages and links --------------------------------------------------------------------------------------------------


def test_every_page__is_in_the_navigation() -> None:
    entries = re.findall(r"^ *- (?:[^#:\n]+: )?([\w/]+\.md)$", NAV, re.MULTILINE)
    of_games = [page for name in GAMES for page in tables.pages_of(name).values()]
    in_nav = {*entries, *of_games}
    missing = {path.relative_to(DOCS).as_posix() for path in PAGES} - in_nav
    assert not missing, f"mkdocs.yml, nav: {sorted(missing)}"
    assert len(entries) == len(set(entries))


@pytest.mark.parametrize("name", GAMES)
def test_every_game__has_a_page(name: str) -> None:
    page = DOCS / "games" / f"{name}.md"
    assert page.exists(), f"write docs/games/{name}.md; docs/games/winter_kingdom.md shows how"
    for kind in ("glance", "actions", "options"):
        assert f"<!-- table: {kind} {name} -->" in text_of(page)
    history = re.findall(r"^\| (v\d+) \|", text_of(page).partition("\n## Versions")[2], re.MULTILINE)
    assert history[-1] == GAMES[name], "the last row of Versions is the version of the game"


@pytest.mark.parametrize("page", [*PAGES, *ROOT_PAGES], ids=name_of)
def test_links__lead_to_files_and_headings(page: Path) -> None:
    for address, anchor in LINK.findall(FENCED.sub("", text_of(page))):
        if re.match(r"[a-z]+:", address):
            continue
        target = (page.parent / address).resolve() if address else page
        assert target.exists(), f"{address} does not exist"
        if anchor and target.suffix == ".md":
            assert anchor in anchors_of(target), f"{address} has no heading #{anchor}"


def paths_in(page: Path) -> Iterator[str]:
    """The paths of this repository that a page names, other than those with placeholders."""
    for found in CODE_PATH.finditer(text_of(page)):
        is_pattern = text_of(page)[found.end() : found.end() + 2].startswith(("<", "/<", "*", "/*", "_<"))
        if not is_pattern:
            yield found[1]


@pytest.mark.parametrize("page", [*PAGES, *(path for path in ROOT_PAGES if path.name != "CHANGELOG.md")], ids=name_of)
def test_paths__exist(page: Path) -> None:
    missing = [path for path in paths_in(page) if not any((top / path).exists() for top in (ROOT, page.parent))]
    assert not missing, f"{page.name} names {missing}"


@pytest.mark.parametrize("folder", FOLDERS.split("|")[:-1])
def test_docs_named_in_code__exist(folder: str) -> None:
    named = {
        (name_of(path), found)
        for path in (ROOT / folder).rglob("*.py")
        for found in re.findall(r"\bdocs/[\w/]+\.md\b", text_of(path))
    }
    missing = [f"{path}: {page}" for path, page in sorted(named) if not (ROOT / page).exists()]
    assert not missing, "\n".join(missing)


# --- tables -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_tables__are_what_the_games_say(page: Path) -> None:
    assert tables.renewed(text_of(page)) == text_of(page), f"{tables.COMMAND} renews it"


@pytest.mark.parametrize("name", NAMES)
def test_tables__name_every_action_and_option(name: str) -> None:
    rules = get_game(name)
    game = rules.new_game()
    rows = [line.split(" | ") for line in tables.actions(rules).splitlines()[2:]]
    assert {row[0].strip("|` ") for row in rows} == {game.label(action).split()[0] for action in range(rules.N_ACTIONS)}
    assert sum(int(row[2]) for row in rows) == rules.N_ACTIONS
    for option in ("num_players", *options_of(rules)):
        assert f"| `{option}` |" in tables.options(rules)


def test_options__say_what_the_docstring_says() -> None:
    class Config:
        """A game.

        first   one thing,
                and more of it
        second  another
        Not an option  at all.
        """

        __struct_fields__ = ("first", "second")

    class Rules:
        pass

    Rules.Config = Config  # type: ignore[attr-defined]
    assert meanings_of(Rules) == {"first": "one thing, and more of it", "second": "another"}  # type: ignore[arg-type]


@pytest.mark.parametrize("name", AGENTS)
def test_agents_page__has_every_agent_and_option(name: str) -> None:
    (row,) = re.findall(rf"^\| `{name}` \|.*$", text_of(DOCS / "agents.md"), re.MULTILINE)
    parameters = inspect.signature(agent_spec(name).factory).parameters
    for option in parameters.keys() - {"seed"}:
        assert f"`{option}" in row, f"docs/agents.md: {name} has the option {option}"


def test_home__example__prints_what_is_below_it() -> None:
    ((code, text),) = re.findall(r"```python\n(.*?)```\n```text\n(.*?)```", text_of(DOCS / "index.md"), re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "index.md", "exec"), {})
    assert printed.getvalue() == text


@pytest.mark.parametrize(("name", "options"), [("Stubborn", {"last": False}), ("OneAhead", {})])
def test_writing_an_agent__the_agents_play_a_game(name: str, options: dict[str, Any]) -> None:
    names: dict[str, Any] = {}
    for code in re.findall(r"```python\n(class .*?)```", text_of(DOCS / "writing_an_agent.md"), re.DOTALL):
        exec(code, names)
    agent, game = names[name](seed=1, **options), get_game(next(iter(GAMES))).new_game(seed=7)
    while not game.is_over:
        game.apply(agent(View(game, game.seat)))
    assert sorted(game.ranks())[0] == 1


# --- the hooks of the site --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hooks() -> ModuleType:
    pytest.importorskip("mkdocs", reason="mkdocs comes with the extra winterkingdom_env[docs]")
    return loaded("hooks")


def test_navigation__a_game_that_is_registered__has_its_section(
    hooks: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hooks, "GAMES", dict.fromkeys(NAMES, "v0"))
    config = SimpleNamespace(nav=[{"Home": "index.md"}, {"Games": ["games/index.md"]}])
    (_, games) = hooks.on_config(config).nav
    first, *sections = games["Games"]
    assert first == "games/index.md"
    titles = {get_game(name).TITLE: f"games/{name}.md" for name in NAMES}
    assert {title: pages[0]["Overview"] for section in sections for title, pages in section.items()} == titles


def test_root_pages__are_in_the_navigation(hooks: ModuleType) -> None:
    for name, uri in hooks.ROOT_PAGES.items():
        assert (ROOT / name).is_file()
        assert f": {uri}\n" in NAV


@pytest.mark.parametrize(
    ("page", "link", "shown"),
    [
        ("arena.md", "[records](records.md#x)", "[records](records.md#x)"),
        ("api/index.md", "[a](../agents.md)", "[a](../agents.md)"),
        ("agents.md", "[c](../CONTRIBUTING.md)", "[c](contributing.md)"),
        ("api/index.md", "[c](../../CHANGELOG.md)", "[c](../changelog.md)"),
        ("contributing.md", "[a](docs/agents.md#x)", "[a](agents.md#x)"),
        ("agents.md", "[View](../winterkingdom_env/search/view.py)", "[View](api/agents.md#winterkingdom_env.search.view)"),
        ("games/index.md", "[g](../../winterkingdom_env/games/__init__.py)", "[g](../api/games.md#winterkingdom_env.games)"),
        ("arena.md", "[sprt.py](../agents/sprt.py)", "`agents/sprt.py`"),
        ("arena.md", "[the test](../agents/sprt.py)", "the test (`agents/sprt.py`)"),
        ("arena.md", "![a picture](board.svg)", "![a picture](board.svg)"),
        ("arena.md", "[out](https://example.org/a)", "[out](https://example.org/a)"),
        ("arena.md", "```\n[x](../agents/sprt.py)\n```", "```\n[x](../agents/sprt.py)\n```"),
    ],
)  # fmt: skip
def test_site_links__lead_to_pages_of_the_site(hooks: ModuleType, page: str, link: str, shown: str) -> None:
    assert hooks.site_links(link, page) == shown


def test_command_line__has_every_command_with_its_examples(hooks: ModuleType) -> None:
    from winterkingdom_env.cli.commands import app
    from winterkingdom_env.cli.rooms import ROOMS

    shown = hooks.command_line()
    commands = re.findall(r"^## `winterkingdom ([\w-]+)`$", shown, re.MULTILINE)
    registered = [*app.registered_commands, *(one for group in app.registered_groups for one in group.typer_instance.registered_commands)]  # type: ignore[union-attr]  # fmt: skip
    assert len(commands) == len(registered) - len(ROOMS) > 0
    assert "[bold]" not in shown
    for command in commands:
        assert re.search(rf"\*\*Examples\*\*:\n\n```sh\nwinterkingdom {command}", shown)


def test_docstrings__columns_become_a_list() -> None:
    pytest.importorskip("griffe", reason="griffe comes with the extra winterkingdom_env[docs]")
    listed = loaded("docstrings").listed
    text = "What it is.\n\nfirst   one thing,\n        and more\nsecond  another\n\nThe end."
    assert listed(text) == "What it is.\n\n\n- `first`: one thing, and more\n- `second`: another\n\nThe end."
    assert listed("A sentence.  And another.") == "A sentence.  And another."
