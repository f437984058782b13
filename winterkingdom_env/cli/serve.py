"""``winterkingdom serve``: the page on which people play, watch and study."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import platformdirs
import typer

from winterkingdom_env.cli import rooms
from winterkingdom_env.cli.options import examples
from winterkingdom_env.cli.terminal import fail, say, tell, wrong_use
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.core.extras import needed
from winterkingdom_env.core.version import VERSION
from winterkingdom_env.games import get_game

app = typer.Typer()


@app.command(
    epilog=examples(
        "winterkingdom serve",
        "winterkingdom serve --port 9000 --data games --tournament runs/arena",
        "winterkingdom serve --host 0.0.0.0    (for everybody who can reach this machine)",
    )
)
def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen on. Only this machine can reach the default.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: a free one.")] = 8000,
    data: Annotated[
        Path | None,
        typer.Option(help="The folder for games and records. Default: one in your own data folder."),
    ] = None,
    tournament: Annotated[
        list[Path] | None,
        typer.Option(
            "--tournament", metavar="DIR", help="Show this folder of the arena, also while it runs; repeatable."
        ),
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option("--game", metavar="GAME", help="Also offer this game of another package; repeatable."),
    ] = None,
) -> None:
    """Serve a page on which people play, watch agents, replay and study games. Ctrl-C ends it; every game can be continued."""
    for module in ("starlette", "uvicorn", "websockets"):
        needed(module, "winterkingdom serve")
    from winterkingdom_env.web.serve import serve as run

    with wrong_use():
        for name in game or ():
            get_game(name)
        folders = _tournaments(tournament or [])
    folder = Path(platformdirs.user_data_dir("winterkingdom_env")) / "serve" if data is None else data
    try:
        run(
            host,
            port,
            folder,
            folders,
            lambda address: say(f"{address} (Ctrl-C ends the server; games are kept in {folder})"),
        )
    except OSError as error:
        fail(error.strerror or str(error), Exit.FAILED)
    except KeyboardInterrupt:
        pass
    tell("the server has ended; its games can be continued")


def _tournaments(folders: list[Path]) -> Any:
    """The named folders of tournaments; None without any. ValueError if one is not a tournament's."""
    if not folders:
        return None
    try:
        return rooms.load("agents.live").Folders(folders)
    except LookupError:
        raise ValueError(
            f"tournaments are shown from a checkout: clone the repository or unpack winterkingdom_env-{VERSION}.tar.gz"
        ) from None
