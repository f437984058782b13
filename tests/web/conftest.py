"""A browser and a server for the tests of pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    from tests.web.chromium import CHROMIUM, sync_api

    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server for all tests of a file. It may not have printed an error in the end."""
    from tests.house.games import EXAMPLE_ADDRESS
    from tests.web.served import Server

    server = Server(tmp_path_factory.mktemp("site"), "--game", EXAMPLE_ADDRESS)
    yield server
    said = server.stop()
    assert "Traceback" not in said and "error" not in said.lower(), said


@pytest.fixture
def visit(browser: Any, site: Any) -> Iterator[Any]:
    """Opens pages of the server, each in a browser of another person (``Visitors``). Errors in their consoles fail the test."""
    from tests.web.chromium import Visitors

    visitors = Visitors(browser, site.address)
    yield visitors
    assert visitors.leave() == []
