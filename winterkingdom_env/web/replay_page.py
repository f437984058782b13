"""A recorded game as one HTML file: everything is inside, so it works from the file system and in a notebook.

Nothing in a record becomes markup: the film is compressed data, labels and names are set as text, and the pictures are our own SVG. The
page may run its own script only and loads nothing (Content-Security-Policy).
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from winterkingdom_env.core.files import write_whole
from winterkingdom_env.games import Game
from winterkingdom_env.records import Record
from winterkingdom_env.web.film import Film, film_of
from winterkingdom_env.web.source import record_from

STATIC = Path(__file__).parent / "static"
ENTRY = "onefile.js"
IMPORT = re.compile(r"^import \{ [\w, ]+ \} from \"\./([\w.]+)\";\n", re.MULTILINE)  # the only form in our modules
FIELD = re.compile(r"\{(style|script_hash|film|script)\}")
FRAME = '<iframe srcdoc="{page}" style="width: 100%; height: {height}px; border: 0" title="{title}"></iframe>'
HEIGHT = 760  # pixels of a page in a notebook


@cache
def _static(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def modules_of(entry: str) -> list[str]:
    """A module and all that it imports, each once and after its own imports."""
    found: list[str] = []

    def visit(name: str) -> None:
        for needed in IMPORT.findall(_static(name)):
            visit(needed)
        if name not in found:
            found.append(name)

    visit(entry)
    return found


@cache
def _script() -> str:
    """The script of the page as one module."""
    return "".join(IMPORT.sub("", _static(name)) for name in modules_of(ENTRY))


def page_of(film: Film) -> str:
    """The HTML page of a film."""
    packed = gzip.compress(msgspec.json.encode(film), 9, mtime=0)
    digest = hashlib.sha256(_script().encode()).digest()
    fields = {
        "style": _static("page.css"),
        "script": _script(),
        "script_hash": f"sha256-{base64.b64encode(digest).decode()}",
        "film": base64.b64encode(packed).decode(),
    }
    return FIELD.sub(lambda found: fields[found[1]], _static("replay.html"))


class Replay:
    """A recorded game, or a game so far, as a page: step through it with keys or buttons, with a log of the actions and charts.

        Replay("game.jsonl").save("game.html")

    In a notebook, a Replay as the last line of a cell shows the page.
    """

    def __init__(
        self, source: Path | str | Record | Game, viewer: int | None = None, agents: Sequence[str] | None = None
    ) -> None:
        """Replay and verify a record, or a game from its beginning. ``viewer``: the seat whose view is shown; None shows everything.

        ``agents``: a name per seat of a game; a record has its own. Raises RecordError at the first wrong line, and ValueError for a seat that the
        game does not have or a game whose actions are not known.
        """
        self.film = film_of(record_from(source, agents), viewer)
        self.html = page_of(self.film)

    def save(self, path: Path | str) -> Path:
        """Write the page to a file, whole or not at all."""
        write_whole(Path(path), self.html)
        return Path(path)

    def _repr_html_(self) -> str:
        """The page in a frame, for notebooks."""
        return FRAME.format(page=html.escape(self.html), height=HEIGHT, title=html.escape(self.film.title))
