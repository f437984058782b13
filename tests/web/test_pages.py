"""The files of the served pages: what the policy of the server forbids is not in them, and what they refer to exists."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import winterkingdom_env.web

STATIC = Path(winterkingdom_env.web.__file__).parent / "static"
PAGES = ("home.html", "game.html", "study.html", "tournament.html")
SCRIPTS = sorted(path.name for path in STATIC.glob("*.js"))
MARKUP = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setAttribute\(\"style\""
)
USED = re.compile(r"(?:byId|getElementById|openDialog)\(\"([\w-]+)\"\)")


class Page(HTMLParser):
    """The elements of a page."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed((STATIC / name).read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    @property
    def ids(self) -> list[str]:
        return [attributes["id"] or "" for _, attributes in self.elements if "id" in attributes]


def text(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def imports(name: str) -> set[str]:
    """The modules that a module needs, with those that they need."""
    found, waiting = set[str](), [name]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += re.findall(r"^import .* from \"\./([\w.]+)\";$", text(module), re.MULTILINE)
    return found


@pytest.mark.parametrize("name", PAGES)
def test_page__has_nothing_inline_and_refers_to_its_own_files(name: str) -> None:
    page = Page(name)
    for tag, attributes in page.elements:
        assert tag != "style" and "style" not in attributes, (name, tag, attributes)
        assert not [key for key in attributes if key.startswith("on")], (name, tag, attributes)
        if tag == "script":
            assert attributes["type"] == "module"
        for key in ("src", "href"):
            target = attributes.get(key) or "/"
            if target.startswith("/static/"):
                assert (STATIC / target.removeprefix("/static/")).is_file(), target
            else:
                assert target in ("/", "data:,"), target
    tags = [tag for tag, _ in page.elements]
    assert tags.count("h1") == 1 and len(page.ids) == len(set(page.ids))
    assert any(attributes.get("name") == "viewport" for _, attributes in page.elements)
    assert name == "home.html" or any(attributes.get("href") == "/" for _, attributes in page.elements)


@pytest.mark.parametrize("name", PAGES)
def test_page__has_every_element_that_its_scripts_look_for(name: str) -> None:
    modules = imports(name.replace(".html", ".js"))
    wanted = {found for module in modules for found in USED.findall(text(module))}
    assert wanted and wanted <= set(Page(name).ids)


@pytest.mark.parametrize("name", SCRIPTS)
def test_script__sets_text_never_markup(name: str) -> None:
    found = MARKUP.findall(text(name))
    assert found == (["innerHTML"] if name == "board.js" else []), (
        name
    )  # board.js: the parts of a picture, which are our own


def test_scripts__are_used_and_short() -> None:
    used = set().union(*(imports(name.replace(".html", ".js")) for name in PAGES)) | imports("onefile.js")
    assert used == set(SCRIPTS)
    assert {name for name in SCRIPTS if text(name).count("\n") > 400} == set()
