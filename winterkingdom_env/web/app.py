"""The web application: pages, HTTP and sockets, with limits and headers. ``serve`` runs it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
from h11 import LocalProtocolError
from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from winterkingdom_env.web import limits, requests
from winterkingdom_env.web.host import Host
from winterkingdom_env.web.limits import Refused
from winterkingdom_env.web.requests import NewGame, NoTournaments, Office, Study, Tournaments, as_form, number_of
from winterkingdom_env.web.sockets import Talk
from winterkingdom_env.web.store import Store

STATIC = Path(__file__).parent / "static"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
LOCAL = ("127.0.0.1", "localhost", "[::1]")
ANY_ADDRESS = ("0.0.0.0", "::", "[::]", "")
PAGES = {"game": "game.html", "replay": "study.html", "tournament": "tournament.html"}


def name_in(host: str) -> str:
    """The name in a Host header, without the port."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower()


class Guard:
    """Lets requests pass that come from this server's own pages, and adds the headers that protect these pages.

    The name in the Host header must be one under which the server was started (a page of another site may let its own name point here), and
    a request that changes something, or a socket, must come from a page of the same host and port.
    """

    def __init__(self, app: ASGIApp, names: tuple[str, ...]) -> None:
        """``names``: hosts by which the server may be called; none means any."""
        self._app, self._names, self._sockets = app, names, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
        reason = self._reason(scope, headers)
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send, reason)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {key for key, _ in message["headers"]}
                extra = [(k.encode(), v.encode()) for k, v in HEADERS.items() if k.encode() not in own]
                message = {**message, "headers": [*message["headers"], *extra]}
            try:
                await send(message)
            except LocalProtocolError:  # what followed is no HTTP: uvicorn has answered, and closes the line
                while (await receive())["type"] != "http.disconnect":
                    pass

        if reason:
            await refusal(Refused(reason, 403))(scope, receive, send_with_headers)
        else:
            await self._app(scope, receive, send_with_headers)

    async def _socket(self, scope: Scope, receive: Receive, send: Send, reason: str) -> None:
        if reason or self._sockets >= limits.MOST_SOCKETS:
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": reason[:100] or "too many sockets"})
            return
        self._sockets += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._sockets -= 1

    def _reason(self, scope: Scope, headers: dict[str, str]) -> str:
        host = headers.get("host", "")
        if self._names and name_in(host) not in self._names:
            return f"this server is not called {host[:80]}; start it with --host, or use {self._names[0]}"
        is_change = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        origin = headers.get("origin", "")
        if is_change and origin.partition("://")[2] != host:
            return "this comes from another site; use the pages of this server"
        return ""


def as_json(content: Any, status: int = 200) -> Response:
    """An answer as JSON."""
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def refusal(refused: Refused) -> Response:
    """The answer to a request that is not carried out."""
    return as_json({"error": refused.words}, refused.status)


def make_app(store: Store, tournaments: Tournaments | None = None, names: tuple[str, ...] = LOCAL) -> Guard:
    """The application for a folder of data."""
    host = Host(store)
    office = Office(host, tournaments or NoTournaments())

    def page(file: str) -> Callable[[Request], Awaitable[Response]]:
        async def show(request: Request) -> Response:
            return FileResponse(STATIC / file)

        return show

    async def about(request: Request) -> Response:
        return as_json(requests.about())

    async def surprise(request: Request) -> Response:
        players = number_of(request.query_params, "players") or 2
        return as_json({"options": requests.drawn_options(request.query_params.get("game", ""), players)})

    async def games(request: Request) -> Response:
        if request.method == "GET":
            return as_json({"games": office.listed()})
        asked: NewGame = as_form(await body_of(request, limits.LONGEST_MESSAGE), NewGame)
        return as_json(await office.new_game(asked), 201)

    async def records(request: Request) -> Response:
        content = await body_of(request, limits.LONGEST_RECORD)
        return as_json({"source": f"file-{await host.think(lambda: store.keep_file(content))}"}, 201)

    async def film(request: Request) -> Response:
        viewer = number_of(request.query_params, "viewer")
        return Response(await office.film(request.path_params["source"], viewer), media_type="application/json")

    async def record(request: Request) -> Response:
        path = office.path_of(request.path_params["source"])
        name = f"{request.path_params['source']}{''.join(path.suffixes[-2:])}"
        return FileResponse(path, media_type="application/octet-stream", filename=name)

    async def thoughts(request: Request) -> Response:
        asked: Study = as_form(await body_of(request, limits.LONGEST_MESSAGE), Study)
        return as_json(await office.think(asked))

    async def tournaments_listed(request: Request) -> Response:
        return as_json({"tournaments": office.tournaments()})

    async def tournament(request: Request) -> Response:
        return as_json(await office.tournament(request.path_params["name"]))

    async def talk(socket: WebSocket) -> None:
        await socket.accept()
        await Talk(socket, host, socket.path_params["name"]).run()

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await host.start()
        yield
        await host.stop()

    async def refuse(request: Request, error: Exception) -> Response:
        assert isinstance(error, Refused)
        return refusal(error)

    async def missing(request: Request, error: Exception) -> Response:
        return as_json({"error": "there is no such page; the first one is /"}, 404)

    async def wrong_method(request: Request, error: Exception) -> Response:
        return as_json({"error": f"{request.method} is not possible here"}, 405)

    async def failed(request: Request, error: Exception) -> Response:
        return as_json({"error": "the server could not do this; its terminal says why"}, 500)

    app = Starlette(
        routes=[
            Route("/", page("home.html")),
            *(Route(f"/{part}/{{name}}", page(file)) for part, file in PAGES.items()),
            Route("/api/about", about),
            Route("/api/surprise", surprise),
            Route("/api/games", games, methods=["GET", "POST"]),
            Route("/api/records", records, methods=["POST"]),
            Route("/api/film/{source}", film),
            Route("/api/record/{source}", record),
            Route("/api/study", thoughts, methods=["POST"]),
            Route("/api/tournaments", tournaments_listed),
            Route("/api/tournaments/{name}", tournament),
            WebSocketRoute("/ws/{name}", talk),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        lifespan=lifespan,
        exception_handlers={Refused: refuse, 404: missing, 405: wrong_method, Exception: failed},
    )
    app.add_middleware(GZipMiddleware, minimum_size=2000)
    return Guard(app, names)


async def body_of(request: Request, limit: int) -> bytes:
    """The content of a request. Refused if it is longer than ``limit`` bytes, or breaks off."""
    found = bytearray()
    try:
        async for piece in request.stream():
            found += piece
            if len(found) > limit:
                raise Refused(f"this is longer than {limit >> 10} kB, the most that is read", 413)
    except ClientDisconnect:
        raise Refused("the request broke off; send it again") from None
    return bytes(found)
