"""The pictures of docs/web.md, taken in Chromium from a running server: ``make web-pictures``, which installs what it needs."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.web.served import Client, Server

OUT = Path(__file__).parent / "web"
WIDE: Any = {"width": 1400, "height": 1000}
NARROW: Any = {"width": 420, "height": 900}
COLOURS = 256  # a picture with a palette is a third as large
PATIENCE = 120_000  # milliseconds until a wait gives up
SEARCH = {"agent": "search", "milliseconds": 1000}
ARENA = "random greedy planner policy --games 8 --seed 7 --processes 2"


def finished(server: Server, game: str, **more: Any) -> str:
    """The source of a game that greedy and planner played."""
    made = server.new_game(game, ["greedy", "planner"], seed=7, **more)
    client = Client(server, made["id"], {"c": made["control"]})
    client.say("pace", delay=0)
    client.until(lambda client: client.state and client.state["is_over"])
    client.close()
    return f"game-{made['id']}"


def position(server: Server, source: str, at: int, seats: list[dict[str, Any]]) -> str:
    """The address of a game that goes on from a position, with all of its secrets."""
    made = server.post("/api/games", {"seats": seats, "from": {"source": source, "at": at}})
    secrets = {**made["tokens"], "c": made["control"]}
    return f"/game/{made['id']}#{','.join(f'{key}.{token}' for key, token in secrets.items())}"


def keep(page: Any, name: str) -> None:
    """Write what the page shows."""
    path = OUT / f"{name}.png"
    page.screenshot(path=path)
    with Image.open(path) as image:
        image.convert("RGB").quantize(COLOURS).save(path, optimize=True)
    print(f"{path.relative_to(OUT.parents[1])}: {path.stat().st_size // 1024} KB")


def take_all(server: Server, page: Any) -> None:
    """Visit the pages and keep a picture of each."""
    page.set_default_timeout(PATIENCE)
    person, greedy = {"person": "Ann"}, {"agent": "greedy"}

    builder = finished(server, "kingdom_builder", options={"sets": "nomads,crossroads"})
    page.goto(server.address + position(server, builder, 40, [person, greedy]))
    page.wait_for_selector("#actions button, #sheet [tabindex]")
    page.wait_for_selector("#asked:not(:empty)")
    keep(page, "play")

    winter = finished(server, "winter_kingdom")
    page.goto(server.address + position(server, winter, 60, [SEARCH, greedy]))
    page.check("#think")
    page.wait_for_selector("#thoughts table")
    page.click("#play")
    keep(page, "watch")

    page.goto(f"{server.address}/replay/{winter}#80")
    page.wait_for_selector("#odds svg")
    page.click("#think")
    page.wait_for_selector("#thoughts table")
    keep(page, "study")

    page.goto(server.address)
    page.click("#tournaments a")
    page.wait_for_selector("#ladder tr")
    keep(page, "tournament")

    page.set_viewport_size(NARROW)
    dominion = finished(server, "dominion")
    page.goto(server.address + position(server, dominion, 60, [person, greedy]))
    page.wait_for_selector("#asked:not(:empty)")
    keep(page, "narrow")


def main() -> None:
    """Play a small tournament, start the server, take the pictures."""
    OUT.mkdir(exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("no Chromium here: apt-get install chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        arena = Path(folder, "tournament")
        subprocess.run(
            [sys.executable, "-m", "agents.arena", *ARENA.split(), "--out", str(arena)], check=True, capture_output=True
        )
        server = Server(Path(folder, "data"), "--tournament", str(arena))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        try:
            take_all(server, browser.new_page(viewport=WIDE))
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()
