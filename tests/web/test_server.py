"""The server as browsers see it: whole games over sockets, refusals in words, nothing lost when it is killed."""

from __future__ import annotations

import json
import random
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from tests.web.recorded import recorded
from winterkingdom_env.core.rng import Stream, seed_state
from winterkingdom_env.games import GAMES
from winterkingdom_env.records import read_record, replay

pytest.importorskip("uvicorn", reason="the extra web is not installed: pip install -e '.[web]'")
pytest.importorskip("starlette")
pytest.importorskip("websockets")
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.web.served import Client, Server

SHORT = {"dominion": {"round_limit": "12"}, "kingdom_builder": {"round_limit": "5"}}  # games that end soon
every_game = pytest.mark.parametrize("name", GAMES)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of this file; it must not have printed anything in the end."""
    server = Server(tmp_path_factory.mktemp("served"))
    yield server
    said = server.stop()
    assert "Traceback" not in said and "error" not in said.lower(), said


def record_of(server: Server, name: str) -> Path:
    return server.data / "games" / name / "record.jsonl"


# --- playing ----------------------------------------------------------------------------------------------------------


@every_game
def test_game__against_an_agent__is_played_to_its_end_and_recorded(server: Server, name: str) -> None:
    made = server.new_game(name, [None, "greedy"], seed=7, options=SHORT.get(name, {}))
    client, dice = Client(server, made["id"], made["tokens"]), random.Random(1)
    assert client.welcome["yours"] == [0] and not client.welcome["is_open"]
    while question := client.question():
        assert question["seat"] == 0 and question["words"].endswith(".") and question["actions"]
        client.move(dice.choice(question["actions"])["label"])
    client.close()
    assert not client.told and client.state["is_over"]
    report = replay(record_of(server, made["id"]))
    assert report.is_complete and report.is_seed_confirmed
    assert [step.action for step in report.record.actions] == [entry["label"] for entry in client.log]
    assert [sum(row) for row in client.state["sheet"]] == report.scores
    film = server.get(f"/api/film/game-{made['id']}")
    assert len(film["frames"]) == len(client.log) + 1
    row = next(row for row in server.get("/api/games")["games"] if row["id"] == made["id"])
    assert row["is_over"] and row["winners"] == report.winners and row["moves"] == len(client.log)


def test_agents_alone__are_watched_at_a_pace__by_whoever_made_the_game(server: Server) -> None:
    made = server.new_game("dominion", ["greedy", "policy"], seed=3, options={"round_limit": "15"})
    owner, guest = Client(server, made["id"], {"c": made["control"]}), Client(server, made["id"])
    assert owner.welcome["is_open"] and owner.welcome["can_control"] and not guest.welcome["can_control"]
    owner.say("pace", playing=False)
    owner.until(lambda client: client.state and not client.state["pace"]["playing"])
    n = owner.state["n"]
    for i in range(1, 4):
        owner.say("pace", step=True)
        owner.until(lambda client, i=i: client.state["n"] == n + i)
    guest.say("pace", playing=True)
    guest.until(lambda client: client.told)
    assert "who made the game" in guest.told[0]
    guest.say("think", on=True)
    owner.say("pace", playing=True, delay=0)
    owner.until(lambda client: client.state["is_over"])
    guest.until(lambda client: client.state["is_over"])
    assert guest.log == owner.log and guest.parts == owner.parts
    for thoughts in guest.thoughts:
        labels = [row["label"] for row in thoughts["rows"]]
        assert not labels or labels[0] == guest.log[thoughts["n"]]["label"]
        assert abs(sum(thoughts["odds"]) - 1) < 0.01
    assert len(guest.thoughts) > 5


def test_two_persons__each_with_a_link__see_their_own_hand_only(server: Server) -> None:
    made = server.new_game("dominion", [None, None], seed=5)
    ann, bob = (Client(server, made["id"], {seat: made["tokens"][seat]}) for seat in ("0", "1"))
    assert ann.question() is not None
    bob.until(lambda client: client.state)
    assert (
        bob.state["question"] is None and bob.state["asked"] == 0 and ann.state["view"] == 0 and bob.state["view"] == 1
    )
    spectator = Client(server, made["id"])
    spectator.until(lambda client: client.state)
    assert spectator.state["view"] is None and spectator.state["question"] is None
    assert len({json.dumps(client.parts, sort_keys=True) for client in (ann, bob, spectator)}) == 3
    ann.move("done")
    assert bob.question() is not None
    bob.say("show", seat=0)
    bob.until(lambda client: client.told)
    assert "not yours" in bob.told[0]
    for client in (ann, bob, spectator):
        client.close()


def test_undo__takes_back_in_the_record_too(server: Server) -> None:
    made = server.new_game("winter_kingdom", [None, None], seed=5)
    client = Client(server, made["id"], made["tokens"])
    client.until(lambda client: client.state)
    assert client.state["curtain"] == 0
    client.say("show", seat=0)
    question = client.question()
    assert question is not None and not question["can_undo"]
    for action in question["actions"]:
        if action["label"].startswith("house"):
            client.move(action["label"])
            break
    assert client.state["question"]["can_undo"] and len(read_record(record_of(server, made["id"])).actions) == 1
    client.say("undo", n=1, seat=0)
    client.until(lambda client: client.state["n"] == 0)
    assert not client.log and not read_record(record_of(server, made["id"])).actions
    client.close()


# --- nothing lost -----------------------------------------------------------------------------------------------------


def test_killed__and_started_again__games_go_on(tmp_path: Path) -> None:
    server = Server(tmp_path / "data")
    games = [server.new_game(name, [None, "greedy"], seed=11, options=SHORT.get(name, {})) for name in GAMES]
    games.append(server.new_game("dominion", ["greedy", "greedy"], seed=2, options=SHORT["dominion"]))
    clients = [Client(server, made["id"], {**made["tokens"], "c": made["control"]}) for made in games]
    for client in clients[:-1]:
        for _ in range(3):
            question = client.question()
            assert question is not None
            client.move(question["actions"][0]["label"])
    clients[-1].until(lambda client: client.state and client.state["n"] >= 2)
    server.kill()
    for client in clients:
        client.ended()
    torn = record_of(server, games[0]["id"])
    torn.write_bytes(torn.read_bytes() + b'{"seat":0,"act')  # as if it had been killed in the middle of a line
    server = Server(tmp_path / "data")
    for made, before in zip(games, clients, strict=True):
        client = Client(server, made["id"], {**made["tokens"], "c": made["control"]})
        client.until(lambda client: client.state)
        known = before.log[: len(client.log)]
        assert client.log[: len(known)] == known and len(client.log) >= before.state["n"]
        if made is games[0]:  # a long game, which goes on, too
            client.question()
            client.move(client.state["question"]["actions"][0]["label"])
            client.close()
            continue
        client.say("pace", delay=0, playing=True)
        while question := (client.question() if made["tokens"] else None):
            client.move(random.Random(len(client.log)).choice(question["actions"])["label"])
        client.until(lambda client: client.state["is_over"])
        assert replay(record_of(server, made["id"])).is_complete
        client.close()
    assert "Traceback" not in server.stop()


def test_second_server__in_the_same_folder__is_refused(server: Server) -> None:
    with pytest.raises(AssertionError, match="another server uses"):
        Server(server.data)


def test_taken_port__is_named(server: Server, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"in use; choose another with --port"):
        Server(tmp_path, "--port", server.host.rpartition(":")[2])


# --- records ----------------------------------------------------------------------------------------------------------


def open_record(server: Server, path: Path) -> str:
    status, _, answer = server.ask("POST", "/api/records", path.read_bytes())
    assert status == 201, answer
    return str(json.loads(answer)["source"])


@every_game
def test_record__is_opened_studied_and_played_on_from(server: Server, name: str, tmp_path: Path) -> None:
    record = recorded(name, tmp_path, seed=1)
    source = open_record(server, record.path)
    assert open_record(server, record.path) == source
    n = record.header.setup.get("num_players") or len(server.get(f"/api/film/{source}")["seats"])
    thoughts = server.post("/api/study", {"source": source, "at": 2, "agent": "search", "milliseconds": 20})
    assert thoughts["rows"] and abs(sum(row["weight"] for row in thoughts["rows"]) - 1) < 0.5
    assert server.post("/api/study", {"source": source, "at": 2, "agent": "greedy"})["rows"]
    at = len(record.actions) // 2
    seats = [{"agent": "greedy"}] * (n - 1) + [{"person": "Ann"}]
    made = server.post("/api/games", {"seats": seats, "from": {"source": source, "at": at}})
    begun = read_record(record_of(server, made["id"]))
    assert begun.actions == record.actions[:at] and begun.header.setup == record.header.setup
    status, headers, content = server.ask("GET", f"/api/record/{source}")
    assert status == 200 and content == record.path.read_bytes() and "attachment" in headers["content-disposition"]
    assert "positions" in server.refused("/api/study", {"source": source, "at": 10**6})
    assert "over" in server.refused("/api/study", {"source": source, "at": len(record.actions)})


def test_bad_records__get_a_sentence_and_leave_nothing(server: Server, tmp_path: Path) -> None:
    good = recorded("dominion", tmp_path).path.read_bytes()
    lines = good.splitlines(keepends=True)
    before = sorted((server.data / "files").iterdir())
    for content, words in (
        (b"", "is empty"),
        (b"rubbish\n", "line 1"),
        (b"\x1f\x8b rubbish", "gzip"),
        (lines[0].replace(b'"dominion"', b'"chess"') + b"".join(lines[1:]), "no game is called"),
        (lines[0] + lines[2], "line 2"),
        (good + lines[1], "follows the end"),
        (b"x" * (5 << 20), "kB"),
    ):
        status, _, answer = server.ask("POST", "/api/records", content)
        told = json.loads(answer)["error"]
        assert 400 <= status < 500 and words in told, told
        assert str(server.data) not in told
    assert sorted((server.data / "files").iterdir()) == before


def test_record__that_names_a_file__does_not_make_the_server_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from winterkingdom_env.games import house_rules
    from winterkingdom_env.web.store import Store

    header, *rest = recorded("dominion", tmp_path).path.read_bytes().splitlines(keepends=True)
    told = json.loads(header)
    read: list[Path] = []

    def reading(path: Path, most: int) -> bytes:
        read.append(path)
        return b""

    named = tmp_path / "rules.toml"
    named.write_text("[cards]\n")
    told["config"]["house_rules"] = str(named)
    monkeypatch.setattr(house_rules, "read_limited", reading)
    store = Store(tmp_path / "served")
    assert store.keep_file(json.dumps(told).encode() + b"\n" + b"".join(rest))
    assert not read
    store.close()


def test_running_game_of_people__shows_no_film_and_no_record(server: Server) -> None:
    made = server.new_game("dominion", [None, "greedy"])
    for path in (f"/api/film/game-{made['id']}", f"/api/record/game-{made['id']}"):
        status, _, answer = server.ask("GET", path)
        assert status == 403 and b"hidden while people play" in answer
    assert "hidden" in server.refused("/api/study", {"source": f"game-{made['id']}", "at": 0})
    seats = [{"person": ""}, {"person": ""}]
    assert "hidden" in server.refused("/api/games", {"seats": seats, "from": {"source": f"game-{made['id']}", "at": 0}})


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_request__that_breaks_off__is_no_error_of_the_server(server: Server) -> None:
    """The server's stderr, which the fixture reads in the end, has no stack trace."""
    name, _, port = server.host.rpartition(":")
    for path in ("/api/games", "/api/study", "/api/records"):
        with socket.create_connection((name, int(port))) as line:
            head = f"POST {path} HTTP/1.1\r\nHost: {server.host}\r\nOrigin: {server.address}\r\n"
            line.sendall(f"{head}Content-Length: 99\r\n\r\n{{".encode())
            assert server.ask("GET", "/")[0] == 200  # the request has begun
        assert server.ask("GET", "/")[0] == 200


def test_request__that_goes_on_as_no_http__is_no_error_of_the_server(server: Server) -> None:
    name, _, port = server.host.rpartition(":")
    with socket.create_connection((name, int(port))) as line:
        head = f"POST / HTTP/1.1\r\nHost: {server.host}\r\nOrigin: {server.address}\r\n"
        line.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\nnot a chunk\r\n".encode())
        assert b"Invalid HTTP request" in line.makefile("rb").read()


def test_seed__that_javascript_cannot_hold__is_refused(server: Server) -> None:
    for seed in (-1, 2**53, 10**400):
        words = server.refused("/api/games", {"game": "dominion", "seats": [{"agent": "greedy"}] * 2, "seed": seed})
        assert words == f"a seed is a whole number from 0 to {2**53 - 1}"
    server.new_game("dominion", ["greedy", "greedy"], seed=2**53 - 1)


def test_new_game__what_cannot_be__is_refused_in_words(server: Server) -> None:
    n = len(server.get("/api/games")["games"])
    two = [{"person": "Ann"}, {"agent": "greedy"}]
    for asked, words in (
        (b"{", "cannot be read"),
        ({"game": "dominion"}, "seats"),
        ({"game": "chess", "seats": two}, "no game is called"),
        ({"game": "os:path", "seats": two}, "no game is called"),
        ({"game": "dominion", "seats": two * 4}, "not for 8 players"),
        ({"game": "dominion", "seats": [{}, {}]}, "a person or an agent"),
        ({"game": "dominion", "seats": [{"agent": "greedy", "person": "Ann"}] * 2}, "a person or an agent"),
        ({"game": "dominion", "seats": [{"agent": "os:system"}] * 2}, "is not an agent"),
        ({"game": "dominion", "seats": [{"agent": "policy:path=/etc/passwd"}] * 2}, "is not an agent"),
        ({"game": "dominion", "seats": [{"agent": "human"}] * 2}, "is not an agent"),
        ({"game": "dominion", "seats": [{"agent": "search", "milliseconds": 10**9}] * 2}, "1 to"),
        ({"game": "dominion", "seats": [{"agent": "greedy", "milliseconds": 5}] * 2}, "no thinking time"),
        ({"game": "dominion", "seats": [{"person": "x" * 100}] * 2}, "at most 40"),
        ({"game": "dominion", "seats": [{"person": "a\u202eb"}] * 2}, "printed"),
        ({"game": "dominion", "seats": two, "options": {"house_rules": "/etc/passwd"}}, "house_rules"),
        ({"game": "winter_kingdom", "seats": two, "options": {"boards": "../boards.txt"}}, "boards"),
        ({"game": "winter_kingdom", "seats": two, "options": {"colour": "red"}}, "colour"),
        ({"game": "dominion", "seats": two, "options": {"kingdom": "Chapel"}}, "kingdom"),
        ({"seats": two, "from": {"source": "file-0123456789abcdef", "at": 0}}, "no record"),
        ({"seats": two, "from": {"source": "game-../../x", "at": 0}}, "names no record"),
        ({"seats": two, "from": {"source": "arena-x-y", "at": 0}}, "no such game"),
    ):
        assert words in server.refused("/api/games", asked), asked
    assert len(server.get("/api/games")["games"]) == n


@every_game
def test_surprise__is_a_setup_that_can_be_played(server: Server, name: str) -> None:
    found = set()
    for _ in range(6):
        options = server.get(f"/api/surprise?game={name}&players=2")["options"]
        found.add(json.dumps(options, sort_keys=True))
        server.new_game(name, ["greedy", "greedy"], options=options)
    assert len(found) > 1


def test_socket__what_it_may_not_say__is_refused_and_changes_nothing(server: Server) -> None:
    made = server.new_game("winter_kingdom", [None, "greedy"], seed=1)
    client = Client(server, made["id"], made["tokens"])
    question = client.question()
    assert question is not None
    label = next(action["label"] for action in question["actions"] if action["label"].startswith("house"))
    for kind, more, words in (
        ("move", {"n": 0, "seat": 1, "action": label}, "not yours"),
        ("move", {"n": 5, "seat": 0, "action": label}, "has gone on"),
        ("move", {"n": 0, "seat": 0, "action": "castle r00c00"}, "not the label"),
        ("move", {"n": 0, "seat": 0, "action": "done"}, "illegal"),
        ("move", {"n": "0", "seat": 0, "action": "done"}, "cannot be read"),
        ("move", {"n": 0, "seat": 0, "action": label, "and": 1}, "cannot be read"),
        ("undo", {"n": 0, "seat": 0}, "nothing can be taken back"),
        ("why", {"n": 0, "seat": 0, "spot": "nowhere"}, "no such place"),
        ("why", {"n": 0, "seat": 0, "action": label}, "That is legal"),
        ("pace", {"playing": True}, "only games of agents"),
        ("join", {"tokens": {}}, "joined already"),
        ("dance", {}, "cannot be read"),
    ):
        n = len(client.told)
        client.say(kind, **more)
        client.until(lambda client, n=n: len(client.told) > n)
        assert words in client.told[-1], (kind, more, client.told[-1])
    assert not read_record(record_of(server, made["id"])).actions
    client.move(label)
    assert client.state["n"] >= 1
    client.close()


def test_socket__rubbish__ends_it_with_a_sentence(server: Server) -> None:
    made = server.new_game("dominion", ["greedy", "greedy"])
    client = Client(server, made["id"])
    for _ in range(30):
        try:
            client.socket.send("{")
        except ConnectionClosed:
            break
    assert "too many messages" in client.ended()
    client = Client(server, made["id"])
    client.socket.send("x" * 70_000)
    assert "at most" in client.ended()
    client = Client(server, made["id"])
    client.socket.send(b"\x00\x01")
    assert "text" in client.ended()
    for tokens, words in (({"0": "guess"}, "does not fit"), ({"17": "x"}, "does not fit"), ({"c": ""}, "does not fit")):
        assert words in Client(server, made["id"], tokens).ended()
    assert "no such game" in Client(server, "0" * 16).ended()


def test_pages_of_other_sites__are_refused(server: Server) -> None:
    made = server.new_game("dominion", ["greedy", "greedy"])
    body = json.dumps({"game": "dominion", "seats": [{"agent": "greedy"}] * 2}).encode()
    for origin in ("http://evil.example", "null", "", f"http://{server.host}.evil.example", f"{server.address}1"):
        status, _, answer = server.ask("POST", "/api/games", body, Origin=origin)
        assert status == 403 and b"another site" in answer
        with pytest.raises(InvalidStatus), connect(f"ws://{server.host}/ws/{made['id']}", origin=Origin(origin)):
            pass
    status, _, answer = server.ask("GET", "/", Host="evil.example:80")
    assert status == 403 and b"not called evil.example" in answer
    assert server.ask("GET", "/", Host=server.host.replace("127.0.0.1", "localhost"))[0] == 200


@pytest.mark.parametrize("path", ["/", "/game/x", "/replay/file-x", "/tournament/x", "/static/page.css"])
def test_pages__have_headers_that_protect_them(server: Server, path: str) -> None:
    status, headers, content = server.ask("GET", path)
    assert status == 200
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self';" in policy and "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
    if content.startswith(b"<!DOCTYPE"):
        assert b"<script>" not in content and b"onclick" not in content and b"style=" not in content


def test_paths__out_of_the_static_folder__are_not_served(server: Server) -> None:
    for path in (
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/nothing",
        "/api",
    ):
        status, _, answer = server.ask("GET", path)
        assert status == 404 and b"import" not in answer


def test_idle_games__leave_the_memory_and_come_back(tmp_path: Path) -> None:
    """``clean`` is what the server's clock calls."""
    import asyncio

    from tests.web.test_eyes import new_table
    from winterkingdom_env.web.host import Host, Watcher

    async def run() -> None:
        store, table = new_table(tmp_path, "dominion", 0)
        host = Host(store)
        seating = await host.seating(table.name)
        watcher = Watcher({0}, False)
        seating.join(watcher)
        await host.clean(0.0)
        assert host.seatings
        stream = Stream(seed_state(1))
        for _ in range(5):
            legal = seating.table.game.legal_actions()
            seating.table.act(legal[stream.draw(len(legal))])
        seating.leave(watcher)
        await asyncio.gather(host.clean(0.0), host.clean(0.0))  # the clock's, and that of somebody who needs room
        assert not host.seatings
        again = await host.seating(table.name)
        assert again is not seating and again.table.game.to_bytes() == seating.table.game.to_bytes()
        await host.stop()
        table.leave()
        store.close()

    asyncio.run(run())


def test_watcher__who_left_before_the_first_message__is_forgotten(tmp_path: Path) -> None:
    """A game with a watcher stays in memory; enough of them, and the server would take no more."""
    import asyncio

    from starlette.websockets import WebSocketDisconnect

    from tests.web.test_eyes import new_table
    from winterkingdom_env.web.host import Host
    from winterkingdom_env.web.sockets import Talk

    class Gone:
        """A socket of somebody who said something and left."""

        def __init__(self, error: Exception) -> None:
            self.error = error
            self.said = [{"type": "websocket.receive", "text": '{"type":"join"}'}]

        async def receive(self) -> dict[str, Any]:
            return self.said.pop() if self.said else {"type": "websocket.disconnect", "code": 1006}

        async def send_text(self, text: str) -> None:
            raise self.error

    async def run(error: Exception) -> None:
        store, table = new_table(tmp_path, "dominion", 0)
        host, gone = Host(store), Gone(error)
        await Talk(cast(Any, gone), host, table.name).run()
        assert not gone.said and not host.seatings[table.name].watchers
        await host.stop()
        table.leave()
        store.close()

    for error in (WebSocketDisconnect(1006), RuntimeError("after sending websocket.close")):
        asyncio.run(run(error))


def test_answers__come_while_an_agent_thinks(server: Server) -> None:
    made = server.post(
        "/api/games",
        {"game": "winter_kingdom", "seats": [{"agent": "search", "milliseconds": 5000}, {"agent": "greedy"}]},
    )
    client = Client(server, made["id"], {"c": made["control"]})
    client.until(lambda client: client.state and client.state["waiting"])
    n = client.state["n"]
    begun = time.monotonic()
    for _ in range(3):
        assert server.ask("GET", "/")[0] == 200
    client.until(lambda client: client.state["n"] > n)
    assert begun < time.monotonic()
    client.say("pace", playing=False)
    client.until(lambda client: not client.state["pace"]["playing"])
    client.close()


def test_crash_of_an_agent__stops_the_game_with_a_note(server: Server, tmp_path: Path) -> None:
    """A table.json that names an agent which cannot be made: the server says so, and goes on."""
    made = server.new_game("dominion", ["greedy", "greedy"])
    path = server.data / "games" / made["id"] / "table.json"
    plan: dict[str, Any] = json.loads(path.read_text())
    other = Server(tmp_path)
    again = other.new_game("dominion", ["greedy", "greedy"])
    target = tmp_path / "games" / again["id"] / "table.json"
    other.stop()
    plan["seats"] = [{"name": "x", "agent": "policy:path=/nowhere"}, {"name": "y", "agent": "greedy"}]
    plan["secrets"] = json.loads(target.read_text())["secrets"]
    target.write_text(json.dumps(plan))
    other = Server(tmp_path)
    client = Client(other, again["id"])
    client.until(lambda client: client.state and client.state["note"])
    assert client.state["note"].startswith("The game stopped: ") and other.ask("GET", "/")[0] == 200
    assert "Traceback" not in other.stop()
