"""Runs the web application on this machine."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn

from winterkingdom_env.web.app import ANY_ADDRESS, LOCAL, make_app
from winterkingdom_env.web.limits import LONGEST_MESSAGE, MOST_SOCKETS
from winterkingdom_env.web.requests import Tournaments
from winterkingdom_env.web.store import Store


def bound(host: str, port: int) -> socket.socket:
    """A listening socket. Raises OSError, with what would work, if the address cannot be used."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = socket.socket(family, kind, protocol)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(MOST_SOCKETS)  # before the address is printed: whoever reads it may connect at once
    except OSError as error:
        why = "it is in use; choose another with --port" if error.errno == errno.EADDRINUSE else error.strerror
        raise OSError(error.errno, f"{host}:{port} cannot be used: {why}") from None
    found.set_inheritable(True)
    return found


def serve(
    host: str, port: int, data: Path, tournaments: Tournaments | None = None, tell: Callable[[str], None] = print
) -> None:
    """Serve until Ctrl-C. ``port`` 0: a free one. ``tell``: prints the address. Raises OSError if address or folder cannot be used."""
    store = Store(data)
    try:
        with bound(host, port) as listening:
            number = listening.getsockname()[1]
            shown = "127.0.0.1" if host in ANY_ADDRESS else f"[{host}]" if ":" in host else host
            names = () if host in ANY_ADDRESS else tuple(dict.fromkeys((shown.lower(), *LOCAL)))
            config = uvicorn.Config(
                make_app(store, tournaments, names),
                log_level="warning",
                access_log=False,
                server_header=False,
                ws="websockets-sansio",
                ws_max_size=2 * LONGEST_MESSAGE,
                limit_concurrency=4 * MOST_SOCKETS,
                timeout_graceful_shutdown=2,
                timeout_keep_alive=30,
            )
            tell(f"http://{shown}:{number}/")
            uvicorn.Server(config).run(sockets=[listening])
    finally:
        store.close()
