"""Game records: what is written, what is read back, and what each kind of damage is called."""

from __future__ import annotations

import errno
import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.full_disk import contents, small_disk
from winterkingdom_env import records
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games import Game, UnknownGameError, get_game, name_of
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.records import RecordError, RecordWriter, read_record, replay, winners_of

SEED = 7


def record_game(path: Path, n_actions: int | None = None, seed: int = SEED) -> Any:
    """Play at random, to the end or for so many actions, and record it."""
    game = wk.new_game(config=wk.Config(num_players=2), seed=seed)
    stream = Stream(seed)
    with RecordWriter(path, game, agents=["random", "random"]) as writer:
        while not game.is_over and writer.n_actions != n_actions:
            legal = game.legal_actions()
            action = int(legal[stream.draw(len(legal))])
            writer.write(game.seat, game.label(action))
            game.apply(action)
        if game.is_over:
            writer.close(game)
    return game


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole game, which no test changes."""
    path = tmp_path_factory.mktemp("records") / "whole.jsonl"
    record_game(path)
    return path


@pytest.fixture
def damaged(whole: Path, tmp_path: Path) -> Callable[..., Path]:
    """Copies of the whole game with some lines changed: ``damaged({3: {...}})``; None deletes, bytes stay bytes."""

    def make(changes: dict[int, Any], extra: bytes = b"") -> Path:
        lines: list[bytes] = whole.read_bytes().splitlines()
        for number, change in sorted(changes.items(), reverse=True):
            index = number - 1 if number > 0 else len(lines) + number
            if change is None:
                del lines[index]
            elif isinstance(change, bytes):
                lines[index] = change
            else:
                lines[index] = json.dumps({**json.loads(lines[index]), **change}).encode()
        path = tmp_path / "damaged.jsonl"
        path.write_bytes(b"".join(line + b"\n" for line in lines) + extra)
        return path

    return make


def reason(path: Path) -> str:
    """What replay says about a record it refuses."""
    with pytest.raises(RecordError) as caught:
        replay(path)
    assert str(caught.value).startswith(f"{path}: ")
    return str(caught.value).removeprefix(f"{path}: ")


@pytest.mark.rule("docs/records.md, header, actions, end")
def test_writer__whole_game__lines_say_what_was_played(whole: Path) -> None:
    header, *steps, end = (json.loads(line) for line in whole.read_text().splitlines())
    assert header["kind"] == "header" and header["format"] == 1
    assert (header["game"], header["env_version"], header["seed"]) == ("winter_kingdom", wk.ENV_VERSION, SEED)
    assert header["config"]["num_players"] == 2 and header["agents"] == ["random", "random"]
    assert len(header["setup"]["hexes"]) == 427
    assert all(set(step) == {"seat", "action"} for step in steps) and steps[0]["seat"] == 0
    assert end["kind"] == "end" and len(end["scores"]) == 2
    assert end["winners"] == [seat for seat in (0, 1) if end["scores"][seat] == max(end["scores"])]


@pytest.mark.rule("docs/records.md, replay")
def test_replay__whole_game__everything_is_confirmed(whole: Path) -> None:
    report = replay(whole)
    n_lines = len(whole.read_text().splitlines())
    assert report.is_complete and report.n_actions == n_lines - 2 > 20
    assert report.game.is_over and report.scores == report.game.scores()
    assert report.is_seed_confirmed is True
    assert str(report) == f"complete: {report.n_actions} actions verified, scores and winners confirmed"


@pytest.mark.rule("docs/records.md, same game, same file")
@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_writer__same_game_twice__files_are_equal(whole: Path, tmp_path: Path, name: str) -> None:
    first, second = tmp_path / name, tmp_path / f"b{name}"
    record_game(first)
    record_game(second)
    assert first.read_bytes() == second.read_bytes()
    content = first.read_bytes()
    if name.endswith(".gz"):
        assert content[4:8] == bytes(4)  # no time of writing
        content = gzip.decompress(content)
    assert content == whole.read_bytes()
    assert replay(first).is_complete


@pytest.mark.rule("docs/records.md, written line by line")
@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_writer__not_closed_yet__file_is_readable_up_to_the_last_action(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    game = wk.new_game(seed=SEED)
    writer = RecordWriter(path, game)
    for n_actions in range(1, 4):
        action = int(game.legal_actions()[0])
        writer.write(game.seat, game.label(action))
        game.apply(action)
        copy = tmp_path / f"copy{n_actions}-{name}"
        copy.write_bytes(path.read_bytes())
        report = replay(copy)
        assert report.n_actions == n_actions and not report.is_complete
        assert report.game.snapshot() == game.snapshot()
    writer.close()
    assert read_record(path).end is None


@pytest.mark.rule("docs/records.md, an existing file is kept")
def test_writer__file_exists__refuses_unless_told(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("precious")
    game = wk.new_game(seed=SEED)
    with pytest.raises(RecordError, match="the file exists; choose another name or overwrite it"):
        RecordWriter(path, game)
    assert path.read_text() == "precious"
    with RecordWriter(path, game, overwrite=True):
        pass
    assert read_record(path).header.game == "winter_kingdom"


@pytest.mark.rule("docs/records.md, writer refuses what could not be replayed")
def test_writer__wrong_use__says_what_is_wrong(tmp_path: Path) -> None:
    game = wk.new_game(seed=SEED)
    with pytest.raises(RecordError, match="1 agent names for 2 seats"):
        RecordWriter(tmp_path / "a.jsonl", game, agents=["random"])
    with pytest.raises(RecordError, match="cannot be written: No such file or directory"):
        RecordWriter(tmp_path / "nowhere" / "a.jsonl", game)
    writer = RecordWriter(tmp_path / "c.jsonl", game)
    writer.close()
    with pytest.raises(RecordError, match="seat 0: `done`: the record is closed"):
        writer.write(0, "done")
    game.apply(int(game.legal_actions()[0]))
    with pytest.raises(RecordError, match="the game has already begun"):
        RecordWriter(tmp_path / "b.jsonl", game)
    assert not (tmp_path / "b.jsonl").exists()


@pytest.mark.rule("docs/turn.md, set-up as plain data")
def test_writer__game_without_seed_or_beginning__is_recorded_or_refused(tmp_path: Path) -> None:
    game = wk.from_setup(wk.new_game(seed=SEED).setup())
    with RecordWriter(tmp_path / "a.jsonl", game) as writer:
        writer.write(0, game.label(game.legal_actions()[0]))
    report = replay(tmp_path / "a.jsonl")
    assert (report.record.header.seed, report.is_seed_confirmed, report.n_actions) == (None, None, 1)
    with pytest.raises(RecordError, match="the set-up is not known"):
        RecordWriter(tmp_path / "b.jsonl", wk.from_bytes(game.to_bytes()))


@pytest.mark.rule("docs/records.md, a record that stops early")
def test_replay__last_line_cut_off__is_left_out_and_reported(whole: Path, tmp_path: Path) -> None:
    lines = whole.read_bytes().splitlines(keepends=True)
    path = tmp_path / "torn.jsonl"
    path.write_bytes(b"".join(lines[:10]) + lines[10][:-5])
    report = replay(path)
    assert report.record.torn and not report.is_complete and report.n_actions == 9
    assert str(report) == "incomplete: 9 actions verified; the last line is cut off"
    path.write_bytes(b"".join(lines[:10]))
    assert str(replay(path)) == "incomplete: 9 actions verified; there is no closing line"


@pytest.mark.rule("docs/records.md, a record that stops early")
def test_read__only_the_last_newline_is_missing__record_is_whole(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(whole.read_bytes().rstrip(b"\n"))
    record = read_record(path)
    assert record.is_complete and not record.torn


@pytest.mark.rule("docs/records.md, compressed")
def test_replay__truncated_gz__plays_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    record_game(path)
    data = path.read_bytes()
    n_actions = replay(path).n_actions
    path.write_bytes(data[:-100])
    report = replay(path)
    assert report.record.torn and not report.is_complete and 0 < report.n_actions < n_actions


@pytest.mark.rule("docs/records.md, compressed")
def test_read__gz_damaged_or_not_gz__says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(b"plain text")
    assert "damaged or not a gzip file" in reason(path)
    record_game(other := tmp_path / "b.jsonl.gz", 5)
    data = bytearray(other.read_bytes())
    data[-8] ^= 0xFF  # the checksum
    path.write_bytes(data)
    assert "damaged or not a gzip file" in reason(path)
    path.write_bytes(other.read_bytes()[:30])
    assert reason(path) == "line 1: truncated inside the header; nothing can be replayed"


@pytest.mark.rule("docs/records.md, what cannot be read")
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty; a record begins with a header"),
        (b"\n\n", "is empty; a record begins with a header"),
        (b'{"kind":"head', "line 1: truncated inside the header"),
        (b"hello\n", "line 1: not a JSON object"),
        (b"\xff\xfe\n", "line 1: not a JSON object"),
        (b"[1,2]\n", "line 1: not a JSON object"),
        (b'{"seat":0,"action":"done"}\n', 'line 1: no header: a record begins with {"kind":"header",...}'),
        (b'{"kind":"header","format":2}\n', "line 1: record format 2; this version reads format 1"),
        (
            b'{"kind":"header","format":1}\n',
            "line 1: not a valid header line of format 1: Object missing required field `game`",
        ),
    ],
)
def test_read__not_a_record__says_what_is_wrong(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    assert reason(path).startswith(message)


@pytest.mark.rule("docs/records.md, what cannot be read")
def test_read__no_file__says_so(tmp_path: Path) -> None:
    assert reason(tmp_path / "none.jsonl") == "cannot be read: No such file or directory"


@pytest.mark.rule("docs/records.md, header")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "chess"}, "line 1: no game is called 'chess'; known games: winter_kingdom"),
        (
            {"env_version": "v99", "package_version": "9.9"},
            "line 1: played under the rules of winter_kingdom v99, this is",
        ),
        ({"setup": {}}, "line 1: damaged set-up: "),
        ({"seed": "seven"}, "line 1: not a valid header line of format 1: Expected `int | null`, got `str`"),
    ],
)
def test_replay__wrong_header__says_what_is_wrong(damaged: Callable[..., Path], change: Any, message: str) -> None:
    assert reason(damaged({1: change})).startswith(message)


@pytest.mark.rule("docs/turn.md, set-up as plain data")
def test_replay__damaged_setup__is_refused(whole: Path, damaged: Callable[..., Path]) -> None:
    setup = json.loads(whole.read_bytes().splitlines()[0])["setup"]
    for part in (
        {"hexes": setup["hexes"][:-1]},
        {"num_players": 7},
        {"scoring": ["Nobody"]},
        {"rng": "x"},
        {"hands": 3},
    ):
        assert reason(damaged({1: {"setup": {**setup, **part}}})).startswith("line 1: damaged set-up: "), part
    for name in setup:
        lacking = {key: value for key, value in setup.items() if key != name}
        assert reason(damaged({1: {"setup": lacking}})).startswith("line 1: damaged set-up: "), name


@pytest.mark.rule("docs/turn.md, set-up as plain data")
def test_replay__setup_of_another_seed__is_noticed(damaged: Callable[..., Path]) -> None:
    assert replay(damaged({1: {"seed": SEED + 1}})).is_seed_confirmed is False
    assert replay(damaged({1: {"seed": None}})).is_seed_confirmed is None


@pytest.mark.rule("docs/records.md, every action is verified")
def test_replay__wrong_step__names_line_seat_action_and_reason(whole: Path, damaged: Callable[..., Path]) -> None:
    step = json.loads(whole.read_bytes().splitlines()[4])
    seat, label = step["seat"], step["action"]
    turn = f"it is seat {seat}'s turn" + where_before(whole, 5)
    assert reason(damaged({5: {"seat": 1 - seat}})) == f"line 5: seat {1 - seat}: `{label}`: {turn}"
    assert reason(damaged({5: {"action": "dance"}})).startswith(f"line 5: seat {seat}: `dance`: ")
    first = json.loads(whole.read_bytes().splitlines()[1])["action"]
    game = wk.new_game(config=wk.Config(num_players=2), seed=SEED)
    game.apply(game.parse(first))
    with pytest.raises(wk.IllegalActionError) as caught:  # the hex is taken now
        game.apply(game.parse(first))
    assert reason(damaged({3: {"action": first}})) == f"line 3: seat 0: `{first}`: {caught.value}"
    assert reason(damaged({5: b'{"seat":0}'})).startswith("line 5: not a valid step line of format 1: ")
    assert reason(damaged({5: b"{{{"})).startswith("line 5: not a JSON object")
    assert reason(damaged({5: b'{"kind":"chat"}'})).startswith('line 5: kind "chat" does not belong here')


def where_before(path: Path, line: int) -> str:
    """Round and phase in which the action of a line was taken, as an error tells it."""
    record = read_record(path)
    game = records.start_game(record)
    for step in record.actions[: line - 2]:
        game.apply(game.parse(step.action))
    return f" (round {game.round}, phase {game.phase})"


@pytest.mark.rule("docs/records.md, the end is verified")
def test_replay__wrong_end__says_what_the_game_gives(whole: Path, damaged: Callable[..., Path]) -> None:
    end = json.loads(whole.read_bytes().splitlines()[-1])
    last = len(whole.read_bytes().splitlines())
    wrong = [end["scores"][0] + 1, end["scores"][1]]
    expected = f"line {last}: scores {wrong} are recorded, the game gives {end['scores']}"
    assert reason(damaged({-1: {"scores": wrong}})) == expected
    assert reason(damaged({-1: {"winners": []}})).startswith(f"line {last}: winners [] are recorded, the game gives")
    assert "the record ends, the game does not: seat" in reason(damaged({-2: None}))
    again = b'{"seat":0,"action":"done"}\n'
    follows = f"line {last + 1}: something follows the end of the game (line {last})"
    assert reason(damaged({}, extra=again)).startswith(follows)
    step = f"line {last}: seat 0: `done`: the game is already over"
    assert reason(damaged({-1: b'{"seat":0,"action":"done"}'})) == step


@pytest.mark.rule("rules, highest score wins, ties share the win")
def test_winners_of__tie__all_of_them() -> None:
    assert winners_of([3, 1, 1, 4]) == [1, 2]
    assert winners_of([1, 1]) == [0, 1]
    assert winners_of([1, 2]) == [0]


@pytest.mark.rule("docs/records.md, games by name")
def test_registry__unknown_name__lists_the_known() -> None:
    assert get_game("winter_kingdom") is wk
    assert name_of(wk.new_game(seed=1)) == "winter_kingdom"
    with pytest.raises(UnknownGameError, match="no game is called 'go'; known games: winter_kingdom"):
        get_game("go")
    with pytest.raises(UnknownGameError, match="dict from builtins belongs to none of these games: winter_kingdom"):
        name_of({})


# What strangers send ---------------------------------------------------------------------------------------------------


def refused(path: Path) -> str:
    """Why replay refuses a record: one printable line that is not long."""
    why = reason(path)
    assert why.isprintable() and len(why) <= 1100, why
    return why


@pytest.mark.rule("docs/records.md, limits")
def test_replay__gzip_bomb_or_endless_members__is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(bytes(65 << 20), 1))
    assert refused(path) == "cannot be read: it is larger than 64 MB decompressed, the most that is read"
    path.write_bytes(gzip.compress(b"") * 100_000)
    assert refused(path) == "cannot be read: it has more than 100 gzip members, the most that are read"
    plain = tmp_path / "a.jsonl"
    with plain.open("wb") as file:
        file.truncate(65 << 20)
    assert refused(plain) == "cannot be read: it is larger than 64 MB, the most that is read"


@pytest.mark.rule("docs/records.md, limits")
def test_replay__no_regular_file__is_refused_without_waiting(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    os.mkfifo(path)
    assert refused(path) == "cannot be read: it is a FIFO, not a regular file"
    with pytest.raises(RecordError, match="it is not a regular file"):
        RecordWriter(path, wk.new_game(seed=SEED), overwrite=True)
    assert refused(Path("/dev/zero")) == "cannot be read: it is a device, not a regular file"
    assert refused(tmp_path) == "cannot be read: it is a folder, not a regular file"


@pytest.mark.rule("docs/records.md, limits")
def test_read__more_steps_or_longer_lines_than_any_game__is_refused(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    header = whole.read_bytes().splitlines(keepends=True)[0]
    path.write_bytes(header + b'{"seat":0,"action":"done"}\n' * 100_000)
    assert len(read_record(path).actions) == 100_000
    path.write_bytes(header + b"\n" * 100_003)
    assert refused(path) == "line 100003: there are more lines than a game of 100,000 steps has"
    path.write_bytes(header + b'{"seat":0,"action":"' + b"x" * (1 << 20) + b'"}\n')
    assert refused(path) == "line 2: has 1,048,598 bytes; no line of a record has more than 1,048,576"


def nested(n: int) -> Any:
    found: Any = 1
    for _ in range(n):
        found = [found]
    return found


@pytest.mark.rule("docs/records.md, limits")
@pytest.mark.parametrize(
    ("number", "old", "new", "words"),
    [
        (1, b'"seed":7', b'"seed":7,"more":' + b"[" * 65 + b"]" * 65, "nested more than 64 deep"),
        (1, b'"seed":7', b'"seed":' + b"7" * 1_000, "is too large for a number"),
        (1, b'"seed":7', b'"seed":7,"more":1e400', "1e400 is too large for a number"),
        (1, b'"seed":7', b'"seed":7,"seed":8', "an object has the key 'seed' twice"),
        (1, b'"random"', b'"ran\\u001bdom"', "the agent name 'ran\\x1bdom' cannot be printed"),
        (1, b'"random","random"', b'"random"', "1 agent names for 2 seats"),
        (1, b'"random"', b'"\\udfffdom"', "unpaired surrogate"),
        (1, b'"random"', b'"\xfe"', "is not UTF-8"),
        (1, b'"winter_kingdom"', b'"' + b"x" * 5000 + b'"', "no game is called"),
        (1, b'"winter_kingdom"', b'"../../winter_kingdom"', "no game is called"),
        (4, b'"action"', b'"seat":0,"action"', "an object has the key 'seat' twice"),
        (4, b'"action":"', b'"action":"\\u0000\\u001b[2J\\n', "is not the label of an action"),
        (4, b'"action":"', b'"action":"\x00', "Invalid control character"),
        (4, b'"action":"', b'"action":"' + b"y" * 100_000, "is not the label of an action"),
        (4, b'{"seat"', b'{"kind":"\\u001b","seat"', "does not belong here"),
        (4, b'"seat":', b'"seat":1e', "Expected `int`, got `float`"),
    ],
)  # fmt: skip
def test_replay__odd_values__are_refused_with_the_line(
    whole: Path, tmp_path: Path, number: int, old: bytes, new: bytes, words: str
) -> None:
    lines = whole.read_bytes().splitlines()
    assert old in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new, 1)
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    why = refused(path)
    assert why.startswith(f"line {number}: ") and words in why, why


@pytest.mark.rule("docs/turn.md, set-up as plain data")
@pytest.mark.parametrize("key", sorted(wk.new_game(seed=SEED).setup()))
def test_setup__deeply_nested_or_of_a_wrong_kind__is_refused_in_one_line(key: str) -> None:
    setup = wk.new_game(seed=SEED).setup()
    values = [
        nested(100_000),
        [nested(100_000)] * 2,
        {"a": nested(5_000)},
        "x" * 100_000,
        10**9999,
        -1,
        1.5,
        object(),
        b"x",
        [{}] * 427,
    ]
    for value in values:
        with pytest.raises(wk.SetupError) as caught:
            wk.from_setup({**setup, key: value})
        assert str(caught.value).isprintable() and len(str(caught.value)) < 1000


@pytest.mark.rule("docs/turn.md, set-up as plain data")
def test_setup__an_object_instead_of_a_list__is_refused() -> None:
    setup = wk.new_game(seed=SEED).setup()
    with pytest.raises(ValueError, match="scoring: a list of at most 3 is needed"):
        wk.from_setup({**setup, "scoring": dict.fromkeys(setup["scoring"])})
    with pytest.raises(ValueError, match="hands: a list of at most 5 is needed"):
        wk.from_setup({**setup, "hands": [dict.fromkeys(hand) for hand in setup["hands"]]})


@pytest.mark.rule("docs/records.md, a full disk")
@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_writer__disk_is_full_when_it_closes__says_so(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = RecordWriter(tmp_path / name, wk.new_game(seed=SEED))

    def full(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    class Full:
        closed = False
        close = write = flush = full

    raw, writer._file = writer._raw, Full()  # type: ignore[assignment]
    if raw.name.endswith("jsonl"):
        writer._raw = writer._file
    with pytest.raises(RecordError, match="cannot be written: No space left on device"):
        writer.close()
    raw.close()


@pytest.mark.rule("docs/records.md, an existing file is kept")
@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
@pytest.mark.parametrize("is_link", [False, True])
def test_writer__overwrite_on_a_full_disk__the_old_file_stays(name: str, is_link: bool, tmp_path: Path) -> None:
    path = tmp_path / name
    target = tmp_path / "there" / "old.txt" if is_link else path
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(b"precious")
    if is_link:
        path.symlink_to(target)
    before = contents(tmp_path)
    game = wk.new_game(seed=SEED)
    with small_disk(1000), pytest.raises(RecordError, match="cannot be written: File too large"):
        RecordWriter(path, game, overwrite=True)
    assert contents(tmp_path) == before and path.is_symlink() == is_link
    with RecordWriter(path, game, overwrite=True) as writer:
        assert read_record(path).header.game == "winter_kingdom"  # it has its name before the first action
        action = int(game.legal_actions()[0])
        writer.write(game.seat, game.label(action))
        assert replay(path).n_actions == 1
    assert contents(tmp_path).keys() == before.keys() and path.is_symlink() == is_link
    assert b"precious" not in target.read_bytes() and replay(path).n_actions == 1


@pytest.mark.rule("docs/records.md, an existing file is kept")
@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_writer__overwritten_or_new__files_are_equal(name: str, tmp_path: Path) -> None:
    new, old = tmp_path / name, tmp_path / f"b{name}"
    old.write_bytes(b"precious" * 100_000)
    old.chmod(0o640)
    for path in (new, old):
        with RecordWriter(path, wk.new_game(seed=SEED), overwrite=True) as writer:
            writer.write(0, "done")
    assert new.read_bytes() == old.read_bytes() and old.stat().st_mode & 0o777 == 0o640


@pytest.mark.rule("docs/records.md, an existing file is kept")
def test_writer__overwrite_what_must_stay__is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = wk.new_game(seed=SEED)
    loop, dangling = tmp_path / "loop.jsonl", tmp_path / "dangling.jsonl"
    loop.symlink_to(loop)
    with pytest.raises(RecordError, match="cannot be written"):
        RecordWriter(loop, game, overwrite=True)
    assert loop.is_symlink()
    dangling.symlink_to(tmp_path / "target.jsonl")
    RecordWriter(dangling, game, overwrite=True).close()
    assert dangling.is_symlink() and read_record(tmp_path / "target.jsonl").header.seed == SEED
    old = tmp_path / "old.jsonl"
    old.write_text("precious")
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # for root no file is read-only
    with pytest.raises(RecordError, match="it is read-only"):
        RecordWriter(old, game, overwrite=True)
    assert old.read_text() == "precious"


@pytest.mark.rule("docs/records.md, writer refuses what could not be replayed")
@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_writer__text_that_is_not_utf8__is_refused_before_anything_is_opened(name: str, tmp_path: Path) -> None:
    boards = tmp_path / "\udcff.txt"
    boards.write_text(wk.boards.format_sides(wk.boards.standard_sides()))
    game = wk.new_game(config=wk.Config(boards=str(boards)), seed=SEED)
    old = tmp_path / name
    old.write_text("precious")
    for path in (old, tmp_path / f"new-{name}"):
        with pytest.raises(RecordError) as caught:
            RecordWriter(path, game, overwrite=True)
        assert "the header line has text that is not UTF-8" in str(caught.value) and str(caught.value).isprintable()
    assert old.read_text() == "precious" and sorted(tmp_path.iterdir()) == sorted([old, boards])
    with RecordWriter(tmp_path / f"c-{name}", wk.new_game(seed=SEED)) as writer:
        with pytest.raises(RecordError, match="the step line has text that is not UTF-8"):
            writer.write(0, "\ud800")
        assert writer.n_actions == 0
    assert read_record(tmp_path / f"c-{name}").actions == ()


# --- continuing and taking back ---------------------------------------------------------------------------------------


def begun(path: Path, n: int) -> tuple[Game, RecordWriter, list[bytes]]:
    """A game with ``n`` recorded actions, its writer, and the file after the header and after every action."""
    game = wk.new_game(seed=5)
    writer = RecordWriter(path, game)
    files = [path.read_bytes()]
    for _ in range(n):
        action = game.legal_actions()[0]
        writer.write(game.seat, game.label(action))
        game.apply(action)
        files.append(path.read_bytes())
    return game, writer, files


@pytest.mark.rule("records, interruption")
def test_take_back__every_action__leaves_the_file_as_before(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    _, writer, files = begun(path, 6)
    for n in reversed(range(6)):
        writer.take_back()
        assert path.read_bytes() == files[n] and writer.n_actions == n
    with pytest.raises(RecordError, match="no action can be taken back"):
        writer.take_back()
    start = wk.new_game(seed=5)
    writer.write(start.seat, start.label(start.legal_actions()[0]))
    writer.close()
    assert path.read_bytes() == files[1]


@pytest.mark.rule("records, interruption")
def test_take_back__compressed_or_closed__is_refused(tmp_path: Path) -> None:
    for name, is_closed in (("game.jsonl.gz", False), ("game.jsonl", True)):
        _, writer, _ = begun(tmp_path / name, 2)
        if is_closed:
            writer.close()
        with pytest.raises(RecordError, match="no action can be taken back"):
            writer.take_back()
        writer.close()


@pytest.mark.rule("records, interruption")
@pytest.mark.parametrize("n", [0, 1, 5])
@pytest.mark.parametrize("torn", [b"", b'{"seat":0,"act'])
def test_continued__after_a_crash__is_as_if_nothing_had_happened(tmp_path: Path, n: int, torn: bytes) -> None:
    whole, path = tmp_path / "whole.jsonl", tmp_path / "game.jsonl"
    _, writer, files = begun(whole, 8)
    writer.close()
    path.write_bytes(files[n] + torn)
    again = RecordWriter.continued(read_record(path))
    assert again.n_actions == n
    other = replay(path).game
    for k in range(n, 8):
        action = other.legal_actions()[0]
        again.write(other.seat, other.label(action))
        other.apply(action)
        assert path.read_bytes() == files[k + 1]
    again.take_back()
    assert path.read_bytes() == files[7]
    again.close()


@pytest.mark.rule("records, interruption")
def test_continued__only_the_newline_is_missing__keeps_the_action(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game, writer, files = begun(path, 3)
    writer.close()
    path.write_bytes(files[3][:-1])
    again = RecordWriter.continued(read_record(path))
    action = game.legal_actions()[0]
    again.write(game.seat, game.label(action))
    again.close()
    assert path.read_bytes().startswith(files[3]) and len(read_record(path).actions) == 4


@pytest.mark.rule("records, interruption")
def test_continued__finished_or_compressed__is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game, writer, _ = begun(path, 3)
    while not game.is_over:
        action = game.legal_actions()[0]
        writer.write(game.seat, game.label(action))
        game.apply(action)
    writer.close(game)
    with pytest.raises(RecordError, match="the game is over"):
        RecordWriter.continued(read_record(path))
    packed = tmp_path / "game.jsonl.gz"
    begun(packed, 2)[1].close()
    with pytest.raises(RecordError, match="compressed"):
        RecordWriter.continued(read_record(packed))
