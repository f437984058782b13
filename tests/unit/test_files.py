"""Files are read up to a limit and written whole; JSON from outside is read strictly; errors are one printable line."""

from __future__ import annotations

import errno
import gzip
import os
import re
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from winterkingdom_env.core.files import DamagedError, FileError, gunzip, read_limited, write_together, write_whole
from winterkingdom_env.core.plain_json import DEEPEST, JsonError, depth, parse_json
from winterkingdom_env.core.plain_text import one_line, quoted

pytestmark = pytest.mark.rule("docs/records.md, limits")
FULL = OSError(errno.ENOSPC, "No space left on device")


def full(*arguments: object) -> None:
    raise FULL


def test_read__regular_file__up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x" * 100)
    assert read_limited(path, 100) == b"x" * 100
    with pytest.raises(FileError, match="larger than 0 kB"):
        read_limited(path, 99)


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (os.mkfifo, "it is a FIFO, not a regular file"),
        (os.mkdir, "it is a folder, not a regular file"),
        (lambda path: os.symlink("/dev/zero", path), "it is a device, not a regular file"),
        (make_socket, "No such device or address"),
        (lambda path: None, "No such file or directory"),
    ],
    ids=["fifo", "folder", "device", "socket", "nothing"],
)
def test_read__no_regular_file__is_refused_without_waiting(
    make: Callable[[Path], object], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    make(Path("odd"))
    with pytest.raises(OSError, match=re.escape(words)) as caught:
        read_limited("odd")
    assert caught.value.strerror == words


def test_read__nul_in_the_name__is_refused() -> None:
    with pytest.raises(FileError, match="not a file name"):
        read_limited("a\0b")


def test_gunzip__members_and_a_torn_end__as_they_were_written() -> None:
    one = gzip.compress(b"one ")
    assert gunzip(one * 3) == (b"one " * 3, False)
    assert gunzip(one + one[:-3])[1] is True
    assert gunzip(b"") == (b"", False)
    large = os.urandom(300_000)
    assert gunzip(gzip.compress(large) + one) == (large + b"one ", False)


def test_gunzip__bomb_empty_members_or_rubbish__is_refused() -> None:
    bomb = gzip.compress(bytes(1 << 20))
    with pytest.raises(FileError, match="larger than 1023 kB decompressed"):
        gunzip(bomb, (1 << 20) - 1)
    assert len(gunzip(bomb, 1 << 20)[0]) == 1 << 20
    with pytest.raises(FileError, match="more than 100 gzip members"):
        gunzip(gzip.compress(b"") * 200_000)
    with pytest.raises(DamagedError, match="damaged or not a gzip file"):
        gunzip(gzip.compress(b"a") + b"rubbish")


def test_write__new_and_again__whole_with_folders_and_permissions(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "a.txt"
    write_whole(path, "grün")
    assert path.read_bytes() == "grün".encode()
    plain = tmp_path / "plain"
    plain.write_text("")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    path.chmod(0o640)
    write_whole(path, b"again")
    assert path.read_bytes() == b"again" and stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [each.name for each in path.parent.iterdir()] == ["a.txt"]


def test_write__a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "there" / "file")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "there" / "file").read_text() == "new"


def test_write__no_regular_file__is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(FileError, match="it is a FIFO"):
        write_whole(tmp_path / "fifo", b"new")
    assert stat.S_ISFIFO((tmp_path / "fifo").stat().st_mode)
    with pytest.raises(FileError, match="it is a folder"):
        write_whole(tmp_path, b"new")
    with pytest.raises(FileError, match="it is a device"):
        write_whole("/dev/null", b"new")


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_write__disk_is_full__the_old_one_stays_and_nothing_else(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, call, full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, b"new")
    with pytest.raises(OSError, match="No space left"):
        write_whole(tmp_path / "x" / "y" / "b", b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["a"]


def test_write_together__the_second_fails__the_first_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def second(number: int) -> None:
        calls.append(number)
        if len(calls) == 2:
            raise FULL

    monkeypatch.setattr(os, "fsync", second)
    with pytest.raises(OSError, match="No space left"):
        write_together({tmp_path / "in" / "a": b"a", tmp_path / "in" / "b": b"b"})
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not valid JSON: Expecting value"),
        (b"\xff", "byte 0 (0xff) is not UTF-8"),
        (b'{"a":1,"b":2,"a":3}', "an object has the key 'a' twice"),
        (b"[NaN]", "NaN is not a JSON number"),
        (b"[-Infinity]", "-Infinity is not a JSON number"),
        (b"[1e400]", "1e400 is too large for a number"),
        (b"9" * 1_000_000, "is too large for a number"),
        (b'["\\ud800"]', "unpaired surrogate"),
        (b'["\x00"]', "not valid JSON: Invalid control character"),
        (b"[" * 100_000, "nested more than 64 deep"),
        (b'{"a":' * 65 + b"1" + b"}" * 65, "nested more than 64 deep"),
    ],
)
def test_parse__what_is_not_taken__is_refused_in_one_line(content: bytes, words: str) -> None:
    with pytest.raises(JsonError) as caught:
        parse_json(content)
    assert words in str(caught.value)
    assert str(caught.value).isprintable() and len(str(caught.value)) < 200


def test_parse__what_is_right__is_what_json_says() -> None:
    assert parse_json(b'{"a": [1, 2.5, "\\ud83d\\ude00 [[[", null, true]}') == {"a": [1, 2.5, "😀 [[[", None, True]}
    deep = b"[" * DEEPEST + b"]" * DEEPEST
    assert depth(deep) == DEEPEST and parse_json(deep)
    assert depth(b'"\\"[[" [{"}": 1}]') == 2


def test_quoted__whatever_it_is__is_short_and_printable() -> None:
    nested: list[object] = []
    for _ in range(100_000):
        nested = [nested]
    for value in (nested, 10**9999, "a\n\ud800\x1b" * 1000, {"a" * 1000: nested}, b"\0" * 10_000, object()):
        assert quoted(value).isprintable() and len(quoted(value)) < 400
    assert quoted("Knights") == "'Knights'" and one_line("a\nb\ud800") == "a b\\ud800"
