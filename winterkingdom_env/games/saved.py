"""Saving and loading of games, with a full check of everything that is loaded."""

from __future__ import annotations

import hashlib
from typing import Any, ClassVar, Self

import numpy as np

from winterkingdom_env.core.plain_text import shortened
from winterkingdom_env.games.errors import SavedGameError

DIGEST_BYTES = 8
LONGEST_MAGIC = 64


class Saved:
    """Mixin of ``BaseGame``: saving, comparison and pickling."""

    __slots__ = ()

    # Set by a game's own class.
    NAME: ClassVar[str]
    TITLE: ClassVar[str]
    VERSION: ClassVar[str]  # of its rules
    CONFIG: ClassVar[type]
    GAME_DTYPE: ClassVar[np.dtype]
    BOARD_DTYPE: ClassVar[np.dtype]

    MAGIC: ClassVar[bytes]  # prefix of the saved bytes

    _world: Any  # a World with one game
    config: Any
    seed: int | None
    _begun: np.ndarray | None

    @classmethod
    def _magic(cls) -> bytes:
        told = repr([cls.GAME_DTYPE.descr, cls.BOARD_DTYPE.descr]).encode()
        layout = hashlib.blake2b(told, digest_size=4).hexdigest()
        return f"{cls.NAME}_{cls.VERSION}_{layout}\0".encode()

    @property
    def record(self) -> np.ndarray:
        """The GAME record, an array of length 1."""
        games: np.ndarray = self._world.games
        return games

    @property
    def board(self) -> np.ndarray:
        """The BOARD record, an array of length 1."""
        boards: np.ndarray = self._world.boards
        return boards

    def __reduce__(self) -> tuple[Any, ...]:
        begun = None if self._begun is None else self._begun.tobytes()
        return _restore, (type(self), self.to_bytes(), begun, self.config, self.seed)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def to_bytes(self) -> bytes:
        """The two records with a checksum. Equal positions give equal bytes."""
        body = self.record.tobytes() + self.board.tobytes()
        return self.MAGIC + _digest(body) + body

    @classmethod
    def from_bytes(cls, data: Any) -> Self:
        """The game that ``to_bytes`` saved. Raises ValueError, naming the field, if the data are damaged or invalid."""
        record, board = cls._records(data)
        cls.check_records(record, board)
        return cls(cls.world_of(record, board))  # type: ignore[call-arg]  # a game object takes its World

    @classmethod
    def _records(cls, data: Any) -> tuple[np.ndarray, np.ndarray]:
        """GAME and BOARD of a saved game, unchecked. Raises SavedGameError if the data are damaged or not a saved game."""
        size = cls.GAME_DTYPE.itemsize
        head, length = len(cls.MAGIC) + DIGEST_BYTES, size + cls.BOARD_DTYPE.itemsize
        if not isinstance(data, bytes | bytearray) or len(data) != head + length or data[: len(cls.MAGIC)] != cls.MAGIC:
            raise SavedGameError(cls._why_none(data, head + length))
        body = bytes(data[head:])
        if _digest(body) != bytes(data[len(cls.MAGIC) : head]):
            raise SavedGameError(
                "the saved game is damaged: its checksum does not fit; save it again with Game.to_bytes()"
            )
        return as_record(body[:size], cls.GAME_DTYPE), as_record(body[size:], cls.BOARD_DTYPE)

    @classmethod
    def _why_none(cls, data: Any, length: int) -> str:
        """Why these data are not a saved game of this version."""
        head, end, _ = (
            bytes(data[:LONGEST_MAGIC]).partition(b"\0") if isinstance(data, bytes | bytearray) else (b"", b"", b"")
        )
        before, _, version = head.decode("ascii", "replace").partition(f"{cls.NAME}_")
        version = version.partition("_")[0]
        if end and not before and version and version != cls.VERSION:
            version = version if version[:1] == "v" else "v0"  # v0 files may lack the version
            return (
                f"a saved game that was played under the rules of {cls.NAME} {shortened(version)}, this is {cls.VERSION}; "
                "install the winterkingdom_env that saved it to continue it"
            )
        return f"not a saved {cls.TITLE} game of this version: {length} bytes from Game.to_bytes() are expected"

    @classmethod
    def world_of(cls, record: np.ndarray, board: np.ndarray) -> Any:
        """A World of one game with these records."""
        raise NotImplementedError

    @classmethod
    def check_records(cls, games: Any, boards: Any) -> np.ndarray:
        """The LEGAL records of these games. Raises SavedGameError, naming the first invalid field."""
        raise NotImplementedError

    @classmethod
    def check_begun(cls, begun: np.ndarray) -> None:
        """Raise SavedGameError if a GAME that passed ``check_records`` is not the start of a game."""

    @classmethod
    def _check_parts(cls, record: np.ndarray, board: np.ndarray, begun: Any, config: Any, seed: Any) -> None:
        """Raise ValueError, naming the problem, if the untrusted parts of a game are invalid."""
        cls.check_records(record, board)
        if begun is not None:
            cls.check_records(begun, board)
            cls.check_begun(begun)
        if config is not None and not isinstance(config, cls.CONFIG):
            raise SavedGameError(f"the saved game is refused: config is a {type(config).__name__}")
        if seed is not None and type(seed) is not int:
            raise SavedGameError(f"the saved game is refused: seed is a {type(seed).__name__}")


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=DIGEST_BYTES).digest()


def as_record(content: bytes, dtype: np.dtype) -> np.ndarray:
    """A record with a copy of these bytes, as an array of length 1."""
    return np.frombuffer(bytearray(content), dtype)


def _restore(kind: Any, saved: bytes, begun: bytes | None, config: Any, seed: int | None) -> Any:
    """Unpickle a game, with the same checks as ``from_bytes``."""
    record, board = kind._records(saved)
    if begun is not None and (type(begun) is not bytes or len(begun) != kind.GAME_DTYPE.itemsize):
        raise SavedGameError("the saved game is refused: begun is not a GAME record")
    beginning = None if begun is None else as_record(begun, kind.GAME_DTYPE)
    kind._check_parts(record, board, beginning, config, seed)
    game = kind(kind.world_of(record, board), beginning, config, seed)
    if begun != record.tobytes():
        game._history = None
    return game
